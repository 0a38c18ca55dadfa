/* Names of what is computed of rows: which they are (row_values.c), what stands in their place
 * (row_elements.c). */
#ifndef SEMA_ROW_VALUES_H
#define SEMA_ROW_VALUES_H

#include "lib/sema/rewrite.h"

typedef struct row_value {
    const char *name;
    ast_node *at;     /* the assignment */
    ast_list *list;   /* it stands in */
    uint32_t place;   /* and where */
    ast_node *value;  /* of what is kept: row_elements.c; so are base, dims, leaves */
    const char *base; /* a parameter whose rows are in it */
    uint32_t dims;    /* indices of that in front of those of a row */
    VEC(ast_node *) leaves;
    bool used, sure;  /* as an array; of numbers for sure */
    bool beside;      /* it stands where a number or an array does: acc += d */
    uint32_t changed; /* elements, from the first on, some of which are assigned: row_changes.c */
    const char *kept; /* the array of those */
} row_value;

/* for name in of; name = of[:, j], or name = of[i]: not whole, that may be a number. */
typedef struct row_view {
    const char *of;
    bool whole;
    struct row_view *next; /* of the same name */
} row_view;

typedef struct row_finder {
    rewriter *r;
    map bound;     /* name -> how often it is assigned */
    map stored;    /* name -> anything: of arrays whose elements are, as far as is known */
    map alias;     /* name -> its value: of what is assigned x[i] alone, once */
    map views;     /* name -> row_view: what is written with it is written */
    map given;     /* name -> anything: of what functions are given that may write it */
    map values;    /* name -> row_value */
    map before;    /* name -> what it was called before it changed: row_changes.c; so is shown */
    map copies;    /* name -> anything: of copies of rows */
    map shown;     /* name -> that of the source */
    uint64_t work; /* statements that were gone through for changes as a whole */
} row_finder;

/* row_values.c */
void row_value_put(row_finder *f, map *m, const char *name, const void *value);
const char *row_value_base(const ast_node *n); /* the name that all indices are of, or NULL */
uint32_t row_value_indices(const ast_node *n); /* how many */
bool row_value_is(const row_finder *f, const ast_node *n); /* one of their names */
bool row_value_names(const ast_node *n, const row_value *v);
/* x[i] of a parameter x, or a name that is only that; else NULL. */
const ast_node *row_value_row(const row_finder *f, const ast_node *n);
/* Of row[:] the name row, where that is one; else n. */
const ast_node *row_value_whole(const row_finder *f, const ast_node *n);
bool row_value_is_slice(const row_finder *f, const ast_node *n); /* x[i, :] */
bool row_value_is_made(const row_finder *f, const ast_node *n);  /* a private array's name */
/* Whether n is a row of an array that has rows. */
bool row_value_is_known(const row_finder *f, const ast_node *n);

bool row_value_is_given(const row_finder *f, const char *name); /* a parameter, assigned or not */

/* The targets of a statement, which are its first kids. */
uint32_t row_value_targets(const ast_node *n);
uint32_t row_value_count(const ast_list *list, const row_value *v); /* how often its name stands */
/* Whether an expression is of elements, and has a row in it. */
bool row_value_may_be(const row_finder *f, const ast_node *value);
/* Whether something that has the value of the assignment is used as an array. */
bool row_value_is_used(row_finder *f, const ast_node *assignment, const char *name);

/* row_changes.c */
/* How many elements, from the first on, hold all that are assigned; false: it is not known. */
bool row_changes_count(row_finder *f, const char *name, uint32_t *count);
/* Whether an index is surely one of those of v. */
bool row_changes_is_kept(const row_finder *f, const row_value *v, const ast_node *index);
/* Gives names that are changed as a whole another name where they are. */
void row_changes_rename(row_finder *f, ast_list *list);
/* n is a row: its array has a dimension more than n has indices. */
void row_value_know(row_finder *f, const ast_node *n);

/* row_elements.c */
/* The assignment becomes those of what is kept, and elements stand where the name stood. */
void row_value_become(row_finder *f, row_value *v);

#endif

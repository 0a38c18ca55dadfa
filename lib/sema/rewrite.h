/* What rewrites the tree of a function before anything in it is typed. */
#ifndef SEMA_REWRITE_H
#define SEMA_REWRITE_H

#include "lib/sema/sema_int.h"

/* rows.c: where a row comes from, x[i] of any x */
typedef struct row_source {
    const char *of; /* a name */
    sema_view view;
} row_source;

typedef enum row_use {
    UNUSED,
    USED_BESIDE, /* in a sum with arrays, or stored in some: it may be a number */
    USED_ALONE,  /* in a sum of nothing that is an array for sure */
    USED
} row_use;

/* A name that is assigned, or used as a row. */
typedef struct sema_row {
    const char *name, *array; /* array: a parameter */
    sema_view view;           /* of the array */
    uint32_t dims;            /* the most indices that the name stands with */
    VEC(row_source) sources;
    row_use used;
    bool bad;    /* it is assigned anything else */
    bool wanted; /* it is a row and used as one */
} sema_row;

typedef struct row_pass { /* a name as an argument */
    const char *name;
    const ast_node *call;
    uint32_t kid;
} row_pass;

struct sema_rows {
    map by_name; /* -> sema_row */
    VEC(row_pass) passed;
};

typedef struct rewriter {
    sema *s;
    ast_func *fn;
    map locals;      /* names that it assigns, and its parameters */
    map arrays;      /* names of private arrays */
    map lists;       /* those of them that are lists, [0.0]*3 */
    map dimensions;  /* of those how many, where they are written out: rewrite_dimensions */
    map lengths;     /* of those of one, how many elements, where that is a literal */
    map tables;      /* name -> ast_node: of constants that become private arrays */
    map rows;        /* name of a row -> sema_row: rows.c */
    map most;        /* name -> the most indices that it stands with: rewrite_most_indices */
    bool counted;    /* most is there */
    ast_list before; /* statements in front of the one at hand */
    uint32_t made;   /* names so far */
    bool top;        /* the statement is of the function's own body */
} rewriter;

/* rewrite.c: nodes, whose kids are still to be filled in; rewrite_pair's are a and b */
ast_node *rewrite_node(rewriter *r, ast_kind kind, cpl_span span, uint32_t kids);
ast_node *rewrite_name(rewriter *r, const char *name, cpl_span span);
ast_node *rewrite_pair(rewriter *r, ast_kind kind, ast_node *a, ast_node *b);
ast_node *rewrite_binary(rewriter *r, token_kind op, ast_node *a, ast_node *b);
ast_node *rewrite_integer(rewriter *r, int64_t value, cpl_span span);
ast_node *rewrite_truth(rewriter *r, bool value, cpl_span span);
ast_node *rewrite_compare(rewriter *r, token_kind op, ast_node *a, ast_node *b);
ast_node *rewrite_choose(rewriter *r, ast_node *condition, ast_node *a, ast_node *b);
ast_node *rewrite_call(rewriter *r, const char *name, ast_node *argument);
ast_node *rewrite_call_of_two(rewriter *r, const char *name, ast_node *a, ast_node *b);
ast_node *rewrite_copied(rewriter *r, const ast_node *n);     /* whose kids are still those of n */
ast_node *rewrite_copy(rewriter *r, const ast_node *n);       /* of all of n */
const char *rewrite_made_name(rewriter *r, const char *what); /* a new one, .what0 */
const char *rewrite_quoted(rewriter *r, const char *name);    /* for messages */
void rewrite_assign(rewriter *r, ast_list *to, const char *name, ast_node *value);
void rewrite_put(rewriter *r, const char *name, ast_node *value); /* in front of the statement */
/* An error takes the place of n. */
void rewrite_refuse(rewriter *r, ast_node *n, const char *message, const char *hint);
const char *rewrite_before(rewriter *r, const char *what, ast_node *value); /* under a new name */
bool rewrite_is_local(const rewriter *r, const ast_node *n);
/* Whether n, no name of the function, is NumPy as the file has it. */
bool rewrite_is_numpy(const rewriter *r, const ast_node *n);
bool rewrite_is_private(const rewriter *r, const ast_node *n);    /* a private array's name */
uint32_t rewrite_dimensions(const rewriter *r, const char *name); /* of such a one, or 0 */
bool rewrite_is_parameter(const rewriter *r, const ast_node *n);  /* which is not assigned */
bool rewrite_names_array(const rewriter *r, const ast_node *n);   /* either */
/* Puts the names that a statement by itself binds, as targets and by (v := e), into a map. */
void rewrite_bound_names(arena *a, map *to, const ast_node *statement, void *value);
bool rewrite_is_sequence(const ast_node *n); /* a tuple or list that stands there */
/* Whether n calls what Python has under that name, and nothing of the file. */
bool rewrite_calls(const rewriter *r, const ast_node *n, const char *name);

/* An index that has the value it has here wherever it stands: a literal, a parameter or a name that
 * is assigned in front of the statement. */
ast_node *rewrite_kept(rewriter *r, ast_node *index);
/* Whether n is x[i], of a parameter or private array and without slices. */
bool rewrite_is_row(const rewriter *r, const ast_node *n);

/* loops.c */
/* A loop over elements becomes one over their indices. */
void rewrite_loop(rewriter *r, ast_node *statement);

/* overlap.c: how what is read is read as it was */
typedef struct overlap overlap;

/* forms.c: ord('a'), v in (1, 2), np.iinfo(T).max, m[i] = a, b; behind the kids of n. */
void rewrite_form(rewriter *r, ast_node *n);
/* a.flat[k] of an array of two dimensions; the name in a.flat of such, else NULL. */
void rewrite_flat(rewriter *r, ast_node *n);
const ast_node *rewrite_flat_of(rewriter *r, const ast_node *n);
void rewrite_named(rewriter *r, ast_node *statement); /* (v := e) in it */

/* closures.c: functions inside of fn become functions of the file. */
void rewrite_closures(sema *s, ast_func *fn);

/* slices.c */
enum { SLICES_DIMS = 8 };

typedef struct slicing { /* a statement that becomes loops over elements */
    rewriter *r;
    uint32_t dims;                                       /* how many loops */
    const char *index[SLICES_DIMS], *count[SLICES_DIMS]; /* names: of a loop, of its rounds */
    ast_list names;         /* parameters that stand as a whole, elements where they are arrays */
    const ast_node *target; /* what is written, or NULL */
    const char *what;       /* whose the slices are, for messages */
    overlap *order;         /* of the rounds, where the target is read elsewhere; else NULL */
} slicing;
/* None in indices beside slices becomes a mark of theirs. */
void slices_find_new(rewriter *r, ast_list *list);
/* Of x[part, part]: the parts, one of them, and how many slices there are among them, and new
 * dimensions; 0 also where n is anything else. */
uint32_t slices_part_count(const ast_node *n);
ast_node *slices_part(const ast_node *n, uint32_t i);
uint32_t slices_rank(const ast_node *n);
bool slices_step(const ast_node *n, int64_t *step); /* false: it is no integer that stands there */
bool slices_go_through(const rewriter *r, const ast_node *n); /* n is of elements: a + b, np.exp */
bool slices_stand_in(const ast_node *n);
uint32_t slices_most(const ast_node *n); /* the most dimensions of one that stands in n */
void slices_silence(ast_node *n);        /* of those in n infer_expr.c says nothing */
/* n, of which elements are taken, with the rows that stand in it as x[i, :]: x[i], where the
 * function has more indices behind x, and with `all` where nothing else in n is an array. */
ast_node *slices_rows(rewriter *r, ast_node *n, bool all);
/* How many indices more than n the function has behind its array, or has that where it is made. */
uint32_t slices_left(rewriter *r, const ast_node *n);
/* The most slices that n has in operators and functions of numbers. */
uint32_t slices_beside(const rewriter *r, const ast_node *n);
/* Elements of parameters of one dimension beside slices: with more they would be rows. */
void slices_mark_elements(const rewriter *r, ast_node *n);
/* n becomes name[parts, :], with so many slices. */
void slices_put(rewriter *r, ast_node *n, ast_node *name, ast_list *parts, uint32_t count);
void slices_take_apart(rewriter *r, ast_node *statement); /* x, y = points[i] */
/* The name that all indices are of, which parts get, from the left; NULL: there is none. */
ast_node *slices_parts(rewriter *r, ast_node *n, ast_list *parts);
void slices_join(rewriter *r, ast_node *n); /* x[i][:] becomes x[i, :] */
/* Of x r, what, and of what is written dims are set. False: there are no elements to be taken. */
bool slices_begin(slicing *x, ast_node **value);
ast_node *slices_whole(rewriter *r, ast_node *x, const char *what); /* x[:] */
/* What stands beside slices, too, as a slice of an array does, and is the number of the round;
 * whether n is, or has it in it. */
ast_node *slices_index(rewriter *r, const char *array, cpl_span span);
bool slices_is_index(const ast_node *n);
bool slices_has_index(const ast_node *n);
/* Each slice in n becomes its element of the round. */
void slices_take(slicing *x, ast_node *n);
bool slices_is_one(const ast_node *n); /* whether n is a slice of one dimension that can be taken */
/* Loops in place of n; the body of the innermost, empty. */
ast_list *slices_loop(slicing *x, ast_node *n);
/* An assignment to a slice becomes a loop over its elements. */
void rewrite_slices(rewriter *r, ast_node *statement);

/* row_writes.c */
/* acc += v of an array of the function's own, of all its elements; a list is none. */
void row_writes_all(rewriter *r, ast_node *statement);
bool row_writes(rewriter *r, ast_node *statement); /* true: all is done of it */

/* overlap.c */
/* The array that a name is of: of a row's, that which it is a row of. */
const char *overlap_array(const rewriter *r, const ast_node *name);
/* Whether something in n, a value that loops store in the target, is an element of its array that
 * other rounds write. */
bool overlap_is_read(rewriter *r, const ast_node *target, const ast_node *n);
/* How the loops run that store the value, where that is so; NULL: no order does. */
overlap *overlap_find(rewriter *r, const ast_node *target, ast_node *value);
bool overlap_is_free(const overlap *o); /* rounds may run at once */
/* Behind slices_take: what the loops need in front of them. */
void overlap_begin(slicing *x);
const char *overlap_round(const slicing *x, uint32_t k); /* the variable of loop k */
/* The index of loop k, where that is another variable. */
void overlap_place(const slicing *x, uint32_t k, const char *round, ast_list *body);
/* The body of the innermost loop, for an assignment of elements. */
void overlap_fill(const slicing *x, ast_list *to, ast_node *body);

/* How many indices the function asks of a name at most: 2 for x[i][j] and x.shape[1]. */
uint32_t rewrite_most_indices(rewriter *r, const char *name);

/* row_values.c */
void rewrite_row_values(rewriter *r); /* names of what is computed of rows */

/* rows.c */
void rewrite_find_rows(rewriter *r); /* names of rows, which become fn->rows */
bool rows_is_all(const ast_node *n); /* n is ":" */
ast_node *rows_parts(rewriter *r, ast_node *n, ast_list *parts, sema_view *view);
/* The row of a row: inner's indices are those that outer has left. */
sema_view rows_within(sema_view outer, sema_view inner);

/* row_call.c: whether an argument stands for an array */
sema_stands rows_stand(sema *s, ast_file *file, const row_pass *p);

/* folds.c */
/* sum(e), np.min(e) and their kin, of slices and whole arrays, become names: a loop in front of
 * the statement takes their elements together. */
void rewrite_fold(rewriter *r, ast_node *call);
/* Those along an axis, np.sum(m, axis=1), in a value that is stored in slices. */
typedef struct fold_along {
    ast_node *at;    /* in the place of the call */
    ast_node *value; /* whose elements are taken together */
    const void *fold;
    uint32_t dims, axis; /* of the value */
} fold_along;
typedef VEC(fold_along) fold_list;
void folds_take_out(slicing *x, ast_node **value, fold_list *out);
bool folds_read(const slicing *x, const fold_list *all); /* the array that is written */
/* Behind slices_take: each becomes what `inside`, statements for each round, computes. */
void folds_put(slicing *x, const fold_list *all, ast_list *inside);

#endif

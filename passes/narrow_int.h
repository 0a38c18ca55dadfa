/* What the files of pass narrow share. */
#ifndef CPL_NARROW_INT_H
#define CPL_NARROW_INT_H

#include "passes/pass_int.h"

/* of an integer's values, ends included; whole int64: anything, numbers past int64 too */
typedef struct narrow_range {
    int64_t lo, hi;
} narrow_range;

typedef struct narrow_fact { /* of an integer variable, wherever in its function: ir_var.user */
    narrow_range range;
    bool counter; /* of a loop */
    bool depends; /* on the variable of a loop */
    bool pinned;  /* keeps its type, whatever is assigned */
} narrow_fact;

typedef struct narrow {
    ir_module *m;
    bool entry; /* the function at hand is what launches run, and nothing else calls it */
    bool again; /* a variable got another type */
    bool changed;
} narrow;

/* narrow_range.c */
/* Sets the facts of all integer variables of a function. */
void narrow_facts_find(narrow *w, ir_func *f);
narrow_range narrow_range_of(const ir_node *n); /* of an integer or bool */
bool narrow_fits(const ir_node *n);             /* in int32, whatever its type */
bool narrow_depends(const ir_node *n);          /* on the variable of a loop */

#endif

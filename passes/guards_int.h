/* The two files of pass guards: integers in guards.c, floats in guards_float.c. */
#ifndef CPL_GUARDS_INT_H
#define CPL_GUARDS_INT_H

#include "passes/pass_int.h"

typedef struct guards {
    pass_rewriter r;
    cpl_span span; /* of the operation at hand */
    bool changed;
} guards;

/* guards_float.c */
/* floordiv or floormod of floats, its operands done */
ir_node *guards_floor_float(guards *g, ir_node *n);

#endif

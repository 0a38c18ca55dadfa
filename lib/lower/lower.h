/*
 * From typed functions to typed IR: every implicit conversion, evaluation order and hidden
 * parameter becomes explicit.
 */
#ifndef CPL_LOWER_H
#define CPL_LOWER_H

#include "lib/ir/ir.h"
#include "lib/sema/sema.h"

/* How an elementwise entry, and parallel loops that do not say it, deal out iterations. */
typedef struct lower_options {
    ir_schedule schedule;
    int64_t chunk;
    int32_t threads;
    bool flat; /* several indices are those of one loop over all elements, not of nested loops */
} lower_options;

/*
 * The module of a program; its entry is the function's own symbol. Never NULL; constructs that
 * cannot be lowered give errors.
 */
ir_module *lower_program(sema_program *p, const lower_options *options);

#endif

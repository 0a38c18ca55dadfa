/*
 * The reference interpreter of the typed IR: the referee for what every target computes. Slow and plain; parallel loops and forks run
 * in order on one thread. Pointers are host addresses.
 */
#ifndef CPL_INTERP_H
#define CPL_INTERP_H

#include "lib/ir/ir.h"

typedef struct interp_options {
    uint64_t max_steps; /* nodes evaluated before it gives up; 0: 10^9 */
    void *(*resolve)(void *user, const char *symbol); /* address of an extern function; may be NULL */
    void *user;
} interp_options;

/*
 * Runs a function of a verified module (before or after any pass). args[i] points to the value of the i-th parameter, in C layout;
 * result (may be NULL for void) receives the value. False after an error in the diags: a RAW op used where it is undefined, too many
 * steps, too deep recursion, an extern that cannot be called.
 */
bool interp_call(ir_module *m, ir_func *f, const void *const *args, void *result, const interp_options *options);

#endif

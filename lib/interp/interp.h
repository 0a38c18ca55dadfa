/*
 * The reference interpreter of the typed IR: the referee for what every target computes. Slow and
 * plain; parallel loops and forks run in order on one thread. Pointers are host addresses.
 */
#ifndef CPL_INTERP_H
#define CPL_INTERP_H

#include "lib/ir/ir.h"

typedef struct interp_options {
    uint64_t max_steps; /* nodes evaluated before it gives up; 0: 10^9 */
    /* address of an extern function; may be NULL */
    void *(*resolve)(void *user, const char *symbol);
    void *user;
    bool (*unwanted)(void); /* asked now and then: true ends it; may be NULL */
} interp_options;

/*
 * Runs a function of a verified module (before or after any pass). args[i] points to the value of
 * the i-th parameter, in C layout; result (may be NULL for void) receives the value. False after an
 * error in the diags: a RAW op used where it is undefined, too many steps, too deep recursion, an
 * extern that cannot be called; CPL_ECANCELLED where nobody wants it any more.
 */
bool interp_call(ir_module *m, ir_func *f, const void *const *args, void *result,
                 const interp_options *options);

/*
 * Launches a kernel over groups[0] * groups[1] * groups[2] groups of size[0] * size[1] * size[2]
 * work-items each, 1 to 1024; no groups: nothing runs. args as for interp_call, but of a pointer to
 * local memory args[i] points to an int64, the bytes it gets. max_steps counts for each work-item.
 * Sub-groups have 32 lanes, or as many as the group. Further errors: a barrier that not all
 * work-items of a group reach, lanes of a sub-group that run different operations; CPL_EARG for
 * what is no kernel, CPL_ELIMIT for other sizes.
 */
bool interp_launch(ir_module *m, ir_func *f, const int64_t groups[IR_DIMS],
                   const int32_t size[IR_DIMS], const void *const *args,
                   const interp_options *options);

#endif

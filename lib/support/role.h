/*
 * Roles of parameters: the IR says which parameters a launch fills in and with what, artifacts hand
 * that on to the runtime. And how large what they need is.
 */
#ifndef CPL_ROLE_H
#define CPL_ROLE_H

typedef enum param_role {
#define ROLE(id, word, of, once, kernel, type, doc) PARAM_##id,
#include "lib/support/role.def"
#undef ROLE
    PARAM_ROLE_COUNT
} param_role;

/*
 * A loop whose rounds are collected by blocks is cut in so many at most, each of which leaves a
 * part: by the passes reduce and tally on the host, by grid on devices in two kernels
 * (passes/grid_reduce.c), the first run by groups of so many work-items at most.
 */
enum { PARTS_MOST = 256, PARTS_GROUP = 256 };
_Static_assert((PARTS_GROUP & (PARTS_GROUP - 1)) == 0, "a group is joined by halves");

#endif

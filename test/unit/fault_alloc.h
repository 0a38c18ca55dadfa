/* Scenarios in which each request for memory fails in turn: fault_alloc.c runs them. */
#ifndef UNIT_FAULT_ALLOC_H
#define UNIT_FAULT_ALLOC_H

#include "fault.h"
#include "launches.h"

/* `act` runs with and without memory, over and over on one world, and checks its own results. */
typedef struct world {
    fault_heap heap;
    messages said;
    cpl_context *cx;
    cpl_module *m;
    char folder[64];
} world;

typedef struct scenario {
    const char *name; /* NULL: the last of a table */
    const char *text; /* of the module that act finds, or NULL */
    cpl_status (*act)(world *w);
    cpl_status expected; /* with memory */
    int opt_level;
    bool cache, tiers, checked, bare; /* bare: act makes the context itself */
    /* each round has a world of its own, since a kernel that is there asks for no memory */
    bool fresh;
} scenario;

extern const scenario fault_alloc_modules[], fault_alloc_launches[], fault_alloc_algorithms[];

static const char axpb[] = "from math import sin\n"
                           "def axpb(i, x, y, a, b):\n"
                           "    y[i] = a*sin(x[i]) + b\n";

#endif

/* A context whose diagnostics are kept, made anew for each test, and perhaps a module. */
#ifndef UNIT_WORLD_H
#define UNIT_WORLD_H

#include "unit.h"

#include "collect.h"

typedef struct world {
    messages said;
    cpl_context *cx;
    cpl_module *module; /* NULL, or the set-up's */
} world;

static inline int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.sink = collect;
    options.sink_user = &w->said;
    *state = w;
    return cpl_context_create(&options, &w->cx);
}

/* With a module. */
static inline int set_up_source(void **state, const char *name, const char *text)
{
    int status = set_up(state);
    world *w = *state;
    return status ? status
                  : (int)cpl_module_from_source(w->cx, name, text, strlen(text), &w->module);
}

/* Without quick code, so that each kernel is compiled once. */
static inline int set_up_one_tier(void **state)
{
    int status = set_up(state);
    world *w = *state;
    return status ? status : (int)cpl_context_set_option(w->cx, "tiers", 0);
}

/* Tests that go through all types have the optimiser at its best for some of them: with the others
 * it is the library's own code that is looked at. CPL_TEST_FULL=1 has it so for all. */
static inline void optimise_some(world *w, cpl_dtype d)
{
    bool best = d == CPL_UINT32 || d == CPL_FLOAT64 || test_rounds(0, 1);
    assert_int_equal(cpl_context_set_option(w->cx, "opt_level", best ? 3 : 1), CPL_OK);
}

static inline int tear_down(void **state)
{
    world *w = *state;
    cpl_module_release(w->module);
    cpl_context_release(w->cx);
    free(w);
    return 0;
}

/* Kernels that LLVM compiled so far. */
static inline uint64_t compiles(world *w)
{
    cpl_stats stats = {.size = sizeof stats};
    assert_int_equal(cpl_context_stats(w->cx, &stats), CPL_OK);
    return stats.compiles;
}

#endif

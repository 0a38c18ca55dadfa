/* What the programs for GPUs share: clock, diagnostics. */
#ifndef GPU_COMMON_H
#define GPU_COMMON_H

#include <cpl/cpl.h>

#include <stdio.h>
#include <time.h>

/* A diagnostic of the library's; user: the program's name. */
static inline void say(void *user, const cpl_diag *diag)
{
    char text[2048];
    cpl_diag_render(diag, text, sizeof text);
    fprintf(stderr, "%s: %s\n", (const char *)user, text);
}

/* A context that says so where something is wrong; program: the name in front. */
static inline cpl_status open_context(const char *program, cpl_context **cx)
{
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.sink = say;
    options.sink_user = (void *)program;
    return cpl_context_create(&options, cx);
}

/* For qsort: doubles, the least first. */
static inline int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

#endif

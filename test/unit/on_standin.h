/* The tests of devices on the stand-in driver: what their kernels do in C, as it runs no code, and
 * what must be true of the driver after each test. */
#ifndef UNIT_ON_STANDIN_H
#define UNIT_ON_STANDIN_H

#include "world.h"

#include "standin.h"

static inline void run_axpb(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    int64_t n = *(const int64_t *)args[0];
    const double *x = *(double *const *)args[1];
    double *y = *(double *const *)args[2], a = *(const double *)args[3];
    int32_t b = *(const int32_t *)args[4];
    for (int64_t i = 0; i < n; i++) y[i] = a * x[i] + b;
}

static inline void run_inc(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    int64_t n = *(const int64_t *)args[0];
    double *x = *(double *const *)args[1];
    for (int64_t i = 0; i < n; i++) x[i] += 1;
}

static inline void run_marks(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    int64_t n = *(const int64_t *)args[0];
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) (*(double *const *)args[1 + k])[i] += 1 << k;
}

static inline void bump(const double *x, double *y, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        y[i] = x[i] + 1;
        y[i] = y[i] + 2 * x[i];
    }
}

static inline void run_bumps(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    bump(*(double *const *)args[1], *(double *const *)args[2], *(const int64_t *)args[0]);
}

static inline void run_bumped(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    bump(*(double *const *)args[0], *(double *const *)args[1], *(const int32_t *)args[2]);
}

/* mapped, where f is t + 1 and n is 2 */
static inline void run_mapped(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    const double *x = *(double *const *)args[1];
    double *y = *(double *const *)args[2];
    for (int64_t i = 0; i < *(const int64_t *)args[0]; i++) y[i] = x[i] + 3;
}

static inline void open_standin(void)
{
    setenv("CPL_STANDIN_DEVICES", "2", 1);
    assert_true(standin_use());
    standin_reset();
    standin_register("axpb", run_axpb);
    standin_register("inc", run_inc);
    standin_register("marks", run_marks);
    standin_register("bumps", run_bumps);
    standin_register("bumped", run_bumped);
    standin_register("mapped", run_mapped);
}

static inline int close_standin(void **state)
{
    char live[256];
    int status = tear_down(state);
    if (standin_live_all()) print_error("%s left\n", standin_live_text(live, sizeof live));
    if (standin_misuses()) print_error("%s\n", standin_misuse());
    return status || standin_live_all() || standin_misuses();
}

#endif

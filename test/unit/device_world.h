/* The set-up of tests of devices: a context with a module of small kernels, made anew for each
 * test, on whatever devices there are, or with ON_STANDIN on those of the stand-in driver. */
#ifndef UNIT_DEVICE_WORLD_H
#define UNIT_DEVICE_WORLD_H

#include "world.h"

#ifdef ON_STANDIN
#include "on_standin.h"
#endif

#include <stdio.h>

static const char source[] = "from compyle.low_level import GID_0, LDIM_0, LID_0, local_barrier\n"
                             "def axpb(i, x, y, a, b):\n"
                             "    y[i] = a*x[i] + b\n"
                             "def inc(i, x):\n"
                             "    x[i] += 1\n"
                             "def shifted(i, x, k):\n"
                             "    x[i + k] = 1.0\n"
                             "def reverse(x, y, t, n):\n"
                             "    i = GID_0*LDIM_0 + LID_0\n"
                             "    t[LID_0] = x[i] if i < n else 0\n"
                             "    local_barrier()\n"
                             "    if i < n:\n"
                             "        y[i] = t[LDIM_0 - 1 - LID_0]\n"
                             "def bumps(i, x, y):\n"
                             "    y[i] = x[i] + 1\n"
                             "    y[i] = y[i] + 2*x[i]\n"
                             "def bumped(x, y, n):\n"
                             "    i = GID_0*LDIM_0 + LID_0\n"
                             "    if i < n:\n"
                             "        y[i] = x[i] + 1\n"
                             "        y[i] = y[i] + 2*x[i]\n"
                             "def marks(i, a, b, c, d):\n"
                             "    a[i] += 1\n"
                             "    b[i] += 2\n"
                             "    c[i] += 4\n"
                             "    d[i] += 8\n"
                             "def mapped(i, f, x, n, y):\n"
                             "    y[i] = f(x[i]) + n\n"
                             "def total(x, n):\n"
                             "    s = 0.0\n"
                             "    most = -1.0\n"
                             "    for i in prange(n):\n"
                             "        s += x[i]\n"
                             "        most = max(most, x[i])\n"
                             "    return s + 0.5*most\n"
                             "def hyp(a, b):\n"
                             "    return a*a + b*b\n";

#define OK(w, call) ok(w, call, #call, __LINE__)
static inline void ok(world *w, cpl_status status, const char *call, int line)
{
    if (status)
        print_error("line %d: %s: %s\n%s", line, call, cpl_status_message(status), w->said.text);
    assert_int_equal(status, CPL_OK);
}

static inline void forget(world *w)
{
    w->said.n = 0;
    w->said.text[0] = 0;
}

/* The call must fail with this status and say this. */
#define FAILS(w, call, status, part) fails(w, (forget(w), call), status, part, #call, __LINE__)
static inline void fails(world *w, cpl_status status, cpl_status expected, const char *part,
                         const char *call, int line)
{
    if (status != expected || !strstr(w->said.text, part))
        print_error("line %d: %s: %s\n%s", line, call, cpl_status_message(status), w->said.text);
    assert_int_equal(status, expected);
    assert_non_null(strstr(w->said.text, part));
}

/* Leaves a test whose kernels the stand-in cannot stand in for. */
static inline void needs_code(void)
{
#ifdef ON_STANDIN
    skip();
#endif
}

static inline int set_up_module(void **state)
{
#ifdef ON_STANDIN
    open_standin();
#endif
    return set_up_source(state, "device.py", source);
}

static inline int tear_down_module(void **state)
{
#ifdef ON_STANDIN
    return close_standin(state);
#else
    return tear_down(state);
#endif
}

static inline cpl_device_info info_of(const cpl_device *d)
{
    cpl_device_info info = {.size = sizeof info};
    assert_int_equal(cpl_device_info_get(d, &info), CPL_OK);
    return info;
}

static inline bool is_host(const cpl_device *d)
{
    return info_of(d).kind == CPL_DEVICE_HOST;
}

#define EACH_DEVICE(w, d)                                                                          \
    for (size_t d##_i = 0; d##_i < cpl_device_count((w)->cx); d##_i++)                             \
        for (cpl_device *d = cpl_device_get((w)->cx, d##_i); d; d = NULL)

enum { N = 10007 };

/* An array with these elements. */
static inline cpl_array *on_device(world *w, cpl_device *d, cpl_dtype type, const void *from,
                                   int64_t n)
{
    cpl_array *a;
    OK(w, cpl_array_create(w->cx, d, type, n, &a));
    OK(w, cpl_array_write(a, NULL, from, NULL));
    return a;
}

/* An array of N doubles first, first + step, ... */
static inline cpl_array *ramp(world *w, cpl_device *d, double first, double step)
{
    cpl_array *a;
    double *values = malloc(N * sizeof *values);
    for (int i = 0; i < N; i++) values[i] = first + step * i;
    OK(w, cpl_array_create(w->cx, d, CPL_FLOAT64, N, &a));
    OK(w, cpl_array_write(a, NULL, values, NULL));
    free(values); /* write is done with it */
    return a;
}

static inline void expect_ramp(world *w, cpl_array *a, double first, double step)
{
    double *values = calloc(N, sizeof *values);
    OK(w, cpl_array_read(a, NULL, values, NULL));
    for (int i = 0; i < N; i++)
        if (values[i] != first + step * i) {
            print_error("element %d is %g, not %g\n", i, values[i], first + step * i);
            fail();
        }
    free(values);
}

#endif

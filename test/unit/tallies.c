/* Atomic sums into short arrays, which a launch collects in private ones: the same numbers,
 * whatever the arguments are. */
#include "world.h"
#include "launches.h"

#include <stdio.h>

static cpl_module *module(world *w)
{
    static const char text[] =
        "def hist(i, values, counts):\n    atomic_inc(counts[values[i]])\n"
        "def moved(i, values, counts):\n    j = values[i]\n    if j > 2:\n        j = j - 1\n"
        "    atomic_inc(counts[j])\n"
        "def sums(i, values, counts):\n    if values[i] % 3 != 0:\n        "
        "atomic_add(counts[values[i]], values[i])\n"
        "    for k in range(i % 3):\n        atomic_dec(counts[k])\n"
        "def own(i, counters, counts, seen):\n    atomic_inc(counts[i % "
        "1000])\n    seen[i] = counters[i % 1000]\n";
    cpl_module *m = NULL;
    assert_int_equal(cpl_module_from_source(w->cx, "kernel.py", text, strlen(text), &m), CPL_OK);
    return m;
}

enum { MOST = 100000, COUNTERS = 5000 };
static int32_t values[MOST], counts[COUNTERS], expected[COUNTERS];

static void fill(int32_t below)
{
    uint32_t x = 12345;
    for (int i = 0; i < MOST; i++)
        values[i] = (int32_t)((x = x * 1664525 + 1013904223) >> 8) % below;
    for (int i = 0; i < COUNTERS; i++) counts[i] = expected[i] = INT32_MAX - i; /* sums wrap */
}

static void expect(const char *function, int n)
{
    for (int i = 0; i < n; i++) {
        uint32_t *e = (uint32_t *)expected;
        if (strcmp(function, "sums") != 0) {
            e[values[i] - (strcmp(function, "moved") == 0 && values[i] > 2)]++;
            continue;
        }
        if (values[i] % 3 != 0) e[values[i]] += (uint32_t)values[i];
        for (int k = 0; k < i % 3; k++) e[k]--;
    }
}

static void launch(cpl_module *m, const char *function, int n, int length)
{
    fill(length);
    expect(function, n);
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, values, MOST),
                      cpl_arg_array(CPL_INT32, counts, length)};
    assert_int_equal(launch_rounds(m, function, NULL, args, 2, n, NULL), CPL_OK);
    assert_memory_equal(counts, expected, sizeof counts);
}

/* Around the sizes at which blocks begin to pay, and at which the array is too long for them. */
static void any_size(void **state)
{
    world *w = *state;
    cpl_module *m = module(w);
    static const int rounds[] = {0, 1, 100, 4095, 4096, 4097, 8192, 16 * 2048 - 1, 16 * 2048, MOST},
                     lengths[] = {3, 255, 256, 257, 2047, 2048, 2049, COUNTERS};
    for (size_t r = 0; r < sizeof rounds / sizeof *rounds; r++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            launch(m, "hist", rounds[r], lengths[l]);
            launch(m, "sums", rounds[r], lengths[l]);
            launch(m, "moved", rounds[r], lengths[l]);
        }
    assert_int_equal(compiles(w), 3);
    cpl_module_release(m);
}

static void any_option(void **state)
{
    world *w = *state;
    static const struct {
        const char *name;
        int64_t value;
    } options[] = {{"bounds_check", 1}, {"opt_level", 0}, {"simd", 2},  {"num_threads", 3},
                   {"schedule", 1},     {"in_order", 1},  {"facts", 2}, {"facts", 0}};
    cpl_module *m = module(w);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        assert_int_equal(cpl_context_set_option(w->cx, options[i].name, options[i].value), CPL_OK);
        launch(m, "sums", 50000, 1000);
    }
    cpl_module_release(m);
}

/* An index out of range is dropped and reported, never counted elsewhere. */
static void checked(void **state)
{
    world *w = *state;
    assert_int_equal(cpl_context_set_option(w->cx, "bounds_check", 1), CPL_OK);
    cpl_module *m = module(w);
    fill(1000);
    expect("hist", 50000);
    expected[values[777]]--;
    values[777] = 1000;
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, values, MOST),
                      cpl_arg_array(CPL_INT32, counts, 1000)};
    assert_int_equal(launch_rounds(m, "hist", NULL, args, 2, 50000, NULL), CPL_EBOUNDS);
    assert_memory_equal(counts, expected, sizeof counts);
    cpl_module_release(m);
}

/* Counters that are read as values, too: a round sees what it counted itself, and partly
 * overlapping arguments are gone through in order. */
static void shared(void **state)
{
    world *w = *state;
    cpl_module *m = module(w);
    enum { N = 5000, LENGTH = 1000 };
    static int32_t seen[N], plain[N + 1];
    fill(LENGTH);
    memset(counts, 0, sizeof counts);
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, counts, LENGTH),
                      cpl_arg_array(CPL_INT32, counts, LENGTH), cpl_arg_array(CPL_INT32, seen, N)};
    assert_int_equal(launch_rounds(m, "own", NULL, args, 3, N, NULL), CPL_OK);
    for (int i = 0; i < N; i++) assert_in_range(seen[i], 1, N / LENGTH);
    for (int i = 0; i < LENGTH; i++) assert_int_equal(counts[i], N / LENGTH);
    assert_int_equal(compiles(w), 2); /* the launch's own, and the one for shared arrays */
    for (int i = 0; i < N; i++) values[i] = i * 7 % 100;
    memcpy(plain, values, sizeof plain);
    for (int i = 0; i < N; i++) plain[1 + plain[i]]++;
    cpl_arg crossing[] = {cpl_arg_array(CPL_INT32, values, N),
                          cpl_arg_array(CPL_INT32, values + 1, N)};
    assert_int_equal(launch_rounds(m, "hist", NULL, crossing, 2, N, NULL), CPL_OK);
    assert_memory_equal(values, plain, sizeof plain);
    cpl_module_release(m);
}

/* A caller of the function itself gives no lengths. */
static void held_kernel(void **state)
{
    world *w = *state;
    cpl_module *m = module(w);
    cpl_kernel *k;
    fill(100);
    expect("hist", 20000);
    expect("hist", 20000);
    expect("hist", 20000);
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, values, MOST),
                      cpl_arg_array(CPL_INT32, counts, 100)};
    assert_int_equal(rounds_kernel(m, "hist", args, 2, &k), CPL_OK);
    assert_int_equal(run_rounds(k, NULL, args, 2, 20000, NULL), CPL_OK);
    assert_string_equal(cpl_kernel_signature(k),
                        "void hist(int64_t n, const int32_t *values, int32_t *counts)");
    assert_null(cpl_kernel_parameter(k, 3, NULL));
    void *address = cpl_kernel_address(k);
    void (*hist)(int64_t n, int32_t *x, int32_t *y);
    memcpy(&hist, &address, sizeof hist);
    for (int i = 0; i < 2; i++) hist(20000, values, counts);
    assert_memory_equal(counts, expected, sizeof counts);
    cpl_kernel_release(k);
    cpl_module_release(m);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(any_size, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(any_option, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(checked, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(shared, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(held_kernel, set_up_one_tier, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Launches with small arrays run code that computes in 32 bits, larger ones the code that is right
 * for all. */
#include "world.h"
#include "launches.h"

#include <stdio.h>
#include <sys/mman.h>

static cpl_module *module(world *w)
{
    static const char text[] =
        "def half(i, x, y):\n    y[i] = (len(x) - i) // 2\n" /* computes in 32 bits if it may */
        "def copy(i, x, y):\n    y[i] = len(x) - i\n"        /* has nothing to gain */
        "def fifth(i, x, y):\n    if i % 1073741824 == 5:\n        x[i] = (i // 1000000007) % 128\n"
        "def shift(i, x, y):\n    x[i + 1] = x[i] + i // 3 + min(y[0], 0)\n"
        "def total(x, n):\n    s = 0.0\n    for i in range(n):\n        s += (len(x) - i) // 2\n   "
        " return s\n";
    cpl_module *m = NULL;
    assert_int_equal(cpl_module_from_source(w->cx, "kernel.py", text, strlen(text), &m), CPL_OK);
    return m;
}

/* Memory that is there when it is touched. */
static int8_t *map(int64_t n)
{
    void *p = mmap(NULL, (size_t)n, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

enum { N = 5 };
static const int64_t edge = INT64_C(1) << 31, more = (INT64_C(1) << 31) + 7,
                     large = (INT64_C(1) << 32) + 1;

static void launch(cpl_module *m, const char *function, int8_t *x, int64_t length)
{
    int64_t y[N] = {0};
    cpl_arg args[] = {cpl_arg_array(CPL_INT8, x, length), cpl_arg_array(CPL_INT64, y, N)};
    assert_int_equal(launch_rounds(m, function, NULL, args, 2, N, NULL), CPL_OK);
    bool halves = strcmp(function, "half") == 0;
    for (int64_t i = 0; i < N; i++) assert_int_equal(y[i], halves ? (length - i) / 2 : length - i);
}

static void small_first(void **state)
{
    world *w = *state;
    int8_t *x = map(large);
    if (!x) skip();
    cpl_module *m = module(w);
    launch(m, "half", x, 100);
    launch(m, "half", x, edge - 1);
    assert_int_equal(compiles(w), 1);
    launch(m, "half", x, edge);
    assert_int_equal(compiles(w), 2);
    launch(m, "half", x, more);
    launch(m, "half", x, large);
    launch(m, "half", x, 1000);
    assert_int_equal(compiles(w), 2);
    cpl_module_release(m);
    munmap(x, (size_t)large);
}

/* Then the code for all is what is made first, and small arrays get theirs when they come. */
static void large_first(void **state)
{
    world *w = *state;
    int8_t *x = map(large);
    if (!x) skip();
    cpl_module *m = module(w);
    launch(m, "half", x, large);
    launch(m, "half", x, more);
    assert_int_equal(compiles(w), 1);
    launch(m, "half", x, 100);
    assert_int_equal(compiles(w), 2);
    launch(m, "half", x, large);
    launch(m, "half", x, 100);
    assert_int_equal(compiles(w), 2);
    cpl_module_release(m);
    munmap(x, (size_t)large);
}

/* A kernel that computes nothing in 32 bits is there once. */
static void one_version(void **state)
{
    world *w = *state;
    int8_t *x = map(large);
    if (!x) skip();
    cpl_module *m = module(w);
    launch(m, "copy", x, 100);
    launch(m, "copy", x, large);
    assert_int_equal(compiles(w), 1);
    cpl_module_release(m);
    munmap(x, (size_t)large);
}

static void turned_off(void **state)
{
    world *w = *state;
    int8_t *x = map(large);
    if (!x) skip();
    assert_int_equal(cpl_context_set_option(w->cx, "facts", 2), CPL_OK);
    cpl_module *m = module(w);
    launch(m, "half", x, 100);
    launch(m, "half", x, large);
    assert_int_equal(compiles(w), 1);
    assert_int_equal(cpl_context_set_option(w->cx, "facts", 8), CPL_EARG);
    cpl_module_release(m);
    munmap(x, (size_t)large);
}

/* A launch of more than 2^31 rounds. */
static void many_rounds(void **state)
{
    world *w = *state;
    int8_t *x = map(more);
    if (!x) skip();
    cpl_module *m = module(w);
    int64_t none = 0;
    cpl_arg args[] = {cpl_arg_array(CPL_INT8, x, 1000), cpl_arg_array(CPL_INT64, &none, 1)};
    assert_int_equal(launch_rounds(m, "fifth", NULL, args, 2, 6, NULL), CPL_OK);
    x[5] = 77;
    args[0].length = more;
    assert_int_equal(launch_rounds(m, "fifth", NULL, args, 2, CPL_AUTO, NULL), CPL_OK);
    assert_int_equal(x[5], 0);
    assert_int_equal(x[1073741824 + 5], 1);
    assert_int_equal(x[2 * INT64_C(1073741824) + 5], 2);
    assert_int_equal(x[more - 1], 0);
    cpl_module_release(m);
    munmap(x, (size_t)more);
}

/* Overlapping and large at once; and a kernel that the caller holds. */
static void in_order_too(void **state)
{
    world *w = *state;
    int8_t *x = map(large);
    if (!x) skip();
    cpl_module *m = module(w);
    for (int i = 0; i < 2; i++) {
        int8_t *y = x + 3;
        memset(x, 1, 20);
        cpl_arg args[] = {cpl_arg_array(CPL_INT8, x, i ? large : 20),
                          cpl_arg_array(CPL_INT8, y, 10)};
        assert_int_equal(launch_rounds(m, "shift", NULL, args, 2, 12, NULL), CPL_OK);
        int expected = 1;
        for (int k = 0; k < 12; k++) assert_int_equal(x[k + 1], expected += k / 3);
        /* the launch's own, the one in order, the one in order for all sizes */
        assert_int_equal(compiles(w), i ? 3 : 2);
    }
    cpl_module_release(m);
    munmap(x, (size_t)large);
}

static void held_kernel(void **state)
{
    world *w = *state;
    int8_t *x = map(large);
    if (!x) skip();
    cpl_module *m = module(w);
    int64_t y[N];
    cpl_kernel *k;
    cpl_arg args[] = {cpl_arg_array(CPL_INT8, x, 100), cpl_arg_array(CPL_INT64, y, N)};
    assert_int_equal(rounds_kernel(m, "half", args, 2, &k), CPL_OK);
    args[0].length = large;
    assert_int_equal(run_rounds(k, NULL, args, 2, N, NULL), CPL_OK);
    assert_int_equal(y[2], (large - 2) / 2);
    assert_int_equal(compiles(w), 2);
    /* its address is for any arguments */
    void *address = cpl_kernel_address(k);
    void (*half)(int64_t n, int8_t *x, int64_t *y, int64_t x_len, int64_t y_len);
    memcpy(&half, &address, sizeof half);
    half(N, x, y, large + 2, N);
    assert_int_equal(y[2], large / 2);
    assert_int_equal(compiles(w), 2);
    cpl_kernel_release(k);
    cpl_module_release(m);
    munmap(x, (size_t)large);
}

static void plain_calls(void **state)
{
    world *w = *state;
    int8_t *x = map(large);
    if (!x) skip();
    cpl_module *m = module(w);
    for (int i = 0; i < 2; i++) {
        int64_t length = i ? large : 100;
        double sum = 0;
        cpl_arg args[] = {cpl_arg_array(CPL_INT8, x, length), cpl_arg_int(4)};
        assert_int_equal(call_once(m, "total", args, 2, &sum, NULL), CPL_OK);
        int64_t expected = 0;
        for (int64_t k = 0; k < 4; k++) expected += (length - k) / 2;
        assert_true(sum == (double)expected);
    }
    cpl_module_release(m);
    munmap(x, (size_t)large);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(small_first, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(large_first, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(one_version, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(turned_off, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(many_rounds, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(in_order_too, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(held_kernel, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(plain_calls, set_up_one_tier, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Algorithms over more than 2^31 elements, which are computed or zeros that are one page: they need
 * no memory. */
#include "device_world.h"
#include "launches.h"
#include "libomp_leaks.h"

#include <cpl/gather.h>
#include <cpl/numeric.h>

#include <sys/mman.h>

#define FAR ((int64_t)1 << 31)
enum { MORE = 5003 };

/* Items from the last one below 2^31 on. */
static const char kernels[] = "def far(i, item, prev_item, last_item, N, out):\n"
                              "    if i >= 2147483647:\n"
                              "        out[i - 2147483647] = item\n";

static int set_up_kernels(void **state)
{
    return set_up_source(state, "far.py", kernels);
}

static cpl_launch_options far_rounds(world *w)
{
    OK(w, cpl_context_set_option(w->cx, "tiers", 0));
    return rounds_on(NULL, FAR + MORE, NULL);
}

static void reductions(void **state)
{
    world *w = *state;
    int64_t got = 0;
    cpl_reduce_spec s;
    cpl_reduce_spec_init(&s);
    s.op = cpl_bind_expression("a + b");
    s.map = cpl_bind_expression("lambda i: i >> 31");
    cpl_launch_options o = far_rounds(w);
    o.result = &got;
    OK(w, cpl_reduce(w->module, &s, &o, NULL, NULL, 0));
    assert_int_equal(got, MORE);
    s.op = cpl_bind_expression("max(a, b)");
    s.map = cpl_bind_expression("lambda i: i");
    OK(w, cpl_reduce(w->module, &s, &o, NULL, NULL, 0));
    assert_int_equal(got, FAR + MORE - 1);
}

static void scans(void **state)
{
    world *w = *state;
    static int64_t out[MORE + 1];
    cpl_scan_spec s;
    cpl_scan_spec_init(&s);
    s.op = cpl_bind_expression("a + b");
    s.input = cpl_bind_expression("lambda i, out: i & 1");
    s.output = cpl_bind_function("far");
    cpl_arg to = cpl_arg_array(CPL_INT64, out, MORE + 1);
    cpl_launch_options o = far_rounds(w);
    OK(w, cpl_scan(w->module, &s, &o, &to, 1));
    for (int64_t k = 0; k <= MORE; k++) assert_int_equal(out[k], FAR / 2 + k / 2);
}

/* The second one begins behind 2^31. */
static void segments(void **state)
{
    world *w = *state;
    int64_t borders[] = {0, FAR + 2, FAR + MORE}, out[2];
    cpl_arg at = cpl_arg_array(CPL_INT64, borders, 3), to = cpl_arg_array(CPL_INT64, out, 2);
    cpl_reduce_spec s;
    cpl_segments g;
    cpl_reduce_spec_init(&s);
    cpl_segments_init(&g);
    s.op = cpl_bind_expression("max(a, b)");
    s.map = cpl_bind_expression("lambda i: -i");
    g.offsets = &at;
    g.out = &to;
    cpl_launch_options o = far_rounds(w);
    OK(w, cpl_reduce_segments(w->module, &s, &o, &g, NULL, 0));
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], -(FAR + 2));
}

static void histograms(void **state)
{
    world *w = *state;
    int64_t out[4];
    cpl_arg to = cpl_arg_array(CPL_INT64, out, 4);
    cpl_histogram_spec s;
    cpl_histogram_spec_init(&s);
    s.bin = cpl_bind_expression("lambda i: i >> 30");
    cpl_launch_options o = far_rounds(w);
    OK(w, cpl_histogram(w->module, &s, &o, &to, NULL, 0));
    assert_int_equal(out[0], FAR / 2);
    assert_int_equal(out[1], FAR / 2);
    assert_int_equal(out[2], MORE);
    assert_int_equal(out[3], 0);
}

static void runs(void **state)
{
    world *w = *state;
    int64_t out[4] = {0}, keys[4] = {0}, number = 0;
    cpl_arg to = cpl_arg_array(CPL_INT64, out, 4), of = cpl_arg_array(CPL_INT64, keys, 4);
    cpl_reduce_spec s;
    cpl_runs r;
    cpl_reduce_spec_init(&s);
    cpl_runs_init(&r);
    s.op = cpl_bind_expression("a + b");
    s.map = cpl_bind_expression("lambda i: 1");
    r.key = cpl_bind_expression("lambda i: i >> 31");
    r.out = &to;
    r.keys = &of;
    cpl_launch_options o = far_rounds(w);
    o.result = &number;
    OK(w, cpl_reduce_by_key(w->module, &s, &o, &r, NULL, 0));
    assert_int_equal(number, 2);
    assert_int_equal(out[0], FAR);
    assert_int_equal(out[1], MORE);
    assert_int_equal(keys[1], 1);
}

/* Reads without writing: zeros but for the first and the last elements. */
static void arrays(void **state)
{
    world *w = *state;
    const size_t size = (size_t)FAR + MORE + 1; /* even */
    int8_t *x = mmap(NULL, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (x == MAP_FAILED) skip();
    x[0] = 3;
    x[size - 2] = 40;
    x[size - 1] = 50;
    int64_t got[2];
    cpl_array *flat, *pairs, *out = NULL;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = CPL_INT8;
    o.dims = 1;
    o.shape[0] = (int64_t)size;
    OK(w, cpl_array_wrap(w->cx, NULL, &o, x, &flat));
    OK(w, cpl_array_sum(flat, CPL_ALL_AXES, NULL, &out));
    OK(w, cpl_array_read(out, NULL, got, NULL));
    assert_int_equal(got[0], 93);
    cpl_array_release(out);
    out = NULL;
    o.dims = 2;
    o.shape[0] = (int64_t)size / 2;
    o.shape[1] = 2;
    OK(w, cpl_array_view(flat, &o, &pairs));
    OK(w, cpl_array_sum(pairs, 1, NULL, &out));
    OK(w, cpl_array_read(out, NULL, got, NULL));
    assert_int_equal(got[0], 43);
    assert_int_equal(got[1], 50);
    cpl_array_release(out);
    cpl_array_release(pairs);
    cpl_array_release(flat);
    munmap(x, size);
}

/* The numbers of the elements from the last one below 2^31 on. */
static void compactions(void **state)
{
    world *w = *state;
    static int64_t order[MORE + 1];
    int64_t number = 0;
    cpl_arg to = cpl_arg_array(CPL_INT64, order, MORE + 1);
    cpl_choice c;
    cpl_choice_init(&c);
    c.condition = cpl_bind_expression("lambda i: i >= 2147483647");
    c.order = &to;
    cpl_launch_options o = far_rounds(w);
    o.result = &number;
    OK(w, cpl_compact(w->module, &c, &o, NULL, 0));
    assert_int_equal(number, MORE + 1);
    for (int64_t k = 0; k <= MORE; k++) assert_int_equal(order[k], FAR - 1 + k);
    cpl_arg few = cpl_arg_array(CPL_INT32, order, 1);
    c.order = &few;
    FAILS(w, cpl_compact(w->module, &c, &o, NULL, 0), CPL_EARG, "which are no int32");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(reductions), TEST(scans),  TEST(segments),    TEST(histograms),
        TEST(runs),       TEST(arrays), TEST(compactions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

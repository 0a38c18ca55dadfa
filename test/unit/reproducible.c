/*
 * The option reproducible: the same bits of sums whatever the CPU, the number of threads and the
 * device.
 */
#include "device_world.h"
#include "launches.h"
#include "libomp_leaks.h"

#include <cpl/algorithm.h>
#include <cpl/numeric.h>

static const char kernels[] = "def squares(x, n):\n"
                              "    s = 0.0\n"
                              "    for i in prange(n):\n"
                              "        s += x[i]*x[i] + x[n - 1 - i]\n"
                              "    return s\n"
                              "def weighed(i, x):\n"
                              "    return x[i]*x[i] + 0.1*x[i]\n";

enum { MANY = 100003 };
typedef struct sums {
    float reduced, last;
    double summed;
} sums;

static int set_up_kernels(void **state)
{
    int status = set_up_source(state, "sums.py", kernels);
    world *w = *state;
    return status ? status : (int)cpl_context_set_option(w->cx, "reproducible", 1);
}

static void fill(float *x)
{
    for (int i = 0; i < MANY; i++) x[i] = 1.0F / (float)(i * 7919 % 1009 + 1);
}

static void reduce(world *w, cpl_queue *q, cpl_arg x, bool called, float *to)
{
    cpl_reduce_spec s;
    cpl_reduce_spec_init(&s);
    s.op = cpl_bind_expression("a + b");
    s.map = cpl_bind_expression("lambda i, x: x[i]*x[i] + 0.1*x[i]");
    if (called) s.map = cpl_bind_function("weighed");
    cpl_arg place = cpl_arg_array(CPL_FLOAT32, to, 1);
    OK(w, cpl_type_parse(w->cx, "float32", &s.type));
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, q);
    o.result = place.data;
    OK(w, cpl_reduce(w->module, &s, &o, NULL, &x, 1));
}

static void scan(world *w, cpl_queue *q, cpl_arg x, cpl_arg items)
{
    cpl_scan_spec s;
    cpl_scan_spec_init(&s);
    s.op = cpl_bind_expression("a + b");
    s.input = cpl_bind_expression("lambda i, x, y: x[i]*x[i] + 0.1*x[i]");
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, q);
    cpl_arg args[] = {x, items};
    OK(w, cpl_scan(w->module, &s, &o, args, 2));
}

static void sum(world *w, cpl_queue *q, cpl_arg x, sums *to)
{
    cpl_launch_options o = options_of(CPL_FORM_FUNCTION, q);
    cpl_arg args[] = {x, cpl_arg_int(MANY)};
    o.result = &to->summed;
    OK(w, cpl_launch(w->module, "squares", &o, args, 2));
}

static sums sums_here(world *w, float *x)
{
    sums s = {0};
    float *items = calloc(MANY, sizeof *items);
    cpl_arg in = cpl_arg_array(CPL_FLOAT32, x, MANY);
    reduce(w, NULL, in, false, &s.reduced);
    scan(w, NULL, in, cpl_arg_array(CPL_FLOAT32, items, MANY));
    sum(w, NULL, in, &s);
    s.last = items[MANY - 1];
    free(items);
    return s;
}

static void check(const sums *got, const sums *expected)
{
    assert_memory_equal(&got->reduced, &expected->reduced, sizeof got->reduced);
    assert_memory_equal(&got->last, &expected->last, sizeof got->last);
    assert_memory_equal(&got->summed, &expected->summed, sizeof got->summed);
}

static void on_every_cpu(void **state)
{
    world *w = *state;
    static const int64_t threads[] = {1, 2, 3, 8};
    float *x = malloc(MANY * sizeof *x);
    fill(x);
    sums first = sums_here(w, x);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
        for (int64_t level = 1; level <= 3; level++) {
            OK(w, cpl_context_set_option(w->cx, "num_threads", threads[t]));
            OK(w, cpl_context_set_option(w->cx, "cpu_level", level));
            sums here = sums_here(w, x);
            check(&here, &first);
        }
    free(x);
}

static void on_every_device(void **state)
{
    world *w = *state;
    float *x = malloc(MANY * sizeof *x);
    fill(x);
    sums here = sums_here(w, x);
    EACH_DEVICE(w, device)
    {
        sums there = {0};
        float called;
        float *items = malloc(MANY * sizeof *items);
        cpl_queue *q = cpl_device_queue(device);
        cpl_array *in, *out;
        OK(w, cpl_array_create(w->cx, device, CPL_FLOAT32, MANY, &in));
        OK(w, cpl_array_create(w->cx, device, CPL_FLOAT32, MANY, &out));
        OK(w, cpl_array_write(in, q, x, NULL));
        reduce(w, q, cpl_arg_of_array(in), false, &there.reduced);
        reduce(w, q, cpl_arg_of_array(in), true, &called);
        scan(w, q, cpl_arg_of_array(in), cpl_arg_of_array(out));
        sum(w, q, cpl_arg_of_array(in), &there);
        OK(w, cpl_array_read(out, q, items, NULL));
        there.last = items[MANY - 1];
        check(&there, &here);
        assert_memory_equal(&called, &here.reduced, sizeof called);
        cpl_array_release(in);
        cpl_array_release(out);
        free(items);
    }
    free(x);
}

/* More elements than the host would have pieces for. */
static void of_many(void **state)
{
    enum { FAR = 3000017 };
    world *w = *state;
    float *x = malloc(FAR * sizeof *x), here, there;
    for (int i = 0; i < FAR; i++) x[i] = 1.0F / (float)(i % 1009 + 1);
    reduce(w, NULL, cpl_arg_array(CPL_FLOAT32, x, FAR), false, &here);
    EACH_DEVICE(w, device)
    {
        cpl_queue *q = cpl_device_queue(device);
        cpl_array *in;
        OK(w, cpl_array_create(w->cx, device, CPL_FLOAT32, FAR, &in));
        OK(w, cpl_array_write(in, q, x, NULL));
        reduce(w, q, cpl_arg_of_array(in), false, &there);
        assert_memory_equal(&there, &here, sizeof there);
        cpl_array_release(in);
    }
    free(x);
}

/* Mathematics of the library's own is larger than what a kernel may have many copies of. */
static void of_functions(void **state)
{
    world *w = *state;
    static const char *const targets[] = {"opencl:c1.2", "cuda:sm_80"};
    static const char *const maps[] = {"lambda i, x: sin(x[i])", "lambda i, x: x[i]**1.5"};
    static double numbers[MANY], got;
    cpl_arg x = cpl_arg_array(CPL_FLOAT64, numbers, MANY);
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
        for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
            cpl_kernels found = {.target = targets[t]};
            cpl_reduce_spec s;
            cpl_reduce_spec_init(&s);
            s.op = cpl_bind_expression("a + b");
            s.map = cpl_bind_expression(maps[m]);
            cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
            o.kernels = &found;
            o.result = &got;
            OK(w, cpl_reduce(w->module, &s, &o, NULL, &x, 1));
            assert_int_equal(found.count, 2);
            for (size_t i = 0; i < found.count; i++) cpl_kernel_release(found.kernels[i]);
        }
}

/* --- the kernels of algorithms --- */

enum { REDUCE, IN_ORDER, SCAN, SEGMENTED_SCAN, SEGMENTS, RUNS, ALGORITHMS };

/* Those of sums of many float32, as text. */
static void kernels_of(world *w, int algorithm, const char *target, char *names, size_t size)
{
    static float x[MANY], y[MANY];
    static int32_t k[MANY];
    cpl_kernels found = {.target = target};
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    const cpl_arg of_x = cpl_arg_array(CPL_FLOAT32, x, MANY),
                  of_y = cpl_arg_array(CPL_FLOAT32, y, MANY),
                  of_k = cpl_arg_array(CPL_INT32, k, MANY), both[] = {of_x, of_y},
                  keyed[] = {of_k, of_x};
    cpl_reduce_spec sum;
    cpl_reduce_spec_init(&sum);
    sum.op = cpl_bind_expression(algorithm == IN_ORDER ? "a + b if True else a" : "a + b");
    sum.neutral = cpl_bind_expression("0");
    cpl_scan_spec running;
    cpl_scan_spec_init(&running);
    running.op = cpl_bind_expression("a + b");
    if (algorithm == SEGMENTED_SCAN)
        running.segment = cpl_bind_expression("lambda i, x, y: i % 7 == 0");
    cpl_segments segments;
    cpl_segments_init(&segments);
    segments.offsets = &of_k;
    const cpl_arg of_each = cpl_arg_array(CPL_FLOAT32, y, MANY - 1);
    segments.out = &of_each;
    cpl_runs runs;
    cpl_runs_init(&runs);
    runs.out = &of_y;
    float result;
    int64_t number;
    o.kernels = &found;
    o.result = algorithm == RUNS ? (void *)&number : &result;
    switch (algorithm) {
    case REDUCE:
    case IN_ORDER: OK(w, cpl_reduce(w->module, &sum, &o, NULL, &of_x, 1)); break;
    case SCAN:
    case SEGMENTED_SCAN: OK(w, cpl_scan(w->module, &running, &o, both, 2)); break;
    case SEGMENTS: OK(w, cpl_reduce_segments(w->module, &sum, &o, &segments, &of_x, 1)); break;
    default: OK(w, cpl_reduce_by_key(w->module, &sum, &o, &runs, keyed, 2)); break;
    }
    size_t n = 0;
    for (size_t i = 0; i < found.count; i++) {
        n += (size_t)snprintf(names + n, n < size ? size - n : 0, "%s ",
                              cpl_kernel_function(found.kernels[i]));
        cpl_kernel_release(found.kernels[i]);
    }
    assert_true(n < size);
}

/* What groups do together in an order of their own is not asked for. */
static void by_no_tiles(void **state)
{
    static const char *const targets[] = {"cuda:sm_80", "cuda:sm_90"};
    world *w = *state;
    char same[300], pieces[300], tiles[300];
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
        for (int a = 0; a < ALGORITHMS; a++) {
            OK(w, cpl_context_set_option(w->cx, "precise", 0));
            OK(w, cpl_context_set_option(w->cx, "reproducible", 1));
            kernels_of(w, a, targets[t], same, sizeof same);
            OK(w, cpl_context_set_option(w->cx, "reproducible", 0));
            kernels_of(w, a, targets[t], tiles, sizeof tiles);
            OK(w, cpl_context_set_option(w->cx, "tiles", 0));
            kernels_of(w, a, targets[t], pieces, sizeof pieces);
            OK(w, cpl_context_set_option(w->cx, "tiles", 1));
            if (strcmp(same, pieces))
                fail_msg("%s, algorithm %d: %s, not %s", targets[t], a, same, pieces);
            if (a != SEGMENTS) assert_string_not_equal(tiles, pieces); /* those have none */
        }
}

/* Nor is it for rows, whatever tiles may be asked for. */
static void rows_by_no_tiles(void **state)
{
    enum { ROWS = 3 };
    static const int64_t lengths[] = {40, 700, 1500, 5000};
    world *w = *state;
    float *x = malloc(ROWS * 5000 * sizeof *x), *got[2];
    for (int i = 0; i < ROWS * 5000; i++) x[i] = 1.0F / (float)(i * 7919 % 1009 + 1);
    for (int tiles = 0; tiles < 2; tiles++) got[tiles] = malloc(ROWS * 5000 * sizeof **got);
    OK(w, cpl_context_set_option(w->cx, "precise", 0));
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (int scan = 0; scan < 2; scan++) {
            for (int tiles = 0; tiles < 2; tiles++) {
                cpl_array *a, *out = NULL;
                cpl_array_options o;
                cpl_array_options_init(&o);
                o.dtype = CPL_FLOAT32;
                o.dims = 2;
                o.shape[0] = ROWS;
                o.shape[1] = lengths[l];
                OK(w, cpl_context_set_option(w->cx, "tiles", 2 * tiles));
                OK(w, cpl_array_wrap(w->cx, NULL, &o, x, &a));
                OK(w, scan ? cpl_array_cumsum(a, 1, NULL, &out) : cpl_array_sum(a, 2, NULL, &out));
                OK(w, cpl_array_read(out, NULL, got[tiles], NULL));
                cpl_array_release(out);
                cpl_array_release(a);
            }
            size_t n = ROWS * (scan ? (size_t)lengths[l] : 1);
            assert_memory_equal(got[0], got[1], n * sizeof **got);
        }
    free(x);
    free(got[0]);
    free(got[1]);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {TEST(on_every_cpu), TEST(on_every_device),
                                       TEST(of_many),      TEST(of_functions),
                                       TEST(by_no_tiles),  TEST(rows_by_no_tiles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

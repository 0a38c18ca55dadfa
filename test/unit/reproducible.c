/*
 * The option reproducible: the same bits of sums whatever the CPU, the number of threads and the
 * device.
 */
#include "device_world.h"
#include "launches.h"
#include "libomp_leaks.h"

#include <cpl/algorithm.h>

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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {TEST(on_every_cpu), TEST(on_every_device),
                                       TEST(of_functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Reductions in one pass: sums, minima, structs and operators that do not commute side by side,
 * compared with plain loops and with the same one by one, on the host and on whatever devices there
 * are.
 */
#include "device_world.h"
#include "launches.h"
#include "libomp_leaks.h"

#include <cpl/algorithm.h>

#include <math.h>

static const char kernels[] = "from cpl import struct\n"
                              "@struct\n"
                              "class Best:\n"
                              "    value: 'float'\n"
                              "    index: 'long'\n"
                              "def better(a, b):\n"
                              "    return a if a.value <= b.value else b\n"
                              "def numbered(i, x, y):\n"
                              "    r = declare('Best')\n"
                              "    r.value = x[i]\n"
                              "    r.index = i\n"
                              "    return r\n"
                              "def nobody():\n"
                              "    r = declare('Best')\n"
                              "    r.value = INFINITY\n"
                              "    r.index = -1\n"
                              "    return r\n"
                              "def last(a, b):\n"
                              "    return a if b < 0 else b\n";

typedef struct best {
    float value;
    int64_t index;
} best;

/* The results in the order of the chain, as C lays them out. */
typedef struct results {
    int8_t least;
    double sum;
    best first;
    int64_t last;
} results;

enum { MOST = 200003, RESULTS = 4 };
static const int64_t lengths[] = {0,    1,    2,    63,    64,    65,     4031,
                                  4032, 4033, 8065, 36288, 36289, 100001, MOST};

typedef struct data {
    cpl_reduce_spec specs[RESULTS];
    float x[MOST];
    int8_t y[MOST];
} data;

static int set_up_kernels(void **state)
{
    return set_up_source(state, "several.py", kernels);
}

/* min of y, sum of x*y, the first place of the least x, the last i whose y is 3. */
static void chain(cpl_context *cx, data *d)
{
    static const char *const ops[] = {"min(a, b)", "a + b", "better", "last"},
                             *const maps[] = {"lambda i, x, y: y[i]", "lambda i, x, y: x[i]*y[i]",
                                              "numbered", "lambda i, x, y: i if y[i] == 3 else -1"};
    for (int k = 0; k < RESULTS; k++) {
        cpl_reduce_spec *s = &d->specs[k];
        cpl_reduce_spec_init(s);
        s->op = k < 2 ? cpl_bind_expression(ops[k]) : cpl_bind_function(ops[k]);
        s->map = k == 2 ? cpl_bind_function(maps[k]) : cpl_bind_expression(maps[k]);
        s->next = k + 1 < RESULTS ? s + 1 : NULL;
    }
    assert_int_equal(cpl_type_parse(cx, "int8", &d->specs[0].type), CPL_OK);
    assert_int_equal(cpl_type_parse(cx, "float64", &d->specs[1].type), CPL_OK);
    d->specs[2].neutral = cpl_bind_function("nobody");
    d->specs[3].neutral = cpl_bind_expression("-1");
    for (int64_t i = 0; i < MOST; i++) {
        d->x[i] = (float)(i * 7919 % 1009);
        d->y[i] = (int8_t)(i * 31 % 97 - 40);
    }
}

static results expect(const data *d, int64_t n)
{
    results r = {INT8_MAX, 0, {INFINITY, -1}, -1};
    for (int64_t i = 0; i < n; i++) {
        if (d->y[i] < r.least) r.least = d->y[i];
        r.sum += (double)d->x[i] * d->y[i];
        if (d->x[i] < r.first.value) r.first = (best){d->x[i], i};
        if (d->y[i] == 3) r.last = i;
    }
    return r;
}

static void check(const results *got, const results *expected)
{
    assert_int_equal(got->least, expected->least);
    assert_true(got->sum == expected->sum); /* whole numbers */
    assert_true(got->first.value == expected->first.value);
    assert_int_equal(got->first.index, expected->first.index);
    assert_int_equal(got->last, expected->last);
}

static void one_pass(void **state)
{
    world *w = *state;
    data *d = calloc(1, sizeof *d);
    chain(w->cx, d);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        results got, expected = expect(d, lengths[l]);
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT32, d->x, lengths[l]),
                          cpl_arg_array(CPL_INT8, d->y, lengths[l])};
        cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
        o.result = &got;
        assert_int_equal(cpl_reduce(w->module, d->specs, &o, NULL, args, 2), CPL_OK);
        check(&got, &expected);
        assert_int_equal(cpl_reduce(w->module, d->specs, &o, NULL, args, 2), CPL_OK);
        check(&got, &expected);
    }
    free(d);
}

/* Two and three of them, into arrays; the same bits as one by one. */
static void into_arrays(void **state)
{
    world *w = *state;
    data *d = calloc(1, sizeof *d);
    chain(w->cx, d);
    for (int count = 2; count <= 3; count++) {
        d->specs[1].next = count == 2 ? NULL : &d->specs[2];
        d->specs[2].next = NULL;
        int8_t least[2] = {0, 77};
        double sum, alone;
        best first[1];
        cpl_arg out[] = {cpl_arg_array(CPL_INT8, least, 2), cpl_arg_array(CPL_FLOAT64, &sum, 1),
                         cpl_arg_array(CPL_VOID, first, 1)};
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT32, d->x, MOST),
                          cpl_arg_array(CPL_INT8, d->y, MOST)};
        for (int64_t i = 0; i < MOST; i++) d->x[i] = 1.0f / (float)(i + 1);
        assert_int_equal(cpl_type_parse(w->cx, "Best", &out[2].record), CPL_OK);
        assert_int_equal(cpl_reduce(w->module, d->specs, NULL, out, args, 2), CPL_OK);
        assert_int_equal(least[0], -40);
        assert_int_equal(least[1], 77);
        if (count == 3) assert_int_equal(first[0].index, MOST - 1);
        cpl_reduce_spec one = d->specs[1];
        one.next = NULL;
        cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
        o.result = &alone;
        assert_int_equal(cpl_reduce(w->module, &one, &o, NULL, args, 2), CPL_OK);
        assert_memory_equal(&sum, &alone, sizeof sum);
    }
    free(d);
}

/* What has lanes: the same bits as one by one, of as many lanes each and of different ones. */
static void lanes_as_alone(cpl_module *m, cpl_reduce_spec *specs, int count, const cpl_arg *x)
{
    double together[RESULTS], alone[RESULTS];
    cpl_arg out[RESULTS];
    for (int k = 0; k < count; k++) {
        specs[k].next = k + 1 < count ? &specs[k + 1] : NULL;
        out[k] = cpl_arg_array(CPL_FLOAT64, &together[k], 1);
        if (specs[k].type) out[k].dtype = CPL_INT16;
    }
    memset(together, 0, sizeof together);
    memset(alone, 0, sizeof alone);
    assert_int_equal(cpl_reduce(m, specs, NULL, out, x, 1), CPL_OK);
    for (int k = 0; k < count; k++) {
        specs[k].next = NULL;
        out[k].data = &alone[k];
        assert_int_equal(cpl_reduce(m, &specs[k], NULL, &out[k], x, 1), CPL_OK);
    }
    assert_memory_equal(together, alone, sizeof alone);
}

static void lanes_of_level(void **state, int cpu_level)
{
    enum { LONGEST = 70001 };
    static const int64_t sizes[] = {1,    31,   32,   33,   2047, 2048,  2049,
                                    2080, 4031, 4033, 6145, 9999, 36289, LONGEST};
    static const char *const ops[] = {"a + b", "min(a, b)", "max(a, b)", "a + b"},
                             *const maps[] = {"lambda i, x: x[i]", "lambda i, x: x[i]",
                                              "lambda i, x: 1/(x[i] - 7)", "lambda i, x: 1.5*i"};
    world *w = *state;
    cpl_reduce_spec specs[RESULTS];
    assert_int_equal(cpl_context_set_option(w->cx, "cpu_level", cpu_level), CPL_OK);
    double *x = calloc(LONGEST, sizeof *x);
    for (int64_t i = 0; i < LONGEST; i++) x[i] = 1.0 / (double)(i * 7919 % 10007 + 1) - 1e-3;
    for (int k = 0; k < RESULTS; k++) {
        cpl_reduce_spec_init(&specs[k]);
        specs[k].op = cpl_bind_expression(ops[k]);
        specs[k].map = cpl_bind_expression(maps[k]);
    }
    for (size_t l = 0; l < sizeof sizes / sizeof *sizes; l++) {
        const cpl_arg arg = cpl_arg_array(CPL_FLOAT64, x, sizes[l]);
        specs[3].type = NULL; /* as that of the map, then one with more lanes */
        for (int count = 2; count <= RESULTS; count++)
            lanes_as_alone(w->module, specs, count, &arg);
        assert_int_equal(cpl_type_parse(w->cx, "int16", &specs[3].type), CPL_OK);
        lanes_as_alone(w->module, specs, RESULTS, &arg);
    }
    free(x);
}

/* Half of the lanes at a time, and where vectors are twice as wide, all. */
static void in_lanes(void **state)
{
    lanes_of_level(state, 0);
}

static void in_narrow_lanes(void **state)
{
    lanes_of_level(state, 1);
}

static void on_devices(void **state)
{
    world *w = *state;
    data *d = calloc(1, sizeof *d);
    chain(w->cx, d);
    results expected = expect(d, MOST);
    EACH_DEVICE(w, device)
    {
        results got = {0};
        cpl_queue *q = cpl_device_queue(device);
        cpl_array *x, *y;
        assert_int_equal(cpl_array_create(w->cx, device, CPL_FLOAT32, MOST, &x), CPL_OK);
        assert_int_equal(cpl_array_create(w->cx, device, CPL_INT8, MOST, &y), CPL_OK);
        assert_int_equal(cpl_array_write(x, q, d->x, NULL), CPL_OK);
        assert_int_equal(cpl_array_write(y, q, d->y, NULL), CPL_OK);
        cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y)};
        cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, q);
        o.result = &got;
        assert_int_equal(cpl_reduce(w->module, d->specs, &o, NULL, args, 2), CPL_OK);
        check(&got, &expected);
        cpl_array_release(x);
        cpl_array_release(y);
    }
    free(d);
}

static void refused(void **state)
{
    world *w = *state;
    data *d = calloc(1, sizeof *d);
    results got;
    chain(w->cx, d);
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT32, d->x, 9), cpl_arg_array(CPL_INT8, d->y, 9)};
    cpl_arg out[] = {cpl_arg_array(CPL_INT8, d->y, 1), cpl_arg_array(CPL_FLOAT32, d->x, 1)};
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    FAILS(w, cpl_reduce(w->module, d->specs, &o, NULL, args, 2), CPL_EARG, "no place");
    d->specs[1].next = NULL;
    FAILS(w, cpl_reduce(w->module, d->specs, &o, out, args, 2), CPL_EARG,
          "the place of the result has elements of float32, and the values are float64");
    d->specs[1].next = &d->specs[2];
    o.result = &got;
    d->specs[2].neutral = (cpl_bind){0};
    FAILS(w, cpl_reduce(w->module, d->specs, &o, NULL, args, 2), CPL_EARG, "no neutral element");
    d->specs[2].neutral = cpl_bind_function("nobody");
    d->specs[3].next = &d->specs[0];
    FAILS(w, cpl_reduce(w->module, d->specs, &o, NULL, args, 2), CPL_ELIMIT,
          "more than 4 reductions");
    cpl_arg many[37];
    for (int k = 0; k < 37; k++) many[k] = args[0];
    d->specs[3].next = NULL;
    for (int k = 0; k < 4; k++) d->specs[k].map = (cpl_bind){0};
    FAILS(w, cpl_reduce(w->module, d->specs, &o, NULL, many, 37), CPL_ELIMIT,
          "35 arguments at most");
    free(d);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {TEST(one_pass),        TEST(into_arrays), TEST(in_lanes),
                                       TEST(in_narrow_lanes), TEST(on_devices),  TEST(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

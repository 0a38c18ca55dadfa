/*
 * Reductions, compared with plain loops: operators that are known and others, ones that do not
 * commute, structs, at lengths around the borders of pieces, on the host and on whatever devices
 * there are. And what reductions and scans have in common: the kernels of calls, threads, devices.
 */
#include "algorithms.h"
#include "launches.h"
#include "libomp_leaks.h"

#include <cpl/algorithm.h>

#include <complex.h>
#include <math.h>
#include <pthread.h>

static const char kernels[] = "from cpl import struct\n"
                              "@struct\n"
                              "class Best:\n"
                              "    value: 'double'\n"
                              "    index: 'long'\n"
                              "@struct\n"
                              "class Affine:\n"
                              "    a: 'long'\n"
                              "    b: 'long'\n"
                              "def better(a, b):\n"
                              "    return a if a.value <= b.value else b\n"
                              "def numbered(i, x):\n"
                              "    r = declare('Best')\n"
                              "    r.value = x[i]\n"
                              "    r.index = i\n"
                              "    return r\n"
                              "def nobody():\n"
                              "    r = declare('Best')\n"
                              "    r.value = INFINITY\n"
                              "    r.index = -1\n"
                              "    return r\n"
                              "def behind(f, g):\n"
                              "    r = declare('Affine')\n"
                              "    r.a = g.a*f.a\n"
                              "    r.b = g.a*f.b + g.b\n"
                              "    return r\n"
                              "def zero(i, x):\n"
                              "    x[i] = 0\n"
                              "def triangle(i, x):\n"
                              "    s = i\n"
                              "    for k in range(x[i]):\n"
                              "        s += k\n"
                              "    return s\n";

typedef struct best {
    double value;
    int64_t index;
} best;
typedef struct affine {
    int64_t a, b;
} affine;

static int set_up_kernels(void **state)
{
    return set_up_source(state, "algorithms.py", kernels);
}

static cpl_reduce_spec reduce_by(cpl_bind op)
{
    cpl_reduce_spec s;
    cpl_reduce_spec_init(&s);
    s.op = op;
    return s;
}

/* On the host, of one argument. */
static cpl_status reduce_here(world *w, const cpl_reduce_spec *s, cpl_arg arg, void *result)
{
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    o.result = result;
    return cpl_reduce(w->module, s, &o, NULL, &arg, 1);
}

/* --- reductions --- */

static cpl_status reduce_ints(world *w, const char *op, const char *neutral, cpl_queue *q,
                              cpl_arg arg, int64_t *result)
{
    cpl_reduce_spec s = reduce_by(cpl_bind_expression(op));
    if (neutral) s.neutral = cpl_bind_expression(neutral);
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, q);
    o.result = result;
    return cpl_reduce(w->module, &s, &o, NULL, &arg, 1);
}

static int64_t apply(size_t op, int64_t a, int64_t b)
{
    switch (op) {
    case 0: return a + b;
    case 1: return a < b ? a : b;
    case 2: return a > b ? a : b;
    default: return a ^ b;
    }
}

static void integers(void **state)
{
    world *w = *state;
    static const char *const ops[] = {"a + b", "min(a, b)", "max(a,b)", "a ^ b"};
    static const int64_t neutral[] = {0, INT64_MAX, INT64_MIN, 0};
    int64_t *x = malloc(MOST * sizeof *x), got;
    for (int64_t i = 0; i < MOST; i++) x[i] = value_at(i) - 500;
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            int64_t expected = neutral[k];
            for (int64_t i = 0; i < lengths[l]; i++) expected = apply(k, expected, x[i]);
            cpl_arg arg = cpl_arg_array(CPL_INT64, x, lengths[l]);
            assert_int_equal(reduce_ints(w, ops[k], NULL, NULL, arg, &got), CPL_OK);
            assert_int_equal(got, expected);
        }
    free(x);
}

/* The last element that is no neutral one. */
static void order_is_kept(void **state)
{
    world *w = *state;
    int64_t *x = malloc(MOST * sizeof *x), got;
    for (int64_t i = 0; i < MOST; i++) x[i] = i % 5 ? i : -1;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        int64_t expected = -1;
        for (int64_t i = 0; i < lengths[l]; i++)
            if (x[i] >= 0) expected = x[i];
        cpl_arg arg = cpl_arg_array(CPL_INT64, x, lengths[l]);
        assert_int_equal(reduce_ints(w, "b if b >= 0 else a", "-1", NULL, arg, &got), CPL_OK);
        assert_int_equal(got, expected);
    }
    free(x);
}

/* Products modulo a prime, which commute, as only the caller knows: with vectors or without. */
static void some_commute(void **state)
{
    world *w = *state;
    int64_t *x = malloc(MOST * sizeof *x), got;
    cpl_reduce_spec s = reduce_by(cpl_bind_expression("a*b % 10007"));
    s.neutral = cpl_bind_expression("1");
    for (int64_t i = 0; i < MOST; i++) x[i] = 1 + value_at(i) % 10006;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        int64_t expected = 1;
        for (int64_t i = 0; i < lengths[l]; i++) expected = expected * x[i] % 10007;
        for (s.flags = 0; s.flags <= CPL_REDUCE_COMMUTES; s.flags++) {
            OK(w, reduce_here(w, &s, cpl_arg_array(CPL_INT64, x, lengths[l]), &got));
            assert_int_equal(got, expected);
        }
    }
    free(x);
}

/* Without a place for the result. */
static void type_is_told(void **state)
{
    world *w = *state;
    const cpl_type *type = NULL;
    int32_t x[2] = {1, 2};
    cpl_reduce_spec s = reduce_by(cpl_bind_expression("a + b"));
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    o.result_type = &type;
    cpl_arg arg = cpl_arg_array(CPL_INT32, x, 2);
    assert_int_equal(cpl_reduce(w->module, &s, &o, NULL, &arg, 1), CPL_OK);
    assert_string_equal(cpl_type_text(type), "int64");
}

/* What was asked for before is found again by its type too, however often it comes. */
static void types_in_turn(void **state)
{
    world *w = *state;
    int32_t x[2] = {INT32_MAX, 1};
    const cpl_type *narrow, *wide;
    assert_int_equal(cpl_type_parse(w->cx, "int32", &narrow), CPL_OK);
    assert_int_equal(cpl_type_parse(w->cx, "int64", &wide), CPL_OK);
    cpl_reduce_spec s = reduce_by(cpl_bind_expression("a + b"));
    for (int k = 0; k < 6; k++) {
        _Alignas(8) int32_t sum[2] = {7, 7}; /* the lower half first */
        s.type = k % 2 ? narrow : wide;
        assert_int_equal(reduce_here(w, &s, cpl_arg_array(CPL_INT32, x, 2), sum), CPL_OK);
        assert_int_equal(sum[0], INT32_MIN);
        assert_int_equal(sum[1], k % 2 ? 7 : 0);
    }
}

static void strided_elements(void **state)
{
    world *w = *state;
    static int64_t x[3 * 9000];
    int64_t expected = 0, got;
    for (int64_t i = 0; i < 3 * 9000; i++) x[i] = value_at(i);
    for (int64_t i = 0; i < 9000; i++) expected += x[3 * i];
    cpl_arg arg = cpl_arg_array(CPL_INT64, x, 9000);
    arg.stride = 3 * sizeof *x;
    assert_int_equal(reduce_ints(w, "a + b", NULL, NULL, arg, &got), CPL_OK);
    assert_int_equal(got, expected);
}

/* What a module remembers of a reduction is told apart by all that decides on its kernel, and what
 * is not as it was is looked at as for the first time. */
static void made_before(void **state)
{
    enum { SOME = 40000 };
    static double x[SOME];
    static int32_t k[SOME];
    world *w = *state;
    char op[16] = "a + b";
    double got[2];
    int64_t whole;
    for (int i = 0; i < SOME; i++) x[i] = k[i] = i + 1;
    cpl_reduce_spec s;
    cpl_reduce_spec_init(&s);
    s.op = cpl_bind_expression(op);
    cpl_arg out = cpl_arg_array(CPL_FLOAT64, got, 1), args[] = {cpl_arg_array(CPL_FLOAT64, x, 5)};
    for (int round = 0; round < 3; round++) {
        strcpy(op, "a + b");
        for (int64_t n = 0; n <= SOME; n = n < 5 ? n + 1 : 2 * n) {
            args[0].length = n;
            OK(w, cpl_reduce(w->module, &s, NULL, &out, args, 1));
            assert_true(got[0] == (double)(n * (n + 1) / 2));
        }
        args[0] = cpl_arg_array(CPL_INT32, k, 100);
        cpl_arg in_whole = cpl_arg_array(CPL_INT64, &whole, 1);
        OK(w, cpl_reduce(w->module, &s, NULL, &in_whole, args, 1));
        assert_int_equal(whole, 5050);
        args[0] = cpl_arg_array(CPL_FLOAT64, x, 100);
        strcpy(op, "max(a, b)"); /* where the other text was */
        OK(w, cpl_reduce(w->module, &s, NULL, &out, args, 1));
        assert_true(got[0] == 100);
        args[0].stride = 2 * sizeof *x;
        args[0].length = 10;
        OK(w, cpl_reduce(w->module, &s, NULL, &out, args, 1));
        assert_true(got[0] == 19);
        args[0] = cpl_arg_array(CPL_FLOAT64, x, 100);
        cpl_arg first = cpl_arg_array(CPL_FLOAT64, x, 1); /* of what is reduced */
        OK(w, cpl_reduce(w->module, &s, NULL, &first, args, 1));
        assert_true(x[0] == 100);
        x[0] = 1;
        cpl_launch_options o = rounds_on(NULL, 7, NULL);
        const cpl_type *type = NULL;
        o.result = got;
        o.result_type = &type;
        OK(w, cpl_reduce(w->module, &s, &o, NULL, args, 1));
        assert_true(got[0] == 7 && cpl_type_dtype(type) == CPL_FLOAT64);
        o.n = 101;
        assert_int_equal(cpl_reduce(w->module, &s, &o, NULL, args, 1), CPL_EARG);
    }
    out.data = (char *)got + 1;
    assert_int_equal(cpl_reduce(w->module, &s, NULL, &out, args, 1), CPL_EARG);
    out = cpl_arg_array(CPL_FLOAT64, got, 0);
    assert_int_equal(cpl_reduce(w->module, &s, NULL, &out, args, 1), CPL_EARG);
    out.length = 1;
    out.readonly = true;
    assert_int_equal(cpl_reduce(w->module, &s, NULL, &out, args, 1), CPL_EARG);
    out.readonly = false;
    args[0].length = -1;
    assert_int_equal(cpl_reduce(w->module, &s, NULL, &out, args, 1), CPL_EARG);
    args[0].length = 3;
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1)); /* other settings, another kernel */
    OK(w, cpl_reduce(w->module, &s, NULL, &out, args, 1));
    assert_true(got[0] == 3);
}

/* Whoever wants more than a result gets it of calls too that the module has made before. */
static void more_of_what_was_made(void **state)
{
    world *w = *state;
    static double x[100], y[100];
    double got = 0;
    cpl_reduce_spec s = reduce_by(cpl_bind_expression("a + b"));
    cpl_scan_spec running = sums();
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 100), cpl_arg_array(CPL_FLOAT64, y, 100)};
    for (int i = 0; i < 100; i++) x[i] = 1;
    for (int round = 0; round < 3; round++) {
        cpl_event *events[2] = {0};
        cpl_kernels found[2] = {0};
        cpl_launch_options o = rounds_on(NULL, CPL_AUTO, NULL);
        o.result = &got;
        OK(w, cpl_reduce(w->module, &s, &o, NULL, args, 1));
        OK(w, cpl_scan(w->module, &running, &o, args, 2));
        o.event = &events[0];
        OK(w, cpl_reduce(w->module, &s, &o, NULL, args, 1));
        o.event = &events[1];
        OK(w, cpl_scan(w->module, &running, &o, args, 2));
        o.event = NULL;
        assert_true(got == 100 && y[99] == 100);
        got = y[99] = -7;
        o.kernels = &found[0];
        OK(w, cpl_reduce(w->module, &s, &o, NULL, args, 1));
        o.kernels = &found[1];
        OK(w, cpl_scan(w->module, &running, &o, args, 2));
        assert_true(got == -7 && y[99] == -7);
        for (int i = 0; i < 2; i++) {
            assert_non_null(events[i]);
            OK(w, cpl_event_wait(events[i]));
            cpl_event_release(events[i]);
            assert_int_equal(found[i].count, 1);
            cpl_kernel_release(found[i].kernels[0]);
        }
    }
}

/* Reductions that end in the same way: by one operator, of other elements, to other places. */
static void one_join(void **state)
{
    world *w = *state;
    enum { COUNT = 9000 };
    static int32_t x[COUNT];
    static int8_t y[COUNT];
    int64_t sum = 0, squares = 0, small = 0, got[4] = {0};
    for (int64_t i = 0; i < COUNT; i++) {
        x[i] = (int32_t)value_at(i);
        y[i] = (int8_t)x[i];
        sum += x[i];
        squares += x[i] * x[i];
        small += y[i];
    }
    cpl_arg wide = cpl_arg_array(CPL_INT32, x, COUNT), out = cpl_arg_array(CPL_INT64, got + 1, 2);
    cpl_reduce_spec s = reduce_by(cpl_bind_expression("a + b"));
    OK(w, reduce_here(w, &s, wide, got));
    assert_int_equal(got[0], sum);
    OK(w, reduce_here(w, &s, cpl_arg_array(CPL_INT8, y, COUNT), got));
    assert_int_equal(got[0], small);
    s.map = cpl_bind_expression("lambda i, x: x[i]*x[i]");
    OK(w, reduce_here(w, &s, wide, got));
    assert_int_equal(got[0], squares);
    out.stride = 2 * sizeof *got;
    OK(w, cpl_reduce(w->module, &s, NULL, &out, &wide, 1));
    assert_int_equal(got[1], squares);
    assert_int_equal(got[2] + got[3], 0);
}

/* The kernels alone: nothing runs, and the result stays as it was. */
static void kernels_are_handed_out(void **state)
{
    world *w = *state;
    static const char *const names[] = {"@parts(", "@join("};
    int64_t *x = calloc(MOST, sizeof *x), got = -7;
    for (int64_t n = 100; n <= MOST; n *= MOST / 100) {
        cpl_kernels found = {0};
        cpl_reduce_spec s = reduce_by(cpl_bind_expression("a + b"));
        cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
        cpl_arg arg = cpl_arg_array(CPL_INT64, x, n);
        o.kernels = &found;
        o.result = &got;
        OK(w, cpl_reduce(w->module, &s, &o, NULL, &arg, 1));
        assert_int_equal(found.count, n == MOST ? 2 : 1);
        assert_int_equal(got, -7);
        for (size_t i = 0; i < found.count; i++) {
            cpl_blob text;
            OK(w, cpl_kernel_emit(found.kernels[i], CPL_STAGE_LLVM, NULL, &text));
            assert_non_null(strstr(text.data, names[i]));
            cpl_blob_free(&text);
            cpl_kernel_release(found.kernels[i]);
        }
        FAILS(w, cpl_launch(w->module, "nobody", &o, NULL, 0), CPL_EARG, "are for algorithms");
    }
    free(x);
}

/* By the interpreter, with the same bits; on devices it is refused. */
static void interpreted(void **state)
{
    world *w = *state;
    enum { COUNT = 5000 };
    static float x[COUNT], y[COUNT], z[COUNT];
    float got, expected;
    cpl_kernel *k;
    for (int i = 0; i < COUNT; i++) x[i] = 1.0F / (float)(value_at(i) + 1);
    cpl_reduce_spec s = reduce_by(cpl_bind_expression("a + b"));
    cpl_scan_spec running = sums();
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT32, x, COUNT), cpl_arg_array(CPL_FLOAT32, y, COUNT)};
    OK(w, reduce_here(w, &s, args[0], &expected));
    OK(w, cpl_scan(w->module, &running, &o, args, 2));
    args[1].data = z;
    o.interpret = true;
    o.result = &got;
    OK(w, cpl_reduce(w->module, &s, &o, NULL, args, 1));
    assert_memory_equal(&got, &expected, sizeof got);
    OK(w, cpl_scan(w->module, &running, &o, args, 2));
    assert_memory_equal(y, z, sizeof y);
    OK(w, rounds_kernel(w->module, "zero", args, 1, &k));
    FAILS(w, cpl_kernel_launch(k, &o, args, 1), CPL_EARG, "cpl_interpret");
    FAILS(w, cpl_launch(w->module, "zero", &o, args, 1), CPL_EARG, "cpl_interpret");
    assert_true(x[0] == 1.0F / (float)(value_at(0) + 1)); /* neither ran */
    cpl_kernel_release(k);
    s.map = cpl_bind_expression("lambda i, x: x[i + 1]");
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    FAILS(w, cpl_reduce(w->module, &s, &o, NULL, args, 1), CPL_EBOUNDS, "index 5000");
    OK(w, cpl_context_set_option(w->cx, "automatic", 1));
    EACH_DEVICE(w, device)
    {
        if (is_host(device)) continue;
        o.queue = cpl_device_queue(device);
        FAILS(w, cpl_reduce(w->module, &s, &o, NULL, args, 1), CPL_EUNSUPPORTED, "the interpreter");
    }
}

static void structs(void **state)
{
    world *w = *state;
    double *x = malloc(MOST * sizeof *x);
    for (int64_t i = 0; i < MOST; i++) x[i] = (double)value_at(i);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        best expected = {INFINITY, -1}, got;
        for (int64_t i = 0; i < lengths[l]; i++)
            if (x[i] < expected.value) expected = (best){x[i], i};
        cpl_reduce_spec s = reduce_by(cpl_bind_function("better"));
        s.map = cpl_bind_function("numbered");
        s.neutral = cpl_bind_function("nobody");
        const cpl_type *type;
        cpl_launch_options o = once_on(NULL, &got, &type);
        o.form = CPL_FORM_ELEMENTWISE;
        cpl_arg arg = cpl_arg_array(CPL_FLOAT64, x, lengths[l]);
        assert_int_equal(cpl_reduce(w->module, &s, &o, NULL, &arg, 1), CPL_OK);
        assert_string_equal(cpl_type_text(type), "Best");
        assert_true(got.value == expected.value && got.index == expected.index);
    }
    free(x);
}

typedef void (*operator_fn)(const void *in, void *inout, int64_t n);

static operator_fn operator_of(const cpl_kernel *k)
{
    void *address = cpl_kernel_address(k);
    operator_fn fn;
    memcpy(&fn, &address, sizeof fn);
    return fn;
}

/* Elements that take a loop each come in small pieces. */
static void loops(void **state)
{
    world *w = *state;
    static const int64_t some[] = {0, 1, 15, 16, 17, 255, 257, 4032, 4033, 16384, 16385, 40000};
    int64_t *x = malloc(40000 * sizeof *x);
    for (int64_t i = 0; i < 40000; i++) x[i] = value_at(i) % 8;
    for (size_t l = 0; l < sizeof some / sizeof *some; l++) {
        int64_t expected = 0, got;
        for (int64_t i = 0; i < some[l]; i++) expected += x[i] * (x[i] - 1) / 2 + i;
        cpl_reduce_spec s = reduce_by(cpl_bind_expression("a + b"));
        s.map = cpl_bind_function("triangle");
        OK(w, reduce_here(w, &s, cpl_arg_array(CPL_INT64, x, some[l]), &got));
        assert_int_equal(got, expected);
    }
    free(x);
}

/* As MPI takes operators: the left operand comes first. */
static void operators(void **state)
{
    world *w = *state;
    cpl_kernel *k;
    affine in[3] = {{2, 1}, {3, -1}, {1, 0}}, inout[3] = {{5, 7}, {-1, 2}, {4, 4}};
    int32_t left[] = {1, 2, 3}, right[] = {10, 20, 30};
    cpl_reduce_spec s = reduce_by(cpl_bind_function("behind"));
    FAILS(w, cpl_reduce_operator(w->module, &s, &k), CPL_EARG, "has a type");
    OK(w, cpl_type_parse(w->cx, "Affine", &s.type));
    OK(w, cpl_reduce_operator(w->module, &s, &k));
    operator_fn take = operator_of(k);
    take(in, inout, 3);
    for (int i = 0; i < 3; i++) {
        static const affine before[3] = {{5, 7}, {-1, 2}, {4, 4}};
        assert_int_equal(inout[i].a, before[i].a * in[i].a);
        assert_int_equal(inout[i].b, before[i].a * in[i].b + before[i].b);
    }
    cpl_kernel_release(k);
    s.op = cpl_bind_expression("a - b");
    OK(w, cpl_type_parse(w->cx, "int32", &s.type));
    OK(w, cpl_reduce_operator(w->module, &s, &k));
    take = operator_of(k);
    take(left, right, 3);
    for (int i = 0; i < 3; i++) assert_int_equal(right[i], -9 * (i + 1));
    take(left, left, 0);
    cpl_kernel_release(k);
}

/* The same bits for any number of threads, and for vectors of any width: with precise, since
 * products may be fused where the CPU can. */
static void same_bits(void **state)
{
    world *w = *state;
    static const int64_t threads[] = {1, 2, 3, 8}, levels[] = {1, 2, 3};
    int64_t n = 300001;
    float *x = malloc((size_t)n * 4), first = 0;
    for (int64_t i = 0; i < n; i++) x[i] = 1.0F / (float)(value_at(i) + 1);
    OK(w, cpl_context_set_option(w->cx, "precise", 1));
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
        for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
            float got;
            OK(w, cpl_context_set_option(w->cx, "num_threads", threads[t]));
            OK(w, cpl_context_set_option(w->cx, "cpu_level", levels[l]));
            cpl_reduce_spec s = reduce_by(cpl_bind_expression("a + b"));
            s.map = cpl_bind_expression("lambda i, x: x[i]*x[i]");
            OK(w, reduce_here(w, &s, cpl_arg_array(CPL_FLOAT32, x, n), &got));
            if (t + l == 0) first = got;
            assert_memory_equal(&got, &first, sizeof got);
        }
    free(x);
}

/* --- threads --- */

enum { THREADS = 6, ROUNDS = 4, EACH = 9000 };

/* Calls of each kind, of which some have to compile what others ask for at the same time. */
static void *call_all(void *user)
{
    cpl_module *m = user;
    static const char *const ops[] = {"a + b", "b if b >= 0 else a", "a + b", "max(a, b)"};
    static const char *const maps[] = {"lambda i, x: x[i]", "lambda i, x: -1 if x[i] % 2 else i",
                                       "lambda i, x: x[i]*x[i]", "lambda i, x: i"};
    int64_t *x = malloc(EACH * sizeof *x), *y = malloc(EACH * sizeof *y), sum = 0, squares = 0;
    uintptr_t wrong = 0;
    for (int64_t i = 0; i < EACH; i++) {
        x[i] = value_at(i) * 2 + (i == EACH - 1);
        sum += x[i];
        squares += x[i] * x[i];
    }
    const int64_t expected[] = {sum, EACH - 2, squares, EACH - 1};
    for (size_t k = 0; k < ROUNDS * 4; k++) {
        int64_t got = 0;
        cpl_reduce_spec s = reduce_by(cpl_bind_expression(ops[k % 4]));
        s.map = cpl_bind_expression(maps[k % 4]);
        if (k % 4 == 1) s.neutral = cpl_bind_expression("-1");
        cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
        o.result = &got;
        cpl_arg args[] = {cpl_arg_array(CPL_INT64, x, EACH), cpl_arg_array(CPL_INT64, y, EACH)};
        wrong += cpl_reduce(m, &s, &o, NULL, args, 1) != CPL_OK || got != expected[k % 4];
        cpl_scan_spec running = sums();
        running.flags = k % 2 ? CPL_SCAN_EXCLUSIVE : 0;
        wrong += cpl_scan(m, &running, NULL, args, 2) != CPL_OK;
        wrong += y[EACH - 1] != (k % 2 ? sum - x[EACH - 1] : sum);
    }
    free(x);
    free(y);
    return (void *)wrong;
}

static void many_first_calls(void **state)
{
    world *w = *state;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call_all, w->module), 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
}

/* --- complex numbers --- */

/* Sums and products know what is neutral; the least of them does not exist. */
static void complex_numbers(void **state)
{
    world *w = *state;
    enum { LONG = 9000 };
    float _Complex x[LONG], some[LONG], got;
    double _Complex turns[LONG], turned;
    int64_t re = 0, im = 0;
    for (int i = 0; i < LONG; i++) {
        x[i] = (float)(i % 7 - 3) + (float)(i % 5) * I;
        turns[i] = i % 2 ? I : -1;
    }
    cpl_arg args[] = {cpl_arg_array(CPL_COMPLEX64, x, LONG),
                      cpl_arg_array(CPL_COMPLEX64, some, LONG)};
    cpl_reduce_spec s = reduce_by(cpl_bind_expression("a + b"));
    cpl_scan_spec running = sums();
    assert_int_equal(reduce_here(w, &s, args[0], &got), CPL_OK);
    assert_int_equal(cpl_scan(w->module, &running, NULL, args, 2), CPL_OK);
    for (int i = 0; i < LONG; i++) {
        re += i % 7 - 3;
        im += i % 5;
        assert_true(some[i] == (float)re + (float)im * I);
    }
    assert_true(got == some[LONG - 1]);
    s.op = cpl_bind_expression("a * b");
    cpl_arg arg = cpl_arg_array(CPL_COMPLEX128, turns, LONG);
    assert_int_equal(reduce_here(w, &s, arg, &turned), CPL_OK); /* each 4500 times */
    assert_true(turned == 1);
    arg.length = 0;
    assert_int_equal(reduce_here(w, &s, arg, &turned), CPL_OK);
    assert_true(turned == 1);
    s.op = cpl_bind_expression("min(a, b)");
    FAILS(w, reduce_here(w, &s, args[0], &got), CPL_EARG, "no neutral element");
}

/* --- devices --- */

static void on_devices(void **state)
{
    world *w = *state;
    int64_t n = 100000, expected = 0, got = 0;
    int32_t *x = malloc((size_t)n * 4), *y = malloc((size_t)n * 4);
    for (int64_t i = 0; i < n; i++) expected += x[i] = (int32_t)value_at(i);
    EACH_DEVICE(w, device)
    {
        cpl_queue *q = cpl_device_queue(device);
        cpl_array *in, *to;
        assert_int_equal(cpl_array_create(w->cx, device, CPL_INT32, n, &in), CPL_OK);
        assert_int_equal(cpl_array_create(w->cx, device, CPL_INT32, n, &to), CPL_OK);
        assert_int_equal(cpl_array_write(in, q, x, NULL), CPL_OK);
        assert_int_equal(reduce_ints(w, "a + b", NULL, q, cpl_arg_of_array(in), &got), CPL_OK);
        assert_int_equal(got, expected);
        cpl_scan_spec spec = sums();
        cpl_arg args[] = {cpl_arg_of_array(in), cpl_arg_of_array(to)};
        cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, q);
        assert_int_equal(cpl_scan(w->module, &spec, &o, args, 2), CPL_OK);
        assert_int_equal(cpl_array_read(to, q, y, NULL), CPL_OK);
        int32_t run = 0;
        for (int64_t i = 0; i < n; i++)
            if (y[i] != (run += x[i])) fail_msg("item %lld on a device", (long long)i);
        cpl_array_release(in);
        cpl_array_release(to);
    }
    free(x);
    free(y);
}

/* --- what is refused --- */

static void refused(void **state)
{
    world *w = *state;
    int64_t x[4] = {1, 2, 3, 4}, got;
    cpl_arg arg = cpl_arg_array(CPL_INT64, x, 4);
    FAILS(w, reduce_ints(w, "a + 2*b", NULL, NULL, arg, &got), CPL_EARG, "no neutral element");
    FAILS(w, reduce_ints(w, "a +", "0", NULL, arg, &got), CPL_ESYNTAX, "a +");
    FAILS(w, reduce_ints(w, "a +", NULL, NULL, arg, &got), CPL_ESYNTAX, "a +");
    FAILS(w, reduce_ints(w, "a + c", NULL, NULL, arg, &got), CPL_ENOTFOUND, "'c'");
    FAILS(w, reduce_ints(w, "a + c", "0", NULL, arg, &got), CPL_ENOTFOUND, "'c'");
    FAILS(w, reduce_ints(w, "a + b", "0", NULL, arg, NULL), CPL_EARG, "no place for the result");
}

/* A function of so many steps, each of six operations. */
static char *long_function(const char *name, int steps)
{
    char *text = malloc((size_t)steps * 32 + 100), *at = text;
    at += sprintf(at, "def %s(i, x):\n    r = x[i]\n", name);
    for (int k = 0; k < steps; k++) at += sprintf(at, "    r = r*x[i] + %d.5\n", k);
    sprintf(at, "    return r\n");
    return text;
}

/* What computes an element may be as large as a kernel, nearly, wherever it runs: what has several
 * copies of it has fewer. */
static void large_maps(void **state)
{
    world *w = *state;
    static const char *const targets[] = {NULL, "opencl:c1.2", "opencl:spv1.2", "cuda:sm_80"};
    static const int steps[] = {100, 200, 700, 4000};
    static double numbers[5000], got;
    cpl_arg x = cpl_arg_array(CPL_FLOAT64, numbers, 5000);
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        cpl_module *m;
        char *text = long_function("large", steps[k]);
        OK(w, cpl_module_from_source(w->cx, "large.py", text, strlen(text), &m));
        for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
            cpl_kernels found = {.target = targets[t]};
            cpl_reduce_spec s;
            cpl_reduce_spec_init(&s);
            s.op = cpl_bind_expression("a + b");
            s.map = cpl_bind_function("large");
            cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
            o.kernels = &found;
            o.result = &got;
            if (steps[k] == 4000)
                FAILS(w, cpl_reduce(m, &s, &o, NULL, &x, 1), CPL_ELIMIT, "more than 20000 op");
            else OK(w, cpl_reduce(m, &s, &o, NULL, &x, 1));
            for (size_t i = 0; i < found.count; i++) cpl_kernel_release(found.kernels[i]);
        }
        cpl_module_release(m);
        free(text);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(large_maps),
        TEST(integers),
        TEST(order_is_kept),
        TEST(some_commute),
        TEST(strided_elements),
        TEST(structs),
        TEST(same_bits),
        TEST(operators),
        TEST(loops),
        TEST(on_devices),
        TEST(refused),
        TEST(type_is_told),
        TEST(types_in_turn),
        TEST(made_before),
        TEST(more_of_what_was_made),
        TEST(one_join),
        TEST(kernels_are_handed_out),
        TEST(interpreted),
        TEST(many_first_calls),
        TEST(complex_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Functions whose last parameter is *NAME, by every way in: with none, one and several arguments,
 * of which arrays have strides and dimensions, and some are bound.
 */
#include "world.h"
#include "launches.h"

static const char kernels[] = "def none(i):\n"
                              "    return i + 0.5\n"
                              "def take(i, *v):\n"
                              "    return v[0][i]\n"
                              "def all(i, a, b, c, d, e):\n"
                              "    return a[i] + b + c[i, 1] + d.b*e(d.a)\n"
                              "def reduce(out, n, op, map, *args):\n"
                              "    s = 0.0\n"
                              "    for i in range(n):\n"
                              "        s = op(s, map(i, *args))\n"
                              "    out[0] = s\n"
                              "    return len(args)\n"
                              "def each(i, out, map, *args):\n"
                              "    out[i] = map(i, *args)\n"
                              "def plane(i, j, x, *args):\n"
                              "    x[i, j] = 100*len(args) + 10*i + j\n"
                              "    if len(args):\n"
                              "        x[i, j] += args[-1][i, j]\n"
                              "def fill(*args):\n"
                              "    for k in static_range(len(args)):\n"
                              "        args[k][GID_0*LDIM_0 + LID_0] = k + 1\n";

enum { N = 4 };

typedef struct pair {
    int32_t a;
    double b;
} pair;

typedef struct fixture {
    world *w;
    cpl_module *m;
    double apart[3 * N], out[N];
    float plane[N][6];
    pair d;
    cpl_bind twice, op, maps[3];
    int64_t shape[2], strides[2];
    const cpl_type *record;
} fixture;

/* What is passed on, and what it gives at i. */
typedef struct passed {
    cpl_arg args[5];
    size_t count;
    const cpl_bind *map;
    double expected[N];
} passed;

static const size_t counts[] = {0, 1, 5, 2};
enum { CASES = sizeof counts / sizeof *counts };

static void fill(fixture *f)
{
    for (int i = 0; i < 3 * N; i++) f->apart[i] = i + 0.25;
    for (int i = 0; i < 6 * N; i++) f->plane[i / 6][i % 6] = (float)i * 8;
    f->d = (pair){3, 0.5};
    f->twice = cpl_bind_expression("lambda t: 2*t");
    f->op = cpl_bind_expression("a + b");
    f->maps[0] = cpl_bind_function("none");
    f->maps[1] = cpl_bind_function("take");
    f->maps[2] = cpl_bind_function("all");
    f->shape[0] = N, f->shape[1] = 2;
    f->strides[0] = 6 * sizeof(float), f->strides[1] = 3 * sizeof(float);
}

static void open(fixture *f, void **state)
{
    const cpl_type *i32, *f64;
    *f = (fixture){.w = *state};
    cpl_context *cx = f->w->cx;
    assert_int_equal(cpl_type_parse(cx, "int32", &i32), CPL_OK);
    assert_int_equal(cpl_type_parse(cx, "float64", &f64), CPL_OK);
    cpl_field fields[] = {{"a", i32, 0}, {"b", f64, 0}};
    assert_int_equal(cpl_type_struct(cx, "Pair", fields, 2, &f->record), CPL_OK);
    assert_int_equal(cpl_module_from_source(cx, "star.py", kernels, sizeof kernels - 1, &f->m),
                     CPL_OK);
    f->w->module = f->m;
    fill(f);
}

static passed pass(fixture *f, int which)
{
    static const cpl_bind product = {.kind = CPL_BIND_EXPRESSION,
                                     .text = "lambda i, x, y: x[i]*y[i]"};
    passed p = {.count = counts[which], .map = which < 3 ? &f->maps[which] : &product};
    cpl_arg apart = cpl_arg_array(CPL_FLOAT64, f->apart, N);
    apart.stride = 3 * sizeof(double);
    cpl_arg d = cpl_arg_array(CPL_VOID, &f->d, 1);
    d.record = f->record;
    p.args[0] = apart;
    p.args[1] = which == 3 ? apart : cpl_arg_int(7);
    p.args[2] = cpl_arg_array_nd(CPL_FLOAT32, f->plane, 2, f->shape, f->strides);
    p.args[3] = d;
    p.args[4] = cpl_arg_bound(&f->twice);
    for (int i = 0; i < N; i++) {
        double x = f->apart[3 * i];
        p.expected[i] = which == 0   ? i + 0.5
                        : which == 1 ? x
                        : which == 2 ? x + 7 + (double)f->plane[i][3] + 0.5 * 6
                                     : x * x;
    }
    return p;
}

static size_t put(cpl_arg *to, size_t n, const passed *p)
{
    to[n++] = cpl_arg_bound(p->map);
    for (size_t i = 0; i < p->count; i++) to[n++] = p->args[i];
    return n;
}

static void check(fixture *f, const passed *p, const char *how)
{
    for (int i = 0; i < N; i++)
        if (f->out[i] != p->expected[i])
            fail_msg("%s, %zu arguments: out[%d] = %g, expected %g: %s", how, p->count, i,
                     f->out[i], p->expected[i], f->w->said.text);
    for (int i = 0; i < N; i++) f->out[i] = -1;
}

/* Elementwise: by name, by a kernel made for arguments, and in the interpreter. */
static void rounds(void **state)
{
    fixture f;
    open(&f, state);
    for (int which = 0; which < CASES; which++) {
        passed p = pass(&f, which);
        cpl_arg args[8] = {cpl_arg_array(CPL_FLOAT64, f.out, N)}, values[8];
        size_t n = put(args, 1, &p), given = 0;
        for (int again = 0; again < 2; again++) {
            assert_int_equal(launch_rounds(f.m, "each", NULL, args, n, CPL_AUTO, NULL), CPL_OK);
            check(&f, &p, "launch");
        }
        cpl_kernel *k;
        assert_int_equal(rounds_kernel(f.m, "each", args, n, &k), CPL_OK);
        for (size_t i = 0; i < n; i++)
            if (args[i].kind != CPL_ARG_BOUND) values[given++] = args[i];
        assert_int_equal(run_rounds(k, NULL, values, given, CPL_AUTO, NULL), CPL_OK);
        check(&f, &p, "kernel");
        if (p.count)
            assert_int_equal(run_rounds(k, NULL, values, given - 1, CPL_AUTO, NULL), CPL_EARG);
        cpl_kernel_release(k);
        assert_int_equal(interpret_rounds(f.m, "each", CPL_FORM_ELEMENTWISE, args, n, CPL_AUTO,
                                          NULL, NULL),
                         CPL_OK);
        check(&f, &p, "interpreter");
    }
    assert_int_equal(compiles(f.w), CASES);
}

/* As plain functions, whose result is a constant of each specialisation. */
static void calls(void **state)
{
    fixture f;
    open(&f, state);
    for (int which = 0; which < CASES; which++) {
        passed p = pass(&f, which);
        double out = 0, sum = 0;
        cpl_arg args[9] = {cpl_arg_array(CPL_FLOAT64, &out, 1), cpl_arg_int(N),
                           cpl_arg_bound(&f.op)};
        size_t n = put(args, 3, &p);
        for (int i = 0; i < N; i++) sum += p.expected[i];
        int32_t result = -1;
        assert_int_equal(call_once(f.m, "reduce", args, n, &result, NULL), CPL_OK);
        assert_true(out == sum && result == (int32_t)p.count);
        out = result = -1;
        assert_int_equal(interpret_rounds(f.m, "reduce", CPL_FORM_FUNCTION, args, n, 0, &result,
                                          NULL),
                         CPL_OK);
        assert_true(out == sum && result == (int32_t)p.count);
    }
}

/* j is an index where an array comes first. */
static void planes(void **state)
{
    fixture f;
    open(&f, state);
    double x[2][3], y[2][3] = {{1, 2, 3}, {4, 5, 6}};
    const int64_t shape[] = {2, 3};
    cpl_arg args[] = {cpl_arg_int(1), cpl_arg_array_nd(CPL_FLOAT64, x, 2, shape, NULL),
                      cpl_arg_array_nd(CPL_FLOAT64, y, 2, shape, NULL)};
    for (size_t n = 1; n <= 2; n++) {
        assert_int_equal(launch_rounds(f.m, "plane", NULL, args + 1, n, CPL_AUTO, NULL), CPL_OK);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 3; j++)
                assert_true(x[i][j] == (n == 2 ? 100 + y[i][j] : 0) + 10 * i + j);
    }
    memset(x, 0, sizeof x);
    assert_int_equal(launch_rounds(f.m, "plane", NULL, args, 3, 2, NULL), CPL_OK);
    assert_true(x[0][1] == 103 && x[1][1] == 116 && x[0][0] == 0 && x[1][2] == 0);
}

/* Over a grid, and compiled for types. */
static void kernels_for_types(void **state)
{
    fixture f;
    open(&f, state);
    int32_t a[N] = {0}, b[N] = {0};
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, a, N), cpl_arg_array(CPL_INT32, b, N)};
    const int64_t global[3] = {N, 1, 1}, local[3] = {2, 1, 1};
    cpl_kernel *k;
    assert_int_equal(grid_kernel(f.m, "fill", NULL, args, 2, &k), CPL_OK);
    assert_int_equal(run_grid(k, NULL, global, local, args, 2, NULL), CPL_OK);
    assert_true(a[0] == 1 && a[N - 1] == 1 && b[0] == 2 && b[N - 1] == 2);
    cpl_kernel_release(k);
    const cpl_type *types[4] = {NULL};
    assert_int_equal(cpl_type_parse(f.w->cx, "float64[]", &types[0]), CPL_OK);
    assert_int_equal(cpl_type_parse(f.w->cx, "float64[:]", &types[2]), CPL_OK);
    types[3] = types[0];
    cpl_bind binds[] = {{0}, cpl_bind_expression("lambda i, x, y: x[i]*y[i]")};
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = CPL_FORM_ELEMENTWISE;
    spec.types = types;
    spec.type_count = 4;
    spec.binds = binds;
    spec.bind_count = 2;
    assert_int_equal(spec_kernel(f.m, "each", &spec, &k), CPL_OK);
    assert_string_equal(cpl_kernel_signature(k),
                        "void each(int64_t n, double *out, const double *args0, "
                        "const double *args1, int64_t args0_stride)");
    cpl_kernel_release(k);
}

/* What the module says, and types that a host gives to what its function takes. */
static void modules(void **state)
{
    static const char text[] = "def f(x, *rest):\n    return x + rest[0] + rest[1]\n";
    fixture f;
    open(&f, state);
    assert_true(cpl_module_variadic(f.m, "reduce") && cpl_module_variadic(f.m, "fill"));
    assert_false(cpl_module_variadic(f.m, "all") || cpl_module_variadic(f.m, "missing") ||
                 cpl_module_variadic(f.m, NULL) || cpl_module_variadic(NULL, "all"));
    assert_string_equal(cpl_module_parameter(f.m, "each", 3), "args");
    assert_null(cpl_module_parameter(f.m, "each", 4));
    const cpl_type *types[2] = {NULL}, *found;
    assert_int_equal(cpl_type_parse(f.w->cx, "float32", &types[1]), CPL_OK);
    cpl_function_source g = {.size = sizeof g,
                             .file = "host.py",
                             .text = text,
                             .text_size = sizeof text - 1,
                             .types = types,
                             .type_count = 2};
    const cpl_type *more[] = {types[1], types[1], types[1], types[1]};
    cpl_arg args[] = {cpl_arg_int(1), cpl_arg_float(2.5), cpl_arg_int(3)};
    cpl_module *m;
    float result = 0;
    assert_int_equal(cpl_module_from_functions(f.w->cx, &g, 1, &m), CPL_OK);
    assert_true(cpl_module_variadic(m, "f"));
    assert_int_equal(call_once(m, "f", args, 3, &result, &found), CPL_OK);
    assert_ptr_equal(found, types[1]);
    assert_true(result == 6.5f);
    cpl_module_release(m);
    g.types = more;
    g.type_count = 4;
    assert_int_equal(cpl_module_from_functions(f.w->cx, &g, 1, &m), CPL_OK);
    assert_int_equal(call_once(m, "f", args, 3, &result, NULL), CPL_OK);
    cpl_module_release(m);
}

static void refused(void **state)
{
    fixture f;
    open(&f, state);
    passed p = pass(&f, 2);
    cpl_arg args[8] = {cpl_arg_array(CPL_FLOAT64, f.out, N)};
    size_t n = put(args, 1, &p);
    assert_int_equal(launch_rounds(f.m, "each", NULL, args, n - 1, CPL_AUTO, NULL), CPL_ETYPE);
    assert_non_null(strstr(f.w->said.text, "'all' takes 6 arguments, found 5"));
    assert_int_equal(launch_rounds(f.m, "fill", NULL, args, 1, CPL_AUTO, NULL), CPL_ETYPE);
    assert_non_null(strstr(f.w->said.text, "'fill' has no parameter for the index"));
    static const char unread[] = "def f(i, x: {1}, *v):\n    x[i] = 1\n";
    cpl_module *m;
    assert_int_equal(cpl_module_from_source(f.w->cx, "bad.py", unread, sizeof unread - 1, &m),
                     CPL_OK);
    args[1] = args[2] = args[0];
    assert_int_equal(launch_rounds(m, "f", NULL, args, 3, CPL_AUTO, NULL), CPL_ESYNTAX);
    assert_non_null(strstr(f.w->said.text, "sets are not supported"));
    cpl_module_release(m);
    cpl_arg many[65];
    for (int i = 0; i < 65; i++) many[i] = args[0];
    assert_int_equal(interpret_rounds(f.m, "fill", CPL_FORM_FUNCTION, many, 65, 0, NULL, NULL),
                     CPL_ELIMIT);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rounds, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(calls, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(planes, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(kernels_for_types, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(modules, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(refused, set_up_one_tier, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Parameters that stand for something, by every way in: a kernel made for a spec is called and
 * launched without them; launches by name take them among their arguments, and find their kernel
 * again by what they are.
 */
#include "world.h"
#include "launches.h"

#include <pthread.h>
#include <stdio.h>

static const char kernels[] = "def twice(t):\n"
                              "    return 2*t\n"
                              "def map(i, f, x, n, y, T):\n"
                              "    s = declare(T)\n"
                              "    s = x[i]\n"
                              "    for k in static_range(n):\n"
                              "        s = f(s)\n"
                              "    y[i] = s\n"
                              "def fold(op, x, r):\n"
                              "    s = x[0]\n"
                              "    for i in range(1, len(x)):\n"
                              "        s = op(s, x[i])\n"
                              "    r[0] = s\n"
                              "    return s\n";

typedef struct fixture {
    world *w;
    cpl_module *m;
    const cpl_type *f32, *f64, *array;
    double x[5], y[5];
} fixture;

static fixture fixture_of(void **state)
{
    fixture f = {.w = *state};
    cpl_context *cx = f.w->cx;
    assert_int_equal(cpl_module_from_source(cx, "bound.py", kernels, sizeof kernels - 1, &f.m),
                     CPL_OK);
    f.w->module = f.m;
    assert_int_equal(cpl_type_parse(cx, "float32", &f.f32), CPL_OK);
    assert_int_equal(cpl_type_parse(cx, "float64", &f.f64), CPL_OK);
    assert_int_equal(cpl_type_parse(cx, "float64[]", &f.array), CPL_OK);
    for (int i = 0; i < 5; i++) f.x[i] = i + 1, f.y[i] = -1;
    return f;
}

/* y = 2**n * x */
static cpl_status launch(fixture *f, const cpl_bind *function, int64_t n, const cpl_type *type)
{
    cpl_bind rounds = cpl_bind_integer(n), as = cpl_bind_type(type);
    cpl_arg args[] = {cpl_arg_bound(function), cpl_arg_array(CPL_FLOAT64, f->x, 5),
                      cpl_arg_bound(&rounds), cpl_arg_array(CPL_FLOAT64, f->y, 5),
                      cpl_arg_bound(&as)};
    return launch_rounds(f->m, "map", NULL, args, 5, CPL_AUTO, NULL);
}

static void found_again_by_what_they_are(void **state)
{
    fixture f = fixture_of(state);
    cpl_bind twice = cpl_bind_function("twice"), thrice = cpl_bind_expression("lambda t: t*3");
    uint64_t before = compiles(f.w);
    for (int again = 0; again < 3; again++) {
        char text[] = "lambda t: t*3"; /* another address */
        cpl_bind copy = cpl_bind_expression(text);
        assert_int_equal(launch(&f, &twice, 3, f.f64), CPL_OK);
        assert_true(f.y[4] == 40);
        assert_int_equal(launch(&f, &twice, 1, f.f64), CPL_OK);
        assert_true(f.y[4] == 10);
        assert_int_equal(launch(&f, again ? &copy : &thrice, 1, f.f64), CPL_OK);
        assert_true(f.y[4] == 15);
        f.x[4] = 1 + 1e-12;
        assert_int_equal(launch(&f, &thrice, 0, f.f32), CPL_OK);
        assert_true(f.y[4] == 1);
        assert_int_equal(launch(&f, &thrice, 0, f.f64), CPL_OK);
        assert_true(f.y[4] == 1 + 1e-12);
        f.x[4] = 5;
        memset(text, 'x', 5);
    }
    assert_int_equal(compiles(f.w) - before, 5);
}

static void types_of_one_size_are_told_apart(void **state)
{
    fixture f = fixture_of(state);
    const cpl_type *i64, *u64;
    assert_int_equal(cpl_type_parse(f.w->cx, "int64", &i64), CPL_OK);
    assert_int_equal(cpl_type_parse(f.w->cx, "uint64", &u64), CPL_OK);
    const cpl_type *const types[] = {f.f64, i64, u64};
    static const double expected[] = {-2.5, -2, 0};
    cpl_bind same = cpl_bind_expression("lambda t: t");
    uint64_t before = compiles(f.w);
    f.x[4] = -2.5;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(launch(&f, &same, 0, types[i % 3]), CPL_OK);
        assert_true(f.y[4] == expected[i % 3]);
    }
    assert_int_equal(compiles(f.w) - before, 3);
}

/* A kernel for a spec, and one for arguments: neither takes what is bound. */
static void kernels_take_the_others(void **state)
{
    fixture f = fixture_of(state);
    cpl_bind binds[] = {cpl_bind_expression("a*b")};
    const cpl_type *types[] = {NULL, f.array, f.array};
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.types = types;
    spec.type_count = 3;
    spec.binds = binds;
    spec.bind_count = 1;
    cpl_kernel *k;
    assert_int_equal(spec_kernel(f.m, "fold", &spec, &k), CPL_OK);
    const char *name;
    assert_non_null(cpl_kernel_parameter(k, 0, &name));
    assert_string_equal(name, "x");
    assert_non_null(strstr(cpl_kernel_types(k), "op = function 'a*b'"));
    double result, r = 0;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, f.x, 5), cpl_arg_array(CPL_FLOAT64, &r, 1)};
    assert_int_equal(run_once(k, NULL, args, 2, &result), CPL_OK);
    assert_true(result == 120 && r == 120);
    cpl_kernel_release(k);
    cpl_bind twice = cpl_bind_function("twice"), two = cpl_bind_integer(2),
             real = cpl_bind_type(f.f64);
    cpl_arg all[] = {cpl_arg_bound(&twice), cpl_arg_array(CPL_FLOAT64, f.x, 5), cpl_arg_bound(&two),
                     cpl_arg_array(CPL_FLOAT64, f.y, 5), cpl_arg_bound(&real)};
    assert_int_equal(rounds_kernel(f.m, "map", all, 5, &k), CPL_OK);
    cpl_arg values[] = {all[1], all[3]};
    assert_int_equal(run_rounds(k, NULL, values, 2, CPL_AUTO, NULL), CPL_OK);
    assert_true(f.y[3] == 16);
    assert_int_equal(run_rounds(k, NULL, all, 5, CPL_AUTO, NULL), CPL_EARG);
    cpl_arg mixed[] = {all[0], all[1]};
    assert_int_equal(run_rounds(k, NULL, mixed, 2, CPL_AUTO, NULL), CPL_EARG);
    cpl_kernel_release(k);
}

/* A kernel that is held has texts of its own, of each thing that is bound. */
static void kernels_keep_texts(void **state)
{
    fixture f = fixture_of(state);
    static const char text[] = "def three(i, f, g, h, x):\n"
                               "    x[i] = f(x[i]) + g(x[i]) + h(x[i])\n";
    cpl_module *m;
    assert_int_equal(cpl_module_from_source(f.w->cx, "three.py", text, sizeof text - 1, &m),
                     CPL_OK);
    char texts[3][32] = {"lambda t: 3*t", "lambda t: 5*t", "lambda t: 7*t"};
    const cpl_bind binds[] = {cpl_bind_expression(texts[0]), cpl_bind_expression(texts[1]),
                              cpl_bind_expression(texts[2])};
    const cpl_type *types[] = {NULL, NULL, NULL, f.array};
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.types = types;
    spec.type_count = 4;
    spec.binds = binds;
    spec.bind_count = 3;
    spec.form = CPL_FORM_ELEMENTWISE;
    cpl_kernel *k;
    assert_int_equal(spec_kernel(m, "three", &spec, &k), CPL_OK);
    for (int i = 0; i < 3; i++) memset(texts[i], '?', sizeof texts[i] - 1);
    cpl_blob blob = {0};
    assert_int_equal(cpl_kernel_emit(k, CPL_STAGE_IR, NULL, &blob), CPL_OK);
    char *emitted = test_malloc(blob.size + 1);
    memcpy(emitted, blob.data, blob.size);
    emitted[blob.size] = '\0';
    for (int i = 0; i < 3; i++) {
        static const char *const factors[] = {"3.0:", "5.0:", "7.0:"};
        if (!strstr(emitted, factors[i])) fail_msg("%s", emitted);
    }
    test_free(emitted);
    cpl_blob_free(&blob);
    cpl_kernel_release(k);
    cpl_module_release(m);
}

static void calls_and_the_interpreter(void **state)
{
    fixture f = fixture_of(state);
    const char *const texts[] = {"a + b", "a*b", "max(a, b)", "lambda p, q: p - q"};
    const double expected[] = {15, 120, 5, -13};
    for (int i = 0; i < 4; i++) {
        cpl_bind op = cpl_bind_expression(texts[i]);
        double r = 0, result = 0;
        cpl_arg args[] = {cpl_arg_bound(&op), cpl_arg_array(CPL_FLOAT64, f.x, 5),
                          cpl_arg_array(CPL_FLOAT64, &r, 1)};
        assert_int_equal(call_once(f.m, "fold", args, 3, &result, NULL), CPL_OK);
        assert_true(result == expected[i] && r == expected[i]);
        r = result = 0;
        assert_int_equal(interpret_rounds(f.m, "fold", CPL_FORM_FUNCTION, args, 3, 0, &result,
                                          NULL),
                         CPL_OK);
        assert_true(result == expected[i] && r == expected[i]);
        r = result = 0;
        assert_int_equal(call_once_on(f.m, "fold", NULL, args, 3, &result, NULL), CPL_OK);
        assert_true(result == expected[i] && r == expected[i]);
    }
}

/* Variants of a kernel (overlapping arrays) keep what is bound. */
static void variants_keep_it(void **state)
{
    fixture f = fixture_of(state);
    cpl_bind twice = cpl_bind_expression("lambda t: 2*t"), one = cpl_bind_integer(1),
             real = cpl_bind_type(f.f64);
    cpl_arg args[] = {cpl_arg_bound(&twice), cpl_arg_array(CPL_FLOAT64, f.x, 4),
                      cpl_arg_bound(&one), cpl_arg_array(CPL_FLOAT64, f.x + 1, 4),
                      cpl_arg_bound(&real)};
    assert_int_equal(launch_rounds(f.m, "map", NULL, args, 5, CPL_AUTO, NULL), CPL_OK);
    assert_true(f.x[4] == 16); /* in order: each round reads what the one before wrote */
}

static double first(double t)
{
    return 3 * t;
}

static double second(double t)
{
    return 5 * t;
}

static void *address_of(double (*function)(double))
{
    void *address; /* ISO C has no cast from function to object pointer */
    memcpy(&address, &function, sizeof address);
    return address;
}

/* Helpers have an instance for each thing that an argument stands for, and one alone. */
static void things_of_one_kind_are_told_apart(void **state)
{
    static const char text[] = "def one(t):\n    return t + 1\n"
                               "def two(t):\n    return t + 2\n"
                               "def apply(f, t):\n    return f(t)\n"
                               "def hold(T, t):\n    s = declare(T)\n    s = t\n    return s\n"
                               "def sum(n, t):\n    s = 0.0\n    for k in static_range(n):\n"
                               "        s += t\n    return s\n"
                               "def all(r):\n"
                               "    r[0] = apply(one, 16.0)\n    r[1] = apply(two, 16.0)\n"
                               "    r[2] = apply(first, 16.0)\n    r[3] = apply(second, 16.0)\n"
                               "    r[4] = apply(sqrt, 16.0)\n    r[5] = apply(exp2, 16.0)\n"
                               "    r[6] = hold(uint8, 300)\n    r[7] = hold(int16, 300)\n"
                               "    r[8] = sum(2, 16.0)\n    r[9] = sum(3, 16.0)\n"
                               "    r[10] = apply(first, 16.0) + apply(one, 16.0)\n"
                               "    r[11] = apply(two, 16.0) + apply(second, 16.0)\n"
                               "    r[12] = sum(-1, 16.0)\n    r[13] = hold(int64, 300)\n";
    static const double expected[] = {17, 18, 48, 80, 4, 65536, 44, 300, 32, 48, 65, 98, 0, 300};
    world *w = *state;
    const char *signature = "float64(float64)";
    assert_int_equal(cpl_extern_register(w->cx, "first", signature, address_of(first), true),
                     CPL_OK);
    assert_int_equal(cpl_extern_register(w->cx, "second", signature, address_of(second), true),
                     CPL_OK);
    assert_int_equal(cpl_module_from_source(w->cx, "all.py", text, sizeof text - 1, &w->module),
                     CPL_OK);
    for (int way = 0; way < 2; way++) {
        double r[14] = {0};
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, r, 14)};
        assert_int_equal(way ? interpret_rounds(w->module, "all", CPL_FORM_FUNCTION, args, 1, 0,
                                                NULL, NULL)
                             : call_once(w->module, "all", args, 1, NULL, NULL),
                         CPL_OK);
        for (int i = 0; i < 14; i++) assert_true(r[i] == expected[i]);
    }
}

enum { THREADS = 4, TEXTS = 6 };

typedef struct binder {
    cpl_module *m;
    int first; /* which text it begins with */
    int wrong;
} binder;

static void *bind_all(void *arg)
{
    binder *b = arg;
    for (int i = 0; i < TEXTS; i++) {
        int k = (b->first + i) % TEXTS;
        char text[32];
        snprintf(text, sizeof text, "a + %d*b", k);
        cpl_bind op = cpl_bind_expression(text);
        double x[2] = {1, 2}, r = 0, result = 0;
        cpl_arg args[] = {cpl_arg_bound(&op), cpl_arg_array(CPL_FLOAT64, x, 2),
                          cpl_arg_array(CPL_FLOAT64, &r, 1)};
        cpl_status status = call_once(b->m, "fold", args, 3, &result, NULL);
        b->wrong += status != CPL_OK || result != 1 + 2 * k;
    }
    return NULL;
}

static void by_several_threads(void **state)
{
    fixture f = fixture_of(state);
    binder binders[THREADS];
    pthread_t threads[THREADS];
    uint64_t before = compiles(f.w);
    for (int i = 0; i < THREADS; i++) {
        binders[i] = (binder){.m = f.m, .first = i / 2};
        assert_int_equal(pthread_create(&threads[i], NULL, bind_all, &binders[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) assert_int_equal(binders[i].wrong, 0);
    assert_int_equal(compiles(f.w) - before, TEXTS);
}

static void refused(void **state)
{
    fixture f = fixture_of(state);
    cpl_context *other;
    const cpl_type *foreign;
    assert_int_equal(cpl_context_create(NULL, &other), CPL_OK);
    assert_int_equal(cpl_type_parse(other, "float64", &foreign), CPL_OK);
    const cpl_bind wrong[] = {{.kind = (cpl_bind_kind)9},
                              {.kind = CPL_BIND_FUNCTION},
                              {.kind = CPL_BIND_EXPRESSION},
                              {.kind = CPL_BIND_TYPE},
                              {.kind = CPL_BIND_TYPE, .type = foreign}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(launch(&f, &wrong[i], 1, f.f64), CPL_EARG);
    const cpl_bind none_and_type[] = {cpl_bind_integer(3)};
    cpl_spec spec;
    cpl_blob blob = {0};
    cpl_spec_init(&spec);
    spec.types = &f.f64;
    spec.binds = none_and_type;
    spec.type_count = spec.bind_count = 1;
    assert_int_equal(cpl_module_emit(f.m, "twice", &spec, CPL_STAGE_TYPES, NULL, &blob), CPL_EARG);
    assert_non_null(strstr(f.w->said.text, "parameter 1 has a type, and stands for something too"));
    const cpl_bind unknown = cpl_bind_function("nothing"), bad = cpl_bind_expression("a +");
    assert_int_equal(launch(&f, &unknown, 1, f.f64), CPL_ENOTFOUND);
    assert_int_equal(launch(&f, &bad, 1, f.f64), CPL_ESYNTAX);
    assert_int_equal(launch(&f, &bad, 1, f.f64), CPL_ESYNTAX);
    size_t large = ((size_t)64 << 20) + 1;
    char *text = test_malloc(large + 1);
    memset(text, ' ', large);
    memcpy(text, "lambda t: t", 11);
    text[large] = '\0';
    const cpl_bind endless = cpl_bind_expression(text), named = cpl_bind_function(text);
    assert_int_equal(launch(&f, &endless, 1, f.f64), CPL_ELIMIT);
    assert_int_equal(launch(&f, &named, 1, f.f64), CPL_ELIMIT);
    test_free(text);
    cpl_arg none = cpl_arg_bound(NULL);
    assert_int_equal(call_once(f.m, "twice", &none, 1, NULL, NULL), CPL_EARG);
    for (int i = 0; i < 5; i++) assert_true(f.y[i] == -1);
    cpl_context_release(other);
}

/* Its functions are what they are. */
static void refused_by_typed_ir(void **state)
{
    static const char text[] =
        "cir 1\nentry func twice(a: float64) -> float64 {\n  return mul(2.0:float64, a)\n}\n";
    world *w = *state;
    assert_int_equal(cpl_module_from_ir(w->cx, "bound.cir", text, sizeof text - 1, &w->module),
                     CPL_OK);
    cpl_bind four = cpl_bind_integer(4), nothing = {.kind = CPL_BIND_NONE};
    cpl_arg args[] = {cpl_arg_float(3), cpl_arg_bound(&four)};
    double result = 0;
    assert_int_equal(call_once(w->module, "twice", args, 2, &result, NULL), CPL_EARG);
    assert_non_null(strstr(w->said.text, "'bound.cir' holds typed IR, whose parameters"));
    assert_int_equal(call_once_on(w->module, "twice", NULL, args, 2, &result, NULL), CPL_EARG);
    assert_int_equal(interpret_rounds(w->module, "twice", CPL_FORM_FUNCTION, args, 2, 0, &result,
                                      NULL),
                     CPL_EARG);
    assert_int_equal(call_once(w->module, "twice", args, 1, &result, NULL), CPL_OK);
    assert_true(result == 6);
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.binds = &four;
    spec.bind_count = 1;
    cpl_kernel *k;
    cpl_blob out;
    assert_int_equal(spec_kernel(w->module, "twice", &spec, &k), CPL_EARG);
    assert_int_equal(cpl_module_emit(w->module, "twice", &spec, CPL_STAGE_IR, NULL, &out),
                     CPL_EARG);
    spec.binds = &nothing;
    assert_int_equal(spec_kernel(w->module, "twice", &spec, &k), CPL_OK);
    cpl_kernel_release(k);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(found_again_by_what_they_are, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(types_of_one_size_are_told_apart, set_up_one_tier,
                                        tear_down),
        cmocka_unit_test_setup_teardown(kernels_take_the_others, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(kernels_keep_texts, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(calls_and_the_interpreter, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(variants_keep_it, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(things_of_one_kind_are_told_apart, set_up_one_tier,
                                        tear_down),
        cmocka_unit_test_setup_teardown(by_several_threads, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(refused, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(refused_by_typed_ir, set_up_one_tier, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

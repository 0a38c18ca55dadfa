/* The public C API: contexts, modules, kernels, launches, externs, and what they do when memory
 * runs out. */
#include "world.h"
#include "launches.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static cpl_module *module(world *w, const char *text)
{
    cpl_module *m = NULL;
    cpl_status status = cpl_module_from_source(w->cx, "kernel.py", text, strlen(text), &m);
    if (status) print_error("%s", w->said.text);
    assert_int_equal(status, CPL_OK);
    return m;
}

static const char axpb[] = "from math import sin\n"
                           "def axpb(i, x, y, a, b):\n"
                           "    y[i] = a*sin(x[i]) + b\n";

static void elementwise_launch(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, axpb);
    enum { N = 10007 };
    double *x = malloc(N * sizeof *x), *y = calloc(N, sizeof *y);
    for (int i = 0; i < N; i++) x[i] = 0.001 * i;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_array(CPL_FLOAT64, y, N),
                      cpl_arg_float(2.5), cpl_arg_int(1)};
    assert_int_equal(launch_rounds(m, "axpb", NULL, args, 4, CPL_AUTO, NULL), CPL_OK);
    for (int i = 0; i < N; i++) assert_true(fabs(y[i] - (2.5 * sin(x[i]) + 1)) < 1e-14);

    float *xf = malloc(N * sizeof *xf), *yf = calloc(N, sizeof *yf);
    for (int i = 0; i < N; i++) xf[i] = (float)x[i];
    args[0] = cpl_arg_array(CPL_FLOAT32, xf, N);
    args[1] = cpl_arg_array(CPL_FLOAT32, yf, N);
    assert_int_equal(launch_rounds(m, NULL, NULL, args, 4, CPL_AUTO, NULL), CPL_OK);
    for (int i = 0; i < N; i++) assert_true(fabs(yf[i] - (2.5 * sin(xf[i]) + 1)) < 2e-6);

    cpl_stats stats = {.size = sizeof stats};
    assert_int_equal(cpl_context_stats(w->cx, &stats), CPL_OK);
    assert_int_equal(stats.compiles, 2);
    assert_int_equal(launch_rounds(m, "axpb", NULL, args, 4, 5, NULL), CPL_OK);
    assert_int_equal(cpl_context_stats(w->cx, &stats), CPL_OK);
    assert_int_equal(stats.compiles, 2);
    assert_int_equal(stats.hits, 1);
    free(x), free(y), free(xf), free(yf);
    cpl_module_release(m);
}

/* More kernels than a module has lists of launches: each is found again, and no other in its place.
 */
static void many_kernels_by_name(void **state)
{
    enum { MANY = 70 };
    world *w = *state;
    char text[MANY * 48], name[16];
    size_t size = 0;
    for (int i = 0; i < MANY; i++)
        size += (size_t)snprintf(text + size, sizeof text - size,
                                 "def f%d(i, x):\n    x[i] += %d\n", i, i);
    cpl_module *m = module(w, text);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < MANY; i++) {
            int32_t x = 0;
            int64_t y = 0;
            cpl_arg args[] = {cpl_arg_array(CPL_INT32, &x, 1), cpl_arg_array(CPL_INT64, &y, 1)};
            snprintf(name, sizeof name, "f%d", i);
            assert_int_equal(launch_rounds(m, name, NULL, &args[0], 1, CPL_AUTO, NULL), CPL_OK);
            assert_int_equal(launch_rounds(m, name, NULL, &args[1], 1, CPL_AUTO, NULL), CPL_OK);
            assert_int_equal(x, i);
            assert_int_equal(y, i);
        }
    cpl_stats stats = {.size = sizeof stats};
    assert_int_equal(cpl_context_stats(w->cx, &stats), CPL_OK);
    assert_int_equal(stats.compiles, 2 * MANY);
    assert_int_equal(stats.hits, 2 * MANY);
    cpl_module_release(m);
}

static void zero_and_one_iterations(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "def inc(i, x):\n    x[i] += 1\n");
    int32_t x[3] = {1, 2, 3};
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, 3)};
    assert_int_equal(launch_rounds(m, "inc", NULL, args, 1, 0, NULL), CPL_OK);
    assert_int_equal(x[0], 1);
    assert_int_equal(launch_rounds(m, "inc", NULL, args, 1, 1, NULL), CPL_OK);
    assert_int_equal(x[0], 2);
    assert_int_equal(x[1], 2);
    cpl_module_release(m);
}

static void strided_arrays(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "def twice(i, x, y):\n    y[i] = 2*x[i]\n");
    float x[20], y[10];
    for (int i = 0; i < 20; i++) x[i] = (float)i;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT32, x, 10), cpl_arg_array(CPL_FLOAT32, y + 9, 10)};
    args[0].stride = 8;
    args[1].stride = -4;
    assert_int_equal(launch_rounds(m, "twice", NULL, args, 2, CPL_AUTO, NULL), CPL_OK);
    for (int i = 0; i < 10; i++) assert_true(y[9 - i] == 4.0f * (float)i);
    cpl_module_release(m);
}

/* Overlapping arguments run in order: each element sees what the one before it wrote. */
static void overlapping_arrays(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "def shift(i, x, y):\n    y[i] = x[i] + 1\n");
    enum { N = 1000 };
    int64_t x[N + 1] = {0};
    cpl_arg args[] = {cpl_arg_array(CPL_INT64, x, N), cpl_arg_array(CPL_INT64, x + 1, N)};
    assert_int_equal(launch_rounds(m, "shift", NULL, args, 2, CPL_AUTO, NULL), CPL_OK);
    for (int i = 0; i <= N; i++) assert_int_equal(x[i], i);
    cpl_module_release(m);
}

static void plain_calls(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "def power(x, n):\n"
                              "    p = 1.0\n"
                              "    for i in range(n):\n"
                              "        p *= x\n"
                              "    return p\n");
    cpl_arg args[] = {cpl_arg_float(1.5), cpl_arg_int(4)};
    double result = 0;
    const cpl_type *type = NULL;
    assert_int_equal(call_once(m, "power", args, 2, &result, &type), CPL_OK);
    assert_true(result == 1.5 * 1.5 * 1.5 * 1.5);
    assert_string_equal(cpl_type_text(type), "float64");
    double again = 0;
    assert_int_equal(interpret_rounds(m, "power", CPL_FORM_FUNCTION, args, 2, 0, &again, &type),
                     CPL_OK);
    assert_true(again == result);

    const cpl_type *types[2];
    cpl_type_parse(w->cx, "float32", &types[0]);
    cpl_type_parse(w->cx, "int16", &types[1]);
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.types = types;
    spec.type_count = 2;
    cpl_kernel *k;
    assert_int_equal(spec_kernel(m, "power", &spec, &k), CPL_OK);
    assert_string_equal(cpl_kernel_signature(k), "float power(float x, int16_t n)");
    float (*power)(float, int16_t) = (float (*)(float, int16_t))(uintptr_t)cpl_kernel_address(k);
    assert_true(power(2.0f, 10) == 1024.0f);
    assert_true(power(2.0f, -3) == 1.0f);
    float launched = 0;
    cpl_arg values[] = {cpl_arg_float(3), cpl_arg_int(3)};
    assert_int_equal(run_once(k, NULL, values, 2, &launched), CPL_OK);
    assert_true(launched == 27.0f);
    assert_int_equal(run_once(k, NULL, values, 1, &launched), CPL_EARG);
    cpl_kernel_release(k);
    cpl_module_release(m);
}

/* A struct that the host program declares: arrays of it, and a pointer to one. */
static void structs_of_the_host(void **state)
{
    world *w = *state;
    struct pair {
        int32_t count;
        double weight;
    } pairs[5] = {{1, 0.5}, {2, 0.5}, {3, 0.5}, {4, 0.5}, {5, 0.5}};
    const cpl_type *i32, *f64, *pair, *again;
    cpl_type_parse(w->cx, "int32", &i32);
    cpl_type_parse(w->cx, "float64", &f64);
    cpl_field fields[] = {{"count", i32, 0}, {"weight", f64, 0}};
    assert_int_equal(cpl_type_struct(w->cx, "pair", fields, 2, &pair), CPL_OK);
    assert_int_equal(cpl_type_size(pair), sizeof(struct pair));
    assert_int_equal(cpl_type_struct(w->cx, "pair", fields, 1, &again), CPL_EEXIST);
    cpl_module *m = module(w, "def scale(i, p, a):\n"
                              "    p[i].weight += a*p[i].count\n"
                              "    p[i].count = 0\n");
    cpl_arg args[] = {cpl_arg_array(CPL_VOID, pairs, 5), cpl_arg_float(2)};
    args[0].record = pair;
    assert_int_equal(launch_rounds(m, "scale", NULL, args, 2, CPL_AUTO, NULL), CPL_OK);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(pairs[i].count, 0);
        assert_true(pairs[i].weight == 0.5 + 2.0 * (i + 1));
    }
    cpl_module_release(m);
}

static double plus_one(double x)
{
    return x + 1;
}

static void external_functions(void **state)
{
    world *w = *state;
    assert_int_equal(cpl_extern_register(w->cx, "plus_one", "float64(float64)",
                                         (void *)(uintptr_t)plus_one, true),
                     CPL_OK);
    assert_int_equal(cpl_extern_register(w->cx, "plus_one", "float64(float64)",
                                         (void *)(uintptr_t)plus_one, true),
                     CPL_OK);
    assert_int_equal(cpl_extern_register(w->cx, "plus_one", "float32(float32)",
                                         (void *)(uintptr_t)plus_one, true),
                     CPL_EEXIST);
    assert_int_equal(cpl_extern_register(w->cx, "bad name", "float64()",
                                         (void *)(uintptr_t)plus_one, true),
                     CPL_EARG);
    assert_int_equal(cpl_extern_register(w->cx, "f", "float64(float64", (void *)(uintptr_t)plus_one,
                                         true),
                     CPL_EARG);
    assert_int_equal(cpl_extern_register(w->cx, "f", "float64(quaternion)",
                                         (void *)(uintptr_t)plus_one, true),
                     CPL_EARG);
    assert_int_equal(cpl_extern_register_library(w->cx, "cosine", "float64(float64)", "libm.so.6",
                                                 "cos", true),
                     CPL_OK);
    assert_int_equal(cpl_extern_register_library(w->cx, "g", "float64(float64)", "libm.so.6",
                                                 "no_such", true),
                     CPL_ENODEVICE);
    assert_int_equal(cpl_extern_register_library(w->cx, "g", "float64(float64)", "libnothing.so",
                                                 "f", true),
                     CPL_ENODEVICE);
    cpl_module *m = module(w, "def f(i, y, x):\n    y[i] = plus_one(x) + cosine(0.0)\n");
    double y[4] = {0};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, y, 4), cpl_arg_float(40)};
    assert_int_equal(launch_rounds(m, "f", NULL, args, 2, CPL_AUTO, NULL), CPL_OK);
    assert_true(y[3] == 42);
    cpl_module_release(m);
}

/* A kernel for each spec: the same one for the same, none that another made. */
enum { MOST_SPECS = 64 };

typedef struct kernels {
    cpl_module *m;
    cpl_kernel *made[MOST_SPECS];
    size_t count;
} kernels;

static void make_kernel(kernels *k, const char *function, const cpl_spec *spec, const char *what)
{
    cpl_kernel *again;
    assert_true(k->count < MOST_SPECS);
    cpl_kernel **made = &k->made[k->count++];
    assert_int_equal(spec_kernel(k->m, function, spec, made), CPL_OK);
    assert_int_equal(spec_kernel(k->m, function, spec, &again), CPL_OK);
    if (again != *made) fail_msg("%s: the same spec gives another kernel", what);
    cpl_kernel_release(again);
    for (size_t i = 0; i + 1 < k->count; i++)
        if (k->made[i] == *made) fail_msg("%s: it is the %zuth spec's kernel", what, i);
}

static void make_with_option(world *w, kernels *k, cpl_spec spec, size_t option)
{
    int64_t options[MOST_SPECS], value;
    const char *name = cpl_option_name(option, NULL);
    for (size_t i = 0; i < MOST_SPECS; i++) options[i] = INT64_MIN;
    assert_int_equal(cpl_context_get_option(w->cx, name, &value), CPL_OK);
    options[option] = value > 0 ? value - 1 : 1;
    spec.options = options;
    spec.option_count = option + 1;
    make_kernel(k, "f", &spec, name);
}

static void each_part_of_a_spec_counts(void **state)
{
    world *w = *state;
    kernels k = {.m = module(w, "def f(a):\n    return a*a + 3\ndef g(a):\n    return a*a + 3\n")};
    const cpl_type *types[2];
    assert_int_equal(cpl_type_parse(w->cx, "float64", &types[0]), CPL_OK);
    assert_int_equal(cpl_type_parse(w->cx, "float32", &types[1]), CPL_OK);
    cpl_spec base, spec;
    cpl_spec_init(&base);
    base.types = types;
    base.type_count = 1;
    make_kernel(&k, "f", &base, "the first");
    make_kernel(&k, "g", &base, "function");
    spec = base, spec.types = types + 1;
    make_kernel(&k, "f", &spec, "types");
    spec = base, spec.type_count = 0, spec.form = CPL_FORM_ELEMENTWISE;
    make_kernel(&k, "f", &spec, "form");
    static const char *const passes[] = {"fold", "dce", "fold,dce", ""}, /* "": none, not all */
        *const targets[] = {"cuda:sm_80", "cuda:sm_90", "opencl:c1.2", "opencl:spv1.2"};
    for (int i = 0; i < 4; i++) {
        spec = base, spec.passes = passes[i];
        make_kernel(&k, "f", &spec, passes[i][0] ? passes[i] : "no passes");
        spec = base, spec.target = targets[i];
        make_kernel(&k, "f", &spec, targets[i]);
    }
    for (size_t i = 0; cpl_option_name(i, NULL); i++) make_with_option(w, &k, base, i);
    while (k.count) cpl_kernel_release(k.made[--k.count]);
    cpl_module_release(k.m);
}

static void bounds_are_reported(void **state)
{
    world *w = *state;
    assert_int_equal(cpl_context_set_option(w->cx, "bounds_check", 1), CPL_OK);
    cpl_module *m = module(w, "def gather(i, y, x, k):\n    y[i] = x[k[i]]\n");
    double x[3] = {1, 2, 3}, y[4] = {9, 9, 9, 9};
    int32_t k[4] = {0, 2, 3, 1};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, y, 4), cpl_arg_array(CPL_FLOAT64, x, 3),
                      cpl_arg_array(CPL_INT32, k, 4)};
    assert_int_equal(launch_rounds(m, "gather", NULL, args, 3, CPL_AUTO, NULL), CPL_EBOUNDS);
    assert_true(y[0] == 1 && y[1] == 3 && y[2] == 0 && y[3] == 2);
    assert_non_null(strstr(w->said.text, "kernel.py:2"));
    assert_non_null(strstr(w->said.text, "'gather'"));
    assert_non_null(strstr(w->said.text, "index 3 is out of bounds of 'x', which has 3 elements"));
    k[2] = 0;
    assert_int_equal(launch_rounds(m, "gather", NULL, args, 3, CPL_AUTO, NULL), CPL_OK);
    cpl_module_release(m);
}

static void bad_arguments(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, axpb);
    double x[4] = {0};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 4), cpl_arg_array(CPL_FLOAT64, x, 4),
                      cpl_arg_float(1), cpl_arg_float(1)};
    assert_int_not_equal(launch_rounds(m, "axpb", NULL, args, 3, CPL_AUTO, NULL), CPL_OK);
    assert_int_equal(launch_rounds(m, "nothing", NULL, args, 4, CPL_AUTO, NULL), CPL_ENOTFOUND);
    assert_int_equal(launch_rounds(m, "axpb", NULL, args, 4, -7, NULL), CPL_EARG);
    assert_int_equal(launch_rounds(m, "axpb", NULL, NULL, 4, CPL_AUTO, NULL), CPL_EARG);
    assert_int_equal(launch_rounds(NULL, "axpb", NULL, args, 4, CPL_AUTO, NULL), CPL_EARG);
    args[0].data = (char *)x + 1;
    assert_int_equal(launch_rounds(m, "axpb", NULL, args, 4, 3, NULL), CPL_EARG);
    args[0].data = NULL;
    assert_int_equal(launch_rounds(m, "axpb", NULL, args, 4, 3, NULL), CPL_EARG);
    args[0] = cpl_arg_array(CPL_BFLOAT16, x, 4);
    assert_int_equal(launch_rounds(m, "axpb", NULL, args, 4, 3, NULL), CPL_EARG);
    args[0] = cpl_arg_array(CPL_FLOAT64, x, -1);
    assert_int_equal(launch_rounds(m, "axpb", NULL, args, 4, 3, NULL), CPL_EARG);
    assert_int_equal(cpl_context_set_option(w->cx, "fast_mth", 1), CPL_ENOTFOUND);
    assert_non_null(strstr(w->said.text, "did you mean 'fast_math'?"));
    assert_int_equal(cpl_context_set_option(w->cx, "opt_level", 9), CPL_EARG);
    cpl_module *none = (cpl_module *)1;
    assert_int_equal(cpl_module_from_file(w->cx, "no/such/file.py", &none), CPL_EIO);
    assert_null(none);
    cpl_module_release(m);
}

static void modules_know_their_functions(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "def f(i, x):\n    pass\n\nclass C:\n    def g(self): pass\n\ndef "
                              "h(a=1, *b):\n    yield 3\n");
    assert_string_equal(cpl_module_function(m, 0), "f");
    assert_string_equal(cpl_module_function(m, 1), "h");
    assert_null(cpl_module_function(m, 2));
    assert_string_equal(cpl_module_parameter(m, "f", 1), "x");
    assert_null(cpl_module_parameter(m, "f", 2));
    assert_null(cpl_module_parameter(m, "g", 0));
    assert_false(cpl_module_is_ir(m));
    cpl_module_release(m);
}

/* A default's text is read as a literal of the same kind, and has the same bits. */
static void number_has_text(world *w, const char *literal, double number)
{
    char source[100], *end;
    snprintf(source, sizeof source, "def f(a, b=%s):\n    pass\n", literal);
    cpl_module *m = module(w, source);
    assert_null(cpl_module_parameter_default(m, "f", 0));
    const char *text = cpl_module_parameter_default(m, "f", 1);
    if (!text) fail_msg("%s is not read", literal);
    double got = strtod(text, &end);
    bool is_float = strpbrk(literal, ".e"), reads_as_float = strpbrk(text, ".e");
    if (*end || memcmp(&got, &number, sizeof got) || is_float != reads_as_float)
        fail_msg("%s has the text %s", literal, text);
    assert_null(cpl_module_parameter_default(m, "f", 2));
    cpl_module_release(m);
}

static void defaults_are_texts(void **state)
{
    static const char *const digits[] = {"1", "-1", "9.5", "-1.7976931348623157", "+2.5", "0."};
    static const char *const others[] = {"",     "None", "'1'",     "[1]",      "1+1",
                                         "LEFT", "-x",   "len('')", "lambda: 1"};
    world *w = *state;
    char literal[60];
    for (size_t i = 0; i < COUNT(digits); i++) {
        number_has_text(w, digits[i], strtod(digits[i], NULL));
        for (int exponent = -324; exponent <= 308; exponent++) {
            snprintf(literal, sizeof literal, "%se%d", digits[i], exponent);
            double number = strtod(literal, NULL);
            if (isfinite(number)) number_has_text(w, literal, number);
        }
    }
    for (int shift = 0; shift < 53; shift++) {
        snprintf(literal, sizeof literal, "%s%" PRIu64, shift % 2 ? "-" : "", UINT64_C(1) << shift);
        number_has_text(w, literal, strtod(literal, NULL));
        strcat(literal, ".0");
        number_has_text(w, literal, strtod(literal, NULL));
    }
    for (size_t i = 0; i < COUNT(others); i++) {
        char source[100];
        snprintf(source, sizeof source, "def f(a%s%s):\n    pass\n", *others[i] ? "=" : "",
                 others[i]);
        cpl_module *m = module(w, source);
        assert_null(cpl_module_parameter_default(m, "f", 0));
        cpl_module_release(m);
    }
}

static void stages_as_text(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, axpb);
    const char *names[] = {"float64[]", "float64[]", "float64", "float64"};
    const cpl_type *types[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(cpl_type_parse(w->cx, names[i], &types[i]), CPL_OK);
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = CPL_FORM_ELEMENTWISE;
    spec.types = types;
    spec.type_count = 4;
    static const char *const expected[] = {"NAME",         "axpb",   "float64",
                                           "parallel for", "define", ".text"};
    for (int stage = 0; stage <= CPL_STAGE_OBJ; stage++) {
        cpl_blob text;
        assert_int_equal(cpl_module_emit(m, "axpb", &spec, (cpl_stage)stage, NULL, &text), CPL_OK);
        if (stage < CPL_STAGE_OBJ) assert_non_null(strstr(text.data, expected[stage]));
        else assert_memory_equal(text.data, "\177ELF", 4);
        cpl_blob_free(&text);
    }
    /* the IR of one module is a module again */
    cpl_blob ir;
    assert_int_equal(cpl_module_emit(m, "axpb", &spec, CPL_STAGE_IR, NULL, &ir), CPL_OK);
    cpl_module *again;
    assert_int_equal(cpl_module_from_ir(w->cx, "axpb.cir", ir.data, ir.size, &again), CPL_OK);
    assert_true(cpl_module_is_ir(again));
    double x[3] = {0, 1, 2}, y[3];
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 3), cpl_arg_array(CPL_FLOAT64, y, 3),
                      cpl_arg_float(1), cpl_arg_float(0)};
    assert_int_equal(launch_rounds(again, "axpb", NULL, args, 4, CPL_AUTO, NULL), CPL_OK);
    assert_true(fabs(y[2] - sin(2)) < 1e-15);
    cpl_blob_free(&ir);
    cpl_module_release(again);
    cpl_module_release(m);
}

/* The assembly of axpb where one option has a value; NULL where that is refused. */
static char *assembly(cpl_module *m, cpl_spec spec, size_t option, int64_t value)
{
    int64_t options[MOST_SPECS];
    cpl_blob text;
    for (size_t i = 0; i < MOST_SPECS; i++) options[i] = INT64_MIN;
    options[option] = value;
    spec.options = options;
    spec.option_count = option + 1;
    if (cpl_module_emit(m, "axpb", &spec, CPL_STAGE_ASM, NULL, &text)) return NULL;
    char *copy = strdup(text.data);
    cpl_blob_free(&text);
    return copy;
}

/* The small values of each option, there and back: what a process compiled before leaves no trace
 * in its code. */
static void code_knows_nothing_of_other_code(void **state)
{
    enum { VALUES = 5 };
    world *w = *state;
    cpl_module *m = module(w, axpb);
    const cpl_type *types[4] = {NULL};
    assert_int_equal(cpl_type_parse(w->cx, "float64[]", &types[0]), CPL_OK);
    assert_int_equal(cpl_type_parse(w->cx, "float64", &types[2]), CPL_OK);
    types[1] = types[0], types[3] = types[2];
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = CPL_FORM_ELEMENTWISE;
    spec.types = types;
    spec.type_count = 4;
    char *made[MOST_SPECS * VALUES] = {NULL};
    size_t count = 0;
    while (cpl_option_name(count, NULL)) count++;
    for (size_t i = 0; i < 2 * count * VALUES; i++) {
        bool back = i >= count * VALUES;
        size_t k = back ? 2 * count * VALUES - 1 - i : i;
        const char *name = cpl_option_name(k / VALUES, NULL);
        if (strcmp(name, "compile_timeout") == 0) continue;
        char *text = assembly(m, spec, k / VALUES, (int64_t)(k % VALUES));
        if (!back) {
            made[k] = text;
            continue;
        }
        if (!text != !made[k] || (text && strcmp(text, made[k]) != 0))
            fail_msg("%s = %zu gives other code the second time", name, k % VALUES);
        free(text), free(made[k]);
    }
    cpl_module_release(m);
}

/* Many threads ask for the same few kernels; each is compiled once. */
typedef struct asker {
    cpl_module *m;
    int failures;
} asker;

static void *ask(void *arg)
{
    asker *a = arg;
    for (int i = 0; i < 40; i++) {
        double x[8] = {0, 1, 2, 3, 4, 5, 6, 7}, y[8] = {0};
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 8), cpl_arg_array(CPL_FLOAT64, y, 8),
                          cpl_arg_float(1), cpl_arg_float(2)};
        if (i % 2) args[2] = cpl_arg_int(1);
        a->failures += launch_rounds(a->m, "axpb", NULL, args, 4, CPL_AUTO, NULL) != CPL_OK;
        for (int k = 0; k < 8; k++) a->failures += !(fabs(y[k] - sin(x[k]) - 2) < 1e-14);
    }
    return NULL;
}

static void threads_share_kernels(void **state)
{
    world *w = *state;
    asker a[8];
    pthread_t threads[8];
    cpl_module *m = module(w, axpb);
    for (int i = 0; i < 8; i++) {
        a[i] = (asker){m, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &a[i]), 0);
    }
    for (int i = 0; i < 8; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(a[i].failures, 0);
    }
    cpl_stats stats = {.size = sizeof stats};
    cpl_context_stats(w->cx, &stats);
    assert_int_equal(stats.compiles, 2);
    cpl_module_release(m);
}

/* From the n-th request on, no memory: every call answers CPL_ENOMEM and nothing leaks. */
static void memory_runs_out(void **state)
{
    (void)state;
    long n = 1;
    for (bool done = false; !done; n++) {
        assert_true(n < 100000);
        flaky f = {.fail_at = n};
        cpl_context_options options;
        cpl_context_options_init(&options);
        options.alloc = flaky_alloc;
        options.alloc_user = &f;
        cpl_context *cx = NULL;
        cpl_module *m = NULL;
        cpl_status status = cpl_context_create(&options, &cx);
        if (!status) status = cpl_module_from_source(cx, "k.py", axpb, sizeof axpb - 1, &m);
        double x[2] = {1, 2}, y[2] = {0};
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 2), cpl_arg_array(CPL_FLOAT64, y, 2),
                          cpl_arg_float(1), cpl_arg_float(2)};
        if (!status) status = launch_rounds(m, "axpb", NULL, args, 4, CPL_AUTO, NULL);
        done = status == CPL_OK;
        if (!done) assert_int_equal(status, CPL_ENOMEM);
        cpl_module_release(m);
        cpl_context_release(cx);
        assert_int_equal(f.live_bytes, 0);
    }
    assert_true(n > 10);
}

static void contexts_refuse_nonsense(void **state)
{
    (void)state;
    assert_int_equal(cpl_context_create(NULL, NULL), CPL_EARG);
    struct {
        cpl_context_options options;
        uint64_t more;
    } larger = {.more = 1};
    cpl_context *cx = NULL;
    assert_int_equal(cpl_context_create(&larger.options, &cx), CPL_EARG);
    larger.options.size = sizeof larger;
    assert_int_equal(cpl_context_create(&larger.options, &cx), CPL_EARG);
    cpl_context_release(NULL);
    cpl_module_release(NULL);
    cpl_kernel_release(NULL);
    assert_string_equal(cpl_status_message((cpl_status)999), "unknown status");
    assert_string_equal(cpl_version_text(), CPL_VERSION_TEXT);
    assert_int_equal(cpl_version(), CPL_VERSION);
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", CPL_VERSION / 1000000, CPL_VERSION / 1000 % 1000,
             CPL_VERSION % 1000);
    assert_string_equal(text, CPL_VERSION_TEXT);
}

int main(void)
{
    /* what another run left on disk must not answer for the compiler */
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(elementwise_launch, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_kernels_by_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(zero_and_one_iterations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(strided_arrays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(overlapping_arrays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(plain_calls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(structs_of_the_host, set_up, tear_down),
        cmocka_unit_test_setup_teardown(external_functions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_part_of_a_spec_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bounds_are_reported, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_arguments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(modules_know_their_functions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(defaults_are_texts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stages_as_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(code_knows_nothing_of_other_code, set_up, tear_down),
        cmocka_unit_test_setup_teardown(threads_share_kernels, set_up, tear_down),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(contexts_refuse_nonsense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

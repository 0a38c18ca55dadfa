/*
 * Arguments of calls and launches: values reach parameters of every type unchanged or are refused
 * by the parameter's name, kinds and counts are checked, for compiled code and for the interpreter
 * alike.
 */
#include "world.h"
#include "launches.h"

#include <math.h>
#include <stdio.h>

static void refused(world *w, cpl_status got, cpl_status expected, const char *part)
{
    w->said.text[w->said.n < sizeof w->said.text ? w->said.n : sizeof w->said.text - 1] = 0;
    if (got != expected) fail_msg("status %d, expected %d: %s", got, expected, w->said.text);
    if (part ? !strstr(w->said.text, part) : w->said.n > 0)
        fail_msg("expected \"%s\", said \"%s\"", part ? part : "", w->said.text);
    w->said.n = 0;
}

static cpl_module *ir_module(world *w, const char *text)
{
    cpl_module *m = NULL;
    refused(w, cpl_module_from_ir(w->cx, "k.cir", text, strlen(text), &m), CPL_OK, NULL);
    return m;
}

static cpl_module *module(world *w, const char *text)
{
    cpl_module *m = NULL;
    refused(w, cpl_module_from_source(w->cx, "k.py", text, strlen(text), &m), CPL_OK, NULL);
    return m;
}

static cpl_arg scalar(cpl_dtype dtype, int64_t i)
{
    cpl_arg a = {.kind = CPL_ARG_SCALAR, .dtype = dtype};
    a.value.i = i;
    return a;
}

static cpl_arg large(uint64_t u)
{
    cpl_arg a = cpl_arg_int(0);
    a.value.u = u;
    a.is_unsigned = true;
    return a;
}

/* One value for a parameter of one type, and what comes back as float64: NAN for what does not
 * fit. */
typedef struct sample {
    const char *type;
    cpl_arg arg;
    double expected;
} sample;

static void check_sample(world *w, const sample *s)
{
    char text[256], message[64];
    snprintf(text, sizeof text,
             "cir 1\nentry func f(a: %s) -> float64 { return convert<float64>(a) }\n", s->type);
    snprintf(message, sizeof message, "argument 'a' does not fit its type %s", s->type);
    cpl_module *m = ir_module(w, text);
    double result[2] = {-77, -77};
    const cpl_type *type[2] = {NULL, NULL};
    cpl_status compiled = call_once(m, "f", &s->arg, 1, &result[0], &type[0]);
    bool fits = !isnan(s->expected);
    refused(w, compiled, fits ? CPL_OK : CPL_EARG, fits ? NULL : message);
    cpl_status interpreted =
        interpret_rounds(m, "f", CPL_FORM_FUNCTION, &s->arg, 1, 0, &result[1], &type[1]);
    refused(w, interpreted, fits ? CPL_OK : CPL_EARG, fits ? NULL : message);
    for (int i = 0; i < 2; i++) {
        if (result[i] != (fits ? s->expected : -77))
            fail_msg("%s: %g, expected %g", s->type, result[i], s->expected);
        assert_string_equal(cpl_type_text(type[i]), "float64");
    }
    cpl_module_release(m);
}

static void values(void **state)
{
    world *w = *state;
    const sample samples[] = {
        {"int8", cpl_arg_int(-128), -128},
        {"int8", cpl_arg_int(-129), NAN},
        {"int8", cpl_arg_int(127), 127},
        {"int8", cpl_arg_int(128), NAN},
        {"uint8", cpl_arg_int(255), 255},
        {"uint8", cpl_arg_int(256), NAN},
        {"uint8", cpl_arg_int(-1), NAN},
        {"uint16", scalar(CPL_UINT16, 65535), 65535},
        {"uint16", scalar(CPL_INT16, -1), NAN},
        {"int64", cpl_arg_int(INT64_MIN), -0x1p63},
        {"int64", large((uint64_t)1 << 63), NAN},
        {"uint64", large((uint64_t)1 << 63), 0x1p63},
        {"uint64", scalar(CPL_BOOL, 1), 1},
        {"bool", cpl_arg_int(1), 1},
        {"bool", cpl_arg_int(2), NAN},
        {"int32", cpl_arg_float(-3), -3},
        {"int32", cpl_arg_float(2.5), NAN},
        {"int32", cpl_arg_float(0x1p31), NAN},
        {"int32", cpl_arg_float(-0x1p31), -0x1p31},
        {"int32", cpl_arg_float(-0x1p31 - 1), NAN},
        {"int32", cpl_arg_float(NAN), NAN},
        {"uint32", cpl_arg_float(0x1p32 - 1), 0x1p32 - 1},
        {"uint32", cpl_arg_float(-1), NAN},
        {"float16", cpl_arg_float(0.5), 0.5},
        {"float16", cpl_arg_int(-3), -3},
        {"float32", cpl_arg_int(7), 7},
        {"float32", scalar(CPL_UINT8, 200), 200},
        {"float64", large(UINT64_MAX), 0x1p64},
        {"float64", scalar(CPL_INT64, -5), -5},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) check_sample(w, &samples[i]);
}

/* Every type of argument, with the ends of its range and of others', to every type of parameter. */

static const struct {
    const char *name;
    cpl_dtype dtype;
    int bits;
    bool is_signed;
} integers[] = {{"bool", CPL_BOOL, 1, false},      {"int8", CPL_INT8, 8, true},
                {"int16", CPL_INT16, 16, true},    {"int32", CPL_INT32, 32, true},
                {"int64", CPL_INT64, 64, true},    {"uint8", CPL_UINT8, 8, false},
                {"uint16", CPL_UINT16, 16, false}, {"uint32", CPL_UINT32, 32, false},
                {"uint64", CPL_UINT64, 64, false}};
enum { INTEGERS = sizeof integers / sizeof *integers };

__extension__ typedef __int128 wide;

static wide lowest(int t)
{
    return integers[t].is_signed ? -((wide)1 << (integers[t].bits - 1)) : 0;
}

static wide highest(int t)
{
    return ((wide)1 << (integers[t].bits - integers[t].is_signed)) - 1;
}

enum { ENDS = 4 * INTEGERS };

/* The values at and beside the ends of all ranges, by number. */
static wide value_at(int i)
{
    int t = i / 4;
    return i % 4 < 2 ? lowest(t) - 1 + i % 4 : highest(t) - 2 + i % 4;
}

static bool came_before(int i)
{
    for (int k = 0; k < i; k++)
        if (value_at(k) == value_at(i)) return true;
    return false;
}

/* One argument for a parameter of each type of integer, and of float64. */
static void check_everywhere(world *w, const cpl_arg *arg, double value, const wide *whole)
{
    for (int t = 0; t < INTEGERS; t++) {
        wide v = whole ? *whole : value >= -0x1p70 && value <= 0x1p70 ? (wide)value : 0;
        bool fits = v >= lowest(t) && v <= highest(t) && (whole || value == (double)v);
        sample s = {integers[t].name, *arg, fits ? (double)v : NAN};
        check_sample(w, &s);
    }
    sample s = {"float64", *arg, value};
    if (!isnan(value)) check_sample(w, &s);
}

static void ends_of_ranges(void **state)
{
    world *w = *state;
    assert_int_equal(cpl_context_set_option(w->cx, "opt_level", 0), CPL_OK);
    for (int i = 0; i < ENDS; i++) {
        wide v = value_at(i);
        if (came_before(i)) continue;
        for (int t = 0; t < INTEGERS; t++) {
            cpl_arg a = scalar(integers[t].dtype, (int64_t)v);
            if (v >= lowest(t) && v <= highest(t)) check_everywhere(w, &a, (double)v, &v);
        }
        cpl_arg untyped = v > INT64_MAX ? large((uint64_t)v) : cpl_arg_int((int64_t)v);
        if (v >= INT64_MIN && v <= UINT64_MAX) check_everywhere(w, &untyped, (double)v, &v);
        cpl_arg real = cpl_arg_float((double)v), half = cpl_arg_float((double)v + 0.5);
        check_everywhere(w, &real, (double)v, NULL);
        check_everywhere(w, &half, (double)v + 0.5, NULL);
    }
    static const double others[] = {INFINITY, -INFINITY, 1e300, -1e300};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        cpl_arg real = cpl_arg_float(others[i]);
        check_everywhere(w, &real, others[i], NULL);
    }
}

static cpl_status on_both(world *w, cpl_module *m, const cpl_arg *args, size_t count,
                          const char *part)
{
    cpl_status compiled = call_once(m, "f", args, count, NULL, NULL);
    if (compiled) refused(w, compiled, compiled, part);
    cpl_status interpreted =
        interpret_rounds(m, "f", CPL_FORM_FUNCTION, args, count, 0, NULL, NULL);
    if (interpreted) refused(w, interpreted, interpreted, part);
    assert_int_equal(compiled, interpreted);
    return compiled;
}

static void kinds(void **state)
{
    world *w = *state;
    cpl_module *m = ir_module(w, "cir 1\nstruct Pair { first: int32, second: float64 }\n"
                                 "entry func f(x: float64 global*, p: Pair global*, a: int32) { "
                                 "store(elem(x, a), load(field<second>(p))) }\n");
    const cpl_type *pair, *other;
    assert_int_equal(cpl_type_parse(w->cx, "Pair", &pair), CPL_OK);
    const cpl_type *i32;
    assert_int_equal(cpl_type_parse(w->cx, "int32", &i32), CPL_OK);
    const cpl_field fields[] = {{"first", i32, 0}};
    assert_int_equal(cpl_type_struct(w->cx, "Other", fields, 1, &other), CPL_OK);
    struct {
        int32_t first;
        double second;
    } record = {1, 2.5};
    double x[2] = {0};
    cpl_arg args[65] = {cpl_arg_array(CPL_FLOAT64, x, 2), cpl_arg_array(CPL_VOID, &record, 1),
                        cpl_arg_int(1)};
    args[1].record = pair;
    assert_int_equal(on_both(w, m, args, 3, ""), CPL_OK);
    assert_true(x[1] == 2.5 && x[0] == 0);
    assert_int_equal(on_both(w, m, args, 2, "the kernel takes 3 arguments, not 2"), CPL_EARG);
    const cpl_arg good[] = {args[0], args[1], args[2]};
    args[0] = cpl_arg_float(1);
    assert_int_equal(on_both(w, m, args, 3, "argument 'x' must be an array"), CPL_EARG);
    args[0] = cpl_arg_array(CPL_INT64, x, 2);
    assert_int_equal(on_both(w, m, args, 3, "argument 'x' has elements of int64, not float64"),
                     CPL_EARG);
    args[0] = good[1];
    assert_int_equal(on_both(w, m, args, 3, "argument 'x' has elements of Pair, not float64"),
                     CPL_EARG);
    args[0] = good[0];
    args[1].record = other;
    assert_int_equal(on_both(w, m, args, 3, "argument 'p' has elements of Other, not Pair"),
                     CPL_EARG);
    args[1] = good[0];
    assert_int_equal(on_both(w, m, args, 3, "argument 'p' has elements of float64, not Pair"),
                     CPL_EARG);
    args[1] = good[1];
    args[2] = good[0];
    assert_int_equal(on_both(w, m, args, 3, "argument 'a' must be a scalar"), CPL_EARG);
    args[2] = cpl_arg_local(CPL_INT32, 4);
    assert_int_equal(on_both(w, m, args, 3, "argument 'a' must be a scalar"), CPL_EARG);
    args[2] = good[2];
    args[0] = cpl_arg_local(CPL_FLOAT64, 4);
    assert_int_equal(on_both(w, m, args, 3, "argument 'x' must be an array"), CPL_EARG);
    args[0] = good[0];
    args[2] = scalar(CPL_VOID, 1);
    assert_int_equal(on_both(w, m, args, 3, "argument 3 has no type of this library"), CPL_EARG);
    args[2] = (cpl_arg){.kind = (cpl_arg_kind)9};
    assert_int_equal(on_both(w, m, args, 3, "argument 3 has no valid kind"), CPL_EARG);
    args[2] = cpl_arg_local(CPL_INT32, -1);
    assert_int_equal(on_both(w, m, args, 3, "argument 3 has a negative length"), CPL_EARG);
    args[2] = cpl_arg_local(CPL_INT32, (int64_t)INT32_MAX + 1);
    assert_int_equal(on_both(w, m, args, 3, "argument 3 asks for more than"), CPL_ELIMIT);
    args[2] = cpl_arg_local(CPL_COMPLEX64, 1);
    assert_int_equal(on_both(w, m, args, 3, "argument 3 has no element type of this library"),
                     CPL_EARG);
    for (int i = 0; i < 65; i++) args[i] = cpl_arg_int(i);
    assert_int_equal(on_both(w, m, args, 65, "more than 64 arguments"), CPL_ELIMIT);
    cpl_module_release(m);
}

static void nothing_there(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "def f(x):\n    return x\ndef g(i, x, y):\n    x[i] = y[i] + 1\n");
    cpl_arg a = cpl_arg_float(2);
    double result = 0;
    refused(w, call_once(NULL, "f", &a, 1, &result, NULL), CPL_EARG, NULL);
    refused(w, call_once(m, "f", NULL, 1, &result, NULL), CPL_EARG, NULL);
    refused(w, interpret_rounds(NULL, "f", CPL_FORM_FUNCTION, &a, 1, 0, &result, NULL), CPL_EARG,
            NULL);
    refused(w, interpret_rounds(m, "f", CPL_FORM_FUNCTION, NULL, 1, 0, &result, NULL), CPL_EARG,
            NULL);
    refused(w, interpret_rounds(m, "nothing", CPL_FORM_FUNCTION, &a, 1, 0, &result, NULL),
            CPL_ENOTFOUND, "there is no function 'nothing'");
    refused(w, interpret_rounds(m, "g", CPL_FORM_ELEMENTWISE, &a, 1, CPL_AUTO, NULL, NULL),
            CPL_EARG, "there is no array to take it from");
    refused(w, interpret_rounds(m, "g", CPL_FORM_ELEMENTWISE, &a, 1, -9, NULL, NULL), CPL_EARG,
            "the number of iterations is negative");
    cpl_kernel *k = (cpl_kernel *)1;
    refused(w, rounds_kernel(NULL, "g", &a, 1, &k), CPL_EARG, NULL);
    assert_null(k);
    refused(w, rounds_kernel(m, "g", NULL, 1, &k), CPL_EARG, NULL);
    refused(w, rounds_kernel(m, "g", &a, 1, NULL), CPL_EARG, NULL);
    double x[3] = {0}, y[3] = {1, 2, 3};
    cpl_arg args[65] = {cpl_arg_array(CPL_FLOAT64, x, 3), cpl_arg_array(CPL_FLOAT64, y, 3)};
    cpl_event *event = (cpl_event *)1;
    refused(w, rounds_kernel(m, "g", args, 2, &k), CPL_OK, NULL);
    refused(w, run_rounds(NULL, NULL, args, 2, 3, &event), CPL_EARG, NULL);
    assert_null(event);
    refused(w, run_rounds(k, NULL, NULL, 2, 3, NULL), CPL_EARG, NULL);
    refused(w, run_rounds(k, NULL, args, 2, -3, NULL), CPL_EARG,
            "the number of iterations is negative");
    refused(w, run_rounds(k, NULL, args, 1, 3, NULL), CPL_EARG,
            "the kernel takes 2 arguments, not 1");
    refused(w, run_rounds(k, NULL, args, 65, 3, NULL), CPL_ELIMIT, "more than 64 arguments");
    refused(w, run_rounds(k, NULL, args, 2, CPL_AUTO, NULL), CPL_OK, NULL);
    assert_true(x[2] == 4);
    cpl_kernel_release(k);
    cpl_spec spec;
    cpl_spec_init(&spec);
    const cpl_type *f64;
    assert_int_equal(cpl_type_parse(w->cx, "float64", &f64), CPL_OK);
    spec.types = &f64;
    spec.type_count = 1;
    refused(w, spec_kernel(m, "f", &spec, &k), CPL_OK, NULL);
    refused(w, run_once(k, NULL, &a, 1, &result), CPL_OK, NULL);
    assert_true(result == 2);
    cpl_kernel_release(k);
    cpl_module_release(m);
}

/* Options of another size, of a form that there is not, and what is received where nothing ran. */
static void options(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "def g(i, x):\n    x[i] = i\ndef f(x):\n    return x\n");
    double x[3] = {7, 7, 7};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 3)};
    cpl_launch_options o;
    cpl_launch_options_init(NULL);
    cpl_launch_options_init(&o);
    o.n = 2;
    cpl_event *event = (cpl_event *)1;
    const cpl_type *type = (const cpl_type *)1;
    o.event = &event;
    o.result_type = &type;
    refused(w, cpl_launch(m, "g", &o, args, 1), CPL_OK, NULL);
    assert_true(x[1] == 1 && x[2] == 7);
    assert_null(event);
    assert_null(type);
    o.size = offsetof(cpl_launch_options, n); /* of an older header: n is the array's */
    refused(w, cpl_launch(m, "g", &o, args, 1), CPL_OK, NULL);
    assert_true(x[2] == 2);
    static const size_t wrong[] = {0, sizeof o + 1, SIZE_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        o.size = wrong[i];
        refused(w, cpl_launch(m, "g", &o, args, 1), CPL_EARG, NULL);
    }
    o.size = sizeof o;
    o.form = (cpl_form)3;
    cpl_kernel *k = (cpl_kernel *)1;
    refused(w, cpl_kernel_for(m, "g", &o, args, 1, &k), CPL_EARG, NULL);
    assert_null(k);
    refused(w, cpl_interpret(m, "g", &o, args, 1), CPL_EARG, NULL);
    o.form = CPL_FORM_FUNCTION;
    refused(w, cpl_launch(m, "f", &o, args, 0), CPL_EARG, "no type for parameter");
    assert_null(type);
    cpl_arg two = cpl_arg_float(2);
    refused(w, cpl_launch(m, "f", &o, &two, 1), CPL_OK, NULL);
    assert_string_equal(cpl_type_text(type), "float64");
    cpl_module_release(m);
}

/* The interpreter reports what compiled code does. */
static void interpreted_faults(void **state)
{
    world *w = *state;
    cpl_module *m = module(
        w,
        "def g(i, x, y):\n    x[i] = y[i + 1]\ndef positive(x):\n    assert x > 0\n    return x\n");
    refused(w, cpl_context_set_option(w->cx, "bounds_check", 1), CPL_OK, NULL);
    double x[3] = {9, 9, 9}, y[3] = {1, 2, 3}, result = 0;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 3), cpl_arg_array(CPL_FLOAT64, y, 3)},
            a = cpl_arg_int(-1);
    const char *message = "in 'g': index 3 is out of bounds of 'y', which has 3 elements";
    refused(w, interpret_rounds(m, "g", CPL_FORM_ELEMENTWISE, args, 2, CPL_AUTO, NULL, NULL),
            CPL_EBOUNDS, message);
    refused(w, launch_rounds(m, "g", NULL, args, 2, CPL_AUTO, NULL), CPL_EBOUNDS, message);
    assert_true(x[0] == 2 && x[1] == 3 && x[2] == 0);
    refused(w, interpret_rounds(m, "positive", CPL_FORM_FUNCTION, &a, 1, 0, &result, NULL),
            CPL_EASSERT, "in 'positive': assertion failed");
    refused(w, call_once(m, "positive", &a, 1, &result, NULL), CPL_EASSERT,
            "in 'positive': assertion failed");
    a = cpl_arg_int(1);
    refused(w, call_once(m, "positive", &a, 1, &result, NULL), CPL_OK, NULL);
    cpl_module_release(m);
}

/* Arrays with their own lengths, and what stands for the same kernel: each in place of the first
 * argument. */
static void same_kernel(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "def f(i, x, a):\n    x[i] = a\n");
    double x[8] = {0};
    float y[8] = {0};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 8), cpl_arg_int(1)};
    cpl_stats stats = {.size = sizeof stats};
    /* each compilation at once, and once */
    refused(w, cpl_context_set_option(w->cx, "tiers", 0), CPL_OK, NULL);
    static const uint64_t compiles[] = {1, 1, 2, 3, 4, 4};
    for (int i = 0; i < 6; i++) {
        /* the same */
        if (i == 1) args[0].length = 4;
        /* strided */
        if (i == 2) args[0].stride = 16;
        /* of another type */
        if (i == 3) args[0] = cpl_arg_array(CPL_FLOAT32, y, 8);
        /* a scalar of another kind */
        if (i == 4) args[1] = cpl_arg_float(1);
        /* not strided at all */
        if (i == 5) args[0] = cpl_arg_array(CPL_FLOAT32, y, 8), args[0].stride = sizeof(float);
        refused(w, launch_rounds(m, "f", NULL, args, 2, CPL_AUTO, NULL), CPL_OK, NULL);
        refused(w, cpl_context_stats(w->cx, &stats), CPL_OK, NULL);
        assert_int_equal(stats.compiles, compiles[i]);
    }
    for (int i = 0; i < 8; i++) assert_true(x[i] == 1 && y[i] == 1);
    cpl_module_release(m);
}

/* An integer is an int32 if it fits: up to both ends the kernel is the same. */
static void kernels_of_integers(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "def f(i, x, a):\n    x[i] = a\n");
    static const int64_t numbers[] = {
        0, INT32_MAX, INT32_MIN, (int64_t)INT32_MAX + 1, (int64_t)INT32_MIN - 1, INT64_MIN};
    static const uint64_t compiles[] = {1, 1, 1, 2, 2, 2};
    cpl_stats stats = {.size = sizeof stats};
    refused(w, cpl_context_set_option(w->cx, "tiers", 0), CPL_OK, NULL);
    for (int i = 0; i < 6; i++) {
        int64_t x[2] = {0};
        cpl_arg args[] = {cpl_arg_array(CPL_INT64, x, 2), cpl_arg_int(numbers[i])};
        refused(w, launch_rounds(m, "f", NULL, args, 2, CPL_AUTO, NULL), CPL_OK, NULL);
        refused(w, cpl_context_stats(w->cx, &stats), CPL_OK, NULL);
        assert_int_equal(stats.compiles, compiles[i]);
        assert_true(x[0] == numbers[i] && x[1] == numbers[i]);
    }
    cpl_module_release(m);
}

static void grids(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "from compyle.low_level import *\ndef count(out, tmp):\n    "
                              "tmp[LID_0] = 1\n    local_barrier()\n    if LID_0 == 0:\n"
                              "        s = declare('int')\n        s = 0\n        for i in "
                              "range(LDIM_0):\n            s += tmp[i]\n"
                              "        out[GID_0] = s\ndef past(x):\n    x[LID_0 + 1] = 1\n");
    int32_t out[4] = {0};
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, out, 4), cpl_arg_local(CPL_INT32, 64)};
    const int64_t global[] = {100, 1, 1}, local[] = {30, 1, 1};
    refused(w, interpret_grid(NULL, "count", global, local, args, 2), CPL_EARG, NULL);
    refused(w, interpret_grid(m, "count", NULL, local, args, 2), CPL_EARG,
            "the size of the grid of 'count' is not given");
    refused(w, interpret_grid(m, "count", global, local, NULL, 2), CPL_EARG, NULL);
    const char *sizes = "a work-group has 1 to 1024 work-items, and a grid no negative size";
    static const int64_t wrong[][2][3] = {{{1, 1, 1}, {1, -1, 1}},
                                          {{1, 1, 1}, {1, 1, 1025}},
                                          {{1, -1, 1}, {1, 1, 1}},
                                          {{1, 1, 1}, {64, 64, 1}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refused(w, interpret_grid(m, "count", wrong[i][0], wrong[i][1], args, 2), CPL_ELIMIT,
                sizes);
    refused(w, interpret_grid(m, "count", (int64_t[]){-2, 1, 1}, NULL, args, 2), CPL_ELIMIT, sizes);
    refused(w, interpret_grid(m, "count", global, local, args, 2), CPL_OK, NULL);
    for (int i = 0; i < 4; i++) assert_int_equal(out[i], 30);
    /* 64 at a time */
    refused(w, interpret_grid(m, "count", global, NULL, args, 2), CPL_OK, NULL);
    assert_int_equal(out[1], 64);
    refused(w, interpret_grid(m, "count", (int64_t[]){0, 1, 1}, NULL, args, 2), CPL_OK, NULL);
    refused(w, interpret_grid(m, "count", (int64_t[]){5, 1, 1}, NULL, args, 2), CPL_OK, NULL);
    assert_int_equal(out[0], 5);
    cpl_arg given[] = {args[0], args[1]};
    refused(w, interpret_grid(m, "count", global, local, args, 1), CPL_EARG,
            "no type for parameter 'tmp'");
    given[1] = cpl_arg_local(CPL_COMPLEX64, 4);
    refused(w, interpret_grid(m, "count", global, local, given, 2), CPL_EARG,
            "argument 2 has no element type of this library");
    refused(w, interpret_grid(m, "nothing", global, local, args, 2), CPL_ENOTFOUND,
            "there is no function 'nothing'");
    refused(w, cpl_context_set_option(w->cx, "bounds_check", 1), CPL_OK, NULL);
    refused(w, interpret_grid(m, "past", (int64_t[]){4, 1, 1}, (int64_t[]){4, 1, 1}, args, 1),
            CPL_EBOUNDS, "index 4 is out of bounds of 'x'");
    cpl_module_release(m);
    /* Parameters of typed IR say what they are. */
    m = ir_module(w, "cir 1\nentry kernel func f(x: int32 global*, t: int32 local*) { "
                     "store(elem(x, local_id<0>()), 1:int32) }\n");
    refused(w, interpret_grid(m, "f", (int64_t[]){4, 1, 1}, NULL, args, 2), CPL_OK, NULL);
    given[1] = cpl_arg_array(CPL_INT32, out, 4);
    refused(w, interpret_grid(m, "f", (int64_t[]){4, 1, 1}, NULL, given, 2), CPL_EARG,
            "argument 't' must be local memory");
    given[1] = cpl_arg_local(CPL_FLOAT32, 4);
    refused(w, interpret_grid(m, "f", (int64_t[]){4, 1, 1}, NULL, given, 2), CPL_EARG,
            "argument 't' has elements of float32, not int32");
    cpl_module_release(m);
}

/* Which arrays overlap: only where one of them is written, and not those that are the same. */
static void overlaps(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "def f(i, x, y, z):\n    x[i] = y[i] + z[i]\n");
    double v[16];
    struct {
        int x, y, z;
        double sum;
    } cases[] = {
        {0, 8, 9, 17}, /* two that are read overlap */
        {0, 0, 8, 8},  /* the same */
        {1, 0, 8, 8},  /* each round reads what the one before wrote: 0 + 8, that + 9, ... */
        {8, 0, 0, 0},
    };
    for (size_t k = 0; k < 4; k++) {
        for (int i = 0; i < 16; i++) v[i] = i;
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, v + cases[k].x, 4),
                          cpl_arg_array(CPL_FLOAT64, v + cases[k].y, 4),
                          cpl_arg_array(CPL_FLOAT64, v + cases[k].z, 4)};
        double model[16];
        for (int i = 0; i < 16; i++) model[i] = i;
        for (int i = 0; i < 4; i++)
            model[cases[k].x + i] = model[cases[k].y + i] + model[cases[k].z + i];
        refused(w, launch_rounds(m, "f", NULL, args, 3, CPL_AUTO, NULL), CPL_OK, NULL);
        assert_memory_equal(v, model, sizeof v);
        assert_true(v[cases[k].x] == cases[k].sum);
    }
    cpl_module_release(m);
}

/* A kernel made with options of its own runs in order, where arrays overlap, with the same ones;
 * those of other kernels stay the context's. */
static void variants_keep_options(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "def f(i, x, y):\n    x[i] = y[i + 1]\n");
    const cpl_type *array;
    assert_int_equal(cpl_type_parse(w->cx, "float64[]", &array), CPL_OK);
    const cpl_type *types[] = {array, array};
    int64_t options[64];
    size_t count = 0;
    for (const char *name; (name = cpl_option_name(count, NULL)); count++)
        options[count] = strcmp(name, "bounds_check") == 0 ? 1 : INT64_MIN;
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = CPL_FORM_ELEMENTWISE;
    spec.types = types;
    spec.type_count = 2;
    double v[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    cpl_arg apart[] = {cpl_arg_array(CPL_FLOAT64, v, 3), cpl_arg_array(CPL_FLOAT64, v + 4, 4)};
    cpl_arg overlapping[] = {cpl_arg_array(CPL_FLOAT64, v, 4),
                             cpl_arg_array(CPL_FLOAT64, v + 2, 4)};
    cpl_kernel *checked, *plain;
    refused(w, spec_kernel(m, "f", &spec, &plain), CPL_OK, NULL);
    spec.options = options;
    spec.option_count = count;
    refused(w, spec_kernel(m, "f", &spec, &checked), CPL_OK, NULL);
    assert_ptr_not_equal(plain, checked);
    refused(w, run_rounds(checked, NULL, apart, 2, CPL_AUTO, NULL), CPL_OK, NULL);
    refused(w, run_rounds(checked, NULL, overlapping, 2, CPL_AUTO, NULL), CPL_EBOUNDS,
            "index 4 is out of bounds of 'y'");
    assert_true(v[0] == 3 && v[1] == 4 && v[2] == 5 && v[3] == 0);
    refused(w, run_rounds(plain, NULL, overlapping, 2, 3, NULL), CPL_OK, NULL);
    assert_true(v[0] == 0 && v[1] == 4 && v[2] == 5);
    cpl_kernel_release(plain);
    cpl_kernel_release(checked);
    cpl_module_release(m);
}

/* Complex numbers come in two parameters, whatever their kind; a number has no imaginary part, and
 * one that is complex goes nowhere else. */
static void complex_numbers(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "def f(i, a, z):\n    z[i] = z[i]*a\n"
                              "def g(i, a: float, z):\n    z[i] = a\n");
    double z[4] = {1, 2, -3, 0.5};
    float narrow[2] = {1, 2};
    cpl_arg typed = cpl_arg_complex(2, 1);
    typed.kind = CPL_ARG_SCALAR;
    typed.dtype = CPL_COMPLEX64;
    cpl_arg args[] = {typed, cpl_arg_array(CPL_COMPLEX128, z, 2)};
    refused(w, launch_rounds(m, "f", NULL, args, 2, CPL_AUTO, NULL), CPL_OK, NULL);
    assert_true(z[0] == 0 && z[1] == 5 && z[2] == -6.5 && z[3] == -2);
    args[0] = cpl_arg_complex(0, 1);
    args[1] = cpl_arg_array(CPL_COMPLEX64, narrow, 1);
    refused(w, launch_rounds(m, "f", NULL, args, 2, CPL_AUTO, NULL), CPL_OK, NULL);
    assert_true(narrow[0] == -2 && narrow[1] == 1);

    cpl_kernel *k;
    refused(w, rounds_kernel(m, "f", args, 2, &k), CPL_OK, NULL);
    args[0] = cpl_arg_int(3);
    refused(w, run_rounds(k, NULL, args, 2, CPL_AUTO, NULL), CPL_OK, NULL);
    assert_true(narrow[0] == -6 && narrow[1] == 3);
    args[1] = cpl_arg_array(CPL_FLOAT32, narrow, 2);
    refused(w, run_rounds(k, NULL, args, 2, CPL_AUTO, NULL), CPL_EARG,
            "argument 'z' has elements of float32, not complex64");
    cpl_kernel_release(k);

    args[0] = cpl_arg_float(1.5);
    args[1] = cpl_arg_array(CPL_COMPLEX128, z, 2);
    refused(w, rounds_kernel(m, "g", args, 2, &k), CPL_OK, NULL);
    args[0] = cpl_arg_complex(1, 1);
    refused(w, run_rounds(k, NULL, args, 2, CPL_AUTO, NULL), CPL_EARG,
            "argument 'a' is complex, not float64");
    assert_true(z[0] == 0 && z[3] == -2);
    args[1].data = (char *)z + 4;
    args[0] = cpl_arg_float(1);
    refused(w, run_rounds(k, NULL, args, 2, 1, NULL), CPL_EARG,
            "argument 2 is not aligned to its elements of 8 bytes");
    cpl_kernel_release(k);
    cpl_module_release(m);
}

/* What a launch came to. */
typedef struct outcome {
    cpl_status status;
    int64_t x[4], result;
} outcome;

static outcome launch_as(world *w, cpl_module *m, const char *function, cpl_form form)
{
    outcome o = {.x = {10, 20, 30, 40}};
    cpl_arg args[] = {cpl_arg_array(CPL_INT64, o.x, 3)};
    cpl_launch_options as = once_on(NULL, form == CPL_FORM_FUNCTION ? &o.result : NULL, NULL);
    as.form = form;
    if (form == CPL_FORM_KERNEL) as.global[0] = as.local[0] = 3;
    o.status = cpl_launch(m, function, &as, args, 1);
    w->said.n = 0;
    return o;
}

/* A function of a module as one form, then as another, with the same arguments: as if it had not
 * been launched before. */
static void forms_of_one_function(void **state)
{
    static const char text[] = "def each(i, x):\n    x[i] = 7\n"
                               "def once(x):\n    x[0] = x[0] + 1\n"
                               "def items(x):\n    x[LID_0] = x[LID_0] + 2\n"
                               "def rest(a, *more):\n    return\n"
                               "def more(i, *x):\n    for y in x:\n        y[i] = 5\n"
                               "def given(a, x=3):\n    return\n";
    static const char *const names[] = {"each", "once", "items", "rest", "more", "given"};
    enum { FORMS = CPL_FORM_KERNEL + 1, NAMES = sizeof names / sizeof *names };
    world *w = *state;
    int good = 0;
    for (int f = 0; f < NAMES; f++) {
        outcome alone[FORMS];
        for (int form = 0; form < FORMS; form++) {
            cpl_module *m = module(w, text);
            alone[form] = launch_as(w, m, names[f], (cpl_form)form);
            good += !alone[form].status;
            cpl_module_release(m);
        }
        for (int pair = 0; pair < FORMS * FORMS; pair++) {
            cpl_form forms[] = {(cpl_form)(pair / FORMS), (cpl_form)(pair % FORMS)};
            cpl_module *m = module(w, text);
            for (int i = 0; i < 2; i++) {
                outcome o = launch_as(w, m, names[f], forms[i]), *wanted = &alone[forms[i]];
                if (o.status != wanted->status || o.result != wanted->result ||
                    memcmp(o.x, wanted->x, sizeof o.x))
                    fail_msg("%s as %d, then %d: status %d", names[f], forms[0], forms[1],
                             o.status);
            }
            cpl_module_release(m);
        }
    }
    assert_true(good >= 8);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ends_of_ranges, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kinds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(options, set_up, tear_down),
        cmocka_unit_test_setup_teardown(interpreted_faults, set_up, tear_down),
        cmocka_unit_test_setup_teardown(same_kernel, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kernels_of_integers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(grids, set_up, tear_down),
        cmocka_unit_test_setup_teardown(overlaps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(variants_keep_options, set_up, tear_down),
        cmocka_unit_test_setup_teardown(complex_numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(forms_of_one_function, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

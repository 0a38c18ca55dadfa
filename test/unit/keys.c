/*
 * What the cache on disk goes by: all that a kernel may use of texts, structs, externs and bindings
 * makes another entry when it changes, and nothing else does. What compiling had to say, and where
 * a fault is, comes with an entry, in the places that texts have by then.
 */
#include "world.h"
#include "launches.h"

#include "fault.h"

typedef struct step {
    const char *what, *main, *other;
    const char *function, *bound; /* bound: an expression, or the name of a function */
    double wanted;
    bool found;
} step;

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static char folder[64];

static int set_up_folder(void **state)
{
    fault_folder(folder);
    setenv("CPL_CACHE", "1", 1);
    setenv("CPL_CACHE_DIR", folder, 1);
    return set_up_one_tier(state);
}

static int tear_down_folder(void **state)
{
    tear_down(state);
    setenv("CPL_CACHE", "0", 1);
    fault_remove(folder);
    return 0;
}

/* As another process. */
static void begin_again(world *w)
{
    cpl_module_release(w->module);
    cpl_context_release(w->cx);
    *w = (world){.module = NULL};
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.sink = collect;
    options.sink_user = &w->said;
    assert_int_equal(cpl_context_create(&options, &w->cx), CPL_OK);
    assert_int_equal(cpl_context_set_option(w->cx, "tiers", 0), CPL_OK);
}

static void make_module(world *w, const char *main, const char *other)
{
    static const char back[] = "from other import baz as bar\n";
    cpl_source sources[] = {{sizeof(cpl_source), "main.py", main, strlen(main)},
                            {sizeof(cpl_source), "other.py", other, strlen(other)},
                            {sizeof(cpl_source), "back.py", back, sizeof back - 1}};
    assert_int_equal(cpl_module_from_sources(w->cx, sources, 3, &w->module), CPL_OK);
}

static void expect_found(world *w, const char *what, bool found)
{
    cpl_stats stats = {.size = sizeof stats};
    assert_int_equal(cpl_context_stats(w->cx, &stats), CPL_OK);
    if (stats.compiles != !found || stats.disk_hits != found)
        fail_msg("%s: %d compiled, %d found", what, (int)stats.compiles, (int)stats.disk_hits);
}

static cpl_status call(world *w, const step *s, double *result)
{
    cpl_bind bind = s->bound && strchr(s->bound, ' ') ? cpl_bind_expression(s->bound)
                                                      : cpl_bind_function(s->bound);
    cpl_arg args[] = {cpl_arg_float(3), cpl_arg_bound(&bind)};
    return call_once(w->module, s->function, args, s->bound ? 2 : 1, result, NULL);
}

#define STAR  "from other import *\ndef f(x):\n    return scale(x) + 1\n"
#define TWICE "def scale(x):\n    return 2*x\n"
#define CLASS "from other import Pair\ndef f(x):\n    p = Pair(x, 1)\n    return p.total()\n"
#define PAIR(type, op)                                                                             \
    "@struct\nclass Pair:\n    a: float64\n    b: " type                                           \
    "\n    def total(p):\n        return p.a " op " p.b\n"
#define MEMBER   "import other as o\ndef f(x):\n    K = x\n    return K + o.K\n"
#define AS(name) "from other import scale as " name "\ndef f(x):\n    return abs(x) + 10*floor(x)\n"
#define ROUND(by) "from back import bar as scale\ndef baz(x):\n    return " by "*x\n"
#define MADE(name)                                                                                 \
    "from other import *\ndef f(x):\n    m = declare('matrix(" name                                \
    ", \"float64\")')\n    return len(m)*x\n"
#define ANY "from other import scale\ndef f(x, g):\n    return g(x)\n"

static const step steps[] = {
    {"first", STAR, TWICE, "f", NULL, 7, false},
    {"the same", STAR, TWICE, "f", NULL, 7, true},
    {"what nobody uses", STAR "UNUSED = 1\n", "L = 2\n" TWICE, "f", NULL, 7, true},
    {"a starred function", STAR, "def scale(x):\n    return 4*x\n", "f", NULL, 13, false},
    {"a name of its own", "def scale(x):\n    return x\n" STAR, TWICE, "f", NULL, 4, false},
    {"a decorator", "from other import *\n@elementwise\ndef f(x):\n    return scale(x) + 1\n",
     TWICE, "f", NULL, 7, false},
    {"a class", CLASS, PAIR("float64", "+"), "f", NULL, 4, false},
    {"its method", CLASS, PAIR("float64", "-"), "f", NULL, 2, false},
    {"its field", CLASS, PAIR("int32", "-"), "f", NULL, 2, false},
    {"the class again", CLASS, PAIR("float64", "+"), "f", NULL, 4, true},
    {"a module's constant", MEMBER, "K = 1\n", "f", NULL, 4, false},
    {"its value", MEMBER, "K = 2\n", "f", NULL, 5, false},
    {"a bound function", ANY, TWICE, "f", "scale", 6, false},
    {"its text", ANY, "def scale(x):\n    return 5*x\n", "f", "scale", 15, false},
    {"what it uses", ANY, "K = 7\ndef scale(x):\n    return K*x\n", "f", "scale", 21, false},
    {"what that is", ANY, "K = 8\ndef scale(x):\n    return K*x\n", "f", "scale", 24, false},
    {"a bound expression", ANY, TWICE, "f", "lambda x: scale(x) - 1", 5, false},
    {"another", ANY, TWICE, "f", "lambda x: scale(x) - 2", 4, false},
    {"a function of that", ANY, "def scale(x):\n    return x\n", "f", "lambda x: scale(x) - 2", 1,
     false},
    {"the other again", ANY, TWICE, "f", "lambda x: scale(x) - 2", 4, true},
    {"imported as one name", AS("abs"), TWICE, "f", NULL, 36, false},
    {"imported as another", AS("floor"), TWICE, "f", NULL, 63, false},
    {"imported around", STAR, ROUND("2"), "f", NULL, 7, false},
    {"what is behind that", STAR, ROUND("3"), "f", NULL, 10, false},
    {"a name of two strings", MADE("N' 'O"), "NO = 2\n", "f", NULL, 6, false},
    {"what that is", MADE("N' 'O"), "NO = 3\n", "f", NULL, 9, false},
    {"a name with an escape", MADE("\\x4eO"), "NO = 2\n", "f", NULL, 6, false},
    {"what that is", MADE("\\x4eO"), "NO = 3\n", "f", NULL, 9, false},
};

static void what_texts_use(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        double result = 0;
        begin_again(w);
        make_module(w, steps[i].main, steps[i].other);
        if (call(w, &steps[i], &result)) fail_msg("%s: %s", steps[i].what, w->said.text);
        if (result != steps[i].wanted) fail_msg("%s: %g", steps[i].what, result);
        expect_found(w, steps[i].what, steps[i].found);
    }
}

/* The same two things for three parameters. */
static void what_stands_for_which(void **state)
{
    static const char *const texts[] = {"lambda x: x + 1", "lambda x: x*2"};
    static const int rows[][3] = {{0, 1, 0}, {0, 1, 1}, {0, 0, 1}, {0, 1, 0}};
    world *w = *state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double result = 0, wanted = 0;
        cpl_bind binds[3];
        cpl_arg args[4] = {cpl_arg_float(3)};
        begin_again(w);
        make_module(w, "def f(x, p, q, r):\n    return 100*p(x) + 10*q(x) + r(x)\n", "");
        for (int i = 0; i < 3; i++) {
            binds[i] = cpl_bind_expression(texts[rows[k][i]]);
            args[1 + i] = cpl_arg_bound(&binds[i]);
            wanted = 10 * wanted + (rows[k][i] ? 6 : 4);
        }
        assert_int_equal(call_once(w->module, "f", args, 4, &result, NULL), CPL_OK);
        assert_true(result == wanted);
        expect_found(w, "what stands for which", k == 3);
    }
}

/* Structs that the program declares: the first field is called so, the other one not. */
static void layouts(void **state)
{
    static const char *const first[] = {"a", "b", "a"};
    world *w = *state;
    for (int i = 0; i < 3; i++) {
        begin_again(w);
        make_module(w, "def f(i, r, y):\n    y[i] = r[i].a\n", "");
        const cpl_type *t, *pair;
        assert_int_equal(cpl_type_parse(w->cx, "float64", &t), CPL_OK);
        cpl_field fields[] = {{first[i], t, 0}, {*first[i] == 'a' ? "b" : "a", t, 8}};
        assert_int_equal(cpl_type_struct(w->cx, "Pair", fields, 2, &pair), CPL_OK);
        double r[] = {1, 2}, y = 0;
        cpl_arg args[] = {cpl_arg_array(CPL_VOID, r, 1), cpl_arg_array(CPL_FLOAT64, &y, 1)};
        args[0].record = pair;
        assert_int_equal(launch_rounds(w->module, "f", NULL, args, 2, 1, NULL), CPL_OK);
        assert_true(y == 1 + (i == 1));
        expect_found(w, first[i], i == 2);
    }
}

/* The same where the program says where fields lie: each number of a layout counts. */
static void placed_layouts(void **state)
{
    static const struct {
        size_t a, b, size, align;
    } rows[] = {{0, 8, 24, 8}, {0, 16, 24, 8}, {8, 16, 24, 8},
                {0, 8, 32, 8}, {0, 8, 24, 4},  {0, 8, 24, 8}};
    enum { ROWS = sizeof rows / sizeof *rows };
    world *w = *state;
    for (int i = 0; i < ROWS; i++) {
        double r[8], y[2] = {0};
        const cpl_type *t, *pair;
        begin_again(w);
        make_module(w, "def f(i, r, y):\n    y[i] = 10*r[i].a + r[i].b\n", "");
        assert_int_equal(cpl_type_parse(w->cx, "float64", &t), CPL_OK);
        cpl_field fields[] = {{"a", t, rows[i].a}, {"b", t, rows[i].b}};
        assert_int_equal(cpl_type_struct_at(w->cx, "Pair", fields, 2, rows[i].size, rows[i].align,
                                            &pair),
                         CPL_OK);
        for (int k = 0; k < 8; k++) r[k] = k + 1;
        cpl_arg args[] = {cpl_arg_array(CPL_VOID, r, 2), cpl_arg_array(CPL_FLOAT64, y, 2)};
        args[0].record = pair;
        assert_int_equal(launch_rounds(w->module, "f", NULL, args, 2, 2, NULL), CPL_OK);
        for (size_t k = 0; k < 2; k++) {
            const double *at = r + k * rows[i].size / 8;
            assert_true(y[k] == 10 * at[rows[i].a / 8] + at[rows[i].b / 8]);
        }
        expect_found(w, "a layout", i == ROWS - 1);
    }
}

static double twice(double x)
{
    return 2 * x;
}
static double half(float x)
{
    return (double)x / 2;
}

static void externs(void **state)
{
    world *w = *state;
    for (int i = 0; i < 4; i++) {
        bool floats = i == 2;
        double result = 0;
        void *address = floats ? (void *)(uintptr_t)half : (void *)(uintptr_t)twice;
        const step s = {.function = "f"};
        begin_again(w);
        assert_int_equal(cpl_extern_register(w->cx, "other_one", "void()", address, false), CPL_OK);
        assert_int_equal(cpl_extern_register(w->cx, "h",
                                             floats ? "float64(float32)" : "float64(float64)",
                                             address, i == 1),
                         CPL_OK);
        make_module(w, "def f(x):\n    return h(x)\n", "");
        assert_int_equal(call(w, &s, &result), CPL_OK);
        assert_true(result == (floats ? 1.5 : 6));
        expect_found(w, floats ? "a signature" : i == 1 ? "pure" : "an extern", i == 3);
    }
}

/* A warning and a fault, found again in a text that has one line more in front. */
static void what_was_said(void **state)
{
    static const char *const texts[] = {"", "", "# one more\n"};
    world *w = *state;
    for (int i = 0; i < 3; i++) {
        char main[128], place[32];
        double x[2] = {0};
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 2)};
        begin_again(w);
        assert_int_equal(cpl_context_set_option(w->cx, "bounds_check", 1), CPL_OK);
        snprintf(main, sizeof main, "%sdef f(i, x):\n    x[i] + 1\n    x[i + 1] = 1\n", texts[i]);
        make_module(w, main, "");
        assert_int_equal(launch_rounds(w->module, "f", NULL, args, 1, 2, NULL), CPL_EBOUNDS);
        expect_found(w, "a warning", i > 0);
        snprintf(place, sizeof place, "main.py:%d:5: warning: ", i == 2 ? 3 : 2);
        assert_non_null(strstr(w->said.text, place));
        snprintf(place, sizeof place, "main.py:%d:5: error: ", i == 2 ? 4 : 3);
        assert_non_null(strstr(w->said.text, place));
    }
}

/* Warnings with their notes and hints, faults, and what is wrong with an argument: in the same
 * words when the code comes from disk. */
static void all_that_was_said(void **state)
{
    enum { LENGTH = 4 };
    static const struct {
        const char *text, *part;
        cpl_status status;
    } rows[] = {
        {"def add(x, k):\n    x[k] += 1\ndef f(i, x, k):\n    add(x, k[i])\n", "atomic_add(",
         CPL_OK},
        {"def f(i, x, k):\n    x[i] + 1\n    x[i] = k[i]\n", "warning: ", CPL_OK},
        {"def f(i, x, k):\n    x[i, 0] = k[i]\n", "main.py:2:5: error: argument 'x'", CPL_EARG},
        {"def f(i, x, k):\n    assert x[i] > 0, 'above'\n    x[i] = k[i]\n", "above", CPL_EASSERT},
        {"def f(i, x, k):\n    x[i] = k[i + 1]\n", "'k', which has 4 elements", CPL_EBOUNDS},
    };
    world *w = *state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        messages before = {.n = 0};
        for (int i = 0; i < 2; i++) {
            double x[LENGTH] = {0};
            int32_t k[LENGTH] = {0, 1, 2, 3};
            cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, LENGTH),
                              cpl_arg_array(CPL_INT32, k, LENGTH)};
            begin_again(w);
            assert_int_equal(cpl_context_set_option(w->cx, "bounds_check", 1), CPL_OK);
            make_module(w, rows[r].text, "");
            assert_int_equal(launch_rounds(w->module, "f", NULL, args, 2, CPL_AUTO, NULL),
                             rows[r].status);
            expect_found(w, rows[r].part, i > 0);
            if (!strstr(w->said.text, rows[r].part))
                fail_msg("\"%s\" in place of \"%s\"", w->said.text, rows[r].part);
            if (i > 0) assert_string_equal(w->said.text, before.text);
            before = w->said;
        }
    }
}

/* A number that is bound. */
static void numbers(void **state)
{
    static const int values[] = {2, 3, 2};
    world *w = *state;
    for (int i = 0; i < 3; i++) {
        double result = 0;
        cpl_bind k = cpl_bind_integer(values[i]);
        cpl_arg args[] = {cpl_arg_float(3), cpl_arg_bound(&k)};
        begin_again(w);
        make_module(w, "def f(x, k):\n    return k*x\n", "");
        assert_int_equal(call_once(w->module, "f", args, 2, &result, NULL), CPL_OK);
        assert_true(result == 3 * values[i]);
        expect_found(w, "a number", i == 2);
    }
}

/* A type that is bound. */
static void types(void **state)
{
    static const char *const names[] = {"int32", "float64", "int32"};
    world *w = *state;
    for (int i = 0; i < 3; i++) {
        double result = 0;
        const cpl_type *type;
        begin_again(w);
        assert_int_equal(cpl_type_parse(w->cx, names[i], &type), CPL_OK);
        cpl_bind t = cpl_bind_type(type);
        cpl_arg args[] = {cpl_arg_float(2.5), cpl_arg_bound(&t)};
        make_module(w, "def f(x, t):\n    return t(x) + 0.25\n", "");
        assert_int_equal(call_once(w->module, "f", args, 2, &result, NULL), CPL_OK);
        assert_true(result == (i == 1 ? 2.75 : 2.25));
        expect_found(w, "a type", i == 2);
    }
}

/* A fault behind the end of the second dimension, said in the same words. */
static void dimensions(void **state)
{
    static const char text[] = "def f(i, x):\n    x[i, i + 1] = 1\n";
    world *w = *state;
    messages before = {.n = 0};
    for (int i = 0; i < 2; i++) {
        double x[4] = {0};
        const int64_t shape[] = {2, 2};
        cpl_arg args[] = {cpl_arg_array_nd(CPL_FLOAT64, x, 2, shape, NULL)};
        begin_again(w);
        assert_int_equal(cpl_context_set_option(w->cx, "bounds_check", 1), CPL_OK);
        make_module(w, text, "");
        assert_int_equal(launch_rounds(w->module, "f", NULL, args, 1, 2, NULL), CPL_EBOUNDS);
        expect_found(w, "a fault", i > 0);
        if (i > 0) assert_string_equal(w->said.text, before.text);
        before = w->said;
    }
}

/* Whether what a spec or the context says makes no other kernel: options that say when and where
 * code is made and run. */
static bool is_aside(const char *option)
{
    static const char *const aside[] = {"fuse",      "tiles",  "tiers",
                                        "verify",    "opencl", "automatic",
                                        "debugger",  "facts",  "compile_timeout",
                                        "tile_bytes"};
    for (size_t i = 0; i < COUNT_OF(aside); i++)
        if (!strcmp(aside[i], option)) return true;
    return false;
}

static const struct {
    const char *name;
    int64_t usual, most;
} settings[] = {
#define OPTION(name, usual, least, most, doc) {#name, usual, most},
#include <cpl/config.def>
#undef OPTION
};

/* Each part of a spec by itself makes another kernel, and the same one again is found. */
static void parts_of_a_spec(void **state)
{
    enum { FORM = COUNT_OF(settings), TYPES, PASSES, FACTS, AS_IT_IS, PARTS };
    world *w = *state;
    int64_t options[COUNT_OF(settings)];
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < PARTS; i++) {
            size_t part = (i + AS_IT_IS) % PARTS; /* that one first */
            if (part < FORM && !strcmp(settings[part].name, "perf_map")) continue; /* a file */
            begin_again(w);
            make_module(w, "def f(i: int64, x):\n    x[i] = 2*x[i]\n", "");
            const cpl_type *types[2];
            assert_int_equal(cpl_type_parse(w->cx, "int64", &types[0]), CPL_OK);
            assert_int_equal(cpl_type_parse(w->cx, part == TYPES ? "float64[]" : "float32[]",
                                            &types[1]),
                             CPL_OK);
            for (size_t k = 0; k < COUNT_OF(options); k++) options[k] = INT64_MIN;
            if (part < FORM)
                options[part] = settings[part].usual < settings[part].most
                                    ? settings[part].usual + 1
                                    : settings[part].usual - 1;
            cpl_launch_options o;
            cpl_launch_options_init(&o);
            cpl_spec spec;
            cpl_spec_init(&spec);
            spec.form = part == FORM ? CPL_FORM_FUNCTION : CPL_FORM_ELEMENTWISE;
            spec.types = part == FORM ? types : types + 1;
            spec.type_count = part == FORM ? 2 : 1;
            spec.options = options;
            spec.option_count = FORM;
            spec.passes = part == PASSES ? "outline" : NULL;
            spec.facts = part == FACTS ? CPL_FACT_SMALL : 0;
            o.spec = &spec;
            cpl_kernel *kernel = NULL;
            const char *what = part < FORM ? settings[part].name : "a part of the spec";
            cpl_status status = cpl_kernel_for(w->module, "f", &o, NULL, 0, &kernel);
            if (status) fail_msg("%s: status %d: %s", what, status, w->said.text);
            bool found = again || (part < FORM && is_aside(what));
            expect_found(w, what, found);
            cpl_kernel_release(kernel);
        }
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_folder, tear_down_folder)
    const struct CMUnitTest tests[] = {
        TEST(what_stands_for_which),
        TEST(what_texts_use),
        TEST(layouts),
        TEST(placed_layouts),
        TEST(externs),
        TEST(what_was_said),
        TEST(all_that_was_said),
        TEST(numbers),
        TEST(types),
        TEST(dimensions),
        TEST(parts_of_a_spec),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Modules of functions of a host program: what is copied of them, what stages and faults
 * show, and what the cache on disk knows.
 */
#include "functions.h"

#include <ftw.h>
#include <stdio.h>
#include <unistd.h>

static void all_is_copied(void **state)
{
    world *w = *state;
    char text[] = "def f(x):\n    return g(x)\n", file[] = "a.py", name[] = "a.f";
    char called[] = "g", target[] = "sqrt";
    const cpl_type *types[1];
    assert_int_equal(cpl_type_parse(w->cx, "float32", &types[0]), CPL_OK);
    cpl_name names[] = {cpl_name_builtin(called, target)};
    cpl_function_source f = with_names(source(file, text), names, 1);
    f.name = name;
    f.types = types;
    f.type_count = 1;
    cpl_module *m = make(w, &f, 1);
    memset(text, '?', sizeof text - 1);
    memset(file, '?', sizeof file - 1);
    memset(name, '?', sizeof name - 1);
    memset(called, '?', sizeof called - 1);
    memset(target, '?', sizeof target - 1);
    memset(names, 0xff, sizeof names);
    memset(&f, 0xff, sizeof f);
    types[0] = NULL;
    float result;
    cpl_arg args[] = {cpl_arg_float(9)};
    assert_int_equal(call_once(m, "a.f", args, 1, &result, NULL), CPL_OK);
    assert_true(result == 3);
    cpl_module_release(m);
}

static void note_place(void *user, const cpl_function_types *found)
{
    messages *m = user;
    int n = snprintf(m->text + m->n, sizeof m->text - m->n, "%s %s:%u\n", found->symbol,
                     found->file, (unsigned)found->line);
    m->n += (size_t)n;
}

static void stages(void **state)
{
    world *w = *state;
    cpl_name names[] = {cpl_name_function("h", 1)};
    cpl_function_source functions[] = {
        with_names(source("a.py", "    @d(1)\n    def f(x=[]):\n        return h(x)\n"), names, 1),
        source("b.py", "        def g(x):\n            return x\n")};
    functions[0].first_line = 1000;
    functions[1].name = "other";
    cpl_module *m = make(w, functions, 2);
    cpl_blob all, one;
    assert_int_equal(cpl_module_emit(m, NULL, NULL, CPL_STAGE_AST, NULL, &all), CPL_OK);
    assert_int_equal(cpl_module_emit(m, "other", NULL, CPL_STAGE_AST, NULL, &one), CPL_OK);
    assert_non_null(strstr(all.data, "func f @1001:5\n"));
    assert_null(strstr(all.data, "decorator"));
    assert_null(strstr(all.data, "default"));
    assert_non_null(strstr(all.data, one.data));
    assert_int_equal(strncmp(one.data, "func g ", 7), 0);
    cpl_blob_free(&all);
    cpl_blob_free(&one);
    assert_int_equal(cpl_module_emit(m, "f", NULL, CPL_STAGE_TOKENS, NULL, &one), CPL_OK);
    if (!strstr(one.data, "1001:5")) fail_msg("%s", one.data);
    cpl_blob_free(&one);
    assert_int_equal(cpl_module_emit(m, "g", NULL, CPL_STAGE_AST, NULL, &one), CPL_ENOTFOUND);
    /* lines of the host's file, in what debuggers see too */
    cpl_spec spec;
    cpl_spec_init(&spec);
    const cpl_type *t;
    assert_int_equal(cpl_type_parse(w->cx, "float64", &t), CPL_OK);
    spec.types = &t;
    spec.type_count = 1;
    messages places = {.n = 0};
    assert_int_equal(cpl_module_types_each(m, "f", &spec, note_place, &places), CPL_OK);
    assert_string_equal(places.text, "g b.py:1\nf a.py:1001\n");
    assert_int_equal(cpl_context_set_option(w->cx, "debug_info", 1), CPL_OK);
    assert_int_equal(cpl_module_emit(m, "f", &spec, CPL_STAGE_LLVM, NULL, &one), CPL_OK);
    assert_non_null(strstr(one.data, "line: 1001"));
    assert_non_null(strstr(one.data, "line: 1002"));
    cpl_blob_free(&one);
    spec.target = "opencl:c1.2";
    assert_int_equal(cpl_module_emit(m, "f", &spec, CPL_STAGE_OPENCL_C, NULL, &one), CPL_OK);
    assert_non_null(strstr(one.data, "// a.py:1002: return h(x)\n"));
    cpl_blob_free(&one);
    spec.target = NULL;
    assert_int_equal(cpl_module_emit(m, "other", &spec, CPL_STAGE_HEADER, NULL, &one), CPL_OK);
    assert_non_null(strstr(one.data, "g of b.py, compiled ahead of time"));
    cpl_blob_free(&one);
    cpl_module_release(m);
}

/* A fault that a kernel reports has its place too. */
static void faults_have_places(void **state)
{
    world *w = *state;
    cpl_function_source f = source("a.py", "    def f(i, x):\n        x[i + 1] = 0\n");
    f.first_line = 40;
    double x[4];
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 4)};
    assert_int_equal(cpl_context_set_option(w->cx, "bounds_check", 1), CPL_OK);
    cpl_module *m = make(w, &f, 1);
    assert_int_equal(launch_rounds(m, "f", NULL, args, 1, CPL_AUTO, NULL), CPL_EBOUNDS);
    says(w, "a.py:41:9: error: ");
    cpl_module_release(m);
}

typedef struct outcome {
    int compiled, found;
} outcome;

static outcome run(cpl_function_source f, cpl_function_source g, bool debug_info, double wanted)
{
    cpl_context *cx;
    assert_int_equal(cpl_context_create(NULL, &cx), CPL_OK);
    assert_int_equal(cpl_context_set_option(cx, "tiers", 0), CPL_OK);
    assert_int_equal(cpl_context_set_option(cx, "debug_info", debug_info), CPL_OK);
    const cpl_type *types[] = {NULL};
    assert_int_equal(cpl_type_parse(cx, "float32", &types[0]), CPL_OK);
    if (g.type_count) g.types = types;
    cpl_function_source functions[] = {f, g};
    cpl_module *m = NULL;
    cpl_arg args[] = {cpl_arg_float(0.1)};
    double result = 0;
    assert_int_equal(cpl_module_from_functions(cx, functions, 2, &m), CPL_OK);
    assert_int_equal(call_once(m, "f", args, 1, &result, NULL), CPL_OK);
    if (result != wanted) fail_msg("%g, not %g", result, wanted);
    cpl_stats stats = {.size = sizeof stats};
    assert_int_equal(cpl_context_stats(cx, &stats), CPL_OK);
    cpl_module_release(m);
    cpl_context_release(cx);
    return (outcome){(int)stats.compiles, (int)stats.disk_hits};
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    return remove(path);
}

/* The cache on disk knows what was used of each function. */
static void what_is_compiled_again(void **state)
{
    (void)state;
    char folder[] = "/tmp/cpl-functions-XXXXXX";
    assert_non_null(mkdtemp(folder));
    setenv("CPL_CACHE", "1", 1);
    setenv("CPL_CACHE_DIR", folder, 1);
    enum { SAME, TEXT, VALUE, MEMBER, UNUSED, TARGET, TYPE, RULE, PLACE, ROWS };
    static const struct {
        double wanted;
        bool found, found_with_lines;
    } rows[ROWS] = {
        [SAME] = {1.1, true, true},        [TEXT] = {0.1 - 1, false, false},
        [VALUE] = {2.1, false, false},     [MEMBER] = {2.1, false, false},
        [UNUSED] = {1.1, true, true},      [TARGET] = {0.1 + 1, false, false},
        [TYPE] = {0.1f + 1, false, false}, [RULE] = {0, false, false},
        [PLACE] = {1.1, true, false},
    };
    for (int debug_info = 0; debug_info < 2; debug_info++)
        for (int i = -1; i < ROWS; i++) {
            cpl_name calls[] = {cpl_name_function("g", 1), cpl_name_int("unused", i == UNUSED)};
            cpl_name names[] = {cpl_name_int("K", i == VALUE ? 2 : 1),
                                cpl_name_int("m.L", i == MEMBER ? 2 : 1),
                                cpl_name_builtin("h", i == TARGET ? "math.fabs" : "fabs")};
            cpl_function_source f =
                with_names(source("a.py", "def f(x):\n    return float(g(x))\n"), calls, 2);
            cpl_function_source g = with_names(
                source("b.py", i == TEXT
                                   ? "def g(x):\n    y = 0\n    y = h(x) - K\n    return y\n"
                                   : "def g(x):\n    y = 0\n    y = h(x) + K*m.L\n    return y\n"),
                names, 3);
            if (i == TYPE) g.type_count = 1;
            if (i == RULE) g.locals = CPL_LOCALS_FIRST;
            if (i == PLACE) g.first_line = 2;
            double wanted = i < 0 ? 1.1 : i == RULE ? 1 : rows[i].wanted;
            outcome o = run(f, g, debug_info, wanted);
            bool found = i >= 0 && (debug_info ? rows[i].found_with_lines : rows[i].found);
            if (o.compiled != !found || o.found != found)
                fail_msg("row %d, debug_info %d: %d compiled, %d found", i, debug_info, o.compiled,
                         o.found);
        }
    setenv("CPL_CACHE", "0", 1);
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* Each part of what a number is counts, if it is the only one that differs. */
static void numbers_are_told_apart(void **state)
{
    (void)state;
    char folder[] = "/tmp/cpl-functions-XXXXXX";
    assert_non_null(mkdtemp(folder));
    setenv("CPL_CACHE", "1", 1);
    setenv("CPL_CACHE_DIR", folder, 1);
    cpl_name least = cpl_name_int("K", INT64_MIN), past = least, byte = cpl_name_int("K", 200);
    past.is_unsigned = true;
    byte.kind = CPL_NAME_SCALAR;
    byte.dtype = CPL_UINT8;
    cpl_name pair = byte;
    pair.dtype = CPL_INT16;
    const struct {
        cpl_name name;
        double wanted;
    } rows[] = {
        {cpl_name_int("K", 200), 200},
        {byte, 200},
        {pair, 200},
        {least, -0x1p63},
        {past, 0x1p63},
        {cpl_name_float("K", 200), 200},
        {cpl_name_complex("K", 200, 0), 200},
        {cpl_name_complex("K", 200, 1), 203},
        {cpl_name_complex("K", 200, -1), 197},
        {cpl_name_complex("K", 100, -1), 97},
    };
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < COUNT(rows); i++) {
            cpl_function_source f =
                source("a.py",
                       "def f(x):\n    z = K*(1 + 0j)\n    return float(z.real + 3*z.imag)\n");
            cpl_function_source g = source("b.py", "def g(x):\n    return x\n");
            outcome o = run(with_names(f, &rows[i].name, 1), g, false, rows[i].wanted);
            if (o.found != again || o.compiled == again)
                fail_msg("row %zu: %d compiled, %d found", i, o.compiled, o.found);
        }
    setenv("CPL_CACHE", "0", 1);
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static outcome run_members(const char *grown, const char *plus, int64_t sides, double wanted)
{
    cpl_context *cx;
    const cpl_type *type;
    cpl_field field = {.name = "a"};
    assert_int_equal(cpl_context_create(NULL, &cx), CPL_OK);
    assert_int_equal(cpl_context_set_option(cx, "tiers", 0), CPL_OK);
    assert_int_equal(cpl_type_parse(cx, "float64", &field.type), CPL_OK);
    assert_int_equal(cpl_type_struct_at(cx, NULL, &field, 1, 8, 8, &type), CPL_OK);
    cpl_name names[] = {cpl_name_type("struct.Box", type), cpl_name_function("struct.Box.grown", 1),
                        cpl_name_function("struct.Box.__add__", 2),
                        cpl_name_int("struct.Box.SIDES", sides)};
    cpl_function_source functions[] = {
        with_names(
            source("a.py",
                   "def f(i, c):\n    c[i].a = c[i].grown(2.0) + (c[i] + 3.0) + c[i].SIDES\n"),
            names, COUNT(names)),
        source("b.py", grown), source("c.py", plus)};
    double a = 1;
    cpl_arg arg = {.kind = CPL_ARG_ARRAY, .record = type, .data = &a, .length = 1};
    cpl_module *m = NULL;
    assert_int_equal(cpl_module_from_functions(cx, functions, COUNT(functions), &m), CPL_OK);
    assert_int_equal(launch_rounds(m, "f", NULL, &arg, 1, 1, NULL), CPL_OK);
    if (a != wanted) fail_msg("%g, not %g", a, wanted);
    cpl_stats stats = {.size = sizeof stats};
    assert_int_equal(cpl_context_stats(cx, &stats), CPL_OK);
    cpl_module_release(m);
    cpl_context_release(cx);
    return (outcome){(int)stats.compiles, (int)stats.disk_hits};
}

/* Methods and numbers of a type whose name no text has. */
static void members_are_told_apart(void **state)
{
    (void)state;
    char folder[] = "/tmp/cpl-functions-XXXXXX";
    assert_non_null(mkdtemp(folder));
    setenv("CPL_CACHE", "1", 1);
    setenv("CPL_CACHE_DIR", folder, 1);
    static const char grown[] = "def grown(self, by):\n    return self.a + by\n",
                      other_grown[] = "def grown(self, by):\n    return self.a + 10*by\n",
                      plus[] = "def __add__(self, by):\n    return self.a*by\n",
                      other_plus[] = "def __add__(self, by):\n    return self.a*by*100\n";
    const struct {
        const char *grown, *plus;
        int64_t sides;
        double wanted;
    } rows[] = {{grown, plus, 4, 3 + 3 + 4},
                {other_grown, plus, 4, 21 + 3 + 4},
                {grown, other_plus, 4, 3 + 300 + 4},
                {grown, plus, 5, 3 + 3 + 5}};
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < COUNT(rows); i++) {
            outcome o = run_members(rows[i].grown, rows[i].plus, rows[i].sides, rows[i].wanted);
            if (o.found != again || o.compiled == again)
                fail_msg("row %zu: %d compiled, %d found", i, o.compiled, o.found);
        }
    setenv("CPL_CACHE", "0", 1);
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_is_copied, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(stages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(faults_have_places, set_up_one_tier, tear_down),
        cmocka_unit_test(what_is_compiled_again),
        cmocka_unit_test(numbers_are_told_apart),
        cmocka_unit_test(members_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Modules of functions of a host program: tables and arguments that are refused at once, and
 * limits.
 */
#include "functions.h"

#include <stdio.h>
#include <sys/resource.h>

static void wrong_tables(void **state)
{
    world *w = *state, other = {0};
    assert_int_equal(cpl_context_create(NULL, &other.cx), CPL_OK);
    const cpl_type *foreign, *none, *matrix, *strided;
    assert_int_equal(cpl_type_parse(other.cx, "int32", &foreign), CPL_OK);
    assert_int_equal(cpl_type_parse(w->cx, "void", &none), CPL_OK);
    assert_int_equal(cpl_type_parse(w->cx, "int32[3]", &matrix), CPL_OK);
    assert_int_equal(cpl_type_parse(w->cx, "int32[:]", &strided), CPL_OK);
    const struct {
        cpl_name name;
        cpl_status status;
        const char *message;
    } rows[] = {
        {cpl_name_int(NULL, 1), CPL_EARG, "a.py:9: a name is missing"},
        {{.name = "n", .kind = (cpl_name_kind)99}, CPL_EARG, "a.py:9: 'n' has no valid kind"},
        {{.name = "n", .kind = CPL_NAME_SCALAR}, CPL_EARG, "'n' is no number of its type"},
        {{.name = "n", .dtype = CPL_COMPLEX64}, CPL_EARG, "'n' is no number of its type"},
        {{.name = "n", .dtype = (cpl_dtype)1000}, CPL_EARG, "'n' is no number of its type"},
        {{.name = "n", .dtype = CPL_INT8, .value.i = 128}, CPL_EARG, "'n' is no number of its"},
        {{.name = "n", .dtype = CPL_INT8, .value.i = -129}, CPL_EARG, "'n' is no number of its"},
        {{.name = "n", .dtype = CPL_UINT32, .value.u = UINT32_MAX + UINT64_C(1)},
         CPL_EARG,
         "'n' is no number of its"},
        {{.name = "n", .dtype = CPL_BOOL, .value.u = 2}, CPL_EARG, "'n' is no number of its type"},
        {cpl_name_function("n", 1), CPL_EARG, "'n' is no function of this module"},
        {cpl_name_type("n", NULL), CPL_EARG, "'n' is no type"},
        {cpl_name_type("n", foreign), CPL_EARG, "'n' is a type of another context"},
        {cpl_name_builtin("n", NULL), CPL_EARG, "'n' has no target"},
        {cpl_name_extern("n", NULL), CPL_EARG, "'n' has no target"},
        {cpl_name_module("n", NULL), CPL_EARG, "'n' has no target"},
        {cpl_name_other("n", NULL), CPL_EARG, "'n' has no target"},
        {cpl_name_builtin("n", "sqroot"), CPL_ENOTFOUND,
         "a.py:9:5: error: 'n' is to be 'sqroot' in 'f', which is no built-in name"},
        {cpl_name_builtin("n", "scipy.sqrt"), CPL_ENOTFOUND, "which is no built-in name"},
        {cpl_name_builtin("n", "math."), CPL_ENOTFOUND, "which is no built-in name"},
        {cpl_name_builtin("n", "math.arctan2"), CPL_ENOTFOUND, "which is no built-in name"},
        {cpl_name_builtin("n", "cpl.random.unifrm"), CPL_ENOTFOUND, "which is no built-in name"},
        {cpl_name_builtin("n", "cpl.other.uniform"), CPL_ENOTFOUND, "which is no built-in name"},
        {cpl_name_extern("n", "c_nothing"), CPL_ENOTFOUND, "which is no registered C function"},
        {cpl_name_module("n", "scipy"), CPL_ENOTFOUND, "which is no known module"},
        {cpl_name_int("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r", 1), CPL_EARG, "has more than 16 dots"},
        {cpl_name_int("twice", 2), CPL_EEXIST, "a.py:9:5: error: 'twice' is given twice for 'f'"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cpl_name names[] = {cpl_name_int("twice", 1), rows[i].name};
        cpl_function_source f = with_names(source("a.py", "def f(x):\n    return x\n"), names, 2);
        f.first_line = 9;
        refused(w, f, rows[i].status, rows[i].message);
    }
    cpl_function_source good = source("a.py", "def f(x):\n    return x\n");
    for (int i = 0; i < 7; i++) {
        cpl_function_source f = good;
        const cpl_type *t = i == 0 ? foreign : i == 1 ? none : matrix;
        f.type_count = i < 3;
        f.types = &t;
        if (i > 2 && i < 6) f.result = i == 3 ? foreign : i == 4 ? matrix : strided;
        if (i == 6) f.locals = (cpl_locals)4;
        refused(w, f, CPL_EARG,
                i == 0 || i == 3 ? "a.py:1: a type is another context's"
                : i < 3          ? "a.py:1: no parameter has such a type"
                : i < 6          ? "a.py:1: no function returns such a type"
                                 : "a.py:1: 'locals' is no rule");
    }
    cpl_context_release(other.cx);
}

static void wrong_arguments(void **state)
{
    world *w = *state;
    const cpl_function_source good = source("a.py", "def f(x):\n    return x\n");
    cpl_module *m = (cpl_module *)1;
    assert_int_equal(cpl_module_from_functions(w->cx, &good, 0, &m), CPL_EARG);
    assert_null(m);
    assert_int_equal(cpl_module_from_functions(w->cx, NULL, 1, &m), CPL_EARG);
    assert_int_equal(cpl_module_from_functions(NULL, &good, 1, &m), CPL_EARG);
    assert_int_equal(cpl_module_from_functions(w->cx, &good, 1, NULL), CPL_EARG);
    for (int i = 0; i < 8; i++) {
        cpl_function_source bad[] = {good, good};
        if (i == 0) bad[0].size = 0;
        if (i == 1) bad[0].size = bad[1].size = sizeof *bad + 8;
        if (i == 2) bad[1].size = sizeof *bad - 8;
        if (i == 3) bad[0].file = NULL;
        if (i == 4) bad[1].text = NULL;
        if (i == 5) bad[0].size = bad[1].size = 3;
        if (i == 6) bad[1].type_count = 1;
        if (i == 7) bad[1].name_count = 1;
        assert_int_equal(cpl_module_from_functions(w->cx, bad, 2, &m), CPL_EARG);
        assert_null(m);
    }
    assert_int_equal(w->said.n, 0);
    cpl_function_source f = good;
    f.first_line = UINT32_MAX;
    refused(w, f, CPL_EARG, "'first_line' is too large");
    f = good;
    f.text_size = ((size_t)64 << 20) + 1;
    refused(w, f, CPL_ELIMIT, "a.py: the functions are larger than 64 MiB");
    f = good;
    f.indent = UINT32_MAX;
    refused(w, f, CPL_ELIMIT, "a.py: the functions are larger than 64 MiB");
    /* a struct that ends before the table does */
    cpl_function_source old[2] = {0};
    f = good;
    f.size = offsetof(cpl_function_source, names);
    memcpy(old, &f, f.size);
    m = make(w, old, 1);
    assert_true(call(w, m, "f", 2) == 2);
    cpl_module_release(m);
}

static void many(void **state)
{
    enum { MOST = 4096 };
    world *w = *state;
    static cpl_function_source functions[MOST + 1];
    static char texts[MOST + 1][64];
    static cpl_name next[MOST + 1];
    for (int i = 0; i <= MOST; i++) {
        snprintf(texts[i], sizeof texts[i], "def f%d(x):\n    return next(x) + 1\n", i);
        next[i] = cpl_name_function("next", (size_t)i + 1);
        functions[i] = with_names(source("a.py", texts[i]), &next[i], 1);
    }
    next[60] = cpl_name_builtin("next", "fabs");
    next[MOST - 1] = cpl_name_function("next", 0);
    next[MOST - 2] = cpl_name_function("next", 60);
    cpl_module *m = make(w, functions, MOST);
    assert_true(call(w, m, "f0", -1) == 62);
    assert_true(call(w, m, "f4094", -1) == 3);
    cpl_module_release(m);
    assert_int_equal(cpl_module_from_functions(w->cx, functions, MOST + 1, &m), CPL_ELIMIT);
    says(w, "a module has 4096 functions at most");
}

static long most_memory(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
}

/* Names with many dots are looked up in the time and the memory that reading them takes. */
static void long_names(void **state)
{
    enum { DOTS = 2000 };
    world *w = *state;
    static char text[2 * DOTS + 100];
    assert_int_equal(cpl_context_set_option(w->cx, "max_nesting", 5000), CPL_OK);
    strcpy(text, "def f(x):\n    return x + a");
    for (int i = 0; i < DOTS; i++) strcat(text, ".b");
    cpl_name names[] = {cpl_name_int("a.b", 1)};
    long before = most_memory();
    fails(w, with_names(source("a.py", text), names, 1), CPL_ETYPE, "a.py:2:");
    assert_true(most_memory() - before < 1 << 20); /* KiB */
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(wrong_tables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_arguments, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(many, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(long_names, set_up_one_tier, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

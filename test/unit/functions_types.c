/*
 * Modules of functions of a host program: types that the host gives, and rules for locals.
 */
#include "functions.h"

#include <stdio.h>

/* ---- types ---- */

static void types_in_place_of_annotations(void **state)
{
    world *w = *state;
    const cpl_type *float32, *float64, *array, *none;
    assert_int_equal(cpl_type_parse(w->cx, "float32", &float32), CPL_OK);
    assert_int_equal(cpl_type_parse(w->cx, "float64", &float64), CPL_OK);
    assert_int_equal(cpl_type_parse(w->cx, "float64*", &array), CPL_OK);
    assert_int_equal(cpl_type_parse(w->cx, "void", &none), CPL_OK);
    static const char text[] = "def f(i: int, x: 'floatp', a: no.such['type'], b) -> 'int':\n"
                               "    x[i] = a*x[i] + b\n";
    const cpl_type *types[] = {NULL, array, float64, float32};
    cpl_function_source f = source("a.py", text);
    f.types = types;
    f.type_count = 4;
    f.result = none;
    double x[100], wanted[100];
    for (int i = 0; i < 100; i++) x[i] = i, wanted[i] = 0.1 * i + (double)0.2f;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 100), cpl_arg_float(0.1), cpl_arg_float(0.2)};
    assert_int_equal(cpl_context_set_option(w->cx, "precise", 1), CPL_OK);
    cpl_module *m = make(w, &f, 1);
    cpl_status status = launch_rounds(m, NULL, NULL, args, 3, CPL_AUTO, NULL);
    if (status) fail_msg("%s", w->said.text);
    assert_memory_equal(x, wanted, sizeof x);
    cpl_module_release(m);
    /* without them */
    f.types = NULL;
    f.type_count = 0;
    f.result = NULL;
    m = make(w, &f, 1);
    assert_int_equal(launch_rounds(m, NULL, NULL, args, 3, CPL_AUTO, NULL), CPL_ETYPE);
    says(w,
         "a.py:1:15: error: parameter 'x' of 'f' is annotated float32[], but float64[] is given");
    says(w, "a.py:1:31: error: this is not a type");
    cpl_module_release(m);
    f.types = (const cpl_type *const[]){NULL, NULL, NULL, NULL, float64};
    f.type_count = 5;
    refused(w, f, CPL_EARG, "a.py:1:5: error: types for 5 parameters are given, and 'f' has 4");
}

/* ---- locals ---- */

/* The types of the locals of f(i, x), x an array of float32, as --emit types shows them. */
static cpl_status types_of(world *w, cpl_function_source f, cpl_blob *out)
{
    const cpl_type *x;
    assert_int_equal(cpl_type_parse(w->cx, "float32[]", &x), CPL_OK);
    cpl_module *m = make(w, &f, 1);
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = CPL_FORM_ELEMENTWISE;
    spec.types = &x;
    spec.type_count = 1;
    w->said.n = 0;
    *w->said.text = 0;
    cpl_status status = cpl_module_emit(m, NULL, &spec, CPL_STAGE_TYPES, NULL, out);
    cpl_module_release(m);
    return status;
}

static void rules_for_locals(void **state)
{
    static const char text[] = "    def f(i, x):\n"
                               "        s = 0.0\n"
                               "        n = 0\n"
                               "        b_on = x[i] > 0\n"
                               "        y = x[i]\n"
                               "        y = 2.0\n"
                               "        z, i_z = n, y\n"
                               "        l = 10000000000\n"
                               "        for k in range(3):\n"
                               "            s += x[k]\n"
                               "        for r in range(i):\n"
                               "            n = l\n"
                               "        d = declare('int')\n"
                               "        d = 1\n"
                               "        x[i] = s + n + y + z + i_z + l + r + d + k + b_on\n";
    static const struct {
        cpl_locals rule;
        const char *types; /* of s n b_on y z i_z l k r d */
    } rows[] = {
        {CPL_LOCALS_JOIN, "float32 int64 bool float32 int64 float32 int64 int32 int64 int32"},
        {CPL_LOCALS_FIRST, "float64 int32 int32 float32 float64 float64 int64 int32 int32 int32"},
        {CPL_LOCALS_FLOAT64,
         "float64 float64 float64 float64 float64 float64 float64 int64 int64 int32"},
        {CPL_LOCALS_PYTOCL, "float32 float32 bool float32 float32 int32 float32 int32 int32 int32"},
    };
    static const char *const locals[] = {"s", "n", "b_on", "y", "z", "i_z", "l", "k", "r", "d"};
    world *w = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        cpl_function_source f = source("a.py", text);
        f.locals = rows[i].rule;
        cpl_blob types = {0};
        cpl_status status = types_of(w, f, &types);
        if (status) fail_msg("row %zu: %s", i, w->said.text);
        const char *at = rows[i].types;
        for (size_t k = 0; k < COUNT(locals); k++) {
            char line[64];
            int n = (int)strcspn(at, " ");
            snprintf(line, sizeof line, " %s: %.*s\n", locals[k], n, at);
            if (!strstr(types.data, line)) fail_msg("row %zu: no%sin\n%s", i, line, types.data);
            at += n + (at[n] != 0);
        }
        cpl_blob_free(&types);
    }
}

static void locals_that_rules_refuse(void **state)
{
    static const struct {
        cpl_locals rule;
        const char *body, *message; /* NULL: accepted */
    } rows[] = {
        {CPL_LOCALS_JOIN, "p = x", NULL},
        {CPL_LOCALS_FIRST, "p = x", NULL},
        {CPL_LOCALS_FLOAT64, "p = x", "a.py:2:9: error: 'p' is float64 and cannot take"},
        {CPL_LOCALS_PYTOCL, "p = x", "a.py:2:9: error: 'p' is float32 and cannot take"},
        {CPL_LOCALS_PYTOCL, "p = declare('float*')\n    p = x", NULL},
        {CPL_LOCALS_FLOAT64, "p: 'float*' = x", NULL},
        {CPL_LOCALS_FIRST, "s = 0\n    s = x", "a.py:3:9: error: 's' is int32 and cannot"},
        {CPL_LOCALS_FIRST, "s = x\n    s = 0", "a.py:3:9: error: 's' is float32"},
        {CPL_LOCALS_JOIN, "s = 0\n    s = x", "a.py:3:9: error: 's' is float32"},
        {CPL_LOCALS_FIRST, "x[i] = s\n    s = 0", "a.py:2:12: error: 's' is read before"},
    };
    world *w = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[200];
        snprintf(text, sizeof text, "def f(i, x):\n    %s\n", rows[i].body);
        cpl_function_source f = source("a.py", text);
        f.locals = rows[i].rule;
        cpl_blob types = {0};
        cpl_status status = types_of(w, f, &types);
        if (!status != !rows[i].message) fail_msg("row %zu: %d, %s", i, status, w->said.text);
        if (status) says(w, rows[i].message);
        cpl_blob_free(&types);
    }
}

/* Fractions are dropped with a warning, as wherever an integer is assigned a float. */
static void a_first_assignment_stays(void **state)
{
    world *w = *state;
    cpl_function_source f = source("a.py", "def f(x):\n    y = 0\n    y = x\n    return y + 0.0\n");
    assert_true(call_one(w, f, 2.5) == 2.5);
    f.locals = CPL_LOCALS_FIRST;
    assert_true(call_one(w, f, 2.5) == 2);
    says(w, "a.py:3:9: warning: 'y' is int32: the fraction of a float64 is dropped");
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(types_in_place_of_annotations, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(rules_for_locals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(locals_that_rules_refuse, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_first_assignment_stays, set_up_one_tier, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

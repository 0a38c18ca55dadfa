/* What inference found for a function and all that it calls, as a host is told. */
#include "world.h"

#include <stdarg.h>
#include <stdio.h>

static const char kernels[] = "from compyle.api import declare\n"
                              "def power(v, n):\n"
                              "    m = declare('matrix(3)')\n"
                              "    r = 1.0\n"
                              "    for k in range(n):\n"
                              "        r = r*v\n"
                              "    return r + m[0]\n"
                              "\n"
                              "def store(y, i, v):\n"
                              "    y[i] = v\n"
                              "\n"
                              "def f(i, x, y, a, op):\n"
                              "    t = power(x[i], 2) + a\n"
                              "    s = op(power(y[i], a))\n"
                              "    store(y, i, t + s)\n"
                              "\n"
                              "def bad(i, x):\n"
                              "    x[i] = nothing\n"
                              "\n"
                              "def deep(n: 'int') -> 'int':\n"
                              "    if n < 1:\n"
                              "        return 0\n"
                              "    return deep(n - 1)\n";

typedef struct visit {
    cpl_context *cx;
    char text[4096];
    size_t size;
    int functions;
} visit;

static void put(visit *v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    v->size += (size_t)vsnprintf(v->text + v->size, sizeof v->text - v->size, format, args);
    va_end(args);
    assert_true(v->size < sizeof v->text);
}

static void look(void *user, const cpl_function_types *found)
{
    static const char *const kinds[] = {"parameter", "local", "shared", "bound"};
    visit *v = user;
    v->functions++;
    put(v, "%s %s %s:%u %s", found->name, found->symbol, found->file, found->line,
        cpl_type_text(found->result));
    for (size_t i = 0; i < found->call_count; i++) put(v, " calls %s", found->calls[i]);
    put(v, "\n");
    for (size_t i = 0; i < found->variable_count; i++) {
        const cpl_variable *x = &found->variables[i];
        put(v, "  %s %s:%u %s\n", kinds[x->kind], x->name, x->line, x->text);
        assert_int_equal(!x->type, x->kind == CPL_VARIABLE_BOUND);
        const cpl_type *parsed;
        /* pointers in other spaces than an argument's have texts that are for people alone */
        if (x->type && cpl_type_parse(v->cx, x->text, &parsed) == CPL_OK)
            assert_ptr_equal(parsed, x->type);
    }
}

static cpl_spec spec_of(cpl_form form, const cpl_type *const *types, size_t count)
{
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = form;
    spec.types = types;
    spec.type_count = count;
    return spec;
}

static void make_module(world *w)
{
    assert_int_equal(cpl_module_from_source(w->cx, "typed.py", kernels, sizeof kernels - 1,
                                            &w->module),
                     CPL_OK);
}

static const char wanted[] = "power power typed.py:2 float64\n"
                             "  parameter v:2 float32\n"
                             "  parameter n:2 int32\n"
                             "  local m:3 float64[3]\n"
                             "  local r:4 float32\n"
                             "  local k:5 int32\n"
                             "power power.1 typed.py:2 float64\n"
                             "  parameter v:2 float64\n"
                             "  parameter n:2 int64\n"
                             "  local m:3 float64[3]\n"
                             "  local r:4 float64\n"
                             "  local k:5 int64\n"
                             "op op <expression>:1 float64\n"
                             "  parameter q:1 float64\n"
                             "store store typed.py:9 void\n"
                             "  parameter y:9 float64[]\n"
                             "  parameter i:9 int64\n"
                             "  parameter v:9 float64\n"
                             "f f typed.py:12 void calls power calls power.1 calls op calls store\n"
                             "  parameter i:12 int64\n"
                             "  parameter x:12 float32[]\n"
                             "  parameter y:12 float64[]\n"
                             "  parameter a:12 int64\n"
                             "  bound op:12 function 'lambda q: 2*q'\n"
                             "  local t:13 float64\n"
                             "  local s:14 float64\n";

static void every_specialisation(void **state)
{
    world *w = *state;
    make_module(w);
    const cpl_type *types[4] = {0};
    assert_int_equal(cpl_type_parse(w->cx, "float32[]", &types[0]), CPL_OK);
    assert_int_equal(cpl_type_parse(w->cx, "float64[]", &types[1]), CPL_OK);
    assert_int_equal(cpl_type_parse(w->cx, "int64", &types[2]), CPL_OK);
    cpl_bind binds[4] = {{0}};
    binds[3] = cpl_bind_expression("lambda q: 2*q");
    cpl_spec spec = spec_of(CPL_FORM_ELEMENTWISE, types, 4);
    spec.binds = binds;
    spec.bind_count = 4;
    uint64_t before = compiles(w);
    visit v = {.cx = w->cx};
    assert_int_equal(cpl_module_types_each(w->module, "f", &spec, look, &v), CPL_OK);
    assert_int_equal(compiles(w), before);
    assert_string_equal(v.text, wanted);
}

static int visits_of(world *w, const char *function, const cpl_spec *spec, cpl_status expected,
                     const char *why)
{
    visit v = {.cx = w->cx};
    w->said.n = 0;
    w->said.text[0] = 0;
    assert_int_equal(cpl_module_types_each(w->module, function, spec, look, &v), expected);
    assert_non_null(strstr(w->said.text, why));
    return v.functions;
}

static void recursion_and_errors(void **state)
{
    world *w = *state;
    make_module(w);
    const cpl_type *array;
    assert_int_equal(cpl_type_parse(w->cx, "float64[]", &array), CPL_OK);
    cpl_spec plain = spec_of(CPL_FORM_FUNCTION, NULL, 0);
    cpl_spec each = spec_of(CPL_FORM_ELEMENTWISE, &array, 1);
    assert_int_equal(visits_of(w, "deep", &plain, CPL_OK, ""), 1);
    assert_int_equal(visits_of(w, "bad", &each, CPL_ENOTFOUND, "'nothing'"), 0);
    assert_int_equal(visits_of(w, "none", &each, CPL_ENOTFOUND, "no function 'none'"), 0);
    assert_int_equal(visits_of(w, NULL, &each, CPL_ENOTFOUND, "several functions"), 0);
    plain.target = "nowhere";
    assert_int_equal(visits_of(w, "deep", &plain, CPL_EARG, "no target 'nowhere'"), 0);
    assert_int_equal(cpl_module_types_each(NULL, "deep", &each, look, w), CPL_EARG);
    assert_int_equal(cpl_module_types_each(w->module, "deep", NULL, look, w), CPL_EARG);
    assert_int_equal(cpl_module_types_each(w->module, "deep", &each, NULL, w), CPL_EARG);
}

static void typed_ir_has_its_own(void **state)
{
    world *w = *state;
    static const char ir[] = "cir 1\nentry func f(a: float64) -> float64 { return a }\n";
    assert_int_equal(cpl_module_from_ir(w->cx, "f.cir", ir, sizeof ir - 1, &w->module), CPL_OK);
    cpl_spec plain = spec_of(CPL_FORM_FUNCTION, NULL, 0);
    assert_int_equal(visits_of(w, "f", &plain, CPL_EARG, "typed IR carries its types"), 0);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_specialisation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(recursion_and_errors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(typed_ir_has_its_own, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

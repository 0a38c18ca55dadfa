/* Types and names through the API: what registered C functions, other modules of the context and
 * limits bring into play. */
#include "unit.h"

#include "collect.h"

#include <stdio.h>

typedef struct world {
    messages said;
    cpl_context *cx;
} world;

static double plus(double a, int32_t b, const double *c)
{
    return a + b + *c;
}

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.sink = collect;
    options.sink_user = &w->said;
    *state = w;
    if (cpl_context_create(&options, &w->cx)) return 1;
    return cpl_extern_register(w->cx, "plus", "float64(float64, int32, float64*)",
                               (void *)(uintptr_t)plus, true);
}

static int tear_down(void **state)
{
    world *w = *state;
    cpl_context_release(w->cx);
    free(w);
    return 0;
}

/* Types function f of a text as a plain function for the types named, NULL-terminated; what was
 * said and shown is in w->said. */
static cpl_status types_of(world *w, const char *text, const char *function,
                           const char *const *names)
{
    cpl_module *m = NULL;
    const cpl_type *types[8];
    size_t n = 0;
    w->said = (messages){{0}, 0};
    cpl_status status = cpl_module_from_source(w->cx, "k.py", text, strlen(text), &m);
    if (status) return status;
    for (; names && names[n]; n++)
        assert_int_equal(cpl_type_parse(w->cx, names[n], &types[n]), CPL_OK);
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = CPL_FORM_FUNCTION;
    spec.types = types;
    spec.type_count = n;
    cpl_blob blob = {0};
    status = cpl_module_emit(m, function, &spec, CPL_STAGE_TYPES, NULL, &blob);
    if (!status)
        w->said.n += (size_t)snprintf(w->said.text + w->said.n, sizeof w->said.text - w->said.n,
                                      "%.*s", (int)blob.size, (const char *)blob.data);
    cpl_blob_free(&blob);
    cpl_module_release(m);
    return status;
}

static void says(world *w, const char *words)
{
    if (!strstr(w->said.text, words)) fail_msg("not said: %s\n%s", words, w->said.text);
}

static void never_says(world *w, const char *words)
{
    if (strstr(w->said.text, words)) fail_msg("said: %s\n%s", words, w->said.text);
}

static const char *const doubles[] = {"float64[]", "float64[:]", NULL};

static void externs(void **state)
{
    world *w = *state;
    assert_int_equal(types_of(w,
                              "both = plus\ndef f(x, y):\n    a = plus(1, 2, x)\n    b = "
                              "both(x[0], True, x)\n    c = a + b\n",
                              "f", doubles),
                     CPL_OK);
    says(w, "  a: float64\n  b: float64\n  c: float64\n");
    static const struct {
        const char *line, *words;
    } wrong[] = {
        {"plus(1, 2)", "k.py:2:9: error: 'plus' takes 3 arguments, found 2"},
        {"plus(1, b=2, c=x)", "k.py:2:17: error: 'plus' takes no keyword arguments, found 'b'"},
        {"plus(x, 2, x)",
         "k.py:2:14: error: parameter 1 of 'plus' is float64 and cannot take float64[]"},
        {"plus(1, 2, 3)",
         "k.py:2:20: error: parameter 3 of 'plus' is float64* and cannot take int32"},
        {"plus(1, 2, y)",
         "k.py:2:20: error: parameter 3 of 'plus' is float64* and cannot take float64[:]"},
        {"plus(1, 2.5, x)", "k.py:2:17: warning: parameter 2 of 'plus' is int32: the fraction of a "
                            "float64 is dropped"},
        {"plus", "k.py:2:9: error: 'plus' is a function and stands without a call"},
        {"plux(1, 2, x)", "hint: did you mean 'plus'?"},
        {"plus(missing, 2, x)", "k.py:2:14: error: undefined name 'missing'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[256];
        snprintf(text, sizeof text, "def f(x, y):\n    a = %s\n    return a\n", wrong[i].line);
        cpl_status status = types_of(w, text, "f", doubles);
        assert_int_equal(status == CPL_OK, strstr(wrong[i].words, "warning") != NULL);
        says(w, wrong[i].words);
    }
}

/* A struct is one for the whole context. */
static void structs(void **state)
{
    static const char pair[] =
        "@struct\nclass Pair:\n    a: 'int'\n    b: 'double'\ndef f(p: 'Pair*'):\n    p[0].a = 1\n";
    static const char other[] =
        "@struct\nclass Pair:\n    a: 'int'\ndef f():\n    p = declare('Pair')\n    q = "
        "declare('Solo')\n@struct\nclass Solo:\n    p: 'Pair'\n";
    static const char fields[] = "@struct\nclass Pair:\n    a: 'int'\ndef f():\n    p = Pair()\n";
    world *w = *state;
    assert_int_equal(types_of(w, pair, "f", NULL), CPL_OK);
    assert_int_equal(types_of(w, pair, "f", NULL), CPL_OK);
    assert_int_equal(types_of(w, other, "f", NULL), CPL_OK); /* the name stands for the first one */
    assert_int_equal(types_of(w, fields, "f", NULL), CPL_EUNSUPPORTED);
    says(w,
         "k.py:2:7: note: a struct of this name with other fields exists already in this context");
}

static void entries(void **state)
{
    world *w = *state;
    static const char text[] = "def first(x):\n    x[0] = 1\ndef second(x, y, z):\n    pass\n";
    assert_int_equal(types_of(w, text, "frist", doubles), CPL_ENOTFOUND);
    says(w, "there is no function 'frist'");
    says(w, "hint: did you mean 'first'?");
    assert_int_equal(types_of(w, text, "nothing_like_it", doubles), CPL_ENOTFOUND);
    never_says(w, "hint");
    assert_int_equal(types_of(w, text, "first", doubles), CPL_EARG);
    says(w, "k.py:1:1: error: 'first' takes 1 argument, but types for 2 are given");
    assert_int_equal(types_of(w, text, "second", doubles), CPL_EARG);
    says(w, "no type for parameter 'z' of 'second'");
}

/* An error is said once, however many specialisations have it. */
static void said_once(void **state)
{
    world *w = *state;
    assert_int_equal(
        types_of(
            w,
            "def g(a):\n    return a + missing\ndef f(x, y):\n    return g(1) + g(1.5) + g(True)\n",
            "f", doubles),
        CPL_ENOTFOUND);
    char *first = strstr(w->said.text, "undefined name 'missing'");
    assert_non_null(first);
    assert_null(strstr(first + 1, "undefined name 'missing'"));
}

/* 65 functions that call each other, and one that is called with more tuples of types than a
 * program may have specialisations. */
static void limits(void **state)
{
    world *w = *state;
    enum { DEEP = 70, SIZE = 65536 };
    char *text = malloc(SIZE);
    size_t n = 0;
    for (int i = 0; i < DEEP; i++)
        n += (size_t)snprintf(text + n, SIZE - n, "def f%d(a):\n    return %s%.0d%s\n", i,
                              i ? "f" : "a", i ? i - 1 : 0,
                              i > 1    ? "(a)"
                              : i == 1 ? "0(a)"
                                       : "");
    char name[16];
    snprintf(name, sizeof name, "f%d", 64);
    assert_int_equal(types_of(w, text, name, (const char *const[]){"int32", NULL}), CPL_OK);
    snprintf(name, sizeof name, "f%d", DEEP - 1);
    assert_int_equal(types_of(w, text, name, (const char *const[]){"int32", NULL}), CPL_ELIMIT);
    says(w, "error: 'f4': more than 64 calls inside each other");

    static const char *const types[] = {"a", "b", "c", "d", "e"};
    n = (size_t)snprintf(text, SIZE,
                         "def g(a, b, c, d):\n    return 1\ndef f(a, b, c, d, e):\n    s = 0\n");
    for (int i = 0; i < 501; i++)
        n += (size_t)snprintf(text + n, SIZE - n, "    s += g(%s, %s, %s, %s)\n", types[i % 5],
                              types[i / 5 % 5], types[i / 25 % 5], types[i / 125 % 5]);
    static const char *const five[] = {"int32", "int64", "float32", "float64", "bool", NULL};
    assert_int_equal(types_of(w, text, "f", five), CPL_ELIMIT);
    says(w, "k.py:504:10: error: 'g': more than 500 specialisations");
    assert_null(strstr(strstr(w->said.text, "more than 500") + 1, "more than 500"));
    free(text);
}

/* A chain of operands is a tree as high in the IR. */
static void long_chains(void **state)
{
    world *w = *state;
    assert_int_equal(cpl_context_set_option(w->cx, "max_ops", 6), CPL_OK);
    static const char *const ints[] = {"int32", NULL};
    assert_int_equal(types_of(w, "def f(a):\n    return a and a and a and a\n", "f", ints), CPL_OK);
    assert_int_equal(types_of(w, "def f(a):\n    return a and a and a and a and a\n", "f", ints),
                     CPL_ELIMIT);
    says(w, "k.py:2:12: error: a chain of more than 3 operators");
    says(w, "hint: split it with variables or functions, or raise the option max_ops");
    assert_int_equal(types_of(w, "def f(a):\n    return 1 < a < 2 < 3 < 4\n", "f", ints),
                     CPL_ELIMIT);
    assert_int_equal(cpl_context_set_option(w->cx, "max_ops", 1), CPL_OK);
    assert_int_equal(types_of(w, "def f(a):\n    return a or a or a\n", "f", ints), CPL_ELIMIT);
    says(w, "a chain of more than 1 operators or branches"); /* of the parser: nothing fits that */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(externs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(structs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(entries, set_up, tear_down),
        cmocka_unit_test_setup_teardown(said_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(limits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_chains, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Modules of functions of a host program: texts as they stand in its files, and where
 * errors are.
 */
#include "functions.h"

static void texts_as_they_stand(void **state)
{
    static const char *const texts[] = {
        "def f(x):\n    return K*x\n",
        "def f(x): return K*x",
        "    def f(x): return K*x",
        /* a method under decorators that are any Python, with strings and brackets */
        "    @decorate(lambda self: [k for k in range(3)],\n"
        "              key=\")\", other={'a': 1}, text=f\"{'('}\")\n"
        "    # between them\n"
        "    @a.b[0].c\n\n"
        "    def f(x):\n        return K*x\n",
        /* in a function in a function, with tabs */
        "\t\tdef f(x):\n\t\t\tif x > 0:\n\t\t\t\treturn K*x\n\t\t\treturn x\n",
        "  \tdef f(x):\n  \t\treturn K*x\n",
        "    def f(x):\r\n        y = x\r\n\r\n        return K*y\r\n",
        "    def f(x):\r        return K*x\r",
        /* less indented: a docstring, a comment, continued lines, an empty line */
        "        def f(x):\n            \"\"\"One\n  two\nthree\n            \"\"\"\n"
        "# four\n            return (K\n*x)\n",
        "        def f(x):\n            y = K \\\n*x\n\n    # behind\n            return y\n    # "
        "end\n",
        "\n    # in front\n    def f(x):\n        return K*x\n",
        /* signatures in several lines; what is not read */
        "    def f(\n        x,  # the value\n    ):\n        return K*x\n",
        "    def f(\nx: Dict[str, \"T\"]=None,\n) -> Optional[float]:\n        return K*x\n",
        "    def f(x: {a: b for a, b in c}=lambda a, b=lambda c, d: 0, e=1: (a, b)):\n"
        "        return K*x\n",
        "    def f(x=[0.0, {1: 2}], /) -> lambda: 0:\n        return K*x\n",
        "    def f(x: T if a else b = g(x, y=1)[2:3],):\n        return K*x\n",
    };
    world *w = *state;
    cpl_name names[] = {cpl_name_float("K", 2.5)};
    const cpl_type *t;
    assert_int_equal(cpl_type_parse(w->cx, "float64", &t), CPL_OK);
    for (size_t i = 0; i < COUNT(texts); i++) {
        cpl_function_source f = with_names(source("solver.py", texts[i]), names, 1);
        f.types = &t;
        f.type_count = 1;
        f.result = t;
        assert_true(call_one(w, f, 2) == 5);
        if (w->said.n) fail_msg("of text %zu: %s", i, w->said.text);
    }
}

static void texts_that_are_not_one_function(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "a.py:7:1: error: expected a function, which begins with 'def'"},
        {"    # nothing\n", "a.py:8:1: error: expected a function"},
        {"    x = 1\n", "a.py:7:5: error: expected a function"},
        {"f = lambda x: x\n", "hint: lambdas are bound as expressions: cpl_bind_expression"},
        {"class C:\n    def f(x):\n        return x\n", "a.py:7:1: error: expected a function"},
        {"    @decorated\n    class C:\n        x = 1\n", "a.py:8:5: error: expected a function"},
        {"    @decorated\n", "a.py:8:1: error: expected a function"},
        {"  def f(x):\n    return x\n  def g(x):\n    return x\n",
         "a.py:9:3: error: the text goes on behind the function\n      def g(x):\n      ^~~\n"},
        {"def f(x): return x\nx = 1\n", "a.py:8:1: error: the text goes on behind the function"},
        {"    def f(x):\n        return x\n  y = 1\n",
         "a.py:9:1: error: this line is indented less than the function's first"},
        {"    def f(x):\n        return x\n      y = 1\n",
         "a.py:9:1: error: this line is indented less than the block above and more than the one"},
        {"\tdef f(x):\n        return x\n",
         "a.py:8:1: error: inconsistent use of tabs and spaces in indentation"},
        {"    def f(x):\n        '''\n", "a.py:8:9: error: unterminated triple-quoted string"},
        {"    def (x):\n        return x\n", "a.py:7:9: error: expected a name behind 'def'"},
        {"    async x\n", "a.py:7:5: error: expected a function"},
        {"def f(x):\n    return x\xff\n", "a.py:8:13: error: invalid UTF-8: byte 0xFF"},
    };
    world *w = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        cpl_function_source f = source("a.py", rows[i].text);
        f.first_line = 7;
        refused(w, f, CPL_ESYNTAX, rows[i].message);
    }
}

/* Where errors are in the host's file, in an indented body too. */
static void places(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"    @decorated(\n        1)\n    def f(x):\n        y = x\n        return y + nowhere\n",
         "solver.py:124:20: error: undefined name 'nowhere'\n"
         "            return y + nowhere\n"
         "                       ^~~~~~~\n"
         "hint: the host program does not say what it is\n"},
        {"    async def f(x):\n        return x\n",
         "solver.py:120:15: error: 'f' is a coroutine, which kernels do not support"},
        {"    def f(x):\n        yield x\n",
         "solver.py:121:9: error: generators are not supported: 'yield'"},
        {"    def f[T](x):\n        return x\n",
         "solver.py:120:10: error: type parameters are not supported"},
        {"    def f(x: List[int]):\n        return x\n",
         "solver.py:120:14: error: this is not a type"},
        {"    def f(x: {1: 2}):\n        return x\n",
         "solver.py:120:14: error: this is not a type"},
        {"    def f(x) -> [1 for a in b]:\n        return x\n",
         "solver.py:120:17: error: this is not a type"},
        {"    def f(x):\n        return x.(\n", "solver.py:121:18: error: "},
        {"    def f(x):\n        return np.sqrt(x)\n",
         "solver.py:121:16: error: undefined name 'np'"},
        {"    def f(x):\n        return sped + x\n", "hint: did you mean 'speed'?"},
        {"    def f(x):\n        return g(x)\n", "solver.py:121:16: error: undefined function 'g'"},
        {"    def f(x):\n        return f(x)\n", "solver.py:121:16: error: undefined function 'f'"},
        {"    def f(x):\n        import math\n", "solver.py:121:9: error: "},
        {"    def f(x):\n        K = 1\n        return K.x\n", "solver.py:122:18: error: "},
        {"    def f(x):\n        global f, K, x\n        return x\n", "solver.py:121:9: error: "},
        {"    def f(x):\n        def g(y):\n            return z\n        return g(x)\n",
         "solver.py:122:20: error: undefined name 'z'"},
    };
    world *w = *state;
    cpl_name names[] = {cpl_name_float("K", 2.5), cpl_name_float("speed", 2.5)};
    for (size_t i = 0; i < COUNT(rows); i++) {
        cpl_function_source f = with_names(source("solver.py", rows[i].text), names, 2);
        f.first_line = 120;
        cpl_arg args[] = {cpl_arg_float(1)};
        double result;
        cpl_module *m = make(w, &f, 1);
        *w->said.text = 0;
        assert_int_not_equal(call_once(m, "f", args, 1, &result, NULL), CPL_OK);
        says(w, rows[i].message);
        cpl_module_release(m);
    }
}

/* What the host has taken off the front of all lines is there again. */
static void indent_is_restored(void **state)
{
    world *w = *state;
    cpl_function_source f =
        source("a.py", "def f(x):\n    '''\n    '''\n\n    return x + nowhere\n");
    f.indent = 8;
    fails(w, f, CPL_ENOTFOUND,
          "a.py:5:24: error: undefined name 'nowhere'\n"
          "                return x + nowhere\n"
          "                           ^~~~~~~\n");
    f.text = "def f(x):\r\n    return x + 1\r\n";
    f.text_size = strlen(f.text);
    assert_true(call_one(w, f, 2) == 3);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(texts_as_they_stand, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(texts_that_are_not_one_function, set_up, tear_down),
        cmocka_unit_test_setup_teardown(places, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(indent_is_restored, set_up_one_tier, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

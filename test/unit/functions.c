/*
 * Modules of functions of a host program: texts as they stand in its files, what their names stand
 * for, types that the host gives, rules for locals, and where errors are.
 */
#include "world.h"
#include "launches.h"

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* f of a file, without a table yet. */
static cpl_function_source source(const char *file, const char *text)
{
    return (cpl_function_source){.size = sizeof(cpl_function_source),
                                 .file = file,
                                 .text = text,
                                 .text_size = strlen(text)};
}

static cpl_function_source with_names(cpl_function_source f, const cpl_name *names, size_t count)
{
    f.names = names;
    f.name_count = count;
    return f;
}

static cpl_module *make(world *w, const cpl_function_source *functions, size_t count)
{
    cpl_module *m = NULL;
    w->said.n = 0;
    cpl_status status = cpl_module_from_functions(w->cx, functions, count, &m);
    if (status) fail_msg("status %d: %s", status, w->said.text);
    return m;
}

static double call(world *w, cpl_module *m, const char *function, double x)
{
    cpl_arg args[] = {cpl_arg_float(x)};
    double result = 0;
    cpl_status status = call_once(m, function, args, 1, &result, NULL);
    if (status) fail_msg("status %d: %s", status, w->said.text);
    return result;
}

/* The module of one function, and a call of it. */
static double call_one(world *w, cpl_function_source f, double x)
{
    cpl_module *m = make(w, &f, 1);
    double result = call(w, m, NULL, x);
    cpl_module_release(m);
    return result;
}

static void says(world *w, const char *part)
{
    if (!strstr(w->said.text, part)) fail_msg("no \"%s\" in\n%s", part, w->said.text);
}

/* That making a module of f fails. */
static void refused(world *w, cpl_function_source f, cpl_status wanted, const char *message)
{
    cpl_module *m = (cpl_module *)1;
    w->said.n = 0;
    *w->said.text = 0;
    cpl_status status = cpl_module_from_functions(w->cx, &f, 1, &m);
    if (status != wanted) fail_msg("status %d, not %d: %s", status, wanted, w->said.text);
    assert_null(m);
    says(w, message);
}

/* That the module is made, and a call of f(1) fails. */
static void fails(world *w, cpl_function_source f, cpl_status wanted, const char *message)
{
    cpl_arg args[] = {cpl_arg_float(1)};
    cpl_module *m = make(w, &f, 1);
    double result;
    w->said.n = 0;
    *w->said.text = 0;
    cpl_status status = call_once(m, NULL, args, 1, &result, NULL);
    if (status != wanted) fail_msg("status %d, not %d: %s", status, wanted, w->said.text);
    says(w, message);
    cpl_module_release(m);
}

/* ---- texts ---- */

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
        {"    def f(x):\n        yield x\n", "solver.py:120:9: error: 'f' is a generator"},
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
        {"    def f(x):\n        def g(y):\n            return y\n        return g(x)\n",
         "solver.py:121:9: error: "},
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

/* ---- names ---- */

static double twice(double x)
{
    return 2 * x;
}

static void kinds_of_names(void **state)
{
    static const struct {
        const char *body;
        double x, wanted;
    } rows[] = {
        {"return x + small", 1, 8},
        {"return x + big*0", 1, 1},
        {"return half*x", 3, 1.5},
        {"return x if x < infinite else 0.0", 3, 3},
        {"return x*third", 3, 3 * (double)(1 / 3.f)},
        {"return x + third/third", 3, 4},
        {"return x + byte + byte", 1, 1 + 2 * 200},
        {"return x if flag else 0.0", 3, 3},
        {"return shift(x)", 3, 13},
        {"return limits.shift(x) + limits.deep.K", 3, 13.25},
        {"return x + a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q", 3, 4},
        {"return root(x)", 9, 3},
        {"return lib.root(x) + lib.pi*0", 9, 3},
        {"return angle(x, x)", 1, 0.7853981633974483},
        {"return outside(x)", 4, 8},
        {"return numeric.sqrt(x) + numeric.pi*0", 9, 3},
        {"return m.floor(x)", 2.5, 2},
        {"return x if third else 0.0", 3, 3},
        {"return x if not byte else 0.0", 3, 0},
        {"return x + -byte", 3, 3 - 200},
        {"return x + big % 10", 3, 8},
        {"for k in static_range(small):\n        x += k\n    return x", 1, 22},
        {"for k in static_range(byte):\n        x += k\n    return x", 1, 19901},
        {"return cast(x, T) + 0.0", 2.5, 2},
        {"y = declare('T')\n    y = x\n    return y + 0.0", 2.5, 2},
        {"return T(x) + 0.0", 2.5, 2},
        {"y: T = x\n    return y + 0.0", 2.5, 2},
        {"m = declare('matrix(small)')\n    m[6] = x\n    return m[6] + len(m)", 2, 9},
        {"m = declare('matrix(byte)')\n    return x + len(m)", 2, 202},
        {"p = declare('Pair')\n    p.a = x\n    return p.a", 2.5, 2.5},
        {"p: Pair = other(x)\n    return p.a", 2.5, 2.5},
        {"y = slot('double')\n    y = x\n    return y", 3, 3},
        {"for k in times(3):\n        x += k\n    return x", 1, 4},
        {"return low.cast(x, 'int') + 0.0", 2.5, 2},
        /* locals hide them; what is built in needs none */
        {"half = x\n    return half", 3, 3},
        {"return fabs(x) + abs(x) + float(int(x))", -3, 3},
        {"y = declare('int')\n    y = 3\n    return x + y/2", 1, 2},
    };
    world *w = *state;
    const cpl_type *int32, *pair;
    cpl_field fields[2] = {{.name = "a"}, {.name = "b"}};
    assert_int_equal(cpl_type_parse(w->cx, "int32", &int32), CPL_OK);
    assert_int_equal(cpl_type_parse(w->cx, "float64", &fields[0].type), CPL_OK);
    fields[1].type = fields[0].type;
    assert_int_equal(cpl_type_struct(w->cx, "OfTwo", fields, 2, &pair), CPL_OK);
    void *address;
    double (*function)(double) = twice;
    memcpy(&address, &function, sizeof address);
    assert_int_equal(cpl_extern_register(w->cx, "c_twice", "float64(float64)", address, true),
                     CPL_OK);
    cpl_name scalars[] = {
        {.name = "third", .kind = CPL_NAME_SCALAR, .dtype = CPL_FLOAT32, .value.f = 1 / 3.},
        {.name = "byte", .kind = CPL_NAME_SCALAR, .dtype = CPL_UINT8, .value.u = 200},
        {.name = "flag", .kind = CPL_NAME_SCALAR, .dtype = CPL_BOOL, .value.i = 1},
        {.name = "big", .kind = CPL_NAME_INT, .value.u = UINT64_MAX, .is_unsigned = true},
    };
    cpl_name names[] = {scalars[0],
                        scalars[1],
                        scalars[2],
                        scalars[3],
                        cpl_name_int("small", 7),
                        cpl_name_float("half", 0.5),
                        cpl_name_float("infinite", INFINITY),
                        cpl_name_function("shift", 1),
                        cpl_name_function("limits.shift", 1),
                        cpl_name_float("limits.deep.K", 0.25),
                        cpl_name_int("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q", 1),
                        cpl_name_builtin("root", "sqrt"),
                        cpl_name_builtin("lib.root", "math.sqrt"),
                        cpl_name_builtin("lib.pi", "pi"),
                        cpl_name_builtin("angle", "numpy.arctan2"),
                        cpl_name_extern("outside", "c_twice"),
                        cpl_name_module("numeric", "numpy"),
                        cpl_name_module("low", "compyle.low_level"),
                        cpl_name_builtin("slot", "compyle.api.declare"),
                        cpl_name_builtin("times", "range"),
                        cpl_name_module("m", "math"),
                        cpl_name_type("T", int32),
                        cpl_name_type("Pair", pair),
                        cpl_name_function("other", 2),
                        cpl_name_builtin("int", "int")};
    cpl_name own[] = {cpl_name_int("K", 10)}, theirs[] = {cpl_name_type("P", pair)};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[200];
        snprintf(text, sizeof text, "def f(x):\n    %s\n", rows[i].body);
        cpl_function_source functions[] = {
            with_names(source("solver.py", text), names, COUNT(names)),
            with_names(source("limits.py", "def shift(x):\n    return x + K\n"), own, 1),
            with_names(source("pairs.py", "def other(x) -> P:\n    p = declare('P')\n    p.a = x\n"
                                          "    return p\n"),
                       theirs, 1)};
        cpl_module *m = make(w, functions, 3);
        double got = call(w, m, "f", rows[i].x);
        if (got != rows[i].wanted) fail_msg("%s: %g, not %g", rows[i].body, got, rows[i].wanted);
        cpl_module_release(m);
    }
}

/* Helpers of other files in a loop over arrays, compiled and interpreted. */
static void kernels(void **state)
{
    enum { N = 1000 };
    world *w = *state;
    cpl_name names[] = {cpl_name_function("smooth", 1), cpl_name_float("RATE", 0.25),
                        cpl_name_module("np", "numpy")};
    cpl_name own[] = {cpl_name_int("WIDTH", 3)};
    cpl_function_source functions[] = {
        with_names(source("a.py", "        def f(i, x, y, a=0.0):\n"
                                  "            y[i] = a*smooth(x, i) + RATE\n"
                                  "            if np.isnan(y[i]):\n"
                                  "                y[i] = 0\n"),
                   names, 3),
        with_names(source("b.py", "\t@staticmethod\n\tdef smooth(v, i):\n\t\ts = 0.0\n"
                                  "\t\tfor k in range(WIDTH):\n\t\t\ts += v[i + k]\n"
                                  "\t\treturn s / WIDTH\n"),
                   own, 1)};
    double x[N + 3], wanted[N];
    for (int i = 0; i < N + 3; i++) x[i] = i % 97 == 5 ? NAN : (double)(i * 37 % 101) / 8;
    for (int i = 0; i < N; i++) {
        double s = 0;
        for (int k = 0; k < 3; k++) s += x[i + k];
        wanted[i] = 2.5 * (s / 3) + 0.25;
        if (isnan(wanted[i])) wanted[i] = 0;
    }
    assert_int_equal(cpl_context_set_option(w->cx, "precise", 1), CPL_OK);
    cpl_module *m = make(w, functions, 2);
    for (int interpreted = 0; interpreted < 2; interpreted++) {
        double y[N] = {0};
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, N + 3), cpl_arg_array(CPL_FLOAT64, y, N),
                          cpl_arg_float(2.5)};
        cpl_status status =
            interpreted ? interpret_rounds(m, "f", CPL_FORM_ELEMENTWISE, args, 3, N, NULL, NULL)
                        : launch_rounds(m, "f", NULL, args, 3, N, NULL);
        if (status) fail_msg("%s", w->said.text);
        assert_memory_equal(y, wanted, sizeof y);
    }
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_array(CPL_FLOAT64, x, N)};
    assert_int_equal(launch_rounds(m, "f", NULL, args, 2, 1, NULL), CPL_ETYPE);
    says(w, "a.py:1:24: error: no type for parameter 'a' of 'f'");
    cpl_module_release(m);
}

static void names_used_wrongly(void **state)
{
    static const struct {
        const char *body, *message;
    } rows[] = {
        {"return K(x)", "a.py:2:12: error: 'K' is a number, not a function"},
        {"return self", "a.py:2:12: error: 'self' is a function and stands without a call"},
        {"return T", "a.py:2:12: error: 'T' is a type, not a value"},
        {"return np", "a.py:2:12: error: 'np' is a module, not a value"},
        {"return np.nothing", "a.py:2:15: error: 'np.nothing' is not known in kernels"},
        {"return Pair(1, 2)", "a.py:2:12: error: 'Pair' cannot be called in a kernel"},
        {"x.K = 1\n    return x", "a.py:2:7: error: float64 has no field 'K'"},
        {"a.b = 1\n    return x", "a.py:2:5: error: 'b' is a constant"},
        {"a.t = 1\n    return x", "a.py:2:5: error: 't' is a constant"},
        {"a.t += 1\n    return x", "a.py:2:5: error: this is a constant"},
        {"p = address(a.t)\n    return x", "error: 'address' takes an element, field or variable"},
        {"return e", "a.py:2:12: error: 'e' is a list, which kernels cannot use\n        return e\n"
                     "               ^\nhint: numbers, functions and types may come from outside"},
        {"return sqrt(x)", "a.py:2:12: error: 'sqrt' is a method, which kernels cannot use"},
        {"return sqrt.x", "a.py:2:12: error: 'sqrt' is a method, which kernels cannot use"},
        {"return a.o", "a.py:2:12: error: 'o' is an object, which kernels cannot use"},
        {"e.append(x)\n    return x", "a.py:2:5: error: methods are not supported in kernels"},
        {"return e[0]", "a.py:2:12: error: 'e' is a list, which kernels cannot use"},
        {"y: e = x\n    return y", "a.py:2:8: error: 'e' is not a type"},
        {"return a.c", "a.py:2:12: error: undefined name 'a'"},
        {"return a.b.c", "a.py:2:"},
        {"return a.c(x)", "a.py:2:12: error: undefined name 'a'"},
        {"y: K = x\n    return y", "a.py:2:8: error: 'K' is not a type"},
        {"y = declare('K')\n    return y", "a.py:2:17: error: 'K' is not a type"},
        {"y = declare('matrix(t)')\n    return x", "'t', a size of the matrix, is no integer"},
        {"return t[0]", "a.py:2:12: error: float32 cannot be indexed"},
    };
    world *w = *state;
    const cpl_type *int32, *pair;
    assert_int_equal(cpl_type_parse(w->cx, "int32", &int32), CPL_OK);
    cpl_field fields[1] = {{.name = "a", .type = int32}};
    assert_int_equal(cpl_type_struct(w->cx, "OfOne", fields, 1, &pair), CPL_OK);
    cpl_name typed = {.name = "t", .kind = CPL_NAME_SCALAR, .dtype = CPL_FLOAT32, .value.f = 2};
    cpl_name names[] = {typed,
                        typed,
                        cpl_name_int("K", 3),
                        cpl_name_int("a.b", 3),
                        cpl_name_other("e", "a list"),
                        cpl_name_other("sqrt", "a method"),
                        cpl_name_other("a.o", "an object"),
                        cpl_name_function("self", 0),
                        cpl_name_type("T", int32),
                        cpl_name_type("Pair", pair),
                        cpl_name_module("np", "numpy")};
    names[1].name = "a.t";
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[200];
        snprintf(text, sizeof text, "def f(x):\n    %s\n", rows[i].body);
        cpl_function_source f = with_names(source("a.py", text), names, COUNT(names));
        cpl_arg args[] = {cpl_arg_float(1)};
        double result;
        cpl_module *m = make(w, &f, 1);
        *w->said.text = 0;
        if (!call_once(m, "f", args, 1, &result, NULL)) fail_msg("%s is accepted", rows[i].body);
        says(w, rows[i].message);
        cpl_module_release(m);
    }
}

static void defaults_are_not_read(void **state)
{
    world *w = *state;
    cpl_name names[] = {cpl_name_function("g", 1)};
    cpl_function_source functions[] = {with_names(source("a.py", "def f(x):\n    return g(x)\n"),
                                                  names, 1),
                                       source("b.py", "def g(x, k=2):\n    return k*x\n")};
    cpl_arg args[] = {cpl_arg_float(4)};
    cpl_module *m = make(w, functions, 2);
    assert_int_equal(call_once(m, "f", args, 1, NULL, NULL), CPL_ETYPE);
    says(w, "a.py:2:12: error: 'g' takes 2 arguments, found 1\n");
    says(w, "hint: the default of 'k' is not read here: give the argument\n");
    cpl_module_release(m);
    functions[0].text = "def f(x):\n    return g(x, k=3)\n";
    functions[0].text_size = strlen(functions[0].text);
    m = make(w, functions, 2);
    assert_true(call(w, m, "f", 4) == 12);
    cpl_module_release(m);
}

/* Two functions of one name call different things by one name. */
static void one_name_in_two_files(void **state)
{
    world *w = *state;
    cpl_name names[] = {cpl_name_function("first", 1), cpl_name_function("second", 2)};
    cpl_name one[] = {cpl_name_function("g", 3), cpl_name_int("K", 1)};
    cpl_name two[] = {cpl_name_builtin("g", "fabs"), cpl_name_int("K", 2)};
    static const char text[] = "def h(x):\n    return g(x) + K\n";
    cpl_function_source functions[] = {
        with_names(source("a.py", "def f(x):\n    return first(x) + 100*second(x)\n"), names, 2),
        with_names(source("b.py", text), one, 2), with_names(source("c.py", text), two, 2),
        source("b.py", "def g(x):\n    return 7*x\n")};
    functions[1].name = "b.h";
    functions[2].name = "c.h";
    cpl_module *m = make(w, functions, 4);
    assert_string_equal(cpl_module_function(m, 0), "f");
    assert_string_equal(cpl_module_function(m, 1), "b.h");
    assert_string_equal(cpl_module_function(m, 3), "g");
    assert_null(cpl_module_function(m, 4));
    assert_string_equal(cpl_module_parameter(m, "c.h", 0), "x");
    assert_null(cpl_module_default_function(m));
    assert_true(call(w, m, "f", -1) == -6 + 300);
    assert_true(call(w, m, "b.h", -1) == -6);
    assert_true(call(w, m, "c.h", -1) == 3);
    cpl_arg args[] = {cpl_arg_float(1)};
    assert_int_equal(call_once(m, "h", args, 1, NULL, NULL), CPL_ENOTFOUND);
    says(w, "error: there is no function 'h'");
    cpl_spec spec;
    cpl_blob ir;
    cpl_spec_init(&spec);
    assert_int_equal(cpl_module_emit(m, NULL, &spec, CPL_STAGE_IR, NULL, &ir), CPL_ENOTFOUND);
    says(w, "\nerror: the module has several functions; name one\nnote: there is 'f'\n");
    cpl_module_release(m);
    functions[2].name = "b.h";
    assert_int_equal(cpl_module_from_functions(w->cx, functions, 4, &m), CPL_EEXIST);
    says(w, "c.py:1:5: error: the module has another function called 'b.h'");
}

static void recursion(void **state)
{
    world *w = *state;
    cpl_name names[] = {cpl_name_function("again", 0)};
    cpl_function_source f =
        with_names(source("a.py",
                          "def f(x) -> 'double':\n    return x if x < 1 else again(x - 1)\n"),
                   names, 1);
    assert_true(call_one(w, f, 3.5) == 0.5);
    f.text = "def f(x):\n    return x if x < 1 else again(x - 1)\n";
    f.text_size = strlen(f.text);
    fails(w, f, CPL_ETYPE, "a.py:2:28: error: 'f' calls itself and does not declare what it");
}

/* Parameters that stand for functions take the module's names, and the table's. */
static void bound_functions(void **state)
{
    world *w = *state;
    cpl_name names[] = {cpl_name_function("inner", 1), cpl_name_float("K", 0.5),
                        cpl_name_builtin("lib.root", "sqrt")};
    cpl_function_source functions[] = {with_names(source("a.py", "def f(x, g):\n    return g(x)\n"),
                                                  names, 3),
                                       source("b.py", "def h(x):\n    return x + 1\n")};
    functions[1].name = "b.h";
    cpl_module *m = make(w, functions, 2);
    static const struct {
        bool expression;
        const char *text;
        double wanted;
    } rows[] = {
        {false, "b.h", 5},
        {false, "inner", 5},
        {false, "sqrt", 2},
        {true, "lambda x: inner(x)*K", 2.5},
        {true, "lambda x: lib.root(x) + np.sqrt(x)", 4},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cpl_bind b = rows[i].expression ? cpl_bind_expression(rows[i].text)
                                        : cpl_bind_function(rows[i].text);
        cpl_arg args[] = {cpl_arg_float(4), cpl_arg_bound(&b)};
        double result = 0;
        cpl_status status = call_once(m, "f", args, 2, &result, NULL);
        if (status) fail_msg("%s: %s", rows[i].text, w->said.text);
        assert_true(result == rows[i].wanted);
    }
    cpl_bind b = cpl_bind_function("h");
    cpl_arg args[] = {cpl_arg_float(4), cpl_arg_bound(&b)};
    assert_int_equal(call_once(m, "f", args, 2, NULL, NULL), CPL_ENOTFOUND);
    says(w, "a.py:1:10: error: 'h', which 'g' is to stand for, is no function");
    cpl_module_release(m);
}

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

/* ---- what is refused at once ---- */

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

/* Names with many dots are looked up in the time that reading them takes. */
static void long_names(void **state)
{
    enum { DOTS = 2000 };
    world *w = *state;
    static char text[2 * DOTS + 100];
    strcpy(text, "def f(x):\n    return x + a");
    for (int i = 0; i < DOTS; i++) strcat(text, ".b");
    cpl_name names[] = {cpl_name_int("a.b", 1)};
    fails(w, with_names(source("a.py", text), names, 1), CPL_ETYPE, "a.py:2:");
}

/* ---- what is kept ---- */

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
    enum { SAME, TEXT, VALUE, UNUSED, TARGET, TYPE, RULE, PLACE, ROWS };
    static const struct {
        double wanted;
        bool found, found_with_lines;
    } rows[ROWS] = {
        [SAME] = {1.1, true, true},       [TEXT] = {0.1 - 1, false, false},
        [VALUE] = {2.1, false, false},    [UNUSED] = {1.1, true, true},
        [TARGET] = {0.1 + 1, true, true}, [TYPE] = {0.1f + 1, false, false},
        [RULE] = {0, false, false},       [PLACE] = {1.1, true, false},
    };
    for (int debug_info = 0; debug_info < 2; debug_info++)
        for (int i = -1; i < ROWS; i++) {
            cpl_name calls[] = {cpl_name_function("g", 1), cpl_name_int("unused", i == UNUSED)};
            cpl_name names[] = {cpl_name_int("K", i == VALUE ? 2 : 1),
                                cpl_name_builtin("h", i == TARGET ? "math.fabs" : "fabs")};
            cpl_function_source f =
                with_names(source("a.py", "def f(x):\n    return float(g(x))\n"), calls, 2);
            cpl_function_source g =
                with_names(source("b.py",
                                  i == TEXT
                                      ? "def g(x):\n    y = 0\n    y = h(x) - K\n    return y\n"
                                      : "def g(x):\n    y = 0\n    y = h(x) + K\n    return y\n"),
                           names, 2);
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

static void names_that_are_built_in(void **state)
{
    (void)state;
    static const char *const wanted[] = {"sqrt", "atomic_add", "declare", "LID_0", "pi", "M_PI"};
    for (size_t i = 0; i < COUNT(wanted); i++) {
        size_t k = 0;
        while (cpl_builtin_name(k) && strcmp(cpl_builtin_name(k), wanted[i]) != 0) k++;
        assert_non_null(cpl_builtin_name(k));
    }
    for (size_t k = 0; cpl_builtin_name(k); k++)
        assert_string_not_equal(cpl_builtin_name(k), "arctan2");
    assert_null(cpl_builtin_name(SIZE_MAX));
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(texts_as_they_stand, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(texts_that_are_not_one_function, set_up, tear_down),
        cmocka_unit_test_setup_teardown(places, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(indent_is_restored, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(kinds_of_names, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(kernels, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(names_used_wrongly, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(defaults_are_not_read, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(one_name_in_two_files, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(recursion, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(bound_functions, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(types_in_place_of_annotations, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(rules_for_locals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(locals_that_rules_refuse, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_first_assignment_stays, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(wrong_tables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_arguments, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(many, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(long_names, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(all_is_copied, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(stages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(faults_have_places, set_up_one_tier, tear_down),
        cmocka_unit_test(what_is_compiled_again),
        cmocka_unit_test(names_that_are_built_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

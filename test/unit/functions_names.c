/*
 * Modules of functions of a host program: what their names stand for.
 */
#include "functions.h"

#include <math.h>
#include <stdio.h>

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
        /* other spellings of a name */
        {"return x*\xc2\xb5 + \xef\xac\x81t(x)", 3, 23.5},
        {"m = declare('matrix(\xce\xbc.n)')\n    return x + len(m)", 3, 6},
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
        {"for k in static_range(grid[1][0]):\n        x += k\n    return x", 1, 4},
        {"s = 0.0\n    for v in deep.w:\n        s += v\n    return s*deep.w[int(x)]", 1, 74.75},
        {"return deep.w[1] + deep.w[-2] + deep.w.x + len(deep.w) + (x in deep.w)", 5, 23},
        {"return deep.w[int(x)] + deep.w.x", 0, 13.5},
        {"for k in times(3):\n        x += k\n    return x", 1, 4},
        {"return low.cast(x, 'int') + 0.0", 2.5, 2},
        {"return x*flat(5, 1)", 1, 0.965726999795003},
        {"return x*numbers.uniform(5, 1)", 1, 0.965726999795003},
        {"return x*own.random.uniform(5, 1)", 1, 0.965726999795003},
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
                        cpl_name_int("grid.0.0", 1),
                        cpl_name_int("grid.0.1", 2),
                        cpl_name_int("grid.1.0", 3),
                        cpl_name_int("grid.1.1", 4),
                        cpl_name_int("deep.w.0", 5),
                        cpl_name_float("deep.w.1", 6.5),
                        cpl_name_float("deep.w.x", 8.5),
                        cpl_name_builtin("slot", "compyle.api.declare"),
                        cpl_name_builtin("times", "range"),
                        cpl_name_module("m", "math"),
                        cpl_name_builtin("flat", "cpl.random.uniform"),
                        cpl_name_module("numbers", "cpl.random"),
                        cpl_name_module("own", "cpl"),
                        cpl_name_type("T", int32),
                        cpl_name_type("Pair", pair),
                        cpl_name_function("other", 2),
                        cpl_name_builtin("int", "int"),
                        cpl_name_float("\xc2\xb5", 3.5),
                        cpl_name_int("\xc2\xb5.n", 3),
                        cpl_name_function("fit", 1)};
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

/* The ends of each type of integers arrive as they are, and what is past them is refused. */
static void ends_of_types(void **state)
{
    static const cpl_dtype types[] = {CPL_BOOL,  CPL_INT8,   CPL_INT16,  CPL_INT32, CPL_INT64,
                                      CPL_UINT8, CPL_UINT16, CPL_UINT32, CPL_UINT64};
    world *w = *state;
    for (size_t t = 0; t < COUNT(types); t++) {
        bool is_signed = types[t] >= CPL_INT8 && types[t] <= CPL_INT64;
        unsigned bits = types[t] == CPL_BOOL ? 1 : 8 * (unsigned)cpl_dtype_size(types[t]);
        uint64_t most = UINT64_MAX >> (64 - bits + is_signed);
        int64_t least = is_signed ? -(int64_t)most - 1 : 0;
        /* one step past the ends too, where those are in 64 bits */
        const uint64_t values[] = {
            most,     most - 1,           (uint64_t)least, bits / 2, (uint64_t)least + 1,
            most + 1, (uint64_t)least - 1};
        for (size_t v = 0; v < COUNT(values) - (bits == 64 ? 2 : 0); v++) {
            cpl_name n = {.name = "n", .dtype = types[t], .value.u = values[v]};
            char text[120];
            snprintf(text, sizeof text,
                     is_signed ? "def f(x):\n    return x if n == %lld else 0.0\n"
                               : "def f(x):\n    return x if n == %llu else 0.0\n",
                     (long long)values[v]);
            cpl_function_source f = with_names(source("ends.py", text), &n, 1);
            if (v < 5) assert_true(call_one(w, f, 3) == 3);
            else refused(w, f, CPL_EARG, "'n' is no number of its type");
        }
    }
}

/* Of the same name, with constants, of types that the host names. */
static void methods_of_types(void **state)
{
    world *w = *state;
    const cpl_type *first, *second;
    cpl_field field = {.name = "a"};
    assert_int_equal(cpl_type_parse(w->cx, "float64", &field.type), CPL_OK);
    assert_int_equal(cpl_type_struct(w->cx, "OfFirst", &field, 1, &first), CPL_OK);
    assert_int_equal(cpl_type_struct(w->cx, "OfSecond", &field, 1, &second), CPL_OK);
    cpl_name names[] = {cpl_name_type("First", first),   cpl_name_function("First.grown", 1),
                        cpl_name_type("Second", second), cpl_name_function("Second.grown", 2),
                        cpl_name_int("First.K", 5),      cpl_name_int("Second.K", 7)};
    cpl_function_source functions[] = {
        with_names(source("a.py",
                          "def f(x):\n    p = declare('First')\n    q = declare('Second')\n"
                          "    p.a = q.a = x\n"
                          "    return p.grown(1.0) + q.grown(1.0) + 1000*p.K + 10000*q.K\n"),
                   names, COUNT(names)),
        source("first.py", "def grown(self, by):\n    return self.a + by\n"),
        source("second.py", "def more(self, by):\n    return 100*(self.a + by)\n")};
    cpl_module *m = make(w, functions, COUNT(functions));
    assert_true(call(w, m, "f", 2.0) == 75303);
    cpl_module_release(m);
}

/* What calls leave out is what the host says, of numbers alone. */
static void defaults(void **state)
{
    world *w = *state;
    cpl_name helper = cpl_name_function("weigh", 1);
    cpl_name own[] = {cpl_name_int("b=", 3), cpl_name_float("c=", 0.5),
                      cpl_name_complex("d=", 1, 2)};
    cpl_function_source functions[] = {
        with_names(source("a.py", "def f(x):\n    return weigh(x) + 100.0*weigh(x, c=2.0, b=1)\n"),
                   &helper, 1),
        with_names(source("b.py", "def weigh(a, b=WRONG(), *, c=None):\n    return a + 10*b + c\n"),
                   own, COUNT(own))};
    cpl_module *m = make(w, functions, 2);
    assert_true(call(w, m, "f", 1.0) == 31.5 + 100 * 13.0);
    cpl_module_release(m);
    functions[1] =
        with_names(source("b.py", "def weigh(a, d=1):\n    return (a*d).imag + d.real\n"), own,
                   COUNT(own));
    functions[0].text = "def f(x):\n    return weigh(x)\n";
    functions[0].text_size = strlen(functions[0].text);
    m = make(w, functions, 2);
    assert_true(call(w, m, "f", 4.0) == 9);
    cpl_module_release(m);
    functions[1] =
        with_names(source("b.py", "def weigh(a, e=1):\n    return a + e\n"), own, COUNT(own));
    functions[0].text_size = strlen(functions[0].text);
    m = make(w, functions, 2);
    cpl_arg x = cpl_arg_float(1.0);
    assert_int_equal(call_once(m, "f", &x, 1, NULL, NULL), CPL_ETYPE);
    says(w, "the default of 'e' is not read here: give the argument");
    cpl_module_release(m);
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
    assert_int_equal(launch_rounds(m, "f", NULL, args, 2, 1, NULL), CPL_EARG);
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
        {"return Pair(1, 2)", "a.py:2:12: error: 'OfOne' takes 1 field or none, found 2"},
        {"x.K = 1\n    return x", "a.py:2:7: error: float64 has no field 'K'"},
        {"a.b = 1\n    return x", "a.py:2:5: error: 'b' is a constant"},
        {"a.t = 1\n    return x", "a.py:2:5: error: 't' is a constant"},
        {"a.t += 1\n    return x", "a.py:2:5: error: 't' is a constant"},
        {"p = address(a.t)\n    return x", "error: 'address' takes an element, field or variable"},
        {"return e", "a.py:2:12: error: 'e' is a list, which kernels cannot use\n        return e\n"
                     "               ^\nhint: numbers, up to 256 in a list or array, functions and "
                     "types may come from outside"},
        {"return sqrt(x)", "a.py:2:12: error: 'sqrt' is a method, which kernels cannot use"},
        {"return sqrt.x", "a.py:2:12: error: 'sqrt' is a method, which kernels cannot use"},
        {"return a.o", "a.py:2:12: error: 'o' is an object, which kernels cannot use"},
        {"e.append(x)\n    return x", "a.py:2:5: error: 'e' is a list, which kernels cannot use"},
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
        cmocka_unit_test_setup_teardown(kinds_of_names, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(ends_of_types, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(methods_of_types, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(defaults, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(kernels, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(names_used_wrongly, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(defaults_are_not_read, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(one_name_in_two_files, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(recursion, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(bound_functions, set_up_one_tier, tear_down),
        cmocka_unit_test(names_that_are_built_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * The type of what decorators make. A call converts its arguments, finds the kernel that such
 * arguments had before and launches it; only a first call goes through Python.
 */
#include "function.h"

#include <structmember.h>

static PyTypeObject *function_type, *launcher_type;

static const launch as_given; /* nothing is */

/* --- what it is called with --- */

/* Whether the last name is "*NAME". */
static bool has_star(PyObject *parameters)
{
    Py_ssize_t count = PyTuple_Size(parameters);
    const char *last =
        count ? PyUnicode_AsUTF8AndSize(PyTuple_GetItem(parameters, count - 1), NULL) : NULL;
    return last && *last == '*';
}

static void take_signature(function_object *f, PyObject *parameters, PyObject *defaults)
{
    PyObject *old_parameters = f->parameters, *old_defaults = f->defaults;
    f->parameters = Py_NewRef(parameters);
    f->parameter_count = PyTuple_Size(parameters);
    f->is_variadic = has_star(parameters);
    f->defaults = Py_NewRef(defaults);
    Py_XDECREF(old_parameters);
    Py_XDECREF(old_defaults);
}

/* The function of Python has got another code or other defaults. */
static bool renew(function_object *f)
{
    PyObject *parameters, *defaults, *rows, *indices, *said = PyObject_CallNoArgs(f->sign);
    static const guards none;
    guards taken = {0};
    bool fine = said &&
                PyArg_ParseTuple(said, "O!O!O!O!", &PyTuple_Type, &parameters, &PyTuple_Type,
                                 &defaults, &PyTuple_Type, &rows, &PyTuple_Type, &indices) &&
                guards_take(&taken, rows, &none);
    if (fine) {
        guards old = f->signed_by;
        f->signed_by = taken;
        taken = old;
        PyObject *before = f->indices;
        f->indices = Py_NewRef(indices);
        Py_XDECREF(before);
        take_signature(f, parameters, defaults);
        function_forget(f); /* what is compiled does not look at these guards again */
    }
    guards_free(&taken);
    Py_XDECREF(said);
    return fine;
}

/* --- a call --- */

PyObject *function_fault(const function_object *f, size_t index, PyObject *what)
{
    PyObject *name = NULL;
    if (!PyErr_Occurred()) {
        name = PySequence_GetItem(f->parameters, (Py_ssize_t)index);
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%U(): argument %zu%s%V is %U", f->name, index + 1,
                     name ? " " : "", name, "", what);
    }
    Py_XDECREF(name);
    Py_DECREF(what);
    return NULL;
}

static PyObject *too_many(const function_object *f)
{
    return PyErr_Format(PyExc_TypeError, "%U(): more than %d arguments", f->name, MAX_ARGS - 1);
}

/* Whether as many as that will do: a last parameter "*NAME" takes any number, and a scan's array
 * for results may be left out. */
static bool is_count(const function_object *f, size_t count)
{
    size_t total = (size_t)f->parameter_count;
    if (f->is_variadic) return count + 1 >= total;
    return count == total || (f->form == SCAN && count + 1 == total);
}

static PyObject *wrong_count(const function_object *f, size_t count)
{
    Py_ssize_t indices = f->indices ? PyTuple_Size(f->indices) : 0;
    PyObject *names = indices ? f->indices : f->parameters;
    PyObject *first = PyTuple_Size(names) ? PyTuple_GetItem(names, 0) : NULL;
    bool is_method = first && PyUnicode_CompareWithASCIIString(first, "self") == 0;
    bool has_index = !is_method && indices && (Py_ssize_t)count > f->parameter_count;
    PyObject *about =
        has_index
            ? PyUnicode_FromFormat("; of its parameters the first, '%U', is the index, which no "
                                   "call gives",
                                   first)
            : NULL;
    PyErr_Format(PyExc_TypeError, "%U() takes %zd argument%s, %S, and was given %zu%V%s", f->name,
                 f->parameter_count, f->parameter_count == 1 ? "" : "s", f->parameters, count,
                 about, "",
                 is_method ? "; it is not bound to an object: @staticmethod, without self, makes a "
                             "kernel of a class's function"
                           : "");
    Py_XDECREF(about);
    return NULL;
}

/* Rounds of a call, as far as they tell how long it takes. */
static int64_t rounds(const function_object *f, const call_args *c, const launch *how)
{
    if (f->form == PLAIN) return 1;
    if (how->is_given) return f->form == KERNEL ? INT64_MAX : how->n;
    for (size_t i = 0; i < c->count; i++)
        if (c->args[i].kind == CPL_ARG_ARRAY) return c->args[i].length;
    return INT64_MAX;
}

/* Kernels are launched without the functions that they were made for. */
static size_t without_functions(call_args *c)
{
    if (!c->function_count) return c->count;
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->args[i].kind != CPL_ARG_BOUND) c->args[count++] = c->args[i];
    return count;
}

/* Lets go of the GIL where the kernel may take more than a few microseconds. */
static cpl_status launch_kernel(const entry *e, const cpl_launch_options *o, call_args *c,
                                int64_t count)
{
    size_t args = without_functions(c);
    if (count < e->short_below) return cpl_kernel_launch(e->kernel, o, c->args, args);
    PyThreadState *state = PyEval_SaveThread();
    cpl_status status = cpl_kernel_launch(e->kernel, o, c->args, args);
    PyEval_RestoreThread(state);
    return status;
}

static PyObject *run_plain(function_object *f, entry *e, call_args *c)
{
    uint64_t result[2];
    const cpl_type *type;
    cpl_launch_options o;
    function_options(f, c, &as_given, &o);
    o.result = result;
    o.result_type = &type;
    if (!diag_check_keep(launch_kernel(e, &o, c, 1), f->name, &e->unsaid)) return NULL;
    if (!type || !cpl_type_size(type)) Py_RETURN_NONE;
    return types_value(type, result, true);
}

static PyObject *run_kernel(function_object *f, entry *e, call_args *c, const launch *how)
{
    int64_t count = rounds(f, c, how);
    bool is_said = how->is_given || c->queue;
    cpl_launch_options o;
    if (is_said) function_options(f, c, how, &o);
    cpl_status status = launch_kernel(e, is_said ? &o : NULL, c, count);
    if (!diag_check_keep(status, f->name, &e->unsaid)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *run(function_object *f, entry *e, call_args *c, const launch *how)
{
    if (f->form == PLAIN) return run_plain(f, e, c);
    if (f->form == REDUCE || f->form == SCAN) return algorithm_run(f, e, c, how);
    return run_kernel(f, e, c, how);
}

/* Whether a reduction or scan reads an array that it takes as flat: what writes one itself does so
 * where it lies. */
static bool reads_flat(const function_object *f, size_t i)
{
    if (f->form == REDUCE) return true;
    bool has_output = f->form == SCAN && PyTuple_GetItem(f->roles, ROLE_OUTPUT) != Py_None;
    return f->form == SCAN && !has_output && (Py_ssize_t)i + 1 < f->parameter_count;
}

/* Whether an array without dimensions stands for its number: not where elements come from or go
 * to. */
static bool takes_number(const function_object *f, size_t i)
{
    if (f->form != REDUCE && f->form != SCAN) return true;
    bool has_map = PyTuple_GetItem(f->roles, ROLE_MAP) != Py_None;
    bool has_output = f->form == REDUCE || PyTuple_GetItem(f->roles, ROLE_OUTPUT) != Py_None;
    return has_map && (has_output || (Py_ssize_t)i + 1 < f->parameter_count);
}

PyObject *function_take(const function_object *f, call_args *c, size_t i, PyObject *x)
{
    c->takes_numbers = takes_number(f, i);
    return reads_flat(f, i) ? args_add_flat(c, x) : args_add(c, x);
}

/* Whether copies stand for what they are of. */
static bool is_apart(const function_object *f, const call_args *c)
{
    int wrong = c->copy_count ? args_mixed_copy(c) : -1;
    if (wrong >= 0)
        function_fault(f, (size_t)wrong,
                       PyUnicode_FromString(
                           "an array that is not aligned to its elements and overlaps "
                           "another one; copy it"));
    return wrong == -1;
}

static bool take(function_object *f, call_args *c, PyObject *const *args, size_t count)
{
    args_begin(c);
    if (count >= MAX_ARGS) return too_many(f) != NULL;
    if (!is_count(f, count)) return wrong_count(f, count) != NULL;
    c->copies_misaligned = f->form != SCAN && !place_is_recording();
    c->takes_numbers = true;
    bool is_algorithm = f->form == REDUCE || f->form == SCAN;
    for (size_t i = 0; i < count; i++) {
        PyObject *wrong = is_algorithm ? function_take(f, c, i, args[i]) : args_add(c, args[i]);
        if (!wrong) continue;
        args_end(c);
        return function_fault(f, i, wrong) != NULL;
    }
    if (is_apart(f, c) && args_place(c)) return true;
    args_end(c);
    return false;
}

/* To an exception of what is compiled. */
static void add_note_of_lone(const function_object *f)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    PyObject *said = PyUnicode_FromFormat(
        "%U() was given an array without dimensions, which is the number that it holds; where it "
        "is indexed or written give an array of one element, x.reshape(1)",
        f->name);
    PyObject *done = said && value ? PyObject_CallMethod(value, "add_note", "O", said) : NULL;
    Py_XDECREF(done);
    Py_XDECREF(said);
    PyErr_Restore(type, value, trace);
}

/* A reduction or scan that is called with a function is its decorator. */
static PyObject *decorate(function_object *f, PyObject *function)
{
    return PyObject_CallMethod((PyObject *)f, "_decorate", "O", function);
}

static PyObject *call_in_order(function_object *f, PyObject *const *args, size_t count,
                               const launch *how)
{
    call_args c;
    if (!diag_listen() || !take(f, &c, args, count)) return NULL;
    if (c.function_count && (f->form == REDUCE || f->form == SCAN)) return decorate(f, args[0]);
    PyObject *result = NULL;
    entry *e = function_entry(f, &c, how);
    if (e) {
        e->calls++;
        f->running++;
        result = run(f, e, &c, how);
        f->running--;
        bool copied = result && c.copy_count && e->kernel;
        if (copied && !args_put_back(&c, e->kernel, f->form == ELEMENTWISE)) Py_CLEAR(result);
        if (result && !args_leave(&c)) Py_CLEAR(result);
    } else if (c.lone_count) {
        add_note_of_lone(f);
    }
    args_end(&c);
    return result;
}

/* --- arguments by name, and defaults --- */

/* The place of a parameter, -1 with an exception. */
static Py_ssize_t place_of(const function_object *f, PyObject *name)
{
    Py_ssize_t place = PySequence_Index(f->parameters, name);
    if (place >= 0) return place;
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%U(): no parameter is called '%U'", f->name, name);
    return -1;
}

static bool put_named(const function_object *f, PyObject **slots, PyObject *const *values,
                      PyObject *names)
{
    for (Py_ssize_t i = 0; i < PyTuple_Size(names); i++) {
        PyObject *name = PyTuple_GetItem(names, i);
        Py_ssize_t place = place_of(f, name);
        if (place < 0) return false;
        if (slots[place]) {
            PyErr_Format(PyExc_TypeError, "%U(): two values for argument '%U'", f->name, name);
            return false;
        }
        slots[place] = values[i];
    }
    return true;
}

/* How many arguments there are with defaults in place; -1 with an exception. */
static Py_ssize_t put_defaults(const function_object *f, PyObject **slots, Py_ssize_t count)
{
    Py_ssize_t total = PyTuple_Size(f->parameters), first = total - PyTuple_Size(f->defaults);
    for (Py_ssize_t i = first > 0 ? first : 0; i < total; i++)
        if (!slots[i]) slots[i] = PyTuple_GetItem(f->defaults, i - first);
    for (Py_ssize_t i = total; i > count; i--)
        if (slots[i - 1]) {
            count = i;
            break;
        }
    for (Py_ssize_t i = 0; i < count; i++)
        if (!slots[i]) {
            PyErr_Format(PyExc_TypeError, "%U(): argument '%U' is missing", f->name,
                         PyTuple_GetItem(f->parameters, i));
            return -1;
        }
    return count;
}

static PyObject *call_by_name(function_object *f, PyObject *const *args, size_t count,
                              PyObject *names, const launch *how)
{
    PyObject *slots[2 * MAX_ARGS] = {0};
    if (count >= MAX_ARGS || PyTuple_Size(f->parameters) >= MAX_ARGS) return too_many(f);
    memcpy(slots, args, count * sizeof *slots);
    if (names && !put_named(f, slots, args + count, names)) return NULL;
    PyObject *defaults = Py_NewRef(f->defaults); /* others may come while it runs */
    Py_ssize_t all = put_defaults(f, slots, (Py_ssize_t)count);
    PyObject *result = all < 0 ? NULL : call_in_order(f, slots, (size_t)all, how);
    Py_DECREF(defaults);
    return result;
}

static PyObject *call(function_object *f, PyObject *const *args, size_t flagged, PyObject *names,
                      const launch *how)
{
    size_t count = flagged & ~((size_t)1 << (8 * sizeof flagged - 1)); /* PyVectorcall_NARGS */
    if (!guards_hold(&f->signed_by) && !renew(f)) return NULL;
    bool is_short = (Py_ssize_t)count < f->parameter_count;
    if (names || (is_short && PyTuple_Size(f->defaults)))
        return call_by_name(f, args, count, names, how);
    return call_in_order(f, args, count, how);
}

static PyObject *function_vectorcall(PyObject *self, PyObject *const *args, size_t flagged,
                                     PyObject *names)
{
    return call((function_object *)self, args, flagged, names, &as_given);
}

/* Of a tuple and a dict, for whoever does not know vectorcall. */
static PyObject *call_tuple(function_object *f, PyObject *args, PyObject *keywords,
                            const launch *how)
{
    PyObject *values[2 * MAX_ARGS], *name, *value;
    size_t count = (size_t)PyTuple_Size(args);
    Py_ssize_t named = keywords ? PyDict_Size(keywords) : 0, at = 0;
    if (count >= MAX_ARGS || named >= MAX_ARGS) return too_many(f);
    for (size_t i = 0; i < count; i++) values[i] = PyTuple_GetItem(args, (Py_ssize_t)i);
    PyObject *names = PyTuple_New(named);
    for (Py_ssize_t i = 0; names && named && PyDict_Next(keywords, &at, &name, &value); i++) {
        Py_INCREF(name);
        PyTuple_SetItem(names, i, name);
        values[count + (size_t)i] = value;
    }
    PyObject *result = names ? call(f, values, count, named ? names : NULL, how) : NULL;
    Py_XDECREF(names);
    return result;
}

static PyObject *function_tp_call(PyObject *self, PyObject *args, PyObject *keywords)
{
    return call_tuple((function_object *)self, args, keywords, &as_given);
}

/* --- f[n], f[global] and f[global, local] --- */

typedef struct launcher {
    PyObject_HEAD function_object *function;
    launch how;
} launcher;

/* A size or a tuple of up to three. */
static bool sizes(PyObject *said, int64_t *out, int64_t rest)
{
    Py_ssize_t count = PyTuple_Check(said) ? PyTuple_Size(said) : 1;
    if (count < 1 || count > 3) {
        PyErr_SetString(PyExc_ValueError, "a grid has one to three dimensions");
        return false;
    }
    for (Py_ssize_t d = 0; d < 3; d++) {
        PyObject *size = !PyTuple_Check(said) ? said : d < count ? PyTuple_GetItem(said, d) : NULL;
        out[d] = d < count ? PyNumber_AsSsize_t(size, PyExc_OverflowError) : rest;
        if (PyErr_Occurred()) return false;
        if (out[d] < 0) {
            PyErr_SetString(PyExc_ValueError, "sizes are not negative");
            return false;
        }
    }
    return true;
}

/* f[(64, 64)] is the same to Python as f[64, 64]: two sizes that are numbers are global and local,
 * as a kernel's sizes most often have one dimension each. */
static bool grid(PyObject *said, launch *how)
{
    PyObject *global = said, *local = NULL;
    if (PyTuple_Check(said) && PyTuple_Size(said) == 2) {
        global = PyTuple_GetItem(said, 0);
        local = PyTuple_GetItem(said, 1);
    }
    how->local[0] = 0;
    how->local[1] = how->local[2] = 1;
    return sizes(global, how->global, 1) && (!local || sizes(local, how->local, 1));
}

static PyObject *function_getitem(PyObject *self, PyObject *said)
{
    function_object *f = (function_object *)self;
    launch how = {.is_given = true};
    if (f->form == PLAIN)
        return PyErr_Format(PyExc_TypeError, "%U is called once: it has no range", f->name);
    if (f->form != KERNEL && PyTuple_Check(said) && PyTuple_Size(said) != 1)
        return PyErr_Format(PyExc_TypeError,
                            "%U runs over one range, %U[n]; kernels over a grid have more", f->name,
                            f->name);
    if (f->form == KERNEL ? !grid(said, &how) : !sizes(said, how.global, 1)) return NULL;
    how.n = how.global[0];
    launcher *l = PyObject_New(launcher, launcher_type);
    if (!l) return NULL;
    Py_INCREF(self);
    l->function = f;
    l->how = how;
    return (PyObject *)l;
}

static PyObject *launcher_call(PyObject *self, PyObject *args, PyObject *keywords)
{
    launcher *l = (launcher *)self;
    return call_tuple(l->function, args, keywords, &l->how);
}

static void launcher_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_DECREF((PyObject *)((launcher *)self)->function);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot launcher_slots[] = {
    {Py_tp_call, launcher_call},
    {Py_tp_dealloc, launcher_free},
    {Py_tp_doc, "A function with the sizes that it is launched with."},
    {0, NULL},
};
static PyType_Spec launcher_spec = {"cpl._cpl.Launcher", sizeof(launcher), 0,
                                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE |
                                        Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                    launcher_slots};

/* --- the type --- */

static PyObject *function_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    int number;
    PyObject *load, *name, *parameters, *defaults, *roles, *options, *sign = NULL;
    if (!PyArg_ParseTuple(args, "iOUO!O!O!O!|O", &number, &load, &name, &PyTuple_Type, &parameters,
                          &PyTuple_Type, &defaults, &PyTuple_Type, &roles, &PyTuple_Type, &options,
                          &sign))
        return NULL;
    if (number < ELEMENTWISE || number > SCAN || PyTuple_Size(roles) != ROLE_COUNT)
        return PyErr_Format(PyExc_ValueError, "not a form of function");
    function_object *f = (function_object *)PyType_GenericAlloc(type, 0);
    if (!f) return NULL;
    f->call = function_vectorcall;
    f->form = (form)number;
    f->load = Py_NewRef(load);
    f->name = Py_NewRef(name);
    f->sign = Py_XNewRef(sign);
    take_signature(f, parameters, defaults);
    f->roles = Py_NewRef(roles);
    f->options = Py_NewRef(options);
    f->dict = PyDict_New();
    if (!f->dict || (sign && !renew(f))) Py_CLEAR(f);
    return (PyObject *)f;
}

static int visit_entries(const entry *e, visitproc visit, void *arg)
{
    int rc = 0;
    for (; e && !rc; e = e->next) rc = guards_visit(&e->guards, visit, arg);
    return rc;
}

static int function_traverse(PyObject *self, visitproc visit, void *arg)
{
    function_object *f = (function_object *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(f->load);
    Py_VISIT(f->sign);
    Py_VISIT(f->defaults);
    Py_VISIT(f->roles);
    Py_VISIT(f->options);
    Py_VISIT(f->dict);
    int rc = guards_visit(&f->signed_by, visit, arg);
    if (!rc) rc = visit_entries(f->entries, visit, arg);
    return rc ? rc : visit_entries(f->retired, visit, arg);
}

/* The tuples stay: calls need them, and they are no cycle by themselves. */
static int function_clear(PyObject *self)
{
    function_object *f = (function_object *)self;
    function_forget(f);
    guards_free(&f->signed_by);
    Py_CLEAR(f->load);
    Py_CLEAR(f->sign);
    Py_CLEAR(f->dict);
    return 0;
}

static void function_free(PyObject *self)
{
    function_object *f = (function_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    PyObject_ClearWeakRefs(self);
    function_clear(self);
    Py_XDECREF(f->name);
    Py_XDECREF(f->parameters);
    Py_XDECREF(f->indices);
    Py_XDECREF(f->defaults);
    Py_XDECREF(f->roles);
    Py_XDECREF(f->options);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static const char *const form_names[] = {
    [ELEMENTWISE] = "elementwise kernel",
    [PLAIN] = "function",
    [KERNEL] = "kernel",
    [REDUCE] = "reduction",
    [SCAN] = "scan",
};

static PyObject *function_repr(PyObject *self)
{
    function_object *f = (function_object *)self;
    return PyUnicode_FromFormat("<cpl %s %U>", form_names[f->form], f->name);
}

/* For notebooks, by cpl.show.function_html(function, what it is). */
static PyObject *function_html(PyObject *self, PyObject *none)
{
    (void)none;
    return binding_show("function_html", self, form_names[((function_object *)self)->form]);
}

/* Pickled, it is its name, as functions of Python are. */
static PyObject *function_reduce(PyObject *self, PyObject *none)
{
    (void)none;
    return PyObject_GetAttrString(self, "__qualname__");
}

static PyMethodDef methods[] = {
    {"__reduce__", function_reduce, METH_NOARGS, NULL},
    {"_repr_html_", function_html, METH_NOARGS, NULL},
    {"inspect", function_inspect, METH_VARARGS, inspect_doc},
    {"source", function_source, METH_VARARGS, source_doc},
    {0},
};

static PyGetSetDef attributes[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {"types", function_types, NULL, "types of the variables, as the last call had them", NULL},
    {"signatures", function_signatures, NULL,
     "[(names, types, kinds of arguments, calls), ...] of what is compiled, the latest first",
     NULL},
    {0},
};

static PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(function_object, call), READONLY, NULL},
    {"__dictoffset__", T_PYSSIZET, offsetof(function_object, dict), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(function_object, weak), READONLY, NULL},
    {"parameters", T_OBJECT, offsetof(function_object, parameters), READONLY,
     "names of what it is called with"},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_new, function_new},
    {Py_tp_call, function_tp_call},
    {Py_tp_traverse, function_traverse},
    {Py_tp_clear, function_clear},
    {Py_tp_dealloc, function_free},
    {Py_tp_repr, function_repr},
    {Py_mp_subscript, function_getitem},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {Py_tp_members, members},
    {0, NULL},
};
static PyType_Spec spec = {"cpl._cpl.Function", sizeof(function_object), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                               Py_TPFLAGS_IMMUTABLETYPE,
                           slots};

bool binding_init_function(PyObject *m)
{
    function_type = (PyTypeObject *)PyType_FromSpec(&spec);
    launcher_type = (PyTypeObject *)PyType_FromSpec(&launcher_spec);
    return function_type && launcher_type && !PyModule_AddType(m, function_type);
}

/*
 * Modules: functions of a Python program, as cpl.source finds them, for the compiler.
 *
 *     Module(((name, file, text, first_line, indent, ((name, kind, value), ...)), ...))
 *     Module(((..., names, (locals, types, result)), ...))
 *     Module(file, text)
 */
#include "binding.h"

PyTypeObject *module_type;

/* --- what names stand for --- */

static bool name_int(cpl_name *n, PyObject *value)
{
    int overflow;
    n->kind = CPL_NAME_INT;
    n->value.i = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (!overflow) return !PyErr_Occurred();
    n->value.u = PyLong_AsUnsignedLongLong(value);
    n->is_unsigned = true;
    if (!PyErr_Occurred()) return true;
    PyErr_Clear();
    n->kind = CPL_NAME_OTHER;
    n->target = "an integer that no 64 bits hold";
    return true;
}

static bool name_float(cpl_name *n, PyObject *value)
{
    n->kind = CPL_NAME_FLOAT;
    n->value.f = PyFloat_AsDouble(value);
    return !PyErr_Occurred();
}

static bool name_complex(cpl_name *n, PyObject *value)
{
    n->kind = CPL_NAME_COMPLEX;
    n->value.f = PyComplex_RealAsDouble(value);
    n->imag = PyComplex_ImagAsDouble(value);
    return !PyErr_Occurred();
}

static bool name_scalar(cpl_name *n, PyObject *value)
{
    PyArray_Descr *dtype = PyArray_DescrFromScalar(value);
    if (!dtype) return false;
    n->kind = CPL_NAME_SCALAR;
    n->dtype = types_number(dtype->type_num);
    Py_DECREF(dtype);
    PyObject *item = PyObject_CallMethod(value, "item", NULL);
    if (!item) return false;
    if (PyFloat_Check(item)) n->value.f = PyFloat_AsDouble(item);
    else if (n->dtype >= CPL_UINT8 && n->dtype <= CPL_UINT64)
        n->value.u = PyLong_AsUnsignedLongLong(item);
    else n->value.i = PyLong_AsLongLong(item);
    Py_DECREF(item);
    return !PyErr_Occurred();
}

static bool name_function(cpl_name *n, PyObject *value)
{
    n->kind = CPL_NAME_FUNCTION;
    n->function = PyLong_AsSize_t(value);
    return !PyErr_Occurred();
}

static bool name_type(cpl_name *n, PyObject *value)
{
    n->kind = CPL_NAME_TYPE;
    return types_of_object(value, &n->type);
}

static bool name_target(cpl_name *n, PyObject *value, cpl_name_kind kind)
{
    n->kind = kind;
    n->target = PyUnicode_AsUTF8AndSize(value, NULL);
    return n->target != NULL;
}

static bool name_builtin(cpl_name *n, PyObject *value)
{
    return name_target(n, value, CPL_NAME_BUILTIN);
}
static bool name_extern(cpl_name *n, PyObject *value)
{
    return name_target(n, value, CPL_NAME_EXTERN);
}
static bool name_module(cpl_name *n, PyObject *value)
{
    return name_target(n, value, CPL_NAME_MODULE);
}
static bool name_other(cpl_name *n, PyObject *value)
{
    return name_target(n, value, CPL_NAME_OTHER);
}

static const struct {
    const char *kind;
    bool (*fill)(cpl_name *n, PyObject *value);
} kinds[] = {
    {"scalar", name_scalar},     {"int", name_int},         {"float", name_float},
    {"function", name_function}, {"type", name_type},       {"builtin", name_builtin},
    {"extern", name_extern},     {"complex", name_complex}, {"module", name_module},
    {"other", name_other},
};

/* Texts live as long as the tuples that they come from. */
static bool fill_name(cpl_name *n, PyObject *row)
{
    const char *kind;
    PyObject *value;
    *n = (cpl_name){0};
    if (!PyArg_ParseTuple(row, "ssO", &n->name, &kind, &value)) return false;
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (!strcmp(kinds[i].kind, kind)) return kinds[i].fill(n, value);
    PyErr_Format(PyExc_ValueError, "no kind of name: %s", kind);
    return false;
}

/* "float64", "int32[]"; None: as annotated, or as calls give it. */
static bool fill_type(const cpl_type **type, PyObject *said)
{
    *type = NULL;
    if (said == Py_None) return true;
    const char *text = PyUnicode_AsUTF8AndSize(said, NULL);
    return text && diag_check(cpl_type_parse(binding_context(), text, type), said);
}

/* typed: how locals get their types, those of the parameters, and of the result. */
static bool fill_types(cpl_function_source *f, PyObject *typed)
{
    PyObject *types, *result;
    int locals;
    if (!PyArg_ParseTuple(typed, "iO!O", &locals, &PyTuple_Type, &types, &result)) return false;
    f->locals = (cpl_locals)locals;
    f->type_count = (size_t)PyTuple_Size(types);
    const cpl_type **filled = PyMem_Calloc(f->type_count + 1, sizeof *filled);
    f->types = filled;
    if (!filled) PyErr_NoMemory();
    bool fine = filled && fill_type(&f->result, result);
    for (size_t i = 0; fine && i < f->type_count; i++)
        fine = fill_type(&filled[i], PyTuple_GetItem(types, (Py_ssize_t)i));
    return fine;
}

static bool fill_function(cpl_function_source *f, PyObject *row)
{
    PyObject *names, *typed = NULL;
    Py_ssize_t size;
    *f = (cpl_function_source){.size = sizeof *f};
    if (!PyArg_ParseTuple(row, "sss#IIO!|O!", &f->name, &f->file, &f->text, &size, &f->first_line,
                          &f->indent, &PyTuple_Type, &names, &PyTuple_Type, &typed))
        return false;
    f->text_size = (size_t)size;
    if (typed && !fill_types(f, typed)) return false;
    f->name_count = (size_t)PyTuple_Size(names);
    cpl_name *filled = PyMem_Calloc(f->name_count + 1, sizeof *filled);
    f->names = filled;
    if (!filled) PyErr_NoMemory();
    bool fine = filled != NULL;
    for (size_t i = 0; fine && i < f->name_count; i++)
        fine = fill_name(&filled[i], PyTuple_GetItem(names, (Py_ssize_t)i));
    return fine;
}

/* --- the object --- */

static bool make(module_object *m, const cpl_function_source *functions, size_t count)
{
    cpl_context *cx = binding_context();
    if (!cx || !diag_listen()) return false;
    m->process = binding_process;
    /* of expressions alone there is no function */
    cpl_status status = count ? cpl_module_from_functions(cx, functions, count, &m->module)
                              : cpl_module_from_source(cx, "expression", "", 0, &m->module);
    return diag_check(status, NULL);
}

/* Of a file's whole text. */
static int init_file(module_object *m, PyObject *args)
{
    const char *file, *text;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "ss#", &file, &text, &size)) return -1;
    cpl_context *cx = binding_context();
    m->process = binding_process;
    return cx && diag_check(cpl_module_from_source(cx, file, text, (size_t)size, &m->module), NULL)
               ? 0
               : -1;
}

static int module_init(PyObject *self, PyObject *args, PyObject *keywords)
{
    PyObject *rows;
    (void)keywords;
    if (PyTuple_Size(args) == 2) return init_file((module_object *)self, args);
    if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &rows)) return -1;
    size_t count = (size_t)PyTuple_Size(rows), filled = 0;
    cpl_function_source *functions = PyMem_Calloc(count + 1, sizeof *functions);
    if (!functions) {
        PyErr_NoMemory();
        return -1;
    }
    bool fine = true;
    for (; fine && filled < count; filled++)
        fine = fill_function(&functions[filled], PyTuple_GetItem(rows, (Py_ssize_t)filled));
    fine = fine && make((module_object *)self, functions, count);
    while (filled) {
        PyMem_Free((void *)functions[--filled].names);
        PyMem_Free((void *)functions[filled].types);
    }
    PyMem_Free(functions);
    return fine ? 0 : -1;
}

static void module_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    cpl_module_release(((module_object *)self)->module);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* Whether it is of this process, and of these settings. */
static PyObject *module_fresh(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(((module_object *)self)->process == binding_process);
}

static PyGetSetDef attributes[] = {
    {"fresh", module_fresh, NULL, "whether it is of this process", NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_init, module_init},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_dealloc, module_free},
    {Py_tp_getset, attributes},
    {0, NULL},
};
static PyType_Spec spec = {"cpl._cpl.Module", sizeof(module_object), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, slots};

bool binding_init_module(PyObject *m)
{
    module_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return module_type && !PyModule_AddType(m, module_type);
}

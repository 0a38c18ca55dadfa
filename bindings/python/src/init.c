/* The module cpl._cpl. */
#define BINDING_OWNS_NUMPY
#include "expression.h"

static PyObject *builtin_names(PyObject *self, PyObject *none)
{
    (void)self, (void)none;
    PyObject *names = PyList_New(0);
    const char *name;
    for (size_t i = 0; names && (name = cpl_builtin_name(i)); i++) {
        PyObject *text = PyUnicode_FromString(name);
        if (!text || PyList_Append(names, text)) Py_CLEAR(names);
        Py_XDECREF(text);
    }
    return names;
}

static PyObject *version(PyObject *self, PyObject *none)
{
    (void)self, (void)none;
    return PyUnicode_FromString(cpl_version_text());
}

static PyMethodDef methods[] = {
    {"builtin_names", builtin_names, METH_NOARGS, "names that kernels know"},
    {"version", version, METH_NOARGS, "the library's version"},
    {"extern_register", binding_extern_register, METH_VARARGS, NULL},
    {"extern_source", binding_extern_source, METH_VARARGS, NULL},
    {"set_option", binding_set_option, METH_VARARGS, "set_option(name, value)"},
    {"create", array_create, METH_VARARGS, "create(shape, dtype, device, zeroed)"},
    {"dlpack_take", dlpack_take, METH_VARARGS, "dlpack_take(capsule, queue)"},
    {"dlpack_give", dlpack_give, METH_VARARGS, "dlpack_give(array, versioned, copied)"},
    {"wrap_address", foreign_wrap, METH_VARARGS,
     "wrap_address(address, shape, strides, dtype, readonly, queue, owner)"},
    {"share", foreign_share, METH_VARARGS, "share(array, queue): its address"},
    {"wrap", array_wrap, METH_O, "wrap(array of NumPy's): the same memory"},
    {"device", binding_device, METH_VARARGS,
     "device(text=None)\n--\n\n"
     "A device by text: \"host\", \"cuda\" (the first), \"cuda:1\", \"opencl:0\"; of none the one\n"
     "where calls of this thread run.\n\n"
     ">>> cpl.device(\"host\")\n"
     "<cpl device host: ...>\n"},
    {"devices", binding_devices, METH_NOARGS,
     "devices()\n--\n\nThe devices there are, the host first.\n\n"
     ">>> cpl.devices()[0] is cpl.device(\"host\")\nTrue\n"},
    {"copies", binding_copies, METH_NOARGS,
     "copies()\n--\n\n"
     "How often bytes were copied so far, and how many: {\"to_device\": (count, bytes), ...}.\n\n"
     ">>> sorted(cpl.copies())\n['on_device', 'to_device', 'to_host']\n"},
    {"options", binding_options, METH_NOARGS, "{name: (value, what it is for)}"},
    {"report", binding_report, METH_NOARGS, "[(key, text), ...] for python -m cpl"},
    {"profile_enable", binding_profile_enable, METH_O, "profile_enable(on)"},
    {"profile_take", binding_profile_take, METH_NOARGS, "([row, ...], [span, ...])"},
    {"profile_write", binding_profile_write, METH_VARARGS, "(format, path, rows, spans)"},
    {0},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "cpl._cpl",
                                        .m_doc = "libcpl for Python.",
                                        .m_size = -1, /* one context: no subinterpreters */
                                        .m_methods = methods};

PyMODINIT_FUNC PyInit__cpl(void);

PyMODINIT_FUNC PyInit__cpl(void)
{
    import_array();
    PyObject *m = PyModule_Create(&definition);
    if (m && binding_init_context() && binding_init_module(m) && binding_init_function(m) &&
        binding_init_array(m) && binding_init_expression(m) && binding_init_operators(m) &&
        binding_init_deferred(m) && binding_init_numeric(m) && binding_init_device(m) &&
        binding_init_queue(m) && binding_init_graph(m))
        return m;
    Py_XDECREF(m);
    return NULL;
}

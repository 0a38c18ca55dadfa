/* Devices, one object for each, with what is known of them as attributes. */
#include "binding.h"

#include <structmember.h>

static PyTypeObject *device_type;

/* Objects of this process's devices, in the library's order. */
static PyObject *known;
static uint64_t known_process;

bool binding_check_process(uint64_t process)
{
    if (process == binding_process) return true;
    return diag_listen() && diag_check(CPL_EFORKED, NULL);
}

static PyObject *device_new(cpl_device *device)
{
    device_object *d = PyObject_New(device_object, device_type);
    if (!d) return NULL;
    d->device = device;
    d->queue = NULL;
    d->process = binding_process;
    d->info.size = sizeof d->info;
    if (diag_check(cpl_device_info_get(device, &d->info), NULL)) return (PyObject *)d;
    Py_DECREF((PyObject *)d);
    return NULL;
}

/* The first call opens drivers, without the GIL. */
static PyObject *all_devices(void)
{
    if (known && known_process == binding_process) return known;
    cpl_context *cx = binding_context();
    if (!cx || !diag_listen()) return NULL;
    size_t count;
    Py_BEGIN_ALLOW_THREADS count = cpl_device_count(cx);
    Py_END_ALLOW_THREADS if (!diag_check(CPL_OK, NULL)) return NULL;
    PyObject *all = PyList_New(0);
    for (size_t i = 0; all && i < count; i++) {
        PyObject *one = device_new(cpl_device_get(cx, i));
        if (!one || PyList_Append(all, one)) Py_CLEAR(all);
        Py_XDECREF(one);
    }
    if (!all) return NULL;
    Py_XDECREF(known);
    known = all;
    known_process = binding_process;
    return known;
}

PyObject *device_object_of(cpl_device *device)
{
    PyObject *all = all_devices();
    for (Py_ssize_t i = 0; all && i < PyList_Size(all); i++) {
        PyObject *one = PyList_GetItem(all, i);
        if (((device_object *)one)->device == device) return Py_NewRef(one);
    }
    return all ? PyErr_Format(PyExc_ValueError, "not a device of this process") : NULL;
}

static device_object *by_text(PyObject *text)
{
    const char *said = PyUnicode_AsUTF8AndSize(text, NULL);
    PyObject *all = said ? all_devices() : NULL;
    if (!all || !diag_listen()) return NULL;
    cpl_device *device;
    if (!diag_check(cpl_device_find(binding_context(), said, &device), NULL)) return NULL;
    device_object *d = (device_object *)device_object_of(device);
    Py_XDECREF((PyObject *)d); /* the list keeps it */
    return d;
}

static device_object *of_this_thread(void)
{
    const run_place *where = place_count ? place_now() : NULL;
    if (where) return (device_object *)where->queue->device;
    if (PyErr_Occurred()) return NULL;
    PyObject *all = all_devices();
    return all ? (device_object *)PyList_GetItem(all, 0) : NULL;
}

device_object *device_of_object(PyObject *object)
{
    if (object == Py_None) return of_this_thread();
    if (PyUnicode_Check(object)) return by_text(object);
    device_object *d = NULL;
    if (Py_TYPE(object) == device_type) d = (device_object *)object;
    if (Py_TYPE(object) == queue_type) d = (device_object *)((queue_object *)object)->device;
    if (d) return binding_check_process(d->process) ? d : NULL;
    PyErr_Format(PyExc_TypeError,
                 "a device was expected, as \"cuda:0\", \"opencl\", \"host\", a cpl.Device or a "
                 "cpl.Queue, not %R",
                 object);
    return NULL;
}

PyObject *binding_devices(PyObject *self, PyObject *none)
{
    (void)self, (void)none;
    PyObject *all = all_devices();
    return all ? PyList_GetSlice(all, 0, PyList_Size(all)) : NULL;
}

PyObject *binding_device(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *object = Py_None;
    if (!PyArg_ParseTuple(args, "|O", &object)) return NULL;
    return Py_XNewRef((PyObject *)device_of_object(object));
}

/* {direction: (how often, bytes)}, in the order of cpl_profile_what. */
PyObject *binding_copies(PyObject *self, PyObject *none)
{
    (void)self, (void)none;
    static const struct {
        const char *name;
        cpl_profile_what what;
    } directions[] = {{"to_device", CPL_PROFILE_TO_DEVICE},
                      {"to_host", CPL_PROFILE_TO_HOST},
                      {"on_device", CPL_PROFILE_ON_DEVICE}};
    cpl_context *cx = binding_context();
    PyObject *all = cx && diag_listen() ? PyDict_New() : NULL;
    for (size_t i = 0; all && i < COUNT_OF(directions); i++) {
        uint64_t count, bytes;
        cpl_status status = cpl_profile_copies(cx, directions[i].what, &count, &bytes);
        PyObject *pair = diag_check(status, NULL) ? Py_BuildValue("(KK)", count, bytes) : NULL;
        if (!pair || PyDict_SetItemString(all, directions[i].name, pair)) Py_CLEAR(all);
        Py_XDECREF(pair);
    }
    return all;
}

/* --- the object --- */

static PyObject *device_enter(PyObject *self, PyObject *none)
{
    (void)none;
    device_object *d = (device_object *)self;
    PyObject *queue = queue_default(d);
    bool fine = queue && place_enter(self, queue, NULL);
    Py_XDECREF(queue);
    return fine ? Py_NewRef(self) : NULL;
}

static PyObject *device_exit(PyObject *self, PyObject *args)
{
    (void)args;
    if (!place_exit(self)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *device_trim(PyObject *self, PyObject *none)
{
    (void)none;
    device_object *d = (device_object *)self;
    if (!binding_check_process(d->process) || !diag_listen()) return NULL;
    cpl_status status;
    Py_BEGIN_ALLOW_THREADS status = cpl_device_trim(d->device);
    Py_END_ALLOW_THREADS if (!diag_check(status, NULL)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *device_kind(PyObject *self, void *unused)
{
    (void)unused;
    static const char *const kinds[] = {"host", "cuda", "opencl"};
    return PyUnicode_FromString(kinds[((device_object *)self)->info.kind]);
}

static PyObject *device_max_group(PyObject *self, void *unused)
{
    (void)unused;
    const uint32_t *size = ((device_object *)self)->info.max_group;
    return Py_BuildValue("(III)", size[0], size[1], size[2]);
}

static PyObject *device_memory(PyObject *self, void *is_pooled)
{
    device_object *d = (device_object *)self;
    uint64_t used = 0, pooled = 0;
    if (!binding_check_process(d->process)) return NULL;
    cpl_device_memory(d->device, &used, &pooled);
    return PyLong_FromUnsignedLongLong(is_pooled ? pooled : used);
}

static PyObject *device_native(PyObject *self, void *unused)
{
    (void)unused;
    device_object *d = (device_object *)self;
    if (!binding_check_process(d->process)) return NULL;
    return PyLong_FromVoidPtr(cpl_device_native(d->device, NULL));
}

static PyObject *device_queue(PyObject *self, void *unused)
{
    (void)unused;
    return queue_default((device_object *)self);
}

static PyObject *device_repr(PyObject *self)
{
    const cpl_device_info *info = &((device_object *)self)->info;
    return PyUnicode_FromFormat("<cpl device %s: %s>", info->label, info->name);
}

PyObject *binding_show(const char *how, PyObject *object, const char *what)
{
    PyObject *show = PyImport_ImportModule("cpl.show");
    PyObject *text = show ? PyObject_CallMethod(show, how, "Os", object, what) : NULL;
    Py_XDECREF(show);
    return text;
}

static PyObject *device_html(PyObject *self, PyObject *none)
{
    (void)none;
    return binding_show("device_html", self, "device");
}

/* Pickled, it is its label. */
static PyObject *device_reduce(PyObject *self, PyObject *none)
{
    (void)none;
    PyObject *package = PyImport_ImportModule("cpl");
    PyObject *find = package ? PyObject_GetAttrString(package, "device") : NULL;
    Py_XDECREF(package);
    return find ? Py_BuildValue("N(s)", find, ((device_object *)self)->info.label) : NULL;
}

static void device_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((device_object *)self)->queue);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"__enter__", device_enter, METH_NOARGS, NULL},
    {"__exit__", device_exit, METH_VARARGS, NULL},
    {"__reduce__", device_reduce, METH_NOARGS, NULL},
    {"_repr_html_", device_html, METH_NOARGS, NULL},
    {"trim", device_trim, METH_NOARGS,
     "trim()\n--\n\nGives memory that was kept for later arrays back to the driver."},
    {0},
};

static PyGetSetDef attributes[] = {
    {"kind", device_kind, NULL, "\"host\", \"cuda\" or \"opencl\"", NULL},
    {"max_group", device_max_group, NULL, "work-items of a group in each dimension", NULL},
    {"memory_used", device_memory, NULL, "bytes of arrays", NULL},
    {"memory_pooled", device_memory, NULL, "bytes that are kept for later arrays", attributes},
    {"native", device_native, NULL, "the CUcontext or cl_context as a number; 0: the host", NULL},
    {"queue", device_queue, NULL, "the default queue", NULL},
    {0},
};

#define INFO(type, name, doc) {#name, type, offsetof(device_object, info.name), READONLY, doc}
static PyMemberDef members[] = {
    INFO(T_PYSSIZET, index, "among the devices of its kind, from 0"),
    INFO(T_STRING, label, "\"cuda:0\", as cpl.device takes it"),
    INFO(T_STRING, name, "the driver's"),
    INFO(T_STRING, vendor, "\"\" when unknown"),
    INFO(T_STRING, driver, "with its version"),
    INFO(T_STRING, target, "what kernels are compiled for"),
    INFO(T_STRING, il, "OpenCL: the intermediate languages it takes"),
    INFO(T_ULONGLONG, memory, "bytes; 0 when unknown"),
    INFO(T_ULONGLONG, local_memory, "bytes that a work-group can have"),
    INFO(T_UINT, units, "multiprocessors, compute units, CPUs"),
    INFO(T_UINT, max_group_size, "work-items"),
    INFO(T_UINT, subgroup_size, "0 when there is none or it varies"),
    INFO(T_BOOL, fp64, "whether it computes float64"),
    INFO(T_BOOL, fp16, "whether it computes float16"),
    INFO(T_BOOL, int64_atomics, "whether it has atomics of 64 bits"),
    INFO(T_BOOL, subgroups, "whether it has sub-groups"),
    INFO(T_BOOL, pointers, "OpenCL: whether views may begin at any element"),
    INFO(T_BOOL, is_cpu, "whether it is a CPU"),
    INFO(T_BOOL, rounds_division, "whether float32 division and square root are rounded exactly"),
    INFO(T_BOOL, subnormals, "whether float32 has numbers below 2**-126"),
    {0},
};

static const char doc[] =
    "A device: the host, a GPU of CUDA's, a device of OpenCL's.\n\n"
    ">>> cpl.device(\"host\").kind\n"
    "'host'\n"
    ">>> with cpl.device(\"host\"):  # calls run there, new arrays are made there\n"
    "...     print(cpl.device().label)\n"
    "host\n\n"
    "NumPy's arrays that a call inside of `with` is given are copied to the device, and those "
    "that\n"
    "it writes back. There is one object for each device: compare with `is` or `==`.";

static PyType_Slot slots[] = {
    {Py_tp_dealloc, device_free},
    {Py_tp_repr, device_repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {Py_tp_members, members},
    {Py_tp_doc, (void *)doc},
    {0, NULL},
};
static PyType_Spec spec = {"cpl.Device", sizeof(device_object), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE |
                               Py_TPFLAGS_DISALLOW_INSTANTIATION,
                           slots};

bool binding_init_device(PyObject *m)
{
    device_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return device_type && !PyModule_AddType(m, device_type);
}

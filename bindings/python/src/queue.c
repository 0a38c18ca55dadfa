/* Queues, and events: places in them. */
#include "binding.h"

#include <math.h>
#include <structmember.h>

PyTypeObject *queue_type;
static PyTypeObject *event_type;

/* --- events --- */

typedef struct event_object {
    PyObject_HEAD cpl_event *event;
    PyObject *queue;
    uint64_t process;
} event_object;

/* Takes the event over. */
PyObject *queue_event(cpl_event *event, PyObject *queue)
{
    event_object *e = PyObject_New(event_object, event_type);
    if (!e) {
        cpl_event_release(event);
        return NULL;
    }
    e->event = event;
    e->queue = Py_NewRef(queue);
    e->process = binding_process;
    return (PyObject *)e;
}

static bool ready(uint64_t process)
{
    return binding_check_process(process) && diag_listen();
}

/* Milliseconds of a timeout in seconds, rounded up; -1 of None: without end. */
static bool timeout_of(PyObject *args, PyObject *keywords, const char *format, int64_t *ms)
{
    static char *names[] = {"timeout", NULL};
    PyObject *timeout = Py_None;
    *ms = -1;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, format, names, &timeout)) return false;
    if (timeout == Py_None) return true;
    const double seconds = PyFloat_AsDouble(timeout);
    if (PyErr_Occurred()) return false;
    if (!(seconds >= 0)) {
        PyErr_Format(PyExc_ValueError, "a timeout is a number of seconds, 0 or more, not %R",
                     timeout);
        return false;
    }
    if (seconds < 1e12) *ms = (int64_t)ceil(seconds * 1e3);
    return true;
}

static PyObject *event_wait(PyObject *self, PyObject *args, PyObject *keywords)
{
    event_object *e = (event_object *)self;
    int64_t ms;
    if (!timeout_of(args, keywords, "|O:wait", &ms) || !ready(e->process)) return NULL;
    cpl_status status;
    Py_BEGIN_ALLOW_THREADS status = cpl_event_wait_within(e->event, ms);
    Py_END_ALLOW_THREADS if (!diag_check(status, NULL)) return NULL;
    Py_RETURN_NONE;
}

/* Of no event: all was done when it would have been made. */
static PyObject *event_done(PyObject *self, void *unused)
{
    (void)unused;
    event_object *e = (event_object *)self;
    bool done = true;
    if (!ready(e->process)) return NULL;
    if (e->event && !diag_check(cpl_event_done(e->event, &done), NULL)) return NULL;
    return PyBool_FromLong(done);
}

/* None: nobody measured. */
static PyObject *event_duration(PyObject *self, void *unused)
{
    (void)unused;
    event_object *e = (event_object *)self;
    uint64_t nanoseconds = 0;
    if (!ready(e->process)) return NULL;
    cpl_status status = CPL_EUNSUPPORTED;
    if (e->event) {
        Py_BEGIN_ALLOW_THREADS status = cpl_event_duration(e->event, &nanoseconds);
        Py_END_ALLOW_THREADS
    }
    if (status == CPL_EUNSUPPORTED) {
        diag_forget();
        Py_RETURN_NONE;
    }
    return diag_check(status, NULL) ? PyFloat_FromDouble((double)nanoseconds * 1e-9) : NULL;
}

static void event_free(PyObject *self)
{
    event_object *e = (event_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (e->process == binding_process) cpl_event_release(e->event);
    Py_DECREF(e->queue);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *event_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<cpl event in %R>", ((event_object *)self)->queue);
}

static PyMethodDef event_methods[] = {
    {"wait", (PyCFunction)(void (*)(void))event_wait, METH_VARARGS | METH_KEYWORDS,
     "wait(timeout=None)\n--\n\n"
     "Waits until all in front of the event has run, and raises what went wrong. With a\n"
     "timeout, in seconds, for so long at most: then cpl.TimedOut is raised, a TimeoutError,\n"
     "and the device goes on."},
    {0},
};
static PyGetSetDef event_attributes[] = {
    {"done", event_done, NULL, "whether wait() would return at once", NULL},
    {"duration", event_duration, NULL,
     "seconds that the launch took on its device; None: it was not profiled", NULL},
    {0},
};
static PyMemberDef event_members[] = {
    {"queue", T_OBJECT, offsetof(event_object, queue), READONLY, "in which it is"},
    {0},
};
static PyType_Slot event_slots[] = {
    {Py_tp_dealloc, event_free},
    {Py_tp_repr, event_repr},
    {Py_tp_methods, event_methods},
    {Py_tp_getset, event_attributes},
    {Py_tp_members, event_members},
    {Py_tp_doc, "A place in a queue: queue.record()."},
    {0, NULL},
};
static PyType_Spec event_spec = {"cpl.Event", sizeof(event_object), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE |
                                     Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 event_slots};

/* --- making queues --- */

/* Takes the queue over. */
static PyObject *queue_new_of(cpl_queue *queue, device_object *device)
{
    queue_object *q = PyObject_New(queue_object, queue_type);
    if (!q) {
        cpl_queue_release(queue);
        return NULL;
    }
    q->queue = queue;
    q->device = Py_NewRef((PyObject *)device);
    q->stream = NULL;
    q->recorder = 0;
    q->is_default = false;
    q->process = binding_process;
    /* of the texts there are few, and they stay */
    q->target = PyUnicode_InternFromString(cpl_queue_target(queue));
    if (q->target) return (PyObject *)q;
    Py_DECREF((PyObject *)q);
    return NULL;
}

PyObject *queue_default(device_object *device)
{
    if (!ready(device->process)) return NULL;
    if (device->queue) return Py_NewRef(device->queue);
    cpl_queue *queue;
    Py_BEGIN_ALLOW_THREADS queue = cpl_device_queue(device->device);
    Py_END_ALLOW_THREADS if (!diag_check(queue ? CPL_OK : CPL_EDEVICE, NULL)) return NULL;
    if (device->queue) return Py_NewRef(device->queue); /* another thread's, made meanwhile */
    cpl_queue_retain(queue);
    PyObject *q = queue_new_of(queue, device);
    if (q) ((queue_object *)q)->is_default = true;
    device->queue = Py_XNewRef(q);
    return q;
}

static PyObject *create(PyObject *where, PyObject *target, cpl_queue_options *options)
{
    device_object *device = device_of_object(where);
    if (!device || !ready(device->process)) return NULL;
    if (target != Py_None) {
        options->target = PyUnicode_AsUTF8AndSize(target, NULL);
        if (!options->target) return NULL;
    }
    cpl_queue *queue = NULL;
    cpl_status status;
    Py_BEGIN_ALLOW_THREADS status = cpl_queue_create(device->device, options, &queue);
    Py_END_ALLOW_THREADS return diag_check(status, NULL) ? queue_new_of(queue, device) : NULL;
}

static PyObject *queue_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)type; /* has no subclasses */
    static char *names[] = {"device", "target", NULL};
    PyObject *device = Py_None, *target = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O$O", names, &device, &target)) return NULL;
    cpl_queue_options options;
    cpl_queue_options_init(&options);
    return create(device, target, &options);
}

/* The number of a stream: itself, or as the object's library has it. */
static bool native_of(PyObject *stream, void **native)
{
    static const char *const names[] = {"ptr", "cuda_stream", "int_ptr"};
    PyObject *number = NULL;
    if (PyLong_Check(stream)) number = Py_NewRef(stream);
    if (!number && PyObject_HasAttrString(stream, "__cuda_stream__")) {
        PyObject *pair = PyObject_CallMethod(stream, "__cuda_stream__", NULL);
        number = pair ? PySequence_GetItem(pair, 1) : NULL;
        Py_XDECREF(pair);
        if (!number) return false;
    }
    for (size_t i = 0; !number && i < COUNT_OF(names); i++)
        if (PyObject_HasAttrString(stream, names[i]))
            number = PyObject_GetAttrString(stream, names[i]);
    if (!number || !PyLong_Check(number)) {
        Py_XDECREF(number);
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError,
                         "a stream is its handle as an int, or an object with __cuda_stream__(), "
                         "ptr, cuda_stream or int_ptr, not %R",
                         stream);
        return false;
    }
    *native = PyLong_AsVoidPtr(number);
    Py_DECREF(number);
    return !PyErr_Occurred();
}

static PyObject *queue_from_native(PyObject *type, PyObject *args, PyObject *keywords)
{
    (void)type;
    static char *names[] = {"device", "stream", "target", NULL};
    PyObject *device, *stream, *target = Py_None;
    cpl_queue_options options;
    cpl_queue_options_init(&options);
    options.use_native = true;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|$O", names, &device, &stream, &target) ||
        !native_of(stream, &options.native))
        return NULL;
    PyObject *q = create(device, target, &options);
    if (q) ((queue_object *)q)->stream = Py_NewRef(stream);
    return q;
}

/* --- what queues do --- */

static PyObject *queue_finish(PyObject *self, PyObject *args, PyObject *keywords)
{
    queue_object *q = (queue_object *)self;
    int64_t ms;
    if (!timeout_of(args, keywords, "|O:finish", &ms) || !ready(q->process) ||
        !deferred_settle_all())
        return NULL;
    cpl_status status;
    Py_BEGIN_ALLOW_THREADS status = cpl_queue_finish_within(q->queue, ms);
    Py_END_ALLOW_THREADS if (!diag_check(status, NULL)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *queue_record(PyObject *self, PyObject *none)
{
    (void)none;
    queue_object *q = (queue_object *)self;
    if (!ready(q->process)) return NULL;
    cpl_event *event = NULL;
    if (!diag_check(cpl_queue_record(q->queue, &event), NULL)) return NULL;
    return queue_event(event, self);
}

static PyObject *queue_wait(PyObject *self, PyObject *event)
{
    queue_object *q = (queue_object *)self;
    if (Py_TYPE(event) != event_type)
        return PyErr_Format(PyExc_TypeError, "a cpl.Event was expected, not %R", event);
    event_object *e = (event_object *)event;
    if (!ready(q->process) || !ready(e->process)) return NULL;
    if (e->event && !diag_check(cpl_queue_wait(q->queue, e->event), NULL)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *queue_enter(PyObject *self, PyObject *none)
{
    (void)none;
    return place_enter(self, self, NULL) ? Py_NewRef(self) : NULL;
}

static PyObject *queue_exit(PyObject *self, PyObject *args)
{
    (void)args;
    if (!place_exit(self)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *queue_native(PyObject *self, void *unused)
{
    (void)unused;
    queue_object *q = (queue_object *)self;
    if (!binding_check_process(q->process)) return NULL;
    return PyLong_FromVoidPtr(cpl_queue_native(q->queue));
}

static PyObject *queue_repr(PyObject *self)
{
    queue_object *q = (queue_object *)self;
    return PyUnicode_FromFormat("<cpl queue of %s>", ((device_object *)q->device)->info.label);
}

static PyObject *queue_html(PyObject *self, PyObject *none)
{
    (void)none;
    return binding_show("device_html", ((queue_object *)self)->device, "device of a queue");
}

static void queue_free(PyObject *self)
{
    queue_object *q = (queue_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (q->process == binding_process) cpl_queue_release(q->queue);
    Py_DECREF(q->device);
    Py_XDECREF(q->target);
    Py_XDECREF(q->stream);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"__enter__", queue_enter, METH_NOARGS, NULL},
    {"__exit__", queue_exit, METH_VARARGS, NULL},
    {"_repr_html_", queue_html, METH_NOARGS, NULL},
    {"finish", (PyCFunction)(void (*)(void))queue_finish, METH_VARARGS | METH_KEYWORDS,
     "finish(timeout=None)\n--\n\n"
     "Waits until the queue is empty, and raises what went wrong meanwhile. With a timeout,\n"
     "in seconds, for so long at most: then cpl.TimedOut is raised, a TimeoutError. What the\n"
     "queue was given goes on, and what reads arrays of it waits without end."},
    {"record", queue_record, METH_NOARGS,
     "record()\n--\n\nAn event behind everything that was launched so far."},
    {"wait", queue_wait, METH_O,
     "wait(event)\n--\n\nWhat is launched from now on runs behind the event, which may be of\n"
     "another queue. Does not wait itself."},
    {"record_graph", graph_of_queue, METH_NOARGS,
     "record_graph()\n--\n\nA cpl.Graph of what is launched inside of its `with`."},
    {"from_native", (PyCFunction)(void (*)(void))queue_from_native,
     METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "from_native(device, stream, *, target=None)\n--\n\n"
     "A queue that stands for a CUDA stream or OpenCL command queue of another library's: its\n"
     "handle, or an object that has it. It must outlive the queue, which holds the object."},
    {0},
};
static PyGetSetDef attributes[] = {
    {"native", queue_native, NULL, "the CUstream or cl_command_queue as a number; 0: the host",
     NULL},
    {0},
};
static PyMemberDef members[] = {
    {"device", T_OBJECT, offsetof(queue_object, device), READONLY, "whose queue it is"},
    {"target", T_OBJECT, offsetof(queue_object, target), READONLY,
     "what kernels launched here are compiled for"},
    {0},
};

static const char doc[] = "Queue(device=None, *, target=None)\n--\n\n"
                          "What a device is given to run, in order; queues run side by side.\n\n"
                          ">>> queue = cpl.Queue(\"host\")\n"
                          ">>> with queue:  # what is called runs there\n"
                          "...     print(cpl.reduce(\"a + b\")(np.arange(4.0)))\n"
                          "6.0\n"
                          ">>> queue.finish()\n";

static PyType_Slot slots[] = {
    {Py_tp_new, queue_new},     {Py_tp_dealloc, queue_free},
    {Py_tp_repr, queue_repr},   {Py_tp_methods, methods},
    {Py_tp_getset, attributes}, {Py_tp_members, members},
    {Py_tp_doc, (void *)doc},   {0, NULL},
};
static PyType_Spec spec = {"cpl.Queue", sizeof(queue_object), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, slots};

bool binding_init_queue(PyObject *m)
{
    queue_type = (PyTypeObject *)PyType_FromSpec(&spec);
    event_type = (PyTypeObject *)PyType_FromSpec(&event_spec);
    return queue_type && event_type && !PyModule_AddType(m, queue_type) &&
           !PyModule_AddType(m, event_type);
}

/* Graphs: what a queue was given inside of a `with`, launched as one. */
#include "binding.h"

#include <structmember.h>

static PyTypeObject *graph_type;

typedef struct graph_object {
    PyObject_HEAD cpl_graph *graph; /* NULL: not recorded yet */
    PyObject *queue;                /* that records it */
    PyObject *kept;                 /* arguments of its launches, which it may read again: a list */
    PyThread_type_lock lock;        /* one launch at a time */
    bool is_recording;
} graph_object;

static queue_object *queue_of(const graph_object *g)
{
    return (queue_object *)g->queue;
}

static bool ready(const graph_object *g)
{
    return binding_check_process(queue_of(g)->process) && diag_listen();
}

PyObject *graph_of_queue(PyObject *queue, PyObject *none)
{
    (void)none;
    queue_object *q = (queue_object *)queue;
    if (!binding_check_process(q->process)) return NULL;
    if (q->is_default)
        return PyErr_Format(PyExc_ValueError,
                            "graphs are recorded on a queue of their own, cpl.Queue(\"%s\"): the "
                            "default one is in use by all threads",
                            ((device_object *)q->device)->info.label);
    graph_object *g = PyObject_New(graph_object, graph_type);
    if (!g) return NULL;
    g->graph = NULL;
    g->queue = Py_NewRef(queue);
    g->is_recording = false;
    g->kept = PyList_New(0);
    g->lock = PyThread_allocate_lock();
    if (g->kept && g->lock) return (PyObject *)g;
    Py_DECREF((PyObject *)g);
    return PyErr_NoMemory();
}

static PyObject *graph_enter(PyObject *self, PyObject *none)
{
    (void)none;
    graph_object *g = (graph_object *)self;
    queue_object *q = queue_of(g);
    if (!ready(g)) return NULL;
    if (g->graph || g->is_recording)
        return PyErr_Format(PyExc_RuntimeError, "a graph is recorded once");
    if (!diag_check(cpl_graph_begin(q->queue), NULL)) return NULL;
    if (!place_enter(self, g->queue, g->kept)) {
        cpl_graph *none_yet;
        cpl_graph_end(q->queue, &none_yet);
        cpl_graph_release(none_yet);
        return NULL;
    }
    q->recorder = PyThread_get_thread_ident();
    g->is_recording = true;
    return Py_NewRef(self);
}

/* Behind an exception the graph is dropped. */
static PyObject *graph_exit(PyObject *self, PyObject *args)
{
    graph_object *g = (graph_object *)self;
    PyObject *type = Py_None, *value, *traceback;
    if (!PyArg_ParseTuple(args, "OOO", &type, &value, &traceback) || !place_exit(self) || !ready(g))
        return NULL;
    cpl_graph *graph = NULL;
    cpl_status status = cpl_graph_end(queue_of(g)->queue, &graph);
    queue_of(g)->recorder = 0;
    g->is_recording = false;
    if (type == Py_None && diag_check(status, NULL)) {
        g->graph = graph;
        Py_RETURN_NONE;
    }
    cpl_graph_release(graph);
    if (type == Py_None) return NULL;
    diag_forget();
    Py_RETURN_NONE;
}

static cpl_status launch(graph_object *g, queue_object *q, cpl_event **event)
{
    cpl_status status;
    Py_BEGIN_ALLOW_THREADS PyThread_acquire_lock(g->lock, WAIT_LOCK);
    status = cpl_graph_launch(g->graph, q->queue, event);
    PyThread_release_lock(g->lock);
    Py_END_ALLOW_THREADS return status;
}

static PyObject *graph_launch(PyObject *self, PyObject *args)
{
    graph_object *g = (graph_object *)self;
    PyObject *queue = g->queue;
    if (!PyArg_ParseTuple(args, "|O!", queue_type, &queue) || !ready(g)) return NULL;
    queue_object *q = (queue_object *)queue;
    if (!g->graph)
        return PyErr_Format(PyExc_RuntimeError, "the graph was not recorded: "
                                                "with queue.record_graph() as graph: ...");
    if (!binding_check_process(q->process)) return NULL;
    cpl_event *event = NULL;
    if (!diag_check(launch(g, q, &event), NULL)) return NULL;
    return queue_event(event, queue);
}

static void graph_free(PyObject *self)
{
    graph_object *g = (graph_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (queue_of(g)->process == binding_process) cpl_graph_release(g->graph);
    if (g->lock) PyThread_free_lock(g->lock);
    Py_XDECREF(g->kept);
    Py_DECREF(g->queue);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *graph_repr(PyObject *self)
{
    graph_object *g = (graph_object *)self;
    return PyUnicode_FromFormat("<cpl graph of %R%s>", g->queue, g->graph ? "" : ", not recorded");
}

static PyMethodDef methods[] = {
    {"__enter__", graph_enter, METH_NOARGS, NULL},
    {"__exit__", graph_exit, METH_VARARGS, NULL},
    {"launch", graph_launch, METH_VARARGS,
     "launch(queue=None)\n--\n\nRuns what was recorded, on a queue of the same device; the event\n"
     "behind it."},
    {0},
};
static PyMemberDef members[] = {
    {"queue", T_OBJECT, offsetof(graph_object, queue), READONLY, "that it was recorded on"},
    {0},
};

static const char doc[] =
    "Launches that were recorded, and run as one with little more work than one takes.\n\n"
    ">>> @cpl.elementwise\n"
    "... def add(i, x, a):\n"
    "...     x[i] += a\n"
    ">>> x = np.zeros(2)\n"
    ">>> with cpl.Queue(\"host\").record_graph() as graph:\n"
    "...     add(x, 1.0)\n"
    "...     add(x, 0.5)\n"
    ">>> x  # nothing ran yet\n"
    "array([0., 0.])\n"
    ">>> for _ in range(3):\n"
    "...     graph.launch().wait()\n"
    ">>> x\n"
    "array([4.5, 4.5])\n\n"
    "Arguments keep the values they had. Inside of the block nothing may wait.";

static PyType_Slot slots[] = {
    {Py_tp_dealloc, graph_free}, {Py_tp_repr, graph_repr}, {Py_tp_methods, methods},
    {Py_tp_members, members},    {Py_tp_doc, (void *)doc}, {0, NULL},
};
static PyType_Spec spec = {"cpl.Graph", sizeof(graph_object), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE |
                               Py_TPFLAGS_DISALLOW_INSTANTIATION,
                           slots};

bool binding_init_graph(PyObject *m)
{
    graph_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return graph_type && !PyModule_AddType(m, graph_type);
}

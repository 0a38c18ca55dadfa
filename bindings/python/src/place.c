/* Where the calls of a thread run: a stack of blocks of `with`, each for a queue. */
#include "binding.h"

size_t place_count;

static _Thread_local run_place *current __attribute__((tls_model("initial-exec")));

bool place_enter(PyObject *owner, PyObject *queue, PyObject *kept)
{
    queue_object *q = (queue_object *)queue;
    if (!binding_check_process(q->process) || !deferred_settle_all()) return false;
    run_place *p = PyMem_Calloc(1, sizeof *p);
    if (!p) return PyErr_NoMemory() != NULL;
    p->before = current;
    p->owner = Py_NewRef(owner);
    p->queue = (queue_object *)Py_NewRef(queue);
    p->kept = Py_XNewRef(kept);
    current = p;
    place_count++;
    return true;
}

/* The owner's innermost block: generators may end theirs in another order than they began. */
bool place_exit(PyObject *owner)
{
    const bool settled = deferred_settle_all();
    run_place **at = &current;
    while (*at && (*at)->owner != owner) at = &(*at)->before;
    run_place *p = *at;
    if (!p) {
        PyErr_Format(PyExc_RuntimeError, "%R was not entered in this thread", owner);
        return false;
    }
    *at = p->before;
    place_count--;
    Py_DECREF(p->owner);
    Py_DECREF((PyObject *)p->queue);
    Py_XDECREF(p->kept);
    PyMem_Free(p);
    return settled;
}

const run_place *place_now(void)
{
    run_place *p = current;
    if (!p) return NULL;
    if (!binding_check_process(p->queue->process)) return NULL;
    unsigned long recorder = p->queue->recorder;
    if (!recorder || recorder == PyThread_get_thread_ident()) return p;
    PyErr_SetString(PyExc_RuntimeError, "another thread records a graph on this queue");
    return NULL;
}

bool place_is_recording(void)
{
    return place_count && current && current->kept;
}

bool place_keep(PyObject *object)
{
    return !place_is_recording() || !PyList_Append(current->kept, object);
}

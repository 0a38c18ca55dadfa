/*
 * Arrays that are not computed yet: what they are is known, and an expression of other arrays,
 * which is evaluated when somebody asks for their elements, or is about to write what it reads.
 * Expressions are cpl/expressions.py's.
 */
#include "binding.h"

struct deferred {
    PyObject *expression; /* its compute(array) gives the elements */
    PyObject *leaves;     /* a tuple: arrays and numbers that it reads */
    cpl_array_info info;
    array_object *before, *after; /* in the list of all, which holds no references */
};

static array_object *first;

static void enlist(array_object *a)
{
    a->deferred->before = NULL;
    a->deferred->after = first;
    if (first) first->deferred->before = a;
    first = a;
}

static void delist(array_object *a)
{
    const deferred *d = a->deferred;
    if (d->before) d->before->deferred->after = d->after;
    else first = d->after;
    if (d->after) d->after->deferred->before = d->before;
    a->deferred = NULL;
}

static void end(deferred *d)
{
    Py_DECREF(d->expression);
    Py_DECREF(d->leaves);
    PyMem_Free(d);
}

void deferred_drop(array_object *a)
{
    deferred *d = a->deferred;
    if (!d) return;
    delist(a);
    end(d);
}

const cpl_array_info *deferred_info(const array_object *a)
{
    return a->deferred ? &a->deferred->info : NULL;
}

/* --- evaluation --- */

static bool create(array_object *a, const cpl_array_info *info)
{
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = info->dtype;
    o.dims = info->dims;
    memcpy(o.shape, info->shape, sizeof o.shape);
    o.uninitialized = true;
    cpl_context *cx = binding_context();
    return cx && diag_listen() &&
           diag_check(cpl_array_create_with(cx, info->home, &o, &a->array), NULL);
}

bool deferred_settle(array_object *a)
{
    deferred *d = a->deferred;
    if (!d) return true;
    if (!binding_check_process(a->process) || !create(a, &d->info)) return false;
    delist(a);
    PyObject *done = PyObject_CallMethod(d->expression, "compute", "(O)", (PyObject *)a);
    if (done) {
        Py_DECREF(done);
        end(d);
        return true;
    }
    cpl_array_release(a->array);
    a->array = NULL;
    a->deferred = d;
    enlist(a);
    return false;
}

bool deferred_settle_all(void)
{
    while (first && first->process != binding_process) delist(first); /* of before a fork */
    while (first) {
        PyObject *a = Py_NewRef((PyObject *)first);
        bool fine = deferred_settle((array_object *)a);
        Py_DECREF(a);
        if (!fine) return false;
    }
    return true;
}

/* --- who reads what --- */

/* The memory that an array is in, all of it. */
typedef struct extent {
    uintptr_t begin, end;
} extent;

static extent extent_of(cpl_array *array)
{
    cpl_array_info info = {.size = sizeof info};
    size_t offset = 0;
    while (!cpl_array_info_get(array, &info) && info.parent) array = info.parent;
    const bool on_host = cpl_array_valid(array, NULL) && cpl_array_address(array, NULL, NULL);
    uintptr_t at = (uintptr_t)cpl_array_address(array, on_host ? NULL : info.home, &offset);
    extent e = {at, at + info.element_size};
    for (int d = 0; d < info.dims && info.length; d++) {
        int64_t by = info.strides[d] * (info.shape[d] - 1);
        if (by < 0) e.begin -= (uintptr_t)-by;
        else e.end += (uintptr_t)by;
    }
    return e;
}

static bool reads(const deferred *d, extent written)
{
    for (Py_ssize_t i = 0; i < PyTuple_Size(d->leaves); i++) {
        PyObject *leaf = PyTuple_GetItem(d->leaves, i);
        if (!array_check(leaf) || !((array_object *)leaf)->array) continue;
        extent e = extent_of(((array_object *)leaf)->array);
        if (e.begin < written.end && written.begin < e.end) return true;
    }
    return false;
}

bool deferred_before_write(const array_object *a)
{
    if (!first || !a->array) return true;
    extent written = extent_of(a->array);
    for (array_object *reader = first; reader;) {
        if (reader->process != binding_process || !reads(reader->deferred, written)) {
            reader = reader->deferred->after;
            continue;
        }
        PyObject *held = Py_NewRef((PyObject *)reader);
        bool fine = deferred_settle(reader);
        Py_DECREF(held);
        if (!fine) return false;
        reader = first; /* the list is another one */
    }
    return true;
}

/* --- for cpl/expressions.py --- */

static bool describe(cpl_array_info *info, PyObject *shape, PyObject *dtype, PyObject *beside)
{
    cpl_array_options o;
    cpl_array_options_init(&o);
    if (!array_shape_of(shape, &o) || !array_elements_of(dtype, &o)) return false;
    array_object *a = (array_object *)beside;
    cpl_array_info other = {.size = sizeof other};
    if (a->deferred) other = a->deferred->info;
    else if (!array_info_of(beside, &other)) return false;
    info->dtype = o.dtype;
    info->element_size = cpl_dtype_size(o.dtype);
    info->dims = o.dims;
    info->length = 1;
    for (int d = o.dims - 1; d >= 0; d--) {
        info->shape[d] = o.shape[d];
        info->strides[d] = (int64_t)info->element_size * (info->length ? info->length : 1);
        info->length *= o.shape[d];
    }
    info->contiguous = true;
    info->capacity = info->length;
    info->home = other.home;
    return true;
}

/* Whether operations wait for those that use them: the context's option fuse. */
static bool waits(void)
{
    static uint64_t epoch = UINT64_MAX, process = UINT64_MAX;
    static int64_t fuse;
    if (epoch == binding_epoch && process == binding_process) return fuse;
    cpl_context *cx = binding_context();
    if (!cx || cpl_context_get_option(cx, "fuse", &fuse)) return true;
    epoch = binding_epoch;
    process = binding_process;
    return fuse;
}

/* Whether all leaves live where the array will: a launch says what is wrong, or moves them. */
static bool are_beside(const array_object *a)
{
    for (Py_ssize_t i = 0; i < PyTuple_Size(a->deferred->leaves); i++) {
        PyObject *leaf = PyTuple_GetItem(a->deferred->leaves, i);
        if (array_check(leaf) && ((array_object *)leaf)->place != a->place) return false;
    }
    return true;
}

/* defer(shape, dtype, beside, expression, leaves): an array that is computed later, of numbers,
 * where another one lives. */
static PyObject *defer(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *shape, *dtype, *beside, *expression, *leaves;
    if (!PyArg_ParseTuple(args, "O!OO!OO!", &PyTuple_Type, &shape, &dtype, array_type, &beside,
                          &expression, &PyTuple_Type, &leaves))
        return NULL;
    deferred *d = PyMem_Calloc(1, sizeof *d);
    if (!d) return PyErr_NoMemory();
    d->info.size = sizeof d->info;
    array_object *made = describe(&d->info, shape, dtype, beside)
                             ? (array_object *)array_object_of(NULL, NULL)
                             : NULL;
    if (!made) {
        PyMem_Free(d);
        return NULL;
    }
    d->expression = Py_NewRef(expression);
    d->leaves = Py_NewRef(leaves);
    made->place = ((array_object *)beside)->place;
    made->deferred = d;
    enlist(made);
    if ((waits() && are_beside(made)) || deferred_settle(made)) return (PyObject *)made;
    Py_DECREF(made);
    return NULL;
}

/* expression(array): what it is computed from later, or None. */
static PyObject *expression(PyObject *self, PyObject *object)
{
    (void)self;
    const array_object *a = array_check(object) ? (array_object *)object : NULL;
    return Py_NewRef(a && a->deferred ? a->deferred->expression : Py_None);
}

/* settle(array or None): it is computed, or, of None, all are. */
static PyObject *settle(PyObject *self, PyObject *object)
{
    (void)self;
    if (object == Py_None) return deferred_settle_all() ? Py_NewRef(Py_None) : NULL;
    return array_of_object(object) ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef functions[] = {
    {"defer", defer, METH_VARARGS, "defer(shape, dtype, beside, expression, leaves): an array"},
    {"expression", expression, METH_O, "expression(array): what it is computed from later"},
    {"settle", settle, METH_O, "settle(array or None): it, or all that there are, is computed"},
    {0},
};

bool binding_init_deferred(PyObject *m)
{
    return !PyModule_AddFunctions(m, functions);
}

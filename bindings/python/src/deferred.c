/*
 * Arrays that are not computed yet: what they are is known, and an expression of other arrays,
 * which is evaluated when somebody asks for their elements, or is about to write what it reads.
 */
#include "expression.h"

struct deferred {
    expression *expression;
    array_object *before, *after; /* in the list of all, which holds no references */
};

static array_object *first;

/* --- memory: they come and go with each operation --- */

enum { MOST_KEPT = 64 };

static deferred *kept[MOST_KEPT];
static size_t kept_count;

static deferred *room(void)
{
    return kept_count ? kept[--kept_count] : PyMem_Malloc(sizeof(deferred));
}

static void let_go(deferred *d)
{
    if (kept_count < MOST_KEPT) kept[kept_count++] = d;
    else PyMem_Free(d);
}

/* --- the list --- */

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
    Py_DECREF((PyObject *)d->expression);
    let_go(d);
}

void deferred_drop(array_object *a)
{
    deferred *d = a->deferred;
    if (!d) return;
    delist(a);
    end(d);
}

expression *deferred_expression(const array_object *a)
{
    return a->deferred ? a->deferred->expression : NULL;
}

/* --- evaluation --- */

static bool create(array_object *a, const cpl_array_info *info)
{
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = info->dtype;
    o.dims = info->dims;
    memcpy(o.shape, info->shape, (size_t)info->dims * sizeof *o.shape);
    o.uninitialized = true;
    cpl_context *cx = binding_context();
    return cx && diag_listen() &&
           diag_check(cpl_array_create_with(cx, info->home, &o, &a->array), NULL);
}

bool deferred_settle(array_object *a)
{
    deferred *d = a->deferred;
    if (!d) return true;
    if (!binding_check_process(a->process) || !create(a, &a->info)) return false;
    delist(a);
    if (expression_compute(d->expression, a)) {
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

/* Memory of arrays. */
typedef struct extent {
    uintptr_t begin, end;
} extent;

/* Goes on where a leaf is in other memory. */
static bool is_apart(PyObject *leaf, void *user)
{
    const extent *written = user;
    if (!array_check(leaf) || !((array_object *)leaf)->array) return true;
    extent e;
    array_extent((array_object *)leaf, &e.begin, &e.end);
    return e.begin >= written->end || written->begin >= e.end;
}

static bool reads(const deferred *d, extent written)
{
    return !expression_leaves(d->expression, is_apart, &written);
}

/* Computes what reads memory that will be written. */
static bool before_write(extent written)
{
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

bool deferred_before_write(array_object *a)
{
    if (!first || !a->array) return true;
    extent written;
    array_extent(a, &written.begin, &written.end);
    return before_write(written);
}

bool deferred_before_numpy(PyArrayObject *x)
{
    extent written;
    if (!first || !PyArray_SIZE(x)) return true;
    array_extent_numpy(x, &written.begin, &written.end);
    return before_write(written);
}

/* --- making them --- */

static void describe(cpl_array_info *info, cpl_dtype dtype, int dims, const int64_t *shape)
{
    info->size = sizeof *info; /* each member: lengths behind `dims` are nobody's */
    info->dtype = dtype;
    info->record = NULL;
    info->element_size = cpl_dtype_size(dtype);
    info->dims = dims;
    info->offset = 0;
    info->length = 1;
    info->parent = NULL;
    for (int d = dims - 1; d >= 0; d--) {
        info->shape[d] = shape[d];
        info->strides[d] = (int64_t)info->element_size * (info->length ? info->length : 1);
        info->length *= shape[d];
    }
    info->contiguous = true;
    info->capacity = info->length;
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

PyObject *deferred_array(expression *e, cpl_dtype dtype, int dims, const int64_t *shape,
                         array_object *beside)
{
    const cpl_array_info *other = array_info(beside);
    deferred *d = room();
    array_object *made = d ? (array_object *)array_object_of(NULL, NULL) : NULL;
    if (!made) {
        Py_DECREF((PyObject *)e);
        PyMem_Free(d);
        return d ? NULL : PyErr_NoMemory();
    }
    describe(&made->info, dtype, dims, shape);
    made->info.home = other ? other->home : NULL;
    made->is_known = true;
    d->expression = e;
    made->dtype = (uint8_t)dtype;
    made->place = beside->place;
    made->deferred = d;
    enlist(made);
    /* of leaves elsewhere a launch says what is wrong, or moves them */
    const bool is_beside = !e->has_arrays || (!e->is_in_places && e->place == made->place);
    if ((waits() && is_beside) || deferred_settle(made)) return (PyObject *)made;
    Py_DECREF((PyObject *)made);
    return NULL;
}

/* --- for cpl/expressions.py --- */

/* expression(array): what it is computed from later, or None. */
static PyObject *expression_of(PyObject *self, PyObject *object)
{
    (void)self;
    const array_object *a = array_check(object) ? (array_object *)object : NULL;
    return Py_NewRef(a && a->deferred ? (PyObject *)a->deferred->expression : Py_None);
}

/* settle(x): it is computed; of None, all are; of an array of NumPy's, what reads its memory, which
 * is about to be written. */
static PyObject *settle(PyObject *self, PyObject *object)
{
    (void)self;
    if (PyArray_Check(object))
        return array_settle_numpy((PyArrayObject *)object, true) ? Py_NewRef(Py_None) : NULL;
    if (object == Py_None) return deferred_settle_all() ? Py_NewRef(Py_None) : NULL;
    return array_of_object(object) ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef functions[] = {
    {"expression", expression_of, METH_O, "expression(array): what it is computed from later"},
    {"settle", settle, METH_O, "settle(array, None or one of NumPy's): what waits is computed"},
    {0},
};

bool binding_init_deferred(PyObject *m)
{
    return !PyModule_AddFunctions(m, functions);
}

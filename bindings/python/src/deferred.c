/*
 * Arrays that are not computed yet: what they are is known, and an expression of other arrays,
 * which is evaluated when somebody asks for their elements, or is about to write what it reads.
 */
#include "expression.h"

#include <pthread.h>
#include <time.h>

struct deferred {
    expression *expression;
    unsigned long by; /* the thread that is computing it, without the GIL at times; 0: none */
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

/* Threads that wait for what another one is computing; `done` goes up, by who holds the GIL, each
 * time that something is. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_done = PTHREAD_COND_INITIALIZER;
static uint64_t done;

static void tell_done(void)
{
    pthread_mutex_lock(&lock);
    done++;
    pthread_cond_broadcast(&is_done);
    pthread_mutex_unlock(&lock);
}

/* Returns at times for signals. */
static void sleep_until_done(uint64_t seen)
{
    enum { TURN = 50000000 }; /* ns */
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += TURN;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    pthread_mutex_lock(&lock);
    if (done == seen) pthread_cond_timedwait(&is_done, &lock, &end);
    pthread_mutex_unlock(&lock);
}

static bool wait_for(const array_object *a)
{
    while (a->deferred && a->deferred->by) {
        const uint64_t seen = done;
        PyThreadState *state = PyEval_SaveThread();
        sleep_until_done(seen);
        PyEval_RestoreThread(state);
        if (PyErr_CheckSignals()) return false;
    }
    return true;
}

static bool is_mine(const array_object *a)
{
    return a->deferred->by == PyThread_get_thread_ident();
}

static bool settle_here(array_object *a, deferred *d)
{
    if (!create(a, &a->info)) return false;
    d->by = PyThread_get_thread_ident();
    const bool fine = expression_compute(d->expression, a);
    d->by = 0;
    if (fine) {
        delist(a);
        end(d);
    } else {
        cpl_array_release(a->array);
        a->array = NULL;
    }
    tell_done();
    return fine;
}

bool deferred_settle(array_object *a)
{
    if (!a->deferred) return true;
    if (!binding_check_process(a->process)) return false;
    if (a->deferred->by && is_mine(a)) return true; /* it asks for the memory */
    if (!wait_for(a)) return false;
    return !a->deferred || settle_here(a, a->deferred);
}

/* The first that is not on its way by this thread. What is of before a fork goes. */
static array_object *first_to_settle(void)
{
    for (array_object *a = first; a;) {
        array_object *after = a->deferred->after;
        if (a->process != binding_process) delist(a);
        else if (!is_mine(a)) return a;
        a = after;
    }
    return NULL;
}

bool deferred_settle_all(void)
{
    for (array_object *next; (next = first_to_settle());) {
        PyObject *a = Py_NewRef((PyObject *)next);
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
        if (reader->process != binding_process || is_mine(reader) ||
            !reads(reader->deferred, written)) {
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

bool deferred_reads(const array_object *a, array_object *to)
{
    if (!a->deferred || a->deferred->by || !array_of_object((PyObject *)to)) return false;
    extent written;
    array_extent(to, &written.begin, &written.end);
    return reads(a->deferred, written);
}

bool deferred_put(array_object *a, array_object *to, expression *copy)
{
    deferred *d = a->deferred;
    expression *made = d->expression;
    d->by = PyThread_get_thread_ident(); /* the write to come does not compute it beside */
    const bool fine = array_written((PyObject *)to) && expression_compute(made, to);
    d->by = 0;
    if (fine) {
        d->expression = (expression *)Py_NewRef((PyObject *)copy);
        Py_DECREF((PyObject *)made);
    }
    tell_done();
    return fine;
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
    d->by = 0;
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

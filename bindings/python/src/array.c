/*
 * Arrays of the library as objects: cpl._cpl.Array, the base class of cpl.ndarray. Here is what
 * they are made of, what they know of themselves, and how NumPy sees their memory; what is computed
 * with them is in numeric.c.
 */
#include "expression.h"

#include <stdatomic.h>
#include <structmember.h>

PyTypeObject *array_type, *array_class;

/* --- memory of NumPy's that arrays lie in --- */

/* Who keeps it. Arrays end on any thread, which may not touch an object of Python's: it is put in a
 * list, which calls empty. */
typedef struct keeper {
    struct keeper *next;
    PyObject *object;
} keeper;

static _Atomic(keeper *) left;

/* A cpl_array's deleter. */
static void leave(void *user, void *memory)
{
    (void)memory;
    keeper *k = user;
    k->next = atomic_load(&left);
    while (!atomic_compare_exchange_weak(&left, &k->next, k)) continue;
}

static void let_go(void)
{
    if (!atomic_load_explicit(&left, memory_order_relaxed)) return;
    keeper *all = atomic_exchange(&left, NULL);
    while (all) {
        keeper *k = all;
        all = k->next;
        Py_DECREF(k->object);
        PyMem_Free(k);
    }
}

/* --- objects --- */

/* cpl.ndarray, which this module's own class knows nothing of until arrays are made. */
static PyTypeObject *class_of_arrays(void)
{
    if (array_class) return array_class;
    PyObject *module = PyImport_ImportModule("cpl.arrays");
    array_class = module ? (PyTypeObject *)PyObject_GetAttrString(module, "ndarray") : NULL;
    Py_XDECREF(module);
    return array_class;
}

/* A device's number, and the elements' type. */
static void look_at(array_object *a)
{
    cpl_device_info device = {.size = sizeof device};
    const cpl_array_info *info = a->array ? array_info(a) : NULL;
    if (!info) return;
    a->dtype = info->record ? CPL_VOID : (uint8_t)info->dtype;
    if (cpl_device_info_get(info->home, &device) || !device.kind) return;
    a->place = (uint32_t)device.kind << 16 | (uint32_t)device.index;
}

/* Those of cpl.ndarray's own that ended: an expression makes one with each operation. */
enum { MOST_KEPT = 64 };

static array_object *kept[MOST_KEPT];
static size_t kept_count;

/* All but its facts, which is_known says are there, is zero. The collector of cycles need not know
 * of it again: it has no way to what arrays hold. */
static array_object *object_alloc(PyTypeObject *class)
{
    if (!kept_count) return (array_object *)PyType_GenericAlloc(class, 0);
    array_object *a = kept[--kept_count];
    memset(a, 0, offsetof(array_object, info));
    a->begin = a->end = 0;
    return (array_object *)PyObject_Init((PyObject *)a, class);
}

static void object_free(array_object *a, PyTypeObject *type)
{
    if (type == array_class && kept_count < MOST_KEPT) kept[kept_count++] = a;
    else ((freefunc)PyType_GetSlot(type, Py_tp_free))(a);
    Py_DECREF(type);
}

static array_object *new_object(cpl_array *array, PyObject *base)
{
    let_go();
    PyTypeObject *class = class_of_arrays();
    array_object *a = class ? object_alloc(class) : NULL;
    if (!a) {
        cpl_array_release(array);
        return NULL;
    }
    a->array = array;
    a->process = binding_process;
    a->base = Py_XNewRef(base);
    return a;
}

PyObject *array_object_of(cpl_array *array, PyObject *base)
{
    array_object *a = new_object(array, base);
    if (a) look_at(a);
    return (PyObject *)a;
}

PyObject *array_part_of(array_object *parent, cpl_array *part)
{
    array_object *a = new_object(part, parent->base);
    if (!a) return NULL;
    a->place = parent->place;
    a->dtype = parent->dtype;
    a->is_readonly = parent->is_readonly;
    return (PyObject *)a;
}

PyObject *array_view_of(PyObject *parent, cpl_array *view)
{
    PyObject *made = array_object_of(view, ((array_object *)parent)->base);
    if (made) ((array_object *)made)->is_readonly = ((array_object *)parent)->is_readonly;
    return made;
}

bool array_check(PyObject *object)
{
    return Py_TYPE(object) == array_class || PyObject_TypeCheck(object, array_type);
}

cpl_array *array_of_object(PyObject *object)
{
    if (!array_check(object)) {
        PyErr_Format(PyExc_TypeError, "a cpl.ndarray was expected, not %R", Py_TYPE(object));
        return NULL;
    }
    array_object *a = (array_object *)object;
    if (!array_is_here(a) || !diag_listen()) return NULL;
    return !a->deferred || deferred_settle(a) ? a->array : NULL;
}

cpl_array *array_written(PyObject *object)
{
    cpl_array *array = array_of_object(object);
    if (!array) return NULL;
    if (!((array_object *)object)->is_readonly)
        return deferred_before_write((array_object *)object) ? array : NULL;
    PyErr_SetString(PyExc_ValueError, "assignment destination is read-only");
    return NULL;
}

bool array_info_of(PyObject *object, cpl_array_info *info)
{
    const cpl_array *array = array_of_object(object);
    info->size = sizeof *info;
    return array && diag_check(cpl_array_info_get(array, info), NULL);
}

bool array_has_shape(const cpl_array_info *info, int dims, const int64_t *shape)
{
    if (info->dims != dims) return false;
    for (int d = 0; d < dims; d++)
        if (info->shape[d] != shape[d]) return false;
    return true;
}

const cpl_array_info *array_info(array_object *a)
{
    if (a->is_known) return &a->info;
    a->info.size = sizeof a->info;
    a->is_known = a->array && !cpl_array_info_get(a->array, &a->info);
    return a->is_known ? &a->info : NULL;
}

void array_forget(array_object *a)
{
    a->is_known = false;
    a->end = 0;
}

/* From the first element to all of them, one at least. */
static void reach(int dims, const int64_t *shape, const int64_t *strides, uintptr_t *begin,
                  uintptr_t *end)
{
    for (int d = 0; d < dims; d++) {
        int64_t by = strides[d] * (shape[d] - 1);
        if (by < 0) *begin -= (uintptr_t)-by;
        else *end += (uintptr_t)by;
    }
}

static void find_extent(cpl_array *array, uintptr_t *begin, uintptr_t *end)
{
    cpl_array_info info = {.size = sizeof info};
    size_t offset = 0;
    while (!cpl_array_info_get(array, &info) && info.parent) array = info.parent;
    const bool on_host = cpl_array_valid(array, NULL) && cpl_array_address(array, NULL, NULL);
    *begin = (uintptr_t)cpl_array_address(array, on_host ? NULL : info.home, &offset);
    *end = *begin + info.element_size;
    if (info.length) reach(info.dims, info.shape, info.strides, begin, end);
}

void array_extent(array_object *a, uintptr_t *begin, uintptr_t *end)
{
    if (!a->end || a->place) find_extent(a->array, &a->begin, &a->end);
    *begin = a->begin;
    *end = a->end;
}

void array_extent_numpy(PyArrayObject *x, uintptr_t *begin, uintptr_t *end)
{
    *begin = (uintptr_t)PyArray_DATA(x);
    *end = *begin + (size_t)PyArray_ITEMSIZE(x);
    reach(PyArray_NDIM(x), (const int64_t *)PyArray_DIMS(x), (const int64_t *)PyArray_STRIDES(x),
          begin, end);
}

static void array_free(PyObject *self)
{
    array_object *a = (array_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (a->weak) PyObject_ClearWeakRefs(self);
    deferred_drop(a);
    cpl_array_release(a->array);
    Py_XDECREF(a->base);
    let_go();
    object_free(a, type);
}

static PyObject *array_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)type, (void)args, (void)keywords;
    return PyErr_Format(PyExc_TypeError, "cpl.array(), cpl.empty() and others make arrays");
}

/* --- making them --- */

static void set_elements(const cpl_type *type, cpl_array_options *o)
{
    o->dtype = cpl_type_dtype(type);
    if (o->dtype == CPL_VOID) o->record = type;
}

bool array_elements_of(PyObject *dtype, cpl_array_options *o)
{
    const cpl_type *type;
    if (!types_of_object(dtype, &type) || !type) return false;
    set_elements(type, o);
    return true;
}

bool array_shape_of(PyObject *shape, cpl_array_options *o)
{
    Py_ssize_t dims = PyTuple_Size(shape);
    if (dims > CPL_MAX_DIMS) {
        PyErr_Format(PyExc_ValueError, "an array has up to %d dimensions, not %zd", CPL_MAX_DIMS,
                     dims);
        return false;
    }
    o->dims = (int)dims;
    for (Py_ssize_t d = 0; d < dims; d++) {
        o->shape[d] = PyNumber_AsSsize_t(PyTuple_GetItem(shape, d), PyExc_OverflowError);
        if (PyErr_Occurred()) return false;
        if (o->shape[d] < 0) {
            PyErr_SetString(PyExc_ValueError, "negative dimensions are not allowed");
            return false;
        }
    }
    return true;
}

PyObject *array_create(PyObject *self, PyObject *args)
{
    (void)self;
    cpl_array_options o;
    cpl_array_options_init(&o);
    cpl_array *array;
    PyObject *shape, *dtype, *place;
    int zeroed;
    if (!PyArg_ParseTuple(args, "O!OOp", &PyTuple_Type, &shape, &dtype, &place, &zeroed) ||
        !diag_listen() || !array_shape_of(shape, &o) || !array_elements_of(dtype, &o))
        return NULL;
    o.uninitialized = !zeroed;
    cpl_context *cx = binding_context();
    device_object *d = cx ? device_of_object(place) : NULL;
    if (!d || !diag_check(cpl_array_create_with(cx, d->device, &o, &array), NULL)) return NULL;
    return array_object_of(array, NULL);
}

PyObject *array_beside(const cpl_array *other, const cpl_type *type, int64_t length)
{
    cpl_array_options o;
    cpl_array_options_init(&o);
    cpl_array_info info = {.size = sizeof info};
    cpl_array *array;
    if (!diag_check(cpl_array_info_get(other, &info), NULL)) return NULL;
    set_elements(type, &o);
    o.dims = 1;
    o.shape[0] = length;
    o.uninitialized = true;
    cpl_context *cx = binding_context();
    if (!cx || !diag_check(cpl_array_create_with(cx, info.home, &o, &array), NULL)) return NULL;
    return array_object_of(array, NULL);
}

void *array_lay(cpl_array_options *o, void *first, size_t itemsize, const int64_t *strides)
{
    int64_t before = 0, length = 1;
    for (int d = 0; d < o->dims; d++) length *= o->shape[d];
    for (int d = 0; d < o->dims && strides; d++) {
        /* all strides 0 would stand for dense */
        o->strides[d] = o->shape[d] > 1 && length ? strides[d] : (int64_t)itemsize;
        if (o->strides[d] < 0) before -= o->strides[d] * (o->shape[d] - 1);
        if (!o->strides[d]) {
            PyErr_SetString(PyExc_ValueError, "elements lie in one place; cpl.array() copies them");
            return NULL;
        }
    }
    o->offset = (size_t)before;
    return (char *)first - before;
}

static bool has_wraps; /* arrays of NumPy's are, or were, wrapped */

bool array_settle_numpy(PyArrayObject *x, bool written)
{
    if (written && !deferred_before_numpy(x)) return false;
    if (!has_wraps || !PyArray_SIZE(x)) return true;
    cpl_context *cx = binding_context();
    cpl_status status;
    uintptr_t begin, end;
    if (!cx || !diag_listen()) return false;
    array_extent_numpy(x, &begin, &end);
    Py_BEGIN_ALLOW_THREADS status = cpl_memory_settle(cx, (void *)begin, end - begin, written);
    Py_END_ALLOW_THREADS return diag_check(status, NULL);
}

static cpl_array *wrap(cpl_device *device, const cpl_array_options *o, void *memory)
{
    cpl_array *array;
    cpl_context *cx = binding_context();
    if (!cx || !diag_listen()) return NULL;
    has_wraps = true;
    return diag_check(cpl_array_wrap(cx, device, o, memory, &array), NULL) ? array : NULL;
}

bool array_is_here(array_object *a)
{
    if (a->process == binding_process) return true;
    const cpl_array_info *info = a->place || a->deferred ? NULL : array_info(a);
    if (!info || !cpl_array_valid(a->array, info->home)) return binding_check_process(a->process);
    cpl_array_options o;
    cpl_array_options_init(&o);
    PyArray_Descr *dtype = array_dtype_of(info); /* its types are those of the parent's context */
    bool known = dtype && array_elements_of((PyObject *)dtype, &o);
    Py_XDECREF((PyObject *)dtype);
    o.dims = info->dims;
    memcpy(o.shape, info->shape, sizeof o.shape);
    void *first = cpl_array_address(a->array, info->home, NULL);
    void *memory = known ? array_lay(&o, first, info->element_size, info->strides) : NULL;
    cpl_array *array = memory ? wrap(NULL, &o, memory) : NULL;
    if (!array) return false;
    a->array = array; /* the parent's stays, which keeps the memory */
    a->process = binding_process;
    array_forget(a);
    return true;
}

PyObject *array_wrap_memory(cpl_device *device, cpl_array_options *o, void *memory, PyObject *owner)
{
    keeper *k = NULL;
    if (owner) {
        k = PyMem_Calloc(1, sizeof *k);
        if (!k) return PyErr_NoMemory();
        k->object = owner;
        o->deleter = leave;
        o->deleter_user = k;
    }
    cpl_array *array = wrap(device, o, memory);
    if (!array) {
        PyMem_Free(k);
        return NULL;
    }
    Py_XINCREF(owner);
    return array_object_of(array, NULL);
}

/* What NumPy allows in an array and arrays here do not have. */
static const char *fault_of(PyArrayObject *x)
{
    if (PyArray_NDIM(x) > CPL_MAX_DIMS) return "it has more than 8 dimensions";
    if (!PyArray_ISNOTSWAPPED(x))
        return "its elements have the other byte order; cpl.array() copies them";
    if (!PyArray_ISALIGNED(x)) return "its elements are not aligned; cpl.array() copies them";
    return NULL;
}

/* The array of NumPy's that has the memory of x, if it is another one. */
static PyArrayObject *owner_of(PyArrayObject *x)
{
    PyArrayObject *owner = x;
    for (PyObject *base = PyArray_BASE(x); base && PyArray_Check(base);
         base = PyArray_BASE((PyArrayObject *)base))
        owner = (PyArrayObject *)base;
    return owner != x && PyArray_ISONESEGMENT(owner) && PyArray_NBYTES(owner) ? owner : NULL;
}

/* Views of one array of NumPy's share where their elements are valid: while one is wrapped all of
 * its memory is. */
static bool wrap_owner(PyArrayObject *x, PyObject **made)
{
    PyArrayObject *owner = owner_of(x);
    cpl_array_options o;
    cpl_array_options_init(&o);
    *made = NULL;
    if (!owner) return true;
    o.dtype = CPL_UINT8;
    o.dims = 1;
    o.shape[0] = PyArray_NBYTES(owner);
    *made = array_wrap_memory(NULL, &o, PyArray_DATA(owner), (PyObject *)owner);
    return *made != NULL;
}

PyObject *array_wrap(PyObject *self, PyObject *object)
{
    (void)self;
    PyObject *whole;
    cpl_array_options o;
    cpl_array_options_init(&o);
    if (!PyArray_Check(object)) return PyErr_Format(PyExc_TypeError, "no array of NumPy's");
    PyArrayObject *x = (PyArrayObject *)object;
    const char *fault = fault_of(x);
    if (fault) return PyErr_Format(PyExc_ValueError, "cpl.asarray(): %s", fault);
    if (!array_elements_of((PyObject *)PyArray_DESCR(x), &o)) return NULL;
    o.dims = PyArray_NDIM(x);
    for (int d = 0; d < o.dims; d++) o.shape[d] = PyArray_DIM(x, d);
    void *memory = array_lay(&o, PyArray_DATA(x), (size_t)PyArray_ITEMSIZE(x),
                             (const int64_t *)PyArray_STRIDES(x));
    if (!memory || !wrap_owner(x, &whole)) return NULL;
    PyObject *made = array_wrap_memory(NULL, &o, memory, object);
    Py_XDECREF(whole);
    if (made) ((array_object *)made)->is_readonly = !PyArray_ISWRITEABLE(x);
    return made;
}

/* --- for NumPy --- */

PyArray_Descr *array_dtype_of(const cpl_array_info *info)
{
    return info->record ? types_to_dtype(info->record) : types_number_dtype(info->dtype);
}

cpl_status array_pull(cpl_array *array)
{
    cpl_status status;
    Py_BEGIN_ALLOW_THREADS status = cpl_array_pull(array, NULL);
    Py_END_ALLOW_THREADS return status;
}

/* An array of NumPy's over the same memory, which a view keeps: the array itself may get other
 * memory as it grows. Who may write there does it behind the back of devices. */
static PyObject *share(PyObject *self, const cpl_array_info *info)
{
    array_object *a = (array_object *)self;
    cpl_array *view;
    npy_intp shape[CPL_MAX_DIMS], strides[CPL_MAX_DIMS];
    for (int d = 0; d < info->dims; d++) shape[d] = info->shape[d], strides[d] = info->strides[d];
    if (!cpl_array_valid(a->array, NULL) && !diag_check(array_pull(a->array), NULL)) return NULL;
    if (!a->is_readonly && !deferred_before_write(a)) return NULL;
    if (!a->is_readonly && !diag_check(cpl_array_written(a->array, NULL, NULL), NULL)) return NULL;
    if (!diag_check(cpl_array_slice(a->array, NULL, 0, &view), NULL)) return NULL;
    PyObject *base = array_view_of(self, view);
    PyArray_Descr *dtype = base ? array_dtype_of(info) : NULL;
    PyObject *made = dtype ? PyArray_NewFromDescr(&PyArray_Type, dtype, info->dims, shape, strides,
                                                  cpl_array_address(view, NULL, NULL),
                                                  a->is_readonly ? 0 : NPY_ARRAY_WRITEABLE, NULL)
                           : NULL;
    if (!made) {
        Py_XDECREF(base);
    } else if (PyArray_SetBaseObject((PyArrayObject *)made, base)) {
        Py_CLEAR(made);
    }
    return made;
}

static cpl_status read_out(cpl_array *array, void *to)
{
    cpl_status status;
    Py_BEGIN_ALLOW_THREADS status = cpl_array_read(array, NULL, to, NULL);
    Py_END_ALLOW_THREADS return status;
}

static PyObject *copy_out(cpl_array *array, const cpl_array_info *info)
{
    npy_intp shape[CPL_MAX_DIMS];
    for (int d = 0; d < info->dims; d++) shape[d] = info->shape[d];
    PyArray_Descr *dtype = array_dtype_of(info);
    PyObject *made = dtype ? PyArray_Empty(info->dims, shape, dtype, 0) : NULL;
    if (made && !diag_check(read_out(array, PyArray_DATA((PyArrayObject *)made)), NULL))
        Py_CLEAR(made);
    return made;
}

PyObject *array_copy_out(PyObject *self)
{
    cpl_array_info info;
    if (!array_info_of(self, &info)) return NULL;
    return copy_out(((array_object *)self)->array, &info);
}

static PyObject *array_numpy(PyObject *self, PyObject *none)
{
    (void)none;
    cpl_array_info info;
    if (!array_info_of(self, &info)) return NULL;
    array_object *a = (array_object *)self;
    return a->place ? copy_out(a->array, &info) : share(self, &info);
}

static cpl_status write_in(cpl_array *array, const void *from)
{
    cpl_status status;
    Py_BEGIN_ALLOW_THREADS status = cpl_array_write(array, NULL, from, NULL);
    Py_END_ALLOW_THREADS return status;
}

/* Elements from an array of NumPy's with as many, which becomes dense and of the same type. */
static PyObject *array_write(PyObject *self, PyObject *from)
{
    cpl_array_info info;
    if (!array_info_of(self, &info) || !deferred_before_write((array_object *)self)) return NULL;
    if (PyArray_Check(from) && !array_settle_numpy((PyArrayObject *)from, false)) return NULL;
    PyArray_Descr *dtype = array_dtype_of(&info);
    PyObject *dense = dtype ? PyArray_FromAny(from, dtype, 0, 0, NPY_ARRAY_CARRAY_RO, NULL) : NULL;
    if (!dense) return NULL;
    PyArrayObject *x = (PyArrayObject *)dense;
    bool fine = PyArray_SIZE(x) == info.length;
    if (!fine) PyErr_SetString(PyExc_ValueError, "another number of elements");
    fine = fine && diag_check(write_in(((array_object *)self)->array, PyArray_DATA(x)), NULL);
    Py_DECREF(dense);
    return fine ? Py_NewRef(Py_None) : NULL;
}

/*
 * NumPy asks an array for a buffer first, and where that raises, Ctrl-C's KeyboardInterrupt while
 * the elements are computed for it too, goes on to __array__ as if nothing had been. It is raised
 * again there.
 */
static struct {
    const PyObject *of; /* not held: compared alone */
    PyObject *type, *value, *trace;
} unheard;

static void forget_unheard(void)
{
    unheard.of = NULL;
    Py_CLEAR(unheard.type);
    Py_CLEAR(unheard.value);
    Py_CLEAR(unheard.trace);
}

static void keep_unheard(const PyObject *self)
{
    unheard.of = self;
    PyErr_Fetch(&unheard.type, &unheard.value, &unheard.trace);
    PyErr_Restore(Py_XNewRef(unheard.type), Py_XNewRef(unheard.value), Py_XNewRef(unheard.trace));
}

static PyObject *array_raise(PyObject *self, PyObject *none)
{
    (void)none;
    if (unheard.of != self) Py_RETURN_NONE;
    PyErr_Restore(unheard.type, unheard.value, unheard.trace);
    unheard.of = NULL;
    unheard.type = unheard.value = unheard.trace = NULL;
    return NULL;
}

static PyObject *array_stay(PyObject *self, PyObject *none)
{
    (void)none;
    cpl_array *array = array_of_object(self);
    cpl_status status;
    if (!array || !diag_listen()) return NULL;
    Py_BEGIN_ALLOW_THREADS status = cpl_array_stay(array);
    Py_END_ALLOW_THREADS return diag_check(status, NULL) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *array_freeze(PyObject *self, PyObject *none)
{
    (void)none;
    ((array_object *)self)->is_readonly = true;
    Py_RETURN_NONE;
}

static int array_getbuffer(PyObject *self, Py_buffer *view, int flags)
{
    cpl_array_info info;
    view->obj = NULL;
    forget_unheard();
    bool known = array_info_of(self, &info);
    if (known && ((array_object *)self)->place) {
        PyErr_SetString(PyExc_BufferError, "the array is on a device; x.numpy() copies it");
        return -1;
    }
    PyObject *memory = known ? share(self, &info) : NULL;
    if (!memory) {
        keep_unheard(self);
        return -1;
    }
    /* the buffer is that one's from here on */
    int failed = PyObject_GetBuffer(memory, view, flags);
    Py_DECREF(memory);
    return failed ? -1 : 0;
}

/* --- what they know of themselves --- */

PyObject *array_numbers(const int64_t *numbers, int count)
{
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++) {
        PyObject *number = PyLong_FromLongLong(numbers[i]);
        if (!number || PyTuple_SetItem(tuple, i, number)) Py_CLEAR(tuple);
    }
    return tuple;
}

typedef enum fact {
    FACT_SHAPE,
    FACT_STRIDES,
    FACT_DTYPE,
    FACT_NDIM,
    FACT_SIZE,
    FACT_NBYTES,
    FACT_ITEMSIZE,
    FACT_CAPACITY,
    FACT_CONTIGUOUS,
    FACT_PLACE,
    FACT_DEVICE,
} fact;

static PyObject *place_name(const cpl_array_info *info)
{
    cpl_device_info device = {.size = sizeof device};
    if (!diag_check(cpl_device_info_get(info->home, &device), NULL)) return NULL;
    return PyUnicode_FromString(device.label);
}

/* Of one that is deferred too. */
static bool facts_of(PyObject *self, cpl_array_info *info)
{
    array_object *a = (array_object *)self;
    const cpl_array_info *known = a->deferred ? array_info(a) : NULL;
    if (known) *info = *known;
    return known ? array_is_here(a) : array_info_of(self, info);
}

static PyObject *array_get(PyObject *self, void *which)
{
    cpl_array_info info;
    if (!facts_of(self, &info)) return NULL;
    switch ((fact)(intptr_t)which) {
    case FACT_SHAPE: return array_numbers(info.shape, info.dims);
    case FACT_STRIDES: return array_numbers(info.strides, info.dims);
    case FACT_DTYPE: return (PyObject *)array_dtype_of(&info);
    case FACT_NDIM: return PyLong_FromLong(info.dims);
    case FACT_SIZE: return PyLong_FromLongLong(info.length);
    case FACT_NBYTES: return PyLong_FromLongLong(info.length * (int64_t)info.element_size);
    case FACT_ITEMSIZE: return PyLong_FromSize_t(info.element_size);
    case FACT_CAPACITY: return PyLong_FromLongLong(info.capacity);
    case FACT_CONTIGUOUS: return PyBool_FromLong(info.contiguous);
    case FACT_PLACE: return place_name(&info);
    case FACT_DEVICE: return device_object_of(info.home);
    }
    return NULL;
}

static Py_ssize_t array_length(PyObject *self)
{
    cpl_array_info info;
    if (!facts_of(self, &info)) return -1;
    if (info.dims) return info.shape[0];
    PyErr_SetString(PyExc_TypeError, "len() of unsized object");
    return -1;
}

/* --- the type --- */

#define FACT(name, which, doc) {name, array_get, NULL, doc, (void *)(intptr_t)(which)}

static PyGetSetDef attributes[] = {
    FACT("shape", FACT_SHAPE, "elements along each dimension"),
    FACT("strides", FACT_STRIDES, "bytes from one element to the next, along each dimension"),
    FACT("dtype", FACT_DTYPE, "NumPy's type of the elements"),
    FACT("ndim", FACT_NDIM, "number of dimensions"),
    FACT("size", FACT_SIZE, "number of elements"),
    FACT("nbytes", FACT_NBYTES, "bytes that the elements have"),
    FACT("itemsize", FACT_ITEMSIZE, "bytes of an element"),
    FACT("capacity", FACT_CAPACITY, "elements that there is memory for"),
    FACT("contiguous", FACT_CONTIGUOUS, "whether elements lie side by side, the last dimension's"),
    FACT("place", FACT_PLACE, "where it lives, as 'host' or 'cuda:0'"),
    FACT("device", FACT_DEVICE, "where it lives, as a cpl.Device"),
    {0},
};

static PyMemberDef members[] = {
    {"readonly", T_BOOL, offsetof(array_object, is_readonly), READONLY,
     "whether its memory is only read"},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(array_object, weak), READONLY, NULL},
    {0},
};

static PyMethodDef methods[] = {
    {"_stay", array_stay, METH_NOARGS, "_stay(): in main memory, for good"},
    {"_freeze", array_freeze, METH_NOARGS, "_freeze(): it is only read from now on"},
    {"_write", array_write, METH_O, "_write(array of NumPy's): its elements"},
    {"_raise", array_raise, METH_NOARGS,
     "_raise()\n--\n\nWhat making a buffer for NumPy raised just before."},
    {"numpy", array_numpy, METH_NOARGS,
     "The elements as an array of NumPy's: the same memory where the array is on the host, else a "
     "copy."},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_new, array_new},
    {Py_tp_dealloc, array_free},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {Py_tp_members, members},
    {Py_mp_length, array_length},
    {Py_bf_getbuffer, array_getbuffer},
    {0, NULL},
};
static PyType_Spec spec = {"cpl._cpl.Array", sizeof(array_object), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_IMMUTABLETYPE,
                           slots};

bool binding_init_array(PyObject *m)
{
    PyType_Slot all[64];
    PyType_Spec whole = spec;
    size_t count = COUNT_OF(slots) - 1;
    memcpy(all, slots, count * sizeof *all);
    for (const PyType_Slot *s = operator_slots; s->slot; s++) all[count++] = *s;
    all[count] = (PyType_Slot){0, NULL};
    whole.slots = all;
    array_type = (PyTypeObject *)PyType_FromSpec(&whole);
    return array_type && !PyModule_AddType(m, array_type);
}

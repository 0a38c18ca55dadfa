/*
 * DLPack: arrays of other libraries taken, and arrays given to them, without a copy. Taken ones are
 * told of the stream that they are used on, the queue's that they come to; arrays that are given go
 * behind what uses them here. cpl/foreign.py asks the objects.
 */
#include "binding.h"
#include "dlpack.h"

#include <stdlib.h>

static const char legacy[] = "dltensor", versioned[] = "dltensor_versioned",
                  used_legacy[] = "used_dltensor", used_versioned[] = "used_dltensor_versioned";

/* --- types --- */

static const struct {
    DLDataTypeCode code;
    uint8_t bits;
    cpl_dtype dtype;
} types[] = {
    {kDLBool, 8, CPL_BOOL},          {kDLInt, 8, CPL_INT8},
    {kDLInt, 16, CPL_INT16},         {kDLInt, 32, CPL_INT32},
    {kDLInt, 64, CPL_INT64},         {kDLUInt, 8, CPL_UINT8},
    {kDLUInt, 16, CPL_UINT16},       {kDLUInt, 32, CPL_UINT32},
    {kDLUInt, 64, CPL_UINT64},       {kDLFloat, 16, CPL_FLOAT16},
    {kDLFloat, 32, CPL_FLOAT32},     {kDLFloat, 64, CPL_FLOAT64},
    {kDLComplex, 64, CPL_COMPLEX64}, {kDLComplex, 128, CPL_COMPLEX128},
};

static cpl_dtype dtype_of(DLDataType type)
{
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (types[i].code == type.code && types[i].bits == type.bits && type.lanes == 1)
            return types[i].dtype;
    static const char *const names[] = {[kDLInt] = "int",         [kDLUInt] = "uint",
                                        [kDLFloat] = "float",     [kDLBfloat] = "bfloat",
                                        [kDLComplex] = "complex", [kDLBool] = "bool"};
    const char *name = type.code < COUNT_OF(names) ? names[type.code] : NULL;
    PyErr_Format(PyExc_TypeError, "kernels have no type for DLPack's %s%d of %d lanes (code %d)",
                 name ? name : "type", type.bits, type.lanes, type.code);
    return CPL_VOID;
}

static bool type_of(const cpl_array_info *info, DLDataType *type)
{
    for (size_t i = 0; !info->record && i < COUNT_OF(types); i++)
        if (types[i].dtype == info->dtype) {
            *type = (DLDataType){(uint8_t)types[i].code, types[i].bits, 1};
            return true;
        }
    PyErr_SetString(PyExc_BufferError, "DLPack has no type for structs");
    return false;
}

/* --- taking --- */

/* What a capsule holds, in either form. */
typedef struct taken {
    DLManagedTensor *old;
    DLManagedTensorVersioned *new;
} taken;

static const DLTensor *tensor_of(const taken *t)
{
    return t->new ? &t->new->dl_tensor : &t->old->dl_tensor;
}

static bool open_capsule(PyObject *capsule, taken *t)
{
    *t = (taken){0};
    if (PyCapsule_IsValid(capsule, versioned)) t->new = PyCapsule_GetPointer(capsule, versioned);
    else if (PyCapsule_IsValid(capsule, legacy)) t->old = PyCapsule_GetPointer(capsule, legacy);
    else if (PyCapsule_IsValid(capsule, used_legacy) || PyCapsule_IsValid(capsule, used_versioned))
        PyErr_SetString(PyExc_ValueError, "the DLPack capsule was taken before");
    else PyErr_Format(PyExc_TypeError, "a DLPack capsule was expected, not %R", capsule);
    if (!t->new || t->new->version.major == DLPACK_MAJOR_VERSION) return t->new || t->old;
    PyErr_Format(PyExc_BufferError, "the array comes in version %u of DLPack, and %d is known here",
                 t->new->version.major, DLPACK_MAJOR_VERSION);
    return false;
}

/* The owner's end: a capsule of ours. Deleters may be Python's, which an exception on its way
 * would confuse. */
static void end_taken(PyObject *owner)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (PyCapsule_IsValid(owner, used_versioned)) {
        DLManagedTensorVersioned *t = PyCapsule_GetPointer(owner, used_versioned);
        if (t->deleter) t->deleter(t);
    } else {
        DLManagedTensor *t = PyCapsule_GetPointer(owner, used_legacy);
        if (t->deleter) t->deleter(t);
    }
    PyErr_Restore(type, value, traceback);
}

/* From here on the tensor is ours: an object that ends it with itself. */
static PyObject *own(PyObject *capsule, const taken *t)
{
    PyObject *owner = t->new ? PyCapsule_New(t->new, used_versioned, end_taken)
                             : PyCapsule_New(t->old, used_legacy, end_taken);
    if (owner) PyCapsule_SetName(capsule, t->new ? used_versioned : used_legacy);
    return owner;
}

/* Whether memory of such a device is what the array is said to be on. */
static bool is_on(const DLTensor *x, const cpl_device_info *device)
{
    int32_t type = x->device.device_type;
    if (device->kind == CPL_DEVICE_HOST) return type == kDLCPU || type == kDLCUDAHost;
    return device->kind == CPL_DEVICE_CUDA && (type == kDLCUDA || type == kDLCUDAManaged) &&
           x->device.device_id == (int32_t)device->index;
}

static bool describe(const DLTensor *x, const device_object *device, cpl_array_options *o,
                     int64_t *strides)
{
    cpl_array_options_init(o);
    if (!is_on(x, &device->info)) {
        PyErr_Format(PyExc_BufferError, "the array is on DLPack's device (%d, %d), not on %s",
                     x->device.device_type, x->device.device_id, device->info.label);
        return false;
    }
    if (x->ndim < 0 || x->ndim > CPL_MAX_DIMS || (x->ndim && !x->shape)) {
        PyErr_Format(PyExc_ValueError, "an array has up to %d dimensions, not %d", CPL_MAX_DIMS,
                     x->ndim);
        return false;
    }
    o->dtype = dtype_of(x->dtype);
    if (!o->dtype) return false;
    o->dims = x->ndim;
    for (int d = 0; d < x->ndim; d++) {
        o->shape[d] = x->shape[d];
        if (x->strides && __builtin_mul_overflow(x->strides[d], x->dtype.bits / 8, &strides[d])) {
            PyErr_SetString(PyExc_ValueError, "a stride is out of range");
            return false;
        }
    }
    return true;
}

static int64_t length_of(const cpl_array_options *o)
{
    int64_t length = 1;
    for (int d = 0; d < o->dims; d++) length *= o->shape[d];
    return length;
}

/* An array over a tensor's memory; of no elements, which may have none, a new one. */
static PyObject *array_over(const DLTensor *x, device_object *device, PyObject *owner)
{
    cpl_array_options o;
    int64_t strides[CPL_MAX_DIMS];
    if (!describe(x, device, &o, strides)) return NULL;
    if (!length_of(&o)) {
        cpl_array *array;
        cpl_status status = cpl_array_create_with(binding_context(), device->device, &o, &array);
        return diag_check(status, NULL) ? array_object_of(array, NULL) : NULL;
    }
    char *first = (char *)x->data + x->byte_offset;
    size_t itemsize = x->dtype.bits / 8,
           aligned = x->dtype.code == kDLComplex ? itemsize / 2 : itemsize;
    if (!x->data || (uintptr_t)first % aligned)
        return PyErr_Format(PyExc_ValueError, "the array's elements are %s",
                            x->data ? "not aligned" : "nowhere: its address is NULL");
    void *memory = array_lay(&o, first, itemsize, x->strides ? strides : NULL);
    return memory ? array_wrap_memory(device->device, &o, memory, owner) : NULL;
}

/* take(capsule, queue): what was written on the queue's stream is written behind it. */
PyObject *dlpack_take(PyObject *self, PyObject *args)
{
    (void)self;
    taken t;
    PyObject *capsule, *queue;
    if (!PyArg_ParseTuple(args, "OO!", &capsule, queue_type, &queue)) return NULL;
    queue_object *q = (queue_object *)queue;
    device_object *device = (device_object *)q->device;
    if (!binding_check_process(q->process) || !diag_listen() || !open_capsule(capsule, &t))
        return NULL; /* its capsule ends it */
    PyObject *owner = own(capsule, &t);
    PyObject *made = owner ? array_over(tensor_of(&t), device, owner) : NULL;
    bool is_readonly = t.new && t.new->flags & DLPACK_FLAG_BITMASK_READ_ONLY;
    Py_XDECREF(owner);
    if (!made) return NULL;
    array_object *a = (array_object *)made;
    a->is_readonly = is_readonly;
    if (!a->place || diag_check(cpl_array_written(a->array, device->device, q->queue), NULL))
        return made;
    Py_DECREF(made);
    return NULL;
}

/* --- giving --- */

/* In front of it what DLPack knows. Ends on any thread. */
typedef struct given {
    union {
        DLManagedTensor old;
        DLManagedTensorVersioned new;
    } tensor;
    cpl_array *array;
    int64_t shape[CPL_MAX_DIMS], strides[CPL_MAX_DIMS];
} given;

static void release(given *g)
{
    cpl_array_release(g->array);
    free(g);
}

static void delete_legacy(DLManagedTensor *self)
{
    release(self->manager_ctx);
}

static void delete_versioned(DLManagedTensorVersioned *self)
{
    release(self->manager_ctx);
}

/* Nobody took it. */
static void end_capsule(PyObject *capsule)
{
    const char *name = PyCapsule_GetName(capsule);
    if (!name || (strcmp(name, legacy) && strcmp(name, versioned))) return;
    void *tensor = PyCapsule_GetPointer(capsule, name);
    if (!strcmp(name, legacy)) delete_legacy(tensor);
    else delete_versioned(tensor);
}

static void fill(given *g, const cpl_array_info *info, DLTensor *x)
{
    cpl_device_info device = {.size = sizeof device};
    cpl_device_info_get(info->home, &device);
    bool is_host = device.kind == CPL_DEVICE_HOST;
    x->device = (DLDevice){is_host ? kDLCPU : kDLCUDA, is_host ? 0 : (int32_t)device.index};
    x->data = info->length ? cpl_array_address(g->array, info->home, NULL) : NULL;
    x->ndim = info->dims;
    x->shape = g->shape;
    x->strides = g->strides;
    x->byte_offset = 0;
    for (int d = 0; d < info->dims; d++) {
        g->shape[d] = info->shape[d];
        g->strides[d] = info->strides[d] / (int64_t)info->element_size;
    }
}

static given *given_new(cpl_array *array, const cpl_array_info *info, uint64_t flags,
                        bool is_versioned)
{
    DLDataType type;
    if (!type_of(info, &type)) return NULL;
    given *g = calloc(1, sizeof *g);
    if (!g) return (given *)PyErr_NoMemory();
    if (!diag_check(cpl_array_slice(array, NULL, 0, &g->array), NULL)) {
        free(g);
        return NULL;
    }
    DLTensor *x = is_versioned ? &g->tensor.new.dl_tensor : &g->tensor.old.dl_tensor;
    x->dtype = type;
    fill(g, info, x);
    if (is_versioned) {
        g->tensor.new.version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
        g->tensor.new.manager_ctx = g;
        g->tensor.new.deleter = delete_versioned;
        g->tensor.new.flags = flags;
    } else {
        g->tensor.old.manager_ctx = g;
        g->tensor.old.deleter = delete_legacy;
    }
    return g;
}

/* give(array, versioned, copied): a capsule, of an array that foreign_share was called for. */
PyObject *dlpack_give(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *object;
    int is_versioned, is_copied;
    cpl_array_info info;
    if (!PyArg_ParseTuple(args, "Opp", &object, &is_versioned, &is_copied) ||
        !array_info_of(object, &info))
        return NULL;
    const array_object *a = (array_object *)object;
    uint64_t flags = (a->is_readonly ? DLPACK_FLAG_BITMASK_READ_ONLY : 0) |
                     (is_copied ? DLPACK_FLAG_BITMASK_IS_COPIED : 0);
    if (a->is_readonly && !is_versioned)
        return PyErr_Format(PyExc_BufferError,
                            "the array is read-only, which DLPack says from version 1 on alone");
    given *g = given_new(a->array, &info, flags, is_versioned);
    if (!g) return NULL;
    PyObject *capsule = PyCapsule_New(&g->tensor, is_versioned ? versioned : legacy, end_capsule);
    if (!capsule) release(g);
    return capsule;
}

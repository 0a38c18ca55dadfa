/* Memory that is shared with other libraries, as cpl/foreign.py arranges it. */
#include "binding.h"

static bool sizes_of(PyObject *tuple, int64_t *sizes)
{
    Py_ssize_t count = PyTuple_Size(tuple);
    for (Py_ssize_t i = 0; i < count; i++) {
        sizes[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
        if (PyErr_Occurred()) return false;
    }
    return count >= 0;
}

/* wrap_address(address, shape, strides or None, dtype, readonly, queue, owner or None): memory of
 * the queue's device, which is complete behind what the queue was given. */
PyObject *foreign_wrap(PyObject *self, PyObject *args)
{
    (void)self;
    unsigned long long address;
    PyObject *shape, *strides, *dtype, *queue, *owner;
    int is_readonly;
    cpl_array_options o;
    int64_t bytes[CPL_MAX_DIMS];
    cpl_array_options_init(&o);
    if (!PyArg_ParseTuple(args, "KO!OO!pO!O", &address, &PyTuple_Type, &shape, &strides,
                          &PyArrayDescr_Type, &dtype, &is_readonly, queue_type, &queue, &owner) ||
        !array_shape_of(shape, &o) || !array_elements_of(dtype, &o))
        return NULL;
    queue_object *q = (queue_object *)queue;
    if (!binding_check_process(q->process)) return NULL;
    bool is_dense = strides == Py_None;
    if (!is_dense && (!PyTuple_Check(strides) || PyTuple_Size(strides) != o.dims))
        return PyErr_Format(PyExc_ValueError, "as many strides as dimensions were expected");
    if (!is_dense && !sizes_of(strides, bytes)) return NULL;
    size_t itemsize = o.record ? cpl_type_size(o.record) : cpl_dtype_size(o.dtype);
    void *memory = array_lay(&o, (void *)(uintptr_t)address, itemsize, is_dense ? NULL : bytes);
    if (!memory) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "the array's address is 0");
        return NULL;
    }
    cpl_device *device = ((device_object *)q->device)->device;
    PyObject *made = array_wrap_memory(device, &o, memory, owner == Py_None ? NULL : owner);
    if (!made) return NULL;
    array_object *a = (array_object *)made;
    a->is_readonly = is_readonly;
    if (diag_check(cpl_array_written(a->array, device, q->queue), NULL)) return made;
    Py_DECREF(made);
    return NULL;
}

static cpl_status bring_home(cpl_array *array, const cpl_array_info *info, bool is_host)
{
    if (cpl_array_valid(array, is_host ? NULL : info->home)) return CPL_OK;
    if (is_host) return array_pull(array);
    cpl_status status;
    Py_BEGIN_ALLOW_THREADS status = cpl_array_push(array, NULL, NULL);
    Py_END_ALLOW_THREADS return status;
}

/* Behind what uses it here: who it is given to, and what uses it here later. */
static cpl_status wait_for_users(const array_object *a, const cpl_array_info *info, cpl_queue *to)
{
    if (!a->place) return CPL_OK;
    cpl_queue *own = cpl_device_queue(info->home);
    cpl_status status = own ? CPL_OK : CPL_EDEVICE;
    if (!status && to) status = cpl_queue_wait_array(to, a->array);
    if (!status && to != own) status = cpl_queue_wait_array(own, a->array);
    if (status || a->is_readonly) return status;
    return cpl_array_written(a->array, info->home, own);
}

/* share(array, queue or None): the address of its memory at home, where it is valid and others may
 * write it, on the queue behind what uses it here. */
PyObject *foreign_share(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *object, *queue;
    cpl_array_info info;
    if (!PyArg_ParseTuple(args, "OO", &object, &queue) || !array_info_of(object, &info))
        return NULL;
    array_object *a = (array_object *)object;
    if (!a->is_readonly && !deferred_before_write(a)) return NULL;
    if (!diag_check(bring_home(a->array, &info, !a->place), NULL)) return NULL;
    if (queue != Py_None && Py_TYPE(queue) != queue_type)
        return PyErr_Format(PyExc_TypeError, "a queue was expected");
    cpl_queue *to = queue == Py_None ? NULL : ((queue_object *)queue)->queue;
    cpl_status status = wait_for_users(a, &info, to);
    if (!status && !a->place && !a->is_readonly) status = cpl_array_written(a->array, NULL, NULL);
    if (!diag_check(status, NULL)) return NULL;
    return PyLong_FromVoidPtr(info.length ? cpl_array_address(a->array, info.home, NULL) : NULL);
}

/* Arrays that grow: new elements are zeros, where the array is valid. */
#include "runtime/device/device.h"

static cpl_status bytes_of(cpl_array *a, int64_t first, int64_t length, cpl_array **view)
{
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = 1;
    o.dtype = CPL_UINT8;
    o.shape[0] = length;
    o.offset = (size_t)first;
    return cpl_array_view(a, &o, view);
}

/* Elements from `first` on become zeros, where the array is valid. */
static cpl_status zero_from(cpl_array *a, int64_t first)
{
    cpl_array *rest;
    cpl_launch_options o;
    int64_t size = (int64_t)a->element_size;
    const dev_slot *slot = storage_valid(a->storage, a->storage->home);
    cpl_launch_options_init(&o);
    o.queue = cpl_device_queue(slot ? slot->block.device : a->storage->home);
    if (!o.queue) return context_no_memory(a->storage->cx);
    cpl_status status = bytes_of(a, first * size, (a->length - first) * size, &rest);
    if (!status) status = cpl_array_fill(rest, cpl_arg_int(0), &o);
    cpl_array_release(rest);
    return status;
}

static int64_t grown(int64_t capacity, int64_t wanted)
{
    int64_t more = capacity + capacity / 2;
    return wanted > more ? wanted : more;
}

cpl_status cpl_array_resize(cpl_array *array, int64_t length)
{
    if (MISSING("array", array)) return CPL_EARG;
    cpl_status status = array_may_grow(array);
    if (!status && length < 0)
        status = context_report(array->storage->cx, CPL_EARG, "an array cannot have %lld elements",
                                (long long)length);
    int64_t before = array->length, capacity = array_capacity(array);
    if (!status && length > capacity) status = array_set_capacity(array, grown(capacity, length));
    if (status) return status;
    array->length = array->shape[0] = length;
    array->contiguous = true;
    if (length > before) status = zero_from(array, before);
    if (status) array->length = array->shape[0] = before;
    return status;
}

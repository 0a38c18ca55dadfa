/* Arrays: descriptions of elements in a storage, memory of the caller's among them. */
#include "runtime/device/device.h"

/* --- memory of the caller's --- */

/* Called when the memory is not used any more. */
struct dev_deleter {
    struct dev_deleter *next;
    void (*call)(void *user, void *memory);
    void *user, *memory;
};

static bool add_deleter(dev_storage *s, const cpl_array_options *o, void *memory)
{
    if (!o->deleter) return true;
    struct dev_deleter *made = mem_zalloc(context_mem(s->cx), sizeof *made), **at = &s->deleters;
    if (!made) return false;
    *made = (struct dev_deleter){NULL, o->deleter, o->deleter_user, memory};
    while (*at) at = &(*at)->next;
    *at = made;
    return true;
}

static void call_deleters(dev_storage *s)
{
    for (struct dev_deleter *d = s->deleters, *next; d; d = next) {
        next = d->next;
        d->call(d->user, d->memory);
        mem_free(context_mem(s->cx), d, sizeof *d);
    }
}

static bool retain_living(dev_storage *s)
{
    unsigned n = atomic_load_explicit(&s->references, memory_order_relaxed);
    while (n && !atomic_compare_exchange_weak(&s->references, &n, n + 1)) continue;
    return n != 0;
}

/* A handle of OpenCL's is no address: what lies in its memory has it too. */
static bool holds(const dev_storage *s, const void *memory, size_t size)
{
    const bool is_handle = s->slots->block.memory != NULL;
    const uintptr_t first = (uintptr_t)s->wrapped, at = (uintptr_t)memory;
    if (is_handle) return at == first && size <= s->size;
    return at >= first && at - first <= s->size && size <= s->size - (at - first);
}

/* A storage that the memory is all or a part of, retained, or NULL. */
static dev_storage *find_wrapped(const cpl_device *home, const void *memory, size_t size)
{
    devices *all = devices_of(home->cx);
    pthread_mutex_lock(context_lock(home->cx));
    dev_storage *s = all->wrapped;
    while (s && !(s->home == home && holds(s, memory, size) && retain_living(s)))
        s = s->next_wrapped;
    pthread_mutex_unlock(context_lock(home->cx));
    return s;
}

static void list_wrapped(dev_storage *s)
{
    devices *all = devices_of(s->cx);
    pthread_mutex_lock(context_lock(s->cx));
    s->next_wrapped = all->wrapped;
    all->wrapped = s;
    s->listed = true;
    pthread_mutex_unlock(context_lock(s->cx));
}

static void unlist_wrapped(dev_storage *s)
{
    devices *all = devices_of(s->cx);
    pthread_mutex_lock(context_lock(s->cx));
    dev_storage **at = &all->wrapped;
    while (*at != s) at = &(*at)->next_wrapped;
    *at = s->next_wrapped;
    pthread_mutex_unlock(context_lock(s->cx));
}

/* --- references --- */

void storage_release(dev_storage *s)
{
    if (!s || atomic_fetch_sub_explicit(&s->references, 1, memory_order_acq_rel) != 1) return;
    cpl_context *cx = s->cx;
    if (s->listed) unlist_wrapped(s);
    if (s->listed && s->home->ops->shares_memory && s->slots->next) {
        storage_move(s, s->home, NULL, NULL);
        atomic_fetch_sub_explicit(&devices_of(s->cx)->moved, 1, memory_order_relaxed);
    }
    while (s->slots) storage_drop(s, s->slots);
    call_deleters(s);
    mem_free(context_mem(cx), s, sizeof *s);
    cpl_context_release(cx);
}

/* Whether host code that reads the memory would not see what it should, or if it writes, devices.
 */
static bool is_moved(const dev_storage *s, bool written)
{
    for (const dev_slot *slot = s->slots; slot; slot = slot->next)
        if (slot->block.device == s->home ? !slot->valid : written && slot->valid) return true;
    return false;
}

typedef bool storage_test(const dev_storage *s, bool flag);

/* A storage that wraps some of [memory, memory + size) of the host and passes the test, retained.
 */
static dev_storage *find_meeting(const devices *all, const void *memory, size_t size,
                                 storage_test *test, bool flag)
{
    const uintptr_t at = (uintptr_t)memory;
    dev_storage *s;
    pthread_mutex_lock(context_lock(all->host->cx));
    for (s = all->wrapped; s; s = s->next_wrapped) {
        const uintptr_t first = (uintptr_t)s->wrapped;
        if (s->home == all->host && at < first + s->size && first < at + size && test(s, flag) &&
            retain_living(s))
            break;
    }
    pthread_mutex_unlock(context_lock(all->host->cx));
    return s;
}

cpl_status cpl_memory_settle(cpl_context *context, const void *memory, size_t size, bool written)
{
    if (MISSING("context memory", context, UNLESS_NONE(memory, size))) return CPL_EARG;
    if (context_forked(context)) return context_refuse_fork(context);
    devices *all = devices_of(context);
    if (!all) return context_no_memory(context);
    if (!atomic_load_explicit(&all->moved, memory_order_relaxed)) return CPL_OK;
    dev_storage *s;
    cpl_status status = CPL_OK;
    while (!status && (s = find_meeting(all, memory, size, is_moved, written))) {
        status = storage_move(s, all->host, NULL, NULL);
        if (!status && written) storage_written(s, storage_slot(s, all->host), NULL);
        storage_release(s);
    }
    return status;
}

static dev_storage *storage_create(cpl_context *cx, cpl_device *home, size_t size)
{
    dev_storage *s = mem_zalloc(context_mem(cx), sizeof *s);
    if (!s) {
        context_report(cx, CPL_ENOMEM, "out of memory for an array");
        return NULL;
    }
    s->references = 1;
    s->cx = cx;
    s->home = home;
    s->size = size;
    cpl_context_retain(cx);
    return s;
}

cpl_status storage_scratch(cpl_device *d, cpl_queue *q, size_t size, dev_storage **s)
{
    dev_slot *slot;
    *s = storage_create(d->cx, d, size);
    if (!*s) return CPL_ENOMEM;
    cpl_status status = storage_reserve(*s, d, q, &slot);
    if (status) {
        storage_release(*s);
        *s = NULL;
        return status;
    }
    slot->valid = true;
    /* Nothing that is recorded has happened: who used pooled memory before is the default queue. */
    if (q->recording) queue_remember(&slot->block.last, cpl_device_queue(d));
    return CPL_OK;
}

/* --- descriptions --- */

void cpl_array_options_init(cpl_array_options *options)
{
    if (!options) return;
    *options = (cpl_array_options){.size = sizeof *options};
}

static cpl_status check_device(cpl_context *cx, const cpl_device *d)
{
    if (d->cx == cx) return CPL_OK;
    return context_report(cx, CPL_EARG, "the device belongs to another context");
}

static cpl_status read_options(cpl_context *cx, const cpl_array_options *options,
                               cpl_array_options *o)
{
    cpl_array_options_init(o);
    if (!options) return thread_report(CPL_EARG, "an array is made without options");
    if (READ_STRUCT(o, options, cpl_array_options)) return CPL_EARG;
    if (o->dims < 0 || o->dims > CPL_MAX_DIMS)
        return context_report(cx, CPL_EARG, "an array has up to %d dimensions, not %d",
                              CPL_MAX_DIMS, o->dims);
    return o->pinned_for ? check_device(cx, o->pinned_for) : CPL_OK;
}

static cpl_status set_elements(cpl_context *cx, cpl_array *a, const cpl_array_options *o)
{
    if (o->record && o->record->table != context_types(cx))
        return context_report(cx, CPL_EARG, "an array's record is another context's type");
    bool known = o->dtype > CPL_VOID && o->dtype < CPL_DTYPE_COUNT && o->dtype != CPL_BFLOAT16;
    const cpl_type *type = o->record ? o->record
                           : known   ? type_scalar(context_types(cx), o->dtype)
                                     : NULL;
    if (type && (!o->record || type_is_struct(type))) {
        a->dtype = type->dtype;
        a->record = type_is_struct(type) && !type_is_complex(type) ? type : NULL;
        a->element_size = type->size;
        a->align = type->align;
        return CPL_OK;
    }
    return context_report(cx, CPL_EARG,
                          "an array needs an element type: a dtype, or a struct as record");
}

/* Shape and strides; *low and *high receive the bytes that elements cover, from the first
 * element. */
static cpl_status set_shape(cpl_context *cx, cpl_array *a, const cpl_array_options *o, int64_t *low,
                            int64_t *high)
{
    bool strided = false;
    a->dims = o->dims;
    a->length = 1;
    for (int i = 0; i < o->dims; i++) strided = strided || o->strides[i] != 0;
    int64_t dense = (int64_t)a->element_size;
    bool overflow = false;
    a->contiguous = true;
    *low = 0;
    *high = (int64_t)a->element_size;
    for (int i = o->dims; i-- > 0;) {
        if (o->shape[i] < 0)
            return context_report(cx, CPL_EARG, "an array's dimension is negative");
        a->shape[i] = o->shape[i];
        a->strides[i] = strided ? o->strides[i] : dense;
        if (a->strides[i] != dense && a->shape[i] > 1) a->contiguous = false;
        int64_t reach = 0;
        if (a->shape[i] > 1)
            overflow |= __builtin_mul_overflow(a->shape[i] - 1, a->strides[i], &reach);
        overflow |= reach < 0 ? __builtin_add_overflow(*low, reach, low)
                              : __builtin_add_overflow(*high, reach, high);
        overflow |= __builtin_mul_overflow(a->length, a->shape[i], &a->length);
        overflow |= __builtin_mul_overflow(dense, a->shape[i] ? a->shape[i] : 1, &dense);
        if (a->strides[i] % (int64_t)a->align)
            return context_report(cx, CPL_EARG,
                                  "a stride of %lld bytes does not fit elements aligned to %zu",
                                  (long long)a->strides[i], a->align);
    }
    if (a->length == 0) *low = *high = 0, a->contiguous = true;
    return overflow ? context_report(cx, CPL_EARG, "an array's size does not fit 64 bits") : CPL_OK;
}

static cpl_array *array_alloc(cpl_context *cx)
{
    cpl_array *a = mem_zalloc(context_mem(cx), sizeof *a);
    if (a) a->references = 1;
    else context_report(cx, CPL_ENOMEM, "out of memory for an array");
    return a;
}

static void array_drop(cpl_context *cx, cpl_array *a)
{
    mem_free(context_mem(cx), a, sizeof *a);
}

/* Describes an array over fresh or wrapped memory. */
static cpl_status describe(cpl_context *cx, const cpl_array_options *o, cpl_array **array,
                           int64_t *low, int64_t *high)
{
    cpl_array *a = array_alloc(cx);
    if (!a) return context_no_memory(cx);
    cpl_status status = set_elements(cx, a, o);
    if (!status) status = set_shape(cx, a, o, low, high);
    if (status) array_drop(cx, a);
    else *array = a;
    return status;
}

/* --- making them --- */

static cpl_status zero_fresh(dev_storage *s, dev_slot *slot)
{
    cpl_device *d = slot->block.device;
    if (s->size == 0) return CPL_OK;
    if (d->ops->shares_memory) {
        memset((void *)(uintptr_t)slot->block.address, 0, s->size);
        return CPL_OK;
    }
    cpl_queue *q = cpl_device_queue(d);
    queue_gave(q);
    return d->ops->zero(q, &slot->block, 0, s->size);
}

cpl_status cpl_array_create_with(cpl_context *context, cpl_device *device,
                                 const cpl_array_options *options, cpl_array **array)
{
    if (array) *array = NULL;
    if (MISSING("context array", context, array)) return CPL_EARG;
    if (context_forked(context)) return context_refuse_fork(context);
    cpl_array_options o;
    cpl_array *a;
    int64_t low, high;
    cpl_status status = read_options(context, options, &o);
    if (status) return status;
    if (!device && !(device = device_host(context))) return context_no_memory(context);
    status = check_device(context, device);
    if (status) return status;
    memset(o.strides, 0, sizeof o.strides);
    status = describe(context, &o, &a, &low, &high);
    if (status) return status;
    a->storage = storage_create(context, device, (size_t)high);
    if (!a->storage) {
        array_drop(context, a);
        return context_no_memory(context);
    }
    if (o.pinned) a->storage->pinned_for = o.pinned_for;
    dev_slot *slot;
    status = storage_reserve(a->storage, device, NULL, &slot);
    if (!status && !o.uninitialized) status = zero_fresh(a->storage, slot);
    if (status) {
        cpl_array_release(a);
        return status;
    }
    slot->valid = true;
    *array = a;
    return CPL_OK;
}

cpl_status cpl_array_create(cpl_context *context, cpl_device *device, cpl_dtype dtype,
                            int64_t length, cpl_array **array)
{
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = dtype;
    o.dims = 1;
    o.shape[0] = length;
    return cpl_array_create_with(context, device, &o, array);
}

static bool may_meet(const dev_storage *s, bool only_moving)
{
    return !only_moving || !atomic_load(&s->stays);
}

static cpl_status keep_home(dev_storage *s)
{
    cpl_status status = storage_move(s, s->home, NULL, NULL);
    if (status) return status;
    storage_written(s, storage_slot(s, s->home), NULL);
    atomic_store(&s->stays, true);
    return CPL_OK;
}

/* What one of two wrote on a device would be lost to the other: none of them is moved. */
static cpl_status keep_overlaps(dev_storage *s)
{
    const devices *all = devices_of(s->cx);
    dev_storage *other = NULL;
    cpl_status status;
    if (s->home == all->host) other = find_meeting(all, s->wrapped, s->size, may_meet, false);
    if (!other) return CPL_OK;
    atomic_store(&s->stays, true);
    do {
        status = keep_home(other);
        storage_release(other);
    } while (!status && (other = find_meeting(all, s->wrapped, s->size, may_meet, true)));
    return status;
}

/* The storage of memory to wrap: a new one, or where it may be shared that which is there. */
static cpl_status wrap_storage(cpl_device *d, const cpl_array_options *o, void *memory, size_t size,
                               bool share, dev_storage **storage)
{
    cpl_status status = device_open(d);
    if (status) return status;
    dev_storage *s = share && memory ? find_wrapped(d, memory, size) : NULL;
    bool found = s != NULL;
    if (!s && !(s = storage_create(d->cx, d, size))) return CPL_ENOMEM;
    if (!found) status = storage_adopt(s, o, memory);
    if (!status && !found && share && memory) status = keep_overlaps(s);
    if (!status && !add_deleter(s, o, memory)) status = context_no_memory(d->cx);
    if (status) {
        storage_release(s);
        return status;
    }
    if (!found && share && memory) list_wrapped(s);
    *storage = s;
    return CPL_OK;
}

static cpl_status check_wrapped(cpl_context *cx, const cpl_array_options *o, const void *memory,
                                int64_t low, int64_t high)
{
    if (!memory && high > 0) return context_report(cx, CPL_EARG, "the memory to wrap is NULL");
    if (low >= 0 || (int64_t)o->offset >= -low) return CPL_OK;
    return context_report(cx, CPL_EARG, "elements lie up to %lld bytes before the wrapped memory",
                          (long long)(-low - (int64_t)o->offset));
}

cpl_status array_wrap(cpl_device *d, const cpl_array_options *options, void *memory, bool share,
                      cpl_array **array)
{
    cpl_context *cx = d->cx;
    cpl_array_options o;
    cpl_array *a;
    int64_t low, high;
    cpl_status status = read_options(cx, options, &o);
    if (!status) status = describe(cx, &o, &a, &low, &high);
    if (status) return status;
    uint64_t first = (uintptr_t)memory + o.offset;
    status = check_wrapped(cx, &o, memory, low, high);
    bool is_address = d->info.kind != CPL_DEVICE_OPENCL || o.is_pointer;
    if (!status && is_address && first % a->align)
        status =
            context_report(cx, CPL_EARG,
                           "the memory to wrap is not aligned to elements of %zu bytes", a->align);
    if (!status) status = wrap_storage(d, &o, memory, o.offset + (size_t)high, share, &a->storage);
    if (status) {
        array_drop(cx, a);
        return status;
    }
    a->offset = (uintptr_t)memory - (uintptr_t)a->storage->wrapped + o.offset;
    *array = a;
    return CPL_OK;
}

cpl_status cpl_array_wrap(cpl_context *context, cpl_device *device,
                          const cpl_array_options *options, void *memory, cpl_array **array)
{
    if (array) *array = NULL;
    if (MISSING("context array", context, array)) return CPL_EARG;
    if (context_forked(context)) return context_refuse_fork(context);
    if (!device && !(device = device_host(context))) return context_no_memory(context);
    cpl_status status = check_device(context, device);
    if (status) return status;
    return array_wrap(device, options, memory, true, array);
}

cpl_status cpl_array_view(cpl_array *array, const cpl_array_options *options, cpl_array **view)
{
    if (view) *view = NULL;
    if (MISSING("array view", array, view)) return CPL_EARG;
    cpl_context *cx = array->storage->cx;
    if (context_forked(cx)) return context_refuse_fork(cx);
    cpl_array_options o;
    cpl_array *a;
    int64_t low, high;
    cpl_status status = read_options(cx, options, &o);
    if (status) return status;
    if (!o.record && o.dtype == CPL_VOID) {
        o.record = array->record;
        o.dtype = array->dtype;
    }
    status = describe(cx, &o, &a, &low, &high);
    if (status) return status;
    size_t first = array->offset + o.offset, size = array->storage->size;
    if (first > size || (uint64_t)-low > first || (size_t)high > size - first)
        status = context_report(
            cx, CPL_EARG,
            "a view of bytes %lld to %lld does not lie in an array's memory of %zu bytes",
            (long long)((int64_t)first + low), (long long)((int64_t)first + high), size);
    else if (first % a->align)
        status = context_report(cx, CPL_EARG,
                                "a view at byte %zu is not aligned to elements of %zu bytes", first,
                                a->align);
    if (status) {
        array_drop(cx, a);
        return status;
    }
    a->offset = first;
    a->storage = array->storage;
    a->parent = array;
    storage_retain(a->storage);
    cpl_array_retain(array);
    *view = a;
    return CPL_OK;
}

void cpl_array_retain(cpl_array *array)
{
    if (array) atomic_fetch_add_explicit(&array->references, 1, memory_order_relaxed);
}

void cpl_array_release(cpl_array *array)
{
    if (array && context_forked(array->storage->cx)) return;
    while (array && atomic_fetch_sub_explicit(&array->references, 1, memory_order_acq_rel) == 1) {
        cpl_array *parent = array->parent;
        cpl_context *cx = array->storage->cx;
        cpl_context_retain(cx);
        storage_release(array->storage);
        array_drop(cx, array);
        cpl_context_release(cx);
        array = parent;
    }
}

/* --- asking --- */

cpl_status cpl_array_info_get(const cpl_array *array, cpl_array_info *info)
{
    if (MISSING("array info", array, info)) return CPL_EARG;
    cpl_array_info all = {.dtype = array->dtype,
                          .record = array->record,
                          .element_size = array->element_size,
                          .dims = array->dims,
                          .offset = array->offset,
                          .length = array->length,
                          .contiguous = array->contiguous,
                          .home = array->storage->home,
                          .parent = array->parent,
                          .capacity = array_capacity(array)};
    memcpy(all.shape, array->shape, sizeof all.shape);
    memcpy(all.strides, array->strides, sizeof all.strides);
    return WRITE_STRUCT(info, &all, cpl_array_info);
}

static const cpl_device *place_of(const cpl_array *array, const cpl_device *device)
{
    return device ? device : device_host(array->storage->cx);
}

bool cpl_array_valid(const cpl_array *array, const cpl_device *device)
{
    const dev_slot *slot = array ? storage_slot(array->storage, place_of(array, device)) : NULL;
    return slot && slot->valid;
}

void *cpl_array_address(const cpl_array *array, const cpl_device *device, size_t *offset)
{
    const dev_slot *slot = array ? storage_slot(array->storage, place_of(array, device)) : NULL;
    if (offset) *offset = 0;
    if (!slot) return NULL;
    if (!slot->block.memory) return (void *)(uintptr_t)(slot->block.address + array->offset);
    if (offset) *offset = array->offset;
    return slot->block.memory;
}

cpl_status cpl_array_stay(cpl_array *array)
{
    if (MISSING("array", array)) return CPL_EARG;
    dev_storage *s = array->storage;
    if (context_forked(s->cx)) return context_refuse_fork(s->cx);
    if (!s->home->ops->shares_memory)
        return context_report(s->cx, CPL_EARG, "the array lives on %s, not in main memory",
                              s->home->info.label);
    return keep_home(s);
}

cpl_status cpl_array_written(cpl_array *array, cpl_device *device, cpl_queue *queue)
{
    if (MISSING("array", array)) return CPL_EARG;
    cpl_status status = array_may_use(array, queue);
    if (status) return status;
    dev_slot *slot = storage_slot(array->storage, place_of(array, device));
    if (!slot)
        return context_report(array->storage->cx, CPL_EARG, "the array has no memory on %s",
                              device ? device->info.label : "the host");
    storage_written(array->storage, slot, queue);
    return CPL_OK;
}

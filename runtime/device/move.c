/* Moving bytes between any two places: the host, a device, two devices of one driver, or of two
 * through the host. */
#include "runtime/device/device.h"
#include "lib/support/plural.h"

#include <stdio.h>

/* bytes that pass through the host at a time, between devices of two drivers */
enum { STAGE = 16 << 20 };

static char *host_address(dev_span s)
{
    return (char *)(uintptr_t)s.block->address + s.at;
}

/* Queue `q` if it is one of d's, else the one that used the block last, else d's default. Where the
 * default one records, that is whom no queue stands for; what the last one records is no business
 * of the caller's. */
static cpl_queue *queue_on(cpl_device *d, cpl_queue *q, cpl_queue *last)
{
    if (q && q->device == d) return q;
    const cpl_queue *home = atomic_load_explicit(&d->queue, memory_order_acquire);
    bool usable = last && last->device == d && !last->recording;
    return usable && !(home && home->recording) ? last : cpl_device_queue(d);
}

/* What a recording queue is given is recorded: it is refused where another queue would do it. */
static cpl_status works_elsewhere(const cpl_queue *given, const cpl_queue *works)
{
    if (!given || given == works || !given->recording) return CPL_OK;
    return context_report(given->device->cx, CPL_EARG,
                          "the queue records a graph of %s, and the copy is one of %s",
                          given->device->info.label, works->device->info.label);
}

/* Behind a copy: what the profile and cpl_profile_copies are told. */
static cpl_status copy_end(cpl_queue *q, dev_watch *w, cpl_status status, cpl_event **event,
                           const dev_done *done)
{
    devices *all = devices_of(q->device->cx);
    if (!status && !q->recording) {
        atomic_fetch_add_explicit(&all->copies[done->what].count, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&all->copies[done->what].bytes, done->bytes,
                                  memory_order_relaxed);
    }
    return watch_end(q, w, status, event, done);
}

cpl_status cpl_profile_copies(cpl_context *context, cpl_profile_what direction, uint64_t *count,
                              uint64_t *bytes)
{
    if (count) *count = 0;
    if (bytes) *bytes = 0;
    if (MISSING("context", context)) return CPL_EARG;
    if (context_forked(context)) return context_refuse_fork(context);
    if (direction < CPL_PROFILE_TO_DEVICE || direction > CPL_PROFILE_ON_DEVICE)
        return thread_report(CPL_EARG, "%d is no direction of copies", (int)direction);
    devices *all = devices_of(context);
    if (!all) return context_no_memory(context);
    if (count) *count = atomic_load(&all->copies[direction].count);
    if (bytes) *bytes = atomic_load(&all->copies[direction].bytes);
    return CPL_OK;
}

/* A queue whose recording is a list gets the copy there. */
static cpl_status list_copy(cpl_queue *q, dev_span to, dev_span from, size_t size,
                            cpl_event **event)
{
    cpl_status status = event ? queue_may_wait(q, "an event") : CPL_OK;
    if (status) return status;
    return recording_copy(q->recording, to.block, to.at, from.block, from.at, size);
}

/* A block of the host is at rest: a copy from or to page-locked memory may still be under way. */
static cpl_status settle_host(dev_block *b)
{
    if (!b->last) return CPL_OK;
    cpl_status status = queue_settle(b->last);
    if (status != CPL_ECANCELLED) queue_remember(&b->last, NULL);
    return status;
}

static cpl_status host_to_device(dev_span to, dev_span from, size_t size, cpl_queue *q,
                                 cpl_event **event)
{
    cpl_device *d = to.block->device;
    if (!(q = queue_on(d, q, to.block->last))) return device_no_queue(d);
    char name[96];
    dev_watch w;
    cpl_status status = queue_ready(q);
    if (!status && from.block->last != q) status = settle_host(from.block);
    if (!status) status = queue_behind(q, to.block->last);
    if (!status && recording_lists(q->recording)) return list_copy(q, to, from, size, event);
    if (!status && d->ops->write_waits) status = queue_await(q);
    if (!status) status = watch_begin(q, event, &w);
    if (status) return status;
    snprintf(name, sizeof name, "copy host to %s", d->info.label);
    if (!d->ops->write_waits) queue_gave(q);
    status = d->ops->write(q, to, host_address(from), size, from.pinned, w.ticks);
    if (!status && !q->recording) {
        queue_remember(&to.block->last, q);
        if (from.pinned) queue_remember(&from.block->last, q);
    }
    return copy_end(q, &w, status, event, &(dev_done){CPL_PROFILE_TO_DEVICE, name, size, NULL});
}

static cpl_status device_to_host(dev_span to, dev_span from, size_t size, cpl_queue *q,
                                 cpl_event **event)
{
    cpl_device *d = from.block->device;
    if (!(q = queue_on(d, q, from.block->last))) return device_no_queue(d);
    char name[96];
    dev_watch w;
    cpl_status status = queue_may_wait(q, "a copy to the host");
    if (!status) status = settle_host(to.block);
    if (!status) status = queue_behind(q, from.block->last);
    if (!status) status = queue_await(q);
    if (!status) status = watch_begin(q, event, &w);
    if (status) return status;
    snprintf(name, sizeof name, "copy %s to host", d->info.label);
    status = d->ops->read(q, from.block, from.at, host_address(to), size, w.ticks);
    queue_remember(&from.block->last, q);
    status = copy_end(q, &w, status, event, &(dev_done){CPL_PROFILE_TO_HOST, name, size, NULL});
    return status ? status : faults_check(q, NULL);
}

static cpl_status device_to_device(dev_span to, dev_span from, size_t size, cpl_queue *q,
                                   cpl_event **event)
{
    cpl_device *d = to.block->device;
    if (!q || (q->device != d && q->device != from.block->device))
        q = queue_on(d, NULL, to.block->last);
    if (!q) return device_no_queue(d);
    char name[128];
    dev_watch w;
    cpl_status status = queue_ready(q);
    if (!status) status = queue_behind(q, from.block->last);
    if (!status) status = queue_behind(q, to.block->last);
    if (!status && recording_lists(q->recording)) return list_copy(q, to, from, size, event);
    if (!status) status = watch_begin(q, event, &w);
    if (status) return status;
    snprintf(name, sizeof name, "copy %s to %s", from.block->device->info.label, d->info.label);
    queue_gave(q);
    status = d->ops->copy(q, to, from, size, w.ticks);
    if (!status && !q->recording) {
        queue_remember(&to.block->last, q);
        queue_remember(&from.block->last, q);
    }
    return copy_end(q, &w, status, event, &(dev_done){CPL_PROFILE_ON_DEVICE, name, size, NULL});
}

/* Between devices that do not know each other, a stage at a time. */
static cpl_status through_host(dev_span to, dev_span from, size_t size, cpl_queue *q,
                               cpl_event **event)
{
    cpl_context *cx = to.block->device->cx;
    cpl_queue *target = queue_on(to.block->device, q, to.block->last);
    if (!target) return device_no_queue(to.block->device);
    if (target->recording || (q && q->recording))
        return context_report(cx, CPL_EARG,
                              "a copy through the host, from %s to %s, cannot be part of a graph",
                              from.block->device->info.label, to.block->device->info.label);
    size_t stage = size < STAGE ? size : STAGE;
    dev_block memory = {.device = device_host(cx), .size = stage};
    void *bytes = mem_realloc(context_mem(cx), NULL, 0, stage);
    if (!bytes) return context_report(cx, CPL_ENOMEM, "out of memory for a copy through the host");
    memory.address = (uintptr_t)bytes;
    cpl_status status = CPL_OK;
    for (size_t done = 0; done < size && !status; done += stage) {
        size_t part = size - done < stage ? size - done : stage;
        bool last = done + part == size;
        status = device_to_host((dev_span){&memory, 0, false},
                                (dev_span){from.block, from.at + done, false}, part, q, NULL);
        if (!status)
            status =
                host_to_device((dev_span){to.block, to.at + done, false},
                               (dev_span){&memory, 0, false}, part, target, last ? event : NULL);
    }
    mem_free(context_mem(cx), bytes, stage);
    return status;
}

static cpl_status host_to_host(dev_span to, dev_span from, size_t size, cpl_queue *q,
                               cpl_event **event)
{
    cpl_device *host = to.block->device;
    if (!q || q->device != host) q = cpl_device_queue(host);
    if (!q) return context_no_memory(host->cx);
    cpl_status status = settle_host(to.block);
    if (!status) status = settle_host(from.block);
    if (status) return status;
    if (recording_lists(q->recording)) return list_copy(q, to, from, size, event);
    dev_watch w;
    status = watch_begin(q, event, &w);
    if (status) return status;
    status = host->ops->copy(q, to, from, size, w.ticks);
    return copy_end(q, &w, status, event,
                    &(dev_done){CPL_PROFILE_ON_DEVICE, "copy host to host", size, NULL});
}

static cpl_status copy_bytes(dev_span to, dev_span from, size_t size, cpl_queue *q,
                             cpl_event **event)
{
    cpl_device *there = to.block->device, *here = from.block->device;
    bool to_host = is_host(there), from_host = is_host(here);
    if (to_host && from_host) return host_to_host(to, from, size, q, event);
    if (to_host) return device_to_host(to, from, size, q, event);
    if (from_host) return host_to_device(to, from, size, q, event);
    if (there == here || (there->ops == here->ops && there->ops->peers))
        return device_to_device(to, from, size, q, event);
    return through_host(to, from, size, q, event);
}

cpl_status blocks_copy(dev_block *to, size_t to_at, dev_block *from, size_t from_at, size_t size,
                       cpl_queue *q)
{
    return copy_bytes((dev_span){to, to_at, false}, (dev_span){from, from_at, false}, size, q,
                      NULL);
}

/* An event for what was done already, and for what a queue that was the last to use the memory may
 * still be doing. */
static cpl_status done_event(cpl_device *d, cpl_queue *q, const dev_block *b, cpl_event **event)
{
    if (!event) return CPL_OK;
    q = queue_on(d, q, b->last);
    cpl_status status = q ? queue_behind(q, b->last) : device_no_queue(d);
    return status ? status : cpl_queue_record(q, event);
}

static size_t bytes_of(const cpl_array *a)
{
    return (size_t)a->length * a->element_size;
}

static bool records(const cpl_queue *q)
{
    return q && q->recording;
}

/* What a recording queue does with a storage outlives the call. */
static cpl_status keep(cpl_queue *q, dev_storage *s, dev_slot *slot, bool written)
{
    return records(q) ? recording_keep(q->recording, s, slot, written) : CPL_OK;
}

/* A copy reads what an array has, or leaves what it has besides: at each launch of a graph that has
 * to be there. */
static cpl_status use(cpl_queue *q, const cpl_array *a, dev_slot *slot, bool written)
{
    bool replaced = written && bytes_of(a) == a->storage->size;
    if (!records(q) || replaced) return keep(q, a->storage, slot, written);
    return recording_use(q->recording, a->storage, slot, written);
}

/* Brings memory of the storage up to date that is not. */
static cpl_status fill_slot(dev_storage *s, dev_slot *slot, cpl_queue *q, cpl_event **event)
{
    cpl_device *to = slot->block.device;
    dev_slot *from = storage_valid(s, s->home);
    cpl_status status = CPL_OK;
    if (from && s->size)
        status = copy_bytes((dev_span){&slot->block, 0, slot->pinned},
                            (dev_span){&from->block, 0, from->pinned}, s->size, q, event);
    else if (records(q) && event) status = queue_may_wait(q, "an event");
    else status = done_event(to, q, &slot->block, event);
    if (!status) status = keep(q, s, slot, true);
    if (!status && from && from != slot) status = keep(q, s, from, false);
    if (!status && !records(q)) slot->valid = true;
    return status;
}

cpl_status storage_move(dev_storage *s, cpl_device *to, cpl_queue *q, cpl_event **event)
{
    dev_slot *slot = storage_slot(s, to);
    if (slot && slot->valid) {
        cpl_status status = to->ops->at_once ? settle_host(&slot->block) : CPL_OK;
        if (records(q)) return event ? queue_may_wait(q, "an event") : status;
        return status ? status : done_event(to, q, &slot->block, event);
    }
    cpl_status status = CPL_OK;
    if (atomic_load_explicit(&s->stays, memory_order_relaxed) && to != s->home)
        return context_report(s->cx, CPL_EARG,
                              "the array stays in main memory (cpl_array_stay, or two arrays wrap "
                              "parts of it) and cannot be moved to %s",
                              to->info.label);
    if (to->ops->at_once) status = records(q) ? queue_may_wait(q, "a copy to the host") : CPL_OK;
    else {
        const cpl_queue *given = q;
        q = queue_on(to, q, slot ? slot->block.last : NULL);
        status = q ? works_elsewhere(given, q) : device_no_queue(to);
    }
    if (!status) status = storage_reserve(s, to, q, &slot);
    return status ? status : fill_slot(s, slot, q, event);
}

cpl_status array_may_use(const cpl_array *array, const cpl_queue *queue)
{
    cpl_context *cx = array->storage->cx;
    if (context_forked(cx)) return context_refuse_fork(cx);
    if (!queue || queue->device->cx == cx) return CPL_OK;
    return context_report(cx, CPL_EARG, "the queue belongs to another context than the array");
}

cpl_status cpl_array_push(cpl_array *array, cpl_queue *queue, cpl_event **event)
{
    if (event) *event = NULL;
    if (MISSING("array", array)) return CPL_EARG;
    cpl_status status = array_may_use(array, queue);
    if (status) return status;
    cpl_device *to = queue ? queue->device : array->storage->home;
    return storage_move(array->storage, to, queue, event);
}

cpl_status cpl_array_pull(cpl_array *array, cpl_queue *queue)
{
    if (MISSING("array", array)) return CPL_EARG;
    cpl_status status = array_may_use(array, queue);
    if (status) return status;
    cpl_device *host = device_host(array->storage->cx);
    return host ? storage_move(array->storage, host, queue, NULL)
                : context_no_memory(array->storage->cx);
}

cpl_status cpl_queue_wait_array(cpl_queue *queue, const cpl_array *array)
{
    if (MISSING("queue array", queue, array)) return CPL_EARG;
    const dev_storage *s = array->storage;
    cpl_status status = array_may_use(array, queue);
    if (!status) status = queue_may_wait(queue, "cpl_queue_wait_array");
    if (status) return status;
    const dev_slot *slot = storage_slot(s, queue->device);
    if (!slot) slot = storage_valid(s, s->home);
    return queue_behind(queue, slot->block.last);
}

/* --- elements --- */

/* Bytes from the first element to the k-th in order. */
static int64_t place_of_element(const cpl_array *a, int64_t k)
{
    int64_t at = 0;
    for (int i = a->dims; i-- > 0;) {
        at += k % a->shape[i] * a->strides[i];
        k /= a->shape[i];
    }
    return at;
}

static char *host_elements(const cpl_array *a)
{
    const dev_slot *slot = storage_slot(a->storage, device_host(a->storage->cx));
    return (char *)(uintptr_t)slot->block.address + a->offset;
}

/* They are copied by the host, which waits for the queue that the call is about. */
static cpl_status may_stride(cpl_device *d, cpl_queue *given)
{
    cpl_queue *q = given ? given : cpl_device_queue(d);
    return q ? queue_may_wait(q, "a copy of elements that are not side by side")
             : device_no_queue(d);
}

/* Elements that are not dense are handled on the host; afterwards the array is valid where it
 * was. */
static cpl_status write_strided(cpl_array *a, cpl_queue *q, const char *from, cpl_device *place)
{
    cpl_device *host = device_host(a->storage->cx);
    cpl_status status = storage_move(a->storage, host, q, NULL);
    if (status) return status;
    char *to = host_elements(a);
    for (int64_t k = 0; k < a->length; k++)
        memcpy(to + place_of_element(a, k), from + (size_t)k * a->element_size, a->element_size);
    storage_written(a->storage, storage_slot(a->storage, host), NULL);
    return storage_move(a->storage, place, q, NULL);
}

static cpl_status read_strided(cpl_array *a, cpl_queue *q, char *to)
{
    cpl_status status = storage_move(a->storage, device_host(a->storage->cx), q, NULL);
    if (status) return status;
    const char *from = host_elements(a);
    for (int64_t k = 0; k < a->length; k++)
        memcpy(to + (size_t)k * a->element_size, from + place_of_element(a, k), a->element_size);
    return CPL_OK;
}

cpl_status cpl_array_write(cpl_array *array, cpl_queue *queue, const void *from, cpl_event **event)
{
    if (event) *event = NULL;
    if (MISSING("array", array) || MISSING("from", UNLESS_NONE(from, array->length)))
        return CPL_EARG;
    dev_storage *s = array->storage;
    cpl_status status = array_may_use(array, queue);
    if (status) return status;
    dev_slot *slot = storage_valid(s, queue ? queue->device : s->home);
    cpl_device *d = slot->block.device;
    if (array->length == 0) return done_event(d, queue, &slot->block, event);
    if (!array->contiguous) {
        status = may_stride(d, queue);
        if (!status) status = write_strided(array, queue, from, d);
        return status ? status : done_event(d, queue, &slot->block, event);
    }
    cpl_queue *q = queue_on(d, queue, slot->block.last);
    if (!q) return device_no_queue(d);
    status = works_elsewhere(queue, q);
    if (status) return status;
    dev_block given = {.device = device_host(s->cx),
                       .address = (uintptr_t)from,
                       .size = bytes_of(array)};
    status = copy_bytes((dev_span){&slot->block, array->offset, slot->pinned},
                        (dev_span){&given, 0, false}, bytes_of(array), q, event);
    if (!status) status = use(q, array, slot, true);
    if (!status && !records(q)) storage_written(s, slot, q);
    return status;
}

cpl_status cpl_array_read(cpl_array *array, cpl_queue *queue, void *to, cpl_event **event)
{
    if (event) *event = NULL;
    if (MISSING("array", array) || MISSING("to", UNLESS_NONE(to, array->length))) return CPL_EARG;
    dev_storage *s = array->storage;
    cpl_status status = array_may_use(array, queue);
    if (status) return status;
    dev_slot *slot = storage_valid(s, queue ? queue->device : s->home);
    cpl_device *d = slot->block.device;
    if (array->length == 0) return done_event(d, queue, &slot->block, event);
    if (!array->contiguous) {
        status = may_stride(d, queue);
        if (!status) status = read_strided(array, queue, to);
        return status ? status : done_event(d, queue, &slot->block, event);
    }
    cpl_queue *q = queue_on(d, queue, slot->block.last);
    if (!q) return device_no_queue(d);
    status = works_elsewhere(queue, q);
    if (!status) status = queue_may_wait(q, "a copy to the host");
    if (status) return status;
    dev_block target = {.device = device_host(s->cx),
                        .address = (uintptr_t)to,
                        .size = bytes_of(array)};
    return copy_bytes((dev_span){&target, 0, false},
                      (dev_span){&slot->block, array->offset, slot->pinned}, bytes_of(array), q,
                      event);
}

static cpl_status copy_strided(cpl_array *to, cpl_array *from, cpl_queue *q, cpl_device *place)
{
    cpl_context *cx = to->storage->cx;
    cpl_device *host = device_host(cx);
    cpl_status status = storage_move(to->storage, host, q, NULL);
    if (!status) status = storage_move(from->storage, host, q, NULL);
    if (status) return status;
    char *a = host_elements(to);
    const char *b = host_elements(from);
    for (int64_t k = 0; k < to->length; k++)
        memmove(a + place_of_element(to, k), b + place_of_element(from, k), to->element_size);
    storage_written(to->storage, storage_slot(to->storage, host), NULL);
    return storage_move(to->storage, place, q, NULL);
}

/* Where its elements lie in the memory of its storage. */
static cpl_arg in_storage(const cpl_array *a)
{
    cpl_arg arg =
        cpl_arg_array_nd(a->dtype, (void *)(uintptr_t)a->offset, a->dims, a->shape, a->strides);
    arg.record = a->record;
    return arg;
}

static bool are_apart(const cpl_array *a, const cpl_array *b)
{
    const cpl_arg x = in_storage(a), y = in_storage(b);
    return a->storage != b->storage || arg_interleaves(&x, &y);
}

cpl_status array_check_copy(const cpl_array *to, const cpl_array *from, const cpl_queue *queue)
{
    cpl_context *cx = to->storage->cx;
    cpl_status status = array_may_use(to, queue);
    if (status) return status;
    if (from->storage->cx != cx)
        return context_report(cx, CPL_EARG, "the arrays belong to two contexts");
    if (to->length != from->length)
        return context_report(cx, CPL_EARG, "the arrays have %lld and %lld element%s",
                              (long long)to->length, (long long)from->length, plural(from->length));
    if (to->record != from->record)
        return context_report(cx, CPL_EARG,
                              "the arrays have elements of different types, one of them a struct");
    return are_apart(to, from) || !to->length
               ? CPL_OK
               : context_report(cx, CPL_EOVERLAP, "the arrays to copy overlap");
}

/* The one given if it is of one of the places, else one of the device that the copy is about. */
static cpl_queue *copying_queue(cpl_queue *given, const dev_slot *to, const dev_slot *from)
{
    cpl_device *there = to->block.device, *here = from->block.device;
    const dev_slot *about = there->ops->at_once ? from : to;
    if (given && !given->device->ops->at_once && (given->device == there || given->device == here))
        return given;
    return queue_on(about->block.device, given, about->block.last);
}

cpl_status array_copy(cpl_array *to, cpl_array *from, cpl_queue *queue, cpl_event **event)
{
    cpl_status status = array_check_copy(to, from, queue);
    if (status) return status;
    dev_slot *target = storage_valid(to->storage, queue ? queue->device : to->storage->home);
    dev_slot *origin = storage_valid(from->storage, target->block.device);
    cpl_device *d = target->block.device;
    if (to->length == 0) return done_event(d, queue, &target->block, event);
    if (!to->contiguous || !from->contiguous) {
        status = may_stride(d, queue);
        if (!status) status = copy_strided(to, from, queue, d);
        return status ? status : done_event(d, queue, &target->block, event);
    }
    cpl_queue *q = copying_queue(queue, target, origin);
    if (!q) return device_no_queue(d);
    status = works_elsewhere(queue, q);
    if (status) return status;
    status = copy_bytes((dev_span){&target->block, to->offset, target->pinned},
                        (dev_span){&origin->block, from->offset, origin->pinned}, bytes_of(to), q,
                        event);
    if (!status) status = use(q, from, origin, false);
    if (!status) status = use(q, to, target, true);
    if (!status && !records(q)) storage_written(to->storage, target, target->block.last);
    return status;
}

/* libOpenCL.so.1: command queues, commands and events. All queues run in order. */
#include "opencl.h"

#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)

static object *find_queue(void *queue)
{
    object *o = object_check(queue, STANDIN_STREAM);
    return o && !o->cuda ? o : NULL;
}

static int bad_queue(const char *name)
{
    return driver_misuse(CL_INVALID_COMMAND_QUEUE, "%s: a dead queue", name);
}

/* --- queues --- */

static void *make_queue(void *context, void *device, uint64_t properties, int *error,
                        const char *name)
{
    if (!object_check(context, STANDIN_CONTEXT))
        return failed_new(error, driver_misuse(CL_INVALID_CONTEXT, "%s: a dead context", name));
    if (device_number(device) < 0) return failed_new(error, CL_INVALID_DEVICE);
    object *o = object_new(STANDIN_STREAM, false);
    o->device = device_number(device);
    o->flags = properties;
    o->context = context;
    return leave_new(error, o);
}

void *clCreateCommandQueue(void *context, void *device, uint64_t properties, int *error)
{
    ENTER_NEW;
    return make_queue(context, device, properties, error, __func__);
}

void *clCreateCommandQueueWithProperties(void *context, void *device, const uint64_t *properties,
                                         int *error)
{
    ENTER_NEW;
    uint64_t flags = 0;
    for (; properties && properties[0]; properties += 2)
        if (properties[0] == 0x1093) flags = properties[1];
    return make_queue(context, device, flags, error, __func__);
}

int clGetCommandQueueInfo(void *queue, unsigned what, size_t room, void *value, size_t *needs)
{
    ENTER;
    const object *o = find_queue(queue);
    if (!o) return driver_leave(bad_queue(__func__));
    if (what == 0x1090)
        return driver_leave(info(room, value, needs, &o->context, sizeof o->context));
    if (what == 0x1091)
        return driver_leave(
            info(room, value, needs, &(void *){device_handle(o->device)}, sizeof(void *)));
    if (what == 0x1093) return driver_leave(info(room, value, needs, &o->flags, sizeof o->flags));
    return driver_leave(CL_INVALID_VALUE);
}

int clFlush(void *queue)
{
    ENTER;
    object *q = find_queue(queue);
    if (!q) return driver_leave(bad_queue(__func__));
    stream_flush(q);
    return driver_leave(CL_SUCCESS);
}

/* It waits even where it is told to fail, as the work goes on whatever the host hears. */
int clFinish(void *queue)
{
    int e = driver_enter(__func__);
    object *q = find_queue(queue);
    if (!q) return driver_leave(bad_queue(__func__));
    stream_drain(q);
    return driver_leave(e);
}

/* --- commands --- */

static int check_waits(unsigned count, void *const *waits, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (!object_check(waits[i], STANDIN_EVENT))
            return driver_misuse(CL_INVALID_EVENT, "%s: waits for a dead event", name);
    return CL_SUCCESS;
}

/* What a command waits for, and the event it gives; NULL: nobody wants it. */
typedef struct around {
    unsigned count;
    void *const *waits;
    void **event;
} around;

/* The command w (NULL: a mark) goes to the queue. */
static int give(object *q, const work *w, around a, const char *name)
{
    int code = check_waits(a.count, a.waits, name);
    if (code) return code;
    for (unsigned i = 0; i < a.count; i++)
        stream_give(q, &(work){.what = WORK_WAIT, .event = a.waits[i], .serial = 1});
    object *o = a.event ? object_new(STANDIN_EVENT, false) : NULL;
    if (o) stream_give(q, &(work){.what = WORK_BEGIN, .event = o});
    if (w) stream_give(q, w);
    if (!o) return CL_SUCCESS;
    o->recorded = q->flags & 2; /* CL_QUEUE_PROFILING_ENABLE */
    o->serial = 1;
    stream_give(q, &(work){.what = WORK_RECORD, .event = o, .serial = 1});
    *a.event = o;
    return CL_SUCCESS;
}

/* A piece of a buffer, or NULL. */
static unsigned char *piece(void *buffer, size_t at, size_t size)
{
    const object *o = object_check(buffer, STANDIN_MEMORY);
    return o && at <= o->size && size <= o->size - at ? o->data + at : NULL;
}

static int transfer(void *queue, void *to, const void *from, size_t size, bool blocking, around a,
                    const char *name)
{
    object *q = find_queue(queue);
    if (!q) return bad_queue(name);
    if (!to || !from || !size)
        return driver_misuse(CL_INVALID_MEM_OBJECT, "%s: a dead buffer, out of bounds, or no bytes",
                             name);
    work w = {.what = WORK_COPY, .to = to, .from = from, .size = size};
    int code = give(q, &w, a, name);
    if (!code && blocking) stream_drain(q);
    return code;
}

int clEnqueueReadBuffer(void *queue, void *buffer, unsigned blocking, size_t at, size_t size,
                        void *to, unsigned count, void *const *waits, void **event)
{
    ENTER;
    return driver_leave(transfer(queue, to, piece(buffer, at, size), size, blocking,
                                 (around){count, waits, event}, __func__));
}

int clEnqueueWriteBuffer(void *queue, void *buffer, unsigned blocking, size_t at, size_t size,
                         const void *from, unsigned count, void *const *waits, void **event)
{
    ENTER;
    return driver_leave(transfer(queue, piece(buffer, at, size), from, size, blocking,
                                 (around){count, waits, event}, __func__));
}

int clEnqueueCopyBuffer(void *queue, void *from, void *to, size_t from_at, size_t to_at,
                        size_t size, unsigned count, void *const *waits, void **event)
{
    ENTER;
    return driver_leave(transfer(queue, piece(to, to_at, size), piece(from, from_at, size), size,
                                 false, (around){count, waits, event}, __func__));
}

int clEnqueueSVMMemcpy(void *queue, unsigned blocking, void *to, const void *from, size_t size,
                       unsigned count, void *const *waits, void **event)
{
    ENTER;
    if (!memory_find(to, size) && !memory_find(from, size))
        return driver_leave(
            driver_misuse(CL_INVALID_VALUE, "%s: neither end is the device's", __func__));
    return driver_leave(
        transfer(queue, to, from, size, blocking, (around){count, waits, event}, __func__));
}

enum { MOST_SMALL = 4096 }; /* bytes to fill by a pattern that is no word */

static int fill(void *queue, unsigned char *to, const work *pattern, around a, const char *name)
{
    object *q = find_queue(queue);
    if (!q) return bad_queue(name);
    if (!to || !pattern->pattern_size || pattern->size % pattern->pattern_size ||
        (uintptr_t)to % pattern->pattern_size)
        return driver_misuse(CL_INVALID_VALUE, "%s: out of bounds, or a broken pattern", name);
    if (pattern->pattern_size < 4 && pattern->size > MOST_SMALL) /* NVIDIA's is slow, or hangs */
        return driver_misuse(CL_INVALID_VALUE, "%s: %zu bytes one by one", name, pattern->size);
    work w = *pattern;
    w.to = to;
    return give(q, &w, a, name);
}

static work pattern_of(const void *pattern, size_t pattern_size, size_t size)
{
    work w = {.what = WORK_FILL, .size = size};
    if (pattern_size > MOST_PATTERN) return w;
    w.pattern_size = pattern_size;
    memcpy(w.pattern, pattern, pattern_size);
    return w;
}

int clEnqueueFillBuffer(void *queue, void *buffer, const void *pattern, size_t pattern_size,
                        size_t at, size_t size, unsigned count, void *const *waits, void **event)
{
    ENTER;
    work w = pattern_of(pattern, pattern_size, size);
    return driver_leave(
        fill(queue, piece(buffer, at, size), &w, (around){count, waits, event}, __func__));
}

int clEnqueueSVMMemFill(void *queue, void *to, const void *pattern, size_t pattern_size,
                        size_t size, unsigned count, void *const *waits, void **event)
{
    ENTER;
    work w = pattern_of(pattern, pattern_size, size);
    return driver_leave(fill(queue, memory_find(to, size) ? to : NULL, &w,
                             (around){count, waits, event}, __func__));
}

/* Buffers among the arguments become addresses. */
static int resolve_args(params *p, const char *name)
{
    for (size_t i = 0; i < p->count; i++) {
        if (!p->set[i])
            return driver_misuse(CL_INVALID_KERNEL_ARGS, "%s: argument %zu is not set", name, i);
        void *handle;
        if (p->is_local[i] || p->size[i] != sizeof handle) continue;
        memcpy(&handle, p->value[i], sizeof handle);
        const object *buffer = object_check(handle, STANDIN_MEMORY);
        if (buffer) memcpy(p->value[i], &buffer->data, sizeof buffer->data);
    }
    return CL_SUCCESS;
}

int clEnqueueNDRangeKernel(void *queue, void *kernel, unsigned dims, const size_t *offset,
                           const size_t *global, const size_t *local, unsigned count,
                           void *const *waits, void **event)
{
    ENTER;
    object *q = find_queue(queue), *k = object_check(kernel, STANDIN_KERNEL);
    if (!q) return driver_leave(bad_queue(__func__));
    if (!k) return driver_leave(driver_misuse(CL_INVALID_KERNEL, "%s: a dead kernel", __func__));
    if (dims < 1 || dims > 3 || offset)
        return driver_leave(
            driver_misuse(CL_INVALID_WORK_DIMENSION, "%s: %u dimensions", __func__, dims));
    size_t whole[3] = {1, 1, 1}, group[3] = {1, 1, 1}, items = 1;
    for (unsigned d = 0; d < dims; d++) {
        whole[d] = global[d];
        group[d] = local ? local[d] : 1;
        items *= group[d];
        if (!whole[d] || !group[d] || whole[d] % group[d])
            return driver_leave(driver_misuse(CL_INVALID_WORK_GROUP_SIZE,
                                              "%s: %zu by groups of %zu", __func__, whole[d],
                                              group[d]));
    }
    if (items > driver_most_group(k))
        return driver_leave(
            driver_misuse(CL_INVALID_WORK_GROUP_SIZE, "%s: a group of %zu", __func__, items));
    params *args = malloc(sizeof *args);
    if (!args) abort();
    *args = *k->args;
    int code = resolve_args(args, __func__);
    work w = {.what = WORK_LAUNCH, .kernel = k, .args = args};
    memcpy(w.global, whole, sizeof whole);
    memcpy(w.local, group, sizeof group);
    if (!code) code = give(q, &w, (around){count, waits, event}, __func__);
    free(args);
    return driver_leave(code);
}

static int mark(void *queue, unsigned count, void *const *waits, void **event, const char *name)
{
    object *q = find_queue(queue);
    return q ? give(q, NULL, (around){count, waits, event}, name) : bad_queue(name);
}

int clEnqueueMarkerWithWaitList(void *queue, unsigned count, void *const *waits, void **event)
{
    ENTER;
    return driver_leave(mark(queue, count, waits, event, __func__));
}

int clEnqueueBarrierWithWaitList(void *queue, unsigned count, void *const *waits, void **event)
{
    ENTER;
    return driver_leave(mark(queue, count, waits, event, __func__));
}

/* --- events --- */

/* Flushes the queues that it waits for, and waits even where it is told to fail. */
int clWaitForEvents(unsigned count, void *const *events)
{
    int e = driver_enter(__func__);
    int code = count ? check_waits(count, events, __func__) : CL_INVALID_VALUE;
    for (unsigned i = 0; i < count && !code; i++) event_drain(events[i], 1);
    return driver_leave(e ? e : code);
}

int clGetEventInfo(void *event, unsigned what, size_t room, void *value, size_t *needs)
{
    enum { COMPLETE = 0, SUBMITTED = 2 };
    ENTER;
    const object *o = object_check(event, STANDIN_EVENT);
    if (!o) return driver_leave(driver_misuse(CL_INVALID_EVENT, "%s: a dead event", __func__));
    if (what != 0x11D3) return driver_leave(CL_INVALID_VALUE);
    int state = event_poll(o) ? COMPLETE : SUBMITTED;
    return driver_leave(info(room, value, needs, &state, sizeof state));
}

int clGetEventProfilingInfo(void *event, unsigned what, size_t room, void *value, size_t *needs)
{
    ENTER;
    const object *o = object_check(event, STANDIN_EVENT);
    if (!o) return driver_leave(driver_misuse(CL_INVALID_EVENT, "%s: a dead event", __func__));
    if (!o->recorded || event_waits(o, 1)) return driver_leave(CL_PROFILING_INFO_NOT_AVAILABLE);
    return driver_leave(
        info(room, value, needs, what == 0x1283 ? &o->end : &o->begin, sizeof o->end));
}

#pragma GCC visibility pop

/* libcuda.so.1: streams, events, copies, launches and graphs. A stream collects its work while it
 * is captured. */
#include "cuda.h"

#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)

/* The stream behind a handle: NULL for the default ones (0, 1 and 2). False for a dead one. */
static bool find_stream(void *handle, object **stream)
{
    *stream = NULL;
    if ((uintptr_t)handle <= 2) return true;
    return (*stream = object_check(handle, STANDIN_STREAM)) != NULL;
}

static int bad_stream(const char *name)
{
    return driver_misuse(400, "%s: a dead stream", name);
}

static void do_or_capture(object *stream, work *w)
{
    if (!stream || !stream->capturing) {
        stream_give(stream, w);
        return;
    }
    work **end = &stream->works;
    while (*end) end = &(*end)->next;
    *end = work_copy(w);
}

/* --- streams --- */

static int make_stream(void **stream)
{
    object *context;
    int code = cu_context(&context);
    if (code) return code;
    object *o = object_new(STANDIN_STREAM, true);
    o->device = context->device;
    *stream = o;
    return 0;
}

int cuStreamCreate(void **stream, unsigned flags)
{
    ENTER;
    (void)flags;
    return driver_leave(make_stream(stream));
}

int cuStreamCreateWithPriority(void **stream, unsigned flags, int priority)
{
    ENTER;
    (void)flags, (void)priority;
    return driver_leave(make_stream(stream));
}

int cuStreamDestroy_v2(void *stream)
{
    int e = driver_enter(__func__);
    object *o = object_check(stream, STANDIN_STREAM);
    if (!o) return driver_leave(bad_stream(__func__));
    object_drop(o);
    return driver_leave(e);
}

/* A capture that is asked how far it is comes to nothing. */
static int find_idle(void *stream, object **found, const char *name)
{
    int code = cu_context(NULL);
    if (!find_stream(stream, found)) return bad_stream(name);
    if (!code && *found && (*found)->capturing)
        return driver_misuse(900, "%s: a stream that is captured", name);
    return code;
}

/* It waits even where it is told to fail, as the work goes on whatever the host hears. */
int cuStreamSynchronize(void *stream)
{
    int e = driver_enter(__func__);
    object *o;
    int code = find_idle(stream, &o, __func__);
    if (!code && o) stream_drain(o);
    return driver_leave(e ? e : code);
}

int cuStreamQuery(void *stream)
{
    ENTER;
    object *o;
    int code = find_idle(stream, &o, __func__);
    return driver_leave(code ? code : o && !stream_poll(o) ? 600 : 0);
}

int cuStreamGetCtx(void *stream, void **context)
{
    ENTER;
    object *o;
    if (!find_stream(stream, &o)) return driver_leave(bad_stream(__func__));
    object *current;
    int code = cu_context(&current);
    *context = current;
    for (object *c = object_first(); o && c; c = c->next)
        if (c->kind == STANDIN_CONTEXT && c->cuda && c->refs > 0 && c->device == o->device)
            *context = c;
    return driver_leave(code);
}

/* An event that is no part of a capture cannot hold it up, and the other way round. */
static int wait_event(object *stream, object *event, const char *name)
{
    if (!event) return driver_misuse(400, "%s: a dead event", name);
    bool capturing = stream && stream->capturing;
    if (capturing != event->captured)
        return driver_misuse(905, "%s: %s", name,
                             capturing ? "a capture would wait for what is no part of it"
                                       : "a stream would become part of another one's capture");
    if (!capturing)
        stream_give(stream, &(work){.what = WORK_WAIT, .event = event, .serial = event->serial});
    return 0;
}

int cuStreamWaitEvent(void *stream, void *event, unsigned flags)
{
    ENTER;
    (void)flags;
    object *o;
    if (!find_stream(stream, &o)) return driver_leave(bad_stream(__func__));
    return driver_leave(wait_event(o, object_check(event, STANDIN_EVENT), __func__));
}

int cuLaunchHostFunc(void *stream, void (*fn)(void *), void *user)
{
    ENTER;
    object *o;
    if (!find_stream(stream, &o)) return driver_leave(bad_stream(__func__));
    if (o) stream_drain(o);
    driver_leave(0);
    fn(user); /* without the lock: it may call the driver's neighbours */
    return 0;
}

/* --- events --- */

int cuEventCreate(void **event, unsigned flags)
{
    ENTER;
    int code = cu_context(NULL);
    if (code) return driver_leave(code);
    object *o = object_new(STANDIN_EVENT, true);
    o->flags = flags;
    *event = o;
    return driver_leave(0);
}

int cuEventDestroy_v2(void *event)
{
    int e = driver_enter(__func__);
    object *o = object_check(event, STANDIN_EVENT);
    if (!o) return driver_leave(driver_misuse(400, "%s: a dead event", __func__));
    object_drop(o);
    return driver_leave(e);
}

int cuEventRecord(void *event, void *stream)
{
    ENTER;
    object *o, *s;
    if (!find_stream(stream, &s)) return driver_leave(bad_stream(__func__));
    if (!(o = object_check(event, STANDIN_EVENT)))
        return driver_leave(driver_misuse(400, "%s: a dead event", __func__));
    o->captured = s && s->capturing;
    if (o->captured) return driver_leave(0);
    o->recorded = true;
    stream_give(s, &(work){.what = WORK_RECORD, .event = o, .serial = ++o->serial});
    return driver_leave(0);
}

static int find_event(void *event, object **found, const char *name)
{
    *found = object_check(event, STANDIN_EVENT);
    if (!*found) return driver_misuse(400, "%s: a dead event", name);
    return (*found)->captured ? driver_misuse(907, "%s: an event of a capture", name) : 0;
}

int cuEventQuery(void *event)
{
    ENTER;
    object *o;
    int code = find_event(event, &o, __func__);
    return driver_leave(code ? code : event_poll(o) ? 0 : 600);
}

int cuEventSynchronize(void *event)
{
    int e = driver_enter(__func__);
    object *o;
    int code = find_event(event, &o, __func__);
    if (!code) event_drain(o, o->serial);
    return driver_leave(e ? e : code);
}

static int elapsed(float *ms, void *start, void *end, const char *name)
{
    const object *a = object_check(start, STANDIN_EVENT), *b = object_check(end, STANDIN_EVENT);
    if (!a || !b) return driver_misuse(400, "%s: a dead event", name);
    if (!a->recorded || !b->recorded || (a->flags | b->flags) & 2)
        return driver_misuse(400, "%s: events without a time", name);
    if (event_waits(a, a->serial) || event_waits(b, b->serial)) return 600;
    *ms = (float)((double)(int64_t)(b->end - a->end) / 1e6);
    return 0;
}

int cuEventElapsedTime(float *ms, void *start, void *end)
{
    ENTER;
    return driver_leave(elapsed(ms, start, end, __func__));
}

int cuEventElapsedTime_v2(float *ms, void *start, void *end)
{
    ENTER;
    return driver_leave(elapsed(ms, start, end, __func__));
}

/* --- copies --- */

/* Device memory must be there; host memory is anybody's. */
static int copy(const char *name, uint64_t to, bool to_device, uint64_t from, bool from_device,
                size_t size, void *stream)
{
    object *s;
    int code = cu_context(NULL);
    if (code || !size) return code;
    if (!find_stream(stream, &s)) return bad_stream(name);
    void *t = (void *)(uintptr_t)to, *f = (void *)(uintptr_t)from;
    if ((to_device && !memory_find(t, size)) || (from_device && !memory_find(f, size)))
        return driver_misuse(1, "%s: %zu bytes that are not the device's", name, size);
    work w = {.what = WORK_COPY, .to = t, .from = f, .size = size};
    do_or_capture(s, &w);
    return 0;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t size)
{
    ENTER;
    return driver_leave(copy(__func__, to, true, (uint64_t)(uintptr_t)from, false, size, NULL));
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t size, void *stream)
{
    ENTER;
    return driver_leave(copy(__func__, to, true, (uint64_t)(uintptr_t)from, false, size, stream));
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t size)
{
    ENTER;
    return driver_leave(copy(__func__, (uint64_t)(uintptr_t)to, false, from, true, size, NULL));
}

int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t size, void *stream)
{
    ENTER;
    return driver_leave(copy(__func__, (uint64_t)(uintptr_t)to, false, from, true, size, stream));
}

int cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t size)
{
    ENTER;
    return driver_leave(copy(__func__, to, true, from, true, size, NULL));
}

int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t size, void *stream)
{
    ENTER;
    return driver_leave(copy(__func__, to, true, from, true, size, stream));
}

int cuMemcpyPeerAsync(uint64_t to, void *to_context, uint64_t from, void *from_context, size_t size,
                      void *stream)
{
    ENTER;
    if (!object_check(to_context, STANDIN_CONTEXT) || !object_check(from_context, STANDIN_CONTEXT))
        return driver_leave(driver_misuse(201, "%s: a dead context", __func__));
    return driver_leave(copy(__func__, to, true, from, true, size, stream));
}

int cuMemcpyPeer(uint64_t to, void *to_context, uint64_t from, void *from_context, size_t size)
{
    ENTER;
    if (!object_check(to_context, STANDIN_CONTEXT) || !object_check(from_context, STANDIN_CONTEXT))
        return driver_leave(driver_misuse(201, "%s: a dead context", __func__));
    return driver_leave(copy(__func__, to, true, from, true, size, NULL));
}

int cuMemcpyAsync(uint64_t to, uint64_t from, size_t size, void *stream)
{
    ENTER;
    return driver_leave(copy(__func__, to, false, from, false, size, stream));
}

/* pattern is stored as it is in memory: the first bytes of a little-endian number. */
static int fill(const char *name, uint64_t to, uint32_t pattern, size_t pattern_size, size_t count,
                void *stream)
{
    object *s;
    int code = cu_context(NULL);
    if (code || !count) return code;
    if (!find_stream(stream, &s)) return bad_stream(name);
    void *t = (void *)(uintptr_t)to;
    if (!memory_find(t, count * pattern_size))
        return driver_misuse(1, "%s: bytes that are not the device's", name);
    work w = {.what = WORK_FILL,
              .to = t,
              .size = count * pattern_size,
              .pattern_size = pattern_size};
    memcpy(w.pattern, &pattern, sizeof pattern);
    do_or_capture(s, &w);
    return 0;
}

int cuMemsetD8_v2(uint64_t to, unsigned char value, size_t count)
{
    ENTER;
    return driver_leave(fill(__func__, to, value, 1, count, NULL));
}

int cuMemsetD8Async(uint64_t to, unsigned char value, size_t count, void *stream)
{
    ENTER;
    return driver_leave(fill(__func__, to, value, 1, count, stream));
}

int cuMemsetD16Async(uint64_t to, unsigned short value, size_t count, void *stream)
{
    ENTER;
    return driver_leave(fill(__func__, to, value, 2, count, stream));
}

int cuMemsetD32_v2(uint64_t to, unsigned value, size_t count)
{
    ENTER;
    return driver_leave(fill(__func__, to, value, 4, count, NULL));
}

int cuMemsetD32Async(uint64_t to, unsigned value, size_t count, void *stream)
{
    ENTER;
    return driver_leave(fill(__func__, to, value, 4, count, stream));
}

/* --- launches --- */

/* Reads each argument in the size that the kernel declares it with, as the driver does. */
static params *copy_args(const object *kernel, void *const *args)
{
    params *p = malloc(sizeof *p);
    if (!p) abort();
    memcpy(p, kernel->args, sizeof *p);
    for (size_t i = 0; i < p->count; i++) memcpy(p->value[i], args[i], p->size[i]);
    return p;
}

static int launch_kernel(const char *name, object *kernel, const unsigned grid[3],
                         const unsigned block[3], void *stream, void *const *args)
{
    object *s;
    int code = cu_context(NULL);
    if (code) return code;
    if (!find_stream(stream, &s)) return bad_stream(name);
    if (!object_check(kernel, STANDIN_KERNEL))
        return driver_misuse(400, "%s: a dead function", name);
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    if (!threads || threads > driver_most_group(kernel) || block[2] > 64 || !grid[0] || !grid[1] ||
        !grid[2] || grid[1] > 65535 || grid[2] > 65535)
        return driver_misuse(1, "%s: a grid of %ux%ux%u with blocks of %ux%ux%u", name, grid[0],
                             grid[1], grid[2], block[0], block[1], block[2]);
    work w = {.what = WORK_LAUNCH, .kernel = kernel, .args = copy_args(kernel, args)};
    for (int d = 0; d < 3; d++) {
        w.local[d] = block[d];
        w.global[d] = (size_t)grid[d] * block[d];
    }
    do_or_capture(s, &w);
    free(w.args);
    return 0;
}

int cuLaunchKernel(void *kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **args, void **extra)
{
    ENTER;
    (void)shared;
    if (extra) return driver_leave(1);
    return driver_leave(launch_kernel(__func__, kernel, (unsigned[]){gx, gy, gz},
                                      (unsigned[]){bx, by, bz}, stream, args));
}

typedef struct launch_config { /* CUlaunchConfig */
    unsigned grid[3], block[3], shared;
    void *stream, *attributes;
    unsigned attribute_count;
} launch_config;

int cuLaunchKernelEx(const launch_config *c, void *kernel, void **args, void **extra)
{
    ENTER;
    if (extra) return driver_leave(1);
    return driver_leave(launch_kernel(__func__, kernel, c->grid, c->block, c->stream, args));
}

/* --- graphs --- */

int cuStreamBeginCapture_v2(void *stream, int mode)
{
    ENTER;
    (void)mode;
    object *o = object_check(stream, STANDIN_STREAM);
    if (!o || o->capturing)
        return driver_leave(
            driver_misuse(1, "%s: a dead stream, or one that is captured", __func__));
    o->capturing = true;
    return driver_leave(0);
}

/* The capture is over either way. */
int cuStreamEndCapture(void *stream, void **graph)
{
    int e = driver_enter(__func__);
    object *o = object_check(stream, STANDIN_STREAM);
    *graph = NULL;
    if (!o || !o->capturing)
        return driver_leave(
            driver_misuse(1, "%s: a dead stream, or one that is not captured", __func__));
    o->capturing = false;
    work *works = o->works;
    o->works = NULL;
    if (e) {
        works_free(works);
        return driver_leave(e);
    }
    object *g = object_new(STANDIN_GRAPH, true);
    g->works = works;
    *graph = g;
    return driver_leave(0);
}

int cuStreamIsCapturing(void *stream, int *status)
{
    ENTER;
    object *o;
    if (!find_stream(stream, &o)) return driver_leave(bad_stream(__func__));
    *status = o && o->capturing;
    return driver_leave(0);
}

static int instantiate(void **exec, void *graph, const char *name)
{
    const object *g = object_check(graph, STANDIN_GRAPH);
    if (!g) return driver_misuse(400, "%s: a dead graph", name);
    object *o = object_new(STANDIN_EXEC, true);
    o->works = works_copy(g->works);
    *exec = o;
    return 0;
}

int cuGraphInstantiateWithFlags(void **exec, void *graph, unsigned long long flags)
{
    ENTER;
    (void)flags;
    return driver_leave(instantiate(exec, graph, __func__));
}

int cuGraphLaunch(void *exec, void *stream)
{
    ENTER;
    object *s;
    const object *o = object_check(exec, STANDIN_EXEC);
    if (!find_stream(stream, &s)) return driver_leave(bad_stream(__func__));
    if (!o) return driver_leave(driver_misuse(400, "%s: a dead graph", __func__));
    for (const work *w = o->works; w; w = w->next) {
        if (w->what == WORK_LAUNCH && !object_check(w->kernel, STANDIN_KERNEL))
            return driver_leave(driver_misuse(400, "%s: a kernel of an unloaded module", __func__));
        if (w->what != WORK_LAUNCH && !memory_find(w->to, w->size) &&
            !memory_find(w->from, w->size))
            return driver_leave(driver_misuse(1, "%s: memory that was freed", __func__));
        stream_give(s, w);
    }
    return driver_leave(0);
}

int cuGraphExecDestroy(void *exec)
{
    int e = driver_enter(__func__);
    object *o = object_check(exec, STANDIN_EXEC);
    if (!o) return driver_leave(driver_misuse(400, "%s: a dead graph", __func__));
    object_drop(o);
    return driver_leave(e);
}

int cuGraphDestroy(void *graph)
{
    int e = driver_enter(__func__);
    object *o = object_check(graph, STANDIN_GRAPH);
    if (!o) return driver_leave(driver_misuse(400, "%s: a dead graph", __func__));
    object_drop(o);
    return driver_leave(e);
}

int cuGraphExecUpdate_v2(void *exec, void *graph, void *result)
{
    ENTER;
    (void)result;
    object *o = object_check(exec, STANDIN_EXEC);
    const object *g = object_check(graph, STANDIN_GRAPH);
    if (!o || !g) return driver_leave(driver_misuse(400, "%s: a dead graph", __func__));
    works_free(o->works);
    o->works = works_copy(g->works);
    return driver_leave(0);
}

#pragma GCC visibility pop

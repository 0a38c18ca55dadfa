/*
 * NVIDIA's devices through the driver API: finding them, contexts, streams, events. The primary
 * context is shared with the host program, whose current context each call leaves as it was.
 */
#include "runtime/device/cuda_int.h"

/* --- devices --- */

static cpl_status cuda_open(cpl_device *device)
{
    cuda_device *d = cuda_of(device);
    return CUDA(d, DevicePrimaryCtxRetain, &d->context, d->id);
}

static void cuda_close(cpl_device *device)
{
    cuda_device *d = cuda_of(device);
    if (d->context && d->cu->DevicePrimaryCtxRelease) d->cu->DevicePrimaryCtxRelease(d->id);
}

static void cuda_release(cpl_device *device)
{
    mem_free(context_mem(device->cx), device, sizeof(cuda_device));
}

static void *cuda_native(cpl_device *device, void **id)
{
    if (id) *id = (void *)(intptr_t)cuda_of(device)->id;
    return cuda_of(device)->context;
}

/* --- streams --- */

static cpl_status make_queue(cuda_device *d, cpl_queue *q, cuda_queue *own,
                             const cpl_queue_options *options)
{
    bool pushed;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    status = CUDA(d, EventCreate, &own->mark, CU_EVENT_DISABLE_TIMING);
    if (!status && options->use_native) {
        q->native = options->native;
        q->borrowed = true;
    } else if (!status) {
        status = CUDA(d, StreamCreate, &q->native, CU_STREAM_NON_BLOCKING);
        if (status) d->cu->EventDestroy(own->mark);
    }
    cuda_leave(d, pushed);
    return status;
}

static cpl_status cuda_queue_open(cpl_queue *q, const cpl_queue_options *options)
{
    cuda_device *d = cuda_of(q->device);
    const mem *m = context_mem(q->device->cx);
    cuda_queue *own = mem_zalloc(m, sizeof *own);
    if (!own || pthread_mutex_init(&own->lock, NULL)) {
        mem_free(m, own, sizeof *own);
        return context_report(q->device->cx, CPL_ENOMEM, "out of memory for a queue");
    }
    cpl_status status = make_queue(d, q, own, options);
    if (!status) {
        q->own = own;
        return CPL_OK;
    }
    pthread_mutex_destroy(&own->lock);
    mem_free(m, own, sizeof *own);
    return status;
}

static void cuda_queue_close(cpl_queue *q)
{
    cuda_device *d = cuda_of(q->device);
    cuda_queue *own = q->own;
    /* a lost device may refuse; what follows fails then too */
    bool pushed = d->cu->CtxPushCurrent(d->context) == CU_SUCCESS;
    cuda_stages_free(d, own);
    d->cu->EventDestroy(own->mark);
    if (!q->borrowed) d->cu->StreamDestroy(q->native);
    cuda_leave(d, pushed);
    pthread_mutex_destroy(&own->lock);
    mem_free(context_mem(q->device->cx), own, sizeof *own);
}

static bool is_captured(cuda_queue *own)
{
    pthread_mutex_lock(&own->lock);
    bool captured = own->capturing;
    pthread_mutex_unlock(&own->lock);
    return captured;
}

/* A stream that is captured cannot be waited for: what was launched before can. */
static cpl_status cuda_drain(cpl_queue *q)
{
    cuda_device *d = cuda_of(q->device);
    cuda_queue *own = q->own;
    bool pushed;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    status = is_captured(own) ? CUDA(d, EventSynchronize, own->mark)
                              : CUDA(d, StreamSynchronize, q->native);
    cuda_leave(d, pushed);
    return status;
}

cpl_status cuda_set_mark(cpl_queue *q)
{
    cuda_queue *own = q->own;
    cpl_status status = CPL_OK;
    pthread_mutex_lock(&own->lock);
    if (!own->capturing) status = CUDA(cuda_of(q->device), EventRecord, own->mark, q->native);
    pthread_mutex_unlock(&own->lock);
    return status;
}

/* Another thread may record the mark again before the wait is queued: it then stands for more,
 * never for less. */
static cpl_status cuda_behind(cpl_queue *q, cpl_queue *other)
{
    cuda_device *d = cuda_of(q->device), *there = cuda_of(other->device);
    cu_event mark = ((cuda_queue *)other->own)->mark;
    bool pushed;
    cpl_status status = cuda_enter(there, &pushed);
    if (status) return status;
    status = cuda_set_mark(other);
    cuda_leave(there, pushed);
    if (!status) status = cuda_enter(d, &pushed);
    if (status) return status;
    status = CUDA(d, StreamWaitEvent, q->native, mark, 0);
    cuda_leave(d, pushed);
    return status;
}

/* --- events --- */

static cpl_status cuda_record(cpl_queue *q, dev_ticks *t)
{
    cuda_device *d = cuda_of(q->device);
    bool pushed;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    status = cuda_begin(q, t);
    if (!status) status = cuda_end(q, t);
    cuda_leave(d, pushed);
    return status;
}

static cpl_status cuda_ticks_sync(dev_ticks *t)
{
    cuda_device *d = cuda_of(t->device);
    bool pushed;
    if (!t->end) return CPL_OK;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    status = CUDA(d, EventSynchronize, t->end);
    cuda_leave(d, pushed);
    return status;
}

static cpl_status cuda_ticks_done(dev_ticks *t, bool *done)
{
    cuda_device *d = cuda_of(t->device);
    bool pushed;
    *done = true;
    if (!t->end) return CPL_OK;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    cu_result r = d->cu->EventQuery(t->end);
    *done = r != CU_NOT_READY;
    if (*done) status = cuda_check(d, "cuEventQuery", r);
    cuda_leave(d, pushed);
    return status;
}

static bool cuda_ticks_duration(dev_ticks *t, uint64_t *ns)
{
    cuda_device *d = cuda_of(t->device);
    float ms = 0;
    bool pushed;
    if (!t->begin || !t->end || cuda_enter(d, &pushed)) return false;
    bool known = d->cu->EventElapsedTime(&ms, t->begin, t->end) == CU_SUCCESS;
    cuda_leave(d, pushed);
    *ns = ms > 0 ? (uint64_t)(ms * 1e6 + 0.5) : 0;
    return known;
}

static cpl_status cuda_ticks_behind(cpl_queue *q, dev_ticks *t)
{
    cuda_device *d = cuda_of(q->device);
    bool pushed;
    if (!t->end) return CPL_OK;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    status = CUDA(d, StreamWaitEvent, q->native, t->end, 0);
    cuda_leave(d, pushed);
    return status;
}

static void cuda_ticks_close(dev_ticks *t)
{
    cuda_device *d = cuda_of(t->device);
    if (!t->begin && !t->end) return;
    bool pushed = d->cu->CtxPushCurrent(d->context) == CU_SUCCESS;
    if (t->begin) d->cu->EventDestroy(t->begin);
    if (t->end) d->cu->EventDestroy(t->end);
    cuda_leave(d, pushed);
}

static const char *cuda_alloc_name(const cpl_device *d)
{
    (void)d;
    return "cuMemAlloc";
}

const dev_ops cuda_ops = {
    .most_groups = 65535,
    .alloc_name = cuda_alloc_name,
    .open = cuda_open,
    .close = cuda_close,
    .release = cuda_release,
    .native = cuda_native,
    .queue_open = cuda_queue_open,
    .queue_close = cuda_queue_close,
    .drain = cuda_drain,
    .behind = cuda_behind,
    .record = cuda_record,
    .ticks_sync = cuda_ticks_sync,
    .ticks_done = cuda_ticks_done,
    .ticks_duration = cuda_ticks_duration,
    .ticks_behind = cuda_ticks_behind,
    .ticks_close = cuda_ticks_close,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .adopt = cuda_adopt,
    .pinned_alloc = cuda_pinned_alloc,
    .pinned_free = cuda_pinned_free,
    .pin = cuda_pin,
    .unpin = cuda_unpin,
    .store = cuda_store,
    .zero = cuda_zero,
    .write = cuda_write,
    .read = cuda_read,
    .peers = true,
    .copy = cuda_copy,
    .load = cuda_load,
    .unload = cuda_unload,
    .launch = cuda_launch,
    .graph_begin = cuda_graph_begin,
    .graph_end = cuda_graph_end,
    .graph_launch = cuda_graph_launch,
    .graph_free = cuda_graph_free,
};

/* --- looking for devices --- */

/* The first error stays in *r. */
static int attribute(const cuda_device *d, int which, cu_result *r)
{
    int value = 0;
    cu_result now = d->cu->DeviceGetAttribute(&value, which, d->id);
    if (*r == CU_SUCCESS) *r = now;
    return now == CU_SUCCESS ? value : 0;
}

/* The target for a compute capability: that one, or the newest before it that the compiler knows;
 * its code runs on later devices. */
static const char *target_for(cpl_context *cx, int sm)
{
    for (; sm >= 70; sm--) {
        const char *text = device_text(cx, "cuda:sm_%d", sm);
        tgt_target t;
        if (!text || target_parse(text, &t)) return text;
        mem_strfree(context_mem(cx), text);
    }
    return device_text(cx, "cuda:sm_70");
}

static cu_result fill_info(cuda_device *d)
{
    cpl_device_info *info = &d->base.info;
    cpl_context *cx = d->base.cx;
    char name[256] = "";
    cu_result r = CU_SUCCESS;
    size_t memory = 0;
    d->cu->DeviceGetName(name, sizeof name - 1, d->id);
    d->cu->DeviceTotalMem(&memory, d->id);
    int sm = 10 * attribute(d, CU_DEVICE_COMPUTE_CAPABILITY_MAJOR, &r) +
             attribute(d, CU_DEVICE_COMPUTE_CAPABILITY_MINOR, &r);
    int local = attribute(d, CU_DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &r);
    *info = (cpl_device_info){
        .size = sizeof *info,
        .kind = CPL_DEVICE_CUDA,
        .name = device_text(cx, "%s", name),
        .vendor = device_text(cx, "NVIDIA"),
        .driver =
            device_text(cx, "CUDA %d.%d", d->driver_version / 1000, d->driver_version % 1000 / 10),
        .target = target_for(cx, sm),
        .il = device_text(cx, "%s", ""),
        .memory = memory,
        .local_memory =
            (uint64_t)(local ? local : attribute(d, CU_DEVICE_MAX_SHARED_MEMORY_PER_BLOCK, &r)),
        .units = (uint32_t)attribute(d, CU_DEVICE_MULTIPROCESSOR_COUNT, &r),
        .max_group_size = (uint32_t)attribute(d, CU_DEVICE_MAX_THREADS_PER_BLOCK, &r),
        .subgroup_size = (uint32_t)attribute(d, CU_DEVICE_WARP_SIZE, &r),
        .fp64 = true,
        .fp16 = true,
        .int64_atomics = true,
        .subgroups = true,
        .pointers = true,
        .rounds_division = true,
        .subnormals = true};
    for (int i = 0; i < 3; i++)
        info->max_group[i] = (uint32_t)attribute(d, CU_DEVICE_MAX_BLOCK_DIM_X + i, &r);
    return r;
}

/* A device that does not answer is left out, which is no error. */
static void left_out(cpl_context *cx, devices *all, const cu_api *cu, const char *call, cu_result r,
                     int ordinal)
{
    const char *name, *text;
    cuda_error_texts(cu, r, &name, &text);
    context_warn(cx, "%s: %s (%s, %d): device %d is left out", call, text, name, r, ordinal);
    devices_absent(cx, all, CPL_DEVICE_CUDA, "%s: %s (%s, %d)", call, text, name, r);
}

static bool add_device(cpl_context *cx, devices *all, const cu_api *cu, int driver_version,
                       int ordinal)
{
    const mem *m = context_mem(cx);
    cuda_device *d = mem_zalloc(m, sizeof *d);
    if (!d) return false;
    d->base.ops = &cuda_ops;
    d->base.cx = cx;
    d->cu = cu;
    d->driver_version = driver_version;
    cu_result r = cu->DeviceGet(&d->id, ordinal);
    if (r != CU_SUCCESS) {
        left_out(cx, all, cu, "cuDeviceGet", r, ordinal);
        mem_free(m, d, sizeof *d);
        return true;
    }
    r = fill_info(d);
    const char *const texts[] = {d->base.info.name, d->base.info.vendor, d->base.info.driver,
                                 d->base.info.target, d->base.info.il};
    bool complete = true;
    for (size_t i = 0; i < COUNT_OF(texts); i++) complete = complete && texts[i];
    if (complete && r == CU_SUCCESS && devices_add(all, &d->base)) return true;
    if (complete && r != CU_SUCCESS) left_out(cx, all, cu, "cuDeviceGetAttribute", r, ordinal);
    for (size_t i = 0; i < COUNT_OF(texts); i++) mem_strfree(m, texts[i]);
    mem_free(m, d, sizeof *d);
    return complete && r != CU_SUCCESS;
}

bool cuda_look(cpl_context *cx, devices *all)
{
    const char *why, *name, *text, *call = "cuInit";
    const cu_api *cu = dl_cuda(&why);
    if (!cu) {
        devices_absent(cx, all, CPL_DEVICE_CUDA, "%s", why);
        return true;
    }
    int version = 0, count = 0;
    cu_result r = cu->Init(0);
    if (r == CU_SUCCESS) r = cu->DriverGetVersion((call = "cuDriverGetVersion", &version));
    if (r == CU_SUCCESS) r = cu->DeviceGetCount((call = "cuDeviceGetCount", &count));
    if (r != CU_SUCCESS) {
        cuda_error_texts(cu, r, &name, &text);
        devices_absent(cx, all, CPL_DEVICE_CUDA, "%s: %s (%s, %d)", call, text, name, r);
        return true;
    }
    for (int i = 0; i < count; i++)
        if (!add_device(cx, all, cu, version, i)) return false;
    if (count == 0)
        devices_absent(cx, all, CPL_DEVICE_CUDA, "the CUDA driver %d.%d has no devices",
                       version / 1000, version % 1000 / 10);
    return true;
}

/*
 * Memory of NVIDIA's devices, and copies. Ordinary host memory is copied through two page-locked
 * pieces in turn, so that the device's copy of one runs beside the host's copy of the other.
 */
#include "runtime/device/cuda_int.h"

enum {
    STAGE = 4 << 20,   /* bytes of a piece: past a megabyte a copy runs at full speed */
    DIRECT = 64 << 10, /* up to so many bytes the driver's own way is as fast */
    /* up to so many it is slower for reads: 4 bytes behind a kernel take 14.6 us on an H100, by way
     * of a stage 12.2 */
    FEW = 4 << 10,
};

cpl_status cuda_alloc(cpl_device *device, size_t size, dev_block *block)
{
    cuda_device *d = cuda_of(device);
    bool pushed;
    cu_pointer at = 0;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    cu_result r = d->cu->MemAlloc(&at, size);
    status = r == CU_OUT_OF_MEMORY ? CPL_ENOMEM : cuda_check(d, "cuMemAlloc", r);
    cuda_leave(d, pushed);
    if (!status) *block = (dev_block){.device = device, .address = at, .size = size};
    return status;
}

void cuda_free(dev_block *block)
{
    cuda_device *d = cuda_of(block->device);
    if (block->foreign) return;
    bool pushed = d->cu->CtxPushCurrent(d->context) == CU_SUCCESS;
    d->cu->MemFree(block->address); /* of a lost device: its memory is gone anyway */
    cuda_leave(d, pushed);
}

cpl_status cuda_adopt(cpl_device *d, void *memory, bool is_pointer, dev_block *block)
{
    (void)is_pointer;
    block->device = d;
    block->address = (uintptr_t)memory;
    block->foreign = true;
    return CPL_OK;
}

void *cuda_pinned_alloc(cpl_device *device, size_t size)
{
    cuda_device *d = cuda_of(device);
    bool pushed;
    void *memory = NULL;
    if (cuda_enter(d, &pushed)) return NULL;
    if (d->cu->MemHostAlloc(&memory, size, 0) != CU_SUCCESS) memory = NULL;
    cuda_leave(d, pushed);
    return memory;
}

void cuda_pinned_free(cpl_device *device, void *memory)
{
    cuda_device *d = cuda_of(device);
    bool pushed = d->cu->CtxPushCurrent(d->context) == CU_SUCCESS;
    d->cu->MemFreeHost(memory);
    cuda_leave(d, pushed);
}

bool cuda_pin(cpl_device *device, void *memory, size_t size)
{
    cuda_device *d = cuda_of(device);
    bool pushed;
    if (cuda_enter(d, &pushed)) return false;
    bool pinned = d->cu->MemHostRegister(memory, size, 0) == CU_SUCCESS;
    cuda_leave(d, pushed);
    return pinned;
}

void cuda_unpin(cpl_device *device, void *memory)
{
    cuda_device *d = cuda_of(device);
    bool pushed = d->cu->CtxPushCurrent(d->context) == CU_SUCCESS;
    d->cu->MemHostUnregister(memory);
    cuda_leave(d, pushed);
}

/*
 * Some things must happen now, and not in each replay of what the queue's stream is captured for:
 * they have a stream of their own then, behind what the queue was given before.
 */
static cpl_status stream_for_now(cuda_device *d, cpl_queue *q, cu_stream *stream)
{
    cuda_queue *own = q->own;
    pthread_mutex_lock(&own->lock);
    bool captured = own->capturing;
    pthread_mutex_unlock(&own->lock);
    *stream = q->native;
    if (!captured) return CPL_OK;
    cpl_status status = CUDA(d, StreamCreate, stream, CU_STREAM_NON_BLOCKING);
    if (status) *stream = q->native;
    else status = CUDA(d, StreamWaitEvent, *stream, own->mark, 0);
    return status;
}

/* Nobody else knows such a stream: it is waited for, whatever went wrong since. */
static cpl_status stream_done(cuda_device *d, cpl_queue *q, cu_stream stream, cpl_status status)
{
    if (stream == q->native) return status;
    cpl_status done = CUDA(d, StreamSynchronize, stream);
    d->cu->StreamDestroy(stream);
    return status ? status : done;
}

cpl_status cuda_store(cpl_queue *q, dev_block *to, const void *from, size_t size)
{
    cuda_device *d = cuda_of(q->device);
    bool pushed;
    cu_stream stream;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    status = stream_for_now(d, q, &stream);
    if (!status) status = CUDA(d, MemcpyHtoDAsync, to->address, from, size, stream);
    if (!status && stream == q->native) status = CUDA(d, StreamSynchronize, stream);
    status = stream_done(d, q, stream, status);
    cuda_leave(d, pushed);
    return status;
}

cpl_status cuda_zero(cpl_queue *q, dev_block *to, size_t at, size_t size)
{
    cuda_device *d = cuda_of(q->device);
    bool pushed;
    cu_stream stream;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    status = stream_for_now(d, q, &stream);
    if (!status) status = CUDA(d, MemsetD8Async, to->address + at, 0, size, stream);
    status = stream_done(d, q, stream, status);
    cuda_leave(d, pushed);
    return status;
}

/* --- stages; the queue's lock is held, the context is current --- */

static cpl_status stage_ready(cuda_device *d, cuda_stage *s)
{
    if (s->memory) return CUDA(d, EventSynchronize, s->done);
    cpl_status status = CUDA(d, EventCreate, &s->done, CU_EVENT_DISABLE_TIMING);
    if (status) return status;
    status = CUDA(d, MemHostAlloc, &s->memory, STAGE, 0);
    if (status) {
        d->cu->EventDestroy(s->done);
        s->memory = NULL;
    }
    return status;
}

/* Marks the last copy from or to a stage. Without a mark nobody could wait for it later. */
static cpl_status stage_used(cuda_device *d, cuda_stage *s, cu_stream stream)
{
    cpl_status status = CUDA(d, EventRecord, s->done, stream);
    if (status) d->cu->StreamSynchronize(stream);
    return status;
}

void cuda_stages_free(cuda_device *d, cuda_queue *q)
{
    for (size_t i = 0; i < COUNT_OF(q->stages); i++) {
        cuda_stage *s = &q->stages[i];
        if (!s->memory) continue;
        d->cu->EventSynchronize(s->done);
        d->cu->EventDestroy(s->done);
        d->cu->MemFreeHost(s->memory);
    }
}

static cpl_status write_staged(cuda_device *d, cpl_queue *q, cu_pointer to, const char *from,
                               size_t size)
{
    cuda_queue *own = q->own;
    cpl_status status = CPL_OK;
    pthread_mutex_lock(&own->lock);
    for (size_t at = 0, turn = 0; at < size && !status; at += STAGE, turn ^= 1) {
        cuda_stage *s = &own->stages[turn];
        size_t part = size - at < STAGE ? size - at : STAGE;
        status = stage_ready(d, s);
        if (status) break;
        memcpy(s->memory, from + at, part);
        status = CUDA(d, MemcpyHtoDAsync, to + at, s->memory, part, q->native);
        if (!status) status = stage_used(d, s, q->native);
    }
    pthread_mutex_unlock(&own->lock);
    return status;
}

/* Empties a stage into `to` once the device has filled it. */
static cpl_status empty_stage(cuda_device *d, cuda_stage *s, char *to, size_t at, size_t size)
{
    cpl_status status = CUDA(d, EventSynchronize, s->done);
    if (!status) memcpy(to + at, s->memory, size - at < STAGE ? size - at : STAGE);
    return status;
}

static cpl_status read_staged(cuda_device *d, cpl_queue *q, char *to, cu_pointer from, size_t size)
{
    cuda_queue *own = q->own;
    cpl_status status = CPL_OK;
    size_t at = 0, turn = 0;
    pthread_mutex_lock(&own->lock);
    for (; at < size && !status; at += STAGE, turn ^= 1) {
        cuda_stage *s = &own->stages[turn];
        size_t part = size - at < STAGE ? size - at : STAGE;
        status = stage_ready(d, s);
        if (!status) status = CUDA(d, MemcpyDtoHAsync, s->memory, from + at, part, q->native);
        if (!status) status = stage_used(d, s, q->native);
        if (!status && at) status = empty_stage(d, &own->stages[turn ^ 1], to, at - STAGE, size);
    }
    if (!status) status = empty_stage(d, &own->stages[turn ^ 1], to, at - STAGE, size);
    pthread_mutex_unlock(&own->lock);
    return status;
}

/* Waits in front of a write for the stages that it takes, in a way that may end early. The third
 * piece waits for the first one's copy, which is behind all that the queue was given. */
static cpl_status stages_await(cpl_queue *q, size_t size)
{
    cuda_queue *own = q->own;
    dev_ticks used[2] = {{.device = q->device}, {.device = q->device}};
    if (!context_may_stop(q->device->cx)) return CPL_OK;
    if (size > COUNT_OF(used) * STAGE) return queue_await(q);
    pthread_mutex_lock(&own->lock);
    for (size_t i = 0; i < COUNT_OF(used) && i * STAGE < size; i++)
        if (own->stages[i].memory) used[i].end = own->stages[i].done;
    pthread_mutex_unlock(&own->lock);
    cpl_status status = ticks_await(&used[0]);
    return status ? status : ticks_await(&used[1]);
}

/* --- copies --- */

static cu_pointer address_of(dev_span s)
{
    return s.block->address + s.at;
}

/* A graph reads host memory at each launch, so what it captures is the plain copy. */
cpl_status cuda_write(cpl_queue *q, dev_span to, const void *from, size_t size, bool pinned,
                      dev_ticks *t)
{
    cuda_device *d = cuda_of(q->device);
    bool pushed, staged = !pinned && !q->recording;
    cpl_status status = staged ? stages_await(q, size) : CPL_OK;
    if (!status) status = cuda_enter(d, &pushed);
    if (status) return status;
    status = cuda_begin(q, t);
    if (!status && !staged)
        status = CUDA(d, MemcpyHtoDAsync, address_of(to), from, size, q->native);
    else if (!status) status = write_staged(d, q, address_of(to), from, size);
    if (!status) status = cuda_end(q, t);
    cuda_leave(d, pushed);
    return status;
}

/* True if the driver knows the host memory as page-locked: it is copied to directly. Of memory that
 * it does not know the type stays 0, which is no error where a list is asked for. */
static bool is_pinned(const cuda_device *d, const void *memory)
{
    unsigned type = 0;
    static const int asked = CU_POINTER_MEMORY_TYPE;
    void *values[] = {&type};
    return d->cu->PointerGetAttributes(1, &asked, values, (cu_pointer)(uintptr_t)memory) ==
               CU_SUCCESS &&
           type == CU_MEMORY_TYPE_HOST;
}

cpl_status cuda_read(cpl_queue *q, const dev_block *from, size_t at, void *to, size_t size,
                     dev_ticks *t)
{
    cuda_device *d = cuda_of(q->device);
    bool pushed;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    cu_stream stream;
    status = stream_for_now(d, q, &stream);
    bool direct = stream != q->native || (size > FEW && (size <= DIRECT || is_pinned(d, to)));
    if (!status) status = cuda_begin(q, t);
    if (!status && direct) status = CUDA(d, MemcpyDtoHAsync, to, from->address + at, size, stream);
    else if (!status) status = read_staged(d, q, to, from->address + at, size);
    direct = direct && !status;
    if (!status) status = cuda_end(q, t);
    if (direct && stream == q->native) { /* whatever went wrong since: `to` may soon be gone */
        cpl_status done = CUDA(d, StreamSynchronize, stream);
        if (!status) status = done;
    }
    status = stream_done(d, q, stream, status);
    cuda_leave(d, pushed);
    return status;
}

/* Asks once for direct access from one device to another's memory. Copies work without it too,
 * through the host. */
static void ask_for_access(cuda_device *d, cuda_device *peer)
{
    uint64_t bit = (uint64_t)1 << (peer->base.info.index & 63);
    int can = 0;
    if (atomic_fetch_or(&d->peers, bit) & bit) return;
    if (d->cu->DeviceCanAccessPeer(&can, d->id, peer->id) == CU_SUCCESS && can)
        d->cu->CtxEnablePeerAccess(peer->context, 0);
}

cpl_status cuda_copy(cpl_queue *q, dev_span to, dev_span from, size_t size, dev_ticks *t)
{
    cuda_device *d = cuda_of(q->device), *a = cuda_of(to.block->device),
                *b = cuda_of(from.block->device);
    bool pushed;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    if (a != b) ask_for_access(d, d == a ? b : a);
    status = cuda_begin(q, t);
    if (!status && a == b)
        status = CUDA(d, MemcpyDtoDAsync, address_of(to), address_of(from), size, q->native);
    else if (!status)
        status = CUDA(d, MemcpyPeerAsync, address_of(to), a->context, address_of(from), b->context,
                      size, q->native);
    if (!status) status = cuda_end(q, t);
    cuda_leave(d, pushed);
    return status;
}

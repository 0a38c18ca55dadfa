/*
 * Memory of OpenCL's devices. With shared virtual memory it has addresses, and views are pointers.
 * Without, it is a cl_mem, and a view that does not begin at the start is a sub-buffer
 * (opencl_code.c).
 */
#include "runtime/device/opencl_int.h"

enum {
    STAGE = 16 << 20,    /* bytes at a time between the two kinds of memory */
    FILL_WORD = 16,      /* bytes of a pattern */
    FILL_MOST = 1 << 30, /* bytes of a command */
};

/* Numbers that compare as addresses do, for memory that has none: no two blocks overlap. */
static uint64_t invent_address(opencl_device *d, size_t size)
{
    uint64_t room = ((uint64_t)size + 4096) / 4096 * 4096;
    return atomic_fetch_add(&d->next_address, room);
}

cpl_status opencl_alloc(cpl_device *device, size_t size, dev_block *block)
{
    opencl_device *d = opencl_of(device);
    *block = (dev_block){.device = device, .size = size};
    if (d->svm) {
        block->address = (uintptr_t)d->cl->SVMAlloc(d->context, CL_MEM_READ_WRITE, size, 0);
        return block->address ? CPL_OK : CPL_ENOMEM;
    }
    cl_int r = CL_OK;
    block->memory = d->cl->CreateBuffer(d->context, CL_MEM_READ_WRITE, size, NULL, &r);
    if (!block->memory) {
        bool full = r == CL_OK || r == CL_MEM_ALLOCATION_FAILURE || r == CL_OUT_OF_RESOURCES ||
                    r == CL_INVALID_BUFFER_SIZE;
        return full ? CPL_ENOMEM : opencl_failed(d, "clCreateBuffer", r);
    }
    block->address = invent_address(d, size);
    return CPL_OK;
}

void opencl_free(dev_block *block)
{
    opencl_device *d = opencl_of(block->device);
    if (block->memory) d->cl->ReleaseMemObject(block->memory);
    else if (!block->foreign) d->cl->SVMFree(d->context, (void *)(uintptr_t)block->address);
}

cpl_status opencl_adopt(cpl_device *device, void *memory, bool is_pointer, dev_block *block)
{
    opencl_device *d = opencl_of(device);
    block->device = device;
    block->foreign = true;
    if (is_pointer) {
        block->address = (uintptr_t)memory;
        return d->svm ? CPL_OK
                      : context_report(device->cx, CPL_EARG, "%s has no shared virtual memory",
                                       device->info.label);
    }
    size_t size = 0;
    cpl_status status = OPENCL(d, GetMemObjectInfo, memory, CL_MEM_SIZE, sizeof size, &size, NULL);
    if (status) return status;
    if (size < block->size)
        return context_report(device->cx, CPL_EARG, "the cl_mem has %zu bytes, the array needs %zu",
                              size, block->size);
    status = OPENCL(d, RetainMemObject, memory);
    if (status) return status;
    block->memory = memory;
    block->address = invent_address(d, size);
    return CPL_OK;
}

static void *pointer_at(const dev_block *b, size_t at)
{
    return (void *)(uintptr_t)(b->address + at);
}

/* Blocking: OpenCL has no way to let go of `from` early. */
static cpl_status give(cpl_queue *q, dev_block *to, size_t at, const void *from, size_t size,
                       void **event)
{
    opencl_device *d = opencl_of(q->device);
    if (to->memory)
        return OPENCL(d, EnqueueWriteBuffer, q->native, to->memory, 1, at, size, from, 0, NULL,
                      event);
    return OPENCL(d, EnqueueSVMMemcpy, q->native, 1, pointer_at(to, at), from, size, 0, NULL,
                  event);
}

static cpl_status fetch(cpl_queue *q, const dev_block *from, size_t at, void *to, size_t size,
                        void **event)
{
    opencl_device *d = opencl_of(q->device);
    if (from->memory)
        return OPENCL(d, EnqueueReadBuffer, q->native, from->memory, 1, at, size, to, 0, NULL,
                      event);
    return OPENCL(d, EnqueueSVMMemcpy, q->native, 1, to, pointer_at(from, at), size, 0, NULL,
                  event);
}

cpl_status opencl_store(cpl_queue *q, dev_block *to, const void *from, size_t size)
{
    return give(q, to, 0, from, size, NULL);
}

static cpl_status fill(cpl_queue *q, dev_block *to, size_t at, size_t size, size_t word)
{
    opencl_device *d = opencl_of(q->device);
    static const char zeros[FILL_WORD];
    if (to->memory)
        return OPENCL(d, EnqueueFillBuffer, q->native, to->memory, zeros, word, at, size, 0, NULL,
                      NULL);
    return OPENCL(d, EnqueueSVMMemFill, q->native, pointer_at(to, at), zeros, word, size, 0, NULL,
                  NULL);
}

/* NVIDIA's (580.159) fills 2^31 bytes that come one by one for ever, and 2^30 in 0.4 s. */
cpl_status opencl_zero(cpl_queue *q, dev_block *to, size_t at, size_t size)
{
    cpl_status status = CPL_OK;
    size_t begin = to->memory ? at : (size_t)to->address + at;
    for (size_t done = 0, part; done < size && !status; done += part) {
        size_t left = size - done, off = (begin + done) % FILL_WORD;
        bool bytes = off || left < FILL_WORD;
        part = left < FILL_MOST ? left : FILL_MOST;
        if (!bytes) part -= part % FILL_WORD;
        else if (part > FILL_WORD - off) part = FILL_WORD - off;
        status = fill(q, to, at + done, part, bytes ? 1 : FILL_WORD);
    }
    return status;
}

cpl_status opencl_write(cpl_queue *q, dev_span to, const void *from, size_t size, bool pinned,
                        dev_ticks *t)
{
    (void)pinned;
    return give(q, to.block, to.at, from, size, opencl_event(t));
}

cpl_status opencl_read(cpl_queue *q, const dev_block *from, size_t at, void *to, size_t size,
                       dev_ticks *t)
{
    return fetch(q, from, at, to, size, opencl_event(t));
}

/* Between a host program's cl_mem and memory with addresses: no command takes both. */
static cpl_status copy_mixed(cpl_queue *q, dev_span to, dev_span from, size_t size, dev_ticks *t)
{
    const mem *m = context_mem(q->device->cx);
    size_t stage = size < STAGE ? size : STAGE;
    void *bytes = mem_realloc(m, NULL, 0, stage);
    if (!bytes) return context_report(q->device->cx, CPL_ENOMEM, "out of memory for a copy");
    cpl_status status = CPL_OK;
    for (size_t done = 0; done < size && !status; done += stage) {
        size_t part = size - done < stage ? size - done : stage;
        status = fetch(q, from.block, from.at + done, bytes, part, NULL);
        if (!status)
            status = give(q, to.block, to.at + done, bytes, part,
                          done + part == size ? opencl_event(t) : NULL);
    }
    mem_free(m, bytes, stage);
    return status;
}

cpl_status opencl_copy(cpl_queue *q, dev_span to, dev_span from, size_t size, dev_ticks *t)
{
    const dev_block *a = from.block, *b = to.block;
    opencl_device *d = opencl_of(q->device);
    void **event = opencl_event(t);
    if (!a->memory != !b->memory) return copy_mixed(q, to, from, size, t);
    cpl_status status = b->memory ? OPENCL(d, EnqueueCopyBuffer, q->native, a->memory, b->memory,
                                           from.at, to.at, size, 0, NULL, event)
                                  : OPENCL(d, EnqueueSVMMemcpy, q->native, 0, pointer_at(b, to.at),
                                           pointer_at(a, from.at), size, 0, NULL, event);
    /* What is not flushed need never run, and other queues may wait for the event, or ask for it.
     */
    return status || !event ? status : OPENCL(d, Flush, q->native);
}

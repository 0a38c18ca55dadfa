/* The host as a device: all is done when a call returns. Memory is the context's, aligned for the
 * widest vectors. */
#include "runtime/device/device.h"

#include <sys/mman.h>
#include <unistd.h>

enum { ALIGNMENT = 64 }; /* bytes: a cache line, an AVX-512 register */

static cpl_status host_open(cpl_device *d)
{
    (void)d;
    return CPL_OK;
}

static void host_close(cpl_device *d)
{
    (void)d;
}

static void host_release(cpl_device *d)
{
    mem_free(context_mem(d->cx), d, sizeof *d);
}

static void *host_native(cpl_device *d, void **id)
{
    (void)d, (void)id;
    return NULL;
}

static cpl_status host_queue_open(cpl_queue *q, const cpl_queue_options *options)
{
    if (!options->use_native) return CPL_OK;
    return context_report(q->device->cx, CPL_EARG, "the host has no native queues");
}

static void host_queue_close(cpl_queue *q)
{
    (void)q;
}

static cpl_status host_drain(cpl_queue *q)
{
    (void)q;
    return CPL_OK;
}

static cpl_status host_record(cpl_queue *q, dev_ticks *t)
{
    (void)q, (void)t;
    return CPL_OK;
}

static cpl_status host_ticks_sync(dev_ticks *t)
{
    (void)t;
    return CPL_OK;
}

static cpl_status host_ticks_done(dev_ticks *t, bool *done)
{
    (void)t;
    *done = true;
    return CPL_OK;
}

static bool host_ticks_duration(dev_ticks *t, uint64_t *ns)
{
    *ns = t->end_ns - t->begin_ns;
    return t->end_ns != 0;
}

static void host_ticks_close(dev_ticks *t)
{
    (void)t;
}

uint32_t host_workers(const cpl_device *host)
{
    const cpl_threads *threads = context_threads(host->cx);
    return threads ? (uint32_t)threads->workers : host->info.units;
}

/* Asks for huge pages, of which a kernel has 512 times fewer to hand out when they are first
 * touched: small ones take longer to come than a pass of a sort over them does. */
static void ask_for_huge_pages(char *block, size_t size)
{
    static const size_t huge = (size_t)2 << 20;
    if (size < 2 * huge) return;
    size_t head = -(uintptr_t)block & (huge - 1);
    madvise(block + head, (size - head) & ~(huge - 1), MADV_HUGEPAGE);
}

/* The bytes in front of the block say how far its start was moved. */
static cpl_status host_alloc(cpl_device *d, size_t size, dev_block *b)
{
    if (size > PTRDIFF_MAX - ALIGNMENT) return CPL_ENOMEM;
    char *raw = mem_realloc(context_mem(d->cx), NULL, 0, size + ALIGNMENT);
    if (!raw) return CPL_ENOMEM;
    ask_for_huge_pages(raw, size);
    size_t moved = ALIGNMENT - ((uintptr_t)raw & (ALIGNMENT - 1)); /* 1 to ALIGNMENT */
    raw[moved - 1] = (char)moved;
    *b = (dev_block){.device = d, .address = (uintptr_t)raw + moved, .size = size};
    return CPL_OK;
}

static void host_free(dev_block *b)
{
    char *at = (char *)(uintptr_t)b->address;
    if (!b->foreign) mem_free(context_mem(b->device->cx), at - at[-1], b->size + ALIGNMENT);
}

static cpl_status host_adopt(cpl_device *d, void *memory, bool is_pointer, dev_block *b)
{
    (void)is_pointer;
    b->device = d;
    b->address = (uintptr_t)memory;
    b->foreign = true;
    return CPL_OK;
}

static char *at_of(const dev_block *b, size_t at)
{
    return (char *)(uintptr_t)b->address + at;
}

static void end_ticks(dev_ticks *t, uint64_t begin)
{
    if (!t) return;
    t->begin_ns = begin;
    t->end_ns = profile_now(t->device->cx);
}

static cpl_status host_store(cpl_queue *q, dev_block *to, const void *from, size_t size)
{
    (void)q;
    memcpy(at_of(to, 0), from, size);
    return CPL_OK;
}

static cpl_status host_zero(cpl_queue *q, dev_block *to, size_t at, size_t size)
{
    (void)q;
    memset(at_of(to, at), 0, size);
    return CPL_OK;
}

static cpl_status host_write(cpl_queue *q, dev_span to, const void *from, size_t size, bool pinned,
                             dev_ticks *t)
{
    (void)pinned;
    uint64_t begin = profile_now(q->device->cx);
    memmove(at_of(to.block, to.at), from, size);
    end_ticks(t, begin);
    return CPL_OK;
}

static cpl_status host_read(cpl_queue *q, const dev_block *from, size_t at, void *to, size_t size,
                            dev_ticks *t)
{
    uint64_t begin = profile_now(q->device->cx);
    memmove(to, at_of(from, at), size);
    end_ticks(t, begin);
    return CPL_OK;
}

static cpl_status host_copy(cpl_queue *q, dev_span to, dev_span from, size_t size, dev_ticks *t)
{
    return host_write(q, to, at_of(from.block, from.at), size, false, t);
}

/* Kernels are loaded when they are compiled (kernel.c). */
static cpl_status host_load(cpl_device *d, cpl_kernel *k, dev_code *code)
{
    (void)d;
    code->most_groups = 1; /* deals out its rounds itself */
    code->most_group = k->form == CPL_FORM_KERNEL ? HOST_MOST_GROUP : 1;
    return CPL_OK;
}

static void host_unload(dev_code *code)
{
    (void)code;
}

static cpl_status host_launch(cpl_queue *q, const dev_launch *l, dev_ticks *t)
{
    uint64_t ignored[2], begin = t ? profile_now(q->device->cx) : 0;
    cpl_status status = CPL_OK;
    l->values->fault = (cpl_fault){0};
    if (l->kernel->form == CPL_FORM_KERNEL)
        status = grid_run_host(q->device->cx, l, host_workers(q->device));
    else status = kernel_run(l->kernel, l->values, l->rounds, l->result ? l->result : ignored);
    end_ticks(t, begin);
    if (status) return status;
    return cpl_kernel_report(l->kernel, &l->values->fault);
}

static uint32_t host_threads(const cpl_device *d)
{
    int64_t asked = context_option(d->cx, OPT_num_threads);
    return asked ? (uint32_t)asked : host_workers(d);
}

const dev_ops host_ops = {
    .at_once = true,
    .shares_memory = true,
    .most_groups = INT32_MAX,
    .threads = host_threads,
    .open = host_open,
    .close = host_close,
    .release = host_release,
    .native = host_native,
    .queue_open = host_queue_open,
    .queue_close = host_queue_close,
    .drain = host_drain,
    .record = host_record,
    .ticks_sync = host_ticks_sync,
    .ticks_done = host_ticks_done,
    .ticks_duration = host_ticks_duration,
    .ticks_close = host_ticks_close,
    .alloc = host_alloc,
    .free = host_free,
    .adopt = host_adopt,
    .store = host_store,
    .zero = host_zero,
    .write = host_write,
    .read = host_read,
    .copy = host_copy,
    .load = host_load,
    .unload = host_unload,
    .launch = host_launch,
};

bool host_look(cpl_context *cx, devices *all)
{
    cpl_device *d = mem_zalloc(context_mem(cx), sizeof *d);
    if (!d) return false;
    long units = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES),
         page = sysconf(_SC_PAGESIZE);
    d->ops = &host_ops;
    d->cx = cx;
    d->info =
        (cpl_device_info){.size = sizeof d->info,
                          .kind = CPL_DEVICE_HOST,
                          .name = device_text(cx, "host CPU"),
                          .vendor = device_text(cx, "%s", ""),
                          .driver = device_text(cx, "%s", ""),
                          .target = device_text(cx, "host"),
                          .il = device_text(cx, "%s", ""),
                          .memory = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0,
                          .units = units > 0 ? (uint32_t)units : 1,
                          .max_group_size = HOST_MOST_GROUP,
                          .max_group = {HOST_MOST_GROUP, HOST_MOST_GROUP, HOST_MOST_GROUP},
                          .fp64 = true,
                          .fp16 = false,
                          .int64_atomics = true,
                          .subgroups = true,
                          .subgroup_size = HOST_SUBGROUP,
                          .pointers = true,
                          .is_cpu = true,
                          .rounds_division = true,
                          .subnormals = true};
    const char *const texts[] = {d->info.name, d->info.vendor, d->info.driver, d->info.target,
                                 d->info.il};
    bool complete = true;
    for (size_t i = 0; i < COUNT_OF(texts); i++) complete = complete && texts[i];
    if (complete && devices_add(all, d)) return true;
    for (size_t i = 0; i < COUNT_OF(texts); i++) mem_strfree(context_mem(cx), texts[i]);
    mem_free(context_mem(cx), d, sizeof *d);
    return false;
}

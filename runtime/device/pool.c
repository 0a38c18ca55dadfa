/*
 * Device memory kept for later arrays. Getting memory from a driver costs tens of microseconds up
 * to milliseconds and makes it wait for the device, so released blocks are kept, in bins of four to
 * each power of two. Everything done with a free block stands before the device's default queue:
 * who takes one for another queue makes that wait for it.
 */
#include "runtime/device/device.h"

enum { GRAIN = 512 }; /* bytes; blocks are multiples of it */
/* from here on blocks are not rounded up to their bin */
static const size_t BIG = (size_t)64 << 20;
static const size_t BIG_GRAIN = (size_t)2 << 20;

/* The bin of a size: its highest bit and the two behind that. */
static unsigned bin_of(size_t size)
{
    unsigned high = 63 - (unsigned)__builtin_clzll(size);
    return 4 * high + (unsigned)(size >> (high - 2) & 3);
}

static size_t round_size(size_t size)
{
    if (size < GRAIN) size = GRAIN;
    size_t grain = GRAIN;
    if (size >= BIG) grain = BIG_GRAIN;
    /* a quarter of its power of two */
    else if (size > 4 * GRAIN) grain = (size_t)1 << (61 - (unsigned)__builtin_clzll(size));
    return (size + grain - 1) / grain * grain;
}

static dev_block *take(dev_pool *p, size_t size)
{
    pthread_mutex_lock(&p->lock);
    dev_block **at = &p->bins[bin_of(size)];
    while (*at && (*at)->size < size) at = &(*at)->next;
    dev_block *b = *at;
    if (b) {
        *at = b->next;
        p->pooled -= b->size;
        p->used += b->size;
    }
    pthread_mutex_unlock(&p->lock);
    return b;
}

static cpl_status from_driver(cpl_device *d, size_t size, dev_block *block)
{
    cpl_status status = d->ops->alloc(d, size, block);
    if (status != CPL_ENOMEM) return status;
    uint64_t pooled;
    cpl_device_memory(d, NULL, &pooled);
    if (pooled) {
        status = pool_trim(d);
        if (!status) status = d->ops->alloc(d, size, block);
    }
    if (status != CPL_ENOMEM) return status;
    uint64_t used;
    cpl_device_memory(d, &used, NULL);
    return context_report(d->cx, CPL_ENOMEM,
                          "%s: %s has no %llu bytes of memory left; arrays here use %llu%s",
                          d->ops->alloc_name(d), d->info.label, (unsigned long long)size,
                          (unsigned long long)used,
                          pooled ? ", and what released ones left was given back" : "");
}

cpl_status pool_alloc(cpl_device *d, cpl_queue *q, size_t size, dev_block *block)
{
    if (atomic_load_explicit(&d->lost, memory_order_relaxed)) return device_lost(d);
    if (size > PTRDIFF_MAX - BIG_GRAIN)
        return context_report(d->cx, CPL_ENOMEM, "%s has no %zu bytes of memory", d->info.label,
                              size);
    size = round_size(size);
    dev_block *b = take(&d->pool, size);
    if (b) {
        *block = *b;
        block->next = NULL;
        mem_free(context_mem(d->cx), b, sizeof *b);
        cpl_queue *home = atomic_load_explicit(&d->queue, memory_order_acquire);
        cpl_status status = queue_behind(q, home);
        if (status) pool_free(block);
        return status;
    }
    *block = (dev_block){.device = d, .size = size};
    cpl_status status = from_driver(d, size, block);
    if (status) {
        *block = (dev_block){0};
        return status;
    }
    pthread_mutex_lock(&d->pool.lock);
    d->pool.used += block->size;
    pthread_mutex_unlock(&d->pool.lock);
    return CPL_OK;
}

/* Puts what was done with the block before the default queue. False: it is still in use, and nobody
 * can tell when it will not be. */
static bool come_to_rest(dev_block *b)
{
    cpl_queue *last = b->last, *home = NULL;
    b->last = NULL;
    if (!last) return true;
    cpl_device *d = b->device;
    bool rests = true;
    if (!atomic_load(&d->lost) && last->device == d) {
        home = cpl_device_queue(d);
        rests = home && !queue_behind(home, last);
    }
    if (!home || last->device != d || !rests) rests = !queue_drain(last);
    queue_remember(&last, NULL);
    return rests;
}

void pool_free(dev_block *block)
{
    cpl_device *d = block->device;
    dev_pool *p = &d->pool;
    dev_block *kept = mem_realloc(context_mem(d->cx), NULL, 0, sizeof *kept);
    bool rests = come_to_rest(block);
    pthread_mutex_lock(&p->lock);
    p->used -= block->size;
    if (kept && rests) {
        *kept = *block;
        dev_block **bin = &p->bins[bin_of(block->size)];
        kept->next = *bin;
        *bin = kept;
        p->pooled += block->size;
    }
    pthread_mutex_unlock(&p->lock);
    if (!kept || !rests) {
        mem_free(context_mem(d->cx), kept, sizeof *kept);
        cpl_queue *home = atomic_load(&d->queue);
        /* not every driver waits by itself */
        if (rests && home && !atomic_load(&d->lost)) d->ops->drain(home);
        d->ops->free(block);
    }
    *block = (dev_block){0};
}

void pool_keep(const dev_block *block, bool kept)
{
    if (!block->size) return;
    dev_pool *p = &block->device->pool;
    pthread_mutex_lock(&p->lock);
    p->used += kept ? -block->size : block->size;
    p->pooled += kept ? block->size : -block->size;
    pthread_mutex_unlock(&p->lock);
}

cpl_status pool_trim(cpl_device *d)
{
    cpl_queue *home = atomic_load(&d->queue);
    cpl_status status = home && !atomic_load(&d->lost) ? d->ops->drain(home) : CPL_OK;
    pool_close(d);
    return status;
}

void pool_close(cpl_device *d)
{
    dev_pool *p = &d->pool;
    const mem *m = context_mem(d->cx);
    for (unsigned i = 0; i < POOL_BINS; i++) {
        pthread_mutex_lock(&p->lock);
        dev_block *b = p->bins[i];
        p->bins[i] = NULL;
        for (dev_block *k = b; k; k = k->next) p->pooled -= k->size;
        pthread_mutex_unlock(&p->lock);
        while (b) {
            dev_block *next = b->next;
            d->ops->free(b);
            mem_free(m, b, sizeof *b);
            b = next;
        }
    }
}

cpl_status cpl_device_trim(cpl_device *device)
{
    if (MISSING("device", device)) return CPL_EARG;
    if (context_forked(device->cx)) return context_refuse_fork(device->cx);
    return device->opened && !device->open_status ? pool_trim(device) : CPL_OK;
}

void cpl_device_memory(cpl_device *device, uint64_t *used, uint64_t *pooled)
{
    if (used) *used = 0;
    if (pooled) *pooled = 0;
    if (!device || context_forked(device->cx)) return;
    pthread_mutex_lock(&device->pool.lock);
    if (used) *used = device->pool.used;
    if (pooled) *pooled = device->pool.pooled;
    pthread_mutex_unlock(&device->pool.lock);
}

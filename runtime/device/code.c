/* Kernels loaded on devices, and what drivers make of them in the cache on disk. */
#include "runtime/device/device.h"

static dev_code *find_code(cpl_kernel *k, const cpl_device *d)
{
    dev_code *c = atomic_load_explicit(&k->device_code, memory_order_acquire);
    while (c && c->device != d) c = c->next;
    return c;
}

static void codes_free(cpl_kernel *k)
{
    for (dev_code *c = atomic_load(&k->device_code); c;) {
        dev_code *next = c->next;
        cpl_device *d = c->device;
        for (dev_fault *f = c->faults; f;) {
            dev_fault *following = f->next_of_code;
            fault_free(f);
            f = following;
        }
        d->ops->unload(c);
        pthread_mutex_destroy(&c->lock);
        mem_free(context_mem(d->cx), c, sizeof *c);
        c = next;
    }
}

/* Loads under the device's lock, so that two threads load a kernel once. */
static cpl_status load(cpl_kernel *k, cpl_device *d, dev_code **code)
{
    const mem *m = context_mem(d->cx);
    dev_code *c = mem_zalloc(m, sizeof *c);
    if (!c || pthread_mutex_init(&c->lock, NULL)) {
        mem_free(m, c, sizeof *c);
        return context_report(d->cx, CPL_ENOMEM, "out of memory for a kernel");
    }
    c->device = d;
    c->group = c->most_group = 1;
    uint64_t begin = profile_now(d->cx);
    cpl_status status = d->ops->load(d, k, c);
    if (status) {
        pthread_mutex_destroy(&c->lock);
        mem_free(m, c, sizeof *c);
        return status;
    }
    if (profile_on(d->cx)) {
        uint64_t end = profile_now(d->cx), compiled = atomic_exchange(&k->compile_ns, 0);
        profile_event made = {.what = CPL_PROFILE_COMPILE,
                              .name = k->function,
                              .device = d->info.label,
                              .begin_ns = k->compile_begin_ns,
                              .end_ns = k->compile_begin_ns + compiled},
                      load_event = made;
        load_event.begin_ns = begin;
        load_event.end_ns = end;
        if (compiled) profile_add(d->cx, &made);
        profile_add(d->cx, &load_event);
    }
    atomic_store(&k->codes_free, codes_free);
    c->next = atomic_load_explicit(&k->device_code, memory_order_relaxed);
    /* other devices add theirs */
    while (!atomic_compare_exchange_weak(&k->device_code, &c->next, c)) continue;
    *code = c;
    return CPL_OK;
}

cpl_status code_for(cpl_kernel *k, cpl_device *d, dev_code **code)
{
    *code = find_code(k, d);
    if (*code) return CPL_OK;
    cpl_status status = device_open(d);
    if (status) return status;
    pthread_mutex_lock(&d->lock);
    *code = find_code(k, d);
    if (!*code) status = load(k, d, code);
    pthread_mutex_unlock(&d->lock);
    return status;
}

void binary_key(cpl_device *d, const artifact *a, const char *driver,
                uint8_t key[ARTIFACT_KEY_SIZE])
{
    strbuf target;
    sb_init(&target, context_mem(d->cx));
    target_print(&target, &a->target);
    const void *parts[] = {"device binary 1",          driver,   d->info.name, d->info.target,
                           target.at ? target.at : "", a->entry, a->object.at};
    size_t sizes[] = {15,       strlen(driver),   strlen(d->info.name), strlen(d->info.target),
                      target.n, strlen(a->entry), a->object.n};
    artifact_hash(parts, sizes, COUNT_OF(parts), key);
    sb_free(&target);
}

bool binary_get(cpl_device *d, const uint8_t *key, strbuf *out)
{
    disk_cache *c = cpl_cache_directory(d->cx) ? runtime_disk_cache(d->cx) : NULL;
    return c && disk_cache_get(d->cx, c, key, out);
}

void binary_put(cpl_device *d, const uint8_t *key, const void *bytes, size_t size)
{
    disk_cache *c = cpl_cache_directory(d->cx) ? runtime_disk_cache(d->cx) : NULL;
    if (c) disk_cache_put(d->cx, c, key, bytes, size);
}

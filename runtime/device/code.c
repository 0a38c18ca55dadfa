/*
 * Kernels loaded on devices, and what drivers make of them in the cache on disk.
 *
 * A driver compiles what it loads for as long as it likes, and cannot be told to stop. A thread of
 * its own does it, and calls wait for that thread: until the code is there, compile_timeout is over
 * or they are cancelled. Then it goes on alone, and a later call that needs the code waits again.
 */
#include "runtime/device/device.h"

#include "lib/support/thread.h"

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

static cpl_status load(cpl_kernel *k, cpl_device *d)
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
    return CPL_OK;
}

/* --- loading apart from the calls that wait for it --- */

struct dev_loading {
    dev_loading *next; /* of the device's, under whose lock all this is */
    cpl_device *device;
    cpl_kernel *kernel; /* held */
    cpl_diag_list *said;
    pthread_cond_t changed;
    unsigned users; /* the thread, and calls that wait */
    bool over;
    cpl_status status; /* once it is over */
};

/* The device's lock is held. */
static dev_loading *find_loading(const cpl_kernel *k, const cpl_device *d)
{
    dev_loading *l = d->loadings;
    while (l && l->kernel != k) l = l->next;
    return l;
}

static dev_loading *loading_create(cpl_kernel *k, cpl_device *d)
{
    const mem *m = context_mem(d->cx);
    dev_loading *l = mem_zalloc(m, sizeof *l);
    bool ok = l && context_condition(&l->changed);
    if (ok && cpl_diag_list_create(&l->said)) {
        pthread_cond_destroy(&l->changed);
        ok = false;
    }
    if (!ok) {
        mem_free(m, l, sizeof *l);
        return NULL;
    }
    l->device = d;
    l->kernel = k;
    l->users = 1; /* who loads */
    cpl_kernel_retain(k);
    l->next = d->loadings;
    d->loadings = l;
    return l;
}

/* One user less; gives the device's lock back, which may go with the kernel that was held. */
static void leave(dev_loading *l)
{
    cpl_kernel *k = l->kernel;
    bool last = --l->users == 0;
    pthread_mutex_unlock(&l->device->lock);
    if (!last) return;
    cpl_diag_list_free(l->said);
    pthread_cond_destroy(&l->changed);
    mem_free(context_mem(l->device->cx), l, sizeof *l);
    cpl_kernel_release(k);
}

static void *load_apart(void *arg)
{
    dev_loading *l = arg;
    cpl_device *d = l->device;
    cpl_diag_list *before = cpl_diag_list_use(l->said);
    cpl_status status = load(l->kernel, d);
    cpl_diag_list_use(before);
    pthread_mutex_lock(&d->lock);
    l->status = status;
    l->over = true;
    dev_loading **at = &d->loadings;
    while (*at != l) at = &(*at)->next;
    *at = l->next;
    pthread_cond_broadcast(&l->changed);
    leave(l);
    return NULL;
}

/* The device's lock is held, and given back. */
static cpl_status wait_for(dev_loading *l)
{
    cpl_device *d = l->device;
    cpl_status status = CPL_OK;
    int64_t seconds = context_option(d->cx, OPT_compile_timeout);
    struct timespec end = context_until(1000 * seconds);
    while (!l->over && !status)
        status = context_doze(d->cx, &l->changed, &d->lock, seconds ? &end : NULL);
    bool over = l->over;
    pthread_mutex_unlock(&d->lock);
    if (over) {
        diag_list_replay(l->said, context_sink(d->cx)); /* nobody writes it any more */
        status = l->status;
    } else if (status == CPL_ECANCELLED) status = context_cancelled(d->cx);
    else
        status = context_report(d->cx, CPL_ECOMPILER,
                                "the driver of %s took more than %lld s over the code of '%s' "
                                "(option compile_timeout)",
                                d->info.label, (long long)seconds, l->kernel->function);
    pthread_mutex_lock(&d->lock);
    leave(l);
    return status;
}

/* By a thread that is at it already, or is started now; by this one where there is none. */
static cpl_status load_once(cpl_kernel *k, cpl_device *d)
{
    pthread_mutex_lock(&d->lock);
    dev_loading *l = find_loading(k, d);
    bool begins = !l && !find_code(k, d);
    if (begins) l = loading_create(k, d);
    if (!l) {
        pthread_mutex_unlock(&d->lock);
        return begins ? context_report(d->cx, CPL_ENOMEM, "out of memory for a kernel") : CPL_OK;
    }
    l->users++;
    if (begins && thread_start_apart(THREAD_STACK, load_apart, l) != 0) {
        pthread_mutex_unlock(&d->lock);
        load_apart(l);
        pthread_mutex_lock(&d->lock);
    }
    return wait_for(l);
}

cpl_status code_for(cpl_kernel *k, cpl_device *d, dev_code **code)
{
    *code = find_code(k, d);
    if (*code) return CPL_OK;
    cpl_status status = device_open(d);
    if (!status) status = load_once(k, d);
    if (!status) *code = find_code(k, d);
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

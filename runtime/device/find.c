/* The devices of a context, by number and by name: drivers are looked for when somebody asks for
 * more than the host. */
#include "runtime/device/device.h"

#include <stdlib.h>

static bool (*const look[])(cpl_context *cx, devices *all) = {
#define DEVICE_KIND(name, number, text) text##_look,
#include "cpl/device.def"
#undef DEVICE_KIND
};

static void device_free(cpl_device *d)
{
    const mem *m = context_mem(d->cx);
    cpl_queue *queue = atomic_exchange(&d->queue, NULL);
    /* what the pool has may be in use before the end of this queue */
    if (queue && !atomic_load(&d->lost)) d->ops->drain(queue);
    cpl_queue_release(queue);
    if (d->opened && !d->open_status) pool_close(d);
    d->ops->close(d);
    pthread_mutex_destroy(&d->pool.lock);
    pthread_mutex_destroy(&d->lock);
    const char *const texts[] = {d->info.label,  d->info.name,   d->info.vendor,
                                 d->info.driver, d->info.target, d->info.il};
    for (size_t i = 0; i < COUNT_OF(texts); i++) mem_strfree(m, texts[i]);
    device_costs *costs = (device_costs *)atomic_load(&d->costs);
    if (costs) mem_free(m, costs, sizeof *costs);
    d->ops->release(d);
}

static void devices_free(cpl_context *cx, devices *all)
{
    if (!all) return;
    const mem *m = context_mem(cx);
    for (size_t i = all->count; i-- > 0;) device_free(all->at[i]);
    for (size_t i = 0; i < COUNT_OF(all->absent); i++) mem_strfree(m, all->absent[i]);
    mem_free(m, all->at, all->count * sizeof *all->at);
    mem_free(m, all->choices, all->choices_size);
    pthread_mutex_destroy(&all->lock);
    mem_free(m, all, sizeof *all);
}

static devices *devices_create(cpl_context *cx)
{
    const mem *m = context_mem(cx);
    devices *all = mem_zalloc(m, sizeof *all);
    if (!all) return NULL;
    if (pthread_mutex_init(&all->lock, NULL)) {
        mem_free(m, all, sizeof *all);
        return NULL;
    }
    if (look[CPL_DEVICE_HOST](cx, all)) {
        all->host = all->at[0];
        return all;
    }
    devices_free(cx, all);
    return NULL;
}

devices *devices_of(cpl_context *cx)
{
    runtime_state *state = context_forked(cx) ? NULL : runtime_of(cx);
    if (!state) return NULL;
    devices *all = atomic_load_explicit(&state->devices, memory_order_acquire);
    if (all) return all;
    pthread_mutex_lock(context_lock(cx));
    all = atomic_load_explicit(&state->devices, memory_order_relaxed);
    if (!all) {
        state->devices_free = devices_free;
        atomic_store_explicit(&state->devices, all = devices_create(cx), memory_order_release);
    }
    pthread_mutex_unlock(context_lock(cx));
    return all;
}

cpl_device *device_host(cpl_context *cx)
{
    devices *all = devices_of(cx);
    return all ? all->host : NULL;
}

/* All of them. What does not fit into memory is missing without a word: the next allocation will
 * fail too. */
static devices *found_devices(cpl_context *cx)
{
    devices *all = devices_of(cx);
    if (!all) return NULL;
    pthread_mutex_lock(&all->lock);
    if (!all->found) {
        for (unsigned kind = CPL_DEVICE_HOST + 1; kind < COUNT_OF(look); kind++)
            if (!look[kind](cx, all))
                devices_absent(cx, all, (cpl_device_kind)kind,
                               "out of memory while looking for devices");
        all->found = true;
    }
    pthread_mutex_unlock(&all->lock);
    return all;
}

size_t cpl_device_count(cpl_context *context)
{
    devices *all = context ? found_devices(context) : NULL;
    return all ? all->count : 0;
}

cpl_device *cpl_device_get(cpl_context *context, size_t index)
{
    if (!context) return NULL;
    devices *all = index ? found_devices(context) : devices_of(context);
    return all && index < all->count ? all->at[index] : NULL;
}

static cpl_device *nth_of_kind(const devices *all, cpl_device_kind kind, size_t n)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->at[i]->info.kind == kind && n-- == 0) return all->at[i];
    return NULL;
}

const char *cpl_device_absent(cpl_context *context, cpl_device_kind kind)
{
    devices *all = context && (unsigned)kind < COUNT_OF(((devices *)0)->absent)
                       ? found_devices(context)
                       : NULL;
    if (!all || nth_of_kind(all, kind, 0)) return NULL;
    return all->absent[kind] ? all->absent[kind] : "out of memory while looking for devices";
}

/* "cuda:1" gives a number, "cuda" 0; false for "cuda:sm_90" and the like. */
static bool read_index(const char *text, size_t prefix, size_t *index)
{
    *index = 0;
    if (!text[prefix]) return true;
    const char *digits = text + prefix + 1;
    if (text[prefix] != ':' || !*digits || strspn(digits, "0123456789") != strlen(digits))
        return false;
    *index = strtoul(digits, NULL, 10);
    return true;
}

/* The first device that has this target. */
static cpl_device *first_of_target(const devices *all, const char *text)
{
    tgt_target t;
    if (!target_parse(text, &t)) return NULL;
    for (size_t i = 0; i < all->count; i++)
        if (target_equal(&all->at[i]->target, &t)) return all->at[i];
    return NULL;
}

enum { OF_TARGET = -1 };

/* "cuda:1", or a target that devices of the kind run, whose index is OF_TARGET; false: neither. */
static bool read_kind(const char *text, cpl_device_kind *kind, size_t *index)
{
    tgt_target t;
    for (unsigned k = CPL_DEVICE_HOST + 1; device_kind_name((cpl_device_kind)k); k++) {
        *kind = (cpl_device_kind)k;
        const char *name = device_kind_name(*kind);
        size_t n = strlen(name);
        if (strncmp(text, name, n) == 0 && read_index(text, n, index)) return true;
    }
    *index = (size_t)OF_TARGET;
    if (!target_parse(text, &t)) return false;
    *kind = device_kind_for(&t);
    return true;
}

cpl_status cpl_device_find(cpl_context *context, const char *text, cpl_device **device)
{
    if (device) *device = NULL;
    if (MISSING("context text device", context, text, device)) return CPL_EARG;
    if (context_forked(context)) return context_refuse_fork(context);
    size_t index;
    cpl_device_kind kind;
    if (!read_kind(text, &kind, &index))
        return context_report(
            context, CPL_EARG,
            "'%s' names no device: host, cuda, cuda:1, opencl, opencl:1 or a target do", text);
    devices *all = kind == CPL_DEVICE_HOST ? devices_of(context) : found_devices(context);
    if (!all) return context_report(context, CPL_ENOMEM, "out of memory while looking for devices");
    bool by_target = index == (size_t)OF_TARGET;
    if (by_target) *device = first_of_target(all, text);
    if (!*device) *device = nth_of_kind(all, kind, by_target ? 0 : index);
    if (*device) return CPL_OK;
    size_t have = 0;
    while (nth_of_kind(all, kind, have)) have++;
    if (have)
        return context_report(context, CPL_ENODEVICE,
                              "there is no device %s: %zu of that kind, counted from 0", text,
                              have);
    return context_report(context, CPL_ENODEVICE, "there is no device for '%s': %s", text,
                          cpl_device_absent(context, kind));
}

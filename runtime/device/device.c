/* What devices have in common; they are opened when they are first used. */
#include "runtime/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *device_text(cpl_context *cx, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return mem_strdup(context_mem(cx), text);
}

void devices_absent(cpl_context *cx, devices *all, cpl_device_kind kind, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!all->absent[kind]) all->absent[kind] = mem_strdup(context_mem(cx), text);
}

bool devices_add(devices *all, cpl_device *d)
{
    const mem *m = context_mem(d->cx);
    size_t size = sizeof *all->at;
    for (size_t i = 0; i < all->count; i++) d->info.index += all->at[i]->info.kind == d->info.kind;
    const char *kind = device_kind_name(d->info.kind);
    const char *label = is_host(d) ? device_text(d->cx, "%s", kind)
                                   : device_text(d->cx, "%s:%zu", kind, d->info.index);
    cpl_device **at =
        label ? mem_realloc(m, all->at, all->count * size, (all->count + 1) * size) : NULL;
    if (!at) {
        mem_strfree(m, label);
        return false;
    }
    all->at = at;
    d->info.label = label;
    target_parse(d->info.target, &d->target);
    pthread_mutex_init(&d->lock, NULL);
    pthread_mutex_init(&d->pool.lock, NULL);
    d->all = all;
    at[all->count++] = d;
    return true;
}

void device_features(const cpl_device *d, tgt_target *t)
{
    t->fp64 = t->fp64 && d->info.fp64;
    t->fp16 = t->fp16 && d->info.fp16;
    t->int64_atomics = t->int64_atomics && d->info.int64_atomics;
    t->ptx = t->ptx && d->takes_ptx;
    t->subgroups = t->subgroups && d->info.subgroups;
    t->rounds_division = t->rounds_division && d->info.rounds_division;
    t->subnormals = t->subnormals && d->info.subnormals;
    t->ordered_sums = t->ordered_sums && !d->reorders_sums;
    t->private_arrays = t->private_arrays && !(d->mixes_arrays && target_is_spirv(t));
}

static const char *const kind_names[] = {
#define DEVICE_KIND(name, number, text) #text,
#include "cpl/device.def"
#undef DEVICE_KIND
};

const char *device_kind_name(cpl_device_kind kind)
{
    return (unsigned)kind < COUNT_OF(kind_names) ? kind_names[kind] : NULL;
}

cpl_device_kind device_kind_for(const tgt_target *t)
{
    unsigned kind = CPL_DEVICE_HOST;
    while (strcmp(kind_names[kind], target_platform(t)) != 0) kind++;
    return (cpl_device_kind)kind;
}

cpl_status cpl_device_info_get(const cpl_device *device, cpl_device_info *info)
{
    if (MISSING("device info", device, info)) return CPL_EARG;
    return WRITE_STRUCT(info, &device->info, cpl_device_info);
}

cpl_status device_open(cpl_device *d)
{
    if (context_forked(d->cx)) return context_refuse_fork(d->cx);
    pthread_mutex_lock(&d->lock);
    bool told = !d->opened; /* by who opens it */
    if (!d->opened) {
        d->open_status = d->ops->open(d);
        /* Memory may be there another time; a driver that refuses its device will not change its
         * mind. */
        d->opened = d->open_status != CPL_ENOMEM;
    }
    cpl_status status = d->open_status;
    pthread_mutex_unlock(&d->lock);
    if (status && !told)
        return context_report(d->cx, status, "%s could not be opened before: %s", d->info.label,
                              cpl_status_message(status));
    if (!status && atomic_load_explicit(&d->lost, memory_order_relaxed)) return device_lost(d);
    return status;
}

cpl_status device_lost(cpl_device *d)
{
    return context_report(d->cx, CPL_EDEVICELOST, "%s was lost by an earlier error", d->info.label);
}

uint32_t device_threads(const cpl_device *d)
{
    return d->ops->threads ? d->ops->threads(d) : 0;
}

void *cpl_device_native(cpl_device *device, void **id)
{
    if (id) *id = NULL;
    if (!device || device_open(device)) return NULL;
    return device->ops->native(device, id);
}

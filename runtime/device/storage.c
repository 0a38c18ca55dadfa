/*
 * Storages, what arrays and their views share: memory in one or more places. Each place's memory is
 * valid or stale; at least one is valid from the first write on.
 */
#include "runtime/device/device.h"

void storage_retain(dev_storage *s)
{
    atomic_fetch_add_explicit(&s->references, 1, memory_order_relaxed);
}

dev_slot *storage_slot(const dev_storage *s, const cpl_device *d)
{
    dev_slot *slot = s->slots;
    while (slot && slot->block.device != d) slot = slot->next;
    return slot;
}

dev_slot *storage_valid(const dev_storage *s, const cpl_device *wanted)
{
    dev_slot *found = NULL;
    for (dev_slot *slot = s->slots; slot; slot = slot->next) {
        if (!slot->valid) continue;
        if (slot->block.device == wanted) return slot;
        if (!found) found = slot; /* that at home is the first */
    }
    return found;
}

const char *storage_place(const dev_storage *s)
{
    const dev_slot *slot = storage_valid(s, s->home);
    return device_place(slot ? slot->block.device : s->home);
}

void storage_written(dev_storage *s, dev_slot *slot, cpl_queue *q)
{
    for (dev_slot *i = s->slots; i; i = i->next) i->valid = i == slot;
    queue_remember(&slot->block.last, q);
}

static dev_slot *add_slot(dev_storage *s)
{
    dev_slot *slot = mem_zalloc(context_mem(s->cx), sizeof *slot);
    if (!slot) {
        context_report(s->cx, CPL_ENOMEM, "out of memory for an array");
        return NULL;
    }
    dev_slot **at = &s->slots;
    while (*at) at = &(*at)->next;
    return *at = slot;
}

static void drop_slot(dev_storage *s, dev_slot *slot)
{
    dev_slot **at = &s->slots;
    while (*at != slot) at = &(*at)->next;
    *at = slot->next;
    mem_free(context_mem(s->cx), slot, sizeof *slot);
}

static cpl_status reserve_host(dev_storage *s, cpl_device *host, dev_slot *slot)
{
    cpl_device *p = s->pinned_for;
    void *memory = p && !device_open(p) && p->ops->pinned_alloc
                       ? p->ops->pinned_alloc(p, s->size ? s->size : 1)
                       : NULL;
    if (memory) {
        slot->pinned = true;
        slot->block = (dev_block){.device = host, .address = (uintptr_t)memory, .size = s->size};
        return CPL_OK;
    }
    if (host->ops->alloc(host, s->size ? s->size : 1, &slot->block) == CPL_OK) return CPL_OK;
    return context_report(s->cx, CPL_ENOMEM, "out of memory for an array of %zu bytes", s->size);
}

cpl_status storage_reserve(dev_storage *s, cpl_device *d, cpl_queue *q, dev_slot **slot)
{
    *slot = storage_slot(s, d);
    if (*slot) return CPL_OK;
    bool pools = !d->ops->shares_memory;
    if (pools && !q && !(q = cpl_device_queue(d))) return device_no_queue(d);
    dev_slot *made = add_slot(s);
    if (!made) return context_no_memory(s->cx);
    cpl_status status =
        pools ? pool_alloc(d, q, s->size ? s->size : 1, &made->block) : reserve_host(s, d, made);
    if (status) {
        drop_slot(s, made);
        return status;
    }
    if (pools) queue_remember(&made->block.last, q);
    if (s->listed && s->home->ops->shares_memory && !s->slots->next->next)
        atomic_fetch_add_explicit(&devices_of(s->cx)->moved, 1, memory_order_relaxed);
    *slot = made;
    return CPL_OK;
}

cpl_status storage_adopt(dev_storage *s, const cpl_array_options *o, void *memory)
{
    cpl_device *p = o->pinned && s->home->ops->shares_memory ? o->pinned_for : NULL;
    dev_slot *slot = add_slot(s);
    if (!slot) return CPL_ENOMEM;
    slot->block.size = s->size;
    cpl_status status = s->home->ops->adopt(s->home, memory, o->is_pointer, &slot->block);
    if (status) {
        drop_slot(s, slot);
        return status;
    }
    slot->valid = true;
    s->wrapped = memory;
    if (p && s->size && !device_open(p) && p->ops->pin && p->ops->pin(p, memory, s->size)) {
        slot->pinned = true;
        s->pinned_for = p;
    }
    return CPL_OK;
}

static void free_memory(dev_storage *s, dev_slot *slot)
{
    dev_block *b = &slot->block;
    if (b->foreign || b->device->ops->shares_memory) {
        if (b->last && !atomic_load(&b->device->lost)) queue_drain(b->last);
        queue_remember(&b->last, NULL);
        const dev_ops *pinning = slot->pinned ? s->pinned_for->ops : NULL;
        void *memory = (void *)(uintptr_t)b->address;
        if (pinning && b->foreign) pinning->unpin(s->pinned_for, memory);
        else if (pinning) pinning->pinned_free(s->pinned_for, memory);
        else b->device->ops->free(b);
    } else pool_free(b);
}

void storage_drop(dev_storage *s, dev_slot *slot)
{
    free_memory(s, slot);
    drop_slot(s, slot);
}

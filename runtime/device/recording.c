/* What a queue records, as it is given it. */
#include "runtime/device/recording.h"

bool recording_lists(const recording *r)
{
    return r && r->lists;
}

static cpl_status no_memory(recording *r)
{
    return context_report(r->cx, CPL_ENOMEM, "out of memory for a graph");
}

/* What is recorded so far uses it; NULL: nothing does. */
static kept *find_kept(const recording *r, const dev_slot *slot)
{
    kept *i = r->kept;
    while (i && i->slot != slot) i = i->next;
    return i;
}

cpl_status recording_use(recording *r, dev_storage *s, dev_slot *slot, bool written)
{
    const kept *before = find_kept(r, slot);
    bool needed = !before || !before->written;
    cpl_status status = recording_keep(r, s, slot, written);
    if (!status) find_kept(r, slot)->needed |= needed;
    return status;
}

cpl_status recording_keep(recording *r, dev_storage *s, dev_slot *slot, bool written)
{
    kept *there = find_kept(r, slot);
    if (there) {
        there->written |= written;
        return CPL_OK;
    }
    kept *k = mem_zalloc(context_mem(r->cx), sizeof *k);
    if (!k) return no_memory(r);
    *k = (kept){r->kept, s, slot, written, false};
    storage_retain(s);
    r->kept = k;
    return CPL_OK;
}

bool recording_valid(const recording *r, const dev_slot *slot)
{
    const kept *i = r ? find_kept(r, slot) : NULL;
    return i && i->written;
}

cpl_status recording_kernel(recording *r, cpl_kernel *kernel, dev_fault *fault)
{
    for (kept_kernel *i = r->kernels; i; i = i->next)
        if (i->kernel == kernel) return CPL_OK;
    kept_kernel *k = mem_zalloc(context_mem(r->cx), sizeof *k);
    if (!k) return no_memory(r);
    *k = (kept_kernel){r->kernels, kernel, fault};
    cpl_kernel_retain(kernel);
    r->kernels = k;
    return CPL_OK;
}

/* A record with room behind it for extra bytes. */
static record *add_record(recording *r, size_t extra)
{
    record *i = mem_zalloc(context_mem(r->cx), sizeof *i + extra);
    if (!i) return NULL;
    i->room = sizeof *i + extra;
    *r->last = i;
    r->last = &i->next;
    return i;
}

static void copy_values(record *i, const artifact *a, const binding *values)
{
    i->values = *values;
    for (size_t k = 0; k < a->param_count; k++) {
        i->values.pointers[k] = &i->values.values[k];
        if (a->params[k].role == PARAM_FAULT && values->values[k].pointer == &values->fault)
            i->values.values[k].pointer = &i->values.fault;
    }
}

cpl_status recording_launch(recording *r, const dev_launch *launch, uint64_t bytes)
{
    const artifact *a = &launch->kernel->artifact;
    size_t n = a->param_count;
    record *i = add_record(r, n * (sizeof(dev_block *) + 2 * sizeof(size_t)));
    if (!i) return no_memory(r);
    i->what = RECORD_LAUNCH;
    i->bytes = bytes;
    copy_values(i, a, launch->values);
    dev_block **blocks = (dev_block **)(i + 1);
    size_t *local_sizes = (size_t *)(blocks + n), *extents = local_sizes + n;
    memcpy(blocks, launch->blocks, n * sizeof *blocks);
    memcpy(local_sizes, launch->local_sizes, n * sizeof *local_sizes);
    memcpy(extents, launch->extents, n * sizeof *extents);
    i->launch = *launch;
    i->launch.values = &i->values;
    i->launch.blocks = (dev_block *const *)blocks;
    i->launch.local_sizes = local_sizes;
    i->launch.extents = extents;
    return CPL_OK;
}

cpl_status recording_copy(recording *r, dev_block *to, size_t to_at, const dev_block *from,
                          size_t from_at, size_t size)
{
    record *i = add_record(r, 0);
    if (!i) return no_memory(r);
    i->what = RECORD_COPY;
    i->to = *to;
    i->from = *from;
    i->to.last = i->from.last = NULL;
    i->to_at = to_at;
    i->from_at = from_at;
    i->bytes = size;
    return CPL_OK;
}

/*
 * Recorded launches. Where the driver has graphs of its own (CUDA) the stream captures what it is
 * given; elsewhere a list is kept of what the back end would have been given. Both keep the kernels
 * and the arrays' memory, and know which of it a launch of the graph writes.
 */
#include "runtime/device/device.h"

typedef struct record {
    struct record *next;
    enum { RECORD_LAUNCH, RECORD_COPY } what;
    binding values;     /* of a launch; its kernel is kept by the list of kernels */
    dev_launch launch;  /* its arrays follow the record */
    dev_block to, from; /* of a copy: addresses alone */
    size_t to_at, from_at, bytes, room;
} record;

typedef struct kept {
    struct kept *next;
    dev_storage *storage; /* held */
    dev_slot *slot;
    bool written;
    bool needed; /* a launch uses what was there before */
} kept;

typedef struct kept_kernel {
    struct kept_kernel *next;
    cpl_kernel *kernel; /* held */
    dev_fault *fault;   /* NULL: without checks */
} kept_kernel;

struct recording {
    cpl_context *cx;
    bool lists;
    record *records, **last;
    kept *kept;
    kept_kernel *kernels;
};

struct cpl_graph {
    atomic_uint references;
    cpl_queue *queue; /* recorded on; held */
    void *native;     /* the driver's, or NULL */
    recording *recording;
};

static recording *recording_create(cpl_queue *q)
{
    recording *r = mem_zalloc(context_mem(q->device->cx), sizeof *r);
    if (!r) return NULL;
    r->cx = q->device->cx;
    r->last = &r->records;
    return r;
}

static void recording_free(recording *r)
{
    cpl_context *cx = r->cx;
    const mem *m = context_mem(cx);
    for (record *i = r->records, *next; i; i = next) {
        next = i->next;
        mem_free(m, i, i->room);
    }
    for (kept *i = r->kept, *next; i; i = next) {
        next = i->next;
        storage_release(i->storage);
        mem_free(m, i, sizeof *i);
    }
    for (kept_kernel *i = r->kernels, *next; i; i = next) {
        next = i->next;
        cpl_kernel_release(i->kernel);
        mem_free(m, i, sizeof *i);
    }
    mem_free(m, r, sizeof *r);
}

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

cpl_status recording_launch(recording *r, const dev_launch *launch)
{
    const artifact *a = &launch->kernel->artifact;
    size_t n = a->param_count;
    record *i = add_record(r, n * (sizeof(dev_block *) + 2 * sizeof(size_t)));
    if (!i) return no_memory(r);
    i->what = RECORD_LAUNCH;
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

static void forget(cpl_queue *q)
{
    recording *r = q->recording;
    q->recording = NULL;
    if (!r->lists) q->device->ops->graph_end(q, NULL);
    recording_free(r);
}

cpl_status cpl_graph_begin(cpl_queue *queue)
{
    if (!queue) return BAD_CALL;
    cpl_context *cx = queue->device->cx;
    cpl_status status = queue_ready(queue);
    if (status) return status;
    if (queue->recording) return context_report(cx, CPL_EARG, "the queue records a graph already");
    recording *r = recording_create(queue);
    if (!r) return context_report(cx, CPL_ENOMEM, "out of memory for a graph");
    const dev_ops *ops = queue->device->ops;
    status = ops->graph_begin ? ops->graph_begin(queue) : CPL_EUNSUPPORTED;
    r->lists = status == CPL_EUNSUPPORTED;
    if (status && !r->lists) {
        recording_free(r);
        return status;
    }
    queue->forget = forget;
    queue->recording = r;
    return CPL_OK;
}

cpl_status cpl_graph_end(cpl_queue *queue, cpl_graph **graph)
{
    if (graph) *graph = NULL;
    if (!queue || !graph) return BAD_CALL;
    cpl_device *d = queue->device;
    if (context_forked(d->cx)) return context_refuse_fork(d->cx);
    if (!queue->recording) return context_report(d->cx, CPL_EARG, "the queue records no graph");
    cpl_graph *g = mem_zalloc(context_mem(d->cx), sizeof *g);
    if (!g) {
        forget(queue);
        return context_report(d->cx, CPL_ENOMEM, "out of memory for a graph");
    }
    recording *r = queue->recording;
    queue->recording = NULL;
    cpl_status status = r->lists ? CPL_OK : d->ops->graph_end(queue, &g->native);
    if (status) {
        recording_free(r);
        mem_free(context_mem(d->cx), g, sizeof *g);
        return status;
    }
    g->references = 1;
    g->queue = queue;
    g->recording = r;
    cpl_queue_retain(queue);
    if (queue->is_default) cpl_context_retain(d->cx);
    *graph = g;
    return CPL_OK;
}

static cpl_status run_record(cpl_queue *q, record *i)
{
    if (i->what == RECORD_COPY) {
        cpl_status status = blocks_copy(&i->to, i->to_at, &i->from, i->from_at, i->bytes, q);
        queue_remember(&i->to.last, NULL); /* the kept arrays remember the queue */
        queue_remember(&i->from.last, NULL);
        return status;
    }
    dev_watch w;
    cpl_status status = watch_begin(q, NULL, &w);
    queue_gave(q);
    if (!status) status = q->device->ops->launch(q, &i->launch, w.ticks);
    return watch_end(q, &w, status, NULL,
                     &(dev_done){CPL_PROFILE_KERNEL, i->launch.kernel->function, 0, NULL});
}

/* What launches use may have been written elsewhere since. */
static cpl_status bring(const kept *k, cpl_queue *q)
{
    cpl_device *place = k->slot->block.device;
    if (atomic_load(&k->storage->left))
        return context_report(k->storage->cx, CPL_EARG,
                              "an array that the graph uses was given other memory as it grew or "
                              "was squeezed: record the graph again");
    if (!k->needed || k->slot->valid) return CPL_OK;
    if (context_option(k->storage->cx, OPT_automatic))
        return storage_move(k->storage, place, q, NULL);
    return context_report(k->storage->cx, CPL_EARG,
                          "an array that the graph uses on %s is on %s: push it there, or set the "
                          "option automatic",
                          device_place(place), storage_place(k->storage));
}

/* The queue waits for whoever was at work on what the graph uses. */
static cpl_status before_graph(const cpl_graph *g, cpl_queue *q)
{
    for (kept *i = g->recording->kept; i; i = i->next) {
        cpl_status status = bring(i, q);
        if (!status) status = queue_behind(q, i->slot->block.last);
        if (status) return status;
    }
    return CPL_OK;
}

static void after_graph(const cpl_graph *g, cpl_queue *q)
{
    for (kept *i = g->recording->kept; i; i = i->next) {
        if (i->written) storage_written(i->storage, i->slot, q);
        /* memory of the host, too: copies of a graph read it late, page-locked or not */
        else queue_remember(&i->slot->block.last, q);
    }
    for (kept_kernel *i = g->recording->kernels; i; i = i->next)
        if (i->fault) atomic_store(&i->fault->pending, true);
}

static cpl_status check_queue(const cpl_graph *g, cpl_queue *q)
{
    cpl_context *cx = q->device->cx;
    if (context_forked(cx)) return context_refuse_fork(cx);
    if (q->device != g->queue->device)
        return context_report(cx, CPL_EARG, "the graph was recorded on %s, the queue is one of %s",
                              g->queue->device->info.label, q->device->info.label);
    if (q->recording)
        return context_report(cx, CPL_EARG, "a graph cannot be launched while its queue records");
    for (kept_kernel *i = g->recording->kernels; i; i = i->next)
        if (i->fault && q != g->queue)
            return context_report(
                cx, CPL_EARG,
                "a graph of kernels with bounds_check runs on the queue that it was recorded on");
    return queue_ready(q);
}

cpl_status cpl_graph_launch(cpl_graph *graph, cpl_queue *queue, cpl_event **event)
{
    if (event) *event = NULL;
    if (!graph) return BAD_CALL;
    cpl_queue *q = queue ? queue : graph->queue;
    const dev_ops *ops = q->device->ops;
    cpl_status status = check_queue(graph, q);
    if (!status) status = before_graph(graph, q);
    if (status) return status;
    if (graph->native) {
        dev_watch w;
        status = watch_begin(q, event, &w);
        if (status) return status;
        queue_gave(q);
        status = ops->graph_launch(q, graph->native, w.ticks);
        if (may_have_written(status)) after_graph(graph, q);
        return watch_end(q, &w, status, event, &(dev_done){CPL_PROFILE_KERNEL, "graph", 0, NULL});
    }
    for (record *i = graph->recording->records; i && !status; i = i->next)
        status = run_record(q, i);
    if (may_have_written(status)) after_graph(graph, q);
    return status || !event ? status : cpl_queue_record(q, event);
}

void cpl_graph_retain(cpl_graph *graph)
{
    if (graph) atomic_fetch_add_explicit(&graph->references, 1, memory_order_relaxed);
}

void cpl_graph_release(cpl_graph *graph)
{
    if (!graph || context_forked(graph->queue->device->cx)) return;
    if (atomic_fetch_sub_explicit(&graph->references, 1, memory_order_acq_rel) != 1) return;
    cpl_queue *q = graph->queue;
    cpl_context *cx = q->device->cx;
    if (!q->is_default) cpl_context_retain(cx);
    if (graph->native) q->device->ops->graph_free(q->device, graph->native);
    recording_free(graph->recording);
    mem_free(context_mem(cx), graph, sizeof *graph);
    cpl_queue_release(q);
    cpl_context_release(cx);
}

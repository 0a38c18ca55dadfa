/* Graphs: what a queue records, from the begin to the end, and launches of it. */
#include "runtime/device/recording.h"

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

static void forget(cpl_queue *q)
{
    recording *r = q->recording;
    q->recording = NULL;
    if (!r->lists) q->device->ops->graph_end(q, NULL);
    recording_free(r);
}

cpl_status cpl_graph_begin(cpl_queue *queue)
{
    if (MISSING("queue", queue)) return CPL_EARG;
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
    if (MISSING("queue graph", queue, graph)) return CPL_EARG;
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
                     &(dev_done){CPL_PROFILE_KERNEL, i->launch.kernel->function, i->bytes, NULL});
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
    if (MISSING("graph", graph)) return CPL_EARG;
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

/*
 * From a kernel and placed arguments to what a device is given: parameter values, hidden ones, a
 * grid. Elementwise functions, grids and plain functions alike; the host is a device.
 */
#include "runtime/device/device.h"

/* Whether what a kernel was compiled for is what the queue runs. */
static bool fits(const cpl_kernel *k, const cpl_queue *q)
{
    if (!q->compiles || !k->target) return !q->compiles && !k->target;
    return strcmp(k->target, q->compiles) == 0;
}

static const char *name_target(const char *target)
{
    return target ? target : "the host";
}

static cpl_status does_not_fit(const cpl_kernel *k, const cpl_queue *q)
{
    return context_report(q->device->cx, CPL_EARG, "'%s' was compiled for %s, the queue runs %s",
                          k->function, name_target(k->target), name_target(q->compiles));
}

cpl_status submit_check(const cpl_kernel *k, const placed *p)
{
    if (fits(k, p->queue)) return CPL_OK;
    if (p->queue->compiles) return does_not_fit(k, p->queue);
    return context_report(p->device->cx, CPL_EARG,
                          "'%s' was compiled for %s, and its arguments are on the host",
                          k->function, k->target);
}

/* --- parameters --- */

/* What goes with the binding's values: memory, sizes of local memory. */
typedef struct extras {
    dev_block *blocks[MOST_PARAMETERS];
    size_t local_sizes[MOST_PARAMETERS], extents[MOST_PARAMETERS];
} extras;

/* Local memory parts begin at multiples of 16 bytes, as wide as any access is. */
static uint64_t whole_parts(uint64_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* CUDA's kernels take the offset of each. */
static void add_local(const cpl_arg *arg, size_t i, binding *b, extras *x, dev_launch *l)
{
    size_t size = arg_bytes(arg);
    x->local_sizes[i] = size ? size : 1;
    b->values[i].u32 = (uint32_t)l->local_bytes;
    l->local_bytes += whole_parts(size);
}

static void fill_extras(const placed *p, const artifact *a, binding *b, extras *x, dev_launch *l)
{
    for (size_t i = 0; i < a->param_count; i++) {
        const artifact_param *q = &a->params[i];
        x->blocks[i] = NULL;
        x->local_sizes[i] = x->extents[i] = 0;
        if (q->role != PARAM_ARG && q->role != PARAM_PARTS) continue;
        const cpl_arg *arg = &p->args[q->arg];
        if (arg->kind == CPL_ARG_LOCAL) add_local(arg, i, b, x, l);
        if (arg->kind == CPL_ARG_ARRAY) {
            byte_range bytes = arg_range(arg);
            x->blocks[i] = p->slots[q->arg] ? &p->slots[q->arg]->block : NULL;
            x->extents[i] = bytes.begin == (uintptr_t)arg->data ? bytes.end - bytes.begin : 0;
        }
    }
}

/* What a device is to run. */
typedef struct order {
    cpl_kernel *kernel;
    placed *p;
    int64_t n;      /* rounds of an elementwise function */
    binding *bound; /* the arguments, which are apart; NULL: they are to be bound yet */
    dev_code *code;
    uint64_t groups[3];
    uint32_t group[3];
    dev_block *returned; /* where a plain function's result goes; NULL: nowhere */
    void *result;        /* on the host: of a plain function */
    cpl_event **event;
} order;

/* Hidden pointers: the fault record, the place for a result. */
static cpl_status fill_hidden(const order *o, binding *b, extras *x, dev_fault **fault)
{
    const artifact *a = &o->kernel->artifact;
    cpl_queue *q = o->p->queue;
    *fault = NULL;
    for (size_t i = 0; i < a->param_count; i++) {
        dev_block *block = NULL;
        /* where memory is shared it has the binding's */
        if (a->params[i].role == PARAM_FAULT && !q->device->ops->shares_memory) {
            cpl_kernel *whole = atomic_load(&o->kernel->whole);
            cpl_status status = fault_for(q, whole ? whole : o->kernel, o->code, fault);
            if (status) return status;
            block = &(*fault)->block;
        } else if (a->params[i].role == PARAM_RESULT) block = o->returned;
        if (!block) continue;
        b->values[i].pointer = (void *)(uintptr_t)block->address;
        x->blocks[i] = block;
        x->extents[i] = block->size;
    }
    return CPL_OK;
}

/* --- one launch --- */

static cpl_status record_or_launch(const order *o, const dev_launch *l, dev_fault *fault,
                                   dev_ticks *ticks)
{
    cpl_queue *q = o->p->queue;
    queue_gave(q);
    if (!q->recording) return q->device->ops->launch(q, l, ticks);
    cpl_status status = place_keep(o->p, &o->kernel->artifact);
    if (!status) status = recording_kernel(q->recording, o->kernel, fault);
    if (status) return status;
    if (!recording_lists(q->recording)) return q->device->ops->launch(q, l, ticks);
    return recording_launch(q->recording, l, place_bytes(o->p));
}

static cpl_status give(const order *o, const dev_launch *l, dev_fault *fault)
{
    cpl_queue *q = o->p->queue;
    dev_watch w;
    cpl_status status = watch_begin(q, o->event, &w);
    if (status) return status;
    status = record_or_launch(o, l, fault, w.ticks);
    if (!status && fault && !q->recording)
        atomic_store_explicit(&fault->pending, true, memory_order_release);
    if (may_have_written(status)) place_written(o->p, &o->kernel->artifact);
    dev_done done = {.what = CPL_PROFILE_KERNEL, .name = o->kernel->function};
    if (w.profiled) done.bytes = place_bytes(o->p);
    if (fault) done.kernel = o->kernel;
    return watch_end(q, &w, status, o->event, &done);
}

/* What a device has not is refused here: drivers end the process. The host's is plain memory. */
static cpl_status check_local(const order *o, const dev_launch *l)
{
    const cpl_device *d = o->p->device;
    uint64_t bytes = whole_parts(o->kernel->artifact.local_bytes) + l->local_bytes;
    if (is_host(d) || bytes <= d->info.local_memory) return CPL_OK;
    return context_report(d->cx, CPL_ELIMIT,
                          "'%s' takes %llu bytes of local memory a group, %s has %llu",
                          o->kernel->function, (unsigned long long)bytes, d->info.label,
                          (unsigned long long)d->info.local_memory);
}

static cpl_status run_bound(const order *o, binding *b)
{
    placed *p = o->p;
    const artifact *a = &o->kernel->artifact;
    extras x;
    dev_fault *fault;
    dev_launch l = {.kernel = o->kernel,
                    .code = o->code,
                    .values = b,
                    .result = o->result,
                    .rounds = a->elementwise ? o->n : 1,
                    .blocks = x.blocks,
                    .local_sizes = x.local_sizes,
                    .extents = x.extents};
    memcpy(l.groups, o->groups, sizeof l.groups);
    memcpy(l.group, o->group, sizeof l.group);
    fill_extras(p, a, b, &x, &l);
    cpl_status status = check_local(o, &l);
    if (!status) status = fill_hidden(o, b, &x, &fault);
    if (!status) status = place_ready(p);
    return status ? status : give(o, &l, fault);
}

/* The code is there, and so is its grid. */
static cpl_status run(const order *o)
{
    binding b;
    const placed *p = o->p;
    if (o->bound) return run_bound(o, o->bound);
    cpl_status status = args_bind(p->device->cx, &o->kernel->artifact, p->args, p->count, o->n, &b);
    if (!status) status = place_check_order(p, o->kernel);
    return status ? status : run_bound(o, &b);
}

/* Nothing to run: the arguments have to be right all the same. */
static cpl_status run_nothing(const order *o)
{
    binding b;
    const placed *p = o->p;
    cpl_status status = args_bind(p->device->cx, &o->kernel->artifact, p->args, p->count, 0, &b);
    return status || !o->event ? status : cpl_queue_record(p->queue, o->event);
}

/* --- elementwise --- */

static cpl_status elementwise_grid(order *o)
{
    const artifact *a = &o->kernel->artifact;
    const dev_code *code = o->code;
    uint64_t rounds = (uint64_t)code->group * (a->items ? a->items : 1),
             groups = ((uint64_t)o->n + rounds - 1) / rounds;
    if (a->items && groups > INT32_MAX) /* work-items take no further rounds */
        return context_report(o->p->device->cx, CPL_ELIMIT,
                              "%lld rounds of '%s' are too many for one launch on %s",
                              (long long)o->n, o->kernel->function, o->p->device->info.label);
    o->groups[0] = !a->items && groups > code->most_groups ? code->most_groups : groups;
    o->group[0] = code->group;
    return CPL_OK;
}

static cpl_status submit_elementwise(order *o)
{
    if (o->n <= 0) return run_nothing(o);
    cpl_status status = elementwise_grid(o);
    return status ? status : run(o);
}

/* --- over a grid --- */

/* The largest size of a group that divides the global one: what runs is then exactly what was asked
 * for. */
static uint32_t dividing_group(int64_t global, uint32_t most)
{
    uint32_t best = 1;
    for (uint32_t size = 1; size <= most && size <= global; size++)
        if (global % size == 0) best = size;
    return best;
}

/* The sizes of groups: as asked for, or one that divides the grid. CPL_EARG, CPL_ELIMIT: reported.
 */
static cpl_status make_group(order *o, const cpl_launch_options *l)
{
    cpl_context *cx = o->p->device->cx;
    const cpl_device_info *info = &o->p->device->info;
    uint32_t most = o->code->most_group < USUAL_GROUP ? o->code->most_group : USUAL_GROUP;
    bool chosen = launch_local(l, 0) == 0;
    for (int i = 0; i < 3; i++) {
        int64_t local = i == 0 && chosen ? dividing_group(l->global[0], most) : launch_local(l, i);
        if (l->global[i] < 0 || local < 1)
            return context_report(cx, CPL_EARG,
                                  "'%s' is launched with a global size of %lld and a local one of "
                                  "%lld in dimension %d",
                                  o->kernel->function, (long long)l->global[i],
                                  chosen ? 0 : (long long)local, i);
        if (!chosen && (uint64_t)local > info->max_group[i])
            return context_report(
                cx, CPL_ELIMIT, "%s takes groups of up to %u work-items in dimension %d, not %lld",
                device_place(o->p->device), info->max_group[i], i, (long long)local);
        o->group[i] = (uint32_t)local;
    }
    uint64_t size = (uint64_t)o->group[0] * o->group[1] * o->group[2];
    if (size <= o->code->most_group) return CPL_OK;
    return context_report(cx, CPL_ELIMIT,
                          "'%s' runs in groups of up to %u work-items on %s, not %llu",
                          o->kernel->function, o->code->most_group, info->label,
                          (unsigned long long)size);
}

static cpl_status make_groups(order *o, const cpl_launch_options *l)
{
    const cpl_device_info *info = &o->p->device->info;
    for (int i = 0; i < 3; i++) {
        o->groups[i] = ((uint64_t)l->global[i] + o->group[i] - 1) / o->group[i];
        if (o->groups[i] > (i == 0 ? INT32_MAX : o->p->device->ops->most_groups))
            return context_report(o->p->device->cx, CPL_ELIMIT,
                                  "%s takes no %llu groups in dimension %d", info->label,
                                  (unsigned long long)o->groups[i], i);
    }
    return CPL_OK;
}

static cpl_status submit_grid(order *o, const cpl_launch_options *l)
{
    cpl_status status = launch_grid_size(o->p->device->cx, o->kernel->function, l);
    if (!status) status = make_group(o, l);
    if (!status) status = make_groups(o, l);
    if (status) return status;
    bool empty = !o->groups[0] || !o->groups[1] || !o->groups[2];
    return empty ? run_nothing(o) : run(o);
}

/* --- plain functions --- */

/* One work-item. The value comes back from memory of the device's. */
static cpl_status run_with_result(order *o, size_t size)
{
    static const uint64_t zeros[2];
    cpl_queue *q = o->p->queue;
    const dev_ops *ops = q->device->ops;
    dev_block block = {0};
    uint64_t value[2];
    cpl_status status = pool_alloc(q->device, q, sizeof zeros, &block);
    if (status) return status;
    o->returned = &block;
    if (ops->write_waits) status = queue_await(q);
    if (!status) status = ops->store(q, &block, zeros, sizeof zeros);
    if (!status) status = run(o);
    if (!status) status = queue_await(q);
    if (!status) status = ops->read(q, &block, 0, value, size, NULL);
    if (!status && o->result) memcpy(o->result, value, size);
    queue_remember(&block.last, q);
    pool_free(&block);
    return status;
}

static cpl_status submit_function(order *o, const cpl_launch_options *l)
{
    cpl_queue *q = o->p->queue;
    const cpl_type *type = o->kernel->artifact.result;
    o->result = l->result;
    o->event = NULL;
    if (q->device->ops->at_once) return run(o);
    cpl_status status = type && type->size ? run_with_result(o, type->size) : run(o);
    if (!status && !(type && type->size)) status = queue_settle(q);
    return status ? status : faults_check(q, NULL);
}

/* Of what the host runs elementwise. */
static cpl_status submit_interpreted(order *o)
{
    placed *p = o->p;
    if (!p->device->ops->shares_memory || p->queue->recording)
        return context_report(p->device->cx, CPL_EUNSUPPORTED,
                              "the interpreter runs on the host, and now, not on %s",
                              p->queue->recording ? "a graph" : p->device->info.label);
    if (o->n <= 0) return run_nothing(o);
    cpl_status status = place_ready(p);
    if (!status) status = kernel_interpret(o->kernel, p->args, p->count, o->n);
    if (may_have_written(status)) place_written(p, &o->kernel->artifact);
    return status;
}

cpl_status submit_may_record(const cpl_kernel *k, const placed *p, const cpl_launch_options *o)
{
    cpl_status status = o->event ? queue_may_wait(p->queue, "an event") : CPL_OK;
    if (status || kernel_form(k) != CPL_FORM_FUNCTION) return status;
    return queue_may_wait(p->queue, "a call of a plain function");
}

cpl_status submit(cpl_kernel *k, placed *p, const cpl_launch_options *o, int64_t n, binding *bound)
{
    order x = {.kernel = k,
               .p = p,
               .n = n,
               .bound = bound,
               .groups = {1, 1, 1},
               .group = {1, 1, 1},
               .event = o->event};
    cpl_status status = submit_may_record(k, p, o);
    if (!status && o->interpret) return submit_interpreted(&x);
    if (!status) status = code_for(k, p->device, &x.code);
    if (status) return status;
    switch (kernel_form(k)) {
    case CPL_FORM_ELEMENTWISE: return submit_elementwise(&x);
    case CPL_FORM_KERNEL: return submit_grid(&x, o);
    default: return submit_function(&x, o);
    }
}

cpl_status cpl_kernel_max_group(cpl_kernel *kernel, cpl_queue *queue, size_t *most)
{
    if (most) *most = 0;
    if (MISSING("kernel queue most", kernel, queue, most)) return CPL_EARG;
    cpl_context *cx = module_context(kernel->module);
    if (context_forked(cx)) return context_refuse_fork(cx);
    if (queue->device->cx != cx)
        return context_report(cx, CPL_EARG, "the queue belongs to another context than the kernel");
    if (!fits(kernel, queue)) return does_not_fit(kernel, queue);
    if (!kernel->target && kernel->form != CPL_FORM_KERNEL)
        return context_report(cx, CPL_EARG, "'%s' has no work-groups: it is for the host",
                              kernel->function);
    dev_code *code;
    cpl_status status = code_for(kernel, queue->device, &code);
    if (!status) *most = code->most_group;
    return status;
}

/*
 * Launches on devices, and on the host with cpl_arrays. Arguments are placed first: each array has
 * valid memory where the launch runs, or the launch is refused; with the option `automatic` it gets
 * it. Then it is as on the host: find the kernel, bind its parameters, run.
 */
#include "runtime/device/device.h"

/* Arguments where they are used. */
typedef struct placed {
    cpl_device *device;
    cpl_queue *queue;
    size_t count;
    cpl_arg args[MOST_ARGUMENTS]; /* data is the address on the device */
    dev_storage *storages[MOST_ARGUMENTS];
    dev_slot *slots[MOST_ARGUMENTS]; /* NULL: no array, or memory of the host's own */
    /* over memory of the caller's, moved here for this launch; or NULL */
    cpl_array *made[MOST_ARGUMENTS];
    void *given[MOST_ARGUMENTS]; /* that memory: the first element */
} placed;

/* --- placing --- */

/* The shape of an array as kernels see it: flat if it is contiguous, else one dimension with a
 * stride. */
static cpl_status describe_array(cpl_context *cx, size_t i, const cpl_array *a, cpl_arg *arg)
{
    if (a->storage->cx != cx)
        return context_report(cx, CPL_EARG, "argument %zu belongs to another context", i + 1);
    arg->dtype = a->dtype;
    arg->record = a->record;
    arg->length = a->length;
    arg->stride = a->contiguous ? 0 : a->strides[0];
    if (a->contiguous || a->dims == 1) return CPL_OK;
    return context_report(cx, CPL_EARG,
                          "argument %zu has %d dimensions and gaps between its elements; kernels "
                          "take dense arrays or one strided dimension",
                          i + 1, a->dims);
}

static cpl_status elsewhere(const placed *p, size_t i, const char *where)
{
    return context_report(p->device->cx, CPL_EARG,
                          "argument %zu is on %s and the launch runs on %s: push it there, or set "
                          "the option automatic",
                          i + 1, where, is_host(p->device) ? "the host" : p->device->info.label);
}

static cpl_status place_array(placed *p, size_t i, const cpl_array *a)
{
    dev_storage *s = a->storage;
    dev_slot *slot = storage_slot(s, p->device);
    cpl_context *cx = p->device->cx;
    if (!slot || !(slot->valid || recording_valid(p->queue->recording, slot))) {
        if (!context_option(cx, "automatic")) return elsewhere(p, i, storage_place(s));
        cpl_status status = storage_move(s, p->device, p->queue, NULL);
        if (status) return status;
        slot = storage_slot(s, p->device);
    }
    p->storages[i] = s;
    p->slots[i] = slot;
    p->args[i].data = (void *)(uintptr_t)(slot->block.address + a->offset);
    return CPL_OK;
}

/* An array that was made for the same memory, or NULL: what a round writes there it may read as the
 * other argument. */
static cpl_array *made_before(const placed *p, size_t i, const cpl_arg *arg)
{
    for (size_t k = 0; k < i; k++)
        if (p->made[k] && p->given[k] == arg->data && p->args[k].length == arg->length &&
            p->args[k].stride == arg->stride && p->args[k].dtype == arg->dtype &&
            p->args[k].record == arg->record)
            return p->made[k];
    return NULL;
}

/* Memory of the caller's moves to the device for this launch alone. */
static cpl_status place_pointer(placed *p, size_t i, const cpl_arg *arg)
{
    if (is_host(p->device)) return CPL_OK;
    cpl_context *cx = p->device->cx;
    if (!context_option(cx, "automatic")) return elsewhere(p, i, "the host (a plain pointer)");
    if (p->queue->recording)
        return context_report(cx, CPL_EARG,
                              "argument %zu is a plain pointer, which cannot be part of a graph",
                              i + 1);
    p->given[i] = arg->data;
    cpl_array_retain(p->made[i] = made_before(p, i, arg));
    if (p->made[i]) return place_array(p, i, p->made[i]);
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = arg->dtype;
    o.record = arg->record;
    o.dims = 1;
    o.shape[0] = arg->length;
    o.strides[0] = arg->stride;
    char *first = arg->data;
    if (arg->stride < 0 && arg->length > 1) {
        o.offset = (size_t)(-arg->stride * (arg->length - 1));
        first -= o.offset;
    }
    cpl_status status = cpl_array_wrap(cx, NULL, &o, first, &p->made[i]);
    return status ? status : place_array(p, i, p->made[i]);
}

static cpl_status place(placed *p, cpl_context *cx, cpl_queue *q, const cpl_arg *args, size_t count)
{
    if (count > MOST_ARGUMENTS)
        return context_report(cx, CPL_ELIMIT, "more than %d arguments", MOST_ARGUMENTS);
    if (q->device->cx != cx)
        return context_report(cx, CPL_EARG,
                              "the queue belongs to another context than the function");
    p->device = q->device;
    p->queue = q;
    p->count = count;
    for (size_t i = 0; i < count; i++) p->made[i] = NULL, p->given[i] = NULL;
    for (size_t i = 0; i < count; i++) {
        const cpl_arg *arg = &args[i];
        p->args[i] = *arg;
        p->slots[i] = NULL;
        bool is_array = arg->kind == CPL_ARG_ARRAY, is_placed = is_array && arg->array;
        cpl_status status =
            is_placed ? describe_array(cx, i, arg->array, &p->args[i]) : arg_check(cx, i, arg);
        if (!status && is_array)
            status = is_placed ? place_array(p, i, arg->array) : place_pointer(p, i, arg);
        if (status) return status;
        p->args[i].array = NULL;
    }
    return CPL_OK;
}

/* Brings back what the launch wrote in memory of the caller's. */
static cpl_status unplace(placed *p, cpl_status status)
{
    for (size_t i = 0; i < p->count; i++) {
        if (!p->made[i]) continue;
        if (!status) status = cpl_array_pull(p->made[i], p->queue);
        cpl_array_release(p->made[i]);
    }
    return status;
}

/* The device of a launch without a queue: the first array's home, else the host. */
static cpl_device *launch_device(cpl_context *cx, const cpl_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (args[i].kind == CPL_ARG_ARRAY && args[i].array) return args[i].array->storage->home;
    return device_host(cx);
}

static cpl_status begin(placed *p, cpl_context *cx, cpl_queue *queue, const cpl_arg *args,
                        size_t count)
{
    p->count = 0;
    if (context_forked(cx)) return context_refuse_fork(cx);
    cpl_device *d = queue ? queue->device : launch_device(cx, args, count);
    cpl_queue *q = queue ? queue : cpl_device_queue(d);
    if (!q)
        return context_report(cx, device_no_queue(d), "there is no queue to be had for %s",
                              d->info.label);
    cpl_status status = queue_ready(q);
    return status ? status : place(p, cx, q, args, count);
}

/* Leaves the arguments that are values, behind the choice of a kernel. */
static void leave_values(placed *p)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (p->args[i].kind == CPL_ARG_BOUND) continue;
        p->args[kept] = p->args[i];
        p->storages[kept] = p->storages[i];
        p->slots[kept] = p->slots[i];
        p->made[kept] = p->made[i];
        p->given[kept++] = p->given[i];
    }
    p->count = kept;
}

static const char *target_of(const cpl_queue *q)
{
    return is_host(q->device) ? NULL : q->target;
}

/* Two foreign cl_mem may be parts of one, and nobody says so. */
static bool is_opaque(const placed *p)
{
    size_t arrays = 0, opaque = 0;
    for (size_t i = 0; i < p->count; i++) {
        arrays += p->args[i].kind == CPL_ARG_ARRAY;
        opaque += p->slots[i] && p->slots[i]->block.foreign && p->slots[i]->block.memory;
    }
    return opaque && arrays > 1;
}

/* A kernel that somebody held on to, or what does for these arrays in its place. */
static cpl_status suited(cpl_kernel *k, const placed *p, int64_t n, cpl_kernel **fit)
{
    uint32_t facts = args_facts(&k->artifact, p->args, p->count, n) & ~(uint32_t)CPL_FACT_IN_ORDER;
    if (is_opaque(p)) facts &= ~(uint32_t)CPL_FACT_APART;
    return kernel_version(k, facts, fit);
}

static kernel_request request_of(const placed *p, cpl_module *module, const char *function,
                                 cpl_form form)
{
    return (kernel_request){.module = module,
                            .function = function,
                            .form = form,
                            .target = target_of(p->queue),
                            .args = p->args,
                            .count = p->count,
                            .opaque = is_opaque(p)};
}

/* --- running --- */

/* What is recorded did not happen: a launch of the graph marks what it kept. */
static void mark_written(const placed *p, const artifact *a)
{
    size_t next = 0;
    if (p->queue->recording) return;
    for (size_t i = 0; i < a->param_count; i++) {
        if (a->params[i].role != PARAM_ARG) continue;
        dev_slot *slot = p->slots[next];
        if (slot && !a->params[i].readonly) storage_written(p->storages[next], slot, p->queue);
        else if (slot && !is_host(p->device)) queue_remember(&slot->block.last, p->queue);
        next++;
    }
}

static cpl_status keep_arrays(const placed *p, const artifact *a)
{
    size_t next = 0;
    for (size_t i = 0; i < a->param_count; i++) {
        if (a->params[i].role != PARAM_ARG) continue;
        dev_slot *slot = p->slots[next];
        if (slot) {
            cpl_status status = recording_keep(p->queue->recording, p->storages[next], slot,
                                               !a->params[i].readonly);
            if (status) return status;
        }
        next++;
    }
    return CPL_OK;
}

static size_t argument_bytes(const cpl_arg *arg)
{
    return (size_t)arg->length * (arg->record ? arg->record->size : cpl_dtype_size(arg->dtype));
}

static uint64_t array_bytes(const placed *p)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->args[i].kind == CPL_ARG_ARRAY) bytes += argument_bytes(&p->args[i]);
    return bytes;
}

/* What goes with the binding's values: memory, sizes of local memory. */
typedef struct extras {
    dev_block *blocks[MOST_PARAMETERS];
    size_t local_sizes[MOST_PARAMETERS], extents[MOST_PARAMETERS];
} extras;

/* Local memory parts begin at multiples of 16 bytes, as wide as any access is; CUDA's kernels take
 * the offset of each. */
static void add_local(const cpl_arg *arg, size_t i, binding *b, extras *x, dev_launch *l)
{
    size_t size = argument_bytes(arg);
    x->local_sizes[i] = size ? size : 1;
    b->values[i].u32 = l->local_bytes;
    l->local_bytes += (uint32_t)((size + 15) / 16 * 16);
}

static void fill_extras(const placed *p, const artifact *a, binding *b, extras *x, dev_launch *l)
{
    size_t next = 0;
    for (size_t i = 0; i < a->param_count; i++) {
        x->blocks[i] = NULL;
        x->local_sizes[i] = x->extents[i] = 0;
        if (a->params[i].role != PARAM_ARG) continue;
        const cpl_arg *arg = &p->args[next];
        if (arg->kind == CPL_ARG_LOCAL) add_local(arg, i, b, x, l);
        if (arg->kind == CPL_ARG_ARRAY) {
            size_t element = arg->record ? arg->record->size : cpl_dtype_size(arg->dtype);
            int64_t stride = arg->stride ? arg->stride : (int64_t)element;
            x->blocks[i] = p->slots[next] ? &p->slots[next]->block : NULL;
            x->extents[i] = arg->length && stride >= 0
                                ? (size_t)(arg->length - 1) * (size_t)stride + element
                                : 0;
        }
        next++;
    }
}

/* What plain functions are given besides. */
typedef struct hidden {
    dev_block *result, *parts; /* NULL: none */
    int32_t phase;
} hidden;

/* Hidden pointers: the fault record, the place for a result, those for parts of reductions. */
static cpl_status fill_hidden(cpl_kernel *k, dev_code *code, cpl_queue *q, const hidden *h,
                              binding *b, extras *x, dev_fault **fault)
{
    const artifact *a = &k->artifact;
    uint64_t part = 0;
    *fault = NULL;
    for (size_t i = 0; i < a->param_count; i++) {
        dev_block *block = NULL;
        uint64_t at = 0;
        if (a->params[i].role == PARAM_FAULT) {
            cpl_status status = fault_for(q, k, code, fault);
            if (status) return status;
            block = &(*fault)->block;
        } else if (a->params[i].role == PARAM_RESULT) block = h->result;
        else if (a->params[i].role == PARAM_PHASE) b->values[i].i32 = h->phase;
        else if (a->params[i].role == PARAM_PARTS) {
            block = h->parts;
            at = ARTIFACT_PART_BYTES * part++;
        }
        if (!block) continue;
        b->values[i].pointer = (void *)(uintptr_t)(block->address + at);
        x->blocks[i] = block;
        x->extents[i] = block == h->parts ? ARTIFACT_PART_BYTES : block->size;
    }
    return CPL_OK;
}

typedef struct grid {
    uint64_t groups[3];
    uint32_t group[3];
} grid;

static cpl_status wait_for_arrays(const placed *p)
{
    for (size_t i = 0; i < p->count; i++) {
        if (!p->slots[i]) continue;
        cpl_status status = queue_behind(p->queue, p->slots[i]->block.last);
        if (status) return status;
    }
    return CPL_OK;
}

/* Nobody is at work on arrays that the host is to use: copies from page-locked memory may be. */
static cpl_status host_ready(const placed *p)
{
    cpl_status status = wait_for_arrays(p);
    for (size_t i = 0; i < p->count && !status; i++) {
        if (!p->slots[i] || !p->slots[i]->block.last) continue;
        status = queue_drain(p->slots[i]->block.last);
        if (!status) queue_remember(&p->slots[i]->block.last, NULL);
    }
    return status;
}

/* A kernel that was stopped by nothing but its own checks ran all the same. */
static bool may_have_written(cpl_status status)
{
    return !status || status == CPL_EBOUNDS || status == CPL_EASSERT;
}

static cpl_status give_launch(cpl_kernel *k, placed *p, const dev_launch *l, dev_fault *fault,
                              cpl_event **event)
{
    cpl_queue *q = p->queue;
    dev_watch w;
    cpl_status status = watch_begin(q, event, &w);
    if (status) return status;
    if (q->recording) {
        status = keep_arrays(p, &k->artifact);
        if (!status) status = recording_kernel(q->recording, k, fault);
    }
    if (!status && recording_lists(q->recording)) status = recording_launch(q->recording, k, l);
    else if (!status) status = q->device->ops->launch(q, l, w.ticks);
    if (!status && fault && !q->recording)
        atomic_store_explicit(&fault->pending, true, memory_order_release);
    if (!status) mark_written(p, &k->artifact);
    return watch_end(q, &w, status, event, fault ? k : NULL, CPL_PROFILE_KERNEL, k->function,
                     w.profiled ? array_bytes(p) : 0);
}

/* How arguments share memory: on the device, and where memory of the caller's was moved from. */
static args_sharing placed_share(const placed *p, const artifact *a)
{
    cpl_arg given[MOST_ARGUMENTS];
    args_sharing found = args_share(a, p->args, p->count);
    size_t made = 0;
    for (size_t i = 0; i < p->count; i++) made += p->made[i] != NULL;
    if (made < 2 || found == ARGS_CROSS) return found;
    for (size_t i = 0; i < p->count; i++) {
        given[i] = p->made[i] ? p->args[i] : cpl_arg_int(0);
        given[i].data = p->given[i];
    }
    return args_share(a, given, p->count);
}

static cpl_status other_target(const cpl_kernel *k, const placed *p)
{
    if (is_host(p->device))
        return context_report(p->device->cx, CPL_EARG,
                              "'%s' was compiled for %s, and its arguments are on the host",
                              k->function, k->target);
    return context_report(p->device->cx, CPL_EARG, "'%s' was compiled for %s, the queue runs %s",
                          k->function, k->target ? k->target : "the host", p->queue->target);
}

/* Binds and runs on a device. g NULL: an elementwise launch of n rounds. */
static cpl_status run_device(cpl_kernel *k, placed *p, int64_t n, const grid *g, const hidden *h,
                             cpl_event **event)
{
    cpl_context *cx = p->device->cx;
    const artifact *a = &k->artifact;
    binding b;
    extras x;
    dev_code *code;
    dev_fault *fault;
    if (!k->target || strcmp(k->target, p->queue->target) != 0) return other_target(k, p);
    cpl_status status = args_bind(cx, a, p->args, p->count, n, &b);
    if (!status && placed_share(p, a) == ARGS_CROSS)
        status = context_report(cx, CPL_EOVERLAP,
                                "arguments of '%s' overlap partly and one of them is written, "
                                "which %s cannot do in order",
                                k->function, p->device->info.label);
    if (!status) status = code_for(k, p->device, &code);
    if (status) return status;
    dev_launch l = {.artifact = a,
                    .code = code,
                    .values = &b,
                    .blocks = x.blocks,
                    .local_sizes = x.local_sizes,
                    .extents = x.extents};
    fill_extras(p, a, &b, &x, &l);
    status = fill_hidden(k, code, p->queue, h, &b, &x, &fault);
    if (!status) status = wait_for_arrays(p);
    if (status) return status;
    if (g) {
        memcpy(l.groups, g->groups, sizeof l.groups);
        memcpy(l.group, g->group, sizeof l.group);
    } else {
        uint64_t rounds = (uint64_t)code->group * (a->items ? a->items : 1),
                 groups = ((uint64_t)n + rounds - 1) / rounds;
        if (a->items && groups > INT32_MAX) /* work-items take no further rounds */
            return context_report(cx, CPL_ELIMIT,
                                  "%lld rounds of '%s' are too many for one launch on %s",
                                  (long long)n, k->function, p->device->info.label);
        l.groups[0] = !a->items && groups > code->most_groups ? code->most_groups : groups;
        l.groups[1] = l.groups[2] = l.group[1] = l.group[2] = 1;
        l.group[0] = code->group;
    }
    return give_launch(k, p, &l, fault, event);
}

/* Nothing to run: the arguments have to be right all the same. */
static cpl_status run_nothing(cpl_kernel *k, const placed *p, cpl_event **event)
{
    binding b;
    cpl_status status = args_bind(p->device->cx, &k->artifact, p->args, p->count, 0, &b);
    return status || !event ? status : cpl_queue_record(p->queue, event);
}

/* On the host: with plain arguments it is the launch that there is without arrays. */
static cpl_status run_host(cpl_kernel *k, placed *p, int64_t n, cpl_event **event)
{
    cpl_queue *q = p->queue;
    cpl_context *cx = p->device->cx;
    if (k->target) return other_target(k, p);
    if (n <= 0) return run_nothing(k, p, event);
    dev_watch w;
    cpl_status status = host_ready(p);
    if (!status) status = watch_begin(q, event, &w);
    if (status) return status;
    w.profiled = false; /* the launch records itself */
    if (q->recording) {
        binding b;
        cpl_kernel *version = NULL;
        uint32_t facts = args_facts(&k->artifact, p->args, p->count, n);
        if (facts & CPL_FACT_IN_ORDER)
            status =
                context_report(cx, CPL_EOVERLAP,
                               "arguments of '%s' overlap partly, which a graph cannot do in order",
                               k->function);
        if (!status) status = kernel_version(k, facts, &version);
        if (!status) status = args_bind(cx, &version->artifact, p->args, p->count, n, &b);
        if (!status) status = keep_arrays(p, &k->artifact);
        if (!status) status = recording_host(q->recording, version, &b, n);
    } else {
        uint64_t start = profile_now(cx);
        status = cpl_elementwise_run(k, NULL, p->args, p->count, n, NULL);
        if (w.ticks) {
            w.ticks->begin_ns = start;
            w.ticks->end_ns = profile_now(cx);
        }
    }
    if (may_have_written(status)) mark_written(p, &k->artifact);
    return watch_end(q, &w, status, event, NULL, CPL_PROFILE_KERNEL, k->function, 0);
}

static cpl_status run_elementwise(cpl_kernel *k, placed *p, int64_t n, cpl_event **event)
{
    cpl_context *cx = p->device->cx;
    if (!k->artifact.elementwise)
        return context_report(cx, CPL_EARG, "'%s' is not an elementwise function", k->function);
    if (is_host(p->device)) return run_host(k, p, n, event);
    if (n <= 0) return run_nothing(k, p, event);
    cpl_kernel *fit;
    cpl_status status = suited(k, p, n, &fit);
    if (status) return status;
    return run_device(fit, p, n, NULL, &(hidden){0}, event);
}

cpl_status device_elementwise(cpl_module *module, const char *function, cpl_queue *queue,
                              const cpl_arg *args, size_t count, int64_t n, cpl_event **event)
{
    placed p;
    cpl_context *cx = module_context(module);
    cpl_status status = begin(&p, cx, queue, args, count);
    if (!status) status = launch_count(cx, p.args, count, &n);
    cpl_kernel *k;
    if (!status) {
        kernel_request r = request_of(&p, module, function, CPL_FORM_ELEMENTWISE);
        r.n = n;
        r.lasting = p.queue->recording != NULL;
        status = kernel_for_args(&r, &k);
    }
    if (!status) leave_values(&p);
    if (!status) status = run_elementwise(k, &p, n, event);
    return unplace(&p, status);
}

cpl_status device_elementwise_run(cpl_kernel *kernel, cpl_queue *queue, const cpl_arg *args,
                                  size_t count, int64_t n, cpl_event **event)
{
    placed p;
    cpl_context *cx = module_context(kernel->module);
    cpl_status status = begin(&p, cx, queue, args, count);
    if (!status) status = launch_count(cx, p.args, count, &n);
    if (!status) status = run_elementwise(kernel, &p, n, event);
    return unplace(&p, status);
}

/* A kernel of a form for arguments on a queue. */
static cpl_status kernel_on(cpl_module *module, const char *function, cpl_form form,
                            cpl_queue *queue, const cpl_arg *args, size_t count,
                            cpl_kernel **kernel)
{
    if (kernel) *kernel = NULL;
    if (!module || !kernel || (count && !args)) return CPL_EARG;
    placed p;
    cpl_status status = begin(&p, module_context(module), queue, args, count);
    if (!status) {
        kernel_request r = request_of(&p, module, function, form);
        r.lasting = true;
        status = kernel_for_args(&r, kernel);
    }
    if (!status) {
        kernel_settle(*kernel);
        cpl_kernel_retain(*kernel);
    }
    /* nothing ran: nothing to bring back */
    for (size_t i = 0; i < p.count; i++) cpl_array_release(p.made[i]);
    return status;
}

cpl_status cpl_elementwise_kernel_for(cpl_module *module, const char *function, cpl_queue *queue,
                                      const cpl_arg *args, size_t count, cpl_kernel **kernel)
{
    return kernel_on(module, function, CPL_FORM_ELEMENTWISE, queue, args, count, kernel);
}

cpl_status cpl_launch_kernel(cpl_module *module, const char *function, cpl_queue *queue,
                             const cpl_arg *args, size_t count, cpl_kernel **kernel)
{
    return kernel_on(module, function, CPL_FORM_KERNEL, queue, args, count, kernel);
}

/* --- low-level kernels --- */

/* The largest size of a group that divides the global one: what runs is then exactly what was asked
 * for. */
static uint32_t dividing_group(int64_t global, uint32_t most)
{
    uint32_t best = 1;
    for (uint32_t size = 1; size <= most && size <= global; size++)
        if (global % size == 0) best = size;
    return best;
}

static cpl_status make_grid(cpl_kernel *k, const cpl_queue *q, const dev_code *code,
                            const int64_t global[3], const int64_t local[3], grid *g, bool *empty)
{
    cpl_context *cx = q->device->cx;
    const cpl_device_info *info = &q->device->info;
    uint64_t size = 1;
    *empty = false;
    for (int i = 0; i < 3; i++) {
        if (global[i] < 0 || (local && local[i] < 1))
            return context_report(cx, CPL_EARG,
                                  "'%s' is launched with a global size of %lld and a local one of "
                                  "%lld in dimension %d",
                                  k->function, (long long)global[i],
                                  local ? (long long)local[i] : 0, i);
        if (local && (uint64_t)local[i] > info->max_group[i])
            return context_report(
                cx, CPL_ELIMIT, "%s takes groups of up to %u work-items in dimension %d, not %lld",
                info->label, info->max_group[i], i, (long long)local[i]);
        *empty |= global[i] == 0;
        uint32_t most = code->most_group < 256 ? code->most_group : 256;
        g->group[i] = local ? (uint32_t)local[i] : i == 0 ? dividing_group(global[0], most) : 1;
        g->groups[i] = ((uint64_t)global[i] + g->group[i] - 1) / g->group[i];
        size *= g->group[i];
        if (g->groups[i] > (i == 0 || info->kind != CPL_DEVICE_CUDA ? INT32_MAX : 65535))
            return context_report(cx, CPL_ELIMIT, "%s takes no %llu groups in dimension %d",
                                  info->label, (unsigned long long)g->groups[i], i);
    }
    if (size > code->most_group)
        return context_report(cx, CPL_ELIMIT,
                              "'%s' runs in groups of up to %u work-items on %s, not %llu",
                              k->function, code->most_group, info->label, (unsigned long long)size);
    return CPL_OK;
}

static cpl_status run_grid(cpl_kernel *k, placed *p, const int64_t global[3],
                           const int64_t local[3], cpl_event **event)
{
    dev_code *code;
    grid g;
    bool empty;
    cpl_status status = code_for(k, p->device, &code);
    if (!status) status = make_grid(k, p->queue, code, global, local, &g, &empty);
    if (status) return status;
    return empty ? run_nothing(k, p, event) : run_device(k, p, 0, &g, &(hidden){0}, event);
}

static cpl_status launch_grid(cpl_kernel *k, placed *p, const int64_t global[3],
                              const int64_t local[3], cpl_event **event)
{
    cpl_context *cx = p->device->cx;
    if (k->form != CPL_FORM_KERNEL)
        return context_report(cx, CPL_EARG, "'%s' was not compiled as a low-level kernel",
                              k->function);
    if (is_host(p->device))
        return context_report(cx, CPL_EUNSUPPORTED,
                              "low-level kernels run on devices, not on the host");
    cpl_kernel *fit;
    cpl_status status = suited(k, p, 0, &fit);
    if (status) return status;
    return run_grid(fit, p, global, local, event);
}

cpl_status cpl_launch(cpl_kernel *kernel, cpl_queue *queue, const int64_t global[3],
                      const int64_t local[3], const cpl_arg *args, size_t count, cpl_event **event)
{
    if (event) *event = NULL;
    if (!kernel || !global || (count && !args)) return CPL_EARG;
    placed p;
    cpl_status status = begin(&p, module_context(kernel->module), queue, args, count);
    if (!status) status = launch_grid(kernel, &p, global, local, event);
    return unplace(&p, status);
}

cpl_status cpl_kernel_max_group(cpl_kernel *kernel, cpl_queue *queue, size_t *most)
{
    if (most) *most = 0;
    if (!kernel || !queue || !most) return CPL_EARG;
    cpl_context *cx = module_context(kernel->module);
    if (context_forked(cx)) return context_refuse_fork(cx);
    if (queue->device->cx != cx)
        return context_report(cx, CPL_EARG, "the queue belongs to another context than the kernel");
    if (!kernel->target || is_host(queue->device))
        return context_report(cx, CPL_EARG, "'%s' has no work-groups: it is for the host",
                              kernel->function);
    dev_code *code;
    cpl_status status = code_for(kernel, queue->device, &code);
    if (!status) *most = code->most_group;
    return status;
}

/* --- plain functions --- */

/* One work-item, but for reductions: see lib/README.md. */
static cpl_status run_function(cpl_kernel *k, placed *p, dev_block *result)
{
    static const grid one = {{1, 1, 1}, {1, 1, 1}};
    hidden h = {.result = result};
    if (k->artifact.parts == 0) return run_device(k, p, 0, &one, &h, NULL);
    dev_code *code;
    dev_block parts = {0};
    cpl_status status = code_for(k, p->device, &code);
    if (!status)
        status = pool_alloc(p->device, p->queue, (size_t)k->artifact.parts * ARTIFACT_PART_BYTES,
                            &parts);
    if (status) return status;
    h.parts = &parts;
    grid all = {{256, 1, 1},
                {code->most_group < ARTIFACT_PART_GROUP ? code->most_group : ARTIFACT_PART_GROUP, 1,
                 1}};
    status = run_device(k, p, 0, &all, &h, NULL);
    h.phase = 1;
    if (!status) status = run_device(k, p, 0, &one, &h, NULL);
    queue_remember(&parts.last, p->queue);
    pool_free(&parts);
    return status;
}

static cpl_status call_device(cpl_kernel *k, placed *p, void *result)
{
    cpl_queue *q = p->queue;
    cpl_status status = queue_may_wait(q, "a call of a plain function");
    if (status) return status;
    size_t size = k->artifact.result ? k->artifact.result->size : 0;
    dev_block block = {0};
    if (size) {
        static const uint64_t zeros[2];
        status = pool_alloc(p->device, q, sizeof zeros, &block);
        if (!status) status = p->device->ops->store(q, &block, zeros, sizeof zeros);
    }
    if (!status) status = run_function(k, p, size ? &block : NULL);
    if (!status && size) {
        uint64_t value[2];
        status = p->device->ops->read(q, &block, 0, value, size, NULL);
        if (!status && result) memcpy(result, value, size);
    } else if (!status) status = p->device->ops->drain(q);
    if (block.device) {
        queue_remember(&block.last, q);
        pool_free(&block);
    }
    return status ? status : faults_check(q, NULL);
}

/* Something on the host with placed arguments; nobody knows which of them it writes. */
static cpl_status run_placed(placed *p, cpl_status (*run)(void *user, const cpl_arg *args),
                             void *user)
{
    cpl_status status = host_ready(p);
    if (status) return status;
    status = run(user, p->args);
    for (size_t i = 0; may_have_written(status) && i < p->count; i++)
        if (p->slots[i]) storage_written(p->storages[i], p->slots[i], NULL);
    return status;
}

static cpl_status call_placed(cpl_module *module, const char *function, placed *p, void *result,
                              const cpl_type **result_type)
{
    cpl_kernel *k;
    cpl_status status = queue_may_wait(p->queue, "a call of a plain function");
    if (!status) status = host_ready(p);
    if (status) return status;
    status = call_host(module, function, p->args, p->count, result, &k);
    leave_values(p);
    if (k && may_have_written(status)) mark_written(p, &k->artifact);
    if (k && result_type) *result_type = k->artifact.result;
    return status;
}

cpl_status cpl_call_on(cpl_module *module, const char *function, cpl_queue *queue,
                       const cpl_arg *args, size_t count, void *result,
                       const cpl_type **result_type)
{
    if (!module || (count && !args)) return CPL_EARG;
    placed p;
    cpl_kernel *k;
    cpl_status status = begin(&p, module_context(module), queue, args, count);
    if (!status && is_host(p.device))
        return unplace(&p, call_placed(module, function, &p, result, result_type));
    if (!status) {
        kernel_request r = request_of(&p, module, function, CPL_FORM_FUNCTION);
        r.lasting = true;
        status = kernel_for_args(&r, &k);
    }
    if (!status) leave_values(&p);
    if (!status) status = call_device(k, &p, result);
    if (!status && result_type) *result_type = k->artifact.result;
    return unplace(&p, status);
}

cpl_status cpl_call_kernel(cpl_module *module, const char *function, cpl_queue *queue,
                           const cpl_arg *args, size_t count, cpl_kernel **kernel)
{
    return kernel_on(module, function, CPL_FORM_FUNCTION, queue, args, count, kernel);
}

static cpl_status call_on_host(cpl_kernel *k, placed *p, void *result)
{
    if (k->target) return other_target(k, p);
    cpl_status status = queue_may_wait(p->queue, "a call of a plain function");
    if (!status) status = host_ready(p);
    if (status) return status;
    status = call_held(k, p->args, p->count, result);
    if (may_have_written(status)) mark_written(p, &k->artifact);
    return status;
}

static cpl_status call_on_device(cpl_kernel *k, placed *p, void *result)
{
    cpl_kernel *fit;
    cpl_status status = suited(k, p, 0, &fit);
    return status ? status : call_device(fit, p, result);
}

cpl_status cpl_call_run(cpl_kernel *kernel, cpl_queue *queue, const cpl_arg *args, size_t count,
                        void *result)
{
    if (!kernel || (count && !args)) return CPL_EARG;
    cpl_context *cx = module_context(kernel->module);
    if (context_forked(cx)) return context_refuse_fork(cx);
    if (kernel->form != CPL_FORM_FUNCTION || kernel->artifact.elementwise)
        return context_report(cx, CPL_EARG, "'%s' was not compiled as a plain function",
                              kernel->function);
    if (!queue && !kernel->target && !args_have_arrays(args, count))
        return call_held(kernel, args, count, result);
    placed p;
    cpl_status status = begin(&p, cx, queue, args, count);
    if (!status)
        status = is_host(p.device) ? call_on_host(kernel, &p, result)
                                   : call_on_device(kernel, &p, result);
    return unplace(&p, status);
}

cpl_status device_on_host(cpl_context *cx, const cpl_arg *args, size_t count,
                          cpl_status (*run)(void *user, const cpl_arg *args), void *user)
{
    placed p;
    if (context_forked(cx)) return context_refuse_fork(cx);
    cpl_queue *host = cpl_device_queue(device_host(cx));
    if (!host) return context_no_memory(cx);
    cpl_status status = begin(&p, cx, host, args, count);
    return unplace(&p, status ? status : run_placed(&p, run, user));
}

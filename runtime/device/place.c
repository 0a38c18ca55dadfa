/*
 * Arguments where a launch uses them: each array has valid memory on the device, or the launch is
 * refused; with the option `automatic`, the launch's or the context's, it gets it.
 */
#include "runtime/device/device.h"

/* How an array's elements lie, as an argument says it. */
static cpl_status describe_array(cpl_context *cx, arg_name n, const cpl_array *a, cpl_arg *arg)
{
    char room[ARG_NUMBERED];
    if (a->storage->cx != cx)
        return context_report(cx, CPL_EARG, "%s belongs to another context", arg_named(n, room));
    arg->dtype = a->dtype;
    arg->record = a->record;
    arg->length = a->length;
    arg->stride = a->contiguous || a->dims != 1 ? 0 : a->strides[0];
    arg->dims = a->dims > 1 ? a->dims : 0;
    arg->shape = a->shape;
    arg->strides = a->strides;
    return CPL_OK;
}

bool place_bare(cpl_context *cx, cpl_arg *arg)
{
    const cpl_array *a = arg->array;
    const dev_slot *slot = a->storage->slots;
    if (!slot || slot->next || !slot->valid || slot->block.last || a->storage->cx != cx)
        return false;
    if (!is_host(a->storage->home) || describe_array(cx, (arg_name){0}, a, arg)) return false;
    arg->data = (void *)(uintptr_t)(slot->block.address + a->offset);
    arg->array = NULL;
    return true;
}

cpl_status place_describe(cpl_context *cx, const cpl_arg *args, size_t count, cpl_arg *plain)
{
    for (size_t i = 0; i < count; i++) {
        plain[i] = args[i];
        if (args[i].kind != CPL_ARG_ARRAY || !args[i].array) continue;
        const cpl_array *a = args[i].array;
        cpl_status status = describe_array(cx, (arg_name){.i = i}, a, &plain[i]);
        if (status) return status;
        const dev_slot *slot = storage_valid(a->storage, NULL);
        plain[i].data = slot ? (void *)(uintptr_t)(slot->block.address + a->offset) : NULL;
        plain[i].array = NULL;
    }
    return CPL_OK;
}

static bool moves(const placed *p)
{
    return p->moves || context_option(p->device->cx, OPT_automatic);
}

static cpl_status elsewhere(const placed *p, arg_name n, const char *where)
{
    char room[ARG_NUMBERED];
    return context_report(p->device->cx, CPL_EARG,
                          "%s is on %s and the launch runs on %s: push it there, or set the option "
                          "automatic",
                          arg_named(n, room), where, device_place(p->device));
}

static cpl_status place_array(placed *p, arg_name n, const cpl_array *a)
{
    size_t i = n.i;
    dev_storage *s = a->storage;
    dev_slot *slot = storage_slot(s, p->device);
    if (!slot || !(slot->valid || recording_valid(p->queue->recording, slot))) {
        if (!moves(p)) return elsewhere(p, n, storage_place(s));
        cpl_status status = storage_move(s, p->device, p->queue, NULL);
        if (status) return status;
        slot = storage_slot(s, p->device);
    }
    p->storages[i] = s;
    p->slots[i] = slot;
    p->args[i].data = (void *)(uintptr_t)(slot->block.address + a->offset);
    return CPL_OK;
}

static bool same_memory(const placed *p, size_t k, const cpl_arg *arg)
{
    cpl_arg given = p->args[k];
    given.data = p->given[k];
    return arg_lies_alike(&given, arg);
}

/* An array that was made for the same memory, or NULL: what a round writes there it may read as the
 * other argument, of whatever type that is. */
static cpl_array *made_before(const placed *p, size_t i, const cpl_arg *arg)
{
    for (size_t k = 0; k < i; k++)
        if (p->made[k] && same_memory(p, k, arg)) return p->made[k];
    return NULL;
}

/* Strides that are all zero say that an array is contiguous. */
static bool is_one_element(const cpl_arg *arg)
{
    bool moves = !arg->dims || !arg->strides || arg->length < 2;
    for (int d = 0; d < arg->dims && !moves; d++) moves = arg->strides[d] != 0;
    return !moves;
}

/* Memory of the caller's moves to the device for this launch alone. */
static cpl_status place_pointer(placed *p, arg_name n, const cpl_arg *arg)
{
    if (p->device->ops->shares_memory) return CPL_OK;
    size_t i = n.i;
    char room[ARG_NUMBERED];
    cpl_context *cx = p->device->cx;
    if (!moves(p)) return elsewhere(p, n, "the host (a plain pointer)");
    if (p->queue->recording)
        return context_report(cx, CPL_EARG,
                              "%s is a plain pointer, which cannot be part of a graph",
                              arg_named(n, room));
    if (is_one_element(arg))
        return context_report(cx, CPL_EARG,
                              "%s is one element for all its indices, which arrays that move to a "
                              "device are not",
                              arg_named(n, room));
    p->given[i] = arg->data;
    cpl_array_retain(p->made[i] = made_before(p, i, arg));
    if (p->made[i]) return place_array(p, n, p->made[i]);
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = arg->dtype;
    o.record = arg->record;
    o.dims = arg->dims ? arg->dims : 1;
    o.shape[0] = arg->length;
    o.strides[0] = arg->stride;
    for (int d = 0; d < arg->dims; d++) o.shape[d] = arg->shape[d];
    for (int d = 0; d < arg->dims && arg->strides; d++) o.strides[d] = arg->strides[d];
    uint64_t before = 0, behind;
    if (arg->length && arg_reach(arg, &before, &behind)) o.offset = (size_t)before;
    cpl_status status =
        array_wrap(device_host(cx), &o, (char *)arg->data - o.offset, false, &p->made[i]);
    return status ? status : place_array(p, n, p->made[i]);
}

/* An argument of which nothing is there yet. */
static cpl_status place_one(placed *p, arg_name n, const cpl_arg *arg)
{
    size_t i = n.i;
    cpl_context *cx = p->device->cx;
    p->args[i] = *arg;
    p->storages[i] = NULL;
    p->slots[i] = NULL;
    bool is_array = arg->kind == CPL_ARG_ARRAY, is_placed = is_array && arg->array;
    cpl_status status =
        is_placed ? describe_array(cx, n, arg->array, &p->args[i]) : arg_check(cx, n, arg);
    if (!status && is_array)
        status = is_placed ? place_array(p, n, arg->array) : place_pointer(p, n, arg);
    if (!status) p->args[i].array = NULL;
    return status;
}

static cpl_status place(placed *p, cpl_queue *q, const cpl_arg *args, size_t count)
{
    if (count > MOST_ARGUMENTS) return args_too_many(q->device->cx);
    p->device = q->device;
    p->queue = q;
    p->count = count;
    for (size_t i = 0; i < count; i++) p->made[i] = NULL, p->given[i] = NULL;
    for (size_t i = 0; i < count; i++) {
        cpl_status status = place_one(p, (arg_name){.i = i}, &args[i]);
        if (status) return status;
    }
    return CPL_OK;
}

cpl_status place_more(placed *p, const cpl_arg *arg, const char *what)
{
    size_t i = p->count;
    if (i == MOST_ARGUMENTS) return args_too_many(p->device->cx);
    p->made[i] = NULL;
    p->given[i] = NULL;
    p->count++;
    return place_one(p, (arg_name){i, what}, arg);
}

cpl_status place_end(placed *p, cpl_status status)
{
    for (size_t i = 0; i < p->count; i++) {
        if (!p->made[i]) continue;
        if (!status) status = cpl_array_pull(p->made[i], p->queue);
        cpl_array_release(p->made[i]);
    }
    return status;
}

/* Nothing ran: nothing to bring back. */
void place_drop(placed *p)
{
    for (size_t i = 0; i < p->count; i++) cpl_array_release(p->made[i]);
}

cpl_device *place_device(cpl_context *cx, const cpl_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (args[i].kind == CPL_ARG_ARRAY && args[i].array) return args[i].array->storage->home;
    return device_host(cx);
}

/* A queue that was given, or the array that says where a launch without one runs. */
static cpl_status refuse_context(cpl_context *cx, const cpl_queue *queue, const cpl_arg *args)
{
    arg_name n = {0};
    if (queue)
        return context_report(cx, CPL_EARG,
                              "the queue belongs to another context than the function");
    while (args[n.i].kind != CPL_ARG_ARRAY || !args[n.i].array) n.i++;
    return describe_array(cx, n, args[n.i].array, &(cpl_arg){0});
}

cpl_status place_begin(placed *p, cpl_context *cx, const cpl_launch_options *o, const cpl_arg *args,
                       size_t count)
{
    cpl_queue *queue = o->queue;
    p->count = 0;
    p->moves = o->automatic;
    if (context_forked(cx)) return context_refuse_fork(cx);
    cpl_device *d = queue ? queue->device : place_device(cx, args, count);
    if (!d) return context_no_memory(cx);
    if (d->cx != cx) return refuse_context(cx, queue, args);
    cpl_queue *q = queue ? queue : cpl_device_queue(d);
    if (!q)
        return context_report(cx, device_no_queue(d), "there is no queue to be had for %s",
                              d->info.label);
    cpl_status status = queue_ready(q);
    return status ? status : place(p, q, args, count);
}

void place_take(placed *p, size_t to, const placed *of, size_t from)
{
    p->args[to] = of->args[from];
    p->storages[to] = of->storages[from];
    p->slots[to] = of->slots[from];
    p->made[to] = of->made[from];
    p->given[to] = of->given[from];
}

void place_values(placed *p)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->args[i].kind != CPL_ARG_BOUND) place_take(p, kept++, p, i);
    p->count = kept;
}

bool place_is_opaque(const placed *p)
{
    size_t arrays = 0, opaque = 0;
    for (size_t i = 0; i < p->count; i++) {
        arrays += p->args[i].kind == CPL_ARG_ARRAY;
        opaque += p->slots[i] && p->slots[i]->block.foreign && p->slots[i]->block.memory;
    }
    return opaque && arrays > 1;
}

bool place_is_plain(const placed *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->made[i]) return false;
    return !place_is_opaque(p);
}

/* How arguments share memory: on the device, and where memory of the caller's was moved from. */
static args_sharing place_share(const placed *p, const artifact *a)
{
    cpl_arg given[MOST_GIVEN];
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

bool place_can_order(const placed *p, const cpl_kernel *k)
{
    cpl_form form = kernel_form(k);
    return !k->target &&
           (form == CPL_FORM_FUNCTION || (form == CPL_FORM_ELEMENTWISE && !p->queue->recording));
}

cpl_status place_check_order(const placed *p, const cpl_kernel *k)
{
    if (place_can_order(p, k) || place_share(p, &k->artifact) != ARGS_CROSS) return CPL_OK;
    return context_report(p->device->cx, CPL_EOVERLAP,
                          "arguments of '%s' overlap partly and one of them is written, which %s "
                          "cannot do in order",
                          k->function, p->queue->recording ? "a graph" : p->device->info.label);
}

cpl_status place_check_whole(const placed *p, const cpl_kernel *k)
{
    if (place_share(p, &k->artifact) != ARGS_CROSS) return CPL_OK;
    return context_report(p->device->cx, CPL_EOVERLAP,
                          "arguments overlap partly and one of them is written, which several "
                          "kernels together cannot do in order");
}

/* --- around a launch --- */

/* The array that a parameter gets, or NULL. */
static dev_slot *slot_of(const placed *p, const artifact_param *q)
{
    return q->role == PARAM_ARG || q->role == PARAM_PARTS ? p->slots[q->arg] : NULL;
}

/* What is recorded did not happen: a launch of the graph marks what it kept. */
void place_written(const placed *p, const artifact *a)
{
    if (p->queue->recording) return;
    for (size_t i = 0; i < a->param_count; i++) {
        const artifact_param *q = &a->params[i];
        dev_slot *slot = slot_of(p, q);
        if (slot && !q->readonly) storage_written(p->storages[q->arg], slot, p->queue);
        else if (slot) queue_remember(&slot->block.last, p->queue);
    }
}

cpl_status place_keep(const placed *p, const artifact *a)
{
    for (size_t i = 0; i < a->param_count; i++) {
        const artifact_param *q = &a->params[i];
        dev_slot *slot = slot_of(p, q);
        cpl_status status =
            !slot ? CPL_OK
                  : recording_use(p->queue->recording, p->storages[q->arg], slot, !q->readonly);
        if (status) return status;
    }
    return CPL_OK;
}

/* On the host nobody is at work on them any more, as copies from page-locked memory may be. */
cpl_status place_ready(const placed *p)
{
    for (size_t i = 0; i < p->count; i++) {
        if (!p->slots[i]) continue;
        cpl_status status = queue_behind(p->queue, p->slots[i]->block.last);
        if (status) return status;
    }
    return CPL_OK;
}

uint64_t place_bytes(const placed *p)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->args[i].kind == CPL_ARG_ARRAY) bytes += arg_bytes(&p->args[i]);
    return bytes;
}

/* --- on the host --- */

/* Something on the host with placed arguments; nobody knows which of them it writes. */
static cpl_status run_placed(placed *p, cpl_status (*run)(void *user, const cpl_arg *args),
                             void *user)
{
    cpl_status status = place_ready(p);
    if (status) return status;
    status = run(user, p->args);
    for (size_t i = 0; may_have_written(status) && i < p->count; i++)
        if (p->slots[i]) storage_written(p->storages[i], p->slots[i], NULL);
    return status;
}

cpl_status device_on_host(cpl_context *cx, bool automatic, const cpl_arg *args, size_t count,
                          cpl_status (*run)(void *user, const cpl_arg *args), void *user)
{
    placed p;
    cpl_queue *host = cpl_device_queue(device_host(cx));
    if (!host) return context_no_memory(cx);
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.queue = host;
    o.automatic = automatic;
    cpl_status status = place_begin(&p, cx, &o, args, count);
    return place_end(&p, status ? status : run_placed(&p, run, user));
}

/*
 * Plans: kernels that are launched one after the other as one. What follows from a launch is found
 * first (its rule), then the memory between the kernels, then each kernel is given to the device.
 */
#include "runtime/device/device.h"
#include "runtime/resolve.h"

/* --- finding them --- */

static cpl_status make_plan(cpl_kernel *key, plan_maker make, void *user, plan **made)
{
    cpl_context *cx = module_context(key->module);
    *made = mem_zalloc(context_mem(cx), sizeof **made);
    if (!*made) return context_no_memory(cx);
    cpl_status status = make(user, key, *made);
    if (status) mem_free(context_mem(cx), *made, sizeof **made);
    return status;
}

cpl_status plan_find(cpl_kernel *key, plan_maker make, void *user, plan **found)
{
    *found = atomic_load_explicit(&key->plan, memory_order_acquire);
    if (*found) return CPL_OK;
    plan *made, *before = NULL;
    cpl_status status = make_plan(key, make, user, &made);
    if (status) return status;
    atomic_store(&key->plan_size, sizeof *made);
    *found = made;
    if (atomic_compare_exchange_strong(&key->plan, &before, made)) return CPL_OK;
    mem_free(context_mem(module_context(key->module)), made, sizeof *made);
    *found = before; /* somebody was quicker */
    return CPL_OK;
}

/* --- a launch --- */

static cpl_status follow_rule(plan_launch *l)
{
    l->more = l->alone = false;
    l->zeroed = -1;
    for (size_t i = 0; i < l->plan->step_count; i++) cpl_launch_options_init(&l->steps[i]);
    return l->plan->rule(l);
}

/* --- the memory in between --- */

enum { BETWEEN = 256 }; /* bytes that arrays in one block begin at multiples of */
static const size_t KEPT = (size_t)4 << 20; /* bytes that a queue keeps at most */

static size_t room_of(const cpl_arg *arg)
{
    return (arg_bytes(arg) + BETWEEN - 1) / BETWEEN * BETWEEN;
}

static size_t room_for_all(const plan_launch *l)
{
    size_t size = 0;
    for (size_t i = 0; i < l->plan->own_count; i++)
        if (l->own[i].kind == CPL_ARG_ARRAY && (int)i != l->zeroed) size += room_of(&l->own[i]);
    return size;
}

/* Whether launches leave memory to each other, without asking the pool each time. */
static bool keeps(const placed *all)
{
    return all->device->info.kind == CPL_DEVICE_CUDA && !all->queue->recording;
}

static cpl_status place_array(const plan_launch *l, placed *all, size_t i, uint64_t *next)
{
    size_t at = PLAN_OWN(i);
    cpl_arg *arg = &all->args[at];
    uint64_t address = *next;
    dev_storage *s;
    cpl_status status = CPL_OK;
    *arg = l->own[i];
    if ((int)i == l->zeroed) status = queue_zeros(all->queue, &address);
    else if (*next) *next += room_of(arg);
    else {
        status = storage_scratch(all->device, all->queue, arg_bytes(arg), &s);
        if (status) return status;
        all->storages[at] = s;
        all->slots[at] = s->slots;
        address = s->slots->block.address;
    }
    arg->data = (void *)(uintptr_t)address;
    return status;
}

/* Puts the plan's own arguments behind where the caller's can be, arrays with their memory: each
 * for itself, or all in `kept`. */
static cpl_status place_own(const plan_launch *l, placed *all, dev_block *kept)
{
    size_t room = l->turn ? 0 : room_for_all(l);
    cpl_status status = CPL_OK;
    if (room && room <= KEPT && keeps(all)) status = queue_take(all->queue, room, kept);
    uint64_t next = kept->address;
    for (size_t i = 0; i < l->plan->own_count && !status; i++) {
        if (l->own[i].kind != CPL_ARG_ARRAY) all->args[PLAN_OWN(i)] = l->own[i];
        else if (!l->turn) status = place_array(l, all, i, &next);
    }
    return status;
}

static void forget_own(const plan *p, placed *all)
{
    for (size_t at = PLAN_OWN(0); at < PLAN_OWN(p->own_count); at++) {
        all->storages[at] = NULL;
        all->slots[at] = NULL;
        all->made[at] = NULL;
        all->given[at] = NULL;
    }
}

static void free_own(const plan *p, placed *all, dev_block *kept)
{
    for (size_t at = PLAN_OWN(0); at < PLAN_OWN(p->own_count); at++)
        storage_release(all->storages[at]);
    if (kept->size) queue_put(all->queue, kept);
}

static void pick(const placed *all, const plan_step *step, placed *p)
{
    p->device = all->device;
    p->queue = all->queue;
    p->count = step->count;
    for (size_t i = 0; i < step->count; i++) place_take(p, i, all, step->args[i]);
}

static cpl_status submit_steps(plan_launch *l, const placed *all, const cpl_launch_options *o)
{
    cpl_status status = CPL_OK;
    cpl_launch_options *last = &l->steps[l->plan->step_count - 1];
    last->event = l->more ? NULL : o->event;
    last->result = o->result;
    for (size_t i = 0; i < l->plan->step_count && !status; i++) {
        placed p;
        const plan_step *step = &l->plan->steps[i];
        l->steps[i].interpret = o->interpret;
        pick(all, step, &p);
        if (l->turn == 0 && i > 0) status = place_check_whole(&p, step->kernel);
        if (!status) status = submit(step->kernel, &p, &l->steps[i], l->steps[i].n, NULL);
    }
    return status;
}

cpl_status plan_submit(const plan *p, placed *all, const cpl_launch_options *o, int64_t n)
{
    plan_launch l = {
        .plan = p, .queue = all->queue, .args = all->args, .count = all->count, .n = n};
    cpl_status status = args_check_count(all->device->cx, p->arg_count, all->count);
    if (!status) status = submit_may_record(p->steps[p->step_count - 1].kernel, all, o);
    if (status) return status;
    dev_block kept = {0};
    forget_own(p, all);
    do {
        status = follow_rule(&l);
        if (!status) status = place_own(&l, all, &kept);
        bool before = team_alone(l.alone);
        if (!status) status = submit_steps(&l, all, o);
        team_alone(before);
        l.turn++;
    } while (l.more && !status);
    free_own(p, all, &kept);
    return status;
}

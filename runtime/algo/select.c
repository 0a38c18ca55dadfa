/* Selections: the digits of the last key that is taken, from the highest on, as turns of a plan; in
 * the last one keys are collected. What comes together so is sorted then. */
#include "runtime/algo/sort_int.h"

enum { DIGITS = 256, DIGIT = 8 };

/* algo_call.flags: the digits that a key has, and which of the results there are. */
enum { FIRST_DIGIT = 4, END_DIGIT = 8, DIGIT_MASK = 15 };

enum { STEP_NARROW, STEP_PICK, STEP_MARKS, STEP_PLACES, STEP_COLLECT };

static cpl_status rule(plan_launch *l)
{
    uint32_t flags = l->plan->flags, first = flags >> FIRST_DIGIT & DIGIT_MASK,
             end = flags >> END_DIGIT & DIGIT_MASK;
    int64_t size = algo_piece_size(l->queue->device, l->n), count = divided(l->n, size);
    own_array(l, OWN_BEGUN, DIGITS * count);
    own_array(l, OWN_VARYING, 2);
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_SIZE, size);
    own_number(l, OWN_COUNT, count);
    own_number(l, OWN_BASE, l->turn);
    own_number(l, OWN_END, DIGIT * ((int64_t)end - 1 - l->turn));
    own_number(l, OWN_RESULTS, l->args[l->count - 1].length);
    l->more = l->turn + 1 < end - first;
    l->steps[STEP_NARROW].n = count;
    l->steps[STEP_PICK].n = 1;
    l->steps[STEP_MARKS].n = l->steps[STEP_COLLECT].n = l->more ? 0 : count;
    l->steps[STEP_PLACES].n = !l->more;
    return CPL_OK;
}

/* --- the kernels --- */

static void add_narrow(sorting *s)
{
    algo_step *to = step_new(&s->c, "cpl.select.narrow");
    STEP_OWN(&s->c, to, OWN_BEGUN, OWN_VARYING);
    step_given(&s->c, to, 0);
    STEP_OWN(&s->c, to, OWN_N, OWN_SIZE, OWN_COUNT, OWN_BASE, OWN_END);
    radix_bind_how(s, to);
}

static void add_pick(sorting *s)
{
    algo_step *to = step_new(&s->c, "cpl.select.pick");
    STEP_OWN(&s->c, to, OWN_BEGUN, OWN_VARYING, OWN_COUNT, OWN_BASE, OWN_RESULTS);
}

static void add_marks(sorting *s)
{
    algo_step *to = step_new(&s->c, "cpl.select.marks");
    STEP_OWN(&s->c, to, OWN_BEGUN, OWN_VARYING);
    step_given(&s->c, to, 0);
    STEP_OWN(&s->c, to, OWN_N, OWN_SIZE, OWN_END);
    radix_bind_how(s, to);
}

static void add_places(sorting *s)
{
    algo_step *to = step_new(&s->c, "cpl.select.places");
    STEP_OWN(&s->c, to, OWN_BEGUN, OWN_VARYING, OWN_COUNT);
}

static void add_collect(sorting *s)
{
    bool order = s->order != SIZE_MAX;
    algo_step *to = step_new(&s->c, "cpl.select.collect");
    STEP_OWN(&s->c, to, OWN_BEGUN, OWN_VARYING);
    step_given(&s->c, to, s->outs);
    if (order) step_given(&s->c, to, s->order);
    else step_flag(to, 0);
    step_given(&s->c, to, 0);
    STEP_OWN(&s->c, to, OWN_N, OWN_SIZE, OWN_END);
    step_flag(to, order);
    radix_bind_how(s, to);
}

/* --- the call --- */

typedef struct selection {
    cpl_module *module;
    cpl_sort_spec spec;
    const cpl_launch_options *options; /* the caller's */
    int64_t k;
    cpl_arg args[2]; /* keys and where they were, as far as there are any */
    size_t count;
} selection;

static cpl_status check_count(const sorting *s, int64_t k)
{
    if (0 <= k && k <= s->c.n) return CPL_OK;
    return context_report(module_context(s->c.module), CPL_EARG,
                          "%lld of %lld keys cannot be selected", (long long)k, (long long)s->c.n);
}

/* The arrays that take k elements: nothing else of them is seen. */
static cpl_status place(sorting *s, const selection *want, const cpl_arg *order)
{
    cpl_status status = sort_check_length(s, 0, s->c.n);
    s->outs = s->c.p.count;
    s->c.flags |= APART;
    if (!status) status = algo_place(&s->c, &want->args[0], s->key, want->k, "result 0");
    if (!status && order) status = sort_place_order(s, order, want->k);
    if (!status) status = sort_check_apart(s);
    for (size_t i = 1; i < s->c.p.count; i++) s->c.p.args[i].length = want->k;
    return status;
}

static cpl_status collect(sorting *s)
{
    sort_move_bits(s);
    s->c.flags = (uint32_t)s->c.binds[BIND_FIRST].integer / DIGIT << FIRST_DIGIT |
                 (uint32_t)divided(s->c.binds[BIND_END].integer, DIGIT) << END_DIGIT;
    add_narrow(s);
    add_pick(s);
    add_marks(s);
    add_places(s);
    add_collect(s);
    return steps_launch(&s->c, NO_KEY, rule);
}

/* What was collected is there, in the order in which it came. */
static cpl_status sort_collected(const selection *want)
{
    cpl_sort_spec spec = want->spec;
    cpl_launch_options o = *want->options;
    o.n = want->k;
    spec.out = spec.order = NULL;
    return cpl_sort(want->module, &spec, &o, want->args, want->count);
}

/* made: an array for the keys, where somebody wants to know where they were alone; the caller's to
 * release. */
static cpl_status collect_keys(selection *want, const cpl_arg *keys, cpl_array **made)
{
    sorting s;
    const cpl_arg *out = want->spec.out, *order = want->spec.order;
    cpl_launch_options quiet = *want->options;
    quiet.event = NULL;
    cpl_status status = sort_begin(&s, want->module, &quiet, keys, 1);
    if (!status) status = sort_bind(&s, &want->spec);
    if (!status) status = algo_library(&s.c, &algo_select);
    if (!status) status = check_count(&s, want->k);
    if (!status && !out) {
        want->args[0] = (cpl_arg){.kind = CPL_ARG_ARRAY, .dtype = s.key->dtype};
        status = algo_array(&s.c, want->k, &want->args[0]);
        *made = want->args[0].array;
    } else if (out) want->args[0] = *out;
    if (order) want->args[1] = *order;
    want->count = order ? 2 : 1;
    if (!status) status = place(&s, want, order);
    if (!status && want->k) status = collect(&s);
    return place_end(&s.c.p, status);
}

static cpl_status select_keys(selection *want, const cpl_arg *keys)
{
    cpl_array *made = NULL;
    cpl_status status = collect_keys(want, keys, &made);
    if (!status) status = sort_collected(want);
    cpl_array_release(made);
    return status;
}

cpl_status cpl_select(cpl_module *module, const cpl_sort_spec *given,
                      const cpl_launch_options *options, int64_t k, const cpl_arg *keys)
{
    cpl_launch_options room;
    selection want = {.module = module, .k = k};
    if (!module || !given || !keys) return BAD_CALL;
    cpl_sort_spec_init(&want.spec);
    if (READ_STRUCT(&want.spec, given, cpl_sort_spec)) return CPL_EARG;
    want.options = launch_options(options, &room);
    if (!want.options) return CPL_EARG;
    cpl_context *cx = module_context(module);
    if (want.spec.before.kind != CPL_BIND_NONE)
        return context_report(cx, CPL_EUNSUPPORTED,
                              "a selection goes by the digits of keys, and compares none: sort");
    if (!want.spec.out && !want.spec.order)
        return context_report(cx, CPL_EARG, "nothing takes what is selected: out or order does");
    return select_keys(&want, keys);
}

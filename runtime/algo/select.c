/*
 * Selections. On the host few keys in one kernel; of more those that are not beyond a border, which
 * a sample says, come together in one plan and are sorted. On devices, and where the border was
 * badly guessed, the digits of the last key that is taken, from the highest on, as turns of a plan;
 * in the last one keys are collected. What comes together so is sorted then.
 */
#include "runtime/algo/sort_int.h"

typedef struct selection {
    cpl_module *module;
    cpl_sort_spec spec;
    const cpl_launch_options *options; /* the caller's */
    int64_t k;
    cpl_arg args[2]; /* keys and where they were, as far as there are any */
    size_t count;
    bool sorted;     /* they are what was asked for */
    cpl_arg near[2]; /* the same of those that are not beyond the border */
    int64_t found;   /* how many that are */
} selection;

/* The arguments of a plan: the keys, then the results. */
static int64_t wanted(const plan_launch *l)
{
    return l->args[1].length;
}

static bool has_order(const sorting *s)
{
    return s->order != SIZE_MAX;
}

static void give_order(sorting *s, algo_step *to)
{
    step_maybe(&s->c, to, s->order);
}
_Static_assert(NO_ARGUMENT == SIZE_MAX, "there is no order");

/* An array of the plan's for what order takes. */
static void own_places(sorting *s, algo_step *to, algo_own own)
{
    if (has_order(s)) sort_own(s, to, own, s->value);
    else step_flag(to, 0);
}

/* --- few keys --- */

static cpl_status rule_few(plan_launch *l)
{
    const cpl_type *key = own_type(l, OWN_TOTAL), *value = own_type(l, OWN_HEAD);
    own_array_of(l, OWN_TOTAL, key, l->n);
    own_array_of(l, OWN_CARRY, key, l->n);
    if (value) own_array_of(l, OWN_HEAD, value, l->n);
    if (value) own_array_of(l, OWN_AFTER, value, l->n);
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_RESULTS, wanted(l));
    l->steps[0].n = 1;
    return CPL_OK;
}

static void bind_types(sorting *s, algo_step *to)
{
    s->c.binds[BIND_TYPE] = cpl_bind_type(s->key);
    s->c.binds[BIND_VALUE] = cpl_bind_type(has_order(s) ? s->value : s->key);
    STEP_BIND(&s->c, to, BIND_TYPE, BIND_VALUE);
}

static cpl_status select_few(sorting *s, const selection *want)
{
    algo_step *to = step_new(&s->c, "cpl.select.few");
    sort_own(s, to, OWN_TOTAL, s->key);
    sort_own(s, to, OWN_CARRY, s->key);
    own_places(s, to, OWN_HEAD);
    own_places(s, to, OWN_AFTER);
    step_given(&s->c, to, s->outs);
    give_order(s, to);
    step_given(&s->c, to, 0);
    STEP_OWN(&s->c, to, OWN_N, OWN_RESULTS);
    step_flag(to, has_order(s));
    bind_types(s, to);
    radix_bind_how(s, to);
    s->c.options = want->options;
    return steps_launch(&s->c, NO_KEY, rule_few);
}

/* --- by a border --- */

enum { NEAR = 2, NEAR_LEAST = 4096 }; /* elements that there is room for: for each one asked for */

static int64_t room_near(int64_t n, int64_t k)
{
    return k < (n - NEAR_LEAST) / NEAR ? NEAR * k + NEAR_LEAST : n;
}

static int64_t samples_of(int64_t n)
{
    enum { OF = 256, MOST = 16384 };
    return n / OF < MOST ? n / OF : MOST;
}

static cpl_status rule_border(plan_launch *l)
{
    const cpl_type *key = own_type(l, OWN_TOTAL), *value = own_type(l, OWN_HEAD);
    int64_t size = algo_piece_size(l->queue->device, l->n), count = divided(l->n, size);
    own_array_of(l, OWN_TOTAL, key, l->n);
    own_array_of(l, OWN_CARRY, key, samples_of(l->n));
    if (value) own_array_of(l, OWN_HEAD, value, l->n);
    own_array(l, OWN_BEGUN, count + 1);
    own_array(l, OWN_VARYING, 1);
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_SIZE, size);
    own_number(l, OWN_COUNT, count);
    own_number(l, OWN_BASE, samples_of(l->n));
    own_number(l, OWN_RESULTS, wanted(l));
    own_number(l, OWN_END, room_near(l->n, wanted(l)));
    l->steps[0].n = l->steps[2].n = 1;
    l->steps[1].n = l->steps[3].n = count;
    return CPL_OK;
}

static void add_border(sorting *s)
{
    algo_step *to = step_new(&s->c, "cpl.select.border");
    sort_own(s, to, OWN_TOTAL, s->key);
    sort_own(s, to, OWN_CARRY, s->key);
    STEP_OWN(&s->c, to, OWN_VARYING);
    step_given(&s->c, to, 0);
    STEP_OWN(&s->c, to, OWN_N, OWN_RESULTS, OWN_BASE);
    step_flag(to, 0);
    bind_types(s, to);
    radix_bind_how(s, to);
}

static void add_sifts(sorting *s)
{
    algo_step *to = step_new(&s->c, "cpl.select.sifts");
    sort_own(s, to, OWN_TOTAL, s->key);
    own_places(s, to, OWN_HEAD);
    STEP_OWN(&s->c, to, OWN_BEGUN, OWN_VARYING);
    step_given(&s->c, to, 0);
    STEP_OWN(&s->c, to, OWN_N, OWN_SIZE, OWN_END);
    step_flag(to, has_order(s));
    radix_bind_how(s, to);
}

static void add_joins(sorting *s, size_t near)
{
    algo_step *to = step_new(&s->c, "cpl.select.joins");
    step_given(&s->c, to, near);
    step_maybe(&s->c, to, has_order(s) ? near + 1 : NO_ARGUMENT);
    sort_own(s, to, OWN_TOTAL, s->key);
    own_places(s, to, OWN_HEAD);
    STEP_OWN(&s->c, to, OWN_BEGUN, OWN_SIZE, OWN_COUNT, OWN_END);
    step_flag(to, has_order(s));
}

static cpl_status join_near(sorting *s, size_t near)
{
    add_border(s);
    add_sifts(s);
    choose_add_starts(&s->c, s->c.p.count - 1);
    add_joins(s, near);
    return steps_launch(&s->c, NO_KEY, rule_border);
}

static cpl_status rule_take(plan_launch *l)
{
    l->steps[0].n = wanted(l);
    return CPL_OK;
}

/* The least of those near, which are sorted, to the results. */
static cpl_status take_near(sorting *s, size_t near)
{
    s->c.step_count = 0;
    algo_step *to = step_new(&s->c, "cpl.select.take");
    step_given(&s->c, to, s->outs);
    give_order(s, to);
    step_given(&s->c, to, near);
    step_maybe(&s->c, to, has_order(s) ? near + 1 : NO_ARGUMENT);
    step_flag(to, has_order(s));
    return steps_launch(&s->c, NO_KEY, rule_take);
}

static cpl_status sort_of(const selection *want, const cpl_launch_options *options,
                          const cpl_arg *args, int64_t n)
{
    cpl_sort_spec spec = want->spec;
    cpl_launch_options o = *options;
    o.n = n;
    spec.out = spec.order = NULL;
    return cpl_sort(want->module, &spec, &o, args, want->count);
}

/* Whether one kernel's results say what the next ones do: all is done when a call returns. */
static bool knows(const sorting *s)
{
    return s->c.p.device->ops->at_once && !s->c.p.queue->recording && !s->c.options->kernels;
}

/* Arrays for what is near, and the place of how many that are, as arguments. */
static cpl_status place_near(sorting *s, selection *want)
{
    cpl_status status = CPL_OK;
    for (size_t i = 0; i < want->count && !status; i++) {
        want->near[i] =
            (cpl_arg){.kind = CPL_ARG_ARRAY, .dtype = i ? s->value->dtype : s->key->dtype};
        status = algo_array(&s->c, room_near(s->c.n, want->k), &want->near[i]);
        if (!status) status = place_more(&s->c.p, &want->near[i], NULL);
    }
    cpl_arg number = cpl_arg_array(CPL_INT64, &want->found, 1);
    return status ? status : place_more(&s->c.p, &number, NULL);
}

/* want->sorted: whether the border was a good guess. */
static cpl_status select_near(sorting *s, selection *want, size_t near)
{
    const cpl_launch_options *quiet = s->c.options;
    cpl_status status = join_near(s, near);
    bool good = want->k <= want->found && want->found <= room_near(s->c.n, want->k);
    if (!status && good) status = sort_of(want, s->c.options, want->near, want->found);
    s->c.options = want->options;
    if (!status && good) status = take_near(s, near);
    s->c.options = quiet;
    want->sorted = good;
    s->c.step_count = 0;
    return status;
}

/* --- by digits --- */

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
    own_number(l, OWN_RESULTS, wanted(l));
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
    algo_step *to = step_new(&s->c, "cpl.select.collect");
    STEP_OWN(&s->c, to, OWN_BEGUN, OWN_VARYING);
    step_given(&s->c, to, s->outs);
    give_order(s, to);
    step_given(&s->c, to, 0);
    STEP_OWN(&s->c, to, OWN_N, OWN_SIZE, OWN_END);
    step_flag(to, has_order(s));
    radix_bind_how(s, to);
}

/* --- the call --- */

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

static cpl_status select_digits(sorting *s)
{
    s->c.flags = (uint32_t)s->c.binds[BIND_FIRST].integer / DIGIT << FIRST_DIGIT |
                 (uint32_t)divided(s->c.binds[BIND_END].integer, DIGIT) << END_DIGIT;
    add_narrow(s);
    add_pick(s);
    add_marks(s);
    add_places(s);
    add_collect(s);
    return steps_launch(&s->c, NO_KEY, rule);
}

static cpl_status collect(sorting *s, selection *want)
{
    cpl_status status = CPL_OK;
    size_t near = s->c.p.count;
    bool host = !algo_target(&s->c), few = host && s->c.n <= RADIX_FEW,
         guesses = host && !few && knows(s);
    if (guesses) status = place_near(s, want);
    sort_move_bits(s);
    want->sorted = few;
    if (few) return select_few(s, want);
    if (!status && guesses) status = select_near(s, want, near);
    return status || want->sorted ? status : select_digits(s);
}

static cpl_status bind_digits(sorting *s, const selection *want)
{
    cpl_status status = sort_bind(s, &want->spec);
    if (status || !s->compares) return status;
    return context_report(module_context(want->module), CPL_EUNSUPPORTED,
                          "a selection goes by the digits of keys, and compares none: sort");
}

/* made: an array for the keys, where somebody wants to know where they were alone; the caller's to
 * release. */
static cpl_status collect_keys(selection *want, const cpl_arg *keys, cpl_array **made)
{
    static const algo_load load = {"cpl_select", 4, 0, false};
    sorting s;
    const cpl_arg *out = want->spec.out, *order = want->spec.order;
    cpl_launch_options quiet = *want->options;
    quiet.event = NULL;
    cpl_status status = sort_begin(&s, &load, want->module, &quiet, keys, 1);
    if (!status) quiet = algo_part(&s.c);
    if (!status) status = bind_digits(&s, want);
    if (!status) status = algo_library(&s.c, &algo_select);
    if (!status) status = algo_library(&s.c, &algo_choose);
    if (!status) status = check_count(&s, want->k);
    if (!status && !out) {
        want->args[0] = (cpl_arg){.kind = CPL_ARG_ARRAY, .dtype = s.key->dtype};
        status = algo_array(&s.c, want->k, &want->args[0]);
        *made = want->args[0].array;
    } else if (out) want->args[0] = *out;
    if (order) want->args[1] = *order;
    want->count = order ? 2 : 1;
    if (!status) status = place(&s, want, order);
    if (!status && want->k) status = collect(&s, want);
    return algo_end(&s.c, status);
}

static cpl_status select_keys(selection *want, const cpl_arg *keys)
{
    cpl_array *made = NULL;
    cpl_status status = collect_keys(want, keys, &made);
    /* what was collected is there, in the order in which it came */
    if (!status && !want->sorted) status = sort_of(want, want->options, want->args, want->k);
    cpl_array_release(made);
    for (size_t i = 0; i < want->count; i++) cpl_array_release(want->near[i].array);
    return status;
}

cpl_status cpl_select(cpl_module *module, const cpl_sort_spec *given,
                      const cpl_launch_options *options, int64_t k, const cpl_arg *keys)
{
    cpl_launch_options room;
    selection want = {.module = module, .k = k};
    if (MISSING("module spec keys", module, given, keys)) return CPL_EARG;
    cpl_sort_spec_init(&want.spec);
    if (READ_STRUCT(&want.spec, given, cpl_sort_spec)) return CPL_EARG;
    want.options = launch_options(options, &room);
    if (!want.options) return CPL_EARG;
    cpl_context *cx = module_context(module);
    if (!want.spec.out && !want.spec.order)
        return context_report(cx, CPL_EARG, "nothing takes what is selected: out or order does");
    return select_keys(&want, keys);
}

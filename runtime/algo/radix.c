/*
 * Sorts by digits: what keys differ in, then for each eight bits of that the counts of pieces,
 * where keys go, and their moves, as turns of one plan; few keys in one kernel.
 */
#include "runtime/algo/sort_int.h"

enum {
    DIGITS = 256,
    CELLS = 1 << 14, /* of a map: sort.py */
};

/* --- sizes --- */

static cpl_status rule_few(plan_launch *l)
{
    sort_own_copies(l, l->plan->steps[0].kernel);
    l->steps[0].n = l->n > 0;
    return CPL_OK;
}

enum { STEP_VARY, STEP_MAPS, STEP_COUNTS, STEP_OFFSETS, STEP_MOVES, STEP_SETTLES, STEP_BUCKETS };

/* Whether the first turn goes by the highest bits: plan.flags, beside those of sort_int.h. */
enum { LEADS = 16 };

/* Maps and buckets are there where it does. */
static size_t step_at(const plan *p, size_t step)
{
    return step - (step > STEP_MAPS && !(p->flags & LEADS));
}

/* How many turns there are to be, as the first one has found if it is over; else as many as there
 * may be. */
static int64_t turns_of(const plan_launch *l, int64_t count, int64_t most)
{
    const int64_t *varying = l->args[PLAN_OWN(OWN_VARYING)].data;
    bool known = l->turn && l->queue->device->ops->at_once && !l->queue->recording;
    return known ? varying[2 * count + 1] : most;
}

static void set_step(plan_launch *l, size_t step, int64_t rounds)
{
    l->steps[step_at(l->plan, step)].n = rounds;
}

/* Where the first turn was all, the second one does nothing, but for the last step. */
static void set_steps(plan_launch *l, int64_t count, int64_t turns)
{
    bool first = !l->turn, works = first || l->turn < turns;
    l->more = l->turn + 1 < turns;
    set_step(l, STEP_VARY, first ? count : 0);
    set_step(l, STEP_COUNTS, works ? count : 0);
    set_step(l, STEP_OFFSETS, works);
    set_step(l, STEP_MOVES, works ? count : 0);
    set_step(l, STEP_SETTLES, l->more ? 0 : count);
    if (!(l->plan->flags & LEADS)) return;
    set_step(l, STEP_MAPS, first);
    set_step(l, STEP_BUCKETS, first ? DIGITS : 0);
}

static cpl_status rule(plan_launch *l)
{
    const cpl_kernel *moves = l->plan->steps[step_at(l->plan, STEP_MOVES)].kernel;
    int64_t size = algo_piece_size(l->queue->device, l->n), count = divided(l->n, size),
            most = moves->artifact.params[1].type->elem->size + !!(l->plan->flags & LEADS);
    sort_own_copies(l, moves);
    own_array(l, OWN_BEGUN, DIGITS * count);
    if (l->plan->flags & LEADS) own_array_of(l, OWN_AFTER, own_type(l, OWN_AFTER), CELLS);
    own_array(l, OWN_VARYING, 3 * count + 4 + DIGITS);
    own_number(l, OWN_SIZE, size);
    own_number(l, OWN_COUNT, count);
    own_number(l, OWN_BASE, l->turn);
    set_steps(l, count, turns_of(l, count, most));
    return CPL_OK;
}

/* --- the kernels --- */

void radix_bind_how(sorting *s, algo_step *to)
{
    STEP_BIND(&s->c, to, BIND_RANK, BIND_BITS, BIND_FRACTION, BIND_DESCENDING, BIND_FIRST,
              BIND_END);
}

/* Of the host's memory 64 bytes at once; a device's work-items have no room for so many. */
static void bind_move(sorting *s, algo_step *to)
{
    enum { BYTES = 64 };
    bool host = !algo_target(&s->c);
    s->c.binds[BIND_LINE] = cpl_bind_integer(host ? BYTES / (int64_t)s->key->size : 0);
    STEP_BIND(&s->c, to, BIND_TYPE, BIND_VALUE, BIND_LINE);
}

static void bind_modes(sorting *s, algo_step *to)
{
    step_flag(to, (int)sort_mode(s));
    step_flag(to, sort_mode(s) != MODE_NONE);
}

/* Keys of one digit are the same: nothing goes along, and no bit of theirs is left out. */
static bool fills(const sorting *s)
{
    const cpl_bind *b = s->c.binds;
    return sort_mode(s) == MODE_NONE && !b[BIND_FIRST].integer &&
           b[BIND_END].integer == b[BIND_BITS].integer;
}

static void add_few(sorting *s)
{
    algo_step *to = step_new(&s->c, "cpl.sort.few");
    sort_give_all(s, to);
    STEP_OWN(&s->c, to, OWN_N);
    step_flag(to, (s->c.flags & APART) != 0);
    STEP_BIND(&s->c, to, BIND_TYPE, BIND_VALUE);
    bind_modes(s, to);
    radix_bind_how(s, to);
}

/* The first turn leaves parts of the keys that are sorted by themselves, each in one core's cache:
 * on the host, whose cores have one, and of keys with more digits than two, which it spares turns.
 */
static bool leads(const sorting *s)
{
    return s->c.flags & LEADS;
}

static void add_vary(sorting *s)
{
    algo_step *to = step_new(&s->c, "cpl.sort.vary");
    STEP_OWN(&s->c, to, OWN_VARYING);
    step_given(&s->c, to, 0);
    STEP_OWN(&s->c, to, OWN_N, OWN_SIZE, OWN_COUNT);
    radix_bind_how(s, to);
}

static void give_map(sorting *s, algo_step *to)
{
    if (leads(s)) sort_own(s, to, OWN_AFTER, algo_scalar(&s->c, CPL_UINT8));
    else step_flag(to, 0);
}

static void add_maps(sorting *s)
{
    algo_step *to = step_new(&s->c, "cpl.sort.maps");
    give_map(s, to);
    STEP_OWN(&s->c, to, OWN_VARYING);
    sort_give_key(s, to, true);
    sort_give_input(s, to, 0, true);
    STEP_OWN(&s->c, to, OWN_N, OWN_COUNT);
    step_flag(to, (s->c.flags & APART) != 0);
    step_flag(to, fills(s));
    radix_bind_how(s, to);
}

static void add_counts(sorting *s)
{
    algo_step *to = step_new(&s->c, "cpl.sort.counts");
    STEP_OWN(&s->c, to, OWN_BEGUN);
    give_map(s, to);
    STEP_OWN(&s->c, to, OWN_VARYING);
    sort_give_keys(s, to);
    sort_give_input(s, to, 0, true);
    STEP_OWN(&s->c, to, OWN_N, OWN_SIZE, OWN_COUNT, OWN_BASE);
    step_flag(to, leads(s));
    step_flag(to, (s->c.flags & APART) != 0);
    step_flag(to, fills(s));
    radix_bind_how(s, to);
}

static void add_offsets(sorting *s)
{
    algo_step *to = step_new(&s->c, "cpl.sort.offsets");
    STEP_OWN(&s->c, to, OWN_BEGUN, OWN_VARYING, OWN_N, OWN_SIZE, OWN_COUNT, OWN_BASE);
    step_flag(to, leads(s));
    step_flag(to, fills(s));
}

static void add_moves(sorting *s)
{
    algo_step *to = step_new(&s->c, "cpl.sort.moves");
    sort_give_all(s, to);
    STEP_OWN(&s->c, to, OWN_BEGUN);
    give_map(s, to);
    STEP_OWN(&s->c, to, OWN_VARYING, OWN_N, OWN_SIZE, OWN_COUNT, OWN_BASE);
    step_flag(to, leads(s));
    step_flag(to, (s->c.flags & APART) != 0);
    bind_move(s, to);
    bind_modes(s, to);
    step_flag(to, fills(s));
    radix_bind_how(s, to);
}

static void add_buckets(sorting *s)
{
    algo_step *to = step_new(&s->c, "cpl.sort.buckets");
    sort_give_keys(s, to);
    sort_give_values(s, to);
    STEP_OWN(&s->c, to, OWN_BEGUN, OWN_VARYING, OWN_N, OWN_COUNT);
    step_flag(to, (s->c.flags & APART) != 0);
    STEP_BIND(&s->c, to, BIND_TYPE, BIND_VALUE);
    step_flag(to, sort_mode(s) != MODE_NONE);
    radix_bind_how(s, to);
}

static void add_settles(sorting *s)
{
    algo_step *to = step_new(&s->c, "cpl.sort.settles");
    sort_give_all(s, to);
    STEP_OWN(&s->c, to, OWN_VARYING, OWN_N, OWN_SIZE, OWN_COUNT);
    step_flag(to, (s->c.flags & APART) != 0);
    step_flag(to, (int)sort_mode(s));
    step_flag(to, fills(s));
}

cpl_status radix_launch(sorting *s)
{
    if (s->c.n <= RADIX_FEW) {
        add_few(s);
        return steps_launch(&s->c, NO_KEY, rule_few);
    }
    if (s->key->size > 2 && !algo_target(&s->c)) s->c.flags |= LEADS;
    add_vary(s);
    if (leads(s)) add_maps(s);
    add_counts(s);
    add_offsets(s);
    add_moves(s);
    add_settles(s);
    if (leads(s)) add_buckets(s);
    return steps_launch(&s->c, NO_KEY, rule);
}

/* --- what keys are --- */

static int fraction_of(const cpl_type *key)
{
    if (type_is(key, CPL_FLOAT16)) return 10;
    if (type_is(key, CPL_FLOAT32)) return 23;
    if (type_is(key, CPL_FLOAT64)) return 52;
    return type_is_signed(key) ? -1 : 0;
}

static void bind_key(sorting *s, const cpl_sort_spec *spec)
{
    cpl_bind *b = s->c.binds;
    int32_t width = (int32_t)s->key->size * 8;
    type_table *types = context_types(module_context(s->c.module));
    bool all = !spec->first_bit && !spec->end_bit;
    b[BIND_OP] = cpl_bind_integer(0); /* keys are compared by their ranks */
    b[BIND_RANK] = cpl_bind_type(type_scalar(types, width == 64 ? CPL_UINT64 : CPL_UINT32));
    b[BIND_BITS] = cpl_bind_integer(width);
    b[BIND_FRACTION] = cpl_bind_integer(fraction_of(s->key));
    b[BIND_FIRST] = cpl_bind_integer(spec->first_bit);
    b[BIND_END] = cpl_bind_integer(all ? width : spec->end_bit);
}

static cpl_status check_bits(const sorting *s, const cpl_sort_spec *spec)
{
    int32_t width = (int32_t)s->key->size * 8, first = spec->first_bit, end = spec->end_bit;
    if (!first && !end) return CPL_OK;
    if (0 <= first && first < end && end <= width) return CPL_OK;
    return context_report(module_context(s->c.module), CPL_EARG,
                          "bits %d to %d are none of a key of %s, which has %d", first, end,
                          s->key->text, width);
}

cpl_status radix_bind(sorting *s, const cpl_sort_spec *spec)
{
    if (!type_is_scalar(s->key))
        return context_report(module_context(s->c.module), CPL_EARG,
                              "keys are numbers, not %s: what comes before what is to be said",
                              s->key->text);
    cpl_status status = check_bits(s, spec);
    if (!status) bind_key(s, spec);
    return status;
}

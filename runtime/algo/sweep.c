/*
 * Sorts by digits on GPUs: all digits counted at once, then one pass for each as turns of one plan.
 */
#include "runtime/algo/sort_int.h"

enum {
    DIGITS = 256,
    DIGIT_BITS = 8,
    GROUPS_OF_UNIT = 8, /* that count */
    PLACES_AT = 4,      /* bits of plan.flags, behind those of sort_int.h */
    STEP_BEGIN = 0,
    STEP_COUNT,
    STEP_STARTS,
    STEP_FIRST,
    STEP_LATER,
};

static int64_t places_of(uint32_t flags)
{
    return flags >> PLACES_AT & 15;
}

/* --- sizes --- */

static void set_passes(plan_launch *l, int64_t tiles)
{
    int64_t places = places_of(l->plan->flags);
    bool first = !l->turn;
    tiles_grid(l, STEP_FIRST, first ? tiles : 0);
    for (size_t i = STEP_LATER; i < l->plan->step_count; i++) {
        bool to_x = i == STEP_LATER, ends_in_x = (places - l->turn) % 2;
        tiles_grid(l, i, !first && to_x == ends_in_x ? tiles : 0);
    }
    l->more = l->turn + 1 < places;
}

static void set_counts(plan_launch *l, int64_t tiles)
{
    int64_t places = places_of(l->plan->flags),
            most = (int64_t)l->queue->device->info.units * GROUPS_OF_UNIT;
    bool first = !l->turn;
    l->steps[STEP_BEGIN].n = first ? places * (DIGITS + 1) : 0;
    tiles_grid(l, STEP_COUNT, first ? tiles < most ? tiles : most : 0);
    tiles_grid(l, STEP_STARTS, first ? places : 0);
    l->steps[STEP_STARTS].local[0] = DIGITS;
    l->steps[STEP_STARTS].global[0] = first ? places * DIGITS : 0;
}

static cpl_status rule(plan_launch *l)
{
    uint32_t flags = l->plan->flags;
    int64_t places = places_of(flags), tiles = divided(l->n, tiles_size(flags));
    if (own_type(l, OWN_TOTAL)) own_array_of(l, OWN_TOTAL, own_type(l, OWN_TOTAL), l->n);
    if (own_type(l, OWN_CARRY)) own_array_of(l, OWN_CARRY, own_type(l, OWN_CARRY), l->n);
    if (own_type(l, OWN_HEAD)) own_array_of(l, OWN_HEAD, own_type(l, OWN_HEAD), l->n);
    own_array_of(l, OWN_AFTER, own_type(l, OWN_AFTER), 2 * DIGITS * tiles);
    own_array_of(l, OWN_BEGUN, NULL, places * (DIGITS + 1));
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_SIZE, DIGITS * tiles);
    own_number(l, OWN_COUNT, tiles);
    own_number(l, OWN_BASE, l->turn);
    set_counts(l, tiles);
    set_passes(l, tiles);
    return CPL_OK;
}

/* --- the kernels --- */

static void give_state(sorting *s, algo_step *to)
{
    sort_own(s, to, OWN_AFTER, s->c.binds[BIND_WORD].type);
}

static void add_count(sorting *s)
{
    algo_step *to = tiles_step(&s->c, "cpl.sweep.count");
    STEP_OWN(&s->c, to, OWN_BEGUN);
    give_state(s, to);
    step_given(&s->c, to, 0);
    STEP_OWN(&s->c, to, OWN_N, OWN_SIZE);
    STEP_BIND(&s->c, to, BIND_TYPE, BIND_GROUP, BIND_ITEMS, BIND_PLACES, BIND_TABLE, BIND_FIRST);
    radix_bind_how(s, to);
}

enum { FROM_GIVEN, FROM_X, FROM_Y };

static void add_pass(sorting *s, int from, bool to_x)
{
    uint32_t mode = sort_mode(s);
    algo_step *to = tiles_step(&s->c, "cpl.sweep.sweep");
    sort_give_key(s, to, to_x);
    sort_give_value(s, to, to_x);
    if (from == FROM_GIVEN) step_given(&s->c, to, 0);
    else sort_give_key(s, to, from == FROM_X);
    if (from != FROM_GIVEN) sort_give_value(s, to, from == FROM_X);
    else if (mode == MODE_VALUES) step_given(&s->c, to, 1);
    else step_flag(to, 0);
    give_state(s, to);
    STEP_OWN(&s->c, to, OWN_BEGUN, OWN_N, OWN_BASE, OWN_COUNT);
    STEP_BIND(&s->c, to, BIND_TYPE, BIND_VALUE, BIND_GROUP, BIND_ITEMS, BIND_TILE, BIND_MOVED,
              BIND_COUNTS, BIND_PLACES);
    step_flag(to, from == FROM_GIVEN ? (int)mode : mode != MODE_NONE);
    STEP_BIND(&s->c, to, BIND_WORD, BIND_KIND, BIND_GROUPS, BIND_FIRST);
    radix_bind_how(s, to);
}

bool sweep_bind(sorting *s)
{
    algo_call *c = &s->c;
    int64_t bits = c->binds[BIND_END].integer - c->binds[BIND_FIRST].integer,
            places = divided(bits, DIGIT_BITS);
    if (!tiles_bind_sort(c, s->key, s->value)) return false;
    /* what ends up where it was takes an even number of passes, the last one of no bits */
    if (!(c->flags & APART)) places += places % 2;
    c->flags |= (uint32_t)places << PLACES_AT;
    c->binds[BIND_PLACES] = cpl_bind_integer(places);
    c->binds[BIND_TABLE] = cpl_bind_integer(places * DIGITS);
    return true;
}

cpl_status sweep_launch(sorting *s)
{
    int64_t places = s->c.binds[BIND_PLACES].integer;
    algo_step *to = step_new(&s->c, "cpl.sweep.begin");
    STEP_OWN(&s->c, to, OWN_BEGUN);
    add_count(s);
    to = tiles_step(&s->c, "cpl.sweep.starts");
    STEP_OWN(&s->c, to, OWN_BEGUN);
    add_pass(s, FROM_GIVEN, places % 2);
    if (places > 1) add_pass(s, FROM_Y, true);
    if (places > 2) add_pass(s, FROM_X, false);
    return steps_launch(&s->c, NO_KEY, rule);
}

/* What is unique: a sorted copy of the keys, where in it values begin, and what is asked of them:
 * by pieces, or by tiles of GPUs. */
#include "runtime/algo/sort_int.h"

void cpl_unique_spec_init(cpl_unique_spec *spec)
{
    if (spec) *spec = (cpl_unique_spec){.size = sizeof *spec};
}

typedef struct uniting {
    sorting s;
    cpl_unique_spec want;
    /* among the arguments, or NO_ARGUMENT: results */
    size_t out, first, inverse, counts, number;
    size_t keys, order;       /* what is sorted */
    cpl_launch_options quiet; /* the caller's, for what is not the last kernel */
} uniting;

/* --- the kernels --- */

static cpl_status rule_copy(plan_launch *l)
{
    l->steps[0].n = l->n;
    return CPL_OK;
}

/* The copy that is sorted. Zeros of floats become one, so that the sort keeps them in the order in
 * which they came. */
static cpl_status copy_keys(uniting *u, size_t to)
{
    algo_call *c = &u->s.c;
    bool floats = !u->s.compares && type_is_float(u->s.key);
    c->binds[BIND_SIGN] = cpl_bind_integer(floats ? 8 * (int64_t)u->s.key->size - 1 : 0);
    algo_step *step = step_new(c, "cpl.unique.plain");
    step_given(c, step, to);
    step_given(c, step, 0);
    STEP_BIND(c, step, BIND_SIGN);
    cpl_status status = steps_launch(c, NO_KEY, rule_copy);
    c->step_count = 0;
    return status;
}

static cpl_status rule(plan_launch *l)
{
    int64_t size = algo_piece_size(l->queue->device, l->n), count = divided(l->n, size);
    own_array(l, OWN_BEGUN, count);
    own_array(l, OWN_VARYING, count);
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_SIZE, size);
    own_number(l, OWN_COUNT, count);
    l->steps[0].n = l->steps[2].n = count;
    l->steps[1].n = 1;
    return CPL_OK;
}

static void add_counts(uniting *u)
{
    algo_call *c = &u->s.c;
    algo_step *to = step_new(c, "cpl.unique.value_counts");
    STEP_OWN(c, to, OWN_BEGUN, OWN_VARYING);
    step_given(c, to, u->keys);
    STEP_OWN(c, to, OWN_N, OWN_SIZE);
    merge_bind_how(&u->s, to);
}

static void add_starts(uniting *u)
{
    algo_call *c = &u->s.c;
    algo_step *to = step_new(c, "cpl.unique.value_starts");
    STEP_OWN(c, to, OWN_BEGUN, OWN_VARYING);
    step_maybe(c, to, u->number);
    STEP_OWN(c, to, OWN_COUNT);
    step_flag(to, u->number != NO_ARGUMENT);
}

static void add_values(uniting *u)
{
    algo_call *c = &u->s.c;
    const size_t asked[] = {u->out, u->first, u->inverse, u->counts};
    algo_step *to = step_new(c, "cpl.unique.values");
    for (size_t i = 0; i < COUNT_OF(asked); i++) step_maybe(c, to, asked[i]);
    step_given(c, to, u->keys);
    step_maybe(c, to, u->order);
    STEP_OWN(c, to, OWN_BEGUN, OWN_VARYING, OWN_N, OWN_SIZE);
    for (size_t i = 0; i < COUNT_OF(asked); i++) step_flag(to, asked[i] != NO_ARGUMENT);
    merge_bind_how(&u->s, to);
}

/* --- by tiles --- */

/* How many values begin, and where the last one of those in front does. */
static int64_t state_words(int64_t tiles)
{
    return TILES_HEAD + 2 * tiles;
}

static cpl_status tiles_rule(plan_launch *l)
{
    int64_t tiles = divided(l->n, tiles_size(l->plan->flags));
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_COUNT, tiles);
    tiles_pass(l, tiles, state_words(tiles));
    return CPL_OK;
}

static cpl_status find_by_tiles(uniting *u)
{
    algo_call *c = &u->s.c;
    const size_t asked[] = {u->out, u->first, u->inverse, u->counts, u->number};
    bool zeros =
        tiles_clear(c, "cpl.unique.clear", state_words(divided(c->n, tiles_size(c->flags))));
    algo_step *to = tiles_step(c, "cpl.unique.tile_values");
    for (size_t i = 0; i < COUNT_OF(asked); i++) step_maybe(c, to, asked[i]);
    step_given(c, to, u->keys);
    step_maybe(c, to, u->order);
    STEP_OWN(c, to, OWN_BEGUN, OWN_N, OWN_COUNT);
    STEP_BIND(c, to, BIND_GROUP, BIND_ITEMS, BIND_TILE);
    for (size_t i = 0; i < COUNT_OF(asked); i++) step_flag(to, asked[i] != NO_ARGUMENT);
    step_flag(to, zeros);
    merge_bind_how(&u->s, to);
    return steps_launch(c, NO_KEY, tiles_rule);
}

/* --- what is asked for --- */

static cpl_status place_index(uniting *u, const cpl_arg *array, int64_t n, const char *what,
                              size_t *at)
{
    algo_call *c = &u->s.c;
    *at = array ? c->p.count : NO_ARGUMENT;
    return array ? algo_place_index(c, array, c->n, n, what) : CPL_OK;
}

static cpl_status place(uniting *u)
{
    algo_call *c = &u->s.c;
    cpl_status status = sort_check_length(&u->s, 0, c->n);
    u->out = u->want.out ? c->p.count : NO_ARGUMENT;
    if (!status && u->want.out)
        status = algo_place(c, u->want.out, u->s.key, 0, "the array of the values");
    if (!status)
        status = place_index(u, u->want.first, 0, "the array of the first places", &u->first);
    if (!status) status = place_index(u, u->want.inverse, c->n, "the inverse", &u->inverse);
    if (!status) status = place_index(u, u->want.counts, 0, "the array of the counts", &u->counts);
    return status;
}

/* --- the call --- */

/* A copy, sorted; where its elements were too, if `order` is an array. */
static cpl_status sort_copy(uniting *u, const cpl_arg *keys, const cpl_arg *order)
{
    cpl_sort_spec spec;
    cpl_sort_spec_init(&spec);
    spec.before = u->want.before;
    spec.flags = u->want.flags;
    spec.order = order->array ? order : NULL;
    return cpl_sort(u->s.c.module, &spec, &u->quiet, keys, 1);
}

static cpl_status place_copy(uniting *u, const cpl_arg *keys, const cpl_arg *order)
{
    algo_call *c = &u->s.c;
    u->keys = c->p.count;
    cpl_status status = place_more(&c->p, keys, NULL);
    u->order = order->array ? c->p.count : NO_ARGUMENT;
    return status || !order->array ? status : place_more(&c->p, order, NULL);
}

/* Of complex numbers all that have a NaN are one value, as in NumPy. */
static void bind_value(uniting *u)
{
    static const char differs[] = "a == a and (b != b or a.real < b.real or "
                                  "(a.real == b.real and a.imag < b.imag))";
    if (sort_is_lexical(&u->s, &u->want.before))
        u->s.c.binds[BIND_OP] = cpl_bind_expression(differs);
}

static cpl_status find_values(uniting *u)
{
    bind_value(u);
    if (u->s.c.n > 0 && tiles_bind_choice(&u->s.c)) return find_by_tiles(u);
    add_counts(u);
    add_starts(u);
    add_values(u);
    return steps_launch(&u->s.c, NO_KEY, rule);
}

static cpl_status unite_arrays(uniting *u, const cpl_arg *keys, const cpl_arg *order)
{
    algo_call *c = &u->s.c;
    const cpl_launch_options *given = c->options;
    cpl_status status = place_copy(u, keys, order);
    for (size_t i = 0; i < c->p.count && !status; i++)
        if (i == 0 || i == u->out || i == u->keys) sorted_move_bits(&u->s, i);
    c->options = &u->quiet;
    if (!status) status = copy_keys(u, u->keys);
    if (!status) status = sort_copy(u, keys, order);
    c->options = given;
    return status ? status : find_values(u);
}

static cpl_status unite_copy(uniting *u)
{
    algo_call *c = &u->s.c;
    cpl_arg keys = {.kind = CPL_ARG_ARRAY, .dtype = u->s.key->dtype},
            order = {.kind = CPL_ARG_ARRAY, .dtype = c->n > INT32_MAX ? CPL_INT64 : CPL_INT32};
    if (type_is_struct(u->s.key)) keys.record = u->s.key;
    cpl_status status = algo_array(c, c->n, &keys);
    bool asks = u->first != NO_ARGUMENT || u->inverse != NO_ARGUMENT;
    if (!status && asks) status = algo_array(c, c->n, &order);
    if (!status) status = unite_arrays(u, &keys, &order);
    cpl_array_release(keys.array);
    cpl_array_release(order.array);
    return status;
}

/* number: takes how many values there are; NULL: nobody asks. */
static cpl_status unite_to(algo_call *c, const cpl_arg *number)
{
    uniting *u = (uniting *)(void *)c; /* its first member's first */
    cpl_status status = CPL_OK;
    u->number = number ? c->p.count : NO_ARGUMENT;
    if (number) status = algo_place_number(c, number, "the place of the number of values");
    if (!status) status = algo_check_results(c, 1);
    return status ? status : unite_copy(u);
}

static cpl_status unite(uniting *u)
{
    algo_call *c = &u->s.c;
    cpl_status status = place(u);
    if (status) return status;
    u->quiet = algo_part(c);
    return reduce_number(c, u->want.number, unite_to);
}

cpl_status cpl_unique(cpl_module *module, const cpl_unique_spec *spec,
                      const cpl_launch_options *options, const cpl_arg *keys)
{
    uniting u;
    cpl_launch_options room;
    cpl_unique_spec_init(&u.want);
    if (MISSING("module spec keys", module, spec, keys)) return CPL_EARG;
    if (READ_STRUCT(&u.want, spec, cpl_unique_spec)) return CPL_EARG;
    const sorted_order order = {u.want.before, u.want.flags};
    cpl_status status = sorted_begin(&u.s, &order, module, launch_options(options, &room), keys, 1);
    if (!status) status = algo_library(&u.s.c, &algo_unique);
    if (!status) status = unite(&u);
    return algo_end(&u.s.c, status);
}

/* Reductions by key: totals of pieces and how many runs begin there, what comes into each piece,
 * the runs. */
#include "runtime/algo/algo.h"

void cpl_runs_init(cpl_runs *runs)
{
    if (runs) *runs = (cpl_runs){.size = sizeof *runs};
}

enum { STARTS = 1, KEPT = 2 }; /* algo_call.flags */

static cpl_status rule(plan_launch *l)
{
    int64_t count = reduce_split(l, 2, l->n);
    own_array(l, OWN_TOTAL, count);
    own_array(l, OWN_BEGUN, count);
    l->steps[2].n = count;
    l->steps[1].n = 1;
    return CPL_OK;
}

static void add_binds(algo_call *c, algo_step *s)
{
    STEP_BIND(c, s, BIND_OP, BIND_NEUTRAL, BIND_SOURCE, BIND_KEY, BIND_START);
    step_range(c, s, 0, c->inputs);
}

static void add_totals(algo_call *c)
{
    algo_step *s = step_new(c, "cpl.runs.run_totals");
    STEP_OWN(c, s, OWN_TOTAL, OWN_BEGUN, OWN_N, OWN_SIZE);
    STEP_BIND(c, s, BIND_TYPE);
    step_flag(s, (c->flags & STARTS) != 0);
    add_binds(c, s);
}

/* told: an array, the last argument, takes how many runs there are. */
static void add_carries(algo_call *c, bool told)
{
    algo_step *s = step_new(c, "cpl.runs.run_carries");
    STEP_OWN(c, s, OWN_TOTAL, OWN_BEGUN);
    step_maybe(c, s, told ? c->p.count - 1 : NO_ARGUMENT);
    STEP_OWN(c, s, OWN_COUNT);
    STEP_BIND(c, s, BIND_TYPE);
    step_flag(s, told);
    STEP_BIND(c, s, BIND_OP, BIND_NEUTRAL);
}

static void add_runs(algo_call *c)
{
    bool kept = c->flags & KEPT;
    algo_step *s = step_new(c, "cpl.runs.runs");
    step_given(c, s, c->inputs);
    step_maybe(c, s, kept ? c->inputs + 1 : NO_ARGUMENT);
    STEP_OWN(c, s, OWN_TOTAL, OWN_BEGUN, OWN_N, OWN_SIZE);
    STEP_BIND(c, s, BIND_TYPE);
    step_flag(s, (c->flags & STARTS) != 0);
    step_flag(s, kept);
    add_binds(c, s);
}

/* --- by tiles --- */

/* Of values, and of counts. */
static int64_t state_words(const cpl_type *t, int64_t tiles)
{
    return tiles_words(t, tiles) + tiles;
}

static cpl_status tiles_rule(plan_launch *l)
{
    int64_t tiles = divided(l->n, tiles_size(l->plan->flags));
    tiles_hand_on(l, tiles);
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_COUNT, tiles);
    tiles_pass(l, tiles, state_words(own_type(l, OWN_TOTAL), tiles));
    return CPL_OK;
}

static cpl_status reduce_tiles(algo_call *c, bool told)
{
    bool kept = c->flags & KEPT,
         zeros = tiles_clear(c, "cpl.keyed.clear",
                             state_words(c->type, divided(c->n, tiles_size(c->flags))));
    algo_step *s = tiles_step(c, "cpl.keyed.keyed");
    step_given(c, s, c->inputs);
    step_maybe(c, s, kept ? c->inputs + 1 : NO_ARGUMENT);
    step_maybe(c, s, told ? c->p.count - 1 : NO_ARGUMENT);
    STEP_OWN(c, s, OWN_BEGUN, OWN_TOTAL, OWN_CARRY, OWN_N, OWN_COUNT);
    STEP_BIND(c, s, BIND_TYPE, BIND_ELEMENT, BIND_GROUP, BIND_ITEMS, BIND_TILE, BIND_ROOM,
              BIND_WIDE, BIND_PACKED, BIND_LOOKS, BIND_SHUFFLES);
    step_flag(s, zeros);
    step_flag(s, (c->flags & STARTS) != 0);
    step_flag(s, kept);
    step_flag(s, told);
    add_binds(c, s);
    return steps_launch(c, NO_KEY, tiles_rule);
}

/* --- the call --- */

static cpl_status bind_start(algo_call *c, const cpl_runs *runs)
{
    static const cpl_bind none = {CPL_BIND_INTEGER, 0, NULL, NULL, {0}};
    bool given = runs->start.kind != CPL_BIND_NONE;
    c->binds[BIND_START] = none;
    c->binds[BIND_KEY] = none;
    if (given) c->flags |= STARTS;
    cpl_status status =
        given ? op_elements(c, BIND_START, &runs->start, 0, "starts of runs") : CPL_OK;
    if (status || (given && !runs->keys)) return status;
    return op_elements(c, BIND_KEY, &runs->key, 0, "keys");
}

/* What keys are; NULL: nobody asks for them. */
static cpl_status key_type(algo_call *c, const cpl_runs *runs, const cpl_type **type)
{
    cpl_context *cx = module_context(c->module);
    cpl_status status = CPL_OK;
    *type = NULL;
    if (c->binds[BIND_KEY].kind == CPL_BIND_INTEGER) return CPL_OK;
    if (runs->key.kind == CPL_BIND_NONE) *type = arg_elements(context_types(cx), &c->p.args[0]);
    else status = op_infer(c, BIND_KEY, type);
    if (status || (type_is_scalar(*type) && !type_is_void(*type))) return status;
    return op_refuse(c, &runs->key, *type, "keys are numbers");
}

/* The arrays for what runs come to, and for their keys. */
static cpl_status place(algo_call *c, const cpl_reduce_spec *spec, const cpl_runs *runs,
                        const cpl_type *key)
{
    cpl_status status = algo_place_results(c, runs->out, spec->type, "the array of the results");
    if (status || !runs->keys) return status;
    c->flags |= KEPT;
    return algo_place(c, runs->keys, key, 0, "the array of the keys");
}

/* number: takes how many runs there are; NULL: nobody asks. */
static cpl_status reduce_to(algo_call *c, const cpl_arg *number)
{
    cpl_status status = CPL_OK;
    if (number) status = algo_place_number(c, number, "the place of the number of runs");
    if (!status) status = algo_check_results(c, c->inputs);
    if (status) return status;
    if (c->n > 0 && tiles_bind_keyed(c)) return reduce_tiles(c, number != NULL);
    add_totals(c);
    add_carries(c, number != NULL);
    add_runs(c);
    return steps_launch(c, NO_KEY, rule);
}

static cpl_status reduce(algo_call *c, const cpl_reduce_spec *spec, const cpl_runs *runs)
{
    const cpl_type *key;
    cpl_status status = algo_alone(c, spec);
    if (!status) status = op_bind_spec(c, spec);
    if (!status) status = op_elements(c, BIND_SOURCE, &spec->map, 1, "elements");
    if (!status) status = bind_start(c, runs);
    if (!status) status = key_type(c, runs, &key);
    if (!status) status = place(c, spec, runs, key);
    if (!status) status = op_neutral(c, &spec->neutral);
    return status ? status : reduce_number(c, runs->number, reduce_to);
}

cpl_status cpl_reduce_by_key(cpl_module *module, const cpl_reduce_spec *given,
                             const cpl_launch_options *options, const cpl_runs *runs,
                             const cpl_arg *args, size_t count)
{
    static const algo_load load = {"cpl_reduce_by_key", 2, 1, false};
    algo_call c;
    cpl_reduce_spec spec;
    cpl_runs r;
    cpl_launch_options room;
    cpl_reduce_spec_init(&spec);
    cpl_runs_init(&r);
    if (MISSING("module spec runs args", module, given, runs, UNLESS_NONE(args, count)))
        return CPL_EARG;
    if (READ_STRUCT(&spec, given, cpl_reduce_spec)) return CPL_EARG;
    if (READ_STRUCT(&r, runs, cpl_runs)) return CPL_EARG;
    if (MISSING("runs->out", r.out)) return CPL_EARG;
    cpl_status status = algo_begin(&c, &load, module, launch_options(options, &room), args, count);
    if (!status) status = algo_library(&c, &algo_runs);
    if (!status) status = reduce(&c, &spec, &r);
    return algo_end(&c, status);
}

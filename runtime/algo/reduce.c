/*
 * Reductions: parts, one a piece (parts.c), then one round that joins them. Few pieces are one
 * round of the parts, which joins them itself: no threads, no memory in between, one kernel to
 * compile.
 */
#include "runtime/algo/algo.h"

static cpl_status rule(plan_launch *l)
{
    own_array(l, OWN_TOTAL, reduce_split(l, reduce_loops_of_parts(l->plan->flags), l->n));
    own_number(l, OWN_EACH, 1);
    l->steps[1].n = 1;
    return CPL_OK;
}

/* The caller's arguments are map's, then the result's place. */
static size_t out_of(const algo_call *c)
{
    return c->p.count - 1;
}

static void add_parts(algo_call *c, bool one)
{
    algo_step *s = step_new(c, "cpl.chunks.parts");
    if (one) step_given(c, s, out_of(c));
    else STEP_OWN(c, s, OWN_TOTAL);
    STEP_OWN(c, s, OWN_N, OWN_SIZE, OWN_EACH);
    reduce_step(c, s);
    reduce_guess(c, s);
}

static void add_join(algo_call *c)
{
    algo_step *s = step_new(c, "cpl.chunks.join");
    s->elements = REDUCE_PIECES;
    step_given(c, s, out_of(c));
    STEP_OWN(c, s, OWN_TOTAL, OWN_COUNT);
    STEP_BIND(c, s, BIND_TYPE, BIND_OP);
}

/* --- by tiles --- */

enum { ONE_GROUP = 4 }; /* tiles that one group does in the time of a second launch */
/*
 * Groups of a multiprocessor: of few tiles as many as are at work at once, of many twice that, so
 * that none is left over. An H200 takes the least of 2^24 pairs of a float and an index at 3388 and
 * 3578 GB/s with 16 and 8, squares of 2^28 float32 at 4313 and 4220; where order is kept it is
 * slower with 8 at either size.
 */
enum { MANY_GROUPS = 16, FEW_GROUPS = 8, MANY_TILES = 128 };

static void bind_tile_parts(algo_call *c, algo_step *s)
{
    STEP_BIND(c, s, BIND_TYPE, BIND_ELEMENT, BIND_GROUP, BIND_ITEMS, BIND_TILE, BIND_WIDE,
              BIND_COMMUTES, BIND_SHUFFLES, BIND_OP, BIND_NEUTRAL, BIND_SOURCE);
    step_range(c, s, 0, c->inputs);
}

/* How many groups there are. */
static int64_t tiles_sizes(plan_launch *l, const cpl_type *type, int64_t few)
{
    int64_t tile = tiles_size(l->plan->flags), tiles = divided(l->n, tile);
    int64_t units = l->queue->device->info.units;
    int64_t most = units * (tiles < units * MANY_TILES ? few : MANY_GROUPS);
    int64_t size = divided(tiles, most) * tile, count = divided(l->n, size);
    own_array_of(l, OWN_TOTAL, type, count);
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_SIZE, size);
    own_number(l, OWN_COUNT, count);
    return count;
}

static cpl_status whole_by(plan_launch *l, int64_t few)
{
    tiles_grid(l, 0, tiles_sizes(l, own_type(l, OWN_TOTAL), few));
    tiles_keep(l);
    return CPL_OK;
}

static cpl_status whole_rule(plan_launch *l)
{
    return whole_by(l, FEW_GROUPS);
}

static cpl_status ordered_rule(plan_launch *l)
{
    return whole_by(l, MANY_GROUPS);
}

static cpl_status tiles_rule(plan_launch *l)
{
    tiles_grid(l, 0, tiles_sizes(l, own_type(l, OWN_TOTAL), MANY_GROUPS));
    tiles_grid(l, 1, 1);
    return CPL_OK;
}

static algo_step *add_tile_parts(algo_call *c, bool one)
{
    algo_step *s = tiles_step(c, "cpl.tiles.parts");
    if (one) step_given(c, s, out_of(c));
    else STEP_OWN(c, s, OWN_TOTAL);
    STEP_OWN(c, s, OWN_N, OWN_SIZE);
    bind_tile_parts(c, s);
    return s;
}

static void add_whole(algo_call *c)
{
    algo_step *s = tiles_step(c, "cpl.tiles.whole");
    step_given(c, s, out_of(c));
    STEP_OWN(c, s, OWN_TOTAL, OWN_BEGUN, OWN_N, OWN_SIZE, OWN_COUNT);
    bind_tile_parts(c, s);
}

static cpl_status reduce_tiles(algo_call *c)
{
    cpl_kernel *k;
    int64_t most = ONE_GROUP * tiles_size(c->flags), own[] = {c->n, most};
    if (c->n <= most) {
        algo_step *one = add_tile_parts(c, true);
        cpl_status status = step_kernel(c, one, &k);
        return status ? status : step_launch(c, one, k, own);
    }
    if (tiles_kept(c, 1)) {
        add_whole(c);
        return steps_launch(c, 0, c->commutes ? whole_rule : ordered_rule);
    }
    add_tile_parts(c, false);
    algo_step *s = tiles_step(c, "cpl.tiles.join_parts");
    step_given(c, s, out_of(c));
    STEP_OWN(c, s, OWN_TOTAL, OWN_COUNT);
    STEP_BIND(c, s, BIND_TYPE, BIND_GROUP, BIND_SHUFFLES, BIND_OP, BIND_NEUTRAL);
    return steps_launch(c, 0, tiles_rule);
}

static cpl_status reduce_to(algo_call *c, const cpl_arg *out)
{
    bool done = false;
    cpl_status status = reduce_place(c, out);
    if (status) return status;
    if (tiles_bind(c)) return reduce_tiles(c);
    if (reduce_is_small(c)) {
        add_parts(c, true);
        status = reduce_at_once(c, &done);
        if (status || done) return status;
    }
    add_parts(c, false);
    add_join(c);
    return steps_launch(c, 0, rule);
}

cpl_status reduce_back(algo_call *c, const cpl_type *type, reduce_fn *to)
{
    void *result = c->options->result;
    cpl_arg out = arg_of_elements(type, result, 1);
    if (!result) return reduce_nowhere(c);
    if (c->p.queue->recording)
        return context_report(module_context(c->module), CPL_EARG,
                              "the queue records a graph: the result of a reduction needs an array "
                              "there, which outlives the call");
    if (c->p.device->ops->shares_memory) return to(c, &out);
    cpl_status status = algo_array(c, 1, &out);
    if (!status) status = to(c, &out);
    if (!status) status = cpl_array_read(out.array, c->p.queue, result, NULL);
    cpl_array_release(out.array);
    return status;
}

cpl_status reduce_number(algo_call *c, const cpl_arg *number, reduce_fn *to)
{
    const cpl_type *type = algo_scalar(c, CPL_INT64);
    if (c->options->result_type) *c->options->result_type = type;
    return !number && c->options->result ? reduce_back(c, type, to) : to(c, number);
}

/* With all that leads to the kernels. */
static cpl_status reduce(const reduce_call *r)
{
    static const algo_load load = {"cpl_reduce", 1, 0, false};
    algo_call c;
    const cpl_reduce_spec *next = NULL;
    const cpl_arg *out = r->out;
    cpl_status status = algo_begin(&c, &load, r->module, r->options, r->args, r->count);
    if (!status) status = reduce_bind(&c, r->spec, &next);
    if (!status && c.options->result_type) *c.options->result_type = c.type;
    bool asks = !out && !c.options->result && c.options->result_type;
    if (!status && !asks && next) status = reduce_several(&c, next, out);
    else if (!status && !asks)
        status = out ? reduce_to(&c, out) : reduce_back(&c, c.type, reduce_to);
    if (!status) reduce_remember(r, c.once);
    return algo_end(&c, status);
}

cpl_status cpl_reduce(cpl_module *module, const cpl_reduce_spec *spec,
                      const cpl_launch_options *options, const cpl_arg *out, const cpl_arg *args,
                      size_t count)
{
    cpl_status status;
    cpl_reduce_spec read;
    cpl_launch_options room;
    if (MISSING("module spec args", module, spec, UNLESS_NONE(args, count))) return CPL_EARG;
    cpl_reduce_spec_init(&read);
    if (READ_STRUCT(&read, spec, cpl_reduce_spec)) return CPL_EARG;
    const reduce_call r = {module, &read, launch_options(options, &room), out, args, count};
    return r.options && reduce_again(&r, &status) ? status : reduce(&r);
}

cpl_status cpl_reduce_operator(cpl_module *module, const cpl_reduce_spec *given,
                               cpl_kernel **kernel)
{
    cpl_reduce_spec r;
    if (kernel) *kernel = NULL;
    if (MISSING("module spec kernel", module, given, kernel)) return CPL_EARG;
    cpl_reduce_spec_init(&r);
    if (READ_STRUCT(&r, given, cpl_reduce_spec)) return CPL_EARG;
    algo_call c = {.module = module};
    cpl_context *cx = module_context(module);
    cpl_status status = r.type ? op_bind(&c, &r.op) : CPL_EARG;
    if (!r.type) return context_report(cx, status, "an operator alone has a type");
    if (!status) status = op_type(&c, r.type);
    if (status) return status;
    if (!module_add_library(module, &algo_chunks)) return context_no_memory(cx);
    type_table *types = context_types(cx);
    const cpl_type *of = type_pointer(types, r.type, SPACE_GLOBAL),
                   *args[] = {of, of, type_scalar(types, CPL_INT64), NULL, NULL};
    const cpl_bind none = {CPL_BIND_NONE, 0, NULL, NULL, {0}},
                   binds[] = {none, none, none, c.binds[BIND_TYPE], c.binds[BIND_OP]};
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = CPL_FORM_FUNCTION;
    spec.types = args;
    spec.type_count = spec.bind_count = COUNT_OF(args);
    spec.binds = binds;
    return kernel_of_spec(module, "cpl.chunks.combine", &spec, kernel);
}

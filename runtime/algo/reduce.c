/*
 * Reductions: parts, one a piece, then one round that joins them. Few pieces are one round of the
 * parts, which joins them itself: no threads, no memory in between, one kernel to compile.
 */
#include "runtime/algo/algo.h"

void cpl_reduce_spec_init(cpl_reduce_spec *spec)
{
    if (spec) *spec = (cpl_reduce_spec){.size = sizeof *spec};
}

/*
 * 1024 pieces at most, so that joining them takes no time; none so small that it is not worth a
 * thread, which is less where elements take loops of their own; an odd number of cache lines, so
 * that pieces do not lie in the same sets of a cache. All this depends on n and the functions
 * alone: docs/language.md has it.
 */
enum { LEAST = REDUCE_LEAST, LEAST_OF_LOOPS = 16 };

static int64_t piece_size(int64_t n, int64_t least)
{
    int64_t size = divided(n, REDUCE_PIECES);
    if (size > least) size = (divided(size, 64) | 1) * 64;
    return size < least ? least : size;
}

int64_t reduce_size_of(const cpl_kernel *k, uint32_t loops, int64_t n)
{
    return piece_size(n, k->artifact.nesting > loops ? LEAST_OF_LOOPS : LEAST);
}

uint32_t reduce_loops(uint32_t flags)
{
    return 2 + !!(flags & REDUCE_LANES) + !!(flags & REDUCE_BLOCKS);
}

uint32_t reduce_loops_of_parts(uint32_t flags)
{
    return reduce_loops(flags) + 1; /* pieces of a round */
}

int64_t reduce_pieces(int64_t n, int64_t size)
{
    return n ? divided(n, size) : 1;
}

/* Of elements that take no loops: a few microseconds' work. Chunks.py has the larger number, too.
 */
enum { FEW = REDUCE_FEW, FEW_LIGHT = 2 * FEW, MOST_AT_ONCE = FEW_LIGHT / LEAST };

/* Of elements that lie in an array and meet a known operator in lanes of half the size twice as
 * many take no longer. */
int64_t reduce_few(const algo_call *c)
{
    bool light = c->plain && c->known && type_is_scalar(c->type) && c->type->size <= 4;
    return light ? FEW_LIGHT : FEW;
}

bool reduce_has_loops(const cpl_kernel *k, uint32_t loops)
{
    return k->artifact.nesting > loops;
}

bool reduce_alone(const cpl_kernel *k, uint32_t loops, int64_t n)
{
    return n <= FEW && !reduce_has_loops(k, loops);
}

int64_t reduce_split(plan_launch *l, uint32_t loops, int64_t n)
{
    const cpl_kernel *parts = l->plan->steps[0].kernel;
    int64_t size = reduce_size_of(parts, loops, n), count = reduce_pieces(n, size);
    l->alone = reduce_alone(parts, loops, n);
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_SIZE, size);
    own_number(l, OWN_COUNT, count);
    l->steps[0].n = count;
    return count;
}

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

void reduce_lanes(algo_call *c, algo_step *s)
{
    int lanes = op_lanes(c);
    if (!lanes) return;
    c->flags |= REDUCE_LANES;
    s->each = STEP_GUESSED * lanes;
    s->lanes = LANES_AS_ASKED; /* those of its own */
}

void reduce_step(algo_call *c, algo_step *s)
{
    reduce_lanes(c, s);
    STEP_BIND(c, s, BIND_TYPE, BIND_LANES, BIND_VECTORS, BIND_OP, BIND_NEUTRAL, BIND_SOURCE);
    step_range(c, s, 0, c->inputs);
}

void reduce_guess(const algo_call *c, algo_step *s)
{
    const int64_t lanes = c->binds[BIND_LANES].integer;
    s->each = MOST_AT_ONCE * STEP_GUESSED * (lanes ? lanes : 1);
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

bool reduce_is_small(const algo_call *c)
{
    return c->n <= (algo_target(c) ? LEAST : reduce_few(c));
}

cpl_status reduce_at_once(algo_call *c, bool *done)
{
    cpl_kernel *k;
    uint32_t loops = reduce_loops_of_parts(c->flags);
    cpl_status status = step_kernel(c, &c->steps[0], &k);
    if (status) return status;
    int64_t size = reduce_size_of(k, loops, c->n), pieces = reduce_pieces(c->n, size);
    bool alone = !algo_target(c) && !reduce_has_loops(k, loops);
    if (alone && !c->p.moves) c->once = k;
    *done = pieces == 1 || alone;
    if (*done) return step_launch(c, &c->steps[0], k, (int64_t[]){c->n, size, pieces});
    c->step_count = 0;
    return CPL_OK;
}

/* Memory of the caller's may be anywhere. */
static cpl_status check_alignment(const algo_call *c, const cpl_arg *out)
{
    if (out->kind != CPL_ARG_ARRAY || out->array || (uintptr_t)out->data % c->type->align == 0)
        return CPL_OK;
    return context_report(module_context(c->module), CPL_EARG,
                          "the place of the result is not aligned to %s", c->type->text);
}

cpl_status reduce_place(algo_call *c, const cpl_arg *out)
{
    cpl_status status = check_alignment(c, out);
    if (!status) status = place_more(&c->p, out);
    if (!status) status = algo_check_array(c, out_of(c), 1, "the place of the result");
    if (!status) reduce_only_one(&c->p.args[out_of(c)]);
    return status;
}

/* --- by tiles --- */

enum { ONE_GROUP = 4 };       /* tiles that one group does in the time of a second launch */
enum { GROUPS_OF_UNIT = 16 }; /* twice as many as are at work at once, so that none is left over */

static void bind_tile_parts(algo_call *c, algo_step *s)
{
    STEP_BIND(c, s, BIND_TYPE, BIND_ELEMENT, BIND_GROUP, BIND_ITEMS, BIND_TILE, BIND_WIDE,
              BIND_COMMUTES, BIND_SHUFFLES, BIND_OP, BIND_NEUTRAL, BIND_SOURCE);
    step_range(c, s, 0, c->inputs);
}

/* How many groups there are. */
static int64_t tiles_sizes(plan_launch *l, const cpl_type *type)
{
    int64_t tile = tiles_size(l->plan->flags), tiles = divided(l->n, tile);
    int64_t most = (int64_t)l->queue->device->info.units * GROUPS_OF_UNIT;
    int64_t size = divided(tiles, most) * tile, count = divided(l->n, size);
    own_array_of(l, OWN_TOTAL, type, count);
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_SIZE, size);
    own_number(l, OWN_COUNT, count);
    return count;
}

static cpl_status whole_rule(plan_launch *l)
{
    tiles_grid(l, 0, tiles_sizes(l, own_type(l, OWN_TOTAL)));
    own_array_of(l, OWN_BEGUN, NULL, 1);
    l->zeroed = OWN_BEGUN;
    return CPL_OK;
}

static cpl_status tiles_rule(plan_launch *l)
{
    tiles_grid(l, 0, tiles_sizes(l, own_type(l, OWN_TOTAL)));
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
        return steps_launch(c, 0, whole_rule);
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

cpl_status reduce_nowhere(const algo_call *c)
{
    return context_report(module_context(c->module), CPL_EARG, "there is no place for the result");
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

cpl_status reduce_bind(algo_call *c, const cpl_reduce_spec *given, const cpl_reduce_spec **next)
{
    cpl_reduce_spec spec;
    cpl_reduce_spec_init(&spec);
    if (READ_STRUCT(&spec, given, cpl_reduce_spec)) return CPL_EARG;
    *next = spec.next;
    cpl_status status = op_bind_spec(c, &spec);
    if (!status) status = op_source(c, &spec.map);
    if (!status) status = op_type(c, spec.type);
    return status ? status : op_neutral(c, &spec.neutral);
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
    if (!module || !spec || (count && !args)) return BAD_CALL;
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
    if (!module || !given || !kernel) return BAD_CALL;
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

/*
 * Scans: totals of pieces, the carry into each, the items. On the host a few pieces at a time, so
 * that the second look at them finds them in the cache.
 */
#include "runtime/algo/algo.h"

enum {
    PIECE = SCAN_PIECE,   /* even: see at_once */
    SIDE = 4,             /* pieces that items takes side by side */
    WAVE_BYTES = 1 << 19, /* of items for each thread between two joins, and no fewer pieces than */
    WAVE_LEAST = 8,
};

void cpl_scan_spec_init(cpl_scan_spec *spec)
{
    if (spec) *spec = (cpl_scan_spec){.size = sizeof *spec};
}

/* --- the plan --- */

enum { SEGMENTS = 2, LAST = 4 }; /* algo_call.flags, beside REDUCE_LANES */

static bool looks_ahead(uint32_t flags)
{
    return (flags & SEGMENTS) && (flags & LAST);
}

static void arrays(plan_launch *l, int64_t count)
{
    bool segments = l->plan->flags & SEGMENTS;
    own_array(l, OWN_TOTAL, count);
    own_array(l, OWN_CARRY, count + 1);
    own_array(l, OWN_HEAD, segments ? count : 1);
    own_array(l, OWN_FLAG, segments ? count : 1);
    own_array(l, OWN_AFTER, looks_ahead(l->plan->flags) ? count : 1);
}

/* The pieces of one turn: of few threads those that stay in the cache. */
static int64_t wave_of(const plan_launch *l, int64_t count)
{
    const cpl_device *d = l->queue->device;
    int64_t threads = device_threads(d),
            wave = WAVE_BYTES / (PIECE * (int64_t)own_type(l, OWN_TOTAL)->size);
    if (!threads || l->queue->recording || l->plan->flags & LAST) return count;
    if (wave < WAVE_LEAST) wave = WAVE_LEAST;
    return threads * wave / SIDE * SIDE;
}

static cpl_status rule(plan_launch *l)
{
    int64_t count = divided(l->n, PIECE), wave = wave_of(l, count), base = l->turn * wave,
            end = base + wave < count ? base + wave : count;
    arrays(l, count);
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_COUNT, count);
    own_number(l, OWN_BASE, base);
    own_number(l, OWN_END, end);
    l->steps[0].n = end - base;
    l->steps[1].n = 1;
    l->more = end < count;
    l->alone = reduce_alone(l->plan->steps[0].kernel, reduce_loops(l->plan->flags), l->n);
    if (looks_ahead(l->plan->flags)) {
        l->steps[2].n = 1;
        l->steps[3].n = count;
    } else l->steps[2].n = divided(end - base, SIDE);
    return CPL_OK;
}

/* --- the kernels --- */

static void add_totals(algo_call *c, size_t inputs)
{
    algo_step *s = step_new(c, "cpl.chunks.totals");
    STEP_OWN(c, s, OWN_TOTAL, OWN_FLAG, OWN_HEAD, OWN_BASE, OWN_N);
    STEP_BIND(c, s, BIND_SIZE, BIND_TYPE);
    step_flag(s, (c->flags & SEGMENTS) != 0);
    step_flag(s, (c->flags & LAST) != 0);
    reduce_lanes(c, s);
    STEP_BIND(c, s, BIND_LANES, BIND_VECTORS, BIND_OP, BIND_NEUTRAL, BIND_SOURCE, BIND_START);
    step_range(c, s, 0, inputs);
}

static void add_carries(algo_call *c)
{
    algo_step *s = step_new(c, "cpl.chunks.carries");
    s->elements = divided(c->n, PIECE);
    STEP_OWN(c, s, OWN_CARRY, OWN_TOTAL, OWN_FLAG, OWN_BASE, OWN_END);
    STEP_BIND(c, s, BIND_TYPE);
    step_flag(s, (c->flags & SEGMENTS) != 0);
    STEP_BIND(c, s, BIND_OP, BIND_NEUTRAL);
}

static void add_lasts(algo_call *c)
{
    algo_step *s = step_new(c, "cpl.chunks.lasts");
    s->elements = divided(c->n, PIECE);
    STEP_OWN(c, s, OWN_AFTER, OWN_CARRY, OWN_FLAG, OWN_HEAD, OWN_COUNT);
    STEP_BIND(c, s, BIND_TYPE, BIND_OP);
}

/* Where items go: to the last argument, or to what the caller's output does with them. */
static void add_output(algo_call *c, algo_step *s, bool sinks)
{
    if (sinks) step_flag(s, 0);
    else step_given(c, s, c->p.count - 1);
}

static void add_binds(algo_call *c, algo_step *s, bool sinks)
{
    STEP_BIND(c, s, BIND_OP, BIND_NEUTRAL, BIND_SOURCE, BIND_START);
    if (sinks) STEP_BIND(c, s, BIND_SINK);
    else step_flag(s, 0);
}

/* Items of a piece that a round makes: more of those that little has to be done for. */
static int at_once(const algo_call *c, int writes)
{
    return writes && c->plain && c->known && !(c->flags & SEGMENTS) ? 2 : 1;
}

static void add_items(algo_call *c, int writes, size_t inputs)
{
    algo_step *s = step_new(c, "cpl.chunks.items");
    s->each = 2 * SIDE * STEP_GUESSED; /* a loop for all, one for the rest */
    add_output(c, s, writes == 0);
    STEP_OWN(c, s, OWN_CARRY, OWN_BASE, OWN_COUNT, OWN_N);
    STEP_BIND(c, s, BIND_SIZE);
    step_flag(s, at_once(c, writes));
    STEP_BIND(c, s, BIND_TYPE);
    step_flag(s, (c->flags & SEGMENTS) != 0);
    step_flag(s, writes);
    step_flag(s, (c->flags & LAST) != 0);
    add_binds(c, s, writes == 0);
    step_range(c, s, 0, inputs);
}

/* For an output that asks for what is ahead: nothing else takes the items. */
static void add_segments(algo_call *c, size_t inputs)
{
    algo_step *s = step_new(c, "cpl.chunks.segments");
    add_output(c, s, true);
    STEP_OWN(c, s, OWN_CARRY, OWN_AFTER, OWN_N);
    STEP_BIND(c, s, BIND_SIZE, BIND_TYPE);
    step_flag(s, 0);
    add_binds(c, s, true);
    step_range(c, s, 0, inputs);
}

/* --- of few pieces --- */

/* Loops around those over lanes of few, beside those of totals: over pieces, by fours. */
enum { LOOPS_OF_PIECES = 2 };

/* Parts side by side would gain nothing. */
static bool goes_along(const algo_call *c)
{
    return op_takes_a_cycle(c) && !(c->flags & SEGMENTS);
}

/* Elements in a row of what goes in one go, 0: of pieces side by side. Those of one piece have code
   of their own, a quarter of the other, as most first calls are of few elements. */
static int along(const algo_call *c, int writes)
{
    if (goes_along(c)) return 2 * at_once(c, writes);
    return c->n <= PIECE ? 1 : 0;
}

static void add_few(algo_call *c, int writes, size_t inputs)
{
    algo_step *s = step_new(c, "cpl.chunks.few");
    s->elements = 0; /* one round, whose loops over pieces are of a known length */
    s->whole = true;
    add_output(c, s, writes == 0);
    STEP_OWN(c, s, OWN_N);
    STEP_BIND(c, s, BIND_SIZE);
    step_flag(s, at_once(c, writes));
    STEP_BIND(c, s, BIND_TYPE);
    step_flag(s, (c->flags & SEGMENTS) != 0);
    step_flag(s, writes);
    step_flag(s, (c->flags & LAST) != 0);
    step_flag(s, along(c, writes));
    reduce_lanes(c, s);
    STEP_BIND(c, s, BIND_LANES, BIND_VECTORS);
    add_binds(c, s, writes == 0);
    step_range(c, s, 0, inputs);
}

/* Elements that are worth no threads. */
static int64_t few_of(const algo_call *c)
{
    return goes_along(c) && !(c->flags & LAST) ? reduce_few(c) : REDUCE_FEW;
}

/* With the same bits as by three kernels. */
static cpl_status scan_few(algo_call *c, int writes, size_t inputs, bool *done)
{
    cpl_kernel *k;
    add_few(c, writes, inputs);
    cpl_status status = step_kernel(c, &c->steps[0], &k);
    if (status) return status;
    uint32_t loops = reduce_loops(c->flags) + LOOPS_OF_PIECES;
    bool alone = !reduce_has_loops(k, loops);
    *done = c->n <= PIECE || alone;
    if (*done && !c->p.moves) c->once = k;
    if (*done) return step_launch(c, &c->steps[0], k, (int64_t[]){c->n});
    c->step_count = 0;
    return CPL_OK;
}

/* --- by tiles --- */

static cpl_status tiles_rule(plan_launch *l)
{
    int64_t count = divided(l->n, tiles_size(l->plan->flags));
    tiles_hand_on(l, count);
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_COUNT, count);
    tiles_pass(l, count, tiles_words(own_type(l, OWN_TOTAL), count));
    return CPL_OK;
}

static cpl_status scan_tiles(algo_call *c, int writes, size_t inputs)
{
    bool kept = tiles_clear(c, "cpl.tiles.clear",
                            tiles_words(c->type, divided(c->n, tiles_size(c->flags))));
    algo_step *s = tiles_step(c, "cpl.tiles.scan");
    add_output(c, s, writes == 0);
    STEP_OWN(c, s, OWN_BEGUN, OWN_TOTAL, OWN_CARRY, OWN_N, OWN_COUNT);
    STEP_BIND(c, s, BIND_TYPE, BIND_ELEMENT, BIND_GROUP, BIND_ITEMS, BIND_TILE, BIND_ROOM,
              BIND_MARKS, BIND_WIDE, BIND_OUT_WIDE);
    step_flag(s, (c->flags & SEGMENTS) != 0);
    step_flag(s, writes);
    STEP_BIND(c, s, BIND_PACKED, BIND_LOOKS, BIND_SHUFFLES);
    step_flag(s, kept);
    add_binds(c, s, writes == 0);
    step_range(c, s, 0, inputs);
    return steps_launch(c, c->step_count - 1, tiles_rule);
}

/* --- the call --- */

#define PLACE "the output"

/* The last argument has a name where it takes items. */
static cpl_status check_place(const scan_call *s)
{
    bool is_place = s->spec->output.kind == CPL_BIND_NONE && s->count;
    if (!is_place) return CPL_OK;
    return arg_check_result(module_context(s->module), PLACE, &s->args[s->count - 1]);
}

static cpl_status bind_start(algo_call *c, const cpl_bind *segment)
{
    static const cpl_bind none = {CPL_BIND_INTEGER, 0, NULL, NULL, {0}};
    cpl_context *cx = module_context(c->module);
    bool given = op_calls(segment);
    c->binds[BIND_START] = given ? *segment : none;
    if (given) c->flags |= SEGMENTS;
    if (given) return context_check_bind(cx, "the start of segments", segment);
    if (segment->kind == CPL_BIND_NONE) return CPL_OK;
    return context_report(cx, CPL_EARG, "the start of segments is no expression and no function");
}

static cpl_status bind_sink(algo_call *c, const cpl_scan_spec *spec)
{
    cpl_context *cx = module_context(c->module);
    const cpl_bind *output = &spec->output;
    c->binds[BIND_SINK] = *output;
    if (op_calls(output)) {
        if (spec->flags & CPL_SCAN_LAST) c->flags |= LAST;
        if (!(spec->flags & CPL_SCAN_EXCLUSIVE))
            return context_check_bind(cx, "the output", output);
        return context_report(cx, CPL_EARG,
                              "a scan with an output function is not exclusive: it has prev_item");
    }
    if (output->kind != CPL_BIND_NONE)
        return context_report(cx, CPL_EARG, "the output is no expression and no function");
    if (!c->p.count) return context_report(cx, CPL_EARG, "there is no array for the output");
    return algo_check_result(c, c->p.count - 1, c->n, PLACE);
}

/* As given, or that of the array for the items. */
static const cpl_type *item_type(const algo_call *c, const cpl_scan_spec *spec)
{
    const cpl_arg *out = c->p.count ? &c->p.args[c->p.count - 1] : NULL;
    bool asked = spec->type || spec->output.kind != CPL_BIND_NONE || !out;
    if (asked || out->kind != CPL_ARG_ARRAY) return spec->type;
    return arg_elements(context_types(module_context(c->module)), out);
}

static cpl_status check_flags(const algo_call *c, uint64_t flags)
{
    if (!(flags & ~(uint64_t)(CPL_SCAN_EXCLUSIVE | CPL_SCAN_LAST))) return CPL_OK;
    return context_report(module_context(c->module), CPL_EARG, "a scan has no such flags: 0x%llx",
                          (unsigned long long)flags);
}

static cpl_status bind(algo_call *c, const cpl_scan_spec *spec)
{
    cpl_status status = check_flags(c, spec->flags);
    if (!status) status = op_bind(c, &spec->op);
    c->of_source = "cpl.chunks.of_input";
    if (!status) status = op_source(c, &spec->input);
    if (!status) status = op_type(c, item_type(c, spec));
    if (!status) status = op_neutral(c, &spec->neutral);
    if (!status) status = bind_start(c, &spec->segment);
    return status ? status : bind_sink(c, spec);
}

/* On devices one kernel more, and a large one, takes longer to make than it saves. */
static bool is_small(const algo_call *c)
{
    return !algo_target(c) && !looks_ahead(c->flags) && c->n <= few_of(c);
}

static cpl_status scan(algo_call *c, const cpl_scan_spec *spec)
{
    size_t inputs = c->p.count;
    int writes = 0;
    if (spec->output.kind == CPL_BIND_NONE) writes = spec->flags & CPL_SCAN_EXCLUSIVE ? 2 : 1;
    if (c->n > 0 && !(c->flags & LAST) &&
        tiles_bind_scan(c, writes ? c->p.count - 1 : NO_ARGUMENT, c->flags & SEGMENTS))
        return scan_tiles(c, writes, inputs);
    bool done = false;
    c->binds[BIND_SIZE] = cpl_bind_integer(PIECE);
    cpl_status status = is_small(c) ? scan_few(c, writes, inputs, &done) : CPL_OK;
    if (status || done) return status;
    add_totals(c, inputs);
    add_carries(c);
    if (looks_ahead(c->flags)) {
        add_lasts(c);
        add_segments(c, inputs);
    } else add_items(c, writes, inputs);
    return steps_launch(c, c->step_count - 1, rule);
}

/* With all that leads to the kernels. */
static cpl_status scan_anew(const scan_call *s)
{
    static const algo_load load = {"cpl_scan", 2, 1, false};
    algo_call c;
    cpl_status status = algo_begin(&c, &load, s->module, s->options, s->args, s->count);
    if (!status) status = bind(&c, s->spec);
    if (!status) status = scan(&c, s->spec);
    if (!status) scan_remember(s, c.n, c.once);
    return algo_end(&c, status);
}

cpl_status cpl_scan(cpl_module *module, const cpl_scan_spec *given,
                    const cpl_launch_options *options, const cpl_arg *args, size_t count)
{
    cpl_status status;
    cpl_scan_spec spec;
    cpl_launch_options room;
    cpl_scan_spec_init(&spec);
    if (MISSING("module spec args", module, given, UNLESS_NONE(args, count))) return CPL_EARG;
    if (READ_STRUCT(&spec, given, cpl_scan_spec)) return CPL_EARG;
    const scan_call s = {module, &spec, launch_options(options, &room), args, count};
    if (check_place(&s)) return CPL_EARG;
    return s.options && scan_again(&s, &status) ? status : scan_anew(&s);
}

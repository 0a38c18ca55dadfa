/* Histograms: bins of pieces, then one round a bin that joins them. */
#include "runtime/algo/algo.h"

void cpl_histogram_spec_init(cpl_histogram_spec *spec)
{
    if (spec) *spec = (cpl_histogram_spec){.size = sizeof *spec};
}

/*
 * As large as a reduction's pieces, and so that the bins of all of them are a quarter of the
 * elements at most, and stay in a cache or are WORKERS pieces': taking elements in is then what
 * takes time. All this depends on n, the number of bins and the functions alone: docs/language.md
 * has it.
 */
enum { PER_BIN = 4, CACHED = 1 << 20, WORKERS = 32 };

static int64_t piece_size(const cpl_kernel *tallies, int64_t n, int64_t bins)
{
    int64_t size = reduce_size_of(tallies, 2, n), most = CACHED / bins;
    if (size < PER_BIN * bins) size = PER_BIN * bins;
    if (most < WORKERS) most = WORKERS;
    return size < divided(n, most) ? divided(n, most) : size;
}

static cpl_status rule(plan_launch *l)
{
    int64_t bins = l->args[l->count - 1].length,
            size = piece_size(l->plan->steps[0].kernel, l->n, bins),
            count = reduce_pieces(l->n, size);
    own_array(l, OWN_TOTAL, count * bins);
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_SIZE, size);
    own_number(l, OWN_COUNT, count);
    own_number(l, OWN_RESULTS, bins);
    l->steps[0].n = count;
    l->steps[1].n = bins;
    return CPL_OK;
}

static void add_tallies(algo_call *c, size_t inputs)
{
    algo_step *s = step_new(c, "cpl.bins.tallies");
    STEP_OWN(c, s, OWN_TOTAL, OWN_N, OWN_SIZE, OWN_RESULTS);
    STEP_BIND(c, s, BIND_TYPE, BIND_OP, BIND_NEUTRAL, BIND_SOURCE, BIND_KEY);
    step_range(c, s, 0, inputs);
}

static void add_join(algo_call *c, size_t out)
{
    algo_step *s = step_new(c, "cpl.bins.join_bins");
    step_given(c, s, out);
    STEP_OWN(c, s, OWN_TOTAL, OWN_RESULTS, OWN_COUNT);
    STEP_BIND(c, s, BIND_TYPE, BIND_OP);
}

/* --- by tiles --- */

enum { GROUPS_OF_UNIT = 8 };

static cpl_status tiles_rule(plan_launch *l)
{
    int64_t bins = l->args[l->count - 1].length, tiles = divided(l->n, tiles_size(l->plan->flags)),
            most = (int64_t)l->queue->device->info.units * GROUPS_OF_UNIT;
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_RESULTS, bins);
    l->steps[0].n = bins;
    tiles_grid(l, 1, tiles < most ? tiles : most);
    return CPL_OK;
}

static cpl_status histogram_tiles(algo_call *c, size_t out)
{
    algo_step *s = step_new(c, "cpl.bins.clear");
    step_given(c, s, out);
    s = tiles_step(c, "cpl.bins.tally");
    step_given(c, s, out);
    STEP_OWN(c, s, OWN_N, OWN_RESULTS);
    STEP_BIND(c, s, BIND_TYPE, BIND_GROUP, BIND_ITEMS, BIND_TABLE, BIND_SOURCE, BIND_KEY);
    step_range(c, s, 0, out);
    return steps_launch(c, 1, tiles_rule);
}

/* --- the call --- */

static cpl_status bind(algo_call *c, const cpl_histogram_spec *spec)
{
    cpl_bind sum = cpl_bind_expression("a + b");
    cpl_status status = op_bind(c, spec->op.kind == CPL_BIND_NONE ? &sum : &spec->op);
    if (status) return status;
    if (spec->map.kind == CPL_BIND_NONE) status = op_lambda(c, BIND_SOURCE, "1");
    else status = op_source(c, &spec->map);
    c->of_key = "cpl.chunks.of_bin";
    return status ? status : op_integers(c, &spec->bin, "bins");
}

static cpl_status histogram(algo_call *c, const cpl_arg *out, const cpl_bind *neutral)
{
    size_t inputs = c->inputs;
    cpl_status status = algo_place_results(c, out, NULL, "the array of the bins");
    if (!status) status = algo_check_results(c, inputs);
    if (!status) status = op_neutral(c, neutral);
    if (status || !c->p.args[inputs].length) return status;
    bool sums = op_adds(c) && neutral->kind == CPL_BIND_NONE;
    if (sums && tiles_bind_bins(c, c->p.args[inputs].length)) return histogram_tiles(c, inputs);
    add_tallies(c, inputs);
    add_join(c, inputs);
    return steps_launch(c, NO_KEY, rule);
}

cpl_status cpl_histogram(cpl_module *module, const cpl_histogram_spec *given,
                         const cpl_launch_options *options, const cpl_arg *out, const cpl_arg *args,
                         size_t count)
{
    static const algo_load load = {"cpl_histogram", 1, 0, false};
    algo_call c;
    cpl_histogram_spec spec;
    cpl_launch_options room;
    cpl_histogram_spec_init(&spec);
    if (MISSING("module spec out args", module, given, out, UNLESS_NONE(args, count)))
        return CPL_EARG;
    if (READ_STRUCT(&spec, given, cpl_histogram_spec)) return CPL_EARG;
    cpl_status status = algo_begin(&c, &load, module, launch_options(options, &room), args, count);
    if (!status) status = algo_library(&c, &algo_bins);
    if (!status) status = bind(&c, &spec);
    if (!status) status = histogram(&c, out, &spec.neutral);
    return algo_end(&c, status);
}

/* Reductions of segments: pieces of the elements and ends of segments, then one round that joins
 * what pieces have of the same segment. */
#include "runtime/algo/algo.h"
#include "lib/support/plural.h"

void cpl_segments_init(cpl_segments *segments)
{
    if (segments) *segments = (cpl_segments){.size = sizeof *segments};
}

/* The kernel has a loop over segments beside those of a reduction. */
static cpl_status rule(plan_launch *l)
{
    int64_t m = l->args[l->count - 1].length,
            count = reduce_split(l, 1 + reduce_loops(l->plan->flags), m + l->n);
    own_array(l, OWN_TOTAL, count);
    own_array(l, OWN_BEGUN, count);
    own_number(l, OWN_RESULTS, m);
    l->steps[1].n = 1;
    return CPL_OK;
}

static void add_spans(algo_call *c, size_t inputs)
{
    algo_step *s = step_new(c, "cpl.runs.spans");
    STEP_OWN(c, s, OWN_TOTAL, OWN_BEGUN);
    step_given(c, s, inputs + 1);
    step_given(c, s, inputs);
    STEP_OWN(c, s, OWN_RESULTS, OWN_N, OWN_SIZE);
    reduce_step(c, s);
}

static void add_join(algo_call *c, size_t inputs)
{
    algo_step *s = step_new(c, "cpl.runs.join_spans");
    STEP_OWN(c, s, OWN_TOTAL, OWN_BEGUN);
    step_given(c, s, inputs + 1);
    STEP_OWN(c, s, OWN_COUNT);
    STEP_BIND(c, s, BIND_TYPE, BIND_OP, BIND_NEUTRAL);
}

static cpl_status place_offsets(algo_call *c, const cpl_arg *offsets)
{
    size_t at = c->p.count;
    cpl_context *cx = module_context(c->module);
    cpl_status status = place_more(&c->p, offsets, "the array of the offsets");
    if (status) return status;
    const cpl_arg *arg = &c->p.args[at];
    if (!algo_is_index(arg)) return algo_no_index(c, arg, "the offsets are");
    if (arg->length > 0) return CPL_OK;
    return context_report(cx, CPL_EARG, "there is no offset: of m segments there are m + 1");
}

/* As many results as there are segments. */
static cpl_status place(algo_call *c, const cpl_reduce_spec *spec, const cpl_segments *s)
{
    size_t at = c->p.count;
    cpl_status status = place_offsets(c, s->offsets);
    if (!status) status = algo_place_results(c, s->out, spec->type, "the array of the results");
    if (status) return status;
    int64_t m = c->p.args[at].length - 1;
    if (c->p.args[at + 1].length == m) return CPL_OK;
    return context_report(
        module_context(c->module), CPL_EARG,
        "there %s %lld segment%s, and the array of the results has %lld element%s",
        counted(m, "is", "are"), (long long)m, plural(m), (long long)c->p.args[at + 1].length,
        plural(c->p.args[at + 1].length));
}

static cpl_status reduce(algo_call *c, const cpl_reduce_spec *spec, const cpl_segments *s)
{
    size_t inputs = c->inputs;
    cpl_status status = place(c, spec, s);
    if (!status) status = algo_check_results(c, inputs + 1); /* behind the offsets */
    if (!status) status = op_neutral(c, &spec->neutral);
    if (status || !c->p.args[inputs + 1].length) return status;
    add_spans(c, inputs);
    add_join(c, inputs);
    return steps_launch(c, 0, rule);
}

cpl_status cpl_reduce_segments(cpl_module *module, const cpl_reduce_spec *given,
                               const cpl_launch_options *options, const cpl_segments *segments,
                               const cpl_arg *args, size_t count)
{
    static const algo_load load = {"cpl_reduce_segments", 1, 0.1, false};
    algo_call c;
    cpl_reduce_spec spec;
    cpl_segments s;
    cpl_launch_options room;
    cpl_reduce_spec_init(&spec);
    cpl_segments_init(&s);
    if (MISSING("module spec segments args", module, given, segments, UNLESS_NONE(args, count)))
        return CPL_EARG;
    if (READ_STRUCT(&spec, given, cpl_reduce_spec)) return CPL_EARG;
    if (READ_STRUCT(&s, segments, cpl_segments)) return CPL_EARG;
    if (MISSING("segments->offsets segments->out", s.offsets, s.out)) return CPL_EARG;
    cpl_status status = algo_begin(&c, &load, module, launch_options(options, &room), args, count);
    if (!status) status = algo_library(&c, &algo_runs);
    if (!status) status = algo_alone(&c, &spec);
    if (!status) status = op_bind_spec(&c, &spec);
    if (!status) status = op_source(&c, &spec.map);
    if (!status) status = reduce(&c, &spec, &s);
    return algo_end(&c, status);
}

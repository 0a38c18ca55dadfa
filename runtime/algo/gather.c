/* Gathers and scatters: one kernel for all arrays. */
#include "runtime/algo/algo.h"
#include "lib/support/plural.h"

void cpl_gather_spec_init(cpl_gather_spec *spec)
{
    if (spec) *spec = (cpl_gather_spec){.size = sizeof *spec};
}

typedef struct gathering {
    algo_call c;
    cpl_gather_spec spec;
    size_t count; /* arrays that are moved: those behind the indices */
    bool scatters;
    gather_index index;
    int64_t m; /* what indices are of */
} gathering;

/* --- the kernel --- */

static cpl_status rule(plan_launch *l)
{
    own_number(l, OWN_RESULTS, l->args[l->plan->flags].length);
    l->steps[0].n = l->n;
    return CPL_OK;
}

/* Indices of a block, which gather.py has too, and those that one thread does sooner. */
enum { BLOCK = 1024, FEW = 2048 };

static cpl_status rule_blocks(plan_launch *l)
{
    cpl_status status = rule(l);
    own_number(l, OWN_N, l->n);
    l->steps[0].n = divided(l->n, BLOCK);
    l->alone = l->n <= FEW;
    return status;
}

/* Which of m elements an index k is. */
static const char *const texts[] = {
    [GATHER_KNOWN] = "lambda k, m: k",
    [GATHER_CHECKED] = "lambda k, m: k + m if k < 0 and k >= -m else k",
    [GATHER_NEAREST] = "lambda k, m: max(0, min(k + m if k < 0 else k, m - 1))",
    [GATHER_WRAPPED] = "lambda k, m: k % m",
    [GATHER_CLIPPED] = "lambda k, m: max(0, min(k, m - 1))",
};

void gather_bind(algo_call *c, gather_index index)
{
    c->binds[BIND_FUNCTION] = cpl_bind_expression(texts[index]);
}

void gather_step(algo_call *c, const gather_arrays *a, const char *function)
{
    algo_step *to = step_new(c, function);
    step_given(c, to, a->indices);
    STEP_OWN(c, to, OWN_RESULTS);
    gather_bind(c, a->index);
    STEP_BIND(c, to, BIND_FUNCTION);
    step_range(c, to, a->out, a->out + a->count);
    step_range(c, to, a->from, a->from + a->count);
}

cpl_status gather_mode(cpl_context *cx, cpl_index_mode mode, gather_index *index)
{
    static const gather_index of[] = {[CPL_INDEX_RAISE] = GATHER_NEAREST,
                                      [CPL_INDEX_WRAP] = GATHER_WRAPPED,
                                      [CPL_INDEX_CLIP] = GATHER_CLIPPED};
    if ((unsigned)mode > CPL_INDEX_CLIP)
        return context_report(cx, CPL_EARG, "there is no such mode of indices: %d", (int)mode);
    bool seen = mode == CPL_INDEX_RAISE && context_option(cx, OPT_bounds_check);
    *index = seen ? GATHER_CHECKED : of[mode];
    return CPL_OK;
}

/* One thread's indices are looked at together; not where each that is wrong is to be seen. */
static bool goes_by_blocks(const gathering *g)
{
    return !algo_target(&g->c) && g->index != GATHER_CHECKED;
}

static void add_blocks(gathering *g, const gather_arrays *a)
{
    algo_call *c = &g->c;
    algo_step *to = step_new(c, g->scatters ? "cpl.gather.scatters" : "cpl.gather.takes");
    step_given(c, to, a->indices);
    STEP_OWN(c, to, OWN_RESULTS, OWN_N);
    gather_bind(c, a->index);
    STEP_BIND(c, to, BIND_FUNCTION);
    step_range(c, to, a->out, a->out + a->count);
    step_range(c, to, a->from, a->from + a->count);
}

static cpl_status launch(gathering *g)
{
    gather_arrays a = {0, 1 + g->count, 1, g->count, g->index};
    algo_call *c = &g->c;
    bool blocks = goes_by_blocks(g);
    for (size_t i = 1; i < c->p.count; i++) algo_move_bits(&c->p.args[i]);
    if (blocks) add_blocks(g, &a);
    else gather_step(c, &a, g->scatters ? "cpl.gather.scatter" : "cpl.gather.take");
    c->flags = (uint32_t)(g->scatters ? a.out : a.from); /* which array has the indices */
    return steps_launch(c, NO_KEY, blocks ? rule_blocks : rule);
}

/* --- arguments --- */

static cpl_status wrong_length(const gathering *g, size_t k, int64_t length)
{
    const char *what = g->scatters ? "result" : "array";
    return context_report(
        module_context(g->c.module), CPL_EARG,
        "%s 0 has %lld element%s, and %s %zu has %lld: the same indices are of all", what,
        (long long)g->m, plural(g->m), what, k, (long long)length);
}

/* Array k, of those that are indexed. */
static cpl_status check_indexed(gathering *g, size_t k, int64_t length)
{
    if (!k) g->m = length;
    return length == g->m ? CPL_OK : wrong_length(g, k, length);
}

static cpl_status place_pair(gathering *g, size_t k)
{
    algo_call *c = &g->c;
    char what[48];
    cpl_context *cx = module_context(c->module);
    const cpl_arg *from = &c->p.args[1 + k];
    if (from->kind != CPL_ARG_ARRAY)
        return context_report(cx, CPL_EARG, "array %zu is no array", k);
    if (g->scatters && from->length < c->n)
        return context_report(cx, CPL_EARG, "array %zu has %lld element%s and gives %lld", k,
                              (long long)from->length, plural(from->length), (long long)c->n);
    snprintf(what, sizeof what, "result %zu", k);
    const cpl_type *type = arg_elements(context_types(cx), from);
    cpl_status status = algo_place(c, &g->spec.out[k], type, g->scatters ? 0 : c->n, what);
    int64_t length = g->scatters ? c->p.args[c->p.count - 1].length : c->p.args[1 + k].length;
    return status ? status : check_indexed(g, k, length);
}

static cpl_status check_indices(gathering *g)
{
    const cpl_arg *indices = &g->c.p.args[0];
    cpl_context *cx = module_context(g->c.module);
    if (!algo_is_index(indices)) return algo_no_index(&g->c, indices, "the indices are");
    if (indices->length < g->c.n)
        return context_report(cx, CPL_EARG, "there %s %lld %s, and %lld are asked for",
                              counted(indices->length, "is", "are"), (long long)indices->length,
                              counted(indices->length, "index", "indices"), (long long)g->c.n);
    return gather_mode(cx, g->spec.mode, &g->index);
}

cpl_status gather_of_nothing(cpl_context *cx, int64_t n)
{
    return context_report(cx, CPL_EARG, "an array without elements has none for %lld %s",
                          (long long)n, counted(n, "index", "indices"));
}

static cpl_status place(gathering *g)
{
    cpl_status status = check_indices(g);
    for (size_t k = 0; k < g->count && !status; k++) status = place_pair(g, k);
    if (!status) status = algo_check_results(&g->c, 1 + g->count);
    if (status || g->m || !g->c.n) return status;
    return gather_of_nothing(module_context(g->c.module), g->c.n);
}

/* --- the calls --- */

static cpl_status begin(gathering *g, const cpl_launch_options *options, cpl_module *module,
                        const cpl_arg *args)
{
    static const algo_load load = {"cpl_gather", 2, 1, false};
    cpl_arg all[1 + GATHER_MOST];
    all[0] = *g->spec.indices;
    memcpy(all + 1, args, g->count * sizeof *all);
    cpl_status status = algo_begin(&g->c, &load, module, options, all, 1 + g->count);
    return status ? status : algo_library(&g->c, &algo_gather);
}

static cpl_status gather(cpl_module *module, const cpl_gather_spec *spec,
                         const cpl_launch_options *options, const cpl_arg *args, gathering *g)
{
    cpl_launch_options room;
    cpl_gather_spec_init(&g->spec);
    if (MISSING("module spec args", module, spec, args)) return CPL_EARG;
    if (READ_STRUCT(&g->spec, spec, cpl_gather_spec)) return CPL_EARG;
    if (MISSING("spec->indices spec->out", g->spec.indices, g->spec.out)) return CPL_EARG;
    if (!g->count || g->count > GATHER_MOST)
        return context_report(module_context(module), g->count ? CPL_ELIMIT : CPL_EARG,
                              "a gather is of 1 to %d arrays", GATHER_MOST);
    cpl_status status = begin(g, launch_options(options, &room), module, args);
    if (!status) status = place(g);
    if (!status) status = launch(g);
    return algo_end(&g->c, status);
}

cpl_status cpl_take(cpl_module *module, const cpl_gather_spec *spec,
                    const cpl_launch_options *options, const cpl_arg *args, size_t count)
{
    gathering g;
    g.count = count;
    g.scatters = false;
    return gather(module, spec, options, args, &g);
}

cpl_status cpl_scatter(cpl_module *module, const cpl_gather_spec *spec,
                       const cpl_launch_options *options, const cpl_arg *args, size_t count)
{
    gathering g;
    g.count = count;
    g.scatters = true;
    return gather(module, spec, options, args, &g);
}

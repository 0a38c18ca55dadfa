/* Reductions in one pass: the parts of all of them, piece by piece, then a join for each; of few
 * pieces one round of the parts. */
#include "runtime/algo/algo.h"

enum { MOST = 4, BOUND = 29 }; /* parameters of the kernel in front of the caller's */

/* What one of them binds. */
typedef struct algo_values {
    const cpl_type *type;
    cpl_bind binds[BIND_COUNT];
    char text[sizeof((algo_call *)0)->text]; /* of a neutral element */
} algo_values;

typedef struct several {
    algo_call *call;
    size_t count, outs; /* where the results' places begin among the arguments */
    bool blocks;        /* chunks.py's several_lanes */
    algo_values of[MOST];
} several;

static void keep(several *s)
{
    algo_call *c = s->call;
    algo_values *v = &s->of[s->count++];
    v->type = c->type;
    if (op_lanes(c)) c->flags |= REDUCE_LANES;
    else s->blocks = false;
    memcpy(v->binds, c->binds, sizeof v->binds);
    if (v->binds[BIND_NEUTRAL].text != c->text) return;
    memcpy(v->text, c->text, sizeof v->text);
    v->binds[BIND_NEUTRAL].text = v->text;
}

/* The first is bound already. */
static cpl_status bind_all(several *s, const cpl_reduce_spec *next)
{
    cpl_context *cx = module_context(s->call->module);
    keep(s);
    while (next) {
        if (s->count == MOST)
            return context_report(cx, CPL_ELIMIT, "more than %d reductions in one pass", MOST);
        cpl_status status = reduce_bind(s->call, next, &next);
        if (status) return status;
        keep(s);
    }
    if (s->blocks) s->call->flags |= REDUCE_BLOCKS;
    s->call->known = NULL; /* of the last one, which says nothing of the others */
    if (s->outs <= MOST_ARGUMENTS - BOUND) return CPL_OK;
    return context_report(cx, CPL_ELIMIT, "reductions in one pass take %d arguments at most",
                          MOST_ARGUMENTS - BOUND);
}

/* --- the plan --- */

static const cpl_type *type_of(const plan_launch *l, size_t k)
{
    return l->plan->steps[0].kernel->artifact.params[1 + k].type->elem;
}

static cpl_status rule(plan_launch *l)
{
    int64_t count = reduce_split(l, reduce_loops_of_parts(l->plan->flags), l->n);
    own_number(l, OWN_EACH, 1);
    size_t results = l->plan->step_count - 1;
    for (size_t k = 0; k < results; k++) own_array_of(l, OWN_TOTAL + k, type_of(l, k), count);
    for (size_t k = 0; k < results; k++) l->steps[1 + k].n = 1;
    return CPL_OK;
}

/* one: they are the results. */
static void add_totals(several *s, algo_step *step, bool one)
{
    for (size_t k = 0; k < MOST; k++) {
        if (k >= s->count) {
            step_flag(step, 0);
            continue;
        }
        s->call->type = s->of[k].type;
        if (one) step_given(s->call, step, s->outs + k);
        else STEP_OWN(s->call, step, OWN_TOTAL + k);
    }
}

/* How many parts the lanes go in, one after the other: those of up to three are in registers at
 * once, of which there are 32 of 512 bits, in halves otherwise. */
static int parts_of_lanes(const several *s)
{
    cpl_context *cx = module_context(s->call->module);
    bool wide = !algo_target(s->call) && context_vector_bits(cx) == 512;
    return (s->count < MOST ? 2 : 4) / (wide ? 2 : 1);
}

static void add_parts(several *s, bool one)
{
    algo_call *c = s->call;
    algo_step *step = step_new(c, "cpl.chunks.several");
    if (c->flags & REDUCE_LANES) step->lanes = LANES_AS_ASKED;
    reduce_guess(c, step);
    add_totals(s, step, one);
    STEP_OWN(c, step, OWN_N, OWN_SIZE, OWN_EACH);
    step_flag(step, (int)s->count);
    step_flag(step, parts_of_lanes(s));
    STEP_BIND(c, step, BIND_VECTORS);
    for (size_t k = 0; k < MOST; k++) {
        const algo_values *v = &s->of[k < s->count ? k : 0];
        STEP_BIND(v, step, BIND_TYPE, BIND_LANES, BIND_OP, BIND_NEUTRAL, BIND_SOURCE);
    }
    step_range(c, step, 0, s->outs);
}

static void add_join(several *s, size_t k)
{
    algo_call *c = s->call;
    algo_step *step = step_new(c, "cpl.chunks.join");
    c->type = s->of[k].type;
    step->elements = REDUCE_PIECES;
    step_given(c, step, s->outs + k);
    STEP_OWN(c, step, OWN_TOTAL + k, OWN_COUNT);
    STEP_BIND(&s->of[k], step, BIND_TYPE, BIND_OP);
}

static cpl_status reduce_to(several *s, const cpl_arg *out)
{
    bool done = false;
    algo_call *c = s->call;
    cpl_status status = CPL_OK;
    for (size_t k = 0; k < s->count && !status; k++) {
        c->type = s->of[k].type;
        status = reduce_place(c, &out[k]);
    }
    if (status) return status;
    if (reduce_is_small(c)) {
        add_parts(s, true);
        status = reduce_at_once(c, &done);
        if (status || done) return status;
    }
    add_parts(s, false);
    for (size_t k = 0; k < s->count; k++) add_join(s, k);
    return steps_launch(c, 0, rule);
}

/* --- where results go --- */

/* Their places in the caller's memory, one behind the other. */
static void lay_out(const several *s, cpl_arg *out)
{
    size_t at = 0;
    for (size_t k = 0; k < s->count; k++) {
        const cpl_type *t = s->of[k].type;
        at = (at + t->align - 1) / t->align * t->align;
        out[k] = arg_of_elements(t, (char *)s->call->options->result + at, 1);
        at += t->size;
    }
}

/* On a device there are arrays in between. */
static cpl_status create_outs(const several *s, cpl_arg *out)
{
    cpl_status status = CPL_OK;
    for (size_t k = 0; k < s->count && !status; k++) status = algo_array(s->call, 1, &out[k]);
    return status;
}

static cpl_status read_outs(const several *s, const cpl_arg *out)
{
    cpl_status status = CPL_OK;
    for (size_t k = 0; k < s->count && !status; k++)
        status = cpl_array_read(out[k].array, s->call->p.queue, out[k].data, NULL);
    return status;
}

static cpl_status bring_back(several *s)
{
    cpl_arg out[MOST];
    algo_call *c = s->call;
    if (!c->options->result) return reduce_nowhere(c);
    lay_out(s, out);
    if (c->p.device->ops->shares_memory) return reduce_to(s, out);
    cpl_status status = create_outs(s, out);
    if (!status) status = reduce_to(s, out);
    if (!status) status = read_outs(s, out);
    for (size_t k = 0; k < s->count; k++) cpl_array_release(out[k].array);
    return status;
}

cpl_status reduce_several(algo_call *c, const cpl_reduce_spec *next, const cpl_arg *out)
{
    several s = {.call = c, .outs = c->p.count, .blocks = !algo_target(c)};
    cpl_status status = bind_all(&s, next);
    if (status) return status;
    return out ? reduce_to(&s, out) : bring_back(&s);
}

/*
 * What reductions have in common, one or several in a pass (reduce.c, several.c): the pieces that
 * elements are done in, what is bound, and where results go.
 */
#include "runtime/algo/algo.h"

void cpl_reduce_spec_init(cpl_reduce_spec *spec)
{
    if (spec) *spec = (cpl_reduce_spec){.size = sizeof *spec};
}

/*
 * 512 pieces at most, so that joining them takes no time, and four parts of a piece, which go along
 * side by side, are long enough for the CPU to fetch ahead: the least of 2^24 float64 and its place
 * take 1.1 times as long with 1024, 0.95 with 256, of which too few are there for many threads.
 * Devices have a work-item for each, and 1024. None so small that it is not worth a thread, which
 * is less where elements take loops of their own; an odd number of cache lines, so that pieces do
 * not lie in the same sets of a cache. All this depends on n, the functions and what this says
 * alone: docs/language.md has it.
 */
enum { LEAST = REDUCE_LEAST, LEAST_OF_LOOPS = 16, PIECES_OF_HOST = 512 };

static int64_t piece_size(int64_t n, int64_t most, int64_t least)
{
    int64_t size = divided(n, most);
    if (size > least) size = (divided(size, 64) | 1) * 64;
    return size < least ? least : size;
}

/* With reproducible sums are those of devices. */
static int64_t most_pieces(const cpl_kernel *k)
{
    bool more = target_is_device(&k->artifact.target) ||
                (k->option_count > OPT_reproducible && k->options[OPT_reproducible]);
    return more ? REDUCE_PIECES : PIECES_OF_HOST;
}

int64_t reduce_size_of(const cpl_kernel *k, uint32_t loops, int64_t n)
{
    return piece_size(n, most_pieces(k), k->artifact.nesting > loops ? LEAST_OF_LOOPS : LEAST);
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

/* --- the kernel of the parts --- */

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

/* --- few pieces --- */

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
    if (!status) status = algo_place_one(c, out, REDUCE_PLACE);
    const size_t last = c->p.count - 1;
    if (!status) status = algo_check_result(c, last, 1, REDUCE_PLACE);
    if (!status) reduce_only_one(&c->p.args[last]);
    return status;
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

cpl_status reduce_nowhere(const algo_call *c)
{
    return context_report(module_context(c->module), CPL_EARG, "there is no place for the result");
}

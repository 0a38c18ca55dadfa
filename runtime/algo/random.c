/*
 * Fills of arrays with random numbers: one kernel over blocks of Philox, all of whose elements go
 * to the array, and one over the few elements at both ends that share a block with others.
 */
#include "cpl/random.h"

#include "runtime/algo/algo.h"
#include "lib/support/plural.h"

#include <float.h>
#include <math.h>

void cpl_random_spec_init(cpl_random_spec *spec)
{
    if (spec) *spec = (cpl_random_spec){.size = sizeof *spec, .high = 1, .scale = 1};
}

/* The arguments that the kernels are given, behind the array. */
enum { OUT, SEED, OFFSET, DRAW, FIRST_SCALE, SECOND_SCALE };

static cpl_status wrong(const algo_call *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static cpl_status wrong(const algo_call *c, const char *format, ...)
{
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return context_report(module_context(c->module), CPL_EARG, "%s", text);
}

/* --- arguments --- */

static cpl_status push(algo_call *c, cpl_dtype dtype, cpl_arg arg)
{
    arg.kind = CPL_ARG_SCALAR;
    arg.dtype = dtype;
    return place_more(&c->p, &arg, NULL);
}

static cpl_status push_integer(algo_call *c, cpl_dtype dtype, uint64_t value)
{
    return push(c, dtype, (cpl_arg){.value.u = value});
}

static cpl_status push_float(algo_call *c, cpl_dtype dtype, double value)
{
    return push(c, dtype, (cpl_arg){.value.f = value});
}

/* Behind this comes push of two numbers that the kind is scaled by. */
static cpl_status push_stream(algo_call *c, const cpl_random_spec *spec)
{
    cpl_status status = push_integer(c, CPL_UINT64, spec->seed);
    if (!status) status = push_integer(c, CPL_UINT64, spec->offset);
    return status ? status : push_integer(c, CPL_UINT32, spec->draw);
}

/* --- floats --- */

/* CPL_EARG, reported, unless both are numbers of a type of floats. */
static cpl_status check_scales(const algo_call *c, cpl_dtype of, double first, double second)
{
    double most = of == CPL_FLOAT16 ? 65504 : of == CPL_FLOAT32 ? FLT_MAX : DBL_MAX;
    if (fabs(first) <= most && fabs(second) <= most) return CPL_OK;
    return wrong(c, "%g and %g are no numbers to scale %s by", first, second, c->type->text);
}

static cpl_status push_floats(algo_call *c, cpl_dtype of, double first, double second)
{
    cpl_status status = push_float(c, of, first);
    return status ? status : push_float(c, of, second);
}

static cpl_status scale_floats(algo_call *c, const cpl_random_spec *s)
{
    cpl_dtype of = c->type->dtype == CPL_FLOAT64 ? CPL_FLOAT64 : CPL_FLOAT32;
    bool uniform = s->kind == CPL_RANDOM_UNIFORM;
    c->binds[BIND_TYPE] = cpl_bind_type(
        uniform ? c->type : type_scalar(context_types(module_context(c->module)), of));
    if (uniform) {
        if (!(s->low < s->high) || !isfinite(s->high - s->low))
            return wrong(c, "there are no numbers from %g to %g", s->low, s->high);
        cpl_status status = check_scales(c, c->type->dtype, s->low, s->high);
        if (!status) status = check_scales(c, of, s->low, s->high - s->low);
        return status ? status : push_floats(c, of, s->low, s->high - s->low);
    }
    if (!(s->scale >= 0) || !isfinite(s->scale))
        return wrong(c, "the scale of random numbers is %g", s->scale);
    if (!isfinite(s->mean)) return wrong(c, "the mean of random numbers is %g", s->mean);
    cpl_status status = check_scales(c, c->type->dtype, s->mean, s->scale);
    return status ? status : push_floats(c, of, s->mean, s->scale);
}

/* --- integers --- */

/* Whether all from `from` to `last` are numbers of the type. Of uint64 both are read by their
 * bits, so that -1 is its greatest. */
static bool fits(const cpl_type *t, int64_t from, int64_t last)
{
    unsigned bits = type_is_bool(t) ? 1 : type_bits(t);
    bool is_signed = type_is_signed(t);
    if (bits == 64) return is_signed || from >= 0 || last < 0;
    int64_t least = is_signed ? INT64_MIN >> (64 - bits) : 0;
    uint64_t most = UINT64_MAX >> (64 - bits + is_signed);
    return from >= least && (last < 0 || (uint64_t)last <= most);
}

/* One past the last of 64 bits may be the first of them. */
static bool is_range(const cpl_type *t, int64_t from, int64_t to)
{
    uint64_t flip = t->dtype == CPL_UINT64 ? 1ull << 63 : 0;
    int64_t last = (int64_t)(((uint64_t)to - 1) ^ flip);
    return from != to && (int64_t)((uint64_t)from ^ flip) <= last;
}

static cpl_status no_integers(const algo_call *c, int64_t from, int64_t to)
{
    return wrong(c, "there are no integers from %lld to below %lld", (long long)from,
                 (long long)to);
}

static cpl_status scale_integers(algo_call *c, int64_t from, int64_t to)
{
    if (!fits(c->type, from, (int64_t)((uint64_t)to - 1)))
        return wrong(c, "the integers from %lld to below %lld are not all %s", (long long)from,
                     (long long)to, c->type->text);
    if (!is_range(c->type, from, to)) return no_integers(c, from, to);
    cpl_status status = push_integer(c, CPL_INT64, (uint64_t)from);
    return status ? status : push_integer(c, CPL_UINT64, (uint64_t)to - (uint64_t)from);
}

/* --- the array --- */

/* Of numbers, n of which are asked for at most; sets the call's type. */
static cpl_status check_out(algo_call *c, uint64_t offset)
{
    const cpl_arg *out = &c->p.args[OUT];
    if (out->kind != CPL_ARG_ARRAY) return wrong(c, "random numbers are for arrays");
    c->type = arg_elements(context_types(module_context(c->module)), out);
    if (c->n && (uint64_t)c->n - 1 > UINT64_MAX - offset)
        return wrong(c, "elements from %llu on end in front of number %lld",
                     (unsigned long long)offset, (long long)c->n);
    return algo_check_result(c, OUT, c->n, "the array of the random numbers");
}

/* Which types a kind has: not those that kernels do not compute with. */
static bool has_kind(const cpl_type *t, cpl_random_kind kind)
{
    if (!type_is_scalar(t)) return false;
    switch (kind) {
    case CPL_RANDOM_UNIFORM:
    case CPL_RANDOM_NORMAL:
    case CPL_RANDOM_EXPONENTIAL:
        return t->dtype == CPL_FLOAT16 || t->dtype == CPL_FLOAT32 || t->dtype == CPL_FLOAT64;
    case CPL_RANDOM_INTEGERS: return type_is_int(t) || type_is_bool(t);
    case CPL_RANDOM_BITS: return type_is_int(t);
    }
    return false;
}

static cpl_status check_kind(const algo_call *c, cpl_random_kind kind)
{
    static const char *const names[] = {"uniform", "normal", "exponential", "integers", "bits"};
    if ((unsigned)kind >= COUNT_OF(names))
        return wrong(c, "there is no kind %d of random numbers", (int)kind);
    if (has_kind(c->type, kind)) return CPL_OK;
    return wrong(c, "the random numbers '%s' are for arrays of %s, not of %s", names[kind],
                 kind < CPL_RANDOM_INTEGERS ? "floats" : "integers", c->type->text);
}

/* --- fills --- */

/* algo_call.flags: elements of a block, and which kernels there are */
enum { GROUP = 7, BLOCKS = 8, EDGES = 16 };

typedef struct ends {
    int64_t skip, blocks; /* elements in front of the first whole block, and whole blocks */
} ends;

static ends ends_of(uint64_t offset, int64_t n, int64_t group)
{
    int64_t skip = (int64_t)((uint64_t)-offset % (uint64_t)group);
    if (skip > n) skip = n;
    return (ends){skip, (n - skip) / group};
}

static cpl_status fill_rule(plan_launch *l)
{
    int64_t group = l->plan->flags & GROUP;
    uint64_t offset = l->args[OFFSET].value.u;
    ends e = ends_of(offset, l->n, group);
    own_number(l, OWN_N, e.skip);
    own_number(l, OWN_BASE, (int64_t)((offset + (uint64_t)e.skip) / (uint64_t)group));
    own_number(l, OWN_SIZE, e.blocks * group);
    if (l->plan->flags & BLOCKS) l->steps[0].n = e.blocks;
    if (l->plan->flags & EDGES) l->steps[l->plan->step_count - 1].n = l->n - e.blocks * group;
    return CPL_OK;
}

static void bind_numbers(algo_call *c, algo_step *s, cpl_random_kind kind)
{
    step_flag(s, (int)kind);
    step_flag(s, c->flags & GROUP);
    if (kind < CPL_RANDOM_INTEGERS) STEP_BIND(c, s, BIND_TYPE);
    else step_flag(s, 0);
}

static void add_blocks(algo_call *c, cpl_random_kind kind)
{
    algo_step *s = step_new(c, "cpl.fills.blocks");
    s->lanes = LANES_AS_ASKED;
    step_range(c, s, OUT, OFFSET);
    step_range(c, s, DRAW, c->p.count);
    STEP_OWN(c, s, OWN_N, OWN_BASE);
    bind_numbers(c, s, kind);
}

static void add_edges(algo_call *c, cpl_random_kind kind)
{
    algo_step *s = step_new(c, "cpl.fills.edges");
    step_range(c, s, OUT, c->p.count);
    STEP_OWN(c, s, OWN_N, OWN_SIZE);
    bind_numbers(c, s, kind);
}

static cpl_status launch_fill(algo_call *c, const cpl_random_spec *spec)
{
    bool wide = c->type->size == 8 || spec->kind == CPL_RANDOM_INTEGERS;
    ends e = ends_of(spec->offset, c->n, wide ? 2 : 4);
    c->flags = wide ? 2 : 4;
    if (e.blocks) c->flags |= BLOCKS;
    if (!e.blocks || e.blocks * (c->flags & GROUP) < c->n) c->flags |= EDGES;
    if (c->flags & BLOCKS) add_blocks(c, spec->kind);
    if (c->flags & EDGES) add_edges(c, spec->kind);
    return steps_launch(c, NO_KEY, fill_rule);
}

static cpl_status fill(algo_call *c, const cpl_random_spec *spec)
{
    cpl_status status = check_out(c, spec->offset);
    if (!status) status = check_kind(c, spec->kind);
    if (!status) status = push_stream(c, spec);
    if (status) return status;
    if (spec->kind < CPL_RANDOM_INTEGERS) status = scale_floats(c, spec);
    else if (spec->kind == CPL_RANDOM_INTEGERS) status = scale_integers(c, spec->from, spec->to);
    else status = scale_integers(c, 0, 1);
    return status ? status : launch_fill(c, spec);
}

/* --- permutations --- */

static cpl_status permutation_rule(plan_launch *l)
{
    l->steps[0].n = l->n;
    return CPL_OK;
}

/* Whether there are as many elements. */
static cpl_status check_count(const algo_call *c, const cpl_random_spec *s, uint64_t count)
{
    uint64_t n = (uint64_t)c->n;
    if (n <= count && s->offset <= count - n) return CPL_OK;
    return wrong(c, "a permutation of %llu number%s has no %llu from the one with number %llu on",
                 (unsigned long long)count, plural((int64_t)count), (unsigned long long)n,
                 (unsigned long long)s->offset);
}

static cpl_status permute(algo_call *c, const cpl_random_spec *spec)
{
    cpl_status status = check_out(c, spec->offset);
    if (status) return status;
    if (!type_is_scalar(c->type) || !type_is_int(c->type))
        return wrong(c, "permutations are for arrays of integers, not of %s", c->type->text);
    bool all = !spec->from && !spec->to;
    if (all && spec->offset > (uint64_t)(INT64_MAX - c->n))
        return wrong(c, "a permutation has 2**63 - 1 numbers at most");
    int64_t to = all ? (int64_t)spec->offset + c->n : spec->to;
    if (all && !to) return CPL_OK;
    if (to > spec->from) status = check_count(c, spec, (uint64_t)to - (uint64_t)spec->from);
    else status = no_integers(c, spec->from, to);
    if (!status) status = push_stream(c, spec);
    if (!status) status = scale_integers(c, spec->from, to);
    if (status) return status;
    algo_step *s = step_new(c, "cpl.fills.permutation");
    s->lanes = LANES_ALWAYS;
    step_range(c, s, OUT, c->p.count);
    return steps_launch(c, NO_KEY, permutation_rule);
}

/* --- both --- */

typedef cpl_status random_fn(algo_call *c, const cpl_random_spec *spec);

static cpl_status run(random_fn *what, cpl_module *module, const cpl_random_spec *given,
                      const cpl_launch_options *options, const cpl_arg *out)
{
    static const algo_load load = {"cpl_random", 1, 0, true};
    algo_call c;
    cpl_random_spec spec;
    cpl_launch_options room;
    cpl_random_spec_init(&spec);
    if (MISSING("module spec out", module, given, out)) return CPL_EARG;
    if (READ_STRUCT(&spec, given, cpl_random_spec)) return CPL_EARG;
    cpl_status status = algo_begin(&c, &load, module, launch_options(options, &room), out, 1);
    if (!status) status = algo_library(&c, &algo_fills);
    if (!status) status = what(&c, &spec);
    return algo_end(&c, status);
}

cpl_status cpl_random_fill(cpl_module *module, const cpl_random_spec *spec,
                           const cpl_launch_options *options, const cpl_arg *out)
{
    return run(fill, module, spec, options, out);
}

cpl_status cpl_random_permutation(cpl_module *module, const cpl_random_spec *spec,
                                  const cpl_launch_options *options, const cpl_arg *out)
{
    return run(permute, module, spec, options, out);
}

/* What a launch's arguments tell of themselves: whether arrays are small, apart, or large. */
#include "runtime/runtime.h"

/* The arrays of a launch, as far as sharing asks. */
typedef struct extents {
    size_t count;
    struct {
        byte_range bytes;
        const cpl_arg *arg;
        bool written, alone; /* alone: and not read */
    } at[MOST_GIVEN];
} extents;

static void add_extent(extents *x, const cpl_arg *arg, bool written, bool read)
{
    if (arg->kind != CPL_ARG_ARRAY || arg->length == 0 || !(written || read)) return;
    x->at[x->count].bytes = arg_range(arg);
    x->at[x->count].arg = arg;
    x->at[x->count].alone = written && !read;
    x->at[x->count++].written = written;
}

/* Those that are values are the parameters' in order. */
static void find_extents(extents *x, const artifact *a, const cpl_arg *args, size_t count)
{
    const cpl_arg *next = args, *end = args + count;
    x->count = 0;
    if (!a)
        while (next < end) add_extent(x, next++, true, false);
    for (size_t i = 0; next < end && i < a->param_count; i++) {
        if (a->params[i].role != PARAM_ARG) continue;
        while (next < end && next->kind == CPL_ARG_BOUND) next++;
        if (next < end) add_extent(x, next++, !a->params[i].readonly, !a->params[i].unread);
    }
}

static args_sharing sharing_of(const extents *x)
{
    args_sharing found = ARGS_APART;
    for (size_t i = 1; i < x->count; i++)
        for (size_t k = 0; k < i; k++) {
            if (!(x->at[i].written || x->at[k].written)) continue;
            if (!ranges_meet(x->at[i].bytes, x->at[k].bytes)) continue;
            if (arg_interleaves(x->at[i].arg, x->at[k].arg)) continue;
            if (!arg_lies_alike(x->at[i].arg, x->at[k].arg)) return ARGS_CROSS;
            found = ARGS_SAME;
        }
    return found;
}

args_sharing args_share(const artifact *a, const cpl_arg *args, size_t count)
{
    extents x;
    find_extents(&x, a, args, count);
    return sharing_of(&x);
}

static bool are_small(const cpl_arg *args, size_t count, int64_t n)
{
    bool small = n <= INT32_MAX;
    for (size_t i = 0; i < count; i++)
        small &= args[i].kind != CPL_ARG_ARRAY || arg_is_small(&args[i]);
    return small;
}

/* Whether one of so many bytes or more is written and not read, or may be. */
static bool has_large(const extents *x, uint64_t least)
{
    for (size_t i = 0; i < x->count; i++)
        if (x->at[i].alone && arg_is_bare(x->at[i].arg) && arg_bytes(x->at[i].arg) >= least)
            return true;
    return false;
}

uint32_t args_facts(const artifact *a, const cpl_arg *args, size_t count, int64_t n, uint64_t large)
{
    static const uint32_t facts[] = {[ARGS_APART] = CPL_FACT_APART,
                                     [ARGS_SAME] = 0,
                                     [ARGS_CROSS] = CPL_FACT_IN_ORDER};
    extents x;
    find_extents(&x, a, args, count);
    return facts[sharing_of(&x)] | (are_small(args, count, n) ? CPL_FACT_SMALL : 0) |
           (large && has_large(&x, large) ? CPL_FACT_LARGE : 0);
}

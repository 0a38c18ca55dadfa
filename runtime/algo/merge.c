/*
 * Sorts by a function that says what comes before what: pieces, then runs two by two as turns of
 * one plan, each of which moves all from x to y or back.
 */
#include "runtime/algo/sort_int.h"

enum { PIECE = 2048 }; /* as in merge.py */

static int64_t turns_of(int64_t count)
{
    int64_t turns = 0;
    while (((int64_t)1 << turns) < count) turns++;
    return turns;
}

static cpl_status rule(plan_launch *l)
{
    int64_t count = divided(l->n, PIECE), turns = turns_of(count);
    bool odd = turns % 2;
    sort_own_copies(l, l->plan->steps[0].kernel);
    own_number(l, OWN_SIZE, (int64_t)PIECE << l->turn);
    own_number(l, OWN_COUNT, odd);
    own_number(l, OWN_BASE, (odd + l->turn) % 2);
    l->more = l->turn + 1 < turns;
    l->steps[0].n = l->turn ? 0 : count;
    l->steps[1].n = turns ? count : 0;
    return CPL_OK;
}

void merge_bind_how(sorting *s, algo_step *to)
{
    STEP_BIND(&s->c, to, BIND_OP);
    radix_bind_how(s, to);
}

static void bind_order(sorting *s, algo_step *to)
{
    step_flag(to, (int)sort_mode(s));
    merge_bind_how(s, to);
}

static void add_blocks(sorting *s)
{
    algo_step *to = step_new(&s->c, "cpl.merge.blocks");
    sort_give_all(s, to);
    STEP_OWN(&s->c, to, OWN_N, OWN_COUNT);
    step_flag(to, (s->c.flags & APART) != 0);
    STEP_BIND(&s->c, to, BIND_TYPE, BIND_VALUE);
    bind_order(s, to);
}

static void add_merges(sorting *s)
{
    algo_step *to = step_new(&s->c, "cpl.merge.merges");
    sort_give_keys(s, to);
    sort_give_values(s, to);
    STEP_OWN(&s->c, to, OWN_N, OWN_SIZE, OWN_BASE);
    STEP_BIND(&s->c, to, BIND_TYPE);
    bind_order(s, to);
}

cpl_status merge_launch(sorting *s)
{
    add_blocks(s);
    add_merges(s);
    return steps_launch(&s->c, NO_KEY, rule);
}

cpl_status merge_bind(sorting *s, const cpl_sort_spec *spec)
{
    cpl_context *cx = module_context(s->c.module);
    s->c.binds[BIND_OP] = spec->before;
    s->c.binds[BIND_RANK] = cpl_bind_type(algo_scalar(&s->c, CPL_UINT32)); /* nothing asks */
    s->c.binds[BIND_BITS] = s->c.binds[BIND_FRACTION] = cpl_bind_integer(0);
    s->c.binds[BIND_FIRST] = s->c.binds[BIND_END] = cpl_bind_integer(0);
    if (!op_calls(&spec->before))
        return context_report(cx, CPL_EARG,
                              "what comes before what is no expression of a and b and no function");
    if (spec->first_bit || spec->end_bit)
        return context_report(cx, CPL_EARG, "keys that are compared are not sorted by bits");
    cpl_status status = context_check_bind(cx, "what comes before what", &spec->before);
    if (!status) status = algo_library(&s->c, &algo_merge);
    if (status || !type_is_scalar(s->key)) return status;
    return op_before(&s->c, &spec->before, s->key->dtype);
}

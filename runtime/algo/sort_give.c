/* What the kernels of sorts are given: arrays of the caller, and of their own. */
#include "runtime/algo/sort_int.h"

/* --- sizes --- */

void sort_own_copies(plan_launch *l, const cpl_kernel *moves)
{
    const artifact_param *p = moves->artifact.params;
    uint32_t flags = l->plan->flags;
    own_array_of(l, OWN_TOTAL, p[1].type->elem, l->n);
    if (flags & UNSEEN) own_array_of(l, OWN_CARRY, p[1].type->elem, l->n);
    if (flags & MODES) own_array_of(l, OWN_HEAD, p[3].type->elem, l->n);
    own_number(l, OWN_N, l->n);
}

/* --- the kernels --- */

void sort_own(sorting *s, algo_step *to, algo_own own, const cpl_type *type)
{
    s->c.type = type;
    STEP_OWN(&s->c, to, own);
}

void sort_give_key(sorting *s, algo_step *to, bool x)
{
    if (!x) sort_own(s, to, OWN_TOTAL, s->key);
    else if (s->c.flags & UNSEEN) sort_own(s, to, OWN_CARRY, s->key);
    else step_given(&s->c, to, s->c.flags & APART ? s->outs : 0);
}

void sort_give_keys(sorting *s, algo_step *to)
{
    sort_give_key(s, to, true);
    sort_give_key(s, to, false);
}

void sort_give_value(sorting *s, algo_step *to, bool x)
{
    uint32_t mode = sort_mode(s);
    if (mode == MODE_NONE) step_flag(to, 0);
    else if (!x) sort_own(s, to, OWN_HEAD, s->value);
    else if (mode == MODE_PLACES) step_given(&s->c, to, s->order);
    else step_given(&s->c, to, s->c.flags & APART ? s->outs + 1 : 1);
}

void sort_give_values(sorting *s, algo_step *to)
{
    sort_give_value(s, to, true);
    sort_give_value(s, to, false);
}

void sort_give_input(sorting *s, algo_step *to, size_t i, bool there)
{
    if (there && s->c.flags & APART) step_given(&s->c, to, i);
    else step_flag(to, 0);
}

void sort_give_all(sorting *s, algo_step *to)
{
    sort_give_keys(s, to);
    sort_give_values(s, to);
    sort_give_input(s, to, 0, true);
    sort_give_input(s, to, 1, sort_mode(s) == MODE_VALUES);
}

/* Parallel loops over prange; sema has found what each variable is to them, and that nothing leaves
 * one. */
#include "lib/lower/lower_int.h"

static ir_op reduce_op(sema_reduce op)
{
    switch (op) {
    case SEMA_MUL: return IR_MUL;
    case SEMA_MIN: return IR_MIN;
    case SEMA_MAX: return IR_MAX;
    case SEMA_AND: return IR_AND;
    case SEMA_OR: return IR_OR;
    case SEMA_XOR: return IR_XOR;
    default: return IR_ADD;
    }
}

static void make_private(lower *l, ir_loop *loop, const lower_var *v)
{
    arena *a = &l->comp->arena;
    if (v->var != loop->var) vec_push(a, &loop->privates, v->var);
    if (v->var->extent) vec_push(a, &loop->privates, v->var->extent);
    if (v->stride) vec_push(a, &loop->privates, v->stride);
}

void lower_prange(lower *l, const ast_node *s)
{
    arena *a = &l->comp->arena;
    const sema_parallel *p = l->sf->parallel[s->id];
    lower_loop state = {0};
    lower_rounds r = lower_rounds_of(l, s);
    /* temporaries of the body come behind: each belongs to the round */
    uint32_t outside = l->f->vars.n;
    ir_block *body = lower_rounds_body(l, s, &state, &r);
    ir_node *n =
        ir_for(l->m, IR_PARALLEL_FOR, r.var, r.bounds[0], r.bounds[1], r.bounds[2], body, s->span);
    ir_loop *loop = n->loop;

    if (p->has_schedule)
        loop->schedule = p->schedule == SEMA_DYNAMIC  ? IR_DYNAMIC
                         : p->schedule == SEMA_GUIDED ? IR_GUIDED
                                                      : IR_STATIC;
    loop->chunk = p->chunk;
    loop->threads = p->threads;
    for (uint32_t i = 0; i < p->reductions.n; i++) {
        const lower_var *v = p->reductions.at[i].var->user;
        vec_push(a, &loop->reductions, ((ir_reduction){reduce_op(p->reductions.at[i].op), v->var}));
    }
    make_private(l, loop, r.target);
    for (uint32_t i = 0; i < p->privates.n; i++)
        if (p->privates.at[i]->user != r.target) make_private(l, loop, p->privates.at[i]->user);
    for (uint32_t i = outside; i < l->f->vars.n; i++)
        vec_push(a, &loop->privates, l->f->vars.at[i]);
    lower_emit(l, n);
}

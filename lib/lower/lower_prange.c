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

static bool reads(const ir_node *n, const ir_var *v)
{
    if (n->op == IR_VAR && n->var == v) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (reads(n->kids[i], v)) return true;
    return false;
}

/*
 * v = min(e, v) as min(v, e): a round's NaN changes nothing then, wherever v is written, and the
 * operation is associative. min(e, v) gives the NaN, and forgets all rounds in front of it.
 */
static bool put_first(void *user, ir_node *n)
{
    const ir_var *v = user;
    if (n->op != IR_ASSIGN || n->var != v) return true;
    for (ir_node *at = n->kids[0]; at->kid_count;) {
        bool chooses = at->op == IR_MIN || at->op == IR_MAX;
        if (chooses && reads(at->kids[1], v)) {
            ir_node *first = at->kids[0];
            at->kids[0] = at->kids[1];
            at->kids[1] = first;
        }
        at = at->kids[0];
    }
    return true;
}

static void make_private(lower *l, ir_loop *loop, const lower_var *v)
{
    arena *a = &l->comp->arena;
    if (v->var != loop->var) vec_push(a, &loop->privates, v->var);
    if (v->var->extent) vec_push(a, &loop->privates, v->var->extent);
    if (v->stride) vec_push(a, &loop->privates, v->stride);
}

/* What its rounds may do at once. */
static void set_parallel(lower *l, const sema_parallel *p, ir_loop *loop)
{
    if (p->has_schedule)
        loop->schedule = p->schedule == SEMA_DYNAMIC  ? IR_DYNAMIC
                         : p->schedule == SEMA_GUIDED ? IR_GUIDED
                                                      : IR_STATIC;
    loop->chunk = p->chunk;
    loop->threads = p->threads;
    for (uint32_t i = 0; i < p->reductions.n; i++) {
        const lower_var *v = p->reductions.at[i].var->user;
        vec_push(&l->comp->arena, &loop->reductions,
                 ((ir_reduction){reduce_op(p->reductions.at[i].op), v->var}));
    }
}

/* Of a serial function, or of what a serial entry calls, the rounds run in order. */
void lower_prange(lower *l, const ast_node *s)
{
    arena *a = &l->comp->arena;
    const sema_parallel *p = l->sf->parallel[s->id];
    lower_loop state = {0};
    lower_rounds r = lower_rounds_of(l, s);
    /* temporaries of the body come behind: each belongs to the round */
    uint32_t outside = l->f->vars.n;
    ir_block *body = lower_rounds_body(l, s, &state, &r);
    for (uint32_t i = 0; i < p->reductions.n; i++) {
        const lower_var *v = p->reductions.at[i].var->user;
        ir_op op = reduce_op(p->reductions.at[i].op);
        if (op == IR_MIN || op == IR_MAX) ir_walk_block(body, put_first, v->var);
    }
    bool serial = l->sf->serial || l->p->entry->serial;
    ir_node *n = ir_for(l->m, serial ? IR_FOR : IR_PARALLEL_FOR, r.var, r.bounds[0], r.bounds[1],
                        r.bounds[2], body, s->span);
    lower_emit(l, n);
    if (serial) return;
    set_parallel(l, p, n->loop);
    make_private(l, n->loop, r.target);
    for (uint32_t i = 0; i < p->privates.n; i++)
        if (p->privates.at[i]->user != r.target) make_private(l, n->loop, p->privates.at[i]->user);
    for (uint32_t i = outside; i < l->f->vars.n; i++)
        vec_push(a, &n->loop->privates, l->f->vars.at[i]);
}

/* Questions and constructions that several passes need. */
#include "passes/pass_int.h"

ir_var *pass_var(ir_module *m, ir_func *f, const pass_loops *parallel, const char *name,
                 const cpl_type *type, cpl_span span)
{
    ir_var *v = ir_var_new(m, f, name, type, span);
    for (uint32_t i = 0; i < parallel->n; i++)
        vec_push(&m->comp->arena, &parallel->at[i]->privates, v);
    return v;
}

bool pass_is_callable(const ir_func *f)
{
    return f->linkage != IR_EXTERN && f->body && !f->recursive;
}

void pass_make_serial(ir_node *loop)
{
    loop->op = IR_FOR;
    *loop->loop = (ir_loop){.var = loop->loop->var};
}

bool pass_is_private(const ir_node *pointer)
{
    while (pointer->kid_count > 0 && pointer->op != IR_LOAD && pointer->op != IR_COND)
        pointer = pointer->kids[0];
    return pointer->op == IR_ADDR && !pointer->var->local;
}

static bool find_worker(void *user, ir_node *n)
{
    bool *found = user;
    *found |= n->op == IR_WORKER;
    return !*found;
}

bool pass_asks_worker(ir_block *b)
{
    bool found = false;
    ir_walk_block(b, find_worker, &found);
    return found;
}

uint32_t pass_max_ops(const compilation *c)
{
    return c->max_ops ? c->max_ops : LIMIT_OPS;
}

static void reach(ir_func *f);

static bool reach_callees(void *user, ir_node *n)
{
    (void)user;
    if ((n->op == IR_CALL || n->op == IR_FORK) && !n->func->user) reach(n->func);
    return true;
}

static void reach(ir_func *f)
{
    f->user = f;
    if (f->body) ir_walk_block(f->body, reach_callees, NULL);
}

void pass_mark_reached(ir_module *m)
{
    for (uint32_t i = 0; i < m->funcs.n; i++) m->funcs.at[i]->user = NULL;
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (m->funcs.at[i]->linkage == IR_ENTRY && !m->funcs.at[i]->user) reach(m->funcs.at[i]);
}

bool pass_drop_unreferenced(ir_module *m)
{
    /* a library of functions: somebody may still ask for any of them */
    if (!ir_entry(m)) return false;
    pass_mark_reached(m);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (m->funcs.at[i]->user) m->funcs.at[kept++] = m->funcs.at[i];
    bool changed = kept != m->funcs.n;
    m->funcs.n = kept;
    return changed;
}

/* A break out of the loop that b is the body of; those of inner loops do not count. */
static bool has_break(const ir_block *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        const ir_node *s = b->at[i];
        if (s->op == IR_BREAK) return true;
        if (s->op == IR_IF && (has_break(s->body) || (s->orelse && has_break(s->orelse))))
            return true;
    }
    return false;
}

static bool leaves(const ir_node *s)
{
    switch (s->op) {
    case IR_RETURN:
    case IR_BREAK:
    case IR_CONTINUE: return true;
    case IR_IF: return s->orelse && pass_leaves(s->body) && pass_leaves(s->orelse);
    case IR_WHILE: return ir_is_const(s->kids[0]) && s->kids[0]->bits && !has_break(s->body);
    default: return false;
    }
}

bool pass_leaves(const ir_block *b)
{
    return b->n > 0 && leaves(b->at[b->n - 1]);
}

ir_node *pass_i64(ir_module *m, int64_t value, cpl_span span)
{
    return ir_int(m, comp_scalar(m->comp, CPL_INT64), value, span);
}

ir_node *pass_wide_index(ir_module *m, ir_op op, cpl_span span)
{
    return ir_convert(m, comp_scalar(m->comp, CPL_INT64), ir_index(m, op, 0, span), span);
}

ir_node *pass_not(ir_module *m, ir_node *cond, cpl_span span)
{
    return pass_fold_expr(m, ir_op1(m, IR_NOT, cond, span), &(bool){false});
}

ir_node *pass_zero_var(ir_module *m, ir_var *v, cpl_span span)
{
    if (type_is_scalar(v->type)) return ir_assign(m, v, ir_zero(m, v->type, span), span);
    return ir_op1(m, IR_CLEAR, ir_addr(m, v, span), span);
}

static void rename_block(ir_block *b, pass_var_map to, void *user)
{
    for (uint32_t i = 0; i < b->n; i++) pass_rename(b->at[i], to, user);
}

void pass_rename(ir_node *n, pass_var_map to, void *user)
{
    if (n->op == IR_VAR || n->op == IR_ADDR || n->op == IR_ASSIGN) n->var = to(user, n->var);
    if (n->loop) {
        if (n->loop->var) n->loop->var = to(user, n->loop->var);
        for (uint32_t i = 0; i < n->loop->reductions.n; i++)
            n->loop->reductions.at[i].var = to(user, n->loop->reductions.at[i].var);
        for (uint32_t i = 0; i < n->loop->privates.n; i++)
            n->loop->privates.at[i] = to(user, n->loop->privates.at[i]);
    }
    for (uint32_t i = 0; i < n->kid_count; i++) pass_rename(n->kids[i], to, user);
    if (n->body) rename_block(n->body, to, user);
    if (n->orelse) rename_block(n->orelse, to, user);
}

/* As uint64, in which the distance of two numbers of any type does not overflow. */
static ir_node *wide(ir_module *m, const ir_node *n, cpl_span span)
{
    return ir_convert(m, comp_scalar(m->comp, CPL_UINT64), ir_copy(m, n), span);
}

/* from < to ? (to - from - 1) / step + 1 : 0, where step is an expression of uint64. */
static ir_node *rounds_up(ir_module *m, const ir_node *from, const ir_node *to, ir_node *step,
                          cpl_span span)
{
    const cpl_type *u64 = comp_scalar(m->comp, CPL_UINT64);
    ir_node *distance = ir_op2(m, IR_SUB, wide(m, to, span), wide(m, from, span), span);
    if (!ir_is_const(step) || step->bits != 1) {
        distance = ir_op2(m, IR_SUB, distance, ir_int(m, u64, 1, span), span);
        distance = ir_op2(m, IR_RAWDIV, distance, step, span);
        distance = ir_op2(m, IR_ADD, distance, ir_int(m, u64, 1, span), span);
    }
    ir_node *ahead = ir_op2(m, IR_LT, ir_copy(m, from), ir_copy(m, to), span);
    return ir_op3(m, IR_COND, ahead, distance, ir_int(m, u64, 0, span), span);
}

ir_node *pass_rounds(ir_module *m, const ir_node *start, const ir_node *stop, const ir_node *step,
                     cpl_span span)
{
    const cpl_type *u64 = comp_scalar(m->comp, CPL_UINT64);
    bool is_signed = type_is_signed(step->type);
    int64_t from, by;
    /* the usual case: stop - start, which int64 holds */
    bool narrow =
        type_bits(step->type) <= 32 || (is_signed && ir_is_int_const(start, &from) && from == 0);
    if (narrow && ir_is_int_const(step, &by) && by == 1) {
        const cpl_type *i64 = comp_scalar(m->comp, CPL_INT64);
        ir_node *distance = ir_op2(m, IR_SUB, ir_convert(m, i64, ir_copy(m, stop), span),
                                   ir_convert(m, i64, ir_copy(m, start), span), span);
        return pass_fold_expr(m, ir_op2(m, IR_MAX, distance, pass_i64(m, 0, span), span),
                              &(bool){false});
    }
    ir_node *zero = ir_zero(m, step->type, span);
    ir_node *up =
        rounds_up(m, start, stop, pass_fold_expr(m, wide(m, step, span), &(bool){false}), span);
    ir_node *down = ir_int(m, u64, 0, span);
    if (is_signed) {
        ir_node *size = ir_op1(m, IR_NEG, wide(m, step, span), span);
        down = rounds_up(m, stop, start, pass_fold_expr(m, size, &(bool){false}), span);
        down = ir_op3(m, IR_COND, ir_op2(m, IR_LT, ir_copy(m, step), ir_copy(m, zero), span), down,
                      ir_int(m, u64, 0, span), span);
    }
    ir_node *forward = ir_op2(m, IR_GT, ir_copy(m, step), zero, span);
    ir_node *rounds = ir_op3(m, IR_COND, forward, up, down, span);
    return pass_fold_expr(m, ir_convert(m, comp_scalar(m->comp, CPL_INT64), rounds, span),
                          &(bool){false});
}

ir_node *pass_stable_bound(ir_module *m, ir_func *f, const pass_loops *parallel, ir_block *out,
                           ir_node *bound, const ir_block *body, const char *name)
{
    if (ir_is_const(bound) || (bound->op == IR_VAR && !ir_assigns(body, bound->var))) return bound;
    ir_var *v = pass_var(m, f, parallel, name, bound->type, bound->span);
    ir_append(m, out, ir_assign(m, v, bound, bound->span));
    return ir_use(m, v, bound->span);
}

bool pass_counts_rounds(const ir_var *v, const ir_node *start, const ir_node *step)
{
    int64_t from, by;
    return type_is(v->type, CPL_INT64) && ir_is_int_const(start, &from) && from == 0 &&
           ir_is_int_const(step, &by) && by == 1;
}

ir_node *pass_round_value(ir_module *m, ir_var *round, const ir_node *start, const ir_node *step,
                          cpl_span span)
{
    ir_node *k = ir_convert(m, start->type, ir_use(m, round, span), span);
    ir_node *way = ir_op2(m, IR_MUL, k, ir_copy(m, step), span);
    return pass_fold_expr(m, ir_op2(m, IR_ADD, way, ir_copy(m, start), span), &(bool){false});
}

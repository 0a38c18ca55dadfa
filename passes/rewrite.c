/* The rewriter of expressions that need statements; pass_int.h says how it is used. */
#include "passes/pass_int.h"

void pass_emit(pass_rewriter *r, ir_node *stmt)
{
    ir_append(r->m, r->out, stmt);
}

bool pass_is_cheap(const ir_node *n)
{
    return ir_size(n) <= 4 && !ir_has_load(n);
}

ir_node *pass_save(pass_rewriter *r, ir_node *n, const char *name)
{
    if (pass_is_cheap(n)) return n;
    ir_var *t = pass_var(r->m, r->f, &r->parallel, name, n->type, n->span);
    pass_emit(r, ir_assign(r->m, t, n, n->span));
    return ir_use(r->m, t, n->span);
}

static ir_node *rewrite_expr(pass_rewriter *r, ir_node *n);

static ir_node *rewrite_into(pass_rewriter *r, ir_node *n, ir_block *out)
{
    ir_block *before = r->out;
    r->out = out;
    n = rewrite_expr(r, n);
    r->out = before;
    return n;
}

/* Only one arm is evaluated, so what an arm needs runs under the condition. */
static ir_node *rewrite_cond(pass_rewriter *r, ir_node *n)
{
    ir_block *then = ir_block_new(r->m), *orelse = ir_block_new(r->m);
    n->kids[0] = rewrite_expr(r, n->kids[0]);
    n->kids[1] = rewrite_into(r, n->kids[1], then);
    n->kids[2] = rewrite_into(r, n->kids[2], orelse);
    if (then->n == 0 && orelse->n == 0) return r->expr ? r->expr(r, n) : n;
    ir_var *t = pass_var(r->m, r->f, &r->parallel, "arm", n->type, n->span);
    ir_append(r->m, then, ir_assign(r->m, t, n->kids[1], n->kids[1]->span));
    ir_append(r->m, orelse, ir_assign(r->m, t, n->kids[2], n->kids[2]->span));
    pass_emit(r, ir_if(r->m, n->kids[0], then, orelse, n->span));
    return ir_use(r->m, t, n->span);
}

static ir_node *rewrite_expr(pass_rewriter *r, ir_node *n)
{
    if (n->op == IR_COND) return rewrite_cond(r, n);
    for (uint32_t i = 0; i < n->kid_count; i++) n->kids[i] = rewrite_expr(r, n->kids[i]);
    return r->expr && ir_ops[n->op].class_ == IR_CLASS_EXPR ? r->expr(r, n) : n;
}

/* while c { b } becomes, when c needs statements s: while true { s; if not(c) { break }; b }. */
static void rewrite_while(pass_rewriter *r, ir_node *n)
{
    ir_module *m = r->m;
    ir_block *body = ir_block_new(m);
    ir_node *cond = rewrite_into(r, n->kids[0], body);
    pass_rewrite_block(r, n->body);
    if (body->n == 0) {
        n->kids[0] = cond;
    } else {
        ir_block *leave = ir_block_new(m);
        ir_append(m, leave,
                  ir_node_new(m, IR_BREAK, comp_scalar(m->comp, CPL_VOID), cond->span, 0));
        ir_append(m, body, ir_if(m, pass_not(m, cond, cond->span), leave, NULL, cond->span));
        for (uint32_t i = 0; i < n->body->n; i++) ir_append(m, body, n->body->at[i]);
        n->kids[0] = ir_int(m, comp_scalar(m->comp, CPL_BOOL), 1, cond->span);
        n->body = body;
    }
    pass_emit(r, n);
}

void pass_rewrite_loop(pass_rewriter *r, ir_node *n)
{
    bool parallel = n->op == IR_PARALLEL_FOR;
    if (parallel) vec_push(&r->m->comp->arena, &r->parallel, n->loop);
    pass_rewrite_block(r, n->body);
    if (parallel) r->parallel.n--;
    pass_emit(r, n);
}

static void rewrite_stmt(pass_rewriter *r, ir_node *n)
{
    if (n->op == IR_WHILE) {
        rewrite_while(r, n);
        return;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) n->kids[i] = rewrite_expr(r, n->kids[i]);
    if (n->op == IR_FOR || n->op == IR_PARALLEL_FOR) {
        if (!r->loop || !r->loop(r, n)) pass_rewrite_loop(r, n);
    } else if (n->op == IR_IF) {
        pass_rewrite_block(r, n->body);
        if (n->orelse) pass_rewrite_block(r, n->orelse);
        pass_emit(r, n);
    } else if (r->stmt) {
        r->stmt(r, n);
    } else {
        pass_emit(r, n);
    }
}

void pass_rewrite_block(pass_rewriter *r, ir_block *b)
{
    ir_block old = *b, *before = r->out;
    *b = (ir_block){0};
    r->out = b;
    for (uint32_t i = 0; i < old.n; i++) rewrite_stmt(r, old.at[i]);
    r->out = before;
}

void pass_rewrite_func(pass_rewriter *r, ir_func *f)
{
    r->f = f;
    r->parallel.n = 0;
    pass_rewrite_block(r, f->body);
}

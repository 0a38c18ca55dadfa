/*
 * What differs between the work-items of a group: a fixed point over the variables of a kernel. A
 * variable varies that is given a varying value, or any value where work-items parted. What is left
 * is the same in all that run it: a load from memory that all share too, since no other of them
 * writes there before the next barrier.
 */
#include "passes/group_int.h"

bool group_varies(const ir_node *n)
{
    const group_var *v = n->op == IR_VAR ? n->var->user : NULL;
    if (n->op == IR_VAR) return v && v->varying;
    if (n->op == IR_ADDR) return !n->var->local;
    if (n->op == IR_LOCAL_ID || ir_op_kind(n->op) == IR_KIND_LANE ||
        ir_ops[n->op].class_ == IR_CLASS_EFFECT)
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (group_varies(n->kids[i])) return true;
    return false;
}

/* A jump out of the loop that b is in the body of, which not all take; apart: they parted in front
 * of b. */
static bool jumps_apart(const ir_block *b, bool apart, bool masked)
{
    for (uint32_t i = 0; b && i < b->n; i++) {
        const ir_node *n = b->at[i];
        if (apart && (n->op == IR_BREAK || n->op == IR_CONTINUE)) return true;
        if (n->op != IR_IF) continue;
        bool differs = apart || group_differs(n->kids[0], masked);
        if (jumps_apart(n->body, differs, masked) || jumps_apart(n->orelse, differs, masked))
            return true;
    }
    return false;
}

bool group_parts(const ir_node *loop, bool masked)
{
    for (uint32_t i = 0; i < loop->kid_count; i++)
        if (group_differs(loop->kids[i], masked)) return true;
    return jumps_apart(loop->body, false, masked);
}

static void set(ir_var *v, bool varies, bool *changed)
{
    group_var *x = v->user;
    if (!x || x->varying || !varies) return;
    x->varying = *changed = true;
}

static void vary_block(const ir_block *b, bool apart, bool *changed)
{
    for (uint32_t i = 0; b && i < b->n; i++) {
        const ir_node *n = b->at[i];
        bool inside = apart;
        if (n->op == IR_ASSIGN) set(n->var, apart || group_varies(n->kids[0]), changed);
        if (n->op == IR_IF) inside = apart || group_varies(n->kids[0]);
        if (n->op == IR_FOR || n->op == IR_WHILE) inside = apart || group_parts(n, false);
        if (n->op == IR_FOR) set(n->loop->var, inside, changed);
        vary_block(n->body, inside, changed);
        vary_block(n->orelse, inside, changed);
    }
}

void group_vary(group *g)
{
    bool changed = true;
    for (uint32_t i = 0; i < g->f->vars.n; i++) {
        group_var *x = g->f->vars.at[i]->user;
        if (x) x->varying = x->addressed;
    }
    while (changed) {
        changed = false;
        vary_block(g->body, false, &changed);
    }
}

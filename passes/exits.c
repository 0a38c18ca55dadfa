/*
 * exits: gives every function that may be inlined a single return, as its last statement.
 *
 * Does: `if c { return a } rest` puts rest into the other arm. A return inside a loop becomes an
 * assignment to the result, a flag and a break; the loops around it and what follows them look at
 * the flag. Results go through one variable.
 * Requires: no return inside a parallel for (the verifier's rule).
 * Ensures: in functions that are not recursive and not an entry that nobody calls, `return` is the
 * last statement of the body or absent (void).
 * Keeps: the order in which everything is evaluated.
 * Source: the removal of exits in B. Baker, An algorithm for structuring flowgraphs, J. ACM 24
 * (1977), in its simplest form.
 */
#include "passes/pass_int.h"

typedef struct exits {
    ir_module *m;
    ir_func *f;
    ir_var *result; /* NULL for void, or not yet needed */
    ir_var *done;   /* NULL until a return must skip what follows */
} exits;

static bool note_return(void *user, ir_node *n)
{
    if (n->op == IR_RETURN) ++*(uint32_t *)user;
    return ir_ops[n->op].class_ == IR_CLASS_STMT;
}

static uint32_t returns_in(ir_node *n)
{
    uint32_t count = 0;
    ir_walk(n, note_return, &count);
    return count;
}

static void save_result(exits *x, ir_block *out, ir_node *ret)
{
    if (ret->kid_count == 0) return;
    if (!x->result) x->result = ir_var_new(x->m, x->f, "result", x->f->result, ret->span);
    ir_append(x->m, out, ir_assign(x->m, x->result, ret->kids[0], ret->span));
}

static void set_done(exits *x, ir_block *out, cpl_span span)
{
    const cpl_type *boolean = comp_scalar(x->m->comp, CPL_BOOL);
    if (!x->done) x->done = ir_var_new(x->m, x->f, "returned", boolean, span);
    ir_append(x->m, out, ir_assign(x->m, x->done, ir_int(x->m, boolean, 1, span), span));
}

static ir_node *break_node(exits *x, cpl_span span)
{
    return ir_node_new(x->m, IR_BREAK, comp_scalar(x->m->comp, CPL_VOID), span, 0);
}

/* The body of a loop: returns leave it by break, and so do those of the loops inside. */
static void exit_loop(exits *x, ir_block *b)
{
    ir_block out = {0};
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        if (n->op == IR_RETURN) {
            save_result(x, &out, n);
            set_done(x, &out, n->span);
            ir_append(x->m, &out, break_node(x, n->span));
            break; /* what follows is dead */
        }
        ir_append(x->m, &out, n);
        if (returns_in(n) == 0) continue;
        exit_loop(x, n->body);
        if (n->orelse) exit_loop(x, n->orelse);
        if (n->op == IR_IF) continue;
        ir_block *leave = ir_block_new(x->m);
        ir_append(x->m, leave, break_node(x, n->span));
        ir_append(x->m, &out, ir_if(x->m, ir_use(x->m, x->done, n->span), leave, NULL, n->span));
    }
    *b = out;
}

static void exit_block(exits *x, ir_block *b, bool flag);

/* The statements from first on, as a block of their own. */
static ir_block *rest_of(exits *x, const ir_block *b, uint32_t first)
{
    ir_block *rest = ir_block_new(x->m);
    for (uint32_t i = first; i < b->n; i++) ir_append(x->m, rest, b->at[i]);
    return rest;
}

static void append_all(exits *x, ir_block *to, const ir_block *from)
{
    for (uint32_t i = 0; i < from->n; i++) ir_append(x->m, to, from->at[i]);
}

/* What follows a statement that may have returned. */
static void guard_rest(exits *x, ir_block *out, ir_block *rest, bool flag, cpl_span span)
{
    exit_block(x, rest, flag);
    if (rest->n == 0) return;
    ir_node *go_on = ir_op1(x->m, IR_NOT, ir_use(x->m, x->done, span), span);
    ir_append(x->m, out, ir_if(x->m, go_on, rest, NULL, span));
}

/* An if with returns somewhere in it; rest is what follows. */
static void exit_if(exits *x, ir_block *out, ir_node *n, ir_block *rest, bool flag)
{
    bool then_leaves = pass_leaves(n->body), else_leaves = n->orelse && pass_leaves(n->orelse);
    bool partly = rest->n > 0 && !then_leaves && !else_leaves;
    ir_append(x->m, out, n);
    if (!partly && rest->n > 0 && !(then_leaves && else_leaves)) {
        if (then_leaves && !n->orelse) n->orelse = ir_block_new(x->m);
        append_all(x, then_leaves ? n->orelse : n->body, rest);
    }
    exit_block(x, n->body, flag || partly);
    if (n->orelse) exit_block(x, n->orelse, flag || partly);
    if (partly) guard_rest(x, out, rest, flag, n->span);
}

/*
 * A block outside loops. flag: statements behind it look at the flag, so every return must set it.
 */
static void exit_block(exits *x, ir_block *b, bool flag)
{
    ir_block out = {0};
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        if (n->op == IR_RETURN) {
            save_result(x, &out, n);
            if (flag) set_done(x, &out, n->span);
            break;
        }
        if (returns_in(n) == 0) {
            ir_append(x->m, &out, n);
            continue;
        }
        ir_block *rest = rest_of(x, b, i + 1);
        if (n->op == IR_IF) {
            exit_if(x, &out, n, rest, flag);
        } else {
            exit_loop(x, n->body);
            ir_append(x->m, &out, n);
            guard_rest(x, &out, rest, flag, n->span);
        }
        break;
    }
    *b = out;
}

static bool has_early_return(const ir_func *f)
{
    uint32_t count = 0;
    ir_walk_block(f->body, note_return, &count);
    bool last = f->body->n > 0 && f->body->at[f->body->n - 1]->op == IR_RETURN;
    return count > (last ? 1u : 0u);
}

static bool note_call(void *user, ir_node *n)
{
    (void)user;
    if (n->op == IR_CALL) n->func->user = n->func;
    return true;
}

static void single_exit(ir_module *m, ir_func *f)
{
    exits x = {m, f, NULL, NULL};
    cpl_span span = f->span;
    for (uint32_t i = f->body->n; i-- > 0;) span = f->body->at[i]->span;
    exit_block(&x, f->body, false);
    if (!x.result) return;
    ir_append(m, f->body, ir_return(m, ir_use(m, x.result, span), span));
}

bool pass_exits(pass_context *cx, ir_module *m)
{
    bool changed = false;
    ir_mark_recursive(m);
    for (uint32_t i = 0; i < m->funcs.n; i++) m->funcs.at[i]->user = NULL;
    ir_walk_module(m, note_call, NULL);
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        ir_func *f = m->funcs.at[i];
        bool grouped = f->kernel && !target_is_device(cx->target);
        bool wanted = f->linkage == IR_INTERNAL || f->user || grouped;
        if (!pass_is_callable(f) || !wanted || !has_early_return(f)) continue;
        single_exit(m, f);
        changed = true;
    }
    return changed;
}

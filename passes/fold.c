/*
 * fold: evaluates operations on constants, simplifies identities and prunes what constants decide.
 *
 * Does: expressions by fold_expr.c; if, while and for with constant conditions or no rounds;
 * statements behind return, break and continue; assignments of a variable to itself; a continue at
 * the end of a loop's body.
 * Requires: nothing. Ensures: no if or while has a constant condition but `while true`.
 * Keeps: every load, so that bounds checks find the same accesses, and the order of evaluation;
 * RAW ops where they are undefined.
 * Source: F. Allen and J. Cocke, A catalogue of optimizing transformations (1971): the local ones.
 */
#include "passes/pass_int.h"

typedef struct fold_state {
    ir_module *m;
    bool changed;
} fold_state;

static void fold_block(fold_state *s, ir_block *b);

static bool is_true(const ir_node *n)
{
    return ir_is_const(n) && n->bits != 0;
}

static bool is_false(const ir_node *n)
{
    return ir_is_const(n) && n->bits == 0;
}

/* A for that runs no round, going by its constants. */
static bool has_no_rounds(const ir_node *n)
{
    const ir_node *start = n->kids[0], *stop = n->kids[1], *step = n->kids[2];
    if (is_false(step)) return true;
    if (ir_equal(start, stop)) return true;
    if (!ir_is_const(start) || !ir_is_const(stop) || !ir_is_const(step)) return false;
    if (type_is_unsigned(start->type)) return start->bits >= stop->bits;
    bool up = (int64_t)step->bits > 0;
    return up ? (int64_t)start->bits >= (int64_t)stop->bits
              : (int64_t)start->bits <= (int64_t)stop->bits;
}

/* Whether a statement, its parts folded, does nothing at all. */
static bool does_nothing(const ir_node *n)
{
    switch (n->op) {
    case IR_ASSIGN: return n->kids[0]->op == IR_VAR && n->kids[0]->var == n->var;
    case IR_WHILE: return is_false(n->kids[0]);
    case IR_FOR:
    case IR_PARALLEL_FOR:
        return has_no_rounds(n) && pass_can_drop(n->kids[0]) && pass_can_drop(n->kids[1]) &&
               pass_can_drop(n->kids[2]);
    case IR_IF:
        return n->body->n == 0 && (!n->orelse || n->orelse->n == 0) && pass_can_drop(n->kids[0]);
    case IR_ASSUME:
    case IR_ASSERT: return is_true(n->kids[0]);
    default: return false;
    }
}

static void splice(fold_state *s, ir_block *out, const ir_block *b)
{
    if (!b) return;
    for (uint32_t i = 0; i < b->n; i++) ir_append(s->m, out, b->at[i]);
}

/* `continue` as the last thing a round does. */
static void drop_last_continue(fold_state *s, ir_block *b)
{
    while (b->n > 0) {
        ir_node *last = b->at[b->n - 1];
        if (last->op == IR_IF) {
            drop_last_continue(s, last->body);
            if (last->orelse) drop_last_continue(s, last->orelse);
        }
        if (last->op != IR_CONTINUE && !does_nothing(last)) return;
        b->n--;
        s->changed = true;
    }
}

static void fold_parts(fold_state *s, ir_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++)
        n->kids[i] = pass_fold_expr(s->m, n->kids[i], &s->changed);
    if (n->op == IR_IF && ir_is_const(n->kids[0])) return; /* one arm only will be folded */
    if (n->body) fold_block(s, n->body);
    if (n->orelse) fold_block(s, n->orelse);
    if (n->op == IR_WHILE || n->op == IR_FOR || n->op == IR_PARALLEL_FOR)
        drop_last_continue(s, n->body);
}

static void tidy_if(fold_state *s, ir_node *n)
{
    if (n->orelse && n->orelse->n == 0) {
        n->orelse = NULL;
        s->changed = true;
    }
    if (n->body->n == 0 && n->orelse) {
        n->kids[0] = pass_not(s->m, n->kids[0], n->kids[0]->span);
        n->body = n->orelse;
        n->orelse = NULL;
        s->changed = true;
    }
}

static void fold_block(fold_state *s, ir_block *b)
{
    ir_block out = {0};
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        if (pass_leaves(&out)) {
            s->changed = true;
            break;
        }
        fold_parts(s, n);
        if (n->op == IR_IF && ir_is_const(n->kids[0])) {
            ir_block *taken = is_true(n->kids[0]) ? n->body : n->orelse;
            if (taken) fold_block(s, taken);
            splice(s, &out, taken);
            s->changed = true;
        } else if (does_nothing(n)) {
            s->changed = true;
        } else {
            if (n->op == IR_IF) tidy_if(s, n);
            ir_append(s->m, &out, n);
        }
    }
    *b = out;
}

bool pass_fold(pass_context *cx, ir_module *m)
{
    (void)cx;
    fold_state s = {m, false};
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (m->funcs.at[i]->body) fold_block(&s, m->funcs.at[i]->body);
    return s.changed;
}

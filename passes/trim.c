/*
 * trim: loops run the rounds alone that a condition on their counter lets through.
 *
 * Does: of a loop whose whole body is an `if` without an else, in steps of 1, the parts of the
 * condition that compare the counter with what stays the same become bounds of the loop, and those
 * that do not ask for the counter stand around it, if it is serial. In nests, from the inside out:
 *     for j in (0, w) { if i > 0 and j > 0 and j < w - 1 { S } }
 *     if i > 0 { for j in (max(0, 1), min(w, w - 1)) { S } }
 * Requires: calls are inlined. Ensures: nothing more. Keeps: the order of what happens; a part of a
 * condition is left where a load stands in front of it, since a bounds check reports those.
 * Source: the splitting of index sets, M. Wolfe, High Performance Compilers for Parallel Computing
 * (1996), 9.7, for first and last rounds that do nothing.
 */
#include "passes/pass_int.h"

typedef struct trimming {
    ir_module *m;
    ir_node *loop;
    ir_node *rest;   /* of the condition; NULL: nothing */
    ir_node *around; /* what does not ask for the counter; NULL: nothing */
    bool blocked;    /* a load stands in front */
    bool changed;
} trimming;

/* --- the counter --- */

typedef struct uses {
    const ir_node *loop;
    bool outside;
} uses;

static bool see_use(void *user, ir_node *n)
{
    uses *u = user;
    const ir_var *v = u->loop->loop->var;
    if ((n->op == IR_FOR || n->op == IR_PARALLEL_FOR) && n->loop->var == v) {
        for (uint32_t i = 0; i < n->kid_count; i++) ir_walk(n->kids[i], see_use, u);
        return false; /* inside it has the loop's values */
    }
    if ((n->op == IR_VAR || n->op == IR_ADDR) && n->var == v) u->outside = true;
    return !u->outside;
}

/* Whether somebody asks for the counter behind the loop, which may leave another value now. */
static bool is_asked_for(const ir_func *f, const ir_node *loop)
{
    uses u = {.loop = loop};
    ir_walk_block(f->body, see_use, &u);
    return u.outside;
}

/* --- conditions --- */

typedef struct question {
    const ir_node *loop;
    bool changes; /* from round to round */
} question;

static bool see_change(void *user, ir_node *n)
{
    question *q = user;
    const ir_node *loop = q->loop;
    bool var = n->op == IR_VAR || n->op == IR_ADDR;
    if (var && (n->var == loop->loop->var || ir_assigns(loop->body, n->var))) q->changes = true;
    if (n->op == IR_ADDR || ir_op_effects(n->op)) q->changes = true;
    return !q->changes;
}

static bool stays(const trimming *t, ir_node *n)
{
    question q = {.loop = t->loop};
    ir_walk(n, see_change, &q);
    return !q.changes;
}

static ir_node *both(ir_module *m, ir_node *a, ir_node *b)
{
    if (!a) return b;
    ir_node *n = ir_node_new(m, IR_COND, b->type, b->span, 3);
    n->kids[0] = a;
    n->kids[1] = b;
    n->kids[2] = ir_int(m, b->type, 0, b->span);
    return n;
}

/* One more, where that is no more than the type holds: a counter is below its end anyhow. */
static ir_node *next(ir_module *m, ir_node *n)
{
    int64_t most = n->type->dtype == CPL_INT64 ? INT64_MAX : INT32_MAX;
    ir_node *last = ir_op2(m, IR_MIN, n, ir_int(m, n->type, most - 1, n->span), n->span);
    return ir_op2(m, IR_ADD, last, ir_int(m, n->type, 1, n->span), n->span);
}

/* The rounds from low on, and before high; either may be NULL. */
static bool bound(trimming *t, ir_node *low, ir_node *high)
{
    ir_node **kids = t->loop->kids;
    if (low) kids[0] = ir_op2(t->m, IR_MAX, kids[0], low, low->span);
    if (high) kids[1] = ir_op2(t->m, IR_MIN, kids[1], high, high->span);
    return t->changed = true;
}

/* counter OP limit */
static bool compare(trimming *t, ir_op op, ir_node *limit)
{
    int64_t first, other;
    switch (op) {
    case IR_GT: return bound(t, next(t->m, limit), NULL);
    case IR_GE: return bound(t, limit, NULL);
    case IR_LT: return bound(t, NULL, limit);
    case IR_LE: return bound(t, NULL, next(t->m, limit));
    case IR_NE:
        if (!ir_is_int_const(t->loop->kids[0], &first) || !ir_is_int_const(limit, &other) ||
            first != other)
            return false;
        return bound(t, next(t->m, limit), NULL);
    default: return false;
    }
}

static ir_op mirrored(ir_op op)
{
    return op == IR_GT   ? IR_LT
           : op == IR_GE ? IR_LE
           : op == IR_LT ? IR_GT
           : op == IR_LE ? IR_GE
                         : op;
}

static bool is_counter(const trimming *t, const ir_node *n)
{
    return n->op == IR_VAR && n->var == t->loop->loop->var;
}

static bool limits(trimming *t, ir_node *n)
{
    if (n->kid_count != 2) return false;
    if (is_counter(t, n->kids[0]) && stays(t, n->kids[1])) return compare(t, n->op, n->kids[1]);
    if (is_counter(t, n->kids[1]) && stays(t, n->kids[0]))
        return compare(t, mirrored(n->op), n->kids[0]);
    return false;
}

static bool is_truth(const ir_node *n, bool value)
{
    return n->op == IR_CONST && type_is_bool(n->type) && (n->bits != 0) == value;
}

/* One part of a condition, all of which must hold. */
static void take_part(trimming *t, ir_node *n)
{
    if (!t->blocked) {
        if (limits(t, n)) return;
        if (t->loop->op == IR_FOR && stays(t, n)) {
            t->around = both(t->m, t->around, n);
            t->changed = true;
            return;
        }
    }
    t->blocked |= !pass_can_drop(n);
    t->rest = both(t->m, t->rest, n);
}

/* not (a or b): neither */
static void take_negated(trimming *t, ir_node *n)
{
    if (n->op == IR_COND && is_truth(n->kids[1], true)) {
        take_negated(t, n->kids[0]);
        take_negated(t, n->kids[2]);
    } else {
        take_part(t, pass_not(t->m, n, n->span));
    }
}

static void take_parts(trimming *t, ir_node *n)
{
    if (n->op == IR_COND && is_truth(n->kids[2], false)) {
        take_parts(t, n->kids[0]);
        take_parts(t, n->kids[1]);
    } else if (n->op == IR_NOT) {
        take_negated(t, n->kids[0]);
    } else {
        take_part(t, n);
    }
}

/* --- loops --- */

static bool is_empty(const ir_block *b)
{
    return !b || !b->n;
}

/* Floats too have a counter of integers; rounds that reduce are dealt out by their number, which
 * decides about the bits of a sum. */
static bool suits(const ir_func *f, const ir_node *n)
{
    int64_t step;
    const cpl_type *t = n->loop->var->type;
    if ((!type_is(t, CPL_INT64) && !type_is(t, CPL_INT32)) || n->body->n != 1 ||
        n->body->at[0]->op != IR_IF || n->loop->reductions.n ||
        !ir_is_int_const(n->kids[2], &step) || step != 1 || ir_assigns(n->body, n->loop->var))
        return false;
    const ir_node *branch = n->body->at[0];
    return is_empty(branch->body) != is_empty(branch->orelse) && !is_asked_for(f, n);
}

static void close(trimming *t, ir_node *branch)
{
    if (is_empty(branch->body)) {
        branch->body = branch->orelse;
        branch->orelse = NULL;
    }
    if (t->rest) branch->kids[0] = t->rest;
    else *t->loop->body = *branch->body;
}

static ir_node *around(const trimming *t)
{
    if (!t->around) return t->loop;
    ir_block *body = ir_block_new(t->m);
    ir_append(t->m, body, t->loop);
    return ir_if(t->m, t->around, body, NULL, t->loop->span);
}

/* Makes of a loop that loop, trimmed, or an if with it. */
static bool trim(ir_module *m, const ir_func *f, ir_node **at)
{
    ir_node *n = *at;
    if (!suits(f, n)) return false;
    ir_node *branch = n->body->at[0];
    trimming t = {.m = m, .loop = n};
    if (is_empty(branch->body)) take_negated(&t, branch->kids[0]);
    else take_parts(&t, branch->kids[0]);
    if (!t.changed) return false;
    close(&t, branch);
    *at = around(&t);
    return true;
}

static bool trim_block(ir_module *m, const ir_func *f, ir_block *b)
{
    bool changed = false;
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        if (n->body) changed |= trim_block(m, f, n->body);
        if (n->orelse) changed |= trim_block(m, f, n->orelse);
        if (n->op == IR_FOR || n->op == IR_PARALLEL_FOR) changed |= trim(m, f, &b->at[i]);
    }
    return changed;
}

bool pass_trim(pass_context *cx, ir_module *m)
{
    bool changed = false;
    (void)cx;
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (m->funcs.at[i]->body) changed |= trim_block(m, m->funcs.at[i], m->funcs.at[i]->body);
    return changed;
}

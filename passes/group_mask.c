/*
 * Control flow around barriers, where work-items may part: the statements under it run under masks,
 * variables that say which of the work-items are there, so that the barriers stand in control flow
 * that the whole group takes. Whoever is not there is not waited for.
 *
 *     if c { A barrier B }        there = c; if there { A } barrier; if there { B }
 *
 * A loop that work-items leave one by one goes on while one of them is left, which they find out by
 * way of local memory.
 */
#include "passes/group_int.h"

typedef struct masks {
    group *g;
    VEC(ir_var *) on; /* masks around the statement at hand, each within the one before */
    /* of the loop around that work-items leave one by one; NULL: they leave together */
    ir_var *alive;
    uint32_t base; /* masks outside of that loop */
} masks;

/* What splits regions. */

static bool jumps(const ir_block *b)
{
    for (uint32_t i = 0; b && i < b->n; i++) {
        const ir_node *n = b->at[i];
        if (n->op == IR_BREAK || n->op == IR_CONTINUE) return true;
        if (n->op == IR_IF && (jumps(n->body) || jumps(n->orelse))) return true;
    }
    return false;
}

static bool note_barrier(void *user, ir_node *n)
{
    *(bool *)user |= n->op == IR_BARRIER;
    return ir_ops[n->op].class_ == IR_CLASS_STMT;
}

bool group_splits(const ir_node *n)
{
    ir_node *one = (ir_node *)(uintptr_t)n; /* walked, not changed */
    const ir_block b = {&one, 1, 1};
    bool found = false;
    ir_walk(one, note_barrier, &found);
    return found || jumps(&b);
}

/* Construction. */

static ir_var *new_mask(masks *k, const char *name, cpl_span span)
{
    ir_var *v = group_new_var(k->g, name, comp_scalar(k->g->m->comp, CPL_BOOL), span);
    group_of(v)->varying = true;
    return v;
}

static ir_var *around(const masks *k)
{
    return k->on.n ? k->on.at[k->on.n - 1] : NULL;
}

static void assign(masks *k, ir_block *out, ir_var *v, ir_node *value)
{
    ir_append(k->g->m, out, ir_assign(k->g->m, v, value, value->span));
}

/* The run's statements, under the mask that is around them. */
static void flush(masks *k, ir_block *out, ir_block *run)
{
    ir_module *m = k->g->m;
    if (run->n == 0) return;
    if (around(k)) {
        ir_block *body = ir_block_new(m);
        *body = *run;
        cpl_span span = run->at[0]->span;
        ir_append(m, out, ir_if(m, ir_use(m, around(k), span), body, NULL, span));
    } else {
        for (uint32_t i = 0; i < run->n; i++) ir_append(m, out, run->at[i]);
    }
    *run = (ir_block){0};
}

/* there = value for those that are here, false for others */
static void set_mask(masks *k, ir_block *out, ir_var *there, ir_node *value)
{
    ir_block run = {0};
    if (around(k)) assign(k, out, there, group_bool(k->g, false, value->span));
    assign(k, &run, there, value);
    flush(k, out, &run);
}

static void mask_block(masks *k, ir_block *b);

static void mask_under(masks *k, ir_block *b, ir_var *there)
{
    vec_push(&k->g->m->comp->arena, &k->on, there);
    mask_block(k, b);
    k->on.n--;
}

static void append_all(masks *k, ir_block *out, const ir_block *b)
{
    for (uint32_t i = 0; i < b->n; i++) ir_append(k->g->m, out, b->at[i]);
}

static void mask_if(masks *k, ir_block *out, ir_node *n)
{
    ir_module *m = k->g->m;
    if (!group_differs(n->kids[0], k->on.n > 0)) {
        mask_block(k, n->body);
        if (n->orelse) mask_block(k, n->orelse);
        ir_append(m, out, n);
        return;
    }
    ir_var *then = new_mask(k, "there", n->span), *other = NULL;
    set_mask(k, out, then, n->kids[0]);
    if (n->orelse) {
        other = new_mask(k, "others", n->span);
        set_mask(k, out, other, pass_not(m, ir_use(m, then, n->span), n->span));
    }
    mask_under(k, n->body, then);
    append_all(k, out, n->body);
    if (!other) return;
    mask_under(k, n->orelse, other);
    append_all(k, out, n->orelse);
}

/* A break or continue: those who are here do not come back, or not in this round. */
static void mask_jump(masks *k, ir_block *out, ir_node *n)
{
    ir_block run = {0};
    if (!k->alive) {
        ir_append(k->g->m, out, n);
        return;
    }
    if (n->op == IR_BREAK) assign(k, &run, k->alive, group_bool(k->g, false, n->span));
    for (uint32_t i = k->base; i < k->on.n; i++)
        assign(k, &run, k->on.at[i], group_bool(k->g, false, n->span));
    flush(k, out, &run);
}

/* Leaves the loop when nobody is alive: found out through a flag that the group shares. */
static void leave_empty(masks *k, ir_block *out, ir_var *alive, cpl_span span)
{
    ir_module *m = k->g->m;
    const cpl_type *i32 = comp_scalar(m->comp, CPL_INT32);
    ir_var *some = ir_var_new(m, k->g->f, "some", i32, span);
    some->local = true;
    ir_block *mark = ir_block_new(m), *leave = ir_block_new(m);
    ir_append(m, out, ir_op2(m, IR_STORE, ir_addr(m, some, span), ir_int(m, i32, 0, span), span));
    ir_append(m, out, ir_barrier(m, SPACE_LOCAL, span));
    ir_append(m, mark, ir_op2(m, IR_STORE, ir_addr(m, some, span), ir_int(m, i32, 1, span), span));
    ir_append(m, out, ir_if(m, ir_use(m, alive, span), mark, NULL, span));
    ir_append(m, out, ir_barrier(m, SPACE_LOCAL, span));
    ir_append(m, leave, ir_op_new(m, IR_BREAK, NULL, 0, span));
    ir_node *none = ir_op2(m, IR_EQ, ir_op1(m, IR_LOAD, ir_addr(m, some, span), span),
                           ir_int(m, i32, 0, span), span);
    ir_append(m, out, ir_if(m, none, leave, NULL, span));
}

/* while cond { first; body }, which work-items leave one by one; first may be empty */
static void loop_apart(masks *k, ir_block *out, ir_node *cond, const ir_block *first,
                       ir_block *body, cpl_span span)
{
    ir_module *m = k->g->m;
    ir_var *alive = new_mask(k, "alive", span), *live = new_mask(k, "live", span);
    ir_block *round = ir_block_new(m), *ask = ir_block_new(m);
    assign(k, out, alive, around(k) ? ir_use(m, around(k), span) : group_bool(k->g, true, span));
    assign(k, ask, alive, cond);
    ir_append(m, round, ir_if(m, ir_use(m, alive, span), ask, NULL, span));
    leave_empty(k, round, alive, span);
    assign(k, round, live, ir_use(m, alive, span));
    ir_block *whole = ir_block_new(m);
    append_all(k, whole, first);
    append_all(k, whole, body);
    ir_var *outer = k->alive;
    uint32_t base = k->base;
    k->alive = alive;
    k->base = k->on.n;
    mask_under(k, whole, live);
    k->alive = outer;
    k->base = base;
    append_all(k, round, whole);
    ir_append(m, out, ir_while(m, group_bool(k->g, true, span), round, span));
}

static ir_node *saved(masks *k, ir_block *run, ir_node *value, const char *name)
{
    if (ir_is_const(value)) return value;
    ir_var *v = group_new_var(k->g, name, value->type, value->span);
    group_of(v)->varying = true;
    assign(k, run, v, value);
    return ir_use(k->g->m, v, value->span);
}

/* As a while loop that counts rounds. */
static void for_apart(masks *k, ir_block *out, ir_node *n)
{
    ir_module *m = k->g->m;
    cpl_span span = n->span;
    ir_block run = {0}, first = {0};
    ir_node *start = saved(k, &run, n->kids[0], "start"),
            *stop = saved(k, &run, n->kids[1], "stop"), *step = saved(k, &run, n->kids[2], "step");
    ir_node *rounds = saved(k, &run, pass_rounds(m, start, stop, step, span), "rounds");
    ir_node *zero = pass_i64(m, 0, span);
    ir_var *round = group_new_var(k->g, "round", zero->type, span);
    group_of(round)->varying = true;
    assign(k, &run, round, zero);
    flush(k, out, &run);
    assign(k, &first, n->loop->var, pass_round_value(m, round, start, step, span));
    assign(k, &first, round, ir_op2(m, IR_ADD, ir_use(m, round, span), pass_i64(m, 1, span), span));
    loop_apart(k, out, ir_op2(m, IR_LT, ir_use(m, round, span), rounds, span), &first, n->body,
               span);
}

static void mask_loop(masks *k, ir_block *out, ir_node *n)
{
    static const ir_block none;
    if (!group_parts(n, k->on.n > 0)) {
        if (n->op == IR_FOR && group_of(n->loop->var)->varying) group_count_apart(k->g, n);
        ir_var *outer = k->alive;
        k->alive = NULL;
        mask_block(k, n->body);
        k->alive = outer;
        ir_append(k->g->m, out, n);
    } else if (n->op == IR_FOR) {
        for_apart(k, out, n);
    } else {
        loop_apart(k, out, n->kids[0], &none, n->body, n->span);
    }
}

static void mask_block(masks *k, ir_block *b)
{
    ir_block out = {0}, run = {0};
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        if (!group_splits(n)) {
            ir_append(k->g->m, &run, n);
            continue;
        }
        flush(k, &out, &run);
        switch (n->op) {
        case IR_IF: mask_if(k, &out, n); break;
        case IR_FOR:
        case IR_WHILE: mask_loop(k, &out, n); break;
        case IR_BREAK:
        case IR_CONTINUE: mask_jump(k, &out, n); break;
        default: ir_append(k->g->m, &out, n);
        }
    }
    flush(k, &out, &run);
    *b = out;
}

void group_mask(group *g)
{
    masks k = {.g = g};
    mask_block(&k, g->body);
}

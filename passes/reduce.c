/*
 * reduce: turns the reductions of parallel loops into partial results, one a block of rounds,
 * joined in order.
 *
 * Does: `parallel for i ... reduce(add s)` becomes a parallel loop over at most PARTS_MOST blocks
 * of equal size, inside which a loop collects the block's rounds in a private variable that starts
 * at the operator's neutral element and ends up in an array; then s takes in the array from front
 * to back. The blocks depend on the number of rounds alone, so results are the same for any number
 * of threads. The loop over a block's rounds is `independent reduce(...)`, in any order, but with
 * in_order, and with precise where floats are reduced: serial. A parallel loop with reductions
 * inside another parallel loop becomes serial.
 * Requires: nothing. Ensures: no loop has reductions.
 * Keeps: attributes of the loop but for the chunk, which counted rounds.
 * Source: W. Hillis and G. Steele, Data parallel algorithms, CACM 29 (1986): reductions need an
 * associative operator, not a commutative one, so blocks are joined in order.
 *
 * No source of the kernel language, bound to an operator, could take the place of what is built
 * here, for the reasons that stand in grid_reduce.c: the body is statements of the function around
 * it, which see and set its variables. There is no plan for one to be part of either: the loop
 * stays where it stands, between what else the function does, in code that may be compiled ahead of
 * time and run without the runtime. What is built is the frame, the size of blocks, the loop over
 * them and that over the parts; of the body nothing but the reduced variables' names changes.
 */
#include "passes/pass_int.h"

typedef struct reducer {
    ir_module *m;
    ir_func *f;
    uint32_t depth; /* parallel loops around */
    bool changed;
    bool precise, in_order;
} reducer;

/* The pieces of one loop on its way. */
typedef struct blocks {
    ir_node *old; /* the loop */
    ir_node *start, *stop, *step;
    ir_var *rounds, *size, *count; /* int64: of the loop, of a block, of blocks */
    ir_var *block;                 /* which one; the new loop's variable */
    ir_var *acc[64], *partial[64]; /* by reduction */
} blocks;

static ir_node *use(reducer *r, ir_var *v, const blocks *b)
{
    return ir_use(r->m, v, b->old->span);
}

static ir_node *i64(reducer *r, int64_t value, const blocks *b)
{
    return pass_i64(r->m, value, b->old->span);
}

static ir_node *op2(reducer *r, ir_op op, ir_node *x, ir_node *y, const blocks *b)
{
    return pass_fold_expr(r->m, ir_op2(r->m, op, x, y, b->old->span), &(bool){false});
}

static ir_var *new_i64(reducer *r, const char *name, const blocks *b)
{
    return ir_var_new(r->m, r->f, name, comp_scalar(r->m->comp, CPL_INT64), b->old->span);
}

static void set(reducer *r, ir_block *out, ir_var *v, ir_node *value, const blocks *b)
{
    ir_append(r->m, out, ir_assign(r->m, v, value, b->old->span));
}

/*
 * How many rounds there are, and how they are dealt out: size = max(1, ceil(rounds / PARTS_MOST)),
 * count = ceil(rounds / size).
 */
static void divide(reducer *r, ir_block *out, blocks *b)
{
    ir_node *n = b->old;
    const pass_loops none = {0};
    b->start = pass_stable_bound(r->m, r->f, &none, out, n->kids[0], n->body, "start");
    b->stop = pass_stable_bound(r->m, r->f, &none, out, n->kids[1], n->body, "stop");
    b->step = pass_stable_bound(r->m, r->f, &none, out, n->kids[2], n->body, "step");
    b->rounds = new_i64(r, "rounds", b);
    b->size = new_i64(r, "block_size", b);
    b->count = new_i64(r, "blocks", b);
    set(r, out, b->rounds, pass_rounds(r->m, b->start, b->stop, b->step, n->span), b);
    ir_node *up = op2(r, IR_ADD, use(r, b->rounds, b), i64(r, PARTS_MOST - 1, b), b);
    ir_node *each = op2(r, IR_RAWDIV, up, i64(r, PARTS_MOST, b), b);
    set(r, out, b->size, op2(r, IR_MAX, each, i64(r, 1, b), b), b);
    ir_node *last = op2(r, IR_SUB, use(r, b->size, b), i64(r, 1, b), b);
    up = op2(r, IR_ADD, use(r, b->rounds, b), last, b);
    set(r, out, b->count, op2(r, IR_RAWDIV, up, use(r, b->size, b), b), b);
}

static ir_node *place(reducer *r, ir_var *partial, ir_var *index, const blocks *b)
{
    return ir_op2(r->m, IR_ITEM, ir_addr(r->m, partial, b->old->span), use(r, index, b),
                  b->old->span);
}

typedef struct renaming {
    const ir_loop *loop;
    const blocks *b;
} renaming;

static ir_var *to_acc(void *user, ir_var *v)
{
    const renaming *x = user;
    for (uint32_t i = 0; i < x->loop->reductions.n; i++)
        if (x->loop->reductions.at[i].var == v) return x->b->acc[i];
    return v;
}

/* Whether the rounds of a block may be joined in any order: they are rounds of a parallel loop, and
 * share nothing of their worker's. */
static bool reorders(const reducer *r, const ir_node *n)
{
    const ir_loop *l = n->loop;
    bool floats = false;
    for (uint32_t i = 0; i < l->reductions.n; i++)
        floats |= type_is_float(l->reductions.at[i].var->type);
    return !r->in_order && !(r->precise && floats) && !pass_asks_worker(n->body);
}

/* for round in (first, end, 1) { i = start + round * step; the body with the private variable } */
static ir_node *rounds_of_block(reducer *r, const pass_loops *around, blocks *b, ir_node *first,
                                ir_node *end)
{
    ir_module *m = r->m;
    ir_node *n = b->old;
    ir_var *i = n->loop->var;
    renaming names = {n->loop, b};
    for (uint32_t k = 0; k < n->body->n; k++) pass_rename(n->body->at[k], to_acc, &names);
    if (pass_counts_rounds(i, b->start, b->step))
        return ir_for(m, IR_FOR, i, first, end, i64(r, 1, b), n->body, n->span);
    ir_var *round = pass_var(m, r->f, around, "round", comp_scalar(m->comp, CPL_INT64), n->span);
    ir_block *body = ir_block_new(m);
    set(r, body, i, pass_round_value(m, round, b->start, b->step, n->span), b);
    for (uint32_t k = 0; k < n->body->n; k++) ir_append(m, body, n->body->at[k]);
    return ir_for(m, IR_FOR, round, first, end, i64(r, 1, b), body, n->span);
}

static ir_node *inner_loop(reducer *r, const pass_loops *around, blocks *b, ir_node *first,
                           ir_node *end)
{
    const ir_loop *old = b->old->loop;
    ir_node *loop = rounds_of_block(r, around, b, first, end);
    loop->loop->independent = reorders(r, b->old);
    for (uint32_t i = 0; i < old->reductions.n && loop->loop->independent; i++)
        vec_push(&r->m->comp->arena, &loop->loop->reductions,
                 ((ir_reduction){old->reductions.at[i].op, b->acc[i]}));
    return loop;
}

static ir_node *outer_loop(reducer *r, blocks *b)
{
    ir_module *m = r->m;
    ir_node *n = b->old;
    arena *a = &m->comp->arena;
    ir_block *body = ir_block_new(m);
    b->block = new_i64(r, "block", b);
    ir_node *outer = ir_for(m, IR_PARALLEL_FOR, b->block, i64(r, 0, b), use(r, b->count, b),
                            i64(r, 1, b), body, n->span);
    ir_loop *l = outer->loop;
    l->schedule = n->loop->schedule;
    l->threads = n->loop->threads;
    for (uint32_t i = 0; i < n->loop->privates.n; i++)
        vec_push(a, &l->privates, n->loop->privates.at[i]);
    vec_push(a, &l->privates, n->loop->var);
    pass_loops around = {0};
    vec_push(a, &around, l);

    for (uint32_t i = 0; i < n->loop->reductions.n; i++) {
        const ir_reduction *x = &n->loop->reductions.at[i];
        b->acc[i] = pass_var(m, r->f, &around, x->var->name, x->var->type, n->span);
        set(r, body, b->acc[i], ir_neutral(r->m, x->op, x->var->type, n->span), b);
    }
    ir_var *first = pass_var(m, r->f, &around, "first", comp_scalar(m->comp, CPL_INT64), n->span);
    set(r, body, first, op2(r, IR_MUL, use(r, b->block, b), use(r, b->size, b), b), b);
    ir_node *end = op2(r, IR_ADD, use(r, first, b), use(r, b->size, b), b);
    end = op2(r, IR_MIN, end, use(r, b->rounds, b), b);
    ir_append(m, body, inner_loop(r, &around, b, use(r, first, b), end));
    for (uint32_t i = 0; i < n->loop->reductions.n; i++)
        ir_append(m, body,
                  ir_op2(m, IR_STORE, place(r, b->partial[i], b->block, b), use(r, b->acc[i], b),
                         n->span));
    return outer;
}

static ir_node *join(reducer *r, const blocks *b)
{
    ir_module *m = r->m;
    ir_block *body = ir_block_new(m);
    ir_var *i = new_i64(r, "block", b);
    for (uint32_t k = 0; k < b->old->loop->reductions.n; k++) {
        const ir_reduction *x = &b->old->loop->reductions.at[k];
        ir_node *part = ir_op1(m, IR_LOAD, place(r, b->partial[k], i, b), b->old->span);
        set(r, body, x->var, ir_op2(m, x->op, use(r, x->var, b), part, b->old->span), b);
    }
    return ir_for(m, IR_FOR, i, i64(r, 0, b), use(r, b->count, b), i64(r, 1, b), body,
                  b->old->span);
}

static void reduce_loop(reducer *r, ir_block *out, ir_node *n)
{
    blocks b = {.old = n};
    divide(r, out, &b);
    for (uint32_t i = 0; i < n->loop->reductions.n; i++) {
        const ir_var *v = n->loop->reductions.at[i].var;
        const cpl_type *array = comp_array(r->m->comp, v->type, PARTS_MOST);
        b.partial[i] = ir_var_new(r->m, r->f, arena_printf(&r->m->comp->arena, "%s_parts", v->name),
                                  array, n->span);
    }
    ir_append(r->m, out, outer_loop(r, &b));
    ir_append(r->m, out, join(r, &b));
}

static void reduce_block(reducer *r, ir_block *b)
{
    ir_block out = {0};
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        bool parallel = n->op == IR_PARALLEL_FOR;
        bool reduces = parallel && n->loop->reductions.n > 0;
        r->depth += parallel;
        if (n->body) reduce_block(r, n->body);
        if (n->orelse) reduce_block(r, n->orelse);
        r->depth -= parallel;
        if (reduces) r->changed = true;
        if (reduces && r->depth == 0 && n->loop->reductions.n <= COUNT_OF(((blocks *)0)->acc)) {
            reduce_loop(r, &out, n);
            continue;
        }
        if (reduces) pass_make_serial(n);
        ir_append(r->m, &out, n);
    }
    *b = out;
}

bool pass_reduce(pass_context *cx, ir_module *m)
{
    bool changed = false;
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        reducer r = {.m = m, .f = m->funcs.at[i], .precise = cx->precise, .in_order = cx->in_order};
        if (r.f->body) reduce_block(&r, r.f->body);
        changed = changed || r.changed;
    }
    return changed;
}

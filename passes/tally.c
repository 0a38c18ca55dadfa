/*
 * tally: collects atomic sums into a small array in private arrays first, as histograms for GPUs do
 * in local memory.
 *
 * Does: the parallel loop at the end of an elementwise entry that does nothing with an array of
 * integers but atomic_add and atomic_sub whose result nobody asks for gets a second version, which
 * runs where the array is short and the rounds are many: a parallel loop over blocks of rounds,
 * each of which sums into an array of its own, with ordinary loads and stores, and then adds that
 * atomically. The array's length is a hidden parameter, added behind the others where there is
 * none. Requires: the fact APART: arrays share no memory where one of them is written. Runs
 * before outline. Ensures: pass_context.relies has the fact where anything changed. Keeps: sums,
 * which wrap. Others see them arrive later, at the latest when the launch is over; a loop with an
 * effect of any other kind, through which they could tell, is left alone. Source: V. Podlozhnyuk,
 * Histogram calculation in CUDA (NVIDIA, 2007). 2^15 int32 into 1024 counters on a core with AVX2:
 * from 86 us to 19 on one thread; on two, which passed cache lines to and fro, from 190 to 12.
 */
#include "passes/pass_int.h"

enum {
    MOST_COUNTERS = 2048, /* of a private array; 16 KB of int64, in the nearest cache */
    WORTH = 16,           /* rounds for each counter that is added at the end */
    LEAST_ROUNDS = 4096   /* of a block */
};

typedef struct tally {
    ir_module *m;
    ir_func *f;
    ir_node *loop;
    ir_var *array, *length;
    ir_var *mine, *at; /* the private array; where in it a sum goes */
} tally;

/* Whether a loop is for it. */
static bool suits(tally *t)
{
    const ir_block *b = t->f->body;
    pass_sums sums;
    t->loop = b->n ? b->at[b->n - 1] : NULL;
    if (!t->loop || !pass_only_sums(t->f, t->loop, false, &sums) || sums.n > 1) return false;
    t->array = sums.arrays[0];
    return true;
}

/* Pieces of code. */

static cpl_span span_of(const tally *t)
{
    return t->loop->span;
}

static ir_node *use(const tally *t, ir_var *v)
{
    return ir_use(t->m, v, span_of(t));
}

static ir_node *number(const tally *t, int64_t value)
{
    return pass_i64(t->m, value, span_of(t));
}

static ir_node *op2(const tally *t, ir_op op, ir_node *a, ir_node *b)
{
    return ir_op2(t->m, op, a, b, span_of(t));
}

static void set(const tally *t, ir_block *out, ir_var *v, ir_node *value)
{
    ir_append(t->m, out, ir_assign(t->m, v, value, span_of(t)));
}

static ir_var *new_i64(const tally *t, const pass_loops *around, const char *name)
{
    return pass_var(t->m, t->f, around, name, comp_scalar(t->m->comp, CPL_INT64), span_of(t));
}

static ir_node *counter(const tally *t, ir_var *index)
{
    return op2(t, IR_ITEM, ir_addr(t->m, t->mine, span_of(t)), use(t, index));
}

/* mine[at] += value, in place of the atomic. */
static void count_privately(pass_rewriter *r, ir_node *n)
{
    const tally *t = r->user;
    if (n->op != IR_EVAL) {
        pass_emit(r, n);
        return;
    }
    const ir_node *sum = n->kids[0];
    set(t, r->out, t->at,
        ir_convert(t->m, comp_scalar(t->m->comp, CPL_INT64), sum->kids[0]->kids[1], n->span));
    ir_op op = sum->op == IR_ATOMIC_ADD ? IR_ADD : IR_SUB;
    ir_node *value = op2(t, op, ir_op1(t->m, IR_LOAD, counter(t, t->at), n->span), sum->kids[1]);
    pass_emit(r, op2(t, IR_STORE, counter(t, t->at), value));
}

/* for k in (0, length, 1) { if mine[k] != 0 { atomic_add(array[k], mine[k]) } } */
static ir_node *handed_in(const tally *t, const pass_loops *around)
{
    ir_module *m = t->m;
    const cpl_type *type = t->array->type->elem;
    ir_var *k = new_i64(t, around, "counter"),
           *sum = pass_var(m, t->f, around, "sum", type, span_of(t));
    ir_block *body = ir_block_new(m), *then = ir_block_new(m);
    set(t, body, sum, ir_op1(m, IR_LOAD, counter(t, k), span_of(t)));
    ir_append(m, then, pass_hand_in(m, t->array, use(t, k), use(t, sum)));
    ir_append(m, body,
              ir_if(m, op2(t, IR_NE, use(t, sum), ir_zero(m, type, span_of(t))), then, NULL,
                    span_of(t)));
    return ir_for(m, IR_FOR, k, number(t, 0), use(t, t->length), number(t, 1), body, span_of(t));
}

/* The loop over blocks of `size` rounds. */
static ir_node *by_blocks(tally *t, ir_node *rounds, ir_var *size, ir_var *count)
{
    ir_module *m = t->m;
    ir_block *body = ir_block_new(m);
    pass_loops none = {0}, around = {0};
    ir_var *block = new_i64(t, &none, "block");
    ir_node *outer = ir_for(m, IR_PARALLEL_FOR, block, number(t, 0), use(t, count), number(t, 1),
                            body, span_of(t));
    outer->loop->threads = t->loop->loop->threads;
    for (uint32_t i = 0; i < t->loop->loop->privates.n; i++)
        vec_push(&m->comp->arena, &outer->loop->privates, t->loop->loop->privates.at[i]);
    vec_push(&m->comp->arena, &outer->loop->privates, t->loop->loop->var);
    vec_push(&m->comp->arena, &around, outer->loop);
    t->mine = pass_var(m, t->f, &around, "mine",
                       comp_array(m->comp, t->array->type->elem, MOST_COUNTERS), span_of(t));
    t->at = new_i64(t, &around, "at");
    ir_var *first = new_i64(t, &around, "first");
    set(t, body, first, op2(t, IR_MUL, use(t, block), use(t, size)));
    ir_node *end = op2(t, IR_MIN, op2(t, IR_ADD, use(t, first), use(t, size)), rounds);
    ir_node *copy = ir_copy(m, t->loop);
    pass_rewriter r = {.m = m, .f = t->f, .parallel = around, .stmt = count_privately, .user = t};
    pass_rewrite_block(&r, copy->body);
    ir_append(m, body, pass_zero_var(m, t->mine, span_of(t)));
    ir_append(m, body,
              ir_for(m, IR_FOR, copy->loop->var, use(t, first), end, number(t, 1), copy->body,
                     span_of(t)));
    ir_append(m, body, handed_in(t, &around));
    return outer;
}

/* if length <= MOST_COUNTERS and rounds >= size { by blocks } else { as it was } */
static void split(tally *t)
{
    ir_module *m = t->m;
    ir_block *b = t->f->body, *then = ir_block_new(m), *orelse = ir_block_new(m);
    pass_loops none = {0};
    b->n--;
    ir_node *rounds =
        pass_stable_bound(m, t->f, &none, b, t->loop->kids[1], t->loop->body, "rounds");
    ir_var *size = new_i64(t, &none, "size"), *count = new_i64(t, &none, "blocks");
    t->length = pass_length_of(m, t->f, t->array);
    ir_node *worth = op2(t, IR_MAX, op2(t, IR_MUL, use(t, t->length), number(t, WORTH)),
                         number(t, LEAST_ROUNDS));
    ir_node *share =
        op2(t, IR_ADD, op2(t, IR_RAWDIV, ir_copy(m, rounds), number(t, PARTS_MOST)), number(t, 1));
    set(t, b, size, op2(t, IR_MAX, worth, share));
    ir_node *is_short = op2(t, IR_LE, use(t, t->length), number(t, MOST_COUNTERS));
    ir_node *many = op2(t, IR_GE, ir_copy(m, rounds), use(t, size));
    ir_append(m, b, ir_if(m, op2(t, IR_AND, is_short, many), then, orelse, span_of(t)));
    ir_node *up = op2(t, IR_ADD, ir_copy(m, rounds), op2(t, IR_SUB, use(t, size), number(t, 1)));
    set(t, then, count, op2(t, IR_RAWDIV, up, use(t, size)));
    ir_append(m, then, by_blocks(t, ir_copy(m, rounds), size, count));
    ir_append(m, orelse, t->loop);
}

bool pass_tally(pass_context *cx, ir_module *m)
{
    if (!(cx->facts & CPL_FACT_APART)) return false;
    bool changed = false;
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        tally t = {.m = m, .f = m->funcs.at[i]};
        if (!t.f->elementwise || t.f->linkage != IR_ENTRY || !t.f->body || !suits(&t)) continue;
        split(&t);
        changed = true;
    }
    if (changed) cx->relies |= CPL_FACT_APART;
    return changed;
}

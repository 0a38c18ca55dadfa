/*
 * The one model of cost: what op.def and cost.def say of an op, and what that makes of a body. Who
 * decides by it (how many rounds are worth threads, whether lanes pay, whether quick code does,
 * what a work-item of a GPU takes) has a threshold of its own, in the units of the table.
 */
#include "lib/ir/ir.h"

#include <math.h>

typedef enum cost_type { FLOAT64, FLOAT32, INT64, UINT64, INT32, TYPE_COUNT } cost_type;

static const ir_cost costs[IR_COST_COUNT][TYPE_COUNT] = {
#define COST(class, type, one, side, lane, chain, chain_side, device)                              \
    [IR_COST_##class][type] = {one, side, lane, chain, chain_side, device},
#include "lib/ir/cost.def"
};

static cost_type type_class(const cpl_type *t)
{
    if (type_is_float(t)) return type_bits(t) == 64 ? FLOAT64 : FLOAT32;
    if (type_is_pointer(t)) return UINT64;
    if (!type_is_int(t) || type_bits(t) < 64) return INT32;
    return type_is_signed(t) ? INT64 : UINT64;
}

const ir_cost *ir_class_cost(ir_cost_class class_, const cpl_type *operand)
{
    return &costs[class_][type_class(operand)];
}

static bool is_wide_int(const cpl_type *t)
{
    return type_is_int(t) && type_bits(t) == 64;
}

/* The class, where constants or a second type decide. */
static ir_cost_class class_of(const ir_node *n)
{
    ir_cost_class class_ = ir_ops[n->op].cost;
    if (class_ == IR_COST_QUOTIENT && ir_is_const(n->kids[1])) return IR_COST_SCALE;
    if (class_ != IR_COST_CONVERT) return class_;
    const cpl_type *from = n->kids[0]->type;
    bool wide = is_wide_int(from) || is_wide_int(n->type);
    return wide && type_is_float(from) != type_is_float(n->type) ? IR_COST_CONVERT64 : class_;
}

const ir_cost *ir_op_cost(const ir_node *n)
{
    return ir_class_cost(class_of(n), n->kid_count ? n->kids[0]->type : n->type);
}

bool ir_constant_rounds(const ir_node *n, double *rounds)
{
    int64_t start, stop, step;
    if (n->op != IR_FOR || !ir_is_int_const(n->kids[0], &start) ||
        !ir_is_int_const(n->kids[1], &stop) || !ir_is_int_const(n->kids[2], &step))
        return false;
    *rounds = step ? ceil(((double)stop - (double)start) / (double)step) : 0;
    if (*rounds < 0) *rounds = 0;
    return true;
}

typedef struct estimate {
    const ir_guess *guess;
    double cost, weight; /* weight: how often the node at hand is evaluated */
    uint32_t calls;      /* around it */
} estimate;

static bool add_node(void *user, ir_node *n);

static void add_block(const estimate *around, double weight, uint32_t calls, double *cost,
                      ir_block *b)
{
    estimate inner = {around->guess, *cost, weight, calls};
    if (inner.weight > around->guess->most) inner.weight = around->guess->most;
    ir_walk_block(b, add_node, &inner);
    *cost = inner.cost;
}

static double rounds_of(const estimate *e, const ir_node *n)
{
    double rounds;
    /* in one piece of them, where they come in pieces */
    bool dealt_out = n->op != IR_WHILE && n->loop->independent && !n->loop->reductions.n;
    if (dealt_out || (n->op != IR_WHILE && ir_rounds(n->body))) return 1;
    return ir_constant_rounds(n, &rounds) ? rounds : e->guess->rounds;
}

static bool add_node(void *user, ir_node *n)
{
    estimate *e = user;
    if (e->cost > e->guess->most) return false;
    double rounds = ir_ops[n->op].cost == IR_COST_ROUND ? rounds_of(e, n) : 1;
    e->cost += e->weight * rounds * ir_op_cost(n)->one + e->weight * e->guess->node;
    if (n->op == IR_CALL || n->op == IR_FORK) {
        if (!n->func->body) e->cost += e->weight * e->guess->call;
        else if (e->calls == e->guess->calls) e->cost = e->guess->most + 1; /* perhaps it recurs */
        else add_block(e, e->weight, e->calls + 1, &e->cost, n->func->body);
    }
    if (ir_ops[n->op].cost != IR_COST_ROUND) return true;
    /* a while loop's condition is evaluated in each round */
    double each = n->op == IR_WHILE ? e->weight * rounds : e->weight;
    estimate operands = {e->guess, e->cost, each, e->calls};
    for (uint32_t i = 0; i < n->kid_count; i++) ir_walk(n->kids[i], add_node, &operands);
    e->cost = operands.cost;
    add_block(e, e->weight * rounds, e->calls, &e->cost, n->body);
    return false;
}

double ir_block_cost(const ir_block *b, const ir_guess *guess)
{
    estimate e = {guess, 0, 1, 0};
    for (uint32_t i = 0; i < b->n; i++) ir_walk(b->at[i], add_node, &e);
    return e.cost;
}

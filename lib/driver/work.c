/*
 * How much work a launch is, roughly: IR nodes that quick, unoptimised code evaluates. It decides
 * whether quick code does for a launch; an error costs time, nothing else.
 */
#include "lib/driver/internal.h"

/*
 * Unoptimised code takes about a nanosecond for a node, so that this is a millisecond or two: a
 * fraction of what making optimised code takes.
 */
enum { QUICK_BUDGET = 1 << 20, UNKNOWN_ROUNDS = 64, MATH_COST = 20, MOST_CALLS = 16 };

typedef struct estimate {
    uint64_t cost, weight; /* weight: how often the node at hand is evaluated */
    int calls;             /* around it */
} estimate;

static uint64_t capped(uint64_t cost)
{
    return cost < QUICK_BUDGET ? cost : QUICK_BUDGET + 1;
}

static uint64_t rounds_of(const ir_node *n)
{
    int64_t start, stop, step;
    /* one round of the launch's own loop */
    if (n->op != IR_FOR || n->loop->independent) return n->op == IR_FOR ? 1 : UNKNOWN_ROUNDS;
    if (!ir_is_int_const(n->kids[0], &start) || !ir_is_int_const(n->kids[1], &stop) ||
        !ir_is_int_const(n->kids[2], &step))
        return UNKNOWN_ROUNDS;
    /* not finite for step 0: counts as many */
    double rounds = ((double)stop - (double)start) / (double)step;
    return rounds < 1 ? 1 : rounds < QUICK_BUDGET ? (uint64_t)rounds : QUICK_BUDGET;
}

static bool add(void *user, ir_node *n)
{
    estimate *e = user;
    e->cost = capped(e->cost + e->weight * (ir_op_kind(n->op) == IR_KIND_MATH ? MATH_COST : 1));
    bool calls = n->op == IR_CALL || n->op == IR_FORK;
    if (calls && n->func->body) {
        if (++e->calls > MOST_CALLS) e->cost = QUICK_BUDGET + 1; /* recursion, perhaps */
        else ir_walk_block(n->func->body, add, e);
        e->calls--;
    }
    if (n->op != IR_FOR && n->op != IR_WHILE) return true;
    estimate inner = {0, capped(e->weight * rounds_of(n)), e->calls};
    for (uint32_t i = 0; i < n->kid_count; i++) ir_walk(n->kids[i], add, e);
    ir_walk_block(n->body, add, &inner);
    e->cost = capped(e->cost + inner.cost);
    return false;
}

int64_t work_quick_rounds(ir_module *m)
{
    estimate e = {1, 1, 0};
    ir_walk_block(ir_entry(m)->body, add, &e);
    return QUICK_BUDGET / (int64_t)e.cost;
}

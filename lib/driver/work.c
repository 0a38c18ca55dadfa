/*
 * How much work a launch is, roughly. It decides whether quick, unoptimised code does for a launch;
 * an error costs time, nothing else.
 */
#include "lib/driver/internal.h"

/*
 * In micro-operations of the cost model. Unoptimised code takes about a nanosecond for a node,
 * which counts as two of them here; so the budget is two milliseconds or four, a fraction of what
 * making optimised code takes.
 */
enum { QUICK_BUDGET = 1 << 22, QUICK_NODE = 2 };

/* A few microseconds of optimised code. */
enum { SHORT_BUDGET = 1 << 14 };

static int64_t rounds_within(ir_module *m, const ir_guess *guess)
{
    double cost = ir_block_cost(ir_entry(m)->body, guess);
    return (int64_t)(guess->most / (cost > 1 ? cost : 1));
}

/* What nobody knows the length of may take any time. */
int64_t work_short_rounds(ir_module *m)
{
    static const ir_guess guess = {.rounds = SHORT_BUDGET + 1,
                                   .call = SHORT_BUDGET + 1,
                                   .calls = 16,
                                   .most = SHORT_BUDGET};
    return rounds_within(m, &guess);
}

int64_t work_quick_rounds(ir_module *m)
{
    static const ir_guess guess = {
        .rounds = 64, .call = 1, .node = QUICK_NODE, .calls = 16, .most = QUICK_BUDGET};
    return rounds_within(m, &guess);
}

/* Where it runs matters for loops that are long. */
double work_of_round(ir_module *m, double rounds)
{
    const ir_guess guess = {.rounds = rounds, .call = 1, .calls = 16, .most = 1e15};
    return ir_block_cost(ir_entry(m)->body, &guess);
}

typedef struct nest {
    uint32_t depth, calls; /* around the node at hand */
    uint32_t most;
} nest;

static bool enter(void *user, ir_node *n)
{
    enum { MOST_CALLS = 16 }; /* perhaps it recurs */
    nest *e = user;
    bool loop = ir_ops[n->op].cost == IR_COST_ROUND, call = n->op == IR_CALL && n->func->body;
    if (!loop && (!call || e->calls == MOST_CALLS)) return true;
    nest inner = {e->depth + loop, e->calls + call, e->most};
    if (inner.depth > inner.most) inner.most = inner.depth;
    ir_walk_block(loop ? n->body : n->func->body, enter, &inner);
    e->most = inner.most;
    return false;
}

uint32_t work_nesting(ir_module *m)
{
    nest e = {0};
    ir_walk_block(ir_entry(m)->body, enter, &e);
    return e.most;
}

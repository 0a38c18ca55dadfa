/*
 * How much work a launch is, roughly. It decides whether quick, unoptimised code does for a launch;
 * an error costs time, nothing else.
 */
#include "lib/driver/internal.h"

/*
 * In micro-operations of the cost model. Unoptimised code takes about a nanosecond for a node,
 * which counts as two of them here; so the budget is a millisecond or two, a fraction of what
 * making optimised code takes.
 */
enum { QUICK_BUDGET = 1 << 21, QUICK_NODE = 2 };

int64_t work_quick_rounds(ir_module *m)
{
    static const ir_guess guess = {
        .rounds = 64, .call = 1, .node = QUICK_NODE, .calls = 16, .most = QUICK_BUDGET};
    double cost = ir_block_cost(ir_entry(m)->body, &guess);
    return (int64_t)(QUICK_BUDGET / (cost > 1 ? cost : 1));
}

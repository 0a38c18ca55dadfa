/*
 * How wide vectors pay. Vectors of 512 bits divide and take roots no faster than two of 256, and
 * keep other work from the port that does; where that decides, the narrower ones are used. Measured
 * on a Xeon of 2023 (Emerald Rapids), time with 512 bits over that with 256: 20 Newton steps of a
 * root, float32 1.11 and float64 1.02, sums of vortices of float32 1.03 with a thread a core, 1.3
 * with two; quotients of polynomials of degree 15 0.66, x^a*log(x+1) 0.75.
 */
#include "lib/codegen/gen_int.h"

enum {
    WIDE = 512,
    NARROW = 256,
    ROUNDS = 8 /* of a loop that does not say how many */
};

static const double BESIDE = 1.25; /* other work that hides behind divisions, at most */

typedef struct need {
    double divisions, others, weight; /* in the cost model's unit; weight: of the node at hand */
    bool functions;                   /* of mathematics, which gain from width */
} need;

static bool divides(const ir_node *n)
{
    ir_cost_class class_ = ir_ops[n->op].cost;
    return (class_ == IR_COST_DIVIDE || class_ == IR_COST_ROOT) && type_is_float(n->type);
}

static bool add_node(void *user, ir_node *n)
{
    need *e = user;
    if (divides(n)) e->divisions += e->weight * ir_op_cost(n)->side;
    else e->others += e->weight * ir_op_cost(n)->side;
    e->functions |= ir_op_kind(n->op) == IR_KIND_MATH;
    if (!n->loop && n->op != IR_WHILE) return true;
    for (uint32_t i = 0; i < n->kid_count; i++) ir_walk(n->kids[i], add_node, e);
    double rounds = ROUNDS;
    ir_constant_rounds(n, &rounds);
    need body = *e;
    body.weight *= rounds;
    if (n->body) ir_walk_block(n->body, add_node, &body);
    body.weight = e->weight;
    *e = body;
    return false;
}

int gen_vector_bits(const ir_module *m, int cpu_bits)
{
    need e = {.weight = 1};
    if (cpu_bits < WIDE) return cpu_bits;
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (m->funcs.at[i]->body) ir_walk_block(m->funcs.at[i]->body, add_node, &e);
    return !e.functions && e.others < BESIDE * e.divisions ? NARROW : cpu_bits;
}

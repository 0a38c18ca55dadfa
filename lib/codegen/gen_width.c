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

/* other work that hides behind divisions, and what does when they are estimated, at most */
static const double BESIDE = 1.25, FEW = 1.0;

typedef struct need {
    double divisions, others, weight; /* in the cost model's unit; weight: of the node at hand */
    bool functions;                   /* of mathematics, which gain from width */
    bool roots;                       /* of float32, which the CPU estimates */
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
    e->roots |= ir_ops[n->op].cost == IR_COST_ROOT && type_is(n->type, CPL_FLOAT32);
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

/*
 * The CPU's estimates pay where roots are: quotients alone gain less, and a chain of them, as
 * Newton's steps are one, loses: 20 of float32 took 1.7 times as long on a core with AVX2, where
 * x/sqrt(x*x + 1) took 0.55.
 */
void gen_choose_width(gen *g, const ir_func *f)
{
    int widest = g->options->vector_bits;
    need e = {.weight = 1};
    g->vector_bits = widest;
    g->fast &= (LLVMFastMathFlags)~LLVMFastMathAllowReciprocal;
    if (!f->body || gen_is_device(g)) return;
    ir_walk_block(f->body, add_node, &e);
    if (e.functions) return;
    if (widest == WIDE && e.others < BESIDE * e.divisions) g->vector_bits = NARROW;
    if (gen_is_fast(g->options) && e.roots && e.others < FEW * e.divisions)
        g->fast |= LLVMFastMathAllowReciprocal;
}

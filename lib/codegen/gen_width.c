/*
 * How wide vectors pay, and whether the CPU's estimates do. Vectors of 512 bits divide and take
 * roots no faster than two of 256, and keep other work from the port that does; where that decides,
 * the narrower ones are used. Measured on a Xeon of 2023 (Emerald Rapids), time with 512 bits over
 * that with 256: 20 Newton steps of a root, float32 1.11 and float64 1.02, sums of vortices of
 * float32 1.03 with a thread a core, 1.3 with two; quotients of polynomials of degree 15 0.66,
 * x^a*log(x+1) 0.75.
 *
 * An estimate and a step of Newton's are other work, in as wide vectors as there are. There the
 * same over divisions of 256 bits: quotients 0.53, sums of vortices 0.70, x/sqrt(x*x + 1) 0.28, a
 * sum of gravity 0.35; quotients beside polynomials of degree 5 and 10 0.80 and 0.83, which
 * divisions of 512 bits have too. With AVX2 0.58, 0.85, 0.40, 0.45; 1.03 and 1.2. But a chain of
 * quotients, as Newton's steps for a root are one, takes 1.1 and 1.4 times as long: each waits for
 * the one before. AMD's divider is faster: on a Zen 3 0.98, 1.29, 0.67, 0.56, so that there, and in
 * code for any CPU with AVX2, roots alone decide. On a Zen 5 it is as wide as the rest is: 512 bits
 * take half the time of 256 in Newton's steps, roots, quotients and vortices of both types.
 */
#include "lib/codegen/gen_int.h"

enum {
    WIDE = 512,
    NARROW = 256,
    ROUNDS = 8,     /* of a loop that does not say how many */
    MOST_MADE = 32, /* variables of quotients; a function with more has a chain */
};

/* other work that hides behind divisions, and behind estimates in wide vectors, at most */
static const double BESIDE = 1.25, BESIDE_WIDE = 1.5;

typedef struct need {
    double divisions, others, weight; /* in the cost model's unit; weight: of the node at hand */
    double singles;                   /* of the divisions those of float32 */
    bool functions;                   /* of mathematics, which gain from width */
    bool roots;                       /* of float32 */
} need;

static bool divides(const ir_node *n)
{
    ir_cost_class class_ = ir_ops[n->op].cost;
    return (class_ == IR_COST_DIVIDE || class_ == IR_COST_ROOT) && type_is_float(n->type);
}

static bool add_node(void *user, ir_node *n)
{
    need *e = user;
    double cost = e->weight * ir_op_cost(n)->side;
    bool divided = divides(n), single = divided && type_is(n->type, CPL_FLOAT32);
    *(divided ? &e->divisions : &e->others) += cost;
    if (single) e->singles += cost;
    e->roots |= single && ir_ops[n->op].cost == IR_COST_ROOT;
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

/* --- whether a quotient is made of another one --- */

typedef struct chain {
    const ir_var *made[MOST_MADE]; /* of quotients */
    size_t count;
    bool has_quotient; /* what is walked has, or reads such a variable */
    bool found;
} chain;

static bool is_made(const chain *c, const ir_var *v)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->made[i] == v) return true;
    return false;
}

static bool see_quotient(void *user, ir_node *n)
{
    chain *c = user;
    c->has_quotient |= divides(n) || (n->op == IR_VAR && is_made(c, n->var));
    return true;
}

static bool has_quotient(chain *c, ir_node *n)
{
    c->has_quotient = false;
    ir_walk(n, see_quotient, c);
    return c->has_quotient;
}

static bool see_chain(void *user, ir_node *n)
{
    chain *c = user;
    for (uint32_t i = 0; divides(n) && i < n->kid_count; i++)
        c->found |= has_quotient(c, n->kids[i]);
    if (n->op != IR_ASSIGN || is_made(c, n->var) || !has_quotient(c, n->kids[0])) return true;
    if (c->count < MOST_MADE) c->made[c->count++] = n->var;
    else c->found = true;
    return true;
}

/* Through memory as well there may be one, which is not looked for. */
static bool has_chain(const ir_func *f)
{
    chain c = {.count = 0};
    size_t before;
    do {
        before = c.count;
        ir_walk_block(f->body, see_chain, &c);
    } while (!c.found && c.count > before);
    return c.found;
}

/* --- both --- */

static bool estimates_pay(const gen *g, const need *e, const ir_func *f)
{
    bool wide = g->options->vector_bits == WIDE;
    double others = e->others + (e->divisions - e->singles);
    if (others >= (wide ? BESIDE_WIDE : BESIDE) * e->singles) return false;
    return e->roots || (g->options->divides_slowly && !has_chain(f));
}

void gen_choose_width(gen *g, const ir_func *f)
{
    need e = {.weight = 1};
    g->vector_bits = g->options->vector_bits;
    g->fast &= (LLVMFastMathFlags)~LLVMFastMathAllowReciprocal;
    if (!f->body || gen_is_device(g)) return;
    ir_walk_block(f->body, add_node, &e);
    if (e.functions) return;
    if (gen_is_fast(g->options) && estimates_pay(g, &e, f)) g->fast |= LLVMFastMathAllowReciprocal;
    else if (g->options->divides_slowly && g->options->vector_bits == WIDE &&
             e.others < BESIDE * e.divisions)
        g->vector_bits = NARROW;
}

/*
 * Whether rounds side by side pay: an estimate of both ways in micro-operations, construct by
 * construct. What ops cost the cost model says (lib/ir/cost.def); what a construct adds comes from
 * timings of kernels with gathers, divergent loops and long chains. What counts is on which side of
 * LEAST_GAIN the ratio lies.
 */
#include "lib/codegen/gen_simd.h"

enum {
    UNKNOWN = 1 << 20, /* a step that is no small constant */
    ROUNDS = 16,       /* of a loop that does not tell */
    MOST_ROUNDS = 64,
    /* rounds past which the next round of the outer loop does not overlap any more */
    LONG_LOOP = 32,
    FEW_ROUNDS = 8, /* a loop of constant bounds that is unrolled */
    PER_CYCLE = 4,
    CALL_LANE = 2,     /* taking a lane out for a call, and putting it back */
    STEPPED = 60,      /* a quotient whose dividend goes up in steps: counted along, not divided */
    SURPRISE = 8,      /* half of the times a branch was not foreseen */
    MASKS = 6,         /* of an if or a round where lanes part */
    STRAIGHT_GAIN = 3, /* LLVM's vectoriser makes so many lanes a third as dear */
};
static const double least_gain = 1.1;
/* Lanes at work: of a loop that ends when data says so, and of one that lanes leave by a count. */
static const double data_use = 0.55, count_use = 0.65;

typedef struct cost {
    double scalar, vector; /* micro-operations: of one round, and of W side by side */
} cost;

typedef struct costs {
    simd_plan *p;
    const ir_var *counter; /* of the innermost loop, if it is a for */
    bool carried_float;    /* in it: a chain of float operations from round to round */
    bool fixed;            /* it runs a few rounds, as the source says */
    bool in_order;         /* every access of it goes along with the counter or is gathered */
    double gathered;       /* what the CPU's own gathers take, of loads at places that data says */
    /* by varying or unknown numbers of at most 32 bits, which LLVM's vectoriser does one by one */
    bool divides;
    /* cycles of the longest chain from round to round, of one round and of lanes */
    int chain[2];
} costs;

static cost block_cost(costs *k, simd_region *r);

static int64_t bounded(int64_t step)
{
    return step > -UNKNOWN && step < UNKNOWN ? step : UNKNOWN;
}

/* By how much an integer expression grows from lane to lane (of == NULL) or from round to round of
 * the loop that counts with `of`. */
static int64_t step_of(const simd_plan *p, const ir_node *n, const ir_var *of)
{
    int64_t a, b, k;
    switch (n->op) {
    case IR_CONST: return 0;
    case IR_VAR: {
        const simd_var *v = p->vars[n->var->index];
        if (of)
            return n->var == of                                 ? 1
                   : v && v->writes && v->place != SIMD_NOWHERE ? v->round_step
                                                                : 0;
        if (n->var == p->loop->loop->var) return 1;
        return !v || !v->varying ? 0 : v->place == SIMD_VALUE ? v->step : UNKNOWN;
    }
    case IR_CONVERT: return step_of(p, n->kids[0], of);
    case IR_ADD:
    case IR_SUB:
        a = step_of(p, n->kids[0], of);
        b = step_of(p, n->kids[1], of);
        return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : bounded(n->op == IR_ADD ? a + b : a - b);
    case IR_MUL:
        a = step_of(p, n->kids[0], of);
        b = step_of(p, n->kids[1], of);
        if (a == 0 && b == 0) return 0;
        if (a != UNKNOWN && b == 0 && ir_is_int_const(n->kids[1], &k))
            return bounded(a * bounded(k));
        if (b != UNKNOWN && a == 0 && ir_is_int_const(n->kids[0], &k))
            return bounded(b * bounded(k));
        return UNKNOWN;
    default:
        for (uint32_t i = 0; i < n->kid_count; i++)
            if (step_of(p, n->kids[i], of)) return UNKNOWN;
        return of || !simd_varies(p, n) ? 0 : UNKNOWN;
    }
}

int64_t simd_step(const simd_plan *p, const ir_node *n)
{
    return step_of(p, n, NULL);
}

/* Registers that W values of a type fill. */
static double registers(const costs *k, const cpl_type *t)
{
    uint32_t bits = type_is_pointer(t) ? 64 : type_is_scalar(t) ? type_bits(t) : 32;
    double n = (double)k->p->lanes * bits / k->p->g->vector_bits;
    return n < 1 ? 1 : n;
}

static double side_of(const costs *k, const ir_cost *c, double registers)
{
    return c->side * registers + c->lane * k->p->lanes;
}

static cost op_cost(costs *k, const ir_node *n)
{
    const ir_cost *c = ir_op_cost(n);
    double r = registers(k, n->kids[0]->type);
    if (ir_op_kind(n->op) == IR_KIND_MATH && !gen_has_variant(k->p->g, n))
        return (cost){c->one, k->p->lanes * (c->one + CALL_LANE)};
    if (ir_op_kind(n->op) == IR_KIND_CONVERT) {
        double to = registers(k, n->type);
        if (to > r) r = to;
    }
    if (ir_ops[n->op].cost == IR_COST_QUOTIENT && !ir_is_const(n->kids[1])) {
        k->divides |= type_bits(n->type) < 64 && simd_varies(k->p, n);
        if (step_of(k->p, n->kids[0], NULL) != UNKNOWN && !simd_varies(k->p, n->kids[1]))
            return (cost){c->one, STEPPED};
    }
    return (cost){c->one, side_of(k, c, r)};
}

static bool gathers(const simd_plan *p)
{
    return p->g->options->vector_bits >= GEN_HAS_MASKS && !p->g->options->no_gathers;
}

/* An access at a place that does not go along with the counter. */
static void note_gather(costs *k, const cpl_type *t, bool loads)
{
    if (loads && gathers(k->p)) k->gathered += ir_class_cost(IR_COST_GATHER512, t)->lane;
    else k->in_order = false;
}

/* A load or store at a varying address: every lane passes its own through the integer unit, unless
 * the CPU gathers by itself. */
static cost access_cost(costs *k, const ir_node *pointer, bool loads)
{
    const simd_plan *p = k->p;
    const cpl_type *t = pointer->type->elem;
    const ir_cost *row = ir_class_cost(IR_COST_ACCESS, t);
    double one = row->one, side = side_of(k, row, registers(k, t));
    bool own = simd_is_private(p, pointer);
    if (pointer->op == IR_ELEM && !own) {
        int64_t lanes = step_of(p, pointer->kids[1], NULL);
        int64_t rounds = k->counter ? step_of(p, pointer->kids[1], k->counter) : UNKNOWN;
        if (rounds < -1 || rounds > 1) note_gather(k, t, loads);
        if (lanes == 1) return (cost){one, side};
    } else if (own && pointer->op == IR_ITEM && !simd_varies(p, pointer->kids[1])) {
        /* in registers, once the loops are unrolled */
        return k->fixed ? (cost){0, 0} : (cost){one, registers(k, t)};
    } else {
        k->in_order = false;
        bool row_of = pointer->op == IR_ITEM && !own && !simd_varies(p, pointer->kids[0]);
        if (row_of && step_of(p, pointer->kids[1], NULL) == 1) return (cost){one, side};
    }
    if (!simd_varies(p, pointer)) return (cost){one, one};
    row = ir_class_cost(gathers(p) ? IR_COST_GATHER512 : IR_COST_GATHER, t);
    return (cost){one, side_of(k, row, registers(k, t))};
}

static cost add(cost a, cost b)
{
    return (cost){a.scalar + b.scalar, a.vector + b.vector};
}

static cost expr_cost(costs *k, const ir_node *n)
{
    cost c = {0, 0};
    if (n->op == IR_LOAD) {
        c = access_cost(k, n->kids[0], true);
    } else if (ir_ops[n->op].cost != IR_COST_FREE) {
        /* an integer that goes up in steps is part of an address */
        bool own = step_of(k->p, n, NULL) == UNKNOWN || !type_is_int(n->type);
        if (ir_ops[n->op].class_ == IR_CLASS_EFFECT)
            c = (cost){ir_op_cost(n)->one, side_of(k, ir_op_cost(n), 0)};
        else if (own) c = op_cost(k, n);
        if (!simd_varies(k->p, n)) c.vector = c.scalar;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) c = add(c, expr_cost(k, n->kids[i]));
    return c;
}

/* Chains: the latency of a value, in cycles, from the values that the round began with; -1 when it
 * does not depend on them. */

static int latency_of(const costs *k, const ir_node *n, bool lanes)
{
    const ir_cost *c = ir_op_cost(n);
    if (n->op == IR_LOAD && lanes && simd_varies(k->p, n) && !simd_is_private(k->p, n->kids[0]))
        c = ir_class_cost(IR_COST_GATHER, n->type);
    return (int)(lanes ? c->chain_side : c->chain);
}

static int latency(const costs *k, const ir_node *n, bool lanes)
{
    int longest = -1;
    if (n->op == IR_VAR) {
        const simd_var *v = k->p->vars[n->var->index];
        return v ? v->latency[lanes] : -1;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        int l = latency(k, n->kids[i], lanes);
        if (l > longest) longest = l;
    }
    return longest < 0 ? -1 : longest + latency_of(k, n, lanes);
}

static int later(int a, int b)
{
    return a > b ? a : b;
}

static void follow(costs *k, simd_region *r, const int condition[2]);

/* Both sides begin with the same values; what one of them makes late is late. */
static void follow_sides(costs *k, const simd_construct *c, const int condition[2])
{
    uint32_t n = k->p->all.n;
    int (*before)[2] = arena_array(&k->p->g->c->arena, n, sizeof *before);
    for (uint32_t i = 0; i < n; i++) memcpy(before[i], k->p->all.at[i]->latency, sizeof *before);
    follow(k, c->body, condition);
    if (!c->orelse) return;
    for (uint32_t i = 0; i < n; i++) {
        int then[2];
        memcpy(then, k->p->all.at[i]->latency, sizeof then);
        memcpy(k->p->all.at[i]->latency, before[i], sizeof then);
        memcpy(before[i], then, sizeof then);
    }
    follow(k, c->orelse, condition);
    for (uint32_t i = 0; i < n; i++)
        for (int lanes = 0; lanes < 2; lanes++)
            k->p->all.at[i]->latency[lanes] =
                later(k->p->all.at[i]->latency[lanes], before[i][lanes]);
}

static void follow(costs *k, simd_region *r, const int condition[2])
{
    uint32_t j = 0;
    for (uint32_t i = 0; i < r->block->n; i++) {
        const ir_node *n = r->block->at[i];
        if (n->op == IR_ASSIGN) {
            simd_var *v = k->p->vars[n->var->index];
            for (int lanes = 0; lanes < 2; lanes++) {
                int l = latency(k, n->kids[0], lanes);
                if (condition[lanes] >= 0) l = later(l, condition[lanes]) + (lanes ? 3 : 1);
                v->latency[lanes] = l;
                if (v->carried) k->chain[lanes] = later(k->chain[lanes], l);
            }
            /* what the loop combines in any order LLVM reorders too: gen_stmt.c */
            bool ordered = v->reduces != IR_ADD && v->reduces != IR_MUL;
            if (v->latency[0] > 0 && v->carried && type_is_float(v->var->type) && ordered)
                k->carried_float = true;
        }
        if (n->op != IR_IF && n->op != IR_WHILE && n->op != IR_FOR) continue;
        simd_construct *c = r->constructs.at[j++];
        if (n->op != IR_IF) continue; /* its rounds count for themselves */
        int l[2];
        for (int lanes = 0; lanes < 2; lanes++)
            l[lanes] = later(latency(k, n->kids[0], lanes), condition[lanes]);
        follow_sides(k, c, l);
    }
}

/* What is written in the loop and read in it before, or in its condition. */
static bool is_carried(const simd_var *v, const simd_construct *c)
{
    bool read = false;
    for (uint32_t i = 0; i < v->accesses.n; i++) {
        const simd_access *a = &v->accesses.at[i];
        if (a->order <= c->begin || a->order >= c->end) continue;
        if (!a->write) read = true;
        else if (read) return true;
    }
    return false;
}

static void find_chain(costs *k, simd_construct *c)
{
    k->chain[0] = k->chain[1] = 0;
    k->carried_float = false;
    for (uint32_t i = 0; i < k->p->all.n; i++) {
        simd_var *v = k->p->all.at[i];
        v->carried = is_carried(v, c) && v != c->counter;
        v->latency[0] = v->latency[1] = v->carried ? 0 : -1;
    }
    follow(k, c->body, (const int[2]){-1, -1});
}

static double rounds_of(const ir_node *n, bool *is_known)
{
    double rounds = ROUNDS;
    *is_known = ir_constant_rounds(n, &rounds);
    return rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
}

static double more(double a, double b)
{
    return a > b ? a : b;
}

static cost loop_cost(costs *k, simd_construct *c)
{
    costs outer = *k;
    const ir_node *n = c->n;
    bool known_rounds;
    double rounds = rounds_of(n, &known_rounds);
    bool has_loops = false;
    for (uint32_t i = 0; i < c->body->constructs.n; i++)
        has_loops |= simd_is_loop(c->body->constructs.at[i]);
    simd_enter_loop(k->p, c);
    k->counter = n->op == IR_FOR ? n->loop->var : NULL;
    k->in_order = true;
    k->gathered = 0;
    k->fixed = known_rounds && rounds <= FEW_ROUNDS;
    cost body = n->op == IR_WHILE ? expr_cost(k, n->kids[0]) : (cost){0, 0};
    body = add(body, block_cost(k, c->body));
    find_chain(k, c);
    simd_leave_loop(k->p, c);
    bool diverges = c->varying, data = diverges && (n->op == IR_WHILE || c->breaks);
    bool is_long = n->op == IR_WHILE || (!diverges && (!known_rounds || rounds > LONG_LOOP));
    /* LLVM's own vectoriser takes such loops. */
    bool reorders = (k->p->g->fast & LLVMFastMathAllowReassoc) != 0;
    bool straight =
        n->op == IR_FOR && k->in_order && !c->body->constructs.n && (!k->carried_float || reorders);
    if (straight && !(known_rounds && rounds < FEW_ROUNDS))
        body.scalar = k->gathered + body.scalar / (k->p->lanes / (double)STRAIGHT_GAIN);
    else if (is_long && !has_loops) body.scalar = more(body.scalar, PER_CYCLE * k->chain[0]);
    if (is_long && !has_loops) body.vector = more(body.vector, PER_CYCLE * k->chain[1]);
    const ir_cost *round = ir_op_cost(n);
    body.scalar += round->one;
    body.vector += diverges ? MASKS : round->side;
    double use = data ? data_use : diverges ? count_use : 1;
    *k = outer;
    cost bounds = {0, 0};
    for (uint32_t i = 0; n->op == IR_FOR && i < 3; i++)
        bounds = add(bounds, expr_cost(k, n->kids[i]));
    k->in_order = false;
    return (cost){bounds.scalar + rounds * body.scalar, bounds.vector + rounds * body.vector / use};
}

/* A side is taken half of the time; one time in eight it comes as a surprise. */
static cost if_cost(costs *k, simd_construct *c)
{
    cost sides = block_cost(k, c->body), all = expr_cost(k, c->n->kids[0]);
    if (c->orelse) sides = add(sides, block_cost(k, c->orelse));
    const ir_cost *branch = ir_op_cost(c->n);
    all.scalar += sides.scalar / 2 + (c->varying ? SURPRISE : branch->one);
    all.vector += c->varying ? sides.vector + MASKS : sides.vector / 2 + branch->side;
    return all;
}

static void note_step(costs *k, const ir_node *n)
{
    simd_var *v = k->p->vars[n->var->index];
    bool whole = type_is_int(n->var->type);
    v->step = whole ? step_of(k->p, n->kids[0], NULL) : UNKNOWN;
    v->round_step =
        whole && k->counter && v->writes == 1 ? step_of(k->p, n->kids[0], k->counter) : UNKNOWN;
}

static cost block_cost(costs *k, simd_region *r)
{
    cost sum = {0, 0};
    uint32_t j = 0;
    for (uint32_t i = 0; i < r->block->n; i++) {
        const ir_node *n = r->block->at[i];
        if (n->op == IR_IF) {
            sum = add(sum, if_cost(k, r->constructs.at[j++]));
        } else if (n->op == IR_WHILE || n->op == IR_FOR) {
            sum = add(sum, loop_cost(k, r->constructs.at[j++]));
        } else {
            for (uint32_t q = 0; q < n->kid_count; q++) sum = add(sum, expr_cost(k, n->kids[q]));
            if (n->op == IR_STORE) sum = add(sum, access_cost(k, n->kids[0], false));
            if (n->op == IR_PRINTF)
                sum = add(sum, (cost){ir_op_cost(n)->one, side_of(k, ir_op_cost(n), 0)});
            if (n->op == IR_ASSIGN) note_step(k, n);
        }
    }
    return sum;
}

/* Widths. */

enum { SHORT_LANES = 16 };

static void widen_to(uint32_t *most, const cpl_type *t)
{
    if (type_is_scalar(t) && type_bits(t) > *most) *most = type_bits(t);
}

typedef struct widths {
    uint32_t floats, ints;
} widths;

static bool note_width(void *user, ir_node *n)
{
    widths *w = user;
    if (type_is_float(n->type)) widen_to(&w->floats, n->type);
    const cpl_type *t = n->op == IR_LOAD     ? n->type
                        : n->op == IR_ASSIGN ? n->var->type
                        : n->op == IR_STORE  ? n->kids[1]->type
                                             : NULL;
    if (t && type_is_int(t)) widen_to(&w->ints, t);
    return true;
}

/* A loop over a row of a group's work-items, which begins at the first: dozens of rounds, often 16
 * of them. Those over rounds that were dealt out to threads begin anywhere, and have thousands. */
static bool is_short(const simd_plan *p)
{
    return ir_is_const(p->loop->kids[0]);
}

static bool has_loops(const simd_plan *p)
{
    bool loops = false;
    for (uint32_t i = 0; i < p->constructs.n; i++) loops |= simd_is_loop(p->constructs.at[i]);
    return loops;
}

/* What LLVM's vectoriser leaves as one chain, in the order of rounds: sums of floats, minima of
 * them, and reductions under a condition but for the plainest. */
static bool is_chain(const simd_plan *p)
{
    const ir_loop *l = p->loop->loop;
    bool floats = false;
    for (uint32_t i = 0; i < l->reductions.n; i++)
        floats |= type_is_float(l->reductions.at[i].var->type);
    return l->reductions.n && !has_loops(p) && (floats || p->constructs.n);
}

/* Two registers of the widest type hide latencies, four that of a chain through all rounds, if
 * there are rounds enough; masks of bytes would be dear, so that integers count as 32 bits at
 * least. */
void simd_choose_lanes(simd_plan *p)
{
    widths w = {0, 0};
    ir_walk_block(p->loop->body, note_width, &w);
    p->data_bits = w.floats ? w.floats : w.ints;
    if (p->data_bits < 32) p->data_bits = 32;
    enum { SMALL_BODY = 32 }; /* IR nodes: what leaves room for more */
    unsigned registers = is_chain(p) && p->ops <= SMALL_BODY ? 4 : 2;
    p->lanes = registers * (unsigned)p->g->vector_bits / p->data_bits;
    unsigned most = is_short(p) ? SHORT_LANES : SIMD_MOST_LANES;
    if (p->lanes > most) p->lanes = most;
}

/* Bodies without loops are left to LLVM's vectoriser, but for divisions, for what it would not
 * reorder, for stores past the caches, which it leaves as scalars, and for short loops, of which it
 * would do more rounds at once than there are. */
bool simd_pays(simd_plan *p)
{
    bool chain = is_chain(p);
    if (p->g->options->simd > 1) return true;
    costs k = {.p = p};
    cost c = block_cost(&k, p->root.body);
    if (!has_loops(p) && !k.divides && !is_short(p) && !chain && !p->streamed) return false;
    if (chain) {
        find_chain(&k, &p->root);
        c.scalar = more(c.scalar, PER_CYCLE * k.chain[0]);
        c.vector = more(c.vector, PER_CYCLE * k.chain[1]);
    }
    return c.scalar * p->lanes > least_gain * c.vector;
}

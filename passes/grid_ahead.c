/*
 * What a round loads first, loaded while the round before it computes: software pipelining (M. Lam,
 * PLDI 1988) of the loads alone. For bodies that are too long for grid_tile.c and not so long that
 * waiting for loads is nothing to what they compute.
 *
 * A load that each round makes, before it writes memory, and of an address that the round's number
 * alone decides, is made one round ahead: rounds are independent, so that the round between does
 * not change it. The first round's are made in front of the loop.
 *
 * Measured on an H100 and an H200, mathematics of ours of float64 and float32: erf 1.035 and 1.024
 * times as fast, atan2 1.07 and 1.06, sin 1.08 and 1.12, tanh*sin of float32 1.03; beyond, it costs
 * more than it gains: pow + log of float32 0.98.
 *
 * A loop has the float64 numbers of its body in uniform registers, and where these are too few,
 * moves them to and fro (ptxas): tanh*sin, which has 38, is 1.07 times as fast where a work-item
 * takes one round and there is no loop, than without loads ahead, and 1.19 times than with them;
 * pow and erf, with 30 and 47, the same. With fewer a loop is faster, 1.1 times (atan2, which has
 * 24).
 */
#include "passes/pass_int.h"

enum {
    MOST_LOADS = 4,   /* which registers hold meanwhile, */
    MOST_BYTES = 32,  /* of so many bytes */
    MOST_WORK = 140,  /* operations on floats, in the cost model's unit for devices */
    MOST_NUMBERS = 26 /* of float64 that stay in uniform registers */
};

typedef struct ahead {
    const pass_spread *s;
    ir_var *next;
    uint32_t bytes;
    ir_var *at; /* the loop's variable in the round whose loads are made */
    VEC(ir_node **) loads;
} ahead;

/* Whether it has the same value at the start of a round. */
static bool is_known(const ahead *a, const ir_node *n)
{
    if (ir_ops[n->op].class_ != IR_CLASS_EXPR || n->op == IR_ADDR || n->op == IR_LOAD) return false;
    if (n->op == IR_VAR && n->var != a->s->loop->loop->var && ir_assigns(a->s->loop->body, n->var))
        return false;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!is_known(a, n->kids[i])) return false;
    return true;
}

static void find_loads(ahead *a, ir_node **at)
{
    ir_node *n = *at;
    uint32_t kids = n->op == IR_COND ? 1 : n->kid_count;
    for (uint32_t k = 0; k < kids; k++) find_loads(a, &n->kids[k]);
    if (n->op != IR_LOAD || !is_known(a, n->kids[0]) || a->loads.n == MOST_LOADS) return;
    uint32_t bytes = (uint32_t)cpl_type_size(n->type);
    if (a->bytes + bytes > MOST_BYTES) return;
    a->bytes += bytes;
    vec_push(&a->s->m->comp->arena, &a->loads, at);
}

/* Whether it does nothing but compute, and set what is the work-item's own. */
static bool is_own(const ir_node *n)
{
    if (n->op != IR_ASSIGN && n->op != IR_CLEAR && n->op != IR_STORE) return false;
    if (n->op != IR_ASSIGN) return pass_is_private(n->kids[0]);
    return ir_ops[n->kids[0]->op].class_ == IR_CLASS_EXPR;
}

/* Whether it writes once, after all that it loads. */
static bool is_write(const ir_node *n)
{
    return n->op == IR_STORE || (n->op == IR_EVAL && ir_op_kind(n->kids[0]->op) == IR_KIND_ATOMIC);
}

/* Those in front of the first statement that others may notice or that has statements in it, and
 * in the one that writes. */
static void find_front(ahead *a)
{
    const ir_block *b = a->s->loop->body;
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        bool own = is_own(n);
        if (!own && !is_write(n)) return;
        for (uint32_t k = 0; k < n->kid_count; k++) find_loads(a, &n->kids[k]);
        if (!own) return;
    }
}

typedef struct effort {
    double work;
    bool loops;  /* or calls */
    bool leaves; /* in front of its end */
    uint64_t numbers[MOST_NUMBERS + 1];
    uint32_t count; /* of them, one too many at most */
} effort;

/* One that no instruction holds, as nvptx_const.c has it. */
static void add_number(effort *e, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    if (!(bits & UINT32_MAX) || e->count > MOST_NUMBERS) return;
    for (uint32_t i = 0; i < e->count; i++)
        if (e->numbers[i] == bits) return;
    e->numbers[e->count++] = bits;
}

static bool add_effort(void *user, ir_node *n)
{
    effort *e = user;
    e->loops |= n->op == IR_FOR || n->op == IR_WHILE || n->op == IR_CALL;
    e->leaves |= n->op == IR_CONTINUE;
    if (n->op == IR_CONST && type_is(n->type, CPL_FLOAT64)) add_number(e, n->number);
    bool computes = ir_ops[n->op].class_ == IR_CLASS_EXPR && n->kid_count;
    if (computes && type_is_float(n->kids[0]->type)) e->work += ir_op_cost(n)->device;
    return !e->loops;
}

static effort effort_of(const ir_node *loop)
{
    effort e = {0};
    ir_walk_block(loop->body, add_effort, &e);
    return e;
}

static bool suits(const ir_node *loop)
{
    effort e = effort_of(loop);
    return !e.loops && e.work <= MOST_WORK;
}

bool pass_has_many_numbers(const ir_node *loop)
{
    effort e = effort_of(loop);
    return !e.loops && !e.leaves && e.count > MOST_NUMBERS;
}

static ir_var *image_of(void *user, ir_var *v)
{
    const ahead *a = user;
    return v == a->s->loop->loop->var ? a->at : v;
}

/* if next < rounds { at = the value of round next; vars = what the loads are there } */
static void make_loads(ahead *a, ir_block *out, ir_var **vars)
{
    const pass_spread *s = a->s;
    ir_module *m = s->m;
    cpl_span span = s->loop->span;
    ir_block *then = ir_block_new(m);
    ir_append(m, then,
              ir_assign(m, a->at, pass_round_value(m, a->next, s->start, s->step, span), span));
    for (uint32_t k = 0; k < a->loads.n; k++) {
        ir_node *load = ir_copy(m, *a->loads.at[k]);
        pass_rename(load, image_of, a);
        ir_append(m, then, ir_assign(m, vars[k], load, span));
    }
    ir_node *more = ir_op2(m, IR_LT, ir_use(m, a->next, span), ir_copy(m, s->rounds), span);
    ir_append(m, out, ir_if(m, more, then, NULL, span));
}

void pass_load_ahead(const pass_spread *s, ir_var *next, ir_block *before, ir_block *round)
{
    ir_module *m = s->m;
    cpl_span span = s->loop->span;
    ahead a = {.s = s, .next = next};
    if (!suits(s->loop)) return;
    find_front(&a);
    if (!a.loads.n) return;
    a.at = ir_var_new(m, s->f, "at", s->loop->loop->var->type, span);
    ir_var *vars[MOST_LOADS];
    for (uint32_t k = 0; k < a.loads.n; k++)
        vars[k] = ir_var_new(m, s->f, "ahead", (*a.loads.at[k])->type, span);
    make_loads(&a, before, vars);
    ir_var *loaded[MOST_LOADS];
    for (uint32_t k = 0; k < a.loads.n; k++) {
        loaded[k] = ir_var_new(m, s->f, "loaded", vars[k]->type, span);
        ir_append(m, round, ir_assign(m, loaded[k], ir_use(m, vars[k], span), span));
    }
    make_loads(&a, round, vars);
    for (uint32_t k = 0; k < a.loads.n; k++) *a.loads.at[k] = ir_use(m, loaded[k], span);
}

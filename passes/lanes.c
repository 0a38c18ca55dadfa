/*
 * lanes: finds loops that do one thing to many items of arrays of the function's own, as a kernel
 * that keeps several sums at once has them, and says that their rounds are independent.
 *
 * Does: a `for` with a constant number of rounds from 0 in steps of 1, in which round k writes item
 * k of private arrays and reads items of them that no other round writes, becomes `independent`
 * with a counter of int64; the arrays are reached through pointers that are set in front of it.
 * Nothing else in it may have an effect, and variables get their values in the round that reads
 * them. Requires: guards ran (no division can fail); runs before outline. Ensures: nothing more.
 * Keeps: the order of operations on each item, and so every bit.
 * Source: the test on distances of R. Allen and K. Kennedy, Automatic translation of Fortran
 * programs to vector form, TOPLAS 9 (1987), for constant ones.
 */
#include "passes/pass_int.h"

enum { LEAST_ROUNDS = 16 }; /* fewer are unrolled, and make no whole vectors everywhere */

typedef struct frame { /* blocks around the place at hand */
    const struct frame *outer;
    const ir_block *block;
} frame;

typedef struct first_use { /* of a variable that the loop assigns */
    const ir_var *var;
    const ir_block *home; /* where it is assigned before anything else happens to it */
} first_use;

typedef struct survey {
    arena *arena;
    const ir_node *loop;
    int64_t rounds;
    const frame *at;
    VEC(first_use) firsts;
    bool writes, refused;
} survey;

static void look_in(survey *s, const ir_block *b);

/* Whether the index is the round's number, or one that is too far away for any other round. */
static bool is_apart(const survey *s, const ir_node *index, bool write)
{
    int64_t far = 0;
    if (index->op == IR_ADD && ir_is_int_const(index->kids[1], &far)) index = index->kids[0];
    if (index->op != IR_VAR || index->var != s->loop->loop->var) return false;
    return far == 0 || (!write && (far >= s->rounds || far <= -s->rounds));
}

/* An item of an array of scalars of the function's own. */
static bool is_item(const ir_node *pointer)
{
    return pointer->op == IR_ITEM && pointer->kids[0]->op == IR_ADDR &&
           type_is_scalar(pointer->type->elem);
}

static bool reaches_private(const cpl_type *t)
{
    return type_is_pointer(t) && t->space != SPACE_GLOBAL && t->space != SPACE_CONSTANT;
}

static bool is_inside(const frame *at, const ir_block *block)
{
    while (at && at->block != block) at = at->outer;
    return at;
}

static void use_var(survey *s, ir_var *v, bool write)
{
    for (uint32_t i = 0; i < s->firsts.n; i++) {
        if (s->firsts.at[i].var != v) continue;
        if (!is_inside(s->at, s->firsts.at[i].home)) s->refused = true;
        return;
    }
    if (v == s->loop->loop->var) s->refused |= write;
    else if (write) vec_push(s->arena, &s->firsts, ((first_use){v, s->at->block}));
    else if (reaches_private(v->type) || ir_assigns(s->loop->body, v)) s->refused = true;
}

static void look_at(survey *s, const ir_node *n)
{
    if (n->op == IR_LOAD && is_item(n->kids[0])) {
        if (!is_apart(s, n->kids[0]->kids[1], false)) s->refused = true;
        return;
    }
    if (ir_ops[n->op].class_ != IR_CLASS_EXPR || n->op == IR_ADDR) s->refused = true;
    if (n->op == IR_VAR) use_var(s, n->var, false);
    for (uint32_t i = 0; i < n->kid_count && !s->refused; i++) look_at(s, n->kids[i]);
}

static void look_at_kids(survey *s, const ir_node *n, uint32_t first)
{
    for (uint32_t i = first; i < n->kid_count; i++) look_at(s, n->kids[i]);
}

static void look_in_loop(survey *s, const ir_node *n)
{
    if (n->op == IR_FOR) use_var(s, n->loop->var, true);
    look_at_kids(s, n, 0);
    look_in(s, n->body);
}

static void look_at_store(survey *s, const ir_node *n)
{
    if (!is_item(n->kids[0]) || !is_apart(s, n->kids[0]->kids[1], true)) s->refused = true;
    s->writes = true;
    look_at_kids(s, n, 1);
}

static void look_at_stmt(survey *s, const ir_node *n)
{
    switch (n->op) {
    case IR_ASSIGN:
        look_at_kids(s, n, 0);
        use_var(s, n->var, true);
        break;
    case IR_STORE: look_at_store(s, n); break;
    case IR_IF:
        look_at_kids(s, n, 0);
        look_in(s, n->body);
        if (n->orelse) look_in(s, n->orelse);
        break;
    case IR_FOR:
    case IR_WHILE: look_in_loop(s, n); break;
    default: s->refused = true;
    }
}

static void look_in(survey *s, const ir_block *b)
{
    const frame here = {s->at, b};
    s->at = &here;
    for (uint32_t i = 0; i < b->n && !s->refused; i++) look_at_stmt(s, b->at[i]);
    s->at = here.outer;
}

static bool suits(arena *a, const ir_node *n)
{
    int64_t start, stop, step;
    bool known = n->op == IR_FOR && !n->loop->independent && ir_is_int_const(n->kids[0], &start) &&
                 ir_is_int_const(n->kids[1], &stop) && ir_is_int_const(n->kids[2], &step);
    if (!known || start != 0 || step != 1 || stop < LEAST_ROUNDS) return false;
    survey s = {.arena = a, .loop = n, .rounds = stop};
    look_in(&s, n->body);
    return s.writes && !s.refused;
}

/* --- the loop, made anew --- */

typedef struct reach { /* an array, and what points to it */
    ir_var *array, *pointer;
} reach;

typedef struct reaches {
    pass_rewriter *r;
    VEC(reach) all;
} reaches;

/* The pointer to an array, set in front of the loop at its first use. */
static ir_var *pointer_to(reaches *x, ir_var *array, const ir_node *addr)
{
    pass_rewriter *r = x->r;
    for (uint32_t i = 0; i < x->all.n; i++)
        if (x->all.at[i].array == array) return x->all.at[i].pointer;
    ir_var *pointer = pass_var(r->m, r->f, &r->parallel, array->name, addr->type, addr->span);
    pass_emit(r, ir_assign(r->m, pointer, ir_addr(r->m, array, addr->span), addr->span));
    vec_push(&r->m->comp->arena, &x->all, ((reach){array, pointer}));
    return pointer;
}

static bool reach_through(void *user, ir_node *n)
{
    reaches *x = user;
    if (n->op != IR_ADDR) return true;
    n->var = pointer_to(x, n->var, n);
    n->op = IR_VAR;
    return true;
}

typedef struct counters {
    ir_module *m;
    ir_var *old, *lane;
} counters;

static bool is_narrowed(const counters *x, const ir_node *n)
{
    return n->op == IR_CONVERT && n->kids[0]->op == IR_VAR && n->kids[0]->var == x->lane;
}

/* The number of a lane has few bits: k is convert<T>(lane), and that of 64 bits again, or as an
 * index, the lane itself. */
static ir_node *count_lanes(void *user, ir_node *n)
{
    const counters *x = user;
    ir_module *m = x->m;
    int64_t far;
    if (n->op == IR_VAR && n->var == x->old)
        return ir_convert(m, n->type, ir_use(m, x->lane, n->span), n->span);
    if (n->op == IR_CONVERT && n->type == x->lane->type && is_narrowed(x, n->kids[0]))
        return n->kids[0]->kids[0];
    if (n->op != IR_ITEM) return n;
    ir_node *index = n->kids[1];
    if (is_narrowed(x, index)) n->kids[1] = index->kids[0];
    else if (index->op == IR_ADD && is_narrowed(x, index->kids[0]) &&
             ir_is_int_const(index->kids[1], &far))
        n->kids[1] =
            ir_op2(m, IR_ADD, index->kids[0]->kids[0], pass_i64(m, far, index->span), index->span);
    return n;
}

/* for k in (0, 64, 1) { body(k) } becomes
 * for lane in (0, 64, 1) independent { body(lane) }; k = 63 */
static bool make_lanes(pass_rewriter *r, ir_node *n)
{
    ir_module *m = r->m;
    if (!suits(&m->comp->arena, n)) return false;
    reaches x = {.r = r};
    ir_walk_block(n->body, reach_through, &x);
    const cpl_type *i64 = comp_scalar(m->comp, CPL_INT64);
    ir_var *k = n->loop->var, *lane = pass_var(m, r->f, &r->parallel, "lane", i64, n->span);
    ir_rewrite_block(n->body, count_lanes, &(counters){m, k, lane});
    int64_t rounds = 0;
    ir_is_int_const(n->kids[1], &rounds);
    ir_node *loop = ir_for(m, IR_FOR, lane, pass_i64(m, 0, n->span), pass_i64(m, rounds, n->span),
                           pass_i64(m, 1, n->span), n->body, n->span);
    loop->loop->independent = true;
    pass_emit(r, loop);
    pass_emit(r, ir_assign(m, k, ir_int(m, k->type, rounds - 1, n->span), n->span));
    *(bool *)r->user = true;
    return true;
}

bool pass_lanes(pass_context *cx, ir_module *m)
{
    bool changed = false;
    (void)cx;
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        pass_rewriter r = {.m = m, .loop = make_lanes, .user = &changed};
        if (m->funcs.at[i]->body) pass_rewrite_func(&r, m->funcs.at[i]);
    }
    return changed;
}

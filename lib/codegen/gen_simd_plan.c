/*
 * The plan of a loop whose rounds shall run side by side: the nest of its constructs, and every
 * access to a variable. Loops with something that lanes cannot do are refused here: returns, forks,
 * barriers, struct values, private memory whose address gets away.
 */
#include "lib/codegen/gen_simd.h"

enum {
    MOST_OPS = 4000,        /* of a body: it is there twice */
    MOST_PRIVATE = 1 << 14, /* bytes of private arrays, for each lane */
};

static void walk_block(simd_plan *p, simd_region *r);

static void note_value(simd_plan *p, simd_var *v, simd_region *r, bool write, const ir_node *value)
{
    simd_access a = {++p->order, r, write, value};
    vec_push(&p->g->c->arena, &v->accesses, a);
    if (write) v->writes++;
    else v->reads++;
}

static void note(simd_plan *p, simd_var *v, simd_region *r, bool write)
{
    note_value(p, v, r, write, NULL);
}

bool simd_is_private(const simd_plan *p, const ir_node *n)
{
    switch (n->op) {
    case IR_ADDR: return !gen_is_table(n->var);
    case IR_VAR: return p->vars[n->var->index] && p->vars[n->var->index]->private_pointer;
    case IR_ITEM:
    case IR_ELEM:
    case IR_FIELD:
    case IR_STRIDED:
    case IR_PTRCAST: return simd_is_private(p, n->kids[0]);
    case IR_COND: return simd_is_private(p, n->kids[1]) || simd_is_private(p, n->kids[2]);
    default: return false;
    }
}

static const cpl_type *pointee_scalar(const ir_node *n)
{
    return type_innermost(n->type->elem);
}

/* What may be done with a pointer into private memory: it is an array of scalars of one type at
 * every step. */
static bool may_use_private(const ir_node *n, uint32_t kid)
{
    const ir_node *pointer = n->kids[kid];
    if (kid) return false;
    switch (n->op) {
    case IR_ITEM:
    case IR_ELEM:
    case IR_CLEAR:
    case IR_ASSIGN: return true;
    case IR_PTRCAST: return pointee_scalar(n) == pointee_scalar(pointer);
    case IR_LOAD:
    case IR_STORE: return type_is_scalar(pointer->type->elem);
    default: return false;
    }
}

static void check_op(simd_plan *p, const ir_node *n)
{
    const cpl_type *inner = n->op == IR_ADDR ? type_innermost(n->var->type) : n->type;
    if (n->op == IR_ADDR) {
        if (gen_is_table(n->var)) return;
        if (!type_is_scalar(inner) || n->var->is_param || n->var->type->size > MOST_PRIVATE)
            p->refused = true;
        return;
    }
    if (gen_is_aggregate(n->type) || ir_is_misaligned(n)) p->refused = true;
    if (n->op == IR_RAWCONVERT ||
        ((n->op == IR_RAWSHL || n->op == IR_RAWSHR) && !ir_is_const(n->kids[1])))
        p->poison = true;
}

static void walk_expr(simd_plan *p, const ir_node *n, simd_region *r)
{
    if (++p->ops > MOST_OPS) p->refused = true;
    if (p->refused) return;
    check_op(p, n);
    if (n->op == IR_VAR) note(p, simd_version(p, n->var), r, false);
    if (n->op == IR_ADDR && !gen_is_table(n->var)) simd_version(p, n->var)->addressed = true;
    for (uint32_t i = 0; i < n->kid_count && !p->refused; i++) {
        walk_expr(p, n->kids[i], r);
        if (type_is_pointer(n->kids[i]->type) && simd_is_private(p, n->kids[i]) &&
            !may_use_private(n, i))
            p->refused = true;
    }
}

static simd_region *region_new(simd_plan *p, simd_construct *owner, const ir_block *b)
{
    simd_region *r = arena_new(&p->g->c->arena, simd_region);
    r->block = b;
    r->owner = owner;
    r->depth = owner->in ? owner->in->depth + 1 : 0;
    return r;
}

static simd_construct *construct_new(simd_plan *p, const ir_node *n, simd_region *in)
{
    simd_construct *c = arena_new(&p->g->c->arena, simd_construct);
    c->n = n;
    c->in = in;
    c->begin = ++p->order;
    vec_push(&p->g->c->arena, &in->constructs, c);
    vec_push(&p->g->c->arena, &p->constructs, c);
    c->body = region_new(p, c, n->body);
    if (n->orelse) c->orelse = region_new(p, c, n->orelse);
    return c;
}

static void walk_if(simd_plan *p, const ir_node *n, simd_region *r)
{
    walk_expr(p, n->kids[0], r);
    simd_construct *c = construct_new(p, n, r);
    walk_block(p, c->body);
    if (c->orelse) walk_block(p, c->orelse);
    c->end = ++p->order;
}

static void walk_while(simd_plan *p, const ir_node *n, simd_region *r)
{
    simd_construct *c = construct_new(p, n, r);
    simd_find_counts(p, c);
    simd_enter_loop(p, c);
    for (uint32_t i = 0; i < c->own.n; i++) note(p, c->own.at[i].inside, c->body, true);
    walk_expr(p, n->kids[0], c->body);
    walk_block(p, c->body);
    for (uint32_t i = 0; i < c->own.n; i++) note(p, c->own.at[i].inside, c->body, false);
    simd_leave_loop(p, c);
    c->end = ++p->order;
    for (uint32_t i = 0; i < c->own.n; i++) note(p, c->own.at[i].outside, r, true);
}

/* How a variable is used outside the for loops that count with it, and whether these stand inside
 * each other. */
typedef struct counter_use {
    const ir_var *var;
    bool read, nested;
    uint32_t depth;
} counter_use;

static void look_for(counter_use *u, const ir_node *n);

static void look_in(counter_use *u, const ir_block *b)
{
    for (uint32_t i = 0; b && i < b->n; i++) look_for(u, b->at[i]);
}

static void look_for(counter_use *u, const ir_node *n)
{
    bool counts = n->op == IR_FOR && n->loop->var == u->var;
    if ((n->op == IR_VAR || n->op == IR_ADDR) && n->var == u->var && !u->depth) u->read = true;
    if (n->op == IR_ADDR && n->var == u->var) u->read = true;
    for (uint32_t i = 0; i < n->kid_count; i++) look_for(u, n->kids[i]);
    if (counts && u->depth) u->nested = true;
    u->depth += counts;
    look_in(u, n->body);
    look_in(u, n->orelse);
    u->depth -= counts;
}

static void walk_for(simd_plan *p, const ir_node *n, simd_region *r)
{
    if (n->loop->independent) p->refused = true; /* its rounds are the ones to run side by side */
    for (uint32_t i = 0; i < 3; i++) walk_expr(p, n->kids[i], r);
    simd_construct *c = construct_new(p, n, r);
    counter_use u = {.var = n->loop->var};
    look_in(&u, p->loop->body);
    if (!u.read && !u.nested) c->counter = simd_own_version(p, c, n->loop->var, NULL);
    simd_enter_loop(p, c);
    note(p, simd_version(p, n->loop->var), c->body, true);
    walk_block(p, c->body);
    simd_leave_loop(p, c);
    c->end = ++p->order;
}

static void walk_jump(simd_plan *p, const ir_node *n, simd_region *r)
{
    simd_construct *c = r->owner;
    for (; !simd_is_loop(c); c = c->in->owner) c->jumps = true;
    if (n->op == IR_CONTINUE) c->continues = true;
    else if (c->in) c->breaks = true;
    else p->refused = true;
}

static void walk_assign(simd_plan *p, const ir_node *n, simd_region *r)
{
    walk_expr(p, n->kids[0], r);
    simd_var *v = simd_version(p, n->var);
    if (gen_is_aggregate(n->var->type)) p->refused = true;
    if (type_is_pointer(n->var->type) && simd_is_private(p, n->kids[0])) v->private_pointer = true;
    note_value(p, v, r, true, n->kids[0]);
}

static void walk_stmt(simd_plan *p, const ir_node *n, simd_region *r)
{
    if ((n->op == IR_STORE || n->op == IR_CLEAR) && gen_fills_table(n)) return;
    if (++p->ops > MOST_OPS) p->refused = true;
    switch (n->op) {
    case IR_ASSIGN: walk_assign(p, n, r); break;
    case IR_IF: walk_if(p, n, r); break;
    case IR_WHILE: walk_while(p, n, r); break;
    case IR_FOR: walk_for(p, n, r); break;
    case IR_BREAK:
    case IR_CONTINUE: walk_jump(p, n, r); break;
    case IR_EVAL:
    case IR_STORE:
    case IR_CLEAR:
    case IR_PRINTF:
    case IR_FENCE:
    case IR_NANOSLEEP:
    case IR_FAULT:
    case IR_ASSUME: {
        for (uint32_t i = 0; i < n->kid_count; i++) {
            walk_expr(p, n->kids[i], r);
            if (type_is_pointer(n->kids[i]->type) && simd_is_private(p, n->kids[i]) &&
                !may_use_private(n, i))
                p->refused = true;
        }
        if (n->op == IR_CLEAR && !simd_is_private(p, n->kids[0]) &&
            gen_is_aggregate(n->kids[0]->type->elem))
            p->refused = true;
        break;
    }
    case IR_ASSERT: break;
    default: p->refused = true;
    }
}

static void walk_block(simd_plan *p, simd_region *r)
{
    for (uint32_t i = 0; i < r->block->n && !p->refused; i++) walk_stmt(p, r->block->at[i], r);
}

/* The smallest region of all accesses, if the first of them is a write that stands in it directly;
 * the body if it is not. */
static void find_scope(simd_plan *p, simd_var *v)
{
    v->scope = p->root.body;
    if (!v->accesses.n || v->addressed || v->reduces != IR_OP_COUNT) return;
    simd_region *common = v->accesses.at[0].in;
    for (uint32_t i = 1; i < v->accesses.n; i++) {
        simd_region *r = v->accesses.at[i].in;
        while (r != common)
            if (r->depth >= common->depth) r = r->owner->in;
            else common = common->owner->in;
    }
    const simd_access *first = &v->accesses.at[0];
    if (first->write && first->in == common) v->scope = common;
}

/* Each lane has a value of its own, from the first round to the last. */
static void find_reductions(simd_plan *p)
{
    const ir_loop *l = p->loop->loop;
    for (uint32_t i = 0; i < l->reductions.n; i++) {
        simd_var *v = p->vars[l->reductions.at[i].var->index];
        if (!v || !v->writes) continue;
        v->reduces = l->reductions.at[i].op;
        v->varying = true;
        if (v->addressed || !type_is_scalar(v->var->type)) p->refused = true;
    }
}

/* What the body writes must not be used outside: those variables live in vectors inside. */
typedef struct outside {
    const simd_plan *p;
    bool used;
} outside;

static bool look_outside(void *user, ir_node *n)
{
    outside *o = user;
    if (n == o->p->loop) return false;
    const ir_var *v = n->op == IR_VAR || n->op == IR_ADDR || n->op == IR_ASSIGN ? n->var : NULL;
    const simd_var *x = v ? o->p->vars[v->index] : NULL;
    if (x && x->reduces == IR_OP_COUNT && (x->writes || x->addressed)) o->used = true;
    return true;
}

simd_plan *simd_plan_new(gen *g, const ir_node *n)
{
    int64_t step;
    if (!type_is(n->kids[0]->type, CPL_INT64) || !ir_is_int_const(n->kids[2], &step) || step != 1)
        return NULL;
    simd_plan *p = arena_new(&g->c->arena, simd_plan);
    p->g = g;
    p->loop = n;
    p->poison = (g->fast & (LLVMFastMathNoNaNs | LLVMFastMathNoInfs)) != 0;
    ir_number(g->func);
    p->var_count = g->func->params.n + g->func->vars.n;
    p->vars = arena_array(&g->c->arena, p->var_count, sizeof *p->vars);
    p->root.n = n;
    p->root.body = region_new(p, &p->root, n->body);
    simd_var *counter = simd_version(p, n->loop->var);
    counter->varying = true;
    walk_block(p, p->root.body);
    p->root.end = ++p->order;
    if (counter->writes || counter->addressed) p->refused = true;
    find_reductions(p);
    outside o = {.p = p};
    if (!p->refused) ir_walk_block(g->func->body, look_outside, &o);
    if (p->refused || o.used) return NULL;
    for (uint32_t i = 0; i < p->all.n; i++) find_scope(p, p->all.at[i]);
    return p;
}

/*
 * Variables that count the rounds of a while loop. Lanes leave it one by one, but those still in it
 * have counted the same: inside, one scalar counts for all, and conditions on it are branches. What
 * each lane left with is collected in a vector beside it.
 */
#include "lib/codegen/gen_simd.h"

/* Made of constants and v alone. */
static bool is_own_function(const ir_node *n, const ir_var *v)
{
    if (n->op == IR_VAR) return n->var == v;
    if (n->op == IR_CONST) return true;
    if (ir_ops[n->op].class_ != IR_CLASS_EXPR || n->op == IR_LOAD || n->op == IR_ADDR ||
        gen_is_aggregate(n->type))
        return false;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!is_own_function(n->kids[i], v)) return false;
    return true;
}

typedef struct use { /* of a variable, in a loop or all of the body */
    const ir_var *var;
    uint32_t writes;
    bool other; /* its address is taken, or a for loop counts with it */
} use;

static bool note_use(void *user, ir_node *n)
{
    use *u = user;
    if (n->op == IR_ASSIGN && n->var == u->var) u->writes++;
    if (n->op == IR_ADDR && n->var == u->var) u->other = true;
    if (n->op == IR_FOR && n->loop->var == u->var) u->other = true;
    return true;
}

/* Lanes that go on to the next round early have not counted. */
static bool continues(const ir_block *b)
{
    for (uint32_t i = 0; b && i < b->n; i++) {
        const ir_node *n = b->at[i];
        if (n->op == IR_CONTINUE ||
            (n->op == IR_IF && (continues(n->body) || continues(n->orelse))))
            return true;
    }
    return false;
}

/* The constant that v has when any lane comes to c: given to it in the same block, and nothing else
 * since. */
static const ir_node *start_of(const simd_plan *p, const simd_construct *c, const ir_var *v)
{
    const simd_var *x = p->vars[v->index];
    for (uint32_t i = x ? x->accesses.n : 0; i-- > 0;) {
        const simd_access *a = &x->accesses.at[i];
        if (a->write) return a->in == c->in && a->value && ir_is_const(a->value) ? a->value : NULL;
    }
    return NULL;
}

static bool is_count(const simd_plan *p, const simd_construct *c, const ir_var *v)
{
    ir_block *body = c->n->body;
    use inside = {.var = v}, all = {.var = v};
    if (v->is_param || type_is_bool(v->type) || !(type_is_int(v->type) || type_is_float(v->type)))
        return false;
    for (uint32_t i = 0; i < c->own.n; i++)
        if (c->own.at[i].var == v) return false;
    ir_walk_block(body, note_use, &inside);
    ir_walk_block(p->loop->body, note_use, &all);
    for (uint32_t i = 0; i < body->n; i++)
        if (body->at[i]->op == IR_ASSIGN && body->at[i]->var == v &&
            is_own_function(body->at[i]->kids[0], v))
            inside.writes--;
    return !inside.writes && !all.other;
}

void simd_find_counts(simd_plan *p, simd_construct *c)
{
    const ir_block *body = c->n->body;
    if (continues(body)) return;
    for (uint32_t i = 0; i < body->n; i++) {
        const ir_node *n = body->at[i];
        const ir_node *start = n->op == IR_ASSIGN ? start_of(p, c, n->var) : NULL;
        if (start && is_count(p, c, n->var)) simd_own_version(p, c, n->var, start);
    }
}

/* As wide as a mask, if that is wider, so that both need not be brought to one width in every
 * round. */
static LLVMTypeRef last_type(const simd *s, const simd_own *o)
{
    LLVMTypeRef own = simd_vector(s, gen_mem_type(s->g, o->var->type));
    bool narrow = s->t_mask != s->t_bits && type_is_int(o->var->type) &&
                  type_bits(o->var->type) < s->plan->data_bits;
    return narrow ? s->t_mask : own;
}

/* A scalar's value in all lanes of `last`. */
static LLVMValueRef in_last(simd *s, const simd_own *o, LLVMValueRef value)
{
    gen *g = s->g;
    LLVMTypeRef one = LLVMGetElementType(last_type(s, o));
    value = gen_to_mem(g, (gen_val){value, o->var->type});
    if (LLVMTypeOf(value) != one) value = LLVMBuildSExt(g->b, value, one, "");
    return simd_splat(s, value);
}

static LLVMValueRef count_of(simd *s, const simd_own *o)
{
    return gen_load(s->g, o->var->user, o->var->type);
}

void simd_begin_counts(simd *s, simd_construct *c)
{
    gen *g = s->g;
    for (uint32_t i = 0; i < c->own.n; i++) {
        simd_own *o = &c->own.at[i];
        simd_var *outside = s->plan->vars[o->var->index];
        LLVMValueRef start = gen_expr(g, o->start).v;
        gen_store(g, o->var->user, (gen_val){start, o->var->type});
        o->last = c->varying && outside->place == SIMD_SLOT ? simd_slot(s, last_type(s, o), "last")
                                                            : NULL;
        if (o->last) LLVMBuildStore(g->b, in_last(s, o, start), o->last);
    }
}

void simd_update_counts(simd *s, const simd_construct *c, LLVMValueRef mask)
{
    gen *g = s->g;
    for (uint32_t i = 0; i < c->own.n; i++) {
        const simd_own *o = &c->own.at[i];
        if (!o->last) continue;
        LLVMValueRef before = LLVMBuildLoad2(g->b, last_type(s, o), o->last, "");
        LLVMValueRef now =
            LLVMBuildSelect(g->b, simd_bits(s, mask), in_last(s, o, count_of(s, o)), before, "");
        LLVMBuildStore(g->b, now, o->last);
    }
}

void simd_end_counts(simd *s, const simd_construct *c)
{
    gen *g = s->g;
    for (uint32_t i = 0; i < c->own.n; i++) {
        const simd_own *o = &c->own.at[i];
        const cpl_type *t = o->var->type;
        simd_var *outside = s->plan->vars[o->var->index];
        if (outside->place != SIMD_SLOT) continue;
        if (!o->last) {
            simd_write(s, outside, simd_uniform(count_of(s, o), t), c->in);
            continue;
        }
        LLVMTypeRef own = simd_vector(s, gen_mem_type(g, t));
        LLVMValueRef last = LLVMBuildLoad2(g->b, last_type(s, o), o->last, "");
        if (LLVMTypeOf(last) != own) last = LLVMBuildTrunc(g->b, last, own, "");
        simd_write(s, outside, simd_varying(gen_from_mem(g, last, t), t), c->in);
    }
}

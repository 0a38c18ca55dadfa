/* Expressions for all lanes. What is the same in all of them is computed once; numbers that grow
 * evenly stay one number. */
#include "lib/codegen/gen_simd.h"

static simd_val variable(simd *s, const ir_node *n)
{
    const simd_var *v = s->plan->vars[n->var->index];
    if (!v || v->place == SIMD_SCALAR || v->place == SIMD_NOWHERE)
        return simd_uniform(gen_expr(s->g, n).v, n->type);
    if (v->place == SIMD_VALUE) return v->val;
    return simd_varying(simd_read_slot(s, v), n->type);
}

static simd_val address_of(simd *s, const ir_node *n)
{
    if (gen_is_table(n->var)) return simd_uniform(n->var->user, n->type);
    const simd_var *v = s->plan->vars[n->var->index];
    return (simd_val){SIMD_PRIVATE, gen_int(s->g->t_i64, 0), 0, v->slot, n->type};
}

/* An index as i64. Numbers that grow in less than 64 bits may wrap on the way; see element. */
static simd_val wide_index(simd *s, simd_val i)
{
    const cpl_type *i64 = comp_scalar(s->g->c, CPL_INT64);
    if (i.shape == SIMD_LINEAR && type_bits(i.type) < 64)
        i = simd_varying(simd_spread(s, i), i.type);
    i.v = gen_i64(s->g, (gen_val){i.v, i.type});
    i.type = i64;
    return i;
}

static simd_val private_element(simd *s, const ir_node *n, simd_val base, simd_val index)
{
    gen *g = s->g;
    index = wide_index(s, index);
    if (index.shape == SIMD_LINEAR) index = simd_varying(simd_spread(s, index), index.type);
    uint64_t size = type_scalars(n->type->elem);
    LLVMValueRef i = index.v, from = base.v;
    if (size != 1) i = LLVMBuildMul(g->b, i, gen_int(LLVMTypeOf(i), size), "");
    bool lanes = LLVMTypeOf(from) != g->t_i64;
    if (lanes && index.shape == SIMD_UNIFORM) i = simd_splat(s, i);
    if (!lanes && index.shape == SIMD_VARYING) from = simd_splat(s, from);
    base.v = LLVMBuildAdd(g->b, from, i, "");
    base.type = n->type;
    return base;
}

/*
 * base + index * size. A 32-bit index that grows by small steps grows so as a 64-bit one too, even
 * if it wraps in between: of two lanes that are on, none is negative, for that is out of range, so
 * no wrap lies between them.
 */
static simd_val element(simd *s, const ir_node *n)
{
    gen *g = s->g;
    bool strided = n->op == IR_STRIDED;
    simd_val base = simd_expr(s, n->kids[0]);
    simd_val index = simd_expr(s, strided ? ir_strided_bytes(g->m, n) : n->kids[1]);
    if (base.shape == SIMD_PRIVATE) return private_element(s, n, base, index);
    bool even = index.shape == SIMD_LINEAR && type_is(index.type, CPL_INT32) && index.step > 0 &&
                index.step < 1 << 20;
    if (!strided && even) {
        index.v = LLVMBuildSExt(g->b, index.v, g->t_i64, "");
        index.type = comp_scalar(g->c, CPL_INT64);
    }
    index = wide_index(s, index);
    LLVMTypeRef type = strided ? g->t_i8 : gen_mem_type(g, n->type->elem);
    int64_t size = strided ? 1 : (int64_t)n->type->elem->size;
    simd_val to = {.type = n->type};
    if (base.shape == SIMD_VARYING || index.shape == SIMD_VARYING) {
        to.shape = SIMD_VARYING;
        /* a scalar base serves as it is */
        if (base.shape == SIMD_LINEAR) base.v = simd_spread(s, base);
        if (index.shape == SIMD_LINEAR) index.v = simd_spread(s, index);
    } else {
        to.step =
            (int64_t)((uint64_t)(base.shape == SIMD_LINEAR ? base.step : 0) +
                      (uint64_t)(index.shape == SIMD_LINEAR ? index.step : 0) * (uint64_t)size);
        to.shape = to.step ? SIMD_LINEAR : SIMD_UNIFORM;
    }
    /* Not in bounds: lane 0 may be off. */
    to.v = LLVMBuildGEP2(g->b, type, base.v, &index.v, 1, "");
    return to;
}

static simd_val field(simd *s, const ir_node *n)
{
    gen *g = s->g;
    simd_val base = simd_expr(s, n->kids[0]);
    LLVMValueRef offset = gen_int(g->t_i64, n->kids[0]->type->elem->fields[n->field].offset);
    base.v = LLVMBuildGEP2(g->b, g->t_i8, base.v, &offset, 1, "");
    base.type = n->type;
    return base;
}

/* An arm of a cond for the lanes that take it; zeros in the others, or computed all the same. */
static LLVMValueRef arm(simd *s, const ir_node *n, LLVMValueRef mask)
{
    gen *g = s->g;
    LLVMValueRef outer = s->mask;
    uint32_t quotients = s->quotients.n;
    LLVMBasicBlockRef before, work = gen_block_new(g, "arm"), join = gen_block_new(g, "endarm");
    LLVMBuildCondBr(g->b, simd_any(s, mask), work, join);
    before = LLVMGetInsertBlock(g->b);
    gen_at(g, work);
    s->mask = mask;
    LLVMValueRef v = simd_spread(s, simd_expr(s, n));
    s->mask = outer;
    s->quotients.n = quotients;
    LLVMBasicBlockRef after = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, join);
    gen_at(g, join);
    LLVMValueRef phi = LLVMBuildPhi(g->b, LLVMTypeOf(v), "");
    LLVMAddIncoming(phi, (LLVMValueRef[]){LLVMConstNull(LLVMTypeOf(v)), v},
                    (LLVMBasicBlockRef[]){before, after}, 2);
    return gen_fast(g, phi);
}

static simd_val choose_by_lane(simd *s, const ir_node *n, LLVMValueRef bits)
{
    gen *g = s->g;
    /* nodes of both arms; a mask and a branch for each of them cost about as much */
    int budget = 24;
    LLVMValueRef arms[2];
    LLVMValueRef mask =
        simd_mask(s, s->plan->poison && s->mask ? LLVMBuildFreeze(g->b, bits, "") : bits);
    for (int i = 0; i < 2; i++) {
        const ir_node *kid = n->kids[i + 1];
        if (gen_is_cheap(kid, &budget)) arms[i] = simd_spread(s, simd_expr(s, kid));
        else arms[i] = arm(s, kid, i ? simd_and_not(s, s->mask, mask) : simd_and(s, s->mask, mask));
    }
    return simd_varying(gen_fast(g, LLVMBuildSelect(g->b, bits, arms[0], arms[1], "")), n->type);
}

/* A uniform condition: one arm is evaluated, whose value may vary. */
static simd_val choose_for_all(simd *s, const ir_node *n, LLVMValueRef cond)
{
    gen *g = s->g;
    LLVMBasicBlockRef blocks[2] = {gen_block_new(g, "true"), gen_block_new(g, "false")};
    LLVMBasicBlockRef join = gen_block_new(g, "endcond");
    simd_val values[2];
    uint32_t quotients = s->quotients.n;
    LLVMBuildCondBr(g->b, cond, blocks[0], blocks[1]);
    for (int i = 0; i < 2; i++) {
        gen_at(g, blocks[i]);
        values[i] = simd_expr(s, n->kids[i + 1]);
        s->quotients.n = quotients;
        blocks[i] = LLVMGetInsertBlock(g->b);
    }
    bool same = values[0].shape == SIMD_UNIFORM && values[1].shape == SIMD_UNIFORM;
    for (int i = 0; i < 2; i++) {
        gen_at(g, blocks[i]);
        if (!same) values[i].v = simd_spread(s, values[i]);
        LLVMBuildBr(g->b, join);
    }
    gen_at(g, join);
    LLVMValueRef phi = LLVMBuildPhi(g->b, LLVMTypeOf(values[0].v), "");
    LLVMAddIncoming(phi, (LLVMValueRef[]){values[0].v, values[1].v}, blocks, 2);
    gen_fast(g, phi);
    return same ? simd_uniform(phi, n->type) : simd_varying(phi, n->type);
}

static simd_val choose(simd *s, const ir_node *n)
{
    simd_val cond = simd_expr(s, n->kids[0]);
    if (cond.shape == SIMD_VARYING) return choose_by_lane(s, n, cond.v);
    int budget = 12;
    if (gen_is_cheap(n->kids[1], &budget) && gen_is_cheap(n->kids[2], &budget)) {
        gen *g = s->g;
        simd_val a = simd_expr(s, n->kids[1]), b = simd_expr(s, n->kids[2]);
        bool same = a.shape == SIMD_UNIFORM && b.shape == SIMD_UNIFORM;
        LLVMValueRef x = same ? a.v : simd_spread(s, a), y = same ? b.v : simd_spread(s, b);
        LLVMValueRef v = gen_fast(g, LLVMBuildSelect(g->b, cond.v, x, y, ""));
        return same ? simd_uniform(v, n->type) : simd_varying(v, n->type);
    }
    return choose_for_all(s, n, cond.v);
}

static int64_t step_of(simd_val v)
{
    return v.shape == SIMD_LINEAR ? v.step : 0;
}

/* Integer operations that keep even growth; false for others. */
static bool linear(simd *s, const ir_node *n, const simd_val *kids, simd_val *result)
{
    uint64_t a = (uint64_t)step_of(kids[0]), b = n->kid_count > 1 ? (uint64_t)step_of(kids[1]) : 0,
             step;
    int64_t k;
    if (!type_is_int(n->type)) return false;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (kids[i].shape == SIMD_VARYING || kids[i].shape == SIMD_PRIVATE ||
            !type_is_int(kids[i].type))
            return false;
    switch (n->op) {
    case IR_ADD: step = a + b; break;
    case IR_SUB: step = a - b; break;
    case IR_NEG: step = 0 - a; break;
    case IR_MUL:
        if (!b && ir_is_int_const(n->kids[1], &k)) step = a * (uint64_t)k;
        else if (!a && ir_is_int_const(n->kids[0], &k)) step = b * (uint64_t)k;
        else return false;
        break;
    case IR_CONVERT:
        if (type_bits(n->type) > type_bits(kids[0].type)) return false;
        step = a;
        break;
    default: return false;
    }
    LLVMValueRef operands[2] = {kids[0].v, n->kid_count > 1 ? kids[1].v : NULL};
    step = ir_wrap_to(comp_scalar(s->g->c, CPL_INT64), step);
    *result = (simd_val){.shape = step ? SIMD_LINEAR : SIMD_UNIFORM,
                         .step = (int64_t)step,
                         .type = n->type,
                         .v = gen_op(s->g, n, operands)};
    return true;
}

/* LLVM takes an estimate for a quotient only if that is no infinity. Of lanes that others mask it
 * may be one. */
static LLVMValueRef lanes_op(simd *s, const ir_node *n, LLVMValueRef *operands)
{
    gen *g = s->g;
    LLVMFastMathFlags own = g->fast;
    if (n->op == IR_DIV && own & LLVMFastMathAllowReciprocal && !s->mask)
        g->fast |= LLVMFastMathNoInfs;
    LLVMValueRef v = gen_op(g, n, operands);
    g->fast = own;
    return v;
}

static simd_val operation(simd *s, const ir_node *n)
{
    gen *g = s->g;
    simd_val kids[3], result;
    LLVMValueRef operands[3] = {0};
    bool uniform = true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        kids[i] = simd_expr(s, n->kids[i]);
        uniform &= kids[i].shape == SIMD_UNIFORM;
        operands[i] = kids[i].v;
    }
    if (uniform) return simd_uniform(gen_op(g, n, operands), n->type);
    if (linear(s, n, kids, &result)) return result;
    if (n->op == IR_RAWDIV || n->op == IR_RAWREM) return simd_divide(s, n, kids[0], kids[1]);
    for (uint32_t i = 0; i < n->kid_count; i++) operands[i] = simd_spread(s, kids[i]);
    return simd_varying(lanes_op(s, n, operands), n->type);
}

simd_val simd_expr(simd *s, const ir_node *n)
{
    switch (n->op) {
    case IR_CONST: return simd_uniform(gen_expr(s->g, n).v, n->type);
    case IR_VAR: return variable(s, n);
    case IR_COND: return choose(s, n);
    case IR_ADDR: return address_of(s, n);
    case IR_ELEM:
    case IR_ITEM:
    case IR_STRIDED: return element(s, n);
    case IR_FIELD: return field(s, n);
    case IR_PTRCAST: {
        simd_val v = simd_expr(s, n->kids[0]);
        v.type = n->type;
        return v;
    }
    case IR_LOAD: return simd_load(s, simd_expr(s, n->kids[0]), n->type);
    default: break;
    }
    if (ir_ops[n->op].class_ == IR_CLASS_EFFECT) return simd_effect(s, n);
    return operation(s, n);
}

LLVMValueRef simd_condition(simd *s, const ir_node *n)
{
    LLVMValueRef bits = simd_spread(s, simd_expr(s, n));
    if (s->plan->poison && s->mask) bits = LLVMBuildFreeze(s->g->b, bits, "");
    return simd_mask(s, bits);
}

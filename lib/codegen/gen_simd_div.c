/*
 * Integer division in vectors, which no CPU has. Neighbours divided by one number (a row and a
 * column out of an index) cost one division; numbers of 32 bits and less go through float64, which
 * holds their quotients to the last bit that counts.
 */
#include "lib/codegen/gen_simd.h"

/* Quotient and remainder were made before in this statement, at a place from which control always
 * comes here. */
static simd_quotient *known(simd *s, const ir_node *n)
{
    for (uint32_t i = 0; i < s->quotients.n; i++) {
        simd_quotient *q = &s->quotients.at[i];
        if (ir_equal(q->n->kids[0], n->kids[0]) && ir_equal(q->n->kids[1], n->kids[1])) return q;
    }
    return NULL;
}

/* A lane that is off must not divide by zero, nor the least number by -1. */
static LLVMValueRef harmless(simd *s, const ir_node *n, LLVMValueRef divisor)
{
    if (!s->mask || ir_is_const(n->kids[1])) return divisor;
    return LLVMBuildSelect(s->g->b, simd_bits(s, s->mask), divisor, gen_int(LLVMTypeOf(divisor), 1),
                           "");
}

/* a / b truncated. Through float64: the quotient of numbers of 32 bits lies further from the next
 * whole number than it can be rounded. */
static LLVMValueRef divide(simd *s, const cpl_type *t, LLVMValueRef a, LLVMValueRef b)
{
    gen *g = s->g;
    bool is_signed = type_is_signed(t);
    if (type_bits(t) > 32)
        return is_signed ? LLVMBuildSDiv(g->b, a, b, "") : LLVMBuildUDiv(g->b, a, b, "");
    LLVMTypeRef real = gen_like(g, a, g->t_f64), type = LLVMTypeOf(a);
    LLVMValueRef x =
        is_signed ? LLVMBuildSIToFP(g->b, a, real, "") : LLVMBuildUIToFP(g->b, a, real, "");
    LLVMValueRef y =
        is_signed ? LLVMBuildSIToFP(g->b, b, real, "") : LLVMBuildUIToFP(g->b, b, real, "");
    LLVMValueRef q = LLVMBuildFDiv(g->b, x, y, "");
    return is_signed ? LLVMBuildFPToSI(g->b, q, type, "") : LLVMBuildFPToUI(g->b, q, type, "");
}

static simd_quotient apart(simd *s, const ir_node *n, LLVMValueRef a, LLVMValueRef b)
{
    gen *g = s->g;
    b = harmless(s, n, b);
    int64_t by;
    bool constant = ir_is_int_const(n->kids[1], &by); /* LLVM multiplies instead */
    simd_quotient q = {.n = n};
    if (constant)
        q.quotient =
            type_is_signed(n->type) ? LLVMBuildSDiv(g->b, a, b, "") : LLVMBuildUDiv(g->b, a, b, "");
    else q.quotient = divide(s, n->type, a, b);
    q.rest = LLVMBuildSub(g->b, a, LLVMBuildMul(g->b, q.quotient, b, ""), "");
    return q;
}

static LLVMValueRef both(gen *g, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildAnd(g->b, a, b, "");
}

/* i1: v, v + step, ... are all positive, none wraps, and they cross one multiple of d at most. */
static LLVMValueRef is_close(simd *s, simd_val a, LLVMValueRef d)
{
    gen *g = s->g;
    LLVMTypeRef type = LLVMTypeOf(d);
    uint64_t span = (uint64_t)a.step * s->w;
    unsigned bits = type_bits(a.type);
    bool is_signed = type_is_signed(a.type);
    uint64_t top = UINT64_MAX >> (64 - bits + is_signed);
    LLVMIntPredicate less = is_signed ? LLVMIntSLE : LLVMIntULE;
    LLVMValueRef ok = LLVMBuildICmp(g->b, less, gen_int(type, span), d, "");
    ok = both(g, ok, LLVMBuildICmp(g->b, less, d, gen_int(type, top - span), ""));
    ok = both(g, ok, LLVMBuildICmp(g->b, less, a.v, gen_int(type, top - span), ""));
    return both(g, ok, LLVMBuildICmp(g->b, less, LLVMConstNull(type), a.v, ""));
}

/* Lane 0 by division; the others go on from there and take d off where they reach it. */
static simd_quotient go_on_from(simd *s, const ir_node *n, simd_val a, LLVMValueRef d)
{
    gen *g = s->g;
    bool is_signed = type_is_signed(a.type);
    LLVMValueRef first =
        is_signed ? LLVMBuildSDiv(g->b, a.v, d, "") : LLVMBuildUDiv(g->b, a.v, d, "");
    LLVMValueRef rest = LLVMBuildSub(g->b, a.v, LLVMBuildMul(g->b, first, d, ""), "");
    simd_val lanes = {.shape = SIMD_LINEAR, .v = rest, .step = a.step, .type = a.type};
    LLVMValueRef along = simd_spread(s, lanes), ds = simd_splat(s, d),
                 firsts = simd_splat(s, first);
    LLVMValueRef past = LLVMBuildICmp(g->b, is_signed ? LLVMIntSGE : LLVMIntUGE, along, ds, "");
    simd_quotient q = {.n = n};
    q.quotient = LLVMBuildSub(g->b, firsts, LLVMBuildSExt(g->b, past, LLVMTypeOf(firsts), ""), "");
    q.rest = LLVMBuildSelect(g->b, past, LLVMBuildSub(g->b, along, ds, ""), along, "");
    return q;
}

static LLVMValueRef join2(gen *g, LLVMValueRef a, LLVMBasicBlockRef from_a, LLVMValueRef b,
                          LLVMBasicBlockRef from_b)
{
    LLVMValueRef phi = LLVMBuildPhi(g->b, LLVMTypeOf(a), "");
    LLVMAddIncoming(phi, (LLVMValueRef[]){a, b}, (LLVMBasicBlockRef[]){from_a, from_b}, 2);
    return phi;
}

static simd_quotient neighbours(simd *s, const ir_node *n, simd_val a, LLVMValueRef d)
{
    gen *g = s->g;
    LLVMBasicBlockRef near = gen_block_new(g, "near"), far = gen_block_new(g, "far"),
                      join = gen_block_new(g, "divided");
    LLVMBuildCondBr(g->b, is_close(s, a, d), near, far);
    gen_at(g, near);
    simd_quotient p = go_on_from(s, n, a, d);
    LLVMBuildBr(g->b, join);
    gen_at(g, far);
    simd_quotient q = apart(s, n, simd_spread(s, a), simd_splat(s, d));
    LLVMBuildBr(g->b, join);
    gen_at(g, join);
    p.quotient = join2(g, p.quotient, near, q.quotient, far);
    p.rest = join2(g, p.rest, near, q.rest, far);
    return p;
}

simd_val simd_divide(simd *s, const ir_node *n, simd_val a, simd_val b)
{
    simd_quotient *before = known(s, n), q;
    if (before) {
        q = *before;
    } else {
        bool close = a.shape == SIMD_LINEAR && b.shape == SIMD_UNIFORM && type_bits(a.type) >= 32 &&
                     a.step > 0 && a.step < 1 << 16;
        q = close ? neighbours(s, n, a, b.v) : apart(s, n, simd_spread(s, a), simd_spread(s, b));
        vec_push(&s->g->c->arena, &s->quotients, q);
    }
    return simd_varying(n->op == IR_RAWDIV ? q.quotient : q.rest, n->type);
}

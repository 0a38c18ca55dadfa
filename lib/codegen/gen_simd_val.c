/* Shapes of values, and masks. */
#include "lib/codegen/gen_simd.h"

LLVMTypeRef simd_vector(const simd *s, LLVMTypeRef scalar)
{
    return LLVMVectorType(scalar, s->w);
}

simd_val simd_uniform(LLVMValueRef v, const cpl_type *t)
{
    return (simd_val){.shape = SIMD_UNIFORM, .v = v, .type = t};
}

simd_val simd_varying(LLVMValueRef v, const cpl_type *t)
{
    return (simd_val){.shape = SIMD_VARYING, .v = v, .type = t};
}

LLVMValueRef simd_splat(simd *s, LLVMValueRef scalar)
{
    gen *g = s->g;
    LLVMValueRef none = LLVMGetPoison(simd_vector(s, LLVMTypeOf(scalar)));
    LLVMValueRef one = LLVMBuildInsertElement(g->b, none, scalar, gen_int(g->t_i64, 0), "");
    return LLVMBuildShuffleVector(g->b, one, none, LLVMConstNull(simd_vector(s, g->t_i32)), "");
}

/* 0, step, 2 step, ... */
static LLVMValueRef ramp(simd *s, LLVMTypeRef type, int64_t step)
{
    LLVMValueRef lanes[SIMD_MOST_LANES];
    for (unsigned i = 0; i < s->w; i++) lanes[i] = gen_int(type, (uint64_t)step * i);
    return LLVMConstVector(lanes, s->w);
}

LLVMValueRef simd_spread(simd *s, simd_val v)
{
    gen *g = s->g;
    if (v.shape == SIMD_VARYING) return v.v;
    if (v.shape == SIMD_UNIFORM) return simd_splat(s, v.v);
    if (type_is_pointer(v.type)) {
        LLVMValueRef offsets = ramp(s, g->t_i64, v.step);
        return LLVMBuildGEP2(g->b, g->t_i8, v.v, &offsets, 1, "");
    }
    return LLVMBuildAdd(g->b, simd_splat(s, v.v), ramp(s, LLVMTypeOf(v.v), v.step), "");
}

LLVMValueRef simd_bits(simd *s, LLVMValueRef mask)
{
    if (!mask) return LLVMConstAllOnes(s->t_bits);
    if (s->t_mask == s->t_bits) return mask;
    /* By the sign: what blends and masked moves look at. */
    return LLVMBuildICmp(s->g->b, LLVMIntSLT, mask, LLVMConstNull(s->t_mask), "");
}

LLVMValueRef simd_mask(simd *s, LLVMValueRef bits)
{
    return s->t_mask == s->t_bits ? bits : LLVMBuildSExt(s->g->b, bits, s->t_mask, "");
}

LLVMValueRef simd_all(simd *s)
{
    return LLVMConstAllOnes(s->t_mask);
}

LLVMValueRef simd_and(simd *s, LLVMValueRef mask, LLVMValueRef other)
{
    if (!mask) return other;
    return other ? LLVMBuildAnd(s->g->b, mask, other, "") : mask;
}

LLVMValueRef simd_and_not(simd *s, LLVMValueRef mask, LLVMValueRef other)
{
    return simd_and(s, mask, LLVMBuildNot(s->g->b, other, ""));
}

LLVMValueRef simd_any(simd *s, LLVMValueRef mask)
{
    gen *g = s->g;
    LLVMTypeRef type = LLVMTypeOf(mask);
    LLVMValueRef all = gen_intrinsic(g, "llvm.vector.reduce.or", &type, 1, &mask, 1);
    return LLVMBuildICmp(g->b, LLVMIntNE, all, LLVMConstNull(LLVMTypeOf(all)), "");
}

LLVMValueRef simd_lanes_on(simd *s)
{
    gen *g = s->g;
    if (!s->mask) return gen_int(g->t_i64, s->w < 64 ? (UINT64_C(1) << s->w) - 1 : UINT64_MAX);
    LLVMTypeRef bits = LLVMIntTypeInContext(g->cx, s->w);
    LLVMValueRef v = LLVMBuildBitCast(g->b, simd_bits(s, s->mask), bits, "");
    return s->w < 64 ? LLVMBuildZExt(g->b, v, g->t_i64, "") : v;
}

LLVMValueRef simd_load_mask(simd *s, LLVMValueRef slot)
{
    return LLVMBuildLoad2(s->g->b, s->t_mask, slot, "");
}

LLVMValueRef simd_slot(simd *s, LLVMTypeRef type, const char *name)
{
    return gen_alloca(s->g, type, name);
}

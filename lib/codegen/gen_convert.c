/* Conversions between scalars, or between vectors of them. */
#include "lib/codegen/gen_int.h"

static LLVMValueRef float_to_float(gen *g, gen_val from, const cpl_type *to)
{
    uint32_t bits = type_bits(from.type), wanted = type_bits(to);
    if (bits == wanted) return from.v;
    /* One step: float64 to float16 through float32 would round twice. */
    return bits < wanted ? LLVMBuildFPExt(g->b, from.v, gen_like(g, from.v, gen_type(g, to)), "")
                         : LLVMBuildFPTrunc(g->b, from.v, gen_like(g, from.v, gen_type(g, to)), "");
}

/* To float16 by way of float32, which holds every integer that does not overflow float16: it rounds once. */
static LLVMValueRef int_to_float(gen *g, gen_val from, const cpl_type *to)
{
    LLVMTypeRef type = gen_like(g, from.v, type_is(to, CPL_FLOAT16) ? g->t_f32 : gen_type(g, to));
    LLVMValueRef v = type_is_signed(from.type) ? LLVMBuildSIToFP(g->b, from.v, type, "")
                                               : LLVMBuildUIToFP(g->b, from.v, type, "");
    return gen_narrow(g, v, to);
}

static LLVMValueRef int_to_int(gen *g, gen_val from, const cpl_type *to)
{
    uint32_t bits = type_bits(from.type), wanted = type_bits(to);
    LLVMTypeRef type = gen_like(g, from.v, gen_type(g, to));
    if (bits == wanted) return from.v;
    if (bits > wanted) return LLVMBuildTrunc(g->b, from.v, type, "");
    return type_is_signed(from.type) ? LLVMBuildSExt(g->b, from.v, type, "") : LLVMBuildZExt(g->b, from.v, type, "");
}

static LLVMValueRef float_to_int(gen *g, gen_val from, const cpl_type *to)
{
    LLVMValueRef v = gen_widen(g, from.v, from.type);
    LLVMTypeRef types[] = {gen_like(g, v, gen_type(g, to)), LLVMTypeOf(v)};
    return gen_intrinsic(g, type_is_signed(to) ? "llvm.fptosi.sat" : "llvm.fptoui.sat", types, 2, &v, 1);
}

static LLVMValueRef to_bool(gen *g, gen_val from)
{
    if (type_is_bool(from.type)) return from.v;
    LLVMValueRef v = gen_widen(g, from.v, from.type), zero = LLVMConstNull(LLVMTypeOf(v));
    return type_is_float(from.type) ? LLVMBuildFCmp(g->b, LLVMRealUNE, v, zero, "")
                                    : LLVMBuildICmp(g->b, LLVMIntNE, v, zero, "");
}

LLVMValueRef gen_convert(gen *g, gen_val from, const cpl_type *to)
{
    if (type_is_bool(to)) return to_bool(g, from);
    if (type_is_float(from.type)) return type_is_float(to) ? float_to_float(g, from, to) : float_to_int(g, from, to);
    return type_is_float(to) ? int_to_float(g, from, to) : int_to_int(g, from, to);
}

LLVMValueRef gen_rawconvert(gen *g, gen_val from, const cpl_type *to)
{
    LLVMTypeRef type = gen_like(g, from.v, gen_type(g, to));
    LLVMValueRef v = gen_widen(g, from.v, from.type);
    return type_is_signed(to) ? LLVMBuildFPToSI(g->b, v, type, "") : LLVMBuildFPToUI(g->b, v, type, "");
}

LLVMValueRef gen_bits(gen *g, gen_val from, const cpl_type *to)
{
    return LLVMBuildBitCast(g->b, from.v, gen_like(g, from.v, gen_type(g, to)), "");
}

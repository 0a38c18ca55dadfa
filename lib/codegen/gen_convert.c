/* Conversions between scalars, or between vectors of them. */
#include "lib/codegen/gen_int.h"

static LLVMValueRef float_to_float(gen *g, gen_val from, const cpl_type *to)
{
    uint32_t bits = type_bits(from.type), wanted = type_bits(to);
    LLVMTypeRef type = gen_like(g, from.v, gen_type(g, to));
    if (bits == wanted) return from.v;
    /* One step: float64 to float16 through float32 would round twice. */
    if (bits > wanted) return LLVMBuildFPTrunc(g->b, from.v, type, "");
    LLVMValueRef v = gen_widen(g, from.v, from.type);
    return LLVMTypeOf(v) == type ? v : LLVMBuildFPExt(g->b, v, type, "");
}

/*
 * The upper and the lower half become floats by putting them into the significands of large ones,
 * 2^84 + 2^63 and 2^52; their sum rounds once. (Mysticial, "How to efficiently perform double/int64
 * conversions with SSE/AVX", int64_to_double_full.)
 */
LLVMValueRef gen_long_to_double(LLVMBuilderRef b, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v), one = LLVMDoubleTypeInContext(LLVMGetTypeContext(type)),
                real = LLVMVectorType(one, LLVMGetVectorSize(type));
    LLVMValueRef high = LLVMBuildLShr(b, v, gen_splat(type, 32), ""),
                 low = LLVMBuildAnd(b, v, gen_splat(type, UINT32_MAX), "");
    high = LLVMBuildXor(b, high, gen_splat(type, UINT64_C(0x4530000080000000)), "");
    low = LLVMBuildOr(b, low, gen_splat(type, UINT64_C(0x4330000000000000)), "");
    LLVMValueRef excess = LLVMConstReal(real, 0x1p84 + 0x1p63 + 0x1p52),
                 upper = LLVMBuildFSub(b, LLVMBuildBitCast(b, high, real, ""), excess, "");
    return LLVMBuildFAdd(b, upper, LLVMBuildBitCast(b, low, real, ""), "");
}

static bool converts_slowly(const gen *g, gen_val from, const cpl_type *to)
{
    bool is_vector = LLVMGetTypeKind(LLVMTypeOf(from.v)) == LLVMVectorTypeKind;
    return is_vector && type_is(from.type, CPL_INT64) && type_is(to, CPL_FLOAT64) &&
           g->options->vector_bits == GEN_CONVERTS_SLOWLY;
}

/* To float16 by way of float32, which holds every integer that does not overflow float16: it rounds
 * once. */
static LLVMValueRef int_to_float(gen *g, gen_val from, const cpl_type *to)
{
    bool half = type_is(to, CPL_FLOAT16);
    LLVMTypeRef type = gen_like(g, from.v, half ? g->t_f32 : gen_type(g, to));
    if (converts_slowly(g, from, to)) return gen_long_to_double(g->b, from.v);
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
    return type_is_signed(from.type) ? LLVMBuildSExt(g->b, from.v, type, "")
                                     : LLVMBuildZExt(g->b, from.v, type, "");
}

/* Intel's OpenCL on CPUs with AVX-512 turns NaN into the largest uint32, not into 0 as OpenCL's
 * saturating conversions do (intel-opencl-rt 2026.2). */
static LLVMValueRef zero_if_nan(gen *g, LLVMValueRef from, LLVMValueRef whole)
{
    LLVMValueRef is_nan = LLVMBuildFCmp(g->b, LLVMRealUNO, from, from, "");
    return LLVMBuildSelect(g->b, is_nan, LLVMConstNull(LLVMTypeOf(whole)), whole, "");
}

static LLVMValueRef float_to_int(gen *g, gen_val from, const cpl_type *to)
{
    LLVMValueRef v = gen_widen(g, from.v, from.type);
    LLVMTypeRef types[] = {gen_like(g, v, gen_type(g, to)), LLVMTypeOf(v)};
    LLVMValueRef whole =
        gen_intrinsic(g, type_is_signed(to) ? "llvm.fptosi.sat" : "llvm.fptoui.sat", types, 2, &v,
                      1);
    return g->traits->zero_for_nan ? zero_if_nan(g, v, whole) : whole;
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
    if (type_is_float(from.type))
        return type_is_float(to) ? float_to_float(g, from, to) : float_to_int(g, from, to);
    return type_is_float(to) ? int_to_float(g, from, to) : int_to_int(g, from, to);
}

LLVMValueRef gen_rawconvert(gen *g, gen_val from, const cpl_type *to)
{
    LLVMTypeRef type = gen_like(g, from.v, gen_type(g, to));
    LLVMValueRef v = gen_widen(g, from.v, from.type);
    return type_is_signed(to) ? LLVMBuildFPToSI(g->b, v, type, "")
                              : LLVMBuildFPToUI(g->b, v, type, "");
}

LLVMValueRef gen_bits(gen *g, gen_val from, const cpl_type *to)
{
    return LLVMBuildBitCast(g->b, from.v, gen_like(g, from.v, gen_type(g, to)), "");
}

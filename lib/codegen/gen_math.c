/*
 * Mathematics: LLVM intrinsics where the result is exact, libm's functions otherwise, with libmvec's vector variants for the
 * vectoriser when vector_math is on. float16 is computed as float32.
 */
#include "lib/codegen/gen_int.h"

typedef struct math_row {
    ir_op op;
    const char *libm;      /* for float64; float32 adds an f */
    const char *intrinsic; /* exactly rounded: used in its place */
    unsigned args;
} math_row;

static const math_row rows[] = {
    {IR_SQRT, NULL, "llvm.sqrt", 1},
    {IR_FLOOR, NULL, "llvm.floor", 1},
    {IR_CEIL, NULL, "llvm.ceil", 1},
    {IR_TRUNC, NULL, "llvm.trunc", 1},
    {IR_ROUND, NULL, "llvm.round", 1},
    {IR_RINT, NULL, "llvm.rint", 1},
    {IR_COPYSIGN, NULL, "llvm.copysign", 2},
    {IR_SIN, "sin", NULL, 1},
    {IR_COS, "cos", NULL, 1},
    {IR_TAN, "tan", NULL, 1},
    {IR_ASIN, "asin", NULL, 1},
    {IR_ACOS, "acos", NULL, 1},
    {IR_ATAN, "atan", NULL, 1},
    {IR_SINH, "sinh", NULL, 1},
    {IR_COSH, "cosh", NULL, 1},
    {IR_TANH, "tanh", NULL, 1},
    {IR_ASINH, "asinh", NULL, 1},
    {IR_ACOSH, "acosh", NULL, 1},
    {IR_ATANH, "atanh", NULL, 1},
    {IR_EXP, "exp", NULL, 1},
    {IR_EXP2, "exp2", NULL, 1},
    {IR_EXPM1, "expm1", NULL, 1},
    {IR_LOG, "log", NULL, 1},
    {IR_LOG2, "log2", NULL, 1},
    {IR_LOG10, "log10", NULL, 1},
    {IR_LOG1P, "log1p", NULL, 1},
    {IR_CBRT, "cbrt", NULL, 1},
    {IR_ERF, "erf", NULL, 1},
    {IR_ERFC, "erfc", NULL, 1},
    {IR_TGAMMA, "tgamma", NULL, 1},
    {IR_LGAMMA, "lgamma", NULL, 1},
    {IR_POW, "pow", NULL, 2},
    {IR_ATAN2, "atan2", NULL, 2},
    {IR_HYPOT, "hypot", NULL, 2},
    {IR_REMAINDER, "remainder", NULL, 2},
    {IR_NEXTAFTER, "nextafter", NULL, 2},
    {IR_LDEXP, "ldexp", NULL, 2},
};

/*
 * Vector variants: names after the vector function ABI of the architecture. x86-64 (github.com/glibc libmvec, "Vector Function ABI"
 * of the x86-64 psABI): b is SSE, d AVX2, e AVX-512; N means without a mask, then come lanes and a v for each vector parameter.
 * Which of them exist is asked from the library at hand.
 */
static const struct { char isa; int bits; } vector_isas[] = {
#if defined(__x86_64__)
    {'b', 128}, {'d', 256}, {'e', 512},
#elif defined(__aarch64__)
    {'n', 128},
#else
    {0, 0},
#endif
};

static const math_row *find_row(ir_op op)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].op == op) return &rows[i];
    return NULL;
}

bool gen_is_math(ir_op op)
{
    const math_row *row = find_row(op);
    return row && row->libm;
}

/* Declares a vector variant and keeps it for the vectoriser. */
static void declare_variant(gen *g, const char *symbol, LLVMTypeRef elem, unsigned lanes, unsigned args)
{
    if (LLVMGetNamedFunction(g->mod, symbol)) return;
    LLVMTypeRef vector = LLVMVectorType(elem, lanes), params[2] = {vector, vector};
    LLVMValueRef fn = gen_runtime(g, symbol, LLVMFunctionType(vector, params, args, 0));
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "willreturn");
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "memory");
    vec_push(&g->c->arena, &g->used, fn);
}

/* The value of "vector-function-abi-variant" for a scalar function: "_ZGVdN4v_sin(_ZGVdN4v_sin),..."; NULL when it has none. */
static const char *variants(gen *g, const char *scalar, LLVMTypeRef elem, unsigned args)
{
    const char *list = NULL;
    if (!g->options->vector_math || !g->options->vector_symbol) return NULL;
    for (size_t i = 0; i < COUNT_OF(vector_isas); i++) {
        if (!vector_isas[i].bits || vector_isas[i].bits > g->options->vector_bits) continue;
        unsigned lanes = (unsigned)vector_isas[i].bits / (elem == g->t_f32 ? 32 : 64);
        const char *symbol = arena_printf(&g->c->arena, "_ZGV%cN%u%s_%s", vector_isas[i].isa, lanes,
                                          args == 2 ? "vv" : "v", scalar);
        if (!g->options->vector_symbol(symbol)) continue;
        declare_variant(g, symbol, elem, lanes, args);
        list = list ? arena_printf(&g->c->arena, "%s(%s),%s", symbol, symbol, list)
                    : arena_printf(&g->c->arena, "%s(%s)", symbol, symbol);
    }
    return list;
}

static LLVMValueRef declare_libm(gen *g, const char *symbol, LLVMTypeRef type)
{
    LLVMValueRef fn = gen_runtime(g, symbol, type);
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "willreturn");
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "memory"); /* none: errno is nobody's business here */
    return fn;
}

static LLVMValueRef call_libm(gen *g, const math_row *row, LLVMValueRef *args)
{
    LLVMTypeRef elem = LLVMTypeOf(args[0]), params[2] = {elem, row->op == IR_LDEXP ? g->t_i32 : elem};
    const char *symbol = elem == g->t_f32 ? arena_printf(&g->c->arena, "%sf", row->libm) : row->libm;
    LLVMValueRef fn = declare_libm(g, symbol, LLVMFunctionType(elem, params, row->args, 0));
    LLVMValueRef call = gen_call_runtime(g, fn, args, row->args);
    if (!g->options->vector_math) {
        gen_call_attr(g, call, "nobuiltin"); /* libm's result itself, not what LLVM knows to be about the same */
        return call;
    }
    LLVMSetFastMathFlags(call, g->fast | LLVMFastMathApproxFunc);
    const char *list = row->op == IR_LDEXP ? NULL : variants(g, symbol, elem, row->args);
    if (list) {
        static const char key[] = "vector-function-abi-variant";
        LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                                 LLVMCreateStringAttribute(g->cx, key, sizeof key - 1, list,
                                                           (unsigned)strlen(list)));
    }
    return call;
}

static LLVMValueRef constant_real(LLVMValueRef like, double value)
{
    return LLVMConstReal(LLVMTypeOf(like), value);
}

/* a - b where positive, else 0, but NaN for NaN: false for unordered operands, whose difference is NaN. */
static LLVMValueRef positive_difference(gen *g, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef none = LLVMBuildFCmp(g->b, LLVMRealOLE, a, b, "");
    LLVMValueRef difference = gen_fast(g, LLVMBuildFSub(g->b, a, b, ""));
    return gen_fast(g, LLVMBuildSelect(g->b, none, constant_real(a, 0), difference, ""));
}

/* ldexp takes an int; exponents past 5000 give zero or infinity for every float anyway. */
static LLVMValueRef exponent(gen *g, const ir_node *n)
{
    gen_val e = gen_expr(g, n);
    const uint64_t most = 5000;
    if (type_bits(e.type) >= 32) {
        LLVMTypeRef type = LLVMTypeOf(e.v);
        e.v = gen_min_max(g, false, e.v, gen_int(g, type, most), e.type);
        if (type_is_signed(e.type)) e.v = gen_min_max(g, true, e.v, gen_int(g, type, 0 - most), e.type);
    }
    return LLVMBuildTrunc(g->b, gen_i64(g, e), g->t_i32, "");
}

gen_val gen_math(gen *g, const ir_node *n)
{
    const math_row *row = find_row(n->op);
    const cpl_type *t = n->type;
    LLVMValueRef args[2] = {gen_widen(g, gen_expr(g, n->kids[0]).v, t)}, v;
    if (n->op == IR_LDEXP) args[1] = exponent(g, n->kids[1]);
    else if (n->kid_count > 1) args[1] = gen_widen(g, gen_expr(g, n->kids[1]).v, t);
    if (n->op == IR_FDIM) {
        v = positive_difference(g, args[0], args[1]);
    } else if (row && row->intrinsic) {
        LLVMTypeRef type = LLVMTypeOf(args[0]);
        v = gen_fast(g, gen_intrinsic(g, row->intrinsic, &type, 1, args, row->args));
    } else if (row) {
        v = call_libm(g, row, args);
    } else {
        gen_internal_error(g, n, "has no math function");
        v = args[0];
    }
    return (gen_val){gen_narrow(g, v, t), t};
}

static LLVMValueRef whole_quotient(gen *g, LLVMValueRef div, LLVMValueRef plain)
{
    LLVMTypeRef type = LLVMTypeOf(div);
    LLVMValueRef zero = LLVMConstNull(type), floor = gen_intrinsic(g, "llvm.floor", &type, 1, &div, 1);
    LLVMValueRef rest = LLVMBuildFSub(g->b, div, floor, "");
    LLVMValueRef short_of = LLVMBuildFCmp(g->b, LLVMRealOGT, rest, constant_real(div, 0.5), "");
    LLVMValueRef more = LLVMBuildFAdd(g->b, floor, constant_real(div, 1), "");
    LLVMValueRef signed_zero[] = {zero, plain};
    LLVMValueRef nothing = gen_intrinsic(g, "llvm.copysign", &type, 1, signed_zero, 2);
    LLVMValueRef is_zero = LLVMBuildFCmp(g->b, LLVMRealOEQ, div, zero, "");
    return LLVMBuildSelect(g->b, is_zero, nothing, LLVMBuildSelect(g->b, short_of, more, floor, ""), "");
}

/* As CPython's float_divmod and as lib/ir/eval.c, step by step; without fast-math flags, since each step corrects the one before. */
LLVMValueRef gen_fmod_floor(gen *g, bool quotient, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef zero = LLVMConstNull(type);
    LLVMValueRef mod = LLVMBuildFRem(g->b, a, b, "");
    LLVMValueRef some = LLVMBuildFCmp(g->b, LLVMRealUNE, mod, zero, "");
    LLVMValueRef signs = LLVMBuildXor(g->b, LLVMBuildFCmp(g->b, LLVMRealOLT, b, zero, ""),
                                      LLVMBuildFCmp(g->b, LLVMRealOLT, mod, zero, ""), "");
    LLVMValueRef correct = LLVMBuildAnd(g->b, some, signs, "");
    if (!quotient) {
        LLVMValueRef moved = LLVMBuildSelect(g->b, correct, LLVMBuildFAdd(g->b, mod, b, ""), mod, "");
        LLVMValueRef args[] = {zero, b};
        LLVMValueRef nothing = gen_intrinsic(g, "llvm.copysign", &type, 1, args, 2);
        return LLVMBuildSelect(g->b, some, moved, nothing, "");
    }
    LLVMValueRef div = LLVMBuildFDiv(g->b, LLVMBuildFSub(g->b, a, mod, ""), b, "");
    div = LLVMBuildSelect(g->b, correct, LLVMBuildFSub(g->b, div, constant_real(a, 1), ""), div, "");
    LLVMValueRef plain = LLVMBuildFDiv(g->b, a, b, "");
    LLVMValueRef by_zero = LLVMBuildFCmp(g->b, LLVMRealOEQ, b, zero, "");
    return LLVMBuildSelect(g->b, by_zero, plain, whole_quotient(g, div, plain), "");
}

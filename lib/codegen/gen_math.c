/*
 * Mathematics: LLVM intrinsics where the result is exact, libm's functions otherwise, with
 * libmvec's vector variants for the vectoriser when vector_math is on; with fast_math some are
 * arithmetic in place (gen_elementary.c). float16 is computed as float32.
 */
#include "lib/codegen/gen_int.h"

/*
 * Vector variants: names after the vector function ABI of the architecture. x86-64
 * (github.com/glibc libmvec, "Vector Function ABI" of the x86-64 psABI): b is SSE, d AVX2, e
 * AVX-512; N means without a mask, then come lanes and a v for each vector parameter. Which of them
 * exist is asked from the library at hand.
 */
static const struct {
    char isa;
    int bits;
} vector_isas[] = {
#if defined(__x86_64__)
    {'b', 128},
    {'d', 256},
    {'e', 512},
#elif defined(__aarch64__)
    {'n', 128},
#else
    {0, 0},
#endif
};

/* "_ZGVdN4v_sin", and how many lanes it takes. */
static const char *variant_symbol(gen *g, size_t isa, const char *scalar, LLVMTypeRef elem,
                                  unsigned args, unsigned *lanes)
{
    *lanes = (unsigned)vector_isas[isa].bits / (elem == g->t_f32 ? 32 : 64);
    return arena_printf(&g->c->arena, "_ZGV%cN%u%s_%s", vector_isas[isa].isa, *lanes,
                        args == 2 ? "vv" : "v", scalar);
}

static LLVMValueRef vector_function(gen *g, const char *symbol, LLVMTypeRef elem, unsigned lanes,
                                    unsigned args)
{
    LLVMTypeRef vector = LLVMVectorType(elem, lanes), params[2] = {vector, vector};
    LLVMValueRef fn = gen_runtime(g, symbol, LLVMFunctionType(vector, params, args, 0));
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "willreturn");
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "memory");
    return fn;
}

/* For the vectoriser. */
static void keep(gen *g, LLVMValueRef fn)
{
    for (uint32_t i = 0; i < g->used.n; i++)
        if (g->used.at[i] == fn) return;
    vec_push(&g->c->arena, &g->used, fn);
}

static LLVMValueRef declare_libm(gen *g, const char *symbol, LLVMTypeRef type)
{
    LLVMValueRef fn = gen_runtime(g, symbol, type);
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "willreturn");
    /* none: errno is nobody's business here */
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "memory");
    return fn;
}

/* libm's and the vector libraries' name of a function: the op's, with an f for float32. */
static const char *libm_name(gen *g, ir_op op, bool wide)
{
    return wide ? ir_ops[op].text : arena_printf(&g->c->arena, "%sf", ir_ops[op].text);
}

static unsigned operand_count(ir_op op)
{
    return (unsigned)strlen(ir_ops[op].operands);
}

/* The library's name of a variant, and how many lanes it takes; NULL: there is none. */
static const char *library_symbol(gen *g, size_t isa, ir_op op, LLVMTypeRef elem, unsigned *lanes)
{
    const char *symbol =
        variant_symbol(g, isa, libm_name(g, op, elem != g->t_f32), elem, operand_count(op), lanes);
    return g->options->vector_symbol(symbol) ? symbol : NULL;
}

static bool has_library(const gen *g)
{
    return g->options->vector_math && g->options->vector_symbol;
}

LLVMValueRef gen_library_variant(gen *g, ir_op op, int bits)
{
    for (size_t i = 0; i < COUNT_OF(vector_isas) && has_library(g); i++) {
        unsigned lanes;
        if (vector_isas[i].bits != bits) continue;
        const char *symbol = library_symbol(g, i, op, g->t_f64, &lanes);
        return symbol ? vector_function(g, symbol, g->t_f64, lanes, operand_count(op)) : NULL;
    }
    return NULL;
}

/* Of the widest vectors it is the module's own that is faster than the library's. */
static bool is_own(const gen *g, size_t isa, ir_op op, LLVMTypeRef elem)
{
    return vector_isas[isa].bits == 512 && gen_has_wide(g, op, elem);
}

/* Whether vectors of the CPU have a variant, and how many lanes it takes. */
static bool has_variant(gen *g, size_t isa, ir_op op, LLVMTypeRef elem, unsigned *lanes)
{
    int bits = vector_isas[isa].bits;
    if (!has_library(g) || op == IR_LDEXP || !bits || bits > g->vector_bits) return false;
    return library_symbol(g, isa, op, elem, lanes) || is_own(g, isa, op, elem);
}

/* One that there is. */
static LLVMValueRef variant(gen *g, size_t isa, ir_op op, LLVMTypeRef elem)
{
    unsigned lanes;
    if (is_own(g, isa, op, elem)) return gen_wide_function(g, op);
    const char *symbol = library_symbol(g, isa, op, elem, &lanes);
    return vector_function(g, symbol, elem, lanes, operand_count(op));
}

/* The value of "vector-function-abi-variant" for a scalar function:
 * "_ZGVdN4v_sin(_ZGVdN4v_sin),..."; NULL when it has none. */
static const char *variants(gen *g, ir_op op, LLVMTypeRef elem)
{
    const char *list = NULL, *scalar = libm_name(g, op, elem != g->t_f32);
    for (size_t i = 0; i < COUNT_OF(vector_isas); i++) {
        unsigned lanes;
        if (!has_variant(g, i, op, elem, &lanes)) continue;
        LLVMValueRef fn = variant(g, i, op, elem);
        if (LLVMIsDeclaration(fn)) keep(g, fn);
        const char *symbol = variant_symbol(g, i, scalar, elem, operand_count(op), &lanes);
        list = arena_printf(&g->c->arena, "%s(%s)%s%s", symbol, LLVMGetValueName(fn),
                            list ? "," : "", list ? list : "");
    }
    return list;
}

static LLVMValueRef call_libm(gen *g, ir_op op, LLVMValueRef *args)
{
    unsigned n = operand_count(op);
    if (gen_is_device(g)) return gen_device_math(g, ir_ops[op].text, args, n);
    LLVMTypeRef elem = LLVMTypeOf(args[0]), params[2] = {elem, op == IR_LDEXP ? g->t_i32 : elem};
    const char *symbol = libm_name(g, op, elem != g->t_f32);
    LLVMValueRef fn = declare_libm(g, symbol, LLVMFunctionType(elem, params, n, 0));
    LLVMValueRef call = gen_call_runtime(g, fn, args, n);
    if (!g->options->vector_math) {
        /* libm's result itself, not what LLVM knows to be about the same */
        gen_call_attr(g, call, "nobuiltin");
        return call;
    }
    /* No finite-math flags: with them LLVM makes intrinsics of some calls, which have no vector
     * variants. A power whose exponent is a converted integer would become repeated products, as
     * many roundings as there are, by a function that is not there. */
    bool multiplies = op == IR_POW && !LLVMIsConstant(args[1]);
    LLVMSetFastMathFlags(call, (g->fast & LLVMFastMathAllowContract) |
                                   (multiplies ? LLVMFastMathNone : LLVMFastMathApproxFunc));
    const char *list = variants(g, op, elem);
    if (list) gen_inner_variants(g, call, list);
    return call;
}

/* Part of a vector: `count` lanes from `first`. */
static LLVMValueRef slice(gen *g, LLVMValueRef v, unsigned first, unsigned count)
{
    LLVMValueRef lanes[64];
    if (count == LLVMGetVectorSize(LLVMTypeOf(v))) return v;
    for (unsigned i = 0; i < count; i++) lanes[i] = gen_int(g->t_i32, first + i);
    return LLVMBuildShuffleVector(g->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                  LLVMConstVector(lanes, count), "");
}

enum { NO_ISA = COUNT_OF(vector_isas) };

/* Which vectors have the widest variant for at most *lanes lanes, and how many it takes. */
static size_t widest_variant(gen *g, ir_op op, LLVMTypeRef elem, unsigned *lanes)
{
    size_t found = NO_ISA;
    unsigned most = *lanes, n;
    for (size_t i = 0; i < COUNT_OF(vector_isas); i++) {
        if (!has_variant(g, i, op, elem, &n) || n > most) continue;
        found = i;
        *lanes = n;
    }
    return found;
}

bool gen_has_variant(gen *g, const ir_node *n)
{
    if (gen_has_elementary(g, n)) return true;
    unsigned lanes = 64;
    LLVMTypeRef elem = type_is(n->type, CPL_FLOAT64) ? g->t_f64 : g->t_f32;
    return widest_variant(g, n->op, elem, &lanes) != NO_ISA;
}

/* On vectors: vector variants on as many lanes as they take, or one call a lane. */
static LLVMValueRef call_lanes(gen *g, ir_op op, LLVMValueRef *args)
{
    LLVMTypeRef type = LLVMTypeOf(args[0]), elem = LLVMGetElementType(type);
    unsigned w = LLVMGetVectorSize(type), lanes = w;
    unsigned count = operand_count(op);
    size_t isa = widest_variant(g, op, elem, &lanes);
    LLVMValueRef v = LLVMGetPoison(type), fn = isa == NO_ISA ? NULL : variant(g, isa, op, elem);
    LLVMValueRef parts[64];
    if (!fn) lanes = 1;
    for (unsigned at = 0; at < w; at += lanes) {
        LLVMValueRef part[2] = {0};
        for (unsigned k = 0; k < count; k++)
            part[k] = fn ? slice(g, args[k], at, lanes)
                         : LLVMBuildExtractElement(g->b, args[k], gen_int(g->t_i32, at), "");
        parts[at / lanes] = fn ? gen_call_runtime(g, fn, part, count) : call_libm(g, op, part);
    }
    if (!fn) {
        for (unsigned i = 0; i < w; i++)
            v = LLVMBuildInsertElement(g->b, v, parts[i], gen_int(g->t_i32, i), "");
        return v;
    }
    for (unsigned n = w / lanes; n > 1; n /= 2) /* pairs, until one is left */
        for (unsigned i = 0; i < n / 2; i++) {
            LLVMValueRef order[64], low = parts[2 * i], high = parts[2 * i + 1];
            unsigned width = 2 * LLVMGetVectorSize(LLVMTypeOf(low));
            for (unsigned k = 0; k < width; k++) order[k] = gen_int(g->t_i32, k);
            parts[i] = LLVMBuildShuffleVector(g->b, low, high, LLVMConstVector(order, width), "");
        }
    return parts[0];
}

static LLVMValueRef constant_real(LLVMValueRef like, double value)
{
    return LLVMConstReal(LLVMTypeOf(like), value);
}

/* a - b where positive, else 0, but NaN for NaN: false for unordered operands, whose difference is
 * NaN. */
static LLVMValueRef positive_difference(gen *g, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef none = LLVMBuildFCmp(g->b, LLVMRealOLE, a, b, "");
    LLVMValueRef difference = gen_fast(g, LLVMBuildFSub(g->b, a, b, ""));
    return gen_fast(g, LLVMBuildSelect(g->b, none, constant_real(a, 0), difference, ""));
}

/* ldexp takes an int; exponents past 5000 give zero or infinity for every float anyway. */
static LLVMValueRef exponent(gen *g, gen_val e)
{
    const uint64_t most = 5000;
    if (type_bits(e.type) >= 32) {
        LLVMTypeRef type = LLVMTypeOf(e.v);
        e.v = gen_min_max(g, false, e.v, gen_int(type, most), e.type);
        if (type_is_signed(e.type))
            e.v = gen_min_max(g, true, e.v, gen_int(type, 0 - most), e.type);
    }
    return LLVMBuildTrunc(g->b, gen_i64(g, e), gen_like(g, e.v, g->t_i32), "");
}

LLVMValueRef gen_math(gen *g, const ir_node *n, LLVMValueRef *operands)
{
    const cpl_type *t = n->type;
    LLVMValueRef args[2] = {gen_widen(g, operands[0], t)}, v;
    if (n->op == IR_LDEXP) args[1] = exponent(g, (gen_val){operands[1], n->kids[1]->type});
    else if (n->kid_count > 1) args[1] = gen_widen(g, operands[1], t);
    if (n->op == IR_FDIM) {
        v = positive_difference(g, args[0], args[1]);
    } else if (ir_op_kind(n->op) == IR_KIND_EXACT) {
        LLVMTypeRef type = LLVMTypeOf(args[0]);
        const char *name = arena_printf(&g->c->arena, "llvm.%s", ir_ops[n->op].text);
        if (!(v = gen_quick(g, n->op, args[0], NULL)))
            v = gen_fast(g, gen_intrinsic(g, name, &type, 1, args, n->kid_count));
    } else if (gen_has_elementary(g, n)) {
        v = gen_elementary(g, n->op, args);
    } else {
        bool is_vector = LLVMGetTypeKind(LLVMTypeOf(args[0])) == LLVMVectorTypeKind;
        v = is_vector ? call_lanes(g, n->op, args) : call_libm(g, n->op, args);
    }
    return gen_narrow(g, v, t);
}

static LLVMValueRef whole_quotient(gen *g, LLVMValueRef div, LLVMValueRef plain)
{
    LLVMTypeRef type = LLVMTypeOf(div);
    LLVMValueRef zero = LLVMConstNull(type),
                 floor = gen_intrinsic(g, "llvm.floor", &type, 1, &div, 1);
    LLVMValueRef rest = LLVMBuildFSub(g->b, div, floor, "");
    LLVMValueRef short_of = LLVMBuildFCmp(g->b, LLVMRealOGT, rest, constant_real(div, 0.5), "");
    LLVMValueRef more = LLVMBuildFAdd(g->b, floor, constant_real(div, 1), "");
    LLVMValueRef signed_zero[] = {zero, plain};
    LLVMValueRef nothing = gen_intrinsic(g, "llvm.copysign", &type, 1, signed_zero, 2);
    LLVMValueRef is_zero = LLVMBuildFCmp(g->b, LLVMRealOEQ, div, zero, "");
    return LLVMBuildSelect(g->b, is_zero, nothing, LLVMBuildSelect(g->b, short_of, more, floor, ""),
                           "");
}

/* As CPython's float_divmod and as lib/ir/eval.c, step by step; without fast-math flags, since each
 * step corrects the one before. */
LLVMValueRef gen_fmod_floor(gen *g, bool quotient, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef zero = LLVMConstNull(type);
    LLVMValueRef mod = gen_fmod(g, a, b);
    LLVMValueRef some = LLVMBuildFCmp(g->b, LLVMRealUNE, mod, zero, "");
    LLVMValueRef signs = LLVMBuildXor(g->b, LLVMBuildFCmp(g->b, LLVMRealOLT, b, zero, ""),
                                      LLVMBuildFCmp(g->b, LLVMRealOLT, mod, zero, ""), "");
    LLVMValueRef correct = LLVMBuildAnd(g->b, some, signs, "");
    if (!quotient) {
        LLVMValueRef moved =
            LLVMBuildSelect(g->b, correct, LLVMBuildFAdd(g->b, mod, b, ""), mod, "");
        LLVMValueRef args[] = {zero, b};
        LLVMValueRef nothing = gen_intrinsic(g, "llvm.copysign", &type, 1, args, 2);
        return LLVMBuildSelect(g->b, some, moved, nothing, "");
    }
    LLVMValueRef div = LLVMBuildFDiv(g->b, LLVMBuildFSub(g->b, a, mod, ""), b, "");
    div =
        LLVMBuildSelect(g->b, correct, LLVMBuildFSub(g->b, div, constant_real(a, 1), ""), div, "");
    LLVMValueRef plain = LLVMBuildFDiv(g->b, a, b, "");
    LLVMValueRef by_zero = LLVMBuildFCmp(g->b, LLVMRealOEQ, b, zero, "");
    return LLVMBuildSelect(g->b, by_zero, plain, whole_quotient(g, div, plain), "");
}

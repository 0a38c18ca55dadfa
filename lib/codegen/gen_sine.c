/*
 * sin and cos of float64 as arithmetic in place of calls, where gen_elementary.c says so: x = k pi
 * + r by W. J. Cody and W. Waite's reduction, |r| <= pi/2, and (-1)**k sin(r). The first of three
 * steps is exact, and the words of pi last as long as k has 40 bits; past that, for |x| >= 2**41 or
 * so, libm answers. Largest error seen in millions of arguments: 2.8 ULP, next to 1, which a result
 * may pass by its last bit (1 of 3000 as near as 10**-3 to where the function is 1): a comparison
 * for that costs 15 % of a loop through memory.
 *
 * That is a branch, which LLVM's loop vectoriser does not take. So scalar code calls a function of
 * this module, whose vector variants stand beside it: the vectoriser calls those, and they are
 * inlined after it.
 */
#include "lib/codegen/gen_int.h"

/* (sin(r)/r - 1)/r**2 in r**2, |r| <= pi/2 and a little, by E. Y. Remez's algorithm with 200 bits:
 * 2**-61 of sin(r), before its rounding. */
static const double terms[] = {-0x1.5555555555555p-3,  0x1.11111111110bfp-7,
                               -0x1.a01a01a0146a3p-13, 0x1.71de3a5279016p-19,
                               -0x1.ae6454c469aefp-26, 0x1.6123c9613a6e0p-33,
                               -0x1.ae42a48391ed1p-41, 0x1.881ca3f1974b2p-49};
/* pi in words; the second is rounded down, so that the third is positive too and -0 stays what it
 * is. */
static const double pi_words[] = {0x1.921fb54442d18p+1, 0x1.1a62633145c06p-53,
                                  0x1.c1cd129024e09p-106};

#define PER_PI       0x1.45f306dc9c883p-2
#define ROUNDER      0x1.8p52 /* adding it leaves a rounded integer in the low bits */
#define MOST_SQUARED 0x1p80   /* of k */

typedef LLVMValueRef value;

static value real(value like, double x)
{
    return LLVMConstReal(LLVMTypeOf(like), x);
}

static value fused(gen *g, value a, value b, value c)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    return gen_intrinsic(g, "llvm.fma", &type, 1, (value[]){a, b, c}, 3);
}

static value bits_of(gen *g, value a)
{
    return LLVMBuildBitCast(g->b, a, gen_like(g, a, g->t_i64), "");
}

static unsigned lanes_of(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

/* Pairs of terms, then one after the other: half as many steps wait for one another, and one square
 * is enough. */
static value polynomial(gen *g, value z)
{
    value square = LLVMBuildFMul(g->b, z, z, ""), sum = NULL;
    for (unsigned i = COUNT_OF(terms); i; i -= 2) {
        value two = fused(g, real(z, terms[i - 1]), z, real(z, terms[i - 2]));
        sum = sum ? fused(g, sum, square, two) : two;
    }
    return sum;
}

/* The result where *room, the bits of 2**80 - k**2, is not negative. */
static value near_zero(gen *g, ir_op op, value x, value *room)
{
    value rounded;
    if (op == IR_SIN) {
        rounded = fused(g, x, real(x, PER_PI), real(x, ROUNDER));
    } else { /* cos(x) = sin(x + pi/2) */
        rounded =
            LLVMBuildFAdd(g->b, fused(g, x, real(x, PER_PI), real(x, 0.5)), real(x, ROUNDER), "");
    }
    value k = LLVMBuildFAdd(g->b, rounded, real(x, -ROUNDER), "");
    *room = bits_of(g, fused(g, LLVMBuildFNeg(g->b, k, ""), k, real(x, MOST_SQUARED)));
    if (op == IR_COS) k = LLVMBuildFAdd(g->b, k, real(x, -0.5), "");
    value r = x;
    for (unsigned i = 0; i < COUNT_OF(pi_words); i++) r = fused(g, k, real(x, -pi_words[i]), r);
    value z = LLVMBuildFMul(g->b, r, r, "");
    /* a product, for r = -0 */
    value s = LLVMBuildFMul(g->b, fused(g, polynomial(g, z), z, real(z, 1)), r, "");
    value odd =
        LLVMBuildShl(g->b, bits_of(g, rounded), gen_int(g, gen_like(g, x, g->t_i64), 63), "");
    return LLVMBuildBitCast(g->b, LLVMBuildXor(g->b, bits_of(g, s), odd, ""), LLVMTypeOf(x), "");
}

static value is_far(gen *g, value room)
{
    return LLVMBuildICmp(g->b, LLVMIntSLT, room, LLVMConstNull(LLVMTypeOf(room)), "");
}

typedef struct place { /* what building another function interrupts */
    value fn;
    LLVMBasicBlockRef block;
    gen_place source;
} place;

/* A function of vectors or scalars of this type, made on first use; *is_new: its body is to be
 * built, and leave comes after it. */
static value enter(gen *g, const char *name, LLVMTypeRef type, unsigned params, place *before,
                   bool *is_new)
{
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef types[] = {type, type,
                           is_vector ? LLVMVectorType(g->t_i64, lanes_of(type)) : g->t_i64};
    const char *symbol = arena_printf(&g->c->arena, "cpl.fast.%s.%u", name, lanes_of(type));
    value fn = LLVMGetNamedFunction(g->mod, symbol);
    *is_new = !fn;
    if (fn) return fn;
    fn = gen_runtime(g, symbol, LLVMFunctionType(type, types, params, 0));
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "willreturn");
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "memory"); /* none */
    gen_attr_text(g, fn, "prefer-vector-width", arena_printf(&g->c->arena, "%d", g->vector_bits));
    *before = (place){g->fn, LLVMGetInsertBlock(g->b), gen_debug_save(g)};
    LLVMSetCurrentDebugLocation2(g->b, NULL);
    g->fn = fn;
    gen_at(g, LLVMAppendBasicBlockInContext(g->cx, fn, "entry"));
    return fn;
}

static void leave(gen *g, const place *before, value result)
{
    LLVMBuildRet(g->b, result);
    g->fn = before->fn;
    LLVMPositionBuilderAtEnd(g->b, before->block);
    gen_debug_restore(g, before->source);
}

/* (x, near, room): libm's result for those lanes that have no room left. */
static value far_function(gen *g, const char *libm, LLVMTypeRef type)
{
    place before;
    bool is_new;
    value fn = enter(g, arena_printf(&g->c->arena, "%s.far", libm), type, 3, &before, &is_new);
    if (!is_new) return fn;
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "cold");
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "noinline");
    value x = LLVMGetParam(fn, 0), result = LLVMGetPoison(type);
    value callee = gen_runtime(g, libm, LLVMFunctionType(g->t_f64, &g->t_f64, 1, 0));
    gen_attr(g, callee, LLVMAttributeFunctionIndex, "willreturn");
    gen_attr(g, callee, LLVMAttributeFunctionIndex, "memory");
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    for (unsigned i = 0; i < lanes_of(type); i++) {
        value at = gen_int(g, g->t_i32, i),
              one = is_vector ? LLVMBuildExtractElement(g->b, x, at, "") : x;
        one = gen_call_runtime(g, callee, &one, 1);
        gen_call_attr(g, one, "nobuiltin");
        result = is_vector ? LLVMBuildInsertElement(g->b, result, one, at, "") : one;
    }
    leave(g, &before,
          LLVMBuildSelect(g->b, is_far(g, LLVMGetParam(fn, 2)), result, LLVMGetParam(fn, 1), ""));
    return fn;
}

static value function(gen *g, ir_op op, LLVMTypeRef type)
{
    const char *libm = op == IR_SIN ? "sin" : "cos";
    place before;
    bool is_new, is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    value fn = enter(g, libm, type, 1, &before, &is_new), room;
    if (!is_new) return fn;
    /* see above */
    gen_attr(g, fn, LLVMAttributeFunctionIndex, is_vector ? "alwaysinline" : "noinline");
    value x = LLVMGetParam(fn, 0), near = near_zero(g, op, x, &room), far = is_far(g, room);
    if (is_vector) far = gen_unary_intrinsic(g, "llvm.vector.reduce.or", far);
    LLVMBasicBlockRef entry = LLVMGetInsertBlock(g->b), some = gen_block_new(g, "far"),
                      done = gen_block_new(g, "done");
    LLVMBuildCondBr(g->b, far, some, done);
    gen_at(g, some);
    value args[] = {x, near, room},
          other = gen_call_runtime(g, far_function(g, libm, type), args, COUNT_OF(args));
    LLVMBuildBr(g->b, done);
    gen_at(g, done);
    value result = LLVMBuildPhi(g->b, type, "");
    LLVMAddIncoming(result, (value[]){near, other}, (LLVMBasicBlockRef[]){entry, some}, 2);
    leave(g, &before, result);
    return fn;
}

/* For every length of the CPU's vectors: LLVM's own name of a variant, in brackets the function. */
static const char *variants(gen *g, ir_op op, const char *scalar)
{
    const char *list = "";
    for (int lanes = g->vector_bits / 64; lanes > 1; lanes /= 2) {
        value fn = function(g, op, LLVMVectorType(g->t_f64, (unsigned)lanes));
        list = arena_printf(&g->c->arena, "%s%s_ZGV_LLVM_N%dv_%s(%s)", list, *list ? "," : "",
                            lanes, scalar, LLVMGetValueName(fn));
    }
    return list;
}

value gen_sine(gen *g, ir_op op, value x)
{
    value fn = function(g, op, LLVMTypeOf(x)), call = gen_call_runtime(g, fn, &x, 1);
    if (LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind) return call;
    static const char key[] = "vector-function-abi-variant";
    const char *list = variants(g, op, LLVMGetValueName(fn));
    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                             LLVMCreateStringAttribute(g->cx, key, sizeof key - 1, list,
                                                       (unsigned)strlen(list)));
    return call;
}

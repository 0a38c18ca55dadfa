/*
 * sin and cos of float64 as arithmetic in place of calls, where gen_elementary.c says so: x = k pi
 * + r by W. J. Cody and W. Waite's reduction, |r| <= pi/2, and (-1)**k sin(r). The first of three
 * steps is exact, and the words of pi last as long as k has 40 bits; past that, for |x| >= 2**41 or
 * so, libm answers. Largest error seen in millions of arguments: 2.8 ULP, next to 1, which a result
 * may pass by its last bit (1 of 3000 as near as 10**-3 to where the function is 1): a comparison
 * for that costs 15 % of a loop through memory.
 */
#include "lib/codegen/gen_arith.h"

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

/* The result where *room, the bits of 2**80 - k**2, is not negative. */
static value near_zero(gen *g, ir_op op, value x, value *room)
{
    value rounded;
    if (op == IR_SIN) {
        rounded = fused(g, x, real(x, PER_PI), real(x, ROUNDER));
    } else { /* cos(x) = sin(x + pi/2) */
        rounded = add(g, fused(g, x, real(x, PER_PI), real(x, 0.5)), real(x, ROUNDER));
    }
    value k = add(g, rounded, real(x, -ROUNDER));
    *room = bits_of_f64(g, fused(g, minus(g, k), k, real(x, MOST_SQUARED)));
    if (op == IR_COS) k = add(g, k, real(x, -0.5));
    value r = x;
    for (unsigned i = 0; i < COUNT_OF(pi_words); i++) r = fused(g, k, real(x, -pi_words[i]), r);
    value z = mul(g, r, r);
    /* a product, for r = -0 */
    value s = mul(g, fused(g, sum_of_pairs(g, z, terms, COUNT_OF(terms)), z, real(z, 1)), r);
    value odd =
        LLVMBuildShl(g->b, bits_of_f64(g, rounded), gen_int(gen_like(g, x, g->t_i64), 63), "");
    return LLVMBuildBitCast(g->b, LLVMBuildXor(g->b, bits_of_f64(g, s), odd, ""), LLVMTypeOf(x),
                            "");
}

static value function(gen *g, ir_op op, LLVMTypeRef type)
{
    const char *libm = op == IR_SIN ? "sin" : "cos",
               *name = arena_printf(&g->c->arena, "fast.%s", libm);
    gen_inner in;
    if (!gen_inner_enter(g, &in, name, type, &type, 1)) return in.fn;
    gen_attr(g, in.fn, LLVMAttributeFunctionIndex,
             gen_lanes(type) > 1 ? "alwaysinline" : "noinline");
    value x = LLVMGetParam(in.fn, 0), room, near = near_zero(g, op, x, &room);
    gen_inner_leave(g, &in, gen_inner_or_libm(g, name, &(gen_libm){libm, NULL}, &x, 1, near, room));
    return in.fn;
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
    gen_inner_variants(g, call, variants(g, op, LLVMGetValueName(fn)));
    return call;
}

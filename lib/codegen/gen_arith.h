/* Short names for arithmetic on floats, scalars or vectors, without fast-math flags: in functions
 * of mathematics every rounding counts. */
#ifndef CPL_GEN_ARITH_H
#define CPL_GEN_ARITH_H

#include "lib/codegen/gen_int.h"

typedef LLVMValueRef value;

static inline value real(value like, double x)
{
    return LLVMConstReal(LLVMTypeOf(like), x);
}

static inline value add(gen *g, value a, value b)
{
    return LLVMBuildFAdd(g->b, a, b, "");
}

static inline value sub(gen *g, value a, value b)
{
    return LLVMBuildFSub(g->b, a, b, "");
}

static inline value mul(gen *g, value a, value b)
{
    return LLVMBuildFMul(g->b, a, b, "");
}

static inline value minus(gen *g, value a)
{
    return LLVMBuildFNeg(g->b, a, "");
}

static inline value choose(gen *g, value c, value a, value b)
{
    return LLVMBuildSelect(g->b, c, a, b, "");
}

static inline value fused(gen *g, value a, value b, value c)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    return gen_intrinsic(g, "llvm.fma", &type, 1, (value[]){a, b, c}, 3);
}

/* of float64 */
static inline value bits_of_f64(gen *g, value a)
{
    return LLVMBuildBitCast(g->b, a, gen_like(g, a, g->t_i64), "");
}

/* terms[0] + terms[1] x + ..., pairs of terms, then one after the other: half as many steps wait
 * for one another, and one square is enough. count: even. */
static inline value sum_of_pairs(gen *g, value x, const double *terms, unsigned count)
{
    value square = mul(g, x, x), sum = NULL;
    for (unsigned i = count; i; i -= 2) {
        value two = fused(g, real(x, terms[i - 1]), x, real(x, terms[i - 2]));
        sum = sum ? fused(g, sum, square, two) : two;
    }
    return sum;
}

#endif

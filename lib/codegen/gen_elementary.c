/*
 * exp, exp2 and pow, and log, log2 and log10 of float64, as arithmetic in place of calls: the same
 * steps on a scalar and on a vector of any length, so that every lane, the rest of a loop and
 * unoptimised code give the same bits. sin and cos: gen_sine.c.
 *
 * For fast_math alone, and for loops with independent rounds: where each result waits for the one
 * before, libm's tables answer sooner. Largest errors seen in millions of arguments over the whole
 * range, against 64 bits: exp and exp2 1.2 ULP, log 0.9, log2 and log10 1.8; pow of float64 1.3
 * where |y log x| < 30, growing with it to 14 at the end of the range, of float32 2.7. Zeros,
 * infinities, NaN and negative numbers give what C23 F.10 says, but pow of 1 or -1 is NaN for an
 * infinite or NaN exponent. A subnormal argument of log and pow, and a subnormal result of exp and
 * pow, is zero.
 *
 * Methods. exp: W. J. Cody and W. Waite's reduction to |r| <= ln(2)/2, 2**n added to the exponent
 * as an integer. log: K. C. Ng's (FreeBSD's e_log.c), m scaled to [sqrt(1/2), sqrt(2)), by s = f/(2
 * + f). pow: 2**(y log2 x), with log2 x in two words by sums and products after T. J. Dekker; what
 * is smaller than 1 % of it is computed in one word. Everything needs a fused multiply-add.
 *
 * Written for short chains: a round of such a loop fills the window of an out-of-order CPU, so that
 * what counts is how long one operation waits for another, not how many there are. Special cases
 * are decided beside the chain and chosen at its end, and there is one division, which has a unit
 * of its own.
 */
#include "lib/codegen/gen_arith.h"

#include <math.h>

/*
 * Minimax polynomials by E. Y. Remez's algorithm with 200 bits, then rounded. In comments: what is
 * approximated, the interval, and the largest error, relative to the function computed, for float64
 * and float32.
 */
/* (e**r - 1 - r)/r**2, |r| <= ln(2)/2, 2**-57 and 2**-28 */
static const double exp_f64[] = {0x1.000000000000bp-1,  0x1.5555555555561p-3,
                                 0x1.5555555550030p-5,  0x1.111111110d642p-7,
                                 0x1.6c16c185a751dp-10, 0x1.a01a01badf235p-13,
                                 0x1.a0199693cf72ep-16, 0x1.71dddfd3a60bap-19,
                                 0x1.28b049009386bp-22, 0x1.af857a5042f7ep-26};
static const double exp_f32[] = {0x1.fffffcp-2, 0x1.555492p-3, 0x1.5558f2p-5, 0x1.1239e2p-7,
                                 0x1.6a2434p-10};
/* (2**r - 1 - r ln(2))/r**2, |r| <= 1/2, 2**-57 and 2**-28 */
static const double exp2_f64[] = {0x1.ebfbdff82c5a1p-3,  0x1.c6b08d704a045p-5,
                                  0x1.3b2ab6fba0774p-7,  0x1.5d87fe78c37fep-10,
                                  0x1.4309130dcc129p-13, 0x1.ffcbfbc79d6acp-17,
                                  0x1.62bfc9e33fcf2p-20, 0x1.b5265311037f3p-24,
                                  0x1.e617d67561ec8p-28, 0x1.e7c6c2b2f42fbp-32};
static const double exp2_f32[] = {0x1.ebfbdcp-3, 0x1.c6af88p-5, 0x1.3b2e0cp-7, 0x1.5f0402p-10,
                                  0x1.414ea6p-13};
/* (2 atanh(s) - 2 s)/s**3 in s**2, |s| <= (sqrt(2) - 1)/(sqrt(2) + 1), 2**-59 */
static const double log_f64[] = {0x1.5555555555592p-1, 0x1.999999997fd36p-2, 0x1.24924941f8d94p-2,
                                 0x1.c71c5202ae746p-3, 0x1.7466405c87fe7p-3, 0x1.39a1932ac8ae0p-3,
                                 0x1.2f0705db71b09p-3};
/* (2 atanh(s) - 2 s)/(s**3 ln(2)) in s**2, as far, 2**-66 and 2**-37 */
static const double pow_f64[] = {0x1.ec709dc3a03fdp-1, 0x1.2776c50ef9f2bp-1, 0x1.a61762a719318p-2,
                                 0x1.484b14410907cp-2, 0x1.0c9a5b6b46e46p-2, 0x1.c6a2112a9935cp-3,
                                 0x1.877e237da508cp-3, 0x1.87888eb1f9049p-3};
static const double pow_f32[] = {0x1.ec709ep-1, 0x1.277768p-1, 0x1.a5964ap-2, 0x1.5c6352p-2};
/* (1 + 1/m)/(2 ln(2)), 1/2 <= m**2 <= 2, 2**-10 */
static const double slope_terms[] = {0x1.d0711802f7312p+1, -0x1.1388c622369b5p+2,
                                     0x1.639155e5461bap+1, -0x1.51aa16ca0aa6bp-1};

typedef struct terms {
    const double *at;
    unsigned count;
} terms;

#define TERMS(name) {name, COUNT_OF(name)}

typedef struct format { /* of a float type */
    unsigned fraction_bits;
    uint64_t bias, root_half;          /* bits of sqrt(1/2) */
    double rounder;                    /* adding it leaves a rounded integer in the low bits */
    double ln2_high, ln2_low;          /* ln2_high times an exponent is exact */
    double two_log2_e, two_log2_e_low; /* 2/ln(2), and what is missing of it */
    /* below the one e**x is subnormal, from the other on infinite */
    double exp_least, exp_most;
    terms exp_terms, exp2_terms, pow_terms;
} format;

static const format f64_format = {.fraction_bits = 52,
                                  .bias = 1023,
                                  .root_half = 0x3fe6a09e667f3bcd,
                                  .rounder = 0x1.8p52,
                                  .ln2_high = 0x1.62e42fefa3800p-1,
                                  .ln2_low = 0x1.ef35793c76730p-45,
                                  .two_log2_e = 0x1.71547652b82fep+1,
                                  .two_log2_e_low = 0x1.777d0ffda0d24p-55,
                                  .exp_least = -0x1.6232bdd7abcd2p+9,
                                  .exp_most = 0x1.62e42fefa39f0p+9,
                                  .exp_terms = TERMS(exp_f64),
                                  .exp2_terms = TERMS(exp2_f64),
                                  .pow_terms = TERMS(pow_f64)};
static const format f32_format = {.fraction_bits = 23,
                                  .bias = 127,
                                  .root_half = 0x3f3504f3,
                                  .rounder = 0x1.8p23,
                                  .ln2_high = 0x1.62e4p-1,
                                  .ln2_low = 0x1.7f7d1cp-20,
                                  .two_log2_e = 0x1.715476p+1,
                                  .two_log2_e_low = 0x1.4ae0c0p-25,
                                  .exp_least = -0x1.5d589ep+6,
                                  .exp_most = 0x1.62e430p+6,
                                  .exp_terms = TERMS(exp_f32),
                                  .exp2_terms = TERMS(exp2_f32),
                                  .pow_terms = TERMS(pow_f32)};

#define LN2          0x1.62e42fefa39efp-1
#define LOG2_E       0x1.71547652b82fep+0
#define LOG10_2_HIGH 0x1.34413509f7800p-2 /* times an exponent it is exact */
#define LOG10_2_LOW  0x1.fef311f12b358p-46
#define LOG10_E      0x1.bcb7b1526e50ep-2

static value divide(gen *g, value a, value b)
{
    return LLVMBuildFDiv(g->b, a, b, "");
}
static value times(gen *g, value a, double b)
{
    return mul(g, a, real(a, b));
}
static value plus(gen *g, value a, double b)
{
    return add(g, a, real(a, b));
}
static value is(gen *g, LLVMRealPredicate p, value a, double b)
{
    return LLVMBuildFCmp(g->b, p, a, real(a, b), "");
}
static value both(gen *g, value a, value b)
{
    return LLVMBuildAnd(g->b, a, b, "");
}

static const format *format_of(gen *g, value a)
{
    return LLVMTypeOf(a) == gen_like(g, a, g->t_f64) ? &f64_format : &f32_format;
}

/* Integers of its size, and back. */
static value bits_of(gen *g, value a)
{
    return LLVMBuildBitCast(g->b, a,
                            gen_like(g, a, format_of(g, a) == &f64_format ? g->t_i64 : g->t_i32),
                            "");
}

static value real_of(gen *g, value bits, value like)
{
    return LLVMBuildBitCast(g->b, bits, LLVMTypeOf(like), "");
}

static value integer(const format *f, value like, uint64_t bits)
{
    return gen_int(LLVMTypeOf(like), f == &f64_format ? bits : (uint32_t)bits);
}

static uint64_t sign_bit(const format *f)
{
    return f == &f64_format ? (uint64_t)1 << 63 : (uint64_t)1 << 31;
}
static uint64_t infinite_bits(const format *f)
{
    return (2 * f->bias + 1) << f->fraction_bits;
}
static double least_normal(const format *f)
{
    return f == &f64_format ? 0x1p-1022 : 0x1p-126;
}

/* t.at[0] + t.at[1] x + ..., pairs of terms first so that few steps wait for one another (G.
 * Estrin). */
static value polynomial(gen *g, value x, terms t)
{
    value level[8], power = x;
    unsigned n = (t.count + 1) / 2;
    for (unsigned i = 0; i < n; i++) {
        level[i] = real(x, t.at[2 * i]);
        if (2 * i + 1 < t.count) level[i] = fused(g, real(x, t.at[2 * i + 1]), x, level[i]);
    }
    for (; n > 1; n = (n + 1) / 2) {
        power = mul(g, power, power);
        /* another square would come no sooner */
        if (n == 3) return fused(g, fused(g, level[2], power, level[1]), power, level[0]);
        for (unsigned i = 0; i < (n + 1) / 2; i++)
            level[i] =
                2 * i + 1 < n ? fused(g, level[2 * i + 1], power, level[2 * i]) : level[2 * i];
    }
    return level[0];
}

/* a 2**n for a in [1/2, 2); n was rounded by adding the rounder, and the result is normal: what is
 * not is chosen away afterwards. */
static value scale(gen *g, const format *f, value a, value rounded)
{
    value n = bits_of(g, rounded);
    n = LLVMBuildShl(g->b, n, integer(f, n, f->fraction_bits), "");
    return real_of(g, LLVMBuildAdd(g->b, bits_of(g, a), n, ""), a);
}

/* result, but 0 where x is below `least` and infinity where it is `most` or above. */
static value within(gen *g, value result, value x, double least, value most)
{
    result = choose(g, is(g, LLVMRealOLT, x, least), real(x, 0), result);
    return choose(g, LLVMBuildFCmp(g->b, LLVMRealOGE, x, most, ""), real(x, INFINITY), result);
}

static value exponential(gen *g, value x)
{
    const format *f = format_of(g, x);
    value rounded = fused(g, x, real(x, LOG2_E), real(x, f->rounder)),
          n = plus(g, rounded, -f->rounder);
    value r = fused(g, n, real(x, -f->ln2_high), x);
    r = fused(g, n, real(x, -f->ln2_low), r);
    value p = fused(g, polynomial(g, r, f->exp_terms), mul(g, r, r), r);
    return within(g, scale(g, f, plus(g, p, 1), rounded), x, f->exp_least, real(x, f->exp_most));
}

/* 2**(x + low), where low is no more than the last bit of x; it may be NULL. */
static value exponential2(gen *g, value x, value low)
{
    const format *f = format_of(g, x);
    value rounded = plus(g, x, f->rounder), r = sub(g, x, plus(g, rounded, -f->rounder));
    if (low) r = add(g, r, low);
    value p = fused(g, r, real(r, LN2), real(r, 1));
    p = fused(g, polynomial(g, r, f->exp2_terms), mul(g, r, r), p);
    double end = (double)f->bias + 1;
    value most = real(x, end);
    if (low)
        most = choose(g, is(g, LLVMRealOLT, low, 0),
                      real(x, end + ldexp(end, -(int)f->fraction_bits)), most);
    return within(g, scale(g, f, p, rounded), x, 2 - end, most);
}

/* m in [sqrt(1/2), sqrt(2)) and k with m 2**k = x, for a positive normal x, whose bits are given
 * too. */
static void split(gen *g, const format *f, value x, value bits, value *m, value *k)
{
    /* k as the last bits of a number of 2**fraction_bits and more: AVX2 does not convert integers
     * of 64 bits */
    value e = LLVMBuildSub(g->b, bits,
                           integer(f, bits, f->root_half - (f->bias << f->fraction_bits)), "");
    e = LLVMBuildLShr(g->b, e, integer(f, bits, f->fraction_bits), "");
    e = real_of(g,
                LLVMBuildOr(g->b, e,
                            integer(f, bits, (f->bias + f->fraction_bits) << f->fraction_bits), ""),
                x);
    *k = plus(g, e, -(double)(((uint64_t)1 << f->fraction_bits) + f->bias));
    value fraction = LLVMBuildSub(g->b, bits, integer(f, bits, f->root_half), "");
    fraction =
        LLVMBuildAnd(g->b, fraction, integer(f, bits, ((uint64_t)1 << f->fraction_bits) - 1), "");
    *m = real_of(g, LLVMBuildAdd(g->b, fraction, integer(f, bits, f->root_half), ""), x);
}

/* Of float64: the library's logarithms of float32 are as fast. */
static value logarithm(gen *g, ir_op base, value x)
{
    value m, k, result;
    split(g, &f64_format, x, bits_of(g, x), &m, &k);
    value f = plus(g, m, -1), s = divide(g, f, plus(g, m, 1)), z = mul(g, s, s);
    /* log(m) = f - s (f - z P(z)) */
    value bent = fused(g, minus(g, z), polynomial(g, z, (terms)TERMS(log_f64)), f);
    if (base == IR_LOG) {
        result = sub(g, f, fused(g, s, bent, times(g, k, -f64_format.ln2_low)));
        result = fused(g, k, real(x, f64_format.ln2_high), result);
    } else {
        value log_m = fused(g, minus(g, s), bent, f);
        if (base == IR_LOG2) {
            result = fused(g, log_m, real(x, LOG2_E), k);
        } else {
            result = fused(g, log_m, real(x, LOG10_E), times(g, k, LOG10_2_LOW));
            result = fused(g, k, real(x, LOG10_2_HIGH), result);
        }
    }
    result = choose(g, is(g, LLVMRealOLT, x, INFINITY), result, x);
    value pole = choose(g, is(g, LLVMRealOLT, x, 0), real(x, NAN), real(x, -INFINITY));
    return choose(g, is(g, LLVMRealOLT, x, least_normal(&f64_format)), pole, result);
}

typedef struct pair { /* high + low, low beneath the last bit of high */
    value high, low;
} pair;

/*
 * log2 of a positive normal number: k + 2/ln(2) (s + s**3/3 + ...). The division leaves e = m - 1 -
 * s (1 + m), which moves the sum by e times its slope by m - 1, (1 + 1/m)/(2 ln(2)).
 */
static pair logarithm2(gen *g, const format *f, value x, value bits)
{
    value m, k;
    split(g, f, x, bits, &m, &k);
    value frac = plus(g, m, -1), d = plus(g, m, 1), d_low = sub(g, m, plus(g, d, -1));
    value s = divide(g, frac, d), z = mul(g, s, s), twice = real(s, f->two_log2_e);
    value e = fused(g, minus(g, s), d_low, fused(g, minus(g, s), d, frac));
    value first = mul(g, s, twice);
    value rest = fused(g, s, real(s, f->two_log2_e_low), fused(g, s, twice, minus(g, first)));
    rest = fused(g, e, polynomial(g, m, (terms)TERMS(slope_terms)), rest);
    value sum = add(g, k, first); /* |first| < |k|, or k is 0 */
    rest = add(g, rest, sub(g, first, sub(g, sum, k)));
    value cube = mul(g, s, z);
    /* what its two roundings dropped, times about 2/(3 ln(2)); float32's pow has bits to spare */
    if (f == &f64_format) {
        value dropped = fused(g, s, fused(g, s, s, minus(g, z)), fused(g, s, z, minus(g, cube)));
        rest = fused(g, dropped, real(s, f->pow_terms.at[0]), rest);
    }
    rest = fused(g, cube, polynomial(g, z, f->pow_terms), rest);
    value high = add(g, sum, rest);
    return (pair){high, sub(g, rest, sub(g, high, sum))};
}

static value equal(gen *g, value a, value b)
{
    return LLVMBuildFCmp(g->b, LLVMRealOEQ, a, b, "");
}

/*
 * result for x 0, subnormal, infinite or NaN, and y other than 0, whose size alone matters: 0 or
 * infinity. The bits of a normal number are between those of the least one and of infinity: that is
 * one comparison when the range is moved to the least integers.
 */
static value power_of_extreme(gen *g, const format *f, value result, value bits, value x, value y)
{
    value moved = LLVMBuildAdd(g->b, bits, integer(f, bits, infinite_bits(f)), "");
    value extreme =
        LLVMBuildICmp(g->b, LLVMIntSGT, moved, integer(f, bits, (infinite_bits(f) << 1) - 1), "");
    extreme = both(g, extreme, is(g, LLVMRealUNE, y, 0));
    value small = LLVMBuildFCmp(g->b, LLVMRealOLT, real_of(g, bits, x), real(x, 1), "");
    value zero = LLVMBuildICmp(g->b, LLVMIntEQ, small, is(g, LLVMRealOGT, y, 0), "");
    value other = choose(g, zero, real(x, 0), real(x, INFINITY));
    other = choose(g, LLVMBuildFCmp(g->b, LLVMRealUNO, x, y, ""), real(x, NAN), other);
    return choose(g, extreme, other, result);
}

static value power(gen *g, value x, value y)
{
    const format *f = format_of(g, x);
    value all = bits_of(g, x), sign = LLVMBuildAnd(g->b, all, integer(f, all, sign_bit(f)), "");
    value bits = LLVMBuildAnd(g->b, all, integer(f, all, sign_bit(f) - 1), "");
    pair log = logarithm2(g, f, x, bits);
    value p = mul(g, y, log.high), low = fused(g, y, log.low, fused(g, y, log.high, minus(g, p)));
    value result = exponential2(g, p, low);

    value whole = equal(g, gen_unary_intrinsic(g, "llvm.rint", y), y), half = times(g, y, 0.5);
    value odd =
        both(g, whole,
             LLVMBuildFCmp(g->b, LLVMRealUNE, gen_unary_intrinsic(g, "llvm.rint", half), half, ""));
    value negative = LLVMBuildICmp(g->b, LLVMIntNE, sign, integer(f, sign, 0), "");
    result = choose(g, both(g, negative, LLVMBuildNot(g->b, whole, "")), real(x, NAN), result);
    result = power_of_extreme(g, f, result, bits, x, y);
    sign = choose(g, odd, sign, integer(f, sign, 0));
    return real_of(g, LLVMBuildOr(g->b, bits_of(g, result), sign, ""), x);
}

bool gen_has_elementary(const gen *g, const ir_node *n)
{
    if (gen_is_device(g) || !g->independent || !g->options->fused || !gen_is_fast(g->options))
        return false;
    switch (n->op) {
    case IR_EXP:
    case IR_EXP2:
    case IR_POW: return true; /* float16 is widened */
    case IR_LOG:
    case IR_LOG2:
    case IR_LOG10:
    case IR_SIN:
    case IR_COS: return type_is(n->type, CPL_FLOAT64);
    default: return false;
    }
}

LLVMValueRef gen_elementary(gen *g, ir_op op, LLVMValueRef *args)
{
    g->elementary++;
    if (format_of(g, args[0]) == &f64_format && gen_has_wide(g, op, g->t_f64))
        return gen_wide(g, op, args);
    switch (op) {
    case IR_EXP: return exponential(g, args[0]);
    case IR_EXP2: return exponential2(g, args[0], NULL);
    case IR_POW: return power(g, args[0], args[1]);
    case IR_SIN:
    case IR_COS: return gen_sine(g, op, args[0]);
    default: return logarithm(g, op, args[0]);
    }
}

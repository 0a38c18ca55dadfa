/*
 * pow, log and exp of float64 on vectors of eight, with what AVX-512 has for them: exponents and
 * fractions are taken apart and put together by one instruction each (vgetexp, vgetmant, vscalef),
 * and tables of 16 stand in two registers (vpermi2pd). Method: P. T. P. Tang, Table-driven
 * implementation of the logarithm function in IEEE floating-point arithmetic, ACM Transactions on
 * Mathematical Software 16 (1990), and of the exponential function, 15 (1989): x = 2**k m, and z =
 * m r - 1, exact, is small for the r of the table at the first bits of m; 2**(n/16) comes from one
 * too. Logarithms for pow are carried in two words, T. J. Dekker's.
 *
 * Largest errors seen in tens of thousands of arguments: pow 1.1 ULP where |y log x| < 30 and 2.2
 * elsewhere, exp 1.0, log 0.7. The library answers for what is not
 * positive and finite (gen_inner.c). With fast_math scalar code takes one lane of it, so that every
 * lane has the same bits; otherwise scalar code calls libm.
 */
#include "lib/codegen/gen_arith.h"

enum { LANES = 8, TABLE = 16 };

#define LOG2_E     0x1.71547652b82fep+0
#define LOG2_E_LOW 0x1.777d0ffda0d24p-56
#define LN2        0x1.62e42fefa3800p-1 /* times an exponent, and with one of ln_high, exact */
#define LN2_LOW    0x1.ef35793c76730p-45
#define ROUNDER    0x1.8p52 /* adding it leaves a rounded integer in the low bits */
#define MOST       0x1p40   /* of what is rounded so */
#define FAR        2000.0   /* past it, e**x is 0 or infinite */

/* Of the numbers m whose first bits are i/16: 1 + i/16 on for i < 8, (1 + i/16)/2 on for the
 * others; few bits, so that m r - 1 is exact. */
static const double inverses[] = {0x1p+0,   0x1.dp-1,  0x1.cp-1, 0x1.ap-1, 0x1.9p-1,  0x1.8p-1,
                                  0x1.7p-1, 0x1.6p-1,  0x1.5p+0, 0x1.4p+0, 0x1.38p+0, 0x1.28p+0,
                                  0x1.2p+0, 0x1.18p+0, 0x1.1p+0, 0x1p+0};
/* -log2 and -ln of the inverses; sums of the high words with whole numbers below 2048 are exact */
static const double log2_high[] = {0,
                                   0x1.22dadc2abp-3,
                                   0x1.8a8980abf8p-3,
                                   0x1.32bfee371p-2,
                                   0x1.6cb0f6865cp-2,
                                   0x1.a8ff97181p-2,
                                   0x1.e7df5fe538p-2,
                                   0x1.14c560fe68p-1,
                                   -0x1.91bba891fp-2,
                                   -0x1.49a784bcdp-2,
                                   -0x1.24407ab0ep-2,
                                   -0x1.acf5e2db5p-3,
                                   -0x1.5c01a39fcp-3,
                                   -0x1.08c588cda8p-3,
                                   -0x1.663f6fac9p-4,
                                   0};
static const double log2_low[] = {0,
                                  0x1.a4b69691d7994p-42,
                                  0x1.e9933354dbf17p-42,
                                  -0x1.1979a5db68722p-42,
                                  0x1.1d406db502403p-43,
                                  0x1.4bc302ffa76fbp-43,
                                  0x1.5669df6a2b592p-43,
                                  0x1.5f101c141e67p-42,
                                  -0x1.708b4b2b5056cp-42,
                                  -0x1.b8afe492bf6ffp-42,
                                  -0x1.ce60916e52e91p-44,
                                  0x1.36c101ee1344p-43,
                                  0x1.4bc302ffa76fbp-42,
                                  0x1.871a7610e40bdp-45,
                                  -0x1.3167ccc538261p-44,
                                  0};
static const double ln_high[] = {0,
                                 0x1.9335e5d594p-4,
                                 0x1.1178e8227ep-3,
                                 0x1.a93ed3c8aep-3,
                                 0x1.f991c6cb3cp-3,
                                 0x1.269621134ep-2,
                                 0x1.522ae0738ap-2,
                                 0x1.7fafa3bd81p-2,
                                 -0x1.1675cababap-2,
                                 -0x1.c8ff7c79aap-3,
                                 -0x1.9525a9cf46p-3,
                                 -0x1.29552f82p-3,
                                 -0x1.e27076e2bp-4,
                                 -0x1.6f0d28ae58p-4,
                                 -0x1.f0a30c0118p-5,
                                 0};
static const double ln_low[] = {0,
                                0x1.3115c3abd47dap-45,
                                0x1.1ef78ce2d07f2p-45,
                                -0x1.8724350562169p-45,
                                -0x1.90d04cd7cc834p-44,
                                -0x1.1b61f10522625p-44,
                                0x1.ebe708164c759p-45,
                                0x1.46fb79bf6d4cbp-44,
                                -0x1.8380e731f55c4p-44,
                                0x1.7794f689f8434p-45,
                                0x1.297137d9f158fp-44,
                                0x1.5b967f4471dfcp-44,
                                0x1.a342c2af0003cp-45,
                                0x1.4b4641b664613p-44,
                                0x1.d599e83368e91p-45,
                                0};
static const double powers[] = {0x1p+0,
                                0x1.0b5586cf9890fp+0,
                                0x1.172b83c7d517bp+0,
                                0x1.2387a6e756238p+0,
                                0x1.306fe0a31b715p+0,
                                0x1.3dea64c123422p+0,
                                0x1.4bfdad5362a27p+0,
                                0x1.5ab07dd485429p+0,
                                0x1.6a09e667f3bcdp+0,
                                0x1.7a11473eb0187p+0,
                                0x1.8ace5422aa0dbp+0,
                                0x1.9c49182a3f09p+0,
                                0x1.ae89f995ad3adp+0,
                                0x1.c199bdd85529cp+0,
                                0x1.d5818dcfba487p+0,
                                0x1.ea4afa2a490dap+0}; /* 2**(i/16) */

/* Minimax polynomials by E. Y. Remez's algorithm with 240 bits, then rounded. */
/* (log2(1 + z) - z/ln(2) + z**2/(2 ln(2)))/z**3 and (ln(1 + z) - z + z**2/2)/z**3, -0.038 <= z <=
 * 0.0625 */
static const double log2_terms[] = {0x1.ec709dc3a03fbp-2, -0x1.71547652b82efp-2,
                                    0x1.2776c50eff398p-2, -0x1.ec709dc41fabp-3,
                                    0x1.a617624e8aaf5p-3, -0x1.71547046241a5p-3,
                                    0x1.484c148b40d7ep-3, -0x1.278f2a055f142p-3,
                                    0x1.0bfac8edc9fffp-3, -0x1.ae38c5f2c27d2p-4};
static const double ln_terms[] = {0x1.55555555561c5p-2, -0x1.000000002199p-2,
                                  0x1.9999997fc25bap-3, -0x1.555551c21fbd5p-3,
                                  0x1.2492ae6ac555ep-3, -0x1.000fb141a9b63p-3,
                                  0x1.c6b8498e8ed72p-4, -0x1.6e32027d1898ap-4};
/* (2**r - 1)/r, |r| <= 1/32, and (e**r - 1 - r)/r**2, |r| <= ln(2)/32 */
static const double exp2_terms[] = {0x1.62e42fefa39f3p-1,  0x1.ebfbdff82c597p-3,
                                    0x1.c6b08d6f2a1f7p-5,  0x1.3b2ab6fad23e4p-7,
                                    0x1.5d897e58693acp-10, 0x1.430a75bec42f5p-13};
static const double exp_terms[] = {0x1.0000000000001p-1,  0x1.5555555555557p-3,
                                   0x1.55555554e93b6p-5,  0x1.11111110aba36p-7,
                                   0x1.6c17ed5c27d47p-10, 0x1.a01b651b69989p-13};

/* Of all lanes, rounding to nearest. */
static value whole(gen *g, const char *name, value *args, unsigned count)
{
    args[count++] = LLVMGetPoison(LLVMTypeOf(args[0]));
    args[count++] = gen_int(LLVMInt8TypeInContext(g->cx), 0xff);
    args[count++] = gen_int(g->t_i32, 4);
    return gen_intrinsic(g, name, NULL, 0, args, count);
}

static value exponent(gen *g, value x)
{
    return whole(g, "llvm.x86.avx512.mask.getexp.pd.512", (value[4]){x}, 1);
}

/* a 2**n, n rounded down */
static value scale(gen *g, value a, value n)
{
    return whole(g, "llvm.x86.avx512.mask.scalef.pd.512", (value[5]){a, n}, 2);
}

/* Of a table, at the low bits of an index. */
static value look_up(gen *g, const double *table, value index)
{
    value halves[2], lanes[LANES];
    for (unsigned h = 0; h < 2; h++) {
        for (unsigned i = 0; i < LANES; i++)
            lanes[i] = LLVMConstReal(g->t_f64, table[h * LANES + i]);
        halves[h] = LLVMConstVector(lanes, LANES);
    }
    return gen_intrinsic(g, "llvm.x86.avx512.vpermi2var.pd.512", NULL, 0,
                         (value[]){halves[0], index, halves[1]}, 3);
}

#define POLYNOMIAL(g, x, terms) sum_of_pairs(g, x, terms, COUNT_OF(terms))

typedef struct parts { /* x = 2**k m, m r = 1 + z, r at index */
    value k, z, index;
} parts;

static parts take_apart(gen *g, value x)
{
    value near_one = gen_int(g->t_i32, 3); /* from 3/4 to 3/2, and x's sign */
    value m = whole(g, "llvm.x86.avx512.mask.getmant.pd.512", (value[5]){x, near_one}, 2);
    value bits = bits_of_f64(g, m),
          index = LLVMBuildLShr(g->b, bits, gen_int(LLVMTypeOf(bits), 48), "");
    value z = fused(g, m, look_up(g, inverses, index), real(x, -1));
    return (parts){sub(g, exponent(g, x), exponent(g, m)), z, index};
}

/* Negative where x is not positive and finite, or where p is NaN or large. */
static value room(gen *g, value x, value p)
{
    enum { NAN_ZERO_INFINITE_NEGATIVE = 0xdf };
    value class_ = gen_int(g->t_i32, NAN_ZERO_INFINITE_NEGATIVE);
    value special =
        gen_intrinsic(g, "llvm.x86.avx512.fpclass.pd.512", NULL, 0, (value[]){x, class_}, 2);
    if (p) {
        value size = gen_unary_intrinsic(g, "llvm.fabs", p);
        special = LLVMBuildOr(g->b, special,
                              LLVMBuildFCmp(g->b, LLVMRealUGE, size, real(p, MOST), ""), "");
    }
    return LLVMBuildSExt(g->b, special, gen_like(g, x, g->t_i64), "");
}

static value logarithm(gen *g, value x, value *left)
{
    parts a = take_apart(g, x);
    value high = fused(g, a.k, real(x, LN2), look_up(g, ln_high, a.index)),
          low = fused(g, a.k, real(x, LN2_LOW), look_up(g, ln_low, a.index));
    value sum = add(g, high, a.z), lost = sub(g, a.z, sub(g, sum, high));
    value bent = fused(g, POLYNOMIAL(g, a.z, ln_terms), a.z, real(x, -0.5));
    low = fused(g, mul(g, a.z, a.z), bent, low);
    *left = room(g, x, NULL);
    return add(g, sum, add(g, lost, low));
}

typedef struct pair { /* high + low, low beneath the last bit of high */
    value high, low;
} pair;

/* a + b, |b| <= |a| or a 0 */
static pair sum_of(gen *g, value a, value b)
{
    value s = add(g, a, b);
    return (pair){s, sub(g, b, sub(g, s, a))};
}

/* a*c + b, in two words of it c*a alone */
static pair product(gen *g, value a, value c, value b)
{
    value p = mul(g, a, c);
    return (pair){p, add(g, b, fused(g, a, c, minus(g, p)))};
}

static pair logarithm2(gen *g, value x)
{
    parts a = take_apart(g, x);
    value z = a.z, cube_terms = POLYNOMIAL(g, z, log2_terms);
    pair square = product(g, z, z, real(z, 0));
    pair line = product(g, z, real(z, LOG2_E), mul(g, z, real(z, LOG2_E_LOW)));
    /* -z**2/(2 ln(2)) + z**3 ... */
    pair bent =
        product(g, square.high, real(z, -0.5 * LOG2_E), mul(g, square.low, real(z, -0.5 * LOG2_E)));
    value rest = fused(g, mul(g, z, square.high), cube_terms, bent.low);
    rest = fused(g, square.high, real(z, -0.5 * LOG2_E_LOW), rest);
    pair one = sum_of(g, add(g, a.k, look_up(g, log2_high, a.index)), line.high);
    pair two = sum_of(g, one.high, bent.high);
    value low = add(g, add(g, one.low, two.low),
                    add(g, add(g, line.low, look_up(g, log2_low, a.index)), rest));
    return sum_of(g, two.high, low);
}

static value power(gen *g, value x, value y, value *left)
{
    pair log = logarithm2(g, x);
    pair p = product(g, y, log.high, mul(g, y, log.low));
    value rounder = real(x, ROUNDER / TABLE), rounded = add(g, p.high, rounder),
          n = sub(g, rounded, rounder), r = add(g, sub(g, p.high, n), p.low);
    value root = look_up(g, powers, bits_of_f64(g, rounded)),
          more = mul(g, r, POLYNOMIAL(g, r, exp2_terms));
    *left = room(g, x, p.high);
    return scale(g, fused(g, root, more, root), n);
}

static value exponential(gen *g, value x)
{
    value end = real(x, FAR), start = real(x, -FAR), rounder = real(x, ROUNDER);
    x = choose(g, LLVMBuildFCmp(g->b, LLVMRealOGT, x, end, ""), end, x);
    x = choose(g, LLVMBuildFCmp(g->b, LLVMRealOLT, x, start, ""), start, x);
    value rounded = fused(g, x, real(x, TABLE * LOG2_E), rounder), n = sub(g, rounded, rounder);
    value r = fused(g, n, real(x, -LN2 / TABLE), x);
    r = fused(g, n, real(x, -LN2_LOW / TABLE), r);
    value root = look_up(g, powers, bits_of_f64(g, rounded)),
          more = fused(g, mul(g, r, r), POLYNOMIAL(g, r, exp_terms), r);
    return scale(g, fused(g, root, more, root), mul(g, n, real(x, 1.0 / TABLE)));
}

/* --- functions of these --- */

static const char *name_of(ir_op op)
{
    return op == IR_POW ? "pow" : op == IR_LOG ? "log" : op == IR_EXP ? "exp" : NULL;
}

bool gen_has_wide(const gen *g, ir_op op, LLVMTypeRef elem)
{
    return g->vector_bits >= LANES * 64 && g->options->fused && elem == g->t_f64 && name_of(op);
}

value gen_wide_function(gen *g, ir_op op)
{
    LLVMTypeRef type = LLVMVectorType(g->t_f64, LANES), params[] = {type, type};
    unsigned count = op == IR_POW ? 2 : 1;
    const char *name = arena_printf(&g->c->arena, "wide.%s", name_of(op));
    gen_inner in;
    if (!gen_inner_enter(g, &in, name, type, params, count)) return in.fn;
    gen_attr(g, in.fn, LLVMAttributeFunctionIndex, "alwaysinline");
    value args[] = {LLVMGetParam(in.fn, 0), LLVMGetParam(in.fn, count - 1)}, left = NULL;
    value result = op == IR_POW   ? power(g, args[0], args[1], &left)
                   : op == IR_LOG ? logarithm(g, args[0], &left)
                                  : exponential(g, args[0]);
    gen_libm libm = {name_of(op), left ? gen_library_variant(g, op, LANES * 64) : NULL};
    if (left) result = gen_inner_or_libm(g, name, &libm, args, count, result, left);
    gen_inner_leave(g, &in, result);
    return in.fn;
}

/* Eight lanes from `first`, the last one again where there are no more. */
static value eight(gen *g, value v, unsigned first)
{
    value lanes[LANES];
    unsigned count = gen_lanes(LLVMTypeOf(v));
    if (count == 1) {
        v = LLVMBuildInsertElement(g->b, LLVMGetPoison(LLVMVectorType(LLVMTypeOf(v), LANES)), v,
                                   gen_int(g->t_i32, 0), "");
    }
    for (unsigned i = 0; i < LANES; i++)
        lanes[i] = gen_int(g->t_i32, first + i < count ? first + i : count - 1);
    return LLVMBuildShuffleVector(g->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                  LLVMConstVector(lanes, LANES), "");
}

static value on_lanes(gen *g, ir_op op, value *args)
{
    LLVMTypeRef type = LLVMTypeOf(args[0]);
    unsigned count = gen_lanes(type), n = op == IR_POW ? 2 : 1;
    value fn = gen_wide_function(g, op), result = LLVMGetPoison(type);
    for (unsigned at = 0; at < count; at += LANES) {
        value part[2] = {0};
        for (unsigned k = 0; k < n; k++) part[k] = eight(g, args[k], at);
        value call = gen_call_runtime(g, fn, part, n);
        /* inlined, the function would be gone before the vectoriser comes */
        if (count == 1) gen_call_attr(g, call, "noinline");
        if (count == LANES) return call;
        for (unsigned i = 0; i < LANES && at + i < count; i++) {
            value one = LLVMBuildExtractElement(g->b, call, gen_int(g->t_i32, i), "");
            if (count == 1) return one;
            result = LLVMBuildInsertElement(g->b, result, one, gen_int(g->t_i32, at + i), "");
        }
    }
    return result;
}

static value scalar_function(gen *g, ir_op op)
{
    LLVMTypeRef params[] = {g->t_f64, g->t_f64};
    unsigned count = op == IR_POW ? 2 : 1;
    gen_inner in;
    if (!gen_inner_enter(g, &in, arena_printf(&g->c->arena, "wide.%s", name_of(op)), g->t_f64,
                         params, count))
        return in.fn;
    gen_attr(g, in.fn, LLVMAttributeFunctionIndex, "noinline");
    value args[] = {LLVMGetParam(in.fn, 0), LLVMGetParam(in.fn, count - 1)};
    gen_inner_leave(g, &in, on_lanes(g, op, args));
    return in.fn;
}

value gen_wide(gen *g, ir_op op, value *args)
{
    if (gen_lanes(LLVMTypeOf(args[0])) > 1) return on_lanes(g, op, args);
    value fn = scalar_function(g, op), call = gen_call_runtime(g, fn, args, op == IR_POW ? 2 : 1);
    gen_inner_variants(g, call,
                       arena_printf(&g->c->arena, "_ZGV_LLVM_N%d%s_%s(%s)", LANES,
                                    op == IR_POW ? "vv" : "v", LLVMGetValueName(fn),
                                    LLVMGetValueName(gen_wide_function(g, op))));
    return call;
}

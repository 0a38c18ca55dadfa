/*
 * The meaning of each scalar op on constants: exactly what op.def says, and what compiled code must
 * give too. Floats narrower than float64 are computed in float with the f-functions of libm;
 * float16 results are rounded from there.
 */
#include "lib/ir/ir.h"

#include <math.h>

double ir_round_to(const cpl_type *type, double value)
{
    switch (type->dtype) {
    case CPL_FLOAT16: return half_round(value);
    case CPL_FLOAT32: return (float)value;
    default: return value;
    }
}

uint64_t ir_wrap_to(const cpl_type *type, uint64_t bits)
{
    switch (type->dtype) {
    case CPL_BOOL: return bits != 0;
    case CPL_INT8: return (uint64_t)(int64_t)(int8_t)bits;
    case CPL_INT16: return (uint64_t)(int64_t)(int16_t)bits;
    case CPL_INT32: return (uint64_t)(int64_t)(int32_t)bits;
    case CPL_UINT8: return (uint8_t)bits;
    case CPL_UINT16: return (uint16_t)bits;
    case CPL_UINT32: return (uint32_t)bits;
    default: return bits;
    }
}

static uint64_t mask_of(const cpl_type *type)
{
    uint32_t bits = type_bits(type);
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* Integers. Values are extended to 64 bits; the caller wraps the result. */

static bool divides(const cpl_type *type, uint64_t a, uint64_t b)
{
    uint64_t least = ir_wrap_to(type, UINT64_C(1) << (type_bits(type) - 1));
    return b != 0 && !(type_is_signed(type) && a == least && b == UINT64_MAX);
}

static uint64_t divide(const cpl_type *type, uint64_t a, uint64_t b)
{
    if (!divides(type, a, b)) return b == 0 ? 0 : a;
    return type_is_signed(type) ? (uint64_t)((int64_t)a / (int64_t)b) : a / b;
}

static uint64_t remain(const cpl_type *type, uint64_t a, uint64_t b)
{
    if (!divides(type, a, b)) return 0;
    return type_is_signed(type) ? (uint64_t)((int64_t)a % (int64_t)b) : a % b;
}

/* True when truncation and floor differ for a / b. */
static bool floors(const cpl_type *type, uint64_t a, uint64_t b)
{
    return type_is_signed(type) && remain(type, a, b) != 0 && (int64_t)(a ^ b) < 0;
}

static uint64_t shift_right(const cpl_type *type, uint64_t a, uint64_t count)
{
    if (!type_is_signed(type)) return a >> count;
    return (int64_t)a < 0 ? ~(~a >> count) : a >> count;
}

static bool less(const cpl_type *type, uint64_t a, uint64_t b)
{
    return type_is_signed(type) ? (int64_t)a < (int64_t)b : a < b;
}

static bool eval_int(ir_op op, const cpl_type *type, const ir_value *v, uint64_t *out)
{
    uint64_t a = v[0].bits, b = v[1].bits, width = type_bits(type);
    switch (op) {
    case IR_ADD: *out = a + b; return true;
    case IR_SUB: *out = a - b; return true;
    case IR_MUL: *out = a * b; return true;
    case IR_NEG: *out = 0 - a; return true;
    case IR_DIV: *out = divide(type, a, b); return true;
    case IR_REM: *out = remain(type, a, b); return true;
    case IR_FLOORDIV: *out = divide(type, a, b) - floors(type, a, b); return true;
    case IR_FLOORMOD: *out = remain(type, a, b) + (floors(type, a, b) ? b : 0); return true;
    case IR_RAWDIV: *out = divide(type, a, b); return divides(type, a, b);
    case IR_RAWREM: *out = remain(type, a, b); return divides(type, a, b);
    case IR_MIN: *out = less(type, b, a) ? b : a; return true;
    case IR_MAX: *out = less(type, a, b) ? b : a; return true;
    case IR_ABS: *out = type_is_signed(type) && (int64_t)a < 0 ? 0 - a : a; return true;
    case IR_AND: *out = a & b; return true;
    case IR_OR: *out = a | b; return true;
    case IR_XOR: *out = a ^ b; return true;
    case IR_NOT: *out = type_is_bool(type) ? !a : ~a; return true;
    case IR_SHL: *out = a << (b & (width - 1)); return true;
    case IR_SHR: *out = shift_right(type, a, b & (width - 1)); return true;
    case IR_RAWSHL:
    case IR_RAWSHR:
        if (b >= width) return false; /* a negative count is a large one here */
        *out = op == IR_RAWSHL ? a << b : shift_right(type, a, b);
        return true;
    case IR_EQ: *out = a == b; return true;
    case IR_NE: *out = a != b; return true;
    case IR_LT: *out = less(type, a, b); return true;
    case IR_LE: *out = !less(type, b, a); return true;
    case IR_GT: *out = less(type, b, a); return true;
    case IR_GE: *out = !less(type, a, b); return true;
    default: return false;
    }
}

/* Floats. As CPython's and NumPy's divmod (numpy/core/src/npymath, npy_divmod). */
#define DIVMOD(name, real, fmod_, floor_, copysign_)                                               \
    static real name(real a, real b, real *mod)                                                    \
    {                                                                                              \
        if (b == 0) {                                                                              \
            *mod = NAN;                                                                            \
            return a / b;                                                                          \
        }                                                                                          \
        real m = fmod_(a, b), div = (a - m) / b;                                                   \
        if (m != 0) {                                                                              \
            if ((b < 0) != (m < 0)) {                                                              \
                m += b;                                                                            \
                div -= 1;                                                                          \
            }                                                                                      \
        } else {                                                                                   \
            m = copysign_(0, b);                                                                   \
        }                                                                                          \
        *mod = m;                                                                                  \
        if (div == 0) return copysign_(0, a / b);                                                  \
        real whole = floor_(div);                                                                  \
        return div - whole > (real)0.5 ? whole + 1 : whole;                                        \
    }
DIVMOD(divmod64, double, fmod, floor, copysign)
DIVMOD(divmod32, float, fmodf, floorf, copysignf)
#undef DIVMOD

/* The exponent of ldexp; past these limits every float becomes zero or infinity. */
static int exponent_of(uint64_t bits)
{
    int64_t e = (int64_t)bits;
    return e > 5000 ? 5000 : e < -5000 ? -5000 : (int)e;
}

/* One switch for both widths: sin##suffix is sin or sinf. */
#define FLOAT_OPS(name, real, suffix, divmod)                                                      \
    static bool name(ir_op op, real a, real b, real c, real *out)                                  \
    {                                                                                              \
        real mod;                                                                                  \
        switch (op) {                                                                              \
        case IR_ADD: *out = a + b; return true;                                                    \
        case IR_SUB: *out = a - b; return true;                                                    \
        case IR_MUL: *out = a * b; return true;                                                    \
        case IR_NEG: *out = -a; return true;                                                       \
        case IR_DIV: *out = a / b; return true;                                                    \
        case IR_REM: *out = fmod##suffix(a, b); return true;                                       \
        case IR_FLOORDIV: *out = divmod(a, b, &mod); return true;                                  \
        case IR_FLOORMOD:                                                                          \
            divmod(a, b, &mod);                                                                    \
            *out = mod;                                                                            \
            return true;                                                                           \
        case IR_MIN: *out = b < a ? b : a; return true;                                            \
        case IR_MAX: *out = b > a ? b : a; return true;                                            \
        case IR_ABS: *out = fabs##suffix(a); return true;                                          \
        case IR_FMA: *out = fma##suffix(a, b, c); return true;                                     \
        case IR_SQRT: *out = sqrt##suffix(a); return true;                                         \
        case IR_FLOOR: *out = floor##suffix(a); return true;                                       \
        case IR_CEIL: *out = ceil##suffix(a); return true;                                         \
        case IR_TRUNC: *out = trunc##suffix(a); return true;                                       \
        case IR_ROUND: *out = round##suffix(a); return true;                                       \
        case IR_RINT: *out = rint##suffix(a); return true;                                         \
        case IR_COPYSIGN: *out = copysign##suffix(a, b); return true;                              \
        case IR_SIN: *out = sin##suffix(a); return true;                                           \
        case IR_COS: *out = cos##suffix(a); return true;                                           \
        case IR_TAN: *out = tan##suffix(a); return true;                                           \
        case IR_ASIN: *out = asin##suffix(a); return true;                                         \
        case IR_ACOS: *out = acos##suffix(a); return true;                                         \
        case IR_ATAN: *out = atan##suffix(a); return true;                                         \
        case IR_SINH: *out = sinh##suffix(a); return true;                                         \
        case IR_COSH: *out = cosh##suffix(a); return true;                                         \
        case IR_TANH: *out = tanh##suffix(a); return true;                                         \
        case IR_ASINH: *out = asinh##suffix(a); return true;                                       \
        case IR_ACOSH: *out = acosh##suffix(a); return true;                                       \
        case IR_ATANH: *out = atanh##suffix(a); return true;                                       \
        case IR_EXP: *out = exp##suffix(a); return true;                                           \
        case IR_EXP2: *out = exp2##suffix(a); return true;                                         \
        case IR_EXPM1: *out = expm1##suffix(a); return true;                                       \
        case IR_LOG: *out = log##suffix(a); return true;                                           \
        case IR_LOG2: *out = log2##suffix(a); return true;                                         \
        case IR_LOG10: *out = log10##suffix(a); return true;                                       \
        case IR_LOG1P: *out = log1p##suffix(a); return true;                                       \
        case IR_CBRT: *out = cbrt##suffix(a); return true;                                         \
        case IR_ERF: *out = erf##suffix(a); return true;                                           \
        case IR_ERFC: *out = erfc##suffix(a); return true;                                         \
        case IR_TGAMMA: *out = tgamma##suffix(a); return true;                                     \
        case IR_LGAMMA: *out = lgamma##suffix##_r(a, &(int){0}); return true;                      \
        case IR_POW: *out = pow##suffix(a, b); return true;                                        \
        case IR_ATAN2: *out = atan2##suffix(a, b); return true;                                    \
        case IR_HYPOT: *out = hypot##suffix(a, b); return true;                                    \
        case IR_FDIM: *out = fdim##suffix(a, b); return true;                                      \
        case IR_REMAINDER: *out = remainder##suffix(a, b); return true;                            \
        case IR_NEXTAFTER: *out = nextafter##suffix(a, b); return true;                            \
        default: return false;                                                                     \
        }                                                                                          \
    }
FLOAT_OPS(float_op64, double, , divmod64)
FLOAT_OPS(float_op32, float, f, divmod32)
#undef FLOAT_OPS

static bool eval_float(ir_op op, const cpl_type *type, const ir_value *v, double *out)
{
    if (op == IR_LDEXP) {
        int exponent = exponent_of(v[1].bits);
        *out = type->dtype == CPL_FLOAT64 ? ldexp(v[0].number, exponent)
                                          : ir_round_to(type, ldexpf((float)v[0].number, exponent));
        return true;
    }
    double a = v[0].number, b = v[1].number, c = v[2].number;
    if (type->dtype == CPL_FLOAT64) return float_op64(op, a, b, c, out);
    float narrow;
    if (!float_op32(op, (float)a, (float)b, (float)c, &narrow)) return false;
    *out = ir_round_to(type, narrow);
    return true;
}

static bool eval_float_test(ir_op op, double a, double b, uint64_t *out)
{
    switch (op) {
    case IR_EQ: *out = a == b; return true;
    case IR_NE: *out = a != b; return true;
    case IR_LT: *out = a < b; return true;
    case IR_LE: *out = a <= b; return true;
    case IR_GT: *out = a > b; return true;
    case IR_GE: *out = a >= b; return true;
    case IR_ISNAN: *out = isnan(a) != 0; return true;
    case IR_ISINF: *out = isinf(a) != 0; return true;
    case IR_ISFINITE: *out = isfinite(a) != 0; return true;
    default: return false;
    }
}

/* Conversions. */

/* Truncates; out of range saturates, NaN gives 0, and *fits becomes false. */
static uint64_t float_to_int(const cpl_type *to, double value, bool *fits)
{
    uint32_t bits = type_bits(to);
    double whole = trunc(value);
    bool is_signed = type_is_signed(to);
    double end = ldexp(1, (int)bits - is_signed); /* first value above the range */
    double least = is_signed ? -end : 0;
    *fits = whole >= least && whole < end;
    if (isnan(value)) return 0;
    if (whole < least) return is_signed ? ir_wrap_to(to, UINT64_C(1) << (bits - 1)) : 0;
    if (whole >= end) return mask_of(to) >> is_signed;
    return is_signed ? (uint64_t)(int64_t)whole : (uint64_t)whole;
}

/* Rounds once, to nearest even: float32 not by way of double. */
static double int_to_float(const cpl_type *to, const cpl_type *from, uint64_t bits)
{
    bool is_signed = type_is_signed(from);
    if (to->dtype == CPL_FLOAT32) return is_signed ? (float)(int64_t)bits : (float)bits;
    /* float16 ends at 65504, far below where double rounds */
    return ir_round_to(to, is_signed ? (double)(int64_t)bits : (double)bits);
}

static bool convert(const cpl_type *to, const cpl_type *from, ir_value v, bool raw, ir_value *out)
{
    bool fits = true;
    if (type_is_float(from)) {
        if (type_is_float(to)) out->number = ir_round_to(to, v.number);
        else if (type_is_bool(to)) out->bits = v.number != 0;
        else out->bits = float_to_int(to, v.number, &fits);
    } else if (type_is_float(to)) {
        out->number = int_to_float(to, from, v.bits);
    } else {
        out->bits = ir_wrap_to(to, v.bits);
    }
    return fits || !raw;
}

/* The bits of a scalar, zero-extended. NaNs become the quiet NaN of their type: numbers do not keep
 * payloads. */
static uint64_t to_bits(const cpl_type *type, ir_value v)
{
    float narrow = (float)v.number;
    uint32_t bits32;
    switch (type->dtype) {
    case CPL_FLOAT16: return half_bits(v.number);
    case CPL_FLOAT32: memcpy(&bits32, &narrow, sizeof bits32); return bits32;
    default: return v.bits & mask_of(type); /* a float64 is its bits */
    }
}

static ir_value from_bits(const cpl_type *type, uint64_t bits)
{
    ir_value v = {.bits = bits};
    uint32_t bits32 = (uint32_t)bits;
    float narrow;
    switch (type->dtype) {
    case CPL_FLOAT16: v.number = half_value((uint16_t)bits); break;
    case CPL_FLOAT32:
        memcpy(&narrow, &bits32, sizeof narrow);
        v.number = narrow;
        break;
    case CPL_FLOAT64: break;
    default: v.bits = ir_wrap_to(type, bits);
    }
    return v;
}

bool ir_eval_op(ir_op op, const cpl_type *type, const cpl_type *operand_type,
                const ir_value *operands, ir_value *result)
{
    ir_value v[3] = {{0}, {0}, {0}};
    size_t count = strlen(ir_ops[op].operands);
    for (size_t i = 0; i < count && i < COUNT_OF(v); i++) v[i] = operands[i];
    ir_value r = {0};
    bool defined;
    if (op == IR_CONVERT || op == IR_RAWCONVERT) {
        defined = convert(type, operand_type, v[0], op == IR_RAWCONVERT, &r);
    } else if (op == IR_BITS) {
        r = from_bits(type, to_bits(operand_type, v[0]));
        defined = true;
    } else if (ir_ops[op].result == IR_RESULT_BOOL && type_is_float(operand_type)) {
        defined = eval_float_test(op, v[0].number, v[1].number, &r.bits);
    } else if (type_is_float(operand_type)) {
        defined = eval_float(op, operand_type, v, &r.number);
    } else {
        defined = eval_int(op, operand_type, v, &r.bits);
        r.bits = ir_wrap_to(type, r.bits);
    }
    *result = r;
    return defined;
}

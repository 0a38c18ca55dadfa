/* Element types and ops, as far as the differential test has to know them. */
#include "fuzz.h"

#include <math.h>
#include <string.h>

const op_row op_rows[OP_COUNT] = {
#define OP(id, text, class, operands, result, attr, flags, kind, effects, cost, doc, example)      \
    {#id, text, #class, operands, example},
#include "lib/ir/op.def"
#undef OP
};

const char *ty_name(ty t)
{
    return cpl_dtype_name((cpl_dtype)t);
}

unsigned ty_size(ty t)
{
    return (unsigned)cpl_dtype_size((cpl_dtype)t);
}

unsigned ty_bits(ty t)
{
    return t == T_BOOL ? 1 : 8 * ty_size(t);
}

bool ty_is_int(ty t)
{
    return t >= T_I8 && t <= T_U64;
}

bool ty_is_signed(ty t)
{
    return t >= T_I8 && t <= T_I64;
}

bool ty_is_float(ty t)
{
    return t >= T_F16;
}

bool op_admits(op o, ty t)
{
    const char *operands = op_rows[o].operands;
    if (o == OP_COND) return true;
    switch (operands[0]) {
    case 'n': return t != T_BOOL;
    case 'i':
    case 'x': return ty_is_int(t);
    case 'f': return ty_is_float(t);
    case 'b': return t == T_BOOL;
    case 'k': return !ty_is_float(t);
    case 's': return o != OP_BITS || t != T_BOOL;
    case 'v': return true;
    default: return false;
    }
}

bool op_is_math(op o)
{
    return o >= OP_SIN && o <= OP_LDEXP && o != OP_FDIM && o != OP_REMAINDER && o != OP_NEXTAFTER &&
           o != OP_LDEXP;
}

bool op_is_reduction(op o)
{
    return o == OP_ADD || o == OP_MUL || o == OP_MIN || o == OP_MAX || o == OP_AND || o == OP_OR ||
           o == OP_XOR;
}

uint64_t wrap_bits(ty t, uint64_t bits)
{
    switch (t) {
    case T_BOOL: return bits & 1;
    case T_I8: return (uint64_t)(int64_t)(int8_t)bits;
    case T_I16: return (uint64_t)(int64_t)(int16_t)bits;
    case T_I32: return (uint64_t)(int64_t)(int32_t)bits;
    case T_U8: return (uint8_t)bits;
    case T_U16: return (uint16_t)bits;
    case T_U32: return (uint32_t)bits;
    default: return bits;
    }
}

/* float16 in multiples of its unit in the last place, which is exact in double. */
static double round_half(double v)
{
    int e;
    if (!isfinite(v) || v == 0) return v;
    frexp(v, &e);
    int unit = e - 11 < -24 ? -24 : e - 11;
    double r = ldexp(rint(ldexp(v, -unit)), unit);
    return fabs(r) > 65504 ? copysign(INFINITY, v) : r;
}

double round_float(ty t, double v)
{
    return t == T_F16 ? round_half(v) : t == T_F32 ? (float)v : v;
}

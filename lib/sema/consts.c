/* Compile-time numbers, and how they are folded. */
#include "lib/sema/sema_int.h"

#include <math.h>

__extension__ typedef __int128 wide; /* holds every product of two 64-bit integers */

sema_const sema_int_const(sema *s, uint64_t magnitude, bool negative)
{
    sema_const k = {.bits = negative ? 0 - magnitude : magnitude};
    if (negative) k.type = magnitude <= (uint64_t)INT32_MAX + 1 ? s->t_i32 : s->t_i64;
    else k.type = magnitude <= INT32_MAX ? s->t_i32 : magnitude <= INT64_MAX ? s->t_i64 : s->t_u64;
    return k;
}

sema_const sema_float_const(sema *s, double value)
{
    return (sema_const){.type = s->t_f64, .number = value};
}

sema_const sema_bool_const(sema *s, bool value)
{
    return (sema_const){.type = s->t_bool, .bits = value};
}

sema_const sema_complex_const(sema *s, const double parts[2])
{
    return (sema_const){.type = sema_complex_of(s->comp, s->t_f64),
                        .number = parts[0],
                        .imag = parts[1]};
}

bool sema_const_is_float(sema_const k)
{
    return type_is_float(k.type);
}

bool sema_const_negative(sema_const k)
{
    return type_is_float(k.type) ? k.number < 0 : type_is_signed(k.type) && (int64_t)k.bits < 0;
}

double sema_const_float(sema_const k)
{
    if (type_is_float(k.type)) return k.number;
    return type_is_signed(k.type) ? (double)(int64_t)k.bits : (double)k.bits;
}

static wide wide_of(sema_const k)
{
    return type_is_signed(k.type) ? (wide)(int64_t)k.bits : (wide)k.bits;
}

int sema_const_order(sema_const a, sema_const b)
{
    if (sema_const_is_float(a) || sema_const_is_float(b)) {
        double x = sema_const_float(a), y = sema_const_float(b);
        return (x > y) - (x < y);
    }
    return (wide_of(a) > wide_of(b)) - (wide_of(a) < wide_of(b));
}

bool sema_const_fits(sema_const k, const cpl_type *t)
{
    bool is_signed = type_is_signed(t);
    wide high = ((wide)1 << (type_bits(t) - is_signed)) - 1;
    return wide_of(k) <= high && wide_of(k) >= (is_signed ? -high - 1 : 0);
}

sema_const sema_signed_const(sema *s, int64_t value)
{
    uint64_t bits = (uint64_t)value;
    return sema_int_const(s, value < 0 ? 0 - bits : bits, value < 0);
}

/* False when the value needs more than 64 bits. */
static bool from_wide(sema *s, wide value, sema_const *out)
{
    if (value > (wide)UINT64_MAX || value < (wide)INT64_MIN) return false;
    *out = sema_int_const(s, (uint64_t)(value < 0 ? -value : value), value < 0);
    return true;
}

bool sema_fold_unary(sema *s, token_kind op, sema_const a, sema_const *out)
{
    bool is_float = sema_const_is_float(a);
    switch (op) {
    case TOK_ADD: *out = a; return is_float || from_wide(s, wide_of(a), out);
    case TOK_SUB:
        if (!is_float) return from_wide(s, -wide_of(a), out);
        *out = sema_float_const(s, -a.number);
        return true;
    case TOK_NOT: *out = sema_bool_const(s, sema_const_float(a) == 0); return true;
    case TOK_BITNOT: return !is_float && from_wide(s, -wide_of(a) - 1, out);
    default: return false;
    }
}

static wide floor_div(wide a, wide b)
{
    wide q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

/* b >= 0; false as below. */
static bool wide_power(wide a, wide b, wide *out)
{
    *out = 1;
    if (a == 0 || a == 1 || a == -1) {
        *out = b == 0 ? 1 : a < 0 && b % 2 == 0 ? 1 : a;
        return true;
    }
    for (wide i = 0; i < b; i++)
        if (__builtin_mul_overflow(*out, a, out)) return false;
    return true;
}

static bool wide_shift(wide a, wide b, wide *out)
{
    *out = 0;
    return a == 0 || (b < 127 && !__builtin_mul_overflow(a, (wide)1 << b, out));
}

/* What integers give in Python; false: no integer, nothing, or more than 128 bits. */
static bool fold_wide(token_kind op, wide a, wide b, wide *out)
{
    switch (op) {
    case TOK_ADD: return !__builtin_add_overflow(a, b, out);
    case TOK_SUB: return !__builtin_sub_overflow(a, b, out);
    case TOK_MUL: return !__builtin_mul_overflow(a, b, out);
    case TOK_FLOORDIV: *out = b ? floor_div(a, b) : 0; return b != 0;
    case TOK_MOD: *out = b ? a - floor_div(a, b) * b : 0; return b != 0;
    case TOK_POW: return b >= 0 && wide_power(a, b, out);
    case TOK_SHL: return b >= 0 && wide_shift(a, b, out);
    case TOK_SHR: *out = b < 127 && b >= 0 ? a >> b : a < 0 ? -1 : 0; return b >= 0;
    case TOK_BITAND: *out = a & b; return true;
    case TOK_BITOR: *out = a | b; return true;
    case TOK_BITXOR: *out = a ^ b; return true;
    default: return false;
    }
}

static bool fold_ints(sema *s, token_kind op, wide a, wide b, bool module, sema_const *out)
{
    wide result;
    bool fraction = (op == TOK_DIV && module) || (op == TOK_POW && b < 0);
    if (op == TOK_DIV && !module) return b != 0 && from_wide(s, a / b, out);
    if (!fraction) return fold_wide(op, a, b, &result) && from_wide(s, result, out);
    if (op == TOK_DIV ? b == 0 : a == 0) return false;
    *out = sema_float_const(s, op == TOK_DIV ? (double)a / (double)b : pow((double)a, (double)b));
    return true;
}

static uint64_t power_of_bits(uint64_t a, uint64_t b)
{
    uint64_t result = 1;
    for (; b; b >>= 1, a *= a)
        if (b & 1) result *= a;
    return result;
}

bool sema_fold_wrapped(sema *s, token_kind op, sema_const a, sema_const b, const cpl_type *t,
                       sema_const *out)
{
    wide x = wide_of(a), y = wide_of(b), result;
    unsigned unused = 64 - type_bits(t);
    if (op == TOK_POW && y >= 0) result = (wide)power_of_bits((uint64_t)x, (uint64_t)y);
    else if (op == TOK_MUL) result = (wide)((uint64_t)x * (uint64_t)y);
    else if (op == TOK_SHL && y >= 0) result = y < 64 ? (wide)((uint64_t)x << (unsigned)y) : 0;
    else if (!fold_wide(op, x, y, &result)) return false;
    uint64_t bits = (uint64_t)result << unused;
    *out = type_is_signed(t) ? sema_signed_const(s, (int64_t)bits >> unused)
                             : sema_int_const(s, bits >> unused, false);
    out->scalar = t;
    return true;
}

/* Operators on integers that are written there, down to `depth` of them. */
static bool wide_literal(const ast_node *n, unsigned depth, wide *out)
{
    wide a, b;
    if (n->kind == AST_INT) {
        *out = (wide)n->integer;
        return !n->overflow && n->op == CPL_VOID;
    }
    if (!depth) return false;
    if (n->kind == AST_UNARY && n->op == TOK_SUB)
        return wide_literal(n->kids[0], depth - 1, &a) && fold_wide(TOK_SUB, 0, a, out);
    return n->kind == AST_BINARY && wide_literal(n->kids[0], depth - 1, &a) &&
           wide_literal(n->kids[1], depth - 1, &b) && fold_wide((token_kind)n->op, a, b, out);
}

bool sema_fold_literals(sema *s, const ast_node *n, sema_const *out)
{
    enum { DEPTH = 3 }; /* (1 << 64) - 1 has two; each node above may ask again */
    wide value;
    return wide_literal(n, DEPTH, &value) && from_wide(s, value, out);
}

/* // and % on floats are left to run time: their rounding is the IR's business. */
static bool fold_floats(sema *s, token_kind op, double a, double b, sema_const *out)
{
    double r;
    switch (op) {
    case TOK_ADD: r = a + b; break;
    case TOK_SUB: r = a - b; break;
    case TOK_MUL: r = a * b; break;
    case TOK_DIV: r = a / b; break;
    case TOK_POW: r = pow(a, b); break;
    default: return false;
    }
    *out = sema_float_const(s, r);
    return true;
}

bool sema_fold_binary(sema *s, token_kind op, sema_const a, sema_const b, bool module,
                      sema_const *out)
{
    if (sema_const_is_float(a) || sema_const_is_float(b))
        return fold_floats(s, op, sema_const_float(a), sema_const_float(b), out);
    return fold_ints(s, op, wide_of(a), wide_of(b), module, out);
}

bool sema_literal(sema *s, const ast_node *n, sema_const *out)
{
    if (n->kind == AST_INT && n->op && type_is_signed(comp_scalar(s->comp, n->op)))
        *out = sema_signed_const(s, (int64_t)n->integer);
    else if (n->kind == AST_INT && !n->overflow) *out = sema_int_const(s, n->integer, false);
    else if (n->kind == AST_FLOAT) *out = sema_float_const(s, n->number);
    else if (n->kind == AST_BOOL) *out = sema_bool_const(s, n->integer != 0);
    else
        return n->kind == AST_UNARY && (n->op == TOK_SUB || n->op == TOK_ADD) &&
               sema_literal(s, n->kids[0], out) && sema_fold_unary(s, (token_kind)n->op, *out, out);
    return true;
}

bool sema_complex_literal(const ast_node *n, double parts[2])
{
    double a[2], b[2];
    parts[0] = parts[1] = 0;
    switch (n->kind) {
    case AST_INT: parts[0] = (double)n->integer; return !n->overflow;
    case AST_FLOAT: parts[0] = n->number; return true;
    case AST_IMAGINARY: parts[1] = n->number; return true;
    case AST_UNARY:
    case AST_BINARY: break;
    default: return false;
    }
    const ast_node *last = n->kids[n->kid_count - 1];
    double sign = n->op == TOK_SUB ? -1 : 1;
    if ((n->op != TOK_SUB && n->op != TOK_ADD) || !sema_complex_literal(last, b)) return false;
    if (n->kind == AST_UNARY) a[0] = a[1] = -0.0;
    else if (!sema_complex_literal(n->kids[0], a)) return false;
    for (int i = 0; i < 2; i++) parts[i] = a[i] + sign * b[i];
    return true;
}

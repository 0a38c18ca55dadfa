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

static bool fold_power(sema *s, wide a, wide b, sema_const *out)
{
    wide result = 1;
    if (b < 0) {
        if (a == 0) return false;
        *out = sema_float_const(s, pow((double)a, (double)b));
        return true;
    }
    if (a == 0 || a == 1 || a == -1)
        return from_wide(s, b == 0 ? 1 : a < 0 && b % 2 == 0 ? 1 : a, out);
    for (wide i = 0; i < b; i++) {
        if (__builtin_mul_overflow(result, a, &result)) return false;
        if (result > (wide)UINT64_MAX || result < (wide)INT64_MIN) return false;
    }
    return from_wide(s, result, out);
}

static bool fold_ints(sema *s, token_kind op, wide a, wide b, bool module, sema_const *out)
{
    switch (op) {
    case TOK_ADD: return from_wide(s, a + b, out);
    case TOK_SUB: return from_wide(s, a - b, out);
    case TOK_MUL: {
        wide product;
        return !__builtin_mul_overflow(a, b, &product) && from_wide(s, product, out);
    }
    case TOK_DIV:
        if (b == 0) return false;
        if (!module) return from_wide(s, a / b, out);
        *out = sema_float_const(s, (double)a / (double)b);
        return true;
    case TOK_FLOORDIV: return b != 0 && from_wide(s, floor_div(a, b), out);
    case TOK_MOD: return b != 0 && from_wide(s, a - floor_div(a, b) * b, out);
    case TOK_POW: return fold_power(s, a, b, out);
    case TOK_SHL: return b >= 0 && b < 64 && from_wide(s, a * ((wide)1 << b), out);
    case TOK_SHR: return b >= 0 && b < 64 && from_wide(s, floor_div(a, (wide)1 << b), out);
    case TOK_BITAND: return from_wide(s, a & b, out);
    case TOK_BITOR: return from_wide(s, a | b, out);
    case TOK_BITXOR: return from_wide(s, a ^ b, out);
    default: return false;
    }
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
    if (n->kind == AST_INT && !n->overflow) *out = sema_int_const(s, n->integer, false);
    else if (n->kind == AST_FLOAT) *out = sema_float_const(s, n->number);
    else if (n->kind == AST_BOOL) *out = sema_bool_const(s, n->integer != 0);
    else
        return n->kind == AST_UNARY && (n->op == TOK_SUB || n->op == TOK_ADD) &&
               sema_literal(s, n->kids[0], out) && sema_fold_unary(s, (token_kind)n->op, *out, out);
    return true;
}

/*
 * Numbers of a module that are scalars of NumPy's, np.float32(0.1): arithmetic on them stays in
 * their type, as NumPy 2 has it. Numbers of Python's beside them take it.
 */
#include "lib/sema/sema_int.h"

#include <math.h>

static const cpl_type *float_of(sema *s, size_t size)
{
    return comp_scalar(s->comp, size > 4 ? CPL_FLOAT64 : size > 2 ? CPL_FLOAT32 : CPL_FLOAT16);
}

static const cpl_type *signed_of(sema *s, size_t size)
{
    return comp_scalar(s->comp, size > 4   ? CPL_INT64
                                : size > 2 ? CPL_INT32
                                : size > 1 ? CPL_INT16
                                           : CPL_INT8);
}

static const cpl_type *promote(sema *s, const cpl_type *a, const cpl_type *b)
{
    if (a == b || type_is_bool(b)) return a;
    if (type_is_bool(a)) return b;
    if (type_is_float(b)) {
        const cpl_type *swap = a;
        a = b;
        b = swap;
    }
    size_t other = type_is_float(a) && !type_is_float(b) ? b->size * 2 : b->size;
    size_t most = a->size > other ? a->size : other;
    if (type_is_float(a)) return float_of(s, most);
    if (type_is_signed(a) == type_is_signed(b)) return a->size > b->size ? a : b;
    size_t unsigned_size = type_is_signed(a) ? b->size : a->size;
    if (unsigned_size < most) return signed_of(s, most);
    return most == 8 ? s->t_f64 : signed_of(s, most * 2);
}

/* NULL: both are Python's. */
static const cpl_type *common(sema *s, sema_const a, sema_const b)
{
    if (a.scalar && b.scalar) return promote(s, a.scalar, b.scalar);
    const cpl_type *t = a.scalar ? a.scalar : b.scalar;
    const cpl_type *python = a.scalar ? b.type : a.type;
    if (!t || type_is_bool(python) || type_is_float(t)) return t;
    if (type_is_float(python)) return s->t_f64;
    return type_is_bool(t) ? signed_of(s, 8) : t;
}

static double rounded(const cpl_type *t, double x)
{
    return t->size == 8 ? x : t->size == 4 ? (double)(float)x : half_round(x);
}

sema_const sema_numpy_float(sema *s, const cpl_type *t, double value)
{
    sema_const k = sema_float_const(s, rounded(t, value));
    k.scalar = t;
    return k;
}

sema_const sema_numpy_default(sema *s, sema_const k)
{
    if (!k.scalar)
        k.scalar = type_is_float(k.type)  ? s->t_f64
                   : type_is_bool(k.type) ? s->t_bool
                                          : signed_of(s, 8);
    return k;
}

const cpl_type *sema_numpy_float_of(sema *s, sema_const a, sema_const b)
{
    const cpl_type *t = common(s, a, b);
    return !t ? s->t_f64 : type_is_float(t) ? t : float_of(s, t->size * 2);
}

/* What is divided by 0 is there, too. */
static bool fold_floats(sema *s, token_kind op, double x, double y, double *out)
{
    sema_const result;
    if (op == TOK_MOD) *out = y == 0 ? NAN : sema_float_mod(x, y);
    else if (op == TOK_FLOORDIV) *out = y == 0 ? x / y : sema_float_floordiv(x, y);
    else if (sema_fold_binary(s, op, sema_float_const(s, x), sema_float_const(s, y), true, &result))
        *out = result.number;
    else return false;
    return true;
}

static bool fold_bools(sema *s, token_kind op, sema_const a, sema_const b, sema_const *out)
{
    bool x = a.bits != 0, y = b.bits != 0;
    switch (op) {
    case TOK_MUL:
    case TOK_BITAND: x &= y; break;
    case TOK_ADD:
    case TOK_BITOR: x |= y; break;
    case TOK_BITXOR: x ^= y; break;
    default: return false;
    }
    *out = sema_bool_const(s, x);
    out->scalar = out->type;
    return true;
}

bool sema_numpy_binary(sema *s, token_kind op, sema_const a, sema_const b, sema_const *out)
{
    const cpl_type *t = common(s, a, b);
    if (op == TOK_DIV && !type_is_float(t)) t = s->t_f64;
    if (type_is_float(t)) {
        double x = rounded(t, sema_const_float(a)), y = rounded(t, sema_const_float(b)), result;
        if (!fold_floats(s, op, x, y, &result)) return false;
        *out = sema_numpy_float(s, t, result);
        return true;
    }
    if (type_is_bool(t)) return fold_bools(s, op, a, b, out);
    if (!sema_const_fits(a, t) || !sema_const_fits(b, t)) return false;
    return sema_fold_wrapped(s, op, a, b, t, out);
}

bool sema_numpy_unary(sema *s, token_kind op, sema_const a, sema_const *out)
{
    bool flips = op == TOK_BITNOT;
    *out = a;
    if (op == TOK_ADD) return !type_is_bool(a.scalar);
    if (op == TOK_NOT) return sema_fold_unary(s, op, a, out);
    if (type_is_float(a.scalar)) {
        out->number = -a.number;
        return !flips;
    }
    if (type_is_bool(a.scalar)) {
        out->bits = !a.bits;
        return flips;
    }
    sema_const other = flips ? sema_signed_const(s, -1) : sema_int_const(s, 0, false);
    if (flips) return sema_fold_wrapped(s, TOK_BITXOR, a, other, a.scalar, out);
    return sema_fold_wrapped(s, TOK_SUB, other, a, a.scalar, out);
}

/* In the type that NumPy gives to both. */
static sema_const typed(sema *s, sema_const k, const cpl_type *t)
{
    if (!t) return k;
    if (type_is_float(t)) return sema_numpy_float(s, t, sema_const_float(k));
    k.scalar = t;
    return k;
}

static bool is_nan(sema_const k)
{
    return sema_const_is_float(k) && isnan(k.number);
}

/* Floats are compared in the type of both. */
bool sema_const_holds(sema *s, token_kind op, sema_const a, sema_const b)
{
    const cpl_type *t = common(s, a, b);
    if (t && type_is_float(t)) {
        a = typed(s, a, t);
        b = typed(s, b, t);
    }
    bool differs = op == TOK_NE || op == TOK_NOT; /* is not */
    if (is_nan(a) || is_nan(b)) return differs;
    int order = sema_const_order(a, b);
    switch (op) {
    case TOK_LT: return order < 0;
    case TOK_LE: return order <= 0;
    case TOK_GT: return order > 0;
    case TOK_GE: return order >= 0;
    default: return (order == 0) != differs;
    }
}

static const struct {
    const char *name;
    token_kind op;
} operators[] = {
    {"add", TOK_ADD},          {"subtract", TOK_SUB},          {"multiply", TOK_MUL},
    {"divide", TOK_DIV},       {"true_divide", TOK_DIV},       {"mod", TOK_MOD},
    {"remainder", TOK_MOD},    {"floor_divide", TOK_FLOORDIV}, {"bitwise_and", TOK_BITAND},
    {"bitwise_or", TOK_BITOR}, {"bitwise_xor", TOK_BITXOR},    {"left_shift", TOK_SHL},
    {"right_shift", TOK_SHR},
};

static sema_const sign_of(sema *s, sema_const k)
{
    double x = sema_const_float(k), sign = isnan(x) ? x : (x > 0) - (x < 0);
    if (sema_const_is_float(k)) return sema_numpy_float(s, k.scalar, sign);
    return typed(s, sema_signed_const(s, (int64_t)sign), k.scalar);
}

static bool call_one(sema *s, const char *name, sema_const x, sema_const *out)
{
    if (strcmp(name, "square") == 0) return sema_numpy_binary(s, TOK_MUL, x, x, out);
    *out = sign_of(s, x);
    return strcmp(name, "sign") == 0;
}

static bool call_two(sema *s, const char *name, sema_const x, sema_const y, sema_const *out)
{
    for (size_t i = 0; i < COUNT_OF(operators); i++)
        if (strcmp(operators[i].name, name) == 0)
            return sema_numpy_binary(s, operators[i].op, x, y, out);
    return false;
}

static bool call_three(sema *s, const char *name, sema_const *a, sema_const *out)
{
    bool where = strcmp(name, "where") == 0, clip = strcmp(name, "clip") == 0;
    if (clip) a[0] = sema_numpy_default(s, a[0]); /* is an array before it is clipped */
    const cpl_type *t = common(s, a[1], a[2]);
    if (where) {
        *out = typed(s, a[sema_const_float(a[0]) != 0 ? 1 : 2], t);
        return true;
    }
    sema_const least = sema_const_holds(s, TOK_LT, a[0], a[1]) ? a[1] : a[0];
    *out = sema_const_holds(s, TOK_GT, least, a[2]) ? a[2] : least;
    *out = typed(s, *out, common(s, a[0], typed(s, a[1], t)));
    return clip;
}

bool sema_numpy_call(sema *s, const char *name, uint32_t count, sema_const *a, sema_const *out)
{
    bool any = false;
    for (uint32_t i = 0; i < count; i++) any |= a[i].scalar != NULL;
    for (uint32_t i = 0; !any && i < count; i++) a[i] = sema_numpy_default(s, a[i]);
    return count == 1   ? call_one(s, name, a[0], out)
           : count == 2 ? call_two(s, name, a[0], a[1], out)
                        : count == 3 && call_three(s, name, a, out);
}

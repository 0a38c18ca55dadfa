/* Compile-time numbers: folding, and the constants of a module. */
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

/* Module constants, evaluated once each. */
const char sema_reported[] = "";

typedef struct const_entry {
    enum { ENTRY_BUSY, ENTRY_GOOD, ENTRY_BAD } state;
    sema_const value;
    const char *problem;
} const_entry;

/* What n names, a constant or a number. */
static const char *evaluate_name(sema_names in, const ast_node *n, sema_const *out)
{
    sema_global g = sema_find_node(in, n);
    if (g.kind == GLOBAL_CONST) return sema_module_const(in.s, g.constant, out);
    if (g.kind == GLOBAL_NUMBER) {
        *out = g.number;
        return NULL;
    }
    if (g.kind == GLOBAL_BROKEN) return sema_reported;
    if (g.kind == GLOBAL_FOREIGN)
        return arena_printf(&in.s->comp->arena, "'%s' comes from module '%s'%s%s", n->name,
                            g.import->module, g.problem ? ": " : ", of which kernels know nothing",
                            g.problem ? g.problem : "");
    if (n->kind == AST_NAME)
        return arena_printf(&in.s->comp->arena, "'%s' is not a number", n->name);
    return "its value is not known when the kernel is compiled";
}

static const char *evaluate(sema_names in, const ast_node *n, sema_const *out)
{
    sema *s = in.s;
    static const char too_large[] = "its value needs more than 64 bits or is undefined";
    sema_const a, b;
    const char *problem;
    switch (n->kind) {
    case AST_INT: return sema_literal(s, n, out) ? NULL : too_large;
    case AST_FLOAT:
    case AST_BOOL: sema_literal(s, n, out); return NULL;
    case AST_ERROR: return sema_reported;
    case AST_STRING: return "it is a string";
    case AST_NAME:
    case AST_ATTRIBUTE: return evaluate_name(in, n, out);
    case AST_UNARY:
        problem = evaluate(in, n->kids[0], &a);
        return problem ? problem : sema_fold_unary(s, (token_kind)n->op, a, out) ? NULL : too_large;
    case AST_BINARY:
        problem = evaluate(in, n->kids[0], &a);
        if (!problem) problem = evaluate(in, n->kids[1], &b);
        return problem                                                   ? problem
               : sema_fold_binary(s, (token_kind)n->op, a, b, true, out) ? NULL
                                                                         : too_large;
    default: return "its value is not known when the kernel is compiled";
    }
}

const char *sema_module_const(sema *s, ast_const *k, sema_const *out)
{
    const_entry *e = k->user;
    if (e) {
        *out = e->value;
        return e->state == ENTRY_GOOD   ? NULL
               : e->state == ENTRY_BUSY ? "it is defined in terms of itself"
                                        : e->problem;
    }
    k->user = e = arena_new(&s->comp->arena, const_entry);
    e->problem = k->reassigned ? "the file assigns it more than once"
                               : evaluate((sema_names){.s = s, .file = k->file}, ast_const_value(k),
                                          &e->value);
    e->state = e->problem ? ENTRY_BAD : ENTRY_GOOD;
    *out = e->value;
    return e->problem;
}

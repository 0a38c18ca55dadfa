/*
 * guards: makes what codegen needs of the total integer operations: raw division, remainder and
 * shifts, and the guards around them.
 *
 * Does: div, rem, floordiv, floormod on integers become rawdiv and rawrem of operands that cond
 * makes harmless, with nothing to test for a constant divisor; shl and shr mask the count and
 * become rawshl and rawshr; float floordiv and floormod become fmod and the corrections of Python;
 * convert from a float to an integer becomes rawconvert where the value provably fits; within
 * becomes its operand. Requires: nothing; runs behind bounds, whose conditions use these
 * operations, and which reads within. Ensures: no div, rem, floordiv, floormod, shl, shr on
 * integers; no floordiv, floormod, within at all. Keeps: values. Operands
 * that are needed more than once and are not cheap are saved in front. Source: T. Granlund and P.
 * Montgomery, Division by invariant integers using multiplication (PLDI 1994), for the signs;
 * CPython's float_divmod.
 */
#include "passes/guards_int.h"

#include <math.h>

static ir_node *copy(guards *g, const ir_node *n)
{
    return ir_copy(g->r.m, n);
}

static ir_node *op2(guards *g, ir_op op, ir_node *a, ir_node *b)
{
    return ir_op2(g->r.m, op, a, b, g->span);
}

static ir_node *integer(guards *g, const cpl_type *t, int64_t value)
{
    return ir_int(g->r.m, t, value, g->span);
}

static ir_node *compare(guards *g, ir_op op, const ir_node *a, int64_t value)
{
    return op2(g, op, copy(g, a), integer(g, a->type, value));
}

static ir_node *choose(guards *g, ir_node *c, ir_node *a, ir_node *b)
{
    return ir_op3(g->r.m, IR_COND, c, a, b, g->span);
}

/* 1 where the condition holds. */
static ir_node *as_number(guards *g, const cpl_type *t, ir_node *cond)
{
    return ir_convert(g->r.m, t, cond, g->span);
}

static bool power_of_two(int64_t c, int *exponent)
{
    if (c <= 0 || (c & (c - 1)) != 0) return false;
    *exponent = __builtin_ctzll((unsigned long long)c);
    return true;
}

/* By a constant other than 0, 1 and -1, which folding has dealt with or which by_constant does. */
static ir_node *signed_by(guards *g, ir_op op, ir_node *a, ir_node *b)
{
    const cpl_type *t = a->type;
    int64_t c = (int64_t)b->bits;
    int exponent;
    if (op == IR_DIV) return op2(g, IR_RAWDIV, a, b);
    if (op == IR_REM) return op2(g, IR_RAWREM, a, b);
    if (power_of_two(c, &exponent)) /* two's complement floors by itself */
        return op == IR_FLOORDIV ? op2(g, IR_RAWSHR, a, integer(g, t, exponent))
                                 : op2(g, IR_AND, a, integer(g, t, c - 1));
    a = pass_save(&g->r, a, "dividend");
    ir_node *r = op2(g, IR_RAWREM, copy(g, a), copy(g, b));
    ir_op wrong = c > 0 ? IR_LT : IR_GT; /* sign of the remainder that is not the divisor's */
    if (op == IR_FLOORDIV)
        return op2(g, IR_SUB, op2(g, IR_RAWDIV, a, b), as_number(g, t, compare(g, wrong, r, 0)));
    r = pass_save(&g->r, r, "remainder");
    return choose(g, compare(g, wrong, r, 0), op2(g, IR_ADD, copy(g, r), b), copy(g, r));
}

static ir_node *by_constant(guards *g, ir_op op, ir_node *a, ir_node *b)
{
    bool quotient = op == IR_DIV || op == IR_FLOORDIV;
    const cpl_type *t = a->type;
    if (b->bits == 0 || (!quotient && b->bits == 1)) return integer(g, t, 0);
    if (b->bits == 1) return a;
    if (type_is_signed(t) && (int64_t)b->bits == -1)
        return quotient ? ir_op1(g->r.m, IR_NEG, a, g->span) : integer(g, t, 0);
    if (type_is_signed(t)) return signed_by(g, op, a, b);
    return op2(g, quotient ? IR_RAWDIV : IR_RAWREM, a, b);
}

/* A divisor that raw division takes: 1 where b is 0 or, with signs, -1. */
static ir_node *safe_divisor(guards *g, const ir_node *b)
{
    ir_node *trivial = compare(g, IR_EQ, b, 0);
    if (type_is_signed(b->type)) trivial = op2(g, IR_OR, trivial, compare(g, IR_EQ, b, -1));
    return choose(g, trivial, integer(g, b->type, 1), copy(g, b));
}

/* The quotient of b from that of its safe divisor, which for 1 is the dividend: 0 for b = 0, -q for
 * b = -1. */
static ir_node *true_quotient(guards *g, ir_node *q, const ir_node *b)
{
    q = pass_save(&g->r, q, "quotient");
    ir_node *result = copy(g, q);
    if (type_is_signed(b->type))
        result = choose(g, compare(g, IR_EQ, b, -1), ir_op1(g->r.m, IR_NEG, q, g->span), result);
    return choose(g, compare(g, IR_EQ, b, 0), integer(g, b->type, 0), result);
}

/*
 * Whether flooring takes one from the quotient: the remainder is not 0 and its sign is not the
 * divisor's.
 */
static ir_node *rounds_down(guards *g, const ir_node *r, const ir_node *b)
{
    ir_node *differ = op2(g, IR_LT, op2(g, IR_XOR, copy(g, r), copy(g, b)), integer(g, b->type, 0));
    return op2(g, IR_AND, compare(g, IR_NE, r, 0), differ);
}

/*
 * Guards select among values and never branch: a divisor that does not change in a loop is looked
 * at once, and quotient and remainder of the same operands stay one instruction.
 */
static ir_node *by_variable(guards *g, ir_op op, ir_node *a, ir_node *b)
{
    bool floors = type_is_signed(a->type) && (op == IR_FLOORDIV || op == IR_FLOORMOD);
    bool quotient = op == IR_DIV || op == IR_FLOORDIV;
    if (floors) a = pass_save(&g->r, a, "dividend");
    b = pass_save(&g->r, b, "divisor");
    ir_node *safe = safe_divisor(g, b);
    if (!floors) {
        ir_node *raw = op2(g, quotient ? IR_RAWDIV : IR_RAWREM, a, safe);
        return quotient ? true_quotient(g, raw, b) : raw;
    }
    safe = pass_save(&g->r, safe, "safe");
    ir_node *r = op2(g, IR_RAWREM, copy(g, a), copy(g, safe));
    if (quotient) {
        ir_node *down = as_number(g, a->type, rounds_down(g, r, safe));
        return true_quotient(g, op2(g, IR_SUB, op2(g, IR_RAWDIV, a, copy(g, safe)), down), b);
    }
    ir_node *more = choose(g, rounds_down(g, r, safe), copy(g, safe), integer(g, a->type, 0));
    return op2(g, IR_ADD, r, more);
}

static ir_node *division(guards *g, ir_node *n)
{
    ir_node *a = n->kids[0], *b = n->kids[1];
    if (ir_is_const(b)) return by_constant(g, (ir_op)n->op, a, b);
    return by_variable(g, (ir_op)n->op, a, b);
}

static ir_node *shift(guards *g, ir_node *n)
{
    int64_t mask = (int64_t)type_bits(n->type) - 1;
    ir_node *count = op2(g, IR_AND, n->kids[1], integer(g, n->type, mask));
    count = pass_fold_expr(g->r.m, count, &(bool){false});
    if (ir_is_const(count) && count->bits == 0) return n->kids[0];
    return op2(g, n->op == IR_SHL ? IR_RAWSHL : IR_RAWSHR, n->kids[0], count);
}

/* Ends of what a float expression can be, when it cannot be NaN either. */
static bool float_range(const ir_node *n, double *lo, double *hi)
{
    double a, b, c, d;
    switch (n->op) {
    case IR_CONST: *lo = *hi = n->number; return isfinite(n->number);
    case IR_CONVERT: {
        const cpl_type *t = n->kids[0]->type;
        if (type_is_float(t)) return n->type->size > t->size && float_range(n->kids[0], lo, hi);
        if (!type_is_bool(t) && type_bits(t) - type_is_signed(t) > (n->type->size == 8   ? 53u
                                                                    : n->type->size == 4 ? 24u
                                                                                         : 11u))
            return false; /* rounding could pass the end */
        *hi = type_is_bool(t) ? 1 : ldexp(1, (int)type_bits(t) - type_is_signed(t)) - 1;
        *lo = type_is_bool(t) || type_is_unsigned(t) ? 0 : -*hi - 1;
        return true;
    }
    case IR_FLOOR:
    case IR_CEIL:
    case IR_TRUNC:
    case IR_RINT:
    case IR_ROUND: /* ends are whole numbers or are rounded outwards */
        if (!float_range(n->kids[0], lo, hi)) return false;
        *lo = floor(*lo);
        *hi = ceil(*hi);
        return true;
    case IR_NEG:
        if (!float_range(n->kids[0], &a, &b)) return false;
        *lo = -b;
        *hi = -a;
        return true;
    case IR_ABS:
        if (!float_range(n->kids[0], &a, &b)) return false;
        *lo = 0;
        *hi = fmax(fabs(a), fabs(b));
        return true;
    case IR_MIN:
    case IR_MAX:
        if (!float_range(n->kids[0], &a, &b) || !float_range(n->kids[1], &c, &d)) return false;
        *lo = n->op == IR_MIN ? fmin(a, c) : fmax(a, c);
        *hi = n->op == IR_MIN ? fmin(b, d) : fmax(b, d);
        return true;
    default: return false;
    }
}

static ir_node *conversion(guards *g, ir_node *n)
{
    double lo, hi;
    if (!type_is_int(n->type) || !type_is_float(n->kids[0]->type) ||
        !float_range(n->kids[0], &lo, &hi))
        return n;
    double end = ldexp(1, (int)type_bits(n->type) - type_is_signed(n->type));
    if (lo < (type_is_signed(n->type) ? -end : 0) || hi >= end) return n;
    return ir_typed(g->r.m, IR_RAWCONVERT, n->type, n->kids[0], n->span);
}

static ir_node *guard(pass_rewriter *r, ir_node *n)
{
    guards *g = r->user;
    ir_node *result = n;
    g->span = n->span;
    switch (n->op) {
    case IR_DIV:
    case IR_REM:
        if (type_is_int(n->type)) result = division(g, n);
        break;
    case IR_FLOORDIV:
    case IR_FLOORMOD:
        result = type_is_int(n->type) ? division(g, n) : guards_floor_float(g, n);
        break;
    case IR_SHL:
    case IR_SHR: result = shift(g, n); break;
    case IR_CONVERT: result = conversion(g, n); break;
    case IR_WITHIN: result = n->kids[0]; break; /* checked where it is asked for */
    default: break;
    }
    if (result != n) g->changed = true;
    return result;
}

bool pass_guards(pass_context *cx, ir_module *m)
{
    (void)cx;
    guards g = {.r = {.m = m, .expr = guard}};
    g.r.user = &g;
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (m->funcs.at[i]->body) pass_rewrite_func(&g.r, m->funcs.at[i]);
    return g.changed;
}

/*
 * Folding of expressions: constants by ir_eval_op, and identities that hold for every value of the
 * type, for floats bit by bit (NaN payloads aside). What bounds checks may report later stays: an
 * operand that loads is never dropped.
 */
#include "passes/pass_int.h"

#include <math.h>

typedef struct folder {
    ir_module *m;
    bool changed;
} folder;

bool pass_can_drop(const ir_node *n)
{
    return !ir_has_load(n);
}

static ir_node *make(folder *f, const cpl_type *type, ir_value v, cpl_span span)
{
    ir_node *n = ir_node_new(f->m, IR_CONST, type, span, 0);
    if (type_is_float(type)) n->number = v.number;
    else n->bits = v.bits;
    return n;
}

static ir_value value_of(const ir_node *n)
{
    ir_value v = {.bits = 0};
    if (type_is_float(n->type)) v.number = n->number;
    else v.bits = n->bits;
    return v;
}

static ir_node *evaluate(folder *f, ir_node *n)
{
    ir_value v[3] = {{0}}, result;
    if (!(ir_ops[n->op].flags & IR_FLAG_FOLD) || n->op == IR_COND) return NULL;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (!ir_is_const(n->kids[i])) return NULL;
        v[i] = value_of(n->kids[i]);
    }
    if (!ir_eval_op((ir_op)n->op, n->type, n->kids[0]->type, v, &result)) return NULL;
    return make(f, n->type, result, n->span);
}

/*
 * An integer or bool constant with this value, as its type reads it: -1 is all bits set in unsigned
 * types too.
 */
static bool is_int(const ir_node *n, int64_t value)
{
    if (!ir_is_const(n)) return false;
    if (type_is_bool(n->type)) return n->bits == (uint64_t)(value != 0);
    return type_is_int(n->type) && n->bits == ir_wrap_to(n->type, (uint64_t)value);
}

static bool is_float(const ir_node *n, double value)
{
    return ir_is_const(n) && type_is_float(n->type) &&
           memcmp(&n->number, &value, sizeof value) == 0;
}

/* Of a number, not of a bool. */
static bool is_one(const ir_node *n)
{
    return is_int(n, 1) || is_float(n, 1.0);
}

/* Integers that multiply to -1; for unsigned types that is no division by -1. */
static bool is_minus_one(const ir_node *n)
{
    return type_is_signed(n->type) && is_int(n, -1);
}

static bool same(const ir_node *a, const ir_node *b)
{
    return ir_equal(a, b);
}

static ir_node *zero_of(folder *f, const ir_node *n)
{
    return ir_zero(f->m, n->type, n->span);
}

/* Constants to the right of what commutes. */
static bool swap_operands(ir_node *n)
{
    if (!(ir_ops[n->op].flags & IR_FLAG_COMM) || !ir_is_const(n->kids[0]) ||
        ir_is_const(n->kids[1]))
        return false;
    ir_node *a = n->kids[0];
    n->kids[0] = n->kids[1];
    n->kids[1] = a;
    return true;
}

/*
 * Which of add, sub, mul by a constant n is: x + c as x, c. False for other nodes. Sub counts as
 * add of -c.
 */
static bool split_constant(const ir_node *n, ir_op op, uint64_t *c)
{
    if (!type_is_int(n->type) || n->kid_count != 2 || !ir_is_const(n->kids[1])) return false;
    *c = n->kids[1]->bits;
    if (n->op == op) return true;
    if (op != IR_ADD || n->op != IR_SUB) return false;
    *c = ir_wrap_to(n->type, 0 - *c);
    return true;
}

/* (x + c1) + c2 is x + (c1 + c2) in arithmetic that wraps; so for products. */
static ir_node *reassociate(folder *f, ir_node *n)
{
    uint64_t inner, outer;
    ir_op op = n->op == IR_MUL ? IR_MUL : IR_ADD;
    if (!split_constant(n, op, &outer) || !split_constant(n->kids[0], op, &inner)) return NULL;
    uint64_t joined = op == IR_MUL ? inner * outer : inner + outer;
    ir_node *x = n->kids[0]->kids[0];
    int64_t c = (int64_t)ir_wrap_to(n->type, joined);
    if (op == IR_ADD && type_is_signed(n->type) && c < 0 &&
        ir_wrap_to(n->type, 0 - (uint64_t)c) != (uint64_t)c)
        return ir_op2(f->m, IR_SUB, x, ir_int(f->m, n->type, -c, n->span), n->span);
    return ir_op2(f->m, op, x, ir_int(f->m, n->type, c, n->span), n->span);
}

static ir_node *fold_add(folder *f, ir_node *n)
{
    ir_node *a = n->kids[0], *b = n->kids[1];
    if (type_is_int(n->type) && is_int(b, 0)) return a;
    /* -0.0 + 0.0 is 0.0: the other zero would change it */
    if (is_float(b, n->op == IR_ADD ? -0.0 : 0.0)) return a;
    if (n->op == IR_SUB && type_is_int(n->type) && same(a, b) && pass_can_drop(a))
        return zero_of(f, n);
    if (n->op == IR_ADD && b->op == IR_NEG) return ir_op2(f->m, IR_SUB, a, b->kids[0], n->span);
    if (n->op == IR_SUB && b->op == IR_NEG) return ir_op2(f->m, IR_ADD, a, b->kids[0], n->span);
    return reassociate(f, n);
}

static ir_node *fold_mul(folder *f, ir_node *n)
{
    ir_node *a = n->kids[0], *b = n->kids[1];
    if (is_one(b)) return a;
    if (type_is_int(n->type) && is_int(b, 0) && pass_can_drop(a)) return b;
    if (is_minus_one(b)) return ir_op1(f->m, IR_NEG, a, n->span);
    return reassociate(f, n);
}

static ir_node *fold_quotient(folder *f, ir_node *n)
{
    ir_node *a = n->kids[0], *b = n->kids[1];
    if (n->op != IR_FLOORDIV && is_one(b)) return a;
    if (!type_is_int(n->type)) return NULL;
    if (is_one(b)) return a;
    if (n->op == IR_RAWDIV) return NULL;
    if (is_int(b, 0) && pass_can_drop(a)) return b;
    if (is_minus_one(b)) return ir_op1(f->m, IR_NEG, a, n->span);
    return NULL;
}

static ir_node *fold_remainder(folder *f, ir_node *n)
{
    ir_node *a = n->kids[0], *b = n->kids[1];
    if (!type_is_int(n->type) || !pass_can_drop(a)) return NULL;
    if (is_int(b, 1) || (n->op != IR_RAWREM && (is_int(b, 0) || is_minus_one(b))))
        return zero_of(f, n);
    return NULL;
}

/*
 * A number that is a limit twice is one once: min(c, min(x, c)) is min(c, x), min(min(x, c), c) is
 * min(x, c). That is more than tidiness: LLVM 22 takes the first of them for min(x, c), which is
 * another one where x is NaN.
 */
static ir_node *fold_min_max(folder *f, ir_node *n)
{
    if (same(n->kids[0], n->kids[1])) return n->kids[0];
    for (int i = 0; i < 2; i++) {
        ir_node *c = n->kids[i], *inner = n->kids[1 - i];
        if (!ir_is_const(c) || inner->op != n->op || (type_is_float(c->type) && isnan(c->number)))
            continue;
        int at = same(inner->kids[0], c) ? 0 : 1;
        if (!same(inner->kids[at], c)) continue;
        return i ? inner : ir_op2(f->m, n->op, c, inner->kids[1 - at], n->span);
    }
    return NULL;
}

static ir_node *fold_bits(folder *f, ir_node *n)
{
    ir_node *a = n->kids[0], *b = n->kids[1];
    if (n->op == IR_AND) {
        if (is_int(b, -1) || same(a, b)) return a;
        if (is_int(b, 0) && pass_can_drop(a)) return b;
    } else if (n->op == IR_OR) {
        if (is_int(b, 0) || same(a, b)) return a;
        if (is_int(b, -1) && pass_can_drop(a)) return b;
    } else {
        if (is_int(b, 0)) return a;
        if (is_int(b, -1)) return ir_op1(f->m, IR_NOT, a, n->span);
        if (same(a, b) && pass_can_drop(a)) return zero_of(f, n);
    }
    return NULL;
}

static ir_node *fold_shift(ir_node *n)
{
    ir_node *b = n->kids[1];
    bool none = ir_is_const(b) && b->bits % type_bits(n->type) == 0;
    if ((n->op == IR_RAWSHL || n->op == IR_RAWSHR) && !is_int(b, 0)) none = false;
    return none ? n->kids[0] : NULL;
}

static ir_op negated(ir_op op)
{
    switch (op) {
    case IR_EQ: return IR_NE;
    case IR_NE: return IR_EQ;
    case IR_LT: return IR_GE;
    case IR_LE: return IR_GT;
    case IR_GT: return IR_LE;
    case IR_GE: return IR_LT;
    default: return IR_OP_COUNT;
    }
}

static ir_node *fold_not(folder *f, ir_node *n)
{
    ir_node *a = n->kids[0];
    if (a->op == n->op) return a->kids[0]; /* neg and not undo themselves */
    if (n->op == IR_NEG) {
        if (a->op == IR_SUB && type_is_int(n->type))
            return ir_op2(f->m, IR_SUB, a->kids[1], a->kids[0], n->span);
        return NULL;
    }
    if (!type_is_bool(n->type) || negated((ir_op)a->op) == IR_OP_COUNT) return NULL;
    /* not(a < b) holds for NaN, a >= b does not */
    if (type_is_float(a->kids[0]->type) && a->op != IR_EQ && a->op != IR_NE) return NULL;
    return ir_op2(f->m, negated((ir_op)a->op), a->kids[0], a->kids[1], a->span);
}

/* a % b is 0 where the remainder is, whatever its sign. */
static ir_node *fold_divides(folder *f, ir_node *n)
{
    const ir_node *a = n->kids[0];
    ir_node *rest = ir_op2(f->m, IR_REM, a->kids[0], a->kids[1], a->span);
    return ir_op2(f->m, (ir_op)n->op, rest, n->kids[1], n->span);
}

static ir_node *fold_compare(folder *f, ir_node *n)
{
    ir_node *a = n->kids[0], *b = n->kids[1];
    bool known = false, value = false, equality = n->op == IR_EQ || n->op == IR_NE;
    if (type_is_bool(a->type) && ir_is_const(b) && equality)
        return (n->op == IR_EQ) == (b->bits != 0) ? a : ir_op1(f->m, IR_NOT, a, n->span);
    if (a->op == IR_FLOORMOD && is_int(b, 0) && equality) return fold_divides(f, n);
    if (!type_is_float(a->type) && same(a, b)) {
        known = true;
        value = n->op == IR_EQ || n->op == IR_LE || n->op == IR_GE;
    } else if (type_is_unsigned(a->type) && is_int(b, 0) && (n->op == IR_LT || n->op == IR_GE)) {
        known = true;
        value = n->op == IR_GE;
    }
    return known && pass_can_drop(a) ? ir_int(f->m, n->type, value, n->span) : NULL;
}

static ir_node *fold_cond(folder *f, ir_node *n)
{
    ir_node *c = n->kids[0], *a = n->kids[1], *b = n->kids[2];
    if (ir_is_const(c)) return c->bits ? a : b;
    if (same(a, b) && pass_can_drop(c)) return a;
    if (type_is_bool(n->type) && is_int(a, 1) && is_int(b, 0)) return c;
    if (type_is_bool(n->type) && is_int(a, 0) && is_int(b, 1))
        return ir_op1(f->m, IR_NOT, c, n->span);
    if (c->op == IR_NOT) return ir_op3(f->m, IR_COND, c->kids[0], b, a, n->span);
    return NULL;
}

/* Whether every value of one type is one of the other. */
static bool holds_all(const cpl_type *to, const cpl_type *from)
{
    if (to == from || type_is_bool(from)) return true;
    if (type_is_bool(to)) return false;
    if (type_is_float(from)) return type_is_float(to) && to->size > from->size;
    if (type_is_float(to)) {
        uint32_t digits = to->size == 8 ? 53 : to->size == 4 ? 24 : 11;
        return type_bits(from) - (type_is_signed(from) ? 1 : 0) <= digits;
    }
    if (type_is_signed(from)) return type_is_signed(to) && type_bits(to) > type_bits(from);
    return type_bits(to) > type_bits(from);
}

static ir_node *fold_convert(folder *f, ir_node *n)
{
    ir_node *a = n->kids[0];
    if (a->type == n->type) return a;
    if (a->op != IR_CONVERT) return NULL;
    ir_node *x = a->kids[0];
    bool narrows = type_is_int(n->type) && type_is_int(a->type) && type_is_int(x->type) &&
                   type_bits(n->type) <= type_bits(a->type);
    /* what a wider float rounds is infinite as float16 anyway */
    bool half = type_is(n->type, CPL_FLOAT16) && type_is_float(a->type) && type_is_int(x->type);
    if (!narrows && !half && !holds_all(a->type, x->type)) return NULL;
    /* from a float it saturates, from an integer it wraps */
    bool saturates = type_is_int(n->type) && type_is_float(a->type) && type_is_int(x->type);
    if (saturates && !holds_all(n->type, x->type)) return NULL;
    return ir_convert(f->m, n->type, x, n->span);
}

/* Conversions that only change the type again. */
static ir_node *fold_retype(folder *f, ir_node *n)
{
    ir_node *a = n->kids[0];
    if (a->type == n->type) return a;
    return a->op == n->op ? ir_typed(f->m, (ir_op)n->op, n->type, a->kids[0], n->span) : NULL;
}

/* An item behind the first one of an array is one of the array. */
static ir_node *fold_elem(const ir_node *n)
{
    ir_node *array = n->kids[0];
    int64_t first;
    bool whole = array->op == IR_ITEM && ir_is_int_const(array->kids[1], &first) && first == 0;
    if (!whole || array->type != n->type) return NULL;
    array->kids[1] = n->kids[1];
    return array;
}

static ir_node *simplify(folder *f, ir_node *n)
{
    switch (n->op) {
    case IR_ADD:
    case IR_SUB: return fold_add(f, n);
    case IR_MUL: return fold_mul(f, n);
    case IR_DIV:
    case IR_RAWDIV:
    case IR_FLOORDIV: return fold_quotient(f, n);
    case IR_REM:
    case IR_RAWREM:
    case IR_FLOORMOD: return fold_remainder(f, n);
    case IR_NEG:
    case IR_NOT: return fold_not(f, n);
    case IR_MIN:
    case IR_MAX: return fold_min_max(f, n);
    case IR_AND:
    case IR_OR:
    case IR_XOR: return fold_bits(f, n);
    case IR_SHL:
    case IR_SHR:
    case IR_RAWSHL:
    case IR_RAWSHR: return fold_shift(n);
    case IR_EQ:
    case IR_NE:
    case IR_LT:
    case IR_LE:
    case IR_GT:
    case IR_GE: return fold_compare(f, n);
    case IR_COND: return fold_cond(f, n);
    case IR_CONVERT: return fold_convert(f, n);
    case IR_ELEM: return fold_elem(n);
    case IR_BITS:
    case IR_PTRCAST: return fold_retype(f, n);
    default: return NULL;
    }
}

static ir_node *fold(folder *f, ir_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++) n->kids[i] = fold(f, n->kids[i]);
    if (ir_ops[n->op].class_ != IR_CLASS_EXPR) return n;
    for (;
         /* each round leaves fewer nodes, or the same number with a constant further right or an
            operator undone */
         ;) {
        if (n->kid_count == 2 && swap_operands(n)) f->changed = true;
        ir_node *next = evaluate(f, n);
        if (!next) next = simplify(f, n);
        if (!next) return n;
        f->changed = true;
        n = next;
    }
}

ir_node *pass_fold_expr(ir_module *m, ir_node *n, bool *changed)
{
    folder f = {m, false};
    n = fold(&f, n);
    if (f.changed) *changed = true;
    return n;
}

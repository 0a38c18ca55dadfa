/* Arithmetic, bits, comparison, conversion, mathematics. */
#include "lib/opencl/ocl_int.h"

static void infix(ocl *o, const ir_node *n, const char *text, int level, int left, int right,
                  int prec)
{
    bool p = ocl_open(o, prec > level);
    ocl_expr(o, n->kids[0], left);
    sb_printf(o->out, " %s ", text);
    ocl_expr(o, n->kids[1], right);
    ocl_close(o, p);
}

static void prefix(ocl *o, const char *text, const ir_node *kid, int prec)
{
    bool p = ocl_open(o, prec > PREC_UNARY);
    sb_put(o->out, text);
    ocl_expr(o, kid, PREC_POSTFIX);
    ocl_close(o, p);
}

static void cast(ocl *o, const char *type, const ir_node *kid, int prec)
{
    bool p = ocl_open(o, prec > PREC_UNARY);
    sb_printf(o->out, "(%s)", type);
    /* small numbers, not negative */
    if (ir_op_kind(kid->op) == IR_KIND_PLACE) ocl_query(o, kid);
    else ocl_expr(o, kid, PREC_UNARY);
    ocl_close(o, p);
}

static void helper(ocl *o, const char *name, const ir_node *n)
{
    sb_printf(o->out, "%s(", name);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (i) sb_put(o->out, ", ");
        ocl_expr(o, n->kids[i], PREC_COND);
    }
    sb_putc(o->out, ')');
}

/* Integers. */

static void shift_count(ocl *o, const ir_node *n)
{
    const ir_node *count = n->kids[1];
    if (n->op == IR_RAWSHL || n->op == IR_RAWSHR) {
        ocl_expr(o, count, PREC_UNARY);
        return;
    }
    sb_putc(o->out, '(');
    ocl_expr(o, count, PREC_UNARY);
    sb_printf(o->out, " & %u)", (unsigned)type_bits(n->type) - 1);
}

static void modular(ocl *o, const ir_node *n, int prec);

/* The op, or it as int64. */
static const ir_node *asks(const ir_node *n, ir_op op)
{
    if (n->op == IR_CONVERT && type_is(n->type, CPL_INT64)) n = n->kids[0];
    return n->op == op ? n : NULL;
}

/* group_count * local_size */
static bool is_grid_size(const ir_node *n)
{
    if (n->op != IR_MUL) return false;
    const ir_node *count = asks(n->kids[0], IR_GROUP_COUNT),
                  *size = asks(n->kids[1], IR_LOCAL_SIZE);
    return count && size && count->dim == size->dim;
}

/* group_id * local_size + local_id */
static bool is_grid_index(const ir_node *n)
{
    if (n->op != IR_ADD || n->kids[0]->op != IR_MUL) return false;
    const ir_node *group = asks(n->kids[0]->kids[0], IR_GROUP_ID),
                  *size = asks(n->kids[0]->kids[1], IR_LOCAL_SIZE);
    const ir_node *own = asks(n->kids[1], IR_LOCAL_ID);
    return group && size && own && group->dim == size->dim && group->dim == own->dim;
}

/* The same asked for at once, where it is there and then; launches have no offset. */
static bool grid(ocl *o, const ir_node *n, const char *type, int prec)
{
    bool size = is_grid_size(n);
    if (n->type->size != 8 || !(size || is_grid_index(n))) return false;
    bool p = ocl_open(o, prec > PREC_UNARY);
    sb_printf(
        o->out, "(%s)get_global_%s(%u)", type, size ? "size" : "id",
        (unsigned)(size ? asks(n->kids[0], IR_GROUP_COUNT) : asks(n->kids[1], IR_LOCAL_ID))->dim);
    ocl_close(o, p);
    return true;
}

static void modular_infix(ocl *o, const ir_node *n, const char *text, int level, int prec)
{
    const ir_node *b = n->kids[1];
    bool minus =
        n->op == IR_ADD && b->op == IR_CONST && type_is_signed(b->type) && (int64_t)b->bits < 0;
    bool p = ocl_open(o, prec > level);
    modular(o, n->kids[0], level);
    if (minus) { /* "- 1u" reads better than "+ 4294967295u" */
        sb_printf(o->out, " - %llu%s", (unsigned long long)(0 - b->bits),
                  b->type->size == 8 ? "UL" : "u");
    } else {
        sb_printf(o->out, " %s ", text);
        modular(o, b, level + 1);
    }
    ocl_close(o, p);
}

/* The value modulo 2^32 or 2^64, of the unsigned type of the same size: signed overflow is
 * undefined in C. */
static void modular(ocl *o, const ir_node *n, int prec)
{
    const char *type = ocl_unsigned(n->type);
    bool p;
    if (grid(o, n, type, prec)) return;
    switch (n->op) {
    case IR_ADD: modular_infix(o, n, "+", PREC_ADD, prec); return;
    case IR_SUB: modular_infix(o, n, "-", PREC_ADD, prec); return;
    case IR_MUL: modular_infix(o, n, "*", PREC_MUL, prec); return;
    case IR_NEG:
        p = ocl_open(o, prec > PREC_UNARY);
        sb_putc(o->out, '-');
        modular(o, n->kids[0], PREC_POSTFIX);
        ocl_close(o, p);
        return;
    case IR_SHL:
    case IR_RAWSHL:
        p = ocl_open(o, prec > PREC_SHIFT);
        modular(o, n->kids[0], PREC_UNARY);
        sb_put(o->out, " << ");
        shift_count(o, n);
        ocl_close(o, p);
        return;
    case IR_CONST:
        sb_printf(o->out, "%llu%s",
                  (unsigned long long)(n->type->size == 8 ? n->bits : (uint32_t)n->bits),
                  n->type->size == 8 ? "UL" : "u");
        return;
    case IR_CONVERT:
        if (type_is_float(n->kids[0]->type)) break;
        cast(o, type, n->kids[0], prec);
        return;
    case IR_LOCAL_ID:
    case IR_LOCAL_SIZE:
    case IR_GROUP_ID:
    case IR_GROUP_COUNT: break;
    default:
        if (!type_is_signed(n->type)) {
            ocl_expr(o, n, prec);
            return;
        }
    }
    cast(o, type, n, prec);
}

static void wrapping(ocl *o, const ir_node *n, int prec)
{
    if (!type_is_signed(n->type)) {
        modular(o, n, prec);
        return;
    }
    if (grid(o, n, ocl_scalar(o, n->type), prec)) return;
    bool p = ocl_open(o, prec > PREC_UNARY);
    sb_printf(o->out, "(%s)", ocl_scalar(o, n->type));
    modular(o, n, PREC_UNARY);
    ocl_close(o, p);
}

/* Integers of 8 and 16 bits are computed as int, which holds all but the product of two ushorts. */
static void narrow(ocl *o, const ir_node *n)
{
    bool as_unsigned =
        n->op == IR_SHL || n->op == IR_RAWSHL || (n->op == IR_MUL && type_is(n->type, CPL_UINT16));
    sb_printf(o->out, "%s(", ocl_narrowed(o, n->type));
    if (n->op == IR_NEG) {
        sb_putc(o->out, '-');
        ocl_expr(o, n->kids[0], PREC_POSTFIX);
    } else {
        if (as_unsigned) sb_put(o->out, "(uint)");
        ocl_expr(o, n->kids[0], as_unsigned ? PREC_UNARY : n->op == IR_MUL ? PREC_MUL : PREC_ADD);
        sb_put(o->out, n->op == IR_ADD   ? " + "
                       : n->op == IR_SUB ? " - "
                       : n->op == IR_MUL ? " * "
                                         : " << ");
        if (n->op == IR_SHL || n->op == IR_RAWSHL) shift_count(o, n);
        else ocl_expr(o, n->kids[1], n->op == IR_MUL ? PREC_UNARY : PREC_MUL);
    }
    sb_putc(o->out, ')');
}

static void complement(ocl *o, const ir_node *n, int prec)
{
    if (!ocl_is_narrow(n->type) || type_is_signed(n->type)) {
        prefix(o, "~", n->kids[0], prec);
        return;
    }
    bool p = ocl_open(o, prec > PREC_UNARY);
    sb_printf(o->out, "(%s)", ocl_scalar(o, n->type));
    prefix(o, "~", n->kids[0], PREC_UNARY);
    ocl_close(o, p);
}

static void integer_op(ocl *o, const ir_node *n, int prec)
{
    switch (n->op) {
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
    case IR_NEG:
    case IR_SHL:
    case IR_RAWSHL:
        if (ocl_is_narrow(n->type)) narrow(o, n);
        else wrapping(o, n, prec);
        return;
    case IR_ABS:
        if (type_is_signed(n->type)) helper(o, ocl_abs(o, n->type), n);
        else ocl_expr(o, n->kids[0], prec);
        return;
    case IR_RAWDIV: infix(o, n, "/", PREC_MUL, PREC_MUL, PREC_UNARY, prec); return;
    case IR_RAWREM: infix(o, n, "%", PREC_MUL, PREC_MUL, PREC_UNARY, prec); return;
    case IR_SHR:
    case IR_RAWSHR: {
        bool p = ocl_open(o, prec > PREC_SHIFT);
        ocl_expr(o, n->kids[0], PREC_UNARY);
        sb_put(o->out, " >> ");
        shift_count(o, n);
        ocl_close(o, p);
        return;
    }
    /* their order is not what one expects: operands are kept apart by parentheses */
    case IR_AND: infix(o, n, "&", PREC_BITS, PREC_UNARY, PREC_UNARY, prec); return;
    case IR_OR: infix(o, n, "|", PREC_BITS, PREC_UNARY, PREC_UNARY, prec); return;
    case IR_XOR: infix(o, n, "^", PREC_BITS, PREC_UNARY, PREC_UNARY, prec); return;
    case IR_NOT: complement(o, n, prec); return;
    default: ocl_error(o, n, "on integers it must have become a raw operation");
    }
}

static void bool_op(ocl *o, const ir_node *n, int prec)
{
    switch (n->op) {
    case IR_AND: infix(o, n, "&&", PREC_AND, PREC_AND, PREC_AND, prec); return;
    case IR_OR: infix(o, n, "||", PREC_OR, PREC_BITS, PREC_BITS, prec); return;
    case IR_XOR: infix(o, n, "!=", PREC_EQUAL, PREC_LESS, PREC_LESS, prec); return;
    case IR_NOT: prefix(o, "!", n->kids[0], prec); return;
    default: ocl_error(o, n, "is no operation on bool");
    }
}

/* Floats. */

static void float_op(ocl *o, const ir_node *n, int prec)
{
    switch (n->op) {
    case IR_ADD: infix(o, n, "+", PREC_ADD, PREC_ADD, PREC_MUL, prec); return;
    case IR_SUB: infix(o, n, "-", PREC_ADD, PREC_ADD, PREC_MUL, prec); return;
    case IR_MUL: infix(o, n, "*", PREC_MUL, PREC_MUL, PREC_UNARY, prec); return;
    case IR_DIV: infix(o, n, "/", PREC_MUL, PREC_MUL, PREC_UNARY, prec); return;
    case IR_NEG: prefix(o, "-", n->kids[0], prec); return;
    case IR_REM: helper(o, "fmod", n); return;
    case IR_ABS: helper(o, ocl_fabs(o, n->type), n); return;
    case IR_FMA: helper(o, "fma", n); return;
    default: ocl_error(o, n, "is no operation on floats");
    }
}

/* The exponent is an int: 5000 more or less is zero or infinity for every float. */
static void load_exponent(ocl *o, const ir_node *n)
{
    const ir_node *e = n->kids[1];
    sb_put(o->out, "ldexp(");
    ocl_expr(o, n->kids[0], PREC_COND);
    if (e->type->size < 4) {
        sb_put(o->out, ", (int)");
        ocl_expr(o, e, PREC_UNARY);
    } else if (type_is_signed(e->type)) {
        const char *suffix = e->type->size == 8 ? "L" : "";
        sb_put(o->out, ", (int)clamp(");
        ocl_exact(o, e);
        sb_printf(o->out, ", -5000%s, 5000%s)", suffix, suffix);
    } else {
        sb_put(o->out, ", (int)min(");
        ocl_exact(o, e);
        sb_printf(o->out, ", 5000%s)", e->type->size == 8 ? "UL" : "u");
    }
    sb_putc(o->out, ')');
}

/* Of float16s these give a float16 by themselves. */
static bool is_exact_on_half(const ir_node *n)
{
    switch (n->op) {
    case IR_NEG:
    case IR_ABS:
    case IR_FLOOR:
    case IR_CEIL:
    case IR_TRUNC:
    case IR_ROUND:
    case IR_RINT:
    case IR_COPYSIGN: return true;
    default: return false;
    }
}

static bool is_rounding(ir_op op)
{
    return op == IR_FLOOR || op == IR_CEIL || op == IR_TRUNC || op == IR_ROUND || op == IR_RINT;
}

static void real_op(ocl *o, const ir_node *n, int prec)
{
    bool rounded = ocl_is_half(n->type) && !is_exact_on_half(n);
    ir_kind kind = ir_op_kind(n->op);
    if (rounded) {
        sb_printf(o->out, "%s(", ocl_half(o));
        prec = PREC_NONE;
    }
    if (n->op == IR_LDEXP) load_exponent(o, n);
    else if (n->op == IR_FDIM) helper(o, ocl_difference(o, n->type), n);
    else if (is_rounding(n->op)) helper(o, ocl_rounding(o, n->op, n->type), n);
    /* named as in OpenCL C */
    else if (kind == IR_KIND_EXACT || kind == IR_KIND_MATH) helper(o, ir_ops[n->op].text, n);
    else float_op(o, n, prec);
    if (rounded) sb_putc(o->out, ')');
}

static bool is_with_number(const ir_node *n)
{
    return !type_is(n->kids[0]->type, CPL_FLOAT64) && type_is_float(n->kids[0]->type) &&
           (n->kids[0]->op == IR_CONST || n->kids[1]->op == IR_CONST);
}

void ocl_arith(ocl *o, const ir_node *n, int prec)
{
    static const char *const comparisons[] = {[IR_EQ] = "==", [IR_NE] = "!=", [IR_LT] = "<",
                                              [IR_LE] = "<=", [IR_GT] = ">",  [IR_GE] = ">="};
    const cpl_type *t = n->kid_count ? n->kids[0]->type : n->type;
    switch (n->op) {
    case IR_EQ:
    case IR_NE: infix(o, n, comparisons[n->op], PREC_EQUAL, PREC_LESS, PREC_LESS, prec); return;
    case IR_LT:
    case IR_LE:
    case IR_GT:
    case IR_GE:
        if (ocl_is_narrow(t) || (o->ranges && is_with_number(n)))
            helper(o, ocl_order(o, n->op, t), n);
        else infix(o, n, comparisons[n->op], PREC_LESS, PREC_SHIFT, PREC_SHIFT, prec);
        return;
    case IR_ISNAN:
    case IR_ISINF:
    case IR_ISFINITE: helper(o, ir_ops[n->op].text, n); return;
    case IR_MIN:
    case IR_MAX: helper(o, ocl_min_max(o, n), n); return;
    default: break;
    }
    if (type_is_bool(t)) bool_op(o, n, prec);
    else if (type_is_float(t)) real_op(o, n, prec);
    else integer_op(o, n, prec);
}

/* Conversions. */

static void to_bool(ocl *o, const ir_node *kid, int prec)
{
    bool p = ocl_open(o, prec > PREC_EQUAL && !type_is_bool(kid->type));
    ocl_expr(o, kid, type_is_bool(kid->type) ? prec : PREC_LESS);
    if (!type_is_bool(kid->type))
        sb_put(o->out, !type_is_float(kid->type)         ? " != 0"
                       : type_is(kid->type, CPL_FLOAT64) ? " != 0.0"
                                                         : " != 0.0f");
    ocl_close(o, p);
}

static void to_half(ocl *o, const ir_node *kid)
{
    bool wide = type_is(kid->type, CPL_FLOAT64);
    sb_printf(o->out, "%s(", wide ? ocl_half_of_double(o) : ocl_half(o));
    if (type_is_float(kid->type)) ocl_expr(o, kid, PREC_COND);
    /* holds every integer that does not overflow float16: it rounds once */
    else cast(o, "float", kid, PREC_COND);
    sb_putc(o->out, ')');
}

/* By a cast, but for what is to be narrowed. */
static void to_number(ocl *o, const ir_node *kid, const cpl_type *to, int prec)
{
    const cpl_type *from = kid->type;
    bool narrows = ocl_is_narrow(to) && type_is_int(from) && from->size > 1;
    if (narrows && kid->op != IR_CONST && ir_op_kind(kid->op) != IR_KIND_PLACE) {
        sb_printf(o->out, "%s(", ocl_narrowed(o, to));
        ocl_expr(o, kid, PREC_COND);
        sb_putc(o->out, ')');
    } else {
        cast(o, ocl_scalar(o, to), kid, prec);
    }
}

void ocl_convert(ocl *o, const ir_node *n, int prec)
{
    const ir_node *kid = n->kids[0];
    const cpl_type *from = kid->type, *to = n->type;
    if (from == to || (ocl_is_half(from) && type_is(to, CPL_FLOAT32))) {
        ocl_expr(o, kid, prec);
    } else if (type_is_bool(to)) {
        to_bool(o, kid, prec);
    } else if (ocl_is_half(to)) {
        to_half(o, kid);
    } else if (type_is_float(from) && type_is_int(to) && n->op == IR_CONVERT) {
        helper(o, ocl_to_int(o, from, to), n);
    } else {
        to_number(o, kid, to, prec);
    }
}

void ocl_bits(ocl *o, const ir_node *n, int prec)
{
    const ir_node *kid = n->kids[0];
    const cpl_type *from = kid->type, *to = n->type;
    if (from == to) {
        ocl_expr(o, kid, prec);
    } else if (ocl_is_half(to)) {
        helper(o, ocl_half_value(o), n);
    } else if (ocl_is_half(from)) {
        bool p = ocl_open(o, prec > PREC_UNARY);
        if (type_is_signed(to)) sb_put(o->out, "(short)");
        helper(o, ocl_half_bits(o), n);
        ocl_close(o, p);
    } else if (type_is_int(from) && type_is_int(to)) {
        to_number(o, kid, to, prec);
    } else {
        sb_printf(o->out, "as_%s(", ocl_scalar(o, to));
        ocl_exact(o, kid);
        sb_putc(o->out, ')');
    }
}

/* Expressions. */
#include "lib/opencl/ocl_int.h"

#include <math.h>

bool ocl_open(ocl *o, bool parenthesis)
{
    if (parenthesis) sb_putc(o->out, '(');
    return parenthesis;
}

void ocl_close(ocl *o, bool parenthesis)
{
    if (parenthesis) sb_putc(o->out, ')');
}

static void real(ocl *o, double value, const cpl_type *t)
{
    bool wide = type_is(t, CPL_FLOAT64);
    if (wide) o->fp64 = true;
    if (isnan(value)) {
        sb_put(o->out, wide ? "(double)NAN" : "NAN");
    } else if (isinf(value)) {
        sb_printf(o->out, "%s%sINFINITY", wide ? "(double)" : "", value < 0 ? "-" : "");
    } else {
        /* A float16 is exact as a float: its shortest text may be that of another float. */
        sb_float(o->out, value, wide ? CPL_FLOAT64 : CPL_FLOAT32);
        if (!wide) sb_putc(o->out, 'f');
    }
}

/* The least values have no literal: -2147483648 is a long. */
static void integer(ocl *o, const ir_node *n)
{
    const cpl_type *t = n->type;
    if (type_is_signed(t)) {
        int64_t v = (int64_t)n->bits;
        if (v == INT64_MIN) sb_put(o->out, "LONG_MIN");
        else if (v == INT32_MIN && t->size == 4) sb_put(o->out, "INT_MIN");
        else sb_printf(o->out, "%lld%s", (long long)v, t->size == 8 ? "L" : "");
    } else {
        sb_printf(o->out, "%llu%s", (unsigned long long)n->bits,
                  t->size == 8   ? "UL"
                  : t->size == 4 ? "u"
                                 : "");
    }
}

static void constant(ocl *o, const ir_node *n, int prec)
{
    bool is_real = type_is_float(n->type);
    bool negative = is_real ? signbit(n->number) || !isfinite(n->number)
                            : type_is_signed(n->type) && (int64_t)n->bits < 0;
    bool p = ocl_open(o, negative && prec > PREC_UNARY);
    if (type_is_bool(n->type)) sb_put(o->out, n->bits ? "true" : "false");
    else if (is_real) real(o, n->number, n->type);
    else integer(o, n);
    ocl_close(o, p);
}

static bool is_const_bool(const ir_node *n, bool value)
{
    return n->op == IR_CONST && type_is_bool(n->type) && (n->bits != 0) == value;
}

/* c ? b : false and c ? true : b have operators of their own. */
static bool short_circuit(ocl *o, const ir_node *n, int prec)
{
    bool both = is_const_bool(n->kids[2], false), any = is_const_bool(n->kids[1], true);
    if (!both && !any) return false;
    int level = both ? PREC_AND : PREC_OR, operand = both ? PREC_AND : PREC_BITS;
    bool p = ocl_open(o, prec > level);
    ocl_expr(o, n->kids[0], operand);
    sb_put(o->out, both ? " && " : " || ");
    ocl_expr(o, n->kids[both ? 1 : 2], operand);
    ocl_close(o, p);
    return true;
}

static void choose(ocl *o, const ir_node *n, int prec)
{
    if (short_circuit(o, n, prec)) return;
    bool p = ocl_open(o, prec > PREC_COND);
    ocl_expr(o, n->kids[0], PREC_EQUAL);
    sb_put(o->out, " ? ");
    ocl_expr(o, n->kids[1], PREC_OR);
    sb_put(o->out, " : ");
    ocl_expr(o, n->kids[2], PREC_COND);
    ocl_close(o, p);
}

/* C's value of a narrow integer operation is an int, which another overload would take. */
static bool is_exact(const ir_node *n)
{
    if (type_is_bool(n->type)) return n->op == IR_VAR && !ocl_of(n->var)->addressed;
    if (!ocl_is_narrow(n->type)) return true;
    switch (n->op) {
    case IR_CONST:
    case IR_AND:
    case IR_OR:
    case IR_XOR:
    case IR_NOT:
    case IR_SHR:
    case IR_RAWSHR:
    case IR_RAWDIV:
    case IR_RAWREM:
    case IR_COND: return false;
    default: return true;
    }
}

void ocl_exact(ocl *o, const ir_node *n)
{
    if (is_exact(n)) {
        ocl_expr(o, n, PREC_NONE);
        return;
    }
    sb_printf(o->out, "(%s)", ocl_cast(o, n->type));
    ocl_expr(o, n, PREC_UNARY);
}

void ocl_args(ocl *o, const char *function, ir_node *const *args, uint32_t n)
{
    sb_printf(o->out, "%s(", function);
    for (uint32_t i = 0; i < n; i++) {
        if (i) sb_put(o->out, ", ");
        ocl_exact(o, args[i]);
    }
    sb_putc(o->out, ')');
}

static void call(ocl *o, const ir_node *n)
{
    sb_printf(o->out, "%s(", ocl_func_name(n->func));
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (i) sb_put(o->out, ", ");
        ocl_expr(o, n->kids[i], PREC_COND);
    }
    sb_putc(o->out, ')');
}

void ocl_query(ocl *o, const ir_node *n)
{
    static const char *const names[] = {
        [IR_LOCAL_ID] = "local_id",
        [IR_LOCAL_SIZE] = "local_size",
        [IR_GROUP_ID] = "group_id",
        [IR_GROUP_COUNT] = "num_groups",
    };
    if (ir_op_kind(n->op) == IR_KIND_LANE) {
        o->subgroups = true;
        sb_put(o->out, n->op == IR_LANE ? ocl_lane(o) : ocl_most_lanes(o));
    } else sb_printf(o->out, "get_%s(%u)", names[n->op], (unsigned)n->dim);
}

static void work_item(ocl *o, const ir_node *n, int prec)
{
    bool p = ocl_open(o, prec > PREC_UNARY);
    sb_put(o->out, n->type->size == 8 ? "(long)" : "(int)");
    ocl_query(o, n);
    ocl_close(o, p);
}

void ocl_expr(ocl *o, const ir_node *n, int prec)
{
    switch (n->op) {
    case IR_CONST: constant(o, n, prec); return;
    case IR_VAR: /* a float16 in memory is its bits */
        if (ocl_is_half(n->type) && ocl_of(n->var)->addressed)
            sb_printf(o->out, "%s(%s)", ocl_half_value(o), ocl_of(n->var)->name);
        else sb_put(o->out, ocl_of(n->var)->name);
        return;
    case IR_COND: choose(o, n, prec); return;
    case IR_ADDR:
    case IR_ELEM:
    case IR_ITEM:
    case IR_FIELD:
    case IR_STRIDED:
    case IR_PTRCAST: ocl_pointer(o, n, prec); return;
    case IR_LOAD: ocl_load(o, n, prec); return;
    case IR_CONVERT:
    case IR_RAWCONVERT: ocl_convert(o, n, prec); return;
    case IR_BITS: ocl_bits(o, n, prec); return;
    case IR_CALL: call(o, n); return;
    default: break;
    }
    switch (ir_op_kind(n->op)) {
    case IR_KIND_PLACE:
    case IR_KIND_LANE: work_item(o, n, prec); return;
    case IR_KIND_SHUFFLE:
    case IR_KIND_JOIN:
    case IR_KIND_SCAN: ocl_subgroup(o, n, prec); return;
    case IR_KIND_ATOMIC: ocl_atomic(o, n); return;
    default: break;
    }
    if (ir_ops[n->op].class_ == IR_CLASS_EXPR) ocl_arith(o, n, prec);
    else ocl_error(o, n, "is no value");
}

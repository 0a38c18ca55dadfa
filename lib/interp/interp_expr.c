/* Expressions, calls and atomics. */
#include "lib/interp/interp_int.h"

static ir_value pointer_value(char *p)
{
    return (ir_value){.pointer = p};
}

/* ELEM, ITEM, STRIDED: a signed number of units of `size` bytes; a uint64 index wraps as addresses
 * do. */
static ir_value move(interp *in, const ir_node *n, uint64_t size)
{
    char *base = interp_expr(in, n->kids[0]).pointer;
    uint64_t index = interp_expr(in, n->kids[1]).bits;
    return (ir_value){.bits = (uint64_t)(uintptr_t)base + index * size};
}

static ir_value constant(const ir_node *n)
{
    return type_is_float(n->type) ? (ir_value){.number = n->number} : (ir_value){.bits = n->bits};
}

static ir_value call(interp *in, const ir_node *n)
{
    ir_value few[16], *args = n->kid_count <= COUNT_OF(few)
                                  ? few
                                  : arena_array(&in->c->arena, n->kid_count, sizeof *args);
    for (uint32_t i = 0; i < n->kid_count; i++) args[i] = interp_expr(in, n->kids[i]);
    return in->failed ? (ir_value){0} : interp_function(in, n->func, args, n);
}

/* The plain op that an atomic does to what is in memory. */
static ir_value atomic(interp *in, const ir_node *n)
{
    const cpl_type *t = n->kids[0]->type->elem;
    char *at = interp_expr(in, n->kids[0]).pointer;
    ir_value a = n->kid_count > 1 ? interp_expr(in, n->kids[1]) : (ir_value){0};
    ir_value b = n->kid_count > 2 ? interp_expr(in, n->kids[2]) : (ir_value){0};
    if (in->failed) return a;
    /* perhaps it waits for another work-item */
    if (n->op == IR_ATOMIC_LOAD || n->op == IR_ATOMIC_CAS) interp_yield(in);
    ir_value old = interp_load(t, at), new = old;
    char expected[8];
    switch (n->op) {
    case IR_ATOMIC_LOAD: return old;
    case IR_ATOMIC_STORE:
    case IR_ATOMIC_XCHG: new = a; break;
    case IR_ATOMIC_CAS: /* compared by bits */
        interp_store(t, expected, a);
        if (memcmp(expected, at, t->size) == 0) new = b;
        break;
    default: ir_eval_op(ir_plain_op(n->op), t, t, (ir_value[]){old, a}, &new);
    }
    interp_store(t, at, new);
    return old;
}

static ir_value scalar_op(interp *in, const ir_node *n)
{
    ir_value operands[3] = {{0}}, result = {0};
    for (uint32_t i = 0; i < n->kid_count && i < COUNT_OF(operands); i++)
        operands[i] = interp_expr(in, n->kids[i]);
    if (in->failed) return result;
    /* ir_eval_op reads the exponent as signed; past INT64_MAX every float is infinite, or stays
     * zero */
    if (n->op == IR_LDEXP && type_is_unsigned(n->kids[1]->type) && operands[1].bits > INT64_MAX)
        operands[1].bits = INT64_MAX;
    if (!ir_eval_op(n->op, n->type, n->kids[0]->type, operands, &result))
        interp_fail(in, n, "undefined for these operands");
    return result;
}

static ir_value value_of(interp *in, const ir_node *n)
{
    switch (n->op) {
    case IR_CONST: return constant(n);
    case IR_VAR: return interp_load(n->type, interp_address(in, n->var));
    case IR_COND: return interp_expr(in, n->kids[interp_expr(in, n->kids[0]).bits ? 1 : 2]);
    case IR_ADDR: return pointer_value(interp_address(in, n->var));
    case IR_ELEM: return move(in, n, n->kids[0]->type->elem->size);
    case IR_ITEM: return move(in, n, n->kids[0]->type->elem->elem->size);
    case IR_STRIDED: return move(in, n, interp_expr(in, n->kids[2]).bits);
    case IR_FIELD: {
        char *base = interp_expr(in, n->kids[0]).pointer;
        return pointer_value(base + n->kids[0]->type->elem->fields[n->field].offset);
    }
    case IR_PTRCAST:
    case IR_WITHIN: return interp_expr(in, n->kids[0]); /* the bounds pass makes checks of it */
    case IR_LOAD: {
        const char *from = interp_expr(in, n->kids[0]).pointer;
        return in->failed ? (ir_value){0} : interp_load(n->type, from);
    }
    case IR_CALL: return call(in, n);
    case IR_WORKER: return (ir_value){0}; /* one thread */
    default: break;
    }
    if (ir_op_device(n->op)) {
        if (in->item) return ir_op_effects(n->op) ? interp_subgroup(in, n) : interp_place(in, n);
        interp_fail(in, n, "outside of a launch");
        return (ir_value){0};
    }
    return ir_op_kind(n->op) == IR_KIND_ATOMIC ? atomic(in, n) : scalar_op(in, n);
}

ir_value interp_expr(interp *in, const ir_node *n)
{
    ir_value v = {0};
    if (!interp_enter(in, n)) return v;
    v = value_of(in, n);
    in->nesting--;
    return v;
}

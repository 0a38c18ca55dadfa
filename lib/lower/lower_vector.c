/* Short vectors: what is done to them is done to each lane. */
#include "lib/lower/lower_int.h"

enum { MOST_LANES = 16 };

/* An operand whose lanes are read: a vector's place, or a number that is each of them. */
static ir_node *operand(lower *l, ir_node *n, cpl_span span)
{
    return type_is_struct(n->type) ? lower_spill(l, n, span) : lower_pin(l, n);
}

static ir_node *lane_of(lower *l, ir_node *operand, uint32_t i, cpl_span span)
{
    if (!type_is_pointer(operand->type)) return ir_copy(l->m, operand);
    return ir_op1(l->m, IR_LOAD, ir_field(l->m, ir_copy(l->m, operand), i, span), span);
}

ir_node *lower_lanes(lower *l, const cpl_type *type, ir_node *n, cpl_span span)
{
    ir_node *values[MOST_LANES], *x = operand(l, n, span);
    for (uint32_t i = 0; i < type->field_count; i++) values[i] = lane_of(l, x, i, span);
    return lower_struct_of(l, type, values, span);
}

ir_node *lower_vector_binary(lower *l, token_kind op, const cpl_type *type, ir_node *a, ir_node *b,
                             const ast_node *exponent, cpl_span span)
{
    ir_node *values[MOST_LANES], *x = operand(l, a, span), *y = operand(l, b, span);
    for (uint32_t i = 0; i < type->field_count; i++)
        values[i] = lower_binary(l, op, type->fields[0].type, lane_of(l, x, i, span),
                                 lane_of(l, y, i, span), exponent, span);
    return lower_struct_of(l, type, values, span);
}

ir_node *lower_vector_unary(lower *l, ir_op op, const cpl_type *type, ir_node *a, cpl_span span)
{
    ir_node *values[MOST_LANES], *x = operand(l, a, span);
    for (uint32_t i = 0; i < type->field_count; i++)
        values[i] =
            ir_op1(l->m, op, lower_convert(l, lane_of(l, x, i, span), type->fields[0].type, span),
                   span);
    return lower_struct_of(l, type, values, span);
}

ir_node *lower_vector_call(lower *l, const ast_node *e, sema_builtin b)
{
    uint32_t n = e->kid_count - 1;
    const cpl_type *type = lower_type_of(l, e);
    ir_node *values[MOST_LANES];
    ir_node **args = arena_array(&l->comp->arena, n, sizeof *args);
    ir_node **lanes = arena_array(&l->comp->arena, n, sizeof *lanes);
    lower_operands(l, e->kids + 1, n, args);
    for (uint32_t k = 0; k < n; k++) args[k] = operand(l, args[k], e->span);
    for (uint32_t i = 0; i < type->field_count; i++) {
        for (uint32_t k = 0; k < n; k++) lanes[k] = lane_of(l, args[k], i, e->span);
        values[i] = lower_number_call(l, e, b, type->fields[0].type, lanes);
    }
    return lower_struct_of(l, type, values, e->span);
}

ir_node *lower_make_vector(lower *l, const ast_node *e)
{
    uint32_t n = e->kid_count - 1, made = 0;
    const cpl_type *type = lower_type_of(l, e);
    ir_node *values[MOST_LANES], **args = arena_array(&l->comp->arena, n, sizeof *args);
    lower_operands(l, e->kids + 1, n, args);
    for (uint32_t k = 0; k < n; k++) {
        ir_node *x = operand(l, args[k], e->span);
        uint32_t lanes = type_is_pointer(x->type) ? x->type->elem->field_count : 1;
        for (uint32_t i = 0; i < lanes; i++) values[made++] = lane_of(l, x, i, e->span);
    }
    for (; made < type->field_count; made++)
        values[made] = n ? ir_copy(l->m, values[0]) : ir_zero(l->m, type->fields[0].type, e->span);
    return lower_struct_of(l, type, values, e->span);
}

/* v[i]: a field where i is known, else an element behind the first lane. */
ir_node *lower_lane_address(lower *l, ir_node *vector, ir_node *index, cpl_span span)
{
    int64_t k;
    if (ir_is_int_const(index, &k)) return ir_field(l->m, vector, (uint32_t)k, span);
    const cpl_type *lane = vector->type->elem->fields[0].type;
    const cpl_type *to = comp_pointer(l->comp, lane, vector->type->space);
    return ir_op2(l->m, IR_ELEM, ir_typed(l->m, IR_PTRCAST, to, vector, span), index, span);
}

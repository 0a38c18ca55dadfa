/* Tuples: structs that are built item by item, and taken apart. */
#include "lib/lower/lower_int.h"

/* In a variable of its own, which nothing else changes once it is filled. */
ir_node *lower_struct_of(lower *l, const cpl_type *type, ir_node **items, cpl_span span)
{
    lower_var *v = lower_var_new(l, "t", type, false, span);
    v->temporary = true;
    for (uint32_t i = 0; i < type->field_count; i++) {
        ir_node *at = ir_field(l->m, ir_addr(l->m, v->var, span), i, span);
        ir_node *value = lower_convert(l, items[i], type->fields[i].type, span);
        lower_emit(l, ir_op2(l->m, IR_STORE, at, value, span));
    }
    return ir_use(l->m, v->var, span);
}

static ir_node *item(lower *l, const ir_node *tuple, uint32_t i, cpl_span span)
{
    ir_node *at = ir_field(l->m, ir_addr(l->m, tuple->var, span), i, span);
    return ir_op1(l->m, IR_LOAD, at, span);
}

ir_node *lower_tuple(lower *l, const ast_node *e)
{
    ir_node **items = arena_array(&l->comp->arena, e->kid_count, sizeof *items);
    lower_operands(l, e->kids, e->kid_count, items);
    return lower_struct_of(l, lower_type_of(l, e), items, e->span);
}

ir_node *lower_tuple_as(lower *l, ir_node *n, const cpl_type *to, cpl_span span)
{
    ir_node **items = arena_array(&l->comp->arena, to->field_count, sizeof *items);
    n = lower_pin(l, n);
    for (uint32_t i = 0; i < to->field_count; i++) items[i] = item(l, n, i, span);
    return lower_struct_of(l, to, items, span);
}

void lower_unpack(lower *l, const ast_node *targets, ir_node *tuple, cpl_span span)
{
    for (uint32_t i = 0; i < targets->kid_count; i++)
        lower_assign_value(l, targets->kids[i], item(l, tuple, i, span), span);
}

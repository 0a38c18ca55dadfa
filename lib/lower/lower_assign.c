/* Assignments: one value to several targets, tuples, augmented and annotated ones, declarations. */
#include "lib/lower/lower_int.h"

/* The variable that a target of declare() names. */
static const sema_var *local(const lower *l, const ast_node *target)
{
    uint32_t i = 0;
    while (strcmp(l->sf->vars.at[i]->name, target->name) != 0) i++;
    return l->sf->vars.at[i];
}

/* declare() sets a variable to zero each time it runs. Variables start at zero, so outside loops
 * the first one does nothing. */
static void clear_declared(lower *l, const ast_node *target, const ast_node *s)
{
    if (target->kind == AST_TUPLE) {
        for (uint32_t i = 0; i < target->kid_count; i++) clear_declared(l, target->kids[i], s);
        return;
    }
    const sema_var *var = local(l, target);
    cpl_span first = var->span;
    if (!l->loop && first.begin >= s->span.begin && first.begin < s->span.end) return;
    lower_var *v = var->user;
    if (type_is_scalar(v->var->type))
        lower_emit(l, ir_assign(l->m, v->var, ir_zero(l->m, v->var->type, s->span), s->span));
    else if (!type_is_pointer(v->var->type))
        lower_emit(l, ir_op1(l->m, IR_CLEAR, ir_addr(l->m, v->var, s->span), s->span));
}

/* A call or an atomic whose result is exactly the variable's: it becomes the right side itself. */
static bool assign_effect(lower *l, const ast_node *target, const ast_node *value, cpl_span span)
{
    const sema_ref *ref = &l->sf->refs[target->id];
    if (target->kind != AST_NAME || ref->kind != REF_VAR) return false;
    lower_var *v = ref->var->user;
    if (!type_is_scalar(v->var->type) || lower_type_of(l, value) != v->var->type) return false;
    ir_node *effect = lower_effect(l, value);
    if (!effect) return false;
    l->effects++;
    lower_emit(l, ir_assign(l->m, v->var, effect, span));
    return true;
}

void lower_assign_value(lower *l, const ast_node *target, ir_node *value, cpl_span span)
{
    ir_block *at = l->block;
    uint32_t position = at->n, effects = l->effects;
    lower_place p = lower_lvalue(l, target);
    if (l->effects != effects) lower_save(l, at, position, &value, 1);
    lower_write(l, &p, value, span);
}

/* All right sides are evaluated, from left to right, before the first assignment. */
static void assign_tuples(lower *l, const ast_node *s, const ast_node *value)
{
    uint32_t n = value->kid_count;
    ir_node **values = arena_array(&l->comp->arena, n, sizeof *values);
    lower_operands(l, value->kids, n, values);
    for (uint32_t i = 0; i < n; i++) values[i] = lower_temp(l, values[i]);
    for (uint32_t t = 0; t + 1 < s->kid_count; t++) {
        const ast_node *target = s->kids[t]; /* a tuple of as many: sema has checked */
        for (uint32_t i = 0; i < n; i++)
            lower_assign_value(l, target->kids[i], ir_copy(l->m, values[i]), s->span);
    }
}

/* h, w = x.shape: no assignment changes what the next one reads. */
static void assign_shape(lower *l, const ast_node *s, const ast_node *shape)
{
    const ast_node *names = s->kids[0];
    for (uint32_t i = 0; i < names->kid_count; i++)
        lower_assign_value(l, names->kids[i],
                           lower_shape(l, lower_expr(l, shape->kids[0]), i, shape->span), s->span);
}

static bool all_tuples(const ast_node *s)
{
    for (uint32_t t = 0; t + 1 < s->kid_count; t++)
        if (s->kids[t]->kind != AST_TUPLE) return false;
    return true;
}

void lower_assignment(lower *l, const ast_node *s)
{
    const ast_node *value = s->kids[s->kid_count - 1];
    if (lower_builtin(l, value) == BI_DECLARE) {
        for (uint32_t t = 0; t + 1 < s->kid_count; t++) clear_declared(l, s->kids[t], s);
        return;
    }
    if (l->sf->refs[value->id].kind == REF_MADE) {
        lower_made(l, s);
        return;
    }
    if (value->kind == AST_TUPLE && all_tuples(s)) {
        assign_tuples(l, s, value);
        return;
    }
    if (s->kids[0]->kind == AST_TUPLE && l->sf->refs[value->id].kind == REF_SHAPE) {
        assign_shape(l, s, value);
        return;
    }
    if (s->kid_count == 2 && s->kids[0]->kind != AST_TUPLE) {
        if (!assign_effect(l, s->kids[0], value, s->span))
            lower_assign_value(l, s->kids[0], lower_expr(l, value), s->span);
        return;
    }
    ir_node *v = lower_temp(l, lower_expr(l, value));
    for (uint32_t t = 0; t + 1 < s->kid_count; t++)
        if (s->kids[t]->kind == AST_TUPLE) lower_unpack(l, s->kids[t], v, s->span);
        else lower_assign_value(l, s->kids[t], ir_copy(l->m, v), s->span);
}

void lower_annotated(lower *l, const ast_node *s)
{
    if (s->kid_count < 3) return;
    if (!assign_effect(l, s->kids[0], s->kids[2], s->span))
        lower_assign_value(l, s->kids[0], lower_expr(l, s->kids[2]), s->span);
}

/* The target's address is evaluated once, its old value read before the right side is evaluated. */
void lower_augmented(lower *l, const ast_node *s)
{
    lower_place p = lower_lvalue(l, s->kids[0]);
    lower_pin_place(l, &p);
    ir_node *old = lower_read(l, &p, s->kids[0]->span);
    if (l->sf->refs[s->id].kind == REF_FUNC) {
        lower_write(l, &p, lower_updated(l, s, lower_temp(l, old)), s->span);
        return;
    }
    ir_block *at = l->block;
    uint32_t position = at->n, effects = l->effects;
    ir_node *value = lower_expr(l, s->kids[1]);
    if (l->effects != effects) lower_save(l, at, position, &old, 1);
    ir_node *result = lower_binary(l, s->op, lower_type_of(l, s), old, value, s->kids[1], s->span);
    lower_write(l, &p, result, s->span);
}

/* What the parts of pass group make: variables, memory of the worker's, numbers. */
#include "passes/group_int.h"

void group_know(group *g, ir_var *v)
{
    v->user = arena_new(&g->m->comp->arena, group_var);
}

ir_var *group_new_var(group *g, const char *name, const cpl_type *type, cpl_span span)
{
    ir_var *v = ir_var_new(g->m, g->f, name, type, span);
    group_know(g, v);
    return v;
}

ir_node *group_bool(group *g, bool value, cpl_span span)
{
    return ir_int(g->m, comp_scalar(g->m->comp, CPL_BOOL), value, span);
}

ir_node *group_item(group *g, cpl_span span)
{
    return ir_op2(g->m, IR_ADD, ir_use(g->m, g->row, span), ir_use(g->m, g->item[0], span), span);
}

ir_node *group_pointer(group *g, const cpl_type *type, type_space space, ir_node *p)
{
    return ir_typed(g->m, IR_PTRCAST, comp_pointer(g->m->comp, type, space), p, p->span);
}

ir_node *group_at(group *g, ir_node *p, ir_node *distance)
{
    return ir_op2(g->m, IR_ELEM, p, distance, distance->span);
}

ir_var *group_set_up(group *g, const char *name, ir_node *value)
{
    ir_var *v = ir_var_new(g->m, g->f, name, value->type, value->span);
    ir_append(g->m, g->setup, ir_assign(g->m, v, value, value->span));
    return v;
}

ir_var *group_reserve(group *g, const char *name, const cpl_type *type, type_space space, bool each,
                      cpl_span span)
{
    ir_module *m = g->m;
    ir_node *at;
    if (each) {
        ir_node *before = ir_op2(m, IR_MUL, ir_use(m, g->padded, span),
                                 pass_i64(m, (int64_t)g->item_bytes, span), span);
        at = ir_op2(m, IR_ADD, ir_use(m, g->kept, span), before, span);
        g->item_bytes += type->size;
    } else {
        g->group_bytes = (g->group_bytes + GROUP_ALIGNMENT - 1) / GROUP_ALIGNMENT * GROUP_ALIGNMENT;
        at = pass_i64(m, (int64_t)g->group_bytes, span);
        g->group_bytes += type->size;
    }
    return group_set_up(g, name,
                        group_pointer(g, type, space, group_at(g, ir_use(m, g->memory, span), at)));
}

void group_count_apart(group *g, ir_node *n)
{
    ir_module *m = g->m;
    ir_var *v = n->loop->var;
    ir_block body = {0};
    n->loop->var = group_new_var(g, v->name, v->type, v->span);
    ir_append(m, &body, ir_assign(m, v, ir_use(m, n->loop->var, n->span), n->span));
    for (uint32_t i = 0; i < n->body->n; i++) ir_append(m, &body, n->body->at[i]);
    *n->body = body;
}

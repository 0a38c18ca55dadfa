/* Matrices that expressions make: what fills them each time the statement runs. */
#include "lib/lower/lower_int.h"

typedef struct filling {
    ir_var *var;
    const sema_made *made;
    ir_node **items; /* temporaries and constants */
    uint32_t item_count;
    cpl_span span;
} filling;

static ir_node *number(lower *l, uint64_t value, cpl_span span)
{
    return ir_int(l->m, l->type_i32, (int64_t)value, span);
}

static void store(lower *l, const filling *f, ir_node *place, uint32_t item)
{
    ir_node *value = lower_convert(l, ir_copy(l->m, f->items[item]), place->type->elem, f->span);
    lower_emit(l, ir_op2(l->m, IR_STORE, place, value, f->span));
}

/* Every element by itself. */
static void fill_each(lower *l, const filling *f)
{
    for (uint32_t i = 0; i < f->item_count; i++) {
        ir_node *place = ir_addr(l->m, f->var, f->span);
        uint64_t rest = i, size = f->made->total;
        for (uint32_t d = 0; d < f->made->dims; d++) {
            size /= f->made->counts[d];
            place = ir_op2(l->m, IR_ITEM, place, number(l, rest / size, f->span), f->span);
            rest %= size;
        }
        store(l, f, place, i);
    }
}

/* Loops over the dimensions from d on, the last in steps of as many items as there are. */
static void fill_rows(lower *l, const filling *f, uint32_t d, const ir_node *row)
{
    bool last = d + 1 == f->made->dims;
    ir_var *v = lower_var_new(l, "k", l->type_i32, false, f->span)->var;
    ir_block *before = lower_enter(l);
    for (uint32_t i = 0; last && i < f->item_count; i++) {
        ir_node *at = ir_use(l->m, v, f->span);
        if (i) at = ir_op2(l->m, IR_ADD, at, number(l, i, f->span), f->span);
        store(l, f, ir_op2(l->m, IR_ITEM, ir_copy(l->m, row), at, f->span), i);
    }
    if (!last)
        fill_rows(l, f, d + 1,
                  ir_op2(l->m, IR_ITEM, ir_copy(l->m, row), ir_use(l->m, v, f->span), f->span));
    ir_block *body = lower_leave(l, before);
    lower_emit(l, ir_for(l->m, IR_FOR, v, number(l, 0, f->span),
                         number(l, f->made->counts[d], f->span),
                         number(l, last ? f->item_count : 1, f->span), body, f->span));
}

void lower_made(lower *l, const ast_node *s)
{
    const ast_node *value = s->kids[1];
    const sema_made *m = l->sf->refs[value->id].made;
    filling f = {.var = ((lower_var *)l->sf->refs[s->kids[0]->id].var->user)->var,
                 .made = m,
                 .item_count = m->items.n,
                 .span = s->span};
    if (f.var->local) return; /* all work-items of the group have it */
    f.items = arena_array(&l->comp->arena, f.item_count + 1, sizeof *f.items);
    lower_operands(l, m->items.at, m->items.n, f.items);
    for (uint32_t i = 0; i < f.item_count; i++) f.items[i] = lower_temp(l, f.items[i]);
    if (m->ones) f.items[f.item_count++] = number(l, 1, s->span);
    ir_node *whole = ir_addr(l->m, f.var, s->span);
    if (!f.item_count) lower_emit(l, ir_op1(l->m, IR_CLEAR, whole, s->span));
    else if (f.item_count == m->total) fill_each(l, &f);
    else fill_rows(l, &f, 0, whole);
}

/* Places: variables, elements, fields; their addresses, reading and writing them. */
#include "lib/lower/lower_int.h"

static lower_var *variable(const lower *l, const ast_node *e)
{
    const sema_ref *ref = &l->sf->refs[e->id];
    return e->kind == AST_NAME && ref->kind == REF_VAR ? ref->var->user : NULL;
}

/* Distances are signed: an unsigned index is widened, lest its top bit be taken for a sign. */
static ir_node *distance(lower *l, ir_node *index, cpl_span span)
{
    if (type_is_unsigned(index->type))
        return lower_convert(l, index, type_bits(index->type) < 32 ? l->type_i32 : l->type_i64,
                             span);
    return index;
}

static ir_node *strided_element(lower *l, ir_node *base, ir_node *index, cpl_span span)
{
    ir_node *stride = lower_stride(l, base, span);
    return ir_op3(l->m, IR_STRIDED, base, lower_convert(l, index, l->type_i64, span), stride, span);
}

ir_node *lower_aligned(lower *l, ir_node *pointer, cpl_span span)
{
    if (!ir_is_misaligned(pointer)) return pointer;
    diag *d =
        diag_error(&l->comp->diags, CPL_EUNSUPPORTED, span,
                   "this %s may lie where it is aligned to %zu of %zu bytes: it has no "
                   "address and takes no atomics",
                   pointer->type->elem->text, ir_alignment(pointer), pointer->type->elem->align);
    diag_hint(&l->comp->diags, d, "copy it to a variable");
    return pointer;
}

ir_node *lower_decay(lower *l, ir_node *to_array, cpl_span span)
{
    lower_aligned(l, to_array, span);
    return ir_op2(l->m, IR_ITEM, to_array, ir_int(l->m, l->type_i32, 0, span), span);
}

/* A pointer as a value, or the address of a fixed array or a struct: what [] and . start from. */
static ir_node *base_pointer(lower *l, const ast_node *base)
{
    const cpl_type *t = l->sf->types[base->id];
    return type_is_pointer(t) ? lower_expr(l, base) : lower_address(l, base);
}

static ir_node *step_into(lower *l, const ast_node *e, const cpl_type *t, ir_node *base,
                          const ast_node *at_index)
{
    ir_block *at = l->block;
    uint32_t position = at->n, effects = l->effects;
    ir_node *index = distance(l, lower_expr(l, at_index), at_index->span);
    if (l->effects != effects) lower_save(l, at, position, &base, 1);
    if (type_is_array(t)) return ir_op2(l->m, IR_ITEM, base, index, e->span);
    if (t->strided) return strided_element(l, base, index, e->span);
    return ir_op2(l->m, IR_ELEM, base, index, e->span);
}

/* x[i], and m[i, j] of matrices. */
static ir_node *element_address(lower *l, const ast_node *e)
{
    const cpl_type *t = l->sf->types[e->kids[0]->id];
    ir_node *base = base_pointer(l, e->kids[0]);
    const ast_node *index = e->kids[1];
    if (index->kind != AST_TUPLE) return step_into(l, e, t, base, index);
    for (uint32_t i = 0; i < index->kid_count; i++) {
        base = step_into(l, e, t, base, index->kids[i]);
        t = t->elem;
    }
    return base;
}

static uint32_t field_index(const cpl_type *record, const char *name)
{
    uint32_t i = 0;
    while (strcmp(record->fields[i].name, name) != 0) i++; /* it is there: sema has checked */
    return i;
}

static ir_node *field_address(lower *l, const ast_node *e)
{
    ir_node *base = base_pointer(l, e->kids[0]);
    return ir_field(l->m, base, field_index(base->type->elem, e->name), e->span);
}

ir_node *lower_address(lower *l, const ast_node *e)
{
    lower_var *v;
    switch (e->kind) {
    case AST_NAME:
        v = variable(l, e);
        return v->by_pointer ? ir_use(l->m, v->var, e->span) : ir_addr(l->m, v->var, e->span);
    case AST_INDEX: return element_address(l, e);
    case AST_ATTRIBUTE: return field_address(l, e);
    default: break;
    }
    /* A value that lies nowhere, such as a struct that a call returns: it gets a place. */
    ir_node *value = lower_expr(l, e);
    lower_var *t = lower_var_new(l, "t", value->type, false, e->span);
    t->may_change = true;
    lower_assign_var(l, t, value, e->span);
    return ir_addr(l->m, t->var, e->span);
}

lower_place lower_lvalue(lower *l, const ast_node *e)
{
    lower_place p = {0};
    p.var = variable(l, e);
    if (p.var && p.var->by_pointer) p.var = NULL;
    if (p.var) {
        p.type = p.var->var->type;
        return p;
    }
    p.pointer = lower_address(l, e);
    p.type = p.pointer->type->elem;
    return p;
}

ir_node *lower_pin_pointer(lower *l, ir_node *n)
{
    switch (n->op) {
    case IR_ADDR: return n;
    case IR_ELEM:
    case IR_ITEM:
    case IR_STRIDED: /* the stride never changes */
        if (n->kids[1]->op != IR_CONST) n->kids[1] = lower_pin(l, n->kids[1]);
        n->kids[0] = lower_pin_pointer(l, n->kids[0]);
        return n;
    case IR_FIELD:
    case IR_PTRCAST: n->kids[0] = lower_pin_pointer(l, n->kids[0]); return n;
    default: return lower_pin(l, n);
    }
}

/* The pointer's tree keeps its shape, which the bounds pass reads; only values are saved. */
void lower_pin_place(lower *l, lower_place *p)
{
    if (p->pointer) p->pointer = lower_pin_pointer(l, p->pointer);
}

ir_node *lower_read(lower *l, const lower_place *p, cpl_span span)
{
    if (p->var) return ir_use(l->m, p->var->var, span);
    return ir_op1(l->m, IR_LOAD, ir_copy(l->m, p->pointer), span);
}

void lower_write(lower *l, const lower_place *p, ir_node *value, cpl_span span)
{
    value = lower_convert(l, value, p->type, span);
    if (p->var) lower_assign_var(l, p->var, value, span);
    else lower_emit(l, ir_op2(l->m, IR_STORE, p->pointer, value, span));
}

/* Places: variables, elements, fields; their addresses, reading and writing them. */
#include "lib/lower/lower_int.h"

static lower_var *variable(const lower *l, const ast_node *e)
{
    const sema_ref *ref = &l->sf->refs[e->id];
    return e->kind == AST_NAME && ref->kind == REF_VAR ? ref->var->user : NULL;
}

/* Distances are signed: an unsigned index is widened, lest its top bit be taken for a sign. A float
 * that stands as one is an integer. */
static ir_node *distance(lower *l, ir_node *index, cpl_span span)
{
    if (type_is_float(index->type)) return lower_convert(l, index, l->type_i64, span);
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
    if (type_is_struct(t)) return lower_lane_address(l, base, index, e->span);
    if (t->strided) return strided_element(l, base, index, e->span);
    return ir_op2(l->m, IR_ELEM, base, index, e->span);
}

/* ---- arrays of several dimensions ---- */

typedef VEC(ast_node *) indices;

/* Appends the indices that e ends in, from the name on, and returns that. */
static const ast_node *gather(lower *l, const ast_node *e, indices *out)
{
    if (e->kind != AST_INDEX) return e;
    const ast_node *array = gather(l, e->kids[0], out);
    ast_node *const *at = e->kids[1]->kind == AST_TUPLE ? e->kids[1]->kids : &e->kids[1];
    uint32_t n = e->kids[1]->kind == AST_TUPLE ? e->kids[1]->kid_count : 1;
    for (uint32_t i = 0; i < n; i++) vec_push(&l->comp->arena, out, at[i]);
    return array;
}

/* An index as int64; with bounds_check it must lie within its dimension. */
static ir_node *along(lower *l, const lower_var *v, uint32_t dim, ir_node *index, cpl_span span)
{
    index = lower_convert(l, distance(l, index, span), l->type_i64, span);
    if (!l->p->bounds_check) return index;
    ir_node *n = ir_op2(l->m, IR_WITHIN, index, ir_use(l->m, v->shape[dim], span), span);
    n->dim = dim;
    return n;
}

/* x[i, j]: the element that as many indices say as x has dimensions. */
static ir_node *cell(lower *l, const lower_var *v, ir_node **index, cpl_span span)
{
    ir_node *p = ir_use(l->m, v->var, span);
    if (v->strides[0]) {
        for (uint32_t i = 0; i < v->dims; i++)
            p = ir_op3(l->m, IR_STRIDED, p, along(l, v, i, index[i], span),
                       ir_use(l->m, v->strides[i], span), span);
        return p;
    }
    ir_node *sum = along(l, v, 0, index[0], span);
    for (uint32_t i = 1; i < v->dims; i++) {
        sum = ir_op2(l->m, IR_MUL, sum, ir_use(l->m, v->shape[i], span), span);
        sum = ir_op2(l->m, IR_ADD, sum, along(l, v, i, index[i], span), span);
    }
    return ir_op2(l->m, IR_ELEM, p, sum, span);
}

/* The same with further indices behind them, of the matrices that the elements are. */
static ir_node *cell_address(lower *l, const ast_node *e)
{
    indices list = {0};
    const lower_var *v = variable(l, gather(l, e, &list));
    ir_node **index = arena_array(&l->comp->arena, list.n, sizeof *index);
    lower_operands(l, list.at, list.n, index);
    ir_node *p = cell(l, v, index, e->span);
    for (uint32_t i = v->dims; i < list.n; i++)
        p = ir_op2(l->m, IR_ITEM, p, distance(l, index[i], e->span), e->span);
    return p;
}

/* x[i], and m[i, j] of matrices. */
static ir_node *element_address(lower *l, const ast_node *e)
{
    if (sema_dims_left(l->sf, e->kids[0])) return cell_address(l, e);
    if (l->sf->refs[e->id].kind == REF_ITEM)
        return ir_field(l->m, base_pointer(l, e->kids[0]), l->sf->refs[e->id].dim, e->span);
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

/* A value that lies nowhere, such as a struct that a call returns, gets a place. */
ir_node *lower_spill(lower *l, ir_node *value, cpl_span span)
{
    lower_var *t = lower_var_new(l, "t", value->type, false, span);
    t->may_change = true;
    lower_assign_var(l, t, value, span);
    return ir_addr(l->m, t->var, span);
}

ir_node *lower_address(lower *l, const ast_node *e)
{
    lower_var *v;
    bool number = l->sf->refs[e->id].kind == REF_COMPLEX;
    switch (number ? AST_IMAGINARY : e->kind) {
    case AST_NAME:
        v = variable(l, e);
        return v->by_pointer ? ir_use(l->m, v->var, e->span) : ir_addr(l->m, v->var, e->span);
    case AST_INDEX: return element_address(l, e);
    case AST_ATTRIBUTE: return field_address(l, e);
    default: break;
    }
    return lower_spill(l, lower_expr(l, e), e->span);
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

/* An index of the address itself, not of one that something in it is loaded from. */
static bool has_within(const ir_node *n)
{
    if (n->op == IR_WITHIN || n->op == IR_LOAD) return n->op == IR_WITHIN;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (has_within(n->kids[i])) return true;
    return false;
}

/* What must lie within a dimension stays in the address, where the bounds pass looks for it. */
static ir_node *pin_index(lower *l, ir_node *n)
{
    if (n->op == IR_CONST) return n;
    if (!has_within(n)) return lower_pin(l, n);
    for (uint32_t i = 0; i < n->kid_count; i++) n->kids[i] = pin_index(l, n->kids[i]);
    return n;
}

ir_node *lower_pin_pointer(lower *l, ir_node *n)
{
    switch (n->op) {
    case IR_ADDR: return n;
    case IR_ELEM:
    case IR_ITEM:
    case IR_STRIDED: /* the stride never changes */
        n->kids[1] = pin_index(l, n->kids[1]);
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

/* The building blocks of lowering: types, variables with their extents and strides, temporaries,
 * conversions. */
#include "lib/lower/lower_int.h"

/* types */

/* The language's strided arrays are plain pointers in the IR; their stride is a variable of its
 * own. */
const cpl_type *lower_type(lower *l, const cpl_type *t)
{
    if (type_is_pointer(t) && type_has_layout(t))
        return comp_pointer(l->comp, t->elem, SPACE_GLOBAL);
    return t;
}

/* A matrix is used as a pointer to its first item. */
const cpl_type *lower_type_of(lower *l, const ast_node *e)
{
    const cpl_type *t = l->sf->types[e->id];
    if (type_is_array(t)) return comp_pointer(l->comp, t->elem, sema_space_of(l->sf, e));
    return lower_type(l, t);
}

/* constants and conversions */

static ir_node *constant(lower *l, const cpl_type *type, ir_value v, cpl_span span)
{
    if (type_is_float(type)) return ir_float(l->m, type, v.number, span);
    return ir_int(l->m, type, (int64_t)v.bits, span);
}

ir_node *lower_number(lower *l, const cpl_type *type, sema_const k, cpl_span span)
{
    if (type_is_complex(k.type)) {
        const cpl_type *part = type->fields[0].type;
        ir_node *real = ir_float(l->m, part, k.number, span);
        return lower_complex(l, type, real, ir_float(l->m, part, k.imag, span), span);
    }
    ir_node *n = type_is_float(k.type) ? ir_float(l->m, k.type, k.number, span)
                                       : ir_int(l->m, k.type, (int64_t)k.bits, span);
    return lower_convert(l, n, type, span);
}

ir_node *lower_complex(lower *l, const cpl_type *type, ir_node *real, ir_node *imag, cpl_span span)
{
    return lower_struct_of(l, type, (ir_node *[]){real, imag}, span);
}

static void load_parts(lower *l, ir_node *n, ir_node **parts, cpl_span span)
{
    ir_node *place = lower_spill(l, n, span);
    for (uint32_t i = 0; i < 2; i++)
        parts[i] = ir_op1(l->m, IR_LOAD, ir_field(l->m, ir_copy(l->m, place), i, span), span);
}

/* A number, or a complex one of the other width, as a complex number. */
static ir_node *complex_from(lower *l, ir_node *n, const cpl_type *to, cpl_span span)
{
    if (type_is_scalar(n->type))
        return lower_complex(l, to, n, ir_zero(l->m, to->fields[1].type, span), span);
    ir_node *parts[2];
    load_parts(l, n, parts, span);
    return lower_complex(l, to, parts[0], parts[1], span);
}

ir_node *lower_convert(lower *l, ir_node *n, const cpl_type *to, cpl_span span)
{
    if (n->type == to) return n;
    if (sema_is_tuple(to)) return lower_tuple_as(l, n, to, span);
    if (type_is_complex(to)) return complex_from(l, n, to, span);
    if (type_is_struct(to)) return lower_lanes(l, to, n, span);
    if (type_is_pointer(to)) return ir_typed(l->m, IR_PTRCAST, to, n, span);
    if (n->op == IR_CONST) {
        ir_value in, out;
        if (type_is_float(n->type)) in.number = n->number;
        else in.bits = n->bits;
        ir_eval_op(IR_CONVERT, to, n->type, &in, &out); /* which is defined for every number */
        return constant(l, to, out, n->span);
    }
    return ir_convert(l->m, to, n, span);
}

ir_node *lower_truth(lower *l, ir_node *n, cpl_span span)
{
    if (type_is_bool(n->type)) return n;
    if (type_is_struct(n->type)) { /* of numbers the complex ones */
        ir_node *parts[2];
        load_parts(l, n, parts, span);
        return ir_op2(l->m, IR_OR, lower_truth(l, parts[0], span), lower_truth(l, parts[1], span),
                      span);
    }
    if (n->op == IR_CONST) return lower_convert(l, n, l->type_bool, span);
    return ir_op2(l->m, IR_NE, n, ir_zero(l->m, n->type, span), span);
}

ir_node *lower_not(lower *l, ir_node *cond, cpl_span span)
{
    if (cond->op == IR_CONST) return ir_int(l->m, l->type_bool, cond->bits == 0, span);
    if (cond->op == IR_NOT) return cond->kids[0];
    return ir_op1(l->m, IR_NOT, cond, span);
}

/* blocks */

void lower_emit(lower *l, ir_node *stmt)
{
    ir_append(l->m, l->block, stmt);
}

ir_block *lower_enter(lower *l)
{
    ir_block *before = l->block;
    l->block = ir_block_new(l->m);
    return before;
}

ir_block *lower_leave(lower *l, ir_block *before)
{
    ir_block *filled = l->block;
    l->block = before;
    return filled;
}

/* variables */

lower_var *lower_var_of(const ir_var *v)
{
    return v->user;
}

/* A local, with an extent of its own when pointers carry theirs. */
lower_var *lower_var_new(lower *l, const char *name, const cpl_type *type, bool strided,
                         cpl_span span)
{
    lower_var *v = arena_new(&l->comp->arena, lower_var);
    v->var = ir_var_new(l->m, l->f, name, type, span);
    v->var->user = v;
    if (!type_is_pointer(type)) return v;
    if (l->extents) {
        v->var->extent = ir_var_new(l->m, l->f, arena_printf(&l->comp->arena, "%s_len", name),
                                    l->type_i64, span);
        v->var->extent->user = arena_new(&l->comp->arena, lower_var);
        lower_var_of(v->var->extent)->var = v->var->extent;
    }
    if (strided) {
        v->stride = ir_var_new(l->m, l->f, arena_printf(&l->comp->arena, "%s_stride", name),
                               l->type_i64, span);
        v->stride->user = arena_new(&l->comp->arena, lower_var);
        lower_var_of(v->stride)->var = v->stride;
    }
    return v;
}

/* The value is computed before extent and stride change, which it may read. */
void lower_assign_var(lower *l, lower_var *v, ir_node *value, cpl_span span)
{
    if (!v->var->extent && !v->stride) {
        lower_emit(l, ir_assign(l->m, v->var, value, span));
        if (v->sums) lower_combine(l, v, span);
        return;
    }
    ir_node *extent = v->var->extent ? lower_extent(l, value, span) : NULL;
    ir_node *stride = v->stride ? lower_stride(l, value, span) : NULL;
    if (value->op != IR_VAR && value->op != IR_ADDR) {
        ir_var *t = ir_var_new(l->m, l->f, "t", value->type, span);
        t->user = arena_new(&l->comp->arena, lower_var);
        lower_var_of(t)->var = t;
        lower_emit(l, ir_assign(l->m, t, value, span));
        value = ir_use(l->m, t, span);
    }
    if (extent) lower_emit(l, ir_assign(l->m, v->var->extent, extent, span));
    if (stride) lower_emit(l, ir_assign(l->m, v->stride, stride, span));
    lower_emit(l, ir_assign(l->m, v->var, value, span));
}

/* temporaries */

bool lower_is_stable(const ir_node *n)
{
    if (n->op == IR_LOAD) return false;
    if (n->op == IR_VAR && lower_var_of(n->var)->may_change) return false;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!lower_is_stable(n->kids[i])) return false;
    return true;
}

ir_node *lower_temp(lower *l, ir_node *value)
{
    if (value->op == IR_CONST || value->op == IR_ADDR ||
        (value->op == IR_VAR && lower_var_of(value->var)->temporary))
        return value;
    bool strided =
        type_is_pointer(value->type) && lower_stride(l, value, value->span)->op != IR_CONST;
    lower_var *t = lower_var_new(l, "t", value->type, strided, value->span);
    t->temporary = true;
    lower_assign_var(l, t, value, value->span);
    return ir_use(l->m, t->var, value->span);
}

ir_node *lower_pin(lower *l, ir_node *value)
{
    return value->op == IR_VAR && lower_is_stable(value) ? value : lower_temp(l, value);
}

/* Saves those of the values that statements from `position` of block `at` on might change, in front
 * of them. */
void lower_save(lower *l, ir_block *at, uint32_t position, ir_node **values, uint32_t n)
{
    ir_block *before = lower_enter(l);
    for (uint32_t i = 0; i < n; i++)
        if (ir_is_misaligned(values[i])) values[i] = lower_pin_pointer(l, values[i]);
        else if (lower_is_stable(values[i])) continue;
        else if (type_is_pointer(values[i]->type)) values[i] = lower_pin_pointer(l, values[i]);
        else values[i] = lower_temp(l, values[i]);
    ir_block *saved = lower_leave(l, before);
    if (saved->n == 0) return;
    uint32_t behind = at->n - position;
    for (uint32_t i = 0; i < saved->n; i++) ir_append(l->m, at, saved->at[i]);
    memmove(at->at + position + saved->n, at->at + position, behind * sizeof *at->at);
    memcpy(at->at + position, saved->at, saved->n * sizeof *at->at);
}

/* extents and strides, read off a pointer expression */

static bool is_unknown(const ir_node *extent)
{
    int64_t v;
    return ir_is_int_const(extent, &v) && v == INT64_MAX;
}

static ir_node *minus(lower *l, ir_node *a, const ir_node *index, cpl_span span)
{
    int64_t k, whole;
    if (is_unknown(a)) return a;
    if (ir_is_int_const(index, &k)) {
        if (k == 0) return a;
        if (ir_is_int_const(a, &whole))
            return ir_int(l->m, l->type_i64, (int64_t)((uint64_t)whole - (uint64_t)k), span);
    }
    return ir_op2(l->m, IR_SUB, a, lower_convert(l, ir_copy(l->m, index), l->type_i64, span), span);
}

static ir_node *times(lower *l, ir_node *a, uint64_t count, cpl_span span)
{
    int64_t whole;
    if (is_unknown(a)) return a;
    if (ir_is_int_const(a, &whole))
        return ir_int(l->m, l->type_i64, (int64_t)((uint64_t)whole * count), span);
    return ir_op2(l->m, IR_MUL, a, ir_int(l->m, l->type_i64, (int64_t)count, span), span);
}

/* All elements of an array of several dimensions. */
static ir_node *whole(lower *l, const lower_var *v, cpl_span span)
{
    ir_node *n = ir_use(l->m, v->shape[0], span);
    for (uint32_t i = 1; i < v->dims; i++)
        n = ir_op2(l->m, IR_MUL, n, ir_use(l->m, v->shape[i], span), span);
    return n;
}

static bool in_strided(const ir_node *p)
{
    while (p->op == IR_STRIDED) p = p->kids[0];
    return p->op == IR_VAR && lower_var_of(p->var)->strides[0];
}

/* The parameter that an array is, if it is one of several dimensions; else NULL. */
static const lower_var *shaped(const ir_node *array)
{
    while (array->op == IR_PTRCAST) array = array->kids[0];
    const lower_var *v = array->op == IR_VAR ? lower_var_of(array->var) : NULL;
    return v && v->dims ? v : NULL;
}

ir_node *lower_shape(lower *l, const ir_node *array, uint32_t dim, cpl_span span)
{
    const lower_var *v = shaped(array);
    return v ? ir_use(l->m, v->shape[dim], span) : lower_extent(l, array, span);
}

ir_node *lower_pitch(lower *l, const ir_node *array, uint32_t dim, cpl_span span)
{
    const lower_var *v = shaped(array);
    return v ? ir_use(l->m, v->strides[dim], span) : lower_stride(l, array, span);
}

/* Of a place in a matrix all that lies behind it, where an address or arithmetic reaches it; as a
 * row has it what its own row has left. */
static ir_node *behind(lower *l, const ir_node *p, cpl_span span)
{
    if (p->op != IR_ITEM) return lower_extent(l, p, span);
    ir_node *arrays = behind(l, p->kids[0], span);
    return minus(l, times(l, arrays, p->kids[0]->type->elem->count, span), p->kids[1], span);
}

/* Elements from a pointer to the end of what it points into; INT64_MAX when nobody knows. */
ir_node *lower_extent(lower *l, const ir_node *p, cpl_span span)
{
    switch (p->op) {
    case IR_VAR:
        if (p->var->extent) return ir_use(l->m, p->var->extent, span);
        if (lower_var_of(p->var)->dims) return whole(l, lower_var_of(p->var), span);
        break;
    case IR_ADDR:
    case IR_FIELD: return ir_int(l->m, l->type_i64, 1, span);
    case IR_STRIDED:
        /* of several dimensions: nothing says what lies behind an element */
        if (in_strided(p)) return ir_int(l->m, l->type_i64, 1, span);
        /* fall through */
    case IR_ELEM: return minus(l, behind(l, p->kids[0], span), p->kids[1], span);
    case IR_ITEM: {
        uint64_t count = p->kids[0]->type->elem->count;
        return minus(l, ir_int(l->m, l->type_i64, (int64_t)count, span), p->kids[1], span);
    }
    case IR_PTRCAST:
        if (p->kids[0]->type->elem->size == p->type->elem->size)
            return lower_extent(l, p->kids[0], span);
        break;
    case IR_COND: {
        ir_node *a = lower_extent(l, p->kids[1], span), *b = lower_extent(l, p->kids[2], span);
        return is_unknown(a) && is_unknown(b)
                   ? a
                   : ir_op3(l->m, IR_COND, ir_copy(l->m, p->kids[0]), a, b, span);
    }
    default: break;
    }
    return ir_int(l->m, l->type_i64, INT64_MAX, span);
}

/* Bytes from one element that a pointer walks to the next. */
ir_node *lower_stride(lower *l, const ir_node *p, cpl_span span)
{
    switch (p->op) {
    case IR_VAR:
        if (lower_var_of(p->var)->stride) return ir_use(l->m, lower_var_of(p->var)->stride, span);
        break;
    case IR_ELEM:
    case IR_STRIDED:
    case IR_PTRCAST: return lower_stride(l, p->kids[0], span);
    case IR_COND:
        return ir_op3(l->m, IR_COND, ir_copy(l->m, p->kids[0]), lower_stride(l, p->kids[1], span),
                      lower_stride(l, p->kids[2], span), span);
    default: break;
    }
    return ir_int(l->m, l->type_i64, (int64_t)p->type->elem->size, span);
}

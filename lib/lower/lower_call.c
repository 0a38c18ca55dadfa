/* Calls: functions with their hidden arguments, externs, mathematics, conversions, atomics. */
#include "lib/lower/lower_int.h"

sema_builtin lower_builtin(const lower *l, const ast_node *e)
{
    const sema_ref *ref = &l->sf->refs[e->id];
    return e->kind == AST_CALL && ref->kind == REF_BUILTIN ? ref->builtin : BUILTIN_COUNT;
}

/* functions */

/* A struct is passed as a pointer to it. */
static ir_node *argument(lower *l, const ast_node *e, const cpl_type *param)
{
    const cpl_type *t = l->sf->types[e->id];
    bool by_pointer = type_is_pointer(param) && type_is_struct(param->elem);
    if (by_pointer && type_is_complex(param->elem) && t != param->elem &&
        (type_is_scalar(t) || type_is_complex(t))) {
        ir_node *place = lower_spill(l, lower_expr_as(l, e, param->elem), e->span);
        return lower_convert(l, place, param, e->span);
    }
    ir_node *value = type_is_struct(t) && by_pointer
                         ? lower_aligned(l, lower_address(l, e), e->span)
                         : lower_expr(l, e);
    return lower_convert(l, value, param, e->span);
}

/* What is lowered already: of a call of __init__ the address of the new struct, of an augmented
 * assignment the target's old value. */
typedef struct known_argument {
    const ast_node *node; /* NULL: nothing is */
    ir_node *value;
} known_argument;

static ir_node *known_value(lower *l, const known_argument *known, const cpl_type *param)
{
    ir_node *value = ir_copy(l->m, known->value);
    if (type_is_struct(value->type) && type_is_pointer(param))
        value = lower_spill(l, value, known->node->span);
    return lower_convert(l, value, param, known->node->span);
}

/* The parameters that get an argument, in the order in which the arguments are written. */
static uint32_t argument_order(const sema_ref *ref, uint32_t *order)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < ref->func->params.n; i++) {
        const ast_node *node = ref->args[i].node;
        if (!node) continue;
        uint32_t at = n++;
        for (; at > 0 && ref->args[order[at - 1]].node->span.begin > node->span.begin; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return n;
}

static ir_node *default_argument(lower *l, sema_const value, const cpl_type *param, cpl_span span)
{
    bool by_pointer = type_is_pointer(param);
    ir_node *n = lower_number(l, by_pointer ? param->elem : param, value, span);
    return by_pointer ? lower_convert(l, lower_spill(l, n, span), param, span) : n;
}

/* args[i] belongs to parameter i. */
static void declared_arguments(lower *l, const sema_ref *ref, const ir_func *f,
                               const known_argument *known, cpl_span span, ir_node **args)
{
    uint32_t n = ref->func->params.n;
    ir_node **values = arena_array(&l->comp->arena, n, sizeof *values);
    uint32_t *order = arena_array(&l->comp->arena, n, sizeof *order);
    uint32_t given = argument_order(ref, order);
    for (uint32_t k = 0; k < given; k++) {
        const ast_node *node = ref->args[order[k]].node;
        const cpl_type *param = f->params.at[order[k]]->type;
        ir_block *at = l->block;
        uint32_t position = at->n, effects = l->effects;
        values[k] = node == known->node ? known_value(l, known, param) : argument(l, node, param);
        if (l->effects != effects) lower_save(l, at, position, values, k);
    }
    for (uint32_t k = 0; k < given; k++) args[order[k]] = values[k];
    for (uint32_t i = 0; i < n; i++)
        if (!ref->args[i].node)
            args[i] = default_argument(l, ref->args[i].value, f->params.at[i]->type, span);
}

/* What parameter p of f gets besides, which the declared arguments and the caller have. */
static ir_node *hidden_argument(lower *l, const ir_func *f, const ir_var *p, ir_node *const *args,
                                cpl_span span)
{
    uint32_t of = 0;
    while (p->of && f->params.at[of] != p->of) of++;
    switch (p->role) {
    case PARAM_LENGTH: return lower_extent(l, args[of], span);
    case PARAM_SHAPE: return lower_shape(l, args[of], p->axis, span);
    case PARAM_STRIDE: return lower_pitch(l, args[of], p->axis, span);
    default: return ir_use(l->m, l->record, span);
    }
}

static ir_node *function_call(lower *l, const ast_node *e, const known_argument *known)
{
    const sema_ref *ref = &l->sf->refs[e->id];
    const sema_func *callee = ref->func;
    ir_func *f = callee->user;
    uint32_t n = f->params.n;
    ir_node **args = arena_array(&l->comp->arena, n, sizeof *args);
    declared_arguments(l, ref, f, known, e->span, args);
    for (uint32_t i = callee->params.n; i < n; i++)
        args[i] = hidden_argument(l, f, f->params.at[i], args, e->span);
    return ir_call(l->m, f, args, n, e->span);
}

/* Whether e makes a struct that __init__ fills. */
static bool is_new(const lower *l, const ast_node *e)
{
    const sema_ref *ref = &l->sf->refs[e->id];
    return ref->kind == REF_FUNC && ref->func->params.n && ref->args[0].node == e;
}

static ir_node *new_struct(lower *l, const ast_node *e)
{
    lower_var *t = lower_var_new(l, "t", l->sf->types[e->id], false, e->span);
    t->may_change = true;
    known_argument self = {e, ir_addr(l->m, t->var, e->span)};
    lower_emit(l, ir_op1(l->m, IR_CLEAR, ir_addr(l->m, t->var, e->span), e->span));
    lower_emit(l, ir_eval(l->m, function_call(l, e, &self), e->span));
    l->effects++;
    return ir_use(l->m, t->var, e->span);
}

/* A struct of its fields; what is not given is 0. */
static ir_node *struct_of(lower *l, const ast_node *e)
{
    const sema_ref *ref = &l->sf->refs[e->id];
    const cpl_type *type = l->sf->types[e->id];
    uint32_t n = e->kid_count - 1;
    ast_node **kids = arena_array(&l->comp->arena, n, sizeof *kids);
    ir_node **values = arena_array(&l->comp->arena, n, sizeof *values);
    for (uint32_t i = 0; i < n; i++)
        kids[i] = e->kids[1 + i]->kind == AST_KEYWORD ? e->kids[1 + i]->kids[0] : e->kids[1 + i];
    lower_operands(l, kids, n, values);
    lower_var *t = lower_var_new(l, "t", type, false, e->span);
    t->may_change = true;
    if (n < type->field_count)
        lower_emit(l, ir_op1(l->m, IR_CLEAR, ir_addr(l->m, t->var, e->span), e->span));
    for (uint32_t f = 0; f < type->field_count; f++) {
        uint32_t i = 0;
        while (i < n && kids[i] != ref->args[f].node) i++;
        if (i == n) continue;
        ir_node *place = ir_field(l->m, ir_addr(l->m, t->var, e->span), f, e->span);
        ir_node *value = lower_convert(l, values[i], type->fields[f].type, kids[i]->span);
        lower_emit(l, ir_op2(l->m, IR_STORE, place, value, e->span));
    }
    return ir_use(l->m, t->var, e->span);
}

static ir_node *extern_call(lower *l, const ast_node *e, const sema_extern *ext)
{
    ir_func *f = lower_extern(l, ext, e->span);
    uint32_t n = ext->param_count;
    ir_node **args = arena_array(&l->comp->arena, n, sizeof *args);
    lower_operands(l, e->kids + 1, n, args);
    for (uint32_t i = 0; i < n; i++)
        args[i] = lower_convert(l, args[i], f->params.at[i]->type, e->kids[i + 1]->span);
    return ir_call(l->m, f, args, n, e->span);
}

ir_node *lower_effect(lower *l, const ast_node *e)
{
    const sema_ref *ref = &l->sf->refs[e->id];
    if (ref->kind == REF_FUNC && !is_new(l, e)) return function_call(l, e, &(known_argument){0});
    if (e->kind != AST_CALL) return NULL;
    if (ref->kind == REF_EXTERN) return extern_call(l, e, ref->ext);
    return lower_work_effect(l, e, lower_builtin(l, e));
}

/* mathematics */

/* Most have the op's name. */
static ir_op math_op(sema_builtin b)
{
    const char *name = sema_builtins[b].name;
    if (b == BI_ROUND) return IR_RINT;
    return b == BI_FABS ? IR_ABS : b == BI_FMOD ? IR_REM : ir_op_find(name, strlen(name));
}

/* The float type that mathematics works in: that of the result or, of a test, the operand's. */
static const cpl_type *math_type(lower *l, const cpl_type *type, ir_node *const *args)
{
    if (type_is_float(type)) return type;
    if (!type_is_float(args[0]->type)) return l->type_f64;
    return type_is(args[0]->type, CPL_FLOAT64) ? l->type_f64 : l->type_f32;
}

/* C's fmin and fmax: a number beats NaN. */
static ir_node *number_minmax(lower *l, ir_op op, ir_node *a, ir_node *b, cpl_span span)
{
    a = lower_pin(l, a);
    b = lower_pin(l, b);
    ir_node *both = ir_op2(l->m, op, ir_copy(l->m, a), ir_copy(l->m, b), span);
    return ir_op3(l->m, IR_COND, ir_op1(l->m, IR_ISNAN, a, span), b, both, span);
}

static ir_node *math(lower *l, const ast_node *e, sema_builtin b, const cpl_type *result,
                     ir_node **args)
{
    uint32_t n = e->kid_count - 1;
    const cpl_type *type = math_type(l, result, args);
    if (b == BI_LDEXP)
        return ir_op2(l->m, IR_LDEXP, lower_convert(l, args[0], type, e->span), args[1], e->span);
    for (uint32_t i = 0; i < n; i++) args[i] = lower_convert(l, args[i], type, e->span);
    switch (b) {
    case BI_LOG:
        args[0] = ir_op1(l->m, IR_LOG, args[0], e->span);
        return n == 1
                   ? args[0]
                   : ir_op2(l->m, IR_DIV, args[0], ir_op1(l->m, IR_LOG, args[1], e->span), e->span);
    case BI_FMIN:
    case BI_FMAX:
        return number_minmax(l, b == BI_FMIN ? IR_MIN : IR_MAX, args[0], args[1], e->span);
    case BI_DEGREES:
        return ir_op2(l->m, IR_MUL, args[0], ir_float(l->m, type, 57.295779513082320877, e->span),
                      e->span);
    case BI_RADIANS:
        return ir_op2(l->m, IR_MUL, args[0], ir_float(l->m, type, 0.017453292519943295769, e->span),
                      e->span);
    default: return ir_op_new(l->m, math_op(b), args, n, e->span);
    }
}

/* Numbers are not computed in bool but in int32, and become bool again where sema says so. */
static const cpl_type *number_type(lower *l, const cpl_type *type)
{
    return type_is_bool(type) ? l->type_i32 : type;
}

/* The least or greatest of those arguments that are signed, or not, in type; NULL of none. */
static ir_node *minmax_of(lower *l, const ast_node *e, ir_op op, const cpl_type *type, bool sign,
                          ir_node **args)
{
    ir_node *x = NULL;
    for (uint32_t i = 0; i + 1 < e->kid_count; i++) {
        if (type_is_signed(args[i]->type) != sign) continue;
        ir_node *next = lower_convert(l, args[i], type, e->span);
        x = x ? ir_op2(l->m, op, x, next, e->span) : next;
    }
    return x;
}

/* Of uint64 and signed numbers, which are compared as the numbers that they are. */
static ir_node *minmax_signs(lower *l, const ast_node *e, ir_op op, const cpl_type *type,
                             ir_node **args)
{
    ir_node *a = minmax_of(l, e, op, l->type_i64, true, args);
    ir_node *b = minmax_of(l, e, op, type, false, args);
    if (!a) return b;
    a = lower_pin(l, a);
    ir_node *zero = ir_int(l->m, a->type, 0, e->span);
    ir_node *below = ir_op2(l->m, IR_LT, ir_copy(l->m, a), zero, e->span);
    ir_node *number = lower_convert(l, a, type, e->span);
    if (!b) return number;
    b = lower_pin(l, b);
    ir_node *other = ir_op2(l->m, op, ir_copy(l->m, number), ir_copy(l->m, b), e->span);
    return ir_op3(l->m, IR_COND, below, op == IR_MIN ? number : b, other, e->span);
}

static ir_node *minmax(lower *l, const ast_node *e, ir_op op, const cpl_type *result,
                       ir_node **args)
{
    const cpl_type *type = number_type(l, result);
    if (type_is(type, CPL_UINT64)) return minmax_signs(l, e, op, type, args);
    ir_node *x = lower_convert(l, args[0], type, e->span);
    for (uint32_t i = 1; i + 1 < e->kid_count; i++)
        x = ir_op2(l->m, op, x, lower_convert(l, args[i], type, e->span), e->span);
    return lower_convert(l, x, result, e->span);
}

static ir_node *absolute(lower *l, const ast_node *e, const cpl_type *result, ir_node *a)
{
    a = lower_convert(l, a, number_type(l, result), e->span);
    if (!type_is_unsigned(a->type)) a = ir_op1(l->m, IR_ABS, a, e->span);
    return lower_convert(l, a, result, e->span);
}

ir_node *lower_number_call(lower *l, const ast_node *e, sema_builtin b, const cpl_type *type,
                           ir_node **args)
{
    switch (b) {
    case BI_MIN:
    case BI_MAX: return minmax(l, e, b == BI_MIN ? IR_MIN : IR_MAX, type, args);
    case BI_ABS: return absolute(l, e, type, args[0]);
    case BI_POW: return lower_binary(l, TOK_POW, type, args[0], args[1], e->kids[2], e->span);
    default: return math(l, e, b, type, args);
    }
}

static ir_node *number_call(lower *l, const ast_node *e, sema_builtin b)
{
    uint32_t n = e->kid_count - 1;
    ir_node **args = arena_array(&l->comp->arena, n, sizeof *args);
    lower_operands(l, e->kids + 1, n, args);
    return lower_number_call(l, e, b, lower_type_of(l, e), args);
}

/* the others */

static ir_node *length(lower *l, const ast_node *e)
{
    const ast_node *array = e->kids[1];
    const cpl_type *t = l->sf->types[array->id];
    ir_node *n = type_is_array(t) ? ir_int(l->m, l->type_i64, (int64_t)t->count, e->span)
                                  : lower_shape(l, lower_expr(l, array), 0, e->span);
    return lower_convert(l, n, lower_type_of(l, e), e->span);
}

/* Of an element of a matrix it reaches those of the rows behind too. */
static ir_node *address(lower *l, const ast_node *e)
{
    ir_node *place = lower_aligned(l, lower_address(l, e->kids[1]), e->kids[1]->span);
    if (place->op == IR_ITEM && place->kids[0]->op == IR_ITEM)
        place = ir_op2(l->m, IR_ELEM, place, ir_int(l->m, l->type_i64, 0, e->span), e->span);
    return lower_convert(l, place, lower_type_of(l, e), e->span);
}

static ir_node *builtin_call(lower *l, const ast_node *e, sema_builtin b)
{
    switch (b) {
    case BI_LEN: return length(l, e);
    case BI_CAST: return lower_expr_as(l, e->kids[1], lower_type_of(l, e));
    case BI_BITS:
        return ir_typed(l->m, IR_BITS, lower_type_of(l, e), lower_expr(l, e->kids[1]), e->span);
    case BI_ADDRESS: return address(l, e);
    case BI_PRINT: lower_print(l, e); return ir_int(l->m, l->type_i32, 0, e->span);
    case BI_PRINTF: lower_printf(l, e); return ir_int(l->m, l->type_i32, 0, e->span);
    default: break;
    }
    ir_node *work = lower_work(l, e, b);
    if (work) return work;
    if (type_is_struct(lower_type_of(l, e))) return lower_vector_call(l, e, b);
    return number_call(l, e, b);
}

/* What a call that has not been emitted gives: it is emitted, and its result is a temporary. */
static ir_node *called(lower *l, ir_node *effect, cpl_span span)
{
    l->effects++;
    if (type_is_void(effect->type)) {
        lower_emit(l, ir_eval(l->m, effect, span));
        return ir_int(l->m, l->type_i32, 0, span);
    }
    lower_var *t = lower_var_new(l, "t", effect->type, false, span);
    t->temporary = true;
    if (t->var->extent) /* nobody knows how much a returned pointer points to */
        lower_emit(l, ir_assign(l->m, t->var->extent, ir_int(l->m, l->type_i64, INT64_MAX, span),
                                span));
    lower_emit(l, ir_assign(l->m, t->var, effect, span));
    return ir_use(l->m, t->var, span);
}

/* The value of a call of any kind. What has effects is emitted, and its result is a temporary. */
ir_node *lower_call(lower *l, const ast_node *e)
{
    const sema_ref *ref = &l->sf->refs[e->id];
    if (ref->kind == REF_TYPE) return lower_expr_as(l, e->kids[1], lower_type_of(l, e));
    if (ref->kind == REF_STRUCT) return struct_of(l, e);
    if (ref->kind == REF_VECTOR) return lower_make_vector(l, e);
    if (is_new(l, e)) return new_struct(l, e);
    ir_node *effect = lower_effect(l, e);
    if (!effect) return builtin_call(l, e, ref->builtin);
    return called(l, effect, e->span);
}

ir_node *lower_updated(lower *l, const ast_node *s, ir_node *old)
{
    known_argument target = {s->kids[0], old};
    return called(l, function_call(l, s, &target), s->span);
}

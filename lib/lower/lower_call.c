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
    ir_node *value = type_is_struct(t) && type_is_pointer(param)
                         ? lower_aligned(l, lower_address(l, e), e->span)
                         : lower_expr(l, e);
    return lower_convert(l, value, param, e->span);
}

/* Evaluates the arguments in the order they are written in; args[i] belongs to parameter i. */
static void declared_arguments(lower *l, const ast_node *e, const sema_ref *ref, const ir_func *f,
                               ir_node **args)
{
    uint32_t given = e->kid_count - 1, n = ref->func->params.n, taken = 0;
    ir_node **values = arena_array(&l->comp->arena, given, sizeof *values);
    uint32_t *place = arena_array(&l->comp->arena, given, sizeof *place);
    for (uint32_t i = 0; i < given; i++) {
        const ast_node *kid = e->kids[i + 1];
        if (kid->kind == AST_KEYWORD) kid = kid->kids[0];
        uint32_t to = 0;
        while (to < n && ref->args[to].node != kid) to++;
        if (to == n) continue; /* it stands for something */
        ir_block *at = l->block;
        uint32_t position = at->n, effects = l->effects;
        values[taken] = argument(l, kid, f->params.at[to]->type);
        if (l->effects != effects) lower_save(l, at, position, values, taken);
        place[taken++] = to;
    }
    for (uint32_t i = 0; i < taken; i++) args[place[i]] = values[i];
    for (uint32_t i = 0; i < n; i++)
        if (!ref->args[i].node)
            args[i] = lower_number(l, f->params.at[i]->type, ref->args[i].value, e->span);
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

static ir_node *function_call(lower *l, const ast_node *e, const sema_ref *ref)
{
    const sema_func *callee = ref->func;
    ir_func *f = callee->user;
    uint32_t n = f->params.n;
    ir_node **args = arena_array(&l->comp->arena, n, sizeof *args);
    declared_arguments(l, e, ref, f, args);
    for (uint32_t i = callee->params.n; i < n; i++)
        args[i] = hidden_argument(l, f, f->params.at[i], args, e->span);
    return ir_call(l->m, f, args, n, e->span);
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
    if (e->kind != AST_CALL) return NULL;
    const sema_ref *ref = &l->sf->refs[e->id];
    if (ref->kind == REF_FUNC) return function_call(l, e, ref);
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
static const cpl_type *math_type(lower *l, const ast_node *e, ir_node *const *args)
{
    const cpl_type *type = lower_type_of(l, e);
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

static ir_node *math(lower *l, const ast_node *e, sema_builtin b)
{
    ir_node *args[3] = {NULL, NULL, NULL};
    uint32_t n = e->kid_count - 1 < 3 ? e->kid_count - 1 : 3;
    lower_operands(l, e->kids + 1, n, args);
    const cpl_type *type = math_type(l, e, args);
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
static const cpl_type *number_type(lower *l, const ast_node *e)
{
    const cpl_type *type = lower_type_of(l, e);
    return type_is_bool(type) ? l->type_i32 : type;
}

static ir_node *minmax(lower *l, const ast_node *e, ir_op op)
{
    uint32_t n = e->kid_count - 1;
    ir_node **args = arena_array(&l->comp->arena, n, sizeof *args);
    lower_operands(l, e->kids + 1, n, args);
    const cpl_type *type = number_type(l, e);
    ir_node *result = lower_convert(l, args[0], type, e->span);
    for (uint32_t i = 1; i < n; i++)
        result = ir_op2(l->m, op, result, lower_convert(l, args[i], type, e->span), e->span);
    return lower_convert(l, result, lower_type_of(l, e), e->span);
}

static ir_node *absolute(lower *l, const ast_node *e)
{
    ir_node *a = lower_expr_as(l, e->kids[1], number_type(l, e));
    if (!type_is_unsigned(a->type)) a = ir_op1(l->m, IR_ABS, a, e->span);
    return lower_convert(l, a, lower_type_of(l, e), e->span);
}

static ir_node *power(lower *l, const ast_node *e)
{
    ir_node *v[2];
    lower_operands(l, e->kids + 1, 2, v);
    return lower_binary(l, TOK_POW, lower_type_of(l, e), v[0], v[1], e->kids[2], e->span);
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

static ir_node *builtin_call(lower *l, const ast_node *e, sema_builtin b)
{
    switch (b) {
    case BI_MIN:
    case BI_MAX: return minmax(l, e, b == BI_MIN ? IR_MIN : IR_MAX);
    case BI_ABS: return absolute(l, e);
    case BI_POW: return power(l, e);
    case BI_LEN: return length(l, e);
    case BI_CAST: return lower_expr_as(l, e->kids[1], lower_type_of(l, e));
    case BI_BITS:
        return ir_typed(l->m, IR_BITS, lower_type_of(l, e), lower_expr(l, e->kids[1]), e->span);
    case BI_ADDRESS:
        return lower_convert(l, lower_aligned(l, lower_address(l, e->kids[1]), e->kids[1]->span),
                             lower_type_of(l, e), e->span);
    case BI_PRINT: lower_print(l, e); return ir_int(l->m, l->type_i32, 0, e->span);
    case BI_PRINTF: lower_printf(l, e); return ir_int(l->m, l->type_i32, 0, e->span);
    default: break;
    }
    ir_node *work = lower_work(l, e, b);
    if (work) return work;
    return math(l, e, b);
}

/* The value of a call of any kind. What has effects is emitted, and its result is a temporary. */
ir_node *lower_call(lower *l, const ast_node *e)
{
    const sema_ref *ref = &l->sf->refs[e->id];
    if (ref->kind == REF_TYPE) return lower_expr_as(l, e->kids[1], lower_type_of(l, e));
    ir_node *effect = lower_effect(l, e);
    if (!effect) return builtin_call(l, e, ref->builtin);
    l->effects++;
    if (type_is_void(effect->type)) {
        lower_emit(l, ir_eval(l->m, effect, e->span));
        return ir_int(l->m, l->type_i32, 0, e->span);
    }
    lower_var *t = lower_var_new(l, "t", effect->type, false, e->span);
    t->temporary = true;
    if (t->var->extent) /* nobody knows how much a returned pointer points to */
        lower_emit(l, ir_assign(l->m, t->var->extent, ir_int(l->m, l->type_i64, INT64_MAX, e->span),
                                e->span));
    lower_emit(l, ir_assign(l->m, t->var, effect, e->span));
    return ir_use(l->m, t->var, e->span);
}

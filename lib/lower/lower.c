/*
 * Programs and functions: signatures with their hidden parameters first, then bodies, so that calls
 * find what they call. The order of hidden parameters is the one of lib/README.md.
 */
#include "lib/lower/lower_int.h"

bool lower_has_extents(const lower *l, const sema_func *sf)
{
    return l->p->bounds_check || sf->uses_len;
}

/* signatures */

/* Parameters of the entry point into global memory; a struct travels as a pointer to it. */
static const cpl_type *parameter_type(lower *l, const cpl_type *t, bool entry)
{
    if (type_is_struct(t)) return comp_pointer(l->comp, t, entry ? SPACE_GLOBAL : SPACE_GENERIC);
    if (type_is_pointer(t) && !type_has_layout(t) && entry && t->space == SPACE_GENERIC)
        return comp_pointer(l->comp, t->elem, SPACE_GLOBAL);
    return lower_type(l, t);
}

static lower_var *adopt(lower *l, ir_var *var)
{
    lower_var *v = arena_new(&l->comp->arena, lower_var);
    v->var = var;
    var->user = v;
    return v;
}

/* NAME_len and its kin: an int64 that says something of an array. */
static ir_var *beside(lower *l, ir_func *f, const char *what, param_role role, ir_var *array)
{
    const char *name = arena_printf(&l->comp->arena, "%s_%s", array->name, what);
    ir_var *v = adopt(l, ir_param_new(l->m, f, name, l->type_i64, array->span))->var;
    ir_set_role(v, role, array);
    return v;
}

static ir_var *along(lower *l, ir_func *f, param_role role, ir_var *array, uint32_t axis)
{
    const char *word = role == PARAM_SHAPE ? "shape" : "stride";
    const char *what = arena_printf(&l->comp->arena, "%s%u", word, (unsigned)axis);
    ir_var *v = beside(l, f, what, role, array);
    v->axis = (uint8_t)axis;
    return v;
}

static void shape_parameters(lower *l, ir_func *f, lower_var *v, const cpl_type *t)
{
    v->dims = t->dims;
    for (uint32_t i = 0; i < v->dims; i++) v->shape[i] = along(l, f, PARAM_SHAPE, v->var, i);
    for (uint32_t i = 0; t->strided && i < v->dims; i++)
        v->strides[i] = along(l, f, PARAM_STRIDE, v->var, i);
}

static void hidden_parameters(lower *l, const sema_func *sf, ir_func *f)
{
    for (uint32_t i = 0; i < sf->params.n; i++) {
        const sema_var *p = sf->params.at[i];
        lower_var *v = p->user;
        if (!type_is_pointer(v->var->type)) continue;
        if (type_is_pointer(p->type) && p->type->dims) {
            shape_parameters(l, f, v, p->type);
            continue;
        }
        /* the shape of what has one dimension, and must have it, is its length */
        if (p->dims) v->var->extent = along(l, f, PARAM_SHAPE, v->var, 0);
        else if (lower_has_extents(l, sf)) beside(l, f, "len", PARAM_LENGTH, v->var);
        if (p->type->strided) v->stride = beside(l, f, "stride", PARAM_STRIDE, v->var);
    }
    if (!l->p->bounds_check) return;
    ir_var *record = ir_param_new(l->m, f, "cpl_fault_record",
                                  comp_pointer(l->comp, l->type_u8, SPACE_GLOBAL), f->span);
    ir_set_role(adopt(l, record)->var, PARAM_FAULT, NULL);
}

static void declare_function(lower *l, sema_func *sf)
{
    bool entry = sf == l->p->entry;
    bool body = entry && l->p->form == SEMA_ELEMENTWISE;
    const char *name = body ? arena_printf(&l->comp->arena, "%s.body", sf->symbol) : sf->symbol;
    ir_linkage linkage = entry && !body ? IR_ENTRY : IR_INTERNAL;
    ir_func *f = ir_func_new(l->m, name, linkage, lower_type(l, sf->result), sf->fn->span);
    for (uint32_t i = 0; i < sf->params.n; i++) {
        sema_var *p = sf->params.at[i];
        lower_var *v =
            adopt(l, ir_param_new(l->m, f, p->name, parameter_type(l, p->type, entry), p->span));
        v->by_pointer = type_is_struct(p->type);
        p->user = v;
    }
    hidden_parameters(l, sf, f);
    f->recursive = sf->recursive;
    f->kernel = entry && l->p->form == SEMA_KERNEL;
    sf->user = f;
}

ir_func *lower_extern(lower *l, const sema_extern *ext, cpl_span span)
{
    ir_func *f = map_get(&l->externs, ext->name);
    if (f) return f;
    f = ir_func_new(l->m, ext->name, IR_EXTERN, lower_type(l, ext->result), span);
    for (uint32_t i = 0; i < ext->param_count; i++) {
        const char *name = arena_printf(&l->comp->arena, "p%u", i);
        adopt(l, ir_param_new(l->m, f, name, lower_type(l, ext->params[i]), span));
    }
    f->pure = ext->pure;
    map_put(&l->comp->arena, &l->externs, ext->name, f);
    return f;
}

/* bodies */

static void mark_place(const lower *l, const ast_node *place)
{
    for (; place->kind == AST_INDEX || place->kind == AST_ATTRIBUTE; place = place->kids[0])
        if (type_is_pointer(l->sf->types[place->kids[0]->id])) return; /* what lies elsewhere */
    const sema_ref *ref = &l->sf->refs[place->id];
    if (place->kind == AST_NAME && ref->kind == REF_VAR && ref->var->user)
        ((lower_var *)ref->var->user)->may_change = true;
}

static bool takes_address(sema_builtin b)
{
    return b == BI_ADDRESS || (b >= BI_ATOMIC_INC && b <= BI_ATOMIC_STORE);
}

/* Variables that calls and atomics can change through a pointer. */
static void mark_changed(const lower *l, const ast_node *n)
{
    if (n->kind == AST_CALL && n->kid_count > 1 && takes_address(lower_builtin(l, n)))
        mark_place(l, n->kids[1]);
    for (uint32_t i = 0; i < n->kid_count; i++) mark_changed(l, n->kids[i]);
    for (uint32_t i = 0; n->body && i < n->body->n; i++) mark_changed(l, n->body->at[i]);
    for (uint32_t i = 0; n->orelse && i < n->orelse->n; i++) mark_changed(l, n->orelse->at[i]);
}

static void make_locals(lower *l)
{
    sema_func *sf = l->sf;
    for (uint32_t i = 0; i < sf->vars.n; i++) {
        sema_var *v = sf->vars.at[i];
        bool strided = type_is_pointer(v->type) && v->type->strided;
        lower_var *lv = lower_var_new(l, v->name, lower_type(l, v->type), strided, v->span);
        lv->may_change = v->address_taken;
        lv->var->local = v->local_memory;
        v->user = lv;
    }
}

/* Nothing behind it runs. */
static bool leaves(const ir_block *b)
{
    if (!b || b->n == 0) return false;
    const ir_node *last = b->at[b->n - 1];
    return last->op == IR_RETURN ||
           (last->op == IR_IF && leaves(last->body) && leaves(last->orelse));
}

static void clear_users(ir_func *f)
{
    for (uint32_t i = 0; i < f->params.n; i++) f->params.at[i]->user = NULL;
    for (uint32_t i = 0; i < f->vars.n; i++) f->vars.at[i]->user = NULL;
}

static void lower_function(lower *l, sema_func *sf)
{
    l->sf = sf;
    l->f = sf->user;
    l->extents = lower_has_extents(l, sf);
    l->record = ir_param_of(l->f, PARAM_FAULT, NULL);
    l->loop = NULL;
    l->effects = 0;
    l->block = l->f->body = ir_block_new(l->m);
    make_locals(l);
    for (uint32_t i = 0; i < sf->params.n; i++)
        if (sf->params.at[i]->address_taken)
            ((lower_var *)sf->params.at[i]->user)->may_change = true;
    for (uint32_t i = 0; i < sf->fn->body.n; i++) mark_changed(l, sf->fn->body.at[i]);
    lower_stmts(l, &sf->fn->body);
    if (!type_is_void(l->f->result) && !leaves(l->f->body))
        lower_emit(l, ir_return(l->m, ir_zero(l->m, l->f->result, l->f->span), l->f->span));
}

/* Between functions whose parameters correspond, all but the first. */
static void copy_roles(const ir_func *from, const ir_func *to)
{
    for (uint32_t i = 1; i < from->params.n; i++) {
        const ir_var *p = from->params.at[i];
        uint32_t of = 0;
        while (p->of && from->params.at[of] != p->of) of++;
        ir_set_role(to->params.at[i], p->role, p->of ? to->params.at[of] : NULL);
        to->params.at[i]->axis = p->axis;
        if (p->of && p->of->extent == p) to->params.at[of]->extent = to->params.at[i];
    }
}

/* The elementwise entry: void f(n, parameters behind the index): one parallel loop around a call of
 * f.body. */
static void elementwise_entry(lower *l, const sema_func *sf)
{
    ir_func *body = sf->user;
    cpl_span span = sf->fn->span;
    ir_func *f = ir_func_new(l->m, sf->symbol, IR_ENTRY, l->type_void, span);
    f->elementwise = true;
    f->body = ir_block_new(l->m);
    ir_var *n = ir_param_new(l->m, f, "n", l->type_i64, span);
    ir_node **args = arena_array(&l->comp->arena, body->params.n, sizeof *args);
    for (uint32_t i = 1; i < body->params.n; i++) {
        const ir_var *p = body->params.at[i];
        args[i] = ir_use(l->m, ir_param_new(l->m, f, p->name, p->type, p->span), span);
    }
    copy_roles(body, f);
    ir_var *index =
        ir_var_new(l->m, f, body->params.at[0]->name, l->type_i64, body->params.at[0]->span);
    args[0] = ir_convert(l->m, body->params.at[0]->type, ir_use(l->m, index, span), span);
    ir_block *round = ir_block_new(l->m);
    ir_append(l->m, round, ir_eval(l->m, ir_call(l->m, body, args, body->params.n, span), span));
    ir_node *loop = ir_for(l->m, IR_PARALLEL_FOR, index, ir_int(l->m, l->type_i64, 0, span),
                           ir_use(l->m, n, span), ir_int(l->m, l->type_i64, 1, span), round, span);
    loop->loop->schedule = l->options->schedule;
    loop->loop->chunk = l->options->chunk;
    loop->loop->threads = l->options->threads;
    ir_append(l->m, f->body, loop);
}

ir_module *lower_program(sema_program *p, const lower_options *options)
{
    compilation *c = p->comp;
    lower l = {.comp = c, .p = p, .options = options};
    l.m = ir_module_new(c, p->file->src->name);
    l.type_void = comp_scalar(c, CPL_VOID);
    l.type_bool = comp_scalar(c, CPL_BOOL);
    l.type_i32 = comp_scalar(c, CPL_INT32);
    l.type_i64 = comp_scalar(c, CPL_INT64);
    l.type_u8 = comp_scalar(c, CPL_UINT8);
    l.type_f32 = comp_scalar(c, CPL_FLOAT32);
    l.type_f64 = comp_scalar(c, CPL_FLOAT64);
    for (uint32_t i = 0; i < p->funcs.n; i++) declare_function(&l, p->funcs.at[i]);
    for (uint32_t i = 0; i < p->funcs.n; i++) lower_function(&l, p->funcs.at[i]);
    if (p->form == SEMA_ELEMENTWISE) elementwise_entry(&l, p->entry);
    for (uint32_t i = 0; i < l.m->funcs.n; i++) clear_users(l.m->funcs.at[i]);
    return l.m;
}

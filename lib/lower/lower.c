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

/* Parameters of the entry point into global memory; a struct travels as a pointer to it, a complex
 * number of the entry as its real part, with the imaginary one in a hidden parameter. */
static const cpl_type *parameter_type(lower *l, const cpl_type *t, bool entry)
{
    if (entry && type_is_complex(t)) return t->fields[0].type;
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

/* Its place is where the source asks for so many dimensions. */
static ir_var *shape_parameter(lower *l, ir_func *f, const sema_var *p, uint32_t axis)
{
    ir_var *v = along(l, f, PARAM_SHAPE, ((lower_var *)p->user)->var, axis);
    if (p->dims_asked.file) v->span = p->dims_asked;
    return v;
}

static void shape_parameters(lower *l, ir_func *f, lower_var *v, const sema_var *p)
{
    const cpl_type *t = p->type;
    v->dims = t->dims;
    for (uint32_t i = 0; i < v->dims; i++) v->shape[i] = shape_parameter(l, f, p, i);
    for (uint32_t i = 0; t->strided && i < v->dims; i++)
        v->strides[i] = along(l, f, PARAM_STRIDE, v->var, i);
}

/* A complex number that an entry returns is stored where the launch says, since C's ways to return
 * structs differ. */
static bool has_result_place(const lower *l, const sema_func *sf)
{
    return sf == l->p->entry && l->p->form == SEMA_FUNCTION && type_is_complex(sf->result) &&
           !sf->recursive;
}

static void hidden_parameters(lower *l, const sema_func *sf, ir_func *f)
{
    for (uint32_t i = 0; i < sf->params.n; i++) {
        const sema_var *p = sf->params.at[i];
        lower_var *v = p->user;
        if (type_is_complex(p->type) && !type_is_pointer(v->var->type)) {
            const char *name = arena_printf(&l->comp->arena, "%s_imag", p->name);
            ir_var *imag = ir_param_new(l->m, f, name, v->var->type, p->span);
            ir_set_role(adopt(l, imag)->var, PARAM_IMAG, v->var);
        }
        if (!type_is_pointer(v->var->type)) continue;
        if (type_is_pointer(p->type) && p->type->dims) {
            shape_parameters(l, f, v, p);
            continue;
        }
        /* the shape of what has one dimension, and must have it, is its length */
        if (p->dims) v->var->extent = shape_parameter(l, f, p, 0);
        else if (lower_has_extents(l, sf)) beside(l, f, "len", PARAM_LENGTH, v->var);
        if (p->type->strided) v->stride = beside(l, f, "stride", PARAM_STRIDE, v->var);
    }
    if (has_result_place(l, sf)) {
        const cpl_type *type = comp_pointer(l->comp, sf->result, SPACE_GLOBAL);
        ir_var *result = ir_param_new(l->m, f, "cpl_result", type, f->span);
        ir_set_role(adopt(l, result)->var, PARAM_RESULT, NULL);
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
    const cpl_type *result = has_result_place(l, sf) ? l->type_void : lower_type(l, sf->result);
    ir_func *f = ir_func_new(l->m, name, linkage, result, sf->fn->span);
    for (uint32_t i = 0; i < sf->params.n; i++) {
        sema_var *p = sf->params.at[i];
        lower_var *v =
            adopt(l, ir_param_new(l->m, f, p->name, parameter_type(l, p->type, entry), p->span));
        v->by_pointer = type_is_struct(p->type) && type_is_pointer(v->var->type);
        v->var->numbered = sf->fn->file != l->p->file && sf->fn->params[p->index].numbered;
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

/* A complex parameter of the entry comes in two; what is assigned to it is a local. */
static void join_parts(lower *l, sema_var *p)
{
    lower_var *v = p->user;
    ir_var *real = v->var, *imag = ir_param_of(l->f, PARAM_IMAG, real);
    if (!imag) return;
    ir_node *value = lower_complex(l, p->type, ir_use(l->m, real, p->span),
                                   ir_use(l->m, imag, p->span), p->span);
    p->user = lower_var_new(l, p->name, p->type, false, p->span);
    lower_assign_var(l, p->user, value, p->span);
}

/* What goes by reference and is a value all the same. */
static bool is_number(const cpl_type *t)
{
    return type_is_complex(t) || type_lanes(t) > 0;
}

/* Whether it can write to memory of its caller's. */
static bool reaches_memory(const sema_func *sf)
{
    for (uint32_t i = 0; i < sf->params.n; i++) {
        const cpl_type *t = sf->params.at[i]->type;
        if (type_is_pointer(t) || (type_is_struct(t) && !is_number(t))) return true;
    }
    return false;
}

/* A complex number or a vector is read where the caller has it, unless that place may change. */
static void keep_value(lower *l, sema_var *p)
{
    lower_var *v = p->user;
    if (!v->by_pointer || !is_number(p->type)) return;
    if (!sema_assigns(&l->sf->fn->body, p->name, true) && !reaches_memory(l->sf)) return;
    ir_node *value = ir_op1(l->m, IR_LOAD, ir_use(l->m, v->var, p->span), p->span);
    p->user = lower_var_new(l, p->name, p->type, false, p->span);
    lower_assign_var(l, p->user, value, p->span);
}

/* Nothing behind it runs. */
static bool leaves(const ir_block *b)
{
    if (!b || b->n == 0) return false;
    const ir_node *last = b->at[b->n - 1];
    return last->op == IR_RETURN ||
           (last->op == IR_IF && leaves(last->body) && leaves(last->orelse));
}

/* What a function gives that ends without a return. */
static ir_node *nothing(lower *l, const cpl_type *t, cpl_span span)
{
    if (!type_is_struct(t)) return ir_zero(l->m, t, span);
    lower_var *v = lower_var_new(l, "t", t, false, span);
    lower_emit(l, ir_op1(l->m, IR_CLEAR, ir_addr(l->m, v->var, span), span));
    return ir_use(l->m, v->var, span);
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
    l->result = ir_param_of(l->f, PARAM_RESULT, NULL);
    l->loop = NULL;
    l->effects = 0;
    l->block = l->f->body = ir_block_new(l->m);
    make_locals(l);
    for (uint32_t i = 0; i < sf->params.n; i++) {
        join_parts(l, sf->params.at[i]);
        keep_value(l, sf->params.at[i]);
    }
    for (uint32_t i = 0; i < sf->params.n; i++)
        if (sf->params.at[i]->address_taken)
            ((lower_var *)sf->params.at[i]->user)->may_change = true;
    lower_stmts(l, &sf->fn->body);
    if (!type_is_void(l->f->result) && !leaves(l->f->body))
        lower_emit(l, ir_return(l->m, nothing(l, l->f->result, l->f->span), l->f->span));
}

/* Between functions whose parameters correspond: those behind the indices of one to those behind
 * the count of the other. */
static void copy_roles(const ir_func *from, uint32_t indices, const ir_func *to)
{
    uint32_t moved = indices - 1;
    for (uint32_t i = indices; i < from->params.n; i++) {
        const ir_var *p = from->params.at[i];
        uint32_t of = 0;
        while (p->of && from->params.at[of] != p->of) of++;
        ir_var *copy = to->params.at[i - moved], *array = p->of ? to->params.at[of - moved] : NULL;
        ir_set_role(copy, p->role, array);
        copy->axis = p->axis;
        if (array && p->of->extent == p) array->extent = copy;
    }
}

/* What the body of an elementwise function is called with, and the function that does. */
typedef struct rounds {
    ir_func *entry, *body;
    uint32_t indices;
    ir_op op;         /* of the outermost loop */
    ir_node **args;   /* of the body's call */
    ir_var *shape[3]; /* of the first array, where there are several indices */
    cpl_span span;
} rounds;

static ir_node *zero_to(lower *l, const rounds *r, ir_op op, ir_var *v, ir_var *end,
                        ir_block *block)
{
    return ir_for(l->m, op, v, ir_int(l->m, l->type_i64, 0, r->span), ir_use(l->m, end, r->span),
                  ir_int(l->m, l->type_i64, 1, r->span), block, r->span);
}

static ir_var *index_var(lower *l, rounds *r, uint32_t i)
{
    const ir_var *p = r->body->params.at[i];
    ir_var *v = ir_var_new(l->m, r->entry, p->name, l->type_i64, p->span);
    r->args[i] = ir_convert(l->m, p->type, ir_use(l->m, v, r->span), r->span);
    return v;
}

static void call_body(lower *l, const rounds *r, ir_block *block)
{
    ir_node *call = ir_call(l->m, r->body, r->args, r->body->params.n, r->span);
    ir_append(l->m, block, ir_eval(l->m, call, r->span));
}

/* One loop inside the other, the outermost in parallel. */
static ir_node *nested_loops(lower *l, rounds *r, ir_var *n)
{
    ir_var *v[3];
    ir_block *block[3] = {NULL};
    for (uint32_t i = 0; i < r->indices; i++) {
        v[i] = index_var(l, r, i);
        block[i] = ir_block_new(l->m);
    }
    call_body(l, r, block[r->indices - 1]);
    for (uint32_t i = r->indices - 1; i > 0; i--)
        ir_append(l->m, block[i - 1], zero_to(l, r, IR_FOR, v[i], r->shape[i], block[i]));
    ir_node *loop = zero_to(l, r, r->op, v[0], r->indices > 1 ? r->shape[0] : n, block[0]);
    for (uint32_t i = 1; i < r->indices && r->op == IR_PARALLEL_FOR; i++)
        vec_push(&l->comp->arena, &loop->loop->privates, v[i]);
    return loop;
}

/* One loop over all elements: work-items next to each other have elements that are. */
static ir_node *flat_loop(lower *l, rounds *r, ir_var *n)
{
    ir_block *block = ir_block_new(l->m);
    ir_var *at = ir_var_new(l->m, r->entry, "at", l->type_i64, r->span);
    ir_node *loop = zero_to(l, r, r->op, at, n, block);
    ir_node *rest = ir_use(l->m, at, r->span);
    for (uint32_t i = r->indices; i-- > 0;) {
        ir_var *v = index_var(l, r, i);
        ir_node *end = i ? ir_use(l->m, r->shape[i], r->span) : NULL;
        ir_node *value = i ? ir_op2(l->m, IR_REM, ir_copy(l->m, rest), end, r->span) : rest;
        ir_append(l->m, block, ir_assign(l->m, v, value, r->span));
        if (i) rest = ir_op2(l->m, IR_DIV, rest, ir_copy(l->m, end), r->span);
        if (r->op == IR_PARALLEL_FOR) vec_push(&l->comp->arena, &loop->loop->privates, v);
    }
    call_body(l, r, block);
    return loop;
}

static void find_shape(rounds *r)
{
    const ir_var *array = NULL;
    for (uint32_t i = 1; i < r->entry->params.n && !array; i++)
        if (type_is_pointer(r->entry->params.at[i]->type)) array = r->entry->params.at[i];
    for (uint32_t i = 1; i < r->entry->params.n; i++) {
        ir_var *p = r->entry->params.at[i];
        if (p->role == PARAM_SHAPE && p->of == array && p->axis < COUNT_OF(r->shape))
            r->shape[p->axis] = p;
    }
}

/* ---- names of the entry's parameters ---- */

enum { MOST_CALLS = 12 }; /* inside each other, that a parameter is followed through */

typedef struct passed {
    const ir_var *param;
    const char *name; /* that another function has for it, or NULL */
    uint32_t calls;
} passed;

static bool find_name(void *user, ir_node *n)
{
    passed *p = user;
    for (uint32_t k = 0; n->op == IR_CALL && k < n->kid_count && !p->name; k++) {
        if (n->kids[k]->op != IR_VAR || n->kids[k]->var != p->param) continue;
        passed inner = {.param = n->func->params.at[k], .calls = p->calls + 1};
        if (!inner.param->numbered) p->name = inner.param->name;
        else if (n->func->body && inner.calls < MOST_CALLS)
            ir_walk_block(n->func->body, find_name, &inner);
        if (inner.name) p->name = inner.name;
    }
    return !p->name;
}

/* Of the library's kernels that of the user's function which it is handed on to. */
static const char *name_of(const sema_func *sf, const ir_var *param)
{
    passed p = {.param = param};
    const ir_func *body = sf->user;
    if (!param->numbered) return param->name;
    ir_walk_block(body->body, find_name, &p);
    return p.name ? p.name : param->name;
}

/* How many indices there are: n, unless the user has such a parameter. */
static const char *count_name(const ir_func *body)
{
    static const char *const names[] = {"n", "count", "rounds"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        bool taken = false;
        for (uint32_t k = 0; k < body->params.n; k++)
            taken = taken || strcmp(body->params.at[k]->name, names[i]) == 0;
        if (!taken) return names[i];
    }
    return names[0];
}

/* The elementwise entry: void f(n, parameters behind the indices): loops around a call of
 * f.body. */
static void elementwise_entry(lower *l, const sema_func *sf)
{
    cpl_span span = sf->fn->span;
    ir_func *f = ir_func_new(l->m, sf->symbol, IR_ENTRY, l->type_void, span);
    rounds r = {.entry = f,
                .body = sf->user,
                .indices = l->p->indices,
                .op = sf->serial ? IR_FOR : IR_PARALLEL_FOR,
                .span = span};
    f->elementwise = true;
    f->body = ir_block_new(l->m);
    ir_var *n = ir_param_new(l->m, f, count_name(r.body), l->type_i64, span);
    r.args = arena_array(&l->comp->arena, r.body->params.n, sizeof *r.args);
    for (uint32_t i = r.indices; i < r.body->params.n; i++) {
        const ir_var *p = r.body->params.at[i];
        r.args[i] = ir_use(l->m, ir_param_new(l->m, f, name_of(sf, p), p->type, p->span), span);
    }
    copy_roles(r.body, r.indices, f);
    find_shape(&r);
    ir_node *loop =
        r.indices > 1 && l->options->flat ? flat_loop(l, &r, n) : nested_loops(l, &r, n);
    if (!sf->serial) {
        loop->loop->schedule = l->options->schedule;
        loop->loop->chunk = l->options->chunk;
        loop->loop->threads = l->options->threads;
    }
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
    lower_check_endless(&l);
    return l.m;
}

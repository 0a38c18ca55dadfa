/* The locals of a function. */
#include "lib/sema/sema_int.h"

sema_var *sema_local(const instance *in, const char *name)
{
    return map_get(&in->scope, name);
}

sema_var *sema_var_new(instance *in, const char *name, cpl_span span, bool is_param)
{
    arena *a = &in->s->comp->arena;
    sema_var *v = arena_new(a, sema_var);
    *v = (sema_var){.name = name, .span = span, .is_param = is_param, .index = in->all.n};
    vec_push(a, &in->all, v);
    vec_push(a, &in->slots, (sema_slot){0});
    if (is_param) vec_push(a, &in->f.params, v);
    else vec_push(a, &in->f.vars, v);
    map_put(a, &in->scope, name, v);
    return v;
}

bool sema_may_be_bound(const instance *in, const ast_node *n)
{
    const sema_var *v = n->kind == AST_NAME ? sema_local(in, n->name) : NULL;
    return v && v->is_param && !v->is_index;
}

/* ---- locals ---- */

static void scope_stmts(instance *in, const ast_list *list);

static sema_var *bind(instance *in, const ast_node *n)
{
    sema_var *v = sema_local(in, n->name);
    return v ? v : sema_var_new(in, n->name, n->span, false);
}

static void bind_targets(instance *in, const ast_node *n)
{
    if (n->kind == AST_NAME) bind(in, n);
    else if (n->kind == AST_TUPLE)
        for (uint32_t i = 0; i < n->kid_count; i++) bind_targets(in, n->kids[i]);
}

static diag *declare_error(instance *in, cpl_span span, const char *message)
{
    return sema_report(in, CPL_ETYPE, span, "%s", message);
}

/* Local memory is declared in the kernel itself, since OpenCL has it nowhere else. */
static bool local_memory(instance *in, const ast_node *n, const cpl_type *type)
{
    const char *problem = NULL;
    if (!type_is_array(type))
        problem = "LOCAL_MEM declares a matrix: declare('LOCAL_MEM matrix(64)')";
    else if (in->s->form != SEMA_KERNEL)
        problem = "local memory exists in kernels alone, and this is compiled as none";
    else if (!in->entry)
        problem = "local memory is declared in the kernel itself; pass it to the function";
    if (problem) declare_error(in, n->span, problem);
    return !problem;
}

static void declare_var(instance *in, const ast_node *target, const cpl_type *type,
                        bool local_space)
{
    arena *a = &in->s->comp->arena;
    sema_var *v = bind(in, target);
    if (v->is_param) {
        declare_error(in, target->span,
                      arena_printf(a, "'%s' is a parameter; its type comes from the call",
                                   v->name));
        return;
    }
    if (v->declared && type && v->type != type && !sema_is_error(v->type)) {
        diag *d = declare_error(in, target->span,
                                arena_printf(a, "'%s' is declared %s here and %s before", v->name,
                                             sema_name(in, type), sema_name(in, v->type)));
        sema_note(in, d, v->span, "declared here");
        return;
    }
    v->type = type ? type : &sema_error_type;
    if (!v->declared) v->span = target->span;
    v->declared = true;
    v->local_memory = local_space;
}

/* A literal, or a parameter that stands for a type; else NULL. */
static const char *declared_text(const instance *in, const ast_node *n)
{
    if (n->kind == AST_STRING) return n->text;
    const sema_bound *b = n->kind == AST_NAME ? sema_bound_named(sema_names_of(in), n->name) : NULL;
    return b && b->global.kind == GLOBAL_TYPE ? b->global.type->text : NULL;
}

static const char declared_types[] =
    "types are 'double', 'float', 'int', 'long', 'uint', 'int32', 'matrix(3)', 'doublep', ..., "
    "structs";

/* x = declare('T'); x, y = declare('T', 2) */
static void scope_declare(instance *in, const ast_node *n, const ast_node *target)
{
    arena *a = &in->s->comp->arena;
    uint32_t args = n->kid_count - 1;
    sema_declared d = {0};
    const ast_node *names = target->kind == AST_TUPLE ? target : NULL;
    uint32_t count = names ? names->kid_count : 1;
    const char *text = args ? declared_text(in, n->kids[1]) : NULL;
    if (n->keyword_count || args < 1 || args > 2 || !text) {
        declare_error(
            in, n->span,
            "declare takes the type as a literal text: declare('double') or declare('int', 2)");
    } else {
        const char *problem = NULL, *hint = NULL;
        d = sema_declared_type(sema_names_of(in), text, &problem, &hint);
        if (!d.type && problem != sema_reported) {
            diag *e = declare_error(in, n->kids[1]->span, problem);
            if (strncmp(text, "matrix", 6) != 0 && !sema_language_type(sema_names_of(in), text))
                sema_explain_type(sema_names_of(in), &in->diags, e, text, declared_types);
            if (hint) sema_hint(in, e, "%s", hint);
        }
        if (args == 2 && (n->kids[2]->kind != AST_INT || n->kids[2]->integer != count))
            declare_error(
                in, n->kids[2]->span,
                arena_printf(a, "declare gives as many values as there are names on the left: %u",
                             count));
        else if (args == 1 && names)
            declare_error(in, n->span,
                          arena_printf(a, "declare of %u names needs the count: declare('...', %u)",
                                       count, count));
    }
    if (d.type && d.local_space) d.local_space = local_memory(in, n, d.type);
    for (uint32_t i = 0; i < count; i++) {
        const ast_node *name = names ? names->kids[i] : target;
        if (name->kind == AST_NAME) declare_var(in, name, d.type, d.local_space);
        else if (name->kind != AST_ERROR)
            declare_error(in, name->span, "only a name can be declared");
    }
}

static bool same_sizes(const sema_made *a, const sema_made *b)
{
    return a->dims == b->dims && memcmp(a->counts, b->counts, a->dims * sizeof *a->counts) == 0;
}

/* t = np.zeros(3) declares t, all such expressions alike. */
static void scope_made(instance *in, const ast_node *n, sema_made *m)
{
    const ast_node *target = n->kids[0], *value = n->kids[n->kid_count - 1];
    if (n->kid_count != 2 || target->kind != AST_NAME) {
        diag *d = declare_error(in, value->span, "a private array is given to one name alone");
        diag_hint(&in->diags, d, "t = np.zeros(3)");
        m->total = 0;
    }
    for (uint32_t i = 0; i + 1 < n->kid_count; i++) bind_targets(in, n->kids[i]);
    in->made[value->id] = m;
    if (n->kid_count != 2 || target->kind != AST_NAME) return;
    sema_var *v = sema_local(in, target->name);
    sema_made *first = v->made;
    if (first && first->total && m->total && !same_sizes(first, m)) {
        diag *d = declare_error(in, value->span,
                                arena_printf(&in->s->comp->arena,
                                             "'%s' is an array of other sizes elsewhere", v->name));
        sema_note(in, d, v->span, "'%s' is first assigned here", v->name);
        return;
    }
    const cpl_type *t = m->elem && m->total ? sema_made_type(in->s->comp, m, m->elem) : NULL;
    bool shared = t && m->shared && local_memory(in, value, t);
    if (t || !m->total) declare_var(in, target, t, shared);
    if (first || v->is_param) {
        if (v->is_param && !t && m->total)
            declare_error(in, target->span,
                          arena_printf(&in->s->comp->arena,
                                       "'%s' is a parameter; its type comes from the call",
                                       v->name));
        if (first && m->elem) first->elem = m->elem;
        return;
    }
    v->made = m;
    v->declared = true;
}

static void scope_assign(instance *in, const ast_node *n)
{
    ast_node *value = n->kids[n->kid_count - 1];
    bool declares = sema_is_call_of(in, value, BI_DECLARE);
    sema_made *made = sema_make(in, value);
    if (made) {
        scope_made(in, n, made);
        return;
    }
    for (uint32_t i = 0; i + 1 < n->kid_count; i++) {
        if (declares) scope_declare(in, value, n->kids[i]);
        else bind_targets(in, n->kids[i]);
    }
}

/* x: T = e declares x. Of a list and its like the value is what is refused. */
static void scope_annotated(instance *in, const ast_node *n)
{
    const cpl_type *t = sema_python_type(sema_names_of(in), n->kids[1]);
    bool refused = n->kid_count > 2 && n->kids[2]->kind == AST_ERROR;
    if (!t && !refused) sema_bad_type(sema_names_of(in), &in->diags, n->kids[1]);
    if (t && (type_is_void(t) || (type_is_pointer(t) && type_has_layout(t)))) {
        declare_error(in, n->kids[1]->span,
                      arena_printf(&in->s->comp->arena, "a local variable cannot be %s",
                                   sema_name(in, t)));
        t = NULL;
    }
    if (n->kids[0]->kind == AST_NAME) declare_var(in, n->kids[0], t, false); /* else reported */
}

static void scope_stmts(instance *in, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        if (n->kind == AST_ASSIGN) scope_assign(in, n);
        else if (n->kind == AST_ANNASSIGN) scope_annotated(in, n);
        else if (n->kind == AST_AUGASSIGN || n->kind == AST_FOR) bind_targets(in, n->kids[0]);
        scope_stmts(in, n->body);
        scope_stmts(in, n->orelse);
    }
}

void sema_scope(instance *in)
{
    scope_stmts(in, sema_body(in));
    sema_host_locals(in);
}

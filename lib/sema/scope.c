/* Names: the locals of a function, and what names at top level, of modules and of the language
 * stand for. */
#include "lib/sema/sema_int.h"

#define MOST_ALIASES 8 /* NAME = other_name, one after the other */

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

/* ---- globals ---- */

/* CPL_DTYPE_COUNT: none. */
static cpl_dtype type_named(const char *name, sema_module module)
{
    cpl_dtype d = cpl_dtype_parse(name);
    if (strcmp(name, "int") == 0) d = CPL_INT64; /* Python's, not C's */
    else if (strcmp(name, "float") == 0) d = CPL_FLOAT64;
    else if (strcmp(name, "int_") == 0) d = module == MODULE_NUMPY ? CPL_INT64 : CPL_INT32;
    else if (strcmp(name, "float_") == 0) d = module == MODULE_NUMPY ? CPL_FLOAT64 : CPL_FLOAT32;
    else if (strcmp(name, "bool_") == 0) d = CPL_BOOL;
    else if (strcmp(name, "long_") == 0) d = CPL_INT64;
    else if (module == MODULE_NUMPY && strcmp(name, "single") == 0) d = CPL_FLOAT32;
    /* behind it: what exists in arrays alone */
    return d != CPL_VOID && d < CPL_BFLOAT16 ? d : CPL_DTYPE_COUNT;
}

static sema_global builtin_or_type(sema *s, const char *name, sema_module module)
{
    sema_global g = {.kind = GLOBAL_NONE};
    sema_builtin b;
    double value;
    if (sema_find_number(name, module, &value))
        return (sema_global){.kind = GLOBAL_NUMBER, .number = value};
    if (sema_find_builtin(name, module, &b))
        return (sema_global){.kind = GLOBAL_BUILTIN, .builtin = b};
    if (module == MODULE_MATH) return g;
    cpl_dtype d = type_named(name, module);
    if (d != CPL_DTYPE_COUNT)
        g = (sema_global){.kind = GLOBAL_TYPE, .type = comp_scalar(s->comp, d)};
    return g;
}

bool sema_predefines(const char *name)
{
    sema_builtin b;
    double value;
    return sema_find_number(name, MODULE_NONE, &value) ||
           sema_find_builtin(name, MODULE_NONE, &b) ||
           type_named(name, MODULE_NONE) != CPL_DTYPE_COUNT;
}

static sema_global predefined(sema *s, const char *name)
{
    if (s->env) {
        const sema_extern *ext = s->env->find_extern(s->env->user, name);
        if (ext) return (sema_global){.kind = GLOBAL_EXTERN, .ext = ext};
    }
    sema_global g = builtin_or_type(s, name, MODULE_NONE);
    /* from numpy import * */
    for (uint32_t i = 0; g.kind == GLOBAL_NONE && i < s->file->items.n; i++) {
        const ast_item *item = &s->file->items.at[i];
        if (item->kind == ITEM_IMPORT && item->import->name &&
            strcmp(item->import->name, "*") == 0 &&
            sema_module_of(item->import->module) == MODULE_NUMPY)
            g = builtin_or_type(s, name, MODULE_NUMPY);
    }
    return g;
}

static sema_global imported(sema *s, ast_import *import)
{
    sema_module module = sema_module_of(import->module);
    sema_global g = {.kind = GLOBAL_NONE};
    if (!import->name) {
        if (module == MODULE_OTHER) return (sema_global){.kind = GLOBAL_FOREIGN, .import = import};
        return (sema_global){.kind = GLOBAL_MODULE, .module = module};
    }
    if (module == MODULE_MATH || module == MODULE_NUMPY)
        g = builtin_or_type(s, import->name, module);
    if (g.kind == GLOBAL_NONE) g = predefined(s, import->name);
    if (g.kind == GLOBAL_NONE) g = (sema_global){.kind = GLOBAL_FOREIGN, .import = import};
    return g;
}

static sema_global find_global(sema *s, const char *name, int aliases)
{
    ast_item *item = map_get(&s->file->names, name);
    if (!item) return predefined(s, name);
    switch (item->kind) {
    case ITEM_FUNC: return (sema_global){.kind = GLOBAL_FUNC, .func = item->func};
    case ITEM_CLASS: return (sema_global){.kind = GLOBAL_CLASS, .class_ = item->class_};
    case ITEM_IMPORT: return imported(s, item->import);
    case ITEM_CONST: break;
    }
    if (aliases < MOST_ALIASES && !item->constant->reassigned) {
        ast_node *value = ast_const_value(s->file, item->constant);
        if (value->kind == AST_NAME && strcmp(value->name, name) != 0) {
            sema_global g = find_global(s, value->name, aliases + 1);
            if (g.kind == GLOBAL_FUNC || g.kind == GLOBAL_BUILTIN || g.kind == GLOBAL_EXTERN ||
                g.kind == GLOBAL_TYPE)
                return g;
        }
    }
    return (sema_global){.kind = GLOBAL_CONST, .constant = item->constant};
}

sema_global sema_find_global(sema *s, const char *name)
{
    return find_global(s, name, 0);
}

sema_global sema_find_member(sema *s, sema_module module, const char *name)
{
    return module == MODULE_OWN ? predefined(s, name) : builtin_or_type(s, name, module);
}

sema_module sema_module_named(const instance *in, const ast_node *n)
{
    if (n->kind != AST_NAME || sema_local(in, n->name)) return MODULE_NONE;
    sema_global g = sema_find_global(in->s, n->name);
    return g.kind == GLOBAL_MODULE ? g.module : MODULE_NONE;
}

bool sema_is_call_of(const instance *in, const ast_node *n, sema_builtin b)
{
    if (n->kind != AST_CALL) return false;
    const ast_node *f = n->kids[0];
    sema_global g = {.kind = GLOBAL_NONE};
    if (f->kind == AST_NAME && !sema_local(in, f->name)) g = sema_find_global(in->s, f->name);
    else if (f->kind == AST_ATTRIBUTE && sema_module_named(in, f->kids[0]) != MODULE_NONE)
        g = sema_find_member(in->s, sema_module_named(in, f->kids[0]), f->name);
    return g.kind == GLOBAL_BUILTIN && g.builtin == b;
}

/* ---- undefined names ---- */

void sema_undefined(instance *in, cpl_span span, const char *name, bool called)
{
    if (in->phase != 3) return;
    sema *s = in->s;
    diag *d = sema_error_as(in, CPL_ENOTFOUND, span, "undefined %s '%s'",
                            called ? "function" : "name", name);
    const char *instead = sema_find_refused(name);
    if (instead) {
        d->message = arena_printf(&s->comp->arena, "'%s' is not available in kernels", name);
        d->status = CPL_EUNSUPPORTED;
        sema_hint(in, d, "use %s", instead);
        return;
    }
    if (strcmp(name, "np") == 0 || strcmp(name, "numpy") == 0 || strcmp(name, "math") == 0) {
        sema_hint(in, d,
                  strcmp(name, "np") == 0 ? "add 'import numpy as np' to the file"
                                          : "add 'import %s' to the file",
                  name);
        return;
    }
    suggester best;
    suggest_init(&best, name);
    for (uint32_t i = 0; i < in->all.n; i++) suggest_offer(&best, in->all.at[i]->name);
    for (uint32_t i = 0; i < s->file->names.n; i++)
        if (strcmp(s->file->names.entries[i].key, "*") != 0)
            suggest_offer(&best, s->file->names.entries[i].key);
    if (s->env) s->env->each_extern(s->env->user, &best);
    sema_offer_builtins(&best, MODULE_NONE);
    if (suggest_best(&best)) sema_hint(in, d, "did you mean '%s'?", suggest_best(&best));
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

/* Errors of declarations are kept for the last round, which is the only one that runs with phase 3:
 * raise it for a moment. */
static diag *declare_error(instance *in, cpl_span span, const char *message)
{
    int phase = in->phase;
    in->phase = 3;
    diag *d = sema_error(in, span, "%s", message);
    in->phase = phase;
    return d;
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

/* Why the name of a type is none: a class that is no struct, or a slip. */
static void explain_type(instance *in, diag *d, const char *name)
{
    ast_item *item = map_get(&in->s->file->names, name);
    cpl_span span;
    const char *problem =
        item && item->kind == ITEM_CLASS ? sema_struct_problem(in->s, item->class_, &span) : NULL;
    bool no_slip = problem || strncmp(name, "matrix", 6) == 0 || sema_language_type(in->s, name);
    const char *hint = no_slip ? NULL : sema_unknown_type_hint(in->s, name);
    if (problem) sema_note(in, d, span, "%s", problem);
    if (hint) sema_hint(in, d, "did you mean '%s'?", hint);
}

/* x = declare('T'); x, y = declare('T', 2) */
static void scope_declare(instance *in, const ast_node *n, const ast_node *target)
{
    arena *a = &in->s->comp->arena;
    uint32_t args = n->kid_count - 1;
    sema_declared d = {0};
    const ast_node *names = target->kind == AST_TUPLE ? target : NULL;
    uint32_t count = names ? names->kid_count : 1;
    if (n->keyword_count || args < 1 || args > 2 || n->kids[1]->kind != AST_STRING) {
        declare_error(
            in, n->span,
            "declare takes the type as a literal text: declare('double') or declare('int', 2)");
    } else {
        const char *problem = NULL;
        d = sema_declared_type(in->s, n->kids[1]->text, &problem);
        if (!d.type) {
            diag *e = declare_error(in, n->kids[1]->span, problem);
            explain_type(in, e, n->kids[1]->text);
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

static void scope_assign(instance *in, const ast_node *n)
{
    ast_node *value = n->kids[n->kid_count - 1];
    bool declares = sema_is_call_of(in, value, BI_DECLARE);
    for (uint32_t i = 0; i + 1 < n->kid_count; i++) {
        if (declares) scope_declare(in, value, n->kids[i]);
        else bind_targets(in, n->kids[i]);
    }
}

/* x: T = e declares x. */
static void scope_annotated(instance *in, const ast_node *n)
{
    const cpl_type *t = sema_python_type(in->s, n->kids[1]);
    if (!t) sema_bad_type(in->s, &in->diags, n->kids[1]);
    if (t && (type_is_void(t) || (type_is_pointer(t) && t->strided))) {
        declare_error(in, n->kids[1]->span,
                      arena_printf(&in->s->comp->arena, "a local variable cannot be %s",
                                   sema_name(in, t)));
        t = NULL;
    }
    declare_var(in, n->kids[0], t, false);
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
    scope_stmts(in, &in->sig->fn->body);
}

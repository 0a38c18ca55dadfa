/*
 * Functions of a host program: what the names of each stand for, and the types that it gives to
 * parameters and locals. Each is a file of its own, parsed when another one calls it.
 */
#include "lib/sema/sema_int.h"

#include <stdlib.h>

/* ---- functions ---- */

static sema_global function(sema *s, size_t index)
{
    sema_global broken = {.kind = GLOBAL_BROKEN};
    const sema_host *h = s->env->host(s->env->user, index);
    if (h == s->file->host) return (sema_global){.kind = GLOBAL_FUNC, .func = front_only(s->file)};
    while (s->hosts.n <= index) vec_push(&s->comp->arena, &s->hosts, NULL);
    ast_file **f = &s->hosts.at[index];
    if (!*f) *f = front_function(s->comp, h->src, h);
    return *f ? (sema_global){.kind = GLOBAL_FUNC, .func = front_only(*f)} : broken;
}

sema_global sema_host_function(sema *s, const char *name)
{
    size_t index = s->file->host ? s->env->find_host(s->env->user, name) : SIZE_MAX;
    if (index == SIZE_MAX) return (sema_global){.kind = GLOBAL_NONE};
    return function(s, index);
}

/* ---- names ---- */

static sema_const integer(sema *s, const cpl_name *n, bool is_unsigned)
{
    return is_unsigned ? sema_int_const(s, n->value.u, false) : sema_signed_const(s, n->value.i);
}

static sema_global scalar(sema *s, const cpl_name *n)
{
    const cpl_type *t = comp_scalar(s->comp, n->dtype);
    sema_global g = {.kind = GLOBAL_NUMBER};
    if (type_is_bool(t)) g.number = sema_bool_const(s, n->value.i != 0);
    else if (type_is_float(t)) g.number = sema_float_const(s, n->value.f);
    else g.number = integer(s, n, type_is_unsigned(t));
    if (!type_is_bool(t)) g.exact = t;
    return g;
}

/* "sqrt", "numpy.arctan2" */
static sema_global known(sema *s, const char *target)
{
    const char *dot = strrchr(target, '.');
    if (!dot) return sema_find_known(s, target, MODULE_NONE);
    const char *module = arena_strndup(&s->comp->arena, target, (size_t)(dot - target));
    sema_global g = sema_find_library(s, module);
    if (g.kind != GLOBAL_NONE) return sema_find_member((sema_names){.s = s}, g, dot + 1);
    if (!sema_knows_module(module)) return g;
    return sema_find_in_module(s, dot + 1, sema_module_of(module));
}

static sema_global module(sema *s, const char *target)
{
    sema_global g = sema_find_library(s, target);
    if (g.kind == GLOBAL_NONE)
        g = (sema_global){.kind = GLOBAL_MODULE, .module = sema_module_of(target)};
    return g;
}

static sema_global meaning(sema *s, const cpl_name *n)
{
    switch (n->kind) {
    case CPL_NAME_SCALAR: return scalar(s, n);
    case CPL_NAME_INT:
        return (sema_global){.kind = GLOBAL_NUMBER, .number = integer(s, n, n->is_unsigned)};
    case CPL_NAME_FLOAT:
        return (sema_global){.kind = GLOBAL_NUMBER, .number = sema_float_const(s, n->value.f)};
    case CPL_NAME_COMPLEX:
        return (sema_global){.kind = GLOBAL_COMPLEX, .parts = {n->value.f, n->imag}};
    case CPL_NAME_FUNCTION: return function(s, n->function);
    case CPL_NAME_TYPE: return (sema_global){.kind = GLOBAL_TYPE, .type = n->type};
    case CPL_NAME_BUILTIN: return known(s, n->target);
    case CPL_NAME_EXTERN:
        return (sema_global){.kind = GLOBAL_EXTERN,
                             .ext = s->env->find_extern(s->env->user, n->target)};
    case CPL_NAME_MODULE: return module(s, n->target);
    case CPL_NAME_OTHER: break;
    }
    return (sema_global){.kind = GLOBAL_OTHER, .what = n->target};
}

static int compare(const void *key, const void *name)
{
    return strcmp(key, ((const cpl_name *)name)->name);
}

sema_global sema_host_name(sema_names in, const char *name)
{
    const cpl_function_source *given = sema_host_of(in.file)->given;
    const cpl_name *n = given->name_count ? bsearch(name, given->names, given->name_count,
                                                    sizeof *given->names, compare)
                                          : NULL;
    return n ? meaning(in.s, n) : (sema_global){.kind = GLOBAL_NONE};
}

/* What a class of t, or any class where t is NULL, has under that name: functions, or numbers. */
static sema_global of_class(sema_names in, const cpl_type *t, const char *name, bool functions)
{
    in.file = (ast_file *)sema_names_file(in.file);
    const sema_host *h = sema_host_of(in.file);
    for (size_t i = 0; h && i < h->given->name_count; i++) {
        const cpl_name *n = &h->given->names[i];
        if (n->kind != CPL_NAME_TYPE || (t && n->type != t)) continue;
        const char *path = arena_printf(&in.s->comp->arena, "%s.%s", n->name, name);
        sema_global g = sema_host_name(in, path);
        bool number = g.kind == GLOBAL_NUMBER || g.kind == GLOBAL_COMPLEX;
        if (functions ? g.kind == GLOBAL_FUNC : number) return g;
    }
    return (sema_global){.kind = GLOBAL_NONE};
}

ast_func *sema_host_method(sema_names in, const cpl_type *t, const char *name)
{
    sema_global g = of_class(in, t, name, true);
    return g.kind == GLOBAL_FUNC ? g.func : NULL;
}

sema_global sema_host_constant(sema_names in, const cpl_type *t, const char *name)
{
    return of_class(in, t, name, false);
}

static const char *spelling(arena *a, const ast_node *n)
{
    if (n->kind == AST_NAME) return n->name;
    return arena_printf(a, "%s.%s", spelling(a, n->kids[0]), n->name);
}

sema_global sema_host_path(sema_names in, const ast_node *n)
{
    in.file = (ast_file *)sema_names_file(in.file);
    if (!in.file->host) return (sema_global){.kind = GLOBAL_NONE};
    return sema_host_name(in, spelling(&in.s->comp->arena, n));
}

void sema_other(instance *in, cpl_span span, sema_global g, const char *name)
{
    diag *d = sema_error_as(in, CPL_EUNSUPPORTED, span, "'%s' is %s, which kernels cannot use",
                            name, g.what);
    sema_hint(in, d,
              "numbers, up to 256 in a list or array, functions and types may come from outside; "
              "pass others as arguments");
}

void sema_offer_host(suggester *s, const sema_host *h)
{
    for (size_t i = 0; i < h->given->name_count; i++) suggest_offer(s, h->given->names[i].name);
}

bool sema_knows_target(compilation *c, const sema_env *env, const char *target)
{
    sema s = {.comp = c, .env = env};
    s.t_f64 = comp_scalar(c, CPL_FLOAT64);
    return known(&s, target).kind != GLOBAL_NONE;
}

/* ---- types ---- */

const cpl_type *sema_host_param(const sema_host *h, uint32_t i)
{
    return i < h->given->type_count ? h->given->types[i] : NULL;
}

/* ---- locals ---- */

/* A local that nothing has typed yet, or NULL. */
static sema_var *open_local(const instance *in, const ast_node *n)
{
    sema_var *v = n->kind == AST_NAME ? sema_local(in, n->name) : NULL;
    bool open = v && !v->is_param && !v->declared && !in->slots.at[v->index].ruled &&
                !in->slots.at[v->index].first.file;
    return open ? v : NULL;
}

static void rule(instance *in, sema_var *v, const cpl_type *t)
{
    v->type = t;
    in->slots.at[v->index].ruled = true;
}

static const cpl_type *by_name(const sema *s, const char *name)
{
    bool index = strlen(name) == 1 && *name >= 'i' && *name <= 'k';
    if (index || strncmp(name, "i_", 2) == 0) return s->t_i32;
    return strncmp(name, "b_", 2) == 0 ? s->t_bool : s->t_f32;
}

static void loop_variable(instance *in, cpl_locals locals, const ast_node *target)
{
    sema_var *v = open_local(in, target);
    if (v) rule(in, v, locals == CPL_LOCALS_FLOAT64 ? in->s->t_i64 : in->s->t_i32);
}

/* What Compyle takes for a double whatever it is made of: what min, max, abs, floor and ceil give,
 * and integers of the module. */
static bool is_double_there(const instance *in, const ast_node *n)
{
    sema_global g = {.kind = GLOBAL_NONE};
    if (n->kind == AST_BINARY || n->kind == AST_UNARY)
        return is_double_there(in, n->kids[0]) ||
               (n->kid_count > 1 && is_double_there(in, n->kids[1]));
    if (n->kind == AST_NAME && !sema_local(in, n->name)) g = sema_find_node(sema_names_of(in), n);
    if (n->kind == AST_CALL) g = sema_find_node(sema_names_of(in), n->kids[0]);
    bool rounds = g.kind == GLOBAL_BUILTIN && (g.builtin == BI_FLOOR || g.builtin == BI_CEIL);
    bool picks = g.kind == GLOBAL_BUILTIN &&
                 (g.builtin == BI_MIN || g.builtin == BI_MAX || g.builtin == BI_ABS);
    return n->kind == AST_CALL ? rounds || picks
                               : g.kind == GLOBAL_NUMBER && type_is_int(g.number.type);
}

/* value: NULL of an augmented assignment, or one to several names. */
static void assigned(instance *in, cpl_locals locals, const ast_node *target, const ast_node *value)
{
    if (target->kind == AST_TUPLE)
        for (uint32_t i = 0; i < target->kid_count; i++)
            assigned(in, locals, target->kids[i], NULL);
    sema_var *v = open_local(in, target);
    if (!v) return;
    if (locals == CPL_LOCALS_PYTOCL) rule(in, v, by_name(in->s, v->name));
    else if (locals == CPL_LOCALS_FLOAT64 || !value || is_double_there(in, value))
        rule(in, v, in->s->t_f64);
    else in->slots.at[v->index].first = value->span;
}

static void stmts(instance *in, cpl_locals locals, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        if (n->kind == AST_FOR) loop_variable(in, locals, n->kids[0]);
        if (n->kind == AST_AUGASSIGN) assigned(in, locals, n->kids[0], NULL);
        for (uint32_t k = 0; n->kind == AST_ASSIGN && k + 1 < n->kid_count; k++)
            assigned(in, locals, n->kids[k], n->kids[n->kid_count - 1]);
        stmts(in, locals, n->body);
        stmts(in, locals, n->orelse);
    }
}

void sema_host_locals(instance *in)
{
    const sema_host *h = sema_host_of(in->f.fn->file);
    if (h && h->given->locals != CPL_LOCALS_JOIN) stmts(in, h->given->locals, sema_body(in));
}

const char *sema_bind_hint(sema *s, const ast_file *file, const char *name)
{
    arena *a = &s->comp->arena;
    if (sema_host_of(file))
        return arena_printf(a,
                            "the value of a global, or of a variable around the function, is "
                            "known: use one in place of '%s'",
                            name);
    return arena_printf(a,
                        "bind it: %s=const:4 for cplc, CPL_BIND_INTEGER; or %s = 4 at the top of "
                        "the file",
                        name, name);
}

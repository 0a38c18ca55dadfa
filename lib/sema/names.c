/*
 * What names stand for that are no locals: at the top level of the file that uses them, in the
 * modules it imports, in the language. A name means what the file of its function, constant or
 * class says, wherever that is used.
 */
#include "lib/sema/sema_int.h"

#define MOST_STEPS 8 /* NAME = other_name, one after the other */

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

static sema_global predefined(sema_names in, const char *name)
{
    sema *s = in.s;
    if (s->env) {
        const sema_extern *ext = s->env->find_extern(s->env->user, name);
        if (ext) return (sema_global){.kind = GLOBAL_EXTERN, .ext = ext};
    }
    sema_global g = builtin_or_type(s, name, MODULE_NONE);
    /* from numpy import * */
    for (uint32_t i = 0; g.kind == GLOBAL_NONE && i < in.file->items.n; i++) {
        const ast_item *item = &in.file->items.at[i];
        if (item->kind == ITEM_IMPORT && item->import->name &&
            strcmp(item->import->name, "*") == 0 &&
            sema_module_of(item->import->module) == MODULE_NUMPY)
            g = builtin_or_type(s, name, MODULE_NUMPY);
    }
    return g;
}

static sema_global imported(sema_names in, ast_import *import)
{
    sema_module module = sema_module_of(import->module);
    sema_global g = {.kind = GLOBAL_NONE};
    if (!import->name) {
        if (module == MODULE_OTHER) return (sema_global){.kind = GLOBAL_FOREIGN, .import = import};
        return (sema_global){.kind = GLOBAL_MODULE, .module = module};
    }
    if (module == MODULE_MATH || module == MODULE_NUMPY)
        g = builtin_or_type(in.s, import->name, module);
    if (g.kind == GLOBAL_NONE) g = predefined(in, import->name);
    if (g.kind == GLOBAL_NONE) g = (sema_global){.kind = GLOBAL_FOREIGN, .import = import};
    return g;
}

static sema_global find_name(sema_names in, const char *name, int steps);

/* What n names, a name or one of a module; GLOBAL_NONE when it is neither. */
static sema_global find_node(sema_names in, const ast_node *n, int steps)
{
    sema_global none = {.kind = GLOBAL_NONE};
    if (n->kind == AST_NAME) return find_name(in, n->name, steps);
    if (n->kind != AST_ATTRIBUTE || n->kids[0]->kind != AST_NAME) return none;
    sema_global of = find_name(in, n->kids[0]->name, steps);
    return of.kind == GLOBAL_MODULE ? sema_find_member(in, of, n->name) : none;
}

/* What may go by another name: my_sqrt = sqrt. */
static bool has_aliases(sema_global g)
{
    return g.kind == GLOBAL_FUNC || g.kind == GLOBAL_BUILTIN || g.kind == GLOBAL_EXTERN ||
           g.kind == GLOBAL_TYPE;
}

static sema_global find_const(sema_names in, ast_const *k, int steps)
{
    if (steps < MOST_STEPS && !k->reassigned) {
        sema_global g = find_node(in, ast_const_value(k), steps + 1);
        if (has_aliases(g)) return g;
    }
    return (sema_global){.kind = GLOBAL_CONST, .constant = k};
}

static sema_global find_name(sema_names in, const char *name, int steps)
{
    ast_item *item = map_get(&in.file->names, name);
    if (!item) return predefined(in, name);
    switch (item->kind) {
    case ITEM_FUNC: return (sema_global){.kind = GLOBAL_FUNC, .func = item->func};
    case ITEM_CLASS: return (sema_global){.kind = GLOBAL_CLASS, .class_ = item->class_};
    case ITEM_IMPORT: return imported(in, item->import);
    case ITEM_CONST: break;
    }
    return find_const(in, item->constant, steps);
}

sema_global sema_find_name(sema_names in, const char *name)
{
    return find_name(in, name, 0);
}

sema_global sema_find_node(sema_names in, const ast_node *n)
{
    return find_node(in, n, 0);
}

sema_global sema_find_member(sema_names in, sema_global of, const char *name)
{
    return of.module == MODULE_OWN ? predefined(in, name) : builtin_or_type(in.s, name, of.module);
}

sema_global sema_find_global(const instance *in, const ast_node *n)
{
    const ast_node *first = n->kind == AST_ATTRIBUTE ? n->kids[0] : n;
    if (first->kind == AST_NAME && sema_local(in, first->name))
        return (sema_global){.kind = GLOBAL_NONE};
    return find_node(sema_names_of(in), n, 0);
}

sema_global sema_find_module(const instance *in, const ast_node *n)
{
    sema_global g = {.kind = GLOBAL_NONE};
    if (n->kind == AST_NAME) g = sema_find_global(in, n);
    return g.kind == GLOBAL_MODULE ? g : (sema_global){.kind = GLOBAL_NONE};
}

bool sema_is_call_of(const instance *in, const ast_node *n, sema_builtin b)
{
    if (n->kind != AST_CALL) return false;
    sema_global g = sema_find_global(in, n->kids[0]);
    return g.kind == GLOBAL_BUILTIN && g.builtin == b;
}

/* ---- undefined names ---- */

void sema_undefined(instance *in, cpl_span span, const char *name, bool called)
{
    if (in->phase != 3) return;
    sema_names names = sema_names_of(in);
    diag *d = sema_error_as(in, CPL_ENOTFOUND, span, "undefined %s '%s'",
                            called ? "function" : "name", name);
    const char *instead = sema_find_refused(name);
    if (instead) {
        d->message = arena_printf(&names.s->comp->arena, "'%s' is not available in kernels", name);
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
    for (uint32_t i = 0; i < names.file->names.n; i++)
        if (strcmp(names.file->names.entries[i].key, "*") != 0)
            suggest_offer(&best, names.file->names.entries[i].key);
    const sema_env *env = names.s->env;
    if (env) env->each_extern(env->user, &best);
    sema_offer_builtins(&best, MODULE_NONE);
    if (suggest_best(&best)) sema_hint(in, d, "did you mean '%s'?", suggest_best(&best));
}

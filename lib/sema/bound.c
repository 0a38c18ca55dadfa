/*
 * What parameters stand for when a function is compiled: functions, types, integers. During
 * inference each of them is a type of its own, so that an instance is found by them as by any
 * types; the IR never sees them.
 */
#include "lib/sema/sema_int.h"

#include <inttypes.h>

bool sema_is_bound(const cpl_type *t)
{
    return t && t->kind == TYPE_SCALAR && t->dtype == CPL_VOID && t->name;
}

const sema_bound *sema_bound_of(const cpl_type *t)
{
    return sema_is_bound(t) ? (const sema_bound *)t : NULL;
}

static bool is_same(const sema_bound *b, sema_global g, sema_const value)
{
    if (b->global.kind != g.kind) return false;
    switch (g.kind) {
    case GLOBAL_FUNC: return b->global.func == g.func;
    case GLOBAL_BUILTIN: return b->global.builtin == g.builtin;
    case GLOBAL_EXTERN: return b->global.ext == g.ext;
    case GLOBAL_TYPE: return b->global.type == g.type;
    default:
        return b->value.type == value.type && b->value.bits == value.bits &&
               b->global.exact == g.exact;
    }
}

static const cpl_type *find(sema *s, sema_global g, sema_const value, const char *text)
{
    for (uint32_t i = 0; i < s->bounds.n; i++)
        if (is_same(s->bounds.at[i], g, value)) return &s->bounds.at[i]->type;
    sema_bound *b = arena_new(&s->comp->arena, sema_bound);
    *b = (sema_bound){.type = {.kind = TYPE_SCALAR, .dtype = CPL_VOID, .name = text, .text = text},
                      .global = g,
                      .value = value};
    vec_push(&s->comp->arena, &s->bounds, b);
    return &b->type;
}

const cpl_type *sema_bind_integer(sema *s, sema_const k, const cpl_type *exact)
{
    arena *a = &s->comp->arena;
    const char *text = type_is_unsigned(k.type) ? arena_printf(a, "%" PRIu64, k.bits)
                                                : arena_printf(a, "%" PRId64, (int64_t)k.bits);
    return find(s, (sema_global){.kind = GLOBAL_NUMBER, .number = k, .exact = exact}, k, text);
}

const cpl_type *sema_bind_global(sema *s, sema_global g, const char *name)
{
    arena *a = &s->comp->arena;
    const char *text = NULL;
    if (g.kind == GLOBAL_TYPE) text = arena_printf(a, "type %s", sema_type_name(a, g.type));
    else if (g.kind == GLOBAL_FUNC || g.kind == GLOBAL_EXTERN ||
             (g.kind == GLOBAL_BUILTIN && sema_is_function(g.builtin)))
        text = arena_printf(a, "function '%s'", name);
    return text ? find(s, g, (sema_const){0}, text) : NULL;
}

const sema_bound *sema_bound_named(sema_names in, const char *name)
{
    const sema_var *v = in.locals ? map_get(in.locals, name) : NULL;
    return v ? sema_bound_of(v->type) : NULL;
}

/* ---- of the entry ---- */

static const cpl_type *bind_expression(sema *s, const char *name, const source *text)
{
    ast_func *fn = ast_lambda(s->comp, text, name, s->file);
    if (!fn) return &sema_error_type;
    return sema_bind_global(s, (sema_global){.kind = GLOBAL_FUNC, .func = fn}, text->text);
}

static const cpl_type *bind_function(sema *s, const sema_param *p, const char *name,
                                     const char *function)
{
    sema_global of = {.kind = GLOBAL_NONE}, g = sema_host_function(s, function);
    if (g.kind == GLOBAL_NONE)
        g = sema_find_dotted((sema_names){.s = s, .file = s->file}, function, &of);
    const cpl_type *t = g.kind == GLOBAL_TYPE ? NULL : sema_bind_global(s, g, function);
    if (t) return t;
    bool own = p->span.file == s->own_source; /* which the user does not know */
    diag *d = diag_error(&s->comp->diags, CPL_ENOTFOUND, own ? (cpl_span){0} : p->span,
                         "'%s', which '%s' is to stand for, is no function", function, name);
    if (g.kind == GLOBAL_FOREIGN) sema_note_import(&s->comp->diags, d, g);
    suggester best;
    const char *last = strrchr(function, '.');
    suggest_init(&best, of.kind != GLOBAL_NONE ? last + 1 : function);
    if (of.kind != GLOBAL_NONE) sema_offer_members(s, &best, of);
    for (uint32_t i = 0; of.kind == GLOBAL_NONE && i < s->file->items.n; i++)
        if (s->file->items.at[i].kind == ITEM_FUNC) suggest_offer(&best, s->file->items.at[i].name);
    if (suggest_best(&best))
        diag_hint(&s->comp->diags, d, "did you mean '%s'?", suggest_best(&best));
    return &sema_error_type;
}

static bool can_be(const sema_param *p, const sema_bind *b)
{
    if (!p->type) return true;
    return b->kind == CPL_BIND_INTEGER && type_is_scalar(p->type) && type_is_int(p->type);
}

const cpl_type *sema_bind_param(sema *s, sema_signature *sig, uint32_t i, const sema_bind *b)
{
    const sema_param *p = &sig->params[i];
    const char *name = sig->fn->params[i].name;
    if (p->bad) return &sema_error_type;
    if (!can_be(p, b)) {
        diag_error(&s->comp->diags, CPL_ETYPE, p->span,
                   "parameter '%s' of '%s' is annotated %s and cannot stand for %s", name,
                   sig->fn->name, sema_type_name(&s->comp->arena, p->type),
                   b->kind == CPL_BIND_INTEGER ? "an integer"
                   : b->kind == CPL_BIND_TYPE  ? "a type"
                                               : "a function");
        return &sema_error_type;
    }
    switch (b->kind) {
    case CPL_BIND_INTEGER: {
        sema_const k = sema_signed_const(s, b->integer);
        if (p->type && !sema_const_fits(k, p->type))
            diag_error(&s->comp->diags, CPL_ETYPE, p->span,
                       "%" PRId64 ", which '%s' is to stand for, does not fit %s", b->integer, name,
                       sema_type_name(&s->comp->arena, p->type));
        return sema_bind_integer(s, k, p->type);
    }
    case CPL_BIND_TYPE:
        return sema_bind_global(s, (sema_global){.kind = GLOBAL_TYPE, .type = b->type}, name);
    case CPL_BIND_EXPRESSION: return bind_expression(s, name, b->text);
    default: return bind_function(s, p, name, b->name);
    }
}

/* ---- of other functions ---- */

/* A lambda as an argument is a function of its own; variables of the function around that it uses
 * have to be given along. */
static const cpl_type *lambda(instance *in, const ast_node *n)
{
    const ast_func *fn = n->lambda;
    const ast_param *last = fn->param_count ? &fn->params[fn->param_count - 1] : NULL;
    if (!last || !last->captured || n->stands)
        return sema_bind_global(in->s, (sema_global){.kind = GLOBAL_FUNC, .func = n->lambda},
                                fn->name);
    diag *d = sema_error_as(in, CPL_EUNSUPPORTED, n->span,
                            "'%s' uses '%s', a variable of '%s', and stands as an argument of "
                            "what is no function of the file",
                            fn->name, last->name, in->f.fn->name);
    sema_hint(in, d, "functions with a name at the top level of the file take such a function");
    return &sema_error_type;
}

/* The function or type that n names, as a type of its own; NULL when it is neither. */
static const cpl_type *named(instance *in, const ast_node *n)
{
    if (n->kind == AST_LAMBDA) return lambda(in, n);
    if (n->kind != AST_NAME && n->kind != AST_ATTRIBUTE) return NULL;
    const sema_var *v = n->kind == AST_NAME ? sema_local(in, n->name) : NULL;
    if (v) return sema_is_bound(v->type) ? v->type : NULL;
    return sema_bind_global(in->s, sema_find_global(in, n), n->name);
}

const cpl_type *sema_argument(instance *in, ast_node *n)
{
    const cpl_type *t = named(in, n);
    if (!t) return n->kind == AST_NAME ? sema_array(in, n) : sema_value(in, n);
    in->f.types[n->id] = t;
    return t;
}

const cpl_type *sema_bound_name(instance *in, const ast_node *n, const sema_bound *b)
{
    sema_error(in, n->span,
               b->global.kind == GLOBAL_TYPE ? "'%s' is a type, not a value"
                                             : "'%s' is a function and stands without a call",
               n->name);
    return &sema_error_type;
}

/* What is known of expressions before anything is typed: numbers, and which types are the same. */
#include "lib/sema/sema_int.h"

#include <stdlib.h>

static bool truth(sema *s, bool value, sema_const *out)
{
    *out = sema_bool_const(s, value);
    return true;
}

/* The type that n names, or NULL. */
static const cpl_type *type_named(const instance *in, const ast_node *n)
{
    const sema_bound *b = n->kind == AST_NAME ? sema_bound_named(sema_names_of(in), n->name) : NULL;
    sema_global g = b ? b->global : sema_find_global(in, n);
    return g.kind == GLOBAL_TYPE ? g.type : NULL;
}

static bool is_equality(token_kind op)
{
    return op == TOK_EQ || op == TOK_NE || op == TOK_IS || op == TOK_NOT;
}

bool sema_static_types(instance *in, const ast_node *n, sema_const *out)
{
    const cpl_type *a = type_named(in, n->kids[0]), *b = type_named(in, n->kids[1]);
    if (n->kid_count != 2 || !a || !b || !is_equality((token_kind)n->ops[0])) return false;
    bool same = n->ops[0] == TOK_EQ || n->ops[0] == TOK_IS;
    return truth(in->s, (a == b) == same, out);
}

/* ---- isinstance ---- */

/* A struct as C has it, by a pointer; complex numbers and vectors have none. */
static bool is_struct_by_pointer(const cpl_type *t)
{
    return type_is_pointer(t) && type_is_struct(t->elem) && !type_has_layout(t) &&
           !type_is_complex(t->elem) && !type_lanes(t->elem);
}

/* Python's int and float are any integers and floats. */
static bool is_a(const cpl_type *t, const cpl_type *wanted, const char *name)
{
    if (is_struct_by_pointer(t)) t = t->elem;
    if (strcmp(name, "int") == 0) return type_is_int(t);
    if (strcmp(name, "float") == 0) return type_is_float(t);
    if (strcmp(name, "complex") == 0) return type_is_complex(t);
    return t == wanted;
}

static bool is_array(const cpl_type *t)
{
    return type_is_array(t) || (type_is_pointer(t) && !is_struct_by_pointer(t));
}

/* A shape that is given may be too small for what the function asks. */
static bool has_dimensions(const sema_var *v, const char *digits)
{
    return !v->shape_given || v->dims >= strtoul(digits, NULL, 10);
}

/* -1: n is no type. */
static int is_one_of(instance *in, const cpl_type *t, const ast_node *n)
{
    if (n->kind == AST_TUPLE) {
        int any = 0;
        for (uint32_t i = 0; i < n->kid_count && any >= 0; i++) {
            int one = is_one_of(in, t, n->kids[i]);
            any = one < 0 ? one : any | one;
        }
        return any;
    }
    if (n->kind != AST_NAME && n->kind != AST_ATTRIBUTE) return -1;
    const cpl_type *wanted = type_named(in, n);
    sema_global g = sema_find_global(in, n);
    if (g.kind == GLOBAL_CLASS) wanted = sema_struct_type(in->s, g.class_);
    return wanted ? is_a(t, wanted, n->name) : -1;
}

/* The parameter that n names, unless it is assigned; else NULL. */
static const sema_var *fixed_param(const instance *in, const ast_node *n)
{
    const sema_var *v = n->kind == AST_NAME ? sema_local(in, n->name) : NULL;
    return v && v->is_param && !sema_is_bound(v->type) && v->index < in->sig->fn->param_count &&
                   !in->sig->params[v->index].is_assigned
               ? v
               : NULL;
}

const cpl_type *sema_fixed_type(const instance *in, const ast_node *n)
{
    const sema_var *v = fixed_param(in, n);
    return v && sema_is_known(v->type) ? v->type : NULL;
}

bool sema_static_instance(instance *in, const ast_node *n, bool *out)
{
    if (n->kid_count != 3 || n->keyword_count) {
        sema_report(in, CPL_ETYPE, n->span, "'isinstance' takes 2 arguments, found %u",
                    n->kid_count - 1);
        return false;
    }
    const sema_var *v = fixed_param(in, n->kids[1]);
    if (n->kids[2]->kind == AST_NAME && strcmp(n->kids[2]->name, SEMA_ARRAY) == 0) {
        *out = v && sema_is_known(v->type) && is_array(v->type);
        return true;
    }
    if (n->kids[2]->kind == AST_NAME &&
        strncmp(n->kids[2]->name, SEMA_NUMBERS, strlen(SEMA_NUMBERS)) == 0) {
        *out = v && sema_has_rows(v) && has_dimensions(v, n->kids[2]->name + strlen(SEMA_NUMBERS));
        return true;
    }
    if (!v) {
        diag *d = sema_report(in, CPL_ETYPE, n->kids[1]->span,
                              "'isinstance' takes a parameter that is not assigned");
        diag_hint(&in->diags, d, "pass the value to a function that asks for the type");
        return false;
    }
    if (sema_is_error(v->type)) return false;
    int is = is_one_of(in, v->type, n->kids[2]);
    if (is < 0) {
        diag *d = sema_report(in, CPL_ETYPE, n->kids[2]->span, "this is not a type");
        diag_hint(&in->diags, d, "types are int, float, complex, bool, float32, ..., structs");
        return false;
    }
    *out = is > 0;
    return true;
}

static bool compare(instance *in, const ast_node *n, sema_const *out)
{
    if (sema_static_types(in, n, out)) return true;
    sema_const a, b;
    if (!sema_static(in, n->kids[0], &a)) return false;
    for (uint32_t i = 1; i < n->kid_count; i++, a = b) {
        if (!sema_static(in, n->kids[i], &b)) return false;
        if (!sema_const_holds(in->s, (token_kind)n->ops[i - 1], a, b))
            return truth(in->s, false, out);
    }
    return truth(in->s, true, out);
}

static bool decide(instance *in, const ast_node *n, sema_const *out)
{
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (!sema_static(in, n->kids[i], out)) return false;
        if ((sema_const_float(*out) != 0) == (n->op == TOK_OR)) return true;
    }
    return true;
}

/* ---- parameters ---- */

static void mark(sema_signature *sig, const char *name, size_t n)
{
    for (uint32_t i = 0; i < sig->fn->param_count; i++)
        if (strlen(sig->fn->params[i].name) == n && memcmp(sig->fn->params[i].name, name, n) == 0)
            sig->params[i].is_static = true;
    bool star = sig->base && strlen(sig->star) == n && memcmp(sig->star, name, n) == 0;
    for (uint32_t i = sig->star_at; star && i < sig->fn->param_count; i++)
        sig->params[i].is_static = true;
}

/* How many a star takes depends on none of them. */
static void mark_names(sema_signature *sig, const ast_node *n)
{
    if (n->kind == AST_CALL && n->kid_count == 2 && sema_is_star(sig, n->kids[1])) return;
    if (n->kind == AST_NAME) mark(sig, n->name, strlen(n->name));
    for (uint32_t i = 0; i < n->kid_count; i++) mark_names(sig, n->kids[i]);
}

/* "matrix((2, N))" */
static void mark_words(sema_signature *sig, const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    while (*(text += strcspn(text, letters))) {
        size_t n = strspn(text, letters);
        mark(sig, text, n);
        text += n;
    }
}

static bool calls(sema *s, const sema_signature *sig, const ast_node *n, sema_builtin b)
{
    if (n->kind != AST_CALL) return false;
    sema_global g = sema_find_node((sema_names){.s = s, .file = sig->fn->file}, n->kids[0]);
    return g.kind == GLOBAL_BUILTIN && g.builtin == b;
}

static void find_in(sema *s, sema_signature *sig, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        const ast_node *call = n->kind == AST_FOR      ? n->kids[1]
                               : n->kind == AST_ASSIGN ? n->kids[n->kid_count - 1]
                                                       : NULL;
        if (n->kind == AST_FOR && calls(s, sig, call, BI_STATIC_RANGE))
            for (uint32_t k = 1; k < call->kid_count; k++) mark_names(sig, call->kids[k]);
        if (n->kind == AST_ASSIGN && calls(s, sig, call, BI_DECLARE) && call->kid_count > 1 &&
            call->kids[1]->kind == AST_STRING)
            mark_words(sig, call->kids[1]->text);
        const ast_node *sizes =
            n->kind == AST_ASSIGN
                ? sema_made_sizes((sema_names){.s = s, .file = sig->fn->file}, call)
                : NULL;
        if (sizes) mark_names(sig, sizes);
        find_in(s, sig, n->body);
        find_in(s, sig, n->orelse);
    }
}

void sema_find_statics(sema *s, sema_signature *sig)
{
    if (sig->statics_found) return;
    sig->statics_found = true;
    sema_parse_body(s, sig->fn);
    find_in(s, sig, &sig->fn->body);
    for (uint32_t i = 0; i < sig->fn->param_count; i++)
        sig->params[i].is_assigned = sema_assigns(&sig->fn->body, sig->fn->params[i].name, false);
}

/* ---- expressions ---- */

bool sema_static(instance *in, const ast_node *n, sema_const *out)
{
    sema_const a, b;
    switch (n->kind) {
    case AST_COMPARE: return compare(in, n, out);
    case AST_BOOLOP: return decide(in, n, out);
    case AST_UNARY:
        return sema_static(in, n->kids[0], &a) && sema_fold_unary(in->s, (token_kind)n->op, a, out);
    case AST_BINARY:
        return sema_static(in, n->kids[0], &a) && sema_static(in, n->kids[1], &b) &&
               sema_fold_binary(in->s, (token_kind)n->op, a, b, false, out);
    case AST_INT:
    case AST_FLOAT:
    case AST_BOOL: return sema_literal(in->s, n, out);
    case AST_NAME:
    case AST_ATTRIBUTE: {
        sema_global g = sema_find_global(in, n);
        if (g.kind == GLOBAL_NUMBER) *out = g.number;
        return g.kind == GLOBAL_NUMBER ||
               (g.kind == GLOBAL_CONST && !sema_module_const(in->s, g.constant, out));
    }
    default: return false;
    }
}

/* ---- conditions ---- */

/* Whether a variable of the function has a name that stands in n. */
static bool has_own(const instance *in, const ast_node *n)
{
    if (n->kind == AST_NAME && sema_assigns(&in->sig->fn->body, n->name, false)) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (has_own(in, n->kids[i])) return true;
    return false;
}

bool sema_static_condition(instance *in, const ast_node *n, sema_const *out)
{
    return sema_static(in, n, out) && !has_own(in, n);
}

/*
 * Rows as arguments. Where a function of the file takes an array, f(m[i]) and f(m[:, j]) pass the
 * array m and the indices: for each combination of rows there is a signature of its own, in which
 * the parameter is the whole array and indices follow behind all parameters,
 *
 *     norm(m[i])        norm.of_rows(m, i), where norm has r: r is m, r.0 is i
 *
 * and its body has r[r.0] in place of r (rows_put.c). A parameter takes an array where the function
 * says so: with an index, len(), a loop or a sum, or as such an argument of another one.
 */
#include "lib/sema/rewrite.h"
#include "lib/support/plural.h"

/* ---- which parameters take arrays ---- */

/* A function that is a parameter takes anything, as far as is known here. */
static bool is_parameter(const ast_func *fn, const ast_node *callee)
{
    for (uint32_t i = 0; callee->kind == AST_NAME && i < fn->param_count; i++)
        if (strcmp(fn->params[i].name, callee->name) == 0) return true;
    return false;
}

static sema_stands stands(sema *s, ast_func *fn, uint32_t i)
{
    if (i >= fn->param_count || s->row_depth > LIMIT_CALLS) return STANDS_NO;
    s->row_depth++;
    sema_parse_body(s, fn);
    ast_param *param = &fn->params[i];
    for (uint32_t k = 0; fn->rows && !param->asked && k < fn->rows->passed.n; k++) {
        const row_pass *p = &fn->rows->passed.at[k];
        if (strcmp(p->name, param->name) != 0 || param->array == STANDS_YES) continue;
        param->asked = true;
        sema_stands there =
            is_parameter(fn, p->call->kids[0]) ? STANDS_MAYBE : rows_stand(s, fn->file, p);
        param->asked = false;
        if (there > param->array) param->array = (uint8_t)there;
    }
    param->asked = true;
    s->row_depth--;
    return (sema_stands)param->array;
}

uint32_t sema_parameter_at(const ast_func *fn, const ast_node *call, uint32_t kid)
{
    const ast_node *n = call->kids[kid];
    uint32_t i = n->kind == AST_KEYWORD ? 0 : kid - 1;
    while (n->kind == AST_KEYWORD && i < fn->param_count &&
           strcmp(fn->params[i].name, n->name) != 0)
        i++;
    for (uint32_t k = 0; k < fn->param_count; k++) /* what a star takes is no row */
        if (fn->params[k].star == '*' && i >= k) return fn->param_count;
    return i;
}

sema_stands rows_stand(sema *s, ast_file *file, const row_pass *p)
{
    sema_global g = sema_find_node((sema_names){.s = s, .file = file}, p->call->kids[0]);
    if (g.kind != GLOBAL_FUNC) return STANDS_NO;
    return stands(s, g.func, sema_parameter_at(g.func, p->call, p->kid));
}

/* ---- arguments ---- */

static ast_node *parts_of(instance *in, ast_node *n, ast_list *parts, sema_view *view)
{
    rewriter r = {.s = in->s};
    return rows_parts(&r, n, parts, view);
}

bool sema_gives_row(instance *in, ast_func *fn, uint32_t i, ast_node *n)
{
    ast_list parts = {0};
    sema_view view;
    if (n->kind != AST_INDEX || !sema_is_row(in, n)) return false;
    const ast_node *array = parts_of(in, n, &parts, &view);
    if (!array) return false;
    sema_stands takes = stands(in->s, fn, i);
    if (takes != STANDS_MAYBE) return takes == STANDS_YES;
    return slices_stand_in(n) || sema_local(in, array->name)->type->dims > view.parts;
}

/* ---- the signature ---- */

static uint32_t given_indices(sema_view v)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < v.parts; k++) n += !(v.open >> k & 1);
    return n;
}

static void make_parameters(sema *s, sema_signature *sig, ast_func *fn)
{
    arena *a = &s->comp->arena;
    const ast_func *from = sig->whole->fn;
    uint32_t count = from->param_count;
    for (uint32_t i = 0; i < from->param_count; i++) count += given_indices(sig->views[i]);
    fn->params = arena_array(a, count, sizeof *fn->params);
    sig->params = arena_array(a, count, sizeof *sig->params);
    memcpy(fn->params, from->params, from->param_count * sizeof *fn->params);
    memcpy(sig->params, sig->whole->params, from->param_count * sizeof *sig->params);
    for (uint32_t i = 0; i < from->param_count; i++)
        for (uint32_t k = 0; k < given_indices(sig->views[i]); k++) {
            cpl_span span = from->params[i].span;
            uint32_t at = fn->param_count++;
            fn->params[at] =
                (ast_param){.name = sema_row_part(s, from->params[i].name, k), .span = span};
            sig->params[at] = (sema_param){.span = span};
        }
}

static sema_signature *signature(sema *s, sema_signature *sig, const sema_view *views)
{
    arena *a = &s->comp->arena;
    uint32_t count = sig->fn->param_count;
    for (sema_signature *v = sig->with_rows; v; v = v->with_rows)
        if (memcmp(v->views, views, count * sizeof *views) == 0) return v;
    sema_signature *v = arena_new(a, sema_signature);
    ast_func *fn = arena_new(a, ast_func);
    *v = *sig;
    *fn = *sig->fn;
    v->whole = sig;
    v->views = views;
    v->fn = fn;
    v->diags = (diag_list){.arena = a};
    v->delivered = false;
    v->with_rows = sig->with_rows;
    sig->with_rows = v;
    make_parameters(s, v, fn);
    fn->user = v;
    return v;
}

/* Types the name and indices of a row; false after an error. */
static bool type_row(instance *in, const sema_signature *sig, uint32_t i, ast_node *n,
                     ast_node *array, const ast_list *parts)
{
    const cpl_type *t = sema_argument(in, array);
    for (uint32_t k = 0; k < parts->n; k++)
        if (!rows_is_all(parts->at[k]) && !sema_index(in, parts->at[k], (sema_axis){0}))
            in->f.types[parts->at[k]->id] = &sema_error_type;
    in->f.types[n->id] = sema_is_known(t) ? comp_shaped(in->s->comp, t->elem, 1, true) : t;
    const sema_var *v = sema_local(in, array->name);
    if (!v->shape_given || v->dims > parts->n || slices_stand_in(n)) return true;
    diag *d = sema_error(in, n->span,
                         "'%s' takes an array here, and this is a number: '%s' has %u dimension%s",
                         sig->fn->name, v->name, v->dims, plural(v->dims));
    sema_note(in, d, sig->fn->params[i].span, "'%s' is used as an array", sig->fn->params[i].name);
    return false;
}

sema_signature *sema_with_rows(instance *in, sema_signature *sig, sema_arg **args)
{
    arena *a = &in->s->comp->arena;
    uint32_t count = sig->fn->param_count;
    sema_view *views = NULL;
    bool good = true;
    VEC(sema_arg) all = {0};
    for (uint32_t i = 0; i < count; i++) vec_push(a, &all, (*args)[i]);
    for (uint32_t i = 0; i < count; i++) {
        ast_node *n = (*args)[i].node;
        ast_list parts = {0};
        if (!n || !sema_gives_row(in, sig->fn, i, n)) continue;
        if (!views) views = arena_array(a, count, sizeof *views);
        all.at[i].node = parts_of(in, n, &parts, &views[i]);
        good &= type_row(in, sig, i, n, all.at[i].node, &parts);
        for (uint32_t k = 0; k < parts.n; k++)
            if (!rows_is_all(parts.at[k])) vec_push(a, &all, ((sema_arg){.node = parts.at[k]}));
    }
    if (!views) return sig;
    *args = all.at;
    if (!good) return NULL;
    return signature(in->s, sig, views);
}

void sema_settle_rows(instance *in, const sema_signature *sig, const cpl_type **types)
{
    for (uint32_t i = sig->whole ? sig->whole->fn->param_count : UINT32_MAX;
         i < sig->fn->param_count; i++)
        if (sema_is_number(types[i]) && !type_is_int(types[i])) types[i] = in->s->t_i64;
}

uint32_t sema_row_indices(const sema_signature *sig, const char *parameter)
{
    for (uint32_t i = 0; sig->whole && i < sig->whole->fn->param_count; i++)
        if (strcmp(sig->fn->params[i].name, parameter) == 0) return given_indices(sig->views[i]);
    return 0;
}

void sema_ask_rows(instance *in, const sema_signature *sig, const sema_arg *args)
{
    for (uint32_t i = 0; sig->whole && i < sig->whole->fn->param_count; i++) {
        sema_view v = sig->views[i];
        if (v.parts) sema_ask_dims(in, args[i].node, v.parts + !v.open, args[i].node->span);
    }
}

/*
 * Functions whose last parameter is *NAME. For each number of arguments that it takes there is a
 * signature of its own, with a parameter for each, NAME0, NAME1 and so on, and with a body in which
 * *NAME in a call is those parameters: all that comes behind sees a function without a star.
 * NAME[k] and len(NAME), which may depend on what is known when the function is compiled, are
 * expand.c's.
 */
#include "lib/sema/sema_int.h"

typedef struct spreader {
    sema *s;
    sema_signature *sig; /* that is being made */
    uint32_t ids;        /* nodes made so far */
    bool full;           /* the limit on nodes is reported */
} spreader;

bool sema_is_star(const sema_signature *sig, const ast_node *n)
{
    return sig->base && n->kind == AST_NAME && strcmp(n->name, sig->star) == 0;
}

/* ---- the body ---- */

static bool is_full(spreader *x, const ast_node *place)
{
    uint32_t limit = x->s->comp->max_ops ? x->s->comp->max_ops : LIMIT_OPS;
    if (x->ids < limit) return false;
    if (!x->full)
        diag_error(&x->sig->diags, CPL_ELIMIT, place->span,
                   "what '*%s' passes on makes '%s' larger than %u operations", x->sig->star,
                   x->sig->fn->name, limit);
    return x->full = true;
}

static ast_node *new_name(spreader *x, const ast_node *place, uint32_t i)
{
    ast_node *n = arena_new(&x->s->comp->arena, ast_node);
    *n = (ast_node){.kind = AST_NAME, .id = x->ids++, .span = place->span};
    n->name = x->sig->fn->params[x->sig->star_at + i].name;
    return n;
}

static ast_node *copy(spreader *x, const ast_node *n);

static void copy_kids(spreader *x, const ast_node *n, ast_node *to)
{
    arena *a = &x->s->comp->arena;
    ast_list kids = {0};
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const ast_node *kid = n->kids[i];
        bool all = kid->kind == AST_STAR && sema_is_star(x->sig, kid->kids[0]);
        for (uint32_t k = 0; all && k < x->sig->star_count && !is_full(x, kid); k++)
            vec_push(a, &kids, new_name(x, kid, k));
        if (!all) vec_push(a, &kids, copy(x, kid));
    }
    to->kids = kids.at;
    to->kid_count = kids.n;
}

static void copy_list(spreader *x, const ast_list *from, ast_list *to)
{
    for (uint32_t i = 0; i < from->n; i++) vec_push(&x->s->comp->arena, to, copy(x, from->at[i]));
}

static ast_list *copy_block(spreader *x, const ast_list *from)
{
    if (!from) return NULL;
    ast_list *to = arena_new(&x->s->comp->arena, ast_list);
    copy_list(x, from, to);
    return to;
}

static ast_node *copy(spreader *x, const ast_node *n)
{
    ast_node *c = arena_new(&x->s->comp->arena, ast_node);
    *c = *n;
    c->id = x->ids++;
    copy_kids(x, n, c);
    c->body = copy_block(x, n->body);
    c->orelse = copy_block(x, n->orelse);
    return c;
}

/* ---- the parameters ---- */

static void find_names(arena *a, map *names, const ast_node *n);

static void find_in_list(arena *a, map *names, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) find_names(a, names, list->at[i]);
}

static void find_names(arena *a, map *names, const ast_node *n)
{
    if (n->kind == AST_NAME) map_put(a, names, n->name, (void *)n);
    for (uint32_t i = 0; i < n->kid_count; i++) find_names(a, names, n->kids[i]);
    find_in_list(a, names, n->body);
    find_in_list(a, names, n->orelse);
}

/* NAME0, or NAME0.1 where the source has a NAME0. */
static void make_parameters(sema *s, sema_signature *sig, ast_func *fn)
{
    arena *a = &s->comp->arena;
    const ast_func *from = sig->base->fn;
    map taken = {0};
    fn->param_count = sig->star_at + sig->star_count;
    fn->params = arena_array(a, fn->param_count, sizeof *fn->params);
    sig->params = arena_array(a, fn->param_count, sizeof *sig->params);
    find_in_list(a, &taken, &from->body);
    for (uint32_t i = 0; i < sig->star_at; i++) {
        fn->params[i] = from->params[i];
        sig->params[i] = sig->base->params[i];
        map_put(a, &taken, from->params[i].name, fn);
    }
    const sema_param *star = &sig->base->params[sig->star_at];
    const sema_host *host = sema_host_of(fn->file);
    for (uint32_t i = 0; i < sig->star_count; i++) {
        uint32_t at = sig->star_at + i;
        const char *name = arena_printf(a, "%s%u", sig->star, i);
        if (map_get(&taken, name)) name = arena_printf(a, "%s.1", name);
        fn->params[at] = (ast_param){.name = name, .span = star->span, .numbered = true};
        sig->params[at] = (sema_param){.bad = star->bad, .span = star->span};
        if (host) sig->params[at].type = sema_host_param(host, at);
    }
}

sema_signature *sema_spread(sema *s, sema_signature *sig, uint32_t given)
{
    arena *a = &s->comp->arena;
    if (!sig->star || sig->fn->header_bad) return sig;
    uint32_t count = given > sig->star_at ? given - sig->star_at : 0;
    if (count > LIMIT_STAR) return NULL;
    for (sema_signature *v = sig->variants; v; v = v->variants)
        if (v->star_count == count) return v;
    sema_parse_body(s, sig->fn);
    sema_signature *v = arena_new(a, sema_signature);
    ast_func *fn = arena_new(a, ast_func);
    *v = *sig;
    *fn = *sig->fn;
    v->base = sig;
    v->fn = fn;
    v->star_count = count;
    v->diags = (diag_list){.arena = a};
    v->variants = sig->variants;
    sig->variants = v;
    make_parameters(s, v, fn);
    fn->user = v;
    fn->body = (ast_list){0};
    spreader x = {.s = s, .sig = v};
    copy_list(&x, &sig->fn->body, &fn->body);
    fn->node_count = x.ids;
    return v;
}

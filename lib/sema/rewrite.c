/*
 * Forms that others write, as those of the language; done once to a function's tree, before
 * anything in it is typed: cuda.atomic.add(a, i, v) is atomic_add(a[i], v).
 */
#include "lib/sema/sema_int.h"

typedef struct rewriter {
    sema *s;
    ast_func *fn;
} rewriter;

static ast_node *new_node(rewriter *r, ast_kind kind, cpl_span span, uint32_t kids)
{
    arena *a = &r->s->comp->arena;
    ast_node *n = arena_new(a, ast_node);
    *n = (ast_node){.kind = (uint8_t)kind, .id = r->fn->node_count++, .span = span};
    n->op_span = span;
    n->kid_count = kids;
    n->kids = arena_array(a, kids, sizeof *n->kids);
    return n;
}

static bool is_param(const ast_func *fn, const ast_node *n)
{
    while (n->kind == AST_ATTRIBUTE) n = n->kids[0];
    for (uint32_t i = 0; n->kind == AST_NAME && i < fn->param_count; i++)
        if (strcmp(fn->params[i].name, n->name) == 0) return true;
    return false;
}

/* Numba's atomics take the array and the index apart. */
static void join_index(rewriter *r, ast_node *n)
{
    ast_node *callee = n->kids[0];
    if (callee->kind != AST_ATTRIBUTE || n->kid_count < 4 || is_param(r->fn, callee)) return;
    sema_names names = {.s = r->s, .file = r->fn->file};
    sema_global of = sema_find_node(names, callee->kids[0]);
    if (of.kind != GLOBAL_MODULE || of.module != MODULE_ATOMIC) return;
    cpl_span span = n->kids[1]->span;
    if (n->kids[2]->span.end > span.end) span.end = n->kids[2]->span.end;
    ast_node *place = new_node(r, AST_INDEX, span, 2);
    place->kids[0] = n->kids[1];
    place->kids[1] = n->kids[2];
    n->kids[1] = place;
    n->kid_count--;
    memmove(n->kids + 2, n->kids + 3, (n->kid_count - 2) * sizeof *n->kids);
}

static void rewrite_list(rewriter *r, ast_list *list);

static void rewrite(rewriter *r, ast_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++) rewrite(r, n->kids[i]);
    if (n->kind == AST_CALL) join_index(r, n);
    rewrite_list(r, n->body);
    rewrite_list(r, n->orelse);
}

static void rewrite_list(rewriter *r, ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) rewrite(r, list->at[i]);
}

bool sema_parse_body(sema *s, ast_func *fn)
{
    bool good = ast_parse_body(fn);
    rewriter r = {s, fn};
    if (!fn->rewritten) rewrite_list(&r, &fn->body);
    fn->rewritten = true;
    return good;
}

/*
 * What stands in the place of the name of what is computed of rows (row_values.c): in front of its
 * assignment the indices and numbers in it are kept, and where it is used elements are computed of
 * them, d[k], or all of them as a slice.
 */
#include "lib/sema/row_values.h"

static const char *snapshot(row_finder *f, ast_list *to, ast_node *value)
{
    const char *name = rewrite_made_name(f->r, "row");
    rewrite_assign(f->r, to, name, value);
    row_value_put(f, &f->r->locals, name, f->r);
    return name;
}

static bool is_constant(const row_finder *f, const ast_node *n)
{
    const ast_node *of = n->kind == AST_UNARY ? n->kids[0] : n;
    return of->kind == AST_INT || of->kind == AST_FLOAT || of->kind == AST_BOOL ||
           (n->kind == AST_NAME && rewrite_is_parameter(f->r, n));
}

static ast_node *kept(row_finder *f, ast_list *to, ast_node *n)
{
    return is_constant(f, n) ? n : rewrite_name(f->r, snapshot(f, to, n), n->span);
}

static bool has_leaf(const row_finder *f, const ast_node *n)
{
    if (row_value_is_known(f, n) || row_value_is_made(f, n) || row_value_is(f, n)) return true;
    if (n->kind == AST_NAME) return rewrite_is_parameter(f->r, n);
    if (n->kind == AST_INDEX && slices_has_index(n)) return true;
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        if (has_leaf(f, n->kids[i])) return true;
    return false;
}

static bool is_leaf(const row_value *v, const ast_node *n)
{
    for (uint32_t i = 0; i < v->leaves.n; i++)
        if (v->leaves.at[i] == n) return true;
    return false;
}

static ast_node *keep_row(row_finder *f, row_value *v, ast_list *to, ast_node *n)
{
    ast_list parts = {0};
    const ast_node *row = row_value_row(f, n);
    ast_node *leaf;
    if (n->kind == AST_NAME) {
        leaf = rewrite_name(f->r, snapshot(f, to, n), n->span);
        row_value_put(f, &f->alias, leaf->name, row);
    } else {
        leaf = slices_parts(f->r, n, &parts);
        for (uint32_t i = 0; i < parts.n; i++) {
            ast_node *part = kept(f, to, parts.at[i]);
            leaf = rewrite_pair(f->r, AST_INDEX, leaf, part);
        }
        leaf->span = n->span;
    }
    const char *base = row ? row_value_base(row) : row_value_base(n);
    if (!v->base && !rewrite_is_private(f->r, &(ast_node){.name = base})) {
        v->base = base;
        v->dims = row ? row_value_indices(row) : row_value_indices(n);
    }
    vec_push(&f->r->s->comp->arena, &v->leaves, leaf);
    return leaf;
}

static void mark_numbers(const row_finder *f, ast_node *n)
{
    if (rewrite_is_row(f->r, n) && n->kids[0]->kind == AST_NAME) n->stands = true;
    for (uint32_t i = 0; i < n->kid_count; i++) mark_numbers(f, n->kids[i]);
}

static ast_node *instance_of(row_finder *f, const row_value *v, const ast_node *n,
                             const ast_node *k);
static ast_node *element_of(row_finder *f, const row_value *v, const ast_node *k, cpl_span span);

/* Puts what is to be kept of a value in front of its assignment. */
static ast_node *keep(row_finder *f, row_value *v, ast_list *to, ast_node *n)
{
    if (row_value_whole(f, n) != n) n = n->kids[0];
    if (row_value_is_slice(f, n)) { /* of another such value too */
        ast_list parts = {0};
        ast_node *row = slices_parts(f->r, n, &parts);
        parts.n--;
        for (uint32_t i = 0; i < parts.n; i++)
            row = rewrite_pair(f->r, AST_INDEX, row, parts.at[i]);
        row->span = n->span;
        return keep_row(f, v, to, row);
    }
    if (row_value_is_known(f, n)) return keep_row(f, v, to, n);
    if (row_value_is(f, n)) { /* with the rows that it has */
        row_value *of = map_get(&f->values, n->name);
        if (of->value) return keep(f, v, to, element_of(f, of, NULL, n->span));
    }
    if (n->kind == AST_INDEX && slices_has_index(n)) return rewrite_copy(f->r, n);
    if (n->kind == AST_NAME && (row_value_is_made(f, n) || rewrite_is_parameter(f->r, n))) {
        ast_node *leaf = rewrite_name(f->r, n->name, n->span);
        vec_push(&f->r->s->comp->arena, &v->leaves, leaf);
        return leaf;
    }
    if (!has_leaf(f, n)) {
        mark_numbers(f, n);
        return kept(f, to, n);
    }
    ast_node *c = rewrite_copied(f->r, n);
    for (uint32_t i = n->kind == AST_CALL; i < n->kid_count; i++)
        c->kids[i] = keep(f, v, to, n->kids[i]);
    return c;
}

/* x[k] where the parameter x is an array, else x */
static ast_node *element_of_name(row_finder *f, const ast_node *n, const ast_node *k)
{
    rewriter *r = f->r;
    ast_node *name = rewrite_name(r, n->name, n->span);
    ast_node *element = rewrite_pair(r, AST_INDEX, name, rewrite_copy(r, k));
    if (!rewrite_is_parameter(r, n)) return element;
    ast_node *is_array = rewrite_call_of_two(r, ".isinstance", rewrite_copy(r, name),
                                             rewrite_name(r, SEMA_ARRAY, n->span));
    return rewrite_choose(r, is_array, element, rewrite_copy(r, name));
}

/* Its element k, or where that is NULL all of them. */
static ast_node *instance_of(row_finder *f, const row_value *v, const ast_node *n,
                             const ast_node *k)
{
    rewriter *r = f->r;
    if (is_leaf(v, n)) {
        bool alias = n->kind == AST_NAME && map_get(&f->alias, n->name);
        ast_node *c = rewrite_copy(r, n);
        if (n->kind == AST_NAME && !alias) return k ? element_of_name(f, n, k) : c;
        if (k) return rewrite_pair(r, AST_INDEX, c, rewrite_copy(r, k));
        if (alias) return slices_whole(r, c, "a slice");
        ast_list parts = {0};
        ast_node *name = slices_parts(r, c, &parts);
        slices_put(r, c, name, &parts, 1);
        return c;
    }
    if (k && slices_is_index(n)) return rewrite_copy(r, k);
    ast_node *c = rewrite_copied(r, n);
    for (uint32_t i = 0; i < n->kid_count; i++) c->kids[i] = instance_of(f, v, n->kids[i], k);
    return c;
}

static ast_node *length_of(row_finder *f, const row_value *v, cpl_span span);

static ast_node *kept_element(row_finder *f, const row_value *v, ast_node *k)
{
    return rewrite_pair(f->r, AST_INDEX, rewrite_name(f->r, v->kept, k->span), k);
}

/* d[k], or where k is NULL all of d. */
static ast_node *element_of(row_finder *f, const row_value *v, const ast_node *k, cpl_span span)
{
    rewriter *r = f->r;
    uint64_t literal = k && k->kind == AST_INT ? k->integer : 0;
    if (!v->changed || literal >= v->changed) return instance_of(f, v, v->value, k);
    if (k && row_changes_is_kept(f, v, k)) return kept_element(f, v, rewrite_copy(r, k));
#define INDEX (k ? rewrite_copy(r, k) : slices_index(r, v->kept, span))
    ast_node *is_kept =
        rewrite_compare(r, TOK_LT, INDEX, rewrite_integer(r, (int64_t)v->changed, span));
    return rewrite_choose(r, is_kept, kept_element(f, v, INDEX), instance_of(f, v, v->value, k));
#undef INDEX
}

/* The array of the elements that are assigned, of as many of them as the row has. */
static void keep_elements(row_finder *f, row_value *v, ast_list *to)
{
    rewriter *r = f->r;
    arena *a = &r->s->comp->arena;
    cpl_span span = v->at->span;
    ast_node *list = rewrite_node(r, AST_LIST, span, v->changed);
    v->kept = rewrite_made_name(r, "kept");
    for (uint32_t i = 0; i < v->changed; i++) {
        ast_node *k = rewrite_integer(r, i, span);
        ast_node *there = rewrite_compare(r, TOK_LT, rewrite_copy(r, k), length_of(f, v, span));
        list->kids[i] =
            rewrite_choose(r, there, instance_of(f, v, v->value, k), rewrite_integer(r, 0, span));
    }
    rewrite_assign(r, to, v->kept, rewrite_call(r, SEMA_NUMPY "array", list));
    map_put(a, &r->locals, v->kept, r);
    map_put(a, &r->arrays, v->kept, r);
    map_put(a, &r->dimensions, v->kept, (void *)(uintptr_t)1);
    map_put(a, &r->lengths, v->kept, (void *)(uintptr_t)v->changed);
}

static ast_node *length_of(row_finder *f, const row_value *v, cpl_span span)
{
    ast_node *row = NULL;
    for (uint32_t i = 0; i < v->leaves.n && !row; i++)
        if (row_value_row(f, v->leaves.at[i])) row = rewrite_copy(f->r, v->leaves.at[i]);
    row->span = span;
    return rewrite_call(f->r, ".len", row);
}

/* isinstance(p, numbers) */
static ast_node *of_numbers(row_finder *f, const row_value *v, cpl_span span)
{
    rewriter *r = f->r;
    const char *kind = arena_printf(&r->s->comp->arena, "%s%u", SEMA_NUMBERS, v->dims + 1);
    return rewrite_call_of_two(r, ".isinstance", rewrite_name(r, v->base, span),
                               rewrite_name(r, kind, span));
}

static void refuse(row_finder *f, const row_value *v, ast_node *n)
{
    arena *a = &f->r->s->comp->arena;
    const char *shown = map_get(&f->shown, v->name);
    if (!shown) shown = v->name;
    rewrite_refuse(
        f->r, n,
        arena_printf(a, "'%s' is computed of rows where it is used, and is no array of its own",
                     shown),
        arena_printf(a, "keep it in one: t = np.zeros(3); t[:] = %s", shown));
}

/* Whether a call takes an array as a whole: of a function of the file. */
static bool takes_whole(const row_finder *f, const ast_node *n)
{
    if (n->kind != AST_CALL || slices_go_through(f->r, n)) return false;
    const ast_node *callee = n->kids[0];
    sema_names in = {.s = f->r->s, .file = f->r->fn->file};
    return callee->kind == AST_NAME &&
           (rewrite_is_local(f->r, callee) || sema_find_node(in, callee).kind == GLOBAL_FUNC);
}

static bool is_length(const row_finder *f, const ast_node *n)
{
    const ast_node *callee = n->kids[0];
    return callee->kind == AST_NAME && strcmp(callee->name, "len") == 0 &&
           !rewrite_is_local(f->r, callee);
}

/* Puts elements in the place of v, and where `all` it in that of the name. */
static ast_node *replace(row_finder *f, const row_value *v, ast_node *n, bool all)
{
    rewriter *r = f->r;
    bool index = n->kind == AST_INDEX && row_value_names(n->kids[0], v);
    bool call = n->kind == AST_CALL && n->kid_count == 2 && row_value_names(n->kids[1], v);
    if (all && row_value_names(n, v)) return element_of(f, v, NULL, n->span);
    if (all && call && is_length(f, n)) return length_of(f, v, n->span);
    if (all && n->kind == AST_ATTRIBUTE && row_value_names(n->kids[0], v) &&
        strcmp(n->name, "size") == 0)
        return length_of(f, v, n->span);
    if (all && n->kind == AST_INDEX && n->kids[0]->kind == AST_ATTRIBUTE &&
        row_value_names(n->kids[0]->kids[0], v) && strcmp(n->kids[0]->name, "shape") == 0)
        return length_of(f, v, n->span);
    if (index) {
        n->kids[1] = replace(f, v, n->kids[1], all);
        bool part = v->changed && slices_stand_in(n);
        if (part) refuse(f, v, n);
        if (part) return n;
        ast_node *element = element_of(f, v, n->kids[1], n->span);
        element->span = n->span;
        return v->sure || all ? element : rewrite_choose(r, of_numbers(f, v, n->span), element, n);
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (all && takes_whole(f, n) && row_value_names(n->kids[i], v)) refuse(f, v, n->kids[i]);
        else n->kids[i] = replace(f, v, n->kids[i], all);
    }
    return n;
}

/* Whether the name stands in n, but with an index. */
static bool stands_alone(const row_value *v, const ast_node *n)
{
    if (row_value_names(n, v)) return true;
    if (n->kind == AST_INDEX && row_value_names(n->kids[0], v)) return stands_alone(v, n->kids[1]);
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (stands_alone(v, n->kids[i])) return true;
    return false;
}

/* for e in d, a, b = d */
static void replace_loop(row_finder *f, const row_value *v, ast_node *n)
{
    rewriter *r = f->r;
    arena *a = &r->s->comp->arena;
    cpl_span span = n->kids[1]->span;
    if (n->kind == AST_ASSIGN) {
        ast_node *all = rewrite_node(r, AST_TUPLE, span, n->kids[0]->kid_count);
        for (uint32_t i = 0; i < all->kid_count; i++)
            all->kids[i] = element_of(f, v, rewrite_integer(r, i, span), span);
        n->kids[1] = all;
        return;
    }
    const char *at = rewrite_made_name(r, "at");
    ast_list *body = arena_new(a, ast_list);
    ast_node *element = element_of(f, v, rewrite_name(r, at, span), span);
    vec_push(a, body, rewrite_pair(r, AST_ASSIGN, n->kids[0], element));
    for (uint32_t i = 0; i < n->body->n; i++) vec_push(a, body, n->body->at[i]);
    n->body = body;
    n->kids[0] = rewrite_name(r, at, n->kids[0]->span);
    n->kids[1] = rewrite_call(r, ".range", length_of(f, v, span));
}

/* The statement, and where it cannot be told what v is of both. */
static ast_node *replace_in(row_finder *f, const row_value *v, ast_node *n)
{
    rewriter *r = f->r;
    arena *a = &r->s->comp->arena;
    bool loop = n->kind == AST_FOR && row_value_names(n->kids[1], v);
    bool apart = n->kind == AST_ASSIGN && n->kid_count == 2 && n->kids[0]->kind == AST_TUPLE &&
                 row_value_names(n->kids[1], v);
    if (v->sure && (loop || apart)) replace_loop(f, v, n);
    bool alone = false;
    for (uint32_t i = 0; i < n->kid_count; i++) alone |= stands_alone(v, n->kids[i]);
    for (uint32_t i = 0; i < row_value_targets(n); i++)
        alone |= n->kids[i]->kind == AST_INDEX && row_value_names(n->kids[i]->kids[0], v);
    bool both = alone && !v->sure && !n->body;
    ast_node *other = both ? rewrite_copy(r, n) : NULL;
    for (uint32_t i = 0; i < n->kid_count; i++)
        n->kids[i] = replace(f, v, n->kids[i], v->sure || both);
    if (!both) return n;
    ast_node *choice = rewrite_node(r, AST_IF, n->span, 1);
    choice->kids[0] = of_numbers(f, v, n->span);
    choice->body = arena_new(a, ast_list);
    choice->orelse = arena_new(a, ast_list);
    *choice->body = *choice->orelse = (ast_list){0};
    vec_push(a, choice->body, n);
    vec_push(a, choice->orelse, other);
    return choice;
}

static void replace_in_list(row_finder *f, const row_value *v, ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        ast_node *n = list->at[i];
        if (n == v->at) continue;
        replace_in_list(f, v, n->body);
        replace_in_list(f, v, n->orelse);
        list->at[i] = replace_in(f, v, n);
    }
}

void row_value_become(row_finder *f, row_value *v)
{
    rewriter *r = f->r;
    arena *a = &r->s->comp->arena;
    ast_node *n = v->at, *other = rewrite_copied(r, n);
    ast_list *kept_here = arena_new(a, ast_list);
    *kept_here = (ast_list){0};
    v->value = keep(f, v, kept_here, n->kids[1]);
    if (!v->base) { /* nothing but other names */
        v->value = NULL;
        return;
    }
    if (v->changed) keep_elements(f, v, kept_here);
    replace_in_list(f, v, &r->fn->body);
    n->kind = AST_IF;
    n->kids = arena_array(a, 1, sizeof *n->kids);
    n->kid_count = 1;
    n->kids[0] = v->sure ? rewrite_truth(r, true, n->span) : of_numbers(f, v, n->span);
    n->body = kept_here;
    if (v->sure) return;
    n->orelse = arena_new(a, ast_list);
    *n->orelse = (ast_list){0};
    vec_push(a, n->orelse, other);
}

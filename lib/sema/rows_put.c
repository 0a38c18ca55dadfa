/*
 * What stands for rows in an instance: points[p] for the name p of a row (rows.c), and for a
 * parameter that is a row, as sema_with_rows makes them, an element of the array that is passed in
 * its place: of norm(m[i]), where norm has r, r is m and r.0 is i:
 *
 *     r[j], r, len(r)        r[r.0][j], r[r.0], len(r[r.0])
 *     c[k], c, len(c)        m[k, c], m[:, c], m.shape[0]       of a column
 */
#include "lib/sema/rewrite.h"

typedef struct putter {
    rewriter r;
    const instance *in;
} putter;

const char *sema_row_part(sema *s, const char *row, uint32_t k)
{
    return arena_printf(&s->comp->arena, "%s.%u", row, k);
}

/* The variable of one of the indices of a row that has a name. */
static const char *part_name(putter *p, const sema_row *row, uint32_t k)
{
    return k ? sema_row_part(p->r.s, row->name, k) : row->name;
}

static const sema_row *row_named(const putter *p, const char *name)
{
    const sema_rows *rows = p->in->sig->fn->rows;
    const sema_row *row = rows ? map_get(&rows->by_name, name) : NULL;
    const sema_var *array = row && row->wanted ? sema_local(p->in, row->array) : NULL;
    return array && sema_has_rows(array) ? row : NULL;
}

/* Which row the parameter of that name is. */
static sema_view view_of_parameter(const putter *p, const char *name)
{
    const sema_signature *sig = p->in->sig;
    for (uint32_t i = 0; sig->whole && i < sig->whole->fn->param_count; i++)
        if (strcmp(sig->fn->params[i].name, name) == 0) return sig->views[i];
    return (sema_view){0};
}

/* ---- a row and its indices ---- */

typedef struct placed {
    const char *array; /* NULL: no row */
    sema_view view;
    ast_list parts; /* of the array; NULL where none is given */
} placed;

/* Appends the variables of a view, and inner where that leaves indices. */
static void fill(putter *p, sema_view view, const char *of, const sema_row *row,
                 const ast_list *inner, cpl_span span, ast_list *out)
{
    arena *a = &p->r.s->comp->arena;
    uint32_t used = 0, mine = 0;
    for (uint32_t k = 0; k < view.parts || used < inner->n; k++) {
        ast_node *part = NULL;
        if (k < view.parts && !(view.open >> k & 1)) {
            const char *name = row ? part_name(p, row, mine) : sema_row_part(p->r.s, of, mine);
            part = rewrite_name(&p->r, name, span);
            mine++;
        } else if (used < inner->n) {
            part = inner->at[used++];
        }
        vec_push(a, out, part);
    }
}

/* What the name n, behind which the indices stand, is of. */
static placed place(putter *p, const ast_node *n, const ast_list *indices)
{
    placed at = {0};
    const sema_row *row = row_named(p, n->name);
    ast_list parts = *indices;
    sema_view view = {.parts = indices->n};
    for (uint32_t k = 0; k < indices->n; k++)
        if (!indices->at[k]) view.open |= 1u << k;
    if (row) {
        parts = (ast_list){0};
        fill(p, row->view, NULL, row, indices, n->span, &parts);
        view = rows_within(row->view, view);
    }
    const char *array = row ? row->array : n->name;
    sema_view whole = view_of_parameter(p, array);
    if (!row && !whole.parts) return at;
    at.array = array;
    at.parts = parts;
    if (whole.parts) {
        at.parts = (ast_list){0};
        fill(p, whole, array, NULL, &parts, n->span, &at.parts);
        view = rows_within(whole, view);
    }
    at.view = view;
    return at;
}

/* A row without anything behind it. */
static placed place_name(putter *p, const ast_node *n)
{
    return n->kind == AST_NAME ? place(p, n, &(ast_list){0}) : (placed){0};
}

static ast_node *all(putter *p, cpl_span span)
{
    ast_node *n = rewrite_node(&p->r, AST_SLICE, span, 3);
    for (int i = 0; i < 3; i++) n->kids[i] = rewrite_node(&p->r, AST_NONE, span, 0);
    return n;
}

/* points[p], at the place of n; the name itself lies in front of it, for messages. */
static ast_node *indexed(putter *p, const placed *of, const ast_node *at)
{
    rewriter *r = &p->r;
    cpl_span start = {at->span.file, at->span.begin, at->span.begin};
    ast_node *n = rewrite_name(r, of->array, start);
    if (!of->view.open) {
        for (uint32_t k = 0; k < of->view.parts; k++) {
            n = rewrite_pair(r, AST_INDEX, n, of->parts.at[k]);
            if (k + 1 == of->view.parts) n->span = at->span;
        }
        return n;
    }
    ast_node *list = rewrite_node(r, AST_TUPLE, at->span, of->view.parts);
    for (uint32_t k = 0; k < of->view.parts; k++)
        list->kids[k] = of->view.open >> k & 1 ? all(p, at->span) : of->parts.at[k];
    n = rewrite_pair(r, AST_INDEX, n, list);
    n->span = at->span;
    return n;
}

/* ---- what is asked of rows ---- */

/* The dimension of the array that the k-th one of the row is. */
static uint32_t dimension(sema_view v, uint32_t k)
{
    uint32_t d = 0;
    for (;; d++) {
        bool open = d >= v.parts || (v.open >> d & 1);
        if (open && k-- == 0) return d;
    }
}

/* points.shape[1], for p.shape[0] */
static ast_node *shape(putter *p, const placed *of, uint32_t k, const ast_node *at)
{
    rewriter *r = &p->r;
    cpl_span start = {at->span.file, at->span.begin, at->span.begin};
    ast_node *n = rewrite_node(r, AST_ATTRIBUTE, at->span, 1);
    n->kids[0] = rewrite_name(r, of->array, start);
    n->name = "shape";
    n = rewrite_pair(r, AST_INDEX, n, rewrite_integer(r, dimension(of->view, k), at->span));
    return n;
}

static bool is_member(const ast_node *n, const char *name)
{
    return n->kind == AST_ATTRIBUTE && strcmp(n->name, name) == 0;
}

/* p.shape[0] */
static ast_node *put_shape(putter *p, const ast_node *n)
{
    if (n->kind != AST_INDEX || n->kids[1]->kind != AST_INT || !is_member(n->kids[0], "shape") ||
        n->kids[1]->integer >= SLICES_DIMS)
        return NULL;
    placed of = place_name(p, n->kids[0]->kids[0]);
    return of.array ? shape(p, &of, (uint32_t)n->kids[1]->integer, n) : NULL;
}

/* p.size */
static ast_node *put_size(putter *p, const ast_node *n)
{
    placed of = is_member(n, "size") ? place_name(p, n->kids[0]) : (placed){0};
    if (!of.array) return NULL;
    const sema_rows *rows = p->in->sig->fn->rows;
    const sema_row *row = map_get(&rows->by_name, n->kids[0]->name);
    ast_node *size = shape(p, &of, 0, n);
    for (uint32_t k = 1; row && k < row->dims; k++)
        size = rewrite_binary(&p->r, TOK_MUL, size, shape(p, &of, k, n));
    return size;
}

/* len(c) of a column: of a row that is len(points[p]) as it stands. */
static ast_node *put_length(putter *p, const ast_node *n)
{
    bool call = n->kind == AST_CALL && n->kid_count == 2 && sema_is_call_of(p->in, n, BI_LEN);
    placed of = call ? place_name(p, n->kids[1]) : (placed){0};
    return of.array && of.view.open ? shape(p, &of, 0, n) : NULL;
}

/* h, w = p.shape */
static ast_node *put_shapes(putter *p, const ast_node *n)
{
    bool fits = n->kind == AST_ASSIGN && n->kid_count == 2 && n->kids[0]->kind == AST_TUPLE &&
                is_member(n->kids[1], "shape");
    placed of = fits ? place_name(p, n->kids[1]->kids[0]) : (placed){0};
    if (!of.array) return NULL;
    ast_node *c = rewrite_copied(&p->r, n);
    ast_node *values = rewrite_node(&p->r, AST_TUPLE, n->kids[1]->span, n->kids[0]->kid_count);
    for (uint32_t k = 0; k < values->kid_count; k++) values->kids[k] = shape(p, &of, k, n->kids[1]);
    c->kids[1] = values;
    return c;
}

/* ---- all ---- */

static ast_node *put(putter *p, const ast_node *n);
static void put_list(putter *p, ast_list *list);

/* c[k], q[0][k], where the row has indices left in front of those that it is of */
static ast_node *put_element(putter *p, const ast_node *n)
{
    ast_list indices = {0}, copies = {0};
    const ast_node *name =
        n->kind == AST_INDEX ? slices_parts(&p->r, (ast_node *)n, &indices) : NULL;
    if (!name || !place_name(p, name).view.open) return NULL;
    for (uint32_t i = 0; i < indices.n; i++)
        vec_push(&p->r.s->comp->arena, &copies,
                 rows_is_all(indices.at[i]) ? NULL : put(p, indices.at[i]));
    placed of = place(p, name, &copies);
    return indexed(p, &of, n);
}

static ast_node *put_known(putter *p, const ast_node *n)
{
    ast_node *(*const forms[])(putter *, const ast_node *) = {put_shape, put_size, put_length,
                                                              put_shapes, put_element};
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        ast_node *c = forms[i](p, n);
        if (c) return c;
    }
    return NULL;
}

/* isinstance(p, ...) asks the parameter itself. */
static bool asks_type(const ast_node *n)
{
    if (n->kind != AST_CALL || n->kids[0]->kind != AST_NAME) return false;
    const char *name = n->kids[0]->name;
    return strcmp(name + (*name == '.'), "isinstance") == 0;
}

static ast_node *put(putter *p, const ast_node *n)
{
    placed of = place_name(p, n);
    if (of.array) return indexed(p, &of, n);
    ast_node *c = n->kid_count ? put_known(p, n) : NULL;
    if (c) return c;
    c = rewrite_copied(&p->r, n);
    for (uint32_t i = 0; i < n->kid_count; i++)
        c->kids[i] = asks_type(n) && i == 1 ? rewrite_copy(&p->r, n->kids[i]) : put(p, n->kids[i]);
    ast_list **lists[] = {&c->body, &c->orelse};
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        if (!*lists[i]) continue;
        ast_list *own = arena_new(&p->r.s->comp->arena, ast_list);
        *own = **lists[i];
        *lists[i] = own;
        put_list(p, own);
    }
    return c;
}

/* The indices of the row that n is, n of the row `of` or a parameter: of the array. */
static void put_indices(putter *p, const ast_node *n, ast_list *out)
{
    ast_list parts = {0}, mine = {0};
    sema_view view;
    const ast_node *name =
        n->kind == AST_NAME ? n : rows_parts(&p->r, (ast_node *)n, &parts, &view);
    for (uint32_t k = 0; k < parts.n; k++)
        vec_push(&p->r.s->comp->arena, &mine,
                 rows_is_all(parts.at[k]) ? NULL : put(p, parts.at[k]));
    const sema_row *row = row_named(p, name->name);
    if (row) fill(p, row->view, NULL, row, &mine, n->span, out);
    else *out = mine;
}

/* p = points[i]: the indices get their values, all of them before any is changed. */
static bool put_row(putter *p, ast_node *n, ast_list *to)
{
    ast_list parts = {0};
    bool name = n->kind == AST_ASSIGN && n->kid_count == 2 && n->kids[0]->kind == AST_NAME;
    const sema_row *row = name ? row_named(p, n->kids[0]->name) : NULL;
    if (!row) return false;
    put_indices(p, n->kids[1], &parts);
    uint32_t given = 0;
    for (uint32_t k = 0; k < parts.n; k++) given += parts.at[k] != NULL;
    for (uint32_t k = 0; given > 1 && k < parts.n; k++) {
        ast_node *part = parts.at[k];
        if (!part || part->kind == AST_INT || part->kind == AST_NAME) continue;
        const char *kept = arena_printf(&p->r.s->comp->arena, "%s.new%u", row->name, k);
        rewrite_assign(&p->r, to, kept, part);
        parts.at[k] = rewrite_name(&p->r, kept, part->span);
    }
    uint32_t mine = 0;
    for (uint32_t k = 0; k < parts.n; k++)
        if (parts.at[k]) rewrite_assign(&p->r, to, part_name(p, row, mine++), parts.at[k]);
    return true;
}

static void put_list(putter *p, ast_list *list)
{
    ast_list every = {0};
    for (uint32_t i = 0; i < list->n; i++)
        if (!put_row(p, list->at[i], &every))
            vec_push(&p->r.s->comp->arena, &every, put(p, list->at[i]));
    *list = every;
}

static bool has_rows(const putter *p)
{
    const sema_rows *rows = p->in->sig->fn->rows;
    if (p->in->sig->whole) return true;
    for (uint32_t i = 0; rows && i < rows->by_name.n; i++)
        if (row_named(p, rows->by_name.entries[i].key)) return true;
    return false;
}

ast_func *sema_put_rows(const instance *in)
{
    ast_func *fn = in->sig->fn, *own;
    putter p = {.in = in};
    if (!has_rows(&p)) return fn;
    own = arena_new(&in->s->comp->arena, ast_func);
    *own = *fn;
    p.r = (rewriter){.s = in->s, .fn = own};
    put_list(&p, &own->body);
    return own;
}

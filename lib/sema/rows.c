/*
 * Names of rows: of p = points[i], where points is a parameter and p stands with an index, in
 * len(), in a loop, a sum or on the right of several names, and of p = points[i, :]. Such a name is
 * the index of the row from then on, and points[p] in its place:
 *
 *     p = points[i + 1]; p[0] = p[1]       p = i + 1; points[p][0] = points[p][1]
 *
 * so that what is written to p is in points, as in NumPy. Which names may be such is found before
 * anything is rewritten; that elements are numbers, and no vectors, is known of an instance.
 */
#include "lib/sema/rewrite.h"

struct sema_row {
    const char *name, *array;
    uint32_t parts;    /* indices of the row */
    uint32_t assigned; /* how often */
    bool used, bad;    /* as a row; assigned anything else */
    struct sema_row *next;
};

static sema_row *row_named(sema_row *rows, const char *name)
{
    while (rows && strcmp(rows->name, name) != 0) rows = rows->next;
    return rows;
}

/* ---- which names they are ---- */

typedef struct finder {
    rewriter *r;
    sema_row *rows; /* of all names that are assigned or used as rows */
    map by_name;
} finder;

static sema_row *entry(finder *f, const char *name)
{
    sema_row *row = map_get(&f->by_name, name);
    if (row) return row;
    row = arena_new(&f->r->s->comp->arena, sema_row);
    *row = (sema_row){.name = name, .next = f->rows};
    map_put(&f->r->s->comp->arena, &f->by_name, name, row);
    return f->rows = row;
}

/* name = array[...], or anything else: NULL */
static void assigned(finder *f, const ast_node *target, const char *array, uint32_t parts)
{
    for (uint32_t i = 0; target->kind == AST_TUPLE && i < target->kid_count; i++)
        assigned(f, target->kids[i], NULL, 0);
    if (target->kind != AST_NAME) return;
    sema_row *row = entry(f, target->name);
    bool same = array && (!row->array || (strcmp(row->array, array) == 0 && row->parts == parts));
    row->bad |= !same;
    row->array = array;
    row->parts = parts;
    row->assigned++;
}

static const char *parameter(const finder *f, const ast_node *n)
{
    return n->kind == AST_NAME && rewrite_is_parameter(f->r, n) ? n->name : NULL;
}

static bool is_all(const ast_node *n)
{
    bool all = n->kind == AST_SLICE;
    for (uint32_t i = 0; all && i < n->kid_count; i++) all = n->kids[i]->kind == AST_NONE;
    return all;
}

/* The array of the row n, and its indices, without slices of all behind them; NULL: it is none. */
static ast_node *row_parts(rewriter *r, ast_node *n, ast_list *parts)
{
    ast_node *name = n->kind == AST_INDEX ? slices_parts(r, n, parts) : NULL;
    while (parts->n && is_all(parts->at[parts->n - 1])) parts->n--;
    for (uint32_t i = 0; i < parts->n; i++)
        if (parts->at[i]->kind == AST_SLICE || slices_stand_in(parts->at[i])) return NULL;
    return parts->n ? name : NULL;
}

static void assigned_value(finder *f, const ast_node *target, ast_node *value)
{
    ast_list parts = {0};
    ast_node *name = row_parts(f->r, value, &parts);
    assigned(f, target, name ? parameter(f, name) : NULL, parts.n);
    if (name && slices_stand_in(value)) entry(f, target->name)->used = true;
}

/* What each round of a loop over n assigns. */
static void looped(finder *f, const ast_node *target, ast_node *n)
{
    bool pairs = rewrite_calls(f->r, n, "zip"), counted = rewrite_calls(f->r, n, "enumerate");
    bool fits = target->kind == AST_TUPLE && !n->keyword_count;
    if (counted && fits && target->kid_count == 2 && n->kid_count == 2) {
        assigned(f, target->kids[0], NULL, 0);
        looped(f, target->kids[1], n->kids[1]);
    } else if (pairs && fits && target->kid_count + 1 == n->kid_count) {
        for (uint32_t i = 0; i < target->kid_count; i++) looped(f, target->kids[i], n->kids[i + 1]);
    } else {
        assigned(f, target, parameter(f, n), 1);
    }
}

static void use(finder *f, const ast_node *n)
{
    if (n->kind == AST_NAME && map_get(&f->r->locals, n->name)) entry(f, n->name)->used = true;
}

static void use_all(finder *f, const ast_node *n)
{
    use(f, n);
    for (uint32_t i = 0; i < n->kid_count; i++) use_all(f, n->kids[i]);
}

static void find_uses(finder *f, const ast_node *n)
{
    const ast_node *callee = n->kind == AST_CALL ? n->kids[0] : NULL;
    bool method = callee && callee->kind == AST_ATTRIBUTE;
    bool named = callee && (method || callee->kind == AST_NAME);
    if (n->kind == AST_INDEX) use(f, n->kids[0]);
    if (n->kind == AST_ATTRIBUTE && strcmp(n->name, "shape") == 0) use(f, n->kids[0]);
    if (named && sema_is_fold(callee->name)) use_all(f, n);
    if (named && (strcmp(callee->name, "len") == 0 || strcmp(callee->name, "enumerate") == 0 ||
                  strcmp(callee->name, "zip") == 0))
        for (uint32_t i = 1; i < n->kid_count; i++) use(f, n->kids[i]);
    for (uint32_t i = 0; i < n->kid_count; i++) find_uses(f, n->kids[i]);
}

static void find(finder *f, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        uint32_t targets = n->kind == AST_ASSIGN ? n->kid_count - 1 : 0;
        bool one = targets == 1 && n->kids[0]->kind == AST_NAME;
        if (one) assigned_value(f, n->kids[0], n->kids[1]);
        for (uint32_t k = 0; !one && k < targets; k++) assigned(f, n->kids[k], NULL, 0);
        if (targets == 1 && n->kids[0]->kind == AST_TUPLE) use(f, n->kids[1]);
        if (n->kind == AST_AUGASSIGN || n->kind == AST_ANNASSIGN) assigned(f, n->kids[0], NULL, 0);
        if (n->kind == AST_FOR) {
            looped(f, n->kids[0], n->kids[1]);
            use(f, n->kids[1]);
        }
        for (uint32_t k = 0; k < n->kid_count; k++) find_uses(f, n->kids[k]);
        find(f, n->body);
        find(f, n->orelse);
    }
}

void rewrite_find_rows(rewriter *r)
{
    finder f = {.r = r};
    find(&f, &r->fn->body);
    for (sema_row *row = f.rows, *next; row; row = next) {
        next = row->next;
        if (!row->used || row->bad || !row->array) continue;
        map_put(&r->s->comp->arena, &r->arrays, row->name, r);
        map_put(&r->s->comp->arena, &r->rows, row->name, (void *)row->array);
        row->next = r->fn->rows;
        r->fn->rows = row;
    }
}

/* ---- what stands for them ---- */

typedef struct putter {
    rewriter r;
    const instance *in;
    sema_row *rows; /* those whose elements are numbers */
} putter;

/* The variable of one of its indices. */
static const char *part_name(putter *p, const sema_row *row, uint32_t k)
{
    return k ? arena_printf(&p->r.s->comp->arena, "%s.%u", row->name, k) : row->name;
}

/* points[p], at the place of p; the name itself lies in front of it, for messages. */
static ast_node *place(putter *p, const sema_row *row, const ast_node *at)
{
    rewriter *r = &p->r;
    cpl_span start = {at->span.file, at->span.begin, at->span.begin};
    ast_node *n = rewrite_name(r, row->array, start);
    for (uint32_t k = 0; k < row->parts; k++) {
        n = rewrite_pair(r, AST_INDEX, n, rewrite_name(r, part_name(p, row, k), at->span));
        if (k + 1 == row->parts) n->span = at->span;
    }
    return n;
}

static void put_list(putter *p, ast_list *list);

/* The row of p.shape[0], p and no other; NULL: n is no such. */
static const sema_row *shaped(const putter *p, const ast_node *n)
{
    const ast_node *shape = n->kids[0];
    if (n->kind != AST_INDEX || n->kids[1]->kind != AST_INT) return NULL;
    bool of_name = shape->kind == AST_ATTRIBUTE && shape->kids[0]->kind == AST_NAME;
    if (!of_name || strcmp(shape->name, "shape") != 0) return NULL;
    return row_named(p->rows, shape->kids[0]->name);
}

/* points.shape[1], for p.shape[0] */
static ast_node *place_shape(putter *p, const sema_row *row, const ast_node *n)
{
    ast_node *c = rewrite_copy(&p->r, n);
    c->kids[0]->kids[0]->name = row->array;
    c->kids[1]->integer += row->parts;
    return c;
}

static ast_node *put(putter *p, const ast_node *n)
{
    const sema_row *row = n->kind == AST_NAME ? row_named(p->rows, n->name) : NULL;
    if (row) return place(p, row, n);
    row = n->kid_count ? shaped(p, n) : NULL;
    if (row) return place_shape(p, row, n);
    ast_node *c = rewrite_copied(&p->r, n);
    for (uint32_t i = 0; i < n->kid_count; i++) c->kids[i] = put(p, n->kids[i]);
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

/* p = points[i]: the indices get their values. */
static bool put_row(putter *p, ast_node *n, ast_list *to)
{
    ast_list parts = {0};
    bool name = n->kind == AST_ASSIGN && n->kid_count == 2 && n->kids[0]->kind == AST_NAME;
    const sema_row *row = name ? row_named(p->rows, n->kids[0]->name) : NULL;
    if (!row) return false;
    row_parts(&p->r, n->kids[1], &parts);
    for (uint32_t k = 0; k < parts.n; k++)
        rewrite_assign(&p->r, to, part_name(p, row, k), put(p, parts.at[k]));
    return true;
}

static void put_list(putter *p, ast_list *list)
{
    ast_list all = {0};
    for (uint32_t i = 0; i < list->n; i++)
        if (!put_row(p, list->at[i], &all))
            vec_push(&p->r.s->comp->arena, &all, put(p, list->at[i]));
    *list = all;
}

static bool has_numbers(const instance *in, const char *array)
{
    const sema_var *v = sema_local(in, array);
    if (!v || !v->is_param || !sema_is_known(v->type) || !type_is_pointer(v->type)) return false;
    const cpl_type *elem = v->type->elem;
    return v->type->space == SPACE_GLOBAL && (type_is_scalar(elem) || type_is_complex(elem));
}

ast_func *sema_put_rows(const instance *in)
{
    ast_func *fn = in->sig->fn, *own;
    arena *a = &in->s->comp->arena;
    putter p = {.in = in};
    for (const sema_row *row = fn->rows; row; row = row->next) {
        if (!has_numbers(in, row->array)) continue;
        sema_row *c = arena_new(a, sema_row);
        *c = *row;
        c->next = p.rows;
        p.rows = c;
    }
    if (!p.rows) return fn;
    own = arena_new(a, ast_func);
    *own = *fn;
    p.r = (rewriter){.s = in->s, .fn = own};
    put_list(&p, &own->body);
    return own;
}

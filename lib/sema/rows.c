/*
 * Names of rows: of p = points[i], where points is a parameter and p stands with an index, in
 * len(), in a loop, a sum, what is stored in a row, on the right of several names or as the
 * argument of a function that takes an array, and of p = points[i, :]. A column is a row of another
 * kind, c = m[:, j], and so is a row of a row. Such a name is the index of the row from then on,
 * and points[p] in its place:
 *
 *     p = points[i + 1]; p[0] = p[1]       p = i + 1; points[p][0] = points[p][1]
 *     c = m[:, j]; c[k] = len(c)           c = j; m[k, c] = m.shape[0]
 *     r = a[i]; q = r[j]; q[0] = 1         r = i; q = r; q.1 = j; a[q][q.1][0] = 1
 *
 * so that what is written to p is in points, as in NumPy. Which names may be such is found here,
 * before anything is rewritten, as is which parameters stand for arrays (row_call.c); that elements
 * are numbers, and no vectors, is known of an instance (rows_put.c).
 */
#include "lib/sema/rewrite.h"

sema_view rows_within(sema_view outer, sema_view inner)
{
    sema_view v = {0};
    uint32_t used = 0;
    for (uint32_t k = 0; k < outer.parts || used < inner.parts; k++) {
        bool open = k >= outer.parts || (outer.open >> k & 1);
        if (open) open = used >= inner.parts || (inner.open >> used & 1), used++;
        if (open) v.open |= 1u << k;
        else v.parts = k + 1;
    }
    v.open &= (1u << v.parts) - 1;
    return v;
}

/* ---- which names they are ---- */

enum { ROUNDS = 8 }; /* names of rows that are told from names further down, and so on */

typedef VEC(const ast_node *) nodes;

typedef struct finder {
    rewriter *r;
    sema_rows *rows; /* of all names that are assigned or used as rows */
    nodes sums;      /* expressions in which some names stand for arrays */
} finder;

static sema_row *entry(finder *f, const char *name)
{
    arena *a = &f->r->s->comp->arena;
    sema_row *row = map_get(&f->rows->by_name, name);
    if (row) return row;
    row = arena_new(a, sema_row);
    *row = (sema_row){.name = name};
    map_put(a, &f->rows->by_name, name, row);
    return row;
}

/* name = of[...], or anything else: NULL */
static void assigned(finder *f, const ast_node *target, const char *of, sema_view view)
{
    for (uint32_t i = 0; target->kind == AST_TUPLE && i < target->kid_count; i++)
        assigned(f, target->kids[i], NULL, view);
    if (target->kind != AST_NAME) return;
    sema_row *row = entry(f, target->name);
    if (of) vec_push(&f->r->s->comp->arena, &row->sources, ((row_source){of, view}));
    else row->bad = true;
}

static bool is_parameter(const finder *f, const char *name)
{
    return rewrite_is_parameter(f->r, &(ast_node){.kind = AST_NAME, .name = name});
}

bool rows_is_all(const ast_node *n)
{
    bool all = n->kind == AST_SLICE;
    for (uint32_t i = 0; all && i < n->kid_count; i++) all = n->kids[i]->kind == AST_NONE;
    return all;
}

/* The name of the array that n is a row of, or NULL; its indices, slices of all among them, without
 * those at the end. */
ast_node *rows_parts(rewriter *r, ast_node *n, ast_list *parts, sema_view *view)
{
    ast_node *name = n->kind == AST_INDEX ? slices_parts(r, n, parts) : NULL;
    *view = (sema_view){0};
    while (parts->n && rows_is_all(parts->at[parts->n - 1])) parts->n--;
    view->parts = parts->n;
    for (uint32_t i = 0; i < parts->n; i++) {
        bool all = rows_is_all(parts->at[i]);
        if (all) view->open |= i < SLICES_DIMS ? 1u << i : 0;
        else if (parts->at[i]->kind == AST_SLICE || slices_stand_in(parts->at[i])) return NULL;
    }
    return parts->n && parts->n <= SLICES_DIMS ? name : NULL;
}

static void assigned_value(finder *f, const ast_node *target, ast_node *value)
{
    ast_list parts = {0};
    sema_view view;
    bool alone = value->kind == AST_NAME && map_get(&f->r->locals, value->name);
    const ast_node *name = alone ? value : rows_parts(f->r, value, &parts, &view);
    if (alone) view = (sema_view){0};
    bool local = name && map_get(&f->r->locals, name->name);
    assigned(f, target, local ? name->name : NULL, view);
    if (local && slices_stand_in(value)) entry(f, target->name)->used = USED;
}

/* What each round of a loop over n assigns. */
static void looped(finder *f, const ast_node *target, ast_node *n)
{
    bool pairs = rewrite_calls(f->r, n, "zip"), counted = rewrite_calls(f->r, n, "enumerate");
    bool fits = target->kind == AST_TUPLE && !n->keyword_count;
    if (counted && fits && target->kid_count == 2 && n->kid_count == 2) {
        assigned(f, target->kids[0], NULL, (sema_view){0});
        looped(f, target->kids[1], n->kids[1]);
    } else if (pairs && fits && target->kid_count + 1 == n->kid_count) {
        for (uint32_t i = 0; i < target->kid_count; i++) looped(f, target->kids[i], n->kids[i + 1]);
    } else {
        ast_list parts = {0};
        sema_view view, each = {1, 0};
        const ast_node *name = n->kind == AST_NAME ? n : rows_parts(f->r, n, &parts, &view);
        bool row = name && map_get(&f->r->locals, name->name);
        if (row && n->kind != AST_NAME) each = rows_within(view, each);
        assigned(f, target, row ? name->name : NULL, each);
    }
}

static void mark(finder *f, const ast_node *n, row_use used)
{
    if (n->kind != AST_NAME || !map_get(&f->r->locals, n->name)) return;
    sema_row *row = entry(f, n->name);
    if (used > row->used) row->used = used;
}

static void use(finder *f, const ast_node *n)
{
    mark(f, n, USED);
}

static void mark_all(finder *f, const ast_node *n, row_use used)
{
    mark(f, n, used);
    for (uint32_t i = 0; i < n->kid_count; i++) mark_all(f, n->kids[i], used);
}

/* A sum: of x.sum() and sum(x) the name, of an expression some of its names. */
static void find_sum(finder *f, const ast_node *call, const char *name)
{
    uint32_t given = call->kid_count - call->keyword_count; /* axis=1 is no array */
    bool method = given == 1 && call->kids[0]->kind == AST_ATTRIBUTE;
    bool sum = method || given == 2 || strcmp(name, "dot") == 0;
    for (uint32_t i = !method; sum && i < given; i++) {
        const ast_node *x = method ? call->kids[0]->kids[0] : call->kids[i];
        if (x->kind == AST_NAME) use(f, x);
        else vec_push(&f->r->s->comp->arena, &f->sums, x);
    }
}

static void pass_on(finder *f, const ast_node *call)
{
    for (uint32_t i = 1; i < call->kid_count; i++) {
        const ast_node *x = call->kids[i];
        if (x->kind == AST_KEYWORD) x = x->kids[0];
        if (x->kind == AST_NAME && map_get(&f->r->locals, x->name))
            vec_push(&f->r->s->comp->arena, &f->rows->passed, ((row_pass){x->name, call, i}));
    }
}

static void find_uses(finder *f, const ast_node *n)
{
    const ast_node *callee = n->kind == AST_CALL ? n->kids[0] : NULL;
    bool method = callee && callee->kind == AST_ATTRIBUTE;
    bool named = callee && (method || callee->kind == AST_NAME);
    if (n->kind == AST_INDEX) use(f, n->kids[0]);
    if (n->kind == AST_ATTRIBUTE && strcmp(n->name, "shape") == 0) use(f, n->kids[0]);
    if (named && sema_is_fold(callee->name)) find_sum(f, n, callee->name);
    if (named && (strcmp(callee->name, "len") == 0 || strcmp(callee->name, "enumerate") == 0 ||
                  strcmp(callee->name, "zip") == 0))
        for (uint32_t i = 1; i < n->kid_count; i++) use(f, n->kids[i]);
    if (named) pass_on(f, n);
    for (uint32_t i = 0; i < n->kid_count; i++) find_uses(f, n->kids[i]);
}

static void mark_rows(finder *f, const ast_node *n)
{
    if (n->kind == AST_NAME && !rewrite_is_parameter(f->r, n)) mark(f, n, USED_BESIDE);
    for (uint32_t i = 0; i < n->kid_count; i++) mark_rows(f, n->kids[i]);
}

/* m[i, :] = e: what stands in e may be rows; m[i] = e: where nothing else makes sense. */
static void find_stored(finder *f, const ast_node *target, const ast_node *value)
{
    if (target->kind != AST_INDEX) return;
    if (slices_stand_in(target)) mark_all(f, value, USED_BESIDE);
    else mark_rows(f, value);
}

static void find(finder *f, const ast_list *list)
{
    const sema_view none = {0};
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        uint32_t targets = n->kind == AST_ASSIGN ? n->kid_count - 1 : 0;
        bool one = targets == 1 && n->kids[0]->kind == AST_NAME;
        if (one) assigned_value(f, n->kids[0], n->kids[1]);
        for (uint32_t k = 0; !one && k < targets; k++) assigned(f, n->kids[k], NULL, none);
        if (targets == 1 && n->kids[0]->kind == AST_TUPLE) use(f, n->kids[1]);
        if (targets == 1 || n->kind == AST_AUGASSIGN) find_stored(f, n->kids[0], n->kids[1]);
        if (n->kind == AST_ANNASSIGN) assigned(f, n->kids[0], NULL, none);
        if (n->kind == AST_FOR) {
            looped(f, n->kids[0], n->kids[1]);
            use(f, n->kids[1]);
        }
        for (uint32_t k = 0; k < n->kid_count; k++) find_uses(f, n->kids[k]);
        find(f, n->body);
        find(f, n->orelse);
    }
}

/* ---- parameters that stand for arrays ---- */

/* Whether something in n is an array for sure. */
static bool has_array(const finder *f, const ast_node *n)
{
    if (n->kind == AST_NAME) {
        const sema_row *row = map_get(&f->rows->by_name, n->name);
        return (row && row->used == USED) || rewrite_is_private(f->r, n);
    }
    if (n->kind == AST_SLICE) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (has_array(f, n->kids[i])) return true;
    return false;
}

/* Of a sum in which nothing else is an array all names may be such. */
static void find_arrays(finder *f)
{
    ast_func *fn = f->r->fn;
    for (uint32_t i = 0; i < f->sums.n; i++) {
        const ast_node *x = f->sums.at[i];
        mark_all(f, x, has_array(f, x) ? USED_BESIDE : USED_ALONE);
    }
    for (uint32_t i = 0; i < fn->param_count; i++) {
        const sema_row *row = map_get(&f->rows->by_name, fn->params[i].name);
        if (row && is_parameter(f, row->name))
            fn->params[i].array = row->used >= USED_ALONE    ? STANDS_YES
                                  : row->used == USED_BESIDE ? STANDS_MAYBE
                                                             : STANDS_NO;
    }
}

/* ---- of which arrays they are rows ---- */

static bool row_of(const finder *f, const row_source *of, const char **array, sema_view *view)
{
    *array = of->of;
    *view = of->view;
    if (is_parameter(f, of->of)) return of->view.parts > 0;
    const sema_row *row = map_get(&f->rows->by_name, of->of);
    if (!row || row->bad || !row->array) return false;
    *array = row->array;
    *view = rows_within(row->view, of->view);
    return view->parts <= SLICES_DIMS;
}

static bool takes_source(const finder *f, sema_row *row)
{
    for (uint32_t k = 0; !row->bad && !row->array && k < row->sources.n; k++)
        if (!row_of(f, &row->sources.at[k], &row->array, &row->view)) row->array = NULL;
    return row->array != NULL;
}

static bool has_other_source(const finder *f, const sema_row *row)
{
    for (uint32_t k = 0; k < row->sources.n; k++) {
        const char *array;
        sema_view view;
        if (!row_of(f, &row->sources.at[k], &array, &view) || strcmp(array, row->array) != 0 ||
            view.parts != row->view.parts || view.open != row->view.open)
            return true;
    }
    return false;
}

/* Whether all of its rows are told from parameters. */
static bool is_direct(const finder *f, const sema_row *row)
{
    for (uint32_t k = 0; k < row->sources.n; k++)
        if (!is_parameter(f, row->sources.at[k].of)) return false;
    return true;
}

/* All that is assigned to a name are rows of one array, with the same indices. */
static void resolve(finder *f)
{
    map *all = &f->rows->by_name;
    bool changed = true;
    for (uint32_t round = 0; changed && round < ROUNDS; round++) {
        changed = false;
        for (uint32_t i = 0; i < all->n; i++) {
            sema_row *row = all->entries[i].value;
            if (!row->array && takes_source(f, row)) changed = true;
        }
    }
    for (uint32_t round = 0; round == 0 || changed; round++) {
        changed = false;
        for (uint32_t i = 0; i < all->n; i++) {
            sema_row *row = all->entries[i].value;
            if (row->bad ||
                (row->array && !has_other_source(f, row) && (round < ROUNDS || is_direct(f, row))))
                continue;
            row->bad = changed = true;
        }
    }
}

/* ---- which of them are used as such ---- */

static bool is_wanted(const finder *f, const sema_row *row)
{
    if (row->bad || !row->used || row->used == USED) return !row->bad && row->used;
    if (!is_direct(f, row)) return false;
    return row->used == USED_ALONE || rewrite_most_indices(f->r, row->array) > row->view.parts;
}

static void use_as_argument(finder *f, const row_pass *p)
{
    sema_row *row = map_get(&f->rows->by_name, p->name);
    if (!row || row->bad || row->used == USED || rewrite_is_local(f->r, p->call->kids[0])) return;
    sema_stands stands = rows_stand(f->r->s, f->r->fn->file, p);
    if (stands == STANDS_YES) row->used = USED;
    else if (stands == STANDS_MAYBE && !row->used) row->used = USED_BESIDE;
}

/* The rows that a row is told from are such too. */
static bool use_sources(finder *f, const sema_row *row)
{
    bool changed = false;
    for (uint32_t k = 0; is_wanted(f, row) && k < row->sources.n; k++) {
        sema_row *of = map_get(&f->rows->by_name, row->sources.at[k].of);
        if (!of || of->bad || of->used == USED) continue;
        of->used = USED;
        changed = true;
    }
    return changed;
}

/* What a row is told from has the dimensions of both. */
static bool count_sources(finder *f, const sema_row *row)
{
    bool changed = false;
    uint32_t mine = rewrite_most_indices(f->r, row->name);
    for (uint32_t k = 0; is_wanted(f, row) && k < row->sources.n; k++) {
        const row_source *of = &row->sources.at[k];
        uint32_t open = 0;
        for (uint32_t d = 0; d < of->view.parts; d++) open += of->view.open >> d & 1;
        uint32_t most = of->view.parts + (mine > open ? mine - open : open ? 0 : 1);
        if (most <= rewrite_most_indices(f->r, of->of) || most > SLICES_DIMS) continue;
        map_put(&f->r->s->comp->arena, &f->r->most, of->of, (void *)(uintptr_t)most);
        changed = true;
    }
    return changed;
}

void rewrite_find_rows(rewriter *r)
{
    arena *a = &r->s->comp->arena;
    finder f = {.r = r, .rows = arena_new(a, sema_rows)};
    map *all = &f.rows->by_name;
    *f.rows = (sema_rows){0};
    find(&f, &r->fn->body);
    find_arrays(&f);
    r->fn->rows = f.rows;
    resolve(&f);
    for (uint32_t i = 0; i < f.rows->passed.n; i++) use_as_argument(&f, &f.rows->passed.at[i]);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = all->n; i-- > 0;) changed |= use_sources(&f, all->entries[i].value);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = all->n; i-- > 0;) changed |= count_sources(&f, all->entries[i].value);
    }
    for (uint32_t i = 0; i < all->n; i++) {
        sema_row *row = all->entries[i].value;
        row->dims = rewrite_most_indices(r, row->name);
        row->wanted = is_wanted(&f, row);
        if (!row->wanted) continue;
        map_put(a, &r->arrays, row->name, r);
        map_put(a, &r->rows, row->name, row);
    }
}

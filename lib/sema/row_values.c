/*
 * Names of what is computed of rows, element by element: of d = p[j] - p[i], where d stands with an
 * index, in len(), in a loop, a sum, or with what is stored in a row. Nothing is kept but the
 * indices and numbers in it, and elements are computed where they are used:
 *
 *     d = (p[j] - p[i])*w         .row0 = j; .row1 = i; .row2 = w
 *     d[0]                        (p[.row0][0] - p[.row1][0])*.row2
 *     f[i] += d/np.sum(d**2)      f[i] += (p[.row0, :] - p[.row1, :])*.row2/np.sum(...)
 *
 * so that d may have any length. It is assigned once, and the arrays are not written in between.
 * Where elements are vectors d is a variable as any other: where that cannot be told by what is
 * done with d both stand there, and isinstance(p, numbers) chooses.
 *
 * Which of the arrays have rows follows from the function's other indices; beside a difference or
 * sum those of both sides do. Others are numbers, which is asked of them (ast_node.stands).
 */
#include "lib/sema/row_values.h"

void row_value_put(row_finder *f, map *m, const char *name, const void *value)
{
    map_put(&f->r->s->comp->arena, m, name, (void *)value);
}

const char *row_value_base(const ast_node *n)
{
    while (n->kind == AST_INDEX) n = n->kids[0];
    return n->kind == AST_NAME ? n->name : NULL;
}

uint32_t row_value_indices(const ast_node *n)
{
    uint32_t count = 0;
    for (; n->kind == AST_INDEX; n = n->kids[0]) count += slices_part_count(n);
    return count;
}

bool row_value_is(const row_finder *f, const ast_node *n)
{
    return n->kind == AST_NAME && map_get(&f->values, n->name);
}

bool row_value_names(const ast_node *n, const row_value *v)
{
    return n->kind == AST_NAME && strcmp(n->name, v->name) == 0;
}

bool row_value_is_given(const row_finder *f, const char *name)
{
    for (uint32_t i = 0; i < f->r->fn->param_count; i++)
        if (strcmp(f->r->fn->params[i].name, name) == 0) return true;
    return false;
}

/* row[:], where row is a name of a row alone. */
const ast_node *row_value_whole(const row_finder *f, const ast_node *n)
{
    bool all = n->kind == AST_INDEX && !n->op && slices_part_count(n) == 1 &&
               n->kids[0]->kind == AST_NAME && rows_is_all(n->kids[1]);
    return all && map_get(&f->alias, n->kids[0]->name) ? n->kids[0] : n;
}

const ast_node *row_value_row(const row_finder *f, const ast_node *n)
{
    n = row_value_whole(f, n);
    const ast_node *of = n->kind == AST_NAME ? map_get(&f->alias, n->name) : n;
    if (!of || !rewrite_is_row(f->r, of)) return NULL;
    while (n->kind == AST_INDEX) n = n->kids[0];
    return rewrite_is_private(f->r, n) ? NULL : of;
}

bool row_value_is_slice(const row_finder *f, const ast_node *n)
{
    if (n->kind != AST_INDEX || n->op || slices_rank(n) != 1 || slices_part_count(n) < 2)
        return false;
    const ast_node *name = n->kids[0];
    bool array = name->kind == AST_NAME && rewrite_names_array(f->r, name);
    return array && rows_is_all(slices_part(n, slices_part_count(n) - 1));
}

/* No other slice stands in n. */
static bool has_rows_alone(const row_finder *f, const ast_node *n)
{
    if (row_value_is_slice(f, n) || !slices_stand_in(n)) return true;
    if (!slices_go_through(f->r, n)) return !slices_rank(n);
    for (uint32_t i = n->kind == AST_CALL; i < n->kid_count; i++)
        if (!has_rows_alone(f, n->kids[i])) return false;
    return true;
}

static bool has_row(const row_finder *f, const ast_node *n)
{
    if (row_value_row(f, n) || row_value_is_slice(f, n) || row_value_is(f, n)) return true;
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        if (has_row(f, n->kids[i])) return true;
    return false;
}

/* ---- what there is ---- */

uint32_t row_value_targets(const ast_node *n)
{
    if (n->kind == AST_ASSIGN) return n->kid_count - 1;
    return n->kind == AST_AUGASSIGN || n->kind == AST_ANNASSIGN || n->kind == AST_FOR;
}

/* a, in a[i], a.flat[k], a.ravel()[k] */
static const char *array_behind(const ast_node *n)
{
    while (n->kind == AST_INDEX || n->kind == AST_ATTRIBUTE || n->kind == AST_CALL) n = n->kids[0];
    return n->kind == AST_NAME ? n->name : NULL;
}

static void add_view(row_finder *f, const ast_node *target, const ast_node *of, bool whole)
{
    const char *name = array_behind(of);
    if (target->kind != AST_NAME || !name) return;
    row_view *v = arena_new(&f->r->s->comp->arena, row_view);
    *v = (row_view){name, whole, map_get(&f->views, target->name)};
    row_value_put(f, &f->views, target->name, v);
}

/* for target in of: an array, or enumerate(an array) */
static void add_looped(row_finder *f, const ast_node *target, const ast_node *of)
{
    bool call = of->kind == AST_CALL && of->kids[0]->kind == AST_NAME;
    if (!call) add_view(f, target, of, true);
    else if (of->kid_count > 1 && strcmp(of->kids[0]->name, "enumerate") == 0 &&
             target->kind == AST_TUPLE)
        add_view(f, target->kids[target->kid_count - 1], of->kids[1], true);
}

static void find_views(row_finder *f, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i], *value = n->kid_count ? n->kids[n->kid_count - 1] : NULL;
        if (n->kind == AST_FOR) add_looped(f, n->kids[0], n->kids[1]);
        if (n->kind == AST_ASSIGN && value->kind == AST_INDEX)
            for (uint32_t k = 0; k + 1 < n->kid_count; k++)
                if (n->kids[k]->kind == AST_NAME)
                    add_view(f, n->kids[k], value, slices_rank(value) > 0);
        find_views(f, n->body);
        find_views(f, n->orelse);
    }
}

/* Whether it is stored in its elements: as a whole it may be a number of its own. */
static void store_name(row_finder *f, const char *name, bool elements)
{
    row_value_put(f, &f->stored, name, f);
    for (const row_view *v = map_get(&f->views, name); v; v = v->next)
        if ((elements || v->whole) && !map_get(&f->stored, v->of)) store_name(f, v->of, true);
}

static void store(row_finder *f, const ast_node *target)
{
    for (uint32_t i = 0; target->kind == AST_TUPLE && i < target->kid_count; i++)
        if (target->kids[i]->kind == AST_NAME)
            row_value_put(f, &f->stored, target->kids[i]->name, f); /* not what it stood for */
        else store(f, target->kids[i]);
    const char *name = target->kind == AST_TUPLE ? NULL : array_behind(target);
    const ast_node *alias = name ? map_get(&f->alias, name) : NULL;
    if (name) store_name(f, alias ? row_value_base(alias) : name, target->kind != AST_NAME);
}

/* What a function that is called may write. */
static void store_given(row_finder *f, const ast_node *n)
{
    bool call = n->kind == AST_CALL && !slices_go_through(f->r, n);
    bool named = call && (n->kids[0]->kind == AST_NAME || n->kids[0]->kind == AST_ATTRIBUTE);
    static const char *const readers[] = {"len", "norm", "enumerate"};
    bool reads = named && sema_is_fold(n->kids[0]->name);
    for (unsigned i = 0; named && i < COUNT_OF(readers); i++)
        reads |= strcmp(n->kids[0]->name, readers[i]) == 0;
    for (uint32_t i = 1; call && !reads && i < n->kid_count; i++) {
        const ast_node *x = n->kids[i]->kind == AST_KEYWORD ? n->kids[i]->kids[0] : n->kids[i];
        if (x->kind == AST_NAME || x->kind == AST_INDEX) store(f, x);
        const char *name = row_value_base(x);
        if (name) row_value_put(f, &f->given, name, f);
    }
    for (uint32_t i = 0; i < n->kid_count; i++) store_given(f, n->kids[i]);
}

static void count_bound(row_finder *f, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        map names = {0};
        rewrite_bound_names(&f->r->s->comp->arena, &names, list->at[i], f);
        for (uint32_t k = 0; k < names.n; k++) {
            const char *name = names.entries[k].key;
            row_value_put(f, &f->bound, name, (char *)map_get(&f->bound, name) + 1);
        }
        count_bound(f, list->at[i]->body);
        count_bound(f, list->at[i]->orelse);
    }
}

/* Of name = e, once, of a local. */
static const char *assigned_once(const row_finder *f, const ast_node *n)
{
    if (n->kind != AST_ASSIGN || n->kid_count != 2 || n->kids[0]->kind != AST_NAME) return NULL;
    const char *name = n->kids[0]->name;
    bool local = map_get(&f->r->locals, name) == f->r;
    return local && (uintptr_t)map_get(&f->bound, name) == 1 ? name : NULL;
}

static void find_aliases(row_finder *f, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const char *name = assigned_once(f, list->at[i]);
        ast_node *value = name ? list->at[i]->kids[1] : NULL;
        if (value && rewrite_is_row(f->r, value)) row_value_put(f, &f->alias, name, value);
        find_aliases(f, list->at[i]->body);
        find_aliases(f, list->at[i]->orelse);
    }
}

static void find_stored(row_finder *f, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        for (uint32_t k = 0; k < row_value_targets(n); k++)
            if (n->kids[k]->kind != AST_NAME || n->kind == AST_AUGASSIGN) store(f, n->kids[k]);
        for (uint32_t k = 0; k < n->kid_count; k++) store_given(f, n->kids[k]);
        find_stored(f, n->body);
        find_stored(f, n->orelse);
    }
}

/* Whether slices stand in operators and functions of numbers. */
static bool has_slice(const row_finder *f, const ast_node *n)
{
    if (slices_rank(n)) return true;
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        if (has_slice(f, n->kids[i])) return true;
    return false;
}

/* float4(x[i]): that is no row. */
static bool makes_vector(const row_finder *f, const ast_node *n)
{
    sema_names names = {.s = f->r->s, .file = f->r->fn->file};
    sema_global g = {0};
    if (n->kind == AST_CALL && !rewrite_is_local(f->r, n->kids[0]))
        g = sema_find_node(names, n->kids[0]);
    if (g.kind == GLOBAL_TYPE && sema_is_vector(g.type)) return true;
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        if (makes_vector(f, n->kids[i])) return true;
    return false;
}

bool row_value_may_be(const row_finder *f, const ast_node *value)
{
    return slices_go_through(f->r, value) && has_rows_alone(f, value) && has_row(f, value) &&
           !makes_vector(f, value);
}

/* Whether what a name is assigned once, in the i-th statement of the list, may be all that is read
 * of it: of a parameter nothing stands in front, or outside of the list. */
static bool is_its_value(const row_finder *f, const ast_list *list, uint32_t i, const char *name)
{
    const row_value v = {.name = name};
    const ast_list rest = {.at = list->at + i, .n = list->n - i};
    return !row_value_is_given(f, name) ||
           row_value_count(&rest, &v) == row_value_count(&f->r->fn->body, &v);
}

static void find_values(row_finder *f, ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        ast_node *n = list->at[i];
        const char *name = assigned_once(f, n);
        const ast_node *value = name ? n->kids[1] : NULL;
        uint32_t changed;
        if (value && row_value_may_be(f, value) && is_its_value(f, list, i, name) &&
            row_changes_count(f, name, &changed)) {
            row_value *v = arena_new(&f->r->s->comp->arena, row_value);
            *v = (row_value){.name = name, .at = n, .list = list, .place = i, .changed = changed};
            v->used = v->sure = has_slice(f, value) || map_get(&f->copies, name);
            row_value_put(f, &f->values, name, v);
        }
        find_values(f, n->body);
        find_values(f, n->orelse);
    }
}

/* ---- which of them are used as arrays ---- */

static void mark(row_finder *f, const ast_node *n, bool sure)
{
    row_value *v = n->kind == AST_NAME ? map_get(&f->values, n->name) : NULL;
    if (v) v->used = true;
    if (v && sure) v->sure = true;
}

/* Those in operators and functions of numbers. */
static void mark_beside(row_finder *f, const ast_node *n)
{
    mark(f, n, true);
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        mark_beside(f, n->kids[i]);
}

/* Where acc += d, out[:] = d. */
static void mark_stored(row_finder *f, const ast_node *n)
{
    row_value *v = n->kind == AST_NAME ? map_get(&f->values, n->name) : NULL;
    if (v) v->beside = true;
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        mark_stored(f, n->kids[i]);
}

static void find_uses(row_finder *f, const ast_node *n)
{
    const ast_node *callee = n->kind == AST_CALL ? n->kids[0] : NULL;
    bool method = callee && callee->kind == AST_ATTRIBUTE;
    const char *name = method || (callee && callee->kind == AST_NAME) ? callee->name : "";
    if (n->kind == AST_INDEX) mark(f, n->kids[0], false);
    if (n->kind == AST_ATTRIBUTE && strcmp(n->name, "shape") == 0) mark(f, n->kids[0], true);
    bool several = n->kid_count > 2 && (strcmp(name, "min") == 0 || strcmp(name, "max") == 0);
    if (sema_is_fold(name) && !several) {
        if (method) mark_beside(f, callee->kids[0]);
        for (uint32_t i = 1; i < n->kid_count; i++) mark_beside(f, n->kids[i]);
    }
    if ((strcmp(name, "len") == 0 || strcmp(name, "norm") == 0) && n->kid_count == 2)
        mark_beside(f, n->kids[1]);
    for (uint32_t i = 0; i < n->kid_count; i++) find_uses(f, n->kids[i]);
}

bool row_value_is_made(const row_finder *f, const ast_node *n)
{
    return n->kind == AST_NAME && rewrite_is_private(f->r, n);
}

static void find_all_uses(row_finder *f, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i], *target = n->kids ? n->kids[0] : NULL;
        for (uint32_t k = 0; k < n->kid_count; k++) find_uses(f, n->kids[k]);
        if (n->kind == AST_FOR) mark(f, n->kids[1], true);
        if (n->kind == AST_ASSIGN && target->kind == AST_TUPLE) mark(f, n->kids[1], true);
        if (n->kind == AST_AUGASSIGN && row_value_is_made(f, target)) mark_stored(f, n->kids[1]);
        if ((n->kind == AST_ASSIGN || n->kind == AST_AUGASSIGN) && slices_rank(target))
            mark_stored(f, n->kids[1]);
        find_all_uses(f, n->body);
        find_all_uses(f, n->orelse);
    }
}

/* What it was before it changed is one, too. */
static bool spread_back(row_finder *f, const row_value *v)
{
    const char *name = map_get(&f->before, v->name);
    row_value *before = name ? map_get(&f->values, name) : NULL;
    if (!before || (before->used >= v->used && before->sure >= v->sure)) return false;
    before->used |= v->used;
    before->sure |= v->sure;
    return true;
}

/* What is computed of such a one in turn is one too. */
static bool spread_use(row_finder *f, row_value *v, const ast_node *n)
{
    row_value *of = n->kind == AST_NAME ? map_get(&f->values, n->name) : NULL;
    bool changed = of && ((of->used && !v->used) || (v->sure && of->used && !of->sure) ||
                          (of->sure && !v->sure));
    if (of) {
        v->used |= of->used;
        v->sure |= of->sure;
        of->sure |= v->sure && of->used;
    }
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        changed |= spread_use(f, v, n->kids[i]);
    return changed;
}

static bool has_known(const row_finder *f, const ast_node *n);

bool row_value_is_used(row_finder *f, const ast_node *assignment, const char *name)
{
    row_value v = {.name = name};
    row_finder own = {.r = f->r, .alias = f->alias};
    if (has_known(f, assignment->kids[1])) return true;
    row_value_put(&own, &own.values, name, &v);
    find_all_uses(&own, &f->r->fn->body);
    return v.used;
}

/* ---- which arrays have rows ---- */

bool row_value_is_known(const row_finder *f, const ast_node *n)
{
    const ast_node *row = row_value_row(f, n);
    if (row_value_is_slice(f, n)) return true;
    return row && rewrite_most_indices(f->r, row_value_base(row)) > row_value_indices(row);
}

void row_value_know(row_finder *f, const ast_node *n)
{
    const ast_node *row = row_value_row(f, n);
    uintptr_t dims = row ? row_value_indices(row) + 1 : 0;
    if (row && !row_value_is_known(f, n) && dims <= SLICES_DIMS)
        row_value_put(f, &f->r->most, row_value_base(row), (void *)dims);
}

/* The one array of which all rows in n are; "": there are several. */
static const char *only_base(const row_finder *f, const ast_node *n, const char *base)
{
    const ast_node *row = row_value_row(f, n);
    if (row && base && strcmp(base, row_value_base(row)) != 0) return "";
    if (row) return row_value_base(row);
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        base = only_base(f, n->kids[i], base);
    return base;
}

static bool has_known(const row_finder *f, const ast_node *n)
{
    if (row_value_is_known(f, n) ||
        (row_value_is(f, n) && ((row_value *)map_get(&f->values, n->name))->used))
        return true;
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        if (has_known(f, n->kids[i])) return true;
    return false;
}

/* a - b, a + b: of one array, and where it is sure that something has rows. */
static void know_sums(row_finder *f, const ast_node *n, bool sure)
{
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        know_sums(f, n->kids[i], sure);
    if (n->kind != AST_BINARY || (n->op != TOK_SUB && n->op != TOK_ADD)) return;
    const ast_node *a = row_value_row(f, n->kids[0]), *b = row_value_row(f, n->kids[1]);
    bool both = a && b && (sure || strcmp(row_value_base(a), row_value_base(b)) == 0);
    if (both || (sure && a && has_known(f, n->kids[1]))) row_value_know(f, n->kids[0]);
    if (both || (sure && b && has_known(f, n->kids[0]))) row_value_know(f, n->kids[1]);
}

static void know_all(row_finder *f, const ast_node *n)
{
    row_value_know(f, n);
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        know_all(f, n->kids[i]);
}

/* Of rows and literals alone: nothing else in it can be a vector. */
static bool is_plain(const row_finder *f, const ast_node *n)
{
    if (row_value_row(f, n) || row_value_is(f, n) || n->kind == AST_INT || n->kind == AST_FLOAT)
        return true;
    if (!slices_go_through(f->r, n)) return false;
    for (uint32_t i = n->kind == AST_CALL; i < n->kid_count; i++)
        if (!is_plain(f, n->kids[i])) return false;
    return true;
}

static bool find_known(row_finder *f, const row_value *v)
{
    const ast_node *value = v->at->kids[1];
    bool tell = v->sure || is_plain(f, value);
    if (tell) know_sums(f, value, v->sure);
    if (has_known(f, value)) return true;
    const char *only = tell ? only_base(f, value, NULL) : NULL;
    if (!only || !*only) return false;
    know_all(f, value);
    return true;
}

/* ---- whether the arrays stay as they are ---- */

static uint32_t count_in(const ast_node *n, const row_value *v);

uint32_t row_value_count(const ast_list *list, const row_value *v)
{
    uint32_t count = 0;
    for (uint32_t i = 0; list && i < list->n; i++) count += count_in(list->at[i], v);
    return count;
}

/* How often the name stands in n. */
static uint32_t count_in(const ast_node *n, const row_value *v)
{
    uint32_t count = row_value_names(n, v);
    for (uint32_t i = 0; i < n->kid_count; i++) count += count_in(n->kids[i], v);
    return count + row_value_count(n->body, v) + row_value_count(n->orelse, v);
}

static bool reads_stored(const row_finder *f, const ast_node *n, const map *stored)
{
    const ast_node *row = row_value_row(f, n);
    const char *base = row || row_value_is_slice(f, n) ? row_value_base(row ? row : n) : NULL;
    if (base && map_get(stored, base)) return true;
    if (n->kind == AST_NAME && map_get(stored, n->name)) return true;
    row_value *v = n->kind == AST_NAME ? map_get(&f->values, n->name) : NULL;
    if (v && reads_stored(f, v->at->kids[1], stored)) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (reads_stored(f, n->kids[i], stored)) return true;
    return false;
}

/* The statement n; of a branch only what is called in its condition. */
static bool writes(row_finder *f, const row_value *v, ast_node *n)
{
    ast_list one = {.at = &n, .n = 1};
    row_finder own = {.r = f->r, .alias = f->alias, .values = f->values, .views = f->views};
    if (n->kind == AST_IF) store_given(&own, n->kids[0]);
    else find_stored(&own, &one);
    return reads_stored(f, v->at->kids[1], &own.stored);
}

/* Whether nothing in the list is read of v behind what writes, from the begin-th statement on. */
static bool is_kept_in(row_finder *f, const row_value *v, const ast_list *list, uint32_t begin,
                       bool *written)
{
    for (uint32_t i = begin; list && i < list->n; i++) {
        ast_node *n = list->at[i];
        bool loop = n->body && n->kind != AST_IF;
        if (*written && count_in(n, v)) return false;
        if (loop && writes(f, v, n) && count_in(n, v)) return false;
        *written |= writes(f, v, n);
        if (n->kind != AST_IF) continue;
        bool one = *written, other = *written;
        if (!is_kept_in(f, v, n->body, 0, &one) || !is_kept_in(f, v, n->orelse, 0, &other))
            return false;
        *written = one || other;
    }
    return true;
}

/* All that is read of it is in its block, and nothing behind what writes what it is made of. */
static bool is_kept(row_finder *f, const row_value *v)
{
    ast_list rest = {.at = v->list->at + v->place, .n = v->list->n - v->place};
    bool written = false;
    if (!reads_stored(f, v->at->kids[1], &f->stored)) return true;
    return row_value_count(&rest, v) == row_value_count(&f->r->fn->body, v) &&
           is_kept_in(f, v, v->list, v->place + 1, &written);
}

static void refuse_value(row_finder *f, const row_value *v, bool known)
{
    arena *a = &f->r->s->comp->arena;
    const char *shown = map_get(&f->shown, v->name);
    rewrite_refuse(
        f->r, v->at->kids[1],
        arena_printf(a,
                     known ? "'%s' is computed of rows where it is used, and they are written in "
                             "between"
                           : "of which arrays '%s' is rows is not known here",
                     shown ? shown : v->name),
        known ? "keep it in an array of the function's own: t = np.zeros(3); t[:] = p[j] - p[i]"
              : "write a row as p[i, :]");
}

void rewrite_row_values(rewriter *r)
{
    row_finder f = {.r = r}, first = {.r = r};
    map *all = &f.values;
    count_bound(&first, &r->fn->body);
    find_aliases(&first, &r->fn->body);
    row_changes_rename(&first, &r->fn->body);
    f.before = first.before;
    f.shown = first.shown;
    f.copies = first.copies;
    count_bound(&f, &r->fn->body);
    find_aliases(&f, &r->fn->body);
    find_views(&f, &r->fn->body);
    find_stored(&f, &r->fn->body);
    find_values(&f, &r->fn->body);
    if (!all->n) return;
    find_all_uses(&f, &r->fn->body);
    for (uint32_t i = 0; i < all->n; i++) {
        row_value *v = all->entries[i].value;
        if (has_known(&f, v->at->kids[1])) v->used = true;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < all->n; i++) {
            row_value *v = all->entries[i].value;
            changed |= spread_use(&f, v, v->at->kids[1]);
            bool surely = v->used && v->beside && !v->sure;
            if (surely) v->sure = changed = true;
            changed |= spread_back(&f, v);
        }
    }
    for (uint32_t i = 0; i < all->n; i++) {
        row_value *v = all->entries[i].value;
        if (!v->used) continue;
        bool known = find_known(&f, v);
        if (known && is_kept(&f, v)) row_value_become(&f, v);
        else if (v->sure) refuse_value(&f, v, known);
    }
}

/*
 * What is computed of rows and changed then. Of one whose elements are assigned those are kept, as
 * many as the greatest index says that is written; all others are computed as before:
 *
 *     d = p[j] - p[i]             .row0 = j; .row1 = i; .kept0 = np.array([p[.row0][0] - ...])
 *     d[0] -= w*round(d[0]/w)     .kept0[0] -= w*round(.kept0[0]/w)
 *     np.sum(d*d)                 of .kept0[k] if k < 1 else p[.row0][k] - p[.row1][k]
 *
 * One that is changed as a whole, d -= w*np.round(d/w), is another one from there on. A copy of a
 * row, p[i].copy(), is such a one too.
 */
#include "lib/sema/row_values.h"

enum { MOST_KEPT = 16 };

/* ---- elements ---- */

static bool literal_of(const row_finder *f, const ast_node *n, uint64_t *value)
{
    sema_const k;
    sema_global g = {.kind = GLOBAL_NONE};
    *value = n->kind == AST_INT ? n->integer : 0;
    if (n->kind == AST_INT) return !n->overflow;
    bool named = n->kind == AST_NAME && !rewrite_is_local(f->r, n) && !f->r->fn->file->host;
    if (named) g = sema_find_node((sema_names){.s = f->r->s, .file = f->r->fn->file}, n);
    if (g.kind != GLOBAL_CONST || sema_module_const(f->r->s, g.constant, &k)) return false;
    *value = k.bits;
    return type_is_int(k.type) && !sema_const_negative(k);
}

static bool is_range(const row_finder *f, const ast_node *callee)
{
    sema_names names = {.s = f->r->s, .file = f->r->fn->file};
    sema_global g = sema_find_node(names, callee);
    return !rewrite_is_local(f->r, callee) && g.kind == GLOBAL_BUILTIN &&
           (g.builtin == BI_RANGE || g.builtin == BI_STATIC_RANGE);
}

/* Of range(3), range(1, 3): one more than the greatest number, or 0. */
static uint64_t range_bound(const row_finder *f, const ast_node *n)
{
    uint64_t bound = 0, value;
    bool known = n->kind == AST_CALL && n->kid_count > 1 && n->kid_count <= 3 &&
                 !n->keyword_count && is_range(f, n->kids[0]);
    for (uint32_t i = 1; known && i < n->kid_count; i++) {
        known = literal_of(f, n->kids[i], &value);
        bound = value;
    }
    return known ? bound : 0;
}

/* The greatest bound of the loops whose variable a name is, and how many they are. */
static void loop_bounds(const row_finder *f, const ast_list *list, const char *name,
                        uint64_t *bound, uintptr_t *count)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        if (n->kind == AST_FOR && n->kids[0]->kind == AST_NAME &&
            strcmp(n->kids[0]->name, name) == 0) {
            uint64_t own = range_bound(f, n->kids[1]);
            *count += own > 0;
            if (own > *bound) *bound = own;
        }
        loop_bounds(f, n->body, name, bound, count);
        loop_bounds(f, n->orelse, name, bound, count);
    }
}

/* One more than an index can be; 0 where that is not known, as of a parameter, which has a value
 * before a loop gives it others. */
static uint64_t index_bound(const row_finder *f, const ast_node *n)
{
    uint64_t bound = 0;
    uintptr_t count = 0;
    if (literal_of(f, n, &bound)) return bound + 1;
    if (n->kind != AST_NAME || row_value_is_given(f, n->name)) return 0;
    loop_bounds(f, &f->r->fn->body, n->name, &bound, &count);
    return count == (uintptr_t)map_get(&f->bound, n->name) ? bound : 0;
}

/* Whether what is stored under the name are elements whose indices are known; most: a bound. */
static bool known_target(const row_finder *f, const ast_node *target, const char *name,
                         uint64_t *most)
{
    const char *base = row_value_base(target);
    for (uint32_t i = 0; target->kind == AST_TUPLE && i < target->kid_count; i++)
        if (!known_target(f, target->kids[i], name, most)) return false;
    if (!base || strcmp(base, name) != 0 || target->kind == AST_NAME) return true;
    uint64_t bound = target->kids[0]->kind == AST_NAME ? index_bound(f, target->kids[1]) : 0;
    if (bound > *most) *most = bound;
    return bound && bound <= MOST_KEPT;
}

static bool known_targets(const row_finder *f, const ast_list *list, const char *name,
                          uint64_t *most)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        for (uint32_t k = 0; k < row_value_targets(n); k++)
            if (!known_target(f, n->kids[k], name, most)) return false;
        if (!known_targets(f, n->body, name, most) || !known_targets(f, n->orelse, name, most))
            return false;
    }
    return true;
}

bool row_changes_count(row_finder *f, const char *name, uint32_t *count)
{
    uint64_t most = 0;
    *count = 0;
    if (!map_get(&f->stored, name)) return true;
    if (map_get(&f->given, name) || !known_targets(f, &f->r->fn->body, name, &most)) return false;
    *count = (uint32_t)most;
    return most > 0;
}

bool row_changes_is_kept(const row_finder *f, const row_value *v, const ast_node *index)
{
    uint64_t bound = index_bound(f, index);
    return bound && bound <= v->changed;
}

/* ---- as a whole ---- */

static bool binds(const ast_node *n, const char *name)
{
    return (n->kind == AST_ASSIGN || n->kind == AST_AUGASSIGN) && n->kid_count == 2 &&
           n->kids[0]->kind == AST_NAME && strcmp(n->kids[0]->name, name) == 0;
}

/* Whether something may be another name of it: e = d. */
static bool has_other_name(const ast_list *list, const char *name)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        bool named = n->kind == AST_ASSIGN && n->kids[0]->kind == AST_NAME;
        const ast_node *value = named ? n->kids[n->kid_count - 1] : NULL;
        if (value && value->kind == AST_NAME && strcmp(value->name, name) == 0) return true;
        if (has_other_name(n->body, name) || has_other_name(n->orelse, name)) return true;
    }
    return false;
}

static void rename_in(ast_node *n, const char *name, const char *as);

static void rename_in_list(const ast_list *list, uint32_t begin, const char *name, const char *as)
{
    for (uint32_t i = begin; list && i < list->n; i++) rename_in(list->at[i], name, as);
}

static void rename_in(ast_node *n, const char *name, const char *as)
{
    if (n->kind == AST_NAME && strcmp(n->name, name) == 0) n->name = as;
    for (uint32_t i = 0; i < n->kid_count; i++) rename_in(n->kids[i], name, as);
    rename_in_list(n->body, 0, name, as);
    rename_in_list(n->orelse, 0, name, as);
}

/* From its i-th statement on, which assigns it, another name in the list. */
static void go_on_as(row_finder *f, ast_list *list, uint32_t i, const char *name)
{
    rewriter *r = f->r;
    ast_node *n = list->at[i];
    const char *as = rewrite_made_name(r, "changed");
    const char *shown = map_get(&f->shown, name);
    row_value_put(f, &f->shown, as, shown ? shown : name);
    row_value_put(f, &f->before, as, name);
    row_value_put(f, &r->locals, as, r);
    rename_in_list(list, i + 1, name, as);
    if (n->kind == AST_AUGASSIGN) {
        ast_node *old = rewrite_name(r, name, n->kids[0]->span);
        ast_node *value = rewrite_binary(r, (token_kind)n->op, old, n->kids[1]);
        value->span = n->span;
        value->op_span = n->op_span;
        n->kind = AST_ASSIGN;
        n->kids[1] = value;
    }
    n->kids[0] = rewrite_name(r, as, n->kids[0]->span);
}

/* Whether a name of the list is assigned so often that it may be changed as a whole. What follows
 * goes through all statements for each, so that of very many there only some are looked at. */
static bool may_change(row_finder *f, const ast_list *list, const char *name)
{
    enum { MOST_CHANGES = 4, MOST_WORK = 1 << 20 };
    uintptr_t bound = (uintptr_t)map_get(&f->bound, name);
    if (bound < 2 || bound > 1 + MOST_CHANGES || f->work > MOST_WORK) return false;
    f->work += list->n;
    return true;
}

/* Whether the name, which the i-th statement of the list assigns first, is assigned in that list
 * alone, and stands nowhere else. */
static bool changes_in(const row_finder *f, const ast_list *list, uint32_t i, const char *name)
{
    const row_value v = {.name = name};
    const ast_list rest = {.at = list->at + i, .n = list->n - i};
    uintptr_t count = 0;
    for (uint32_t k = i; k < list->n; k++) count += binds(list->at[k], name);
    return count == (uintptr_t)map_get(&f->bound, name) &&
           row_value_count(&rest, &v) == row_value_count(&f->r->fn->body, &v) &&
           !has_other_name(&rest, name);
}

/* p[i].copy(), np.copy(p[i]): the row of which a copy is made, or NULL. */
static ast_node *copied_row(const row_finder *f, ast_node *n)
{
    if (n->kind != AST_CALL || n->kid_count > 2 || n->keyword_count) return NULL;
    ast_node *callee = n->kids[0];
    if (callee->kind != AST_ATTRIBUTE || strcmp(callee->name, "copy") != 0) return NULL;
    bool numpy = n->kid_count == 2 && !rewrite_is_local(f->r, callee) &&
                 rewrite_is_numpy(f->r, callee->kids[0]);
    ast_node *row = numpy ? n->kids[1] : n->kid_count == 1 ? callee->kids[0] : NULL;
    return row && (row_value_row(f, row) || row_value_is_slice(f, row)) ? row : NULL;
}

/* A copy of a row is computed of it as +p[i] is. What is copied is a row: numbers need no copy. */
static void put_copy(row_finder *f, ast_node *n)
{
    ast_node *row = n->kind == AST_ASSIGN ? copied_row(f, n->kids[n->kid_count - 1]) : NULL;
    if (!row) return;
    row_value_know(f, row);
    if (n->kids[0]->kind == AST_NAME) row_value_put(f, &f->copies, n->kids[0]->name, f);
    ast_node *value = rewrite_node(f->r, AST_UNARY, n->kids[n->kid_count - 1]->span, 1);
    value->op = TOK_ADD;
    value->kids[0] = row;
    n->kids[n->kid_count - 1] = value;
}

void row_changes_rename(row_finder *f, ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        ast_node *n = list->at[i];
        bool named = n->kind == AST_ASSIGN && n->kid_count == 2 && n->kids[0]->kind == AST_NAME;
        const char *name = named ? n->kids[0]->name : NULL;
        put_copy(f, n);
        if (name && map_get(&f->r->locals, name) == f->r && row_value_may_be(f, n->kids[1]) &&
            may_change(f, list, name) && changes_in(f, list, i, name) &&
            row_value_is_used(f, n, name))
            for (uint32_t k = i + 1; k < list->n; k++) {
                if (!binds(list->at[k], name)) continue;
                go_on_as(f, list, k, name);
                name = list->at[k]->kids[0]->name;
            }
        row_changes_rename(f, n->body);
        row_changes_rename(f, n->orelse);
    }
}

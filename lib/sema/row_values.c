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
#include "lib/sema/rewrite.h"

typedef struct row_value {
    const char *name;
    ast_node *at;   /* the assignment */
    ast_list *list; /* it stands in */
    uint32_t place; /* and where */
    ast_node *value;
    const char *base; /* a parameter whose rows are in it */
    uint32_t dims;    /* indices of that in front of those of a row */
    VEC(ast_node *) leaves;
    bool used, sure; /* as an array; of numbers for sure */
    bool beside;     /* it stands where a number or an array does: acc += d */
} row_value;

typedef struct finder {
    rewriter *r;
    map bound;  /* name -> how often it is assigned */
    map stored; /* name -> anything: of arrays whose elements are, as far as is known */
    map alias;  /* name -> its value: of what is assigned x[i] alone, once */
    map values; /* name -> row_value */
} finder;

static void put(finder *f, map *m, const char *name, const void *value)
{
    map_put(&f->r->s->comp->arena, m, name, (void *)value);
}

static const char *base_of(const ast_node *n)
{
    while (n->kind == AST_INDEX) n = n->kids[0];
    return n->kind == AST_NAME ? n->name : NULL;
}

static uint32_t indices_of(const ast_node *n)
{
    uint32_t count = 0;
    for (; n->kind == AST_INDEX; n = n->kids[0]) count += slices_part_count(n);
    return count;
}

static bool is_value(const finder *f, const ast_node *n)
{
    return n->kind == AST_NAME && map_get(&f->values, n->name);
}

static bool names(const ast_node *n, const row_value *v)
{
    return n->kind == AST_NAME && strcmp(n->name, v->name) == 0;
}

/* x[i] of a parameter x, or a name that is only that. */
static const ast_node *row_of(const finder *f, const ast_node *n)
{
    const ast_node *of = n->kind == AST_NAME ? map_get(&f->alias, n->name) : n;
    if (!of || !rewrite_is_row(f->r, of)) return NULL;
    while (n->kind == AST_INDEX) n = n->kids[0];
    return rewrite_is_private(f->r, n) ? NULL : of;
}

/* x[i, :] */
static bool is_row_slice(const finder *f, const ast_node *n)
{
    if (n->kind != AST_INDEX || n->op || slices_rank(n) != 1 || slices_part_count(n) < 2)
        return false;
    const ast_node *name = n->kids[0];
    bool array = name->kind == AST_NAME && rewrite_names_array(f->r, name);
    return array && rows_is_all(slices_part(n, slices_part_count(n) - 1));
}

/* No other slice stands in n. */
static bool has_rows_alone(const finder *f, const ast_node *n)
{
    if (is_row_slice(f, n) || !slices_stand_in(n)) return true;
    if (!slices_go_through(f->r, n)) return !slices_rank(n);
    for (uint32_t i = n->kind == AST_CALL; i < n->kid_count; i++)
        if (!has_rows_alone(f, n->kids[i])) return false;
    return true;
}

static bool has_row(const finder *f, const ast_node *n)
{
    if (row_of(f, n) || is_row_slice(f, n) || is_value(f, n)) return true;
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        if (has_row(f, n->kids[i])) return true;
    return false;
}

/* ---- what there is ---- */

static uint32_t targets_of(const ast_node *n)
{
    if (n->kind == AST_ASSIGN) return n->kid_count - 1;
    return n->kind == AST_AUGASSIGN || n->kind == AST_ANNASSIGN || n->kind == AST_FOR;
}

static void store(finder *f, const ast_node *target)
{
    for (uint32_t i = 0; target->kind == AST_TUPLE && i < target->kid_count; i++)
        store(f, target->kids[i]);
    while (target->kind == AST_ATTRIBUTE) target = target->kids[0];
    const char *name = base_of(target);
    const ast_node *alias = name ? map_get(&f->alias, name) : NULL;
    if (name) put(f, &f->stored, alias ? base_of(alias) : name, f);
}

/* What a function that is called may write. */
static void store_given(finder *f, const ast_node *n)
{
    bool call = n->kind == AST_CALL && !slices_go_through(f->r, n);
    bool reads = call && (n->kids[0]->kind == AST_NAME || n->kids[0]->kind == AST_ATTRIBUTE) &&
                 (sema_is_fold(n->kids[0]->name) || strcmp(n->kids[0]->name, "len") == 0 ||
                  strcmp(n->kids[0]->name, "norm") == 0);
    for (uint32_t i = 1; call && !reads && i < n->kid_count; i++) {
        const ast_node *x = n->kids[i]->kind == AST_KEYWORD ? n->kids[i]->kids[0] : n->kids[i];
        if (x->kind == AST_NAME || x->kind == AST_INDEX) store(f, x);
    }
    for (uint32_t i = 0; i < n->kid_count; i++) store_given(f, n->kids[i]);
}

static void count_bound(finder *f, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        map names = {0};
        rewrite_bound_names(&f->r->s->comp->arena, &names, list->at[i], f);
        for (uint32_t k = 0; k < names.n; k++) {
            const char *name = names.entries[k].key;
            put(f, &f->bound, name, (char *)map_get(&f->bound, name) + 1);
        }
        count_bound(f, list->at[i]->body);
        count_bound(f, list->at[i]->orelse);
    }
}

/* Of name = e, once, of a local. */
static const char *assigned_once(const finder *f, const ast_node *n)
{
    if (n->kind != AST_ASSIGN || n->kid_count != 2 || n->kids[0]->kind != AST_NAME) return NULL;
    const char *name = n->kids[0]->name;
    bool local = map_get(&f->r->locals, name) == f->r;
    return local && (uintptr_t)map_get(&f->bound, name) == 1 ? name : NULL;
}

static void find_aliases(finder *f, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const char *name = assigned_once(f, list->at[i]);
        ast_node *value = name ? list->at[i]->kids[1] : NULL;
        if (value && rewrite_is_row(f->r, value)) put(f, &f->alias, name, value);
        find_aliases(f, list->at[i]->body);
        find_aliases(f, list->at[i]->orelse);
    }
}

static void find_stored(finder *f, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        for (uint32_t k = 0; k < targets_of(n); k++)
            if (n->kids[k]->kind != AST_NAME || n->kind == AST_AUGASSIGN) store(f, n->kids[k]);
        for (uint32_t k = 0; k < n->kid_count; k++) store_given(f, n->kids[k]);
        find_stored(f, n->body);
        find_stored(f, n->orelse);
    }
}

/* Whether slices stand in operators and functions of numbers. */
static bool has_slice(const finder *f, const ast_node *n)
{
    if (slices_rank(n)) return true;
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        if (has_slice(f, n->kids[i])) return true;
    return false;
}

/* float4(x[i]): that is no row. */
static bool makes_vector(const finder *f, const ast_node *n)
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

static void find_values(finder *f, ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        ast_node *n = list->at[i];
        const char *name = assigned_once(f, n);
        const ast_node *value = name ? n->kids[1] : NULL;
        if (value && slices_go_through(f->r, value) && has_rows_alone(f, value) &&
            has_row(f, value) && !makes_vector(f, value) && !map_get(&f->stored, name)) {
            row_value *v = arena_new(&f->r->s->comp->arena, row_value);
            *v = (row_value){.name = name, .at = n, .list = list, .place = i};
            v->used = v->sure = has_slice(f, value);
            put(f, &f->values, name, v);
        }
        find_values(f, n->body);
        find_values(f, n->orelse);
    }
}

/* ---- which of them are used as arrays ---- */

static void mark(finder *f, const ast_node *n, bool sure)
{
    row_value *v = n->kind == AST_NAME ? map_get(&f->values, n->name) : NULL;
    if (v) v->used = true;
    if (v && sure) v->sure = true;
}

/* Those in operators and functions of numbers. */
static void mark_beside(finder *f, const ast_node *n)
{
    mark(f, n, true);
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        mark_beside(f, n->kids[i]);
}

/* Where acc += d, out[:] = d. */
static void mark_stored(finder *f, const ast_node *n)
{
    row_value *v = n->kind == AST_NAME ? map_get(&f->values, n->name) : NULL;
    if (v) v->beside = true;
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        mark_stored(f, n->kids[i]);
}

static void find_uses(finder *f, const ast_node *n)
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

static bool is_made(const finder *f, const ast_node *n)
{
    return n->kind == AST_NAME && rewrite_is_private(f->r, n);
}

static void find_all_uses(finder *f, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i], *target = n->kids ? n->kids[0] : NULL;
        for (uint32_t k = 0; k < n->kid_count; k++) find_uses(f, n->kids[k]);
        if (n->kind == AST_FOR) mark(f, n->kids[1], true);
        if (n->kind == AST_ASSIGN && target->kind == AST_TUPLE) mark(f, n->kids[1], true);
        if (n->kind == AST_AUGASSIGN && is_made(f, target)) mark_stored(f, n->kids[1]);
        if ((n->kind == AST_ASSIGN || n->kind == AST_AUGASSIGN) && slices_rank(target))
            mark_stored(f, n->kids[1]);
        find_all_uses(f, n->body);
        find_all_uses(f, n->orelse);
    }
}

/* What is computed of such a one in turn is one too. */
static bool spread_use(finder *f, row_value *v, const ast_node *n)
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

/* ---- which arrays have rows ---- */

static bool is_known(const finder *f, const ast_node *n)
{
    const ast_node *row = row_of(f, n);
    if (is_row_slice(f, n)) return true;
    return row && rewrite_most_indices(f->r, base_of(row)) > indices_of(row);
}

static void know(finder *f, const ast_node *n)
{
    const ast_node *row = row_of(f, n);
    uintptr_t dims = row ? indices_of(row) + 1 : 0;
    if (row && !is_known(f, n) && dims <= SLICES_DIMS)
        put(f, &f->r->most, base_of(row), (void *)dims);
}

/* The one array of which all rows in n are; "": there are several. */
static const char *only_base(const finder *f, const ast_node *n, const char *base)
{
    const ast_node *row = row_of(f, n);
    if (row && base && strcmp(base, base_of(row)) != 0) return "";
    if (row) return base_of(row);
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        base = only_base(f, n->kids[i], base);
    return base;
}

static bool has_known(const finder *f, const ast_node *n)
{
    if (is_known(f, n) || (is_value(f, n) && ((row_value *)map_get(&f->values, n->name))->used))
        return true;
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        if (has_known(f, n->kids[i])) return true;
    return false;
}

/* a - b, a + b: of one array, and where it is sure that something has rows. */
static void know_sums(finder *f, const ast_node *n, bool sure)
{
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        know_sums(f, n->kids[i], sure);
    if (n->kind != AST_BINARY || (n->op != TOK_SUB && n->op != TOK_ADD)) return;
    const ast_node *a = row_of(f, n->kids[0]), *b = row_of(f, n->kids[1]);
    bool both = a && b && (sure || strcmp(base_of(a), base_of(b)) == 0);
    if (both || (sure && a && has_known(f, n->kids[1]))) know(f, n->kids[0]);
    if (both || (sure && b && has_known(f, n->kids[0]))) know(f, n->kids[1]);
}

static void know_all(finder *f, const ast_node *n)
{
    know(f, n);
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(f->r, n) && i < n->kid_count; i++)
        know_all(f, n->kids[i]);
}

/* Of rows and literals alone: nothing else in it can be a vector. */
static bool is_plain(const finder *f, const ast_node *n)
{
    if (row_of(f, n) || is_value(f, n) || n->kind == AST_INT || n->kind == AST_FLOAT) return true;
    if (!slices_go_through(f->r, n)) return false;
    for (uint32_t i = n->kind == AST_CALL; i < n->kid_count; i++)
        if (!is_plain(f, n->kids[i])) return false;
    return true;
}

static bool find_known(finder *f, const row_value *v)
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

static uint32_t count_in_list(const ast_list *list, const row_value *v)
{
    uint32_t count = 0;
    for (uint32_t i = 0; list && i < list->n; i++) count += count_in(list->at[i], v);
    return count;
}

/* How often the name stands in n. */
static uint32_t count_in(const ast_node *n, const row_value *v)
{
    uint32_t count = names(n, v);
    for (uint32_t i = 0; i < n->kid_count; i++) count += count_in(n->kids[i], v);
    return count + count_in_list(n->body, v) + count_in_list(n->orelse, v);
}

static bool reads_stored(const finder *f, const ast_node *n, const map *stored)
{
    const ast_node *row = row_of(f, n);
    const char *base = row || is_row_slice(f, n) ? base_of(row ? row : n) : NULL;
    if (base && map_get(stored, base)) return true;
    if (n->kind == AST_NAME && map_get(stored, n->name)) return true;
    row_value *v = n->kind == AST_NAME ? map_get(&f->values, n->name) : NULL;
    if (v && reads_stored(f, v->at->kids[1], stored)) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (reads_stored(f, n->kids[i], stored)) return true;
    return false;
}

static bool writes(finder *f, const row_value *v, ast_node *n)
{
    ast_list one = {.at = &n, .n = 1};
    finder own = {.r = f->r, .alias = f->alias, .values = f->values};
    find_stored(&own, &one);
    return reads_stored(f, v->at->kids[1], &own.stored);
}

/* Whether nothing in the list is read of v behind what writes, from the begin-th statement on. */
static bool is_kept_in(finder *f, const row_value *v, const ast_list *list, uint32_t begin,
                       bool *written)
{
    for (uint32_t i = begin; list && i < list->n; i++) {
        ast_node *n = list->at[i];
        bool loop = n->body && n->kind != AST_IF;
        if (*written && count_in(n, v)) return false;
        if (loop && writes(f, v, n) && count_in(n, v)) return false;
        if (n->kind != AST_IF) {
            *written |= writes(f, v, n);
            continue;
        }
        bool one = *written, other = *written;
        if (!is_kept_in(f, v, n->body, 0, &one) || !is_kept_in(f, v, n->orelse, 0, &other))
            return false;
        *written = one || other;
    }
    return true;
}

/* All that is read of it is in its block, and nothing behind what writes what it is made of. */
static bool is_kept(finder *f, const row_value *v)
{
    ast_list rest = {.at = v->list->at + v->place, .n = v->list->n - v->place};
    bool written = false;
    if (!reads_stored(f, v->at->kids[1], &f->stored)) return true;
    return count_in_list(&rest, v) == count_in_list(&f->r->fn->body, v) &&
           is_kept_in(f, v, v->list, v->place + 1, &written);
}

/* ---- what stands in their place ---- */

static const char *snapshot(finder *f, ast_list *to, ast_node *value)
{
    const char *name = rewrite_made_name(f->r, "row");
    rewrite_assign(f->r, to, name, value);
    put(f, &f->r->locals, name, f->r);
    return name;
}

static bool is_constant(const finder *f, const ast_node *n)
{
    const ast_node *of = n->kind == AST_UNARY ? n->kids[0] : n;
    return of->kind == AST_INT || of->kind == AST_FLOAT || of->kind == AST_BOOL ||
           (n->kind == AST_NAME && rewrite_is_parameter(f->r, n));
}

static ast_node *kept(finder *f, ast_list *to, ast_node *n)
{
    return is_constant(f, n) ? n : rewrite_name(f->r, snapshot(f, to, n), n->span);
}

static bool has_leaf(const finder *f, const ast_node *n)
{
    if (is_known(f, n) || is_made(f, n) || is_value(f, n)) return true;
    if (n->kind == AST_NAME) return rewrite_is_parameter(f->r, n);
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

static ast_node *keep_row(finder *f, row_value *v, ast_list *to, ast_node *n)
{
    ast_list parts = {0};
    const ast_node *row = row_of(f, n);
    ast_node *leaf;
    if (n->kind == AST_NAME) {
        leaf = rewrite_name(f->r, snapshot(f, to, n), n->span);
        put(f, &f->alias, leaf->name, row);
    } else {
        leaf = slices_parts(f->r, n, &parts);
        for (uint32_t i = 0; i < parts.n; i++) {
            ast_node *part = kept(f, to, parts.at[i]);
            leaf = rewrite_pair(f->r, AST_INDEX, leaf, part);
        }
        leaf->span = n->span;
    }
    const char *base = row ? base_of(row) : base_of(n);
    if (!v->base && !rewrite_is_private(f->r, &(ast_node){.name = base})) {
        v->base = base;
        v->dims = row ? indices_of(row) : indices_of(n);
    }
    vec_push(&f->r->s->comp->arena, &v->leaves, leaf);
    return leaf;
}

static void mark_numbers(const finder *f, ast_node *n)
{
    if (rewrite_is_row(f->r, n) && n->kids[0]->kind == AST_NAME) n->stands = true;
    for (uint32_t i = 0; i < n->kid_count; i++) mark_numbers(f, n->kids[i]);
}

static ast_node *instance_of(finder *f, const row_value *v, const ast_node *n, const ast_node *k);

/* Puts what is to be kept of a value in front of its assignment. */
static ast_node *keep(finder *f, row_value *v, ast_list *to, ast_node *n)
{
    if (is_row_slice(f, n)) { /* of another such value too */
        ast_list parts = {0};
        ast_node *row = slices_parts(f->r, n, &parts);
        parts.n--;
        for (uint32_t i = 0; i < parts.n; i++)
            row = rewrite_pair(f->r, AST_INDEX, row, parts.at[i]);
        row->span = n->span;
        return keep_row(f, v, to, row);
    }
    if (is_known(f, n)) return keep_row(f, v, to, n);
    if (is_value(f, n)) { /* with the rows that it has */
        row_value *of = map_get(&f->values, n->name);
        if (of->value) return keep(f, v, to, instance_of(f, of, of->value, NULL));
    }
    if (n->kind == AST_NAME && (is_made(f, n) || rewrite_is_parameter(f->r, n))) {
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
static ast_node *element_of_name(finder *f, const ast_node *n, const ast_node *k)
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
static ast_node *instance_of(finder *f, const row_value *v, const ast_node *n, const ast_node *k)
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
    ast_node *c = rewrite_copied(r, n);
    for (uint32_t i = 0; i < n->kid_count; i++) c->kids[i] = instance_of(f, v, n->kids[i], k);
    return c;
}

static ast_node *length_of(finder *f, const row_value *v, cpl_span span)
{
    ast_node *row = NULL;
    for (uint32_t i = 0; i < v->leaves.n && !row; i++)
        if (row_of(f, v->leaves.at[i])) row = rewrite_copy(f->r, v->leaves.at[i]);
    row->span = span;
    return rewrite_call(f->r, ".len", row);
}

/* isinstance(p, numbers) */
static ast_node *of_numbers(finder *f, const row_value *v, cpl_span span)
{
    rewriter *r = f->r;
    const char *kind = arena_printf(&r->s->comp->arena, "%s%u", SEMA_NUMBERS, v->dims + 1);
    return rewrite_call_of_two(r, ".isinstance", rewrite_name(r, v->base, span),
                               rewrite_name(r, kind, span));
}

static void refuse(finder *f, const row_value *v, ast_node *n)
{
    arena *a = &f->r->s->comp->arena;
    rewrite_refuse(
        f->r, n,
        arena_printf(a, "'%s' is computed of rows where it is used, and is no array of its own",
                     v->name),
        arena_printf(a, "keep it in one: t = np.zeros(3); t[:] = %s", v->name));
}

/* Whether a call takes an array as a whole: of a function of the file. */
static bool takes_whole(const finder *f, const ast_node *n)
{
    if (n->kind != AST_CALL || slices_go_through(f->r, n)) return false;
    const ast_node *callee = n->kids[0];
    sema_names in = {.s = f->r->s, .file = f->r->fn->file};
    return callee->kind == AST_NAME &&
           (rewrite_is_local(f->r, callee) || sema_find_node(in, callee).kind == GLOBAL_FUNC);
}

static bool is_length(const finder *f, const ast_node *n)
{
    const ast_node *callee = n->kids[0];
    return callee->kind == AST_NAME && strcmp(callee->name, "len") == 0 &&
           !rewrite_is_local(f->r, callee);
}

/* Puts elements in the place of v, and where `all` it in that of the name. */
static ast_node *replace(finder *f, const row_value *v, ast_node *n, bool all)
{
    rewriter *r = f->r;
    bool index = n->kind == AST_INDEX && names(n->kids[0], v);
    bool call = n->kind == AST_CALL && n->kid_count == 2 && names(n->kids[1], v);
    if (all && names(n, v)) return instance_of(f, v, v->value, NULL);
    if (all && call && is_length(f, n)) return length_of(f, v, n->span);
    if (all && n->kind == AST_ATTRIBUTE && names(n->kids[0], v) && strcmp(n->name, "size") == 0)
        return length_of(f, v, n->span);
    if (all && n->kind == AST_INDEX && n->kids[0]->kind == AST_ATTRIBUTE &&
        names(n->kids[0]->kids[0], v) && strcmp(n->kids[0]->name, "shape") == 0)
        return length_of(f, v, n->span);
    if (index) {
        n->kids[1] = replace(f, v, n->kids[1], all);
        ast_node *element = instance_of(f, v, v->value, n->kids[1]);
        element->span = n->span;
        return v->sure || all ? element : rewrite_choose(r, of_numbers(f, v, n->span), element, n);
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (all && takes_whole(f, n) && names(n->kids[i], v)) refuse(f, v, n->kids[i]);
        else n->kids[i] = replace(f, v, n->kids[i], all);
    }
    return n;
}

/* Whether the name stands in n, but with an index. */
static bool stands_alone(const row_value *v, const ast_node *n)
{
    if (names(n, v)) return true;
    if (n->kind == AST_INDEX && names(n->kids[0], v)) return stands_alone(v, n->kids[1]);
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (stands_alone(v, n->kids[i])) return true;
    return false;
}

/* for e in d, a, b = d */
static void replace_loop(finder *f, const row_value *v, ast_node *n)
{
    rewriter *r = f->r;
    arena *a = &r->s->comp->arena;
    cpl_span span = n->kids[1]->span;
    if (n->kind == AST_ASSIGN) {
        ast_node *all = rewrite_node(r, AST_TUPLE, span, n->kids[0]->kid_count);
        for (uint32_t i = 0; i < all->kid_count; i++)
            all->kids[i] = instance_of(f, v, v->value, rewrite_integer(r, i, span));
        n->kids[1] = all;
        return;
    }
    const char *at = rewrite_made_name(r, "at");
    ast_list *body = arena_new(a, ast_list);
    ast_node *element = instance_of(f, v, v->value, rewrite_name(r, at, span));
    vec_push(a, body, rewrite_pair(r, AST_ASSIGN, n->kids[0], element));
    for (uint32_t i = 0; i < n->body->n; i++) vec_push(a, body, n->body->at[i]);
    n->body = body;
    n->kids[0] = rewrite_name(r, at, n->kids[0]->span);
    n->kids[1] = rewrite_call(r, ".range", length_of(f, v, span));
}

/* The statement, and where it cannot be told what v is of both. */
static ast_node *replace_in(finder *f, const row_value *v, ast_node *n)
{
    rewriter *r = f->r;
    arena *a = &r->s->comp->arena;
    bool loop = n->kind == AST_FOR && names(n->kids[1], v);
    bool apart = n->kind == AST_ASSIGN && n->kid_count == 2 && n->kids[0]->kind == AST_TUPLE &&
                 names(n->kids[1], v);
    if (v->sure && (loop || apart)) replace_loop(f, v, n);
    bool alone = false;
    for (uint32_t i = 0; i < n->kid_count; i++) alone |= stands_alone(v, n->kids[i]);
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

static void replace_in_list(finder *f, const row_value *v, ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        ast_node *n = list->at[i];
        if (n == v->at) continue;
        replace_in_list(f, v, n->body);
        replace_in_list(f, v, n->orelse);
        list->at[i] = replace_in(f, v, n);
    }
}

/* The assignment becomes those of what is kept. */
static void become(finder *f, row_value *v)
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

static void refuse_value(finder *f, const row_value *v, bool known)
{
    arena *a = &f->r->s->comp->arena;
    rewrite_refuse(
        f->r, v->at->kids[1],
        arena_printf(a,
                     known ? "'%s' is computed of rows where it is used, and they are written in "
                             "between"
                           : "of which arrays '%s' is rows is not known here",
                     v->name),
        known ? "keep it in an array of the function's own: t = np.zeros(3); t[:] = p[j] - p[i]"
              : "write a row as p[i, :]");
}

void rewrite_row_values(rewriter *r)
{
    finder f = {.r = r};
    map *all = &f.values;
    count_bound(&f, &r->fn->body);
    find_aliases(&f, &r->fn->body);
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
        }
    }
    for (uint32_t i = 0; i < all->n; i++) {
        row_value *v = all->entries[i].value;
        if (!v->used) continue;
        bool known = find_known(&f, v);
        if (known && is_kept(&f, v)) become(&f, v);
        else if (v->sure) refuse_value(&f, v, known);
    }
}

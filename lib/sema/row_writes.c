/*
 * Statements that write rows, m[i] = v and m[i] += v, where another index of the function or v says
 * that m[i] is one.
 */
#include "lib/sema/rewrite.h"

/* The name in x[i], of an array or row that has more dimensions; NULL: n is no such. */
static const ast_node *row_in(rewriter *r, ast_node *n)
{
    ast_list parts = {0};
    bool plain = n->kind == AST_INDEX && (slices_rank(n) || !slices_stand_in(n));
    const ast_node *name = plain ? slices_parts(r, n, &parts) : NULL;
    bool row = name && (map_get(&r->rows, name->name) || rewrite_dimensions(r, name->name) > 0 ||
                        rewrite_is_parameter(r, name));
    if (row && slices_left(r, n)) return name;
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(r, n) && i < n->kid_count; i++) {
        name = row_in(r, n->kids[i]);
        if (name) return name;
    }
    return NULL;
}

/* m[i] becomes m[i, :]. */
static void put_target(rewriter *r, ast_node *target)
{
    ast_list parts = {0};
    uint32_t left = slices_left(r, target);
    if (left) slices_put(r, target, slices_parts(r, target, &parts), &parts, left);
}

/* row += v: of all elements of a row. */
static bool augments_row(const rewriter *r, const ast_node *n)
{
    const ast_node *target = n->kids[0];
    return n->kind == AST_AUGASSIGN && target->kind == AST_NAME && map_get(&r->rows, target->name);
}

/* The most dimensions of the function's own arrays in n, as far as they are known. */
static uint32_t made_in(const rewriter *r, const ast_node *n)
{
    uint32_t most = n->kind == AST_NAME ? rewrite_dimensions(r, n->name) : 0;
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(r, n) && i < n->kid_count; i++) {
        uint32_t dims = made_in(r, n->kids[i]);
        if (dims > most) most = dims;
    }
    return most;
}

/* x[i] in n, where the function has the most indices more behind x; or NULL. */
static ast_node *row_beside(rewriter *r, ast_node *n)
{
    if (rewrite_is_row(r, n) && !n->stands && slices_left(r, n)) return n;
    ast_node *most = NULL;
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(r, n) && i < n->kid_count; i++) {
        ast_node *row = row_beside(r, n->kids[i]);
        if (row && (!most || slices_left(r, row) > slices_left(r, most))) most = row;
    }
    return most;
}

/* m[i] = v, where nothing but v can say that m[i] is a row. */
static bool writes_element(const rewriter *r, const ast_node *n)
{
    const ast_node *of = n->kids[0];
    while (of->kind == AST_INDEX) of = of->kids[0];
    return rewrite_is_row(r, n->kids[0]) && rewrite_is_parameter(r, of);
}

/* m[i] = acc, m[i] = acc/2: how many dimensions acc has, which is an array of the function's own;
 * else 0. */
static uint32_t made_beside(const rewriter *r, const ast_node *n)
{
    return writes_element(r, n) && made_in(r, n->kids[1]) == 1;
}

/* acc += v of an array of the function's own, of all its elements; a list is none. */
void row_writes_all(rewriter *r, ast_node *n)
{
    ast_list parts = {0};
    ast_node *name = n->kids[0];
    if (n->kind != AST_AUGASSIGN || name->kind != AST_NAME || map_get(&r->rows, name->name)) return;
    if (!map_get(&r->arrays, name->name) || map_get(&r->lists, name->name)) return;
    uint32_t dims = rewrite_dimensions(r, name->name);
    n->kids[0] = slices_whole(r, name, "a slice");
    if (dims > 1) slices_put(r, n->kids[0], name, &parts, dims);
}

/* What becomes of a statement over slices. */
static ast_list *statements_of(rewriter *r, ast_node *n)
{
    arena *a = &r->s->comp->arena;
    ast_list before = r->before, *all = arena_new(a, ast_list);
    r->before = (ast_list){0};
    rewrite_slices(r, n);
    *all = r->before;
    vec_push(a, all, n);
    r->before = before;
    return all;
}

/* n becomes: if the array of a name is of numbers, in as many dimensions as the function has
 * indices behind it, one, else the other. */
static void choose_rows(rewriter *r, ast_node *n, const ast_node *name, ast_list *rows,
                        ast_list *other)
{
    const char *array = overlap_array(r, name);
    const char *kind =
        arena_printf(&r->s->comp->arena, "%s%u", SEMA_NUMBERS, rewrite_most_indices(r, array));
    ast_node *choice = rewrite_node(r, AST_IF, n->span, 1);
    choice->kids[0] = rewrite_call_of_two(r, ".isinstance", rewrite_name(r, array, name->span),
                                          rewrite_name(r, kind, name->span));
    choice->body = rows;
    choice->orelse = other;
    choice->id = n->id;
    *n = *choice;
}

/* The same of `rows`, a statement of which slices are still to be taken, and of n as it is. */
static void choose_rows_of(rewriter *r, ast_node *n, const ast_node *name, ast_node *rows,
                           ast_node *element)
{
    arena *a = &r->s->comp->arena;
    ast_list *other = arena_new(a, ast_list);
    *other = (ast_list){0};
    vec_push(a, other, element);
    (void)slices_rows(r, rows->kids[1], false);
    choose_rows(r, n, name, statements_of(r, rows), other);
}

/* m[i] = p[j]*2, where the function has one index more behind p: that says what m[i] is, too. */
static bool copy_row(rewriter *r, ast_node *n)
{
    ast_node *row = writes_element(r, n) ? row_beside(r, n->kids[1]) : NULL;
    ast_list parts = {0};
    const ast_node *name = row ? slices_parts(r, row, &parts) : NULL;
    if (!name || !rewrite_is_parameter(r, name) || slices_left(r, row) != 1) return false;
    ast_node *element = rewrite_copied(r, n), *rows = rewrite_copy(r, n);
    parts.n = 0;
    ast_node *array = slices_parts(r, rows->kids[0], &parts);
    r->counted = false; /* where p[j] is a vector m[i] is none */
    slices_put(r, rows->kids[0], array, &parts, 1);
    r->counted = true;
    choose_rows_of(r, n, name, rows, element);
    return true;
}

/*
 * m[i] = v: where elements of m are numbers all of a row are written, v beside slices of it; else
 * m[i] is an element, a vector or matrix:
 *
 *     if isinstance(m, numbers): m[i, :] = v, as loops
 *     else: m[i] = v
 *
 * Of an array that is made here the dimensions say it.
 */
static bool write_rows(rewriter *r, ast_node *n)
{
    if (n->kid_count != 2 || slices_beside(r, n->kids[1])) return false;
    bool all = augments_row(r, n);
    if (!all && n->kids[0]->kind != AST_INDEX) return false;
    const ast_node *name = all ? n->kids[0] : row_in(r, n->kids[0]);
    if (!name && slices_rank(n->kids[0])) name = row_in(r, n->kids[1]);
    uint32_t given = name ? 0 : made_beside(r, n);
    if (!name && !given) return copy_row(r, n);
    if (name && rewrite_dimensions(r, name->name)) {
        put_target(r, n->kids[0]);
        (void)slices_rows(r, n->kids[1], false);
        return false;
    }
    ast_list parts = {0};
    if (!name) name = slices_parts(r, n->kids[0], &parts);
    ast_node *element = rewrite_copied(r, n), *rows = rewrite_copy(r, n), *target = rows->kids[0];
    if (all) rows->kids[0] = slices_whole(r, target, "a slice");
    else if (given) slices_put(r, target, (ast_node *)name, &parts, given);
    else put_target(r, target);
    choose_rows_of(r, n, name, rows, element);
    return true;
}

/* f[j, :] += p[j]*q[:], where p has more indices elsewhere: p[j] is a row, unless it is a vector.
 */
static bool write_beside(rewriter *r, ast_node *n)
{
    ast_list parts = {0};
    bool beside = n->kid_count == 2 && slices_beside(r, n->kids[1]);
    ast_node *row = beside ? row_beside(r, n->kids[1]) : NULL;
    if (!row) return false;
    const ast_node *name = slices_parts(r, row, &parts);
    ast_node *rows = rewrite_copy(r, n), *element = rewrite_copy(r, n);
    (void)slices_rows(r, rows->kids[1], false);
    slices_mark_elements(r, element->kids[1]);
    ast_list *body = statements_of(r, rows);
    choose_rows(r, n, name, body, statements_of(r, element));
    return true;
}

bool row_writes(rewriter *r, ast_node *n)
{
    return write_rows(r, n) || write_beside(r, n);
}

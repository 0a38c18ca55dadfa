/*
 * Slices of arrays: statements over them become loops over their elements, of which there are as
 * many as in the first slice,
 *
 *     a[1:-1] = 0.5*(b[2:] + b[:-2])      s = sum(x[::2]**2)      (folds.c)
 *
 * where begin and end of each are found first, as Python does: from the end where they are
 * negative, and within the array. With bounds_check the others are asserted to be as long. An array
 * that is written and read in other places would have to be copied, and is refused (infer_expr.c,
 * as are slices that stand anywhere else).
 */
#include "lib/sema/rewrite.h"

static bool is_slice(const ast_node *n)
{
    return n->kind == AST_INDEX && n->kids[1]->kind == AST_SLICE;
}

bool slices_stand_in(const ast_node *n)
{
    if (is_slice(n)) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (slices_stand_in(n->kids[i])) return true;
    return false;
}

/* ---- where a slice begins and ends ---- */

static bool is_step(const ast_node *n, int64_t *step)
{
    const ast_node *of = n->kind == AST_UNARY && n->op == TOK_SUB ? n->kids[0] : n;
    *step = 1;
    if (n->kind == AST_NONE) return true;
    if (of->kind != AST_INT || of->overflow || !of->integer || of->integer > INT32_MAX)
        return false;
    *step = of == n ? (int64_t)of->integer : -(int64_t)of->integer;
    return true;
}

/* Whether its parts are known to the loop, and it is of an array that has a name. */
static bool is_plain(const ast_node *n)
{
    int64_t step;
    return n->kids[0]->kind == AST_NAME && is_step(n->kids[1]->kids[2], &step) &&
           !slices_stand_in(n->kids[1]->kids[0]) && !slices_stand_in(n->kids[1]->kids[1]);
}

static ast_node *length(rewriter *r, const ast_node *slice)
{
    const ast_node *of = slice->kids[0];
    ast_node *call = rewrite_call(r, ".len", rewrite_name(r, of->name, of->span));
    call->name = slice->name;
    return call;
}

/* The index that a bound stands for, from low to the length less one more: a name. */
static const char *bound(rewriter *r, const ast_node *slice, ast_node *said, ast_node *otherwise,
                         int64_t low)
{
    const char *name = rewrite_made_name(r, "bound");
    cpl_span span = slice->span;
    if (said->kind == AST_NONE) {
        rewrite_put(r, name, otherwise);
        return name;
    }
    rewrite_put(r, name, said);
    ast_node *high = low ? rewrite_binary(r, TOK_SUB, length(r, slice), rewrite_integer(r, 1, span))
                         : length(r, slice);
#define HERE rewrite_name(r, name, span)
    rewrite_put(r, name,
                rewrite_choose(r, rewrite_compare(r, TOK_LT, HERE, rewrite_integer(r, 0, span)),
                               rewrite_binary(r, TOK_ADD, HERE, length(r, slice)), HERE));
    rewrite_put(r, name,
                rewrite_choose(r, rewrite_compare(r, TOK_LT, HERE, rewrite_integer(r, low, span)),
                               rewrite_integer(r, low, span), HERE));
    const char *limit = rewrite_made_name(r, "limit");
    rewrite_put(r, limit, high);
    rewrite_put(r, name,
                rewrite_choose(r, rewrite_compare(r, TOK_GT, HERE, rewrite_name(r, limit, span)),
                               rewrite_name(r, limit, span), HERE));
#undef HERE
    return name;
}

/* Where it begins, and how many elements it has: a name each. */
static const char *measure(rewriter *r, const ast_node *slice, const char *count)
{
    ast_node *parts = slice->kids[1];
    cpl_span span = slice->span;
    int64_t step;
    is_step(parts->kids[2], &step);
    bool back = step < 0;
    int64_t low = back ? -1 : 0, by = back ? -step : step;
    ast_node *last = rewrite_binary(r, TOK_SUB, length(r, slice), rewrite_integer(r, 1, span));
    const char *begin =
        bound(r, slice, parts->kids[0], back ? last : rewrite_integer(r, 0, span), low);
    const char *end = bound(r, slice, parts->kids[1],
                            back ? rewrite_integer(r, -1, span) : length(r, slice), low);
    ast_node *far = rewrite_name(r, back ? begin : end, span);
    ast_node *reach = rewrite_binary(r, TOK_SUB, far, rewrite_name(r, back ? end : begin, span));
    if (by > 1)
        reach = rewrite_binary(r, TOK_FLOORDIV,
                               rewrite_binary(r, TOK_ADD, reach, rewrite_integer(r, by - 1, span)),
                               rewrite_integer(r, by, span));
    rewrite_put(r, count, reach);
    return begin;
}

/* ---- the loop ---- */

static void check_length(slicing *x, const char *count, cpl_span span)
{
    static const char message[] = "slices of one statement are as long as each other";
    ast_node *said = rewrite_node(x->r, AST_STRING, span, 0);
    said->text = message;
    said->text_length = sizeof message - 1;
    ast_node *same = rewrite_compare(x->r, TOK_EQ, rewrite_name(x->r, count, span),
                                     rewrite_name(x->r, x->count, span));
    vec_push(&x->r->s->comp->arena, &x->r->before, rewrite_pair(x->r, AST_ASSERT, same, said));
}

static bool same(const ast_node *a, const ast_node *b)
{
    if (a->kind != b->kind || a->op != b->op || a->kid_count != b->kid_count) return false;
    if (a->kind == AST_NAME && strcmp(a->name, b->name) != 0) return false;
    if (a->kind == AST_INT && a->integer != b->integer) return false;
    if (a->kind == AST_CALL || a->kind == AST_ATTRIBUTE) return false;
    for (uint32_t i = 0; i < a->kid_count; i++)
        if (!same(a->kids[i], b->kids[i])) return false;
    return true;
}

/* Whether the loop would read what it has written. */
static bool is_read_elsewhere(const ast_node *target, const ast_node *n)
{
    if (is_slice(n) && strcmp(n->kids[0]->name, target->kids[0]->name) == 0)
        return !same(n->kids[1], target->kids[1]);
    if (n->kind == AST_INDEX && n->kids[0]->kind == AST_NAME &&
        strcmp(n->kids[0]->name, target->kids[0]->name) == 0)
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (is_read_elsewhere(target, n->kids[i])) return true;
    return false;
}

bool slices_are_plain(const ast_node *n)
{
    if (is_slice(n)) return is_plain(n);
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!slices_are_plain(n->kids[i])) return false;
    return true;
}

void slices_take(slicing *x, ast_node *n)
{
    if (!is_slice(n)) {
        for (uint32_t i = 0; i < n->kid_count; i++) slices_take(x, n->kids[i]);
        return;
    }
    rewriter *r = x->r;
    cpl_span span = n->span;
    const bool first = !x->count;
    if (!n->name) n->name = "a slice"; /* for messages */
    const char *count = rewrite_made_name(r, "count");
    const char *begin = measure(r, n, count);
    if (first) x->count = count;
    else check_length(x, count, span);
    int64_t step;
    is_step(n->kids[1]->kids[2], &step);
    ast_node *at = rewrite_name(r, x->index, span);
    if (step != 1) at = rewrite_binary(r, TOK_MUL, at, rewrite_integer(r, step, span));
    n->kids[1] = rewrite_binary(r, TOK_ADD, rewrite_name(r, begin, span), at);
}

ast_list *slices_loop(slicing *x, ast_node *n)
{
    rewriter *r = x->r;
    ast_node *rounds =
        rewrite_pair(r, AST_CALL, rewrite_name(r, r->top ? ".prange" : ".range", n->span),
                     rewrite_name(r, x->count, n->span));
    uint32_t id = n->id;
    *n = *rewrite_pair(r, AST_FOR, rewrite_name(r, x->index, n->span), rounds);
    n->id = id;
    n->body = arena_new(&r->s->comp->arena, ast_list);
    *n->body = (ast_list){0};
    return n->body;
}

void rewrite_slices(rewriter *r, ast_node *n)
{
    ast_node *target = n->kids[0], *value = n->kids[1];
    if (n->kid_count != 2 || !is_slice(target) || !is_plain(target) || !slices_are_plain(value) ||
        is_read_elsewhere(target, value))
        return;
    slicing x = {.r = r, .index = rewrite_made_name(r, "at")};
    slices_take(&x, target);
    slices_take(&x, value);
    ast_node *body = rewrite_pair(r, (ast_kind)n->kind, target, value);
    body->op = n->op;
    body->span = n->span;
    body->op_span = n->op_span;
    ast_list *rounds = slices_loop(&x, n);
    vec_push(&r->s->comp->arena, rounds, body);
}

/*
 * Slices of arrays: statements over them become loops over their elements, of which there are as
 * many as in the first slice,
 *
 *     a[1:-1] = 0.5*(b[2:] + b[:-2])      s = sum(x[::2]**2)      s = sum(x)
 *
 * where begin and end of each are found first, as Python does: from the end where they are
 * negative, and within the array. With bounds_check the others are asserted to be as long. An array
 * that is written and read in other places would have to be copied, and is refused (infer_expr.c,
 * as are slices that stand anywhere else).
 */
#include "lib/sema/rewrite.h"

typedef struct slicing {
    rewriter *r;
    const char *index, *count; /* names: of the loop, and of the number of rounds */
    const ast_node *target;    /* the slice that is written, or NULL */
} slicing;

static bool is_slice(const ast_node *n)
{
    return n->kind == AST_INDEX && n->kids[1]->kind == AST_SLICE;
}

static bool has_slice(const ast_node *n)
{
    if (is_slice(n)) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (has_slice(n->kids[i])) return true;
    return false;
}

/* ---- nodes ---- */

static ast_node *integer(rewriter *r, int64_t value, cpl_span span)
{
    ast_node *n = rewrite_node(r, AST_INT, span, 0);
    n->integer = (uint64_t)(value < 0 ? -value : value);
    if (value >= 0) return n;
    ast_node *minus = rewrite_node(r, AST_UNARY, span, 1);
    minus->op = TOK_SUB;
    minus->kids[0] = n;
    return minus;
}

static ast_node *compare(rewriter *r, token_kind op, ast_node *a, ast_node *b)
{
    ast_node *n = rewrite_pair(r, AST_COMPARE, a, b);
    uint8_t *ops = arena_array(&r->s->comp->arena, 1, sizeof *ops);
    ops[0] = (uint8_t)op;
    n->ops = ops;
    return n;
}

static ast_node *choose(rewriter *r, ast_node *condition, ast_node *a, ast_node *b)
{
    ast_node *n = rewrite_node(r, AST_TERNARY, condition->span, 3);
    n->kids[0] = condition;
    n->kids[1] = a;
    n->kids[2] = b;
    return n;
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
           !has_slice(n->kids[1]->kids[0]) && !has_slice(n->kids[1]->kids[1]);
}

static ast_node *length(rewriter *r, const ast_node *slice)
{
    const ast_node *of = slice->kids[0];
    return rewrite_call(r, ".len", rewrite_name(r, of->name, of->span));
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
    ast_node *high =
        low ? rewrite_binary(r, TOK_SUB, length(r, slice), integer(r, 1, span)) : length(r, slice);
#define HERE rewrite_name(r, name, span)
    rewrite_put(r, name,
                choose(r, compare(r, TOK_LT, HERE, integer(r, 0, span)),
                       rewrite_binary(r, TOK_ADD, HERE, length(r, slice)), HERE));
    rewrite_put(r, name,
                choose(r, compare(r, TOK_LT, HERE, integer(r, low, span)), integer(r, low, span),
                       HERE));
    const char *limit = rewrite_made_name(r, "limit");
    rewrite_put(r, limit, high);
    rewrite_put(r, name,
                choose(r, compare(r, TOK_GT, HERE, rewrite_name(r, limit, span)),
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
    ast_node *last = rewrite_binary(r, TOK_SUB, length(r, slice), integer(r, 1, span));
    const char *begin = bound(r, slice, parts->kids[0], back ? last : integer(r, 0, span), low);
    const char *end =
        bound(r, slice, parts->kids[1], back ? integer(r, -1, span) : length(r, slice), low);
    ast_node *far = rewrite_name(r, back ? begin : end, span);
    ast_node *reach = rewrite_binary(r, TOK_SUB, far, rewrite_name(r, back ? end : begin, span));
    if (by > 1)
        reach = rewrite_binary(r, TOK_FLOORDIV,
                               rewrite_binary(r, TOK_ADD, reach, integer(r, by - 1, span)),
                               integer(r, by, span));
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
    ast_node *same =
        compare(x->r, TOK_EQ, rewrite_name(x->r, count, span), rewrite_name(x->r, x->count, span));
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

static bool all_plain(const ast_node *n)
{
    if (is_slice(n)) return is_plain(n);
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!all_plain(n->kids[i])) return false;
    return true;
}

/* Each slice becomes its element of the round. */
static void take_elements(slicing *x, ast_node *n)
{
    if (!is_slice(n)) {
        for (uint32_t i = 0; i < n->kid_count; i++) take_elements(x, n->kids[i]);
        return;
    }
    rewriter *r = x->r;
    cpl_span span = n->span;
    const bool first = !x->count;
    const char *count = rewrite_made_name(r, "count");
    const char *begin = measure(r, n, count);
    if (first) x->count = count;
    else check_length(x, count, span);
    int64_t step;
    is_step(n->kids[1]->kids[2], &step);
    ast_node *at = rewrite_name(r, x->index, span);
    if (step != 1) at = rewrite_binary(r, TOK_MUL, at, integer(r, step, span));
    n->kids[1] = rewrite_binary(r, TOK_ADD, rewrite_name(r, begin, span), at);
}

/* n becomes the loop; body: its only statement. */
static void make_loop(slicing *x, ast_node *n, ast_node *body, bool parallel)
{
    rewriter *r = x->r;
    ast_node *rounds =
        rewrite_pair(r, AST_CALL, rewrite_name(r, parallel ? ".prange" : ".range", n->span),
                     rewrite_name(r, x->count, n->span));
    uint32_t id = n->id;
    *n = *rewrite_pair(r, AST_FOR, rewrite_name(r, x->index, n->span), rounds);
    n->id = id;
    n->body = arena_new(&r->s->comp->arena, ast_list);
    *n->body = (ast_list){0};
    vec_push(&r->s->comp->arena, n->body, body);
}

void rewrite_slices(rewriter *r, ast_node *n)
{
    ast_node *target = n->kids[0], *value = n->kids[1];
    if (n->kid_count != 2 || !is_slice(target) || !is_plain(target) || !all_plain(value) ||
        is_read_elsewhere(target, value))
        return;
    slicing x = {.r = r, .index = rewrite_made_name(r, "at")};
    take_elements(&x, target);
    take_elements(&x, value);
    ast_node *body = rewrite_pair(r, (ast_kind)n->kind, target, value);
    body->op = n->op;
    body->span = n->span;
    body->op_span = n->op_span;
    make_loop(&x, n, body, r->top);
}

/* Whether n names the builtin, alone or of NumPy, and no function of the file. */
static bool names_sum(const rewriter *r, const ast_node *n)
{
    if (strcmp(n->name, "sum") != 0 || rewrite_is_local(r, n)) return false;
    sema_names names = {.s = r->s, .file = r->fn->file};
    if (n->kind == AST_NAME) return sema_find_node(names, n).kind == GLOBAL_NONE;
    sema_global of = sema_find_node(names, n->kids[0]);
    return of.kind == GLOBAL_MODULE && of.module == MODULE_NUMPY;
}

/* The v of sum(v), np.sum(v) and, of a slice, v.sum(); else NULL. */
static ast_node *summed(const rewriter *r, const ast_node *call)
{
    const ast_node *callee = call->kids[0];
    if (callee->kind != AST_NAME && callee->kind != AST_ATTRIBUTE) return NULL;
    if (names_sum(r, callee)) return call->kid_count == 2 ? call->kids[1] : NULL;
    bool method = callee->kind == AST_ATTRIBUTE && strcmp(callee->name, "sum") == 0;
    return method && call->kid_count == 1 && is_slice(callee->kids[0]) ? callee->kids[0] : NULL;
}

/* x[:] */
static ast_node *whole(rewriter *r, ast_node *x)
{
    ast_node *slice = rewrite_node(r, AST_SLICE, x->span, 3);
    for (int i = 0; i < 3; i++) slice->kids[i] = rewrite_node(r, AST_NONE, x->span, 0);
    return rewrite_pair(r, AST_INDEX, x, slice);
}

void rewrite_sum(rewriter *r, ast_node *call)
{
    ast_node *value = r->again ? NULL : summed(r, call);
    if (!value) return;
    if (value->kind == AST_NAME && rewrite_is_local(r, value)) value = whole(r, value);
    if (!has_slice(value) || !all_plain(value)) return;
    slicing x = {.r = r, .index = rewrite_made_name(r, "at")};
    const char *total = rewrite_made_name(r, "sum");
    ast_node *loop = rewrite_node(r, AST_FOR, call->span, 0);
    take_elements(&x, value);
    rewrite_put(r, total, integer(r, 0, call->span));
    ast_node *body = rewrite_pair(r, AST_AUGASSIGN, rewrite_name(r, total, call->span), value);
    body->op = TOK_ADD;
    body->span = call->span;
    make_loop(&x, loop, body, r->top);
    vec_push(&r->s->comp->arena, &r->before, loop);
    uint32_t id = call->id;
    *call = *rewrite_name(r, total, call->span);
    call->id = id;
}

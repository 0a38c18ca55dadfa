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

/* ---- which they are ---- */

uint32_t slices_part_count(const ast_node *n)
{
    return n->kids[1]->kind == AST_TUPLE ? n->kids[1]->kid_count : 1;
}

/* Of x[part, part]. */
ast_node *slices_part(const ast_node *n, uint32_t i)
{
    return n->kids[1]->kind == AST_TUPLE ? n->kids[1]->kids[i] : n->kids[1];
}

uint32_t slices_rank(const ast_node *n)
{
    uint32_t rank = 0;
    if (n->kind != AST_INDEX) return 0;
    for (uint32_t i = 0; i < slices_part_count(n); i++)
        rank += slices_part(n, i)->kind == AST_SLICE;
    for (uint32_t k = 0; k < SLICES_DIMS; k++) rank += n->op >> k & 1;
    return rank;
}

uint32_t slices_most(const ast_node *n)
{
    uint32_t most = slices_rank(n);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        uint32_t rank = slices_most(n->kids[i]);
        if (rank > most) most = rank;
    }
    return most;
}

bool slices_stand_in(const ast_node *n)
{
    return slices_most(n) > 0;
}

/* None, np.newaxis */
static bool is_new(const rewriter *r, const ast_node *n)
{
    if (n->kind == AST_NONE) return true;
    if (n->kind != AST_ATTRIBUTE || strcmp(n->name, "newaxis") != 0) return false;
    return !rewrite_is_local(r, n) && rewrite_is_numpy(r, n->kids[0]);
}

/* x[:, None] becomes x[:], with a mark of the new dimension. */
static void mark_new(rewriter *r, ast_node *n)
{
    ast_list parts = {0};
    uint32_t at = 0, mask = 0;
    if (n->kids[1]->kind != AST_TUPLE || !slices_rank(n)) return;
    for (uint32_t i = 0; i < slices_part_count(n); i++) {
        ast_node *part = slices_part(n, i);
        bool new = is_new(r, part);
        if (new && at < SLICES_DIMS) mask |= 1u << at;
        if (new || part->kind == AST_SLICE) at++;
        if (!new) vec_push(&r->s->comp->arena, &parts, part);
    }
    if (!mask || at > SLICES_DIMS) return;
    n->op = (uint8_t)mask;
    n->kids[1]->kid_count = parts.n;
    n->kids[1]->kids = parts.at;
    if (parts.n == 1) n->kids[1] = parts.at[0];
}

static void find_new(rewriter *r, ast_node *n);

void slices_find_new(rewriter *r, ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) find_new(r, list->at[i]);
}

static void find_new(rewriter *r, ast_node *n)
{
    if (n->kind == AST_INDEX) mark_new(r, n);
    for (uint32_t i = 0; i < n->kid_count; i++) find_new(r, n->kids[i]);
    slices_find_new(r, n->body);
    slices_find_new(r, n->orelse);
}

/* ---- where a slice begins and ends ---- */

bool slices_step(const ast_node *n, int64_t *step)
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
    if (n->kids[0]->kind != AST_NAME) return false;
    for (uint32_t i = 0; i < slices_part_count(n); i++) {
        const ast_node *part = slices_part(n, i);
        bool slice = part->kind == AST_SLICE;
        if (slice && part->kids[2]->kind == AST_INT && !part->kids[2]->integer) return false;
        for (uint32_t k = 0; slice && k < 3; k++)
            if (slices_stand_in(part->kids[k])) return false;
        if (!slice && slices_stand_in(part)) return false;
    }
    return true;
}

typedef struct extent { /* one slice */
    rewriter *r;
    const ast_node *of; /* of the name of the array, with its indices */
    ast_node *slice;
    uint32_t dim;           /* which of the indices it is */
    int64_t by;             /* its step, a literal; else */
    const char *step, *low; /* names: the step, and -1 where that goes down */
} extent;

/* len(x), x.shape[1], of private arrays len(x[0]) */
static ast_node *length(const extent *e)
{
    rewriter *r = e->r;
    const ast_node *array = e->of->kids[0];
    cpl_span span = array->span;
    ast_node *n = rewrite_name(r, array->name, span);
    if (slices_part_count(e->of) > 1 && !rewrite_is_private(r, array)) {
        ast_node *shape = rewrite_node(r, AST_ATTRIBUTE, span, 1);
        shape->kids[0] = n;
        shape->name = "shape";
        return rewrite_pair(r, AST_INDEX, shape, rewrite_integer(r, e->dim, span));
    }
    for (uint32_t i = 0; i < e->dim; i++)
        n = rewrite_pair(r, AST_INDEX, n, rewrite_integer(r, 0, span));
    n = rewrite_call(r, ".len", n);
    n->name = e->of->name;
    return n;
}

/* The least that a bound may be, and how far below the length the most is: 0, or -1 where the slice
 * goes down. */
static ast_node *low(const extent *e)
{
    cpl_span span = e->slice->span;
    return e->low ? rewrite_name(e->r, e->low, span) : rewrite_integer(e->r, -(e->by < 0), span);
}

/* The index that a bound stands for: a name. */
static const char *bound(const extent *e, ast_node *said, ast_node *otherwise)
{
    rewriter *r = e->r;
    const char *name = rewrite_made_name(r, "bound");
    cpl_span span = e->slice->span;
    if (said->kind == AST_NONE) {
        rewrite_put(r, name, otherwise);
        return name;
    }
    rewrite_put(r, name, said);
    bool less = e->low || e->by < 0;
#define HERE rewrite_name(r, name, span)
    rewrite_put(r, name,
                rewrite_choose(r, rewrite_compare(r, TOK_LT, HERE, rewrite_integer(r, 0, span)),
                               rewrite_binary(r, TOK_ADD, HERE, length(e)), HERE));
    rewrite_put(r, name, rewrite_choose(r, rewrite_compare(r, TOK_LT, HERE, low(e)), low(e), HERE));
    const char *limit = rewrite_made_name(r, "limit");
    rewrite_put(r, limit, less ? rewrite_binary(r, TOK_ADD, length(e), low(e)) : length(e));
    rewrite_put(r, name,
                rewrite_choose(r, rewrite_compare(r, TOK_GT, HERE, rewrite_name(r, limit, span)),
                               rewrite_name(r, limit, span), HERE));
#undef HERE
    return name;
}

/* a where the slice goes down, else b */
static ast_node *if_down(const extent *e, ast_node *a, ast_node *b)
{
    if (!e->step) return e->by < 0 ? a : b;
    cpl_span span = e->slice->span;
    ast_node *down = rewrite_compare(e->r, TOK_LT, rewrite_name(e->r, e->step, span),
                                     rewrite_integer(e->r, 0, span));
    return rewrite_choose(e->r, down, a, b);
}

/* A step that is no literal is computed once; of one of 0 there are no elements. */
static void find_step(extent *e)
{
    cpl_span span = e->slice->span;
    if (slices_step(e->slice->kids[2], &e->by)) return;
    e->step = rewrite_before(e->r, "step", e->slice->kids[2]);
    e->low =
        rewrite_before(e->r, "low",
                       if_down(e, rewrite_integer(e->r, -1, span), rewrite_integer(e->r, 0, span)));
}

/* far - near, as many steps as that is, begun ones too */
static ast_node *reach_by_literal(const extent *e, const char *begin, const char *end)
{
    rewriter *r = e->r;
    cpl_span span = e->slice->span;
    bool back = e->by < 0;
    int64_t by = back ? -e->by : e->by;
    ast_node *far = rewrite_name(r, back ? begin : end, span);
    ast_node *reach = rewrite_binary(r, TOK_SUB, far, rewrite_name(r, back ? end : begin, span));
    if (by == 1) return reach;
    return rewrite_binary(r, TOK_FLOORDIV,
                          rewrite_binary(r, TOK_ADD, reach, rewrite_integer(r, by - 1, span)),
                          rewrite_integer(r, by, span));
}

/* (end - begin + step -+ 1) // step where there are elements; a quotient by 0 is 0 */
static ast_node *reach_by_name(const extent *e, const char *begin, const char *end)
{
    rewriter *r = e->r;
    cpl_span span = e->slice->span;
#define NAMED(of) rewrite_name(r, of, span)
    ast_node *some = if_down(e, rewrite_compare(r, TOK_LT, NAMED(end), NAMED(begin)),
                             rewrite_compare(r, TOK_LT, NAMED(begin), NAMED(end)));
    ast_node *reach = rewrite_binary(r, TOK_SUB, NAMED(end), NAMED(begin));
    ast_node *last = if_down(e, rewrite_integer(r, -1, span), rewrite_integer(r, 1, span));
    reach = rewrite_binary(r, TOK_SUB, rewrite_binary(r, TOK_ADD, reach, NAMED(e->step)), last);
    reach = rewrite_binary(r, TOK_FLOORDIV, reach, NAMED(e->step));
#undef NAMED
    return rewrite_choose(r, some, reach, rewrite_integer(r, 0, span));
}

/* Where it begins, and how many elements it has: a name each. */
static const char *measure(extent *e, const char *count)
{
    rewriter *r = e->r;
    ast_node *parts = e->slice;
    cpl_span span = e->slice->span;
    find_step(e);
    ast_node *last = rewrite_binary(r, TOK_SUB, length(e), rewrite_integer(r, 1, span));
    const char *begin = bound(e, parts->kids[0], if_down(e, last, rewrite_integer(r, 0, span)));
    const char *end = bound(e, parts->kids[1], if_down(e, rewrite_integer(r, -1, span), length(e)));
    rewrite_put(r, count, e->step ? reach_by_name(e, begin, end) : reach_by_literal(e, begin, end));
    return begin;
}

/* ---- the loop ---- */

static void check_length(slicing *x, ast_node *same)
{
    static const char message[] = "slices of one statement are as long as each other";
    ast_node *said = rewrite_node(x->r, AST_STRING, same->span, 0);
    said->text = message;
    said->text_length = sizeof message - 1;
    vec_push(&x->r->s->comp->arena, &x->r->before, rewrite_pair(x->r, AST_ASSERT, same, said));
}

static bool all_plain(const ast_node *n)
{
    if (slices_rank(n)) return is_plain(n);
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!all_plain(n->kids[i])) return false;
    return true;
}

/* ---- arrays that stand as a whole ---- */

/* Whether a call is of a function of numbers, which goes element by element. */
static bool is_of_elements(const rewriter *r, const ast_node *n)
{
    const ast_node *callee = n->kids[0];
    sema_names names = {.s = r->s, .file = r->fn->file};
    if (n->keyword_count || rewrite_is_local(r, callee)) return false;
    sema_global g = sema_find_node(names, callee);
    if (g.kind == GLOBAL_BUILTIN) return sema_is_function(g.builtin);
    if (g.kind != GLOBAL_FUNC || callee->kind != AST_ATTRIBUTE) return g.kind == GLOBAL_TYPE;
    return rewrite_is_numpy(r, callee->kids[0]);
}

bool slices_go_through(const rewriter *r, const ast_node *n)
{
    return n->kind == AST_BINARY || n->kind == AST_UNARY || n->kind == AST_COMPARE ||
           n->kind == AST_BOOLOP || n->kind == AST_TERNARY ||
           (n->kind == AST_CALL && is_of_elements(r, n));
}

ast_node *slices_whole(rewriter *r, ast_node *x, const char *what)
{
    ast_node *slice = rewrite_node(r, AST_SLICE, x->span, 3);
    for (int i = 0; i < 3; i++) slice->kids[i] = rewrite_node(r, AST_NONE, x->span, 0);
    ast_node *n = rewrite_pair(r, AST_INDEX, x, slice);
    n->name = what;
    return n;
}

static const char the_index[] = "the index of a slice";

ast_node *slices_index(rewriter *r, const char *array, cpl_span span)
{
    return slices_whole(r, rewrite_name(r, array, span), the_index);
}

bool slices_is_index(const ast_node *n)
{
    return n->kind == AST_INDEX && n->name == the_index;
}

bool slices_has_index(const ast_node *n)
{
    if (slices_is_index(n)) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (slices_has_index(n->kids[i])) return true;
    return false;
}

/* a where the parameter of that name is an array, else b */
static ast_node *if_array(rewriter *r, const ast_node *name, ast_node *a, ast_node *b)
{
    ast_node *is_array =
        rewrite_call_of_two(r, ".isinstance", rewrite_name(r, name->name, name->span),
                            rewrite_name(r, SEMA_ARRAY, name->span));
    return rewrite_choose(r, is_array, a, b);
}

static bool is_target(const slicing *x, const ast_node *n)
{
    return x->target && strcmp(x->target->kids[0]->name, n->name) == 0;
}

/* In loops of several dimensions: those of an array that is known to have several too. */
static uint32_t dimensions_in(const slicing *x, const ast_node *name)
{
    uint32_t dims = rewrite_is_private(x->r, name) ? rewrite_dimensions(x->r, name->name)
                                                   : rewrite_most_indices(x->r, name->name);
    return x->dims > 1 ? dims : 1;
}

/* Names of private arrays become slices, and of what is written as a whole; those of parameters
 * elements where they are arrays: of one dimension, which is the last of several loops. */
static void spread(slicing *x, ast_node **at)
{
    rewriter *r = x->r;
    ast_node *n = *at;
    if (n->kind == AST_NAME && is_target(x, n)) return; /* a part of it alone is written */
    uint32_t dims = rewrite_names_array(r, n) ? dimensions_in(x, n) : 1;
    if (dims > x->dims) return;
    if (dims > 1) {
        ast_list none = {0};
        *at = rewrite_node(r, AST_INDEX, n->span, 2);
        slices_put(r, *at, n, &none, dims);
    } else if (n->kind == AST_NAME && rewrite_is_private(r, n)) {
        *at = slices_whole(r, n, x->what);
    } else if (n->kind == AST_NAME && rewrite_is_parameter(r, n)) {
        vec_push(&r->s->comp->arena, &x->names, n);
        ast_node *element =
            rewrite_pair(r, AST_INDEX, n, rewrite_name(r, x->index[x->dims - 1], n->span));
        element->name = x->what;
        element->stands = x->dims > 1; /* one of two dimensions would stand for all loops */
        *at = if_array(r, n, element, rewrite_name(r, n->name, n->span));
    } else if (slices_go_through(r, n)) {
        for (uint32_t i = n->kind == AST_CALL; i < n->kid_count; i++) spread(x, &n->kids[i]);
    }
}

/* Whether spread would find something. */
static bool has_arrays(const rewriter *r, const ast_node *n)
{
    if (rewrite_names_array(r, n)) return true;
    for (uint32_t i = 0; slices_go_through(r, n) && i < n->kid_count; i++)
        if (has_arrays(r, n->kids[i])) return true;
    return false;
}

static ast_node *length_of(slicing *x, const ast_node *name)
{
    ast_node *n = rewrite_call(x->r, ".len", rewrite_name(x->r, name->name, name->span));
    n->name = x->what;
    return n;
}

/* As many rounds as the first array has elements; to where none is one, the first name is given. */
static void count_names(slicing *x)
{
    rewriter *r = x->r;
    const char **count = &x->count[x->dims - 1];
    if (!*count && x->names.n) {
        ast_node *n = length_of(x, x->names.at[0]);
        for (uint32_t i = x->names.n; i-- > 0;)
            n = if_array(r, x->names.at[i], length_of(x, x->names.at[i]), n);
        *count = rewrite_before(r, "count", n);
    }
    for (uint32_t i = 0; i < x->names.n; i++) {
        const ast_node *name = x->names.at[i];
        ast_node *n =
            rewrite_compare(r, TOK_EQ, length_of(x, name), rewrite_name(r, *count, name->span));
        check_length(x, if_array(r, name, n, rewrite_truth(r, true, name->span)));
    }
    x->names.n = 0;
}

/* What is no number or name is computed once, in front of the loop. */
static ast_node *hoisted(rewriter *r, ast_node *index)
{
    const ast_node *of = index->kind == AST_UNARY ? index->kids[0] : index;
    if (index->kind == AST_COMPARE) return index; /* x[x > 0], which is no index */
    return of->kind == AST_NAME ? index : rewrite_kept(r, index);
}

/* ---- the loops ---- */

bool slices_begin(slicing *x, ast_node **value)
{
    uint32_t most = slices_most(*value);
    bool target = x->dims > 0;
    if (!all_plain(*value) || (target && most > x->dims) || most > SLICES_DIMS) return false;
    if (!target) x->dims = most ? most : 1;
    for (uint32_t i = 0; i < x->dims; i++) x->index[i] = rewrite_made_name(x->r, "at");
    spread(x, value);
    return target || x->names.n || slices_stand_in(*value);
}

/* The begin of a slice, and its element of the round of loop k. */
static ast_node *element_index(slicing *x, extent *e, uint32_t k)
{
    rewriter *r = x->r;
    cpl_span span = e->slice->span;
    const char *count = rewrite_made_name(r, "count");
    const char *begin = measure(e, count);
    if (x->count[k])
        check_length(x, rewrite_compare(r, TOK_EQ, rewrite_name(r, count, span),
                                        rewrite_name(r, x->count[k], span)));
    else x->count[k] = count;
    ast_node *at = rewrite_name(r, x->index[k], span);
    if (e->step) at = rewrite_binary(r, TOK_MUL, at, rewrite_name(r, e->step, span));
    else if (e->by != 1) at = rewrite_binary(r, TOK_MUL, at, rewrite_integer(r, e->by, span));
    return rewrite_binary(r, TOK_ADD, rewrite_name(r, begin, span), at);
}

static void take(slicing *x, ast_node *n)
{
    uint32_t rank = slices_rank(n), first = x->dims - rank, k = first;
    for (uint32_t i = 0; !rank && i < n->kid_count; i++) {
        bool index = slices_is_index(n->kids[i]);
        if (index) n->kids[i] = rewrite_name(x->r, x->index[x->dims - 1], n->span);
        else take(x, n->kids[i]);
    }
    if (!rank) return;
    if (!n->name) n->name = "a slice"; /* for messages */
    for (uint32_t i = 0, mask = n->op; i < slices_part_count(n); i++) {
        extent e = {.r = x->r, .of = n, .slice = slices_part(n, i), .dim = i};
        ast_node **at = n->kids[1]->kind == AST_TUPLE ? &n->kids[1]->kids[i] : &n->kids[1];
        bool slice = e.slice->kind == AST_SLICE;
        for (; slice && mask >> (k - first) & 1; k++) {
        }
        *at = slice ? element_index(x, &e, k++) : hoisted(x->r, e.slice);
    }
    n->op = 0;
}

bool slices_is_one(const ast_node *n)
{
    return slices_most(n) == 1 && slices_rank(n) == 1 && is_plain(n);
}

void slices_take(slicing *x, ast_node *n)
{
    take(x, n);
    count_names(x);
    for (uint32_t k = 0; k < x->dims; k++) /* dimensions that all have from None */
        if (!x->count[k])
            x->count[k] = rewrite_before(x->r, "count", rewrite_integer(x->r, 1, n->span));
}

ast_list *slices_loop(slicing *x, ast_node *n)
{
    rewriter *r = x->r;
    arena *a = &r->s->comp->arena;
    ast_list *body = NULL;
    uint32_t id = n->id;
    cpl_span span = n->span;
    for (uint32_t k = 0; k < x->dims; k++) {
        bool own = x->target && rewrite_is_private(r, x->target->kids[0]);
        bool parallel = r->top && k == 0 && !own && (!x->order || overlap_is_free(x->order));
        const char *round = overlap_round(x, k);
        ast_node *rounds =
            rewrite_pair(r, AST_CALL, rewrite_name(r, parallel ? ".prange" : ".range", span),
                         rewrite_name(r, x->count[k], span));
        ast_node *loop = rewrite_pair(r, AST_FOR, rewrite_name(r, round, span), rounds);
        loop->body = arena_new(a, ast_list);
        *loop->body = (ast_list){0};
        overlap_place(x, k, round, loop->body);
        if (body) {
            vec_push(a, body, loop);
        } else {
            loop->id = id;
            *n = *loop;
        }
        body = loop->body;
    }
    return body;
}

/* Of slices in n infer_expr.c says nothing. */
void slices_silence(ast_node *n)
{
    if (n->kind == AST_SLICE) n->name = "";
    for (uint32_t i = 0; i < n->kid_count; i++) slices_silence(n->kids[i]);
}

static void refuse_moved(rewriter *r, ast_node *n)
{
    const ast_node *target = n->kids[0];
    uint32_t i = 0;
    slices_silence(n);
    while (slices_part(target, i)->kind != AST_SLICE) i++;
    slices_part(target, i)->name = arena_printf(
        &r->s->comp->arena,
        "'%s' is read here at other places than it is written at, which would change on the way",
        target->kids[0]->name);
    n->kids[1] = rewrite_node(r, AST_ERROR, n->kids[1]->span, 0); /* that is all there is to say */
}

static void count_indices(rewriter *r, const ast_node *n);

/* n becomes name[parts]. */
static void put_parts(rewriter *r, ast_node *n, ast_node *name, const ast_list *parts)
{
    ast_node *all = rewrite_node(r, AST_TUPLE, n->span, parts->n);
    for (uint32_t i = 0; i < parts->n; i++) all->kids[i] = parts->at[i];
    n->kids[0] = name;
    n->kids[1] = all;
    if (r->counted) count_indices(r, n);
}

ast_node *slices_parts(rewriter *r, ast_node *n, ast_list *parts)
{
    if (n->kind == AST_NAME) return n;
    ast_node *name = n->kind == AST_INDEX && !n->op ? slices_parts(r, n->kids[0], parts) : NULL;
    for (uint32_t i = 0; name && i < slices_part_count(n); i++)
        vec_push(&r->s->comp->arena, parts, slices_part(n, i));
    return name;
}

void slices_join(rewriter *r, ast_node *n)
{
    ast_list parts = {0};
    if (!slices_rank(n) || n->kids[0]->kind != AST_INDEX || slices_stand_in(n->kids[0])) return;
    uint8_t new = n->op;
    n->op = 0;
    ast_node *name = slices_parts(r, n, &parts);
    if (name) put_parts(r, n, name, &parts);
    n->op = new;
}

/* The most slices that n has in operators and functions of numbers. */
uint32_t slices_beside(const rewriter *r, const ast_node *n)
{
    uint32_t most = slices_rank(n);
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(r, n) && i < n->kid_count; i++) {
        uint32_t rank = slices_beside(r, n->kids[i]);
        if (rank > most) most = rank;
    }
    return most;
}

/* How many indices n asks of an array, and of which: x[i][j], x.shape[1]. */
static uint32_t indices_of(const ast_node *n, const char **name)
{
    uint32_t count = 0;
    const ast_node *of = n;
    for (; of->kind == AST_INDEX; of = of->kids[0]) count += slices_part_count(of);
    bool shape = count == 1 && of->kind == AST_ATTRIBUTE && strcmp(of->name, "shape") == 0;
    if (shape && n->kids[1]->kind == AST_INT) {
        of = of->kids[0];
        count = (uint32_t)n->kids[1]->integer + 1;
    }
    bool named = of->kind == AST_NAME;
    *name = named ? of->name : "";
    return named ? count : 0;
}

static void count_in_list(rewriter *r, const ast_list *list);

static void count_indices(rewriter *r, const ast_node *n)
{
    const char *name;
    uint32_t count = indices_of(n, &name);
    if (count > (uintptr_t)map_get(&r->most, name))
        map_put(&r->s->comp->arena, &r->most, name, (void *)(uintptr_t)count);
    for (uint32_t i = 0; i < n->kid_count; i++) count_indices(r, n->kids[i]);
    count_in_list(r, n->body);
    count_in_list(r, n->orelse);
}

static void count_in_list(rewriter *r, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) count_indices(r, list->at[i]);
}

uint32_t rewrite_most_indices(rewriter *r, const char *name)
{
    if (!r->counted) count_in_list(r, &r->fn->body);
    r->counted = true;
    return (uint32_t)(uintptr_t)map_get(&r->most, name);
}

/* How many indices more than n has the array of n, x[i], has where it is made, or else the function
 * asks of it. */
uint32_t slices_left(rewriter *r, const ast_node *n)
{
    const char *name;
    uint32_t count = indices_of(n, &name), most = rewrite_dimensions(r, name);
    if (!most) most = rewrite_most_indices(r, name);
    return most > count && most <= SLICES_DIMS ? most - count : 0;
}

void slices_put(rewriter *r, ast_node *n, ast_node *name, ast_list *parts, uint32_t count)
{
    while (count-- > 0) vec_push(&r->s->comp->arena, parts, slices_whole(r, n, NULL)->kids[1]);
    put_parts(r, n, name, parts);
}

static void put_rows(rewriter *r, ast_node *n, bool all)
{
    ast_list parts = {0};
    uint32_t left = rewrite_is_row(r, n) ? slices_left(r, n) : 0;
    if (left || (all && rewrite_is_row(r, n))) {
        ast_node *name = slices_parts(r, n, &parts);
        slices_put(r, n, name, &parts, left ? left : 1);
    } else if (slices_go_through(r, n)) {
        for (uint32_t i = n->kind == AST_CALL; i < n->kid_count; i++) put_rows(r, n->kids[i], all);
    }
}

ast_node *slices_rows(rewriter *r, ast_node *n, bool all)
{
    put_rows(r, n, all && !slices_stand_in(n) && !has_arrays(r, n));
    return n;
}

/* A private array with as many numbers as there are targets. */
static bool is_made(const rewriter *r, const ast_node *name, const ast_node *target)
{
    return rewrite_dimensions(r, name->name) == 1 &&
           (uintptr_t)map_get(&r->lengths, name->name) == target->kid_count;
}

/* x, y = points[i]: the numbers of a row, points[i, 0], points[i, 1]; so a, b = t of a private
 * array. */
void slices_take_apart(rewriter *r, ast_node *n)
{
    ast_list parts = {0};
    ast_node *target = n->kids[0], *value = n->kids[n->kid_count - 1];
    bool row = value->kind == AST_NAME && map_get(&r->rows, value->name);
    bool made = value->kind == AST_NAME && target->kind == AST_TUPLE && is_made(r, value, target);
    bool fits =
        n->kid_count == 2 && target->kind == AST_TUPLE && (row || made || value->kind == AST_INDEX);
    ast_node *name = fits ? slices_parts(r, value, &parts) : NULL;
    if (!name || slices_stand_in(value) || !(row || made || rewrite_is_parameter(r, name))) return;
    for (uint32_t k = 0; k < parts.n; k++) parts.at[k] = hoisted(r, parts.at[k]);
    ast_node *all = rewrite_node(r, AST_TUPLE, value->span, target->kid_count);
    for (uint32_t i = 0; i < target->kid_count; i++) {
        ast_node *element = rewrite_name(r, name->name, name->span);
        for (uint32_t k = 0; k < parts.n; k++)
            element = rewrite_pair(r, AST_INDEX, element, rewrite_copy(r, parts.at[k]));
        all->kids[i] =
            rewrite_pair(r, AST_INDEX, element, rewrite_integer(r, i, target->kids[i]->span));
    }
    n->kids[1] = all;
}

/* out[i] = x[1:], out[:] = a[:, None]*b: the target is out[i, :], out[:, :], as many dimensions as
 * the value has. */
static void extend_target(rewriter *r, ast_node *target, const ast_node *value)
{
    ast_list parts = {0};
    uint32_t rank = slices_beside(r, value), own = slices_rank(target);
    bool more = target->kind == AST_INDEX && rank > own && rank <= SLICES_DIMS;
    ast_node *name = more ? slices_parts(r, target, &parts) : NULL;
    if (!name || (!own && slices_stand_in(target))) return;
    slices_put(r, target, name, &parts, rank - own);
}

/* Elements of parameters of one dimension beside slices: with more they would be rows. */
void slices_mark_elements(const rewriter *r, ast_node *n)
{
    if (rewrite_is_row(r, n) && n->kids[0]->kind == AST_NAME) n->stands = true;
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(r, n) && i < n->kid_count; i++)
        slices_mark_elements(r, n->kids[i]);
}

/* Numbers of what is written are computed before the loop, unless a condition decides on them. */
static void keep_numbers(rewriter *r, const ast_node *target, ast_node **at)
{
    ast_node *n = *at;
    bool sometimes = n->kind == AST_TERNARY || n->kind == AST_BOOLOP;
    if (!overlap_is_read(r, target, n)) return;
    if (!slices_stand_in(n) && !has_arrays(r, n))
        *at = rewrite_name(r, rewrite_before(r, "value", n), n->span);
    else if (n->kind != AST_INDEX && !sometimes)
        for (uint32_t i = 0; i < n->kid_count; i++) keep_numbers(r, target, &n->kids[i]);
}

/* a[::-1] = a: of an array all of which is written its name is all of it, too. */
static void put_own(rewriter *r, const ast_node *target, ast_node **at)
{
    ast_node *n = *at;
    const ast_node *slice = slices_part(target, slices_part_count(target) - 1);
    int64_t step;
    bool all = slices_rank(target) == 1 && slice->kind == AST_SLICE &&
               slice->kids[0]->kind == AST_NONE && slice->kids[1]->kind == AST_NONE &&
               slices_step(slice->kids[2], &step) && (step == 1 || step == -1);
    if (!all) return;
    if (n->kind == AST_NAME && strcmp(n->name, target->kids[0]->name) == 0 &&
        slices_part_count(target) == 1)
        *at = slices_whole(r, n, "a slice");
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(r, n) && i < n->kid_count; i++)
        put_own(r, target, &n->kids[i]);
}

void rewrite_slices(rewriter *r, ast_node *n)
{
    row_writes_all(r, n);
    if (row_writes(r, n)) return;
    ast_node *target = n->kids[0];
    if (n->kid_count == 2 && !slices_rank(target)) extend_target(r, target, n->kids[1]);
    uint32_t rank = n->kid_count == 2 ? slices_rank(target) : 0;
    if (!rank || rank > SLICES_DIMS || target->op || !is_plain(target)) return;
    slicing x = {.r = r, .dims = rank, .target = target, .what = "a slice"};
    fold_list folds = {0};
    folds_take_out(&x, &n->kids[1], &folds);
    extend_target(r, target, n->kids[1]);
    x.dims = slices_rank(target);
    put_own(r, target, &n->kids[1]);
    keep_numbers(r, target, &n->kids[1]);
    bool moves = overlap_is_read(r, target, n->kids[1]);
    if (moves && !folds.n) x.order = overlap_find(r, target, n->kids[1]);
    if ((moves && !x.order) || folds_read(&x, &folds)) {
        refuse_moved(r, n);
        return;
    }
    slices_mark_elements(r, n->kids[1]);
    if (!slices_begin(&x, &n->kids[1])) return;
    take(&x, target);
    slices_take(&x, n->kids[1]);
    if (x.order) overlap_begin(&x);
    ast_node *body = rewrite_pair(r, (ast_kind)n->kind, target, n->kids[1]);
    body->op = n->op;
    body->span = n->span;
    body->op_span = n->op_span;
    ast_list inside = {0};
    folds_put(&x, &folds, &inside);
    ast_list *rounds = slices_loop(&x, n);
    for (uint32_t i = 0; i < inside.n; i++) vec_push(&r->s->comp->arena, rounds, inside.at[i]);
    overlap_fill(&x, rounds, body);
}

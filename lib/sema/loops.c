/*
 * Loops over elements become loops over indices, of which there are as many as when the loop
 * begins:
 *
 *     for v in x: ...                 for k in range(len(x)): v = x[k]; ...
 *     for i, v in enumerate(x): ...   for i in range(len(x)): v = x[i]; ...
 *     for a, b in zip(x, y): ...      for k in range(min(len(x), len(y))): a = x[k]; b = y[k]; ...
 *     for v in reversed(x): ...       for v in x[::-1]: ...
 *     for a, b in x: ...              for k in range(len(x)): a = x[k][0]; b = x[k][1]; ...
 *     for i, j in np.ndindex(h, w): ...
 *                                     for k in range(h): for l in range(w): i = k; j = l; ...
 *
 * where x is the name of an array, a row of one, m[i], a slice, x[1:], or a tuple or list that
 * stands there; enumerate(zip(x, y)) too.
 * What else a loop runs over is left to infer_loop.c.
 */
#include "lib/sema/rewrite.h"

typedef struct looping {
    rewriter *r;
    const char *index; /* the loop's variable */
    const char *start; /* what the first index is taken for, a name; NULL: 0 */
    cpl_span start_span;
    ast_node *length;      /* how many rounds there are */
    ast_list *body;        /* begins with the elements */
    const ast_list *given; /* the body as it was */
} looping;

/* The arguments of n, without names. */
static uint32_t arguments(const ast_node *n)
{
    return n->kid_count - 1 - n->keyword_count;
}

/* Of what is no name: p.x, of a variable p, an array in a struct. */
static bool is_field(const rewriter *r, const ast_node *n)
{
    return rewrite_is_local(r, n) && strcmp(n->name, "T") != 0 && strcmp(n->name, "shape") != 0 &&
           strcmp(n->name, "flat") != 0;
}

/* The name of an array, a row of one, or a field. */
static bool is_array(const rewriter *r, const ast_node *n)
{
    return n->kind == AST_NAME || rewrite_is_row(r, n) || is_field(r, n);
}

/* Whether n is an array of rows, or a list of them that stands there, of which targets take parts.
 */
static bool has_rows(const rewriter *r, const ast_node *target, const ast_node *n)
{
    bool array = is_array(r, n);
    if (target->kind != AST_TUPLE || (!array && !rewrite_is_sequence(n))) return false;
    for (uint32_t i = 0; i < target->kid_count; i++)
        if (target->kids[i]->kind != AST_NAME) return false;
    for (uint32_t i = 0; !array && i < n->kid_count; i++)
        if (!rewrite_is_sequence(n->kids[i]) || n->kids[i]->kid_count != target->kid_count)
            return false;
    return array || n->kid_count > 0;
}

/* Whether the targets take what each round of a loop over n gives. */
static bool can_take(const rewriter *r, const ast_node *target, const ast_node *n)
{
    if (has_rows(r, target, n)) return true;
    if (!rewrite_calls(r, n, "zip"))
        return target->kind == AST_NAME &&
               (is_array(r, n) || rewrite_is_sequence(n) || slices_is_one(n));
    if (target->kind != AST_TUPLE || n->keyword_count || arguments(n) != target->kid_count)
        return false;
    for (uint32_t i = 0; i < target->kid_count; i++)
        if (!can_take(r, target->kids[i], n->kids[i + 1])) return false;
    return true;
}

static void add_length(looping *l, ast_node *length)
{
    l->length = l->length ? rewrite_call_of_two(l->r, ".min", l->length, length) : length;
}

/* x[at], of which span is the place */
static ast_node *element(looping *l, ast_node *of, cpl_span span)
{
    rewriter *r = l->r;
    ast_node *at = rewrite_name(r, l->index, span);
    if (l->start) at = rewrite_binary(r, TOK_SUB, at, rewrite_name(r, l->start, span));
    return rewrite_pair(r, AST_INDEX, of, at);
}

/* The elements at i of all rows, a list. */
static ast_node *column(rewriter *r, const ast_node *rows, uint32_t i)
{
    ast_node *list = rewrite_node(r, AST_LIST, rows->span, rows->kid_count);
    for (uint32_t k = 0; k < rows->kid_count; k++) list->kids[k] = rows->kids[k]->kids[i];
    return list;
}

/* m[i] as it is when the loop begins. */
static void keep(rewriter *r, ast_node *n)
{
    for (; n->kind == AST_INDEX; n = n->kids[0]) {
        bool several = n->kids[1]->kind == AST_TUPLE;
        ast_node **at = several ? n->kids[1]->kids : &n->kids[1];
        for (uint32_t i = 0; i < (several ? n->kids[1]->kid_count : 1); i++)
            if (at[i]->kind != AST_SLICE) at[i] = rewrite_kept(r, at[i]);
    }
}

/* v = x[begin + at]; index is a name of its own where rounds do not count from 0. */
static void take_slice(looping *l, ast_node *target, ast_node *over)
{
    rewriter *r = l->r;
    slicing x = {.r = r, .dims = 1, .index = {l->index}};
    if (l->start) {
        ast_node *at = rewrite_binary(r, TOK_SUB, rewrite_name(r, l->index, over->span),
                                      rewrite_name(r, l->start, over->span));
        x.index[0] = rewrite_made_name(r, "at");
        rewrite_assign(r, l->body, x.index[0], at);
    }
    keep(r, over);
    slices_take(&x, over);
    vec_push(&r->s->comp->arena, l->body, rewrite_pair(r, AST_ASSIGN, target, over));
    add_length(l, rewrite_name(r, x.count[0], over->span));
}

/* What a loop runs over stays what it was when the loop began, and a name would not. */
static void refuse_moving(looping *l, ast_node *over)
{
    const ast_node *of = over;
    while (of->kind == AST_INDEX) of = of->kids[0];
    if (of->kind != AST_NAME || !sema_assigns(l->given, of->name, false)) return;
    rewrite_refuse(l->r, over,
                   arena_printf(&l->r->s->comp->arena, "'%s' is assigned in the loop over it",
                                of->name),
                   "take another name for the one or the other");
}

static void take(looping *l, ast_node *target, ast_node *over)
{
    rewriter *r = l->r;
    cpl_span span = over->span;
    refuse_moving(l, over);
    bool rows = has_rows(r, target, over), array = is_array(r, over);
    if (slices_is_one(over)) {
        take_slice(l, target, over);
        return;
    }
    keep(r, over);
    for (uint32_t i = 0; rows && array && i < target->kid_count; i++) {
        ast_node *row = element(l, rewrite_copy(r, over), span);
        ast_node *part = rewrite_pair(r, AST_INDEX, row, rewrite_integer(r, i, span));
        vec_push(&r->s->comp->arena, l->body, rewrite_pair(r, AST_ASSIGN, target->kids[i], part));
        if (i == 0) add_length(l, rewrite_call(r, ".len", rewrite_copy(r, over)));
    }
    if (rows && array) return;
    if (target->kind == AST_TUPLE) { /* of zip, or of rows that stand there */
        for (uint32_t i = 0; i < target->kid_count; i++)
            take(l, target->kids[i], rows ? column(r, over, i) : over->kids[i + 1]);
        return;
    }
    if (rewrite_is_sequence(over)) {
        over->kind = AST_LIST;
        over = rewrite_name(r, rewrite_before(r, "of", over), span);
    }
    vec_push(&r->s->comp->arena, l->body,
             rewrite_pair(r, AST_ASSIGN, target, element(l, over, span)));
    add_length(l, rewrite_call(r, ".len", rewrite_copy(r, over)));
}

bool sema_is_looped(const ast_node *n)
{
    return n->kind == AST_INDEX && n->span.end == n->kids[0]->span.end;
}

/* Of enumerate(x), enumerate(x, 1), enumerate(x, start=1): start; NULL: there is none. */
static ast_node *first_index(const ast_node *n)
{
    if (n->kid_count < 3) return NULL;
    return n->keyword_count ? n->kids[2]->kids[0] : n->kids[2];
}

static bool is_enumerate(const rewriter *r, const ast_node *n)
{
    if (!rewrite_calls(r, n, "enumerate") || arguments(n) < 1 || n->kid_count > 3) return false;
    return !n->keyword_count || strcmp(n->kids[2]->name, "start") == 0;
}

/* range(length), range(start, start + length) */
static ast_node *range(looping *l)
{
    rewriter *r = l->r;
    cpl_span span = l->start_span;
    if (!l->start) return rewrite_call(r, ".range", l->length);
    ast_node *end = rewrite_binary(r, TOK_ADD, rewrite_name(r, l->start, span), l->length);
    return rewrite_call_of_two(r, ".range", rewrite_name(r, l->start, span), end);
}

/* reversed(x) of an array is x[::-1]. */
static void turn(rewriter *r, ast_node **at)
{
    ast_node *n = *at;
    bool calls = rewrite_calls(r, n, "enumerate") || rewrite_calls(r, n, "zip");
    for (uint32_t i = 1; calls && i < n->kid_count; i++) turn(r, &n->kids[i]);
    if (!rewrite_calls(r, n, "reversed") || n->kid_count != 2 || n->keyword_count) return;
    const ast_node *of = n->kids[1];
    if (!rewrite_names_array(r, of)) return;
    *at = slices_whole(r, n->kids[1], "a slice");
    (*at)->kids[1]->kids[2] = rewrite_integer(r, -1, n->span);
}

static bool is_range(const rewriter *r, const ast_node *n)
{
    if (n->kind != AST_CALL || rewrite_is_local(r, n->kids[0])) return false;
    sema_global g = sema_find_node((sema_names){.s = r->s, .file = r->fn->file}, n->kids[0]);
    return g.kind == GLOBAL_BUILTIN && g.builtin == BI_RANGE;
}

/* for v in reversed(range(a, b)): for k in range(a, b): v = a + (b - 1 - k), where nothing is less
 * than 0 that is not in a signed range. */
static void turn_range(rewriter *r, ast_node *n)
{
    ast_node *over = n->kids[1], *item = n->kids[0];
    if (!rewrite_calls(r, over, "reversed") || over->kid_count != 2) return;
    ast_node *range = over->kids[1];
    if (!is_range(r, range) || range->keyword_count || item->kind != AST_NAME) return;
    uint32_t bounds = range->kid_count - 1;
    if (bounds < 1 || bounds > 2) return;
    cpl_span span = range->span;
    const char *k = rewrite_made_name(r, "at");
    for (uint32_t i = 1; i <= bounds; i++) range->kids[i] = rewrite_kept(r, range->kids[i]);
    ast_node *last = rewrite_binary(r, TOK_SUB, rewrite_copy(r, range->kids[bounds]),
                                    rewrite_integer(r, 1, span));
    ast_node *value = rewrite_binary(r, TOK_SUB, last, rewrite_name(r, k, span));
    if (bounds == 2) value = rewrite_binary(r, TOK_ADD, rewrite_copy(r, range->kids[1]), value);
    arena *a = &r->s->comp->arena;
    ast_list *body = arena_new(a, ast_list);
    vec_push(a, body, rewrite_pair(r, AST_ASSIGN, item, value));
    for (uint32_t i = 0; i < n->body->n; i++) vec_push(a, body, n->body->at[i]);
    n->body = body;
    n->kids[0] = rewrite_name(r, k, item->span);
    n->kids[1] = range;
}

/* for v in a.flat, of several dimensions */
static void flatten(rewriter *r, ast_node *n)
{
    arena *a = &r->s->comp->arena;
    ast_node *over = n->kids[1];
    const ast_node *name = rewrite_flat_of(r, over);
    if (!name || n->kids[0]->kind != AST_NAME) return;
    const char *at = rewrite_made_name(r, "at");
    ast_node *index = rewrite_pair(r, AST_INDEX, over, rewrite_name(r, at, over->span));
    rewrite_flat(r, index);
    ast_list *body = arena_new(a, ast_list);
    vec_push(a, body, rewrite_pair(r, AST_ASSIGN, n->kids[0], index));
    for (uint32_t i = 0; i < n->body->n; i++) vec_push(a, body, n->body->at[i]);
    n->body = body;
    ast_node *size = rewrite_node(r, AST_ATTRIBUTE, over->span, 1);
    size->kids[0] = rewrite_name(r, name->name, over->span);
    size->name = "size";
    n->kids[0] = rewrite_name(r, at, n->kids[0]->span);
    n->kids[1] = rewrite_call(r, ".range", size);
}

/* np.NAME(...), with arguments without names. */
static bool calls_numpys(const rewriter *r, const ast_node *n, const char *name)
{
    if (n->kind != AST_CALL || n->keyword_count || n->kid_count < 2) return false;
    const ast_node *callee = n->kids[0];
    return callee->kind == AST_ATTRIBUTE && strcmp(callee->name, name) == 0 &&
           !rewrite_is_local(r, callee) && rewrite_is_numpy(r, callee->kids[0]);
}

/* for i in np.arange(n): the numbers of range(n), but of floats. */
static void turn_arange(rewriter *r, ast_node *over)
{
    if (calls_numpys(r, over, "arange"))
        over->kids[0] = rewrite_name(r, ".range", over->kids[0]->span);
}

/* Whether a statement leaves the loop whose body it stands in. */
static bool is_left(const ast_list *body)
{
    for (uint32_t i = 0; body && i < body->n; i++) {
        const ast_node *n = body->at[i];
        if (n->kind == AST_BREAK) return true;
        bool loop = n->kind == AST_FOR || n->kind == AST_WHILE;
        if ((!loop && is_left(n->body)) || is_left(n->orelse)) return true;
    }
    return false;
}

/* x.shape[k] */
static ast_node *extent(rewriter *r, const ast_node *x, uint32_t k)
{
    ast_node *shape = rewrite_node(r, AST_ATTRIBUTE, x->span, 1);
    shape->kids[0] = rewrite_name(r, x->name, x->span);
    shape->name = "shape";
    return rewrite_pair(r, AST_INDEX, shape, rewrite_integer(r, k, x->span));
}

/* The sizes in SHAPE, numbers of the module, of np.ndindex(SHAPE) and np.ndindex(*SHAPE). */
static const ast_node *known_shape(const rewriter *r, const ast_node *over)
{
    const ast_node *n = over->kids[1];
    if (over->kid_count != 2 || strcmp(over->kids[0]->name, "ndindex") != 0) return NULL;
    if (n->kind == AST_STAR) n = n->kids[0];
    return n->kind == AST_NAME ? map_get(&r->tables, n->name) : NULL;
}

/* What np.ndindex, of a shape or of sizes, or np.ndenumerate of an array goes through; so many. */
static bool find_extents(rewriter *r, const ast_node *over, ast_node **out, uint32_t count)
{
    const ast_node *first = over->kids[1], *x = NULL, *known = known_shape(r, over);
    bool alone = over->kid_count == 2;
    if (known) first = known;
    if (strcmp(over->kids[0]->name, "ndenumerate") == 0) x = first;
    else if (alone && first->kind == AST_ATTRIBUTE && strcmp(first->name, "shape") == 0)
        x = first->kids[0];
    bool several = alone && rewrite_is_sequence(first);
    ast_node **sizes = several ? first->kids : over->kids + 1;
    if (x ? !alone || x->kind != AST_NAME
          : (several ? first->kid_count : over->kid_count - 1) != count)
        return false;
    for (uint32_t k = 0; k < count; k++)
        out[k] = x       ? extent(r, x, k)
                 : known ? rewrite_copy(r, sizes[k])
                         : rewrite_kept(r, sizes[k]);
    return true;
}

/* for i, j in np.ndindex(h, w), for (i, j), v in np.ndenumerate(x): loops in each other. */
static void nest(rewriter *r, ast_node *n)
{
    arena *a = &r->s->comp->arena;
    ast_node *over = n->kids[1], *names = n->kids[0], *value = NULL, *array = over;
    bool pairs = calls_numpys(r, over, "ndenumerate");
    if (!pairs && !calls_numpys(r, over, "ndindex")) return;
    if (pairs && names->kind == AST_TUPLE && names->kid_count == 2) {
        value = names->kids[1];
        names = names->kids[0];
    }
    ast_node *extents[SEMA_MADE_DIMS], *counters[SEMA_MADE_DIMS];
    if (names->kind != AST_TUPLE || names->kid_count > SEMA_MADE_DIMS || (pairs && !value)) return;
    if (!find_extents(r, over, extents, names->kid_count)) return;
    if (value) array = over->kids[1];
    if (is_left(n->body)) {
        rewrite_refuse(r, over, "'break' would leave one of the loops that this stands for alone",
                       "write them: for i in range(x.shape[0]): ...");
        extents[0] = over;
    }
    ast_list *body = arena_new(a, ast_list);
    for (uint32_t k = 0; k < names->kid_count; k++) { /* anew in each round of all */
        ast_node *name = names->kids[k];
        counters[k] = rewrite_name(r, rewrite_made_name(r, "at"), name->span);
        vec_push(a, body, rewrite_pair(r, AST_ASSIGN, name, rewrite_copy(r, counters[k])));
    }
    if (value) {
        ast_node *at = rewrite_copy(r, names);
        ast_node *index = names->kid_count > 1 ? at : at->kids[0];
        ast_node *item = rewrite_pair(r, AST_INDEX, rewrite_copy(r, array), index);
        vec_push(a, body, rewrite_pair(r, AST_ASSIGN, value, item));
    }
    for (uint32_t i = 0; i < n->body->n; i++) vec_push(a, body, n->body->at[i]);
    for (uint32_t k = names->kid_count; --k > 0;) {
        ast_node *loop =
            rewrite_pair(r, AST_FOR, counters[k], rewrite_call(r, ".range", extents[k]));
        loop->body = body;
        body = arena_new(a, ast_list);
        vec_push(a, body, loop);
    }
    n->kids[0] = counters[0];
    n->kids[1] = rewrite_call(r, ".range", extents[0]);
    n->body = body;
}

void rewrite_loop(rewriter *r, ast_node *n)
{
    arena *a = &r->s->comp->arena;
    turn_arange(r, n->kids[1]);
    nest(r, n);
    flatten(r, n);
    turn(r, &n->kids[1]);
    turn_range(r, n);
    ast_node *over = n->kids[1], *item = n->kids[0], *index = NULL;
    looping l = {.r = r, .body = arena_new(a, ast_list), .given = n->body};
    if (is_enumerate(r, over)) {
        if (item->kind != AST_TUPLE || item->kid_count != 2 || item->kids[0]->kind != AST_NAME)
            return;
        index = item->kids[0];
        item = item->kids[1];
        over = over->kids[1];
    }
    if (!can_take(r, item, over)) return;
    bool own = index && item->kind == AST_NAME; /* it is not assigned before it has been used */
    l.index = own ? index->name : rewrite_made_name(r, "at");
    ast_node *start = index ? first_index(n->kids[1]) : NULL;
    if (start) {
        l.start = rewrite_before(r, "start", start);
        l.start_span = start->span;
    }
    if (index && !own)
        vec_push(a, l.body,
                 rewrite_pair(r, AST_ASSIGN, index, rewrite_name(r, l.index, over->span)));
    take(&l, item, over);
    for (uint32_t i = 0; i < n->body->n; i++) vec_push(a, l.body, n->body->at[i]);
    n->kids[0] = rewrite_name(r, l.index, (index ? index : item)->span);
    n->kids[1] = range(&l);
    n->body = l.body;
}

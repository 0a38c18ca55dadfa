/*
 * Functions that take the elements of an array together: loops in front of the statement,
 *
 *     s = sum(x[::2]**2)      m = np.max(np.abs(x[:] - y[:]))      a = x.mean()
 *
 * over all elements of a whole array too. Python's own min and max keep the first of what cannot
 * be told apart and take no notice of a NaN behind it, as min(a, b) does; those of NumPy, and
 * methods, are NaN where an element is. The least of no elements is 0, and so is its place.
 *
 * Along an axis there is a result for each element that is stored:
 *
 *     r[:] = np.sum(m, axis=1)/2      for i in prange(...): s = 0; for j in ...: s += m[i, j]
 *                                                           r[i] = s/2
 */
#include "lib/sema/rewrite.h"

typedef enum fold_kind {
    FOLD_SUM,
    FOLD_DOT,
    FOLD_MEAN,
    FOLD_SPREAD,
    FOLD_COUNT,
    FOLD_TRUTH,
    FOLD_LEAST,
    FOLD_PLACE
} fold_kind;

typedef struct fold {
    const char *name;
    uint8_t kind;     /* fold_kind */
    uint8_t op;       /* token_kind, of `total op= e`; from FOLD_LEAST on TOK_END */
    uint8_t start;    /* what no elements are */
    bool python;      /* Python has it under that name alone, too */
    const char *call; /* from FOLD_LEAST on: of `total = call(total, e)`; std: of the variance */
} fold;

static const fold folds[] = {
    {"sum", FOLD_SUM, TOK_ADD, 0, true, NULL},
    {"prod", FOLD_SUM, TOK_MUL, 1, false, NULL},
    {"dot", FOLD_DOT, TOK_ADD, 0, false, NULL},
    {"mean", FOLD_MEAN, TOK_ADD, 0, false, NULL},
    {"var", FOLD_SPREAD, TOK_ADD, 0, false, NULL},
    {"std", FOLD_SPREAD, TOK_ADD, 0, false, ".sqrt"},
    {"count_nonzero", FOLD_COUNT, TOK_ADD, 0, false, NULL},
    {"any", FOLD_TRUTH, TOK_BITOR, 0, true, NULL},
    {"all", FOLD_TRUTH, TOK_BITAND, 1, true, NULL},
    {"min", FOLD_LEAST, TOK_END, 0, true, ".min"},
    {"max", FOLD_LEAST, TOK_END, 0, true, ".max"},
    {"amin", FOLD_LEAST, TOK_END, 0, false, ".min"},
    {"amax", FOLD_LEAST, TOK_END, 0, false, ".max"},
    {"argmin", FOLD_PLACE, TOK_END, 0, false, ".min"},
    {"argmax", FOLD_PLACE, TOK_END, 0, false, ".max"},
};

static const fold *find(const char *name)
{
    for (unsigned i = 0; i < COUNT_OF(folds); i++)
        if (strcmp(folds[i].name, name) == 0) return &folds[i];
    return NULL;
}

bool sema_is_fold(const char *name)
{
    return find(name) != NULL;
}

typedef struct folding {
    const fold *f;
    ast_node *value; /* whose elements are taken together */
    bool numpy;      /* a NaN among them is the result */
} folding;

/* ---- which calls are such ---- */

static bool is_array_name(const rewriter *r, const ast_node *n)
{
    return rewrite_is_local(r, n) || rewrite_is_private(r, n);
}

/* Whether a struct has such a method; which types arguments have is known here, not whose. */
static bool is_method(const rewriter *r, const char *name)
{
    for (uint32_t i = 0; i < r->s->structs.n; i++) {
        const ast_class *k = r->s->structs.at[i].class_;
        for (uint32_t m = 0; k && m < k->methods.n; m++)
            if (strcmp(k->methods.at[m]->name, name) == 0) return true;
    }
    return sema_host_method((sema_names){.s = r->s, .file = r->fn->file}, NULL, name) != NULL;
}

/* x.sum(), where x is a private array, a parameter, or an expression of some */
static bool is_folded_by_method(const rewriter *r, const ast_node *x, const char *name)
{
    if (slices_stand_in(x) || (x->kind == AST_NAME && rewrite_is_private(r, x))) return true;
    if (x->kind == AST_NAME && !rewrite_is_parameter(r, x)) return false;
    if (rewrite_is_row(r, x)) return !is_method(r, name);
    return x->kind != AST_INDEX && x->kind != AST_ATTRIBUTE && !is_method(r, name);
}

/* Whether n, alone or of NumPy, names what the language means by f, and no function of the file. */
static bool names(const rewriter *r, const ast_node *n, const fold *f, bool *numpy)
{
    if (rewrite_is_local(r, n)) return false;
    sema_names in = {.s = r->s, .file = r->fn->file};
    sema_global g = sema_find_node(in, n);
    bool known = g.kind == GLOBAL_NONE || (g.kind == GLOBAL_BUILTIN && f->kind == FOLD_LEAST);
    *numpy = n->kind == AST_ATTRIBUTE;
    if (!*numpy) return known && f->python;
    return known && rewrite_is_numpy(r, n->kids[0]);
}

/* What an argument's elements are of: those of a name by name[:], which must be an array's, or
 * where it is made with more dimensions by name[:, :]. */
static ast_node *elements(rewriter *r, ast_node *n, const fold *f)
{
    if (n->kind != AST_NAME) return n;
    ast_list parts = {0};
    ast_node *all = slices_whole(r, n, rewrite_quoted(r, f->name));
    uint32_t dims = rewrite_dimensions(r, n->name);
    if (dims > 1) slices_put(r, all, n, &parts, dims);
    return all;
}

static ast_node *products(rewriter *r, ast_node *a, ast_node *b, const fold *f)
{
    return rewrite_binary(r, TOK_MUL, elements(r, slices_rows(r, a, true), f),
                          elements(r, slices_rows(r, b, true), f));
}

static bool is_fold(rewriter *r, const ast_node *call, folding *out)
{
    const ast_node *callee = call->kids[0];
    if (callee->kind != AST_NAME && callee->kind != AST_ATTRIBUTE) return false;
    out->f = find(callee->name);
    if (!out->f || call->keyword_count) return false;
    uint32_t count = out->f->kind == FOLD_DOT ? 2 : 1;
    bool function = names(r, callee, out->f, &out->numpy);
    if (!function && callee->kind != AST_ATTRIBUTE) return false;
    if (call->kid_count != (function ? count + 1 : count)) return false;
    out->value = function ? call->kids[1] : callee->kids[0];
    out->numpy |= !function;
    if (!function && !is_folded_by_method(r, out->value, callee->name)) return false;
    for (uint32_t i = 1; i < call->kid_count; i++) {
        const ast_node *x = call->kids[i];
        if (x->kind == AST_NAME ? !is_array_name(r, x)
                                : count == 2 && x->kind != AST_INDEX && !slices_stand_in(x))
            return false;
    }
    if (count == 2) out->value = products(r, out->value, call->kids[call->kid_count - 1], out->f);
    return true;
}

/* ---- the loop ---- */

/* A copy of n, which the loop x computes, for its first round; just a copy where x has none. */
static ast_node *first(const slicing *x, const ast_node *n)
{
    rewriter *r = x->r;
    for (uint32_t i = 0; n->kind == AST_NAME && i < x->dims; i++)
        if (n->name == x->index[i]) return rewrite_integer(r, 0, n->span);
    ast_node *c = rewrite_copied(r, n);
    for (uint32_t i = 0; i < n->kid_count; i++) c->kids[i] = first(x, n->kids[i]);
    return c;
}

/* What begins as a float where that is a mean. */
static ast_node *start(rewriter *r, const fold *f, cpl_span span)
{
    if (f->kind == FOLD_TRUTH) return rewrite_truth(r, f->start, span);
    if (f->kind != FOLD_MEAN && f->kind != FOLD_SPREAD) return rewrite_integer(r, f->start, span);
    ast_node *n = rewrite_node(r, AST_FLOAT, span, 0);
    n->number = f->start;
    return n;
}

/* How many there are of all loops. */
static ast_node *rounds(const slicing *x, cpl_span span)
{
    ast_node *n = rewrite_name(x->r, x->count[0], span);
    for (uint32_t i = 1; i < x->dims; i++)
        n = rewrite_binary(x->r, TOK_MUL, n, rewrite_name(x->r, x->count[i], span));
    return n;
}

/* The body, empty, of a loop in front of the statement. */
static ast_list *loop(slicing *x, cpl_span span)
{
    ast_node *n = rewrite_node(x->r, AST_FOR, span, 0);
    vec_push(&x->r->s->comp->arena, &x->r->before, n);
    return slices_loop(x, n);
}

/* name op= value, at the end of the body */
static void augment(rewriter *r, ast_list *body, const char *name, uint8_t op, ast_node *value)
{
    ast_node *n = rewrite_pair(r, AST_AUGASSIGN, rewrite_name(r, name, value->span), value);
    n->op = op;
    n->op_span = value->span;
    vec_push(&r->s->comp->arena, body, n);
}

/* name = call(name, value), likewise */
static void lower(rewriter *r, ast_list *body, const char *name, const char *call,
                  const char *value, cpl_span span)
{
    rewrite_assign(r, body, name,
                   rewrite_call_of_two(r, call, rewrite_name(r, name, span),
                                       rewrite_name(r, value, span)));
}

/* total = start; for at: total op= e */
static ast_node *combine(slicing *x, const folding *of)
{
    rewriter *r = x->r;
    const fold *f = of->f;
    ast_node *value = of->value;
    cpl_span span = value->span;
    const char *total = rewrite_before(r, "sum", start(r, f, span));
    if (f->kind == FOLD_TRUTH || f->kind == FOLD_COUNT)
        value = rewrite_compare(r, TOK_NE, value, rewrite_integer(r, 0, span));
    if (f->kind == FOLD_COUNT)
        value = rewrite_choose(r, value, rewrite_integer(r, 1, span), rewrite_integer(r, 0, span));
    augment(r, loop(x, span), total, f->op, value);
    return rewrite_name(r, total, span);
}

static ast_node *mean(slicing *x, const folding *of)
{
    cpl_span span = of->value->span;
    return rewrite_binary(x->r, TOK_DIV, combine(x, of), rounds(x, span));
}

/* |e - m|**2 */
static ast_node *squared(rewriter *r, ast_node *e, const char *m)
{
    ast_node *apart = rewrite_binary(r, TOK_SUB, e, rewrite_name(r, m, e->span));
    return rewrite_binary(r, TOK_POW, rewrite_call(r, ".abs", apart),
                          rewrite_integer(r, 2, e->span));
}

/* The mean, m, in a loop of its own, then that of the squared distances from it. */
static ast_node *spread_of(slicing *x, const folding *of)
{
    rewriter *r = x->r;
    folding again = {of->f, first(&(slicing){.r = r}, of->value), true};
    const char *m = rewrite_before(r, "mean", mean(x, of));
    again.value = squared(r, again.value, m);
    ast_node *result = mean(x, &again);
    return of->f->call ? rewrite_call(r, of->f->call, result) : result;
}

/* v != v */
static ast_node *is_nan(rewriter *r, const char *v, cpl_span span)
{
    return rewrite_compare(r, TOK_NE, rewrite_name(r, v, span), rewrite_name(r, v, span));
}

/*
 * least = e of the first round; for at: v = e; least = min(least, v)
 * and, with NumPy's, nan += v if v != v else 0, so that rounds may run at once.
 */
static ast_node *least(slicing *x, const folding *of)
{
    rewriter *r = x->r;
    cpl_span span = of->value->span;
    ast_node *some = rewrite_compare(r, TOK_GT, rounds(x, span), rewrite_integer(r, 0, span));
    const char *least =
        rewrite_before(r, "least",
                       rewrite_choose(r, some, first(x, of->value), rewrite_integer(r, 0, span)));
    const char *nan = of->numpy ? rewrite_before(r, "nan", rewrite_integer(r, 0, span)) : NULL;
    const char *v = rewrite_made_name(r, "v");
    ast_list *body = loop(x, span);
    rewrite_assign(r, body, v, of->value);
    lower(r, body, least, of->f->call, v, span);
    if (!nan) return rewrite_name(r, least, span);
    ast_node *part = rewrite_choose(r, is_nan(r, v, span), rewrite_name(r, v, span),
                                    rewrite_integer(r, 0, span));
    augment(r, body, nan, TOK_ADD, part);
    return rewrite_choose(r, is_nan(r, nan, span), rewrite_name(r, nan, span),
                          rewrite_name(r, least, span));
}

/* The number of the round among all. */
static ast_node *place(const slicing *x, cpl_span span)
{
    ast_node *n = rewrite_name(x->r, x->index[0], span);
    for (uint32_t i = 1; i < x->dims; i++)
        n = rewrite_binary(x->r, TOK_ADD,
                           rewrite_binary(x->r, TOK_MUL, n, rewrite_name(x->r, x->count[i], span)),
                           rewrite_name(x->r, x->index[i], span));
    return n;
}

/*
 * at = rounds; for ...: v = e; p = place if v == m or v != v else rounds; at = min(at, p)
 * where m is the least of all: the first NaN where there are some.
 */
static ast_node *place_of(slicing *x, const folding *of)
{
    rewriter *r = x->r;
    cpl_span span = of->value->span;
    ast_node *again = first(&(slicing){.r = r}, of->value);
    const char *m = rewrite_before(r, "least", least(x, of));
    const char *at = rewrite_before(r, "place", rounds(x, span));
    const char *v = rewrite_made_name(r, "v"), *p = rewrite_made_name(r, "p");
    ast_list *body = loop(x, span);
    ast_node *equal =
        rewrite_compare(r, TOK_EQ, rewrite_name(r, v, span), rewrite_name(r, m, span));
    rewrite_assign(r, body, v, again);
    rewrite_assign(r, body, p,
                   rewrite_choose(r, equal, place(x, span),
                                  rewrite_choose(r, is_nan(r, v, span), place(x, span),
                                                 rounds(x, span))));
    lower(r, body, at, ".min", p, span);
    return rewrite_name(r, at, span);
}

static ast_node *result_of(slicing *x, const folding *of)
{
    switch ((fold_kind)of->f->kind) {
    case FOLD_PLACE: return place_of(x, of);
    case FOLD_LEAST: return least(x, of);
    case FOLD_MEAN: return mean(x, of);
    case FOLD_SPREAD: return spread_of(x, of);
    default: return combine(x, of);
    }
}

/* The member of NumPy's that n calls, np.diff, np.linalg.norm with of "linalg"; of: NULL or so. */
static bool calls_numpy(const rewriter *r, const ast_node *n, const char *of, const char *name)
{
    const ast_node *at = n->kids[0];
    if (n->kid_count != 2 || n->keyword_count || rewrite_is_local(r, at)) return false;
    for (int k = 0; k < 2; k++) {
        const char *part = k == 0 ? name : of;
        if (!part) continue;
        if (at->kind != AST_ATTRIBUTE || strcmp(at->name, part) != 0) return false;
        at = at->kids[0];
    }
    return rewrite_is_numpy(r, at);
}

/* np.linalg.norm(e): the sum of |e|**2, as floats, of which the root is taken. */
static bool is_norm(rewriter *r, const ast_node *call, folding *out)
{
    if (!calls_numpy(r, call, "linalg", "norm")) return false;
    ast_node *e = call->kids[1], *one = rewrite_node(r, AST_FLOAT, e->span, 0);
    if (e->kind == AST_NAME ? !is_array_name(r, e) : e->kind == AST_CALL) return false;
    one->number = 1;
    e = elements(r, slices_rows(r, e, true), find("sum"));
    e = rewrite_binary(r, TOK_MUL, rewrite_call(r, ".abs", e), one);
    e = rewrite_binary(r, TOK_POW, e, rewrite_integer(r, 2, e->span));
    *out = (folding){find("sum"), e, true};
    return true;
}

/* np.diff(x), of an array by its name, is x[1:] - x[:-1]. */
static bool put_diff(rewriter *r, ast_node *call)
{
    if (!calls_numpy(r, call, NULL, "diff") || !is_array_name(r, call->kids[1])) return false;
    ast_node *x = call->kids[1], *back = rewrite_node(r, AST_UNARY, x->span, 1);
    ast_node *up = slices_whole(r, rewrite_copy(r, x), NULL), *down = slices_whole(r, x, NULL);
    back->op = TOK_SUB;
    back->kids[0] = rewrite_integer(r, 1, x->span);
    up->kids[1]->kids[0] = rewrite_integer(r, 1, x->span);
    down->kids[1]->kids[1] = back;
    ast_node *n = rewrite_binary(r, TOK_SUB, up, down);
    uint32_t id = call->id;
    cpl_span span = call->span;
    *call = *n;
    call->id = id;
    call->span = span;
    return true;
}

void rewrite_fold(rewriter *r, ast_node *call)
{
    folding of = {0};
    if (put_diff(r, call)) return;
    bool norm = is_norm(r, call, &of);
    if (!norm && !is_fold(r, call, &of)) return;
    slicing x = {.r = r, .what = rewrite_quoted(r, of.f->name)};
    of.value = elements(r, slices_rows(r, of.value, true), of.f);
    if (!slices_begin(&x, &of.value)) return;
    if (of.f->kind == FOLD_DOT && x.dims > 1) {
        slices_silence(call);
        return;
    }
    slices_take(&x, of.value);
    ast_node *result = result_of(&x, &of);
    if (norm) result = rewrite_call(r, ".sqrt", result);
    uint32_t id = call->id;
    cpl_span span = call->span;
    *call = *result;
    call->id = id;
    call->span = span;
}

/* ---- along an axis ---- */

static bool is_axis(const ast_node *n, int64_t *axis)
{
    const ast_node *of = n->kind == AST_UNARY && n->op == TOK_SUB ? n->kids[0] : n;
    if (of->kind != AST_INT || of->overflow || of->integer >= SLICES_DIMS) return false;
    *axis = of == n ? (int64_t)of->integer : -(int64_t)of->integer;
    return true;
}

/* The axis of np.sum(m, axis=1), np.sum(m, 1), m.sum(axis=1), m.sum(1): NULL where there is none.
 */
static const ast_node *axis_of(const ast_node *call, bool function)
{
    const ast_node *last = call->kids[call->kid_count - 1];
    if (call->kid_count != (function ? 3 : 2)) return NULL;
    if (!call->keyword_count) return last;
    return strcmp(last->name, "axis") == 0 ? last->kids[0] : NULL;
}

static bool is_along(rewriter *r, const ast_node *call, folding *out, int64_t *axis)
{
    const ast_node *callee = call->kids[0];
    bool named = callee->kind == AST_NAME || callee->kind == AST_ATTRIBUTE;
    out->f = named ? find(callee->name) : NULL;
    if (!out->f || out->f->kind == FOLD_DOT) return false;
    bool function = names(r, callee, out->f, &out->numpy);
    out->numpy |= !function;
    if (!out->numpy || callee->kind != AST_ATTRIBUTE) return false;
    const ast_node *n = axis_of(call, function);
    if (!n || !is_axis(n, axis)) return false;
    out->value = function ? call->kids[1] : callee->kids[0];
    return function || is_folded_by_method(r, out->value, callee->name);
}

/* All of an array by its name: as many slices as it has dimensions, where that is known, or else,
 * where it stands alone, as what is stored has, and one more. */
static void spread(const slicing *x, ast_node **at, bool alone)
{
    rewriter *r = x->r;
    ast_node *n = *at;
    ast_list parts = {0};
    for (uint32_t i = n->kind == AST_CALL; slices_go_through(r, n) && i < n->kid_count; i++)
        spread(x, &n->kids[i], false);
    if (n->kind != AST_NAME || !is_array_name(r, n)) return;
    uint32_t dims = rewrite_dimensions(r, n->name);
    if (!dims) dims = rewrite_most_indices(r, n->name);
    if (dims < 2 && !alone) return;
    *at = slices_whole(r, n, NULL);
    slices_put(r, *at, n, &parts, dims > 1 ? dims : x->dims + 1);
}

/* Whether the array that is written stands in n. */
static bool has_target(const slicing *x, const ast_node *n)
{
    const char *array = overlap_array(x->r, x->target->kids[0]);
    if (n->kind == AST_NAME && strcmp(overlap_array(x->r, n), array) == 0) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (has_target(x, n->kids[i])) return true;
    return false;
}

static bool take_out(slicing *x, ast_node **at, fold_list *out)
{
    rewriter *r = x->r;
    folding of = {0};
    int64_t axis;
    if ((*at)->kind != AST_CALL || !is_along(r, *at, &of, &axis)) return false;
    spread(x, &of.value, true);
    of.value = slices_rows(r, of.value, false);
    int64_t dims = slices_most(of.value);
    if (axis < 0) axis += dims;
    if (dims < 2 || dims > (int64_t)x->dims + 1 || axis < 0 || axis >= dims) return false;
    folding *kept = arena_new(&r->s->comp->arena, folding);
    *kept = of;
    *at = rewrite_name(r, rewrite_made_name(r, "along"), (*at)->span);
    vec_push(&r->s->comp->arena, out,
             ((fold_along){*at, of.value, kept, (uint32_t)dims, (uint32_t)axis}));
    return true;
}

void folds_take_out(slicing *x, ast_node **at, fold_list *out)
{
    ast_node *n = *at;
    if (take_out(x, at, out) || !slices_go_through(x->r, n)) return;
    for (uint32_t i = n->kind == AST_CALL; i < n->kid_count; i++)
        folds_take_out(x, &n->kids[i], out);
}

bool folds_read(const slicing *x, const fold_list *all)
{
    for (uint32_t i = 0; i < all->n; i++)
        if (has_target(x, all->at[i].value)) return true;
    return false;
}

/* A loop over the axis alone, in each round of those of x. */
static void put_along(slicing *x, const fold_along *f, ast_list *inside)
{
    rewriter *r = x->r;
    folding of = *(const folding *)f->fold;
    slicing all = {.r = r, .dims = f->dims, .what = rewrite_quoted(r, of.f->name)};
    ast_list outer;
    bool top = r->top;
    of.value = f->value;
    if (!slices_begin(&all, &of.value)) return;
    for (uint32_t k = 0, to = x->dims + 1 - f->dims; k < f->dims; k++) {
        if (k == f->axis) continue;
        all.index[k] = x->index[to];
        all.count[k] = x->count[to++];
    }
    slices_take(&all, of.value);
    slicing axis = {.r = r, .dims = 1, .what = all.what};
    axis.index[0] = all.index[f->axis];
    axis.count[0] = all.count[f->axis];
    outer = r->before;
    r->before = *inside;
    r->top = false;
    *f->at = *result_of(&axis, &of);
    *inside = r->before;
    r->before = outer;
    r->top = top;
}

void folds_put(slicing *x, const fold_list *all, ast_list *inside)
{
    for (uint32_t i = 0; i < all->n; i++) put_along(x, &all->at[i], inside);
}

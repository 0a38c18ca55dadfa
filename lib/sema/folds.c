/*
 * Functions that take the elements of an array together: loops in front of the statement,
 *
 *     s = sum(x[::2]**2)      m = np.max(np.abs(x[:] - y[:]))      a = x.mean()
 *
 * over all elements of a whole array too. Python's own min and max keep the first of what cannot
 * be told apart and take no notice of a NaN behind it, as min(a, b) does; those of NumPy, and
 * methods, are NaN where an element is. The least of no elements is 0.
 */
#include "lib/sema/rewrite.h"

typedef enum fold_kind { FOLD_SUM, FOLD_MEAN, FOLD_TRUTH, FOLD_LEAST } fold_kind;

typedef struct fold {
    const char *name;
    uint8_t kind;     /* fold_kind */
    uint8_t op;       /* token_kind, of `total op= e`; FOLD_LEAST: TOK_END */
    uint8_t start;    /* what no elements are */
    bool python;      /* Python has it under that name alone, too */
    const char *call; /* FOLD_LEAST: of `total = call(total, e)` */
} fold;

static const fold folds[] = {
    {"sum", FOLD_SUM, TOK_ADD, 0, true, NULL},
    {"prod", FOLD_SUM, TOK_MUL, 1, false, NULL},
    {"mean", FOLD_MEAN, TOK_ADD, 0, false, NULL},
    {"any", FOLD_TRUTH, TOK_BITOR, 0, true, NULL},
    {"all", FOLD_TRUTH, TOK_BITAND, 1, true, NULL},
    {"min", FOLD_LEAST, TOK_END, 0, true, ".min"},
    {"max", FOLD_LEAST, TOK_END, 0, true, ".max"},
    {"amin", FOLD_LEAST, TOK_END, 0, false, ".min"},
    {"amax", FOLD_LEAST, TOK_END, 0, false, ".max"},
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
    return false;
}

/* x.sum(), where x is a private array, a parameter, or an expression of some */
static bool is_folded_by_method(const rewriter *r, const ast_node *x, const char *name)
{
    if (slices_stand_in(x) || (x->kind == AST_NAME && rewrite_is_private(r, x))) return true;
    if (x->kind == AST_NAME && !rewrite_is_parameter(r, x)) return false;
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
    sema_global of = sema_find_node(in, n->kids[0]);
    return known && of.kind == GLOBAL_MODULE && of.module == MODULE_NUMPY;
}

static bool is_fold(const rewriter *r, const ast_node *call, folding *out)
{
    const ast_node *callee = call->kids[0];
    if (callee->kind != AST_NAME && callee->kind != AST_ATTRIBUTE) return false;
    out->f = find(callee->name);
    if (!out->f || call->keyword_count) return false;
    if (names(r, callee, out->f, &out->numpy)) {
        out->value = call->kid_count == 2 ? call->kids[1] : NULL;
        return out->value && (out->value->kind != AST_NAME || is_array_name(r, out->value));
    }
    out->numpy = true;
    if (callee->kind != AST_ATTRIBUTE || call->kid_count != 1) return false;
    out->value = callee->kids[0];
    return is_folded_by_method(r, out->value, callee->name);
}

/* ---- the loop ---- */

/* A copy of n, which the loop x computes, for its first round. */
static ast_node *first(const slicing *x, const ast_node *n)
{
    rewriter *r = x->r;
    for (uint32_t i = 0; n->kind == AST_NAME && i < x->dims; i++)
        if (n->name == x->index[i]) return rewrite_integer(r, 0, n->span);
    ast_node *c = rewrite_node(r, (ast_kind)n->kind, n->span, n->kid_count);
    ast_node **kids = c->kids;
    uint32_t id = c->id;
    *c = *n;
    c->id = id;
    c->kids = kids;
    for (uint32_t i = 0; i < n->kid_count; i++) kids[i] = first(x, n->kids[i]);
    return c;
}

/* name op= value */
static ast_node *augment(rewriter *r, const char *name, uint8_t op, ast_node *value)
{
    ast_node *n = rewrite_pair(r, AST_AUGASSIGN, rewrite_name(r, name, value->span), value);
    n->op = op;
    n->op_span = value->span;
    return n;
}

/* What begins as a float where that is a mean. */
static ast_node *start(rewriter *r, const fold *f, cpl_span span)
{
    if (f->kind == FOLD_TRUTH) return rewrite_truth(r, f->start, span);
    if (f->kind == FOLD_SUM) return rewrite_integer(r, f->start, span);
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

/* total = start; for at: total op= e */
static ast_node *combine(slicing *x, const fold *f, ast_node *value, ast_node *loop)
{
    rewriter *r = x->r;
    cpl_span span = value->span;
    const char *total = rewrite_before(r, "sum", start(r, f, span));
    if (f->kind == FOLD_TRUTH)
        value = rewrite_compare(r, TOK_NE, value, rewrite_integer(r, 0, span));
    ast_list *body = slices_loop(x, loop);
    vec_push(&r->s->comp->arena, body, augment(r, total, f->op, value));
    ast_node *result = rewrite_name(r, total, span);
    if (f->kind != FOLD_MEAN) return result;
    return rewrite_binary(r, TOK_DIV, result, rounds(x, span));
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
static ast_node *least(slicing *x, const folding *of, ast_node *value, ast_node *loop)
{
    rewriter *r = x->r;
    arena *a = &r->s->comp->arena;
    cpl_span span = value->span;
    ast_node *some = rewrite_compare(r, TOK_GT, rounds(x, span), rewrite_integer(r, 0, span));
    const char *least =
        rewrite_before(r, "least",
                       rewrite_choose(r, some, first(x, value), rewrite_integer(r, 0, span)));
    const char *nan = of->numpy ? rewrite_before(r, "nan", rewrite_integer(r, 0, span)) : NULL;
    const char *v = rewrite_made_name(r, "v");
    ast_list *body = slices_loop(x, loop);
    vec_push(a, body, rewrite_pair(r, AST_ASSIGN, rewrite_name(r, v, span), value));
    ast_node *call = rewrite_node(r, AST_CALL, span, 3);
    call->kids[0] = rewrite_name(r, of->f->call, span);
    call->kids[1] = rewrite_name(r, least, span);
    call->kids[2] = rewrite_name(r, v, span);
    vec_push(a, body, rewrite_pair(r, AST_ASSIGN, rewrite_name(r, least, span), call));
    if (!nan) return rewrite_name(r, least, span);
    ast_node *part = rewrite_choose(r, is_nan(r, v, span), rewrite_name(r, v, span),
                                    rewrite_integer(r, 0, span));
    vec_push(a, body, augment(r, nan, TOK_ADD, part));
    return rewrite_choose(r, is_nan(r, nan, span), rewrite_name(r, nan, span),
                          rewrite_name(r, least, span));
}

void rewrite_fold(rewriter *r, ast_node *call)
{
    folding of;
    if (!is_fold(r, call, &of)) return;
    slicing x = {.r = r, .what = arena_printf(&r->s->comp->arena, "'%s'", of.f->name)};
    if (of.value->kind == AST_NAME) of.value = slices_whole(r, of.value, x.what);
    if (!slices_begin(&x, &of.value)) return;
    ast_node *loop = rewrite_node(r, AST_FOR, call->span, 0);
    slices_take(&x, of.value);
    ast_node *result = of.f->kind == FOLD_LEAST ? least(&x, &of, of.value, loop)
                                                : combine(&x, of.f, of.value, loop);
    vec_push(&r->s->comp->arena, &r->before, loop);
    uint32_t id = call->id;
    cpl_span span = call->span;
    *call = *result;
    call->id = id;
    call->span = span;
}

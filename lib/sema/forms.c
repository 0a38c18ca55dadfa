/*
 * Forms of Python's that others stand for, one at a time:
 *
 *     ord('a')                97
 *     p[i]['x']               p[i].x
 *     v in (1, 2)             v == 1 or v == 2
 *     v in x, x an array      any(x[:] == v)
 *     np.iinfo(np.int8).max   127
 *     m[i] = a, b             m[i, 0], m[i, 1] = a, b
 *     a.flat[k]               a[k // a.shape[1], k % a.shape[1]], or a[k] of an array that is flat
 *     (v := e) + 1            v + 1, v = e in front of the statement
 */
#include "lib/sema/rewrite.h"

#include <ctype.h>
#include <float.h>

static void become(ast_node *n, const ast_node *as)
{
    uint32_t id = n->id;
    cpl_span span = n->span;
    *n = *as;
    n->id = id;
    n->span = span;
}

/* ---- texts ---- */

static void put_code(rewriter *r, ast_node *n)
{
    if (!rewrite_calls(r, n, "ord") || n->kid_count != 2 || n->kids[1]->kind != AST_STRING) return;
    const unsigned char *s = (const unsigned char *)n->kids[1]->text;
    uint32_t size = n->kids[1]->text_length, first = size ? s[0] : 0;
    uint32_t bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    uint32_t code = bytes == 1 ? first : first & (0xffu >> (bytes + 1));
    if (size != bytes) {
        rewrite_refuse(r, n, "'ord' takes a text of one character", "ord('a')");
        return;
    }
    for (uint32_t i = 1; i < bytes; i++) code = code << 6 | (s[i] & 0x3f);
    become(n, rewrite_integer(r, code, n->span));
}

static bool is_identifier(const char *s)
{
    if (!isalpha((unsigned char)*s) && *s != '_') return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_') return false;
    return true;
}

/* A field of a record, as NumPy's and Numba's have it. */
static void put_field(rewriter *r, ast_node *n)
{
    const ast_node *text = n->kids[1];
    if (text->kind == AST_LIST)
        rewrite_refuse(r, n->kids[1], "an index must be an integer, found a list",
                       "elements are chosen one by one: for k in (0, 1): ... x[k]");
    if (text->kind != AST_STRING || !is_identifier(text->text)) return;
    n->kind = AST_ATTRIBUTE;
    n->name = text->text;
    n->op_span = text->span;
    n->kid_count = 1;
}

/* ---- in ---- */

/* Whether n may be computed several times: it calls nothing but what is of numbers. */
static bool is_pure(const rewriter *r, const ast_node *n)
{
    if (n->kind == AST_CALL && !slices_go_through(r, n)) return false;
    for (uint32_t i = n->kind == AST_CALL; i < n->kid_count; i++)
        if (!is_pure(r, n->kids[i])) return false;
    return true;
}

static ast_node *any_of(rewriter *r, const ast_node *of, ast_node *value)
{
    if (!of->kid_count) return rewrite_truth(r, false, value->span);
    ast_node *all = rewrite_node(r, AST_BOOLOP, value->span, of->kid_count);
    all->op = TOK_OR;
    for (uint32_t i = 0; i < of->kid_count; i++)
        all->kids[i] = rewrite_compare(r, TOK_EQ, rewrite_copy(r, value), of->kids[i]);
    return of->kid_count == 1 ? all->kids[0] : all;
}

static void refuse_in(rewriter *r, ast_node *n, const char *message, const char *hint)
{
    slices_silence(n);
    rewrite_refuse(r, n, message, hint);
}

static void put_in(rewriter *r, ast_node *n)
{
    uint32_t which = 0;
    while (which + 1 < n->kid_count && n->ops[which] != TOK_IN) which++;
    if (which + 1 == n->kid_count) return;
    if (n->kid_count != 2) {
        refuse_in(r, n, "'in' does not stand between other comparisons",
                  "join them by 'and': 0 < a and a in (1, 2)");
        return;
    }
    ast_node *value = n->kids[0], *of = n->kids[1];
    bool table = of->kind == AST_NAME && map_get(&r->tables, of->name);
    bool array = rewrite_names_array(r, of) || slices_is_one(of) || rewrite_is_row(r, of);
    if (!is_pure(r, value)) {
        refuse_in(r, n, "what stands in front of 'in' calls a function",
                  "assign it first: v = f(x); v in (1, 2)");
        return;
    }
    if (rewrite_is_sequence(of)) {
        become(n, any_of(r, of, value));
    } else if (table) {
        become(n, any_of(r, rewrite_copy(r, map_get(&r->tables, of->name)), value));
    } else if (array) {
        if (of->kind == AST_NAME) of = slices_whole(r, of, "'in'");
        become(n, rewrite_call(r, "any", rewrite_compare(r, TOK_EQ, of, value)));
        rewrite_fold(r, n);
    } else {
        refuse_in(r, n,
                  "'in' takes a tuple or list that stands there, one of the file, or an array",
                  "compare with each value: a == 1 or a == 2; a <= v and v < b");
    }
}

/* ---- limits of types ---- */

static ast_node *limit_of(rewriter *r, const cpl_type *t, const char *name, cpl_span span)
{
    bool max = strcmp(name, "max") == 0, min = strcmp(name, "min") == 0;
    uint32_t bits = (uint32_t)t->size * 8;
    if (type_is_int(t)) {
        bool is_signed = type_is_signed(t);
        if (strcmp(name, "bits") == 0) return rewrite_integer(r, bits, span);
        if (!max && !min) return NULL;
        if (min && !is_signed) return rewrite_integer(r, 0, span);
        if (min)
            return rewrite_integer(r, bits == 64 ? INT64_MIN : -(INT64_C(1) << (bits - 1)), span);
        ast_node *n = rewrite_node(r, AST_INT, span, 0);
        n->integer = UINT64_MAX >> (64 - bits + is_signed);
        return n;
    }
    bool wide = t->size == 8;
    double value = wide ? DBL_MAX : (double)FLT_MAX;
    if (strcmp(name, "eps") == 0) value = wide ? DBL_EPSILON : (double)FLT_EPSILON;
    else if (strcmp(name, "tiny") == 0 || strcmp(name, "smallest_normal") == 0)
        value = wide ? DBL_MIN : (double)FLT_MIN;
    else if (min) value = -value;
    else if (!max) return NULL;
    ast_node *n = rewrite_node(r, AST_FLOAT, span, 0);
    n->number = value;
    return n;
}

/* np.finfo(T).eps is a number of the type T, np.iinfo(T).max one of Python's. */
static void put_limits(rewriter *r, ast_node *n)
{
    const ast_node *call = n->kids[0];
    if (call->kind != AST_CALL || call->kid_count != 2 || call->keyword_count ||
        call->kids[0]->kind != AST_ATTRIBUTE || rewrite_is_local(r, call->kids[0]))
        return;
    const ast_node *callee = call->kids[0];
    bool ints = strcmp(callee->name, "iinfo") == 0;
    if (!ints && strcmp(callee->name, "finfo") != 0) return;
    if (!rewrite_is_numpy(r, callee->kids[0])) return;
    sema_names names = {.s = r->s, .file = r->fn->file};
    const cpl_type *t = sema_python_type(names, call->kids[1]);
    bool fits = t && type_is_scalar(t) && (ints ? type_is_int(t) : type_is_float(t) && t->size > 2);
    ast_node *value = fits ? limit_of(r, t, n->name, n->span) : NULL;
    if (!value)
        rewrite_refuse(r, n,
                       ints ? "'iinfo' of kernels has min, max and bits of a type of integers"
                            : "'finfo' of kernels has min, max, eps and tiny of float32 or float64",
                       ints ? "np.iinfo(np.int32).max" : "np.finfo(np.float64).eps");
    else if (ints) become(n, value);
    else become(n, rewrite_pair(r, AST_CALL, call->kids[1], value));
}

/* ---- rows of numbers ---- */

static void put_row(rewriter *r, ast_node *n)
{
    ast_list parts = {0};
    ast_node *target = n->kids[0], *value = n->kids[n->kid_count - 1];
    if (n->kid_count != 2 || value->kind != AST_TUPLE || value->kid_count < 2 ||
        target->kind != AST_INDEX)
        return;
    uint32_t rank = slices_rank(target);
    ast_node *name = slices_parts(r, target, &parts);
    if (!name || !rewrite_names_array(r, name)) return;
    bool all = rank == 1 && rows_is_all(parts.at[parts.n - 1]);
    uint32_t most = rewrite_dimensions(r, name->name);
    if (!most) most = rewrite_most_indices(r, name->name);
    uint32_t given = parts.n - all;
    if ((rank && !all) || !given || (!all && most > given + 1)) return;
    for (uint32_t k = 0; k < given; k++) parts.at[k] = rewrite_kept(r, parts.at[k]);
    ast_node *targets = rewrite_node(r, AST_TUPLE, target->span, value->kid_count);
    for (uint32_t i = 0; i < value->kid_count; i++) {
        ast_node *element = rewrite_name(r, name->name, name->span);
        for (uint32_t k = 0; k < given; k++)
            element = rewrite_pair(r, AST_INDEX, element, rewrite_copy(r, parts.at[k]));
        targets->kids[i] =
            rewrite_pair(r, AST_INDEX, element, rewrite_integer(r, i, value->kids[i]->span));
    }
    n->kids[0] = targets;
}

/* ---- := ---- */

/* What is evaluated in front of a part of a statement, in the same statement. */
typedef struct earlier {
    bool calls;     /* functions of the file, which may do anything */
    bool sometimes; /* the part is evaluated under a condition alone */
} earlier;

static void put_named(rewriter *r, ast_node *n, const ast_node *whole, earlier *e);

/* Whether n, as far as it stands in front of end, uses the name. */
static bool uses(const ast_node *n, const char *name, const ast_node *end)
{
    if (n == end) return false;
    if (n->kind == AST_NAME) return n->span.begin < end->span.begin && strcmp(n->name, name) == 0;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (uses(n->kids[i], name, end)) return true;
    return false;
}

static void put_parts(rewriter *r, ast_node *n, const ast_node *whole, earlier *e)
{
    bool before = e->sometimes;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        bool first = n->kind == AST_COMPARE ? i < 2 : i < 1;
        e->sometimes = before || ((n->kind == AST_TERNARY || n->kind == AST_COMPARE) && !first);
        put_named(r, n->kids[i], whole, e);
    }
    e->sometimes = before;
    if (n->kind == AST_CALL && !slices_go_through(r, n)) e->calls = true;
}

static bool has_named(const ast_node *n)
{
    if (n->kind == AST_NAMED) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (has_named(n->kids[i])) return true;
    return false;
}

/* a and (v := b): t = a; if t: v = b; t = v */
static void put_decided(rewriter *r, ast_node *n, const ast_node *whole, earlier *e)
{
    arena *a = &r->s->comp->arena;
    bool calls = e->calls, direct = false;
    for (uint32_t i = 0; i < whole->kid_count; i++) direct |= whole->kids[i] == n;
    put_named(r, n->kids[0], whole, e);
    const char *t = rewrite_before(r, FORMS_DECIDED + 1, n->kids[0]);
    for (uint32_t i = 1; i < n->kid_count; i++) {
        cpl_span span = n->kids[i]->span;
        ast_list outer = r->before;
        r->before = (ast_list){0};
        e->calls = calls; /* those of what is computed by now are done */
        put_named(r, n->kids[i], direct ? n->kids[i] : whole, e);
        rewrite_put(r, t, n->kids[i]);
        ast_node *then = rewrite_node(r, AST_IF, span, 1);
        then->kids[0] = rewrite_name(r, t, span);
        if (n->op == TOK_OR) {
            ast_node *no = rewrite_node(r, AST_UNARY, span, 1);
            no->op = TOK_NOT;
            no->kids[0] = then->kids[0];
            then->kids[0] = no;
        }
        then->body = arena_new(a, ast_list);
        *then->body = r->before;
        r->before = outer;
        vec_push(a, &r->before, then);
    }
    become(n, rewrite_name(r, t, n->span));
}

static void put_named(rewriter *r, ast_node *n, const ast_node *whole, earlier *e)
{
    if (n->kind == AST_BOOLOP && !e->sometimes && has_named(n)) {
        put_decided(r, n, whole, e);
        return;
    }
    bool calls = e->calls;
    put_parts(r, n, whole, e);
    if (n->kind != AST_NAMED) return;
    const char *name = n->kids[0]->name;
    const char *message = e->sometimes ? "':=' stands here where it is evaluated under a condition"
                          : calls      ? "a function is called in front of ':=' in this statement"
                          : uses(whole, name, n)
                              ? "the name is used in front of its ':=' in this statement"
                              : NULL;
    if (message) {
        rewrite_refuse(r, n, message, "assign in a statement of its own");
        rewrite_put(r, name, rewrite_node(r, AST_ERROR, n->span, 0)); /* it is known */
        return;
    }
    rewrite_put(r, name, n->kids[1]);
    become(n, n->kids[0]);
}

/* Each (v := e) in n, a statement's expression, is a statement in front of it, in their order. */
void rewrite_named(rewriter *r, ast_node *n)
{
    earlier e = {0};
    uint32_t kids = n->kind == AST_FOR || n->kind == AST_ASSIGN || n->kind == AST_AUGASSIGN ||
                            n->kind == AST_ANNASSIGN || n->kind == AST_EXPR ||
                            n->kind == AST_RETURN || n->kind == AST_IF || n->kind == AST_WHILE ||
                            n->kind == AST_ASSERT || n->kind == AST_WITH
                        ? n->kid_count
                        : 0;
    for (uint32_t i = 0; i < kids; i++) put_named(r, n->kids[i], n, &e);
}

/* ---- all ---- */

/* ---- a.flat ---- */

/* The array in a.flat, a.ravel(): its name; or NULL. */
static const ast_node *flat_array(const rewriter *r, const ast_node *n)
{
    bool call = n->kind == AST_CALL && n->kid_count == 1;
    const ast_node *of = call ? n->kids[0] : n;
    for (uint32_t i = 0; i < r->s->structs.n; i++) { /* p.flat, a field */
        const ast_class *k = r->s->structs.at[i].class_;
        for (uint32_t f = 0; k && f < k->fields.n; f++)
            if (strcmp(k->fields.at[f].name, "flat") == 0) return NULL;
    }
    if (of->kind != AST_ATTRIBUTE || !rewrite_names_array(r, of->kids[0])) return NULL;
    bool known = call ? strcmp(of->name, "ravel") == 0 : strcmp(of->name, "flat") == 0;
    return known ? of->kids[0] : NULL;
}

static uint32_t dimensions(rewriter *r, const char *name)
{
    uint32_t made = rewrite_dimensions(r, name);
    return made ? made : rewrite_most_indices(r, name);
}

const ast_node *rewrite_flat_of(rewriter *r, const ast_node *n)
{
    const ast_node *name = flat_array(r, n);
    return name && dimensions(r, name->name) == 2 && !rewrite_is_private(r, name) ? name : NULL;
}

/* Of an array that the function takes as flat it is the array. */
static void put_flat(rewriter *r, ast_node *n)
{
    const ast_node *name = flat_array(r, n);
    if (name && dimensions(r, name->name) < 2) become(n, name);
}

/* a[k // a.shape[1], k % a.shape[1]] */
void rewrite_flat(rewriter *r, ast_node *n)
{
    const ast_node *name = rewrite_flat_of(r, n->kids[0]);
    if (!name || slices_stand_in(n->kids[1])) return;
    if (!is_pure(r, n->kids[1])) {
        refuse_in(r, n, "the index of all elements of a matrix calls a function",
                  "assign it first: k = f(x); a.flat[k]");
        return;
    }
    ast_node *parts = rewrite_node(r, AST_TUPLE, n->kids[1]->span, 2);
    for (uint32_t i = 0; i < 2; i++) {
        ast_node *shape = rewrite_node(r, AST_ATTRIBUTE, name->span, 1);
        shape->kids[0] = rewrite_name(r, name->name, name->span);
        shape->name = "shape";
        ast_node *columns = rewrite_pair(r, AST_INDEX, shape, rewrite_integer(r, 1, name->span));
        parts->kids[i] =
            rewrite_binary(r, i ? TOK_MOD : TOK_FLOORDIV, rewrite_copy(r, n->kids[1]), columns);
    }
    n->kids[0] = rewrite_name(r, name->name, name->span);
    n->kids[1] = parts;
}

void rewrite_form(rewriter *r, ast_node *n)
{
    switch (n->kind) {
    case AST_CALL:
        put_code(r, n);
        put_flat(r, n);
        break;
    case AST_INDEX:
        put_field(r, n);
        if (n->kind == AST_INDEX) rewrite_flat(r, n);
        break;
    case AST_COMPARE: put_in(r, n); break;
    case AST_ATTRIBUTE:
        put_limits(r, n);
        put_flat(r, n);
        break;
    case AST_ASSIGN: put_row(r, n); break;
    default: break;
    }
}

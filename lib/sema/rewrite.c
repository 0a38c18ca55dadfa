/*
 * Forms that others write, as those of the language; done once to a function's tree, before
 * anything in it is typed:
 *
 *     cuda.atomic.add(a, i, v)     atomic_add(a[i], v)
 *     for v in x: ...              for k in range(len(x)): v = x[k]; ...    (loops.c)
 *     W[1], W = (0.5, 0.25)        0.25
 *     W[k], W = (0.5, 0.25)        W = [0.5, 0.25] where the function begins
 *     a[1:] = 2*b[:-1], sum(b[:])  loops over elements: slices.c, folds.c
 *     p = x[i]; p[0]               x[i][0]: rows.c, for each instance
 */
#include "lib/sema/rewrite.h"

bool sema_same(const ast_node *a, const ast_node *b, bool calls)
{
    if (a->kind != b->kind || a->op != b->op || a->kid_count != b->kid_count) return false;
    bool named = a->kind == AST_NAME || a->kind == AST_ATTRIBUTE;
    if (!calls && (a->kind == AST_CALL || a->kind == AST_ATTRIBUTE)) return false;
    if (a->kind == AST_COMPARE && memcmp(a->ops, b->ops, a->kid_count - 1) != 0) return false;
    if (named ? strcmp(a->name, b->name) != 0 : a->integer != b->integer && !a->kid_count)
        return false;
    for (uint32_t i = 0; i < a->kid_count; i++)
        if (!sema_same(a->kids[i], b->kids[i], calls)) return false;
    return true;
}

ast_node *rewrite_node(rewriter *r, ast_kind kind, cpl_span span, uint32_t kids)
{
    arena *a = &r->s->comp->arena;
    ast_node *n = arena_new(a, ast_node);
    *n = (ast_node){.kind = (uint8_t)kind, .id = r->fn->node_count++, .span = span};
    n->op_span = span;
    n->kid_count = kids;
    n->kids = arena_array(a, kids, sizeof *n->kids);
    return n;
}

ast_node *rewrite_name(rewriter *r, const char *name, cpl_span span)
{
    ast_node *n = rewrite_node(r, AST_NAME, span, 0);
    n->name = name;
    return n;
}

ast_node *rewrite_pair(rewriter *r, ast_kind kind, ast_node *a, ast_node *b)
{
    ast_node *n = rewrite_node(r, kind, a->span, 2);
    n->kids[0] = a;
    n->kids[1] = b;
    return n;
}

ast_node *rewrite_binary(rewriter *r, token_kind op, ast_node *a, ast_node *b)
{
    ast_node *n = rewrite_pair(r, AST_BINARY, a, b);
    n->op = (uint8_t)op;
    return n;
}

ast_node *rewrite_integer(rewriter *r, int64_t value, cpl_span span)
{
    ast_node *n = rewrite_node(r, AST_INT, span, 0);
    n->integer = (uint64_t)(value < 0 ? -value : value);
    if (value >= 0) return n;
    ast_node *minus = rewrite_node(r, AST_UNARY, span, 1);
    minus->op = TOK_SUB;
    minus->kids[0] = n;
    return minus;
}

ast_node *rewrite_compare(rewriter *r, token_kind op, ast_node *a, ast_node *b)
{
    ast_node *n = rewrite_pair(r, AST_COMPARE, a, b);
    uint8_t *ops = arena_array(&r->s->comp->arena, 1, sizeof *ops);
    ops[0] = (uint8_t)op;
    n->ops = ops;
    return n;
}

ast_node *rewrite_choose(rewriter *r, ast_node *condition, ast_node *a, ast_node *b)
{
    ast_node *n = rewrite_node(r, AST_TERNARY, condition->span, 3);
    n->kids[0] = condition;
    n->kids[1] = a;
    n->kids[2] = b;
    return n;
}

ast_node *rewrite_call(rewriter *r, const char *name, ast_node *argument)
{
    return rewrite_pair(r, AST_CALL, rewrite_name(r, name, argument->span), argument);
}

ast_node *rewrite_call_of_two(rewriter *r, const char *name, ast_node *a, ast_node *b)
{
    ast_node *n = rewrite_node(r, AST_CALL, a->span, 3);
    n->kids[0] = rewrite_name(r, name, a->span);
    n->kids[1] = a;
    n->kids[2] = b;
    return n;
}

const char *rewrite_quoted(rewriter *r, const char *name)
{
    return arena_printf(&r->s->comp->arena, "'%s'", name);
}

const char *rewrite_made_name(rewriter *r, const char *what)
{
    return arena_printf(&r->s->comp->arena, ".%s%u", what, r->made++);
}

void rewrite_assign(rewriter *r, ast_list *to, const char *name, ast_node *value)
{
    ast_node *target = rewrite_name(r, name, value->span);
    vec_push(&r->s->comp->arena, to, rewrite_pair(r, AST_ASSIGN, target, value));
}

void rewrite_put(rewriter *r, const char *name, ast_node *value)
{
    rewrite_assign(r, &r->before, name, value);
}

const char *rewrite_before(rewriter *r, const char *what, ast_node *value)
{
    const char *name = rewrite_made_name(r, what);
    rewrite_put(r, name, value);
    return name;
}

/* ---- Numba's atomics take the array and the index apart ---- */

bool rewrite_is_local(const rewriter *r, const ast_node *n)
{
    while (n->kind == AST_ATTRIBUTE) n = n->kids[0];
    return n->kind == AST_NAME && map_get(&r->locals, n->name);
}

bool rewrite_is_numpy(const rewriter *r, const ast_node *n)
{
    sema_global g = sema_find_node((sema_names){.s = r->s, .file = r->fn->file}, n);
    return g.kind == GLOBAL_MODULE && g.module == MODULE_NUMPY;
}

bool rewrite_is_private(const rewriter *r, const ast_node *n)
{
    return map_get(&r->arrays, n->name) || map_get(&r->tables, n->name);
}

uint32_t rewrite_dimensions(const rewriter *r, const char *name)
{
    return (uint32_t)(uintptr_t)map_get(&r->dimensions, name);
}

bool rewrite_is_parameter(const rewriter *r, const ast_node *n)
{
    if (map_get(&r->locals, n->name) != r->fn) return false;
    for (uint32_t i = 0; i < r->fn->param_count; i++)
        if (r->fn->params[i].star && strcmp(r->fn->params[i].name, n->name) == 0)
            return r->fn->params[i].star == 'k';
    return true;
}

bool rewrite_is_sequence(const ast_node *n)
{
    return n->kind == AST_TUPLE || n->kind == AST_LIST;
}

bool rewrite_calls(const rewriter *r, const ast_node *n, const char *name)
{
    if (n->kind != AST_CALL || n->kids[0]->kind != AST_NAME ||
        strcmp(n->kids[0]->name, name) != 0 || rewrite_is_local(r, n->kids[0]))
        return false;
    sema_names names = {.s = r->s, .file = r->fn->file};
    return sema_find_node(names, n->kids[0]).kind == GLOBAL_NONE;
}

bool rewrite_names_array(const rewriter *r, const ast_node *n)
{
    return n->kind == AST_NAME && (rewrite_is_parameter(r, n) || rewrite_is_private(r, n));
}

bool rewrite_is_row(const rewriter *r, const ast_node *n)
{
    if (n->kind != AST_INDEX || slices_stand_in(n)) return false;
    while (n->kind == AST_INDEX) n = n->kids[0];
    return rewrite_names_array(r, n);
}

ast_node *rewrite_kept(rewriter *r, ast_node *index)
{
    const ast_node *of = index->kind == AST_UNARY ? index->kids[0] : index;
    if (of->kind == AST_INT || of->kind == AST_ERROR) return index;
    if (index->kind == AST_NAME && rewrite_is_parameter(r, index)) return index;
    return rewrite_name(r, rewrite_before(r, "row", index), index->span);
}

static void join_index(rewriter *r, ast_node *n)
{
    ast_node *callee = n->kids[0];
    if (callee->kind != AST_ATTRIBUTE || n->kid_count < 4 || rewrite_is_local(r, callee)) return;
    sema_names names = {.s = r->s, .file = r->fn->file};
    sema_global of = sema_find_node(names, callee->kids[0]);
    if (of.kind != GLOBAL_MODULE || of.module != MODULE_ATOMIC) return;
    ast_node *place = rewrite_pair(r, AST_INDEX, n->kids[1], n->kids[2]);
    if (n->kids[2]->span.end > place->span.end) place->span.end = n->kids[2]->span.end;
    n->kids[1] = place;
    n->kid_count--;
    memmove(n->kids + 2, n->kids + 3, (n->kid_count - 2) * sizeof *n->kids);
}

/* f(*(a, b)) is f(a, b). */
static void spread_tuples(rewriter *r, ast_node *n)
{
    ast_list all = {0};
    for (uint32_t i = 0; i < n->kid_count; i++) {
        ast_node *kid = n->kids[i];
        bool tuple = kid->kind == AST_STAR && rewrite_is_sequence(kid->kids[0]);
        for (uint32_t k = 0; tuple && k < kid->kids[0]->kid_count; k++)
            vec_push(&r->s->comp->arena, &all, kid->kids[0]->kids[k]);
        if (!tuple) vec_push(&r->s->comp->arena, &all, kid);
    }
    n->kids = all.at;
    n->kid_count = all.n;
}

/* ---- sequences of the module ---- */

/* Of np.array([...], dtype) the list, and the type's text, "" where none is said; of a tuple or
 * list itself. NULL: it is none, or its type is not known. */
static const ast_node *items_of(rewriter *r, const ast_const *k, const char **type)
{
    const ast_node *n = ast_const_value((ast_const *)k), *said = NULL;
    sema_names names = {.s = r->s, .file = k->file};
    *type = NULL;
    if (rewrite_is_sequence(n)) return n;
    if (sema_maker(names, n) != BI_ARRAY || n->kid_count < 2 || n->kid_count > 3) return NULL;
    if (n->kid_count == 3) said = n->keyword_count ? n->kids[2]->kids[0] : n->kids[2];
    if (n->keyword_count > (said != NULL) || !rewrite_is_sequence(n->kids[1])) return NULL;
    if (n->keyword_count && strcmp(n->kids[2]->name, "dtype") != 0) return NULL;
    const cpl_type *t = said ? sema_python_type(names, said) : NULL;
    if (said && (!t || !(type_is_scalar(t) || type_is_complex(t)))) return NULL;
    *type = t ? sema_type_name(&r->s->comp->arena, t) : "";
    return n->kids[1];
}

/* The constant of several numbers that n names, or NULL. */
static ast_const *sequence(rewriter *r, const ast_node *n)
{
    const char *type;
    bool names = n->kind == AST_NAME || n->kind == AST_ATTRIBUTE;
    if (!names || rewrite_is_local(r, n) || r->fn->file->host) return NULL;
    sema_global g = sema_find_node((sema_names){.s = r->s, .file = r->fn->file}, n);
    if (g.kind != GLOBAL_CONST || g.constant->reassigned) return NULL;
    return items_of(r, g.constant, &type) ? g.constant : NULL;
}

/* A number of the module: real, or complex with two parts. */
typedef struct item {
    bool is_complex;
    sema_const real;
    double parts[2];
} item;

static bool item_of(rewriter *r, ast_file *file, const ast_node *n, item *out)
{
    *out = (item){0};
    if (!sema_module_number(r->s, file, n, &out->real)) return true;
    return out->is_complex = sema_module_complex_number(r->s, file, n, out->parts);
}

static bool item_of_host(sema_global g, item *out)
{
    *out = (item){.is_complex = g.kind == GLOBAL_COMPLEX, .real = g.number};
    if (out->is_complex) memcpy(out->parts, g.parts, sizeof out->parts);
    return out->is_complex || g.kind == GLOBAL_NUMBER;
}

static void put_number(ast_node *n, sema_const k)
{
    n->kid_count = 0;
    n->op = CPL_VOID;
    n->kind = type_is_bool(k.type) ? AST_BOOL : sema_const_is_float(k) ? AST_FLOAT : AST_INT;
    if (n->kind == AST_FLOAT) n->number = k.number;
    else n->integer = k.bits;
}

static ast_node *number(rewriter *r, sema_const k, cpl_span span)
{
    bool negative = type_is_int(k.type) && sema_const_negative(k);
    if (negative) k.bits = 0 - k.bits;
    ast_node *n = rewrite_node(r, AST_INT, span, 0);
    put_number(n, k);
    if (!negative) return n;
    ast_node *minus = rewrite_node(r, AST_UNARY, span, 1);
    minus->op = TOK_SUB;
    minus->kids[0] = n;
    return minus;
}

/* a + bj */
static ast_node *complex_number(rewriter *r, const double *parts, cpl_span span)
{
    ast_node *re = rewrite_node(r, AST_FLOAT, span, 0),
             *im = rewrite_node(r, AST_IMAGINARY, span, 0);
    re->number = parts[0];
    im->number = parts[1];
    ast_node *n = rewrite_pair(r, AST_BINARY, re, im);
    n->op = TOK_ADD;
    return n;
}

static ast_node *item_node(rewriter *r, const item *k, cpl_span span)
{
    return k->is_complex ? complex_number(r, k->parts, span) : number(r, k->real, span);
}

/* The list of the numbers; NULL when one of them is not known. */
static ast_node *table(rewriter *r, ast_file *file, const ast_node *n, cpl_span span)
{
    ast_node *list = rewrite_node(r, AST_LIST, span, n->kid_count);
    list->stands = true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        item k;
        if (rewrite_is_sequence(n->kids[i])) list->kids[i] = table(r, file, n->kids[i], span);
        else if (!item_of(r, file, n->kids[i], &k)) return NULL;
        else list->kids[i] = item_node(r, &k, span);
        if (!list->kids[i]) return NULL;
    }
    return list;
}

/* That of all of a constant's. */
static ast_node *const_table(rewriter *r, const ast_const *k, cpl_span span)
{
    const char *type;
    const ast_node *items = items_of(r, k, &type);
    ast_node *list = table(r, k->file, items, span);
    if (list) list->name = type;
    return list;
}

/* Its indices are literals, and no names that the function may have for itself. */
static bool has_literals(const ast_node *n)
{
    for (; n->kind == AST_INDEX; n = n->kids[0]) {
        const ast_node *at = n->kids[1];
        if (at->kind == AST_UNARY) at = at->kids[0];
        if (at->kind != AST_INT) return false;
    }
    return true;
}

/* ---- of a host program: it names the items of W W.0, W.1 and so on, in rows W.0.0 ---- */

static const char *item_name(rewriter *r, const char *of, uint64_t k)
{
    return arena_printf(&r->s->comp->arena, "%s.%llu", of, (unsigned long long)k);
}

/* "m.W"; NULL where n is no names alone. */
static const char *dotted_name(rewriter *r, const ast_node *n)
{
    if (n->kind != AST_ATTRIBUTE) return n->kind == AST_NAME ? n->name : NULL;
    const char *of = dotted_name(r, n->kids[0]);
    return of ? arena_printf(&r->s->comp->arena, "%s.%s", of, n->name) : NULL;
}

static sema_global host_name(const rewriter *r, const char *name)
{
    return sema_host_name((sema_names){.s = r->s, .file = r->fn->file}, name);
}

static uint32_t host_items(rewriter *r, const char *of)
{
    uint32_t n = 0;
    for (;; n++) {
        const char *name = item_name(r, of, n);
        item k;
        if (!item_of_host(host_name(r, name), &k) &&
            !item_of_host(host_name(r, item_name(r, name, 0)), &k))
            return n;
    }
}

/* What the host program calls the numbers that n names, W or m.W; NULL: it names none. */
static const char *host_sequence(rewriter *r, const ast_node *n)
{
    bool names = (n->kind == AST_NAME || n->kind == AST_ATTRIBUTE) && sema_has_few_dots(n);
    const char *name =
        names && r->fn->file->host && !rewrite_is_local(r, n) ? dotted_name(r, n) : NULL;
    return name && host_items(r, name) ? name : NULL;
}

static ast_node *host_table(rewriter *r, const char *of, cpl_span span)
{
    ast_node *list = rewrite_node(r, AST_LIST, span, host_items(r, of));
    list->stands = true;
    for (uint32_t i = 0; i < list->kid_count; i++) {
        const char *name = item_name(r, of, i);
        item k;
        list->kids[i] = item_of_host(host_name(r, name), &k) ? item_node(r, &k, span)
                                                             : host_table(r, name, span);
    }
    return list;
}

/* The type of W, where that is an array of NumPy's: of a number in it too; NULL: it is none. */
static const cpl_type *host_type(rewriter *r, const char *of)
{
    sema_global g = host_name(r, arena_printf(&r->s->comp->arena, "%s.dtype", of));
    return g.kind == GLOBAL_TYPE ? g.type : NULL;
}

static ast_node *host_array(rewriter *r, const char *of, cpl_span span)
{
    const cpl_type *t = host_type(r, of);
    ast_node *list = host_table(r, of, span);
    list->name = t ? sema_type_name(&r->s->comp->arena, t) : NULL;
    return list;
}

/* The name of W[1][0], whose indices are literals; NULL: it is none. */
static const char *host_path(rewriter *r, const ast_node *n)
{
    if (n->kind != AST_INDEX) {
        const char *name = host_sequence(r, n);
        return name && !host_type(r, name) ? name : NULL;
    }
    const char *of = host_path(r, n->kids[0]);
    sema_const k;
    if (!of || sema_module_number(r->s, r->fn->file, n->kids[1], &k) || !type_is_int(k.type))
        return NULL;
    return item_name(r, of, sema_const_negative(k) ? k.bits + host_items(r, of) : k.bits);
}

/* ---- either ---- */

/* nt.x, where nt is numbers with names as well, is what it is called by. */
static bool named_item(rewriter *r, const ast_node *n, item *out)
{
    bool named = n->kind == AST_ATTRIBUTE && host_sequence(r, n->kids[0]);
    return named && item_of_host(host_name(r, dotted_name(r, n)), out);
}

static bool item_value(rewriter *r, const ast_node *n, item *out)
{
    if (named_item(r, n, out)) return true;
    if (n->kind != AST_INDEX || !has_literals(n)) return false;
    const ast_node *of = n;
    while (of->kind == AST_INDEX) of = of->kids[0];
    if (!r->fn->file->host) return sequence(r, of) && item_of(r, r->fn->file, n, out);
    const char *name = host_path(r, n);
    return name && item_of_host(host_name(r, name), out);
}

/* W[2] is a number as others; false when n is none. */
static bool put_item(rewriter *r, ast_node *n)
{
    item value;
    if (!item_value(r, n, &value)) return false;
    uint32_t id = n->id;
    *n = *item_node(r, &value, n->span);
    n->id = id;
    return true;
}

static void put_table(rewriter *r, const char *name, ast_node *list)
{
    arena *a = &r->s->comp->arena;
    uintptr_t dims = 1;
    for (const ast_node *n = list; n->kid_count && n->kids[0]->kind == AST_LIST; n = n->kids[0])
        dims++;
    map_put(a, &r->tables, name, list);
    map_put(a, &r->dimensions, name, (void *)dims);
    if (dims == 1) map_put(a, &r->lengths, name, (void *)(uintptr_t)list->kid_count);
}

/* The numbers of the module, or of a host program, that n names; NULL: it names none. */
static ast_node *table_of(rewriter *r, const ast_node *n)
{
    const char *of = host_sequence(r, n);
    ast_const *k = sequence(r, n);
    if (of) return host_array(r, of, n->span);
    return k ? const_table(r, k, n->span) : NULL;
}

/* m.W, of a file that is imported as m or of the class m, is a name with a dot from here on. */
static void join_name(rewriter *r, ast_node *n)
{
    ast_node *list = n->kind == AST_ATTRIBUTE ? table_of(r, n) : NULL;
    if (!list) return;
    n->name = dotted_name(r, n);
    n->kind = AST_NAME;
    n->kid_count = 0;
    put_table(r, n->name, list);
}

static void find_table(rewriter *r, const ast_node *n)
{
    if (n->kind != AST_NAME || rewrite_is_local(r, n) || map_get(&r->tables, n->name)) return;
    ast_node *list = table_of(r, n);
    if (list) put_table(r, n->name, list);
}

/* ---- all ---- */

static void rewrite_list(rewriter *r, ast_list *list);

static bool is_in(const ast_node *target, const char *name, bool parts)
{
    while (parts && (target->kind == AST_INDEX || target->kind == AST_ATTRIBUTE))
        target = target->kids[0];
    bool found = target->kind == AST_NAME && strcmp(target->name, name) == 0;
    for (uint32_t i = 0; target->kind == AST_TUPLE && i < target->kid_count; i++)
        found |= is_in(target->kids[i], name, parts);
    return found;
}

static uint32_t count_targets(const ast_node *n)
{
    if (n->kind == AST_ASSIGN) return n->kid_count - 1;
    return n->kind == AST_AUGASSIGN || n->kind == AST_ANNASSIGN || n->kind == AST_FOR;
}

bool sema_assigns(const ast_list *list, const char *name, bool parts)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        for (uint32_t k = 0; k < count_targets(n); k++)
            if (is_in(n->kids[k], name, parts)) return true;
        if (sema_assigns(n->body, name, parts) || sema_assigns(n->orelse, name, parts)) return true;
    }
    return false;
}

void rewrite_refuse(rewriter *r, ast_node *n, const char *message, const char *hint)
{
    n->kind = AST_ERROR;
    n->kid_count = 0;
    n->name = arena_printf(&r->s->comp->arena, "%s\n%s", message, hint);
}

/* Where an element of the module's W is assigned, an error takes its place. */
static bool refuse_constant(rewriter *r, ast_node *target)
{
    const ast_node *of = target;
    while (of->kind == AST_INDEX) of = of->kids[0];
    if (of == target || !(sequence(r, of) || host_sequence(r, of))) return false;
    rewrite_refuse(r, target,
                   arena_printf(&r->s->comp->arena,
                                "'%s' is a constant, whose elements are not assigned",
                                dotted_name(r, of)),
                   "pass an array, or fill one of the function's own: w = np.array(...)");
    return true;
}

static void rewrite(rewriter *r, ast_node *n);

static void rewrite_target(rewriter *r, ast_node *n)
{
    for (uint32_t i = 0; n->kind == AST_TUPLE && i < n->kid_count; i++)
        rewrite_target(r, n->kids[i]);
    if (n->kind != AST_TUPLE && !refuse_constant(r, n)) rewrite(r, n);
}

static void rewrite(rewriter *r, ast_node *n)
{
    if (put_item(r, n)) return;
    join_name(r, n);
    find_table(r, n);
    if (n->kind == AST_CALL) spread_tuples(r, n);
    uint32_t targets = count_targets(n);
    for (uint32_t i = 0; i < targets; i++) rewrite_target(r, n->kids[i]);
    for (uint32_t i = targets; i < n->kid_count; i++) rewrite(r, n->kids[i]);
    rewrite_form(r, n);
    if (n->kind == AST_INDEX) slices_join(r, n);
    if (n->kind == AST_CALL) join_index(r, n);
    if (n->kind == AST_CALL) rewrite_fold(r, n);
    rewrite_list(r, n->body);
    rewrite_list(r, n->orelse);
    if (n->kind == AST_FOR) rewrite_loop(r, n);
    if (n->kind == AST_ASSIGN) slices_take_apart(r, n);
    if (n->kind == AST_ASSIGN || n->kind == AST_AUGASSIGN) rewrite_slices(r, n);
}

ast_node *rewrite_copied(rewriter *r, const ast_node *n)
{
    ast_node *c = rewrite_node(r, (ast_kind)n->kind, n->span, n->kid_count);
    ast_node **kids = c->kids;
    uint32_t id = c->id;
    *c = *n;
    c->id = id;
    c->kids = kids;
    for (uint32_t i = 0; i < n->kid_count; i++) kids[i] = n->kids[i];
    return c;
}

ast_node *rewrite_copy(rewriter *r, const ast_node *n)
{
    ast_node *c = rewrite_copied(r, n);
    for (uint32_t i = 0; i < n->kid_count; i++) c->kids[i] = rewrite_copy(r, n->kids[i]);
    return c;
}

ast_node *rewrite_truth(rewriter *r, bool value, cpl_span span)
{
    ast_node *n = rewrite_node(r, AST_BOOL, span, 0);
    n->integer = value;
    return n;
}

/*
 * while c: ..., where statements compute c:
 * go = True; while go: they; go = True if c else False; if go: ...
 */
static void compute_again(rewriter *r, ast_node *loop)
{
    arena *a = &r->s->comp->arena;
    cpl_span span = loop->kids[0]->span;
    ast_list again = r->before;
    r->before = (ast_list){0};
    const char *go = rewrite_before(r, "go", rewrite_truth(r, true, span));
    ast_node *c = rewrite_choose(r, loop->kids[0], rewrite_truth(r, true, span),
                                 rewrite_truth(r, false, span));
    rewrite_assign(r, &again, go, c);
    ast_node *round = rewrite_node(r, AST_IF, span, 1);
    round->kids[0] = rewrite_name(r, go, span);
    round->body = loop->body;
    vec_push(a, &again, round);
    loop->kids[0] = rewrite_name(r, go, span);
    loop->body = arena_new(a, ast_list);
    *loop->body = again;
}

static void rewrite_list(rewriter *r, ast_list *list)
{
    arena *a = &r->s->comp->arena;
    ast_list all = {0}, outer = r->before;
    for (uint32_t i = 0; list && i < list->n; i++) {
        r->before = (ast_list){0};
        ast_node *n = list->at[i];
        r->top = list == &r->fn->body && n->kind != AST_WHILE;
        rewrite_named(r, n);
        ast_list named = r->before;
        rewrite_list(r, &named);
        r->before = named;
        r->top = list == &r->fn->body && n->kind != AST_WHILE;
        rewrite(r, n);
        if (n->kind == AST_WHILE && r->before.n) compute_again(r, n);
        for (uint32_t k = 0; k < r->before.n; k++) vec_push(a, &all, r->before.at[k]);
        vec_push(a, &all, n);
    }
    if (list) *list = all;
    r->before = outer;
}

static void find_targets(arena *a, map *to, const ast_node *n, void *value)
{
    if (n->kind == AST_NAME) map_put(a, to, n->name, value);
    for (uint32_t i = 0; n->kind == AST_TUPLE && i < n->kid_count; i++)
        find_targets(a, to, n->kids[i], value);
}

static void find_named(arena *a, map *to, const ast_node *n, void *value)
{
    if (n->kind == AST_NAMED) find_targets(a, to, n->kids[0], value);
    for (uint32_t i = 0; i < n->kid_count; i++) find_named(a, to, n->kids[i], value);
}

void rewrite_bound_names(arena *a, map *to, const ast_node *n, void *value)
{
    uint32_t targets = count_targets(n);
    find_named(a, to, n, value);
    for (uint32_t i = 0; i < targets; i++) find_targets(a, to, n->kids[i], value);
}

/* Whether an assignment makes a private array: t = np.zeros(3), [a, b], declare('matrix(3)'). */
static bool makes_array(const rewriter *r, const ast_node *n)
{
    const ast_node *value = n->kids[n->kid_count - 1];
    sema_names names = {.s = r->s, .file = r->fn->file};
    if (n->kind != AST_ASSIGN) return false;
    if (value->kind == AST_CALL && !rewrite_is_local(r, value->kids[0])) {
        sema_global g = sema_find_node(names, value->kids[0]);
        bool declared = g.kind == GLOBAL_BUILTIN && g.builtin == BI_DECLARE;
        if (declared && value->kid_count > 1 && value->kids[1]->kind == AST_STRING)
            return strstr(value->kids[1]->text, "matrix") != NULL;
    }
    return sema_makes(names, value);
}

/* 1 of "matrix(3)", 2 of "matrix((2, 3))" */
static uint32_t dimensions_declared(const char *text)
{
    const char *s = strstr(text, "matrix");
    uint32_t count = 0;
    if (!s || !(s = strchr(s, '('))) return 0;
    s += 1 + strspn(s + 1, " ");
    if (*s != '(') return 1;
    for (bool inside = false; *++s && *s != ')';) {
        if (*s != ',' && *s != ' ' && !inside) count++;
        inside = *s != ',' && (inside || *s != ' ');
    }
    return count;
}

/* Dimensions of what makes an array, as far as they are written out; else 0. */
static uint32_t dimensions_made(sema_names names, const ast_node *value)
{
    const ast_node *sizes = sema_made_sizes(names, value);
    if (sizes) return sizes->kind == AST_TUPLE ? sizes->kid_count : 1;
    const ast_node *list = value->kind == AST_CALL && value->kid_count > 1 ? value->kids[1] : value;
    if (list->kind == AST_STRING) return dimensions_declared(list->text);
    uint32_t depth = 0;
    for (; list->kind == AST_LIST && list->kid_count; list = list->kids[0]) depth++;
    return depth;
}

/* How many elements an array of one dimension has that value makes, where that is a literal; else
 * 0. */
static uint32_t length_made(sema_names names, const ast_node *value)
{
    const ast_node *sizes = sema_made_sizes(names, value);
    if (sizes) return sizes->kind == AST_INT ? (uint32_t)sizes->integer : 0;
    const ast_node *list = value->kind == AST_CALL && value->kid_count > 1 ? value->kids[1] : value;
    return list->kind == AST_LIST ? list->kid_count : 0;
}

/* Of a name that is given arrays of several shapes, nothing is known. */
static void find_dimensions(rewriter *r, const ast_node *n)
{
    const char *name = n->kids[0]->name;
    sema_names names = {.s = r->s, .file = r->fn->file};
    const ast_node *value = n->kids[n->kid_count - 1];
    uintptr_t dims = dimensions_made(names, value), length = length_made(names, value);
    if (map_get(&r->arrays, name)) {
        if (dims != rewrite_dimensions(r, name)) dims = 0;
        if (length != (uintptr_t)map_get(&r->lengths, name)) length = 0;
    }
    map_put(&r->s->comp->arena, &r->lengths, name, (void *)length);
    map_put(&r->s->comp->arena, &r->dimensions, name, (void *)dims);
    map_put(&r->s->comp->arena, &r->arrays, name, r);
    if (value->kind != AST_CALL) map_put(&r->s->comp->arena, &r->lists, name, r);
}

static void find_locals(rewriter *r, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        if (count_targets(n) == 1 && n->kids[0]->kind == AST_NAME && makes_array(r, n))
            find_dimensions(r, n);
        rewrite_bound_names(&r->s->comp->arena, &r->locals, n, r);
        find_locals(r, n->body);
        find_locals(r, n->orelse);
    }
}

/* What makes one, as wide as NumPy has it where it is NumPy's. */
static ast_node *array_of_table(rewriter *r, ast_node *list)
{
    const char *type = list->name;
    if (!type) return list;
    list->stands = false;
    ast_node *text = rewrite_node(r, AST_STRING, list->span, 0);
    text->text = type;
    text->text_length = (uint32_t)strlen(type);
    return *type ? rewrite_call_of_two(r, SEMA_NUMPY "array", list, text)
                 : rewrite_call(r, SEMA_NUMPY "array", list);
}

static void rewrite_body(sema *s, ast_func *fn)
{
    arena *a = &s->comp->arena;
    rewriter r = {.s = s, .fn = fn};
    rewrite_closures(s, fn);
    for (uint32_t i = 0; i < fn->param_count; i++) map_put(a, &r.locals, fn->params[i].name, fn);
    find_locals(&r, &fn->body);
    slices_find_new(&r, &fn->body);
    rewrite_row_values(&r);
    rewrite_find_rows(&r);
    rewrite_list(&r, &fn->body);
    ast_list body = {0};
    for (uint32_t i = 0; i < r.tables.n; i++) {
        ast_node *list = r.tables.entries[i].value;
        ast_node *name = rewrite_name(&r, r.tables.entries[i].key, list->span);
        vec_push(a, &body, rewrite_pair(&r, AST_ASSIGN, name, array_of_table(&r, list)));
    }
    for (uint32_t i = 0; i < fn->body.n; i++) vec_push(a, &body, fn->body.at[i]);
    fn->body = body;
}

bool sema_parse_body(sema *s, ast_func *fn)
{
    bool good = ast_parse_body(fn);
    if (fn->rewritten) return good;
    fn->rewritten = true; /* which functions that call each other ask each other, in rows.c */
    rewrite_body(s, fn);
    return good;
}

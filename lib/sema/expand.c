/*
 * What is known when a function is compiled, done to its syntax tree before anything is typed:
 * names that stand for integers become those, an `if` or ternary whose condition depends on what is
 * bound keeps the arm that counts, and loops over static_range become their rounds. Of a star
 * parameter len(NAME) becomes a number and NAME[k] a parameter. The instance gets a body of its
 * own.
 */
#include "lib/sema/sema_int.h"
#include "lib/support/plural.h"

typedef struct loop_value { /* of a loop over static_range */
    const char *name;
    sema_const value;
    struct loop_value *outer;
} loop_value;

/*
 * A name that rounds of loops declare as matrices of sizes that depend on the round: each size is
 * a variable of its own.
 */
typedef struct sized {
    const char *name, *text; /* as declared, with the numbers of the round */
    const char *as;          /* the variable's name; NULL: behind the loop, where it has none */
    struct sized *outer;     /* who hid it last */
} sized;

typedef struct expander {
    instance *in;
    sized *names;         /* what such names mean here, the newest first */
    VEC(sized) variables; /* made for them */
    loop_value *loops;    /* around the statement at hand, innermost first */
    uint32_t ids;         /* nodes made so far */
    bool bound;           /* the expression at hand has a bound name in it */
    bool parallel;        /* the statement at hand lies in a loop over prange */
    bool full;            /* the limit on nodes is reported */
    bool rounds;          /* there are loops over static_range */
} expander;

static ast_node *copy(expander *x, ast_node *n);
static void copy_list(expander *x, const ast_list *from, ast_list *to);

/* ---- values ---- */

static const sema_bound *bound_number(const expander *x, const char *name)
{
    const sema_bound *b = sema_bound_named(sema_names_of(x->in), name);
    return b && b->global.kind == GLOBAL_NUMBER ? b : NULL;
}

static const sema_const *value_of(const expander *x, const char *name)
{
    for (const loop_value *l = x->loops; l; l = l->outer)
        if (strcmp(l->name, name) == 0) return &l->value;
    const sema_bound *b = bound_number(x, name);
    return b ? &b->value : NULL;
}

static bool is_bound_type(const expander *x, const char *name)
{
    const sema_bound *b = sema_bound_named(sema_names_of(x->in), name);
    return b && b->global.kind == GLOBAL_TYPE;
}

static const sized *sized_of(const expander *x, const char *name)
{
    const sized *m = x->names;
    while (m && strcmp(m->name, name) != 0) m = m->outer;
    return m;
}

/* ---- nodes ---- */

static ast_node *new_node(expander *x, ast_kind kind, const ast_node *place)
{
    ast_node *n = arena_new(&x->in->s->comp->arena, ast_node);
    *n = (ast_node){.kind = (uint8_t)kind, .id = x->ids++, .span = place->span};
    n->op_span = place->op_span;
    return n;
}

static ast_node *number(expander *x, const ast_node *place, sema_const k, const cpl_type *exact)
{
    bool negative = sema_const_negative(k);
    ast_node *n = new_node(x, AST_INT, place);
    n->op = exact ? (uint8_t)exact->dtype : CPL_VOID;
    n->integer = negative && !exact ? 0 - k.bits : k.bits;
    if (!negative || exact) return n;
    ast_node *minus = new_node(x, AST_UNARY, place);
    minus->op = TOK_SUB;
    minus->kid_count = 1;
    minus->kids = arena_array(&x->in->s->comp->arena, 1, sizeof *minus->kids);
    minus->kids[0] = n;
    return minus;
}

static bool is_full(expander *x, const ast_node *place)
{
    uint32_t limit = x->in->s->comp->max_ops ? x->in->s->comp->max_ops : LIMIT_OPS;
    if (x->ids < limit) return false;
    if (!x->full)
        sema_report(x->in, CPL_ELIMIT, place->span, "%s the function larger than %u operations",
                    x->rounds ? "the rounds of static_range make" : "what is known makes", limit);
    return x->full = true;
}

static ast_list *copy_block(expander *x, const ast_list *from)
{
    if (!from) return NULL;
    ast_list *to = arena_new(&x->in->s->comp->arena, ast_list);
    copy_list(x, from, to);
    return to;
}

/* A name under which rounds declare matrices of their own: the one of this round. */
static ast_node *copy_sized(expander *x, const ast_node *n, const sized *m)
{
    ast_node *c = new_node(x, m->as ? AST_NAME : AST_ERROR, n);
    if (m->as) c->name = m->as;
    else
        sema_report(x->in, CPL_ETYPE, n->span,
                    "'%s' has another size in each round of the loop over static_range, and none "
                    "behind it",
                    n->name);
    return c;
}

/* ---- what a star parameter takes ---- */

static bool is_star(const expander *x, const ast_node *n)
{
    return sema_is_star(x->in->sig, n);
}

static bool is_star_item(const expander *x, const ast_node *n)
{
    return n->kind == AST_INDEX && is_star(x, n->kids[0]);
}

static bool is_star_length(const expander *x, const ast_node *n)
{
    return n->kind == AST_CALL && n->kid_count == 2 && is_star(x, n->kids[1]) &&
           sema_is_call_of(x->in, n, BI_LEN);
}

/* NAME[k] as the name of a parameter; NULL after an error. */
static ast_node *star_item(expander *x, const ast_node *n)
{
    const sema_signature *sig = x->in->sig;
    sema_const k;
    const ast_node *index = copy(x, n->kids[1]);
    if (!sema_static(x->in, index, &k) || !type_is_int(k.type)) {
        diag *d = sema_report(x->in, CPL_ETYPE, n->kids[1]->span,
                              "an index of '%s' is an integer that is known when the function is "
                              "compiled",
                              sig->star);
        diag_hint(&x->in->diags, d, "%s[0]; for k in static_range(len(%s)): ... %s[k]", sig->star,
                  sig->star, sig->star);
        return NULL;
    }
    uint64_t at = sema_const_negative(k) ? k.bits + sig->star_count : k.bits;
    if (at >= sig->star_count) {
        sema_report(x->in, CPL_ETYPE, n->span, "'*%s' takes %u argument%s here", sig->star,
                    sig->star_count, plural(sig->star_count));
        return NULL;
    }
    ast_node *name = arena_new(&x->in->s->comp->arena, ast_node);
    *name = (ast_node){.kind = AST_NAME, .span = n->span};
    name->name = sig->fn->params[sig->star_at + at].name;
    return name;
}

static ast_node *refuse_star(expander *x, const ast_node *n)
{
    const char *star = x->in->sig->star;
    diag *d = sema_report(x->in, CPL_ETYPE, n->span, "'%s' as a whole is no value", star);
    diag_hint(&x->in->diags, d,
              "f(*%s) passes on all that it takes, %s[0] is the first, len(%s) how many there are",
              star, star, star);
    return new_node(x, AST_ERROR, n);
}

static ast_node *refuse_star_target(expander *x, const ast_node *n)
{
    const char *star = x->in->sig->star;
    diag *d = sema_report(x->in, CPL_ETYPE, n->span,
                          is_star(x, n) ? "'%s' is a star parameter and cannot be assigned"
                                        : "what '*%s' takes cannot be assigned",
                          star);
    diag_hint(&x->in->diags, d, "assign a local: a = %s[0]", star);
    return new_node(x, AST_ERROR, n);
}

/* What is a star parameter or a part of it; NULL of others. */
static ast_node *copy_star(expander *x, ast_node *n)
{
    if (is_star(x, n)) return refuse_star(x, n);
    if (is_star_length(x, n)) {
        x->bound = true;
        return number(x, n, sema_signed_const(x->in->s, x->in->sig->star_count), NULL);
    }
    if (!is_star_item(x, n)) return NULL;
    ast_node *item = star_item(x, n);
    return item ? copy(x, item) : new_node(x, AST_ERROR, n);
}

/* Names that stand for something are assigned nowhere. */
static ast_node *copy_target(expander *x, ast_node *n)
{
    if (is_star(x, n) || is_star_item(x, n)) return refuse_star_target(x, n);
    bool stands = n->kind == AST_NAME &&
                  (value_of(x, n->name) || sema_bound_named(sema_names_of(x->in), n->name));
    if (n->kind != AST_TUPLE && !stands) return copy(x, n);
    ast_node *c = new_node(x, stands ? AST_ERROR : AST_TUPLE, n);
    if (stands)
        sema_report(x->in, CPL_ETYPE, n->span,
                    "'%s' is known when the function is compiled and cannot be assigned", n->name);
    c->kid_count = n->kid_count;
    c->kids = arena_array(&x->in->s->comp->arena, n->kid_count, sizeof *c->kids);
    for (uint32_t i = 0; i < n->kid_count; i++) c->kids[i] = copy_target(x, n->kids[i]);
    return c;
}

static bool is_target(const ast_node *n, uint32_t kid)
{
    if (n->kind == AST_ASSIGN) return kid + 1 < n->kid_count;
    return kid == 0 && (n->kind == AST_ANNASSIGN || n->kind == AST_AUGASSIGN || n->kind == AST_FOR);
}

/* first: what its first kid became, or NULL. */
static ast_node *copy_with(expander *x, const ast_node *n, ast_node *first)
{
    ast_node *c = arena_new(&x->in->s->comp->arena, ast_node);
    *c = *n;
    c->id = x->ids++;
    c->kids = arena_array(&x->in->s->comp->arena, n->kid_count, sizeof *c->kids);
    for (uint32_t i = 0; i < n->kid_count; i++)
        c->kids[i] = i == 0 && first   ? first
                     : is_target(n, i) ? copy_target(x, n->kids[i])
                                       : copy(x, n->kids[i]);
    c->body = copy_block(x, n->body);
    c->orelse = copy_block(x, n->orelse);
    return c;
}

/* A condition, and what it is: 1, 0, or -1 where that is not known now. */
static ast_node *copy_condition(expander *x, ast_node *n, int *truth)
{
    bool outer = x->bound;
    sema_const k;
    x->bound = false;
    ast_node *c = copy(x, n);
    *truth = sema_static_condition(x->in, c, &k) ? sema_const_float(k) != 0 : -1;
    x->bound |= outer;
    return c;
}

static ast_node *copy_ternary(expander *x, ast_node *n)
{
    int truth;
    ast_node *condition = copy_condition(x, n->kids[0], &truth);
    return truth < 0 ? copy_with(x, n, condition) : copy(x, n->kids[truth ? 1 : 2]);
}

/*
 * `and` and `or`: an operand that is known now either decides, so that those behind it are not
 * looked at, or goes, unless it is the last, whose value may be the result.
 */
static ast_node *copy_boolop(expander *x, ast_node *n)
{
    ast_node **kids = arena_array(&x->in->s->comp->arena, n->kid_count, sizeof *kids);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        int truth;
        ast_node *c = copy_condition(x, n->kids[i], &truth);
        bool decides = truth >= 0 && (truth != 0) == (n->op == TOK_OR);
        if (truth < 0 || decides || i + 1 == n->kid_count) kids[kept++] = c;
        if (decides) break;
    }
    if (kept == 1) return kids[0];
    ast_node *c = new_node(x, AST_BOOLOP, n);
    c->op = n->op;
    c->kids = kids;
    c->kid_count = kept;
    return c;
}

/* A call by that name, which is looked up once one is there. */
static bool is_isinstance(const instance *in, const ast_node *n)
{
    if (n->kind != AST_CALL || n->kids[0]->kind != AST_NAME) return false;
    const char *name = n->kids[0]->name;
    return strcmp(name + (*name == '.'), "isinstance") == 0 &&
           sema_is_call_of(in, n, BI_ISINSTANCE);
}

/* isinstance(x, T): what parameters are is known. */
static ast_node *copy_isinstance(expander *x, const ast_node *n)
{
    bool is;
    x->bound = true;
    if (!sema_static_instance(x->in, n, &is)) return new_node(x, AST_ERROR, n);
    ast_node *truth = new_node(x, AST_BOOL, n);
    truth->integer = is;
    return truth;
}

/* Types are compared here and nowhere else. */
static ast_node *copy_compare(expander *x, ast_node *n)
{
    sema_const same;
    ast_node *c = copy_with(x, n, NULL);
    if (!x->bound || !sema_static_types(x->in, c, &same)) return c;
    ast_node *truth = new_node(x, AST_BOOL, n);
    truth->integer = same.bits != 0;
    return truth;
}

static ast_node *copy(expander *x, ast_node *n)
{
    ast_node *star = x->in->sig->base ? copy_star(x, n) : NULL;
    if (star) return star;
    if (n->kind == AST_NAME) {
        const sema_const *k = value_of(x, n->name);
        x->bound |= k || is_bound_type(x, n->name);
        if (k) {
            const sema_bound *b = bound_number(x, n->name);
            ast_node *c = number(x, n, *k, b && k == &b->value ? b->global.exact : NULL);
            c->stands = sema_bound_named(sema_names_of(x->in), n->name) != NULL;
            return c;
        }
        const sized *m = sized_of(x, n->name);
        if (m) return copy_sized(x, n, m);
    }
    if (is_isinstance(x->in, n)) return copy_isinstance(x, n);
    switch (n->kind) {
    case AST_TERNARY: return copy_ternary(x, n);
    case AST_BOOLOP: return copy_boolop(x, n);
    case AST_COMPARE: return copy_compare(x, n);
    default: return copy_with(x, n, NULL);
    }
}

/* ---- reductions ---- */

/* The operation that a function of two untyped parameters is as a whole: `a + b`, `min(a, b)`. */
typedef struct operation {
    token_kind op;    /* TOK_END: a call of */
    const char *call; /* min or max */
} operation;

static bool is_param(const ast_func *fn, const ast_node *n, uint32_t i)
{
    return n->kind == AST_NAME && strcmp(n->name, fn->params[i].name) == 0;
}

static bool is_reducing(token_kind op)
{
    return op == TOK_ADD || op == TOK_MUL || op == TOK_BITAND || op == TOK_BITOR ||
           op == TOK_BITXOR;
}

static const char *min_or_max(sema_global g)
{
    if (g.kind != GLOBAL_BUILTIN || (g.builtin != BI_MIN && g.builtin != BI_MAX)) return NULL;
    return sema_builtins[g.builtin].name;
}

static bool operation_of(expander *x, sema_global g, operation *o)
{
    *o = (operation){TOK_END, min_or_max(g)};
    if (o->call) return true;
    ast_func *fn = g.kind == GLOBAL_FUNC ? g.func : NULL;
    if (!fn || fn->param_count != 2 || fn->header_bad || fn->returns || fn->decorator_count)
        return false;
    for (uint32_t i = 0; i < 2; i++)
        if (fn->params[i].annotation || fn->params[i].star) return false;
    sema_parse_body(x->in->s, fn);
    if (fn->failed || fn->body.n != 1 || fn->body.at[0]->kind != AST_RETURN) return false;
    const ast_node *e = fn->body.at[0]->kid_count ? fn->body.at[0]->kids[0] : fn->body.at[0];
    if (e->kind == AST_BINARY) {
        o->op = (token_kind)e->op;
        return is_reducing(o->op) && is_param(fn, e->kids[0], 0) && is_param(fn, e->kids[1], 1);
    }
    if (e->kind != AST_CALL || e->kid_count != 3 || e->keyword_count) return false;
    o->call = min_or_max(sema_find_node((sema_names){.s = x->in->s, .file = fn->file}, e->kids[0]));
    return o->call && is_param(fn, e->kids[1], 0) && is_param(fn, e->kids[2], 1);
}

/*
 * `s = op(s, e)` in a loop over prange, where op stands for a sum, product, minimum or the like:
 * written as such it is a reduction.
 */
static ast_node *copy_reduction(expander *x, const ast_node *n)
{
    operation o;
    if (!x->parallel || n->kind != AST_ASSIGN || n->kid_count != 2) return NULL;
    const ast_node *call = n->kids[1];
    if (n->kids[0]->kind != AST_NAME || call->kind != AST_CALL || call->kid_count != 3 ||
        call->keyword_count || call->kids[0]->kind != AST_NAME)
        return NULL;
    const sema_bound *b = sema_bound_named(sema_names_of(x->in), call->kids[0]->name);
    if (!b || !operation_of(x, b->global, &o)) return NULL;
    uint32_t self = 1; /* these operations commute */
    while (self <= 2 && (call->kids[self]->kind != AST_NAME ||
                         strcmp(call->kids[self]->name, n->kids[0]->name) != 0))
        self++;
    ast_node *c;
    if (o.call) {
        c = copy_with(x, n, NULL);
        ast_node *callee = c->kids[1]->kids[0];
        callee->name = o.call;
        return c;
    }
    if (self > 2) return NULL;
    c = new_node(x, AST_AUGASSIGN, n);
    c->op = (uint8_t)o.op;
    c->op_span = call->kids[0]->span;
    c->kid_count = 2;
    c->kids = arena_array(&x->in->s->comp->arena, 2, sizeof *c->kids);
    c->kids[0] = copy_target(x, n->kids[0]);
    c->kids[1] = copy(x, call->kids[3 - self]);
    return c;
}

/* ---- matrices of the round's size ---- */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (uint8_t)c >= 0x80;
}

/* The text with numbers for the variables of loops around; NULL when there are none in it. */
static const char *with_numbers(expander *x, const char *text)
{
    arena *a = &x->in->s->comp->arena;
    const char *done = "";
    bool any = false;
    while (*text) {
        size_t n = 0, rest = 0;
        while (text[n] && !is_word(text[n])) n++;
        while (is_word(text[n + rest])) rest++;
        const char *word = front_name(a, text + n, rest);
        const loop_value *l = x->loops;
        while (l && strcmp(l->name, word) != 0) l = l->outer;
        any |= l != NULL;
        if (l) word = arena_printf(a, "%lld", (long long)l->value.bits);
        done = arena_printf(a, "%s%.*s%s", done, (int)n, text, word);
        text += n + rest;
    }
    return any ? done : NULL;
}

static void give_name(expander *x, const char *name, const char *text)
{
    arena *a = &x->in->s->comp->arena;
    uint32_t others = 0;
    const char *as = NULL;
    for (uint32_t i = 0; i < x->variables.n && !as; i++) {
        const sized *v = &x->variables.at[i];
        if (strcmp(v->name, name) != 0) continue;
        others++;
        if (strcmp(v->text, text) == 0) as = v->as;
    }
    if (!as) {
        as = others ? arena_printf(a, "%s.%u", name, others) : name;
        vec_push(a, &x->variables, ((sized){name, text, as, NULL}));
    }
    sized *m = arena_new(a, sized);
    *m = (sized){name, text, as, x->names};
    x->names = m;
}

static void give_names(expander *x, const ast_node *target, const char *text)
{
    if (target->kind == AST_NAME) give_name(x, target->name, text);
    for (uint32_t i = 0; target->kind == AST_TUPLE && i < target->kid_count; i++)
        give_names(x, target->kids[i], text);
}

/* m = declare('matrix(k)'), and several at a time */
static ast_node *copy_declaration(expander *x, const ast_node *n)
{
    if (!x->loops || n->kind != AST_ASSIGN) return NULL;
    uint32_t last = n->kid_count - 1;
    const ast_node *value = n->kids[last];
    if (!sema_is_call_of(x->in, value, BI_DECLARE) || value->kid_count < 2 ||
        value->kids[1]->kind != AST_STRING)
        return NULL;
    const char *text = with_numbers(x, value->kids[1]->text);
    if (!text) return NULL;
    for (uint32_t i = 0; i < last; i++) give_names(x, n->kids[i], text);
    ast_node *c = copy_with(x, n, NULL);
    c->kids[last]->kids[1]->text = text;
    return c;
}

/* Behind a loop those of its rounds are no more; a name that had one size in all keeps it. */
static void end_names(expander *x, sized *before)
{
    arena *a = &x->in->s->comp->arena;
    sized *kept = before;
    for (const sized *m = x->names; m != before; m = m->outer) {
        uint32_t sizes = 0;
        for (uint32_t i = 0; i < x->variables.n; i++)
            sizes += strcmp(x->variables.at[i].name, m->name) == 0;
        if (sizes < 2) continue;
        sized *none = arena_new(a, sized);
        *none = (sized){m->name, m->text, NULL, kept};
        kept = none;
    }
    x->names = kept;
}

/* ---- statements ---- */

static ast_node *copy_statement(expander *x, ast_node *n)
{
    bool outer = x->parallel;
    ast_node *c = copy_reduction(x, n);
    if (!c) c = copy_declaration(x, n);
    if (c) return c;
    x->parallel |= n->kind == AST_FOR && sema_is_call_of(x->in, n->kids[1], BI_PRANGE);
    c = copy(x, n);
    x->parallel = outer;
    return c;
}

static void copy_if(expander *x, ast_node *n, ast_list *to)
{
    int truth;
    ast_node *condition = copy_condition(x, n->kids[0], &truth);
    if (truth < 0) vec_push(&x->in->s->comp->arena, to, copy_with(x, n, condition));
    else copy_list(x, truth ? n->body : n->orelse, to);
}

/* A break or continue that belongs to the loop around these statements, from one of them on. */
static const ast_node *find_jump(const ast_list *list, uint32_t first)
{
    for (uint32_t i = first; list && i < list->n; i++) {
        const ast_node *n = list->at[i], *found = NULL;
        if (n->kind == AST_BREAK || n->kind == AST_CONTINUE) return n;
        if (n->kind == AST_FOR || n->kind == AST_WHILE) found = find_jump(n->orelse, 0);
        else if ((found = find_jump(n->body, 0)) == NULL) found = find_jump(n->orelse, 0);
        if (found) return found;
    }
    return NULL;
}

/* The tuple that a parameter is which n runs over, as loops.c writes that; else NULL. */
static const cpl_type *looped_tuple(const instance *in, const ast_node *n)
{
    const ast_node *range = n->kind == AST_FOR ? n->kids[1] : NULL;
    if (!range || range->kind != AST_CALL || range->kid_count != 2) return NULL;
    const ast_node *length = range->kids[1];
    if (length->kind != AST_CALL || length->kid_count != 2) return NULL;
    const ast_node *callees[] = {range->kids[0], length->kids[0]};
    if (callees[0]->kind != AST_NAME || strcmp(callees[0]->name, ".range") != 0) return NULL;
    if (callees[1]->kind != AST_NAME || strcmp(callees[1]->name, ".len") != 0) return NULL;
    const cpl_type *t = sema_fixed_type(in, length->kids[1]);
    return t && sema_is_tuple(t) ? t : NULL;
}

/* start, stop and step; false after an error. */
static bool read_range(expander *x, ast_node *loop, int64_t range[3])
{
    const cpl_type *tuple = looped_tuple(x->in, loop);
    ast_node *call = loop->kids[1];
    if (tuple) {
        range[0] = 0, range[1] = tuple->field_count, range[2] = 1;
        return true;
    }
    uint32_t n = call->kid_count - 1;
    if (n < 1 || n > 3 || call->keyword_count) {
        sema_report(x->in, CPL_ETYPE, call->span, "'static_range' takes 1 to 3 integers");
        return false;
    }
    range[0] = 0, range[2] = 1;
    for (uint32_t i = 0; i < n; i++) {
        sema_const k;
        ast_node *c = copy(x, call->kids[1 + i]);
        if (!sema_static(x->in, c, &k) || !type_is_signed(k.type)) {
            diag *d =
                sema_report(x->in, CPL_ETYPE, call->kids[1 + i]->span,
                            "static_range needs an integer that is known when the function is "
                            "compiled");
            if (sema_may_be_bound(x->in, call->kids[1 + i]))
                sema_hint(x->in, d, "%s",
                          sema_bind_hint(x->in->s, x->in->f.fn->file, call->kids[1 + i]->name));
            return false;
        }
        range[n == 1 ? 1 : i] = (int64_t)k.bits;
    }
    if (range[2] == 0)
        sema_report(x->in, CPL_ETYPE, call->kids[3]->span, "the step of static_range is zero");
    return range[2] != 0;
}

static void copy_round(expander *x, ast_node *n, int64_t at, ast_list *to)
{
    loop_value l = {.name = n->kids[0]->name,
                    .value = sema_signed_const(x->in->s, at),
                    .outer = x->loops};
    x->loops = &l;
    copy_list(x, n->body, to);
    x->loops = l.outer;
}

/* Afterwards the variable has its last value, as that of any loop. */
static void assign_last(expander *x, ast_node *n, int64_t last, ast_list *to)
{
    arena *a = &x->in->s->comp->arena;
    ast_node *c = new_node(x, AST_ASSIGN, n->kids[0]);
    c->kid_count = 2;
    c->kids = arena_array(a, 2, sizeof *c->kids);
    c->kids[0] = copy_with(x, n->kids[0], NULL);
    c->kids[1] = number(x, n->kids[0], sema_signed_const(x->in->s, last), NULL);
    vec_push(a, to, c);
}

static bool ends_in(const ast_list *list, uint32_t first, ast_kind kind)
{
    return list->n > first && list->at[list->n - 1]->kind == kind;
}

/* Nothing behind these statements, from one of them on, is run. */
static bool leaves(const ast_list *list, uint32_t first)
{
    return ends_in(list, first, AST_RETURN) || ends_in(list, first, AST_BREAK) ||
           ends_in(list, first, AST_CONTINUE);
}

/* The round's statements from `first` on hold no jump out of it that depends on what they do. */
static bool stays_inside(expander *x, const ast_list *list, uint32_t first)
{
    const ast_node *jump = find_jump(list, first);
    if (!jump) return true;
    sema_report(x->in, CPL_EUNSUPPORTED, jump->span,
                "'%s' leaves a loop over static_range or a tuple, which becomes its rounds, only "
                "where what it depends on is known when the function is compiled",
                jump->kind == AST_BREAK ? "break" : "continue");
    return false;
}

static void copy_rounds(expander *x, ast_node *n, ast_list *to)
{
    int64_t range[3], last = 0;
    bool ran = false, left = false;
    sized *names = x->names;
    if (copy_target(x, n->kids[0])->kind != AST_NAME || !read_range(x, n, range)) return;
    for (int64_t at = range[0]; !left && (range[2] > 0 ? at < range[1] : at > range[1]);) {
        uint32_t first = to->n;
        if (is_full(x, n->kids[1])) return;
        x->ids++; /* empty rounds count too */
        copy_round(x, n, last = at, to);
        if (ends_in(to, first, AST_RETURN)) return;
        left = ends_in(to, first, AST_BREAK);
        if (left || ends_in(to, first, AST_CONTINUE)) to->n--;
        if (!stays_inside(x, to, first)) return;
        ran = true;
        if (__builtin_add_overflow(at, range[2], &at)) break;
    }
    end_names(x, names);
    if (ran) assign_last(x, n, last, to);
    if (!left) copy_list(x, n->orelse, to);
}

static bool is_static_loop(const instance *in, const ast_node *n)
{
    if (n->kind != AST_FOR) return false;
    return sema_is_call_of(in, n->kids[1], BI_STATIC_RANGE) || looped_tuple(in, n);
}

static void copy_list(expander *x, const ast_list *from, ast_list *to)
{
    uint32_t first = to->n;
    for (uint32_t i = 0; from && i < from->n; i++) {
        ast_node *n = from->at[i];
        if (is_full(x, n)) return;
        bool is_if = n->kind == AST_IF;
        if (is_if) copy_if(x, n, to);
        else if (is_static_loop(x->in, n)) copy_rounds(x, n, to);
        else vec_push(&x->in->s->comp->arena, to, copy_statement(x, n));
        if (leaves(to, first)) return; /* perhaps of the arm that is taken, or of a round */
    }
}

/* ---- whether there is anything to do ---- */

static bool list_changes(instance *in, const ast_list *list);

static bool has_static_loop(const instance *in, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++)
        if (is_static_loop(in, list->at[i]) || has_static_loop(in, list->at[i]->body) ||
            has_static_loop(in, list->at[i]->orelse))
            return true;
    return false;
}

/* Whether what n decides is known, apart from what is bound. */
static bool is_decided(instance *in, const ast_node *n)
{
    sema_const k;
    uint32_t conditions = n->kind == AST_IF || n->kind == AST_TERNARY ? 1
                          : n->kind == AST_BOOLOP                     ? n->kid_count
                                                                      : 0;
    for (uint32_t i = 0; i < conditions; i++)
        if (sema_static_condition(in, n->kids[i], &k)) return true;
    return false;
}

static bool changes(instance *in, const ast_node *n)
{
    if (is_isinstance(in, n) || is_decided(in, n)) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (changes(in, n->kids[i])) return true;
    return list_changes(in, n->body) || list_changes(in, n->orelse);
}

static bool list_changes(instance *in, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++)
        if (changes(in, list->at[i])) return true;
    return false;
}

void sema_expand(instance *in)
{
    const ast_func *fn = in->f.fn = sema_put_rows(in);
    bool rounds = has_static_loop(in, &fn->body);
    if (!in->f.bound.n && !rounds && !in->sig->base && !list_changes(in, &fn->body)) return;
    expander x = {.in = in, .rounds = rounds};
    ast_func *own = arena_new(&in->s->comp->arena, ast_func);
    *own = *fn;
    own->body = (ast_list){0};
    copy_list(&x, &fn->body, &own->body);
    own->node_count = x.ids;
    in->f.fn = own;
}

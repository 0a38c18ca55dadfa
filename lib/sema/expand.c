/*
 * What is known when a function is compiled, done to its syntax tree before anything is typed:
 * names that stand for integers become those, an `if` or ternary whose condition depends on what is
 * bound keeps the arm that counts, and loops over static_range become their rounds. The instance
 * gets a body of its own.
 */
#include "lib/sema/sema_int.h"

typedef struct loop_value { /* of a loop over static_range */
    const char *name;
    sema_const value;
    struct loop_value *outer;
} loop_value;

typedef struct expander {
    instance *in;
    loop_value *loops; /* around the statement at hand, innermost first */
    uint32_t ids;      /* nodes made so far */
    bool bound;        /* the expression at hand has a bound name in it */
    bool full;         /* the limit on nodes is reported */
} expander;

static ast_node *copy(expander *x, ast_node *n);
static void copy_list(expander *x, const ast_list *from, ast_list *to);

/* ---- values ---- */

static const sema_const *value_of(const expander *x, const char *name)
{
    for (const loop_value *l = x->loops; l; l = l->outer)
        if (strcmp(l->name, name) == 0) return &l->value;
    const sema_bound *b = sema_bound_named(sema_names_of(x->in), name);
    return b && b->global.kind == GLOBAL_NUMBER ? &b->value : NULL;
}

static bool is_bound_type(const expander *x, const char *name)
{
    const sema_bound *b = sema_bound_named(sema_names_of(x->in), name);
    return b && b->global.kind == GLOBAL_TYPE;
}

/* ---- nodes ---- */

static ast_node *new_node(expander *x, ast_kind kind, const ast_node *place)
{
    ast_node *n = arena_new(&x->in->s->comp->arena, ast_node);
    *n = (ast_node){.kind = (uint8_t)kind, .id = x->ids++, .span = place->span};
    n->op_span = place->op_span;
    return n;
}

static ast_node *number(expander *x, const ast_node *place, sema_const k)
{
    bool negative = sema_const_negative(k);
    ast_node *n = new_node(x, AST_INT, place);
    n->integer = negative ? 0 - k.bits : k.bits;
    if (!negative) return n;
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
        sema_report(x->in, CPL_ELIMIT, place->span,
                    "the rounds of static_range make the function larger than %u operations",
                    limit);
    return x->full = true;
}

static ast_list *copy_block(expander *x, const ast_list *from)
{
    if (!from) return NULL;
    ast_list *to = arena_new(&x->in->s->comp->arena, ast_list);
    copy_list(x, from, to);
    return to;
}

/* Names that stand for something are assigned nowhere. */
static ast_node *copy_target(expander *x, ast_node *n)
{
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

/* A condition, and what it is: 1, 0, or -1 where that is not known now or depends on nothing
 * bound. */
static ast_node *copy_condition(expander *x, ast_node *n, int *truth)
{
    bool outer = x->bound;
    sema_const k;
    x->bound = false;
    ast_node *c = copy(x, n);
    *truth = x->bound && sema_static(x->in, c, &k) ? sema_const_float(k) != 0 : -1;
    x->bound |= outer;
    return c;
}

static ast_node *copy_ternary(expander *x, ast_node *n)
{
    int truth;
    ast_node *condition = copy_condition(x, n->kids[0], &truth);
    return truth < 0 ? copy_with(x, n, condition) : copy(x, n->kids[truth ? 1 : 2]);
}

static ast_node *copy(expander *x, ast_node *n)
{
    if (n->kind == AST_NAME) {
        const sema_const *k = value_of(x, n->name);
        x->bound |= k || is_bound_type(x, n->name);
        if (k) return number(x, n, *k);
    }
    return n->kind == AST_TERNARY ? copy_ternary(x, n) : copy_with(x, n, NULL);
}

/* ---- statements ---- */

static void copy_if(expander *x, ast_node *n, ast_list *to)
{
    int truth;
    ast_node *condition = copy_condition(x, n->kids[0], &truth);
    if (truth < 0) vec_push(&x->in->s->comp->arena, to, copy_with(x, n, condition));
    else copy_list(x, truth ? n->body : n->orelse, to);
}

/* A break or continue that belongs to the loop around these statements. */
static const ast_node *find_jump(const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i], *found = NULL;
        if (n->kind == AST_BREAK || n->kind == AST_CONTINUE) return n;
        if (n->kind == AST_FOR || n->kind == AST_WHILE) found = find_jump(n->orelse);
        else if ((found = find_jump(n->body)) == NULL) found = find_jump(n->orelse);
        if (found) return found;
    }
    return NULL;
}

/* start, stop and step; false after an error. */
static bool read_range(expander *x, ast_node *call, int64_t range[3])
{
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
            if (call->kids[1 + i]->kind == AST_NAME && sema_local(x->in, call->kids[1 + i]->name))
                diag_hint(&x->in->diags, d, "bind it: %s=const:4 for cplc, CPL_BIND_INTEGER",
                          call->kids[1 + i]->name);
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
    c->kids[1] = number(x, n->kids[0], sema_signed_const(x->in->s, last));
    vec_push(a, to, c);
}

/* Nothing behind it is run. */
static bool returns(const ast_list *list)
{
    return list->n && list->at[list->n - 1]->kind == AST_RETURN;
}

static void copy_rounds(expander *x, ast_node *n, ast_list *to)
{
    int64_t range[3], last = 0;
    bool ran = false;
    const ast_node *jump = find_jump(n->body);
    if (jump) {
        sema_report(x->in, CPL_EUNSUPPORTED, jump->span,
                    "'%s' does not work in a loop over static_range, which becomes its rounds",
                    jump->kind == AST_BREAK ? "break" : "continue");
        return;
    }
    if (copy_target(x, n->kids[0])->kind != AST_NAME || !read_range(x, n->kids[1], range)) return;
    for (int64_t at = range[0]; range[2] > 0 ? at < range[1] : at > range[1];) {
        if (is_full(x, n->kids[1])) return;
        x->ids++; /* empty rounds count too */
        copy_round(x, n, last = at, to);
        if (returns(to)) return;
        ran = true;
        if (__builtin_add_overflow(at, range[2], &at)) break;
    }
    if (ran) assign_last(x, n, last, to);
    copy_list(x, n->orelse, to);
}

static bool is_static_loop(const instance *in, const ast_node *n)
{
    return n->kind == AST_FOR && sema_is_call_of(in, n->kids[1], BI_STATIC_RANGE);
}

static void copy_list(expander *x, const ast_list *from, ast_list *to)
{
    for (uint32_t i = 0; from && i < from->n; i++) {
        ast_node *n = from->at[i];
        if (is_full(x, n)) return;
        bool is_if = n->kind == AST_IF;
        if (!is_if && !is_static_loop(x->in, n)) {
            vec_push(&x->in->s->comp->arena, to, copy(x, n));
            continue;
        }
        if (is_if) copy_if(x, n, to);
        else copy_rounds(x, n, to);
        if (returns(to)) return; /* of the arm that is taken, or of a round */
    }
}

/* ---- whether there is anything to do ---- */

static bool has_static_loop(const instance *in, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++)
        if (is_static_loop(in, list->at[i]) || has_static_loop(in, list->at[i]->body) ||
            has_static_loop(in, list->at[i]->orelse))
            return true;
    return false;
}

void sema_expand(instance *in)
{
    const ast_func *fn = in->sig->fn;
    if (!in->f.bound.n && !has_static_loop(in, &fn->body)) return;
    expander x = {.in = in};
    ast_func *own = arena_new(&in->s->comp->arena, ast_func);
    *own = *fn;
    own->body = (ast_list){0};
    copy_list(&x, &fn->body, &own->body);
    own->node_count = x.ids;
    in->f.fn = own;
}

/*
 * Functions inside of functions, def and lambda, become functions of the file: the variables of
 * the function around that they use are parameters more, which calls give by their names,
 *
 *     def f(x, a):                      def g(v, *, a):
 *         def g(v):                         return a*v
 *             return a*v                def f(x, a):
 *         x[0] = g(2)                       x[0] = g(2, a=a)
 *
 * so that they have the value of when g is called, as in Python. Done before anything else is
 * rewritten. Where such a function is an argument, apply(g, x), that of a function of the file, a
 * copy of apply takes its variables too and gives them where it calls g.
 */
#include "lib/sema/rewrite.h"

enum { MOST_CAPTURED = 64 };

typedef VEC(const char *) name_vec;

typedef struct closure {
    const char *name; /* NULL: a lambda without one */
    ast_func *fn;     /* NULL: a parameter that stands for one */
    ast_node *at;     /* the assignment of a name, else the lambda */
    map own;          /* parameters and locals */
    name_vec captured;
    name_vec values; /* what each of those is called where the closure is called */
    bool bad;        /* and reported */
} closure;

/* Of a parameter that stands for a function: what calls of it give beside their arguments. */
struct ast_carried {
    name_vec captured, values;
};

typedef struct closures {
    sema *s;
    ast_func *outer;
    map locals; /* of outer */
    map named;  /* name -> closure */
    VEC(closure *) all;
    map by_func; /* "%p" of an ast_func -> closure */
} closures;

static void put(closures *c, map *m, const char *name, void *value)
{
    map_put(&c->s->comp->arena, m, name, value);
}

/* ---- which names are whose ---- */

static void find_locals(closures *c, map *to, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        rewrite_bound_names(&c->s->comp->arena, to, n, c);
        find_locals(c, to, n->body);
        find_locals(c, to, n->orelse);
    }
}

static void find_own(closures *c, map *to, const ast_func *fn)
{
    for (uint32_t i = 0; i < fn->param_count; i++) put(c, to, fn->params[i].name, c);
    find_locals(c, to, &fn->body);
}

/* ---- which functions there are ---- */

static closure *add(closures *c, const char *name, ast_func *fn, ast_node *at)
{
    closure *k = arena_new(&c->s->comp->arena, closure);
    *k = (closure){.name = name, .fn = fn, .at = at};
    find_own(c, &k->own, fn);
    vec_push(&c->s->comp->arena, &c->all, k);
    put(c, &c->by_func, arena_printf(&c->s->comp->arena, "%p", (void *)fn), k);
    return k;
}

static bool is_named(const ast_node *n)
{
    return n->kind == AST_ASSIGN && n->kid_count == 2 && n->kids[0]->kind == AST_NAME &&
           n->kids[1]->kind == AST_LAMBDA;
}

static void find(closures *c, ast_node *n);

static void find_in_list(closures *c, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) find(c, list->at[i]);
}

static void find(closures *c, ast_node *n)
{
    if (is_named(n)) {
        closure *before = map_get(&c->named, n->kids[0]->name);
        closure *k = add(c, n->kids[0]->name, n->kids[1]->lambda, n);
        k->fn->name = k->name;
        if (before) before->bad = k->bad = true;
        put(c, &c->named, k->name, k);
        return;
    }
    if (n->kind == AST_LAMBDA) add(c, NULL, n->lambda, n);
    for (uint32_t i = 0; i < n->kid_count; i++) find(c, n->kids[i]);
    find_in_list(c, n->body);
    find_in_list(c, n->orelse);
}

/* How often a name is assigned. */
static uint32_t assignments(const ast_list *list, const char *name)
{
    uint32_t count = 0;
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_list one = {.at = list->at + i, .n = 1};
        if (list->at[i]->body) {
            count += assignments(list->at[i]->body, name) + assignments(list->at[i]->orelse, name);
            count += list->at[i]->kind == AST_FOR && list->at[i]->kids[0]->kind == AST_NAME &&
                     strcmp(list->at[i]->kids[0]->name, name) == 0;
        } else {
            count += sema_assigns(&one, name, false);
        }
    }
    return count;
}

static void refuse(closures *c, ast_node *n, const char *message, const char *hint)
{
    rewriter r = {.s = c->s, .fn = c->outer};
    rewrite_refuse(&r, n, message, hint);
}

static void check_names(closures *c)
{
    for (uint32_t i = 0; i < c->all.n; i++) {
        closure *k = c->all.at[i];
        if (!k->name || !k->fn) continue;
        k->bad |= assignments(&c->outer->body, k->name) > 1;
        for (uint32_t p = 0; p < c->outer->param_count; p++)
            k->bad |= strcmp(c->outer->params[p].name, k->name) == 0;
        if (!k->bad) continue;
        refuse(c, k->at->kids[1],
               arena_printf(&c->s->comp->arena,
                            "'%s' is a function here, and is assigned more than once", k->name),
               "which function is called is known when this is compiled: give each its own name");
    }
}

/* ---- what they use ---- */

static void capture(closures *c, closure *k, const char *name)
{
    for (uint32_t i = 0; i < k->captured.n; i++)
        if (strcmp(k->captured.at[i], name) == 0) return;
    vec_push(&c->s->comp->arena, &k->captured, name);
    vec_push(&c->s->comp->arena, &k->values, name);
}

/* A map for each function between k and what n stands in, the innermost first. */
typedef struct inside {
    const struct inside *outer;
    map own;
} inside;

static bool is_own(const inside *in, const char *name)
{
    for (; in; in = in->outer)
        if (map_get(&in->own, name)) return true;
    return false;
}

static void use(closures *c, closure *k, const inside *in, const ast_node *n);

static void use_list(closures *c, closure *k, const inside *in, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) use(c, k, in, list->at[i]);
}

static void use(closures *c, closure *k, const inside *in, const ast_node *n)
{
    if (n->kind == AST_LAMBDA) {
        inside within = {.outer = in};
        find_own(c, &within.own, n->lambda);
        use_list(c, k, &within, &n->lambda->body);
        return;
    }
    if (n->kind == AST_NAME && !is_own(in, n->name)) {
        const closure *other = map_get(&c->named, n->name);
        bool function = other && other->fn;
        if (!function && map_get(&c->locals, n->name)) capture(c, k, n->name);
        for (uint32_t i = 0; other && i < other->values.n; i++) capture(c, k, other->values.at[i]);
    }
    for (uint32_t i = 0; i < n->kid_count; i++) use(c, k, in, n->kids[i]);
    use_list(c, k, in, n->body);
    use_list(c, k, in, n->orelse);
}

/* Until nothing new is found: what is captured by who is called is, too. */
static void find_captured(closures *c)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < c->all.n; i++) {
            closure *k = c->all.at[i];
            if (!k->fn) continue;
            inside in = {.own = k->own};
            uint32_t before = k->captured.n;
            use_list(c, k, &in, &k->fn->body);
            more |= k->captured.n > before;
        }
    }
}

/* One name that is one variable in k and another one in a function that k calls. */
static void check_captured(closures *c, closure *k)
{
    if (!k->fn) return;
    bool star = k->fn->param_count && k->fn->params[k->fn->param_count - 1].star == '*';
    for (uint32_t i = 0; !k->bad && i < k->captured.n; i++) {
        const char *name = k->captured.at[i], *what = NULL, *hint = "give one another name";
        if (map_get(&k->own, name))
            what = "'%s' is a variable of this function, and another one where a function that it "
                   "calls uses it";
        else if (star || k->captured.n > MOST_CAPTURED) {
            what = "a function that takes any number of arguments uses '%s', a variable of the "
                   "function around it";
            hint = "pass it on as an argument";
        }
        if (!what) continue;
        ast_node *at = k->name ? k->at->kids[1] : k->at;
        k->bad = true;
        refuse(c, at, arena_printf(&c->s->comp->arena, what, name), hint);
    }
}

static void add_parameters(sema *s, ast_func *fn, const name_vec *names)
{
    ast_param *params = arena_array(&s->comp->arena, fn->param_count + names->n, sizeof *params);
    if (fn->param_count) memcpy(params, fn->params, fn->param_count * sizeof *params);
    for (uint32_t i = 0; i < names->n; i++)
        params[fn->param_count + i] =
            (ast_param){.name = names->at[i], .span = fn->name_span, .star = 'k', .captured = true};
    fn->params = params;
    fn->param_count += names->n;
}

/* ---- where they are called ---- */

static ast_node *node(closures *c, ast_func *in, ast_kind kind, cpl_span span, uint32_t kids)
{
    rewriter r = {.s = c->s, .fn = in};
    return rewrite_node(&r, kind, span, kids);
}

/* f(...) becomes f(..., a=a). */
static void give(closures *c, ast_func *in, ast_node *call, const name_vec *names,
                 const name_vec *values)
{
    arena *a = &c->s->comp->arena;
    ast_node **kids = arena_array(a, call->kid_count + names->n, sizeof *kids);
    memcpy(kids, call->kids, call->kid_count * sizeof(ast_node *));
    for (uint32_t i = 0; i < names->n; i++) {
        ast_node *k = node(c, in, AST_KEYWORD, call->kids[0]->span, 1);
        k->name = names->at[i];
        k->kids[0] = node(c, in, AST_NAME, call->kids[0]->span, 0);
        k->kids[0]->name = values->at[i];
        kids[call->kid_count + i] = k;
    }
    call->kids = kids;
    call->kid_count += names->n;
    call->keyword_count += names->n;
}

static closure *closure_of(const closures *c, const inside *in, const ast_node *n)
{
    char key[32];
    if (n->kind == AST_NAME) return is_own(in, n->name) ? NULL : map_get(&c->named, n->name);
    if (n->kind != AST_LAMBDA) return NULL;
    snprintf(key, sizeof key, "%p", (void *)n->lambda);
    return map_get(&c->by_func, key);
}

/* ---- closures as arguments ---- */

/* Where argument k of a call goes to: a parameter's number, or UINT32_MAX. */
static uint32_t parameter_of(const ast_func *fn, const ast_node *call, uint32_t k)
{
    const ast_node *given = call->kids[k];
    if (given->kind != AST_KEYWORD)
        return k - 1 < fn->param_count && !fn->params[k - 1].star ? k - 1 : UINT32_MAX;
    for (uint32_t i = 0; i < fn->param_count; i++)
        if (strcmp(fn->params[i].name, given->name) == 0 && fn->params[i].star != '*') return i;
    return UINT32_MAX;
}

/* fn once more, to be read again, whose parameter p stands for k; kept, so that one that calls
 * itself is itself. Its parameters for what k uses are called after p. */
static ast_func *copy_for(closures *c, const ast_func *fn, uint32_t p, const closure *k)
{
    arena *a = &c->s->comp->arena;
    const char *key = arena_printf(a, "%p.%u", (const void *)fn, p);
    name_vec names = {0};
    for (uint32_t i = 0; i < k->captured.n; i++) {
        const char *name = arena_printf(a, ".%s.%s", fn->params[p].name, k->captured.at[i]);
        vec_push(a, &names, name);
        key = arena_printf(a, "%s.%s", key, k->captured.at[i]);
    }
    ast_func *copy = map_get(&c->s->copies, key);
    if (copy) return copy;
    copy = arena_new(a, ast_func);
    map_put(a, &c->s->copies, key, copy);
    *copy = *fn;
    copy->parsed = copy->rewritten = copy->failed = false;
    copy->body = (ast_list){0};
    copy->user = NULL;
    copy->rows = NULL;
    add_parameters(c->s, copy, &names);
    struct ast_carried *carried = arena_new(a, struct ast_carried);
    *carried = (struct ast_carried){.captured = k->captured, .values = names};
    copy->params[p].carried = carried;
    return copy;
}

/* The function of the file that is called, whose text can be read again; or NULL. */
static ast_func *called(const closures *c, const inside *in, const ast_node *callee)
{
    const ast_node *first = callee;
    while (first->kind == AST_ATTRIBUTE) first = first->kids[0];
    if (first->kind != AST_NAME || is_own(in, first->name) || map_get(&c->locals, first->name))
        return NULL;
    sema_global g = sema_find_node((sema_names){.s = c->s, .file = c->outer->file}, callee);
    bool again = g.kind == GLOBAL_FUNC && !g.func->inner && g.func->body_token;
    return again ? g.func : NULL;
}

/* apply(g, x), where g uses a, becomes apply'(g, x, .g.a=a). */
static void pass_on(closures *c, ast_func *fn, const inside *in, ast_node *call)
{
    ast_func *to = called(c, in, call->kids[0]);
    for (uint32_t i = 1, n = call->kid_count; to && i < n; i++) {
        ast_node *given = call->kids[i];
        if (given->kind == AST_KEYWORD) given = given->kids[0];
        const closure *k = closure_of(c, in, given);
        uint32_t p = k && !k->bad && k->captured.n ? parameter_of(to, call, i) : UINT32_MAX;
        if (p == UINT32_MAX) continue;
        to = copy_for(c, to, p, k);
        give(c, fn, call, &to->params[p].carried->values, &k->values);
        given->stands = true;
        ast_node *callee = node(c, fn, AST_LAMBDA, call->kids[0]->span, 0);
        callee->lambda = to;
        call->kids[0] = callee;
    }
}

static void put_calls(closures *c, ast_func *fn, const inside *in, ast_node *n);

static void put_calls_in_list(closures *c, ast_func *fn, const inside *in, ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) put_calls(c, fn, in, list->at[i]);
}

static void put_function(ast_node *n, const closure *k)
{
    if (!k->fn) return;
    n->kind = k->bad ? AST_ERROR : AST_LAMBDA;
    if (k->bad) n->name = NULL;
    else n->lambda = k->fn;
}

/* fn: whose node n is. */
static void put_calls(closures *c, ast_func *fn, const inside *in, ast_node *n)
{
    closure *k = closure_of(c, in, n->kind == AST_CALL ? n->kids[0] : n);
    if (n->kind == AST_CALL) {
        if (k && !k->bad) give(c, fn, n, &k->captured, &k->values);
        pass_on(c, fn, in, n);
    } else if (k && n->kind == AST_NAME) {
        put_function(n, k);
        return;
    } else if (n->kind == AST_LAMBDA && n->lambda->inner) {
        inside within = {.outer = in};
        find_own(c, &within.own, n->lambda);
        put_calls_in_list(c, n->lambda, &within, &n->lambda->body);
    }
    for (uint32_t i = is_named(n); i < n->kid_count; i++) put_calls(c, fn, in, n->kids[i]);
    put_calls_in_list(c, fn, in, n->body);
    put_calls_in_list(c, fn, in, n->orelse);
}

/* What a name is given stands nowhere else. */
static void drop(ast_node *n)
{
    if (n->kids[1]->kind != AST_LAMBDA) {
        n->kind = AST_EXPR; /* an error */
        n->kids[0] = n->kids[1];
        n->kid_count = 1;
        return;
    }
    n->kind = AST_PASS;
    n->kid_count = 0;
}

/* Parameters that stand for functions with variables of their own. */
static void find_carried(closures *c)
{
    for (uint32_t i = 0; i < c->outer->param_count; i++) {
        const ast_param *p = &c->outer->params[i];
        if (!p->carried) continue;
        closure *k = arena_new(&c->s->comp->arena, closure);
        *k = (closure){.name = p->name,
                       .captured = p->carried->captured,
                       .values = p->carried->values};
        vec_push(&c->s->comp->arena, &c->all, k);
        put(c, &c->named, k->name, k);
    }
}

void rewrite_closures(sema *s, ast_func *fn)
{
    closures c = {.s = s, .outer = fn};
    find_carried(&c);
    find_in_list(&c, &fn->body);
    if (!c.all.n) return;
    find_own(&c, &c.locals, fn);
    check_names(&c);
    find_captured(&c);
    for (uint32_t i = 0; i < c.all.n; i++) check_captured(&c, c.all.at[i]);
    inside in = {0};
    put_calls_in_list(&c, fn, &in, &fn->body);
    for (uint32_t i = 0; i < c.all.n; i++) {
        closure *k = c.all.at[i];
        if (k->fn && !k->bad) add_parameters(s, k->fn, &k->captured);
        if (k->fn && k->name) drop(k->at);
    }
}

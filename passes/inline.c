/*
 * inline: replaces calls of non-recursive functions by their bodies, callees first.
 *
 * Does: a parameter that the callee never assigns stands for the argument where that is a constant,
 * an array of the caller's own or a variable nobody can change meanwhile; otherwise it becomes a
 * variable of the caller, as the callee's own variables do. These start at zero at every call, and
 * belong to the round of the parallel loops around it. Requires: single exits (pass exits); a
 * function without one stays a function. ir_func.recursive is computed here. Growth past the limit
 * on ops, with room for the calls that cannot stay, leaves the call where the callee takes numbers
 * to a number, and is an error at the call elsewhere, or where such callees come to more ops than
 * the limit. Ensures: no other call of a function with a single exit is left. Keeps: order of
 * evaluation, extents of pointers, spans. Source: R. Scheifler, An analysis of inline substitution,
 * CACM 20 (1977).
 */
#include "passes/pass_int.h"

/* Of a module: functions that stay, as they do not fit in where they are called. */
typedef struct staying {
    VEC(const ir_func *) funcs;
    map may;       /* by name, the bodies of all that may stay: those of is_of_numbers */
    uint32_t size; /* of all of them */
    bool failed;   /* something does not fit and cannot stay */
} staying;

typedef struct inliner {
    ir_module *m;
    staying *staying;
    ir_func *f;          /* the caller */
    pass_loops parallel; /* around the call */
    uint32_t loops;      /* of any kind around it */
    uint32_t size;       /* of the caller */
    uint32_t reserved;   /* for the callees to come that cannot stay */
    map taken;           /* names of the caller's variables whose address is taken */
    bool changed;
} inliner;

/* What becomes of a callee's variable (ir_var.user while its body is copied). */
typedef struct image {
    ir_var *var;    /* a variable of the caller, or NULL */
    ir_node *value; /* a constant, or where an array is, to put in its place */
} image;

/* Questions about the callee. */

/*
 * Which variables are written before they are read wherever they are read, as far as is easily
 * seen: what such a one held before does not matter. All mentions of it come behind an assignment
 * in a block around them, or lie in one statement, in each of whose blocks the same holds; a
 * counted loop writes its variable. One walk finds it for all of a function's variables, whose
 * `user` is a first_use meanwhile.
 */
typedef struct first_use {
    enum { UNSEEN, WRITTEN, INSIDE } state; /* INSIDE: of a statement that has ended */
    uint32_t depth;                         /* of the block, or of the statement's */
    const ir_node *statement;               /* INSIDE */
    bool read;                              /* maybe before it is written */
} first_use;

typedef struct first_uses {
    arena *arena;
    VEC(first_use *) seen;     /* those not UNSEEN, of the innermost block last */
    VEC(const ir_node *) open; /* the statements around, by depth */
} first_uses;

/* The other mentions count no more if it was seen for the first time. */
static bool is_new(const first_uses *u, const first_use *f)
{
    return f->state == UNSEEN ||
           (f->state == INSIDE && f->depth < u->open.n && u->open.at[f->depth] == f->statement);
}

static void see_read(const first_uses *u, const ir_var *v)
{
    first_use *f = v->user;
    if (f && (is_new(u, f) || f->state == INSIDE)) f->read = true;
}

static void see_write(first_uses *u, const ir_var *v)
{
    first_use *f = v->user;
    if (!f) return;
    if (!is_new(u, f)) {
        see_read(u, v);
        return;
    }
    f->state = WRITTEN;
    f->depth = u->open.n;
    vec_push(u->arena, &u->seen, f);
}

static void see_expression(first_uses *u, const ir_node *n)
{
    if (n->op == IR_VAR || n->op == IR_ADDR) see_read(u, n->var);
    for (uint32_t i = 0; i < n->kid_count; i++) see_expression(u, n->kids[i]);
}

static void see_block(first_uses *u, const ir_block *b);

/* Behind the block of a statement: what was seen in it was seen inside of that. */
static void see_inside(first_uses *u, const ir_node *n, const ir_block *b, uint32_t first)
{
    uint32_t depth = u->open.n;
    vec_push(u->arena, &u->open, n);
    if (b) see_block(u, b);
    u->open.n = depth;
    for (uint32_t i = first; i < u->seen.n; i++) {
        first_use *f = u->seen.at[i];
        *f = (first_use){INSIDE, depth, n, f->read};
    }
}

static void see_block(first_uses *u, const ir_block *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        const ir_node *n = b->at[i];
        uint32_t first = u->seen.n;
        for (uint32_t k = 0; k < n->kid_count; k++) see_expression(u, n->kids[k]);
        if (n->op == IR_ASSIGN) see_write(u, n->var);
        if (!n->loop && !n->body && !n->orelse) continue;
        for (uint32_t k = 0; n->loop && k < n->loop->reductions.n; k++)
            see_read(u, n->loop->reductions.at[k].var);
        bool counted = n->op == IR_FOR || n->op == IR_PARALLEL_FOR;
        if (n->loop && n->loop->var && counted) {
            vec_push(u->arena, &u->open, n); /* it is written in the loop alone */
            see_write(u, n->loop->var);
            u->open.n--;
        } else if (n->loop && n->loop->var) see_read(u, n->loop->var);
        see_inside(u, n, n->body, first);
        see_inside(u, n, n->orelse, first);
    }
}

static void find_first_uses(inliner *in, const ir_func *g)
{
    first_uses u = {.arena = &in->m->comp->arena};
    for (uint32_t i = 0; i < g->params.n; i++) g->params.at[i]->user = NULL;
    for (uint32_t i = 0; i < g->vars.n; i++) g->vars.at[i]->user = arena_new(u.arena, first_use);
    see_block(&u, g->body);
}

static bool count_return(void *user, ir_node *n)
{
    if (n->op == IR_RETURN) ++*(uint32_t *)user;
    return ir_ops[n->op].class_ == IR_CLASS_STMT;
}

/* Whether its only return is the last statement, or there is none. */
static bool can_inline(const ir_func *f)
{
    uint32_t returns = 0;
    if (!pass_is_callable(f)) return false;
    ir_walk_block(f->body, count_return, &returns);
    bool last = f->body->n > 0 && f->body->at[f->body->n - 1]->op == IR_RETURN;
    return returns == (last ? 1u : 0u) && (last || type_is_void(f->result));
}

/* Copying. */

static ir_var *image_var(void *user, ir_var *v)
{
    (void)user;
    image *i = v->user; /* NULL: an array of the caller's own */
    return i && i->var ? i->var : v;
}

static ir_node *put_constants(ir_module *m, ir_node *n)
{
    if (n->op == IR_VAR) {
        image *i = n->var->user;
        if (i && i->value) return ir_copy(m, i->value);
    }
    for (uint32_t i = 0; i < n->kid_count; i++) n->kids[i] = put_constants(m, n->kids[i]);
    for (uint32_t i = 0; n->body && i < n->body->n; i++)
        n->body->at[i] = put_constants(m, n->body->at[i]);
    for (uint32_t i = 0; n->orelse && i < n->orelse->n; i++)
        n->orelse->at[i] = put_constants(m, n->orelse->at[i]);
    return n;
}

static ir_node *copy_of(inliner *in, const ir_node *n)
{
    ir_node *copy = put_constants(in->m, ir_copy(in->m, n));
    pass_rename(copy, image_var, NULL);
    return copy;
}

static image *new_image(inliner *in, ir_var *v, ir_var *to, ir_node *value)
{
    image *i = arena_new(&in->m->comp->arena, image);
    *i = (image){to, value};
    v->user = i;
    return i;
}

static ir_var *fresh(inliner *in, const ir_var *v)
{
    ir_var *copy = pass_var(in->m, in->f, &in->parallel, v->name, v->type, v->span);
    copy->spelling = v->spelling ? v->spelling : v->name;
    return copy;
}

/* item(addr(v), 0) */
static bool is_array(const ir_node *a)
{
    int64_t first;
    return a->op == IR_ITEM && a->kids[0]->op == IR_ADDR && ir_is_int_const(a->kids[1], &first) &&
           first == 0;
}

/* Whether the callee can read an argument, a variable of the caller, in place of its parameter. */
static bool stands_for(inliner *in, const ir_func *g, uint32_t param, ir_node **args)
{
    const ir_var *p = g->params.at[param];
    const ir_node *a = args[param];
    if (ir_assigns(g->body, p)) return false;
    if (ir_is_const(a)) return true;
    if (is_array(a)) return !p->extent;
    if (a->op != IR_VAR || map_get(&in->taken, a->var->name)) return false;
    if (!p->extent) return true;
    if (!a->var->extent) return false;
    for (uint32_t i = 0; i < g->params.n;
         i++) /* the extent handed over must be the one the variable has anyway */
        if (g->params.at[i] == p->extent)
            return args[i]->op == IR_VAR && args[i]->var == a->var->extent;
    return false;
}

static void bind_params(inliner *in, ir_block *out, const ir_func *g, const ir_node *call)
{
    for (uint32_t i = 0; i < g->params.n; i++) {
        ir_var *p = g->params.at[i];
        ir_node *a = call->kids[i];
        if (stands_for(in, g, i, call->kids)) {
            new_image(in, p, a->op == IR_VAR ? a->var : NULL, a->op == IR_VAR ? NULL : a);
            continue;
        }
        ir_var *v = fresh(in, p);
        new_image(in, p, v, NULL);
        ir_append(in->m, out, ir_assign(in->m, v, a, a->span));
    }
}

static void bind_vars(inliner *in, ir_block *out, const ir_func *g, cpl_span span)
{
    for (uint32_t i = 0; i < g->vars.n; i++) {
        ir_var *v = g->vars.at[i];
        ir_var *copy = fresh(in, v);
        /* outside loops the new variable is zero already */
        bool read = in->loops > 0 && ((const first_use *)v->user)->read;
        new_image(in, v, copy, NULL);
        if (read) ir_append(in->m, out, pass_zero_var(in->m, copy, span));
    }
}

/*
 * Links the new pointers to the variables that hold their extents; an extent that became a constant
 * gets a variable.
 */
static void link_extents(inliner *in, ir_block *out, const ir_var *v)
{
    image *i = v->user;
    if (!v->extent || !i->var || i->var->extent) return;
    image *e = v->extent->user;
    if (!e->var && e->value) {
        ir_var *holder = fresh(in, v->extent);
        ir_append(in->m, out, ir_assign(in->m, holder, ir_copy(in->m, e->value), e->value->span));
        new_image(in, v->extent, holder, NULL);
        e = v->extent->user;
    }
    i->var->extent = e->var;
}

static void forget_images(const ir_func *g)
{
    for (uint32_t i = 0; i < g->params.n; i++) g->params.at[i]->user = NULL;
    for (uint32_t i = 0; i < g->vars.n; i++) g->vars.at[i]->user = NULL;
}

/*
 * The callee's return: its value goes to the variable, or is dropped unless something in it must
 * still happen.
 */
static void finish_call(inliner *in, ir_block *out, const ir_node *ret, const ir_node *stmt)
{
    if (ret->kid_count == 0) return;
    ir_node *value = copy_of(in, ret->kids[0]);
    ir_var *to = stmt->var;
    if (stmt->op == IR_EVAL) {
        if (pass_can_drop(value)) return;
        to = pass_var(in->m, in->f, &in->parallel, "dropped", value->type, stmt->span);
    }
    ir_append(in->m, out, ir_assign(in->m, to, value, stmt->span));
}

/* What a function that computes a number has no use for: other threads, the grid, the world. */
static bool is_other(const ir_node *n)
{
    switch (ir_op_kind(n->op)) {
    case IR_KIND_CALL: return n->func->recursive || !n->func->body;
    case IR_KIND_PARALLEL:
    case IR_KIND_WORKER:
    case IR_KIND_PLACE:
    case IR_KIND_LANE:
    case IR_KIND_CHECK: return true;
    default: return ir_op_effects(n->op) & (IR_EFFECT_ORDER | IR_EFFECT_OUTPUT);
    }
}

static bool find_other(void *user, ir_node *n)
{
    bool *other = user;
    if (is_other(n)) *other = true;
    return !*other;
}

/* Whether it takes numbers to a number and touches nothing else. */
static bool is_of_numbers(const ir_func *g)
{
    bool other = false;
    for (uint32_t i = 0; i < g->params.n; i++)
        if (!type_is_scalar(g->params.at[i]->type)) return false;
    ir_walk_block(g->body, find_other, &other);
    return !other;
}

/* At most, in the caller: the body, parameters that are assigned, variables that become zero. */
static uint32_t inlined_size(const ir_func *g)
{
    enum { SET = 4 };
    return ir_func_size(g) + SET * (g->params.n + g->vars.n);
}

/* Asked once for each call; a function that may stay leaves room for those that may not. */
static bool fits(inliner *in, const ir_func *g)
{
    bool may_stay = map_get(&in->staying->may, g->name);
    if (!may_stay) in->reserved -= inlined_size(g);
    uint32_t size = may_stay && in->reserved ? in->reserved + inlined_size(g) : ir_func_size(g);
    return in->size + size <= pass_max_ops(in->m->comp);
}

/* Whether a function that does not fit is called instead. */
static bool stays(inliner *in, const ir_func *g)
{
    staying *s = in->staying;
    for (uint32_t i = 0; i < s->funcs.n; i++)
        if (s->funcs.at[i] == g) return true;
    uint32_t size = ir_func_size(g);
    if (!map_get(&s->may, g->name) || s->size + size > pass_max_ops(in->m->comp)) return false;
    vec_push(&in->m->comp->arena, &s->funcs, g);
    s->size += size;
    return true;
}

static void report_growth(inliner *in, const ir_node *call)
{
    diag *d = diag_error(&in->m->comp->diags, CPL_ELIMIT, call->span,
                         "inlining '%s' here makes '%s' larger than %u operations",
                         call->func->name, in->f->name, (unsigned)pass_max_ops(in->m->comp));
    diag_hint(&in->m->comp->diags, d, "split the kernel, or call the function in fewer places");
    in->staying->failed = true;
}

static void expand(inliner *in, ir_block *out, ir_node *stmt)
{
    ir_node *call = stmt->kids[0];
    ir_func *g = call->func;
    uint32_t before = out->n;
    in->changed = true;
    if (in->loops > 0) find_first_uses(in, g);
    bind_params(in, out, g, call);
    bind_vars(in, out, g, call->span);
    for (uint32_t i = 0; i < g->params.n; i++) link_extents(in, out, g->params.at[i]);
    for (uint32_t i = 0; i < g->vars.n; i++) link_extents(in, out, g->vars.at[i]);
    for (uint32_t i = 0; i < g->body->n; i++) {
        const ir_node *s = g->body->at[i];
        if (s->op == IR_RETURN) finish_call(in, out, s, stmt);
        else ir_append(in->m, out, copy_of(in, s));
    }
    forget_images(g);
    for (uint32_t i = before; i < out->n; i++) in->size += ir_size(out->at[i]);
}

static bool is_inlinable_call(const ir_node *n)
{
    return (n->op == IR_EVAL || n->op == IR_ASSIGN) && n->kids[0]->op == IR_CALL &&
           can_inline(n->kids[0]->func);
}

static void inline_block(inliner *in, ir_block *b)
{
    ir_block out = {0};
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        if (!in->staying->failed && is_inlinable_call(n)) {
            const ir_func *g = n->kids[0]->func;
            if (fits(in, g)) {
                expand(in, &out, n);
                continue;
            }
            if (!stays(in, g)) report_growth(in, n->kids[0]);
        }
        bool parallel = n->op == IR_PARALLEL_FOR;
        if (parallel) vec_push(&in->m->comp->arena, &in->parallel, n->loop);
        if (n->op != IR_IF) in->loops++;
        if (n->body) inline_block(in, n->body);
        if (n->orelse) inline_block(in, n->orelse);
        if (n->op != IR_IF) in->loops--;
        if (parallel) in->parallel.n--;
        ir_append(in->m, &out, n);
    }
    *b = out;
}

static bool note_caller(void *user, ir_node *n)
{
    inliner *in = user;
    if (n->op == IR_ADDR) map_put(&in->m->comp->arena, &in->taken, n->var->name, n->var);
    if (is_inlinable_call(n) && !map_get(&in->staying->may, n->kids[0]->func->name))
        in->reserved += inlined_size(n->kids[0]->func);
    return true;
}

static bool inline_func(ir_module *m, ir_func *f, staying *s);

typedef struct callees {
    ir_module *m;
    staying *staying;
    bool changed;
} callees;

static bool inline_callee(void *user, ir_node *n)
{
    callees *c = user;
    if (n->op == IR_CALL && n->func->body && !n->func->user &&
        inline_func(c->m, n->func, c->staying))
        c->changed = true;
    return true;
}

/* The callees first, so that what is copied is already flat. func->user: seen. */
static bool inline_func(ir_module *m, ir_func *f, staying *s)
{
    f->user = f;
    callees c = {m, s, false};
    ir_walk_block(f->body, inline_callee, &c);
    inliner in = {.m = m, .staying = s, .f = f, .size = ir_func_size(f), .changed = c.changed};
    ir_walk_block(f->body, note_caller, &in);
    inline_block(&in, f->body);
    if (is_of_numbers(f)) map_put(&m->comp->arena, &s->may, f->name, f->body);
    return in.changed;
}

bool pass_inline(pass_context *cx, ir_module *m)
{
    (void)cx;
    bool changed = false;
    staying s = {0};
    ir_mark_recursive(m);
    for (uint32_t i = 0; i < m->funcs.n; i++) m->funcs.at[i]->user = NULL;
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        ir_func *f = m->funcs.at[i];
        if (f->body && !f->user && inline_func(m, f, &s)) changed = true;
    }
    return changed;
}

/*
 * dce: removes what has no effect.
 *
 * Does: functions that no entry reaches; variables that nothing reads and the assignments to them;
 * those that only hand their value on to another one in the next statement, as inlining leaves
 * them; ifs and counted loops left empty; assertions where bounds checks are off; structs of the
 * text form that no type needs. Repeated until nothing changes.
 * Requires: bounds has run if it will (a load that nobody uses disappears, and with it the fault
 * it would report).
 * Ensures: every variable is read or belongs to a call, atomic or loop. Parameters stay.
 * Keeps: loops on conditions, which may not end.
 * Source: F. Allen and J. Cocke, A catalogue of optimizing transformations (1971), dead code
 * elimination.
 */
#include "passes/pass_int.h"

typedef struct dce {
    ir_module *m;
    bool drop_asserts;
    bool changed; /* in this round */
    /* Of the assignment at hand: reading a variable only to assign it again is no use. */
    const ir_var *target;
} dce;

static uint32_t *uses_of(const ir_var *v)
{
    return v->user;
}

static void count_use(const ir_var *v)
{
    ++*uses_of(v);
}

/* The parts of a statement or expression that read variables. */
static void count_expr(const dce *d, const ir_node *n)
{
    if ((n->op == IR_VAR && n->var != d->target) || n->op == IR_ADDR) count_use(n->var);
    for (uint32_t i = 0; i < n->kid_count; i++) count_expr(d, n->kids[i]);
}

static bool has_effect(const ir_node *value)
{
    if (value->op == IR_CALL) return !value->func->pure;
    /* who runs a round is asked in its place, but does nothing */
    return ir_ops[value->op].class_ == IR_CLASS_EFFECT && value->op != IR_WORKER;
}

static void count_block(dce *d, const ir_block *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        const ir_node *n = b->at[i];
        if (n->op == IR_ASSIGN && !has_effect(n->kids[0])) d->target = n->var;
        for (uint32_t k = 0; k < n->kid_count; k++) count_expr(d, n->kids[k]);
        d->target = NULL;
        for (uint32_t k = 0; n->loop && k < n->loop->reductions.n; k++)
            count_use(n->loop->reductions.at[k].var);
        if (n->body) count_block(d, n->body);
        if (n->orelse) count_block(d, n->orelse);
    }
}

/*
 * Whether a variable's value matters to nobody; parameters count as unused too, but are never
 * removed.
 */
static bool unused(const ir_var *v)
{
    return *uses_of(v) == 0;
}

static bool is_dead(const dce *d, const ir_node *n)
{
    switch (n->op) {
    case IR_ASSIGN: return unused(n->var) && !has_effect(n->kids[0]);
    case IR_EVAL: return !has_effect(n->kids[0]);
    case IR_IF: return n->body->n == 0 && !n->orelse;
    case IR_FOR:
    case IR_PARALLEL_FOR:
        return n->body->n == 0 && n->loop->reductions.n == 0 && unused(n->loop->var);
    case IR_ASSERT: return d->drop_asserts;
    default: return false;
    }
}

/* Whether all that the first does is to get the second its value. One that reads what it assigns
 * keeps it for its own next round. */
static bool hands_on(const ir_node *first, const ir_node *second)
{
    if (first->op != IR_ASSIGN || second->op != IR_ASSIGN) return false;
    const ir_var *v = first->var;
    const ir_node *read = second->kids[0];
    return read->op == IR_VAR && read->var == v && v != second->var && *uses_of(v) == 1 &&
           v->type == second->var->type && !type_is_pointer(v->type) &&
           !ir_mentions(first->kids[0], v);
}

static void join_assignments(dce *d, ir_block *b)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        if (n->body) join_assignments(d, n->body);
        if (n->orelse) join_assignments(d, n->orelse);
        if (kept && hands_on(b->at[kept - 1], n)) {
            b->at[kept - 1]->var = n->var;
            d->changed = true;
        } else b->at[kept++] = n;
    }
    b->n = kept;
}

static void drop_dead(dce *d, ir_block *b)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        if (n->body) drop_dead(d, n->body);
        if (n->orelse) drop_dead(d, n->orelse);
        if (n->orelse && n->orelse->n == 0) {
            n->orelse = NULL;
            d->changed = true;
        }
        if (is_dead(d, n)) {
            d->changed = true;
            continue;
        }
        if (n->op == IR_ASSIGN && unused(n->var)) { /* a call whose result nobody wants */
            n = ir_eval(d->m, n->kids[0], n->span);
            d->changed = true;
        }
        if (n->op == IR_IF && n->body->n == 0) {
            n->kids[0] = pass_not(d->m, n->kids[0], n->span);
            n->body = n->orelse;
            n->orelse = NULL;
            d->changed = true;
        }
        b->at[kept++] = n;
    }
    b->n = kept;
}

/* Variables that are left. */

static bool mark_mentioned(void *user, ir_node *n)
{
    (void)user;
    if (n->op == IR_VAR || n->op == IR_ADDR || n->op == IR_ASSIGN) n->var->user = n->var;
    if (n->loop && n->loop->var) n->loop->var->user = n->loop->var;
    for (uint32_t i = 0; n->loop && i < n->loop->reductions.n; i++)
        n->loop->reductions.at[i].var->user = n->loop->reductions.at[i].var;
    return true;
}

static bool trim_privates(void *user, ir_node *n)
{
    (void)user;
    if (!n->loop) return true;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n->loop->privates.n; i++)
        if (n->loop->privates.at[i]->user) n->loop->privates.at[kept++] = n->loop->privates.at[i];
    n->loop->privates.n = kept;
    return true;
}

static void clear_user(ir_func *f)
{
    for (uint32_t i = 0; i < f->params.n; i++) f->params.at[i]->user = NULL;
    for (uint32_t i = 0; i < f->vars.n; i++) f->vars.at[i]->user = NULL;
}

static void drop_variables(dce *d, ir_func *f)
{
    clear_user(f);
    ir_walk_block(f->body, mark_mentioned, NULL);
    for (uint32_t i = 0; i < f->params.n; i++) f->params.at[i]->user = f->params.at[i];
    ir_walk_block(f->body, trim_privates, NULL);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->vars.n; i++) {
        ir_var *v = f->vars.at[i];
        if (v->extent && !v->extent->user) v->extent = NULL;
        if (v->user) f->vars.at[kept++] = v;
    }
    if (kept != f->vars.n) d->changed = true;
    if (kept < f->vars.n) f->names = NULL;
    f->vars.n = kept;
    for (uint32_t i = 0; i < f->params.n; i++)
        if (f->params.at[i]->extent && !f->params.at[i]->extent->user)
            f->params.at[i]->extent = NULL;
    clear_user(f);
}

static bool clean_func(dce *d, ir_func *f)
{
    bool changed = false;
    do {
        d->changed = false;
        uint32_t n = f->params.n + f->vars.n;
        uint32_t *uses = arena_array(&d->m->comp->arena, n, sizeof *uses);
        for (uint32_t i = 0; i < f->params.n; i++) f->params.at[i]->user = uses++;
        for (uint32_t i = 0; i < f->vars.n; i++) f->vars.at[i]->user = uses++;
        count_block(d, f->body);
        join_assignments(d, f->body);
        drop_dead(d, f->body);
        drop_variables(d, f);
        changed = changed || d->changed;
    } while (d->changed);
    return changed;
}

/* Structs that are left, in the order in which types first need them. */

static bool list_types(void *user, ir_node *n)
{
    ir_use_type(user, n->type);
    return true;
}

static bool list_structs(ir_module *m)
{
    uint32_t before = m->structs.n;
    m->structs.n = 0;
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        ir_func *f = m->funcs.at[i];
        ir_use_type(m, f->result);
        for (uint32_t k = 0; k < f->params.n; k++) ir_use_type(m, f->params.at[k]->type);
        for (uint32_t k = 0; k < f->vars.n; k++) ir_use_type(m, f->vars.at[k]->type);
        if (f->body) ir_walk_block(f->body, list_types, m);
    }
    return m->structs.n != before;
}

bool pass_dce(pass_context *cx, ir_module *m)
{
    dce d = {.m = m, .drop_asserts = !cx->bounds_check};
    bool changed = pass_drop_unreferenced(m);
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (m->funcs.at[i]->body && clean_func(&d, m->funcs.at[i])) changed = true;
    if (pass_drop_unreferenced(m)) changed = true;
    return list_structs(m) || changed;
}

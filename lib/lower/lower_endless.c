/*
 * Functions that call themselves on every way through them: no call of one ever returns, which is
 * an error. What is known is taken from the statements alone: a loop may run no round, and a
 * condition may be true or false.
 */
#include "lib/lower/lower_int.h"

/* What is certain of a function. */
typedef struct endless {
    const ir_node *call; /* one that each way through it comes to, of another such; NULL: it ends */
    bool told;
} endless;

typedef enum way {           /* how a block goes on */
                   WAY_ON,   /* behind it */
                   WAY_OUT,  /* some way through it returns */
                   WAY_CALL, /* each way comes to such a call */
} way;

static bool is_endless(const ir_func *f)
{
    return f->user && ((const endless *)f->user)->call;
}

/* A call that is made whenever the expression is evaluated, or NULL. */
static const ir_node *certain_call(const ir_node *n)
{
    if (n->op == IR_CALL && is_endless(n->func)) return n;
    const ir_node *found = NULL;
    uint32_t always = n->op == IR_COND ? 1 : n->kid_count;
    for (uint32_t i = 0; i < always && !found; i++) found = certain_call(n->kids[i]);
    if (found || n->op != IR_COND) return found;
    found = certain_call(n->kids[1]);
    return found && certain_call(n->kids[2]) ? found : NULL;
}

static way way_through(const ir_block *b, const ir_node **call);

static way way_of(const ir_node *n, const ir_node **call)
{
    const ir_node *found = certain_call(n);
    if (found) {
        *call = found;
        return WAY_CALL;
    }
    if (n->op == IR_RETURN) return WAY_OUT;
    way one = n->body ? way_through(n->body, call) : WAY_ON;
    way other = n->orelse ? way_through(n->orelse, call) : WAY_ON;
    if (one == WAY_OUT || other == WAY_OUT) return WAY_OUT;
    return n->op == IR_IF && one == WAY_CALL && other == WAY_CALL ? WAY_CALL : WAY_ON;
}

static way way_through(const ir_block *b, const ir_node **call)
{
    for (uint32_t i = 0; i < b->n; i++) {
        way w = way_of(b->at[i], call);
        if (w != WAY_ON) return w;
    }
    return WAY_ON;
}

/* Of what may be endless until nothing of it turns out to end: true, some did. */
static bool drop_ending(const ir_module *m)
{
    bool some = false;
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        ir_func *f = m->funcs.at[i];
        endless *e = f->user;
        if (!is_endless(f) || way_through(f->body, &e->call) == WAY_CALL) continue;
        e->call = NULL;
        some = true;
    }
    return some;
}

/* By the calls that are certain, from one that was not told of to where they come back to it: what
 * such a circle is reached by is no mistake. */
static bool in_circle(const ir_func *f)
{
    const ir_func *at = f;
    for (int i = 0; i < 64; i++) {
        at = ((const endless *)at->user)->call->func;
        if (at == f) return true;
    }
    return false;
}

static void tell(compilation *c, const ir_func *f)
{
    const ir_node *call = ((endless *)f->user)->call;
    const char *by = call->func == f ? "" : arena_printf(&c->arena, ", by '%s',", call->func->name);
    diag *d =
        diag_error(&c->diags, CPL_EUNSUPPORTED, call->span,
                   "'%s' calls itself%s on every way through it: it never returns", f->name, by);
    if (d) diag_hint(&c->diags, d, "return where it is to end, in front of the call");
    for (const ir_func *at = f; !((endless *)at->user)->told;
         at = ((const endless *)at->user)->call->func)
        ((endless *)at->user)->told = true;
}

void lower_check_endless(lower *l)
{
    ir_module *m = l->m;
    ir_mark_recursive(m);
    endless *all = arena_array(&l->comp->arena, m->funcs.n, sizeof *all);
    static const ir_node perhaps;
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        ir_func *f = m->funcs.at[i];
        all[i] = (endless){f->body && f->recursive ? &perhaps : NULL, false};
        f->user = &all[i];
    }
    while (drop_ending(m)) {
    }
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (all[i].call && !all[i].told && in_circle(m->funcs.at[i])) tell(l->comp, m->funcs.at[i]);
    for (uint32_t i = 0; i < m->funcs.n; i++) m->funcs.at[i]->user = NULL;
}

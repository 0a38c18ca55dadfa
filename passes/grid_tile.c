/*
 * Rounds of a parallel loop side by side in one work-item, as CUB's ITEMS_PER_THREAD: statement by
 * statement for all of them, loads first, so that a work-item waits for its loads at once and not
 * for one after the other. Rounds of one work-item are a group's size apart: neighbours in a group
 * still touch neighbours in memory.
 *
 * Work-items take no further rounds, so a launch needs enough of them. A loop costs registers, and
 * so work-items that run at a time. One whose second round is past the last runs the body as it
 * was. Instead, both could be computed and one not stored, but LLVM moves what only one store needs
 * to that store, and then the rounds come one after the other again. Measured on an H200 with nvcc,
 * doubles out of the caches, of what a copy by the driver reaches: one round 0.87 (a*sin(x) + b)
 * and 0.83 (saxpy), two 0.99 and 1.02, four and eight the same.
 */
#include "passes/pass_int.h"

enum {
    ROUNDS = PASS_TILE_ROUNDS,
    /* in the cost model's unit for devices; beyond it the loads are not what takes time, and
     * registers become scarce */
    MOST_WORK = 24
};

typedef struct tile {
    ir_module *m;
    ir_func *f;
    ir_block *out;
} tile;

/* Whether a body is for it. */

typedef struct candidate {
    const ir_loop *loop;
    double work;
} candidate;

static bool is_private(const candidate *c, const ir_var *v)
{
    for (uint32_t i = 0; i < c->loop->privates.n; i++)
        if (c->loop->privates.at[i] == v) return true;
    return false;
}

static bool suits(candidate *c, const ir_node *n)
{
    if (ir_ops[n->op].class_ != IR_CLASS_EXPR || n->op == IR_ADDR) return false;
    c->work += ir_op_cost(n)->device;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!suits(c, n->kids[i])) return false;
    return true;
}

bool pass_can_tile(const ir_node *loop)
{
    candidate c = {.loop = loop->loop};
    for (uint32_t i = 0; i < loop->body->n; i++) {
        const ir_node *n = loop->body->at[i];
        c.work += ir_op_cost(n)->device;
        if (n->op != IR_STORE && (n->op != IR_ASSIGN || !is_private(&c, n->var))) return false;
        for (uint32_t k = 0; k < n->kid_count; k++)
            if (!suits(&c, n->kids[k])) return false;
    }
    return loop->body->n && c.work <= MOST_WORK;
}

/* Copies for each round, kept in ir_var.user of the variables that rounds have of their own. */

static void add_images(tile *t, ir_var *v)
{
    ir_var **images = arena_alloc(&t->m->comp->arena, ROUNDS * sizeof *images);
    for (uint32_t u = 0; u < ROUNDS; u++)
        images[u] = u ? ir_var_new(t->m, t->f, v->name, v->type, v->span) : v;
    v->user = images;
}

static ir_var *image_of(void *user, ir_var *v)
{
    ir_var **images = v->user;
    return images ? images[*(const uint32_t *)user] : v;
}

/* Puts loads below the same place in each round's copy into variables, except those that only one
 * arm of cond needs. */
static void lift_loads(tile *t, ir_node **const at[ROUNDS])
{
    const ir_node *n = *at[0];
    uint32_t kids = n->op == IR_COND ? 1 : n->kid_count;
    for (uint32_t k = 0; k < kids; k++) {
        ir_node **below[ROUNDS];
        for (uint32_t u = 0; u < ROUNDS; u++) below[u] = &(*at[u])->kids[k];
        lift_loads(t, below);
    }
    if (n->op != IR_LOAD) return;
    for (uint32_t u = 0; u < ROUNDS; u++) {
        ir_var *v = ir_var_new(t->m, t->f, "loaded", n->type, n->span);
        ir_append(t->m, t->out, ir_assign(t->m, v, *at[u], n->span));
        *at[u] = ir_use(t->m, v, n->span);
    }
}

static void tile_stmt(tile *t, const ir_node *n)
{
    ir_node *copies[ROUNDS];
    for (uint32_t u = 0; u < ROUNDS; u++) {
        copies[u] = ir_copy(t->m, n);
        pass_rename(copies[u], image_of, &u);
    }
    for (uint32_t k = 0; k < n->kid_count; k++) {
        ir_node **at[ROUNDS];
        for (uint32_t u = 0; u < ROUNDS; u++) at[u] = &copies[u]->kids[k];
        lift_loads(t, at);
    }
    for (uint32_t u = 0; u < ROUNDS; u++) ir_append(t->m, t->out, copies[u]);
}

void pass_tile(const pass_spread *s, ir_block *out, ir_node *first)
{
    ir_module *m = s->m;
    ir_func *f = s->f;
    const ir_node *loop = s->loop;
    cpl_span span = loop->span;
    const cpl_type *i64 = comp_scalar(m->comp, CPL_INT64);
    tile t = {.m = m, .f = f, .out = ir_block_new(m)};
    for (uint32_t i = 0; i < f->params.n; i++) f->params.at[i]->user = NULL;
    for (uint32_t i = 0; i < f->vars.n; i++) f->vars.at[i]->user = NULL;
    add_images(&t, loop->loop->var);
    for (uint32_t i = 0; i < loop->loop->privates.n; i++)
        add_images(&t, loop->loop->privates.at[i]);
    ir_var **vars = loop->loop->var->user, *at = ir_var_new(m, f, "first", i64, span),
           *second = ir_var_new(m, f, "second", i64, span);
    ir_node *size = pass_wide_index(m, IR_LOCAL_SIZE, span);
    ir_append(m, out, ir_assign(m, at, first, span));
    ir_append(m, out,
              ir_assign(m, second, ir_op2(m, IR_ADD, ir_use(m, at, span), size, span), span));
    ir_append(m, out,
              ir_assign(m, vars[0], pass_round_value(m, at, s->start, s->step, span), span));
    ir_append(m, t.out,
              ir_assign(m, vars[1], pass_round_value(m, second, s->start, s->step, span), span));
    for (uint32_t i = 0; i < loop->body->n; i++) tile_stmt(&t, loop->body->at[i]);
    ir_block *rest = ir_block_new(m);
    ir_append(m, rest,
              ir_if(m, ir_op2(m, IR_LT, ir_use(m, at, span), ir_copy(m, s->rounds), span),
                    loop->body, NULL, span));
    ir_append(m, out,
              ir_if(m, ir_op2(m, IR_LT, ir_use(m, second, span), ir_copy(m, s->rounds), span),
                    t.out, rest, span));
}

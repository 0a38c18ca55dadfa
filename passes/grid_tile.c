/*
 * Rounds of a parallel loop side by side in one work-item, as CUB's ITEMS_PER_THREAD: statement by statement for all of them, loads
 * first, so that a work-item waits for its loads at once and not for one after the other. Rounds of one work-item are a group's size
 * apart: neighbours in a group still touch neighbours in memory.
 *
 * Rounds past the last repeat the last one and store nothing. What they load in front of the first store is what the last round
 * loads; behind it memory may have changed, so a load there whose address depends on memory is not for this.
 * Measured on an H200, doubles out of the caches, of what a copy by the driver reaches: one round 0.87 (a*sin(x) + b) and 0.83 (saxpy),
 * two 0.99 and 1.02, four and eight the same.
 */
#include "passes/pass_int.h"

enum {
    ROUNDS = 2,        /* side by side */
    MOST_WORK = 64,    /* beyond it the loads are not what takes time, and registers become scarce */
    FUNCTION_WORK = 12 /* of a function of libm, roughly */
};

typedef struct tile {
    ir_module *m;
    ir_func *f;
    ir_block *out;
    ir_var *inside[ROUNDS]; /* bool: the round exists; NULL for the first, which always does */
} tile;

/* Whether a body is for it. */

typedef struct candidate {
    const ir_loop *loop;
    uint32_t work;
    bool stored; /* a statement in front stores */
} candidate;

static bool is_private(const candidate *c, const ir_var *v)
{
    for (uint32_t i = 0; i < c->loop->privates.n; i++)
        if (c->loop->privates.at[i] == v) return true;
    return false;
}

/* Depends on memory, as far as is easily seen: loads, or reads a variable of the round other than the loop's. */
static bool depends(const candidate *c, const ir_node *n)
{
    if (n->op == IR_LOAD || (n->op == IR_VAR && is_private(c, n->var))) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (depends(c, n->kids[i])) return true;
    return false;
}

static bool suits(candidate *c, const ir_node *n)
{
    if (ir_ops[n->op].class_ != IR_CLASS_EXPR || n->op == IR_ADDR) return false;
    if (n->op == IR_LOAD && c->stored && depends(c, n->kids[0])) return false;
    c->work += n->op >= IR_SIN && n->op <= IR_LDEXP ? FUNCTION_WORK : 1;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!suits(c, n->kids[i])) return false;
    return true;
}

bool pass_can_tile(const ir_node *loop)
{
    candidate c = {.loop = loop->loop};
    for (uint32_t i = 0; i < loop->body->n; i++) {
        const ir_node *n = loop->body->at[i];
        if (n->op != IR_STORE && (n->op != IR_ASSIGN || !is_private(&c, n->var))) return false;
        for (uint32_t k = 0; k < n->kid_count; k++)
            if (!suits(&c, n->kids[k])) return false;
        c.stored |= n->op == IR_STORE;
    }
    return c.stored && c.work <= MOST_WORK;
}

/* Copies for each round, kept in ir_var.user of the variables that rounds have of their own. */

static void add_images(tile *t, ir_var *v)
{
    ir_var **images = arena_alloc(&t->m->comp->arena, ROUNDS * sizeof *images);
    for (uint32_t u = 0; u < ROUNDS; u++) images[u] = u ? ir_var_new(t->m, t->f, v->name, v->type, v->span) : v;
    v->user = images;
}

static ir_var *image_of(void *user, ir_var *v)
{
    ir_var **images = v->user;
    return images ? images[*(const uint32_t *)user] : v;
}

/* Puts loads below the same place in each round's copy into variables, except those that only one arm of cond needs. */
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
    for (uint32_t u = 0; u < ROUNDS; u++) {
        ir_node *s = copies[u];
        if (u && n->op == IR_STORE) {
            ir_block *then = ir_block_new(t->m);
            ir_append(t->m, then, s);
            s = ir_if(t->m, ir_use(t->m, t->inside[u], n->span), then, NULL, n->span);
        }
        ir_append(t->m, t->out, s);
    }
}

/* Which rounds they are: first, and a group's size further each; the last round where that is too far. */
static void count_rounds(tile *t, const ir_node *loop, ir_var *first, const ir_node *rounds, const ir_node *start, const ir_node *step)
{
    ir_module *m = t->m;
    cpl_span span = loop->span;
    const cpl_type *i64 = comp_scalar(m->comp, CPL_INT64);
    ir_var **loop_vars = loop->loop->var->user, *before = first;
    ir_append(m, t->out, ir_assign(m, loop_vars[0], pass_round_value(m, first, start, step, span), span));
    for (uint32_t u = 1; u < ROUNDS; u++) {
        ir_var *round = ir_var_new(m, t->f, "round", i64, span);
        t->inside[u] = ir_var_new(m, t->f, "inside", comp_scalar(m->comp, CPL_BOOL), span);
        ir_node *size = ir_convert(m, i64, ir_index(m, IR_LOCAL_SIZE, 0, span), span);
        ir_append(m, t->out, ir_assign(m, round, ir_op2(m, IR_ADD, ir_use(m, before, span), size, span), span));
        ir_append(m, t->out, ir_assign(m, t->inside[u], ir_op2(m, IR_LT, ir_use(m, round, span), ir_copy(m, rounds), span), span));
        ir_node *last = ir_op2(m, IR_SUB, ir_copy(m, rounds), pass_i64(m, 1, span), span);
        ir_var *there = ir_var_new(m, t->f, "there", i64, span);
        ir_append(m, t->out, ir_assign(m, there, ir_op2(m, IR_MIN, ir_use(m, round, span), last, span), span));
        ir_append(m, t->out, ir_assign(m, loop_vars[u], pass_round_value(m, there, start, step, span), span));
        before = round;
    }
}

uint32_t pass_tile_rounds(void)
{
    return ROUNDS;
}

void pass_tile(ir_module *m, ir_func *f, ir_block *out, const ir_node *loop, ir_var *first, const ir_node *rounds, const ir_node *start,
               const ir_node *step)
{
    tile t = {.m = m, .f = f, .out = out};
    for (uint32_t i = 0; i < f->params.n; i++) f->params.at[i]->user = NULL;
    for (uint32_t i = 0; i < f->vars.n; i++) f->vars.at[i]->user = NULL;
    add_images(&t, loop->loop->var);
    for (uint32_t i = 0; i < loop->loop->privates.n; i++) add_images(&t, loop->loop->privates.at[i]);
    count_rounds(&t, loop, first, rounds, start, step);
    for (uint32_t i = 0; i < loop->body->n; i++) tile_stmt(&t, loop->body->at[i]);
}

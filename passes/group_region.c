/*
 * Regions: what lies between two barriers is done by one work-item after the other, in a nest of
 * loops over their places in the group. What is the same for all of them, at the ends of a region,
 * is done once; so are the loops and ifs around barriers, which all take (group_mask.c).
 */
#include "passes/group_int.h"

static bool is_shared(const ir_node *n);

static bool all_shared(const ir_block *b)
{
    for (uint32_t i = 0; b && i < b->n; i++)
        if (!is_shared(b->at[i])) return false;
    return true;
}

/* A statement that does the same for every work-item, and no more if they all run it. */
static bool is_shared(const ir_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (group_varies(n->kids[i])) return false;
    const group_var *v;
    switch (n->op) {
    case IR_ASSIGN: v = n->var->user; return v && !v->varying;
    case IR_STORE: return true;
    case IR_FOR: v = n->loop->var->user; return v && !v->varying && all_shared(n->body);
    case IR_WHILE:
    case IR_IF: return all_shared(n->body) && all_shared(n->orelse);
    default: return false;
    }
}

static void set_together(const group *g, const ir_var *v)
{
    if (v->user) ((group_var *)v->user)->together = true;
    if (g->checks && v->extent) set_together(g, v->extent);
}

static bool note_together(void *user, ir_node *n)
{
    if (n->op == IR_VAR || n->op == IR_ADDR || n->op == IR_ASSIGN) set_together(user, n->var);
    if (n->loop && n->loop->var) set_together(user, n->loop->var);
    return true;
}

static void once(group *g, ir_block *out, ir_node *n)
{
    ir_walk(n, note_together, g);
    ir_append(g->m, out, n);
}

static ir_node *count_to(group *g, ir_var *v, ir_node *end, ir_block *body, cpl_span span)
{
    return ir_for(g->m, IR_FOR, v, pass_i64(g->m, 0, span), end, pass_i64(g->m, 1, span), body,
                  span);
}

/* row = line*size; for x independent { body } */
static ir_block *with_row(group *g, ir_node *line, ir_block *body, cpl_span span)
{
    ir_module *m = g->m;
    ir_block *b = ir_block_new(m);
    ir_node *inner = count_to(g, g->item[0], ir_use(m, g->items[0], span), body, span);
    inner->loop->independent = true;
    ir_node *row = ir_op2(m, IR_MUL, line, ir_use(m, g->items[0], span), span);
    ir_append(m, b, ir_assign(m, g->row, row, span));
    ir_append(m, b, inner);
    return b;
}

/* for z { for y { line = z*sizes + y; ... } }, or for line { ... } where nobody asks for y and z */
ir_node *group_nest(group *g, ir_block *body, cpl_span span)
{
    ir_module *m = g->m;
    ir_node *line = ir_use(m, g->item[1], span), *rows = ir_use(m, g->items[1], span);
    if (!g->planes) {
        rows = ir_op2(m, IR_MUL, rows, ir_use(m, g->items[2], span), span);
        return count_to(g, g->item[1], rows, with_row(g, line, body, span), span);
    }
    ir_node *before =
        ir_op2(m, IR_MUL, ir_use(m, g->item[2], span), ir_use(m, g->items[1], span), span);
    ir_block *plane = ir_block_new(m);
    line = ir_op2(m, IR_ADD, before, line, span);
    ir_append(m, plane, count_to(g, g->item[1], rows, with_row(g, line, body, span), span));
    return count_to(g, g->item[2], ir_use(m, g->items[2], span), plane, span);
}

typedef struct assigned {
    group *g;
    group_region *r;
    ir_block *out;
} assigned;

/* Behind the region: `v = v`, which group_keep.c completes or removes. */
static bool note_assigned(void *user, ir_node *n)
{
    assigned *a = user;
    ir_var *v = n->op == IR_ASSIGN ? n->var : n->op == IR_FOR ? n->loop->var : NULL;
    const group_var *x = v ? v->user : NULL;
    if (!x || x->varying) return true;
    for (uint32_t i = 0; i < a->r->ins.n; i++)
        if (a->r->ins.at[i]->var == v) return true;
    ir_node *in = ir_assign(a->g->m, v, ir_use(a->g->m, v, n->span), n->span);
    vec_push(&a->g->m->comp->arena, &a->r->ins, in);
    ir_append(a->g->m, a->out, in);
    return true;
}

static void add_region(group *g, ir_block *out, ir_block body, bool repeats, cpl_span span)
{
    group_region *r = arena_new(&g->m->comp->arena, group_region);
    r->body = ir_block_new(g->m);
    *r->body = body;
    r->repeats = repeats;
    r->span = span;
    vec_push(&g->m->comp->arena, &g->regions, r);
    ir_append(g->m, out, group_nest(g, r->body, span));
    assigned a = {g, r, out};
    ir_walk_block(r->body, note_assigned, &a);
}

static void end_run(group *g, ir_block *out, ir_block *run, bool repeats)
{
    uint32_t first = 0, last = run->n;
    ir_block body = {0};
    while (first < last && is_shared(run->at[first])) once(g, out, run->at[first++]);
    while (last > first && is_shared(run->at[last - 1])) last--;
    for (uint32_t i = first; i < last; i++) ir_append(g->m, &body, run->at[i]);
    if (body.n) add_region(g, out, body, repeats, body.at[0]->span);
    for (uint32_t i = last; i < run->n; i++) once(g, out, run->at[i]);
    *run = (ir_block){0};
}

static void split_block(group *g, ir_block *b, bool repeats)
{
    ir_block out = {0}, run = {0};
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        if (!group_splits(n)) {
            ir_append(g->m, &run, n);
            continue;
        }
        end_run(g, &out, &run, repeats);
        if (n->op == IR_BARRIER) continue;
        for (uint32_t k = 0; k < n->kid_count; k++) ir_walk(n->kids[k], note_together, g);
        if (n->loop) set_together(g, n->loop->var);
        bool loop = n->op == IR_FOR || n->op == IR_WHILE;
        if (n->body) split_block(g, n->body, repeats || loop);
        if (n->orelse) split_block(g, n->orelse, repeats || loop);
        ir_append(g->m, &out, n);
    }
    end_run(g, &out, &run, repeats);
    *b = out;
}

void group_regions(group *g)
{
    split_block(g, g->body, false);
}

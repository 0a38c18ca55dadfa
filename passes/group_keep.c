/*
 * Where variables of a kernel live when a group runs in loops over its work-items. One that no
 * region reads before it writes it belongs to the round of the loop, and each region has its own.
 * Others are kept from region to region: in memory with a place for each work-item, from which a
 * region takes its copy first and to which it brings it back last; or, where it is the same for all
 * of them, in a variable of the group's, which a region that changes it hands over by way of
 * memory, because rounds of its loop share none. What has its address taken and is kept lives in
 * memory alone.
 *
 * A stable variable is assigned in one place, something cheap that follows from where the work-item
 * is and from what never changes: regions compute it again. So indices stay what the vectoriser
 * knows to grow evenly.
 */
#include "passes/group_int.h"

typedef struct keeper {
    group *g;
    uint32_t number;      /* of the region at hand */
    group_region *r;      /* it */
    ir_block first, last; /* what it begins and ends with */
    VEC(ir_var *) zeroed; /* before any region */
    VEC(ir_var *) images; /* variables that have one */
} keeper;

static arena *arena_of(const keeper *k)
{
    return &k->g->m->comp->arena;
}

/* What a region uses. */

static void note_var(keeper *k, ir_var *v)
{
    group_var *x = v ? v->user : NULL;
    if (!x) return;
    if (x->count == 0 || x->region != k->number) {
        x->count++;
        x->region = k->number;
        vec_push(arena_of(k), &k->r->uses, v);
    }
    if (k->g->checks && v->extent) note_var(k, v->extent);
}

static bool note_use(void *user, ir_node *n)
{
    keeper *k = user;
    if (n->op == IR_VAR || n->op == IR_ADDR || n->op == IR_ASSIGN) note_var(k, n->var);
    if (n->loop) note_var(k, n->loop->var);
    return true;
}

/* Whether a block reads a variable before it writes it. */

typedef struct flow {
    const group *g;
    const ir_var *v;
    bool exposed;
} flow;

static bool reads(const flow *w, const ir_node *n)
{
    if (n->op == IR_VAR && (n->var == w->v || (w->g->checks && n->var->extent == w->v)))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (reads(w, n->kids[i])) return true;
    return false;
}

static bool flow_block(flow *w, const ir_block *b, bool written);

/* Loops over work-items run at least once. */
static bool runs(const flow *w, const ir_node *n)
{
    for (uint32_t d = 0; d < IR_DIMS; d++)
        if (n->loop->var == w->g->item[d]) return true;
    return false;
}

/* True when v is written for certain behind it. */
static bool flow_stmt(flow *w, const ir_node *n, bool written)
{
    bool hand_over = n->op == IR_ASSIGN && n->kids[0]->op == IR_VAR && n->kids[0]->var == n->var;
    if (hand_over) return written;
    for (uint32_t i = 0; i < n->kid_count && !written; i++) w->exposed |= reads(w, n->kids[i]);
    switch (n->op) {
    case IR_ASSIGN: return written || n->var == w->v;
    case IR_IF: {
        bool then = flow_block(w, n->body, written);
        bool other = n->orelse ? flow_block(w, n->orelse, written) : written;
        return (then || pass_leaves(n->body)) && (other || (n->orelse && pass_leaves(n->orelse)));
    }
    case IR_FOR: {
        bool inside = flow_block(w, n->body, written || n->loop->var == w->v);
        return runs(w, n) ? inside : written;
    }
    case IR_WHILE: flow_block(w, n->body, written); return written;
    default: return written;
    }
}

static bool flow_block(flow *w, const ir_block *b, bool written)
{
    for (uint32_t i = 0; i < b->n; i++) written = flow_stmt(w, b->at[i], written);
    return written;
}

/* Sets exposed; true when the block always writes v. */
static bool follow(const group *g, const ir_block *b, const ir_var *v, bool *exposed)
{
    flow w = {g, v, false};
    bool written = flow_block(&w, b, false);
    *exposed = w.exposed;
    return written;
}

/* Decisions. */

static bool is_kept(const group *g, const group_var *x)
{
    if (x->together || x->count == 0) return x->together;
    return (x->exposed || x->addressed) && (x->count > 1 || g->regions.at[x->region]->repeats);
}

static bool holds_pointer(const cpl_type *t)
{
    return type_is_pointer(t) || type_is_struct(t);
}

/* A pointer that is kept may point to a variable that otherwise would not have to be. */
static bool keeps_pointers(const group *g)
{
    for (uint32_t i = 0; i < g->f->vars.n; i++) {
        const group_var *x = g->f->vars.at[i]->user;
        if (x && x->varying && !x->addressed && is_kept(g, x) &&
            holds_pointer(g->f->vars.at[i]->type))
            return true;
    }
    return false;
}

static bool region_assigns(const group *g, const ir_var *v)
{
    for (uint32_t i = 0; i < g->regions.n; i++)
        for (uint32_t k = 0; k < g->regions.at[i]->ins.n; k++)
            if (g->regions.at[i]->ins.at[k]->var == v) return true;
    return false;
}

/* What a work-item computes again rather than keeps, in micro-operations. */
enum { MOST_AGAIN = 12 };

static bool note_write(void *user, ir_node *n)
{
    (void)user;
    ir_var *v = n->op == IR_ASSIGN ? n->var : n->loop ? n->loop->var : NULL;
    group_var *x = v ? v->user : NULL;
    if (!x) return true;
    x->writes++;
    x->value = n->op == IR_ASSIGN ? n->kids[0] : NULL;
    return true;
}

static bool is_stable(group *g, const ir_var *v);

static bool gives_same(group *g, const ir_node *n, double *cost)
{
    bool own = n->op == IR_ADDR && !n->var->local; /* where it lies may differ between regions */
    if (ir_ops[n->op].class_ != IR_CLASS_EXPR || n->op == IR_LOAD || own) return false;
    if (n->op == IR_VAR) return !n->var->user || is_stable(g, n->var);
    *cost += ir_op_cost(n)->one;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!gives_same(g, n->kids[i], cost)) return false;
    return *cost <= MOST_AGAIN;
}

static bool is_stable(group *g, const ir_var *v)
{
    group_var *x = v->user;
    double cost = 0;
    bool exposed;
    if (x->stable) return x->stable == GROUP_STABLE;
    x->stable = GROUP_ASKED;
    if (x->addressed || x->writes != 1 || !x->value || !gives_same(g, x->value, &cost))
        return false;
    follow(g, g->body, v, &exposed);
    if (exposed) return false;
    x->stable = GROUP_STABLE;
    x->value = ir_copy(g->m, x->value); /* regions rename what they hold */
    return true;
}

/* Memory for what is kept, and zeros where something may read what nobody wrote. */
static void keep(keeper *k, ir_var *v, ir_block *zeros)
{
    group *g = k->g;
    group_var *x = v->user;
    bool exposed = true;
    if (x->varying && is_stable(g, v)) return;
    if (!x->addressed) follow(g, g->body, v, &exposed);
    if (x->varying) {
        x->memory = group_reserve(g, v->name, v->type, SPACE_PRIVATE, true, v->span);
        if (exposed) vec_push(&g->m->comp->arena, &k->zeroed, v);
        return;
    }
    if (region_assigns(g, v))
        x->memory = group_reserve(g, v->name, v->type, SPACE_LOCAL, false, v->span);
    if (exposed) ir_append(g->m, zeros, pass_zero_var(g->m, v, v->span));
}

static void look_at(keeper *k, uint32_t number)
{
    const group *g = k->g;
    k->number = number;
    k->r = g->regions.at[number];
    ir_walk_block(k->r->body, note_use, k);
    for (uint32_t i = 0; i < k->r->uses.n; i++) {
        group_var *x = k->r->uses.at[i]->user;
        bool exposed = false;
        if (!x->addressed) follow(g, k->r->body, k->r->uses.at[i], &exposed);
        x->exposed |= exposed;
    }
}

static void decide(keeper *k, ir_block *zeros)
{
    group *g = k->g;
    ir_walk_block(g->body, note_write, NULL);
    for (uint32_t i = 0; i < g->regions.n; i++) look_at(k, i);
    bool all = keeps_pointers(g);
    for (uint32_t i = 0, n = g->f->vars.n; i < n; i++) {
        group_var *x = g->f->vars.at[i]->user;
        if (x && (is_kept(g, x) || (all && x->addressed))) keep(k, g->f->vars.at[i], zeros);
    }
}

/* Regions with their own variables. */

static ir_node *place_of(group *g, const group_var *x, cpl_span span)
{
    ir_node *base = ir_use(g->m, x->memory, span);
    return x->varying ? ir_op2(g->m, IR_ELEM, base, group_item(g, span), span) : base;
}

/* A variable whose address is taken: a pointer to its place. */
static void use_place(keeper *k, ir_var *v)
{
    group *g = k->g;
    group_var *x = v->user;
    const cpl_type *pointer = comp_pointer(g->m->comp, v->type, SPACE_PRIVATE);
    x->image = group_new_var(g, v->name, pointer, v->span);
    x->image->spelling = v->spelling ? v->spelling : v->name;
    ir_append(g->m, &k->first, ir_assign(g->m, x->image, place_of(g, x, v->span), v->span));
}

static void use_copy(keeper *k, ir_var *v)
{
    group *g = k->g;
    ir_module *m = g->m;
    group_var *x = v->user;
    bool exposed, assigns = ir_assigns(k->r->body, v), written = follow(g, k->r->body, v, &exposed);
    if (!x->varying && !assigns) return; /* the group's serves */
    x->image = group_new_var(g, v->name, v->type, v->span);
    x->image->spelling = v->spelling ? v->spelling : v->name;
    if (exposed || (assigns && !written)) {
        ir_node *before = x->varying ? ir_op1(m, IR_LOAD, place_of(g, x, v->span), v->span)
                                     : ir_use(m, v, v->span);
        ir_append(m, &k->first, ir_assign(m, x->image, before, v->span));
    }
    if (assigns)
        ir_append(m, &k->last,
                  ir_op2(m, IR_STORE, place_of(g, x, v->span), ir_use(m, x->image, v->span),
                         v->span));
}

static ir_var *image_of(void *user, ir_var *v)
{
    (void)user;
    const group_var *x = v->user;
    return x && x->image ? x->image : v;
}

static void use_value(keeper *k, ir_var *v);

static bool use_operands(void *user, ir_node *n)
{
    const group_var *x = n->op == IR_VAR ? n->var->user : NULL;
    if (x && x->varying) use_value(user, n->var);
    return true;
}

/* A stable one, computed again unless the region does it. */
static void use_value(keeper *k, ir_var *v)
{
    group *g = k->g;
    group_var *x = v->user;
    bool exposed;
    if (x->image) return;
    x->image = group_new_var(g, v->name, v->type, v->span);
    x->image->spelling = v->spelling ? v->spelling : v->name;
    vec_push(arena_of(k), &k->images, v);
    bool written = follow(g, k->r->body, v, &exposed);
    if (written && !exposed) return;
    ir_node *value = ir_copy(g->m, x->value);
    ir_walk(value, use_operands, k);
    pass_rename(value, image_of, NULL);
    ir_append(g->m, &k->first, ir_assign(g->m, x->image, value, v->span));
}

/* One that belongs to the round. */
static void use_own(keeper *k, ir_var *v)
{
    group *g = k->g;
    group_var *x = v->user;
    if (x->count > 1) {
        x->image = group_new_var(g, v->name, v->type, v->span);
        x->image->spelling = v->spelling ? v->spelling : v->name;
    } else if (x->exposed || x->addressed) {
        ir_append(g->m, &k->first, pass_zero_var(g->m, v, v->span));
    }
}

static ir_node *to_image(void *user, ir_node *n)
{
    group *g = user;
    if (n->loop && n->loop->var) {
        const group_var *counter = n->loop->var->user;
        if (counter && counter->image) n->loop->var = counter->image;
    }
    if (n->op != IR_VAR && n->op != IR_ADDR && n->op != IR_ASSIGN) return n;
    const group_var *x = n->var->user;
    if (!x || !x->image) return n;
    if (!x->addressed || !x->memory) {
        n->var = x->image;
        return n;
    }
    ir_node *place = ir_use(g->m, x->image, n->span);
    if (n->op == IR_ADDR) return place;
    return n->op == IR_VAR ? ir_op1(g->m, IR_LOAD, place, n->span)
                           : ir_op2(g->m, IR_STORE, place, n->kids[0], n->span);
}

static void join(ir_module *m, ir_block *out, const ir_block *part)
{
    for (uint32_t i = 0; i < part->n; i++) ir_append(m, out, part->at[i]);
}

static void link_extents(keeper *k)
{
    for (uint32_t i = 0; i < k->r->uses.n; i++) {
        const ir_var *v = k->r->uses.at[i];
        const group_var *x = v->user, *e = v->extent ? v->extent->user : NULL;
        if (x->image && !(x->addressed && x->memory) && v->extent)
            x->image->extent = e && e->image ? e->image : v->extent;
        else if (e && e->image && !x->image) ((ir_var *)(uintptr_t)v)->extent = e->image;
    }
}

static void finish_region(keeper *k, uint32_t number)
{
    group *g = k->g;
    group_region *r = k->r = g->regions.at[number];
    k->first = k->last = (ir_block){0};
    k->images.n = 0;
    for (uint32_t i = 0; i < k->r->uses.n; i++) {
        ir_var *v = k->r->uses.at[i];
        group_var *x = v->user;
        if (x->addressed && x->memory) use_place(k, v);
        else if (x->varying && is_kept(g, x) && x->stable == GROUP_STABLE) use_value(k, v);
        else if (x->memory || x->together) use_copy(k, v);
        else use_own(k, v);
    }
    link_extents(k);
    ir_rewrite_block(r->body, to_image, g);
    ir_block whole = {0};
    join(g->m, &whole, &k->first);
    join(g->m, &whole, r->body);
    join(g->m, &whole, &k->last);
    *r->body = whole;
    for (uint32_t i = 0; i < k->r->uses.n; i++) vec_push(arena_of(k), &k->images, k->r->uses.at[i]);
    for (uint32_t i = 0; i < k->images.n; i++) ((group_var *)k->images.at[i]->user)->image = NULL;
}

/* Zeros in the places of each work-item. */
static void clear_places(keeper *k, ir_block *out)
{
    group *g = k->g;
    ir_module *m = g->m;
    ir_block *body = ir_block_new(m);
    for (uint32_t i = 0; i < k->zeroed.n; i++) {
        const ir_var *v = k->zeroed.at[i];
        ir_node *place = place_of(g, v->user, v->span);
        bool scalar = type_is_scalar(v->type);
        ir_append(m, body,
                  scalar ? ir_op2(m, IR_STORE, place, ir_zero(m, v->type, v->span), v->span)
                         : ir_op1(m, IR_CLEAR, place, v->span));
    }
    if (body->n) ir_append(m, out, group_nest(g, body, g->f->span));
}

/* Behind regions: what they hand over. */
static void take_over(group *g)
{
    for (uint32_t i = 0; i < g->regions.n; i++)
        for (uint32_t k = 0; k < g->regions.at[i]->ins.n; k++) {
            ir_node *in = g->regions.at[i]->ins.at[k];
            const group_var *x = in->var->user;
            if (x->memory)
                in->kids[0] = ir_op1(g->m, IR_LOAD, ir_use(g->m, x->memory, in->span), in->span);
        }
}

static ir_node *drop_idle(void *user, ir_node *n)
{
    (void)user;
    bool idle = n->op == IR_ASSIGN && n->kids[0]->op == IR_VAR && n->kids[0]->var == n->var;
    return idle ? NULL : n;
}

void group_keep(group *g)
{
    keeper k = {.g = g};
    ir_block zeros = {0};
    decide(&k, &zeros);
    for (uint32_t i = 0; i < g->regions.n; i++) finish_region(&k, i);
    clear_places(&k, &zeros);
    take_over(g);
    ir_rewrite_block(g->body, drop_idle, NULL);
    join(g->m, &zeros, g->body);
    *g->body = zeros;
}

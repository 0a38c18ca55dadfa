/*
 * group: makes loops over work-items of the entry's kernel, for the host.
 *
 * Does: the kernel becomes a plain function that one call of runs a grid. Its hidden parameter
 * cpl_grid (cpl/rt.h) tells sizes and
 * holds memory: a parallel loop over workers, in which each
 * takes groups that nobody has taken, and memory of its own. What lies between barriers is done in
 * loops over the work-items of a group, the innermost of them `independent`; loops and ifs around
 * barriers are the group's. Variables that are kept from one such region to the next have a place
 * for each work-item; variables in local memory, and what parameters in local memory point to, lie
 * in the worker's memory too. Where work-items part around a barrier, those that do not come there
 * are not waited for.
 * Requires: calls are inlined and the kernel has a single exit (pass exits). The target is the
 * host, else nothing happens.
 * Ensures: no kernel; no barriers and no places in the grid but in functions that call themselves,
 * whose barriers are an error. ir_func.groups says what memory a launch needs.
 * Keeps: the order in which a work-item does things; extents.
 * Source: P. Jaaskelainen et al., pocl: A performance-portable OpenCL implementation (2015), work-
 * group functions; R. Karrenberg and S. Hack, Improving performance of OpenCL on CPUs (2012).
 */
#include "passes/group_int.h"
#include "cpl/rt.h"

#include <stddef.h>

/* Fields of the cpl_grid that the launch fills in, all int64. */
#define FIELD(name) ((int64_t)(offsetof(cpl_grid, name) / sizeof(int64_t)))

/* The kernel as one work-item sees it. */

static ir_var *image_of(void *user, ir_var *v)
{
    (void)user;
    const group_var *x = v->user;
    return x && x->image ? x->image : v;
}

static void rename_all(group *g)
{
    for (uint32_t i = 0; i < g->body->n; i++) pass_rename(g->body->at[i], image_of, NULL);
}

/* Parameters that the kernel changes are variables of each work-item. */
static void copy_params(group *g)
{
    ir_func *f = g->f;
    ir_block first = {0};
    uint32_t vars = f->vars.n;
    for (uint32_t i = 0; i < f->params.n; i++) {
        ir_var *p = f->params.at[i];
        if (!ir_assigns(g->body, p)) continue;
        group_know(g, p);
        ir_var *own = group_new_var(g, p->name, p->type, p->span);
        own->spelling = p->name;
        ((group_var *)p->user)->image = own;
        ir_append(g->m, &first, ir_assign(g->m, own, ir_use(g->m, p, p->span), p->span));
    }
    rename_all(g);
    for (uint32_t i = 0; i < f->params.n; i++) {
        const ir_var *p = f->params.at[i];
        const group_var *x = p->user;
        if (x && p->extent) x->image->extent = image_of(NULL, p->extent);
    }
    for (uint32_t i = 0; i < vars; i++)
        if (f->vars.at[i]->extent) f->vars.at[i]->extent = image_of(NULL, f->vars.at[i]->extent);
    for (uint32_t i = 0; i < f->params.n; i++) f->params.at[i]->user = NULL;
    for (uint32_t i = 0; i < g->body->n; i++) ir_append(g->m, &first, g->body->at[i]);
    *g->body = first;
}

static bool note_address(void *user, ir_node *n)
{
    (void)user;
    group_var *v = n->op == IR_ADDR ? n->var->user : NULL;
    if (v) v->addressed = true;
    return true;
}

static bool is_addressed(const ir_var *v)
{
    const group_var *x = v->user;
    return x && x->addressed;
}

/* What has its address taken is written by plain assignments alone. Loops are serial. */
static void simplify_block(group *g, ir_block *b)
{
    ir_module *m = g->m;
    ir_block out = {0};
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        if (n->op == IR_RETURN) continue; /* the last statement of all */
        if (n->op == IR_PARALLEL_FOR) pass_make_serial(n);
        if (n->body) simplify_block(g, n->body);
        if (n->orelse) simplify_block(g, n->orelse);
        if (n->op == IR_FOR && is_addressed(n->loop->var)) group_count_apart(g, n);
        if (n->op == IR_ASSIGN && is_addressed(n->var) &&
            ir_ops[n->kids[0]->op].class_ == IR_CLASS_EFFECT) {
            ir_var *t = group_new_var(g, "value", n->var->type, n->span);
            ir_append(m, &out, ir_assign(m, t, n->kids[0], n->span));
            n->kids[0] = ir_use(m, t, n->span);
        }
        ir_append(m, &out, n);
    }
    *b = out;
}

/* Places in the grid. */

static bool is_place(const group *g, const ir_node *n)
{
    for (uint32_t d = 0; n->op == IR_VAR && d < IR_DIMS; d++)
        if (n->var == g->item[d] || n->var == g->items[d]) return true;
    return false;
}

static bool note_plane(void *user, ir_node *n)
{
    group *g = user;
    g->planes |= n->op == IR_LOCAL_ID && n->dim > 0;
    return !g->planes;
}

static ir_node *place(void *user, ir_node *n)
{
    group *g = user;
    switch (n->op) {
    case IR_LOCAL_ID:
        return ir_convert(g->m, n->type, ir_use(g->m, g->item[n->dim], n->span), n->span);
    case IR_LOCAL_SIZE:
        return ir_convert(g->m, n->type, ir_use(g->m, g->items[n->dim], n->span), n->span);
    case IR_GROUP_ID: return ir_use(g->m, g->group[n->dim], n->span);
    case IR_GROUP_COUNT: return ir_use(g->m, g->groups[n->dim], n->span);
    default: break;
    }
    /* int64 to int32 and back */
    const ir_node *from = n->op == IR_CONVERT ? n->kids[0] : NULL;
    bool back = from && from->op == IR_CONVERT && is_place(g, from->kids[0]);
    return back && n->type == from->kids[0]->type ? from->kids[0] : n;
}

/* Local memory. */

static ir_node *to_memory(void *user, ir_node *n)
{
    group *g = user;
    bool local = n->op == IR_ADDR && n->var->local;
    bool param = n->op == IR_VAR && n->var->is_param && n->var->user;
    return local || param ? ir_use(g->m, ((group_var *)n->var->user)->image, n->span) : n;
}

/* Variables in local memory: pointers into the worker's. Those of parameters point into that of the
 * first worker. */
static void place_local(group *g)
{
    ir_func *f = g->f;
    ir_module *m = g->m;
    uint32_t kept = 0, vars = f->vars.n;
    const cpl_type *byte = comp_scalar(m->comp, CPL_UINT8);
    for (uint32_t i = 0; i < vars; i++) {
        ir_var *v = f->vars.at[i];
        if (!v->local) continue;
        group_know(g, v);
        ir_var *p = group_reserve(g, v->name, v->type, SPACE_LOCAL, false, v->span);
        p->spelling = v->spelling ? v->spelling : v->name;
        ((group_var *)v->user)->image = p;
    }
    for (uint32_t i = 0; i < f->params.n; i++) {
        ir_var *v = f->params.at[i];
        if (!type_is_pointer(v->type) || v->type->space != SPACE_LOCAL) continue;
        ir_node *first = group_pointer(g, byte, SPACE_LOCAL, ir_use(m, v, v->span));
        ir_node *own = group_at(g, first, ir_use(m, g->stride, v->span));
        ir_var *p = group_set_up(g, v->name, group_pointer(g, v->type->elem, SPACE_LOCAL, own));
        p->spelling = v->name;
        p->extent = v->extent;
        group_know(g, v);
        ((group_var *)v->user)->image = p;
    }
    ir_rewrite_block(g->body, to_memory, g);
    for (uint32_t i = 0; i < f->vars.n; i++)
        if (!f->vars.at[i]->local) f->vars.at[kept++] = f->vars.at[i];
    f->vars.n = kept;
    f->names = NULL;
}

/* The function around it. */

static ir_node *field(group *g, int64_t at, cpl_span span)
{
    return ir_op2(g->m, IR_ELEM, ir_use(g->m, g->grid, span), pass_i64(g->m, at, span), span);
}

static ir_node *load_field(group *g, int64_t at, cpl_span span)
{
    return ir_op1(g->m, IR_LOAD, field(g, at, span), span);
}

static void add_grid(group *g)
{
    const cpl_type *type = comp_pointer(g->m->comp, group_i64(g), SPACE_GLOBAL);
    g->grid = ir_param_new(g->m, g->f, "cpl_grid", type, g->f->span);
    ir_set_role(g->grid, PARAM_GRID, NULL);
}

/* What a worker reads once: sizes, and where its memory lies. */
static void begin_worker(group *g, ir_var *worker)
{
    static const char *const items[] = {"items_0", "items_1", "items_2"},
                             *const groups[] = {"groups_0", "groups_1", "groups_2"};
    ir_module *m = g->m;
    cpl_span span = g->f->span;
    g->setup = ir_block_new(m);
    for (uint32_t d = 0; d < IR_DIMS; d++) {
        g->items[d] = group_set_up(g, items[d], load_field(g, FIELD(items) + d, span));
        g->groups[d] = group_set_up(g, groups[d], load_field(g, FIELD(groups) + d, span));
    }
    ir_node *all =
        ir_op2(m, IR_MUL, ir_use(m, g->items[0], span),
               ir_op2(m, IR_MUL, ir_use(m, g->items[1], span), ir_use(m, g->items[2], span), span),
               span);
    all = ir_op2(m, IR_AND, ir_op2(m, IR_ADD, all, pass_i64(m, GROUP_ALIGNMENT - 1, span), span),
                 pass_i64(m, -GROUP_ALIGNMENT, span), span);
    g->padded = group_set_up(g, "padded", all);
    g->stride = group_set_up(g, "stride",
                             ir_op2(m, IR_MUL, ir_use(m, worker, span),
                                    load_field(g, FIELD(stride), span), span));
    g->kept = group_set_up(g, "kept", load_field(g, FIELD(items_at), span));
    ir_node *memory = group_pointer(g, comp_scalar(m->comp, CPL_UINT8), SPACE_GLOBAL,
                                    field(g, sizeof(cpl_grid) / sizeof(int64_t), span));
    g->memory = group_set_up(g, "memory", group_at(g, memory, ir_use(m, g->stride, span)));
}

static void make_items(group *g)
{
    static const char *const items[] = {"item_0", "item_1", "item_2"},
                             *const groups[] = {"group_0", "group_1", "group_2"};
    for (uint32_t d = 0; d < IR_DIMS; d++) {
        g->item[d] = ir_var_new(g->m, g->f, items[d], group_i64(g), g->f->span);
        g->group[d] = ir_var_new(g->m, g->f, groups[d], group_i64(g), g->f->span);
    }
    g->row = ir_var_new(g->m, g->f, "row", group_i64(g), g->f->span);
}

/* group_0 = at % groups_0; group_1 = at / groups_0 % groups_1; group_2 = at / groups_0 / groups_1
 */
static ir_block *with_ids(group *g, ir_var *at)
{
    ir_module *m = g->m;
    cpl_span span = g->f->span;
    ir_block *b = ir_block_new(m);
    ir_node *left = ir_use(m, at, span);
    for (uint32_t d = 0; d < IR_DIMS; d++) {
        ir_node *id = ir_copy(m, left);
        if (d + 1 < IR_DIMS) {
            id = ir_op2(m, IR_RAWREM, id, ir_use(m, g->groups[d], span), span);
            left = ir_op2(m, IR_RAWDIV, left, ir_use(m, g->groups[d], span), span);
        }
        ir_append(m, b, ir_assign(m, g->group[d], id, span));
    }
    for (uint32_t i = 0; i < g->body->n; i++) ir_append(m, b, g->body->at[i]);
    return b;
}

static void take_piece(group *g, ir_block *out, ir_var *next)
{
    cpl_span span = g->f->span;
    ir_node *take = ir_op2(g->m, IR_ATOMIC_ADD, field(g, FIELD(next), span),
                           load_field(g, FIELD(piece), span), span);
    take->order = IR_RELAXED;
    take->scope = IR_SCOPE_DEVICE;
    ir_append(g->m, out, ir_assign(g->m, next, take, span));
}

/*
 * next = take; while next < all { for at in (next, min(next + piece, all)) { body } next = take }
 *
 * A group may wait for those before it, which somebody has begun.
 */
static void take_groups(group *g, ir_block *out)
{
    ir_module *m = g->m;
    cpl_span span = g->f->span;
    ir_var *next = ir_var_new(m, g->f, "next", group_i64(g), span),
           *at = ir_var_new(m, g->f, "at", group_i64(g), span);
    ir_node *all = ir_use(m, g->groups[0], span);
    for (uint32_t d = 1; d < IR_DIMS; d++)
        all = ir_op2(m, IR_MUL, all, ir_use(m, g->groups[d], span), span);
    ir_node *end =
        ir_op2(m, IR_ADD, ir_use(m, next, span), load_field(g, FIELD(piece), span), span);
    end = ir_op2(m, IR_MIN, end, ir_copy(m, all), span);
    ir_block *round = ir_block_new(m);
    ir_append(m, round,
              ir_for(m, IR_FOR, at, ir_use(m, next, span), end, pass_i64(m, 1, span),
                     with_ids(g, at), span));
    take_piece(g, out, next);
    take_piece(g, round, next);
    ir_append(m, out, ir_while(m, ir_op2(m, IR_LT, ir_use(m, next, span), all, span), round, span));
}

static void make_grid(group *g, int32_t threads)
{
    ir_module *m = g->m;
    ir_func *f = g->f;
    g->body = f->body;
    for (uint32_t i = 0; i < f->params.n; i++) f->params.at[i]->user = NULL;
    for (uint32_t i = 0; i < f->vars.n; i++) {
        f->vars.at[i]->user = NULL;
        if (!f->vars.at[i]->local) group_know(g, f->vars.at[i]);
    }
    copy_params(g);
    ir_walk_block(g->body, note_address, NULL);
    simplify_block(g, g->body);
    group_vary(g);
    group_lanes(g);
    group_mask(g);

    add_grid(g);
    ir_var *worker = ir_var_new(m, f, "worker", group_i64(g), f->span);
    begin_worker(g, worker);
    make_items(g);
    ir_walk_block(g->body, note_plane, g);
    group_regions(g);
    group_keep(g);
    place_local(g);
    ir_rewrite_block(g->body, place, g);
    take_groups(g, g->setup);
    ir_node *loop =
        ir_for(m, IR_PARALLEL_FOR, worker, pass_i64(m, 0, f->span),
               load_field(g, FIELD(workers), f->span), pass_i64(m, 1, f->span), g->setup, f->span);
    loop->loop->threads = threads;
    for (uint32_t i = 0; i < f->vars.n; i++)
        if (f->vars.at[i] != worker)
            vec_push(&m->comp->arena, &loop->loop->privates, f->vars.at[i]);
    f->body = ir_block_new(m);
    ir_append(m, f->body, loop);
    f->kernel = false;
    f->groups = arena_new(&m->comp->arena, ir_groups);
    *f->groups = (ir_groups){g->group_bytes, g->item_bytes};
}

/* Functions that call themselves cannot become part of the loops. */
static bool refuse_barrier(void *user, ir_node *n)
{
    if (n->op == IR_BARRIER)
        diag_error(user, CPL_EUNSUPPORTED, n->span,
                   "host: a barrier in a function that calls itself");
    return true;
}

/* Not what the pass grid makes for devices. */
static bool is_for_grids(const ir_func *f)
{
    for (uint32_t i = 0; i < f->params.n; i++)
        if (ir_roles[f->params.at[i]->role].kernel) return false;
    return f->kernel && !f->elementwise;
}

bool pass_group(pass_context *cx, ir_module *m)
{
    ir_func *f = ir_entry(m);
    if (target_is_device(cx->target) || !f || !is_for_grids(f)) return false;
    pass_mark_reached(m);
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (m->funcs.at[i] != f && m->funcs.at[i]->body && m->funcs.at[i]->user)
            ir_walk_block(m->funcs.at[i]->body, refuse_barrier, &cx->comp->diags);
    group g = {.m = m, .f = f, .checks = cx->bounds_check};
    make_grid(&g, cx->threads);
    return true;
}

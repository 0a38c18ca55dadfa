/*
 * Sub-groups of a kernel on the host: what lanes exchange goes through local memory, between
 * barriers. A full sub-group has GROUP_LANES lanes, or as many as the group has work-items; the
 * interpreter's have the same, and sums are made in the same order. Lanes that have no part in an
 * operation are left out where work-items part; where they do not, all have.
 */
#include "passes/group_int.h"

enum { GROUP_LANES = 32 };

typedef struct lanes {
    group *g;
    /* int32: the linear index; lanes of a full sub-group; the lane; the index of lane 0; lanes that
     * there are */
    ir_var *own, *full, *lane, *first, *present;
    ir_var *values, *here; /* local: a value of each, whether it has part; or NULL */
    bool apart;            /* some have no part */
} lanes;

static ir_node *i32(lanes *l, int64_t value, cpl_span span)
{
    return ir_int(l->g->m, comp_scalar(l->g->m->comp, CPL_INT32), value, span);
}

static ir_node *use(lanes *l, ir_var *v, cpl_span span)
{
    return ir_use(l->g->m, v, span);
}

static ir_node *op2(lanes *l, ir_op op, ir_node *a, ir_node *b)
{
    return ir_op2(l->g->m, op, a, b, b->span);
}

static void set(lanes *l, ir_block *out, ir_var *v, ir_node *value)
{
    ir_append(l->g->m, out, ir_assign(l->g->m, v, value, value->span));
}

/* Where a work-item of that linear index has its value, or its part. */
static ir_node *place_in(lanes *l, ir_var *array, const cpl_type *t, ir_node *index)
{
    ir_module *m = l->g->m;
    ir_node *start =
        ir_op2(m, IR_ITEM, ir_addr(m, array, index->span), i32(l, 0, index->span), index->span);
    start = ir_typed(m, IR_PTRCAST, comp_pointer(m->comp, t, SPACE_LOCAL), start, index->span);
    return ir_op2(m, IR_ELEM, start, index, index->span);
}

static const cpl_type *bool_type(const lanes *l)
{
    return comp_scalar(l->g->m->comp, CPL_BOOL);
}

static void store_here(lanes *l, ir_block *out, bool value, cpl_span span)
{
    ir_node *place = place_in(l, l->here, bool_type(l), use(l, l->own, span));
    ir_append(l->g->m, out, ir_op2(l->g->m, IR_STORE, place, group_bool(l->g, value, span), span));
}

static void barrier(lanes *l, ir_block *out, cpl_span span)
{
    ir_append(l->g->m, out, ir_barrier(l->g->m, SPACE_LOCAL, span));
}

/* first + lane */
static ir_node *index_of(lanes *l, ir_node *lane)
{
    return op2(l, IR_ADD, use(l, l->first, lane->span), lane);
}

static ir_node *load_value(lanes *l, const cpl_type *t, ir_node *lane)
{
    return ir_op1(l->g->m, IR_LOAD, place_in(l, l->values, t, index_of(l, lane)), lane->span);
}

static ir_node *has_part(lanes *l, ir_node *lane)
{
    return ir_op1(l->g->m, IR_LOAD, place_in(l, l->here, bool_type(l), index_of(l, lane)),
                  lane->span);
}

static ir_node *modulo(lanes *l, ir_node *n)
{
    ir_module *m = l->g->m;
    const cpl_type *u32 = comp_scalar(m->comp, CPL_UINT32), *to = comp_scalar(m->comp, CPL_INT32);
    ir_node *size = ir_convert(m, u32, use(l, l->full, n->span), n->span);
    return ir_convert(m, to, op2(l, IR_RAWREM, ir_convert(m, u32, n, n->span), size), n->span);
}

/* The lane that a shuffle reads. */
static ir_node *lane_asked(lanes *l, ir_op op, ir_var *operand, cpl_span span)
{
    ir_module *m = l->g->m;
    const cpl_type *u32 = comp_scalar(m->comp, CPL_UINT32);
    ir_node *k = use(l, operand, span), *lane = use(l, l->lane, span);
    ir_node *distance = ir_convert(m, u32, use(l, operand, span), span);
    switch (op) {
    case IR_SHUFFLE: return modulo(l, k);
    case IR_SHUFFLE_XOR: return modulo(l, op2(l, IR_XOR, lane, k));
    case IR_SHUFFLE_UP:
        return ir_op3(m, IR_COND,
                      op2(l, IR_LE, distance, ir_convert(m, u32, ir_copy(m, lane), span)),
                      op2(l, IR_SUB, ir_copy(m, lane), k), lane, span);
    default: {
        ir_node *above = op2(l, IR_SUB, use(l, l->present, span), ir_copy(m, lane));
        return ir_op3(m, IR_COND, op2(l, IR_LT, distance, ir_convert(m, u32, above, span)),
                      op2(l, IR_ADD, ir_copy(m, lane), k), lane, span);
    }
    }
}

/* result = values[from] if from < present and has part; else 0 */
static void read_lane(lanes *l, ir_block *out, const ir_node *n, ir_var *operand, ir_var *result)
{
    ir_module *m = l->g->m;
    cpl_span span = n->span;
    ir_var *from = group_new_var(l->g, "from", comp_scalar(m->comp, CPL_INT32), span);
    set(l, out, from, lane_asked(l, (ir_op)n->op, operand, span));
    ir_node *there = op2(l, IR_LT, use(l, from, span), use(l, l->present, span));
    if (l->apart)
        there = ir_op3(m, IR_COND, there, has_part(l, use(l, from, span)),
                       group_bool(l->g, false, span), span);
    ir_block *then = ir_block_new(m);
    set(l, then, result, load_value(l, n->type, use(l, from, span)));
    ir_append(m, out, pass_zero_var(m, result, span));
    ir_append(m, out, ir_if(m, there, then, NULL, span));
}

/* for l in (0, end, 1) { if has part { body } } */
static void each_lane(lanes *l, ir_block *out, ir_var *lane, ir_node *end, ir_block *body)
{
    ir_module *m = l->g->m;
    cpl_span span = end->span;
    if (l->apart) {
        ir_block *whole = ir_block_new(m);
        ir_append(m, whole, ir_if(m, has_part(l, use(l, lane, span)), body, NULL, span));
        body = whole;
    }
    ir_append(m, out, ir_for(m, IR_FOR, lane, i32(l, 0, span), end, i32(l, 1, span), body, span));
}

static ir_var *new_lane(lanes *l, cpl_span span)
{
    return group_new_var(l->g, "l", comp_scalar(l->g->m->comp, CPL_INT32), span);
}

/* result |= 1 << l for lanes that vote for it */
static void count_votes(lanes *l, ir_block *out, const ir_node *n, ir_var *result)
{
    ir_module *m = l->g->m;
    cpl_span span = n->span;
    ir_var *lane = new_lane(l, span);
    ir_block *vote = ir_block_new(m), *body = ir_block_new(m);
    ir_node *bit = op2(l, IR_RAWSHL, ir_int(m, n->type, 1, span),
                       ir_convert(m, n->type, use(l, lane, span), span));
    set(l, vote, result, op2(l, IR_OR, use(l, result, span), bit));
    ir_append(m, body, ir_if(m, load_value(l, bool_type(l), use(l, lane, span)), vote, NULL, span));
    ir_append(m, out, pass_zero_var(m, result, span));
    each_lane(l, out, lane, use(l, l->present, span), body);
}

/* result = value 0 op value 1 op ...: of all lanes, or up to the own one */
static void join_lanes(lanes *l, ir_block *out, const ir_node *n, ir_var *result)
{
    ir_module *m = l->g->m;
    cpl_span span = n->span;
    bool scan = ir_op_kind(n->op) == IR_KIND_SCAN;
    ir_var *lane = new_lane(l, span), *any = group_new_var(l->g, "any", bool_type(l), span);
    ir_block *body = ir_block_new(m), *more = ir_block_new(m), *start = ir_block_new(m);
    set(l, more, result,
        op2(l, ir_plain_op(n->op), use(l, result, span),
            load_value(l, n->type, use(l, lane, span))));
    set(l, start, result, load_value(l, n->type, use(l, lane, span)));
    set(l, start, any, group_bool(l->g, true, span));
    ir_append(m, body, ir_if(m, use(l, any, span), more, start, span));
    set(l, out, any, group_bool(l->g, false, span));
    ir_append(m, out, pass_zero_var(m, result, span));
    ir_node *end =
        scan ? op2(l, IR_ADD, use(l, l->lane, span), i32(l, 1, span)) : use(l, l->present, span);
    each_lane(l, out, lane, end, body);
}

/* The operation, with its value in a variable. */
static ir_var *exchange(lanes *l, ir_block *out, const ir_node *n)
{
    ir_module *m = l->g->m;
    cpl_span span = n->span;
    ir_var *result = group_new_var(l->g, "joined", n->type, span), *operand = NULL;
    if (n->kid_count > 1) {
        operand = group_new_var(l->g, "operand", n->kids[1]->type, span);
        set(l, out, operand, n->kids[1]);
    }
    ir_node *place = place_in(l, l->values, n->kids[0]->type, use(l, l->own, span));
    ir_append(m, out, ir_op2(m, IR_STORE, place, n->kids[0], span));
    if (l->apart) store_here(l, out, true, span);
    barrier(l, out, span);
    if (n->op == IR_BALLOT) count_votes(l, out, n, result);
    else if (ir_op_kind(n->op) == IR_KIND_SHUFFLE) read_lane(l, out, n, operand, result);
    else join_lanes(l, out, n, result);
    barrier(l, out, span);
    if (l->apart) store_here(l, out, false, span);
    return result;
}

static bool is_exchange(const ir_node *n)
{
    bool holds = n->op == IR_ASSIGN || n->op == IR_EVAL;
    return holds && ir_op_subgroup(n->kids[0]->op) &&
           ir_ops[n->kids[0]->op].class_ == IR_CLASS_EFFECT;
}

static ir_var *local_array(lanes *l, const char *name, cpl_dtype d)
{
    compilation *c = l->g->m->comp;
    const cpl_type *t = comp_array(c, comp_scalar(c, d), MOST_GROUP);
    ir_var *v = ir_var_new(l->g->m, l->g->f, name, t, l->g->f->span);
    v->local = true;
    return v;
}

static void exchange_block(lanes *l, ir_block *b, bool apart)
{
    ir_module *m = l->g->m;
    ir_block out = {0};
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        bool inside = apart;
        if (n->op == IR_IF) inside = apart || group_varies(n->kids[0]);
        if (n->op == IR_FOR || n->op == IR_WHILE) inside = apart || group_parts(n, false);
        if (n->body) exchange_block(l, n->body, inside);
        if (n->orelse) exchange_block(l, n->orelse, inside);
        if (!is_exchange(n)) {
            ir_append(m, &out, n);
            continue;
        }
        l->apart = apart;
        if (apart && !l->here) l->here = local_array(l, "here", CPL_BOOL);
        ir_var *result = exchange(l, &out, n->kids[0]);
        if (n->op == IR_ASSIGN) set(l, &out, n->var, use(l, result, n->span));
    }
    *b = out;
}

/* Questions, and what they need at the start. */

static ir_node *answer(void *user, ir_node *n)
{
    lanes *l = user;
    if (n->op == IR_SUBGROUP_SIZE) return use(l, l->full, n->span);
    return n->op == IR_LANE ? use(l, l->lane, n->span) : n;
}

static ir_var *start_with(lanes *l, ir_block *out, const char *name, ir_node *value)
{
    ir_var *v = group_new_var(l->g, name, value->type, value->span);
    set(l, out, v, value);
    return v;
}

static ir_node *place_at(lanes *l, ir_op op, uint32_t dim)
{
    return ir_index(l->g->m, op, dim, l->g->f->span);
}

/* local_id<0> + local_size<0> * (local_id<1> + local_size<1> * local_id<2>) */
static ir_node *linear_index(lanes *l)
{
    ir_node *n = place_at(l, IR_LOCAL_ID, IR_DIMS - 1);
    for (uint32_t d = IR_DIMS - 1; d-- > 0;)
        n = op2(l, IR_ADD, place_at(l, IR_LOCAL_ID, d),
                op2(l, IR_MUL, place_at(l, IR_LOCAL_SIZE, d), n));
    return n;
}

static ir_node *group_items(lanes *l)
{
    ir_node *n = place_at(l, IR_LOCAL_SIZE, 0);
    for (uint32_t d = 1; d < IR_DIMS; d++) n = op2(l, IR_MUL, n, place_at(l, IR_LOCAL_SIZE, d));
    return n;
}

static void begin(lanes *l, ir_block *out)
{
    cpl_span span = l->g->f->span;
    ir_node *lane, *left;
    l->own = start_with(l, out, "own", linear_index(l));
    l->full = start_with(l, out, "full", op2(l, IR_MIN, group_items(l), i32(l, GROUP_LANES, span)));
    lane = op2(l, IR_RAWREM, use(l, l->own, span), use(l, l->full, span));
    l->lane = start_with(l, out, "lane", lane);
    l->first =
        start_with(l, out, "first", op2(l, IR_SUB, use(l, l->own, span), use(l, l->lane, span)));
    left = op2(l, IR_SUB, group_items(l), use(l, l->first, span));
    l->present = start_with(l, out, "present", op2(l, IR_MIN, use(l, l->full, span), left));
    l->values = local_array(l, "values", CPL_UINT64);
}

static bool note_lanes(void *user, ir_node *n)
{
    *(bool *)user |= ir_op_subgroup(n->op);
    return true;
}

void group_lanes(group *g)
{
    bool any = false;
    ir_block first = {0};
    lanes l = {.g = g};
    ir_walk_block(g->body, note_lanes, &any);
    if (!any) return;
    begin(&l, &first);
    ir_rewrite_block(g->body, answer, &l);
    exchange_block(&l, g->body, false);
    if (l.here) store_here(&l, &first, false, g->f->span);
    for (uint32_t i = 0; i < g->body->n; i++) ir_append(g->m, &first, g->body->at[i]);
    *g->body = first;
    group_vary(g);
}

/*
 * Atomics, fences and what kernels alone have: the place of a work-item, barriers, sub-groups,
 * vector loads and stores.
 */
#include "lib/lower/lower_int.h"

/* atomics */

static ir_op atomic_op(sema_builtin b)
{
    switch (b) {
    case BI_ATOMIC_INC:
    case BI_ATOMIC_ADD: return IR_ATOMIC_ADD;
    case BI_ATOMIC_DEC:
    case BI_ATOMIC_SUB: return IR_ATOMIC_SUB;
    case BI_ATOMIC_MIN: return IR_ATOMIC_MIN;
    case BI_ATOMIC_MAX: return IR_ATOMIC_MAX;
    case BI_ATOMIC_AND: return IR_ATOMIC_AND;
    case BI_ATOMIC_OR: return IR_ATOMIC_OR;
    case BI_ATOMIC_XOR: return IR_ATOMIC_XOR;
    case BI_ATOMIC_XCHG: return IR_ATOMIC_XCHG;
    case BI_ATOMIC_CAS: return IR_ATOMIC_CAS;
    case BI_ATOMIC_LOAD: return IR_ATOMIC_LOAD;
    case BI_ATOMIC_STORE: return IR_ATOMIC_STORE;
    default: return IR_OP_COUNT;
    }
}

/* The keywords order= and scope=, whose words sema has checked. */
static void memory_order(ir_node *n, const ast_node *e)
{
    for (uint32_t i = e->kid_count - e->keyword_count; i < e->kid_count; i++) {
        const ast_node *k = e->kids[i];
        const char *text = k->kids[0]->text;
        if (strcmp(k->name, "order") == 0)
            n->order = (ir_order)ir_word_find(ir_order_text, IR_ORDER_COUNT, text, strlen(text));
        else n->scope = (ir_scope)ir_word_find(ir_scope_text, IR_SCOPE_COUNT, text, strlen(text));
    }
}

static ir_node *atomic(lower *l, const ast_node *e, ir_op op)
{
    lower_place p = {.pointer = lower_aligned(l, lower_address(l, e->kids[1]), e->kids[1]->span)};
    const cpl_type *type = p.pointer->type->elem;
    ir_node *kids[3] = {NULL, NULL, NULL};
    uint32_t given = e->kid_count - e->keyword_count - 2, n = 1;
    ir_block *at = l->block;
    uint32_t position = at->n, effects = l->effects;
    lower_operands(l, e->kids + 2, given < 2 ? given : 2, kids + 1);
    if (l->effects != effects) lower_save(l, at, position, &p.pointer, 1);
    sema_builtin b = lower_builtin(l, e);
    if (b == BI_ATOMIC_INC || b == BI_ATOMIC_DEC) kids[1] = ir_int(l->m, l->type_i32, 1, e->span);
    kids[0] = p.pointer;
    for (; n < 3 && kids[n]; n++) kids[n] = lower_convert(l, kids[n], type, e->span);
    ir_node *a = ir_op_new(l->m, op, kids, n, e->span);
    a->order = IR_RELAXED;
    a->scope = IR_SCOPE_DEVICE;
    memory_order(a, e);
    return a;
}

/* places */

ir_node *lower_index(lower *l, sema_builtin b, cpl_span span)
{
    static const struct {
        sema_builtin first;
        ir_op op;
    } rows[] = {{BI_LID_0, IR_LOCAL_ID},
                {BI_GID_0, IR_GROUP_ID},
                {BI_LDIM_0, IR_LOCAL_SIZE},
                {BI_GDIM_0, IR_GROUP_COUNT}};
    for (unsigned i = 0; i < COUNT_OF(rows); i++)
        if (b >= rows[i].first && b < rows[i].first + IR_DIMS)
            return ir_index(l->m, rows[i].op, (uint32_t)(b - rows[i].first), span);
    return NULL;
}

/* sub-groups */

static ir_op subgroup_op(sema_builtin b)
{
    switch (b) {
    case BI_SHUFFLE: return IR_SHUFFLE;
    case BI_SHUFFLE_XOR: return IR_SHUFFLE_XOR;
    case BI_SHUFFLE_UP: return IR_SHUFFLE_UP;
    case BI_SHUFFLE_DOWN: return IR_SHUFFLE_DOWN;
    case BI_BALLOT: return IR_BALLOT;
    case BI_SUBGROUP_ADD: return IR_SUBGROUP_ADD;
    case BI_SUBGROUP_MIN: return IR_SUBGROUP_MIN;
    case BI_SUBGROUP_MAX: return IR_SUBGROUP_MAX;
    case BI_SUBGROUP_SCAN_ADD: return IR_SUBGROUP_SCAN_ADD;
    case BI_SUBGROUP_SCAN_MIN: return IR_SUBGROUP_SCAN_MIN;
    case BI_SUBGROUP_SCAN_MAX: return IR_SUBGROUP_SCAN_MAX;
    default: return IR_OP_COUNT;
    }
}

/* A struct moves from lane to lane number by number. */
static ir_node *moved(lower *l, ir_op op, ir_node *value, ir_node *lane)
{
    cpl_span span = value->span;
    if (!type_is_struct(value->type)) return ir_op2(l->m, op, value, ir_copy(l->m, lane), span);
    const cpl_type *type = value->type;
    ir_node **items = arena_array(&l->comp->arena, type->field_count, sizeof *items);
    ir_node *place = lower_spill(l, value, span);
    for (uint32_t i = 0; i < type->field_count; i++) {
        ir_node *field = ir_field(l->m, ir_copy(l->m, place), i, span);
        items[i] = lower_temp(l, moved(l, op, ir_op1(l->m, IR_LOAD, field, span), lane));
    }
    return lower_struct_of(l, type, items, span);
}

static ir_node *subgroup(lower *l, const ast_node *e, ir_op op)
{
    uint32_t n = e->kid_count - 1;
    ir_node *kids[2];
    lower_operands(l, e->kids + 1, n, kids);
    kids[0] = op == IR_BALLOT ? lower_truth(l, kids[0], e->span)
                              : lower_convert(l, kids[0], lower_type_of(l, e), e->span);
    if (n == 2) kids[1] = lower_convert(l, kids[1], l->type_i32, e->span);
    if (type_is_struct(kids[0]->type)) return moved(l, op, kids[0], lower_temp(l, kids[1]));
    return ir_op_new(l->m, op, kids, n, e->span);
}

ir_node *lower_work_effect(lower *l, const ast_node *e, sema_builtin b)
{
    if (b == BI_THREADID) return ir_op_new(l->m, IR_WORKER, NULL, 0, e->span);
    ir_op op = subgroup_op(b);
    if (op != IR_OP_COUNT) return subgroup(l, e, op);
    op = atomic_op(b);
    return op == IR_OP_COUNT ? NULL : atomic(l, e, op);
}

/* statements */

static void fence(lower *l, const ast_node *e)
{
    ir_node *n = ir_op_new(l->m, IR_FENCE, NULL, 0, e->span);
    n->order = IR_SEQ_CST;
    n->scope = IR_SCOPE_DEVICE;
    memory_order(n, e);
    lower_emit(l, n);
}

/* vload(m, x, i), vstore(m, x, i): elements i*n to i*n + n of x, n the size of the matrix m. */
static void vector(lower *l, const ast_node *e, bool load)
{
    uint32_t lanes = (uint32_t)l->sf->types[e->kids[1]->id]->count;
    ir_node *kids[3];
    lower_operands(l, e->kids + 1, 3, kids);
    ir_node *first = lower_convert(l, kids[2], l->type_i64, e->span);
    first = ir_op2(l->m, IR_MUL, first, ir_int(l->m, l->type_i64, lanes, e->span), e->span);
    ir_node *there = ir_op2(l->m, IR_ELEM, kids[1], first, e->span);
    lower_emit(l, load ? ir_lanes(l->m, IR_VCOPY, lanes, kids[0], there, e->span)
                       : ir_lanes(l->m, IR_VCOPY, lanes, there, kids[0], e->span));
}

/* Where the work-item is in one dimension: how builtin.def says it. */
static ir_node *place(lower *l, sema_builtin b, uint32_t d, cpl_span span)
{
    switch (b) {
    case BI_GET_LOCAL_ID: return lower_index(l, BI_LID_0 + d, span);
    case BI_GET_GROUP_ID: return lower_index(l, BI_GID_0 + d, span);
    case BI_GET_LOCAL_SIZE: return lower_index(l, BI_LDIM_0 + d, span);
    case BI_GET_NUM_GROUPS: return lower_index(l, BI_GDIM_0 + d, span);
    default: break;
    }
    bool size = b == BI_GET_GLOBAL_SIZE || b == BI_GRIDSIZE;
    ir_node *group = lower_index(l, (size ? BI_GDIM_0 : BI_GID_0) + d, span);
    ir_node *items = lower_convert(l, lower_index(l, BI_LDIM_0 + d, span), l->type_i64, span);
    ir_node *before = ir_op2(l->m, IR_MUL, group, items, span);
    if (size) return before;
    ir_node *own = lower_convert(l, lower_index(l, BI_LID_0 + d, span), l->type_i64, span);
    return ir_op2(l->m, IR_ADD, before, own, span);
}

static ir_node *work_item(lower *l, const ast_node *e, sema_builtin b)
{
    uint32_t d = (uint32_t)l->sf->refs[e->kids[1]->id].constant.bits;
    ir_node *items[3];
    if (b != BI_GRID && b != BI_GRIDSIZE) return place(l, b, d, e->span);
    for (uint32_t i = 0; i < d; i++) items[i] = place(l, b, i, e->span);
    return d == 1 ? items[0] : lower_struct_of(l, lower_type_of(l, e), items, e->span);
}

/* What the arguments are is known, and they have no effect. */
static void nap(lower *l, const ast_node *e)
{
    ir_node *time = lower_convert(l, lower_expr(l, e->kids[1]), l->type_i64, e->span);
    lower_emit(l, ir_op1(l->m, IR_NANOSLEEP, time, e->span));
}

static void launch_bounds(lower *l, const ast_node *e)
{
    const sema_ref *refs = l->sf->refs;
    l->f->most_items = (uint32_t)refs[e->kids[1]->id].constant.bits;
    if (e->kid_count > 2) l->f->least_groups = (uint32_t)refs[e->kids[2]->id].constant.bits;
}

ir_node *lower_work(lower *l, const ast_node *e, sema_builtin b)
{
    if (b >= BI_GET_LOCAL_ID && b <= BI_GRIDSIZE) return work_item(l, e, b);
    switch (b) {
    case BI_SUBGROUP_SIZE: return ir_op_new(l->m, IR_SUBGROUP_SIZE, NULL, 0, e->span);
    case BI_LANE_ID: return ir_op_new(l->m, IR_LANE, NULL, 0, e->span);
    case BI_LOCAL_BARRIER: lower_emit(l, ir_barrier(l->m, SPACE_LOCAL, e->span)); break;
    case BI_GLOBAL_BARRIER: lower_emit(l, ir_barrier(l->m, SPACE_GLOBAL, e->span)); break;
    case BI_FENCE: fence(l, e); break;
    case BI_NANOSLEEP: nap(l, e); break;
    case BI_LAUNCH_BOUNDS: launch_bounds(l, e); break;
    case BI_VLOAD:
    case BI_VSTORE: vector(l, e, b == BI_VLOAD); break;
    default: return NULL;
    }
    l->effects++;
    return ir_int(l->m, l->type_i32, 0, e->span);
}

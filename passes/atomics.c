/*
 * atomics: makes atomics of what every device has.
 *
 * Does: on OpenCL targets, atomics on floats become atomics on the integers of their bits; where
 * arithmetic is needed, a loop around a compare-exchange. On all devices, atomics on private
 * memory, which nobody else sees, become plain reads and writes. Requires: the target is a device,
 * else nothing happens. Ensures: no atomics on float32, on OpenCL; none on float64 where the device
 * has 64-bit atomics (others are left, for legal to refuse). None on private memory. Keeps: order
 * and scope. Source: the CUDA C++ programming guide's atomicAdd for double, made of atomicCAS.
 */
#include "passes/pass_int.h"

typedef struct atomics {
    ir_module *m;
    ir_func *f;
    const tgt_target *target;
    ir_block *out;
    bool changed;
} atomics;

static bool is_atomic(const ir_node *n)
{
    return ir_op_kind(n->op) == IR_KIND_ATOMIC;
}

static ir_node *use(const atomics *a, ir_var *v, cpl_span span)
{
    return ir_use(a->m, v, span);
}

/* A new variable that holds the value. */
static ir_var *saved(atomics *a, const char *name, ir_node *value)
{
    ir_var *v = ir_var_new(a->m, a->f, name, value->type, value->span);
    ir_append(a->m, a->out, ir_assign(a->m, v, value, value->span));
    return v;
}

/* What stands for the atomic's value behind it. */
static void finish(atomics *a, ir_var *target, ir_node *value, cpl_span span)
{
    if (target) ir_append(a->m, a->out, ir_assign(a->m, target, value, span));
}

/* Private memory: read, then write. */

static ir_node *as_bits(const atomics *a, const cpl_type *bits, ir_node *value)
{
    return value->type == bits ? value : ir_typed(a->m, IR_BITS, bits, value, value->span);
}

static const cpl_type *bits_of(const atomics *a, const cpl_type *number)
{
    if (!type_is_float(number)) return number;
    return comp_scalar(a->m->comp, number->size == 8 ? CPL_INT64 : CPL_INT32);
}

static ir_node *written(atomics *a, const ir_node *n, ir_var *old, ir_var *value)
{
    ir_module *m = a->m;
    cpl_span span = n->span;
    const cpl_type *bits = bits_of(a, old->type);
    switch (n->op) {
    case IR_ATOMIC_LOAD: return NULL;
    case IR_ATOMIC_XCHG: return use(a, value, span);
    case IR_ATOMIC_CAS: {
        ir_node *same = ir_op2(m, IR_EQ, as_bits(a, bits, use(a, old, span)),
                               as_bits(a, bits, use(a, value, span)), span);
        return ir_op3(m, IR_COND, same, n->kids[2], use(a, old, span), span);
    }
    default: return ir_op2(m, ir_plain_op(n->op), use(a, old, span), use(a, value, span), span);
    }
}

static void plainly(atomics *a, const ir_node *n, ir_var *target)
{
    ir_module *m = a->m;
    cpl_span span = n->span;
    ir_var *at = saved(a, "at", n->kids[0]);
    ir_var *value = n->kid_count > 1 ? saved(a, "value", n->kids[1]) : NULL;
    if (n->op == IR_ATOMIC_STORE) {
        ir_append(m, a->out, ir_op2(m, IR_STORE, use(a, at, span), use(a, value, span), span));
        return;
    }
    ir_var *old = saved(a, "old", ir_op1(m, IR_LOAD, use(a, at, span), span));
    ir_node *new = written(a, n, old, value);
    if (new) ir_append(m, a->out, ir_op2(m, IR_STORE, use(a, at, span), new, span));
    finish(a, target, use(a, old, span), span);
}

/* Floats: by the integers of their bits. */

static ir_node *atomic_like(const atomics *a, const ir_node *n, ir_op op, ir_node **kids,
                            uint32_t count)
{
    ir_node *made = ir_op_new(a->m, op, kids, count, n->span);
    made->order = n->order;
    made->scope = n->scope;
    return made;
}

/* old = load; do { seen = old; old = cas(at, seen, seen op value) } while old != seen */
static ir_var *exchange_loop(atomics *a, const ir_node *n, ir_var *at, const cpl_type *bits)
{
    ir_module *m = a->m;
    cpl_span span = n->span;
    const cpl_type *number = n->kids[0]->type->elem, *boolean = comp_scalar(m->comp, CPL_BOOL);
    ir_var *value = saved(a, "value", n->kids[1]);
    ir_node *first = ir_op_new(m, IR_ATOMIC_LOAD, (ir_node *[]){use(a, at, span)}, 1, span);
    first->order = IR_RELAXED;
    first->scope = n->scope;
    ir_var *old = saved(a, "old", first), *seen = ir_var_new(m, a->f, "seen", bits, span);
    ir_var *trying = saved(a, "trying", ir_int(m, boolean, 1, span));
    ir_block *body = ir_block_new(m);
    ir_append(m, body, ir_assign(m, seen, use(a, old, span), span));
    ir_node *sum =
        ir_op2(m, ir_plain_op(n->op), ir_typed(m, IR_BITS, number, use(a, seen, span), span),
               use(a, value, span), span);
    ir_node *kids[] = {use(a, at, span), use(a, seen, span), as_bits(a, bits, sum)};
    ir_append(m, body, ir_assign(m, old, atomic_like(a, n, IR_ATOMIC_CAS, kids, 3), span));
    ir_append(m, body,
              ir_assign(m, trying, ir_op2(m, IR_NE, use(a, old, span), use(a, seen, span), span),
                        span));
    ir_append(m, a->out, ir_while(m, use(a, trying, span), body, span));
    return old;
}

static void by_bits(atomics *a, const ir_node *n, ir_var *target)
{
    ir_module *m = a->m;
    const cpl_type *pointer = n->kids[0]->type, *number = pointer->elem;
    const cpl_type *bits = bits_of(a, number);
    ir_node *place =
        ir_typed(m, IR_PTRCAST, comp_pointer(m->comp, bits, pointer->space), n->kids[0], n->span);
    ir_var *at = saved(a, "at", place), *old;
    if (ir_plain_op(n->op) != IR_OP_COUNT) {
        old = exchange_loop(a, n, at, bits);
    } else {
        ir_node *kids[3] = {use(a, at, n->span), NULL, NULL};
        for (uint32_t i = 1; i < n->kid_count; i++) kids[i] = as_bits(a, bits, n->kids[i]);
        ir_node *same = atomic_like(a, n, (ir_op)n->op, kids, n->kid_count);
        if (n->op == IR_ATOMIC_STORE) {
            ir_append(m, a->out, ir_eval(m, same, n->span));
            return;
        }
        old = saved(a, "old", same);
    }
    finish(a, target, ir_typed(m, IR_BITS, number, use(a, old, n->span), n->span), n->span);
}

static bool has_integers(const atomics *a, const cpl_type *number)
{
    return number->size == 4 || a->target->int64_atomics;
}

static void rewrite_block(atomics *a, ir_block *b)
{
    ir_block out = {0}, *outer = a->out;
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i], *e = n->op == IR_ASSIGN || n->op == IR_EVAL ? n->kids[0] : NULL;
        if (n->body) rewrite_block(a, n->body);
        if (n->orelse) rewrite_block(a, n->orelse);
        a->out = &out;
        bool atomic = e && is_atomic(e);
        const cpl_type *p = atomic ? e->kids[0]->type : NULL;
        ir_var *target = n->op == IR_ASSIGN ? n->var : NULL;
        if (atomic && p->space == SPACE_PRIVATE) plainly(a, e, target);
        else if (atomic && !target_adds_floats(a->target) && type_is_float(p->elem) &&
                 has_integers(a, p->elem))
            by_bits(a, e, target);
        else {
            ir_append(a->m, &out, n);
            continue;
        }
        a->changed = true;
    }
    *b = out;
    a->out = outer;
}

bool pass_atomics(pass_context *cx, ir_module *m)
{
    atomics a = {.m = m, .target = cx->target};
    if (!target_is_device(cx->target)) return false;
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        a.f = m->funcs.at[i];
        if (a.f->body) rewrite_block(&a, a.f->body);
    }
    return a.changed;
}

/* What work-items do with each other: atomics, fences, barriers, sub-groups. */
#include "lib/opencl/ocl_int.h"

static const char all_memory[] = "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE";

static const char *order_name(ocl *o, ir_order order)
{
    return arena_printf(&o->c->arena, "memory_order_%s", ir_order_text[order]);
}

static const char *scope_name(ir_scope scope)
{
    return scope == IR_SCOPE_GROUP    ? "memory_scope_work_group"
           : scope == IR_SCOPE_DEVICE ? "memory_scope_device"
                                      : "memory_scope_all_svm_devices";
}

/* A load cannot release, nor a store acquire: the part that can be had remains. */
static ir_order load_order(ir_order order)
{
    return order == IR_RELEASE ? IR_RELAXED : order == IR_ACQ_REL ? IR_ACQUIRE : order;
}

static ir_order store_order(ir_order order)
{
    return order == IR_ACQUIRE ? IR_RELAXED : order == IR_ACQ_REL ? IR_RELEASE : order;
}

/* "(volatile global atomic_int *)&x[i]" */
static void atomic_object(ocl *o, const ir_node *pointer)
{
    const cpl_type *t = pointer->type->elem;
    sb_printf(o->out, "(volatile %s atomic_%s *)", ocl_space(o, pointer->type->space),
              ocl_scalar(o, t));
    ocl_expr(o, pointer, PREC_UNARY);
}

static void tail(ocl *o, ir_order order, ir_scope scope)
{
    sb_printf(o->out, ", %s, %s)", order_name(o, order), scope_name(scope));
}

/* Version 2: a function for each, with order and scope. */
static void explicit_atomic(ocl *o, const ir_node *n)
{
    ir_op plain = ir_plain_op(n->op);
    ir_order order = n->op == IR_ATOMIC_LOAD    ? load_order(n->order)
                     : n->op == IR_ATOMIC_STORE ? store_order(n->order)
                                                : n->order;
    if (plain != IR_OP_COUNT) sb_printf(o->out, "atomic_fetch_%s_explicit(", ir_ops[plain].text);
    else
        sb_printf(o->out, "atomic_%s_explicit(",
                  n->op == IR_ATOMIC_LOAD    ? "load"
                  : n->op == IR_ATOMIC_STORE ? "store"
                                             : "exchange");
    atomic_object(o, n->kids[0]);
    if (n->kid_count > 1) {
        sb_put(o->out, ", ");
        ocl_expr(o, n->kids[1], PREC_COND);
    }
    tail(o, order, n->scope);
}

/* Version 1 with PTX inside: what reads alone need not write, as whoever waits does over and over.
 */
static const char *load_by_ptx(ocl *o, const cpl_type *t)
{
    arena *a = &o->c->arena;
    bool wide = t->size == 8;
    const char *type = ocl_scalar(o, t), *name = arena_printf(a, "cpl_load_%s", type);
    return ocl_helper(
        o, name,
        arena_printf(a,
                     "static %s %s(const volatile global %s *p)\n{\n    %s value;\n"
                     "    asm volatile(\"ld.relaxed.gpu.global.b%d %%0, [%%1];\" : \"=%c\"(value) "
                     ": \"l\"(p) : \"memory\");\n    return value;\n}\n",
                     type, name, type, type, wide ? 64 : 32, wide ? 'l' : 'r'));
}

/* Version 1: those of 64 bits are called atom_add. Reading adds 0, writing exchanges. */
static void plain_atomic(ocl *o, const ir_node *n)
{
    if (n->op == IR_ATOMIC_LOAD && o->options->target.ptx &&
        n->kids[0]->type->space == SPACE_GLOBAL) {
        sb_printf(o->out, "%s(", load_by_ptx(o, n->type));
        ocl_expr(o, n->kids[0], PREC_COND);
        sb_putc(o->out, ')');
        return;
    }
    ir_op plain = ir_plain_op(n->op);
    const char *name = plain != IR_OP_COUNT      ? ir_ops[plain].text
                       : n->op == IR_ATOMIC_LOAD ? "add"
                       : n->op == IR_ATOMIC_CAS  ? "cmpxchg"
                                                 : "xchg";
    bool wide = n->kids[0]->type->elem->size == 8;
    sb_printf(o->out, "%s_%s(", wide ? "atom" : "atomic", name);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (i) sb_put(o->out, ", ");
        ocl_expr(o, n->kids[i], PREC_COND);
    }
    if (n->op == IR_ATOMIC_LOAD)
        sb_printf(o->out, ", 0%s%s", type_is_unsigned(n->type) ? "u" : "", wide ? "L" : "");
    sb_putc(o->out, ')');
}

void ocl_atomic(ocl *o, const ir_node *n)
{
    const cpl_type *t = n->kids[0]->type->elem;
    if (!type_is_int(t) || t->size < 4) {
        ocl_error(o, n, "atomics are on integers of 32 and 64 bits");
        return;
    }
    o->int64_atomics |= t->size == 8;
    if (ocl_is_v2(o)) explicit_atomic(o, n);
    else plain_atomic(o, n);
}

const char *ocl_exchange(ocl *o, const ir_node *n)
{
    const cpl_type *t = n->kids[0]->type->elem;
    const char *old = ocl_local_name(o, "expected");
    o->int64_atomics |= t->size == 8;
    ocl_indent(o);
    sb_printf(o->out, "%s %s = ", ocl_scalar(o, t), old);
    ocl_expr(o, n->kids[1], PREC_NONE);
    sb_put(o->out, ";\n");
    ocl_indent(o);
    sb_put(o->out, "atomic_compare_exchange_strong_explicit(");
    atomic_object(o, n->kids[0]);
    sb_printf(o->out, ", &%s, ", old);
    ocl_expr(o, n->kids[2], PREC_COND);
    sb_printf(o->out, ", %s", order_name(o, n->order));
    tail(o, load_order(n->order), n->scope);
    sb_put(o->out, ";\n");
    return old;
}

/* Version 1 has fences of the group; PTX those of the device. */
static void plain_fence(ocl *o, const ir_node *n)
{
    if (n->scope == IR_SCOPE_GROUP || !o->options->target.ptx)
        ocl_line(o, "mem_fence(%s);", all_memory);
    else
        ocl_line(o, "asm volatile(\"fence.%s.gpu;\" : : : \"memory\");",
                 n->order == IR_SEQ_CST ? "sc" : "acq_rel");
}

/* Version 1 has relaxed atomics alone: fences make the other orders of them. */
void ocl_atomic_before(ocl *o, const ir_node *n)
{
    if (!ocl_is_v2(o) && n->order >= IR_RELEASE) plain_fence(o, n);
}

void ocl_atomic_after(ocl *o, const ir_node *n)
{
    if (!ocl_is_v2(o) && (n->order == IR_ACQUIRE || n->order >= IR_ACQ_REL)) plain_fence(o, n);
}

void ocl_fence(ocl *o, const ir_node *n)
{
    if (n->order == IR_RELAXED) return;
    if (ocl_is_v2(o))
        ocl_line(o, "atomic_work_item_fence(%s, %s, %s);", all_memory, order_name(o, n->order),
                 scope_name(n->scope));
    else plain_fence(o, n);
}

void ocl_barrier(ocl *o, const ir_node *n)
{
    ocl_line(o, "%s(%s);", ocl_is_v2(o) ? "work_group_barrier" : "barrier",
             n->space == SPACE_LOCAL ? "CLK_LOCAL_MEM_FENCE" : all_memory);
}

/* Atomics, fences, fault records and printf. */
#include "lib/codegen/gen_int.h"

#include "lib/support/abi.h"

static LLVMAtomicOrdering ordering(ir_order order)
{
    switch (order) {
    case IR_RELAXED: return LLVMAtomicOrderingMonotonic;
    case IR_ACQUIRE: return LLVMAtomicOrderingAcquire;
    case IR_RELEASE: return LLVMAtomicOrderingRelease;
    case IR_ACQ_REL: return LLVMAtomicOrderingAcquireRelease;
    default: return LLVMAtomicOrderingSequentiallyConsistent;
    }
}

/* A load cannot release, nor a store acquire: the part that can be had remains. */
static LLVMAtomicOrdering load_ordering(ir_order order)
{
    return order == IR_RELEASE ? LLVMAtomicOrderingMonotonic
                               : ordering(order == IR_ACQ_REL ? IR_ACQUIRE : order);
}

static LLVMAtomicOrdering store_ordering(ir_order order)
{
    return order == IR_ACQUIRE ? LLVMAtomicOrderingMonotonic
                               : ordering(order == IR_ACQ_REL ? IR_RELEASE : order);
}

/* A scalar as it lies in memory. */
static LLVMValueRef atomic_load(gen *g, LLVMValueRef pointer, const cpl_type *t, ir_order order,
                                ir_scope scope)
{
    if (g->traits->load)
        return g->traits->load(g, pointer, t, order == IR_ACQ_REL ? IR_ACQUIRE : order, scope);
    LLVMValueRef load = LLVMBuildLoad2(g->b, gen_mem_type(g, t), pointer, "");
    LLVMSetAlignment(load, (unsigned)t->align);
    LLVMSetOrdering(load, load_ordering(order));
    LLVMSetAtomicSyncScopeID(load, gen_sync_scope(g, scope));
    return load;
}

static LLVMTypeRef bits_type(gen *g, const cpl_type *t)
{
    return LLVMIntTypeInContext(g->cx, (unsigned)t->size * 8);
}

/* cmpxchg on the bits of scalars as they lie in memory; gives {old bits, success}. */
static LLVMValueRef exchange_bits(gen *g, LLVMValueRef pointer, LLVMValueRef expected,
                                  LLVMValueRef wanted, const ir_node *n)
{
    return LLVMBuildAtomicCmpXchgSyncScope(g->b, pointer, expected, wanted, ordering(n->order),
                                           load_ordering(n->order), gen_sync_scope(g, n->scope));
}

static LLVMValueRef compare_exchange(gen *g, const ir_node *n, LLVMValueRef pointer,
                                     const cpl_type *t)
{
    LLVMTypeRef bits = bits_type(g, t), memory = gen_mem_type(g, t);
    LLVMValueRef words[2];
    for (int i = 0; i < 2; i++) {
        LLVMValueRef v = gen_to_mem(g, gen_expr(g, n->kids[i + 1]));
        words[i] = LLVMBuildBitCast(g->b, v, bits, "");
    }
    if (g->traits->exchange)
        return LLVMBuildBitCast(g->b, g->traits->exchange(g, n, pointer, words[1], words[0]),
                                memory, "");
    LLVMValueRef pair = exchange_bits(g, pointer, words[0], words[1], n);
    return LLVMBuildBitCast(g->b, LLVMBuildExtractValue(g->b, pair, 0, ""), memory, "");
}

/* IR_MIN and IR_MAX on floats are neither of LLVM's fmin and fminimum where NaN or -0 occur, hence
 * a loop. */
static LLVMValueRef float_min_max(gen *g, const ir_node *n, LLVMValueRef pointer, gen_val value)
{
    LLVMTypeRef bits = bits_type(g, value.type), type = gen_type(g, value.type);
    LLVMBasicBlockRef again = gen_block_new(g, "again"), done = gen_block_new(g, "done");
    LLVMValueRef first =
        LLVMBuildBitCast(g->b, atomic_load(g, pointer, value.type, IR_RELAXED, n->scope), bits, "");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, again);
    gen_at(g, again);
    LLVMValueRef expected = LLVMBuildPhi(g->b, bits, "");
    LLVMValueRef old = LLVMBuildBitCast(g->b, expected, type, "");
    LLVMValueRef wanted = gen_min_max(g, ir_plain_op(n->op) == IR_MAX, old, value.v, value.type);
    LLVMValueRef pair =
        exchange_bits(g, pointer, expected, LLVMBuildBitCast(g->b, wanted, bits, ""), n);
    LLVMValueRef seen = LLVMBuildExtractValue(g->b, pair, 0, "");
    LLVMBuildCondBr(g->b, LLVMBuildExtractValue(g->b, pair, 1, ""), done, again);
    LLVMAddIncoming(expected, &first, &before, 1);
    LLVMAddIncoming(expected, &seen, &again, 1);
    gen_at(g, done);
    return old;
}

static LLVMAtomicRMWBinOp rmw_op(const ir_node *n, const cpl_type *t)
{
    bool is_float = type_is_float(t), is_signed = type_is_signed(t);
    switch (ir_plain_op(n->op)) {
    case IR_ADD: return is_float ? LLVMAtomicRMWBinOpFAdd : LLVMAtomicRMWBinOpAdd;
    case IR_SUB: return is_float ? LLVMAtomicRMWBinOpFSub : LLVMAtomicRMWBinOpSub;
    case IR_MIN: return is_signed ? LLVMAtomicRMWBinOpMin : LLVMAtomicRMWBinOpUMin;
    case IR_MAX: return is_signed ? LLVMAtomicRMWBinOpMax : LLVMAtomicRMWBinOpUMax;
    case IR_AND: return LLVMAtomicRMWBinOpAnd;
    case IR_OR: return LLVMAtomicRMWBinOpOr;
    case IR_XOR: return LLVMAtomicRMWBinOpXor;
    default: return LLVMAtomicRMWBinOpXchg;
    }
}

static LLVMValueRef read_modify_write(gen *g, const ir_node *n, LLVMValueRef pointer)
{
    gen_val value = gen_expr(g, n->kids[1]);
    LLVMValueRef own = NULL;
    bool is_float = type_is_float(value.type);
    LLVMAtomicRMWBinOp op = rmw_op(n, value.type);
    if (is_float && (ir_plain_op(n->op) == IR_MIN || ir_plain_op(n->op) == IR_MAX))
        return float_min_max(g, n, pointer, value);
    if (g->traits->modify) own = g->traits->modify(g, n, pointer, value);
    if (own) return own;
    LLVMValueRef v = gen_to_mem(g, value);
    /* a - b is a + (-b), for which there is an instruction */
    if (g->traits->adds_negative && op == LLVMAtomicRMWBinOpFSub) {
        op = LLVMAtomicRMWBinOpFAdd;
        v = LLVMBuildFNeg(g->b, v, "");
    }
    return LLVMBuildAtomicRMWSyncScope(g->b, op, pointer, v, ordering(n->order),
                                       gen_sync_scope(g, n->scope));
}

static void atomic_store(gen *g, const ir_node *n, LLVMValueRef pointer)
{
    gen_val value = gen_expr(g, n->kids[1]);
    if (g->traits->store) {
        ir_order order = n->order == IR_ACQ_REL ? IR_RELEASE : n->order;
        g->traits->store(g, pointer, value, order, n->scope);
        return;
    }
    LLVMValueRef store = LLVMBuildStore(g->b, gen_to_mem(g, value), pointer);
    LLVMSetAlignment(store, (unsigned)value.type->align);
    LLVMSetOrdering(store, store_ordering(n->order));
    LLVMSetAtomicSyncScopeID(store, gen_sync_scope(g, n->scope));
}

gen_val gen_atomic(gen *g, const ir_node *n)
{
    const cpl_type *t = n->kids[0]->type->elem;
    LLVMValueRef pointer = gen_expr(g, n->kids[0]).v, old;
    switch (n->op) {
    case IR_ATOMIC_LOAD: old = atomic_load(g, pointer, t, n->order, n->scope); break;
    case IR_ATOMIC_STORE: atomic_store(g, n, pointer); return (gen_val){NULL, n->type};
    case IR_ATOMIC_CAS: old = compare_exchange(g, n, pointer, t); break;
    default: old = read_modify_write(g, n, pointer); break;
    }
    return (gen_val){gen_from_mem(g, old, t), t};
}

void gen_fence(gen *g, const ir_node *n)
{
    if (n->order == IR_RELAXED) return;
    if (g->traits->fence) g->traits->fence(g, n->order, n->scope);
    else LLVMBuildFenceSyncScope(g->b, ordering(n->order), gen_sync_scope(g, n->scope), "");
}

static void store_at(gen *g, LLVMValueRef record, size_t offset, LLVMValueRef v)
{
    LLVMValueRef index = gen_int(g->t_i64, offset);
    LLVMBuildStore(g->b, v, LLVMBuildInBoundsGEP2(g->b, g->t_i8, record, &index, 1, ""));
}

/* The first fault takes the record; its other fields are read after the launch only, so plain
 * stores will do. */
void gen_fault(gen *g, const ir_node *n)
{
    LLVMValueRef record = gen_expr(g, n->kids[0]).v;
    LLVMValueRef index = gen_i64(g, gen_expr(g, n->kids[1])),
                 extent = gen_i64(g, gen_expr(g, n->kids[2])),
                 round = n->kid_count > 3 ? gen_i64(g, gen_expr(g, n->kids[3]))
                                          : LLVMConstAllOnes(g->t_i64);
    LLVMBasicBlockRef first = gen_block_new(g, "fault"), join = gen_block_new(g, "endfault");
    LLVMValueRef pair =
        LLVMBuildAtomicCmpXchgSyncScope(g->b, record, gen_int(g->t_i32, 0), gen_int(g->t_i32, 1),
                                        LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingMonotonic,
                                        gen_sync_scope(g, IR_SCOPE_DEVICE));
    LLVMBuildCondBr(g->b, LLVMBuildExtractValue(g->b, pair, 1, ""), first, join);
    gen_at(g, first);
    _Static_assert(offsetof(abi_fault, taken) == 0 && sizeof(abi_fault) == sizeof(cpl_fault),
                   "one layout");
    store_at(g, record, offsetof(abi_fault, site), gen_int(g->t_i32, n->site));
    store_at(g, record, offsetof(abi_fault, index), index);
    store_at(g, record, offsetof(abi_fault, extent), extent);
    store_at(g, record, offsetof(abi_fault, round), round);
    LLVMBuildBr(g->b, join);
    gen_at(g, join);
}

/* C's default argument promotions; OpenCL C leaves float as it is where there is no double. */
static LLVMValueRef promoted(gen *g, gen_val value)
{
    bool no_double = g->traits->double_optional && !g->options->target->fp64;
    if (type_is_float(value.type)) {
        LLVMValueRef v = gen_widen(g, value.v, value.type);
        bool widens = type_bits(value.type) < 64 && !no_double;
        return widens ? LLVMBuildFPExt(g->b, v, g->t_f64, "") : v;
    }
    if (type_is_pointer(value.type) || type_bits(value.type) >= 32) return value.v;
    return type_is_signed(value.type) ? LLVMBuildSExt(g->b, value.v, g->t_i32, "")
                                      : LLVMBuildZExt(g->b, value.v, g->t_i32, "");
}

void gen_printf(gen *g, const ir_node *n)
{
    LLVMValueRef *args = arena_array(&g->c->arena, n->kid_count + 1, sizeof *args);
    for (uint32_t i = 0; i < n->kid_count; i++) args[i + 1] = promoted(g, gen_expr(g, n->kids[i]));
    if (gen_is_device(g)) {
        gen_device_printf(g, n, args);
        return;
    }
    args[0] = LLVMBuildGlobalString(g->b, n->text, "format");
    LLVMValueRef fn = gen_runtime(g, "printf", LLVMFunctionType(g->t_i32, &g->t_ptr, 1, 1));
    /* nobuiltin: puts and putchar are not in abi.def */
    gen_call_attr(g, gen_call_runtime(g, fn, args, n->kid_count + 1), "nobuiltin");
}

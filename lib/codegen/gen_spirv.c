/*
 * SPIR-V's own. LLVM's back end makes instructions of calls: of OpenCL C's functions by their
 * mangled names (_Z12get_local_idj), and of functions called as the instructions are
 * (__spirv_ControlBarrier). Numbers are those of the SPIR-V specification, chapter 3.
 */
#include "lib/codegen/gen_spirv.h"

enum { SCOPE_CROSS_DEVICE = 0, SCOPE_DEVICE = 1, SCOPE_WORKGROUP = 2 };
enum {
    SEM_ACQUIRE = 0x2,
    SEM_RELEASE = 0x4,
    SEM_ACQ_REL = 0x8,
    SEM_SEQ_CST = 0x10,
    SEM_LOCAL = 0x100,
    SEM_GLOBAL = 0x200
};

static const char *mangle(gen *g, const char *name, const char *params)
{
    return arena_printf(&g->c->arena, "_Z%zu%s%s", strlen(name), name, params);
}

static const char *letter(const cpl_type *t)
{
    switch (t->dtype) {
    case CPL_INT8: return "c";
    case CPL_BOOL:
    case CPL_UINT8: return "h";
    case CPL_INT16: return "s";
    case CPL_UINT16: return "t";
    case CPL_INT32: return "i";
    case CPL_UINT32: return "j";
    case CPL_INT64: return "l";
    case CPL_UINT64: return "m";
    case CPL_FLOAT16: return "Dh";
    case CPL_FLOAT32: return "f";
    default: return "d";
    }
}

/* "PU3AS1Kf": a pointer into address space 1 to constant floats. */
static const char *pointer_letters(gen *g, LLVMValueRef pointer, const char *of)
{
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    return space ? arena_printf(&g->c->arena, "PU3AS%u%s", space, of)
                 : arena_printf(&g->c->arena, "P%s", of);
}

static LLVMValueRef query(gen *g, const char *name, const ir_node *n, LLVMTypeRef result)
{
    LLVMValueRef dim = gen_int(g->t_i32, n->dim);
    /* size_t NAME(uint); once in front of loops: Intel's CPU runtime asks in each round else */
    LLVMValueRef v = gen_pure_builtin(g, mangle(g, name, "j"), g->t_i64, &dim, 1);
    return result == g->t_i64 ? v : LLVMBuildTrunc(g->b, v, result, "");
}

static LLVMValueRef ask(gen *g, const char *name)
{
    return gen_pure_builtin(g, mangle(g, name, "v"), g->t_i32, NULL, 0); /* uint NAME(void) */
}

LLVMValueRef gen_spirv_work_item(gen *g, const ir_node *n)
{
    switch (n->op) {
    case IR_LOCAL_ID: return query(g, "get_local_id", n, g->t_i32);
    case IR_LOCAL_SIZE: return query(g, "get_local_size", n, g->t_i32);
    case IR_GROUP_ID: return query(g, "get_group_id", n, g->t_i64);
    case IR_GROUP_COUNT: return query(g, "get_num_groups", n, g->t_i64);
    case IR_SUBGROUP_SIZE: return ask(g, "get_max_sub_group_size");
    default: return ask(g, "get_sub_group_local_id");
    }
}

/* bool and float16 go as integers, which needs less of the device. */
static LLVMValueRef shuffle_from(gen *g, gen_val value, LLVMValueRef lane)
{
    LLVMTypeRef type = LLVMTypeOf(value.v);
    LLVMValueRef v = value.v;
    const char *name = letter(value.type);
    if (type_is_bool(value.type)) v = LLVMBuildZExt(g->b, v, g->t_i32, ""), name = "i";
    if (type == g->t_f16) v = LLVMBuildBitCast(g->b, v, g->t_i16, ""), name = "s";
    LLVMValueRef args[] = {v, lane};
    const char *params = arena_printf(&g->c->arena, "%sj", name);
    v = gen_builtin(g, mangle(g, "sub_group_shuffle", params), LLVMTypeOf(v), args, 2, true);
    if (type_is_bool(value.type))
        return LLVMBuildICmp(g->b, LLVMIntNE, v, gen_int(g->t_i32, 0), "");
    return type == g->t_f16 ? LLVMBuildBitCast(g->b, v, type, "") : v;
}

/* All four by the plain shuffle: one instruction is needed of the driver, and no lane is asked that
 * does not exist. */
static LLVMValueRef shuffle(gen *g, const ir_node *n, gen_val value, LLVMValueRef wanted)
{
    LLVMValueRef own = LLVMBuildZExt(g->b, ask(g, "get_sub_group_local_id"), g->t_i64, ""), at,
                 there = NULL;
    LLVMValueRef full = LLVMBuildZExt(g->b, ask(g, "get_max_sub_group_size"), g->t_i64, "");
    switch (n->op) {
    case IR_SHUFFLE: at = LLVMBuildURem(g->b, wanted, full, ""); break;
    case IR_SHUFFLE_XOR:
        at = LLVMBuildURem(g->b, LLVMBuildXor(g->b, own, wanted, ""), full, "");
        break;
    case IR_SHUFFLE_UP:
        there = LLVMBuildICmp(g->b, LLVMIntULE, wanted, own, "");
        at = LLVMBuildSub(g->b, own, wanted, "");
        break;
    default: {
        LLVMValueRef size = LLVMBuildZExt(g->b, ask(g, "get_sub_group_size"), g->t_i64, "");
        there = LLVMBuildICmp(g->b, LLVMIntULT, wanted, LLVMBuildSub(g->b, size, own, ""), "");
        at = LLVMBuildAdd(g->b, own, wanted, "");
    }
    }
    if (there) at = LLVMBuildSelect(g->b, there, at, own, "");
    return shuffle_from(g, value, LLVMBuildTrunc(g->b, at, g->t_i32, ""));
}

static LLVMValueRef ballot(gen *g, LLVMValueRef bit)
{
    LLVMValueRef word = LLVMBuildZExt(g->b, bit, g->t_i32, "");
    LLVMTypeRef words = LLVMVectorType(g->t_i32, 4);
    LLVMValueRef v = gen_builtin(g, mangle(g, "sub_group_ballot", "i"), words, &word, 1, true);
    LLVMValueRef low = LLVMBuildExtractElement(g->b, v, gen_int(g->t_i32, 0), "");
    LLVMValueRef high = LLVMBuildExtractElement(g->b, v, gen_int(g->t_i32, 1), "");
    high = LLVMBuildShl(g->b, LLVMBuildZExt(g->b, high, g->t_i64, ""), gen_int(g->t_i64, 32), "");
    return LLVMBuildOr(g->b, LLVMBuildZExt(g->b, low, g->t_i64, ""), high, "");
}

/* OpenCL has them for integers of 32 and 64 bits and floats; narrower ones go as the wider. */
static LLVMValueRef group_op(gen *g, const char *name, gen_val value)
{
    const cpl_type *t = value.type;
    bool narrow = type_is_int(t) && type_bits(t) < 32, is_signed = type_is_signed(t);
    LLVMValueRef v = gen_widen(g, value.v, t);
    const char *params = narrow                    ? (is_signed ? "i" : "j")
                         : type_is(t, CPL_FLOAT16) ? "f"
                                                   : letter(t);
    if (narrow)
        v = is_signed ? LLVMBuildSExt(g->b, v, g->t_i32, "") : LLVMBuildZExt(g->b, v, g->t_i32, "");
    v = gen_builtin(g, mangle(g, name, params), LLVMTypeOf(v), &v, 1, true);
    return narrow ? LLVMBuildTrunc(g->b, v, gen_type(g, t), "") : gen_narrow(g, v, t);
}

LLVMValueRef gen_spirv_subgroup(gen *g, const ir_node *n, gen_val value, LLVMValueRef lane)
{
    if (n->op == IR_BALLOT) return ballot(g, value.v);
    if (ir_op_kind(n->op) == IR_KIND_SHUFFLE) return shuffle(g, n, value, lane);
    const char *what = ir_op_kind(n->op) == IR_KIND_SCAN ? "scan_inclusive" : "reduce";
    const char *joining = ir_ops[ir_plain_op(n->op)].text;
    return group_op(g, arena_printf(&g->c->arena, "sub_group_%s_%s", what, joining), value);
}

static uint64_t scope_number(ir_scope scope)
{
    return scope == IR_SCOPE_GROUP    ? SCOPE_WORKGROUP
           : scope == IR_SCOPE_DEVICE ? SCOPE_DEVICE
                                      : SCOPE_CROSS_DEVICE;
}

static uint64_t semantics(ir_order order, uint64_t memory)
{
    switch (order) {
    case IR_RELAXED: return 0;
    case IR_ACQUIRE: return SEM_ACQUIRE | memory;
    case IR_RELEASE: return SEM_RELEASE | memory;
    case IR_ACQ_REL: return SEM_ACQ_REL | memory;
    default: return SEM_SEQ_CST | memory;
    }
}

/* The memory that an access through the pointer orders. */
static uint64_t memory_of(const gen *g, LLVMValueRef pointer)
{
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    if (space == gen_space(g, SPACE_GLOBAL)) return SEM_GLOBAL;
    return space == gen_space(g, SPACE_LOCAL) ? SEM_LOCAL : SEM_GLOBAL | SEM_LOCAL;
}

/* Of an atomic load or store instruction LLVM 22's back end makes a plain one. */
static LLVMValueRef atomic_load(gen *g, LLVMValueRef pointer, const cpl_type *t, ir_order order,
                                ir_scope scope)
{
    const char *params = arena_printf(&g->c->arena, "%sii", pointer_letters(g, pointer, letter(t)));
    LLVMValueRef args[] = {pointer, gen_int(g->t_i32, scope_number(scope)),
                           gen_int(g->t_i32, semantics(order, memory_of(g, pointer)))};
    return gen_builtin(g, mangle(g, "__spirv_AtomicLoad", params), gen_mem_type(g, t), args, 3,
                       false);
}

static void atomic_store(gen *g, LLVMValueRef pointer, gen_val value, ir_order order,
                         ir_scope scope)
{
    const char *of = letter(value.type);
    const char *params = arena_printf(&g->c->arena, "%sii%s", pointer_letters(g, pointer, of), of);
    LLVMValueRef args[] = {pointer, gen_int(g->t_i32, scope_number(scope)),
                           gen_int(g->t_i32, semantics(order, memory_of(g, pointer))),
                           gen_to_mem(g, value)};
    gen_builtin(g, mangle(g, "__spirv_AtomicStore", params), g->t_void, args, 4, false);
}

static const char *atomic_name(ir_op op, bool is_signed)
{
    switch (ir_plain_op(op)) {
    case IR_ADD: return "__spirv_AtomicIAdd";
    case IR_SUB: return "__spirv_AtomicISub";
    case IR_MIN: return is_signed ? "__spirv_AtomicSMin" : "__spirv_AtomicUMin";
    case IR_MAX: return is_signed ? "__spirv_AtomicSMax" : "__spirv_AtomicUMax";
    case IR_AND: return "__spirv_AtomicAnd";
    case IR_OR: return "__spirv_AtomicOr";
    case IR_XOR: return "__spirv_AtomicXor";
    default:
        return op == IR_ATOMIC_CAS ? "__spirv_AtomicCompareExchange" : "__spirv_AtomicExchange";
    }
}

/* Of atomicrmw and cmpxchg LLVM 22's back end makes these too, but with an order that names no
 * memory. */
static LLVMValueRef atomic(gen *g, const ir_node *n, LLVMValueRef pointer, LLVMValueRef v,
                           LLVMValueRef expected)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    uint64_t memory = memory_of(g, pointer);
    ir_order failure = n->order == IR_ACQ_REL   ? IR_ACQUIRE
                       : n->order == IR_RELEASE ? IR_RELAXED
                                                : n->order;
    LLVMValueRef args[6] = {pointer, gen_int(g->t_i32, scope_number(n->scope)),
                            gen_int(g->t_i32, semantics(n->order, memory))};
    unsigned count = 3;
    if (expected) args[count++] = gen_int(g->t_i32, semantics(failure, memory));
    args[count++] = v;
    if (expected) args[count++] = expected;
    const char *of = type == g->t_i64 ? "l" : "i";
    const char *params = arena_printf(&g->c->arena, "%sii%s%s%s", pointer_letters(g, pointer, of),
                                      expected ? "i" : "", of, expected ? of : "");
    bool is_signed = type_is_signed(n->kids[0]->type->elem);
    return gen_builtin(g, mangle(g, atomic_name((ir_op)n->op, is_signed), params), type, args,
                       count, false);
}

/* The fence of LLVM 22's back end names no memory, so that it would order none. */
static void fence(gen *g, ir_order order, ir_scope scope)
{
    LLVMValueRef args[] = {gen_int(g->t_i32, scope_number(scope)),
                           gen_int(g->t_i32, semantics(order, SEM_GLOBAL | SEM_LOCAL))};
    gen_builtin(g, mangle(g, "__spirv_MemoryBarrier", "jj"), g->t_void, args, 2, false);
}

void gen_spirv_barrier(gen *g, type_space space)
{
    uint64_t memory = space == SPACE_GLOBAL ? SEM_GLOBAL | SEM_LOCAL : SEM_LOCAL;
    LLVMValueRef group = gen_int(g->t_i32, SCOPE_WORKGROUP);
    LLVMValueRef args[] = {group, group, gen_int(g->t_i32, SEM_SEQ_CST | memory)};
    gen_builtin(g, mangle(g, "__spirv_ControlBarrier", "jjj"), g->t_void, args, 3, true);
}

void gen_spirv_printf(gen *g, const char *format, LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef constant = gen_pointer(g, SPACE_CONSTANT);
    LLVMValueRef text = LLVMConstStringInContext2(g->cx, format, strlen(format), 0);
    LLVMValueRef global = LLVMAddGlobalInAddressSpace(g->mod, LLVMTypeOf(text), "format",
                                                      gen_space(g, SPACE_CONSTANT));
    LLVMSetInitializer(global, text);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    const char *symbol = mangle(g, "printf", "PU3AS2Kcz");
    LLVMValueRef fn = LLVMGetNamedFunction(g->mod, symbol);
    if (!fn) {
        fn = gen_runtime(g, symbol, LLVMFunctionType(g->t_i32, &constant, 1, 1));
        LLVMSetFunctionCallConv(fn, LLVMSPIRFUNCCallConv);
    }
    args[0] = global;
    LLVMSetInstructionCallConv(gen_call_runtime(g, fn, args, n + 1), LLVMSPIRFUNCCallConv);
}

/* How what lies at an offset of a place is aligned. */
static size_t multiple_of(size_t align, size_t offset, const cpl_type *t)
{
    while (offset % align) align /= 2;
    return align < t->align ? align : t->align;
}

/*
 * Clears an array or struct one scalar after the other, long arrays in a loop: LLVM 22's back end
 * makes a loop over bytes of memset, and of stores of whole aggregates passes make phis of them,
 * over which it crashes (test/fuzz/found/clear-in-loop.cir).
 */
static void clear(gen *g, LLVMValueRef pointer, const cpl_type *t, size_t align)
{
    enum { MOST_UNROLLED = 8 };
    if (t->kind == TYPE_STRUCT) {
        for (uint32_t i = 0; i < t->field_count; i++)
            clear(g, gen_field(g, pointer, t, i), t->fields[i].type,
                  multiple_of(align, t->fields[i].offset, t->fields[i].type));
        return;
    }
    if (t->kind != TYPE_ARRAY) {
        gen_clear(g, pointer, t, align);
        return;
    }
    uint64_t count = t->count;
    while (t->elem->kind == TYPE_ARRAY) t = t->elem, count *= t->count;
    LLVMTypeRef elem = gen_mem_type(g, t->elem);
    align = multiple_of(align, t->elem->size, t->elem);
    if (count <= MOST_UNROLLED) {
        for (uint64_t i = 0; i < count; i++) {
            LLVMValueRef at = gen_int(g->t_i64, i);
            clear(g, LLVMBuildInBoundsGEP2(g->b, elem, pointer, &at, 1, ""), t->elem, align);
        }
        return;
    }
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), body = gen_block_new(g, "clear"),
                      done = gen_block_new(g, "cleared");
    LLVMBuildBr(g->b, body);
    gen_at(g, body);
    LLVMValueRef at = LLVMBuildPhi(g->b, g->t_i64, "");
    clear(g, LLVMBuildInBoundsGEP2(g->b, elem, pointer, &at, 1, ""), t->elem, align);
    LLVMValueRef next = LLVMBuildAdd(g->b, at, gen_int(g->t_i64, 1), "");
    LLVMAddIncoming(at, (LLVMValueRef[]){gen_int(g->t_i64, 0), next},
                    (LLVMBasicBlockRef[]){before, LLVMGetInsertBlock(g->b)}, 2);
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntULT, next, gen_int(g->t_i64, count), ""), body,
                    done);
    gen_at(g, done);
}

enum { MOST_SCALARS = 64 };

typedef struct scalar_list {
    struct {
        size_t offset;
        const cpl_type *type;
        LLVMValueRef value;
    } at[MOST_SCALARS];
    unsigned n;
} scalar_list;

/* False when there are too many. */
static bool list_scalars(scalar_list *l, const cpl_type *t, size_t offset)
{
    if (t->kind == TYPE_STRUCT) {
        for (uint32_t i = 0; i < t->field_count; i++)
            if (!list_scalars(l, t->fields[i].type, offset + t->fields[i].offset)) return false;
        return true;
    }
    if (t->kind == TYPE_ARRAY) {
        for (uint64_t i = 0; i < t->count; i++)
            if (!list_scalars(l, t->elem, offset + i * t->elem->size)) return false;
        return true;
    }
    if (l->n == MOST_SCALARS) return false;
    l->at[l->n].offset = offset;
    l->at[l->n++].type = t;
    return true;
}

static LLVMValueRef at_offset(gen *g, LLVMValueRef base, size_t offset)
{
    LLVMValueRef bytes = gen_int(g->t_i64, offset);
    return offset ? LLVMBuildInBoundsGEP2(g->b, g->t_i8, base, &bytes, 1, "") : base;
}

/*
 * Copies a small struct one scalar after the other, all read before any is written, as both may be
 * the same memory: where a whole one is promoted to a value around a loop, the back end dies of the
 * undefined value it starts with.
 */
static bool copy(gen *g, gen_spot to, gen_spot from, const cpl_type *t)
{
    scalar_list l = {.n = 0};
    if (!list_scalars(&l, t, 0)) return false;
    for (unsigned i = 0; i < l.n; i++) {
        LLVMValueRef pointer = at_offset(g, from.pointer, l.at[i].offset);
        l.at[i].value = LLVMBuildLoad2(g->b, gen_mem_type(g, l.at[i].type), pointer, "");
        LLVMSetAlignment(l.at[i].value,
                         (unsigned)multiple_of(from.align, l.at[i].offset, l.at[i].type));
    }
    for (unsigned i = 0; i < l.n; i++) {
        LLVMValueRef pointer = at_offset(g, to.pointer, l.at[i].offset);
        LLVMSetAlignment(LLVMBuildStore(g->b, l.at[i].value, pointer),
                         (unsigned)multiple_of(to.align, l.at[i].offset, l.at[i].type));
    }
    return true;
}

static LLVMValueRef modify(gen *g, const ir_node *n, LLVMValueRef pointer, gen_val value)
{
    return atomic(g, n, pointer, gen_to_mem(g, value), NULL);
}

const gen_traits gen_spirv_traits = {
    .group_scope = "workgroup",
    .spaces = {[SPACE_GENERIC] = 4,
               [SPACE_GLOBAL] = 1,
               [SPACE_LOCAL] = 3,
               [SPACE_PRIVATE] = 0,
               [SPACE_CONSTANT] = 2},
    .tables = SPACE_CONSTANT,
    .convention = LLVMSPIRFUNCCallConv,
    .zero_for_nan = true,
    .double_optional = true,
    .load = atomic_load,
    .store = atomic_store,
    .modify = modify,
    .exchange = atomic,
    .fence = fence,
    .clear = clear,
    .copy = copy,
};

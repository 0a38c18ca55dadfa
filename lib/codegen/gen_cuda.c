/* CUDA's own: special registers, warps, vprintf, approximate arithmetic. Names and meanings are
 * those of the PTX ISA. */
#include "lib/codegen/gen_cuda.h"

enum {
    WARP = 32,
    FIRST_NANOSLEEP = 75, /* LLVM has it for PTX 6.3 on; the text for sm_70 and 72 is older */
    FIRST_REDUX = 80,     /* redux.sync came with sm_80 */
};

/* A register that never holds anything outside [low, end). */
static LLVMValueRef sreg(gen *g, const char *name, uint64_t low, uint64_t end)
{
    static const char range[] = "range";
    LLVMValueRef v =
        gen_intrinsic(g, arena_printf(&g->c->arena, "llvm.nvvm.read.ptx.sreg.%s", name), NULL, 0,
                      NULL, 0);
    unsigned kind = LLVMGetEnumAttributeKindForName(range, sizeof range - 1);
    LLVMAddCallSiteAttribute(v, LLVMAttributeReturnIndex,
                             LLVMCreateConstantRangeAttribute(g->cx, kind, 32, &low, &end));
    return v;
}

static LLVMValueRef lane_id(gen *g)
{
    return sreg(g, "laneid", 0, WARP);
}

/* Limits of every compute capability: 1024 work-items in a group, 64 of them in the third
 * dimension; 2^31 - 1 groups, 65535 in the others. */
LLVMValueRef gen_cuda_work_item(gen *g, const ir_node *n)
{
    static const uint64_t items[] = {1024, 1024, 64}, groups[] = {0x7fffffff, 65535, 65535};
    const char *axis = n->dim == 0 ? "x" : n->dim == 1 ? "y" : "z";
    arena *a = &g->c->arena;
    switch (n->op) {
    case IR_LOCAL_ID: return sreg(g, arena_printf(a, "tid.%s", axis), 0, items[n->dim]);
    case IR_LOCAL_SIZE: return sreg(g, arena_printf(a, "ntid.%s", axis), 1, items[n->dim] + 1);
    case IR_GROUP_ID:
        return LLVMBuildZExt(g->b, sreg(g, arena_printf(a, "ctaid.%s", axis), 0, groups[n->dim]),
                             g->t_i64, "");
    case IR_GROUP_COUNT:
        return LLVMBuildZExt(g->b,
                             sreg(g, arena_printf(a, "nctaid.%s", axis), 1, groups[n->dim] + 1),
                             g->t_i64, "");
    case IR_SUBGROUP_SIZE: return gen_int(g->t_i32, WARP);
    default: return lane_id(g);
    }
}

/* PTX takes at most a millisecond; what is negative is none. */
void gen_cuda_nanosleep(gen *g, LLVMValueRef time)
{
    if (g->options->target->version < FIRST_NANOSLEEP) return;
    LLVMValueRef least[] = {time, gen_int(g->t_i64, 0)};
    LLVMValueRef most[] = {NULL, gen_int(g->t_i64, 1000000)};
    most[0] = gen_intrinsic(g, "llvm.smax", &g->t_i64, 1, least, 2);
    time = gen_intrinsic(g, "llvm.smin", &g->t_i64, 1, most, 2);
    time = LLVMBuildTrunc(g->b, time, g->t_i32, "");
    gen_intrinsic(g, "llvm.nvvm.nanosleep", NULL, 0, &time, 1);
}

/* Every lane that exists takes part. */
static LLVMValueRef all_lanes(gen *g)
{
    return gen_int(g->t_i32, 0xffffffff);
}

static LLVMValueRef ballot(gen *g, LLVMValueRef bit)
{
    LLVMValueRef args[] = {all_lanes(g), bit};
    return gen_intrinsic(g, "llvm.nvvm.vote.ballot.sync", NULL, 0, args, 2);
}

static LLVMValueRef shuffle_word(gen *g, const char *mode, LLVMValueRef word, LLVMValueRef lane)
{
    bool up = !strcmp(mode, "up"); /* up stops at lane 0, the others at lane 31 */
    LLVMValueRef args[] = {all_lanes(g), word, lane, gen_int(g->t_i32, up ? 0 : WARP - 1)};
    return gen_intrinsic(g, arena_printf(&g->c->arena, "llvm.nvvm.shfl.sync.%s.i32", mode), NULL, 0,
                         args, 4);
}

/* shfl of any scalar, in words of 32 bits. */
static LLVMValueRef shuffle(gen *g, const char *mode, LLVMValueRef v, LLVMValueRef lane)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    bool is_int = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
    unsigned width = is_int             ? LLVMGetIntTypeWidth(type)
                     : type == g->t_f16 ? 16
                     : type == g->t_f32 ? 32
                                        : 64;
    LLVMTypeRef bits_type = LLVMIntTypeInContext(g->cx, width);
    LLVMValueRef bits = is_int ? v : LLVMBuildBitCast(g->b, v, bits_type, "");
    if (width <= 32) {
        LLVMValueRef word = width < 32 ? LLVMBuildZExt(g->b, bits, g->t_i32, "") : bits;
        word = shuffle_word(g, mode, word, lane);
        bits = width < 32 ? LLVMBuildTrunc(g->b, word, bits_type, "") : word;
    } else {
        LLVMValueRef shift = gen_int(g->t_i64, 32);
        LLVMValueRef low = shuffle_word(g, mode, LLVMBuildTrunc(g->b, bits, g->t_i32, ""), lane);
        LLVMValueRef high =
            LLVMBuildTrunc(g->b, LLVMBuildLShr(g->b, bits, shift, ""), g->t_i32, "");
        high = LLVMBuildZExt(g->b, shuffle_word(g, mode, high, lane), g->t_i64, "");
        bits = LLVMBuildOr(g->b, LLVMBuildZExt(g->b, low, g->t_i64, ""),
                           LLVMBuildShl(g->b, high, shift, ""), "");
    }
    return is_int ? bits : LLVMBuildBitCast(g->b, bits, type, "");
}

/* shfl takes distances modulo 32: from 32 on there is no such lane. */
static LLVMValueRef shuffle_by(gen *g, const char *mode, LLVMValueRef v, LLVMValueRef distance)
{
    LLVMValueRef there = LLVMBuildICmp(g->b, LLVMIntULT, distance, gen_int(g->t_i64, WARP), "");
    LLVMValueRef moved = shuffle(g, mode, v, LLVMBuildTrunc(g->b, distance, g->t_i32, ""));
    return LLVMBuildSelect(g->b, there, moved, v, "");
}

static LLVMValueRef join(gen *g, ir_op how, LLVMValueRef a, LLVMValueRef b, const cpl_type *t)
{
    if (how != IR_ADD) return gen_min_max(g, how == IR_MAX, a, b, t);
    if (!type_is_float(t)) return LLVMBuildAdd(g->b, a, b, "");
    return gen_narrow(g, LLVMBuildFAdd(g->b, gen_widen(g, a, t), gen_widen(g, b, t), ""), t);
}

static LLVMValueRef redux(gen *g, ir_op how, gen_val value)
{
    bool is_signed = type_is_signed(value.type), narrow = type_bits(value.type) < 32;
    const char *sign = how == IR_ADD || is_signed ? "" : "u";
    LLVMTypeRef type = LLVMTypeOf(value.v);
    LLVMValueRef word = value.v;
    if (narrow)
        word = is_signed ? LLVMBuildSExt(g->b, word, g->t_i32, "")
                         : LLVMBuildZExt(g->b, word, g->t_i32, "");
    LLVMValueRef args[] = {word, all_lanes(g)};
    word = gen_intrinsic(g,
                         arena_printf(&g->c->arena, "llvm.nvvm.redux.sync.%s%s", sign,
                                      ir_ops[how].text),
                         NULL, 0, args, 2);
    return narrow ? LLVMBuildTrunc(g->b, word, type, "") : word;
}

/* Lane l joins what lane l + 16, 8, 4, 2, 1 has, if there is one; lane 0 then has all, which it
 * hands out. */
static LLVMValueRef reduce(gen *g, ir_op how, gen_val value)
{
    if (type_is_int(value.type) && type_bits(value.type) <= 32 &&
        g->options->target->version >= FIRST_REDUX)
        return redux(g, how, value);
    LLVMValueRef present = ballot(g, gen_int(g->t_i1, 1)), lane = lane_id(g), v = value.v;
    LLVMValueRef count = gen_intrinsic(g, "llvm.ctpop", &g->t_i32, 1, &present, 1);
    for (unsigned d = WARP / 2; d; d /= 2) {
        LLVMValueRef distance = gen_int(g->t_i32, d), other = shuffle(g, "down", v, distance);
        LLVMValueRef there =
            LLVMBuildICmp(g->b, LLVMIntULT, LLVMBuildAdd(g->b, lane, distance, ""), count, "");
        v = LLVMBuildSelect(g->b, there, join(g, how, v, other, value.type), v, "");
    }
    return shuffle(g, "idx", v, gen_int(g->t_i32, 0));
}

static LLVMValueRef scan(gen *g, ir_op how, gen_val value)
{
    LLVMValueRef lane = lane_id(g), v = value.v;
    for (unsigned d = 1; d < WARP; d *= 2) {
        LLVMValueRef distance = gen_int(g->t_i32, d), other = shuffle(g, "up", v, distance);
        LLVMValueRef there = LLVMBuildICmp(g->b, LLVMIntUGE, lane, distance, "");
        v = LLVMBuildSelect(g->b, there, join(g, how, other, v, value.type), v, "");
    }
    return v;
}

LLVMValueRef gen_cuda_subgroup(gen *g, const ir_node *n, gen_val value, LLVMValueRef lane)
{
    LLVMValueRef low = lane ? LLVMBuildTrunc(g->b, lane, g->t_i32, "") : NULL;
    switch (n->op) {
    case IR_SHUFFLE: return shuffle(g, "idx", value.v, low);
    case IR_SHUFFLE_XOR: return shuffle(g, "bfly", value.v, low);
    case IR_SHUFFLE_UP: return shuffle_by(g, "up", value.v, lane);
    case IR_SHUFFLE_DOWN: return shuffle_by(g, "down", value.v, lane);
    case IR_BALLOT: return LLVMBuildZExt(g->b, ballot(g, value.v), g->t_i64, "");
    default: break;
    }
    ir_op how = ir_plain_op(n->op);
    return ir_op_kind(n->op) == IR_KIND_SCAN ? scan(g, how, value) : reduce(g, how, value);
}

static const char *scope_suffix(ir_scope scope)
{
    return scope == IR_SCOPE_GROUP ? "cta" : scope == IR_SCOPE_DEVICE ? "gpu" : "sys";
}

/* The operation and its type: "add.u32". Of 64-bit integers only the sum without a sign exists,
 * which is the same. */
static const char *atomic_suffix(gen *g, const ir_node *n, const cpl_type *t)
{
    unsigned bits = type_bits(t);
    char sign = type_is_signed(t) ? 's' : 'u';
    arena *a = &g->c->arena;
    ir_op plain = ir_plain_op(n->op);
    switch (plain) {
    case IR_OP_COUNT: return arena_printf(a, "exch.b%u", bits);
    case IR_ADD:
    case IR_SUB: return arena_printf(a, "add.%c%u", type_is_float(t) ? 'f' : 'u', bits);
    case IR_MIN:
    case IR_MAX: return arena_printf(a, "%s.%c%u", ir_ops[plain].text, sign, bits);
    default: return arena_printf(a, "%s.b%u", ir_ops[plain].text, bits);
    }
}

/*
 * LLVM 22 makes atom.add and the like of atomicrmw whatever its order and scope are, which is
 * relaxed and of the device. Anything else is written out. A seq_cst one is fence.sc and acquire
 * (D. Lustig et al., A Formal Analysis of the NVIDIA PTX Memory Consistency Model, ASPLOS 2019).
 */
static LLVMValueRef atomic(gen *g, const ir_node *n, LLVMValueRef pointer, gen_val value)
{
    static const char *const orders[] = {[IR_RELAXED] = "relaxed",
                                         [IR_ACQUIRE] = "acquire",
                                         [IR_RELEASE] = "release",
                                         [IR_ACQ_REL] = "acq_rel",
                                         [IR_SEQ_CST] = "acquire"};
    bool is_float = type_is_float(value.type), wide = type_bits(value.type) == 64,
         negate = n->op == IR_ATOMIC_SUB;
    if (n->order == IR_RELAXED && n->scope != IR_SCOPE_SYSTEM) return NULL;
    LLVMTypeRef type = LLVMTypeOf(value.v), bits = wide ? g->t_i64 : g->t_i32;
    LLVMValueRef v = value.v;
    if (negate) v = is_float ? LLVMBuildFNeg(g->b, v, "") : LLVMBuildNeg(g->b, v, "");
    bool as_bits = is_float && n->op == IR_ATOMIC_XCHG;
    if (as_bits) v = LLVMBuildBitCast(g->b, v, bits, "");
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    const char *where = space == gen_space(g, SPACE_GLOBAL)  ? ".global"
                        : space == gen_space(g, SPACE_LOCAL) ? ".shared"
                                                             : "";
    const char *text = arena_printf(&g->c->arena, "atom.%s.%s%s.%s $0, [$1], $2;", orders[n->order],
                                    scope_suffix(n->scope), where, atomic_suffix(g, n, value.type));
    char reg = is_float && !as_bits ? (wide ? 'd' : 'f') : wide ? 'l' : 'r';
    const char *constraints = arena_printf(&g->c->arena, "=%c,l,%c,~{memory}", reg, reg);
    LLVMTypeRef params[] = {LLVMTypeOf(pointer), LLVMTypeOf(v)},
                fn = LLVMFunctionType(LLVMTypeOf(v), params, 2, 0);
    LLVMValueRef code = LLVMGetInlineAsm(fn, text, strlen(text), constraints, strlen(constraints),
                                         1, 0, LLVMInlineAsmDialectATT, 0);
    LLVMValueRef args[] = {pointer, v};
    if (n->order == IR_SEQ_CST)
        LLVMBuildFenceSyncScope(g->b, LLVMAtomicOrderingSequentiallyConsistent,
                                gen_sync_scope(g, n->scope), "");
    LLVMValueRef old = LLVMBuildCall2(g->b, fn, code, args, 2, "");
    return as_bits ? LLVMBuildBitCast(g->b, old, type, "") : old;
}

/* int vprintf(const char *format, const void *values): the values lie one after the other, each
 * aligned to its size. */
void gen_cuda_printf(gen *g, const char *format, LLVMValueRef *args, unsigned n)
{
    LLVMValueRef slot = LLVMConstNull(g->t_ptr);
    if (n) {
        LLVMTypeRef *types = arena_array(&g->c->arena, n, sizeof *types);
        for (unsigned i = 0; i < n; i++) types[i] = LLVMTypeOf(args[i + 1]);
        LLVMTypeRef record = LLVMStructTypeInContext(g->cx, types, n, 0);
        slot = gen_alloca(g, record, "values");
        for (unsigned i = 0; i < n; i++)
            LLVMBuildStore(g->b, args[i + 1], LLVMBuildStructGEP2(g->b, record, slot, i, ""));
    }
    LLVMValueRef call[] = {LLVMBuildGlobalString(g->b, format, "format"), slot};
    gen_builtin(g, "vprintf", g->t_i32, call, 2, false);
}

/* With all of fast_math: within 2 ULP over the whole range (PTX ISA, div.full and sqrt.approx),
 * where rounding correctly costs a dozen instructions. */
static LLVMValueRef quick(gen *g, ir_op op, LLVMValueRef a, LLVMValueRef b)
{
    if (LLVMTypeOf(a) != g->t_f32) return NULL;
    LLVMValueRef args[] = {a, b};
    if (op == IR_DIV) return gen_intrinsic(g, "llvm.nvvm.div.full", NULL, 0, args, 2);
    return op == IR_SQRT ? gen_intrinsic(g, "llvm.nvvm.sqrt.approx.f", NULL, 0, args, 1) : NULL;
}

/* What lies in private memory is reached through generic pointers, which NVPTX's alloca gives. */
const gen_traits gen_cuda_traits = {
    .spaces = {[SPACE_GENERIC] = 0,
               [SPACE_GLOBAL] = 1,
               [SPACE_LOCAL] = 3,
               [SPACE_PRIVATE] = 0,
               [SPACE_CONSTANT] = 4},
    /* constant memory answers one address at a time */
    .tables = SPACE_GLOBAL,
    .assumes = true,
    .moves = true,
    .adds_negative = true,
    .unrolls = true,
    .lines_alone = true,
    .group_scope = "block",
    .modify = atomic,
    .quick = quick,
};

/* Expressions: constants, variables, addresses, arithmetic, comparison, choice and calls. */
#include "lib/codegen/gen_int.h"

enum {
    MOST_OPERANDS = 3, /* of an op that op.def describes in full */
    DEAR = 4,          /* micro-operations that are better jumped over than done in vain */
};

static LLVMValueRef constant(gen *g, const ir_node *n)
{
    LLVMTypeRef type = gen_type(g, n->type);
    if (type_is_float(n->type)) return LLVMConstReal(type, n->number);
    return gen_int(type, n->bits);
}

/* Addresses. In bounds, because an index that leads out of its array is undefined or guarded. */
static LLVMValueRef element(gen *g, const ir_node *n)
{
    LLVMValueRef base = gen_expr(g, n->kids[0]).v;
    LLVMValueRef index = gen_i64(g, gen_expr(g, n->kids[1]));
    const cpl_type *from = n->kids[0]->type->elem;
    LLVMTypeRef type = gen_mem_type(g, n->op == IR_ITEM ? from->elem : from);
    return LLVMBuildInBoundsGEP2(g->b, type, base, &index, 1, "");
}

/* Counts bytes, and may step outside. */
static LLVMValueRef strided(gen *g, const ir_node *n)
{
    LLVMValueRef base = gen_expr(g, n->kids[0]).v;
    LLVMValueRef bytes = gen_expr(g, ir_strided_bytes(g->m, n)).v;
    return LLVMBuildGEP2(g->b, g->t_i8, base, &bytes, 1, "");
}

static LLVMValueRef field(gen *g, const ir_node *n)
{
    return gen_field(g, gen_expr(g, n->kids[0]).v, n->kids[0]->type->elem, n->field);
}

/* Tests for NaN and infinity carry no flags: finite_math must not turn a question about NaN into
 * poison. */
static LLVMValueRef classify(gen *g, const ir_node *n, LLVMValueRef operand)
{
    LLVMValueRef a = gen_widen(g, operand, n->kids[0]->type);
    LLVMTypeRef type = LLVMTypeOf(a);
    if (n->op == IR_ISNAN) return LLVMBuildFCmp(g->b, LLVMRealUNO, a, LLVMConstNull(type), "");
    LLVMValueRef size = gen_intrinsic(g, "llvm.fabs", &type, 1, &a, 1);
    LLVMValueRef infinity = LLVMConstReal(type, __builtin_inf());
    return LLVMBuildFCmp(g->b, n->op == IR_ISINF ? LLVMRealOEQ : LLVMRealOLT, size, infinity, "");
}

static LLVMValueRef float_arithmetic(gen *g, const ir_node *n, const LLVMValueRef *operands)
{
    const cpl_type *t = n->type;
    LLVMValueRef a = gen_widen(g, operands[0], t), v;
    LLVMValueRef b = n->kid_count > 1 ? gen_widen(g, operands[1], t) : NULL;
    switch (n->op) {
    case IR_ADD: v = LLVMBuildFAdd(g->b, a, b, ""); break;
    case IR_SUB: v = LLVMBuildFSub(g->b, a, b, ""); break;
    case IR_MUL: v = LLVMBuildFMul(g->b, a, b, ""); break;
    case IR_DIV:
        if (!(v = gen_quick(g, IR_DIV, a, b))) v = LLVMBuildFDiv(g->b, a, b, "");
        break;
    case IR_REM: v = gen_fmod(g, a, b); break;
    case IR_NEG: v = LLVMBuildFNeg(g->b, a, ""); break;
    case IR_ABS: v = gen_unary_intrinsic(g, "llvm.fabs", a); break;
    case IR_FLOORDIV:
    case IR_FLOORMOD: v = gen_fmod_floor(g, n->op == IR_FLOORDIV, a, b); break;
    case IR_FMA: {
        LLVMTypeRef type = LLVMTypeOf(a);
        LLVMValueRef args[] = {a, b, gen_widen(g, operands[2], t)};
        v = gen_intrinsic(g, "llvm.fma", &type, 1, args, 3);
        break;
    }
    default: gen_internal_error(g, n, "not accepted for floats"); v = a;
    }
    return gen_narrow(g, gen_fast(g, v), t);
}

static LLVMValueRef integer_abs(gen *g, LLVMValueRef a, const cpl_type *t)
{
    if (!type_is_signed(t)) return a;
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef args[] = {a, gen_int(g->t_i1, 0)}; /* false: MIN gives MIN */
    return gen_intrinsic(g, "llvm.abs", &type, 1, args, 2);
}

static LLVMValueRef integer_arithmetic(gen *g, const ir_node *n, const LLVMValueRef *operands)
{
    bool is_signed = type_is_signed(n->type);
    LLVMValueRef a = operands[0], b = n->kid_count > 1 ? operands[1] : NULL;
    switch (n->op) {
    case IR_ADD: return LLVMBuildAdd(g->b, a, b, "");
    case IR_SUB: return LLVMBuildSub(g->b, a, b, "");
    case IR_MUL: return LLVMBuildMul(g->b, a, b, "");
    case IR_NEG: return LLVMBuildNeg(g->b, a, "");
    case IR_ABS: return integer_abs(g, a, n->type);
    case IR_RAWDIV:
        return is_signed ? LLVMBuildSDiv(g->b, a, b, "") : LLVMBuildUDiv(g->b, a, b, "");
    case IR_RAWREM:
        return is_signed ? LLVMBuildSRem(g->b, a, b, "") : LLVMBuildURem(g->b, a, b, "");
    case IR_AND: return LLVMBuildAnd(g->b, a, b, "");
    case IR_OR: return LLVMBuildOr(g->b, a, b, "");
    case IR_XOR: return LLVMBuildXor(g->b, a, b, "");
    case IR_NOT: return LLVMBuildNot(g->b, a, "");
    case IR_RAWSHL: return LLVMBuildShl(g->b, a, b, "");
    case IR_RAWSHR:
        return is_signed ? LLVMBuildAShr(g->b, a, b, "") : LLVMBuildLShr(g->b, a, b, "");
    default: gen_internal_error(g, n, "on integers it must have become a raw operation"); return a;
    }
}

/* What must not run where the program does not say so. */
static bool may_trap(const ir_node *n)
{
    return n->op == IR_LOAD || n->op == IR_RAWDIV || n->op == IR_RAWREM;
}

bool gen_is_cheap(const ir_node *n, int *budget)
{
    if (--*budget < 0 || gen_is_aggregate(n->type) || ir_ops[n->op].class_ != IR_CLASS_EXPR)
        return false;
    /* without the instruction fma is a call */
    if (may_trap(n) || n->op == IR_FMA || ir_op_cost(n)->one >= DEAR) return false;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!gen_is_cheap(n->kids[i], budget)) return false;
    return true;
}

LLVMValueRef gen_chosen(gen *g, const ir_node *n)
{
    LLVMValueRef slot = gen_variable(g, n->type, "chosen"), cond = gen_expr(g, n->kids[0]).v;
    LLVMBasicBlockRef arms[2] = {gen_block_new(g, "true"), gen_block_new(g, "false")};
    LLVMBasicBlockRef join = gen_block_new(g, "endcond");
    LLVMBuildCondBr(g->b, cond, arms[0], arms[1]);
    for (int i = 0; i < 2; i++) {
        gen_at(g, arms[i]);
        gen_write(g, slot, n->type->align, n->kids[i + 1]);
        LLVMBuildBr(g->b, join);
    }
    gen_at(g, join);
    return slot;
}

/* Of structs, LLVM 22's SPIR-V back end dies of the phi. */
static LLVMValueRef choose(gen *g, const ir_node *n)
{
    if (gen_is_aggregate(n->type) && g->traits->copy) return gen_load(g, gen_chosen(g, n), n->type);
    LLVMValueRef cond = gen_expr(g, n->kids[0]).v;
    int budget = 12; /* nodes of both arms: about what a mispredicted branch costs */
    if (gen_is_cheap(n->kids[1], &budget) && gen_is_cheap(n->kids[2], &budget)) {
        LLVMValueRef a = gen_expr(g, n->kids[1]).v, b = gen_expr(g, n->kids[2]).v;
        return gen_fast(g, LLVMBuildSelect(g->b, cond, a, b, ""));
    }
    LLVMBasicBlockRef arms[2] = {gen_block_new(g, "true"), gen_block_new(g, "false")};
    LLVMBasicBlockRef join = gen_block_new(g, "endcond");
    LLVMValueRef values[2];
    LLVMBuildCondBr(g->b, cond, arms[0], arms[1]);
    for (int i = 0; i < 2; i++) {
        gen_at(g, arms[i]);
        values[i] = gen_expr(g, n->kids[i + 1]).v;
        arms[i] = LLVMGetInsertBlock(g->b); /* the arm may have made blocks */
        LLVMBuildBr(g->b, join);
    }
    gen_at(g, join);
    LLVMValueRef phi = LLVMBuildPhi(g->b, gen_type(g, n->type), "");
    LLVMAddIncoming(phi, values, arms, 2);
    return gen_fast(g, phi);
}

/*
 * nobuiltin: a function of the kernel's is no library function, even if it is called like one.
 * noinline for an entry: it is compiled on its own in any case, and whoever else calls it (the
 * driver's packed entry) should not compile it a second time.
 */
static LLVMValueRef call(gen *g, const ir_node *n)
{
    LLVMValueRef fn = n->func->user;
    unsigned count = n->kid_count, more = gen_takes_stack(n->func);
    LLVMValueRef *args = arena_array(&g->c->arena, count + more, sizeof *args);
    for (unsigned i = 0; i < count; i++) args[i] = gen_expr(g, n->kids[i]).v;
    if (more) args[count] = gen_stack_end(g);
    LLVMValueRef v = LLVMBuildCall2(g->b, LLVMGlobalGetValueType(fn), fn, args, count + more, "");
    gen_call_attr(g, v, "nobuiltin");
    LLVMSetInstructionCallConv(v, LLVMGetFunctionCallConv(fn));
    if (n->func->linkage == IR_ENTRY) gen_call_attr(g, v, "noinline");
    return v;
}

LLVMValueRef gen_op(gen *g, const ir_node *n, LLVMValueRef *operands)
{
    const cpl_type *t = n->kids[0]->type;
    gen_val first = {operands[0], t};
    switch (n->op) {
    case IR_CONVERT: return gen_convert(g, first, n->type);
    case IR_RAWCONVERT: return gen_rawconvert(g, first, n->type);
    case IR_BITS: return gen_bits(g, first, n->type);
    case IR_EQ:
    case IR_NE:
    case IR_LT:
    case IR_LE:
    case IR_GT:
    case IR_GE: return gen_compare(g, n->op, operands[0], operands[1], t);
    case IR_MIN:
    case IR_MAX: return gen_min_max(g, n->op == IR_MAX, operands[0], operands[1], t);
    case IR_ISNAN:
    case IR_ISINF:
    case IR_ISFINITE: return classify(g, n, operands[0]);
    default: break;
    }
    ir_kind kind = ir_op_kind(n->op);
    if (kind == IR_KIND_EXACT || kind == IR_KIND_MATH) return gen_math(g, n, operands);
    return type_is_float(n->type) ? float_arithmetic(g, n, operands)
                                  : integer_arithmetic(g, n, operands);
}

static LLVMValueRef load(gen *g, const ir_node *n)
{
    LLVMValueRef v = LLVMBuildLoad2(g->b, gen_mem_type(g, n->type), gen_expr(g, n->kids[0]).v, "");
    LLVMSetAlignment(v, (unsigned)ir_alignment(n->kids[0]));
    gen_in_group(g, v, n->kids[0]->type);
    return gen_from_mem(g, v, n->type);
}

static LLVMValueRef value_of(gen *g, const ir_node *n)
{
    switch (n->op) {
    case IR_CONST: return constant(g, n);
    case IR_VAR: return gen_load(g, n->var->user, n->type);
    case IR_COND: return choose(g, n);
    case IR_ADDR: return n->var->user;
    case IR_ELEM:
    case IR_ITEM: return element(g, n);
    case IR_STRIDED: return strided(g, n);
    case IR_FIELD: return field(g, n);
    case IR_PTRCAST: return gen_space_cast(g, gen_expr(g, n->kids[0]).v, n->type->space);
    case IR_LOAD: return load(g, n);
    case IR_CALL: return call(g, n);
    default: break;
    }
    switch (ir_op_kind(n->op)) {
    case IR_KIND_PLACE:
    case IR_KIND_LANE: return gen_work_item(g, n);
    case IR_KIND_SHUFFLE:
    case IR_KIND_JOIN:
    case IR_KIND_SCAN: return gen_subgroup(g, n);
    case IR_KIND_ATOMIC: return gen_atomic(g, n).v;
    default: break;
    }
    LLVMValueRef operands[MOST_OPERANDS] = {0};
    for (uint32_t i = 0; i < n->kid_count; i++) operands[i] = gen_expr(g, n->kids[i]).v;
    return gen_op(g, n, operands);
}

gen_val gen_expr(gen *g, const ir_node *n)
{
    return (gen_val){value_of(g, n), n->type};
}

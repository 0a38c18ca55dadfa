/*
 * What a loop stores of a value that it carries on, such as the items of a scan, goes to memory
 * past the caches too, where launches say that results are larger than these: element by element,
 * where loops whose rounds are vectors have rows (codegen/gen_simd_stream.c). Each line has to be
 * written as a whole: the stores of a round lie side by side, and the next round's behind them.
 * Comes behind LLVM's vectorisers, which leave a loop with such stores alone.
 */
#include "lib/target/job.h"

enum {
    MOST_STEP = 16,  /* elements that a round may store side by side */
    MOST_DEPTH = 48, /* instructions in a row that lead from what is carried to what is stored */
    MOST_LOOKS = 1000
};

/* A loop of one block. */
typedef struct round {
    LLVMBasicBlockRef block;
    int looks; /* that are left for it */
} round;

static bool is_of(const round *r, LLVMValueRef v)
{
    return LLVMIsAInstruction(v) && LLVMGetInstructionParent(v) == r->block;
}

/* What a phi of the round is in the next one. */
static LLVMValueRef next_of(const round *r, LLVMValueRef phi)
{
    bool second = LLVMGetIncomingBlock(phi, 1) == r->block;
    return LLVMGetIncomingValue(phi, second);
}

/* v as one value of the round and a constant besides, which is added. */
static LLVMValueRef without_constant(LLVMValueRef v, int64_t *constant)
{
    *constant = 0;
    bool adds = LLVMIsAInstruction(v) && LLVMIsABinaryOperator(v) &&
                (LLVMGetInstructionOpcode(v) == LLVMAdd ||
                 (LLVMGetInstructionOpcode(v) == LLVMOr && LLVMGetIsDisjoint(v)));
    LLVMValueRef by = adds ? LLVMGetOperand(v, 1) : NULL;
    if (!by || !LLVMIsAConstantInt(by)) return v;
    *constant = LLVMConstIntGetSExtValue(by);
    return LLVMGetOperand(v, 0);
}

/* By how much v grows with each round; 0: it is no counter. */
static int64_t step_of(const round *r, LLVMValueRef v)
{
    int64_t step;
    if (!is_of(r, v)) return 0;
    if (LLVMIsAPHINode(v)) return without_constant(next_of(r, v), &step) == v ? step : 0;
    if (!LLVMIsABinaryOperator(v) || LLVMGetInstructionOpcode(v) != LLVMAdd) return 0;
    LLVMValueRef one = LLVMGetOperand(v, 0), other = LLVMGetOperand(v, 1);
    if (is_of(r, other)) return is_of(r, one) ? 0 : step_of(r, other);
    return step_of(r, one);
}

static bool comes_from(round *r, LLVMValueRef v, LLVMValueRef phi, int depth)
{
    if (v == phi) return true;
    if (!is_of(r, v) || LLVMIsAPHINode(v) || depth == 0 || --r->looks < 0) return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
        if (comes_from(r, LLVMGetOperand(v, i), phi, depth - 1)) return true;
    return false;
}

/* Whether v follows from what the rounds before made of a value that they carry on. */
static bool is_carried(round *r, LLVMValueRef v)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(r->block); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        bool carries = !step_of(r, phi) && comes_from(r, next_of(r, phi), phi, MOST_DEPTH);
        if (carries && comes_from(r, v, phi, MOST_DEPTH)) return true;
    }
    return false;
}

/* Of the address of an access: the array and the index; false: it has another form. */
static bool element(LLVMValueRef access, LLVMValueRef *array, LLVMValueRef *index)
{
    LLVMValueRef at = LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
    if (!LLVMIsAGetElementPtrInst(at) || LLVMGetNumOperands(at) != 2) return false;
    *array = LLVMGetOperand(at, 0);
    *index = LLVMGetOperand(at, 1);
    return true;
}

static LLVMTypeRef stored_type(LLVMValueRef store)
{
    return LLVMTypeOf(LLVMGetOperand(store, 0));
}

/* There are instructions for integers of these sizes, and floats go as such. */
static unsigned bits_of(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind: return 32;
    case LLVMDoubleTypeKind: return 64;
    case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type);
    default: return 0;
    }
}

static bool is_plain_store(LLVMValueRef v)
{
    unsigned bits = LLVMIsAStoreInst(v) ? bits_of(stored_type(v)) : 0;
    return (bits == 32 || bits == 64) && !LLVMGetVolatile(v) && !gen_is_streamed(v) &&
           LLVMGetOrdering(v) == LLVMAtomicOrderingNotAtomic;
}

/* The lines of what is read come to the caches anyway. */
static bool is_read(const round *r, LLVMValueRef array)
{
    LLVMValueRef from, index;
    for (LLVMValueRef v = LLVMGetFirstInstruction(r->block); v; v = LLVMGetNextInstruction(v))
        if (LLVMIsALoadInst(v) && element(v, &from, &index) && from == array) return true;
    return false;
}

/* Which of the elements behind `root` the stores of the round to this array write: a bit each. */
static uint32_t written(const round *r, LLVMValueRef array, LLVMValueRef root, LLVMTypeRef type)
{
    uint32_t all = 0;
    LLVMValueRef to, index;
    for (LLVMValueRef v = LLVMGetFirstInstruction(r->block); v; v = LLVMGetNextInstruction(v)) {
        int64_t at;
        if (!LLVMIsAStoreInst(v) || !element(v, &to, &index) || to != array) continue;
        bool beside = without_constant(index, &at) == root && stored_type(v) == type;
        if (beside && at >= 0 && at < MOST_STEP) all |= UINT32_C(1) << at;
    }
    return all;
}

static bool can_stream(round *r, LLVMValueRef store)
{
    LLVMValueRef array, index;
    int64_t at;
    if (!is_plain_store(store) || !element(store, &array, &index)) return false;
    if (is_of(r, array) || LLVMIsAAllocaInst(array) || LLVMIsAGlobalVariable(array)) return false;
    LLVMTypeRef of = LLVMGetGEPSourceElementType(LLVMGetOperand(store, 1));
    LLVMValueRef root = without_constant(index, &at);
    int64_t step = step_of(r, root);
    return step > 0 && step <= MOST_STEP && of == stored_type(store) && !is_read(r, array) &&
           written(r, array, root, of) == (UINT32_C(1) << step) - 1 &&
           is_carried(r, LLVMGetOperand(store, 0));
}

static void stream(LLVMBuilderRef b, LLVMValueRef store)
{
    LLVMTypeRef type = stored_type(store);
    LLVMTypeRef bits = LLVMIntTypeInContext(LLVMGetTypeContext(type), bits_of(type));
    LLVMPositionBuilderBefore(b, store);
    LLVMValueRef v = LLVMGetOperand(store, 0);
    /* only AMD's CPUs have such stores of floats, of which code generation would make one again */
    if (type != bits) LLVMSetOperand(store, 0, job_hidden(b, LLVMBuildBitCast(b, v, bits, "")));
    gen_set_streamed(store);
}

static bool mend_round(LLVMBuilderRef b, LLVMBasicBlockRef block)
{
    round r = {block, MOST_LOOKS};
    LLVMValueRef streamed[MOST_STEP * MOST_STEP];
    size_t n = 0;
    if (!job_is_loop(block)) return false;
    for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v))
        if (n < COUNT_OF(streamed) && LLVMIsAStoreInst(v) && can_stream(&r, v)) streamed[n++] = v;
    for (size_t i = 0; i < n; i++) stream(b, streamed[i]);
    return n;
}

/* Other stores do not wait for these. */
static void end_streams(LLVMBuilderRef b, LLVMModuleRef m, LLVMValueRef f, const char *fence)
{
    unsigned id = LLVMLookupIntrinsicID(fence, strlen(fence));
    LLVMValueRef fn = LLVMGetIntrinsicDeclaration(m, id, NULL, 0);
    LLVMTypeRef type = LLVMGlobalGetValueType(fn);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        if (!LLVMIsAReturnInst(end)) continue;
        LLVMPositionBuilderBefore(b, end);
        LLVMBuildCall2(b, type, fn, NULL, 0, "");
    }
}

void stream_mend(LLVMContextRef cx, LLVMModuleRef m, const char *fence)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(cx);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        bool some = false;
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            some |= mend_round(b, block);
        if (some) end_streams(b, m, f, fence);
    }
    LLVMDisposeBuilder(b);
}

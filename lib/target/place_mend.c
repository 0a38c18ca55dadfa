/*
 * Stores behind a condition that also moves the place they go to, as where elements are chosen:
 * `if c: y[k] = v; k += 1`. Which way such a branch goes is as a rule what the data are, so that
 * the CPU guesses wrong; LLVM's vectorisers, behind which this comes, can do nothing with it. The
 * store is made in every round instead, to a place nobody reads where the condition does not hold;
 * what is read for it comes from such a place then.
 */
#include "lib/target/job.h"

enum { MOST_DEPTH = 4, MOST_MOVED = 8 }; /* instructions */

/* A block that one branch leads to, and that goes on where the branch does else. */
typedef struct guarded {
    LLVMBasicBlockRef from, block, join;
    LLVMValueRef branch, condition;
    bool holds; /* the block is there for a condition that does */
} guarded;

/* The only block that this one is entered from; NULL: there are more. */
static LLVMBasicBlockRef only_entry(LLVMBasicBlockRef block)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    if (!use || LLVMGetNextUse(use)) return NULL;
    LLVMValueRef by = LLVMGetUser(use);
    return LLVMIsABranchInst(by) ? LLVMGetInstructionParent(by) : NULL;
}

static unsigned entries(LLVMBasicBlockRef block)
{
    unsigned n = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u))
        n++;
    return n;
}

/* Whether the block is such a one. */
static bool find(LLVMBasicBlockRef block, guarded *g)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsABranchInst(end) || LLVMIsConditional(end)) return false;
    *g = (guarded){only_entry(block), block, LLVMGetSuccessor(end, 0), NULL, NULL, false};
    if (!g->from || g->join == block) return false;
    g->branch = LLVMGetBasicBlockTerminator(g->from);
    if (!LLVMIsConditional(g->branch)) return false;
    g->condition = LLVMGetCondition(g->branch);
    g->holds = LLVMGetSuccessor(g->branch, 0) == block;
    return LLVMGetSuccessor(g->branch, g->holds) == g->join && entries(g->join) == 2;
}

static bool is_plain(LLVMValueRef v)
{
    return LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || LLVMIsASelectInst(v);
}

/* Whether v, which a loop carries on as phi, depends on what the branch does, or on what its
 * condition compares besides. */
static bool follows(const guarded *g, LLVMValueRef phi, LLVMValueRef v, int depth)
{
    if (LLVMIsConstant(v) || v == phi) return false;
    if (v == g->condition) return true;
    if (LLVMIsACmpInst(g->condition) &&
        (v == LLVMGetOperand(g->condition, 0) || v == LLVMGetOperand(g->condition, 1)))
        return true;
    if (LLVMIsAPHINode(v)) return LLVMGetInstructionParent(v) == g->join;
    if (depth == 0 || !is_plain(v)) return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
        if (follows(g, phi, LLVMGetOperand(v, i), depth - 1)) return true;
    return false;
}

/* Whether v is made of what a loop carries on in such a way. */
static bool moves(const guarded *g, LLVMValueRef v, int depth)
{
    if (LLVMIsAPHINode(v)) {
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
            if (follows(g, v, LLVMGetIncomingValue(v, i), MOST_DEPTH)) return true;
        return false;
    }
    if (depth == 0 || !is_plain(v)) return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
        if (moves(g, LLVMGetOperand(v, i), depth - 1)) return true;
    return false;
}

static bool is_access(LLVMValueRef v)
{
    return (LLVMIsAStoreInst(v) || LLVMIsALoadInst(v)) && !LLVMGetVolatile(v) &&
           LLVMGetOrdering(v) == LLVMAtomicOrderingNotAtomic && !gen_is_streamed(v);
}

/* Of an access: which operand its place is. */
static unsigned place_operand(LLVMValueRef access)
{
    return LLVMIsAStoreInst(access) ? 1 : 0;
}

/* Whether the store is to a place that moves on. */
static bool is_placed(const guarded *g, LLVMValueRef store)
{
    LLVMValueRef place = LLVMGetOperand(store, place_operand(store));
    if (!LLVMIsAGetElementPtrInst(place)) return false;
    return moves(g, LLVMGetOperand(place, (unsigned)LLVMGetNumOperands(place) - 1), MOST_DEPTH);
}

static bool is_free(LLVMValueRef v)
{
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMFDiv:
    case LLVMFRem: return false;
    default: return is_plain(v) || LLVMIsACmpInst(v) || LLVMIsAGetElementPtrInst(v);
    }
}

/* Whether the block has such stores, and beside them only what every round may compute. */
static bool is_worth_it(const guarded *g)
{
    bool placed = false;
    int moved = 0;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(g->block);
    for (LLVMValueRef v = LLVMGetFirstInstruction(g->block); v != end;
         v = LLVMGetNextInstruction(v)) {
        if (++moved > MOST_MOVED || (!is_access(v) && !is_free(v))) return false;
        if (LLVMIsAStoreInst(v) && !(placed = is_placed(g, v))) return false;
    }
    return placed;
}

/* At b: one of two, by a condition that code generation must not make a branch of again. */
static LLVMValueRef choose(const guarded *g, LLVMBuilderRef b, LLVMValueRef inside,
                           LLVMValueRef outside)
{
    static const char kind[] = "unpredictable";
    LLVMContextRef cx = LLVMGetTypeContext(LLVMTypeOf(inside));
    LLVMValueRef select = LLVMBuildSelect(b, g->condition, g->holds ? inside : outside,
                                          g->holds ? outside : inside, "");
    if (LLVMIsAInstruction(select))
        LLVMSetMetadata(select, LLVMGetMDKindIDInContext(cx, kind, sizeof kind - 1),
                        LLVMMetadataAsValue(cx, LLVMMDNodeInContext2(cx, NULL, 0)));
    return select;
}

/* A place of the function's own for what goes nowhere, or is read for nobody. */
static LLVMValueRef nowhere(LLVMBuilderRef b, const guarded *g, LLVMValueRef access)
{
    LLVMValueRef v = LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(g->from));
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
    LLVMValueRef place = LLVMBuildAlloca(b, LLVMTypeOf(v), "");
    if (LLVMGetAlignment(place) < LLVMGetAlignment(access))
        LLVMSetAlignment(place, LLVMGetAlignment(access));
    return place;
}

static void move_out(const guarded *g, LLVMBuilderRef b)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(g->block);
    for (LLVMValueRef v = LLVMGetFirstInstruction(g->block), next; v != end; v = next) {
        next = LLVMGetNextInstruction(v);
        LLVMValueRef none = is_access(v) ? nowhere(b, g, v) : NULL;
        LLVMPositionBuilderBefore(b, g->branch);
        LLVMInstructionRemoveFromParent(v);
        if (none) {
            unsigned k = place_operand(v);
            LLVMSetOperand(v, k, choose(g, b, LLVMGetOperand(v, k), none));
        }
        LLVMInsertIntoBuilder(b, v);
    }
}

/* What the join takes from either block. */
static void join(const guarded *g, LLVMBuilderRef b)
{
    LLVMPositionBuilderBefore(b, g->branch);
    for (LLVMValueRef v = LLVMGetFirstInstruction(g->join), next; LLVMIsAPHINode(v); v = next) {
        next = LLVMGetNextInstruction(v);
        bool first = LLVMGetIncomingBlock(v, 0) == g->block;
        LLVMReplaceAllUsesWith(v, choose(g, b, LLVMGetIncomingValue(v, !first),
                                         LLVMGetIncomingValue(v, first)));
        LLVMInstructionEraseFromParent(v);
    }
    LLVMBuildBr(b, g->join);
    LLVMInstructionEraseFromParent(g->branch);
    LLVMDeleteBasicBlock(g->block);
}

void place_mend(LLVMContextRef cx, LLVMModuleRef m)
{
    guarded g;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(cx);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f), next; block; block = next) {
            next = LLVMGetNextBasicBlock(block);
            if (!find(block, &g) || !is_worth_it(&g)) continue;
            move_out(&g, b);
            join(&g, b);
        }
    LLVMDisposeBuilder(b);
}

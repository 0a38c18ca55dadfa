/*
 * Minima and maxima of floats before LLVM's InstCombine sees them. LLVM 22 takes max(c, max(x, c))
 * for max(x, c), with a constant c, and min alike, where the outer one gives c for a NaN and the
 * inner one the NaN: t > c ? t : c, of t = c > x ? c : x, is x > c ? x : c. Constants must be in
 * place, but nothing combined yet: behind the first SROA and early CSE.
 */
#include "lib/target/job.h"

typedef struct choice {
    LLVMValueRef more, less;        /* the condition: more > less, false if either is a NaN */
    LLVMValueRef chosen, otherwise; /* these two, in one order or the other */
} choice;

/* Whether v is a minimum or maximum by such a comparison. */
static bool choice_of(LLVMValueRef v, choice *c)
{
    if (!LLVMIsASelectInst(v)) return false;
    LLVMValueRef compare = LLVMGetOperand(v, 0);
    if (!LLVMIsAFCmpInst(compare)) return false;
    LLVMRealPredicate p = LLVMGetFCmpPredicate(compare);
    if (p != LLVMRealOGT && p != LLVMRealOLT) return false;
    c->more = LLVMGetOperand(compare, p == LLVMRealOLT);
    c->less = LLVMGetOperand(compare, p == LLVMRealOGT);
    c->chosen = LLVMGetOperand(v, 1);
    c->otherwise = LLVMGetOperand(v, 2);
    return (c->chosen == c->more && c->otherwise == c->less) ||
           (c->chosen == c->less && c->otherwise == c->more);
}

static void mend(LLVMBuilderRef b, LLVMValueRef select)
{
    choice outer, inner;
    if (!choice_of(select, &outer) || !choice_of(outer.chosen, &inner)) return;
    bool is_max = outer.chosen == outer.more;
    if ((inner.chosen == inner.more) != is_max || inner.chosen != outer.otherwise) return;
    LLVMPositionBuilderBefore(b, select);
    LLVMValueRef x = inner.otherwise, compare = LLVMBuildFCmp(b, is_max ? LLVMRealOGT : LLVMRealOLT,
                                                              x, outer.otherwise, "");
    LLVMSetOperand(select, 0, compare);
    LLVMSetOperand(select, 1, x);
}

void minmax_mend(LLVMContextRef cx, LLVMModuleRef m)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(cx);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
                 at = LLVMGetNextInstruction(at))
                mend(b, at);
    LLVMDisposeBuilder(b);
}

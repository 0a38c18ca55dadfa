/*
 * Choices between scalar floats by one comparison, for AVX-512. LLVM 22 takes a comparison that
 * several selects have in common through the flags and an integer register to a mask, where that of
 * one select sets the mask: of a value and its index, the least so far, 9 cycles a round and 4. So
 * each gets a comparison of its own, in another of four spellings, as equal ones become one again.
 * Behind the passes.
 */
#include "lib/target/job.h"

enum { SWAPPED = 1, INVERTED = 2, SPELLINGS = 4 };

static LLVMRealPredicate swapped(LLVMRealPredicate p)
{
    switch (p) {
    case LLVMRealOGT: return LLVMRealOLT;
    case LLVMRealOGE: return LLVMRealOLE;
    case LLVMRealOLT: return LLVMRealOGT;
    case LLVMRealOLE: return LLVMRealOGE;
    case LLVMRealUGT: return LLVMRealULT;
    case LLVMRealUGE: return LLVMRealULE;
    case LLVMRealULT: return LLVMRealUGT;
    case LLVMRealULE: return LLVMRealUGE;
    default: return p;
    }
}

static bool is_float(LLVMValueRef v)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    return kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind;
}

static bool chooses(LLVMValueRef user, LLVMValueRef comparison)
{
    return LLVMIsASelectInst(user) && is_float(user) && LLVMGetOperand(user, 0) == comparison;
}

static void spell(LLVMBuilderRef b, LLVMValueRef select, LLVMValueRef comparison, unsigned spelling)
{
    LLVMRealPredicate p = LLVMGetFCmpPredicate(comparison);
    bool swap = spelling & SWAPPED, invert = spelling & INVERTED;
    LLVMValueRef then = LLVMGetOperand(select, 1), otherwise = LLVMGetOperand(select, 2);
    if (invert) p = LLVMRealPredicateTrue - p;
    if (swap) p = swapped(p);
    LLVMPositionBuilderBefore(b, comparison);
    LLVMValueRef own = LLVMBuildFCmp(b, p, LLVMGetOperand(comparison, swap),
                                     LLVMGetOperand(comparison, !swap), "");
    LLVMSetFastMathFlags(own, LLVMGetFastMathFlags(comparison));
    LLVMSetOperand(select, 0, own);
    LLVMSetOperand(select, 1, invert ? otherwise : then);
    LLVMSetOperand(select, 2, invert ? then : otherwise);
}

static void mend(void *user, LLVMBuilderRef b, LLVMValueRef at)
{
    (void)user;
    if (!LLVMIsAFCmpInst(at) || !is_float(LLVMGetOperand(at, 0))) return;
    unsigned spelling = 0;
    LLVMUseRef next, use = LLVMGetFirstUse(at);
    for (; use && LLVMGetNextUse(use) && spelling < SPELLINGS; use = next) {
        LLVMValueRef select = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (chooses(select, at) && ++spelling < SPELLINGS) spell(b, select, at, spelling);
    }
}

void choice_mend(LLVMContextRef cx, LLVMModuleRef m)
{
    job_mend(cx, m, mend, NULL);
}

/*
 * Selections that settle in a loop's first round, computed once. LLVM 22's loop-vectorize takes
 * `p != x ? c : p`, of a phi p that begins as s and is this selection from then on, for a flag that
 * some round raises. Of two such flags in a loop whose end is vectorised too the second begins that
 * end with what the first one is. Where c and x stay as they are the selection is what it is in the
 * first round, with s in place of p: that either keeps s, for ever, or takes c, in place of which
 * later rounds have nothing but c to take.
 */
#include "lib/target/job.h"

enum { MOST_DEPTH = 4 };

/* Whether v is made of constants and parameters alone, so that all rounds of all loops agree. */
static bool is_steady(LLVMValueRef v, int depth)
{
    if (LLVMIsConstant(v) || LLVMIsAArgument(v)) return true;
    if (depth == 0 || !(LLVMIsABinaryOperator(v) || LLVMIsACastInst(v))) return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
        if (!is_steady(LLVMGetOperand(v, i), depth - 1)) return false;
    return true;
}

/* What a phi is before the selection is in its place; NULL: it is anything else besides. */
static LLVMValueRef beginning(LLVMValueRef phi, LLVMValueRef select)
{
    LLVMValueRef first = NULL;
    if (!LLVMIsAPHINode(phi)) return NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        if (v == select) continue;
        if (first && v != first) return NULL;
        first = v;
    }
    return first && is_steady(first, MOST_DEPTH) ? first : NULL;
}

static void mend(void *user, LLVMBuilderRef b, LLVMValueRef select)
{
    (void)user;
    if (!LLVMIsASelectInst(select)) return;
    LLVMValueRef compare = LLVMGetOperand(select, 0), one = LLVMGetOperand(select, 1),
                 other = LLVMGetOperand(select, 2);
    LLVMValueRef phi = LLVMIsAPHINode(one) ? one : other, taken = phi == one ? other : one;
    if (!LLVMIsAICmpInst(compare) || !is_steady(taken, MOST_DEPTH)) return;
    LLVMValueRef first = beginning(phi, select), l = LLVMGetOperand(compare, 0),
                 r = LLVMGetOperand(compare, 1);
    if (!first || !is_steady(l == phi ? r : l, MOST_DEPTH) || (l != phi && r != phi)) return;
    LLVMPositionBuilderBefore(b, select);
    LLVMSetOperand(select, 0,
                   LLVMBuildICmp(b, LLVMGetICmpPredicate(compare), l == phi ? first : l,
                                 r == phi ? first : r, ""));
    LLVMSetOperand(select, phi == one ? 1 : 2, first);
}

void steady_mend(LLVMContextRef cx, LLVMModuleRef m)
{
    job_mend(cx, m, mend, NULL);
}

/*
 * Minima and maxima of floats before LLVM's InstCombine sees them. LLVM 22 takes max(c, max(x, c))
 * for max(x, c), with a constant c, and min alike, where the outer one gives c for a NaN and the
 * inner one the NaN: t > c ? t : c, of t = c > x ? c : x, is x > c ? x : c. Constants must be in
 * place, but nothing combined yet: behind the first SROA and early CSE, and again behind those that
 * come after loops are unrolled, whose first rounds begin with constants. It sees through floats
 * that halves are compared as, or that a result is before it is rounded to one.
 */
#include "lib/target/job.h"

typedef struct choice {
    bool is_max;                    /* the larger one is chosen where the comparison is true */
    LLVMValueRef chosen, otherwise; /* what is compared; `otherwise` also if either is a NaN */
} choice;

static LLVMTypeKind element_kind(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type);
}

/* Whether what is compared is v, or v as float. */
static bool compares(LLVMBuilderRef b, LLVMValueRef compared, LLVMValueRef v)
{
    if (compared == v) return true;
    if (element_kind(compared) != LLVMFloatTypeKind || element_kind(v) != LLVMHalfTypeKind)
        return false;
    if (LLVMIsAFPExtInst(compared)) return LLVMGetOperand(compared, 0) == v;
    return LLVMIsConstant(compared) && LLVMIsConstant(v) &&
           LLVMBuildFPExt(b, v, LLVMTypeOf(compared), "") == compared; /* which folds it */
}

/* Whether v is a minimum or maximum by such a comparison. */
static bool choice_of(LLVMBuilderRef b, LLVMValueRef v, choice *c)
{
    if (!LLVMIsASelectInst(v)) return false;
    LLVMValueRef compare = LLVMGetOperand(v, 0);
    if (!LLVMIsAFCmpInst(compare)) return false;
    LLVMRealPredicate p = LLVMGetFCmpPredicate(compare);
    if (p != LLVMRealOGT && p != LLVMRealOLT) return false;
    LLVMValueRef more = LLVMGetOperand(compare, p == LLVMRealOLT),
                 less = LLVMGetOperand(compare, p == LLVMRealOGT);
    c->chosen = LLVMGetOperand(v, 1);
    c->otherwise = LLVMGetOperand(v, 2);
    c->is_max = compares(b, more, c->chosen) && compares(b, less, c->otherwise);
    return c->is_max || (compares(b, less, c->chosen) && compares(b, more, c->otherwise));
}

/* What v is, rounded to a narrower float and widened again; NULL: it is not. */
static LLVMValueRef rounded_from(LLVMValueRef v)
{
    LLVMValueRef narrow = LLVMIsAFPExtInst(v) ? LLVMGetOperand(v, 0) : NULL;
    if (!narrow || !LLVMIsAFPTruncInst(narrow)) return NULL;
    LLVMValueRef from = LLVMGetOperand(narrow, 0);
    return LLVMTypeOf(from) == LLVMTypeOf(v) ? from : NULL;
}

/* v as `like`, which rounded_from knows. */
static LLVMValueRef rounded(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef like)
{
    LLVMTypeRef narrow = LLVMTypeOf(LLVMGetOperand(like, 0));
    return LLVMBuildFPExt(b, LLVMBuildFPTrunc(b, v, narrow, ""), LLVMTypeOf(v), "");
}

static void mend(void *user, LLVMBuilderRef b, LLVMValueRef select)
{
    choice outer, inner;
    (void)user;
    if (!choice_of(b, select, &outer)) return;
    LLVMValueRef from = rounded_from(outer.chosen), c = outer.otherwise;
    if (!choice_of(b, from ? from : outer.chosen, &inner)) return;
    if (inner.is_max != outer.is_max || inner.chosen != c) return;
    LLVMPositionBuilderBefore(b, select);
    if (from && (!LLVMIsConstant(c) || rounded(b, c, outer.chosen) != c)) return;
    LLVMValueRef x = from ? rounded(b, inner.otherwise, outer.chosen) : inner.otherwise,
                 compare = LLVMBuildFCmp(b, outer.is_max ? LLVMRealOGT : LLVMRealOLT, x,
                                         outer.otherwise, "");
    LLVMSetOperand(select, 0, compare);
    LLVMSetOperand(select, 1, x);
}

void minmax_mend(LLVMContextRef cx, LLVMModuleRef m)
{
    job_mend(cx, m, mend, NULL);
}

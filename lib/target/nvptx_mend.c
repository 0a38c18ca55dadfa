/*
 * What becomes wrong between optimised LLVM IR and machine code for NVIDIA's devices, written in
 * another way; see nvptx_text.c too.
 *
 * - The PTX compiler of drivers (seen in 580.159; ptxas 13.0 of the toolkit is right) takes abs of
 * the least number for a positive number in what follows. |x| is (x ^ m) - m, where m is x shifted
 * to its sign; that of an int16 is computed on 32 bits, and narrowed behind a border that LLVM does
 * not look across.
 * - LLVM 22 makes min.f64 of `x < 0.0 ? x : 0.0`, which may give -0.0 for -0.0 where the comparison
 * says 0.0. It does so where an arm is a constant, so zeros come from where it sees none. So do
 * arms that are loaded, beside an arm that is no constant: the back end may find them to be zeros.
 * - Of `m > 0.0f ? m : 0.0f`, where m is a minimum with 1.0f and so no NaN, ptxas makes a
 * saturation, which is 0.0f where m came of a NaN. A comparison that is true of NaNs it leaves
 * alone.
 * - LLVM 22 makes mul.wide of a shift to the sign that is widened with it, by a factor that is
 * negative to it where the number's is not. It does so where no bit is lost, which is not said.
 * - With an acquire load that nothing uses ptxas may drop what later accesses need (sm_90: the
 * descriptor of memory), and these are illegal instructions. The load becomes a relaxed one, and a
 * fence.
 * - Of a truth value made a float, whose bits are widened as those of an integer, ptxas makes the
 * truth value (sm_75 on): it is a choice of two numbers instead, which nvptx_text.c keeps one.
 * - A truth value whose bits are those of a float, which is the least above 0, ptxas may take for
 * the number 1 where the float is converted or negated. It gets bits that a shift moves into place,
 * which ptxas does not do itself.
 */
#include "lib/target/nvptx_job.h"

typedef struct mender {
    LLVMContextRef cx;
    LLVMBuilderRef b;
    LLVMTypeRef i16, i32, i64;
    unsigned abs; /* the intrinsic */
} mender;

static LLVMValueRef assembly(mender *m, LLVMTypeRef type, const char *text, const char *constraints,
                             LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef params[1] = {type};
    LLVMTypeRef fn = LLVMFunctionType(type, params, n, 0);
    LLVMValueRef callee = LLVMGetInlineAsm(fn, text, strlen(text), constraints, strlen(constraints),
                                           0, 0, LLVMInlineAsmDialectATT, 0);
    return LLVMBuildCall2(m->b, fn, callee, args, n, "");
}

/* |x| of an int32 or int64. */
static LLVMValueRef absolute(mender *m, LLVMValueRef x)
{
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMValueRef sign = type == m->i32 ? assembly(m, type, "shr.s32 $0, $1, 31;", "=r,r", &x, 1)
                                       : assembly(m, type, "shr.s64 $0, $1, 63;", "=l,l", &x, 1);
    return LLVMBuildSub(m->b, LLVMBuildXor(m->b, x, sign, ""), sign, "");
}

/* |x| of an int16. */
static LLVMValueRef absolute_of_narrow(mender *m, LLVMValueRef x)
{
    LLVMValueRef result = absolute(m, LLVMBuildSExt(m->b, x, m->i32, ""));
    result = assembly(m, m->i32, "mov.b32 $0, $1;", "=r,r", &result, 1);
    return LLVMBuildTrunc(m->b, result, m->i16, "");
}

static bool is_number(LLVMValueRef v, double number)
{
    LLVMBool inexact;
    return LLVMIsAConstantFP(v) && LLVMConstRealGetDouble(v, &inexact) == number;
}

/* The number, plus or minus zero, as a value that is no constant to LLVM. */
static LLVMValueRef opaque_zero(mender *m, LLVMValueRef zero)
{
    LLVMTypeRef type = LLVMTypeOf(zero);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    LLVMBool inexact;
    bool minus = __builtin_signbit(LLVMConstRealGetDouble(zero, &inexact));
    if (kind == LLVMDoubleTypeKind)
        return assembly(m, type,
                        minus ? "mov.f64 $0, 0d8000000000000000;"
                              : "mov.f64 $0, 0d0000000000000000;",
                        "=d", NULL, 0);
    if (kind == LLVMFloatTypeKind)
        return assembly(m, type, minus ? "mov.f32 $0, 0f80000000;" : "mov.f32 $0, 0f00000000;",
                        "=f", NULL, 0);
    return kind == LLVMHalfTypeKind
               ? assembly(m, type, minus ? "mov.b16 $0, 0x8000;" : "mov.b16 $0, 0x0000;", "=h",
                          NULL, 0)
               : zero;
}

/* A float that was loaded, behind a border. */
static LLVMValueRef opaque_copy(mender *m, LLVMValueRef x)
{
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMDoubleTypeKind) return assembly(m, type, "mov.b64 $0, $1;", "=d,d", &x, 1);
    if (kind == LLVMFloatTypeKind) return assembly(m, type, "mov.b32 $0, $1;", "=f,f", &x, 1);
    return kind == LLVMHalfTypeKind ? assembly(m, type, "mov.b16 $0, $1;", "=h,h", &x, 1) : x;
}

static LLVMValueRef opaque_arm(mender *m, LLVMValueRef arm, LLVMValueRef other)
{
    if (is_number(arm, 0)) return opaque_zero(m, arm);
    return LLVMIsALoadInst(arm) && !LLVMIsConstant(other) ? opaque_copy(m, arm) : arm;
}

/* A selection that is 1.0 where what it compares is a NaN, and else no more than that. */
static bool is_at_most_one(LLVMValueRef v)
{
    if (!LLVMIsASelectInst(v) || !LLVMIsAFCmpInst(LLVMGetOperand(v, 0))) return false;
    LLVMRealPredicate p = LLVMGetFCmpPredicate(LLVMGetOperand(v, 0));
    if (p == LLVMRealOLT || p == LLVMRealOLE) return is_number(LLVMGetOperand(v, 2), 1);
    return (p == LLVMRealUGT || p == LLVMRealUGE) && is_number(LLVMGetOperand(v, 1), 1);
}

/* compare, of a number with a zero that the selection takes in its place, as its twin that answers
 * otherwise to a NaN, which the number is not; NULL: it is no such selection. */
static LLVMValueRef unsaturated(mender *m, LLVMValueRef select, LLVMValueRef compare)
{
    LLVMRealPredicate p = LLVMGetFCmpPredicate(compare);
    LLVMValueRef number = LLVMGetOperand(compare, 0), zero = LLVMGetOperand(compare, 1);
    bool above = p == LLVMRealOGT;
    if ((!above && p != LLVMRealULE) || LLVMGetTypeKind(LLVMTypeOf(number)) != LLVMFloatTypeKind ||
        !is_number(zero, 0) || LLVMGetOperand(select, above ? 1 : 2) != number ||
        !is_number(LLVMGetOperand(select, above ? 2 : 1), 0) || !is_at_most_one(number))
        return NULL;
    return LLVMBuildFCmp(m->b, above ? LLVMRealUGT : LLVMRealOLE, number, zero, "");
}

static void mend_select(mender *m, LLVMValueRef select)
{
    LLVMValueRef compare = LLVMGetOperand(select, 0);
    if (!LLVMIsAFCmpInst(compare)) return;
    if (LLVMCanValueUseFastMathFlags(select) &&
        (LLVMGetFastMathFlags(select) & LLVMFastMathNoSignedZeros))
        return;
    LLVMPositionBuilderBefore(m->b, select);
    LLVMValueRef twin = unsaturated(m, select, compare);
    if (twin) LLVMSetOperand(select, 0, twin);
    LLVMValueRef one = LLVMGetOperand(select, 1), other = LLVMGetOperand(select, 2);
    LLVMSetOperand(select, 1, opaque_arm(m, one, other));
    LLVMSetOperand(select, 2, opaque_arm(m, other, one));
}

static void mend_load(mender *m, LLVMValueRef load)
{
    LLVMAtomicOrdering order = LLVMGetOrdering(load);
    if (LLVMGetFirstUse(load) || order <= LLVMAtomicOrderingMonotonic) return;
    LLVMSetOrdering(load, LLVMAtomicOrderingMonotonic);
    LLVMPositionBuilderBefore(m->b, LLVMGetNextInstruction(load));
    LLVMBuildFenceSyncScope(m->b, order, LLVMGetAtomicSyncScopeID(load), "");
}

/* x << 31 of an int32, and << 15 of an int16. */
static void mend_shift(LLVMValueRef shift)
{
    LLVMValueRef by = LLVMGetOperand(shift, 1);
    LLVMTypeRef type = LLVMTypeOf(shift);
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMIsAConstantInt(by) &&
        LLVMConstIntGetZExtValue(by) == LLVMGetIntTypeWidth(type) - 1)
        LLVMSetNSW(shift, false);
}

static bool is_bit(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

/* Whether it makes numbers of truth values. */
static bool is_of_truth(LLVMValueRef v)
{
    return (LLVMIsAUIToFPInst(v) || LLVMIsASIToFPInst(v)) && is_bit(LLVMGetOperand(v, 0));
}

static LLVMValueRef chosen(mender *m, LLVMValueRef conversion)
{
    LLVMTypeRef type = LLVMTypeOf(conversion);
    LLVMPositionBuilderBefore(m->b, conversion);
    return LLVMBuildSelect(m->b, LLVMGetOperand(conversion, 0),
                           LLVMConstReal(type, LLVMIsASIToFPInst(conversion) ? -1 : 1),
                           LLVMConstReal(type, 0), "");
}

static bool is_integer(LLVMValueRef v, unsigned long long value)
{
    return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == value;
}

/* Whether it is 1 or 0 by a truth value. */
static bool is_truth(LLVMValueRef v)
{
    if (LLVMIsAZExtInst(v)) return is_bit(LLVMGetOperand(v, 0));
    if (!LLVMIsASelectInst(v)) return false;
    LLVMValueRef a = LLVMGetOperand(v, 1), b = LLVMGetOperand(v, 2);
    return (is_integer(a, 1) && is_integer(b, 0)) || (is_integer(a, 0) && is_integer(b, 1));
}

/* The truth value that a float of 16 or 32 bits is made of, in another way; NULL: it is none. */
static LLVMValueRef shifted_truth(mender *m, LLVMValueRef cast)
{
    if (!LLVMIsABitCastInst(cast)) return NULL;
    LLVMValueRef x = LLVMGetOperand(cast, 0);
    LLVMTypeRef type = LLVMTypeOf(x);
    if ((type != m->i16 && type != m->i32) || !is_truth(x)) return NULL;
    LLVMValueRef one = LLVMConstInt(type, 1, 0);
    LLVMPositionBuilderBefore(m->b, cast);
    x = LLVMBuildShl(m->b, x, one, "");
    x = type == m->i16 ? assembly(m, type, "mov.b16 $0, $1;", "=h,h", &x, 1)
                       : assembly(m, type, "mov.b32 $0, $1;", "=r,r", &x, 1);
    return LLVMBuildBitCast(m->b, LLVMBuildLShr(m->b, x, one, ""), LLVMTypeOf(cast), "");
}

static LLVMValueRef mended(mender *m, LLVMValueRef at)
{
    LLVMValueRef shifted = shifted_truth(m, at);
    if (shifted) return shifted;
    if (is_of_truth(at)) return chosen(m, at);
    LLVMTypeRef type = LLVMTypeOf(at);
    if (type != m->i16 && type != m->i32 && type != m->i64) return NULL;
    if (!LLVMIsACallInst(at)) return NULL;
    LLVMValueRef callee = LLVMGetCalledValue(at), x = LLVMGetOperand(at, 0);
    if (!LLVMIsAFunction(callee) || LLVMGetIntrinsicID(callee) != m->abs) return NULL;
    LLVMPositionBuilderBefore(m->b, at);
    return type == m->i16 ? absolute_of_narrow(m, x) : absolute(m, x);
}

static void mend(void *user, LLVMBuilderRef b, LLVMValueRef at)
{
    mender *m = user;
    m->b = b;
    if (LLVMIsASelectInst(at)) mend_select(m, at);
    if (LLVMIsALoadInst(at)) mend_load(m, at);
    if (LLVMGetInstructionOpcode(at) == LLVMShl) mend_shift(at);
    LLVMValueRef better = mended(m, at);
    if (!better) return;
    LLVMReplaceAllUsesWith(at, better);
    LLVMInstructionEraseFromParent(at);
}

bool nvptx_mend(tgt_job *j)
{
    mender m = {.cx = j->context};
    m.i16 = LLVMInt16TypeInContext(m.cx);
    m.abs = LLVMLookupIntrinsicID("llvm.abs", sizeof "llvm.abs" - 1);
    m.i32 = LLVMInt32TypeInContext(m.cx);
    m.i64 = LLVMInt64TypeInContext(m.cx);
    job_mend(m.cx, j->module, mend, &m);
    nvptx_place_numbers(j);
    return true;
}

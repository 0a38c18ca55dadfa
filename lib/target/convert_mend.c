/*
 * Conversions that LLVM's vectorisers made vectors of, and that the CPU lacks: behind the passes,
 * so that these see the conversion as such.
 */
#include "lib/target/job.h"

static bool is_slow(LLVMValueRef v)
{
    if (!LLVMIsASIToFPInst(v)) return false;
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(v, 0)), to = LLVMTypeOf(v);
    if (LLVMGetTypeKind(to) != LLVMVectorTypeKind) return false;
    LLVMTypeRef element = LLVMGetElementType(from);
    return LLVMGetIntTypeWidth(element) == 64 &&
           LLVMGetTypeKind(LLVMGetElementType(to)) == LLVMDoubleTypeKind;
}

static void mend(void *user, LLVMBuilderRef b, LLVMValueRef at)
{
    (void)user;
    if (!is_slow(at)) return;
    LLVMPositionBuilderBefore(b, at);
    LLVMReplaceAllUsesWith(at, gen_long_to_double(b, LLVMGetOperand(at, 0)));
    LLVMInstructionEraseFromParent(at);
}

void convert_mend(LLVMContextRef cx, LLVMModuleRef m)
{
    job_mend(cx, m, mend, NULL);
}

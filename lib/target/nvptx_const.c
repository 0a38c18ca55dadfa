/*
 * Factors and terms of float64 in constant memory. NVIDIA's instructions take the upper half of a
 * number at most; for each other use of one ptxas makes two moves, which cost as much as the
 * arithmetic (H100: polynomials of 20 numbers take a third more). From constant memory they are
 * operands, or wait in uniform registers.
 */
#include "lib/target/nvptx_job.h"

enum { MOST_NUMBERS = 4096 /* 32 of the 64 KB that a kernel has */ };

typedef struct placer {
    LLVMModuleRef module;
    LLVMTypeRef f64;
    unsigned fma, invariant;
    LLVMValueRef none; /* metadata */
    int count;
} placer;

static bool is_arithmetic(const placer *p, LLVMValueRef v)
{
    if (LLVMIsACallInst(v)) {
        LLVMValueRef callee = LLVMGetCalledValue(v);
        return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) == p->fma;
    }
    if (!LLVMIsAInstruction(v)) return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return op == LLVMFAdd || op == LLVMFSub || op == LLVMFMul;
}

/* The bits of a number that instructions cannot hold; 0: it is none. */
static uint64_t bits_of(LLVMValueRef v)
{
    if (!LLVMIsAConstantFP(v)) return 0;
    LLVMBool inexact;
    double number = LLVMConstRealGetDouble(v, &inexact);
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits & UINT32_MAX ? bits : 0;
}

/* Not constant to LLVM, which would put the number back. */
static LLVMValueRef place(placer *p, LLVMValueRef number, uint64_t bits)
{
    char name[32];
    snprintf(name, sizeof name, "number_%016" PRIx64, bits);
    LLVMValueRef global = LLVMGetNamedGlobal(p->module, name);
    if (global || p->count == MOST_NUMBERS) return global;
    p->count++;
    global = LLVMAddGlobalInAddressSpace(p->module, p->f64, name, 4);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetInitializer(global, number);
    LLVMSetAlignment(global, 8);
    return global;
}

static void mend(void *user, LLVMBuilderRef b, LLVMValueRef at)
{
    placer *p = user;
    if (LLVMTypeOf(at) != p->f64 || !is_arithmetic(p, at)) return;
    int count = LLVMIsACallInst(at) ? 3 : 2;
    LLVMPositionBuilderBefore(b, at);
    for (int i = 0; i < count; i++) {
        LLVMValueRef number = LLVMGetOperand(at, (unsigned)i), global;
        uint64_t bits = bits_of(number);
        if (!bits || !(global = place(p, number, bits))) continue;
        LLVMValueRef load = LLVMBuildLoad2(b, p->f64, global, "");
        LLVMSetMetadata(load, p->invariant, p->none);
        LLVMSetOperand(at, (unsigned)i, load);
    }
}

void nvptx_place_numbers(tgt_job *j)
{
    placer p = {.module = j->module, .f64 = LLVMDoubleTypeInContext(j->context)};
    p.fma = LLVMLookupIntrinsicID("llvm.fma", sizeof "llvm.fma" - 1);
    p.invariant = LLVMGetMDKindIDInContext(j->context, "invariant.load", 14);
    p.none = LLVMMDNodeInContext(j->context, NULL, 0);
    job_mend(j->context, j->module, mend, &p);
}

/*
 * What LLVM 22 gets wrong and is written around, as lib/README.md lists it: each fault is still
 * there in the smallest IR, and not in the form that ours takes. A failure of the first kind is
 * good news: the fault is gone, and so may be what the message names. Faults of drivers are in
 * test/device/faults.test and test/gpu/faults.py.
 */
#include "unit.h"

#include "lib/target/hooks.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether addresses come up again soon, and the static object is within reach. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || defined CPL_LLVM_SHARED
enum { AGAIN = 0 };
#else
enum { AGAIN = 1 };
#endif

enum { MOST_TEXT = 1 << 16, BAD_TEXT = 99, MOST_SECONDS = 5 };

typedef enum place { PASSES, VECTORISER, PTX, SPIRV } place;

typedef struct fault {
    const char *what; /* LLVM does */
    const char *goes; /* what may go with it */
    place place;
    const char *wrong, *mended; /* IR */
    /* What is in the output, or what is not, as long as the fault is there; neither: LLVM ends the
     * process, or is ended after seconds of work where the mended form takes none. */
    const char *sign, *lacks;
} fault;

#define GLOBAL "ptr addrspace(1)"
#define DOUBLE_AT                                                                                  \
    "define double @at() {\n"                                                                      \
    "  %r = call double @f(double 0x7FF8000000000000)\n"                                           \
    "  ret double %r\n"                                                                            \
    "}\n"
#define HALF_AT                                                                                    \
    "define float @at() {\n"                                                                       \
    "  %r = call float @f(i32 1)\n"                                                                \
    "  ret float %r\n"                                                                             \
    "}\n"

/* Two numbers that become p and q in the first round, by comparisons of these with 5. */
#define FLAGS(a, b)                                                                                \
    "define void @f(i64 %n, i64 %p, i64 %q, ptr %out) \"target-cpu\"=\"x86-64-v3\" {\n"            \
    "  br label %for\n"                                                                            \
    "for:\n"                                                                                       \
    "  %a = phi i64 [ %x, %for ], [ 0, %0 ]\n"                                                     \
    "  %b = phi i64 [ %y, %for ], [ 0, %0 ]\n"                                                     \
    "  %i = phi i64 [ %j, %for ], [ 0, %0 ]\n"                                                     \
    "  %c = icmp eq i64 " a ", 5\n"                                                                \
    "  %d = icmp eq i64 " b ", 5\n"                                                                \
    "  %x = select i1 %c, i64 %a, i64 %p\n"                                                        \
    "  %y = select i1 %d, i64 %b, i64 %q\n"                                                        \
    "  %j = add nuw nsw i64 %i, 1\n"                                                               \
    "  %e = icmp eq i64 %j, %n\n"                                                                  \
    "  br i1 %e, label %done, label %for\n"                                                        \
    "done:\n"                                                                                      \
    "  store i64 %x, ptr %out\n"                                                                   \
    "  %o = getelementptr i8, ptr %out, i64 8\n"                                                   \
    "  store i64 %y, ptr %o\n"                                                                     \
    "  ret void\n"                                                                                 \
    "}\n"

/* A sum whose factor, the same in all rounds, is computed in each by 32 squarings. */
#define TWICE(x, y) "  %" y " = fmul double %" x ", %" x "\n"
#define FOUR(x, y)  TWICE(x, y) TWICE(y, y "1") TWICE(y "1", y "2") TWICE(y "2", y "3")
#define SQUARED                                                                                    \
    FOUR("x", "p")                                                                                 \
    FOUR("p3", "q")                                                                                \
    FOUR("q3", "r") FOUR("r3", "t") FOUR("t3", "u") FOUR("u3", "v") FOUR("v3", "w") FOUR("w3", "y")
#define SHARED(enable)                                                                             \
    "define double @f(i64 %n, double %x, ptr %a) {\n"                                              \
    "  br label %for\n"                                                                            \
    "for:\n"                                                                                       \
    "  %i = phi i64 [ 0, %0 ], [ %next, %for ]\n"                                                  \
    "  %s = phi double [ 0.0, %0 ], [ %sum, %for ]\n" SQUARED                                      \
    "  %at = getelementptr double, ptr %a, i64 %i\n"                                               \
    "  %e = load double, ptr %at\n"                                                                \
    "  %term = fmul double %e, %y3\n"                                                              \
    "  %sum = fadd reassoc double %s, %term\n"                                                     \
    "  %next = add nuw nsw i64 %i, 1\n"                                                            \
    "  %more = icmp slt i64 %next, %n\n"                                                           \
    "  br i1 %more, label %for, label %end, !llvm.loop !0\n"                                       \
    "end:\n"                                                                                       \
    "  ret double %sum\n"                                                                          \
    "}\n"                                                                                          \
    "!0 = distinct !{!0, !1}\n"                                                                    \
    "!1 = !{!\"llvm.loop.vectorize.enable\", i1 " enable "}\n"

static const fault faults[] = {
    {"InstCombine takes max(c, max(x, c)) for max(x, c), which is another one for a NaN",
     "target/minmax_mend.c, the parts of each pipeline, fold_min_max's nested limits", PASSES,
     "define double @f(double %x) alwaysinline {\n"
     "  %a = fcmp ogt double 0.0, %x\n"
     "  %t = select i1 %a, double 0.0, double %x\n"
     "  %b = fcmp ogt double %t, 0.0\n"
     "  %r = select i1 %b, double %t, double 0.0\n"
     "  ret double %r\n"
     "}\n" DOUBLE_AT,
     "define double @f(double %x) alwaysinline {\n"
     "  %a = fcmp ogt double %x, 0.0\n"
     "  %r = select i1 %a, double %x, double 0.0\n"
     "  ret double %r\n"
     "}\n" DOUBLE_AT,
     "ret double 0x7FF8", NULL},
    {"InstCombine takes a large integer's conversion to float16 for exact, and drops its overflow",
     "past_half in codegen/gen_base.c", PASSES,
     "define float @f(i32 %x) alwaysinline {\n"
     "  %large = shl i32 %x, 31\n"
     "  %h = uitofp i32 %large to half\n"
     "  %r = fpext half %h to float\n"
     "  ret float %r\n"
     "}\n" HALF_AT,
     "declare i32 @llvm.umin.i32(i32, i32)\n"
     "define float @f(i32 %x) alwaysinline {\n"
     "  %large = shl i32 %x, 31\n"
     "  %least = call i32 @llvm.umin.i32(i32 %large, i32 65535)\n"
     "  %h = uitofp i32 %least to half\n"
     "  %r = fpext half %h to float\n"
     "  ret float %r\n"
     "}\n" HALF_AT,
     "ret float 0x41E0", NULL},
    {"the loop vectorizer begins the end of a loop with one settled flag in place of another",
     "target/steady_mend.c", VECTORISER, FLAGS("%a", "%b"), FLAGS("0", "0"),
     "[ %q, %vec.epilog.middle.block ], [ %p, %vec.epilog.iter.check ]", NULL},
    {"the loop vectorizer takes exponential time over what the rounds side by side share",
     "the limit of vectors() in codegen/gen_loop.c", VECTORISER, SHARED("true"), SHARED("false"),
     NULL, NULL},
    {"NVPTX multiplies by a negative factor what is shifted to its sign and widened",
     "mend_shift in target/nvptx_mend.c", PTX,
     "define i64 @f(i32 %x) {\n"
     "  %s = shl nsw i32 %x, 31\n"
     "  %r = sext i32 %s to i64\n"
     "  ret i64 %r\n"
     "}\n",
     "define i64 @f(i32 %x) {\n"
     "  %s = shl i32 %x, 31\n"
     "  %r = sext i32 %s to i64\n"
     "  ret i64 %r\n"
     "}\n",
     "-2147483648", NULL},
    {"NVPTX makes a minimum of a comparison with a zero, whose sign it takes for no matter",
     "opaque_zero in target/nvptx_mend.c", PTX,
     "define double @f(double %x) {\n"
     "  %c = fcmp olt double %x, 0.0\n"
     "  %r = select i1 %c, double %x, double 0.0\n"
     "  ret double %r\n"
     "}\n",
     "define double @f(double %x) {\n"
     "  %z = call double asm \"mov.f64 $0, 0d0000000000000000;\", \"=d\"()\n"
     "  %c = fcmp olt double %x, 0.0\n"
     "  %r = select i1 %c, double %x, double %z\n"
     "  ret double %r\n"
     "}\n",
     "min.f64", NULL},
    {"NVPTX makes a minimum of a comparison with a zero that it finds behind a load",
     "opaque_copy in target/nvptx_mend.c", PTX,
     "define double @f(double %x) {\n"
     "  %p = alloca double\n"
     "  store double 0.0, ptr %p\n"
     "  %z = load double, ptr %p\n"
     "  %c = fcmp olt double %x, %z\n"
     "  %r = select i1 %c, double %x, double %z\n"
     "  ret double %r\n"
     "}\n",
     "define double @f(double %x) {\n"
     "  %p = alloca double\n"
     "  store double 0.0, ptr %p\n"
     "  %z = load double, ptr %p\n"
     "  %c = fcmp olt double %x, %z\n"
     "  %o = call double asm \"mov.b64 $0, $1;\", \"=d,d\"(double %z)\n"
     "  %r = select i1 %c, double %x, double %o\n"
     "  ret double %r\n"
     "}\n",
     "min.f64", NULL},
    {"NVPTX drops the order of atomicrmw", "the orders in atomic() of codegen/gen_cuda.c", PTX,
     "define i32 @f(" GLOBAL " %p) {\n"
     "  %r = atomicrmw add " GLOBAL " %p, i32 1 syncscope(\"device\") seq_cst\n"
     "  ret i32 %r\n"
     "}\n",
     "define i32 @f(" GLOBAL " %p) {\n"
     "  fence syncscope(\"device\") seq_cst\n"
     "  %r = call i32 asm sideeffect \"atom.acquire.gpu.global.add.u32 $0, [$1], $2;\","
     " \"=r,l,r,~{memory}\"(" GLOBAL " %p, i32 1)\n"
     "  ret i32 %r\n"
     "}\n",
     "atom.global.add", NULL},
    {"NVPTX makes atomicrmw for the system one for the device",
     "the scopes in atomic() of codegen/gen_cuda.c", PTX,
     "define i32 @f(" GLOBAL " %p) {\n"
     "  %r = atomicrmw add " GLOBAL " %p, i32 1 monotonic\n"
     "  ret i32 %r\n"
     "}\n",
     "define i32 @f(" GLOBAL " %p) {\n"
     "  %r = call i32 asm sideeffect \"atom.relaxed.sys.global.add.u32 $0, [$1], $2;\","
     " \"=r,l,r,~{memory}\"(" GLOBAL " %p, i32 1)\n"
     "  ret i32 %r\n"
     "}\n",
     "atom.global.add", NULL},
    {"NVPTX cannot select an atomic load of what a kernel calls noalias readonly",
     "find_atomic_load in codegen/gen_device.c", PTX,
     "define ptx_kernel void @f(" GLOBAL " noalias readonly %p, " GLOBAL " noalias %r) {\n"
     "  %v = load atomic i32, " GLOBAL " %p syncscope(\"device\") monotonic, align 4\n"
     "  store i32 %v, " GLOBAL " %r\n"
     "  ret void\n"
     "}\n",
     "define ptx_kernel void @f(" GLOBAL " noalias %p, " GLOBAL " noalias %r) {\n"
     "  %v = load atomic i32, " GLOBAL " %p syncscope(\"device\") monotonic, align 4\n"
     "  store i32 %v, " GLOBAL " %r\n"
     "  ret void\n"
     "}\n",
     NULL, NULL},
    {"NVPTX makes x - trunc(x / y) * y of frem, which is not exact",
     "gen_fmod in codegen/gen_device.c, for CUDA", PTX,
     "define double @f(double %x, double %y) {\n"
     "  %r = frem double %x, %y\n"
     "  ret double %r\n"
     "}\n",
     "declare double @_Z4fmoddd(double, double)\n"
     "define double @f(double %x, double %y) {\n"
     "  %r = call double @_Z4fmoddd(double %x, double %y)\n"
     "  ret double %r\n"
     "}\n",
     "div.rn.f64", NULL},
    /* In SPIR-V 16 is seq_cst of no memory, 528 of global, 784 of global and local memory. */
    {"SPIR-V's atomicrmw names no memory", "codegen/gen_spirv.c's modify", SPIRV,
     "define spir_func i32 @f(" GLOBAL " %p) {\n"
     "  %r = atomicrmw add " GLOBAL " %p, i32 1 seq_cst\n"
     "  ret i32 %r\n"
     "}\n",
     "declare spir_func i32 @_Z18__spirv_AtomicIAddPU3AS1iiii(" GLOBAL ", i32, i32, i32)\n"
     "define spir_func i32 @f(" GLOBAL " %p) {\n"
     "  %r = call spir_func i32 @_Z18__spirv_AtomicIAddPU3AS1iiii(" GLOBAL
     " %p, i32 0, i32 528, i32 1)\n"
     "  ret i32 %r\n"
     "}\n",
     " 16\n", NULL},
    {"SPIR-V's cmpxchg names no memory", "codegen/gen_spirv.c's exchange", SPIRV,
     "define spir_func i32 @f(" GLOBAL " %p) {\n"
     "  %pair = cmpxchg " GLOBAL " %p, i32 1, i32 2 seq_cst seq_cst\n"
     "  %r = extractvalue {i32, i1} %pair, 0\n"
     "  ret i32 %r\n"
     "}\n",
     "declare spir_func i32 @_Z29__spirv_AtomicCompareExchangePU3AS1iiiiii(" GLOBAL
     ", i32, i32, i32, i32, i32)\n"
     "define spir_func i32 @f(" GLOBAL " %p) {\n"
     "  %r = call spir_func i32 @_Z29__spirv_AtomicCompareExchangePU3AS1iiiiii(" GLOBAL
     " %p, i32 0, i32 528, i32 528, i32 2, i32 1)\n"
     "  ret i32 %r\n"
     "}\n",
     " 16\n", NULL},
    {"SPIR-V's fence names no memory", "codegen/gen_spirv.c's fence", SPIRV,
     "define spir_func void @f() {\n"
     "  fence seq_cst\n"
     "  ret void\n"
     "}\n",
     "declare spir_func void @_Z21__spirv_MemoryBarrierjj(i32, i32)\n"
     "define spir_func void @f() {\n"
     "  call spir_func void @_Z21__spirv_MemoryBarrierjj(i32 0, i32 784)\n"
     "  ret void\n"
     "}\n",
     " 16\n", NULL},
    {"SPIR-V's atomic load is a plain one", "codegen/gen_spirv.c's atomic_load", SPIRV,
     "define spir_func i32 @f(" GLOBAL " %p) {\n"
     "  %r = load atomic i32, " GLOBAL " %p seq_cst, align 4\n"
     "  ret i32 %r\n"
     "}\n",
     "declare spir_func i32 @_Z18__spirv_AtomicLoadPU3AS1iii(" GLOBAL ", i32, i32)\n"
     "define spir_func i32 @f(" GLOBAL " %p) {\n"
     "  %r = call spir_func i32 @_Z18__spirv_AtomicLoadPU3AS1iii(" GLOBAL " %p, i32 0, i32 528)\n"
     "  ret i32 %r\n"
     "}\n",
     "OpLoad ", NULL},
    {"SPIR-V's atomic store is a plain one", "codegen/gen_spirv.c's atomic_store", SPIRV,
     "define spir_func void @f(" GLOBAL " %p) {\n"
     "  store atomic i32 5, " GLOBAL " %p seq_cst, align 4\n"
     "  ret void\n"
     "}\n",
     "declare spir_func void @_Z19__spirv_AtomicStorePU3AS1iiii(" GLOBAL ", i32, i32, i32)\n"
     "define spir_func void @f(" GLOBAL " %p) {\n"
     "  call spir_func void @_Z19__spirv_AtomicStorePU3AS1iiii(" GLOBAL
     " %p, i32 0, i32 528, i32 5)\n"
     "  ret void\n"
     "}\n",
     "OpStore ", NULL},
    {"SPIR-V forgets to narrow a zext of a trunc",
     "avoid_narrowing_zext in target/spirv.c, and CodeGenLevelNone", SPIRV,
     "define spir_func i32 @f(i64 %x) {\n"
     "  %t = trunc i64 %x to i8\n"
     "  %r = zext i8 %t to i32\n"
     "  ret i32 %r\n"
     "}\n",
     "define spir_func i32 @f(i64 %x) {\n"
     "  %t = trunc i64 %x to i32\n"
     "  %r = and i32 %t, 255\n"
     "  ret i32 %r\n"
     "}\n",
     NULL, "OpUConvert"},
    {"SPIR-V computes with the next wider integer and forgets that 24 bits are fewer",
     "is_type_known in target/spirv.c; its passes may be as the host's", SPIRV,
     "define spir_func i32 @f(" GLOBAL " %p) {\n"
     "  %v = load i24, " GLOBAL " %p\n"
     "  %m = mul i24 %v, %v\n"
     "  %r = zext i24 %m to i32\n"
     "  ret i32 %r\n"
     "}\n",
     "define spir_func i32 @f(" GLOBAL " %p) {\n"
     "  %v = load i32, " GLOBAL " %p\n"
     "  %m = mul i32 %v, %v\n"
     "  %r = and i32 %m, 16777215\n"
     "  ret i32 %r\n"
     "}\n",
     NULL, "OpBitwiseAnd"},
    {"SPIR-V's back end crashes over a phi of arrays, which passes make of whole stores",
     "codegen/gen_spirv.c's clear, but that memset becomes a loop over bytes", SPIRV,
     "define spir_func void @f(ptr %p, i1 %c) {\n"
     "  br i1 %c, label %yes, label %no\n"
     "yes:\n"
     "  br label %no\n"
     "no:\n"
     "  %v = phi [4 x i8] [zeroinitializer, %0], [zeroinitializer, %yes]\n"
     "  store [4 x i8] %v, ptr %p\n"
     "  ret void\n"
     "}\n",
     "define spir_func void @f(ptr %p, i1 %c) {\n"
     "  br i1 %c, label %yes, label %no\n"
     "yes:\n"
     "  br label %no\n"
     "no:\n"
     "  %v = phi i8 [0, %0], [0, %yes]\n"
     "  store i8 %v, ptr %p\n"
     "  ret void\n"
     "}\n",
     NULL, NULL},
    {"SPIR-V ends the process over integers of 128 bits", "is_type_known in target/spirv.c", SPIRV,
     "define spir_func i64 @f(" GLOBAL " %p) {\n"
     "  %v = load i128, " GLOBAL " %p\n"
     "  %r = trunc i128 %v to i64\n"
     "  ret i64 %r\n"
     "}\n",
     "define spir_func i64 @f(" GLOBAL " %p) {\n"
     "  %r = load i64, " GLOBAL " %p\n"
     "  ret i64 %r\n"
     "}\n",
     NULL, NULL},
    {"SPIR-V ends the process over intrinsics, such as bitreverse",
     "is_known in target/spirv.c, if it takes all others too", SPIRV,
     "declare i32 @llvm.bitreverse.i32(i32)\n"
     "define spir_func i32 @f(i32 %x) {\n"
     "  %r = call i32 @llvm.bitreverse.i32(i32 %x)\n"
     "  ret i32 %r\n"
     "}\n",
     "declare i32 @llvm.smax.i32(i32, i32)\n"
     "define spir_func i32 @f(i32 %x) {\n"
     "  %r = call i32 @llvm.smax.i32(i32 %x, i32 7)\n"
     "  ret i32 %r\n"
     "}\n",
     NULL, NULL},
};

static LLVMModuleRef read_ir(LLVMContextRef cx, const char *text)
{
    LLVMModuleRef m = NULL;
    char *error = NULL;
    LLVMMemoryBufferRef bytes =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "fault");
    if (LLVMParseIRInContext(cx, bytes, &m, &error) ||
        LLVMVerifyModule(m, LLVMReturnStatusAction, &error)) {
        fprintf(stderr, "%s\n%s", error, text);
        _exit(BAD_TEXT);
    }
    return m;
}

static LLVMTargetMachineRef new_machine(const char *triple, const char *cpu,
                                        LLVMCodeGenOptLevel level)
{
    LLVMTargetRef target;
    char *error = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &error)) {
        fprintf(stderr, "%s\n", error);
        _exit(BAD_TEXT);
    }
    return LLVMCreateTargetMachine(target, triple, cpu, "", level, LLVMRelocDefault,
                                   LLVMCodeModelDefault);
}

/* With nothing of ours. */
static LLVMTargetMachineRef machine_of(place where)
{
    if (where == VECTORISER) {
        LLVMInitializeX86TargetInfo();
        LLVMInitializeX86Target();
        LLVMInitializeX86TargetMC();
        return new_machine("x86_64-pc-linux-gnu", "x86-64-v3", LLVMCodeGenLevelAggressive);
    }
    if (where == PTX) {
        LLVMInitializeNVPTXTargetInfo();
        LLVMInitializeNVPTXTarget();
        LLVMInitializeNVPTXTargetMC();
        LLVMInitializeNVPTXAsmPrinter();
        return new_machine("nvptx64-nvidia-cuda", "sm_90", LLVMCodeGenLevelAggressive);
    }
    LLVMInitializeSPIRVTargetInfo();
    LLVMInitializeSPIRVTarget();
    LLVMInitializeSPIRVTargetMC();
    LLVMInitializeSPIRVAsmPrinter();
    return new_machine("spirv64v1.2-unknown-unknown", "", LLVMCodeGenLevelNone);
}

/* What the machine makes of the IR; to be freed by LLVM. */
static LLVMMemoryBufferRef assembly_of(LLVMContextRef cx, LLVMTargetMachineRef machine,
                                       const char *ir)
{
    LLVMModuleRef m = read_ir(cx, ir);
    char *triple = LLVMGetTargetMachineTriple(machine), *error = NULL;
    LLVMTargetDataRef data = LLVMCreateTargetDataLayout(machine);
    LLVMMemoryBufferRef bytes = NULL;
    LLVMSetTarget(m, triple);
    LLVMSetModuleDataLayout(m, data);
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, m, LLVMAssemblyFile, &error, &bytes)) abort();
    LLVMDisposeTargetData(data);
    LLVMDisposeMessage(triple);
    LLVMDisposeModule(m);
    return bytes;
}

/* f as InstCombine leaves it, put to what at() calls it with, or as the vectorizer does. */
static char *optimised(LLVMContextRef cx, place where, const char *ir)
{
    LLVMModuleRef m = read_ir(cx, ir);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    const char *passes =
        where == VECTORISER ? "function(loop-vectorize,instcombine<no-verify-fixpoint>,simplifycfg)"
                            : "function(instcombine<no-verify-fixpoint>),always-inline,"
                              "function(instsimplify)";
    if (LLVMRunPasses(m, passes, where == VECTORISER ? machine_of(where) : NULL, options)) abort();
    return LLVMPrintModuleToString(m);
}

static void put(int to, const char *text, size_t n)
{
    while (n) {
        ssize_t done = write(to, text, n);
        if (done <= 0) _exit(BAD_TEXT);
        text += done;
        n -= (size_t)done;
    }
}

static void work_in_child(place where, const char *ir, int to)
{
    LLVMContextRef cx = LLVMContextCreate();
    if (where == PASSES || where == VECTORISER) {
        const char *text = optimised(cx, where, ir);
        put(to, text, strlen(text));
    } else {
        LLVMMemoryBufferRef bytes = assembly_of(cx, machine_of(where), ir);
        put(to, LLVMGetBufferStart(bytes), LLVMGetBufferSize(bytes));
    }
}

/* The same module again and again: whether what it becomes depends on what was before it. */
static void repeat(place where, const char *ir, int to, bool fresh)
{
    enum { TIMES = 50 };
    LLVMMemoryBufferRef first = NULL;
    if (fresh) hook_spirv_keep();
    for (int i = 0; i < TIMES; i++) {
        LLVMContextRef cx = LLVMContextCreate();
        LLVMTargetMachineRef machine = machine_of(where);
        if (fresh) hook_spirv_fresh(1);
        LLVMMemoryBufferRef bytes = assembly_of(cx, machine, ir);
        LLVMDisposeTargetMachine(machine);
        LLVMContextDispose(cx);
        if (!first) first = bytes;
        if (LLVMGetBufferSize(bytes) != LLVMGetBufferSize(first) ||
            memcmp(LLVMGetBufferStart(bytes), LLVMGetBufferStart(first),
                   LLVMGetBufferSize(first)) != 0)
            put(to, "another", 7);
    }
    put(to, ".", 1);
}

static void repeat_in_child(place where, const char *ir, int to)
{
    repeat(where, ir, to, false);
}

static void repeat_fresh_in_child(place where, const char *ir, int to)
{
    repeat(where, ir, to, true);
}

/* Runs work in a child, which may be ended by it, and gives what it writes; false if it was. */
static bool in_child(void (*work)(place where, const char *ir, int to), place where, const char *ir,
                     char out[MOST_TEXT])
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        /* LLVM's words at the end, and a sanitizer's, are no part of the result */
        if (!freopen("/dev/null", "w", stderr)) _exit(BAD_TEXT);
        signal(SIGABRT, SIG_DFL);
        signal(SIGSEGV, SIG_DFL);
        close(ends[0]);
        setrlimit(RLIMIT_CPU, &(struct rlimit){MOST_SECONDS, MOST_SECONDS});
        work(where, ir, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    size_t n = 0;
    for (ssize_t got; (got = read(ends[0], out + n, MOST_TEXT - 1 - n)) > 0;) n += (size_t)got;
    out[n] = 0;
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_false(WIFEXITED(status) && WEXITSTATUS(status) == BAD_TEXT);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool shows(const fault *f, const char *ir)
{
    static char out[MOST_TEXT];
    if (!in_child(work_in_child, f->place, ir, out)) {
        if (f->sign || f->lacks) fail_msg("LLVM ends the process over\n%s", ir);
        return true;
    }
    assert_true(*out);
    return (f->sign && strstr(out, f->sign)) || (f->lacks && !strstr(out, f->lacks));
}

static void faults_are_there(void **state)
{
    (void)state;
    unsigned gone = 0;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const fault *f = &faults[i];
        if (shows(f, f->mended))
            fail_msg("it does not help any more that %s: %s", f->goes, f->what);
        if (shows(f, f->wrong)) continue;
        print_error("gone is that %s: %s may go\n", f->what, f->goes);
        gone++;
    }
    assert_int_equal(gone, 0);
}

static void back_end_remembers(void **state)
{
    static const char ir[] = "define spir_func i32 @f(i1 %c, i32 %x) {\n"
                             "  br i1 %c, label %yes, label %no\n"
                             "yes:\n"
                             "  %y = add i32 %x, 1\n"
                             "  br label %no\n"
                             "no:\n"
                             "  %r = phi i32 [%x, %0], [%y, %yes]\n"
                             "  ret i32 %r\n"
                             "}\n";
    static char out[MOST_TEXT];
    (void)state;
    if (!AGAIN) skip();
    if (!in_child(repeat_fresh_in_child, SPIRV, ir, out) || strcmp(out, ".") != 0)
        fail_msg("hook_spirv_fresh does not help any more: %s", out);
    if (in_child(repeat_in_child, SPIRV, ir, out) && strcmp(out, ".") == 0)
        fail_msg("gone is that SPIR-V's back end gives basic blocks the ids of an earlier module: "
                 "hook_spirv_keep and hook_spirv_fresh of target/hooks.h, CPL_SPIRV_STATE and "
                 "tgt_job.alone may go");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_there),
        cmocka_unit_test(back_end_remembers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

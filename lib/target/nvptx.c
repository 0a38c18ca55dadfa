/*
 * CUDA as a target: PTX through LLVM's NVPTX back end, with mathematics from a library in LLVM
 * bitcode. In order: $CPL_LIBDEVICE names NVIDIA's libdevice.10.bc, else a CUDA toolkit's is looked
 * for ("" for neither), else what the build took from libclc, else libclc's own file in
 * $CPL_LIBCLC_DIR. Nothing of it is needed at run time where the build found libclc.
 */
#include "lib/target/guard.h"
#include "lib/target/hooks.h"
#include "lib/target/mathlib.h"
#include "lib/target/nvptx.h"
#include "lib/target/nvptx_job.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define TRIPLE "nvptx64-nvidia-cuda"

/* Per process: what never changes while it runs. */
static guard_init begun;
static struct {
    LLVMTargetRef target;
    char *layout;
} nvptx;

static pthread_once_t math_once = PTHREAD_ONCE_INIT;
static struct {
    enum { MATH_NONE, MATH_LIBDEVICE, MATH_EMBEDDED, MATH_LIBCLC } kind;
    char path[512];
    long long size, modified;
} math;

static bool found(int kind, const char *folder, const char *file)
{
    struct stat s;
    int n = snprintf(math.path, sizeof math.path, "%s%s", folder, file);
    if (n < 0 || (size_t)n >= sizeof math.path || stat(math.path, &s) || !S_ISREG(s.st_mode))
        return false;
    math.size = (long long)s.st_size;
    math.modified = (long long)s.st_mtime;
    math.kind = kind;
    return true;
}

static void find_math(void)
{
    static const char libdevice[] = "/nvvm/libdevice/libdevice.10.bc", libclc[] = "/nvptx64--.bc";
    const char *const toolkits[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
    const char *file = getenv("CPL_LIBDEVICE"), *folder = getenv("CPL_LIBCLC_DIR");
    if (file && *file && found(MATH_LIBDEVICE, file, "")) return;
    for (size_t i = 0; !file && i < COUNT_OF(toolkits); i++)
        if (toolkits[i] && *toolkits[i] && found(MATH_LIBDEVICE, toolkits[i], libdevice)) return;
    if (folder && *folder && found(MATH_LIBCLC, folder, libclc)) return;
    math.kind = MATH_EMBEDDED;
    if (mathlib_size || found(MATH_LIBCLC, "/usr/lib/clc", libclc)) return;
    math.kind = MATH_NONE;
}

bool nvptx_has_libdevice(void)
{
    pthread_once(&math_once, find_math);
    return math.kind == MATH_LIBDEVICE;
}

static bool init(void)
{
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    char *error = NULL;
    if (LLVMGetTargetFromTriple(TRIPLE, &nvptx.target, &error)) {
        LLVMDisposeMessage(error);
        return false;
    }
    LLVMTargetMachineRef tm =
        LLVMCreateTargetMachine(nvptx.target, TRIPLE, "sm_75", "", LLVMCodeGenLevelDefault,
                                LLVMRelocDefault, LLVMCodeModelDefault);
    if (!tm) return false;
    LLVMTargetDataRef data = LLVMCreateTargetDataLayout(tm);
    nvptx.layout = LLVMCopyStringRepOfTargetData(data);
    LLVMDisposeTargetData(data);
    LLVMDisposeTargetMachine(tm);
    return true;
}

/* The PTX version is the oldest that has the compute capability: drivers refuse versions newer than
 * themselves. */
static LLVMTargetMachineRef new_machine(const tgt_options *o)
{
    /* Aggressive is twice LLVM's value numbering in place of its early-cse, for nothing: a scan's
     * kernel takes a fifth longer, and no figure of `./dev bench --gpu` is better (vortices 3 %
     * worse). */
    static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone, LLVMCodeGenLevelLess,
                                                 LLVMCodeGenLevelDefault, LLVMCodeGenLevelDefault};
    char cpu[16];
    snprintf(cpu, sizeof cpu, "sm_%d", o->target.version);
    return LLVMCreateTargetMachine(nvptx.target, TRIPLE, cpu, "", levels[o->opt_level],
                                   LLVMRelocDefault, LLVMCodeModelDefault);
}

static void free_machine(const tgt_options *o, LLVMTargetMachineRef machine)
{
    (void)o;
    LLVMDisposeTargetMachine(machine);
}

/*
 * As for the host (host.c), with what a GPU has other needs for: nothing is vectorised across
 * iterations, warps do that; no unswitching of conditions that differ between them; loops are
 * unrolled at run time too, so that several loads are in flight (the back end's TTI says how far).
 * aggressive-instcombine knows the usual ways to count bits, for which there is an instruction.
 * nvvm-reflect answers libdevice's questions about the architecture. Address spaces are inferred
 * and loads joined in the back end's own passes.
 */
#define KERNEL_PIPELINE                                                                            \
    "function(instcombine<no-verify-fixpoint>,simplifycfg,"                                        \
    "loop-mssa(loop-rotate,licm,simple-loop-unswitch<no-nontrivial;trivial>),"                     \
    "simplifycfg,loop(indvars,loop-deletion,loop-unroll-full),sroa,early-cse<memssa>)"
#define UNROLLED                                                                                   \
    "function(instcombine<no-verify-fixpoint>,aggressive-instcombine,"                             \
    "loop-unroll<O3>,early-cse<memssa>)"
#define TIDY                                                                                       \
    "function(instcombine<no-verify-fixpoint>,loop-mssa(licm),loop(loop-deletion),adce,"           \
    "simplifycfg,infer-alignment),"                                                                \
    "globaldce"
#define SCALARS   "nvvm-reflect,function(sroa,early-cse,simplifycfg),cgscc(inline),"
#define THOROUGH  SCALARS "globaldce,function(sroa,early-cse<memssa>)"
#define NONE      "nvvm-reflect,globaldce"
#define QUICK     SCALARS "function(sroa,early-cse)"
#define QUICK_END "function(instcombine<no-verify-fixpoint>,simplifycfg),globaldce"
static const job_passes passes[] = {
    {{NONE}, NULL, NULL},
    {{QUICK, QUICK_END}, NULL, NULL},
    {{THOROUGH, KERNEL_PIPELINE, UNROLLED, TIDY}, NULL, NULL},
    {{THOROUGH, KERNEL_PIPELINE, UNROLLED, TIDY}, NULL, NULL},
};
/* PTX of 300 small loops takes 3.6 s, of 600 16 s; with level 1 1800 nested ones take 18 s. */
static const job_limit limits[] = {
    {200, 1, {{QUICK, QUICK_END}, NULL, NULL}, "unroll"},
    {800, 0, {{NONE}, NULL, NULL}, "optimise"},
};

/* A function that the kernel's module calls and nobody defines: vprintf and libdevice's reflection
 * are the driver's and LLVM's. */
static LLVMValueRef undefined(LLVMModuleRef m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        const char *name = LLVMGetValueName(f);
        if (!LLVMIsDeclaration(f) || LLVMGetIntrinsicID(f) || !LLVMGetFirstUse(f)) continue;
        if (LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, GEN_TEXT_MARK,
                                          strlen(GEN_TEXT_MARK)))
            continue;
        if (strcmp(name, "vprintf") && strcmp(name, "__nvvm_reflect")) return f;
    }
    return NULL;
}

/* Only function bodies that something calls are ever read: the module is lazy, and linkonce_odr
 * leaves the others out. */
static LLVMModuleRef open_library(tgt_job *j)
{
    LLVMMemoryBufferRef bytes = NULL;
    LLVMModuleRef library = NULL;
    char *error = NULL;
    if (math.kind == MATH_EMBEDDED) {
        bytes = LLVMCreateMemoryBufferWithMemoryRange((const char *)mathlib_bytes, mathlib_size,
                                                      "mathlib", 0);
    } else if (LLVMCreateMemoryBufferWithContentsOfFile(math.path, &bytes, &error)) {
        job_add_error(j, error);
        LLVMDisposeMessage(error);
        return NULL;
    }
    /* says why through the diagnostic handler */
    if (LLVMGetBitcodeModuleInContext2(j->context, bytes, &library)) {
        LLVMDisposeMemoryBuffer(bytes);
        return NULL;
    }
    if (math.kind == MATH_EMBEDDED) return library;
    LLVMSetTarget(library, TRIPLE);
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
    return library;
}

static LLVMAttributeRef attribute(LLVMContextRef cx, const char *name)
{
    return LLVMCreateEnumAttribute(cx, LLVMGetEnumAttributeKindForName(name, strlen(name)), 0);
}

/* Loops of a library's function end, as those of the kernel's functions do (codegen/gen_device.c),
 * and so do instructions of assembly. */
static void mark_ends(LLVMContextRef cx, LLVMValueRef f)
{
    LLVMAttributeRef returns = attribute(cx, "willreturn");
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute(cx, "mustprogress"));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
                LLVMAddCallSiteAttribute(i, LLVMAttributeFunctionIndex, returns);
}

/* Attributes of their own compilation would keep functions from being inlined. */
static void adopt(LLVMValueRef f)
{
    static const char *const foreign[] = {"target-features", "target-cpu", "frame-pointer",
                                          "tune-cpu"};
    LLVMSetLinkage(f, LLVMInternalLinkage);
    for (size_t i = 0; i < COUNT_OF(foreign); i++)
        LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, foreign[i],
                                         (unsigned)strlen(foreign[i]));
}

static bool link_math(tgt_job *j)
{
    if (!undefined(j->module)) return true;
    if (math.kind == MATH_NONE) {
        snprintf(j->unmet, sizeof j->unmet,
                 "CUDA kernels need a library for '%s': set CPL_LIBDEVICE to libdevice.10.bc of a "
                 "CUDA toolkit",
                 LLVMGetValueName(undefined(j->module)));
        return false;
    }
    LLVMModuleRef library = open_library(j);
    /* the diagnostic handler was told */
    if (!library || LLVMLinkModules2(j->module, library)) return false;
    for (LLVMValueRef f = LLVMGetFirstFunction(j->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) != LLVMLinkOnceODRLinkage) continue;
        adopt(f);
        mark_ends(j->context, f);
    }
    LLVMValueRef missing = undefined(j->module);
    if (missing)
        snprintf(j->unmet, sizeof j->unmet, "the math library at hand has no '%s'",
                 LLVMGetValueName(missing));
    return !missing;
}

bool nvptx_emit(compilation *c, ir_module *m, const tgt_options *options, tgt_stage stage,
                strbuf *out, tgt_times *times)
{
    tgt_options within = *options, *o = &within;
    if (!guard_once(&begun, init)) {
        diag_error(&c->diags, CPL_ECOMPILER, (cpl_span){0}, "LLVM has no target for CUDA");
        return false;
    }
    pthread_once(&math_once, find_math);
    tgt_job j = {.c = c,
                 .options = o,
                 .triple = TRIPLE,
                 .layout = nvptx.layout,
                 .passes = passes[o->opt_level],
                 .take_machine = new_machine,
                 .give_machine = free_machine,
                 .before_passes = link_math,
                 .after_passes = nvptx_mend,
                 .put_text = nvptx_mend_text};
    j.gen = (gen_options){.target = &o->target,
                          .libdevice = math.kind == MATH_LIBDEVICE,
                          .distinct_node = hook_distinct_node,
                          .contract = o->contract,
                          .reassoc = o->reassoc,
                          .vector_math = o->vector_math,
                          .finite_math = o->finite_math,
                          .debug_info = o->debug_info};
    job_limit_loops(&j, o, m, limits, COUNT_OF(limits));
    if (stage == TGT_LLVM || !nvptx_has_texts(m))
        return job_run(&j, m, stage == TGT_OBJ ? TGT_ASM : stage, out, times);
    strbuf own;
    sb_init(&own, out->mem);
    bool ok = job_run(&j, m, TGT_ASM, &own, times) && !own.failed;
    if (ok) nvptx_add_texts(out, own.at, m);
    else out->failed |= own.failed;
    sb_free(&own);
    return ok;
}

void nvptx_identity(strbuf *out)
{
    pthread_once(&math_once, find_math);
    sb_printf(out, "math %d %s %lld %lld\n", (int)math.kind,
              math.kind == MATH_EMBEDDED ? "" : math.path, math.size, math.modified);
}

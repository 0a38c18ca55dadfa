/* OpenCL as a target: SPIR-V through LLVM's back end. The driver optimises; here variables become
 * values and functions are inlined. */
#include "lib/target/guard.h"
#include "lib/target/hooks.h"
#include "lib/target/job.h"
#include "lib/target/spirv.h"

#include <llvm-c/Target.h>

#include <stdio.h>

/* Per process: what never changes while it runs. The layout is that of every version. */
static guard_init begun;
static atomic_int alone;
static struct {
    LLVMTargetRef target;
    char *layout;
} spirv;

enum { TRIPLE_SIZE = 40 };

static const char *triple_of(const tgt_target *t, char text[TRIPLE_SIZE])
{
    snprintf(text, TRIPLE_SIZE, "spirv64v%d.%d-unknown-unknown", t->version / 10, t->version % 10);
    return text;
}

/* No optimisation behind the passes: strength reduction and the like make what avoid_narrowing_zext
 * keeps away, and the driver does it again. */
static LLVMTargetMachineRef new_machine(const tgt_options *o)
{
    char triple[TRIPLE_SIZE];
    return LLVMCreateTargetMachine(spirv.target, triple_of(&o->target, triple), "", "",
                                   LLVMCodeGenLevelNone, LLVMRelocDefault, LLVMCodeModelDefault);
}

static void free_machine(const tgt_options *o, LLVMTargetMachineRef machine)
{
    (void)o;
    LLVMDisposeTargetMachine(machine);
}

static bool init(void)
{
    hook_spirv_keep();
    LLVMInitializeSPIRVTargetInfo();
    LLVMInitializeSPIRVTarget();
    LLVMInitializeSPIRVTargetMC();
    LLVMInitializeSPIRVAsmPrinter();
    tgt_options any = {.target = {.kind = TGT_SPIRV, .version = 12}};
    char triple[TRIPLE_SIZE], *error = NULL;
    if (LLVMGetTargetFromTriple(triple_of(&any.target, triple), &spirv.target, &error)) {
        LLVMDisposeMessage(error);
        return false;
    }
    LLVMTargetMachineRef tm = new_machine(&any);
    if (!tm) return false;
    LLVMTargetDataRef data = LLVMCreateTargetDataLayout(tm);
    spirv.layout = LLVMCopyStringRepOfTargetData(data);
    LLVMDisposeTargetData(data);
    LLVMDisposeTargetMachine(tm);
    return true;
}

/*
 * No instcombine, and mem2reg in place of sroa: they make intrinsics of all kinds, and integers of
 * 24 bits where memory is read as another type, which LLVM 22's back end computes with 32.
 */
static const char *const pipelines[] = {
    NULL,
    "function(mem2reg,early-cse,simplifycfg),cgscc(inline),globaldce",
    "function(mem2reg,early-cse,simplifycfg),cgscc(inline),"
    "function(mem2reg,early-cse<memssa>,instsimplify,simplifycfg,loop-mssa(licm),early-cse<memssa>)"
    ",globaldce",
    "function(mem2reg,early-cse,simplifycfg),cgscc(inline),"
    "function(mem2reg,early-cse<memssa>,instsimplify,simplifycfg,loop-mssa(licm),early-cse<memssa>)"
    ",globaldce",
};

/* Intrinsics that become SPIR-V instructions or calls of OpenCL's functions. */
static const char *const intrinsics[] = {
    "llvm.fabs",       "llvm.sqrt",           "llvm.floor",
    "llvm.ceil",       "llvm.trunc",          "llvm.round",
    "llvm.rint",       "llvm.copysign",       "llvm.fma",
    "llvm.abs",        "llvm.smin",           "llvm.smax",
    "llvm.umin",       "llvm.umax",           "llvm.fptosi.sat",
    "llvm.fptoui.sat", "llvm.lifetime.start", "llvm.lifetime.end",
    "llvm.dbg.value",  "llvm.dbg.declare",
};

static bool is_known(LLVMValueRef fn)
{
    unsigned id = LLVMGetIntrinsicID(fn);
    for (size_t i = 0; i < COUNT_OF(intrinsics); i++)
        if (LLVMLookupIntrinsicID(intrinsics[i], strlen(intrinsics[i])) == id) return true;
    return false;
}

static bool is_type_known(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) type = LLVMGetElementType(type);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return true;
    unsigned width = LLVMGetIntTypeWidth(type);
    return width == 1 || width == 8 || width == 16 || width == 32 || width == 64;
}

static bool is(LLVMValueRef v, LLVMOpcode opcode)
{
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == opcode;
}

/*
 * zext(trunc(x)) to fewer bits than x has: LLVM 22's back end masks x and forgets to narrow it.
 * Narrowing and masking are made two instructions here.
 */
static LLVMValueRef narrowed(LLVMBuilderRef b, LLVMValueRef zext)
{
    LLVMValueRef trunc = LLVMGetOperand(zext, 0),
                 from = is(trunc, LLVMTrunc) ? LLVMGetOperand(trunc, 0) : NULL;
    LLVMTypeRef type = LLVMTypeOf(zext);
    while (from && is(from, LLVMTrunc)) from = LLVMGetOperand(from, 0); /* it sees through these */
    if (!from || LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return NULL;
    if (LLVMGetIntTypeWidth(type) >= LLVMGetIntTypeWidth(LLVMTypeOf(from))) return NULL;
    LLVMValueRef mask =
        LLVMConstInt(type, (UINT64_C(1) << LLVMGetIntTypeWidth(LLVMTypeOf(trunc))) - 1, 0);
    LLVMPositionBuilderBefore(b, zext);
    return LLVMBuildAnd(b, LLVMBuildTrunc(b, from, type, ""), mask, "");
}

static void replace(LLVMValueRef i, LLVMValueRef by) /* NULL: it stays */
{
    if (!by) return;
    LLVMReplaceAllUsesWith(i, by);
    LLVMInstructionEraseFromParent(i);
}

static void avoid_narrowing_zext(LLVMBuilderRef b, LLVMValueRef i)
{
    replace(i, narrowed(b, i));
}

/* An element of an array of a work-item's own, at an index that may vary. */
static bool varies_in_private(LLVMValueRef address)
{
    if (!is(address, LLVMGetElementPtr) || LLVMGetPointerAddressSpace(LLVMTypeOf(address)) != 0)
        return false;
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(address); k++)
        if (!LLVMIsAConstant(LLVMGetOperand(address, k))) return true;
    return varies_in_private(LLVMGetOperand(address, 0));
}

/* Volatile accesses keep a vectorizer that mixes up such arrays away from them. */
static void keep_private(LLVMValueRef i)
{
    bool load = is(i, LLVMLoad);
    if (!load && !is(i, LLVMStore)) return;
    if (varies_in_private(LLVMGetOperand(i, load ? 0 : 1))) LLVMSetVolatile(i, true);
}

/* simplifycfg leaves one where it takes out a way that ends in a division by zero. */
static bool is_assume(LLVMValueRef i)
{
    LLVMValueRef fn = is(i, LLVMCall) ? LLVMGetCalledValue(i) : NULL;
    return fn && LLVMIsAFunction(fn) &&
           LLVMGetIntrinsicID(fn) == LLVMLookupIntrinsicID("llvm.assume", strlen("llvm.assume"));
}

static bool is_scalar_float(LLVMValueRef v)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

/* What an earlier round of a loop may have left. */
static bool is_carried(LLVMValueRef v)
{
    return is(v, LLVMPHI) ||
           (is(v, LLVMLoad) && LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0))) == 0);
}

static LLVMValueRef fused(LLVMBuilderRef b, LLVMModuleRef m, LLVMValueRef x, LLVMValueRef y,
                          LLVMValueRef z)
{
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMValueRef fn =
        LLVMGetIntrinsicDeclaration(m, LLVMLookupIntrinsicID("llvm.fma", 8), &type, 1);
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(fn), fn, (LLVMValueRef[]){x, y, z}, 3, "");
}

/* The same bits as a fused operation: r*1 + x, r*x + -0. Where contract lets it, of r + x*y too. */
static LLVMValueRef in_order(tgt_job *j, LLVMBuilderRef b, LLVMValueRef i)
{
    LLVMValueRef r = LLVMGetOperand(i, 0), x = LLVMGetOperand(i, 1);
    LLVMTypeRef type = LLVMTypeOf(i);
    if (!is_carried(r) && !is(i, LLVMFSub)) {
        r = LLVMGetOperand(i, 1);
        x = LLVMGetOperand(i, 0);
    }
    if (!is_carried(r)) return NULL;
    LLVMPositionBuilderBefore(b, i);
    if (is(i, LLVMFMul)) return fused(b, j->module, r, x, LLVMConstReal(type, -0.0));
    if (is(i, LLVMFSub)) x = LLVMBuildFNeg(b, x, "");
    else if (j->options->contract && is(x, LLVMFMul))
        return fused(b, j->module, LLVMGetOperand(x, 0), LLVMGetOperand(x, 1), r);
    return fused(b, j->module, r, LLVMConstReal(type, 1), x);
}

/* A fused operation is none that a vectorizer takes for a sum whose terms may change places. */
static void keep_order(tgt_job *j, LLVMBuilderRef b, LLVMValueRef i)
{
    if (!is(i, LLVMFAdd) && !is(i, LLVMFSub) && !is(i, LLVMFMul)) return;
    if (is_scalar_float(i)) replace(i, in_order(j, b, i));
}

static void mend(void *user, LLVMBuilderRef b, LLVMValueRef at)
{
    tgt_job *j = user;
    if (is_assume(at)) {
        LLVMInstructionEraseFromParent(at);
        return;
    }
    if (!j->options->target.private_arrays) keep_private(at);
    if (is(at, LLVMZExt)) avoid_narrowing_zext(b, at);
    else if (!j->options->target.ordered_sums && !j->options->reassoc) keep_order(j, b, at);
}

/* LLVM 22's back end ends the process over what it does not know, or forgets that an integer has
 * fewer bits than the next wider one; this says so first. */
static bool check_module(tgt_job *j)
{
    char why[160];
    for (LLVMValueRef f = LLVMGetFirstFunction(j->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMGetIntrinsicID(f) && LLVMGetFirstUse(f) && !is_known(f)) {
            snprintf(why, sizeof why, "SPIR-V's back end is not known to take %s",
                     LLVMGetValueName(f));
            job_add_error(j, why);
            return false;
        }
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (is_type_known(LLVMTypeOf(i))) continue;
                char *text = LLVMPrintValueToString(i);
                snprintf(why, sizeof why, "SPIR-V has no integer of this width: %s", text);
                LLVMDisposeMessage(text);
                job_add_error(j, why);
                return false;
            }
    }
    return true;
}

static bool finish(tgt_job *j)
{
    hook_spirv_fresh(atomic_load(j->alone) == ALONE_TAKEN);
    job_mend(j->context, j->module, mend, j);
    return check_module(j);
}

/* Metadata: OpenCL C 2.0 as the source's language; and without FP_CONTRACT each kernel gets the
 * execution mode ContractionOff. */
static bool describe(tgt_job *j)
{
    static const char contract[] = "opencl.enable.FP_CONTRACT";
    LLVMTypeRef i32 = LLVMInt32TypeInContext(j->context);
    LLVMMetadataRef version[] = {LLVMValueAsMetadata(LLVMConstInt(i32, 2, 0)),
                                 LLVMValueAsMetadata(LLVMConstInt(i32, 0, 0))};
    LLVMMetadataRef node = LLVMMDNodeInContext2(j->context, version, COUNT_OF(version));
    LLVMAddNamedMetadataOperand(j->module, "opencl.ocl.version",
                                LLVMMetadataAsValue(j->context, node));
    if (j->options->contract)
        LLVMGetOrInsertNamedMetadata(j->module, contract, sizeof contract - 1);
    return true;
}

bool spirv_emit(compilation *c, ir_module *m, const tgt_options *options, tgt_stage stage,
                strbuf *out, tgt_times *times)
{
    const tgt_options *o = options;
    char triple[TRIPLE_SIZE];
    if (!guard_once(&begun, init)) {
        diag_error(&c->diags, CPL_ECOMPILER, (cpl_span){0}, "LLVM has no target for SPIR-V");
        return false;
    }
    tgt_job j = {.c = c,
                 .options = o,
                 .triple = triple_of(&o->target, triple),
                 .layout = spirv.layout,
                 .passes = {.parts = {pipelines[o->opt_level]}},
                 .take_machine = new_machine,
                 .give_machine = free_machine,
                 .before_passes = describe,
                 .after_passes = finish,
                 .alone = &alone};
    j.gen = (gen_options){.target = &o->target,
                          .contract = o->contract,
                          .reassoc = o->reassoc,
                          .vector_math = o->vector_math,
                          .finite_math = o->finite_math,
                          .debug_info = o->debug_info};
    return job_run(&j, m, stage, out, times);
}

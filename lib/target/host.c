/* This machine as a target: LLVM's passes and code generation for the CPU at hand. */
#include "lib/target/guard.h"
#include "lib/target/hooks.h"
#include "lib/target/job.h"
#include "lib/dl/dl.h"

#include <llvm-c/Target.h>

#include <pthread.h>
#include <stdio.h>

/* The one place that names the architecture in LLVM's terms, beside the vector variants of
 * lib/codegen/gen_math.c. */
#if defined(__x86_64__)
#define INITIALIZE_LLVM(what) LLVMInitializeX86##what()
#define STREAM_FENCE          "llvm.x86.sse.sfence"
#elif defined(__aarch64__)
#define INITIALIZE_LLVM(what) LLVMInitializeAArch64##what()
#define STREAM_FENCE          NULL
#else
#error "no LLVM target is named for this architecture"
#endif

/* CPU features and the vectors that come with them, widest first. */
static const struct {
    const char *feature;
    int bits;
} vector_features[] = {
    {"+avx512f", 512},
    {"+avx2", 256},
    {"+sse2", 128},
    {"+neon", 128},
};

/* The levels of x86-64 (System V ABI, AMD64 supplement 1.0, table 3.1): LLVM's name, vectors, and
 * what each adds. */
static const struct {
    const char *cpu;
    int bits;
    const char *features;
} cpu_levels[] = {
#if defined(__x86_64__)
    {"x86-64", 128, ""},
    {"x86-64-v2", 128, "cx16,popcnt,sahf,sse3,sse4.1,sse4.2,ssse3"},
    {"x86-64-v3", 256,
     "cx16,popcnt,sahf,sse3,sse4.1,sse4.2,ssse3,avx,avx2,bmi,bmi2,f16c,fma,lzcnt,movbe"},
    {"x86-64-v4", 512,
     "cx16,popcnt,sahf,sse3,sse4.1,sse4.2,ssse3,avx,avx2,bmi,bmi2,f16c,fma,lzcnt,movbe,"
     "avx512f,avx512bw,avx512cd,avx512dq,avx512vl"},
#else
    {"", 0, ""},
#endif
};

#ifdef __x86_64__
#define NO_GATHERS "+prefer-no-gather" /* to LLVM */
#else
#define NO_GATHERS "" /* there are none anyway */
#endif

/* Per process: what never changes while it runs. */
static struct {
    LLVMTargetRef target;
    char *triple, *cpu, *features, *layout; /* kept for ever */
    int vector_bits;
    bool divides_slowly; /* as gen_options has it */
} host;

/*
 * The pipeline of LLVM passes by opt_level, as `opt -passes=` takes it. LLVM's default<O3> is made
 * for translation units in C++; a kernel arrives inlined, with simple loops, so that this takes
 * half the time for the same speed, and code that LLVM vectorises it need not have been turned into
 * branches before (a clamp with default<O3>: 8 times slower). Order: scalars and inlining; one
 * clean-up; loops rotated, invariants out, invariant conditions unswitched; constant loops unrolled
 * and cleaned up again; vectorised, straight code too: the sums of structs that a reduction keeps
 * side by side; last tidying. In parts, see job_passes.
 */
#define KERNEL_PIPELINE                                                                            \
    "function(instcombine<no-verify-fixpoint>,simplifycfg,"                                        \
    "loop-mssa(loop-rotate,licm,simple-loop-unswitch<nontrivial;trivial>),"                        \
    "simplifycfg,instcombine<no-verify-fixpoint>,loop(indvars,loop-deletion,loop-unroll-full),"    \
    "sroa,early-cse<memssa>)"
#define UNROLLED "function(instcombine<no-verify-fixpoint>)"
#define LOOPS    "function(loop-vectorize),"
#define VECTORS  "function(loop-vectorize,slp-vectorizer),"
#define TIDY                                                                                       \
    "always-inline,function(instcombine<no-verify-fixpoint>,loop-mssa(licm),simplifycfg),"         \
    "globaldce"
#define SCALARS   "function(sroa,early-cse,simplifycfg),cgscc(inline),"
#define QUICK     SCALARS "function(sroa,early-cse)"
#define QUICK_END "function(instcombine<no-verify-fixpoint>,simplifycfg),globaldce"
#define THOROUGH  SCALARS "function(sroa,early-cse<memssa>)"
static const job_passes passes[] = {
    {{NULL}, NULL, NULL},
    {{QUICK, QUICK_END}, NULL, NULL},
    {{THOROUGH, KERNEL_PIPELINE, UNROLLED}, VECTORS TIDY, LOOPS TIDY},
    {{THOROUGH, KERNEL_PIPELINE, UNROLLED}, VECTORS TIDY, LOOPS TIDY},
};

/* Of 100 vectorised loops machine code takes 1.5 s, of 250 14 s; of 1800 plain ones 21 s. */
static const job_limit limits[] = {
    {100, 3, {{THOROUGH, KERNEL_PIPELINE, UNROLLED "," TIDY}, NULL, NULL}, "vectorise"},
    {800, 0, {{QUICK, QUICK_END}, NULL, NULL}, "optimise"},
};

static bool is_level(int cpu_level)
{
    return cpu_level > 0 && (size_t)cpu_level <= COUNT_OF(cpu_levels) &&
           cpu_levels[cpu_level - 1].bits;
}

static LLVMTargetMachineRef new_machine(int opt_level, int cpu_level)
{
    static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone, LLVMCodeGenLevelLess,
                                                 LLVMCodeGenLevelDefault,
                                                 LLVMCodeGenLevelAggressive};
    bool level = is_level(cpu_level);
    return LLVMCreateTargetMachine(host.target, host.triple,
                                   level ? cpu_levels[cpu_level - 1].cpu : host.cpu,
                                   level ? "" : host.features, levels[opt_level], LLVMRelocPIC,
                                   LLVMCodeModelDefault);
}

/*
 * A target machine parses the CPU's features and builds tables for them, a millisecond's work or
 * more, so that the ones nobody uses are kept, as long as they are for the CPU at hand. One serves
 * one compilation at a time.
 */
enum { MOST_IDLE = 8 };
static struct {
    pthread_mutex_t lock;
    int count[4]; /* by opt_level */
    LLVMTargetMachineRef idle[4][MOST_IDLE];
} machines = {.lock = PTHREAD_MUTEX_INITIALIZER};

static LLVMTargetMachineRef take_machine(const tgt_options *o)
{
    int opt_level = o->opt_level;
    if (o->cpu_level) return new_machine(opt_level, o->cpu_level);
    pthread_mutex_lock(&machines.lock);
    int *count = &machines.count[opt_level];
    LLVMTargetMachineRef tm = *count ? machines.idle[opt_level][--*count] : NULL;
    pthread_mutex_unlock(&machines.lock);
    return tm ? tm : new_machine(opt_level, 0);
}

static void give_machine(const tgt_options *o, LLVMTargetMachineRef tm)
{
    int opt_level = o->opt_level;
    pthread_mutex_lock(&machines.lock);
    int *count = &machines.count[opt_level];
    bool kept = *count < MOST_IDLE && !o->cpu_level;
    if (kept) machines.idle[opt_level][(*count)++] = tm;
    pthread_mutex_unlock(&machines.lock);
    if (!kept) LLVMDisposeTargetMachine(tm);
}

static bool has_feature(const char *features, const char *feature)
{
    size_t length = strlen(feature);
    for (const char *at = features; (at = strstr(at, feature)); at += length)
        if (at[length] == ',' || !at[length]) return true;
    return false;
}

static bool find_cpu(void)
{
    host.triple = LLVMGetDefaultTargetTriple();
    host.cpu = LLVMGetHostCPUName();
    host.features = LLVMGetHostCPUFeatures();
    host.vector_bits = 128;
    for (size_t i = COUNT_OF(vector_features); i-- > 0;)
        if (has_feature(host.features, vector_features[i].feature))
            host.vector_bits = vector_features[i].bits;
    host.divides_slowly = strncmp(host.cpu, "znver", 5) != 0;
    return true;
}

/* LLVM's tables of the target; its first machine is what the first quick code is made with. */
static bool init(void)
{
    INITIALIZE_LLVM(TargetInfo);
    INITIALIZE_LLVM(Target);
    INITIALIZE_LLVM(TargetMC);
    INITIALIZE_LLVM(AsmPrinter);
    char *error = NULL;
    if (LLVMGetTargetFromTriple(host.triple, &host.target, &error)) {
        LLVMDisposeMessage(error);
        return false;
    }
    LLVMTargetMachineRef tm = new_machine(0, 0);
    if (!tm) return false;
    LLVMTargetDataRef data = LLVMCreateTargetDataLayout(tm);
    host.layout = LLVMCopyStringRepOfTargetData(data);
    LLVMDisposeTargetData(data);
    give_machine(&(tgt_options){.opt_level = 0}, tm);
    return true;
}

bool host_know(void)
{
    static guard_init known;
    return guard_once(&known, find_cpu);
}

bool host_init(void)
{
    static guard_init begun;
    return host_know() && guard_once(&begun, init);
}

void host_describe(strbuf *out)
{
    sb_printf(out, "%s %s %s %d\n", host.triple, host.cpu, host.features, host.vector_bits);
}

bool host_has_level(int cpu_level)
{
    if (cpu_level == 0) return true;
    if (!is_level(cpu_level)) return false;
    for (const char *at = cpu_levels[cpu_level - 1].features; *at;) {
        char feature[32];
        int length = (int)strcspn(at, ",");
        snprintf(feature, sizeof feature, "+%.*s", length, at);
        if (!has_feature(host.features, feature)) return false;
        at += length + (at[length] == ',');
    }
    return true;
}

int host_vector_bits(int cpu_level)
{
    if (is_level(cpu_level)) return cpu_levels[cpu_level - 1].bits;
    return host_know() ? host.vector_bits : 128;
}

void host_cpu(strbuf *out, int cpu_level, bool features)
{
    if (!features) {
        if (is_level(cpu_level))
            sb_printf(out, "a CPU of the level %s", cpu_levels[cpu_level - 1].cpu);
        else sb_printf(out, "a CPU with all that a %s has", host.cpu);
    } else if (is_level(cpu_level)) {
        sb_put(out, cpu_levels[cpu_level - 1].features);
    } else {
        const char *before = "";
        for (const char *at = host.features; *at;) {
            int length = (int)strcspn(at, ",");
            if (*at == '+') sb_printf(out, "%s%.*s", before, length - 1, at + 1), before = ",";
            at += length + (at[length] == ',');
        }
    }
}

static bool has_fused(int cpu_level)
{
#if defined(__x86_64__)
    return is_level(cpu_level) ? has_feature(cpu_levels[cpu_level - 1].features, "fma")
                               : has_feature(host.features, "+fma");
#else
    (void)cpu_level;
    return true; /* part of AArch64 */
#endif
}

static bool mend(tgt_job *j)
{
    if (j->vectorise) place_mend(j->context, j->module);
    if (j->gen.vector_bits == GEN_CONVERTS_SLOWLY) convert_mend(j->context, j->module);
    if (j->gen.vector_bits == GEN_HAS_MASKS) choice_mend(j->context, j->module);
    if (j->vectorise && j->gen.stream_fence)
        stream_mend(j->context, j->module, j->gen.stream_fence);
    return true;
}

/* The features of the CPU, or of that of a level, and that one. */
static const char *without_gathers(compilation *c, bool is_any)
{
    if (!*NO_GATHERS) return NULL;
    return is_any ? NO_GATHERS : arena_printf(&c->arena, "%s,%s", host.features, NO_GATHERS);
}

bool host_emit(compilation *c, ir_module *m, const tgt_options *options, tgt_stage stage,
               strbuf *out, tgt_times *times)
{
    if (!host_init()) {
        diag_error(&c->diags, CPL_ECOMPILER, (cpl_span){0}, "LLVM has no target for this machine");
        return false;
    }
    tgt_options within = *options, *o = &within;
    if (o->cpu_level && !is_level(o->cpu_level)) {
        diag_error(&c->diags, CPL_EUNSUPPORTED, (cpl_span){0},
                   "cpu_level is about x86-64, which this machine is not");
        return false;
    }
    tgt_job j = {.c = c,
                 .options = o,
                 .triple = host.triple,
                 .layout = host.layout,
                 .passes = passes[o->opt_level],
                 .vectorise = o->opt_level > 1,
                 .take_machine = take_machine,
                 .give_machine = give_machine,
                 .after_passes = mend};
    bool is_any = is_level(o->cpu_level); /* CPU of a level */
    int bits = host_vector_bits(o->cpu_level);
    j.gen = (gen_options){.contract = o->contract,
                          .reassoc = o->reassoc,
                          .vector_math = o->vector_math,
                          .finite_math = o->finite_math,
                          .simd = o->opt_level > 0 ? o->simd : 0,
                          .fused = has_fused(o->cpu_level),
                          .vector_bits = bits,
                          .divides_slowly = is_any ? bits == 512 : host.divides_slowly,
                          .stream_fence = o->streams ? STREAM_FENCE : NULL,
                          .no_gathers = o->far ? without_gathers(c, is_any) : NULL,
                          .vector_symbol = dl_mvec_symbol,
                          .distinct_node = hook_distinct_node,
                          .debug_info = o->debug_info,
                          .loaded = o->loaded};
    job_limit_loops(&j, o, m, limits, COUNT_OF(limits));
    return job_run(&j, m, stage, out, times);
}

/* What all targets do with LLVM; see job.h. */
#include "lib/target/job.h"
#include "lib/support/clock.h"
#include "lib/target/guard.h"
#include "lib/target/hooks.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <stdio.h>

void job_add_error(tgt_job *j, const char *text)
{
    if (j->errors.n) sb_put(&j->errors, "; ");
    sb_put(&j->errors, text && *text ? text : "no reason given");
}

/* LLVM's own messages. Remarks and warnings are about its work, not the user's. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *user)
{
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
    char *text = LLVMGetDiagInfoDescription(info);
    job_add_error(user, text);
    LLVMDisposeMessage(text);
}

static bool succeeded(tgt_job *j, LLVMErrorRef error)
{
    if (!error) return true;
    char *text = LLVMGetErrorMessage(error); /* consumes the error */
    job_add_error(j, text);
    LLVMDisposeErrorMessage(text);
    return false;
}

/* gen_module may jump when memory ends; the context must not be lost then. */
static bool generate(tgt_job *j, ir_module *m, bool *out_of_memory)
{
    jmp_buf oom, *outer = j->c->arena.on_oom;
    j->c->arena.on_oom = &oom;
    if (setjmp(oom)) *out_of_memory = true;
    else j->module = gen_module(j->c, m, &j->gen, j->context, j->triple, j->layout);
    j->c->arena.on_oom = outer;
    return j->module && !*out_of_memory;
}

static bool is_valid(tgt_job *j)
{
#ifndef NDEBUG
    char *text = NULL;
    bool broken = LLVMVerifyModule(j->module, LLVMReturnStatusAction, &text);
    if (broken) job_add_error(j, text);
    LLVMDisposeMessage(text);
    return !broken;
#else
    (void)j;
    return true;
#endif
}

void job_mend(LLVMContextRef cx, LLVMModuleRef m, job_mender mend, void *user)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(cx);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
                next = LLVMGetNextInstruction(at);
                mend(user, b, at);
            }
    LLVMDisposeBuilder(b);
}

/*
 * The slp-vectorizer compares the phis of a block with each other: of a thousand locals that a loop
 * carries on it takes 6 s. Of the pairs there are this many take about 1 s.
 */
static bool has_many_pairs(LLVMModuleRef m)
{
    enum { MOST_PAIRS = 1 << 17 };
    uint64_t pairs = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            uint64_t phis = 0;
            LLVMValueRef at = LLVMGetFirstInstruction(block);
            for (; at && LLVMIsAPHINode(at); at = LLVMGetNextInstruction(at)) phis++;
            pairs += phis * phis;
        }
    return pairs > MOST_PAIRS;
}

bool job_is_loop(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    return LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
           (LLVMGetSuccessor(end, 0) == block) != (LLVMGetSuccessor(end, 1) == block);
}

LLVMValueRef job_hidden(LLVMBuilderRef b, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v), fn = LLVMFunctionType(type, &type, 1, 0);
    bool integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
#if defined(__x86_64__)
    const char *constraints = integer ? "=r,0" : "=x,0";
#else
    const char *constraints = integer ? "=r,0" : "=w,0";
#endif
    LLVMValueRef none = LLVMGetInlineAsm(fn, "", 0, constraints, strlen(constraints), 0, 0,
                                         LLVMInlineAsmDialectATT, 0);
    return LLVMBuildCall2(b, fn, none, &v, 1, "");
}

static bool optimise(tgt_job *j)
{
    enum { MOST_WAYS = 1 << 23 }; /* about 0.1 s */
    const job_passes *p = &j->passes;
    if (!p->parts[0]) return true;
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, j->vectorise);
    LLVMPassBuilderOptionsSetLoopInterleaving(options, j->vectorise);
    LLVMPassBuilderOptionsSetLoopUnrolling(options, 1);
    bool ok = true;
    for (int i = 0; i < JOB_MOST_PARTS && ok && p->parts[i]; i++) {
        if (i) minmax_mend(j->context, j->module);
        if (i == 1 && j->vectorise) steady_mend(j->context, j->module);
        ok = succeeded(j, LLVMRunPasses(j->module, p->parts[i], j->machine, options));
    }
    if (ok && p->last) {
        if (j->vectorise) seldom_mend(j->context, j->module);
        hook_limit_vectors(j->module, MOST_WAYS);
        const char *last = p->plain && has_many_pairs(j->module) ? p->plain : p->last;
        ok = succeeded(j, LLVMRunPasses(j->module, last, j->machine, options));
    }
    LLVMDisposePassBuilderOptions(options);
    return ok;
}

static bool count_loop(void *user, ir_node *n)
{
    *(unsigned *)user += n->op == IR_FOR || n->op == IR_WHILE || n->op == IR_PARALLEL_FOR;
    return true;
}

void job_limit_loops(tgt_job *j, tgt_options *o, ir_module *m, const job_limit *limits, size_t n)
{
    unsigned most = 0, all = 0;
    const ir_func *largest = NULL;
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        unsigned loops = 0;
        if (m->funcs.at[i]->body) ir_walk_block(m->funcs.at[i]->body, count_loop, &loops);
        if (loops > most) most = loops, largest = m->funcs.at[i];
        all += loops;
    }
    if (most < all / 4) most = all / 4; /* many functions are as slow as one that is larger */
    const job_limit *limit = NULL;
    for (size_t i = 0; i < n && most > limits[i].loops; i++) limit = &limits[i];
    if (!limit || o->opt_level < 2) return;
    if (o->opt_level > limit->level) o->opt_level = limit->level;
    j->passes = limit->passes;
    diag_remark(&j->c->diags, largest->span, "%u loops: too many for LLVM to %s them", all,
                limit->without);
}

/* In j->text or j->bytes, which are LLVM's. */
static bool emit(tgt_job *j, tgt_stage stage)
{
    if (stage == TGT_LLVM) return (j->text = LLVMPrintModuleToString(j->module)) != NULL;
    char *error = NULL;
    LLVMCodeGenFileType type = stage == TGT_ASM ? LLVMAssemblyFile : LLVMObjectFile;
    if (!LLVMTargetMachineEmitToMemoryBuffer(j->machine, j->module, type, &error, &j->bytes))
        return true;
    job_add_error(j, error);
    LLVMDisposeMessage(error);
    return false;
}

/* LLVM IR of the module, in a section. */
static bool make_module(tgt_job *j, ir_module *m, bool *out_of_memory)
{
    if ((j->refused = guard_enter(GUARD_CODEGEN, NULL, NULL))) return false;
    j->context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(j->context, on_diagnostic, j);
    j->machine = j->take_machine(j->options);
    bool ok = generate(j, m, out_of_memory);
    guard_leave();
    return ok;
}

/* No lock: a thread that fails in the section never gives it back. Who waits does so for the 10 ms
   of one kernel, or, behind one that is stuck, until its own time is up. */
static void take_alone(atomic_int *alone)
{
    for (;;) {
        int is = ALONE_FREE;
        if (atomic_compare_exchange_strong(alone, &is, ALONE_TAKEN)) return;
        is = ALONE_FREE_DIRTY;
        if (atomic_compare_exchange_strong(alone, &is, ALONE_TAKEN_DIRTY)) return;
        nanosleep(&(struct timespec){0, 100000}, NULL);
    }
}

static void left_behind(void *alone)
{
    if (alone) atomic_store((atomic_int *)alone, ALONE_FREE_DIRTY);
}

static void dispose(tgt_job *j)
{
    if (!j->context || guard_enter(GUARD_FREE, NULL, NULL)) return; /* no call into LLVM any more */
    if (j->text) LLVMDisposeMessage(j->text);
    if (j->bytes) LLVMDisposeMemoryBuffer(j->bytes);
    if (j->module) LLVMDisposeModule(j->module);
    if (j->machine) j->give_machine(j->options, j->machine);
    LLVMContextDispose(j->context);
    guard_leave();
}

/* LLVM's passes and emission, in a section whose thread may be left behind: whatever they touch is
 * LLVM's or on this stack. */
static bool work(tgt_job *j, tgt_stage stage, double *llvm_ms, double *emit_ms)
{
    if ((j->refused = guard_enter(GUARD_WORK, left_behind, j->alone))) return false;
    atomic_int *alone = j->alone;
    if (alone) take_alone(alone);
    double start = now_ms();
    bool ok = (!j->before_passes || j->before_passes(j)) && is_valid(j) && optimise(j) &&
              (!j->after_passes || j->after_passes(j));
    double at = now_ms();
    ok = ok && emit(j, stage);
    double end = now_ms();
    if (alone) atomic_store(alone, ALONE_FREE);
    if (!guard_leave()) { /* *j is on this stack, what it points to of the caller's is gone */
        dispose(j);
        sb_free(&j->errors);
        guard_end();
    }
    *llvm_ms = at - start;
    *emit_ms = end - at;
    return ok;
}

static void put_result(tgt_job *j)
{
    if (j->text) sb_put(j->out, j->text);
    if (j->bytes)
        (j->put_text ? j->put_text : sb_putn)(j->out, LLVMGetBufferStart(j->bytes),
                                              LLVMGetBufferSize(j->bytes));
}

/* The stages in order, each timed; the first failure ends it. */
static bool run(tgt_job *j, ir_module *m, tgt_stage stage, tgt_times *times, bool *out_of_memory)
{
    double start = now_ms(), llvm_ms = 0, emit_ms = 0;
    if (!make_module(j, m, out_of_memory)) return false;
    times->codegen_ms += now_ms() - start;
    bool ok = work(j, stage, &llvm_ms, &emit_ms);
    times->llvm_ms += llvm_ms;
    times->emit_ms += emit_ms;
    if (ok) put_result(j);
    return ok;
}

/* Frees all of LLVM's objects before anything that may jump. */
bool job_run(tgt_job *j, ir_module *m, tgt_stage stage, strbuf *out, tgt_times *times)
{
    compilation *c = j->c;
    tgt_options own = *j->options;
    tgt_times unwanted = {0};
    bool out_of_memory = false;
    j->options = &own;
    j->out = out;
    /* lost with the thread if that is left behind, unlike memory of the host's */
    sb_init(&j->errors, &mem_libc);
    if (j->gen.target) j->gen.target = &own.target;
    bool ok = run(j, m, stage, times ? times : &unwanted, &out_of_memory);
    dispose(j);
    char text[2048] = ""; /* not in the arena, which may jump while the strbuf is still there */
    if (j->errors.n) snprintf(text, sizeof text, "%s", j->errors.at);
    bool lost = j->errors.failed || out->failed;
    sb_free(&j->errors);
    if (out_of_memory) longjmp(*c->arena.on_oom, 1);
    if (j->refused)
        diag_error(&c->diags, CPL_ECOMPILER, (cpl_span){0}, "'%s' is not compiled: %s", m->name,
                   j->refused);
    else if (*j->unmet)
        diag_error(&c->diags, CPL_ENODEVICE, (cpl_span){0}, "'%s' is not compiled: %s", m->name,
                   j->unmet);
    else if (*text)
        diag_error(&c->diags, CPL_EINTERNAL, (cpl_span){0}, "LLVM refused the code of '%s': %s",
                   m->name, text);
    else if (lost)
        diag_error(&c->diags, CPL_ENOMEM, (cpl_span){0}, "%s", cpl_status_message(CPL_ENOMEM));
    return ok && !j->refused && !*j->unmet && !*text && !lost;
}

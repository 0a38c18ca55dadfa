/*
 * From typed IR to text or bytes by way of LLVM, for every target: LLVM IR, LLVM's passes,
 * emission, each in a section of guard.h. A target fills in what it does in its own way.
 */
#ifndef CPL_TARGET_JOB_H
#define CPL_TARGET_JOB_H

#include "lib/codegen/codegen.h"
#include "lib/target/target.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include <stdatomic.h>

/* As `opt -passes=` takes them; NULL: none. */
enum { JOB_MOST_PARTS = 4 };
typedef struct job_passes {
    const char *parts[JOB_MOST_PARTS]; /* minmax_mend between them, steady_mend behind the first */
    const char *last;  /* behind hook_limit_vectors: with loop-vectorize, if at all */
    const char *plain; /* as last, but without slp-vectorizer, where that would take long */
} job_passes;

typedef struct tgt_job tgt_job;
/* dirty: the last work failed half-way */
enum job_alone { ALONE_FREE, ALONE_FREE_DIRTY, ALONE_TAKEN, ALONE_TAKEN_DIRTY };
struct tgt_job {
    compilation *c;
    const tgt_options *options;
    gen_options gen;
    const char *triple, *layout;
    job_passes passes;
    bool vectorise;
    LLVMTargetMachineRef (*take_machine)(const tgt_options *o);
    void (*give_machine)(const tgt_options *o, LLVMTargetMachineRef machine);
    /* of a back end with state of the process: taken while LLVM is at work, a job_alone; or NULL */
    atomic_int *alone;
    /* Around the passes, in the section of LLVM's work: may be NULL. False after job_add_error. */
    bool (*before_passes)(tgt_job *j);
    bool (*after_passes)(tgt_job *j);
    /* of assembly, instead of as it is; or NULL */
    void (*put_text)(strbuf *out, const char *text, size_t size);

    /* job.c's */
    LLVMContextRef context;
    LLVMTargetMachineRef machine;
    LLVMModuleRef module;
    char *text;                /* what was emitted: this */
    LLVMMemoryBufferRef bytes; /* or this */
    strbuf *out;
    strbuf errors;       /* in plain memory: LLVM's callbacks must not jump */
    const char *refused; /* why LLVM was not called */
    /* what the machine lacks for this kernel, in words; empty: nothing */
    char unmet[160];
};

/*
 * LLVM's time for a function grows with the square of its loops and more: the passes that ask
 * scalar evolution, the code generator's preparation and its register allocator. What is done with
 * a function of more loops than this.
 */
typedef struct job_limit {
    unsigned loops;
    int level; /* at most, of the code generator: its level 1 asks scalar evolution, too */
    job_passes passes;
    const char *without; /* what LLVM is kept from, as a verb */
} job_limit;

/* Applies the last of the limits, in rising order, that a function of m is above, and says so. o is
 * what j->options points to. Nothing happens below opt_level 2. */
void job_limit_loops(tgt_job *j, tgt_options *o, ir_module *m, const job_limit *limits, size_t n);

/* Frees all of LLVM's objects before anything that may jump. False after errors, in the diags. */
bool job_run(tgt_job *j, ir_module *m, tgt_stage stage, strbuf *out, tgt_times *times);
void job_add_error(tgt_job *j, const char *text);

/* Shows each instruction of a module to mend, which may put others in front of it or behind, at b,
 * and erase it. */
typedef void (*job_mender)(void *user, LLVMBuilderRef b, LLVMValueRef at);
void job_mend(LLVMContextRef cx, LLVMModuleRef m, job_mender mend, void *user);

/* Whether a block is a loop by itself: one of its two ways on leads back to it. */
bool job_is_loop(LLVMBasicBlockRef block);
/* A number of a register's size that LLVM cannot look through to the one that it is; no instruction
 * comes of it. */
LLVMValueRef job_hidden(LLVMBuilderRef b, LLVMValueRef v);

/* choice_mend.c, convert_mend.c, place_mend.c, stream_mend.c: behind the passes of the host. fence:
 * gen_options.stream_fence. */
void choice_mend(LLVMContextRef cx, LLVMModuleRef m);
void convert_mend(LLVMContextRef cx, LLVMModuleRef m);
void place_mend(LLVMContextRef cx, LLVMModuleRef m);
void stream_mend(LLVMContextRef cx, LLVMModuleRef m, const char *fence);

/* minmax_mend.c, steady_mend.c, seldom_mend.c: in front of LLVM's vectorisers */
void seldom_mend(LLVMContextRef cx, LLVMModuleRef m);
void minmax_mend(LLVMContextRef cx, LLVMModuleRef m);
void steady_mend(LLVMContextRef cx, LLVMModuleRef m);

#endif

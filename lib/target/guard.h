/*
 * Sections: stretches of a compile thread's work inside LLVM, which answers a fatal error or the
 * end of memory by ending the process. Inside a section either one ends the thread's work instead:
 * who waits for it is told, and the thread parks for ever, since unwinding through LLVM would leave
 * it broken. What a parked thread held of LLVM's stays allocated. It never runs again, so whatever
 * else it could reach may be freed; it must not hold a lock of ours, so none is taken around a
 * section. A thread that is left behind at work, since it takes too long or nobody wants its result
 * any more, gives LLVM's objects back when LLVM returns, and ends.
 *
 * Sections do not nest. On threads that are not attached they do nothing, and what fails there LLVM
 * deals with.
 */
#ifndef CPL_GUARD_H
#define CPL_GUARD_H

#include "cpl/base.h"

#ifdef __cplusplus
extern "C" {
#else
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef enum guard_kind {
    GUARD_INIT,    /* LLVM's own initialisation */
    GUARD_CODEGEN, /* building LLVM IR; refused once compiling was given up */
    /* LLVM's passes and code emission: touches nothing but LLVM's objects and the thread's stack,
       so that it can be left behind */
    GUARD_WORK,
    GUARD_FREE,
    GUARD_LINK, /* loading, finding and unloading code */
} guard_kind;

/* A compile thread. Lives on that thread's stack, which is there for ever if the thread parks. */
typedef struct guard_thread {
    atomic_int state; /* of guard.c */
    guard_kind kind;  /* of the section at hand */
    void (*undo)(void *user);
    void *undo_user;
    bool paused;
    jmp_buf *end; /* where the thread goes that was left behind, to end */
    /* Tells who waits, on the failing thread, which parks when it returns. */
    void (*failed)(void *user, cpl_status status, const char *message);
    void *user;
} guard_thread;

/* the calling thread is a compile thread from now on; NULL: no longer */
void guard_attach(guard_thread *t);

/*
 * Opens a section. NULL, or why LLVM must not be called now: compiling was given up, or the process
 * was forked out of its midst. undo (may be NULL) runs when the section fails, before anybody is
 * told; it neither allocates nor calls LLVM.
 */
const char *guard_enter(guard_kind kind, void (*undo)(void *user), void *user);

/*
 * Closes it. False in a thread that was left behind in GUARD_WORK: nothing of the caller's is there
 * any more but what is on the thread's stack. It frees what LLVM gave it and calls guard_end.
 */
bool guard_leave(void);

#endif
/* Around what a section calls that is not LLVM's: the host's allocator, the dynamic loader. */
bool guard_pause(void); /* the value for guard_resume */
void guard_resume(bool inside);

/* What handlers call; returns if the thread is not in a section. */
void guard_fail(cpl_status status, const char *message);

#ifdef __cplusplus
}
#else
/* What is done once per process: static, all zeros at first. */
typedef struct guard_init {
    enum { INIT_NEW, INIT_RUNS, INIT_DONE, INIT_FAILED } state;
} guard_init;

/* Runs it in a section of its own, the first time. False if it failed, then and ever after. */
bool guard_once(guard_init *which, bool (*init)(void));

_Noreturn void guard_end(void);

/*
 * Leaves a thread in a GUARD_WORK section behind: it touches nothing of the caller's any more.
 * False if it is somewhere else. failure: it took too long, which counts as one.
 */
bool guard_abandon(guard_thread *t, bool failure);

/* Seconds to wait for a thread when `limit` are allowed (0: without end): fewer where LLVM failed
   while it was still cold, since that may have left a lock of its own taken. */
int64_t guard_patience(int64_t limit);

/*
 * Around a fork: waits up to a second for sections to end, and keeps others from beginning. In a
 * child that was forked while a section was open LLVM is as a thread left it that is not there, so
 * that no section opens again.
 */
void guard_before_fork(void);
void guard_after_fork(bool child);

#define GUARD_MOST_FAILURES 8 /* in one process; compiling is given up then */

/* For tests: the counts, and a function that each section calls when it opens. Probes must outlive
 * their threads. */
typedef struct guard_settings {
    unsigned failures, most_failures;
    void (*probe)(guard_kind kind);
} guard_settings;
/* NULL: leaves them; returns those before */
guard_settings guard_configure(const guard_settings *settings);
#endif

#endif

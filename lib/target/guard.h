/*
 * Sections: stretches of a compile thread's work inside LLVM, which answers a fatal error or the end of memory by ending the process. Inside
 * a section either one ends the thread's work instead: who waits for it is told, and the thread parks for ever, since unwinding through LLVM
 * would leave it broken. What a parked thread held of LLVM's stays allocated. It never runs again, so whatever else it could reach
 * may be freed; it must not hold a lock of ours, so none is taken around a section.
 *
 * Sections do not nest. On threads that are not attached they do nothing, and what fails there LLVM deals with.
 */
#ifndef CPL_GUARD_H
#define CPL_GUARD_H

#include "cpl/base.h"

#ifdef __cplusplus
extern "C" {
#else
#include <stdatomic.h>
#include <stdbool.h>

typedef enum guard_kind {
    GUARD_INIT,    /* LLVM's own initialisation */
    GUARD_CODEGEN, /* building LLVM IR; refused once compiling was given up */
    GUARD_WORK,    /* LLVM's passes and code emission: touches nothing but LLVM's objects and the thread's stack, so that it can be left behind */
    GUARD_FREE,
    GUARD_LINK,    /* loading, finding and unloading code */
} guard_kind;

/* A compile thread. Lives on that thread's stack, which is there for ever if the thread parks. */
typedef struct guard_thread {
    atomic_int state;  /* of guard.c */
    guard_kind kind;   /* of the section at hand */
    void (*undo)(void *user);
    void *undo_user;
    bool paused;
    /* Tells who waits, on the failing thread, which parks when it returns. */
    void (*failed)(void *user, cpl_status status, const char *message);
    void *user;
} guard_thread;

void guard_attach(guard_thread *t); /* the calling thread is a compile thread from now on; NULL: no longer */

/*
 * Opens a section. NULL, or why LLVM must not be called now: compiling was given up, or the process was forked out of its midst. undo (may be NULL) runs when the
 * section fails, before anybody is told; it neither allocates nor calls LLVM.
 */
const char *guard_enter(guard_kind kind, void (*undo)(void *user), void *user);
void guard_leave(void); /* does not return if the thread was left behind meanwhile */

#endif
/* Around what a section calls that is not LLVM's: the host's allocator, the dynamic loader. */
bool guard_pause(void); /* the value for guard_resume */
void guard_resume(bool inside);

/* What handlers call; returns if the thread is not in a section. */
void guard_fail(cpl_status status, const char *message);

#ifdef __cplusplus
}
#else
/* Runs init in a section of its own, once per process. False if it failed, then and ever after. */
bool guard_once(bool (*init)(void));

/*
 * Leaves a thread in a GUARD_WORK section behind, which counts as a failure: it will park when LLVM comes back, and touches nothing of the
 * caller's any more. False if it is somewhere else.
 */
bool guard_abandon(guard_thread *t);

/* Seconds to wait for a thread when `limit` are allowed (0: without end): fewer where LLVM failed while it was still cold, since that may
   have left a lock of its own taken. */
int64_t guard_patience(int64_t limit);

/*
 * Around a fork: waits up to a second for sections to end, and keeps others from beginning. In a child that was forked while a section was open
 * LLVM is as a thread left it that is not there, so that no section opens again.
 */
void guard_before_fork(void);
void guard_after_fork(bool child);

#define GUARD_MOST_FAILURES 8 /* in one process; compiling is given up then */

/* For tests: the counts, and a function that each section calls when it opens. Probes must outlive their threads. */
typedef struct guard_settings {
    unsigned failures, most_failures;
    void (*probe)(guard_kind kind);
} guard_settings;
guard_settings guard_configure(const guard_settings *settings); /* NULL: leaves them; returns those before */
#endif

#endif

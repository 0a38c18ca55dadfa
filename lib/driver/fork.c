/*
 * What a fork leaves of this library in the child: memory, but none of its threads, and locks as
 * other threads held them. A context of the parent can do nothing there but say so (CPL_EFORKED),
 * and its release does nothing. New contexts work, unless LLVM was at work at the fork
 * (lib/target/guard.h).
 */
#include "lib/driver/driver.h"
#include "lib/target/guard.h"

/* The one record per process: how many forks lie between the first process and this. */
static struct {
    pthread_once_t once;
    atomic_uint forks;
    int watching; /* 0: the handlers are registered */
} process = {.once = PTHREAD_ONCE_INIT, .watching = -1};

static void in_child(void)
{
    atomic_fetch_add_explicit(&process.forks, 1, memory_order_relaxed);
    guard_after_fork(true);
}

static void in_parent(void)
{
    guard_after_fork(false);
}

static void watch(void)
{
    process.watching = pthread_atfork(guard_before_fork, in_parent, in_child);
}

bool fork_watch(uint32_t *forks)
{
    pthread_once(&process.once, watch);
    *forks = atomic_load_explicit(&process.forks, memory_order_relaxed);
    return process.watching == 0;
}

bool context_forked(const cpl_context *cx)
{
    return cx->forks != atomic_load_explicit(&process.forks, memory_order_relaxed);
}

cpl_status context_refuse_fork(cpl_context *cx)
{
    return context_report(
        cx, CPL_EFORKED,
        "this process was forked from the one that made the context; make a new context in it");
}

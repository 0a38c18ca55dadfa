/*
 * libcplrt_threads.a, in the place of an OpenMP runtime: its entries for kernels that were compiled
 * ahead of time, on the host's threads. They are hidden, so that they serve the program or library
 * that they are linked into and nobody else's code, which may use OpenMP.
 */
#include "runtime/aot/fork.h"
#include "cpl/rt.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>

static _Atomic(const cpl_threads *) given;

/* Initial-exec: no allocation behind a kernel's back. For the next loop; 0: not said. */
static _Thread_local int32_t most __attribute__((tls_model("initial-exec")));

bool cplrt_threads_set(const cpl_threads *threads)
{
    if (threads && (threads->size != sizeof *threads || !threads->run || threads->workers < 1))
        return false;
    atomic_store(&given, threads);
    return true;
}

/* As generated code calls them: lib/codegen/gen_fork.c. */
void __kmpc_fork_call(void *place, int32_t count, void *task, ...);
int32_t __kmpc_global_thread_num(void *place);
void __kmpc_push_num_threads(void *place, int32_t thread, int32_t count);
int32_t __kmpc_bound_num_threads(void *place);
void __kmpc_dispatch_init_8(void *place, int32_t thread, int32_t schedule, int64_t low,
                            int64_t high, int64_t step, int64_t chunk);
int32_t __kmpc_dispatch_next_8(void *place, int32_t thread, int32_t *last, int64_t *low,
                               int64_t *high, int64_t *step);

void __kmpc_fork_call(void *place, int32_t count, void *task, ...)
{
    (void)place, (void)count;
    va_list rest;
    va_start(rest, task);
    void *captures = va_arg(rest, void *);
    int64_t rounds = va_arg(rest, int64_t);
    va_end(rest);
    fork_task run; /* ISO C has no cast from object to function pointer */
    memcpy(&run, &task, sizeof run);
    int32_t asked = most;
    most = 0;
    cplrt_fork(atomic_load(&given), asked, run, captures, rounds);
}

int32_t __kmpc_global_thread_num(void *place)
{
    (void)place;
    return 0;
}

void __kmpc_push_num_threads(void *place, int32_t thread, int32_t count)
{
    (void)place, (void)thread;
    most = count;
}

int32_t __kmpc_bound_num_threads(void *place)
{
    (void)place;
    return cplrt_fork_workers();
}

void __kmpc_dispatch_init_8(void *place, int32_t thread, int32_t schedule, int64_t low,
                            int64_t high, int64_t step, int64_t chunk)
{
    (void)place, (void)thread, (void)step;
    cplrt_fork_deal(low, high, chunk, schedule == FORK_GUIDED);
}

int32_t __kmpc_dispatch_next_8(void *place, int32_t thread, int32_t *last, int64_t *low,
                               int64_t *high, int64_t *step)
{
    (void)place, (void)thread;
    *last = 0; /* asked for, and not looked at */
    *step = 1;
    return cplrt_fork_next(low, high);
}

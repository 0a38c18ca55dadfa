/*
 * The OpenMP entries as generated code calls them (kmp.h of LLVM's OpenMP runtime has their
 * meaning; lib/codegen/gen_fork.c the calls). Where the context has threads of the host's a loop
 * runs on them (aot/fork.c); else it goes on to the runtime that dl/openmp.c found. Where there is
 * none, and once the process ends, a loop runs on the thread that came to it: libomp's data goes
 * with the process, while threads may still launch.
 */
#include "runtime/resolve.h"
#include "runtime/aot/fork.h"
#include "lib/dl/dl.h"
#include "lib/support/abi.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What is found besides __kmpc_fork_call: TEAM(result, name, parameters). */
#define TEAM_ENTRIES(TEAM)                                                                         \
    TEAM(int32_t, global_thread_num, (void *place))                                                \
    TEAM(void, push_num_threads, (void *place, int32_t thread, int32_t count))                     \
    TEAM(int32_t, bound_num_threads, (void *place))                                                \
    TEAM(void, dispatch_init_8,                                                                    \
         (void *place, int32_t thread, int32_t schedule, int64_t low, int64_t high, int64_t step,  \
          int64_t chunk))                                                                          \
    TEAM(int32_t, dispatch_next_8,                                                                 \
         (void *place, int32_t thread, int32_t *last, int64_t *low, int64_t *high, int64_t *step))

static struct {
    pthread_mutex_t lock;
    atomic_bool found; /* the pointers below are set, for good */
    void (*fork_call)(void *place, int32_t count, void *task, ...);
#define POINTER(result, name, parameters) result(*name) parameters;
    TEAM_ENTRIES(POINTER)
#undef POINTER
    atomic_bool ending; /* the process is */
    atomic_long forks;  /* threads in a fork */
} team = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* How many of the host's threads the next loop asks for; 0: not said. Initial-exec: no allocation
 * behind a launch's back. */
static _Thread_local int32_t most __attribute__((tls_model("initial-exec")));

/* Loops of this thread are its own. */
static _Thread_local bool alone __attribute__((tls_model("initial-exec")));

bool team_alone(bool on)
{
    bool before = alone;
    alone = on;
    return before;
}

enum { LAST_WAIT = 100 }; /* ms that the end of the process waits for loops */

/* Before libomp's own end, which comes with the unloading of libraries. What does not return in
 * time keeps libomp's data in use, which libomp notices; what comes later runs alone. */
static void end_of_process(int status, void *unused)
{
    (void)status, (void)unused;
    atomic_store(&team.ending, true);
    for (int i = 0; i < LAST_WAIT && atomic_load(&team.forks) > 0; i++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static bool find_entry(const char *path, const char *symbol, void *pointer)
{
    void *address = dl_openmp_symbol(path, symbol);
    if (address) memcpy(pointer, &address, sizeof address);
    return address != NULL;
}

bool team_open(const char *path)
{
    if (atomic_load_explicit(&team.found, memory_order_acquire)) return true;
    pthread_mutex_lock(&team.lock);
    bool found = atomic_load(&team.found);
    if (!found) {
        found = find_entry(path, "__kmpc_fork_call", &team.fork_call);
#define FIND(result, name, parameters)                                                             \
    found = found && find_entry(path, "__kmpc_" #name, &team.name);
        TEAM_ENTRIES(FIND)
#undef FIND
        if (found) on_exit(end_of_process, NULL);
        atomic_store_explicit(&team.found, found, memory_order_release);
    }
    pthread_mutex_unlock(&team.lock);
    return found;
}

/* Whether this fork may go to the runtime; then team.forks counts it. */
static bool enter(void)
{
    if (!atomic_load_explicit(&team.found, memory_order_acquire)) return false;
    atomic_fetch_add(&team.forks, 1);
    if (!atomic_load(&team.ending)) return true;
    atomic_fetch_sub(&team.forks, 1);
    return false;
}

/* The host's threads that run the loops of a place, or NULL. */
static const cpl_threads *threads_of(const void *place)
{
    const abi_place *p = place;
    return p->threads.run ? &p->threads : NULL;
}

/* A loop may be inside another's: a kernel calls a function of the host, which launches. */
void team__kmpc_fork_call(void *place, int32_t count, void *task, ...)
{
    va_list rest;
    va_start(rest, task);
    void *captures = va_arg(rest, void *);
    int64_t rounds = va_arg(rest, int64_t);
    va_end(rest);
    const cpl_threads *threads = alone ? NULL : threads_of(place);
    int32_t asked = most;
    most = 0;
    if (!threads && !alone && !cplrt_fork_inside() && enter()) {
        team.fork_call(place, count, task, captures, rounds);
        atomic_fetch_sub(&team.forks, 1);
        return;
    }
    fork_task run; /* ISO C has no cast from object to function pointer */
    memcpy(&run, &task, sizeof run);
    cplrt_fork(threads, asked, run, captures, rounds);
}

/* Before a fork, which may go either way: both matter to OpenMP alone. */
static bool is_asked(const void *place)
{
    return !threads_of(place) && !alone && !cplrt_fork_inside() && atomic_load(&team.found) &&
           !atomic_load(&team.ending);
}

int32_t team__kmpc_global_thread_num(void *place)
{
    return is_asked(place) ? team.global_thread_num(place) : 0;
}

void team__kmpc_push_num_threads(void *place, int32_t thread, int32_t count)
{
    if (is_asked(place)) team.push_num_threads(place, thread, count);
    else most = count;
}

int32_t team__kmpc_bound_num_threads(void *place)
{
    return cplrt_fork_inside() ? cplrt_fork_workers() : team.bound_num_threads(place);
}

void team__kmpc_dispatch_init_8(void *place, int32_t thread, int32_t schedule, int64_t low,
                                int64_t high, int64_t step, int64_t chunk)
{
    if (cplrt_fork_inside()) cplrt_fork_deal(low, high, chunk, schedule == FORK_GUIDED);
    else team.dispatch_init_8(place, thread, schedule, low, high, step, chunk);
}

int32_t team__kmpc_dispatch_next_8(void *place, int32_t thread, int32_t *last, int64_t *low,
                                   int64_t *high, int64_t *step)
{
    if (!cplrt_fork_inside()) return team.dispatch_next_8(place, thread, last, low, high, step);
    *last = 0; /* asked for, and not looked at */
    *step = 1;
    return cplrt_fork_next(low, high);
}

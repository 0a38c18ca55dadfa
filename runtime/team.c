/*
 * The OpenMP entries as generated code calls them (kmp.h of LLVM's OpenMP runtime has their
 * meaning; lib/codegen/gen_fork.c the calls). Where the context has threads of the host's a loop
 * runs on them (aot/fork.c); else it goes on to the runtime that dl/openmp.c found. Where there is
 * none, and once the process ends, a loop runs on the thread that came to it: libomp's data goes
 * with the process, while threads may still launch. The runtime is started by work that is worth
 * it.
 *
 * Loops of loaded code end early where the context's poll function says so: the thread that came to
 * the loop asks it between cuts of its rounds, and the others look whether it was told to stop.
 * Rounds that take long are left in the middle (leave.c).
 */
#include "runtime/leave.h"
#include "runtime/resolve.h"
#include "runtime/share.h"
#include "runtime/aot/fork.h"
#include "lib/dl/dl.h"
#include "lib/support/abi.h"

#include <pthread.h>
#include <sched.h>
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
    pthread_mutex_t lock; /* whoever finds or starts the runtime holds it, and a fork meanwhile */
    bool watches;         /* forks of the process */
    atomic_bool found;    /* the pointers below are set, for good */
    void (*fork_call)(void *place, int32_t count, void *task, ...);
#define POINTER(result, name, parameters) result(*name) parameters;
    TEAM_ENTRIES(POINTER)
#undef POINTER
    atomic_bool ending;  /* the process is */
    atomic_long forks;   /* threads in a fork */
    atomic_bool started; /* the runtime is */
    atomic_int spared;   /* forks that it was not started for */
} team = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* How many of the host's threads the next loop asks for; 0: not said. Initial-exec: no allocation
 * behind a launch's back. */
static _Thread_local int32_t most __attribute__((tls_model("initial-exec")));

/* Loops of this thread are its own. */
static _Thread_local bool alone __attribute__((tls_model("initial-exec")));

/* OpenMP's runtime deals out a loop to this thread. */
static _Thread_local bool dealt __attribute__((tls_model("initial-exec")));

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

/* This thread, which forks the process, has the lock. */
static _Thread_local bool held __attribute__((tls_model("initial-exec")));

enum { FORK_PATIENCE = 1 }; /* s */

/* A process that was forked while another thread found or started the runtime would wait for that
 * thread, which it does not have. */
static void before_fork(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += FORK_PATIENCE;
    held = !pthread_mutex_timedlock(&team.lock, &until);
}

static void after_fork(void)
{
    if (held) pthread_mutex_unlock(&team.lock);
}

static bool watch_forks(void)
{
    if (!team.watches) team.watches = !pthread_atfork(before_fork, after_fork, after_fork);
    return team.watches;
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
        found = watch_forks() && find_entry(path, "__kmpc_fork_call", &team.fork_call);
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

/* The runtime starts when it is first asked for anything. */
static void start(void *place)
{
    if (atomic_load_explicit(&team.started, memory_order_acquire)) return;
    pthread_mutex_lock(&team.lock);
    team.global_thread_num(place);
    atomic_store_explicit(&team.started, true, memory_order_release);
    pthread_mutex_unlock(&team.lock);
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

enum { MOST_SPARED = 16 }; /* forks, which take less time in all than the start */

/* Whether the runtime, which takes a millisecond or more to start, is not to be started for a fork
 * of so many rounds; little: as many are done by one thread in a tenth of that. */
static bool is_spared(int64_t rounds, int64_t little)
{
    if (rounds > little || atomic_load_explicit(&team.started, memory_order_relaxed)) return false;
    return atomic_fetch_add_explicit(&team.spared, 1, memory_order_relaxed) < MOST_SPARED;
}

/* The host's threads that run the loops of a place, or NULL. */
static const cpl_threads *threads_of(const void *place)
{
    const abi_place *p = place;
    return p->threads.run ? &p->threads : NULL;
}

/* --- loops that end early --- */

/* A loop that is under way, on the stack of the thread that came to it. */
typedef struct loop {
    fork_task task;
    void *captures;
    struct loop *outer; /* a round of which came to this one */
    const abi_place *place;
    const void *caller; /* its thread, by the address of `inside` */
    leave_code code;    /* of the launch that came to it */
    atomic_int stop;    /* as team_stop */
    atomic_int done;    /* threads that have nothing more to do in it */
    shares shares;      /* of its rounds */
} loop;

_Thread_local int team_stop __attribute__((tls_model("initial-exec")));
static _Thread_local loop *inside __attribute__((tls_model("initial-exec"))); /* the innermost */
static _Thread_local int64_t asked_at __attribute__((tls_model("initial-exec")));

typedef struct task_call {
    const loop *loop;
    int32_t *thread, *member;
    int64_t rounds;
} task_call;

static void call_task(void *data)
{
    const task_call *c = data;
    c->loop->task(c->thread, c->member, c->loop->captures, c->rounds);
}

/* What a task that was left would have done: OpenMP's runtime wants to hear the end of a loop that
 * it deals out from each thread. */
static void task_left(const task_call *c)
{
    int32_t last;
    int64_t low, high, step;
    most = 0;
    while (dealt)
        team__kmpc_dispatch_next_8((void *)c->loop->place, *c->thread, &last, &low, &high, &step);
}

static void loop_begin(loop *l, const void *place, const void *task, void *captures)
{
    *l = (loop){.captures = captures,
                .outer = inside,
                .place = place,
                .caller = &inside,
                .code = leave_innermost()};
    memcpy(&l->task, &task, sizeof l->task); /* ISO C has no cast from object to function pointer */
}

/* What was cut is cut for those that wait for it. */
static void loop_end(loop *l)
{
    int why = atomic_load_explicit(&l->stop, memory_order_relaxed);
    if (!why) return;
    if (l->outer) atomic_store_explicit(&l->outer->stop, why, memory_order_relaxed);
    else team_stop = why;
}

int32_t team__cpl_stopped(void)
{
    return inside ? atomic_load_explicit(&inside->stop, memory_order_relaxed) : team_stop;
}

static int64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

enum { SHORT_CUT = 1000000, LONG_CUT = 8000000 }; /* ns */

/* So that a look's cost does not show, and is waited for by nobody. */
static void adapt(abi_cut *cut, int64_t took)
{
    if (took < SHORT_CUT && cut->size < INT64_MAX / 4) cut->size *= 4;
    else if (took > LONG_CUT && cut->size > 1) cut->size /= 2;
}

/* Python's answer may take a switch of its threads, 5 ms. */
enum { ASK_EVERY = 100000000 }; /* ns */

/* Only the thread that made the launch does, not in a loop which is inside another. */
static bool asks(const loop *l)
{
    return !l || (!l->outer && l->caller == &inside);
}

static bool ask(const abi_place *place, int64_t now, int64_t every)
{
    if (!asks(inside) || now - asked_at < every) return false;
    asked_at = now;
    if (!place->poll(place->poll_user)) return false;
    leave_soon();
    return true;
}

static void stop(void)
{
    if (inside) atomic_store_explicit(&inside->stop, TEAM_CANCELLED, memory_order_relaxed);
    else team_stop = TEAM_CANCELLED;
}

enum {
    GLANCES = 500,    /* at the others, some tens of microseconds */
    YIELDS = 1000000, /* ns */
    LONGEST_NAP = 20000000
};

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Where one waits that long: their end is seen soon, measured by that. */
static void nap(int64_t waited)
{
    int64_t ns = waited / 16 < LONGEST_NAP ? waited / 16 : LONGEST_NAP;
    if (waited < YIELDS) sched_yield();
    else nanosleep(&(struct timespec){0, ns}, NULL);
}

static bool others_work(const loop *l, int32_t threads)
{
    return atomic_load_explicit(&l->done, memory_order_acquire) < threads;
}

/* The thread that made the launch waits here for the others of OpenMP's team, not in that runtime:
 * there nobody could be asked whether they are to stop. */
static void wait_for_others(loop *l)
{
    int32_t threads = team.bound_num_threads((void *)l->place);
    for (int i = 0; i < GLANCES && others_work(l, threads); i++) relax();
    for (int64_t begin = 0; others_work(l, threads);) {
        int64_t now = clock_ns();
        if (!begin) begin = now;
        if (now - begin > ASK_EVERY / 2 && ask(l->place, now, ASK_EVERY / 2)) stop();
        nap(now - begin);
    }
}

static void run_task(int32_t *thread, int32_t *member, void *data, int64_t rounds)
{
    loop *l = data, *outer = inside;
    task_call c = {l, thread, member, rounds};
    inside = l;
    int why = leave_call(&l->code, call_task, &c);
    if (why) task_left(&c);
    if (why >= TEAM_TOO_DEEP) atomic_store_explicit(&l->stop, why, memory_order_relaxed);
    atomic_fetch_add_explicit(&l->done, 1, memory_order_release);
    if (asks(l) && l->place->poll && !cplrt_fork_inside()) wait_for_others(l);
    inside = outer;
}

void *team__cpl_stack_end(int64_t bytes)
{
    return (void *)leave_stack_end(bytes);
}

void team__cpl_too_deep(int32_t site)
{
    leave_now(TEAM_TOO_DEEP + site);
}

bool team_leaves(const abi_place *place)
{
    if (place->poll && ask(place, clock_ns(), ASK_EVERY / 2)) stop();
    return team__cpl_stopped();
}

void team__cpl_look(void *place, abi_cut *cut)
{
    const abi_place *p = place;
    if (!p->poll) {
        cut->left = INT64_MAX;
        return;
    }
    int64_t now = clock_ns();
    if (cut->since) adapt(cut, now - cut->since);
    cut->since = now;
    cut->left = cut->size;
    if (ask(p, now, ASK_EVERY)) stop();
    if (team__cpl_stopped()) cut->left = 0;
}

int32_t team__cpl_share(void *place, int64_t member, int64_t rounds, int64_t *low, int64_t *high)
{
    int64_t end, threads = team__kmpc_bound_num_threads(place);
    if (!share_next(&inside->shares, member, threads, rounds, low, &end)) return 0;
    *high = end - 1;
    return 1;
}

/* --- forks --- */

/* On the host's threads, or this one alone. */
static void run_here(const cpl_threads *threads, int32_t workers, loop *l, int64_t rounds)
{
    cplrt_fork(threads, workers, run_task, l, rounds);
    loop_end(l);
}

void team__cpl_alone(void *place, void *task, void *captures, int64_t rounds)
{
    if (team__cpl_stopped()) return;
    loop l;
    loop_begin(&l, place, task, captures);
    run_here(NULL, 1, &l, rounds);
}

static void fork_in_team(void *place, loop *l, int64_t rounds)
{
    fork_task run = run_task;
    void *task;
    memcpy(&task, &run, sizeof task);
    start(place);
    team.fork_call(place, 2, task, l, rounds);
}

/* A loop may be inside another's: a kernel calls a function of the host, which launches. */
void team__kmpc_fork_call(void *place, int32_t count, void *task, ...)
{
    va_list rest;
    va_start(rest, task);
    void *captures = va_arg(rest, void *);
    int64_t rounds = va_arg(rest, int64_t), little = va_arg(rest, int64_t);
    va_end(rest);
    (void)count; /* of what follows in OpenMP's own entry */
    const cpl_threads *threads = alone ? NULL : threads_of(place);
    int32_t asked = most;
    most = 0;
    if (team__cpl_stopped()) return;
    loop l;
    loop_begin(&l, place, task, captures);
    bool team_of_its_own = !threads && !alone && !cplrt_fork_inside() && !is_spared(rounds, little);
    if (team_of_its_own && enter()) {
        fork_in_team(place, &l, rounds);
        atomic_fetch_sub(&team.forks, 1);
        loop_end(&l);
        return;
    }
    run_here(threads, asked, &l, rounds);
}

/* Before a fork, which may go either way: both matter to OpenMP alone. */
static bool is_asked(const void *place)
{
    return !threads_of(place) && !alone && !cplrt_fork_inside() && atomic_load(&team.found) &&
           !atomic_load(&team.ending);
}

int32_t team__kmpc_global_thread_num(void *place)
{
    if (!is_asked(place)) return 0;
    start(place);
    return team.global_thread_num(place);
}

void team__kmpc_push_num_threads(void *place, int32_t thread, int32_t count)
{
    if (!is_asked(place)) most = count;
    else {
        start(place);
        team.push_num_threads(place, thread, count);
    }
}

int32_t team__kmpc_bound_num_threads(void *place)
{
    return cplrt_fork_inside() ? cplrt_fork_workers() : team.bound_num_threads(place);
}

void team__kmpc_dispatch_init_8(void *place, int32_t thread, int32_t schedule, int64_t low,
                                int64_t high, int64_t step, int64_t chunk)
{
    dealt = !cplrt_fork_inside();
    if (dealt) team.dispatch_init_8(place, thread, schedule, low, high, step, chunk);
    else cplrt_fork_deal(low, high, chunk, schedule == FORK_GUIDED);
}

int32_t team__kmpc_dispatch_next_8(void *place, int32_t thread, int32_t *last, int64_t *low,
                                   int64_t *high, int64_t *step)
{
    if (!cplrt_fork_inside()) {
        int32_t more = team.dispatch_next_8(place, thread, last, low, high, step);
        dealt = more;
        return more;
    }
    *last = 0; /* asked for, and not looked at */
    *step = 1;
    return cplrt_fork_next(low, high);
}

/* Sections inside LLVM, and the one record per process of its handlers, its initialisation and its
 * failures. */
#include "lib/target/guard.h"
#include "lib/target/hooks.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

/* Where a compile thread is. Only the thread itself moves it, but for WORKING to GONE. */
enum { OUTSIDE, INSIDE, WORKING, GONE };

#define COLD_PATIENCE 10 /* seconds */
#define FORK_PATIENCE 1  /* seconds that fork waits for them */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned inside; /* threads in a section; the handlers are installed while there are any */
    unsigned stuck;  /* of these, those that were left behind */
    unsigned failures, most_failures;
    unsigned compiled; /* times LLVM's work ended well */
    bool given_up, forked_inside;
    unsigned initialising; /* threads in guard_once */
    void (*probe)(guard_kind kind);
} process = {.lock = PTHREAD_MUTEX_INITIALIZER,
             .changed = PTHREAD_COND_INITIALIZER,
             .most_failures = GUARD_MOST_FAILURES};

/* Initial-exec: asking for it must not allocate, for handlers run where memory ended. */
static _Thread_local guard_thread *self __attribute__((tls_model("initial-exec")));

void guard_attach(guard_thread *t)
{
    self = t;
}

/*
 * The library is linked so that this stands for __cxa_atexit, with which LLVM's static objects ask
 * for their destruction when the process ends or the library is closed. They stay: threads may be
 * inside LLVM then, and closing keeps the library anyway (nodelete).
 */
int __wrap___cxa_atexit(void (*destroy)(void *object), void *object, void *library);
int __wrap___cxa_atexit(void (*destroy)(void *object), void *object, void *library)
{
    (void)destroy;
    (void)object;
    (void)library;
    return 0;
}

/* The lock is held. */
static void count_in(void)
{
    if (process.inside++ == 0) hook_handlers_install();
}

static void count_out(void)
{
    if (--process.inside == 0) hook_handlers_remove();
    pthread_cond_broadcast(&process.changed);
}

static void count_failure(void)
{
    if (++process.failures >= process.most_failures) process.given_up = true;
}

static const char *refusal(guard_kind kind)
{
    if (process.forked_inside)
        return "this process was forked while LLVM was at work in its parent";
    if (process.given_up && kind <= GUARD_CODEGEN)
        return "compiling was given up in this process after LLVM failed";
    return NULL;
}

const char *guard_enter(guard_kind kind, void (*undo)(void *user), void *user)
{
    guard_thread *t = self;
    if (!t) return NULL;
    pthread_mutex_lock(&process.lock);
    const char *why = refusal(kind);
    if (!why) count_in();
    void (*probe)(guard_kind) = process.probe;
    pthread_mutex_unlock(&process.lock);
    if (why) return why;
    t->kind = kind;
    t->undo = undo;
    t->undo_user = user;
    t->paused = false;
    atomic_store(&t->state, kind == GUARD_WORK ? WORKING : INSIDE);
    if (probe) probe(kind);
    return NULL;
}

static _Noreturn void park(void)
{
    for (;;) pause();
}

/* What a failure of a thread that was left behind means to others. */
static void tell_nobody(void *user, cpl_status status, const char *message)
{
    (void)user, (void)status, (void)message;
}

bool guard_leave(void)
{
    guard_thread *t = self;
    if (!t) return true;
    bool left_behind = atomic_exchange(&t->state, OUTSIDE) == GONE;
    pthread_mutex_lock(&process.lock);
    if (left_behind) process.stuck--;
    else if (t->kind == GUARD_WORK) process.compiled++;
    count_out();
    pthread_mutex_unlock(&process.lock);
    if (left_behind) t->failed = tell_nobody;
    return !left_behind;
}

void guard_end(void)
{
    longjmp(*self->end, 1);
}

bool guard_pause(void)
{
    guard_thread *t = self;
    if (!t || t->paused || atomic_load(&t->state) == OUTSIDE) return false;
    return t->paused = true;
}

void guard_resume(bool inside)
{
    if (inside) self->paused = false;
}

void guard_fail(cpl_status status, const char *message)
{
    guard_thread *t = self;
    if (!t || t->paused || atomic_load(&t->state) == OUTSIDE) return;
    self = NULL;
    bool left_behind = atomic_exchange(&t->state, GONE) == GONE;
    pthread_mutex_lock(&process.lock);
    if (left_behind) process.stuck--;
    else count_failure();
    count_out();
    pthread_mutex_unlock(&process.lock);
    if (!left_behind) {
        if (t->undo) t->undo(t->undo_user);
        t->failed(t->user, status, message);
    }
    park();
}

bool guard_abandon(guard_thread *t, bool failure)
{
    int working = WORKING;
    pthread_mutex_lock(&process.lock); /* so that leaving finds it counted as stuck */
    bool gone = atomic_compare_exchange_strong(&t->state, &working, GONE);
    if (gone) {
        process.stuck++;
        if (failure) count_failure();
        /* nothing would ever end */
        if (!process.compiled && process.failures > 1) process.given_up = true;
        pthread_cond_broadcast(&process.changed);
    }
    pthread_mutex_unlock(&process.lock);
    return gone;
}

int64_t guard_patience(int64_t limit)
{
    pthread_mutex_lock(&process.lock);
    bool wary = process.failures && !process.compiled;
    pthread_mutex_unlock(&process.lock);
    return wary && (limit == 0 || limit > COLD_PATIENCE) ? COLD_PATIENCE : limit;
}

static void end_init(guard_init *which, bool ok)
{
    pthread_mutex_lock(&process.lock);
    which->state = ok ? INIT_DONE : INIT_FAILED;
    process.initialising--;
    pthread_cond_broadcast(&process.changed);
    pthread_mutex_unlock(&process.lock);
}

static void undo_init(void *which)
{
    end_init(which, false);
}

bool guard_once(guard_init *which, bool (*init)(void))
{
    pthread_mutex_lock(&process.lock);
    while (which->state == INIT_RUNS) pthread_cond_wait(&process.changed, &process.lock);
    bool mine = which->state == INIT_NEW;
    if (mine) which->state = INIT_RUNS;
    process.initialising += mine;
    bool ok = which->state == INIT_DONE;
    pthread_mutex_unlock(&process.lock);
    if (!mine) return ok;
    const char *why = guard_enter(GUARD_INIT, undo_init, which);
    ok = !why && init();
    if (!why) guard_leave();
    end_init(which, ok);
    return ok;
}

/* No section opens while the lock is held, which is until fork is over. Who forks inside a section
 * must not wait for himself. */
void guard_before_fork(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += FORK_PATIENCE;
    unsigned own = self && atomic_load(&self->state) != OUTSIDE;
    pthread_mutex_lock(&process.lock);
    while (process.inside > process.stuck + own)
        if (pthread_cond_timedwait(&process.changed, &process.lock, &until) == ETIMEDOUT) break;
}

void guard_after_fork(bool child)
{
    if (child) {
        process.forked_inside |= process.inside > 0 || process.initialising;
        if (process.inside) hook_handlers_remove();
        process.inside = process.stuck = 0;
        pthread_cond_init(&process.changed, NULL); /* nobody waits here */
    }
    pthread_mutex_unlock(&process.lock);
}

guard_settings guard_configure(const guard_settings *settings)
{
    pthread_mutex_lock(&process.lock);
    guard_settings before = {process.failures, process.most_failures, process.probe};
    if (settings) {
        process.failures = settings->failures;
        process.most_failures = settings->most_failures;
        process.probe = settings->probe;
        process.given_up = process.failures >= process.most_failures;
    }
    pthread_mutex_unlock(&process.lock);
    return before;
}

/*
 * Compile threads. LLVM recurses deeply, so compilations run on threads with a stack of their own,
 * never on the caller's. An idle thread is reused; a new one is made when all are at work, so that
 * compilations run at the same time.
 *
 * A thread on which LLVM fails parks for ever (lib/target/guard.h), and one that takes too long
 * inside LLVM, or whose result nobody wants any more, is left behind. Both leave the pool: it
 * forgets them, frees what it knew of them and never waits for them.
 */
#include "lib/driver/driver.h"
#include "lib/support/thread.h"
#include "lib/target/guard.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#define RETRY_MS 10 /* until a thread whose time is over is looked at again */

typedef struct worker {
    worker_pool *pool;
    pthread_t thread;
    pthread_cond_t wake, done;
    void (*fn)(void *arg); /* NULL: idle */
    void *arg;
    guard_thread *guard; /* on the thread's stack; NULL until it runs */
    bool finished, quit;
    atomic_bool unwanted; /* who waits has lost his interest */
    worker_failure failure;
    struct worker *next_idle;
    struct worker *next;
} worker;

struct worker_pool {
    mem mem;
    pthread_mutex_t lock;
    worker *idle, *all;
};

static _Thread_local const worker *own_worker __attribute__((tls_model("initial-exec")));

bool worker_unwanted(void)
{
    return own_worker && atomic_load_explicit(&own_worker->unwanted, memory_order_relaxed);
}

/* On the failing thread, which touches nothing of ours behind this. */
static void on_failure(void *arg, cpl_status status, const char *message)
{
    worker *w = arg;
    pthread_mutex_t *lock = &w->pool->lock;
    pthread_mutex_lock(lock);
    w->failure.status = status;
    snprintf(w->failure.message, sizeof w->failure.message, "%s", message);
    w->finished = true;
    pthread_cond_signal(&w->done);
    pthread_mutex_unlock(lock);
}

static void *worker_main(void *arg)
{
    worker *w = arg;
    jmp_buf end;
    guard_thread guard = {.failed = on_failure, .user = w, .end = &end};
    guard_attach(&guard);
    own_worker = w;
    if (setjmp(end)) return NULL; /* left behind: the worker is gone */
    pthread_mutex_lock(&w->pool->lock);
    w->guard = &guard;
    for (;;) {
        while (!w->fn && !w->quit) pthread_cond_wait(&w->wake, &w->pool->lock);
        if (!w->fn) break;
        pthread_mutex_unlock(&w->pool->lock);
        w->fn(w->arg);
        pthread_mutex_lock(&w->pool->lock);
        w->fn = NULL;
        w->finished = true;
        pthread_cond_signal(&w->done);
    }
    pthread_mutex_unlock(&w->pool->lock);
    guard_attach(NULL);
    return NULL;
}

worker_pool *worker_pool_create(const mem *m)
{
    worker_pool *p = mem_zalloc(m, sizeof *p);
    if (!p) return NULL;
    p->mem = *m;
    if (pthread_mutex_init(&p->lock, NULL)) {
        mem_free(m, p, sizeof *p);
        return NULL;
    }
    return p;
}

static void free_worker(worker *w)
{
    pthread_cond_destroy(&w->wake);
    pthread_cond_destroy(&w->done);
    mem m = w->pool->mem;
    mem_free(&m, w, sizeof *w);
}

void worker_pool_free(worker_pool *p)
{
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    for (worker *w = p->all; w; w = w->next) {
        w->quit = true;
        pthread_cond_signal(&w->wake);
    }
    pthread_mutex_unlock(&p->lock);
    for (worker *w = p->all; w;) {
        worker *next = w->next;
        pthread_join(w->thread, NULL);
        free_worker(w);
        w = next;
    }
    pthread_mutex_destroy(&p->lock);
    mem m = p->mem;
    mem_free(&m, p, sizeof *p);
}

/* Waits on `done` can end at a time of a clock that nobody sets. */
static bool init_conditions(worker *w)
{
    pthread_condattr_t monotonic;
    if (pthread_condattr_init(&monotonic)) return false;
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    bool ok = !pthread_cond_init(&w->wake, NULL);
    if (ok && pthread_cond_init(&w->done, &monotonic)) {
        pthread_cond_destroy(&w->wake);
        ok = false;
    }
    pthread_condattr_destroy(&monotonic);
    return ok;
}

/* A new worker, linked into `all` but not into `idle`; the lock is held. */
static worker *worker_create(worker_pool *p, worker_failure *failure)
{
    worker *w = mem_zalloc(&p->mem, sizeof *w);
    if (!w) return NULL;
    w->pool = p;
    if (!init_conditions(w)) {
        mem_free(&p->mem, w, sizeof *w);
        return NULL;
    }
    int error = thread_start(&w->thread, THREAD_STACK, worker_main, w);
    if (error) {
        failure->no_thread = true;
        snprintf(failure->message, sizeof failure->message,
                 "a compile thread could not be started: %s", strerror(error));
        free_worker(w);
        return NULL;
    }
    w->next = p->all;
    p->all = w;
    return w;
}

static struct timespec time_in(int64_t seconds, long ms)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += seconds;
    t.tv_nsec += ms * 1000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    return t;
}

/* Leaves the worker's thread behind, with the reason; false if it is not at LLVM's work. */
static bool abandon(worker *w, bool cancelled, int64_t seconds)
{
    if (!w->guard || !guard_abandon(w->guard, !cancelled)) return false;
    w->failure.status = cancelled ? CPL_ECANCELLED : CPL_ECOMPILER;
    if (cancelled)
        snprintf(w->failure.message, sizeof w->failure.message, "the compilation was cancelled");
    else
        snprintf(w->failure.message, sizeof w->failure.message,
                 "LLVM took more than %lld s (option compile_timeout)", (long long)seconds);
    return true;
}

static bool is_past(const struct timespec *t)
{
    struct timespec now = time_in(0, 0);
    return now.tv_sec > t->tv_sec || (now.tv_sec == t->tv_sec && now.tv_nsec >= t->tv_nsec);
}

/* Whether who waits says so; the lock is held, but not while he is asked. */
static bool is_stopped(worker *w, const worker_patience *p)
{
    pthread_mutex_unlock(&w->pool->lock);
    bool stop = p->stop(p->user);
    pthread_mutex_lock(&w->pool->lock);
    return stop;
}

/* Waits for the end of the worker's job, of its time, or of all interest in it: then the thread is
 * left behind as soon as it can be. The lock is held. */
static void wait_for(worker *w, const worker_patience *p)
{
    int64_t seconds = guard_patience(p->limit);
    struct timespec end = time_in(seconds, 0), until;
    bool late = false, cancelled = false;
    while (!w->finished) {
        cancelled |= p->cancel && atomic_load(p->cancel);
        if ((cancelled || late) && abandon(w, cancelled, seconds)) return;
        bool looks = cancelled || late || p->stop;
        until = looks ? time_in(0, RETRY_MS) : end;
        if (!looks && seconds == 0) pthread_cond_wait(&w->done, &w->pool->lock);
        else if (pthread_cond_timedwait(&w->done, &w->pool->lock, &until) == ETIMEDOUT) {
            late |= seconds != 0 && is_past(&end);
            if (p->stop && !cancelled && !w->finished) cancelled = is_stopped(w, p);
        }
        if (cancelled) atomic_store_explicit(&w->unwanted, true, memory_order_relaxed);
    }
}

void worker_pool_wake(worker_pool *p)
{
    pthread_mutex_lock(&p->lock);
    for (worker *w = p->all; w; w = w->next) pthread_cond_signal(&w->done);
    pthread_mutex_unlock(&p->lock);
}

/* Forgets a worker whose thread is lost; the lock is held. */
static void forget(worker_pool *p, worker *w)
{
    worker **at = &p->all;
    while (*at != w) at = &(*at)->next;
    *at = w->next;
    pthread_detach(w->thread);
    free_worker(w);
}

bool worker_run(worker_pool *p, void (*fn)(void *arg), void *arg, const worker_patience *patience,
                worker_failure *failure)
{
    *failure = (worker_failure){.status = CPL_ENOMEM};
    pthread_mutex_lock(&p->lock);
    worker *w = p->idle;
    if (w) p->idle = w->next_idle;
    else w = worker_create(p, failure);
    bool ok = false;
    if (w) {
        w->arg = arg;
        w->finished = false;
        atomic_store_explicit(&w->unwanted, false, memory_order_relaxed);
        w->fn = fn;
        w->failure.status = CPL_OK;
        pthread_cond_signal(&w->wake);
        wait_for(w, patience);
        *failure = w->failure;
        ok = failure->status == CPL_OK;
        if (ok) {
            w->next_idle = p->idle;
            p->idle = w;
        } else {
            forget(p, w);
        }
    }
    pthread_mutex_unlock(&p->lock);
    return ok;
}

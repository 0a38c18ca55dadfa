/*
 * Compile threads. LLVM recurses deeply, so compilations run on threads with a stack of their own, never on the caller's. An idle thread
 * is reused; a new one is made when all are at work, so that compilations run at the same time.
 */
#include "lib/driver/driver.h"

#define STACK_SIZE ((size_t)64 << 20) /* reserved, touched only as far as used */

typedef struct worker {
    worker_pool *pool;
    pthread_t thread;
    pthread_cond_t wake, done;
    void (*fn)(void *arg); /* NULL: idle */
    void *arg;
    bool finished, quit;
    struct worker *next_idle;
    struct worker *next;
} worker;

struct worker_pool {
    mem mem;
    pthread_mutex_t lock;
    worker *idle, *all;
};

static void *worker_main(void *arg)
{
    worker *w = arg;
    pthread_mutex_lock(&w->pool->lock);
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
        pthread_cond_destroy(&w->wake);
        pthread_cond_destroy(&w->done);
        mem_free(&p->mem, w, sizeof *w);
        w = next;
    }
    pthread_mutex_destroy(&p->lock);
    mem m = p->mem;
    mem_free(&m, p, sizeof *p);
}

/* A new worker, linked into `all` but not into `idle`; the lock is held. */
static worker *worker_create(worker_pool *p)
{
    worker *w = mem_zalloc(&p->mem, sizeof *w);
    if (!w) return NULL;
    w->pool = p;
    pthread_attr_t attr;
    if (pthread_cond_init(&w->wake, NULL)) goto fail_worker;
    if (pthread_cond_init(&w->done, NULL)) goto fail_wake;
    if (pthread_attr_init(&attr)) goto fail_done;
    int failed = pthread_attr_setstacksize(&attr, STACK_SIZE) || pthread_create(&w->thread, &attr, worker_main, w);
    pthread_attr_destroy(&attr);
    if (failed) goto fail_done;
    w->next = p->all;
    p->all = w;
    return w;

fail_done:
    pthread_cond_destroy(&w->done);
fail_wake:
    pthread_cond_destroy(&w->wake);
fail_worker:
    mem_free(&p->mem, w, sizeof *w);
    return NULL;
}

bool worker_run(worker_pool *p, void (*fn)(void *arg), void *arg)
{
    pthread_mutex_lock(&p->lock);
    worker *w = p->idle;
    if (w) p->idle = w->next_idle;
    else w = worker_create(p);
    if (w) {
        w->arg = arg;
        w->finished = false;
        w->fn = fn;
        pthread_cond_signal(&w->wake);
        while (!w->finished) pthread_cond_wait(&w->done, &p->lock);
        w->next_idle = p->idle;
        p->idle = w;
    }
    pthread_mutex_unlock(&p->lock);
    return w != NULL;
}

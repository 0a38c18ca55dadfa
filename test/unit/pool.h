/* A host's pool of threads, as cpl_threads: workers' numbers of the loops at hand are taken one by
 * one, by its threads and by those who wait for a loop. */
#ifndef POOL_H
#define POOL_H

#include <cpl/threads.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { POOL_THREADS = 3 };

typedef struct pool_loop {
    cpl_task_fn task;
    void *data;
    int workers, next, left;
    struct pool_loop *after;
} pool_loop;

typedef struct pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t threads[POOL_THREADS];
    pool_loop *loops; /* with numbers to take */
    bool quit;
    atomic_int runs, most; /* calls of run, and the most workers that one asked for */
    atomic_int inside;     /* of them, those that came from inside of a task */
} pool;

static _Thread_local int pool_depth; /* tasks that this thread is in */

static inline void pool_call(cpl_task_fn task, void *data, int worker, int workers)
{
    pool_depth++;
    task(data, worker, workers);
    pool_depth--;
}

static inline void pool_count(pool *p, int workers)
{
    atomic_fetch_add(&p->runs, 1);
    if (pool_depth) atomic_fetch_add(&p->inside, 1);
    int most = atomic_load(&p->most);
    while (most < workers && !atomic_compare_exchange_weak(&p->most, &most, workers)) continue;
}

/* One number of some loop; the lock is held, but not meanwhile. */
static inline void pool_take(pool *p)
{
    pool_loop *l = p->loops;
    int number = l->next++;
    if (l->next == l->workers) p->loops = l->after;
    pthread_mutex_unlock(&p->lock);
    pool_call(l->task, l->data, number, l->workers);
    pthread_mutex_lock(&p->lock);
    if (--l->left == 0) pthread_cond_broadcast(&p->changed);
}

static inline void *pool_work(void *arg)
{
    pool *p = arg;
    pthread_mutex_lock(&p->lock);
    while (!p->quit) {
        if (p->loops) pool_take(p);
        else pthread_cond_wait(&p->changed, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static inline void pool_run(void *user, cpl_task_fn task, void *data, int workers)
{
    pool *p = user;
    pool_loop l = {task, data, workers, 0, workers, NULL};
    pool_count(p, workers);
    pthread_mutex_lock(&p->lock);
    pool_loop **at = &p->loops;
    while (*at) at = &(*at)->after;
    *at = &l;
    pthread_cond_broadcast(&p->changed);
    while (l.left) {
        if (p->loops) pool_take(p);
        else pthread_cond_wait(&p->changed, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
}

/* The calling thread is all workers, the last one first. */
static inline void pool_run_in_turn(void *user, cpl_task_fn task, void *data, int workers)
{
    pool_count(user, workers);
    for (int i = workers; i-- > 0;) pool_call(task, data, i, workers);
}

static inline void pool_begin(pool *p)
{
    *p = (pool){.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    for (int i = 0; i < POOL_THREADS; i++)
        if (pthread_create(&p->threads[i], NULL, pool_work, p)) __builtin_trap();
}

static inline void pool_end(pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->quit = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < POOL_THREADS; i++) pthread_join(p->threads[i], NULL);
}

#endif

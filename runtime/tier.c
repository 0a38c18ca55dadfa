/*
 * Two tiers. A launch that does little work runs quick code, made in a tenth of the time, and its
 * kernel joins a queue; one thread a context, started when first needed, makes the optimised code
 * and swaps it in. It begins a little later, so that it does not take a core away from that launch,
 * whose threads are yet to be started: libomp looks at each core from the thread that calls it, and
 * waited there for the compiler. Whoever needs that at once (a launch with more to do, a caller of
 * the kernel's address) takes the kernel off the queue and compiles it himself, or waits for the
 * thread that is at it. A kernel that goes before its turn is dropped. With the option tiers at 2
 * kernels join no queue, and wait for those alone.
 */
#include "lib/support/clock.h"
#include "runtime/runtime.h"

enum { REST_MS = 5 }; /* a first launch and what it starts */

struct tiers {
    mem mem;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* something was queued, is done, or the end has come */
    pthread_t thread;
    bool started, quit;
    atomic_bool never; /* what its thread waits for is not cancelled by a context's poll function */
    cpl_kernel *first;
};

tiers *tiers_create(const mem *m)
{
    tiers *t = mem_zalloc(m, sizeof *t);
    if (!t) return NULL;
    t->mem = *m;
    pthread_mutex_init(&t->lock, NULL);
    context_condition(&t->changed);
    return t;
}

void tiers_free(tiers *t)
{
    if (!t) return;
    pthread_mutex_lock(&t->lock);
    t->quit = true;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
    if (t->started) pthread_join(t->thread, NULL);
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->lock);
    mem m = t->mem;
    mem_free(&m, t, sizeof *t);
}

/* Whoever has a kernel has made the state. */
static tiers *tiers_of(cpl_context *cx)
{
    const runtime_state *s = context_runtime(cx);
    return s->tiers;
}

/* Compiles a kernel that left the queue, or was in none; the lock is held, but not meanwhile. Where
 * the call was cancelled the kernel is the first of the queue again. */
static cpl_status optimise(tiers *t, cpl_kernel *k)
{
    bool queued = k->tier == TIER_QUEUED;
    k->tier = TIER_RUNNING;
    pthread_mutex_unlock(&t->lock);
    cpl_status status = k->optimise(k);
    pthread_mutex_lock(&t->lock);
    if (status == CPL_ECANCELLED && !atomic_load(&k->unwanted)) {
        k->tier = queued ? TIER_QUEUED : TIER_LATER;
        if (queued) k->next_tier = t->first, t->first = k;
    } else {
        k->tier = TIER_NONE;
        atomic_store_explicit(&k->quick, false, memory_order_release); /* now or never */
        status = CPL_OK;
    }
    pthread_cond_broadcast(&t->changed);
    return status;
}

static void *work(void *arg)
{
    tiers *t = arg;
    context_stop_by(&t->never);
    pthread_mutex_lock(&t->lock);
    while (!t->quit) {
        cpl_kernel *k = t->first;
        double rest = k ? k->tier_begin - now_ms() : 0;
        if (!k) {
            pthread_cond_wait(&t->changed, &t->lock);
        } else if (rest > 0) {
            const struct timespec end = context_until(1 + (int64_t)rest);
            pthread_cond_timedwait(&t->changed, &t->lock, &end);
        } else {
            t->first = k->next_tier;
            optimise(t, k);
        }
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* The lock is held. */
static void enqueue(tiers *t, cpl_kernel *k)
{
    if (!t->started) t->started = pthread_create(&t->thread, NULL, work, t) == 0;
    cpl_kernel **at = &t->first; /* without a thread it waits there for somebody who needs it */
    while (*at) at = &(*at)->next_tier;
    k->next_tier = NULL;
    k->tier = TIER_QUEUED;
    k->tier_begin = now_ms() + REST_MS;
    *at = k;
    pthread_cond_broadcast(&t->changed);
}

void tier_submit(cpl_kernel *k, int64_t option)
{
    tiers *t = tiers_of(module_context(k->module));
    pthread_mutex_lock(&t->lock);
    if (option == 1) enqueue(t, k);
    else k->tier = TIER_LATER;
    pthread_mutex_unlock(&t->lock);
}

static void unqueue(tiers *t, cpl_kernel *k)
{
    cpl_kernel **at = &t->first;
    while (*at != k) at = &(*at)->next_tier;
    *at = k->next_tier;
}

cpl_status tier_finish(cpl_kernel *k)
{
    cpl_context *cx = module_context(k->module);
    tiers *t = tiers_of(cx);
    cpl_status status = CPL_OK;
    pthread_mutex_lock(&t->lock);
    while (k->tier != TIER_NONE && !status) {
        if (k->tier == TIER_RUNNING) {
            status = context_doze(cx, &t->changed, &t->lock, NULL);
        } else {
            if (k->tier == TIER_QUEUED) unqueue(t, k);
            status = optimise(t, k);
        }
    }
    pthread_mutex_unlock(&t->lock);
    return status ? context_cancelled(cx) : CPL_OK;
}

/* What is under way is left to itself (lib/driver/worker.c): its result goes nowhere. */
void tier_forget(cpl_kernel *k)
{
    cpl_context *cx = module_context(k->module);
    tiers *t = tiers_of(cx);
    pthread_mutex_lock(&t->lock);
    bool running = k->tier == TIER_RUNNING;
    if (k->tier == TIER_QUEUED) unqueue(t, k);
    if (running) atomic_store(&k->unwanted, true);
    else k->tier = TIER_NONE;
    pthread_mutex_unlock(&t->lock);
    if (!running) return;
    context_wake(cx);
    pthread_mutex_lock(&t->lock);
    while (k->tier == TIER_RUNNING) pthread_cond_wait(&t->changed, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

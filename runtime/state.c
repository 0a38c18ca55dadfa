/*
 * What the runtime keeps in a context. Made by whoever needs it first, with the queues of kernels
 * to come; what is made later leaves here how it goes.
 */
#include "runtime/runtime.h"

static void state_free(cpl_context *cx)
{
    const mem *m = context_mem(cx);
    runtime_state *s = context_runtime(cx);
    compiles_free(s->compiles);
    cpl_module_release(s->convert); /* whose kernels may be in the queue of tiers */
    tiers_free(s->tiers);
    if (s->profile) atomic_load (&s->profile_free)(m, s->profile); /* asks devices no more */
    if (s->devices) s->devices_free(cx, s->devices);
    if (s->cache) s->cache_free(m, s->cache);
    mem_free(m, s, sizeof *s);
}

static runtime_state *create(cpl_context *cx)
{
    const mem *m = context_mem(cx);
    runtime_state *s = mem_zalloc(m, sizeof *s);
    if (!s) return NULL;
    s->tiers = tiers_create(m);
    s->compiles = compiles_create(m);
    if (s->tiers && s->compiles) return s;
    compiles_free(s->compiles);
    tiers_free(s->tiers);
    mem_free(m, s, sizeof *s);
    return NULL;
}

runtime_state *runtime_of(cpl_context *cx)
{
    pthread_mutex_lock(context_lock(cx));
    runtime_state *s = context_runtime(cx);
    if (!s && (s = create(cx))) context_set_runtime(cx, s, state_free);
    pthread_mutex_unlock(context_lock(cx));
    return s;
}

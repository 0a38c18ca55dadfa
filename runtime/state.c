/* What the runtime keeps in a context: the cache on disk, the compilations to come. Made by whoever
 * needs it first. */
#include "runtime/runtime.h"
#include "runtime/profile.h"
#include "runtime/device/device.h"

static void state_free(cpl_context *cx)
{
    const mem *m = context_mem(cx);
    runtime_state *s = context_runtime(cx);
    compiles_free(s->compiles);
    cpl_module_release(s->convert); /* whose kernels may be in the queue of tiers */
    tiers_free(s->tiers);
    profile_free(m, s->profile); /* asks devices no more */
    devices_free(cx, s->devices);
    disk_cache_free(m, s->cache);
    mem_free(m, s, sizeof *s);
}

static runtime_state *create(cpl_context *cx)
{
    const mem *m = context_mem(cx);
    runtime_state *s = mem_zalloc(m, sizeof *s);
    if (!s) return NULL;
    s->cache = disk_cache_create(m);
    s->tiers = tiers_create(m);
    s->compiles = compiles_create(m);
    s->profile = profile_create(m);
    if (s->cache && s->tiers && s->compiles && s->profile) return s;
    profile_free(m, s->profile);
    disk_cache_free(m, s->cache);
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

disk_cache *runtime_disk_cache(cpl_context *cx)
{
    runtime_state *s = runtime_of(cx);
    return s ? s->cache : NULL;
}

/*
 * A host program's own threads, which run parallel loops in place of an OpenMP runtime.
 *
 *     static void run(void *pool, cpl_task_fn task, void *data, int workers)
 *     {
 *         for (int i = 1; i < workers; i++) my_pool_submit(pool, task, data, i, workers);
 *         task(data, 0, workers);
 *         my_pool_join(pool);
 *     }
 *     cpl_threads threads = {sizeof threads, run, pool, my_pool_size(pool) + 1};
 *     options.threads = &threads; // of cpl_context_options
 *
 * They belong to a context, not to the process: of two libraries that both use this one each brings
 * its own. Objects compiled ahead of time are given them too: cplrt_threads_set in cpl/rt.h. This
 * header needs nothing but C.
 */
#ifndef CPL_THREADS_H
#define CPL_THREADS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What one of `workers` workers does of a loop: worker counts from 0. */
typedef void (*cpl_task_fn)(void *data, int worker, int workers);

typedef struct cpl_threads {
    size_t size; /* sizeof(cpl_threads) */
    /*
     * Runs a loop on up to `workers` workers, 2 or more: the host chooses how many there are, 1 at
     * least, and task is called with that number once for each of them. Where, in what order and
     * whether at once is up to the host: workers never wait for each other, so that one thread can
     * be all of them in turn. Returns when all calls have returned; what they wrote is seen by the
     * caller then, as after a join. What is not called at all, where nothing could be started, the
     * calling thread does by itself, so that there is no error to answer. It must return: no
     * exception and no jump may leave it.
     *
     * Called on each thread that launches or calls a kernel with a parallel loop, on several at
     * once, with no lock of the library's held. Not called inside of a task: a loop in a function
     * that a kernel calls runs on the thread that comes to it. data lives until it returns.
     */
    void (*run)(void *pool, cpl_task_fn task, void *data, int workers);
    void *pool;  /* for run; the host's, to be there for as long as kernels run */
    int workers; /* the most that run is asked for, 1 or more; with 1 it is never called */
} cpl_threads;

#ifdef __cplusplus
}
#endif
#endif

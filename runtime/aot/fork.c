/* A parallel loop on the threads of the host program. Everything that workers share lies on the
 * stack of the thread that came to the loop. */
#include "runtime/aot/fork.h"

#include <stdatomic.h>

typedef struct loop {
    fork_task task;
    void *captures;
    int64_t rounds;
    bool begun;            /* by worker 0; read when all are done */
    _Atomic(int64_t) left; /* rounds that nobody has taken; -1: all of them */
} loop;

typedef struct worker {
    loop *loop;
    int workers;
    int64_t low, count, chunk; /* of what is taken on demand */
    bool guided;
} worker;

/* Initial-exec: no allocation behind a launch's back. NULL: the thread is in no such loop. */
static _Thread_local worker *here __attribute__((tls_model("initial-exec")));

bool cplrt_fork_inside(void)
{
    return here != NULL;
}

int32_t cplrt_fork_workers(void)
{
    return here->workers;
}

/* What the host calls; on a thread that may be at another loop, while it waits for that one. */
static void work(void *data, int number, int workers)
{
    loop *l = data;
    worker own = {.loop = l, .workers = workers}, *outer = here;
    int32_t thread = number, member = number;
    if (number == 0) l->begun = true;
    here = &own;
    l->task(&thread, &member, l->captures, l->rounds);
    here = outer;
}

void cplrt_fork(const cpl_threads *threads, int32_t most, fork_task task, void *captures,
                int64_t rounds)
{
    loop l = {.task = task, .captures = captures, .rounds = rounds, .left = -1};
    int workers = threads && !here ? threads->workers : 1;
    if (most > 0 && most < workers) workers = most;
    if (rounds < workers) workers = (int)rounds;
    if (workers > 1) threads->run(threads->pool, work, &l, workers);
    if (!l.begun) work(&l, 0, 1);
}

void cplrt_fork_deal(int64_t low, int64_t high, int64_t chunk, bool guided)
{
    here->low = low;
    here->count = high - low + 1;
    here->chunk = here->workers == 1 ? here->count : chunk;
    here->guided = guided;
}

/* Guided: half of what each worker would get of the rest, as OpenMP's runtimes have it. */
static int64_t portion(const worker *w, int64_t left)
{
    int64_t n = w->chunk;
    if (w->guided && left / w->workers / 2 > n) n = left / w->workers / 2;
    return n < left ? n : left;
}

/* Rounds do not wait for each other: who takes which orders nothing else. */
bool cplrt_fork_next(int64_t *low, int64_t *high)
{
    worker *w = here;
    _Atomic(int64_t) *left = &w->loop->left;
    int64_t seen = atomic_load_explicit(left, memory_order_relaxed), before, n;
    do {
        before = seen < 0 ? w->count : seen;
        n = portion(w, before);
        if (n <= 0) return false;
    } while (!atomic_compare_exchange_weak_explicit(left, &seen, before - n, memory_order_relaxed,
                                                    memory_order_relaxed));
    *low = w->low + (w->count - before);
    *high = *low + n - 1;
    return true;
}

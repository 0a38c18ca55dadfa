/* Kernels compiled ahead of time on threads of the program's own. Valid C11 and C++17. */
#include "../../unit/pool.h"
#include "count.h"
#include "total.h"

#include <stdio.h>

enum { N = 30011 };
static double x[N];

/* How often the pool was asked. */
static int check(pool *p, double a)
{
    atomic_store(&p->runs, 0);
    count(N, x, a);
    for (int i = 0; i < N; i++)
        if (x[i] != i + a) return -1;
    if (total(x, N) != (double)N * (N - 1) / 2 + N * a) return -2;
    return atomic_load(&p->runs);
}

/* The workers that a loop asks for; 0: the pool was not asked. */
#define WORKERS(p, loop) (atomic_store(&(p)->most, 0), (void)(loop), atomic_load(&(p)->most))

/* A loop that says how many it takes, three, is between others, which take all that there are. */
static void show_workers(pool *p, int most)
{
    cpl_threads threads = {sizeof(cpl_threads), pool_run_in_turn, p, most};
    cplrt_threads_set(&threads);
    printf("of %d:", most);
    for (int again = 0; again < 2; again++) {
        printf(" %d", WORKERS(p, (count(N, x, 0), 0)));
        printf(" %d", WORKERS(p, total(x, N)));
    }
    printf(", of two rounds:");
    for (int again = 0; again < 2; again++) {
        printf(" %d", WORKERS(p, total(x, 2)));
        printf(" %d", WORKERS(p, (count(2, x, 0), 0)));
    }
    printf("\n");
}

int main(void)
{
    static pool p;
    pool_begin(&p);
    cpl_threads threads = {sizeof(cpl_threads), pool_run, &p, POOL_THREADS + 1};
    cpl_threads none = {sizeof(cpl_threads), NULL, &p, 4}, other = {1, pool_run, &p, 4};
    cpl_threads few = {sizeof(cpl_threads), pool_run_in_turn, &p, 0};
    printf("before: %d\n", check(&p, 1));
    printf("set: %d\n", cplrt_threads_set(&threads));
    printf("on threads: %d\n", check(&p, 2));
    printf("refused: %d%d%d\n", cplrt_threads_set(&none), cplrt_threads_set(&other),
           cplrt_threads_set(&few));
    printf("as before: %d\n", check(&p, 3));
    few.workers = 7;
    printf("set: %d\n", cplrt_threads_set(&few));
    printf("in turn: %d\n", check(&p, 4));
    printf("none: %d\n", cplrt_threads_set(NULL));
    printf("alone: %d\n", check(&p, 5));
    for (int most = 1; most <= 5; most++) show_workers(&p, most);
    pool_end(&p);
    return 0;
}

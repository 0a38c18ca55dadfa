/* Kernels on threads of the host's: loops of each schedule, a reduction, a grid, from several
 * threads. Says which OpenMP runtimes the process holds then. */
#include "../../unit/launches.h"
#include "../../unit/pool.h"

#include <cpl/cpl.h>

#include <stdio.h>
#include <string.h>

enum { N = 20000, GROUP = 50 };

static const char text[] = "def count(i, x, a):\n"
                           "    x[i] = i + a\n"
                           "def total(x, n):\n"
                           "    s = 0.0\n"
                           "    for i in prange(n):\n"
                           "        s += x[i]\n"
                           "    return s\n"
                           "def turned(x, t):\n"
                           "    i = GID_0*LDIM_0 + LID_0\n"
                           "    t[LID_0] = x[i]\n"
                           "    local_barrier()\n"
                           "    x[i] = t[LDIM_0 - 1 - LID_0]\n";

static atomic_int wrong, notes;
static cpl_module *m;

static void count_note(void *user, const cpl_diag *d)
{
    (void)user;
    notes++;
    fprintf(stderr, "%s\n", d->message);
}

static void *work(void *arg)
{
    double *x = arg;
    for (int round = 0; round < 20; round++) {
        cpl_arg count[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_int(round)};
        wrong += launch_rounds(m, "count", NULL, count, 2, CPL_AUTO, NULL) != CPL_OK;
        cpl_arg turned[] = {count[0], cpl_arg_local(CPL_FLOAT64, GROUP)};
        const int64_t global[3] = {N, 1, 1}, local[3] = {GROUP, 1, 1};
        cpl_launch_options grid = grid_on(NULL, global, local, NULL);
        wrong += cpl_launch(m, "turned", &grid, turned, 2) != CPL_OK;
        double sum = 0;
        cpl_arg total[] = {count[0], cpl_arg_int(N)};
        cpl_launch_options once = once_on(NULL, &sum, NULL);
        wrong += cpl_launch(m, "total", &once, total, 2) != CPL_OK;
        wrong += sum != (double)N * (N - 1) / 2 + (double)N * round;
        for (int i = 0; i < N; i++)
            wrong += x[i] != i / GROUP * GROUP + GROUP - 1 - i % GROUP + round;
    }
    return NULL;
}

int main(void)
{
    static double x[3][N];
    static pool p;
    pool_begin(&p);
    cpl_threads threads = {sizeof threads, pool_run, &p, POOL_THREADS + 1};
    cpl_context *cx;
    cpl_context_options o;
    cpl_context_options_init(&o);
    o.sink = count_note;
    o.threads = &threads;
    if (cpl_context_create(&o, &cx)) return 1;
    if (cpl_module_from_source(cx, "k.py", text, strlen(text), &m)) return 1;
    for (int schedule = 0; schedule < 3; schedule++) {
        if (cpl_context_set_option(cx, "schedule", schedule)) return 1;
        pthread_t callers[3];
        for (int i = 0; i < 3; i++) pthread_create(&callers[i], NULL, work, x[i]);
        for (int i = 0; i < 3; i++) pthread_join(callers[i], NULL);
    }
    const char *path = cpl_openmp_path(cx);
    cpl_module_release(m);
    cpl_context_release(cx);
    pool_end(&p);
    int mapped = 0;
    char line[512];
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        mapped += strstr(line, "libomp") || strstr(line, "libiomp") || strstr(line, "libgomp");
    printf("%d notes, %d wrong, OpenMP is %s, %d mappings; run %s\n", notes, wrong,
           path ? path : "not asked for", mapped, p.runs > 100 ? "often" : "seldom");
    return wrong != 0;
}

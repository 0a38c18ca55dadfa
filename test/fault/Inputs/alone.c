/* Kernels with loops of each schedule, launched many times, from several threads, and from inside
 * a loop by a function that the kernel calls. alone [PATH OF A RUNTIME] */
#include "../../unit/launches.h"

#include <cpl/cpl.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { N = 20000, INNER = 5000 };

static atomic_int notes, wrong;
static cpl_context *cx;
static cpl_module *m;
static double inner[4][INNER];

static void count_note(void *user, const cpl_diag *d)
{
    (void)user;
    if (d->severity == CPL_NOTE && strstr(d->message, "no OpenMP runtime")) notes++;
    else fprintf(stderr, "%s\n", d->message);
}

/* Called by the kernel `outer`, each `which` by one round. */
static double fill(int32_t which)
{
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, inner[which], INNER), cpl_arg_int(which)};
    if (launch_rounds(m, "count", NULL, args, 2, CPL_AUTO, NULL)) wrong++;
    return inner[which][INNER - 1];
}

static const char text[] = "def count(i, x, a):\n"
                           "    x[i] = i + a\n"
                           "def outer(i, x):\n"
                           "    x[i] = fill(i)\n";

static void *work(void *arg)
{
    (void)arg;
    static _Thread_local double x[N];
    for (int round = 0; round < 30; round++) {
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_int(round)};
        if (launch_rounds(m, "count", NULL, args, 2, CPL_AUTO, NULL)) wrong++;
        for (int i = 0; i < N; i++) wrong += x[i] != i + round;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    cpl_context_options o;
    cpl_context_options_init(&o);
    o.sink = count_note;
    o.openmp = argc > 1 ? argv[1] : NULL;
    if (cpl_context_create(&o, &cx)) return 1;
    if (cpl_context_set_option(cx, "tiers", 0)) return 1; /* no thread but OpenMP's stays behind */
    if (cpl_extern_register(cx, "fill", "float64(int32)", (void *)fill, false)) return 1;
    if (cpl_module_from_source(cx, "k.py", text, strlen(text), &m)) return 1;
    for (int schedule = 0; schedule < 3; schedule++) {
        if (cpl_context_set_option(cx, "schedule", schedule)) return 1;
        pthread_t threads[3];
        for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
        for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
        double x[4] = {0};
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 4)};
        if (launch_rounds(m, "outer", NULL, args, 1, CPL_AUTO, NULL)) wrong++;
        for (int i = 0; i < 4; i++) wrong += x[i] != INNER - 1 + i;
    }
    cpl_module_release(m);
    cpl_context_release(cx);
    int threads = 0;
    char line[128];
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f)) sscanf(line, "Threads: %d", &threads);
    printf("%d notes, %d wrong, %d threads\n", notes, wrong, threads);
    return wrong != 0;
}

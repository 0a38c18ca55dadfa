/* What the host programs of these tests share: kernels launched from any of their threads, with
 * results that are looked at. */
#ifndef FAULT_HOST_H
#define FAULT_HOST_H

#include "../../unit/launches.h"

#include <cpl/cpl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOST_N = 40000 }; /* enough for a launch to go parallel */

typedef struct host {
    cpl_context *cx;
    cpl_module *m;
} host;

static inline void host_say(void *user, const cpl_diag *d)
{
    char text[2000];
    (void)user;
    cpl_diag_render(d, text, sizeof text);
    fputs(text, stderr);
}

static inline void host_check(int ok, const char *what)
{
    if (ok) return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* threads: that loops run on, or NULL */
static inline host host_open_on(const cpl_threads *threads)
{
    static const char text[] = "from compyle.low_level import prange\n"
                               "def scale(i, x, a):\n"
                               "    x[i] = a*x[i] + 1\n\n"
                               "def total(x, n):\n"
                               "    s = 0.0\n"
                               "    for i in prange(n):\n"
                               "        s += x[i]\n"
                               "    return s\n";
    host h;
    cpl_context_options o;
    cpl_context_options_init(&o);
    o.sink = host_say;
    o.threads = threads;
    host_check(cpl_context_create(&o, &h.cx) == CPL_OK, "no context");
    host_check(cpl_module_from_source(h.cx, "host.py", text, sizeof text - 1, &h.m) == CPL_OK,
               "no module");
    return h;
}

static inline host host_open(void)
{
    return host_open_on(NULL);
}

static inline void host_close(host *h)
{
    cpl_module_release(h->m);
    cpl_context_release(h->cx);
}

/* Two launches on an array of its own; 1 if a result is wrong. Any thread. */
static inline int host_work(host *h, int seed)
{
    double *x = (double *)malloc(HOST_N * sizeof *x), sum = 0, expected = 0;
    int wrong = 0, i;
    cpl_arg args[2], call[2];
    if (!x) return 1;
    for (i = 0; i < HOST_N; i++) x[i] = (i + seed) % 97;
    args[0] = cpl_arg_array(CPL_FLOAT64, x, HOST_N);
    args[1] = cpl_arg_float(2);
    wrong |= launch_rounds(h->m, "scale", NULL, args, 2, HOST_N, NULL) != CPL_OK;
    for (i = 0; i < HOST_N; i++) {
        wrong |= x[i] != 2.0 * ((i + seed) % 97) + 1;
        expected += x[i]; /* whole numbers: exact in any order */
    }
    call[0] = args[0];
    call[1] = cpl_arg_int(HOST_N);
    wrong |= call_once(h->m, "total", call, 2, &sum, NULL) != CPL_OK || sum != expected;
    free(x);
    return wrong;
}

#endif

/*
 * A process that runs for long: kernels compiled and thrown away, and kernels launched, over and
 * over. Memory in use, resident memory, descriptors and threads stay where they were after the
 * warm-up. The full run is 10,000 compiles and 10 million launches.
 */
#include "fault.h"
#include "launches.h"

#include <malloc.h>
#include <unistd.h>

/* Sanitizers keep freed memory back, so that resident memory says nothing there. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

typedef struct state_of_things {
    long rss_kib, descriptors, threads;
    double live_mib, free_mib;
} state_of_things;

static state_of_things now(void)
{
    struct mallinfo2 m = mallinfo2();
    return (state_of_things){fault_status("VmRSS"), fault_descriptors(), fault_status("Threads"),
                             (double)(m.uordblks + m.hblkhd) / 1048576,
                             (double)m.fordblks / 1048576};
}

/* Threads that were left behind in LLVM, for kernels that nobody wants, end in their own time. */
static state_of_things at_rest(long threads)
{
    for (int i = 0; i < 6000 && fault_status("Threads") > threads; i++) usleep(10000);
    return now();
}

/* One of three shapes of kernels, with a constant of its own. */
static void compile(cpl_context *cx, long k)
{
    static const char *const shapes[] = {
        "def f(i, x, y):\n    y[i] = x[i]*1.%06ld + 2\n",
        "def f(i, x, y):\n    s = 0.0\n    for k in range(16):\n        s += x[i]*k + 1.%06ld\n    "
        "y[i] = s\n",
        "from math import sin\ndef f(i, x, y):\n    if x[i] > 1.%06ld:\n        y[i] = sin(x[i])\n "
        "   else:\n        y[i] = x[i]/(1 + x[i]*x[i])\n",
    };
    char text[512];
    snprintf(text, sizeof text, shapes[k % 3], k % 1000000);
    cpl_module *m = fault_module(cx, text);
    double x[64] = {1, 2, 3}, y[64] = {0};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 64), cpl_arg_array(CPL_FLOAT64, y, 64)};
    assert_int_equal(launch_rounds(m, "f", NULL, args, 2, CPL_AUTO, NULL), CPL_OK);
    assert_true(y[0] != 0);
    cpl_module_release(m);
}

static void print(const char *what, long n, const state_of_things *s)
{
    print_message("%8ld %s: RSS %ld KiB, heap %.2f MiB live and %.2f MiB free, %ld descriptors, "
                  "%ld threads\n",
                  n, what, s->rss_kib, s->live_mib, s->free_mib, s->descriptors, s->threads);
}

static double growth;

/* most: the share by which resident memory may grow; most_mib: by how much what is in use. */
static void compare(const char *what, const state_of_things *before, const state_of_things *after,
                    double most, double most_mib)
{
    growth = (double)after->rss_kib / (double)before->rss_kib - 1;
    assert_int_equal(after->descriptors, before->descriptors);
    assert_true(after->threads <= before->threads);
    if (!SANITIZED && growth > most)
        fail_msg("%s: resident memory grew by %.1f %%", what, 100 * growth);
    if (!SANITIZED && after->live_mib > before->live_mib + most_mib)
        fail_msg("%s: %.2f MiB more are in use", what, after->live_mib - before->live_mib);
}

/* In short runs the heap is still finding its size. */
static void compiles(void **state)
{
    int tiers = *(int *)*state;
    long thousands = test_rounds(0, 10),
         warm = thousands   ? 1000
                : SANITIZED ? 20
                            : 150,
         n = thousands ? 1000 * thousands : 3 * warm;
    cpl_context *cx = fault_context(NULL, NULL);
    assert_int_equal(cpl_context_set_option(cx, "tiers", tiers), CPL_OK);
    state_of_things before = {0}, after;
    for (long k = 1; k <= n; k++) {
        compile(cx, k);
        if (k == warm) before = now();
        if (k % (n / 10) == 0) after = now(), print("compiles", k, &after);
    }
    after = at_rest(before.threads);
    /* with tiers several compiles run side by side, at times: each leaves the next one its target
     * machine, of which eight are kept */
    double more = tiers ? 0.10 : 0;
    compare("compiles", &before, &after, (thousands ? 0.02 : 0.10) + more, tiers ? 5 : 1);
    if (!tiers)
        fault_figures(
            "soak-compiles",
            "\"compiles\": %ld, \"rss_growth_percent\": %.2f, \"descriptors\": 0, \"threads\": 0",
            n, 100 * growth);
    cpl_context_release(cx);
}

static void contexts(void **state)
{
    (void)state;
    long thousands = test_rounds(0, 10), n = thousands ? 1000 * thousands : SANITIZED ? 30 : 200;
    state_of_things before = {0}, after;
    for (long k = 1; k <= n; k++) {
        cpl_context *cx = fault_context(NULL, NULL);
        assert_int_equal(cpl_context_set_option(cx, "opt_level", 0), CPL_OK);
        compile(cx, k);
        cpl_context_release(cx);
        if (k == n / 3) before = now();
    }
    after = now();
    print("contexts", n, &after);
    compare("contexts", &before, &after, thousands ? 0.02 : 0.10, 1);
}

static void launches(void **state)
{
    (void)state;
    long millions = test_rounds(0, 10), n = millions ? 1000000 * millions : 100000;
    cpl_context *cx = fault_context(NULL, NULL);
    cpl_module *m = fault_module(cx, "def f(i, x):\n    x[i] += 1\n");
    double *x = calloc(100000, sizeof *x);
    state_of_things before = {0}, after;
    for (long k = 1; k <= n; k++) {
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, k % 10000 ? 4 : 100000)};
        if (launch_rounds(m, "f", NULL, args, 1, CPL_AUTO, NULL)) fail_msg("launch %ld fails", k);
        if (k == n / 10) before = now();
    }
    assert_true(x[0] == (double)n);
    after = now();
    print("launches", n, &after);
    compare("launches", &before, &after, 0.02, 1);
    fault_figures("soak-launches", "\"launches\": %ld, \"rss_growth_percent\": %.2f", n,
                  100 * growth);
    free(x);
    cpl_module_release(m);
    cpl_context_release(cx);
}

int main(void)
{
    static int off = 0, on = 1;
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        {"compiles", compiles, NULL, NULL, &off},
        {"compiles in tiers", compiles, NULL, NULL, &on},
        cmocka_unit_test(contexts),
        cmocka_unit_test(launches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

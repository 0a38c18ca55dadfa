/* Two tiers: quick code for a first launch with little to do, optimised code behind it. */
#include "world.h"
#include "launches.h"

#include <cpl/algorithm.h>
#include <cpl/compile.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static cpl_module *module(world *w, const char *text)
{
    cpl_module *m = NULL;
    assert_int_equal(cpl_module_from_source(w->cx, "kernel.py", text, strlen(text), &m), CPL_OK);
    return m;
}

static uint64_t upgrades(world *w)
{
    cpl_stats stats = {.size = sizeof stats};
    assert_int_equal(cpl_context_stats(w->cx, &stats), CPL_OK);
    return stats.upgrades;
}

/* Waits until so many kernels have their optimised code; a minute is for machines that are very
 * busy. */
static void await(world *w, uint64_t count)
{
    for (int i = 0; i < 60000 && upgrades(w) < count; i++) usleep(1000);
    assert_int_equal(upgrades(w), count);
}

static const char mix[] = "from math import sqrt\n"
                          "def mix(i, x, y, a):\n"
                          "    t = x[i]*a + 1.0/(x[i] + 3.0)\n"
                          "    for k in range(5):\n"
                          "        t = t*a - x[i]/(t*t + 1.0)\n"
                          "    y[i] = sqrt(t*t + a)\n";

enum { N = 200 };

static void launch(cpl_module *m, const char *function, double *x, double *y, int64_t n)
{
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, n), cpl_arg_array(CPL_FLOAT64, y, n),
                      cpl_arg_float(0.7)};
    assert_int_equal(launch_rounds(m, function, NULL, args, 3, CPL_AUTO, NULL), CPL_OK);
}

static void same_bits_in_precise_mode(void **state)
{
    world *w = *state;
    cpl_context_set_option(w->cx, "precise", 1);
    cpl_module *m = module(w, mix);
    double x[N], quick[N], later[N];
    for (int i = 0; i < N; i++) x[i] = 0.37 * i - 11;
    launch(m, "mix", x, quick, N);
    await(w, 1);
    launch(m, "mix", x, later, N);
    assert_memory_equal(quick, later, sizeof quick);
    cpl_stats stats = {.size = sizeof stats};
    cpl_context_stats(w->cx, &stats);
    assert_int_equal(stats.compiles, 1);
    cpl_module_release(m);
}

static void close_in_default_mode(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, mix);
    double x[N], quick[N], later[N];
    for (int i = 0; i < N; i++) x[i] = 0.37 * i - 11;
    launch(m, "mix", x, quick, N);
    await(w, 1);
    launch(m, "mix", x, later, N);
    for (int i = 0; i < N; i++) assert_true(fabs(quick[i] - later[i]) < 1e-12 * fabs(later[i]));
    cpl_module_release(m);
}

/* A launch with a lot to do is worth optimised code from the start, and one that comes behind a
 * small one waits for it. */
static void much_work(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "def triple(i, x, y, a):\n    y[i] = 3*x[i] + a\ndef half(i, x, y, "
                              "a):\n    y[i] = x[i]/2 + a\n");
    enum { LARGE = 3000000 };
    double *x = malloc(LARGE * sizeof *x), *y = malloc(LARGE * sizeof *y);
    for (int i = 0; i < LARGE; i++) x[i] = i;
    launch(m, "triple", x, y, LARGE);
    for (int i = 0; i < LARGE; i++) assert_true(y[i] == 3.0 * i + 0.7);
    assert_int_equal(upgrades(w), 0);
    launch(m, "half", x, y, 10);
    launch(m, "half", x, y, LARGE);
    for (int i = 0; i < LARGE; i++) assert_true(y[i] == i / 2.0 + 0.7);
    assert_int_equal(upgrades(w), 1);
    free(x), free(y);
    cpl_module_release(m);
}

/* Their kernels' rounds are pieces of many elements, of which quick code takes some thousands. */
static void algorithms(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "");
    enum { SOME = 16384 };
    double *x = calloc(2 * SOME, sizeof *x), sum, *y = x + SOME;
    for (int i = 0; i < SOME; i++) x[i] = i;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, SOME), cpl_arg_array(CPL_FLOAT64, y, SOME)};
    cpl_reduce_spec reduction;
    cpl_scan_spec scan;
    cpl_reduce_spec_init(&reduction);
    cpl_scan_spec_init(&scan);
    reduction.op = scan.op = cpl_bind_expression("a + b");
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    o.result = &sum;
    assert_int_equal(cpl_reduce(m, &reduction, &o, NULL, args, 1), CPL_OK);
    assert_true(sum == (double)SOME * (SOME - 1) / 2);
    await(w, 1); /* parts, which join themselves */
    assert_int_equal(cpl_scan(m, &scan, NULL, args, 2), CPL_OK);
    assert_true(y[SOME - 1] == sum);
    await(w, 2); /* few */
    free(x);
    cpl_module_release(m);
}

/* Which kernels begin with quick code for four rounds: by the rounds of their loops, as far as
 * constants say them, and by what they call. */
static void estimates(void **state)
{
    world *w = *state;
    static const struct {
        const char *text;
        bool quick;
    } cases[] = {
        {"def f(i, x, y, a):\n    for k in range(10):\n        y[i] += x[i]\n", true},
        {"def f(i, x, y, a):\n    for k in range(0, 5, 8):\n        y[i] += x[i]\n", true},
        {"def f(i, x, y, a):\n    for k in range(1000000):\n        y[i] += x[i]\n", false},
        {"def f(i, x, y, a):\n    for k in range(2000000000):\n        if y[i] > 3: break\n        "
         "y[i] += 1\n",
         false},
        {"def f(i, x, y, a):\n    k = 0\n    while k < 3:\n        y[i] += x[i]\n        k += 1\n",
         true},
        {"def f(i, x, y, a):\n    for j in range(i):\n        for k in range(i):\n            y[i] "
         "+= x[i]\n",
         true},
        {"def f(i, x, y, a):\n    for j in range(i, 10):\n        for k in range(0, 100, i + 1):\n "
         "           for l in range(i):\n"
         "                for m in range(i):\n                    y[i] += x[i]\n",
         false},
        {"def down(n: 'int') -> 'int':\n    if n < 1:\n        return 0\n    return down(n - 1) + "
         "1\ndef f(i, x, y, a):\n    y[i] = down(i)\n",
         false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cpl_module *m = module(w, cases[k].text);
        double x[4] = {1, 1, 1, 1}, y[4] = {0};
        uint64_t before = upgrades(w);
        launch(m, "f", x, y, 4);
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 4), cpl_arg_array(CPL_FLOAT64, y, 4),
                          cpl_arg_float(0.7)};
        cpl_kernel *kernel; /* waits for its optimised code, if that is still to come */
        assert_int_equal(rounds_kernel(m, "f", args, 3, &kernel), CPL_OK);
        cpl_kernel_release(kernel);
        cpl_module_release(m);
        if (upgrades(w) != before + cases[k].quick) fail_msg("case %zu: %s", k, cases[k].text);
    }
}

/* Options that are set while optimised code is still to come are for kernels made later. */
static void options_that_change(void **state)
{
    world *w = *state;
    enum { FUNCTIONS = 30 };
    char text[FUNCTIONS * 100], name[20];
    size_t used = 0;
    for (int k = 0; k < FUNCTIONS; k++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "def f%d(i, x, y, a):\n    y[i] = a*x[i] + %d\n", k, k);
    cpl_module *m = module(w, text);
    double x[N], y[N];
    for (int i = 0; i < N; i++) x[i] = i;
    for (int turn = 0; turn < 2; turn++) {
        for (int k = 0; k < FUNCTIONS; k++) {
            snprintf(name, sizeof name, "f%d", k);
            launch(m, name, x, y, N);
            for (int i = 0; i < N; i++) assert_true(fabs(y[i] - (0.7 * i + k)) < 1e-9);
        }
        cpl_context_set_option(w->cx, "bounds_check", 1);
        await(w, FUNCTIONS);
        cpl_context_set_option(w->cx, "bounds_check", 0);
    }
    cpl_module_release(m);
}

/* So are versions of a kernel that are made when arguments ask for them. */
static void versions_keep_options(void **state)
{
    world *w = *state;
    double x[3 * N] = {0};
    cpl_module *m = module(w, "def put(i, x, y, k):\n    y[i + k] = x[i] + 1\n");
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_array(CPL_FLOAT64, x + 1, N),
                      cpl_arg_int(1)};
    cpl_kernel *k;
    cpl_context_set_option(w->cx, "bounds_check", 1);
    assert_int_equal(rounds_kernel(m, "put", args, 3, &k), CPL_OK);
    cpl_context_set_option(w->cx, "bounds_check", 0);
    assert_int_equal(run_rounds(k, NULL, args, 3, CPL_AUTO, NULL), CPL_EBOUNDS);
    assert_true(x[N + 1] == 0);
    args[2] = cpl_arg_int(0);
    assert_int_equal(run_rounds(k, NULL, args, 3, CPL_AUTO, NULL), CPL_OK);
    assert_true(x[N] == N);
    cpl_kernel_release(k);
    cpl_module_release(m);
}

static void turned_off(void **state)
{
    world *w = *state;
    cpl_context_set_option(w->cx, "tiers", 0);
    cpl_module *m = module(w, mix);
    double x[N] = {0}, y[N];
    launch(m, "mix", x, y, N);
    cpl_module_release(m);
    assert_int_equal(upgrades(w), 0);
}

/* Kernels of which nobody asks more stay quick, even beside others that a thread optimises. */
static void on_demand(void **state)
{
    world *w = *state;
    cpl_context_set_option(w->cx, "tiers", 2);
    cpl_module *m = module(w, "def triple(i, x, y, a):\n    y[i] = 3*x[i] + a\n"
                              "def half(i, x, y, a):\n    y[i] = x[i]/2 + a\n"
                              "def less(i, x, y, a):\n    y[i] = x[i] - a\n"
                              "def more(i, x, y, a):\n    y[i] = x[i] + a\n");
    enum { LARGE = 3000000 };
    double *x = calloc(LARGE, sizeof *x), *y = calloc(LARGE, sizeof *y);
    launch(m, "triple", x, y, N);
    launch(m, "half", x, y, N);
    launch(m, "less", x, y, N);
    cpl_context_set_option(w->cx, "tiers", 1);
    launch(m, "more", x, y, N);
    await(w, 1);
    usleep(100000);
    assert_int_equal(upgrades(w), 1);
    cpl_context_set_option(w->cx, "tiers", 2);
    for (int turn = 0; turn < 2; turn++) launch(m, "triple", x, y, LARGE);
    assert_int_equal(upgrades(w), 2);
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_array(CPL_FLOAT64, y, N),
                      cpl_arg_float(0.7)};
    cpl_kernel *k;
    assert_int_equal(rounds_kernel(m, "half", args, 3, &k), CPL_OK);
    assert_int_equal(upgrades(w), 3);
    cpl_kernel_release(k);
    free(x), free(y);
    cpl_module_release(m);
}

/* Who has a kernel's address keeps it: it is that of the optimised code. */
static void addresses_stay(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, mix);
    double x[N] = {0}, y[N];
    launch(m, "mix", x, y, N);
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_array(CPL_FLOAT64, y, N),
                      cpl_arg_float(0.7)};
    cpl_kernel *k;
    assert_int_equal(rounds_kernel(m, "mix", args, 3, &k), CPL_OK);
    assert_int_equal(upgrades(w), 1);
    void *address = cpl_kernel_address(k);
    launch(m, "mix", x, y, N);
    assert_ptr_equal(cpl_kernel_address(k), address);
    cpl_kernel_release(k);
    cpl_module_release(m);
}

/* A kernel that is to be launched soon is quick, and who asks for its address waits. */
static void held_and_launched(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, mix);
    double x[N] = {0}, y[N];
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_array(CPL_FLOAT64, y, N),
                      cpl_arg_float(0.7)};
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.soon = true;
    cpl_kernel *k;
    assert_int_equal(cpl_kernel_for(m, "mix", &o, args, 3, &k), CPL_OK);
    assert_int_equal(run_rounds(k, NULL, args, 3, CPL_AUTO, NULL), CPL_OK);
    void *address = cpl_kernel_address(k);
    assert_non_null(address);
    assert_int_equal(upgrades(w), 1);
    assert_int_equal(run_rounds(k, NULL, args, 3, CPL_AUTO, NULL), CPL_OK);
    assert_ptr_equal(cpl_kernel_address(k), address);
    cpl_kernel_release(k);
    cpl_module_release(m);
}

/* What is made ahead is for launches yet to come, of any size: optimised code from the start, and
 * the kernel that is found for the same arguments, whether they are apart or the same. */
static void made_ahead(void **state)
{
    world *w = *state;
    double x[N] = {0}, y[N] = {0};
    for (int way = 0; way < 8; way++) {
        bool waits = way & 1, same = way & 2, few = way & 4;
        cpl_module *m = module(w, mix);
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, few ? 2 : N),
                          cpl_arg_array(CPL_FLOAT64, same ? x : y, few ? 2 : N),
                          cpl_arg_float(0.7)};
        cpl_kernel *k, *found;
        cpl_compile *c;
        uint64_t before = compiles(w);
        if (waits) {
            assert_int_equal(cpl_compile_begin(m, "mix", NULL, args, 3, &c), CPL_OK);
            assert_int_equal(cpl_compile_wait(c, -1, &k), CPL_OK);
            cpl_compile_release(c);
        } else {
            assert_int_equal(rounds_kernel(m, "mix", args, 3, &k), CPL_OK);
        }
        assert_int_equal(compiles(w), before + 1);
        assert_int_equal(rounds_kernel(m, "mix", args, 3, &found), CPL_OK);
        assert_ptr_equal(found, k);
        assert_int_equal(compiles(w), before + 1);
        assert_int_equal(run_rounds(k, NULL, args, 3, CPL_AUTO, NULL), CPL_OK);
        assert_int_equal(upgrades(w), 0);
        cpl_kernel_release(found);
        cpl_kernel_release(k);
        cpl_module_release(m);
    }
}

/* What the user is told, he is told once. */
static void one_warning(void **state)
{
    world *w = *state;
    cpl_module *m =
        module(w, "def f(i, x, y, a):\n    k = declare('int')\n    k = x[i]\n    y[i] = k\n");
    double x[4] = {1.5, -2.5, 0, 7}, y[4];
    launch(m, "f", x, y, 4);
    assert_true(strlen(w->said.text) > 0);
    char *first = strstr(w->said.text, "warning");
    assert_non_null(first);
    await(w, 1);
    assert_null(strstr(first + 1, "warning"));
    assert_true(y[0] == 1 && y[1] == -2 && y[2] == 0 && y[3] == 7);
    cpl_module_release(m);
}

static int as_told(void *user)
{
    return *(int *)user;
}

/* ThreadSanitizer keeps signals from a thread that calls nothing: rounds are waited for. */
#ifdef __SANITIZE_THREAD__
enum { LEFT = 1 };
#else
enum { LEFT = 2 };
#endif

/* A launch is left in the middle, whichever code it runs, whichever code there is by then. */
static void left_in_the_middle(void **state)
{
    static const char text[] = "def count(n: int) -> int:\n"
                               "    if n == 0:\n"
                               "        return 0\n"
                               "    return count(n - 1) + 1\n"
                               "def deep(i, x, n):\n"
                               "    x[i] = count(n)\n"
                               "def long(i, x, n):\n"
                               "    rounds = 0\n"
                               "    while x[i] != n and rounds < 1000000000:\n"
                               "        x[i] = (x[i] + 1) % 1000\n"
                               "        rounds += 1\n";
    enum { QUICK, OPTIMISED, FROM_THE_START, WAYS };
    static const char *const names[] = {"deep", "long"};
    world *w = *state;
    int stop = 0;
    cpl_context_set_poll(w->cx, as_told, &stop);
    for (int way = 0; way < WAYS; way++)
        for (int f = 0; f < LEFT; f++) {
            int64_t x[4] = {0};
            cpl_arg args[] = {cpl_arg_array(CPL_INT64, x, 4), cpl_arg_int(100)},
                    last[] = {args[0], cpl_arg_int(-1)};
            cpl_status wanted = f ? CPL_ECANCELLED : CPL_ERECURSION;
            uint64_t before = upgrades(w);
            cpl_context_set_option(w->cx, "tiers", way == FROM_THE_START ? 0 : 2);
            cpl_module *m = module(w, text);
            for (int turn = 0; turn < 3; turn++) {
                cpl_kernel *k;
                stop = 0;
                assert_int_equal(launch_rounds(m, names[f], NULL, args, 2, CPL_AUTO, NULL), CPL_OK);
                for (int i = 0; i < 4; i++) assert_int_equal(x[i], 100);
                if (way == OPTIMISED && turn == 1) {
                    assert_int_equal(rounds_kernel(m, names[f], args, 2, &k), CPL_OK);
                    cpl_kernel_release(k);
                }
                stop = f;
                assert_int_equal(launch_rounds(m, names[f], NULL, last, 2, CPL_AUTO, NULL), wanted);
            }
            assert_int_equal(upgrades(w) - before, f && way == OPTIMISED); /* calls are not quick */
            stop = 0;
            cpl_module_release(m);
        }
    cpl_context_set_poll(w->cx, NULL, NULL);
}

/* A module may go at any moment. */
static void modules_that_go(void **state)
{
    world *w = *state;
    double x[N] = {0}, y[N];
    for (int i = 0; i < 40; i++) {
        char text[2000];
        snprintf(
            text, sizeof text,
            "def a(i, x, y, a):\n    y[i] = x[i] + %d\ndef b(i, x, y, a):\n    y[i] = x[i] - %d\n",
            i, i);
        cpl_module *m = module(w, text);
        launch(m, "a", x, y, N);
        launch(m, "b", x, y, N);
        assert_true(y[0] == -i);
        if (i % 3 == 0) usleep((useconds_t)(i * 400));
        cpl_module_release(m);
    }
}

/* With a cache on disk the next process finds the optimised code that this one came to make. */
static void kept_on_disk(void **state)
{
    (void)state;
    char folder[] = "/tmp/cpl-tiers-XXXXXX", command[100];
    assert_non_null(mkdtemp(folder));
    setenv("CPL_CACHE", "1", 1);
    setenv("CPL_CACHE_DIR", folder, 1);
    for (int process = 0; process < 2; process++) {
        world *w;
        assert_int_equal(set_up((void **)&w), 0);
        cpl_module *m = module(w, mix);
        double x[N] = {0}, y[N];
        launch(m, "mix", x, y, N);
        await(w, process == 0);
        cpl_module_release(m);
        cpl_stats stats = {.size = sizeof stats};
        cpl_context_stats(w->cx, &stats);
        assert_int_equal(stats.compiles, process == 0);
        assert_int_equal(stats.upgrades, process == 0);
        assert_int_equal(stats.disk_hits, process == 1);
        tear_down((void **)&w);
    }
    setenv("CPL_CACHE", "0", 1);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
}

typedef struct crew {
    cpl_module *m;
    int64_t n;
    bool right;
} crew;

static void *work(void *arg)
{
    crew *c = arg;
    double *x = malloc((size_t)c->n * sizeof *x), *y = malloc((size_t)c->n * sizeof *y);
    for (int64_t i = 0; i < c->n; i++) x[i] = (double)i;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, c->n), cpl_arg_array(CPL_FLOAT64, y, c->n),
                      cpl_arg_float(0.5)};
    c->right = true;
    for (int round = 0; round < 300; round++) {
        if (launch_rounds(c->m, "f", NULL, args, 3, CPL_AUTO, NULL)) c->right = false;
        for (int64_t i = 0; i < c->n; i += 13) c->right = c->right && y[i] == (double)i + 0.5;
    }
    free(x), free(y);
    return NULL;
}

static void from_many_threads(void **state)
{
    world *w = *state;
    cpl_context_set_option(w->cx, "num_threads", 1);
    cpl_module *m = module(w, "def f(i, x, y, a):\n    y[i] = x[i] + a\n");
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    crew crews[THREADS];
    for (int i = 0; i < THREADS; i++) {
        crews[i] = (crew){m, i % 2 ? 100 : 300000 * (i == 6), false};
        if (crews[i].n == 0) crews[i].n = 7;
        assert_int_equal(pthread_create(&threads[i], NULL, work, &crews[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) assert_true(crews[i].right);
    cpl_module_release(m);
}

/* Options set to and fro: kernels are found again, and nothing is kept for it. */
static void settings_that_come_back(void **state)
{
    (void)state;
    flaky f = {0};
    cpl_context_options o;
    cpl_context_options_init(&o);
    o.alloc = flaky_alloc, o.alloc_user = &f;
    world w = {0};
    assert_int_equal(cpl_context_create(&o, &w.cx), CPL_OK);
    assert_int_equal(cpl_context_set_option(w.cx, "tiers", 0), CPL_OK);
    cpl_module *m = module(&w, mix);
    double x[N] = {0}, y[N];
    long before = 0;
    for (int i = 0; i < 300; i++) {
        if (i == 3 * 4) before = f.requests;
        cpl_context_set_option(w.cx, "precise", i % 2);
        cpl_context_set_option(w.cx, "bounds_check", i / 2 % 2);
        launch(m, "mix", x, y, N);
    }
    assert_int_equal(f.requests, before);
    cpl_stats stats = {.size = sizeof stats};
    assert_int_equal(cpl_context_stats(w.cx, &stats), CPL_OK);
    assert_int_equal(stats.compiles, 4);
    assert_int_equal(stats.hits, 296);
    cpl_module_release(m);
    cpl_context_release(w.cx);
}

/* The library's own kernel for conversions is still in the queue when its context goes. */
static void contexts_that_go(void **state)
{
    (void)state;
    for (int round = 0; round < 10; round++) {
        world w = {0};
        cpl_array *to, *from;
        double numbers[3] = {1.5, 2.5, -3.5};
        int32_t there[3];
        assert_int_equal(cpl_context_create(NULL, &w.cx), CPL_OK);
        assert_int_equal(cpl_array_create(w.cx, NULL, CPL_FLOAT64, 3, &from), CPL_OK);
        assert_int_equal(cpl_array_create(w.cx, NULL, CPL_INT32, 3, &to), CPL_OK);
        assert_int_equal(cpl_array_write(from, NULL, numbers, NULL), CPL_OK);
        assert_int_equal(cpl_array_copy(to, from, NULL, NULL), CPL_OK);
        assert_int_equal(cpl_array_read(to, NULL, there, NULL), CPL_OK);
        for (int i = 0; i < 3; i++) assert_int_equal(there[i], (int32_t)numbers[i]);
        cpl_array_release(to);
        cpl_array_release(from);
        cpl_context_release(w.cx);
    }
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(same_bits_in_precise_mode, set_up, tear_down),
        cmocka_unit_test_setup_teardown(close_in_default_mode, set_up, tear_down),
        cmocka_unit_test_setup_teardown(much_work, set_up, tear_down),
        cmocka_unit_test_setup_teardown(algorithms, set_up, tear_down),
        cmocka_unit_test_setup_teardown(estimates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(options_that_change, set_up, tear_down),
        cmocka_unit_test(settings_that_come_back),
        cmocka_unit_test_setup_teardown(versions_keep_options, set_up, tear_down),
        cmocka_unit_test_setup_teardown(on_demand, set_up, tear_down),
        cmocka_unit_test_setup_teardown(turned_off, set_up, tear_down),
        cmocka_unit_test_setup_teardown(addresses_stay, set_up, tear_down),
        cmocka_unit_test_setup_teardown(held_and_launched, set_up, tear_down),
        cmocka_unit_test_setup_teardown(made_ahead, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_warning, set_up, tear_down),
        cmocka_unit_test_setup_teardown(left_in_the_middle, set_up, tear_down),
        cmocka_unit_test_setup_teardown(modules_that_go, set_up, tear_down),
        cmocka_unit_test(contexts_that_go),
        cmocka_unit_test(kept_on_disk),
        cmocka_unit_test_setup_teardown(from_many_threads, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

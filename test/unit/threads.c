/* Parallel loops on threads of the host's: what OpenMP computes, whoever runs the workers. */
#include "world.h"
#include "launches.h"
#include "libomp_leaks.h"
#include "pool.h"

#include <cpl/algorithm.h>

enum { N = 30011, INNER = 5000, GROUP = 32, GROUPS = 40, ROUNDS = 4 };

static const char text[] = "def scaled(i, x, y, a):\n"
                           "    y[i] = a*x[i] + i\n"
                           "def total(x, n):\n"
                           "    s = 0.0\n"
                           "    for i in prange(n):\n"
                           "        s += x[i]\n"
                           "    return s\n"
                           "def turned(x, y, t, n):\n"
                           "    i = GID_0*LDIM_0 + LID_0\n"
                           "    t[LID_0] = x[i]\n"
                           "    local_barrier()\n"
                           "    y[i] = t[LDIM_0 - 1 - LID_0] + n\n"
                           "def pair(x, n):\n"
                           "    for i in prange(n, num_threads=2):\n"
                           "        x[i] = i\n"
                           "def outer(i, x):\n"
                           "    x[i] = fill(i)\n"
                           "def shifted(i, x, k):\n"
                           "    x[i + k] = 1.0\n"
                           "def long(i, x, n):\n"
                           "    s = 0.0\n"
                           "    for k in range(n):\n"
                           "        s += x[i]/(k + 1.0)\n"
                           "    return s\n";

/* --- pools that are not ours to choose --- */

static void run_first_half(void *user, cpl_task_fn task, void *data, int workers)
{
    pool_run_in_turn(user, task, data, workers / 2);
}

static void run_one(void *user, cpl_task_fn task, void *data, int workers)
{
    (void)workers;
    pool_run_in_turn(user, task, data, 1);
}

static void run_nothing(void *user, cpl_task_fn task, void *data, int workers)
{
    (void)task, (void)data;
    pool_count(user, workers);
}

static const struct {
    const char *name;
    void (*run)(void *pool, cpl_task_fn task, void *data, int workers);
    int workers;
} kinds[] = {{"threads", pool_run, POOL_THREADS + 1},
             {"many", pool_run, 20},
             {"in turn", pool_run_in_turn, 5},
             {"half", run_first_half, 4},
             {"one of several", run_one, 4},
             {"none", run_nothing, 4},
             {"one", pool_run, 1}};

static void set(cpl_context *cx, const char *option, int64_t value)
{
    assert_int_equal(cpl_context_set_option(cx, option, value), CPL_OK);
}

/* What is compiled again and again need not be fast. */
static cpl_context *context_on(const cpl_threads *threads, messages *said, cpl_module **m)
{
    cpl_context_options o;
    cpl_context *cx;
    cpl_context_options_init(&o);
    o.sink = collect;
    o.sink_user = said;
    o.threads = threads;
    assert_int_equal(cpl_context_create(&o, &cx), CPL_OK);
    set(cx, "opt_level", 0);
    assert_int_equal(cpl_module_from_source(cx, "k.py", text, sizeof text - 1, m), CPL_OK);
    return cx;
}

/* What all kernels compute together. */
typedef struct results {
    double y[N], sum;
    int32_t turned[GROUP * GROUPS];
} results;

static void compute(cpl_module *m, results *r)
{
    static double x[N];
    int32_t from[GROUP * GROUPS];
    memset(r, 0, sizeof *r);
    for (int i = 0; i < N; i++) x[i] = 0.1 * i;
    for (int i = 0; i < GROUP * GROUPS; i++) from[i] = 3 * i;
    cpl_arg scaled[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_array(CPL_FLOAT64, r->y, N),
                        cpl_arg_float(1.5)};
    assert_int_equal(launch_rounds(m, "scaled", NULL, scaled, 3, CPL_AUTO, NULL), CPL_OK);
    cpl_arg total[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_int(N)};
    cpl_launch_options once = once_on(NULL, &r->sum, NULL);
    assert_int_equal(cpl_launch(m, "total", &once, total, 2), CPL_OK);
    cpl_arg turned[] = {cpl_arg_array(CPL_INT32, from, GROUP * GROUPS),
                        cpl_arg_array(CPL_INT32, r->turned, GROUP * GROUPS),
                        cpl_arg_local(CPL_INT32, GROUP), cpl_arg_int(7)};
    const int64_t global[3] = {GROUP * GROUPS, 1, 1}, local[3] = {GROUP, 1, 1};
    cpl_launch_options grid = grid_on(NULL, global, local, NULL);
    assert_int_equal(cpl_launch(m, "turned", &grid, turned, 4), CPL_OK);
}

static void compare(cpl_context *cx, cpl_module *m, const results *wanted, const char *name)
{
    static results r;
    for (int schedule = 0; schedule < 3; schedule++)
        for (int chunk = 0; chunk < 400; chunk += 333)
            for (int threads = 0; threads < 4; threads += 3) {
                set(cx, "schedule", schedule);
                set(cx, "chunk", chunk);
                set(cx, "num_threads", threads);
                compute(m, &r);
                if (memcmp(&r, wanted, sizeof r))
                    fail_msg("pool '%s', schedule %d, chunk %d, num_threads %d", name, schedule,
                             chunk, threads);
            }
}

static void what_openmp_computes(void **state)
{
    static results wanted;
    messages said = {0};
    cpl_module *m;
    (void)state;
    cpl_context *openmp = context_on(NULL, &said, &m);
    compute(m, &wanted);
    const char *path = cpl_openmp_path(openmp);
    assert_true(path && *path == '/'); /* where it was found, not what was asked for */
    cpl_module_release(m);
    cpl_context_release(openmp);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        pool p;
        pool_begin(&p);
        cpl_threads threads = {sizeof threads, kinds[i].run, &p, kinds[i].workers};
        cpl_context *cx = context_on(&threads, &said, &m);
        threads = (cpl_threads){0}; /* it was copied */
        assert_null(cpl_openmp_path(cx));
        compare(cx, m, &wanted, kinds[i].name);
        cpl_module_release(m);
        cpl_context_release(cx);
        pool_end(&p);
        assert_true(kinds[i].workers == 1 ? p.runs == 0 : p.runs > 30);
        assert_true(p.most <= kinds[i].workers);
        assert_int_equal(p.inside, 0);
    }
    if (said.text[0]) fail_msg("%s", said.text);
}

/* --- a context on a pool of its own --- */

typedef struct pooled {
    pool pool;
    messages said;
    cpl_context *cx;
    cpl_module *m;
} pooled;

static int begin(void **state)
{
    static pooled w;
    w = (pooled){0};
    pool_begin(&w.pool);
    cpl_threads threads = {sizeof threads, pool_run, &w.pool, POOL_THREADS + 1};
    w.cx = context_on(&threads, &w.said, &w.m);
    *state = &w;
    return 0;
}

static int end(void **state)
{
    pooled *w = *state;
    cpl_module_release(w->m);
    cpl_context_release(w->cx);
    pool_end(&w->pool);
    return 0;
}

/* The option, or the loop itself, says how many workers are asked for. */
static void workers_asked_for(void **state)
{
    pooled *w = *state;
    static double x[N], y[N];
    cpl_arg scaled[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_array(CPL_FLOAT64, y, N),
                        cpl_arg_float(1)};
    for (int threads = 0; threads <= 6; threads++) {
        set(w->cx, "num_threads", threads);
        w->pool.runs = w->pool.most = 0;
        assert_int_equal(launch_rounds(w->m, "scaled", NULL, scaled, 3, CPL_AUTO, NULL), CPL_OK);
        int most = threads == 0 || threads > POOL_THREADS + 1 ? POOL_THREADS + 1 : threads;
        assert_int_equal(w->pool.runs, threads != 1);
        assert_int_equal(w->pool.most, threads == 1 ? 0 : most);
    }
    w->pool.most = 0;
    cpl_arg pair[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_int(N)};
    cpl_launch_options once = once_on(NULL, NULL, NULL);
    assert_int_equal(cpl_launch(w->m, "pair", &once, pair, 2), CPL_OK);
    assert_int_equal(w->pool.most, 2);
    assert_int_equal(cpl_launch(w->m, "total", &once, pair, 2), CPL_OK);
    assert_int_equal(w->pool.most, POOL_THREADS + 1);
}

/* What one thread does in the time that it takes to ask others never leaves it. */
static void little_work_asks_nobody(void **state)
{
    pooled *w = *state;
    double x[8] = {0}, y[8] = {0};
    for (int64_t n = 0; n <= 8; n++) {
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 8), cpl_arg_array(CPL_FLOAT64, y, 8),
                          cpl_arg_float(2.0)};
        assert_int_equal(launch_rounds(w->m, "scaled", NULL, args, 3, n, NULL), CPL_OK);
    }
    assert_int_equal(w->pool.runs, 0);
    assert_true(y[7] == 7);
}

enum { FEW = 36288, MORE = 10 * FEW };

/* How often threads are asked for, by a sum and a running sum of so many elements. */
static void sums(pooled *w, const char *map, int64_t n, int *reduction, int *scan)
{
    static double x[MORE], y[MORE];
    cpl_reduce_spec r;
    cpl_scan_spec s;
    cpl_reduce_spec_init(&r);
    cpl_scan_spec_init(&s);
    r.op = s.op = cpl_bind_expression("a + b");
    if (map) r.map = cpl_bind_function(map);
    double got;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, n), cpl_arg_int(100)},
            running[] = {args[0], cpl_arg_array(CPL_FLOAT64, y, n)};
    for (int64_t i = 0; i < n; i++) x[i] = 1;
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result = &got;
    w->pool.runs = 0;
    assert_int_equal(cpl_reduce(w->m, &r, &o, NULL, args, map ? 2 : 1), CPL_OK);
    *reduction = w->pool.runs;
    assert_int_equal(cpl_scan(w->m, &s, NULL, running, 2), CPL_OK);
    *scan = w->pool.runs - *reduction;
    assert_true((map || got == (double)n) && y[n - 1] == (double)n);
}

/* Nor does what an algorithm does with few elements, unless each takes a loop. */
static void few_elements_ask_nobody(void **state)
{
    pooled *w = *state;
    int reduction, scan;
    static const int64_t few[] = {1, 4032, 4033, FEW - 1, FEW};
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        sums(w, NULL, few[i], &reduction, &scan);
        assert_true(reduction == 0 && scan == 0);
    }
    sums(w, NULL, FEW + 1, &reduction, &scan);
    assert_true(reduction == 1 && scan > 0);
    sums(w, NULL, MORE, &reduction, &scan);
    assert_true(reduction == 1 && scan > 0);
    sums(w, "long", 400, &reduction, &scan);
    assert_true(reduction == 1 && scan == 0);
}

/* Those of half the size in lanes are twice as many, however it is said that they are taken as they
 * are; but not what is made of them. */
static void small_elements_ask_nobody(void **state)
{
    static const char *const maps[] = {NULL, "lambda i, x: x[i]", " lambda i , of: of[ i ]",
                                       "lambda i, x: 2*x[i]"};
    pooled *w = *state;
    static float x[2 * FEW + 1];
    cpl_reduce_spec r;
    cpl_launch_options o;
    float got;
    cpl_reduce_spec_init(&r);
    r.op = cpl_bind_expression("a + b");
    cpl_launch_options_init(&o);
    o.result = &got;
    x[2 * FEW - 1] = 1;
    for (int k = 0; k < 4; k++) {
        bool made = k == 3;
        if (maps[k]) r.map = cpl_bind_expression(maps[k]);
        for (int more = 0; more < 2; more++) {
            cpl_arg arg = cpl_arg_array(CPL_FLOAT32, x, 2 * FEW + more);
            w->pool.runs = 0;
            assert_int_equal(cpl_reduce(w->m, &r, &o, NULL, &arg, 1), CPL_OK);
            assert_true(w->pool.runs == (more || made) && got == 1 + made);
        }
    }
}

/* Two blocks of indices are done sooner by one thread than by two. */
static void few_indices_ask_nobody(void **state)
{
    enum { MOST = 2048 };
    pooled *w = *state;
    static int64_t k[MOST + 1];
    static double x[MOST + 1], y[MOST + 1];
    for (int i = 0; i <= MOST; i++) {
        k[i] = MOST - i;
        x[i] = i;
    }
    for (int more = 0; more < 2; more++) {
        cpl_arg at = cpl_arg_array(CPL_INT64, k, MOST + more),
                from = cpl_arg_array(CPL_FLOAT64, x, MOST + 1),
                out = cpl_arg_array(CPL_FLOAT64, y, MOST + more);
        cpl_gather_spec s = {sizeof s, &at, &out, CPL_INDEX_RAISE};
        w->pool.runs = 0;
        assert_int_equal(cpl_take(w->m, &s, NULL, &from, 1), CPL_OK);
        assert_true((w->pool.runs > 0) == more);
        for (int i = 0; i < MOST + more; i++) assert_true(y[i] == MOST - i);
    }
}

/* Nor do those of a running sum that takes a cycle for each. */
static void small_items_ask_nobody(void **state)
{
    pooled *w = *state;
    static int32_t x[2 * FEW + 1], y[2 * FEW + 1];
    cpl_scan_spec s;
    cpl_scan_spec_init(&s);
    s.op = cpl_bind_expression("a + b");
    for (int i = 0; i <= 2 * FEW; i++) x[i] = i % 3 - 1;
    for (int more = 0; more < 2; more++) {
        int64_t n = 2 * FEW - 1 + 2 * more;
        cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, n), cpl_arg_array(CPL_INT32, y, n)};
        memset(y, 7, sizeof y);
        w->pool.runs = 0;
        assert_int_equal(cpl_scan(w->m, &s, NULL, args, 2), CPL_OK);
        assert_true((w->pool.runs > 0) == more);
        for (int i = 0; i < n; i++) assert_int_equal(y[i], i % 3 == 2 ? 0 : -1);
    }
}

static void *launch_often(void *user)
{
    pooled *w = user;
    double *x = calloc(N, sizeof *x), *y = calloc(N, sizeof *y);
    size_t wrong = 0;
    for (int round = 0; round < 50; round++) {
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_array(CPL_FLOAT64, y, N),
                          cpl_arg_float(round)};
        for (int i = 0; i < N; i++) x[i] = round;
        wrong += launch_rounds(w->m, "scaled", NULL, args, 3, CPL_AUTO, NULL) != CPL_OK;
        for (int i = 0; i < N; i++) wrong += y[i] != (double)round * round + i;
    }
    free(x);
    free(y);
    return (void *)wrong;
}

static void several_threads_at_once(void **state)
{
    pooled *w = *state;
    pthread_t threads[4];
    for (int schedule = 0; schedule < 3; schedule++) {
        set(w->cx, "schedule", schedule);
        for (int i = 0; i < 4; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, launch_often, w), 0);
        for (int i = 0; i < 4; i++) {
            void *wrong;
            pthread_join(threads[i], &wrong);
            assert_null(wrong);
        }
    }
    assert_true(w->pool.runs >= 3 * 4 * 50);
    assert_int_equal(w->pool.inside, 0);
}

/* --- loops inside of loops --- */

static cpl_module *inner_module;
static double inner[ROUNDS][INNER];

/* Called by the kernel `outer`, by one round each. */
static double fill(int32_t which)
{
    double zero[INNER] = {0};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, zero, INNER),
                      cpl_arg_array(CPL_FLOAT64, inner[which], INNER), cpl_arg_float(0)};
    if (launch_rounds(inner_module, "scaled", NULL, args, 3, CPL_AUTO, NULL)) return -1;
    return inner[which][INNER - 1] + which;
}

/* outer on one context, scaled on another: one's threads, or OpenMP's. */
static void inside(cpl_context *cx, cpl_module *m, cpl_module *other)
{
    double x[ROUNDS] = {0};
    inner_module = other;
    memset(inner, 0, sizeof inner);
    assert_int_equal(cpl_extern_register(cx, "fill", "float64(int32)", (void *)(uintptr_t)fill,
                                         false),
                     CPL_OK);
    for (int schedule = 0; schedule < 3; schedule++) {
        set(cx, "schedule", schedule);
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, ROUNDS)};
        assert_int_equal(launch_rounds(m, "outer", NULL, args, 1, CPL_AUTO, NULL), CPL_OK);
        for (int i = 0; i < ROUNDS; i++) assert_true(x[i] == INNER - 1 + i);
    }
}

static void loops_inside_of_loops(void **state)
{
    pooled *w = *state;
    messages said = {0};
    cpl_module *m;
    cpl_context *openmp = context_on(NULL, &said, &m);
    inside(w->cx, w->m, w->m);
    inside(w->cx, w->m, m);
    assert_int_equal(w->pool.runs, 6); /* none for what is inside */
    inside(openmp, m, w->m);
    cpl_module_release(m);
    cpl_context_release(openmp);
    assert_int_equal(w->pool.inside, 0);
    assert_string_equal(w->said.text, "");
}

/* --- what else may happen --- */

static void faults_are_found(void **state)
{
    pooled *w = *state;
    static double x[N];
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_int(1)};
    set(w->cx, "bounds_check", 1);
    assert_int_equal(launch_rounds(w->m, "shifted", NULL, args, 2, CPL_AUTO, NULL), CPL_EBOUNDS);
    assert_non_null(strstr(w->said.text, "index 30011 is out of bounds"));
    assert_true(w->pool.runs == 1 && x[N - 1] == 1);
}

/* A kernel's address runs on the threads of its context too. */
static void called_by_its_address(void **state)
{
    pooled *w = *state;
    static double x[N], y[N];
    cpl_kernel *k;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_array(CPL_FLOAT64, y, N),
                      cpl_arg_float(1)};
    assert_int_equal(rounds_kernel(w->m, "scaled", args, 3, &k), CPL_OK);
    void *address = cpl_kernel_address(k);
    void (*scaled)(int64_t, const double *, double *, double);
    memcpy(&scaled, &address, sizeof scaled);
    scaled(N, x, y, 1);
    assert_true(w->pool.runs == 1 && y[N - 1] == N - 1);
    cpl_kernel_release(k);
}

static void refused(const cpl_threads *threads, const char *why)
{
    cpl_context_options o;
    cpl_context *cx = (cpl_context *)(uintptr_t)1;
    cpl_context_options_init(&o);
    o.threads = threads;
    assert_int_equal(cpl_context_create(&o, &cx), CPL_EARG);
    assert_null(cx);
    assert_non_null(strstr(cpl_last_error(), why));
}

static void threads_that_are_none(void **state)
{
    (void)state;
    refused(&(cpl_threads){sizeof(cpl_threads), NULL, NULL, 4}, "has no function run");
    refused(&(cpl_threads){sizeof(cpl_threads), run_nothing, NULL, 0}, "has 0 workers");
    refused(&(cpl_threads){sizeof(cpl_threads), run_nothing, NULL, -1}, "has -1 workers");
    refused(&(cpl_threads){5, run_nothing, NULL, 4}, "the size of a cpl_threads is given as 5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_openmp_computes),
        cmocka_unit_test_setup_teardown(workers_asked_for, begin, end),
        cmocka_unit_test_setup_teardown(little_work_asks_nobody, begin, end),
        cmocka_unit_test_setup_teardown(few_elements_ask_nobody, begin, end),
        cmocka_unit_test_setup_teardown(small_elements_ask_nobody, begin, end),
        cmocka_unit_test_setup_teardown(few_indices_ask_nobody, begin, end),
        cmocka_unit_test_setup_teardown(small_items_ask_nobody, begin, end),
        cmocka_unit_test_setup_teardown(several_threads_at_once, begin, end),
        cmocka_unit_test_setup_teardown(loops_inside_of_loops, begin, end),
        cmocka_unit_test_setup_teardown(faults_are_found, begin, end),
        cmocka_unit_test_setup_teardown(called_by_its_address, begin, end),
        cmocka_unit_test(threads_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

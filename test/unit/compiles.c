/* Compilations in the background, and calls that end before they are done. */
#include "unit.h"

#include "collect.h"
#include "launches.h"

#include <cpl/compile.h>

#include <pthread.h>
#include <stdio.h>

enum { LOOPS = 300, LARGEST = 100000 };

/* slow() takes LLVM seconds, quick() milliseconds, bad() has an error. */
static char source[LARGEST];

static void write_source(void)
{
    int n = snprintf(source, LARGEST,
                     "def quick(i, x):\n    x[i] = 2.0*x[i]\n\n"
                     "def bad(i, x):\n    x[i] = nothing\n\n"
                     "def column(i, x):\n    x[i, 1] = 1.0\n\n"
                     "def slow(i, x, m):\n");
    for (int k = 0; k < LOOPS; k++)
        n += snprintf(source + n, (size_t)(LARGEST - n),
                      "    for j in range(m):\n        x[i] = x[i]*%d.5 + j\n", k);
}

typedef struct world {
    cpl_context *cx;
    cpl_module *module;
    messages said;
    double x[4];
    cpl_arg args[2];
    atomic_int asked, answer_from; /* the poll function says 1 from that question on; 0: never */
    pthread_t launching;           /* the one thread of a launch that may ask */
    atomic_int asked_elsewhere;
} world;

static int poll(void *user)
{
    world *w = user;
    int n = atomic_fetch_add(&w->asked, 1) + 1, from = atomic_load(&w->answer_from);
    if (!pthread_equal(pthread_self(), w->launching)) atomic_fetch_add(&w->asked_elsewhere, 1);
    return from && n >= from;
}

static int begin(void **state)
{
    world *w = calloc(1, sizeof *w);
    cpl_context_options o;
    cpl_context_options_init(&o);
    o.sink = collect;
    o.sink_user = &w->said;
    assert_int_equal(cpl_context_create(&o, &w->cx), CPL_OK);
    write_source();
    assert_int_equal(cpl_module_from_source(w->cx, "k.py", source, strlen(source), &w->module),
                     CPL_OK);
    w->args[0] = cpl_arg_array(CPL_FLOAT64, w->x, 4);
    w->args[1] = cpl_arg_int(3);
    *state = w;
    return 0;
}

static int end(void **state)
{
    world *w = *state;
    cpl_module_release(w->module);
    cpl_context_release(w->cx);
    free(w);
    return 0;
}

static cpl_compile *begin_compile(world *w, const char *function)
{
    cpl_compile *c;
    size_t count = strcmp(function, "slow") ? 1 : 2;
    assert_int_equal(cpl_compile_begin(w->module, function, NULL, w->args, count, &c), CPL_OK);
    return c;
}

static uint64_t compiles(world *w)
{
    cpl_stats s = {.size = sizeof s};
    assert_int_equal(cpl_context_stats(w->cx, &s), CPL_OK);
    return s.compiles;
}

static void the_kernel_is_the_one_that_launches_find(void **state)
{
    world *w = *state;
    cpl_compile *c = begin_compile(w, "quick");
    cpl_kernel *k, *same;
    assert_int_equal(cpl_compile_wait(c, -1, &k), CPL_OK);
    bool done = false;
    assert_int_equal(cpl_compile_done(c, &done), CPL_OK);
    assert_true(done);
    uint64_t before = compiles(w);
    assert_int_equal(cpl_kernel_for(w->module, "quick", NULL, w->args, 1, &same), CPL_OK);
    assert_ptr_equal(k, same);
    assert_int_equal(compiles(w), before);
    w->x[0] = 3;
    assert_int_equal(cpl_kernel_launch(k, NULL, w->args, 1), CPL_OK);
    assert_true(w->x[0] == 6);
    cpl_kernel_release(same);
    assert_int_equal(cpl_compile_wait(c, 0, &same), CPL_OK); /* as often as one likes */
    assert_ptr_equal(k, same);
    cpl_kernel_release(same);
    assert_int_equal(cpl_compile_wait(c, 0, NULL), CPL_OK);
    cpl_compile_release(c);
    assert_int_equal(cpl_kernel_launch(k, NULL, w->args, 1), CPL_OK); /* holds on by itself */
    cpl_kernel_release(k);
}

static void who_waits_is_told(void **state)
{
    world *w = *state;
    cpl_kernel *k;
    cpl_compile *c = begin_compile(w, "bad");
    for (int i = 0; i < 2; i++) {
        w->said.n = 0;
        assert_int_equal(cpl_compile_wait(c, -1, &k), CPL_ENOTFOUND);
        assert_null(k);
        assert_non_null(strstr(w->said.text, "k.py:5:12: error: undefined name 'nothing'"));
        assert_non_null(strstr(cpl_last_error(), "undefined name 'nothing'"));
    }
    cpl_compile_release(c);
    w->said.n = 0;
    cpl_compile_release(begin_compile(w, "bad")); /* nobody: nothing is said */
    cpl_compile_release(NULL);
    assert_int_equal(w->said.n, 0);
    assert_int_equal(cpl_compile_begin(w->module, "quick", NULL, NULL, 1, &c), CPL_EARG);
    assert_null(c);
    cpl_arg wrong = cpl_arg_array(CPL_FLOAT64, NULL, 4);
    assert_int_equal(cpl_compile_begin(w->module, "quick", NULL, &wrong, 1, &c), CPL_EARG);
    assert_null(c);
}

/* Shape and strides may go as soon as the compilation has begun. */
static void how_arrays_lie_is_copied(void **state)
{
    world *w = *state;
    const int64_t shape[2] = {2, 2}, strides[2] = {16, 8}, wide[2] = {8, 16};
    for (int strided = 0; strided < 2; strided++) {
        int64_t lent_shape[2] = {2, 2}, lent_strides[2];
        memcpy(lent_strides, strided ? wide : strides, sizeof lent_strides);
        cpl_arg lent = cpl_arg_array_nd(CPL_FLOAT64, w->x, 2, lent_shape, lent_strides);
        cpl_arg kept = cpl_arg_array_nd(CPL_FLOAT64, w->x, 2, shape, strided ? wide : strides);
        cpl_compile *c;
        cpl_kernel *k, *same;
        assert_int_equal(cpl_compile_begin(w->module, "column", NULL, &lent, 1, &c), CPL_OK);
        lent_shape[0] = lent_shape[1] = -1;
        memcpy(lent_strides, strided ? strides : wide, sizeof lent_strides);
        assert_int_equal(cpl_compile_wait(c, -1, &k), CPL_OK);
        uint64_t before = compiles(w);
        assert_int_equal(cpl_kernel_for(w->module, "column", NULL, &kept, 1, &same), CPL_OK);
        assert_ptr_equal(k, same);
        assert_int_equal(compiles(w), before);
        cpl_kernel_release(same);
        cpl_kernel_release(k);
        cpl_compile_release(c);
    }
}

static void a_wait_ends_in_time(void **state)
{
    world *w = *state;
    cpl_kernel *k;
    cpl_compile *c = begin_compile(w, "slow");
    bool done = true;
    assert_int_equal(cpl_compile_done(c, &done), CPL_OK);
    assert_false(done);
    cpl_last_error_clear();
    assert_int_equal(cpl_compile_wait(c, 0, &k), CPL_ETIMEDOUT);
    assert_int_equal(cpl_compile_wait(c, 30, &k), CPL_ETIMEDOUT);
    assert_string_equal(cpl_last_error(), ""); /* an answer, and no error */
    assert_null(k);
    cpl_compile_cancel(c);
    assert_int_equal(cpl_compile_wait(c, -1, &k), CPL_ECANCELLED);
    assert_null(k);
    cpl_compile_cancel(c);
    cpl_compile_release(c);
}

/* More than there are threads: what waits is dropped, and another that wants the same gets it. */
static void many_are_dropped(void **state)
{
    enum { MANY = 40 };
    world *w = *state;
    cpl_compile *slow[MANY];
    for (int i = 0; i < MANY; i++) slow[i] = begin_compile(w, "slow");
    cpl_compile *quick = begin_compile(w, "quick");
    for (int i = 0; i < MANY; i += 2) cpl_compile_cancel(slow[i]);
    for (int i = 0; i < MANY; i += 2)
        assert_int_equal(cpl_compile_wait(slow[i], -1, NULL), CPL_ECANCELLED);
    for (int i = 1; i < MANY; i += 2) cpl_compile_release(slow[i]);
    assert_int_equal(cpl_compile_wait(quick, -1, NULL), CPL_OK);
    for (int i = 0; i < MANY; i += 2) cpl_compile_release(slow[i]);
    cpl_compile_release(quick);
}

static void a_poll_function_ends_calls(void **state)
{
    world *w = *state;
    cpl_context_set_poll(w->cx, poll, w);
    assert_int_equal(cpl_launch(w->module, "quick", NULL, w->args, 1), CPL_OK);
    w->asked = 0;
    w->answer_from = 3;
    cpl_kernel *k;
    assert_int_equal(cpl_kernel_for(w->module, "slow", NULL, w->args, 2, &k), CPL_ECANCELLED);
    assert_null(k);
    assert_true(w->asked >= 3);
    assert_non_null(strstr(w->said.text, "error: the compilation was cancelled"));

    /* who waits for another thread's compilation too */
    w->asked = w->answer_from = 0;
    cpl_compile *c = begin_compile(w, "slow");
    w->answer_from = 2;
    assert_int_equal(cpl_compile_wait(c, -1, &k), CPL_ECANCELLED);
    assert_int_equal(cpl_kernel_for(w->module, "slow", NULL, w->args, 2, &k), CPL_ECANCELLED);
    bool done = true;
    assert_int_equal(cpl_compile_done(c, &done), CPL_OK);
    assert_false(done); /* it goes on */
    cpl_context_set_poll(w->cx, NULL, NULL);
    assert_int_equal(cpl_compile_wait(c, 0, &k), CPL_ETIMEDOUT);
    cpl_compile_release(c);
}

/* Each round takes milliseconds, all of them minutes; forever() ends when it is told to, alone()
 * has no rounds, and what twice() and once() do behind their first loop is left out. */
static const char long_loops[] = "@elementwise\n"
                                 "def work(i, x, m):\n"
                                 "    s = 0.0\n"
                                 "    for k in range(m):\n        s = s*0.5 + x[i]\n"
                                 "    x[i] = s\n\n"
                                 "def forever(x, m):\n"
                                 "    while x[0] < 9.0:\n"
                                 "        for i in prange(len(x)):\n"
                                 "            s = 0.0\n"
                                 "            for k in range(m):\n"
                                 "                s = s*0.5 + x[i]\n"
                                 "            x[i] = s*0.5\n\n"
                                 "def alone(x, m):\n"
                                 "    while x[0] < 9.0:\n"
                                 "        x[0] = x[0]*0.5\n\n"
                                 "def twice(x, m):\n"
                                 "    for i in prange(len(x)):\n"
                                 "        s = 0.0\n"
                                 "        for k in range(m):\n            s = s*0.5 + x[i]\n"
                                 "        x[i] = s\n"
                                 "    for i in prange(len(x)):\n        x[i] = 7.0\n\n"
                                 "def once(x, m):\n"
                                 "    for i in prange(len(x)):\n"
                                 "        s = 0.0\n"
                                 "        for k in range(m):\n            s = s*0.5 + x[i]\n"
                                 "        x[i] = s\n"
                                 "    x[0] = 7.0\n";
enum { ROUNDS = 50000, TURNS = 1000000 };

/* Of elements that were 1 and become 2. */
static void is_done_in_part(const double *x)
{
    int left = 0;
    for (int i = 0; i < ROUNDS; i++) {
        assert_true(x[i] == 1.0 || x[i] == 2.0);
        left += x[i] == 1.0;
    }
    assert_true(left > 0);
}

/* Cut when some of it is done; the next launch is whole. */
static void launch_cut(world *w, cpl_module *m, const char *function, int64_t turns)
{
    static double x[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) x[i] = 1.0;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, ROUNDS), cpl_arg_int(turns)};
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    if (strcmp(function, "work") != 0) o.form = CPL_FORM_FUNCTION;
    cpl_kernel *k; /* is compiled before anything is asked */
    assert_int_equal(cpl_kernel_for(m, function, &o, args, 2, &k), CPL_OK);
    w->asked = w->asked_elsewhere = 0;
    w->answer_from = 1;
    w->launching = pthread_self();
    w->said = (messages){.n = 0};
    assert_int_equal(cpl_launch(m, function, &o, args, 2), CPL_ECANCELLED);
    cpl_kernel_release(k);
    assert_non_null(strstr(w->said.text, "' was cancelled: what it writes is written in part"));
    assert_true(w->asked > 0);
    assert_int_equal(w->asked_elsewhere, 0);
    if (strcmp(function, "forever") != 0 && strcmp(function, "alone") != 0) is_done_in_part(x);
    w->answer_from = 0;
    args[1] = cpl_arg_int(100);
    for (int i = 0; i < ROUNDS; i++) x[i] = 1.0;
    assert_int_equal(cpl_launch(m, "work", NULL, args, 2), CPL_OK);
    for (int i = 0; i < ROUNDS; i++) assert_true(x[i] == 2.0);
}

/* ThreadSanitizer keeps signals from a thread until it calls something of libc's, so that rounds
 * are waited for. */
#ifdef __SANITIZE_THREAD__
enum { SIGNALS = 0 };
#else
enum { SIGNALS = 1 };
#endif

static void a_poll_function_ends_launches(void **state)
{
    world *w = *state;
    cpl_module *m;
    assert_int_equal(cpl_module_from_source(w->cx, "long.py", long_loops, sizeof long_loops - 1,
                                            &m),
                     CPL_OK);
    assert_int_equal(cpl_context_set_option(w->cx, "tiers", 0), CPL_OK);
    cpl_context_set_poll(w->cx, poll, w);
    for (int way = 0; way < 8; way++) {
        cpl_context_set_option(w->cx, "schedule", way % 4 % 3);
        cpl_context_set_option(w->cx, "chunk", way % 4 == 3 ? 100 : 0);
        cpl_context_set_option(w->cx, "num_threads", way / 4);
        launch_cut(w, m, "work", TURNS);
        launch_cut(w, m, "forever", 1000);
        if (SIGNALS) launch_cut(w, m, "alone", 0);
        if (SIGNALS) launch_cut(w, m, "work", INT64_MAX);
        launch_cut(w, m, "twice", TURNS);
        launch_cut(w, m, "once", TURNS);
    }
    cpl_context_set_poll(w->cx, NULL, NULL);
    cpl_module_release(m);
}

typedef struct ending {
    world *w;
    cpl_module *module;
    int cut;
} ending;

static pthread_key_t at_end;

/* Without rounds: OpenMP's runtime, which may have let go of the thread, is not asked. */
static void cut_at_end(void *data)
{
    ending *e = data;
    double x = 1;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, &x, 1), cpl_arg_int(0)};
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.form = CPL_FORM_FUNCTION;
    e->w->launching = pthread_self();
    e->cut += cpl_launch(e->module, "alone", &o, args, 2) == CPL_ECANCELLED;
}

static void *cut_and_end(void *data)
{
    pthread_setspecific(at_end, data);
    cut_at_end(data);
    return NULL;
}

/* Also on a thread that has ended, but for what it does at its end, behind the library. */
static void a_poll_function_ends_last_launches(void **state)
{
    world *w = *state;
    ending e = {.w = w};
    pthread_t thread;
    if (!SIGNALS) skip();
    assert_int_equal(cpl_module_from_source(w->cx, "long.py", long_loops, sizeof long_loops - 1,
                                            &e.module),
                     CPL_OK);
    assert_int_equal(cpl_context_set_option(w->cx, "tiers", 0), CPL_OK);
    cpl_context_set_poll(w->cx, poll, w);
    launch_cut(w, e.module, "alone", 0);
    w->answer_from = 1;
    assert_int_equal(pthread_key_create(&at_end, cut_at_end), 0);
    assert_int_equal(pthread_create(&thread, NULL, cut_and_end, &e), 0);
    pthread_join(thread, NULL);
    assert_int_equal(e.cut, 2);
    pthread_key_delete(at_end);
    cpl_context_set_poll(w->cx, NULL, NULL);
    cpl_module_release(e.module);
}

/* It is asked on the thread of the call, whatever thread interprets. */
static void a_poll_function_ends_interpretations(void **state)
{
    static const char items[] = "def items(x):\n    while x[LID_0] < 9.0:\n"
                                "        x[LID_0] = x[LID_0]*0.5\n";
    static const struct {
        const char *function;
        cpl_form form;
    } ways[] = {{"work", CPL_FORM_ELEMENTWISE},
                {"alone", CPL_FORM_FUNCTION},
                {"items", CPL_FORM_KERNEL}};
    world *w = *state;
    cpl_module *m[2];
    assert_int_equal(cpl_module_from_source(w->cx, "long.py", long_loops, sizeof long_loops - 1,
                                            &m[0]),
                     CPL_OK);
    assert_int_equal(cpl_module_from_source(w->cx, "items.py", items, sizeof items - 1, &m[1]),
                     CPL_OK);
    cpl_context_set_poll(w->cx, poll, w);
    w->launching = pthread_self();
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        bool grid = ways[i].form == CPL_FORM_KERNEL;
        cpl_arg args[] = {w->args[0], cpl_arg_int(INT64_MAX)};
        cpl_launch_options o;
        cpl_launch_options_init(&o);
        o.form = ways[i].form;
        o.global[0] = o.local[0] = 4;
        for (int k = 0; k < 4; k++) w->x[k] = 1.0;
        w->asked = w->asked_elsewhere = 0;
        w->answer_from = 2;
        w->said = (messages){.n = 0};
        assert_int_equal(cpl_interpret(m[grid], ways[i].function, &o, args, grid ? 1 : 2),
                         CPL_ECANCELLED);
        const char *said = strstr(w->said.text, "' was cancelled: what it writes is written in");
        assert_non_null(said);
        assert_null(strstr(said + 20, "cancelled"));
        assert_int_equal(w->asked, 2);
        assert_int_equal(w->asked_elsewhere, 0);
    }
    w->answer_from = 0;
    cpl_arg args[] = {w->args[0], cpl_arg_int(100)};
    for (int k = 0; k < 4; k++) w->x[k] = 1.0;
    assert_int_equal(cpl_interpret(m[0], "work", NULL, args, 2), CPL_OK);
    for (int k = 0; k < 4; k++) assert_true(w->x[k] == 2.0);
    cpl_context_set_poll(w->cx, NULL, NULL);
    cpl_module_release(m[0]);
    cpl_module_release(m[1]);
}

/* One that waits for a build that is cancelled does it himself. */
typedef struct waiter {
    world *w;
    cpl_status status;
} waiter;

static void *wait_for_kernel(void *arg)
{
    waiter *a = arg;
    cpl_kernel *k;
    a->status = cpl_kernel_for(a->w->module, "quick", NULL, a->w->args, 1, &k);
    cpl_kernel_release(k);
    return NULL;
}

static void others_are_not_cancelled(void **state)
{
    world *w = *state;
    for (long round = 0; round < test_rounds(60, 2000); round++) {
        cpl_module *m = w->module;
        assert_int_equal(cpl_module_from_source(w->cx, "k.py", source, strlen(source), &w->module),
                         CPL_OK);
        waiter a[2] = {{w, CPL_EINTERNAL}, {w, CPL_EINTERNAL}};
        pthread_t threads[2];
        cpl_compile *c = begin_compile(w, "quick");
        for (int i = 0; i < 2; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, wait_for_kernel, &a[i]), 0);
        for (long spin = 0; spin < round % 20 * 20000; spin++) atomic_load(&w->asked);
        cpl_compile_cancel(c);
        cpl_status status = cpl_compile_wait(c, -1, NULL);
        assert_true(status == CPL_OK || status == CPL_ECANCELLED);
        for (int i = 0; i < 2; i++) {
            pthread_join(threads[i], NULL);
            assert_int_equal(a[i].status, CPL_OK);
        }
        cpl_compile_release(c);
        cpl_module_release(w->module);
        w->module = m;
    }
}

/* --- who wants to hear of it --- */

typedef struct hearer {
    atomic_int heard;
    cpl_compile *compile;
    cpl_status status; /* of a wait, by then */
    cpl_kernel *kernel;
    pthread_t thread;
    bool done;
} hearer;

static void hear(void *user, cpl_compile *compile)
{
    hearer *h = user;
    h->compile = compile;
    h->thread = pthread_self();
    cpl_compile_done(compile, &h->done);
    h->status = cpl_compile_wait(compile, -1, &h->kernel);
    atomic_fetch_add(&h->heard, 1);
}

static void wait_to_hear(hearer *h)
{
    for (int ms = 0; !atomic_load(&h->heard) && ms < 60000; ms++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    assert_int_equal(h->heard, 1);
    assert_true(h->done);
}

static void who_wants_to_hears_of_it(void **state)
{
    world *w = *state;
    hearer h = {0}, late = {0}, failed = {0};
    cpl_compile *c = begin_compile(w, "quick");
    assert_int_equal(cpl_compile_notify(c, hear, &h), CPL_OK);
    assert_int_equal(cpl_compile_notify(c, hear, &h), CPL_EARG);
    wait_to_hear(&h);
    assert_ptr_equal(h.compile, c);
    assert_int_equal(h.status, CPL_OK);
    assert_int_equal(cpl_kernel_launch(h.kernel, NULL, w->args, 1), CPL_OK);
    cpl_kernel_release(h.kernel);
    cpl_compile_release(c);
    assert_int_equal(h.heard, 1);

    c = begin_compile(w, "quick");
    assert_int_equal(cpl_compile_wait(c, -1, NULL), CPL_OK);
    assert_int_equal(cpl_compile_notify(c, hear, &late), CPL_OK); /* it is done: here and now */
    assert_int_equal(late.heard, 1);
    assert_true(pthread_equal(late.thread, pthread_self()));
    cpl_kernel_release(late.kernel);
    cpl_compile_release(c);

    c = begin_compile(w, "bad");
    assert_int_equal(cpl_compile_notify(c, hear, &failed), CPL_OK);
    wait_to_hear(&failed);
    assert_int_equal(failed.status, CPL_ENOTFOUND);
    assert_int_equal(cpl_compile_notify(c, NULL, NULL), CPL_EARG);
    assert_int_equal(cpl_compile_notify(NULL, hear, &failed), CPL_EARG);
    cpl_compile_release(c);
}

/* Cancelled or released, each is heard of once, before it goes. */
static void what_is_dropped_is_heard_of(void **state)
{
    enum { MANY = 40 };
    world *w = *state;
    static hearer h[MANY];
    cpl_compile *slow[MANY];
    for (int i = 0; i < MANY; i++) {
        h[i] = (hearer){0};
        slow[i] = begin_compile(w, "slow");
        assert_int_equal(cpl_compile_notify(slow[i], hear, &h[i]), CPL_OK);
    }
    cpl_compile_cancel(slow[MANY - 1]); /* it has not begun: on this thread */
    assert_int_equal(h[MANY - 1].heard, 1);
    assert_true(pthread_equal(h[MANY - 1].thread, pthread_self()));
    for (int i = 0; i < MANY; i += 2) cpl_compile_cancel(slow[i]);
    for (int i = 0; i < MANY; i++) {
        cpl_compile_release(slow[i]);
        assert_int_equal(h[i].heard, 1);
        assert_true(h[i].done);
        assert_int_equal(h[i].status, CPL_ECANCELLED);
    }
}

static void count_up(void *user, cpl_compile *compile)
{
    (void)compile;
    atomic_fetch_add((atomic_int *)user, 1);
}

/* Asked for, and released, at every moment. */
static void heard_of_once(void **state)
{
    world *w = *state;
    atomic_int heard = 0;
    long rounds = test_rounds(300, 10000);
    for (long round = 0; round < rounds; round++) {
        cpl_compile *c = begin_compile(w, round % 3 ? "quick" : "bad");
        for (long spin = 0; spin < round % 20 * 1000; spin++) atomic_load(&w->asked);
        assert_int_equal(cpl_compile_notify(c, count_up, &heard), CPL_OK);
        if (round % 5 == 0) cpl_compile_cancel(c);
        if (round % 7 == 0) cpl_compile_wait(c, -1, NULL);
        cpl_compile_release(c);
        assert_int_equal(heard, round + 1);
    }
}

/* The module goes with the compilation; so may the context. */
static void the_last_one_lets_go(void **state)
{
    world *w = *state;
    cpl_compile *c = begin_compile(w, "slow");
    cpl_module_release(w->module);
    cpl_context_release(w->cx);
    w->module = NULL;
    w->cx = NULL;
    cpl_compile_release(c);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_kernel_is_the_one_that_launches_find, begin, end),
        cmocka_unit_test_setup_teardown(who_waits_is_told, begin, end),
        cmocka_unit_test_setup_teardown(how_arrays_lie_is_copied, begin, end),
        cmocka_unit_test_setup_teardown(a_wait_ends_in_time, begin, end),
        cmocka_unit_test_setup_teardown(many_are_dropped, begin, end),
        cmocka_unit_test_setup_teardown(a_poll_function_ends_calls, begin, end),
        cmocka_unit_test_setup_teardown(a_poll_function_ends_launches, begin, end),
        cmocka_unit_test_setup_teardown(a_poll_function_ends_last_launches, begin, end),
        cmocka_unit_test_setup_teardown(a_poll_function_ends_interpretations, begin, end),
        cmocka_unit_test_setup_teardown(others_are_not_cancelled, begin, end),
        cmocka_unit_test_setup_teardown(who_wants_to_hears_of_it, begin, end),
        cmocka_unit_test_setup_teardown(what_is_dropped_is_heard_of, begin, end),
        cmocka_unit_test_setup_teardown(heard_of_once, begin, end),
        cmocka_unit_test_setup_teardown(the_last_one_lets_go, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

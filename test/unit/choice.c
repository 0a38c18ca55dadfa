/*
 * Option `choose`: launches without a queue run where they are expected to be done first, which
 * CPL_COSTS says here, so that no test hangs on what takes how long; results are there and right
 * wherever it was, and the profile says why. On the stand-in driver, which runs functions of this
 * program's.
 */
#include "on_standin.h"
#include "launches.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char source[] = "def axpb(i, x, y, a, b):\n"
                             "    y[i] = a*x[i] + b\n"
                             "def inc(i, x):\n"
                             "    x[i] += 1\n";

/* From 2000 elements on the first GPU is faster, where copies cost nothing. */
static const char costs[] = "host launch=0 memory=1 arithmetic=0;"
                            "cuda:0 launch=32 memory=1000 arithmetic=0 copy=0 to=0 from=0;"
                            "cuda:1 launch=40 memory=1000 arithmetic=0 copy=0 to=0 from=0;"
                            "opencl:0 launch=1e6; opencl:1 launch=1e6";

enum { FEW = 100, MANY = 100000 };

static void say(const char *text)
{
    setenv("CPL_COSTS", text, 1);
}

static int begin(void **state)
{
    open_standin();
    say(costs);
    int status = set_up_source(state, "choice.py", source);
    world *w = *state;
    return status ? status : (int)cpl_context_set_option(w->cx, "choose", 1);
}

/* Nothing is said of OpenCL's devices, which have the names of CUDA's. */
static int begin_with_cuda(void **state)
{
    static char text[sizeof costs];
    snprintf(text, sizeof text, "%.*s", (int)(strstr(costs, ";opencl:0") - costs), costs);
    open_standin();
    say(text);
    int status = set_up_source(state, "choice.py", source);
    world *w = *state;
    return status ? status : (int)cpl_context_set_option(w->cx, "choose", 1);
}

static int end(void **state)
{
    unsetenv("CPL_COSTS");
    return close_standin(state);
}

static cpl_device *named(world *w, const char *label)
{
    cpl_device *d;
    assert_int_equal(cpl_device_find(w->cx, label, &d), CPL_OK);
    return d;
}

/* --- what the profile has of choices --- */

typedef struct chosen {
    char device[32], why[CPL_PROFILE_WHY];
    uint64_t count;
} chosen;

static void see(void *user, const cpl_profile_row *row)
{
    chosen *c = user;
    if (row->what != CPL_PROFILE_CHOICE) return;
    snprintf(c->device, sizeof c->device, "%s", c->count ? "several" : row->device);
    memcpy(c->why, row->why, sizeof c->why);
    c->count += row->count;
}

/* Where all launches since the last call were sent. */
static chosen look(world *w)
{
    chosen c = {0};
    assert_int_equal(cpl_profile_each_row(w->cx, see, &c), CPL_OK);
    cpl_profile_clear(w->cx);
    return c;
}

static void axpb(world *w, double *x, double *y, int64_t n, const cpl_launch_options *o)
{
    const cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, n), cpl_arg_array(CPL_FLOAT64, y, n),
                            cpl_arg_float(2), cpl_arg_int(1)};
    for (int64_t i = 0; i < n; i++) x[i] = (double)i, y[i] = 0;
    assert_int_equal(cpl_launch(w->module, "axpb", o, args, 4), CPL_OK);
    for (int64_t i = 0; i < n; i++) assert_true(y[i] == 2 * (double)i + 1);
}

static void by_size(void **state)
{
    world *w = *state;
    static double x[MANY], y[MANY];
    cpl_profile_enable(w->cx, true);
    axpb(w, x, y, FEW, NULL);
    chosen c = look(w);
    assert_string_equal(c.device, "host");
    axpb(w, x, y, MANY, NULL);
    c = look(w);
    assert_string_equal(c.device, "cuda:0");
    assert_int_equal(c.count, 1);
    assert_non_null(strstr(c.why, "host 1600 us, cuda:0 34 us, cuda:1 42 us"));
}

static void gpus_that_both_have(void **state)
{
    world *w = *state;
    static double x[MANY], y[MANY];
    cpl_profile_enable(w->cx, true);
    axpb(w, x, y, MANY, NULL);
    chosen c = look(w);
    assert_string_equal(c.device, "cuda:0");
    assert_non_null(strstr(c.why, "cuda:1"));
    assert_null(strstr(c.why, "opencl"));
}

/* Not of launches that say where, nor of those that nobody asks for. */
static void where_it_is_asked_for(void **state)
{
    world *w = *state;
    static double x[MANY], y[MANY];
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    cpl_profile_enable(w->cx, true);
    o.queue = cpl_device_queue(named(w, "host"));
    axpb(w, x, y, MANY, &o);
    assert_int_equal(look(w).count, 0);
    cpl_context_set_option(w->cx, "choose", 0);
    o.queue = NULL;
    axpb(w, x, y, MANY, &o);
    assert_int_equal(look(w).count, 0);
    o.choose = true;
    axpb(w, x, y, MANY, &o);
    assert_string_equal(look(w).device, "cuda:0");
}

static cpl_array *array_on(world *w, const char *label, int64_t n)
{
    cpl_array *a;
    assert_int_equal(cpl_array_create(w->cx, named(w, label), CPL_FLOAT64, n, &a), CPL_OK);
    return a;
}

static void increase(world *w, cpl_array *a)
{
    const cpl_arg arg = cpl_arg_of_array(a);
    assert_int_equal(cpl_launch(w->module, "inc", NULL, &arg, 1), CPL_OK);
}

/* 0.8 MB take 2 + 80 us either way: 800 us on the host is more, once, and less than both ways. */
static void by_copies(void **state)
{
    world *w = *state;
    static double x[MANY];
    cpl_profile_enable(w->cx, true);
    cpl_array *here = array_on(w, "host", MANY), *there = array_on(w, "cuda:0", MANY);
    increase(w, here);
    chosen c = look(w);
    assert_string_equal(c.device, "host");
    assert_non_null(strstr(c.why, "(802 of them copies)"));
    increase(w, there);
    c = look(w);
    assert_string_equal(c.device, "cuda:0");
    assert_null(strstr(c.why, "cuda:0 33 us ("));
    const cpl_arg arg = cpl_arg_array(CPL_FLOAT64, x, MANY); /* goes there, and comes back */
    assert_int_equal(cpl_launch(w->module, "inc", NULL, &arg, 1), CPL_OK);
    c = look(w);
    assert_string_equal(c.device, "host");
    assert_non_null(strstr(c.why, "(1604 of them copies)"));
    assert_true(x[0] == 1 && x[MANY - 1] == 1);
    cpl_array_release(here);
    cpl_array_release(there);
}

static cpl_array *half_of(cpl_array *a, int64_t first)
{
    cpl_array *half;
    const cpl_slice part = cpl_slice_range(first, first + MANY / 2, 1);
    assert_int_equal(cpl_array_slice(a, &part, 1, &half), CPL_OK);
    return half;
}

/* What is in an array once is copied once, in whichever arguments it is. */
static void once_for_each_array(void **state)
{
    world *w = *state;
    static const struct {
        bool halves, one;
        const char *copies;
    } ways[] = {{false, false, "cuda:0 1638 us (1604 of them copies)"},
                {false, true, "cuda:0 836 us (802 of them copies)"},
                {true, false, "cuda:0 1637 us (1604 of them copies)"},
                {true, true, "cuda:0 835 us (802 of them copies)"}};
    cpl_profile_enable(w->cx, true);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        cpl_array *x = array_on(w, "host", MANY), *y = array_on(w, "host", MANY), *to = y;
        if (ways[i].one) to = x;
        cpl_array *parts[2] = {half_of(x, 0), half_of(to, MANY / 2)};
        const cpl_arg args[] = {cpl_arg_of_array(ways[i].halves ? parts[0] : x),
                                cpl_arg_of_array(ways[i].halves ? parts[1] : to), cpl_arg_float(2),
                                cpl_arg_int(1)};
        assert_int_equal(cpl_launch(w->module, "axpb", NULL, args, 4), CPL_OK);
        assert_non_null(strstr(look(w).why, ways[i].copies));
        cpl_array_release(parts[0]);
        cpl_array_release(parts[1]);
        cpl_array_release(x);
        cpl_array_release(y);
    }
}

/* Arrays that are used again go where they are better off, when what that would have saved is what
 * the copies take: 767 us each time. */
static void by_use(void **state)
{
    world *w = *state;
    cpl_profile_enable(w->cx, true);
    /* of another size, so that no launch on the host is a second one, whose time counts */
    cpl_array *a = array_on(w, "host", MANY), *other = array_on(w, "host", MANY / 8);
    increase(w, a);
    assert_string_equal(look(w).device, "host");
    increase(w, other); /* has missed less by now */
    assert_string_equal(look(w).device, "host");
    for (int i = 0; i < 3; i++) {
        increase(w, a);
        assert_string_equal(look(w).device, "cuda:0");
    }
    assert_int_equal(cpl_array_pull(a, NULL), CPL_OK);
    assert_true(*(double *)cpl_array_address(a, NULL, NULL) == 4);
    cpl_array_release(a);
    cpl_array_release(other);
}

static int begin_with_copies(void **state)
{
    int status = begin(state);
    say("host launch=0 memory=1 arithmetic=0;"
        "cuda:0 launch=32 memory=1000 arithmetic=0 copy=2 to=1 from=1;"
        "cuda:1 launch=1e6 memory=0 arithmetic=0 copy=0 to=0 from=0;"
        "opencl:0 launch=1e6; opencl:1 launch=1e6");
    return status;
}

/* A host that is said to take no time is found to take some, so that others are tried. */
static void by_what_it_took(void **state)
{
    world *w = *state;
    static double x[MANY], y[MANY];
    cpl_profile_enable(w->cx, true);
    for (int i = 0; i < 2; i++) {
        axpb(w, x, y, MANY, NULL);
        assert_string_equal(look(w).device, "host");
    }
    for (int i = 0; i < 2; i++) {
        axpb(w, x, y, MANY, NULL);
        assert_string_equal(look(w).device, "cuda:0");
    }
}

static int begin_with_a_boast(void **state)
{
    int status = begin(state);
    world *w = *state;
    cpl_context_set_option(w->cx, "tiers", 0); /* quick code is not timed */
    say("host launch=1e-3 memory=1e9 arithmetic=0;"
        "cuda:0 launch=2e-3 memory=1e9 arithmetic=0 copy=0 to=0 from=0;"
        "cuda:1 launch=1e6; opencl:0 launch=1e6; opencl:1 launch=1e6");
    return status;
}

static void while_it_records(void **state)
{
    world *w = *state;
    cpl_graph *graph;
    cpl_array *a = array_on(w, "cuda:0", MANY);
    cpl_queue *q = cpl_device_queue(named(w, "cuda:0"));
    cpl_profile_enable(w->cx, true);
    increase(w, a);
    assert_int_equal(look(w).count, 1);
    assert_int_equal(cpl_graph_begin(q), CPL_OK);
    increase(w, a); /* is recorded, as without the option */
    assert_int_equal(look(w).count, 0);
    cpl_array *here = array_on(w, "host", MANY);
    increase(w, here); /* of what is elsewhere nothing is */
    assert_string_not_equal(look(w).device, "cuda:0");
    assert_int_equal(cpl_graph_end(q, &graph), CPL_OK);
    cpl_graph *none;
    assert_int_equal(cpl_graph_begin(cpl_device_queue(named(w, "host"))), CPL_OK);
    increase(w, a); /* the host is no place for it while that records */
    assert_int_equal(look(w).count, 0);
    assert_int_equal(cpl_graph_end(cpl_device_queue(named(w, "host")), &none), CPL_OK);
    cpl_graph_release(none);
    assert_int_equal(cpl_graph_launch(graph, q, NULL), CPL_OK);
    assert_int_equal(cpl_array_pull(a, NULL), CPL_OK);
    assert_true(*(double *)cpl_array_address(a, NULL, NULL) == 3);
    cpl_graph_release(graph);
    cpl_array_release(a);
    cpl_array_release(here);
}

/* Arrays that stay in main memory keep a launch on the host, whichever of its arguments they are
 * and by whatever they came to stay there: its pointers see the results. */
static void arrays_that_stay(void **state)
{
    enum { FREE, STAYS, VIEW, WRAPS, WAYS };
    world *w = *state;
    static double memory[MANY + 8];
    cpl_profile_enable(w->cx, true);
    for (int way = FREE; way < WAYS; way++)
        for (int which = 0; which < 2; which++) {
            cpl_array *a[2] = {array_on(w, "host", MANY), array_on(w, "host", MANY)};
            cpl_array *stays = a[which], *over = NULL;
            cpl_array_options o;
            cpl_array_options_init(&o);
            o.dtype = CPL_FLOAT64;
            o.dims = 1;
            o.shape[0] = MANY;
            if (way == VIEW) assert_int_equal(cpl_array_view(stays, &o, &over), CPL_OK);
            if (way == STAYS || way == VIEW)
                assert_int_equal(cpl_array_stay(over ? over : stays), CPL_OK);
            if (way == WRAPS) {
                cpl_array_release(stays);
                assert_int_equal(cpl_array_wrap(w->cx, NULL, &o, memory, &a[which]), CPL_OK);
                assert_int_equal(cpl_array_wrap(w->cx, NULL, &o, memory + 8, &over), CPL_OK);
            }
            double *y = cpl_array_address(a[1], NULL, NULL);
            const cpl_arg args[] = {cpl_arg_of_array(a[0]), cpl_arg_of_array(a[1]),
                                    cpl_arg_float(2), cpl_arg_int(1)};
            assert_int_equal(cpl_launch(w->module, "axpb", NULL, args, 4), CPL_OK);
            assert_string_equal(look(w).device, way ? "host" : "cuda:0");
            if (way) assert_true(y[0] == 2 * *(double *)cpl_array_address(a[0], NULL, NULL) + 1);
            cpl_array_release(over);
            cpl_array_release(a[0]);
            cpl_array_release(a[1]);
        }
}

/* --- devices that cannot --- */

/* Twice the bytes of the arguments are to fit. */
static void devices_that_are_full(void **state)
{
    world *w = *state;
    static double x[MANY], y[MANY];
    static const int64_t sizes[] = {MANY / 4, MANY};
    cpl_profile_enable(w->cx, true);
    for (int i = 0; i < 2; i++) {
        axpb(w, x, y, sizes[i], NULL);
        assert_string_equal(look(w).device, i ? "host" : "cuda:0");
        cpl_array *a =
            array_on(w, "host", 2 * sizes[i]); /* the same for one that is twice as large */
        increase(w, a);
        assert_string_equal(look(w).device, i ? "host" : "cuda:0");
        cpl_array_release(a);
    }
}

/* There is no room to time them in: that is found once, and launches run on the host, arrays that
 * are there included. */
static void devices_without_room(void **state)
{
    world *w = *state;
    static double x[MANY], y[MANY];
    cpl_array *a = array_on(w, "cuda:0", FEW);
    cpl_profile_enable(w->cx, true);
    for (int i = 0; i < 3; i++) {
        uint64_t calls = standin_calls();
        axpb(w, x, y, MANY / 4, NULL);
        assert_string_equal(look(w).device, "host");
        if (i) assert_int_equal(standin_calls(), calls);
    }
    assert_non_null(strstr(w->said.text, "it is not chosen"));
    increase(w, a);
    assert_string_equal(look(w).device, "host");
    assert_true(*(double *)cpl_array_address(a, NULL, NULL) == 1);
    cpl_array_release(a);
}

static int begin_without_room(void **state)
{
    open_standin();
    standin_limit(4 * MANY * sizeof(double));
    setenv("CPL_CACHE", "0", 1); /* nor were they timed before */
    say("host launch=0 memory=1 arithmetic=0; cuda:0 launch=1");
    int status = set_up_source(state, "choice.py", source);
    world *w = *state;
    return status ? status : (int)cpl_context_set_option(w->cx, "choose", 1);
}

static int begin_with_little_memory(void **state)
{
    open_standin();
    standin_limit(4 * MANY * sizeof(double));
    say("host launch=0 memory=1 arithmetic=0;" /* all: there is no memory to time devices in */
        "cuda:0 launch=32 memory=1000 arithmetic=0 copy=0 to=0 from=0;"
        "cuda:1 launch=1e6 memory=0 arithmetic=0 copy=0 to=0 from=0;"
        "opencl:0 launch=1e6 memory=0 arithmetic=0 copy=0 to=0 from=0;"
        "opencl:1 launch=1e6 memory=0 arithmetic=0 copy=0 to=0 from=0");
    int status = set_up_source(state, "choice.py", source);
    world *w = *state;
    return status ? status : (int)cpl_context_set_option(w->cx, "choose", 1);
}

static void increase_integers(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    for (int64_t i = 0; i < *(const int64_t *)args[0]; i++) ++(*(int64_t *const *)args[1])[i];
}

static void devices_without_doubles(void **state)
{
    world *w = *state;
    static int64_t integers[2 * MANY];
    static const cpl_dtype types[] = {CPL_INT64, CPL_FLOAT64, CPL_COMPLEX128};
    standin_register("inc", increase_integers);
    cpl_profile_enable(w->cx, true);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int array = 0; array < 2; array++) {
            cpl_array *a = NULL;
            cpl_arg arg = cpl_arg_array(types[t], integers, MANY);
            if (array) {
                assert_int_equal(cpl_array_create(w->cx, named(w, "host"), types[t], MANY, &a),
                                 CPL_OK);
                arg = cpl_arg_of_array(a);
            }
            assert_int_equal(cpl_launch(w->module, "inc", NULL, &arg, 1), CPL_OK);
            assert_string_equal(look(w).device, t ? "host" : "opencl:0");
            cpl_array_release(a);
        }
}

static int begin_without_doubles(void **state)
{
    setenv("CPL_STANDIN_FP64", "0", 1);
    open_standin();
    unsetenv("CPL_STANDIN_FP64");
    say("host launch=0 memory=1 arithmetic=0;"
        "opencl:0 launch=32 memory=1000 arithmetic=0 copy=0 to=0 from=0;"
        "cuda:0 launch=1e6; cuda:1 launch=1e6; opencl:1 launch=1e6");
    int status = set_up_source(state, "choice.py", source);
    world *w = *state;
    return status ? status : (int)cpl_context_set_option(w->cx, "choose", 1);
}

static void devices_that_are_lost(void **state)
{
    world *w = *state;
    static double x[MANY], y[MANY];
    cpl_profile_enable(w->cx, true);
    axpb(w, x, y, MANY, NULL);
    assert_string_equal(look(w).device, "cuda:0");
    const cpl_arg arg = cpl_arg_array(CPL_FLOAT64, x, MANY);
    standin_fail_name("cuLaunchKernel", 1, 719);
    assert_int_equal(cpl_launch(w->module, "inc", NULL, &arg, 1), CPL_EDEVICELOST);
    standin_rearm();
    look(w);
    axpb(w, x, y, MANY, NULL);
    assert_string_equal(look(w).device, "cuda:1");
}

static void refused_text(void **state)
{
    world *w = *state;
    static double x[MANY];
    const cpl_arg arg = cpl_arg_array(CPL_FLOAT64, x, MANY);
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"host memory=fast", "CPL_COSTS says 'memory=fast' of host"},
        {"host memory=-1", "CPL_COSTS says 'memory=-1' of host"},
        {"host launch=1 speed=2", "CPL_COSTS says 'speed=2' of host"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        say(bad[i].text);
        assert_int_equal(cpl_launch(w->module, "inc", NULL, &arg, 1), CPL_EARG);
        assert_non_null(strstr(w->said.text, bad[i].message));
    }
    assert_true(x[0] == 0);
    say(costs);
    assert_int_equal(cpl_launch(w->module, "inc", NULL, &arg, 1), CPL_OK);
    assert_true(x[0] == 1 && x[MANY - 1] == 1);
}

/* --- figures --- */

static void said_figures(void **state)
{
    world *w = *state;
    cpl_device_costs c = {.size = sizeof c};
    assert_int_equal(cpl_device_costs_get(named(w, "cuda:0"), &c), CPL_OK);
    assert_float_equal(c.launch_us, 32, 1e-2);
    assert_float_equal(c.memory_gbs, 1000, 2);
    assert_float_equal(c.to_gbs, 0, 0);
    assert_int_equal(cpl_device_costs_get(NULL, &c), CPL_EARG);
    assert_int_equal(cpl_device_costs_get(named(w, "host"), NULL), CPL_EARG);
}

static void one_after_the_other(void *pool, cpl_task_fn task, void *data, int workers)
{
    (void)pool;
    for (int i = 0; i < workers; i++) task(data, i, workers);
}

static void count_entry(void *user, const cpl_cache_entry *entry)
{
    (void)entry;
    ++*(int *)user;
}

/* The host is timed anew for another number of threads. */
static void expect_timed(int workers, int more)
{
    cpl_context *cx;
    cpl_threads threads = {sizeof threads, one_after_the_other, NULL, workers};
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.threads = &threads;
    cpl_device_costs found = {.size = sizeof found};
    int before = 0, entries = 0;
    assert_int_equal(cpl_context_create(&options, &cx), CPL_OK);
    assert_int_equal(cpl_cache_each(cx, count_entry, &before), CPL_OK);
    assert_int_equal(cpl_device_costs_get(cpl_device_get(cx, 0), &found), CPL_OK);
    assert_int_equal(cpl_cache_each(cx, count_entry, &entries), CPL_OK);
    if ((entries > before) != more) fail_msg("%d entries, %d before", entries, before);
    cpl_context_release(cx);
}

/* What was timed once is found again, by other contexts too. */
static void timed_once(void **state)
{
    world *w = *state;
    unsetenv("CPL_COSTS");
    char folder[] = "/tmp/cpl-costs-XXXXXX";
    assert_non_null(mkdtemp(folder));
    setenv("CPL_CACHE", "1", 1);
    setenv("CPL_CACHE_DIR", folder, 1);
    cpl_device_costs first = {.size = sizeof first}, again = {.size = sizeof again};
    assert_int_equal(cpl_device_costs_get(named(w, "host"), &first), CPL_OK);
    assert_true(first.launch_us > 0 && first.memory_gbs > 0 && first.arithmetic_gops > 0);
    assert_true(first.copy_us == 0 && first.to_gbs == 0 && first.from_gbs == 0);
    cpl_context *cx;
    assert_int_equal(cpl_context_create(NULL, &cx), CPL_OK);
    assert_int_equal(cpl_device_costs_get(cpl_device_get(cx, 0), &again), CPL_OK);
    assert_memory_equal(&first, &again, sizeof first);
    cpl_context_release(cx);
    say("host memory=7");
    assert_int_equal(cpl_context_create(NULL, &cx), CPL_OK);
    assert_int_equal(cpl_device_costs_get(cpl_device_get(cx, 0), &again), CPL_OK);
    assert_float_equal(again.memory_gbs, 7, 0.1); /* the others are those that were timed */
    assert_float_equal(again.arithmetic_gops, first.arithmetic_gops, first.arithmetic_gops / 10);
    unsetenv("CPL_COSTS");
    cpl_device_info host = {.size = sizeof host};
    assert_int_equal(cpl_device_info_get(cpl_device_get(cx, 0), &host), CPL_OK);
    const int other = host.units == 1 ? 2 : 1;
    expect_timed(other, 1);
    expect_timed(other, 0);
    assert_int_equal(cpl_cache_clear(cx, NULL), CPL_OK);
    cpl_context_release(cx);
    setenv("CPL_CACHE", "0", 1);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(by_size, begin, end),
        cmocka_unit_test_setup_teardown(gpus_that_both_have, begin_with_cuda, end),
        cmocka_unit_test_setup_teardown(where_it_is_asked_for, begin, end),
        cmocka_unit_test_setup_teardown(by_copies, begin_with_copies, end),
        cmocka_unit_test_setup_teardown(once_for_each_array, begin_with_copies, end),
        cmocka_unit_test_setup_teardown(by_use, begin_with_copies, end),
        cmocka_unit_test_setup_teardown(by_what_it_took, begin_with_a_boast, end),
        cmocka_unit_test_setup_teardown(while_it_records, begin, end),
        cmocka_unit_test_setup_teardown(arrays_that_stay, begin, end),
        cmocka_unit_test_setup_teardown(devices_that_are_full, begin_with_little_memory, end),
        cmocka_unit_test_setup_teardown(devices_without_room, begin_without_room, end),
        cmocka_unit_test_setup_teardown(devices_without_doubles, begin_without_doubles, end),
        cmocka_unit_test_setup_teardown(devices_that_are_lost, begin, end),
        cmocka_unit_test_setup_teardown(refused_text, begin, end),
        cmocka_unit_test_setup_teardown(said_figures, begin, end),
        cmocka_unit_test_setup_teardown(timed_once, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

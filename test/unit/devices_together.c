/*
 * Several devices in one process: queues on each, kernels on all at once, arrays copied between any
 * two, moved where automatic mode says so and refused otherwise. It runs on each kind of which
 * there are two or more, on all devices together, and on the stand-in driver with two devices of
 * each kind. How many there were is printed.
 */
#include "unit.h"
#include "launches.h"

#include "collect.h"

#include "standin.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static const char source[] = "def step(i, x, y, a):\n"
                             "    y[i] = y[i] + a*x[i]\n";

enum { N = 5003, MOST = 16, STEPS = 20 };

/* What step does; the stand-in runs no code. */
static void run_step(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    int64_t n = *(const int64_t *)args[0];
    const double *x = *(double *const *)args[1];
    double *y = *(double *const *)args[2], a = *(const double *)args[3];
    for (int64_t i = 0; i < n; i++) y[i] += a * x[i];
}

typedef struct world {
    messages said;
    cpl_context *cx;
    cpl_module *module;
    cpl_device *devices[MOST];
    int count;
} world;

#define OK(w, call) ok(w, call, #call, __LINE__)
static void ok(world *w, cpl_status status, const char *call, int line)
{
    if (status)
        print_error("line %d: %s: %s\n%s", line, call, cpl_status_message(status), w->said.text);
    assert_int_equal(status, CPL_OK);
}

static const char *label(const cpl_device *d)
{
    cpl_device_info info = {.size = sizeof info};
    assert_int_equal(cpl_device_info_get(d, &info), CPL_OK);
    return info.label;
}

static void open_world(world *w)
{
    *w = (world){0};
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.sink = collect;
    options.sink_user = &w->said;
    assert_int_equal(cpl_context_create(&options, &w->cx), CPL_OK);
    OK(w, cpl_module_from_source(w->cx, "together.py", source, sizeof source - 1, &w->module));
}

static void close_world(world *w)
{
    cpl_module_release(w->module);
    cpl_context_release(w->cx);
}

/* The devices of a kind; CPL_DEVICE_HOST: all there are but the host. */
static void choose(world *w, cpl_device_kind kind)
{
    w->count = 0;
    for (size_t i = 1; i < cpl_device_count(w->cx) && w->count < MOST; i++) {
        cpl_device_info info = {.size = sizeof info};
        OK(w, cpl_device_info_get(cpl_device_get(w->cx, i), &info));
        if (info.fp64 && (kind == CPL_DEVICE_HOST || info.kind == kind))
            w->devices[w->count++] = cpl_device_get(w->cx, i);
    }
}

/* An array of first, first + 1, ... */
static cpl_array *ramp(world *w, cpl_device *d, double first)
{
    cpl_array *a;
    double *values = malloc(N * sizeof *values);
    for (int i = 0; i < N; i++) values[i] = first + i;
    OK(w, cpl_array_create(w->cx, d, CPL_FLOAT64, N, &a));
    OK(w, cpl_array_write(a, NULL, values, NULL));
    free(values);
    return a;
}

static void expect_ramp(world *w, cpl_array *a, double first, double slope, const char *where)
{
    double *values = calloc(N, sizeof *values);
    OK(w, cpl_array_read(a, NULL, values, NULL));
    for (int i = 0; i < N; i++)
        if (values[i] != first + slope * i) {
            print_error("%s: element %d is %g, not %g\n", where, i, values[i], first + slope * i);
            fail();
        }
    free(values);
}

/* --- one after the other given, all at work at once --- */

static void all_at_once(world *w)
{
    cpl_queue *queues[MOST];
    cpl_array *x[MOST], *y[MOST];
    cpl_event *events[MOST];
    for (int i = 0; i < w->count; i++) {
        OK(w, cpl_queue_create(w->devices[i], NULL, &queues[i]));
        assert_ptr_equal(cpl_queue_device(queues[i]), w->devices[i]);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(label(w->devices[i]), label(w->devices[k]));
        x[i] = ramp(w, w->devices[i], 0);
        y[i] = ramp(w, w->devices[i], 100 * i);
    }
    for (int round = 0; round < STEPS; round++)
        for (int i = 0; i < w->count; i++) {
            cpl_arg args[] = {cpl_arg_of_array(x[i]), cpl_arg_of_array(y[i]), cpl_arg_float(i + 1)};
            cpl_event **event = round + 1 == STEPS ? &events[i] : NULL;
            OK(w, launch_rounds(w->module, "step", queues[i], args, 3, CPL_AUTO, event));
        }
    /* waiting for the last does not depend on the first */
    for (int i = w->count - 1; i >= 0; i--) {
        OK(w, cpl_event_wait(events[i]));
        cpl_event_release(events[i]);
    }
    for (int i = 0; i < w->count; i++) {
        expect_ramp(w, y[i], 100 * i, 1 + STEPS * (i + 1), label(w->devices[i]));
        cpl_array_release(x[i]);
        cpl_array_release(y[i]);
        cpl_queue_release(queues[i]);
    }
}

typedef struct job {
    world *w;
    cpl_device *device;
    double factor;
    bool good;
} job;

static void *work(void *arg)
{
    job *j = arg;
    cpl_array *x = NULL, *y = NULL;
    cpl_queue *q = NULL;
    double values[N];
    for (int i = 0; i < N; i++) values[i] = i;
    j->good = !cpl_queue_create(j->device, NULL, &q) &&
              !cpl_array_create(j->w->cx, j->device, CPL_FLOAT64, N, &x) &&
              !cpl_array_create(j->w->cx, j->device, CPL_FLOAT64, N, &y) &&
              !cpl_array_write(x, q, values, NULL) && !cpl_array_write(y, q, values, NULL);
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_float(j->factor)};
    for (int i = 0; i < STEPS && j->good; i++)
        j->good = !launch_rounds(j->w->module, "step", q, args, 3, CPL_AUTO, NULL);
    j->good = j->good && !cpl_array_read(y, q, values, NULL);
    for (int i = 0; i < N && j->good; i++) j->good = values[i] == i + STEPS * j->factor * i;
    cpl_array_release(x);
    cpl_array_release(y);
    cpl_queue_release(q);
    return NULL;
}

static void a_thread_each(world *w)
{
    pthread_t threads[MOST];
    job jobs[MOST];
    for (int i = 0; i < w->count; i++) {
        jobs[i] = (job){w, w->devices[i], i + 2, false};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < w->count; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < w->count; i++) {
        if (!jobs[i].good) print_error("%s\n%s", label(w->devices[i]), w->said.text);
        assert_true(jobs[i].good);
    }
}

/* --- arrays of two devices --- */

/* The copy runs behind what writes `from`, and what uses `to` runs behind the copy, though neither
 * is waited for here. */
static void copies(world *w, cpl_device *a, cpl_device *b)
{
    cpl_array *one = ramp(w, a, 1), *x = ramp(w, a, 0), *far = ramp(w, b, 7), *sum = ramp(w, b, 0);
    cpl_arg here[] = {cpl_arg_of_array(one), cpl_arg_of_array(x), cpl_arg_float(2)};
    OK(w, launch_rounds(w->module, "step", NULL, here, 3, CPL_AUTO, NULL)); /* x = 3i + 2 */
    OK(w, cpl_array_copy(far, x, NULL, NULL));
    cpl_arg there[] = {cpl_arg_of_array(far), cpl_arg_of_array(sum), cpl_arg_float(1)};
    OK(w, launch_rounds(w->module, "step", NULL, there, 3, CPL_AUTO, NULL)); /* sum = 4i + 2 */
    /* x = 5i + 4, far stays */
    OK(w, launch_rounds(w->module, "step", NULL, here, 3, CPL_AUTO, NULL));
    expect_ramp(w, sum, 2, 4, label(b));
    expect_ramp(w, far, 2, 3, label(b));
    expect_ramp(w, x, 4, 5, label(a));
    /* back, on a queue of the other device */
    OK(w, cpl_array_copy(x, sum, cpl_device_queue(a), NULL));
    expect_ramp(w, x, 2, 4, label(a));
    cpl_array *const all[] = {one, x, far, sum};
    for (int i = 0; i < 4; i++) cpl_array_release(all[i]);
}

/* More than goes through the host at once, 16 MiB. */
static void copies_of_many(world *w, cpl_device *a, cpl_device *b)
{
    enum { MANY = (16 << 20) / 4 + 5 };
    int32_t *v = malloc(MANY * sizeof *v);
    for (int i = 0; i < MANY; i++) v[i] = i;
    cpl_array *x, *y;
    OK(w, cpl_array_create(w->cx, a, CPL_INT32, MANY, &x));
    OK(w, cpl_array_create(w->cx, b, CPL_INT32, MANY, &y));
    OK(w, cpl_array_write(x, NULL, v, NULL));
    OK(w, cpl_array_copy(y, x, NULL, NULL));
    memset(v, 0, MANY * sizeof *v);
    OK(w, cpl_array_read(y, NULL, v, NULL));
    for (int i = 0; i < MANY; i++)
        if (v[i] != i) fail_msg("%s: element %d is %d", label(b), i, v[i]);
    cpl_array_release(x);
    cpl_array_release(y);
    free(v);
}

/* A part of one array to another part of one that lies elsewhere. */
static void copies_of_parts(world *w, cpl_device *a, cpl_device *b)
{
    enum { COUNT = 700, FROM = 41, TO = 1030 };
    cpl_array *x = ramp(w, a, 7), *y = ramp(w, b, 0), *from, *to;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = 1;
    o.shape[0] = COUNT;
    o.offset = FROM * sizeof(double);
    OK(w, cpl_array_view(x, &o, &from));
    o.offset = TO * sizeof(double);
    OK(w, cpl_array_view(y, &o, &to));
    OK(w, cpl_array_copy(to, from, NULL, NULL));
    double *values = calloc(N, sizeof *values);
    OK(w, cpl_array_read(y, NULL, values, NULL));
    for (int i = 0; i < N; i++) {
        const bool part = i >= TO && i < TO + COUNT;
        assert_true(values[i] == (part ? 7 + FROM + i - TO : i));
    }
    free(values);
    cpl_array *const all[] = {from, to, x, y};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) cpl_array_release(all[i]);
}

static void moves(world *w, cpl_device *a, cpl_device *b)
{
    cpl_array *x = ramp(w, a, 0), *y = ramp(w, b, 1);
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_float(3)};
    cpl_device *const both[] = {a, b};
    for (int i = 0; i < 2; i++) {
        char expected[128];
        snprintf(expected, sizeof expected, "argument %d is on %s and the launch runs on %s", 2 - i,
                 label(both[1 - i]), label(both[i]));
        w->said.n = 0;
        assert_int_equal(launch_rounds(w->module, "step", cpl_device_queue(both[i]), args, 3,
                                       CPL_AUTO, NULL),
                         CPL_EARG);
        if (!strstr(w->said.text, expected)) print_error("not \"%s\": %s", expected, w->said.text);
        assert_non_null(strstr(w->said.text, expected));
    }
    OK(w, cpl_context_set_option(w->cx, "automatic", 1));
    /* y = 4i + 1 */
    OK(w, launch_rounds(w->module, "step", cpl_device_queue(b), args, 3, CPL_AUTO, NULL));
    assert_true(cpl_array_valid(x, a) && cpl_array_valid(x, b)); /* only read */
    assert_false(cpl_array_valid(y, a));
    /* y = 7i + 1 */
    OK(w, launch_rounds(w->module, "step", cpl_device_queue(a), args, 3, CPL_AUTO, NULL));
    assert_true(cpl_array_valid(y, a) && !cpl_array_valid(y, b));
    cpl_arg turned[] = {args[1], args[0], cpl_arg_float(1)};
    /* x = 8i + 1 */
    OK(w, launch_rounds(w->module, "step", cpl_device_queue(b), turned, 3, CPL_AUTO, NULL));
    assert_true(cpl_array_valid(x, b) && !cpl_array_valid(x, a));
    OK(w, cpl_context_set_option(w->cx, "automatic", 0));
    expect_ramp(w, y, 1, 7, label(a));
    expect_ramp(w, x, 1, 8, label(b));
    OK(w, cpl_array_push(x, cpl_device_queue(a), NULL)); /* home again */
    assert_true(cpl_array_valid(x, a));
    expect_ramp(w, x, 1, 8, label(a));
    cpl_array_release(x);
    cpl_array_release(y);
}

/* A queue that records takes no part in a copy that is about neither place of its device: the copy
 * is refused, not recorded. */
static void recording_elsewhere(world *w, cpl_device *a, cpl_device *b)
{
    cpl_array *x = ramp(w, a, 0), *y = ramp(w, a, 1);
    double values[N];
    cpl_queue *q;
    cpl_graph *graph;
    char expected[160];
    snprintf(expected, sizeof expected,
             "the queue records a graph of %s, and the copy is one of %s", label(b), label(a));
    OK(w, cpl_queue_create(b, NULL, &q));
    OK(w, cpl_graph_begin(q));
    for (int i = 0; i < 3; i++) {
        w->said.n = 0;
        cpl_status status = i == 0   ? cpl_array_copy(x, y, q, NULL)
                            : i == 1 ? cpl_array_write(x, q, values, NULL)
                                     : cpl_array_read(x, q, values, NULL);
        assert_int_equal(status, CPL_EARG);
        if (!strstr(w->said.text, expected)) print_error("not \"%s\": %s", expected, w->said.text);
        assert_non_null(strstr(w->said.text, expected));
    }
    OK(w, cpl_graph_end(q, &graph));
    cpl_graph_release(graph);
    cpl_queue_release(q);
    expect_ramp(w, x, 0, 1, label(a));
    cpl_array_release(x);
    cpl_array_release(y);
}

/* A fault belongs to the device whose kernel had it. */
static void faults(world *w, cpl_device *a, cpl_device *b)
{
    cpl_array *x = ramp(w, a, 0), *y = ramp(w, b, 0);
    cpl_arg bad[] = {cpl_arg_of_array(x), cpl_arg_of_array(x), cpl_arg_float(1)},
            good[] = {cpl_arg_of_array(y), cpl_arg_of_array(y), cpl_arg_float(1)};
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    OK(w, launch_rounds(w->module, "step", NULL, bad, 3, N + 1, NULL));
    OK(w, launch_rounds(w->module, "step", NULL, good, 3, N, NULL));
    OK(w, cpl_queue_finish(cpl_device_queue(b)));
    assert_int_equal(cpl_queue_finish(cpl_device_queue(a)), CPL_EBOUNDS);
    OK(w, cpl_queue_finish(cpl_device_queue(a)));
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 0));
    expect_ramp(w, y, 0, 2, label(b));
    cpl_array_release(x);
    cpl_array_release(y);
}

static void exercise(world *w, bool runs_code)
{
    all_at_once(w);
    a_thread_each(w);
    for (int i = 0; i < w->count; i++) {
        for (int k = 0; k < w->count; k++) {
            if (i == k) continue;
            copies(w, w->devices[i], w->devices[k]);
            copies_of_parts(w, w->devices[i], w->devices[k]);
            moves(w, w->devices[i], w->devices[k]);
            recording_elsewhere(w, w->devices[i], w->devices[k]);
            if (runs_code) faults(w, w->devices[i], w->devices[k]);
        }
    }
}

/* --- on what there is --- */

static void on_devices_that_are_here(void **state)
{
    (void)state;
    static const char *const names[] = {"all", "cuda", "opencl"};
    world w;
    open_world(&w);
    for (int kind = CPL_DEVICE_CUDA; kind <= CPL_DEVICE_OPENCL + 1; kind++) {
        int wanted = kind % (CPL_DEVICE_OPENCL + 1);
        choose(&w, wanted);
        print_message("%s: %d device%s%s\n", names[wanted], w.count, w.count == 1 ? "" : "s",
                      w.count < 2 ? ", too few" : "");
        for (int i = 0; i < w.count; i++) print_message("  %s\n", label(w.devices[i]));
        if (w.count >= 2) exercise(&w, true);
    }
    close_world(&w);
}

static void on_the_stand_in(void **state)
{
    (void)state;
    setenv("CPL_STANDIN_DEVICES", "2", 1);
    assert_true(standin_use());
    static const char *const svm[] = {"1", "0"};
    for (int i = 0; i < 2; i++) {
        setenv("CPL_STANDIN_SVM", svm[i], 1);
        standin_reset();
        standin_register("step", run_step);
        world w;
        open_world(&w);
        for (int kind = CPL_DEVICE_HOST; kind <= CPL_DEVICE_OPENCL; kind++) {
            choose(&w, (cpl_device_kind)kind);
            assert_int_equal(w.count, kind == CPL_DEVICE_HOST ? 4 : 2);
            uint64_t before = standin_count("cuMemcpyPeerAsync");
            exercise(&w, false);
            if (i == 0 && kind == CPL_DEVICE_OPENCL) /* whose devices reach no others */
                copies_of_many(&w, w.devices[0], w.devices[1]);
            bool peers = standin_count("cuMemcpyPeerAsync") > before;
            assert_int_equal(peers, kind != CPL_DEVICE_OPENCL);
        }
        close_world(&w);
        char live[256];
        if (standin_live_all()) print_error("%s left\n", standin_live_text(live, sizeof live));
        assert_int_equal(standin_live_all(), 0);
        if (standin_misuses()) print_error("%s\n", standin_misuse());
        assert_int_equal(standin_misuses(), 0);
    }
    standin_reset();
}

/* A process opens a driver's library once: the stand-in gets one of its own. */
int main(void)
{
    static const struct CMUnitTest made_up[] = {cmocka_unit_test(on_the_stand_in)},
                                   real[] = {cmocka_unit_test(on_devices_that_are_here)};
    pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) return cmocka_run_group_tests(made_up, NULL, NULL);
    int status;
    bool failed = waitpid(child, &status, 0) != child || status != 0;
    return cmocka_run_group_tests(real, NULL, NULL) || failed;
}

/*
 * What a queue that records a graph leaves alone, and what it must not be asked: on the host and on
 * the devices of the stand-in driver. Recorded is what that queue is given, and nothing else.
 */
#include "device_world.h"
#include "launches.h"

#include "standin.h"

/* --- what the kernels do --- */

static void run_axpb(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    const double *x = *(double *const *)args[1], a = *(const double *)args[3];
    double *y = *(double *const *)args[2];
    for (int64_t i = 0; i < *(const int64_t *)args[0]; i++)
        y[i] = a * x[i] + *(const int32_t *)args[4];
}

static void run_inc(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    double *x = *(double *const *)args[1];
    for (int64_t i = 0; i < *(const int64_t *)args[0]; i++) x[i] += 1;
}

static void run_bumps(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    const double *x = *(double *const *)args[1];
    double *y = *(double *const *)args[2];
    for (int64_t i = 0; i < *(const int64_t *)args[0]; i++) {
        y[i] = x[i] + 1;
        y[i] = y[i] + 2 * x[i];
    }
}

static int set_up_standin(void **state)
{
    standin_reset();
    standin_register("axpb", run_axpb);
    standin_register("inc", run_inc);
    standin_register("bumps", run_bumps);
    int status = standin_use() ? set_up_module(state) : -1;
    if (!status) assert_int_equal(cpl_device_count(((world *)*state)->cx), 3);
    return status;
}

static int tear_down_standin(void **state)
{
    tear_down(state);
    if (standin_misuses()) print_error("%s\n", standin_misuse());
    return standin_misuses() != 0;
}

/* --- beside a recording --- */

static cpl_graph *ended(world *w, cpl_queue *q)
{
    cpl_graph *graph;
    OK(w, cpl_graph_end(q, &graph));
    return graph;
}

/* A new array is zeroed at once, not at each launch of a graph. */
static void arrays_are_made_meanwhile(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_array *x;
        OK(w, cpl_graph_begin(cpl_device_queue(d)));
        OK(w, cpl_array_create(w->cx, d, CPL_FLOAT64, N, &x));
        cpl_graph *graph = ended(w, cpl_device_queue(d));
        expect_ramp(w, x, 0, 0);
        cpl_array *y = ramp(w, d, 1, 1);
        OK(w, cpl_array_copy(x, y, NULL, NULL));
        OK(w, cpl_graph_launch(graph, NULL, NULL));
        expect_ramp(w, x, 1, 1);
        cpl_graph_release(graph);
        cpl_array_release(x);
        cpl_array_release(y);
    }
}

/* An array that the recording queue used before is used by others, and is not part of the graph. */
static void others_go_on(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_queue *q;
        cpl_array *x = ramp(w, d, 0, 1);
        double values[N];
        cpl_arg args[] = {cpl_arg_of_array(x)};
        OK(w, cpl_queue_create(d, NULL, &q));
        OK(w, launch_rounds(w->module, "inc", q, args, 1, CPL_AUTO, NULL));
        OK(w, cpl_graph_begin(q));
        expect_ramp(w, x, 1, 1);
        for (int i = 0; i < N; i++) values[i] = 5;
        OK(w, cpl_array_write(x, NULL, values, NULL));
        expect_ramp(w, x, 5, 0);
        OK(w, launch_rounds(w->module, "inc", NULL, args, 1, CPL_AUTO, NULL));
        expect_ramp(w, x, 6, 0);
        cpl_graph *graph = ended(w, q);
        OK(w, cpl_graph_launch(graph, NULL, NULL));
        expect_ramp(w, x, 6, 0);
        cpl_graph_release(graph);
        cpl_queue_release(q);
        cpl_array_release(x);
    }
}

/* What no queue is named for goes to the default one: it is recorded there, and keeps its arrays.
 */
static void the_default_queue_records(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_array *x = ramp(w, d, 0, 1), *y = ramp(w, d, 3, 0), *all;
        double values[N];
        cpl_array_options whole;
        cpl_array_options_init(&whole);
        whole.dims = 1;
        whole.shape[0] = N;
        for (int i = 0; i < N; i++) values[i] = 7;
        for (size_t i = 0; i < cpl_device_count(w->cx); i++)
            OK(w, cpl_array_push(x, cpl_device_queue(cpl_device_get(w->cx, i)), NULL));
        OK(w, cpl_graph_begin(cpl_device_queue(d)));
        OK(w, cpl_array_write(x, NULL, values, NULL));
        OK(w, cpl_array_copy(y, x, NULL, NULL));
        for (size_t i = 0; i < cpl_device_count(w->cx); i++)
            assert_true(cpl_array_valid(x, cpl_device_get(w->cx, i)));
        FAILS(w, cpl_array_read(y, NULL, values, NULL), CPL_EARG, "records a graph");
        cpl_graph *graph = ended(w, cpl_device_queue(d));
        expect_ramp(w, x, 0, 1);
        expect_ramp(w, y, 3, 0);
        OK(w, cpl_array_view(y, &whole, &all));
        cpl_array_release(x);
        cpl_array_release(y);
        OK(w, cpl_graph_launch(graph, NULL, NULL));
        expect_ramp(w, all, 7, 0);
        cpl_graph_release(graph);
        cpl_array_release(all);
    }
}

/* A sum whose result goes to the host. */
static cpl_status reduce_on(world *w, cpl_queue *q, double *result, const cpl_arg *args)
{
    cpl_launch_options options;
    cpl_reduce_spec spec;
    cpl_launch_options_init(&options);
    cpl_reduce_spec_init(&spec);
    options.queue = q;
    options.result = result;
    spec.op = cpl_bind_expression("a + b");
    return cpl_reduce(w->module, &spec, &options, NULL, args, 1);
}

/* Whoever waits is told so, on the host as elsewhere; nothing is done meanwhile. */
static void waiting_is_refused(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_queue *q;
        cpl_event *event;
        cpl_array *x = ramp(w, d, 0, 1), *y = ramp(w, d, 2, 0), *odd, *far;
        double values[N] = {0}, result;
        cpl_array_options o;
        cpl_array_options_init(&o);
        o.dims = 1;
        o.shape[0] = N / 2;
        o.strides[0] = 16;
        OK(w, cpl_array_view(x, &o, &odd));
        far = ramp(w, cpl_device_get(w->cx, is_host(d)), 9, 0);
        cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_int(N)};
        OK(w, cpl_queue_create(d, NULL, &q));
        OK(w, cpl_graph_begin(q));
        FAILS(w, cpl_array_copy(y, x, q, &event), CPL_EARG, "an event");
        FAILS(w, cpl_array_write(y, q, values, &event), CPL_EARG, "an event");
        FAILS(w, cpl_array_read(x, q, values, NULL), CPL_EARG, "records a graph");
        FAILS(w, cpl_array_read(odd, q, values, NULL), CPL_EARG, "side by side");
        FAILS(w, cpl_array_write(odd, q, values, NULL), CPL_EARG, "side by side");
        FAILS(w, call_once_on(w->module, "total", q, args, 2, &result, NULL), CPL_EARG, "waits");
        FAILS(w, reduce_on(w, q, &result, args), CPL_EARG, "records a graph");
        FAILS(w, cpl_array_write(far, q, values, NULL), CPL_EARG, "the copy is one of");
        FAILS(w, cpl_array_read(far, q, values, NULL), CPL_EARG, "the copy is one of");
        cpl_graph *graph = ended(w, q);
        OK(w, cpl_graph_launch(graph, NULL, NULL));
        expect_ramp(w, x, 0, 1);
        expect_ramp(w, y, 2, 0);
        expect_ramp(w, far, 9, 0);
        cpl_graph_release(graph);
        cpl_array *const all[] = {far, odd, x, y};
        for (int i = 0; i < 4; i++) cpl_array_release(all[i]);
        cpl_queue_release(q);
    }
}

/* An event from before the recording is waited for, faults and all. */
static void earlier_events_are_told(void **state)
{
    world *w = *state;
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    EACH_DEVICE(w, d)
    {
        cpl_queue *q;
        cpl_event *event;
        cpl_array *x = ramp(w, d, 0, 1);
        cpl_arg args[] = {cpl_arg_of_array(x)};
        OK(w, cpl_queue_create(d, NULL, &q));
        OK(w, launch_rounds(w->module, "inc", q, args, 1, CPL_AUTO, &event));
        OK(w, cpl_graph_begin(q));
        OK(w, cpl_event_wait(event));
        cpl_graph *graph = ended(w, q);
        expect_ramp(w, x, 1, 1);
        cpl_graph_release(graph);
        cpl_event_release(event);
        cpl_array_release(x);
        cpl_queue_release(q);
    }
}

/* --- what is written --- */

/* What nothing wrote on the host is still good elsewhere. */
static void reading_leaves_copies_good(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_array *x = ramp(w, NULL, 1, 0);
        double result;
        cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_int(N)};
        OK(w, cpl_array_push(x, cpl_device_queue(d), NULL));
        OK(w, call_once_on(w->module, "total", NULL, args, 2, &result, NULL));
        assert_true(result == N + 0.5);
        assert_true(cpl_array_valid(x, d));
        OK(w, launch_rounds(w->module, "inc", NULL, args, 1, 0, NULL));
        assert_true(cpl_array_valid(x, d));
        OK(w, launch_rounds(w->module, "inc", NULL, args, 1, 1, NULL));
        assert_int_equal(cpl_array_valid(x, d), is_host(d));
        cpl_array_release(x);
    }
}

/* Two arrays as ramps, and what a step does to them. */
typedef struct pair {
    cpl_array *x, *y;
    double x_at, x_by, y_at, y_by;
    bool x_written, y_written;
} pair;

enum { INC, SCALE, COPY, BACK, STEPS };

static void record_step(world *w, pair *p, cpl_queue *q, int step)
{
    cpl_arg args[] = {cpl_arg_of_array(p->x), cpl_arg_of_array(p->y), cpl_arg_float(2),
                      cpl_arg_int(3)};
    switch (step) {
    case INC:
        OK(w, launch_rounds(w->module, "inc", q, args, 1, CPL_AUTO, NULL));
        p->x_at += 1, p->x_written = true;
        break;
    case SCALE:
        OK(w, launch_rounds(w->module, "axpb", q, args, 4, CPL_AUTO, NULL));
        p->y_at = 2 * p->x_at + 3, p->y_by = 2 * p->x_by, p->y_written = true;
        break;
    case COPY:
        OK(w, cpl_array_copy(p->y, p->x, q, NULL));
        p->y_at = p->x_at, p->y_by = p->x_by, p->y_written = true;
        break;
    default:
        OK(w, cpl_array_copy(p->x, p->y, q, NULL));
        p->x_at = p->y_at, p->x_by = p->y_by, p->x_written = true;
    }
}

/* Whatever a graph does in whatever order with its arrays: what it wrote is old elsewhere, what it
 * read alone is not. */
static void what_a_graph_writes_is_old_elsewhere(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        for (int steps = 0; steps < STEPS * STEPS * STEPS; steps++) {
            pair p = {ramp(w, NULL, 1, 1), ramp(w, NULL, 5, 0), 1, 1, 5, 0, false, false};
            for (size_t i = 0; i < cpl_device_count(w->cx); i++) {
                OK(w, cpl_array_push(p.x, cpl_device_queue(cpl_device_get(w->cx, i)), NULL));
                OK(w, cpl_array_push(p.y, cpl_device_queue(cpl_device_get(w->cx, i)), NULL));
            }
            OK(w, cpl_graph_begin(cpl_device_queue(d)));
            record_step(w, &p, cpl_device_queue(d), steps % STEPS);
            record_step(w, &p, cpl_device_queue(d), steps / STEPS % STEPS);
            record_step(w, &p, cpl_device_queue(d), steps / STEPS / STEPS);
            cpl_graph *graph = ended(w, cpl_device_queue(d));
            OK(w, cpl_graph_launch(graph, NULL, NULL));
            for (size_t i = 0; i < cpl_device_count(w->cx); i++) {
                cpl_device *there = cpl_device_get(w->cx, i);
                assert_int_equal(cpl_array_valid(p.x, there), there == d || !p.x_written);
                assert_int_equal(cpl_array_valid(p.y, there), there == d || !p.y_written);
            }
            expect_ramp(w, p.x, p.x_at, p.x_by);
            expect_ramp(w, p.y, p.y_at, p.y_by);
            cpl_graph_release(graph);
            cpl_array_release(p.x);
            cpl_array_release(p.y);
        }
    }
}

/* What was written elsewhere meanwhile is brought, or the graph is refused; never used as it was.
 */
static void what_a_graph_uses_is_there(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        if (is_host(d)) continue;
        cpl_array *x = ramp(w, NULL, 1, 0);
        cpl_arg arg = cpl_arg_of_array(x);
        OK(w, cpl_array_push(x, cpl_device_queue(d), NULL));
        OK(w, cpl_graph_begin(cpl_device_queue(d)));
        OK(w, launch_rounds(w->module, "inc", cpl_device_queue(d), &arg, 1, CPL_AUTO, NULL));
        cpl_graph *graph = ended(w, cpl_device_queue(d));
        OK(w, cpl_graph_launch(graph, NULL, NULL));
        OK(w, cpl_array_pull(x, NULL));
        OK(w, launch_rounds(w->module, "inc", NULL, &arg, 1, CPL_AUTO, NULL));
        expect_ramp(w, x, 3, 0);
        FAILS(w, cpl_graph_launch(graph, NULL, NULL), CPL_EARG, "that the graph uses on");
        expect_ramp(w, x, 3, 0);
        OK(w, cpl_context_set_option(w->cx, "automatic", 1));
        OK(w, cpl_graph_launch(graph, NULL, NULL));
        OK(w, cpl_context_set_option(w->cx, "automatic", 0));
        expect_ramp(w, x, 4, 0);
        OK(w, cpl_graph_launch(graph, NULL, NULL));
        expect_ramp(w, x, 5, 0);
        cpl_graph_release(graph);
        cpl_array_release(x);
    }
}

/* What a graph does with x, or with its first half; y is as long as what it does it with. */
enum { CHANGED, READ, COPIED, COPIED_HALF, PUT_HALF, PUT, WRITTEN_HALF, WRITTEN, USES };

static bool replaces(int what)
{
    return what == PUT || what == WRITTEN;
}

static bool is_half(int what)
{
    return what == COPIED_HALF || what == PUT_HALF || what == WRITTEN_HALF;
}

static cpl_array *half_of(world *w, cpl_array *x)
{
    cpl_array *half;
    const cpl_slice first = {CPL_SLICE_RANGE, 0, N / 2, 1};
    OK(w, cpl_array_slice(x, &first, 1, &half));
    return half;
}

static void record_use(world *w, cpl_queue *q, cpl_array *x, cpl_array *y, int what,
                       const double *values)
{
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_float(1), cpl_arg_int(0)};
    cpl_array *half = half_of(w, x), *part = is_half(what) ? half : x;
    switch (what) {
    case CHANGED: OK(w, launch_rounds(w->module, "inc", q, args, 1, CPL_AUTO, NULL)); break;
    case READ: OK(w, launch_rounds(w->module, "axpb", q, args, 4, CPL_AUTO, NULL)); break;
    case COPIED:
    case COPIED_HALF: OK(w, cpl_array_copy(y, part, q, NULL)); break;
    case PUT:
    case PUT_HALF: OK(w, cpl_array_copy(part, y, q, NULL)); break;
    default: OK(w, cpl_array_write(part, q, values, NULL));
    }
    cpl_array_release(half);
}

/* Where x was x_at in front of it, and y and what is written 50. */
static void expect_use(world *w, cpl_array *x, double x_at, cpl_array *y, int what)
{
    double values[N];
    bool reads = what == READ || what == COPIED || what == COPIED_HALF;
    double first = reads ? x_at : what == CHANGED ? x_at + 1 : 50;
    double rest = is_half(what) ? x_at : first;
    OK(w, cpl_array_read(x, NULL, values, NULL));
    for (int i = 0; i < N; i++) assert_true(values[i] == (reads ? x_at : i < N / 2 ? first : rest));
    OK(w, cpl_array_read(y, NULL, values, NULL));
    for (int i = 0; i < (is_half(what) ? N / 2 : N); i++)
        assert_true(values[i] == (reads ? x_at : 50));
}

/* Whatever it is used for, by a launch or a copy, all of it or a half: what was written elsewhere
 * meanwhile is brought, or the graph is refused; what a graph replaces need not be there. */
static void each_use_finds_what_is_there(void **state)
{
    world *w = *state;
    double values[N];
    for (int i = 0; i < N; i++) values[i] = 50;
    EACH_DEVICE(w, d)
    {
        for (int what = 0; what < USES && !is_host(d); what++) {
            cpl_queue *q = cpl_device_queue(d);
            cpl_array *x = ramp(w, NULL, 1, 0), *all = ramp(w, d, 50, 0), *half = half_of(w, all),
                      *y = is_half(what) ? half : all;
            cpl_arg arg = cpl_arg_of_array(x);
            OK(w, cpl_array_push(x, q, NULL));
            OK(w, cpl_graph_begin(q));
            record_use(w, q, x, y, what, values);
            cpl_graph *graph = ended(w, q);
            OK(w, cpl_array_pull(x, NULL));
            OK(w, launch_rounds(w->module, "inc", NULL, &arg, 1, CPL_AUTO, NULL));
            assert_false(cpl_array_valid(x, d));
            if (replaces(what)) OK(w, cpl_graph_launch(graph, NULL, NULL));
            else {
                FAILS(w, cpl_graph_launch(graph, NULL, NULL), CPL_EARG, "that the graph uses on");
                expect_ramp(w, all, 50, 0);
                OK(w, cpl_context_set_option(w->cx, "automatic", 1));
                OK(w, cpl_graph_launch(graph, NULL, NULL));
                OK(w, cpl_context_set_option(w->cx, "automatic", 0));
            }
            expect_use(w, x, 2, y, what);
            cpl_graph_release(graph);
            cpl_array_release(x);
            cpl_array_release(half);
            cpl_array_release(all);
        }
    }
}

/* Faults belong to the queue that records: no other one runs such a graph, whatever else of it
 * needs no checks; without checks any of the device does. */
static void checked_graphs_keep_their_queue(void **state)
{
    world *w = *state;
    for (int checked = 0; checked < 4; checked++) { /* by launch */
        EACH_DEVICE(w, d)
        {
            cpl_queue *queues[2];
            cpl_array *x = ramp(w, d, 0, 1);
            cpl_arg arg = cpl_arg_of_array(x);
            for (int i = 0; i < 2; i++) OK(w, cpl_queue_create(d, NULL, &queues[i]));
            OK(w, cpl_graph_begin(queues[0]));
            for (int i = 0; i < 2; i++) {
                OK(w, cpl_context_set_option(w->cx, "bounds_check", checked >> i & 1));
                OK(w, launch_rounds(w->module, "inc", queues[0], &arg, 1, CPL_AUTO, NULL));
            }
            cpl_graph *graph = ended(w, queues[0]);
            if (checked && !is_host(d))
                FAILS(w, cpl_graph_launch(graph, queues[1], NULL), CPL_EARG,
                      "runs on the queue that it was recorded on");
            else OK(w, cpl_graph_launch(graph, queues[1], NULL));
            expect_ramp(w, x, checked && !is_host(d) ? 0 : 2, 1);
            OK(w, cpl_graph_launch(graph, queues[0], NULL));
            OK(w, cpl_queue_finish(queues[0]));
            expect_ramp(w, x, checked && !is_host(d) ? 2 : 4, 1);
            cpl_graph_release(graph);
            cpl_array_release(x);
            for (int i = 0; i < 2; i++) cpl_queue_release(queues[i]);
        }
    }
}

/* Pointers of the host that a device gets copies of: it sees whether they overlap all the same. */
static void pointers_overlap_elsewhere(void **state)
{
    world *w = *state;
    OK(w, cpl_context_set_option(w->cx, "automatic", 1));
    EACH_DEVICE(w, d)
    {
        if (is_host(d)) continue;
        double x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        cpl_queue *q = cpl_device_queue(d);
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 4), cpl_arg_array(CPL_FLOAT64, x + 1, 4)};
        FAILS(w, launch_rounds(w->module, "bumps", q, args, 2, CPL_AUTO, NULL), CPL_EOVERLAP,
              "overlap partly");
        assert_true(x[0] == 1 && x[1] == 2 && x[4] == 5);
        args[1].data = x + 4;
        OK(w, launch_rounds(w->module, "bumps", q, args, 2, CPL_AUTO, NULL));
        assert_true(x[3] == 4 && x[4] == 4 && x[7] == 13);
        args[1].data = x; /* the same array twice: what is written to one is read from the other */
        OK(w, launch_rounds(w->module, "bumps", q, args, 2, CPL_AUTO, NULL));
        assert_true(x[0] == 6 && x[3] == 15 && x[4] == 4);
    }
}

/* Also as elements of two types, as far as they are of one size; else it is refused. */
static void pointers_to_the_same_memory(void **state)
{
    static const cpl_dtype types[] = {CPL_FLOAT64, CPL_INT64, CPL_UINT64, CPL_FLOAT32, CPL_INT32};
    enum { TYPES = sizeof types / sizeof *types };
    world *w = *state;
    OK(w, cpl_context_set_option(w->cx, "automatic", 1));
    EACH_DEVICE(w, d)
    {
        for (int t = 0; t < TYPES && !is_host(d); t++) {
            double x[4] = {1, 2, 3, 4};
            cpl_arg args[] = {cpl_arg_array(types[t], x, 4), cpl_arg_array(CPL_FLOAT64, x, 4)};
            cpl_queue *q = cpl_device_queue(d);
            bool alike = cpl_dtype_size(types[t]) == sizeof *x;
            forget(w);
            cpl_status status = launch_rounds(w->module, "bumps", q, args, 2, CPL_AUTO, NULL);
            assert_int_equal(status, alike ? CPL_OK : CPL_EOVERLAP);
            for (int i = 0; i < 4; i++) assert_true(x[i] == (alike ? 3 * (i + 2) : i + 1));
        }
    }
}

/* Elements of another size at the same address are not the same array. */
static void elements_of_two_sizes_overlap(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_array *x = ramp(w, d, 0, 0), *narrow;
        cpl_array_options o;
        cpl_array_options_init(&o);
        o.dtype = CPL_FLOAT32;
        o.dims = 1;
        o.shape[0] = N;
        OK(w, cpl_array_view(x, &o, &narrow));
        cpl_arg args[] = {cpl_arg_of_array(narrow), cpl_arg_of_array(x), cpl_arg_float(2),
                          cpl_arg_int(1)};
        cpl_queue *q = cpl_device_queue(d);
        cpl_graph *graph;
        OK(w, cpl_graph_begin(q));
        FAILS(w, launch_rounds(w->module, "axpb", q, args, 4, CPL_AUTO, NULL), CPL_EOVERLAP,
              "overlap partly");
        OK(w, cpl_graph_end(q, &graph));
        cpl_graph_release(graph);
        cpl_array_release(narrow);
        cpl_array_release(x);
    }
}

static cpl_graph *increments(world *w, cpl_array *x)
{
    cpl_array_info info = {.size = sizeof info};
    OK(w, cpl_array_info_get(x, &info));
    cpl_queue *q = cpl_device_queue(info.home);
    cpl_arg arg = cpl_arg_of_array(x);
    OK(w, cpl_graph_begin(q));
    OK(w, launch_rounds(w->module, "inc", q, &arg, 1, N, NULL));
    return ended(w, q);
}

/* A graph is of the memory that its arrays had: once one has other memory it says so. */
static void arrays_grow_behind_a_graph(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_array *x = ramp(w, d, 0, 1);
        OK(w, cpl_array_reserve(x, N + 1));
        cpl_graph *graph = increments(w, x);
        OK(w, cpl_array_resize(x, N + 1)); /* in the same memory */
        OK(w, cpl_array_resize(x, N));
        OK(w, cpl_graph_launch(graph, NULL, NULL));
        expect_ramp(w, x, 1, 1);
        OK(w, cpl_array_squeeze(x));
        FAILS(w, cpl_graph_launch(graph, NULL, NULL), CPL_EARG, "record the graph again");
        expect_ramp(w, x, 1, 1);
        cpl_graph_release(graph);
        graph = increments(w, x);
        OK(w, cpl_graph_launch(graph, NULL, NULL));
        expect_ramp(w, x, 2, 1);
        OK(w, cpl_array_resize(x, 2 * N));
        FAILS(w, cpl_graph_launch(graph, NULL, NULL), CPL_EARG, "record the graph again");
        cpl_graph_release(graph);
        cpl_array_release(x);
    }
}

static void arrays_do_not_grow_into_a_graph(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_array *x = ramp(w, d, 0, 1);
        OK(w, cpl_graph_begin(cpl_device_queue(d)));
        FAILS(w, cpl_array_resize(x, 2 * N), CPL_EARG, "records a graph");
        FAILS(w, cpl_array_reserve(x, 2 * N), CPL_EARG, "records a graph");
        FAILS(w, cpl_array_squeeze(x), CPL_EARG, "records a graph");
        cpl_graph *graph = ended(w, cpl_device_queue(d));
        expect_ramp(w, x, 0, 1);
        OK(w, cpl_array_resize(x, N - 1));
        cpl_graph_release(graph);
        cpl_array_release(x);
    }
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_standin, tear_down_standin)
    const struct CMUnitTest tests[] = {
        TEST(arrays_are_made_meanwhile),
        TEST(others_go_on),
        TEST(the_default_queue_records),
        TEST(waiting_is_refused),
        TEST(earlier_events_are_told),
        TEST(reading_leaves_copies_good),
        TEST(what_a_graph_writes_is_old_elsewhere),
        TEST(what_a_graph_uses_is_there),
        TEST(each_use_finds_what_is_there),
        TEST(checked_graphs_keep_their_queue),
        TEST(pointers_overlap_elsewhere),
        TEST(pointers_to_the_same_memory),
        TEST(elements_of_two_sizes_overlap),
        TEST(arrays_grow_behind_a_graph),
        TEST(arrays_do_not_grow_into_a_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

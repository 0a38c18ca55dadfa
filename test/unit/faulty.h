/*
 * A scenario that uses all there is of devices, on the stand-in driver (test/device/standin), each
 * of whose calls can be made to fail: arrays, launches, moves, a graph, for each kind of driver.
 */
#ifndef UNIT_FAULTY_H
#define UNIT_FAULTY_H

#include "unit.h"
#include "launches.h"

#include "collect.h"

#include "standin.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static const char source[] = "from compyle.low_level import GID_0, LDIM_0, LID_0, local_barrier\n"
                             "def scale(i, x, y, a):\n"
                             "    y[i] = a*x[i]\n"
                             "def bump(x, t, n):\n"
                             "    i = GID_0*LDIM_0 + LID_0\n"
                             "    t[LID_0] = x[i] if i < n else 0.0\n"
                             "    local_barrier()\n"
                             "    if i < n:\n"
                             "        x[i] = t[LID_0] + 1.0\n"
                             "def total(x, n):\n"
                             "    s = 0.0\n"
                             "    for i in prange(n):\n"
                             "        s += x[i]\n"
                             "    return s\n"
                             "def square(x, a):\n"
                             "    x[0] = a*a\n"
                             "    return a*a\n";

enum { N = 100 };

/* What the kernels do; the stand-in runs no code. */
static inline void run_scale(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    int64_t n = *(const int64_t *)args[0];
    const double *x = *(double *const *)args[1];
    double *y = *(double *const *)args[2], a = *(const double *)args[3];
    for (int64_t i = 0; i < n; i++) y[i] = a * x[i];
}

static inline void run_bump(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)local;
    double *x = *(double *const *)args[0];
    int32_t n = *(const int32_t *)args[2];
    for (int32_t i = 0; i < n && (size_t)i < global[0]; i++) x[i] += 1;
}

/* With checks, hidden parameters stand before the result: it is the last one that is not NULL in
 * either case. */
static int square_result;
static inline void run_square(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    double *x = *(double *const *)args[0], a = *(const double *)args[1];
    x[0] = a * a;
    memcpy(*(void *const *)args[square_result], &x[0], sizeof x[0]);
}

/* Two kernels: parts, where square has its result, then the result behind them. */
static inline void run_total_parts(void *const *args, const size_t global[3], const size_t local[3])
{
    const double *x = *(double *const *)args[0];
    double sum = 0;
    for (int32_t i = 0; i < *(const int32_t *)args[1]; i++) sum += x[i];
    if (global[0] == 256 * local[0] && local[0] <= 256)
        **(double *const *)args[square_result] = sum;
}

static inline void run_total(void *const *args, const size_t global[3], const size_t local[3])
{
    const double *at = *(double *const *)args[square_result];
    if (global[0] == 1 && local[0] == 1)
        memcpy(*(void *const *)args[square_result + 1], at, sizeof *at);
}

/* --- the scenario --- */

typedef struct variant {
    const char *name, *target; /* of devices and queues */
    const char *il, *svm;      /* CPL_STANDIN_IL, CPL_STANDIN_SVM; NULL: default */
    bool checks;               /* bounds_check */
    bool kept;                 /* CUDA's own cache is off */
    /* most calls are those of another variant: two errors instead of four */
    bool few;
} variant;

typedef struct world {
    messages said;
    const variant *v;
    cpl_context *cx;
    cpl_module *module;
    cpl_device *device, *other;
    cpl_queue *queue, *second;
    cpl_array *x, *y, *view, *far;
    cpl_kernel *bump;
    cpl_graph *graph;
    cpl_event *event;
    cpl_status status; /* the first that is not CPL_OK */
    bool wrong;        /* a result */
    uint64_t launches; /* that the profile knows of */
    /* of the driver, before the profile asked for its times: those it can do without */
    uint64_t calls;
} world;

#define STEP(w, call) ((w)->status ? (void)0 : (void)((w)->status = (call)))

static inline void expect(world *w, const double *got, double first, double step)
{
    for (int i = 0; i < N && !w->status; i++)
        if (got[i] != first + step * i) w->wrong = true;
}

static inline void open_devices(world *w)
{
    cpl_queue_options options;
    cpl_queue_options_init(&options);
    options.target = w->v->target;
    bool cuda = w->v->target[0] == 'c';
    STEP(w, cpl_device_find(w->cx, cuda ? "cuda:0" : "opencl:0", &w->device));
    STEP(w, cpl_device_find(w->cx, cuda ? "cuda:1" : "opencl:1", &w->other));
    STEP(w, cpl_queue_create(w->device, &options, &w->queue));
    STEP(w, cpl_queue_create(w->device, &options, &w->second));
}

static inline void make_arrays(world *w)
{
    double values[N];
    for (int i = 0; i < N; i++) values[i] = i;
    STEP(w, cpl_array_create(w->cx, w->device, CPL_FLOAT64, N, &w->x));
    STEP(w, cpl_array_create(w->cx, w->device, CPL_FLOAT64, N, &w->y));
    STEP(w, cpl_array_create(w->cx, NULL, CPL_FLOAT64, N, &w->far));
    STEP(w, cpl_array_write(w->x, w->queue, values, NULL));
    STEP(w, cpl_array_write(w->far, NULL, values, NULL));
}

/* Whether an event is over: at once, within a time, and until it is. */
static inline void ask(world *w)
{
    bool done = false;
    STEP(w, cpl_event_done(w->event, &done));
    STEP(w, cpl_event_wait_within(w->event, INT64_MAX));
    STEP(w, cpl_event_done(w->event, &done));
    w->wrong = w->wrong || (!w->status && !done);
}

static inline void launch_all(world *w)
{
    double values[N], result = 0;
    cpl_arg scale[] = {cpl_arg_of_array(w->x), cpl_arg_of_array(w->y), cpl_arg_float(2.0)};
    STEP(w, launch_rounds(w->module, "scale", w->queue, scale, 3, CPL_AUTO, &w->event));
    ask(w);
    STEP(w, cpl_event_wait(w->event));
    STEP(w, cpl_array_read(w->y, w->queue, values, NULL));
    expect(w, values, 0, 2);

    cpl_arg bump[] = {cpl_arg_of_array(w->y), cpl_arg_local(CPL_FLOAT64, 32), cpl_arg_int(N)};
    STEP(w, grid_kernel(w->module, "bump", w->second, bump, 3, &w->bump));
    STEP(w,
         run_grid(w->bump, w->second, (int64_t[]){N, 1, 1}, (int64_t[]){32, 1, 1}, bump, 3, NULL));
    STEP(w, cpl_queue_finish(w->second));
    STEP(w, cpl_array_read(w->y, w->second, values, NULL));
    expect(w, values, 1, 2);

    cpl_arg square[] = {cpl_arg_of_array(w->y), cpl_arg_float(3.0)};
    STEP(w, call_once_on(w->module, "square", w->queue, square, 2, &result, NULL));
    w->wrong = w->wrong || (!w->status && result != 9);
    cpl_arg total[] = {cpl_arg_of_array(w->x), cpl_arg_int(N)};
    STEP(w, call_once_on(w->module, "total", w->second, total, 2, &result, NULL));
    w->wrong = w->wrong || (!w->status && result != N * (N - 1) / 2);
}

/* Memory of the host's, which goes to the device for one launch, by name and by handle, and comes
 * back. */
static inline void launch_pointers(world *w)
{
    double values[N], results[N] = {0};
    for (int i = 0; i < N; i++) values[i] = i;
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.queue = w->second;
    o.automatic = true;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, values, N), cpl_arg_array(CPL_FLOAT64, results, N),
                      cpl_arg_float(4.0)};
    STEP(w, cpl_launch(w->module, "scale", &o, args, 3));
    expect(w, results, 0, 4);
    cpl_kernel *held = NULL;
    args[2] = cpl_arg_float(5.0);
    STEP(w, cpl_kernel_for(w->module, "scale", &o, args, 3, &held));
    STEP(w, cpl_kernel_launch(held, &o, args, 3));
    expect(w, results, 0, 5);
    cpl_kernel_release(held);
}

static inline void move_arrays(world *w)
{
    double values[N];
    cpl_array_options part;
    cpl_array_options_init(&part);
    part.dims = 1;
    part.shape[0] = N / 2;
    STEP(w, cpl_array_view(w->x, &part, &w->view));
    cpl_arg scale[] = {cpl_arg_of_array(w->view), cpl_arg_of_array(w->y), cpl_arg_float(0.5)};
    STEP(w, launch_rounds(w->module, "scale", w->second, scale, 3, CPL_AUTO, NULL));
    STEP(w, cpl_array_push(w->far, w->queue, NULL));
    STEP(w, cpl_array_copy(w->x, w->far, w->queue, NULL));
    STEP(w, cpl_array_pull(w->x, w->queue));
    cpl_queue *there = w->status ? NULL : cpl_device_queue(w->other);
    if (!w->status && !there) w->status = CPL_EDEVICE; /* the sink has the reason */
    STEP(w, cpl_array_push(w->y, there, NULL));
    STEP(w, cpl_array_read(w->y, there, values, NULL));
    for (int i = 0; i < N && !w->status; i++)
        if (values[i] != (i < N / 2 ? 0.5 * i : 1 + 2 * i)) w->wrong = true;
    STEP(w, cpl_array_push(w->y, w->queue, NULL));
}

static inline void replay(world *w)
{
    double values[N];
    cpl_arg scale[] = {cpl_arg_of_array(w->x), cpl_arg_of_array(w->y), cpl_arg_float(3.0)};
    bool records = !w->status;
    STEP(w, cpl_graph_begin(w->queue));
    records = records && !w->status;
    STEP(w, launch_rounds(w->module, "scale", w->queue, scale, 3, CPL_AUTO, NULL));
    /* what began ends, whatever failed meanwhile */
    cpl_status ended = records ? cpl_graph_end(w->queue, &w->graph) : CPL_OK;
    STEP(w, ended);
    for (int i = 0; i < 2; i++) STEP(w, cpl_graph_launch(w->graph, w->queue, NULL));
    STEP(w, cpl_array_read(w->y, w->queue, values, NULL));
    expect(w, values, 0, 3);
}

static inline void count_launches(void *user, const cpl_profile_row *row)
{
    if (row->what == CPL_PROFILE_KERNEL) ((world *)user)->launches += row->count;
}

static inline void scenario(world *w)
{
    STEP(w, cpl_module_from_source(w->cx, "faults.py", source, sizeof source - 1, &w->module));
    STEP(w, cpl_context_set_option(w->cx, "bounds_check", w->v->checks));
    STEP(w, cpl_profile_enable(w->cx, true));
    open_devices(w);
    make_arrays(w);
    launch_all(w);
    launch_pointers(w);
    move_arrays(w);
    STEP(w, cpl_profile_enable(w->cx, false));
    replay(w);
    w->calls = standin_calls();
    STEP(w, cpl_profile_each_row(w->cx, count_launches, w));
}

static inline void release_all(world *w)
{
    cpl_event_release(w->event);
    cpl_graph_release(w->graph);
    cpl_array_release(w->view);
    cpl_array_release(w->x);
    cpl_array_release(w->y);
    cpl_array_release(w->far);
    cpl_kernel_release(w->bump);
    cpl_queue_release(w->second);
    cpl_queue_release(w->queue);
    cpl_module_release(w->module);
    cpl_context_release(w->cx);
}

static const char *asked_options; /* of contexts made from now on */

static inline void start(world *w, const variant *v)
{
    *w = (world){.v = v};
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.sink = collect;
    options.sink_user = &w->said;
    options.opencl_options = asked_options;
    w->status = cpl_context_create(&options, &w->cx);
}

/* --- the driver --- */

static inline void register_all(const variant *v)
{
    standin_register("scale", run_scale);
    standin_register("bump", run_bump);
    square_result = v->checks ? 4 : 2; /* behind x_len and the fault record */
    standin_register("square", run_square);
    standin_register("total_parts", run_total_parts);
    standin_register("total", run_total);
}

static inline void set_environment(const char *name, const char *value)
{
    if (value) setenv(name, value, 1);
    else unsetenv(name);
}

static const variant *current; /* whose driver it is */
static inline void fresh_driver(const variant *v)
{
    current = v;
    set_environment("CPL_STANDIN_DEVICES", "2");
    set_environment("CPL_STANDIN_IL", v->il);
    set_environment("CPL_STANDIN_SVM", v->svm);
    set_environment("CUDA_CACHE_DISABLE", v->kept ? "1" : NULL);
    standin_reset();
    register_all(v);
}

static const variant variants[] = {
    {"CUDA", "cuda", NULL, NULL, false, false, false},
    {"CUDA with checks", "cuda", NULL, NULL, true, false, true},
    {"OpenCL with SPIR-V", "opencl:spv1.2", "1.2", "1", false, false, false},
    {"OpenCL with buffers", "opencl:spv1.2", "1.2", "0", false, false, true},
    {"OpenCL with checks", "opencl:spv1.2", "1.2", "0", true, false, true},
    {"OpenCL C", "opencl:c1.2", "", "0", false, false, true},
    {"CUDA with cubins of ours", "cuda", NULL, NULL, false, true, true},
};

/* Thousands of cases: each complaint is printed, up to a point, and the test fails when all are
 * through. */
static unsigned complaints;
static inline void complain(const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (complaints++ < 40) print_error("%s\n", text);
}

/* Nothing of the driver's outlives the context. */
static inline void check_clean(const char *what)
{
    char live[256];
    if (standin_live_all()) complain("%s: %s left", what, standin_live_text(live, sizeof live));
    if (standin_misuses()) complain("%s: %s", what, standin_misuse());
    if (standin_depth()) complain("%s: a context was left current", what);
    if (standin_live_all() || standin_depth()) fresh_driver(current);
}

static inline uint64_t count_calls(const variant *v)
{
    world w;
    standin_rearm();
    start(&w, v);
    scenario(&w);
    if (w.status) print_error("%s: %s", v->name, w.said.text);
    assert_int_equal(w.status, CPL_OK);
    assert_false(w.wrong);
    assert_int_equal(w.launches, 8);
    release_all(&w);
    uint64_t calls = standin_calls();
    check_clean(v->name);
    return calls;
}

/* --- the cache on disk, in a folder of this process --- */

static char folder[] = "/tmp/cpl-faults-XXXXXX";

static inline int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    setenv("CPL_CACHE", "1", 1);
    setenv("CPL_CACHE_DIR", folder, 1);
    return standin_use() ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    (void)state;
    cpl_context *cx;
    if (cpl_context_create(NULL, &cx)) return -1;
    cpl_cache_clear(cx, NULL);
    cpl_context_release(cx);
    standin_reset();
    return rmdir(folder) && access(folder, F_OK) == 0 ? -1 : 0;
}

#endif

/*
 * Drivers that fail. A scenario that uses all there is of devices runs on the stand-in driver
 * (test/device/standin), once for each call it makes and each of several errors: that call fails,
 * and the failure must come back as a status with a message that names the call, or be one that the
 * runtime can do without, and then all results are right. Nothing may leak, be used after its end,
 * or be left current.
 */
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
static void run_scale(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    int64_t n = *(const int64_t *)args[0];
    const double *x = *(double *const *)args[1];
    double *y = *(double *const *)args[2], a = *(const double *)args[3];
    for (int64_t i = 0; i < n; i++) y[i] = a * x[i];
}

static void run_bump(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)local;
    double *x = *(double *const *)args[0];
    int32_t n = *(const int32_t *)args[2];
    for (int32_t i = 0; i < n && (size_t)i < global[0]; i++) x[i] += 1;
}

/* With checks, hidden parameters stand before the result: it is the last one that is not NULL in
 * either case. */
static int square_result;
static void run_square(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    double *x = *(double *const *)args[0], a = *(const double *)args[1];
    x[0] = a * a;
    memcpy(*(void *const *)args[square_result], &x[0], sizeof x[0]);
}

/* Two kernels: parts, where square has its result, then the result behind them. */
static void run_total_parts(void *const *args, const size_t global[3], const size_t local[3])
{
    const double *x = *(double *const *)args[0];
    double sum = 0;
    for (int32_t i = 0; i < *(const int32_t *)args[1]; i++) sum += x[i];
    if (global[0] == 256 * local[0] && local[0] <= 256)
        **(double *const *)args[square_result] = sum;
}

static void run_total(void *const *args, const size_t global[3], const size_t local[3])
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

static void expect(world *w, const double *got, double first, double step)
{
    for (int i = 0; i < N && !w->status; i++)
        if (got[i] != first + step * i) w->wrong = true;
}

static void open_devices(world *w)
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

static void make_arrays(world *w)
{
    double values[N];
    for (int i = 0; i < N; i++) values[i] = i;
    STEP(w, cpl_array_create(w->cx, w->device, CPL_FLOAT64, N, &w->x));
    STEP(w, cpl_array_create(w->cx, w->device, CPL_FLOAT64, N, &w->y));
    STEP(w, cpl_array_create(w->cx, NULL, CPL_FLOAT64, N, &w->far));
    STEP(w, cpl_array_write(w->x, w->queue, values, NULL));
    STEP(w, cpl_array_write(w->far, NULL, values, NULL));
}

static void launch_all(world *w)
{
    double values[N], result = 0;
    cpl_arg scale[] = {cpl_arg_of_array(w->x), cpl_arg_of_array(w->y), cpl_arg_float(2.0)};
    STEP(w, launch_rounds(w->module, "scale", w->queue, scale, 3, CPL_AUTO, &w->event));
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

static void move_arrays(world *w)
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

static void replay(world *w)
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

static void count_launches(void *user, const cpl_profile_row *row)
{
    if (row->what == CPL_PROFILE_KERNEL) ((world *)user)->launches += row->count;
}

static void scenario(world *w)
{
    STEP(w, cpl_module_from_source(w->cx, "faults.py", source, sizeof source - 1, &w->module));
    STEP(w, cpl_context_set_option(w->cx, "bounds_check", w->v->checks));
    STEP(w, cpl_profile_enable(w->cx, true));
    open_devices(w);
    make_arrays(w);
    launch_all(w);
    move_arrays(w);
    STEP(w, cpl_profile_enable(w->cx, false));
    replay(w);
    w->calls = standin_calls();
    STEP(w, cpl_profile_each_row(w->cx, count_launches, w));
}

static void release_all(world *w)
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

static void start(world *w, const variant *v)
{
    *w = (world){.v = v};
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.sink = collect;
    options.sink_user = &w->said;
    options.opencl_options = asked_options;
    w->status = cpl_context_create(&options, &w->cx);
}

/* --- each call and each error --- */

/* Failures of these cost nothing but speed, or happen where there is nobody left to tell. */
static const char *const dispensable[] = {
    "cuGetErrorName",
    "cuCtxGetCurrent",
    "cuGetErrorString",
    "cuDriverGetVersion",
    "cuDeviceCanAccessPeer",
    "cuCtxEnablePeerAccess",
    "cuMemHostAlloc",
    "cuMemFreeHost",
    "cuMemFree",
    "cuModuleLoadData",
    "cuStreamDestroy",
    "cuEventDestroy",
    "cuModuleUnload",
    "cuLinkDestroy",
    "cuGraphDestroy",
    "cuGraphExecDestroy",
    "cuDevicePrimaryCtxRelease",
    "cuCtxPopCurrent",
    "cuEventElapsedTime",
    "cuStreamBeginCapture",
    "cuOccupancyMaxPotentialBlockSize",
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    "cuFuncGetAttribute",
    "cuFuncSetAttribute",
    "cuDeviceGetName",
    "cuDeviceTotalMem",
    "cuDeviceGetAttribute",
    "cuGraphInstantiate",
    "cuStreamEndCapture",
    "clReleaseContext",
    "clReleaseCommandQueue",
    "clReleaseMemObject",
    "clReleaseProgram",
    "clReleaseKernel",
    "clReleaseEvent",
    "clSVMFree",
    "clFlush",
    "clGetProgramInfo",
    "clGetProgramBuildInfo",
    "clGetKernelWorkGroupInfo",
    "clGetEventProfilingInfo",
    "clGetPlatformInfo",
    "clCreateProgramWithBinary",
    "clBuildProgram",
    "clCreateCommandQueue",
};

static bool can_do_without(const char *call, int code)
{
    /* A full device is asked again, once released memory was given back. */
    if (code == 2 && (!strcmp(call, "cuMemAlloc") || !strcmp(call, "cuCtxPushCurrent")))
        return true;
    if (code == -4 && (!strcmp(call, "clCreateBuffer") || !strcmp(call, "clEnqueueNDRangeKernel")))
        return true;
    if (!strcmp(call, "clSVMAlloc")) return true;
    for (size_t i = 0; i < sizeof dispensable / sizeof *dispensable; i++) {
        size_t n = strlen(dispensable[i]);
        if (!strncmp(call, dispensable[i], n) && (!call[n] || !strncmp(call + n, "_v", 2)))
            return true;
    }
    return false;
}

static void register_all(const variant *v)
{
    standin_register("scale", run_scale);
    standin_register("bump", run_bump);
    square_result = v->checks ? 4 : 2; /* behind x_len and the fault record */
    standin_register("square", run_square);
    standin_register("total_parts", run_total_parts);
    standin_register("total", run_total);
}

static void set_environment(const char *name, const char *value)
{
    if (value) setenv(name, value, 1);
    else unsetenv(name);
}

static const variant *current; /* whose driver it is */
static void fresh_driver(const variant *v)
{
    current = v;
    set_environment("CPL_STANDIN_DEVICES", "2");
    set_environment("CPL_STANDIN_IL", v->il);
    set_environment("CPL_STANDIN_SVM", v->svm);
    set_environment("CUDA_CACHE_DISABLE", v->kept ? "1" : NULL);
    standin_reset();
    register_all(v);
}

/* Thousands of cases: each complaint is printed, up to a point, and the test fails when all are
 * through. */
static unsigned complaints;
static void complain(const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (complaints++ < 40) print_error("%s\n", text);
}

/* Nothing of the driver's outlives the context. */
static void check_clean(const char *what)
{
    char live[256];
    if (standin_live_all()) complain("%s: %s left", what, standin_live_text(live, sizeof live));
    if (standin_misuses()) complain("%s: %s", what, standin_misuse());
    if (standin_depth()) complain("%s: a context was left current", what);
    if (standin_live_all() || standin_depth()) fresh_driver(current);
}

/* The name without CUDA's version. */
static void base_name(const char *call, char name[64])
{
    snprintf(name, 64, "%s", call);
    char *version = strstr(name, "_v"), *flags = strstr(name, "WithFlags");
    if (version) *version = '\0';
    if (flags) *flags = '\0';
}

/* Whether a message names the call that failed, or when all behind it failed too, one of those. */
static bool names_failure(const world *w, uint64_t n, bool sticky)
{
    char name[64];
    uint64_t last = sticky ? standin_calls() : n;
    for (uint64_t i = n; i <= last; i++) {
        base_name(standin_call(i), name);
        if (strstr(w->said.text, name)) return true;
    }
    return false;
}

/* One case: the n-th call fails with a code. */
static void run_case(const variant *v, uint64_t n, int code, bool sticky)
{
    char what[128], name[64];
    world w;
    standin_rearm();
    standin_sticky(sticky);
    start(&w, v);
    standin_fail_at(n, code);
    if (!w.status) scenario(&w);
    bool told = n <= w.calls, releasing = !standin_failed(); /* a release has no status */
    release_all(&w);
    const char *failed = standin_failed();
    assert_non_null(failed);
    base_name(failed, name);
    snprintf(what, sizeof what, "%s: call %llu, %s, fails with %d%s", v->name,
             (unsigned long long)n, name, code, sticky ? " for good" : "");
    if (w.status && !names_failure(&w, n, sticky))
        complain("%s: the message does not name it: %s", what, w.said.text);
    /* looks for devices that the scenario does not want */
    bool other = (name[1] == 'u') != (v->target[0] == 'c');
    /* what goes wrong while an array is released reaches the sink alone */
    bool heard = strstr(w.said.text, name) != NULL;
    if (!w.status && told && !heard && !other && !can_do_without(name, code))
        complain("%s and nobody hears of it", what);
    if (w.wrong) complain("%s: wrong results", what);
    /* without its context nothing can be released */
    if (releasing && !strcmp(name, "cuCtxPushCurrent")) fresh_driver(v);
    check_clean(what);
}

static uint64_t count_calls(const variant *v)
{
    world w;
    standin_rearm();
    start(&w, v);
    scenario(&w);
    if (w.status) print_error("%s: %s", v->name, w.said.text);
    assert_int_equal(w.status, CPL_OK);
    assert_false(w.wrong);
    assert_int_equal(w.launches, 6);
    release_all(&w);
    uint64_t calls = standin_calls();
    check_clean(v->name);
    return calls;
}

static void each_call_fails(const variant *v, const int *codes, const bool *sticky, size_t count,
                            size_t step, uint64_t *cases)
{
    fresh_driver(v);
    count_calls(v); /* fills the cache on disk */
    uint64_t calls = count_calls(v);
    for (uint64_t n = 1; n <= calls; n++)
        for (size_t i = 0; i < count; i += step) {
            run_case(v, n, codes[i], sticky[i]);
            ++*cases;
        }
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

static unsigned called(const char *name)
{
    unsigned n = 0;
    for (uint64_t i = 1; i <= standin_calls(); i++) n += !strcmp(standin_call(i), name);
    return n;
}

/* CUDA's driver keeps what it assembles; where it must not, a second context finds the cubin that
 * the first one kept. */
static void kept_cubins(void **state)
{
    (void)state;
    const variant *own = &variants[6];
    fresh_driver(&variants[0]);
    count_calls(&variants[0]);
    assert_true(called("cuModuleLoadDataEx") > 0);
    assert_int_equal(called("cuModuleLoadData") + called("cuLinkComplete"), 0);
    fresh_driver(own);
    count_calls(own);
    unsigned assembled = called("cuModuleLoadDataEx");
    assert_true(assembled > 0);
    assert_int_equal(called("cuLinkComplete"), assembled);
    count_calls(own);
    assert_int_equal(called("cuModuleLoadData"), assembled);
    assert_int_equal(called("cuModuleLoadDataEx") + called("cuLinkComplete"), 0);
}

/* Sanitizers take minutes for one error at each call. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SLOW = 1 };
#else
enum { SLOW = 0 };
#endif

static void every_driver_call(void **state)
{
    (void)state;
    static const int cuda[] = {1, 2, 999, 719}, opencl[] = {-33, -4, -5, -9999};
    static const bool sticky[] = {false, false, false, true};
    uint64_t cases = 0;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        const variant *v = &variants[i];
        uint64_t before = cases;
        each_call_fails(v, v->target[0] == 'c' ? cuda : opencl, sticky, 4,
                        SLOW     ? 4
                        : v->few ? 3
                                 : 1,
                        &cases);
        print_message("%s: %llu cases\n", v->name, (unsigned long long)(cases - before));
    }
    assert_true(cases >= 3000);
    assert_int_equal(complaints, 0);
}

/* A lost device stays lost, and says so without asking the driver again. */
static void lost_stays_lost(void **state)
{
    (void)state;
    static const struct {
        const variant *v;
        const char *call;
        int code;
    } cases[] = {{&variants[0], "cuLaunchKernel", 719},
                 {&variants[0], "cuStreamSynchronize", 700},
                 {&variants[3], "clEnqueueNDRangeKernel", -9999},
                 {&variants[3], "clFinish", -9999}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        world w;
        fresh_driver(cases[i].v);
        start(&w, cases[i].v);
        standin_sticky(1);
        standin_fail_name(cases[i].call, 1, cases[i].code);
        scenario(&w);
        assert_int_equal(w.status, CPL_EDEVICELOST);
        uint64_t calls = standin_calls();
        cpl_array *more = NULL;
        assert_int_equal(cpl_array_create(w.cx, w.device, CPL_FLOAT64, N, &more), CPL_EDEVICELOST);
        assert_int_equal(cpl_queue_finish(w.queue), CPL_EDEVICELOST);
        cpl_arg scale[] = {cpl_arg_of_array(w.x), cpl_arg_of_array(w.y), cpl_arg_float(2.0)};
        assert_int_equal(launch_rounds(w.module, "scale", w.queue, scale, 3, CPL_AUTO, NULL),
                         CPL_EDEVICELOST);
        for (uint64_t n = calls + 1; n <= standin_calls(); n++)
            print_error("%s\n", standin_call(n));
        assert_int_equal(standin_calls(), calls);
        release_all(&w);
        check_clean(cases[i].call);
    }
}

/* A device is opened once; whoever comes when that has failed hears of it too. */
static void closed_stays_closed(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i += 3) {
        world w;
        fresh_driver(&variants[i]);
        start(&w, &variants[i]);
        standin_fail_name(i ? "clCreateContext" : "cuDevicePrimaryCtxRetain", 1, i ? -33 : 999);
        STEP(&w, cpl_device_find(w.cx, i ? "opencl:0" : "cuda:0", &w.device));
        assert_int_equal(w.status, CPL_OK);
        for (int k = 0; k < 3; k++) {
            w.said = (messages){0};
            cpl_status status = cpl_queue_create(w.device, NULL, &w.queue);
            assert_int_equal(status, CPL_EDEVICE);
            assert_non_null(strstr(w.said.text, "error: "));
            assert_int_equal(strstr(w.said.text, "could not be opened before") != NULL, k > 0);
        }
        release_all(&w);
        check_clean("open");
    }
}

/* Memory that released arrays left is given back once when the device is full; then the next try
 * decides. */
static void full_device(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i += 3) {
        const char *call = i ? "clCreateBuffer" : "cuMemAlloc";
        world w;
        fresh_driver(&variants[i]);
        start(&w, &variants[i]);
        open_devices(&w);
        assert_int_equal(w.status, CPL_OK);
        standin_limit(1 << 20);
        cpl_array *small[4], *large = NULL, *too_large = NULL;
        for (int k = 0; k < 4; k++)
            assert_int_equal(cpl_array_create(w.cx, w.device, CPL_UINT8, 200 << 10, &small[k]),
                             CPL_OK);
        for (int k = 0; k < 4; k++) cpl_array_release(small[k]);
        uint64_t used, pooled, before = standin_count(call);
        cpl_device_memory(w.device, &used, &pooled);
        assert_true(pooled >= 800 << 10);
        assert_int_equal(cpl_array_create(w.cx, w.device, CPL_UINT8, 900 << 10, &large), CPL_OK);
        assert_int_equal(standin_count(call), before + 2);
        cpl_device_memory(w.device, &used, &pooled);
        assert_int_equal(pooled, 0);
        w.said.n = 0;
        assert_int_equal(cpl_array_create(w.cx, w.device, CPL_UINT8, 2 << 20, &too_large),
                         CPL_ENOMEM);
        assert_non_null(strstr(w.said.text, call));
        assert_null(too_large);
        cpl_array_release(large);
        release_all(&w);
        check_clean(call);
    }
}

/* The profile's times are the device's: the stand-in's clock moves 10 us a launch and 1 ns a byte
 * copied. */
typedef struct seen {
    uint64_t scale_ns, scale_count, scale_bytes, copied, spans;
} seen;

static void see_row(void *user, const cpl_profile_row *row)
{
    seen *s = user;
    if (row->what == CPL_PROFILE_KERNEL && !strcmp(row->name, "scale")) {
        s->scale_ns += row->device_ns;
        s->scale_count += row->count;
        s->scale_bytes += row->bytes;
        assert_true(row->compile_ns > 0);
        assert_true(row->fastest_ns <= row->slowest_ns);
    }
    if (row->what == CPL_PROFILE_TO_DEVICE) s->copied += row->bytes;
}

static void see_span(void *user, const cpl_profile_span *span)
{
    seen *s = user;
    s->spans++;
    assert_true(span->begin_ns <= span->end_ns);
}

static void profiled_times(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        if (variants[i].checks) continue;
        world w;
        seen s = {0};
        fresh_driver(&variants[i]);
        start(&w, &variants[i]);
        scenario(&w);
        assert_int_equal(w.status, CPL_OK);
        assert_int_equal(cpl_profile_each_row(w.cx, see_row, &s), CPL_OK);
        assert_int_equal(s.scale_count, 2);
        assert_int_equal(s.scale_ns, 20000);
        assert_int_equal(s.scale_bytes, (N + N + N / 2 + N) * 8);
        assert_true(s.copied >= 2 * N * 8);
        assert_int_equal(cpl_profile_each_span(w.cx, see_span, &s), CPL_OK);
        assert_true(s.spans >= 8);
        cpl_profile_clear(w.cx);
        s.spans = 0;
        assert_int_equal(cpl_profile_each_span(w.cx, see_span, &s), CPL_OK);
        assert_int_equal(s.spans, 0);
        release_all(&w);
        check_clean(variants[i].name);
    }
}

/* --- a fork --- */

/* In the child every call says so, and none reaches the driver, whose own state a fork breaks. */
#define FORKED(call)                                                                               \
    do {                                                                                           \
        cpl_status got = (call);                                                                   \
        if (got != CPL_EFORKED)                                                                    \
            fprintf(stderr, "line %d: %s\n", __LINE__, cpl_status_message(got)), _exit(1);         \
    } while (0)

static void use_forked_memory(world *w)
{
    double values[N] = {0};
    cpl_array *made;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = CPL_FLOAT64;
    o.dims = 1;
    o.shape[0] = 4;
    FORKED(cpl_array_create(w->cx, w->device, CPL_FLOAT64, N, &made));
    FORKED(cpl_array_create(w->cx, NULL, CPL_FLOAT64, N, &made));
    FORKED(cpl_array_wrap(w->cx, NULL, &o, values, &made));
    FORKED(cpl_array_view(w->x, &o, &made));
    FORKED(cpl_array_written(w->x, w->device, w->queue));
    FORKED(cpl_array_stay(w->x));
    FORKED(cpl_memory_settle(w->cx, w, 1, true));
    FORKED(cpl_array_push(w->far, w->queue, NULL));
    FORKED(cpl_array_pull(w->x, w->queue));
    FORKED(cpl_array_write(w->x, w->queue, values, NULL));
    FORKED(cpl_array_read(w->x, NULL, values, NULL));
    FORKED(cpl_array_copy(w->x, w->y, w->queue, NULL));
}

static void use_forked_queues(world *w)
{
    cpl_queue *q;
    cpl_event *e;
    cpl_graph *g;
    bool done;
    uint64_t ns;
    FORKED(cpl_queue_create(w->device, NULL, &q));
    FORKED(cpl_queue_finish(w->queue));
    FORKED(cpl_queue_record(w->queue, &e));
    FORKED(cpl_queue_wait(w->queue, w->event));
    FORKED(cpl_event_wait(w->event));
    FORKED(cpl_event_done(w->event, &done));
    FORKED(cpl_event_duration(w->event, &ns));
    FORKED(cpl_graph_begin(w->queue));
    FORKED(cpl_graph_end(w->queue, &g));
    FORKED(cpl_graph_launch(w->graph, NULL, NULL));
}

static void use_forked_devices(world *w)
{
    cpl_device *d;
    cpl_kernel *k;
    cpl_arg scale[] = {cpl_arg_of_array(w->x), cpl_arg_of_array(w->y), cpl_arg_float(2.0)},
            one[] = {cpl_arg_of_array(w->x), cpl_arg_float(2.0)};
    cpl_arg bump[] = {cpl_arg_of_array(w->y), cpl_arg_local(CPL_FLOAT64, 32), cpl_arg_int(N)};
    FORKED(cpl_device_find(w->cx, "host", &d));
    FORKED(cpl_device_trim(w->device));
    FORKED(launch_rounds(w->module, "scale", w->queue, scale, 3, CPL_AUTO, NULL));
    FORKED(launch_rounds(w->module, "scale", NULL, scale, 3, CPL_AUTO, NULL));
    FORKED(rounds_kernel_for(w->module, "scale", w->queue, scale, 3, &k));
    FORKED(
        interpret_rounds(w->module, "scale", CPL_FORM_ELEMENTWISE, scale, 3, CPL_AUTO, NULL, NULL));
    FORKED(grid_kernel(w->module, "bump", w->second, bump, 3, &k));
    FORKED(run_grid(w->bump, w->second, (int64_t[]){N, 1, 1}, NULL, bump, 3, NULL));
    FORKED(call_once_on(w->module, "square", w->queue, one, 2, NULL, NULL));
    FORKED(once_kernel(w->module, "square", w->queue, one, 2, &k));
    uint64_t used = 1, pooled = 1;
    cpl_device_memory(w->device, &used, &pooled);
    if (used || pooled || cpl_device_count(w->cx) || cpl_device_get(w->cx, 0) ||
        cpl_device_queue(w->device) || cpl_device_native(w->device, NULL) ||
        cpl_array_valid(w->x, NULL))
        _exit(2);
}

/* A new context is told why it has no devices but the host. */
static void look_again(const char *kind)
{
    cpl_context *cx;
    cpl_device *d;
    if (cpl_context_create(NULL, &cx)) _exit(4);
    const char *why =
        cpl_device_absent(cx, strcmp(kind, "cuda") ? CPL_DEVICE_OPENCL : CPL_DEVICE_CUDA);
    if (!why || !strstr(why, "was in use in the process that this one was forked from")) _exit(5);
    if (cpl_device_find(cx, kind, &d) != CPL_ENODEVICE) _exit(6);
    if (cpl_device_find(cx, "host", &d)) _exit(7);
    cpl_context_release(cx);
}

static void after_a_fork(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        world w;
        fresh_driver(&variants[i]);
        start(&w, &variants[i]);
        scenario(&w);
        assert_int_equal(w.status, CPL_OK);
        fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            uint64_t calls = standin_calls();
            use_forked_memory(&w);
            use_forked_queues(&w);
            use_forked_devices(&w);
            release_all(&w);
            look_again(strncmp(variants[i].target, "cuda", 4) ? "opencl" : "cuda");
            _exit(standin_calls() == calls ? 0 : 3);
        }
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        assert_int_equal(cpl_queue_finish(w.queue), CPL_OK); /* the parent goes on */
        release_all(&w);
        check_clean(variants[i].name);
    }
    assert_int_equal(complaints, 0);
}

/* Drivers are asked to round float32 division and square roots, where they can and unless
 * everything fast was asked for. */
static void division_is_rounded(void **state)
{
    (void)state;
    static const struct {
        const variant *v;
        const char *divide, *option, *expected;
    } cases[] = {
        {&variants[2], "1", NULL, "-cl-fp32-correctly-rounded-divide-sqrt"},
        {&variants[2], "1", "precise", "-cl-fp32-correctly-rounded-divide-sqrt"},
        {&variants[2], "1", "fast_math", ""},
        {&variants[2], "0", "precise", ""},
        {&variants[5], "1", NULL, "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"},
        {&variants[5], "1", "fast_math", "-cl-std=CL1.2 "},
        {&variants[5], "0", NULL, "-cl-std=CL1.2 "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        world w;
        setenv("CPL_STANDIN_DIVIDE", cases[i].divide, 1);
        fresh_driver(cases[i].v);
        for (int again = 0; again < 2; again++) { /* from the cache on disk the second time */
            start(&w, cases[i].v);
            if (cases[i].option) STEP(&w, cpl_context_set_option(w.cx, cases[i].option, 1));
            scenario(&w);
            assert_int_equal(w.status, CPL_OK);
            assert_string_equal(standin_options(), cases[i].expected);
            cpl_device_info info = {.size = sizeof info};
            assert_int_equal(cpl_device_info_get(w.device, &info), CPL_OK);
            assert_int_equal(info.rounds_division, *cases[i].divide == '1');
            release_all(&w);
            check_clean(cases[i].v->name);
        }
    }
    unsetenv("CPL_STANDIN_DIVIDE");
}

/* --- the cache on disk, in a folder of this process --- */

static char folder[] = "/tmp/cpl-faults-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    setenv("CPL_CACHE", "1", 1);
    setenv("CPL_CACHE_DIR", folder, 1);
    return standin_use() ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    cpl_context *cx;
    if (cpl_context_create(NULL, &cx)) return -1;
    cpl_cache_clear(cx, NULL);
    cpl_context_release(cx);
    standin_reset();
    return rmdir(folder) && access(folder, F_OK) == 0 ? -1 : 0;
}

/* What the context was made with goes to OpenCL's drivers, behind what the library asks for. */
static void options_of_the_context(void **state)
{
    (void)state;
    static const struct {
        const variant *v;
        const char *asked, *expected;
    } cases[] = {
        {&variants[2], "-cl-mad-enable", "-cl-fp32-correctly-rounded-divide-sqrt -cl-mad-enable"},
        {&variants[5], "-DX=1 -w", "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -DX=1 -w"},
        {&variants[5], "", "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        world w;
        fresh_driver(cases[i].v);
        asked_options = cases[i].asked;
        start(&w, cases[i].v);
        asked_options = NULL;
        scenario(&w);
        assert_int_equal(w.status, CPL_OK);
        assert_string_equal(standin_options(), cases[i].expected);
        release_all(&w);
        check_clean(cases[i].v->name);
    }
    char text[502];
    memset(text, ' ', sizeof text - 1);
    for (size_t n = 500; n <= 501; n++) {
        cpl_context *cx;
        cpl_context_options o;
        cpl_context_options_init(&o);
        text[n] = 0;
        o.opencl_options = text;
        assert_int_equal(cpl_context_create(&o, &cx), n > 500 ? CPL_EARG : CPL_OK);
        cpl_context_release(cx);
        text[n] = ' ';
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_cubins), /* before others fill the cache */
        cmocka_unit_test(profiled_times),
        cmocka_unit_test(after_a_fork),
        cmocka_unit_test(lost_stays_lost),
        cmocka_unit_test(closed_stays_closed),
        cmocka_unit_test(full_device),
        cmocka_unit_test(division_is_rounded),
        cmocka_unit_test(options_of_the_context),
        cmocka_unit_test(every_driver_call),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

/*
 * Drivers that fail. The scenario runs once for each call it makes of the driver and each of
 * several errors: that call fails, and the failure must come back as a status with a message that
 * names the call, or be one that the runtime can do without, and then all results are right.
 * Nothing may leak, be used after its end, or be left current. And what a fork leaves of a driver:
 * nothing.
 */
#include "faulty.h"

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

/* What may go wrong while something is released, which has no status: memory is put behind what
 * used it, or waited for, in a context that is current. */
static bool is_of_releases(const char *call)
{
    static const char *const words[] = {
        "Free",        "Release",         "Destroy", "Unload",        "Unregister",
        "EventRecord", "StreamWaitEvent", "CtxPush", "EnqueueMarker", "EnqueueBarrier"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(call, words[i])) return true;
    return false;
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
    bool heard = strstr(w.said.text, name) != NULL && is_of_releases(name);
    if (!w.status && told && !heard && !other && !can_do_without(name, code))
        complain("%s and no status says so", what);
    if (w.wrong) complain("%s: wrong results", what);
    /* without its context nothing can be released */
    if (releasing && !strcmp(name, "cuCtxPushCurrent")) fresh_driver(v);
    check_clean(what);
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

/* --- each call of one order, behind what another queue does with the same arrays --- */

static cpl_status order_launch(world *w)
{
    cpl_arg scale[] = {cpl_arg_of_array(w->x), cpl_arg_of_array(w->y), cpl_arg_float(2.0)};
    return launch_rounds(w->module, "scale", w->second, scale, 3, CPL_AUTO, NULL);
}

static cpl_status order_held_launch(world *w)
{
    cpl_arg bump[] = {cpl_arg_of_array(w->y), cpl_arg_local(CPL_FLOAT64, 32), cpl_arg_int(N)};
    return run_grid(w->bump, w->second, (int64_t[]){N, 1, 1}, (int64_t[]){32, 1, 1}, bump, 3, NULL);
}

static cpl_status order_copy(world *w)
{
    return cpl_array_copy(w->y, w->x, w->second, NULL);
}

static cpl_status order_read(world *w)
{
    double values[N];
    return cpl_array_read(w->y, w->second, values, NULL);
}

static cpl_status order_write(world *w)
{
    double values[N] = {0};
    return cpl_array_write(w->y, w->second, values, NULL);
}

static cpl_status order_push(world *w)
{
    return cpl_array_push(w->y, cpl_device_queue(w->other), NULL);
}

static cpl_status order_wait(world *w)
{
    return cpl_queue_wait(w->second, w->event);
}

static cpl_event *recorded;
static cpl_status order_record(world *w)
{
    return cpl_queue_record(w->queue, &recorded);
}

static cpl_status order_graph(world *w)
{
    return cpl_graph_launch(w->graph, w->second, NULL);
}

static cpl_status order_finish(world *w)
{
    return cpl_queue_finish(w->queue);
}

static const struct {
    const char *name;
    cpl_status (*give)(world *);
} orders[] = {
    {"a launch", order_launch}, {"a launch by handle", order_held_launch},
    {"a copy", order_copy},     {"a read", order_read},
    {"a write", order_write},   {"a push", order_push},
    {"a wait", order_wait},     {"a record", order_record},
    {"a graph", order_graph},   {"a finish", order_finish},
};

/* What comes of an order whose n-th call fails; *calls of the driver it took. */
static cpl_status one_order(const variant *v, size_t k, uint64_t n, int code, uint64_t *calls,
                            char name[64])
{
    world w;
    standin_rearm();
    start(&w, v);
    scenario(&w);
    cpl_event_release(w.event);
    w.event = NULL;
    cpl_arg scale[] = {cpl_arg_of_array(w.x), cpl_arg_of_array(w.y), cpl_arg_float(2.0)};
    STEP(&w, launch_rounds(w.module, "scale", w.queue, scale, 3, CPL_AUTO, &w.event));
    assert_int_equal(w.status, CPL_OK);
    uint64_t before = standin_calls();
    if (n) standin_fail_at(n, code);
    recorded = NULL;
    cpl_status status = orders[k].give(&w);
    *calls = standin_calls() - before;
    base_name(n ? standin_call(before + n) : "", name);
    cpl_event_release(recorded);
    release_all(&w);
    check_clean(orders[k].name);
    return status;
}

/* An order releases nothing of its own, so that whatever goes wrong is the order's. */
static void every_call_of_an_order(void **state)
{
    (void)state;
    uint64_t cases = 0;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        const variant *v = &variants[i];
        if (v->few) continue;
        fresh_driver(v);
        for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
            uint64_t calls, taken;
            char name[64];
            assert_int_equal(one_order(v, k, 0, 0, &calls, name), CPL_OK);
            for (uint64_t n = 1; n <= calls; n++, cases++) {
                int code = v->target[0] == 'c' ? 999 : -5;
                cpl_status status = one_order(v, k, n, code, &taken, name);
                if (!status && !can_do_without(name, code))
                    complain("%s: %s: call %llu, %s, fails and no status says so", v->name,
                             orders[k].name, (unsigned long long)n, name);
            }
        }
    }
    print_message("%llu cases\n", (unsigned long long)cases);
    assert_true(cases >= 40);
    assert_int_equal(complaints, 0);
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
    FORKED(cpl_queue_finish_within(w->queue, 0));
    FORKED(cpl_queue_record(w->queue, &e));
    FORKED(cpl_queue_wait(w->queue, w->event));
    FORKED(cpl_event_wait(w->event));
    FORKED(cpl_event_wait_within(w->event, 0));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_fork),
        cmocka_unit_test(every_driver_call),
        cmocka_unit_test(every_call_of_an_order),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

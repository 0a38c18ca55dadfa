/*
 * What a launch costs the caller beside a bare cuLaunchKernel of NVIDIA's driver: gpu_launch.
 * Rounds of one follow rounds of the other in one process, since two processes on one machine
 * differ by more than the two calls do. Figures as gpu_bench prints them.
 */
#include "gpu_common.h"

#include <dlfcn.h>
#include <stdlib.h>

enum { LAUNCHES = 500, ROUNDS = 41, GROUP = 256 };

/* --- the library --- */

typedef struct ours {
    cpl_context *cx;
    cpl_device *device;
    cpl_queue *queue;
    cpl_module *module;
    cpl_array *x, *y;
    cpl_kernel *kernel;
} ours;

static cpl_status launch_ours(const ours *o)
{
    const cpl_arg args[] = {cpl_arg_of_array(o->x), cpl_arg_of_array(o->y)};
    cpl_launch_options options;
    cpl_launch_options_init(&options);
    options.queue = o->queue;
    return cpl_kernel_launch(o->kernel, &options, args, 2);
}

static cpl_status open_ours(ours *o)
{
    static const char text[] = "def f(i, x, y):\n    y[i] = x[i]\n";
    cpl_status status = open_context("gpu_launch", &o->cx);
    if (!status) status = cpl_device_find(o->cx, "cuda", &o->device);
    if (!status) status = cpl_queue_create(o->device, NULL, &o->queue);
    if (!status)
        status = cpl_module_from_source(o->cx, "bench.py", text, sizeof text - 1, &o->module);
    if (!status) status = cpl_array_create(o->cx, o->device, CPL_FLOAT32, 1, &o->x);
    if (!status) status = cpl_array_create(o->cx, o->device, CPL_FLOAT32, 1, &o->y);
    if (status) return status;
    const cpl_arg args[] = {cpl_arg_of_array(o->x), cpl_arg_of_array(o->y)};
    cpl_launch_options options;
    cpl_launch_options_init(&options);
    options.queue = o->queue;
    status = cpl_kernel_for(o->module, "f", &options, args, 2, &o->kernel);
    return status ? status : launch_ours(o); /* loads it */
}

static void close_ours(ours *o)
{
    cpl_kernel_release(o->kernel);
    cpl_array_release(o->x);
    cpl_array_release(o->y);
    cpl_module_release(o->module);
    cpl_queue_release(o->queue);
    cpl_context_release(o->cx);
}

/* --- the driver --- */

static const char ptx[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n"
    ".visible .entry f(.param .u64 n, .param .u64 x, .param .u64 y)\n{\n"
    "    .reg .pred %p;\n    .reg .b32 %v, %t;\n    .reg .b64 %n, %x, %y, %i;\n"
    "    ld.param.u64 %n, [n];\n    mov.u32 %t, %tid.x;\n"
    "    cvt.u64.u32 %i, %t;\n    setp.ge.u64 %p, %i, %n;\n    @%p bra done;\n"
    "    ld.param.u64 %x, [x];\n    ld.param.u64 %y, [y];\n"
    "    shl.b64 %i, %i, 2;\n    add.u64 %x, %x, %i;\n    add.u64 %y, %y, %i;\n"
    "    ld.global.b32 %v, [%x];\n    st.global.b32 [%y], %v;\n"
    "done:\n    ret;\n}\n";

typedef struct theirs {
    void *library, *context, *module, *function, *stream;
    uint64_t x, y;
    int (*LaunchKernel)(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                        unsigned by, unsigned bz, unsigned local, void *stream, void **params,
                        void **extra);
    int (*StreamSynchronize)(void *stream);
} theirs;

/* A function of the driver's, of whatever type; ISO C has no cast for it. */
static void entry(const theirs *t, const char *name, void *fn)
{
    *(void **)fn = dlsym(t->library, name);
    if (*(void **)fn) return;
    fprintf(stderr, "gpu_launch: the driver has no %s\n", name);
    exit(1);
}

static int launch_theirs(const theirs *t)
{
    int64_t n = 1;
    uint64_t x = t->x, y = t->y;
    void *params[] = {&n, &x, &y};
    return t->LaunchKernel(t->function, 1, 1, 1, GROUP, 1, 1, 0, t->stream, params, NULL);
}

/* Leaves the device's context current, which a bare launch needs. */
static int open_theirs(theirs *t)
{
    int (*retain)(void **context, int device), (*set_current)(void *context),
        (*load)(void **module, const void *image),
        (*function)(void **function, void *module, const char *name),
        (*alloc)(uint64_t *memory, size_t size), (*create)(void **stream, unsigned flags);
    if (!(t->library = dlopen("libcuda.so.1", RTLD_NOW))) return -1;
    entry(t, "cuDevicePrimaryCtxRetain", &retain);
    entry(t, "cuCtxSetCurrent", &set_current);
    entry(t, "cuModuleLoadData", &load);
    entry(t, "cuModuleGetFunction", &function);
    entry(t, "cuMemAlloc_v2", &alloc);
    entry(t, "cuStreamCreate", &create);
    entry(t, "cuLaunchKernel", &t->LaunchKernel);
    entry(t, "cuStreamSynchronize", &t->StreamSynchronize);
    int r = retain(&t->context, 0);
    if (!r) r = set_current(t->context);
    if (!r) r = load(&t->module, ptx);
    if (!r) r = function(&t->function, t->module, "f");
    if (!r) r = alloc(&t->x, GROUP);
    if (!r) r = alloc(&t->y, GROUP);
    if (!r) r = create(&t->stream, 1); /* as queues are: it waits for no other */
    return r ? r : launch_theirs(t);
}

/* --- rounds --- */

static void show(const char *who, double us[ROUNDS])
{
    qsort(us, ROUNDS, sizeof *us, by_value);
    printf("launch, kernel held\t%s\t%.6g\tus\n", who, us[ROUNDS / 2]);
}

int main(void)
{
    ours o = {0};
    theirs t = {0};
    double us[2][ROUNDS];
    cpl_status status = open_ours(&o);
    int r = open_theirs(&t);
    for (int round = 0; round < ROUNDS && !status && !r; round++) {
        double begin = now_us();
        for (int i = 0; i < LAUNCHES && !status; i++) status = launch_ours(&o);
        if (!status) status = cpl_queue_finish(o.queue);
        double between = now_us();
        for (int i = 0; i < LAUNCHES && !r; i++) r = launch_theirs(&t);
        if (!r) r = t.StreamSynchronize(t.stream);
        us[0][round] = (between - begin) / LAUNCHES;
        us[1][round] = (now_us() - between) / LAUNCHES;
    }
    close_ours(&o);
    if (status || r) {
        fprintf(stderr, "gpu_launch: %s, CUresult %d\n", cpl_status_message(status), r);
        return 1;
    }
    show("cpl cuda", us[0]);
    show("cuLaunchKernel", us[1]);
    return 0;
}

/*
 * Kernels on NVIDIA's devices: PTX is assembled by the driver (40 to 140 ms), its cubin goes into the cache on disk, from where it
 * loads in 0.2 ms. Graphs are streams captured.
 */
#include "runtime/device/cuda.h"

#include <stdio.h>

enum {
    ELEMENTWISE_GROUP = 256,  /* at most: larger groups gain nothing and leave multiprocessors idle on small arrays */
    TILE_GROUP = 128,         /* at most, where a work-item takes several rounds and a group is soon done: measured beside 256 */
    ROUNDS = 32,              /* a grid is at most so many times what the device runs at once */
    PLAIN_LOCAL = 48 << 10,   /* bytes of local memory that a kernel may have without asking */
};

/* --- loading --- */

static cpl_status assemble(cuda_device *d, const artifact *a, strbuf *cubin)
{
    char error[4096] = "", info[1024] = "";
    bool lines = strstr(a->object.at, "\t.loc") != NULL;
    int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE,
                     CU_JIT_GENERATE_LINE_INFO};
    void *values[] = {error, (void *)(uintptr_t)sizeof error, info, (void *)(uintptr_t)sizeof info, (void *)(uintptr_t)lines};
    cu_link link = NULL;
    void *bytes = NULL;
    size_t size = 0;
    const char *call = "cuLinkCreate";
    cu_result r = d->cu->LinkCreate(COUNT_OF(options), options, values, &link);
    if (r == CU_SUCCESS)
        r = d->cu->LinkAddData(link, (call = "cuLinkAddData", CU_LINK_INPUT_PTX), a->object.at, a->object.n + 1, a->entry, 0, NULL, NULL);
    if (r == CU_SUCCESS) r = d->cu->LinkComplete(link, (call = "cuLinkComplete", &bytes), &size);
    if (r == CU_SUCCESS) sb_putn(cubin, bytes, size);
    if (link) d->cu->LinkDestroy(link);
    if (r == CU_SUCCESS && !cubin->failed) return CPL_OK;
    if (r == CU_SUCCESS) return context_report(d->base.cx, CPL_ENOMEM, "out of memory for the code of '%s'", a->entry);
    error[sizeof error - 1] = 0;
    cpl_status status = cuda_failed(d, call, r);
    if (*error) context_report(d->base.cx, status, "the driver on the code of '%s': %s", a->entry, error);
    return status;
}

/* The module, from the cubin on disk or from the PTX. A cubin that does not load was made for something else: it is made again. */
static cpl_status load_module(cuda_device *d, const artifact *a, cu_module *module)
{
    char driver[64];
    uint8_t key[ARTIFACT_KEY_SIZE];
    strbuf cubin;
    snprintf(driver, sizeof driver, "cuda %d", d->driver_version);
    binary_key(&d->base, a, driver, key);
    sb_init(&cubin, context_mem(d->base.cx));
    if (binary_get(&d->base, key, &cubin) && d->cu->ModuleLoadData(module, cubin.at) == CU_SUCCESS) {
        sb_free(&cubin);
        return CPL_OK;
    }
    sb_free(&cubin);
    sb_init(&cubin, context_mem(d->base.cx));
    cpl_status status = assemble(d, a, &cubin);
    if (!status) status = CUDA(d, ModuleLoadData, module, cubin.at);
    if (!status) binary_put(&d->base, key, cubin.at, cubin.n);
    sb_free(&cubin);
    return status;
}

static cpl_status measure(cuda_device *d, const artifact *a, dev_code *code)
{
    int limit = a->items > 1 ? TILE_GROUP : ELEMENTWISE_GROUP;
    int grid = 0, group = 0, most = 0, local = 0, blocks = 0;
    cpl_status status = CUDA(d, FuncGetAttribute, &most, CU_FUNC_MAX_THREADS_PER_BLOCK, code->function);
    if (!status) status = CUDA(d, FuncGetAttribute, &local, CU_FUNC_SHARED_SIZE_BYTES, code->function);
    if (!status)
        status = CUDA(d, OccupancyMaxPotentialBlockSize, &grid, &group, code->function, NULL, 0, limit);
    if (!status) status = CUDA(d, OccupancyMaxActiveBlocksPerMultiprocessor, &blocks, code->function, group, 0);
    if (status) return status;
    code->most_group = most > 0 ? (uint32_t)most : 1;
    code->group = group > 0 ? (uint32_t)group : 1;
    code->static_local = (uint32_t)local;
    code->most_groups = (blocks > 0 ? (uint32_t)blocks : 1) * d->base.info.units * ROUNDS;
    return CPL_OK;
}

cpl_status cuda_load(cpl_device *device, cpl_kernel *k, dev_code *code)
{
    cuda_device *d = cuda_of(device);
    const artifact *a = &k->artifact;
    if (a->target.kind != TGT_CUDA) return context_report(device->cx, CPL_EARG, "%s runs no code for %s", device->info.label, k->target);
    bool pushed;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    status = load_module(d, a, &code->module);
    if (!status) {
        status = CUDA(d, ModuleGetFunction, &code->function, code->module, a->entry);
        if (!status) status = measure(d, a, code);
        if (status) d->cu->ModuleUnload(code->module);
    }
    cuda_leave(d, pushed);
    return status;
}

/* Waits for launches of the kernel that may still run. */
void cuda_unload(dev_code *code)
{
    cuda_device *d = cuda_of(code->device);
    bool pushed = d->cu->CtxPushCurrent(d->context) == CU_SUCCESS;
    if (!atomic_load(&d->base.lost)) d->cu->CtxSynchronize();
    d->cu->ModuleUnload(code->module);
    cuda_leave(d, pushed);
}

/* --- launching --- */

/* Local memory beyond what every kernel may have is asked for once a size. */
static cpl_status allow_local(cuda_device *d, const dev_launch *l)
{
    dev_code *code = l->code;
    pthread_mutex_lock(&code->lock);
    uintptr_t allowed = (uintptr_t)code->own;
    cpl_status status = CPL_OK;
    if (l->local_bytes > allowed) {
        status = CUDA(d, FuncSetAttribute, code->function, CU_FUNC_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)l->local_bytes);
        if (!status) code->own = (void *)(uintptr_t)l->local_bytes;
    }
    pthread_mutex_unlock(&code->lock);
    return status;
}

cpl_status cuda_launch(cpl_queue *q, const dev_launch *l, dev_ticks *t)
{
    cuda_device *d = cuda_of(q->device);
    bool pushed;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    if (l->local_bytes + l->code->static_local > PLAIN_LOCAL) status = allow_local(d, l);
    if (!status && t) status = cuda_begin(q, t);
    if (!status)
        status = CUDA(d, LaunchKernel, l->code->function, (unsigned)l->groups[0], (unsigned)l->groups[1], (unsigned)l->groups[2],
                      l->group[0], l->group[1], l->group[2], l->local_bytes, q->native, (void **)l->values->pointers, NULL);
    if (!status && t) status = cuda_end(q, t);
    cuda_leave(d, pushed);
    return status;
}

/* --- graphs --- */

cpl_status cuda_graph_begin(cpl_queue *q)
{
    cuda_device *d = cuda_of(q->device);
    const cu_api *cu = d->cu;
    bool pushed;
    if (!cu->StreamBeginCapture || !cu->StreamEndCapture || !cu->GraphInstantiate || !cu->GraphLaunch || !cu->GraphDestroy ||
        !cu->GraphExecDestroy)
        return CPL_EUNSUPPORTED;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    status = CUDA(d, StreamBeginCapture, q->native, CU_STREAM_CAPTURE_RELAXED);
    cuda_leave(d, pushed);
    return status;
}

cpl_status cuda_graph_end(cpl_queue *q, void **graph)
{
    cuda_device *d = cuda_of(q->device);
    bool pushed;
    cu_graph captured = NULL;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    if (!graph) d->cu->StreamEndCapture(q->native, &captured); /* dropped: how it ended does not matter */
    else {
        status = CUDA(d, StreamEndCapture, q->native, &captured);
        if (!status) status = CUDA(d, GraphInstantiate, graph, captured, 0);
    }
    if (captured) d->cu->GraphDestroy(captured);
    cuda_leave(d, pushed);
    return status;
}

cpl_status cuda_graph_launch(cpl_queue *q, void *graph, dev_ticks *t)
{
    cuda_device *d = cuda_of(q->device);
    bool pushed;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    status = cuda_begin(q, t);
    if (!status) status = CUDA(d, GraphLaunch, graph, q->native);
    if (!status) status = cuda_end(q, t);
    cuda_leave(d, pushed);
    return status;
}

void cuda_graph_free(cpl_device *device, void *graph)
{
    cuda_device *d = cuda_of(device);
    bool pushed = d->cu->CtxPushCurrent(d->context) == CU_SUCCESS;
    d->cu->GraphExecDestroy(graph);
    cuda_leave(d, pushed);
}

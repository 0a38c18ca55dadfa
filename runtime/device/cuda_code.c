/*
 * Kernels on NVIDIA's devices: PTX is assembled by the driver (20 to 140 ms), which keeps the code
 * on disk and loads it from there in 0.2 ms; where that is off (CUDA_CACHE_DISABLE=1), cubins go
 * into the cache of ours. Graphs are streams captured.
 */
#include "runtime/device/cuda_int.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    /* at most, where a work-item takes several rounds and a group is soon done: measured beside
     * USUAL_GROUP */
    TILE_GROUP = 128,
    ROUNDS = 32,            /* a grid is at most so many times what the device runs at once */
    PLAIN_LOCAL = 48 << 10, /* bytes of local memory that a kernel may have without asking */
};

/* --- loading --- */

static cpl_status load_text(cuda_device *d, const artifact *a, cu_module *module)
{
    char log[4096] = "";
    bool lines = strstr(a->object.at, "\t.loc") != NULL;
    int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE,
                     CU_JIT_GENERATE_LINE_INFO};
    void *values[] = {log, (void *)(uintptr_t)sizeof log, (void *)(uintptr_t)lines};
    cpl_status status =
        CUDA(d, ModuleLoadDataEx, module, a->object.at, COUNT_OF(options), options, values);
    log[sizeof log - 1] = 0;
    if (status && *log)
        context_report(d->base.cx, status, "the driver on the code of '%s': %s", a->entry, log);
    return status;
}

/*
 * The linker's code may call what it does not know, so it keeps to the convention of calls, and
 * takes 46 registers where 30 do (a*sin(x) + b). Held to the registers of the module that was
 * loaded as it is, it runs as fast as that.
 */
static bool link_cubin(cuda_device *d, const artifact *a, int registers, strbuf *cubin)
{
    int options[] = {CU_JIT_MAX_REGISTERS, CU_JIT_GENERATE_LINE_INFO};
    void *values[] = {(void *)(uintptr_t)registers,
                      (void *)(uintptr_t)(strstr(a->object.at, "\t.loc") != NULL)};
    cu_link link = NULL;
    void *bytes = NULL;
    size_t size = 0;
    bool ok = d->cu->LinkCreate(COUNT_OF(options), options, values, &link) == CU_SUCCESS &&
              d->cu->LinkAddData(link, CU_LINK_INPUT_PTX, a->object.at, a->object.n + 1, a->entry,
                                 0, NULL, NULL) == CU_SUCCESS &&
              d->cu->LinkComplete(link, &bytes, &size) == CU_SUCCESS;
    if (ok) sb_putn(cubin, bytes, size);
    if (link) d->cu->LinkDestroy(link);
    return ok && !cubin->failed;
}

/* The driver keeps on disk what it assembles, and finds it in 0.2 ms; unless its user turned that
 * off, which is when we do. */
static bool driver_keeps(void)
{
    const char *off = secure_getenv("CUDA_CACHE_DISABLE");
    return !off || strcmp(off, "1") != 0;
}

static void module_key(const cuda_device *d, const artifact *a, uint8_t key[ARTIFACT_KEY_SIZE])
{
    char driver[64];
    snprintf(driver, sizeof driver, "cuda %d", d->driver_version);
    binary_key((cpl_device *)&d->base, a, driver, key);
}

/* A cubin that does not load was made for something else. */
static bool load_kept(cuda_device *d, const artifact *a, cu_module *module)
{
    uint8_t key[ARTIFACT_KEY_SIZE];
    strbuf cubin;
    if (driver_keeps()) return false;
    module_key(d, a, key);
    sb_init(&cubin, context_mem(d->base.cx));
    bool ok =
        binary_get(&d->base, key, &cubin) && d->cu->ModuleLoadData(module, cubin.at) == CU_SUCCESS;
    sb_free(&cubin);
    return ok;
}

/* For another process; it can do without. */
static void keep(cuda_device *d, const artifact *a, const dev_code *code)
{
    enum { UNIT = 8, LEAST = 24 }; /* registers are given out by the eight; calls need some */
    uint8_t key[ARTIFACT_KEY_SIZE];
    strbuf cubin;
    int registers = 0;
    if (driver_keeps() || !cpl_cache_directory(d->base.cx)) return;
    if (d->cu->FuncGetAttribute(&registers, CU_FUNC_NUM_REGS, code->function) != CU_SUCCESS) return;
    registers = (registers + UNIT - 1) / UNIT * UNIT;
    module_key(d, a, key);
    sb_init(&cubin, context_mem(d->base.cx));
    if (link_cubin(d, a, registers > LEAST ? registers : LEAST, &cubin))
        binary_put(&d->base, key, cubin.at, cubin.n);
    sb_free(&cubin);
}

static cpl_status measure(cuda_device *d, const artifact *a, dev_code *code)
{
    int limit = a->items > 1 ? TILE_GROUP : USUAL_GROUP;
    int grid = 0, group = 0, most = 0, local = 0, blocks = 0;
    cpl_status status =
        CUDA(d, FuncGetAttribute, &most, CU_FUNC_MAX_THREADS_PER_BLOCK, code->function);
    if (!status)
        status = CUDA(d, FuncGetAttribute, &local, CU_FUNC_SHARED_SIZE_BYTES, code->function);
    if (!status)
        status =
            CUDA(d, OccupancyMaxPotentialBlockSize, &grid, &group, code->function, NULL, 0, limit);
    if (!status)
        status =
            CUDA(d, OccupancyMaxActiveBlocksPerMultiprocessor, &blocks, code->function, group, 0);
    if (status) return status;
    code->most_group = most > 0 ? (uint32_t)most : 1;
    code->group = group > 0 ? (uint32_t)group : 1;
    code->static_local = (uint32_t)local;
    /* what a group has in local memory is made and handed in once for each */
    code->most_groups =
        (blocks > 0 ? (uint32_t)blocks : 1) * d->base.info.units * (local ? 1 : ROUNDS);
    return CPL_OK;
}

cpl_status cuda_load(cpl_device *device, cpl_kernel *k, dev_code *code)
{
    cuda_device *d = cuda_of(device);
    const artifact *a = &k->artifact;
    if (a->target.kind != TGT_CUDA)
        return context_report(device->cx, CPL_EARG, "%s runs no code for %s", device->info.label,
                              k->target);
    bool pushed;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    bool kept = load_kept(d, a, &code->module);
    status = kept ? CPL_OK : load_text(d, a, &code->module);
    if (!status) {
        status = CUDA(d, ModuleGetFunction, &code->function, code->module, a->entry);
        if (!status) status = measure(d, a, code);
        if (status) d->cu->ModuleUnload(code->module);
        else if (!kept) keep(d, a, code);
    }
    cuda_leave(d, pushed);
    return status;
}

/* Waits for launches of the kernel that may still run. A context must not be asked while one of its
 * streams is captured; then it is the driver who waits as it unloads, which it does but does not
 * promise. */
void cuda_unload(dev_code *code)
{
    cuda_device *d = cuda_of(code->device);
    bool pushed = d->cu->CtxPushCurrent(d->context) == CU_SUCCESS;
    if (!atomic_load(&d->base.lost) && !atomic_load(&d->captures)) d->cu->CtxSynchronize();
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
        status = CUDA(d, FuncSetAttribute, code->function, CU_FUNC_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                      (int)l->local_bytes);
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
        status =
            CUDA(d, LaunchKernel, l->code->function, (unsigned)l->groups[0], (unsigned)l->groups[1],
                 (unsigned)l->groups[2], l->group[0], l->group[1], l->group[2],
                 (unsigned)l->local_bytes, q->native, (void **)l->values->pointers, NULL);
    if (!status && t) status = cuda_end(q, t);
    cuda_leave(d, pushed);
    return status;
}

/* --- graphs --- */

/* Whoever waits for the queue from now on waits for its mark. */
static cpl_status begin_capture(cuda_device *d, cpl_queue *q)
{
    cuda_queue *own = q->own;
    pthread_mutex_lock(&own->lock);
    cpl_status status = CUDA(d, EventRecord, own->mark, q->native);
    if (!status) status = CUDA(d, StreamBeginCapture, q->native, CU_STREAM_CAPTURE_RELAXED);
    own->capturing = !status;
    if (!status) atomic_fetch_add(&d->captures, 1);
    pthread_mutex_unlock(&own->lock);
    return status;
}

static cu_result end_capture(cuda_device *d, cpl_queue *q, cu_graph *captured)
{
    cuda_queue *own = q->own;
    pthread_mutex_lock(&own->lock);
    cu_result r = d->cu->StreamEndCapture(q->native, captured);
    own->capturing = false;
    atomic_fetch_sub(&d->captures, 1);
    pthread_mutex_unlock(&own->lock);
    return r;
}

cpl_status cuda_graph_begin(cpl_queue *q)
{
    cuda_device *d = cuda_of(q->device);
    const cu_api *cu = d->cu;
    bool pushed;
    if (!cu->StreamBeginCapture || !cu->StreamEndCapture || !cu->GraphInstantiate ||
        !cu->GraphLaunch || !cu->GraphDestroy || !cu->GraphExecDestroy)
        return CPL_EUNSUPPORTED;
    cpl_status status = cuda_enter(d, &pushed);
    if (status) return status;
    status = begin_capture(d, q);
    cuda_leave(d, pushed);
    return status;
}

/* The capture ends whatever happens: a stream that is captured serves for nothing else. */
cpl_status cuda_graph_end(cpl_queue *q, void **graph)
{
    cuda_device *d = cuda_of(q->device);
    bool pushed;
    cu_graph captured = NULL;
    cpl_status status = cuda_enter(d, &pushed);
    cu_result ended = end_capture(d, q, &captured);
    if (graph && !status) { /* else it is dropped: how it ended does not matter */
        status = cuda_check(d, "cuStreamEndCapture", ended);
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

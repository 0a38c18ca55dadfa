/*
 * libcuda.so.1: devices, contexts, memory, modules. Declared by hand after the driver API's manual,
 * so that no toolkit is needed; numbers are those of cuda.h.
 */
#include "cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)

static bool initialised; /* under the driver's lock */

/* Contexts that are current to a thread, the last one on top. */
enum { MOST_CURRENT = 64 };
static _Thread_local object *stack[MOST_CURRENT];
static _Thread_local int depth;

int standin_depth(void)
{
    return depth;
}

int cu_context(object **context)
{
    object *o = depth ? object_check(stack[depth - 1], STANDIN_CONTEXT) : NULL;
    if (context) *context = o;
    return o ? 0 : driver_misuse(201, "no context is current");
}

int cuInit(unsigned flags)
{
    ENTER;
    if (flags) return driver_leave(1);
    initialised = driver_config()->devices > 0;
    return driver_leave(initialised ? 0 : 100);
}

int cuDriverGetVersion(int *version)
{
    ENTER;
    *version = 13000 + 10 * driver_config()->version;
    return driver_leave(0);
}

static const struct {
    int code;
    const char *name, *text;
} errors[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {600, "CUDA_ERROR_NOT_READY", "device not ready"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {999, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

int cuGetErrorName(int code, const char **text)
{
    *text = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code) *text = errors[i].name;
    return *text ? 0 : 1;
}

int cuGetErrorString(int code, const char **text)
{
    *text = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code) *text = errors[i].text;
    return *text ? 0 : 1;
}

/* --- devices --- */

static int device_code(int device)
{
    return !initialised ? 3 : device < 0 || device >= driver_config()->devices ? 101 : 0;
}

int cuDeviceGetCount(int *count)
{
    ENTER;
    *count = driver_config()->devices;
    return driver_leave(initialised ? 0 : 3);
}

int cuDeviceGet(int *device, int ordinal)
{
    ENTER;
    *device = ordinal;
    return driver_leave(device_code(ordinal));
}

int cuDeviceGetName(char *name, int size, int device)
{
    ENTER;
    snprintf(name, (size_t)size, "Stand-in %d", device);
    return driver_leave(device_code(device));
}

int cuDeviceGetUuid_v2(unsigned char *uuid, int device)
{
    ENTER;
    memset(uuid, device + 1, 16);
    return driver_leave(device_code(device));
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    ENTER;
    *bytes = (size_t)memory_limit();
    return driver_leave(device_code(device));
}

int cuDeviceGetPCIBusId(char *text, int size, int device)
{
    ENTER;
    snprintf(text, (size_t)size, "0000:%02x:00.0", device + 1);
    return driver_leave(device_code(device));
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    ENTER;
    int cc = driver_config()->cc;
    switch (attribute) {
    case 1: *value = 1024; break; /* threads a block */
    case 2:
    case 3: *value = 1024; break;       /* block, x and y */
    case 4: *value = 64; break;         /* z */
    case 5: *value = 2147483647; break; /* grid, x */
    case 6:
    case 7: *value = 65535; break; /* y and z */
    case 8:
    case 9: *value = 49152; break; /* shared memory a block; constant memory */
    case 10: *value = 32; break;   /* warp */
    case 12:
    case 82: *value = 65536; break; /* registers a block, a multiprocessor */
    case 13:
    case 36: *value = 1000000; break;    /* clocks in kHz */
    case 16: *value = 4; break;          /* multiprocessors */
    case 33: *value = device + 1; break; /* PCI bus */
    case 37: *value = 512; break;        /* bits of the memory's bus */
    case 38: *value = 1 << 20; break;    /* L2 */
    case 39: *value = 2048; break;       /* threads a multiprocessor */
    case 40:
        *value = 2;
        break; /* copy engines */
    /* mapped host memory, concurrent kernels, unified addresses ... */
    case 19:
    case 31:
    case 41:
    case 83:
    case 84: *value = 1; break;
    case 75: *value = cc / 10; break;
    case 76: *value = cc % 10; break;
    /* shared memory a multiprocessor, a block on request */
    case 81:
    case 97: *value = 98304; break;
    case 115: *value = 1; break; /* memory pools */
    default: *value = 0; break;
    }
    return driver_leave(device_code(device));
}

int cuDeviceCanAccessPeer(int *can, int device, int peer)
{
    ENTER;
    *can = device != peer;
    return driver_leave(device_code(device) ? device_code(device) : device_code(peer));
}

/* --- contexts --- */

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    ENTER;
    int code = device_code(device);
    if (code) return driver_leave(code);
    object *o = object_first();
    while (o && !(o->kind == STANDIN_CONTEXT && o->cuda && o->refs > 0 && o->device == device))
        o = o->next;
    if (o) {
        o->refs++;
    } else {
        o = object_new(STANDIN_CONTEXT, true);
        o->device = device;
    }
    *context = o;
    return driver_leave(0);
}

/* Whoever releases has released: a failing call too, which reports what the device had done before.
 * So does each destroy below. */
int cuDevicePrimaryCtxRelease_v2(int device)
{
    int e = driver_enter(__func__);
    for (object *o = object_first(); o; o = o->next) {
        if (o->kind != STANDIN_CONTEXT || !o->cuda || o->refs <= 0 || o->device != device) continue;
        if (o->refs == 1) streams_drain(true, device);
        object_drop(o);
        return driver_leave(e);
    }
    return driver_leave(
        driver_misuse(201, "the primary context of device %d is released too often", device));
}

int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active)
{
    ENTER;
    *flags = 0;
    *active = 0;
    for (object *o = object_first(); o; o = o->next)
        if (o->kind == STANDIN_CONTEXT && o->cuda && o->refs > 0 && o->device == device)
            *active = 1;
    return driver_leave(device_code(device));
}

int cuCtxPushCurrent_v2(void *context)
{
    ENTER;
    if (!object_check(context, STANDIN_CONTEXT))
        return driver_leave(driver_misuse(201, "%s: a dead context", __func__));
    if (depth == MOST_CURRENT)
        return driver_leave(driver_misuse(1, "%s: contexts are pushed and never popped", __func__));
    stack[depth++] = context;
    return driver_leave(0);
}

int cuCtxPopCurrent_v2(void **context)
{
    int e = driver_enter(__func__);
    if (!depth) return driver_leave(driver_misuse(201, "%s: nothing is current", __func__));
    depth--;
    if (context) *context = stack[depth];
    return driver_leave(e);
}

int cuCtxGetCurrent(void **context)
{
    ENTER;
    *context = depth ? stack[depth - 1] : NULL;
    return driver_leave(0);
}

int cuCtxSetCurrent(void *context)
{
    ENTER;
    if (context && !object_check(context, STANDIN_CONTEXT))
        return driver_leave(driver_misuse(201, "%s: a dead context", __func__));
    if (!context) {
        depth -= depth > 0;
    } else {
        depth += depth == 0;
        stack[depth - 1] = context;
    }
    return driver_leave(0);
}

int cuCtxGetDevice(int *device)
{
    ENTER;
    object *context;
    int code = cu_context(&context);
    if (!code) *device = context->device;
    return driver_leave(code);
}

/* A stream of the device, or of any (-1). */
static bool is_captured(int device)
{
    const object *o = object_first();
    while (o && !(o->kind == STANDIN_STREAM && o->refs > 0 && o->capturing &&
                  (device < 0 || o->device == device)))
        o = o->next;
    return o != NULL;
}

/* Waits even where it is told to fail. Captures that are asked come to nothing. */
int cuCtxSynchronize(void)
{
    int e = driver_enter(__func__);
    object *context;
    int code = cu_context(&context);
    if (!code && is_captured(context->device))
        code = driver_misuse(900, "%s: one of its streams is captured", __func__);
    if (!code) streams_drain(true, context->device);
    return driver_leave(e ? e : code);
}

int cuCtxEnablePeerAccess(void *peer, unsigned flags)
{
    ENTER;
    (void)flags;
    return driver_leave(object_check(peer, STANDIN_CONTEXT) ? cu_context(NULL) : 201);
}

int cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    ENTER;
    *least = 0;
    *greatest = -5;
    return driver_leave(cu_context(NULL));
}

int cuCtxGetLimit(size_t *value, int limit)
{
    ENTER;
    (void)limit;
    *value = 1024;
    return driver_leave(cu_context(NULL));
}

/* --- memory --- */

static int allocate(standin_kind kind, uint64_t *address, size_t size)
{
    object *context;
    int code = cu_context(&context);
    if (code) return code;
    if (!size) return driver_misuse(1, "an allocation of no bytes");
    object *o = memory_new(kind, true, size);
    if (!o) return 2;
    o->device = context->device;
    *address = (uint64_t)(uintptr_t)o->data;
    return 0;
}

/* Frees what begins at an address. */
static int release(standin_kind kind, uint64_t address, const char *name)
{
    if (!address) return 0;
    for (object *o = object_first(); o; o = o->next) {
        if (o->kind != kind || o->refs <= 0 || !o->data || (uint64_t)(uintptr_t)o->data != address)
            continue;
        memory_release(o, name);
        return 0;
    }
    return driver_misuse(1, "%s: nothing begins at this address", name);
}

int cuMemAlloc_v2(uint64_t *address, size_t size)
{
    ENTER;
    return driver_leave(allocate(STANDIN_MEMORY, address, size));
}

int cuMemAllocAsync(uint64_t *address, size_t size, void *stream)
{
    ENTER;
    (void)stream;
    return driver_leave(allocate(STANDIN_MEMORY, address, size));
}

int cuMemAllocFromPoolAsync(uint64_t *address, size_t size, void *pool, void *stream)
{
    ENTER;
    (void)stream;
    if (!object_check(pool, STANDIN_POOL))
        return driver_leave(driver_misuse(1, "%s: a dead pool", __func__));
    return driver_leave(allocate(STANDIN_MEMORY, address, size));
}

int cuMemAllocManaged(uint64_t *address, size_t size, unsigned flags)
{
    ENTER;
    (void)flags;
    return driver_leave(allocate(STANDIN_MEMORY, address, size));
}

static int release_entry(standin_kind kind, uint64_t address, const char *name)
{
    int e = driver_enter(name);
    int code = cu_context(NULL);
    if (!code) code = release(kind, address, name);
    return driver_leave(e ? e : code);
}

int cuMemFree_v2(uint64_t address)
{
    return release_entry(STANDIN_MEMORY, address, __func__);
}

/* As early as the driver may: with the work before it. */
int cuMemFreeAsync(uint64_t address, void *stream)
{
    driver_lock();
    object *o = object_check(stream, STANDIN_STREAM);
    if (o) stream_drain(o);
    driver_unlock();
    return release_entry(STANDIN_MEMORY, address, __func__);
}

int cuMemHostAlloc(void **address, size_t size, unsigned flags)
{
    ENTER;
    (void)flags;
    uint64_t at = 0;
    int code = allocate(STANDIN_PINNED, &at, size);
    *address = (void *)(uintptr_t)at;
    return driver_leave(code);
}

int cuMemAllocHost_v2(void **address, size_t size)
{
    ENTER;
    uint64_t at = 0;
    int code = allocate(STANDIN_PINNED, &at, size);
    *address = (void *)(uintptr_t)at;
    return driver_leave(code);
}

int cuMemFreeHost(void *address)
{
    return release_entry(STANDIN_PINNED, (uint64_t)(uintptr_t)address, __func__);
}

int cuMemHostRegister_v2(void *address, size_t size, unsigned flags)
{
    ENTER;
    (void)flags;
    int code = cu_context(NULL);
    if (code) return driver_leave(code);
    object *o = object_new(STANDIN_PINNED, true);
    o->data = address;
    o->size = size;
    o->borrowed = true;
    return driver_leave(0);
}

int cuMemHostUnregister(void *address)
{
    return release_entry(STANDIN_PINNED, (uint64_t)(uintptr_t)address, __func__);
}

int cuMemHostGetDevicePointer_v2(uint64_t *device, void *address, unsigned flags)
{
    ENTER;
    (void)flags;
    *device = (uint64_t)(uintptr_t)address;
    return driver_leave(memory_find(address, 1) ? 0 : driver_misuse(1, "%s: not pinned", __func__));
}

int cuMemGetInfo_v2(size_t *unused, size_t *total)
{
    ENTER;
    *total = (size_t)memory_limit();
    *unused = (size_t)(memory_limit() - memory_used());
    return driver_leave(cu_context(NULL));
}

int cuMemGetAddressRange_v2(uint64_t *base, size_t *size, uint64_t address)
{
    ENTER;
    const object *o = memory_find((void *)(uintptr_t)address, 1);
    if (!o) return driver_leave(500);
    if (base) *base = (uint64_t)(uintptr_t)o->data;
    if (size) *size = o->size;
    return driver_leave(0);
}

/* The type alone, which is 0 of memory that is not the driver's. */
int cuPointerGetAttributes(unsigned count, const int *attributes, void **values, uint64_t address)
{
    ENTER;
    const object *o = memory_find((void *)(uintptr_t)address, 1);
    for (unsigned i = 0; i < count; i++) {
        if (attributes[i] != 2) return driver_leave(1);
        *(unsigned *)values[i] = !o ? 0 : o->kind == STANDIN_MEMORY ? 2 : 1;
    }
    return driver_leave(0);
}

/* --- memory pools --- */

int cuMemPoolCreate(void **pool, const void *properties)
{
    ENTER;
    (void)properties;
    *pool = object_new(STANDIN_POOL, true);
    return driver_leave(0);
}

/* The device's own pool: nobody made it, so it is no object that counts. */
int cuDeviceGetDefaultMemPool(void **pool, int device)
{
    static char own[64];
    ENTER;
    *pool = &own[device & 63];
    return driver_leave(device_code(device));
}

int cuMemPoolDestroy(void *pool)
{
    int e = driver_enter(__func__);
    object *o = object_check(pool, STANDIN_POOL);
    if (!o) return driver_leave(driver_misuse(1, "%s: a dead pool", __func__));
    object_drop(o);
    return driver_leave(e);
}

int cuMemPoolTrimTo(void *pool, size_t keep)
{
    ENTER;
    (void)pool, (void)keep;
    return driver_leave(0);
}

int cuMemPoolSetAttribute(void *pool, int attribute, void *value)
{
    ENTER;
    (void)pool, (void)attribute, (void)value;
    return driver_leave(0);
}

/* --- modules --- */

/* Code is text here, whether it is called PTX or a cubin. Code that says so cannot be
 * translated. */
static int load_text(object **module, const void *image)
{
    int code = cu_context(NULL);
    if (code) return code;
    if (strstr(image, "// refuse")) return 218;
    object *o = object_new(STANDIN_MODULE, true);
    o->data = (unsigned char *)strdup(image);
    if (!o->data) abort();
    o->size = strlen(image);
    *module = o;
    return 0;
}

int cuModuleLoadData(void **module, const void *image)
{
    driver_compile();
    ENTER;
    return driver_leave(load_text((object **)module, image));
}

static void write_log(unsigned count, const int *options, void **values, const char *text)
{
    char *log = NULL;
    size_t size = 0;
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == 5) log = values[i];                     /* CU_JIT_ERROR_LOG_BUFFER */
        if (options[i] == 6) size = (size_t)(uintptr_t)values[i]; /* its size */
    }
    if (log && size) snprintf(log, size, "%s", text);
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned count, const int *options,
                       void **values)
{
    driver_compile();
    int code = driver_enter(__func__);
    if (!code) code = load_text((object **)module, image);
    if (code) write_log(count, options, values, "stand-in: told to fail");
    return driver_leave(code);
}

int cuModuleUnload(void *module)
{
    int e = driver_enter(__func__);
    object *o = object_check(module, STANDIN_MODULE);
    if (!o) return driver_leave(driver_misuse(400, "%s: a dead module", __func__));
    const char *use = streams_use(o);
    /* NVIDIA's waits for the device, which its manual does not say; while a stream is captured
     * nobody else can. */
    if (use && !is_captured(-1)) driver_misuse(0, "%s: '%s' of it has not run", __func__, use);
    if (use) streams_drain(true, -1);
    for (object *f = object_first(); f; f = f->next)
        if (f->kind == STANDIN_KERNEL && f->cuda && f->refs > 0 && f->parent == o) {
            f->parent = NULL;
            object_drop(f);
        }
    object_drop(o);
    return driver_leave(e);
}

/* Bytes of the parameter whose declaration begins at text; 0 when it cannot be read. */
static size_t param_size(const char *text, const char *end)
{
    for (const char *p = text; p < end && *p != ','; p++) {
        if (*p != '.' || !strchr("busf", p[1]) || p[2] < '0' || p[2] > '9') continue;
        size_t bits = strtoul(p + 2, NULL, 10);
        while (p < end && *p != ',' && *p != '[') p++;
        return bits / 8 * (p < end && *p == '[' ? strtoul(p + 1, NULL, 10) : 1);
    }
    return 0;
}

/* Reads "ENTRY name(.param .u64 a, ...)" of PTX. */
static bool read_params(const char *text, const char *name, params *out)
{
    size_t length = strlen(name);
    const char *at = text;
    while ((at = strstr(at, ".entry"))) {
        at += strlen(".entry");
        at += strspn(at, " \t\n");
        if (!strncmp(at, name, length) && strchr(" \t\n(", at[length])) break;
    }
    if (!at) return false;
    at += length;
    at += strspn(at, " \t\n");
    const char *end = *at == '(' ? strchr(at, ')') : NULL;
    out->count = 0;
    while (end && (at = strstr(at, ".param")) && at < end && out->count < MOST_PARAMS) {
        at += strlen(".param");
        size_t size = param_size(at, end);
        out->size[out->count++] = size <= PARAM_BYTES ? size : PARAM_BYTES;
    }
    return true;
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
    ENTER;
    object *m = object_check(module, STANDIN_MODULE);
    if (!m) return driver_leave(driver_misuse(400, "%s: a dead module", __func__));
    params *args = calloc(1, sizeof *args);
    if (!args) abort();
    if (!read_params((const char *)m->data, name, args)) {
        free(args);
        return driver_leave(500);
    }
    object *o = object_new(STANDIN_KERNEL, true);
    o->name = strdup(name);
    o->args = args;
    o->parent = m;
    m->children++;
    *function = o;
    return driver_leave(0);
}

int cuModuleGetGlobal_v2(uint64_t *address, size_t *size, void *module, const char *name)
{
    ENTER;
    (void)address, (void)size, (void)name;
    return driver_leave(object_check(module, STANDIN_MODULE)
                            ? 500
                            : driver_misuse(400, "%s: a dead module", __func__));
}

int cuFuncGetAttribute(int *value, int attribute, void *function)
{
    ENTER;
    const object *kernel = object_check(function, STANDIN_KERNEL);
    if (!kernel) return driver_leave(driver_misuse(400, "%s: a dead function", __func__));
    /* threads, shared, constant, local, registers, versions ... */
    const int values[] = {(int)driver_most_group(kernel), 0, 0, 0, 32, 90, 90, 0, 49152, 0};
    *value = attribute >= 0 && attribute < 10 ? values[attribute] : 0;
    return driver_leave(0);
}

int cuFuncSetAttribute(void *function, int attribute, int value)
{
    ENTER;
    (void)attribute, (void)value;
    return driver_leave(object_check(function, STANDIN_KERNEL)
                            ? 0
                            : driver_misuse(400, "%s: a dead function", __func__));
}

int cuFuncSetCacheConfig(void *function, int preferred)
{
    ENTER;
    (void)preferred;
    return driver_leave(object_check(function, STANDIN_KERNEL)
                            ? 0
                            : driver_misuse(400, "%s: a dead function", __func__));
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads,
                                                size_t shared)
{
    ENTER;
    (void)shared;
    *blocks = threads > 0 ? 2048 / threads : 0;
    return driver_leave(object_check(function, STANDIN_KERNEL)
                            ? 0
                            : driver_misuse(400, "%s: a dead function", __func__));
}

int cuOccupancyMaxPotentialBlockSize(int *least, int *threads, void *function, void *shared_of,
                                     size_t shared, int limit)
{
    ENTER;
    (void)shared_of, (void)shared, (void)limit;
    const object *kernel = object_check(function, STANDIN_KERNEL);
    if (!kernel) return driver_leave(driver_misuse(400, "%s: a dead function", __func__));
    *least = 8;
    *threads = driver_most_group(kernel) < 256 ? (int)driver_most_group(kernel) : 256;
    return driver_leave(0);
}

/* --- the linker, which makes a cubin of PTX --- */

int cuLinkCreate_v2(unsigned count, const int *options, void **values, void **state)
{
    ENTER;
    (void)count, (void)options, (void)values;
    int code = cu_context(NULL);
    if (!code) *state = object_new(STANDIN_LINKER, true);
    return driver_leave(code);
}

int cuLinkAddData_v2(void *state, int type, void *data, size_t size, const char *name,
                     unsigned count, const int *options, void **values)
{
    ENTER;
    (void)type, (void)name, (void)count, (void)options, (void)values;
    object *o = object_check(state, STANDIN_LINKER);
    if (!o) return driver_leave(driver_misuse(400, "%s: a dead linker", __func__));
    unsigned char *grown = realloc(o->data, o->size + size + 1);
    if (!grown) abort();
    memcpy(grown + o->size, data, size);
    grown[o->size + size] = '\0';
    o->data = grown;
    o->size += size;
    return driver_leave(strstr((const char *)grown, "// refuse") ? 218 : 0);
}

int cuLinkComplete(void *state, void **cubin, size_t *size)
{
    ENTER;
    object *o = object_check(state, STANDIN_LINKER);
    if (!o || !o->data)
        return driver_leave(driver_misuse(400, "%s: a dead or empty linker", __func__));
    *cubin = o->data;
    *size = o->size + 1;
    return driver_leave(0);
}

int cuLinkDestroy(void *state)
{
    int e = driver_enter(__func__);
    object *o = object_check(state, STANDIN_LINKER);
    if (!o) return driver_leave(driver_misuse(400, "%s: a dead linker", __func__));
    object_drop(o);
    return driver_leave(e);
}

#pragma GCC visibility pop

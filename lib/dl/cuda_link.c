/* Machine code for a CUDA device from NVIDIA's driver, without a context or queue of ours: for
 * `--emit cubin`. */
#include "lib/dl/cuda.h"
#include "lib/dl/dl.h"

#include <stdint.h>
#include <stdio.h>

typedef struct linking {
    const cu_api *cu;
    const char *call; /* that the result is of */
    char *error;
    size_t error_size;
} linking;

static bool failed(const linking *l, cu_result r)
{
    const char *name = NULL;
    l->cu->GetErrorName(r, &name);
    snprintf(l->error, l->error_size, "%s: %s", l->call, name ? name : "unknown error");
    return false;
}

/* The first device of this compute capability: the driver makes code for the device of the current
 * context. */
static bool find_device(linking *l, int sm, cu_device *device)
{
    int count = 0;
    l->call = "cuInit";
    cu_result r = l->cu->Init(0);
    if (r == CU_SUCCESS) r = l->cu->DeviceGetCount((l->call = "cuDeviceGetCount", &count));
    if (r != CU_SUCCESS) return failed(l, r);
    for (int i = 0; i < count; i++) {
        int major = 0, minor = 0;
        if (l->cu->DeviceGet(device, i) != CU_SUCCESS) continue;
        l->cu->DeviceGetAttribute(&major, CU_DEVICE_COMPUTE_CAPABILITY_MAJOR, *device);
        l->cu->DeviceGetAttribute(&minor, CU_DEVICE_COMPUTE_CAPABILITY_MINOR, *device);
        if (major * 10 + minor == sm) return true;
    }
    snprintf(l->error, l->error_size, "there is no device of sm_%d", sm);
    return false;
}

static bool link_ptx(linking *l, const char *ptx, size_t size, bool line_info,
                     void (*put)(void *, const void *, size_t), void *user)
{
    char log[512] = "";
    int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE,
                     CU_JIT_GENERATE_LINE_INFO};
    void *values[] = {log, (void *)(uintptr_t)sizeof log, (void *)(uintptr_t)line_info};
    cu_link link = NULL;
    void *cubin = NULL;
    size_t cubin_size = 0;
    l->call = "cuLinkCreate";
    cu_result r = l->cu->LinkCreate(3, options, values, &link);
    if (r == CU_SUCCESS)
        r = l->cu->LinkAddData(link, (l->call = "cuLinkAddData", CU_LINK_INPUT_PTX),
                               (void *)(uintptr_t)ptx, size + 1, "kernel", 0, NULL, NULL);
    if (r == CU_SUCCESS)
        r = l->cu->LinkComplete(link, (l->call = "cuLinkComplete", &cubin), &cubin_size);
    if (r == CU_SUCCESS) put(user, cubin, cubin_size);
    if (link) l->cu->LinkDestroy(link);
    if (r == CU_SUCCESS) return true;
    log[sizeof log - 1] = 0;
    if (*log) snprintf(l->error, l->error_size, "%s", log);
    else failed(l, r);
    return false;
}

bool dl_cuda_assemble(const char *ptx, size_t size, int sm, bool line_info,
                      void (*put)(void *user, const void *bytes, size_t size), void *user,
                      char *error, size_t error_size)
{
    const char *why;
    linking l = {dl_cuda(&why), "", error, error_size};
    cu_device device;
    cu_context context, popped;
    if (!l.cu) {
        snprintf(error, error_size, "%s", why);
        return false;
    }
    if (!find_device(&l, sm, &device)) return false;
    l.call = "cuDevicePrimaryCtxRetain";
    cu_result r = l.cu->DevicePrimaryCtxRetain(&context, device);
    if (r != CU_SUCCESS) return failed(&l, r);
    bool ok = false;
    l.call = "cuCtxPushCurrent";
    if ((r = l.cu->CtxPushCurrent(context)) == CU_SUCCESS) {
        ok = link_ptx(&l, ptx, size, line_info, put, user);
        l.cu->CtxPopCurrent(&popped);
    } else {
        failed(&l, r);
    }
    if (l.cu->DevicePrimaryCtxRelease) l.cu->DevicePrimaryCtxRelease(device);
    return ok;
}

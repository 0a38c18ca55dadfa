/* OpenCL's devices: what the files opencl*.c share. */
#ifndef CPL_RUNTIME_DEVICE_OPENCL_INT_H
#define CPL_RUNTIME_DEVICE_OPENCL_INT_H

#include "runtime/device/device.h"
#include "lib/dl/opencl.h"

typedef struct opencl_device {
    cpl_device base; /* first */
    const cl_api *cl;
    void *platform, *id, *context;  /* the context has this device alone */
    bool svm;                       /* memory has addresses: coarse-grained shared virtual memory */
    cl_int info_error;              /* the first of clGetDeviceInfo, while it was looked at */
    size_t alignment;               /* bytes: of sub-buffers */
    _Atomic(uint64_t) next_address; /* of memory without an address, for comparing */
} opencl_device;

static inline opencl_device *opencl_of(const cpl_device *d)
{
    return (opencl_device *)d;
}

/* Reports a failed call with the error's name and marks the device lost if it is; the status for a
 * result. */
cpl_status opencl_failed(opencl_device *d, const char *call, cl_int result);
#define OPENCL(d, name, ...) opencl_check(d, "cl" #name, (d)->cl->name(__VA_ARGS__))
static inline cpl_status opencl_check(opencl_device *d, const char *call, cl_int result)
{
    return __builtin_expect(result == CL_OK, 1) ? CPL_OK : opencl_failed(d, call, result);
}
const char *opencl_error_name(cl_int result);

/* opencl.c: where a command puts its event; NULL if nobody wants one. */
static inline void **opencl_event(dev_ticks *t)
{
    return t ? &t->end : NULL;
}

/* opencl_memory.c */
cpl_status opencl_alloc(cpl_device *d, size_t size, dev_block *block);
void opencl_free(dev_block *block);
cpl_status opencl_adopt(cpl_device *d, void *memory, bool is_pointer, dev_block *block);
cpl_status opencl_store(cpl_queue *q, dev_block *to, const void *from, size_t size);
cpl_status opencl_zero(cpl_queue *q, dev_block *to, size_t at, size_t size);
cpl_status opencl_write(cpl_queue *q, dev_span to, const void *from, size_t size, bool pinned,
                        dev_ticks *t);
cpl_status opencl_read(cpl_queue *q, const dev_block *from, size_t at, void *to, size_t size,
                       dev_ticks *t);
cpl_status opencl_copy(cpl_queue *q, dev_span to, dev_span from, size_t size, dev_ticks *t);

/* opencl_code.c */
cpl_status opencl_load(cpl_device *d, cpl_kernel *k, dev_code *code);
void opencl_unload(dev_code *code);
cpl_status opencl_launch(cpl_queue *q, const dev_launch *l, dev_ticks *t);

#endif

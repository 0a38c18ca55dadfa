/* NVIDIA's devices: what the files cuda*.c share. */
#ifndef CPL_RUNTIME_DEVICE_CUDA_INT_H
#define CPL_RUNTIME_DEVICE_CUDA_INT_H

#include "runtime/device/device.h"
#include "lib/dl/cuda.h"

typedef struct cuda_device {
    cpl_device base; /* first */
    const cu_api *cu;
    cu_device id;
    cu_context context; /* the primary one, which the host program's CUDA code uses too */
    int driver_version;
    _Atomic(uint64_t) peers; /* bit i: direct access to device i was asked for */
    atomic_uint captures;    /* streams that are captured now */
} cuda_device;

/* Page-locked memory that copies from and to ordinary memory pass through, two pieces in turn. */
typedef struct cuda_stage {
    void *memory;  /* NULL until the first copy */
    cu_event done; /* the last copy from or to it */
} cuda_stage;

typedef struct cuda_queue { /* cpl_queue.own */
    pthread_mutex_t lock;   /* of all of it */
    cuda_stage stages[2];
    cu_event mark;  /* for queues that wait for this one */
    bool capturing; /* the stream: mark stands behind what was launched before */
} cuda_queue;

static inline cuda_device *cuda_of(const cpl_device *d)
{
    return (cuda_device *)d;
}

/* cuda_call.c: never NULL */
void cuda_error_texts(const cu_api *cu, cu_result r, const char **name, const char **text);
/* Reports a failed call with the driver's text and marks the device lost if it is; the status for a
 * result. */
cpl_status cuda_failed(cuda_device *d, const char *call, cu_result result);
#define CUDA(d, name, ...) cuda_check(d, "cu" #name, (d)->cu->name(__VA_ARGS__))
static inline cpl_status cuda_check(cuda_device *d, const char *call, cu_result result)
{
    return __builtin_expect(result == CU_SUCCESS, 1) ? CPL_OK : cuda_failed(d, call, result);
}

/* Makes the device's context current; cuda_leave makes it what it was. */
cpl_status cuda_enter(cuda_device *d, bool *pushed);
void cuda_leave(cuda_device *d, bool pushed);

/* The times of what comes between the two calls; t may be NULL. Between cuda_enter and cuda_leave.
 */
cpl_status cuda_begin(cpl_queue *q, dev_ticks *t);
cpl_status cuda_end(cpl_queue *q, dev_ticks *t);
/* cuda.c, the same: records where the queue is for those that wait for it, unless it is captured:
 * then that was done before, and what waited for more would be captured too. */
cpl_status cuda_set_mark(cpl_queue *q);

/* cuda_memory.c */
cpl_status cuda_alloc(cpl_device *d, size_t size, dev_block *block);
void cuda_free(dev_block *block);
cpl_status cuda_adopt(cpl_device *d, void *memory, bool is_pointer, dev_block *block);
void *cuda_pinned_alloc(cpl_device *d, size_t size);
void cuda_pinned_free(cpl_device *d, void *memory);
bool cuda_pin(cpl_device *d, void *memory, size_t size);
void cuda_unpin(cpl_device *d, void *memory);
cpl_status cuda_store(cpl_queue *q, dev_block *to, const void *from, size_t size);
cpl_status cuda_zero(cpl_queue *q, dev_block *to, size_t at, size_t size);
cpl_status cuda_write(cpl_queue *q, dev_span to, const void *from, size_t size, bool pinned,
                      dev_ticks *t);
cpl_status cuda_read(cpl_queue *q, const dev_block *from, size_t at, void *to, size_t size,
                     dev_ticks *t);
cpl_status cuda_copy(cpl_queue *q, dev_span to, dev_span from, size_t size, dev_ticks *t);
void cuda_stages_free(cuda_device *d, cuda_queue *q);

/* cuda_code.c */
cpl_status cuda_load(cpl_device *d, cpl_kernel *k, dev_code *code);
void cuda_unload(dev_code *code);
cpl_status cuda_launch(cpl_queue *q, const dev_launch *l, dev_ticks *t);
cpl_status cuda_graph_begin(cpl_queue *q);
cpl_status cuda_graph_end(cpl_queue *q, void **graph);
cpl_status cuda_graph_launch(cpl_queue *q, void *graph, dev_ticks *t);
void cuda_graph_free(cpl_device *d, void *graph);

#endif

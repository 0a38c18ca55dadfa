/*
 * Devices, queues, events and graphs.
 *
 *     cpl_device *gpu;
 *     if (cpl_device_find(cx, "cuda", &gpu)) ... // or "opencl:1", "host"; why not:
 *                                                // cpl_device_absent
 *     cpl_queue *queue = cpl_device_queue(gpu);           // its default queue
 *     cpl_array *x; cpl_array_create(cx, gpu, CPL_FLOAT64, n, &x);
 *     cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_float(2.0)};
 *     cpl_launch(m, "scale", NULL, args, 2);              // returns before it has run
 *     if (cpl_queue_finish(queue)) ...                    // what went wrong meanwhile
 *
 * Drivers are opened when devices are first asked for; a missing one means fewer devices, never an
 * error. The host is a device too: synchronous behind the same signatures, every launch and copy
 * complete when its call returns. A queue runs what it is given in order; queues run side by side.
 * A launch or copy that reads or writes a cpl_array waits by itself for what other queues did with
 * that array.
 *
 * Errors that a device finds late (a fault in a kernel, a lost device) are returned by the next
 * call that waits: cpl_event_wait, cpl_queue_finish, a copy to the host. A lost device answers
 * CPL_EDEVICELOST to everything from then on. Every message of a driver names the call and has the
 * driver's own text.
 */
#ifndef CPL_DEVICE_H
#define CPL_DEVICE_H

#include "cpl/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CPL_DEVICE_HOST, CPL_DEVICE_CUDA and so on, from 0 without gaps. */
typedef enum cpl_device_kind {
#define DEVICE_KIND(name, number, text) CPL_DEVICE_##name = number,
#include "cpl/device.def"
#undef DEVICE_KIND
} cpl_device_kind;

/* What is known of a device. Texts live as long as the context. */
typedef struct cpl_device_info {
    size_t size; /* sizeof(cpl_device_info), set by the caller */
    cpl_device_kind kind;
    size_t index;       /* among the devices of its kind, from 0 */
    const char *label;  /* "host", "cuda:0", "opencl:1": for messages and cpl_device_find */
    const char *name;   /* the driver's: "NVIDIA H100 80GB HBM3" */
    const char *vendor; /* "" when unknown */
    const char *driver; /* "CUDA 13.0", "Portable Computing Language 3.1, OpenCL 2.0" */
    /* what kernels are compiled for unless a queue says otherwise: "cuda:sm_90", "opencl:c1.2" */
    const char *target;
    /* OpenCL: the intermediate languages it takes, as the driver spells them; "" when none */
    const char *il;
    uint64_t memory;         /* bytes; 0 when unknown */
    uint64_t local_memory;   /* bytes a work-group can have */
    uint32_t units;          /* multiprocessors, compute units, CPUs */
    uint32_t max_group_size; /* work-items */
    uint32_t max_group[3];   /* in each dimension */
    uint32_t subgroup_size;  /* 0 when there is none or it varies */
    bool fp64, fp16;         /* arithmetic on these types */
    bool int64_atomics, subgroups;
    /* OpenCL: shared virtual memory, so that views may begin at any element */
    bool pointers;
    bool is_cpu;
    /* float32 division and square root are rounded correctly, but under fast_math; otherwise
     * OpenCL's 2.5 and 3 ULP hold */
    bool rounds_division;
    bool subnormals; /* float32 has numbers below 2**-126; otherwise they are zeros */
} cpl_device_info;

/*
 * The devices there are: index from 0, the host first, then CUDA's in the driver's order, then
 * OpenCL's, platform by platform. Devices belong to the context and live as long as it.
 * cpl_device_get gives NULL past the end. Any thread.
 */
CPL_API size_t cpl_device_count(cpl_context *context);
CPL_API cpl_device *cpl_device_get(cpl_context *context, size_t index);

/*
 * A device by text: "host", "cuda" (the first), "cuda:1", "opencl:0", or a target, "cuda:sm_75",
 * "opencl:c1.2" (the first device that has this very one, else the first of that kind). Returns
 * CPL_OK, CPL_ENODEVICE (with a message that tells what was looked for; *device is NULL) or
 * CPL_EARG. Any thread.
 */
CPL_API cpl_status cpl_device_find(cpl_context *context, const char *text, cpl_device **device);

/* Why there are no devices of a kind: "libcuda.so.1: cannot open shared object file", "cuInit: no
   CUDA-capable device is detected (CUDA_ERROR_NO_DEVICE)". NULL when there are some. Lives as long
   as the context. Any thread. */
CPL_API const char *cpl_device_absent(cpl_context *context, cpl_device_kind kind);

/* Fills in *info; its size must be set. Returns CPL_OK or CPL_EARG. Any thread. */
CPL_API cpl_status cpl_device_info_get(const cpl_device *device, cpl_device_info *info);

/*
 * What launches and copies take on a device, which is what the option `choose` goes by: a kernel
 * takes launch_us and its bytes or its operations at these rates, whichever is longer, and a copy
 * copy_us and its bytes. Between sizes that were timed it goes by those times. Rates of 0: no time.
 */
typedef struct cpl_device_costs {
    size_t size;            /* sizeof(cpl_device_costs), set by the caller */
    double launch_us;       /* a launch of few bytes and the wait for it */
    double memory_gbs;      /* that a kernel reads and writes, of arrays larger than caches */
    double arithmetic_gops; /* micro-operations a nanosecond, as the compiler counts them */
    double copy_us;         /* a copy of few bytes; 0 of the host, as the rates are */
    double to_gbs, from_gbs;
} cpl_device_costs;
/*
 * The first call in a machine times the device, for about a second, and keeps what it finds with
 * the compiled kernels (cpl/cache.h). CPL_COSTS in the environment says otherwise, of some devices
 * or figures: "cuda:0 launch=6 memory=2500 to=20 from=20; host memory=40", whose other names are
 * arithmetic and copy. Returns CPL_OK, CPL_EARG (also of such a text), CPL_ENOMEM, or what a launch
 * there returns. Any thread.
 */
CPL_API cpl_status cpl_device_costs_get(cpl_device *device, cpl_device_costs *costs);

/* The driver's handle: a CUcontext (the primary context), a cl_context (*id, if not NULL, receives
   the cl_device_id or CUdevice), NULL for the host. Any thread. */
CPL_API void *cpl_device_native(cpl_device *device, void **id);

/* Gives memory that released arrays left for later ones back to the driver, but for 5 MB at most
   that a queue keeps for algorithms. Any thread. */
CPL_API cpl_status cpl_device_trim(cpl_device *device);

/* Bytes of this context's arrays on the device, and bytes kept for later arrays. Either may be
 * NULL. Any thread. */
CPL_API void cpl_device_memory(cpl_device *device, uint64_t *used, uint64_t *pooled);

/* Queues. */

typedef struct cpl_queue_options {
    size_t size; /* sizeof(cpl_queue_options) */
    /* what kernels launched here are compiled for; NULL: the device's. "opencl:c1.2" forces OpenCL
     * C */
    const char *target;
    bool use_native; /* run on a stream or queue of the host program's, */
    /* a CUstream (NULL is CUDA's legacy default stream) or cl_command_queue. It must outlive the
     * queue */
    void *native;
} cpl_queue_options;

/* Sets the defaults; NULL is allowed. Any thread. */
CPL_API void cpl_queue_options_init(cpl_queue_options *options);

/*
 * Makes a queue; options NULL means defaults. A cl_command_queue must be in order and of the
 * context that cpl_device_native returns. A queue holds the context. Returns CPL_OK, CPL_EARG,
 * CPL_ENOMEM, CPL_EDEVICE or CPL_EDEVICELOST. Any thread; the queue itself may be used from many
 * threads, but what they launch is then ordered as they come.
 */
CPL_API cpl_status cpl_queue_create(cpl_device *device, const cpl_queue_options *options,
                                    cpl_queue **queue);
CPL_API void cpl_queue_retain(cpl_queue *queue);
/* Frees the queue with the last reference, behind what it still runs, for which it does not wait
   itself (a driver may); NULL is allowed. Any thread. */
CPL_API void cpl_queue_release(cpl_queue *queue);

/* The device's default queue, made with the first call; lives as long as the context and needs no
   release. NULL when it cannot be made (the sink has the reason). Any thread. */
CPL_API cpl_queue *cpl_device_queue(cpl_device *device);

/* The device of a queue; the host for NULL is not known here: NULL for NULL. Any thread. */
CPL_API cpl_device *cpl_queue_device(const cpl_queue *queue);
/* The target text that kernels launched here are compiled for. Lives as long as the queue. Any
 * thread. */
CPL_API const char *cpl_queue_target(const cpl_queue *queue);
/* The CUstream or cl_command_queue; NULL for the host. Any thread. */
CPL_API void *cpl_queue_native(const cpl_queue *queue);

/* Waits until the queue is empty. Returns CPL_OK or the first late error: CPL_EBOUNDS, CPL_EASSERT
   (reported with its place in the source), CPL_EDEVICE, CPL_EDEVICELOST. queue NULL: CPL_OK. Any
   thread. */
CPL_API cpl_status cpl_queue_finish(cpl_queue *queue);
/*
 * The same for ms milliseconds at most (0: as long as an empty queue takes to say so, 0.2 ms;
 * negative: without end), also where a device hangs: CPL_ETIMEDOUT, which no diagnostic tells, when
 * it is not empty then. What it was given goes on, and what reads arrays of it waits without end,
 * as the queue's last release may in a driver. Behind CPL_OK nothing is left to wait for, so that a
 * copy to the host takes what copying takes. Any thread.
 */
CPL_API cpl_status cpl_queue_finish_within(cpl_queue *queue, int64_t ms);

/* What is launched here from now on runs behind the event, which may be of another queue or device.
 * Does not wait. Any thread. */
CPL_API cpl_status cpl_queue_wait(cpl_queue *queue, cpl_event *event);

/* Events: a place in a queue. Launches and copies give one when asked to. */

/* An event behind everything launched so far. Returns CPL_OK, CPL_ENOMEM, CPL_EDEVICE... Any
 * thread. */
CPL_API cpl_status cpl_queue_record(cpl_queue *queue, cpl_event **event);

/* Waits for what the event stands for and returns the launch's late status. event may be NULL
 * (CPL_OK). Any thread. */
CPL_API cpl_status cpl_event_wait(cpl_event *event);
/* The same for ms milliseconds at most, as cpl_queue_finish_within; behind the event of a launch
 * with checks it waits for what the queue was given since, too. Any thread. */
CPL_API cpl_status cpl_event_wait_within(cpl_event *event, int64_t ms);
/* *done tells whether cpl_event_wait would return at once. Returns CPL_OK or a late error of the
 * device. Any thread. */
CPL_API cpl_status cpl_event_done(cpl_event *event, bool *done);

/*
 * How long the launch or copy took on its device, in nanoseconds of the device's clock; waits for
 * it. Both are known only while profiling is on (cpl/profile.h) at the time of the launch. Returns
 * CPL_OK, CPL_EUNSUPPORTED (it was off), or as cpl_event_wait. Any thread.
 */
CPL_API cpl_status cpl_event_duration(cpl_event *event, uint64_t *nanoseconds);

CPL_API void cpl_event_retain(cpl_event *event);
/* Gives the event back; NULL is allowed. Does not wait. Any thread. */
CPL_API void cpl_event_release(cpl_event *event);

/*
 * Graphs: a sequence of launches and copies, recorded once and launched as one. Between begin and
 * end, what the queue is given is recorded and not run, by name or as the default queue that NULL
 * stands for; what waits (finish, read, pull, events, plain functions, results of reductions that
 * go to the host, copies of strided elements) and what another queue would have to do is CPL_EARG.
 * Arguments keep the values they had; arrays keep their memory while the graph lives; host memory
 * that a copy reads is read at each launch. A launch of the graph counts as writing what its
 * kernels write. What they use, and what copies from arrays read or parts of arrays that copies
 * leave, has to be there then, as for any launch (CPL_EARG), or is moved with the option automatic.
 * With bounds_check a graph of a device runs on the queue that it was recorded on alone. A queue
 * whose last owner releases it while it records forgets what it recorded. CUDA's own graphs where
 * the device is CUDA's, a recorded list elsewhere. Only one thread may use a queue that records;
 * host queues record too. Statuses as for launches;
 * cpl_graph_begin returns CPL_EARG when the queue records already, cpl_graph_end when it does not.
 */
CPL_API cpl_status cpl_graph_begin(cpl_queue *queue);
CPL_API cpl_status cpl_graph_end(cpl_queue *queue, cpl_graph **graph);
/* queue: of the device that it was recorded on. event may be NULL. One launch at a time of one
 * graph. Any thread. */
CPL_API cpl_status cpl_graph_launch(cpl_graph *graph, cpl_queue *queue, cpl_event **event);
CPL_API void cpl_graph_retain(cpl_graph *graph);
/* Frees the graph with the last reference, and with it what it holds of kernels and arrays, whose
   release it may be; NULL is allowed. Does not wait for launches of the graph. Any thread. */
CPL_API void cpl_graph_release(cpl_graph *graph);

/*
 * The path of the OpenMP runtime that host kernels run on, or NULL when there is none: one that the
 * process holds already, else the context's (context may be NULL), else $CPL_OPENMP, else the
 * system's. Chosen once a process. NULL, and nothing is opened, for a context with threads of the
 * host's. Any thread.
 */
CPL_API const char *cpl_openmp_path(cpl_context *context);

#ifdef __cplusplus
}
#endif
#endif

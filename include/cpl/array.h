/*
 * Arrays and where they live.
 *
 *     cpl_array *x;
 *     cpl_array_create(cx, gpu, CPL_FLOAT64, n, &x);      // zeroed, on the device
 *     cpl_array_write(x, NULL, values, NULL);             // from host memory
 *     cpl_launch(m, "scale", NULL, args, 2);
 *     cpl_array_read(x, NULL, values, NULL);              // waits for the kernel
 *
 * An array has a home, the device it was created on (NULL: the host), and may have copies in other
 * places. Each place is valid or not: writing in one place makes the others stale. cpl_array_push
 * brings a valid copy to a device, cpl_array_pull to the host. A launch on a device where an array
 * that it is given is not valid is refused, naming both places; with the context's option
 * `automatic` it is moved there.
 *
 * An array holds its context. Different arrays may be used from different threads at once; one
 * array with its views from one thread at a time, "the array's thread". queue NULL means the
 * default queue of the device that the call is about; one of another context is CPL_EARG. event may
 * be NULL.
 */
#ifndef CPL_ARRAY_H
#define CPL_ARRAY_H

#include "cpl/launch.h"
#include "cpl/base.h"
#include "cpl/device.h"
#include "cpl/type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How an array is made. Zero means default. */
typedef struct cpl_array_options {
    size_t size;                 /* sizeof(cpl_array_options) */
    cpl_dtype dtype;             /* of the elements; CPL_VOID with record set */
    const cpl_type *record;      /* elements are structs of this type */
    int dims;                    /* 0 to CPL_MAX_DIMS; 0: one element */
    int64_t shape[CPL_MAX_DIMS]; /* elements, from the outermost dimension */
    /* bytes; all zero: contiguous, last dimension densest. Of wrapped memory only */
    int64_t strides[CPL_MAX_DIMS];
    size_t offset;      /* bytes from the wrapped address to the first element */
    bool uninitialized; /* create: do not zero */
    /* on the host: memory page-locked for `pinned_for`, which copies run from asynchronously; wrap
     * locks the caller's while the array lives. Where it cannot be had, ordinary memory does */
    bool pinned;
    cpl_device *pinned_for;
    /* wrap on OpenCL: the memory is a pointer of shared virtual memory, not a cl_mem */
    bool is_pointer;
    /* wrap: called once, when the last view has gone and the device is done with it; may be NULL */
    void (*deleter)(void *user, void *memory);
    void *deleter_user;
} cpl_array_options;

/* Sets the defaults; NULL is allowed. Any thread. */
CPL_API void cpl_array_options_init(cpl_array_options *options);

/* A contiguous array of one dimension, zeroed. device NULL: the host. Returns CPL_OK, CPL_EARG,
   CPL_ENOMEM (also when the device has no more memory, after what arrays left behind was given
   back), CPL_EDEVICE or CPL_EDEVICELOST. Any thread. */
CPL_API cpl_status cpl_array_create(cpl_context *context, cpl_device *device, cpl_dtype dtype,
                                    int64_t length, cpl_array **array);
/* The same with everything that options say. Any thread. */
CPL_API cpl_status cpl_array_create_with(cpl_context *context, cpl_device *device,
                                         const cpl_array_options *options, cpl_array **array);

/*
 * An array over memory of the caller's, which is not copied: a pointer on the host; a CUdeviceptr
 * of the device's primary context (CuPy's, PyTorch's, a toolkit program's); on OpenCL a cl_mem, or
 * with is_pointer a pointer of shared virtual memory. It must stay valid until the deleter is
 * called. Memory that an array here wraps already, all of it or a part (of a cl_mem: from its
 * beginning), is the same memory: where it is valid is shared, as by views, and host code that
 * changes it says so (cpl_array_written). Memory of the host that two arrays wrap
 * of which the later one is no part of the earlier one stays there (cpl_array_stay): wrap the whole
 * first. When the last array has gone, memory of the host has what was written on devices: the
 * release waits for it. What filled it must be complete, or run on a native stream that a queue
 * here stands for. Any thread.
 */
CPL_API cpl_status cpl_array_wrap(cpl_context *context, cpl_device *device,
                                  const cpl_array_options *options, void *memory,
                                  cpl_array **array);

/*
 * Before host code reads memory that arrays may wrap (cpl_array_wrap on the host), or with
 * `written` writes it: what was written on devices comes there, and what devices have of what will
 * be written is stale. For who has the memory and not the arrays; where none of them was moved it
 * costs a few nanoseconds. Errors are those of cpl_array_pull. The array's thread.
 */
CPL_API cpl_status cpl_memory_settle(cpl_context *context, const void *memory, size_t size,
                                     bool written);

/*
 * A view: elements of an array with another shape, without copying. offset is in bytes from the
 * array's first element, (size_t)-8 in front of it; strides in bytes (NULL: contiguous). All
 * elements must lie inside the array's memory. record or dtype may differ (dtype CPL_VOID and
 * record NULL: the array's own); the view must be aligned for them. Holds its parent. Validity
 * belongs to the memory: writing one writes all. On OpenCL without info.pointers, a view begins at
 * a multiple of the device's sub-buffer alignment, else launches refuse it (CPL_EARG). The array's
 * thread.
 */
CPL_API cpl_status cpl_array_view(cpl_array *array, const cpl_array_options *options,
                                  cpl_array **view);

/* What an index of Python's stands for along a dimension. */
typedef enum cpl_slice_kind {
    CPL_SLICE_RANGE = 0, /* start:stop:step */
    CPL_SLICE_INDEX = 1, /* the element start: the dimension goes */
    CPL_SLICE_NEW = 2,   /* None: a new dimension of one element */
    CPL_SLICE_REST = 3,  /* ...: all of as many dimensions as no other slice is for */
} cpl_slice_kind;

/* A bound that is left out. */
#define CPL_SLICE_NONE INT64_MIN

typedef struct cpl_slice {
    cpl_slice_kind kind;
    int64_t start, stop, step; /* negative: from the end; bounds past the ends are the ends */
} cpl_slice;

static inline cpl_slice cpl_slice_range(int64_t start, int64_t stop, int64_t step)
{
    cpl_slice s = {CPL_SLICE_RANGE, start, stop, step};
    return s;
}
static inline cpl_slice cpl_slice_all(void)
{
    return cpl_slice_range(CPL_SLICE_NONE, CPL_SLICE_NONE, 1);
}
static inline cpl_slice cpl_slice_at(int64_t index)
{
    cpl_slice s = {CPL_SLICE_INDEX, index, 0, 0};
    return s;
}

/*
 * A view of the elements that slices pick, as array[...] of NumPy's with such indices: for one
 * dimension each, from the outermost; of those that are left all. CPL_EBOUNDS for an index that is
 * not there, CPL_EARG for a step of 0 and for too many slices. Otherwise as cpl_array_view. The
 * array's thread.
 */
CPL_API cpl_status cpl_array_slice(cpl_array *array, const cpl_slice *slices, size_t count,
                                   cpl_array **view);

/*
 * The array has so many elements from now on: the first ones stay, new ones are zeros. Where its
 * memory is too small it gets other memory, with room for half as many again, and views keep what
 * it had: so growing one by one takes time as the elements do. Graphs that use that are refused
 * from then on, and have to be recorded again. Only an array of one dimension with memory of its
 * own (not wrapped, no view), and not while the default queue of where it is records (CPL_EARG).
 * The array's thread.
 */
CPL_API cpl_status cpl_array_resize(cpl_array *array, int64_t length);
/* Has memory for so many elements at least, as if it had been resized to them; its length stays.
 * The array's thread. */
CPL_API cpl_status cpl_array_reserve(cpl_array *array, int64_t capacity);
/* Gives memory back that it has no elements for. The array's thread. */
CPL_API cpl_status cpl_array_squeeze(cpl_array *array);

CPL_API void cpl_array_retain(cpl_array *array);
/* NULL is allowed. Waits only before a deleter is called, and for copies from page-locked
 * memory. Any thread. */
CPL_API void cpl_array_release(cpl_array *array);

/* What an array is. */
typedef struct cpl_array_info {
    size_t size; /* sizeof(cpl_array_info), set by the caller */
    cpl_dtype dtype;
    const cpl_type *record; /* NULL: scalars */
    size_t element_size;    /* bytes */
    int dims;
    int64_t shape[CPL_MAX_DIMS];
    int64_t strides[CPL_MAX_DIMS]; /* bytes */
    size_t offset;                 /* bytes from the start of its memory */
    int64_t length;                /* elements in all */
    bool contiguous;
    cpl_device *home;  /* never NULL: the host's device for host arrays */
    cpl_array *parent; /* NULL: not a view */
    int64_t capacity;  /* elements that there is memory for; see cpl_array_resize */
} cpl_array_info;

/* Fills in *info; its size must be set. Returns CPL_OK or CPL_EARG. The array's thread. */
CPL_API cpl_status cpl_array_info_get(const cpl_array *array, cpl_array_info *info);

/* True if the array's data are valid on a device (NULL: the host). The array's thread. */
CPL_API bool cpl_array_valid(const cpl_array *array, const cpl_device *device);

/* The address of the first element in a place (NULL: the host), for code of the caller's: a host
   pointer, a CUdeviceptr, an SVM pointer, or a cl_mem of the whole memory (*offset, if not NULL,
   receives the bytes to add). NULL when the array has no memory there. Does not wait and does not
   change validity: see cpl_array_written. The array's thread. */
CPL_API void *cpl_array_address(const cpl_array *array, const cpl_device *device, size_t *offset);

/* Says that code of the caller's wrote the array in a place (NULL: the host): the others are stale.
   queue (may be NULL): where it runs. Returns CPL_OK or CPL_EARG (no memory there). The array's
   thread. */
CPL_API cpl_status cpl_array_written(cpl_array *array, cpl_device *device, cpl_queue *queue);

/*
 * Makes the array valid on the queue's device, from wherever it is valid; nothing happens where it
 * is valid already. The whole memory moves (views share it). queue NULL: the default queue of the
 * home. The host memory must stay as it is until the event, or the queue's finish. The array's
 * thread.
 */
CPL_API cpl_status cpl_array_push(cpl_array *array, cpl_queue *queue, cpl_event **event);
/* Makes it valid on the host, which gets memory for it if it had none; waits for the kernels that
   write it, and returns when the data are there. Returns late errors too. queue NULL: the queue
   that used it last. The array's thread. */
CPL_API cpl_status cpl_array_pull(cpl_array *array, cpl_queue *queue);
/* Pulls it, and keeps it and all that shares its memory there for good: what would move it to a
   device is refused (CPL_EARG), and a choice of devices takes the host. CPL_EARG where its home is
   another device. The array's thread. */
CPL_API cpl_status cpl_array_stay(cpl_array *array);

/*
 * What the queue is given from now on runs behind what any queue was given so far that uses the
 * array's memory on the queue's device or, if it has none there, where it is valid. For code of the
 * caller's on the queue's native stream (DLPack, CUDA's array interface); launches and copies of
 * this library wait by themselves. CPL_EARG while the queue records a graph. One thread an array.
 */
CPL_API cpl_status cpl_queue_wait_array(cpl_queue *queue, const cpl_array *array);

/*
 * Copies between host memory of the caller's and the array, where it is valid (or its home):
 * contiguous in order of the elements, info.length of them. write returns when `from` may be
 * changed again; read when `to` is filled. Strided arrays are copied through the host. The array's
 * thread.
 */
CPL_API cpl_status cpl_array_write(cpl_array *array, cpl_queue *queue, const void *from,
                                   cpl_event **event);
CPL_API cpl_status cpl_array_read(cpl_array *array, cpl_queue *queue, void *to, cpl_event **event);

/*
 * Copies `from` to `to`, arrays of the same length in any two places, each where it is valid. queue
 * NULL: of the device of `to` or, if that is the host, of `from`. They must not overlap. Scalars of
 * another type are converted as an assignment to an element converts them, by a kernel where `to`
 * is, to which `from` is moved; such arrays are dense or have one dimension. The array's thread.
 */
CPL_API cpl_status cpl_array_copy(cpl_array *to, cpl_array *from, cpl_queue *queue,
                                  cpl_event **event);

/* The array as an argument of a launch. The array must live until the call returns; what runs holds
 * its memory. */
static inline cpl_arg cpl_arg_of_array(cpl_array *array)
{
    cpl_arg a = cpl_arg_array(CPL_VOID, 0, 0);
    a.array = array;
    return a;
}

#ifdef __cplusplus
}
#endif
#endif

/*
 * Elementwise launches: a function of an index and arrays, run for each index in parallel.
 *
 *     cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, n), cpl_arg_array(CPL_FLOAT64, y, n),
 *                       cpl_arg_float(2.0)};
 *     cpl_elementwise(m, "axpb", NULL, args, 3, CPL_AUTO, NULL);
 *
 * The function is specialised for the types of the arguments at the first launch and found again at
 * later ones.
 *
 * With the option tiers (on by default) a first launch with little to do runs code that was made
 * quickly, without optimisation; a thread of the context's makes the optimised code and swaps it
 * in. Results are the same, bit for bit, with the option precise; otherwise they may differ as far
 * as contract and vector_math allow. A launch with much to do, and whoever asks for a kernel's
 * address, gets optimised code at once.
 */
#ifndef CPL_ALGO_H
#define CPL_ALGO_H

#include "cpl/base.h"
#include "cpl/module.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One argument of a launch. The inline functions below fill it in. */
typedef enum cpl_arg_kind {
    CPL_ARG_SCALAR = 0, /* value of exactly dtype */
    CPL_ARG_INT = 1,    /* an untyped integer: int32 if it fits, else int64, else uint64 */
    /* an untyped float: the widest float type among the arrays, float64 if there is none */
    CPL_ARG_FLOAT = 2,
    CPL_ARG_ARRAY = 3,
    /* cpl_launch: length elements of dtype of local memory, for each work-group */
    CPL_ARG_LOCAL = 4,
    /* data points to a cpl_bind: what the parameter stands for. Where a function is compiled for
     * arguments; a kernel is launched without those. */
    CPL_ARG_BOUND = 5,
} cpl_arg_kind;

typedef struct cpl_arg {
    cpl_arg_kind kind;
    cpl_dtype dtype;        /* of a scalar or of an array's elements; CPL_VOID with record set */
    const cpl_type *record; /* elements are structs of this type; NULL otherwise */
    union {
        int64_t i;  /* signed integers and bool */
        uint64_t u; /* unsigned integers */
        double f;   /* floats */
    } value;
    bool is_unsigned; /* CPL_ARG_INT: value.u holds a number past INT64_MAX */
    bool readonly;    /* CPL_ARG_ARRAY: a kernel that may write it is refused, CPL_EARG */
    void *data;       /* first element; aligned to the element; NULL only for length 0 */
    int64_t length;   /* elements */
    int64_t stride;   /* bytes from one element to the next; 0: contiguous */
    /* CPL_ARG_ARRAY: if not NULL, it stands for dtype, record, data, length and stride
     * (cpl/array.h) */
    cpl_array *array;
} cpl_arg;

static inline cpl_arg cpl_arg_array(cpl_dtype dtype, void *data, int64_t length)
{
    cpl_arg a = {CPL_ARG_ARRAY, dtype, NULL, {0}, false, false, data, length, 0, NULL};
    return a;
}
/* The bind, and its text, must live as long as the call. */
static inline cpl_arg cpl_arg_bound(const cpl_bind *bind)
{
    cpl_arg a = {CPL_ARG_BOUND, CPL_VOID, NULL, {0}, false, false, (void *)bind, 0, 0, NULL};
    return a;
}
static inline cpl_arg cpl_arg_int(int64_t value)
{
    cpl_arg a = {CPL_ARG_INT, CPL_VOID, NULL, {0}, false, false, NULL, 0, 0, NULL};
    a.value.i = value;
    return a;
}
static inline cpl_arg cpl_arg_float(double value)
{
    cpl_arg a = {CPL_ARG_FLOAT, CPL_VOID, NULL, {0}, false, false, NULL, 0, 0, NULL};
    a.value.f = value;
    return a;
}
static inline cpl_arg cpl_arg_local(cpl_dtype dtype, int64_t length)
{
    cpl_arg a = {CPL_ARG_LOCAL, dtype, NULL, {0}, false, false, NULL, length, 0, NULL};
    return a;
}

#define CPL_AUTO (-1) /* n: the length of the first array argument */

/*
 * Runs function(i, args...) for each i in [0, n). Iterations are independent apart from atomics and
 * run in any order. args are in the order of the parameters behind the index, 64 at most. queue
 * NULL is the host, or the default queue of the first cpl_array's home. event may be NULL. On the
 * host the call returns when all have run; on other devices errors come late: see cpl/device.h.
 * Arrays that overlap partly, one of them written, make the host run in order on one thread; other
 * devices refuse (CPL_EOVERLAP). An array that is not where the launch runs is CPL_EARG unless the
 * context's option `automatic` is on; plain pointers are host memory, copied there and back with
 * it. Returns CPL_OK; CPL_EARG (naming the argument); CPL_ELIMIT (more than 64 arguments, here as
 * in all launches and calls); what cpl_kernel_create returns; with bounds_check CPL_EBOUNDS or
 * CPL_EASSERT: far behind a fault iterations may be left out. Any thread.
 */
CPL_API cpl_status cpl_elementwise(cpl_module *module, const char *function, cpl_queue *queue,
                                   const cpl_arg *args, size_t count, int64_t n, cpl_event **event);

/*
 * The kernel that cpl_elementwise would run for these arguments, compiled if need be (release it).
 * Launching with it skips the look-up. cpl_elementwise_run takes arguments of the same kinds and a
 * queue of the same target; returns CPL_EARG when they are not. cpl_elementwise_kernel_for makes it
 * for a queue's target.
 */
CPL_API cpl_status cpl_elementwise_kernel_for(cpl_module *module, const char *function,
                                              cpl_queue *queue, const cpl_arg *args, size_t count,
                                              cpl_kernel **kernel);
CPL_API cpl_status cpl_elementwise_kernel(cpl_module *module, const char *function,
                                          const cpl_arg *args, size_t count, cpl_kernel **kernel);
CPL_API cpl_status cpl_elementwise_run(cpl_kernel *kernel, cpl_queue *queue, const cpl_arg *args,
                                       size_t count, int64_t n, cpl_event **event);

/*
 * Calls a plain function once with these arguments, converting untyped scalars as cpl_elementwise
 * does. result (may be NULL) receives a scalar of the function's result type, result_type (may be
 * NULL) that type.
 */
CPL_API cpl_status cpl_call(cpl_module *module, const char *function, const cpl_arg *args,
                            size_t count, void *result, const cpl_type **result_type);

/* The same by one work-item of the queue's device, with arrays that are there; returns when it has
 * run. */
CPL_API cpl_status cpl_call_on(cpl_module *module, const char *function, cpl_queue *queue,
                               const cpl_arg *args, size_t count, void *result,
                               const cpl_type **result_type);

/*
 * The plain function that cpl_call_on would call for these arguments, compiled if need be (release
 * it); queue NULL: where the first cpl_array lives, else on the host. Statuses as for
 * cpl_elementwise. Any thread.
 */
CPL_API cpl_status cpl_call_kernel(cpl_module *module, const char *function, cpl_queue *queue,
                                   const cpl_arg *args, size_t count, cpl_kernel **kernel);
/*
 * Calls it without the look-up, with arguments of the same kinds and a queue of the same target
 * (CPL_EARG when they are not), and returns when it has run. result as for cpl_call, of the type
 * cpl_kernel_result. CPL_EARG for a kernel of another form. Any thread.
 */
CPL_API cpl_status cpl_call_run(cpl_kernel *kernel, cpl_queue *queue, const cpl_arg *args,
                                size_t count, void *result);

/*
 * The most work-items that a group of this kernel can have on the queue's device, which loads it: a
 * limit of the device, or of what the kernel needs. *most is 0 after an error. Returns CPL_OK or
 * why it could not be loaded; CPL_EARG for kernels of the host. Any thread.
 */
CPL_API cpl_status cpl_kernel_max_group(cpl_kernel *kernel, cpl_queue *queue, size_t *most);

/*
 * Launches a low-level kernel (CPL_FORM_KERNEL: written with LID_0, GID_0, LDIM_0, barriers...)
 * over a grid of work-items. kernel comes from cpl_launch_kernel, or from cpl_kernel_create with
 * the queue's target. global: work-items in each dimension, at least 1 (0 anywhere: nothing runs).
 * local: those of a work-group, or NULL: a size that divides global is chosen. A global size that
 * is no multiple of the local one is rounded up to whole groups on every target, so kernels compare
 * their index with n themselves. cpl_arg_local gives a pointer to local memory its elements. Other
 * arguments, queue, event and statuses as for cpl_elementwise; CPL_ELIMIT for a group or grid
 * larger than the device takes. Any thread.
 */
CPL_API cpl_status cpl_launch(cpl_kernel *kernel, cpl_queue *queue, const int64_t global[3],
                              const int64_t local[3], const cpl_arg *args, size_t count,
                              cpl_event **event);
/* The low-level kernel for these arguments on a queue, compiled if need be (release it). */
CPL_API cpl_status cpl_launch_kernel(cpl_module *module, const char *function, cpl_queue *queue,
                                     const cpl_arg *args, size_t count, cpl_kernel **kernel);

/*
 * What cpl_elementwise (form CPL_FORM_ELEMENTWISE) or cpl_call (CPL_FORM_FUNCTION, n ignored) would
 * compute, computed by the reference interpreter of the typed IR instead of compiled code: slow,
 * serial, for checking. Same arguments and statuses. Any thread.
 */
CPL_API cpl_status cpl_interpret(cpl_module *module, const char *function, cpl_form form,
                                 const cpl_arg *args, size_t count, int64_t n, void *result,
                                 const cpl_type **result_type);

/*
 * What cpl_launch would compute, one group after the other, with arrays of the host. local NULL:
 * groups of up to 64 work-items in the first dimension. What a device leaves undefined is refused:
 * barriers that not all work-items of a group reach, lanes of a sub-group that run different
 * operations (CPL_EINTERNAL, with their place); CPL_ELIMIT for groups of more than 1024 work-items.
 * Any thread.
 */
CPL_API cpl_status cpl_interpret_launch(cpl_module *module, const char *function,
                                        const int64_t global[3], const int64_t local[3],
                                        const cpl_arg *args, size_t count);

#ifdef __cplusplus
}
#endif
#endif

/*
 * Launching functions: elementwise ones for each index of their arrays, low-level kernels over a
 * grid of work-items, plain ones once. The host is a device like the others.
 *
 *     cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, n), cpl_arg_array(CPL_FLOAT64, y, n),
 *                       cpl_arg_float(2.0)};
 *     cpl_launch(m, "axpb", NULL, args, 3);
 *
 * The function is specialised for the types of the arguments at the first launch and found again at
 * later ones.
 *
 * With the option tiers (on by default) a first launch with little to do runs code that was made
 * quickly, without optimisation; a thread of the context's makes the optimised code and swaps it
 * in. Results are the same, bit for bit, with the option precise; otherwise they may differ as far
 * as contract and vector_math allow. A launch with much to do, and whoever asks for a kernel's
 * address, gets optimised code at once. With tiers at 2 those alone do, and there is no such
 * thread: for programs of many kernels with a little work each.
 */
#ifndef CPL_LAUNCH_H
#define CPL_LAUNCH_H

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
    /* of a kernel over a grid: length elements of dtype of local memory, for each work-group */
    CPL_ARG_LOCAL = 4,
    /* data points to a cpl_bind: what the parameter stands for. Where a function is compiled for
     * arguments; a kernel is launched without those. */
    CPL_ARG_BOUND = 5,
    CPL_ARG_COMPLEX = 6, /* an untyped complex number: of the width that a CPL_ARG_FLOAT takes */
} cpl_arg_kind;

#define CPL_MAX_DIMS 8

typedef struct cpl_arg {
    cpl_arg_kind kind;
    cpl_dtype dtype;        /* of a scalar or of an array's elements; CPL_VOID with record set */
    const cpl_type *record; /* elements are structs of this type; NULL otherwise */
    union {
        int64_t i;  /* signed integers and bool */
        uint64_t u; /* unsigned integers */
        double f;   /* floats, and the real part of a complex number */
    } value;
    bool is_unsigned; /* CPL_ARG_INT: value.u holds a number past INT64_MAX */
    bool readonly;    /* CPL_ARG_ARRAY: a kernel that may write it is refused, CPL_EARG */
    void *data;       /* first element; aligned to the element; NULL only for length 0 */
    int64_t length;   /* elements, in all */
    union {
        int64_t stride; /* bytes from one element to the next; 0: contiguous, or strides say it */
        double imag;    /* the imaginary part of a complex number */
    };
    /* CPL_ARG_ARRAY: if not NULL, it stands for dtype, record, data and all that says how the
     * elements lie (cpl/array.h) */
    cpl_array *array;
    int dims;          /* CPL_ARG_ARRAY: 0: one dimension, of length; else CPL_MAX_DIMS at most */
    uint32_t reserved; /* 0 */
    /* [dims], which must live as long as the call: elements along each dimension, from the
     * outermost, and bytes from one to the next; strides NULL: contiguous, the last one densest */
    const int64_t *shape, *strides;
} cpl_arg;

static inline cpl_arg cpl_arg_array(cpl_dtype dtype, void *data, int64_t length)
{
    cpl_arg a = {CPL_ARG_ARRAY, dtype, NULL, {0}, false, false, data,
                 length,        {0},   NULL, 0,   0,     NULL,  NULL};
    return a;
}
/* An array of 1 to CPL_MAX_DIMS dimensions; shape and strides (may be NULL) as in cpl_arg. A
 * parameter that is written x[i, j], or asked for x.shape, takes as many dimensions as that; others
 * take contiguous arrays as flat, and strided ones of one dimension. */
static inline cpl_arg cpl_arg_array_nd(cpl_dtype dtype, void *data, int dims, const int64_t *shape,
                                       const int64_t *strides)
{
    cpl_arg a = {CPL_ARG_ARRAY, dtype, NULL, {0}, false, false,  data, 1,
                 {0},           NULL,  dims, 0,   shape, strides};
    for (int i = 0; shape && i < dims; i++)
        a.length = (int64_t)((uint64_t)a.length * (uint64_t)shape[i]);
    return a;
}
/* The same of memory that is only read: a kernel that may write it is refused. */
static inline cpl_arg cpl_arg_const_array(cpl_dtype dtype, const void *data, int64_t length)
{
    cpl_arg a = cpl_arg_array(dtype, (void *)data, length);
    a.readonly = true;
    return a;
}
/* An untyped one; with kind CPL_ARG_SCALAR and a dtype it is of that. */
static inline cpl_arg cpl_arg_complex(double real, double imag)
{
    cpl_arg a = cpl_arg_array(CPL_VOID, NULL, 0);
    a.kind = CPL_ARG_COMPLEX;
    a.value.f = real;
    a.imag = imag;
    return a;
}
/* The bind, and its text, must live as long as the call. */
static inline cpl_arg cpl_arg_bound(const cpl_bind *bind)
{
    cpl_arg a = {CPL_ARG_BOUND, CPL_VOID, NULL, {0}, false, false, (void *)bind, 0,
                 {0},           NULL,     0,    0,   NULL,  NULL};
    return a;
}
static inline cpl_arg cpl_arg_int(int64_t value)
{
    cpl_arg a = {CPL_ARG_INT, CPL_VOID, NULL, {0}, false, false, NULL,
                 0,           {0},      NULL, 0,   0,     NULL,  NULL};
    a.value.i = value;
    return a;
}
static inline cpl_arg cpl_arg_float(double value)
{
    cpl_arg a = {CPL_ARG_FLOAT, CPL_VOID, NULL, {0}, false, false, NULL, 0,
                 {0},           NULL,     0,    0,   NULL,  NULL};
    a.value.f = value;
    return a;
}
static inline cpl_arg cpl_arg_local(cpl_dtype dtype, int64_t length)
{
    cpl_arg a = {CPL_ARG_LOCAL, dtype, NULL, {0}, false, false, NULL,
                 length,        {0},   NULL, 0,   0,     NULL,  NULL};
    return a;
}

/* n: the length of the first array argument, what len() of it is in the function: of all its
 * elements, or along the first dimension where the function takes it with several */
#define CPL_AUTO (-1)

/* The most kernels that one call launches. */
#define CPL_MAX_KERNELS 16

/* What a call would launch. */
typedef struct cpl_kernels {
    /* what they are for, as in cpl_spec, whether or not there is such a device; NULL: where the
     * call would run [NULL] */
    const char *target;
    size_t count;                         /* 0 at first */
    cpl_kernel *kernels[CPL_MAX_KERNELS]; /* in the order of launches; release those that are there,
                                             behind an error too */
} cpl_kernels;

/* How to launch. cpl_launch_options_init fills in what stands in brackets; NULL is the same. */
typedef struct cpl_launch_options {
    size_t size;   /* sizeof(cpl_launch_options), set by init */
    cpl_form form; /* what a function is by its name; a cpl_kernel knows [CPL_FORM_ELEMENTWISE] */
    int64_t n;     /* elementwise: runs for each index in [0, n) [CPL_AUTO] */
    /* a kernel over a grid: work-items in each dimension, 0: nothing runs [CPL_AUTO, 1, 1: they
     * must be given] */
    int64_t global[3];
    /* those of a work-group; local[0] 0: a size that divides global; of the others 0 is 1
     * [0] */
    int64_t local[3];
    cpl_queue
        *queue; /* NULL: the default one of the first cpl_array's home, else the host [NULL] */
    /* if not NULL, receives a scalar of a plain function's result type; 16 bytes do [NULL] */
    void *result;
    const cpl_type **result_type; /* if not NULL, receives that type; NULL of other forms [NULL] */
    cpl_event **event; /* if not NULL, receives an event; NULL where all is done already [NULL] */
    /* algorithms (cpl/algorithm.h): if not NULL, nothing is launched, and no result is there: it
     * receives the kernels, of which cpl_kernel_emit shows what they are [NULL] */
    cpl_kernels *kernels;
    /* algorithms: the reference interpreter of the typed IR runs the kernels, as
     * cpl_interpret does; on the host alone (else CPL_EUNSUPPORTED) [false] */
    bool interpret;
    /* arrays that are elsewhere are moved to where it runs, and plain pointers copied there and
     * back, as with the context's option `automatic` for all launches [false] */
    bool automatic;
    /* cpl_launch of elementwise functions and grids, and algorithms; without a queue: it runs on
     * the device that is expected to be done first, as with the context's option `choose` for all
     * launches, and arrays are moved there as with `automatic` [false] */
    bool choose;
    /* cpl_kernel_for: the kernel is launched at once, as these options say, so that it may run
     * quick code until its optimised code is there, as cpl_launch does (option tiers) [false] */
    bool soon;
    /* cpl_kernel_for alone: what the kernel is for, in place of arguments: types and forms, facts,
     * a target, options of its own; of these options only this counts [NULL] */
    const cpl_spec *spec;
} cpl_launch_options;
/* Sets the defaults; NULL is allowed. Any thread. */
CPL_API void cpl_launch_options_init(cpl_launch_options *options);

/*
 * Finds the kernel for these arguments, compiles it if need be, and launches it.
 *
 * Elementwise: function(i, args...) for each i in [0, n); function(i, j, args...) or function(i, j,
 * k, args...), whose first array has as many dimensions, over its shape, without n. Iterations are
 * independent apart from atomics and run in any order. A kernel over a grid (written with LID_0,
 * GID_0, LDIM_0, barriers...): a global size that is no multiple of the local one is rounded up to
 * whole groups on every target, so kernels compare their index with n themselves; cpl_arg_local
 * gives a pointer to local memory its elements. On the host the work-items of a group take turns:
 * they wait for each other at barriers alone. A plain function: one call, by one work-item; returns
 * when it has run.
 *
 * args are in the order of the parameters (elementwise: behind the index), those that *NAME takes
 * behind the others, 64 at most; untyped scalars become what cpl_arg_kind says. On the host the
 * call returns when all have run; on other devices errors come late: see cpl/device.h. Arrays that
 * overlap partly, one of them written, make elementwise launches on the host run in order on one
 * thread; where that cannot be they are refused (CPL_EOVERLAP). Those whose elements lie in each
 * other's gaps do not overlap. An array that is not where the launch runs is CPL_EARG unless the
 * launch's or the context's option `automatic` is on; plain pointers are host memory, copied there
 * and back with it.
 *
 * Returns CPL_OK; CPL_EARG (naming the argument, or the parameter that has none; arguments that the
 * function has no parameters for); CPL_ELIMIT (more than 64 arguments; a group, its local memory or
 * a grid larger than the device takes); what cpl_kernel_for returns;
 * CPL_EDEVICE and CPL_EDEVICELOST of a driver, and CPL_ECOMPILER where that took longer than
 * compile_timeout to compile what it was given: it goes on, and a later launch has the code; with
 * bounds_check CPL_EBOUNDS or CPL_EASSERT: far behind a fault iterations may be left out. Any
 * thread.
 */
CPL_API cpl_status cpl_launch(cpl_module *module, const char *function,
                              const cpl_launch_options *options, const cpl_arg *args, size_t count);

/*
 * The kernel that cpl_launch would run for these arguments, or, without arguments, the one for
 * options.spec; compiled if need be (release it): with its optimised code, but for options.soon. It
 * is found among those already compiled: the same module, function and types, or spec, give the
 * same kernel, and two threads asking at once compile it once. Returns CPL_OK, or with diagnostics
 * CPL_EARG (also of too few or too many arguments, or types), CPL_ENOTFOUND, CPL_ESYNTAX, CPL_ETYPE
 * (the source does not suit the types), CPL_EIR, CPL_EUNSUPPORTED, CPL_ELIMIT (the
 * source, its loops or its IR are too large: options max_...; more than 64 arguments), CPL_ENOMEM,
 * CPL_ECOMPILER (LLVM failed, or took longer than compile_timeout), CPL_ECANCELLED, CPL_EINTERNAL
 * or CPL_EFORKED. Any thread.
 */
CPL_API cpl_status cpl_kernel_for(cpl_module *module, const char *function,
                                  const cpl_launch_options *options, const cpl_arg *args,
                                  size_t count, cpl_kernel **kernel);

/*
 * Launches a kernel without the look-up: arguments of the same kinds, without those that stand for
 * something, and a queue of the same target; CPL_EARG when they are not. Otherwise as cpl_launch.
 * Any thread.
 */
CPL_API cpl_status cpl_kernel_launch(cpl_kernel *kernel, const cpl_launch_options *options,
                                     const cpl_arg *args, size_t count);

/*
 * The most work-items that a group of this kernel can have on the queue's device, which loads it: a
 * limit of the device, or of what the kernel needs. *most is 0 after an error. Returns CPL_OK or
 * why it could not be loaded; CPL_EARG for the host's kernels of other forms than CPL_FORM_KERNEL.
 * Any thread.
 */
CPL_API cpl_status cpl_kernel_max_group(cpl_kernel *kernel, cpl_queue *queue, size_t *most);

/*
 * What cpl_launch would compute, computed by the reference interpreter of the typed IR instead of
 * compiled code: slow, serial, for checking, with arrays of the host; queue and event stay unused.
 * Of a grid it runs one group after the other (local[0] 0: up to 64 work-items in the first
 * dimension), and refuses what a device leaves undefined: barriers that not all work-items of a
 * group reach, lanes of a sub-group that run different operations (CPL_EINTERNAL, with their
 * place); CPL_ELIMIT for groups of more than 1024 work-items. The context's poll function ends
 * it as it ends a launch. Same arguments and statuses. Any thread.
 */
CPL_API cpl_status cpl_interpret(cpl_module *module, const char *function,
                                 const cpl_launch_options *options, const cpl_arg *args,
                                 size_t count);

#ifdef __cplusplus
}
#endif
#endif

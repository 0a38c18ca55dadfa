/*
 * Algorithms over elements: reductions, of all elements, segments or runs of equal keys, histograms
 * and scans, with any associative operator, on the host and on devices.
 *
 *     double total;
 *     cpl_reduce_spec sum;
 *     cpl_reduce_spec_init(&sum);
 *     sum.op = cpl_bind_expression("a + b");
 *     sum.map = cpl_bind_expression("lambda i, x, y: x[i]*y[i]");
 *     cpl_launch_options o;
 *     cpl_launch_options_init(&o);
 *     o.result = &total;
 *     cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, n), cpl_arg_array(CPL_FLOAT64, y, n)};
 *     cpl_reduce(module, &sum, &o, NULL, args, 2);
 *
 * What is given as a cpl_bind is an expression or a function of the module, and compiled into the
 * loops. Order is kept: an operator has to be associative, and need not commute. Results are the
 * same for any number of threads. Devices have other pieces of the elements than the host, and on
 * GPUs groups of work-items take tiles of them, unless the option tiles is 0: how sums of floats
 * are rounded depends on the device, unless the option reproducible is on. Each call is several
 * kernels (.py of runtime/algo in the source), compiled when such arguments first come. No array
 * that results go to shares memory with one that is read, but where it says so; segments, runs and
 * histograms refuse it (CPL_EOVERLAP).
 */
#ifndef CPL_ALGORITHM_H
#define CPL_ALGORITHM_H

#include "cpl/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cpl_reduce_flag {
    /* op(a, b) is op(b, a): elements may be taken in in another order, always the same one, so that
     * vectors of numbers are. Known of a + b and the others that have a neutral element of their
     * own
     */
    CPL_REDUCE_COMMUTES = 1,
} cpl_reduce_flag;

/* Zero means default. */
typedef struct cpl_reduce_spec {
    size_t size; /* sizeof(cpl_reduce_spec), set by init */
    cpl_bind op; /* of two values of the result's type: the ones before, the next */
    /* element i, of i and the arguments: "lambda i, x: x[i]*x[i]"; none: of the first argument, an
     * array, which has to have n */
    cpl_bind map;
    /* what op leaves as it is, on either side: "0", "INFINITY", or a function without parameters.
     * None: that of a + b, a * b, min(a, b), max(a, b), a & b, a | b, a ^ b of numbers, of which
     * complex ones have the first two; others must have one. Minima and maxima pass over NaN: of
     * NaN alone they are the neutral element
     */
    cpl_bind neutral;
    /* of the result: a number or a struct. NULL: that of the elements; of sums and products of
     * integers 64 bits wide, as NumPy has it, and so for bool where op makes no bool of it */
    const cpl_type *type;
    /* another reduction of the same arguments in the same pass over them, or NULL; four at most */
    const struct cpl_reduce_spec *next;
    uint64_t flags; /* cpl_reduce_flag */
} cpl_reduce_spec;
/* Sets the defaults; NULL is allowed. Any thread. */
CPL_API void cpl_reduce_spec_init(cpl_reduce_spec *spec);

/*
 * Takes in the elements 0 to n - 1 with an operator. n: options->n, else the length of the first
 * array among the arguments; of none the result is the neutral element.
 *
 * The result goes to out, an array of at least one element of its type, where launches run
 * (asynchronous on devices, as cpl_launch); with out NULL to options->result, which has room for it
 * (cpl_type_size), and the call waits for it. options->result_type tells its type; with it, and no
 * place for the result, nothing else is done. args as in cpl_launch, in the order of map's
 * parameters, 44 at most.
 *
 * Of several, chained by next, out has as many arrays, and options->result room for a struct of all
 * results in the order of the chain, each at a multiple of its alignment. The type told is the
 * first one's. args are 35 at most; all maps are given all of them. Elements are read from memory
 * once, as long as those of a 512th of n fit a core's cache.
 *
 * Reads each element once; memory for 1024 results at most, of the device's. Statuses of
 * cpl_launch; CPL_EARG too where op has no neutral element of its own and none is given. Any
 * thread.
 */
CPL_API cpl_status cpl_reduce(cpl_module *module, const cpl_reduce_spec *spec,
                              const cpl_launch_options *options, const cpl_arg *out,
                              const cpl_arg *args, size_t count);

/*
 * The operator of spec, of values of spec->type, which must be given, compiled for the host: the
 * kernel's address (cpl_kernel_address) is a
 *
 *     void (*)(const T *in, T *inout, int64_t n)
 *
 * which does inout[i] = op(in[i], inout[i]) for each i in [0, n), on the calling thread: what MPI
 * and others take as a user's operator. The arrays are the same or apart. Release the kernel.
 * Statuses of cpl_kernel_for. Any thread.
 */
CPL_API cpl_status cpl_reduce_operator(cpl_module *module, const cpl_reduce_spec *spec,
                                       cpl_kernel **kernel);

/* The arrays of a reduction of segments. */
typedef struct cpl_segments {
    size_t size; /* sizeof(cpl_segments), set by init */
    /* m + 1 of int32 or int64: segment k has the elements offsets[k] to offsets[k + 1] - 1 */
    const cpl_arg *offsets;
    const cpl_arg *out; /* m elements: what each segment comes to */
} cpl_segments;
/* No arrays yet; NULL is allowed. Any thread. */
CPL_API void cpl_segments_init(cpl_segments *segments);

/*
 * Takes in the elements of each segment with an operator; of a segment without elements the result
 * is the neutral one. Elements in front of the first segment or behind the last are not read.
 * spec->type NULL: that of out's elements; spec->next is NULL. n, and args as in cpl_reduce.
 *
 * Offsets go up, from 0 to n at most. Where they do not, with bounds_check an error is reported
 * (CPL_EASSERT); without it offsets below 0 count as 0 and above n as n, and where they go down
 * results are undefined; no memory outside of the arrays is touched.
 *
 * Segments may be of any sizes: work is dealt out by elements and segments together. Reads each
 * element once; memory for 2048 values at most. Statuses as cpl_reduce; CPL_EARG too unless out has
 * one element less than offsets. Any thread.
 */
CPL_API cpl_status cpl_reduce_segments(cpl_module *module, const cpl_reduce_spec *spec,
                                       const cpl_launch_options *options,
                                       const cpl_segments *segments, const cpl_arg *args,
                                       size_t count);

/* What runs are, and the arrays for them. Zero means default. */
typedef struct cpl_runs {
    size_t size;  /* sizeof(cpl_runs), set by init */
    cpl_bind key; /* a number, of i and the arguments; none: of the first argument, an array */
    /* whether a run begins at i, of i and the arguments: one always does at 0; none: where the key
     * of i is not that of i - 1 */
    cpl_bind start;
    const cpl_arg *out;  /* takes what each run comes to */
    const cpl_arg *keys; /* takes the key of each run, the first one's; of the same type; or NULL */
    const cpl_arg *number; /* int64, takes how many runs there are; or NULL */
} cpl_runs;
/* Sets the defaults; NULL is allowed. Any thread. */
CPL_API void cpl_runs_init(cpl_runs *runs);

/*
 * Takes in the elements of each run of equal keys with an operator. spec->map none: elements are
 * those of the second argument, an array; spec->type NULL: that of out's elements; spec->next is
 * NULL. n as in cpl_reduce.
 *
 * A key that is NaN is a run of its own, as it is unlike itself; 0.0 and -0.0 are alike. out and
 * keys have any length: what has no place there is left out. How many runs there are goes to
 * runs->number, where launches run (asynchronous on devices), or with that NULL to options->result,
 * an int64 (as options->result_type tells), and the call waits for it; nobody need ask.
 *
 * Reads each element twice, and each key four times; memory for 2048 values at most. On CUDA,
 * unless the option reproducible is on or sums of floats are precise, each element once and each
 * key three times, with memory for two values for each 1280 elements or more. Statuses as
 * cpl_reduce. Any thread.
 */
CPL_API cpl_status cpl_reduce_by_key(cpl_module *module, const cpl_reduce_spec *spec,
                                     const cpl_launch_options *options, const cpl_runs *runs,
                                     const cpl_arg *args, size_t count);

/* Zero means default. */
typedef struct cpl_histogram_spec {
    size_t size;  /* sizeof(cpl_histogram_spec), set by init */
    cpl_bind bin; /* an integer, of i and the arguments; none: of the first argument, an array */
    cpl_bind op;  /* as cpl_reduce_spec; none: a + b */
    cpl_bind map; /* element i, of i and the arguments; none: 1 */
    cpl_bind neutral; /* as cpl_reduce_spec */
} cpl_histogram_spec;
/* Sets the defaults; NULL is allowed. Any thread. */
CPL_API void cpl_histogram_spec_init(cpl_histogram_spec *spec);

/*
 * Takes in the elements of each bin with an operator: counts them, unless spec says otherwise. out
 * has an element for each bin, which is overwritten, and values have its elements' type. Elements
 * whose bin is negative, or not below the length of out, are left out; a bin without elements gets
 * the neutral one. n, args and options as in cpl_reduce; options->result is not used.
 *
 * Reads each element once. Threads have bins of their own: memory for 2^20 values at most, or 32
 * for each bin if that is more, but not for more than n/4, or one for each bin. So 4 elements for
 * each bin are one thread's work at least: where there are about as many bins as elements it does
 * it all. Statuses as cpl_reduce. Any thread.
 */
CPL_API cpl_status cpl_histogram(cpl_module *module, const cpl_histogram_spec *spec,
                                 const cpl_launch_options *options, const cpl_arg *out,
                                 const cpl_arg *args, size_t count);

typedef enum cpl_scan_flag {
    CPL_SCAN_EXCLUSIVE = 1, /* without output: element i becomes prev_item */
    CPL_SCAN_LAST = 2,      /* output uses last_item, which is undefined otherwise */
} cpl_scan_flag;

/* Zero means default. */
typedef struct cpl_scan_spec {
    size_t size;      /* sizeof(cpl_scan_spec), set by init */
    cpl_bind op;      /* as cpl_reduce_spec */
    cpl_bind neutral; /* likewise */
    cpl_bind input;   /* element i, as cpl_reduce_spec.map; none: of the first argument */
    /* whether a segment begins at i, of i and the arguments: op does not reach across. None: all is
     * one segment */
    cpl_bind segment;
    /*
     * A function that is called with i, item, prev_item, last_item, N and the arguments, which
     * returns nothing: "lambda i, item, prev_item, last_item, N, x, out: store(i, item, out)",
     * where store is a function of the module. item takes in element i, prev_item what is in front
     * of it: at a segment's start the neutral element. last_item is the last one of the segment, N
     * how many elements there are. None: the last argument is an array, which takes item i as its
     * element i.
     */
    cpl_bind output;
    /* of the items; NULL: that of the array for them, or where output is given that of the
     * elements, as in cpl_reduce_spec */
    const cpl_type *type;
    uint64_t flags; /* cpl_scan_flag */
} cpl_scan_spec;
/* Sets the defaults; NULL is allowed. Any thread. */
CPL_API void cpl_scan_spec_init(cpl_scan_spec *spec);

/*
 * Takes in the elements 0 to n - 1 one after the other and gives what is there behind each to
 * output. n as in cpl_reduce; nothing is done where it is 0. input, segment and output are given
 * the same arguments, args, in order, 44 at most. input and segment may be asked several times for
 * one element, but never behind its output, which may write where they read.
 *
 * Reads each element twice, from the cache where the host can; three times with segments and last;
 * once on CUDA without last, where how sums of floats are rounded differs from run to run unless
 * the option precise is on. Memory for a few values for every 4032 elements. Arrays that overlap
 * partly, one of them written, are CPL_EOVERLAP. Statuses as cpl_reduce. Any thread.
 */
CPL_API cpl_status cpl_scan(cpl_module *module, const cpl_scan_spec *spec,
                            const cpl_launch_options *options, const cpl_arg *args, size_t count);

#ifdef __cplusplus
}
#endif
#endif

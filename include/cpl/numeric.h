/*
 * Arithmetic on whole arrays, on the host and on devices: any expression of their elements, with
 * NumPy's broadcasting, and reductions, scans and gathers along axes.
 *
 *     cpl_bind f = cpl_bind_expression("lambda a, x, y: a*x + y");
 *     cpl_arg args[] = {cpl_arg_float(2), cpl_arg_of_array(x), cpl_arg_of_array(y)};
 *     cpl_array *z = NULL, *sums = NULL;
 *     cpl_array_map(NULL, &f, NULL, &z, args, 3); // z = 2*x + y, a new array
 *     cpl_array_sum(z, 1, NULL, &sums);           // of each row
 *
 * An expression is compiled into one loop over the elements, for the types and dimensions that
 * come; arrays may have gaps between elements, run backwards and overlap. Types of results are
 * those that the expression has in a kernel, where float16 is computed as float32.
 *
 * Shapes are NumPy's: those of all arrays are laid over each other from the last dimension on, and
 * where one is shorter or has 1 element along a dimension it is repeated.
 *
 * Where results go: *out NULL: a new array, dense, of the results' type and shape, on the device
 * where the call runs; release it. Else that array, of the same shape; numbers are converted,
 * though not a float to an integer, a number to a bool, or a complex one to one that is not
 * (CPL_EARG). It may be one of the arguments or overlap them: all are read as they were. After an
 * error a new array is not there, and what is in one that was given is undefined.
 *
 * Calls run where the first array of the arguments is (of none *out), or on options->queue, and are
 * asynchronous on devices, as cpl_launch. Of options the queue, event and interpret are used. Each
 * call returns the statuses of cpl_launch, CPL_EARG too for shapes that do not fit (naming them).
 * All functions here: any thread, as long as the arrays are that thread's.
 */
#ifndef CPL_NUMERIC_H
#define CPL_NUMERIC_H

#include "cpl/algorithm.h"
#include "cpl/array.h"
#include "cpl/gather.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * out = f(args...), element by element. f: an expression, "a - b" or "lambda a, x: a*x", or a
 * function of the module; numbers are arguments too. args: 40 at most. module: whose functions the
 * expression calls; NULL: none.
 */
CPL_API cpl_status cpl_array_map(cpl_module *module, const cpl_bind *f,
                                 const cpl_launch_options *options, cpl_array **out,
                                 const cpl_arg *args, size_t count);

/* All dimensions, for the masks below. */
#define CPL_ALL_AXES UINT32_MAX

/*
 * Takes elements in along the dimensions whose bits are set in axes, bit 0 the outermost: out has
 * the others. spec is as for cpl_reduce, but that its map is a function of the arguments' elements,
 * without i, "lambda x, y: x*y" (none: the first argument's), and that next is NULL. Where nothing
 * is there to be taken in, the result is neutral. Results are the same for any number of threads.
 */
CPL_API cpl_status cpl_array_reduce(cpl_module *module, const cpl_reduce_spec *spec,
                                    const cpl_launch_options *options, uint32_t axes,
                                    cpl_array **out, const cpl_arg *args, size_t count);

/*
 * Along one dimension, axis, counted from the end if it is negative: each element of out takes in
 * all up to it. spec is as for cpl_scan, but that its input is a function of the arguments'
 * elements, as above, that there is neither segment nor output, and of the flags
 * CPL_SCAN_EXCLUSIVE alone.
 */
CPL_API cpl_status cpl_array_scan(cpl_module *module, const cpl_scan_spec *spec,
                                  const cpl_launch_options *options, int axis, cpl_array **out,
                                  const cpl_arg *args, size_t count);

/* --- arrays of numbers --- */

/* All elements become a number, or a struct's bytes: value is a scalar argument, or an array of one
 * element. */
CPL_API cpl_status cpl_array_fill(cpl_array *array, cpl_arg value,
                                  const cpl_launch_options *options);

/*
 * Element i becomes start + i*step, computed as the arguments' types say and then converted: the
 * elements of NumPy's arange, for as many as the array has. Dense arrays are numbered as they lie;
 * others have one dimension.
 */
CPL_API cpl_status cpl_array_arange(cpl_array *array, cpl_arg start, cpl_arg step,
                                    const cpl_launch_options *options);

/*
 * As many numbers from start to stop, evenly spaced, as the array has elements. endpoint: the last
 * one is stop itself, else it is one step in front of it. Computed in float64, and rounded down for
 * arrays of integers, as NumPy's linspace. The array is as for cpl_array_arange.
 */
CPL_API cpl_status cpl_array_linspace(cpl_array *array, double start, double stop, bool endpoint,
                                      const cpl_launch_options *options);

/* Arrays one behind the other along a dimension; the others are alike. Of different types the
 * result has that of their sum. count: 1 at least. */
CPL_API cpl_status cpl_array_concatenate(cpl_array *const *arrays, size_t count, int axis,
                                         const cpl_launch_options *options, cpl_array **out);

/* --- NumPy's names: each is one of the calls above --- */

/* x where the condition is not 0, else y. */
CPL_API cpl_status cpl_array_where(cpl_arg condition, cpl_arg x, cpl_arg y,
                                   const cpl_launch_options *options, cpl_array **out);
/* Sums of integers and bools are int64 or uint64. */
CPL_API cpl_status cpl_array_sum(cpl_array *x, uint32_t axes, const cpl_launch_options *options,
                                 cpl_array **out);
/* Of the elements' type. Of no elements CPL_EARG. A NaN among the elements is the result. */
CPL_API cpl_status cpl_array_min(cpl_array *x, uint32_t axes, const cpl_launch_options *options,
                                 cpl_array **out);
CPL_API cpl_status cpl_array_max(cpl_array *x, uint32_t axes, const cpl_launch_options *options,
                                 cpl_array **out);
/*
 * The elements of x along a dimension, axis, that indices point to, an array of int32 or int64 of
 * any shape: NumPy's take. out has the dimensions of the indices in the place of that one:
 *
 *     out[i, k, j] = x[i, indices[k], j]
 *
 * mode says what an index is that is none, as for cpl_take; CPL_EARG where there is nothing to take
 * from, and something is to be taken. Numbers keep their bits.
 */
CPL_API cpl_status cpl_array_take(cpl_array *x, cpl_array *indices, int axis, cpl_index_mode mode,
                                  const cpl_launch_options *options, cpl_array **out);
/* The sum of the products of all elements, laid over each other. */
CPL_API cpl_status cpl_array_dot(cpl_array *x, cpl_array *y, const cpl_launch_options *options,
                                 cpl_array **out);
CPL_API cpl_status cpl_array_cumsum(cpl_array *x, int axis, const cpl_launch_options *options,
                                    cpl_array **out);
/* times >= 0 times the difference of neighbours along a dimension, each time with an element less;
 * of bools whether they differ. */
CPL_API cpl_status cpl_array_diff(cpl_array *x, int times, int axis,
                                  const cpl_launch_options *options, cpl_array **out);
/* The integral of y along a dimension, of trapezia: x has the places, in y's shape or in one that
 * is laid over it, and NULL stands for places dx apart. */
CPL_API cpl_status cpl_array_trapz(cpl_array *y, cpl_array *x, double dx, int axis,
                                   const cpl_launch_options *options, cpl_array **out);

#ifdef __cplusplus
}
#endif
#endif

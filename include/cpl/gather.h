/*
 * Moving elements: by an array of indices, or by a condition, on the host and on devices.
 *
 *     cpl_arg index = cpl_arg_array(CPL_INT32, k, n), to = cpl_arg_array(CPL_FLOAT64, y, n),
 *             from = cpl_arg_array(CPL_FLOAT64, x, m);
 *     cpl_gather_spec spec;
 *     cpl_gather_spec_init(&spec);
 *     spec.indices = &index;
 *     spec.out = &to;
 *     cpl_take(module, &spec, NULL, &from, 1);
 *
 * Elements are numbers or structs and keep their bits. Several arrays are moved in one pass over
 * the indices, or over the condition. No array that is written shares memory with another one
 * (CPL_EOVERLAP). All are asynchronous on devices, as cpl_launch.
 */
#ifndef CPL_GATHER_H
#define CPL_GATHER_H

#include "cpl/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an index is that is none of the m of an array: as mode= of NumPy's take. */
typedef enum cpl_index_mode {
    /* -m to -1 count from the end. Others are an error, with bounds_check: CPL_EBOUNDS, with the
     * index and its position, of which there may be more; without it the nearest of the array
     * stands for them */
    CPL_INDEX_RAISE = 0,
    CPL_INDEX_WRAP = 1, /* modulo m */
    CPL_INDEX_CLIP = 2, /* the nearest: 0 for all that are negative */
} cpl_index_mode;

/* Zero means default. */
typedef struct cpl_gather_spec {
    size_t size;            /* sizeof(cpl_gather_spec), set by init */
    const cpl_arg *indices; /* an array of int32 or int64 */
    const cpl_arg *out;     /* as many arrays as there are arguments, of the same types */
    cpl_index_mode mode;
} cpl_gather_spec;
/* No arrays yet; NULL is allowed. Any thread. */
CPL_API void cpl_gather_spec_init(cpl_gather_spec *spec);

/*
 * Along a dimension of arrays of several: cpl_array_take (cpl/numeric.h).
 *
 * out[k][i] = args[k][indices[i]] for each i from 0 to n - 1 and each of the arguments, 30 arrays
 * at most, which all have the same length. n: options->n, else the length of indices; outputs have
 * n elements at least.
 *
 * Reads each index once; on the host once more, from a cache. Statuses of cpl_launch; CPL_EARG too
 * where there is nothing to take from, and n is not 0. Any thread.
 */
CPL_API cpl_status cpl_take(cpl_module *module, const cpl_gather_spec *spec,
                            const cpl_launch_options *options, const cpl_arg *args, size_t count);

/*
 * out[k][indices[i]] = args[k][i] likewise; here all outputs have the same length, and arguments n
 * elements at least. Elements to which no index points stay as they are. Of several that go to one
 * place one is there in the end, whichever comes last in time: a number as a whole, of a struct
 * perhaps fields of several. Any thread.
 */
CPL_API cpl_status cpl_scatter(cpl_module *module, const cpl_gather_spec *spec,
                               const cpl_launch_options *options, const cpl_arg *args,
                               size_t count);

/* What is chosen, and the arrays for it. Zero means default. */
typedef struct cpl_choice {
    size_t size; /* sizeof(cpl_choice), set by init */
    /* a bool or a number, 0 where it does not hold, of i and the arguments; none: of the argument
     * behind those that out takes, an array */
    cpl_bind condition;
    const cpl_arg *out; /* takes elements of the first out_count arguments, arrays; 16 at most */
    size_t out_count;
    const cpl_arg *order;  /* an array of int32 or int64: takes their numbers, from 0; or NULL */
    const cpl_arg *number; /* int64: takes of how many it holds; or NULL */
} cpl_choice;
/* No arrays yet; NULL is allowed. Any thread. */
CPL_API void cpl_choice_init(cpl_choice *choice);

/*
 * Moves the elements for which the condition holds, in the order in which they came. n, and args,
 * as in cpl_reduce. out and order have any length: what has no place in the shortest of them is
 * left out, and what lies behind stays as it is. How many there are goes to choice->number, where
 * launches run (asynchronous on devices), or with that NULL to options->result, an int64 (as
 * options->result_type tells), and the call waits for it; nobody need ask.
 *
 *     condition = cpl_bind_expression("lambda i, x, least: x[i] >= least")
 *
 * The condition is asked twice for each element, and once more for each four arrays behind the
 * first four; it writes nothing. Memory for 256 numbers, or four for each thread. Statuses of
 * cpl_launch. Any thread.
 */
CPL_API cpl_status cpl_compact(cpl_module *module, const cpl_choice *choice,
                               const cpl_launch_options *options, const cpl_arg *args,
                               size_t count);

/*
 * The same with the others behind: out and order take all n elements, those first for which the
 * condition holds, each part in the order in which it came. number: where the second part begins.
 * Any thread.
 */
CPL_API cpl_status cpl_partition(cpl_module *module, const cpl_choice *choice,
                                 const cpl_launch_options *options, const cpl_arg *args,
                                 size_t count);

#ifdef __cplusplus
}
#endif
#endif

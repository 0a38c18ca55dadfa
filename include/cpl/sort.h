/*
 * Sorting and selecting, on the host and on devices.
 *
 *     cpl_arg args[] = {cpl_arg_array(CPL_FLOAT32, keys, n), cpl_arg_array(CPL_INT32, ids, n)};
 *     cpl_sort(module, NULL, NULL, args, 2);
 *
 * All sorts are stable: keys that are equal stay in the order in which they came, and so does what
 * goes along with them. So the result is the same for any number of threads, and on every device.
 *
 * Keys are numbers or bools, and go up: integers as they are, floats with -0 in front of 0, and
 * NaN, whatever its sign and bits, behind all others, each like any other. With CPL_SORT_DESCENDING
 * the order is that turned round, NaN first; what is equal stays in the order in which it came
 * there too. Complex numbers go by their real parts, then by their imaginary ones, zeros of both
 * signs alike; behind them those whose imaginary part alone is NaN, then those whose real part is,
 * as in NumPy. They are compared, as by spec->before.
 */
#ifndef CPL_SORT_H
#define CPL_SORT_H

#include "cpl/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cpl_sort_flag {
    CPL_SORT_DESCENDING = 1, /* from the greatest key to the least */
} cpl_sort_flag;

/* Zero means default. */
typedef struct cpl_sort_spec {
    size_t size; /* sizeof(cpl_sort_spec), set by init */
    /*
     * Whether a key comes before another: an expression of a and b, or a function of the module; a
     * strict weak order, as C++ has it: "a.x < b.x". Keys may be structs then. None: keys go up
     */
    cpl_bind before;
    uint64_t flags; /* cpl_sort_flag */
    /*
     * The bits of a key that count, from the lowest, first_bit, to end_bit - 1; 0 and 0: all. Of
     * signed integers and floats they are those of the unsigned number of the same size that is
     * ordered as they are: an integer's with the sign bit turned round, a float's too, and where it
     * is negative all others as well.
     */
    int32_t first_bit, end_bit;
    /* as many arrays as are sorted, which take the results: then those stay as they are. NULL: they
     * are sorted in place */
    const cpl_arg *out;
    /* an array of int32 or int64, n elements: takes at i where what comes to i was, from 0; or NULL
     */
    const cpl_arg *order;
} cpl_sort_spec;
/* Sets the defaults; NULL is allowed. Any thread. */
CPL_API void cpl_sort_spec_init(cpl_sort_spec *spec);

/*
 * Sorts the elements 0 to n - 1 of the keys, args[0], and moves those of all other arguments along:
 * arrays of numbers or structs. n: options->n, else the length of the keys. At most 44 arguments.
 * spec NULL: the defaults. Asynchronous on devices, as cpl_launch.
 *
 * A radix sort by eight bits at a time, from the lowest: keys are read once, and for each eight
 * bits in which they differ at all they are read twice and written once; keys that are in order are
 * only read. With spec->before a merge sort: 2048 keys at a time, then log2(n/2048) times all are
 * read and written. One array of numbers goes along with the keys; of more, or of structs, the
 * place that each came from does, and they are moved once at the end. Memory: as much as the keys
 * have, and what goes along with them; in place as much as the largest of several arrays too.
 *
 * Statuses of cpl_launch; CPL_EOVERLAP where an array that is written shares memory with another
 * one; nothing is done then. What before says of keys may be anything: what is no order gives some
 * permutation. Any thread.
 */
CPL_API cpl_status cpl_sort(cpl_module *module, const cpl_sort_spec *spec,
                            const cpl_launch_options *options, const cpl_arg *args, size_t count);

/*
 * The same of keys that stay as they are: order takes where each was, as spec->order in cpl_sort.
 * spec->out and spec->order are NULL. Any thread.
 */
CPL_API cpl_status cpl_argsort(cpl_module *module, const cpl_sort_spec *spec,
                               const cpl_launch_options *options, const cpl_arg *order,
                               const cpl_arg *keys);

/*
 * The k keys that come first, in order: spec->out takes them, one array, spec->order where they
 * were, or both, of k elements at least. So out[k - 1] is the k-th least, with
 * CPL_SORT_DESCENDING the k-th greatest. spec->before is not there. n as in cpl_sort; k is n at
 * most.
 *
 * On the host keys are read once: a sample says of which key few more than k are not greater, and
 * those are sorted. Where that is no good guess, as of few keys that are all alike, and on devices,
 * it is a radix selection: keys are read once for each eight bits that they have, and twice more;
 * then k of them are sorted. Memory on the host: as much as the keys have, most of which is not
 * touched. Statuses as cpl_sort. Any thread.
 */
CPL_API cpl_status cpl_select(cpl_module *module, const cpl_sort_spec *spec,
                              const cpl_launch_options *options, int64_t k, const cpl_arg *keys);

/* What cells are, and the arrays for them. Zero means default. */
typedef struct cpl_cells {
    size_t size;   /* sizeof(cpl_cells), set by init */
    cpl_bind cell; /* an integer, of i and the arguments; none: of the first argument, an array */
    const cpl_arg *order; /* an array of int32 or int64, n elements: takes their numbers, by cell */
    /* m + 1 of int32 or int64: takes where in the order each of m cells begins, from 0, and last
     * how many elements they have */
    const cpl_arg *offsets;
} cpl_cells;
/* No arrays yet; NULL is allowed. Any thread. */
CPL_API void cpl_cells_init(cpl_cells *cells);

/*
 * Sorts the numbers 0 to n - 1 by cells, of which there are as many as offsets has elements, less
 * one: cell k has order[offsets[k]] to order[offsets[k + 1] - 1], in the order in which they came.
 * Elements whose cell is negative, or not below m, are in none; their numbers come last, from
 * order[offsets[m]] on. n, and args, as in cpl_reduce. What goes to order and offsets shares memory
 * with nothing else (CPL_EOVERLAP). The function may be called twice for an element.
 *
 *     lambda i, x, y, size: int(floor(x[i]/size)) + 64*int(floor(y[i]/size))
 *
 * Up to 4096 cells are counted, and on the host as many as there are elements: two readings of
 * those, by as many threads as have 4 elements for each cell. More cells are written down and
 * sorted by the bits that their numbers have, as cpl_sort does, so that time and memory are those
 * of a sort of n integers with their places, and of one look at m offsets. Statuses as cpl_sort.
 * Any thread.
 */
CPL_API cpl_status cpl_sort_cells(cpl_module *module, const cpl_cells *cells,
                                  const cpl_launch_options *options, const cpl_arg *args,
                                  size_t count);

#ifdef __cplusplus
}
#endif
#endif

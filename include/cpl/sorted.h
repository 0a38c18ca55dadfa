/*
 * Sorted arrays: searches, merges, and sets; and what is unique in any array. On the host and on
 * devices.
 *
 *     cpl_arg found = cpl_arg_array(CPL_INT64, where, n), edges = cpl_arg_array(CPL_FLOAT64, x, m),
 *             values = cpl_arg_array(CPL_FLOAT64, v, n);
 *     cpl_sorted_spec spec;
 *     cpl_sorted_spec_init(&spec);
 *     spec.out = &found;
 *     cpl_search_sorted(module, &spec, NULL, &edges, &values);
 *
 * Keys are ordered as cpl_sort orders them, NaN behind all others, or by a function, and are alike
 * where none comes before the other: NaN are alike, and here zeros of both signs are, as in NumPy.
 * So what NumPy has sorted is sorted, and what cpl_sort has. Keys keep their bits, but for those of
 * cpl_unique.
 *
 * Arrays that are not sorted give results that mean nothing; no memory outside of the arrays is
 * touched. No array that is written shares memory with another one (CPL_EOVERLAP). All results are
 * the same for any number of threads. All are asynchronous on devices, as cpl_launch.
 */
#ifndef CPL_SORTED_H
#define CPL_SORTED_H

#include "cpl/sort.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cpl_sorted_flag {
    CPL_SORTED_DESCENDING = 1, /* from the greatest key to the least */
    CPL_SORTED_RIGHT = 2,      /* a search finds the last place, not the first */
} cpl_sorted_flag;

/* Zero means default. */
typedef struct cpl_sorted_spec {
    size_t size;           /* sizeof(cpl_sorted_spec), set by init */
    cpl_bind before;       /* as cpl_sort_spec; keys may be structs then */
    uint64_t flags;        /* cpl_sorted_flag */
    const cpl_arg *out;    /* takes the results */
    const cpl_arg *number; /* of sets: int64, takes how many results there are; or NULL */
} cpl_sorted_spec;
/* No arrays yet; NULL is allowed. Any thread. */
CPL_API void cpl_sorted_spec_init(cpl_sorted_spec *spec);

/*
 * Where each value would stand among sorted keys, of the same type: out, an array of int32 or
 * int64, takes at i how many keys come before values[i]; with CPL_SORTED_RIGHT those that are like
 * it count too. NumPy's searchsorted. n: options->n, else the length of values; all keys are looked
 * at.
 *
 * Reads log2 of the length of keys for each value. Statuses of cpl_launch. Any thread.
 */
CPL_API cpl_status cpl_search_sorted(cpl_module *module, const cpl_sorted_spec *spec,
                                     const cpl_launch_options *options, const cpl_arg *keys,
                                     const cpl_arg *values);

/*
 * Makes one sorted array of two: out, `count` arrays, takes all of a and b, `count` arrays each, 16
 * at most, of which the first ones are keys, and the others of the same lengths move along. Keys
 * that are alike stay in the order in which they came, those of a in front. options->n is not used.
 *
 * Merge path (O. Green, S. Odeh and Y. Birk, arXiv:1406.2628): each element is read and written
 * once. Statuses of cpl_launch. Any thread.
 */
CPL_API cpl_status cpl_merge(cpl_module *module, const cpl_sorted_spec *spec,
                             const cpl_launch_options *options, const cpl_arg *a, const cpl_arg *b,
                             size_t count);

typedef enum cpl_set {
    CPL_SET_UNION = 0,                /* what is in either: NumPy's union1d */
    CPL_SET_INTERSECTION = 1,         /* in both: intersect1d */
    CPL_SET_DIFFERENCE = 2,           /* in a, and not in b: setdiff1d */
    CPL_SET_SYMMETRIC_DIFFERENCE = 3, /* in one of them: setxor1d */
} cpl_set;

/*
 * A set of two sorted arrays, which are taken as sets: what is there several times counts once, and
 * is there once in the result, which is sorted: the first of a that are alike, or of b where a has
 * none. out has any length: what has no place there is left out. How many there are goes to
 * spec->number, where launches run (asynchronous on devices), or with that NULL to options->result,
 * an int64 (as options->result_type tells), and the call waits for it; nobody need ask. options->n
 * is not used.
 *
 * Reads each element twice. Statuses of cpl_launch. Any thread.
 */
CPL_API cpl_status cpl_set_of(cpl_module *module, const cpl_sorted_spec *spec,
                              const cpl_launch_options *options, cpl_set set, const cpl_arg *a,
                              const cpl_arg *b);

/* What is asked of an array that is not sorted: each NULL, or an array. Zero means default. */
typedef struct cpl_unique_spec {
    size_t size;            /* sizeof(cpl_unique_spec), set by init */
    cpl_bind before;        /* as cpl_sort_spec; keys may be structs then */
    uint64_t flags;         /* cpl_sorted_flag: CPL_SORTED_DESCENDING */
    const cpl_arg *out;     /* takes the values, sorted, each once */
    const cpl_arg *first;   /* int32 or int64: where each value is first */
    const cpl_arg *inverse; /* likewise, n elements: which of the values each key is */
    const cpl_arg *counts;  /* likewise: how often each value is there */
    const cpl_arg *number;  /* int64, takes how many values there are */
} cpl_unique_spec;
/* Nothing asked yet; NULL is allowed. Any thread. */
CPL_API void cpl_unique_spec_init(cpl_unique_spec *spec);

/*
 * The values that keys have: NumPy's unique, with return_index, return_inverse and return_counts.
 * out, first and counts have any length: what has no place there is left out. The number of values
 * as in cpl_set_of. n: options->n, else the length of keys. The value of zeros of both signs is 0.
 *
 * Sorts a copy of the keys, with where they were where first or inverse asks for that: time and
 * memory are cpl_sort's. Statuses as cpl_sort. Any thread.
 */
CPL_API cpl_status cpl_unique(cpl_module *module, const cpl_unique_spec *spec,
                              const cpl_launch_options *options, const cpl_arg *keys);

#ifdef __cplusplus
}
#endif
#endif

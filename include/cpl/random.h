/*
 * Random numbers for arrays: the ones that kernels draw with the functions of cpl.random.
 *
 *     cpl_random_spec normal;
 *     cpl_random_spec_init(&normal);
 *     normal.kind = CPL_RANDOM_NORMAL;
 *     normal.seed = 42;
 *     cpl_arg x = cpl_arg_array(CPL_FLOAT64, memory, n);
 *     cpl_random_fill(module, &normal, NULL, &x);
 *     normal.offset += n; // to go on where it ends
 *
 * There is no state: an element depends on the seed, its number and the draw alone. It has the same
 * bits on the host and on all devices, for any number of threads, and in one call or in many
 * (normals and exponentials of float32 and float16 where the device rounds division and square root
 * correctly: cpl_device_info.rounds_division; none with the options fast_math or reassoc).
 *
 * Philox 4x32-10 of J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, Parallel random numbers:
 * as easy as 1, 2, 3, SC 2011. Not for keys and passwords.
 */
#ifndef CPL_RANDOM_H
#define CPL_RANDOM_H

#include "cpl/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers are frozen. */
typedef enum cpl_random_kind {
    CPL_RANDOM_UNIFORM = 0,     /* floats in [low, high) */
    CPL_RANDOM_NORMAL = 1,      /* floats around mean, with the standard deviation scale */
    CPL_RANDOM_EXPONENTIAL = 2, /* floats, the mean of which is scale */
    CPL_RANDOM_INTEGERS = 3,    /* integers or bools from `from` to `to` - 1 */
    CPL_RANDOM_BITS = 4,        /* integers, of which each is as likely */
} cpl_random_kind;

typedef struct cpl_random_spec {
    size_t size;          /* sizeof(cpl_random_spec), set by init */
    cpl_random_kind kind; /* CPL_RANDOM_UNIFORM */
    /* fills of the same seed and elements are independent if their draws differ; if not they are
     * made of the same bits, whatever their kinds */
    uint32_t draw;
    uint64_t seed;
    uint64_t offset;    /* the number of the first element */
    double low, high;   /* UNIFORM: 0 and 1 */
    double mean, scale; /* NORMAL, and of EXPONENTIAL the second: 0 and 1 */
    /* INTEGERS, and permutations: 0 and 0. INTEGERS of uint64 read their bits as uint64; one past
     * the greatest of 64 bits is their least: from 5 to INT64_MIN are all int64 from 5 on, from 5
     * to 0 all such uint64. All of 64 bits are BITS. */
    int64_t from, to;
} cpl_random_spec;
/* Sets the defaults; NULL is allowed. Any thread. */
CPL_API void cpl_random_spec_init(cpl_random_spec *spec);

/*
 * Fills the first n elements of out, an array of numbers; n: options->n, else all. Strided and
 * empty ones are filled as well.
 *
 * Element i is what cpl.random's function gives for the seed, the element offset + i and the draw:
 * uniform, normal, exponential, and bits64, or of float32, float16 and integers of 32 bits and less
 * uniform32, normal32, exponential32 and bits32, of which bits32 loses upper bits; of all integers
 * integers. Floats are then taken times high - low, or scale, and low or mean is added, rounded
 * once: so high comes up if that is what the greatest below it is rounded to. Uniform numbers of
 * float16 have 11 bits.
 *
 * Asynchronous on devices, as cpl_launch; options->result is not used. Returns CPL_EARG where out
 * is no array of numbers that the kind has; the limits are not finite, low is not less than high,
 * scale is negative, from is not less than to, or one of them passes the range of out's elements; n
 * is more than out has; or an element would have a number of 2**64 or above. Else the statuses of
 * cpl_launch. Any thread.
 */
CPL_API cpl_status cpl_random_fill(cpl_module *module, const cpl_random_spec *spec,
                                   const cpl_launch_options *options, const cpl_arg *out);

/*
 * Writes elements offset to offset + n - 1 of a permutation of the numbers from `from` to `to` - 1
 * to the first n of out, an array of integers: numbers drawn without any coming twice. from and to
 * both 0: those from 0 on, offset + n of them. n as in cpl_random_fill; kind is not used.
 *
 * Element i is from + cpl.random's permutation(seed, offset + i, to - from, draw). Each is computed
 * by itself, with no memory: R. Mitchell, D. Stokes, E. Frank and G. Holmes, Bandwidth-optimal
 * random shuffling for GPUs, ACM TOPC 9 (2022), by a Feistel network of twelve rounds. Seed and
 * draw have 96 bits, so no more than 2**96 of a size's permutations come up, not all of 28 numbers
 * or more; and where to - from is a power of two from 256 on, only even ones do. Of 2 to 5 numbers
 * all come up, as often as each other as far as 6000 seeds tell.
 *
 * CPL_EARG where from is not less than to but for 0 and 0, they pass the range of out's elements,
 * or offset + n is more than there are; else the statuses of cpl_random_fill. Any thread.
 */
CPL_API cpl_status cpl_random_permutation(cpl_module *module, const cpl_random_spec *spec,
                                          const cpl_launch_options *options, const cpl_arg *out);

#ifdef __cplusplus
}
#endif
#endif

/*
 * What goes with kernels that were compiled ahead of time: the small static library libcplrt.a. It
 * needs the C library alone, not libcpl.so, and so does this header, which the headers that `cplc
 * --header` writes include:
 *
 *     cplc wave.py --types 'x=float64[] y=float64[] a=float64' -o wave.o --header wave.h
 *     cc main.c wave.o -lcplrt -lomp -lm
 *
 * With -lcplrt_threads in the place of -lomp parallel loops run on threads of the program's own.
 *
 * The generated header has wrappers around these functions with the kernel's own tables.
 */
#ifndef CPL_RT_H
#define CPL_RT_H

#include "cpl/threads.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CPLRT_INTERFACE 3 /* changes when a generated header would no longer fit */

/* What a kernel compiled with bounds_check writes its first fault to; zero it before a call. */
typedef struct cpl_fault {
    int32_t taken; /* 0: no fault; set once by the first one */
    /* which check: for cpl_kernel_report, or an index into the generated header's table */
    int32_t site;
    int64_t index;
    int64_t extent;
    int64_t round; /* in kernels of the library's own: which element of the caller's; else -1 */
} cpl_fault;

/*
 * What a low-level kernel of the host (CPL_FORM_KERNEL) runs over, with the memory of its workers
 * right behind it, at a multiple of 64: one call runs the grid, dealing out its groups to as many
 * threads as there are workers at most.
 *
 *     cpl_grid g = {{64, 64, 1}, {16, 16, 1}, 8, 4};
 *     size_t bytes = cplrt_grid_bytes(&g, product_local_bytes, product_item_bytes);
 *     cpl_grid *grid = aligned_alloc(64, bytes);
 *     *grid = g;
 *     product(a, b, c, n, grid);
 *
 * Of a parameter in local memory the kernel takes the address in the first worker's memory: behind
 * local_bytes, rounded up to 64, lie the parts of these parameters, each rounded up so too, and
 * cplrt_grid_bytes is given the sum. A grid is run once: next goes on.
 */
typedef struct cpl_grid {
    int64_t groups[3];
    int64_t items[3]; /* of a group: 1 to 1024 work-items */
    int64_t workers;
    int64_t piece; /* groups that a worker takes at a time: 1 or more */
    int64_t next;  /* 0: the first group that no worker has taken */
    /* cplrt_grid_bytes: bytes of each worker's memory, and where in it, behind all local memory,
     * that of work-items begins */
    int64_t stride, items_at;
    int64_t reserved[5];
} cpl_grid;

/* Sets stride and items_at; the bytes of the grid with its workers' memory, a multiple of 64. */
static inline size_t cplrt_grid_bytes(cpl_grid *grid, size_t local_bytes, size_t item_bytes)
{
    size_t items = (size_t)(grid->items[0] * grid->items[1] * grid->items[2]);
    size_t local = (local_bytes + 63) / 64 * 64;
    grid->items_at = (int64_t)local;
    /* 128: workers share no pair of cache lines */
    grid->stride = (int64_t)((local + (items + 63) / 64 * 64 * item_bytes + 127) / 128 * 128);
    return sizeof *grid + (size_t)grid->workers * (size_t)grid->stride;
}

/* A check in a kernel's source. */
typedef struct cplrt_site {
    const char *file;
    uint32_t line, column;
    const char *function;
    const char *array; /* NULL: an assertion */
    int32_t dimension; /* of the array that the index counts along, from 0; -1: all of it */
} cplrt_site;

/*
 * Writes what a fault means, "wave.py:3:5: in 'wave': index 7 is out of bounds of 'x', which has 4
 * elements", to text, cut to size bytes with the NUL. Returns the length of the whole message, 0
 * (and an empty text) if no fault was taken or fault is NULL. Any thread.
 */
size_t cplrt_fault_text(const cplrt_site *sites, size_t count, const cpl_fault *fault, char *text,
                        size_t size);

/*
 * True if this CPU and the system have all of a comma-separated list of features, named as LLVM
 * does ("avx2,fma"). Names that stand for nothing compiled code relies on are passed over. On other
 * architectures than x86-64 always true. Any thread.
 */
bool cplrt_cpu_supports(const char *features);

/*
 * Of libcplrt_threads.a: whose threads run parallel loops of the kernels that are linked into the
 * same program or shared library; NULL, and before the first call: they run on the thread that
 * comes to them. The struct is not copied. False, and nothing is changed, for a struct of another
 * size, without run or without workers. Any thread; loops under way go on as they began.
 */
bool cplrt_threads_set(const cpl_threads *threads);

#ifdef __cplusplus
}
#endif
#endif

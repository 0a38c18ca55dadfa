/* What sorts have to give: keys by a merge sort of plain C, cells by a counting sort. For tests of
 * test/unit and test/fuzz. */
#ifndef SORT_MODEL_H
#define SORT_MODEL_H

#include <cpl/type.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline uint64_t raw_key(cpl_dtype d, const void *keys, int64_t i)
{
    uint64_t raw = 0;
    size_t size = cpl_dtype_size(d);
    memcpy(&raw, (const char *)keys + (size_t)i * size, size);
    return raw;
}

static inline int fraction_of(cpl_dtype d)
{
    return d == CPL_FLOAT16 ? 10 : d == CPL_FLOAT32 ? 23 : d == CPL_FLOAT64 ? 52 : 0;
}

/* A number that is ordered as keys are: as the header has it, bit for bit. */
static inline uint64_t rank_of(cpl_dtype d, uint64_t raw)
{
    int width = (int)cpl_dtype_size(d) * 8, fraction = fraction_of(d);
    uint64_t sign = (uint64_t)1 << (width - 1), all = sign | (sign - 1);
    bool is_signed = d >= CPL_INT8 && d <= CPL_INT64;
    if (!fraction) return is_signed ? raw ^ sign : raw;
    if ((raw & ~sign) > (((sign >> fraction) - 1) << fraction)) return all;
    return raw & sign ? ~raw & all : raw | sign;
}

typedef struct entry {
    uint64_t rank;
    int64_t at;
} entry;

/* Of what is to come out, in a way of its own: merging runs. */
static inline void merge_runs(entry *e, entry *room, int64_t n)
{
    if (n < 2) return;
    int64_t half = n / 2, a = 0, b = half;
    merge_runs(e, room, half);
    merge_runs(e + half, room, n - half);
    for (int64_t k = 0; k < n; k++)
        room[k] = b == n || (a < half && e[a].rank <= e[b].rank) ? e[a++] : e[b++];
    memcpy(e, room, (size_t)n * sizeof *e);
}

typedef struct asked { /* of a sort */
    cpl_dtype type;
    bool descending;
    int first, end; /* bits; 0, 0: all */
} asked;

/* expected[i].at: what comes to i. */
static inline void expect(const asked *a, const void *keys, int64_t n, entry *expected)
{
    entry *room = malloc((size_t)(n + 1) * sizeof *room);
    int end = a->end ? a->end : 64;
    for (int64_t i = 0; i < n; i++) {
        uint64_t rank = rank_of(a->type, raw_key(a->type, keys, i));
        rank = (end < 64 ? rank & (((uint64_t)1 << end) - 1) : rank) >> a->first;
        expected[i] = (entry){a->descending ? ~rank : rank, i};
    }
    merge_runs(expected, room, n);
    free(room);
}

/* A rank in which zeros of both signs are alike; turned round where keys fall. */
static inline uint64_t rank_alike(cpl_dtype d, const void *keys, int64_t i)
{
    uint64_t raw = raw_key(d, keys, i), sign = (uint64_t)1 << (8 * cpl_dtype_size(d) - 1);
    return rank_of(d, fraction_of(d) && raw == sign ? 0 : raw);
}

/* The numbers of keys by that rank; e has room for twice as many. */
static inline void order_alike(cpl_dtype d, const void *keys, int64_t n, bool descending, entry *e)
{
    for (int64_t i = 0; i < n; i++) {
        uint64_t rank = rank_alike(d, keys, i);
        e[i] = (entry){descending ? ~rank : rank, i};
    }
    merge_runs(e, e + n, n);
}

/* Sorts keys by it: zeros stay in the order in which they come. */
static inline void sort_alike(cpl_dtype d, void *keys, int64_t n, bool descending)
{
    size_t size = cpl_dtype_size(d);
    entry *e = malloc((size_t)(2 * n + 1) * sizeof *e);
    char *copy = malloc((size_t)(n + 1) * size);
    memcpy(copy, keys, (size_t)n * size);
    order_alike(d, keys, n, descending, e);
    for (int64_t i = 0; i < n; i++)
        memcpy((char *)keys + (size_t)i * size, copy + (size_t)e[i].at * size, size);
    free(e);
    free(copy);
}

/* order takes the numbers of elements by cell, those in none last; offsets, of m + 2, where each
 * cell begins. */
static inline void expect_cells(const int32_t *cells, int64_t n, int64_t m, int64_t *order,
                                int64_t *offsets)
{
    int64_t *next = malloc((size_t)(m + 1) * sizeof *next);
    memset(offsets, 0, (size_t)(m + 2) * sizeof *offsets);
    for (int64_t i = 0; i < n; i++) offsets[cells[i] < 0 || cells[i] > m ? m + 1 : cells[i] + 1]++;
    for (int64_t k = 0; k <= m; k++) offsets[k + 1] += offsets[k];
    memcpy(next, offsets, (size_t)(m + 1) * sizeof *next);
    for (int64_t i = 0; i < n; i++) order[next[cells[i] < 0 || cells[i] > m ? m : cells[i]]++] = i;
    free(next);
}

#endif

/* What tests of sorted arrays share: keys of every type of which many are alike, with zeros of both
 * signs and NaN, and calls that are compared with plain loops. */
#ifndef UNIT_SORTED_MODEL_H
#define UNIT_SORTED_MODEL_H

#include "device_world.h"
#include "launches.h"
#include "libomp_leaks.h"
#include "sort_model.h"

#include <cpl/sorted.h>

static const char kernels[] = "from cpl import struct\n"
                              "@struct\n"
                              "class Item:\n"
                              "    weight: 'double'\n"
                              "    number: 'int'\n"
                              "    tag: 'char'\n"
                              "def lighter(a, b):\n"
                              "    return a.weight < b.weight\n";

typedef struct item {
    double weight;
    int32_t number;
    int8_t tag;
} item;

static const cpl_dtype types[] = {CPL_BOOL,   CPL_INT8,    CPL_INT16,   CPL_INT32,
                                  CPL_INT64,  CPL_UINT8,   CPL_UINT16,  CPL_UINT32,
                                  CPL_UINT64, CPL_FLOAT16, CPL_FLOAT32, CPL_FLOAT64};
/* Lengths of two arrays, around the borders of pieces of both together. */
static const int64_t pairs[][2] = {{0, 0},       {0, 1},     {1, 0},     {1, 1},        {2, 3},
                                   {100, 7},     {4096, 0},  {0, 4097},  {4095, 1},     {4096, 1},
                                   {2048, 2049}, {9000, 11}, {5, 20000}, {20001, 20001}};
enum { MOST = 20001 };
#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static inline int set_up_kernels(void **state)
{
    return set_up_source(state, "sorted.py", kernels);
}

/* --- keys --- */

/* One of `some` keys of a type: the first ones are zeros of both signs, NaN and infinities of
 * floats, whose other ones are a few halves. */
static inline uint64_t some_key(cpl_dtype d, uint64_t k)
{
    static const uint64_t special[] = {0, 1, 2, 3, 4, 5};
    bool is = k < COUNT_OF(special);
    uint64_t sign = (uint64_t)1 << (8 * cpl_dtype_size(d) - 1), bits = 0;
    float f = (float)((double)k - 40) / 2;
    double g = (double)f;
    int fraction = fraction_of(d);
    if (d == CPL_BOOL) return k & 1;
    if (!fraction) return k - 30;
    uint64_t infinite = (sign - 1) >> fraction << fraction;
    if (is && k < 2) return k ? sign : 0;
    if (is && k < 4) return (k == 2 ? sign : 0) | infinite;
    if (is) return (k == 4 ? sign : 0) | infinite | (k + 3);
    if (d == CPL_FLOAT64) memcpy(&bits, &g, 8);
    else memcpy(&bits, &f, 4);
    return d == CPL_FLOAT16 ? (bits >> 16 & 0x8000) | (bits >> 13 & 0x3FFF) : bits;
}

static inline void fill(cpl_dtype d, void *keys, int64_t n, uint64_t seed, uint64_t some)
{
    for (int64_t i = 0; i < n; i++) {
        uint64_t raw = some_key(d, scrambled((uint64_t)i + seed) % some);
        memcpy((char *)keys + (size_t)i * cpl_dtype_size(d), &raw, cpl_dtype_size(d));
    }
}

static inline void same_key(cpl_dtype d, const void *got, int64_t i, const void *from, int64_t k,
                            const char *what)
{
    if (raw_key(d, got, i) != raw_key(d, from, k))
        fail_msg("%s of %s: element %lld is %llx, not %llx", what, cpl_dtype_name(d), (long long)i,
                 (unsigned long long)raw_key(d, got, i), (unsigned long long)raw_key(d, from, k));
}

typedef struct room { /* keys of one type, and results */
    void *a, *b, *out;
    int32_t *first, *inverse, *counts;
    int64_t *where, *expected;
} room;

static inline room make_room(void)
{
    room r = {malloc(MOST * 8), malloc(MOST * 8), malloc(MOST * 16), malloc(MOST * 4),
              malloc(MOST * 4), malloc(MOST * 4), malloc(MOST * 16), malloc(MOST * 16)};
    return r;
}

static inline void free_room(room *r)
{
    free(r->a);
    free(r->b);
    free(r->out);
    free(r->first);
    free(r->inverse);
    free(r->counts);
    free(r->where);
    free(r->expected);
}

/* Keys of a and b, sorted. */
static inline void fill_room(room *r, cpl_dtype d, int64_t m, int64_t n, uint64_t some,
                             bool descending)
{
    fill(d, r->a, m, 1, some);
    fill(d, r->b, n, 1000003, some);
    sort_alike(d, r->a, m, descending);
    sort_alike(d, r->b, n, descending);
    memset(r->out, 0xAB, MOST * 16);
    memset(r->where, 0xAB, MOST * 16);
}

static inline cpl_sorted_spec spec_of(const cpl_arg *out, bool descending)
{
    cpl_sorted_spec s;
    cpl_sorted_spec_init(&s);
    s.out = out;
    s.flags = descending ? CPL_SORTED_DESCENDING : 0;
    return s;
}

static inline cpl_arg item_arg(world *w, item *s, int64_t n)
{
    cpl_arg arg = cpl_arg_array(CPL_VOID, s, n);
    OK(w, cpl_type_parse(w->cx, "Item", &arg.record));
    return arg;
}

/* --- searches --- */

/* Whether a key counts for a value: those that come before it, and with right those like it. */
static inline bool counts_for(uint64_t key, uint64_t value, bool descending, bool right)
{
    return (descending ? key > value : key < value) || (right && key == value);
}

static inline void check_search(const room *r, cpl_dtype d, int64_t m, int64_t n, bool descending,
                                bool right)
{
    int64_t at = 0;
    for (int64_t i = 0; i < n; i++) { /* values rise as keys do */
        uint64_t value = rank_alike(d, r->b, i);
        while (at < m && counts_for(rank_alike(d, r->a, at), value, descending, right)) at++;
        if (r->where[i] != at)
            fail_msg("%s: value %lld of %lld is at %lld of %lld, not at %lld", cpl_dtype_name(d),
                     (long long)i, (long long)n, (long long)r->where[i], (long long)m,
                     (long long)at);
    }
}

static inline void search_here(world *w, room *r, const cpl_launch_options *o, cpl_dtype d,
                               int64_t m, int64_t n, int way)
{
    cpl_arg keys = cpl_arg_const_array(d, r->a, m), values = cpl_arg_const_array(d, r->b, n),
            out = cpl_arg_array(CPL_INT64, r->where, n);
    cpl_sorted_spec s = spec_of(&out, way & 1);
    if (way & 2) s.flags |= CPL_SORTED_RIGHT;
    OK(w, cpl_search_sorted(w->module, &s, o, &keys, &values));
    check_search(r, d, m, n, way & 1, way & 2);
}

/* --- sets --- */

static inline bool in_set(cpl_set set, bool in_a, bool in_b)
{
    return set == CPL_SET_UNION          ? in_a || in_b
           : set == CPL_SET_INTERSECTION ? in_a && in_b
           : set == CPL_SET_DIFFERENCE   ? in_a && !in_b
                                         : in_a != in_b;
}

/* The elements of a set, those of b behind all of a's; how many there are. */
static inline int64_t find_set(const room *r, cpl_dtype d, int64_t m, int64_t n, cpl_set set,
                               bool down, int64_t *found)
{
    int64_t a = 0, b = 0, count = 0;
    while (a < m || b < n) {
        uint64_t x = a < m ? rank_alike(d, r->a, a) : 0, y = b < n ? rank_alike(d, r->b, b) : 0;
        bool in_a = a < m && (b == n || !counts_for(y, x, down, false)),
             in_b = b < n && (a == m || !counts_for(x, y, down, false));
        if (in_set(set, in_a, in_b)) found[count++] = in_a ? a : m + b;
        while (in_a && a < m && rank_alike(d, r->a, a) == x) a++;
        while (in_b && b < n && rank_alike(d, r->b, b) == y) b++;
    }
    return count;
}

static inline void check_set(const room *r, cpl_dtype d, int64_t m, int64_t count, int64_t given)
{
    assert_int_equal(given, count);
    for (int64_t i = 0; i < count; i++) {
        int64_t at = r->expected[i];
        same_key(d, r->out, i, at < m ? r->a : r->b, at < m ? at : at - m, "a set");
    }
}

static inline void set_here(world *w, room *r, const cpl_launch_options *given, cpl_dtype d,
                            int64_t m, int64_t n, int way)
{
    cpl_arg x = cpl_arg_const_array(d, r->a, m), y = cpl_arg_const_array(d, r->b, n),
            out = cpl_arg_array(d, r->out, m + n);
    cpl_set set = (cpl_set)(way / 2);
    cpl_sorted_spec s = spec_of(&out, way & 1);
    int64_t number = -1, count = find_set(r, d, m, n, set, way & 1, r->expected);
    cpl_launch_options o = *given;
    o.result = &number;
    OK(w, cpl_set_of(w->module, &s, &o, set, &x, &y));
    check_set(r, d, m, count, number);
}

/* --- what is unique --- */

enum { OUT = 1, FIRST = 2, INVERSE = 4, COUNTS = 8 };

/* Where values begin among keys in order, and what all is from that; how many there are. */
static inline void check_unique(const room *r, cpl_dtype d, int64_t n, bool down, int wanted,
                                int64_t number)
{
    entry *e = malloc((size_t)(2 * n + 1) * sizeof *e);
    int64_t k = -1, begin = 0;
    order_alike(d, r->a, n, down, e);
    for (int64_t i = 0; i < n; i++) {
        if (!i || e[i].rank != e[i - 1].rank) {
            uint64_t raw = raw_key(d, r->a, e[i].at);
            bool zero = fraction_of(d) && raw == (uint64_t)1 << (8 * cpl_dtype_size(d) - 1);
            k++, begin = i;
            if (wanted & OUT) assert_int_equal(raw_key(d, r->out, k), zero ? 0 : raw);
            if (wanted & FIRST) assert_int_equal(r->first[k], e[i].at);
        }
        if (wanted & INVERSE) assert_int_equal(r->inverse[e[i].at], k);
        bool ends = i == n - 1 || e[i].rank != e[i + 1].rank;
        if (ends && wanted & COUNTS) assert_int_equal(r->counts[k], i + 1 - begin);
    }
    assert_int_equal(number, k + 1);
    free(e);
}

static inline void unique_here(world *w, room *r, const cpl_launch_options *given, cpl_dtype d,
                               int64_t n, bool down, int wanted)
{
    int64_t number = -1;
    cpl_arg keys = cpl_arg_const_array(d, r->a, n), out = cpl_arg_array(d, r->out, n),
            first = cpl_arg_array(CPL_INT32, r->first, n),
            inverse = cpl_arg_array(CPL_INT32, r->inverse, n),
            counts = cpl_arg_array(CPL_INT32, r->counts, n);
    cpl_unique_spec s;
    cpl_unique_spec_init(&s);
    s.flags = down ? CPL_SORTED_DESCENDING : 0;
    s.out = wanted & OUT ? &out : NULL;
    s.first = wanted & FIRST ? &first : NULL;
    s.inverse = wanted & INVERSE ? &inverse : NULL;
    s.counts = wanted & COUNTS ? &counts : NULL;
    cpl_launch_options o = *given;
    o.result = &number;
    OK(w, cpl_unique(w->module, &s, &o, &keys));
    check_unique(r, d, n, down, wanted, number);
}

#endif

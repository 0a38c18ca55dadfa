/* What tests of sorts share: patterns of keys, arrays that go along with them, a file of kernels,
 * and the comparison with a stable merge sort of plain C. */
#ifndef UNIT_SORT_WORLD_H
#define UNIT_SORT_WORLD_H

#include "device_world.h"
#include "launches.h"
#include "libomp_leaks.h"
#include "sort_model.h"

#include <cpl/sort.h>

#include <math.h>

static const char kernels[] = "from cpl import struct\n"
                              "@struct\n"
                              "class Item:\n"
                              "    weight: 'double'\n"
                              "    number: 'int'\n"
                              "    tag: 'char'\n"
                              "def lighter(a, b):\n"
                              "    return a.weight < b.weight\n"
                              "def by_last_digit(a, b):\n"
                              "    return a % 10 < b % 10\n";

typedef struct item {
    double weight;
    int32_t number;
    int8_t tag;
} item;

enum { MOST = 100003, BIG = 20001 };
#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static inline int set_up_kernels(void **state)
{
    return set_up_source(state, "sort.py", kernels);
}

static inline cpl_sort_spec spec_of(const asked *a)
{
    cpl_sort_spec s;
    cpl_sort_spec_init(&s);
    s.flags = a->descending ? CPL_SORT_DESCENDING : 0;
    s.first_bit = a->first;
    s.end_bit = a->end;
    return s;
}

/* Elements of got are those of from in the order that is expected. */
static inline void check(const entry *expected, const void *from, const void *got, size_t size,
                         int64_t n, const char *what)
{
    for (int64_t i = 0; i < n; i++)
        if (memcmp((const char *)got + (size_t)i * size,
                   (const char *)from + (size_t)expected[i].at * size, size) != 0)
            fail_msg("%s: element %lld of %lld is not what was at %lld", what, (long long)i,
                     (long long)n, (long long)expected[i].at);
}

/* --- patterns --- */

static inline void fill(cpl_dtype d, void *keys, int64_t n, uint64_t (*at)(int64_t i, int64_t n))
{
    size_t size = cpl_dtype_size(d);
    for (int64_t i = 0; i < n; i++) {
        uint64_t raw = at(i, n);
        if (d == CPL_BOOL) raw &= 1;
        memcpy((char *)keys + (size_t)i * size, &raw, size);
    }
}

static inline uint64_t random_bits(int64_t i, int64_t n)
{
    (void)n;
    return scrambled((uint64_t)i + 1);
}
static inline uint64_t rising(int64_t i, int64_t n)
{
    (void)n;
    return (uint64_t)i;
}
/* In order but where a piece begins. */
static inline uint64_t turned(int64_t i, int64_t n)
{
    return (uint64_t)((i + n - n / 8192 * 4096) % n);
}
static inline uint64_t falling(int64_t i, int64_t n)
{
    return (uint64_t)(n - i);
}
static inline uint64_t few(int64_t i, int64_t n)
{
    return random_bits(i, n) % 5 * 0x0101010101010101u;
}
static inline uint64_t equal(int64_t i, int64_t n)
{
    (void)i, (void)n;
    return 42;
}
static inline uint64_t organ_pipe(int64_t i, int64_t n)
{
    return (uint64_t)(i < n / 2 ? i : n - i);
}
static inline uint64_t nearly(int64_t i, int64_t n)
{
    return (uint64_t)(i % 1000 == 17 ? n - i : i);
}
/* An odd number of digits that differ, not side by side. */
static inline uint64_t some_digits(int64_t i, int64_t n)
{
    return random_bits(i, n) & 0x00FF03F000007F00u;
}
/* One key is far from all others. */
static inline uint64_t lonely(int64_t i, int64_t n)
{
    return i == n / 3 ? UINT64_MAX / 3 : random_bits(i, n) & 0xFFF;
}

/* All but some agree in digits behind the highest one. */
static inline uint64_t like_random(int64_t i, int64_t n)
{
    return random_bits(i, n) & (n < 32 || i % (n / 32) == 0 ? UINT64_MAX : 0xF00000FFF00000FFu);
}

/* Those that a selection looks at first are less than all others, or, where keys fall, greater. */
static inline uint64_t deceiving(int64_t i, int64_t n)
{
    return (random_bits(i, n) >> 1 & 0x3FFFFFFF3FFFFFFFu) | (i % 256 ? 0x4000000040004000u : 0);
}
static inline uint64_t deceiving_down(int64_t i, int64_t n)
{
    return ~deceiving(i, n);
}

/* Nearly all integers of a range that has both signs; some more than once. */
static inline uint64_t dense(int64_t i, int64_t n)
{
    return random_bits(i, n) % (uint64_t)(n + n / 2 + 1) - (uint64_t)(n / 3);
}
/* Each integer of one once. */
static inline uint64_t permuted(int64_t i, int64_t n)
{
    int64_t step = n % 7919 ? 7919 : 7907;
    return (uint64_t)(i * step % n);
}
/* Some of them more often than eight bits can count. */
static inline uint64_t crowded(int64_t i, int64_t n)
{
    return i % 50 == 7 ? (uint64_t)(n / 2) : dense(i, n);
}

static uint64_t (*const patterns[])(int64_t, int64_t) = {random_bits,    rising,      turned,
                                                         falling,        few,         equal,
                                                         organ_pipe,     nearly,      some_digits,
                                                         lonely,         like_random, deceiving,
                                                         deceiving_down, dense,       permuted,
                                                         crowded};

/* --- arrays --- */

typedef struct room { /* for one sort */
    void *keys, *from;
    entry *expected;
} room;

static inline room make_room(void)
{
    return (room){malloc(MOST * 8), malloc(MOST * 8), malloc(MOST * sizeof(entry))};
}

static inline void free_room(room *r)
{
    free(r->keys);
    free(r->from);
    free(r->expected);
}

typedef struct arrays {
    float keys[BIG], keys_out[BIG];
    double d[BIG], d_out[BIG];
    uint8_t b[BIG], b_out[BIG];
    item s[BIG], s_out[BIG];
    int32_t order[BIG];
    int64_t long_order[BIG];
    entry expected[BIG];
} arrays;

static inline arrays *make_arrays(void)
{
    arrays *a = calloc(1, sizeof *a);
    for (int i = 0; i < BIG; i++) {
        a->keys[i] = (float)(scrambled((uint64_t)i) % 301) - 150;
        a->d[i] = i + 0.25;
        a->b[i] = (uint8_t)i;
        a->s[i].weight = -i;
        a->s[i].number = i;
        a->s[i].tag = (int8_t)(i % 100);
    }
    return a;
}

static inline cpl_arg item_arg(world *w, item *s, int64_t n)
{
    cpl_arg arg = cpl_arg_array(CPL_VOID, s, n);
    OK(w, cpl_type_parse(w->cx, "Item", &arg.record));
    return arg;
}

static inline void check_selected(world *w, const room *r, const asked *a, int64_t n, int64_t k,
                                  int wanted)
{
    size_t size = cpl_dtype_size(a->type);
    int32_t *order = malloc((size_t)(k + 1) * sizeof *order);
    cpl_arg keys = cpl_arg_const_array(a->type, r->from, n),
            out = cpl_arg_array(a->type, r->keys, k), to = cpl_arg_array(CPL_INT32, order, k);
    cpl_sort_spec s = spec_of(a);
    s.out = wanted & 1 ? &out : NULL;
    s.order = wanted & 2 ? &to : NULL;
    OK(w, cpl_select(w->module, &s, NULL, k, &keys));
    if (wanted & 1) check(r->expected, r->from, r->keys, size, k, "selected");
    for (int64_t i = 0; i < k && wanted & 2; i++)
        if (order[i] != r->expected[i].at)
            fail_msg("%s: place %lld of %lld among %lld is %d, not %lld", cpl_dtype_name(a->type),
                     (long long)i, (long long)k, (long long)n, order[i],
                     (long long)r->expected[i].at);
    free(order);
}

#endif

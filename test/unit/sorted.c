/*
 * Searches, merges and sets of sorted arrays, and what is unique, compared with plain loops: every
 * type, keys of which many are alike, zeros of both signs and NaN, by a function, structs, results
 * with less room than there is to put, on the host with any number of threads, by the interpreter,
 * and on whatever devices there are.
 */
#include "device_world.h"
#include "launches.h"
#include "libomp_leaks.h"
#include "sort_model.h"

#include <cpl/sorted.h>

#include <math.h>

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

static int set_up_kernels(void **state)
{
    return set_up_source(state, "sorted.py", kernels);
}

/* --- keys --- */

/* One of `some` keys of a type: the first ones are zeros of both signs, NaN and infinities of
 * floats, whose other ones are a few halves. */
static uint64_t some_key(cpl_dtype d, uint64_t k)
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

static void fill(cpl_dtype d, void *keys, int64_t n, uint64_t seed, uint64_t some)
{
    for (int64_t i = 0; i < n; i++) {
        uint64_t raw = some_key(d, scrambled((uint64_t)i + seed) % some);
        memcpy((char *)keys + (size_t)i * cpl_dtype_size(d), &raw, cpl_dtype_size(d));
    }
}

static void same_key(cpl_dtype d, const void *got, int64_t i, const void *from, int64_t k,
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

static room make_room(void)
{
    room r = {malloc(MOST * 8), malloc(MOST * 8), malloc(MOST * 16), malloc(MOST * 4),
              malloc(MOST * 4), malloc(MOST * 4), malloc(MOST * 16), malloc(MOST * 16)};
    return r;
}

static void free_room(room *r)
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
static void fill_room(room *r, cpl_dtype d, int64_t m, int64_t n, uint64_t some, bool descending)
{
    fill(d, r->a, m, 1, some);
    fill(d, r->b, n, 1000003, some);
    sort_alike(d, r->a, m, descending);
    sort_alike(d, r->b, n, descending);
    memset(r->out, 0xAB, MOST * 16);
    memset(r->where, 0xAB, MOST * 16);
}

static cpl_sorted_spec spec_of(const cpl_arg *out, bool descending)
{
    cpl_sorted_spec s;
    cpl_sorted_spec_init(&s);
    s.out = out;
    s.flags = descending ? CPL_SORTED_DESCENDING : 0;
    return s;
}

/* --- searches --- */

/* Whether a key counts for a value: those that come before it, and with right those like it. */
static bool counts_for(uint64_t key, uint64_t value, bool descending, bool right)
{
    return (descending ? key > value : key < value) || (right && key == value);
}

static void check_search(const room *r, cpl_dtype d, int64_t m, int64_t n, bool descending,
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

static void search_here(world *w, room *r, const cpl_launch_options *o, cpl_dtype d, int64_t m,
                        int64_t n, int way)
{
    cpl_arg keys = cpl_arg_const_array(d, r->a, m), values = cpl_arg_const_array(d, r->b, n),
            out = cpl_arg_array(CPL_INT64, r->where, n);
    cpl_sorted_spec s = spec_of(&out, way & 1);
    if (way & 2) s.flags |= CPL_SORTED_RIGHT;
    OK(w, cpl_search_sorted(w->module, &s, o, &keys, &values));
    check_search(r, d, m, n, way & 1, way & 2);
}

static void searches(void **state)
{
    world *w = *state;
    room r = make_room();
    for (size_t t = 0; t < COUNT_OF(types); t++)
        for (size_t p = 0; p < COUNT_OF(pairs); p++)
            for (int way = 0; way < 4; way++) {
                optimise_some(w, types[t]);
                fill_room(&r, types[t], pairs[p][0], pairs[p][1], 70, way & 1);
                search_here(w, &r, NULL, types[t], pairs[p][0], pairs[p][1], way);
            }
    free_room(&r);
}

/* Few values of many, in any order, as int32; every second element; by a function. */
static void searches_of_some(void **state)
{
    world *w = *state;
    enum { COUNT = 1000 };
    room r = make_room();
    int32_t *x = r.a, *v = r.b, *at = r.first;
    for (int way = 0; way < 4; way++) {
        for (int i = 0; i < MOST; i++) x[i] = i / 3 * (way & 1 ? 1 : 5);
        for (int i = 0; i < COUNT; i++) v[2 * i] = (int32_t)(scrambled((uint64_t)i) % 12000) - 1000;
        cpl_arg keys = cpl_arg_array(CPL_INT32, x, MOST),
                values = cpl_arg_array(CPL_INT32, v, COUNT),
                out = cpl_arg_array(CPL_INT32, at, COUNT);
        values.stride = 8;
        out.stride = 12;
        cpl_sorted_spec s = spec_of(&out, false);
        if (way & 1) s.before = cpl_bind_expression("2*a < 2*b");
        if (way & 2) s.flags = CPL_SORTED_RIGHT;
        cpl_launch_options o = rounds_on(NULL, COUNT - 7, NULL);
        at[3 * (COUNT - 7)] = -5;
        OK(w, cpl_search_sorted(w->module, &s, &o, &keys, &values));
        assert_int_equal(at[3 * (COUNT - 7)], -5);
        for (int i = 0; i < COUNT - 7; i++) {
            int32_t expected = 0;
            while (expected < MOST &&
                   (x[expected] < v[2 * i] || (way & 2 && x[expected] == v[2 * i])))
                expected++;
            assert_int_equal(at[3 * i], expected);
        }
    }
    free_room(&r);
}

/* --- merges --- */

static void merges(void **state)
{
    world *w = *state;
    room r = make_room();
    for (size_t t = 0; t < COUNT_OF(types); t++)
        for (size_t p = 0; p < COUNT_OF(pairs); p++)
            for (int way = 0; way < 2; way++) {
                int64_t m = pairs[p][0], n = pairs[p][1], a = 0, b = 0;
                cpl_dtype d = types[t];
                fill_room(&r, d, m, n, 70, way);
                cpl_arg x = cpl_arg_const_array(d, r.a, m), y = cpl_arg_const_array(d, r.b, n),
                        out = cpl_arg_array(d, r.out, m + n);
                cpl_sorted_spec s = spec_of(&out, way);
                OK(w, cpl_merge(w->module, &s, NULL, &x, &y, 1));
                for (int64_t i = 0; i < m + n; i++) {
                    bool second =
                        a == m || (b < n && counts_for(rank_alike(d, r.b, b), rank_alike(d, r.a, a),
                                                       way, false));
                    if (second) same_key(d, r.out, i, r.b, b++, "a merge");
                    else same_key(d, r.out, i, r.a, a++, "a merge");
                }
            }
    free_room(&r);
}

static cpl_arg item_arg(world *w, item *s, int64_t n)
{
    cpl_arg arg = cpl_arg_array(CPL_VOID, s, n);
    OK(w, cpl_type_parse(w->cx, "Item", &arg.record));
    return arg;
}

/* Items whose weights rise or fall, each there a few times; numbers say which is which. */
static void fill_items(item *s, int64_t n, int32_t first, bool falls)
{
    for (int64_t i = 0; i < n; i++) {
        s[i].weight = (double)(falls ? n - 1 - i : i) / 7;
        s[i].weight = floor(s[i].weight);
        s[i].number = first + (int32_t)i;
        s[i].tag = (int8_t)(i % 100);
    }
}

/* Structs by a function, with arrays that go along; on any number of threads, by the interpreter.
 */
static void merges_of_structs(void **state)
{
    world *w = *state;
    enum { M = 9000, COUNT = 12000, BOTH = M + COUNT };
    item *a = calloc(M, sizeof *a), *b = calloc(COUNT, sizeof *b), *out = calloc(BOTH, sizeof *out);
    double *d = malloc(BOTH * 8), *d_out = malloc(BOTH * 8);
    uint8_t *k = malloc(BOTH), *k_out = malloc(BOTH * 3);
    for (int i = 0; i < BOTH; i++) d[i] = i + 0.5, k[i] = (uint8_t)i;
    for (int way = 0; way < 10; way++) {
        cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
        o.interpret = way > 7;
        fill_items(a, M, 0, way & 1);
        fill_items(b, COUNT, M, way & 1);
        cpl_arg x[] = {item_arg(w, a, M), cpl_arg_array(CPL_FLOAT64, d, M),
                       cpl_arg_array(CPL_UINT8, k, M)},
                y[] = {item_arg(w, b, COUNT), cpl_arg_array(CPL_FLOAT64, d + M, COUNT),
                       cpl_arg_array(CPL_UINT8, k + M, COUNT)},
                to[] = {item_arg(w, out, BOTH), cpl_arg_array(CPL_FLOAT64, d_out, BOTH),
                        cpl_arg_array(CPL_UINT8, k_out, BOTH)};
        to[2].stride = 3;
        cpl_sorted_spec s = spec_of(to, way & 1);
        s.before = cpl_bind_function("lighter");
        memset(out, 0, BOTH * sizeof *out);
        OK(w, cpl_context_set_option(w->cx, "num_threads", 1 + way / 2));
        OK(w, cpl_merge(w->module, &s, &o, x, y, 3));
        for (int i = 0, p = 0, q = 0; i < BOTH; i++) {
            bool second =
                p == M ||
                (q < COUNT && (way & 1 ? b[q].weight > a[p].weight : b[q].weight < a[p].weight));
            int at = second ? M + q++ : p++;
            assert_int_equal(out[i].number, at);
            assert_true(d_out[i] == at + 0.5);
            assert_int_equal(k_out[3 * i], (uint8_t)at);
        }
    }
    free(a);
    free(b);
    free(out);
    free(d);
    free(d_out);
    free(k);
    free(k_out);
}

/* As many as there may be. */
static void merges_of_sixteen(void **state)
{
    world *w = *state;
    enum { ARRAYS = 16, M = 300, COUNT = 5000, BOTH = M + COUNT };
    int32_t *a = malloc(ARRAYS * M * 4), *b = malloc(ARRAYS * COUNT * 4),
            *out = calloc(ARRAYS * BOTH, 4);
    cpl_arg x[ARRAYS], y[ARRAYS], to[ARRAYS];
    for (int k = 0; k < ARRAYS; k++) {
        for (int i = 0; i < M; i++) a[k * M + i] = 30 * i + k;
        for (int i = 0; i < COUNT; i++) b[k * COUNT + i] = 2 * i + 1 + k;
        x[k] = cpl_arg_array(CPL_INT32, a + k * M, M);
        y[k] = cpl_arg_array(CPL_INT32, b + k * COUNT, COUNT);
        to[k] = cpl_arg_array(CPL_INT32, out + k * BOTH, BOTH);
    }
    cpl_sorted_spec s = spec_of(to, false);
    OK(w, cpl_merge(w->module, &s, NULL, x, y, ARRAYS));
    for (int i = 0, p = 0, q = 0; i < BOTH; i++) {
        int key = p == M || (q < COUNT && 2 * q + 1 < 30 * p) ? 2 * q++ + 1 : 30 * p++;
        for (int k = 0; k < ARRAYS; k++) assert_int_equal(out[k * BOTH + i], key + k);
    }
    free(a);
    free(b);
    free(out);
}

/* --- sets --- */

static bool in_set(cpl_set set, bool in_a, bool in_b)
{
    return set == CPL_SET_UNION          ? in_a || in_b
           : set == CPL_SET_INTERSECTION ? in_a && in_b
           : set == CPL_SET_DIFFERENCE   ? in_a && !in_b
                                         : in_a != in_b;
}

/* The elements of a set, those of b behind all of a's; how many there are. */
static int64_t find_set(const room *r, cpl_dtype d, int64_t m, int64_t n, cpl_set set, bool down,
                        int64_t *found)
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

static void check_set(const room *r, cpl_dtype d, int64_t m, int64_t count, int64_t given)
{
    assert_int_equal(given, count);
    for (int64_t i = 0; i < count; i++) {
        int64_t at = r->expected[i];
        same_key(d, r->out, i, at < m ? r->a : r->b, at < m ? at : at - m, "a set");
    }
}

static void set_here(world *w, room *r, const cpl_launch_options *given, cpl_dtype d, int64_t m,
                     int64_t n, int way)
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

static void sets(void **state)
{
    world *w = *state;
    room r = make_room();
    static const uint64_t some[] = {3, 70, UINT64_MAX};
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    for (size_t t = 0; t < COUNT_OF(types); t++)
        for (size_t p = 0; p < COUNT_OF(pairs); p++)
            for (int way = 0; way < 8; way++) {
                optimise_some(w, types[t]);
                fill_room(&r, types[t], pairs[p][0], pairs[p][1], some[(p + t) % 3], way & 1);
                set_here(w, &r, &o, types[t], pairs[p][0], pairs[p][1], way);
            }
    free_room(&r);
}

/* Patterns: apart, the same, one inside the other, runs as long as pieces. */
static void patterns_of_sets(void **state)
{
    world *w = *state;
    room r = make_room();
    int32_t *a = r.a, *b = r.b;
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    for (int64_t threads = 1; threads < 9; threads *= 2)
        for (int pattern = 0; pattern < 6; pattern++)
            for (int way = 0; way < 8; way += 2) {
                for (int i = 0; i < MOST; i++) {
                    a[i] = pattern == 0 ? i : pattern == 1 ? i : pattern == 4 ? i / 5000 : 7;
                    if (pattern == 2 || pattern == 5) a[i] = 2 * i;
                    b[i] = pattern == 0   ? MOST + i
                           : pattern == 1 ? i
                           : pattern == 2 ? 2 * i + 1
                           : pattern == 3 ? 7
                           : pattern == 4 ? (i + 2500) / 5000
                                          : 3 * i;
                }
                OK(w, cpl_context_set_option(w->cx, "num_threads", threads));
                set_here(w, &r, &o, CPL_INT32, MOST, MOST, way);
            }
    free_room(&r);
}

/* Less room than results; how many there are as an array, or for nobody. */
static void room_for_sets(void **state)
{
    world *w = *state;
    int32_t a[] = {1, 1, 2, 5, 9}, b[] = {2, 3, 3, 9}, got[6];
    static const int32_t expected[] = {1, 2, 3, 5, 9};
    for (int64_t length = 0; length < 6; length++) {
        int64_t number = -1;
        cpl_arg x = cpl_arg_array(CPL_INT32, a, 5), y = cpl_arg_array(CPL_INT32, b, 4),
                out = cpl_arg_array(CPL_INT32, got, length),
                told = cpl_arg_array(CPL_INT64, &number, 1);
        cpl_sorted_spec s = spec_of(&out, false);
        if (length % 2) s.number = &told;
        for (int i = 0; i < 6; i++) got[i] = -1;
        OK(w, cpl_set_of(w->module, &s, NULL, CPL_SET_UNION, &x, &y));
        for (int i = 0; i < 6; i++)
            assert_int_equal(got[i], i < length && i < 5 ? expected[i] : -1);
        assert_int_equal(number, length % 2 ? 5 : -1);
    }
}

/* --- what is unique --- */

enum { OUT = 1, FIRST = 2, INVERSE = 4, COUNTS = 8 };

/* Where values begin among keys in order, and what all is from that; how many there are. */
static void check_unique(const room *r, cpl_dtype d, int64_t n, bool down, int wanted,
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

static void unique_here(world *w, room *r, const cpl_launch_options *given, cpl_dtype d, int64_t n,
                        bool down, int wanted)
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

static void unique(void **state)
{
    world *w = *state;
    static const int64_t some[] = {0, 1, 2, 300, 4096, 4097, 16385, MOST};
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    room r = make_room();
    for (size_t t = 0; t < COUNT_OF(types); t++)
        for (size_t l = 0; l < COUNT_OF(some); l++) {
            static const uint64_t values[] = {1, 70, UINT64_MAX};
            optimise_some(w, types[t]);
            fill(types[t], r.a, some[l], 5, values[(l + t) % 3]);
            unique_here(w, &r, &o, types[t], some[l], l % 2, OUT | FIRST | INVERSE | COUNTS);
        }
    for (int wanted = 0; wanted < 16; wanted++) {
        optimise_some(w, wanted % 5 ? CPL_FLOAT32 : CPL_FLOAT64); /* 3 for none, two, all */
        fill(CPL_FLOAT32, r.a, MOST, 5, 70);
        unique_here(w, &r, &o, CPL_FLOAT32, MOST, false, wanted);
    }
    free_room(&r);
}

static void unique_on_any_threads(void **state)
{
    world *w = *state;
    room r = make_room();
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    for (int way = 0; way < 5; way++) {
        int64_t n = way == 4 ? 5000 : MOST;
        o.interpret = way == 4;
        OK(w, cpl_context_set_option(w->cx, "num_threads", way == 4 ? 1 : 1 << way));
        OK(w, cpl_context_set_option(w->cx, "bounds_check", way == 3));
        fill(CPL_FLOAT64, r.a, n, 5, 100);
        unique_here(w, &r, &o, CPL_FLOAT64, n, way & 1, OUT | FIRST | INVERSE | COUNTS);
        fill_room(&r, CPL_FLOAT64, n, n / 2, 70, false);
        set_here(w, &r, &o, CPL_FLOAT64, n, n / 2, 4);
        search_here(w, &r, &o, CPL_FLOAT64, n, n / 2, 2);
    }
    free_room(&r);
}

/* Structs by a function, in int64; less room than values. */
static void unique_structs(void **state)
{
    world *w = *state;
    enum { COUNT = 10000, VALUES = 97, ROOM = 50 };
    item *s = calloc(COUNT, sizeof *s), *out = calloc(COUNT, sizeof *out);
    int64_t *first = calloc(COUNT, 8), *inverse = calloc(COUNT, 8), *counts = calloc(COUNT, 8),
            number = 0;
    for (int i = 0; i < COUNT; i++) {
        s[i].weight = (double)(i * 31 % VALUES);
        s[i].number = i;
    }
    for (int way = 0; way < 2; way++) {
        int64_t space = way ? ROOM : COUNT;
        cpl_arg keys = item_arg(w, s, COUNT), values = item_arg(w, out, space),
                at = cpl_arg_array(CPL_INT64, first, space),
                of = cpl_arg_array(CPL_INT64, inverse, COUNT),
                many = cpl_arg_array(CPL_INT64, counts, space),
                told = cpl_arg_array(CPL_INT64, &number, 1);
        cpl_unique_spec u;
        cpl_unique_spec_init(&u);
        u.before = cpl_bind_function("lighter");
        u.out = &values, u.first = &at, u.inverse = &of, u.counts = &many, u.number = &told;
        memset(out, 0, COUNT * sizeof *out);
        memset(counts, 0, COUNT * 8);
        OK(w, cpl_unique(w->module, &u, NULL, &keys));
        assert_int_equal(number, VALUES);
        for (int i = 0; i < COUNT; i++) assert_int_equal(inverse[i], i * 31 % VALUES);
        for (int k = 0; k < VALUES; k++) {
            bool there = k < space;
            int begin = 0;
            while (begin * 31 % VALUES != k) begin++;
            assert_int_equal(out[k].number, there ? begin : 0);
            if (there) assert_int_equal(first[k], begin);
            assert_int_equal(counts[k], there ? (COUNT - begin + VALUES - 1) / VALUES : 0);
        }
    }
    free(s);
    free(out);
    free(first);
    free(inverse);
    free(counts);
}

/* --- on devices --- */

static void sorted_there(world *w, cpl_device *d, room *r, int64_t m, int64_t n)
{
    const cpl_dtype T = CPL_FLOAT32;
    fill_room(r, T, m, n, 70, false);
    int64_t number = -1,
            count = find_set(r, T, m, n, CPL_SET_SYMMETRIC_DIFFERENCE, false, r->expected);
    cpl_array *a = on_device(w, d, T, r->a, m), *b = on_device(w, d, T, r->b, n),
              *out = on_device(w, d, T, r->out, m + n),
              *at = on_device(w, d, CPL_INT64, r->where, n);
    cpl_arg x = cpl_arg_of_array(a), y = cpl_arg_of_array(b), to = cpl_arg_of_array(out),
            where = cpl_arg_of_array(at);
    cpl_sorted_spec s = spec_of(&where, false);
    OK(w, cpl_search_sorted(w->module, &s, NULL, &x, &y));
    OK(w, cpl_array_read(at, NULL, r->where, NULL));
    check_search(r, T, m, n, false, false);
    s.out = &to;
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    o.result = &number;
    OK(w, cpl_set_of(w->module, &s, &o, CPL_SET_SYMMETRIC_DIFFERENCE, &x, &y));
    OK(w, cpl_array_read(out, NULL, r->out, NULL));
    check_set(r, T, m, count, number);
    OK(w, cpl_merge(w->module, &s, NULL, &x, &y, 1));
    OK(w, cpl_array_read(out, NULL, r->out, NULL));
    for (int64_t i = 1; i < m + n; i++)
        assert_true(rank_alike(T, r->out, i - 1) <= rank_alike(T, r->out, i));
    cpl_array_release(a);
    cpl_array_release(b);
    cpl_array_release(out);
    cpl_array_release(at);
}

static void unique_there(world *w, cpl_device *d, room *r, int64_t n)
{
    const cpl_dtype T = CPL_FLOAT32;
    fill(T, r->a, n, 9, 70);
    int64_t number = -1;
    cpl_array *keys = on_device(w, d, T, r->a, n), *out = on_device(w, d, T, r->a, n),
              *first = on_device(w, d, CPL_INT32, r->first, n),
              *inverse = on_device(w, d, CPL_INT32, r->inverse, n),
              *counts = on_device(w, d, CPL_INT32, r->counts, n),
              *told = on_device(w, d, CPL_INT64, &number, 1);
    cpl_arg in = cpl_arg_of_array(keys), to = cpl_arg_of_array(out), at = cpl_arg_of_array(first),
            of = cpl_arg_of_array(inverse), many = cpl_arg_of_array(counts),
            place = cpl_arg_of_array(told);
    cpl_unique_spec s;
    cpl_unique_spec_init(&s);
    s.out = &to, s.first = &at, s.inverse = &of, s.counts = &many, s.number = &place;
    OK(w, cpl_unique(w->module, &s, NULL, &in));
    OK(w, cpl_array_read(out, NULL, r->out, NULL));
    OK(w, cpl_array_read(first, NULL, r->first, NULL));
    OK(w, cpl_array_read(inverse, NULL, r->inverse, NULL));
    OK(w, cpl_array_read(counts, NULL, r->counts, NULL));
    OK(w, cpl_array_read(told, NULL, &number, NULL));
    check_unique(r, T, n, false, OUT | FIRST | INVERSE | COUNTS, number);
    cpl_array_release(keys);
    cpl_array_release(out);
    cpl_array_release(first);
    cpl_array_release(inverse);
    cpl_array_release(counts);
    cpl_array_release(told);
}

static void on_devices(void **state)
{
    world *w = *state;
    room r = make_room();
    memset(r.first, 0, MOST * 4);
    memset(r.inverse, 0, MOST * 4);
    memset(r.counts, 0, MOST * 4);
    EACH_DEVICE(w, d)
    {
        sorted_there(w, d, &r, 0, 5);
        sorted_there(w, d, &r, 9000, 11000);
        unique_there(w, d, &r, 0);
        unique_there(w, d, &r, 17000);
    }
    free_room(&r);
}

/* A graph finds what is unique when it is launched. */
static void recorded(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        enum { COUNT = 17000 };
        cpl_graph *graph;
        cpl_queue *q = cpl_device_queue(d);
        int64_t *x = calloc(COUNT, 8), number = 0;
        cpl_array *keys = on_device(w, d, CPL_INT64, x, COUNT),
                  *out = on_device(w, d, CPL_INT64, x, COUNT),
                  *counts = on_device(w, d, CPL_INT64, x, COUNT),
                  *told = on_device(w, d, CPL_INT64, &number, 1);
        cpl_arg in = cpl_arg_of_array(keys), to = cpl_arg_of_array(out),
                many = cpl_arg_of_array(counts), place = cpl_arg_of_array(told);
        cpl_unique_spec s;
        cpl_unique_spec_init(&s);
        s.out = &to, s.counts = &many, s.number = &place;
        OK(w, cpl_graph_begin(q));
        OK(w, cpl_unique(w->module, &s, NULL, &in));
        OK(w, cpl_graph_end(q, &graph));
        for (int64_t values = 1; values < 9000; values *= 89) {
            for (int64_t i = 0; i < COUNT; i++) x[i] = i * 7 % values;
            OK(w, cpl_array_write(keys, NULL, x, NULL));
            OK(w, cpl_graph_launch(graph, NULL, NULL));
            OK(w, cpl_array_read(told, NULL, &number, NULL));
            assert_int_equal(number, values);
            OK(w, cpl_array_read(out, NULL, x, NULL));
            for (int64_t i = 0; i < values; i++) assert_int_equal(x[i], i);
            OK(w, cpl_array_read(counts, NULL, x, NULL));
            for (int64_t i = 0; i < values; i++)
                assert_in_range(x[i], COUNT / values, COUNT / values + 1);
        }
        cpl_graph_release(graph);
        cpl_array_release(keys);
        cpl_array_release(out);
        cpl_array_release(counts);
        cpl_array_release(told);
        free(x);
    }
}

/* Memory of the host's own, which goes to a device and back. */
static void automatically(void **state)
{
    world *w = *state;
    room r = make_room();
    OK(w, cpl_context_set_option(w->cx, "automatic", 1));
    EACH_DEVICE(w, d)
    {
        cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, cpl_device_queue(d));
        fill(CPL_FLOAT64, r.a, 17000, 5, 100);
        unique_here(w, &r, &o, CPL_FLOAT64, 17000, false, OUT | FIRST | INVERSE | COUNTS);
        fill_room(&r, CPL_INT16, 9000, 5000, 70, true);
        set_here(w, &r, &o, CPL_INT16, 9000, 5000, 3);
        search_here(w, &r, &o, CPL_INT16, 9000, 5000, 1);
    }
    free_room(&r);
}

/* What would be launched: nothing runs. */
static void kernels_are_handed_out(void **state)
{
    world *w = *state;
    int32_t x[9] = {0}, y[18] = {0}, z[9];
    cpl_kernels found = {0};
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    o.kernels = &found;
    cpl_arg a = cpl_arg_array(CPL_INT32, x, 9), out = cpl_arg_array(CPL_INT32, y, 18),
            first = cpl_arg_array(CPL_INT32, z, 9);
    cpl_sorted_spec s = spec_of(&out, false);
    OK(w, cpl_search_sorted(w->module, &s, &o, &a, &a));
    assert_int_equal(found.count, 1);
    OK(w, cpl_merge(w->module, &s, &o, &a, &a, 1));
    assert_int_equal(found.count, 2);
    OK(w, cpl_set_of(w->module, &s, &o, CPL_SET_UNION, &a, &a));
    assert_int_equal(found.count, 5);
    cpl_unique_spec u;
    cpl_unique_spec_init(&u);
    u.first = &first;
    OK(w, cpl_unique(w->module, &u, &o, &a));
    assert_int_equal(found.count, 10); /* a copy, a sort, and three more */
    for (size_t i = 0; i < found.count; i++) cpl_kernel_release(found.kernels[i]);
}

/* Arrays that are not sorted, and functions that are no order: something comes out, and nothing is
 * touched outside. */
static void nothing_is_sorted(void **state)
{
    world *w = *state;
    static const char *const orders[] = {"a < b", "True", "False", "a != b", "b % 3 == 1"};
    room r = make_room();
    int32_t *x = r.a, *y = r.b, *out = r.out;
    for (size_t k = 0; k < COUNT_OF(orders); k++) {
        for (int i = 0; i < MOST; i++) {
            x[i] = (int32_t)(scrambled((uint64_t)i) % 1000);
            y[i] = (int32_t)(scrambled((uint64_t)i + 5) % 1000);
        }
        cpl_arg a = cpl_arg_array(CPL_INT32, x, MOST), b = cpl_arg_array(CPL_INT32, y, MOST),
                to = cpl_arg_array(CPL_INT32, out + 1, 2 * MOST - 2);
        cpl_sorted_spec s = spec_of(&to, false);
        s.before = cpl_bind_expression(orders[k]);
        memset(r.out, 0xAB, MOST * 16);
        for (int set = 0; set < 4; set++)
            OK(w, cpl_set_of(w->module, &s, NULL, (cpl_set)set, &a, &b));
        a.length = b.length = MOST - 1;
        OK(w, cpl_merge(w->module, &s, NULL, &a, &b, 1));
        OK(w, cpl_search_sorted(w->module, &s, NULL, &a, &b));
        assert_int_equal(out[0], (int32_t)0xABABABAB);
        assert_int_equal(out[2 * MOST - 1], (int32_t)0xABABABAB);
    }
    free_room(&r);
}

/* --- what is refused --- */

static void refused(void **state)
{
    world *w = *state;
    int32_t x[8] = {1, 2, 3}, y[8], z[16];
    double f[16];
    item t[4];
    cpl_arg a = cpl_arg_array(CPL_INT32, x, 8), b = cpl_arg_array(CPL_INT32, y, 8),
            out = cpl_arg_array(CPL_INT32, z, 16), floats = cpl_arg_array(CPL_FLOAT64, f, 16),
            one = cpl_arg_int(1), items = item_arg(w, t, 4);
    cpl_sorted_spec s = spec_of(&out, false), none = spec_of(NULL, false);
    FAILS(w, cpl_search_sorted(NULL, &s, NULL, &a, &b), CPL_EARG, "");
    FAILS(w, cpl_search_sorted(w->module, &none, NULL, &a, &b), CPL_EARG, "");
    FAILS(w, cpl_search_sorted(w->module, &s, NULL, &one, &b), CPL_EARG, "no array of keys");
    FAILS(w, cpl_search_sorted(w->module, &s, NULL, &a, &one), CPL_EARG,
          "the other array is no array");
    FAILS(w, cpl_search_sorted(w->module, &s, NULL, &a, &floats), CPL_EARG,
          "the other array has elements of float64, and the keys are int32");
    FAILS(w, cpl_search_sorted(w->module, &s, NULL, &items, &items), CPL_EARG,
          "keys are numbers, not Item");
    s.out = &floats;
    FAILS(w, cpl_search_sorted(w->module, &s, NULL, &a, &b), CPL_EARG,
          "the array of the results is no array of int32 or int64");
    s.out = &out;
    out.length = 7;
    FAILS(w, cpl_search_sorted(w->module, &s, NULL, &a, &b), CPL_EARG,
          "has 7 elements and takes 8");
    out.length = 16;
    cpl_launch_options o = rounds_on(NULL, 9, NULL);
    FAILS(w, cpl_search_sorted(w->module, &s, &o, &a, &b), CPL_EARG, "there are 8 values, and 9");
    s.flags = 4;
    FAILS(w, cpl_search_sorted(w->module, &s, NULL, &a, &b), CPL_EARG, "flags");
    s.flags = CPL_SORTED_RIGHT;
    FAILS(w, cpl_merge(w->module, &s, NULL, &a, &b, 1), CPL_EARG, "flags");
    FAILS(w, cpl_set_of(w->module, &s, NULL, CPL_SET_UNION, &a, &b), CPL_EARG, "flags");
    OK(w, cpl_search_sorted(w->module, &s, NULL, &a, &b));
    s.flags = 0;
    s.before = cpl_bind_integer(1);
    FAILS(w, cpl_merge(w->module, &s, NULL, &a, &b, 1), CPL_EARG, "no expression of a and b");
    s.before = (cpl_bind){0};
    FAILS(w, cpl_merge(w->module, &s, NULL, &a, &b, 0), CPL_EARG, "1 to 16 arrays");
    FAILS(w, cpl_merge(w->module, &s, NULL, &a, &b, 17), CPL_ELIMIT, "1 to 16 arrays");
    out.length = 15;
    FAILS(w, cpl_merge(w->module, &s, NULL, &a, &b, 1), CPL_EARG,
          "result 0 has 15 elements and takes 16");
    out.length = 16;
    cpl_arg more[] = {a, floats}, other[] = {b, cpl_arg_array(CPL_FLOAT32, f, 8)};
    FAILS(w, cpl_merge(w->module, &s, NULL, more, other, 2), CPL_EARG,
          "array 1 of a has 16 elements, and there are 8 keys");
    more[1].length = 8;
    FAILS(w, cpl_merge(w->module, &s, NULL, more, other, 2), CPL_EARG,
          "array 1 of b has elements of float32, and that of a float64");
    other[1] = one;
    FAILS(w, cpl_merge(w->module, &s, NULL, more, other, 2), CPL_EARG, "array 1 of b is no array");
    FAILS(w, cpl_set_of(w->module, &s, NULL, (cpl_set)4, &a, &b), CPL_EARG, "no such set: 4");
    FAILS(w, cpl_set_of(w->module, NULL, NULL, CPL_SET_UNION, &a, &b), CPL_EARG, "");
    s.out = &floats;
    FAILS(w, cpl_set_of(w->module, &s, NULL, CPL_SET_UNION, &a, &b), CPL_EARG,
          "the array of the results has elements of float64, and the values are int32");
    s.out = &out;
    s.number = &a;
    FAILS(w, cpl_set_of(w->module, &s, NULL, CPL_SET_UNION, &a, &b), CPL_EARG,
          "the place of the number of results has elements of int32");
}

static void refused_unique(void **state)
{
    world *w = *state;
    int32_t x[8] = {1, 2, 3}, y[8];
    double f[8];
    item t[4];
    cpl_arg keys = cpl_arg_array(CPL_INT32, x, 8), out = cpl_arg_array(CPL_INT32, y, 8),
            floats = cpl_arg_array(CPL_FLOAT64, f, 8), one = cpl_arg_int(1),
            items = item_arg(w, t, 4);
    cpl_unique_spec s, empty;
    cpl_unique_spec_init(&s);
    cpl_unique_spec_init(&empty);
    FAILS(w, cpl_unique(NULL, &s, NULL, &keys), CPL_EARG, "");
    FAILS(w, cpl_unique(w->module, NULL, NULL, &keys), CPL_EARG, "");
    FAILS(w, cpl_unique(w->module, &s, NULL, NULL), CPL_EARG, "");
    FAILS(w, cpl_unique(w->module, &s, NULL, &one), CPL_EARG, "no array");
    FAILS(w, cpl_unique(w->module, &s, NULL, &items), CPL_EARG, "keys are numbers, not Item");
    cpl_launch_options o = rounds_on(NULL, 9, NULL);
    FAILS(w, cpl_unique(w->module, &s, &o, &keys), CPL_EARG, "8 elements, and 9 are asked for");
    s.flags = CPL_SORTED_RIGHT;
    FAILS(w, cpl_unique(w->module, &s, NULL, &keys), CPL_EARG, "flags");
    s = empty;
    s.out = &floats;
    FAILS(w, cpl_unique(w->module, &s, NULL, &keys), CPL_EARG,
          "the array of the values has elements of float64, and the values are int32");
    s = empty;
    s.first = &floats;
    FAILS(w, cpl_unique(w->module, &s, NULL, &keys), CPL_EARG,
          "the array of the first places is no");
    s = empty;
    s.inverse = &floats;
    FAILS(w, cpl_unique(w->module, &s, NULL, &keys), CPL_EARG, "the inverse is no array of int32");
    s.inverse = &out;
    out.length = 7;
    FAILS(w, cpl_unique(w->module, &s, NULL, &keys), CPL_EARG,
          "the inverse has 7 elements and takes 8");
    s = empty;
    s.counts = &one;
    FAILS(w, cpl_unique(w->module, &s, NULL, &keys), CPL_EARG, "the array of the counts is no");
    s = empty;
    s.number = &keys;
    FAILS(w, cpl_unique(w->module, &s, NULL, &keys), CPL_EARG,
          "the place of the number of values has elements of int32");
    OK(w, cpl_unique(w->module, &empty, NULL, &keys));
}

static void overlaps(void **state)
{
    world *w = *state;
    int32_t x[64] = {0};
    int64_t number[8] = {0};
    cpl_arg a = cpl_arg_array(CPL_INT32, x, 8), b = cpl_arg_array(CPL_INT32, x + 8, 8),
            out = cpl_arg_array(CPL_INT32, x, 16), told = cpl_arg_array(CPL_INT64, x, 1);
    cpl_sorted_spec s = spec_of(&out, false);
    for (int k = 0; k < 16; k += 5) {
        out.data = x + k;
        FAILS(w, cpl_merge(w->module, &s, NULL, &a, &b, 1), CPL_EOVERLAP, "shares memory");
        FAILS(w, cpl_set_of(w->module, &s, NULL, CPL_SET_UNION, &a, &b), CPL_EOVERLAP,
              "shares memory");
        FAILS(w, cpl_search_sorted(w->module, &s, NULL, &a, &b), CPL_EOVERLAP, "shares memory");
    }
    out.data = x + 16;
    OK(w, cpl_merge(w->module, &s, NULL, &a, &a, 1)); /* what is read may be the same */
    s.number = &told;
    FAILS(w, cpl_set_of(w->module, &s, NULL, CPL_SET_UNION, &a, &b), CPL_EOVERLAP, "shares memory");
    told.data = number;
    OK(w, cpl_set_of(w->module, &s, NULL, CPL_SET_UNION, &a, &b));
    cpl_unique_spec u;
    cpl_unique_spec_init(&u);
    u.out = &out;
    out.length = 8;
    out.data = x + 7;
    FAILS(w, cpl_unique(w->module, &u, NULL, &a), CPL_EOVERLAP, "shares memory");
    out.data = x + 8;
    u.counts = &out;
    FAILS(w, cpl_unique(w->module, &u, NULL, &a), CPL_EOVERLAP, "shares memory");
    u.counts = NULL;
    u.number = &told;
    OK(w, cpl_unique(w->module, &u, NULL, &a));
    assert_int_equal(number[0], 1);
    told.data = x + 10;
    FAILS(w, cpl_unique(w->module, &u, NULL, &a), CPL_EOVERLAP, "shares memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(searches, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(searches_of_some, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(merges, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(merges_of_structs, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(merges_of_sixteen, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(sets, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(patterns_of_sets, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(room_for_sets, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(unique, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(unique_on_any_threads, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(unique_structs, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(on_devices, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(recorded, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(automatically, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(kernels_are_handed_out, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_sorted, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(refused, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(refused_unique, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(overlaps, set_up_kernels, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

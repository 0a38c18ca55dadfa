/*
 * Sorts, compared with a stable merge sort of plain C: every type of key and several of values,
 * sizes around the borders of pieces, patterns, bits, descending, in place and elsewhere, orders,
 * on the host with any number of threads, by the interpreter, and on whatever devices there are.
 */
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

/* Around: nothing, few keys in one kernel, pieces of 4096, lines of 64 bytes. */
static const int64_t lengths[] = {0,    1,    2,     3,     15,    16,    17,    255,
                                  4095, 4097, 16384, 16385, 20479, 20480, 20481, 100003};
enum { MOST = 100003 };
#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static int set_up_kernels(void **state)
{
    return set_up_source(state, "sort.py", kernels);
}

/* --- what keys are --- */

static const cpl_dtype key_types[] = {CPL_BOOL,   CPL_INT8,    CPL_INT16,   CPL_INT32,
                                      CPL_INT64,  CPL_UINT8,   CPL_UINT16,  CPL_UINT32,
                                      CPL_UINT64, CPL_FLOAT16, CPL_FLOAT32, CPL_FLOAT64};

static cpl_sort_spec spec_of(const asked *a)
{
    cpl_sort_spec s;
    cpl_sort_spec_init(&s);
    s.flags = a->descending ? CPL_SORT_DESCENDING : 0;
    s.first_bit = a->first;
    s.end_bit = a->end;
    return s;
}

/* Elements of got are those of from in the order that is expected. */
static void check(const entry *expected, const void *from, const void *got, size_t size, int64_t n,
                  const char *what)
{
    for (int64_t i = 0; i < n; i++)
        if (memcmp((const char *)got + (size_t)i * size,
                   (const char *)from + (size_t)expected[i].at * size, size) != 0)
            fail_msg("%s: element %lld of %lld is not what was at %lld", what, (long long)i,
                     (long long)n, (long long)expected[i].at);
}

/* --- patterns --- */

static void fill(cpl_dtype d, void *keys, int64_t n, uint64_t (*at)(int64_t i, int64_t n))
{
    size_t size = cpl_dtype_size(d);
    for (int64_t i = 0; i < n; i++) {
        uint64_t raw = at(i, n);
        if (d == CPL_BOOL) raw &= 1;
        memcpy((char *)keys + (size_t)i * size, &raw, size);
    }
}

static uint64_t random_bits(int64_t i, int64_t n)
{
    (void)n;
    return scrambled((uint64_t)i + 1);
}
static uint64_t rising(int64_t i, int64_t n)
{
    (void)n;
    return (uint64_t)i;
}
/* In order but where a piece begins. */
static uint64_t turned(int64_t i, int64_t n)
{
    return (uint64_t)((i + n - n / 8192 * 4096) % n);
}
static uint64_t falling(int64_t i, int64_t n)
{
    return (uint64_t)(n - i);
}
static uint64_t few(int64_t i, int64_t n)
{
    return random_bits(i, n) % 5 * 0x0101010101010101u;
}
static uint64_t equal(int64_t i, int64_t n)
{
    (void)i, (void)n;
    return 42;
}
static uint64_t organ_pipe(int64_t i, int64_t n)
{
    return (uint64_t)(i < n / 2 ? i : n - i);
}
static uint64_t nearly(int64_t i, int64_t n)
{
    return (uint64_t)(i % 1000 == 17 ? n - i : i);
}
/* An odd number of digits that differ, not side by side. */
static uint64_t some_digits(int64_t i, int64_t n)
{
    return random_bits(i, n) & 0x00FF03F000007F00u;
}
/* One key is far from all others. */
static uint64_t lonely(int64_t i, int64_t n)
{
    return i == n / 3 ? UINT64_MAX / 3 : random_bits(i, n) & 0xFFF;
}

/* All but some agree in digits behind the highest one. */
static uint64_t like_random(int64_t i, int64_t n)
{
    return random_bits(i, n) & (n < 32 || i % (n / 32) == 0 ? UINT64_MAX : 0xF00000FFF00000FFu);
}

/* Those that a selection looks at first are less than all others, or, where keys fall, greater. */
static uint64_t deceiving(int64_t i, int64_t n)
{
    return (random_bits(i, n) >> 1 & 0x3FFFFFFF3FFFFFFFu) | (i % 256 ? 0x4000000040004000u : 0);
}
static uint64_t deceiving_down(int64_t i, int64_t n)
{
    return ~deceiving(i, n);
}

static uint64_t (*const patterns[])(int64_t, int64_t) = {random_bits,   rising,      turned,
                                                         falling,       few,         equal,
                                                         organ_pipe,    nearly,      some_digits,
                                                         lonely,        like_random, deceiving,
                                                         deceiving_down};

/* --- on the host --- */

typedef struct room { /* for one sort */
    void *keys, *from;
    entry *expected;
} room;

static room make_room(void)
{
    return (room){malloc(MOST * 8), malloc(MOST * 8), malloc(MOST * sizeof(entry))};
}

static void free_room(room *r)
{
    free(r->keys);
    free(r->from);
    free(r->expected);
}

static void sort_here(world *w, room *r, const asked *a, int64_t n, const char *what)
{
    size_t size = cpl_dtype_size(a->type);
    cpl_sort_spec s = spec_of(a);
    memcpy(r->keys, r->from, (size_t)n * size);
    expect(a, r->from, n, r->expected);
    cpl_arg keys = cpl_arg_array(a->type, r->keys, n);
    OK(w, cpl_sort(w->module, &s, NULL, &keys, 1));
    check(r->expected, r->from, r->keys, size, n, what);
}

static void every_key(void **state)
{
    world *w = *state;
    room r = make_room();
    for (size_t t = 0; t < COUNT_OF(key_types); t++)
        for (size_t l = 0; l < COUNT_OF(lengths); l++) {
            asked a = {.type = key_types[t], .descending = t % 2};
            optimise_some(w, a.type);
            fill(a.type, r.from, lengths[l], random_bits);
            sort_here(w, &r, &a, lengths[l], cpl_dtype_name(a.type));
            a.descending = !a.descending;
            if (test_rounds(0, 1)) sort_here(w, &r, &a, lengths[l], cpl_dtype_name(a.type));
        }
    free_room(&r);
}

static void every_pattern(void **state)
{
    world *w = *state;
    static const cpl_dtype types[] = {CPL_UINT32, CPL_INT64, CPL_FLOAT32};
    static const int64_t some[] = {1000, 16385, MOST};
    room r = make_room();
    for (size_t t = 0; t < COUNT_OF(types); t++)
        for (size_t p = 0; p < COUNT_OF(patterns); p++)
            for (size_t l = 0; l < COUNT_OF(some); l++) {
                asked a = {.type = types[t], .descending = t % 2};
                fill(a.type, r.from, some[l], patterns[p]);
                sort_here(w, &r, &a, some[l], "pattern");
                a.descending = !a.descending;
                if (test_rounds(0, 1)) sort_here(w, &r, &a, some[l], "pattern, the other way");
            }
    free_room(&r);
}

/* Zeros of both signs, infinities, subnormal numbers, and NaN with other bits, which stay in order
 * and keep those. */
static void special_floats(void **state)
{
    world *w = *state;
    static const uint64_t wide[] = {
        0,
        0x8000000000000000,
        0x7FF0000000000000,
        0xFFF0000000000000,
        0x7FF8000000000001,
        0xFFF8000000000002,
        0x7FF0000000000003,
        0x3FF0000000000000,
        0xBFF0000000000000,
        1,
        0x8000000000000001,
    };
    static const uint32_t narrow[] = {0,          0x80000000, 0x7F800000, 0xFF800000,
                                      0x7FC00001, 0xFFC00002, 0x7F800003, 0x3F800000,
                                      0xBF800000, 1,          0x80000001};
    room r = make_room();
    static const int64_t some[] = {11, 1000, 30000};
    for (size_t l = 0; l < COUNT_OF(some); l++)
        for (int descending = 0; descending < 2; descending++) {
            asked a = {.type = CPL_FLOAT64, .descending = descending};
            for (int64_t i = 0; i < some[l]; i++) ((uint64_t *)r.from)[i] = wide[i * 7 % 11];
            sort_here(w, &r, &a, some[l], "float64");
            a.type = CPL_FLOAT32;
            for (int64_t i = 0; i < some[l]; i++) ((uint32_t *)r.from)[i] = narrow[i * 7 % 11];
            sort_here(w, &r, &a, some[l], "float32");
        }
    free_room(&r);
}

static void ranges_of_bits(void **state)
{
    world *w = *state;
    static const struct {
        cpl_dtype type;
        int first, end;
    } some[] = {{CPL_UINT32, 0, 1},    {CPL_UINT32, 31, 32}, {CPL_UINT32, 4, 12},
                {CPL_INT32, 0, 31},    {CPL_INT64, 60, 64},  {CPL_INT64, 7, 50},
                {CPL_FLOAT32, 23, 32}, {CPL_FLOAT64, 0, 64}, {CPL_UINT8, 2, 5},
                {CPL_FLOAT16, 15, 16}, {CPL_INT16, 1, 16}};
    room r = make_room();
    for (size_t k = 0; k < COUNT_OF(some); k++) {
        asked a = {some[k].type, k % 2, some[k].first, some[k].end};
        optimise_some(w, a.type);
        fill(a.type, r.from, 20000, random_bits);
        sort_here(w, &r, &a, 20000, "bits of many");
        sort_here(w, &r, &a, 500, "bits of few");
    }
    free_room(&r);
}

/* --- what goes along --- */

enum { BIG = 20001 };
typedef struct arrays {
    float keys[BIG], keys_out[BIG];
    double d[BIG], d_out[BIG];
    uint8_t b[BIG], b_out[BIG];
    item s[BIG], s_out[BIG];
    int32_t order[BIG];
    int64_t long_order[BIG];
    entry expected[BIG];
} arrays;

static arrays *make_arrays(void)
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

static cpl_arg item_arg(world *w, item *s, int64_t n)
{
    cpl_arg arg = cpl_arg_array(CPL_VOID, s, n);
    OK(w, cpl_type_parse(w->cx, "Item", &arg.record));
    return arg;
}

/* One array of each type beside the keys. */
static void one_value(void **state)
{
    world *w = *state;
    static const int64_t some[] = {0, 1, 100, 16384, 16385, BIG};
    asked ask = {.type = CPL_FLOAT32};
    for (size_t t = 0; t < COUNT_OF(key_types); t++)
        for (size_t l = 0; l < COUNT_OF(some); l++) {
            int64_t n = some[l];
            size_t size = cpl_dtype_size(key_types[t]);
            arrays *a = make_arrays(), *b = make_arrays();
            optimise_some(w, key_types[t]);
            fill(key_types[t], a->d, n, random_bits);
            memcpy(b->d, a->d, sizeof a->d);
            expect(&ask, a->keys, n, a->expected);
            cpl_arg args[] = {cpl_arg_array(CPL_FLOAT32, b->keys, n),
                              cpl_arg_array(key_types[t], b->d, n)};
            OK(w, cpl_sort(w->module, NULL, NULL, args, 2));
            check(a->expected, a->keys, b->keys, 4, n, "keys");
            check(a->expected, a->d, b->d, size, n, cpl_dtype_name(key_types[t]));
            free(a);
            free(b);
        }
}

static void check_all(const arrays *from, const arrays *got, int64_t n, bool out)
{
    check(from->expected, from->keys, out ? got->keys_out : got->keys, 4, n, "keys");
    check(from->expected, from->d, out ? got->d_out : got->d, 8, n, "doubles");
    check(from->expected, from->b, out ? got->b_out : got->b, 1, n, "bytes");
    check(from->expected, from->s, out ? got->s_out : got->s, sizeof(item), n, "structs");
}

/* Several, a struct among them, in place and elsewhere; who asks gets the order as well. */
static void several_values(void **state)
{
    world *w = *state;
    static const int64_t some[] = {0, 1, 1000, 16385, BIG};
    asked ask = {.type = CPL_FLOAT32, .descending = true};
    for (size_t l = 0; l < COUNT_OF(some); l++)
        for (int way = 0; way < 6; way++) {
            int64_t n = some[l];
            bool apart = way & 1;
            arrays *a = make_arrays(), *b = make_arrays();
            expect(&ask, a->keys, n, a->expected);
            cpl_sort_spec s = spec_of(&ask);
            cpl_arg args[] = {cpl_arg_array(CPL_FLOAT32, b->keys, n),
                              cpl_arg_array(CPL_FLOAT64, b->d, n),
                              cpl_arg_array(CPL_UINT8, b->b, n), item_arg(w, b->s, n)};
            cpl_arg out[] = {cpl_arg_array(CPL_FLOAT32, b->keys_out, n),
                             cpl_arg_array(CPL_FLOAT64, b->d_out, n),
                             cpl_arg_array(CPL_UINT8, b->b_out, n), item_arg(w, b->s_out, n)};
            cpl_arg order = way / 2 == 1 ? cpl_arg_array(CPL_INT32, b->order, n)
                                         : cpl_arg_array(CPL_INT64, b->long_order, n);
            s.out = apart ? out : NULL;
            s.order = way / 2 ? &order : NULL;
            OK(w, cpl_sort(w->module, &s, NULL, args, 4));
            check_all(a, b, n, apart);
            for (int64_t i = 0; i < n && way / 2; i++)
                assert_int_equal(way / 2 == 1 ? b->order[i] : b->long_order[i], a->expected[i].at);
            if (apart) assert_memory_equal(a->keys, b->keys, sizeof a->keys);
            if (apart) assert_memory_equal(a->s, b->s, sizeof a->s);
            free(a);
            free(b);
        }
}

/* Keys alone, or with one array, to other memory. */
static void elsewhere(void **state)
{
    world *w = *state;
    static const int64_t some[] = {0, 1, 5, 16384, 16385, BIG};
    asked ask = {.type = CPL_FLOAT32};
    for (size_t l = 0; l < COUNT_OF(some); l++)
        for (size_t count = 1; count < 3; count++) {
            int64_t n = some[l];
            arrays *a = make_arrays(), *b = make_arrays();
            expect(&ask, a->keys, n, a->expected);
            cpl_sort_spec s = spec_of(&ask);
            cpl_arg args[] = {cpl_arg_const_array(CPL_FLOAT32, b->keys, n),
                              cpl_arg_const_array(CPL_FLOAT64, b->d, n)};
            cpl_arg out[] = {cpl_arg_array(CPL_FLOAT32, b->keys_out, n),
                             cpl_arg_array(CPL_FLOAT64, b->d_out, n)};
            s.out = out;
            OK(w, cpl_sort(w->module, &s, NULL, args, count));
            check(a->expected, a->keys, b->keys_out, 4, n, "keys");
            if (count == 2) check(a->expected, a->d, b->d_out, 8, n, "doubles");
            assert_memory_equal(a->keys, b->keys, sizeof a->keys);
            assert_memory_equal(a->d, b->d, sizeof a->d);
            free(a);
            free(b);
        }
}

static void orders(void **state)
{
    world *w = *state;
    room r = make_room();
    int32_t *order = malloc(MOST * sizeof *order);
    for (size_t p = 0; p < COUNT_OF(patterns); p++)
        for (size_t l = 0; l < COUNT_OF(lengths); l++) {
            int64_t n = lengths[l];
            asked a = {.type = CPL_INT32};
            fill(a.type, r.from, n, patterns[p]);
            expect(&a, r.from, n, r.expected);
            cpl_arg keys = cpl_arg_const_array(CPL_INT32, r.from, n),
                    to = cpl_arg_array(CPL_INT32, order, n);
            OK(w, cpl_argsort(w->module, NULL, NULL, &to, &keys));
            for (int64_t i = 0; i < n; i++) assert_int_equal(order[i], r.expected[i].at);
        }
    free(order);
    free_room(&r);
}

/* Every third element; the others stay. A part of what is there, by n. */
static void strided_and_parts(void **state)
{
    world *w = *state;
    static const int64_t some[] = {100, 17000};
    asked ask = {.type = CPL_INT32};
    for (size_t l = 0; l < COUNT_OF(some); l++) {
        int64_t n = some[l];
        int32_t *x = malloc((size_t)n * 12), *k = malloc((size_t)n * 4);
        entry *expected = malloc((size_t)n * sizeof *expected);
        for (int64_t i = 0; i < 3 * n; i++) x[i] = (int32_t)scrambled((uint64_t)i);
        for (int64_t i = 0; i < n; i++) k[i] = x[3 * i];
        expect(&ask, k, n - 10, expected);
        cpl_arg keys = cpl_arg_array(CPL_INT32, x, n);
        keys.stride = 12;
        cpl_launch_options o = rounds_on(NULL, n - 10, NULL);
        OK(w, cpl_sort(w->module, NULL, &o, &keys, 1));
        for (int64_t i = 0; i < n; i++)
            assert_int_equal(x[3 * i], i < n - 10 ? k[expected[i].at] : k[i]);
        for (int64_t i = 0; i < 3 * n; i++)
            if (i % 3) assert_int_equal(x[i], (int32_t)scrambled((uint64_t)i));
        free(x);
        free(k);
        free(expected);
    }
}

static void check_selected(world *w, const room *r, const asked *a, int64_t n, int64_t k,
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

static void any_threads(void **state)
{
    world *w = *state;
    static const int64_t threads[] = {1, 2, 3, 8};
    room r = make_room();
    asked a = {.type = CPL_UINT64};
    optimise_some(w, a.type);
    for (size_t t = 0; t < COUNT_OF(threads); t++) {
        OK(w, cpl_context_set_option(w->cx, "num_threads", threads[t]));
        for (size_t p = 0; p < COUNT_OF(patterns); p++) {
            fill(a.type, r.from, MOST, patterns[p]);
            sort_here(w, &r, &a, MOST, "threads");
            check_selected(w, &r, &a, MOST, MOST / 50, 1 + (int)p % 3);
        }
    }
    free_room(&r);
}

static void checked_and_interpreted(void **state)
{
    world *w = *state;
    static const int64_t some[] = {0, 1, 700, 16390};
    room r = make_room();
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    o.interpret = true;
    for (size_t l = 0; l < COUNT_OF(some); l++) {
        asked a = {.type = CPL_FLOAT32};
        fill(a.type, r.from, some[l], random_bits);
        memcpy(r.keys, r.from, (size_t)some[l] * 4);
        expect(&a, r.from, some[l], r.expected);
        cpl_arg keys = cpl_arg_array(a.type, r.keys, some[l]);
        OK(w, cpl_sort(w->module, NULL, &o, &keys, 1));
        check(r.expected, r.from, r.keys, 4, some[l], "interpreted");
        OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
        sort_here(w, &r, &a, some[l], "checked");
        OK(w, cpl_context_set_option(w->cx, "bounds_check", 0));
    }
    free_room(&r);
}

/* --- by a function --- */

/* Around a run of 32, pieces of 2048, and numbers of them that take an odd and an even number of
 * turns. */
static const int64_t merged[] = {0, 1, 2, 31, 33, 64, 65, 2047, 2048, 2049, 4097, 8192, 8193, BIG};

/* Keys of which many are alike, by an expression and by a function; where they come to has to be
 * what sorting the rank that the function goes by gives. */
static void numbers_by_a_function(void **state)
{
    world *w = *state;
    int64_t *x = malloc(BIG * 8), *digit = malloc(BIG * 8), *got = malloc(BIG * 8);
    int32_t *order = malloc(BIG * 4);
    entry *expected = malloc(BIG * sizeof *expected);
    for (size_t l = 0; l < COUNT_OF(merged); l++)
        for (int way = 0; way < 8; way++) {
            int64_t n = merged[l];
            asked ask = {.type = CPL_INT64, .descending = way & 1};
            cpl_sort_spec s = spec_of(&ask);
            for (int64_t i = 0; i < n; i++) {
                x[i] = got[i] = (int64_t)(scrambled((uint64_t)i) % 1000);
                digit[i] = x[i] % 10;
            }
            expect(&ask, digit, n, expected);
            s.before = way & 2 ? cpl_bind_function("by_last_digit")
                               : cpl_bind_expression("a % 10 < b % 10");
            cpl_arg keys = cpl_arg_array(CPL_INT64, got, n),
                    to = cpl_arg_array(CPL_INT32, order, n);
            if (way & 4) OK(w, cpl_argsort(w->module, &s, NULL, &to, &keys));
            else OK(w, cpl_sort(w->module, &s, NULL, &keys, 1));
            if (!(way & 4)) check(expected, x, got, 8, n, "by a function");
            for (int64_t i = 0; i < n && way & 4; i++) assert_int_equal(order[i], expected[i].at);
        }
    free(x);
    free(digit);
    free(got);
    free(order);
    free(expected);
}

/* Structs, with what goes along, in place and elsewhere. */
static void structs_by_a_function(void **state)
{
    world *w = *state;
    asked ask = {.type = CPL_FLOAT64};
    for (size_t l = 0; l < COUNT_OF(merged); l++)
        for (int way = 0; way < 4; way++) {
            int64_t n = merged[l];
            arrays *a = make_arrays(), *b = make_arrays();
            for (int64_t i = 0; i < n; i++) {
                a->d[i] = b->d[i] = (double)(scrambled((uint64_t)i) % 97);
                a->s[i].weight = b->s[i].weight = a->d[i];
            }
            expect(&ask, a->d, n, a->expected);
            cpl_sort_spec s = spec_of(&ask);
            s.before = cpl_bind_function("lighter");
            cpl_arg args[] = {item_arg(w, b->s, n), cpl_arg_array(CPL_FLOAT64, b->d, n),
                              cpl_arg_array(CPL_UINT8, b->b, n)};
            cpl_arg out[] = {item_arg(w, b->s_out, n), cpl_arg_array(CPL_FLOAT64, b->d_out, n),
                             cpl_arg_array(CPL_UINT8, b->b_out, n)};
            s.out = way & 1 ? out : NULL;
            OK(w, cpl_sort(w->module, &s, NULL, args, way & 2 ? 3 : 2));
            check(a->expected, a->s, way & 1 ? b->s_out : b->s, sizeof(item), n, "structs");
            check(a->expected, a->d, way & 1 ? b->d_out : b->d, 8, n, "doubles");
            if (way & 2) check(a->expected, a->b, way & 1 ? b->b_out : b->b, 1, n, "bytes");
            free(a);
            free(b);
        }
}

/* --- selections --- */

/* Some of the counts of keys, rising or falling: what is wanted goes round, and each of it goes one
 * way with a type, the other way with the next. CPL_TEST_FULL=1 has both. */
static void select_some(world *w, room *r, size_t t, asked a, int64_t n, size_t p)
{
    const int64_t counts[] = {0, 1, n / 3, n - 1, n};
    optimise_some(w, a.type);
    fill(a.type, r->from, n, patterns[p]);
    expect(&a, r->from, n, r->expected);
    for (size_t k = 0; k < COUNT_OF(counts); k++) {
        int wanted = 1 + (int)(k + p) % 3;
        if (a.descending == (((int)t + wanted) & 1) || test_rounds(0, 1))
            check_selected(w, r, &a, n, counts[k], wanted);
    }
}

static void selections(void **state)
{
    static const cpl_dtype types[] = {CPL_UINT32, CPL_INT16, CPL_FLOAT64, CPL_BOOL, CPL_INT64};
    static const int64_t some[] = {1, 100, 256, 257, 16384, 16385, 50000};
    room r = make_room();
    for (size_t t = 0; t < COUNT_OF(types); t++)
        for (size_t l = 0; l < COUNT_OF(some); l++)
            for (size_t p = 0; p < COUNT_OF(patterns); p++)
                for (int down = 0; down < 2; down++)
                    if (t % 2 == (size_t)down || test_rounds(0, 1))
                        select_some(*state, &r, t, (asked){.type = types[t], .descending = down},
                                    some[l], p);
    free_room(&r);
}

static void selections_by_bits(void **state)
{
    world *w = *state;
    static const asked some[] = {{CPL_UINT32, false, 4, 12},
                                 {CPL_UINT32, true, 9, 10},
                                 {CPL_FLOAT32, false, 23, 32},
                                 {CPL_INT64, true, 0, 63}};
    room r = make_room();
    for (size_t k = 0; k < COUNT_OF(some); k++) {
        fill(some[k].type, r.from, 20000, random_bits);
        expect(&some[k], r.from, 20000, r.expected);
        check_selected(w, &r, &some[k], 20000, 777, 3);
    }
    free_room(&r);
}

static void bad_selections(void **state)
{
    world *w = *state;
    int32_t x[8] = {0}, o[8];
    cpl_sort_spec s;
    cpl_sort_spec_init(&s);
    cpl_arg keys = cpl_arg_array(CPL_INT32, x, 8), out = cpl_arg_array(CPL_INT32, o, 8);
    FAILS(w, cpl_select(w->module, &s, NULL, 3, &keys), CPL_EARG, "nothing takes what is selected");
    s.out = &out;
    FAILS(w, cpl_select(w->module, &s, NULL, 9, &keys), CPL_EARG, "9 of 8 keys");
    FAILS(w, cpl_select(w->module, &s, NULL, -1, &keys), CPL_EARG, "-1 of 8 keys");
    FAILS(w, cpl_select(w->module, &s, NULL, 3, NULL), CPL_EARG, "");
    out.length = 2;
    FAILS(w, cpl_select(w->module, &s, NULL, 3, &keys), CPL_EARG, "has 2 elements and takes 3");
    out = cpl_arg_array(CPL_INT32, x + 7, 1);
    FAILS(w, cpl_select(w->module, &s, NULL, 1, &keys), CPL_EOVERLAP, "share memory");
    out = cpl_arg_array(CPL_INT32, o, 8);
    s.before = cpl_bind_expression("a < b");
    FAILS(w, cpl_select(w->module, &s, NULL, 1, &keys), CPL_EUNSUPPORTED, "compares none");
    s.first_bit = 1;
    FAILS(w, cpl_sort(w->module, &s, NULL, &keys, 1), CPL_EARG, "not sorted by bits");
    s.first_bit = 0;
    s.before = cpl_bind_integer(1);
    FAILS(w, cpl_sort(w->module, &s, NULL, &keys, 1), CPL_EARG, "no expression of a and b");
    s.before = cpl_bind_function("nobody");
    FAILS(w, cpl_sort(w->module, &s, NULL, &keys, 1), CPL_ENOTFOUND, "nobody");
}

/* --- kernels, graphs --- */

/* What a sort would launch: nothing runs. */
static void kernels_are_handed_out(void **state)
{
    world *w = *state;
    arrays *a = make_arrays(), *b = make_arrays();
    cpl_kernels found = {0};
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    o.kernels = &found;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT32, b->keys, BIG),
                      cpl_arg_array(CPL_FLOAT64, b->d, BIG), cpl_arg_array(CPL_UINT8, b->b, BIG),
                      cpl_arg_array(CPL_FLOAT64, b->d_out, BIG)};
    OK(w, cpl_sort(w->module, NULL, &o, args, 4));
    assert_int_equal(found.count, 11); /* seven, and two for each type that goes along */
    assert_memory_equal(a->keys, b->keys, sizeof a->keys);
    for (size_t i = 0; i < found.count; i++) cpl_kernel_release(found.kernels[i]);
    free(a);
    free(b);
}

/* --- devices --- */

/* A graph sorts what is there when it is launched; the second time other keys, the third time
 * sorted ones. */
static void recorded(void **state)
{
    world *w = *state;
    asked ask = {.type = CPL_FLOAT32};
    EACH_DEVICE(w, d)
    {
        cpl_graph *graph;
        arrays *a = make_arrays(), *b = make_arrays();
        cpl_queue *q = cpl_device_queue(d);
        cpl_array *keys = on_device(w, d, CPL_FLOAT32, a->keys, BIG),
                  *x = on_device(w, d, CPL_FLOAT64, a->d, BIG),
                  *y = on_device(w, d, CPL_UINT8, a->b, BIG);
        cpl_arg args[] = {cpl_arg_of_array(keys), cpl_arg_of_array(x), cpl_arg_of_array(y)};
        OK(w, cpl_graph_begin(q));
        OK(w, cpl_sort(w->module, NULL, NULL, args, 3));
        OK(w, cpl_graph_end(q, &graph));
        for (int turn = 0; turn < 3; turn++) {
            if (turn == 1) fill(CPL_FLOAT32, a->keys, BIG, random_bits);
            if (turn == 2) memcpy(a->keys, b->keys, sizeof a->keys);
            expect(&ask, a->keys, BIG, a->expected);
            OK(w, cpl_array_write(keys, NULL, a->keys, NULL));
            OK(w, cpl_array_write(x, NULL, a->d, NULL));
            OK(w, cpl_graph_launch(graph, NULL, NULL));
            OK(w, cpl_array_read(keys, NULL, b->keys, NULL));
            OK(w, cpl_array_read(x, NULL, b->d, NULL));
            check(a->expected, a->keys, b->keys, 4, BIG, "recorded keys");
            check(a->expected, a->d, b->d, 8, BIG, "recorded doubles");
        }
        cpl_graph_release(graph);
        cpl_array_release(keys);
        cpl_array_release(x);
        cpl_array_release(y);
        free(a);
        free(b);
    }
}

static void on_devices(void **state)
{
    world *w = *state;
    static const int64_t some[] = {1, 3000, BIG};
    asked ask = {.type = CPL_FLOAT32};
    EACH_DEVICE(w, d)
    for (size_t l = 0; l < COUNT_OF(some); l++) {
        int64_t n = some[l];
        arrays *a = make_arrays(), *b = make_arrays();
        expect(&ask, a->keys, n, a->expected);
        cpl_array *keys = on_device(w, d, CPL_FLOAT32, a->keys, n),
                  *x = on_device(w, d, CPL_FLOAT64, a->d, n),
                  *y = on_device(w, d, CPL_UINT8, a->b, n),
                  *order = on_device(w, d, CPL_INT32, a->order, n);
        cpl_arg args[] = {cpl_arg_of_array(keys), cpl_arg_of_array(x), cpl_arg_of_array(y)},
                to = cpl_arg_of_array(order);
        OK(w, cpl_argsort(w->module, NULL, NULL, &to, args));
        OK(w, cpl_sort(w->module, NULL, NULL, args, 3));
        OK(w, cpl_array_read(keys, NULL, b->keys, NULL));
        OK(w, cpl_array_read(x, NULL, b->d, NULL));
        OK(w, cpl_array_read(y, NULL, b->b, NULL));
        OK(w, cpl_array_read(order, NULL, b->order, NULL));
        check(a->expected, a->keys, b->keys, 4, n, "keys on a device");
        check(a->expected, a->d, b->d, 8, n, "doubles on a device");
        check(a->expected, a->b, b->b, 1, n, "bytes on a device");
        for (int64_t i = 0; i < n; i++) assert_int_equal(b->order[i], a->expected[i].at);
        cpl_array_release(keys);
        cpl_array_release(x);
        cpl_array_release(y);
        cpl_array_release(order);
        free(a);
        free(b);
    }
}

/* --- complex keys --- */

static const double parts[] = {-INFINITY, -1, -0.0, 0, 1, INFINITY, NAN};
enum { PARTS = COUNT_OF(parts), MOST_COMPLEX = 8193 };

/* Key i, by its parts; what it is ordered by, zeros of both signs alike. */
static uint64_t complex_rank(int64_t i, double *re, double *im)
{
    static const uint64_t ranks[] = {0, 1, 2, 2, 3, 4, 5};
    uint64_t k = scrambled((uint64_t)i) % (PARTS * PARTS), a = k / PARTS, b = k % PARTS;
    *re = parts[a];
    *im = parts[b];
    return 1000 * (2 * (a == PARTS - 1) + (b == PARTS - 1)) + 10 * ranks[a] + ranks[b];
}

static void fill_complex(bool wide, void *keys, int64_t n, bool descending, entry *expected)
{
    entry *other = malloc((size_t)(n + 1) * sizeof *other);
    for (int64_t i = 0; i < n; i++) {
        double re, im;
        uint64_t rank = complex_rank(i, &re, &im);
        expected[i] = (entry){descending ? ~rank : rank, i};
        if (wide) memcpy((double *)keys + 2 * i, (double[]){re, im}, 16);
        else memcpy((float *)keys + 2 * i, (float[]){(float)re, (float)im}, 8);
    }
    merge_runs(expected, other, n);
    free(other);
}

static void complex_keys_there(world *w, cpl_device *d, int64_t n, int way)
{
    bool wide = way & 1;
    size_t size = wide ? 16 : 8;
    cpl_dtype type = wide ? CPL_COMPLEX128 : CPL_COMPLEX64;
    asked ask = {.descending = way & 2};
    cpl_sort_spec s = spec_of(&ask);
    entry *expected = malloc((size_t)(n + 1) * sizeof *expected);
    char *from = malloc((size_t)(n + 1) * size), *got = malloc((size_t)(n + 1) * size);
    int32_t *places = calloc((size_t)n + 1, sizeof *places);
    fill_complex(wide, from, n, ask.descending, expected);
    cpl_array *keys = on_device(w, d, type, from, n),
              *order = on_device(w, d, CPL_INT32, places, n);
    cpl_arg arg = cpl_arg_of_array(keys), to = cpl_arg_of_array(order);
    OK(w, cpl_argsort(w->module, &s, NULL, &to, &arg));
    OK(w, cpl_sort(w->module, &s, NULL, &arg, 1));
    OK(w, cpl_array_read(keys, NULL, got, NULL));
    OK(w, cpl_array_read(order, NULL, places, NULL));
    check(expected, from, got, size, n, wide ? "complex128" : "complex64");
    for (int64_t i = 0; i < n; i++) assert_int_equal(places[i], expected[i].at);
    cpl_array_release(keys);
    cpl_array_release(order);
    free(expected);
    free(from);
    free(got);
    free(places);
}

static void complex_keys(void **state)
{
    world *w = *state;
    static const int64_t some[] = {0, 1, 33, 2049, MOST_COMPLEX};
    EACH_DEVICE(w, d)
    for (size_t l = 0; l < COUNT_OF(some); l++)
        for (int way = 0; way < 4; way += is_host(d) ? 1 : 3) /* devices compile for long */
            complex_keys_there(w, d, some[l], way);
}

/* What goes by digits. */
static void bad_complex_keys(void **state)
{
    world *w = *state;
    float x[8] = {0}, y[8];
    cpl_sort_spec s;
    cpl_sort_spec_init(&s);
    cpl_arg keys = cpl_arg_array(CPL_COMPLEX64, x, 4), out = cpl_arg_array(CPL_COMPLEX64, y, 4);
    s.out = &out;
    FAILS(w, cpl_select(w->module, &s, NULL, 1, &keys), CPL_EUNSUPPORTED, "compares none");
    s.end_bit = 8;
    FAILS(w, cpl_sort(w->module, &s, NULL, &keys, 1), CPL_EARG, "not sorted by bits");
}

/* --- what is refused --- */

static void refused(void **state)
{
    world *w = *state;
    int32_t k[8] = {3, 1, 2}, o[8];
    item s[4];
    cpl_sort_spec spec;
    cpl_sort_spec_init(&spec);
    cpl_arg keys = cpl_arg_array(CPL_INT32, k, 8), order = cpl_arg_array(CPL_INT32, o, 8),
            one = cpl_arg_int(1), records = item_arg(w, s, 4);
    FAILS(w, cpl_sort(w->module, NULL, NULL, NULL, 0), CPL_EARG, "no array");
    FAILS(w, cpl_sort(w->module, NULL, NULL, &one, 1), CPL_EARG, "no array");
    FAILS(w, cpl_sort(w->module, NULL, NULL, &records, 1), CPL_EARG, "keys are numbers, not Item");
    FAILS(w, cpl_sort(NULL, NULL, NULL, &keys, 1), CPL_EARG, "");
    cpl_arg pair[] = {keys, one};
    FAILS(w, cpl_sort(w->module, NULL, NULL, pair, 2), CPL_EARG,
          "array 1 of the values is no array");
    pair[1] = cpl_arg_array(CPL_INT32, o, 7);
    FAILS(w, cpl_sort(w->module, NULL, NULL, pair, 2), CPL_EARG,
          "array 1 of the values: there are 7 elements, and 8 are asked for");
    cpl_launch_options most = rounds_on(NULL, 9, NULL);
    FAILS(w, cpl_sort(w->module, NULL, &most, &keys, 1), CPL_EARG,
          "the keys: there are 8 elements, and 9");
    spec.first_bit = 4;
    spec.end_bit = 4;
    FAILS(w, cpl_sort(w->module, &spec, NULL, &keys, 1), CPL_EARG, "bits 4 to 4 are none");
    spec.end_bit = 33;
    FAILS(w, cpl_sort(w->module, &spec, NULL, &keys, 1), CPL_EARG, "which has 32");
    spec.end_bit = 32;
    OK(w, cpl_sort(w->module, &spec, NULL, &keys, 1));
    spec.flags = 2;
    FAILS(w, cpl_sort(w->module, &spec, NULL, &keys, 1), CPL_EARG, "flags");
    cpl_sort_spec_init(&spec);
    cpl_arg floats = cpl_arg_array(CPL_FLOAT32, o, 8);
    spec.order = &floats;
    FAILS(w, cpl_sort(w->module, &spec, NULL, &keys, 1), CPL_EARG,
          "the order is no array of int32 or int64");
    spec.order = NULL;
    spec.out = &floats;
    FAILS(w, cpl_sort(w->module, &spec, NULL, &keys, 1), CPL_EARG, "has elements of float32");
    FAILS(w, cpl_argsort(w->module, &spec, NULL, &order, &keys), CPL_EARG, "");
    FAILS(w, cpl_argsort(w->module, NULL, NULL, &order, NULL), CPL_EARG, "");
    cpl_arg constant = cpl_arg_const_array(CPL_INT32, k, 8);
    FAILS(w, cpl_sort(w->module, NULL, NULL, &constant, 1), CPL_EARG, "read-only");
}

/* Memory that is shared with what is written; what is only read may be. */
static void overlaps(void **state)
{
    world *w = *state;
    static int32_t k[40], o[40];
    cpl_sort_spec spec;
    cpl_sort_spec_init(&spec);
    for (int i = 0; i < 40; i++) k[i] = 40 - i;
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, k, 20), cpl_arg_array(CPL_INT32, k + 10, 20)};
    FAILS(w, cpl_sort(w->module, NULL, NULL, args, 2), CPL_EOVERLAP,
          "the keys and array 1 of the values share memory");
    args[1] = args[0];
    FAILS(w, cpl_sort(w->module, NULL, NULL, args, 2), CPL_EOVERLAP, "share memory");
    cpl_arg out[] = {cpl_arg_array(CPL_INT32, o, 20), cpl_arg_array(CPL_INT32, o + 19, 20)};
    spec.out = out;
    FAILS(w, cpl_sort(w->module, &spec, NULL, args, 2), CPL_EOVERLAP,
          "result 0 and result 1 share memory");
    out[1].data = k + 19;
    FAILS(w, cpl_sort(w->module, &spec, NULL, args, 2), CPL_EOVERLAP,
          "the keys and result 1 share memory");
    for (int i = 0; i < 40; i++) assert_int_equal(k[i], 40 - i);
    out[1].data = o + 20;
    OK(w, cpl_sort(w->module, &spec, NULL, args, 2)); /* keys that are values too */
    for (int i = 0; i < 40; i++) assert_int_equal(o[i], 21 + i % 20);
    cpl_arg order = cpl_arg_array(CPL_INT32, k, 20);
    FAILS(w, cpl_argsort(w->module, NULL, NULL, &order, args), CPL_EOVERLAP,
          "the keys and the order share memory");
    args[0].stride = args[1].stride = 8; /* between each other's elements */
    args[1].data = k + 1;
    args[0].length = args[1].length = 20;
    OK(w, cpl_sort(w->module, NULL, NULL, args, 2));
    for (int i = 0; i < 20; i++) assert_int_equal(k[2 * i], 2 * i + 2);
    for (int i = 0; i < 20; i++) assert_int_equal(k[2 * i + 1], 2 * i + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_key, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(every_pattern, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(special_floats, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(ranges_of_bits, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(one_value, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(several_values, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(elsewhere, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(orders, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(strided_and_parts, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(any_threads, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(checked_and_interpreted, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(numbers_by_a_function, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(structs_by_a_function, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(selections, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(selections_by_bits, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(bad_selections, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(kernels_are_handed_out, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(recorded, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(on_devices, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(complex_keys, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(bad_complex_keys, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(refused, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(overlaps, set_up_kernels, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

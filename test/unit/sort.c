/*
 * Sorts by the bits of keys, compared with a stable merge sort of plain C: every type of key and
 * several of values, sizes around the borders of pieces, patterns, bits, descending, in place and
 * elsewhere, orders, on the host with any number of threads, and by the interpreter.
 */
#include "sort_world.h"

/* Around: nothing, few keys in one kernel, pieces of 4096, lines of 64 bytes. */
static const int64_t lengths[] = {0,    1,    2,     3,     15,    16,    17,    255,
                                  4095, 4097, 16384, 16385, 20479, 20480, 20481, 100003};

static const cpl_dtype key_types[] = {CPL_BOOL,   CPL_INT8,    CPL_INT16,   CPL_INT32,
                                      CPL_INT64,  CPL_UINT8,   CPL_UINT16,  CPL_UINT32,
                                      CPL_UINT64, CPL_FLOAT16, CPL_FLOAT32, CPL_FLOAT64};

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

/* Keys of few kinds, spread over all bits, NaN among those of floats where `nan`; at `at`, if that
 * is in it, another. */
static void fill_kinds(cpl_dtype type, char *keys, int64_t n, int64_t kinds, bool nan, int64_t at)
{
    size_t size = cpl_dtype_size(type);
    uint64_t some[300], other = 0x4142434445464748, x = 88172645463325252;
    for (int64_t k = 0; k < kinds; k++)
        some[k] = (uint64_t)(k * 241 / kinds) * 0x0101010101010101 + (uint64_t)k % 3;
    if (nan) some[kinds - 1] = 0xFFFFFFFFFFFF0001;
    for (int64_t i = 0; i < n; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        const uint64_t *key = i == at ? &other : &some[x % (uint64_t)kinds];
        memcpy(keys + (size_t)i * size, key, size);
    }
}

/* Where some keys are all that there are, and where another is between, first, last or elsewhere;
 * more kinds than digits have values; with NaN and without. */
static void few_kinds(void **state)
{
    world *w = *state;
    static const cpl_dtype types[] = {CPL_UINT32, CPL_INT64, CPL_FLOAT32, CPL_FLOAT64};
    static const int64_t kinds[] = {2, 16, 240, 300}, places[] = {-1, 0, 1, 20000, 30000 - 1};
    room r = make_room();
    for (size_t t = 0; t < COUNT_OF(types); t++)
        for (size_t k = 0; k < COUNT_OF(kinds); k++)
            for (size_t p = 0; p < COUNT_OF(places); p++) {
                asked a = {.type = types[t], .descending = p % 2};
                fill_kinds(types[t], r.from, 30000, kinds[k], t >= 2 && k % 2, places[p]);
                sort_here(w, &r, &a, 30000, "few kinds");
                a.descending = !a.descending;
                if (!p) sort_here(w, &r, &a, 30000, "few kinds, the other way");
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

/* What a first sort has compiled side by side is each kernel once, and what it launches itself. */
static void kernels_of_a_first_sort(void **state)
{
    world *w = *state;
    enum { KERNELS = 7 };
    room r = make_room();
    OK(w, cpl_context_set_option(w->cx, "tiers", 0));
    for (int turn = 0; turn < 2; turn++) {
        asked a = {.type = CPL_UINT32};
        fill(a.type, r.from, BIG, random_bits);
        sort_here(w, &r, &a, BIG, "a first sort");
        cpl_stats stats = {.size = sizeof stats};
        OK(w, cpl_context_stats(w->cx, &stats));
        assert_int_equal(stats.compiles + stats.disk_hits, KERNELS);
    }
    free_room(&r);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {TEST(every_key),
                                       TEST(every_pattern),
                                       TEST(special_floats),
                                       TEST(few_kinds),
                                       TEST(ranges_of_bits),
                                       TEST(one_value),
                                       TEST(several_values),
                                       TEST(elsewhere),
                                       TEST(orders),
                                       TEST(strided_and_parts),
                                       TEST(any_threads),
                                       TEST(kernels_of_a_first_sort),
                                       TEST(checked_and_interpreted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

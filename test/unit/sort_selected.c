/* The keys that come first, compared with those of a sort: all patterns, counts and bits. */
#include "sort_world.h"

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

static void count_digits(void *user, const cpl_profile_row *row)
{
    *(int *)user += !strcmp(row->device, "host") && strstr(row->name, "select.narrow");
}

/* A border that samples tell leaves few keys on the host, which are sorted: nothing goes by digits.
 */
static void selections_by_samples(void **state)
{
    world *w = *state;
    const asked a = {.type = CPL_FLOAT64};
    room r = make_room();
    int digits = 0;
    cpl_profile_enable(w->cx, true);
    fill(a.type, r.from, 50000, random_bits);
    expect(&a, r.from, 50000, r.expected);
    check_selected(w, &r, &a, 50000, 500, 1);
    assert_int_equal(cpl_profile_each_row(w->cx, count_digits, &digits), CPL_OK);
    assert_int_equal(digits, 0);
    free_room(&r);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {TEST(selections), TEST(selections_by_bits),
                                       TEST(selections_by_samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Sets of sorted arrays: every type and pattern, with any number of threads, and with less room
 * than results.
 */
#include "sorted_model.h"

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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(sets),
        TEST(patterns_of_sets),
        TEST(room_for_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

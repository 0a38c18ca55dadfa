/*
 * What calls of sorted arrays refuse, what comes of arrays that are not sorted, and the kernels
 * that they would launch.
 */
#include "sorted_model.h"

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
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(kernels_are_handed_out), TEST(nothing_is_sorted), TEST(refused),
        TEST(refused_unique),         TEST(overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Parts of arrays, as Python's indices pick them, and arrays that grow, on the host and on whatever
 * devices there are. */
#include "device_world.h"

#include <cpl/numeric.h>

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))
enum { MOST = 200 };

static cpl_array *counted(world *w, cpl_device *d, int dims, const int64_t *shape)
{
    cpl_array *a;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = CPL_INT32;
    o.dims = dims;
    memcpy(o.shape, shape, (size_t)dims * sizeof *shape);
    OK(w, cpl_array_create_with(w->cx, d, &o, &a));
    OK(w, cpl_array_arange(a, cpl_arg_int(0), cpl_arg_int(1), NULL));
    return a;
}

static int64_t read_all(world *w, cpl_array *a, int32_t *values)
{
    cpl_array_info info = {.size = sizeof info};
    OK(w, cpl_array_info_get(a, &info));
    assert_true(info.length <= MOST);
    OK(w, cpl_array_read(a, NULL, values, NULL));
    return info.length;
}

/* --- slices --- */

/* Where a walk from `start` by `step` begins or ends: an index that is left out, one from the end,
 * or one beyond an end. */
static int64_t settled(int64_t given, int64_t n, int64_t left_out, int64_t before, int64_t behind)
{
    if (given == CPL_SLICE_NONE) return left_out;
    if (given < 0) given += n;
    if (given < 0) return before;
    return given >= n ? behind : given;
}

static int64_t stepped(int64_t i, int64_t step, int64_t end)
{
    return __builtin_add_overflow(i, step, &i) ? end : i;
}

static int64_t expect(int64_t n, const cpl_slice *s, int32_t *values)
{
    int64_t count = 0;
    if (s->step > 0) {
        int64_t end = settled(s->stop, n, n, 0, n);
        for (int64_t i = settled(s->start, n, 0, 0, n); i < end; i = stepped(i, s->step, end))
            values[count++] = (int32_t)i;
    } else {
        int64_t end = settled(s->stop, n, -1, -1, n - 1);
        int64_t i = settled(s->start, n, n - 1, -1, n - 1);
        for (; i > end; i = stepped(i, s->step, end)) values[count++] = (int32_t)i;
    }
    return count;
}

static void check_range(world *w, cpl_array *a, int64_t n, const cpl_slice *s)
{
    cpl_array *view;
    int32_t got[MOST], expected[MOST];
    OK(w, cpl_array_slice(a, s, 1, &view));
    int64_t count = expect(n, s, expected), there = read_all(w, view, got);
    if (there != count || memcmp(got, expected, (size_t)count * sizeof *got) != 0)
        fail_msg("%lld elements, [%lld:%lld:%lld]: %lld of them, not %lld", (long long)n,
                 (long long)s->start, (long long)s->stop, (long long)s->step, (long long)there,
                 (long long)count);
    cpl_array_release(view);
}

static void ranges(void **state)
{
    static const int64_t bounds[] = {CPL_SLICE_NONE, INT64_MIN + 1, -6, -5, -4, -1, 0, 1, 3, 4, 5,
                                     INT64_MAX},
                         steps[] = {1, 2, 5, INT64_MAX, -1, -2, -5, INT64_MIN + 1};
    world *w = *state;
    for (int64_t n = 0; n < 6; n++) {
        cpl_array *a = counted(w, NULL, 1, &n);
        for (size_t i = 0; i < COUNT_OF(bounds); i++)
            for (size_t k = 0; k < COUNT_OF(bounds); k++)
                for (size_t s = 0; s < COUNT_OF(steps); s++) {
                    cpl_slice range = cpl_slice_range(bounds[i], bounds[k], steps[s]);
                    check_range(w, a, n, &range);
                }
        cpl_array_release(a);
    }
}

static void check_view(world *w, cpl_array *view, int dims, const int64_t *shape,
                       const int32_t *expected)
{
    int32_t got[MOST];
    cpl_array_info info = {.size = sizeof info};
    OK(w, cpl_array_info_get(view, &info));
    assert_int_equal(info.dims, dims);
    for (int d = 0; d < dims; d++) assert_int_equal(info.shape[d], shape[d]);
    size_t size = (size_t)read_all(w, view, got) * sizeof *got;
    if (size) assert_memory_equal(got, expected, size);
}

static void several(void **state)
{
    world *w = *state;
    const int64_t shape[] = {3, 4, 5};
    EACH_DEVICE(w, d)
    {
        cpl_array *a = counted(w, d, 3, shape), *view, *part;
        const cpl_slice rest = {CPL_SLICE_REST, 0, 0, 0}, fresh = {CPL_SLICE_NEW, 0, 0, 0};
        const cpl_slice last[] = {rest, cpl_slice_at(-1)}; /* a[..., -1] */
        int32_t expected[12];
        for (int i = 0; i < 12; i++) expected[i] = 5 * i + 4;
        OK(w, cpl_array_slice(a, last, 2, &view));
        check_view(w, view, 2, shape, expected);
        const cpl_slice turned[] = {cpl_slice_range(CPL_SLICE_NONE, CPL_SLICE_NONE, -2),
                                    cpl_slice_range(2, CPL_SLICE_NONE, 1)};
        const int64_t less[] = {2, 2};
        const int32_t corner[] = {54, 59, 14, 19};
        OK(w, cpl_array_slice(view, turned, 2, &part)); /* [::-2, 2:] of that */
        check_view(w, part, 2, less, corner);
        cpl_array_release(part);
        const cpl_slice back[] = {cpl_slice_at(1), fresh, cpl_slice_range(1, 3, 1), rest};
        const int64_t more[] = {1, 2, 5};
        const int32_t middle[] = {25, 26, 27, 28, 29, 30, 31, 32, 33, 34};
        OK(w, cpl_array_slice(a, back, 4, &part)); /* a[1, None, 1:3, ...] */
        check_view(w, part, 3, more, middle);
        OK(w, cpl_array_fill(part, cpl_arg_int(-1), NULL));
        int32_t got[MOST];
        read_all(w, a, got);
        for (int i = 0; i < 60; i++) assert_int_equal(got[i], i >= 25 && i < 35 ? -1 : i);
        cpl_array_release(part);
        cpl_array_release(view);
        const cpl_slice point[] = {cpl_slice_at(2), cpl_slice_at(0), cpl_slice_at(-5)};
        const int32_t one = 40;
        OK(w, cpl_array_slice(a, point, 3, &view));
        check_view(w, view, 0, NULL, &one);
        cpl_array_release(view);
        OK(w, cpl_array_slice(a, NULL, 0, &view));
        check_view(w, view, 3, shape, got);
        cpl_array_release(view);
        cpl_array_release(a);
    }
}

/* Of (0, 3) elements [:, 1:] and [..., 1]. */
static void of_nothing(void **state)
{
    world *w = *state;
    const int64_t shape[] = {0, 3}, rest[] = {0, 2};
    const cpl_slice tail[] = {cpl_slice_all(), cpl_slice_range(1, CPL_SLICE_NONE, 1)},
                    at[] = {{CPL_SLICE_REST, 0, 0, 0}, cpl_slice_at(1)};
    EACH_DEVICE(w, d)
    {
        cpl_array *a = counted(w, d, 2, shape), *view;
        OK(w, cpl_array_slice(a, tail, 2, &view));
        check_view(w, view, 2, rest, NULL);
        cpl_array_release(view);
        OK(w, cpl_array_slice(a, at, 2, &view));
        check_view(w, view, 1, shape, NULL);
        cpl_array_release(view);
        cpl_array_release(a);
    }
}

static void no_slices(void **state)
{
    world *w = *state;
    const int64_t shape[] = {2, 3}, wide[] = {1, 1, 1, 1, 1, 1, 1, 1};
    cpl_array *a = counted(w, NULL, 2, shape), *b = counted(w, NULL, 8, wide), *view;
    const cpl_slice rest = {CPL_SLICE_REST, 0, 0, 0}, fresh = {CPL_SLICE_NEW, 0, 0, 0},
                    odd = {(cpl_slice_kind)7, 0, 0, 0}, still = cpl_slice_range(0, 1, 0),
                    all[] = {cpl_slice_all(), cpl_slice_all(), cpl_slice_all()},
                    twice[] = {rest, rest}, past[] = {cpl_slice_all(), cpl_slice_at(3)},
                    before = cpl_slice_at(-3);
    FAILS(w, cpl_array_slice(a, past, 2, &view), CPL_EBOUNDS,
          "index 3 along dimension 1, which has 3 elements");
    assert_null(view);
    FAILS(w, cpl_array_slice(a, &before, 1, &view), CPL_EBOUNDS, "index -3 along dimension 0");
    FAILS(w, cpl_array_slice(a, &still, 1, &view), CPL_EARG, "the step 0");
    FAILS(w, cpl_array_slice(a, all, 3, &view), CPL_EARG, "more slices than the array's 2");
    FAILS(w, cpl_array_slice(a, all, SIZE_MAX, &view), CPL_EARG, "more slices than the array's 2");
    FAILS(w, cpl_array_slice(a, twice, 2, &view), CPL_EARG, "two for all the rest");
    FAILS(w, cpl_array_slice(a, &odd, 1, &view), CPL_EARG, "no kind 7");
    FAILS(w, cpl_array_slice(b, &fresh, 1, &view), CPL_EARG, "up to 8 dimensions");
    const cpl_slice most[] = {cpl_slice_at(0), fresh, fresh, fresh, fresh,
                              fresh,           rest,  fresh, fresh, cpl_slice_at(2)};
    OK(w, cpl_array_slice(a, most, 10, &view));
    cpl_array_info info = {.size = sizeof info};
    OK(w, cpl_array_info_get(view, &info));
    assert_int_equal(info.dims, 7);
    cpl_array_release(view);
    FAILS(w, cpl_array_slice(a, NULL, 1, &view), CPL_EARG, "");
    FAILS(w, cpl_array_slice(a, all, 1, NULL), CPL_EARG, "");
    FAILS(w, cpl_array_slice(NULL, all, 1, &view), CPL_EARG, "");
    cpl_array_release(a);
    cpl_array_release(b);
}

/* --- arrays that grow --- */

static int64_t capacity_of(world *w, cpl_array *a)
{
    cpl_array_info info = {.size = sizeof info};
    OK(w, cpl_array_info_get(a, &info));
    return info.capacity;
}

static void check_counted(world *w, cpl_array *a, int64_t n, int64_t zeros)
{
    int32_t got[MOST];
    assert_int_equal(read_all(w, a, got), n + zeros);
    for (int64_t i = 0; i < n + zeros; i++) assert_int_equal(got[i], i < n ? i : 0);
}

static void growing(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        int64_t n = 10, moves = 0;
        cpl_array *a = counted(w, d, 1, &n), *view;
        const cpl_slice some = cpl_slice_range(2, 5, 1);
        OK(w, cpl_array_slice(a, &some, 1, &view));
        assert_int_equal(capacity_of(w, a), 10);
        assert_int_equal(capacity_of(w, view), 3); /* it cannot grow */
        OK(w, cpl_array_reserve(a, 5));            /* it has that */
        assert_int_equal(capacity_of(w, a), 10);
        OK(w, cpl_array_resize(a, 4));
        check_counted(w, a, 4, 0);
        assert_int_equal(capacity_of(w, a), 10);
        OK(w, cpl_array_resize(a, 7)); /* what was there before is gone */
        check_counted(w, a, 4, 3);
        OK(w, cpl_array_arange(a, cpl_arg_int(0), cpl_arg_int(1), NULL));
        for (int64_t length = 8; length <= MOST; length++) {
            int64_t before = capacity_of(w, a);
            OK(w, cpl_array_resize(a, length));
            moves += capacity_of(w, a) != before;
        }
        assert_in_range(moves, 1, 9); /* log(20)/log(1.5) */
        check_counted(w, a, 7, MOST - 7);
        assert_true(cpl_array_valid(a, d));
        const int32_t kept[] = {2, 3, 4};
        const int64_t three[] = {3};
        check_view(w, view, 1, three, kept); /* of the memory that was left */
        OK(w, cpl_array_resize(a, 7));
        OK(w, cpl_array_squeeze(a));
        assert_int_equal(capacity_of(w, a), 7);
        check_counted(w, a, 7, 0);
        OK(w, cpl_array_reserve(a, 1000));
        assert_int_equal(capacity_of(w, a), 1000);
        check_counted(w, a, 7, 0);
        OK(w, cpl_array_resize(a, 0));
        OK(w, cpl_array_squeeze(a));
        assert_int_equal(capacity_of(w, a), 0);
        OK(w, cpl_array_resize(a, 3));
        check_counted(w, a, 0, 3);
        FAILS(w, cpl_array_resize(a, -1), CPL_EARG, "-1 elements");
        FAILS(w, cpl_array_resize(a, INT64_MAX / 2), CPL_EARG, "64 bits");
        check_counted(w, a, 0, 3);
        FAILS(w, cpl_array_resize(view, 9), CPL_EARG, "memory of its own");
        FAILS(w, cpl_array_reserve(view, 9), CPL_EARG, "memory of its own");
        FAILS(w, cpl_array_squeeze(view), CPL_EARG, "memory of its own");
        cpl_array_release(view);
        cpl_array_release(a);
    }
    int32_t mine[4] = {1, 2, 3, 4};
    const int64_t flat[] = {2, 2};
    cpl_array *wrapped, *square = counted(w, NULL, 2, flat);
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = CPL_INT32;
    o.dims = 1;
    o.shape[0] = 4;
    OK(w, cpl_array_wrap(w->cx, NULL, &o, mine, &wrapped));
    assert_int_equal(capacity_of(w, wrapped), 4);
    assert_int_equal(capacity_of(w, square), 4);
    FAILS(w, cpl_array_resize(wrapped, 5), CPL_EARG, "memory of its own");
    FAILS(w, cpl_array_resize(square, 5), CPL_EARG, "one dimension");
    FAILS(w, cpl_array_resize(NULL, 5), CPL_EARG, "");
    cpl_array_release(wrapped);
    cpl_array_release(square);
}

typedef struct odd {
    int8_t tag;
    double x;
    int16_t y;
} odd;

/* Elements that are structs go along, and those that come are zeros. */
static void growing_structs(void **state)
{
    enum { FEW = 5, MORE = 50 };
    world *w = *state;
    cpl_array_options o;
    cpl_field fields[] = {{.name = "tag"}, {.name = "x"}, {.name = "y"}};
    static const char *const types[] = {"int8", "float64", "int16"};
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        OK(w, cpl_type_parse(w->cx, types[i], &fields[i].type));
    cpl_array_options_init(&o);
    OK(w, cpl_type_struct(w->cx, "Odd", fields, COUNT_OF(fields), &o.record));
    o.dims = 1;
    o.shape[0] = FEW;
    EACH_DEVICE(w, d)
    {
        odd given[FEW], got[MORE];
        cpl_array *a;
        memset(given, 0, sizeof given);
        for (int i = 0; i < FEW; i++) given[i] = (odd){(int8_t)-i, 0.5 + i, (int16_t)(1000 * i)};
        OK(w, cpl_array_create_with(w->cx, d, &o, &a));
        OK(w, cpl_array_write(a, NULL, given, NULL));
        for (int64_t n = FEW; n <= MORE; n += 9) {
            OK(w, cpl_array_resize(a, n));
            if (n > 30) OK(w, cpl_array_squeeze(a));
            OK(w, cpl_array_reserve(a, n + 1));
            OK(w, cpl_array_read(a, NULL, got, NULL));
            for (int i = 0; i < n; i++) {
                const odd want = i < FEW ? given[i] : (odd){0};
                assert_true(got[i].tag == want.tag && got[i].x == want.x && got[i].y == want.y);
            }
        }
        cpl_array_release(a);
    }
}

/* --- parts that share elements, or do not --- */

/* Every second, third, ... index of a dimension, either way, of some of them. */
static cpl_slice drawn_slice(uint64_t bits, int64_t n)
{
    int64_t step = (int64_t)(bits % 3) + 1, start = (int64_t)(bits >> 8) % n;
    if (bits >> 16 & 1) return cpl_slice_range(start, CPL_SLICE_NONE, step);
    return cpl_slice_range(start, CPL_SLICE_NONE, -step);
}

static void mark(world *w, cpl_array *view, bool *at)
{
    int32_t values[MOST];
    int64_t n = read_all(w, view, values);
    for (int64_t i = 0; i < n; i++) at[values[i]] = true;
}

/* Views of one memory are copied where no element is in both, however they lie. */
static void parts_that_meet(void **state)
{
    static const int64_t shape[] = {5, 6, 6};
    world *w = *state;
    int met = 0, apart = 0;
    cpl_array *a = counted(w, NULL, 3, shape);
    for (uint64_t turn = 0; turn < 20000; turn++) {
        cpl_array *views[2];
        cpl_array_info info[2] = {{.size = sizeof info[0]}, {.size = sizeof info[0]}};
        bool at[2][MOST] = {{false}}, both = false;
        for (int v = 0; v < 2; v++) {
            cpl_slice s[3];
            for (int d = 0; d < 3; d++)
                s[d] = drawn_slice(scrambled(turn * 6 + (uint64_t)(3 * v + d)), shape[d]);
            OK(w, cpl_array_slice(a, s, 3, &views[v]));
            OK(w, cpl_array_info_get(views[v], &info[v]));
            mark(w, views[v], at[v]);
        }
        for (int i = 0; i < MOST; i++) both |= at[0][i] && at[1][i];
        if (info[0].length == info[1].length && info[0].length) {
            if (both) FAILS(w, cpl_array_copy(views[0], views[1], NULL, NULL), CPL_EOVERLAP, "");
            else OK(w, cpl_array_copy(views[0], views[1], NULL, NULL));
            *(both ? &met : &apart) += 1;
            OK(w, cpl_array_arange(a, cpl_arg_int(0), cpl_arg_int(1), NULL));
        }
        for (int v = 0; v < 2; v++) cpl_array_release(views[v]);
    }
    if (met < 100 || apart < 100) fail_msg("%d met, %d apart", met, apart);
    cpl_array_release(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ranges, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(several, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(of_nothing, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(no_slices, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(growing, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(growing_structs, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(parts_that_meet, set_up_module, tear_down),
    };
    return cmocka_run_group_tests_name("slices", tests, NULL, NULL);
}

/* Sorts, and what they are for, of more than 2^31 elements: zeros, which are one page until
 * somebody writes them, but for a few. */
#include "device_world.h"
#include "launches.h"
#include "libomp_leaks.h"

#include <cpl/numeric.h>
#include <cpl/sort.h>
#include <cpl/sorted.h>

#include <sys/mman.h>
#include <unistd.h>

#define FAR ((int64_t)1 << 31)
enum { MORE = 5003 };
#define LENGTH (FAR + MORE)

static const char kernels[] = "def nothing(i, x):\n    pass\n";

static int8_t *zeros; /* LENGTH of them; the last is 50, the one before 40 */

static int set_up_zeros(void **state)
{
    zeros = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
    if (zeros == MAP_FAILED) return -1;
    zeros[LENGTH - 2] = 40;
    zeros[LENGTH - 1] = 50;
    if (set_up_source(state, "far.py", kernels)) return -1;
    world *w = *state;
    OK(w, cpl_context_set_option(w->cx, "tiers", 0));
    return 0;
}

static int tear_down_zeros(void **state)
{
    munmap(zeros, LENGTH);
    return tear_down(state);
}

/* That nobody uses, as a sort in place needs: the keys, their copies, and what others may want. */
static bool has_memory(void)
{
    return sysconf(_SC_AVPHYS_PAGES) * sysconf(_SC_PAGESIZE) > 5 * FAR / 2;
}

static void takes(void **state)
{
    world *w = *state;
    int64_t places[] = {LENGTH - 1, 0, LENGTH - 2, FAR, -1, -LENGTH};
    int8_t got[] = {9, 9, 9, 9, 9, 9}, expected[] = {50, 0, 40, 0, 50, 0};
    cpl_arg indices = cpl_arg_array(CPL_INT64, places, 6), out = cpl_arg_array(CPL_INT8, got, 6),
            from = cpl_arg_array(CPL_INT8, zeros, LENGTH);
    cpl_gather_spec s;
    cpl_gather_spec_init(&s);
    s.indices = &indices;
    s.out = &out;
    OK(w, cpl_take(w->module, &s, NULL, &from, 1));
    assert_memory_equal(got, expected, sizeof got);
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    places[3] = LENGTH;
    FAILS(w, cpl_take(w->module, &s, NULL, &from, 1), CPL_EBOUNDS, "2147488651");
}

static void scatters(void **state)
{
    world *w = *state;
    int64_t places[] = {LENGTH - 1, FAR + 7, -3};
    int8_t values[] = {1, 2, 3};
    cpl_arg indices = cpl_arg_array(CPL_INT64, places, 3),
            from = cpl_arg_array(CPL_INT8, values, 3), out = cpl_arg_array(CPL_INT8, zeros, LENGTH);
    cpl_gather_spec s;
    cpl_gather_spec_init(&s);
    s.indices = &indices;
    s.out = &out;
    OK(w, cpl_scatter(w->module, &s, NULL, &from, 1));
    assert_int_equal(zeros[LENGTH - 1], 1);
    assert_int_equal(zeros[FAR + 7], 2);
    assert_int_equal(zeros[LENGTH - 3], 3);
    assert_int_equal(zeros[7], 0);
}

static void takes_along_an_axis(void **state)
{
    world *w = *state;
    int64_t places[] = {LENGTH - 1, FAR - 1, -2};
    int8_t got[3];
    cpl_array *x, *indices, *out = NULL;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = CPL_INT8;
    o.dims = 2;
    o.shape[0] = LENGTH;
    o.shape[1] = 1;
    OK(w, cpl_array_wrap(w->cx, NULL, &o, zeros, &x));
    o.dtype = CPL_INT64;
    o.dims = 1;
    o.shape[0] = 3;
    OK(w, cpl_array_wrap(w->cx, NULL, &o, places, &indices));
    OK(w, cpl_array_take(x, indices, 0, CPL_INDEX_RAISE, NULL, &out));
    OK(w, cpl_array_read(out, NULL, got, NULL));
    assert_int_equal(got[0], 50);
    assert_int_equal(got[1], 0);
    assert_int_equal(got[2], 40);
    cpl_array_release(out);
    cpl_array_release(indices);
    cpl_array_release(x);
}

static void searches(void **state)
{
    world *w = *state;
    int8_t values[] = {-1, 0, 1, 45, 100};
    int64_t got[5];
    int64_t expected[2][5] = {{0, 0, LENGTH - 2, LENGTH - 1, LENGTH},
                              {0, LENGTH - 2, LENGTH - 2, LENGTH - 1, LENGTH}};
    cpl_arg keys = cpl_arg_array(CPL_INT8, zeros, LENGTH), of = cpl_arg_array(CPL_INT8, values, 5),
            out = cpl_arg_array(CPL_INT64, got, 5);
    cpl_sorted_spec s;
    cpl_sorted_spec_init(&s);
    s.out = &out;
    for (int right = 0; right < 2; right++) {
        s.flags = right ? CPL_SORTED_RIGHT : 0;
        OK(w, cpl_search_sorted(w->module, &s, NULL, &keys, &of));
        assert_memory_equal(got, expected[right], sizeof got);
    }
    out.dtype = CPL_INT32;
    FAILS(w, cpl_search_sorted(w->module, &s, NULL, &keys, &of), CPL_EARG, "int32");
}

/* The greatest are behind all zeros, and where they were is not in 32 bits. */
static void selections(void **state)
{
    world *w = *state;
    int8_t got[3];
    int64_t places[3];
    cpl_arg keys = cpl_arg_array(CPL_INT8, zeros, LENGTH), out = cpl_arg_array(CPL_INT8, got, 3),
            order = cpl_arg_array(CPL_INT64, places, 3);
    cpl_sort_spec s;
    cpl_sort_spec_init(&s);
    s.flags = CPL_SORT_DESCENDING;
    s.out = &out;
    s.order = &order;
    OK(w, cpl_select(w->module, &s, NULL, 3, &keys));
    assert_int_equal(got[0], 50);
    assert_int_equal(got[1], 40);
    assert_int_equal(got[2], 0);
    assert_int_equal(places[0], LENGTH - 1);
    assert_int_equal(places[1], LENGTH - 2);
    assert_int_equal(places[2], 0);
}

/* Each key is moved, by one or by as many places as there are. */
static void sorts(void **state)
{
    world *w = *state;
    if (!has_memory()) skip();
    zeros[0] = 60;
    zeros[FAR + 1] = -5;
    cpl_arg keys = cpl_arg_array(CPL_INT8, zeros, LENGTH);
    OK(w, cpl_sort(w->module, NULL, NULL, &keys, 1));
    const int8_t last[] = {0, 40, 50, 60};
    assert_memory_equal(zeros + LENGTH - 4, last, 4);
    assert_int_equal(zeros[0], -5);
    for (int64_t i = 1; i < LENGTH - 3; i++)
        if (zeros[i]) fail_msg("element %lld is %d", (long long)i, zeros[i]);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_zeros, tear_down_zeros)
    const struct CMUnitTest tests[] = {
        TEST(takes),    TEST(scatters),   TEST(takes_along_an_axis),
        TEST(searches), TEST(selections), TEST(sorts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

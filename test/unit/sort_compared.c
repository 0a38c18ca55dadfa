/* Sorts whose keys are compared: by an expression or a function, on the host, and complex ones on
 * whatever devices there are. */
#include "sort_world.h"

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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {TEST(numbers_by_a_function), TEST(structs_by_a_function),
                                       TEST(complex_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

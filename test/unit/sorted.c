/*
 * Searches and merges of sorted arrays: every type, keys of which many are alike, by a function,
 * structs, on the host with any number of threads, by the interpreter.
 */
#include "sorted_model.h"

#include <math.h>

/* --- searches --- */

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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(searches),          TEST(searches_of_some),  TEST(merges),
        TEST(merges_of_structs), TEST(merges_of_sixteen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * What is unique: every type and choice of results, with any number of threads, by the interpreter,
 * structs by a function, and with less room than values.
 */
#include "sorted_model.h"

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
        bool one_of_two = __builtin_popcount((unsigned)wanted) % 2 || wanted == 15;
        if (!one_of_two && !test_rounds(0, 1)) continue;
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
        memset(first, 0, COUNT * 8);
        memset(counts, 0, COUNT * 8);
        OK(w, cpl_unique(w->module, &u, NULL, &keys));
        assert_int_equal(number, VALUES);
        for (int i = 0; i < COUNT; i++) assert_int_equal(inverse[i], i * 31 % VALUES);
        for (int k = 0; k < VALUES; k++) {
            bool there = k < space;
            int begin = 0;
            while (begin * 31 % VALUES != k) begin++;
            assert_int_equal(out[k].number, there ? begin : 0);
            assert_int_equal(first[k], there ? begin : 0);
            assert_int_equal(counts[k], there ? (COUNT - begin + VALUES - 1) / VALUES : 0);
        }
    }
    free(s);
    free(out);
    free(first);
    free(inverse);
    free(counts);
}

/* --- by tiles --- */

enum { TILE = 6144 }; /* elements */

/* Values that end at borders of tiles, go through several of them, and differ everywhere. */
static void unique_by_tiles(void **state)
{
    world *w = *state;
    static const int64_t some[] = {1, 33, TILE - 1, TILE, TILE + 1, MOST};
    static const uint64_t values[] = {1, 2, 70, UINT64_MAX};
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    room r = make_room();
    OK(w, cpl_context_set_option(w->cx, "tiles", 2));
    /* 24 elements a work-item, and loops over those: LLVM takes six seconds for a kernel */
    OK(w, cpl_context_set_option(w->cx, "opt_level", 0));
    for (size_t l = 0; l < COUNT_OF(some); l++)
        for (size_t v = 0; v < COUNT_OF(values); v++) {
            cpl_dtype d = l == 5 && v == 2 ? CPL_FLOAT64 : CPL_UINT16;
            fill(d, r.a, some[l], 5, values[v]);
            unique_here(w, &r, &o, d, some[l], v % 2, OUT | FIRST | INVERSE | COUNTS);
        }
    for (int wanted = 1; wanted < 16; wanted *= 2)
        unique_here(w, &r, &o, CPL_UINT16, MOST, 0, wanted);
    free_room(&r);
}

/* Of structs, with less room than values. */
static void unique_structs_by_tiles(void **state)
{
    world *w = *state;
    OK(w, cpl_context_set_option(w->cx, "tiles", 2));
    unique_structs(state);
}

/* For CUDA: where they begin is found in one kernel, whose state is cleared by none: the queue has
 * zeros. */
static void unique_for_gpus(void **state)
{
    world *w = *state;
    int32_t x[9] = {0}, y[9];
    cpl_kernels found = {.target = "cuda:sm_80"};
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    cpl_arg in = cpl_arg_array(CPL_INT32, x, 9), out = cpl_arg_array(CPL_INT32, y, 9);
    cpl_unique_spec u;
    cpl_unique_spec_init(&u);
    u.counts = &out;
    o.kernels = &found;
    OK(w, cpl_unique(w->module, &u, &o, &in));
    size_t tiles = 0;
    for (size_t i = 0; i < found.count; i++) {
        cpl_blob text;
        OK(w, cpl_kernel_emit(found.kernels[i], CPL_STAGE_PTX, NULL, &text));
        assert_null(strstr(text.data, "value_starts"));
        tiles += strstr(text.data, "tile_values(") != NULL;
        cpl_blob_free(&text);
        cpl_kernel_release(found.kernels[i]);
    }
    assert_int_equal(tiles, 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(unique),          TEST(unique_on_any_threads),   TEST(unique_structs),
        TEST(unique_by_tiles), TEST(unique_structs_by_tiles), TEST(unique_for_gpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Gathers and scatters, compared with plain loops: every type, several arrays at once, indices from
 * the end and out of range, on the host, by the interpreter, and on whatever devices there are.
 */
#include "gather_model.h"

/* --- take --- */

static void takes_of_every_type(void **state)
{
    world *w = *state;
    int32_t *k = malloc(MOST * 4);
    for (size_t t = 0; t < COUNT_OF(types); t++)
        for (size_t l = 0; l < COUNT_OF(lengths); l++) {
            int64_t n = lengths[l], m = n / 2 + 1;
            size_t size = cpl_dtype_size(types[t]);
            void *x = some_bits(types[t], m), *y = some_bits(types[t], n);
            for (int64_t i = 0; i < n; i++) k[i] = (int32_t)(scrambled((uint64_t)i) % (uint64_t)m);
            cpl_arg in = cpl_arg_const_array(types[t], x, m), out = cpl_arg_array(types[t], y, n),
                    at = cpl_arg_const_array(CPL_INT32, k, n);
            cpl_gather_spec s = spec_of(&at, &out);
            OK(w, cpl_take(w->module, &s, NULL, &in, 1));
            for (int64_t i = 0; i < n; i++) same_element(y, x, size, i, k[i]);
            free(x);
            free(y);
        }
    free(k);
}

/* What NumPy's mode= makes of an index. */
static int64_t index_in(int64_t k, int64_t m, cpl_index_mode mode)
{
    if (mode == CPL_INDEX_WRAP) return (k % m + m) % m;
    if (mode == CPL_INDEX_RAISE && k < 0) k += m;
    return k < 0 ? 0 : k >= m ? m - 1 : k;
}

static void modes(void **state)
{
    world *w = *state;
    static const int64_t some[] = {
        0,  1,   6,   7,   8,    13,        14,        100,       -1,        -6,           -7,
        -8, -13, -14, -15, -100, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, INT64_MIN + 3};
    enum { COUNT = COUNT_OF(some), NARROW = COUNT - 3, M = 7 };
    int64_t x[M], y[COUNT];
    int32_t narrow[NARROW];
    for (int i = 0; i < M; i++) x[i] = 100 + i;
    for (int i = 0; i < NARROW; i++) narrow[i] = (int32_t)some[i];
    for (cpl_index_mode mode = CPL_INDEX_RAISE; mode <= CPL_INDEX_CLIP; mode++)
        for (int way = 0; way < 2; way++)
            for (int64_t m = 1; m <= M; m += 3) {
                cpl_arg in = cpl_arg_array(CPL_INT64, x, m),
                        out = cpl_arg_array(CPL_INT64, y, COUNT),
                        at = way ? cpl_arg_const_array(CPL_INT32, narrow, NARROW)
                                 : cpl_arg_const_array(CPL_INT64, some, COUNT);
                cpl_gather_spec s = spec_of(&at, &out);
                s.mode = mode;
                OK(w, cpl_take(w->module, &s, NULL, &in, 1));
                for (int i = 0; i < (way ? NARROW : COUNT); i++)
                    assert_int_equal(y[i], 100 + index_in(some[i], m, mode));
            }
}

/* Of blocks of indices the least and the greatest are looked at: here each is both. */
static void modes_of_one_index(void **state)
{
    world *w = *state;
    enum { M = 5 };
    int64_t x[M + 2], y;
    for (int i = 0; i < M + 2; i++) x[i] = 100 + i;
    for (cpl_index_mode mode = CPL_INDEX_RAISE; mode <= CPL_INDEX_CLIP; mode++)
        for (int64_t k = -M - 1; k <= M + 1; k++) {
            cpl_arg in = cpl_arg_array(CPL_INT64, x, M), out = cpl_arg_array(CPL_INT64, &y, 1),
                    at = cpl_arg_const_array(CPL_INT64, &k, 1);
            cpl_gather_spec s = spec_of(&at, &out);
            s.mode = mode;
            OK(w, cpl_take(w->module, &s, NULL, &in, 1));
            assert_int_equal(y, 100 + index_in(k, M, mode));
        }
}

/* With bounds_check an index out of range is an error that says which one, whatever it is; those
 * from the end, and what wraps or is clipped, are none. */
static void checked(void **state)
{
    world *w = *state;
    int64_t x[5] = {10, 11, 12, 13, 14}, y[4] = {0};
    int32_t k[4] = {-5, 4, 0, -1};
    cpl_arg in = cpl_arg_array(CPL_INT64, x, 5), out = cpl_arg_array(CPL_INT64, y, 4),
            at = cpl_arg_array(CPL_INT32, k, 4);
    cpl_gather_spec s = spec_of(&at, &out);
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    OK(w, cpl_take(w->module, &s, NULL, &in, 1));
    for (int i = 0; i < 4; i++) assert_int_equal(y[i], 10 + (k[i] + 5) % 5);
    k[2] = 5;
    FAILS(w, cpl_take(w->module, &s, NULL, &in, 1), CPL_EBOUNDS,
          "in 'take': index 5 at position 2 is out of range for an array of 5 elements");
    k[2] = -6;
    FAILS(w, cpl_take(w->module, &s, NULL, &in, 1), CPL_EBOUNDS,
          "index -6 at position 2 is out of range for an array of 5 elements");
    FAILS(w,
          cpl_scatter(w->module, &(cpl_gather_spec){sizeof s, &at, &in, CPL_INDEX_RAISE}, NULL,
                      &out, 1),
          CPL_EBOUNDS,
          "in 'scatter': index -6 at position 2 is out of range for an array of 5 elements");
    s.mode = CPL_INDEX_WRAP;
    OK(w, cpl_take(w->module, &s, NULL, &in, 1));
    assert_int_equal(y[2], 14);
    s.mode = CPL_INDEX_CLIP;
    OK(w, cpl_take(w->module, &s, NULL, &in, 1));
    assert_int_equal(y[2], 10);
}

/* A record from where there was no parallel loop, as of a single work-item, has no position. */
static void without_position(void **state)
{
    world *w = *state;
    int64_t x[5] = {0}, y[2];
    int32_t k[2] = {0};
    cpl_arg in = cpl_arg_array(CPL_INT64, x, 5), out = cpl_arg_array(CPL_INT64, y, 2),
            at = cpl_arg_array(CPL_INT32, k, 2);
    cpl_gather_spec s = spec_of(&at, &out);
    cpl_kernels found = {0};
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.kernels = &found;
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    OK(w, cpl_take(w->module, &s, &o, &in, 1));
    assert_int_equal(found.count, 1);
    int32_t site = 0; /* that of what is indexed */
    const char *expected = "in 'take': index 7 is out of range for an array of 5 elements";
    FAILS(w, cpl_kernel_report(found.kernels[0], &(cpl_fault){1, site, 7, 5, -1}), CPL_EBOUNDS,
          expected);
    expected = "in 'take': index 7 at position 0 is out of range for an array of 5 elements";
    FAILS(w, cpl_kernel_report(found.kernels[0], &(cpl_fault){1, site, 7, 5, 0}), CPL_EBOUNDS,
          expected);
    cpl_kernel_release(found.kernels[0]);
}

/* Several arrays, structs among them, with gaps between elements, and more room than is used. */
static void several_arrays(void **state)
{
    world *w = *state;
    item *s = some_items(BIG), *s_out = some_items(BIG);
    double *d = some_bits(CPL_FLOAT64, 2 * BIG), *d_out = calloc(BIG, 8);
    int8_t *b = some_bits(CPL_INT8, BIG), *b_out = calloc(3 * BIG, 1);
    int64_t *k = malloc(BIG * 16);
    for (int i = 0; i < BIG; i++)
        k[2 * i] = (int64_t)(scrambled((uint64_t)i) % BIG) - (i % 2) * BIG;
    cpl_arg at = cpl_arg_array(CPL_INT64, k, BIG),
            args[] = {item_arg(w, s, BIG), cpl_arg_array(CPL_FLOAT64, d, BIG),
                      cpl_arg_array(CPL_INT8, b, BIG)},
            out[] = {item_arg(w, s_out, BIG), cpl_arg_array(CPL_FLOAT64, d_out, BIG),
                     cpl_arg_array(CPL_INT8, b_out, BIG)};
    at.stride = args[1].stride = 16;
    out[2].stride = 3;
    cpl_gather_spec spec = spec_of(&at, out);
    cpl_launch_options o = rounds_on(NULL, BIG - 9, NULL);
    OK(w, cpl_take(w->module, &spec, &o, args, 3));
    for (int64_t i = 0; i < BIG - 9; i++) {
        int64_t from = index_in(k[2 * i], BIG, CPL_INDEX_RAISE);
        same_element(s_out, s, sizeof *s, i, from);
        same_element(d_out, d, 8, i, 2 * from);
        same_element(b_out, b, 1, 3 * i, from);
        assert_int_equal(b_out[3 * i + 1], 0);
    }
    for (int64_t i = BIG - 9; i < BIG; i++) assert_true(d_out[i] == 0);
    free(s);
    free(s_out);
    free(d);
    free(d_out);
    free(b);
    free(b_out);
    free(k);
}

/* As many as there may be, on any number of threads, and by the interpreter. */
static void thirty_arrays(void **state)
{
    world *w = *state;
    enum { ARRAYS = 30, COUNT = 9000 };
    int32_t *x = some_bits(CPL_INT32, ARRAYS * COUNT), *y = malloc(ARRAYS * COUNT * 4),
            *k = malloc(COUNT * 4);
    cpl_arg args[ARRAYS], out[ARRAYS], at = cpl_arg_array(CPL_INT32, k, COUNT);
    for (int i = 0; i < COUNT; i++) k[i] = COUNT - 1 - i;
    for (int a = 0; a < ARRAYS; a++) {
        args[a] = cpl_arg_array(CPL_INT32, x + a * COUNT, COUNT);
        out[a] = cpl_arg_array(CPL_INT32, y + a * COUNT, COUNT);
    }
    cpl_gather_spec s = spec_of(&at, out);
    for (int way = 0; way < 5; way++) {
        cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
        o.interpret = way == 4;
        memset(y, 0, ARRAYS * COUNT * 4);
        OK(w, cpl_context_set_option(w->cx, "num_threads", way == 4 ? 1 : 1 << way));
        OK(w, cpl_take(w->module, &s, &o, args, way == 4 ? 2 : ARRAYS));
        for (int i = 0; i < (way == 4 ? 2 : ARRAYS) * COUNT; i++)
            assert_int_equal(y[i], x[i / COUNT * COUNT + COUNT - 1 - i % COUNT]);
    }
    free(x);
    free(y);
    free(k);
}

/* --- scatter --- */

/* By permutations; what no index points to stays. */
static void scatters(void **state)
{
    world *w = *state;
    for (size_t l = 0; l < COUNT_OF(lengths); l++)
        for (size_t t = 0; t < COUNT_OF(types); t++) {
            int64_t n = lengths[l];
            size_t size = cpl_dtype_size(types[t]);
            void *x = some_bits(types[t], n), *y = some_bits(types[t], 2 * n + 1),
                 *before = some_bits(types[t], 2 * n + 1);
            int32_t *k = malloc((size_t)(n + 1) * 4);
            for (int64_t i = 0; i < n; i++)
                k[i] = (int32_t)(2 * ((i * 7 + 3) % n) - (i % 3 ? 0 : 2 * n + 1));
            if (n % 7 == 0) /* 7 is no good then */
                for (int64_t i = 0; i < n; i++) k[i] = (int32_t)(2 * (n - 1 - i));
            cpl_arg in = cpl_arg_const_array(types[t], x, n),
                    out = cpl_arg_array(types[t], y, 2 * n + 1),
                    at = cpl_arg_array(CPL_INT32, k, n);
            cpl_gather_spec s = spec_of(&at, &out);
            OK(w, cpl_scatter(w->module, &s, NULL, &in, 1));
            for (int64_t i = 0; i < n; i++)
                same_element(y, x, size, index_in(k[i], 2 * n + 1, CPL_INDEX_RAISE), i);
            for (int64_t i = 1; i < 2 * n + 1; i += 2) same_element(y, before, size, i, i);
            same_element(y, before, size, 2 * n, 2 * n);
            free(x);
            free(y);
            free(before);
            free(k);
        }
}

/* Of several for one place one is there, and nothing outside is touched. */
static void scatters_to_one_place(void **state)
{
    world *w = *state;
    enum { PLACES = 10 };
    int64_t *x = malloc(BIG * 8), y[PLACES + 2];
    int32_t *k = malloc(BIG * 4);
    for (cpl_index_mode mode = CPL_INDEX_RAISE; mode <= CPL_INDEX_CLIP; mode++) {
        for (int i = 0; i < PLACES + 2; i++) y[i] = -1;
        for (int i = 0; i < BIG; i++) x[i] = i, k[i] = i % (5 * PLACES) - 2 * PLACES;
        cpl_arg in = cpl_arg_array(CPL_INT64, x, BIG),
                out = cpl_arg_array(CPL_INT64, y + 1, PLACES),
                at = cpl_arg_array(CPL_INT32, k, BIG);
        cpl_gather_spec s = spec_of(&at, &out);
        s.mode = mode;
        OK(w, cpl_scatter(w->module, &s, NULL, &in, 1));
        for (int i = 0; i < PLACES; i++) {
            assert_in_range(y[1 + i], 0, BIG - 1);
            assert_int_equal(index_in(k[y[1 + i]], PLACES, mode), i);
        }
        assert_int_equal(y[0], -1);
        assert_int_equal(y[PLACES + 1], -1);
    }
    free(x);
    free(k);
}

/* --- on devices --- */

static cpl_status take_and_wait(world *w, cpl_device *d, const cpl_gather_spec *s,
                                const cpl_arg *from)
{
    cpl_status status = cpl_take(w->module, s, NULL, from, 1);
    return status ? status : cpl_queue_finish(cpl_device_queue(d));
}

static void gathers_there(world *w, cpl_device *d)
{
    double *x = some_bits(CPL_FLOAT64, BIG), *y = calloc(BIG, 8);
    int64_t *k = malloc(BIG * 8);
    for (int64_t i = 0; i < BIG; i++) k[i] = (i * 7 + 3) % BIG - (i % 2) * BIG;
    cpl_array *from = on_device(w, d, CPL_FLOAT64, x, BIG),
              *to = on_device(w, d, CPL_FLOAT64, y, BIG), *at = on_device(w, d, CPL_INT64, k, BIG),
              *back = on_device(w, d, CPL_FLOAT64, y, BIG);
    cpl_arg in = cpl_arg_of_array(from), out = cpl_arg_of_array(to), indices = cpl_arg_of_array(at),
            again = cpl_arg_of_array(back);
    cpl_gather_spec s = spec_of(&indices, &out);
    OK(w, cpl_take(w->module, &s, NULL, &in, 1));
    OK(w, cpl_array_read(to, NULL, y, NULL));
    for (int64_t i = 0; i < BIG; i++)
        same_element(y, x, 8, i, index_in(k[i], BIG, CPL_INDEX_RAISE));
    s.out = &again;
    OK(w, cpl_scatter(w->module, &s, NULL, &out, 1));
    OK(w, cpl_array_read(back, NULL, y, NULL));
    assert_memory_equal(x, y, BIG * 8);
    s.out = &out;
    k[1234] = BIG;
    OK(w, cpl_array_write(at, NULL, k, NULL));
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    FAILS(w, take_and_wait(w, d, &s, &again), CPL_EBOUNDS, " at position 1234 is out of range");
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 0));
    cpl_array_release(from);
    cpl_array_release(to);
    cpl_array_release(at);
    cpl_array_release(back);
    free(x);
    free(y);
    free(k);
}

static void on_devices(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d) gathers_there(w, d);
}

/* What would be launched: nothing runs. */
static void kernels_are_handed_out(void **state)
{
    world *w = *state;
    int32_t x[9] = {0}, y[9] = {0};
    cpl_kernels found = {0};
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    o.kernels = &found;
    cpl_arg in = cpl_arg_array(CPL_INT32, x, 9), out = cpl_arg_array(CPL_INT32, y, 9);
    cpl_gather_spec s = spec_of(&in, &out);
    cpl_choice c;
    cpl_choice_init(&c);
    c.condition = cpl_bind_expression("lambda i, x: x[i] == 0");
    c.out = &out;
    c.out_count = 1;
    OK(w, cpl_take(w->module, &s, &o, &in, 1));
    assert_int_equal(found.count, 1);
    OK(w, cpl_scatter(w->module, &s, &o, &in, 1));
    assert_int_equal(found.count, 2);
    OK(w, cpl_compact(w->module, &c, &o, &in, 1));
    assert_int_equal(found.count, 3); /* few are one round */
    OK(w, cpl_partition(w->module, &c, &o, &in, 1));
    assert_int_equal(found.count, 6); /* counts, places, moves */
    for (size_t i = 0; i < found.count; i++) cpl_kernel_release(found.kernels[i]);
}

/* --- what is refused --- */

static void refused_gathers(void **state)
{
    world *w = *state;
    int32_t x[8] = {3, 1, 2}, k[8] = {0}, y[8];
    double f[8];
    cpl_arg in = cpl_arg_array(CPL_INT32, x, 8), at = cpl_arg_array(CPL_INT32, k, 8),
            out = cpl_arg_array(CPL_INT32, y, 8), floats = cpl_arg_array(CPL_FLOAT64, f, 8),
            one = cpl_arg_int(1), many[31], pair[] = {in, in};
    cpl_gather_spec s = spec_of(&at, &out), none = spec_of(NULL, &out);
    FAILS(w, cpl_take(NULL, &s, NULL, &in, 1), CPL_EARG, "");
    FAILS(w, cpl_take(w->module, NULL, NULL, &in, 1), CPL_EARG, "");
    FAILS(w, cpl_take(w->module, &none, NULL, &in, 1), CPL_EARG, "");
    none = spec_of(&at, NULL);
    FAILS(w, cpl_scatter(w->module, &none, NULL, &in, 1), CPL_EARG, "");
    FAILS(w, cpl_take(w->module, &s, NULL, &in, 0), CPL_EARG, "1 to 30 arrays");
    FAILS(w, cpl_take(w->module, &s, NULL, many, 31), CPL_ELIMIT, "1 to 30 arrays");
    FAILS(w, cpl_take(w->module, &s, NULL, &one, 1), CPL_EARG, "array 0 is no array");
    FAILS(w, cpl_take(w->module, &s, NULL, &floats, 1), CPL_EARG,
          "result 0 has elements of int32, and the values are float64");
    s.indices = &floats;
    FAILS(w, cpl_take(w->module, &s, NULL, &in, 1), CPL_EARG,
          "the indices are no array of int32 or int64");
    s.indices = &at;
    out.length = 7;
    FAILS(w, cpl_take(w->module, &s, NULL, &in, 1), CPL_EARG,
          "result 0 has 7 elements and takes 8");
    OK(w, cpl_scatter(w->module, &s, NULL, &in, 1));
    out.length = 8;
    at.length = 7;
    cpl_launch_options o = rounds_on(NULL, 8, NULL);
    FAILS(w, cpl_take(w->module, &s, &o, &in, 1), CPL_EARG, "there are 7 indices, and 8");
    at.length = 8;
    in.length = 7;
    OK(w, cpl_take(w->module, &s, NULL, &in, 1));
    FAILS(w, cpl_scatter(w->module, &s, NULL, &in, 1), CPL_EARG,
          "array 0 has 7 elements and gives 8");
    in.length = 0;
    FAILS(w, cpl_take(w->module, &s, NULL, &in, 1), CPL_EARG, "none for 8 indices");
    at.length = 0;
    OK(w, cpl_take(w->module, &s, NULL, &in, 1));
    at.length = 8;
    s.mode = (cpl_index_mode)3;
    FAILS(w, cpl_take(w->module, &s, NULL, &in, 1), CPL_EARG, "no such mode of indices: 3");
    s.mode = CPL_INDEX_RAISE;
    int32_t z[8];
    cpl_arg outs[] = {out, cpl_arg_array(CPL_INT32, z, 8)};
    s.out = outs;
    pair[1].length = 5;
    FAILS(w, cpl_take(w->module, &s, NULL, pair, 2), CPL_EARG,
          "array 0 has 8 elements, and array 1 has 5");
    pair[1].length = 8;
    OK(w, cpl_take(w->module, &s, NULL, pair, 2));
    outs[1].length = 5;
    FAILS(w, cpl_scatter(w->module, &s, NULL, pair, 2), CPL_EARG,
          "result 0 has 8 elements, and result 1 has 5");
    cpl_arg constant = cpl_arg_const_array(CPL_INT32, y, 8);
    s.out = &constant;
    FAILS(w, cpl_take(w->module, &s, NULL, pair, 1), CPL_EARG, "read-only");
}

static void overlaps(void **state)
{
    world *w = *state;
    int32_t x[64] = {3, 1, 2};
    int64_t number[4];
    cpl_arg in = cpl_arg_array(CPL_INT32, x, 8), at = cpl_arg_array(CPL_INT32, x + 8, 8),
            out = cpl_arg_array(CPL_INT32, x + 7, 8);
    cpl_gather_spec s = spec_of(&at, &out);
    for (int k = 0; k < 16; k++) {
        out.data = x + k;
        FAILS(w, cpl_take(w->module, &s, NULL, &in, 1), CPL_EOVERLAP, "shares memory");
        FAILS(w, cpl_scatter(w->module, &s, NULL, &in, 1), CPL_EOVERLAP, "shares memory");
    }
    out.data = x + 16;
    OK(w, cpl_take(w->module, &s, NULL, &in, 1));
    cpl_choice c;
    cpl_choice_init(&c);
    c.condition = cpl_bind_expression("lambda i, x, y: x[i] + y[i] > 0");
    c.out = &out;
    c.out_count = 1;
    cpl_arg args[] = {in, at}, told = cpl_arg_array(CPL_INT64, number, 1),
            order = cpl_arg_array(CPL_INT32, x + 20, 8);
    for (int way = 0; way < 2; way++) {
        out.data = x + 7;
        FAILS(w, both[way](w->module, &c, NULL, args, 2), CPL_EOVERLAP, "shares memory");
        out.data = x + 16;
        c.order = &order;
        FAILS(w, both[way](w->module, &c, NULL, args, 2), CPL_EOVERLAP, "shares memory");
        c.order = NULL;
        c.number = &told;
        told.data = x + 14;
        FAILS(w, both[way](w->module, &c, NULL, args, 2), CPL_EOVERLAP, "shares memory");
        told.data = number;
        OK(w, both[way](w->module, &c, NULL, args, 2));
        c.number = NULL;
        assert_int_equal(number[0], 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(takes_of_every_type, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(modes, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(modes_of_one_index, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(checked, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(without_position, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(several_arrays, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(thirty_arrays, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(scatters, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(scatters_to_one_place, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(on_devices, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(kernels_are_handed_out, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(refused_gathers, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(overlaps, set_up_kernels, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

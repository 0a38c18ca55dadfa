/*
 * Histograms, compared with plain loops: counts and other operators, ones that do not commute,
 * structs, numbers of bins from none to more than there are elements, on the host and on whatever
 * devices there are.
 */
#include "device_world.h"
#include "launches.h"
#include "libomp_leaks.h"

#include <cpl/algorithm.h>

#include <math.h>

static const char kernels[] = "from cpl import struct\n"
                              "@struct\n"
                              "class Best:\n"
                              "    value: 'double'\n"
                              "    index: 'long'\n"
                              "def better(a, b):\n"
                              "    return a if a.value <= b.value else b\n"
                              "def numbered(i, k, x):\n"
                              "    r = declare('Best')\n"
                              "    r.value = x[i]\n"
                              "    r.index = i\n"
                              "    return r\n"
                              "def nobody():\n"
                              "    r = declare('Best')\n"
                              "    r.value = INFINITY\n"
                              "    r.index = -1\n"
                              "    return r\n"
                              "def triangle(i, k):\n"
                              "    s = 0\n"
                              "    for t in range(k[i] % 8):\n"
                              "        s += t\n"
                              "    return s\n";

typedef struct best {
    double value;
    int64_t index;
} best;

/* Around the borders of pieces: of 4032, of 4 for each bin, of a few more where they are many. */
static const int64_t lengths[] = {0, 1, 2, 63, 4031, 4032, 4033, 8064, 8065, 39999, 200003};
static const int64_t some_bins[] = {1, 2, 255, 1008, 1009, 2000, 300000};
enum { MOST = 200003, MOST_BINS = 300000 };
#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static int set_up_kernels(void **state)
{
    return set_up_source(state, "histogram.py", kernels);
}

static int64_t value_at(int64_t i)
{
    return (i * 2654435761 >> 7) % 1000003;
}

static cpl_histogram_spec histogram_of(const char *bin)
{
    cpl_histogram_spec s;
    cpl_histogram_spec_init(&s);
    if (bin) s.bin = cpl_bind_expression(bin);
    return s;
}

/* Bins from -1 to `bins`: some elements are left out on either side. */
static int32_t bin_at(int64_t i, int64_t bins)
{
    return (int32_t)(value_at(i) % (bins + 2) - 1);
}

static bool is_inside(int32_t bin, int64_t bins)
{
    return bin >= 0 && bin < bins;
}

static void counts(void **state)
{
    world *w = *state;
    int32_t *k = malloc(MOST * sizeof *k);
    int64_t *got = malloc(MOST_BINS * sizeof *got), *expected = malloc(MOST_BINS * sizeof *got);
    for (size_t l = 0; l < COUNT_OF(lengths); l++)
        for (size_t b = 0; b < COUNT_OF(some_bins); b++) {
            int64_t n = lengths[l], bins = some_bins[b];
            memset(expected, 0, (size_t)bins * sizeof *expected);
            memset(got, 0xAB, (size_t)bins * sizeof *got);
            for (int64_t i = 0; i < n; i++) {
                k[i] = bin_at(i, bins);
                if (is_inside(k[i], bins)) expected[k[i]]++;
            }
            cpl_histogram_spec s = histogram_of(NULL);
            cpl_arg in = cpl_arg_array(CPL_INT32, k, n), out = cpl_arg_array(CPL_INT64, got, bins);
            OK(w, cpl_histogram(w->module, &s, NULL, &out, &in, 1));
            assert_memory_equal(got, expected, (size_t)bins * sizeof *got);
        }
    free(k);
    free(got);
    free(expected);
}

/* The last element of each bin. */
static void order_is_kept(void **state)
{
    world *w = *state;
    int32_t *k = malloc(MOST * sizeof *k);
    int64_t *got = malloc(MOST_BINS * sizeof *got), *expected = malloc(MOST_BINS * sizeof *got);
    for (size_t l = 0; l < COUNT_OF(lengths); l++)
        for (size_t b = 0; b < COUNT_OF(some_bins) - 1; b++) {
            int64_t n = lengths[l], bins = some_bins[b];
            memset(expected, 0xFF, (size_t)bins * sizeof *expected);
            for (int64_t i = 0; i < n; i++) {
                k[i] = bin_at(i, bins);
                if (is_inside(k[i], bins)) expected[k[i]] = i;
            }
            cpl_histogram_spec s = histogram_of(NULL);
            s.op = cpl_bind_expression("b if b >= 0 else a");
            s.map = cpl_bind_expression("lambda i, k: i");
            s.neutral = cpl_bind_expression("-1");
            cpl_arg in = cpl_arg_array(CPL_INT32, k, n), out = cpl_arg_array(CPL_INT64, got, bins);
            OK(w, cpl_histogram(w->module, &s, NULL, &out, &in, 1));
            assert_memory_equal(got, expected, (size_t)bins * sizeof *got);
        }
    free(k);
    free(got);
    free(expected);
}

/* The least of each bin, and where it stands. */
static void structs(void **state)
{
    world *w = *state;
    enum { BINS = 37 };
    int64_t n = 50000;
    uint8_t *k = malloc((size_t)n);
    double *x = malloc((size_t)n * sizeof *x);
    best got[BINS], expected[BINS];
    for (int b = 0; b < BINS; b++) expected[b] = (best){INFINITY, -1};
    for (int64_t i = 0; i < n; i++) {
        k[i] = (uint8_t)(value_at(i) % 41);
        x[i] = (double)(value_at(i * 3) % 500);
        if (k[i] != 5 && k[i] < BINS && x[i] < expected[k[i]].value)
            expected[k[i]] = (best){x[i], i};
        if (k[i] == 5) k[i] = 200;
    }
    cpl_histogram_spec s = histogram_of("lambda i, k, x: k[i]");
    s.op = cpl_bind_function("better");
    s.map = cpl_bind_function("numbered");
    s.neutral = cpl_bind_function("nobody");
    cpl_arg in[] = {cpl_arg_array(CPL_UINT8, k, n), cpl_arg_array(CPL_FLOAT64, x, n)};
    cpl_arg out = cpl_arg_array(CPL_VOID, got, BINS);
    OK(w, cpl_type_parse(w->cx, "Best", &out.record));
    OK(w, cpl_histogram(w->module, &s, NULL, &out, in, 2));
    for (int b = 0; b < BINS; b++)
        if (got[b].value != expected[b].value || got[b].index != expected[b].index)
            fail_msg("bin %d: %g at %lld", b, got[b].value, (long long)got[b].index);
    assert_int_equal(got[5].index, -1);
    free(k);
    free(x);
}

/* --- types --- */

/* Bins of any integers; those past the range of int64 are left out. */
static void types_of_bins(void **state)
{
    world *w = *state;
    static const uint64_t wide[] = {0, 1, UINT64_MAX, 1, (uint64_t)1 << 63, 2, 1};
    static const int64_t expected[] = {1, 3, 1};
    for (cpl_dtype d = CPL_BOOL; d <= CPL_UINT64; d++) {
        uint64_t k[7];
        int64_t got[3], past = 0;
        bool is_wide = cpl_dtype_size(d) == 8, is_bool = d == CPL_BOOL;
        for (int i = 0; i < 7; i++) {
            uint64_t bin = wide[i];
            if (!is_wide && bin > 2) bin = 100;
            if (is_bool) bin = bin != 0;
            past += !is_bool && bin > 2;
            memcpy((char *)k + i * (int)cpl_dtype_size(d), &bin, cpl_dtype_size(d));
        }
        assert_int_equal(past, is_bool ? 0 : 2);
        cpl_histogram_spec s = histogram_of(NULL);
        cpl_arg in = cpl_arg_array(d, k, 7), out = cpl_arg_array(CPL_INT64, got, 3);
        OK(w, cpl_histogram(w->module, &s, NULL, &out, &in, 1));
        static const int64_t of_bool[] = {1, 6, 0};
        assert_memory_equal(got, is_bool ? of_bool : expected, sizeof got);
    }
}

/* A value as an element of a type. */
static void put(cpl_dtype d, void *to, int64_t i, int value)
{
    switch (d) {
    case CPL_FLOAT32: ((float *)to)[i] = (float)value; break;
    case CPL_FLOAT64: ((double *)to)[i] = value; break;
    default: memcpy((char *)to + i * (int64_t)cpl_dtype_size(d), &value, cpl_dtype_size(d)); break;
    }
}

/* Of any type, the greatest of each of two bins. */
static void types_of_values(void **state)
{
    world *w = *state;
    static const cpl_dtype types[] = {CPL_INT8,   CPL_INT16,  CPL_INT32,   CPL_UINT8,
                                      CPL_UINT16, CPL_UINT32, CPL_FLOAT32, CPL_FLOAT64};
    for (size_t t = 0; t < COUNT_OF(types); t++) {
        double x[5], got[2] = {0}, expected[2] = {0};
        for (int i = 0; i < 5; i++) put(types[t], x, i, 10 + 7 * i % 4);
        put(types[t], expected, 0, 12);
        put(types[t], expected, 1, 13);
        cpl_histogram_spec s = histogram_of("lambda i, x: i % 2");
        s.op = cpl_bind_expression("max(a, b)");
        s.map = cpl_bind_expression("lambda i, x: x[i]");
        cpl_arg in = cpl_arg_array(types[t], x, 5), out = cpl_arg_array(types[t], got, 2);
        OK(w, cpl_histogram(w->module, &s, NULL, &out, &in, 1));
        assert_memory_equal(got, expected, 2 * cpl_dtype_size(types[t]));
    }
}

/* Sums keep what they are given; minima leave NaN out, as min does. */
static void special_floats(void **state)
{
    world *w = *state;
    double x[] = {-0.0, 1, NAN, 2, INFINITY, -INFINITY}, got[3];
    cpl_histogram_spec s = histogram_of("lambda i, x: i // 2");
    s.map = cpl_bind_expression("lambda i, x: x[i]");
    cpl_arg in = cpl_arg_array(CPL_FLOAT64, x, 6), out = cpl_arg_array(CPL_FLOAT64, got, 3);
    OK(w, cpl_histogram(w->module, &s, NULL, &out, &in, 1));
    assert_true(got[0] == 1 && isnan(got[1]) && isnan(got[2]));
    s.op = cpl_bind_expression("min(a, b)");
    OK(w, cpl_histogram(w->module, &s, NULL, &out, &in, 1));
    assert_true(got[0] == 0 && signbit(got[0]) && got[1] == 2 && got[2] == -INFINITY);
}

/* --- arrays, threads --- */

static void strided_arrays(void **state)
{
    world *w = *state;
    enum { LENGTH = 9000, BINS = 3 };
    static int64_t k[3 * LENGTH];
    int32_t got[2 * BINS];
    for (int i = 0; i < 3 * LENGTH; i++) k[i] = i % 3 ? 0 : i / 3 % BINS;
    memset(got, 0xAB, sizeof got);
    cpl_histogram_spec s = histogram_of(NULL);
    cpl_arg in = cpl_arg_array(CPL_INT64, k, LENGTH), out = cpl_arg_array(CPL_INT32, got, BINS);
    in.stride = 3 * sizeof *k;
    out.stride = 2 * sizeof *got;
    OK(w, cpl_histogram(w->module, &s, NULL, &out, &in, 1));
    for (int b = 0; b < BINS; b++) assert_int_equal(got[2 * b], LENGTH / BINS);
    for (int b = 0; b < BINS; b++) assert_int_equal(got[2 * b + 1], (int32_t)0xABABABAB);
    out.stride = 0; /* another kernel joins the bins */
    OK(w, cpl_histogram(w->module, &s, NULL, &out, &in, 1));
    for (int b = 0; b < BINS; b++) assert_int_equal(got[b], LENGTH / BINS);
}

/* Without an array: n is given. Elements that take a loop each come in small pieces. */
static void loops(void **state)
{
    world *w = *state;
    static const int64_t some[] = {0, 1, 15, 16, 17, 255, 257, 4033, 16385};
    int64_t *k = malloc(16385 * sizeof *k), got[7];
    for (size_t l = 0; l < COUNT_OF(some); l++) {
        int64_t expected[7] = {0};
        for (int64_t i = 0; i < some[l]; i++) {
            k[i] = value_at(i) % 8;
            expected[i % 7] += k[i] * (k[i] - 1) / 2;
        }
        cpl_histogram_spec s = histogram_of("lambda i, k: i % 7");
        s.map = cpl_bind_function("triangle");
        cpl_arg in = cpl_arg_array(CPL_INT64, k, some[l]), out = cpl_arg_array(CPL_INT64, got, 7);
        OK(w, cpl_histogram(w->module, &s, NULL, &out, &in, 1));
        assert_memory_equal(got, expected, sizeof got);
    }
    cpl_histogram_spec s = histogram_of("lambda i: i % 7");
    cpl_arg out = cpl_arg_array(CPL_INT64, got, 7);
    cpl_launch_options o = rounds_on(NULL, 7000, NULL);
    OK(w, cpl_histogram(w->module, &s, &o, &out, NULL, 0));
    for (int b = 0; b < 7; b++) assert_int_equal(got[b], 1000);
    free(k);
}

static void same_bits(void **state)
{
    world *w = *state;
    enum { BINS = 500 };
    static const int64_t threads[] = {1, 2, 3, 8};
    int64_t n = 300001;
    float *x = malloc((size_t)n * 4), first[BINS], got[BINS];
    for (int64_t i = 0; i < n; i++) x[i] = 1.0F / (float)(value_at(i) + 1);
    for (size_t t = 0; t < COUNT_OF(threads); t++) {
        OK(w, cpl_context_set_option(w->cx, "num_threads", threads[t]));
        cpl_histogram_spec s = histogram_of("lambda i, x: i*i % 500");
        s.map = cpl_bind_expression("lambda i, x: x[i]");
        cpl_arg in = cpl_arg_array(CPL_FLOAT32, x, n), out = cpl_arg_array(CPL_FLOAT32, got, BINS);
        OK(w, cpl_histogram(w->module, &s, NULL, &out, &in, 1));
        if (t == 0) memcpy(first, got, sizeof got);
        assert_memory_equal(got, first, sizeof got);
    }
    free(x);
}

/* By pieces and by tiles. Some numbers of bins are far from all that there are. */
static void on_devices(void **state)
{
    world *w = *state;
    enum { BINS = 300 };
    int64_t n = 100000, expected[BINS] = {0}, got[BINS];
    int32_t *k = malloc((size_t)n * 4);
    for (int64_t i = 0; i < n; i++) {
        k[i] = bin_at(i, BINS);
        if (i % 1000 == 7) k[i] = i % 2000 == 7 ? INT32_MIN + (int32_t)i : INT32_MAX - (int32_t)i;
        if (is_inside(k[i], BINS)) expected[k[i]]++;
    }
    for (int tiles = 0; tiles <= 2; tiles += 2) EACH_DEVICE(w, device)
        {
            OK(w, cpl_context_set_option(w->cx, "tiles", tiles));
            cpl_array *in, *to;
            cpl_queue *q = cpl_device_queue(device);
            OK(w, cpl_array_create(w->cx, device, CPL_INT32, n, &in));
            OK(w, cpl_array_create(w->cx, device, CPL_INT64, BINS, &to));
            OK(w, cpl_array_write(in, q, k, NULL));
            cpl_histogram_spec s = histogram_of(NULL);
            cpl_arg arg = cpl_arg_of_array(in), out = cpl_arg_of_array(to);
            OK(w, cpl_histogram(w->module, &s, NULL, &out, &arg, 1));
            OK(w, cpl_array_read(to, q, got, NULL));
            assert_memory_equal(got, expected, sizeof got);
            cpl_array_release(in);
            cpl_array_release(to);
        }
    free(k);
}

/* --- what is refused --- */

static void refused(void **state)
{
    world *w = *state;
    int64_t k[4] = {0, 1, 0, 1}, got[2];
    double x[4] = {0};
    cpl_histogram_spec s = histogram_of(NULL);
    cpl_arg in = cpl_arg_array(CPL_INT64, k, 4), out = cpl_arg_array(CPL_INT64, got, 2),
            floats = cpl_arg_array(CPL_FLOAT64, x, 4), one = cpl_arg_int(1);
    FAILS(w, cpl_histogram(w->module, &s, NULL, &out, &floats, 1), CPL_EARG,
          "bins are integers, not float64");
    FAILS(w, cpl_histogram(w->module, &s, NULL, &one, &in, 1), CPL_EARG,
          "the array of the bins is no array");
    FAILS(w, cpl_histogram(w->module, &s, NULL, &out, NULL, 0), CPL_EARG, "no array");
    FAILS(w, cpl_histogram(w->module, &s, NULL, NULL, &in, 1), CPL_EARG, "");
    s.bin = cpl_bind_integer(3);
    FAILS(w, cpl_histogram(w->module, &s, NULL, &out, &in, 1), CPL_EARG,
          "the bins are no expression");
    s = histogram_of("lambda i, k: better(k[i], k[i])");
    FAILS(w, cpl_histogram(w->module, &s, NULL, &out, &in, 1), CPL_ETYPE, "value");
    s = histogram_of(NULL);
    s.op = cpl_bind_expression("a + 2*b");
    FAILS(w, cpl_histogram(w->module, &s, NULL, &out, &in, 1), CPL_EARG, "no neutral element");
    s = histogram_of(NULL);
    out = cpl_arg_array(CPL_INT64, k + 2, 2);
    FAILS(w, cpl_histogram(w->module, &s, NULL, &out, &in, 1), CPL_EOVERLAP, "results");
    out = cpl_arg_const_array(CPL_INT64, got, 2);
    FAILS(w, cpl_histogram(w->module, &s, NULL, &out, &in, 1), CPL_EARG, "read-only");
}

/* Nothing to write, whatever the elements. */
static void no_bins(void **state)
{
    world *w = *state;
    int64_t k[4] = {0, 1, 0, 1};
    cpl_histogram_spec s = histogram_of(NULL);
    cpl_arg in = cpl_arg_array(CPL_INT64, k, 4), out = cpl_arg_array(CPL_INT64, NULL, 0);
    OK(w, cpl_histogram(w->module, &s, NULL, &out, &in, 1));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(counts),          TEST(order_is_kept),  TEST(structs),        TEST(types_of_bins),
        TEST(types_of_values), TEST(special_floats), TEST(strided_arrays), TEST(loops),
        TEST(same_bits),       TEST(on_devices),     TEST(refused),        TEST(no_bins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

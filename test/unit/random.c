/*
 * Random numbers of arrays: each element is what a kernel draws with the functions of cpl.random,
 * in any type, length and part, strided, on any number of threads and on whatever devices there
 * are; permutations; and what is refused.
 */
#include "device_world.h"
#include "launches.h"
#include "libomp_leaks.h"

#include <cpl/algorithm.h>
#include <cpl/random.h>

#include <math.h>

/* The call's arguments, whatever a function needs of them. */
#define DRAWN(name, type, e)                                                                       \
    "def " name "(i, x: '" type "[]', seed: 'uint64', first: 'uint64', draw: 'uint32'):\n"         \
    "    k = declare('uint64')\n    k = first + i\n    x[i] = " e "\n"
static const char kernels[] = "from cpl.random import *\n" /**/
    DRAWN("uniform_8", "float64", "uniform(seed, k, draw)") DRAWN(
        "uniform_4", "float32",
        "uniform32(seed, k, draw)") DRAWN("scaled_8", "float64",
                                          "fma(uniform(seed, k, draw), 3.5, -1.25)")
        DRAWN("scaled_4", "float32", "fma(uniform32(seed, k, draw), 3.5, -1.25)") DRAWN(
            "normal_8", "float64", "fma(normal(seed, k, draw), 3.0, -1.25)")
            DRAWN("normal_4", "float32", "fma(normal32(seed, k, draw), 3.0, -1.25)") DRAWN(
                "normal_2", "float16",
                "fma(normal32(seed, k, draw), 3.0, -1.25)") DRAWN("exponential_8", "float64",
                                                                  "3.0*exponential(seed, k, draw)")
                DRAWN("exponential_4", "float32", "3.0*exponential32(seed, k, draw)") DRAWN(
                    "integers_8", "int64",
                    "integers(seed, k, -12, 115, draw)") DRAWN("integers_1", "int8",
                                                               "integers(seed, k, -12, 115, draw)")
                    DRAWN("bits_8", "int64", "bits64(seed, k, draw)") DRAWN(
                        "bits_4", "uint32", "bits32(seed, k, draw)") DRAWN("bits_2", "int16",
                                                                           "bits32(seed, k, draw)")
                        DRAWN("bits_1", "uint8", "bits32(seed, k, draw)") DRAWN(
                            "shuffled", "int64",
                            "permutation(seed, k, 100003, draw)") "def block(i, x: 'uint32[]', "
                                                                  "seed: 'uint64', low: 'uint64', "
                                                                  "high: 'uint64'):\n"
                                                                  "    w = declare('matrix(4, "
                                                                  "\"uint32\")')\n"
                                                                  "    philox(w, seed, low, high)\n"
                                                                  "    for k in range(4):\n"
                                                                  "        x[k] = w[k]\n"
                                                                  "def inside(i, seed):\n"
                                                                  "    x = uniform(seed, i)\n"
                                                                  "    y = uniform(seed, i, 1)\n"
                                                                  "    return 1 if x*x + y*y < 1.0 "
                                                                  "else 0\n";

enum { MOST = 40003 };
#define COUNT_OF(a) (sizeof(a) / sizeof *(a))
static const int64_t lengths[] = {0, 1, 2, 3, 4, 5, 7, 8, 63, 1000, MOST};
static const uint64_t offsets[] = {0, 1, 2, 3, 5, ((uint64_t)1 << 33) - 3, UINT64_MAX - MOST + 1};

static int set_up_kernels(void **state)
{
    return set_up_source(state, "random.py", kernels);
}

typedef struct row {
    const char *kernel;
    cpl_dtype dtype;
    cpl_random_kind kind;
    double low, high, mean, scale;
    int64_t from, to;
} row;

static const row rows[] = {
    {"uniform_8", CPL_FLOAT64, CPL_RANDOM_UNIFORM, 0, 1, 0, 0, 0, 0},
    {"uniform_4", CPL_FLOAT32, CPL_RANDOM_UNIFORM, 0, 1, 0, 0, 0, 0},
    {"scaled_8", CPL_FLOAT64, CPL_RANDOM_UNIFORM, -1.25, 2.25, 0, 0, 0, 0},
    {"scaled_4", CPL_FLOAT32, CPL_RANDOM_UNIFORM, -1.25, 2.25, 0, 0, 0, 0},
    {"normal_8", CPL_FLOAT64, CPL_RANDOM_NORMAL, 0, 0, -1.25, 3, 0, 0},
    {"normal_4", CPL_FLOAT32, CPL_RANDOM_NORMAL, 0, 0, -1.25, 3, 0, 0},
    {"normal_2", CPL_FLOAT16, CPL_RANDOM_NORMAL, 0, 0, -1.25, 3, 0, 0},
    {"exponential_8", CPL_FLOAT64, CPL_RANDOM_EXPONENTIAL, 0, 0, 0, 3, 0, 0},
    {"exponential_4", CPL_FLOAT32, CPL_RANDOM_EXPONENTIAL, 0, 0, 0, 3, 0, 0},
    {"integers_8", CPL_INT64, CPL_RANDOM_INTEGERS, 0, 0, 0, 0, -12, 115},
    {"integers_1", CPL_INT8, CPL_RANDOM_INTEGERS, 0, 0, 0, 0, -12, 115},
    {"bits_8", CPL_INT64, CPL_RANDOM_BITS, 0, 0, 0, 0, 0, 0},
    {"bits_4", CPL_UINT32, CPL_RANDOM_BITS, 0, 0, 0, 0, 0, 0},
    {"bits_2", CPL_INT16, CPL_RANDOM_BITS, 0, 0, 0, 0, 0, 0},
    {"bits_1", CPL_UINT8, CPL_RANDOM_BITS, 0, 0, 0, 0, 0, 0},
};

static cpl_random_spec spec_of(const row *r)
{
    cpl_random_spec s;
    cpl_random_spec_init(&s);
    s.kind = r->kind;
    s.seed = 0x123456789ABCDEF;
    s.draw = 7;
    s.low = r->low, s.high = r->high, s.mean = r->mean, s.scale = r->scale;
    s.from = r->from, s.to = r->to;
    return s;
}

static cpl_random_spec spec_of_kind(cpl_random_kind kind, uint64_t seed)
{
    cpl_random_spec s;
    cpl_random_spec_init(&s);
    s.kind = kind;
    s.seed = seed;
    return s;
}

/* What the kernel draws. */
static void draw(world *w, const char *kernel, const cpl_random_spec *s, cpl_arg out)
{
    cpl_arg args[] = {out, cpl_arg_int(0), cpl_arg_int(0), cpl_arg_int(s->draw)};
    args[1].value.u = s->seed;
    args[2].value.u = s->offset;
    args[1].is_unsigned = args[2].is_unsigned = true;
    OK(w, launch_rounds(w->module, kernel, NULL, args, 4, out.length, NULL));
}

/* --- known answers --- */

/* D. E. Shaw Research, Random123, tests/kat_vectors. */
static const struct {
    uint64_t low, high, seed;
    uint32_t block[4];
} vectors[] = {
    {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {UINT64_MAX, UINT64_MAX, UINT64_MAX, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {0x85a308d3243f6a88,
     0x0370734413198a2e,
     0x299f31d0a4093822,
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

static void known_answers(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, device)
    {
        for (size_t k = 0; k < COUNT_OF(vectors); k++) {
            uint32_t got[4];
            cpl_array *to;
            OK(w, cpl_array_create(w->cx, device, CPL_UINT32, 4, &to));
            cpl_arg args[] = {cpl_arg_of_array(to), cpl_arg_int(0), cpl_arg_int(0), cpl_arg_int(0)};
            args[1].value.u = vectors[k].seed;
            args[2].value.u = vectors[k].low;
            args[3].value.u = vectors[k].high;
            for (int i = 1; i < 4; i++) args[i].is_unsigned = true;
            OK(w, launch_rounds(w->module, "block", NULL, args, 4, 1, NULL));
            OK(w, cpl_array_read(to, NULL, got, NULL));
            assert_memory_equal(got, vectors[k].block, sizeof got);
            cpl_array_release(to);
        }
    }
    uint32_t first[4];
    cpl_random_spec s = spec_of_kind(CPL_RANDOM_BITS, 0);
    cpl_arg out = cpl_arg_array(CPL_UINT32, first, 4);
    OK(w, cpl_random_fill(w->module, &s, NULL, &out));
    assert_memory_equal(first, vectors[0].block, sizeof first);
}

/* --- fills --- */

static void as_kernels_draw(void **state)
{
    world *w = *state;
    double *got = malloc(MOST * 8), *wanted = malloc(MOST * 8);
    for (size_t r = 0; r < COUNT_OF(rows); r++)
        for (size_t o = 0; o < COUNT_OF(offsets); o++)
            for (size_t l = 0; l < COUNT_OF(lengths); l++) {
                cpl_random_spec s = spec_of(&rows[r]);
                s.offset = offsets[o];
                size_t bytes = cpl_dtype_size(rows[r].dtype) * (size_t)lengths[l];
                memset(got, 0xAB, MOST * 8);
                memset(wanted, 0xAB, MOST * 8);
                draw(w, rows[r].kernel, &s, cpl_arg_array(rows[r].dtype, wanted, lengths[l]));
                cpl_arg out = cpl_arg_array(rows[r].dtype, got, lengths[l]);
                OK(w, cpl_random_fill(w->module, &s, NULL, &out));
                if (memcmp(got, wanted, bytes < MOST * 8 ? bytes + 1 : bytes) != 0)
                    fail_msg("%s: %lld from %llu on", rows[r].kernel, (long long)lengths[l],
                             (unsigned long long)offsets[o]);
            }
    free(got);
    free(wanted);
}

/* In pieces of any length: as in one. */
static void continued(void **state)
{
    world *w = *state;
    static const int64_t pieces[] = {1, 2, 3, 1000, 5, 4000, 7};
    double *got = malloc(MOST * 8), *wanted = malloc(MOST * 8);
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        size_t size = cpl_dtype_size(rows[r].dtype);
        cpl_random_spec s = spec_of(&rows[r]);
        cpl_arg all = cpl_arg_array(rows[r].dtype, wanted, 5018);
        OK(w, cpl_random_fill(w->module, &s, NULL, &all));
        for (size_t p = 0; p < COUNT_OF(pieces); p++) {
            cpl_arg out = cpl_arg_array(rows[r].dtype, (char *)got + s.offset * size, pieces[p]);
            OK(w, cpl_random_fill(w->module, &s, NULL, &out));
            s.offset += (uint64_t)pieces[p];
        }
        assert_int_equal(s.offset, 5018);
        assert_memory_equal(got, wanted, 5018 * size);
    }
    free(got);
    free(wanted);
}

static void strided_and_in_part(void **state)
{
    world *w = *state;
    enum { LENGTH = 5001 };
    static double wanted[LENGTH], got[3 * LENGTH];
    cpl_random_spec s = spec_of_kind(CPL_RANDOM_UNIFORM, 5);
    cpl_arg all = cpl_arg_array(CPL_FLOAT64, wanted, LENGTH);
    OK(w, cpl_random_fill(w->module, &s, NULL, &all));
    cpl_launch_options o = rounds_on(NULL, LENGTH - 2, NULL);
    cpl_arg out = cpl_arg_array(CPL_FLOAT64, got, LENGTH);
    out.stride = 3 * sizeof *got;
    OK(w, cpl_random_fill(w->module, &s, &o, &out));
    for (int i = 0; i < 3 * LENGTH; i++)
        assert_true(got[i] == (i % 3 || i / 3 >= LENGTH - 2 ? 0 : wanted[i / 3]));
    int64_t shape[] = {3, LENGTH / 3};
    memset(got, 0, sizeof got);
    out = cpl_arg_array_nd(CPL_FLOAT64, got, 2, shape, NULL);
    OK(w, cpl_random_fill(w->module, &s, NULL, &out));
    assert_memory_equal(got, wanted, sizeof wanted);
}

static void same_bits(void **state)
{
    world *w = *state;
    static const int64_t threads[] = {1, 2, 3, 8};
    static double first[MOST], got[MOST];
    for (size_t r = 0; r < COUNT_OF(rows); r++)
        for (size_t t = 0; t < COUNT_OF(threads); t++) {
            optimise_some(w, rows[r].dtype);
            OK(w, cpl_context_set_option(w->cx, "num_threads", threads[t]));
            cpl_random_spec s = spec_of(&rows[r]);
            s.offset = 3;
            cpl_arg out = cpl_arg_array(rows[r].dtype, t ? got : first, MOST);
            OK(w, cpl_random_fill(w->module, &s, NULL, &out));
            if (t) assert_memory_equal(got, first, MOST * cpl_dtype_size(rows[r].dtype));
        }
}

static bool has_floats_of(const cpl_device *d, cpl_dtype dtype)
{
    cpl_device_info info = info_of(d);
    return (dtype != CPL_FLOAT64 || info.fp64) && (dtype != CPL_FLOAT16 || info.fp16);
}

static void on_devices(void **state)
{
    world *w = *state;
    static double wanted[MOST], got[MOST];
    EACH_DEVICE(w, device)
    {
        cpl_queue *q = cpl_device_queue(device);
        for (size_t r = 0; r < COUNT_OF(rows); r++) {
            cpl_random_spec s = spec_of(&rows[r]);
            s.offset = 1;
            if (!has_floats_of(device, rows[r].dtype)) continue;
            cpl_arg here = cpl_arg_array(rows[r].dtype, wanted, MOST);
            OK(w, cpl_random_fill(w->module, &s, NULL, &here));
            cpl_array *to;
            OK(w, cpl_array_create(w->cx, device, rows[r].dtype, MOST, &to));
            cpl_arg out = cpl_arg_of_array(to);
            OK(w, cpl_random_fill(w->module, &s, NULL, &out));
            OK(w, cpl_array_read(to, q, got, NULL));
            assert_memory_equal(got, wanted, MOST * cpl_dtype_size(rows[r].dtype));
            cpl_array_release(to);
        }
    }
}

static void interpreted(void **state)
{
    world *w = *state;
    enum { LENGTH = 101 };
    double wanted[LENGTH], got[LENGTH];
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        cpl_random_spec s = spec_of(&rows[r]);
        cpl_launch_options o;
        cpl_launch_options_init(&o);
        o.interpret = true;
        s.offset = 3;
        cpl_arg here = cpl_arg_array(rows[r].dtype, wanted, LENGTH),
                there = cpl_arg_array(rows[r].dtype, got, LENGTH);
        OK(w, cpl_random_fill(w->module, &s, NULL, &here));
        OK(w, cpl_random_fill(w->module, &s, &o, &there));
        assert_memory_equal(got, wanted, LENGTH * cpl_dtype_size(rows[r].dtype));
    }
}

/* --- ranges --- */

static int64_t integer_at(cpl_dtype d, const void *x, int64_t i)
{
    switch (d) {
    case CPL_INT8: return ((const int8_t *)x)[i];
    case CPL_INT16: return ((const int16_t *)x)[i];
    case CPL_INT32: return ((const int32_t *)x)[i];
    case CPL_INT64: return ((const int64_t *)x)[i];
    case CPL_UINT16: return ((const uint16_t *)x)[i];
    case CPL_UINT32: return ((const uint32_t *)x)[i];
    case CPL_UINT64: return (int64_t)((const uint64_t *)x)[i];
    default: return ((const uint8_t *)x)[i];
    }
}

/* A fraction of 64 bits times the count. */
static void integers_of_bits(void **state)
{
    __extension__ typedef unsigned __int128 wide;
    world *w = *state;
    static uint64_t bits[MOST];
    static int64_t got[MOST];
    static const int64_t counts[] = {1, 7, 1000003, UINT32_MAX};
    for (size_t k = 0; k < COUNT_OF(counts); k++) {
        cpl_random_spec s = spec_of_kind(CPL_RANDOM_BITS, 31);
        cpl_arg fractions = cpl_arg_array(CPL_UINT64, bits, MOST),
                out = cpl_arg_array(CPL_INT64, got, MOST);
        OK(w, cpl_random_fill(w->module, &s, NULL, &fractions));
        s.kind = CPL_RANDOM_INTEGERS;
        s.from = -3, s.to = counts[k] - 3;
        OK(w, cpl_random_fill(w->module, &s, NULL, &out));
        for (int i = 0; i < MOST; i++)
            assert_int_equal(got[i], (int64_t)((wide)bits[i] * (wide)counts[k] >> 64) - 3);
    }
}

/* From end to end, in small ranges and in those of whole types. */
static void ranges_of_integers(void **state)
{
    world *w = *state;
    static const struct {
        cpl_dtype dtype;
        int64_t from, to;
    } ranges[] = {
        {CPL_BOOL, 0, 2},
        {CPL_BOOL, 1, 2},
        {CPL_INT8, -128, 128},
        {CPL_UINT8, 0, 256},
        {CPL_INT16, -32768, 32768},
        {CPL_UINT16, 65530, 65536},
        {CPL_INT32, INT32_MIN, (int64_t)INT32_MAX + 1},
        {CPL_UINT32, 0, (int64_t)UINT32_MAX + 1},
        {CPL_INT32, -3, -2},
        {CPL_INT64, INT64_MIN, INT64_MAX},
        {CPL_INT64, INT64_MIN, INT64_MIN + 3},
        {CPL_UINT64, 0, INT64_MAX},
        {CPL_UINT64, INT64_MAX - 2, INT64_MAX},
        {CPL_INT64, INT64_MAX - 1, INT64_MIN}, /* from here on `to` is one past the greatest */
        {CPL_INT64, INT64_MIN + 1, INT64_MIN},
        {CPL_UINT64, 3, INT64_MIN},
        {CPL_UINT64, 1, 0},
        {CPL_UINT64, INT64_MIN, -5},
        {CPL_UINT64, -3, 0},
    };
    enum { LENGTH = 20001 };
    static int64_t x[LENGTH];
    for (size_t r = 0; r < COUNT_OF(ranges); r++) {
        cpl_random_spec s = spec_of_kind(CPL_RANDOM_INTEGERS, r);
        s.from = ranges[r].from, s.to = ranges[r].to;
        cpl_arg out = cpl_arg_array(ranges[r].dtype, x, LENGTH);
        OK(w, cpl_random_fill(w->module, &s, NULL, &out));
        uint64_t width = (uint64_t)s.to - (uint64_t)s.from, least = UINT64_MAX, most = 0;
        for (int64_t i = 0; i < LENGTH; i++) {
            uint64_t v = (uint64_t)integer_at(ranges[r].dtype, x, i) - (uint64_t)s.from;
            least = v < least ? v : least;
            most = v > most ? v : most;
        }
        double near = width > 300 ? (double)width / 1000 : 0.5;
        assert_true((double)least < near);
        assert_true(most < width && (double)(width - 1 - most) < near);
    }
}

/* Never high, and half of what is below it. */
static void halves(void **state)
{
    world *w = *state;
    static uint16_t x[MOST];
    cpl_random_spec s = spec_of_kind(CPL_RANDOM_UNIFORM, 1);
    cpl_arg out = cpl_arg_array(CPL_FLOAT16, x, MOST);
    OK(w, cpl_random_fill(w->module, &s, NULL, &out));
    int64_t upper = 0;
    for (int i = 0; i < MOST; i++) {
        assert_true(x[i] < 0x3C00); /* 1 */
        upper += x[i] >= 0x3800;    /* 0.5 */
    }
    assert_true(labs(upper - MOST / 2) < 400);
}

/* --- permutations --- */

static void permutations(void **state)
{
    world *w = *state;
    static const int64_t sizes[] = {0, 1, 2, 3, 255, 256, 257, 4096, MOST};
    static int32_t x[MOST];
    char *seen = malloc(MOST);
    for (size_t k = 0; k < COUNT_OF(sizes); k++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            cpl_random_spec s = spec_of_kind(CPL_RANDOM_UNIFORM, seed);
            cpl_arg out = cpl_arg_array(CPL_INT32, x, sizes[k]);
            memset(seen, 0, MOST);
            x[sizes[k] % MOST] = -5;
            OK(w, cpl_random_permutation(w->module, &s, NULL, &out));
            for (int64_t i = 0; i < sizes[k]; i++) {
                assert_true(x[i] >= 0 && x[i] < sizes[k] && !seen[x[i]]);
                seen[x[i]] = 1;
            }
            if (sizes[k] < MOST) assert_int_equal(x[sizes[k]], -5);
        }
    free(seen);
}

/* Part of one from an offset on, among numbers that do not begin at 0, in all types. */
static void parts_of_permutations(void **state)
{
    world *w = *state;
    enum { LENGTH = 1000, COUNT = 100003 };
    static int64_t wanted[COUNT], x[2 * LENGTH];
    cpl_random_spec s = spec_of_kind(CPL_RANDOM_UNIFORM, 9);
    s.draw = 3;
    draw(w, "shuffled", &s, cpl_arg_array(CPL_INT64, wanted, COUNT));
    s.from = -5, s.to = COUNT - 5, s.offset = 77;
    static const cpl_dtype types[] = {CPL_INT32, CPL_INT64};
    for (size_t t = 0; t < COUNT_OF(types); t++) {
        cpl_arg out = cpl_arg_array(types[t], x, LENGTH);
        OK(w, cpl_random_permutation(w->module, &s, NULL, &out));
        for (int64_t i = 0; i < LENGTH; i++)
            assert_int_equal(integer_at(types[t], x, i), wanted[77 + i] - 5);
    }
    memset(x, 0, sizeof x);
    s.from = 0, s.to = COUNT, s.offset = COUNT - LENGTH;
    cpl_arg out = cpl_arg_array(CPL_UINT64, x, LENGTH);
    out.stride = 16;
    OK(w, cpl_random_permutation(w->module, &s, NULL, &out));
    for (int64_t i = 0; i < LENGTH; i++)
        assert_true(x[2 * i] == wanted[COUNT - LENGTH + i] && !x[2 * i + 1]);
    s.from = s.to = 0, s.offset = 11;
    out = cpl_arg_array(CPL_UINT16, x, 5);
    OK(w, cpl_random_permutation(w->module, &s, NULL, &out)); /* of 16 */
    for (int i = 0; i < 5; i++) assert_true(integer_at(CPL_UINT16, x, i) < 16);
    s.offset = 0;
    s.from = 200, s.to = 256;
    out = cpl_arg_array(CPL_UINT8, x, 56);
    OK(w, cpl_random_permutation(w->module, &s, NULL, &out));
    int64_t sum = 0;
    for (int i = 0; i < 56; i++) sum += integer_at(CPL_UINT8, x, i);
    assert_int_equal(sum, (200 + 255) * 56 / 2);
}

static void permutations_on_devices(void **state)
{
    world *w = *state;
    enum { LENGTH = 5000 };
    static int32_t wanted[LENGTH], got[LENGTH];
    cpl_random_spec s = spec_of_kind(CPL_RANDOM_UNIFORM, 9);
    cpl_arg here = cpl_arg_array(CPL_INT32, wanted, LENGTH);
    OK(w, cpl_random_permutation(w->module, &s, NULL, &here));
    EACH_DEVICE(w, device)
    {
        cpl_array *to;
        OK(w, cpl_array_create(w->cx, device, CPL_INT32, LENGTH, &to));
        cpl_arg out = cpl_arg_of_array(to);
        OK(w, cpl_random_permutation(w->module, &s, NULL, &out));
        OK(w, cpl_array_read(to, cpl_device_queue(device), got, NULL));
        assert_memory_equal(got, wanted, sizeof got);
        cpl_array_release(to);
    }
}

/* --- in reductions --- */

/* How many of n points are in a circle: drawn where they are counted. */
static void drawn_in_reductions(void **state)
{
    world *w = *state;
    enum { POINTS = 1000000 };
    static const int64_t threads[] = {1, 2, 3, 8};
    static const char *const maps[] = {NULL,
                                       "lambda i, seed: 1 if cpl.random.uniform(seed, i)**2 + "
                                       "cpl.random.uniform(seed, i, 1)**2 < 1.0 else 0"};
    int64_t first = 0;
    for (size_t k = 0; k < 2 * COUNT_OF(threads); k++) {
        const char *map = maps[k / COUNT_OF(threads)];
        int64_t got = 0;
        cpl_reduce_spec s;
        cpl_reduce_spec_init(&s);
        s.op = cpl_bind_expression("a + b");
        s.map = map ? cpl_bind_expression(map) : cpl_bind_function("inside");
        cpl_launch_options o = rounds_on(NULL, POINTS, NULL);
        o.result = &got;
        OK(w, cpl_context_set_option(w->cx, "num_threads", threads[k % COUNT_OF(threads)]));
        cpl_arg seed = cpl_arg_int(2026);
        OK(w, cpl_reduce(w->module, &s, &o, NULL, &seed, 1));
        if (k == 0) first = got;
        assert_int_equal(got, first);
    }
    assert_true(fabs(4.0 * (double)first / POINTS - 3.14159265) < 0.005);
    EACH_DEVICE(w, device)
    {
        int64_t got = 0;
        cpl_reduce_spec s;
        cpl_reduce_spec_init(&s);
        s.op = cpl_bind_expression("a + b");
        s.map = cpl_bind_function("inside");
        cpl_launch_options o = rounds_on(cpl_device_queue(device), POINTS, NULL);
        o.result = &got;
        cpl_arg seed = cpl_arg_int(2026);
        OK(w, cpl_reduce(w->module, &s, &o, NULL, &seed, 1));
        assert_int_equal(got, first);
    }
}

/* --- what is refused --- */

#define REFUSED(part) FAILS(w, cpl_random_fill(w->module, &s, NULL, &out), CPL_EARG, part)
#define NO_PERMUTATION(part)                                                                       \
    FAILS(w, cpl_random_permutation(w->module, &s, NULL, &out), CPL_EARG, part)

static void refused(void **state)
{
    world *w = *state;
    double x[8];
    static const cpl_random_kind of_floats[] = {CPL_RANDOM_UNIFORM, CPL_RANDOM_NORMAL,
                                                CPL_RANDOM_EXPONENTIAL};
    cpl_random_spec s = spec_of_kind(CPL_RANDOM_UNIFORM, 1);
    cpl_arg out = cpl_arg_array(CPL_INT32, x, 8);
    for (size_t k = 0; k < COUNT_OF(of_floats); k++) {
        s.kind = of_floats[k];
        REFUSED("are for arrays of floats, not of int32");
    }
    out.dtype = CPL_FLOAT64;
    s.kind = CPL_RANDOM_INTEGERS;
    REFUSED("the random numbers 'integers' are for arrays of integers, not of float64");
    s.kind = CPL_RANDOM_BITS;
    REFUSED("the random numbers 'bits' are for arrays of integers");
    out.dtype = CPL_BOOL;
    REFUSED("not of bool");
    s.kind = (cpl_random_kind)5;
    REFUSED("there is no kind 5 of random numbers");
    s.kind = (cpl_random_kind)-1;
    REFUSED("there is no kind -1");
    s.kind = CPL_RANDOM_NORMAL;
    out.dtype = CPL_BFLOAT16;
    REFUSED("no element type of this library");
    out = cpl_arg_int(3);
    FAILS(w, cpl_random_fill(w->module, &s, NULL, &out), CPL_EARG, "there is no array");
    cpl_launch_options o = rounds_on(NULL, 9, NULL);
    FAILS(w, cpl_random_fill(w->module, &s, &o, &out), CPL_EARG, "random numbers are for arrays");
    out = cpl_arg_array(CPL_FLOAT64, x, 8);
    FAILS(w, cpl_random_fill(w->module, &s, &o, &out), CPL_EARG, "has 8 elements and takes 9");
    o.n = -3;
    FAILS(w, cpl_random_fill(w->module, &s, &o, &out), CPL_EARG, "negative");
    out = cpl_arg_const_array(CPL_FLOAT64, x, 8);
    REFUSED("read-only");
    out = cpl_arg_array(CPL_FLOAT64, x, 8);
    s.offset = UINT64_MAX - 6;
    REFUSED("elements from 18446744073709551609 on end in front of number 8");
}

static void refused_calls(void **state)
{
    world *w = *state;
    double x[8];
    cpl_random_spec s = spec_of_kind(CPL_RANDOM_UNIFORM, 1);
    cpl_arg out = cpl_arg_array(CPL_FLOAT64, x, 8);
    FAILS(w, cpl_random_fill(NULL, &s, NULL, &out), CPL_EARG, "");
    FAILS(w, cpl_random_fill(w->module, NULL, NULL, &out), CPL_EARG, "");
    FAILS(w, cpl_random_fill(w->module, &s, NULL, NULL), CPL_EARG, "");
    FAILS(w, cpl_random_permutation(w->module, &s, NULL, NULL), CPL_EARG, "");
    cpl_random_spec_init(NULL);
    s.size = 3;
    FAILS(w, cpl_random_fill(w->module, &s, NULL, &out), CPL_EARG, "");
}

/* A row each: what is wrong with the limits of a fill of some type. */
static void refused_limits(void **state)
{
    world *w = *state;
    double x[8];
    cpl_random_spec s = spec_of_kind(CPL_RANDOM_UNIFORM, 1);
    static const double limits[][2] = {{0, 0},         {1, 0.5},      {NAN, 1},       {0, NAN},
                                       {-INFINITY, 0}, {0, INFINITY}, {-1e308, 1e308}};
    cpl_arg out = cpl_arg_array(CPL_FLOAT64, x, 8);
    for (size_t k = 0; k < COUNT_OF(limits); k++) {
        s.low = limits[k][0], s.high = limits[k][1];
        REFUSED("there are no numbers from");
    }
    s.low = 0, s.high = 1e300;
    OK(w, cpl_random_fill(w->module, &s, NULL, &out));
    out.dtype = CPL_FLOAT32;
    REFUSED("0 and 1e+300 are no numbers to scale float32 by");
    out.dtype = CPL_FLOAT16;
    s.high = 65520;
    REFUSED("0 and 65520 are no numbers to scale float16 by");
    s.low = -65504, s.high = 65504;
    OK(w, cpl_random_fill(w->module, &s, NULL, &out));
    out.dtype = CPL_FLOAT32;
    s.kind = CPL_RANDOM_NORMAL;
    static const double scales[] = {-1, NAN, INFINITY};
    for (size_t k = 0; k < COUNT_OF(scales); k++) {
        s.scale = scales[k];
        REFUSED("the scale of random numbers is");
    }
    s.scale = 0, s.mean = INFINITY;
    REFUSED("the mean of random numbers is inf");
    s.mean = 3;
    OK(w, cpl_random_fill(w->module, &s, NULL, &out));
    for (int i = 0; i < 8; i++) assert_true(((float *)x)[i] == 3);
    s.kind = CPL_RANDOM_INTEGERS;
    out.dtype = CPL_INT8;
    REFUSED("there are no integers from 0 to below 0");
    s.from = 5, s.to = 3;
    REFUSED("there are no integers from 5 to below 3");
    s.to = 129;
    REFUSED("the integers from 5 to below 129 are not all int8");
    s.from = -129, s.to = 3;
    REFUSED("are not all int8");
    s.from = -1;
    out.dtype = CPL_UINT64;
    REFUSED("the integers from -1 to below 3 are not all uint64");
    s.to = -1;
    REFUSED("there are no integers from -1 to below -1");
    s.from = 0, s.to = 0;
    REFUSED("there are no integers from 0 to below 0");
    s.from = -1, s.to = INT64_MIN;
    REFUSED("the integers from -1 to below -9223372036854775808 are not all uint64");
    out.dtype = CPL_INT32, s.from = 0;
    REFUSED("are not all int32");
    s.to = 3;
    out.dtype = CPL_BOOL;
    s.from = 0;
    REFUSED("are not all bool");
}

static void refused_permutations(void **state)
{
    world *w = *state;
    static int64_t x[300];
    cpl_random_spec s = spec_of_kind(CPL_RANDOM_UNIFORM, 1);
    cpl_arg out = cpl_arg_array(CPL_FLOAT64, x, 8);
    NO_PERMUTATION("permutations are for arrays of integers, not of float64");
    out = cpl_arg_array(CPL_INT8, x, 300);
    NO_PERMUTATION("the integers from 0 to below 300 are not all int8");
    s.to = 100;
    NO_PERMUTATION("a permutation of 100 numbers has no 300 from the one with number 0 on");
    out.length = 50;
    s.offset = 51;
    NO_PERMUTATION("has no 50 from the one with number 51 on");
    s.offset = UINT64_MAX - 20;
    NO_PERMUTATION("end in front of number");
    s.offset = 50, s.to = 100;
    OK(w, cpl_random_permutation(w->module, &s, NULL, &out));
    s.from = 101;
    NO_PERMUTATION("there are no integers from 101 to below 100");
    s.from = s.to = 0, s.offset = INT64_MAX;
    NO_PERMUTATION("2**63 - 1 numbers at most");
}

/* Nothing to write. */
static void nothing(void **state)
{
    world *w = *state;
    cpl_random_spec s = spec_of_kind(CPL_RANDOM_UNIFORM, 1);
    cpl_arg out = cpl_arg_array(CPL_FLOAT64, NULL, 0);
    OK(w, cpl_random_fill(w->module, &s, NULL, &out));
    out.dtype = CPL_INT32;
    OK(w, cpl_random_permutation(w->module, &s, NULL, &out));
    s.to = 10;
    OK(w, cpl_random_permutation(w->module, &s, NULL, &out));
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(known_answers),
        TEST(as_kernels_draw),
        TEST(continued),
        TEST(strided_and_in_part),
        TEST(same_bits),
        TEST(on_devices),
        TEST(interpreted),
        TEST(integers_of_bits),
        TEST(ranges_of_integers),
        TEST(halves),
        TEST(permutations),
        TEST(parts_of_permutations),
        TEST(permutations_on_devices),
        TEST(drawn_in_reductions),
        TEST(refused),
        TEST(refused_calls),
        TEST(refused_limits),
        TEST(refused_permutations),
        TEST(nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

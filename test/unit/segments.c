/*
 * Reductions of segments and of runs of equal keys, compared with plain loops: segments of any mix
 * of sizes, none, empty ones, around the borders of pieces; keys of all types, all alike, all
 * different; operators that do not commute, structs, on the host and on whatever devices there are.
 */
#include "device_world.h"
#include "launches.h"
#include "libomp_leaks.h"

#include <cpl/algorithm.h>

#include <math.h>

static const char kernels[] = "from cpl import struct\n"
                              "@struct\n"
                              "class Affine:\n"
                              "    a: 'long'\n"
                              "    b: 'long'\n"
                              "def behind(f, g):\n"
                              "    r = declare('Affine')\n"
                              "    r.a = g.a*f.a\n"
                              "    r.b = g.a*f.b + g.b\n"
                              "    return r\n"
                              "def step(i, k, x):\n"
                              "    r = declare('Affine')\n"
                              "    r.a = x[i] % 3 - 1\n"
                              "    r.b = x[i]\n"
                              "    return r\n"
                              "def still():\n"
                              "    r = declare('Affine')\n"
                              "    r.a = 1\n"
                              "    return r\n"
                              "def triangle(i, k, x):\n"
                              "    s = 0\n"
                              "    for t in range(x[i] % 8):\n"
                              "        s += t\n"
                              "    return s\n";

typedef struct affine {
    int64_t a, b;
} affine;

/* Around the borders of pieces, and of tiles. */
static const int64_t lengths[] = {0,    1,    2,    63,   64,   1280,  1281,
                                  2560, 4031, 4032, 4033, 8064, 39999, 200003};
enum { MOST = 200003 };
#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static int set_up_kernels(void **state)
{
    return set_up_source(state, "segments.py", kernels);
}

/* The same by tiles, as GPUs have them. */
static int set_up_tiles(void **state)
{
    int status = set_up_kernels(state);
    world *w = *state;
    return status ? status : (int)cpl_context_set_option(w->cx, "tiles", 2);
}

static int64_t value_at(int64_t i)
{
    return (i * 2654435761 >> 7) % 1000003;
}

static cpl_reduce_spec reduce_by(const char *op, const char *neutral)
{
    cpl_reduce_spec s;
    cpl_reduce_spec_init(&s);
    s.op = cpl_bind_expression(op);
    if (neutral) s.neutral = cpl_bind_expression(neutral);
    return s;
}

/* Maps one after the other, which do not commute. */
static cpl_reduce_spec compose(void)
{
    cpl_reduce_spec s;
    cpl_reduce_spec_init(&s);
    s.op = cpl_bind_function("behind");
    s.map = cpl_bind_function("step");
    s.neutral = cpl_bind_function("still");
    return s;
}

static affine composed(const int64_t *x, int64_t first, int64_t end)
{
    affine r = {1, 0};
    for (int64_t i = first; i < end; i++) {
        int64_t a = x[i] % 3 - 1;
        r = (affine){a * r.a, a * r.b + x[i]};
    }
    return r;
}

static cpl_arg affines(world *w, affine *data, int64_t n)
{
    cpl_arg arg = cpl_arg_array(CPL_VOID, data, n);
    OK(w, cpl_type_parse(w->cx, "Affine", &arg.record));
    return arg;
}

/* --- segments --- */

static cpl_status segment(world *w, const cpl_reduce_spec *s, cpl_arg offsets, cpl_arg out,
                          const cpl_arg *args, size_t count)
{
    cpl_segments g;
    cpl_segments_init(&g);
    g.offsets = &offsets;
    g.out = &out;
    return cpl_reduce_segments(w->module, s, NULL, &g, args, count);
}

/* Segments of this many elements, in turn, until n: 0: the rest, at the end. */
typedef struct cut {
    int64_t sizes[6];
    size_t count;
} cut;

static const cut cuts[] = {
    {{0}, 1},                 /* one */
    {{1}, 1},                 /* as many as elements */
    {{3, 0, 1, 0, 0, 7}, 6},  /* short and empty ones */
    {{0, 0, 0}, 3},           /* empty ones, then one */
    {{5000, 1, 1, 20000}, 4}, /* long ones among short ones */
    {{63, 64, 65}, 3},        /* where a part is taken in another way */
    {{4032}, 1},              /* as pieces are */
    {{1, 100000, 2, 0, 60000}, 5},
};

/* Returns how many segments there are. */
static int64_t cut_up(const cut *c, int64_t n, int64_t *offsets)
{
    int64_t m = 0, at = 0, rest = c->count > 1 || c->sizes[0] ? 0 : n;
    offsets[0] = 0;
    if (c->count == 3 && !c->sizes[0]) {
        for (; m < 3; m++) offsets[m + 1] = 0;
        rest = n;
    }
    while (at < n) {
        int64_t size = rest ? rest : c->sizes[(size_t)m % c->count];
        at = at + size < n ? at + size : n;
        offsets[++m] = at;
    }
    return m;
}

static void segments(void **state)
{
    world *w = *state;
    int64_t *x = malloc(MOST * sizeof *x), *offsets = malloc((4 * MOST + 8) * sizeof *offsets);
    affine *got = malloc((4 * MOST + 8) * sizeof *got);
    cpl_reduce_spec s = compose();
    for (int64_t i = 0; i < MOST; i++) x[i] = value_at(i) % 100;
    for (size_t l = 0; l < COUNT_OF(lengths); l++)
        for (size_t c = 0; c < COUNT_OF(cuts); c++) {
            int64_t n = lengths[l], m = cut_up(&cuts[c], n, offsets);
            memset(got, 0xAB, (size_t)m * sizeof *got);
            cpl_arg args[] = {cpl_arg_int(0), cpl_arg_array(CPL_INT64, x, n)};
            OK(w, segment(w, &s, cpl_arg_array(CPL_INT64, offsets, m + 1), affines(w, got, m), args,
                          2));
            for (int64_t k = 0; k < m; k++) {
                affine expected = composed(x, offsets[k], offsets[k + 1]);
                if (got[k].a != expected.a || got[k].b != expected.b)
                    fail_msg("segment %lld of %lld, of %lld elements, cut %zu", (long long)k,
                             (long long)m, (long long)n, c);
            }
        }
    free(x);
    free(offsets);
    free(got);
}

/* Of numbers of every type, with offsets of 32 bits that begin behind the first element and end in
 * front of the last. */
static void types_of_segments(void **state)
{
    world *w = *state;
    static const cpl_dtype types[] = {CPL_INT8,   CPL_INT16,  CPL_INT32,   CPL_UINT8,
                                      CPL_UINT16, CPL_UINT32, CPL_FLOAT32, CPL_FLOAT64};
    int32_t offsets[] = {1, 3, 3, 5};
    for (size_t t = 0; t < COUNT_OF(types); t++) {
        uint64_t x[6] = {0}, got[3] = {0}, expected[3] = {0};
        size_t size = cpl_dtype_size(types[t]);
        bool is_float = types[t] >= CPL_FLOAT16;
        for (int i = 0; i < 6; i++) {
            float f = (float)(i + 1);
            double d = i + 1;
            int64_t v = i + 1;
            memcpy((char *)x + (size_t)i * size,
                   !is_float   ? (void *)&v
                   : size == 4 ? (void *)&f
                               : (void *)&d,
                   size);
        }
        for (int k = 0; k < 3; k++) {
            static const int sums[] = {2 + 3, 0, 4 + 5};
            float f = (float)sums[k];
            double d = sums[k];
            memcpy((char *)expected + (size_t)k * size,
                   !is_float   ? (const void *)&sums[k]
                   : size == 4 ? (void *)&f
                               : (void *)&d,
                   size);
        }
        cpl_reduce_spec s = reduce_by("a + b", NULL);
        cpl_arg in = cpl_arg_array(types[t], x, 6);
        OK(w, segment(w, &s, cpl_arg_array(CPL_INT32, offsets, 4), cpl_arg_array(types[t], got, 3),
                      &in, 1));
        assert_memory_equal(got, expected, 3 * size);
    }
}

/* Sums of what is written in lanes, in any number of threads. */
static void same_segments(void **state)
{
    world *w = *state;
    static const int64_t threads[] = {1, 2, 3, 8};
    enum { SEGMENTS = 5 };
    int64_t offsets[] = {0, 3, 100, 150000, 150001, 300001};
    float *x = malloc(300001 * 4), first[SEGMENTS], got[SEGMENTS];
    for (int64_t i = 0; i < 300001; i++) x[i] = 1.0F / (float)(value_at(i) + 1);
    for (size_t t = 0; t < COUNT_OF(threads); t++) {
        OK(w, cpl_context_set_option(w->cx, "num_threads", threads[t]));
        cpl_reduce_spec s = reduce_by("a + b", NULL);
        cpl_arg in = cpl_arg_array(CPL_FLOAT32, x, 300001);
        OK(w, segment(w, &s, cpl_arg_array(CPL_INT64, offsets, SEGMENTS + 1),
                      cpl_arg_array(CPL_FLOAT32, got, SEGMENTS), &in, 1));
        if (t == 0) memcpy(first, got, sizeof got);
        assert_memory_equal(got, first, sizeof got);
    }
    for (int k = 0; k < SEGMENTS; k++) {
        double sum = 0;
        for (int64_t i = offsets[k]; i < offsets[k + 1]; i++) sum += x[i];
        if (fabs(got[k] - sum) > 1e-4 * sum) fail_msg("segment %d: %g, not %g", k, got[k], sum);
    }
    free(x);
}

static void strided_segments(void **state)
{
    world *w = *state;
    enum { SEGMENTS = 1000 };
    static int64_t x[3 * 4 * SEGMENTS], offsets[2 * (SEGMENTS + 1)], got[2 * SEGMENTS];
    for (int i = 0; i < 3 * 4 * SEGMENTS; i++) x[i] = i % 3 ? -1 : i / 3;
    for (int k = 0; k <= SEGMENTS; k++) offsets[2 * k] = 4 * k;
    cpl_reduce_spec s = reduce_by("max(a, b)", NULL);
    cpl_arg in = cpl_arg_array(CPL_INT64, x, 4 * SEGMENTS),
            at = cpl_arg_array(CPL_INT64, offsets, SEGMENTS + 1),
            out = cpl_arg_array(CPL_INT64, got, SEGMENTS);
    in.stride = 3 * sizeof *x;
    at.stride = out.stride = 2 * sizeof *x;
    OK(w, segment(w, &s, at, out, &in, 1));
    for (int k = 0; k < SEGMENTS; k++) assert_int_equal(got[2 * k], 4 * k + 3);
    for (int k = 0; k < SEGMENTS; k++) assert_int_equal(got[2 * k + 1], 0);
}

/* Elements that take a loop each come in small pieces. */
static void loops(void **state)
{
    world *w = *state;
    enum { LENGTH = 5000, SIZE = 50 };
    static int64_t x[LENGTH], offsets[LENGTH / SIZE + 1], got[LENGTH / SIZE];
    for (int i = 0; i < LENGTH; i++) x[i] = value_at(i);
    for (int k = 0; k <= LENGTH / SIZE; k++) offsets[k] = k * SIZE;
    cpl_reduce_spec s = reduce_by("a + b", NULL);
    s.map = cpl_bind_function("triangle");
    cpl_arg args[] = {cpl_arg_int(0), cpl_arg_array(CPL_INT64, x, LENGTH)};
    OK(w, segment(w, &s, cpl_arg_array(CPL_INT64, offsets, LENGTH / SIZE + 1),
                  cpl_arg_array(CPL_INT64, got, LENGTH / SIZE), args, 2));
    for (int k = 0; k < LENGTH / SIZE; k++) {
        int64_t expected = 0;
        for (int i = k * SIZE; i < (k + 1) * SIZE; i++) expected += x[i] % 8 * (x[i] % 8 - 1) / 2;
        assert_int_equal(got[k], expected);
    }
}

/* No memory outside of the arrays is touched, and checks say what is wrong. */
static void bad_offsets(void **state)
{
    world *w = *state;
    enum { LENGTH = 10000, SEGMENTS = 4 };
    static int64_t x[LENGTH], got[SEGMENTS];
    static int64_t bad[][SEGMENTS + 1] = {{0, 5, 4, 6, LENGTH},
                                          {-1, 5, 6, 7, 8},
                                          {0, 1, 2, 3, LENGTH + 1},
                                          {INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX, 0},
                                          {LENGTH, 7000, 5000, 3000, 0}};
    static int64_t far[] = {-7, 1, 2, LENGTH - 1, LENGTH + 1000};
    for (int i = 0; i < LENGTH; i++) x[i] = i;
    cpl_arg in = cpl_arg_array(CPL_INT64, x, LENGTH);
    cpl_reduce_spec s = reduce_by("a + b", NULL);
    for (int checked = 0; checked < 2; checked++) {
        OK(w, cpl_context_set_option(w->cx, "bounds_check", checked));
        for (size_t k = 0; k < COUNT_OF(bad); k++) {
            cpl_arg at = cpl_arg_array(CPL_INT64, bad[k], SEGMENTS + 1),
                    out = cpl_arg_array(CPL_INT64, got, SEGMENTS);
            if (checked)
                FAILS(w, segment(w, &s, at, out, &in, 1), CPL_EASSERT,
                      "the offsets of segments go up, from 0 to the number of elements at most");
            else OK(w, segment(w, &s, at, out, &in, 1));
        }
    }
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 0));
    OK(w, segment(w, &s, cpl_arg_array(CPL_INT64, far, SEGMENTS + 1),
                  cpl_arg_array(CPL_INT64, got, SEGMENTS), &in, 1));
    assert_true(got[0] == 0 && got[1] == 1 && got[3] == LENGTH - 1);
}

static void refused_segments(void **state)
{
    world *w = *state;
    int64_t x[4] = {0}, offsets[] = {0, 2, 4}, got[2];
    float floats[3];
    cpl_reduce_spec s = reduce_by("a + b", NULL);
    cpl_arg in = cpl_arg_array(CPL_INT64, x, 4), at = cpl_arg_array(CPL_INT64, offsets, 3),
            out = cpl_arg_array(CPL_INT64, got, 2);
    FAILS(w, segment(w, &s, cpl_arg_array(CPL_FLOAT32, floats, 3), out, &in, 1), CPL_EARG,
          "the offsets are no array of int32 or int64");
    FAILS(w, segment(w, &s, cpl_arg_int(1), out, &in, 1), CPL_EARG, "the offsets are no array");
    FAILS(w, segment(w, &s, cpl_arg_array(CPL_INT64, NULL, 0), out, &in, 1), CPL_EARG,
          "there is no offset");
    FAILS(w, segment(w, &s, cpl_arg_array(CPL_INT64, offsets, 2), out, &in, 1), CPL_EARG,
          "there is 1 segment, and the array of the results has 2 elements");
    assert_string_equal(w->said.text, "error: there is 1 segment, and the array of the results "
                                      "has 2 elements\n"); /* no more is tried */
    FAILS(w, segment(w, &s, at, cpl_arg_int(1), &in, 1), CPL_EARG, "is no array");
    OK(w, cpl_type_parse(w->cx, "float32", &s.type));
    FAILS(w, segment(w, &s, at, out, &in, 1), CPL_EARG,
          "has elements of int64, and the values are float32");
    s.next = &s;
    FAILS(w, segment(w, &s, at, out, &in, 1), CPL_EUNSUPPORTED, "several reductions in one pass");
    cpl_segments g;
    cpl_segments_init(&g);
    s = reduce_by("a + b", NULL);
    FAILS(w, cpl_reduce_segments(w->module, &s, NULL, &g, &in, 1), CPL_EARG, "");
}

/* --- runs of equal keys --- */

typedef struct runs {
    int32_t *key;
    int64_t *x;
    int32_t *keys;
    affine *out;
    int64_t n, number;
} runs;

static runs runs_of(int64_t n)
{
    size_t room = (size_t)n + 1;
    return (runs){
        malloc(room * 4), malloc(room * 8), malloc(room * 4), malloc(room * sizeof(affine)), n, -1};
}

static void free_runs(runs *r)
{
    free(r->key);
    free(r->x);
    free(r->keys);
    free(r->out);
}

static void check_runs(const runs *r)
{
    int64_t k = 0;
    for (int64_t i = 0, end; i < r->n; i = end, k++) {
        for (end = i + 1; end < r->n && r->key[end] == r->key[i];) end++;
        affine expected = composed(r->x, i, end);
        if (r->keys[k] != r->key[i] || r->out[k].a != expected.a || r->out[k].b != expected.b)
            fail_msg("run %lld of %lld elements", (long long)k, (long long)r->n);
    }
    assert_int_equal(r->number, k);
}

/* Of so many elements each; 0: all are alike. NULL: on the host. */
static void runs_of_size(world *w, cpl_queue *queue, int64_t n, int64_t size)
{
    cpl_reduce_spec s = compose();
    runs r = runs_of(n);
    for (int64_t i = 0; i < r.n; i++) {
        r.x[i] = value_at(i) % 100;
        r.key[i] = (int32_t)(size ? i / size * 7 % 13 : 5);
    }
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, r.key, r.n), cpl_arg_array(CPL_INT64, r.x, r.n)},
            out = affines(w, r.out, r.n), keys = cpl_arg_array(CPL_INT32, r.keys, r.n);
    cpl_runs g;
    cpl_runs_init(&g);
    g.out = &out;
    g.keys = &keys;
    cpl_launch_options o = once_on(queue, &r.number, NULL);
    o.form = CPL_FORM_ELEMENTWISE;
    OK(w, cpl_reduce_by_key(w->module, &s, &o, &g, args, 2));
    check_runs(&r);
    free_runs(&r);
}

static void by_key(void **state)
{
    static const int64_t sizes[] = {0, 1, 2, 7, 4032, 5000};
    for (size_t l = 0; l < COUNT_OF(lengths); l++)
        for (size_t c = 0; c < COUNT_OF(sizes); c++)
            runs_of_size(*state, NULL, lengths[l], sizes[c]);
}

static cpl_runs runs_to(const cpl_arg *out, const cpl_arg *keys, const cpl_arg *number)
{
    cpl_runs g;
    cpl_runs_init(&g);
    g.out = out;
    g.keys = keys;
    g.number = number;
    return g;
}

/* Sums of the second argument. */
static cpl_status sum_runs(world *w, const cpl_runs *g, const cpl_arg *args, size_t count)
{
    cpl_reduce_spec s = reduce_by("a + b", NULL);
    return cpl_reduce_by_key(w->module, &s, NULL, g, args, count);
}

/* Leaves no zeros where the next call has its variables. */
static void __attribute__((noinline)) dirty_stack(void)
{
    volatile unsigned char bytes[1 << 17];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = 0xff;
}

/* Elements are those of the array that is asked for, not vectors of the first one. */
static void runs_for_gpus(void **state)
{
    world *w = *state;
    int32_t key[40] = {0}, v[40] = {0}, sums[40], all[40];
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, key, 40), cpl_arg_array(CPL_INT32, v, 40)},
            out = cpl_arg_array(CPL_INT32, sums, 40), keys = cpl_arg_array(CPL_INT32, all, 40);
    cpl_runs g = runs_to(&out, &keys, NULL);
    cpl_reduce_spec s = reduce_by("a + b", NULL);
    for (int first = 0; first < 2; first++) {
        cpl_kernels found = {.target = "cuda:sm_90"};
        cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
        cpl_blob text;
        o.kernels = &found;
        s.map = cpl_bind_expression(first ? "lambda i, k, x: k[i]" : "lambda i, k, x: x[i]");
        dirty_stack();
        OK(w, cpl_reduce_by_key(w->module, &s, &o, &g, args, 2));
        OK(w, cpl_kernel_emit(found.kernels[found.count - 1], CPL_STAGE_IR, NULL, &text));
        assert_non_null(strstr(text.data, first ? "load(elem(k, i))" : "load(elem(x, i))"));
        assert_null(strstr(text.data, "load_wide"));
        cpl_blob_free(&text);
        for (size_t i = 0; i < found.count; i++) cpl_kernel_release(found.kernels[i]);
    }
}

/* All that is narrow or wide, with values that differ in the highest bits alone. */
static void types_of_keys(void **state)
{
    world *w = *state;
    for (cpl_dtype d = CPL_BOOL; d <= CPL_FLOAT64; d++) {
        uint8_t key[6 * 8] = {0}, kept[6 * 8] = {0};
        size_t size = cpl_dtype_size(d);
        int64_t x[6] = {1, 2, 4, 8, 16, 32}, got[6], number;
        static const int other[] = {0, 1, 1, 0, 0, 1};
        for (size_t i = 0; i < 6; i++)
            if (other[i]) key[(i + 1) * size - 1] = d == CPL_BOOL ? 1 : 0x40;
        cpl_arg args[] = {cpl_arg_array(d, key, 6), cpl_arg_array(CPL_INT64, x, 6)},
                out = cpl_arg_array(CPL_INT64, got, 6), keys = cpl_arg_array(d, kept, 6),
                told = cpl_arg_array(CPL_INT64, &number, 1);
        cpl_runs g = runs_to(&out, &keys, &told);
        OK(w, sum_runs(w, &g, args, 2));
        assert_int_equal(number, 4);
        assert_true(got[0] == 1 && got[1] == 6 && got[2] == 24 && got[3] == 32);
        for (size_t k = 0; k < 4; k++)
            assert_memory_equal(kept + k * size, key + (k % 2 ? size : 0), size);
    }
}

/* NaN is unlike itself; the two zeros are alike, and the first one is kept. */
static void special_keys(void **state)
{
    world *w = *state;
    double key[] = {NAN, NAN, -0.0, 0.0, 1, INFINITY, INFINITY}, kept[7];
    int64_t x[] = {1, 1, 1, 1, 1, 1, 1}, got[7], number;
    static const int64_t expected[] = {1, 1, 2, 1, 2};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, key, 7), cpl_arg_array(CPL_INT64, x, 7)},
            out = cpl_arg_array(CPL_INT64, got, 7), keys = cpl_arg_array(CPL_FLOAT64, kept, 7),
            told = cpl_arg_array(CPL_INT64, &number, 1);
    cpl_runs g = runs_to(&out, &keys, &told);
    OK(w, sum_runs(w, &g, args, 2));
    assert_int_equal(number, 5);
    assert_memory_equal(got, expected, sizeof expected);
    assert_true(isnan(kept[0]) && isnan(kept[1]) && signbit(kept[2]) && kept[4] == INFINITY);
}

/* Keys that are computed, and starts of runs; arrays that are too short keep what has a place. */
static void other_runs(void **state)
{
    world *w = *state;
    enum { LENGTH = 10000, ROOM = 3 };
    static int64_t x[LENGTH];
    int64_t got[ROOM + 1], kept[ROOM + 1], number;
    for (int i = 0; i < LENGTH; i++) x[i] = 1;
    cpl_arg in = cpl_arg_array(CPL_INT64, x, LENGTH), out = cpl_arg_array(CPL_INT64, got, ROOM),
            keys = cpl_arg_array(CPL_INT64, kept, ROOM), none = cpl_arg_array(CPL_INT64, NULL, 0),
            told = cpl_arg_array(CPL_INT64, &number, 1);
    cpl_reduce_spec s = reduce_by("a + b", NULL);
    s.map = cpl_bind_expression("lambda i, x: x[i]");
    for (int starts = 0; starts < 2; starts++) {
        memset(got, 0, sizeof got);
        memset(kept, 0, sizeof kept);
        cpl_runs g = runs_to(&out, &keys, &told);
        g.key = cpl_bind_expression("lambda i, x: i // 300");
        if (starts) g.start = cpl_bind_expression("lambda i, x: i % 300 == 0");
        OK(w, cpl_reduce_by_key(w->module, &s, NULL, &g, &in, 1));
        assert_int_equal(number, 34);
        for (int k = 0; k < ROOM; k++) assert_true(got[k] == 300 && kept[k] == k);
        assert_true(got[ROOM] == 0 && kept[ROOM] == 0);
        g = runs_to(&none, NULL, &told);
        g.start = cpl_bind_expression("lambda i, x: i % 3000 == 1");
        OK(w, cpl_reduce_by_key(w->module, &s, NULL, &g, &in, 1));
        assert_int_equal(number, 5);
    }
    cpl_runs g = runs_to(&out, NULL, NULL); /* nobody asks how many */
    g.start = cpl_bind_expression("lambda i, x: i == 9000");
    OK(w, cpl_reduce_by_key(w->module, &s, NULL, &g, &in, 1));
    assert_true(got[0] == 9000 && got[1] == 1000);
}

static void strided_runs(void **state)
{
    world *w = *state;
    enum { LENGTH = 9000, SIZE = 4 };
    static int64_t key[3 * LENGTH], x[2 * LENGTH], got[2 * LENGTH / SIZE], kept[2 * LENGTH / SIZE];
    int64_t number;
    for (int i = 0; i < LENGTH; i++) key[3 * i] = i / SIZE, x[2 * i] = i;
    cpl_arg args[] = {cpl_arg_array(CPL_INT64, key, LENGTH), cpl_arg_array(CPL_INT64, x, LENGTH)},
            out = cpl_arg_array(CPL_INT64, got, LENGTH / SIZE),
            keys = cpl_arg_array(CPL_INT64, kept, LENGTH / SIZE),
            told = cpl_arg_array(CPL_INT64, &number, 1);
    args[0].stride = 3 * sizeof *key;
    args[1].stride = out.stride = keys.stride = 2 * sizeof *x;
    cpl_runs g = runs_to(&out, &keys, &told);
    OK(w, sum_runs(w, &g, args, 2));
    assert_int_equal(number, LENGTH / SIZE);
    for (int k = 0; k < LENGTH / SIZE; k++) {
        assert_true(got[2 * k] == SIZE * SIZE * k + 6 && kept[2 * k] == k);
        assert_true(got[2 * k + 1] == 0 && kept[2 * k + 1] == 0);
    }
}

static void same_runs(void **state)
{
    world *w = *state;
    static const int64_t threads[] = {1, 2, 3, 8};
    int64_t n = 300001, number;
    int32_t *key = malloc((size_t)n * 4);
    float *x = malloc((size_t)n * 4), first[8], got[8];
    for (int64_t i = 0; i < n; i++) {
        x[i] = 1.0F / (float)(value_at(i) + 1);
        key[i] = (int32_t)(i / 40000);
    }
    for (size_t t = 0; t < COUNT_OF(threads); t++) {
        OK(w, cpl_context_set_option(w->cx, "num_threads", threads[t]));
        cpl_arg args[] = {cpl_arg_array(CPL_INT32, key, n), cpl_arg_array(CPL_FLOAT32, x, n)},
                out = cpl_arg_array(CPL_FLOAT32, got, 8),
                told = cpl_arg_array(CPL_INT64, &number, 1);
        cpl_runs g = runs_to(&out, NULL, &told);
        OK(w, sum_runs(w, &g, args, 2));
        assert_int_equal(number, 8);
        if (t == 0) memcpy(first, got, sizeof got);
        assert_memory_equal(got, first, sizeof got);
    }
    free(key);
    free(x);
}

static void refused_runs(void **state)
{
    world *w = *state;
    int64_t key[4] = {0}, got[4], number;
    float floats[4] = {0};
    affine pairs[4] = {{0}};
    cpl_arg args[] = {cpl_arg_array(CPL_INT64, key, 4), cpl_arg_array(CPL_INT64, key, 4)},
            out = cpl_arg_array(CPL_INT64, got, 4), wrong = cpl_arg_array(CPL_FLOAT32, floats, 4),
            told = cpl_arg_array(CPL_INT64, &number, 0), record[] = {affines(w, pairs, 4), args[1]};
    cpl_runs g = runs_to(&out, &wrong, NULL);
    FAILS(w, sum_runs(w, &g, args, 2), CPL_EARG,
          "has elements of float32, and the values are int64");
    g = runs_to(&out, NULL, &told);
    FAILS(w, sum_runs(w, &g, args, 2), CPL_EARG, "has 0 elements and takes 1");
    g = runs_to(&out, NULL, &wrong);
    FAILS(w, sum_runs(w, &g, args, 2), CPL_EARG, "the place of the number of runs");
    g = runs_to(&out, NULL, NULL);
    FAILS(w, sum_runs(w, &g, args, 1), CPL_EARG, "there is no array to take elements from");
    FAILS(w, sum_runs(w, &g, record, 2), CPL_EARG, "keys are numbers, not Affine");
    g.start = cpl_bind_integer(1);
    FAILS(w, sum_runs(w, &g, args, 2), CPL_EARG, "the starts of runs are no expression");
    g = runs_to(NULL, NULL, NULL);
    FAILS(w, sum_runs(w, &g, args, 2), CPL_EARG, "");
}

/* --- devices --- */

static void segments_on(world *w, cpl_device *d, cpl_array *in, const int64_t *offsets)
{
    int64_t got[3] = {0};
    cpl_array *at = on_device(w, d, CPL_INT64, offsets, 4),
              *to = on_device(w, d, CPL_INT64, got, 3);
    cpl_arg arg = cpl_arg_of_array(in);
    cpl_reduce_spec s = reduce_by("a + b", NULL);
    OK(w, segment(w, &s, cpl_arg_of_array(at), cpl_arg_of_array(to), &arg, 1));
    OK(w, cpl_array_read(to, cpl_device_queue(d), got, NULL));
    for (int k = 0; k < 3; k++) {
        int64_t expected = 0;
        for (int64_t i = offsets[k]; i < offsets[k + 1]; i++) expected += value_at(i);
        assert_int_equal(got[k], expected);
    }
    cpl_array_release(at);
    cpl_array_release(to);
}

/* Of 100 elements each. */
static void runs_on(world *w, cpl_device *d, cpl_array *in)
{
    int64_t got[1000] = {0}, number = 0;
    cpl_array *to = on_device(w, d, CPL_INT64, got, 1000);
    cpl_arg arg = cpl_arg_of_array(in), out = cpl_arg_of_array(to);
    cpl_reduce_spec s = reduce_by("a + b", NULL);
    s.map = cpl_bind_expression("lambda i, x: x[i]");
    cpl_runs g = runs_to(&out, NULL, NULL);
    g.key = cpl_bind_expression("lambda i, x: i // 100");
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, cpl_device_queue(d));
    o.result = &number;
    OK(w, cpl_reduce_by_key(w->module, &s, &o, &g, &arg, 1));
    OK(w, cpl_array_read(to, cpl_device_queue(d), got, NULL));
    assert_int_equal(number, 1000);
    for (int64_t k = 0; k < 1000; k++) {
        int64_t expected = 0;
        for (int64_t i = k * 100; i < (k + 1) * 100; i++) expected += value_at(i);
        assert_int_equal(got[k], expected);
    }
    cpl_array_release(to);
}

static void on_devices(void **state)
{
    world *w = *state;
    static const int64_t offsets[] = {3, 50000, 50000, 99999};
    int64_t n = 100000, *x = malloc((size_t)n * sizeof *x);
    for (int64_t i = 0; i < n; i++) x[i] = value_at(i);
    EACH_DEVICE(w, device)
    {
        cpl_array *in = on_device(w, device, CPL_INT64, x, n);
        segments_on(w, device, in, offsets);
        runs_on(w, device, in);
        cpl_array_release(in);
        OK(w, cpl_context_set_option(w->cx, "automatic", 1));
        for (int64_t size = 0; size < 3; size++)
            runs_of_size(w, cpl_device_queue(device), 200003, size * size * 350);
        runs_of_size(w, cpl_device_queue(device), 200003, 1);
    }
    free(x);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
#define TILED(name)                                                                                \
    {                                                                                              \
        "tiled_" #name, name, set_up_tiles, tear_down, NULL                                        \
    }
    const struct CMUnitTest tests[] = {
        TEST(segments),
        TEST(types_of_segments),
        TEST(same_segments),
        TEST(strided_segments),
        TEST(loops),
        TEST(bad_offsets),
        TEST(refused_segments),
        TEST(by_key),
        TEST(runs_for_gpus),
        TEST(types_of_keys),
        TEST(special_keys),
        TEST(other_runs),
        TEST(strided_runs),
        TEST(same_runs),
        TEST(refused_runs),
        TILED(by_key),
        TILED(special_keys),
        TILED(other_runs),
        TILED(strided_runs),
        TEST(on_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Scans, compared with plain loops: segments, output functions, operators that do not commute, in
 * place, called again in other ways, at lengths around the borders of pieces.
 */
#include "algorithms.h"
#include "launches.h"

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
                              "def step(i, k):\n"
                              "    r = declare('Affine')\n"
                              "    r.a = k[i] % 3 - 1\n"
                              "    r.b = k[i]\n"
                              "    return r\n"
                              "def still():\n"
                              "    r = declare('Affine')\n"
                              "    r.a = 1\n"
                              "    return r\n"
                              "def keep(i, item, prev, last, n, k, out):\n"
                              "    out[4*i] = item\n"
                              "    out[4*i + 1] = prev\n"
                              "    out[4*i + 2] = last\n"
                              "    out[4*i + 3] = n\n";

typedef struct affine {
    int64_t a, b;
} affine;

static int set_up_kernels(void **state)
{
    return set_up_source(state, "scans.py", kernels);
}

/* k, and where segments start: at multiples of this, 0: none. */
typedef struct scanned {
    int64_t *k, *out;
    int64_t n, every;
} scanned;

static void check_scan(const scanned *s, bool last)
{
    for (int64_t i = 0, run = 0; i < s->n; i++) {
        if (s->every && i % s->every == 0) run = 0;
        int64_t before = run, end = s->every ? (i / s->every + 1) * s->every : s->n, sum = run;
        run += s->k[i];
        if (s->out[4 * i] != run || s->out[4 * i + 1] != before || s->out[4 * i + 3] != s->n)
            fail_msg("item %lld of %lld, segments of %lld", (long long)i, (long long)s->n,
                     (long long)s->every);
        if (!last || i % 97) continue;
        for (int64_t j = i; j < end && j < s->n; j++) sum += s->k[j];
        if (s->out[4 * i + 2] != sum)
            fail_msg("last of %lld of %lld, segments of %lld", (long long)i, (long long)s->n,
                     (long long)s->every);
    }
}

static void scan(world *w, const scanned *s, bool last)
{
    char segment[64];
    cpl_scan_spec spec = sums();
    spec.input = cpl_bind_expression("lambda i, k, out: k[i]");
    spec.output = cpl_bind_function("keep");
    snprintf(segment, sizeof segment, "lambda i, k, out: i %% %lld == 0", (long long)s->every);
    if (s->every) spec.segment = cpl_bind_expression(segment);
    if (last) spec.flags = CPL_SCAN_LAST;
    cpl_arg args[] = {cpl_arg_array(CPL_INT64, s->k, s->n),
                      cpl_arg_array(CPL_INT64, s->out, 4 * s->n)};
    assert_int_equal(cpl_scan(w->module, &spec, NULL, args, 2), CPL_OK);
    check_scan(s, last);
}

static void scans(void **state)
{
    world *w = *state;
    /* 4032, 8064: where each or every second piece begins */
    static const int64_t every[] = {0, 1, 7, 4032, 5000, 8064};
    scanned s = {malloc(MOST * 8), malloc(4 * MOST * 8), 0, 0};
    for (int64_t i = 0; i < MOST; i++) s.k[i] = value_at(i);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths - 1; l++)
        for (size_t e = 0; e < sizeof every / sizeof *every; e++)
            for (int last = 0; last < 2; last++) {
                s.n = lengths[l];
                s.every = every[e];
                OK(w, cpl_context_set_option(w->cx, "num_threads", 1 + (int64_t)(e % 2)));
                memset(s.out, 0xAB, 4 * (size_t)s.n * 8);
                scan(w, &s, last);
            }
    free(s.k);
    free(s.out);
}

static void check_plain_scans(world *w)
{
    int32_t *x = malloc(MOST * 4), *y = malloc(MOST * 4);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (int exclusive = 0; exclusive < 2; exclusive++)
            for (int in_place = 0; in_place < 2; in_place++) {
                int64_t n = lengths[l];
                int32_t *to = in_place ? x : y, run = 0;
                for (int64_t i = 0; i < n; i++) x[i] = (int32_t)value_at(i);
                cpl_scan_spec spec = sums();
                spec.flags = exclusive ? CPL_SCAN_EXCLUSIVE : 0;
                cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, n), cpl_arg_array(CPL_INT32, to, n)};
                assert_int_equal(cpl_scan(w->module, &spec, NULL, args, 2), CPL_OK);
                for (int64_t i = 0; i < n; i++) {
                    int32_t before = run;
                    run += (int32_t)value_at(i);
                    if (to[i] != (exclusive ? before : run)) fail_msg("item %lld", (long long)i);
                }
            }
    free(x);
    free(y);
}

/* Without an output function, in place too; items that go past the caches, too. */
static void plain_scans(void **state)
{
    world *w = *state;
    for (int64_t large = 0; large < 2; large++) {
        OK(w, cpl_context_set_option(w->cx, "large_bytes", large));
        check_plain_scans(w);
    }
}

/* Elements apart, and backwards, of each of two arrays: n sums, and the last one by a reduction. */
static void sum_apart(world *w, int64_t n, int64_t from, int64_t to)
{
    enum { APART = 3 };
    int32_t *x = calloc(APART * (size_t)n, sizeof *x), *y = calloc(APART * (size_t)n, sizeof *y);
    int32_t *first = from < 0 ? x + (n - 1) * -from : x, *out = to < 0 ? y + (n - 1) * -to : y;
    int32_t last = 0, run = 0;
    for (int64_t i = 0; i < APART * n; i++) x[i] = 1 << 20, y[i] = -1;
    for (int64_t i = 0; i < n; i++) first[i * from] = (int32_t)value_at(i);
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, first, n), cpl_arg_array(CPL_INT32, out, n)};
    args[0].stride = from * (int64_t)sizeof *x;
    args[1].stride = to * (int64_t)sizeof *y;
    cpl_scan_spec spec = sums();
    OK(w, cpl_scan(w->module, &spec, NULL, args, 2));
    cpl_reduce_spec sum;
    cpl_reduce_spec_init(&sum);
    sum.op = cpl_bind_expression("a + b");
    OK(w, cpl_type_parse(w->cx, "int32", &sum.type));
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    o.result = &last;
    OK(w, cpl_reduce(w->module, &sum, &o, NULL, args, 1));
    for (int64_t i = 0; i < n; i++) {
        run += (int32_t)value_at(i);
        if (out[i * to] != run)
            fail_msg("%lld elements, %lld apart, to %lld apart: item %lld", (long long)n,
                     (long long)from, (long long)to, (long long)i);
        out[i * to] = -1;
    }
    for (int64_t i = 0; i < APART * n; i++) assert_int_equal(y[i], -1);
    if (last != run) fail_msg("the sum of %lld, %lld apart", (long long)n, (long long)from);
    free(x);
    free(y);
}

/* By pieces and by tiles, which take elements that lie side by side some at once. */
static void elements_apart(void **state)
{
    static const int64_t steps[] = {1, 2, 3, -1, -2}, some[] = {1, 300, 40000};
    world *w = *state;
    for (int tiles = 0; tiles <= 2; tiles += 2) {
        OK(w, cpl_context_set_option(w->cx, "tiles", tiles));
        OK(w, cpl_context_set_option(w->cx, "opt_level", tiles ? 0 : 3));
        for (size_t from = 0; from < sizeof steps / sizeof *steps; from++)
            for (size_t to = 0; to < sizeof steps / sizeof *steps; to++)
                for (size_t l = 0; l < sizeof some / sizeof *some; l++)
                    if (from == 0 || to == 0 || from == to)
                        sum_apart(w, some[l], steps[from], steps[to]);
    }
}

/* A linear recurrence: maps one after the other, which do not commute. */
static void recurrences(void **state)
{
    world *w = *state;
    int64_t n = 100000, *k = malloc((size_t)n * 8);
    affine *out = malloc((size_t)n * sizeof *out), run = {1, 0};
    const cpl_type *type;
    assert_int_equal(cpl_type_parse(w->cx, "Affine", &type), CPL_OK);
    for (int64_t i = 0; i < n; i++) k[i] = value_at(i);
    cpl_scan_spec spec;
    cpl_scan_spec_init(&spec);
    spec.op = cpl_bind_function("behind");
    spec.input = cpl_bind_expression("lambda i, k, out: step(i, k)");
    spec.neutral = cpl_bind_function("still");
    cpl_arg args[] = {cpl_arg_array(CPL_INT64, k, n), cpl_arg_array(CPL_VOID, out, n)};
    args[1].record = type;
    assert_int_equal(cpl_scan(w->module, &spec, NULL, args, 2), CPL_OK);
    for (int64_t i = 0; i < n; i++) {
        int64_t a = k[i] % 3 - 1;
        run = (affine){a * run.a, a * run.b + k[i]};
        if (out[i].a != run.a || out[i].b != run.b) fail_msg("step %lld", (long long)i);
    }
    free(k);
    free(out);
}

/* The same of a scan: of other lengths, in place, of overlapping arrays, and of too short ones. */
static void scanned_before(void **state)
{
    enum { SOME = 40000 };
    static double x[SOME], y[SOME];
    world *w = *state;
    char op[16] = "a + b";
    cpl_scan_spec s = sums();
    s.op = cpl_bind_expression(op);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < SOME; i++) x[i] = 1;
        strcpy(op, "a + b");
        for (int64_t n = 0; n <= SOME; n = n < 5 ? n + 1 : 2 * n) {
            cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, n), cpl_arg_array(CPL_FLOAT64, y, n)};
            s.flags = 0;
            OK(w, cpl_scan(w->module, &s, NULL, args, 2));
            for (int64_t i = 0; i < n; i++) assert_true(y[i] == (double)(i + 1));
            s.flags = CPL_SCAN_EXCLUSIVE;
            OK(w, cpl_scan(w->module, &s, NULL, args, 2));
            for (int64_t i = 0; i < n; i++) assert_true(y[i] == (double)i);
        }
        s.flags = 0;
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 100), cpl_arg_array(CPL_FLOAT64, x, 100)};
        OK(w, cpl_scan(w->module, &s, NULL, args, 2));
        assert_true(x[99] == 100 && x[100] == 1);
        args[1].data = x + 1;
        assert_int_equal(cpl_scan(w->module, &s, NULL, args, 2), CPL_EOVERLAP);
        args[1] = cpl_arg_array(CPL_FLOAT64, y, 99);
        assert_int_equal(cpl_scan(w->module, &s, NULL, args, 2), CPL_EARG);
        cpl_launch_options o = rounds_on(NULL, 7, NULL);
        OK(w, cpl_scan(w->module, &s, &o, args, 2));
        assert_true(y[6] == 28);
        o.n = 101;
        args[1].length = SOME;
        assert_int_equal(cpl_scan(w->module, &s, &o, args, 2), CPL_EARG);
        strcpy(op, "max(a, b)"); /* where the other text was */
        OK(w, cpl_scan(w->module, &s, NULL, args, 2));
        assert_true(y[99] == 100);
        args[1].readonly = true;
        assert_int_not_equal(cpl_scan(w->module, &s, NULL, args, 2), CPL_OK);
    }
}

static void scan_by(world *w, const char *op, const double *x, double *y, int64_t n)
{
    cpl_scan_spec s = sums();
    s.op = cpl_bind_expression(op);
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, (double *)x, n), cpl_arg_array(CPL_FLOAT64, y, n)};
    OK(w, cpl_scan(w->module, &s, NULL, args, 2));
}

/* The kernel that one piece has is not taken for several, whose sums round in another order. */
static void one_piece_before(void **state)
{
    enum { PIECE = 4032, SOME = 5 * PIECE - 7 };
    static double x[SOME], want[SOME], got[SOME];
    world *w = *state;
    for (int i = 0; i < SOME; i++) x[i] = 1.0 / (1 + i);
    scan_by(w, "a+b", x, want, SOME);
    for (int round = 0; round < 2; round++) {
        scan_by(w, "a + b", x, got, PIECE);
        assert_memory_equal(got, want, PIECE * sizeof *got);
        scan_by(w, "a + b", x, got, SOME);
        assert_memory_equal(got, want, sizeof got);
    }
}
static void refused(void **state)
{
    world *w = *state;
    int64_t x[4] = {1, 2, 3, 4};
    float y[4];
    cpl_arg arg = cpl_arg_array(CPL_INT64, x, 4);
    cpl_scan_spec spec = sums();
    cpl_arg args[] = {arg, cpl_arg_array(CPL_FLOAT32, y, 3)};
    FAILS(w, cpl_scan(w->module, &spec, NULL, args, 2), CPL_EARG, "the output has 3 elements");
    const cpl_bind nothing = cpl_bind_expression(NULL), nobody = cpl_bind_function(NULL);
    spec.input = nothing;
    FAILS(w, cpl_scan(w->module, &spec, NULL, args, 2), CPL_EARG,
          "the function of elements has no text");
    spec.input = (cpl_bind){0};
    args[1].length = 4;
    args[1].dtype = CPL_INT64;
    args[1].data = x;
    spec.segment = nobody;
    FAILS(w, cpl_scan(w->module, &spec, NULL, args, 2), CPL_EARG,
          "the start of segments names no function");
    spec.segment = (cpl_bind){0};
    spec.output = nothing;
    FAILS(w, cpl_scan(w->module, &spec, NULL, args, 2), CPL_EARG, "the output has no text");
    spec.output = (cpl_bind){0};
    spec.neutral = nobody;
    FAILS(w, cpl_scan(w->module, &spec, NULL, args, 2), CPL_EARG,
          "the neutral element names no function");
    spec.op = (cpl_bind){0};
    FAILS(w, cpl_scan(w->module, &spec, NULL, args, 2), CPL_EARG, "the operator is no expression");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(scans),          TEST(plain_scans),      TEST(elements_apart), TEST(recurrences),
        TEST(scanned_before), TEST(one_piece_before), TEST(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

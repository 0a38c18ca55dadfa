/*
 * Whether random numbers are distributed as they are said to be, at fixed seeds: chi-square and
 * Kolmogorov-Smirnov tests, moments, and correlation between neighbouring elements, seeds and
 * draws. What is compared lies within four standard deviations or so; the numbers never change, so
 * what passes once passes always.
 */
#include "device_world.h"

#include <cpl/random.h>

#include <math.h>

enum { COUNT = 200000 };
static double x[COUNT], y[COUNT];

static int set_up_kernels(void **state)
{
    return set_up_source(state, "random.py", "");
}

/* Fills room with COUNT elements of a type. */
static void fill(world *w, const cpl_random_spec *s, cpl_dtype dtype, void *room)
{
    cpl_arg out = cpl_arg_array(dtype, room, COUNT);
    OK(w, cpl_random_fill(w->module, s, NULL, &out));
}

static cpl_random_spec spec_of(cpl_random_kind kind, uint64_t seed)
{
    cpl_random_spec s;
    cpl_random_spec_init(&s);
    s.kind = kind;
    s.seed = seed;
    return s;
}

/* As doubles, whatever they were. */
static void fill_as(world *w, const cpl_random_spec *s, cpl_dtype dtype, double *room)
{
    static float narrow[COUNT];
    if (dtype == CPL_FLOAT64) {
        fill(w, s, dtype, room);
        return;
    }
    fill(w, s, dtype, narrow);
    for (int i = 0; i < COUNT; i++) room[i] = narrow[i];
}

/* --- what is tested --- */

/* Counts that should all be n/bins: chi-square in standard deviations, by E. B. Wilson's and M. M.
 * Hilferty's cube root, which is about normal. */
static double chi_square(const int64_t *counts, int64_t bins, double n)
{
    double expected = n / (double)bins, sum = 0, variance = 2 / (9. * ((double)bins - 1));
    for (int64_t b = 0; b < bins; b++)
        sum += ((double)counts[b] - expected) * ((double)counts[b] - expected) / expected;
    return (cbrt(sum / ((double)bins - 1)) - (1 - variance)) / sqrt(variance);
}

#define IS_EVEN(counts, bins, n)                                                                   \
    do {                                                                                           \
        double away = chi_square(counts, bins, n);                                                 \
        if (!(fabs(away) < 4))                                                                     \
            fail_msg("line %d: chi-square is %g deviations from its mean", __LINE__, away);        \
    } while (0)

static int compare(const void *a, const void *b)
{
    double l = *(const double *)a, r = *(const double *)b;
    return (l > r) - (l < r);
}

typedef double distribution(double value);

/* Kolmogorov's and Smirnov's D times sqrt(n), which is above 1.95 once in 1000 times, and, as it
 * should not be too small either, below 0.4 once in 300. */
static void follows(const double *values, distribution *f)
{
    double *sorted = malloc(COUNT * sizeof *sorted), most = 0;
    memcpy(sorted, values, COUNT * sizeof *sorted);
    qsort(sorted, COUNT, sizeof *sorted, compare);
    for (int i = 0; i < COUNT; i++) {
        double at = f(sorted[i]), below = at - (double)i / COUNT,
               above = (double)(i + 1) / COUNT - at;
        most = fmax(most, fmax(below, above));
    }
    free(sorted);
    double d = most * sqrt(COUNT);
    if (!(d > 0.4 && d < 1.95)) fail_msg("D sqrt(n) is %g", d);
}

static double mean(const double *v, int power)
{
    double sum = 0;
    for (int i = 0; i < COUNT; i++) sum += pow(v[i], power);
    return sum / COUNT;
}

/* Correlation of n pairs times sqrt(n): about normal if they have nothing to do with each other. */
static double correlation(const double *a, const double *b, int n)
{
    double ma = 0, mb = 0, ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < n; i++) ma += a[i] / n, mb += b[i] / n;
    for (int i = 0; i < n; i++) {
        double p = a[i] - ma, q = b[i] - mb;
        ab += p * q, aa += p * p, bb += q * q;
    }
    return ab / sqrt(aa * bb) * sqrt(n);
}

static void unrelated(const double *a, const double *b, int n)
{
    double r = correlation(a, b, n);
    if (!(fabs(r) < 4)) fail_msg("correlation times sqrt(n) is %g", r);
}

/* --- uniform --- */

static double flat(double v)
{
    return v;
}

static void uniform(void **state)
{
    world *w = *state;
    static const cpl_dtype types[] = {CPL_FLOAT64, CPL_FLOAT32};
    for (int k = 0; k < 6; k++) {
        enum { BINS = 1000, SIDE = 40 };
        int64_t bins[BINS] = {0}, pairs[SIDE * SIDE] = {0};
        cpl_random_spec s = spec_of(CPL_RANDOM_UNIFORM, (uint64_t)(k / 2));
        fill_as(w, &s, types[k % 2], x);
        follows(x, flat);
        for (int i = 0; i < COUNT; i++) bins[(int)(x[i] * BINS)]++;
        IS_EVEN(bins, BINS, COUNT);
        for (int i = 0; i + 1 < COUNT; i += 2)
            pairs[(int)(x[i] * SIDE) * SIDE + (int)(x[i + 1] * SIDE)]++;
        IS_EVEN(pairs, SIDE * SIDE, COUNT / 2);
    }
}

static void bits(void **state)
{
    world *w = *state;
    static uint64_t v[COUNT];
    cpl_random_spec s = spec_of(CPL_RANDOM_BITS, 12);
    fill(w, &s, CPL_UINT64, v);
    for (int b = 0; b < 64; b++) {
        int64_t counts[4] = {0}; /* of a bit here and in the next element */
        for (int i = 0; i + 1 < COUNT; i += 2) counts[(v[i] >> b & 1) * 2 + (v[i + 1] >> b & 1)]++;
        IS_EVEN(counts, 4, COUNT / 2);
    }
}

/* Scaled: as said, not only in shape. */
static double from_3_to_7(double v)
{
    return (v - 3) / 4;
}

static void scaled(void **state)
{
    world *w = *state;
    cpl_random_spec s = spec_of(CPL_RANDOM_UNIFORM, 77);
    s.low = 3, s.high = 7;
    fill(w, &s, CPL_FLOAT64, x);
    follows(x, from_3_to_7);
    assert_true(fabs(mean(x, 1) - 5) < 4 * 4 / sqrt(12. * COUNT));
}

/* Neighbouring elements, seeds and draws. */
static void neighbours(void **state)
{
    world *w = *state;
    static const cpl_random_kind kinds[] = {CPL_RANDOM_UNIFORM, CPL_RANDOM_NORMAL,
                                            CPL_RANDOM_EXPONENTIAL};
    for (int k = 0; k < 6; k++) {
        cpl_dtype dtype = k % 2 ? CPL_FLOAT32 : CPL_FLOAT64;
        cpl_random_spec s = spec_of(kinds[k / 2], 1000);
        fill_as(w, &s, dtype, x);
        for (int lag = 1; lag <= 5; lag++) unrelated(x, x + lag, COUNT - lag);
        s.seed++;
        fill_as(w, &s, dtype, y);
        unrelated(x, y, COUNT);
        s.seed += ((uint64_t)1 << 32) - 1;
        fill_as(w, &s, dtype, y);
        unrelated(x, y, COUNT);
        s.seed = 1000, s.draw = 1;
        fill_as(w, &s, dtype, y);
        unrelated(x, y, COUNT);
        s.draw = 0, s.offset = (uint64_t)1 << 34;
        fill_as(w, &s, dtype, y);
        unrelated(x, y, COUNT);
    }
}

/* --- others --- */

static double bell(double v)
{
    return erfc(-v / sqrt(2)) / 2;
}

static void normal(void **state)
{
    world *w = *state;
    static const double moments[] = {0, 1, 0, 3, 0, 15},
                        deviations[] = {1, 1.42, 3.88, 9.8, 31, 101};
    for (int k = 0; k < 6; k++) {
        cpl_random_spec s = spec_of(CPL_RANDOM_NORMAL, (uint64_t)k);
        fill_as(w, &s, k % 2 ? CPL_FLOAT32 : CPL_FLOAT64, x);
        follows(x, bell);
        for (int m = 0; m < 6; m++)
            assert_true(fabs(mean(x, m + 1) - moments[m]) < 4 * deviations[m] / sqrt(COUNT));
        for (int i = 0; i < COUNT; i++) y[i] = x[i] * x[i]; /* two are made of one radius */
        unrelated(y, y + 1, COUNT - 1);
        unrelated(x, y + 1, COUNT - 1);
    }
}

static double decay(double v)
{
    return -expm1(-v / 2.5);
}

static void exponential(void **state)
{
    world *w = *state;
    for (int k = 0; k < 6; k++) {
        cpl_random_spec s = spec_of(CPL_RANDOM_EXPONENTIAL, (uint64_t)k);
        s.scale = 2.5;
        fill_as(w, &s, k % 2 ? CPL_FLOAT32 : CPL_FLOAT64, x);
        follows(x, decay);
        assert_true(fabs(mean(x, 1) - 2.5) < 4 * 2.5 / sqrt(COUNT));
        assert_true(fabs(mean(x, 2) - 12.5) < 4 * 28 / sqrt(COUNT));
    }
}

static void integers(void **state)
{
    world *w = *state;
    static const int64_t counts[] = {2, 3, 37, 1000};
    static int64_t v[COUNT];
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        int64_t bins[1000] = {0}, high[7] = {0};
        cpl_random_spec s = spec_of(CPL_RANDOM_INTEGERS, k);
        s.from = -5, s.to = counts[k] - 5;
        fill(w, &s, CPL_INT64, v);
        for (int i = 0; i < COUNT; i++) bins[v[i] + 5]++;
        IS_EVEN(bins, counts[k], COUNT);
        int64_t seventh = (int64_t)1 << (58 - 10 * (int)k); /* of a range that is no power of two */
        s.from = 0, s.to = 7 * seventh;
        fill(w, &s, CPL_INT64, v);
        for (int i = 0; i < COUNT; i++) high[v[i] / seventh]++;
        IS_EVEN(high, 7, COUNT);
    }
}

/* --- permutations --- */

static void permute(world *w, uint64_t seed, int32_t *out, int64_t n)
{
    cpl_random_spec s = spec_of(CPL_RANDOM_UNIFORM, seed);
    cpl_arg to = cpl_arg_array(CPL_INT32, out, n);
    OK(w, cpl_random_permutation(w->module, &s, NULL, &to));
}

/* Which of the n! it is. */
static int64_t rank_of(const int32_t *p, int n)
{
    int64_t rank = 0;
    for (int i = 0; i < n; i++) {
        int smaller = 0;
        for (int k = i + 1; k < n; k++) smaller += p[k] < p[i];
        rank = rank * (n - i) + smaller;
    }
    return rank;
}

/* Of few numbers all that there are, as often as each other. */
static void small_permutations(void **state)
{
    world *w = *state;
    int64_t of[] = {1, 1, 2, 6, 24, 120};
    for (int n = 2; n <= 5; n++) {
        int64_t counts[120] = {0};
        int32_t p[5];
        for (uint64_t seed = 0; seed < 6000; seed++) {
            permute(w, seed * 0x100000001, p, n);
            counts[rank_of(p, n)]++;
        }
        IS_EVEN(counts, of[n], 6000);
    }
}

/* Where a number comes, what comes behind it, and how many stay: of sizes that are powers of two
 * and are not. */
static void large_permutations(void **state)
{
    world *w = *state;
    enum { SEEDS = 4000, MOST_BINS = 127 };
    static const struct {
        int n, bins, steps; /* divisors of n and n - 1 */
    } rows[] = {{255, 51, 127}, {256, 64, 51}, {512, 64, 73}, {1000, 50, 37}, {4096, 64, 63}};
    static int32_t p[4096];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        int n = rows[k].n, width = n / rows[k].bins, step = (n - 1) / rows[k].steps;
        int64_t first[MOST_BINS] = {0}, last[MOST_BINS] = {0}, next[MOST_BINS] = {0}, stay = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            permute(w, seed, p, n);
            first[p[0] / width]++;
            last[p[n - 1] / width]++;
            next[((p[1] - p[0] + n) % n - 1) / step]++;
            for (int i = 0; i < n; i++) stay += p[i] == i;
        }
        assert_true(fabs((double)stay / SEEDS - 1) < 4 / sqrt(SEEDS));
        IS_EVEN(first, rows[k].bins, SEEDS);
        IS_EVEN(last, rows[k].bins, SEEDS);
        IS_EVEN(next, rows[k].steps, SEEDS);
    }
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(uniform),
        TEST(bits),
        TEST(scaled),
        TEST(neighbours),
        TEST(normal),
        TEST(exponential),
        TEST(integers),
        TEST(small_permutations),
        TEST(large_permutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * The loops of kernels.py as a C programmer writes them for OpenMP. Every function that bench.c
 * calls has the same parameters, the arrays and numbers of a case in the order of cases.py.
 */
#include <math.h>
#include <stdint.h>

#define ENTRY(name)                                                                                \
    void name(int64_t n, void *const *array, const double *number);                                \
    void name(int64_t n, void *const *array, const double *number)

static void axpb_loop(int64_t n, const double *restrict x, double *restrict y, double a, double b)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) y[i] = a * sin(x[i]) + b;
}

ENTRY(axpb)
{
    axpb_loop(n, array[0], array[1], number[0], number[1]);
}

static void gauss_loop(int64_t n, const double *restrict x, double *restrict y)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) y[i] = exp(-x[i] * x[i]) / sqrt(1.0 + x[i] * x[i]);
}

ENTRY(gauss)
{
    (void)number;
    gauss_loop(n, array[0], array[1]);
}

static void saxpy_loop(int64_t n, const float *restrict x, float *restrict y, float a)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) y[i] += a * x[i];
}

ENTRY(saxpy)
{
    saxpy_loop(n, array[0], array[1], (float)number[0]);
}

static void triad_loop(int64_t n, double *restrict x, const double *restrict y,
                       const double *restrict z, double s)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) x[i] = y[i] + s * z[i];
}

ENTRY(triad)
{
    triad_loop(n, array[0], array[1], array[2], number[0]);
}

static void powlog_loop(int64_t n, const double *restrict x, double *restrict y, double a)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) y[i] = pow(x[i], a) * log(x[i] + 1.0);
}

ENTRY(powlog)
{
    powlog_loop(n, array[0], array[1], number[0]);
}

#define VORTEX(name, real)                                                                         \
    static void name##_loop(int64_t n, const real *restrict x, const real *restrict y,             \
                            const real *restrict strength, real *restrict u, real *restrict v,     \
                            real core)                                                             \
    {                                                                                              \
        _Pragma("omp parallel for") for (int64_t i = 0; i < n; i++)                                \
        {                                                                                          \
            real sum_u = 0, sum_v = 0;                                                             \
            for (int64_t j = 0; j < n; j++) {                                                      \
                real dx = x[i] - x[j], dy = y[i] - y[j];                                           \
                real s = strength[j] / (dx * dx + dy * dy + core);                                 \
                sum_u -= dy * s;                                                                   \
                sum_v += dx * s;                                                                   \
            }                                                                                      \
            u[i] = sum_u;                                                                          \
            v[i] = sum_v;                                                                          \
        }                                                                                          \
    }                                                                                              \
    ENTRY(name)                                                                                    \
    {                                                                                              \
        name##_loop(n, array[0], array[1], array[2], array[3], array[4], (real)number[1]);         \
    }

VORTEX(vortex, double)
VORTEX(vortex_f32, float)

static void julia_loop(int64_t n, double *restrict z, const double *restrict re,
                       const double *restrict im, double cre, double cim)
{
#pragma omp parallel for schedule(dynamic, 1024)
    for (int64_t i = 0; i < n; i++) {
        double x = re[i], y = im[i];
        int k = 0;
        while (x * x + y * y < 400.0 && k < 50) {
            double t = x * x - y * y + cre;
            y = 2.0 * x * y + cim;
            x = t;
            k++;
        }
        z[i] = 1.0 - 0.02 * k;
    }
}

ENTRY(julia)
{
    julia_loop(n, array[0], array[1], array[2], number[0], number[1]);
}

static void forces_loop(int64_t n, const double *restrict x, const double *restrict y,
                        const int32_t *restrict start, const int32_t *restrict index,
                        double *restrict fx, double *restrict fy)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        double sum_x = 0, sum_y = 0;
        for (int32_t k = start[i]; k < start[i + 1]; k++) {
            int32_t j = index[k];
            double dx = x[i] - x[j], dy = y[i] - y[j];
            double r2 = 1.0 / (dx * dx + dy * dy);
            double r6 = r2 * r2 * r2;
            double f = 24.0 * r2 * r6 * (2.0 * r6 - 1.0);
            sum_x += f * dx;
            sum_y += f * dy;
        }
        fx[i] = sum_x;
        fy[i] = sum_y;
    }
}

ENTRY(forces)
{
    (void)number;
    forces_loop(n, array[0], array[1], array[2], array[3], array[4], array[5]);
}

static void histogram_loop(int64_t n, const int32_t *restrict values, int32_t *restrict counts)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
#pragma omp atomic
        counts[values[i]]++;
    }
}

ENTRY(histogram)
{
    (void)number;
    histogram_loop(n, array[0], array[1]);
}

/* Reductions are what OpenMP has; it has no scans that compilers make parallel. */

ENTRY(sum_f32)
{
    const float *x = array[0];
    float s = 0;
    (void)number;
#pragma omp parallel for simd reduction(+ : s)
    for (int64_t i = 0; i < n; i++) s += x[i];
    *(float *)array[1] = s;
}

ENTRY(sum_f64)
{
    const double *x = array[0];
    double s = 0;
    (void)number;
#pragma omp parallel for simd reduction(+ : s)
    for (int64_t i = 0; i < n; i++) s += x[i];
    *(double *)array[1] = s;
}

ENTRY(min_f64)
{
    const double *x = array[0];
    double s = x[0];
    (void)number;
#pragma omp parallel for simd reduction(min : s)
    for (int64_t i = 0; i < n; i++) s = x[i] < s ? x[i] : s;
    *(double *)array[1] = s;
}

typedef struct best {
    double value, index;
} best;

static best better(best a, best b)
{
    return a.value <= b.value ? a : b;
}

#pragma omp declare reduction(better:best : omp_out = better(omp_out, omp_in))                     \
    initializer(omp_priv = omp_orig)

ENTRY(argmin_f64)
{
    const double *x = array[0];
    best s = {x[0], 0};
    (void)number;
#pragma omp parallel for reduction(better : s)
    for (int64_t i = 0; i < n; i++)
        if (x[i] < s.value) s = (best){x[i], (double)i};
    *(best *)array[1] = s;
}

ENTRY(dot_f64)
{
    const double *x = array[0], *y = array[1];
    double s = 0;
    (void)number;
#pragma omp parallel for simd reduction(+ : s)
    for (int64_t i = 0; i < n; i++) s += x[i] * y[i];
    *(double *)array[2] = s;
}

ENTRY(three_f64)
{
    const double *x = array[0];
    double s = 0, least = x[0], most = x[0];
    (void)number;
#pragma omp parallel for simd reduction(+ : s) reduction(min : least) reduction(max : most)
    for (int64_t i = 0; i < n; i++) {
        s += x[i];
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
    }
    *(double *)array[1] = s;
    *(double *)array[2] = least;
    *(double *)array[3] = most;
}

ENTRY(scan_i32)
{
    const int32_t *restrict x = array[0];
    int32_t *restrict y = array[1], s = 0;
    (void)number;
    for (int64_t i = 0; i < n; i++) y[i] = s += x[i];
}

ENTRY(scan_f64)
{
    const double *restrict x = array[0];
    double *restrict y = array[1], s = 0;
    (void)number;
    for (int64_t i = 0; i < n; i++) y[i] = s += x[i];
}

ENTRY(scan_max_f64)
{
    const double *restrict x = array[0];
    double *restrict y = array[1], s = x[0];
    (void)number;
    for (int64_t i = 0; i < n; i++) y[i] = s = x[i] > s ? x[i] : s;
}

ENTRY(segmented_f64)
{
    const double *restrict x = array[0];
    double *restrict y = array[1], s = 0;
    (void)number;
    for (int64_t i = 0; i < n; i++) y[i] = s = i % 100 == 0 ? x[i] : s + x[i];
}

ENTRY(affine_f64)
{
    const double *restrict x = array[0];
    double *restrict y = array[1], s = 0;
    (void)number;
    for (int64_t i = 0; i < n; i++) y[i] = s = 0.5 * s + x[i];
}

ENTRY(compact_f64)
{
    const double *restrict x = array[0];
    double *restrict y = array[1];
    int64_t count = 0;
    (void)number;
    for (int64_t i = 0; i < n; i++)
        if (x[i] > 0.5) y[count++] = x[i];
    *(int64_t *)array[2] = count;
}

/* Philox 4x32-10, two numbers a block. */

static void philox(uint32_t *w, uint64_t seed, uint64_t block)
{
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32), x0 = (uint32_t)block,
             x1 = (uint32_t)(block >> 32), x2 = 0, x3 = 0;
    for (int r = 0; r < 10; r++, k0 += 0x9E3779B9, k1 += 0xBB67AE85) {
        uint64_t p = (uint64_t)0xD2511F53 * x0, q = (uint64_t)0xCD9E8D57 * x2;
        x0 = (uint32_t)(q >> 32) ^ x1 ^ k0, x1 = (uint32_t)q;
        x2 = (uint32_t)(p >> 32) ^ x3 ^ k1, x3 = (uint32_t)p;
    }
    w[0] = x0, w[1] = x1, w[2] = x2, w[3] = x3;
}

static double fraction(uint32_t low, uint32_t high)
{
    return (double)(((uint64_t)high << 32 | low) >> 11) * 0x1p-53;
}

ENTRY(uniform_f64)
{
    double *restrict x = array[0];
    (void)number;
#pragma omp parallel for
    for (int64_t b = 0; b < n / 2; b++) {
        uint32_t w[4];
        philox(w, 2026, (uint64_t)b);
        x[2 * b] = fraction(w[0], w[1]);
        x[2 * b + 1] = fraction(w[2], w[3]);
    }
}

ENTRY(normal_f64)
{
    double *restrict x = array[0];
    (void)number;
#pragma omp parallel for
    for (int64_t b = 0; b < n / 2; b++) {
        uint32_t w[4];
        philox(w, 2026, (uint64_t)b);
        double r = sqrt(-2 * log(1 - fraction(w[0], w[1])));
        double angle = 6.283185307179586 * fraction(w[2], w[3]);
        x[2 * b] = r * cos(angle);
        x[2 * b + 1] = r * sin(angle);
    }
}

ENTRY(take_f64)
{
    const int32_t *restrict k = array[0];
    const double *restrict x = array[1];
    double *restrict y = array[2];
    (void)number;
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) y[i] = x[k[i]];
}

ENTRY(align_three)
{
    const int32_t *restrict k = array[0], *restrict c = array[3];
    const double *restrict a = array[1];
    const float *restrict b = array[2];
    double *restrict x = array[4];
    float *restrict y = array[5];
    int32_t *restrict z = array[6];
    (void)number;
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) x[i] = a[k[i]], y[i] = b[k[i]], z[i] = c[k[i]];
}

/* A counting sort on one thread: cells are as many as a tenth of n. */
ENTRY(cells_i32)
{
    const int32_t *restrict cell = array[0];
    int32_t *restrict order = array[1], *restrict offsets = array[2];
    int64_t m = n / 10;
    (void)number;
    for (int64_t k = 0; k <= m; k++) offsets[k] = 0;
    for (int64_t i = 0; i < n; i++) offsets[cell[i]]++;
    for (int64_t k = 0, at = 0, t; k <= m; k++, at += t) t = offsets[k], offsets[k] = (int32_t)at;
    for (int64_t i = 0; i < n; i++) order[offsets[cell[i]]++] = (int32_t)i;
    for (int64_t k = m; k > 0; k--) offsets[k] = offsets[k - 1];
    offsets[0] = 0;
}

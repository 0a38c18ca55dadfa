/* What the kernels in kernels.py are compared with: the same loops as a C programmer writes them for OpenMP. */
#include <math.h>
#include <stdint.h>

void axpb(int64_t n, const double *restrict x, double *restrict y, double a, double b);
void saxpy(int64_t n, const float *restrict x, float *restrict y, float a);
void triad(int64_t n, double *restrict x, const double *restrict y, const double *restrict z, double s);
void vortex(int64_t n, const double *restrict x, const double *restrict y, const double *restrict strength,
            double *restrict u, double *restrict v, double core);

void axpb(int64_t n, const double *restrict x, double *restrict y, double a, double b)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++)
        y[i] = a * sin(x[i]) + b;
}

void saxpy(int64_t n, const float *restrict x, float *restrict y, float a)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

void triad(int64_t n, double *restrict x, const double *restrict y, const double *restrict z, double s)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++)
        x[i] = y[i] + s * z[i];
}

void vortex(int64_t n, const double *restrict x, const double *restrict y, const double *restrict strength,
            double *restrict u, double *restrict v, double core)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        double sum_u = 0, sum_v = 0;
        for (int64_t j = 0; j < n; j++) {
            double dx = x[i] - x[j], dy = y[i] - y[j];
            double s = strength[j] / (dx * dx + dy * dy + core);
            sum_u -= dy * s;
            sum_v += dx * s;
        }
        u[i] = sum_u;
        v[i] = sum_v;
    }
}

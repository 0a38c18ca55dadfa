/* The kernels of first.py in C, for the compiler to read with -DUNIQUE=NUMBER and -DKERNEL_name. */
#include <math.h>
#include <stdint.h>

void kernel(int64_t count, const double *restrict x, double *restrict y, int32_t n);

void kernel(int64_t count, const double *restrict x, double *restrict y, int32_t n)
{
#pragma omp parallel for
    for (int64_t i = 0; i < count; i++) {
#if defined KERNEL_straight
        (void)n;
        y[i] = UNIQUE * sin(x[i]) + 1.0;
#elif defined KERNEL_loop
        double s = 0;
        for (int32_t j = 0; j < n; j++) {
            double d = x[i] - x[j];
            s += d / (d * d + UNIQUE);
        }
        y[i] = s;
#else
        double re = x[i], im = 0.25;
        int32_t k = 0;
        while (k < n && re * re + im * im < 4.0) {
            double t = re * re - im * im - 0.8 * UNIQUE;
            im = 2.0 * re * im + 0.156;
            re = t;
            k++;
        }
        y[i] = k;
#endif
    }
}

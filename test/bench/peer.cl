/* The loops of kernels.py in OpenCL C; one work-item is one iteration. */
#define I get_global_id(0)

kernel void axpb(global const double *restrict x, global double *restrict y, double a, double b)
{
    y[I] = a * sin(x[I]) + b;
}

kernel void gauss(global const double *restrict x, global double *restrict y)
{
    y[I] = exp(-x[I] * x[I]) / sqrt(1.0 + x[I] * x[I]);
}

kernel void saxpy(global const float *restrict x, global float *restrict y, float a)
{
    y[I] += a * x[I];
}

kernel void triad(global double *restrict x, global const double *restrict y, global const double *restrict z, double s)
{
    x[I] = y[I] + s * z[I];
}

kernel void powlog(global const double *restrict x, global double *restrict y, double a)
{
    y[I] = pow(x[I], a) * log(x[I] + 1.0);
}

#define VORTEX(name, real)                                                                                              \
    kernel void name(global const real *restrict x, global const real *restrict y, global const real *restrict strength, \
                     global real *restrict u, global real *restrict v, int n, real core)                                \
    {                                                                                                                   \
        real sum_u = 0, sum_v = 0;                                                                                      \
        for (int j = 0; j < n; j++) {                                                                                   \
            real dx = x[I] - x[j], dy = y[I] - y[j];                                                                    \
            real s = strength[j] / (dx * dx + dy * dy + core);                                                          \
            sum_u -= dy * s;                                                                                            \
            sum_v += dx * s;                                                                                            \
        }                                                                                                               \
        u[I] = sum_u;                                                                                                   \
        v[I] = sum_v;                                                                                                   \
    }

VORTEX(vortex, double)
VORTEX(vortex_f32, float)

kernel void julia(global double *restrict z, global const double *restrict re, global const double *restrict im, double cre, double cim)
{
    double x = re[I], y = im[I];
    int k = 0;
    while (x * x + y * y < 400.0 && k < 50) {
        double t = x * x - y * y + cre;
        y = 2.0 * x * y + cim;
        x = t;
        k++;
    }
    z[I] = 1.0 - 0.02 * k;
}

kernel void forces(global const double *restrict x, global const double *restrict y, global const int *restrict start,
                   global const int *restrict index, global double *restrict fx, global double *restrict fy)
{
    double sum_x = 0, sum_y = 0;
    for (int k = start[I]; k < start[I + 1]; k++) {
        int j = index[k];
        double dx = x[I] - x[j], dy = y[I] - y[j];
        double r2 = 1.0 / (dx * dx + dy * dy);
        double r6 = r2 * r2 * r2;
        double f = 24.0 * r2 * r6 * (2.0 * r6 - 1.0);
        sum_x += f * dx;
        sum_y += f * dy;
    }
    fx[I] = sum_x;
    fy[I] = sum_y;
}

kernel void histogram(global const int *restrict values, global int *restrict counts)
{
    atomic_inc(&counts[values[I]]);
}

kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void matmul(global const float *restrict a, global const float *restrict b, global float *restrict c, int side)
{
    local float ta[16][16], tb[16][16];
    int x = get_local_id(0), y = get_local_id(1);
    long row = get_global_id(1), column = get_global_id(0);
    float total = 0;
    for (int tile = 0; tile < side / 16; tile++) {
        ta[y][x] = a[row * side + 16 * tile + x];
        tb[y][x] = b[(16 * tile + y) * side + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 16; j++) total += ta[y][j] * tb[j][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * side + column] = total;
}

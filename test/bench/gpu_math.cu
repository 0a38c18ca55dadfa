// The peer of gpu_math.c: the same formulas by nvcc. gpu_math LENGTH; one line a formula: name, who, ms.
// gpu.py compiles it: nvcc -O3 -arch=native --extended-lambda gpu_math.cu -o gpu_math
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t e)
{
    if (e == cudaSuccess) return;
    fprintf(stderr, "gpu_math: %s\n", cudaGetErrorString(e));
    exit(1);
}

template <typename T> __global__ void fill(T *x, T most, long long n)
{
    long long i = blockIdx.x*(long long)blockDim.x + threadIdx.x;
    if (i < n) x[i] = T(0.001)*T(i%1000 + 1)*most;
}

template <typename T, typename F> __global__ void map(const T *__restrict__ x, T *__restrict__ y, T a, long long n, F f)
{
    long long i = blockIdx.x*(long long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i], a);
}

template <typename T, typename F> static void run(const char *name, T most, long long n, F f)
{
    T *x, *y;
    cudaEvent_t begin, end;
    float best = 1e30f;
    unsigned blocks = (unsigned)((n + 255)/256);
    check(cudaMalloc(&x, n*sizeof(T)));
    check(cudaMalloc(&y, n*sizeof(T)));
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    fill<<<blocks, 256>>>(x, most, n);
    for (int i = 0; i < 20; i++) {
        float ms;
        check(cudaEventRecord(begin));
        map<<<blocks, 256>>>(x, y, T(1.7), n, f);
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        check(cudaEventElapsedTime(&ms, begin, end));
        best = std::min(best, ms);
    }
    printf("%s\tnvcc\t%.6g\tms\n", name, best);
    fflush(stdout);
    cudaFree(x), cudaFree(y);
}

int main(int, char **argv)
{
    long long n = atoll(argv[1]);
#define FORMULA(name, type, most, expression) \
    run<type>(name, most, n, [] __device__(type x, type a) { return expression; });
#include "gpu_math.def"
    return 0;
}

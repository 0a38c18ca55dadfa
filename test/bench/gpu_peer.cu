// The peers of gpu_bench.c: the same loops by nvcc, cudaMemcpy and NVRTC. One line a figure: name, who, value, unit.
// gpu.py compiles it: nvcc -O3 -arch=native gpu_peer.cu -o gpu_peer -lnvrtc -lcuda
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>

#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

static void figure(const char *name, const char *who, double value, const char *unit)
{
    printf("%s\t%s\t%.6g\t%s\n", name, who, value, unit);
    fflush(stdout);
}

static void check(cudaError_t e, const char *what)
{
    if (e == cudaSuccess) return;
    fprintf(stderr, "gpu_peer: %s: %s\n", what, cudaGetErrorString(e));
    exit(1);
}

static double now_us()
{
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static double fastest(int runs, const std::function<void()> &launch)
{
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin), "event");
    check(cudaEventCreate(&end), "event");
    float best = 1e30f;
    for (int i = 0; i < runs; i++) {
        cudaEventRecord(begin);
        launch();
        cudaEventRecord(end);
        check(cudaEventSynchronize(end), "launch");
        float ms;
        cudaEventElapsedTime(&ms, begin, end);
        best = std::min(best, ms);
    }
    return best;
}

template <typename T> __global__ void fill(T *x, T value, long long n)
{
    for (long long i = blockIdx.x*(long long)blockDim.x + threadIdx.x; i < n; i += gridDim.x*(long long)blockDim.x) x[i] = value;
}

template <typename T> static T *filled(long long n, T value)
{
    T *x;
    check(cudaMalloc(&x, n*sizeof(T)), "cudaMalloc");
    fill<<<1024, 256>>>(x, value, n);
    check(cudaDeviceSynchronize(), "fill");
    return x;
}

__global__ void axpb(const double *__restrict__ x, double *__restrict__ y, double a, double b, long long n)
{
    long long i = blockIdx.x*(long long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = a*sin(x[i]) + b;
}

__global__ void saxpy(const float *__restrict__ x, float *__restrict__ y, float a, long long n)
{
    long long i = blockIdx.x*(long long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = a*x[i] + y[i];
}

static void streams(long long n)
{
    unsigned blocks = (unsigned)((n + 255)/256);
    double *x = filled<double>(n, 0.5), *y = filled<double>(n, 1.0);
    double ms = fastest(20, [&] { axpb<<<blocks, 256>>>(x, y, 2.5, 1.25, n); });
    figure("a*sin(x)+b f64", "nvcc", 16e-6*n/ms, "GB/s");
    ms = fastest(20, [&] { cudaMemcpyAsync(y, x, n*8, cudaMemcpyDeviceToDevice); });
    figure("copy f64", "cudaMemcpy", 16e-6*n/ms, "GB/s");
    cudaFree(x), cudaFree(y);
    float *p = filled<float>(n, 0.5f), *q = filled<float>(n, 1.0f);
    ms = fastest(20, [&] { saxpy<<<blocks, 256>>>(p, q, 2.5f, n); });
    figure("saxpy f32", "nvcc", 12e-6*n/ms, "GB/s");
    cudaFree(p), cudaFree(q);
}

// examples/matmul.py, line by line
__global__ void matmul_kernel(const float *a, const float *b, float *c, int n, int m, int k)
{
    __shared__ float ta[16][16], tb[16][16];
    long long col = 16LL*blockIdx.x + threadIdx.x, row = 16LL*blockIdx.y + threadIdx.y;
    float total = 0;
    for (int tile = 0; tile < (k + 15)/16; tile++) {
        int x = 16*tile + threadIdx.x, y = 16*tile + threadIdx.y;
        ta[threadIdx.y][threadIdx.x] = row < n && x < k ? a[row*k + x] : 0.0f;
        tb[threadIdx.y][threadIdx.x] = y < k && col < m ? b[y*m + col] : 0.0f;
        __syncthreads();
        for (int j = 0; j < 16; j++) total += ta[threadIdx.y][j]*tb[j][threadIdx.x];
        __syncthreads();
    }
    if (row < n && col < m) c[row*m + col] = total;
}

static void matmul(int n)
{
    float *a = filled<float>((long long)n*n, 0.5f), *b = filled<float>((long long)n*n, 0.25f), *c = filled<float>((long long)n*n, 0.0f);
    dim3 grid((n + 15)/16, (n + 15)/16), block(16, 16);
    double ms = fastest(10, [&] { matmul_kernel<<<grid, block>>>(a, b, c, n, n, n); });
    figure("matmul f32", "nvcc", 2e-6*n*n*(double)n/ms, "GFLOP/s");
}

// examples/vortex_tiled.py, line by line
__global__ void place(double *x, double *y, int n)
{
    int i = blockIdx.x*blockDim.x + threadIdx.x;
    if (i < n) x[i] = sin(0.37*i), y[i] = cos(0.11*i);
}

__global__ void vortex_direct(const double *x, const double *y, const double *gamma, double *u, double *v, int n)
{
    int i = blockIdx.x*blockDim.x + threadIdx.x;
    if (i >= n) return;
    double su = 0, sv = 0;
    for (int j = 0; j < n; j++) {
        double dx = x[i] - x[j], dy = y[i] - y[j], r2 = dx*dx + dy*dy;
        if (r2 > 1e-12) {
            double s = gamma[j]/r2;
            su -= s*dy;
            sv += s*dx;
        }
    }
    u[i] = su/(2.0*3.14159265358979323846);
    v[i] = sv/(2.0*3.14159265358979323846);
}

__global__ void vortex_tiled(const double *x, const double *y, const double *gamma, double *u, double *v, int n)
{
    extern __shared__ double shared[];
    double *tx = shared, *ty = tx + blockDim.x, *tg = ty + blockDim.x;
    int i = blockIdx.x*blockDim.x + threadIdx.x;
    double xi = i < n ? x[i] : 0.0, yi = i < n ? y[i] : 0.0, su = 0, sv = 0;
    for (int tile = 0; tile < (int)((n + blockDim.x - 1)/blockDim.x); tile++) {
        int j = tile*blockDim.x + threadIdx.x;
        tx[threadIdx.x] = j < n ? x[j] : 0.0;
        ty[threadIdx.x] = j < n ? y[j] : 0.0;
        tg[threadIdx.x] = j < n ? gamma[j] : 0.0;
        __syncthreads();
        for (int t = 0; t < (int)blockDim.x; t++) {
            double dx = xi - tx[t], dy = yi - ty[t], r2 = dx*dx + dy*dy;
            if (r2 > 1e-12) {
                double s = tg[t]/r2;
                su -= s*dy;
                sv += s*dx;
            }
        }
        __syncthreads();
    }
    if (i < n) {
        u[i] = su/(2.0*3.14159265358979323846);
        v[i] = sv/(2.0*3.14159265358979323846);
    }
}

static void vortex(int n)
{
    double *x = filled<double>(n, 0), *y = filled<double>(n, 0), *g = filled<double>(n, 1), *u = filled<double>(n, 0), *v = filled<double>(n, 0);
    place<<<(n + 255)/256, 256>>>(x, y, n);
    double ms = fastest(3, [&] { vortex_direct<<<(n + 255)/256, 256>>>(x, y, g, u, v, n); });
    figure("vortex N^2 direct", "nvcc", ms, "ms");
    ms = fastest(3, [&] { vortex_tiled<<<(n + 255)/256, 256, 3*256*sizeof(double)>>>(x, y, g, u, v, n); });
    figure("vortex N^2 tiled", "nvcc", ms, "ms");
}

static void driver(CUresult e, const char *what)
{
    if (e == CUDA_SUCCESS) return;
    fprintf(stderr, "gpu_peer: %s: error %d\n", what, (int)e);
    exit(1);
}

static CUfunction compile(const std::string &text, const char *name)
{
    nvrtcProgram program;
    int major, minor;
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "attribute");
    check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0), "attribute");
    std::string arch = "--gpu-architecture=sm_" + std::to_string(major*10 + minor);
    const char *options[] = {arch.c_str()};
    size_t size = 0;
    if (nvrtcCreateProgram(&program, text.c_str(), "first.cu", 0, nullptr, nullptr) || nvrtcCompileProgram(program, 1, options) ||
        nvrtcGetCUBINSize(program, &size)) {
        fprintf(stderr, "gpu_peer: NVRTC failed\n");
        exit(1);
    }
    std::vector<char> cubin(size);
    nvrtcGetCUBIN(program, cubin.data());
    nvrtcDestroyProgram(&program);
    CUmodule module;
    CUfunction function;
    driver(cuModuleLoadData(&module, cubin.data()), "cuModuleLoadData");
    driver(cuModuleGetFunction(&function, module, name), "cuModuleGetFunction");
    return function;
}

static void first()
{
    double *x = filled<double>(256, 0.5), *y = filled<double>(256, 0), a = 2, values[256];
    std::vector<double> ms;
    long long n = 256;
    for (int i = 0; i < 9; i++) {
        std::string text = "extern \"C\" __global__ void f(long long n, double *x, double *y, double a) { long long i = blockIdx.x*(long long)blockDim.x"
                           " + threadIdx.x; if (i < n) y[i] = a*sin(x[i]) + " + std::to_string(i) + ".25; }";
        void *args[] = {&n, &x, &y, &a};
        double begin = now_us();
        CUfunction f = compile(text, "f");
        driver(cuLaunchKernel(f, 1, 1, 1, 256, 1, 1, 0, nullptr, args, nullptr), "cuLaunchKernel");
        check(cudaMemcpy(values, y, sizeof values, cudaMemcpyDeviceToHost), "cudaMemcpy");
        ms.push_back((now_us() - begin)*1e-3);
    }
    std::sort(ms.begin(), ms.end());
    figure("first call", "NVRTC", ms[4], "ms");
}

// --- algorithms ---

struct Best { float value; int at; };
struct Affine { double a, b; };
struct Better { __host__ __device__ Best operator()(Best a, Best b) const { return b.value < a.value || (b.value == a.value && b.at < a.at) ? b : a; } };
struct Behind { __host__ __device__ Affine operator()(Affine f, Affine g) const { return {g.a*f.a, g.a*f.b + g.b}; } };
struct Most { __host__ __device__ int operator()(int a, int b) const { return b > a ? b : a; } };
struct Square { __host__ __device__ float operator()(float x) const { return x*x; } };
struct Run { __host__ __device__ int operator()(int i) const { return i/37; } };

using algorithm = std::function<cudaError_t(void *, size_t &)>;

// The least microseconds a call takes in a row of that many, with CUB's own memory kept.
static double in_a_row(const char *what, int runs, const algorithm &call)
{
    size_t size = 0;
    void *room = nullptr;
    check(call(nullptr, size), what);
    check(cudaMalloc(&room, size + 1), "cudaMalloc");
    check(call(room, size), what);
    double best = 1e30;
    for (int r = 0; r < 5; r++) {
        check(cudaDeviceSynchronize(), "wait");
        double begin = now_us();
        for (int i = 0; i < runs; i++) call(room, size);
        check(cudaDeviceSynchronize(), what);
        best = std::min(best, (now_us() - begin)/runs);
    }
    cudaFree(room);
    return best;
}

static void row_figure(const char *what, int log, double rate, const char *unit)
{
    char name[64];
    snprintf(name, sizeof name, "%s 2^%d", what, log);
    figure(name, "CUB", rate, unit);
}

// Bytes read and written a second.
static void stream_in_a_row(const char *what, int log, double bytes, const algorithm &call)
{
    row_figure(what, log, bytes/in_a_row(what, log > 24 ? 10 : 100, call)*1e-3, "GB/s");
}

template <typename T> __global__ void numbers(T *x, long long n)
{
    for (long long i = blockIdx.x*(long long)blockDim.x + threadIdx.x; i < n; i += gridDim.x*(long long)blockDim.x) x[i] = (T)(i % 1000 - 300);
}

template <typename T, typename F> static void with(int log, F call)
{
    long long n = 1LL << log;
    T *x, *y;
    check(cudaMalloc(&x, n*sizeof(T)), "cudaMalloc");
    check(cudaMalloc(&y, n*sizeof(T)), "cudaMalloc");
    if constexpr (std::is_arithmetic<T>::value) numbers<<<1024, 256>>>(x, n);
    else check(cudaMemset(x, 0, n*sizeof(T)), "cudaMemset");
    call(x, y, n);
    cudaFree(x);
    cudaFree(y);
}

struct Odd { __host__ __device__ bool operator()(int x) const { return x & 1; } };
struct Bin { __host__ __device__ int operator()(int x) const { return x & 255; } };

__global__ void spread(int *x, long long n)
{
    for (long long i = blockIdx.x*(long long)blockDim.x + threadIdx.x; i < n; i += gridDim.x*(long long)blockDim.x) x[i] = (int)(i*2654435761 >> 8);
}

__global__ void runs_of_37(int *x, long long n)
{
    for (long long i = blockIdx.x*(long long)blockDim.x + threadIdx.x; i < n; i += gridDim.x*(long long)blockDim.x) x[i] = (int)(i/37);
}

static void chosen(int log)
{
    long long n = 1LL << log;
    int *x, *y, *number;
    check(cudaMalloc(&x, n*4), "cudaMalloc");
    check(cudaMalloc(&y, n*4 + 1024), "cudaMalloc");
    check(cudaMalloc(&number, 8), "cudaMalloc");
    spread<<<1024, 256>>>(x, n);
    stream_in_a_row("select i32, half", log, 6.0*n, [&](void *t, size_t &s) { return cub::DeviceSelect::If(t, s, x, y, (long long *)number, n, Odd()); });
    auto bins = thrust::make_transform_iterator(x, Bin());
    stream_in_a_row("histogram i32, 256 bins", log, 4.0*n, [&](void *t, size_t &s) { return cub::DeviceHistogram::HistogramEven(t, s, bins, y, 257, 0, 256, n); });
    runs_of_37<<<1024, 256>>>(x, n);
    stream_in_a_row("unique i32, runs of 37", log, (4 + 4./37)*n, [&](void *t, size_t &s) { return cub::DeviceSelect::Unique(t, s, x, y, (long long *)number, n); });
    stream_in_a_row("reduce by key i32, runs of 37", log, (8 + 8./37)*n, [&](void *t, size_t &s) { return cub::DeviceReduce::ReduceByKey(t, s, x, y, x, y + n/2, (long long *)number, cuda::std::plus<>(), n); });
    cudaFree(x), cudaFree(y), cudaFree(number);
}

template <typename T> __global__ void sum_few(const int *cells, T *sums, const T *x, long long n)
{
    __shared__ T mine[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x) mine[k] = 0;
    __syncthreads();
    for (long long i = blockIdx.x*(long long)blockDim.x + threadIdx.x; i < n; i += gridDim.x*(long long)blockDim.x)
        atomicAdd(&mine[cells[i] & 255], x[i]);
    __syncthreads();
    for (int k = threadIdx.x; k < 256; k += blockDim.x) atomicAdd(&sums[k], mine[k]);
}

template <typename T> static void sums_few(const char *name, const int *cells, long long n)
{
    T *x = filled<T>(n, 1), *sums = filled<T>(256, 0);
    int blocks, units;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum_few<T>, 256, 0);
    cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, 0);
    double ms = fastest(10, [&] { sum_few<T><<<blocks*units, 256>>>(cells, sums, x, n); });
    figure(name, "nvcc", (4 + sizeof(T))*1e-6*n/ms, "GB/s");
    cudaFree(x), cudaFree(sums);
}

static void count_few(long long n)
{
    int *x, *counts;
    void *scratch = nullptr;
    size_t bytes = 0;
    check(cudaMalloc(&x, n*4), "cudaMalloc");
    check(cudaMalloc(&counts, 1024), "cudaMalloc");
    spread<<<1024, 256>>>(x, n);
    auto cells = thrust::make_transform_iterator(x, Bin());
    auto count = [&] { cub::DeviceHistogram::HistogramEven(scratch, bytes, cells, counts, 257, 0, 256, n); };
    count();
    check(cudaMalloc(&scratch, bytes), "cudaMalloc");
    figure("counts by atomics, 256 cells", "CUB", 4e-6*n/fastest(10, count), "GB/s");
    sums_few<float>("sums by atomics f32, 256 cells", x, n);
    sums_few<double>("sums by atomics f64, 256 cells", x, n);
    cudaFree(x), cudaFree(counts), cudaFree(scratch);
}

// kernels.py's, line by line
__global__ void place(double *re, double *im, long long edge)
{
    long long first = blockIdx.x*(long long)blockDim.x + threadIdx.x;
    for (long long i = first; i < edge*edge; i += gridDim.x*(long long)blockDim.x) {
        re[i] = -1.5 + 3.0*(i % edge)/(edge - 1);
        im[i] = -1.5 + 3.0*(i/edge)/(edge - 1);
    }
}

__global__ void julia(double *z, const double *re, const double *im, double cre, double cim, long long n)
{
    long long i = blockIdx.x*(long long)blockDim.x + threadIdx.x;
    if (i >= n) return;
    double x = re[i], y = im[i];
    int k = 0;
    while (x*x + y*y < 400.0 && k < 50) {
        double t = x*x - y*y + cre;
        y = 2.0*x*y + cim;
        x = t;
        k++;
    }
    z[i] = 1.0 - 0.02*k;
}

static void loops(long long edge)
{
    long long n = edge*edge;
    unsigned blocks = (unsigned)((n + 255)/256);
    double *z = filled<double>(n, 0), *re = filled<double>(n, 0), *im = filled<double>(n, 0);
    place<<<1024, 256>>>(re, im, edge);
    double ms = fastest(10, [&] { julia<<<blocks, 256>>>(z, re, im, 0.7885*cos(3.0), 0.7885*sin(3.0), n); });
    figure("julia f64", "nvcc", ms, "ms");
    cudaFree(z), cudaFree(re), cudaFree(im);
    count_few(4*n);
}

// A sum that is waited for, on the host.
static void to_host()
{
    const int length = 1024, round = 200;
    int *x, *y, sum;
    void *room = nullptr;
    size_t size = 0;
    check(cudaMalloc(&x, length*4), "cudaMalloc");
    check(cudaMalloc(&y, 4), "cudaMalloc");
    numbers<<<1, 256>>>(x, (long long)length);
    check(cub::DeviceReduce::Sum(room, size, x, y, length), "size");
    check(cudaMalloc(&room, size + 1), "cudaMalloc");
    double best = 1e30;
    for (int r = 0; r < 10; r++) {
        double begin = now_us();
        for (int i = 0; i < round; i++) {
            cub::DeviceReduce::Sum(room, size, x, y, length);
            check(cudaMemcpy(&sum, y, 4, cudaMemcpyDeviceToHost), "copy");
        }
        best = std::min(best, (now_us() - begin)/round);
    }
    figure("reduce to the host, i32 2^10", "CUB", best, "us");
    cudaFree(x), cudaFree(y), cudaFree(room);
}

// 100 scans that a graph has recorded.
static void recorded()
{
    const int log = 20, in_a_row = 100;
    long long n = 1LL << log;
    int *x, *y;
    void *room = nullptr;
    size_t size = 0;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    check(cudaStreamCreate(&stream), "stream");
    check(cudaMalloc(&x, n*4), "cudaMalloc");
    check(cudaMalloc(&y, n*4), "cudaMalloc");
    numbers<<<1024, 256, 0, stream>>>(x, n);
    check(cub::DeviceScan::InclusiveSum(room, size, x, y, n, stream), "size");
    check(cudaMalloc(&room, size + 1), "cudaMalloc");
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
    for (int i = 0; i < in_a_row; i++) cub::DeviceScan::InclusiveSum(room, size, x, y, n, stream);
    check(cudaStreamEndCapture(stream, &graph), "capture");
    check(cudaGraphInstantiate(&exec, graph, 0), "graph");
    double best = 1e30;
    for (int r = 0; r < 6; r++) {
        check(cudaStreamSynchronize(stream), "wait");
        double begin = now_us();
        check(cudaGraphLaunch(exec, stream), "graph");
        check(cudaStreamSynchronize(stream), "wait");
        if (r) best = std::min(best, (now_us() - begin)/in_a_row);
    }
    row_figure("scan in a graph, + i32", log, 8.0*n/best*1e-3, "GB/s");
    cudaFree(x), cudaFree(y), cudaFree(room);
}

static void algorithms()
{
    for (int log : {16, 20, 24, 28}) {
        int few = log - (log == 28);
        chosen(log);
        with<int>(log, [&](int *x, int *y, long long n) {
            stream_in_a_row("reduce + i32", log, 4.0*n, [&](void *t, size_t &s) { return cub::DeviceReduce::Sum(t, s, x, y, n); });
            stream_in_a_row("scan + i32", log, 8.0*n, [&](void *t, size_t &s) { return cub::DeviceScan::InclusiveSum(t, s, x, y, n); });
            stream_in_a_row("scan max i32", log, 8.0*n, [&](void *t, size_t &s) { return cub::DeviceScan::InclusiveScan(t, s, x, y, Most(), n); });
            auto keys = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), Run());
            stream_in_a_row("scan + i32, segments", log, 8.0*n, [&](void *t, size_t &s) { return cub::DeviceScan::InclusiveSumByKey(t, s, keys, x, y, n); });
        });
        with<double>(log, [&](double *x, double *y, long long n) {
            stream_in_a_row("reduce + f64", log, 8.0*n, [&](void *t, size_t &s) { return cub::DeviceReduce::Sum(t, s, x, y, n); });
            stream_in_a_row("scan + f64", log, 16.0*n, [&](void *t, size_t &s) { return cub::DeviceScan::InclusiveSum(t, s, x, y, n); });
        });
        with<float>(log, [&](float *x, float *y, long long n) {
            auto squares = thrust::make_transform_iterator(x, Square());
            stream_in_a_row("reduce squares f32", log, 4.0*n, [&](void *t, size_t &s) { return cub::DeviceReduce::Sum(t, s, squares, y, n); });
        });
        with<Best>(few, [&](Best *x, Best *y, long long n) {
            stream_in_a_row("reduce argmin", few, 8.0*n, [&](void *t, size_t &s) { return cub::DeviceReduce::Reduce(t, s, x, y, n, Better(), Best{INFINITY, 0x7fffffff}); });
        });
        with<Affine>(few, [&](Affine *x, Affine *y, long long n) {
            stream_in_a_row("scan affine", few, 32.0*n, [&](void *t, size_t &s) { return cub::DeviceScan::InclusiveScan(t, s, x, y, Behind(), n); });
        });
    }
    to_host();
    recorded();
}

// --- sorts: keys a second ---

template <typename T> __global__ void any_bits(T *x, long long n)
{
    for (long long i = blockIdx.x*(long long)blockDim.x + threadIdx.x; i < n; i += gridDim.x*(long long)blockDim.x) {
        unsigned long long z = (i + 1)*0x9e3779b97f4a7c15ull;
        z = (z ^ z >> 30)*0xbf58476d1ce4e5b9ull;
        z = (z ^ z >> 27)*0x94d049bb133111ebull;
        z ^= z >> 31;
        if constexpr (std::is_floating_point<T>::value) x[i] = (T)((int)(z & 0xffffff) - 0x800000)*(T)(1 + (z >> 60));
        else x[i] = (T)z;
    }
}

static void sort_in_a_row(const char *what, int log, const algorithm &call)
{
    double keys = (double)(1LL << log);
    row_figure(what, log, keys/in_a_row(what, log > 24 ? 10 : 50, call)*1e-3, "Gkeys/s");
}

template <typename K> static K *any_keys(long long n)
{
    K *x;
    check(cudaMalloc(&x, n*sizeof(K)), "cudaMalloc");
    any_bits<<<1024, 256>>>(x, n);
    return x;
}

template <typename K, typename V> static void sort_with(const char *name, int log)
{
    long long n = 1LL << log;
    K *x = any_keys<K>(n), *y = any_keys<K>(n);
    if constexpr (std::is_same<V, void>::value) {
        sort_in_a_row(name, log, [&](void *t, size_t &s) { return cub::DeviceRadixSort::SortKeys(t, s, x, y, n); });
    } else {
        V *v = any_keys<V>(n), *w = any_keys<V>(n);
        sort_in_a_row(name, log, [&](void *t, size_t &s) { return cub::DeviceRadixSort::SortPairs(t, s, x, y, v, w, n); });
        cudaFree(v), cudaFree(w);
    }
    cudaFree(x), cudaFree(y);
}

static void sorts()
{
    for (int log : {16, 20, 24, 27}) {
        sort_with<unsigned, void>("sort u32", log);
        sort_with<unsigned, unsigned>("sort u32 + u32", log);
        sort_with<unsigned long long, void>("sort u64", log);
        sort_with<float, int>("sort f32 + i32", log);
    }
}

int main(int argc, char **argv)
{
    std::string command = argc > 1 ? argv[1] : "";
    long long n = argc > 2 ? atoll(argv[2]) : 0;
    check(cudaSetDevice(0), "cudaSetDevice");
    check(cudaFree(nullptr), "context");
    if (command == "streams") streams(n);
    else if (command == "matmul") matmul((int)n);
    else if (command == "vortex") vortex((int)n);
    else if (command == "loops") loops(n);
    else if (command == "algorithms") algorithms();
    else if (command == "sorts") sorts();
    else if (command == "first") first();
    else return 2;
    return 0;
}

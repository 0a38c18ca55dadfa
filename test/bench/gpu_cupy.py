"""CuPy's side of `./dev bench --gpu`: gpu_cupy.py COMMAND [N], one line a figure as gpu_bench.c has them."""
import os
import sys
import tempfile
import time

os.environ.setdefault("CUPY_CACHE_DIR", tempfile.mkdtemp())
import cupy  # noqa: E402


def figure(name, value, unit):
    print(f"{name}\tCuPy\t{value:.6g}\t{unit}", flush=True)


def fastest(runs, launch):
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    best = float("inf")
    for _ in range(runs):
        begin.record()
        launch()
        end.record()
        end.synchronize()
        best = min(best, cupy.cuda.get_elapsed_time(begin, end))
    return best


def streams(n):
    axpb = cupy.ElementwiseKernel("float64 x, float64 a, float64 b", "float64 y", "y = a*sin(x) + b", "axpb")
    saxpy = cupy.ElementwiseKernel("float32 x, float32 y, float32 a", "float32 z", "z = a*x + y", "saxpy")
    x, y = cupy.full(n, 0.5), cupy.empty(n)
    figure("a*sin(x)+b f64", 16e-6*n/fastest(20, lambda: axpb(x, 2.5, 1.25, y)), "GB/s")
    figure("copy f64", 16e-6*n/fastest(20, lambda: cupy.copyto(y, x)), "GB/s")
    del x, y
    x, y = cupy.full(n, 0.5, "f4"), cupy.full(n, 1.0, "f4")
    figure("saxpy f32", 12e-6*n/fastest(20, lambda: saxpy(x, y, 2.5, y)), "GB/s")


def launches():
    copy = cupy.ElementwiseKernel("float32 x", "float32 y", "y = x", "one")
    x, y = cupy.ones(1, "f4"), cupy.ones(1, "f4")
    best = float("inf")
    for _ in range(10):
        copy(x, y)
        cupy.cuda.get_current_stream().synchronize()
        begin = time.perf_counter()
        for _ in range(1000):
            copy(x, y)
        cupy.cuda.get_current_stream().synchronize()
        best = min(best, time.perf_counter() - begin)
    figure("launch, kernel held", 1e3*best, "us")


def first():
    x, y, times = cupy.full(256, 0.5), cupy.empty(256), []
    for k in range(9):
        begin = time.perf_counter()
        cupy.ElementwiseKernel("float64 x, float64 a", "float64 y", f"y = a*sin(x) + {k}.25", "first")(x, 2.0, y)
        y.get()
        times.append(1e3*(time.perf_counter() - begin))
    figure("first call", sorted(times)[4], "ms")


command = sys.argv[1]
if command == "streams":
    streams(int(sys.argv[2]))
elif command == "launches":
    launches()
elif command == "first":
    first()

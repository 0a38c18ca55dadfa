"""The Python package on a CUDA GPU, alone and with CuPy's, Numba's and PyTorch's arrays: which run where they lie, on the stream of their library.

    PYTHONPATH=build/python python3 test/gpu/python_interop.py [NAME...]

It needs NumPy, and skips the libraries that are not there. Each check prints a line; with names only those that hold one of them run. It
fails where a check did, and passes with a word where there is no CUDA device.
"""

import gc
import importlib.util
import os
import sys
import threading
import traceback

import numpy as np

import cpl
from cpl.lang import GID_0, LDIM_0, LID_0

CHECKS = []


class Missing(Exception):
    """What a check needs is not there, or does not work without the package either."""


def check(*needs):
    def add(function):
        CHECKS.append((function.__name__, needs, function))
        return function
    return add


@cpl.elementwise
def axpb(i, x, y, a, b):
    y[i] = a*x[i] + b


@cpl.elementwise
def slow(i, x, y, rounds):
    s = x[i]
    for k in range(rounds):
        s = s*0.999 + 0.001
    y[i] = s - s + x[i] + 1


@cpl.elementwise
def turn(i, j, x, y):
    x[i, j] = y[j, i]


@cpl.kernel
def numbered(x):
    i = GID_0*LDIM_0 + LID_0
    x[i] = i


N = 1 << 20


def same(a, b):
    np.testing.assert_array_equal(a, b)


def raises(error, text, call):
    try:
        call()
    except error as e:
        assert text in str(e), f"{type(e).__name__}: {e}"
        return
    raise AssertionError(f"nothing was raised, {error.__name__} was expected")


def copies_nothing(call):
    before = cpl.copies()
    call()
    assert cpl.copies() == before, (before, cpl.copies())


# --- alone ---


@check()
def devices():
    gpu = cpl.device("cuda")
    assert gpu is cpl.device("cuda:0") and gpu.kind == "cuda" and gpu.memory > 0 and gpu.native
    assert gpu.fp64 and gpu.subgroup_size == 32 and gpu.queue.native and "cuda:0" in repr(gpu)
    raises(cpl.DeviceError, "cuda:99", lambda: cpl.device("cuda:99"))


@check()
def contexts():
    x, y = np.arange(1000.0), np.zeros(1000)
    with cpl.device("cuda"):
        axpb(x, y, 2, 1)
        same(y, 2*x + 1)
        before = cpl.copies()["to_host"]
        axpb(x, y, 3, 1)
        after = cpl.copies()["to_host"]
        assert after == (before[0] + 1, before[1] + y.nbytes), (before, after)
        assert cpl.reduce("a + b")(x) == x.sum()
        same(cpl.scan("a + b")(x), np.cumsum(x))
        assert cpl.jit(lambda v: v*v)(7) == 49
        plane = np.zeros((3, 4))
        turn(plane, np.arange(12.0).reshape(4, 3))
        same(plane, np.arange(12.0).reshape(4, 3).T)
        assert ".visible .entry" in axpb.inspect("ptx", x, y, 2, 1)
    same(y, 3*x + 1)
    axpb(x, y, 4, 1)
    same(y, 4*x + 1)


@check()
def threads():
    wrong = []

    def work(k):
        x, y, queue = np.arange(1000.0), np.zeros(1000), cpl.Queue("cuda")
        for a in range(50):
            with queue if k % 2 else cpl.device("cuda" if a % 2 else "host"):
                axpb(x, y, a, k)
            if not np.array_equal(y, a*x + k):
                wrong.append((k, a))

    all_ = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in all_:
        t.start()
    for t in all_:
        t.join()
    assert not wrong, wrong[:5]


@check()
def arrays():
    x = cpl.array(np.arange(float(N)), device="cuda")
    with cpl.device("cuda"):
        y = cpl.zeros(N)
    assert y.place == "cuda:0" and x.to("cuda") is x
    axpb(x, y, 2, 1)
    copies_nothing(lambda: axpb(x, y, 2, 1))
    same(y.to("host").numpy(), 2*np.arange(float(N)) + 1)
    same(cpl.scan("a + b")(x).numpy(), np.cumsum(np.arange(float(N))))


@check()
def queues_and_events():
    one, other = cpl.Queue("cuda"), cpl.Queue("cuda")
    x, y, z = (cpl.zeros(N, device="cuda") for _ in range(3))
    for _ in range(10):
        with one:
            slow(x, y, 20000)
            event = one.record()
        with other:
            slow(y, z, 10)  # waits for the other queue by itself
        other.wait(event)
        other.finish()
        assert event.done
        same(z.numpy()[:10], x.numpy()[:10] + 2)


@check()
def graphs():
    x, y = cpl.array(np.arange(1000.0), device="cuda"), cpl.zeros(1000, device="cuda")
    axpb(x, y, 1, 0)
    queue = cpl.Queue("cuda")
    with queue.record_graph() as graph:
        axpb(x, y, 2, 1)
        axpb(y, x, 1, 0)
    same(x.numpy(), np.arange(1000.0))
    graph.launch().wait()
    same(x.numpy(), 2*np.arange(1000.0) + 1)
    graph.launch(cpl.Queue("cuda"))
    same(x.numpy(), 4*np.arange(1000.0) + 3)
    host = np.zeros(10)
    raises(cpl.ArgumentError, "cannot be part of a graph", lambda: record(queue, host))


def record(queue, x):
    with queue.record_graph():
        axpb(x, x, 1, 0)


@check()
def late_errors():
    @cpl.elementwise
    def past(i, x):
        x[i + 1] = 0

    x, queue = cpl.zeros(4, device="cuda"), cpl.Queue("cuda")
    with cpl.config(bounds_check=True), queue:
        past(x)
        raises(cpl.BoundsError, "index 4", queue.finish)
    queue.finish()


@check()
def low_level_kernels():
    x = cpl.zeros(1024, np.int32, device="cuda")
    numbered[1024, 128](x)
    same(x.numpy(), np.arange(1024))


@check()
def a_child_gets_an_error():
    x = cpl.zeros(4, device="cuda")
    pid = os.fork()
    if not pid:
        code = 1
        try:
            axpb(x, x, 1, 0)
        except cpl.Error as error:
            code = 0 if error.status == "EFORKED" else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


class Face:
    def __init__(self, x, **changes):
        self.__cuda_array_interface__ = {**x.__cuda_array_interface__, **changes}


@check()
def the_interface_of_arrays():
    x = cpl.array(np.arange(12.0).reshape(3, 4), device="cuda")
    face = x.__cuda_array_interface__
    assert face["shape"] == (3, 4) and face["typestr"] == "<f8" and face["version"] == 3
    assert face["strides"] is None and face["data"][1] is False and face["stream"] not in (0, None)
    y = cpl.asarray(Face(x))
    axpb(y, y, 2, 0)
    same(x.numpy(), 2*np.arange(12.0).reshape(3, 4))
    axpb(Face(x), Face(x), 0.5, 1)
    same(x.numpy(), np.arange(12.0).reshape(3, 4) + 1)
    raises(TypeError, "mask", lambda: axpb(Face(x, mask=x), x, 1, 0))
    raises(ValueError, "stream 0", lambda: axpb(Face(x, stream=0), x, 1, 0))
    raises(ValueError, "runs on", lambda: on_host(Face(x)))
    raises(cpl.ArgumentError, "read", lambda: axpb(x, Face(x, data=(face["data"][0], True)), 1, 0))
    raises(TypeError, "no type", lambda: axpb(Face(x, typestr="<c32", shape=(3, 2)), x, 1, 0))
    raises(TypeError, "byte order", lambda: axpb(Face(x, typestr=">f8"), x, 1, 0))
    raises(AttributeError, "host", lambda: cpl.zeros(3).__cuda_array_interface__)
    empty = cpl.zeros((0, 3), device="cuda")
    assert empty.__cuda_array_interface__["data"][0] == 0 and cpl.asarray(Face(empty)).size == 0


def on_host(x):
    with cpl.device("host"):
        axpb(x, x, 1, 0)


@check()
def dlpack_of_arrays():
    x = cpl.array(np.arange(12.0).reshape(3, 4), device="cuda")
    assert x.__dlpack_device__() == (2, 0)
    y = cpl.from_dlpack(x)
    axpb(y, y, 2, 0)
    same(x.numpy(), 2*np.arange(12.0).reshape(3, 4))
    same(np.from_dlpack(x, device="cpu"), x.numpy())
    raises(ValueError, "not 0", lambda: x.__dlpack__(stream=0))
    for stream in None, -1, 1, 2:
        del_me = x.__dlpack__(stream=stream, max_version=(1, 0))
        del del_me
    assert cpl.from_dlpack(x, device="host").place == "host"
    raises(BufferError, "not to be copied", lambda: cpl.from_dlpack(x, device="host", copy=False))


@check()
def foreign_streams():
    queue = cpl.Queue("cuda")
    same_ = cpl.Queue.from_native("cuda", queue.native)
    default = cpl.Queue.from_native("cuda", 0)
    x, y = cpl.array(np.arange(100.0), device="cuda"), cpl.zeros(100, device="cuda")
    for q in same_, default, cpl.Queue.from_native("cuda", 2):
        with q:
            axpb(x, y, 3, 1)
        q.finish()
        same(y.numpy(), 3*np.arange(100.0) + 1)


# --- CuPy ---


@check("cupy")
def cupy_arrays_in_calls():
    import cupy as cp
    for dtype in "?bhilBHILefd":
        x = cp.arange(1000).astype(dtype)
        y = cp.zeros_like(x)
        copies_nothing(lambda x=x, y=y: axpb(x, y, 1, 0))
        cp.testing.assert_array_equal(x, y)
    x = cp.arange(24.0).reshape(4, 6)
    y = cp.zeros((6, 4))
    turn(y, x)
    cp.testing.assert_array_equal(y, x.T)
    turn(x.T, y.T.copy())
    for part in x[1:3, ::2], x[::-1], x.T, x[:0]:
        out = cp.zeros(part.shape)

        @cpl.elementwise
        def copy(i, j, x, y):
            y[i, j] = x[i, j]

        copy(part, out)
        cp.testing.assert_array_equal(part, out)
    v = cp.arange(1000.0)
    assert cpl.reduce("a + b")(v) == 499500
    out = cp.zeros(1000)
    assert cpl.scan("a + b")(v, out) is out
    cp.testing.assert_array_equal(out, cp.cumsum(v))
    numbered[1000, 100](out)
    cp.testing.assert_array_equal(out, cp.arange(1000.0))


@check("cupy")
def cupy_streams():
    import cupy as cp
    streams = [cp.cuda.Stream(non_blocking=True), cp.cuda.Stream(), cp.cuda.Stream.null]
    x, y, z = cp.zeros(N), cp.zeros(N), cp.zeros(N)
    slow(x, y, 1)
    for stream in streams:
        for k in range(20):
            with stream:
                x.fill(k)
                slow(x, y, 20000)
                z[...] = y*2
                y.fill(-1)
                got = z[:10].get(stream=stream)
            same(got, np.full(10, 2.0*(k + 1)))


@check("cupy")
def a_queue_of_cupys_stream():
    import cupy as cp
    stream = cp.cuda.Stream(non_blocking=True)
    queue = cpl.Queue.from_native("cuda", stream)
    assert queue.native == stream.ptr
    x, y = cp.zeros(N), cp.zeros(N)
    for k in range(20):
        x.fill(k)  # on the default stream, which the call waits for
        with queue:
            slow(x, y, 20000)
        got = y[:10].get()  # and which waits for the call
        same(got, np.full(10, k + 1.0))


@check("cupy")
def cupy_with_arrays():
    import cupy as cp
    x, y = cp.arange(float(N)), cpl.zeros(N, device="cuda")
    for k in range(20):
        x.fill(k)
        slow(x, y, 20000)
        same(y.numpy()[:10], np.full(10, k + 1.0))
        with cp.cuda.Stream(non_blocking=True) as stream:
            slow(y, x, 20000)
            seen = cp.asarray(y)*3
            got = seen[:10].get(stream=stream)
        same(got, np.full(10, 3*(k + 1.0)))


@check("cupy")
def to_cupy():
    import cupy as cp
    x = cpl.array(np.arange(12.0).reshape(3, 4), device="cuda")
    for take in cp.asarray, cp.from_dlpack:
        y = take(x)
        assert y.data.ptr == x.__cuda_array_interface__["data"][0]
        y += 1
        cp.cuda.get_current_stream().synchronize()
    same(x.numpy(), np.arange(12.0).reshape(3, 4) + 2)
    del x
    gc.collect()
    same(y.get(), np.arange(12.0).reshape(3, 4) + 2)
    big = cpl.zeros(N, device="cuda")
    for k in range(20):
        slow(big, big, 20000)
        same(cp.asarray(big)[:5].get(), np.full(5, k + 1.0))


@check("cupy")
def from_cupy():
    import cupy as cp
    x = cp.arange(12.0).reshape(3, 4)
    for take in cpl.from_dlpack, cpl.asarray:
        y = take(x)
        assert y.place == "cuda:0" and y.__cuda_array_interface__["data"][0] == x.data.ptr
        same(y.numpy(), x.get())
        z = take(x[::2, 1:])
        same(z.numpy(), x.get()[::2, 1:])
    z = cpl.array(x)
    assert z.__cuda_array_interface__["data"][0] != x.data.ptr
    del x
    gc.collect()
    same(y.numpy(), np.arange(12.0).reshape(3, 4))
    same(cpl.asarray(cp.arange(3)*1j).numpy(), np.arange(3)*1j)


@check("cupy")
def calls_leave_no_memory_behind():
    import cupy as cp
    gpu, pool = cpl.device("cuda"), cp.get_default_memory_pool()

    def some():
        for _ in range(100):
            x = cp.zeros(N)
            axpb(x, x, 1, 1)
            y = cpl.from_dlpack(x)
            cp.asarray(y)
            del x, y
        cp.cuda.Device().synchronize()
        cpl.zeros(1)
        gc.collect()

    some()
    before = gpu.memory_used, pool.used_bytes()
    some()
    assert (gpu.memory_used, pool.used_bytes()) == before, (before, gpu.memory_used, pool.used_bytes())


# --- Numba ---


@check("numba")
def numba_arrays():
    from numba import cuda
    x = np.arange(float(N))
    there, out = cuda.to_device(x), cuda.device_array(N)
    axpb(there, out, 1, 0)
    copies_nothing(lambda: axpb(there, out, 2, 1))
    same(out.copy_to_host(), 2*x + 1)
    plane = cuda.to_device(np.arange(12.0).reshape(3, 4))
    other = cuda.to_device(np.zeros((4, 3)))
    turn(other, plane)
    same(other.copy_to_host(), np.arange(12.0).reshape(3, 4).T)
    part = cuda.device_array(N//2)
    axpb(there[::2], part, 1, 0)
    same(part.copy_to_host(), x[::2])


@check("numba")
def numba_streams():
    from numba import cuda
    stream = cuda.stream()
    x, y = cuda.device_array(N, stream=stream), cuda.device_array(N, stream=stream)
    host, values = np.zeros(N), np.zeros(N)
    for k in range(20):
        values[:] = k
        x.copy_to_device(values, stream=stream)
        slow(x, y, 20000)
        y.copy_to_host(host, stream=stream)
        stream.synchronize()
        same(host[:10], np.full(10, k + 1.0))
    queue = cpl.Queue.from_native("cuda", stream.handle.value if hasattr(stream.handle, "value") else int(stream.handle))
    queue.finish()


@check("numba")
def numba_kernels_on_arrays():
    from numba import cuda

    @cuda.jit
    def add(x, a):
        i = cuda.grid(1)
        if i < x.size:
            x[i] += a

    try:
        add[1, 1](cuda.to_device(np.zeros(1)), 1.0)
    except Exception as error:
        raise Missing(f"Numba compiles no kernel: {error}") from error
    x = cpl.zeros(N, device="cuda")
    for k in range(10):
        slow(x, x, 20000)  # one more
        add[N//256, 256](cuda.as_cuda_array(x), 1.0)
        cuda.synchronize()
        same(x.numpy()[:10], np.full(10, 2*(k + 1.0)))
    y = cpl.asarray(cuda.as_cuda_array(x))
    same(y.numpy()[:10], np.full(10, 20.0))


# --- PyTorch ---


@check("torch")
def torch_tensors():
    import torch
    x, y = torch.arange(1000.0, device="cuda"), torch.zeros(1000, device="cuda")
    axpb(x, y, 2, 1)
    copies_nothing(lambda: axpb(x, y, 2, 1))
    assert torch.equal(y, 2*x + 1)
    stream = torch.cuda.Stream()
    big, out = torch.zeros(N, device="cuda"), torch.zeros(N, device="cuda")
    torch.cuda.synchronize()
    for k in range(20):
        with torch.cuda.stream(stream):
            big.fill_(k)
            slow(big, out, 20000)
            seen = out[:10].cpu()
        same(seen.numpy(), np.full(10, k + 1.0, np.float32))
    a = cpl.array(np.arange(4.0), device="cuda")
    t = torch.from_dlpack(a)
    t += 1
    torch.cuda.synchronize()
    same(a.numpy(), np.arange(4.0) + 1)
    assert torch.equal(torch.as_tensor(a, device="cuda"), t)
    same(cpl.from_dlpack(t).numpy(), np.arange(4.0) + 1)
    raises(TypeError, "bfloat", lambda: cpl.from_dlpack(t.bfloat16()))
    here = torch.zeros(5)
    axpb(here, here, 1, 1)
    same(here.numpy(), np.ones(5))


def main():
    gpus = [d for d in cpl.devices() if d.kind == "cuda"]
    if not gpus:
        print("skipped: no CUDA device")
        return 0
    for d in gpus:
        print(d, d.driver, d.target)
    failed = passed = skipped = 0
    for name, needs, function in CHECKS:
        if sys.argv[1:] and not any(word in name for word in sys.argv[1:]):
            continue
        missing = [n for n in needs if importlib.util.find_spec(n) is None]
        if missing:
            skipped += 1
            print(f"skipped {name}: no {missing[0]}")
            continue
        try:
            function()
        except Missing as why:
            skipped += 1
            print(f"skipped {name}: {why}")
        except Exception:
            failed += 1
            print(f"FAILED  {name}")
            traceback.print_exc(file=sys.stdout)
        else:
            passed += 1
            print(f"ok      {name}")
        sys.stdout.flush()
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


sys.exit(main())

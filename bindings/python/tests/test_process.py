"""How the package behaves in a process: threads, forks, signals, its end, and memory."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest
from conftest import SANITIZED, fork

import cpl


@cpl.elementwise
def axpb(i, x, y, a, b):
    y[i] = a*x[i] + b


def run(program, **kwargs):
    return subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True,
                          text=True, timeout=120, **kwargs)


def test_many_threads():
    """All call one function at once, while its global changes and kernels are made."""
    wrong = []

    def work(k):
        dtype = [np.float64, np.float32, np.int32, np.int64][k % 4]
        x, y = np.arange(10_000).astype(dtype), np.zeros(10_000, dtype)
        for a in range(50):
            axpb(x, y, a, k)
            if not np.array_equal(y, x*dtype(a) + dtype(k)):
                wrong.append((k, a))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_the_gil_is_free_while_a_kernel_runs():
    @cpl.elementwise
    def slow(i, x, rounds):
        s = 0.0
        for k in range(rounds):
            s = s*0.5 + x[i]
        x[i] = s

    x = np.ones(2)
    slow(x, 1)
    counted = 0
    t = threading.Thread(target=slow, args=(x, 300_000_000))
    t.start()
    while t.is_alive():
        counted += 1
        time.sleep(0.001)
    assert counted > 20


def in_child(work):
    """What work() returns in a child, as an exit code."""
    pid = fork()
    if not pid:
        code = 99
        try:
            code = int(work())
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_a_child_compiles_anew():
    x, y = np.ones(10), np.zeros(10)
    axpb(x, y, 2, 1)

    def work():
        axpb(x, y, 3, 1)
        cpl.reduce("a + b")(x)
        return 0 if y[0] == 4 else 2

    assert in_child(work) == 0
    axpb(x, y, 5, 1)
    assert y[0] == 6


def test_a_child_has_the_arrays_of_the_host():
    x = cpl.arange(6.0)
    rows = cpl.array(np.arange(12, dtype=np.int32).reshape(3, 4))[::-1, 1:]
    bodies = cpl.array(np.array([(1, 2.5), (3, 4.5)],
                                dtype=np.dtype([("n", "i4"), ("m", "f8")], align=True)))
    shared = np.arange(4.0)
    wrapped = cpl.asarray(shared)

    def work():
        y = cpl.zeros(6)
        axpb(x, y, 2, 1)
        wrapped[0] = x[0] = 1
        if (y[5].item(), shared[0], rows[0, 2].item()) != (11, 1, 11):
            return 1
        return x.sum() + rows.sum() + bodies["m"].sum() + (wrapped*2).sum()

    assert in_child(work) == 16 + 54 + 7 + 14
    assert x[0] == 0 and shared[0] == 0


def test_what_waits_and_what_devices_have_stays_with_the_parent():
    x = cpl.arange(6.0)
    waits = x*2

    def refused(a):
        try:
            a.sum().item()
        except cpl.Error as e:
            return "forked" not in str(e)
        return 2

    assert in_child(lambda: refused(waits)) == 0
    assert waits[5] == 10
    for device in cpl.devices()[1:]:
        with device:
            there = cpl.arange(6.0)
        assert in_child(lambda: refused(there)) == 0


def test_pools():
    program = """
import multiprocessing, sys
import numpy as np, cpl
sys.path.insert(0, sys.argv[0])
@cpl.jit
def square(x):
    return x*x
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(square, range(5)))
"""
    path = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"cpl_pool_{os.getpid()}.py")
    with open(path, "w") as file:
        file.write(program)
    try:
        done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=120)
    finally:
        os.unlink(path)
    assert done.stdout == "[0, 1, 4, 9, 16]\n", done.stderr


def test_the_end_of_the_process():
    """While a thread compiles, with kernels in use, and with what holds others in circles."""
    program = """
import linecache, threading
import numpy as np, cpl
text = "def f(i, x):\\n    x[i] = sin(x[i])*2\\n"
linecache.cache["<f>"] = (len(text), None, text.splitlines(True), "<f>")
names = {}
exec(compile(text, "<f>", "exec"), names)
f = cpl.elementwise(names["f"])
f.me = f
threading.Thread(target=f, args=(np.zeros(10),), daemon=True).start()
"""
    done = run(program)
    assert done.returncode == 0 and not done.stderr, done.stderr


def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])*4096


@pytest.mark.skipif(SANITIZED, reason="a sanitizer keeps for a while what is freed")
def test_calls_leave_no_memory_behind():
    x, y = np.ones(4), np.zeros(4)
    total = cpl.reduce("a + b")
    bad = cpl.jit(lambda v: v.nothing)

    def some(count):
        for k in range(count):
            axpb(x, y, 2.0, b=1)
            total(x)
        for _ in range(count//1000):
            with pytest.raises(cpl.CompileError):
                bad(1.0)
            with pytest.raises(TypeError):
                axpb(x, [1], 2, 1)

    some(10_000)
    gc.collect()
    before = memory()
    some(100_000)
    gc.collect()
    assert memory() - before < 4 << 20


def test_functions_leave_no_memory_behind():
    def some(count):
        for k in range(count):
            f = cpl.elementwise(axpb.__wrapped__)
            f(np.ones(4), np.zeros(4), 2, k/2)
            f.me = f  # a circle

    some(200)
    gc.collect()
    before = memory()
    some(1000)
    gc.collect()
    assert memory() - before < 64 << 20


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs pthread_kill")
def test_functions_can_be_referenced_weakly():
    function = cpl.jit(lambda x: x + 1)
    ended, here = [], weakref.ref(function, lambda r: ended.append(r))
    assert here() is function and function(1) == 2 and not ended
    del function
    gc.collect()
    assert here() is None and ended == [here]


def _added(k):
    """A function, as another one each time."""
    def added(a):
        return a + k
    return added


def _apply(i, x, y, f):
    y[i] = f(x[i])


def _both(i, x, y, f, g):
    y[i] = f(x[i]) + g(f(x[i]))


def _once(x, y, f):
    y[0] = f(x[0])
    return f(y[0])


@pytest.mark.parametrize("form, text, count", [
    (cpl.elementwise, _apply, 1), (cpl.elementwise, _both, 2), (cpl.jit, _once, 1)])
def test_functions_end_with_what_they_were_given_to(form, text, count):
    """Calls that succeed, that fail to compile, and ones of other kinds of arguments; not before."""
    x, made, gone = np.ones(4), form(text), []
    for dtype in ("float64", "float32", "int32"):
        y, given = np.zeros(4, dtype), [_added(k + 2) for k in range(count)]
        before = [sys.getrefcount(g) for g in given]
        made(x.astype(dtype), y, *given)
        once = [sys.getrefcount(g) for g in given]
        for _ in range(3):
            made(x.astype(dtype), y, *given)
        assert [sys.getrefcount(g) for g in given] == once > before
        gone += [weakref.ref(g) for g in given]
        bad = [lambda a: a.nothing for _ in given]
        with pytest.raises(cpl.CompileError):
            made(x.astype(dtype), y, *bad)
        gone += [weakref.ref(b) for b in bad]
    kept = gone[:count]
    del given, bad
    gc.collect()
    assert all(g() is not None for g in kept)
    gone.append(weakref.ref(made))
    del made
    gc.collect()
    assert [g() for g in gone] == [None]*len(gone)


def test_references_are_counted():
    x, y = np.ones(4), np.zeros(4)
    axpb(x, y, 2, 1)
    counts = sys.getrefcount(x), sys.getrefcount(y), sys.getrefcount(None)
    for _ in range(1000):
        axpb(x, y, 2, 1)
        axpb(x, y=y, a=2, b=1)
    assert abs(sys.getrefcount(None) - counts[2]) < 100
    assert (sys.getrefcount(x), sys.getrefcount(y)) == counts[:2]

def _in_threads(work, count=4):
    """What the calls of work(number) raise in that many threads that begin together."""
    wrong, begin = [], threading.Barrier(count)

    def run(number):
        begin.wait()
        try:
            work(number)
        except BaseException as e:
            wrong.append(e)

    threads = [threading.Thread(target=run, args=(k,)) for k in range(count)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return wrong


def test_expressions_of_other_threads():
    """The end of a block computes what waits in all threads, each of which sees it done."""
    host = cpl.device("host")

    def work(number):
        for _ in range(60):
            with host:
                x = cpl.array(np.arange(60000.0) + number)
                e = x*2 + 1
                assert float((e - x)[-1]) == 60000.0 + number
                x[:] = 0
                assert float(e.sum()) == 60000.0**2 + 120000.0*number
            x[0] = float(e[1])
            assert float(x[0]) == 3 + 2*number

    assert not _in_threads(work)


def test_one_expression_read_by_several_threads():
    for size in (50, 50000):
        for _ in range(30):
            waiting = cpl.array(np.arange(float(size)))*2 + 1

            def work(number, e=waiting, size=size):
                assert float(e.sum()) == float(size)**2
                assert np.asarray(e)[number] == 2*number + 1

            assert not _in_threads(work)


def test_blocks_of_settings_may_overlap():
    first, second = cpl.config(bounds_check=True, simd=0), cpl.config(simd=1)
    simd = first._before["simd"]
    first.__enter__()
    second.__enter__()
    first.__exit__()
    assert (cpl.config.bounds_check, cpl.config.simd) == (0, 1)
    second.__exit__()
    assert cpl.config.simd == simd

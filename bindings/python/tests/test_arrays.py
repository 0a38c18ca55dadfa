"""Arrays of the library: how they are made, what they know, and how they share memory with NumPy."""

import gc
import os
import pickle
import sys
import threading
import weakref

import numpy as np
import pytest
from conftest import SANITIZED, fork, numbers

import cpl

PAIR = np.dtype([("a", "f4"), ("b", "i8")], align=True)

LAYOUTS = {
    "dense": lambda a: a,
    "a part": lambda a: np.pad(a, 2)[tuple(slice(2, -2) for _ in a.shape)],
    "every second": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    "backwards": lambda a: a[::-1].copy()[::-1],
    "columns": np.asfortranarray,
    "turned": lambda a: np.ascontiguousarray(a.T).T,
}
SHAPES = [(7,), (3, 4), (2, 3, 4), (0,), (3, 0), (1,), (1, 5)]


@cpl.elementwise
def twice(i, x, y):
    y[i] = x[i] + x[i]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_arrays_of_numpy(dtype, layout, shape):
    there = LAYOUTS[layout](numbers(dtype, shape))
    for here in (cpl.array(there), cpl.asarray(there)):
        assert (here.shape, here.dtype, here.size) == (there.shape, there.dtype, there.size)
        assert (here.ndim, here.nbytes, here.itemsize) == (there.ndim, there.nbytes, there.itemsize)
        assert len(here) == len(there) and here.place == "host"
        np.testing.assert_array_equal(here.numpy(), there, strict=True)
        assert repr(here) == repr(there) and str(here) == str(there)
    assert cpl.array(there).contiguous
    assert cpl.array(np.ones((3, 4), dtype)).strides == np.ones((3, 4), dtype).strides


def test_without_dimensions(dtype):
    here = cpl.array(dtype(1))
    assert here.shape == () and here.size == 1 and here.numpy() == 1
    with pytest.raises(TypeError, match="unsized"):
        len(here)


def test_structs():
    there = np.zeros(3, PAIR)
    there["b"] = [1, 2, 3]
    for here in (cpl.array(there), cpl.asarray(there)):
        assert here.dtype == PAIR
        np.testing.assert_array_equal(here.numpy(), there)


def test_one_memory():
    there = np.zeros((3, 4))[::-1, ::2]
    here = cpl.asarray(there)
    there[0, 1] = 7
    assert here.numpy()[0, 1] == 7
    here.numpy()[2, 0] = 5
    assert there[2, 0] == 5
    assert np.shares_memory(np.asarray(here), there)
    assert memoryview(here).format == "d" and np.shares_memory(np.frombuffer(memoryview(
        cpl.asarray(there.base))), there)
    copied = cpl.array(there)
    copied.numpy()[:] = 1
    assert there[1, 1] == 0


def test_numpys_rules_for_copies():
    here = cpl.array([1, 2, 3])
    assert np.shares_memory(np.asarray(here), here.numpy())
    assert not np.shares_memory(np.array(here), here.numpy())
    assert np.shares_memory(here.__array__(copy=False), here.numpy())
    assert here.__array__(np.float32).dtype == np.float32
    assert not np.shares_memory(here.__array__(copy=True), here.numpy())
    with pytest.raises(ValueError, match="copy"):
        here.__array__(np.float32, copy=False)


def test_memory_that_is_only_read():
    there = np.arange(3.0)
    there.flags.writeable = False
    here = cpl.asarray(there)
    assert here.readonly and not here.numpy().flags.writeable
    assert memoryview(here).readonly and not memoryview(cpl.zeros(3)).readonly
    with pytest.raises(ValueError, match="read-only"):
        twice(there, here)
    out = cpl.zeros(3)
    twice(here, out)
    assert out.numpy().tolist() == [0, 2, 4]


REFUSED = {
    "the other byte order": np.arange(3, dtype=">i4"),
    "not aligned": np.frombuffer(bytes(25), np.uint8)[1:].view("f8"),
    "in one place": np.broadcast_to(np.arange(4.0), (3, 4)),
    "more than 8": np.zeros((1,)*9),
}


@pytest.mark.parametrize("what", REFUSED)
def test_memory_that_cannot_be_shared(what):
    with pytest.raises(ValueError, match=what):
        cpl.asarray(REFUSED[what])
    if what != "more than 8":
        np.testing.assert_array_equal(cpl.array(REFUSED[what]).numpy(), REFUSED[what])


@pytest.mark.parametrize("values", [np.array([1j], "G"), ["a"], [None], np.array(["2020"], "M8[Y]")], ids=str)
def test_elements_that_kernels_do_not_know(values):
    with pytest.raises(TypeError, match="kernels have no type"):
        cpl.array(values)


def test_shapes_that_cannot_be():
    with pytest.raises(ValueError, match="negative"):
        cpl.zeros(-1)
    with pytest.raises(ValueError, match="up to 8"):
        cpl.zeros((1,)*9)
    with pytest.raises(TypeError):
        cpl.zeros(2.5)
    with pytest.raises(ValueError, match="does not fit 64 bits"):
        cpl.zeros(1 << 60)
    with pytest.raises(MemoryError):
        cpl.zeros(1 << 50)
    with pytest.raises(TypeError, match="make arrays"):
        cpl.ndarray()


# --- arguments ---


@pytest.mark.parametrize("layout", LAYOUTS)
def test_arguments(dtype, layout):
    if dtype == np.bool_:
        pytest.skip("bools have no sum of their own type")
    there = LAYOUTS[layout](numbers(dtype, 7) // 2)
    out, whole = cpl.zeros(7, dtype), np.zeros(7, dtype)
    twice(cpl.asarray(there), out)
    twice(there, whole)
    np.testing.assert_array_equal(out.numpy(), whole)


def test_kernels_are_shared():
    """The same types in the same layout are the same call, whosever the arrays are."""
    @cpl.elementwise
    def f(i, x):
        x[i] = x[i] + 1

    x = np.zeros(3)
    f(x)
    f(cpl.asarray(x))
    assert x.tolist() == [2, 2, 2]
    assert f.inspect("ir", cpl.asarray(x)) == f.inspect("ir", x)


def test_reductions_and_scans():
    x = cpl.array([1.0, 2.0, 3.0])
    assert cpl.reduce("a + b")(x) == 6
    sums = cpl.scan("a + b")(x)
    assert isinstance(sums, cpl.ndarray) and sums.numpy().tolist() == [1, 3, 6]
    mapped = cpl.scan("a + b", "lambda i, x: 2*x[i]")(x)
    assert isinstance(mapped, cpl.ndarray) and mapped.numpy().tolist() == [2, 6, 12]
    assert isinstance(cpl.scan("a + b")(x.numpy()), np.ndarray)


# --- lifetimes ---


def test_memory_lives_as_long_as_arrays():
    there = np.arange(5.0)
    gone = weakref.ref(there)
    here = cpl.asarray(there)
    again = here.numpy()
    del there
    gc.collect()
    assert gone() is not None and here.numpy()[4] == 4
    del here
    gc.collect()
    assert gone() is not None and again[4] == 4
    del again
    gc.collect()
    assert gone() is None


def test_arrays_end_on_any_thread():
    there = np.arange(5.0)
    before = sys.getrefcount(there)
    arrays = [cpl.asarray(there) for _ in range(100)]

    def end(k):
        for i in range(k, 100, 4):
            arrays[i] = None

    threads = [threading.Thread(target=end, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    cpl.zeros(1)
    assert sys.getrefcount(there) == before


def test_a_child_makes_its_own():
    here = cpl.asarray(np.arange(3.0))
    waits = here + 1
    pid = fork()
    if not pid:
        code = 1
        try:
            for use in (lambda: waits.numpy(), lambda: waits.shape, lambda: twice(here, waits)):
                try:
                    use()
                except cpl.Error as error:
                    assert error.status == "EFORKED"
                else:
                    os._exit(2)
            del here, waits, use
            gc.collect()
            own = cpl.array([1.0, 2.0])
            twice(own, own)
            code = 0 if own.numpy().tolist() == [2, 4] else 3
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert here.numpy().tolist() == [0, 1, 2]


def test_pickles():
    here = cpl.array([[1, 2], [3, 4]])
    again = pickle.loads(pickle.dumps(here))
    assert isinstance(again, cpl.ndarray)
    np.testing.assert_array_equal(again.numpy(), here.numpy(), strict=True)


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1])*os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(SANITIZED, reason="a sanitizer keeps for a while what is freed")
def test_small_operations_leave_nothing():
    x, y, there = cpl.arange(8.0), cpl.arange(8.0), np.zeros(8)

    def some(rounds):
        for _ in range(rounds):
            z = x + y
            z += 1
            float(z[1:3].sum())
            cpl.asarray(there).numpy()

    some(1000)
    grown = []
    for _ in range(3):  # what compiles beside it, and ends, is there once
        gc.collect()
        before = resident()
        some(7000)  # of five calls or more each
        gc.collect()
        grown.append(resident() - before)
    assert min(grown) < 1 << 20


@pytest.mark.skipif(not os.path.exists("/sys/kernel/mm/transparent_hugepage"),
                    reason="no huge pages to ask for")
def test_large_arrays_ask_for_large_pages():
    x = cpl.empty(1 << 21)
    middle, here = x.numpy().ctypes.data + x.nbytes//2, False
    with open("/proc/self/smaps") as rows:
        for row in rows:
            first = row.split()[0]
            if "-" in first:
                begin, end = (int(n, 16) for n in first.split("-"))
                here = begin <= middle < end
            elif here and first == "VmFlags:":
                assert "hg" in row.split()
                return
    pytest.fail("the array is nowhere")

"""Where elements are, and when NumPy's memory is read and written."""

import gc

import numpy as np
import pytest

import cpl
from conftest import DEVICES


@cpl.elementwise
def grow(i, p):
    p[i] += 1


@cpl.elementwise
def grow_2d(i, j, p):
    p[i, j] += 1


@pytest.fixture
def there():
    """grow() on a device, to which arrays are moved."""
    if not DEVICES:
        pytest.skip("there is no device")

    def grow_there(x):
        with cpl.device(f"{DEVICES[-1]}:0"):
            (grow_2d if x.ndim == 2 else grow)(x)

    cpl.config.automatic = 1
    yield grow_there
    cpl.config.automatic = 0


@pytest.mark.parametrize("layout", [
    np.s_[::-1], np.s_[:, ::-1], np.s_[::-1, ::-1], np.s_[::-2, ::-3], np.s_[-2::-1], np.s_[:, 1::2],
    np.s_[::2, ::-1], np.s_[1, ::-1], np.s_[::-1, 2],
], ids=str)
def test_memory_beside_arrays_that_run_backwards(there, layout):
    """It is not theirs, not one element of it: arrays that share memory in part stay on the host."""
    memory = np.arange(60.0)
    beside = [cpl.from_dlpack(memory[:20]), cpl.from_dlpack(memory[40:])]
    x = cpl.from_dlpack(memory[20:40].reshape(4, 5)[layout])
    expected = memory.copy()
    expected[:20] += 1
    expected[40:] += 1
    expected[20:40].reshape(4, 5)[layout] += 1
    for array in (x, *beside):
        there(array)
    np.testing.assert_array_equal(x.numpy(), expected[20:40].reshape(4, 5)[layout])
    del x, beside, array
    gc.collect()
    np.testing.assert_array_equal(memory, expected)


# --- NumPy's arrays as operands ---


def test_an_operand_of_numpy_is_read_there_and_then():
    total, buffer = cpl.zeros(3), np.empty(3)
    for k in range(4):
        buffer[:] = k
        total = total + buffer*2
    assert total.tolist() == [12]*3
    x = cpl.arange(3.0)
    sums, whole = x + buffer, cpl.asarray(buffer)
    whole += 100
    assert sums.tolist() == [3, 4, 5]


def test_an_operand_of_numpy_beside_a_device(there):
    x = cpl.array(np.arange(5.0), device=f"{DEVICES[-1]}:0")
    raw = np.zeros(41, np.uint8)
    odd = raw[1:].view(np.float64)
    odd[:] = np.arange(5)
    buffer = np.arange(5.0)
    for operand in (buffer, odd, buffer.astype(">f8"), buffer[::-1]):
        assert (x + operand).place == (operand*x).place == x.place
        np.testing.assert_array_equal((x + operand).numpy(), np.arange(5.0) + operand)
        np.testing.assert_array_equal((operand - x).numpy(), operand - np.arange(5.0))
    sums = x + buffer
    buffer[:] = 100  # what it was is read there and then
    assert sums.tolist() == [0, 2, 4, 6, 8]
    whole = cpl.asarray(buffer)
    there(whole)
    assert (x*0 + buffer).tolist() == [101]*5
    x += buffer
    assert x.tolist() == [101, 102, 103, 104, 105]
    cpl.config.automatic = 0
    with pytest.raises(TypeError, match="automatic = 1"):
        x + buffer


def test_a_function_that_writes_memory_of_a_wrap():
    a = np.arange(10.0)
    waiting = cpl.asarray(a[::-1]) + 1
    grow(a[2:4])
    assert waiting.tolist() == list(range(10, 0, -1)) and a[2] == 3
    waiting = cpl.asarray(a) + 1
    cpl.sort(a[5:])
    grow(a[::-2])
    assert waiting.tolist() == [1, 2, 4, 5, *range(5, 11)]


def test_operands_of_any_layout():
    raw = np.zeros(41, np.uint8)
    odd = raw[1:].view(np.float64)
    odd[:] = np.arange(5)
    packed = np.zeros(5, [("c", "i1"), ("x", "f8")])
    packed["x"] = [5, 6, 7, 8, 9]
    x = cpl.arange(5.0)
    for operand in (odd, packed["x"], np.arange(5).astype(">f8"), odd[::-1]):
        np.testing.assert_array_equal((x*2 + operand).numpy(), np.arange(5.0)*2 + operand)
        np.testing.assert_array_equal(cpl.where(x > 2, operand, x).numpy(),
                                      np.where(np.arange(5) > 2, operand, np.arange(5)))
    x += odd
    assert x.tolist() == [0, 2, 4, 6, 8]


def test_results_in_arrays_of_numpy():
    raw = np.zeros(41, np.uint8)
    x, waiting = cpl.arange(5.0), None
    for out in (np.zeros(5), np.zeros(10)[::2], raw[1:].view(np.float64)):
        assert np.add(x, 1, out=out) is out
        assert out.tolist() == [1, 2, 3, 4, 5]
        waiting = cpl.asarray(out)*10 if out.flags.aligned else waiting
        out += x
        assert out.tolist() == [1, 3, 5, 7, 9]
        assert waiting.tolist() == [10, 20, 30, 40, 50]
    for out in (np.zeros((2, 5)), cpl.zeros((2, 5))):
        np.add(x, 1, out=out)
        assert out.tolist() == [[1, 2, 3, 4, 5]]*2
    with pytest.raises(TypeError):
        np.add(x, 0.5, out=np.zeros(5, int))
    with pytest.raises(ValueError, match="shape"):
        np.add(x, 1, out=np.zeros(4))


# --- several wraps of one array ---

PARTS = {
    "whole first": lambda a: (a, a[2:6]), "part first": lambda a: (a[2:6], a),
    "overlap": lambda a: (a[:6], a[4:]), "one behind the other": lambda a: (a[:3], a[3:]),
    "a column": lambda a: (a, a.reshape(2, 4)[:, 1]),
    "steps": lambda a: (a[::2], a[1::2]), "backwards": lambda a: (a, a[::-1]),
    "two rows": lambda a: (a.reshape(2, 4)[0], a.reshape(2, 4)[1]),
}


@pytest.mark.parametrize("name", PARTS)
def test_wraps_of_parts(name, there):
    a, expected = np.zeros(8), np.zeros(8)
    wraps = [cpl.asarray(part) for part in PARTS[name](a)]
    for k in (0, 1, 0, 0, 1):
        there(wraps[k])
        PARTS[name](expected)[k][...] += 1
    for wrap, part in zip(wraps, PARTS[name](expected)):
        np.testing.assert_array_equal(wrap.numpy(), part)
    np.testing.assert_array_equal(a, expected)


def test_wraps_of_one_array_move_once(there):
    a = np.zeros(8)
    first, second = cpl.asarray(a[:4]), cpl.asarray(a)
    before = cpl.copies()["to_device"]
    there(first), there(second), there(first)
    after = cpl.copies()["to_device"]
    assert (after[0] - before[0], after[1] - before[1]) == (1, a.nbytes)


def test_what_a_wrap_leaves(there):
    a, b = np.zeros(4), np.zeros(4)

    def once():
        there(cpl.asarray(a))
        there(cpl.asarray(b[1:3]))

    once()
    once()
    gc.collect()
    assert a.tolist() == [2]*4 and b.tolist() == [0, 2, 2, 0]
    whole = cpl.asarray(a)
    part = whole[1:3]
    there(part)
    del whole
    assert a.tolist() == [2]*4
    del part
    assert a.tolist() == [2, 3, 3, 2]


@cpl.reduce("a + b")
def total(i, p):
    return p[i]


def test_numpys_array_itself(there):
    a = np.zeros(4)
    wrap = cpl.asarray(a[1:])
    there(wrap)
    assert total(a) == 3
    there(wrap)
    assert (cpl.zeros(4) + a).tolist() == [0, 2, 2, 2]
    there(wrap)
    assert cpl.array(a).tolist() == [0, 3, 3, 3]
    there(a)
    there(wrap)
    grow(a)
    there(wrap)
    assert wrap.tolist() == [7, 7, 7] and a.tolist() == [2, 7, 7, 7]
    y = cpl.zeros(4)
    there(wrap)
    y[:] = a
    assert y.tolist() == [2, 8, 8, 8]
    np.add(y, 1, out=a)
    there(wrap)
    assert wrap.tolist() == [10, 10, 10]


def test_pinned(there):
    a = np.zeros(4)
    x, other = cpl.asarray(a), cpl.asarray(a[1:])
    there(x)
    assert other.pin() is other and a.tolist() == [1]*4
    for array in (x, x[:2], other):
        with pytest.raises(cpl.ArgumentError, match="stays in main memory"):
            there(array)
    grow(x)
    assert a.tolist() == [2]*4
    with pytest.raises(cpl.ArgumentError, match="lives on"):
        cpl.zeros(3, device=f"{DEVICES[-1]}:0").pin()

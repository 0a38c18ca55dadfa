"""Arrays on a device: the same functions, with results there."""

import os

import numpy as np
import pytest

import cpl
from cpl.random import default_rng


@pytest.fixture(scope="module")
def place():
    for label in filter(None, (os.environ.get("CPL_TEST_DEVICE"), "cuda:0", "opencl:0")):
        try:
            return cpl.zeros(1, device=label).place
        except cpl.DeviceError:
            pass
    pytest.skip("there is no device")


A = np.arange(24.0).reshape(2, 3, 4)
K = np.array([3, 1, 2, 1, 0])


def changed(x):
    y = x.copy()
    y[[0, 1], 0] = 5
    y[y > 20] = 0
    y[0, 0, 0] = 9
    y[1] = A[0]
    y[:, :, 1] += 2
    return y


CALLS = {
    "x + 1": lambda x, k: x + 1,
    "x + x": lambda x, k: x + x.copy(),
    "in place": lambda x, k: changed(x),
    "views": lambda x, k: x.T[1:, ::-1].copy(),
    "sums": lambda x, k: x.sum(0),
    "all sums": lambda x, k: np.sum(x),
    "mean": lambda x, k: x.mean((0, 2)),
    "of an expression": lambda x, k: (x*x[0] + 1).sum(),
    "of views": lambda x, k: (x.T - x[::-1].T).max(), "in one dimension": lambda x, k: x.sum(keepdims=True),
    "of many": lambda x, k: np.sum(np.repeat(k, 20000)), "of long rows": lambda x, k: np.repeat(x[0], 5000, 1).max(1),
    "std": lambda x, k: np.std(x), "var": lambda x, k: np.var(x, 2), "argmin": lambda x, k: (-x).argmin(),
    "argmax": lambda x, k: x.argmax(1),
    "cumsum": lambda x, k: x.cumsum(1),
    "indices": lambda x, k: x[[1, 0], :, [1, 2]],
    "mask": lambda x, k: x[x > 5],
    "where": lambda x, k: np.where(x > 5, x, 0),
    "nonzero": lambda x, k: np.nonzero(x),
    "take": lambda x, k: np.take(x, k[1:3], 1),
    "sort": lambda x, k: np.sort(-x, 0),
    "argsort": lambda x, k: np.argsort(k, kind="stable"),
    "unique": lambda x, k: np.unique(k, True, True, True),
    "searchsorted": lambda x, k: np.searchsorted(np.sort(k), k),
    "complex keys": lambda x, k: np.unique(k - 1j*k[::-1], True, True, True),
    "sorted complex": lambda x, k: np.sort(k % 2 + 1j*k),
    "union1d": lambda x, k: np.union1d(k, k + 2),
    "setdiff1d": lambda x, k: np.setdiff1d(k, k[:2]),
    "concatenate": lambda x, k: np.concatenate([x, x], 1),
    "dot": lambda x, k: np.dot(k, k),
    "matmul": lambda x, k: x[0] @ x[1].T,
    "diff": lambda x, k: np.diff(x),
    "clip": lambda x, k: np.clip(x, 3, 5),
    "astype": lambda x, k: x.astype(np.float16)*np.float16(2),
}


@pytest.mark.parametrize("name", CALLS)
def test_functions(name, place):
    found = CALLS[name](cpl.array(A, device=place), cpl.array(K, device=place))
    expected = CALLS[name](A, K)
    pairs = zip(found, expected) if isinstance(expected, tuple) else [(found, expected)]
    for f, e in pairs:
        assert f.place == place
        np.testing.assert_array_equal(f.numpy(), np.asarray(e), strict=True)


def test_making_them(place):
    for made in (cpl.zeros(3, device=place), cpl.full((2, 2), 5, device=place),
                 cpl.arange(5, device=place), cpl.linspace(0, 1, 3, device=place),
                 cpl.asarray(A, device=place), cpl.ones_like(cpl.zeros(2, device=place)),
                 cpl.random.default_rng(1, device=place).random(4)):
        assert made.place == place
    x = cpl.array(K, device=place)
    x.resize(7)
    assert x.tolist() == [*K, 0, 0]
    np.testing.assert_array_equal(default_rng(3, device=place).random(50).numpy(),
                                  default_rng(3).random(50).numpy())
    there = cpl.array(x, device="host")
    assert there.place == "host" and there.tolist() == x.tolist()


def test_nothing_moves_by_itself(place):
    x = cpl.array(A, device=place)
    with pytest.raises(TypeError, match="device="):
        x + A
    with pytest.raises(ValueError, match="automatic"):
        x + cpl.array(A)
    with pytest.raises(BufferError, match="copies"):
        memoryview(x)
    with pytest.raises(ValueError, match="without a copy"):
        np.asarray(x, copy=False)
    np.testing.assert_array_equal(np.asarray(x), A)
    with pytest.raises(IndexError, match="out of bounds"):
        x[[5]]
    with pytest.raises(cpl.DeviceError):
        cpl.zeros(1, device="opencl:99")
    with pytest.raises(TypeError, match="a device was expected"):
        cpl.zeros(1, device=3)


def test_launches_go_where_arrays_are(place):
    @cpl.elementwise
    def twice(i, x, y):
        y[i] = 2*x[i]

    for where in (None, place, None):
        x = cpl.array(K, device=where)
        y = cpl.zeros_like(x)
        twice(x, y)
        assert y.tolist() == (2*K).tolist()
        assert cpl.reduce("a + b")(y) == 2*K.sum()
        for scan in (cpl.scan("a + b"), cpl.scan("a + b", "lambda i, x: x[i]")):
            sums = scan(x)
            assert sums.place == x.place and sums.tolist() == K.cumsum().tolist()
    with pytest.raises(ValueError, match="is on the host"):
        twice(cpl.array(K, device=place), cpl.zeros(5))


@pytest.mark.parametrize("shape, axis", [
    ((5000, 5), 0), ((33, 1000), 0), ((100, 1000), 0), ((100, 1000), 1), ((40, 3), 0),
    ((100, 4, 50), 1), ((7, 300, 30), (0, 1)), ((20000,), 0), ((2, 9000, 3), 1),
])
def test_sums_have_the_same_bits_everywhere(shape, axis, place):
    values = np.random.default_rng(1).normal(size=shape)
    cpl.config.reproducible = 1
    try:
        for call in (cpl.sum, cpl.mean, cpl.prod):
            found = [call(cpl.array(values, device=d), axis).numpy() for d in ("host", place)]
            np.testing.assert_array_equal(*found)
    finally:
        cpl.config.reproducible = 0

"""Arrays of random numbers."""

import numpy as np
import pytest

import cpl
from cpl import random
from cpl.random import default_rng


@cpl.elementwise
def draw(i, x, seed, number):
    x[i] = random.uniform(seed, i, number)


def test_the_numbers_of_kernels():
    rng, x = default_rng(42), np.empty(100)
    for number in range(3):
        draw(x, 42, number)
        np.testing.assert_array_equal(rng.random(100).numpy(), x)
    np.testing.assert_array_equal(default_rng(42).random((20, 5)).numpy().ravel(),
                                  default_rng(42).random(100).numpy())


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64], ids=lambda t: t.__name__)
def test_distributions(dtype):
    rng, n = default_rng(1), 20000
    for x, mean, deviation in [
        (rng.random(n, dtype), 0.5, 12**-0.5), (rng.uniform(-1, 3, n, dtype), 1, 4*12**-0.5),
        (rng.normal(2, 3, n, dtype), 2, 3), (rng.standard_normal(n, dtype), 0, 1),
        (rng.exponential(2, n, dtype), 2, 2),
    ]:
        values = x.numpy().astype(float)
        assert x.dtype == dtype
        assert abs(values.mean() - mean) < 6*deviation/n**0.5
        assert abs(values.std()/deviation - 1) < 0.05


def test_integers():
    rng = default_rng(5)
    x = rng.integers(-3, 4, 1000, np.int16)
    assert x.dtype == np.int16 and np.unique(x).tolist() == list(range(-3, 4))
    assert np.unique(rng.integers(3, size=100)).tolist() == [0, 1, 2]
    assert np.unique(rng.integers(1, 3, size=100, endpoint=True)).tolist() == [1, 2, 3]
    for low, high in ((3, 3), (0, None)):
        with pytest.raises(ValueError, match="low >= high"):
            rng.integers(low, high)
    with pytest.raises(ValueError, match="high is out of bounds for uint8"):
        rng.integers(0, 300, 10, np.uint8)
    with pytest.raises(TypeError):
        rng.integers([1, 2], [3, 4])


@pytest.mark.parametrize("low, end, dtype", [
    (-2**63, 2**63, np.int64), (2**63 - 5, 2**63, np.int64), (-2**63, 2**63 - 1, np.int64),
    (0, 2**64, np.uint64), (0, 2**63 + 1, np.uint64), (2**64 - 3, 2**64, np.uint64),
    (2**63, 2**64 - 1, np.uint64),
])
def test_integers_of_64_bits(low, end, dtype):
    width = end - low
    for size, closed in ((5000, False), (5000, True)):
        x = [k - low for k in default_rng(2).integers(low, end - closed, size, dtype, closed).tolist()]
        assert 0 <= min(x) <= width//1000 and width - 1 - width//1000 <= max(x) < width


def test_ends_of_64_bits_are_kept():
    for low, high, dtype in ((-2**63 - 1, 0, np.int64), (0, 2**63 + 1, np.int64),
                             (-1, 5, np.uint64), (0, 2**64 + 1, np.uint64)):
        with pytest.raises(ValueError, match="out of bounds"):
            default_rng(2).integers(low, high, 3, dtype)


def test_permutations():
    rng = default_rng(5)
    p = rng.permutation(100)
    assert np.sort(p).tolist() == list(range(100)) and p.tolist() != list(range(100))
    x = cpl.arange(12).reshape(6, 2)
    rows = rng.permutation(x).tolist()
    assert sorted(rows) == x.tolist()
    assert rng.permutation(0).size == 0


def test_seeds():
    for seed in (-1, 1 << 64):
        with pytest.raises(ValueError, match="a seed is from 0"):
            default_rng(seed)
    with pytest.raises(TypeError):
        default_rng(1.5)
    x = np.arange(5.0)
    assert sorted(default_rng(np.int32(3)).permutation(x).tolist()) == x.tolist()


def test_what_is_refused():
    rng = default_rng(0)
    with pytest.raises(TypeError, match="int64"):
        rng.random(3, np.int64)
    with pytest.raises(ValueError, match="finite"):
        rng.normal(np.inf)
    with pytest.raises(ValueError):
        rng.uniform(2, 1, 3)
    assert default_rng().seed != default_rng().seed

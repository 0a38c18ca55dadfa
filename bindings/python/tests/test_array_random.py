"""Arrays of random numbers."""

import subprocess
import sys

import numpy as np
import pytest
from conftest import DEVICES

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


def test_permutations_along_axes():
    x = np.arange(12).reshape(3, 4)
    columns = default_rng(2).permutation(x, axis=1).numpy()
    order = default_rng(2).permutation(4).numpy()
    np.testing.assert_array_equal(columns, x[:, order])
    assert sorted(default_rng(2).permutation([2.5, 1.5]).tolist()) == [1.5, 2.5]
    with pytest.raises(TypeError):
        default_rng(2).permutation(2.5)


def test_shuffles():
    for axis in (0, 1, -1):
        x = np.arange(30).reshape(5, 6)
        expected = default_rng(7).permutation(x, axis).numpy()
        for made in (x.copy(), cpl.array(x)):
            assert default_rng(7).shuffle(made, axis) is None
            np.testing.assert_array_equal(np.asarray(made), expected)
    x = cpl.arange(12)
    default_rng(7).shuffle(x[::-2])
    assert x[::2].tolist() == list(range(0, 12, 2)) and sorted(x.tolist()) == list(range(12))
    fixed = np.arange(3)
    fixed.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        default_rng(7).shuffle(fixed)
    for wrong in ([1, 2], np.array(3), cpl.array(3)):
        with pytest.raises(TypeError, match="an array of one dimension or more"):
            default_rng(7).shuffle(wrong)
    with pytest.raises(np.exceptions.AxisError):
        default_rng(7).shuffle(cpl.arange(3), 1)


def test_choices():
    rng = default_rng(11)
    assert rng.choice(5).shape == () and rng.choice(5, (2, 3)).shape == (2, 3)
    assert np.unique(rng.choice(5, 200)).tolist() == list(range(5))
    assert sorted(rng.choice(9, 9, replace=False).tolist()) == list(range(9))
    assert len(set(rng.choice(1000, 40, replace=False).tolist())) == 40
    x = cpl.arange(12).reshape(3, 4)
    for chosen in rng.choice(x, 5, axis=1).numpy().T:
        assert chosen.tolist() in x.numpy().T.tolist()
    assert rng.choice(x, (2, 2)).shape == (2, 2, 4)
    assert set(rng.choice([1.5, 2.5], 50).tolist()) == {1.5, 2.5}
    assert rng.choice([], 0).size == 0


def test_choices_that_are_not_as_likely():
    p, n = np.array([0.1, 0.0, 0.3, 0.6]), 20000
    often = np.bincount(default_rng(3).choice(4, n, p=p).numpy(), minlength=4)
    assert often[1] == 0
    assert (abs(often/n - p) < 6*np.sqrt(p*(1 - p)/n) + 1e-12).all()
    assert sorted(default_rng(3).choice(4, 3, False, p).tolist()) == [0, 2, 3]
    rng, many = default_rng(4), 300
    first = np.bincount([int(rng.choice(4, 1, False, p)[0]) for _ in range(many)], minlength=4)
    assert (abs(first/many - p) < 6*np.sqrt(p*(1 - p)/many) + 1e-12).all()


@pytest.mark.parametrize("arguments, message", [
    ((0, 1), "a must be a positive integer"), ((-1, 1), "a must be a positive integer"),
    (([], 1), "a cannot be empty"), ((5, 6, False), "larger sample than population"),
    ((2, 2, True, [0.5]), "a and p must have same size"), ((2, 2, True, [0.5, 0.6]), "sum to 1"),
    ((2, 2, True, [-1, 2]), "not non-negative"), ((2, 2, True, [np.nan, 1]), "contain NaN"),
    ((2, 2, True, [[0.5, 0.5]]), "1-dimensional"), ((2, 2, False, [1, 0]), "Fewer non-zero"),
])
def test_choices_that_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        default_rng(1).choice(*arguments)


def test_seeds():
    for seed in (-1, 1 << 64):
        with pytest.raises(ValueError, match="a seed is from 0"):
            default_rng(seed)
    with pytest.raises(TypeError):
        default_rng(1.5)
    x = np.arange(5.0)
    assert sorted(default_rng(np.int32(3)).permutation(x).tolist()) == x.tolist()


def test_a_generator_is_its_own():
    rng = default_rng(3)
    assert default_rng(rng) is rng


@pytest.mark.parametrize("place", ["host", *DEVICES])
@pytest.mark.parametrize("kind", [np.asarray, cpl.asarray], ids=["numpy", "cpl"])
def test_arrays_that_are_given(kind, place):
    """What is written comes back to arrays of NumPy's wherever new arrays are made."""
    there, wanted, rng = kind(np.zeros((20, 5)))[::2], default_rng(4), default_rng(4)
    with cpl.device(place):
        for name in ("random", "standard_normal", "standard_exponential"):
            assert getattr(rng, name)(out=there) is there
            np.testing.assert_array_equal(np.asarray(there),
                                          getattr(wanted, name)((10, 5)).numpy())
        rows = kind(np.arange(12).reshape(4, 3)).T
        rng.shuffle(rows, axis=1)
        np.testing.assert_array_equal(
            np.asarray(rows), wanted.permutation(np.arange(12).reshape(4, 3).T, axis=1).numpy())


def test_arrays_of_any_layout_are_shuffled():
    order = default_rng(1).permutation(4).numpy()
    packed = np.zeros(4, [("tag", "i1"), ("x", "f8")])["x"]
    masked = np.ma.array(np.arange(4), mask=[True, False, False, False])
    for x in (packed, np.zeros(4, ">i4"), np.array(list("abcd"))):
        x[:] = np.arange(4)
        kept = x[order]
        default_rng(1).shuffle(x)
        assert x.tolist() == kept.tolist()
    default_rng(1).shuffle(masked)
    assert masked.tolist() == [None if k == 0 else k for k in order.tolist()]


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
@pytest.mark.parametrize("dtype", [">i4", ">f8", "U2", "S3", "O", "M8[s]", "packed"])
def test_every_axis_of_any_layout_is_shuffled(dtype, axis):
    plain = np.arange(60).reshape(3, 4, 5)
    made = np.zeros((3, 4, 5), [("tag", "i1"), ("x", "f8")])["x"] if dtype == "packed" else np.zeros((3, 4, 5), dtype)
    made[:] = plain
    wanted = plain.copy()
    default_rng(5).shuffle(wanted, axis)
    want = made.copy()
    want[:] = wanted
    default_rng(5).shuffle(made, axis)
    assert made.tolist() == want.tolist()


@pytest.mark.parametrize("arguments, error, text", [
    ({"out": np.zeros(3, "f4")}, TypeError, "wrong type. Expected float64, got float32"),
    ({"out": [1.0]}, TypeError, "out is an array of NumPy's or of cpl, not list"),
    ({"out": np.zeros(3), "size": 2}, ValueError, "size must match out.shape"),
    ({"out": np.broadcast_to(np.zeros(1), 3)}, ValueError, "must be writable, aligned"),
    ({"out": np.zeros(25, "u1")[1:].view("f8")}, ValueError, "must be writable, aligned"),
])
def test_arrays_that_are_not_filled(arguments, error, text):
    rng = default_rng(1)
    with pytest.raises(error, match=text):
        rng.random(**arguments)
    assert rng.draw == 0 and rng.random(out=np.zeros(2), size=2).shape == (2,)


def test_what_is_refused():
    rng = default_rng(0)
    with pytest.raises(TypeError, match="int64"):
        rng.random(3, np.int64)
    with pytest.raises(ValueError, match="finite"):
        rng.normal(np.inf)
    with pytest.raises(ValueError):
        rng.uniform(2, 1, 3)
    assert default_rng().seed != default_rng().seed


def test_is_there_without_an_import():
    """And is not imported with the package."""
    done = subprocess.run(
        [sys.executable, "-c", "import sys, cpl; assert 'cpl.random' not in sys.modules\n"
         "print(cpl.random.default_rng(1).integers(5, size=3).shape, hasattr(cpl, 'randoms'))"],
        capture_output=True, text=True, check=False)  # fmt: skip
    assert done.stdout == "(3,) False\n", done.stderr

"""NumPy's functions of whole arrays, with arrays of the library: against NumPy."""

import itertools
import re
import warnings

import numpy as np
import pytest
from conftest import DEVICES, numbers

import cpl

AXES = [None, 0, -1, (0, 2)]
REDUCTIONS = ["sum", "prod", "min", "max", "all", "any", "mean", "count_nonzero"]


def same(found, expected, exact=True):
    """Arrays, or tuples of them, of the same types and shapes, with the same elements."""
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for f, e in zip(found, expected):
            same(f, e, exact)
        return
    assert isinstance(found, cpl.ndarray)
    expected = np.asarray(expected)
    if exact:
        np.testing.assert_array_equal(found.numpy(), expected, strict=True)
    else:  # sums are taken in another order, and a*b + c may be rounded once
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        eps = np.finfo(expected.dtype).eps if expected.dtype.kind == "f" else 0
        np.testing.assert_allclose(found.numpy(), expected, rtol=4*eps, atol=2*eps)


def both(f, a, *args, exact=True, **kwargs):
    same(f(cpl.array(a), *args, **kwargs), f(a, *args, **kwargs), exact)


# --- making arrays ---


def test_fills(dtype):
    same(cpl.zeros((2, 3), dtype), np.zeros((2, 3), dtype))
    same(cpl.ones((2, 3), dtype), np.ones((2, 3), dtype))
    same(cpl.full(4, 1, dtype), np.full(4, 1, dtype))
    x = cpl.array(numbers(dtype, (2, 3)))
    same(cpl.zeros_like(x), np.zeros((2, 3), dtype))
    same(cpl.ones_like(x, np.int8), np.ones((2, 3), np.int8))
    same(np.full_like(x, 1), np.full((2, 3), 1, dtype))
    assert cpl.empty_like(x, shape=5).shape == (5,)
    x.fill(1)
    same(x, np.ones((2, 3), dtype))


def test_numbers_that_a_fill_does_not_hold():
    for call in (lambda: cpl.full(3, 300, np.uint8), lambda: cpl.zeros(3, np.int8).fill(128)):
        with pytest.raises(OverflowError, match="out of bounds"):
            call()
    with pytest.raises(ValueError, match="NaN"):
        cpl.zeros(3, np.int32).fill(np.nan)


@pytest.mark.parametrize("args", [(5,), (2, 9), (2, 9, 3), (9, 2, -2), (0, 1, 0.1), (1, 0), (2.5,),
                                  (0, 10, 0.3), (5, 5)], ids=str)
def test_arange(args):
    same(cpl.arange(*args), np.arange(*args), exact=False)
    for dtype in (np.float32, np.int16):
        if all(isinstance(a, int) for a in args):
            same(cpl.arange(*args, dtype=dtype), np.arange(*args, dtype=dtype))


def test_linspace():
    same(cpl.linspace(0, 1, 11), np.linspace(0, 1, 11), exact=False)
    same(cpl.linspace(3, -1, 7, endpoint=False), np.linspace(3, -1, 7, endpoint=False), exact=False)
    same(cpl.linspace(0, 10, 4, dtype=int), np.linspace(0, 10, 4, dtype=int))
    same(cpl.linspace(0, 1, 0), np.linspace(0, 1, 0))
    same(cpl.linspace(2, 3, 1), np.linspace(2, 3, 1))
    with pytest.raises(ValueError, match="non-negative"):
        cpl.linspace(0, 1, -1)
    with pytest.raises(ZeroDivisionError):
        cpl.arange(0, 1, 0)


def test_concatenate(dtype):
    a, b = numbers(dtype, (2, 3)), numbers(np.int32, (4, 3))
    same(np.concatenate([cpl.array(a), cpl.array(b)]), np.concatenate([a, b]))
    same(cpl.concatenate([cpl.array(a), cpl.array(a)], axis=1), np.concatenate([a, a], axis=1))
    same(cpl.concatenate([cpl.array(a), cpl.array(b)], axis=None), np.concatenate([a, b], axis=None))
    same(np.stack([cpl.array(a), cpl.array(a)], axis=1), np.stack([a, a], axis=1))
    with pytest.raises(ValueError, match="match exactly"):
        cpl.concatenate([cpl.array(a), cpl.array(b)], axis=1)
    with pytest.raises(ValueError, match="at least one"):
        cpl.concatenate([])


@pytest.mark.parametrize("to", [np.bool_, np.int8, np.uint16, np.int64, np.float16, np.float64])
def test_astype(dtype, to):
    a = numbers(dtype, 20)
    same(cpl.array(a).astype(to), a.astype(to))
    assert cpl.array(a).astype(dtype, copy=False).dtype == dtype
    same(cpl.array(a[::-2]).copy(), a[::-2].copy())


# --- reductions and scans ---


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("axis", AXES, ids=str)
def test_reductions(name, axis, dtype):
    a = numbers(dtype, (2, 3, 4)) % 7
    a = a.astype(dtype)
    for layout in (a, a[:, ::-1, ::2], a[:1, :1, :1], a.T):
        with np.errstate(all="ignore"):
            both(getattr(np, name), layout, axis=axis, exact=False)
            both(getattr(np, name), layout, axis=axis, keepdims=True, exact=False)


@pytest.mark.parametrize("name", ["argmin", "argmax"])
@pytest.mark.parametrize("axis", [None, 0, 1, -1], ids=str)
def test_places_of_extremes(name, axis, dtype):
    a = numbers(dtype, (5, 6)) % 4
    both(getattr(np, name), a.astype(dtype), axis=axis)
    both(getattr(np, name), a.astype(dtype)[::-1, ::2], axis=axis, keepdims=True)


def test_running_sums_of_negative_zeros():
    for zero in (-0.0, complex(-0.0, -0.0), np.float32(-0.0), np.float16(-0.0)):
        for length in (1, 5, 5000):
            a = np.full(length, zero)
            sums, expected = np.cumsum(cpl.array(a)).numpy(), np.cumsum(a)
            np.testing.assert_array_equal(np.signbit(sums.real), np.signbit(expected.real))
            np.testing.assert_array_equal(np.signbit(sums.imag), np.signbit(expected.imag))


def test_nan_is_the_extreme():
    a = np.array([[1.0, np.nan, -5], [np.inf, 2, 3], [-np.inf, np.inf, 0]])
    for name in ("min", "max", "argmin", "argmax"):
        for axis in (None, 0, 1):
            both(getattr(np, name), a, axis=axis)


def test_reductions_of_nothing():
    for name in ("sum", "prod", "all", "any"):
        both(getattr(np, name), np.zeros((0, 3)), axis=0)
        both(getattr(np, name), np.zeros((0, 3)), axis=1)
        both(getattr(np, name), np.zeros(0))
    for name in ("min", "max", "argmin", "argmax"):
        with pytest.raises(ValueError):
            getattr(np, name)(cpl.zeros((0, 3)), axis=0)
        both(getattr(np, name), np.zeros((0, 3)), axis=1)


def test_arguments_of_reductions():
    a = np.arange(6, dtype=np.int8).reshape(2, 3)
    x = cpl.array(a)
    same(x.sum(dtype=np.float32), a.sum(dtype=np.float32))
    out = cpl.zeros(3)
    assert x.sum(0, out=out) is out and out.tolist() == [3, 5, 7]
    with pytest.raises(IndexError, match="axis 2 is out of bounds"):
        x.sum(2)
    with pytest.raises(ValueError, match="duplicate"):
        x.sum((0, 0))
    with pytest.raises(ValueError, match="shape"):
        x.sum(0, out=cpl.zeros(2))
    with pytest.raises(TypeError, match="same_kind"):
        x.mean(0, out=cpl.zeros(3, int))


@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "all", "any", "mean", "var", "std"])
@pytest.mark.parametrize("axis", [None, 0, (0, 2)], ids=str)
def test_reductions_of_some(name, axis, dtype):
    """Of those where a condition holds."""
    a = (numbers(dtype, (2, 3, 4)) % 7).astype(dtype)
    more = {"initial": 2} if name in ("min", "max", "sum") and dtype != np.bool_ else \
        {"initial": True} if name in ("min", "max") else {}
    for where in (a > 1, np.array([True, False, True, True]), np.ones((3, 1), bool)):
        for layout in (a, a[::-1]):
            for keepdims in (False, True):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    expected = getattr(np, name)(layout, axis=axis, keepdims=keepdims, where=where, **more)
                found = getattr(np, name)(cpl.array(layout), axis=axis, keepdims=keepdims, where=where, **more)
                same(found, expected, exact=False)


def test_means_that_are_known():
    a = np.random.default_rng(1).normal(size=(3, 4))
    middle = a.mean(1, keepdims=True)
    same(np.var(cpl.array(a), 1, mean=cpl.array(middle), correction=1), a.var(1, ddof=1), exact=False)
    same(np.std(cpl.array(a), 1, mean=middle), a.std(1), exact=False)
    with pytest.raises(ValueError, match="simultaneously"):
        np.var(cpl.array(a), ddof=1, correction=1)
    for name in ("mean", "var"):
        with pytest.raises(ValueError, match="where= has the shape"):
            getattr(np, name)(cpl.array(a), where=np.ones((2, 3, 4), bool))


@pytest.mark.parametrize("axis", [None, 0, 1], ids=str)
def test_scans(axis, dtype):
    a = (numbers(dtype, (3, 5)) % 3).astype(dtype)
    both(np.cumsum, a, axis=axis)
    both(np.cumprod, a, axis=axis)
    both(np.cumsum, a[::-1, ::2], axis=axis)
    if axis is not None:
        both(np.maximum.accumulate, a, axis)
        both(np.minimum.accumulate, a, axis)


def test_sums_are_of_64_bits():
    a = np.full(300, 127, np.int8)
    both(np.sum, a)
    both(np.cumsum, a)
    both(np.sum, np.ones(10, bool))


def test_diff(dtype):
    a = numbers(dtype, (4, 5))
    for axis in (0, 1):
        for n in (0, 1, 2):
            both(np.diff, a, n=n, axis=axis)
    both(np.diff, a[:, :1])
    with pytest.raises(ValueError, match="non-negative"):
        np.diff(cpl.zeros(3), n=-1)


def test_trapezoid():
    trapezoid = getattr(np, "trapezoid", None) or np.trapz
    y, x = np.random.default_rng(0).random((3, 5)), np.arange(5.0)**2
    same(trapezoid(cpl.array(y)), trapezoid(y), exact=False)
    same(cpl.trapezoid(cpl.array(y), cpl.array(x)), trapezoid(y, x), exact=False)
    same(cpl.trapezoid(cpl.array(y), cpl.array(x[:3]), axis=0), trapezoid(y, x[:3], axis=0), False)
    same(cpl.trapezoid(cpl.array(y), dx=0.5, axis=0), trapezoid(y, dx=0.5, axis=0), exact=False)


@pytest.mark.parametrize("shapes", [((4,), (4,)), ((3, 4), (4,)), ((4,), (4, 2)), ((3, 4), (4, 2)),
                                    ((), (3,)), ((0,), (0,)), ((2, 0), (0, 3))], ids=str)
def test_dot(dtype, shapes):
    a, b = ((numbers(dtype, s, k) % 5).astype(dtype) for k, s in enumerate(shapes))
    same(np.dot(cpl.array(a), cpl.array(b)), np.dot(a, b), exact=False)
    if a.ndim:
        same(cpl.array(a) @ cpl.array(b), a @ b, exact=False)


def test_products_with_arrays_of_numpy():
    a, b, v = np.array([[1.0, 2], [3, 4]]), np.array([[5.0, 6], [7, 8]]), np.array([1.0, 2])
    for found in (a @ cpl.array(b), cpl.array(a) @ b, np.matmul(a, cpl.array(b)),
                  np.dot(cpl.array(a), b), cpl.dot(a, b)):
        same(found, a @ b)
    same(v @ cpl.array(a), v @ a)
    same(cpl.array(v).dot(v), v.dot(v))
    same(cpl.dot(cpl.array(v), 2.0), 2*v)
    with pytest.raises(ValueError, match="not aligned"):
        cpl.array(a) @ np.ones(3)


def test_means_of_a_given_type():
    x = np.array([[1, 2], [4, 9]])
    both(np.mean, x, axis=0, dtype=np.int32)
    both(np.mean, x, dtype=np.float32)
    both(np.mean, x > 1, dtype=int)
    both(np.mean, x)


def test_arrays_of_numpy_in_functions():
    x = np.array([3, 1, 2])
    same(cpl.argmax(x), x.argmax())
    same(cpl.argmin(x), x.argmin())
    same(cpl.take(x, [0, 1]), x[:2])
    same(cpl.compress([True, False, True], x), x[::2])
    same(cpl.union1d(x, x), np.union1d(x, x))
    same(cpl.searchsorted(np.sort(x), 2), np.searchsorted(np.sort(x), 2))
    same(cpl.align([x], np.array([2, 0, 1])), [x[[2, 0, 1]]])


def test_products_that_do_not_fit():
    with pytest.raises(ValueError, match="not aligned"):
        cpl.dot(cpl.zeros(3), cpl.zeros(4))
    with pytest.raises(ValueError, match="not aligned"):
        cpl.dot(cpl.zeros((2, 2, 2)), cpl.zeros(3))


def test_clip(dtype):
    if dtype == np.bool_:
        pytest.skip("NumPy clips no bools")
    a = numbers(dtype, 50)
    same(np.clip(cpl.array(a), 10, 50), np.clip(a, 10, 50))
    same(cpl.array(a).clip(10), a.clip(10))
    same(cpl.array(a).clip(max=10), a.clip(max=10))


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int64])
@pytest.mark.parametrize("bounds", [(-1000, 5), (0, 1000), (-2**70, 2**70), (None, 2**70), (1, 3)])
def test_clip_to_numbers_past_the_bounds(kind, bounds):
    there = np.array([0, 1, 7, 120], kind)
    if kind == np.int64 and max(map(abs, filter(None, bounds))) < 2**60:
        bounds = (-2**64, 2**64)
    same(np.clip(cpl.array(there), *bounds), np.clip(there, *bounds))


def test_clip_to_what_no_element_reaches():
    with pytest.raises(OverflowError):
        np.clip(cpl.array(np.array([1], np.uint8)), 300, None)


def test_rounding_of_integers(dtype):
    there = numbers(dtype, 50)
    same(np.round(cpl.array(there)), np.round(there))
    if np.dtype(dtype).kind in "iu":
        same(np.round(cpl.array(there), -1), np.round(there, -1))


def test_squares_of_bools():
    there = np.array([True, False])
    same(cpl.array(there)**2, there**2)
    same(cpl.array(there)**1, there**1)



# --- shapes ---


def test_shapes():
    a = np.arange(24).reshape(2, 3, 4)
    x = cpl.array(a)
    same(x.T, a.T)
    same(x.transpose(1, 0, 2), a.transpose(1, 0, 2))
    same(np.transpose(x, (2, 0, 1)), np.transpose(a, (2, 0, 1)))
    same(np.moveaxis(x, 0, -1), np.moveaxis(a, 0, -1))
    same(x.swapaxes(0, 2), a.swapaxes(0, 2))
    same(x.reshape(4, -1), a.reshape(4, -1))
    same(x.T.reshape(-1), a.T.reshape(-1))
    same(np.ravel(x.T), np.ravel(a.T))
    same(x[:1].squeeze(), a[:1].squeeze())
    assert np.shares_memory(x.reshape(24).numpy(), x.numpy())
    assert not np.shares_memory(x.flatten().numpy(), x.numpy())
    with pytest.raises(ValueError, match="reshape"):
        x.reshape(5, -1)
    with pytest.raises(ValueError, match="one unknown"):
        x.reshape(-1, -1)
    with pytest.raises(ValueError, match="axes"):
        x.transpose(0, 1)
    with pytest.raises(ValueError, match="squeeze"):
        x.squeeze(0)


def test_arrays_that_grow():
    x = cpl.array([1, 2, 3])
    before = x.numpy()
    x.resize(5)
    assert x.tolist() == [1, 2, 3, 0, 0] and before.tolist() == [1, 2, 3]
    x.reserve(100)
    assert x.capacity >= 100 and len(x) == 5
    x.resize(2)
    x.squeeze_capacity()
    assert x.tolist() == [1, 2] and x.capacity < 100
    with pytest.raises(ValueError):
        x[:1].resize(3)
    with pytest.raises(ValueError):
        cpl.zeros((2, 2)).resize(3)


# --- indices ---

KEYS = [
    0, -1, np.s_[:], np.s_[1:], np.s_[::-1], np.s_[..., 0], np.s_[1, 2, 3], np.s_[:, None], np.s_[None],
    np.s_[1:, :-1, ::2], np.s_[..., None, 1:], np.s_[-1, ..., -1], np.s_[5:2], (), ...,
    [0, 1, 1], [-1], [], np.array([[0, 1], [1, 0]]), np.s_[:, [0, 2]], np.s_[..., [3, -4]],
    np.s_[[0, 1], [2, 0]], np.s_[[0, 1], :, [2, 0]], np.s_[:, [0, 1], [2, 3]], np.s_[0, :, [1, 2]],
    np.s_[:, 1, [1, 2]], np.s_[[[0], [1]], [0, 2]], np.s_[[1, 0], [1, 0], [3, 0]], np.s_[[0, 1], None],
    np.s_[np.array([1, 0], np.int8)], np.s_[np.array([1, 0], np.uint64), ::2],
    np.s_[np.array([True, False])], np.s_[:, np.array([True, False, True])],
    np.s_[np.array([True, False]), [0]], np.s_[..., np.array([True, False, True, True])],
    np.arange(24).reshape(2, 3, 4) % 3 == 0, np.s_[np.ones((2, 3), bool)],
    np.s_[np.ones((2, 3), bool), 1], np.zeros((2, 3, 4), bool),
]


@pytest.mark.parametrize("key", KEYS, ids=lambda k: repr(k).replace("\n", "")[:40])
@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.float64], ids=lambda t: t.__name__)
def test_indices(key, dtype):
    a = numbers(dtype, (2, 3, 4))
    same(cpl.array(a)[key], a[key])
    turned = a.transpose(2, 1, 0).copy().transpose(2, 1, 0)[::-1]
    same(cpl.asarray(turned)[key], turned[key])
    for value in (1, np.ones(np.shape(a[key]), dtype), np.ones((1, 1), np.int8)):
        if np.ndim(value) > np.ndim(a[key]) and np.ndim(a[key]) < 2:
            continue
        for source in (a, turned):
            x, b = cpl.array(source), source.copy()
            x[key] = value
            b[key] = value
            same(x, b)


def test_indices_that_are_arrays_of_the_library():
    a = np.arange(12.0).reshape(3, 4)
    x = cpl.array(a)
    same(x[cpl.array([2, 0])], a[[2, 0]])
    same(x[x > 5], a[a > 5])
    same(x[cpl.array(1)], a[1])
    x[x > 5] = 0
    a[a > 5] = 0
    same(x, a)
    x[:, 1] = cpl.array([1, 2, 3])
    a[:, 1] = [1, 2, 3]
    same(x, a)
    x[1] += x[0]
    a[1] += a[0]
    same(x, a)
    assert [float(r.sum()) for r in x] == a.sum(1).tolist()


def test_views_share_memory():
    x = cpl.zeros((3, 4))
    x[1:, ::2][0] = 5
    assert x.numpy().sum() == 10
    x.T[0] = 1
    assert x.numpy()[:, 0].tolist() == [1, 1, 1]


@pytest.mark.parametrize("key", [
    np.s_[..., [True, False, True], :], np.s_[..., [True, False, True], 0],
    np.s_[:, [0, 1], ..., -1], np.s_[0, ..., [1, 2]], np.s_[..., [[True, False, False, True]]*3],
    np.s_[None, ..., [0, 2], 1], np.s_[[0, 1], ..., [0, 2], :], np.s_[:, ..., 1, [0, 2]],
    np.s_[[False, True], ..., [1, 0, 2], 0], np.s_[..., [True, False], [2, 0, 1], 3],
], ids=repr)
def test_arrays_behind_an_ellipsis(key):
    there = np.arange(24).reshape(2, 3, 4)
    here = cpl.array(there)
    same(here[key], there[key])
    value = np.arange(there[key].size).reshape(there[key].shape)
    here[key], there[key] = cpl.array(value), value
    same(here, there)


WRONG = [
    (np.s_[..., [True, False, False, True], 0], IndexError, "along axis 0; size of axis is 3"),
    (5, IndexError, "5"), ((0, 0, 0), IndexError, "too many"), (1.5, IndexError, "only integers"),
    (np.s_[..., ...], IndexError, "single ellipsis"), (np.s_[::0], ValueError, "zero"),
    ([0, 3], IndexError, "index 3 is out of bounds for axis 0 with size 3"),
    ([-4], IndexError, "index -4"), (np.s_[:, [4]], IndexError, "axis 1 with size 4"),
    (np.s_[[0, 1], [0, 1, 2]], IndexError, "shape mismatch"),
    (np.s_[[0, 1], [0, 4]], IndexError, "out of bounds"), ([0.5], IndexError, "only integers"),
    (np.ones(4, bool), IndexError, "boolean index did not match"), ("a", IndexError, "only integers"),
    (np.ones((3, 3), bool), IndexError, "boolean index did not match"),
]


@pytest.mark.parametrize("key, error, what", WRONG, ids=lambda p: repr(p)[:30])
def test_indices_that_are_not_there(key, error, what):
    x = cpl.zeros((3, 4))
    with pytest.raises(error, match=what):
        x[key]
    with pytest.raises(error, match=what):
        x[key] = 1
    assert not x.numpy().any()


def keys_past_an_end(shape):
    """Keys of arrays, numbers and what stands between them, one of whose indices is just not there,
    and with it that index, its axis and how many elements that has."""
    for words in itertools.product(["array", "number", ":", "None", "..."], repeat=4):
        takes = [k for k, word in enumerate(words) if word in ("array", "number", ":")]
        if words.count("...") > 1 or len(takes) > 3:
            continue
        for at in takes:
            missing = len(shape) - len(takes) if "..." in words[:at] else 0
            axis = takes.index(at) + missing
            for index in (shape[axis], -shape[axis] - 1):
                key = {":": slice(None), "None": None, "...": ..., "array": [0, -1], "number": -1}
                wrong = {**key, "array": [0, index], "number": index}
                if words[at] != ":":
                    yield (tuple((wrong if k == at else key)[word] for k, word in enumerate(words)),
                           [index, axis, shape[axis]])


def test_errors_tell_which_index_is_not_there():
    there = np.zeros((3, 4, 5))
    here = cpl.array(there)
    count = 0
    for key, said in keys_past_an_end(there.shape):
        for x in (there, here):
            for use in (x.__getitem__, lambda key: x.__setitem__(key, 1)):
                with pytest.raises(IndexError) as error:
                    use(key)
                assert [int(n) for n in re.findall(r"-?\d+", str(error.value))] == said, key
        count += 1
    assert count > 1000 and not here.any()


def test_values_that_do_not_fit():
    x = cpl.zeros((3, 4), np.int8)
    with pytest.raises(ValueError, match="broadcast"):
        x[0] = [1, 2]
    with pytest.raises(ValueError, match="broadcast"):
        x[[0, 1]] = np.zeros((3, 4))
    with pytest.raises(OverflowError):
        x[0] = 200
    there = np.zeros(3)
    there.flags.writeable = False
    y = cpl.asarray(there)
    for key in (0, np.s_[:], [0, 1], np.array([True, False, True])):
        with pytest.raises(ValueError, match="read-only"):
            y[key] = 1
        with pytest.raises(ValueError, match="read-only"):
            y[key] = np.ones(there[key].shape)
    assert not there.any()


def test_fields():
    a = np.zeros(3, np.dtype([("a", "f4"), ("b", "i8")], align=True))
    x = cpl.array(a)
    x["b"] = [1, 2, 3]
    same(x["b"], np.array([1, 2, 3]))
    same(x[1:]["b"], np.array([2, 3]))
    assert x.numpy()["b"].tolist() == [1, 2, 3] and x["a"].tolist() == [0, 0, 0]


@pytest.mark.parametrize("place", ["host", *DEVICES])
def test_fields_of_packed_records(place):
    """Where elements are not aligned, copies that are only read; what is assigned goes to them."""
    there = np.zeros((2, 3), np.dtype([("a", "u1"), ("z", "c16"), ("d", "f8"), ("h", "f2")]))
    there["z"], there["d"] = np.arange(6).reshape(2, 3)*(1 - 2j), 1.5
    p = cpl.array(there, device=place)
    for name in ("a", "z", "d", "h"):
        same(p[name], there[name])
        same(p[:, ::-2][name], there[:, ::-2][name])
    p["z"], there["z"] = 7j, 7j
    p[1:, ::2]["d"], there[1:, ::2]["d"] = [[8, 9]], [[8, 9]]
    p["d"] = p["d"] + p["z"].imag
    there["d"] += there["z"].imag
    assert p.tolist() == there.tolist()
    field = p["z"]
    p["z"] = 0
    assert field.numpy()[0, 0] == 7j
    for write in (lambda: field.__setitem__(0, 1), lambda: field[0].__setitem__(0, 1),
                  lambda: field.__iadd__(1)):
        with pytest.raises(ValueError, match="read-only"):
            write()
    with pytest.raises(ValueError, match="no field of name y"):
        p["y"]


def test_fields_of_aligned_records():
    q = cpl.array(np.zeros(2, np.dtype([("a", "u1"), ("z", "c16")], align=True)))
    q["z"] = 1 + 2j
    q[1] = (3, 4)
    assert q.tolist() == [(0, 1 + 2j), (3, 4 + 0j)] and q[1]["z"] == 4


def test_take():
    a = np.arange(12.0).reshape(3, 4)
    x = cpl.array(a)
    for axis in (None, 0, 1, -1):
        for indices in ([0, 2], [[0, 1], [2, -1]], [], 1):
            both(np.take, a, indices, axis=axis)
        for mode in ("wrap", "clip"):
            both(np.take, a, [-7, 3, 100], axis=axis, mode=mode)
    same(np.take(x, cpl.array([1, 0], np.int32), 0), a[[1, 0]])
    with pytest.raises(IndexError, match="out of bounds"):
        np.take(x, [12])
    with pytest.raises(IndexError, match="empty axes"):
        np.take(cpl.zeros(0), [0])
    with pytest.raises(ValueError, match="clipmode"):
        np.take(x, [0], mode="other")
    with pytest.raises(TypeError, match="safe"):
        np.take(x, [True])


def test_conditions(dtype):
    a = numbers(dtype, (5, 6)) % 3
    a = a.astype(dtype)
    both(np.nonzero, a)
    same(np.where(cpl.array(a)), np.where(a))
    both(lambda c: np.where(c, 2, 3), a != 0)
    same(np.where(cpl.array(a) != 0, cpl.array(a), 1), np.where(a != 0, a, 1))
    same(np.where(cpl.array(a[0]), cpl.array(a), np.float32(2)), np.where(a[0], a, np.float32(2)))
    same(np.compress(cpl.array([True, False, True]), cpl.array(a), axis=0),
         np.compress([True, False, True], a, axis=0))
    same(cpl.array(a).compress([False, True]), a.compress([False, True]))
    with pytest.raises(ValueError, match="either both or neither"):
        cpl.where(cpl.array(a), 1)


# --- sorting ---


@pytest.mark.parametrize("axis", [None, 0, -1], ids=str)
def test_sort(axis, dtype):
    a = numbers(dtype, (7, 9))
    both(np.sort, a, axis=axis)
    both(np.argsort, a, axis=axis, kind="stable")
    both(np.sort, a[::-2, ::3], axis=axis)
    if axis is not None:
        x, b = cpl.array(a), a.copy()
        x.sort(axis)
        b.sort(axis)
        same(x, b)


def test_arguments_of_sort():
    x = cpl.array([2, 1])
    with pytest.raises(np.exceptions.AxisError):
        x.sort(axis=1)
    with pytest.raises(ValueError, match="sort kind"):
        x.sort(kind="slow")
    assert x.tolist() == [2, 1]


def test_sort_of_floats():
    a = np.array([np.nan, 1, -0.0, 0.0, -np.inf, np.inf, -0.0, np.nan, -1])
    both(np.sort, a)
    both(np.argsort, a, kind="stable")
    both(np.sort, np.zeros((3, 0)))
    both(np.argsort, np.zeros((0, 3)), axis=0)
    with pytest.raises(ValueError, match="kind"):
        np.sort(cpl.array(a), kind="bogo")


def test_partition():
    a = numbers(np.int32, 50)
    x = cpl.array(a)
    p = np.partition(x, 20).numpy()
    assert p[20] == np.sort(a)[20] and (p[:20] <= p[20]).all() and (p[21:] >= p[20]).all()
    same(cpl.topk(x, 5), np.sort(a)[::-1][:5].copy())
    same(cpl.topk(x, 5, largest=False), np.sort(a)[:5])
    for call in (lambda: cpl.partition(x, 50), lambda: cpl.topk(x, 51), lambda: cpl.topk(x, -1)):
        with pytest.raises(ValueError, match="out of bounds"):
            call()


def test_keys():
    keys, values = numbers(np.int32, 30), np.arange(30.0)
    order = np.argsort(keys, kind="stable")
    same(cpl.sort_by_keys(cpl.array(keys), cpl.array(values)), (keys[order], values[order]))
    same(cpl.align([cpl.array(keys), cpl.array(values)], cpl.array(order)), [keys[order], values[order]])
    with pytest.raises(ValueError, match="one length"):
        cpl.sort_by_keys(cpl.zeros(3), cpl.zeros(4))
    with pytest.raises(ValueError, match=r"array 1 of the values has the shape \(4,\)"):
        cpl.sort_by_keys(cpl.zeros(3), cpl.zeros(4))


def test_align_says_what_it_takes():
    x, order = cpl.zeros(3), cpl.array([2, 0, 1])
    with pytest.raises(TypeError, match="in place of the list there is an array of int64"):
        cpl.align(order, [x])
    with pytest.raises(TypeError, match="in place of the order there is a list of arrays"):
        cpl.align([x], [x])
    with pytest.raises(TypeError, match="of integers, not of float64"):
        cpl.align([x], x)


def test_descending(dtype):
    a = numbers(dtype, (6, 50))
    x, key = cpl.array(a), -a.astype(np.float64)
    for axis in (0, 1):
        same(cpl.sort(x, axis, descending=True), np.flip(np.sort(a, axis), axis))
        same(cpl.argsort(x, axis, stable=True, descending=True), np.argsort(key, axis, kind="stable"))
        y = x.copy()
        y.sort(axis, descending=True)
        same(y, np.flip(np.sort(a, axis), axis))
    order = np.argsort(key[0], kind="stable")
    y = x[0].copy()
    y.sort(descending=True)
    same(y, a[0][order])
    same(cpl.argsort(x[0], descending=True), order)
    same(cpl.sort_by_keys(x[0], x[1], descending=True), (a[0][order], a[1][order]))


def test_sorts_take_what_becomes_an_array():
    a = [3, 1, 2, 1]
    for of in (a, np.array(a)):
        same(cpl.sort(of), np.sort(a))
        same(cpl.argsort(of), np.argsort(a, kind="stable"))
        same(cpl.partition(of, 1), np.sort(a))
        same(cpl.topk(of, 2), np.array([3, 2]))
        same(cpl.unique(of, return_inverse=True), np.unique(a, return_inverse=True))
        same(cpl.sort_by_keys(of, of), (np.sort(a), np.sort(a)))
    with pytest.raises(ValueError, match="the sorter has the shape"):
        cpl.searchsorted(cpl.array([3, 1, 2]), 2, sorter=cpl.array([1, 2]))


def test_searchsorted(dtype):
    a, v = np.sort(numbers(dtype, 20)), numbers(dtype, (3, 4), seed=1)
    for side in ("left", "right"):
        same(np.searchsorted(cpl.array(a), cpl.array(v), side), np.searchsorted(a, v, side))
    same(cpl.searchsorted(cpl.array(a), 5), np.searchsorted(a, 5))
    order = np.argsort(a[::-1], kind="stable")
    same(cpl.searchsorted(cpl.array(a[::-1]), cpl.array(v), sorter=cpl.array(order)),
         np.searchsorted(a[::-1], v, sorter=order))
    with pytest.raises(ValueError, match="side"):
        cpl.searchsorted(cpl.array(a), 5, "middle")


def test_unique(dtype):
    for a in (numbers(dtype, (5, 6)), numbers(dtype, 0), numbers(dtype, 1)):
        both(np.unique, a)
        both(np.unique, a, return_index=True, return_inverse=True, return_counts=True)


def test_sets(dtype):
    a, b = numbers(dtype, 30), numbers(dtype, 20, seed=1)
    for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d"):
        f = getattr(np, name)
        same(f(cpl.array(a), cpl.array(b)), f(a, b))
        same(f(cpl.array(a), cpl.array(b[:0])), f(a, b[:0]))
    s, t = np.sort(a), np.sort(b)
    same(cpl.merge(cpl.array(s), cpl.array(t)), np.sort(np.concatenate([a, b])))


@pytest.mark.parametrize("a, b", [
    ([1.0, np.nan, 2, np.nan], [np.nan, 3]), ([np.nan], [1.0]), ([2.0, 1], [1, np.nan]),
    ([np.nan], [np.nan]), ([], [np.nan]),
], ids=str)
@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_sets_of_nan(a, b, dtype):
    """A NaN is like none, but for unions."""
    a, b = np.array(a, dtype), np.array(b, dtype)
    for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d"):
        f = getattr(np, name)
        same(f(cpl.array(a), cpl.array(b)), f(a, b))


@pytest.mark.parametrize("a, b", [
    (np.array([2**53 + 1, 5, 5]), np.array([5.0])),
    (np.array([2**64 - 1, 3, 2**63], np.uint64), np.array([3, -1])),
    (np.array([0.1, 0.5, np.nan], np.float32), np.array([0.1, 0.5])),
    (np.array([7, 1, 4], np.int8), np.array([300, 4])), (np.array([3, 1]), np.zeros(0)),
    (np.zeros(0, np.int8), np.array([1.5])),
])
def test_differences_of_other_types(a, b):
    """Values are the first array's own, not what they come to in the common type."""
    for unique in (False, True):
        same(np.setdiff1d(cpl.array(a), cpl.array(b), unique), np.setdiff1d(a, b, unique))


# --- one element ---


def test_single_elements():
    x = cpl.array([1.5, 2.5])
    assert x.item(1) == 2.5 and float(x[0]) == 1.5 and int(x[1]) == 2 and bool(x[0])
    assert [10, 20, 30][cpl.array(1)] == 20 and f"{x[0]:.2f}" == "1.50"
    assert 1.5 in x and 3 not in x
    with pytest.raises(ValueError, match=r"of an empty array is ambiguous. Use a.size > 0"):
        bool(cpl.zeros((2, 0)))
    with pytest.raises(ValueError, match="more than one element is ambiguous"):
        bool(x)
    with pytest.raises(ValueError, match="size 1"):
        x.item()
    with pytest.raises(TypeError):
        float(x)
    with pytest.raises(TypeError, match="with dimensions"):
        hash(x)
    with pytest.raises(TypeError, match=r"x.round\(\) rounds elements"):
        round(x)


@pytest.mark.parametrize("number", [2.75, -0.5, np.float32(1.25), 7, np.uint8(200), 1 - 2j])
def test_sums_are_numbers(number):
    """What holds one number has what Python asks of numbers."""
    x = cpl.array(np.asarray(number))
    assert {x: "there"}[number] == "there" and x in (3, number) and x == number
    assert f"{x}" == f"{number}" and complex(x) == complex(number)
    if np.iscomplexobj(number):
        return
    assert round(x) == round(np.asarray(number)[()]) and type(round(x)) is int
    assert float(x) == float(number) and int(x) == int(number) and f"{x:6.2f}" == f"{number:6.2f}"
    if np.asarray(number).dtype.kind in "iu":
        assert hex(x) == hex(number) and list(range(x)) == list(range(number)) and "a"*x == "a"*number
    else:
        assert round(x, 1) == round(np.asarray(number)[()], 1)


def test_what_is_no_number():
    """x == None is False for each element, and an order there is not, as in NumPy."""
    x = cpl.array([[1.5, np.nan]])
    for other in (None, "x", b"x"):
        same(x == other, np.array([[False, False]]))
        same(other != x, np.array([[True, True]]))
        with pytest.raises(TypeError):
            x < other
        with pytest.raises(TypeError):
            x + other
    assert not x.sum() == None  # noqa: E711
    with pytest.raises(IndexError, match="only integers"):
        x["a"]
    with pytest.raises(IndexError, match="only integers"):
        x[["a"]]


def test_lists_in_expressions():
    there = np.array([1.0, 2.0, 4.0])
    x = cpl.array(there)
    same(x + [1, 2, 3], there + [1, 2, 3])
    same((1, 2, 3) - x, (1, 2, 3) - there)
    same([[1], [2]]*x, [[1], [2]]*there)
    same(x == [1.0, 2, 3], there == [1.0, 2, 3])
    same(np.maximum(x, [3, 1, 3]), np.maximum(there, [3, 1, 3]))
    same([1, 2, 3] @ x, np.asarray([1, 2, 3] @ there))
    for mine, numpys in zip(divmod(7, x), divmod(7, there)):
        same(mine, numpys)
    x += [1, 1, 1]
    same(x, there + 1)
    with pytest.raises(ValueError, match="shape"):
        x + [1, 2]
    with pytest.raises(TypeError, match="a list of <U1"):
        x + ["a", "b", "c"]


# --- other shapes of views ---


@pytest.mark.parametrize("key, shape", [
    (np.s_[::2, 0, 0], (2, 1)), (np.s_[:, 0, 0], (4, 1, 1)), (np.s_[:, :, ::2], (12, 2)),
    (np.s_[:, ::2, 0], (2, 4)), (np.s_[:, ::2, :2], (8, 2)), (np.s_[::-1, 1], (2, 2, 4)),
    (np.s_[:, :, 1], (2, 6)), (np.s_[1:3, :, :2], (3, 4)), (np.s_[..., ::-1], (-1,)),
    (np.s_[:, 1:, :], (2, 2, 8)), (np.s_[:0, :, ::2], (3, 0)),
], ids=repr)
def test_reshaped_views_are_views(key, shape):
    """Where NumPy has one; elsewhere what is written to the copy stays there."""
    there = np.arange(48).reshape(4, 3, 4)
    here = cpl.array(there)
    a, b = there[key].reshape(shape), here[key].reshape(shape)
    same(b, a)
    a[...], b[...] = -1, -1
    same(here, there)


@pytest.mark.parametrize("align", [True, False])
def test_records_go_together(align):
    kind = np.dtype([("k", "i4"), ("v", "f8")], align=align)
    there = np.array([(1, 2.0), (3, 4.0)], kind)
    here = cpl.array(there)
    for made in (np.concatenate([here, here]), cpl.stack([here, here]).ravel()):
        assert made.dtype == kind and made.numpy().tolist() == np.concatenate([there]*2).tolist()
    zeros = np.zeros_like(here)
    assert zeros.dtype == kind and not zeros.numpy()["v"].any()
    with pytest.raises(TypeError):
        np.concatenate([here, cpl.zeros(2)])


# --- out= of what is put together and taken ---


@pytest.mark.parametrize("made", [cpl.array, np.array], ids=["cpl", "numpy"])
@pytest.mark.parametrize("a, b, of", [
    ("int32", "float32", "float64"), ("uint64", "int64", "int64"), ("bool", "bool", "bool"),
    ("bool", "int8", "uint8"), ("float64", "int8", "int64"), ("float64", "float64", "float32"),
])  # fmt: skip
def test_out_of_parts(made, a, b, of):
    x, y = (np.arange(6).reshape(2, 3) % 4).astype(a), np.ones((2, 2), b)
    for name, parts in (("concatenate", (x, y)), ("stack", (x, x.astype(b)))):
        shape = getattr(np, name)(parts, 1).shape
        ours, theirs = made(np.zeros(shape, of)), np.zeros(shape, of)
        given = [cpl.array(part) for part in parts]
        if not all(np.can_cast(part.dtype, of, "same_kind") for part in parts):
            with pytest.raises(TypeError):
                getattr(cpl, name)(given, 1, ours)
            getattr(np, name)(parts, 1, theirs, casting="unsafe")
            getattr(cpl, name)(given, 1, ours, casting="unsafe")
        else:
            getattr(np, name)(parts, 1, theirs)
            assert getattr(cpl, name)(given, 1, out=ours) is ours
        same(cpl.array(ours), theirs)


def test_out_that_does_not_fit():
    x = cpl.arange(6).reshape(2, 3)
    for out in (cpl.zeros((2, 6)), np.zeros(12), cpl.zeros((1, 4, 3)), cpl.zeros((4, 4))):
        with pytest.raises(ValueError):
            cpl.concatenate([x, x], out=out)
        with pytest.raises(ValueError):
            cpl.compress([True, False], x, 1, out)
    with pytest.raises(TypeError, match="both"):
        cpl.concatenate([x, x], out=cpl.zeros((4, 3)), dtype=float)
    with pytest.raises(TypeError):
        cpl.concatenate([x, x], out=3)
    with pytest.raises(TypeError):
        cpl.concatenate([cpl.ones(2)], dtype=int)


def test_out_of_compress():
    a, keep = np.arange(12).reshape(3, 4) % 3 == 1, [False, True, True]
    for x in (a, a.astype(np.int32)):
        mine = cpl.array(x)
        out = cpl.zeros((2, 4), x.dtype)
        assert mine.compress(keep, 0, out) is out
        same(out, x.compress(keep, 0))
        mine.compress(keep, 0, out=mine[:2])
        same(mine[:2], x.compress(keep, 0))
        out = np.zeros(2, x.dtype)
        np.compress([1, 0, 1], cpl.array(x[0]), out=out)
        np.testing.assert_array_equal(out, x[0].compress([1, 0, 1]))


def test_out_may_be_read():
    """What is put together is read as it was."""
    x = cpl.arange(10)
    cpl.concatenate([x[:3], x[3:5]], out=x[2:7])
    same(x, np.array([0, 1, 0, 1, 2, 3, 4, 7, 8, 9]))


def test_out_of_bools():
    yes = cpl.array([True, False])
    same(cpl.take(yes, [1, 0], out=cpl.zeros(2, bool)), np.array([False, True]))
    same(cpl.choose(yes, [yes, yes], out=cpl.zeros(2, bool)), np.array([True, False]))

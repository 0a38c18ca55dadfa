"""Calls of NumPy's ufuncs with all that they take, and their methods, against NumPy."""

import warnings

import numpy as np
import pytest
from conftest import DEVICES, numbers
from hypothesis import given, settings
from hypothesis import strategies as st

import cpl
from cpl import _cpl, expressions

NEW = ["divmod", "modf", "frexp", "ldexp", "gcd", "lcm", "float_power", "logaddexp2", "nextafter",
       "spacing", "fmod", "heaviside", "hypot", "copysign"]
NEW += ["bitwise_count"] if hasattr(np, "bitwise_count") else []


def same(found, expected, ulps=4):
    if isinstance(expected, tuple):
        assert isinstance(found, tuple) and len(found) == len(expected)
        for f, e in zip(found, expected):
            same(f, e, ulps)
        return
    expected = np.asarray(expected)
    assert isinstance(found, cpl.ndarray)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    there = found.numpy()
    if expected.dtype.kind == "f":
        eps = np.finfo(expected.dtype).eps
        np.testing.assert_allclose(there, expected, rtol=ulps*eps, atol=0)
        known = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(there)[known], np.signbit(expected)[known])
    else:
        np.testing.assert_array_equal(there, expected)


SOME_TYPES = [np.bool_, np.int8, np.uint64, np.int32, np.float16, np.float32, np.float64]


def edges(dtype, seed):
    """Numbers at the ends of a type among others."""
    r = np.random.default_rng(seed)
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return r.integers(0, 2, 20).astype(bool)
    if kind.kind == "f":
        v = (r.normal(size=20)*10).astype(dtype)
        limits = np.finfo(dtype)
        v[:9] = [0, -0.0, np.inf, -np.inf, np.nan, 1, limits.tiny, limits.max,
                 limits.smallest_subnormal]
        return r.permutation(v)
    limits = np.iinfo(dtype)
    v = r.integers(max(limits.min, -20), 20, 20).astype(dtype)
    v[:2] = [limits.max, 0]
    return r.permutation(v)


@pytest.mark.parametrize("name", NEW)
def test_all_types(name):
    ufunc = getattr(np, name)
    called = 0
    mixed = [(np.float32, np.int8), (np.uint8, np.int8), (np.float64, np.float16),
             (np.uint64, np.int64), (np.bool_, np.int32), (np.float32, np.int64)]
    for types in [(t,)*ufunc.nin for t in SOME_TYPES] + mixed*(ufunc.nin == 2):
        arguments = [edges(t, k) for k, t in enumerate(types)]
        with np.errstate(all="ignore"):
            try:
                expected = ufunc(*arguments)
            except TypeError:
                with pytest.raises(TypeError):
                    ufunc(*map(cpl.array, arguments))
                continue
        if expected[0].dtype.kind == "O":
            continue
        same(ufunc(*map(cpl.array, arguments)), expected)
        called += 1
    assert called > 1


@pytest.mark.parametrize("place", DEVICES)
def test_on_devices(place):
    a, i = edges(np.float32, 0), np.arange(20, dtype=np.int32)
    x, k = cpl.array(a, device=place), cpl.array(i, device=place)
    with np.errstate(all="ignore"):
        for f in (lambda a, i: np.divmod(a, np.float32(3)), lambda a, i: np.add.reduceat(i, [0, 5, 5, 2]),
                  lambda a, i: np.add(i, 1, where=i > 5, out=i + 0)):
            same(f(x, k), f(a, i))
    np.add.at(k, [1, 1, 3], 5)
    np.add.at(i, [1, 1, 3], 5)
    same(k, i)
    assert k.device is x.device and np.frexp(x)[0].device is x.device  # computed later


# --- what calls take ---


def test_where(dtype):
    a, b = numbers(dtype, (3, 4)), numbers(dtype, 4, 1)
    mask = np.arange(12).reshape(3, 4) % 3 == 0
    for condition in (mask, mask[0], True, False, np.bool_(True), mask[:, :1]):
        mine = np.add(cpl.array(a), cpl.array(b), out=cpl.full((3, 4), 1, dtype),
                      where=condition if np.ndim(condition) == 0 else cpl.array(condition))
        same(mine, np.add(a, b, out=np.full((3, 4), 1, dtype), where=condition))
    x = cpl.array(a)
    assert np.multiply(x, x, out=x, where=mask) is x
    same(x, np.multiply(a, a, out=a.copy(), where=mask))
    # without out= elements are left as they come in NumPy
    found, expected = np.add(cpl.array(a), 1, where=mask), np.add(a, 1)
    np.testing.assert_array_equal(found.numpy()[mask], expected[mask])
    there = np.zeros((3, 4), dtype)
    assert np.positive(cpl.array(a), where=mask, out=there) is there if dtype != np.bool_ else True


def test_where_is_of_bools():
    x = cpl.array([1.0, 2.0])
    with pytest.raises(TypeError, match="Cannot cast array data"):
        np.add(x, 1, where=x)
    with pytest.raises(ValueError, match="shape"):
        np.add(x, 1, out=cpl.zeros(3), where=x > 1)


@pytest.mark.parametrize("call", [
    lambda x: np.add(x, 1, dtype=np.float32), lambda x: np.sqrt(x*x, dtype="f4"),
    lambda x: np.add(x, 1, signature="dd->d"), lambda x: np.add(x, 1, casting="unsafe", dtype=np.int8),
    lambda x: np.multiply(x, 2, order="C", subok=False), lambda x: np.divmod(x, 2, dtype=np.float32),
    lambda x: np.add(x, x, signature=(None, None, np.float32), casting="same_kind"),
    lambda x: np.floor_divide(x, 2, dtype=np.int64, casting="unsafe"),
], ids=range(8))
def test_types_that_are_asked_for(call):
    a = np.array([1.5, -2.25, 7])
    same(call(cpl.array(a)), call(a))


def test_results_into_arrays():
    a = np.array([7.5, -2.0, 3])
    x, q, r = cpl.array(a), cpl.zeros(3), cpl.zeros(3)
    assert np.divmod(x, 2, out=(q, r))[0] is q
    same((q, r), np.divmod(a, 2))
    assert np.divmod(x, 2, out=(x, None))[0] is x  # which is read by both
    same(x, a // 2)
    m, e = cpl.zeros(3), np.zeros(3, np.int32)
    np.frexp(cpl.array(a), out=(m, e))
    same(m, np.frexp(a)[0])
    assert e.tolist() == np.frexp(a)[1].tolist()
    with pytest.raises(TypeError, match="same_kind"):
        np.divmod(x, 2, out=(cpl.zeros(3, int), None))
    with pytest.raises(TypeError, match="'no'"):
        np.add(cpl.zeros(3), 1, out=cpl.zeros(3, np.float32), casting="no")
    k = cpl.zeros(3, int)
    assert np.add(cpl.array(a), 0.5, out=k, casting="unsafe") is k
    same(k, (a + 0.5).astype(int))
    same(divmod(cpl.array(a), 2), divmod(a, 2))
    same(divmod(7, cpl.array(a)), divmod(7, a))


# --- methods ---

TAKING_IN = ["add", "multiply", "minimum", "maximum", "fmin", "fmax", "logical_and", "logical_or",
             "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "hypot", "logaddexp",
             "logaddexp2", "gcd", "lcm"]


def _taken(name, f, types=SOME_TYPES):
    ufunc = getattr(np, name)
    called = 0
    for dtype in types:
        a = (numbers(dtype, (3, 7), 3) % 5).astype(dtype)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                expected = f(ufunc, a)
            except TypeError:
                with pytest.raises(TypeError):
                    f(ufunc, cpl.array(a))
                continue
            if np.asarray(expected).dtype.kind == "O":
                continue
        same(f(ufunc, cpl.array(a)), expected, 16)
        called += 1
    assert called


@pytest.mark.parametrize("name", TAKING_IN)
def test_reduce_and_accumulate(name):
    _taken(name, lambda f, a: f.reduce(a))
    _taken(name, lambda f, a: f.reduce(a, axis=1, keepdims=True))
    _taken(name, lambda f, a: f.accumulate(a, 1))
    if getattr(np, name).identity is not None:
        _taken(name, lambda f, a: f.reduce(a[:0], axis=0))


def test_operators_beside_what_they_take_in():
    """Both may call functions of the package's; the kernel is made once."""
    a = np.arange(1, 13)
    x = cpl.array(a)
    same(np.gcd.reduce(x*6 + x*12), np.gcd.reduce(a*6 + a*12))
    same(np.gcd.reduce(np.lcm(x, 4) + x*4), np.gcd.reduce(np.lcm(a, 4) + a*4))
    same(np.gcd.accumulate(x*6 + x*12), np.gcd.accumulate(a*6 + a*12))
    program, _ = expressions.program_of(_cpl.expression(x*6 + x*12))
    module = program.module("gcd(a, b)")
    assert module is program.module("gcd(a, b)") is not program.module()
    assert program.module() is program.module("a + b")


@pytest.mark.parametrize("name", TAKING_IN)
def test_reduceat(name):
    types = [np.bool_, np.int32, np.float16 if name == "add" else np.float32]
    _taken(name, lambda f, a: f.reduceat(a, [0, 2, 5], axis=1), types)
    _taken(name, lambda f, a: f.reduceat(a, [1, 4, 4, 2, 6], axis=1), types)
    _taken(name, lambda f, a: f.reduceat(a[::-1].T, [2, 0, 5]), types)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "maximum", "fmin", "logical_or",
                                  "bitwise_xor", "gcd", "hypot"])
def test_at(name):
    for dtype in (np.bool_, np.int8, np.int64, np.float16, np.float64):
        for key in ([0, 1, 1, -1], [1], np.array([[0, 2], [2, 0]]), (slice(None), [0, 0, 5]),
                    ([0, 1, 1], [2, 3, 3]), slice(1, 3), []):
            a = (numbers(dtype, (3, 7), 2) % 5).astype(dtype)
            for value in (2, np.int8(3)):
                ufunc, expected = getattr(np, name), a.copy()
                try:
                    ufunc.at(expected, key, value)
                except TypeError:
                    with pytest.raises(TypeError):
                        ufunc.at(cpl.array(a), key, value)
                    continue
                if not np.can_cast(ufunc(a[0, 0], value).dtype, dtype, "same_kind"):
                    with pytest.raises(TypeError, match="Cannot cast ufunc"):
                        ufunc.at(cpl.array(a), key, value)
                    continue
                x, turned = cpl.array(a), cpl.array(a[::-1].copy())[::-1]
                ufunc.at(x, key, value)
                ufunc.at(turned, key, value)
                same(x, expected)
                same(turned, expected)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(-20, 19), max_size=60), st.sampled_from(["add", "minimum", "multiply"]))
def test_at_often(places, name):
    a = np.arange(20.0) % 3
    expected, x = a.copy(), cpl.array(a)
    values = np.resize([1.0, 2, 0.5], len(places))
    getattr(np, name).at(expected, places, values)
    getattr(np, name).at(x, cpl.array(np.array(places, int)), cpl.array(values))
    same(x, expected)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 19), min_size=1, max_size=30))
def test_parts_of_any_order(places):
    a = np.arange(40).reshape(20, 2)*3 % 7
    same(np.add.reduceat(cpl.array(a), places), np.add.reduceat(a, places))


@pytest.mark.parametrize("dtype", [np.bool_, np.uint64, np.float32])
def test_outer(dtype):
    a, b = numbers(dtype, (2, 3)), numbers(np.int8, 4, 1)
    for name in ("add", "maximum", "less"):
        f = getattr(np, name)
        same(f.outer(cpl.array(a), cpl.array(b)), f.outer(a, b))
        same(f.outer(cpl.array(a), 3), f.outer(a, 3))
        same(f.outer(b, cpl.array(a)), f.outer(b, a))
    out = cpl.zeros((2, 3, 4))
    assert np.multiply.outer(cpl.array(a), cpl.array(b), out=out) is out


@pytest.mark.parametrize("call, error, what", [
    (lambda x: np.subtract.reduce(x), TypeError, "numpy.subtract.reduce is not there"),
    (lambda x: np.subtract.accumulate(x), TypeError, "numpy.subtract.accumulate is not there"),
    (lambda x: np.add.reduceat(x, [3]), IndexError, r"index 3 out-of-bounds in add.reduceat \[0, 3\)"),
    (lambda x: np.add.reduceat(x, [[0]]), ValueError, "object too deep"),
    (lambda x: np.negative.at(x, [0]), TypeError, "numpy.negative.at is not there"),
    (lambda x: np.divide.at(x, [0], 2), TypeError, "numpy.divide.at is not there"),
    (lambda x: np.add.at(x, [3], 2), IndexError, "index 3 is out of bounds"),
    (lambda x: np.add.at(np.zeros(3), x.astype(int), 2), TypeError, "an array of NumPy's"),
    (lambda x: np.add.at(cpl.zeros(3, int), [0], 2.5), TypeError, "Cannot cast ufunc 'add' output"),
    (lambda x: np.add(x, 1, order="F"), TypeError, "numpy.add with order="),
    (lambda x: np.add(x, 1, signature="dd"), ValueError, "signature= has 2 types"),
    (lambda x: np.add(x, 1, dtype=np.int8), TypeError, "same_kind|Cannot cast"),
    (lambda x: np.gcd(x, 2), TypeError, "gcd"),
], ids=range(13))
def test_what_there_is_none_of(call, error, what):
    with pytest.raises(error, match=what):
        call(cpl.array([1.0, 2.0, 3.0]))

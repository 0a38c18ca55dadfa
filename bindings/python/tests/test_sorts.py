"""Sorts by fields of records, by the user's comparison and by some bits; several kth; unique parts
along an axis; where what two arrays have in common is in either. Against NumPy."""

import inspect

import numpy as np
import pytest
from conftest import DEVICES, numbers
from test_array_functions import same

import cpl

POINT = np.dtype([("x", np.int16), ("y", np.float64)], align=True)
NESTED = np.dtype([("p", POINT), ("v", np.float32, (2, 2)), ("on", np.bool_), ("z", np.complex64)],
                  align=True)
SIZES = [0, 1, 2, 3, 31, 2047, 2048, 2049, 5000]


def points(n, kind=POINT):
    draw = np.random.default_rng(n)
    made = np.zeros(n, kind)
    made["x"] = draw.integers(-3, 4, n)
    made["y"] = draw.choice([-1.5, -0.0, 0.0, 2.5, np.inf, np.nan], n)
    return made


def nested(n):
    draw = np.random.default_rng(n)
    made = np.zeros(n, NESTED)
    made["p"] = points(n)
    made["v"] = draw.integers(0, 2, (n, 2, 2))
    made["on"] = draw.integers(0, 2, n)
    made["z"].real = draw.choice([0, 1, np.nan], n)
    made["z"].imag = draw.choice([0, 1, np.nan], n)
    return made


def bytes_of(a):
    """Those of fields; what lies between them may be anything."""
    a = np.asarray(a)
    return [a[name].tobytes() for name in a.dtype.names]


# --- by fields ---


@pytest.mark.parametrize("order", [None, "x", "y", ["y", "x"], ("x",)], ids=str)
@pytest.mark.parametrize("n", SIZES)
def test_records_by_fields(n, order):
    for kind in (POINT, np.dtype([("x", np.int16), ("y", np.float64)])):
        a = points(n, kind)
        x = cpl.array(a)
        expected = np.argsort(a, order=order, kind="stable")
        same(np.argsort(x, order=order), expected)
        assert bytes_of(np.sort(x, order=order)) == bytes_of(a[expected])
        x.sort(order=order)
        assert bytes_of(x) == bytes_of(a[expected])


@pytest.mark.parametrize("place", DEVICES)
def test_on_a_device(place):
    a, b = points(3000), numbers(np.int32, 3000)
    x, y = cpl.array(a, device=place), cpl.array(b, device=place)
    same(cpl.argsort(x, order="x"), np.argsort(a, order="x", kind="stable"))
    same(cpl.sort_by_keys(y, y, less=by_rest), (b[np.argsort(b % BY, kind="stable")],)*2)
    same(cpl.argsort(y, bits=(0, 3)), np.argsort(b & 7, kind="stable"))
    rows = (b % 3).reshape(-1, 3)
    same(cpl.unique(y.reshape(-1, 3) % 3, True, True, True, axis=0),
         np.unique(rows, True, True, True, axis=0))
    same(cpl.intersect1d(y[:50], y[40:], return_indices=True),
         np.intersect1d(b[:50], b[40:], return_indices=True))
    same(np.partition(y, (5, 70))[70], np.sort(b)[70])


@pytest.mark.parametrize("order", [None, "z", "v", ["on", "p"]], ids=str)
def test_records_in_records(order):
    """What NumPy makes of parts that are arrays and records themselves."""
    a = nested(300)
    columns = {"p": [a["p"]["x"], a["p"]["y"]], "v": list(a["v"].reshape(-1, 4).T),
               "on": [a["on"]], "z": [a["z"]]}
    named = [order] if isinstance(order, str) else list(order or ())
    rows = [c for name in [*named, *(n for n in columns if n not in named)] for c in columns[name]]
    same(cpl.argsort(a, order=order), np.lexsort(rows[::-1]))


def test_records_along_an_axis():
    a = points(60).reshape(3, 4, 5)
    for axis in (0, 1, -1, None):
        expected = np.argsort(a, axis, order="x", kind="stable")
        same(cpl.argsort(a, axis, order="x"), expected)
        assert bytes_of(cpl.sort(a[::-1, :, ::2], axis)) == bytes_of(
            np.sort(a[::-1, :, ::2], axis, kind="stable"))
    p = cpl.partition(cpl.array(a), 2, 1, order="x")
    assert (p["x"].numpy() == np.partition(a, 2, 1, order="x")["x"]).all()


def test_records_in_searches_and_sets():
    a = points(50)
    a["y"] = np.round(np.nan_to_num(a["y"], posinf=3))
    s = np.sort(a)
    same(cpl.searchsorted(s, a), np.searchsorted(s, a))
    same(cpl.searchsorted(s, a, "right"), np.searchsorted(s, a, "right"))
    same(cpl.unique(a, return_index=True, return_inverse=True, return_counts=True),
         np.unique(a, return_index=True, return_inverse=True, return_counts=True))


@pytest.mark.parametrize("call, error, what", [
    (lambda a: cpl.sort(a, order="z"), ValueError, "unknown field name: z"),
    (lambda a: cpl.sort(a, order=["x", "x"]), ValueError, "duplicate field name"),
    (lambda a: cpl.sort([2, 1], order="x"), ValueError, "no fields"),
    (lambda a: cpl.sort(a, order="x", less="a.x < b.x"), TypeError, "exclude each other"),
    (lambda a: cpl.sort(np.zeros(2, "S3, i4")), TypeError, "S3"),
    (lambda a: cpl.sort(np.zeros(2, [("v", "f4", 65)])), TypeError, "65 numbers, more than 64"),
])
def test_orders_that_there_are_not(call, error, what):
    with pytest.raises(error, match=what):
        call(points(3))


# --- by a comparison ---

BY = 5


def by_rest(a, b):
    return a % BY < b % BY


def rest(a):
    return a % 7


def by_call(a, b):
    return rest(a) > rest(b)


@pytest.mark.parametrize("n", SIZES)
def test_a_comparison(n):
    a = numbers(np.int32, n)
    x = cpl.array(a)
    for less, key in ((by_rest, a % BY), (by_call, -(a % 7)), ("b < a", -a.astype(np.int64))):
        order = np.argsort(key, kind="stable")
        same(cpl.argsort(x, less=less), order)
        same(cpl.sort(x, less=less), a[order])
        same(cpl.sort_by_keys(x, cpl.arange(n), less=less), (a[order], order))
        same(cpl.argsort(x, less=less, descending=True), np.argsort(-key, kind="stable"))
        y = x.copy()
        y.sort(less=less)
        same(y, a[order])


def test_what_a_comparison_refers_to_changes():
    global BY
    a = np.arange(12)
    for BY, more in ((3, 1), (4, 1), (3, 5)):
        same(cpl.argsort(a, less=by_rest), np.argsort(a % BY, kind="stable"))
        same(cpl.argsort(a, less=lambda a, b: a*more % 12 < b*more % 12),
             np.argsort(a*more % 12, kind="stable"))
    BY = 5


def test_a_comparison_of_records():
    a = points(500)
    same(cpl.argsort(a, less=lambda p, q: p.x*p.x < q.x*q.x),
         np.argsort(a["x"].astype(int)**2, kind="stable"))
    assert bytes_of(cpl.sort(a[::-3], less="a['x'] < b['x']")) == bytes_of(
        a[::-3][np.argsort(a[::-3]["x"], kind="stable")])


def test_a_comparison_along_an_axis():
    a = numbers(np.int16, (6, 7, 5))
    for axis in (0, 1, -1):
        same(cpl.argsort(a, axis, less="abs(a) < abs(b)"),
             np.argsort(np.abs(a.astype(int)), axis, kind="stable"))


def test_a_comparison_in_what_is_sorted():
    a, b = np.array([9, 7, 4, 1]), np.array([8, 4])
    down = "a > b"
    same(cpl.searchsorted(a, b, less=down), np.searchsorted(-a, -b))
    same(cpl.searchsorted(a, b, "right", less=down), np.searchsorted(-a, -b, "right"))
    same(cpl.merge(a, b, less=down), np.array([9, 8, 7, 4, 4, 1]))
    same(cpl.unique([3, 13, 4, 23], less="a % 10 < b % 10", return_counts=True),
         (np.array([3, 4]), np.array([3, 1])))


@pytest.mark.parametrize("less, error, what", [
    (lambda a: a, TypeError, "is of two elements, and this function has 1 parameters"),
    (lambda a, b: a.x < b.x, cpl.CompileError, "no field 'x'"),
    ("a <", cpl.CompileError, "expected an expression"),
    ("c < b", cpl.CompileError, "'c'"),
    (5, TypeError, "a function of Python was expected, not 5"),
    (max, TypeError, "max"),
])
def test_comparisons_that_are_none(less, error, what):
    for call in (cpl.sort, cpl.argsort, cpl.sort_by_keys, cpl.unique):
        with pytest.raises(error, match=what) as e:
            call([2, 1, 3], less=less)
    if what.startswith("no field"):
        assert e.value.filename == __file__
        assert e.value.lineno == inspect.getsourcelines(less)[1]


# --- by bits ---


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.uint32, np.int64])
def test_bits(kind):
    bits = 8*np.dtype(kind).itemsize
    a = numbers(kind, 3000)
    raw = a.view(f"u{np.dtype(kind).itemsize}") ^ (
        np.array(1 << bits - 1, f"u{np.dtype(kind).itemsize}") if np.dtype(kind).kind == "i" else 0)
    x = cpl.array(a)
    for first, end in ((0, bits), (0, 3), (2, 7), (bits - 1, bits), (bits - 5, bits)):
        key = (raw >> np.array(first, raw.dtype)) & np.array((1 << end - first) - 1, raw.dtype)
        order = np.argsort(key, kind="stable")
        same(cpl.argsort(x, bits=(first, end)), order)
        same(cpl.sort(x, bits=(first, end)), a[order])
        same(cpl.sort_by_keys(x, x, bits=(first, end)), (a[order], a[order]))
        same(cpl.argsort(x, bits=(first, end), descending=True),
             np.argsort(~key, kind="stable"))


def test_the_sign_of_floats():
    a = np.array([3.0, -1, -0.0, 2, 0, -5])
    same(cpl.argsort(a, bits=(63, 64)), np.array([1, 2, 5, 0, 3, 4]))


@pytest.mark.parametrize("bits", [(3, 3), (-1, 2), (0, 65), (5, 2)])
def test_bits_that_there_are_not(bits):
    with pytest.raises(ValueError, match="of int64 there are those from 0 to 64"):
        cpl.sort([2, 1], bits=bits)
    with pytest.raises(TypeError, match="bits of keys count where"):
        cpl.sort([2, 1], bits=(0, 8), less="a < b")


# --- several kth ---


@pytest.mark.parametrize("axis", [0, 1, -1, None], ids=str)
@pytest.mark.parametrize("kth", [2, (0, 3), [-1, 1, 1], np.array([4, 2]), np.zeros(0, int)], ids=str)
def test_several_kth(kth, axis):
    a = numbers(np.float32, (6, 8))
    expected, ordered = np.partition(a, kth, axis), np.sort(a, axis)
    for found in (cpl.partition(a, kth, axis), np.partition(cpl.array(a), kth, axis),
                  np.take_along_axis(a if axis is not None else a.ravel(),
                                     cpl.argpartition(a, kth, axis).numpy(), axis or 0)
                  if axis != 1 and axis != -1 else cpl.partition(a, kth, axis)):
        found = np.asarray(found)
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        for k in np.ravel(kth).astype(int):
            np.testing.assert_array_equal(np.take(found, k, axis or 0), np.take(ordered, k, axis or 0))


@pytest.mark.parametrize("kth, error", [((0, 6), ValueError), (-7, ValueError), (1.0, TypeError),
                                        ([[1]], ValueError), ([0.5], TypeError),
                                        ((), TypeError)])
def test_kth_that_there_is_not(kth, error):
    a = numbers(np.int32, 6)
    for f in (np.partition, np.argpartition):
        with pytest.raises(error):
            f(a, kth)
        with pytest.raises(error):
            f(cpl.array(a), kth)
    with pytest.raises(ValueError, match="select kind"):
        cpl.partition(a, 0, kind="quick")


# --- what is unique ---


@pytest.mark.parametrize("shape", [(1, 1), (7, 1), (1, 7), (40, 2), (30, 3, 2), (0, 3), (3, 0), (5,)],
                         ids=str)
def test_unique_parts(shape, dtype):
    a = numbers(dtype, shape)
    a = (a % 2 if a.dtype.kind in "iu" else a > 0).astype(dtype)
    x = cpl.array(a)
    for axis in range(-1, len(shape)):
        if a.shape[axis] == 0:
            continue
        same(np.unique(x, axis=axis), np.unique(a, axis=axis))
        same(np.unique(x, True, True, True, axis=axis), np.unique(a, True, True, True, axis=axis))
        same(cpl.unique(x[::2], axis=axis, return_counts=True),
             np.unique(a[::2], axis=axis, return_counts=True))
    with pytest.raises(ValueError if not hasattr(np, "exceptions") else np.exceptions.AxisError):
        cpl.unique(x, axis=3)


def test_unique_rows_with_nan():
    """No row with a NaN is like another; zeros of both signs are alike."""
    a = np.array([[np.nan, 1], [0.0, 2], [np.nan, 1], [-0.0, 2], [1, np.nan], [-1, 5]])
    same(cpl.unique(a, True, True, True, axis=0), np.unique(a, True, True, True, axis=0))
    same(cpl.unique(a.astype(np.complex128), True, axis=0),
         np.unique(a.astype(np.complex128), True, axis=0))
    alone = np.array([np.nan, 1, np.nan, 0, 1])
    same(cpl.unique(alone, True, True, True, axis=-1), np.unique(alone, True, True, True, axis=-1))
    with pytest.raises(ValueError):
        cpl.unique(alone, axis=1)


@pytest.mark.parametrize("a", [[np.nan, 1, np.nan, 0, 1], [np.nan], [], [2.0, 1], [np.nan, np.nan]],
                         ids=str)
def test_nan_that_are_not_alike(a):
    a = np.array(a, np.float64)
    for equal in (False, True):
        same(cpl.unique(a, True, True, True, equal_nan=equal),
             np.unique(a, True, True, True, equal_nan=equal))
        same(np.unique(cpl.array(a), equal_nan=equal), np.unique(a, equal_nan=equal))


def test_where_common_values_are(dtype):
    a, b = numbers(dtype, (6, 5)), numbers(dtype, 20, seed=1)
    x, y = cpl.array(a), cpl.array(b)
    same(np.intersect1d(x, y, return_indices=True), np.intersect1d(a, b, return_indices=True))
    same(cpl.intersect1d(x[:, ::2], y[::-3], return_indices=True),
         np.intersect1d(a[:, ::2], b[::-3], return_indices=True))
    same(cpl.intersect1d(x, y[:0], return_indices=True),
         np.intersect1d(a, b[:0], return_indices=True))
    u, v = np.unique(a)[::-1], np.unique(b)
    same(cpl.intersect1d(u, v, True, return_indices=True),
         np.intersect1d(u, v, True, return_indices=True))


def test_where_common_numbers_of_two_types_are():
    for a, b in (([3, 1, 3], [2.5, 3.0]), ([np.nan, 1.0], [np.nan, 1.0]), ([], [])):
        same(cpl.intersect1d(a, b, return_indices=True), np.intersect1d(a, b, return_indices=True))

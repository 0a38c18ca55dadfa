"""Reductions and scans against NumPy."""

import numpy as np
import pytest
from conftest import numbers

import cpl
from cpl.lang import INFINITY, declare

SIZES = [0, 1, 2, 1000, 100_003]


@pytest.mark.parametrize("n", SIZES)
def test_sums_have_numpys_types(dtype, n):
    x = numbers(dtype, n) // (50 if dtype == np.float16 else 1)
    total = cpl.reduce("a + b")(x)
    expected = x.sum(dtype=np.float64 if dtype == np.float16 else None)
    np.testing.assert_allclose(float(total), float(expected), rtol=2e-2 if dtype == np.float16 else 1e-5)
    assert total.dtype == x.sum().dtype


@pytest.mark.parametrize("n", SIZES[1:])
def test_scans(dtype, n):
    x = numbers(dtype, n) % 2
    out = cpl.scan("max(a, b)")(x)
    np.testing.assert_array_equal(out, np.maximum.accumulate(x))
    assert out.dtype == x.dtype


def test_maps_take_arguments_and_functions():
    x, y = np.arange(5.0), np.full(5, 3.0)

    @cpl.reduce("a + b")
    def dot(i, x, y, scale):
        return scale*x[i]*y[i]

    assert dot(x, y, 2) == 60
    assert dot(x, scale=1, y=y) == 30
    assert cpl.reduce("a + b", "lambda i, x, y: x[i]*y[i]")(x, y) == 30
    assert cpl.reduce(lambda a, b: a + b, lambda i, x: x[i] + 1, neutral=0)(x) == 15
    assert dot[2](x, y, 1) == 3


@pytest.mark.parametrize("where", [np.asarray, cpl.array], ids=["numpy", "cpl"])
@pytest.mark.parametrize("view", [np.s_[:, ::2], np.s_[::-1, 1:], np.s_[:, 1:2], None], ids=str)
def test_arrays_with_gaps_are_read_as_flat(where, view):
    x = np.arange(1.0, 49.0).reshape(6, 8)
    ours = where(x)
    x, ours = (x.T, ours.T) if view is None else (x[view], ours[view])
    assert cpl.reduce("a + b")(ours) == x.sum()
    assert cpl.reduce("a if a > 0 else b", neutral=0)(ours) == x.flat[0]
    assert cpl.reduce("a + b", "lambda i, x, y: x[i]*y[i]")(ours, x.ravel()) == (x*x).sum()
    assert cpl.reduce("a + b", "lambda i, x: x[i] + x[i]")(ours) == 2*x.sum()
    np.testing.assert_array_equal(np.asarray(cpl.scan("a + b")(ours)), np.cumsum(x))

    @cpl.reduce("a + b")
    def cleared(i, x):
        x[i] = 0
        return 1

    with pytest.raises(cpl.ArgumentError, match="read-only"):
        cleared(ours)
    with pytest.raises(cpl.ArgumentError, match="side by side row by row"):
        cpl.scan("a + b")(x.ravel(), ours)


def test_neutral_elements():
    worst = cpl.reduce("a if abs(a) > abs(b) else b", neutral=0)
    assert worst(np.array([1.0, -7.0, 3.0])) == -7
    assert worst(np.empty(0)) == 0
    smallest = cpl.reduce("min(a, b)", neutral=float("inf"))
    assert smallest(np.empty(0)) == float("inf")
    with pytest.raises(cpl.Error, match="neutral"):
        cpl.reduce("a if abs(a) > abs(b) else b")(np.ones(3))


def test_order_is_kept():
    assert cpl.reduce("b", neutral=0)(np.arange(1.0, 100_001.0)) in (0, 100_000)
    first = cpl.reduce("a if a > 0 else b", neutral=0)
    assert first(np.arange(0, 100_000)) == 1


def test_types_of_results():
    x = np.ones(3, np.float32)
    assert cpl.reduce("a + b", dtype="f8")(x).dtype == np.float64
    assert cpl.scan("a + b", dtype=np.float64)(x).dtype == np.float64
    with pytest.raises(TypeError):
        cpl.reduce("a + b", dtype="no type")(x)


Pair = np.dtype([("value", "f8"), ("index", "i8")], align=True)


def lowest():
    p = declare("Pair")
    p.value = -INFINITY
    p.index = -1
    return p


def test_structs_are_taken_in():
    table = np.zeros(1000, Pair)
    table["value"] = np.random.default_rng(1).random(1000)
    table["index"] = np.arange(1000)
    highest = cpl.reduce(lambda a, b: a if a.value >= b.value else b, neutral=lowest)
    best = highest(table)
    assert best["index"] == table["value"].argmax() and best["value"] == table["value"].max()
    assert best.dtype.names == Pair.names
    assert highest(table[:0])["index"] == -1


def test_scan_output():
    found = np.zeros(10, np.int64)
    count = np.zeros(1, np.int64)
    x = np.array([5, -1, 7, -3, -2, 9.0, 1, -1, -1, 4])

    def keep(i, item, prev_item, last_item, N, x, found, count):
        if item > prev_item:
            found[prev_item] = i
        if i == N - 1:
            count[0] = last_item

    where = cpl.scan("a + b", "lambda i, x, found, count: 1 if x[i] < 0 else 0", output=keep)
    assert where(x, found, count) is None
    np.testing.assert_array_equal(found[: count[0]], np.flatnonzero(x < 0))


def test_scan_segments_and_exclusive():
    x = np.ones(9, np.int64)
    threes = cpl.scan("a + b", segment="lambda i, x: i % 3 == 0")
    np.testing.assert_array_equal(threes(x), [1, 2, 3]*3)
    np.testing.assert_array_equal(cpl.scan("a + b", exclusive=True)(x), np.arange(9))

    @cpl.scan("a + b", segment=lambda i, x: i % 3 == 0)
    def doubled(i, x):
        return 2*x[i]

    np.testing.assert_array_equal(doubled(x), [2, 4, 6]*3)
    halves = cpl.scan("a + b", "lambda i, x, k: x[i]/k")
    np.testing.assert_array_equal(halves(x, 2.0), np.arange(1, 10)/2)
    out = np.zeros(9, np.int64)
    assert cpl.scan("a + b")(x, out) is out
    np.testing.assert_array_equal(out, np.arange(1, 10))


def test_maps_that_are_no_lambda():
    with pytest.raises(ValueError, match="write \"lambda i, x"):
        cpl.reduce("a + b", "x[i]*2")


def test_operators_by_name():
    x = np.array([3.0, -1.0, 2.0])
    for op, expected in ((np.add, 4), (np.multiply, -6), (min, -1), (max, 3)):
        assert cpl.reduce(op)(x) == expected
    for op in ("logaddexp(a, b)", "np.logaddexp(a, b)", np.logaddexp):
        np.testing.assert_allclose(cpl.reduce(op, neutral=-np.inf)(x), np.logaddexp.reduce(x))
    np.testing.assert_allclose(cpl.reduce("logaddexp2(a, b)", neutral="-INFINITY")(x),
                               np.logaddexp2.reduce(x))
    assert cpl.reduce("maximum(a, b)", neutral="-INFINITY")(x) == 3
    for wrong in ("_round(a, b)", "logaddexp3(a, b)"):
        with pytest.raises(cpl.CompileError, match="undefined function"):
            cpl.reduce(wrong, neutral=0)(x)
    with pytest.raises(cpl.ArgumentError, match="no neutral element for 'subtract'"):
        cpl.reduce(np.subtract)(x)


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint16, np.uint64])
def test_infinite_neutral_elements_of_integers(dtype):
    limits = np.iinfo(dtype)
    for op, neutral, expected in (("b if b < a else a", np.inf, limits.max),
                                  ("b if b > a else a", "-INFINITY", limits.min)):
        assert cpl.reduce(op, neutral=neutral)(np.zeros(0, dtype)) == expected
        assert cpl.reduce(op, neutral=neutral)(np.array([limits.max], dtype)) == limits.max
    with pytest.raises(cpl.ArgumentError, match="the neutral element, 1.5, is none of"):
        cpl.reduce("a + b", neutral=1.5, dtype=dtype)(np.zeros(3, dtype))
    assert cpl.reduce("a + b", neutral="0.0", dtype=dtype)(np.ones(3, dtype)) == 3


def returns_nothing(a, b):
    pass


def test_mistakes_are_told_where_they_are():
    x = np.arange(5.0)
    with pytest.raises(cpl.CompileError, match="'returns_nothing' returns nothing") as caught:
        cpl.reduce(returns_nothing, neutral=0)(x)
    assert caught.value.filename == __file__
    with pytest.raises(cpl.CompileError, match="'op' takes 3 arguments, and is called with 2") as caught:
        cpl.reduce("lambda a, b, c: a", neutral=0)(x)
    assert caught.value.filename == "<expression>"
    with pytest.raises(cpl.ArgumentError, match="and .* returns nothing"):
        cpl.reduce("a + b", returns_nothing)(x)
    with pytest.raises(TypeError, match=r"the segment is a function of i, x, not 'lambda i: 1'"):
        cpl.scan("a + b", segment="lambda i: 1")
    with pytest.raises(TypeError, match=r"a number, an expression or a function, not \[1\]"):
        cpl.reduce("a + b", neutral=[1])
    with pytest.raises(TypeError, match="a function of i, item, prev_item, last_item, N and the"):
        cpl.scan("a + b", output=lambda i, item: None)
    with pytest.warns(cpl.CompileWarning, match="^a float64 becomes int32: its fraction is dropped"):
        cpl.scan("a * b")(x, np.zeros(5, np.int32))

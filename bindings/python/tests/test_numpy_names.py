"""NumPy's functions of grids, bins, sets, curves and norms, against NumPy; and a walk through all
that NumPy has, for what is not there."""

import itertools
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from conftest import DEVICES, scope_of
from hypothesis import given, settings
from hypothesis import strategies as st

import cpl
from cpl import arrays, elements, ufuncs

_rng = np.random.default_rng(5)
_values = _rng.permutation(np.arange(24) - 7.0).reshape(2, 3, 4)
_row = _rng.normal(size=40)

NAMES = {
    "x": _values, "f": _values.astype(np.float32), "i": _values.astype(np.int32),
    "m": _rng.normal(size=(4, 6)), "r": _row, "s": np.sort(_row)[::4].copy(),
    "h": _row.astype(np.float16), "k": _rng.integers(0, 5, 40), "u": _rng.integers(0, 9, 40, np.uint8),
    "b": _row > 0, "c": _row[:20] + 1j*_row[20:], "v": np.array([3, 1, 2]), "w": np.abs(_row),
    "e": np.zeros(0), "one": np.array([4.0]), "gap": np.array([1.0, np.nan, -np.inf, 2.0, np.inf]),
    "z": np.array([0, 0, 1, 2, 0, 3, 0]),
    "edged": np.pad(np.array([[[0, 1, 0], [2, 0, 3]]]), ((1, 2), (0, 1), (2, 0))),
}

# One of each kind on a device, as a driver compiles each for long.
SOME = [
    "np.pad(i, 2, 'reflect')", "np.meshgrid(v, r, sparse=True)", "np.delete(x, [0, 2], 1)",
    "np.gradient(m, 0.5)", "np.histogram(r, 7)", "np.histogram(r, s)", "np.bincount(k, w)",
    "np.digitize(r, s[::-1])", "np.isin(k, [1, 3])", "np.select([x > 3, x < 0], [x, 2*x], 1)",
    "np.interp(r, s, s*2)", "np.linalg.norm(m, axis=1)", "np.convolve(r, v)",
]

GRIDS = [
    *[f"np.pad({text})" for text in (
        "x, 2", "i, ((1, 2), (0, 1), (3, 0))", "x, (1, 2), constant_values=5", "r, (4, 3), 'edge'",
        "x, 3, 'wrap'", "x, 5, 'wrap'", "x, 5, 'reflect'", "x, 5, 'symmetric'", "one, 3, 'reflect'",
        "x, ((1, 2),), constant_values=((1, 2), (3, 4), (5, 6))", "f, 2, 'linear_ramp'",
        "i, 3, 'linear_ramp', end_values=(9, -4)", "x, 2, 'maximum'", "x, 2, 'minimum', stat_length=2",
        "x, 1, 'mean'", "i, 2, 'mean', stat_length=(1, 2)", "i, 2, 'median'", "f, 2, 'mean'",
        "x[::-1, :, ::2], 2, 'reflect'", "x, {0: 1, -1: (2, 0)}", "b, 2, 'edge'", "e, 2", "r, 0",
        "c, 3, 'reflect'")],
    "np.meshgrid(v, r)", "np.meshgrid(v, r, sparse=True)", "np.meshgrid(v, r, z, indexing='ij')",
    "np.meshgrid(v)", "np.meshgrid(v, [1.5, 2])", "np.meshgrid(v, v, z, sparse=True, indexing='ij')",
    *[f"np.delete({text})" for text in (
        "r, 3", "r, -1", "r, [0, 5, -1]", "x, 1, 0", "x, [0, 2], 1", "x, slice(1, 3), 2", "x, [], 1",
        "x, slice(None, None, 2), -1", "x, slice(3, None, -2), -1", "x, 5", "v, v - 1", "r, b",
        "x, np.array([True, False, True]), 1", "x, slice(2, 1), 1", "e, []")],
    *[f"np.insert({text})" for text in (
        "v, 1, 9", "v, 3, 9", "v, -1, 9.7", "x, 1, 5, 0", "x, 1, 5", "v, [0, 2], [7, 8]", "v, [1], [5, 6]",
        "v, [1, 1, 0], [4, 5, 6]", "x, [1, 1, 3], 9, 2", "x, 1, [[1, 2, 3], [4, 5, 6]], 2",
        "x, [0, 2], [[[1]], [[2]]], 0", "v, slice(0, 2), 5", "v, v - 1, v", "x, 2, i[0, 0], 1", "v, [], []",
        "v, [-1, 0], 3")],
    "np.rot90(m)", "np.rot90(m, 2)", "np.rot90(m, -1)", "np.rot90(x, 1, (1, 2))", "np.rot90(x, 4)",
    "np.rollaxis(x, 2)", "np.rollaxis(x, 0, 3)", "np.rollaxis(x, 1, 3)", "np.atleast_3d(v)",
    "np.atleast_3d(m, x)", "np.dstack([v, v])", "np.dstack([x, i])", "np.dsplit(x, 2)",
    "np.block([[m, m], [m, m*2]])", "np.block([v, v])", "np.resize(v, 7)",
    "np.resize(x, (3, 3))", "np.resize(v, (2, 0))", "np.trim_zeros(z)", "np.trim_zeros(z, 'b')",
    "np.trim_zeros(edged)", "np.trim_zeros(edged, 'f')", "np.trim_zeros(edged, 'B', (0, -1))",
    "np.trim_zeros(edged, axis=1)", "np.trim_zeros(edged*0)", "np.trim_zeros(edged*0, 'f', 1)",
    "np.trim_zeros(e)", "np.ravel_multi_index((v, v - 1), (5, 4))", "np.unravel_index(v, (2, 3))",
    "np.unravel_index(k, (2, 2, 2))", "x[np.ix_([0, 1], [2, 0])]", "x[np.ix_(v - 2, v - 1)]",
    "m[np.ix_(np.array([True, False, True, True]), v)]",
]

BINS = [
    *[f"np.histogram({text})" for text in (
        "r", "r, 7", "r, 5, (-1, 1)", "r, s", "r, [-1, 0, 0, 1]", "i", "i, 4", "u, 3", "b", "f, 9", "h, 4",
        "r, 3, weights=w", "r, s, weights=k", "f, 5, weights=f, density=True", "r, 6, density=True",
        "e", "e, 3", "one", "k, 5, (0, 5)", "k, np.arange(6)", "r, s, density=True", "r, 5, weights=h",
        "r, 1", "x[::-1, :, ::2], 3", "gap, 4, (0, 2)", "r[:20], 3, weights=c",
        "r, 4, (0.25, 0.25)", "k, 3, (2, 2)", "k, 4, (-1, -1), density=False", "e, 2, (1, 1)", "r, 3, (0, 0)")],
    "np.histogram_bin_edges(k, 4, (2, 2))", "np.histogram2d(r, w, 3, [[0.5, 0.5], [0, 1]])",
    "np.histogram2d(r, k, 2, [None, [1, 1]])", "np.histogram_bin_edges(r, 4)", "np.histogram_bin_edges(k, [1, 2, 4])",
    "np.histogram2d(r, w)", "np.histogram2d(r, w, 4)", "np.histogram2d(r, w, [3, s])",
    "np.histogram2d(r, w, 3, [[-1, 1], [0, 1]], density=True)", "np.histogram2d(r, w, s, weights=w)",
    *[f"np.bincount({text})" for text in (
        "k", "k, w", "k, minlength=9", "u, minlength=2", "z", "z[:0]", "z[:0], minlength=3", "k[::-2]",
        "k, k", "b")],
    *[f"np.digitize({text})" for text in (
        "r, s", "r, s, True", "r, s[::-1]", "r, s[::-1], right=True", "k, [1, 3]", "x, [0.5]", "s, s",
        "r, [0, 0]")],
]

CHOSEN = [
    *[f"np.isin({text})" for text in (
        "k, [1, 3]", "k, [1, 3], invert=True", "x, v", "r, r[::3]", "k, []", "e, [1]", "gap, [np.nan, 2]",
        "u, [1, 300]", "k, [1.0, 2.5]", "c, c[:3]", "b, [True]", "[1, 2, 9], v", "z, v, kind='sort'")],
    "np.select([x > 3, x < 0], [x, 2*x], 1)", "np.select([b], [r])", "np.select([b, r > 1], [k, u], 9)",
    "np.select([b, ~b], [f.ravel()[0], h])", "np.select([m > 0], [m], np.nan)", "np.select([b], [k], 2.5)",
    "np.choose(v - 1, [v, v*2, v*3])", "np.choose(v, [10, 20, v], mode='clip')",
    "np.choose(v - 5, [v, 1.5], mode='wrap')", "np.choose([[0], [1]], [v, v*2])",
    "np.piecewise(r, [r < 0, r > 1], [-1, lambda t: t*t])",
    "np.piecewise(r, [r < 0, r > 1], [-1, lambda t: t.sum(), lambda t: t + 5])", "np.piecewise(k, b, [3, 4])",
    "np.extract(b, r)", "np.extract(x > 3, x)",
    "np.take_along_axis(m, np.argsort(m, 1), 1)", "np.take_along_axis(m, np.argsort(m, 0), 0)",
    "np.take_along_axis(x, np.argmax(x, 1, keepdims=True), 1)", "np.take_along_axis(r, k, None)",
    "np.take_along_axis(m, np.array([[0], [-1], [2], [1]]), 1)",
    "np.lexsort((r, k))", "np.lexsort(m)",
]

CURVES = [
    *[f"np.interp({text})" for text in (
        "r, s, s*2", "r, s, s*2, -5, 7", "x, s, s[::-1]", "k, [0, 2, 5], [1, -1, 3]", "0.5, s, s*3", "r, one, one",
        "r, [0, 90, 180], [1, 2, 1], period=180", "gap, s, s", "s, s, s*s", "r, s, s + 1j*s",
        "gap, [0, 1, 2], [0, np.inf, 1]", "r, [-0.5, 0, 0, 1], [1, 2, 3, 4]", "f, s, s")],
    *[f"np.gradient({text})" for text in (
        "r", "m", "m, 0.5", "m, 0.5, 2", "m, axis=1", "x, axis=(0, 2)", "i, 2", "f", "h", "r, edge_order=2",
        "r, np.cumsum(w)", "r, np.cumsum(w), edge_order=2", "m, [0, 1, 3, 4], axis=0", "m, 2, edge_order=2",
        "m, [0, 1, 2, 3], [0, 1, 3, 4, 6, 9]", "x[0, :2], axis=0", "c", "one[[0, 0]], np.array([0, 2])")],
    "np.ediff1d(v)", "np.ediff1d(r, 5, [1, 2])", "np.ediff1d(m)", "np.ediff1d(one)",
    *[f"np.{name}({text})" for name in ("convolve", "correlate") for text in (
        "r, v, 'full'", "r, v, 'same'", "r, v, 'valid'", "v, r, 'full'", "v, r, 'same'", "v, [1, 2]", "c, c[:4]", "c[:4], c",
        "h, h[:3]", "v, one", "v, z, 'same'")],
    "np.cross(m[:3, :3], m[:3, 3:])", "np.cross(v, v[::-1])", "np.cross(m[:3], m[1:], axis=0)",
    "np.cov(m)", "np.cov(m, rowvar=False)", "np.cov(r)", "np.cov(r, w)", "np.cov(m, bias=True)", "np.cov(i[0], ddof=0)",
    "np.cov(r, fweights=k)", "np.cov(m, aweights=[1, 2, 3, 4, 5, 6])", "np.cov(c)", "np.cov(m, dtype=np.float32)",
    "np.cov(m, fweights=[1, 2, 1, 1, 2, 1], aweights=[1, 2, 3, 4, 5, 6])", "np.corrcoef(m)", "np.corrcoef(r, w)",
    "np.corrcoef(m, rowvar=False)", "np.corrcoef(r)",
    *[f"np.linalg.norm({text})" for text in (
        "m", "r", "x", "i", "f", "h", "c", "r, 1", "r, np.inf", "r, -np.inf", "r, 0", "r, 3", "r, -1", "r, 2.5",
        "m, axis=1", "m, axis=0, keepdims=True", "m, 'fro'", "m, 1", "m, -1", "m, np.inf", "m, -np.inf",
        "x, axis=(0, 2)", "x, 1, (2, 1)", "x, np.inf, (0, 1), True", "x, 1, 0", "f, 3, -1", "x, keepdims=True",
        "c, 3", "u, 1", "m[::-1, ::2]")],
    "np.linalg.vector_norm(m, axis=1)", "np.linalg.vector_norm(x, ord=1)", "np.linalg.matrix_norm(x)",
    "np.linalg.trace(x)", "np.linalg.diagonal(x)", "np.linalg.outer(v, v)", "np.linalg.matrix_transpose(x)",
    "np.linalg.tensordot(m, m.T, axes=1)", "np.linalg.vecdot(m, m)", "np.linalg.cross(v, v)", "np.linalg.matmul(m, m.T)",
]

OTHERS = [
    "np.matrix_transpose(x)", "np.unstack(v)", "np.unstack(x, axis=1)", "np.diagflat(m[:2, :2])",
    "np.diag_indices_from(m[:4, :4])", "np.tril_indices_from(m)", "np.triu_indices_from(m, 1)",
    "np.isposinf(gap)", "np.isneginf(gap)", "np.isreal(c)", "np.iscomplex(c)", "np.isreal(r)",
    "np.trunc(r)", "np.sort_complex(c)", "np.sort_complex(v)", "np.polyval([1, 2, 3], r)",
    "np.polyval(v, v)", "np.vander(v)", "np.vander(r[:5], 3, increasing=True)", "np.sinc(r)",
    "np.sinc(z)", "np.unwrap(np.cumsum(r)*3 % (2*np.pi))", "np.unwrap(m*9, axis=0)",
    "np.unwrap(k, period=4)", "np.unwrap(z*2, period=3)", "v.choose([9, 8, 7, v])",
]
OTHERS += [call for call in (
    "np.unique_counts(k)", "np.unique_inverse(k)", "np.unique_all(k)",
    "np.cumulative_sum(v)", "np.cumulative_sum(x, axis=1, include_initial=True)",
    "np.cumulative_prod(i, axis=0)", "np.cumulative_prod(v, include_initial=True)",
    "np.matvec(m, m[0])", "np.matvec(x, v[0]*x[:, 0])", "np.vecmat(m[:, 0], m)", "np.vecmat(c[:4], m)",
) if hasattr(np, call[3:call.index("(")])]


def close(found, expected, place=None):
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for f, e in zip(found, expected):
            close(f, e, place)
        return
    expected = np.asarray(expected)
    assert isinstance(found, cpl.ndarray)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert place is None or found.place == place
    eps = np.finfo(expected.dtype).eps if expected.dtype.kind in "fc" else 0
    np.testing.assert_allclose(found.numpy(), expected, rtol=64*eps, atol=64*eps)


@pytest.mark.parametrize("call, place", [
    *((call, "host") for call in GRIDS + BINS + CHOSEN + CURVES + OTHERS),
    *((call, device) for device in DEVICES for call in SOME)])
def test_calls(call, place):
    here = scope_of(NAMES, place)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        expected = eval(call, {"np": np, **NAMES})
    close(eval(call, here), expected, here["x"].place)


# --- at random ---

LAYOUTS = [np.s_[:], np.s_[::-1], np.s_[::2], np.s_[-1:0:-3]]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_at_random(data):
    """Arrays of any length and layout, with any arguments, raise what NumPy's raise or are alike."""
    draw = data.draw
    dtype = draw(st.sampled_from([np.int8, np.uint16, np.int64, np.float32, np.float64]))
    n = draw(st.integers(0, 20))
    base = np.random.default_rng(draw(st.integers(0, 9))).integers(0, 9, 2*n).astype(dtype)
    a = base[draw(st.sampled_from(LAYOUTS))]
    places = draw(st.lists(st.integers(-n - 1, n + 1), max_size=5))
    mode = draw(st.sampled_from(["edge", "wrap", "reflect", "symmetric", "constant", "maximum"]))
    width = draw(st.tuples(st.integers(0, 30), st.integers(0, 30)))
    edges = draw(st.lists(st.integers(-3, 12), min_size=1, max_size=6))
    for f in (
        lambda x: np.insert(x, places, 5), lambda x: np.delete(x, places), lambda x: np.pad(x, width, mode),
        lambda x: np.histogram(x, np.sort(edges)), lambda x: np.histogram(x, len(edges)),
        lambda x: np.digitize(x, np.sort(edges)[::-1]), lambda x: np.isin(x, edges),
        lambda x: np.interp(x, np.unique(edges), np.unique(edges)*2.0), lambda x: np.rot90(x[None], 3),
        lambda x: np.gradient(x), lambda x: np.bincount(x.astype(int), minlength=len(edges)),
        lambda x: np.take_along_axis(x, np.array(places, int), 0), lambda x: np.trim_zeros(x),
        lambda x: np.resize(x, (3, len(edges))), lambda x: np.convolve(x, edges, "same"),
    ):
        try:
            expected = f(a)
        except (ValueError, IndexError):
            with pytest.raises((ValueError, IndexError)):
                f(cpl.array(a))
            continue
        close(f(cpl.asarray(a)), expected)


# --- in place ---


def test_elements_that_are_written():
    for place in ["host", *DEVICES[:1]]:
        a, k = NAMES["m"].copy(), np.array([[0, 2], [1, 1], [5, -1], [3, 4]])
        x = cpl.array(a, device=place)
        np.put_along_axis(a, k, 7, 1)
        np.put_along_axis(x, cpl.array(k, device=place), 7, 1)
        close(x, a)
    turned, b = cpl.array(a.T.copy()).T, a.copy()
    for value, where in ((5, [[0], [3], [9]]), ([[1, 2, 3, 4, 5, 6]], [[1]*6])):
        if np.shape(where)[1] == 6:
            np.put_along_axis(b, np.array(where), value, 0)
            np.put_along_axis(turned, cpl.array(where), value, 0)
        else:
            np.put_along_axis(b, np.ravel(where), value, None)
            np.put_along_axis(turned, cpl.array(np.ravel(where)), value, None)
    close(turned, b)
    for f in (np.putmask, np.place):
        f(b, b > 1, [9, 8, 7])
        f(turned, turned > 1, [9, 8, 7])
        close(turned, b)
    np.copyto(b, 3, where=b > 8)
    np.copyto(turned, 3, where=turned > 8)
    close(turned, b)
    np.copyto(turned, cpl.arange(6))
    close(turned, np.broadcast_to(np.arange(6.0), (4, 6)))
    there = np.zeros(3)
    np.copyto(there, cpl.array([1, 2, 3]))
    assert there.tolist() == [1, 2, 3]


# --- files ---


@pytest.mark.parametrize("place", ["host", *DEVICES])
def test_files(tmp_path, place):
    record = np.dtype([("a", "i4"), ("b", "f8", 2)], align=True)
    for k, a in enumerate((NAMES["x"], NAMES["c"], NAMES["b"], np.ones(2, record))):
        x = cpl.array(a, device=place)
        before = sum(n for n, _ in cpl.copies().values())
        np.save(tmp_path/"x.npy", x)
        if place != "host":
            assert sum(n for n, _ in cpl.copies().values()) > before  # to the host, and counted
        there = np.load(tmp_path/"x.npy")
        assert there.dtype == a.dtype and (there == a).all()
        np.savez(tmp_path/"x.npz", x, named=x)
        np.savez_compressed(tmp_path/"y.npz", x, named=x)
        for name in ("x.npz", "y.npz"):
            with np.load(tmp_path/name) as both:
                assert (both["arr_0"] == a).all() and (both["named"] == a).all()
        assert (cpl.array(np.load(tmp_path/"x.npy"), device=place).numpy() == a).all()
    np.savetxt(tmp_path/"x.txt", cpl.array(NAMES["m"], device=place))
    np.testing.assert_array_equal(np.loadtxt(tmp_path/"x.txt"), NAMES["m"])


@pytest.mark.skipif(not hasattr(np, "unique_all"), reason="before NumPy 2")
def test_results_have_names():
    found = np.unique_all(cpl.array([3, 1, 3]))
    assert found.counts.tolist() == [1, 2] and found.inverse_indices.tolist() == [1, 0, 1]
    assert np.unique_counts(cpl.array([1])).values.tolist() == [1]


def test_types_of_arrays():
    x, a = cpl.array([1], np.int8), np.array([1], np.int8)
    assert np.result_type(x, np.float32) == np.result_type(a, np.float32)
    assert np.result_type(x, 300) == np.result_type(a, 300) and np.common_type(x) == np.common_type(a)
    assert np.can_cast(x.dtype, int) and not np.iscomplexobj(x) and np.isrealobj(x)
    assert np.shares_memory(x, x[:]) and not np.shares_memory(x, x.copy()) and np.may_share_memory(x, x)
    assert np.array2string(x, prefix="") == "[1]" and np.size(cpl.zeros((2, 3)), 1) == 3
    assert np.array_equiv(x, [[1], [1]]) and not np.array_equiv(x, [2]) and not np.array_equiv(
        cpl.zeros(2), np.zeros(3))


# --- refused ---


@pytest.mark.parametrize("call, error, what", [
    ("np.pad(v, 1, 'other')", ValueError, "mode 'other' is not supported"),
    ("np.pad(v, -1)", ValueError, "index can't contain negative values"),
    ("np.pad(v, 1.5)", TypeError, "`pad_width` must be of integral type"),
    ("np.pad(e, 1, 'edge')", ValueError, "can't extend empty axis 0"),
    ("np.pad(v, 1, 'edge', constant_values=1)", ValueError, "unsupported keyword arguments for mode"),
    ("np.pad(v, 1, 'reflect', reflect_type='odd')", TypeError, "reflect_type='odd'"),
    ("np.pad(v, 1, lambda *a: None)", TypeError, "numpy.pad with a function"),
    ("np.pad(v, 1, 'maximum', stat_length=0)", ValueError, "stat_length of 0 yields no value"),
    ("np.meshgrid(v, v, indexing='no')", ValueError, "Valid values for `indexing`"),
    ("np.delete(v, 3)", IndexError, "index 3 is out of bounds for axis 0 with size 3"),
    ("np.delete(v, [-4])", IndexError, "index -4 is out of bounds"),
    ("np.delete(v, np.array([True]))", ValueError, "boolean array argument"),
    ("np.insert(v, 4, 1)", IndexError, "index 4 is out of bounds for axis 0 with size 3"),
    ("np.insert(v, [0, 4], 1)", IndexError, "index 5 is out of bounds for axis 0 with size 5"),
    ("np.interp(r, v, r)", ValueError, "fp and xp are not of the same length"),
    ("np.interp(r, e, e)", ValueError, "array of sample points is empty"),
    ("np.interp(r, s, s, period=0)", ValueError, "period must be a non-zero value"),
    ("np.gradient(one)", ValueError, "Shape of array too small"),
    ("np.gradient(m, edge_order=3)", ValueError, "'edge_order' greater than 2 not supported"),
    ("np.gradient(m, 1, 2, 3)", TypeError, "invalid number of arguments"),
    ("np.gradient(r, v)", ValueError, "when 1d, distances must match"),
    ("np.histogram(r, 0)", ValueError, "`bins` must be positive"),
    ("np.histogram(r, 2.5)", TypeError, "`bins` must be an integer"),
    ("np.histogram(r, [1, 0])", ValueError, "`bins` must increase monotonically"),
    ("np.histogram(r, m)", ValueError, "`bins` must be 1d"),
    ("np.histogram(r, 3, (2, 1))", ValueError, "max must be larger than min"),
    ("np.histogram(gap)", ValueError, "is not finite"),
    ("np.histogram(r, 3, (0, np.inf))", ValueError, "is not finite"),
    ("np.histogram(r, weights=v)", ValueError, "weights should have the same shape"),
    ("np.histogram(r, 'auto')", TypeError, "histogram with bins='auto'"),
    ("np.bincount(r)", TypeError, "Cannot cast array data from .*float64"),
    ("np.bincount(v - 2)", ValueError, "'list' argument must have no negative elements"),
    ("np.bincount(m.astype(int))", ValueError, "object too deep"),
    ("np.bincount(v, minlength=-1)", ValueError, "'minlength' must not be negative"),
    ("np.bincount(v, r)", ValueError, "The weights and list don't have the same length"),
    ("np.digitize(r, [1, 0, 2])", ValueError, "bins must be monotonically"),
    ("np.digitize(r, m)", ValueError, "object too deep"),
    ("np.isin(v, v, kind='other')", ValueError, "Invalid kind: 'other'"),
    ("np.select([v], [v])", TypeError, "invalid entry 0 in condlist"),
    ("np.select([b], [r, r])", ValueError, "list of cases must be same length"),
    ("np.choose(v, [v, v])", ValueError, "invalid entry in choice array"),
    ("np.choose(r, [1, 2])", TypeError, "Cannot cast array data"),
    ("np.piecewise(r, [b], [1, 2, 3])", ValueError, "1 or 2 functions are expected"),
    ("np.take_along_axis(m, v, 1)", ValueError, "must have the same number of dimensions"),
    ("np.take_along_axis(m, np.full((4, 1), 6), 1)", IndexError, "out of bounds"),
    ("np.place(r, b, e)", ValueError, "Cannot insert from an empty array"),
    ("np.putmask(r, v > 1, 1)", ValueError, "same size"),
    ("np.copyto(v, r[:3])", TypeError, "Cannot cast array data from .*same_kind"),
    ("np.linalg.norm(m, 2)", TypeError, "singular values"),
    ("np.linalg.norm(r, 'fro')", ValueError, "Invalid norm order 'fro' for vectors"),
    ("np.linalg.norm(m, 3)", ValueError, "Invalid norm order for matrices"),
    ("np.linalg.norm(x, axis=(0, 0))", ValueError, "Duplicate axes given"),
    ("np.linalg.norm(x, 1)", ValueError, "Improper number of dimensions"),
    ("np.cov(x)", ValueError, "m has more than 2 dimensions"),
    ("np.cov(r, fweights=v)", RuntimeError, "incompatible numbers of samples and fweights"),
    ("np.cov(r, aweights=-w)", ValueError, "aweights cannot be negative"),
    ("np.cov(r, ddof=0.5)", ValueError, "ddof must be integer"),
    ("np.convolve(m, v)", ValueError, "object too deep"),
    ("np.convolve(e, v)", ValueError, "v cannot be empty"),
    ("np.convolve(v, v, 'most')", ValueError, "mode must be one of"),
    ("np.cross(v, m[:, :4])", ValueError, r"must be \(arrays of\) 3-dimensional"),
    ("np.trim_zeros(z, 'x')", ValueError, "unexpected character"),
    ("np.rot90(v)", ValueError, "out of"), ("np.rot90(m, 1, (0, 0))", ValueError, "Axes must be different"),
    ("np.dsplit(m, 2)", ValueError, "3 or more dimensions"), ("np.resize(v, -1)", ValueError, "non-negative"),
    ("np.unravel_index(v, 3)", ValueError, "index 3 is out of bounds for array with size 3"),
    ("np.ravel_multi_index((v,), (3,))", ValueError, "invalid entry in coordinates array"),
    ("np.isposinf(c)", TypeError, "ambiguous"), ("np.block([v, [v]])", ValueError, "List depths are mismatched"),
], ids=lambda p: p if isinstance(p, str) and "np." in p else "")
def test_what_is_refused(call, error, what):
    """NumPy's errors; of what is not there here, a TypeError."""
    there, here = scope_of(NAMES), {"np": np, **{n: a.copy() for n, a in NAMES.items()}}
    with pytest.raises(error, match=what):
        eval(call, there)
    if not (error is TypeError and "not there" in what):
        try:
            eval(call, here)
        except Exception:
            pass
        else:
            assert any(text in what for text in ("odd", "function", "auto", "singular", "3-dim"))


# --- all that NumPy has ---

# What arrays of cpl are refused by, and why.
NOT_THERE = {
    "calls a function of Python for each row": ["apply_along_axis", "apply_over_axes"],
    "of dates": ["busday_count", "busday_offset", "datetime_as_string", "is_busday", "isnat"],
    "of few numbers, for which NumPy is there": [
        "poly", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub", "roots",
        "einsum_path"],
    "packs bits, of which arrays have no type": ["packbits", "unpackbits"],
    "takes numbers; arrays of cpl would be many of them": ["geomspace", "linspace", "logspace"],
    "whether the result is complex depends on the values": ["real_if_close"],
    "is no function that devices have": ["i0"],
    "solves, which no algorithm here does": [
        f"linalg.{name}" for name in (
            "cholesky", "cond", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq",
            "matrix_power", "matrix_rank", "multi_dot", "pinv", "qr", "slogdet", "solve", "svd",
            "svdvals", "tensorinv", "tensorsolve")],
    "is a Fourier transform, which no algorithm here does": [
        f"fft.{name}" for name in (
            "fft", "fft2", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft",
            "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftn")],
}


def functions_of_numpy():
    """All that asks arrays for what they make of it, and the ufuncs."""
    for module, prefix in ((np, ""), (np.linalg, "linalg."), (np.fft, "fft.")):
        for name in dir(module):
            f = getattr(module, name)
            if not name.startswith("_") and (hasattr(f, "_implementation") or isinstance(f, np.ufunc)):
                yield prefix + name, f


def is_there(f):
    if isinstance(f, np.ufunc):
        return f in ufuncs._PRODUCTS or f.__name__ in elements.EXPRESSIONS or f.__name__ in elements.PARTS
    return f in arrays._FUNCTIONS


def test_all_that_numpy_has():
    """Each of its functions is there, or is listed with the reason, and refused then."""
    listed = {name for names in NOT_THERE.values() for name in names}
    missing = {name for name, f in functions_of_numpy() if not is_there(f)}
    assert missing - listed == set()
    assert {name for name, f in functions_of_numpy() if name in listed and is_there(f)} == set()


# What those are called with that take more than an array.
ARGUMENTS = {
    "apply_along_axis": "len, 0, x", "apply_over_axes": "np.sum, x, 0", "busday_offset": "x, 0",
    "einsum_path": "'ij,jk', x, x", "polyfit": "x, x, 1", "linalg.matrix_power": "x, 2",
    "linalg.multi_dot": "[x, x]",
    **dict.fromkeys(("busday_count", "geomspace", "linspace", "logspace", "polyadd", "polydiv",
                     "polymul", "polysub", "linalg.lstsq", "linalg.solve", "linalg.tensorsolve"), "x, x"),
}


@pytest.mark.parametrize("name", sorted({n for names in NOT_THERE.values() for n in names}))
def test_what_is_not_there_is_refused(name):
    """And nothing is copied to the host for it."""
    if name not in dict(functions_of_numpy()):
        pytest.skip("not there in this NumPy either")
    x = cpl.array([[2.0, 1.0], [1.0, 3.0]])
    before = cpl.copies()
    with pytest.raises(TypeError, match="is not there for arrays of cpl"):
        eval(f"np.{name}({ARGUMENTS.get(name, 'x')})", {"np": np, "x": x})
    assert cpl.copies() == before


def test_page():
    """docs/python.md lists what there is, as it is."""
    page = (Path(__file__).parents[3]/"docs"/"python.md").read_text()
    table = page.partition("| of | NumPy's names |")[2].partition("\n\n")[0]
    listed = set(re.findall(r"`([\w.]+)`", table))
    there = {name for name, f in functions_of_numpy() if is_there(f)}
    assert there - listed == set()
    assert {name for name in listed - there if hasattr(np, name)} == set()


@pytest.mark.parametrize("between", [(0, 1), (0.1, 0.7), (-3, 5.3)])
def test_bins_end_where_their_edges_are(between):
    """At each edge of bins of even width, and at the next numbers around it."""
    for count in range(1, 40):
        edges = np.linspace(*between, count + 1)
        x = np.concatenate([np.nextafter(edges, -9), edges, np.nextafter(edges, 9)])
        found, ends = cpl.histogram(cpl.array(x), count, between)
        expected, wanted = np.histogram(x, count, between)
        assert np.array_equal(found.numpy(), expected) and np.array_equal(ends.numpy(), wanted)


@pytest.mark.parametrize("places", [
    [0, 1], [0, 1, 3], [0, 0, 1], [0, 1, 1], [0, 0, 0], [-np.inf, 0, 1], [0, 1, np.inf], [2]], ids=repr)
def test_lines_between_any_values(places):
    """At the points, between them, beside them and at NaN: of each kind of value at each point."""
    at = np.array([-np.inf, -1, 0, 0.25, 1, 1.75, 2, 3, 4, np.inf, np.nan])
    for values in itertools.product([-np.inf, -1.5, 0.0, 2.0, np.inf, np.nan], repeat=len(places)):
        for outside in ({}, {"left": 7}, {"right": -7}):
            with np.errstate(all="ignore"):
                expected = np.interp(at, places, values, **outside)
            close(cpl.interp(cpl.array(at), places, list(values), **outside), expected)


@pytest.mark.parametrize("places", [[0, 1], [0, 0], [2]], ids=repr)
def test_lines_between_any_complex_values(places):
    """Real and imaginary parts go ways of their own."""
    at = np.array([-1, 0, 0.25, 1, 2, 3, np.nan])
    some = [complex(a, b) for a in (-np.inf, 2, np.inf, np.nan) for b in (1, np.inf, np.nan)]
    for values in itertools.product(some, repeat=len(places)):
        for outside in ({}, {"left": 7 - 1j, "right": 1j}):
            with np.errstate(all="ignore"):
                expected = np.interp(at, places, values, **outside)
            found = cpl.interp(cpl.array(at), places, list(values), **outside)
            assert found.dtype == expected.dtype
            close(found.real, expected.real)
            close(found.imag, expected.imag)

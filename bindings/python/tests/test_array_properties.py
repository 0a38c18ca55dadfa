"""Properties that arrays have for any elements and shapes: NumPy's results."""

import hypothesis.extra.numpy as hnp
import numpy as np
from conftest import DTYPES
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cpl

few = settings(max_examples=40, deadline=None, derandomize=True,
               suppress_health_check=[HealthCheck.too_slow])
dtypes = st.sampled_from(DTYPES).map(np.dtype)
shapes = hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=6)
arrays = hnp.arrays(dtypes, shapes)
lines = hnp.arrays(dtypes, st.integers(0, 40))


def same(found, expected):
    np.testing.assert_array_equal(found.numpy(), expected, strict=True)


@st.composite
def with_axis(draw, of=arrays):
    a = draw(of)
    return a, draw(st.integers(-a.ndim, a.ndim - 1))


@st.composite
def views(draw):
    """Any layout of an array."""
    a = draw(arrays)
    key = tuple(draw(st.sampled_from([np.s_[:], np.s_[::-1], np.s_[::2], np.s_[1:], np.s_[-2::-1]]))
                for _ in a.shape)
    return a[key].transpose(draw(st.permutations(range(a.ndim))))


@given(views())
@few
def test_any_layout(a):
    same(cpl.asarray(a), a)
    same(cpl.asarray(a).copy(), a)
    same(cpl.asarray(a).ravel(), a.ravel())
    same(cpl.asarray(a) == cpl.asarray(a), a == a)


@given(with_axis())
@few
def test_sort(given_):
    a, axis = given_
    same(np.sort(cpl.array(a), axis), np.sort(a, axis))
    same(np.argsort(cpl.array(a), axis, "stable"), np.argsort(a, axis, "stable"))


@given(lines)
@few
def test_unique(a):
    for found, expected in zip(
        np.unique(cpl.array(a), return_index=True, return_inverse=True, return_counts=True),
        np.unique(a, return_index=True, return_inverse=True, return_counts=True),
    ):
        same(found, expected)


numbers = st.sampled_from([-np.inf, -1.0, -0.0, 0.0, 1.0, np.inf, np.nan])
complex_lines = st.tuples(
    st.sampled_from([np.complex64, np.complex128]),
    st.lists(st.builds(complex, numbers, numbers), max_size=70),
).map(lambda drawn: np.array(drawn[1], drawn[0]))


@given(complex_lines, complex_lines)
@few
def test_complex_keys(a, b):
    x, y = cpl.array(a), cpl.array(b)
    same(np.sort(x), np.sort(a, kind="stable"))
    same(np.argsort(x, kind="stable"), np.argsort(a, kind="stable"))
    for found, expected in zip(np.unique(x, True, True, True), np.unique(a, True, True, True)):
        same(found, expected)
    keys = np.sort(a)
    for side in ("left", "right"):
        same(np.searchsorted(cpl.array(keys), y, side), np.searchsorted(keys, b, side))
    for call in (np.union1d, np.intersect1d, np.setdiff1d, np.setxor1d):
        same(call(x, y), call(a, b))


@given(hnp.arrays(np.complex64, st.tuples(st.integers(0, 5), st.integers(0, 9)),
                  elements=st.builds(complex, numbers, numbers)))
@few
def test_rows_of_complex_keys(a):
    for axis in (0, 1):
        same(np.sort(cpl.array(a), axis), np.sort(a, axis, "stable"))
        same(np.argsort(cpl.array(a), axis, "stable"), np.argsort(a, axis, "stable"))


WHOLE = [t for t in DTYPES if np.dtype(t).kind != "f"]


@given(with_axis(hnp.arrays(st.sampled_from(WHOLE), shapes)))
@few
def test_cumsum_and_sums(given_):
    a, axis = given_
    same(np.cumsum(cpl.array(a), axis), np.cumsum(a, axis))
    same(np.sum(cpl.array(a), axis), np.sum(a, axis))
    same(np.prod(cpl.array(a), axis, keepdims=True), np.prod(a, axis, keepdims=True))
    same(np.diff(cpl.array(a), axis=axis), np.diff(a, axis=axis))


@given(with_axis(hnp.arrays(dtypes, hnp.array_shapes(max_dims=3, max_side=6))))
@few
def test_extremes(given_):
    a, axis = given_
    for name in ("min", "max", "argmin", "argmax", "any", "all"):
        same(getattr(np, name)(cpl.array(a), axis), getattr(np, name)(a, axis))


@given(hnp.arrays(dtypes, hnp.array_shapes(max_dims=3, max_side=5)), st.data())
@few
def test_indices(a, data):
    key = data.draw(hnp.basic_indices(a.shape, allow_newaxis=True, allow_ellipsis=True))
    same(cpl.array(a)[key], np.asarray(a[key]))
    picks = data.draw(hnp.integer_array_indices(a.shape))
    same(cpl.array(a)[picks], a[picks])
    mask = data.draw(hnp.arrays(bool, a.shape))
    same(cpl.array(a)[mask], a[mask])
    x, b = cpl.array(a), a.copy()
    x[mask] = a[mask][::-1]
    b[mask] = a[mask][::-1]
    same(x, b)


@given(with_axis(), st.data())
@few
def test_take(given_, data):
    a, axis = given_
    n = a.shape[axis]
    if n:
        index = data.draw(hnp.arrays(np.int64, st.integers(0, 8), elements=st.integers(-n, n - 1)))
        same(np.take(cpl.array(a), cpl.array(index), axis), np.take(a, index, axis))


@given(hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=3, max_side=4), st.data())
@few
def test_where_and_arithmetic(shapes_, data):
    c, a, b = (data.draw(hnp.arrays(t, s)) for t, s in
               zip((np.dtype(bool), data.draw(dtypes), data.draw(dtypes)), shapes_.input_shapes))
    x, y = cpl.array(a), cpl.array(b)
    same(np.where(cpl.array(c), x, y), np.where(c, a, b))
    with np.errstate(all="ignore"):
        same(x + y, np.asarray(a + b))
        same(x*y, np.asarray(a*b))
        same(x <= y, np.asarray(a <= b))
        same(np.maximum(x, y), np.asarray(np.maximum(a, b)))


@given(lines, st.data())
@few
def test_sets(a, data):
    b = data.draw(hnp.arrays(a.dtype, st.integers(0, 20)))
    for name in ("intersect1d", "setdiff1d", "union1d"):
        f = getattr(np, name)
        if not (np.isnan(a).any() or np.isnan(b).any()):
            same(f(cpl.array(a), cpl.array(b)), f(a, b))
    keys = np.sort(a)
    same(np.searchsorted(cpl.array(keys), cpl.array(b)), np.searchsorted(keys, b))

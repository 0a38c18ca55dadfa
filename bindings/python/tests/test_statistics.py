"""Medians, quantiles, averages and what NaN are left out of, against NumPy."""

import warnings

import numpy as np
import pytest
from conftest import DEVICES, scope_of

import cpl

# One of each kind on a device, as a driver compiles the sorts of each for long.
SOME = ["np.median(x, 0)", "np.quantile(x, [[0.1, 0.2], [0.7, 0.9]], 1)", "np.average(x, 2, w)",
        "np.nanvar(g, 0)", "np.nanmax(none)", "np.nan_to_num(e)", "np.nanmedian(g, 0)",
        "np.nanquantile(g, [0.2, 0.9], 1, keepdims=True)"]

_values = np.random.default_rng(3).permutation(np.arange(24)*4.0).reshape(2, 3, 4)
_gaps = _values.copy()
_gaps[0, 1, 2] = _gaps[1, :, 0] = np.nan

NAMES = {
    "x": _values, "v": _values[0, 0].copy(), "f": _values.astype(np.float32),
    "i": _values.astype(np.int32), "g": _gaps, "e": np.array([1.5, np.inf, -np.inf, np.nan]),
    "h": np.array([[1e308, 1.5e308, np.nan], [np.inf, np.nan, np.inf], [np.nan, 5, -np.inf]]),
    "w": np.array([1.0, 2, 3, 4]), "none": np.full((2, 3), np.nan), "one": np.array([7.0]),
    # row k has k numbers
    "few": np.where(np.arange(4) < np.arange(5)[:, None], _values[0, 0]*[1, 3, -2, 0.5], np.nan),
}

CALLS = [
    *[f"np.median({text})" for text in (
        "x[:0]", "x[:0], 0", "i[:, :0], 1, keepdims=True", "f[:0], 1", "f[:0]",
        "x", "v", "i", "f", "one", "x, 0", "x, axis=(0, 2)", "i, 1", "f, -1", "x, 0, keepdims=True",
        "x, keepdims=True", "g", "g, 2", "x[::2, ::-1], 1")],
    *[f"np.quantile({text})" for text in (
        "x, 0.3", "v, [0, 0.5, 1]", "f, 0.3", "i, 0.3", "x, [[0.1, 0.2], [0.7, 0.9]], 1",
        "x, 0.25, axis=(0, 1)", "x, [0.5, 0.1], 0, keepdims=True", "g, 0.5, 2", "one, [0.2, 0.9]",
        "f, [0.1, 0.6], 2")],
    *[f"np.quantile({name}, [0, 0.1, 0.5, 0.77, 1], 2, method='{method}')"
      for name in ("x", "i") for method in (
          "lower", "higher", "nearest", "midpoint", "hazen", "weibull", "median_unbiased",
          "normal_unbiased", "interpolated_inverted_cdf")],
    # places half way between two elements, in front of even ones and of odd ones
    *[f"np.quantile(v[:{n}], np.arange({2*n - 1})/{2*n - 2}, method='{method}')"
      for n in (2, 3, 5) for method in ("lower", "higher", "nearest", "midpoint", "linear")],
    "np.percentile(x, 25)", "np.percentile(f, [25, 75])", "np.percentile(i, 40, 1)",
    "np.average(x)", "np.average(i, 0)", "np.average(x, 2, w)", "np.average(i, 2, w)",
    "np.average(x, weights=x)", "np.average(x, 1, x)", "np.average(x, -1, weights=[1, 2, 3, 4])",
    "np.average(x, 2, w, returned=True)", "np.average(x, 1, returned=True)",
    *[f"np.nan{name}({text})"
      for name in ("sum", "prod", "max", "min", "mean", "var", "std", "cumsum", "cumprod", "argmax",
                   "argmin")
      for text in (("g", "g, 0", "f/64", "i//64") if name != "var" else ("g", "g, 0", "f"))
      if not (name == "std" and text[0] == "i")],
    "np.nanstd(h, 0)", "np.nanvar(h, 1)", "np.nanmean(h, 1)",
    "np.nanmax(none)", "np.nanmean(none, 0)", "np.nanvar(none)", "np.nanvar(g, 2, ddof=3)",
    *[f"np.{name}({text}, ddof={ddof})"
      for name in ("nanvar", "nanstd") for ddof in (1, 2, 3, 4, 5, 1.5)
      for text in ("few, 1", "few, 0", "few.astype(np.float32), 1", "few")],
    *[f"np.{name}({text}, ddof={ddof})"
      for name in ("var", "std", "nanvar", "nanstd") for ddof in (1, 2, 3, 4, 1.5)
      for text in ("x, 0", "x[:, :, :1], 2", "x, 1", "i, 1", "one")],
    "np.nansum(none, 1, keepdims=True)", "np.nanmax(g, axis=(0, 1), keepdims=True)",
    "np.nanmedian(g)", "np.nanquantile(g, [0.2, 0.4])", "np.nanpercentile(g, 30)",
    *[f"np.nanmedian({text})" for text in (
        "f[:0], 0", "g[:, :0], 0", "g, 0", "g, axis=(0, 2)", "none, 1", "g, 2, keepdims=True", "g, None, keepdims=True", "i, 0",
        "g.astype(np.float32), 1", "h, -1", "g[::-1, :, ::2], 1")],
    *[f"np.nanquantile({text})" for text in (
        "g, 0.3, 0", "g, [0.1, 0.5, 1], axis=(1, 2)", "g, [[0.1, 0.5], [0.7, 1]], 1", "none, [0, 0.5], 0", "i, 0.3, 1",
        "g, [0.2, 0.9], 1, keepdims=True", "g.astype(np.float32), [0.1, 0.6], 2")],
    "np.nanpercentile(g, [10, 50], 2)",
    *[f"np.nanquantile(g, [0, 0.1, 0.5, 0.77, 1], 2, method='{method}')"
      for method in ("lower", "higher", "nearest", "midpoint", "hazen", "weibull",
                     "median_unbiased", "normal_unbiased", "interpolated_inverted_cdf")],
    "np.nanmedian(none)", "np.nan_to_num(e)", "np.nan_to_num(e, nan=5, posinf=1, neginf=-1)",
    "np.nan_to_num(i)", "np.nan_to_num(e.astype(np.float32))",
]


def close(found, expected):
    expected = np.asarray(expected)
    assert isinstance(found, cpl.ndarray)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    eps = np.finfo(expected.dtype).eps if expected.dtype.kind == "f" else 0
    np.testing.assert_allclose(found.numpy(), expected, rtol=8*eps, atol=8*eps)


@pytest.mark.parametrize("call, place", [
    *((call, "host") for call in CALLS), *((call, device) for device in DEVICES for call in SOME)])
def test_statistics(call, place):
    here = scope_of(NAMES, place)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = eval(call, {"np": np, **NAMES})
    found = eval(call, here)
    if not isinstance(found, tuple):
        found, expected = (found,), (expected,)
    for f, e in zip(found, expected, strict=True):
        close(f, e)
        assert f.place == here["x"].place


@pytest.mark.parametrize("call, error, what", [
    ("np.quantile(x, 1.5)", ValueError, r"Quantiles must be in the range \[0, 1\]"),
    ("np.percentile(x, -1)", ValueError, r"Percentiles must be in the range \[0, 100\]"),
    ("np.quantile(x, 0.5, method='inverted_cdf')", TypeError, "the method 'inverted_cdf'"),
    ("np.quantile(x > 1, 0.5)", TypeError, "a quantile of bool"),
    ("np.median(x[:0] > 0)", TypeError, "a quantile of bool"),
    ("np.quantile(x[:0], 0.5)", ValueError, "a quantile of no elements"),
    ("np.median(x, 3)", np.exceptions.AxisError if hasattr(np, "exceptions") else ValueError, "3"),
    ("np.average(x, 0, w)", ValueError, "Shape of weights"),
    ("np.average(x, weights=w)", ValueError, "Shape of weights"),
    ("np.nanargmax(none, 0)", ValueError, "All-NaN slice"),
    ("np.nanquantile(g[:0], 0.5, 0)", ValueError, "a quantile of no elements"),
    ("np.nanquantile(g, 0.5, 0, method='inverted_cdf')", TypeError, "the method 'inverted_cdf'"),
    ("np.nanvar(x*1j)", TypeError, "nanvar of complex"),
    ("np.nan_to_num(x*1j)", TypeError, "nan_to_num of complex128"),
])
def test_what_there_is_none_of(call, error, what):
    here = scope_of(NAMES)
    with pytest.raises(error, match=what):
        eval(call, here)


def test_statistics_into_arrays():
    x, out = cpl.array(_values), cpl.zeros((2, 4))
    assert np.median(x, 1, out) is out
    np.testing.assert_array_equal(out, np.median(_values, 1))
    assert np.nanmax(x, 1, out=out) is out
    np.testing.assert_array_equal(out, _values.max(1))
    gaps = cpl.array(_gaps)
    for name, more in ("nanmedian", ()), ("nanquantile", (0.3,)), ("nanpercentile", (40,)):
        into = cpl.zeros((3, 4))
        assert getattr(np, name)(gaps, *more, 0, into) is into
        np.testing.assert_array_equal(into, getattr(np, name)(_gaps, *more, 0))
    e = cpl.array(NAMES["e"])
    assert np.nan_to_num(e, copy=False, posinf=2, neginf=1) is e and e.tolist() == [1.5, 2, 1, 0]

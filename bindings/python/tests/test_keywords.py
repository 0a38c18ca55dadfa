"""What many functions take by the same name: out=, keepdims=, and the words of kind=, mode=,
method=, side=, casting= and order=. Every function that has one, from its signature, every word,
against NumPy."""

import inspect
import warnings

import numpy as np
import pytest
from test_array_functions import same

import cpl

A = np.array([[3.0, 1, 2, 5], [4, 6, 5, 1], [2, 9, 1, 7]])
HOLES = np.where(A == 5, np.nan, A)
ARRAYS = {"floats": A, "holes": HOLES, "ints": A.astype(np.int32), "none": A[:, :0],
          "float32": A.astype(np.float32), "no NaN but all": np.full((2, 3), np.nan)}
SQUARE = A[:, :3]
OTHER = {  # what is given where it is not an array and, maybe, an axis
    "choose": (np.array([1, 0, 1]), [SQUARE[0], SQUARE[1]]),
    "clip": (A, 2, 5), "compress": (np.array([True, False, True]), A, 0),
    "concatenate": ([A, A], 0), "stack": ([A, A], 0), "dot": (A, A.T),
    "einsum": ("ij,kj", A, A), "fix": (A + 0.5,),
    "isneginf": (A,), "isposinf": (A,), "matmul": (A, A.T), "matvec": (A, A[0]),
    "vecdot": (A, A), "vecmat": (A[0], A.T), "percentile": (A, 30, 1), "quantile": (A, 0.3, 1),
    "nanpercentile": (HOLES, 30, 1), "nanquantile": (HOLES, 0.3, 1), "round": (A + 0.25, 1),
    "take": (A, np.array([2, 0]), 1), "trace": (SQUARE,),
}
BY_NAME = {"cumulative_sum": {"axis": 1}, "cumulative_prod": {"axis": 1}}

SORTS = [None, "quicksort", "mergesort", "heapsort", "stable", "other"]
CASTS = ["no", "equiv", "safe", "same_kind", "unsafe"]
METHODS = ["linear", "lower", "higher", "midpoint", "nearest", "hazen", "weibull",
           "interpolated_inverted_cdf", "median_unbiased", "normal_unbiased",
           "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "middle"]
PADS = ["constant", "edge", "wrap", "reflect", "symmetric", "maximum", "minimum", "mean", "median",
        "linear_ramp", "empty", "mirror"]
MODES = ["raise", "wrap", "clip", "drop"]
KTH, POINTS = ["introselect", "quickselect"], [0.0, 0.1, 0.25, 0.4, 0.5, 0.75, 1.0]
QUANTILES = ["quantile", "percentile", "nanquantile", "nanpercentile"]
IN_ORDER = np.sort(A[0])
WORDS = {  # a call with a word that is one of these
    "sort kind": (lambda m, a, w: m.sort(a(A), kind=w), SORTS),
    "argsort kind": (lambda m, a, w: m.argsort(a(IN_ORDER[::-1]), kind=w), SORTS),
    "ndarray.sort kind": (lambda m, a, w: changed(a(A), "sort", kind=w), SORTS),
    "partition kind": (lambda m, a, w: m.partition(a(A), 1, kind=w)[:, 1], KTH),
    "argpartition kind": (lambda m, a, w: m.argpartition(a(A), 0, kind=w)[:, 0], KTH),
    "isin kind": (lambda m, a, w: m.isin(a(A.astype(int)), a(np.array([1, 9])), kind=w),
                  [None, "sort", "table", "hash"]),
    "searchsorted side": (lambda m, a, w: m.searchsorted(a(IN_ORDER), a(A[0]), side=w),
                          ["left", "right", "middle"]),
    "convolve mode": (lambda m, a, w: m.convolve(a(A[0]), a(A[1, :3]), mode=w),
                      ["full", "same", "valid", "most"]),
    "correlate mode": (lambda m, a, w: m.correlate(a(A[0]), a(A[1, :3]), mode=w),
                       ["full", "same", "valid", "most"]),
    "pad mode": (lambda m, a, w: m.pad(a(A), ((5, 1), (2, 9)), mode=w)[1:, 1:-1]
                 if w != "empty" else m.pad(a(A), 1, mode=w)[1:-1, 1:-1], PADS),
    "copyto casting": (lambda m, a, w: copied(m, a, w, np.int32, np.int16), CASTS),
}
for at in (0, 2, 3, -1, -4):
    WORDS[f"take {at} mode"] = (
        lambda m, a, w, at=at: m.take(a(A), a(np.array([at])), 0, mode=w), MODES)
    WORDS[f"choose {at} mode"] = (
        lambda m, a, w, at=at: m.choose(a(np.array([1, at, 0])), [a(x) for x in SQUARE], mode=w),
        MODES)
    WORDS[f"put {at} mode"] = (
        lambda m, a, w, at=at: changed(a(A[0]), "put", [at*2], 8, mode=w), MODES)
for name in QUANTILES:
    WORDS[f"{name} method"] = (
        lambda m, a, w, name=name: getattr(m, name)(
            a(HOLES if "nan" in name else A), np.array(POINTS)*(100 if "cent" in name else 1), 1,
            method=w), METHODS)
for to in (np.bool_, np.int8, np.int16, np.int32, np.float16, np.float64):
    for name in ("concatenate", "stack"):
        WORDS[f"{name} {np.dtype(to).name} casting"] = (
            lambda m, a, w, name=name, to=to: getattr(m, name)(
                [a(A.astype(np.int16))]*2, dtype=to, casting=w), CASTS)
    WORDS[f"astype {np.dtype(to).name} casting"] = (
        lambda m, a, w, to=to: a(A.astype(np.int16)).astype(to, casting=w), CASTS)
    WORDS[f"copyto {np.dtype(to).name} casting"] = (
        lambda m, a, w, to=to: copied(m, a, w, np.int16, to), CASTS)


NOT_THERE = {(f"put {at} mode", word) for at in (0, 2, 3, -1, -4) for word in MODES[1:]}
NOT_THERE |= {(f"{name} method", word) for name in QUANTILES for word in METHODS[-4:]}


def changed(x, method, *args, **more):
    getattr(x, method)(*args, **more)
    return x


def copied(m, a, word, source, to):
    x = a(np.zeros(A.shape, to))
    m.copyto(x, a(A.astype(source)), casting=word)
    return x


def with_parameter(name):
    """The public functions that take something by this name."""
    found = []
    for each in sorted(vars(cpl)):
        f = getattr(cpl, each)
        if not each.startswith("_") and inspect.isfunction(f) and hasattr(np, each):
            found += [each] if name in inspect.signature(f).parameters else []
    assert len(found) > 1
    return found


def arguments(name, a):
    if name in BY_NAME:
        return (a,), BY_NAME[name]
    return OTHER.get(name, (a, 1)), {}


def ours(x):
    if isinstance(x, list):
        return [ours(part) for part in x]
    return cpl.array(x) if isinstance(x, np.ndarray) else x


def called(module, name, a, **more):
    given, named = arguments(name, a)
    if module is cpl:
        given = [ours(x) for x in given]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(module, name)(*given, **named, **more)


def outcome(call, *args, **more):
    """What it gives, or the error."""
    try:
        return call(*args, **more)
    except (TypeError, ValueError, IndexError, NotImplementedError) as e:
        return e


def cases(*keywords):
    """Each function that takes these and each array, where it takes no other ones."""
    each = set.intersection(*map(set, map(with_parameter, keywords)))
    return [(name, a) for name in sorted(each)
            for a in (ARRAYS if name not in OTHER else ["floats"])]


def check(name, a, **more):
    """Without out= and with it."""
    expected = outcome(called, np, name, ARRAYS[a], **more)
    if isinstance(expected, Exception):
        with pytest.raises(type(expected)):
            called(cpl, name, ARRAYS[a], **more)
        return
    same(called(cpl, name, ARRAYS[a], **more), expected, exact=False)
    expected = np.asarray(expected)
    out = cpl.array(np.full_like(expected, 77))
    assert called(cpl, name, ARRAYS[a], out=out, **more) is out
    same(out, expected, exact=False)


@pytest.mark.parametrize("name, a", cases("out"))
def test_out(name, a):
    check(name, a)


@pytest.mark.parametrize("name, a", cases("out", "keepdims"))
def test_keepdims(name, a):
    check(name, a, keepdims=True)


# NumPy's of integers and of complex numbers are no variances; what is put together takes either
@pytest.mark.parametrize("name, a, dtype", [
    (name, a, t) for name, a in cases("out", "dtype") for t in (np.float32, np.int16, np.complex128)
    if name not in ("concatenate", "stack")
    and (t == np.float32 or name not in ("std", "var", "nanstd", "nanvar"))])
def test_dtype(name, a, dtype):
    check(name, a, dtype=dtype)


# --- words ---


@pytest.mark.parametrize("name, word", [(name, w) for name, (_, words) in WORDS.items()
                                        for w in words])
def test_words(name, word):
    call = WORDS[name][0]
    expected, found = outcome(call, np, np.array, word), outcome(call, cpl, cpl.array, word)
    if (name, word) in NOT_THERE:
        assert "is not there for arrays of cpl" in str(found)
    elif isinstance(expected, Exception):
        assert isinstance(found, type(expected)), found
    else:
        same(found, expected, exact=False)

"""How many elements, or what weights of theirs, fall into each of several bins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cpl import _cpl, creation, reductions
from cpl.elements import apply, choose, operands, unsupported
from cpl.sorting import searchsorted

if TYPE_CHECKING:
    from cpl.arrays import ndarray

_INT = np.dtype(np.int64)

# In which bin an element is, of the edges of all; none: -1. Those of even width are found by one
# division, and then set right by the edges, as NumPy does it.
_BINS = """
def in_even(x, edges, first, scale, last):
    if not (x >= edges[0] and x <= edges[last]):
        return -1
    k = cast((x - first)*scale, "int64")
    k = last - 1 if k >= last else k
    if x < edges[k]:
        k = k - 1
    elif k != last - 1 and x >= edges[k + 1]:
        k = k + 1
    return k


def in_any(x, edges, last):
    if not (x >= edges[0] and x <= edges[last]):
        return -1
    low = cast(0, "int64")
    high = last
    while high - low > 1:
        middle = (low + high) >> 1
        if x >= edges[middle]:
            low = middle
        else:
            high = middle
    return low
"""

_modules: list[_cpl.Module] = []  # one at most


def _module() -> _cpl.Module:
    if not _modules or not _modules[0].fresh:
        _modules[:] = [_cpl.Module("bins", _BINS)]
    return _modules[0]


def _counted(bin_: str, out: ndarray, arguments: tuple[Any, ...], weights: Any) -> ndarray:
    """Bins are a function of the elements' number and the arguments, the first of which are x."""
    names = ", ".join(("i", "x", "edges", "first", "scale", "last")[:len(arguments) + 1])
    values = (*arguments, weights.ravel()) if weights is not None else arguments
    more = ", w" if weights is not None else ""
    _cpl.histogram(_module(), f"lambda {names}{more}: {bin_}",
                   f"lambda {names}{more}: w[i]" if more else None, "a + b", None, out, values)
    return out


def _bools_are_bytes(a: ndarray) -> ndarray:
    return a.astype(np.uint8) if a.dtype == np.bool_ else a


# --- histograms ---


def _bounds(a: ndarray, range_: Any) -> tuple[Any, Any]:
    """From where to where bins of even width are."""
    if range_ is not None:
        first, last = range_
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError(f"supplied range of [{first}, {last}] is not finite")
    elif not a.size:
        first, last = 0, 1
    else:
        first, last = (f(a).numpy()[()] for f in (reductions.min, reductions.max))
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError(f"autodetected range of [{first}, {last}] is not finite")
    return (first - 0.5, last + 0.5) if first == last else (first, last)


def _even_edges(a: ndarray, count: int, first: Any, last: Any) -> ndarray:
    kind = np.result_type(first, last, a.dtype)
    kind = np.result_type(kind, float) if kind.kind in "iub" else kind
    edges = np.linspace(first, last, count + 1, endpoint=True, dtype=kind)
    if (edges[:-1] >= edges[1:]).any():
        raise ValueError(f"Too many bins for data range. Cannot create {count} finite-sized bins.")
    return creation.array(edges, device=a.place)


def _edges(a: ndarray, bins: Any, range_: Any) -> tuple[ndarray, tuple[Any, Any] | None]:
    """The edges, and from where to where they are evenly apart."""
    if isinstance(bins, str):
        raise unsupported(f"numpy.histogram with bins={bins!r}")
    if np.ndim(bins) == 0:
        try:
            count = int(bins.__index__())
        except (AttributeError, TypeError):
            raise TypeError("`bins` must be an integer, a string, or an array") from None
        if count < 1:
            raise ValueError("`bins` must be positive, when an integer")
        first, last = _bounds(a, range_)
        return _even_edges(a, count, first, last), (first, last)
    edges = creation.asarray(operands((bins,))[0], device=a.place)
    if edges.ndim != 1:
        raise ValueError("`bins` must be 1d, when an array")
    if reductions.any(apply(np.greater, (edges[:-1], edges[1:]))):
        raise ValueError("`bins` must increase monotonically, when an array")
    return edges, None


def _weights(a: ndarray, weights: Any) -> Any:
    if weights is None:
        return None
    w = creation.asarray(operands((weights,))[0], device=a.place)
    if w.shape != a.shape:
        raise ValueError("weights should have the same shape as a.")
    return w


def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> ndarray:
    """The edges that histogram() would have."""
    x = creation.asarray(operands((a,))[0])
    _weights(x, weights)
    return _edges(_bools_are_bytes(x), bins, range)[0]


def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None
) -> tuple[ndarray, ndarray]:
    """How many elements fall into each of so many bins, or between the edges that are given, and
    the edges; the last bin has its upper edge too.

    >>> cpl.histogram(cpl.array([1, 2, 1, 4]), 3)
    (array([2, 1, 1]), array([1., 2., 3., 4.]))
    """
    x = _bools_are_bytes(creation.asarray(operands((a,))[0]))
    if x.dtype.kind not in "iuf":
        raise unsupported(f"numpy.histogram of {x.dtype}")
    w = _weights(x, weights)
    edges, even = _edges(x, bins, range)
    count = max(edges.size - 1, 0)
    kind = _INT if w is None or w.dtype == np.bool_ else w.dtype
    counts = creation.zeros(count, kind, device=x.place)
    if count and x.size:
        _fill(counts, x.ravel(), edges, even, w if w is None or w.dtype == kind else w.astype(kind))
    if not density:
        return counts, edges
    width = apply(np.subtract, (edges[1:], edges[:-1])).astype(np.float64)
    return apply(np.divide, (counts/width, reductions.sum(counts))), edges


def _fill(counts: ndarray, x: ndarray, edges: ndarray, even: Any, w: Any) -> None:
    last = np.int64(counts.size)
    narrow = counts if counts.dtype != np.float16 else counts.astype(np.float32)
    w = w.astype(narrow.dtype) if w is not None and w.dtype != narrow.dtype else w
    if even is None:
        _counted("in_any(x[i], edges, last)", narrow, (x, edges, np.float32(0), np.float32(0), last),
                 w)
    else:
        wide = np.float32 if edges.dtype.itemsize < 8 else np.float64
        first = wide(even[0])
        scale = wide(counts.size/(float(even[1]) - float(even[0])))
        _counted("in_even(x[i], edges, first, scale, last)", narrow, (x, edges, first, scale, last),
                 w)
    if narrow is not counts:
        creation.assign(counts, narrow)


def bincount(x: Any, weights: Any = None, minlength: int = 0) -> ndarray:
    """How often each of the numbers from 0 on is there, or the sum of its weights.

    >>> cpl.bincount(cpl.array([0, 2, 2]))
    array([1, 0, 2])
    """
    bins = creation.asarray(operands((x,))[0])
    if bins.ndim != 1:
        raise ValueError("object of too small depth for desired array" if not bins.ndim else
                         "object too deep for desired array")
    if not np.can_cast(bins.dtype, _INT, "safe"):
        raise TypeError(f"Cannot cast array data from {bins.dtype!r} to {_INT!r} according to the "
                        "rule 'safe'")
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    bins = _bools_are_bytes(bins)
    count = int(minlength)
    if bins.size:
        if int(reductions.min(bins)) < 0:
            raise ValueError("'list' argument must have no negative elements")
        count = max(count, int(reductions.max(bins)) + 1)
    w = None
    if weights is not None:
        w = creation.asarray(operands((weights,))[0], device=bins.place)
        if w.shape != bins.shape:
            raise ValueError("The weights and list don't have the same length.")
        w = w.astype(np.float64)
    made = creation.zeros(count, _INT if w is None else np.float64, device=bins.place)
    return _counted("x[i]", made, (bins.ravel(),), w) if bins.size else made


def digitize(x: Any, bins: Any, right: bool = False) -> ndarray:
    """Between which two of several bounds each element is, which go up or down."""
    given = operands((x, bins))
    values = creation.asarray(given[0])
    edges = creation.asarray(given[1], device=values.place)
    if edges.ndim != 1:
        raise ValueError("object too deep for desired array")
    if values.dtype.kind == "c":
        raise TypeError("x may not be complex")
    up, down = (bool(reductions.all(apply(f, (edges[:-1], edges[1:]))))
                for f in (np.less_equal, np.greater_equal))
    if not up and not down:
        raise ValueError("bins must be monotonically increasing or decreasing")
    side = "left" if right else "right"
    if up:
        return searchsorted(edges, values, side)
    found = searchsorted(edges[::-1].copy(), values, side)
    return apply(np.subtract, (edges.size, found))


def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: bool | None = None,
    weights: Any = None,
) -> tuple[ndarray, tuple[ndarray, ...]]:
    """Histograms of points, which are the rows of a matrix or are given by coordinates."""
    if isinstance(sample, (list, tuple)):
        columns = [creation.asarray(c) for c in operands(tuple(sample))]
    else:
        points = creation.asarray(sample)
        columns = [points[:, d] for d in np.arange(points.shape[1])] if points.ndim == 2 else [points]
    n = len(columns)
    each = list(bins) if hasattr(bins, "__len__") else [bins]*n
    if len(each) != n:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    ranges = [None]*n if range is None else list(range)
    if len(ranges) != n:
        raise ValueError("range argument must have one entry per dimension")
    edges, where, shape = [], [], []
    for column, b, r in zip(columns, each, ranges):
        edges.append(_edges(column, b, r)[0])
        shape.append(edges[-1].size - 1)
        where.append(_places(column, edges[-1]))
    return _of_points(where, shape, edges, density, weights)


def _places(x: ndarray, edges: ndarray) -> ndarray:
    """The bin of each element; below 0 or past the end: none."""
    n = edges.size - 1
    at = searchsorted(edges, x, "right")
    return apply(np.subtract, (at, apply(np.add, (apply(np.equal, (x, edges[n:])), 1))))


def _of_points(
    where: list[ndarray], shape: list[int], edges: list[ndarray], density: Any, weights: Any
) -> tuple[ndarray, tuple[ndarray, ...]]:
    flat: Any = where[0]
    inside: Any = (where[0] >= 0) & (where[0] < shape[0])
    for at, n in zip(where[1:], shape[1:]):
        flat = flat*n + at
        inside = inside & (at >= 0) & (at < n)
    bins = choose(inside, flat, np.int64(-1)).ravel()
    w = None if weights is None else creation.asarray(operands((weights,))[0], device=flat.place)
    w = w if w is None else w.astype(np.float64)
    made = creation.zeros(int(np.prod(shape)), np.float64, device=flat.place)
    ones = w if w is not None else creation.ones(flat.size, device=flat.place)
    if flat.size:
        _counted("x[i]", made, (bins,), ones)
    counts = made.reshape(tuple(shape))
    if density:
        total = reductions.sum(counts)
        for d, e in enumerate(edges):
            counts = counts/(e[1:] - e[:-1])[(slice(None), *(None,)*(len(shape) - d - 1))]
        counts = counts/total
    return counts, tuple(edges)


def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, density: bool | None = None,
    weights: Any = None,
) -> tuple[ndarray, ndarray, ndarray]:
    """A histogram of points of a plane, and the edges along both axes."""
    if hasattr(bins, "__len__") and len(bins) not in (1, 2):  # edges along both
        bins = [bins, bins]
    counts, edges = histogramdd((x, y), bins, range, density, weights)
    return counts, edges[0], edges[1]


__all__ = [
    "bincount", "digitize", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd",
]

"""Medians and quantiles, averages, and what arrays come to without their NaN."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cpl.axes import Axis, axes_of, kept, left
from cpl.choosing import take_along_axis
from cpl.creation import array, asarray
from cpl.elements import _target, apply, cast, choose, compute, unsupported
from cpl.indexing import take
from cpl.places import beside
from cpl.reductions import (
    all, any, argmax, argmin, count_nonzero, cumprod, cumsum, max, mean, min, prod, sum, var,
)
from cpl.sorting import sort

if TYPE_CHECKING:
    from cpl.arrays import ndarray

# --- quantiles ---


def _in_order(a: ndarray, axis: Axis) -> tuple[ndarray, tuple[int, ...], tuple[int, ...]]:
    """The elements along axes sorted, as a last dimension; the shape of the others, and the same
    with dimensions of one element in place of those that went."""
    if a.dtype.kind not in "iuf":
        raise unsupported(f"a quantile of {a.dtype}")
    axes = axes_of(axis, a.ndim)
    rest = left(a.shape, axes)
    order = [d for d in range(a.ndim) if d not in axes] + list(axes)
    count = int(np.prod([a.shape[d] for d in axes], dtype=np.int64))
    if not count:
        raise ValueError("a quantile of no elements")
    rows = (a.transpose(*order) if order else a).reshape((*rest, count))
    return sort(rows), rest, kept(a.shape, axes)


def _of_none(a: ndarray, axis: Axis, keepdims: bool) -> ndarray:
    """NaN for each median of no elements."""
    if a.dtype.kind not in "iuf":
        raise unsupported(f"a quantile of {a.dtype}")
    axes = axes_of(axis, a.ndim)
    shape = kept(a.shape, axes) if keepdims else left(a.shape, axes)
    made = beside([a], shape, a.dtype if a.dtype.kind == "f" else np.dtype(np.float64))
    made[...] = np.nan
    return made


def _or_nan(values: ndarray, ordered: ndarray) -> ndarray:
    """NaN where there is one, which is last then; of values with one dimension more in front."""
    if ordered.dtype.kind != "f":
        return values
    last = ordered[..., -1]
    return choose(apply(np.isnan, (last,)), values.dtype.type(np.nan), values)


def _given(made: ndarray, out: Any) -> ndarray:
    return made if out is None else cast(made, _target(out, made.shape, made.dtype, [made]))


def median(
    a: Any, axis: Axis = None, out: Any = None, overwrite_input: bool = False,
    keepdims: bool = False,
) -> ndarray:
    """The middle one of the elements along axes in order, or the mean of the two there.

    >>> cpl.median(cpl.array([3, 1, 4, 2]))
    array(2.5)
    """
    a = asarray(a)
    if not a.size:
        return _given(_of_none(a, axis, keepdims), out)
    ordered, _, full = _in_order(a, axis)
    n = ordered.shape[-1]
    middle = _or_nan(mean(ordered[..., (n - 1)//2: n//2 + 1], -1), ordered)
    return _given(middle.reshape(full) if keepdims else middle, out)


# Where a quantile is among n elements in order: n*q + alpha + q*(1 - alpha - beta) - 1.
_PLACES = {
    "linear": (1.0, 1.0), "interpolated_inverted_cdf": (0.0, 1.0), "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0), "median_unbiased": (1/3, 1/3), "normal_unbiased": (3/8, 3/8),
}
_ELEMENTS = {"lower": np.floor, "higher": np.ceil, "nearest": np.rint}


def _place(q: Any, n: Any, method: str) -> tuple[Any, Any]:
    """The element in front of each quantile of n, and how far it is to the next one."""
    if method in _ELEMENTS:
        return _ELEMENTS[method](q*(n - 1)).astype(np.int64), None
    if method == "midpoint":
        at = 0.5*(np.floor(q*(n - 1)) + np.ceil(q*(n - 1)))
    elif method == "linear":
        at = q*(n - 1)
    elif method in _PLACES:
        alpha, beta = _PLACES[method]
        at = np.clip(n*q + (alpha + q*(1 - alpha - beta)) - 1, 0, n - 1)
    else:
        raise unsupported(f"the method {method!r} of quantiles")
    before = np.floor(at).astype(np.int64)
    return before, (at - before).astype(q.dtype)


def _between(ordered: ndarray, before: Any, part: Any) -> ndarray:
    """The values at places of the last dimension."""
    low = take(ordered, before, -1)
    if part is None:
        return low
    high = take(ordered, np.minimum(before + 1, ordered.shape[-1] - 1), -1)
    return _mixed(low, high, array(part, device=ordered.place))


def _mixed(low: ndarray, high: ndarray, part: ndarray) -> ndarray:
    """A part of the way from one value to the next."""
    kind = np.result_type(low.dtype, part.dtype)
    wide = "float32" if kind.itemsize < 8 else "float64"
    a, b, t = (f'cast({name}, "{wide}")' for name in "abc")
    text = f"{a} + ({b} - {a})*{t} if c < 0.5 else {b} - ({b} - {a})*(1 - {t})"
    text = f'cast({text}, "{kind.name}")'
    return compute(text, beside([low], low.shape, kind), (low, high, part))


def _quantile(a: ndarray, q: Any, axis: Axis, out: Any, method: str, keepdims: bool) -> ndarray:
    ordered, rest, full = _in_order(a, axis)
    before, part = _place(q.ravel(), ordered.shape[-1], method)
    values = _or_nan(_between(ordered, before, part).moveaxis(-1, 0), ordered)
    return _given(values.reshape(q.shape + (full if keepdims else rest)), out)


def _fractions(a: ndarray, q: Any, whole: int) -> Any:
    """As numbers of the type that they are computed in."""
    kind = a.dtype if a.dtype.kind == "f" else np.dtype(np.float64)
    is_weak = isinstance(q, (int, float))
    given = np.true_divide(np.asarray(q, kind if is_weak else None), kind.type(whole))
    if not ((given >= 0) & (given <= 1)).all():
        name = "Quantiles" if whole == 1 else "Percentiles"
        raise ValueError(f"{name} must be in the range [0, {whole}]")
    return given


def quantile(
    a: Any, q: Any, axis: Axis = None, out: Any = None, overwrite_input: bool = False,
    method: str = "linear", keepdims: bool = False,
) -> ndarray:
    """What a part q of the elements along axes, from 0 to 1, is not above. Several q are a first
    dimension.

    >>> cpl.quantile(cpl.array([1.0, 2.0, 3.0, 4.0]), [0.25, 0.5])
    array([1.75, 2.5 ])
    """
    a = asarray(a)
    return _quantile(a, _fractions(a, q, 1), axis, out, method, keepdims)


def percentile(
    a: Any, q: Any, axis: Axis = None, out: Any = None, overwrite_input: bool = False,
    method: str = "linear", keepdims: bool = False,
) -> ndarray:
    """quantile() of hundredths."""
    a = asarray(a)
    return _quantile(a, _fractions(a, q, 100), axis, out, method, keepdims)


# --- averages ---


def average(
    a: Any, axis: Axis = None, weights: Any = None, returned: bool = False, *,
    keepdims: bool = False,
) -> Any:
    """Means along axes, in which elements count as much as their weights say.

    >>> cpl.average(cpl.array([1.0, 2.0]), weights=[3, 1])
    array(1.25)
    """
    a = asarray(a)
    if weights is None:
        made = mean(a, axis, None, None, keepdims)
        total: Any = made.dtype.type(a.size//(made.size or 1))
    else:
        w: ndarray = weights if hasattr(weights, "dtype") else array(weights, device=a.place)
        kind = np.result_type(a.dtype, w.dtype, *([np.float64] if a.dtype.kind in "biu" else []))
        shaped = _along(w, a, axis)
        total = sum(w, axis if shaped is w else None, kind, None, keepdims and shaped is w)
        weighted = apply(np.multiply, (a, shaped), None, kind)
        made = apply(np.divide, (sum(weighted, axis, kind, None, keepdims), total))
    if not returned:
        return made
    every = beside([a], made.shape, made.dtype)
    every[...] = total
    return made, every


def _along(w: ndarray, a: ndarray, axis: Axis) -> ndarray:
    """Weights as they stand beside elements."""
    axes = axes_of(axis, a.ndim)
    if w.shape == a.shape:
        return w
    if axis is None or len(axes) != 1 or w.shape != (a.shape[axes[0]],):
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    return w[(slice(None), *(None,)*(a.ndim - axes[0] - 1))]


# --- without NaN ---


def _without(a: ndarray, value: float) -> ndarray:
    """A value in the place of each NaN."""
    return choose(apply(np.isnan, (a,)), a.dtype.type(value), a) if a.dtype.kind in "fc" else a


def _is_there(a: ndarray) -> ndarray:
    return apply(np.equal, (a, a))  # a NaN is not like itself


def _there(a: ndarray, axis: Axis, keepdims: bool) -> ndarray:
    """How many are no NaN."""
    return count_nonzero(_is_there(a), axis, keepdims=keepdims)


def _check_inexact(dtype: Any) -> None:
    if dtype is not None and np.dtype(dtype).kind not in "fc":
        raise TypeError("If a is inexact, then dtype must be inexact")


def nansum(a: Any, axis: Axis = None, dtype: Any = None, out: Any = None,
           keepdims: bool = False, initial: Any = None, where: Any = True) -> ndarray:
    """Sums along axes in which a NaN is 0.

    >>> import numpy as np
    >>> cpl.nansum(cpl.array([1.0, np.nan, 2.0]))
    array(3.)
    """
    a = asarray(a)
    return sum(_without(a, 0), axis, dtype, out, keepdims, initial, where)


def nanprod(a: Any, axis: Axis = None, dtype: Any = None, out: Any = None,
            keepdims: bool = False, initial: Any = None, where: Any = True) -> ndarray:
    """Products along axes in which a NaN is 1."""
    a = asarray(a)
    return prod(_without(a, 1), axis, dtype, out, keepdims, initial, where)


def nancumsum(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> ndarray:
    """Running sums in which a NaN is 0."""
    a = asarray(a)
    return cumsum(_without(a, 0), axis, dtype, out)


def nancumprod(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> ndarray:
    """Running products in which a NaN is 1."""
    a = asarray(a)
    return cumprod(_without(a, 1), axis, dtype, out)


def _nan_if_none(a: ndarray, made: ndarray, axis: Axis, out: Any, keepdims: bool) -> ndarray:
    if a.dtype.kind != "f":
        return _given(made, out)
    none = all(apply(np.isnan, (a,)), axis, None, keepdims)
    return _given(choose(none, made.dtype.type(np.nan), made), out)


def nanmax(a: Any, axis: Axis = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """The greatest along axes that is no NaN; NaN where there is none, without a warning."""
    a = asarray(a)
    return _nan_if_none(a, max(_without(a, -np.inf), axis, None, keepdims), axis, out, keepdims)


def nanmin(a: Any, axis: Axis = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """The least along axes that is no NaN; NaN where there is none, without a warning."""
    a = asarray(a)
    return _nan_if_none(a, min(_without(a, np.inf), axis, None, keepdims), axis, out, keepdims)


def _check_rows(a: ndarray, axis: int | None) -> None:
    if a.dtype.kind == "f" and any(all(apply(np.isnan, (a,)), axis)):
        raise ValueError("All-NaN slice encountered")


def nanargmax(a: Any, axis: int | None = None, out: Any = None, *,
              keepdims: bool = False) -> ndarray:
    """Where the greatest is that is no NaN."""
    a = asarray(a)
    _check_rows(a, axis)
    return argmax(_without(a, -np.inf), axis, out, keepdims=keepdims)


def nanargmin(a: Any, axis: int | None = None, out: Any = None, *,
              keepdims: bool = False) -> ndarray:
    """Where the least is that is no NaN."""
    a = asarray(a)
    _check_rows(a, axis)
    return argmin(_without(a, np.inf), axis, out, keepdims=keepdims)


def nanmean(a: Any, axis: Axis = None, dtype: Any = None, out: Any = None,
            keepdims: bool = False) -> ndarray:
    """Means along axes of what is no NaN; NaN where there is nothing."""
    a = asarray(a)
    if a.dtype.kind not in "fc":
        return mean(a, axis, dtype, out, keepdims)
    _check_inexact(dtype)
    total = sum(_without(a, 0), axis, dtype, None, keepdims)
    there = _there(a, axis, keepdims).astype(total.dtype)
    return apply(np.divide, (total, there), out)


def nanvar(a: Any, axis: Axis = None, dtype: Any = None, out: Any = None, ddof: float = 0,
           keepdims: bool = False) -> ndarray:
    """Variances along axes of what is no NaN."""
    a = asarray(a)
    if a.dtype.kind in "biu":
        return var(a, axis, dtype, out, ddof, keepdims)
    if a.dtype.kind != "f":
        raise unsupported(f"numpy.nanvar of {a.dtype}")
    _check_inexact(dtype)
    far = apply(np.subtract, (a, nanmean(a, axis, dtype, None, True)))
    far = choose(apply(np.isnan, (a,)), far.dtype.type(0), far)  # an infinity less itself stays NaN
    total = sum(apply(np.square, (far,)), axis, dtype, None, keepdims)
    there = apply(np.subtract, (_there(a, axis, keepdims).astype(total.dtype), ddof))
    none = apply(np.less_equal, (there, 0))
    return apply(np.divide, (total, choose(none, there.dtype.type(np.nan), there)), out)


def nanstd(a: Any, axis: Axis = None, dtype: Any = None, out: Any = None, ddof: float = 0,
           keepdims: bool = False) -> ndarray:
    """Standard deviations along axes of what is no NaN."""
    a = asarray(a)
    return apply(np.sqrt, (nanvar(a, axis, dtype, None, ddof, keepdims),), out)


def _present(ordered: ndarray) -> ndarray:
    """How many of each row are no NaN, which stand behind all others."""
    return count_nonzero(_is_there(ordered), -1)[..., None]


def _picked(ordered: ndarray, at: ndarray) -> ndarray:
    """An element of each row; of rows of none their first NaN."""
    return take_along_axis(ordered, apply(np.maximum, (at, 0)), -1)


def nanmedian(
    a: Any, axis: Axis = None, out: Any = None, overwrite_input: bool = False,
    keepdims: bool = False,
) -> ndarray:
    """The median of the elements along axes that are no NaN.

    >>> cpl.nanmedian(cpl.array([[1, np.nan, 4], [np.nan, 3, 5]]), 1)
    array([2.5, 4. ])
    """
    a = asarray(a)
    if a.dtype.kind != "f":
        return median(a, axis, out, overwrite_input, keepdims)
    if not a.size:
        return _given(_of_none(a, axis, keepdims), out)
    ordered, rest, full = _in_order(a, axis)
    n = _present(ordered)
    low, high = _picked(ordered, (n - 1)//2), _picked(ordered, n//2)
    wide = "float32" if a.dtype.itemsize < 8 else "float64"
    text = f'a if a == b else cast((cast(a, "{wide}") + cast(b, "{wide}"))/2, "{a.dtype.name}")'
    middle = compute(text, beside([ordered], low.shape, a.dtype), (low, high))
    return _given(middle.reshape(full if keepdims else rest), out)


def _nan_quantile(a: ndarray, q: Any, axis: Axis, out: Any, method: str, keepdims: bool) -> ndarray:
    if a.dtype.kind != "f":
        return _quantile(a, q, axis, out, method, keepdims)
    ordered, rest, full = _in_order(a, axis)
    n = _present(ordered)
    before, part = _place(array(q.ravel(), device=a.place), n.astype(q.dtype), method)
    low = _picked(ordered, before)
    if part is not None:
        high = _picked(ordered, apply(np.minimum, (before + 1, n - 1)))
        low = _mixed(low, high, part)
    return _given(low.moveaxis(-1, 0).reshape(q.shape + (full if keepdims else rest)), out)


def nanquantile(
    a: Any, q: Any, axis: Axis = None, out: Any = None, overwrite_input: bool = False,
    method: str = "linear", keepdims: bool = False,
) -> ndarray:
    """Quantiles of the elements along axes that are no NaN."""
    a = asarray(a)
    return _nan_quantile(a, _fractions(a, q, 1), axis, out, method, keepdims)


def nanpercentile(
    a: Any, q: Any, axis: Axis = None, out: Any = None, overwrite_input: bool = False,
    method: str = "linear", keepdims: bool = False,
) -> ndarray:
    """Percentiles of the elements along axes that are no NaN."""
    a = asarray(a)
    return _nan_quantile(a, _fractions(a, q, 100), axis, out, method, keepdims)


def nan_to_num(
    x: Any, copy: bool = True, nan: float = 0.0, posinf: float | None = None,
    neginf: float | None = None,
) -> ndarray:
    """A number in place of each NaN and each infinity: by default 0, and the type's greatest and
    least."""
    x = asarray(x)
    if x.dtype.kind != "f":
        if x.dtype.kind == "c":
            raise unsupported(f"numpy.nan_to_num of {x.dtype}")
        return x.copy() if copy else x  # type: ignore[no-any-return]
    limits = np.finfo(x.dtype)
    of = x.dtype.type
    made = choose(apply(np.isnan, (x,)), of(nan), x)
    made = choose(x == np.inf, of(limits.max if posinf is None else posinf), made)
    made = choose(x == -np.inf, of(limits.min if neginf is None else neginf), made)
    return made if copy else cast(made, x)


__all__ = [
    "average", "median", "nan_to_num", "nanargmax", "nanargmin", "nancumprod", "nancumsum",
    "nanmax", "nanmean", "nanmedian", "nanmin", "nanpercentile", "nanprod", "nanquantile", "nanstd",
    "nansum", "nanvar", "percentile", "quantile",
]

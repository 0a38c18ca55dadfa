"""Sorted arrays: sorts along axes, searches, sets, and what is unique. All sorts are stable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cpl import _cpl
from cpl.axes import axes_of
from cpl.creation import arange, asarray, concatenate
from cpl.elements import apply, cast
from cpl.indexing import take
from cpl.places import beside, beside_which

if TYPE_CHECKING:
    from cpl.arrays import ndarray

_INT = np.dtype(np.int64)
_DESCENDING, _RIGHT = 1, 2  # as in cpl/sort.h and cpl/sorted.h
_ARRAYS = (_cpl.Array, np.ndarray)
_UNION, _INTERSECTION, _DIFFERENCE, _EXCLUSIVE = range(4)  # as in cpl/sorted.h


def _dense(a: ndarray) -> ndarray:
    """As one dimension without gaps, which may be the array itself."""
    return a.ravel()


def _rows(a: ndarray, axis: int) -> tuple[ndarray, ndarray, tuple[int, ...]]:
    """A copy with the axis last, as one dimension, the row of each element, and the shape."""
    moved = a.moveaxis(axis, -1)
    keys = moved.copy().reshape(-1)
    rows = apply(np.floor_divide, (arange(keys.size, device=a.place), moved.shape[-1] or 1))
    return keys, rows, moved.shape


def _along(a: ndarray, axis: int | None) -> tuple[ndarray, int]:
    if axis is None:
        return a.ravel(), 0
    (along,) = axes_of(axis, a.ndim)
    return a, along


def check_kind(kind: str | None) -> None:
    if kind not in (None, "quicksort", "mergesort", "heapsort", "stable"):
        raise ValueError(f"sort kind must be one of 'quick', 'heap', or 'stable' (got {kind!r})")


def direction(descending: bool) -> int:
    return _DESCENDING if descending else 0


def sort(
    a: ndarray, axis: int | None = -1, kind: str | None = None, *, stable: bool | None = None,
    descending: bool = False,
) -> ndarray:
    """A sorted copy; NaN come last, or descending first.

    >>> cpl.sort(cpl.array([3, 1, 2]))
    array([1, 2, 3])
    """
    check_kind(kind)
    a, along = _along(asarray(a), axis)
    if a.ndim == 1:
        made = a.copy()
        _cpl.sort((made,), None, direction(descending))
        return made
    keys, rows, shape = _rows(a, along)
    _cpl.sort((keys, rows), None, direction(descending))
    _cpl.sort((rows, keys), None, 0)
    return keys.reshape(shape).moveaxis(-1, along).copy()


def _without_signs(keys: ndarray) -> ndarray:
    """Zeros of both signs are alike to NumPy."""
    return apply(np.add, (keys, 0.0)) if keys.dtype.kind == "f" else keys


def argsort(
    a: ndarray, axis: int | None = -1, kind: str | None = None, *, stable: bool | None = None,
    descending: bool = False,
) -> ndarray:
    """Where the elements of the sorted array are; what is alike stays in order, descending too.

    >>> cpl.argsort(cpl.array([3, 1, 2]))
    array([1, 2, 0])
    """
    check_kind(kind)
    a, along = _along(asarray(a), axis)
    if a.ndim == 1:
        order = beside([a], a.shape, _INT)
        _cpl.argsort(_without_signs(_dense(a)), order, direction(descending))
        return order
    keys, rows, shape = _rows(a, along)
    places = apply(np.remainder, (arange(keys.size, device=a.place), shape[-1] or 1))
    _cpl.sort((_without_signs(keys), rows, places), None, direction(descending))
    _cpl.sort((rows, places), None, 0)
    return places.reshape(shape).moveaxis(-1, along).copy()


def partition(a: ndarray, kth: int, axis: int | None = -1) -> ndarray:
    """A copy whose element kth is where it is in the sorted array, less ones in front of it."""
    _check_kth(a, kth, axis)
    return sort(a, axis)


def argpartition(a: ndarray, kth: int, axis: int | None = -1) -> ndarray:
    """Where the elements of the partitioned array are."""
    _check_kth(a, kth, axis)
    return argsort(a, axis)


def _check_kth(a: ndarray, kth: int, axis: int | None) -> None:
    a, along = _along(asarray(a), axis)
    if not -a.shape[along] <= kth < a.shape[along]:
        raise ValueError(f"kth(={kth}) out of bounds ({a.shape[along]})")


def topk(a: ndarray, k: int, *, largest: bool = True) -> ndarray:
    """The k greatest elements, or least ones, in order, without sorting all.

    >>> cpl.topk(cpl.array([3, 1, 4, 1, 5]), 2)
    array([5, 4])
    """
    keys = _dense(asarray(a))
    if not 0 <= k <= keys.size:
        raise ValueError(f"k(={k}) out of bounds ({keys.size})")
    made = beside([keys], (k,), keys.dtype)
    if k:
        _cpl.select(keys, k, made, None, _DESCENDING if largest else 0)
    return made


def sort_by_keys(
    keys: ndarray, *values: ndarray, descending: bool = False
) -> tuple[ndarray, ...]:
    """Sorted copies: of the keys, and of arrays whose elements go along with them.

    >>> cpl.sort_by_keys(cpl.array([2, 1]), cpl.array([0.5, 1.5]))
    (array([1, 2]), array([1.5, 0.5]))
    """
    arrays = [asarray(a) for a in (keys, *values)]
    for i, a in enumerate(arrays):
        if a.ndim != 1 or a.shape != arrays[0].shape:
            what = f"array {i} of the values has" if i else "the keys have"
            raise ValueError("keys and what goes along with them have one dimension and one length:"
                             f" {what} the shape {a.shape}, and the keys {arrays[0].shape}")
    made = tuple(a.copy() for a in arrays)
    _cpl.sort(made, None, direction(descending))
    return made


def align(arrays: Sequence[ndarray], order: ndarray) -> list[ndarray]:
    """Arrays whose elements are those that an order, as of argsort(), points to."""
    if isinstance(arrays, _ARRAYS):
        raise TypeError("align() takes a list of arrays, then the order: in place of the list there "
                        f"is an array of {arrays.dtype}")
    if isinstance(order, (list, tuple)) and any(isinstance(a, _ARRAYS) for a in order):
        raise TypeError("align() takes a list of arrays, then the order: in place of the order there "
                        "is a list of arrays")
    if asarray(order).dtype.kind not in "iu":
        raise TypeError("the order that align() takes is of integers, not of "
                        f"{asarray(order).dtype}")
    return [take(a, order, 0) for a in arrays]


# --- sorted arrays ---


def _common(a: Any, b: Any) -> tuple[ndarray, ndarray]:
    """Two dense arrays of one dimension and of the type that they have in common."""
    beside_it = beside_which((a, b))
    place = None if beside_it is None else beside_it.place
    x = asarray(a, device=None if isinstance(a, _cpl.Array) else place)
    y = asarray(b, device=None if isinstance(b, _cpl.Array) else place)
    kind = np.result_type(x.dtype, y.dtype)
    return _dense(x.astype(kind, copy=False)), _dense(y.astype(kind, copy=False))


def searchsorted(a: ndarray, v: Any, side: str = "left", sorter: Any = None) -> ndarray:
    """Where values would stand in a sorted array.

    >>> cpl.searchsorted(cpl.array([1, 3, 5]), 3)
    array(1)
    """
    if side not in ("left", "right"):
        raise ValueError(f"search side must be one of 'left' or 'right' (got {side!r})")
    if np.ndim(a) != 1:
        raise ValueError("object too deep for desired array")
    if sorter is not None and np.shape(sorter) != np.shape(a):
        raise ValueError(f"the sorter has the shape {np.shape(sorter)}, and the array "
                         f"{np.shape(a)}")
    keys, values = _common(take(a, sorter) if sorter is not None else a, v)
    found = beside([a], (values.size,), _INT)
    if values.size:
        _cpl.search(keys, values, found, _RIGHT if side == "right" else 0)
    return found.reshape(np.shape(v) if not isinstance(v, _cpl.Array) else v.shape)


def merge(a: ndarray, b: ndarray) -> ndarray:
    """One sorted array of two."""
    x, y = _common(a, b)
    made = beside([x], (x.size + y.size,), x.dtype)
    if made.size:
        _cpl.merge(x, y, made, 0)
    return made


def _first(a: ndarray, count: int) -> ndarray:
    return a if a.size == count else a[:count].copy()


def unique(
    ar: ndarray, return_index: bool = False, return_inverse: bool = False,
    return_counts: bool = False,
) -> Any:
    """The values that there are, sorted, each once; where each is first, which of them each
    element is, and how often each is there.

    >>> cpl.unique(cpl.array([3, 1, 3]), return_counts=True)
    (array([1, 3]), array([1, 2]))
    """
    ar = asarray(ar)
    keys = _dense(ar)
    values = beside([keys], keys.shape, keys.dtype)
    index, inverse, counts = (
        beside([keys], keys.shape, _INT) if wanted else None
        for wanted in (return_index, return_inverse, return_counts))
    found = _cpl.unique(keys, values, index, inverse, counts) if keys.size else 0
    results = [_first(values, found)]
    if index is not None:
        results.append(_first(index, found))
    if inverse is not None:
        results.append(inverse.reshape(ar.shape))
    if counts is not None:
        results.append(_first(counts, found))
    return results[0] if len(results) == 1 else tuple(results)


def unique_values(x: ndarray) -> ndarray:
    """The values that there are, each once."""
    values: ndarray = unique(x)
    return values


def _named(f: Any, parts: tuple[ndarray, ...]) -> Any:
    """A tuple of the class that NumPy's function gives."""
    return type(f(np.empty(0)))(*parts)


def unique_counts(x: ndarray) -> Any:
    """The values that there are, and how often."""
    return _named(np.unique_counts, unique(x, return_counts=True))


def unique_inverse(x: ndarray) -> Any:
    """The values that there are, and which of them each element is."""
    return _named(np.unique_inverse, unique(x, return_inverse=True))


def unique_all(x: ndarray) -> Any:
    """All that unique() finds out."""
    return _named(np.unique_all, unique(x, True, True, True))


def sort_complex(a: ndarray) -> ndarray:
    """A sorted copy of complex numbers."""
    if a.dtype.kind == "c":
        return sort(a)
    small = a.dtype.kind in "iu" and a.dtype.itemsize <= 2
    return sort(a).astype(np.complex64 if small else np.complex128)


def _set(which: int, a: ndarray, b: ndarray, room: int) -> ndarray:
    made = beside([a], (room,), a.dtype)
    return _first(made, _cpl.set_of(a, b, made, which) if a.size or b.size else 0)


def _sets(a: Any, b: Any) -> tuple[ndarray, ndarray]:
    x, y = _common(a, b)
    return unique(x), unique(y)


def _without_nan(sorted_keys: ndarray) -> tuple[ndarray, ndarray]:
    """Those in front of NaN, of which there is one at most and which is like none here, and it."""
    end = sorted_keys.size
    if sorted_keys.dtype.kind in "fc" and end and np.isnan(sorted_keys[-1].item()):
        end -= 1
    return sorted_keys[:end], sorted_keys[end:]


def union1d(ar1: ndarray, ar2: ndarray) -> ndarray:
    """What is in either array, sorted."""
    x, y = _common(ar1, ar2)
    values: ndarray = unique(concatenate([x, y]))
    return values


def intersect1d(ar1: ndarray, ar2: ndarray, assume_unique: bool = False) -> ndarray:
    """What is in both arrays, sorted; a NaN is like none."""
    x, y = _sets(ar1, ar2)
    y, _ = _without_nan(y)
    return _set(_INTERSECTION, x, y, min(x.size, y.size))


def setdiff1d(ar1: ndarray, ar2: ndarray, assume_unique: bool = False) -> ndarray:
    """What is in the first array and not in the second, sorted; in the order that it has there if
    no value is said to be twice in either."""
    kept = asarray(ar1).ravel()
    if not assume_unique:
        x, y = _sets(kept, ar2)
        if x.dtype == kept.dtype:
            return _set(_DIFFERENCE, x, _without_nan(y)[0], x.size)
        kept = unique(kept)
    x, y = _common(kept, unique(asarray(ar2)))
    if not x.size or not y.size:
        return kept
    at = apply(np.minimum, (searchsorted(y, x), y.size - 1))
    values: ndarray = kept[apply(np.not_equal, (take(y, at), x))]  # of its own type, and exact
    return values


def setxor1d(ar1: ndarray, ar2: ndarray, assume_unique: bool = False) -> ndarray:
    """What is in one of two arrays, sorted."""
    x, y = _sets(ar1, ar2)
    y, nan = _without_nan(y)
    values = _set(_EXCLUSIVE, x, y, x.size + y.size)
    return concatenate([values, nan]) if nan.size else values


__all__ = [
    "align", "argpartition", "argsort", "intersect1d", "merge", "partition", "searchsorted",
    "setdiff1d", "setxor1d", "sort", "sort_by_keys", "sort_complex", "topk", "union1d", "unique",
    "unique_all", "unique_counts", "unique_inverse", "unique_values",
]

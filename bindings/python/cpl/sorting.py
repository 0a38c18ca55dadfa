"""Sorted arrays: sorts along axes, searches, sets, and what is unique. All sorts are stable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cpl import _cpl, reductions
from cpl.axes import axes_of
from cpl.comparing import Less, before, bits_of
from cpl.creation import arange, asarray, concatenate
from cpl.elements import apply, cast, choose
from cpl.indexing import nonzero, take
from cpl.places import beside, beside_which

if TYPE_CHECKING:
    from cpl.arrays import ndarray

_INT = np.dtype(np.int64)
_DESCENDING, _RIGHT = 1, 2  # as in cpl/sort.h and cpl/sorted.h
_ARRAYS = (_cpl.Array, np.ndarray)
Order = str | Sequence[str] | None  # fields of records
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


def sort_in_place(
    a: ndarray, descending: bool, order: Order, less: Less, bits: tuple[int, int] | None
) -> None:
    """Of one dimension, without gaps."""
    compared = before(a.dtype, order, less)
    _cpl.sort((a,), None, direction(descending), bits_of(a.dtype, bits, compared), compared)


def sort(
    a: Any, axis: int | None = -1, kind: str | None = None, order: Order = None, *,
    stable: bool | None = None, descending: bool = False, less: Less = None,
    bits: tuple[int, int] | None = None,
) -> ndarray:
    """A sorted copy; NaN come last, or descending first. Records go by the fields that `order`
    names, then by the others; `less`, a function of two elements or its text, compares anything;
    and of `bits`, (first, end), those alone count.

    >>> cpl.sort(cpl.array([3, 1, 2]))
    array([1, 2, 3])
    >>> cpl.sort(cpl.array([3, -1, 2]), less=lambda a, b: a*a < b*b)
    array([-1,  2,  3])
    """
    check_kind(kind)
    a, along = _along(asarray(a), axis)
    if a.ndim == 1:
        made = a.copy()
        sort_in_place(made, descending, order, less, bits)
        return made  # type: ignore[no-any-return]
    compared = before(a.dtype, order, less)
    counted = bits_of(a.dtype, bits, compared)
    keys, rows, shape = _rows(a, along)
    _cpl.sort((keys, rows), None, direction(descending), counted, compared)
    _cpl.sort((rows, keys), None, 0)
    return keys.reshape(shape).moveaxis(-1, along).copy()


def _without_signs(keys: ndarray) -> ndarray:
    """Zeros of both signs are alike to NumPy."""
    return apply(np.add, (keys, 0.0)) if keys.dtype.kind == "f" else keys


def argsort(
    a: Any, axis: int | None = -1, kind: str | None = None, order: Order = None, *,
    stable: bool | None = None, descending: bool = False, less: Less = None,
    bits: tuple[int, int] | None = None,
) -> ndarray:
    """Where the elements of the sorted array are; what is alike stays in order, descending too.

    >>> cpl.argsort(cpl.array([3, 1, 2]))
    array([1, 2, 0])
    """
    check_kind(kind)
    a = asarray(a)
    a, along = _along(a if a.ndim else a.reshape(1), axis)
    compared = before(a.dtype, order, less)
    counted = bits_of(a.dtype, bits, compared)
    as_compared = _without_signs if compared is None and bits is None else lambda keys: keys
    if a.ndim == 1:
        made = beside([a], a.shape, _INT)
        _cpl.argsort(as_compared(_dense(a)), made, direction(descending), counted, compared)
        return made
    keys, rows, shape = _rows(a, along)
    places = apply(np.remainder, (arange(keys.size, device=a.place), shape[-1] or 1))
    _cpl.sort((as_compared(keys), rows, places), None, direction(descending), counted, compared)
    _cpl.sort((rows, places), None, 0)
    return places.reshape(shape).moveaxis(-1, along).copy()


def partition(
    a: Any, kth: int | Sequence[int], axis: int | None = -1, kind: str = "introselect",
    order: Order = None,
) -> ndarray:
    """A copy whose element kth is where it is in the sorted array, less ones in front of it; or of
    several each.

    >>> cpl.partition(cpl.array([4, 1, 3, 2]), (0, 2))[2]
    array(3)
    """
    _check_kth(a, kth, axis, kind)
    return sort(a, axis, None, order)


def argpartition(
    a: Any, kth: int | Sequence[int], axis: int | None = -1, kind: str = "introselect",
    order: Order = None,
) -> ndarray:
    """Where the elements of the partitioned array are."""
    _check_kth(a, kth, axis, kind)
    return argsort(a, axis, None, order)


def _check_kth(a: Any, kth: Any, axis: int | None, kind: str) -> None:
    if kind != "introselect":
        raise ValueError(f"select kind must be 'introselect' (got {kind!r})")
    a, along = _along(asarray(a), axis)
    given = kth.numpy() if isinstance(kth, _cpl.Array) else np.asarray(kth)
    if given.ndim > 1:
        raise ValueError(f"object of too small depth for desired array: kth has {given.ndim} "
                         "dimensions")
    if given.dtype.kind not in "iu":
        raise TypeError("Partition index must be integer")
    for k in given.reshape(-1).tolist():
        if not -a.shape[along] <= k < a.shape[along]:
            raise ValueError(f"kth(={k}) out of bounds ({a.shape[along]})")


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
    keys: Any, *values: Any, descending: bool = False, order: Order = None, less: Less = None,
    bits: tuple[int, int] | None = None,
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
    compared = before(arrays[0].dtype, order, less)
    counted = bits_of(arrays[0].dtype, bits, compared)
    made = tuple(a.copy() for a in arrays)
    _cpl.sort(made, None, direction(descending), counted, compared)
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
    kind = x.dtype if x.dtype == y.dtype else np.result_type(x.dtype, y.dtype)
    return _dense(x.astype(kind, copy=False)), _dense(y.astype(kind, copy=False))


def searchsorted(
    a: Any, v: Any, side: str = "left", sorter: Any = None, *, less: Less = None
) -> ndarray:
    """Where values would stand in an array that is sorted, by `less` where that is given.

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
        _cpl.search(keys, values, found, _RIGHT if side == "right" else 0,
                    before(keys.dtype, None, less))
    return found.reshape(np.shape(v) if not isinstance(v, _cpl.Array) else v.shape)


def merge(a: Any, b: Any, *, less: Less = None) -> ndarray:
    """One sorted array of two."""
    x, y = _common(a, b)
    made = beside([x], (x.size + y.size,), x.dtype)
    if made.size:
        _cpl.merge(x, y, made, 0, before(x.dtype, None, less))
    return made


def _first(a: ndarray, count: int) -> ndarray:
    return a if a.size == count else a[:count].copy()


def _flat_unique(
    keys: ndarray, index: bool, inverse: bool, counts: bool, less: Less
) -> list[ndarray]:
    """The values of one dimension, and what else is asked for."""
    wanted = (True, index, inverse, counts)
    kinds = (keys.dtype, _INT, _INT, _INT)
    made = [beside([keys], keys.shape, kind) if w else None for w, kind in zip(wanted, kinds)]
    compared = before(keys.dtype, None, less)
    values, *more = made
    found = _cpl.unique(keys, values, *more, compared) if keys.size else 0  # type: ignore
    return [a if k == 2 else _first(a, found) for k, a in enumerate(made) if a is not None]


def _nan_apart(keys: ndarray) -> list[ndarray]:
    """The same, all of it, where no NaN is like another."""
    values, index, inverse, counts = _flat_unique(keys, True, True, True, None)
    there = nonzero(apply(np.isnan, (keys,)))[0]
    if there.size < 2:
        return [values, index, inverse, counts]
    last = values.size - 1
    nan = take(keys, there)
    inverse[there] = arange(last, last + there.size, device=keys.place)
    ones = apply(np.floor_divide, (apply(np.add, (there, 1)), apply(np.add, (there, 1))))
    return [concatenate([values[:last], nan]), concatenate([index[:last], there]), inverse,
            concatenate([counts[:last], ones])]


def _numbered(rows: ndarray, less: Less) -> ndarray:
    """For each row which of the rows it is, in order: those of the first numbers, and of each
    further column where some are still alike."""
    n, columns = rows.shape
    number = arange(n, device=rows.place)*0
    count = min(n, 1)
    for k in range(columns):
        values, of_column = _flat_unique(rows[:, k].ravel(), False, True, False, less)
        pairs, number = _flat_unique(number*values.size + of_column, False, True, False, None)
        count = pairs.size
        if count == n:
            break
    if count < n and rows.dtype.kind in "fc" and columns:  # no row with a NaN is like another
        has_nan = reductions.any(apply(np.isnan, (rows,)), 1)
        apart = choose(has_nan, arange(n, device=rows.place), np.int64(0))
        _, number = _flat_unique(number*n + apart, False, True, False, None)
    return number  # type: ignore[no-any-return]


def _unique_along(a: ndarray, axis: int, less: Less) -> list[ndarray]:
    """The parts along an axis that differ, with all else."""
    (along,) = axes_of(axis, a.ndim)
    moved = a.moveaxis(along, 0)
    n = a.shape[along]
    rows = moved.reshape(n, a.size//n if n else 0)
    _, index, inverse, counts = _flat_unique(_numbered(rows, less), True, True, True, None)
    return [take(a, index, along), index, inverse, counts]


def unique(
    ar: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
    axis: int | None = None, *, equal_nan: bool = True, sorted: bool = True, less: Less = None,
) -> Any:
    """The values that there are, sorted, each once; where each is first, which of them each
    element is, and how often each is there. With an axis: the parts along it that differ.

    >>> cpl.unique(cpl.array([3, 1, 3]), return_counts=True)
    (array([1, 3]), array([1, 2]))
    >>> cpl.unique(cpl.array([[2, 1], [0, 5], [2, 1]]), axis=0)
    array([[0, 5],
           [2, 1]])
    """
    ar = asarray(ar)
    wanted = (True, return_index, return_inverse, return_counts)
    if axis is not None and ar.ndim == 1:  # of which NaN are one value
        axes_of(axis, 1)
        axis = None
    if axis is not None:
        results = [a for a, w in zip(_unique_along(ar, axis, less), wanted) if w]
    else:
        keys = _dense(ar)
        if not equal_nan and less is None and keys.dtype.kind in "fc":
            results = [a for a, w in zip(_nan_apart(keys), wanted) if w]
        else:
            results = _flat_unique(keys, *wanted[1:], less)
        if return_inverse:
            at = 1 + return_index
            results[at] = results[at].reshape(ar.shape)
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


def sort_complex(a: Any) -> ndarray:
    """A sorted copy of complex numbers."""
    a = asarray(a)
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


def intersect1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """What is in both arrays, sorted; a NaN is like none. With return_indices also where each is
    first in either, all elements in a row.

    >>> cpl.intersect1d(cpl.array([5, 3, 3]), cpl.array([3, 4]), return_indices=True)
    (array([3]), array([1]), array([0]))
    """
    a, b = _common(ar1, ar2)
    (x, *first), (y, *second) = (_flat_unique(z, return_indices, False, False, None) for z in (a, b))
    both = _set(_INTERSECTION, x, _without_nan(y)[0], min(x.size, y.size))
    if not return_indices:
        return both
    return both, *(take(places[0], searchsorted(of, both)) if both.size else places[0][:0].copy()
                   for of, places in ((x, first), (y, second)))


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

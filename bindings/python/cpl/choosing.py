"""Elements chosen by others: among several arrays, by indices along an axis, and by what is in a
set."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cpl import _cpl, creation, indexing, reductions, shapes
from cpl.axes import axes_of
from cpl.elements import apply, choose as either, number, operands, stored, type_of
from cpl.places import beside_which
from cpl.sorting import _common, argsort, searchsorted, unique

if TYPE_CHECKING:
    from cpl.arrays import ndarray

_INT = np.dtype(np.int64)


def _like(x: Any, kind: np.dtype[Any]) -> Any:
    if isinstance(x, (_cpl.Array, np.ndarray)):
        return creation.asarray(x).astype(kind, copy=False)
    return number(x, kind)


def _type_of(values: Sequence[Any]) -> np.dtype[Any]:
    """That of all; Python's numbers count less than arrays."""
    return np.result_type(*[x if isinstance(x, (int, float, complex)) else type_of(x)
                            for x in values])


def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> ndarray:
    """Elements of the choice whose condition is the first that holds.

    >>> x = cpl.arange(4)
    >>> cpl.select([x < 1, x > 2], [x, x*10], 7)
    array([ 0,  7,  7, 30])
    """
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if not condlist:
        raise ValueError("select with an empty condition list is not possible")
    values = operands((*condlist, *choicelist, default))
    conditions, choices = values[:len(condlist)], values[len(condlist):]
    for k, condition in enumerate(conditions):
        if condition.dtype != np.bool_:
            raise TypeError(f"invalid entry {k} in condlist: should be boolean ndarray")
    kind = _type_of(choices)
    made = _like(choices.pop(), kind)
    for condition, value in zip(conditions[::-1], choices[::-1]):
        made = either(condition, _like(value, kind), made)
    return made  # type: ignore[no-any-return]


def _bounded(a: ndarray, n: int, mode: str) -> ndarray:
    if mode == "wrap":
        return apply(np.remainder, (a, n))
    if mode == "clip":
        return reductions.clip(a, 0, n - 1)
    if mode != "raise":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")
    if a.size and (int(reductions.min(a)) < 0 or int(reductions.max(a)) >= n):
        raise ValueError("invalid entry in choice array")
    return a


def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> ndarray:
    """Elements of the choice whose number stands in a."""
    values = operands((a, *choices))
    which = creation.asarray(values[0])
    if which.dtype.kind not in "iub":
        raise TypeError(f"Cannot cast array data from {which.dtype!r} to dtype('int64') according "
                        "to the rule 'safe'")
    kind = _type_of(values[1:])
    of = [_like(x, kind) for x in values[1:]]
    which = _bounded(which.astype(_INT), len(of), mode)
    shape = np.broadcast_shapes(which.shape, *(np.shape(x) for x in of))
    made = of[-1]
    for k in range(len(of) - 2, -1, -1):
        made = either(apply(np.equal, (which, k)), of[k], made)
    made = shapes.broadcast_to(made, shape)
    return stored(made, out)


def piecewise(x: Any, condlist: Any, funclist: Sequence[Any], *args: Any, **kw: Any) -> ndarray:
    """Where a condition holds what its function gives of these elements, or its number; of several
    that hold the last one counts."""
    a = creation.asarray(operands((x,))[0])
    several = isinstance(condlist, (list, tuple)) or np.ndim(condlist) > np.maximum(a.ndim, 1)
    conditions = list(condlist) if several else [condlist]
    conditions = [creation.asarray(c, np.bool_, device=a.place) for c in operands(tuple(conditions))]
    functions = list(funclist)
    if len(functions) == len(conditions) + 1:
        any_holds = conditions[0]
        for condition in conditions[1:]:
            any_holds = any_holds | condition
        conditions.append(~any_holds)
    elif len(functions) != len(conditions):
        raise ValueError(f"with {len(conditions)} condition(s), either {len(conditions)} or "
                         f"{len(conditions) + 1} functions are expected")
    made = creation.zeros_like(a)
    for condition, f in zip(conditions, functions):
        if not callable(f):
            made[condition] = f
            continue
        elements = a[condition]
        if elements.size:
            made[condition] = f(elements, *args, **kw)
    return made


# --- by a condition, in place ---


def extract(condition: Any, arr: Any) -> ndarray:
    """The elements in a row for which a condition holds."""
    a = creation.asarray(arr)
    return indexing.compress(creation.asarray(condition).ravel() != 0, a.ravel(), 0)


def _check_written(x: Any, name: str) -> None:
    if not isinstance(x, _cpl.Array):
        raise TypeError(f"{name}() writes to a cpl.ndarray, not to {type(x).__name__}; "
                        f"numpy.{name}() does")


def putmask(a: ndarray, mask: Any, values: Any) -> None:
    """a[mask] = values at the same places; fewer values begin anew."""
    _check_written(a, "putmask")
    (value, condition) = operands((values, mask))
    value, condition = (creation.asarray(v, device=a.place) for v in (value, condition))
    if condition.shape != a.shape:
        raise ValueError("putmask: mask and data must be the same size")
    if not value.size:
        return
    if value.size > 1:
        at = creation.arange(a.size, device=a.place)
        value = indexing.take(value.ravel(), at, 0, mode="wrap").reshape(a.shape)
    creation.assign(a, either(condition, value.reshape(()) if value.size == 1 else value, a))


def place(arr: ndarray, mask: Any, vals: Any) -> None:
    """The elements for which a condition holds become values, in order; fewer begin anew."""
    _check_written(arr, "place")
    condition = creation.asarray(operands((mask,))[0], device=arr.place)
    value = creation.asarray(operands((vals,))[0], device=arr.place).ravel()
    there = indexing.nonzero(condition.ravel())[0]
    if not there.size:
        return
    if not value.size:
        raise ValueError("Cannot insert from an empty array!")
    at = creation.arange(there.size, device=arr.place)
    arr.flat[there] = indexing.take(value, at, 0, mode="wrap")


def copyto(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    """dst[...] = src, where a condition holds."""
    if isinstance(dst, np.ndarray):
        np.copyto(dst, np.asarray(src), casting, np.asarray(where))
        return
    (value,) = operands((src,))
    if hasattr(value, "dtype") and not np.can_cast(value.dtype, dst.dtype, casting):
        raise TypeError(f"Cannot cast array data from {value.dtype!r} to {dst.dtype!r} according "
                        f"to the rule '{casting}'")
    if where is not True:
        value = either(where, value, dst)
    creation.assign(dst, value)


# --- along an axis ---


def _key(a: ndarray, indices: Any, axis: int | None) -> tuple[ndarray, tuple[Any, ...]]:
    if axis is None:
        a, axis = a.ravel(), 0
    (along,) = axes_of(axis, a.ndim)
    index = indexing._index_array(indices, a)
    if index.dtype == np.bool_:
        raise IndexError("`indices` must be an integer array")
    if index.ndim != a.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    key = []
    for d, n in enumerate(a.shape):
        at = creation.arange(n, device=a.place)
        key.append(index if d == along else at[(slice(None), *(None,)*(a.ndim - d - 1))])
    return a, tuple(key)


def take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> ndarray:
    """The elements that indices point to along an axis, a row of them for each row.

    >>> x = cpl.array([[3, 1, 2], [4, 6, 5]])
    >>> cpl.take_along_axis(x, cpl.argsort(x), 1)
    array([[1, 2, 3],
           [4, 5, 6]])
    """
    a, key = _key(creation.asarray(arr), indices, axis)
    return indexing.get(a, key)


def put_along_axis(arr: ndarray, indices: Any, values: Any, axis: int | None) -> None:
    """Writes to the elements that indices point to along an axis."""
    _check_written(arr, "put_along_axis")
    if axis is None and not arr.contiguous:
        row = arr.ravel()
        put_along_axis(row, indices, values, 0)
        creation.assign(arr, row.reshape(arr.shape))
        return
    a, key = _key(arr, indices, axis)
    indexing.put(a, key, operands((values,))[0])


# --- sets ---


def isin(
    element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, *,
    kind: str | None = None,
) -> ndarray:
    """Which elements are among others; a NaN is like none.

    >>> cpl.isin(cpl.array([1, 2, 3]), [3, 1])
    array([ True, False,  True])
    """
    if kind not in (None, "sort", "table"):
        raise ValueError(f"Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    given = operands((element, test_elements))
    first = beside_which(given)
    where = None if first is None else first.place
    x, of = (creation.asarray(v, device=None if isinstance(v, _cpl.Array) else where) for v in given)
    if not x.size or not of.size:
        return creation.full(x.shape, invert, np.bool_, device=x.place)
    keys, values = _common(unique(of), x)
    at = apply(np.minimum, (searchsorted(keys, values), keys.size - 1))
    same = apply(np.not_equal if invert else np.equal, (indexing.take(keys, at), values))
    return same.reshape(x.shape)


def in1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False, *, kind: Any = None
) -> ndarray:
    """isin() of the elements in a row."""
    return isin(creation.asarray(operands((ar1,))[0]).ravel(), ar2, assume_unique, invert, kind=kind)


def lexsort(keys: Any, axis: int = -1) -> ndarray:
    """Where the elements are in the order of several keys, of which the last counts most."""
    rows = [creation.asarray(k) for k in keys]
    if not rows:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    order = argsort(rows[0], axis, "stable")
    for row in rows[1:]:
        again = argsort(take_along_axis(row, order, axis), axis, "stable")
        order = take_along_axis(order, again, axis)
    return order


def array_equiv(a1: Any, a2: Any) -> bool:
    """Whether both are the same, one repeated to the shape of the other if need be."""
    x, y = operands((a1, a2))
    try:
        shape = np.broadcast_shapes(np.shape(x), np.shape(y))
    except ValueError:
        return False
    return not math.prod(shape) or bool(reductions.all(apply(np.equal, (x, y))))


__all__ = [
    "array_equiv", "choose", "copyto", "extract", "in1d", "isin", "lexsort", "piecewise", "place",
    "put_along_axis", "putmask", "select", "take_along_axis",
]

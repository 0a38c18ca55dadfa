"""Arrays laid out anew, and compared as a whole: views where NumPy has views, else copies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cpl import _cpl, creation, indexing, reductions
from cpl.elements import apply, operands

if TYPE_CHECKING:
    from cpl.arrays import ndarray

_Axes = int | tuple[int, ...]


def expand_dims(a: ndarray, axis: _Axes) -> ndarray:
    """A view with dimensions of one element at these places.

    >>> cpl.expand_dims(cpl.array([1, 2]), 1).shape
    (2, 1)
    """
    new = axis if isinstance(axis, tuple) else (axis,)
    where = reductions.axes_of(new, a.ndim + len(new))
    return a[tuple(None if d in where else slice(None) for d in range(a.ndim + len(new)))]


def flip(m: ndarray, axis: _Axes | None = None) -> ndarray:
    """A view that goes the other way along axes, or along all.

    >>> cpl.flip(cpl.array([1, 2, 3]))
    array([3, 2, 1])
    """
    turned = reductions.axes_of(axis, m.ndim)
    return m[tuple(slice(None, None, -1) if d in turned else slice(None) for d in range(m.ndim))]


def _rolled(a: ndarray, shift: int, axis: int) -> ndarray:
    n = a.shape[axis]
    by = shift % n if n else 0
    before = (slice(None),)*axis
    made = creation.empty_like(a)
    made[(*before, slice(by, None))] = a[(*before, slice(None, n - by))]
    made[(*before, slice(None, by))] = a[(*before, slice(n - by, None))]
    return made


def roll(a: ndarray, shift: int | Sequence[int], axis: _Axes | None = None) -> ndarray:
    """A copy with elements moved on by `shift`; those past the end come in at the beginning.

    >>> cpl.roll(cpl.arange(5), 2)
    array([3, 4, 0, 1, 2])
    """
    if axis is None:
        return _rolled(a.ravel(), int(np.sum(shift)), 0).reshape(a.shape)
    made = a
    for by, along in np.broadcast(shift, axis):
        made = _rolled(made, int(by), reductions.axes_of(int(along), a.ndim)[0])
    return made


def outer(a: ndarray, b: ndarray) -> ndarray:
    """The product of each element of a with each of b."""
    a, b = (creation.asarray(x).ravel() for x in (a, b))
    return apply(np.multiply, (a[:, None], b[None, :]))


def repeat(a: ndarray, repeats: Any, axis: int | None = None) -> ndarray:
    """A copy with each element as often, one behind the other; or as often as a list says.

    >>> cpl.repeat(cpl.array([1, 2]), 2)
    array([1, 1, 2, 2])
    """
    if axis is None:
        a, axis = a.ravel(), 0
    (along,) = reductions.axes_of(axis, a.ndim)
    if np.ndim(repeats):
        return indexing.take(a, np.repeat(np.arange(a.shape[along]), np.asarray(repeats)), along)
    return _spread(a, (*a.shape[:along + 1], repeats, *a.shape[along + 1:]), along + 1).reshape(
        a.shape[:along] + (a.shape[along]*repeats,) + a.shape[along + 1:])


def _spread(a: ndarray, shape: tuple[int, ...], *new: int) -> ndarray:
    """A copy in which elements are the same along new dimensions."""
    made = _cpl.create(shape, a.dtype, a.place, False)
    made[...] = expand_dims(a, new)
    return made


def tile(A: ndarray, reps: int | Sequence[int]) -> ndarray:
    """A copy with the array so often along each dimension.

    >>> cpl.tile(cpl.array([1, 2]), 2)
    array([1, 2, 1, 2])
    """
    counts = [reps] if isinstance(reps, int) else list(reps)
    counts = [1]*(A.ndim - len(counts)) + counts
    lengths = (1,)*(len(counts) - A.ndim) + A.shape
    whole = A.reshape(lengths)
    shape = tuple(n for pair in zip(counts, lengths) for n in pair)
    spread = _spread(whole, shape, *range(0, 2*len(counts), 2))
    return spread.reshape(tuple(c*n for c, n in zip(counts, lengths)))


def array_equal(a1: Any, a2: Any) -> bool:
    """Whether both have one shape and the same elements."""
    x, y = operands((a1, a2))
    return np.shape(x) == np.shape(y) and bool(reductions.all(apply(np.equal, (x, y))))


def isclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08,
            equal_nan: bool = False) -> ndarray:
    """Where |a - b| <= atol + rtol*|b|, and where both are the same infinity."""
    x, y = operands((a, b))
    near = abs(x - y) <= atol + rtol*abs(y)
    same = apply(np.logical_and, (near, apply(np.isfinite, (y,))))
    same = apply(np.logical_or, (same, apply(np.equal, (x, y))))
    if not equal_nan:
        return same
    both = apply(np.logical_and, (apply(np.isnan, (x,)), apply(np.isnan, (y,))))
    return apply(np.logical_or, (same, both))


def allclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08,
             equal_nan: bool = False) -> bool:
    """Whether isclose() holds everywhere.

    >>> cpl.allclose(cpl.array([1.0, 2.0]), 1 + 1e-9)
    False
    """
    return bool(reductions.all(isclose(a, b, rtol, atol, equal_nan)))


def _raised(a: Any, dims: int) -> ndarray:
    """With so many dimensions at least; new ones come in front."""
    x = creation.asarray(a)
    return x[(None,)*(dims - x.ndim)] if x.ndim < dims else x


def _all_raised(arrays: tuple[Any, ...], dims: int) -> Any:
    raised = [_raised(a, dims) for a in arrays]
    return raised[0] if len(raised) == 1 else tuple(raised)


def atleast_1d(*arys: Any) -> Any:
    """Arrays of one dimension at least.

    >>> cpl.atleast_1d(cpl.array(3.0)).shape
    (1,)
    """
    return _all_raised(arys, 1)


def atleast_2d(*arys: Any) -> Any:
    """Arrays of two dimensions at least: one of one is a row."""
    return _all_raised(arys, 2)


def vstack(tup: Sequence[Any]) -> ndarray:
    """Arrays below each other; those of one dimension are rows.

    >>> cpl.vstack([cpl.array([1, 2]), cpl.array([3, 4])])
    array([[1, 2],
           [3, 4]])
    """
    return creation.concatenate([_raised(a, 2) for a in tup], 0)


def hstack(tup: Sequence[Any]) -> ndarray:
    """Arrays side by side.

    >>> cpl.hstack([cpl.array([1, 2]), cpl.array([3])])
    array([1, 2, 3])
    """
    raised = [_raised(a, 1) for a in tup]
    return creation.concatenate(raised, 0 if raised and raised[0].ndim == 1 else 1)


def append(arr: Any, values: Any, axis: int | None = None) -> ndarray:
    """A copy with values behind it, along an axis or all in a row."""
    x, y = creation.asarray(arr), creation.asarray(values)
    if axis is None:
        x, y, axis = x.ravel(), y.ravel(), 0
    return creation.concatenate([x, y], axis)


def flipud(m: ndarray) -> ndarray:
    """A view with the rows in the other order."""
    return flip(m, 0)


def fliplr(m: ndarray) -> ndarray:
    """A view with the columns in the other order."""
    return flip(m, 1)


__all__ = [
    "allclose", "append", "array_equal", "atleast_1d", "atleast_2d", "expand_dims", "flip",
    "fliplr", "flipud", "hstack", "isclose", "outer", "repeat", "roll", "tile", "vstack",
]

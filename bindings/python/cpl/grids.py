"""Arrays of places: grids of coordinates, what lies beside them, and what is put between."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cpl import _cpl, creation, reductions, shapes, statistics
from cpl.axes import Axis, axes_of
from cpl.elements import apply, operands, unsupported
from cpl.indexing import _index_array, _is_array, compress, take
from cpl.places import beside
from cpl.sorting import argsort

if TYPE_CHECKING:
    from cpl.arrays import ndarray

_INT = np.dtype(np.int64)


def _along(axis: int, key: Any) -> tuple[Any, ...]:
    """An index of all along the axes in front of one."""
    return (*(slice(None),)*axis, key)


# --- grids ---


def meshgrid(
    *xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy"
) -> tuple[ndarray, ...]:
    """The coordinates of each point of a grid, from those along each of its axes; sparse: with one
    element along the others, as operations repeat them.

    >>> cpl.meshgrid(cpl.array([1, 2]), cpl.array([5, 6]))[0]
    array([[1, 2],
           [1, 2]])
    """
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    parts = [creation.asarray(x).ravel() for x in operands(xi)]
    n = len(parts)
    places = list(range(n))
    if indexing == "xy" and n > 1:
        places[:2] = [1, 0]
    open_ = [x[tuple([slice(None) if d == at else None for d in range(n)])]
             for x, at in zip(parts, places)]
    if not sparse:
        return shapes.broadcast_arrays(*open_)
    return tuple([x.copy() for x in open_] if copy else open_)


def ix_(*args: Any) -> tuple[ndarray, ...]:
    """Indices that pick a grid, x[np.ix_(rows, columns)]."""
    found = []
    for d, x in enumerate(operands(args)):
        index = creation.asarray(x)
        if index.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if not index.size:
            index = index.astype(_INT)
        if index.dtype == np.bool_:
            index = index.nonzero()[0]
        found.append(index[tuple([slice(None) if k == d else None for k in range(len(args))])])
    return tuple(found)


# --- borders ---


def _widths(given: Any, ndim: int, whole: bool = True) -> list[tuple[Any, Any]]:
    """A pair for each axis, of a number, a pair, or pairs."""
    if isinstance(given, dict):
        pairs: list[Any] = [(0, 0)]*ndim
        for axis, width in given.items():
            pairs[axis] = tuple(np.broadcast_to(width, 2).tolist())
        given = pairs
    there = np.asarray(given)
    if whole and there.dtype.kind not in "iu":
        raise TypeError("`pad_width` must be of integral type.")
    if there.ndim == 1 and there.size == 2 and ndim != 2:
        there = there.reshape(1, 2)
    pairs = np.broadcast_to(there, (ndim, 2)).tolist()
    if whole and (there < 0).any():
        raise ValueError("index can't contain negative values")
    return [tuple(pair) for pair in pairs]


def _mirrored(at: Any, n: int, mode: str) -> Any:
    """Which of n elements those at places outside of them are."""
    if mode == "edge":
        return np.clip(at, 0, n - 1)
    if mode == "wrap":
        return at % n
    period = 2*n if mode == "symmetric" else builtins.max(2*(n - 1), 1)
    at = at % period
    return np.where(at < n, at, period - at - (mode == "symmetric"))


_MIRRORED = ("edge", "wrap", "reflect", "symmetric")
_STATISTICS: dict[str, Any] = {"maximum": reductions.max, "minimum": reductions.min, "mean": reductions.mean,
               "median": statistics.median}
_PAD = {"constant": "constant_values", "linear_ramp": "end_values", "reflect": "reflect_type",
        "symmetric": "reflect_type", **dict.fromkeys(_STATISTICS, "stat_length")}


def _border(part: ndarray, side: int, width: int, axis: int, mode: str, more: Any) -> Any:
    """What lies in front of the elements along an axis (side 0), or behind them."""
    n = part.shape[axis]
    if mode in _MIRRORED:
        at = np.arange(-width, 0) if side == 0 else np.arange(n, n + width)
        return take(part, _mirrored(at, n, mode), axis)
    if mode == "constant":
        return more[side]
    if mode == "linear_ramp":
        edge = part[_along(axis, slice(0, 1) if side == 0 else slice(n - 1, n))]
        steps = np.arange(width) if side == 0 else np.arange(width)[::-1]
        shaped = (slice(None), *(None,)*(part.ndim - axis - 1))
        far = creation.asarray(steps, device=part.place)[shaped]
        start = np.asarray(more[side]).astype(part.dtype).item()
        ramp = (edge - start)/width*far
        if part.dtype.kind in "fc":
            return ramp + start
        _cpl.settle(ramp)  # a product and a sum that are rounded once may be below what NumPy has
        return apply(np.floor, (ramp + start,))
    length = n if more[side] is None else builtins.min(more[side], n)
    if not length and mode in ("maximum", "minimum"):
        raise ValueError("stat_length of 0 yields no value for padding")
    taken = part[_along(axis, slice(0, length) if side == 0 else slice(n - length, n))]
    value = _STATISTICS[mode](taken, axis, keepdims=True)
    return apply(np.rint, (value,)) if part.dtype.kind in "iu" and value.dtype.kind == "f" else value


def _pad_options(mode: str, kwargs: dict[str, Any], ndim: int) -> list[tuple[Any, Any]]:
    name = _PAD.get(mode)
    unknown = set(kwargs) - {name}
    if unknown:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unknown}")
    if name == "reflect_type":
        if kwargs.get(name, "even") != "even":
            raise unsupported("numpy.pad with reflect_type='odd'")
        return []
    if name is None:
        return []
    given = kwargs.get(name, None if name == "stat_length" else 0)
    return [(None, None)]*ndim if given is None else _widths(given, ndim, False)


def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> ndarray:
    """A copy with elements around it: constants, or as those of the array say.

    >>> cpl.pad(cpl.array([1, 2, 3]), 2, "reflect")
    array([3, 2, 1, 2, 3, 2, 1])
    """
    a = creation.asarray(array)
    if callable(mode):
        raise unsupported("numpy.pad with a function")
    if mode not in (*_MIRRORED, *_PAD, "empty"):
        raise ValueError(f"mode '{mode}' is not supported")
    widths = _widths(pad_width, a.ndim)
    options = _pad_options(mode, kwargs, a.ndim)
    made = beside([a], tuple([n + sum(w) for n, w in zip(a.shape, widths)]), a.dtype)
    inside = [slice(before, before + n) for n, (before, _) in zip(a.shape, widths)]
    made[tuple(inside)] = a
    for axis, width in enumerate(widths):
        if not any(width) or mode == "empty":
            continue
        if not a.shape[axis] and mode != "constant":
            raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or "
                             "'empty'")
        rows = made[tuple([slice(None)]*axis + [slice(None)] + inside[axis + 1:])]
        part = rows[_along(axis, inside[axis])]
        ends = (slice(0, width[0]), slice(width[0] + a.shape[axis], None))
        for side in (0, 1):
            if width[side]:
                more = options[axis] if options else None
                value = _border(part, side, width[side], axis, mode, more)
                to = rows[_along(axis, ends[side])]
                to[...] = value if not hasattr(value, "astype") else value.astype(a.dtype)
    return made


# --- between elements ---


def _flat(arr: Any, axis: int | None) -> tuple[ndarray, int]:
    a = creation.asarray(arr)
    if axis is None:
        return a.ravel(), 0
    return a, axes_of(axis, a.ndim)[0]


def _out_of_bounds(i: int, axis: int, n: int) -> IndexError:
    return IndexError(f"index {i} is out of bounds for axis {axis} with size {n}")


def delete(arr: Any, obj: Any, axis: int | None = None) -> ndarray:
    """A copy without what an index, a slice or an array of them picks along an axis.

    >>> cpl.delete(cpl.array([1, 2, 3, 4]), [0, 2])
    array([2, 4])
    """
    a, along = _flat(arr, axis)
    n = a.shape[along]
    if isinstance(obj, slice) or not _is_array(obj):
        if not isinstance(obj, slice):
            i = obj.__index__()
            if not -n <= i < n:
                raise _out_of_bounds(i, along, n)
            obj = slice(i % n, i % n + 1)
        start, stop, step = obj.indices(n)
        if step == 1:
            parts = (a[_along(along, slice(0, start))], a[_along(along, slice(builtins.max(start, stop), n))])
            return creation.concatenate(parts, along)
    keep = creation.ones(n, np.bool_, device=a.place)
    index = obj if isinstance(obj, slice) else _index_array(obj, a)
    if not isinstance(index, slice) and index.dtype == np.bool_ and index.shape != (n,):
        raise ValueError("boolean array argument `obj` to delete must be one-dimensional and match "
                         f"the axis length of {n}")
    keep[index] = False
    return compress(keep, a, along)


def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> ndarray:
    """A copy with values in front of what an index, a slice or an array of them picks.

    >>> cpl.insert(cpl.array([1, 2, 3]), 1, 9)
    array([1, 9, 2, 3])
    """
    a, along = _flat(arr, axis)
    n = a.shape[along]
    if isinstance(obj, slice):
        obj = np.arange(*obj.indices(n))
    (given,) = operands((values,))
    value = creation.asarray(given, a.dtype, device=a.place) if not hasattr(given, "dtype") or \
        given.dtype != a.dtype or not hasattr(given, "place") else given
    index = _index_array(obj, a) if _is_array(obj) else None
    if index is not None and index.dtype == np.bool_:
        index = index.nonzero()[0]
    if index is None or index.size == 1:
        at = int(obj.__index__() if index is None else index.item())
        if not -n <= at <= n:
            raise _out_of_bounds(at, along, n)
        return _put_between(a, at + n*(at < 0), _for_one(value, a, along, index is None), along)
    return _put_apart(a, index.astype(_INT), value, along)


def _for_one(value: ndarray, a: ndarray, axis: int, scalar: bool) -> ndarray:
    """What goes to one place: with a dimension along the axis."""
    value = value[(None,)*(a.ndim - value.ndim)] if value.ndim < a.ndim else value
    return value.moveaxis(0, axis) if scalar else value


def _put_between(a: ndarray, at: int, value: ndarray, axis: int) -> ndarray:
    shape = list(a.shape)
    shape[axis] = value.shape[axis]
    parts = (a[_along(axis, slice(0, at))], shapes.broadcast_to(value, tuple(shape)),
             a[_along(axis, slice(at, None))])
    return creation.concatenate(parts, axis)


def _put_apart(a: ndarray, index: ndarray, value: ndarray, axis: int) -> ndarray:
    n, count = a.shape[axis], index.size
    index = index.ravel()
    index = apply(np.add, (index, (index < 0)*n))
    order = argsort(index, kind="stable")
    index[order] = take(index, order) + creation.arange(count, device=a.place)
    kept = creation.ones(n + count, np.bool_, device=a.place)
    kept[index] = False
    shape = (*a.shape[:axis], n + count, *a.shape[axis + 1:])
    made = beside([a], shape, a.dtype)
    made[_along(axis, index)] = value
    made[_along(axis, kept)] = a
    return made


# --- turned, and put together ---


def rot90(m: Any, k: int = 1, axes: Sequence[int] = (0, 1)) -> ndarray:
    """A view turned by so many right angles in the plane of two axes."""
    a = creation.asarray(m)
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    (one,), (two,) = (axes_of(d, a.ndim) for d in axes)
    if one == two:
        raise ValueError("Axes must be different.")
    if k % 4 == 2:
        return shapes.flip(a, (one, two))
    if k % 4 == 0:
        return a[:]
    return shapes.flip(a, two).swapaxes(one, two) if k % 4 == 1 else \
        shapes.flip(a.swapaxes(one, two), two)


def rollaxis(a: Any, axis: int, start: int = 0) -> ndarray:
    """A view with one axis in front of another one."""
    a = creation.asarray(a)
    (come,) = axes_of(axis, a.ndim)
    go = axes_of(start, a.ndim + 1)[0]
    return a.moveaxis(come, go - (come < go))  # type: ignore[no-any-return]


def atleast_3d(*arys: Any) -> Any:
    """Arrays of three dimensions at least."""
    made = []
    for x in map(creation.asarray, arys):
        made.append(x[None, :, None] if x.ndim == 1 else x[..., None] if x.ndim == 2 else
                    x.reshape(1, 1, 1) if x.ndim == 0 else x)
    return made[0] if len(made) == 1 else tuple(made)


def dstack(tup: Sequence[Any]) -> ndarray:
    """Arrays behind each other along the third axis."""
    raised = atleast_3d(*tup)
    return creation.concatenate(raised if isinstance(raised, tuple) else [raised], 2)


def dsplit(ary: Any, indices_or_sections: Any) -> list[ndarray]:
    """split() along the third axis."""
    a = creation.asarray(ary)
    if a.ndim < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return shapes.split(a, indices_or_sections, 2)


def _joined(parts: Any, axis: int, ndim: int) -> ndarray:
    if not isinstance(parts, list):
        a = creation.asarray(parts)
        return a[(None,)*(ndim - a.ndim)] if a.ndim < ndim else a
    if not parts:
        raise ValueError("List at arrays[] cannot be empty")
    return creation.concatenate([_joined(x, axis + 1, ndim) for x in parts], axis)


def _depths(parts: Any) -> list[int]:
    return [1 + d for x in parts for d in _depths(x)] if isinstance(parts, list) else [0]


def _most_dims(parts: Any) -> int:
    return builtins.max(map(_most_dims, parts), default=0) if isinstance(parts, list) else np.ndim(parts)


def block(arrays: Any) -> ndarray:
    """Blocks of nested lists: the innermost ones are put together along the last axis."""
    depths = _depths(arrays)
    depth = builtins.max(depths, default=0)
    if builtins.min(depths, default=0) != depth:
        raise ValueError(f"List depths are mismatched: there are arrays at depth {min(depths)} and "
                         f"at depth {depth}")
    ndim = builtins.max(_most_dims(arrays), depth)
    return _joined(arrays, ndim - depth, ndim)


def resize(a: Any, new_shape: Any) -> ndarray:
    """A copy of another size: elements begin anew where there are fewer of them."""
    x = creation.asarray(a).ravel()
    shape = (new_shape,) if isinstance(new_shape, int) else tuple(new_shape)
    size = int(np.prod(shape))
    if any(n < 0 for n in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    if not size or not x.size:
        return creation.zeros(shape, x.dtype, device=x.place)
    return take(x, creation.arange(size, device=x.place), 0, mode="wrap").reshape(shape)


def trim_zeros(filt: Any, trim: str = "fb", axis: Axis = None) -> ndarray:
    """A view without zeros at both ends, along axes.

    >>> cpl.trim_zeros(cpl.array([[0, 0, 0], [0, 1, 2], [0, 3, 0]]))
    array([[1, 2],
           [3, 0]])
    """
    a = creation.asarray(filt)
    trim = trim.lower()
    if trim not in ("fb", "bf", "f", "b"):
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    along = axes_of(axis, a.ndim)
    key = []
    for d, places in enumerate(a.nonzero()):
        begin, end = 0, a.shape[d]
        if d in along and not places.size:  # nothing is left of what is all zeros
            end = 0
        elif d in along:
            begin = int(reductions.min(places)) if "f" in trim else 0
            end = int(reductions.max(places)) + 1 if "b" in trim else end
        key.append(slice(begin, end))
    return a[tuple(key)]


def ravel_multi_index(
    multi_index: Any, dims: Any, mode: str = "raise", order: str = "C"
) -> ndarray:
    """One index for the elements in a row, of an index along each axis."""
    if mode != "raise" or order != "C":
        raise unsupported(f"numpy.ravel_multi_index with mode={mode!r}, order={order!r}")
    parts = [creation.asarray(x) for x in operands(tuple(multi_index))]
    shape = (dims,) if isinstance(dims, int) else tuple(dims)
    if len(parts) != len(shape):
        raise ValueError(f"parameter multi_index must be a sequence of length {len(shape)}")
    made: Any = None
    for x, n in zip(parts, shape):
        if x.size and (int(reductions.min(x)) < 0 or int(reductions.max(x)) >= n):
            raise ValueError("invalid entry in coordinates array")
        made = x.astype(_INT) if made is None else made*n + x
    return made  # type: ignore[no-any-return]


def unravel_index(indices: Any, shape: Any, order: str = "C") -> tuple[ndarray, ...]:
    """An index along each axis, of one of the elements in a row."""
    if order != "C":
        raise unsupported(f"numpy.unravel_index with order={order!r}")
    at = creation.asarray(indices)
    dims = (shape,) if isinstance(shape, int) else tuple(shape)
    if at.dtype.kind not in "iu":
        raise TypeError("only int indices permitted")
    size = int(np.prod(dims))
    if at.size and (int(reductions.min(at)) < 0 or int(reductions.max(at)) >= size):
        wrong = int(reductions.max(at)) if int(reductions.max(at)) >= size else int(reductions.min(at))
        raise ValueError(f"index {wrong} is out of bounds for array with size {size}")
    found: list[ndarray] = []
    at = at.astype(_INT)
    for n in dims[:0:-1]:
        found.insert(0, apply(np.remainder, (at, n)))
        at = apply(np.floor_divide, (at, n))
    return (at, *found) if dims else ()


__all__ = [
    "atleast_3d", "block", "delete", "dsplit", "dstack", "insert", "ix_", "meshgrid", "pad",
    "ravel_multi_index", "resize", "rollaxis", "rot90", "trim_zeros", "unravel_index",
]

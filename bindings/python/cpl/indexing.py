"""Elements picked by indices, by arrays of them, and by conditions."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from cpl import _cpl
from cpl.axes import axes_of
from cpl.creation import arange, array, asarray, assign
from cpl.elements import apply, choose, compute, number, stored, unsupported
from cpl.places import beside
from cpl.reductions import _OPERATORS, count_nonzero, max, min, reduce_map

if TYPE_CHECKING:
    from cpl.arrays import ndarray

_MODES = {"raise": 0, "wrap": 1, "clip": 2}  # as in cpl/gather.h
_INT = np.dtype(np.int64)
_BOOL = np.dtype(np.bool_)


# --- indices ---


def _is_array(index: Any) -> bool:
    if isinstance(index, (_cpl.Array, np.ndarray)):
        return index.ndim > 0 or index.dtype == np.bool_
    return isinstance(index, (list, bool, np.bool_))


def _wrong_index() -> IndexError:
    return IndexError("only integers, slices (`:`), ellipsis (`...`), None and integer or boolean "
                      "arrays are valid indices")


def _basic(index: Any) -> Any:
    if index is None or index is ... or isinstance(index, slice):
        return index
    try:
        return operator.index(index)
    except TypeError:
        raise _wrong_index() from None


def _index_array(index: Any, x: ndarray) -> ndarray:
    """An index that is an array, of int32, int64 or bool, where x lives."""
    if isinstance(index, list) and not index:
        index = np.zeros(0, _INT)
    if not isinstance(index, _cpl.Array):
        index = np.asarray(index)
        if index.dtype.kind not in "biu":
            raise _wrong_index()
        index = array(index, device=x.place)
    if index.dtype == _BOOL or index.dtype in (np.dtype(np.int32), _INT):
        return index  # type: ignore[no-any-return]
    if index.dtype.kind not in "iu":
        raise _wrong_index()
    made: ndarray = index.astype(_INT)
    return made


def _check(index: ndarray, size: int, axis: int) -> ndarray:
    """Indices that are there, -size to size - 1."""
    if not index.size:
        return index
    bad = beside([index], (), _BOOL)
    text = "(a < -b) | (a >= b)"
    axes = tuple(range(index.ndim))
    reduce_map(_OPERATORS["logical_or"], text, (index, np.int64(size)), axes, _BOOL, bad)
    if bad:
        high = int(max(index))
        wrong = high if high >= size else int(min(index))
        raise IndexError(f"index {wrong} is out of bounds for axis {axis} with size {size}")
    return index


def _check_mask(mask: ndarray, shape: tuple[int, ...], axis: int = 0) -> None:
    for d, (n, there) in enumerate(zip(mask.shape, shape)):
        if n != there:
            raise IndexError(f"boolean index did not match indexed array along axis {axis + d}; "
                             f"size of axis is {there} but size of corresponding boolean axis is "
                             f"{n}")


def _is_condition(index: Any) -> bool:
    return isinstance(index, _cpl.Array) and index.dtype == _BOOL


def _takes(index: Any) -> int:
    """The dimensions that an index takes, of an Ellipsis aside."""
    if index is None or index is ...:
        return 0
    dims: int = index.ndim if _is_condition(index) else 1
    return dims


def _spread(x: ndarray, key: tuple[Any, ...]) -> list[Any]:
    """The indices, one for each dimension of x and each new one; conditions are indices by now."""
    indices = [_index_array(i, x) if _is_array(i) else _basic(i) for i in key]
    takes = [_takes(i) for i in indices]
    used = sum(takes)
    dots = [k for k, i in enumerate(indices) if i is ...]
    if len(dots) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    if used > x.ndim:
        raise IndexError(f"too many indices for array: array is {x.ndim}-dimensional, but {used} "
                         "were indexed")
    all_others = [slice(None)]*(x.ndim - used)
    spread: list[Any] = []
    for k, index in enumerate(indices):
        if index is ...:
            spread.extend(all_others)
        elif not _is_condition(index):
            spread.append(index)
        elif index.ndim == 0:
            raise TypeError("a bool is no index here; x[None][mask] takes a condition")
        else:
            at = x.ndim - sum(takes[k:]) if dots and dots[0] < k else sum(takes[:k])
            _check_mask(index, x.shape[at:], at)
            spread.extend(nonzero(index))
    return spread if dots else spread + all_others


def _tuple(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)


def _has_arrays(key: tuple[Any, ...]) -> bool:
    return any(map(_is_array, key))


def _slices(x: ndarray, key: tuple[Any, ...]) -> ndarray:
    return _cpl.slices(x, tuple(_spread(x, key)))


def _is_mask(x: ndarray, key: tuple[Any, ...]) -> bool:
    mask = key[0]
    return (len(key) == 1 and isinstance(mask, (_cpl.Array, np.ndarray)) and mask.dtype == _BOOL
            and mask.ndim == x.ndim > 0)


def get(x: ndarray, key: Any) -> ndarray:
    """x[key]"""
    if isinstance(key, str):
        return _field(x, key)
    key = _tuple(key)
    if not _has_arrays(key):
        part = _slices(x, key)
        is_element = not part.ndim and x.ndim and all(i is not ... for i in key)
        return part.copy() if is_element and part.dtype.names is None else part
    if _is_mask(x, key):
        mask = _index_array(key[0], x)
        _check_mask(mask, x.shape)
        return _chosen(x.ravel(), mask.ravel())
    return _gather(x, key)


def _place_of_field(x: ndarray, name: str) -> tuple[np.dtype[Any], int]:
    """The type of a field of structs, and its offset in bytes."""
    fields = x.dtype.fields
    if not fields:
        raise _wrong_index()
    if name not in fields:
        raise ValueError(f"no field of name {name}")
    return fields[name][:2]


def _is_aligned(x: ndarray, dtype: np.dtype[Any], offset: int) -> bool:
    return not any(by % dtype.alignment for by in (*x.strides, offset))


def _bytes_of_field(x: ndarray, dtype: np.dtype[Any], offset: int) -> ndarray:
    """A view of those of each record, along a dimension of their own."""
    shape = (*x.shape, dtype.itemsize)
    return _cpl.view(x, shape, (*x.strides, 1), np.dtype(np.uint8), offset)


def _field(x: ndarray, name: str) -> ndarray:
    """A field of structs: a view, or of packed ones whose elements are not aligned a copy that is
    only read."""
    dtype, offset = _place_of_field(x, name)
    if _is_aligned(x, dtype, offset):
        return _cpl.view(x, x.shape, x.strides, dtype, offset)
    made = beside([x], (*x.shape, dtype.itemsize), np.dtype(np.uint8))
    assign(made, _bytes_of_field(x, dtype, offset))
    field = _cpl.view(made, x.shape, (), dtype, 0)
    field._freeze()
    return field


def _put_field(x: ndarray, name: str, value: Any) -> None:
    dtype, offset = _place_of_field(x, name)
    if _is_aligned(x, dtype, offset):
        return assign(_field(x, name), value)
    if x.readonly:
        raise ValueError("assignment destination is read-only")
    values = beside([x], (*x.shape, *dtype.shape), dtype.base)
    assign(values, value)
    shape = (*x.shape, dtype.itemsize)
    return assign(_bytes_of_field(x, dtype, offset),
                  _cpl.view(values, shape, (), np.dtype(np.uint8), 0))


def _is_parted(key: tuple[Any, ...]) -> bool:
    """Whether anything stands between arrays and numbers: their dimensions come first then."""
    at = [k for k, i in enumerate(key)
          if _is_array(i) or not (i is None or i is ... or isinstance(i, slice))]
    return at != list(range(at[0], at[0] + len(at)))


def _gather(x: ndarray, key: tuple[Any, ...]) -> ndarray:
    spread = _spread(x, key)
    picks = [k for k, i in enumerate(spread) if isinstance(i, (_cpl.Array, int))]
    view = _cpl.slices(x, tuple(slice(None) if k in picks else i for k, i in enumerate(spread)))
    first, count = picks[0], len(picks)
    if _is_parted(key):
        others = [k for k in range(view.ndim) if k not in picks]
        view, first = view.transpose(*picks, *others), 0
    indices = [spread[k] for k in picks]
    axes = [sum(i is not None for i in spread[:k]) for k in picks]
    if count == 1:
        _check(indices[0], view.shape[first], axes[0])
        return _cpl.take(view, indices[0], first, 0)
    sizes = view.shape[first: first + count]
    try:
        line = _line(indices, sizes, axes)
    except ValueError as error:
        raise IndexError(f"shape mismatch: {error}") from None
    merged = view.reshape(view.shape[:first] + (-1,) + view.shape[first + count:]) \
        if view.size else view.reshape(
            view.shape[:first] + (int(np.prod(sizes)),) + view.shape[first + count:])
    return _cpl.take(merged, line, first, 0)


def _line(indices: list[Any], sizes: tuple[int, ...], axes: list[int]) -> ndarray:
    """One index for several of dimensions that lie side by side; axes: which those were."""
    line: Any = 0
    for k, (index, size, axis) in enumerate(zip(indices, sizes, axes)):
        if isinstance(index, int):
            if not -size <= index < size:
                raise IndexError(f"index {index} is out of bounds for axis {axis} "
                                 f"with size {size}")
            index = index % size
        else:
            _check(index, size, axis)
            index = apply(np.remainder, (index.astype(_INT), size))
        line = index if k == 0 else line*size + index
    made: ndarray = line
    return made


def _chosen(x: ndarray, mask: ndarray) -> ndarray:
    """Elements of a dense array of one dimension for which a condition holds."""
    made = beside([x], (int(count_nonzero(mask)),), x.dtype)
    if made.size:
        _cpl.compact(x, mask, made, None)
    return made


# --- assignments ---


def _positions(x: ndarray, key: tuple[Any, ...]) -> ndarray:
    """Which of all elements of x, in their order, the key picks."""
    if x.ndim == 1 and len(key) == 1 and not _is_mask(x, key):
        return _check(_index_array(key[0], x), x.shape[0], 0)
    places = arange(x.size, device=x.place).reshape(x.shape)
    return get(places, key)


def put(x: ndarray, key: Any, value: Any) -> None:
    """x[key] = value"""
    if isinstance(key, str):
        return _put_field(x, key, value)
    key = _tuple(key)
    if not _has_arrays(key):
        return assign(_slices(x, key), value)
    if _is_mask(x, key) and isinstance(value, (int, float, np.generic)):
        mask = _index_array(key[0], x)
        _check_mask(mask, x.shape)
        compute("b if a else c", x, (mask, number(value, x.dtype), x))
        return None
    positions = _positions(x, key)
    values = beside([x], positions.shape, x.dtype)
    assign(values, value)
    if not positions.size:
        return None
    dense = x if x.contiguous else x.copy()
    if x.readonly:
        raise ValueError("assignment destination is read-only")
    _cpl.scatter(dense.reshape(-1), positions.reshape(-1), values.reshape(-1))
    if dense is not x:
        assign(x, dense)
    return None


def put_in_row(x: ndarray, indices: Any, values: Any, mode: str) -> None:
    """x.flat[indices] = values, which begin anew where there are fewer of them."""
    if mode != "raise":
        raise unsupported(f"numpy.put with mode={mode!r}")
    at = np.asarray(indices).ravel()
    if at.size:
        x.flat[at] = np.resize(np.asarray(values), at.shape)


# --- by name ---


def take(
    a: ndarray, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise"
) -> ndarray:
    """The elements along an axis that indices point to; mode is "raise", "wrap" or "clip".

    >>> cpl.take(cpl.array([1.5, 2.5, 3.5]), [2, 0])
    array([3.5, 1.5])
    """
    if mode not in _MODES:
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got '{mode}')")
    a = asarray(a)
    if axis is None:
        a, axis = a.ravel(), 0
    (along,) = axes_of(axis, a.ndim)
    index = _index_array(indices, a)
    if index.dtype == _BOOL:
        raise TypeError("Cannot cast array data from dtype('bool') to dtype('int64') according to "
                        "the rule 'safe'")
    if index.size and not a.shape[along]:
        raise IndexError("cannot do a non-empty take from an empty axes.")
    if mode == "raise":
        _check(index, a.shape[along], along)
    return stored(_cpl.take(a, index, along, _MODES[mode]), out)


def compress(condition: Any, a: ndarray, axis: int | None = None, out: Any = None) -> ndarray:
    """The elements along an axis for which a condition, of one dimension, holds: a new array, or
    `out`."""
    a = asarray(a)
    mask = _index_array(condition, a)
    if mask.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    return take(a, nonzero(mask)[0], axis, out)


def nonzero(a: Any) -> tuple[ndarray, ...]:
    """Where elements are other than 0: an array of indices for each dimension."""
    a = asarray(a)
    if not a.ndim:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. "
                         "Use np.atleast_1d(scalar).nonzero() instead.")
    flat = apply(np.not_equal, (a.ravel(), 0)) if a.dtype != _BOOL else a.ravel()
    order = beside([a], (int(count_nonzero(flat)),), _INT)
    if order.size:
        _cpl.compact(None, flat, None, order)
    found: list[ndarray] = []
    for n in reversed(a.shape[1:]):
        found.insert(0, apply(np.remainder, (order, n)))
        order = apply(np.floor_divide, (order, n))
    return (order, *found)


def flatnonzero(a: Any) -> ndarray:
    """Where the elements in a row are other than 0."""
    a = asarray(a)
    return nonzero(a.ravel())[0]


def argwhere(a: Any) -> ndarray:
    """Where elements are other than 0: a row of indices for each."""
    a = asarray(a)
    found = nonzero(a)
    made = beside([a], (found[0].size, len(found)), _INT)
    for d, index in enumerate(found):
        assign(_cpl.slices(made, (slice(None), d)), index)
    return made


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """x where a condition holds, else y; without these where it holds, as nonzero().

    >>> a = cpl.array([1, -2, 3])
    >>> cpl.where(a > 0, a, 0)
    array([1, 0, 3])
    """
    if (x is None) != (y is None):
        raise ValueError("either both or neither of x and y should be given")
    if x is None:
        return nonzero(asarray(condition))
    return choose(condition, x, y)


__all__ = ["argwhere", "compress", "flatnonzero", "nonzero", "take", "where"]

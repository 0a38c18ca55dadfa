"""New arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from cpl import _cpl, elements, foreign
from cpl.axes import axes_of
from cpl.places import beside, beside_which, place_of

if TYPE_CHECKING:
    from cpl.arrays import ndarray

Shape = int | Sequence[int]
_DType = npt.DTypeLike | None

_VALUES = (list, tuple, int, float, complex, np.generic)  # which no array shares memory with


def _shape(shape: Shape) -> tuple[int, ...]:
    return tuple(shape) if isinstance(shape, Sequence) else (shape,)


def empty(shape: Shape, dtype: npt.DTypeLike = float, *, device: Any = None) -> ndarray:
    """An array whose elements are anything."""
    return _cpl.create(_shape(shape), np.dtype(dtype), device, False)


def zeros(shape: Shape, dtype: npt.DTypeLike = float, *, device: Any = None) -> ndarray:
    """An array of zeros."""
    return _cpl.create(_shape(shape), np.dtype(dtype), device, True)


def ones(shape: Shape, dtype: npt.DTypeLike = float, *, device: Any = None) -> ndarray:
    """An array of ones."""
    return full(shape, 1, dtype, device=device)


def full(shape: Shape, fill_value: Any, dtype: _DType = None, *, device: Any = None) -> ndarray:
    """An array of one number."""
    made = empty(shape, dtype or np.asarray(fill_value).dtype, device=device)
    assign(made, fill_value)
    return made


def _like(a: Any, dtype: _DType, shape: Shape | None, device: Any) -> ndarray:
    a = a if hasattr(a, "dtype") else asarray(a)
    size = tuple(a.shape) if shape is None else _shape(shape)
    own = a.place if isinstance(a, _cpl.Array) else None
    return empty(size, dtype or a.dtype, device=own if device is None else device)


def empty_like(
    a: Any, dtype: _DType = None, *, shape: Shape | None = None, device: Any = None
) -> ndarray:
    """An array of the shape and type of another one, where that lives."""
    return _like(a, dtype, shape, device)


def zeros_like(
    a: Any, dtype: _DType = None, *, shape: Shape | None = None, device: Any = None
) -> ndarray:
    """Zeros in the shape and of the type of another array."""
    made = _like(a, dtype, shape, device)
    assign(made, np.zeros((), made.dtype))
    return made


def ones_like(
    a: Any, dtype: _DType = None, *, shape: Shape | None = None, device: Any = None
) -> ndarray:
    """Ones in the shape and of the type of another array."""
    return full_like(a, 1, dtype, shape=shape, device=device)


def full_like(
    a: Any, fill_value: Any, dtype: _DType = None, *, shape: Shape | None = None,
    device: Any = None,
) -> ndarray:
    """One number in the shape and of the type of another array."""
    made = _like(a, dtype, shape, device)
    assign(made, fill_value)
    return made


def _without_mask(x: Any) -> Any:
    """x, if it is no masked array: NumPy takes all of its elements for good ones."""
    if isinstance(x, np.ndarray) and type(x) is not np.ndarray and hasattr(type(x), "fill_value"):
        raise TypeError("a masked array, whose mask would be lost: x.data is the array without it, "
                        "x.filled(value) has a value in place of what is masked")
    return x


def array(object: Any, dtype: _DType = None, *, device: Any = None) -> ndarray:
    """A new array with the elements of anything that numpy.array() takes.

    >>> cpl.array([[1, 2], [3, 4]])
    array([[1, 2],
           [3, 4]])
    """
    shared = foreign.on_device(object)
    if shared is not None or isinstance(object, _cpl.Array):
        values = cast("ndarray", object if shared is None else shared)
        place = values.place if device is None else place_of(device)
        made = _cpl.create(values.shape, np.dtype(dtype or values.dtype), place, False)
        if made.place == values.place:
            return elements.cast(values, made)
        _cpl.copy(made, values)
        return made
    there = np.asarray(_without_mask(object), dtype)
    made = empty(there.shape, there.dtype, device=device)
    made._write(there)
    return made


def asarray(object: Any, dtype: _DType = None, *, device: Any = None) -> ndarray:
    """An array here as it is, one of another library's in the memory that it has, others copied.

    >>> import numpy as np
    >>> there = np.zeros(3)
    >>> here = cpl.asarray(there)
    >>> there[0] = 1
    >>> here
    array([1., 0., 0.])
    """
    if not isinstance(object, (_cpl.Array, np.ndarray)):
        shared = foreign.asarray(object)
        if shared is not None:
            object = shared
        elif not isinstance(object, _VALUES):
            object = np.asarray(object)  # a buffer, or what has __array__
    same = dtype is None or getattr(object, "dtype", None) == dtype
    if isinstance(object, _cpl.Array) and same and (
            device is None or place_of(device) == object.place):
        return cast("ndarray", object)
    if isinstance(object, np.ndarray) and same and place_of(device) == "host":
        return _cpl.wrap(_without_mask(object))
    return array(object, dtype, device=device)


def assign(to: ndarray, value: Any) -> None:
    """to[...] = value, converted as NumPy does."""
    if isinstance(value, (int, float, complex, np.generic)) and to.dtype.names is None:
        elements.compute("a", to, (elements.number(value, to.dtype),))
        return
    if not isinstance(value, _cpl.Array):
        fields = to.dtype if to.dtype.names and isinstance(value, tuple) else None
        there = np.asarray(_without_mask(value), fields)
        value = array(there, to.dtype if there.dtype.kind not in "biufc" else None, device=to.place)
    extra = value.ndim - to.ndim
    if extra > 0 and value.shape[:extra] == (1,)*extra:
        value = value.reshape(value.shape[extra:])
    if value.shape != to.shape and np.broadcast_shapes(value.shape, to.shape) != to.shape:
        raise ValueError(f"could not broadcast input array from shape {value.shape} "
                         f"into shape {to.shape}")
    elements.cast(value, to)


def arange(
    start: Any, stop: Any = None, step: Any = 1, dtype: _DType = None, *, device: Any = None
) -> ndarray:
    """Numbers from start on, step apart, up to stop, which is not there.

    >>> cpl.arange(2, 8, 3)
    array([2, 5])
    """
    if stop is None:
        start, stop = 0, start
    if step == 0:
        raise ZeroDivisionError("division by zero")
    kind = np.dtype(dtype) if dtype is not None else np.result_type(
        *(np.asarray(x).dtype for x in (start, stop, step)))
    made = empty(max(math.ceil((stop - start)/step), 0), kind, device=device)
    if kind.kind == "b":
        raise TypeError("arange() is only supported for booleans when the result has at most "
                        "length 2.")
    first, second = np.array([start, start + step], kind)
    by = second - first
    if made.size:
        _cpl.arange(made, (first, by))
    return made


def linspace(
    start: float, stop: float, num: int = 50, endpoint: bool = True, *, dtype: _DType = None,
    device: Any = None,
) -> ndarray:
    """Evenly spaced numbers from start to stop.

    >>> cpl.linspace(0, 1, 5)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    made = empty(num, dtype or float, device=device)
    if num:
        _cpl.linspace(made, start, stop, endpoint)
    return made


def _common_type(parts: Sequence[ndarray]) -> np.dtype[Any]:
    """That of all, as it is; NumPy's of several records has lost how they are aligned."""
    first: np.dtype[Any] = parts[0].dtype
    return first if all(a.dtype == first for a in parts) else np.result_type(*[a.dtype for a in parts])


def _type_for(parts: list[ndarray], out: Any, dtype: _DType, casting: Any) -> np.dtype[Any]:
    """That of parts one behind the other, for which each is converted."""
    if out is not None and dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were "
                        "provided.")
    if out is None and dtype is None:
        return _common_type(parts)
    if out is not None and not isinstance(out, (_cpl.Array, np.ndarray)):
        raise TypeError(f"out= takes an array, not {type(out).__name__}")
    wanted = np.dtype(dtype if out is None else out.dtype)
    for a in parts:
        if not np.can_cast(a.dtype, wanted, casting):
            raise TypeError(f"Cannot cast array data from {a.dtype!r} to {wanted!r} according to "
                            f"the rule '{casting}'")
    return wanted


def concatenate(
    arrays: Sequence[Any], axis: int | None = 0, out: Any = None, *, dtype: _DType = None,
    casting: Any = "same_kind",
) -> ndarray:
    """Arrays one behind the other along an axis: a new array, or `out`.

    >>> cpl.concatenate([cpl.array([1, 2]), cpl.array([3.5])])
    array([1. , 2. , 3.5])
    """
    first = beside_which(arrays)
    place = None if first is None else first.place
    parts = [asarray(a, device=place if isinstance(a, (list, tuple)) else None) for a in arrays]
    if not parts:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        parts, axis = [a.ravel() for a in parts], 0
    if not parts[0].ndim:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    (along,) = axes_of(axis, parts[0].ndim)
    shapes = {a.shape[:along] + a.shape[along + 1:] for a in parts}
    if len(shapes) > 1 or len({a.ndim for a in parts}) > 1:
        raise ValueError("all the input array dimensions except for the concatenation axis must "
                         "match exactly")
    shape = list(parts[0].shape)
    shape[along] = sum(a.shape[along] for a in parts)
    made = beside(parts, tuple(shape), _type_for(parts, out, dtype, casting))
    at = 0
    for a in parts:
        end = at + a.shape[along]
        if a.size:
            assign(made[(slice(None),)*along + (slice(at, end),)], a)
        at = end
    return elements.stored(made, out)


def stack(
    arrays: Sequence[Any], axis: int = 0, out: Any = None, *, dtype: _DType = None,
    casting: Any = "same_kind",
) -> ndarray:
    """Arrays of one shape beside each other along a new axis: a new array, or `out`."""
    parts = [asarray(a) for a in arrays]
    if len({a.shape for a in parts}) != 1:
        raise ValueError("all input arrays must have the same shape")
    (along,) = axes_of(axis, parts[0].ndim + 1)
    raised = [a[(slice(None),)*along + (None,)] for a in parts]
    return concatenate(raised, along, out, dtype=dtype, casting=casting)


__all__ = [
    "arange", "array", "asarray", "concatenate", "empty", "empty_like", "full", "full_like",
    "linspace", "ones", "ones_like", "stack", "zeros", "zeros_like",
]

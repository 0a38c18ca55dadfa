"""Arrays that live on the host or on a device, with NumPy's functions under NumPy's names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cpl import _cpl

Shape = int | Sequence[int]


class ndarray(_cpl.Array):
    """An array of the library's; `cpl.array()` and others make them."""

    __slots__ = ("__weakref__",)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False and self.place != "host":
            raise ValueError(f"the array is on {self.place}: there is no NumPy array without a copy")
        return np.array(self.numpy(), dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        return repr(self.numpy())

    def __str__(self) -> str:
        return str(self.numpy())

    def __reduce__(self) -> tuple[Any, ...]:
        return array, (self.numpy(),)


def _place(device: Any) -> str | None:
    """Where an array is to be made: None is the host."""
    if device is None or isinstance(device, str):
        return device
    raise TypeError(f"a device was expected, not {device!r}")


def _shape(shape: Shape) -> tuple[int, ...]:
    return tuple(shape) if isinstance(shape, Sequence) else (shape,)


def empty(shape: Shape, dtype: npt.DTypeLike = float, *, device: Any = None) -> ndarray:
    """An array whose elements are anything."""
    return _cpl.create(_shape(shape), np.dtype(dtype), _place(device), False)


def zeros(shape: Shape, dtype: npt.DTypeLike = float, *, device: Any = None) -> ndarray:
    """An array of zeros."""
    return _cpl.create(_shape(shape), np.dtype(dtype), _place(device), True)


def array(
    object: Any, dtype: npt.DTypeLike | None = None, *, device: Any = None
) -> ndarray:
    """A new array with the elements of anything that numpy.array() takes.

    >>> cpl.array([[1, 2], [3, 4]])
    array([[1, 2],
           [3, 4]])
    """
    values = np.asarray(object, dtype)
    made = empty(values.shape, values.dtype, device=device)
    made._write(values)
    return made


def asarray(
    object: Any, dtype: npt.DTypeLike | None = None, *, device: Any = None
) -> ndarray:
    """An array here as it is, one of NumPy's on the host in the memory that it has, others copied.

    >>> import numpy as np
    >>> there = np.zeros(3)
    >>> here = cpl.asarray(there)
    >>> there[0] = 1
    >>> here
    array([1., 0., 0.])
    """
    if isinstance(object, ndarray) and dtype is None and device is None:
        return object
    if device is None and isinstance(object, np.ndarray):
        if dtype is None or object.dtype == dtype:
            return _cpl.wrap(object)
    return array(object, dtype, device=device)

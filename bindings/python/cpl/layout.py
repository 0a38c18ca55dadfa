"""What arrays show of how they lie in memory: flags, and all elements in a row."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from cpl import _cpl

if TYPE_CHECKING:
    from cpl.arrays import ndarray


def is_f_ordered(a: ndarray) -> bool:
    """Whether elements lie side by side, the first dimension's."""
    return a.transpose().contiguous


def goes_first(a: ndarray, order: str | None) -> bool:
    """Whether an order says that the first dimension's lie side by side: "F"; of "A" and "K" where
    they do already, and only they."""
    if order not in ("C", "F", "A", "K", None):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    return order == "F" or (order in ("A", "K", None) and not a.contiguous and is_f_ordered(a))


class Flags:
    """x.flags: attributes, and NumPy's names in brackets."""

    __slots__ = ("c_contiguous", "f_contiguous", "writeable")

    aligned = True

    def __init__(self, a: ndarray) -> None:
        self.c_contiguous = bool(a.contiguous)
        self.f_contiguous = is_f_ordered(a)
        self.writeable = not a.readonly

    @property
    def contiguous(self) -> bool:
        return self.c_contiguous

    @property
    def forc(self) -> bool:
        return self.c_contiguous or self.f_contiguous

    @property
    def fnc(self) -> bool:
        return self.f_contiguous and not self.c_contiguous

    def __getitem__(self, name: str) -> bool:
        long = {"C": "c_contiguous", "F": "f_contiguous", "W": "writeable", "A": "aligned"}
        found = getattr(self, long.get(name, name.lower()), None)
        if not isinstance(found, bool):
            raise KeyError("Unknown flag")
        return found

    def __repr__(self) -> str:
        names = ("C_CONTIGUOUS", "F_CONTIGUOUS", "WRITEABLE", "ALIGNED")
        return "\n".join(f"  {name} : {self[name]}" for name in names)


class Flat:
    """x.flat: the elements in a row, the last dimension's side by side. Those of it are copies;
    what is assigned to it goes to the array."""

    __slots__ = ("_of",)

    def __init__(self, of: ndarray) -> None:
        self._of = of

    def __len__(self) -> int:
        return self._of.size

    def __iter__(self) -> Iterator[Any]:
        return iter(self._of.numpy().flat)

    def __getitem__(self, key: Any) -> Any:
        return self._of.flatten()[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        row = self._of.ravel()
        row[key] = value
        if not self._of.contiguous:
            self._of[...] = row.reshape(self._of.shape)


def view(a: ndarray, dtype: Any) -> ndarray:
    """The same memory as elements of another type; the last dimension has more or fewer of them
    where these are of another size."""
    if isinstance(dtype, type) and issubclass(dtype, (np.ndarray, _cpl.Array)):
        raise TypeError("view() takes a dtype: arrays have no other class here")
    to = np.dtype(dtype)
    if to.itemsize == a.itemsize:
        return _cpl.view(a, a.shape, a.strides, to, 0)
    if not a.ndim:
        raise ValueError("Changing the dtype of a 0d array is only supported if the itemsize is "
                         "unchanged")
    bytes_ = a.shape[-1]*a.itemsize
    if a.shape[-1] > 1 and a.strides[-1] != a.itemsize:
        raise ValueError("To change to a dtype of a different size, the last axis must be "
                         "contiguous")
    if not to.itemsize or bytes_ % to.itemsize:
        raise ValueError("When changing to a larger dtype, its size must be a divisor of the total "
                         "size in bytes of the last axis of the array.")
    shape = (*a.shape[:-1], bytes_//to.itemsize)
    if not math.prod(shape):
        return _cpl.create(shape, to, a.place, False)
    if any(by % to.alignment for by in a.strides[:-1]):
        raise ValueError(f"rows are {a.strides[:-1]} bytes apart, to which {to} is not aligned: "
                         "x.copy().view() is of rows without gaps")
    return _cpl.view(a, shape, (*a.strides[:-1], to.itemsize), to, 0)

"""Where arrays are made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from cpl import _cpl

if TYPE_CHECKING:
    from cpl.arrays import ndarray


def place_of(device: Any) -> str:
    """What `device=` says: of None where the thread's `with` says, else the host."""
    return _cpl.device(device).label


def is_host(x: _cpl.Array) -> bool:
    return x.place == "host"


def beside_which(values: Iterable[Any]) -> _cpl.Array | None:
    """The first array among the values."""
    return next((x for x in values if isinstance(x, _cpl.Array)), None)


def beside(values: Iterable[Any], shape: tuple[int, ...], dtype: np.dtype[Any]) -> ndarray:
    """A new array where the first array among the values lives, whose elements are anything."""
    first = beside_which(values)
    return _cpl.create(shape, dtype, None if first is None else first.place, False)

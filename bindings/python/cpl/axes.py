"""Which dimensions of arrays are meant."""

from __future__ import annotations

import numpy as np

Axis = int | tuple[int, ...] | None


def axes_of(axis: Axis, ndim: int) -> tuple[int, ...]:
    """Counted from the front, in order."""
    if axis is None:
        return tuple(range(ndim))
    given = axis if isinstance(axis, tuple) else (axis,)
    found = []
    for a in given:
        a = a.__index__()
        if not -ndim <= a < ndim:
            raise np.exceptions.AxisError(a, ndim)
        found.append(a % ndim)
    if len(set(found)) != len(found):
        raise ValueError("duplicate value in 'axis'")
    return tuple(sorted(found))


def kept(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(1 if d in axes else n for d, n in enumerate(shape))


def left(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n for d, n in enumerate(shape) if d not in axes)

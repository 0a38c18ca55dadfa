"""Arrays of random numbers: cpl.random.default_rng(), as NumPy's of the same name."""

from __future__ import annotations

import math
import operator
import secrets
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cpl import _cpl
from cpl.creation import Shape, asarray, empty
from cpl.places import place_of

if TYPE_CHECKING:
    from cpl.arrays import ndarray

_UNIFORM, _NORMAL, _EXPONENTIAL, _INTEGERS, _BITS = range(5)  # as in cpl/random.h


def _check_limits(first: int, last: int, dtype: np.dtype[Any]) -> None:
    if dtype.kind not in "iu":
        return
    limits = np.iinfo(dtype)
    if first < limits.min:
        raise ValueError(f"low is out of bounds for {dtype}")
    if last > limits.max:
        raise ValueError(f"high is out of bounds for {dtype}")


def _wrapped(limit: int) -> int:
    """The int64 of the same 64 bits."""
    return (limit + 2**63) % 2**64 - 2**63


class Generator:
    """Draws arrays of random numbers, each of others: element i of draw k depends on the seed, i
    and k alone, and has the bits that kernels get from cpl.random's functions.
    """

    def __init__(self, seed: int, device: Any = None):
        self.seed = seed
        self.draw = 0
        self._place = place_of(device)

    def _next(self, size: Shape | None, dtype: npt.DTypeLike) -> tuple[ndarray, int]:
        draw, self.draw = self.draw, (self.draw + 1) % 2**32
        return empty(() if size is None else size, dtype, device=self._place), draw

    def _floats(
        self, kind: int, size: Shape | None, dtype: npt.DTypeLike, p: float, q: float
    ) -> ndarray:
        if np.dtype(dtype).kind != "f":
            raise TypeError(f"Unsupported dtype {np.dtype(dtype)} for random numbers that are floats")
        if not math.isfinite(p) or not math.isfinite(q):
            raise ValueError("limits, means and scales are finite")
        made, draw = self._next(size, dtype)
        _cpl.random(made, kind, self.seed, 0, draw, p, q)
        return made

    def random(self, size: Shape | None = None, dtype: npt.DTypeLike = float) -> ndarray:
        """Uniform numbers in [0, 1)."""
        return self._floats(_UNIFORM, size, dtype, 0.0, 1.0)

    def uniform(
        self, low: float = 0.0, high: float = 1.0, size: Shape | None = None,
        dtype: npt.DTypeLike = float,
    ) -> ndarray:
        """Uniform numbers in [low, high). low + (high - low)*u is rounded once, so high itself may
        come up, as it may in NumPy's.
        """
        return self._floats(_UNIFORM, size, dtype, low, high)

    def normal(
        self, loc: float = 0.0, scale: float = 1.0, size: Shape | None = None,
        dtype: npt.DTypeLike = float,
    ) -> ndarray:
        """Normally distributed numbers."""
        return self._floats(_NORMAL, size, dtype, loc, scale)

    def standard_normal(self, size: Shape | None = None, dtype: npt.DTypeLike = float) -> ndarray:
        return self._floats(_NORMAL, size, dtype, 0.0, 1.0)

    def exponential(
        self, scale: float = 1.0, size: Shape | None = None, dtype: npt.DTypeLike = float
    ) -> ndarray:
        """Exponentially distributed numbers, of which scale is the mean."""
        return self._floats(_EXPONENTIAL, size, dtype, 0.0, scale)

    def integers(
        self, low: int, high: int | None = None, size: Shape | None = None,
        dtype: npt.DTypeLike = np.int64, endpoint: bool = False,
    ) -> ndarray:
        """Integers from low to high - 1, or from 0 to low - 1, or with endpoint one more.

        >>> from cpl.random import default_rng
        >>> default_rng(1).integers(2**64 - 1, 2**64, 3, dtype="uint64").tolist()
        [18446744073709551615, 18446744073709551615, 18446744073709551615]
        """
        first, end = (0, low) if high is None else (low, high)
        first, end = operator.index(first), operator.index(end) + endpoint
        if first >= end:
            raise ValueError("low >= high")
        _check_limits(first, end - 1, np.dtype(dtype))
        made, draw = self._next(size, dtype)
        if end - first == 2**64:
            _cpl.random(made, _BITS, self.seed, 0, draw, 0.0, 1.0)
        else:
            _cpl.random_integers(made, self.seed, 0, draw, _wrapped(first), _wrapped(end), False)
        return made

    def permutation(self, x: Any) -> ndarray:
        """The numbers below x in some order, or a copy of an array whose rows are.

        >>> from cpl.random import default_rng
        >>> sorted(default_rng(1).permutation(5).tolist())
        [0, 1, 2, 3, 4]
        """
        if isinstance(x, np.ndarray) and x.ndim:
            x = asarray(x)
        count = len(x) if isinstance(x, _cpl.Array) else int(x)
        order, draw = self._next(count, np.int64)
        if count:
            _cpl.random_integers(order, self.seed, 0, draw, 0, count, True)
        return _cpl.take(x, order, 0, 0) if isinstance(x, _cpl.Array) else order  # type: ignore[arg-type]


def default_rng(seed: int | None = None, *, device: Any = None) -> Generator:
    """A generator of arrays of random numbers, where device says; seed None: some seed.

    >>> from cpl.random import default_rng
    >>> default_rng(42).random(3).shape
    (3,)
    """
    number = secrets.randbits(63) if seed is None else operator.index(seed)
    if not 0 <= number < 1 << 64:
        raise ValueError(f"a seed is from 0 to 2**64 - 1, not {number}")
    return Generator(number, device)

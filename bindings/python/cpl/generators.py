"""Arrays of random numbers: cpl.random.default_rng(), as NumPy's of the same name."""

from __future__ import annotations

import math
import operator
import secrets
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from cpl import _cpl
from cpl.axes import axes_of
from cpl.choosing import copyto
from cpl.creation import Shape, array, asarray, empty
from cpl.indexing import where
from cpl.places import place_of
from cpl.reductions import count_nonzero, cumsum, min, sum
from cpl.sorting import argsort, searchsorted

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

    def _next(
        self, size: Shape | None, dtype: npt.DTypeLike, place: Any = None
    ) -> tuple[ndarray, int]:
        draw, self.draw = self.draw, (self.draw + 1) % 2**32
        place = self._place if place is None else place
        return empty(() if size is None else size, dtype, device=place), draw

    def _given(self, out: Any, size: Shape | None, dtype: npt.DTypeLike) -> tuple[ndarray, int]:
        """What an array that is to be filled is filled through, and the draw."""
        if not isinstance(out, (np.ndarray, _cpl.Array)):
            raise TypeError(f"out is an array of NumPy's or of cpl, not {type(out).__name__}")
        if out.dtype != np.dtype(dtype):
            raise TypeError(f"Supplied output array has the wrong type. Expected {np.dtype(dtype)}, "
                            f"got {out.dtype}")
        if size is not None and (size if isinstance(size, tuple) else (size,)) != out.shape:
            raise ValueError("size must match out.shape when used together")
        if isinstance(out, np.ndarray) and not (_is_plain(out) and out.flags.writeable):
            raise ValueError("Supplied output array must be writable, aligned, and in machine "
                             "byte-order.")
        return _in_place(out), self._next(0, dtype, "host")[1]

    def _floats(
        self, kind: int, size: Shape | None, dtype: npt.DTypeLike, p: float, q: float,
        out: Any = None,
    ) -> ndarray:
        if np.dtype(dtype).kind != "f":
            raise TypeError(f"Unsupported dtype {np.dtype(dtype)} for random numbers that are floats")
        if not math.isfinite(p) or not math.isfinite(q):
            raise ValueError("limits, means and scales are finite")
        to, draw = self._next(size, dtype) if out is None else self._given(out, size, dtype)
        made = to if to.contiguous else empty(to.shape, dtype, device=to.place)
        _cpl.random(made, kind, self.seed, 0, draw, p, q)
        if made is not to:
            copyto(to, made)
        return to if out is None else out

    def random(
        self, size: Shape | None = None, dtype: npt.DTypeLike = float, out: Any = None
    ) -> ndarray:
        """Uniform numbers in [0, 1), in out if that is given, an array of this type."""
        return self._floats(_UNIFORM, size, dtype, 0.0, 1.0, out)

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

    def standard_normal(
        self, size: Shape | None = None, dtype: npt.DTypeLike = float, out: Any = None
    ) -> ndarray:
        """Of mean 0 and variance 1, in out if that is given."""
        return self._floats(_NORMAL, size, dtype, 0.0, 1.0, out)

    def standard_exponential(
        self, size: Shape | None = None, dtype: npt.DTypeLike = float, out: Any = None
    ) -> ndarray:
        """Of mean 1, in out if that is given."""
        return self._floats(_EXPONENTIAL, size, dtype, 0.0, 1.0, out)

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

    def permutation(self, x: Any, axis: int = 0) -> ndarray:
        """The numbers below x in some order, or a copy of an array whose rows along axis are.

        >>> from cpl.random import default_rng
        >>> sorted(default_rng(1).permutation(5).tolist())
        [0, 1, 2, 3, 4]
        """
        a = x if isinstance(x, _cpl.Array) else np.asarray(x)
        if a.ndim:
            return self._rows(asarray(a), axis)
        count = operator.index(x)
        return self._order(count, count, self._place)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Puts the rows of an array along axis into some order, in place: that of permutation(x).

        >>> from cpl.random import default_rng
        >>> x = cpl.arange(5)
        >>> default_rng(1).shuffle(x)
        >>> (x == default_rng(1).permutation(5)).all()
        array(True)
        """
        if not isinstance(x, np.ndarray | _cpl.Array) or not x.ndim:
            raise TypeError("shuffle() takes an array of one dimension or more, which it changes in "
                            f"place, not {type(x).__name__}")
        if isinstance(x, np.ndarray) and not x.flags.writeable:
            raise ValueError("array is read-only")
        if isinstance(x, np.ndarray) and not _is_plain(x):
            count = x.shape[axes_of(axis, x.ndim)[0]]
            x[...] = np.take(x, self._order(count, count, "host").numpy(), axis)
            return
        a = _in_place(x)
        copyto(a, self._rows(a, axis))

    def choice(
        self, a: Any, size: Shape | None = None, replace: bool = True, p: Any = None,
        axis: int = 0, shuffle: bool = True,
    ) -> ndarray:
        """Some of the numbers below a, or of the rows of an array along axis: each as likely, or as
        p says. Without replace none twice; those are in some order, whatever shuffle says.

        >>> from cpl.random import default_rng
        >>> sorted(default_rng(1).choice(5, 5, replace=False).tolist())
        [0, 1, 2, 3, 4]
        >>> default_rng(1).choice(3, (2, 2), p=[0, 1, 0]).tolist()
        [[1, 1], [1, 1]]
        """
        rows = asarray(a if isinstance(a, _cpl.Array) else np.asarray(a))
        given = rows.ndim > 0
        count = rows.shape[axes_of(axis, rows.ndim)[0]] if given else operator.index(a)
        place = rows.place if given else self._place
        shape = () if size is None else (size,) if isinstance(size, int) else tuple(size)
        _check_population(count, math.prod(shape), replace, given)
        if p is None:
            chosen = self._some(count, shape, replace, place)
        else:
            chosen = self._weighted(_likelihoods(p, count, place), shape, replace)
        return _taken(rows, chosen, axis) if given else chosen

    def _order(self, n: int, count: int, place: Any) -> ndarray:
        """n of the numbers below count, none twice."""
        order, draw = self._next(n, np.int64, place)
        if n:
            _cpl.random_integers(order, self.seed, 0, draw, 0, count, True)
        return order

    def _rows(self, a: ndarray, axis: int) -> ndarray:
        count = a.shape[axes_of(axis, a.ndim)[0]]
        return _taken(a, self._order(count, count, a.place), axis)

    def _some(self, count: int, shape: tuple[int, ...], replace: bool, place: Any) -> ndarray:
        if not replace:
            return self._order(math.prod(shape), count, place).reshape(shape)
        made, draw = self._next(shape, np.int64, place)
        if made.size:
            _cpl.random_integers(made, self.seed, 0, draw, 0, count, False)
        return made

    def _weighted(self, p: ndarray, shape: tuple[int, ...], replace: bool) -> ndarray:
        """By inversion; without replace those whose exponential numbers, as often as p says, come
        first: P. S. Efraimidis and P. G. Spirakis, Weighted random sampling with a reservoir, IPL
        97 (2006).
        """
        many = math.prod(shape)
        if replace:
            u, draw = self._next(shape, np.float64, p.place)
            _cpl.random(u, _UNIFORM, self.seed, 0, draw, 0.0, 1.0)
            ends = cumsum(p)
            return searchsorted(ends / ends[-1:], u.ravel(), "right").reshape(shape)
        if many > count_nonzero(p):
            raise ValueError("Fewer non-zero entries in p than size")
        e, draw = self._next(p.shape, np.float64, p.place)
        _cpl.random(e, _EXPONENTIAL, self.seed, 0, draw, 0.0, 1.0)
        return argsort(where(p > 0, e / where(p > 0, p, 1.0), np.inf))[:many].reshape(shape)


def _is_plain(x: npt.NDArray[Any]) -> bool:
    known = x.dtype.kind in "biufc" and x.dtype.isnative
    return type(x) is np.ndarray and x.flags.aligned and known


def _in_place(x: Any) -> ndarray:
    """An array over the memory of x, wherever new ones are made."""
    return asarray(x, device="host" if isinstance(x, np.ndarray) else None)


def _taken(a: ndarray, rows: ndarray, axis: int) -> ndarray:
    return _cpl.take(a, rows, axes_of(axis, a.ndim)[0], 0)


def _check_population(count: int, many: int, replace: bool, given: bool) -> None:
    if count < 0 or (many and not count):
        raise ValueError("a cannot be empty unless no samples are taken" if given else
                         "a must be a positive integer unless no samples are taken")
    if not replace and many > count:
        raise ValueError("Cannot take a larger sample than population when replace is False")


def _likelihoods(p: Any, count: int, place: Any) -> ndarray:
    """Of each of so many, as an array there."""
    odds: ndarray = array(p, np.float64, device=place)
    if odds.ndim != 1:
        raise ValueError("p must be 1-dimensional")
    if odds.size != count:
        raise ValueError("a and p must have same size")
    total = float(sum(odds))
    if math.isnan(total):
        raise ValueError("Probabilities contain NaN")
    if odds.size and float(min(odds)) < 0:
        raise ValueError("Probabilities are not non-negative")
    if abs(total - 1) > 2**-26:
        raise ValueError("Probabilities do not sum to 1")
    return odds


def default_rng(seed: int | Generator | None = None, *, device: Any = None) -> Generator:
    """A generator of arrays of random numbers, where device says; seed None: some seed. One that is
    a generator is given back.

    >>> from cpl.random import default_rng
    >>> default_rng(42).random(3).shape
    (3,)
    """
    if isinstance(seed, Generator):
        return seed
    number = secrets.randbits(63) if seed is None else operator.index(seed)
    if not 0 <= number < 1 << 64:
        raise ValueError(f"a seed is from 0 to 2**64 - 1, not {number}")
    return Generator(number, device)

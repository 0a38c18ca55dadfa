"""NumPy's reductions and scans along axes."""

from __future__ import annotations

import builtins
import functools
import math
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from cpl import _cpl
from cpl.axes import Axis, axes_of, kept, left
from cpl.creation import asarray
from cpl.elements import (
    DType, _target, apply, cast, choose, compute, converted, is_number, operands, shape_of, unsupported,
)
from cpl.expressions import program_of
from cpl.places import beside
from cpl.records import Record

if TYPE_CHECKING:
    from cpl.arrays import ndarray

_BLOCK = 4096  # elements, of those that argmin and argmax look at twice
_COMMUTES = 1  # of reductions, as in cpl/algorithm.h


class _Operator(Record):
    """How elements are taken in."""

    ufunc: np.ufunc
    text: str
    of_floats: str | None = None
    neutral: str | None = None  # for floats; None: what the library finds
    unit: int | None = None  # the same for others
    before: str | None = None  # what scans of floats begin with, if that is another one
    least: bool | None = None  # whether it needs an element
    keeps: bool = True  # whether the neutral element leaves each number as it is

    def op(self, t: DType) -> str:
        return self.of_floats if self.of_floats and t.kind == "f" else self.text

    def neutral_of(self, t: DType) -> str | None:
        if t.kind == "f" or self.unit is None:
            return self.neutral if t.kind == "f" else None
        return str(bool(self.unit)) if t.kind == "b" else f'cast({self.unit}, "{t.name}")'

    def before_of(self, t: DType) -> str | None:
        if self.before is None or t.kind not in "fc":
            return self.neutral_of(t)
        return self.before if t.kind == "f" else f"complex({self.before}, {self.before})"


_OPERATORS = {
    "add": _Operator(np.add, "a + b", before="-0.0"),  # which leaves -0.0 as it is
    "multiply": _Operator(np.multiply, "a * b"),
    "minimum": _Operator(np.minimum, "min(a, b)", "b if b < a or b != b else a", "INFINITY",
                         least=True),
    "maximum": _Operator(np.maximum, "max(a, b)", "b if b > a or b != b else a", "-INFINITY",
                         least=True),
    "fmin": _Operator(np.fmin, "min(a, b)", "a if a <= b or b != b else b", "NAN", least=True),
    "fmax": _Operator(np.fmax, "max(a, b)", "a if a >= b or b != b else b", "NAN", least=True),
    "logical_and": _Operator(np.logical_and, "a & b", keeps=False),
    "logical_or": _Operator(np.logical_or, "a | b", keeps=False),
    "logical_xor": _Operator(np.logical_xor, "a != b", unit=0, keeps=False),
    "bitwise_and": _Operator(np.bitwise_and, "a & b"),
    "bitwise_or": _Operator(np.bitwise_or, "a | b"),
    "bitwise_xor": _Operator(np.bitwise_xor, "a ^ b"),
    "hypot": _Operator(np.hypot, "hypot(a, b)", neutral="0.0", keeps=False),
    "logaddexp": _Operator(np.logaddexp, "logaddexp(a, b)", neutral="-INFINITY"),
    "logaddexp2": _Operator(np.logaddexp2, "logaddexp2(a, b)", neutral="-INFINITY"),
    "gcd": _Operator(np.gcd, "gcd(a, b)", unit=0, keeps=False),
    "lcm": _Operator(np.lcm, "lcm(a, b)", unit=1, least=True, keeps=False),
}


def operator(ufunc: np.ufunc, method: str) -> _Operator:
    found = _OPERATORS.get(ufunc.__name__)
    if found is None:
        raise unsupported(f"numpy.{ufunc.__name__}.{method}")
    return found


def _without(made: ndarray, axes: tuple[int, ...]) -> ndarray:
    """A view without dimensions that were kept."""
    return _cpl.slices(made, tuple(0 if d in axes else slice(None) for d in range(made.ndim)))


def types(op: _Operator, x: DType, dtype: Any) -> tuple[DType, DType]:
    """The type that elements are taken in as, and that of the result."""
    return _types(op.ufunc, x, None if dtype is None else np.dtype(dtype))


@functools.lru_cache(maxsize=4096)
def _types(ufunc: np.ufunc, x: DType, dtype: DType | None) -> tuple[DType, DType]:
    found = ufunc.resolve_dtypes((None, x, None), reduction=True)[-1] if dtype is None else dtype
    if not is_number(found) or (found.kind == "c" and ufunc not in (np.add, np.multiply)):
        raise unsupported(f"numpy.{ufunc.__name__} of {x}")
    return (np.dtype(np.float32) if found == np.float16 else found), found


def _check_there(op: _Operator, shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    if op.least and 0 in (shape[a] for a in axes) and 0 not in left(shape, axes):
        raise ValueError(f"zero-size array to reduction operation {op.ufunc.__name__} "
                         "which has no identity")


def _program_over(text: str, values: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """An operation's program and its arguments, whose shapes come to that of the values: those are
    computed first where they repeat all that they are computed from, as broadcast_to() does."""
    shape = shape_of(values)
    program, leaves = program_of(_cpl.operation(text, values, shape))
    shapes = [np.shape(x) for x in leaves]
    if shape in shapes or np.broadcast_shapes(*shapes) == shape:
        return program, leaves
    for x in values:
        if _cpl.expression(x) is not None:
            _cpl.settle(x)
    return program_of(_cpl.operation(text, values, shape))


def reduce_map(
    op: _Operator, text: str, values: tuple[Any, ...], axes: tuple[int, ...], wide: DType,
    to: ndarray,
) -> ndarray:
    """to = what the operation of the values comes to along axes."""
    mask = builtins.sum(1 << a for a in axes)
    program, leaves = _program_over(text, values)
    _cpl.reduce(program.module(op.op(wide)), op.op(wide), program.text, op.neutral_of(wide), wide, _COMMUTES,
                mask, to, leaves)
    return to


def reduce(
    op: _Operator, x: ndarray, axis: Axis = None, dtype: Any = None, out: Any = None,
    keepdims: bool = False,
) -> ndarray:
    axes = axes_of(axis, x.ndim)
    _check_there(op, x.shape, axes)
    wide, result = types(op, x.dtype, dtype)
    shape = left(x.shape, axes)
    full = kept(x.shape, axes) if keepdims else shape
    given = _target(out, full, result, [x])
    if given.dtype.kind in "iu" and wide.kind == "f":
        raise TypeError(f"results are {wide}, and the array for them has {given.dtype}")
    to = _without(given, axes) if keepdims else given
    text = converted('a', x.dtype, wide)
    reduce_map(op, text, (x,), axes, wide, to)
    return given


def _chosen(op: _Operator, x: ndarray, where: Any, initial: Any) -> ndarray:
    """Elements that are left out do not change what the others come to."""
    neutral = op.ufunc.identity if op.ufunc.identity is not None else initial
    if neutral is None:
        raise ValueError(f"reduction operation '{op.ufunc.__name__}' does not have an identity, so "
                         "to use a where mask one has to specify 'initial'")
    if np.broadcast_shapes(np.shape(where), x.shape) != x.shape:
        raise ValueError(f"where= has the shape {np.shape(where)}, and the array {x.shape}")
    return choose(where, x, x.dtype.type(neutral))


def reduce_chosen(
    op: _Operator, x: ndarray, axis: Axis, dtype: Any, out: Any, keepdims: bool, initial: Any,
    where: Any,
) -> ndarray:
    """The same of the elements where a condition holds, taken in behind `initial`."""
    if where is not True:
        x = _chosen(op, x, where, initial)
    if initial is None:
        return reduce(op, x, axis, dtype, out, keepdims)
    axes = axes_of(axis, x.ndim)
    first = types(op, x.dtype, dtype)[1].type(initial)
    if 0 not in (x.shape[a] for a in axes):
        return apply(op.ufunc, (reduce(op, x, axis, dtype, None, keepdims), first), out)
    shape = kept(x.shape, axes) if keepdims else left(x.shape, axes)
    return compute("a", _target(out, shape, first.dtype, [x]), (first,))


def accumulate(
    op: _Operator, x: ndarray, axis: int | None = 0, dtype: Any = None, out: Any = None
) -> ndarray:
    if axis is None:
        x, axis = x.ravel(), 0
    if x.ndim == 0:
        x = x.reshape(1)
    (along,) = axes_of(axis, x.ndim)
    wide, result = types(op, x.dtype, dtype)
    to = _target(out, x.shape, result, [x])
    text = converted('a', x.dtype, wide)
    program, leaves = _program_over(text, (x,))
    _cpl.scan(program.module(op.op(wide)), op.op(wide), program.text, op.before_of(wide), wide, 0, along, to,
              leaves)
    return to


def sum(
    a: Any, axis: Axis = None, dtype: Any = None, out: Any = None, keepdims: bool = False,
    initial: Any = None, where: Any = True,
) -> ndarray:
    """Sums along axes; those of small integers and bools are 64 bits wide.

    >>> cpl.sum(cpl.array([[1, 2], [3, 4]]), axis=0)
    array([4, 6])
    """
    a = asarray(a)
    return reduce_chosen(_OPERATORS["add"], a, axis, dtype, out, keepdims, initial,
                         where)


def prod(
    a: Any, axis: Axis = None, dtype: Any = None, out: Any = None, keepdims: bool = False,
    initial: Any = None, where: Any = True,
) -> ndarray:
    """Products along axes."""
    a = asarray(a)
    return reduce_chosen(_OPERATORS["multiply"], a, axis, dtype, out, keepdims, initial,
                         where)


def min(
    a: Any, axis: Axis = None, out: Any = None, keepdims: bool = False,
    initial: Any = None, where: Any = True,
) -> ndarray:
    """The least along axes; a NaN, if there is one."""
    a = asarray(a)
    return reduce_chosen(_OPERATORS["minimum"], a, axis, None, out, keepdims, initial,
                         where)


def max(
    a: Any, axis: Axis = None, out: Any = None, keepdims: bool = False,
    initial: Any = None, where: Any = True,
) -> ndarray:
    """The greatest along axes; a NaN, if there is one."""
    a = asarray(a)
    return reduce_chosen(_OPERATORS["maximum"], a, axis, None, out, keepdims, initial,
                         where)


def all(
    a: Any, axis: Axis = None, out: Any = None, keepdims: bool = False,
    *, where: Any = True,
) -> ndarray:
    """Whether all are other than 0, along axes."""
    a = asarray(a)
    return reduce_chosen(_OPERATORS["logical_and"], a, axis, None, out, keepdims, None,
                         where)


def any(
    a: Any, axis: Axis = None, out: Any = None, keepdims: bool = False,
    *, where: Any = True,
) -> ndarray:
    """Whether one is other than 0, along axes."""
    a = asarray(a)
    return reduce_chosen(_OPERATORS["logical_or"], a, axis, None, out, keepdims, None,
                         where)


def count_nonzero(a: Any, axis: Axis = None, *, keepdims: bool = False) -> ndarray:
    """How many are other than 0, along axes."""
    a = asarray(a)
    return sum(apply(np.not_equal, (a, 0)), axis, np.int64, None, keepdims)


def cumsum(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> ndarray:
    """Sums of all up to each element, along an axis, or of all as one dimension.

    >>> cpl.cumsum(cpl.array([1, 2, 3]))
    array([1, 3, 6])
    """
    a = asarray(a)
    return accumulate(_OPERATORS["add"], a, axis, dtype, out)


def cumprod(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> ndarray:
    """Products of all up to each element."""
    a = asarray(a)
    return accumulate(_OPERATORS["multiply"], a, axis, dtype, out)


def _counted(a: ndarray, axis: Axis, keepdims: bool, where: Any, dtype: DType) -> Any:
    """How many elements are taken in: a number, or of those where a condition holds, an array."""
    if where is True:
        return dtype.type(math.prod(a.shape[d] for d in axes_of(axis, a.ndim)))
    if np.broadcast_shapes(np.shape(where), a.shape) != a.shape:
        raise ValueError(f"where= has the shape {np.shape(where)}, and the array {a.shape}")
    axes = axes_of(axis, a.ndim)
    total = beside([a], kept(a.shape, axes) if keepdims else left(a.shape, axes), dtype)
    to = _without(total, axes) if keepdims else total
    text = f'cast(b, "{dtype.name}")'
    reduce_map(_OPERATORS["add"], text, tuple(operands((a, where))), axes, dtype, to)
    return total


def _cumulative(
    op: _Operator, x: ndarray, axis: int | None, dtype: Any, out: Any, include_initial: bool
) -> ndarray:
    if axis is None and x.ndim > 1:
        raise ValueError("For arrays which have more than one dimension ``axis`` argument is "
                         "required.")
    x = x.reshape(1) if not x.ndim else x
    (along,) = axes_of(axis or 0, x.ndim)
    if not include_initial:
        return accumulate(op, x, along, dtype, out)
    before = (slice(None),)*along
    shape = (*x.shape[:along], x.shape[along] + 1, *x.shape[along + 1:])
    wide = types(op, x.dtype, dtype)[1]
    made = _target(out, shape, wide, [x])
    compute("a", made[(*before, slice(None, 1))], (made.dtype.type(op.ufunc.identity),))
    accumulate(op, x, along, dtype, made[(*before, slice(1, None))])
    return made


def cumulative_sum(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, out: Any = None,
    include_initial: bool = False,
) -> ndarray:
    """cumsum(), with a 0 in front if wanted."""
    x = asarray(x)
    return _cumulative(_OPERATORS["add"], x, axis, dtype, out, include_initial)


def cumulative_prod(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, out: Any = None,
    include_initial: bool = False,
) -> ndarray:
    """cumprod(), with a 1 in front if wanted."""
    x = asarray(x)
    return _cumulative(_OPERATORS["multiply"], x, axis, dtype, out, include_initial)


def mean(
    a: Any, axis: Axis = None, dtype: Any = None, out: Any = None, keepdims: bool = False,
    *, where: Any = True,
) -> ndarray:
    """Means along axes, of integers in float64 but where another type is given."""
    a = asarray(a)
    result = np.dtype(dtype) if dtype is not None else a.dtype
    if result.kind in "biu" and dtype is None:
        result = np.dtype(np.float64)
    wide = np.float32 if result == np.float16 else result
    total = sum(a, axis, wide, None, keepdims, where=where)
    to = _target(out, total.shape, result, [a])
    divided = total.dtype if total.dtype.kind in "fc" else np.dtype(np.float64)
    text = converted(f'({converted("a", total.dtype, divided)}/b)', divided, to.dtype)
    return compute(text, to, (total, _counted(a, axis, keepdims, where, divided)))


def var(
    a: Any, axis: Axis = None, dtype: Any = None, out: Any = None, ddof: float = 0,
    keepdims: bool = False, *, where: Any = True, mean: Any = None, correction: float | None = None,
) -> ndarray:
    """Variances along axes: the mean of squared distances from the mean, divided by n - ddof.

    >>> cpl.var(cpl.array([1.0, 2.0, 3.0, 4.0]))
    array(1.25)
    """
    a = asarray(a)
    axes = axes_of(axis, a.ndim)
    if correction is not None:
        if ddof:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    middle = _mean(a, axis, dtype, None, True, where=where) if mean is None else mean
    result = np.finfo(middle.dtype).dtype  # of complex numbers that of their parts
    wide = np.dtype(np.float32) if result == np.float16 else result
    shape = left(a.shape, axes)
    total = beside([a], kept(a.shape, axes) if keepdims else shape, wide)
    to = _without(total, axes) if keepdims else total
    x, m = (converted(name, x.dtype, np.result_type(middle.dtype, wide)) for name, x in
            (("a", a), ("b", middle)))
    text = f"({x} - {m})*({x} - {m})"
    if middle.dtype.kind == "c":
        text = f"(({x} - {m})*({x} - {m}).conjugate()).real"
    values: tuple[Any, ...] = (a, middle)
    if where is not True:
        text, values = f'{text} if c else cast(0, "{wide.name}")', tuple(operands((a, middle, where)))
    reduce_map(_OPERATORS["add"], text, values, axes, wide, to)
    made = _target(out, total.shape, result, [a])
    count = _counted(a, axis, keepdims, where, wide)
    text = converted('(a/(b - c if b > c else cast(0, "' + wide.name + '")))', wide, made.dtype)
    return compute(text, made, (total, count, wide.type(ddof)))


_mean = mean


def std(
    a: Any, axis: Axis = None, dtype: Any = None, out: Any = None, ddof: float = 0,
    keepdims: bool = False, *, where: Any = True, mean: Any = None, correction: float | None = None,
) -> ndarray:
    """Standard deviations along axes, the roots of variances."""
    found = var(a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction)
    return apply(np.sqrt, (found,), out)


def ptp(a: Any, axis: Axis = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """The greatest less the least along axes."""
    a = asarray(a)
    return apply(np.subtract, (max(a, axis, None, keepdims), min(a, axis, None, keepdims)), out)


def _whole_round(a: ndarray, unit: float) -> ndarray:
    tens = apply(np.multiply, (apply(np.rint, (apply(np.divide, (a, unit)),)), unit))
    return tens.astype(a.dtype)


def round(a: Any, decimals: int = 0, out: Any = None) -> ndarray:
    """Elements rounded to so many decimals, halves to even.

    >>> cpl.round(cpl.array([1.25, 3.75]), 1)
    array([1.2, 3.8])
    """
    a = asarray(a)
    if a.dtype.kind in "iu":
        rounded = _whole_round(a, 10.0**-decimals) if decimals < 0 else a
        return apply(np.positive, (rounded,), out)
    if not decimals:
        return apply(np.rint, (a,), out)
    scale = a.dtype.type(10.0**abs(decimals))
    grow, shrink = (np.multiply, np.divide) if decimals > 0 else (np.divide, np.multiply)
    return apply(shrink, (apply(np.rint, (apply(grow, (a, scale)),)), scale), out)


def _extreme(a: ndarray, best: ndarray, axes: tuple[int, ...], out: Any, keepdims: bool) -> ndarray:
    """Where elements are first like the best, which has all dimensions."""
    along = math.prod(a.shape[d] for d in axes)
    places = beside([a], (along,), np.dtype(np.int64))
    _cpl.arange(places, (np.int64(0), np.int64(1)))
    at = _cpl.view(places, tuple(n if d in axes else 1 for d, n in enumerate(a.shape)), (), None, 0)
    shape = left(a.shape, axes)
    to = _target(out, kept(a.shape, axes) if keepdims else shape, np.dtype(np.int64), [a])
    found = beside([a], shape, np.dtype(np.int64))
    text = "c if a == b or (a != a and b != b) else d"
    number_of = np.int64(along)
    reduce_map(_OPERATORS["minimum"], text, (a, best, at, number_of), axes,
               np.dtype(np.int64), found)
    return cast(_cpl.view(found, to.shape, (), None, 0), to) if out is not None or keepdims else found


def _best_of_blocks(op: _Operator, a: ndarray) -> ndarray:
    """The best of each _BLOCK elements, and of those that are left."""
    count, rest = divmod(a.size, _BLOCK)
    best = beside([a], (count + (rest > 0),), a.dtype)
    whole = _cpl.view(a, (count, _BLOCK), (), None, 0)
    reduce(op, whole, 1, None, _cpl.slices(best, (slice(None, count),)))
    if rest:
        reduce(op, _cpl.slices(a, (slice(count*_BLOCK, None),)), None, None,
               _cpl.slices(best, (count,)))
    return best


def _first_of_best(name: str, a: ndarray) -> int:
    """Of elements that lie side by side: they are read once, but for the block that has it."""
    begin = 0
    if a.size > 2*_BLOCK:
        begin = _BLOCK*_first_of_best(name, _best_of_blocks(_OPERATORS[name], a))
        a = _cpl.slices(a, (slice(begin, begin + _BLOCK),))
    best = reduce(_OPERATORS[name], a, None, None, None, True)
    return begin + int(_extreme(a, best, (0,), None, False).item())


def _arg(name: str, a: ndarray, axis: int | None, out: Any, keepdims: bool) -> ndarray:
    axes = axes_of(None if axis is None else index(axis), a.ndim)
    if len(axes) == a.ndim and isinstance(a, _cpl.Array) and a.contiguous and a.size > 2*_BLOCK:
        to = _target(out, kept(a.shape, axes) if keepdims else (), np.dtype(np.int64), [a])
        first = _first_of_best(name, _cpl.view(a, (a.size,), (), None, 0))
        return apply(np.positive, (np.int64(first),), to)
    if 0 in (a.shape[d] for d in axes) and 0 not in left(a.shape, axes):
        raise ValueError(f"attempt to get arg{name[:3]} of an empty sequence")
    best = reduce(_OPERATORS[name], a, axis, None, None, True)
    return _extreme(a, best, axes, out, keepdims)


def argmin(
    a: Any, axis: int | None = None, out: Any = None, *, keepdims: bool = False
) -> ndarray:
    """Where the least is, the first of several."""
    a = asarray(a)
    return _arg("minimum", a, axis, out, keepdims)


def argmax(
    a: Any, axis: int | None = None, out: Any = None, *, keepdims: bool = False
) -> ndarray:
    """Where the greatest is, the first of several."""
    a = asarray(a)
    return _arg("maximum", a, axis, out, keepdims)


# --- neighbours ---


def _parts(a: ndarray, axis: int) -> tuple[ndarray, ndarray]:
    """All but the first along an axis, and all but the last."""
    before = (slice(None),)*axis
    return a[(*before, slice(1, None))], a[(*before, slice(None, -1))]


def diff(a: Any, n: int = 1, axis: int = -1) -> ndarray:
    """The difference of neighbours, n times.

    >>> cpl.diff(cpl.array([1, 4, 9, 16]))
    array([3, 5, 7])
    """
    a = asarray(a)
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    (along,) = axes_of(axis, a.ndim)
    for _ in range(n):
        a = apply(np.not_equal if a.dtype == np.bool_ else np.subtract, _parts(a, along))
    return a  # type: ignore[no-any-return]


def trapezoid(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> ndarray:
    """The integral of y along an axis, of trapezia between places x, or dx apart.

    >>> cpl.trapezoid(cpl.array([1.0, 2.0, 3.0]))
    array(4.)
    """
    y = asarray(y)
    (along,) = axes_of(axis, y.ndim)
    high, low = _parts(y, along)
    width: Any = dx
    if x is not None:
        (x,) = operands((x,))
        if x.ndim == 1:
            width = diff(x)[(slice(None), *(None,)*(y.ndim - along - 1))]
        else:
            width = diff(x, axis=axis)
    area = apply(np.divide, (apply(np.multiply, (width, apply(np.add, (high, low)))), 2.0))
    return sum(area, along)


def clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, **more: Any) -> ndarray:
    """Elements between two bounds, each of which may be None."""
    a = asarray(a)
    low, high = more.pop("min", a_min), more.pop("max", a_max)
    if more:
        raise unsupported(f"clip with {', '.join(more)}=")
    if a.dtype.kind in "iu":  # Python's numbers past the type's bounds are none
        low = None if type(low) is int and low <= np.iinfo(a.dtype).min else low
        high = None if type(high) is int and high >= np.iinfo(a.dtype).max else high
    if low is None:
        return apply(np.minimum, (a, high), out) if high is not None else apply(np.positive, (a,), out)
    if high is None:
        return apply(np.maximum, (a, low), out)
    return apply(np.minimum, (apply(np.maximum, (a, low)), high), out)


__all__ = [
    "all", "any", "argmax", "argmin", "clip", "count_nonzero", "cumprod", "cumsum",
    "cumulative_prod", "cumulative_sum", "diff", "max", "mean", "min", "prod", "ptp",
    "round", "std", "sum", "trapezoid", "var",
]

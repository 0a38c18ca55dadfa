"""Functions given by their values: between places, their slopes, and sums of products of shifted
ones; norms, and how rows vary together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cpl import _cpl, creation, grids, products, reductions
from cpl.axes import Axis, axes_of
from cpl.elements import apply, choose, operands, unsupported
from cpl.indexing import take
from cpl.places import beside
from cpl.sorting import argsort, searchsorted

if TYPE_CHECKING:
    from cpl.arrays import ndarray


def _float(x: Any, place: Any = None) -> ndarray:
    a = creation.asarray(operands((x,))[0], device=place)
    return a if a.dtype.kind in "fc" else a.astype(np.float64)


# --- between places ---


def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: float | None = None
) -> ndarray:
    """The function that is a straight line between the points (xp, fp), at x.

    >>> cpl.interp(cpl.array([0.5, 2.5]), [0, 1, 2], [0, 10, 20])
    array([ 5., 20.])
    """
    given = operands((x, xp, fp))
    at = creation.asarray(given[0]).astype(np.float64, copy=False)
    places = creation.asarray(given[1], device=at.place).astype(np.float64, copy=False)
    values = creation.asarray(given[2], device=at.place)
    values = values.astype(np.complex128 if values.dtype.kind == "c" else np.float64, copy=False)
    if places.ndim != 1 or values.ndim != 1:
        raise ValueError("Data points must be 1-D sequences" if period is not None else
                         "object too deep for desired array")
    if places.size != values.size:
        raise ValueError("fp and xp are not of the same length.")
    if not places.size:
        raise ValueError("array of sample points is empty")
    if period is not None:
        at, places, values = _periodic(at, places, values, period)
        left = right = None
    return _interpolated(at, places, values, left, right)


def _periodic(at: ndarray, places: ndarray, values: ndarray, period: float) -> Any:
    if period == 0:
        raise ValueError("period must be a non-zero value")
    period = abs(period)
    at, places = (apply(np.remainder, (a, period)) for a in (at, places))
    order = argsort(places)
    places, values = take(places, order), take(values, order)
    return (at, creation.concatenate([places[-1:] - period, places, places[:1] + period]),
            creation.concatenate([values[-1:], values, values[:1]]))


def _interpolated(at: ndarray, places: ndarray, values: ndarray, left: Any, right: Any) -> ndarray:
    of = values.dtype.type
    ends = values[0] if left is None else of(left), values[-1] if right is None else of(right)
    made = beside([at], at.shape, values.dtype)
    if values.dtype.kind != "c":
        creation.assign(made, _lines(at, places, values, ends, np.nan))
        return made
    for part, missing in (("real", np.nan), ("imag", 0.0)):
        of_ends = tuple(getattr(end, part) for end in ends)
        line = _lines(at, places, getattr(values, part), of_ends, missing)
        creation.assign(getattr(made, part), line)
    return made


def _lines(at: ndarray, places: ndarray, values: ndarray, ends: Any, missing: float) -> ndarray:
    """What is between the places, in front of them and behind, and at NaN."""
    n = places.size
    low = reductions.clip(searchsorted(places, at, "right") - 1, 0, n - 1)
    high = apply(np.minimum, (low + 1, n - 1))
    x0, x1, y0, y1 = (take(a, i) for a, i in ((places, low), (places, high), (values, low),
                                              (values, high)))
    slope = (y1 - y0)/(x1 - x0)
    line = choose(at == x0, y0, slope*(at - x0) + y0)
    # Where that is NaN of an infinite value, the line from the other end may be a number.
    other = slope*(at - x1) + y1
    bad = apply(np.isnan, (line,))
    line = choose(bad, choose(y0 == y1, y0, other), line)
    line = choose(at < places[0], ends[0], choose(at > places[n - 1], ends[1], line))
    if n > 1:  # NumPy's one point is the value at NaN, too
        line = choose(apply(np.isnan, (at,)), missing, line)
    return line


# --- slopes ---


def _spacings(given: tuple[Any, ...], a: ndarray, axes: tuple[int, ...]) -> list[Any]:
    """A number for each axis, or differences of places along it."""
    if not given:
        return [1.0]*len(axes)
    values: list[Any] = operands(given)
    if len(values) == 1 and np.ndim(values[0]) == 0:
        return [_number(values[0])]*len(axes)
    if len(values) != len(axes):
        raise TypeError("invalid number of arguments")
    made: list[Any] = []
    for x, axis in zip(values, axes):
        if np.ndim(x) == 0:
            made.append(_number(x))
            continue
        if np.ndim(x) != 1:
            raise ValueError("distances must be either scalars or 1d")
        if len(x) != a.shape[axis]:
            raise ValueError("when 1d, distances must match the length of the corresponding "
                             "dimension")
        steps = reductions.diff(_float(x, a.place))
        even = steps.size and bool(reductions.all(apply(np.equal, (steps, steps[0]))))
        made.append(steps[0].item() if even else steps)
    return made


def _number(x: Any) -> float:
    return x.item() if hasattr(x, "item") else x  # type: ignore[no-any-return]


def _slope(f: ndarray, axis: int, dx: Any, edge_order: int) -> ndarray:
    """By central differences inside, and by `edge_order` at both ends."""
    made = beside([f], f.shape, f.dtype)

    def part(of: Any, *key: Any) -> Any:
        return of[(*(slice(None),)*axis, slice(*key) if len(key) > 1 else slice(
            key[0], key[0] + 1 if key[0] != -1 else None))]

    if np.ndim(dx) == 0:
        part(made, 1, -1)[...] = (part(f, 2, None) - part(f, 0, -2))/(2.0*dx)
        ends = [(dx, dx)]*2
    else:
        shaped = (slice(None), *(None,)*(f.ndim - axis - 1))
        one, two = dx[:-1][shaped], dx[1:][shaped]
        part(made, 1, -1)[...] = (-two/(one*(one + two))*part(f, 0, -2) +
                                  (two - one)/(one*two)*part(f, 1, -1) +
                                  one/(two*(one + two))*part(f, 2, None))
        ends = [(dx[0], dx[1 if dx.size > 1 else 0]), (dx[-2 if dx.size > 1 else 0], dx[-1])]
    if edge_order == 1:
        part(made, 0)[...] = (part(f, 1) - part(f, 0))/ends[0][0]
        part(made, -1)[...] = (part(f, -1) - part(f, -2))/ends[1][1]
        return made
    if np.ndim(dx) == 0:
        part(made, 0)[...] = (-1.5/dx)*part(f, 0) + (2.0/dx)*part(f, 1) + (-0.5/dx)*part(f, 2)
        part(made, -1)[...] = (0.5/dx)*part(f, -3) + (-2.0/dx)*part(f, -2) + (1.5/dx)*part(f, -1)
        return made
    one, two = ends[0]
    part(made, 0)[...] = (-(2.0*one + two)/(one*(one + two))*part(f, 0) +
                          (one + two)/(one*two)*part(f, 1) - one/(two*(one + two))*part(f, 2))
    one, two = ends[1]
    part(made, -1)[...] = (two/(one*(one + two))*part(f, -3) - (two + one)/(one*two)*part(f, -2) +
                           (2.0*two + one)/(two*(one + two))*part(f, -1))
    return made


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Slopes along each axis, of values at places that are 1, or as far as is given, apart.

    >>> cpl.gradient(cpl.array([1.0, 2.0, 4.0, 7.0]))
    array([1. , 1.5, 2.5, 3. ])
    """
    a = creation.asarray(operands((f,))[0])
    if a.dtype.kind not in "fc":
        a = a.astype(np.float64)
    given = range(a.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = tuple([axes_of(int(d), a.ndim)[0] for d in given])
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    spacings = _spacings(varargs, a, axes)
    if any(a.shape[d] < edge_order + 1 for d in axes):
        raise ValueError("Shape of array too small to calculate a numerical gradient, at least "
                         "(edge_order + 1) elements are required.")
    made = tuple([_slope(a, d, dx, edge_order) for d, dx in zip(axes, spacings)])
    return made[0] if len(made) == 1 else made


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> ndarray:
    """The differences of elements in a row, with others in front and behind."""
    a = creation.asarray(ary).ravel()
    parts = [reductions.diff(a)] if a.size else [a]
    for x, at in ((to_begin, 0), (to_end, 2)):
        if x is not None:
            there = creation.asarray(operands((x,))[0], device=a.place).ravel()
            if not np.can_cast(there.dtype, a.dtype, "same_kind"):
                name = "to_end" if at else "to_begin"
                raise TypeError(f"dtype of `{name}` must be compatible with input `ary` under the "
                                "`same_kind` rule.")
            parts.insert(at, there.astype(a.dtype))
    return creation.concatenate(parts)


# --- shifted, and multiplied ---


def _windows(a: ndarray, length: int, count: int) -> ndarray:
    """A view whose row k has `length` elements from k on."""
    by = a.strides[0]
    return _cpl.view(a, (count, length), (by, by), None, 0)


def _correlated(a: ndarray, v: ndarray, mode: str) -> ndarray:
    """v is no longer than a, and conjugate already."""
    n, m = a.size, v.size
    if mode not in ("valid", "same", "full"):
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got '{mode}')")
    kind = np.result_type(a.dtype, v.dtype)
    if mode != "valid":
        around = (m - 1, m - 1) if mode == "full" else (m//2, m - 1 - m//2)
        a = grids.pad(a, around)
    a, v = a.astype(kind).copy(), v.astype(kind).copy()
    count = a.size - m + 1
    made: ndarray = products.matmul(_windows(a, m, count), v)
    return made


def _pair(a: Any, v: Any) -> tuple[ndarray, ndarray]:
    given = operands((a, v))
    x, y = (creation.asarray(g) for g in given)
    if x.ndim > 1 or y.ndim > 1:
        raise ValueError("object too deep for desired array")
    return x.reshape(-1), y.reshape(-1)


def convolve(a: Any, v: Any, mode: str = "full") -> ndarray:
    """The sums of products of one array and the other one turned round and shifted.

    >>> cpl.convolve(cpl.array([1, 2, 3]), cpl.array([0, 1]))
    array([0, 1, 2, 3])
    """
    x, y = _pair(a, v)
    if y.size > x.size:
        x, y = y, x
    if not y.size:
        raise ValueError("v cannot be empty" if x.size else "a cannot be empty")
    return _correlated(x, y[::-1], mode)


def correlate(a: Any, v: Any, mode: str = "valid") -> ndarray:
    """The sums of products of one array and the other one shifted, of its conjugates."""
    x, y = _pair(a, v)
    if not y.size or not x.size:
        raise ValueError("second array argument cannot be empty" if x.size else
                         "first array argument cannot be empty")
    if y.size > x.size:
        return _correlated(apply(np.conjugate, (y,)), x, mode)[::-1].copy() if x.dtype.kind != "c" \
            and y.dtype.kind != "c" else _swapped(x, y, mode)
    return _correlated(x, apply(np.conjugate, (y,)), mode)


def _swapped(x: ndarray, y: ndarray, mode: str) -> ndarray:
    made = _correlated(y, apply(np.conjugate, (x,)), mode)[::-1]
    return apply(np.conjugate, (made,))


def cross(a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1,
          axis: int | None = None) -> ndarray:
    """What stands upright on two vectors of three elements, along an axis of both."""
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = (creation.asarray(v).moveaxis(d, -1) for v, d in zip(operands((a, b)), (axisa, axisb)))
    if x.shape[-1] != 3 or y.shape[-1] != 3:
        raise ValueError("Both input arrays must be (arrays of) 3-dimensional vectors, but they "
                         f"are {x.shape[-1]} and {y.shape[-1]} dimensional instead.")
    shape = np.broadcast_shapes(x.shape, y.shape)
    made = beside([x, y], shape, np.result_type(x.dtype, y.dtype))
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        made[..., k] = x[..., i]*y[..., j] - x[..., j]*y[..., i]
    return made.moveaxis(-1, axisc)


# --- how rows vary together ---


def _as_rows(m: Any, place: Any, kind: Any, rowvar: bool) -> ndarray:
    x = creation.asarray(m, device=place).astype(kind)
    if x.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    if x.ndim < 2:
        return x.reshape(1, -1)
    return x if rowvar or x.shape[0] == 1 else x.T


def _frequencies(w: Any, name: str, n: int, place: Any, whole: bool) -> ndarray:
    x = creation.asarray(operands((w,))[0], device=place)
    if x.ndim > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if x.shape != (n,):
        raise RuntimeError(f"incompatible numbers of samples and {name}")
    if whole and x.dtype.kind == "f" and not reductions.all(apply(np.equal, (x, np.round(x)))):
        raise TypeError("fweights must be integer")
    if reductions.any(x < 0):
        raise ValueError(f"{name} cannot be negative")
    return x.astype(np.float64)


def cov(
    m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None,
    fweights: Any = None, aweights: Any = None, *, dtype: Any = None,
) -> ndarray:
    """How much each two rows vary together: the mean product of their distances from their means.

    >>> cpl.cov(cpl.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    given = operands((m,) if y is None else (m, y))
    first = creation.asarray(given[0])
    kind = np.dtype(dtype) if dtype is not None else np.result_type(
        *(g.dtype for g in given), np.float64)
    x = _as_rows(first, first.place, kind, rowvar)
    if y is not None:
        x = creation.concatenate([x, _as_rows(given[1], first.place, kind, rowvar)])
    ddof = (0 if bias else 1) if ddof is None else ddof
    w: Any = None
    if fweights is not None:
        w = _frequencies(fweights, "fweights", x.shape[1], x.place, True)
    if aweights is not None:
        a = _frequencies(aweights, "aweights", x.shape[1], x.place, False)
        w = a if w is None else w*a
    return _covariance(x, w, ddof, None if aweights is None else a)


def _covariance(x: ndarray, w: Any, ddof: int, a: Any) -> ndarray:
    if w is None:
        middle, total = reductions.mean(x, 1, keepdims=True), float(x.shape[1])
        factor = total - ddof
    else:
        total = float(reductions.sum(w))
        if total == 0:
            raise ZeroDivisionError("Weights sum to zero, can't be normalized")
        middle = reductions.sum(x*w, 1, keepdims=True)/total
        factor = total - ddof if a is None else (
            total - ddof*float(reductions.sum(w*a))/total if ddof else total)
    far = x - middle
    weighted = far if w is None else far*w
    products_ = products.matmul(far, apply(np.conjugate, (weighted,)).T)
    made = apply(np.divide, (products_, max(factor, 0.0)))
    return made.squeeze()


def corrcoef(x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> ndarray:
    """cov() of rows that each vary by 1."""
    c = cov(x, y, rowvar, dtype=dtype)
    if not c.ndim:
        return apply(np.divide, (c, c))
    root = apply(np.sqrt, (products.diagonal(c).real,))
    c = apply(np.divide, (c/root[:, None], root[None, :]))
    if c.dtype.kind != "c":
        return reductions.clip(c, -1, 1)
    made = c.copy()
    made.real[...] = reductions.clip(made.real, -1, 1)
    made.imag[...] = reductions.clip(made.imag, -1, 1)
    return made


# --- norms ---


def _squares(x: ndarray) -> ndarray:
    if x.dtype.kind != "c":
        return apply(np.square, (x,))
    return apply(np.add, (apply(np.square, (x.real,)), apply(np.square, (x.imag,))))


def _vector_norm(x: ndarray, order: Any, axis: Axis, keepdims: bool) -> ndarray:
    if order is None or order == 2:
        return apply(np.sqrt, (reductions.sum(_squares(x), axis, None, None, keepdims),))
    size = apply(np.absolute, (x,))
    if order == np.inf:
        return reductions.max(size, axis, None, keepdims)
    if order == -np.inf:
        return reductions.min(size, axis, None, keepdims)
    if order == 0:
        there = apply(np.not_equal, (x, 0)).astype(size.dtype)
        return reductions.sum(there, axis, None, None, keepdims)
    if order == 1:
        return reductions.sum(size, axis, None, None, keepdims)
    if isinstance(order, str):
        raise ValueError(f"Invalid norm order '{order}' for vectors")
    powers = apply(np.power, (size, size.dtype.type(order)))
    total = reductions.sum(powers, axis, None, None, keepdims)
    return apply(np.power, (total, total.dtype.type(1/order)))


def _matrix_norm(x: ndarray, order: Any, axes: tuple[int, int], keepdims: bool) -> ndarray:
    row, column = axes
    if row == column:
        raise ValueError("Duplicate axes given.")
    if order in (None, "fro", "f"):
        return _vector_norm(x, None, (row, column), keepdims)
    if order in (2, -2, "nuc"):
        raise unsupported(f"numpy.linalg.norm of matrices with ord={order!r}, by singular values,")
    if order not in (1, -1, np.inf, -np.inf):
        raise ValueError("Invalid norm order for matrices.")
    first, second = (row, column) if abs(order) == 1 else (column, row)
    sums = reductions.sum(apply(np.absolute, (x,)), first, None, None, True)
    best = (reductions.max if order > 0 else reductions.min)(sums, second, None, True)
    return best if keepdims else best.squeeze((row, column))


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> ndarray:
    """numpy.linalg.norm: of vectors along an axis, or of matrices along two.

    >>> cpl.norm(cpl.array([3.0, 4.0]))
    array(5.)
    """
    a = _float(x)
    if axis is None:
        if ord is None or (ord in ("f", "fro") and a.ndim == 2) or (ord == 2 and a.ndim == 1):
            return _vector_norm(a, None, None, keepdims)
        axes: tuple[int, ...] = tuple(range(a.ndim))
    else:
        given = axis if isinstance(axis, tuple) else (axis,)
        axes = tuple([axes_of(d.__index__(), a.ndim)[0] for d in given])
    if len(axes) == 1:
        return _vector_norm(a, ord, axes, keepdims)
    if len(axes) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    return _matrix_norm(a, ord, axes, keepdims)


def vector_norm(x: Any, /, *, axis: Axis = None, keepdims: bool = False, ord: Any = 2) -> ndarray:
    """norm() of vectors along axes, whose elements are one vector."""
    return _vector_norm(_float(x), ord, axis, keepdims)


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> ndarray:
    """norm() of the last two dimensions."""
    return norm(x, ord, (-2, -1), keepdims)


# --- polynomials, and others ---


def polyval(p: Any, x: Any) -> ndarray:
    """The polynomial of these factors, the highest power's first, at x."""
    factors, at = operands((p, x))
    at = creation.asarray(at)
    made: Any = apply(np.multiply, (at, at.dtype.type(0)))
    for factor in creation.asarray(factors).numpy():
        made = made*at + factor
    return made  # type: ignore[no-any-return]


def vander(x: Any, N: int | None = None, increasing: bool = False) -> ndarray:
    """A matrix whose columns are powers of a vector."""
    a = creation.asarray(operands((x,))[0])
    if a.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    n = a.size if N is None else N
    made = beside([a], (a.size, n), np.promote_types(a.dtype, np.int64))
    for k in range(n):
        column = made[:, k if increasing else n - 1 - k]
        creation.assign(column, made.dtype.type(1) if not k else
                        a*made[:, k - 1 if increasing else n - k])
    return made


def sinc(x: Any) -> ndarray:
    """sin(pi*x)/(pi*x)"""
    a = _float(x)
    y = apply(np.multiply, (a, np.pi))
    return choose(apply(np.equal, (y, 0)), y.dtype.type(1), apply(np.divide, (apply(np.sin, (y,)), y)))


def unwrap(p: Any, discont: float | None = None, axis: int = -1, *, period: float = 2*np.pi) -> ndarray:
    """Values whose steps along an axis are less than half a period, by whole periods added."""
    a = creation.asarray(operands((p,))[0])
    (along,) = axes_of(axis, a.ndim)
    steps = reductions.diff(a, axis=along)
    kind = np.result_type(steps.dtype, period)
    if kind.kind in "iu":
        high, odd = divmod(int(period), 2)
        low, edge = -high, not odd
    else:
        high, low, edge = period/2, -period/2, True  # type: ignore[assignment]
    whole = apply(np.remainder, (steps - low, period)) + low
    if edge:
        whole = choose((whole == low) & (steps > 0), whole.dtype.type(high), whole)
    most = period/2 if discont is None else max(discont, period/2)
    shift = choose(abs(steps) < most, whole.dtype.type(0), whole - steps)
    made = a.astype(kind)
    rest = (*(slice(None),)*along, slice(1, None))
    made[rest] = a[rest] + reductions.cumsum(shift, along)
    return made


__all__ = [
    "convolve", "corrcoef", "correlate", "cov", "cross", "ediff1d", "gradient", "interp", "norm",
    "polyval", "sinc", "unwrap", "vander",
]

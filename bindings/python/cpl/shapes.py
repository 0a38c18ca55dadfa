"""Arrays laid out anew, and compared as a whole: views where NumPy has views, else copies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cpl import _cpl, creation, indexing, products, reductions
from cpl.axes import axes_of
from cpl.elements import _fits, apply, choose, operands, result

if TYPE_CHECKING:
    from cpl.arrays import ndarray

_Axes = int | tuple[int, ...]


def expand_dims(a: Any, axis: _Axes) -> ndarray:
    """A view with dimensions of one element at these places.

    >>> cpl.expand_dims(cpl.array([1, 2]), 1).shape
    (2, 1)
    """
    a = creation.asarray(a)
    new = axis if isinstance(axis, tuple) else (axis,)
    where = axes_of(new, a.ndim + len(new))
    key = tuple(None if d in where else slice(None) for d in range(a.ndim + len(new)))
    return a[key]  # type: ignore[no-any-return]


def flip(m: Any, axis: _Axes | None = None) -> ndarray:
    """A view that goes the other way along axes, or along all.

    >>> cpl.flip(cpl.array([1, 2, 3]))
    array([3, 2, 1])
    """
    m = creation.asarray(m)
    turned = axes_of(axis, m.ndim)
    key = tuple(slice(None, None, -1) if d in turned else slice(None) for d in range(m.ndim))
    return m[key]  # type: ignore[no-any-return]


def _rolled(a: ndarray, shift: int, axis: int) -> ndarray:
    n = a.shape[axis]
    by = shift % n if n else 0
    before = (slice(None),)*axis
    made = creation.empty_like(a)
    made[(*before, slice(by, None))] = a[(*before, slice(None, n - by))]
    made[(*before, slice(None, by))] = a[(*before, slice(n - by, None))]
    return made


def roll(a: Any, shift: int | Sequence[int], axis: _Axes | None = None) -> ndarray:
    """A copy with elements moved on by `shift`; those past the end come in at the beginning.

    >>> cpl.roll(cpl.arange(5), 2)
    array([3, 4, 0, 1, 2])
    """
    a = creation.asarray(a)
    if axis is None:
        return _rolled(a.ravel(), int(np.sum(shift)), 0).reshape(a.shape)
    made = a
    for by, along in np.broadcast(shift, axis):
        made = _rolled(made, int(by), axes_of(int(along), a.ndim)[0])
    return made  # type: ignore[no-any-return]


def outer(a: ndarray, b: ndarray) -> ndarray:
    """The product of each element of a with each of b."""
    a, b = (creation.asarray(x).ravel() for x in (a, b))
    return apply(np.multiply, (a[:, None], b[None, :]))


def repeat(a: Any, repeats: Any, axis: int | None = None) -> ndarray:
    """A copy with each element as often, one behind the other; or as often as a list says.

    >>> cpl.repeat(cpl.array([1, 2]), 2)
    array([1, 1, 2, 2])
    """
    a = creation.asarray(a)
    if axis is None:
        a, axis = a.ravel(), 0
    (along,) = axes_of(axis, a.ndim)
    if np.ndim(repeats):
        return indexing.take(a, np.repeat(np.arange(a.shape[along]), np.asarray(repeats)), along)
    return _spread(a, (*a.shape[:along + 1], repeats, *a.shape[along + 1:]), along + 1).reshape(
        a.shape[:along] + (a.shape[along]*repeats,) + a.shape[along + 1:])


def _spread(a: ndarray, shape: tuple[int, ...], *new: int) -> ndarray:
    """A copy in which elements are the same along new dimensions."""
    made = _cpl.create(shape, a.dtype, a.place, False)
    made[...] = expand_dims(a, new)
    return made


def tile(A: Any, reps: int | Sequence[int]) -> ndarray:
    """A copy with the array so often along each dimension.

    >>> cpl.tile(cpl.array([1, 2]), 2)
    array([1, 2, 1, 2])
    """
    A = creation.asarray(A)
    counts = [reps] if isinstance(reps, int) else list(reps)
    counts = [1]*(A.ndim - len(counts)) + counts
    lengths = (1,)*(len(counts) - A.ndim) + A.shape
    whole = A.reshape(lengths)
    shape = tuple(n for pair in zip(counts, lengths) for n in pair)
    spread = _spread(whole, shape, *range(0, 2*len(counts), 2))
    return spread.reshape(tuple(c*n for c, n in zip(counts, lengths)))


def array_equal(a1: Any, a2: Any) -> bool:
    """Whether both have one shape and the same elements."""
    x, y = operands((a1, a2))
    return np.shape(x) == np.shape(y) and bool(reductions.all(apply(np.equal, (x, y))))


def isclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08,
            equal_nan: bool = False) -> ndarray:
    """Where |a - b| <= atol + rtol*|b|, and where both are the same infinity."""
    x, y = operands((a, b))
    near = abs(x - y) <= atol + rtol*abs(y)
    same = apply(np.logical_and, (near, apply(np.isfinite, (y,))))
    same = apply(np.logical_or, (same, apply(np.equal, (x, y))))
    if not equal_nan:
        return same
    both = apply(np.logical_and, (apply(np.isnan, (x,)), apply(np.isnan, (y,))))
    return apply(np.logical_or, (same, both))


def allclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08,
             equal_nan: bool = False) -> bool:
    """Whether isclose() holds everywhere.

    >>> cpl.allclose(cpl.array([1.0, 2.0]), 1 + 1e-9)
    False
    """
    return bool(reductions.all(isclose(a, b, rtol, atol, equal_nan)))


def _raised(a: Any, dims: int) -> ndarray:
    """With so many dimensions at least; new ones come in front."""
    x = creation.asarray(a)
    return x[(None,)*(dims - x.ndim)] if x.ndim < dims else x


def _all_raised(arrays: tuple[Any, ...], dims: int) -> Any:
    raised = [_raised(a, dims) for a in arrays]
    return raised[0] if len(raised) == 1 else tuple(raised)


def atleast_1d(*arys: Any) -> Any:
    """Arrays of one dimension at least.

    >>> cpl.atleast_1d(cpl.array(3.0)).shape
    (1,)
    """
    return _all_raised(arys, 1)


def atleast_2d(*arys: Any) -> Any:
    """Arrays of two dimensions at least: one of one is a row."""
    return _all_raised(arys, 2)


def vstack(tup: Sequence[Any]) -> ndarray:
    """Arrays below each other; those of one dimension are rows.

    >>> cpl.vstack([cpl.array([1, 2]), cpl.array([3, 4])])
    array([[1, 2],
           [3, 4]])
    """
    return creation.concatenate([_raised(a, 2) for a in tup], 0)


def hstack(tup: Sequence[Any]) -> ndarray:
    """Arrays side by side.

    >>> cpl.hstack([cpl.array([1, 2]), cpl.array([3])])
    array([1, 2, 3])
    """
    raised = [_raised(a, 1) for a in tup]
    return creation.concatenate(raised, 0 if raised and raised[0].ndim == 1 else 1)


def column_stack(tup: Sequence[Any]) -> ndarray:
    """Arrays side by side; those of one dimension are columns."""
    parts = [creation.asarray(a) for a in tup]
    return creation.concatenate([a[:, None] if a.ndim == 1 else _raised(a, 2) for a in parts], 1)


# --- repeated, and taken apart ---


def broadcast_to(array: Any, shape: int | Sequence[int]) -> ndarray:
    """The elements repeated along dimensions to have a shape: a copy, which is read as it is
    computed where an expression uses it.

    >>> cpl.broadcast_to(cpl.array([1, 2]), (2, 2))
    array([[1, 2],
           [1, 2]])
    """
    x = creation.asarray(array)
    to = (shape,) if isinstance(shape, int) else tuple(shape)
    if not _fits(x.shape, to):
        raise ValueError(f"operands could not be broadcast together with remapped shapes: {x.shape} "
                         f"and requested shape {to}")
    return result("a", [x], to, x.dtype)


def broadcast_arrays(*args: Any) -> tuple[ndarray, ...]:
    """Each of the arrays in the shape that fits all."""
    parts = [creation.asarray(a) for a in args]
    shape = np.broadcast_shapes(*(a.shape for a in parts))
    return tuple(broadcast_to(a, shape) for a in parts)


def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[ndarray]:
    """Views of parts along an axis: as many, as like as can be, or those between indices."""
    x = creation.asarray(ary)
    (along,) = axes_of(axis, x.ndim)
    n = x.shape[along]
    if np.ndim(indices_or_sections):
        ends = [*map(int, indices_or_sections), n]
    else:
        count = int(indices_or_sections)
        if count <= 0:
            raise ValueError("number sections must be larger than 0.")
        each, more = divmod(n, count)
        ends = [(k + 1)*each + min(k + 1, more) for k in range(count)]
    before = (slice(None),)*along
    return [x[(*before, slice(begin, end))] for begin, end in zip([0, *ends], ends)]


def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[ndarray]:
    """Views of equal parts along an axis, or of those between indices.

    >>> cpl.split(cpl.arange(4), 2)
    [array([0, 1]), array([2, 3])]
    """
    x = creation.asarray(ary)
    (along,) = axes_of(axis, x.ndim)
    if not np.ndim(indices_or_sections) and x.shape[along] % int(indices_or_sections):
        raise ValueError("array split does not result in an equal division")
    return array_split(x, indices_or_sections, axis)


def hsplit(ary: Any, indices_or_sections: Any) -> list[ndarray]:
    """split() of columns; of one dimension of its elements."""
    x = creation.asarray(ary)
    return split(x, indices_or_sections, 1 if x.ndim > 1 else 0)


def vsplit(ary: Any, indices_or_sections: Any) -> list[ndarray]:
    """split() of rows."""
    x = creation.asarray(ary)
    if x.ndim < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(x, indices_or_sections, 0)


def _triangle(m: Any, k: int, lower: bool) -> ndarray:
    x = creation.asarray(m)
    if x.ndim < 2:
        raise ValueError("a triangle is of two dimensions or more")
    rows, columns = (creation.arange(n, device=x.place) for n in x.shape[-2:])
    inside = columns <= rows[:, None] + k
    zero = x.dtype.type(0)
    return choose(inside, x, zero) if lower else choose(inside, zero, x)


def tril(m: Any, k: int = 0) -> ndarray:
    """A copy with zeros above the k-th diagonal.

    >>> cpl.tril(cpl.ones((2, 2)))
    array([[1., 0.],
           [1., 1.]])
    """
    return _triangle(m, k, True)


def triu(m: Any, k: int = 0) -> ndarray:
    """A copy with zeros below the k-th diagonal."""
    return _triangle(m, k - 1, False)


def append(arr: Any, values: Any, axis: int | None = None) -> ndarray:
    """A copy with values behind it, along an axis or all in a row."""
    x, y = creation.asarray(arr), creation.asarray(values)
    if axis is None:
        x, y, axis = x.ravel(), y.ravel(), 0
    return creation.concatenate([x, y], axis)


def flipud(m: ndarray) -> ndarray:
    """A view with the rows in the other order."""
    return flip(m, 0)


def fliplr(m: ndarray) -> ndarray:
    """A view with the columns in the other order."""
    return flip(m, 1)


def matrix_transpose(x: Any, /) -> ndarray:
    """A view with the last two dimensions in the other order."""
    x = creation.asarray(x)
    return x.mT  # type: ignore[no-any-return]


def unstack(x: ndarray, /, *, axis: int = 0) -> tuple[ndarray, ...]:
    """Views of the parts that stack() would put together."""
    return tuple(creation.asarray(x).moveaxis(axis, 0))


def diagflat(v: Any, k: int = 0) -> ndarray:
    """A matrix with the elements in a row on its k-th diagonal."""
    return products.diag(creation.asarray(v).ravel(), k)


def diag_indices_from(arr: Any) -> tuple[ndarray, ...]:
    """Indices of the elements whose indices are all alike."""
    arr = creation.asarray(arr)
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    if len(set(arr.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    at = creation.arange(arr.shape[0], device=arr.place)
    return tuple([at]*arr.ndim)


def _triangle_indices(arr: ndarray, k: int, lower: bool) -> tuple[ndarray, ...]:
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    rows, columns = (creation.arange(n, device=arr.place) for n in arr.shape)
    inside = columns <= rows[:, None] + (k if lower else k - 1)
    return indexing.nonzero(inside if lower else ~inside)


def tril_indices_from(arr: Any, k: int = 0) -> tuple[ndarray, ...]:
    """Indices of the elements that are not above the k-th diagonal."""
    arr = creation.asarray(arr)
    return _triangle_indices(arr, k, True)


def triu_indices_from(arr: Any, k: int = 0) -> tuple[ndarray, ...]:
    """Indices of the elements that are not below the k-th diagonal."""
    arr = creation.asarray(arr)
    return _triangle_indices(arr, k, False)


# --- what elements are ---


def _is_real(x: ndarray) -> None:
    if x.dtype.kind == "c":
        raise TypeError(f"This operation is not supported for {x.dtype} values because it would be "
                        "ambiguous.")


def isposinf(x: Any, out: Any = None) -> ndarray:
    """Which elements are plus infinity."""
    x = creation.asarray(x)
    _is_real(x)
    return apply(np.equal, (x, np.inf), out)


def isneginf(x: Any, out: Any = None) -> ndarray:
    """Which elements are minus infinity."""
    x = creation.asarray(x)
    _is_real(x)
    return apply(np.equal, (x, -np.inf), out)


def isreal(x: Any) -> ndarray:
    """Which elements have no imaginary part."""
    x = creation.asarray(x)
    return apply(np.equal, (x.imag, 0))


def iscomplex(x: Any) -> ndarray:
    """Which elements have an imaginary part."""
    x = creation.asarray(x)
    return apply(np.not_equal, (x.imag, 0))


def fix(x: ndarray, out: Any = None) -> ndarray:
    """Elements without what is behind the point."""
    return apply(np.trunc, (x,), out)


__all__ = [
    "allclose", "append", "array_equal", "array_split", "atleast_1d", "atleast_2d",
    "broadcast_arrays", "broadcast_to", "column_stack", "diag_indices_from", "diagflat",
    "expand_dims", "fix", "flip", "fliplr", "flipud", "hsplit", "hstack", "isclose", "iscomplex",
    "isneginf", "isposinf", "isreal", "matrix_transpose", "outer", "repeat", "roll", "split", "tile", "tril",
    "tril_indices_from", "triu", "triu_indices_from", "unstack", "vsplit", "vstack",
]

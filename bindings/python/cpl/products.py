"""Sums of products: of vectors and matrices, and what einsum() says. Each is one kernel, which
multiplies as it sums.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cpl import _cpl
from cpl.axes import axes_of
from cpl.creation import assign, asarray, zeros
from cpl.elements import (
    DType, _target, apply, compute, converted, is_number, number, operands, unsupported,
)
from cpl.reductions import _OPERATORS, reduce_map, sum

if TYPE_CHECKING:
    from cpl.arrays import ndarray

Labels = tuple[int, ...]  # of the dimensions of an array: alike ones go together

_MOST_DIMS = 8  # as in cpl/array.h
_MOST_FACTORS = 4  # of one operation

# --- parts ---


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> ndarray:
    """A view of the elements whose indices along two axes differ by offset; they come last.

    >>> cpl.diagonal(cpl.array([[1, 2], [3, 4]]))
    array([1, 4])
    """
    a = asarray(a)
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    (one,), (two,) = axes_of(axis1, a.ndim), axes_of(axis2, a.ndim)
    if one == two:
        raise ValueError("axis1 and axis2 cannot be the same")
    down, right = max(-offset, 0), max(offset, 0)
    length = max(min(a.shape[one] - down, a.shape[two] - right), 0)
    others = [d for d in range(a.ndim) if d not in (one, two)]
    shape = (*(a.shape[d] for d in others), length)
    if 0 in shape:
        return zeros(shape, a.dtype, device=a.place)
    strides = (*(a.strides[d] for d in others), a.strides[one] + a.strides[two])
    start = down*a.strides[one] + right*a.strides[two]
    return _cpl.view(a, shape, strides, None, start)


def diag(v: ndarray, k: int = 0) -> ndarray:
    """A matrix with a vector on its k-th diagonal; of a matrix that diagonal.

    >>> cpl.diag(cpl.array([1, 2]))
    array([[1, 0],
           [0, 2]])
    """
    v = asarray(v)
    if v.ndim == 2:
        return diagonal(v, k)
    if v.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    made = zeros((v.size + abs(k),)*2, v.dtype, device=v.place)
    assign(diagonal(made, k), v)
    return made


def fill_diagonal(a: ndarray, val: Any, wrap: bool = False) -> None:
    """Writes to the elements whose indices are all alike."""
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if wrap:
        raise unsupported("numpy.fill_diagonal with wrap=")
    if a.ndim > 2 and len(set(a.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    assign(_alike(a, (0,)*a.ndim)[0], val)


def trace(
    a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None
) -> ndarray:
    """The sum of a diagonal.

    >>> cpl.trace(cpl.array([[1, 2], [3, 4]]))
    array(5)
    """
    a = asarray(a)
    return sum(diagonal(a, offset, axis1, axis2), -1, dtype, out)


# --- the kernel ---


def _alike(a: ndarray, labels: Labels) -> tuple[ndarray, Labels]:
    """A view of the elements whose indices of one label are alike, which is there once then."""
    own = tuple(dict.fromkeys(labels))
    if len(own) == len(labels):
        return a, labels
    shape, strides = [], []
    for label in own:
        at = [d for d, other in enumerate(labels) if other == label]
        shape.append(min(a.shape[d] for d in at))
        strides.append(builtins.sum(a.strides[d] for d in at))
    if 0 in shape:
        return zeros(tuple(shape), a.dtype, device=a.place), own
    return _cpl.view(a, tuple(shape), tuple(strides), None, 0), own


def _laid(a: ndarray, labels: Labels, order: Labels) -> ndarray:
    """A view with a dimension for each label of the order, of one element where it has none."""
    present = [label for label in order if label in labels]
    turned = a.transpose(*(labels.index(label) for label in present)) if present else a
    return turned[tuple(slice(None) if label in labels else None for label in order)]


def _lengths(values: Sequence[Any], labels: Sequence[Labels]) -> dict[int, int]:
    lengths: dict[int, int] = {}
    for a, own in zip(values, labels):
        for n, label in zip(np.shape(a), own):
            known = lengths.setdefault(label, n)
            if known == 1:
                lengths[label] = n
            elif n not in (1, known):
                raise ValueError(f"operands could not be summed together: along one dimension "
                                 f"there are {known} and {n} elements")
    return lengths


def _few(values: list[Any], wide: DType) -> list[Any]:
    """No more factors than one operation has: the others become one."""
    while len(values) > _MOST_FACTORS:
        values = [apply(np.multiply, (values[0], values[1]), None, wide), *values[2:]]
    return values


def _types(values: Sequence[Any]) -> tuple[DType, DType]:
    """The type that products are of, and that of the result."""
    found = np.result_type(*[x.dtype if hasattr(x, "dtype") else x for x in values])
    if not is_number(found):
        raise unsupported(f"a product of {found}")
    return (np.dtype(np.float32) if found == np.float16 else found), found


def contract(values: Sequence[Any], labels: Sequence[Labels], kept: Labels, out: Any) -> ndarray:
    """The products of elements of operands, summed over the labels that are not kept."""
    lengths = _lengths(values, labels)
    order = (*kept, *(label for label in lengths if label not in kept))
    if len(order) > _MOST_DIMS:
        raise unsupported(f"a sum of products over more than {_MOST_DIMS} dimensions")
    wide, result = _types(values)
    parts = [_laid(*_alike(asarray(a), own), order) if own else number(a, wide)
             for a, own in zip(values, labels)]
    parts = _few(parts, wide)
    texts = [converted(name, x.dtype, wide) for name, x in zip("abcd", parts)]
    is_bool = wide.kind == "b"
    text = (" & " if is_bool else "*").join(texts)
    shape = tuple(lengths[label] for label in kept)
    to = _target(out, shape, result, list(values))
    if len(order) == len(kept):
        return compute(converted(f"({text})", wide, to.dtype), to, tuple(parts))
    if not shape and not lengths:
        raise ValueError("nothing to sum")
    op = _OPERATORS["logical_or" if is_bool else "add"]
    return reduce_map(op, text, tuple(parts), tuple(range(len(kept), len(order))), wide, to)


# --- vectors and matrices ---


def _ndim(a: Any) -> int:
    return int(np.ndim(a))


def _not_aligned(a: Any, b: Any, one: int, two: int) -> ValueError:
    return ValueError(f"shapes {np.shape(a)} and {np.shape(b)} not aligned: {np.shape(a)[one]} "
                      f"(dim {one}) != {np.shape(b)[two]} (dim {two})")


def _contracted(a: Any, b: Any, of_a: Sequence[int], of_b: Sequence[int], out: Any) -> ndarray:
    """The dimensions of a that are left, then those of b; the given ones are summed over."""
    for one, two in zip(of_a, of_b):
        if np.shape(a)[one] != np.shape(b)[two]:
            raise _not_aligned(a, b, one, two)
    x = list(range(_ndim(a)))
    y = list(range(_ndim(a), _ndim(a) + _ndim(b)))
    for one, two in zip(of_a, of_b):
        y[two] = x[one]
    kept = [label for label in x + y if label not in {x[d] for d in of_a}]
    return contract((a, b), (tuple(x), tuple(y)), tuple(kept), out)


def dot(a: Any, b: Any, out: Any = None) -> ndarray:
    """The sum of products of two vectors; in general over the last dimension of a, and the last
    but one of b.

    >>> cpl.dot(cpl.array([1.0, 2.0]), cpl.array([3.0, 4.0]))
    array(11.)
    """
    a, b = operands((a, b))
    if not _ndim(a) or not _ndim(b):
        return apply(np.multiply, (a, b), out)
    return _contracted(a, b, (_ndim(a) - 1,), (max(_ndim(b) - 2, 0),), out)


def matmul(a: Any, b: Any, out: Any = None) -> ndarray:
    """The products of matrices and vectors; of more dimensions than two those in front are of
    many matrices, and one of them is repeated along those that it lacks.

    >>> cpl.matmul(cpl.ones((5, 2, 3)), cpl.ones((3, 4))).shape
    (5, 2, 4)
    """
    a, b = operands((a, b))
    if not _ndim(a) or not _ndim(b):
        raise ValueError("matmul: an operand has no dimensions: a*b multiplies by a number")
    one, two = _ndim(a) - 1, max(_ndim(b) - 2, 0)
    if np.shape(a)[one] != np.shape(b)[two]:
        raise _not_aligned(a, b, one, two)
    many = max(_ndim(a), _ndim(b), 2) - 2
    batch, (row, middle, column) = tuple(range(many)), range(many, many + 3)
    x = (*batch[many - max(_ndim(a) - 2, 0):], row, middle)[-_ndim(a):]
    y = (*batch[many - max(_ndim(b) - 2, 0):], middle, column)[:_ndim(b)]
    kept = (*batch, *(label for label in (row, column) if label in x + y))
    return contract((a, b), (x, y), kept, out)


def matvec(x1: Any, x2: Any, out: Any = None) -> ndarray:
    """Products of matrices and vectors, whose other dimensions fit each other."""
    a, b = (asarray(x) for x in operands((x1, x2)))
    if a.ndim < 2 or not b.ndim:
        raise ValueError("matvec: a matrix and a vector are needed")
    return _given(matmul(a, b[..., None])[..., 0], out)


def vecmat(x1: Any, x2: Any, out: Any = None) -> ndarray:
    """Products of vectors, of their conjugates, and matrices."""
    a, b = (asarray(x) for x in operands((x1, x2)))
    if b.ndim < 2 or not a.ndim:
        raise ValueError("vecmat: a vector and a matrix are needed")
    return _given(matmul(a.conj()[..., None, :], b)[..., 0, :], out)


def _given(made: ndarray, out: Any) -> ndarray:
    return made if out is None else apply(np.positive, (made,), out)


def inner(a: Any, b: Any) -> ndarray:
    """The sum of products over the last dimension of both."""
    a, b = operands((a, b))
    if not _ndim(a) or not _ndim(b):
        return apply(np.multiply, (a, b))
    return _contracted(a, b, (_ndim(a) - 1,), (_ndim(b) - 1,), None)


def vecdot(x1: Any, x2: Any, out: Any = None, *, axis: int = -1) -> ndarray:
    """The sum of products along an axis of both, of the first one's conjugates."""
    a, b = (asarray(x).moveaxis(axis, -1) for x in operands((x1, x2)))
    if a.shape[-1] != b.shape[-1]:
        raise _not_aligned(a, b, a.ndim - 1, b.ndim - 1)
    kept = tuple(range(max(a.ndim, b.ndim)))
    x, y = (kept[len(kept) - z.ndim:] for z in (a, b))
    return contract((a.conj(), b), (x, y), kept[:-1], out)


def vdot(a: Any, b: Any) -> ndarray:
    """The sum of products of all elements, of the first one's conjugates."""
    x, y = (asarray(z).ravel() for z in operands((a, b)))
    return _contracted(x.conj(), y, (0,), (0,), None)


def tensordot(a: Any, b: Any, axes: Any = 2) -> ndarray:
    """The sum of products over dimensions of a and as many of b: the last ones of a and the first
    ones of b, or those that two sequences name.

    >>> cpl.tensordot(cpl.ones((2, 3)), cpl.ones((3, 4)), 1).shape
    (2, 4)
    """
    a, b = operands((a, b))
    try:
        of_a, of_b = axes
    except TypeError:
        of_a, of_b = range(-axes, 0), range(axes)
    of_a, of_b = ([x] if np.ndim(x) == 0 else list(x) for x in (of_a, of_b))
    if len(of_a) != len(of_b):
        raise ValueError("shape-mismatch for sum")
    one, two = ([axes_of(int(d), _ndim(x))[0] for d in of] for x, of in ((a, of_a), (b, of_b)))
    return _contracted(a, b, one, two, None)


def kron(a: Any, b: Any) -> ndarray:
    """Each element of a times all of b, as blocks."""
    x, y = (asarray(z) for z in operands((a, b)))
    dims = max(x.ndim, y.ndim)
    x, y = (z[(None,)*(dims - z.ndim)] for z in (x, y))
    blocks = apply(np.multiply, (x[(slice(None), None)*dims], y[(None, slice(None))*dims]))
    return blocks.reshape(tuple(n*m for n, m in zip(x.shape, y.shape)))


# --- einsum ---


def _term(text: str, ndim: int) -> Labels:
    """The labels of one term; the dimensions of an ellipsis are numbers below 0, the last -1."""
    before, dots, behind = text.partition("...")
    named = before + behind
    if not all(c.isalpha() for c in named):
        raise ValueError(f"einsum(): {text!r} is no term: letters, and one '...'")
    left = ndim - len(named)
    if left < 0 or (left and not dots):
        raise ValueError(f"einsum(): {text!r} has {len(named)} letters, and its operand "
                         f"{ndim} dimensions")
    return (*map(ord, before), *range(-left, 0), *map(ord, behind))


def _output(text: str | None, terms: Sequence[Labels], most: int) -> Labels:
    dots = tuple(range(-most, 0))
    every = [label for term in terms for label in term if label >= 0]
    if text is None:
        return (*dots, *sorted(label for label in set(every) if every.count(label) == 1))
    before, given, behind = text.partition("...")
    kept = (*map(ord, before), *(dots if given else ()), *map(ord, behind))
    for label in kept:
        if kept.count(label) > 1 or (label >= 0 and label not in every):
            raise ValueError(f"einsum(): the output has {chr(label)!r} twice, or no operand has it")
    if most and not given:
        raise ValueError("einsum(): the output lacks the '...' that operands have")
    return kept


def einsum(
    subscripts: str, *operands_: Any, out: Any = None, optimize: Any = False
) -> ndarray:
    """Products of elements, summed over the letters that the output has not, by one kernel.

    >>> x = cpl.array([[1.0, 2.0], [3.0, 4.0]])
    >>> cpl.einsum("ij,kj->ik", x, x)
    array([[ 5., 11.],
           [11., 25.]])

    optimize= is for NumPy's, which goes by pairs of operands.
    """
    if not isinstance(subscripts, str):
        raise unsupported("einsum() with lists of labels in place of a text as 'ij,jk->ik'")
    values = operands(operands_)
    inputs, arrow, output = "".join(subscripts.split()).partition("->")
    texts = inputs.split(",")
    if len(texts) != len(values):
        raise ValueError(f"einsum(): {len(texts)} terms, and {len(values)} operands")
    lefts = [_ndim(x) - len(t.replace("...", "")) for t, x in zip(texts, values) if "..." in t]
    most = max(lefts, default=0)
    terms = [_term(t, _ndim(x)) for t, x in zip(texts, values)]
    kept = _output(output if arrow else None, terms, most)
    if len(values) == 1 and out is None and set(kept) == set(terms[0]):
        return _laid(*_alike(asarray(values[0]), terms[0]), kept)
    return contract(values, terms, kept, out)


__all__ = [
    "diag", "diagonal", "dot", "einsum", "fill_diagonal", "inner", "kron", "matmul", "matvec",
    "tensordot", "trace", "vdot", "vecdot", "vecmat",
]

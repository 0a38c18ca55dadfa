"""What calls of NumPy's ufuncs and of their methods are, given arrays of cpl."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from cpl import _cpl, products, reductions
from cpl.axes import axes_of
from cpl.creation import arange, asarray, assign, concatenate
from cpl.elements import (
    WHICH, _loop, _target, apply, apply_all, cast, operands, unsupported,
)
from cpl.expressions import elementary_module
from cpl.indexing import _index_array, _positions, take
from cpl.places import beside
from cpl.sorting import unique

if TYPE_CHECKING:
    from cpl.arrays import ndarray

_INT = np.dtype(np.int64)

# Generalised ufuncs.
_PRODUCTS: dict[Any, Callable[..., ndarray]] = {
    getattr(np, name): getattr(products, name)
    for name in ("matmul", "matvec", "vecdot", "vecmat") if hasattr(np, name)
}


def _check_rest(kwargs: dict[str, Any], what: str) -> None:
    if kwargs:
        raise unsupported(f"numpy.{what} with {', '.join(kwargs)}=")


def _only(out: Any) -> Any:
    """Of the tuple of one that NumPy makes of out=."""
    return out[0] if isinstance(out, tuple) else out


def _wanted(ufunc: np.ufunc, kwargs: dict[str, Any]) -> tuple[np.dtype[Any] | None, ...] | None:
    """The types of operands and results that dtype= or signature= ask for."""
    dtype = kwargs.pop("dtype", None)
    signature = kwargs.pop("signature", None)
    if signature is None:
        return None if dtype is None else (None,)*ufunc.nin + (np.dtype(dtype),)*ufunc.nout
    if isinstance(signature, str):
        signature = signature.replace("->", "")
    if len(signature) != ufunc.nargs:
        raise ValueError(f"signature= has {len(signature)} types, and numpy.{ufunc.__name__} "
                         f"{ufunc.nargs} operands and results")
    return tuple([None if t is None else np.dtype(t) for t in signature])


def _called(ufunc: np.ufunc, *inputs: Any, **kwargs: Any) -> Any:
    out = kwargs.pop("out", None)
    if ufunc in _PRODUCTS:
        axis = {"axis": kwargs.pop("axis")} if ufunc.__name__ == "vecdot" and "axis" in kwargs else {}
        _check_rest(kwargs, ufunc.__name__)
        return _PRODUCTS[ufunc](*inputs, _only(out), **axis)
    where, casting = kwargs.pop("where", True), kwargs.pop("casting", "same_kind")
    kwargs.pop("subok", None)
    if kwargs.get("order", "K") in ("K", "A", "C"):  # all new arrays lie so
        kwargs.pop("order", None)
    wanted = _wanted(ufunc, kwargs)
    _check_rest(kwargs, ufunc.__name__)
    if where is True and casting == "same_kind" and ufunc.nout == 1 and wanted is None:
        return apply(ufunc, inputs, _only(out))
    outs = out if isinstance(out, tuple) else (None,)*ufunc.nout if out is None else (out,)
    made = apply_all(ufunc, inputs, outs, where, wanted, casting)
    return made if ufunc.nout > 1 else made[0]


def _outer(ufunc: np.ufunc, a: Any, b: Any, **kwargs: Any) -> Any:
    x, y = (np.asarray(v)[()] if isinstance(v, (int, float, complex)) else v for v in (a, b))
    x, y = operands((x, y))
    if np.ndim(x) and np.ndim(y):
        x = asarray(x)[(..., *(None,)*np.ndim(y))]
    return _called(ufunc, x, y, **kwargs)


# --- taken in along an axis ---


def _reduced(
    ufunc: np.ufunc, a: Any, axis: Any = 0, dtype: Any = None, out: Any = None,
    keepdims: bool = False, initial: Any = None, where: Any = True,
) -> ndarray:
    taken = reductions.operator(ufunc, "reduce")
    initial = None if initial is np._NoValue else initial
    return reductions.reduce_chosen(taken, asarray(a), axis, dtype, _only(out), keepdims, initial,
                                    where)


def _accumulated(
    ufunc: np.ufunc, a: Any, axis: int = 0, dtype: Any = None, out: Any = None
) -> ndarray:
    taken = reductions.operator(ufunc, "accumulate")
    return reductions.accumulate(taken, asarray(a), axis, dtype, _only(out))


def _row_of_ranges(begins: Any, lengths: Any) -> Any:
    """begins[0], begins[0] + 1, ..., as many as lengths says, then begins[1] and so on."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1]) + np.repeat(begins - (ends - lengths), lengths)


def _parts_at(
    ufunc: np.ufunc, a: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None
) -> ndarray:
    """Part k is from indices[k] to in front of indices[k + 1]; the element there if none is."""
    taken = reductions.operator(ufunc, "reduceat")
    x = asarray(a)
    (along,) = axes_of(axis, x.ndim)
    begins, n = np.asarray(indices).astype(_INT, casting="same_kind"), x.shape[along]
    if begins.ndim != 1:
        raise ValueError("object too deep for desired array")
    for i in begins[(begins < 0) | (begins >= n)]:
        raise IndexError(f"index {i} out-of-bounds in {ufunc.__name__}.reduceat [0, {n})")
    wide, result = reductions.types(taken, x.dtype, dtype)
    rows = x.moveaxis(along, -1)
    others, count = rows.shape[:-1], begins.size
    made = beside([x], (*others, count), wide)
    if made.size:
        lengths = np.maximum(np.append(begins[1:], n) - begins, 1)
        follow = bool((begins[1:] > begins[:-1]).all())
        if not follow or begins[0]:  # one part behind the other
            rows = take(rows, _row_of_ranges(begins, lengths), -1)
        each = rows.shape[-1]
        ends = arange(0, int(np.prod(others))*each, each, device=x.place)[:, None] + asarray(
            np.cumsum(lengths) - lengths, device=x.place)
        offsets = concatenate([ends.ravel(), asarray([rows.size], device=x.place)])
        op = taken.op(wide)
        _cpl.segments(elementary_module(op), op, taken.neutral_of(wide), offsets, made.reshape(-1),
                      rows.astype(wide, "C").ravel())
    made = made.moveaxis(-1, along)
    return cast(made, _target(_only(out), made.shape, result, [x]))


# --- into elements that indices pick ---


def _wide(ufunc: np.ufunc, own: np.dtype[Any], value: Any) -> tuple[np.dtype[Any], Any]:
    """The type that values are taken in as, for elements of another one, and the values. NumPy
    stores each of them: where it would not be the same to store them all at once, one is refused
    that is of a wider type."""
    if isinstance(value, (int, float, complex)):
        value = own.type(value) if np.result_type(own, value) == own else np.asarray(value)[()]
    first, second, made = _loop(ufunc, (own, value.dtype))
    alike = own == made or made.kind == "b" or (own.kind in "fc" and made.kind in "fc") or (
        own.kind in "iu" and made.kind in "iu" and ufunc not in (np.minimum, np.maximum, np.fmin, np.fmax))
    if not alike or not np.can_cast(made, own, "same_kind"):
        raise TypeError(f"Cannot cast ufunc '{ufunc.__name__}' output from {made!r} to {own!r} with "
                        "casting rule 'same_kind'")
    if made.kind == "b":
        second, value = made, value.astype(made)
    return np.dtype(np.float32) if second == np.float16 else second, value


def _at(ufunc: np.ufunc, a: ndarray, indices: Any, b: Any = None) -> None:
    """a[i] = ufunc(a[i], b) for each index, those that are there several times as well: what goes
    to one place is taken in first, and then into what is there."""
    taken = reductions.operator(np.add if ufunc is np.subtract else ufunc, "at")
    if not isinstance(a, _cpl.Array):
        raise unsupported(f"numpy.{ufunc.__name__}.at of an array of NumPy's")
    wide, value = _wide(ufunc, a.dtype, operands((b,))[0])
    key = indices if isinstance(indices, tuple) else (indices,)
    key = tuple([_index_array(i, a) if isinstance(i, (list, np.ndarray)) else i for i in key])
    positions = _positions(a, key)
    values = beside([a], positions.shape, wide)
    assign(values, value)
    if not positions.size:
        return
    row = a.ravel() if a.contiguous else a.copy().ravel()
    places = apply(np.remainder, (positions.ravel(), a.size))  # of those counted from the end
    if places.size*4 >= a.size and taken.keeps:
        bins, picked = places, row
    else:
        there, bins = unique(places, return_inverse=True)
        picked = take(row, there)
    totals = beside([a], picked.shape, wide)
    op = taken.op(wide)
    _cpl.histogram(elementary_module(op), "lambda i, bin, x: bin[i]", "lambda i, bin, x: x[i]", op,
                   taken.before_of(wide), totals, (bins, values.ravel()))
    made = apply(ufunc, (picked, totals)).astype(a.dtype)
    if picked is row:
        assign(a, made.reshape(a.shape))
    else:
        _cpl.scatter(row, there, made)
        if not a.contiguous:
            assign(a, row.reshape(a.shape))


_METHODS: dict[str, Callable[..., Any]] = {
    "__call__": _called, "outer": _outer, "reduce": _reduced, "accumulate": _accumulated,
    "reduceat": _parts_at, "at": _at,
}


def call(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """ufunc(...), or ufunc.method(...)."""
    if not kwargs and method == "__call__" and ufunc in WHICH:
        made = _cpl.operate(WHICH[ufunc], inputs)
        if made is not None:
            return made
    if method not in _METHODS:
        raise unsupported(f"numpy.{ufunc.__name__}.{method}")
    return _METHODS[method](ufunc, *inputs, **kwargs)

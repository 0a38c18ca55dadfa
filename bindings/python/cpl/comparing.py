"""Whether an element comes before another: by a function or text of the user's, by fields of
records as NumPy compares them, or as numbers do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cpl import _cpl
from cpl.elements import is_number, unsupported

Less = Callable[[Any, Any], bool] | str | None
Before = tuple[_cpl.Module | None, str] | None  # as the functions of _cpl take it

# Behind all numbers is NaN; of complex ones as in NumPy's npy_sort.h.
_FLOATS = "({a} < {b} or ({a} == {a} and {b} != {b}))"
_COMPLEX = """(
    ({a}.imag == {a}.imag or {b}.imag != {b}.imag) if {a}.real < {b}.real else
    ({a}.imag == {a}.imag and {b}.imag != {b}.imag) if {a}.real > {b}.real else
    ({a}.imag < {b}.imag or ({a}.imag == {a}.imag and {b}.imag != {b}.imag))
    if {a}.real == {b}.real or ({a}.real != {a}.real and {b}.real != {b}.real) else
    {b}.real != {b}.real)"""
_MOST_PARTS = 64  # numbers of a record that are compared


def _parts(dtype: np.dtype[Any], path: str) -> list[tuple[str, np.dtype[Any]]]:
    """The numbers of an element: how each is reached, and its type."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return [part for at in np.ndindex(shape)
                for part in _parts(base, path + "".join(f"[{k}]" for k in at))]
    if dtype.names is None:
        if not is_number(dtype):
            raise unsupported(f"an order of {dtype}")
        return [(path, dtype)]
    return [part for name in dtype.names for part in _parts(dtype[name], f"{path}.{name}")]


def _less(path: str, dtype: np.dtype[Any], a: str, b: str) -> str:
    form = {"f": _FLOATS, "c": _COMPLEX}.get(dtype.kind, "({a} < {b})")
    return form.format(a=a + path, b=b + path)


def _by_parts(parts: Sequence[tuple[str, np.dtype[Any]]]) -> str:
    text = ""
    for path, dtype in reversed(parts):
        first, other = _less(path, dtype, "a", "b"), _less(path, dtype, "b", "a")
        text = f"({first} or (not {other} and {text}))" if text else first
    return text


def _fields(dtype: np.dtype[Any], order: str | Sequence[str] | None) -> list[str]:
    """Those that are named, then the others, as in NumPy."""
    names = dtype.names or ()
    given = [] if order is None else [order] if isinstance(order, str) else list(order)
    for name in given:
        if name not in names:
            raise ValueError(f"unknown field name: {name}")
    if len(set(given)) < len(given):
        raise ValueError("duplicate field name in the order")
    return [*given, *(name for name in names if name not in given)]


def before(dtype: np.dtype[Any], order: str | Sequence[str] | None = None,
           less: Less = None) -> Before:
    """None: numbers go up."""
    if less is not None:
        if order is not None:
            raise TypeError("an order of fields and a comparison, less=, exclude each other")
        if isinstance(less, str):
            return None, less
        from cpl.functions import comparison
        return comparison(less)
    if dtype.names is None:
        if order is not None:
            raise ValueError("Cannot specify order when the array has no fields.")
        return None
    parts = [part for name in _fields(dtype, order) for part in _parts(dtype[name], f".{name}")]
    if len(parts) > _MOST_PARTS:
        raise unsupported(f"an order of records of {len(parts)} numbers, more than {_MOST_PARTS},")
    return None, _by_parts(parts)


def bits_of(dtype: np.dtype[Any], bits: tuple[int, int] | None, before: Before) -> tuple[int, int]:
    """The bits that count, from the lowest, of which the end is not one; 0 and 0: all."""
    if bits is None:
        return 0, 0
    if before is not None:
        raise TypeError("bits of keys count where no function and no order of fields compares them")
    first, end = bits
    if not 0 <= first < end <= 8*dtype.itemsize:
        raise ValueError(f"bits={bits!r}: of {dtype} there are those from 0 to "
                         f"{8*dtype.itemsize}, the first one below the end")
    return first, end

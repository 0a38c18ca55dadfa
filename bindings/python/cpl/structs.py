"""NumPy's structured dtypes as the extension describes structs, and the other way round."""

from __future__ import annotations

import re
from typing import Any

import numpy as np


def _parts(dtype: np.dtype[Any], shape: tuple[int, ...]) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """The innermost dtype of a field, and the lengths of arrays of it."""
    while dtype.subdtype is not None:
        dtype, inner = dtype.subdtype
        shape += inner
    return dtype, shape


def fields(dtype: np.dtype[Any]) -> tuple[None, tuple[Any, ...], int, int]:
    """A struct's name, fields in the order of their places, size and alignment in bytes."""
    if not dtype.isnative:
        raise TypeError(f"kernels have no type for {dtype}: its byte order is the other one")
    assert dtype.fields is not None and dtype.names is not None
    rows = []
    for name in dtype.names:
        of, offset = dtype.fields[name][:2]
        rows.append((name, *_parts(of, ()), offset))
    rows.sort(key=lambda row: row[3])
    align = dtype.alignment if dtype.isalignedstruct else 1
    return None, tuple(rows), dtype.itemsize, align


def dtype(described: tuple[list[Any], int, int]) -> np.dtype[Any]:
    """The dtype of a struct: ([(name, dtype, offset), ...], size, alignment)."""
    rows, size, _align = described
    return np.dtype({
        "names": [row[0] for row in rows],
        "formats": [row[1] for row in rows],
        "offsets": [row[2] for row in rows],
        "itemsize": size,
    })


def array_dtype(described: tuple[np.dtype[Any], str]) -> np.dtype[Any]:
    """The dtype of a fixed array: (its innermost dtype, "float64[3][2]")."""
    of, text = described
    return np.dtype((of, tuple(int(n) for n in re.findall(r"\[(\d+)\]", text))))

"""Sorts of integers by their bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import array, beside
from .program import is_gpu

__getattr__ = beside.of(__name__)


def radix_sort(
    ary_list: list[array.Array], out_list: list[array.Array] | None = None,
    max_key_bits: Any = None, backend: str | None = None,
) -> tuple[list[array.Array], array.Array]:
    """The arrays in the order that sorts the first of them, equal keys in the order they were in;
    and that order. max_key_bits: keys are below two to that power."""
    keys = ary_list[0]
    if not np.issubdtype(keys.dtype, np.integer):
        raise ValueError("RadixSort can only sort integer types")
    kind: Any = {} if is_gpu(keys.backend) else {"kind": "stable"}
    order = array.wrap_array(np.argsort(keys.dev, **kind).astype(np.int32), keys.backend)
    return array.align(ary_list, order, out_list), order

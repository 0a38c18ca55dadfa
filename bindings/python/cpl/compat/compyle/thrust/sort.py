"""The order that sorts an array on a GPU."""

from __future__ import annotations

from typing import Any

from .. import array as arrays


def argsort(array: Any, keys: Any = None) -> Any:
    """The order of the array, or of keys in its place; like Compyle's it sorts the array too."""
    return arrays.argsort(array if keys is None else keys)

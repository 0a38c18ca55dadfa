"""Sorts of integers by their bits."""

from __future__ import annotations

from . import array, beside

__getattr__ = beside.of(__name__)

radix_sort = array.radix_sort

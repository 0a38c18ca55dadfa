"""The GPU of NVIDIA's that programs use."""

from __future__ import annotations

from typing import Any, NoReturn

import cpl

from . import beside
from .devices import CUDA
from .scan_texts import ScanOfTexts

__getattr__ = beside.of(__name__)


def set_context(context: Any = None) -> None:
    """Another device, or its name: "cuda:1"; without one the device that there is."""
    CUDA.device = CUDA.device if context is None else context


def get_context() -> cpl.Device:
    """The device; the first of all until another is set."""
    return CUDA.device


def _refuse(what: str) -> NoReturn:
    raise NotImplementedError(f"{what} is a part of pycuda's, with which no memory is shared")


class SourceModule:
    """A module in CUDA C, which has no meaning to this compiler."""

    def __init__(self, *_: Any, **__: Any) -> None:
        raise NotImplementedError("kernels are written in Python: see low_level.Kernel")


class GenericScanKernel(ScanOfTexts):
    """The scan that Compyle brings along for pycuda."""

    def __init__(self, dtype: Any, *args: Any, **keywords: Any) -> None:
        super().__init__("cuda", dtype, *args, **keywords)


def match_dtype_to_c_struct(*_: Any, **__: Any) -> NoReturn:
    _refuse("match_dtype_to_c_struct")


def dtype_to_c_struct(*_: Any, **__: Any) -> NoReturn:
    _refuse("dtype_to_c_struct")

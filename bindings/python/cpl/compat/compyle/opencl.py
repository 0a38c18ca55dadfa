"""The OpenCL device that programs use."""

from __future__ import annotations

from typing import Any

import cpl

from . import beside
from .devices import OPENCL

__getattr__ = beside.of(__name__)

class DeviceWGSException(Exception):
    """A work-group is larger than the device takes."""


def get_context() -> cpl.Device:
    """The device; the first of all until another is set."""
    return OPENCL.device


def set_context(context: Any) -> None:
    """Another device, or its name: "opencl:1"."""
    OPENCL.device = context


def get_queue() -> cpl.Queue:
    """What kernels are launched on."""
    return OPENCL.queue


def set_queue(queue: cpl.Queue) -> None:
    """Another queue, with its device."""
    OPENCL.queue = queue


class SimpleKernel:
    """A kernel in OpenCL C, which has no meaning to this compiler."""

    def __init__(self, *_: Any, **__: Any) -> None:
        raise NotImplementedError("kernels are written in Python: see low_level.Kernel")

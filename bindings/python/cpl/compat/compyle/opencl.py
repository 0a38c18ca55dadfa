"""The OpenCL device that programs use."""

from __future__ import annotations

import os
from typing import Any

import cpl

from . import beside

__getattr__ = beside.of(__name__)

_device: cpl.Device | None = None
_queue: cpl.Queue | None = None


class DeviceWGSException(Exception):
    """A work-group is larger than the device takes."""


def _chosen() -> cpl.Device:
    """What the environment's PYOPENCL_CTX says, "0" or "0:1" (its last number counts), else the
    first one."""
    number = os.environ.get("PYOPENCL_CTX", "0").rpartition(":")[2]
    return cpl.device(f"opencl:{number if number.isdigit() else 0}")


def get_context() -> cpl.Device:
    """The device; the first of all until another is set."""
    global _device
    if _device is None:
        _device = _chosen()
    return _device


def set_context(context: Any) -> None:
    """Another device, or its name: "opencl:1"."""
    global _device, _queue
    _device, _queue = cpl.device(context), None


def get_queue() -> cpl.Queue:
    """What kernels are launched on."""
    return _queue or get_context().queue


def set_queue(queue: cpl.Queue) -> None:
    """Another queue, with its device."""
    global _device, _queue
    _device, _queue = queue.device, queue


class SimpleKernel:
    """A kernel in OpenCL C, which has no meaning to this compiler."""

    def __init__(self, *_: Any, **__: Any) -> None:
        raise NotImplementedError("kernels are written in Python: see low_level.Kernel")

"""The devices behind the back ends, of which programs choose one for each."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import cpl


class Chosen:
    """A back end's device, and the queue that kernels are launched on."""

    def __init__(self, first: Callable[[], cpl.Device]) -> None:
        self._first = first
        self._device: cpl.Device | None = None
        self._queue: cpl.Queue | None = None

    @property
    def device(self) -> cpl.Device:
        """The first of all until another is set."""
        if self._device is None:
            self._device = self._first()
        return self._device

    @device.setter
    def device(self, device: Any) -> None:
        self._device, self._queue = cpl.device(device), None

    @property
    def queue(self) -> cpl.Queue:
        return self._queue or self.device.queue

    @queue.setter
    def queue(self, queue: cpl.Queue) -> None:
        self._device, self._queue = queue.device, queue


def _first_opencl() -> cpl.Device:
    """What the environment's PYOPENCL_CTX says, "0" or "0:1" (its last number counts), else the
    first one."""
    number = os.environ.get("PYOPENCL_CTX", "0").rpartition(":")[2]
    return cpl.device(f"opencl:{number if number.isdigit() else 0}")


OPENCL = Chosen(_first_opencl)
CUDA = Chosen(lambda: cpl.device("cuda:0"))


def is_gpu(backend: str) -> bool:
    return backend in ("opencl", "cuda")


def device_of(backend: str) -> cpl.Device:
    """The device behind a back end that is none of the host's."""
    return (OPENCL if backend == "opencl" else CUDA).device

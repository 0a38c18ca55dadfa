"""Arrays of other libraries, taken and given in the memory they have.

DLPack is for all devices, CUDA's array interface for CUDA's. With both goes the stream on which
the memory is written or read, so that nobody waits who need not.
"""

from __future__ import annotations

import ctypes
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from cpl import _cpl

if TYPE_CHECKING:
    from cpl.arrays import ndarray

# Devices of DLPack's, and its version here.
_CPU, _CUDA, _CUDA_HOST, _OPENCL, _CUDA_MANAGED = 1, 2, 3, 4, 13
_VERSION = (1, 1)
_LEGACY_STREAM = 1  # CUDA's default stream, which waits for all others that are not non-blocking

# --- streams and devices ---

_MOST_QUEUES = 32
_queues: dict[tuple[int, int], _cpl.Queue] = {}


def _queue(device: _cpl.Device, stream: int) -> _cpl.Queue:
    """The queue that stands for a stream of CUDA's."""
    key = device.index, stream
    queue = _queues.get(key)
    if queue is None or queue.device is not device:  # of this process
        if len(_queues) >= _MOST_QUEUES:
            del _queues[next(iter(_queues))]
        _queues[key] = queue = _cpl.Queue.from_native(device, stream)
    return queue


def _ordinal(address: int) -> int:
    """The number of the device that has some memory, as the driver says."""
    number = ctypes.c_int()
    attribute = 9  # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
    driver = ctypes.CDLL("libcuda.so.1")
    if driver.cuPointerGetAttribute(ctypes.byref(number), attribute, ctypes.c_uint64(address)):
        raise ValueError(f"{address:#x} is no address of CUDA's")
    return number.value


def _cuda_of(x: Any, address: int) -> _cpl.Device:
    known = [d for d in _cpl.devices() if d.kind == "cuda"]
    if len(known) < 2:
        return _cpl.device("cuda")  # or why there is none
    ask = getattr(x, "__dlpack_device__", None)
    return _cpl.device(f"cuda:{ask()[1] if ask else _ordinal(address)}")


def _device(kind: int, index: int) -> _cpl.Device:
    """The device of a pair of DLPack's."""
    if kind in (_CPU, _CUDA_HOST):
        return _cpl.device("host")
    if kind in (_CUDA, _CUDA_MANAGED):
        return _cpl.device(f"cuda:{index}")
    name = "OpenCL memory" if kind == _OPENCL else "memory of that kind"
    raise BufferError(
        f"the array is on DLPack's device ({kind}, {index}): {name} belongs to a context of "
        "another library's")


# --- DLPack ---


def _capsule(x: Any, stream: int | None) -> Any:
    said: dict[str, Any] = {} if stream is None else {"stream": stream}
    try:
        return x.__dlpack__(max_version=_VERSION, **said)
    except TypeError:  # of before version 1
        return x.__dlpack__(**said)


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> ndarray:
    """An array over the memory of one of another library's, which DLPack hands over.

    >>> import numpy as np
    >>> there = np.zeros(3)
    >>> here = cpl.from_dlpack(there)
    >>> there[0] = 1
    >>> here
    array([1., 0., 0.])

    With a device it is copied if it is elsewhere, with copy=True in any case; copy=False is for
    never.
    """
    if not hasattr(x, "__dlpack__") or not hasattr(x, "__dlpack_device__"):
        raise TypeError(f"an object with __dlpack__ and __dlpack_device__ was expected, not {x!r}")
    kind, index = x.__dlpack_device__()
    here = _device(int(kind), int(index))
    there = here if device is None else _cpl.device(device)
    if copy is False and there is not here:
        raise BufferError(f"the array is on {here.label}, and was not to be copied")
    queue = here.queue
    stream = None if here.kind == "host" else queue.native or _LEGACY_STREAM
    made = _cpl.dlpack_take(_capsule(x, stream), queue)
    return _copied(made, there) if copy or there is not here else made


def _copied(x: ndarray, device: _cpl.Device) -> ndarray:
    made = _cpl.create(x.shape, x.dtype, device, False)
    _cpl.copy(made, x)
    return made


def dlpack_device(x: ndarray) -> tuple[int, int]:
    kinds = {"host": _CPU, "cuda": _CUDA, "opencl": _OPENCL}
    return kinds[x.device.kind], x.device.index


def _consumer(device: _cpl.Device, stream: int | None) -> _cpl.Queue | None:
    """The queue of whom an array is given to; None: who does not want to be waited for."""
    if stream == -1:
        return None
    if stream == 0:
        raise ValueError("a stream is not 0: 1 is CUDA's default one, 2 that of each thread")
    return _queue(device, _LEGACY_STREAM if stream is None else stream)


def give(x: ndarray, stream: int | None, max_version: tuple[int, int] | None,
         dl_device: tuple[int, int] | None, copy: bool | None) -> object:
    """A capsule of DLPack's."""
    is_copied = bool(copy)
    if dl_device is not None and tuple(dl_device) != dlpack_device(x):
        if tuple(dl_device) != (_CPU, 0) or copy is False:
            raise BufferError(f"the array is on {x.device.label}, not on DLPack's device {dl_device}"
                              f"{', and was not to be copied' if copy is False else ''}")
        x, stream, is_copied = x.to("host"), None, True
    elif is_copied:
        x = _copied(x, x.device)
    queue = None
    if x.device.kind == "opencl":
        raise BufferError("OpenCL memory belongs to a context that others cannot use: "
                          'x.to("host") copies it')
    if x.device.kind == "cuda":
        queue = _consumer(x.device, stream)
    elif stream is not None:
        raise BufferError("arrays of the host have no streams")
    _cpl.share(x, queue)
    return _cpl.dlpack_give(x, max_version is not None and max_version[0] >= 1, is_copied)


# --- CUDA's array interface ---


def cuda_interface(x: ndarray) -> dict[str, Any]:
    """What x.__cuda_array_interface__ is."""
    if x.device.kind != "cuda":
        raise AttributeError(f"the array is on {x.device.label}: it has no CUDA array interface")
    queue = x.device.queue
    face: dict[str, Any] = {
        "shape": x.shape, "typestr": x.dtype.str, "data": (_cpl.share(x, queue), x.readonly),
        "strides": None if x.contiguous else x.strides, "version": 3,
        "stream": queue.native or _LEGACY_STREAM,
    }
    if x.dtype.fields:
        face["descr"] = x.dtype.descr
    return face


def _stream(x: Any, face: dict[str, Any], device: _cpl.Device) -> int:
    stream = face.get("stream")
    if stream == 0:
        raise ValueError("__cuda_array_interface__ has the stream 0, which may be any")
    if stream is not None:
        return int(stream)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):  # tells no stream
        return int(torch.cuda.current_stream(device.index).cuda_stream) or _LEGACY_STREAM
    return _LEGACY_STREAM


def _dtype(face: dict[str, Any]) -> np.dtype[Any]:
    dtype: np.dtype[Any] = np.dtype(face["typestr"])
    descr = face.get("descr")
    if dtype.kind == "V" and descr and descr != [("", face["typestr"])]:
        dtype = np.dtype([tuple(row) for row in descr])
    return dtype


def _over(x: Any, owner: Any) -> tuple[ndarray, _cpl.Queue]:
    """An array over the memory that x shows, and the queue that stands for its stream."""
    face = x.__cuda_array_interface__
    if not isinstance(face, dict) or not {"shape", "typestr", "data"} <= face.keys():
        raise TypeError(f"the __cuda_array_interface__ of {type(x).__name__} lacks its entries")
    if face.get("mask") is not None:
        raise TypeError("a masked array, whose mask kernels would not see")
    shape, (address, is_readonly) = tuple(face["shape"]), face["data"]
    dtype, address = _dtype(face), address or 0
    if not dtype.isnative:
        raise TypeError("an array of the other byte order")
    device = _cuda_of(x, address)
    queue = _queue(device, _stream(x, face, device))
    if 0 in shape:
        return _cpl.create(shape, dtype, device, False), queue
    strides = face.get("strides")
    made = _cpl.wrap_address(
        address, shape, None if strides is None else tuple(strides), dtype, bool(is_readonly),
        queue, owner)
    return made, queue


def for_call(x: Any) -> tuple[ndarray, _cpl.Queue]:
    """For a call that x is an argument of: its memory is x's caller's to keep."""
    return _over(x, None)


def as_numpy(x: Any) -> Any:
    """For a call: NumPy's array over the memory of one of another library's on the host."""
    if not hasattr(x, "__dlpack__"):
        return _of_array_method(x)
    kind, index = x.__dlpack_device__()
    if _device(int(kind), int(index)).kind == "host":
        return np.from_dlpack(x)
    raise TypeError(f"an array of {type(x).__name__} on a device; cpl.from_dlpack() takes it")


def _of_array_method(x: Any) -> Any:
    """What __array__ or __array_interface__ of x show. Of what may be a copy results would not come
    back: it is only read."""
    if hasattr(x, "__array_interface__"):
        return np.asarray(x)
    try:
        return x.__array__(copy=False)
    except (TypeError, ValueError):  # it knows no copy=, or has to copy
        made = np.asarray(x).view()
    made.flags.writeable = False
    return made


def on_device(x: Any) -> ndarray | None:
    """The same of what is on a GPU, where NumPy does not see it."""
    if isinstance(x, _cpl.Array) or not hasattr(x, "__cuda_array_interface__"):
        return None
    return _over(x, x)[0]


def asarray(x: Any) -> ndarray | None:
    """An array over the memory of one of another library's; None of anything else."""
    shared = on_device(x)
    if shared is not None:
        return shared
    if hasattr(x, "__dlpack__") and hasattr(x, "__dlpack_device__"):
        return from_dlpack(x)
    return None

"""Arrays on the host and on devices, and functions of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import cpl
from cpl import _cpl

from . import beside
from .config import get_config
from .devices import device_of, is_gpu
from .profile import profile
from .types import TYPES, dtype_to_knowntype

__getattr__ = beside.of(__name__)


def get_backend(backend: str | None = None) -> str:
    """The back end that is said, else the one that the settings name."""
    if backend:
        return backend
    config = get_config()
    return "opencl" if config.use_opencl else "cuda" if config.use_cuda else "cython"


def _backend_of(ary: Array, backend: str | None) -> str:
    return ary.backend if backend is None else backend


def _place(backend: str) -> Any:
    return device_of(backend) if is_gpu(backend) else None


# --- new arrays ---


def wrap_array(arr: Any, backend: str) -> Array:
    """An array of a back end's: on the host the memory itself, on devices a copy, whose floats are
    float32 unless use_double is set."""
    if isinstance(arr, Array):
        if arr.backend == backend:
            return arr
        arr = arr.data
    wrapped = Array(arr.dtype, allocate=False, backend=backend)
    if isinstance(arr, np.ndarray) and is_gpu(backend):
        if np.issubdtype(arr.dtype, np.floating):
            arr = arr.astype(np.float64 if get_config().use_double else np.float32)
        wrapped.data = arr
        wrapped.set_data(cpl.array(arr, device=_place(backend)))
    else:
        wrapped.data = arr if isinstance(arr, np.ndarray) else None
        wrapped.set_data(arr)
    return wrapped


def wrap(*args: Any, **kw: Any) -> Any:
    """The arrays of a back end's that arrays of NumPy's are: one, or a list of several.

    >>> x, y = wrap(np.ones(3), np.zeros(3), backend="cython")
    >>> len(x), x.gptr_type
    (3, 'gdoublep')
    """
    backend = get_backend(kw.get("backend"))
    wrapped = [wrap_array(x, backend) for x in args]
    return wrapped[0] if len(args) == 1 else wrapped


def to_device(array: Any, backend: str = "cython") -> Array:
    """The same, with floats as they are."""
    if is_gpu(backend):
        array = cpl.array(array, device=_place(backend))
    return wrap_array(array, backend)


def _created(name: str, backend: str, *args: Any, **kw: Any) -> Array:
    """What NumPy's function of that name makes, on a device if need be."""
    if is_gpu(backend):
        return wrap_array(getattr(cpl, name)(*args, device=_place(backend), **kw), backend)
    return wrap_array(getattr(np, name)(*args, **kw), backend)


def ones(n: int, dtype: Any, backend: str = "cython") -> Array:
    return _created("ones", backend, n, dtype=dtype)


def zeros(n: int, dtype: Any, backend: str = "cython") -> Array:
    return _created("zeros", backend, n, dtype=dtype)


def empty(n: int, dtype: Any, backend: str = "cython") -> Array:
    return _created("empty", backend, n, dtype=dtype)


def ones_like(array: Array, backend: str | None = None) -> Array:
    return ones(len(array), array.dtype, _backend_of(array, backend))


def zeros_like(array: Array, backend: str | None = None) -> Array:
    return zeros(len(array), array.dtype, _backend_of(array, backend))


def empty_like(x: Array) -> Array:
    return empty(x.length, x.dtype, x.backend)


def arange(
    start: Any, stop: Any, step: Any, dtype: Any = np.int32, backend: str = "cython"
) -> Array:
    return _created("arange", backend, start, stop, step, dtype=dtype)


def linspace(
    start: Any, stop: Any, num: int, dtype: Any = np.float64, backend: str = "opencl",
    endpoint: bool = True,
) -> Array:
    """Numbers at equal distances, on an OpenCL device unless a back end is said."""
    if type(num) is not int:
        raise TypeError(f"num should be an integer but got {type(num)}")
    if num <= 0:
        raise ValueError(f"Number of samples, {num}, must be positive.")
    return _created("linspace", backend, start, stop, num, endpoint=endpoint, dtype=dtype)


# --- numbers of arrays ---


def _number(x: Any) -> Any:
    """A scalar of NumPy's, or of a device's an array of NumPy's without dimensions."""
    return x.numpy() if isinstance(x, _cpl.Array) else x


def minimum(ary: Array, backend: str | None = None) -> Any:
    return _number(np.min(ary.dev))


def maximum(ary: Array, backend: str | None = None) -> Any:
    return _number(np.max(ary.dev))


def sum(ary: Array, backend: str | None = None) -> Any:
    return _number(np.sum(ary.dev))


def dot(a: Array, b: Array, backend: str | None = None) -> Any:
    return _number(np.dot(a.dev, b.dev))


def trapz(
    y: Array, x: Array | None = None, dx: float = 1.0, backend: str | None = None
) -> Any:
    """The integral of y by trapezia between places x, or dx apart."""
    if x is None:
        return (sum(y) - 0.5*(y[0] + y[-1]))*dx
    if len(x) != len(y):
        raise ValueError("arrays x and y should be of the same size")
    return dot(diff(x, 1), y[:-1] + y[1:])*0.5


def update_minmax_gpu(
    ary_list: list[Array], only_min: bool = False, only_max: bool = False,
    backend: str | None = None,
) -> None:
    """The least and the greatest of each, as its `minimum` and `maximum`."""
    if only_min and only_max:
        raise ValueError("Only one of only_min and only_max can be True")
    for ary in ary_list:
        if not only_max:
            ary.minimum = minimum(ary)
        if not only_min:
            ary.maximum = maximum(ary)


# --- arrays of arrays ---


def diff(a: Array, n: int, backend: str | None = None) -> Array:
    """The difference of neighbours, n times."""
    if n == 0:
        return a
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    if len(a) < n + 1:
        raise ValueError(f"Array a should have length at least n+1, but got {len(a)}")
    return wrap_array(np.diff(a.dev, n), _backend_of(a, backend))


def where(condition: Array, x: Array, y: Array, backend: str | None = None) -> Array:
    """x where the condition is not 0, else y."""
    if backend is None and x.backend != y.backend:
        raise TypeError(f"x and y should have same backend, got {x.backend} and {y.backend}")
    if x.dtype != y.dtype:
        raise TypeError(f"x and y should have same data type, got {x.dtype} and {y.dtype}")
    return wrap_array(np.where(condition.dev != 0, x.dev, y.dev), _backend_of(x, backend))


def take(
    ary: Array, indices: Array, backend: str | None = None, out: Array | None = None
) -> Array:
    """The elements at some places."""
    if out is None:
        return wrap_array(np.take(ary.dev, indices.dev), _backend_of(ary, backend))
    np.take(ary.dev, indices.dev, out=out.dev)
    return out


def take_bool(ary: Array, condition: Array, backend: str | None = None) -> Array:
    """The elements where a condition is not 0."""
    return wrap_array(np.compress(condition.dev != 0, ary.dev), _backend_of(ary, backend))


@profile
def cumsum(ary: Array, backend: str | None = None, out: Array | None = None) -> Array:
    """Sums of all up to each element; on devices of the elements' type."""
    own = ary.dtype if is_gpu(_backend_of(ary, backend)) else None
    made = np.cumsum(ary.dev, dtype=own, out=None if out is None else out.dev)
    return out if out is not None else wrap_array(made, _backend_of(ary, backend))


def _check_list(ary_list: Any, of: str) -> None:
    """AttributeError, as Compyle has it of what is no list of arrays, but saying so."""
    if isinstance(ary_list, Array) or not all(isinstance(a, Array) for a in ary_list):
        raise AttributeError(f"{of}() takes a list of Arrays first, not {type(ary_list).__name__}")


def align(
    ary_list: list[Array], order: Array, out_list: list[Array] | None = None,
    backend: str | None = None,
) -> list[Array]:
    """The elements of each array at the places of one order."""
    _check_list(ary_list, "align")
    outs: Sequence[Array | None] = out_list or [None]*len(ary_list)
    return [take(ary, order, out=out) for ary, out in zip(ary_list, outs)]


def argsort(ary: Array, backend: str | None = None) -> Array:
    """The order that sorts an array, which is sorted by it."""
    order = np.argsort(ary.dev)
    ary.dev = np.take(ary.dev, order)
    return wrap_array(order, _backend_of(ary, backend))


def radix_sort(
    ary_list: list[Array], out_list: list[Array] | None = None,
    max_key_bits: Any = None, backend: str | None = None,
) -> tuple[list[Array], Array]:
    """The arrays in the order that sorts the first of them, equal keys in the order they were in;
    and that order. max_key_bits: keys are below two to that power."""
    keys = ary_list[0]
    if not np.issubdtype(keys.dtype, np.integer):
        raise ValueError("RadixSort can only sort integer types")
    kind: Any = {} if is_gpu(keys.backend) else {"kind": "stable"}
    order = wrap_array(np.argsort(keys.dev, **kind).astype(np.int32), keys.backend)
    return align(ary_list, order, out_list), order


@profile
def sort_by_keys(
    ary_list: list[Array], out_list: list[Array] | None = None, key_bits: Any = None,
    backend: str | None = None, use_radix_sort: bool = False,
) -> list[Array]:
    """The arrays in the order that sorts the first of them. On the host equal keys are in the order
    of NumPy's argsort, else, and with use_radix_sort, in the one they were in."""
    _check_list(ary_list, "sort_by_keys")
    keys = ary_list[0]
    backend = _backend_of(keys, backend)
    if use_radix_sort and not is_gpu(backend):
        return radix_sort(ary_list, out_list, key_bits, backend)[0]
    order = wrap_array(np.argsort(keys.dev), backend)
    return align(ary_list, order, out_list, backend)


# --- the class ---


def _operand(other: Any) -> Any:
    """A number to compare elements with: KeyError for what is none, TypeError for one of a type that
    has no name, as bool."""
    if dtype_to_knowntype(type(other)) not in TYPES:
        raise TypeError(f"an array is not compared with {other!r}")
    return other


class Array:
    """Elements on the host or on a device, with room for more of them.

    dev is what kernels get: the array of NumPy's, or of a device's. data is what it was made of, or
    what pull() brought, on the host.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self, dtype: Any, n: int = 0, allocate: bool = True, backend: str | None = None
    ) -> None:
        self.backend = get_backend(backend)
        self.dtype = np.dtype(dtype)
        self.gptr_type = dtype_to_knowntype(dtype, address="global")
        self.minimum: Any = 0
        self.maximum: Any = 0
        self.data: Any = None
        self._data: Any = None
        self.dev: Any = None
        if allocate:
            self.set_data(empty(n or 16, dtype, self.backend))
            self.length = n
            self._update_array_ref()

    # --- elements ---

    def __len__(self) -> int:
        return len(self.dev)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """A copy, as NumPy makes one of Compyle's own, unless asked for the memory itself."""
        if copy is False and is_gpu(self.backend):
            raise ValueError("the array is on a device: there is no NumPy array without a copy")
        return np.array(self.get(), dtype=dtype, copy=copy is not False)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return wrap_array(self.dev[key], self.backend)
        if isinstance(key, Array):
            short = key.length < self.length
            return self.align(key) if short else take_bool(self, key)
        found = self.dev[key]
        if not is_gpu(self.backend):
            return found
        return found.item() if found.ndim == 0 else found.get()

    def __setitem__(self, key: Any, value: Any) -> None:
        self.dev[key] = value

    def __str__(self) -> str:
        return str(self.dev)

    # --- operators ---

    def _with(self, other: Any, ufunc: np.ufunc) -> Any:
        if not isinstance(other, Array):
            return NotImplemented
        return wrap_array(ufunc(self.dev, other.dev).astype(self.dtype, copy=False), self.backend)

    def __add__(self, other: Any) -> Any:
        return self._with(other, np.add)

    def __sub__(self, other: Any) -> Any:
        return self._with(other, np.subtract)

    def __radd__(self, other: Any) -> Array:
        return wrap_array(other + self.dev, self.backend)

    def __rsub__(self, other: Any) -> Array:
        return wrap_array(other - self.dev, self.backend)

    def _compared(self, other: Any, ufunc: np.ufunc) -> Array:
        return wrap_array(ufunc(self.dev, _operand(other)).astype(np.int32), self.backend)

    def __gt__(self, other: Any) -> Array:
        return self._compared(other, np.greater)

    def __lt__(self, other: Any) -> Array:
        return self._compared(other, np.less)

    def __ge__(self, other: Any) -> Array:
        return self._compared(other, np.greater_equal)

    def __le__(self, other: Any) -> Array:
        return self._compared(other, np.less_equal)

    def __eq__(self, other: Any) -> Any:
        return self._compared(other, np.equal)

    def __ne__(self, other: Any) -> Any:
        return self._compared(other, np.not_equal)

    # --- memory ---

    def _update_array_ref(self) -> None:
        self.dev = self._data[: self.length]

    def set_data(self, data: Any) -> None:
        """Another array, of NumPy's or of a device's, in place of this one's."""
        self._data = data.dev if isinstance(data, Array) else data
        self.length = self.alloc = self._data.size
        self.dtype = self._data.dtype
        self.dev = self._data

    def set(self, nparr: Any) -> None:
        """The elements of an array of NumPy's."""
        self.set_data(to_device(nparr, self.backend) if is_gpu(self.backend) else nparr)

    def get(self) -> Any:
        """On the host the array itself, of a device's a copy."""
        return self.dev.numpy() if isinstance(self.dev, _cpl.Array) else self.dev

    def pull(self) -> None:
        """Brings the elements to `data`."""
        if self.data is None:
            self.data = np.empty(len(self.dev), dtype=self.dtype)
        if self.data is not self.dev:
            self.data[:] = self.get()

    def push(self) -> None:
        """Brings `data` to the device."""
        if is_gpu(self.backend):
            self._data[:] = cpl.array(self.data, device=_place(self.backend))
            self.set_data(self._data)

    def get_data(self) -> Any:
        """All the memory, with what is behind the last element."""
        return self._data

    def get_array(self) -> Array:
        return wrap_array(self.dev[: self.length], self.backend)

    def get_view(self, offset: int = 0, length: int | None = None) -> Array:
        """Some of the elements, in the same memory."""
        view = Array(self.dtype, allocate=False, backend=self.backend)
        count = self.length - offset if length is None else length
        view.set_data(self.dev[offset:offset + count])
        return view

    def get_buff(self, offset: int = 0, length: int = 0) -> Any:
        """The same as an array of NumPy's, or of a device's; without a length all that follow."""
        return self.dev[offset:offset + length] if length else self.dev[offset:]

    def copy(self) -> Array:
        made = Array(self.dtype, allocate=False, backend=self.backend)
        made.set_data(self.dev.copy())
        return made

    def fill(self, value: Any) -> None:
        self.dev.fill(value)

    def reserve(self, size: int) -> None:
        """Memory for so many elements at least; the length stays."""
        if size <= self.alloc:
            return
        more = empty(size, self.dtype, self.backend)
        if self.length > 0:
            more.dev[: self.length] = self.dev
        self._data, self.alloc = more.dev, size
        self._update_array_ref()

    def resize(self, size: int) -> None:
        """So many elements from now on."""
        self.reserve(size)
        self.length = size
        self._update_array_ref()

    def squeeze(self) -> None:
        """Gives memory back that there are no elements for."""
        self.set_data(self._data[: self.length].copy())

    def append(self, value: Any) -> None:
        if self.length >= self.alloc:
            self.reserve(max(2*self.length, 1))
        self._data[self.length] = np.asarray(value, dtype=self.dtype)
        self.length += 1
        self._update_array_ref()

    def extend(self, ary: Array) -> None:
        """Appends the elements of another array."""
        start = self.length
        self.resize(start + len(ary.dev))
        self.dev[start:] = ary.dev

    # --- functions ---

    @profile
    def update_min_max(self, only_min: bool = False, only_max: bool = False) -> None:
        update_minmax_gpu([self])

    @profile
    def remove(self, indices: Array, input_sorted: bool = False) -> None:
        """Takes elements out; the others stay in their order."""
        if len(indices) > self.length:
            raise ValueError("more indices to be removed than there are elements")
        kept = ones(self.length, np.int32, self.backend)
        kept.dev[indices.dev] = 0
        self.set_data(take_bool(self, kept).dev)

    def align(self, indices: Array, out: Array | None = None) -> Array:
        return take(self, indices, out=out)

    def copy_values(self, indices: Array, dest: Array) -> None:
        """The first elements of another array become those at some places of this one."""
        if not isinstance(indices, Array) or not isinstance(dest, Array):
            raise TypeError("indices and dest need to be Array instances")
        dest.dev[: len(indices.dev)] = take(self, indices).dev



"""Kernels over a grid of work-items, functions that are called once, and names for both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import cpl
from cpl import _cpl, functions, lang
from cpl.lang import GDIM_0, GID_0, LDIM_0, LID_0, local_barrier

from . import beside
from .array import Array, get_backend
from .compiled import Arguments, Compiled, known_of, names_of
from .extern import Extern
from .profile import profile
from .program import CodeGenerationError, Loader, is_local, narrows, types_of
from .types import ctype_to_dtype

__getattr__ = beside.of(__name__)

__all__ = [
    "Cython", "GDIM_0", "GID_0", "Kernel", "LDIM_0", "LID_0", "LocalMem", "address", "atomic_dec",
    "atomic_inc", "cast", "local_barrier", "nogil", "parallel", "prange", "splay",
]

Code = Callable[..., Any]

_GROUP = 64  # work-items, where nobody says


class _Known(Extern):
    """A name that the language has itself."""

    __cpl_builtin__ = True

    def __init__(self, known: lang.Builtin) -> None:
        self.__cpl_name__ = known.__cpl_name__
        self.__name__ = known.__name__
        self.__doc__ = known.__doc__
        self._known = known

    def code(self, backend: str) -> str:
        return ""

    def __call__(self, *args: Any, **kw: Any) -> Any:
        return self._known(*args, **kw)


class _OfKernels(_Known):
    """One that Python does nothing for."""

    def __call__(self, *args: Any, **kw: Any) -> Any:
        return None


class _OfHost(_OfKernels):
    """One that devices have no use for."""

    def code(self, backend: str) -> str:
        if backend != "cython":
            raise NotImplementedError(f"{self.__name__} only available with Cython")
        return ""


class _Rounds(_OfHost):
    def __call__(self, *args: Any, **kw: Any) -> Any:
        return range(*args)


prange = _Rounds(lang.prange)
parallel = _OfHost(lang.parallel)
nogil = _OfHost(lang.nogil)
address = _OfKernels(lang.address)
atomic_inc = _OfKernels(lang.atomic_inc)
atomic_dec = _OfKernels(lang.atomic_dec)
cast = _Known(lang.cast)


class _Local:
    """Local memory of a group, as kernels are given it."""

    def __init__(self, dtype: np.dtype[Any], length: int) -> None:
        self.__cpl_local__ = (dtype, length)
        self.size = dtype.itemsize*length  # bytes


class LocalMem:
    """So many elements of local memory for each work-item of a group."""

    def __init__(self, size: int, backend: str | None = None) -> None:
        self.backend = get_backend(backend)
        self.size = size
        self._cache: dict[tuple[str, int], _Local] = {}

    def get(self, c_type: str, workgroup_size: int) -> _Local:
        """That of a group of so many work-items.

        >>> LocalMem(2, backend="opencl").get("double", 128).size
        2048
        """
        key = c_type, workgroup_size
        if key not in self._cache:
            self._cache[key] = _Local(ctype_to_dtype(c_type), self.size*workgroup_size)
        return self._cache[key]


def splay(n: int, most: int) -> tuple[int, int]:
    """Work-items for n elements, in whole groups, and those of a group."""
    local = min(_GROUP, most)
    return -(-n//local)*local, local


class Kernel(Compiled):
    """A function that each work-item of a grid runs."""

    def __init__(self, func: Code, backend: str = "opencl") -> None:
        super().__init__(backend)
        self._device = cpl.device("host") if self.queue is None else self.queue.device
        self.func, self.name = func, func.__name__
        names = names_of(func)
        known = types_of(func)
        lacking = [n for n in names if n not in known]
        if lacking:
            raise CodeGenerationError(f"{self.name}: {', '.join(lacking)}: no type is given")
        self._known = [known[n] for n in names]
        self._narrow = narrows(self.backend)
        self._arguments = Arguments(self.name, self._known, self.backend)
        self.c_func = self._made(functions._KERNEL, Loader((func,), self.backend), names,
                                 (func, None, None, None, None), (None, 0))
        self._given = [self._stand_in(k) for k in self._known]

    def _roots(self) -> tuple[Code, ...]:
        return (self.func,)

    def _base(self, known: Any) -> str:
        return "float" if self._narrow and known.base_type == "double" else known.base_type

    def _stand_in(self, known: Any) -> Any:
        if not known.base_type:
            return 0.0 if known.type in ("float", "double") else 0
        dtype = ctype_to_dtype(self._base(known))
        if is_local(known):
            return _Local(dtype, _GROUP)
        return cpl.zeros(1, dtype=dtype, device=self._device)

    def _grid(self, total: Any, local: Any) -> tuple[Any, Any]:
        """Work-items, in whole groups, and those of a group."""
        sizes = np.atleast_1d(total)
        if local is None:
            return splay(int(np.prod(sizes)), self._device.max_group_size)
        of = np.atleast_1d(local)
        if len(of) != len(sizes):
            raise ValueError(f"{self.name}(): global_size has {len(sizes)} dimensions, and "
                             f"local_size {len(of)}")
        return tuple((-(-sizes//of)*of).tolist()), tuple(of.tolist())

    def _length(self, x: Any) -> int:
        """Of the first argument: so many work-items, if nobody says."""
        if isinstance(x, Array):
            return x.length
        if self.queue is not None or not isinstance(x, np.ndarray):
            self._arguments._refuse_array()
        return int(x.size)

    @profile
    def __call__(self, *args: Any, **kw: Any) -> None:
        if len(args) != len(self._known):
            self._arguments._refuse_count(len(args))
        said = kw.pop("global_size", None)
        total, local = self._grid(self._length(args[0]) if said is None else said,
                                  kw.pop("local_size", None))
        group = int(np.prod(local))
        given = self._arguments.take([
            x.get(self._base(k), group) if isinstance(x, LocalMem) else x
            for x, k in zip(args, self._known)])
        self.c_func[total, local](*given)
        if self.queue is not None:
            self.queue.finish()
        self._tell()


class Cython(Compiled):
    """A function that is called once, on the host."""

    def __init__(self, func: Code) -> None:
        super().__init__("cython")
        self.func, self.name = func, func.__name__
        names = names_of(func)
        known = known_of(func, names)
        self._arguments = Arguments(self.name, known, "cython")
        self.c_func = self._made(functions._PLAIN, Loader((func,), "cython"), names,
                                 (func, None, None, None, None), (None, 0))

    def _roots(self) -> tuple[Code, ...]:
        return (self.func,)

    def __call__(self, *args: Any) -> Any:
        return self._run(args)

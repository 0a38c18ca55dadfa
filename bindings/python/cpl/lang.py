"""The names that kernels have beyond Python's, NumPy's and those of math.

    from cpl.lang import atomic_add, declare

They are known in kernels without an import too; with one, checkers and readers know where they come
from. Where Python can do the same they do it, so that kernels can be called and debugged as what
they look like; the others say that they work in kernels alone.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

import numpy as np

_NAMED = {
    "char": "int8", "signed char": "int8", "uchar": "uint8", "unsigned char": "uint8",
    "short": "int16", "ushort": "uint16", "unsigned short": "uint16", "int": "int32",
    "uint": "uint32", "unsigned": "uint32", "unsigned int": "uint32", "long": "int64",
    "long long": "int64", "ulong": "uint64", "unsigned long": "uint64",
    "unsigned long long": "uint64", "size_t": "uint64", "half": "float16", "float": "float32",
    "double": "float64", "_Bool": "bool",
}  # fmt: skip


class Builtin:
    """A name of the language: kernels have its meaning, Python what can be done there."""

    __cpl_builtin__ = True

    def __init__(self, name: str, doc: str, does: Callable[..., Any] | None = None) -> None:
        self.__cpl_name__ = name
        self.__name__ = self.__qualname__ = name.rpartition(".")[2]
        self.__doc__ = doc
        self._does = does

    def _refuse(self, *_: object, **__: object) -> Any:
        raise RuntimeError(f"{self.__name__} works in kernels alone: {self.__doc__}")

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self._does(*args, **keywords) if self._does else self._refuse()

    def __repr__(self) -> str:
        return f"<{self.__cpl_name__} of kernels>"


class Place(Builtin):
    """The place of a work-item: a number in kernels, and nothing outside."""

    __hash__ = Builtin.__hash__


for _operator in (
    "add radd sub rsub mul rmul floordiv rfloordiv truediv rtruediv mod rmod lshift rlshift rshift "
    "rrshift and rand or ror xor rxor neg pos invert int float index bool eq ne lt le gt ge"
).split():
    setattr(Place, f"__{_operator}__", Builtin._refuse)


class _Block:
    """with nogil, parallel(): nothing, in Python."""

    def __call__(self) -> _Block:
        return self

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        return None


class _BlockName(Builtin, _Block):
    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self


# ---- what Python does ----


def named_dtype(of: Any) -> np.dtype[Any]:
    text = " ".join(of.split()) if isinstance(of, str) else of
    return np.dtype(_NAMED.get(text, text) if isinstance(text, str) else text)


def _matrix(text: str, frame: Any) -> np.ndarray[Any, Any]:
    """declare('matrix((2, N), "int")'); sizes see the names of who declares."""
    inner = text[text.index("(") + 1:text.rindex(")")]
    sizes = eval(f"({inner},)", frame.f_globals, frame.f_locals)  # noqa: S307
    shape, of = (sizes[0], sizes[1]) if len(sizes) > 1 else (sizes[0], "double")
    return np.zeros(shape, named_dtype(of))


def _zero(of: Any, frame: Any) -> Any:
    if not isinstance(of, str):
        dtype = named_dtype(of)
        return np.zeros(1, dtype).view(np.recarray)[0] if dtype.fields else dtype.type(0)
    text = re.sub(r"^\s*(LOCAL_MEM|GLOBAL_MEM)\s+", "", of).strip()
    if text.startswith("matrix"):
        return _matrix(text, frame)
    try:
        return 0.0 if named_dtype(text).kind == "f" else 0
    except TypeError:
        return 0  # a pointer, or a struct that Python does not know


def _declare(of: Any, count: int = 1) -> Any:
    frame = sys._getframe(2)  # behind Builtin.__call__
    return _zero(of, frame) if count == 1 else tuple(_zero(of, frame) for _ in range(count))


def _to_integer(value: Any, dtype: np.dtype[Any]) -> int:
    """Truncates floats, to the nearest that fits; NaN is 0. Integers wrap."""
    info = np.iinfo(dtype)
    if isinstance(value, float | np.floating):
        if math.isnan(value):
            return 0
        limited = max(min(value, float(info.max)), float(info.min))
        return max(min(int(limited), int(info.max)), int(info.min))
    wrapped = int(value) & ((1 << info.bits) - 1)
    return wrapped - (1 << info.bits) if wrapped > info.max else wrapped


def _cast(value: Any, to: Any) -> Any:
    dtype = named_dtype(to)
    return dtype.type(_to_integer(value, dtype) if dtype.kind in "iu" else value)


def _bits(value: Any, to: Any) -> Any:
    given = np.asarray(value)
    if given.dtype.itemsize != named_dtype(to).itemsize:
        raise TypeError(f"bits: {given.dtype} and {named_dtype(to)} differ in size")
    return given.view(named_dtype(to))[()]


def _printf(form: str, *args: Any) -> None:
    print(form % args, end="")


def _vload(m: Any, x: Any, i: int) -> None:
    m[:] = x[i * len(m):(i + 1) * len(m)]


def _vstore(m: Any, x: Any, i: int) -> None:
    x[i * len(m):(i + 1) * len(m)] = m


def _nothing(**_: object) -> None:
    return None


def _rounds(*args: int, **_: object) -> range:
    return range(*args)


def _first() -> int:
    return 0


def _fdim(a: float, b: float) -> float:
    return a if math.isnan(a) else max(a - b, 0.0)


def _fma(a: float, b: float, c: float) -> float:
    from fractions import Fraction

    if not all(map(math.isfinite, (a, b, c))):
        return a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    return float(exact) if exact else a * b + c


# ---- the names ----


def _name(name: str, doc: str, does: Callable[..., Any] | None = None) -> Builtin:
    return Builtin(name, doc, does)


declare = _name(
    "declare", "x = declare('type'): gives a local its type; 'matrix((2, 3), \"int\")'", _declare
)
cast = _name("cast", "cast(e, 'type'): conversion", _cast)
bits = _name("bits", "bits(e, 'type'): the same bits as a number of that type", _bits)
address = _name("address", "Pointer to an element or variable")
printf = _name("printf", "C's printf; the format is a literal", _printf)

atomic_inc = _name("atomic_inc", "Adds 1 to an element; gives the value before")
atomic_dec = _name("atomic_dec", "Subtracts 1 from an element; gives the value before")
atomic_add = _name("atomic_add", "atomic_add(x[i], b): adds b; gives the value before")
atomic_sub = _name("atomic_sub", "atomic_sub(x[i], b): subtracts b; gives the value before")
atomic_min = _name("atomic_min", "atomic_min(x[i], b): min(old, b); gives the value before")
atomic_max = _name("atomic_max", "atomic_max(x[i], b): max(old, b); gives the value before")
atomic_and = _name("atomic_and", "atomic_and(x[i], b): old & b; gives the value before")
atomic_or = _name("atomic_or", "atomic_or(x[i], b): old | b; gives the value before")
atomic_xor = _name("atomic_xor", "atomic_xor(x[i], b): old ^ b; gives the value before")
atomic_xchg = _name("atomic_xchg", "atomic_xchg(x[i], b): replaces by b; gives the value before")
atomic_exchange = _name("atomic_exchange", "Another name of atomic_xchg")
atomic_cas = _name(
    "atomic_cas", "atomic_cas(x[i], b, c): replaces by c if it equals b; gives the value before"
)
atomic_cmpxchg = _name("atomic_cmpxchg", "Another name of atomic_cas")
atomic_load = _name("atomic_load", "atomic_load(x[i]): reads")
atomic_store = _name("atomic_store", "atomic_store(x[i], b): writes b; gives nothing")
fence = _name("fence", "Orders this work-item's accesses before and after it", _nothing)

static_range = _name(
    "static_range", "As range, of integers known when the function is compiled", _rounds
)
prange = _name("prange", "As range, its rounds in parallel", _rounds)
threadid = _name("threadid", "The number of who runs the round of a prange, from 0 on", _first)
get_thread_id = _name("get_thread_id", "Another name of threadid", _first)
parallel = _BlockName("parallel", "with nogil, parallel(): around a prange")
nogil = _BlockName("nogil", "with nogil: has no effect")

LID_0 = Place("LID_0", "Index in the work-group, first dimension")
LID_1 = Place("LID_1", "Index in the work-group, second dimension")
LID_2 = Place("LID_2", "Index in the work-group, third dimension")
GID_0 = Place("GID_0", "Index of the work-group, first dimension")
GID_1 = Place("GID_1", "Index of the work-group, second dimension")
GID_2 = Place("GID_2", "Index of the work-group, third dimension")
LDIM_0 = Place("LDIM_0", "Size of a work-group, first dimension")
LDIM_1 = Place("LDIM_1", "Size of a work-group, second dimension")
LDIM_2 = Place("LDIM_2", "Size of a work-group, third dimension")
GDIM_0 = Place("GDIM_0", "Number of work-groups, first dimension")
GDIM_1 = Place("GDIM_1", "Number of work-groups, second dimension")
GDIM_2 = Place("GDIM_2", "Number of work-groups, third dimension")

get_global_id = _name("get_global_id", "get_global_id(d): index in the grid, dimension d")
get_local_id = _name("get_local_id", "get_local_id(d): index in the work-group")
get_group_id = _name("get_group_id", "get_group_id(d): index of the work-group")
get_global_size = _name("get_global_size", "get_global_size(d): work-items in the grid")
get_local_size = _name("get_local_size", "get_local_size(d): size of a work-group")
get_num_groups = _name("get_num_groups", "get_num_groups(d): number of work-groups")

subgroup_size = _name("subgroup_size", "Lanes of a full sub-group")
lane_id = _name("lane_id", "Index in the sub-group")
local_barrier = _name(
    "local_barrier",
    "Waits for all work-items of the group; then they see each other's local memory",
)
global_barrier = _name("global_barrier", "As local_barrier, for global memory too")
nanosleep = _name("nanosleep", "nanosleep(ns): on CUDA lets about so many nanoseconds pass")
shuffle = _name("shuffle", "shuffle(v, lane): the value of another lane of the sub-group")
shuffle_xor = _name("shuffle_xor", "shuffle_xor(v, mask): the value of lane (own ^ mask)")
shuffle_up = _name("shuffle_up", "shuffle_up(v, n): the value of the lane n below")
shuffle_down = _name("shuffle_down", "shuffle_down(v, n): the value of the lane n above")
ballot = _name("ballot", "Bit l of the uint64 is set where lane l has true")
subgroup_add = _name("subgroup_add", "The sum over the lanes")
subgroup_min = _name("subgroup_min", "The least value of the lanes")
subgroup_max = _name("subgroup_max", "The greatest value of the lanes")
subgroup_scan_add = _name("subgroup_scan_add", "The sum over the lanes up to its own")
subgroup_scan_min = _name("subgroup_scan_min", "The least value of the lanes up to its own")
subgroup_scan_max = _name("subgroup_scan_max", "The greatest value of the lanes up to its own")
launch_bounds = _name(
    "launch_bounds",
    "launch_bounds(items, groups): groups have at most so many work-items, and so many groups "
    "are to share a multiprocessor",
)
vload = _name("vload", "vload(m, x, i): m[:] = x[i*n : i*n + n], n the size of m", _vload)
vstore = _name("vstore", "vstore(m, x, i): x[i*n : i*n + n] = m[:]", _vstore)

# of C's mathematics, what Python's has not
rint = _name("rint", "Round to nearest, halves to even; the result is a float", np.rint)
nearbyint = _name("nearbyint", "Another name of rint", np.rint)
fdim = _name("fdim", "fdim(a, b): a - b where positive, else 0", _fdim)
fmin = _name("fmin", "The smaller; a number beats NaN", np.fmin)
fmax = _name("fmax", "The larger; a number beats NaN", np.fmax)
fma = _name("fma", "fma(a, b, c): a * b + c rounded once", _fma)
tgamma = _name("tgamma", "Gamma function", math.gamma)

M_E = math.e
M_LOG2E = 1.44269504088896340736
M_LOG10E = 0.43429448190325182765
M_LN2 = 0.69314718055994530942
M_LN10 = 2.30258509299404568402
M_PI = math.pi
M_PI_2 = math.pi / 2
M_PI_4 = math.pi / 4
M_1_PI = 0.31830988618379067154
M_2_PI = 0.63661977236758134308
M_2_SQRTPI = 1.12837916709551257390
M_SQRT2 = 1.41421356237309504880
M_SQRT1_2 = 0.70710678118654752440
INFINITY = HUGE_VAL = HUGE_VALF = HUGE_VALL = math.inf
NAN = math.nan
MAXFLOAT = 3.40282346638528859812e38

__all__ = sorted(
    name
    for name, value in globals().items()
    if isinstance(value, Builtin | float) and not name.startswith("_")
)

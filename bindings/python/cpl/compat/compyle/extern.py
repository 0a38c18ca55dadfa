"""Symbols from outside that kernels may use: functions of C's on the host, texts on devices."""

from __future__ import annotations

import ctypes.util
import re
import zlib
from collections.abc import Iterable
from typing import Any

from cpl import _cpl, lang

from . import cuda_text
from .devices import CUDA


class Extern:
    """A symbol that a kernel calls by the name that it has in the kernel's module."""

    def link(self, backend: str) -> list[str]:
        """Arguments for a linker, of which none is called."""
        return []

    def code(self, backend: str) -> str:
        """The text that defines the symbol for a back end; NotImplementedError where there is
        none. Subclasses have their own."""
        raise NotImplementedError(f"{type(self).__qualname__} has no code for {backend}")

    def __call__(self, *args: Any, **kw: Any) -> Any:
        """What Python does; subclasses have their own."""
        raise NotImplementedError(f"{type(self).__qualname__} works in kernels alone")


class _Printf(Extern):
    """C's printf, which the language has built in."""

    __cpl_builtin__ = True
    __cpl_name__ = __name__ = "printf"

    def code(self, backend: str) -> str:
        return "from libc.stdio cimport printf" if backend == "cython" else ""

    def __call__(self, *args: Any, **kw: Any) -> None:
        lang.printf(*args)


printf = _Printf()


def get_extern_code(externs: Iterable[Extern], backend: str) -> tuple[list[str], list[str]]:
    """Linkers' arguments and the texts of symbols, without the empty ones."""
    links: list[str] = []
    texts = []
    for extern in externs:
        links += extern.link(backend)
        texts.append(extern.code(backend))
    return links, [t for t in texts if t]


# --- in kernels ---

_BUILTINS = frozenset(_cpl.builtin_names())
_C_TYPES = {
    "void": "void", "char": "int8", "unsigned char": "uint8", "short": "int16",
    "unsigned short": "uint16", "int": "int32", "unsigned int": "uint32", "unsigned": "uint32",
    "uint": "uint32", "long": "int64", "unsigned long": "uint64", "ulong": "uint64",
    "long long": "int64", "float": "float32", "double": "float64", "size_t": "uint64",
}
_QUALIFIERS = re.compile(
    r"\b(inline|static|extern|cdef|const|nogil|noexcept|WITHIN_KERNEL|GLOBAL_MEM|__global|"
    r"__device__|__host__|__forceinline__|__noinline__|__inline__|"
    r"global|restrict|__restrict)\b"
)


def _type(c: str, pointer: str) -> str | None:
    """The compiler's name of a type as C writes it; None of what it lacks."""
    words = _QUALIFIERS.sub(" ", c)
    base = _C_TYPES.get(" ".join(words.replace("*", " ").split()))
    if base is None or words.count("*") > 1:
        return None
    return base + (pointer if "*" in words else "")


def _parameter(text: str) -> str:
    """Its type: `double x` and `double` are both one."""
    text = text.strip()
    alone = " ".join(_QUALIFIERS.sub(" ", text).replace("*", " ").split())
    return text if alone in _C_TYPES else re.sub(r"\w+\s*$", "", text)


def signature(text: str, name: str, pointer: str = "[]") -> str | None:
    """That of the function which a text in C declares or defines, as the compiler writes it.

    >>> signature("inline double half(double x, int *n) { return x/2; }", "half")
    'float64(float64, int32[])'
    """
    found = re.search(rf"([\w*][\w \t*]*?[\s*]){name}\s*\(([^()]*)\)", text)
    if found is None:
        return None
    parameters = [p for p in found.group(2).split(",") if p.strip() not in ("", "void")]
    types = [_type(_parameter(p), pointer) for p in parameters]
    result = _type(found.group(1), pointer)
    return f"{result}({', '.join(map(str, types))})" if result and all(types) else None


# Of <math.h>, by how many numbers each takes: what `from libc.math cimport` names.
_LIBM = {
    1: "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor j0 "
       "j1 lgamma log log10 log1p log2 logb nearbyint rint round sin sinh sqrt tan tanh tgamma "
       "trunc y0 y1",
    2: "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder",
}
_CIMPORT = re.compile(r"from\s+libc\.math\s+cimport\b[^\n]*")


def _taken_by(name: str, code: str) -> int:
    """How many numbers a function of C's mathematics takes, which the code imports or, where it is
    empty, has for granted; 0: it is none."""
    imported = _CIMPORT.search(code)
    named = imported.group().partition("cimport")[2] if imported else ""
    if code.strip() and not re.search(rf"\b{name}\b", named):
        return 0
    return next((count for count, names in _LIBM.items() if name in names.split()), 0)


def _library(extern: Extern) -> str | None:
    """Which the arguments for a linker name; None: what the process has."""
    for said in extern.link("cython"):
        if said.startswith("-l"):
            return ctypes.util.find_library(said[2:]) or f"lib{said[2:]}.so"
        if ".so" in said:
            return said
    return None


def _code(extern: Extern, backend: str, narrow: bool) -> str | None:
    try:
        text = extern.code(backend) or ""
    except NotImplementedError:
        return None
    if not narrow or (backend == "cuda" and cuda_text.is_ptx(text)):
        return text
    return re.sub(r"\bdouble\b", "float", text)


def _own_text(name: str, count: int, on_host: bool, real: str) -> str:
    """Of a function of C's mathematics: on the host what declares it, on OpenCL, which has most of
    them, one that calls it."""
    names = "xy"[:count]
    head = f"{real} {name}({', '.join(f'{real} {x}' for x in names)})"
    return head if on_host else f"{head} {{ return {name}({', '.join(names)}); }}"


def _architecture() -> int:
    """That of the GPU that programs use, 90 of sm_90a; without one what the library takes."""
    if not any(d.kind == "cuda" for d in _cpl.devices()):
        return 75
    found = re.search(r"sm_(\d+)", CUDA.device.target)
    return int(found.group(1)) if found else 75


def _on_cuda(name: str, code: str, types: str) -> tuple[str, str]:
    """As symbol, of a text for CUDA; an empty one stands for CUDA's own function."""
    architecture = _architecture()
    own = f"{name}_{zlib.crc32(f'{code} {types} {architecture}'.encode()):08x}"
    try:
        text = (cuda_text.renamed(code, name, own) if cuda_text.is_ptx(code)
                else cuda_text.ptx(code, name, own, types, architecture))
    except cuda_text.CudaTextError as error:
        return "other", f"an Extern for CUDA without PTX: {error}"
    _cpl.extern_source(own, types, "ptx", text)
    return "extern", own


def symbol(extern: Extern, name: str, backend: str, narrow: bool) -> tuple[str, str]:
    """What kernels of a back end have under the name of an extern: ("extern", name) of a function
    that its code declares or defines, ("builtin", name) of one that the language has, else
    ("other", why not)."""
    code = _code(extern, backend, narrow)
    if code is None:
        return "other", f"an Extern without code for {backend}"
    on_host = backend == "cython"
    types = signature(code, name, "*" if on_host else "[]")
    if types is None and name in _BUILTINS:
        return "builtin", name
    count = 0 if types else _taken_by(name, code)
    if count:
        code = _own_text(name, count, on_host, "float" if narrow else "double")
        types = signature(code, name)
    if types is None:
        return "other", f"an Extern whose code for {backend} has no function of that name in C"
    if backend == "cuda":
        return _on_cuda(name, "" if count else code, types)
    library = _library(extern) if on_host else None
    own = f"{name}_{zlib.crc32(f'{code} {library}'.encode()):08x}"  # others may have that name too
    if on_host:
        try:
            _cpl.extern_register(own, types, library, name)
        except LookupError:
            return "other", "an Extern that no library has which is loaded; link() may name one"
    else:
        # Of a function that calls the one of its name, the first is its own.
        text = re.sub(rf"\b{name}\b", own, code, count=int(count > 0))
        _cpl.extern_source(own, types, "opencl-c", text)
    return "extern", own

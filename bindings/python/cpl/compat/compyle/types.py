"""Types by their names: "double", "gintp", and how functions are given theirs."""

from __future__ import annotations

import ast
import platform
from collections.abc import Callable
from typing import Any

import numpy as np

BITS = platform.architecture()[0]

_SCALARS = {
    "float": "float", "double": "double", "int": "int", "long": "long", "uint": "unsigned int",
    "ulong": "unsigned long",
}


class KnownType:
    """A type as C writes it; of a pointer also what it points to."""

    def __init__(self, type_str: str, base_type: str = "") -> None:
        self.type = type_str
        self.base_type = base_type

    def __repr__(self) -> str:
        more = f', "{self.base_type}"' if self.base_type else ""
        return f'KnownType("{self.type}"{more})'

    def __eq__(self, other: Any) -> bool:
        return bool(self.type == other.type and self.base_type == other.base_type)

    __hash__ = None  # type: ignore[assignment]


def _known_types() -> dict[str, KnownType]:
    types = {name: KnownType(c) for name, c in _SCALARS.items()}
    for front, space in (("", ""), ("g", "GLOBAL_MEM "), ("l", "LOCAL_MEM ")):
        for name, c in _SCALARS.items():
            types[f"{front}{name}p"] = KnownType(f"{space}{c}*", c)
    return types


TYPES = _known_types()

# Each under its name, but for those that would hide Python's: int_, long_ and float_.
globals().update(
    {f"{n}_" if n in ("int", "long", "float") else n: known for n, known in TYPES.items()}
)

C_NP_TYPE_MAP = {
    "bool": bool, "char": np.int8, "double": np.float64, "float": np.float32, "int": np.int32,
    "long": np.int64, "short": np.int16, "unsigned char": np.uint8, "unsigned int": np.uint32,
    "unsigned long": np.uint64, "unsigned short": np.uint16,
}
NP_C_TYPE_MAP = {np.dtype(of): c for c, of in C_NP_TYPE_MAP.items()} | {np.dtype(bool): "char"}
NP_TYPE_LIST = list(C_NP_TYPE_MAP.values())


class Undefined:
    """Stands for a value that nobody knows."""


# --- declare ---


def get_declare_info(arg: str) -> tuple[str, str, str, Any]:
    """What a declaration says: its kind, "primitive" or "matrix", the address space, the type and
    the shape, None of a primitive.

    >>> get_declare_info('LOCAL_MEM matrix((2, 3), "int")')
    ('matrix', 'LOCAL_MEM', 'int', (2, 3))
    """
    space = ""
    if arg.startswith(("LOCAL_MEM", "GLOBAL_MEM")):
        space, _, arg = arg.partition(" ")
    if not arg.startswith("matrix"):
        return "primitive", space, arg, None
    said = ast.literal_eval(arg[len("matrix"):].strip()[1:-1])
    if isinstance(said, tuple) and len(said) > 1 and isinstance(said[1], str):
        return "matrix", space, said[1], said[0]
    return "matrix", space, "double", said


def _zero(text: str) -> Any:
    kind, _, c, shape = get_declare_info(text)
    if kind == "matrix":
        return np.zeros(shape, C_NP_TYPE_MAP[c])
    return 0.0 if c in ("double", "float") else 0


def declare(type: str, num: int = 1) -> Any:
    """Gives locals a type in kernels; Python gets zeros.

    >>> declare("int"), declare("double", 2)
    (0, (0.0, 0.0))
    """
    return _zero(type) if num == 1 else tuple(_zero(type) for _ in range(num))


# --- names of types ---


def dtype_to_ctype(dtype: Any, backend: str | None = None) -> str:
    """C's name for a type of NumPy's."""
    if backend in ("opencl", "cuda"):
        short = {"unsigned char": "uchar", "unsigned short": "ushort", "unsigned int": "uint",
                 "unsigned long": "ulong"}
        c = NP_C_TYPE_MAP[np.dtype(dtype)]
        return short.get(c, c)
    return NP_C_TYPE_MAP[np.dtype(dtype)]


def ctype_to_dtype(ctype: str) -> np.dtype[Any]:
    """NumPy's type for C's name."""
    return np.dtype(C_NP_TYPE_MAP[ctype])


def knowntype_to_ctype(knowntype: str) -> str:
    """How C writes a type that is known by a name.

    >>> knowntype_to_ctype("guintp")
    'GLOBAL_MEM unsigned int*'
    """
    known = TYPES.get(knowntype)
    if known is None:
        raise ValueError("Not a vaild known type")
    return known.type


_ADDRESSES = {"scalar": "{}", "ptr": "{}p", "global": "g{}p", "local": "l{}p"}


def dtype_to_knowntype(dtype: Any, address: str = "scalar", backend: str | None = None) -> str:
    """The name of a type: a scalar, or a pointer to such, to global or to local memory.

    >>> dtype_to_knowntype(np.uint32, "global")
    'guintp'
    """
    c = dtype_to_ctype(dtype, backend)
    name = f"u{c.removeprefix('unsigned ')}" if c.startswith("unsigned") else c
    if address not in _ADDRESSES:
        raise ValueError("address can only be scalar, ptr, global or local")
    return _ADDRESSES[address].format(name.replace(" ", ""))


# --- annotate ---


def _known(of: Any) -> KnownType:
    if isinstance(of, KnownType):
        return of
    if of not in TYPES:
        raise TypeError(
            f"Unknown type {of}, not a KnownType and not one of the pre-declared types."
        )
    return TYPES[of]


def _parameter(name: str) -> str:
    return "return" if name == "return_" else name


def kwtype_to_annotation(kw: dict[str, Any]) -> dict[str, KnownType]:
    """The type of each parameter, said as x="int" or int="x, y"; int="x" says the same as the first.

    >>> kwtype_to_annotation({"int": "i, return_"})
    {'i': KnownType("int"), 'return': KnownType("int")}
    """
    found = {}
    for name, of in kw.items():
        if isinstance(of, str) and ("," in of or (name in TYPES and of not in TYPES)):
            found.update({_parameter(n.strip()): _known(name) for n in of.split(",")})
        else:
            found[_parameter(name)] = _known(of)
    return found


def annotate(func: Callable[..., Any] | None = None, **kw: Any) -> Any:
    """Gives a function's parameters types; without any they are those of the arguments.

    >>> @annotate(i="int", doublep="x, y", return_="double")
    ... def f(i, x, y):
    ...     return x[i]*y[i]
    >>> f.__annotations__["x"]
    KnownType("double*", "double")
    """
    types = kwtype_to_annotation(kw)

    def give(function: Any) -> Any:
        if kw:
            function.is_jit = getattr(function, "is_jit", False)
            function.__annotations__ = types
        else:
            function.is_jit = True
        return function

    return give if func is None else give(func)

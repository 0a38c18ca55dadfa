"""Classes of numbers: structs of kernels, which NumPy's arrays hold as records."""

from __future__ import annotations

import __future__
import ast
import sys
import weakref
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

from cpl.lang import named_dtype

__all__ = ["struct"]

_Class = TypeVar("_Class", bound=type)

_known: weakref.WeakSet[type] = weakref.WeakSet()
_CONSTANTS = (int, float, complex, np.generic, tuple, list, np.ndarray)


def _matrix(node: ast.Call, names: dict[str, Any]) -> np.dtype[Any]:
    """matrix((2, 3), "int")"""
    values = [eval(compile(ast.Expression(a), "", "eval"), names) for a in node.args]  # noqa: S307
    of = values[1] if len(values) > 1 else "double"
    return np.dtype((_field(of, names, False), values[0]))


def _field(of: Any, names: dict[str, Any], python: bool) -> np.dtype[Any]:
    """python: a text is an annotation that was not evaluated, and "float" Python's own."""
    if isinstance(of, str):
        node = ast.parse(of.strip(), mode="eval").body if "(" in of or python else None
        if isinstance(node, ast.Constant):
            return _field(node.value, names, False)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "matrix":
            return _matrix(node, names)
        if node is not None:
            return _field(eval(of, names), names, False)  # noqa: S307
        found = names.get(of)
        if found is None or not hasattr(found, "dtype"):
            return named_dtype(of)
        of = found
    found_dtype: np.dtype[Any] = np.dtype(getattr(of, "__cpl_dtype__", of))
    return found_dtype


def _is_postponed(cls: type, names: dict[str, Any]) -> bool:
    return names.get("annotations") is __future__.annotations and all(
        isinstance(a, str) for a in cls.__annotations__.values()
    )


def _make_init(dtype: np.dtype[Any]) -> Any:
    names = dtype.names or ()

    def __init__(self: Any, *values: Any, **named: Any) -> None:
        given = {**dict(zip(names, values)), **named}  # noqa: B905 (the length is checked below)
        plain = [n for n in names if dtype[n].subdtype is None]
        if len(values) > len(names) or set(given) - set(names):
            raise TypeError(f"{type(self).__name__} has the fields {', '.join(names)}")
        if given and set(plain) - set(given):
            raise TypeError("all fields that are no matrices are given, or none")
        for name in names:
            value = given.get(name, np.zeros((), dtype[name])[()])
            setattr(self, name, value)

    return __init__


def _record(self: Any) -> np.ndarray[Any, Any]:
    """The fields as they are now, for a kernel, which reads them."""
    dtype = type(self).dtype
    made = np.zeros((), dtype)
    for name in dtype.names or ():
        value = getattr(self, name)
        made[name] = value.__cpl_record__() if hasattr(value, "__cpl_record__") else value
    made.flags.writeable = False
    return made


def struct(cls: _Class) -> _Class:
    """A class whose annotations are the fields of a struct, with methods for kernels.

    The class has a `dtype`, of the layout that C gives the fields: `np.zeros(n, Cell.dtype)` are n
    of them. In a kernel `Cell(1, 2.0)` is a new one, `declare('Cell')` one of zeros, and `c.f(x)`
    calls a method, as `+` calls `__add__`. An object of it is an argument of kernels, which read its
    fields; a record, `np.zeros(n, Cell.dtype)[i]`, is one that they write too. A class counts in a program where the program names it,
    or calls a method of it that no array has. In Python it stays what it is; without an `__init__`
    it gets one that takes the fields.

        @cpl.struct
        class Cell:
            kind: np.int32
            mass: float

            def energy(self, v):
                return 0.5*self.mass*v*v

    Fields are of Python's and NumPy's numbers, structured dtypes, other such classes, and what the
    language calls types: 'double', 'matrix(3)', 'matrix((2, 2), "int")'.
    """
    names = vars(sys.modules.get(cls.__module__, np)) if cls.__module__ else {}
    own = cls.__dict__.get("__annotations__") or getattr(cls, "__annotations__", {})
    if not own or cls.__mro__[1:] != (object,):
        what = "no fields: each is an annotation" if not own else "base classes"
        raise TypeError(f"{cls.__name__} has {what}, and structs of kernels have none of that")
    space = dict(names)
    postponed = _is_postponed(cls, names)
    fields = [(n, _field(of, space, postponed)) for n, of in own.items()]
    dtype = np.dtype(fields, align=True)
    for name in own:
        if name in vars(cls):
            raise TypeError(f"{cls.__name__}.{name} has a value, and fields of structs begin as 0; "
                            "a constant has no annotation")
    _known.add(cls)
    if "__init__" not in vars(cls):
        setattr(cls, "__init__", _make_init(dtype))
    setattr(cls, "dtype", dtype)
    setattr(cls, "__cpl_record__", _record)
    setattr(cls, "__cpl_dtype__", dtype)
    return cls


def dtype_of(value: object) -> np.dtype[Any] | None:
    """That of a class made here."""
    return vars(value).get("__cpl_dtype__") if isinstance(value, type) else None


def methods_of(cls: type) -> dict[str, FunctionType]:
    """Without the __init__ that it got here."""
    return {
        name: f
        for name, f in vars(cls).items()
        if isinstance(f, FunctionType) and f.__module__ != __name__
    }


def constants_of(cls: object) -> dict[str, Any]:
    """Of a class made here the numbers, and what may be tables of them, that are no fields."""
    dtype = dtype_of(cls)
    if dtype is None or not isinstance(cls, type):
        return {}
    names = [n for n in vars(cls) if not n.startswith("__") and n not in (dtype.names or ())]
    return {n: vars(cls)[n] for n in names if isinstance(vars(cls)[n], _CONSTANTS)}


def _sorted(found: list[type]) -> list[type]:
    """In an order that is always the same."""
    return sorted(found, key=lambda c: (c.__module__, c.__qualname__))


def with_method(name: str) -> list[type]:
    """Classes that have a method of this name."""
    return _sorted([c for c in _known if name in methods_of(c)])


def with_constant(name: str) -> list[type]:
    """Classes that have a constant of this name."""
    return _sorted([c for c in _known if name in constants_of(c)])

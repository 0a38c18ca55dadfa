"""What Compyle's functions are to the compiler: their texts, with Compyle's types for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from cpl import functions, source

from .config import Config, get_config
from .devices import is_gpu
from .extern import Extern, symbol
from .types import C_NP_TYPE_MAP, KnownType

Code = Callable[..., Any]

# How locals get types, as in cpl/functions.h: the first assignment decides, or all are float64.
_FIRST, _FLOAT64 = 1, 2

_DEFAULTS = {bool: "int32", int: "int64", float: "float64"}
_SCHEDULES = {"static": 0, "dynamic": 1, "guided": 2}


class CodeGenerationError(Exception):
    """A function lacks what a kernel needs."""


def is_jit(function: Any) -> bool:
    """Whether arguments say a function's types."""
    return bool(getattr(function, "is_jit", False)) or not types_of(function)


def types_of(function: Any) -> dict[str, KnownType]:
    """The annotations that mean something to kernels."""
    found = getattr(function, "__annotations__", None) or {}
    return {name: known for name, known in found.items() if isinstance(known, KnownType)}


def is_pointer(known: KnownType) -> bool:
    return known.type.rstrip().endswith("*")


def is_local(known: KnownType) -> bool:
    """Whether it points to memory of a work-group."""
    return known.type.startswith("LOCAL_MEM")


def scalar_of(known: KnownType, narrow: bool) -> str | None:
    """The type's name; None of those that are as they are given. narrow: float64 is float32."""
    if is_pointer(known) or known.type not in C_NP_TYPE_MAP:
        return None
    name = str(np.dtype(C_NP_TYPE_MAP[known.type]).name)
    return "float32" if narrow and name == "float64" else name


def _default_types(function: FunctionType) -> dict[str, str]:
    """Of a function without annotations: what its defaults say."""
    code, values = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[code.co_argcount - len(values):code.co_argcount]
    return {n: _DEFAULTS[type(v)] for n, v in zip(names, values) if type(v) in _DEFAULTS}


def _typed(function: FunctionType, given: Any, narrow: bool, result: str | None) -> tuple[Any, ...]:
    """(locals, types, result) of a row for Module. Arrays are of what they are given as."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    if is_jit(given):
        return _FIRST, (None,)*len(names), result
    known = types_of(given)
    lacking = [n for n in names if n not in known]
    if lacking:
        raise CodeGenerationError(f"{function.__name__}: {', '.join(lacking)}: no type is given")
    types = tuple(scalar_of(known[n], narrow) for n in names)
    if result is None and "return" in known:
        result = scalar_of(known["return"], narrow)
    return _FLOAT64, types, result


class Loader(functions._Loader):
    """Reads functions with all that they call into a module, once for each thing they may mean.

    results: of functions by their index, the types of what they return. adapters: (index,
    parameters, arguments), each a function of the parameters that stands in place of one, which it
    calls with the arguments, that are among them.
    """

    def __init__(
        self, roots: Sequence[Code], backend: str, results: dict[int, str] | None = None,
        adapters: Sequence[tuple[int, tuple[str, ...], tuple[str, ...]]] = (),
    ) -> None:
        super().__init__(tuple(roots))
        self.backend, self.narrow = backend, narrows(backend)
        self.results, self.adapters = results or {}, tuple(adapters)

    def __call__(self, arguments: tuple[Code, ...]) -> tuple[Any, ...]:
        if not self._functions:  # of expressions alone
            return super().__call__(arguments)
        program = source.program(self._functions[0], functions._BUILTINS, self._functions[1:])
        rows = functions._rows(program.functions)
        for k, text in enumerate(program.functions):
            if text.function is not None:
                given = self._functions[k] if k < len(self._functions) else text.function
                typed = _typed(text.function, _annotated(given, text.function), self.narrow,
                               self.results.get(k))
                rows[k] = (*rows[k][:5], self._names(text), typed)
        names = [row[0] for row in rows[: len(self._functions)]]
        for index, parameters, taken in self.adapters:
            rows.append(_adapter(f"{names[index]}_{len(rows)}", names[index], index, parameters,
                                 taken, self.results.get(index) is not None))
            names[index] = rows[-1][0]
        guards = tuple((g.holder, g.key, g.value) for g in program.guards)
        return self._module(tuple(rows)), tuple(names), guards

    def _names(self, text: source.Text) -> tuple[Any, ...]:
        """What the names in a text stand for, with symbols from outside among them."""
        rows = []
        for name in text.names:
            found: tuple[str, object] = name.kind, name.value
            value = text.function.__globals__.get(name.name) if text.function else None
            if name.kind == "other" and isinstance(value, Extern):
                found = symbol(value, name.name, self.backend, self.narrow)
            rows.append((name.name, *found))
        return tuple(rows)


def _annotated(given: Any, plain: FunctionType) -> Any:
    """Which of a function and what is behind its decorators has the types."""
    return given if getattr(given, "is_jit", None) is not None or types_of(given) else plain


def _adapter(
    name: str, of: str, index: int, parameters: tuple[str, ...], taken: tuple[str, ...],
    returns: bool,
) -> tuple[Any, ...]:
    call = f"called_{index}({', '.join(taken)})"
    text = f"def {name}({', '.join(parameters)}):\n    {'return ' if returns else ''}{call}\n"
    return name, f"<{of}>", text, 1, 0, ((f"called_{index}", "function", index),)


def settings(backend: str, config: Config, serial: bool = False) -> tuple[tuple[str, int], ...]:
    """What a function is compiled with: on the host in order on one thread, unless use_openmp."""
    if backend in ("opencl", "cuda"):
        return () if config.use_double else (("float32", 1),)
    if serial or not config.use_openmp:
        return (("in_order", 1),)
    kind, chunk = config.omp_schedule
    if (kind, chunk) == ("dynamic", 64):  # nobody asked for it: what suits the launch
        return ()
    return ("schedule", _SCHEDULES[kind.lower()]), ("chunk", chunk or 0)


def narrows(backend: str) -> bool:
    """Whether float64 is float32."""
    return is_gpu(backend) and not get_config().use_double

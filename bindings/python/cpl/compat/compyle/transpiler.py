"""What a function needs from outside: constants, functions and external symbols."""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Iterator
from textwrap import dedent
from typing import Any, NoReturn

from . import beside
from .ast_utils import get_unknown_names_and_calls
from .config import get_config
from .cython_generator import _SOURCE
from .extern import Extern
from .utils import getsource

__getattr__ = beside.of(__name__)

_NUMBERED = tuple(f"{name}_{k}" for name in ("LID", "GID", "LDIM", "GDIM") for k in range(3))

BUILTINS = {n for n in dir(math) if not n.startswith("_")} | {
    "abs", "annotate", "declare", "local_barrier", "max", "min", "printf", "range",
}
BUILTIN_SYMBOLS = {
    *_NUMBERED, "HUGE_VALF", "INFINITY", "M_1_PI", "M_2_PI", "M_2_SQRTPI", "M_E", "M_LN10", "M_LN2",
    "M_LOG10E", "M_LOG2E", "M_PI", "M_PI_2", "M_PI_4", "M_SQRT1_2", "M_SQRT2", "NAN",
}
CY_BUILTIN_SYMBOLS = BUILTIN_SYMBOLS | {"HUGE_VAL", "HUGE_VALL", "e", "pi"}
OCL_BUILTIN_SYMBOLS = BUILTIN_SYMBOLS | {"MAXFLOAT"}


def convert_to_float_if_needed(code: str) -> str:
    """A text of C's with float for double, unless use_double is set."""
    return code if get_config().use_double else re.sub(r"\bdouble\b", "float", code)


def filter_calls(calls: set[str]) -> list[str]:
    """Those that the language does not have built in."""
    return sorted(c for c in calls if c not in BUILTINS)


def get_external_symbols_and_calls(
    func: Any, backend: str
) -> tuple[dict[str, Any], set[str], list[Any], list[Extern]]:
    """Of the names in a function that are not its own: the values of its module, those that nobody
    has, the functions that it calls and the external symbols. NameError if it calls what is not
    there."""
    names, calls = get_unknown_names_and_calls(dedent(getsource(func)))
    names -= CY_BUILTIN_SYMBOLS if backend == "cython" else OCL_BUILTIN_SYMBOLS
    called = [c for c in filter_calls(calls) if c != func.__name__]
    module = vars(importlib.import_module(func.__module__))
    lacking = [c for c in called if module.get(c) is None]
    if lacking:
        raise NameError(
            f"{func.__qualname__}: the following functions are not defined: {', '.join(lacking)}"
        )
    values = {n: module[n] for n in sorted(names) if n in module}
    found = [*values.values(), *(module[c] for c in called)]
    return (
        {n: v for n, v in values.items() if not isinstance(v, Extern)},
        {n for n in names if n not in module},
        [module[c] for c in called if not isinstance(module[c], Extern)],
        [x for x in found if isinstance(x, Extern)],
    )


class CodeBlock:
    """A function with its text, or a text alone. Equal to what it is of."""

    def __init__(self, obj: Any, code: str) -> None:
        self.obj, self.code = obj, code

    def __eq__(self, other: object) -> bool:
        return bool(self.obj == (other.obj if isinstance(other, CodeBlock) else other))

    __hash__ = None  # type: ignore[assignment]


class Transpiler:
    """Functions and all that they call, what is called first. Their texts stay Python's."""

    def __init__(self, backend: str = "cython", incl_cluda: bool = True) -> None:
        self.backend = backend
        self.blocks: list[CodeBlock] = []
        self.mod: Any = None
        self.source = ""

    def add(self, obj: Any, declarations: Any = None) -> None:
        """A function, behind those that it calls."""
        for function in self._walk(obj, []):
            self.blocks.append(CodeBlock(function, dedent(getsource(function))))

    def _walk(self, obj: Any, around: list[Any]) -> Iterator[Any]:
        if obj in self.blocks or obj in around:
            return
        _, implicit, calls, _ = get_external_symbols_and_calls(obj, self.backend)
        if implicit and not get_config().suppress_warnings:
            print(
                f"Warning: the following symbols are implicitly defined.\n  {implicit}\n"
                "You may want to explicitly declare/define them."
            )
        for called in calls:
            yield from self._walk(called, [*around, obj])
        yield obj

    def add_code(self, code: str) -> None:
        """A text as it is."""
        self.blocks.append(CodeBlock(code, code))

    def get_code(self) -> NoReturn:
        raise NotImplementedError(f"functions are not printed in another language: {_SOURCE}")

    def compile(self) -> NoReturn:
        raise NotImplementedError(
            "functions are compiled by Elementwise, Reduction, Scan, Kernel and Cython alone"
        )

"""What Compyle's generator of Cython tells of functions. No Cython is generated here: the compiler
makes machine code, which the attribute `source` of Elementwise and its kin shows as a text."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence
from typing import Any, NoReturn

from . import beside
from .ast_utils import has_return
from .config import get_config
from .program import CodeGenerationError
from .types import KnownType, Undefined, get_declare_info
from .utils import getsource, getsourcelines

__getattr__ = beside.of(__name__)

__all__ = [
    "CodeGenerationError", "CythonGenerator", "all_numeric", "get_func_definition",
    "get_parallel_range", "parse_declare",
]

_SOURCE = "the attribute `source` of Elementwise, Reduction, Scan and Kernel has a kernel's text"


def get_func_definition(sourcelines: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The lines of a signature, and those behind it.

    >>> get_func_definition(["def f(x,\\n", "      y):\\n", "    return x\\n"])
    (['def f(x,\\n', '      y):\\n'], ['    return x\\n'])
    """
    ends = (k for k, line in enumerate(sourcelines, 1) if line.rstrip().endswith(":"))
    count = next(ends, len(sourcelines) + 1)
    return sourcelines[:count], sourcelines[count:]


def get_parallel_range(start: Any, stop: Any = None, step: Any = 1, **kwargs: Any) -> str:
    """The text of a loop's range: of prange where use_openmp is set.

    >>> get_parallel_range("n")
    'range(0, n, 1)'
    """
    start, stop = (0, start) if stop is None else (start, stop)
    said = f"{start}, {stop}, {step}"
    config = get_config()
    if not config.use_openmp:
        return f"range({said})"
    schedule = kwargs.pop("schedule", config.omp_schedule[0])
    chunk = kwargs.pop("chunksize", config.omp_schedule[1])
    if schedule is not None:
        said += f", schedule='{schedule}'"
    if chunk is not None:
        said += f", chunksize={chunk}"
    return f"prange({said}{''.join(f', {k}={v!r}' for k, v in kwargs.items())})"


def all_numeric(seq: Sequence[Any]) -> bool:
    """Whether all are an int or a float."""
    return all(type(x) in (int, float) for x in seq)


def plain_type(name: str, value: Any) -> str | None:
    """C's type of a parameter by its name, or by a default that is a number or of numbers; None of
    what tells none."""
    if name in ("s_idx", "d_idx"):
        return "long"
    if name.startswith(("s_", "d_")):
        return "double*"
    for kind, c in ((bool, "int"), (int, "long"), (float, "double")):
        if isinstance(value, kind):
            return c
    return "double*" if isinstance(value, list | tuple) and all_numeric(value) else None


def is_undefined(value: Any) -> bool:
    """Whether a parameter has neither a type nor a default."""
    return value is Undefined or isinstance(value, Undefined)


def parse_declare(code: str) -> tuple[str, str, str, Any]:
    """What the text of a call of declare says, as get_declare_info gives it."""
    (statement,) = ast.parse(code).body
    call = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
    if not isinstance(call, ast.Call) or getattr(call.func, "id", None) != "declare":
        raise CodeGenerationError(f"Unknown declare statement: {code}")
    said = call.args[0]
    if not isinstance(said, ast.Constant) or not isinstance(said.value, str):
        raise CodeGenerationError(f"Type should be a string, given :{ast.unparse(said)}")
    return get_declare_info(said.value)


def parameters_of(func: Any, known_types: dict[str, Any]) -> list[tuple[str, Any]]:
    """Each with its type if one is said, or else its default, or else what is known by its name."""
    spec = inspect.getfullargspec(func)
    defaults = spec.defaults or ()
    values = dict(zip(spec.args[len(spec.args) - len(defaults):], defaults))
    said = getattr(func, "__annotations__", {})
    return [
        (n, said.get(n, values.get(n, known_types.get(n, Undefined)))) for n in spec.args
    ]


def result_of(func: Any) -> str:
    """The type that it returns, as C writes it."""
    said = getattr(func, "__annotations__", {}).get("return")
    if isinstance(said, KnownType):
        return said.type
    return "double" if has_return(inspect.cleandoc(getsource(func))) else "void"


class CythonGenerator:
    """Types and signatures of functions in Cython; their code is not made."""

    def __init__(
        self, known_types: dict[str, Any] | None = None, python_methods: bool = False
    ) -> None:
        self.known_types = {} if known_types is None else known_types
        self.python_methods = python_methods

    def add_known(self, names: Any) -> None:
        """Names that functions need not define: all that their module has are known."""

    def set_make_python_methods(self, value: bool) -> None:
        self.python_methods = value

    def ctype_to_python(self, type_str: str) -> str:
        """double* as Cython's memory views: double[:]."""
        return type_str.replace("*", "[:]")

    def detect_type(self, name: str, value: Any) -> str:
        """The type of a parameter by its type, its default or its name."""
        if isinstance(value, KnownType):
            return value.type.replace("GLOBAL_MEM ", "").replace("LOCAL_MEM ", "")
        known = plain_type(name, value)
        if known is not None:
            return known
        if is_undefined(value):
            raise CodeGenerationError(f"Unknown type, for function argument named: {name}")
        return type(value).__name__ if isinstance(value, str | list | tuple) else "object"

    def get_func_signature(
        self, func: Any
    ) -> tuple[tuple[list[str], list[str]], tuple[list[str], list[str]]]:
        """What its wrapper in Python takes and calls it with, and what it takes itself.

        >>> def f(x=1, y=[1.0]):
        ...     pass
        >>> CythonGenerator().get_func_signature(f)
        ((['long x', 'double[:] y'], ['x', '&y[0]']), (['long x', 'double* y'], ['x', 'y']))
        """
        getsourcelines(func)  # of what has no text there is no signature either
        known = [(n, self.detect_type(n, v)) for n, v in parameters_of(func, self.known_types)]
        names = [n for n, _ in known]
        wrapper = [f"{self.ctype_to_python(c)} {n}" for n, c in known]
        call = [f"&{n}[0]" if c.endswith("*") else n for n, c in known]
        return (wrapper, call), ([f"{c} {n}" for n, c in known], names)

    def parse(self, obj: Any, declarations: Any = None, is_serial: bool = False) -> NoReturn:
        raise NotImplementedError(f"no Cython is generated: {_SOURCE}")

    def get_code(self) -> NoReturn:
        raise NotImplementedError(f"no Cython is generated: {_SOURCE}")

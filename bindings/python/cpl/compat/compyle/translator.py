"""What Compyle's translator to C tells of values. No C is printed from Python's text here: the
compiler makes machine code, PTX and SPIR-V, and OpenCL C from its own intermediate code, which the
attribute `source` of Elementwise and its kin has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from . import beside
from .config import get_config
from .cython_generator import _SOURCE, CodeGenerationError, is_undefined, plain_type
from .types import KnownType

__getattr__ = beside.of(__name__)

__all__ = [
    "CConverter", "CStructHelper", "CUDAConverter", "CodeGenerationError", "OpenCLConverter",
    "detect_type", "literal_to_float", "ocl_detect_pointer_base_type", "ocl_detect_type", "py2c",
]


def literal_to_float(value: Any, use_double: bool = False) -> str:
    """How C writes a number: a float as a single one unless use_double.

    >>> literal_to_float(1.0), literal_to_float(1.0, use_double=True), literal_to_float(1)
    ('1.0f', '1.0', '1')
    """
    return f"{value}f" if isinstance(value, float) and not use_double else str(value)


def detect_type(name: str, value: Any) -> str:
    """C's type of a parameter, by its type, its name or its default.

    >>> detect_type("a", 1), detect_type("d_x", 0), detect_type("x", [1.0])
    ('long', 'double*', 'double*')
    """
    if isinstance(value, KnownType):
        return value.type
    known = plain_type(name, value)
    if known is not None:
        return known
    said = "" if is_undefined(value) else f" with value {value}"
    raise CodeGenerationError(f"Unknown type, for {name}{said}")


def _is_array_by_name(name: str) -> bool:
    return name.startswith(("s_", "d_")) and name not in ("s_idx", "d_idx")


def ocl_detect_type(name: str, value: Any) -> str:
    """The same for OpenCL, where arrays are in global memory."""
    if not isinstance(value, KnownType) and _is_array_by_name(name):
        return "GLOBAL_MEM double*"
    return detect_type(name, value)


def ocl_detect_pointer_base_type(name: str, value: Any) -> str:
    """What a pointer points to."""
    if not isinstance(value, KnownType):
        if _is_array_by_name(name):
            return "double"
        raise NotImplementedError(f"{name}: only a KnownType says what it points to")
    if value.base_type:
        return value.base_type
    text = value.type
    for space in ("__global", "GLOBAL_MEM", "__local", "LOCAL_MEM"):
        text = text.replace(space, "")
    if not text.rstrip().endswith("*"):
        raise ValueError(f"Invalid pointer type: {value.type}")
    return text.rstrip()[:-1].strip()


class CStructHelper:
    """A struct of C's of the numbers among an object's attributes, sorted by their names.

    >>> class Point:
    ...     def __init__(self):
    ...         self.x, self.tag, self._own = 0.5, 3, 1
    >>> print(CStructHelper(Point()).get_code())
    typedef struct Point {
        int tag;
        double x;
    } Point;
    """

    def __init__(self, obj: Any) -> None:
        self._use_double = get_config().use_double
        self.parse(obj)

    def parse(self, obj: Any) -> None:
        """Another object."""
        self.obj = obj
        self.name = type(obj).__name__
        public = {n: v for n, v in vars(obj).items() if not n.startswith("_")}
        self.vars = {
            n: "double" if isinstance(v, float) else "int"
            for n, v in public.items() if isinstance(v, int | float)
        }

    def get_array(self) -> np.ndarray[Any, Any] | None:
        """An array of one record with the object's numbers; None if it has none."""
        if not self.vars:
            return None
        real = np.float64 if self._use_double else np.float32
        fields = [(n, real if self.vars[n] == "double" else np.int32) for n in sorted(self.vars)]
        made = np.empty(1, np.dtype(fields))
        for name in self.vars:
            made[name] = getattr(self.obj, name)
        return made

    def get_code(self) -> str:
        """The struct's declaration."""
        fields = "".join(f"    {c} {n};\n" for n, c in sorted(self.vars.items()))
        return f"typedef struct {self.name} {{\n{fields}}} {self.name};"


def _refuse(what: str) -> NoReturn:
    raise NotImplementedError(f"{what} is not printed from Python's text: {_SOURCE}")


class CConverter:
    """Kept for what is said to it; what it should print is refused."""

    language = "C"

    def __init__(
        self, detect_type: Callable[[str, Any], str] = detect_type,
        known_types: dict[str, Any] | None = None,
    ) -> None:
        self._detect_type = detect_type
        self._known_types = {} if known_types is None else known_types
        self._known: set[str] = set()

    def add_known(self, names: Any) -> None:
        """Names that need no declaration."""
        self._known.update(names)

    def convert(self, src: str, ignore_methods: Any = None) -> NoReturn:
        _refuse(self.language)

    def parse(self, obj: Any, declarations: Any = None) -> NoReturn:
        _refuse(self.language)

    def parse_function(self, obj: Any, declarations: Any = None) -> NoReturn:
        _refuse(self.language)

    def parse_instance(self, obj: Any, ignore_methods: Any = None) -> NoReturn:
        _refuse(self.language)

    def get_declarations(self) -> NoReturn:
        _refuse(self.language)

    def get_struct_from_instance(self, obj: Any) -> str:
        """As CStructHelper has it, with an empty line behind."""
        return f"{CStructHelper(obj).get_code()}\n"


class OpenCLConverter(CConverter):
    """The same for OpenCL C."""

    language = "OpenCL C"
    function_address_space = "WITHIN_KERNEL "

    def __init__(
        self, detect_type: Callable[[str, Any], str] = ocl_detect_type,
        known_types: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(detect_type, known_types)


class CUDAConverter(OpenCLConverter):
    """The same for CUDA C++."""

    language = "CUDA C++"


def py2c(
    src: str, detect_type: Callable[[str, Any], str] = detect_type,
    known_types: dict[str, Any] | None = None,
) -> NoReturn:
    """Would print C: see CConverter."""
    CConverter(detect_type, known_types).convert(src)

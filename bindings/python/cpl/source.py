"""A program: a function, all functions that it reaches, and what the names in their texts mean.

Names are looked up as Python does when the function runs: in the cells of a closure, among the
globals of its module, then among the built-in names. What was found is remembered in guards, so
that a later call can tell whether it still holds.
"""

from __future__ import annotations

import ast
import builtins as python
import cmath
import enum
import functools
import gc
import inspect
import keyword
import math
import operator
import re
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from cpl import classes, partials
from cpl.errors import SourceError
from cpl.records import Record
from cpl.text import Found, find, text_of, typed_decorators

__all__ = ["Guard", "Name", "Program", "SourceError", "Text", "program"]


class Name(Record):
    """What one name in a text stands for."""

    name: str  # may have dots: "limits.clamp"
    kind: str  # scalar int float function type builtin extern module other
    # scalar: a NumPy scalar; int, float: the number; function: its index in Program.functions;
    # type: a numpy.dtype; builtin: "sqrt", "numpy.arctan2"; module: "numpy"; other: "a list"
    value: object


class Text(Record):
    """One function of a program."""

    name: str  # no other function of the program has it
    file: str
    text: str
    first_line: int  # of the text in the file, from 1
    indent: int  # blanks that were taken off each line: none, a text keeps its columns
    names: tuple[Name, ...]
    parameters: tuple[str, ...]  # "*args" and "**rest" with their stars
    function: Any  # a FunctionType (a descriptor to mypy); None: what is built in, or an operator


class Guard(Record):
    """What has to stay as it was found, or else the program is read again."""

    # a dict (globals, that of a module, a class or an object), a cell, a function, or a list or
    # array whose numbers were taken
    holder: object
    # in the dict; None for a cell; of a function __code__ or its defaults; of a list or array the
    # method that tells its numbers
    key: str | None
    # the very object, or _NOTHING where a dict has none; of a list or array what that method gave
    value: object

    def holds(self) -> bool:
        """Whether it is as it was found."""
        if self.key is None:
            assert isinstance(self.holder, CellType)
            return _contents(self.holder) is self.value
        if isinstance(self.holder, FunctionType):
            return getattr(self.holder, self.key) is self.value
        if isinstance(self.holder, list | np.ndarray):
            return bool(getattr(self.holder, self.key)() == self.value)
        assert isinstance(self.holder, dict)
        return self.holder.get(self.key, _NOTHING) is self.value

    def row(self) -> tuple[object, ...]:
        """As functions take it: without a value where nothing is to be there."""
        absent = self.value is _NOTHING
        return (self.holder, self.key) if absent else (self.holder, self.key, self.value)


class Program(Record):
    functions: tuple[Text, ...]  # the one asked for, then `more`, then all that they reach
    guards: tuple[Guard, ...]


_NOTHING = object()  # no value is this


def _contents(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return _NOTHING


# ---- what is built in ----

_KNOWN_MODULES = ("numpy", "math", "cpl", "compyle", "numba", "typing", "__future__")
_MOST_ITEMS = 10000  # of a tuple
_MOST_NUMBERS = 256  # of a list or array, which are compared at each call
_OWN_MODULES = ("cpl", "compyle")
# functions that only NumPy has among the modules that kernels know: ALIAS rows of builtin.def, and
# those that lib/sema/numpy.py defines
_NUMPY_NAMES = frozenset(
    "arcsin arccos arctan arcsinh arccosh arctanh arctan2 absolute minimum maximum power deg2rad "
    "rad2deg fix add subtract multiply divide true_divide floor_divide mod remainder negative "
    "positive square reciprocal sign heaviside clip where round around logaddexp logaddexp2 "
    "signbit logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor invert "
    "bitwise_not left_shift right_shift equal not_equal less less_equal greater "
    "greater_equal real imag conj conjugate angle gcd lcm divmod".split()
)
_MATH_NAMES = frozenset(("gcd", "lcm"))
_CMATH_NAMES = frozenset(
    "phase polar rect exp log log10 sqrt sin cos tan sinh cosh tanh isnan isinf isfinite".split()
)
_SPECIAL_NAMES = {"erf": "erf", "erfc": "erfc", "gamma": "tgamma", "gammaln": "lgamma",
                  "cbrt": "cbrt", "exp2": "exp2", "expm1": "expm1", "log1p": "log1p"}  # fmt: skip
# those of more than one argument, where one of them stands for a function of its own
_ARGUMENTS = {
    **dict.fromkeys("arctan2 atan2 copysign fdim fmax fmin fmod hypot ldexp max maximum min "
                    "minimum nextafter pow power remainder".split(), "a, b"),
    "fma": "a, b, c",
}  # fmt: skip
_OPERATOR_TEXTS: dict[Any, str] = {
    operator.add: "a + b", np.add: "a + b", operator.mul: "a * b", np.multiply: "a * b",
    operator.sub: "a - b", np.subtract: "a - b", operator.truediv: "a / b", np.divide: "a / b",
    operator.and_: "a & b", np.bitwise_and: "a & b", operator.or_: "a | b",
    np.bitwise_or: "a | b", operator.xor: "a ^ b", np.bitwise_xor: "a ^ b",
    operator.neg: "-a", np.negative: "-a", np.square: "a * a",
}  # fmt: skip
# functions of Python and NumPy that are an operator whose neutral element is known
_KNOWN_TEXTS: dict[Any, str] = {
    value: text for value, text in _OPERATOR_TEXTS.items() if text[2:3] in "+*&|^" and "b" in text
} | {min: "min(a, b)", max: "max(a, b)"}
_OPERATORS = {id(value): text for value, text in _OPERATOR_TEXTS.items()}


def _is_module(name: str, of: Iterable[str]) -> bool:
    return name.partition(".")[0] in of


def _is_numpys(value: object) -> bool:
    name, module = getattr(value, "__name__", None), getattr(value, "__module__", None)
    if isinstance(module, str) and _is_module(module, ("numpy",)):
        return True
    return isinstance(name, str) and vars(np).get(name) is value


def _builtin(value: object, builtins: frozenset[str]) -> str | None:
    """The name that the language has for a function or an object of its own."""
    marked = getattr(type(value), "__cpl_builtin__", None)
    if marked is not None:
        return str(getattr(value, "__cpl_name__"))
    name, module = getattr(value, "__name__", None), getattr(value, "__module__", None)
    if not isinstance(name, str) or not callable(value):
        return None
    if vars(math).get(name) is value or vars(python).get(name) is value:
        known = name in builtins or (module == "math" and name in _MATH_NAMES)
        return (f"math.{name}" if module == "math" else name) if known else None
    if vars(cmath).get(name) is value:
        return f"cmath.{name}" if name in _CMATH_NAMES else None
    if vars(np).get(name) is value:
        return f"numpy.{name}" if name in builtins or name in _NUMPY_NAMES else None
    special = sys.modules.get("scipy.special")
    if special and name in _SPECIAL_NAMES and getattr(special, name, None) is value:
        return _SPECIAL_NAMES[name]
    if not isinstance(module, str):
        return None
    if _is_module(module, _OWN_MODULES) and name in builtins:
        return name
    return _numbas(value, module, name, builtins)


# where Numba keeps what is found in numba.cuda, whose objects say what they are called there
_NUMBA_CUDA = ("numba.cuda.stubs", "numba.cuda.intrinsics")


def _numbas(value: object, module: str, name: str, builtins: frozenset[str]) -> str | None:
    """prange, and from numba.cuda import grid; cuda.grid is found in the module."""
    if module in _NUMBA_CUDA:
        return f"numba.cuda.{getattr(value, '__qualname__', name)}"
    own = _is_module(module, ("numba",)) and getattr(sys.modules["numba"], name, None) is value
    return name if own and name in builtins else None


# ---- values ----


def _dtype(value: object) -> np.dtype[Any] | None:
    """The type that a value is; None where it is none that kernels have."""
    of_class = classes.dtype_of(value)
    if of_class is not None:
        dtype = of_class
    elif _is_numba_type(value):
        return _numba_dtype(value)
    elif value in (int, float, bool, complex) or isinstance(value, np.dtype):
        dtype = np.dtype(value)
    elif isinstance(value, type) and issubclass(value, np.generic):
        try:
            dtype = np.dtype(value)
        except TypeError:  # an abstract one
            return None
        if dtype.type is not value:
            return None
    else:
        return None
    return dtype if _is_known(dtype) else None


def _is_type(value: object) -> bool:
    return isinstance(value, type | np.dtype) or _is_numba_type(value)


def _is_numba_type(value: object) -> bool:
    return type(value).__module__.startswith("numba.core.types.")


def _numba_dtype(value: object) -> np.dtype[Any] | None:
    """Of numba.float32; of arrays of them, float32[:], there is none."""
    try:
        dtype = np.dtype(str(value))
    except TypeError:
        return None
    return dtype if _is_known(dtype) else None


def _is_known(dtype: np.dtype[Any]) -> bool:
    if dtype.fields:
        return all(_is_known(f[0].base) for f in dtype.fields.values())
    most = 16 if dtype.kind == "c" else 8
    return dtype.kind in "biufc" and dtype.itemsize <= most and dtype.isnative


_WORDS: dict[type, str] = {
    list: "a list", tuple: "a tuple", dict: "a dict", set: "a set", frozenset: "a frozenset",
    str: "a text", bytes: "bytes", bytearray: "a bytearray",
    type(None): "None", slice: "a slice", range: "a range", property: "a property",
    type(Ellipsis): "...", classmethod: "a method of a class",
    functools.partial: "a functools.partial",
}  # fmt: skip


def _what(value: object) -> str:
    """What a value is, in words: "'x' is a list, which kernels cannot use"."""
    if value is _NOTHING:
        return "not assigned yet"
    if isinstance(value, int) and not _number("", value):
        return "an integer of more than 64 bits"
    if isinstance(value, int | float | complex) and not isinstance(value, np.generic):
        return "a number"
    if isinstance(value, np.ndarray):
        return f"an array of NumPy ({value.dtype}, shape {value.shape})"
    if isinstance(value, np.generic | np.dtype):
        return f"a {'number' if isinstance(value, np.generic) else 'type'} of NumPy ({value!r})"
    if isinstance(value, ModuleType):
        return f"the module {value.__name__}"
    if isinstance(value, type):
        return f"the class {value.__qualname__}"
    if isinstance(value, MethodType):
        return f"a method that is bound to {_what(value.__self__)}"
    if isinstance(value, enum.Enum):
        return f"a member of an Enum ({value}.value is its number)"
    for kind in type(value).__mro__[:-1]:
        if kind in _WORDS:
            return _WORDS[kind]
    if _is_opaque(value):
        return f"an object of class {type(value).__qualname__} around a function"
    if callable(value) and isinstance(getattr(value, "__name__", None), str):
        module = getattr(value, "__module__", None)
        return f"the function {module + '.' if module else ''}{getattr(value, '__name__')}"
    return f"an object of class {type(value).__qualname__}"


def _lacking(holder: object, name: str) -> str:
    """Properties and methods of objects are not asked: what they give may change."""
    own = "" if isinstance(holder, ModuleType | type) else " of its own"
    return f"unknown ({_what(holder)} has no '{name}'{own})"


def _number(name: str, value: object) -> Name | None:
    if isinstance(value, bool):
        return Name(name, "scalar", np.bool_(value))
    if isinstance(value, complex | np.complexfloating):
        known = isinstance(value, complex) or _is_known(value.dtype)
        return Name(name, "complex", complex(value)) if known else None
    if isinstance(value, np.generic):
        # float64 is a float of Python too, but one of that type
        known = not value.dtype.fields and _is_known(value.dtype)
        return Name(name, "scalar", value) if known else None
    if isinstance(value, int):
        return Name(name, "int", int(value)) if -(2**63) <= value < 2**64 else None
    if isinstance(value, float):
        return Name(name, "float", float(value))
    return None


def _items(name: str, value: object) -> list[Name]:
    """A tuple, with names or without, or list of numbers, or of such: name.0, name.1; an array's,
    and its type under name.dtype. What is none of these has none."""
    if type(value) is list:
        return _numbers(name, value, _MOST_NUMBERS)
    if type(value) is np.ndarray:
        known = value.ndim and 0 < value.size <= _MOST_NUMBERS and not value.dtype.fields
        if not known or not _is_known(value.dtype):
            return []
        rows = [value[k] for k in range(len(value))]
        return [Name(f"{name}.dtype", "type", value.dtype), *_numbers(name, rows, _MOST_NUMBERS)]
    if type(value) is not tuple and not (isinstance(value, tuple) and hasattr(value, "_fields")):
        return []
    return _numbers(name, value, _MOST_ITEMS)


def _numbers(name: str, value: tuple[object, ...] | list[object], most: int) -> list[Name]:
    items: list[Name] = []
    if name.count(".") > 8 or not 0 < len(value) <= most:
        return items
    for k, item in enumerate(value):
        rows = list(item) if type(item) is np.ndarray else item
        number = _number(f"{name}.{k}", item)
        found = [number] if number else []
        if not number and (type(rows) is tuple or type(rows) is list):
            found = _numbers(f"{name}.{k}", rows, most)
        if not found or len(items) > most:
            return []
        items += found
    return items


# ---- functions ----


# decorators whose objects give what the function in their __wrapped__ gives
_CLEAR_TYPES = (staticmethod, functools._lru_cache_wrapper)
_CLEAR_MODULES = (*_OWN_MODULES, "numba")


def _is_clear(value: object) -> bool:
    module = str(type(value).__module__)
    return isinstance(value, _CLEAR_TYPES) or _is_module(module, _CLEAR_MODULES)


def _is_opaque(value: object) -> bool:
    """A decorator's object around a function, which may do anything with it. Of objects that have
    an answer for any name none is asked for."""
    if isinstance(value, FunctionType) or _is_numpys(value) or _is_clear(value):
        return False
    return inspect.getattr_static(value, "__wrapped__", None) is not None


def known_operator(value: Any) -> Any:
    """np.add and its like as the text "a + b", whose neutral element is known; others as they are."""
    return _KNOWN_TEXTS.get(value, value) if isinstance(value, Hashable) else value


def plain_of(value: object) -> FunctionType | None:
    """The function in Python that runs when this is called; None if none does. What a decorator
    made is taken as it is, whatever it wraps, but for decorators that change nothing."""
    seen: set[int] = set()
    while not isinstance(value, FunctionType):
        if id(value) in seen or not _is_clear(value):
            return None
        seen.add(id(value))
        value = getattr(value, "__wrapped__", None)
    return value


def function_of(value: object) -> FunctionType:
    """The function that somebody asks for, or TypeError with what to do."""
    name = getattr(value, "__qualname__", None) or repr(value)
    if isinstance(value, functools.partial):
        return partials.applied(value, function_of(value.func))
    if isinstance(value, MethodType):
        raise TypeError(
            f"{name} is bound to {_what(value.__self__)}; make it a function or a @staticmethod, "
            "and give what it uses as arguments"
        )
    if isinstance(value, classmethod):
        raise TypeError(f"{name} is a method of a class; make it a function or a @staticmethod")
    found = None if _is_numpys(value) else plain_of(value)
    if found is None:
        hint = "; give the function itself" if _is_opaque(value) else ""
        raise TypeError(f"{_what(value)} is no function that kernels are made of: {name}{hint}")
    return found


def _partial_of(value: functools.partial[Any]) -> FunctionType | None:
    try:
        return function_of(value)
    except TypeError:
        return None


def _is_identifier(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)


def _chain_name(qualname: str, last: str) -> str:
    """"make.<locals>.step" is make.step; a lambda has the name that its text has."""
    parts = [p for p in qualname.split(".") if p != "<locals>"]
    parts[-1] = last
    names = ["".join(c if c.isalnum() else "_" for c in p) for p in parts]
    return ".".join(n if _is_identifier(n) else f"_{n}" for n in names)


def _parameters(code: CodeType) -> tuple[str, ...]:
    count = code.co_argcount + code.co_kwonlyargcount
    names = list(code.co_varnames[:count])
    if code.co_flags & inspect.CO_VARARGS:
        names.append("*" + code.co_varnames[count])
        count += 1
    if code.co_flags & inspect.CO_VARKEYWORDS:
        names.append("**" + code.co_varnames[count])
    return tuple(names)


def signature_guards(value: object) -> tuple[Guard, ...]:
    """What says how a function is called."""
    guards = _Guards()
    guards.add_function(function_of(value))
    return tuple(guards.all.values())


# ---- looking names up ----


class _Guards:
    def __init__(self) -> None:
        self.all: dict[tuple[int, str | None], Guard] = {}

    def add(self, holder: object, key: str | None, value: object) -> None:
        if value is not _NOTHING or isinstance(holder, dict):
            self.all.setdefault((id(holder), key), Guard(holder, key, value))

    def add_numbers(self, value: object) -> None:
        """Those of a list or array may be assigned."""
        if isinstance(value, list):
            self.add(value, "__repr__", repr(value))
        elif isinstance(value, np.ndarray):
            self.add(value, "tobytes", value.tobytes())
        elif isinstance(value, tuple):
            for item in value:
                self.add_numbers(item)

    def add_function(self, function: FunctionType) -> None:
        """What others may put into it, as those do that load an edited module again."""
        self.add(function, "__code__", function.__code__)
        self.add(function, "__defaults__", function.__defaults__)
        self.add(function, "__kwdefaults__", function.__kwdefaults__)
        for name, value in (function.__kwdefaults__ or {}).items():
            self.add(function.__kwdefaults__, name, value)


def _dict_of(of: type) -> dict[str, object]:
    """A class's own dict, which its __dict__ only shows: what guards look at has to be a dict."""
    (found,) = gc.get_referents(of.__dict__)
    assert isinstance(found, dict)
    return found


def _class_entry(of: type, name: str, guards: _Guards) -> object:
    """What a class has, in the order in which it inherits."""
    if isinstance(of, enum.EnumMeta) and name in of.__members__:
        return of.__members__[name]  # which nobody can assign
    for base in of.__mro__:
        value = base.__dict__.get(name, _NOTHING)
        guards.add(_dict_of(base), name, value)
        if value is not _NOTHING:
            return value.__func__ if isinstance(value, staticmethod) else value
    return _NOTHING


def _object_entry(of: object, name: str, guards: _Guards) -> object:
    """What an object or its class has: neither computed nor bound when it is asked for."""
    held = getattr(of, "__dict__", None)
    of_class = inspect.getattr_static(type(of), name, _NOTHING)
    if isinstance(held, dict) and not hasattr(type(of_class), "__set__"):
        value = held.get(name, _NOTHING)
        guards.add(held, name, value)
        if value is not _NOTHING:
            return value
        plain = isinstance(of_class, staticmethod) or not hasattr(type(of_class), "__get__")
        if plain and type(of).__getattribute__ is object.__getattribute__:
            return _class_entry(type(of), name, guards)
    if isinstance(of, enum.Enum) and name in ("value", "_value_"):
        return of.value
    if isinstance(of, tuple) and name in getattr(of, "_fields", ()):
        return getattr(of, name)
    return _NOTHING


def _entry(of: object, name: str, guards: _Guards) -> object:
    if isinstance(of, ModuleType):
        value = of.__dict__.get(name, _NOTHING)
        if value is _NOTHING:  # a module may make it when it is asked for
            value = getattr(of, name, _NOTHING)
        guards.add(of.__dict__, name, of.__dict__.get(name, _NOTHING))
        return value
    if isinstance(of, type):
        return _class_entry(of, name, guards)
    return _object_entry(of, name, guards)


def _is_holder(value: object) -> bool:
    """Whether names behind a dot are looked up in it."""
    if isinstance(value, ModuleType | enum.Enum):
        return True
    if isinstance(value, type):
        return _dtype(value) is None or classes.dtype_of(value) is not None
    if isinstance(value, np.ndarray | np.generic | np.dtype | str | bytes | int | float | complex):
        return False
    fields = isinstance(value, tuple) and hasattr(value, "_fields")
    return (fields or hasattr(value, "__dict__")) and not callable(value)


class _Scope:
    """The names of a function, and where they are looked up."""

    def __init__(self, function: FunctionType, guards: _Guards) -> None:
        code = function.__code__
        self.function = function
        self.guards = guards
        self.cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
        self.locals = (set(code.co_varnames) | set(code.co_cellvars)) - set(code.co_freevars)
        self.used = {*code.co_names, *code.co_freevars, *self.locals}

    def spelled(self, name: str) -> str:
        """As code has it: in a class __name is _Class__name."""
        if name in self.used or not name.startswith("__") or name.endswith("__"):
            return name
        mangled = (n for n in self.used if n.startswith("_") and n.endswith(name))
        return next(mangled, name)

    def _modules(self) -> Iterator[dict[str, Any]]:
        """The function's own globals; those of its module where it runs in a space of its own."""
        globals_ = self.function.__globals__
        yield globals_
        module = sys.modules.get(self.function.__module__ or "")
        if module is not None and module.__dict__ is not globals_:
            yield module.__dict__

    def find(self, name: str) -> object:
        """_NOTHING also for what only Python has built in: the language has its own."""
        name = self.spelled(name)
        if name in self.cells:
            value = _contents(self.cells[name])
            self.guards.add(self.cells[name], None, value)
            return value
        for names in self._modules():
            value = names.get(name, _NOTHING)
            self.guards.add(names, name, value)
            if value is not _NOTHING:
                return value
        return _NOTHING


def _chain(node: ast.expr) -> list[str]:
    """a.b.c: its names; of anything else none."""
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        front = _chain(node.value)
        return [*front, node.attr] if front else []
    return []


def _chains(nodes: Iterable[ast.AST]) -> Iterator[list[str]]:
    """The longest ones in a text, of names that are read."""
    stack = list(nodes)
    while stack:
        node = stack.pop()
        names = _chain(node) if isinstance(node, ast.expr) else []
        if names:
            yield names
        else:
            stack.extend(ast.iter_child_nodes(node))


# of arrays too: what they mean is not to depend on classes that the program does not name
_ARRAY_METHODS = frozenset("sum prod dot mean var std min max argmin argmax any all".split())


def _asked_classes(scope: _Scope, nodes: Iterable[ast.AST]) -> Iterator[type]:
    """Classes of structs that have a method which a text calls, p.energy(v), or a constant that it
    asks a value for, p.SIDES."""
    for node in nodes:
        for n in ast.walk(node):
            if isinstance(n, ast.Attribute):
                names = _chain(n)
                known = names and scope.spelled(names[0]) not in scope.locals
                yield from () if known else classes.with_constant(n.attr)
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute):
                name = n.func.attr
                yield from () if name in _ARRAY_METHODS else classes.with_method(name)


def _texts_in(node: ast.AST) -> Iterator[str]:
    """Texts that are arguments or annotations, not those that stand alone."""
    for n in ast.walk(node):
        children = [] if isinstance(n, ast.Expr | ast.JoinedStr) else ast.iter_child_nodes(n)
        for child in children:
            if isinstance(child, ast.Constant) and isinstance(child.value, str):
                yield child.value


_TYPE_TEXT = re.compile(r"[\w\s.*\[\](),:\"'+-]*")


def _names_in_type(text: str) -> list[str]:
    """matrix((N, 2), "Cell"): all that may be a name."""
    return re.findall(r"[^\W\d]\w*", text) if _TYPE_TEXT.fullmatch(text) else []


# ---- programs ----


class _Reader:
    def __init__(self, builtins: frozenset[str]) -> None:
        self.builtins = builtins
        self.guards = _Guards()
        self.queue: list[tuple[object, FunctionType | None]] = []
        self.index: dict[int, int] = {}  # by identity; the queue keeps them
        self.taken: set[str] = set()
        self.classes: dict[str, type] = {}  # of structs, by the names of their own that all know

    def add(self, value: object, plain: FunctionType | None) -> int:
        """plain: None of what is written for an operator or something built in."""
        self.index.setdefault(id(plain or value), len(self.queue))
        self.queue.append((value, plain))
        return len(self.queue) - 1

    def ask(self, value: object) -> None:
        """A function that is in the program because somebody asks for it."""
        if id(value) in _OPERATORS or _builtin(value, self.builtins):
            self.add(value, None)
        else:
            found = function_of(value)
            self.watch(value)
            self.add(found, found)

    def watch(self, value: object) -> None:
        """A partial's keywords, which may be others later."""
        if isinstance(value, functools.partial):
            for name, bound in value.keywords.items():
                self.guards.add(value.keywords, name, bound)

    def reach(self, value: object, plain: FunctionType | None) -> int:
        known = self.index.get(id(plain or value))
        return known if known is not None else self.add(plain or value, plain)

    def unique(self, name: str) -> str:
        best, number = name, 1
        while best in self.taken:
            number += 1
            best = f"{name}_{number}"
        self.taken.add(best)
        return best

    # ---- names ----

    def mean(self, name: str, value: object) -> Name:
        """What a value is to kernels."""
        known = _builtin(value, self.builtins)
        if known:
            return Name(name, "builtin", known)
        dtype = _dtype(value) if _is_type(value) else None
        if dtype is not None:
            if isinstance(value, type) and classes.dtype_of(value) is not None:
                self.meet(value)
            return Name(name, "type", dtype)
        number = _number(name, value)
        if number:
            return number
        if isinstance(value, ModuleType) and _is_module(value.__name__, _KNOWN_MODULES):
            return Name(name, "module", value.__name__)
        if id(value) in _OPERATORS:
            return Name(name, "function", self.reach(value, None))
        found = _partial_of(value) if isinstance(value, functools.partial) else plain_of(value)
        self.watch(value)
        if found and not _is_numpys(value):
            return Name(name, "function", self.reach(found, found))
        return Name(name, "other", _what(value))

    def meet(self, cls: type) -> None:
        """A class of structs, whose methods the program may call."""
        name = f"struct.{cls.__qualname__.replace('.<locals>', '')}"
        while self.classes.setdefault(name, cls) is not cls:
            name += "_"

    def methods(self) -> tuple[Name, ...]:
        """The classes with their methods and constants, by names that no text has."""
        found: list[Name] = []
        for name, cls in self.classes.items():
            found.append(Name(name, "type", classes.dtype_of(cls)))
            for method, function in classes.methods_of(cls).items():
                self.guards.add(_dict_of(cls), method, function)
                index = self.reach(function, function)
                found.append(Name(f"{name}.{method}", "function", index))
            for constant, value in classes.constants_of(cls).items():
                self.guards.add(_dict_of(cls), constant, value)
                number = _number(f"{name}.{constant}", value)
                found += [number] if number else []
        return tuple(found)

    def chain(self, scope: _Scope, names: list[str], value: object) -> Iterator[Name]:
        """Of a.b.c: what the first part is that has no names of its own; and where another module
        of the program has a known one, a.np.sin, that."""
        path, known = names[0], False
        for name in names[1:]:
            if not _is_holder(value):
                break
            if classes.dtype_of(value) is not None:
                yield self.mean(path, value)
            holder, of, path = value, path, f"{path}.{name}"
            if isinstance(holder, ModuleType) and _is_module(holder.__name__, _KNOWN_MODULES):
                if not known and of != names[0]:
                    yield self.mean(of, holder)
                known = True
                value = getattr(holder, name, _NOTHING)  # the language's own: nobody changes them
                if _known_member(value):
                    continue
                if "." in holder.__name__ and _is_numpys(value):
                    yield Name(path, "other", _what(value))
                return
            value = _entry(holder, scope.spelled(name), self.guards)
            if value is _NOTHING:
                yield Name(path, "other", _lacking(holder, name))
                return
        yield self.mean(path, value)
        items = _items(path, value)
        if items:
            self.guards.add_numbers(value)
        yield from items

    def names(self, scope: _Scope, found: Found) -> tuple[Name, ...]:
        table: dict[str, Name] = {}
        node = found.node
        for cls in _asked_classes(scope, _read_parts(node)):
            self.meet(cls)
        for names in _chains(_read_parts(node)):
            if scope.spelled(names[0]) not in scope.locals:
                self.enter(scope, names, table)
        for text in _texts_in(node):
            for name in _names_in_type(text):
                self.enter_typed(scope, name, table)
        for names, value in _annotated(scope, node):
            self.enter_annotation(names, value, table)
        return tuple(table.values())

    def enter(self, scope: _Scope, names: list[str], table: dict[str, Name]) -> None:
        value = scope.find(names[0])
        if value is _NOTHING and scope.spelled(names[0]) not in scope.cells:
            return
        if isinstance(value, ModuleType) and _is_module(value.__name__, _KNOWN_MODULES):
            table.setdefault(names[0], self.mean(names[0], value))
        for meaning in self.chain(scope, names, value):
            table.setdefault(meaning.name, meaning)

    def enter_typed(self, scope: _Scope, name: str, table: dict[str, Name]) -> None:
        """In a text: numbers and types alone, the rest are just words."""
        if name in table or name in scope.locals:
            return
        value = _Scope(scope.function, _Guards()).find(name)
        if _number(name, value) or (_is_type(value) and _dtype(value)):
            self.enter(scope, [name], table)

    def enter_annotation(self, names: list[str], value: object, table: dict[str, Name]) -> None:
        """What an annotation was when the function was made: it may name what is gone since."""
        dtype = _dtype(value) if _is_type(value) else None
        if dtype is not None and names not in (["int"], ["float"], ["bool"], ["complex"]):
            table.setdefault(".".join(names), Name(".".join(names), "type", dtype))

    # ---- texts ----

    def text(self, value: object, plain: FunctionType | None) -> Text:
        if plain is None:
            return self.written(value)
        self.guards.add_function(plain)
        found = find(plain)
        scope = _Scope(plain, self.guards)
        text, line = text_of(found, _kept_annotation(scope, found.node))
        name = self.unique(_chain_name(plain.__qualname__, found.name))
        names = self.names(scope, found) + tuple(_defaults(plain))
        parameters = _parameters(plain.__code__)
        return Text(name, found.file, text, line, 0, names, parameters, plain)

    def written(self, value: object) -> Text:
        """A function for what has no text: an operator, or something built in."""
        known = None if id(value) in _OPERATORS else _builtin(value, self.builtins)
        name = str(getattr(value, "__name__", known)).rstrip("_")
        names: tuple[Name, ...] = ()
        if known:
            arguments = _ARGUMENTS.get(known.rpartition(".")[2], "a")
            if isinstance(value, np.ufunc):
                arguments = ", ".join("abcd"[: value.nin])
            body, names = f"built_in({arguments})", (Name("built_in", "builtin", known),)
        else:
            body = _OPERATORS[id(value)]
            arguments = "a, b" if "b" in body else "a"
        unique = self.unique(f"{name}_" if keyword.iskeyword(name) else name)
        text = f"def {unique}({arguments}):\n    return {body}\n"
        return Text(unique, f"<{name}>", text, 1, 0, names, tuple(arguments.split(", ")), None)

    def read(self) -> Program:
        texts: list[Text] = []
        while len(texts) < len(self.queue):
            texts.append(self.text(*self.queue[len(texts)]))
            self.methods()
        if self.classes:
            methods = self.methods()
            texts = [t.but(names=t.names + methods) for t in texts]
        return Program(tuple(texts), tuple(self.guards.all.values()))


def _defaults(function: FunctionType) -> Iterator[Name]:
    """What calls may leave out, and are numbers."""
    code, values = function.__code__, function.__defaults__ or ()
    last = code.co_varnames[code.co_argcount - len(values) : code.co_argcount]
    for name, value in (*zip(last, values, strict=True), *(function.__kwdefaults__ or {}).items()):
        number = _number(f"{name}=", value)
        if number:
            yield number


def _known_member(value: object) -> bool:
    """What of a module that kernels know is worth a name of its own: the module has its own
    functions there, and says what it lacks."""
    return (
        isinstance(value, ModuleType | float)
        or (_is_type(value) and _dtype(value) is not None)
        or hasattr(type(value), "__cpl_builtin__")
    )


def _read_parts(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.AST]:
    """What of a definition is read: neither defaults nor most decorators."""
    if isinstance(node, ast.Lambda):
        return [node.body]
    calls = [d for d in typed_decorators(node) if isinstance(d, ast.Call)]
    return [*node.body, *(k.value for d in calls for k in d.keywords)]


def _annotations(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> dict[str, ast.expr]:
    if isinstance(node, ast.Lambda):
        return {}
    args = node.args
    named = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    found = {a.arg: a.annotation for a in named if a.annotation}
    return {**found, "return": node.returns} if node.returns else found


def _evaluated(scope: _Scope, where: str, node: ast.expr) -> object:
    """What an annotation is: as it was evaluated, or else what its name means now."""
    try:
        value = scope.function.__annotations__.get(where, _NOTHING)
    except Exception:  # evaluated only now, and it cannot be
        value = _NOTHING
    if value is not _NOTHING and not isinstance(value, str):
        return value
    names = _chain(node)
    if not names:
        return _NOTHING
    value = scope.find(names[0])
    if value is _NOTHING:
        value = getattr(python, names[0], _NOTHING)
    for name in names[1:]:
        value = getattr(value, name, _NOTHING)
    return value


def _annotated(
    scope: _Scope, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
) -> Iterator[tuple[list[str], object]]:
    for where, annotation in _annotations(node).items():
        names = _chain(annotation)
        if names:
            yield names, _evaluated(scope, where, annotation)


def _is_python_type(text: str) -> bool:
    """A type for checkers written as a text: "npt.NDArray[np.float64]"."""
    return re.match(r"\s*[^\W\d]\w*\s*(\.|\[\s*[^\W\d])", text) is not None


def _kept_annotation(
    scope: _Scope, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
) -> Callable[[ast.expr], bool]:
    """Which annotations say something to kernels; the others are for checkers and readers."""
    kept = {}
    for where, annotation in _annotations(node).items():
        if isinstance(annotation, ast.Constant):
            text = annotation.value
            kept[id(annotation)] = text is None or (
                isinstance(text, str) and not _is_python_type(text)
            )
            continue
        value = _evaluated(scope, where, annotation) if _chain(annotation) else annotation
        is_type = _is_type(value) and _dtype(value) is not None
        kept[id(annotation)] = value is _NOTHING or is_type
    return lambda annotation: kept.get(id(annotation), False)


def program(
    function: object, builtins: frozenset[str], more: Iterable[object] = ()
) -> Program:
    """The program of a function: its text, those of `more` (at indexes 1, 2 and so on) and of all
    functions that they reach, each once. builtins: the names that the language has built in, as
    cpl_builtin_name lists them.

    Takes functions, among them those that decorators return, lambdas, static methods, what cpl,
    Numba and functools.cache made of functions, and what is built in or an operator (math.sqrt,
    np.add, operator.mul). Raises TypeError for what is none of these, and SourceError where a text
    is not known."""
    reader = _Reader(builtins)
    for asked in (function, *more):
        reader.ask(asked)
    return reader.read()

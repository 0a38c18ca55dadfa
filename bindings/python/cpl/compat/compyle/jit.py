"""Functions whose types are those of what they are called with.

AnnotationHelper tells the types that Compyle's rules give, by their names ("gintp"): the first
assignment decides a local's, comparisons are int, functions of math double.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from cpl import functions, source
from cpl.text import find

from . import beside
from .array import Array
from .compiled import ElementwiseBase, ReductionBase, ScanBase, names_of
from .program import is_jit, types_of
from .types import TYPES, KnownType, dtype_to_knowntype, get_declare_info

__getattr__ = beside.of(__name__)

_RANKS = ("short", "int", "long", "float", "double")
_SCALARS = {known.type: name for name, known in TYPES.items()}


class ElementwiseJIT(ElementwiseBase):
    """An elementwise kernel whose types are those of its arguments."""


class ReductionJIT(ReductionBase):
    """A reduction whose types are those of its arguments."""


class ScanJIT(ScanBase):
    """A scan whose types are those of its arguments."""


# --- types of values, and of operators ---


def _of_integer(value: int) -> str:
    return "long" if value > 2**31 else "int"


def get_ctype_from_arg(arg: Any, backend: str | None = None) -> str:
    """The name of the type that a kernel takes an argument as.

    >>> get_ctype_from_arg(2.0), get_ctype_from_arg(10**10), get_ctype_from_arg(np.float32(1))
    ('double', 'long', 'float')
    """
    if isinstance(arg, Array):
        return arg.gptr_type
    if isinstance(arg, np.ndarray | np.floating):
        return dtype_to_knowntype(arg.dtype)
    if isinstance(arg, float):
        return "double"
    if isinstance(arg, int | np.integer | np.bool_):
        return _of_integer(int(arg))
    raise TypeError(f"kernels take no {type(arg).__name__}")


def _signed(name: str) -> tuple[str, bool]:
    """The signed type of a scalar's name, and whether it is unsigned."""
    unsigned = name.startswith("u")
    return (name[1:] if unsigned else name), unsigned


def get_binop_return_type(a: str, b: str) -> str:
    """The type of a + b, and of all other operators.

    >>> get_binop_return_type("long", "int"), get_binop_return_type("int", "gdoublep")
    ('long', 'gdoublep')
    """
    pointers = [name for name in (a, b) if name.endswith("p")]
    others = [_signed(name) for name in (a, b) if not name.endswith("p")]
    if any(name not in _RANKS for name, _ in others) or len(pointers) == 2:
        raise ValueError(f"no operator takes {a} and {b}")
    if pointers:
        if others[0][0] in ("float", "double"):
            raise ValueError(f"no operator takes {a} and {b}")
        return pointers[0]
    widest = max((name for name, _ in others), key=_RANKS.index)
    return f"u{widest}" if all(unsigned for _, unsigned in others) else widest


def _element(pointer: str) -> str:
    """What a pointer points to: gintp is of int."""
    name = pointer.removesuffix("p")
    return name[1:] if name not in TYPES and name[:1] in ("g", "l") else name


def _name_of(known: KnownType) -> str:
    return _SCALARS.get(known.type, known.type)


# --- a function's types ---


class AnnotationHelper(ast.NodeVisitor):
    """The types of a function's locals and of its result, for types of its parameters."""

    def __init__(self, func: Callable[..., Any], arg_types: dict[str, str]) -> None:
        self.func = func
        self.arg_types = dict(arg_types)
        self.var_types: dict[str, str] = {}
        self.undecl_var_types: dict[str, str] = {}
        self.external_funcs: dict[str, AnnotationHelper] = {}

    def annotate(self) -> None:
        """Finds them."""
        self.arg_types.pop("return_", None)
        node = find(_plain(self.func)).node
        body: Iterable[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else node.body
        for statement in body:
            self.visit(statement)

    def get_var_type(self, name: str) -> str | None:
        """Of a parameter or a local; None of what has none."""
        for types in (self.arg_types, self.var_types, self.undecl_var_types):
            if name in types:
                return types[name]
        return None

    def get_return_type(self) -> str | None:
        return self.arg_types.get("return_")

    def error(self, message: str, node: ast.AST) -> None:
        """NotImplementedError with the place."""
        line = getattr(node, "lineno", 0)
        raise NotImplementedError(f"{self.func.__name__}, line {line}: {message}")

    # --- statements ---

    def _undeclared(self, name: str, of: str) -> None:
        if self.get_var_type(name) is None:
            self.undecl_var_types[name] = of

    def _declared(self, targets: list[ast.expr], call: ast.Call) -> None:
        said = call.args[0]
        if not isinstance(said, ast.Constant) or not isinstance(said.value, str):
            self.error("declare takes a literal", call)
            return
        kind, space, c, shape = get_declare_info(said.value)
        name = _SCALARS.get(c, c)
        if kind == "matrix":
            name = f"{'l' if space == 'LOCAL_MEM' else ''}{name}p"
        for target in targets:
            parts = target.elts if isinstance(target, ast.Tuple) else [target]
            self.var_types.update({p.id: name for p in parts if isinstance(p, ast.Name)})

    def visit_Assign(self, node: ast.Assign) -> None:
        value = node.value
        if isinstance(value, ast.Call) and _called(value) == "declare":
            self._declared(node.targets, value)
            return
        of = self.visit(value)
        for target in node.targets:
            if isinstance(target, ast.Name) and of:
                self._undeclared(target.id, of)
            elif not isinstance(target, ast.Name):
                self.visit(target)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.value)

    def visit_For(self, node: ast.For) -> None:
        if isinstance(node.target, ast.Name):
            self._undeclared(node.target.id, "int")
        for statement in node.body:
            self.visit(statement)

    def visit_Return(self, node: ast.Return) -> None:
        of = self.visit(node.value) if node.value else None
        if of:
            self.arg_types["return_"] = of

    # --- expressions ---

    def visit_Constant(self, node: ast.Constant) -> str | None:
        if isinstance(node.value, float):
            return "double"
        return _of_integer(node.value) if type(node.value) is int else None

    def visit_Name(self, node: ast.Name) -> str:
        return self.get_var_type(node.id) or "double"

    def visit_Subscript(self, node: ast.Subscript) -> str:
        self.visit(node.slice)
        return _element(self.visit(node.value))

    def visit_BinOp(self, node: ast.BinOp) -> str:
        left, right = self.visit(node.left) or "double", self.visit(node.right) or "double"
        return left if isinstance(node.op, ast.Pow) else get_binop_return_type(left, right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> str | None:
        of: str | None = self.visit(node.operand)
        return of

    def visit_Compare(self, node: ast.Compare) -> str:
        for part in (node.left, *node.comparators):
            self.visit(part)
        return "int"

    def visit_IfExp(self, node: ast.IfExp) -> str | None:
        of: str | None = self.visit(node.body)
        self.visit(node.test)
        self.visit(node.orelse)
        return of

    def visit_Call(self, node: ast.Call) -> str | None:
        name = _called(node)
        if name is None:
            raise AttributeError(f"{self.func.__name__}, line {node.lineno}: no plain call")
        if name == "cast":
            c = str(ast.literal_eval(node.args[1]))
            return _SCALARS.get(c, c)
        if name == "address":
            return self._address(node)
        if name.startswith("atomic_"):
            of: str = self.visit(node.args[0])
            return of
        types = [self.visit(a) or "double" for a in node.args]
        return self._result(name, types, node)

    def _address(self, node: ast.Call) -> str:
        of = node.args[0]
        if isinstance(of, ast.Subscript):
            pointer: str = self.visit(of.value)
            return pointer
        name: str = self.visit(of)
        if name.endswith("p"):
            self.error("the address of a pointer", node)
        return f"{name}p"

    def _lookup(self, name: str) -> Any:
        plain = _plain(self.func)
        cells = dict(zip(plain.__code__.co_freevars, plain.__closure__ or ()))
        if name in cells:
            return cells[name].cell_contents
        return plain.__globals__.get(name)

    def _result(self, name: str, types: list[str], node: ast.Call) -> str | None:
        called = self._lookup(name)
        if called is None or not hasattr(_plain(called), "__code__"):
            known = hasattr(math, name) or name in ("max", "min", "abs", "printf", "range")
            if called is None and not known and name != "local_barrier":
                raise TypeError(f"{self.func.__name__}, line {node.lineno}: '{name}' is undefined")
            return "double"
        helper = self.external_funcs.get(name)
        if helper is None:
            helper = AnnotationHelper(called, dict(zip(names_of(called), types)))
            self.external_funcs[name] = helper
            if is_jit(called):
                helper.annotate()
        if is_jit(called):
            return helper.get_return_type()
        known_types = types_of(called)
        return _name_of(known_types["return"]) if "return" in known_types else None


def _plain(function: Any) -> Any:
    """The function of Python behind decorators."""
    return source.plain_of(function)


def _called(node: ast.Call) -> str | None:
    return node.func.id if isinstance(node.func, ast.Name) else None


__all__ = [
    "AnnotationHelper", "ElementwiseJIT", "ReductionJIT", "ScanJIT",
    "get_binop_return_type", "get_ctype_from_arg",
]

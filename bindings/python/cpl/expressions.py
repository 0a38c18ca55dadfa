"""Expressions of whole arrays that are computed later, by one kernel: what `0.5*(b[2:] + b[:-2])`
makes, until its elements are asked for.

An expression is a tree of operations. An operation is a text of kernels, of operands a to d:
"cast(a + b, \\"float64\\")"; below it are other operations, and at the ends arrays and numbers, the
leaves. Trees alike in all but their leaves share a kernel.
"""

from __future__ import annotations

import functools
import inspect
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from cpl import _cpl, elementary

if TYPE_CHECKING:
    from cpl.arrays import ndarray

DType = np.dtype[Any]

# A tree without its leaves: None is one; else an operation, and what its operands are.
_Form = tuple[Any, ...] | None

_MOST_LEAVES = 24  # of a kernel's parameters
_MOST_OPERATIONS = 64  # of what is compiled at once
_MOST_PROGRAMS = 2048  # of which kernels are kept

_ELEMENTARY = inspect.getsource(elementary)
_FUNCTIONS = frozenset(name for name, f in vars(elementary).items() if inspect.isfunction(f))
_NAME = re.compile(r"\b[a-z]\w*(?=\()")
_OPERAND = re.compile(r"\b[abcd]\b")


class Expression:
    """A tree of operations with its leaves, in order."""

    __slots__ = ("form", "leaves", "operations", "is_used")

    def __init__(self, form: _Form, leaves: tuple[Any, ...], operations: int):
        self.form = form
        self.leaves = leaves
        self.operations = operations
        self.is_used = False

    def compute(self, to: ndarray) -> None:
        """to = the elements"""
        program, leaves = program_of(self)
        _cpl.map(program.module(), program.text, to, leaves)


def _below(x: Any, shape: tuple[int, ...]) -> Expression | None:
    """What is computed along with what uses it: nothing that another use has computed too, or that
    would be computed again for each row."""
    made: Expression | None = _cpl.expression(x)
    if made is None:
        return None
    if made.is_used or x.shape != shape:
        _cpl.settle(x)
        return None
    return made


def expression(text: str, values: tuple[Any, ...], shape: tuple[int, ...]) -> Expression:
    """The operation of operands, of which some are computed later themselves, in a shape."""
    forms: list[_Form] = []
    leaves: tuple[Any, ...] = ()
    operations = 1
    below = [_below(x, shape) for x in values]
    room = _MOST_LEAVES - len(values)
    for x, under in zip(values, below):
        if under is not None and (len(under.leaves) + len(leaves) > room
                                  or under.operations + operations > _MOST_OPERATIONS):
            _cpl.settle(x)
            under = None
        if under is None:
            forms.append(None)
            leaves += (x,)
            continue
        under.is_used = True
        forms.append(under.form)
        leaves += under.leaves
        operations += under.operations
    return Expression((text, *forms), leaves, operations)


def defer(
    text: str, values: tuple[Any, ...], shape: tuple[int, ...], dtype: DType, beside: Any
) -> ndarray:
    """An array of the operation's results, where another one lives, which is computed later."""
    made = expression(text, values, shape)
    array: ndarray = _cpl.defer(shape, dtype, beside, made, made.leaves)
    return array


# --- kernels ---


class _Program:
    """The function of a tree's leaves, as text and, of this process, as the module it is from."""

    def __init__(self, text: str, source: str | None):
        self.text = text
        self._source = source
        self._module: _cpl.Module | None = None

    def module(self) -> _cpl.Module | None:
        if self._source is not None and (self._module is None or not self._module.fresh):
            self._module = _cpl.Module("expression", self._source)
        return self._module


class _Writer:
    """Statements that compute a tree, each operation of the same operands once."""

    def __init__(self, places: tuple[int, ...]):
        self._places = iter(places)
        self._names: dict[str, str] = {}

    def value(self, form: _Form) -> str:
        if form is None:
            return f"x{next(self._places)}"
        text, *below = form
        operands = dict(zip("abcd", [self.value(f) for f in below]))
        if text in operands:
            return operands[text]
        said = _OPERAND.sub(lambda m: operands[m[0]], text)
        return self._names.setdefault(said, f"t{len(self._names)}")

    def program(self, form: _Form, count: int) -> _Program:
        names = ", ".join(f"x{i}" for i in range(count))
        result = self.value(form)
        own = _ELEMENTARY if _FUNCTIONS & set(_NAME.findall(" ".join(self._names))) else None
        if len(self._names) < 2:
            return _Program(f"lambda {names}: {next(iter(self._names), result)}", own)
        lines = [f"    {name} = {said}" for said, name in self._names.items()]
        text = "\n".join([f"def expression({names}):", *lines, f"    return {result}", ""])
        return _Program(f"lambda {names}: expression({names})",
                        text if own is None else f"{own}\n\n{text}")


@functools.lru_cache(maxsize=_MOST_PROGRAMS)
def _program(form: _Form, places: tuple[int, ...]) -> _Program:
    return _Writer(places).program(form, max(places, default=-1) + 1)


@functools.lru_cache(maxsize=None)
def _apart(count: int) -> tuple[int, ...]:
    return tuple(range(count))


def program_of(made: Expression) -> tuple[_Program, tuple[Any, ...]]:
    """The kernel's function, and its arguments: each array once."""
    leaves = made.leaves
    at: dict[int, int] = {}
    for x in leaves:
        at.setdefault(id(x), len(at))
    if len(at) == len(leaves):
        return _program(made.form, _apart(len(leaves))), leaves
    places = tuple([at[id(x)] for x in leaves])
    return _program(made.form, places), tuple({id(x): x for x in leaves}.values())


def evaluate(*arrays: ndarray) -> None:
    """Computes arrays that would be computed later; without any, all that there are.

    >>> import numpy as np
    >>> there = np.array([1.0, 2.0])
    >>> x = cpl.asarray(there)*2
    >>> cpl.evaluate(x)
    >>> there[0] = 5
    >>> x
    array([2., 4.])
    """
    for x in arrays or (None,):
        _cpl.settle(x)


__all__ = ["evaluate"]

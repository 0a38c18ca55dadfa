"""Expressions of whole arrays that are computed later, by one kernel: what `0.5*(b[2:] + b[:-2])`
makes, until its elements are asked for.

An expression is a tree of operations (_cpl.Expression). An operation is a text of kernels, of
operands a to d: "cast(a + b, \\"float64\\")"; below it are other operations, and at the ends arrays
and numbers, the leaves. Trees alike in all but their leaves share a kernel.
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

_MOST_PROGRAMS = 2048  # of which kernels are kept

_ELEMENTARY = inspect.getsource(elementary)
_FUNCTIONS = frozenset(name for name, f in vars(elementary).items() if inspect.isfunction(f))
_NAME = re.compile(r"\b[a-z]\w*(?=\()")
_OPERAND = re.compile(r"\b[abcd]\b")


def compute(made: _cpl.Expression, to: ndarray) -> None:
    """to = the elements, whatever is among the leaves."""
    program, leaves = program_of(made)
    _cpl.map(program.module(), program.text, to, leaves)


# --- kernels ---


@functools.lru_cache(maxsize=4096)
def _calls_elementary(*texts: str) -> bool:
    return bool(_FUNCTIONS & set(_NAME.findall(" ".join(texts))))


_elementary: list[_cpl.Module] = []  # one at most


def elementary_module(text: str) -> _cpl.Module | None:
    """The module of elementary functions for a text that calls one."""
    if not _calls_elementary(text):
        return None
    if not _elementary or not _elementary[0].fresh:
        _elementary[:] = [_cpl.Module("expression", _ELEMENTARY)]
    return _elementary[0]


class _Program:
    """The function of a tree's leaves, as text and, of this process, as the module it is from."""

    def __init__(self, text: str, source: str | None):
        self.text = text
        self.source = source
        self._modules: dict[str, _cpl.Module] = {}  # by their sources, two at most

    def module(self, operator: str = "") -> _cpl.Module | None:
        """That of an operator that takes the values in, too."""
        source = self.source
        if _calls_elementary(operator):
            if source is None:
                return elementary_module(operator)
            if _ELEMENTARY not in source:
                source = f"{_ELEMENTARY}\n\n{source}"
        if source is None:
            return None
        module = self._modules.get(source)
        if module is None or not module.fresh:
            self._modules[source] = module = _cpl.Module("expression", source)
        return module


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
        own = _ELEMENTARY if _calls_elementary(*self._names) else None
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


def _element(name: str, lie: int, indices: str) -> str:
    """The element of a leaf: 0 is a number, 1 an array of the result's shape; else there is a bit
    for each of its dimensions that is repeated, and one behind them."""
    if lie > 1:
        dims = lie.bit_length() - 1
        own = enumerate(indices[len(indices) - dims:])
        return f"{name}[{', '.join('0' if lie >> d & 1 else index for d, index in own)}]"
    return f"{name}[{', '.join(indices)}]" if lie else name


def kernel(
    form: _Form, places: tuple[int, ...], lies: tuple[int, ...], indices: int
) -> _cpl.Module:
    """The module of a kernel, elements, that computes a tree for each element of a first array;
    lies says how the leaves lie in it."""
    program = _program(form, places)
    said, _, body = program.text.partition(": ")
    names = said.removeprefix("lambda ")
    at = ", ".join("ijk"[:indices])
    values = ", ".join(_element(f"x{i}", lie, "ijk"[:indices]) for i, lie in enumerate(lies))
    return _cpl.Module("expression", "\n".join([
        program.source or "",
        f"def value({names}):", f"    return {body}", "",
        f"def elements({at}, out, {names}):", f"    out[{at}] = value({values})", ""]))


def program_of(made: _cpl.Expression) -> tuple[_Program, tuple[Any, ...]]:
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

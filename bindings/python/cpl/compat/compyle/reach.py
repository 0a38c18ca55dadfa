"""Which arrays a kernel may index by its own index, or by what is computed from that alone.

What comes out of an array is no such index: `y[i + 1]` and `y[flatten(i, 2)]` are, `y[key[i]]` is
not. Names are followed through assignments, loops, addresses and calls of functions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from textwrap import dedent
from typing import Any

from cpl import functions, source

_Positions = frozenset[int]


def _root(x: ast.expr) -> str | None:
    """The name that x, x[i][j] or address(x[i]) begins with."""
    while True:
        if isinstance(x, ast.Name):
            return x.id
        if isinstance(x, ast.Subscript):
            x = x.value
        elif isinstance(x, ast.Call) and getattr(x.func, "id", "") == "address" and x.args:
            x = x.args[0]
        else:
            return None


def _targets(x: ast.expr) -> Iterator[str]:
    if isinstance(x, ast.Name):
        yield x.id
    elif isinstance(x, (ast.Tuple, ast.List)):
        for e in x.elts:
            yield from _targets(e)


def _assigned(x: ast.AST) -> tuple[list[ast.expr], ast.expr | None]:
    """What a statement, or an expression with :=, gives a value."""
    if isinstance(x, ast.Assign):
        return x.targets, x.value
    if isinstance(x, (ast.AugAssign, ast.AnnAssign, ast.NamedExpr)):
        return [x.target], x.value
    if isinstance(x, ast.For):
        return [x.target], x.iter
    return [], None


class _Function:
    """One function of a program, for some of its parameters."""

    def __init__(self, program: _Program, text: source.Text, follows: Iterable[str]) -> None:
        self._program, self._text = program, text
        self._follows = set(follows)  # names of numbers that follow from the index
        self._aliases = {p: p for p in text.parameters}  # of names, the parameters they point into
        self._nodes = list(ast.walk(ast.parse(dedent(text.text))))
        before = -1
        while before != len(self._follows) + len(self._aliases):
            before = len(self._follows) + len(self._aliases)
            for node in self._nodes:
                self._assign(*_assigned(node))
        self.reached: set[str] = set()
        for node in self._nodes:
            if isinstance(node, ast.Subscript) and self._is_index(node.slice):
                self._reach(node)
            elif isinstance(node, ast.Call):
                self._call(node)

    def _assign(self, targets: Sequence[ast.expr], value: ast.expr | None) -> None:
        if value is None:
            return
        names = [name for target in targets for name in _targets(target)]
        if self._is_index(value):
            self._follows.update(names)
        root = _root(value)
        points = isinstance(value, ast.Name) or isinstance(value, ast.Call)
        if points and root in self._aliases:
            for name in names:
                self._aliases.setdefault(name, self._aliases[root])

    def _is_index(self, x: ast.AST) -> bool:
        """Whether its value follows from the index, and through no array."""
        if isinstance(x, ast.Name):
            return x.id in self._follows
        if isinstance(x, (ast.Subscript, ast.Compare)):
            return False
        if isinstance(x, ast.IfExp):
            return self._is_index(x.body) or self._is_index(x.orelse)
        return any(self._is_index(kid) for kid in ast.iter_child_nodes(x))

    def _reach(self, x: ast.expr) -> None:
        root = _root(x)
        if root in self._aliases:
            self.reached.add(self._aliases[root])

    def _call(self, call: ast.Call) -> None:
        called = next((n.value for n in self._text.names
                       if n.kind == "function" and n.name == ast.unparse(call.func)), None)
        if not isinstance(called, int):
            return
        follows = frozenset(k for k, x in enumerate(call.args) if self._is_index(x))
        for k in self._program.reached(called, follows):
            if k < len(call.args):
                self._reach(call.args[k])


class _Program:
    """The functions of a kernel."""

    def __init__(self, functions: Sequence[source.Text]) -> None:
        self._functions = functions
        self._known: dict[tuple[int, _Positions], _Positions] = {}

    def reached(self, index: int, follows: _Positions) -> _Positions:
        """Of a function, the parameters that it indexes so, where those that `follows` says are the
        index or computed from it."""
        key = index, follows
        if key not in self._known:
            self._known[key] = frozenset()  # for recursion
            text = self._functions[index]
            names = text.parameters
            found = _Function(self, text, [names[k] for k in follows if k < len(names)])
            self._known[key] = frozenset(k for k, n in enumerate(names) if n in found.reached)
        return self._known[key]


def reached(roots: Sequence[Any], indices: Sequence[str]) -> set[str]:
    """The parameters of any of some functions that they index so; `indices` are the parameters
    that are numbers of elements."""
    if not roots:
        return set()
    texts = source.program(roots[0], functions._BUILTINS, tuple(roots[1:])).functions
    program = _Program(texts)
    found: set[str] = set()
    for k in range(len(roots)):
        names = texts[k].parameters
        follows = frozenset(j for j, n in enumerate(names) if n in indices or j == 0)
        found.update(names[j] for j in program.reached(k, follows))
    return found

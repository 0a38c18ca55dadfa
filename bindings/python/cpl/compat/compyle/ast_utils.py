"""What names a piece of Python uses, assigns and calls. All take a text or what ast makes of it."""

from __future__ import annotations

import ast
from typing import Any

from . import beside

__getattr__ = beside.of(__name__)

_CONTEXTS = (ast.Load, ast.Store)


def _tree(code: str | ast.AST) -> ast.AST:
    return ast.parse(code) if isinstance(code, str) else code


def get_symbols(code: str | ast.AST, ctx: Any = _CONTEXTS) -> set[str]:
    """The names in it, of those contexts alone.

    >>> sorted(get_symbols("x[i] += y"))
    ['i', 'x', 'y']
    """
    found = ast.walk(_tree(code))
    return {n.id for n in found if isinstance(n, ast.Name) and isinstance(n.ctx, ctx)}


def _root(target: ast.expr) -> str | None:
    """The name that an assignment to a name, an element or an attribute of it changes."""
    while isinstance(target, ast.Subscript):
        target = target.value
    return target.id if isinstance(target, ast.Name) else None


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.AugAssign):
        return [node.target]
    if not isinstance(node, ast.Assign):
        return []
    found = []
    for target in node.targets:
        found += target.elts if isinstance(target, ast.List | ast.Tuple) else [target]
    return found


def get_assigned(code: str | ast.AST) -> set[str]:
    """The names that are assigned to, or to an element of which is.

    >>> sorted(get_assigned("u[0] = v = 1; w += u"))
    ['u', 'v', 'w']
    """
    roots = (_root(t) for node in ast.walk(_tree(code)) for t in _targets(node))
    return {name for name in roots if name}


def _bodies(tree: ast.AST) -> tuple[list[ast.AST], set[str]]:
    """What of it runs, without functions' signatures; and the names of functions and parameters."""
    rest, nodes, bound = [tree], [], set()
    while rest:
        node = rest.pop()
        if isinstance(node, ast.FunctionDef):
            a = node.args
            named = [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]
            bound |= {node.name, *(x.arg for x in named if x)}
            rest += node.body
        else:
            nodes.append(node)
            rest += ast.iter_child_nodes(node)
    return nodes, bound


def get_unknown_names_and_calls(code: str | ast.AST) -> tuple[set[str], set[str]]:
    """The names that come from outside of a function, those of loops among them; and the names of
    what it calls.

    >>> names, calls = get_unknown_names_and_calls("def f(x):\\n    y = g(x) + N\\n    return y")
    >>> names, calls
    ({'N'}, {'g'})
    """
    nodes, bound = _bodies(_tree(code))
    names = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, _CONTEXTS)}
    calls = {
        n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
    }
    assigned = {_root(t) for n in nodes for t in _targets(n)}
    return names - bound - calls - assigned, calls


def has_node(code: str | ast.AST, node: Any) -> bool:
    """Whether there is such a node in it, or one of a tuple of them.

    >>> has_node("x = 1", ast.Assign)
    True
    """
    return any(isinstance(n, node) for n in ast.walk(_tree(code)))


def has_return(code: str | ast.AST) -> bool:
    """Whether anything is returned."""
    return has_node(code, ast.Return)

"""functools.partial as a function of the parameters that are left, written out: what is bound stands
among its globals, and so is a constant of the kernels that are made of it."""

from __future__ import annotations

import functools
import inspect
import weakref
from types import FunctionType
from typing import Any

_Partial = functools.partial[Any]
_State = tuple[Any, tuple[Any, ...], dict[str, Any]]

_made: weakref.WeakKeyDictionary[_Partial, tuple[_State, FunctionType]] = (
    weakref.WeakKeyDictionary())  # fmt: skip


def _is_same(a: _State, b: _State) -> bool:
    """A partial may be given other keywords."""
    return (a[0] is b[0] and a[1] is b[1] and a[2].keys() == b[2].keys()
            and all(a[2][k] is b[2][k] for k in a[2]))


def _defaults(plain: FunctionType) -> dict[str, Any]:
    code, given = plain.__code__, plain.__defaults__ or ()
    names = code.co_varnames[code.co_argcount - len(given):code.co_argcount]
    return {**dict(zip(names, given)), **(plain.__kwdefaults__ or {})}


def _left(value: _Partial, plain: FunctionType) -> list[str]:
    """The parameters that are given by their places."""
    code, name = plain.__code__, plain.__qualname__
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        raise TypeError(f"functools.partial of {name}, which takes any number of arguments; write a "
                        "function or a lambda that gives them")
    names = code.co_varnames[len(value.args):code.co_argcount]
    alone = code.co_varnames[code.co_argcount:code.co_argcount + code.co_kwonlyargcount]
    unknown = [k for k in value.keywords if k not in names + alone]
    if len(value.args) > code.co_argcount or unknown:
        raise TypeError(f"functools.partial of {name}: it has no parameter for "
                        f"{unknown[0] if unknown else 'so many arguments'}")
    bound = [k for k, n in enumerate(names) if n in value.keywords]
    left = list(names[:bound[0] if bound else None])
    named = [n for n in (*names[len(left):], *alone) if n not in value.keywords]
    named = [n for n in named if n not in _defaults(plain)]
    if named:
        raise TypeError(f"functools.partial of {name}: {named[0]} goes by its name alone; write a "
                        "function or a lambda that gives all")
    return left


def _written(value: _Partial, plain: FunctionType) -> FunctionType:
    left, known = _left(value, plain), _defaults(plain)
    name = plain.__name__ if plain.__name__.isidentifier() else "applied"
    mark = "bound"
    while any(n.startswith(mark) for n in (name, *plain.__code__.co_varnames)):
        mark += "_"
    bound = {f"{mark}{k}": v for k, v in enumerate((*value.args, *value.keywords.values()))}
    marks = list(bound)
    at = marks[len(value.args):]
    given = [*marks[:len(value.args)], *left]
    given += [f"{k}={n}" for k, n in zip(value.keywords, at)]
    text = f"def {name}({', '.join(left)}):\n    return {mark}({', '.join(given)})\n"
    space: dict[str, Any] = {"__name__": plain.__module__, mark: value.func, **bound}
    exec(compile(text, f"<functools.partial of {name}>", "exec"), space)
    made: FunctionType = space[name]
    made.__defaults__ = tuple(known[n] for n in left if n in known) or None
    made.__qualname__ = plain.__qualname__
    made.__doc__ = plain.__doc__
    made.__cpl_source__ = text  # type: ignore[attr-defined]
    return made


def applied(value: _Partial, plain: FunctionType) -> FunctionType:
    """The function that calls plain, which is value.func, with what is bound; one of each partial."""
    state = (value.func, value.args, dict(value.keywords))
    known = _made.get(value)
    if known is None or not _is_same(known[0], state):
        known = _made[value] = (state, _written(value, plain))
    return known[1]

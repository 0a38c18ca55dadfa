"""The decorators: functions of Python that run compiled, for the types they are called with."""

from __future__ import annotations

import ast
import functools
import inspect
import math
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from cpl import _cpl, source

_Code = Callable[..., Any]
_Row = tuple[Any, ...]

_BUILTINS = frozenset(_cpl.builtin_names())

# Forms of functions, and places of their parts, as in src/function.h.
_ELEMENTWISE, _PLAIN, _KERNEL, _REDUCE, _SCAN = range(5)
_OP, _MAP, _NEUTRAL, _SEGMENT, _OUTPUT = range(5)

_ITEM = ("i", "item", "prev_item", "last_item", "N")  # what an output is called with first
_OUT = "out"  # what the array for a scan's items is called
_EXCLUSIVE, _LAST = 1, 2  # of scans, as in cpl/algorithm.h


def _rows(texts: tuple[source.Text, ...]) -> list[_Row]:
    """The texts as Module takes them, each by its own name if no other has that: f of outer.f."""
    rows: list[_Row] = []
    for t in texts:
        name = t.name.rpartition(".")[2]
        if any(name == row[0] for row in rows):
            name = f"{name}_{len(rows)}"
        names = tuple((n.name, n.kind, n.value) for n in t.names)
        rows.append((name, t.file, t.text, t.first_line, t.indent, names))
    return rows


def _guards(guards: tuple[source.Guard, ...]) -> _Row:
    return tuple(g.row() for g in guards)


_MOST_MODULES = 64  # of one function


class _Loader:
    """Reads functions, with all that they call, into modules: one for each thing they may mean."""

    def __init__(self, roles: _Row, parameters: tuple[str, ...] = ()):
        self._functions = tuple(f for f in roles if f is not None and not isinstance(f, str))
        # Of a scan that makes an array: what is called with the arguments, but not with the array.
        self._without_last = [f for f in (roles[_MAP], roles[_SEGMENT]) if f] if parameters else []
        self.take(parameters)
        self._modules: dict[str, _cpl.Module] = {}

    def take(self, parameters: tuple[str, ...]) -> None:
        """What the scan is called with."""
        self._parameters = ", ".join(parameters)

    def __call__(self, arguments: tuple[_Code, ...]) -> _Row:
        """The module, its names for the functions, and what must stay as it is."""
        functions = (*self._functions, *arguments)
        if not functions:
            return self._module(()), (), ()
        program = source.program(functions[0], _BUILTINS, functions[1:])
        texts = program.functions
        rows = _rows(texts)
        names = [row[0] for row in rows[: len(functions)]]
        for k, function in enumerate(functions):
            if function in self._without_last:
                rows.append(self._adapter(len(rows), names[k], k, texts[k].parameters))
                names[k] = rows[-1][0]
        return self._module(tuple(rows)), tuple(names), _guards(program.guards)

    def _adapter(self, count: int, name: str, index: int, taken: tuple[str, ...]) -> _Row:
        """A function of the scan's own array too, which calls one that does not know it."""
        own = f"{name}_{count}"
        text = f"def {own}(i, {self._parameters}):\n    return {name}({', '.join(taken)})\n"
        return own, "<scan>", text, 1, 0, ((name, "function", index),)

    def _module(self, rows: _Row) -> _cpl.Module:
        key = repr(rows)
        module = self._modules.get(key)
        if module is None or not module.fresh:
            if len(self._modules) >= _MOST_MODULES:
                self._modules.clear()  # kernels in use keep theirs
            self._modules[key] = module = _cpl.Module(rows)
        return module


_comparisons: list[_Loader] = []  # one at most


def comparison(less: _Code) -> tuple[_cpl.Module, str]:
    """The module of a function of two elements, and its name there."""
    parameters = _positional(less)
    if len(parameters) != 2:
        raise TypeError(f"{_function_of(less).__qualname__}: a comparison is of two elements, and "
                        f"this function has {len(parameters)} parameters")
    if not _comparisons:
        _comparisons.append(_Loader((None,)*5))
    module, names, _ = _comparisons[0]((less,))
    return module, names[0]


def _function_of(function: object) -> FunctionType:
    if not callable(function) and not isinstance(function, classmethod):
        raise TypeError(f"a function of Python was expected, not {function!r}")
    return source.function_of(function)


def _made_by(name: str, code: CodeType) -> str:
    """Where a decorator stands between a kernel and its function: what it returned is compiled."""
    if name == code.co_qualname or "<locals>" not in code.co_qualname:
        return ""
    maker = code.co_qualname.partition(".<locals>")[0]
    return f"; this is what {maker}() in {code.co_filename} made of it, not the function itself"


def _positional(function: _Code) -> tuple[str, ...]:
    plain = _function_of(function)
    code = plain.__code__
    if code.co_kwonlyargcount or code.co_flags & 0x08:  # CO_VARKEYWORDS
        raise TypeError(f"{plain.__qualname__}: kernels have no parameters that go by name alone"
                        + _made_by(plain.__qualname__, code))
    return code.co_varnames[: code.co_argcount]


def _rest(function: _Code) -> tuple[str, ...]:
    """What takes any number of further arguments, ("*NAME",)."""
    code = _function_of(function).__code__
    if not code.co_flags & 0x04:  # CO_VARARGS
        return ()
    return ("*" + code.co_varnames[code.co_argcount],)


def _indices(names: tuple[str, ...]) -> int:
    return 3 if names[:3] == ("i", "j", "k") else 2 if names[:2] == ("i", "j") else 1


def _parameters(
    form: int, function: _Code, skip: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The indices, and what it is called with."""
    names = _positional(function)
    if len(names) < skip:
        plain = _function_of(function)
        raise TypeError(f"{plain.__qualname__}: its first parameter has to be the index"
                        + _made_by(plain.__qualname__, plain.__code__))
    count = _indices(names) if form == _ELEMENTWISE else skip
    return names[:count], names[count:] + _rest(function)


def _make(
    form: int, function: _Code, skip: int, roles: _Row, options: tuple[Any, int] = (None, 0)
) -> _cpl.Function:
    """A compiled function that looks like the one it was made of."""
    name = _function_of(function).__qualname__
    has_out = form == _SCAN and roles[_OUTPUT] is None
    loader = _Loader(roles, (_OUT,) if has_out else ())

    def sign() -> _Row:
        guards = _guards(source.signature_guards(function))
        indices, parameters = _parameters(form, function, skip)
        if has_out:
            loader.take((*parameters, _OUT))
            return (*parameters, _OUT), (), guards, indices
        defaults = _function_of(function).__defaults__ or ()
        return parameters, defaults[max(len(defaults) - len(parameters), 0):], guards, indices

    made = _cpl.Function(form, loader, name, (), (), roles, options, sign)
    functools.update_wrapper(made, function)
    if form in (_ELEMENTWISE, _REDUCE):
        _sign(made, function)
    return made


def _sign(made: _cpl.Function, function: _Code) -> None:
    """What inspect.signature() says: how it is called, without indices, which no call gives."""
    try:
        own = inspect.signature(_function_of(function))
    except Exception:  # annotations may be anything
        return
    known = {name.lstrip("*") for name in made.parameters}
    kept = [p for name, p in own.parameters.items() if name in known]
    setattr(made, "__signature__", own.replace(parameters=kept, return_annotation=own.empty))


def elementwise(function: _Code) -> _cpl.Function:
    """A function of an index and arguments, run for each index of its first array, in parallel.

    >>> import numpy as np
    >>> @cpl.elementwise
    ... def axpb(i, x, y, a, b):
    ...     y[i] = a*x[i] + b
    >>> x = np.arange(4.0)
    >>> y = np.empty(4)
    >>> axpb(x, y, 2, 1)
    >>> y
    array([1., 3., 5., 7.])

    Arrays are used where they are, so results are there when the call returns. With parameters
    that begin with i, j or i, j, k it runs over the first array's shape. `axpb[n](...)` runs it for
    the indices below n.
    """
    return _make(_ELEMENTWISE, function, 1, (function, None, None, None, None))


def jit(function: _Code) -> _cpl.Function:
    """A function that is called once and may return a number.

    >>> @cpl.jit
    ... def clamp(x, low, high):
    ...     return min(max(x, low), high)
    >>> clamp(7, 0, 5)
    5
    """
    return _make(_PLAIN, function, 0, (function, None, None, None, None))


def kernel(function: _Code) -> _cpl.Function:
    """A low-level kernel, run by each work-item of a grid: `f[global_size, local_size](...)`.

    >>> import numpy as np
    >>> from cpl.lang import GID_0, LDIM_0, LID_0
    >>> @cpl.kernel
    ... def twice(x):
    ...     i = GID_0*LDIM_0 + LID_0
    ...     x[i] = 2*x[i]
    >>> x = np.ones(8)
    >>> twice[8, 4](x)
    >>> x
    array([2., 2., 2., 2., 2., 2., 2., 2.])

    Sizes are numbers of work-items, or tuples of up to three of them; without a local size one
    that divides the global one is taken. A global size that is no multiple of the local one is
    rounded up to whole groups, as grids of CUDA are: the kernel compares its index with the length.
    """
    return _make(_KERNEL, function, 0, (function, None, None, None, None))


# --- reductions and scans ---


def _text(value: Any) -> Any:
    """A neutral element as the text of an expression; functions stay."""
    if value is None or isinstance(value, str) or callable(value):
        return value
    number = value.item() if isinstance(value, np.generic) else value
    if not isinstance(number, (bool, int, float, complex)):
        raise TypeError(f"the neutral element is a number, an expression or a function, not {value!r}")
    if isinstance(number, float) and not math.isfinite(number):
        return "NAN" if number != number else "INFINITY" if number > 0 else "-INFINITY"
    return repr(number)


def _lambda_parameters(text: str) -> tuple[str, ...]:
    """Those of the text of a lambda, without the index."""
    tree = ast.parse(text.strip(), mode="eval").body
    if not isinstance(tree, ast.Lambda):
        raise ValueError(f'write "lambda i, x: ...", with what it is called with, not {text!r}')
    return tuple(a.arg for a in tree.args.args[1:])


def _with_out(text: Any) -> Any:
    """An expression that is given the array for the items too."""
    if not isinstance(text, str):
        return text
    head, _, body = text.partition(":")
    return f"{head}, {_OUT}:{body}"


def _check_roles(roles: _Row, name: str) -> None:
    op, map = roles[_OP], roles[_MAP]
    if not isinstance(op, str) and not callable(op):
        raise TypeError(f'{name}(): the operator is an expression of a and b, as "a + b", or a '
                        f"function of two values, not {op!r}")
    if map is not None and not isinstance(map, str) and not callable(map):
        raise TypeError(f'{name}(): the map is a text, as "lambda i, x: x[i]", or a function of '
                        f"the index and arguments, not {map!r}")
    plain = source.plain_of(op)
    if plain and not _rest(plain) and len(_positional(plain)) != 2:
        raise TypeError(f"{name}(): the operator is a function of two values, not of "
                        f"{', '.join(_positional(plain)) or 'none'}")
    output = source.plain_of(roles[_OUTPUT])
    if output and not _rest(output) and len(_positional(output)) < len(_ITEM):
        raise TypeError(f"{name}(): the output is a function of {', '.join(_ITEM)} and the "
                        f"arguments, not of {', '.join(_positional(output)) or 'none'}")


def _check_segment(segment: Any, arguments: tuple[str, ...]) -> None:
    if not isinstance(segment, str) or any(a.startswith("*") for a in arguments):
        return
    if len(_lambda_parameters(segment)) != len(arguments):
        raise TypeError(f"scan(): the segment is a function of i, {', '.join(arguments)}, "
                        f"not {segment!r}")


def _algorithm(
    form: int, roles: _Row, options: tuple[Any, int], name: str
) -> _cpl.Function:
    """A reduction or scan; one of the first array's own elements can be given a map later."""
    _check_roles(roles, name)
    map = roles[_MAP]
    if callable(map):
        return _make(form, map, 1, roles, options)
    output, loader = roles[_OUTPUT], _Loader(roles)
    if output is not None:
        parameters = _positional(output)[len(_ITEM):] + _rest(output)
    else:
        parameters = _lambda_parameters(map) if map else ("x",)
    _check_segment(roles[_SEGMENT], parameters)
    if form == _SCAN and output is None:
        parameters += (_OUT,)
        loader = _Loader(roles, parameters)
        roles = tuple(_with_out(r) if k in (_MAP, _SEGMENT) else r for k, r in enumerate(roles))
    made = _cpl.Function(form, loader, name, parameters, (), roles, options)
    made.__name__ = made.__qualname__ = name
    if map is None:
        made._decorate = lambda function: _make(
            form, function, 1, (*roles[:_MAP], function, *roles[_MAP + 1:]), options)
    return made


def reduce(
    op: str | _Code,
    map: str | _Code | None = None,
    neutral: Any = None,
    dtype: Any = None,
) -> _cpl.Function:
    """A reduction: elements taken in with an associative operator of two values, in order.

    >>> import numpy as np
    >>> total = cpl.reduce("a + b")
    >>> print(total(np.arange(5.0)))
    10.0
    >>> @cpl.reduce("max(a, b)")
    ... def widest(i, low, high):
    ...     return high[i] - low[i]
    >>> print(widest(np.array([1.0, 2.0]), np.array([1.5, 5.0])))
    3.0

    op and map are functions or expressions, "a + b" and "lambda i, x: x[i]*x[i]". neutral is what
    op leaves as it is: a number, an expression or a function; a + b, a * b, min, max, &, | and ^
    know theirs. dtype is the result's, which may be a struct. Results are the same for any number
    of threads.
    """
    roles = (source.known_operator(op), map, _text(neutral), None, None)
    return _algorithm(_REDUCE, roles, (dtype, 0), "reduce")


def scan(
    op: str | _Code,
    map: str | _Code | None = None,
    neutral: Any = None,
    dtype: Any = None,
    *,
    output: _Code | None = None,
    segment: str | _Code | None = None,
    exclusive: bool = False,
) -> _cpl.Function:
    """A scan: each element takes in all in front of it, with an associative operator.

    >>> import numpy as np
    >>> running = cpl.scan("a + b")
    >>> running(np.array([1.0, 2.0, 3.0]))
    array([1., 3., 6.])

    It returns a new array, or fills the one given as `out`. exclusive: without the element itself.
    segment says, of i and the arguments, whether the scan begins anew there. output is called with
    i, item, prev_item, last_item, N and the arguments in place of an array of items; it returns
    nothing. map, or a function that the scan decorates, says what element i is (without either it
    is that of the first argument); it, neutral and dtype are as for reduce.
    """
    flags = (_EXCLUSIVE if exclusive else 0) | (_LAST if output else 0)
    roles = (source.known_operator(op), map, _text(neutral), segment, output)
    return _algorithm(_SCAN, roles, (dtype, flags), "scan")

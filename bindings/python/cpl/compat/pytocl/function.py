"""Functions that run one after the other on one device, sharing buffers."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import cpl
from cpl import _cpl, functions, source

from .descriptors import Argument, CLArgDesc, CLFuncDesc

Code = Callable[..., Any]

_BY_NAME = 3  # how locals get types, as in cpl/functions.h


class _Local:
    """Local memory of a group."""

    def __init__(self, desc: CLArgDesc) -> None:
        self.__cpl_local__ = (desc.arg_type.dtype, desc.array_size)


def _type_of(argument: Argument) -> str | None:
    kind = argument.desc.arg_type
    return None if argument.is_local else f"{kind.dtype.name}[]" if kind.is_array else kind.dtype.name


class _Loader(functions._Loader):
    """Reads a function and what it calls: its own locals, and theirs, have types by their names."""

    def __init__(self, desc: CLFuncDesc) -> None:
        super().__init__((desc.func,))
        self._types = tuple(_type_of(a) for a in desc.arguments)

    def __call__(self, arguments: tuple[Code, ...]) -> tuple[Any, ...]:
        program = source.program(self._functions[0], functions._BUILTINS, self._functions[1:])
        rows = functions._rows(program.functions)
        rows = [(*row, (_BY_NAME, () if k else self._types, None)) for k, row in enumerate(rows)]
        guards = tuple((g.holder, g.key, g.value) for g in program.guards)
        return self._module(tuple(rows)), (rows[0][0],), guards


def _stored(node: ast.AST) -> str | None:
    """The name of what a node assigns to, or to elements of which it does."""
    if isinstance(getattr(node, "ctx", None), ast.Store):
        while isinstance(node, ast.Subscript):
            node = node.value
        if isinstance(node, ast.Name):
            return node.id
    return None


def _check(desc: CLFuncDesc, names: tuple[str, ...]) -> None:
    """What a function may not do with its arguments, before anything is compiled."""
    name = desc.func.__qualname__
    if len(names) != len(desc.arguments):
        raise ValueError(f"{name} has {len(names)} parameters, and {len(desc.arguments)} arguments "
                         "were added")
    text = source.program(desc.func, functions._BUILTINS, ()).functions[0]
    readonly = {n for n, a in zip(names, desc.arguments) if a.is_readonly}
    for node in ast.walk(ast.parse(textwrap.dedent(text.text))):
        line = text.first_line + getattr(node, "lineno", 1) - 1
        if isinstance(node, ast.Return) and node.value is not None:
            raise SyntaxError(f"{name} returns a value: results go to arguments",
                              (text.file, line, None, None))
        if _stored(node) in readonly:
            raise SyntaxError(f"{name} assigns to {_stored(node)!r}: arg(..., is_readonly=False)",
                              (text.file, line, None, None))


class _Step:
    """One function, compiled when it runs first."""

    def __init__(self, desc: CLFuncDesc) -> None:
        names = functions._positional(desc.func)
        _check(desc, names)
        self.desc = desc
        self.made = _cpl.Function(
            functions._KERNEL, _Loader(desc), desc.func.__qualname__, names, (),
            (desc.func, None, None, None, None), (None, 0))

    def sizes(self) -> Any:
        size, local = self.desc.global_size, self.desc.local_size
        if local is None:  # two numbers alone would be a global and a local size
            return (*size, 1, 1)[:3]
        return size, local

    def run(self, values: dict[CLArgDesc, Any]) -> None:
        given = [_Local(a.desc) if a.is_local else values[a.desc] for a in self.desc.arguments]
        self.made[self.sizes()](*given)


class _Compiled:
    """What CLFunc.compile() gives: buffers live as long as it does."""

    def __init__(self, steps: list[_Step], device: cpl.Device, queue: Any) -> None:
        self._steps, self._device, self._queue = steps, device, queue
        self._descs: list[CLArgDesc] = []
        self._in: dict[CLArgDesc, bool] = {}
        self._out: dict[CLArgDesc, bool] = {}
        for argument in (a for s in steps for a in s.desc.arguments if not a.is_local):
            desc = argument.desc
            if desc not in self._in:
                self._descs.append(desc)
            self._in[desc] = self._in.get(desc, False) or argument.copies_in
            self._out[desc] = self._out.get(desc, False) or argument.copies_out
        self._buffers: dict[CLArgDesc, cpl.ndarray] = {}

    def _given(self, args: tuple[Any, ...]) -> dict[CLArgDesc, Any]:
        if len(args) == 1 and isinstance(args[0], dict):
            unknown = [d for d in args[0] if d not in self._in]
            if unknown:
                raise TypeError("a descriptor that no function has")
            return {d: args[0].get(d) for d in self._descs}
        if len(args) != len(self._descs):
            raise TypeError(f"{len(self._descs)} arguments are taken, one for each descriptor, and "
                            f"{len(args)} were given")
        return dict(zip(self._descs, args))

    def _buffer(self, desc: CLArgDesc) -> cpl.ndarray:
        if desc not in self._buffers:
            self._buffers[desc] = cpl.zeros(desc.array_size, desc.arg_type.dtype,
                                            device=self._device)
        return self._buffers[desc]

    def _check(self, desc: CLArgDesc, value: Any) -> None:
        if not isinstance(value, np.ndarray) or value.dtype != desc.arg_type.dtype:
            raise TypeError(f"an array of NumPy's of {desc.arg_type.dtype} was expected, not "
                            f"{getattr(value, 'dtype', type(value).__name__)}")
        if value.size != desc.array_size:
            raise ValueError(f"{desc.array_size} elements were expected, not {value.size}")

    def _value(self, desc: CLArgDesc, value: Any) -> Any:
        """What the functions are called with: a number of the declared type, or a buffer."""
        if not desc.arg_type.is_array:
            if value is None:
                raise TypeError(f"a number of {desc.arg_type.dtype} was expected")
            return desc.arg_type.dtype.type(value)
        if desc.no_alloc:
            if not isinstance(value, _cpl.Array) or value.dtype != desc.arg_type.dtype:
                raise TypeError(f"with no_alloc an array of cpl of {desc.arg_type.dtype} is passed")
            return value
        buffer = self._buffer(desc)
        if self._out[desc] or value is not None:
            self._check(desc, value)
        if self._in[desc] and value is not None:
            buffer._write(value.reshape(-1))
        return buffer

    def __call__(self, *args: Any) -> None:
        given = self._given(args)
        with self._queue or self._device:
            values = {d: self._value(d, x) for d, x in given.items()}
            for step in self._steps:
                step.run(values)
        for desc, copied in self._out.items():
            if copied and not desc.no_alloc:
                given[desc][...] = values[desc].numpy().reshape(given[desc].shape)


class CLFunc:
    """Functions that run in order. What they call is compiled along, so included_funcs adds nothing
    and is taken for what was written for pytocl."""

    def __init__(self, *func_descs: CLFuncDesc, included_funcs: Sequence[Code] = ()) -> None:
        if not func_descs:
            raise ValueError("no function was given")
        self._func_descs = func_descs

    def compile(self, context: Any = None, queue: Any = None) -> Callable[..., None]:
        """A function of Python. context: a device of cpl or its text; without one that of the
        thread's `with`, else the host."""
        where = getattr(queue, "device", context)
        return _Compiled([_Step(d) for d in self._func_descs], cpl.device(where), queue)


def func_to_kernel(func_desc: CLFuncDesc) -> str:
    """The text of the kernel, in OpenCL C."""
    given = [
        _Local(a.desc) if a.is_local
        else np.zeros(a.desc.array_size, a.desc.arg_type.dtype) if a.desc.arg_type.is_array
        else a.desc.arg_type.dtype.type(0)
        for a in func_desc.arguments
    ]
    text: str = _Step(func_desc).made.inspect("opencl-c", *given)
    return text


__all__ = ["CLFunc", "func_to_kernel"]

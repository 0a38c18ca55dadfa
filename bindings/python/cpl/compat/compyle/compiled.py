"""Elementwise kernels, reductions and scans for a back end that is known."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

import cpl
from cpl import _cpl, functions

from . import ctext, reach, written
from .array import Array, get_backend
from .config import get_config
from .devices import device_of, is_gpu
from .profile import profile
from .program import (
    Loader, is_jit, is_local, is_pointer, narrows, scalar_of, settings, types_of,
)
from .types import C_NP_TYPE_MAP, KnownType, dtype_to_ctype

Code = Callable[..., Any]

_FLOAT32 = np.dtype(np.float32)
_ARRAYS = frozenset({np.ndarray, cpl.ndarray})
# Of a scan: the parameters of its output that are no arguments, in the compiler's order.
_SPECIAL = ("i", "item", "prev_item", "last_item", "N")


def names_of(function: Code) -> tuple[str, ...]:
    return functions._positional(function)


# --- arguments ---


def _dtype_of(known: KnownType) -> np.dtype[Any] | None:
    of = C_NP_TYPE_MAP.get(known.base_type)
    return None if of is None else np.dtype(of)


def _number(x: Any, name: str) -> Any:
    if isinstance(x, str):
        raise TypeError(f"{name}(): a number was expected, not {x!r}")
    return x


class Arguments:
    """Makes what kernels are called with of what programs give."""

    def __init__(self, name: str, known: Sequence[KnownType | None], backend: str) -> None:
        self.name, self.count, self.backend = name, len(known), backend
        self.dtypes = [
            _dtype_of(k) if k and is_pointer(k) and not is_local(k) else None for k in known
        ]
        kinds = [scalar_of(k, False) if k else None for k in known]
        self.scalars = [
            None if k is None else float if k.startswith("float") else int for k in kinds
        ]
        if is_gpu(backend):
            self.take = self._on_device
        elif all(known) and known:
            self.take = self._typed
        else:
            self.take = self._free

    def _refuse_count(self, count: int) -> None:
        raise TypeError(f"{self.name}() takes {self.count} arguments, and was given {count}")

    def _refuse_array(self) -> None:
        raise TypeError(f"{self.name}(): wrap() the arrays for {self.backend}")

    def _free(self, args: Sequence[Any]) -> list[Any]:
        """On the host, of the types that they have: numbers of Python's are float64."""
        narrow, given = False, []
        for x in args:
            if isinstance(x, Array):
                x = x.dev
                narrow = narrow or x.dtype is _FLOAT32
            given.append(x)
        return [np.float64(x) if type(x) is float else x for x in given] if narrow else given

    def _typed(self, args: Sequence[Any]) -> list[Any]:
        """On the host, of types that are said: arrays of exactly those."""
        if len(args) != self.count:
            self._refuse_count(len(args))
        given = []
        for x, dtype, scalar in zip(args, self.dtypes, self.scalars):
            if dtype is not None:
                if isinstance(x, Array):
                    x = x.dev
                if type(x) is not np.ndarray or x.dtype is not dtype or x.ndim != 1:
                    self._check_array(x, dtype)
            elif scalar is not None and type(x) is not scalar:
                x = scalar(_number(x, self.name))
            given.append(x)
        return given

    def _check_array(self, x: Any, dtype: np.dtype[Any]) -> None:
        if not isinstance(x, np.ndarray):
            raise TypeError(f"{self.name}(): an array of {dtype} was expected, not {type(x)}")
        if x.dtype != dtype or x.ndim != 1:
            raise ValueError(f"{self.name}(): an array of {dtype} and one dimension was expected, "
                             f"not of {x.dtype} and {x.ndim}")

    def _on_device(self, args: Sequence[Any]) -> list[Any]:
        """Numbers are converted, arrays are those of the device."""
        if len(args) != self.count:
            self._refuse_count(len(args))
        given = []
        for x, scalar in zip(args, self.scalars):
            if isinstance(x, Array):
                x = x.dev
            elif scalar is not None:
                x = scalar(_number(x, self.name))
            if isinstance(x, np.ndarray) and x.ndim:
                self._refuse_array()
            given.append(x)
        return given


def known_of(function: Code, names: Sequence[str]) -> list[KnownType | None]:
    types = {} if is_jit(function) else types_of(function)
    return [types.get(n) for n in names]


# --- what is there once it was called ---


class Compiled:
    """What an object of this module holds for a back end: a function of the compiler's."""

    name: str
    c_func: _cpl.Function
    _arguments: Arguments
    _told = False
    _counted: tuple[Code, ...] = ()  # functions of the index, which runs over the first array

    def __init__(self, backend: str | None) -> None:
        self.backend = get_backend(backend)
        self._config = get_config()
        self.queue = device_of(self.backend).queue if is_gpu(self.backend) else None
        self._given: list[Any] | None = None

    def _made(self, form: int, loader: Loader, names: Sequence[str], roles: tuple[Any, ...],
              options: tuple[Any, int], is_serial: bool = False) -> _cpl.Function:
        self._settings = settings(self.backend, self._config, is_serial)

        def make(settings: tuple[tuple[str, int], ...]) -> _cpl.Function:
            return _cpl.Function(form, loader, self.name, tuple(names), (), roles,
                                 (*options, settings))

        self._made_with = make
        return make(self._settings)

    @cached_property
    def _checked(self) -> _cpl.Function:
        """The same, which looks at each index."""
        return self._made_with((*self._settings, ("bounds_check", 1)))

    @cached_property
    def _reached(self) -> set[str]:
        """The arrays that need as many elements as the first one has."""
        return reach.reached(self._counted, ("N",))

    def _function_for(self, given: Sequence[Any]) -> _cpl.Function:
        """The one that tells where an array ends before the first one does, if the kernel may come
        to that: what it indexes otherwise may have any length."""
        count = -1
        for x in given:
            if type(x) in _ARRAYS:
                if count < 0:
                    count = x.size
                elif x.size < count:
                    return self._function_for_short(given, count)
        return self.c_func

    def _function_for_short(self, given: Sequence[Any], count: int) -> _cpl.Function:
        short = (name for name, x in zip(self.c_func.parameters, given)
                 if type(x) in _ARRAYS and x.ndim and x.size < count)
        return self.c_func if self._reached.isdisjoint(short) else self._checked

    def _tell_lengths(self, error: cpl.BoundsError, given: Sequence[Any]) -> None:
        names = self.c_func.parameters
        sizes = [f"{len(x)} of '{name}'" for name, x in zip(names, given) if np.ndim(x)]
        error.args = (f"{error.args[0]}; {self.name}() was given arrays of {', '.join(sizes)}",)

    def _asked(self, dtype: np.dtype[Any], mapped: Code | None) -> np.dtype[Any] | None:
        """Of an algorithm; None where what it takes in is of that type anyway. Sums of integers
        would be wider."""
        asked = dtype.kind in "iu" or (mapped is None and self.queue is not None)
        return dtype if asked else None

    def _run(self, args: Sequence[Any]) -> Any:
        given = self._arguments.take(args)
        if self._given is None:
            self._given = [self._like(x) for x in given]
        function = self._function_for(given)
        try:
            result = function(*given)
            if self.queue is not None:
                self.queue.finish()
        except cpl.BoundsError as error:
            self._tell_lengths(error, given)
            raise
        self._tell()
        return result

    def _tell(self) -> None:
        """Prints the texts when it was first called, if the environment says so."""
        if not self._told and "COMPYLE_DEBUG" in os.environ:
            print(self.all_source)
        self._told = True

    def _like(self, x: Any) -> Any:
        """A small array in place of a large one, for the texts."""
        if isinstance(x, _cpl.Array):
            return cpl.zeros(1, dtype=x.dtype, device=x.place)
        return np.zeros(1, x.dtype) if isinstance(x, np.ndarray) else x

    @property
    def source(self) -> str:
        """The functions as they are written, with the types that they were compiled for."""
        types = self.c_func.inspect("types", *(self._given or ()))
        return written.program(f"{self.name}, for {self.backend}{self._says()}", self._roots(), types)

    @property
    def all_source(self) -> str:
        """The same, the program as the compiler has it, and what it becomes for the back end."""
        target: Any = "host" if self.queue is None else self.backend
        given = self._given or ()
        return (f"{self.source}\n{self.c_func.inspect('ir', *given)}\n"
                f"{self.c_func.source(target, *given)}")

    def _roots(self) -> Sequence[Code]:
        return self._counted

    def _says(self) -> str:
        """What is no function in it."""
        return ""


class ElementwiseBase(Compiled):
    """An elementwise kernel for a back end."""

    def __init__(self, func: Code, backend: str | None = None) -> None:
        super().__init__(backend)
        self.func = func
        self.name = f"elwise_{func.__name__}"
        names = names_of(func)[1:]
        self._counted = (func,)
        self._arguments = Arguments(self.name, known_of(func, names), self.backend)
        loader = Loader((func,), self.backend)
        self.c_func = self._made(functions._ELEMENTWISE, loader, names,
                                 (func, None, None, None, None), (None, 0),
                                 getattr(func, "is_serial", False))

    @profile
    def __call__(self, *args: Any, **kw: Any) -> None:
        if kw:
            names = self.c_func.parameters[len(args):]
            args = (*args, *(kw.pop(n) for n in names if n in kw))
            if kw:
                raise TypeError(f"{self.name}(): no parameter is called {', '.join(kw)}")
        self._run(args)


class ReductionBase(Compiled):
    """A reduction for a back end."""

    def __init__(
        self, reduce_expr: str, map_func: Code | None = None, dtype_out: Any = np.float64,
        neutral: str = "0", backend: str | None = None,
    ) -> None:
        super().__init__(backend)
        self.func, self.reduce_expr, self.neutral = map_func, reduce_expr, neutral
        self.dtype_out = np.dtype(dtype_out)
        if narrows(self.backend) and self.dtype_out == np.float64:
            self.dtype_out = _FLOAT32
        self.type = dtype_to_ctype(self.dtype_out)
        self.name = "reduce" if map_func is None else f"reduce_{map_func.__name__}"
        names = ("inp",) if map_func is None else names_of(map_func)[1:]
        array = [KnownType(f"{self.type}*", self.type)]
        known = array if map_func is None else known_of(map_func, names)
        self._arguments = Arguments(self.name, known, self.backend)
        roots = self._counted = () if map_func is None else (map_func,)
        loader = Loader(roots, self.backend, {0: self.dtype_out.name})
        self.c_func = self._made(functions._REDUCE, loader, names,
                                 (ctext.expression(reduce_expr), map_func,
                                  ctext.expression(str(neutral)), None, None),
                                 (self._asked(self.dtype_out, map_func), 0))

    def _says(self) -> str:
        return f": {self.reduce_expr}, from {self.neutral} on"

    @profile
    def __call__(self, *args: Any) -> Any:
        value = self._run(args)
        return np.asarray(value) if self.queue is not None else value.item()


class ScanBase(Compiled):
    """A scan for a back end."""

    def __init__(
        self, input: Code | None = None, output: Code | None = None, scan_expr: str = "a+b",
        is_segment: Code | None = None, dtype: Any = np.float64, neutral: str = "0",
        complex_map: bool = False, backend: str | None = None,
    ) -> None:
        super().__init__(backend)
        if output is None:
            raise AttributeError("a scan needs an output function")
        self.input_func, self.output_func, self.is_segment_func = input, output, is_segment
        self.scan_expr, self.neutral, self.complex_map = scan_expr, neutral, complex_map
        self.dtype = np.dtype(dtype)
        self.type = dtype_to_ctype(self.dtype)
        self.name = "scan" if input is None else f"scan_{input.__name__}"
        self.arg_names, known = self._parameters()
        arrays = [name for name, k in zip(self.arg_names, known) if k is None or is_pointer(k)]
        self._first = (arrays or self.arg_names)[0]
        self._counted = tuple(self._functions())
        typed = all(types_of(f) for f in self._counted)
        self._infers = not typed or (input is not None and hasattr(input, "is_jit"))
        self._arguments = Arguments(self.name, known, self.backend)
        flags = functions._LAST if "last_item" in names_of(output) else 0
        self.c_func = self._made(functions._SCAN, self._loader(), self.arg_names, self._roles(),
                                 (self._asked(self.dtype, input), flags))

    def _functions(self) -> list[Code]:
        """In the order of the compiler's roles."""
        return [f for f in (self.input_func, self.is_segment_func, self.output_func) if f]

    def _parameters(self) -> tuple[tuple[str, ...], list[KnownType | None]]:
        """What all of them are called with, and the types."""
        found: dict[str, KnownType | None] = {}
        if self.input_func is None:
            found["input"] = KnownType(f"{self.type}*", self.type)
        for function in self._functions():
            names = [n for n in names_of(function) if n not in _SPECIAL]
            for name, known in zip(names, known_of(function, names)):
                if known or name not in found:
                    found[name] = known
        return tuple(found), list(found.values())

    def _loader(self) -> Loader:
        roots = self._functions()
        results, adapters = {}, []
        count = f"len({self._first})"  # what the output is given as N
        for k, function in enumerate(roots):
            special = _SPECIAL if function is self.output_func and k == len(roots) - 1 else ("i",)
            if function is self.input_func and k == 0:
                results[k] = self.dtype.name
            elif special == ("i",):
                results[k] = "int32"
            taken = names_of(function)
            if special is not _SPECIAL:
                taken = tuple(count if name == "N" else name for name in taken)
            adapters.append((k, (*special, *self.arg_names), taken))
        return Loader(roots, self.backend, results, adapters)

    def _roles(self) -> tuple[Any, ...]:
        mapped: Any = self.input_func
        if mapped is None:
            mapped = f"lambda {', '.join(('i', *self.arg_names))}: input[i]"
        op = ctext.expression(ctext.within_segments(self.scan_expr))
        neutral = ctext.expression(str(self.neutral))
        return op, mapped, neutral, self.is_segment_func, self.output_func

    def _says(self) -> str:
        return f": {self.scan_expr}, from {self.neutral} on"

    @profile
    def __call__(self, **kwargs: Any) -> None:
        lacking = [n for n in self.arg_names if n not in kwargs]
        if lacking:
            message = f"{self.name}(): {', '.join(lacking)} not found"
            is_asked = self._infers and lacking != ["input"]  # for its type, as in Compyle
            raise ValueError(message) if is_asked else KeyError(message)
        self._run([kwargs[n] for n in self.arg_names])

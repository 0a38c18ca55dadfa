"""Elementwise kernels, reductions and scans, made for a back end when they are first called."""

from __future__ import annotations

from functools import wraps
from typing import Any

import numpy as np

from . import beside
from .array import get_backend
from .compiled import Code, ElementwiseBase, ReductionBase, ScanBase
from .jit import ElementwiseJIT, ReductionJIT, ScanJIT
from .program import is_jit

__getattr__ = beside.of(__name__)


def serial(func: Code | None = None, **_: Any) -> Code:
    """Marks what the host runs in order on one thread, use_openmp or not; with or without brackets.
    """

    def mark(function: Code) -> Code:
        function.is_serial = True  # type: ignore[attr-defined]
        return function

    return mark if func is None else mark(func)


class _Late:
    """Takes a back end when it is called first, or called again behind set_backend()."""

    _inner: str  # the attribute that holds what is made for it
    _backend: str | None

    def _setup(self) -> Any:
        raise NotImplementedError

    def _compiled(self) -> Any:
        made = self.__dict__[self._inner]
        if made is None:
            made = self.__dict__[self._inner] = self._setup()
        return made

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.__dict__.get(self._inner), name)

    def __dir__(self) -> list[str]:
        return sorted({*dir(self.__dict__[self._inner]), *object.__dir__(self)})

    def set_backend(self, backend: str | None = None) -> None:
        """Another back end for calls from now on."""
        self._backend = backend
        self.__dict__[self._inner] = None


def _marked(function: Code) -> bool:
    """Whether it has been annotate's, or has no types."""
    return is_jit(function) or hasattr(function, "is_jit")


class Elementwise(_Late):
    """Calls a function of an index and arguments for each index of its first array.

    >>> from cpl.compat.compyle.api import annotate, wrap
    >>> @annotate
    ... def axpb(i, x, y, a, b):
    ...     y[i] = a*x[i] + b
    >>> x, y = wrap(np.arange(3.0), np.zeros(3), backend="cython")
    >>> Elementwise(axpb, backend="cython")(x, y, 2.0, 1.0)
    >>> y.data
    array([1., 3., 5.])
    """

    _inner = "elementwise"

    def __init__(self, func: Code, backend: str | None = None) -> None:
        self._func = func
        self._backend = backend
        self.elementwise: Any = None

    def _setup(self) -> Any:
        kind = ElementwiseJIT if _marked(self._func) else ElementwiseBase
        return kind(self._func, backend=get_backend(self._backend))

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        (self.elementwise or self._compiled())(*args, **kwargs)


def elementwise(func: Code | None = None, backend: str | None = None) -> Any:
    """Makes an Elementwise of a function: outermost of its decorators, with or without a back end.
    """

    def make(function: Code) -> Any:
        return wraps(function)(Elementwise(function, backend=backend))

    return make if func is None else make(func)


class Reduction(_Late):
    """Takes elements, or what a function gives for them, in with an expression of a and b.

    >>> from cpl.compat.compyle.api import wrap
    >>> Reduction("max(a, b)", neutral="-INFINITY", backend="cython")(np.array([1.0, 3.0, 2.0]))
    3.0
    """

    _inner = "reduction"

    def __init__(
        self, reduce_expr: str, map_func: Code | None = None, dtype_out: Any = np.float64,
        neutral: str = "0", backend: str | None = None,
    ) -> None:
        self._said = (reduce_expr, map_func, dtype_out, neutral)
        self._backend = backend
        self.reduction: Any = None

    def _setup(self) -> Any:
        map_func = self._said[1]
        kind = ReductionJIT if map_func is not None and _marked(map_func) else ReductionBase
        return kind(*self._said, backend=get_backend(self._backend))

    def __call__(self, *args: Any) -> Any:
        return self._compiled()(*args)


class Scan(_Late):
    """Sums, or what another expression of a and b gives, of all up to each element.

    >>> from cpl.compat.compyle.api import annotate
    >>> @annotate
    ... def value(i, x):
    ...     return x[i]
    >>> @annotate
    ... def store(i, item, y):
    ...     y[i] = item
    >>> x, y = np.array([1.0, 2.0, 4.0]), np.zeros(3)
    >>> Scan(value, store, "a+b", backend="cython")(x=x, y=y)
    >>> y
    array([1., 3., 7.])
    """

    _inner = "scan"

    def __init__(
        self, input: Code | None = None, output: Code | None = None, scan_expr: str = "a+b",
        is_segment: Code | None = None, dtype: Any = np.float64, neutral: str = "0",
        complex_map: bool = False, backend: str | None = None,
    ) -> None:
        self._said = (input, output, scan_expr, is_segment, dtype, neutral, complex_map)
        self._backend = backend
        self.scan: Any = None

    def _setup(self) -> Any:
        return ScanJIT(*self._said, backend=get_backend(self._backend))

    def __call__(self, **kwargs: Any) -> None:
        self._compiled()(**kwargs)

"""What arguments and functions are said to be."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import numpy as np


class CLArgType(enum.Enum):
    """The type of an argument; a bool is a byte, in arrays too."""

    float32 = np.dtype(np.float32), False
    float32_array = np.dtype(np.float32), True
    int32 = np.dtype(np.int32), False
    int32_array = np.dtype(np.int32), True
    bool = np.dtype(np.bool_), False
    bool_array = np.dtype(np.bool_), True

    @property
    def dtype(self) -> np.dtype[Any]:
        dtype: np.dtype[Any] = self.value[0]
        return dtype

    @property
    def is_array(self) -> Any:
        return self.value[1]


class CLArgDesc:
    """An argument; the same one in two functions is the same buffer.

    array_size: elements of an array, 0 for numbers. no_alloc: the caller passes an array of cpl on
    the device, and no buffer is made.
    """

    def __init__(self, arg_type: CLArgType, array_size: int = 0, no_alloc: bool = False) -> None:
        if arg_type.is_array != (array_size > 0) or array_size < 0:
            raise ValueError(f"{arg_type.name} with array_size={array_size}: numbers have 0, and "
                             "arrays their elements")
        if no_alloc and not arg_type.is_array:
            raise ValueError("no_alloc is for arrays: numbers have no buffer")
        self.arg_type, self.array_size, self.no_alloc = arg_type, array_size, no_alloc


class Argument:
    """A parameter of one function: local memory where desc's buffer is for a group."""

    def __init__(self, desc: CLArgDesc, is_readonly: bool, is_local: bool = False) -> None:
        self.desc, self.is_readonly, self.is_local = desc, is_readonly, is_local
        self.copies_in = self.copies_out = False


def _sizes(sizes: Any, what: str) -> tuple[int, ...]:
    if not isinstance(sizes, tuple) or not 1 <= len(sizes) <= 3 or min(sizes) < 1:
        raise ValueError(f"{what} is a tuple of one to three sizes, not {sizes!r}")
    return sizes


class CLFuncDesc:
    """A function over a grid of work-items, with its arguments, in the order of its parameters."""

    def __init__(
        self, func: Callable[..., Any], global_size: tuple[int, ...],
        local_size: tuple[int, ...] | None = None,
    ) -> None:
        self.func = func
        self.global_size = _sizes(global_size, "global_size")
        self.local_size = None if local_size is None else _sizes(local_size, "local_size")
        if self.local_size and len(self.local_size) != len(self.global_size):
            raise ValueError("local_size has as many sizes as global_size")
        if self.local_size and any(n % m for n, m in zip(self.global_size, self.local_size)):
            raise ValueError(f"work-groups of {self.local_size} do not divide {self.global_size}")
        self.arguments: list[Argument] = []

    def arg(self, desc: CLArgDesc, is_readonly: bool = True) -> CLFuncDesc:
        """The next argument; one that the function writes is not is_readonly."""
        self.arguments.append(Argument(desc, is_readonly))
        return self

    def local_arg(self, arg_type: CLArgType, array_size: int) -> CLFuncDesc:
        """The next argument, an array that the work-items of a group share."""
        self.arguments.append(Argument(CLArgDesc(arg_type, array_size), False, is_local=True))
        return self

    def _of(self, desc: CLArgDesc | None) -> Argument:
        found = [a for a in self.arguments if desc is None or a.desc is desc]
        if not found:
            raise ValueError("no such argument was added")
        argument = found[-1]
        if argument.is_local or not argument.desc.arg_type.is_array:
            raise ValueError("arrays that are not local are copied, nothing else")
        return argument

    def copy_in(self, desc: CLArgDesc | None = None) -> CLFuncDesc:
        """Copies an array, the last one added, to the device before the function runs."""
        self._of(desc).copies_in = True
        return self

    def copy_out(self, desc: CLArgDesc | None = None) -> CLFuncDesc:
        """Copies an array, the last one added, back when the function has run."""
        argument = self._of(desc)
        if argument.is_readonly:
            raise ValueError("an argument that is only read is not copied out")
        argument.copies_out = True
        return self

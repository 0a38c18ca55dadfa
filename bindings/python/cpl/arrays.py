"""The class of arrays: NumPy's methods and operators, and how NumPy's own functions find them."""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from cpl import (
    _cpl, choosing, counting, creation, curves, foreign, grids, indexing, layout, products,
    reductions, shapes, sorting, statistics, ufuncs,
)
from cpl.axes import Axis, axes_of
from cpl.comparing import Less
from cpl.elements import OPERATORS, apply, apply_all, cast, resolve, resolve_where, unsupported
from cpl.places import beside


def _resolve(which: int, types: tuple[Any, ...]) -> tuple[Any, ...] | None:
    if OPERATORS[which] is np.where:
        return resolve_where(types)
    return resolve(OPERATORS[which], types)


def _apply(which: int, operands: tuple[Any, ...], in_place: int) -> Any:
    if OPERATORS[which] in _EQUALITIES and isinstance(operands[1], _LIKE_NO_NUMBER):
        return creation.full_like(operands[0], OPERATORS[which] is np.not_equal, np.bool_)
    if not all(map(_is_operand, operands)):
        return NotImplemented
    return apply(OPERATORS[which], operands, operands[0] if in_place else None)


def _strides_of(shape: tuple[int, ...], strides: tuple[int, ...],
                new: tuple[int, ...]) -> tuple[int, ...] | None:
    """Those of a view in another shape of as many elements, one or more; None: there is none.
    Dimensions go together to the least product that some of the others have too; those of the old
    ones in such a group must follow each other in memory."""
    old = [(n, s) for n, s in zip(shape, strides) if n != 1]
    wanted = [n for n in new if n != 1]
    found: list[int] = []
    while wanted:
        n, step = old.pop()
        inner = wanted.pop()
        group = [inner]
        while inner != n:
            if inner < n:
                group.append(wanted.pop())
                inner *= group[-1]
            else:
                outer, outer_step = old.pop()
                if outer_step != n*step:
                    return None
                n *= outer
        for size in group:
            found.append(step)
            step *= size
    return tuple([found.pop() if n != 1 else 0 for n in new])


def _is_operand(x: Any) -> bool:
    return isinstance(x, (_cpl.Array, np.ndarray, np.generic, int, float, complex, list, tuple))


_EQUALITIES = (np.equal, np.not_equal)
_LIKE_NO_NUMBER = (type(None), str, bytes)


class ndarray(_cpl.Array):
    """An array that lives on the host or on a device; `cpl.array()` and others make them.

    >>> x = cpl.arange(6).reshape(2, 3)
    >>> x[:, 1:]*2 + 0.5
    array([[ 2.5,  4.5],
           [ 8.5, 10.5]])
    """

    __slots__ = ()
    __array_priority__ = 100

    # --- for NumPy ---

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        self._raise()
        if copy is False and self.place != "host":
            raise ValueError(f"the array is on {self.place}: there is no NumPy array without a copy")
        return np.array(self.numpy(), dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return ufuncs.call(ufunc, method, inputs, kwargs)

    def __array_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        found = _FUNCTIONS.get(func)
        if found is None:
            raise unsupported(f"{func.__module__}.{func.__name__}")
        return found(*args, **{k: v for k, v in kwargs.items() if v is not np._NoValue})

    def __repr__(self) -> str:
        return repr(self.numpy())

    def __str__(self) -> str:
        return str(self.numpy())

    def __format__(self, spec: str) -> str:
        return format(self.numpy()[()] if self.ndim == 0 else self.numpy(), spec)

    def to(self, device: Any) -> ndarray:
        """The array itself where it lives there, else a copy of it there.

        >>> x = cpl.array([1, 2])
        >>> x.to("host") is x
        True
        """
        there = _cpl.device(device)
        if there is self.device:
            return self
        made = _cpl.create(self.shape, self.dtype, there, False)
        _cpl.copy(made, self)
        return made

    def pin(self) -> ndarray:
        """The array itself, whose elements stay in main memory from now on, as do those of all
        that shares its memory: what would move them to a device is refused.

        >>> x = cpl.zeros(3).pin()
        >>> x.place
        'host'
        """
        self._stay()
        return self

    def get(self) -> npt.NDArray[Any]:
        """The elements on the host: what arrays of CuPy and pyopencl call it."""
        return self.numpy()

    def __dlpack__(
        self, *, stream: int | None = None, max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None, copy: bool | None = None,
    ) -> object:
        return foreign.give(self, stream, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        return foreign.dlpack_device(self)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return foreign.cuda_interface(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return creation.array, (self.numpy(),)

    # --- one element ---

    def item(self, *index: Any) -> Any:
        """An element as a number of Python's."""
        if len(index) == 1 and isinstance(index[0], tuple):
            index = index[0]
        if len(index) == 1 and self.ndim != 1:
            return self.ravel()[index].item()
        if index and len(index) != self.ndim:
            raise ValueError("incorrect number of indices for array")
        if index:
            return self[index].item()
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self.numpy().item()

    def __bool__(self) -> bool:
        if not self.size:
            raise ValueError("The truth value of an empty array is ambiguous. Use a.size > 0")
        if self.size != 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous. "
                             "Use a.any() or a.all()")
        return builtins.bool(self.item())

    def __int__(self) -> int:
        return int(self._alone())

    def __float__(self) -> float:
        return float(self._alone())

    def __complex__(self) -> complex:
        return complex(self._alone())

    def __index__(self) -> int:
        return operator.index(self._alone())

    def __hash__(self) -> int:
        """That of the number of an array without dimensions, as NumPy's sums have it."""
        if self.ndim:
            raise TypeError("unhashable type: an array with dimensions")
        return hash(self.numpy()[()])

    def __round__(self, ndigits: int | None = None) -> Any:
        if self.ndim:
            raise TypeError("only an array without dimensions is a number that round() takes; "
                            "x.round() rounds elements")
        number: Any = self.numpy()[()]
        return builtins.round(number, ndigits)

    def _alone(self) -> Any:
        if self.ndim:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return self.numpy()[()]

    def tolist(self) -> Any:
        return self.numpy().tolist()

    def tobytes(self, order: Any = "C") -> bytes:
        """The bytes of a copy of the elements."""
        return self.numpy().tobytes(order)

    def tofile(self, fid: Any, sep: str = "", format: str = "%s") -> None:
        """Writes the elements to a file, as NumPy does."""
        self.numpy().tofile(fid, sep, format)

    # --- elements ---

    def __iter__(self) -> Iterator[ndarray]:
        return (self[i] for i in range(len(self)))

    def __contains__(self, value: Any) -> bool:
        return builtins.bool(reductions.any(apply(np.equal, (self, value))))

    def fill(self, value: Any) -> None:
        """All elements become a number."""
        creation.assign(self, value)

    # --- shapes ---

    @property
    def T(self) -> ndarray:
        return self.transpose()

    def _part(self, offset: int) -> ndarray:
        """Views of the floats of complex numbers."""
        half = np.dtype(f"f{self.itemsize//2}")
        return _cpl.view(self, self.shape, self.strides, half, offset)

    @property
    def real(self) -> ndarray:
        """A view of the real parts."""
        return self._part(0) if self.dtype.kind == "c" else self

    @property
    def imag(self) -> ndarray:
        """A view of the imaginary parts; of real numbers, zeros."""
        if self.dtype.kind == "c":
            return self._part(self.itemsize//2)
        return creation.zeros_like(self)

    def conjugate(self) -> ndarray:
        """Itself, where no element has an imaginary part."""
        return apply(np.conjugate, (self,)) if self.dtype.kind == "c" else self

    conj = conjugate

    def transpose(self, *axes: Any) -> ndarray:
        """A view with the dimensions in another order, turned round by default."""
        if len(axes) == 1 and not isinstance(axes[0], int):
            axes = tuple(axes[0]) if axes[0] is not None else ()
        order = axes or tuple(range(self.ndim))[::-1]
        if len(order) != self.ndim:
            raise ValueError("axes don't match array")
        axes_of(order, self.ndim)
        shape = tuple(self.shape[a] for a in order)
        return _cpl.view(self, shape, tuple(self.strides[a] for a in order), None, 0)

    def swapaxes(self, axis1: int, axis2: int) -> ndarray:
        order = list(range(self.ndim))
        order[axis1], order[axis2] = order[axis2], order[axis1]
        return self.transpose(*order)

    def moveaxis(self, source: int, destination: int) -> ndarray:
        """A view with one dimension in another place."""
        (come,), (go,) = (axes_of(a, self.ndim) for a in (source, destination))
        order = [d for d in range(self.ndim) if d != come]
        order.insert(go, come)
        return self.transpose(*order) if order else self

    @property
    def mT(self) -> ndarray:
        """A view with the last two dimensions in the other order."""
        if self.ndim < 2:
            raise ValueError("matrix transpose with ndim < 2 is undefined")
        return self.swapaxes(-1, -2)

    @property
    def flags(self) -> layout.Flags:
        """How its elements lie, and whether they are written."""
        return layout.Flags(self)

    @property
    def flat(self) -> layout.Flat:
        """The elements in a row; iterated over, numbers of NumPy's."""
        return layout.Flat(self)

    @flat.setter
    def flat(self, values: Any) -> None:
        self.flat[:] = values

    def view(self, dtype: npt.DTypeLike | None = None) -> ndarray:
        """The same memory, as elements of another type.

        >>> import numpy as np
        >>> cpl.array([1.0, -2.0]).view(np.int64)
        array([ 4607182418800017408, -4611686018427387904])
        """
        return layout.view(self, self.dtype if dtype is None else dtype)

    def reshape(self, *shape: Any, order: str = "C") -> ndarray:
        """The elements in another shape: a view if there can be one, else a copy."""
        if layout.goes_first(self, order):
            given = tuple(shape[0]) if shape and np.ndim(shape[0]) else shape
            return self.transpose().reshape(given[::-1]).transpose()
        if len(shape) == 1 and not isinstance(shape[0], (int, np.integer)):
            shape = tuple(shape[0])
        shape = tuple(map(operator.index, shape))
        known = math.prod(n for n in shape if n != -1)
        if shape.count(-1) > 1:
            raise ValueError("can only specify one unknown dimension")
        if -1 in shape and known and not self.size % known:
            shape = tuple(self.size//known if n == -1 else n for n in shape)
        if -1 in shape or math.prod(shape) != self.size:
            raise ValueError(f"cannot reshape array of size {self.size} into shape {shape}")
        if not self.contiguous and self.size:
            strides = _strides_of(self.shape, self.strides, shape)
            if strides is not None:
                return _cpl.view(self, shape, strides, None, 0)
        return _cpl.view(self if self.contiguous else self.copy(), shape, (), None, 0)

    def ravel(self, order: str = "C") -> ndarray:
        """One dimension: a view where elements lie side by side, else a copy."""
        if layout.goes_first(self, order):
            return self.transpose().ravel()
        dense = self if self.contiguous else self.copy()
        return dense.reshape(-1 if self.size else 0)

    def flatten(self, order: str = "C") -> ndarray:
        """A copy of one dimension."""
        if layout.goes_first(self, order):
            return self.transpose().flatten()
        return self.copy().reshape(-1 if self.size else 0)

    def squeeze(self, axis: Axis = None) -> ndarray:
        """Without dimensions of one element."""
        axes = (tuple(d for d, n in enumerate(self.shape) if n == 1) if axis is None
                else axes_of(axis, self.ndim))
        if builtins.any(self.shape[a] != 1 for a in axes):
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
        return self[tuple(0 if d in axes else slice(None) for d in range(self.ndim))]

    # --- copies, and arrays that grow ---

    def copy(self, order: str = "C") -> ndarray:
        """A copy without gaps, where the array lives; order="F": the first dimension's elements
        side by side."""
        if layout.goes_first(self, order):
            return self.transpose().copy().transpose()
        return cast(self, beside([self], self.shape, self.dtype))

    def __copy__(self) -> ndarray:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> ndarray:
        return self.copy()

    def astype(
        self, dtype: npt.DTypeLike, order: str = "K", casting: Any = "unsafe", subok: bool = True,
        copy: bool = True,
    ) -> ndarray:
        """The elements converted to another type."""
        to = np.dtype(dtype)
        if not np.can_cast(self.dtype, to, casting):
            raise TypeError(f"Cannot cast array data from {self.dtype!r} to {to!r} according to the "
                            f"rule '{casting}'")
        goes_first = layout.goes_first(self, order)
        lies_so = layout.is_f_ordered(self) if order == "F" else order != "C" or self.contiguous
        if not copy and self.dtype == to and lies_so:
            return self
        if goes_first:
            return self.transpose().astype(to, "C").transpose()
        return cast(self, beside([self], self.shape, np.dtype(dtype)))

    def resize(self, length: int) -> None:
        """So many elements from now on: the first ones stay, new ones are 0.

        >>> x = cpl.array([1, 2])
        >>> x.resize(4)
        >>> x
        array([1, 2, 0, 0])
        """
        _cpl.resize(self, *length) if isinstance(length, tuple) else _cpl.resize(self, length)

    def reserve(self, capacity: int) -> None:
        """Memory for so many elements at least; the length stays."""
        _cpl.reserve(self, capacity)

    def squeeze_capacity(self) -> None:
        """Gives memory back that there are no elements for."""
        _cpl.squeeze(self)

    # --- functions as methods ---

    def partition(
        self, kth: Any, axis: int = -1, kind: str = "introselect", order: sorting.Order = None
    ) -> None:
        """Element kth comes where it is in the sorted array, less ones in front of it."""
        creation.assign(self, sorting.partition(self, kth, axis, kind, order))

    def put(self, indices: Any, values: Any, mode: str = "raise") -> None:
        indexing.put_in_row(self, indices, values, mode)

    def sort(
        self, axis: int = -1, kind: str | None = None, order: sorting.Order = None, *,
        stable: bool | None = None, descending: bool = False, less: Less = None,
        bits: tuple[int, int] | None = None,
    ) -> None:
        """Sorts in place."""
        sorting.check_kind(kind)
        axes_of(axis, self.ndim)
        if self.ndim == 1 and self.contiguous:
            sorting.sort_in_place(self, descending, order, less, bits)
        else:
            creation.assign(self, sorting.sort(self, axis, kind, order, descending=descending,
                                               less=less, bits=bits))

    def dot(self, b: Any, out: Any = None) -> ndarray:
        return products.dot(self, b, out)

    def take(
        self, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise"
    ) -> ndarray:
        return indexing.take(self, indices, axis, out, mode)

    def compress(self, condition: Any, axis: int | None = None, out: Any = None) -> ndarray:
        return indexing.compress(condition, self, axis, out)

    def choose(self, choices: Any, out: Any = None, mode: str = "raise") -> ndarray:
        return choosing.choose(self, choices, out, mode)

    def dump(self, file: Any) -> None:
        self.numpy().dump(file)

    nonzero = indexing.nonzero
    argsort = sorting.argsort
    searchsorted = sorting.searchsorted
    all = reductions.all
    any = reductions.any
    sum = reductions.sum
    prod = reductions.prod
    min = reductions.min
    max = reductions.max
    argmin = reductions.argmin
    argmax = reductions.argmax
    mean = reductions.mean
    var = reductions.var
    std = reductions.std
    round = reductions.round
    cumsum = reductions.cumsum
    cumprod = reductions.cumprod
    clip = reductions.clip
    repeat = shapes.repeat
    argpartition = sorting.argpartition
    diagonal = products.diagonal
    trace = products.trace

    # --- operators that the class in C has not ---

    def __divmod__(self, other: Any) -> Any:
        return apply_all(np.divmod, (self, other), (None, None))

    def __rdivmod__(self, other: Any) -> Any:
        return apply_all(np.divmod, (other, self), (None, None))

    def __rmatmul__(self, other: Any) -> ndarray:
        return products.matmul(other, self)

    def __matmul__(self, other: Any) -> ndarray:
        return products.matmul(self, other)


def _method(name: str) -> Callable[..., Any]:
    return lambda a, *args, **kwargs: getattr(a, name)(*args, **kwargs)


# What NumPy's functions are when they are called with arrays of cpl.
_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    getattr(np, name): getattr(module, name)
    for module in (choosing, counting, creation, curves, grids, indexing, products, reductions,
                   shapes, sorting, statistics)
    for name in module.__all__
    if hasattr(np, name) and name not in ("arange", "array", "asarray", "empty", "full", "linspace",
                                          "ones", "zeros")
}
_FUNCTIONS.update({
    getattr(np, name): _method(name)
    for name in ("astype", "copy", "put", "ravel", "reshape", "squeeze", "swapaxes", "transpose",
                 "moveaxis")
    if hasattr(np, name)
})
_FUNCTIONS.update({
    np.around: reductions.round, np.amin: reductions.min, np.amax: reductions.max,
    np.shape: lambda a: a.shape,
    np.real: lambda val: val.real, np.imag: lambda val: val.imag,
    np.angle: lambda z, deg=False: apply(np.arctan2, (z.imag, z.real))*(180/np.pi if deg else 1),
    np.ndim: lambda a: a.ndim, np.size: lambda a, axis=None: a.size if axis is None else a.shape[axis],
    np.array_repr: repr, np.array_str: str,
    np.linalg.norm: curves.norm,
})
_FUNCTIONS.update({  # others of linalg's
    getattr(np.linalg, name): f
    for name, f in (
        ("cross", curves.cross), ("diagonal", lambda x, *, offset=0: products.diagonal(x, offset, -2, -1)),
        ("matmul", products.matmul), ("matrix_norm", curves.matrix_norm),
        ("matrix_transpose", lambda x: x.mT), ("outer", shapes.outer),
        ("tensordot", lambda x1, x2, *, axes=2: products.tensordot(x1, x2, axes)),
        ("trace", lambda x, *, offset=0, dtype=None: products.trace(x, offset, -2, -1, dtype)),
        ("vecdot", lambda x1, x2, *, axis=-1: products.vecdot(x1, x2, axis=axis)),
        ("vector_norm", curves.vector_norm))
    if hasattr(np.linalg, name)
})


def _on_host(f: Callable[..., Any]) -> Callable[..., Any]:
    """What writes elements out, of copies on the host."""
    def called(*args: Any, **kwargs: Any) -> Any:
        return f(*map(_as_numpy, args), **{k: _as_numpy(x) for k, x in kwargs.items()})
    return called


def _as_numpy(x: Any) -> Any:
    return x.numpy() if isinstance(x, _cpl.Array) else x


def _types_of(f: Callable[..., Any]) -> Callable[..., Any]:
    """What asks for the types of arrays alone."""
    return lambda *args, **kwargs: f(*[
        np.empty((0,)*x.ndim, x.dtype) if isinstance(x, _cpl.Array) else x for x in args], **kwargs)


def _shares(a: Any, b: Any, max_work: int | None = None) -> bool:
    """Arrays in different places share none."""
    if isinstance(a, _cpl.Array) and isinstance(b, _cpl.Array) and a.place != b.place:
        return False
    if any(isinstance(x, _cpl.Array) and x.place != "host" for x in (a, b)):
        raise unsupported("numpy.shares_memory of arrays on devices")
    return np.shares_memory(_as_numpy(a), _as_numpy(b))


_FUNCTIONS.update({f: _on_host(f) for f in (np.save, np.savetxt, np.savez, np.savez_compressed,
                                            np.array2string)})
_FUNCTIONS.update({f: _types_of(f) for f in (np.result_type, np.can_cast, np.common_type,
                                             np.min_scalar_type, np.iscomplexobj, np.isrealobj)})
_FUNCTIONS.update({np.shares_memory: _shares, np.may_share_memory: _shares})
if hasattr(np, "trapz"):
    _FUNCTIONS[np.trapz] = reductions.trapezoid

_cpl.operators(_resolve, _apply, indexing.get, indexing.put, creation.assign)

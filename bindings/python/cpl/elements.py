"""NumPy's functions of elements as expressions of kernels.

Which types go in, and what comes out, is what NumPy says for each ufunc; the expression converts to
those types, so that one loop does all.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cpl import _cpl
from cpl.places import beside, beside_which, is_host
from cpl.settings import config

if TYPE_CHECKING:
    from cpl.arrays import ndarray

DType = np.dtype[Any]
_Expression = str | Callable[[DType], str]

# --- what each is called, of a and b; a function is given the type that the loop has ---


def _both(of_bools: str, of_numbers: str) -> _Expression:
    return lambda t: of_bools if t.kind == "b" else of_numbers


def _floats(of_floats: str, of_others: str) -> _Expression:
    return lambda t: of_floats if t.kind == "f" else of_others


def _signed(of_signed: str, of_others: str) -> _Expression:
    return lambda t: of_signed if t.kind in "if" else of_others


def _shift(name: str) -> _Expression:
    return lambda t: f'{name}(a, b, cast({8*t.itemsize}, "{t.name}"))'


def _next(of_floats: str, of_halves: str) -> _Expression:
    """Of the floats beside one, which there is a builtin for, but not of halves."""
    return lambda t: of_halves if t.itemsize == 2 else of_floats


def _of_word(name: str) -> _Expression:
    """A function of a float, its bits, its digits behind the point, and the greatest exponent."""
    def said(t: DType) -> str:
        if t.itemsize == 8:
            return f'{name}(a, bits(a, "uint64"), 52, 2047)'
        return f'{name}(cast(a, "float32"), bits(cast(a, "float32"), "uint32"), 23, 255)'
    return said


EXPRESSIONS: dict[str, _Expression] = {
    "add": _both("a | b", "a + b"),
    "subtract": "a - b",
    "multiply": _both("a & b", "a*b"),
    "divide": "a/b",
    "floor_divide": _floats("floor_divide(a, b)", "a // b"),
    "remainder": _floats("floor_remainder(a, b)", "a % b"),
    "fmod": lambda t: {"f": "fmod(a, b)", "i": "whole_fmod(a, b)"}.get(t.kind, "a % b"),
    "power": _floats("a**b", "whole_power(a, b)"),
    "negative": "-a",
    "positive": "a",
    "absolute": _signed("abs(a)", "a"),
    "fabs": "fabs(a)",
    "sign": "sign(a)",
    "square": "a*a",
    "reciprocal": lambda t: {"f": "1/a", "u": "a if a == 1 else a - a"}.get(
        t.kind, "a if a == 1 or a == -1 else a - a"),
    "maximum": _floats("a if a >= b or a != a else b", "max(a, b)"),
    "minimum": _floats("a if a <= b or a != a else b", "min(a, b)"),
    "fmax": _floats("a if a >= b or b != b else b", "max(a, b)"),
    "fmin": _floats("a if a <= b or b != b else b", "min(a, b)"),
    "equal": "a == b",
    "not_equal": "a != b",
    "less": "a < b",
    "less_equal": "a <= b",
    "greater": "a > b",
    "greater_equal": "a >= b",
    "logical_and": "(a != 0) & (b != 0)",
    "logical_or": "(a != 0) | (b != 0)",
    "logical_xor": "(a != 0) != (b != 0)",
    "logical_not": "a == 0",
    "bitwise_and": "a & b",
    "bitwise_or": "a | b",
    "bitwise_xor": "a ^ b",
    "invert": _both("a == 0", "~a"),
    "left_shift": _shift("left"),
    "right_shift": _shift("right"),
    "isnan": "a != a",
    "isinf": _floats("(a == a) & (a - a != a - a)", "a != a"),
    "isfinite": _floats("a - a == a - a", "a == a"),
    "signbit": "copysign(1.0, a) < 0",
    "arctan2": "atan2(a, b)",
    "logaddexp": "logaddexp(a, b)",
    "heaviside": "heaviside(a, b)",
    "deg2rad": "radians(a)",
    "rad2deg": "degrees(a)",
    "gcd": "gcd(a, b)",
    "lcm": "lcm(a, b)",
    "ldexp": "scaled(a, b)",
    "logaddexp2": "logaddexp2(a, b)",
    "float_power": "a**b",
    "bitwise_count": "ones_of(a)",
    "nextafter": _next("nextafter(a, b)", "next_half(a, b)"),
    "spacing": _next("nextafter(a, copysign(INFINITY, a) if a != 0 else INFINITY) - a",
                     "next_half(a, INFINITY) - a if a - a == 0 else NAN"),
}
if not hasattr(np, "bitwise_count"):  # before NumPy 2
    del EXPRESSIONS["bitwise_count"]

# Those of ufuncs with several results.
PARTS: dict[str, tuple[_Expression, ...]] = {
    "divmod": (EXPRESSIONS["floor_divide"], EXPRESSIONS["remainder"]),
    "modf": ("behind_point(a)", "trunc(a)"),
    "frexp": (_of_word("mantissa"), _of_word("exponent")),
}
for _name in ("hypot", "copysign"):
    EXPRESSIONS[_name] = f"{_name}(a, b)"
for _name in ("sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos",
              "tan", "sinh", "cosh", "tanh", "rint", "degrees", "radians"):
    EXPRESSIONS[_name] = f"{_name}(a)"
for _name in ("floor", "ceil", "trunc"):
    EXPRESSIONS[_name] = _floats(f"{_name}(a)", "a")
for _name in ("sin", "cos", "tan", "sinh", "cosh", "tanh"):
    EXPRESSIONS[f"arc{_name}"] = f"a{_name}(a)"

# The same of complex numbers, which have no more.
COMPLEX = {
    name: EXPRESSIONS[name] for name in (
        "subtract", "divide", "negative", "positive", "equal", "not_equal", "logical_and",
        "logical_or", "logical_xor", "logical_not", "sqrt", "exp", "log", "log10", "sin", "cos",
        "tan", "sinh", "cosh", "tanh")
}
COMPLEX.update(add="a + b", multiply="a*b", power="a**b", float_power="a**b", square="a*a", reciprocal="1/a",
               absolute="abs(a)", conjugate="a.conjugate()", isnan="isnan(a)", isinf="isinf(a)",
               isfinite="isfinite(a)")
EXPRESSIONS["conjugate"] = "a"

# Those of operators of the class in C, in its order; then others that it makes nodes of.
OPERATORS: tuple[Any, ...] = (
    np.add, np.subtract, np.multiply, np.true_divide, np.floor_divide, np.remainder,
    np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.left_shift, np.right_shift,
    np.less, np.less_equal, np.equal, np.not_equal, np.greater, np.greater_equal,
    np.negative, np.positive, np.absolute, np.invert,
    np.power, np.square, np.sqrt, np.reciprocal,
    np.where,
)
OPERATORS += tuple({
    f: None for f in map(functools.partial(getattr, np), EXPRESSIONS)
    if f not in OPERATORS and f.nout == 1 and not f.signature
})
WHICH: dict[Any, int] = {f: which for which, f in enumerate(OPERATORS)}

_COMPARISONS = frozenset(("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"))


def unsupported(what: str) -> TypeError:
    """For what has no counterpart here."""
    return TypeError(f"{what} is not there for arrays of cpl; numpy.asarray(x) has their elements")


# --- operands ---


def _is_weak(t: Any) -> bool:
    """Whether it is a class of Python's numbers, whose type counts less than an array's."""
    return t is int or t is float or t is complex


Operand = Any  # an array, a number of NumPy's or of Python's, or an array of NumPy's on the host


def _native(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy as kernels take it: aligned, and of the processor's byte order."""
    return np.array(x, x.dtype.newbyteorder("="))


def _laid(x: Any, arrays: tuple[Any, ...]) -> ndarray:
    """A list's elements, beside the arrays."""
    there = np.asarray(x)
    if not is_number(there.dtype):
        raise unsupported(f"a list of {there.dtype}")
    made = beside(arrays, there.shape, there.dtype)
    made._write(there)
    return made


def _moved(x: np.ndarray[Any, Any], arrays: tuple[Any, ...]) -> ndarray:
    """What an array of NumPy's holds now, beside the arrays, with the setting `automatic`."""
    if not config.automatic:
        raise TypeError("an array of NumPy's beside one that is on a device; "
                        "cpl.asarray(x, device=...) moves it there, and all of them "
                        "cpl.config.automatic = 1")
    made = beside(arrays, x.shape, x.dtype.newbyteorder("="))
    _cpl.copy(made, _cpl.wrap(x if x.flags.aligned and x.dtype.isnative else _native(x)))
    return made


def _operand(x: Any, values: tuple[Any, ...], on_host: bool) -> Operand:
    if isinstance(x, (_cpl.Array, np.generic, int, float, complex)):
        return np.bool_(x) if isinstance(x, bool) else x
    if isinstance(x, np.ndarray):
        if x.ndim == 0:
            return x[()]
        if on_host:
            return x if x.flags.aligned and x.dtype.isnative else _native(x)
        return _moved(x, values)
    raise TypeError(f"an object of type {type(x).__name__}; cpl.array() makes arrays")


def operands(values: tuple[Any, ...]) -> list[Operand]:
    on_host = True
    if any(isinstance(x, np.ndarray) for x in values):
        on_host = all(is_host(x) for x in values if isinstance(x, _cpl.Array))
    return [_operand(_laid(x, values) if isinstance(x, (list, tuple)) else x, values, on_host)
            for x in values]


def type_of(x: Operand) -> Any:
    """A dtype; of Python's numbers, which are weak, their class."""
    return x.dtype if hasattr(x, "dtype") else type(x)


def number(x: Operand, dtype: DType) -> Any:
    """A number as one of a type; arrays stay."""
    if isinstance(x, (_cpl.Array, np.ndarray)):
        return x
    return x.astype(dtype) if isinstance(x, np.generic) else dtype.type(x)


def is_number(t: DType) -> bool:
    return t.itemsize <= {"c": 16}.get(t.kind, 8) and t.kind in "biufc"


def has_complex(types: Sequence[DType]) -> bool:
    return any(t.kind == "c" for t in types)


@functools.lru_cache(maxsize=4096)
def _loop(
    ufunc: np.ufunc, types: tuple[Any, ...], wanted: tuple[DType | None, ...] | None = None,
    casting: Any = "same_kind",
) -> tuple[DType, ...]:
    """The types of operands and results; `wanted` are some of these."""
    more: Any = {"signature": wanted, "casting": casting} if wanted else {}
    found: tuple[DType, ...] = ufunc.resolve_dtypes((*types, *(None,)*ufunc.nout), **more)
    if not all(map(is_number, found)) or (ufunc.__name__ not in COMPLEX and has_complex(found)):
        raise unsupported(f"numpy.{ufunc.__name__} of {', '.join(map(str, types))}")
    return found


def converted(text: str, have: Any, want: DType) -> str:
    """The expression of a value of one type as one of another."""
    if have == want:
        return text
    if getattr(have, "kind", "") == "c" and want.kind in "iuf":
        text = f"{text}.real"
    return f"({text} != 0)" if want.kind == "b" else f'cast({text}, "{want.name}")'


def _said(name: str, loop: tuple[DType, ...], part: int) -> str:
    of = PARTS[name][part] if name in PARTS else (COMPLEX if has_complex(loop) else EXPRESSIONS)[name]
    return of if isinstance(of, str) else of(loop[0])


@functools.lru_cache(maxsize=4096)
def _text(
    name: str, types: tuple[Any, ...], loop: tuple[DType, ...], out: DType, part: int = 0
) -> str:
    """The operation of a call: operands as the loop has them, its result as `out` has it."""
    have = dict(zip("ab", zip(types, loop)))
    body = re.sub(r"\b[ab]\b", lambda m: converted(m[0], *have[m[0]]), _said(name, loop, part))
    own = loop[len(types) + part]
    result = f"({body})" if own.kind == "b" else f'cast({body}, "{own.name}")'
    return converted(result, own, out)


# --- calls ---


def compute(text: str, out: ndarray, values: tuple[Any, ...]) -> ndarray:
    """out = the operation of the values, element by element."""
    _cpl.compute(_cpl.operation(text, values, out.shape), out)
    return out


def result(text: str, values: list[Operand], shape: tuple[int, ...], dtype: DType) -> ndarray:
    """The operation of the values, in a new array, which is computed when it is needed."""
    first = beside_which(values)
    if first is None or any(isinstance(x, np.ndarray) for x in values):  # which NumPy may write
        return compute(text, beside(values, shape, dtype), tuple(values))
    return _cpl.defer(text, tuple(values), shape, dtype, first)


def shape_of(values: Sequence[Operand]) -> tuple[int, ...]:
    shapes = {x.shape for x in values if hasattr(x, "shape")}
    shapes.discard(())
    return np.broadcast_shapes(*shapes) if len(shapes) != 1 else shapes.pop()


def _check_shape(out: tuple[int, ...], shape: tuple[int, ...], spreads: bool) -> None:
    if out != shape and not (spreads and _fits(shape, out)):
        raise ValueError(f"results have the shape {shape}, and the array for them has {out}")


def _fits(shape: tuple[int, ...], into: tuple[int, ...]) -> bool:
    """Whether such an array can be repeated along dimensions to have another shape."""
    return len(shape) <= len(into) and all(n in (1, m) for n, m in zip(shape[::-1], into[::-1]))


def _target(
    out: Any, shape: tuple[int, ...], dtype: DType, values: list[Operand], spreads: bool = False,
    casting: Any = "same_kind",
) -> ndarray:
    """The array for results: the one that is given, or a new one."""
    if out is None:
        return beside(values, shape, dtype)
    if not isinstance(out, _cpl.Array):
        raise TypeError(f"out= takes a cpl.ndarray, not {type(out).__name__}")
    _check_shape(out.shape, shape, spreads)
    if not np.can_cast(dtype, out.dtype, casting):
        raise TypeError(f"results are {dtype}, which NumPy does not make {out.dtype} of: "
                        f"casting={casting!r}")
    return out  # type: ignore[return-value]


def _to_numpy(out: np.ndarray[Any, Any], made: ndarray, casting: Any = "same_kind") -> ndarray:
    """Results in an array of NumPy's, behind all that reads its memory."""
    values = np.asarray(made)
    _cpl.settle(out)
    _check_shape(out.shape, values.shape, True)
    np.copyto(out, values, casting=casting)
    return out  # type: ignore[return-value]


def _check_powers(values: list[Operand]) -> None:
    negative: Any = values[1] < 0
    if 0 not in np.shape(values[0]) and np.any(negative):
        raise ValueError("Integers to negative integer powers are not allowed.")


def _whole(value: int, dtype: DType) -> np.generic:
    """An integer that is compared: of any size, and not the array's type."""
    for wide in (dtype, np.dtype(np.int64), np.dtype(np.uint64)):
        if np.iinfo(wide).min <= value <= np.iinfo(wide).max:
            made: np.generic = wide.type(value)
            return made
    return np.float64(np.inf if value > 0 else -np.inf)


def _numbers(name: str, values: list[Operand], loop: tuple[DType, ...]) -> list[Operand]:
    types = (*loop[:-1], *(x.dtype for x in values if hasattr(x, "dtype")))
    if name in _COMPARISONS and all(t.kind in "iu" for t in types):
        return [_whole(x, t) if isinstance(x, int) else x for x, t in zip(values, loop)]
    return [number(x, t) for x, t in zip(values, loop)]


def _loop_of(name: str, types: tuple[DType, ...], loop: tuple[DType, ...]) -> tuple[DType, ...]:
    """Kernels compare integers of any two types as numbers."""
    alike = name in _COMPARISONS and all(t.kind in "iu" for t in types)
    return (*types, loop[-1]) if alike else loop


def resolve(ufunc: np.ufunc, types: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """What a ufunc does with operands of such types, those of numbers as classes: the operation,
    the result's type, and the types that operands have in it. None where that depends on values."""
    name = ufunc.__name__
    known: tuple[Any, ...] = tuple(t if _is_weak(t) else np.dtype(t) for t in types)
    loop = _loop(ufunc, known)
    whole = name in _COMPARISONS and all(t.kind in "iu" for t in loop[:-1])
    if (name == "power" and loop[0].kind == "i") or (whole and any(t is int for t in known)):
        return None
    taken = tuple(k if whole or isinstance(t, np.dtype) else like
                  for t, k, like in zip(types, known, loop))
    loop = _loop_of(name, taken, loop)
    return _text(name, taken, loop, loop[-1]), loop[-1], taken


def resolve_where(types: tuple[Any, ...]) -> tuple[str, DType, tuple[DType, ...]]:
    """The same of where(), given the types of what it chooses from."""
    kind = np.result_type(*[t() if _is_weak(t) else np.dtype(t) for t in types])
    b, c = (converted(name, t if isinstance(t, np.dtype) else kind, kind)
            for name, t in zip("bc", types))
    return f"{b} if a else {c}", kind, (kind, kind, kind)


def choose(condition: Any, x: Any, y: Any) -> ndarray:
    """x where a condition holds, else y."""
    made = _cpl.operate(WHICH[np.where], (condition, x, y))
    if made is not None:
        return made
    values = operands((condition, x, y))
    text, kind, _ = resolve_where(tuple([
        v.dtype if isinstance(v, (_cpl.Array, np.ndarray)) else type(v) for v in values[1:]]))
    values[1:] = [number(v, kind) for v in values[1:]]
    return result(text, values, shape_of(values), kind)


def _prepared(
    ufunc: np.ufunc, inputs: tuple[Any, ...], wanted: tuple[DType | None, ...] | None, casting: Any
) -> tuple[list[Operand], tuple[DType, ...], tuple[DType, ...]]:
    """The operands, their types, and those that they and results have in the loop."""
    name = ufunc.__name__
    if (name not in EXPRESSIONS and name not in PARTS) or ufunc.signature:
        raise unsupported(f"numpy.{name}")
    values = operands(inputs)
    loop = _loop(ufunc, tuple(map(type_of, values)), wanted, casting)
    if name == "power" and loop[0].kind == "i":
        _check_powers(values)
    values = _numbers(name, values, loop)
    types = tuple(x.dtype for x in values)
    return values, types, _loop_of(name, types, loop)


def _stored(made: ndarray, out: Any, casting: Any) -> ndarray:
    """A result that waits, in the array for it."""
    if out is None:
        return made
    if isinstance(out, np.ndarray):
        return _to_numpy(out, made, casting)
    to = _target(out, made.shape, made.dtype, [made], True, casting)
    if to.dtype == made.dtype:
        to[...] = made
        return to
    return cast(made, to)


def stored(made: ndarray, out: Any, casting: Any = "same_kind") -> ndarray:
    """A result that is there, or `out`, of the same shape, which takes it."""
    if hasattr(out, "shape"):
        _check_shape(out.shape, made.shape, False)
    return _stored(made, out, casting)


def _where(made: ndarray, condition: Any, out: Any, casting: Any) -> ndarray:
    """What an array for results becomes: a result where a condition holds, elsewhere what it has;
    without one 0."""
    shape = np.broadcast_shapes(np.shape(condition), made.shape)
    if out is None:
        zero = made.dtype.type(0)
        return result("b if a else c", [condition, made, zero], shape, made.dtype)
    if not isinstance(out, np.ndarray):
        _target(out, shape, made.dtype, [made], True, casting)
    return choose(condition, made.astype(out.dtype, casting=casting, copy=False), out)


def _condition(where: Any) -> Any:
    """Of bools, as NumPy has it."""
    (condition,) = operands((where,))
    if not isinstance(condition, np.bool_) and condition.dtype != np.bool_:
        raise TypeError(f"Cannot cast array data from {condition.dtype!r} to dtype('bool') "
                        "according to the rule 'safe'")
    return condition


def apply_all(
    ufunc: np.ufunc, inputs: tuple[Any, ...], outs: tuple[Any, ...], where: Any = True,
    wanted: tuple[DType | None, ...] | None = None, casting: Any = "same_kind",
) -> tuple[ndarray, ...]:
    """The results of a ufunc, all of which wait before one is stored."""
    values, types, loop = _prepared(ufunc, inputs, wanted, casting)
    shape = shape_of(values)
    made = [result(_text(ufunc.__name__, types, loop, own, part), values, shape, own)
            for part, own in enumerate(loop[len(types):])]
    if where is not True:
        condition = _condition(where)
        made = [_where(made.pop(0), condition, out, casting) for out in outs]
    return tuple([_stored(made.pop(0), out, casting) for out in outs])


def apply(ufunc: np.ufunc, inputs: tuple[Any, ...], out: Any = None, dtype: Any = None) -> ndarray:
    """A ufunc's only result: a new array, or `out`."""
    if ufunc.nout != 1:
        raise unsupported(f"one result of numpy.{ufunc.__name__}")
    wanted = (None,)*ufunc.nin + (np.dtype(dtype),) if dtype else None
    if out is None or isinstance(out, np.ndarray):
        return apply_all(ufunc, inputs, (out,), True, wanted)[0]
    values, types, loop = _prepared(ufunc, inputs, wanted, "same_kind")
    to = _target(out, shape_of(values), loop[-1], values, True)
    return compute(_text(ufunc.__name__, types, loop, to.dtype), to, tuple(values))


def cast(x: ndarray, out: ndarray) -> ndarray:
    """Elements converted to the type of out, in whose shape they are laid."""
    if x.dtype.names is not None or out.dtype.names is not None:
        if x.dtype != out.dtype:
            raise unsupported(f"a conversion of {x.dtype} to {out.dtype}")
        return compute("a", out, (x,))
    return compute(converted('a', x.dtype, out.dtype), out, (x,))

# Integers of 8 to 64 bits in plain Python, as docs/language.md has them: what programs at random are compared with.

import builtins

import numpy as np

TYPES = [f"{sign}int{bits}" for bits in (8, 16, 32, 64) for sign in ("", "u")]


def parts(name):
    return name.startswith("int"), int(name.lstrip("uint"))


def wrapped(value, name):
    signed, bits = parts(name)
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def holds(name, value):
    return wrapped(value, name) == value


def wide(name):
    """What operators compute a type in."""
    return name if parts(name)[1] >= 32 else "int32"


def join(a, b):
    if a == b:
        return a
    if parts(a)[0] != parts(b)[0]:
        signed, unsigned = sorted((a, b), key=lambda t: t.startswith("u"))
        if parts(unsigned)[1] < 32:
            return max("int32", signed, key=lambda t: parts(t)[1])
        return "uint64" if unsigned == "uint64" else "int64"
    return max("int32", a, b, key=lambda t: parts(t)[1] + t.startswith("u"))


def literal_type(value):
    return next(t for t in ("int32", "int64", "uint64") if holds(t, value))


def pair(a, b):
    """The type of two operands; a literal, an int of Python, takes the other's where it fits."""
    if not isinstance(b, Int):
        name = wide(a.name)
        return name if holds(name, b) else join(name, literal_type(b))
    return join(a.name, b.name)


def operator(compute):
    def forward(a, b):
        if isinstance(b, (float, np.floating)):
            return NotImplemented
        name = wide(pair(a, b))
        return Int(compute(wrapped(a.value, name), wrapped(builtins.int(b), name), name), name)

    def backward(a, b):
        name = wide(pair(a, b))
        return Int(compute(wrapped(builtins.int(b), name), wrapped(a.value, name), name), name)

    return forward, backward


def truncated(a, b):
    return (abs(a)//abs(b))*(1 if (a < 0) == (b < 0) else -1) if b else 0


class Int:
    """A number of a type; with int of Python, which stands for a literal, it computes as kernels do."""

    def __init__(self, value, name):
        self.value, self.name = wrapped(value, name), name

    __add__, __radd__ = operator(lambda a, b, t: a + b)
    __sub__, __rsub__ = operator(lambda a, b, t: a - b)
    __mul__, __rmul__ = operator(lambda a, b, t: a * b)
    __floordiv__, __rfloordiv__ = operator(lambda a, b, t: a // b if b else 0)
    __mod__, __rmod__ = operator(lambda a, b, t: a % b if b else 0)
    __truediv__, __rtruediv__ = operator(lambda a, b, t: truncated(a, b))
    __and__, __rand__ = operator(lambda a, b, t: a & b)
    __or__, __ror__ = operator(lambda a, b, t: a | b)
    __xor__, __rxor__ = operator(lambda a, b, t: a ^ b)
    __lshift__, __rlshift__ = operator(lambda a, b, t: a << (b & (parts(t)[1] - 1)))
    __rshift__, __rrshift__ = operator(lambda a, b, t: a >> (b & (parts(t)[1] - 1)))

    def __pow__(self, n):
        return Int(self.value**n, wide(self.name))

    def __neg__(self):
        return Int(-self.value, wide(self.name))

    def __invert__(self):
        return Int(~self.value, wide(self.name))

    def __abs__(self):
        return Int(abs(self.value), self.name)

    def __int__(self):
        return self.value

    __index__ = __trunc__ = __int__

    def __float__(self):
        return float(self.value)

    def __bool__(self):
        return self.value != 0

    def __lt__(self, b):
        return self.value < b

    def __le__(self, b):
        return self.value <= b

    def __gt__(self, b):
        return self.value > b

    def __ge__(self, b):
        return self.value >= b

    def __eq__(self, b):
        return self.value == b

    def __ne__(self, b):
        return self.value != b

    __hash__ = None


def converted(value, name):
    """T(value): integers wrap, floats are cut off and saturate."""
    if isinstance(value, (float, np.floating)):
        signed, bits = parts(name)
        if value != value:
            return Int(0, name)
        least, most = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
        return Int(most if value >= most else least if value <= least else builtins.int(value), name)
    return Int(builtins.int(value), name)


class Type:
    """np.int8 and its kin, as a function and as a dtype."""

    def __init__(self, name):
        self.name, self.dtype = name, np.dtype(name)

    def __call__(self, value):
        return converted(value, self.name)


class Elements:
    """An array of one dimension whose elements are of a type."""

    def __init__(self, values):
        self.values, self.name = values, values.dtype.name

    def __getitem__(self, i):
        return Int(builtins.int(self.values[i]), self.name)

    def __setitem__(self, i, value):
        self.values[i] = converted(value, self.name).value

    def __len__(self):
        return len(self.values)


def chosen(better, a, b):
    if not isinstance(a, Int) and not isinstance(b, Int):
        return b if better(b, a) else a
    name = pair(*((a, b) if isinstance(a, Int) else (b, a)))
    return Int(builtins.int(b if better(b, a) else a), name)


def least(a, *more):
    return chosen(lambda p, q: p < q, a, *more) if more else builtins.min(a)


def greatest(a, *more):
    return chosen(lambda p, q: p > q, a, *more) if more else builtins.max(a)


class NumPy:
    """NumPy, with the integers of this file."""

    def minimum(self, a, b):
        return least(a, b) if isinstance(a, Int) else np.minimum(a, b)

    def maximum(self, a, b):
        return greatest(a, b) if isinstance(a, Int) else np.maximum(a, b)

    def __getattr__(self, name):
        return Type(name) if name in TYPES else getattr(np, name)


def to_int(value):
    return Int(value.value, "int64").value if isinstance(value, Int) else builtins.int(value)


NAMES = {"np": NumPy(), "min": least, "max": greatest, "int": to_int, "float": lambda x: np.float64(float(x)), "round": lambda x: np.float64(round(x)),
         "complex": lambda *parts: np.complex128(complex(*parts))}

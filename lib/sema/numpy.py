"""What NumPy's functions of single elements are that the language has no name of its own for, under
NumPy's names. Types of results are those of the language's operators, which are NumPy's but that
narrow integers are computed as int32; NaN goes where NumPy sends it."""


def add(a, b):
    return a + b


def subtract(a, b):
    return a - b


def multiply(a, b):
    return a*b


def divide(a, b):
    return 1.0*a/b


def true_divide(a, b):
    return 1.0*a/b


def floor_divide(a, b):
    return a//b


def mod(a, b):
    return a % b


def remainder(a, b):
    return a % b


def negative(a):
    return -a


def positive(a):
    return +a


def square(a):
    return a*a


def reciprocal(a):
    return 1/a


def sign(a):
    s = a
    if a > 0:
        s = 1
    elif a < 0:
        s = 1
        s = -s
    elif a == 0:
        s = 0
    return s


def heaviside(a, at_zero):
    if a == 0:
        return at_zero
    if a > 0:
        return 1.0
    return 0.0*a if a != a else 0.0


def clip(a, low, high):
    return low if a < low else high if a > high else a


def where(condition, a, b):
    return a if condition else b


def round(a, decimals=0):
    """Halves to even, of the product with a power of ten."""
    y = rint(a)
    if decimals != 0:
        scale = 1.0 if decimals else y  # of y's type
        for k in range(abs(decimals)):
            scale *= 10
        if decimals > 0:
            y = a if isinf(a*scale) else rint(a*scale)/scale
        else:
            y = rint(a/scale)*scale
    return y


def _round(number, ndigits):
    """Python's, with digits."""
    return round(number, ndigits)


def around(a, decimals=0):
    return round(a, decimals)


def logaddexp(a, b):
    if a == b:
        return a + 0.6931471805599453
    return max(a, b) + log1p(exp(-abs(a - b)))


def logaddexp2(a, b):
    if a == b:
        return a + 1.0
    return max(a, b) + log1p(exp2(-abs(a - b)))*1.4426950408889634


def signbit(a):
    return copysign(1.0, a) < 0


def logical_and(a, b):
    return a != 0 and b != 0


def logical_or(a, b):
    return a != 0 or b != 0


def logical_xor(a, b):
    return (a != 0) != (b != 0)


def logical_not(a):
    return not a


def bitwise_and(a, b):
    return a & b


def bitwise_or(a, b):
    return a | b


def bitwise_xor(a, b):
    return a ^ b


def invert(a):
    return ~a


def bitwise_not(a):
    return ~a


def left_shift(a, b):
    return a << b


def right_shift(a, b):
    return a >> b


def equal(a, b):
    return a == b


def not_equal(a, b):
    return a != b


def less(a, b):
    return a < b


def less_equal(a, b):
    return a <= b


def greater(a, b):
    return a > b


def greater_equal(a, b):
    return a >= b


def real(z):
    if isinstance(z, complex):
        return z.real
    return z


def imag(z):
    if isinstance(z, complex):
        return z.imag
    return 0*z


def conj(z):
    if isinstance(z, complex):
        return z.conjugate()
    return z


def conjugate(z):
    if isinstance(z, complex):
        return z.conjugate()
    return z


def angle(z):
    if isinstance(z, complex):
        return atan2(z.imag, z.real)
    return atan2(0.0*z, 1.0*z)


def gcd(a, b):
    while b | 0:  # of floats an error
        a, b = b, a % b
    return abs(a | 0)


def lcm(a, b):
    return abs(a//gcd(a, b)*b)


def divmod(a, b):
    return a//b, a % b

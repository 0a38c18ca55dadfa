"""What NumPy's functions of elements mean where no operator of kernels means just that: functions
that kernels call, compiled for the types that come.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from math import copysign, exp, exp2, floor, fmod, ldexp, log1p, trunc

from cpl.lang import bits, cast


def left(a, count, bits):
    return a << count if 0 <= count < bits else 0


def right(a, count, bits):
    if 0 <= count < bits:
        return a >> count
    return -1 if a < 0 else 0


def whole_power(a, b):
    r = a - a + 1
    while b > 0:
        if b & 1:
            r = r*a
        a = a*a
        b = b >> 1
    return r


def whole_fmod(a, b):
    r = a % b
    if r != 0 and (a < 0) != (b < 0):
        r = r - b
    return r


def sign(a):
    return a if a != a else (a > 0) - (a < 0)


def floor_remainder(a, b):
    r = fmod(a, b)
    if b == 0:
        return r
    if r == 0:
        return copysign(r, b)
    return r + b if (b < 0) != (r < 0) else r


def floor_divide(a, b):
    if b == 0:
        return a / b
    r = fmod(a, b)
    q = (a - r) / b
    if r != 0 and (b < 0) != (r < 0):
        q = q - 1
    if q == 0:
        return copysign(q, a / b)
    whole = floor(q)
    return whole + 1 if q - whole > 0.5 else whole


def logaddexp(a, b):
    if a == b:
        return a + 0.6931471805599453
    d = a - b
    return a + log1p(exp(-d)) if d > 0 else b + log1p(exp(d))


def heaviside(a, b):
    if a == 0:
        return b
    return a if a != a else 1.0 if a > 0 else 0.0


def logaddexp2(a, b):
    if a == b:
        return a + 1.0
    d = a - b
    return a + log1p(exp2(-d))*1.4426950408889634 if d > 0 else b + log1p(exp2(d))*1.4426950408889634


def gcd(a, b):
    a = -a if a < 0 else a
    b = -b if b < 0 else b
    while b != 0:
        r = a % b
        a = b
        b = r
    return a


def lcm(a, b):
    a = -a if a < 0 else a
    b = -b if b < 0 else b
    divisor = gcd(a, b)
    return a // divisor*b if divisor != 0 else a


def scaled(a, n):
    return ldexp(a, 10000 if n > 10000 else -10000 if n < -10000 else n)


def ones_of(a):
    rest = -a if a < 0 else a
    count = 0
    while rest != 0:
        rest = rest & (rest - 1)
        count = count + 1
    return count


def next_half(a, b):
    if a != a or b != b:
        return a + b
    if a == b:
        return a
    if a == 0:
        return copysign(5.9604644775390625e-08, b)
    word = bits(cast(a, "float16"), "int16")
    return cast(bits(cast(word + 1 if (a > 0) == (b > a) else word - 1, "int16"), "float16"), "float32")


def behind_point(a):
    if a != a:
        return a
    return copysign(a - trunc(a) if a - a == 0 else 0*1.0, a)


def exponent(a, word, digits, most):
    if a == 0 or a - a != 0:
        return 0
    e = cast((word >> digits) & most, "int32")
    if e != 0:
        return e - (most >> 1) + 1
    rest = word & ((cast(1, "uint64") << digits) - 1)
    e = 2 - (most >> 1)
    while rest >> digits == 0:
        rest = rest << 1
        e = e - 1
    return e


def mantissa(a, word, digits, most):
    return a if a == 0 or a - a != 0 else ldexp(a, -exponent(a, word, digits, most))

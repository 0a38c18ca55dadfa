"""What NumPy's functions of elements mean where no operator of kernels means just that: functions
that kernels call, compiled for the types that come.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from math import copysign, exp, floor, fmod, log1p


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

# A function that ends without a return gives zeros of what it returns elsewhere.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t

from compyle.api import struct


@struct
class Pair:
    a: 'long'
    b: 'double'


def pair(v):
    if v > 1:
        return Pair(3, v)


def turned(v):
    if v > 1:
        return 1j*v


def lanes(v):
    for k in range(2):
        if v > 1:
            return float4(v)


def both(v):
    while v > 1:
        return v, 2


def number(v):
    if v > 1:
        return v


def all_of_them(i, x, r):
    p = pair(x[i])
    a, b = both(x[i])
    r[i] = p.a + p.b + 10*turned(x[i]).imag + 100*lanes(x[i]).w + 1000*a + 10000*b + 100000*number(x[i])


def dropped(i, x):
    if x[i] > 1:
        return 1j
    x[i] = 5.0


def cases(case, np, rng):
    x = np.array([0.0, 1.0, 2.0, 3.5, -1.0])
    large = x > 1
    case("all_of_them", arrays={"x": x, "r": np.ones(5)}, expected={"r": np.where(large, 3 + x*101111 + 20000, 0)})
    case("dropped", arrays={"x": x}, expected={"x": np.where(large, x, 5)})

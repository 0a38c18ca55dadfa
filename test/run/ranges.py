# What no number can be less or more than, compared with less and more: of a NaN it is false.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from math import *


def squares(i, a, r):
    x = a[i]
    r[i] = (x*x > -1.0) + 2*(x*x >= 0.0) + 4*(-(x*x) < 1.0) + 8*(-(x*x) <= 0.0)


def sums(i, a, r):
    x = a[i]
    r[i] = (x*x + 1 > 0.0) + 2*(1 - x*x < 2.0) + 4*(abs(x) + x*x >= 0.0) + 8*(-1.0 < x*x)


def absolute(i, a, r):
    x = abs(a[i])
    r[i] = (x > -1.0) + 2*(x >= 0.0) + 4*(-x < 1.0) + 8*(x - 5 > -6.0) + 16*(1 - x < 2.0)


def waves(i, a, r):
    x, y = sin(a[i]), cos(a[i])
    r[i] = (x < 2.0) + 2*(x > -2.0) + 4*(y <= 1.5) + 8*(y >= -1.5) + 16*(x*x + y*y < 4.0)


def powers(i, a, r):
    x, y = exp2(a[i]), exp(a[i])
    r[i] = (x > -1.0) + 2*(y > -1.0) + 4*(x >= 0.0) + 8*(sqrt(a[i]) >= 0.0) + 16*(tanh(a[i]) < 2)


def larger(i, a, r):
    x = a[i]
    if x*x > -1.0:
        r[i] = 1
    while abs(r[i]) < 2 and x*x >= 0.0:
        r[i] += 1


def cases(case, np, rng):
    for t in ("float16", "float32", "float64"):
        a = np.array([np.nan, 1, 0, -2, np.nan, 3, np.nan, 0.5]*5, t)
        number = ~np.isnan(a)
        for name, most in ("squares", 15), ("sums", 15), ("absolute", 31), ("waves", 31), ("larger", 2):
            r = np.zeros(len(a), "int32")
            case(name, {"a": a, "r": r}, expected={"r": np.where(number, most, 0).astype("int32")})
        expect = 7 + 8*(a >= 0) + 16
        case("powers", {"a": a, "r": np.zeros(len(a), "int32")}, expected={"r": np.where(number, expect, 0).astype("int32")})

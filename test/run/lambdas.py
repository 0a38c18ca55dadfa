# Lambdas and functions as arguments of helpers, which are specialised for each; lambdas under a name of the file.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import math
from math import sqrt

HALF = 0.5
cube = lambda v: v*v*v
blend = lambda a, b: a*HALF + b*(1 - HALF)


def square(v):
    return v*v


def apply(g, v):
    return g(v)


def both(f, g, v):
    return apply(f, v)*10 + g(v)


def fold(op, x, n, start):
    s = start
    for k in range(n):
        s = op(s, x[k])
    return s


def root(g, low, high):
    for k in range(20):
        middle = blend(low, high)
        if g(middle) > 0:
            high = middle
        else:
            low = middle
    return low


def arguments(i, x, y):
    a = apply(square, x[i]) + apply(lambda v: v*v + 1, x[i])
    b = both(lambda v: v - 1, cube, a)
    c = both(cube, g=lambda v: v if v > 0 else -v, v=x[i])
    y[i] = a + b + c + apply(lambda v: apply(lambda w: w + 1, v)*2, x[i])


def folds(i, x, y):
    y[i] = fold(lambda a, b: a + b*b, x, len(x), 0.0) + fold(lambda a, b: a if a > b else b, x, len(x), x[0])*1000
    y[i] += fold(min, x, len(x), x[0])


def roots(i, x, y):
    y[i] = root(lambda v: v*v - 2, 0.0, 2.0) + apply(sqrt, x[i]*x[i]) + apply(math.floor, x[i]/2)


def pairs(i, x, y):
    a, b = apply(lambda v: (v, v + 1), x[i])
    y[i] = a*100 + b


def cases(case, np, rng):
    x = rng.integers(-5, 6, 20).astype("float64")
    for f in "arguments", "folds", "roots", "pairs":
        case(f, {"x": x, "y": np.zeros(20)}, expected=None)

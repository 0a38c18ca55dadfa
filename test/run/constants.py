# Module constants, math constants and weak literals.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import math
import numpy as np

G = 9.81
N = 3
BIG = 5000000000
FLAG = True
DERIVED = 2*N + 1


def use(i, x, y):
    y[i] = x[i]*G + N + math.pi - np.pi + M_PI - pi


def kinds(r):
    r[0] = N/2
    r[1] = DERIVED
    r[2] = BIG
    r[3] = FLAG + 1
    r[4] = -7//2
    r[5] = -7 % 3
    r[6] = 7/2.0
    r[7] = 0x7fffffff + 1
    r[8] = 2**10
    r[9] = 1e300 > 1


def weak(i, x, y):
    s = 0.0
    s += x[i]
    y[i] = 2.0*s + 1 + 0.1


def cases(case, np, rng):
    for t in ("float32", "float64"):
        x = rng.uniform(0, 5, 20).astype(t)
        c = lambda v: np.array(v, t)
        exact = ["--option", "precise=1"]
        case("use", {"x": x, "y": np.zeros(20, t)}, expected={"y": x*c(9.81) + c(3) + c(np.pi) - c(np.pi) + c(np.pi) - c(np.pi)}, options=exact)
        case("weak", {"x": x, "y": np.zeros(20, t)}, expected={"y": c(2)*x + c(1) + c(0.1)}, options=exact)
    case("kinds", {"r": np.zeros(10)}, form="function", expected={"r": np.array([1, 7, 5e9, 2, -4, 2, 3.5, 2**31, 1024, 1])})

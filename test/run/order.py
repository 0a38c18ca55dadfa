# Operands are evaluated from left to right, each once, though calls and atomics among them change what others read.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np


def bump(x, by):
    x[0] += by
    return x[0]


def sums(x, r):
    r[0] = x[0] + bump(x, 1)
    r[1] = bump(x, 1) + x[0]
    r[2] = x[0]*100 + bump(x, 1)*10 + x[0]
    r[3] = bump(x, bump(x, 1))
    r[4] = bump(x, 1) - bump(x, 1)
    r[5] = max(x[0], bump(x, 5), x[0] + 1)
    k = x[0]
    r[6] = k + bump(x, 1) + k
    r[bump(x, 0) % 3 + 7] = x[0]
    r[10] = (x[0] if bump(x, 1) > 0 else 0) + x[0]
    r[11] = -x[0] + (bump(x, 1) if x[0] > 0 else 5)


def compared(x, r):
    r[0] = x[0] < bump(x, 1)
    r[1] = x[0] == bump(x, 1) == x[0]
    r[2] = bump(x, 1) < x[0] + 1 < bump(x, 5)
    r[3] = x[0] and bump(x, 1) and x[0]
    r[4] = x[0] - 100 > 0 or bump(x, 1)


def last(r, k, v):
    r[k] = v
    return v


def arguments(x, r):
    last(r, bump(x, 1), x[0] + bump(x, 1))
    r[0] = last(r, x[0], bump(x, 3))


def indices(x, m, r):
    t = np.zeros((4, 5, 6))
    for i in range(120):
        t[i // 30, i // 6 % 5, i % 6] = i
    r[0] = t[x[0] % 4][bump(x, 1) % 5][x[0] % 6]
    r[1] = t[x[0] % 4, bump(x, 1) % 5, x[0] % 6]
    r[2] = t[x[0] % 4][x[0] % 5][bump(x, 1) % 6]
    r[3] = m[x[0] % 4, bump(x, 1) % 5]
    t[x[0] % 4][bump(x, 1) % 5][x[0] % 6] = bump(x, 0)
    t[x[0] % 4][bump(x, 1) % 5][bump(x, 3) % 6] += 100
    m[x[0] % 4, bump(x, 1) % 5] = 1
    for i in range(120):
        r[4 + i] = t[i // 30, i // 6 % 5, i % 6]


def cases(case, np, rng):
    for t in ("int32", "float64"):
        case("sums", {"x": np.ones(1, "int32"), "r": np.zeros(12, t)}, form="function")
        case("compared", {"x": np.ones(1, "int32"), "r": np.zeros(5, t)}, form="function")
    case("arguments", {"x": np.ones(1, "int32"), "r": np.zeros(8, "int32")}, form="function")
    for first in range(4):
        case("indices", {"x": np.full(1, first, "int32"), "m": np.arange(20.0).reshape(4, 5), "r": np.zeros(124)},
             form="function")

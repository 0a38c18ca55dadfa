# Loops over enumerate and zip: of parameters, private arrays, numbers of the file and lists, with jumps and names that are assigned.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np

WEIGHTS = (0.5, -2.0, 3.0)


def numbered(x, r):
    s = 0.0
    for k, v in enumerate(x):
        s += k*v
        k += 100
        v = 0.0
    r[0] = s
    r[1] = k
    for k, v in enumerate(x):
        x[k] = 2*v
    for k, v in enumerate(x, 3):
        if v > 10:
            break
        r[2] += k*v
    else:
        r[3] = 1
    for k, v in enumerate(x, start=len(x)):
        if k % 2:
            continue
        r[4] += k - v


def side_by_side(x, y, r):
    for a, b in zip(x, y):
        r[0] += a*b
    for k, (a, b) in enumerate(zip(x, y)):
        r[1] += k*a - b
    for k, (v, a, k) in enumerate(zip(y, x, y)):
        r[2] += k + 2*a
    for a, w in zip(x, WEIGHTS):
        r[3] += a*w
    for k, (a, w) in enumerate(zip(x, (1, 2, 3)), 2):
        r[4] += k*a*w
    r[5] = 1


def private(i, x, r):
    t = np.zeros(3)
    for k, w in enumerate(WEIGHTS):
        t[k] = w*x[i]
    for k, v in enumerate(t):
        r[i] += k*v
    for k, v in enumerate([x[i], 1.0]):
        for j, u in enumerate(t):
            r[i] += k*v - j*u


def cases(case, np, rng):
    for n in (0, 1, 6):
        x, y = np.arange(n)*2.0 + 1, np.arange(4.0) - 2
        if n:
            case("numbered", {"x": x, "r": np.zeros(6)}, form="function")
        for other in (y, y[:2]):
            case("side_by_side", {"x": x, "y": other, "r": np.zeros(6)}, form="function")
    case("private", {"x": x, "r": np.zeros(6)})

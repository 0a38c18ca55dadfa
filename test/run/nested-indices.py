# Loops over all indices of arrays and of sizes: np.ndindex, np.ndenumerate.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np

SHAPE = (2, 3)


class Grid:
    SIZES = (3, 2, 2)


def known(z):
    for i, j in np.ndindex(SHAPE):
        for k, l, m in np.ndindex(*Grid.SIZES):
            z[0] = z[0]*2 + i*j + k*l*m
    for i, j, k in np.ndindex(Grid.SIZES):
        z[1] = z[1]*2 + i + j*k + SHAPE[1]


def shapes(x, y, z):
    for i, j in np.ndindex(x.shape):
        y[j, i] = 2*x[i, j]
    for (i, j), v in np.ndenumerate(x):
        if v < 0.5:
            continue
        z[0] = z[0]*0.5 + v*(i + 10*j)


def sizes(z, n, m):
    for i, j, k in np.ndindex(n, m + 1, 2):
        z[0] = z[0]*3 + i + j*k
        m = 0
        for q in range(5):
            if q > i:
                break
            z[1] += q
    for i, j in np.ndindex((n, 3)):
        z[2] += i*j
    for i, j in np.ndindex(n, 0):
        z[3] += 1
    for i, in np.ndindex(n):
        z[4] += i


def one(i, x, y):
    for (k,), v in np.ndenumerate(x):
        y[i] += v*(k + i)
    t = np.ones((2, 3))
    for (a, b), v in np.ndenumerate(t):
        t[a, b] = v + a + b*i
    y[i] += t[1, 2]


def cases(case, np, rng):
    x = rng.random((3, 4))
    case("shapes", {"x": x, "y": np.zeros((4, 3)), "z": np.zeros(1)}, form="function", ulps=4)
    case("sizes", {"z": np.zeros(5, int)}, {"n": 3, "m": 2}, form="function")
    case("known", {"z": np.zeros(2)}, form="function")
    case("one", {"x": rng.random(4), "y": np.zeros(4)}, ulps=8)

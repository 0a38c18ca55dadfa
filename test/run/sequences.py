# Tuples and lists of the module, by constant and other indices; loops over them, over arrays and over lists in place.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np
W = (0.25, 0.5, 0.25)
STEPS = [1, -2, 3]
GRID = [[1, 2], [3, 4.5]]
SCALE = 2*W[1] + STEPS[-1] + GRID[1][0] + len(W)
FLAGS = True, False


def convolve(i, x, y):
    s = x[i]*0
    for k in range(3):
        j = i + k - 1
        if 0 <= j < len(x):
            s += W[k]*x[j]*STEPS[k]
    y[i] = s + W[1] + STEPS[-2] + GRID[1][1] + len(W) + SCALE


NETWORK = ((0, 1), (2, 3), (0, 2), (1, 3), (1, 2))


def network(i, x):
    for a, b in NETWORK:
        if x[4*i + a] > x[4*i + b]:
            x[4*i + a], x[4*i + b] = x[4*i + b], x[4*i + a]


def pairs(x, points):
    for a, b in ((0, 1.5), (2, x[0]), (1, -2)):
        x[a] += b
    for k, (p, q, r) in enumerate(points):
        x[k] += p*q - r


def shadow(i, x, y):
    W = x[i]
    y[i] = W + STEPS[0]


def over(i, x, y):
    s = x[i]*0
    for w in W:
        if w > 0.3:
            continue
        s += w
    for v in x:
        s += v
        if s > 5:
            break
    else:
        s += 100
    for q in (1, 2, x[i]):
        s += q
    for q in [1, 2]:
        for r in STEPS:
            s += q*r
    t = [s, 1.0]
    for v in t:
        s += v
    for flag in FLAGS:
        s += 7 if flag else 1
    y[i] = s + v


def weight(k):
    return W[k]


def apply(g, k):
    return g(k)


def helpers(i, x, y):
    s = x[i]
    for k in range(len(W)):
        s += weight(k) + apply(lambda n: STEPS[n]*2, k) + W[k]
    y[i] = s


def rows(i, m, cube, out):
    for v in m[i]:
        out[i] += v
    for k in range(len(m[0])):
        out[i] += m[i][k]*k
    for a, b in cube[i]:
        out[i] += a - 2*b
    for k, (a, b) in enumerate(zip(m[i], m[2 - i]), 1):
        out[i] += k*a*b
    k = i
    for v in cube[k, 1]:
        k += 1
        out[i] += v
    t = np.zeros((2, 3))
    t[1, 2] = m[i, 0]
    for v in t[1]:
        out[i] += v
    out[i] += 1000*len(m[i]) + 100*len(cube[i]) + 10*len(cube[i][0]) + len(cube[0, i])


def slices(x, m, out):
    for v in x[1:]:
        out[0] += v
    for a, b in zip(x[1:], x[:-1]):
        out[1] += (a - b)*b
    for k, v in enumerate(m[1, ::-1], 1):
        out[2] += k*v
    for k, v in enumerate(m[:, 0], len(x)):
        out[3] += k*v
    for v in x[5:2]:
        out[4] += v
    for a, b in zip(x[-2:], m[2]):
        out[5] += a*b


def cases(case, np, rng):
    m, cube = rng.integers(-9, 9, (3, 4))/2, rng.integers(-9, 9, (3, 5, 2))/2
    case("rows", {"out": np.zeros(3), "m": m, "cube": cube})
    case("rows", {"out": np.zeros(3), "m": m[::-1], "cube": cube[:, ::2]})
    case("slices", {"x": np.arange(5.0), "m": m, "out": np.zeros(6)}, form="function")
    case("network", {"x": rng.integers(-9, 9, 12)/2}, n=3)
    case("pairs", {"x": np.arange(4.0), "points": rng.integers(-9, 9, (3, 3))/2}, form="function")
    for kind in "float32", "float64":
        x = rng.integers(-5, 6, 20).astype(kind)
        for f in "convolve", "shadow", "over":
            case(f, {"x": x, "y": np.zeros(20, kind)}, expected=None)
    case("helpers", {"x": x, "y": np.zeros(20)}, expected=None)

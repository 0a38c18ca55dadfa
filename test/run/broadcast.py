# Names beside slices of several dimensions: those of arrays of one are of the last of them, those that have as many are all of theirs.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np


def outer(a, b, out):
    out[:] = a[:, None]*b


def sums(a, b, k, out):
    out[:, :] = k*(a + b[:, None])
    out[1:] += a[None, :] + np.abs(b[1:, None])*k


def into_row(a, b, out):
    out[1] = a[:, None] - b


def two(m, b, out):
    s = 0.0
    for i in range(len(m)):
        s += m[i, 0]
    out[:, :] = np.where(m > b, m - s, b)


def own(b, out):
    t = np.zeros(3)
    t[1] = 2.5
    w = np.zeros((2, 3))
    w[1] = 4
    out[:, :] = w*b[:] + t - w[:, :]/2 + b


def folded(a, b, out):
    out[0] = np.sum(a[:, None]*b)
    out[1] = np.max(np.abs(a[:, None] - b))


def cube(a, b, c, out):
    out[:] = a[:, None, None]*b[:, None] + c


def cases(case, np, rng):
    f = {"form": "function"}
    a, b, m = rng.random(4), rng.random(3), rng.random((4, 3))
    case("outer", {"a": a, "b": b, "out": np.zeros((4, 3))}, **f)
    case("outer", {"a": a, "out": np.zeros((4, 3))}, {"b": 2.5}, **f)
    case("outer", {"a": a, "b": b, "out": np.zeros((4, 3), order="F")}, **f)
    case("sums", {"a": b, "b": a, "out": np.zeros((4, 3))}, {"k": 0.5}, ulps=8, **f)
    case("into_row", {"a": a, "b": b, "out": np.zeros((2, 4, 3))}, **f)
    case("two", {"m": m, "b": b, "out": np.zeros((4, 3))}, ulps=8, **f)
    case("own", {"b": b, "out": np.zeros((2, 3))}, ulps=8, **f)
    case("folded", {"a": a, "b": b, "out": np.zeros(2)}, ulps=8, **f)
    case("cube", {"a": a, "b": b, "c": rng.random(2), "out": np.zeros((4, 3, 2))}, ulps=4, **f)

# What is computed of rows and then changed: some of its elements, all of it, or a copy of a row.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np

DIM = 3


def wrapped(p, f, w):
    for i in range(len(p)):
        for j in range(len(p)):
            d = p[i] - p[j]
            d -= w*np.rint(d/w)
            f[i] += d/(1 + np.dot(d, d))


def one_by_one(p, f, w):
    for i in range(len(p)):
        for j in range(len(p)):
            d = p[i] - p[j]
            for k in range(DIM):
                if d[k] > 0.5*w:
                    d[k] -= w
                elif d[k] < -0.5*w:
                    d[k] += w
            f[i] += d/(1 + np.sum(d*d))


def in_part(p, f, w):
    for i in range(len(p)):
        for j in range(len(p)):
            d = (p[i] - p[j])*w
            d[1] = w
            if i > j:
                d[0] += w
            for v in d:
                f[i, 0] += v
            x, y, z = d
            f[i, 1] += x*2 + y*3 + z*4 + len(d)
            f[i] += d.max() + d[(i + j) % 3]


def several(p, f, w):
    d = p[0] - p[1]
    d *= w
    d = d - p[2]
    d[1] = 7
    e = d + 1
    e[0] = 5
    f[0] = e
    f[1] = d
    f[2] += e*d
    g = np.maximum(d, e)/np.linalg.norm(d)
    g[2] += p[3, 1]
    f[3] = g


def copies(p, f, w):
    for i in range(len(p)):
        row = p[i]
        d = row.copy()
        d -= w
        d[0] = 1
        for j in range(len(p)):
            f[j] += d*p[j]
    e = np.copy(p[1])
    e[2] = w
    f[0] = p[2]*w
    f[0] += e


def short(p, f):
    d = p[0] - p[1]
    if len(d) > 2:
        d[2] = 5
    d[0] = 0.5
    f[0] = d[0] + d[1] + np.sum(d)


def integers(k, f):
    d = k[0] - k[1]
    d[1] = 7
    d[0] *= 3
    f[0] = d[0] + d[1]*10 + np.sum(d)


def planes(a, f):
    d = a[0, 1] - a[1, 0]
    d[3] += 100
    f[0] = d.sum() + d[2]


def beside(p, q, f):
    for j in range(len(p)):
        f[j, :] += q[:]*p[j]
        f[j] = p[j]*2 + f[j]*q[:]
        f[j, :] -= p[j]*p[0, :]
    f[0, 0] += p[1, 1]


def cases(case, np, rng):
    f = {"form": "function"}
    p = rng.random((5, 3))*4
    for x in (p, np.asfortranarray(p), p.astype("float32")):
        case("wrapped", {"p": x, "f": np.zeros((5, 3), x.dtype)}, {"w": 2.0}, ulps=1024, **f)
    for name in ("one_by_one", "in_part", "several"):
        case(name, {"p": p, "f": np.zeros((5, 3))}, {"w": 2.0}, ulps=1024, **f)
    case("copies", {"p": p, "f": np.zeros((5, 3))}, {"w": 0.5}, ulps=1024, **f)
    case("short", {"p": p, "f": np.zeros(2)}, ulps=64, **f)
    case("short", {"p": p[:, :2].copy(), "f": np.zeros(2)}, ulps=64, **f)
    case("integers", {"k": rng.integers(0, 9, (2, 4)), "f": np.zeros(1)}, **f)
    case("planes", {"a": rng.random((2, 2, 4)), "f": np.zeros(1)}, ulps=64, **f)
    case("beside", {"p": p, "q": rng.random(3), "f": np.ones((5, 3))}, ulps=64, **f)

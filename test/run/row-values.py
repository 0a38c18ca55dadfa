# Names of what is computed of rows: d = p[j] - p[i], of which elements, sums and what is stored are computed where they stand.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import math

import numpy as np
from numba import prange


def distances(p, out):
    n = len(p)
    for i in range(n):
        for j in range(n):
            d = p[j] - p[i]
            out[i, j] = np.sqrt(np.sum(d**2))


def forces(p, m, f, eps):
    n = p.shape[0]
    for i in prange(n):
        acc = np.zeros(3)
        pi = p[i]
        for j in range(n):
            if i != j:
                d = p[j] - pi
                r2 = d[0]**2 + d[1]**2 + d[2]**2 + eps
                acc += m[j]*d/(r2*math.sqrt(r2))
        f[i] = acc


def elements(i, p, f):
    for j in range(len(p)):
        d = p[j] - p[i]
        r2 = d[0]*d[0] + d[1]*d[1] + 0.5
        f[i] += d/r2


def nearest(i, p, c, label):
    best = 1e300
    for k in range(len(c)):
        d = p[i] - c[k]
        s = np.dot(d, d)
        if s < best:
            best = s
            label[i] = k


def units(a, b, out):
    for i in range(len(a)):
        d = (a[i] - b[i])*2.0
        e = d/np.linalg.norm(d)
        s = 0.0
        for v in e:
            s += v*abs(v)
        x, y, z = e
        out[i] = e
        out[i, 0] += s + len(d) + d.size + d.shape[0] + x*y*z + (d*e).sum() + e.max()


def relaxed(p, w):
    n = len(p)
    for i in range(1, n):
        j = i - 1
        step = w*(p[j] - p[i])
        if np.max(np.abs(step)) > 0.01:
            p[i] += step


def centred(p, centre, out):
    c = np.zeros(3)
    c += centre[:]
    for i in range(len(p)):
        d = p[i] - centre
        e = p[i, :] + c
        out[i] = d[0] + 2*d[2] + np.sum(d*d)


def captured(p, out):
    i = 1
    w = 0.5
    d = (p[i] - p[0])*w
    i = 2
    w = 7.0
    out[:] = d
    out[0] += d[1] + i


def planes(a, out):
    for i in range(len(a)):
        for j in range(len(a[0])):
            d = a[i, j] - a[0][j]
            out[i, j] = np.sum(d) + d[1]


def vectors(v, k, w):
    for i in range(3):
        d = v[i] - v[(i + 1) % 3]
        e = d*k[i]
        w[i] = d*d[1] + e
        v[i] = d


def mixed(x, v, w):
    for i in range(3):
        a = float4(x[i])*x[0]
        b = (x[i] - x[0])*a
        c = v[i] - x[i]
        d = v[i][0] + c[1] + a[2] + b[3]
        w[i] = a + b*2 + c*d


def loops(p, out):
    r = 0
    while r < len(p) - 1:
        d = p[r + 1] - p[r]
        while np.sum(d*d) > 0.1 and out[r] < 3:
            out[r] += 1
        for k in range(len(d)):
            out[r] += d[k]*k
        r += 1


def numbers(x, y, out):
    d = x[1] - x[0]
    y[:] = y[:]*d
    e = x[2] + x[3]*d
    acc = np.zeros(2)
    acc += e
    out[:] = e
    out[0] = acc[1]


def beside(s, m, out):
    """Numbers and rows, on either side: it is the rows that have elements."""
    for i in range(len(s)):
        a = s[i] + m[i]
        b = m[i] - s[i]
        out[i, 0] = a[0] + b[1]*10 + m[i][2]
        out[i, 1] = a[2] - b[0]


def cases(case, np, rng):
    f = {"form": "function"}
    case("beside", {"s": rng.random(5), "m": rng.random((5, 3)), "out": np.zeros((5, 2))}, ulps=8, **f)
    p = rng.random((5, 3))
    for x in (p, np.asfortranarray(p), p.astype("float32")):
        case("distances", {"p": x, "out": np.zeros((5, 5), x.dtype)}, ulps=8, **f)
    case("forces", {"p": p, "m": rng.random(5), "f": np.zeros((5, 3))}, {"eps": 0.25}, ulps=256, **f)
    case("elements", {"p": p, "f": np.zeros((5, 3))}, ulps=64)
    case("nearest", {"p": p, "c": rng.random((4, 3)), "label": np.full(5, 9)})
    case("units", {"a": p, "b": rng.random((5, 3)), "out": np.zeros((5, 3))}, ulps=256, **f)
    case("relaxed", {"p": p}, {"w": 0.25}, ulps=8, **f)
    case("centred", {"p": p, "centre": rng.random(3), "out": np.zeros(5)}, ulps=256, **f)
    case("captured", {"p": p, "out": np.zeros(3)}, ulps=8, **f)
    case("planes", {"a": rng.integers(0, 99, (3, 4, 5)), "out": np.zeros((3, 4), int)}, **f)
    case("numbers", {"x": rng.random(4), "y": rng.random(4), "out": np.zeros(3)}, ulps=8, **f)
    case("loops", {"p": p, "out": np.zeros(5)}, ulps=64, **f)
    record = np.dtype([(lane, "float32") for lane in "xyzw"], metadata={"struct": "float4"})
    a = rng.integers(-8, 8, (3, 4)).astype("float32")
    after, w = a.copy(), np.zeros_like(a)
    for i in range(3):
        d = after[i] - after[(i + 1) % 3]
        w[i] = d*d[1] + d*(i + 2)
        after[i] = d
    case("vectors", {"v": a.view(record)[:, 0], "k": np.arange(2, 5).astype("int32"), "w": np.zeros(3, record)},
         expected={"v": after.view(record)[:, 0], "w": w.view(record)[:, 0]}, **f)
    x = np.float32([0.5, 2, 3])
    b = (x - x[0])*x*x[0]
    c = a - x[:, None]
    d = a[:, 0] + c[:, 1] + x*x[0] + b
    w = (x*x[0] + b*2)[:, None] + c*d[:, None]
    case("mixed", {"x": x, "v": a.view(record)[:, 0], "w": np.zeros(3, record)}, expected={"w": w.astype("float32").view(record)[:, 0]}, **f)

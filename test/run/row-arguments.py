# Rows and columns as arguments of functions and by name, rows of rows: views of one array, in any memory order, read and written.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np


def norm(r):
    s = 0.0
    for x in r:
        s += x*x
    return s


def count(r):
    return len(r) + 10*r.shape[0] + 100*r.size


def twice(r, k=1):
    return norm(r) + k*norm(r=r)


def trace(q):
    h, w = q.shape
    return q[0, 0] + q[1][1] + h*10 + w*100 + q.size


def double(r, k):
    r[k] = r[k]*2
    r[1:] += 1
    last = len(r) - 1
    r[last], r[0] = r[0], r[last]


def distance(p, q):
    return np.sum((p - q)**2) + np.dot(p, q)


def clip(a, b):
    return min(a, b)


def apply(f, r, k):
    return f(r) + k


def bound(i, m, out):
    out[i] = apply(norm, m[i], 1) + apply(lambda r: r[0]*r[1], m[:, i], 2) + apply(lambda v: v*v, m[i, 0], 0)


def rows(i, m, out):
    r = m[i]
    out[i] = norm(m[i]) + 1000*count(m[i]) + twice(r) + distance(m[i], m[0]) + twice(m[(i + 1) % 4, :], k=3)
    out[i] += clip(m[i, 0], 3.0) + clip(out[i], 1e9)


def columns(i, m, out):
    c = m[:, i]
    d = m[:, (i + 1) % 4]
    out[i] = norm(m[:, i]) + count(c) + distance(c, d) + np.sum((c - d)**2) + c.max()
    for k in range(len(c)):
        out[i] += k*c[k]*d[k]
    for v in c:
        out[i] += v
    out[i] += sum(m[:, i]) + np.mean(c) + c.size + c.shape[0]


def direct(i, m, out):
    out[i] = sum(m[i]) + 10*max(m[i]) + 100*min(m[i]) + 1000*len(m[i]) + min(m[:, i]) + max(m[:, 1])


def write(m):
    for i in range(len(m)):
        double(m[i], 1)
    c = m[:, 2]
    double(c, 0)
    for k in range(len(c)):
        c[k] += 100*k
    for row in m:
        double(row, 2)


def passed(m, n, out):
    previous = m[0]
    for i in range(n):
        current = m[i]
        out[i] = distance(current, previous) + norm(previous)
        previous = current


def cube(a, out):
    for i in range(len(a)):
        r = a[i]
        for j in range(len(r)):
            q = r[j]
            out[i, j] = norm(q) + q[0] + norm(a[i, j]) + norm(r[j]) + count(a[:, j, 1]) + trace(a[i]) + trace(r)
            q[1] += j
        p = a[:, i, 0]
        t = a[:, 2]
        out[i, 0] += norm(p) + trace(a[:, i]) + trace(a[:, :, 1]) + t[i, 1] + norm(t[i]) + len(t) + t.size
    for r in a:
        for q in r:
            out[0, 0] += norm(q)
    s = a[1, 2]
    s[0] = 7
    u = a[2, int(s[0]) - 6]
    u = a[int(u[0]*0) + 1, int(u[1]*0)]
    out[1, 1] = u[0] + u[2]


def floats(m, out, x):
    out[0] = norm(m[np.floor(x)])


def floats_of_numpy(m, out, x):
    out[0] = norm(m[int(x)])


def cases(case, np, rng):
    m, out = rng.random((4, 4)), np.zeros(4)
    for x in (m, np.asfortranarray(m)[:, ::-1], rng.random((8, 8))[::2, ::2], np.round(m*10).astype("int32")):
        case("rows", {"m": x, "out": out}, ulps=4)
        case("bound", {"m": x, "out": out}, ulps=4)
        case("columns", {"m": x, "out": out}, ulps=4)
        case("direct", {"m": x, "out": out}, ulps=4)
        case("write", {"m": x}, form="function")
        case("passed", {"m": x, "out": out}, {"n": 4}, form="function", ulps=4)
    wanted = out.copy()
    floats_of_numpy(m, wanted, 2.5)
    case("floats", {"m": m, "out": out}, {"x": 2.5}, form="function", expected={"out": wanted}, ulps=4)
    a = rng.random((3, 3, 3))
    for x in (a, a.transpose(2, 0, 1), a.astype("float32")):
        case("cube", {"a": x, "out": np.zeros((3, 3), x.dtype)}, form="function", ulps=4)

# Rows and columns that are written as a whole: from numbers, from each other, from arrays; the same row is itself, as in NumPy.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np


def named(m, k):
    row = m[0]
    other = m[k]
    row[:] = other
    other[:] = row*2 + other[1]
    row[1:] += other[1:]
    last = m[2]
    last[:] = np.maximum(row, other)
    c = m[:, 1]
    d = m[:, k]
    c[:] = d
    d[1:] = c[1:] - d[1:]


def filled(m, v):
    m[0] = v
    m[1] = m[0]*2 + m[1]
    m[1] += m[2]
    m[2] = m[2, 1]
    m[3, :] = m[1, :]
    m[3] -= 1
    m[3, 0] = 5


def whole(m, x, v):
    m[:] = v
    m[2] = x
    m[1:, :] += v
    for row in m:
        row[:] = row + x
    for i in range(len(m)):
        m[i] = m[i]*x + i


def beside(m, v):
    m[0] = v
    row = m[1]
    last = m[2]
    k = m[3, 0]
    row[:] = last*2 + row - k
    next = m[3]
    m[2] += next


def turned(i, m, n):
    p = m[i]
    p[:] = i
    c = n[:, i]
    c[:] = p


def first(r, v):
    r[:] = v
    r[0] += 1


def cubes(a, v):
    a[0] = v
    r = a[1]
    r[0] = 7
    r[1] = a[2, 1]
    q = r[2]
    q[0] = 3
    a[2] += a[0]
    a[2, 0] = q
    first(a[2, 1], v)
    first(r[0], 2*v)
    first(a[:, 1, 1], v)


def integrated(out, n):
    for t in range(1, n):
        previous = out[t - 1]
        current = out[t]
        current[:] = previous*0.5 + t
        current[0] = previous[len(previous) - 1]


def cases(case, np, rng):
    m = rng.random((4, 3))
    for x in (m, np.asfortranarray(m)[:, ::-1], rng.random((8, 6))[::-2, ::2], np.round(m*9).astype("int64")):
        for k in (0, 1, 2):
            case("named", {"m": x}, {"k": k}, form="function", ulps=4)
        case("filled", {"m": x}, {"v": 3}, form="function", ulps=4)
        case("beside", {"m": x}, {"v": 2}, form="function", ulps=4)
        case("whole", {"m": x, "x": x[0]}, {"v": 2}, form="function", ulps=4)
        case("integrated", {"out": x}, {"n": 4}, form="function", ulps=4)
        case("turned", {"m": x, "n": np.zeros((3, 4), x.dtype)})
    a = rng.random((3, 3, 3))
    case("cubes", {"a": a}, {"v": 1.5}, form="function", ulps=4)
    case("cubes", {"a": a.transpose(1, 2, 0)}, {"v": 1.5}, form="function", ulps=4)

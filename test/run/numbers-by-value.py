# Complex numbers and vectors are values: what a function assigns to its parameter, or stores where
# the number came from, leaves the caller's number and its own as they were.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np


def moved(z, by):
    z += by
    z = z*z - by
    return z


def named(i, z, r):
    old = z[i]
    new = moved(old, 1.0)
    r[i] = new + 10.0*old


def elements(i, z, r):
    r[i] = moved(z[i], z[i]) + moved(z[i], moved(z[i], 0.5))


def steps(z, c, n):
    for k in range(n):
        z = z*z + c
    return z


def same(i, z, r):
    r[i] = steps(z[i], z[i], i % 4)


def stored(z, x, k):
    x[k] = 7.0
    return z


def overwritten(i, z, r):
    r[i] = stored(z[i], z, i)


def pair(z, w):
    z, w = w, z
    return z - 2.0*w


def swapped(i, z, r):
    a = z[i]
    b = 2.0*a + 1.0
    r[i] = pair(a, b) + 100.0*a + 1000.0*b


def filled(p, z):
    for k in range(len(p)):
        p[k], z = z, p[k] + 1.0
    return z - p[0]


def private(i, z, r):
    p = np.array([1j, 2.0, z[i]])
    r[i] = filled(p, p[0]) + 10.0*p[1] + 100.0*p[2]


def argument(i, c, r):
    c += r[i]
    r[i] = c*c


def lanes(v, k):
    v.x = 4.0
    v += 1.0
    v[k % 2] = 8.0
    return v.x + 10.0*v.y


def vectors(i, x, r):
    v = float2(x[i], 2.0*x[i])
    s = lanes(v, i)
    r[i] = s + 1000.0*v.x + 100000.0*v.y


def cases(case, np, rng):
    for t in ("complex64", "complex128"):
        z = (rng.integers(-3, 4, 21) + 1j*rng.integers(-3, 4, 21)).astype(t)
        for f in ("named", "elements", "same", "overwritten", "swapped"):
            case(f, arrays={"z": z, "r": np.zeros(21, t)})
        case("private", arrays={"z": z.astype("complex128"), "r": np.zeros(21, "complex128")})
        case("argument", arrays={"r": z}, scalars={"c": 2 - 1j})
    x = np.arange(9, dtype="float32")
    even = np.arange(9) % 2 == 0
    s = np.where(even, 8 + 10*(2*x + 1), 5 + 10*8)
    case("vectors", arrays={"x": x, "r": np.zeros(9, "f4")}, expected={"r": (s + 1000*x + 200000*x).astype("f4")})

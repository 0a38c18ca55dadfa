# Loops over tuples that a helper is given, over arrays in structs and over all elements of arrays: a.flat.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np
from compyle.api import struct


@struct
class Hist:
    n: 'int'
    bins: 'matrix(4, "int")'

    def total(self):
        s = 0
        for b in self.bins:
            s += b
        return s


def total(t):
    s = 0.0
    for v in t:
        s += v
    return s + len(t)


def horner(z, c):
    s = 0j
    for k, v in enumerate(c):
        s = s*z + v*(k + 1)
    return s


def tup(i, x, out):
    out[i] = total((x[i], 2*x[i], 3)) + total((1, 2))


def poly(i, z, out):
    out[i] = horner(z[i], (1.0, -2.0, 0.5j, 3))


def fields(i, k, out):
    h = Hist()
    h.bins[i % 4] = k[i]
    h.bins[(i + 1) % 4] -= 1
    s = 0
    for v in h.bins:
        s += v*v
    for j, v in enumerate(h.bins):
        s += v*j
    out[i] = s + h.total()


def flats(a, b, out):
    for v in a.flat:
        out[0] += v
    for k in range(b.size):
        out[1] += k*b.flat[k]
        b.flat[k] += 1
    out[2] = b[1, 2] + a.ravel()[1]
    for v in b.ravel():
        out[3] = out[3]*0.5 + v
    out[4] = a.size + sum(a.flat)


def cases(case, np, rng):
    x = rng.random(5)
    z = rng.random(5) + 1j*rng.random(5)
    k = rng.integers(0, 50, 5)
    case("tup", {"x": x, "out": x*0})
    case("poly", {"z": z, "out": z*0}, ulps=64)
    q = np.zeros(5, int)
    for i in range(5):
        b = [0]*4
        b[i % 4] = k[i]
        b[(i + 1) % 4] -= 1
        q[i] = sum(v*v for v in b) + sum(v*j for j, v in enumerate(b)) + sum(b)
    case("fields", {"k": k, "out": q*0}, expected={"out": q})
    a, b = rng.random((2, 3)), rng.random((3, 4))
    case("flats", {"a": a, "b": b, "out": np.zeros(5)}, ulps=64, form="function")

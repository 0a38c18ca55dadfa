# Arrays of the function's own and rows change in place by +=; private arrays are stored in rows, and what a slice is stored from may have more dimensions.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np
from compyle.api import declare


def total(x, out):
    a = np.zeros(3)
    for i in range(x.shape[0]):
        a += x[i, :]*2
        a -= x[i]
    a /= 2
    a *= a
    out[:] = a


def stored(x, f):
    n = len(x)
    for i in range(n):
        a = np.zeros(3)
        for j in range(n):
            a += x[j, :] - x[i, :]
        f[i] = a
        f[i] -= a/2


def declared(x, f):
    a = declare('matrix(3)')
    for i in range(len(x)):
        for k in range(3):
            a[k] = x[i, k]*2
        f[i] = a


def vectors(v, w):
    for i in range(2):
        a = v[i]
        a += 1
        w[i] = a
        w[i].x = a[1]


def whole(x, out):
    m = np.zeros((2, 3))
    m += 1.5
    m[1] *= 2
    m -= 0.25
    out[0] = m[0, 1]
    out[1] = m[1, 2]
    out[2] = np.count_nonzero(m[:, :] > 1) + np.count_nonzero(x) + 10*np.count_nonzero(x > 0)


def rows(a):
    for row in a:
        row /= np.sqrt((row**2).sum())
        row += row[0]


def elements(a, b):
    for i in range(len(a)):
        r = a[i]
        r *= 2
        r[0] = 7
        s = b[i]
        s += 1
        b[i] = s


def outer(a, b, out):
    out[:] = a[:, None]*b[None, :]
    out[1:] += a[1:, None] + b[None, :]


def cases(case, np, rng):
    f = {"form": "function"}
    x = rng.integers(-8, 8, (4, 3))/4 + .125
    case("total", {"x": x, "out": np.zeros(3)}, **f)
    case("stored", {"x": x, "f": np.zeros((4, 3))}, **f)
    case("declared", {"x": x, "f": np.zeros((4, 3))}, expected={"f": 2*x}, **f)
    record = np.dtype([(lane, "float32") for lane in "xyzw"], metadata={"struct": "float4"})
    v = rng.integers(-8, 8, (2, 4)).astype("float32")
    after = v + np.float32(1)
    after[:, 0] = after[:, 1]
    v, after = (z.view(record)[:, 0] for z in (v, after))
    case("vectors", {"v": v, "w": np.zeros(2, record)}, expected={"v": v, "w": after}, **f)
    case("whole", {"x": x.reshape(-1), "out": np.zeros(3)}, **f)
    case("rows", {"a": x}, ulps=8, **f)
    case("elements", {"a": x, "b": np.arange(4.)}, **f)
    case("outer", {"a": x[:, 0], "b": x[0].copy(), "out": np.zeros((4, 3))}, **f)

# Private arrays as NumPy and lists make them: their values each time the statement runs, types, dimensions.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np
from compyle.api import struct

N = 3
SHAPE_ROWS = N - 1


def zeros(i, x, y):
    t = np.zeros(3)
    u = np.zeros((2, N), dtype=np.float32)
    for k in range(3):
        t[k] += x[i] + k
        u[1, k] += t[k]
        u[0][k] = u[1][k]*2
    s = x[i]*0
    for r in range(SHAPE_ROWS):
        for c in range(len(t)):
            s += u[r, c] + t[c]
    y[i] = s + len(u)*100


def again(i, x, y):
    s = x[i]*0
    for k in range(3):
        a = np.zeros(2)
        b = np.ones((2, 2))
        c = np.full(4, x[i])
        d = [x[i], 1.0]
        e = [0.5, x[i]]*2
        f = np.array([[x[i], 2], [3, 4]])
        g = np.empty(1)
        a[0] += k
        b[1, 1] += k
        c[3] += k
        d[0] += k
        e[3] += k
        f[0, 0] += k
        g[0] = k
        s += a[0] + b[1, 1]*2 + c[3]*3 + d[0]*5 + e[3]*7 + f[0, 0]*11 + g[0]*13 + f[1, 0] + e[2]
        for j in range(4):
            s += c[j] + e[j]
    y[i] = s


def own_values(i, x, y):
    t = [1.0, x[i], 3.0]
    t = [t[1], t[2], t[0]]
    t[0], t[1] = t[1], t[0]
    u = [0]*4
    for k in range(40):
        u[k % 4] += k
    y[i] = t[0]*100 + t[1]*10 + t[2] + u[1]


def fill(m, n, v):
    for k in range(n):
        m[k] = v + k


def total(m):
    s = m[0]
    for k in range(1, len(m)):
        s += m[k]
    return s


def histogram(values, n, size):
    h = np.zeros(size, dtype=np.int32)
    for k in range(n):
        h[values[k] % size] += 1
    best = 0
    for k in range(size):
        if h[k] > h[best]:
            best = k
    return best


def passed(i, k, y):
    t = [0.0]*5
    fill(t, 5, y[i])
    y[i] = total(t) + histogram(k, len(k), 4)*100


def kinds(i, x, k, y):
    a = np.full(2, 3)
    b = np.array([1, 2])
    c = np.zeros(2, bool)
    d = np.ones(3, dtype='uint8')
    e = np.zeros(2, x.dtype)
    f = np.array([1, 2], dtype=float)
    a[1] = k[i] << 33
    b[0] = a[1] + 1
    c[1] = k[i] > 3
    d[2] += 255
    e[0] = x[i] + 1
    f[1] = 0.5
    y[i] = a[1] + b[0] + c[1] + d[2] + e[0] + f[1] + a[0]


def rows(i, x, y):
    m = [[1.0, 2.0, x[i]], [4.0, 5.0, 6.0]]
    q = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
    s = x[i]*0
    for r in range(2):
        for c in range(3):
            s += m[r][c]*(r + 1)
        for c in range(2):
            s += q[r][c][0]*10 + q[r][c][1]
    y[i] = s


def complex_rows(i, z, y):
    a = np.zeros((2, 2), np.complex128)
    b = np.full(2, 1j)
    c = [z[i], 2, x_of(z[i])]
    d = [0j]*2
    e = np.ones(2, z.dtype)
    f = np.array([z[i], 1])
    a[1, 0] = z[i] + 1
    b[1] += a[1][0]
    d[0] += z[i]*2
    e[1] *= z[i]
    y[i] = a[1, 0] + a[0, 0] + b[0] + b[1]*2 + c[0] + c[1] + c[2] + d[0] + d[1] + e[0] + e[1] + f[0]*f[1]


def x_of(z):
    return z.real


def of_vectors(i, x, y):
    t = [float4(x[i]), float4(1, 2, 3, 4)]
    u = np.zeros((2, 2), float2)
    u[1, 0] = float2(x[i], 2)
    t[0].y += 1
    y[i] = t[0].x + t[0].y*10 + t[1].w*100 + u[1, 0].x*1000 + u[0, 1].y


@struct
class Pair:
    a: 'double'
    b: 'double'


def of_structs(i, x, y):
    t = [Pair(x[i], 2.0), Pair(3.0, 4.0)]
    u = np.zeros(2, Pair)
    u[1] = t[0]
    u[1].b += x[i]
    y[i] = t[0].a + t[1].b*10 + u[1].b*100 + u[0].a


def cases(case, np, rng):
    x = rng.integers(-5, 6, 20).astype("float64")
    k = rng.integers(0, 9, 20).astype("int64")
    for kind in "float32", "float64":
        v = x.astype(kind)
        for f in "zeros", "again", "own_values", "rows":
            case(f, {"x": v, "y": np.zeros(20, kind)}, expected=None)
        case("of_vectors", {"x": v, "y": np.zeros(20, kind)}, expected={"y": (v + (v + 1)*10 + 400 + v*1000).astype(kind)})
    z = x + 1j*x[::-1]
    for kind in "complex64", "complex128":
        case("complex_rows", {"z": z.astype(kind), "y": np.zeros(20, kind)}, expected={
            "y": ((z + 1) + 1j + (1j + z + 1)*2 + z + 2 + x + z*2 + 1 + z + z).astype(kind)})
    case("of_structs", {"x": x, "y": np.zeros(20)}, expected={"y": x + 40 + (2 + x)*100})
    case("kinds", {"x": x, "k": k, "y": np.zeros(20)}, expected=None)
    case("passed", {"k": k, "y": x.copy()}, expected=None)

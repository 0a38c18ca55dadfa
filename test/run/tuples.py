# Tuples: returned by helpers, taken apart, kept, passed on, swapped; items of different types.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.api import declare


def two(v):
    return v, v*v


def pick(v):
    if v > 2:
        return 0.0, 1
    return v, 2


def swap(p):
    return p[1], p[0]


def loops(i, x, y):
    a, b = two(x[i])
    s = x[i]*0
    for k in range(4):
        a, b = pick(a + k)
        s += a*10 + b
        while s > 60:
            s, a = swap((a, s - 60))
    y[i] = s + a


def kept(i, x, y):
    p = two(x[i])
    q = p if p[0] > 1 else (p[1], p[0] + 7)
    r = swap(q)
    x[i], y[i] = r
    u = v, w = (1, x[i]) if x[i] > 3 else (x[i], 2)
    y[i] += p[-1]*100 + u[0] + v + w + len(r)*1000 + two(v + w)[1]


def counted(v, n):
    whole = int(v)
    return whole, v - whole, n > 3, n + 1


def kinds(i, x, k, y):
    whole, rest, large, n = counted(x[i], k[i])
    k[i] = whole*100 + n
    y[i] = rest + 10 if large else rest


def euclid(a: int, b: int) -> tuple[int, int, int]:
    if b == 0:
        return a, 1, 0
    g, s, t = euclid(b, a % b)
    return g, t, s - (a//b)*t


def steps(n: int, a: int, b: int):
    for j in range(n):
        a, b = b, a + b
    return b, a


def nested(v, n):
    return two(v), (n, two(v + 1))


def numbers(i, k, y):
    a, b = steps(k[i], 0, 1)
    p = nested(y[i], k[i])
    y[i] = a*10 + b + p[0][1] + p[1][0] + p[1][1][1]


def recursion(i, k, r):
    g, s, t = euclid(k[i]*6, 36 + 4*k[i])
    r[3*i], r[3*i + 1], r[3*i + 2] = g, s, t


def through(v):
    return two(v + 1)


def order(i, y, x):
    j = 3*i
    j, x[j] = j + 1, 5.0
    (x[j], x[j + 1]) = (x[j + 1], x[j])
    a = b = c, d = through(x[j])
    y[i] = a[0] + b[1] + c*d


def matrices(i, x, y):
    m = declare('matrix((2, 2))')
    m[0, 1], m[1, 0] = two(x[i])
    m[0, 1], m[1, 0] = m[1, 0], m[0, 1]
    y[i] = m[0, 1]*10 + m[1, 0]


def taken_apart(i, y, x):
    (p, q), r = two(x[3*i + 1]), 0.5
    (s, (t, u)), w = (1, two(r)), p
    j, k = 0, 3*i
    ((j, x[k]), x[k + 1 + j]), v = (two(1), j), k
    (a, b), (c, d) = e = (q, p), (r, s)
    y[i] = p + 10*q + 100*s + 1000*t + u + w + v + j + a*c + b*d + e[0][1] + x[k + 2]


def lists(i, y, x):
    [p, q] = two(x[3*i + 1])
    [a, [b, c]], y[i] = (p, two(q)), 1
    for [k, v] in enumerate((a, b)):
        y[i] += k*v
    y[i] += 10*c + p


def made(i, y, x):
    if i % 2:
        t = [x[3*i], 1.0]
    else:
        t = [2.0, x[3*i]]
    a, b = t
    y[i] = a - 3*b


def alike(i, y, x):
    p = (x[3*i], x[3*i + 1]), x[3*i + 2]
    q = (x[3*i], x[3*i + 1], x[3*i + 2]),
    (a, b), c = p
    y[i] = a + 2*b + 3*c + 5*q[0][2] + 7*q[0][0]


def cases(case, np, rng):
    x = rng.integers(-5, 6, 20).astype("float64")
    k = rng.integers(0, 9, 20).astype("int64")
    for kind in "float32", "float64":
        v = x.astype(kind)
        case("loops", {"x": v, "y": np.zeros(20, kind)}, expected=None)
        case("kept", {"x": v.copy(), "y": np.zeros(20, kind)}, expected=None)
        case("kinds", {"x": v + kind_of(np, kind, 0.25), "k": k.copy(), "y": np.zeros(20, kind)}, expected=None)
        case("matrices", {"x": v, "y": np.zeros(20, kind)}, expected={"y": 10*v*v + v})
    case("numbers", {"k": k, "y": x.copy()}, expected=None)
    case("recursion", {"k": k, "r": np.zeros(60, "int64")}, expected=None)
    case("order", {"y": np.zeros(20), "x": rng.integers(0, 9, 60).astype("float64")}, expected=None)
    case("lists", {"y": np.zeros(20), "x": rng.integers(0, 9, 60).astype("float64")}, expected=None)
    case("made", {"y": np.zeros(20), "x": rng.integers(0, 9, 60).astype("float64")}, expected=None)
    case("alike", {"y": np.zeros(20), "x": rng.integers(0, 9, 60).astype("float64")}, expected=None)
    case("taken_apart", {"y": np.zeros(20), "x": rng.integers(0, 9, 60).astype("float64")}, expected=None)


def kind_of(np, kind, value):
    return np.dtype(kind).type(value)

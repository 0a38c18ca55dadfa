# Matrices and structs: zero at first, cleared by each declare, passed on.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.api import declare, struct


@struct
class Pair:
    a: 'int'
    b: 'double'
    c: 'matrix(3)'


def matrices(i, x, y):
    m = declare('matrix((2, 3))')
    v = declare('matrix(4, "int")')
    for j in range(2):
        for k in range(3):
            m[j][k] = x[i]*j + k
    for j in range(4):
        v[j] += j
    s = 0.0
    for j in range(2):
        for k in range(3):
            s += m[j][k]
    y[i] = s + v[3] + v[0]


def cleared(i, y):
    s = 0
    for k in range(3):
        v = declare('matrix(2, "long")')
        n = declare('long')
        v[1] += k + 1
        n += k
        s += v[1]*10 + n
    y[i] = s


def sum_pair(p):
    return p.a + p.b + p.c[2]


def change(p, v):
    p.b = v
    p.c[2] += v


def structs(i, x, y):
    p = declare('Pair')
    q = declare('Pair')
    p.a = 3
    p.b = x[i]
    p.c[2] = 1.0
    change(p, x[i] + 1)
    q = p
    q.a += 1
    y[i] = sum_pair(p) + 100*sum_pair(q)


def records(i, p, y):
    p[i].a += 1
    p[i].c[1] = p[i].b
    y[i] = sum_pair(p[i])


def cases(case, np, rng):
    x = rng.integers(0, 9, 15).astype("float64")
    case("matrices", {"x": x, "y": np.zeros(15)}, expected={"y": 3*x + 6 + 3})
    case("cleared", {"y": np.zeros(4, "int64")}, expected={"y": np.full(4, 63)})
    # p: a = 3, b = x + 1, c[2] = x + 2; q the same with a = 4
    case("structs", {"x": x, "y": np.zeros(15)}, expected={"y": 101*(2*x + 6) + 100})
    pair = np.dtype([("a", "int32"), ("b", "float64"), ("c", "float64", (3,))], align=True, metadata={"struct": "Pair"})
    p = np.zeros(15, pair)
    p["a"], p["b"], p["c"] = np.arange(15), x, rng.integers(0, 9, (15, 3))
    q = p.copy()
    q["a"] += 1
    q["c"][:, 1] = q["b"]
    case("records", {"p": p, "y": np.zeros(15)}, expected={"p": q, "y": q["a"] + q["b"] + q["c"][:, 2]})

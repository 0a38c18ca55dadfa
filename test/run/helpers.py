# Helper functions: specialised for each tuple of types, recursive, with defaults and keywords, given matrices and addresses.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.api import annotate, declare
from compyle.low_level import address


def scale(v, factor=2):
    return v*factor


def use_types(i, x, k, y, j):
    y[i] = scale(x[i]) + scale(k[i], 3)
    j[i] = scale(k[i]) + scale(factor=5, v=k[i])


@annotate(n='int', return_='int')
def factorial(n):
    if n < 2:
        return 1
    return n*factorial(n - 1)


def recursion(i, r):
    r[i] = factorial(i % 10)


def total(m, n):
    s = 0.0
    for k in range(n):
        s += m[k]
    return s


def fill(m, n, v):
    for k in range(n):
        m[k] = v + k


def spaces(i, x, y):
    m = declare('matrix(4)')
    fill(m, 4, x[i])
    y[i] = total(m, 4) + total(x, 3)


def set_value(p, v):
    p[0] = v
    p[1] = v + 1


def put(p, v):
    p[0] = v


def places(i, x, r):
    m = declare('matrix((2, 3))')
    s = 1.5
    put(address(s), x[i]*2)
    set_value(address(m[1][1]), s)
    put(address(r[2*i]), m[1][1])
    put(address(r[2*i + 1]), m[1][2])


def no_value(x, k):
    if k < 0:
        return
    x[k] = k


def early(i, x):
    no_value(x, i - 3)


def ignored(i, x):
    x[i] += 1
    return x[i]


def plain(a, b):
    return a*2 + b


def cases(case, np, rng):
    x, k = rng.integers(0, 50, 12).astype("float32"), rng.integers(0, 50, 12).astype("int64")
    case("use_types", {"x": x, "k": k, "y": np.zeros(12, "float64"), "j": np.zeros(12, "int64")},
         expected={"y": (x*2 + (k*3).astype("float32")).astype("float64"), "j": k*7})
    f = [1]
    for n in range(1, 10):
        f.append(f[-1]*n)
    case("recursion", {"r": np.zeros(20, "int32")}, expected={"r": np.array([f[i % 10] for i in range(20)], "int32")})
    x = rng.integers(0, 50, 12).astype("float64")
    case("spaces", {"x": x, "y": np.zeros(12)}, expected={"y": 4*x + 6 + x[:3].sum()})
    r = np.zeros(24)
    r[0::2], r[1::2] = x*2, x*2 + 1
    case("places", {"x": x, "r": np.zeros(24)}, expected={"r": r})
    case("early", {"x": np.full(9, -1, "int64")}, expected={"x": np.array([0, 1, 2, 3, 4, 5, -1, -1, -1])})
    case("ignored", {"x": np.arange(5)})
    case("plain", scalars={"a": 3, "b": 4}, form="function", result=10)
    case("plain", scalars={"a": 3, "b": 0.5}, form="function", result=6.5)
    case("plain", scalars={"a": np.int64(2**40), "b": 1}, form="function", result=2**41 + 1)

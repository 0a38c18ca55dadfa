# Operators on integers and floats, and the types they compute in.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t


def arithmetic(i, a, b, s, d, m, n, p):
    s[i] = a[i] + b[i]
    d[i] = a[i] - b[i]
    m[i] = a[i]*b[i]
    n[i] = -a[i]
    p[i] = +a[i]


def divide(i, a, b, q, f, r):
    q[i] = a[i]/b[i]
    f[i] = a[i]//b[i]
    r[i] = a[i] % b[i]


def bits(i, a, b, x, o, e, c, l, r):
    x[i] = a[i] ^ b[i]
    o[i] = a[i] | b[i]
    e[i] = a[i] & b[i]
    c[i] = ~a[i]
    l[i] = a[i] << b[i]
    r[i] = a[i] >> b[i]


def inverted(i, m, r, k):
    r[i] = ~m[i]
    k[i] = ~m[i] + 2*(~True)


def mixed(i, a, b, y):
    y[i] = a[i]*b[i] + 0.5


def cases(case, np, rng):
    exact = ["--option", "precise=1"]
    for t in ("int32", "int64", "uint32", "uint64", "float32", "float64"):
        if t.startswith("f"):
            a, b = rng.uniform(-50, 50, 64).astype(t), rng.uniform(-50, 50, 64).astype(t)
            b[:3] = 0
        else:
            info = np.iinfo(t)
            a, b = rng.integers(info.min, info.max, 64, dtype=t), rng.integers(0, 9, 64).astype(t)
            a[:3], b[:3] = (info.min, info.min, 5), (0, info.max, 0)
            if info.min:
                b[1] = -1
                b[20:30] = -3
        zero = lambda: np.zeros(64, t)
        with np.errstate(all="ignore"):
            case("arithmetic", {"a": a, "b": b, "s": zero(), "d": zero(), "m": zero(), "n": zero(), "p": zero()},
                 expected={"s": a + b, "d": a - b, "m": a*b, "n": (0 - a) if t[0] == "u" else -a, "p": a}, options=exact)
            if t.startswith("f"):
                q, f, r = a/b, np.floor_divide(a, b), np.remainder(a, b)
            else:
                safe = np.where(b == 0, np.array(1, t), b)
                ints = [(int(x), int(y)) for x, y in zip(a, b)]
                wrap = lambda v: (v - int(info.min)) % (1 << info.bits) + int(info.min)
                trunc = lambda x, y: 0 if y == 0 else wrap(abs(x)//abs(y)*(1 if (x < 0) == (y < 0) else -1))
                q = np.array([trunc(x, y) for x, y in ints], dtype=t)
                f = np.array([0 if y == 0 else wrap(x//y) for x, y in ints], dtype=t)
                r = np.array([0 if y == 0 else x % y for x, y in ints], dtype=t)
            case("divide", {"a": a, "b": b, "q": zero(), "f": zero(), "r": zero()}, expected={"q": q, "f": f, "r": r}, options=exact)
            if not t.startswith("f"):
                b = rng.integers(0, info.bits, 64).astype(t)
                arrays = {"a": a, "b": b}
                arrays.update({k: zero() for k in "xoeclr"})
                case("bits", arrays, expected={"x": a ^ b, "o": a | b, "e": a & b, "c": ~a, "l": a << b, "r": a >> b})
    # The count of a shift is taken modulo the width.
    a, b = np.full(4, 5, "int32"), np.array([32, 33, -1, 64], "int32")
    arrays = {"a": a, "b": b}
    arrays.update({k: np.zeros(4, "int32") for k in "xoeclr"})
    case("bits", arrays, expected={"l": np.array([5, 10, -2**31, 5], "int32"), "r": np.array([5, 2, 0, 5], "int32")})
    # Joins: an integer with a float gives the float; for signs see signs.py.
    for ta, tb, join in (("int64", "float32", "float32"), ("float32", "float64", "float64"), ("uint8", "float32", "float32"),
                         ("float16", "int32", "float32"), ("uint32", "int64", "float64")):
        a, b = rng.integers(0, 200, 50).astype(ta), rng.integers(0, 200, 50).astype(tb)
        y = a.astype(join)*b.astype(join) + np.array(0.5, join)
        case("mixed", {"a": a, "b": b, "y": np.zeros(50, join)}, expected={"y": y}, options=exact)
    m = np.array([True, False])
    case("inverted", {"m": m, "r": np.zeros(2, bool), "k": np.zeros(2, "int32")}, expected={"r": ~m, "k": (~m).astype("int32") + 2*~1})

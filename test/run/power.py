# Powers: integers by squaring, small literal exponents of floats by products, anything else by pow.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
K = 3


def integers(i, a, p0, p1, p2, p3, p7, p10):
    p0[i] = a[i]**0
    p1[i] = a[i]**1
    p2[i] = a[i]**2
    p3[i] = a[i]**K
    p7[i] = (a[i] + 1)**7
    p10[i] = pow(a[i], 10)


def floats(i, a, p2, p3, p4, h):
    p2[i] = a[i]**2
    p3[i] = (a[i]*2)**K
    p4[i] = a[i]**4
    h[i] = a[i]**0.5


def general(i, a, b, p, q):
    p[i] = abs(a[i])**b[i]
    q[i] = abs(a[i])**-1


def signed(i, a, b, p):
    p[i] = a[i]**b[i]


def counted(i, a, n, p, q):
    p[i] = a[i]**n[i]
    q[i] = 3**n[i]


def assigned(i, a):
    a[i] **= 2


def cases(case, np, rng):
    for t in ("int32", "int64", "uint32"):
        a = rng.integers(0, 40, 30).astype(t)
        if t[0] == "i":
            a = a - np.array(20, t)
        names = ("p0", "p1", "p2", "p3", "p7", "p10")
        arrays = {"a": a}
        arrays.update({k: np.zeros(30, t) for k in names})
        wide = [int(v) for v in a]
        info = np.iinfo(t)
        wrap = lambda v: (v - int(info.min)) % (1 << info.bits) + int(info.min)
        power = lambda k, add=0: np.array([wrap((v + add)**k) for v in wide], dtype=t)
        case("integers", arrays, expected={"p0": power(0), "p1": power(1), "p2": power(2), "p3": power(3), "p7": power(7, 1), "p10": power(10)})
        case("assigned", {"a": a}, expected={"a": power(2)})
    for t in ("float32", "float64"):
        a = rng.uniform(0, 3, 30).astype(t)
        two = a*np.array(2, t)
        case("floats", {"a": a, "p2": np.zeros(30, t), "p3": np.zeros(30, t), "p4": np.zeros(30, t), "h": np.zeros(30, t)}, ulps=4,
             expected={"p2": a*a, "p3": two*two*two, "p4": (a*a)*(a*a), "h": np.sqrt(a)})
        b = rng.uniform(-2, 2, 30).astype(t)
        case("general", {"a": a, "b": b, "p": np.zeros(30, t), "q": np.zeros(30, t)}, ulps=4,
             expected={"p": np.power(a.astype("longdouble"), b.astype("longdouble")).astype(t), "q": np.array(1, t)/a})
        case("assigned", {"a": a}, expected={"a": a*a})
        s, e = np.array([2, 3, -2, -2, 0.5, -0.5, 1, 0], t), np.array([2, 0.5, 3, 0.5, -1, 0.5, 9, 2], t)
        with np.errstate(invalid="ignore"):
            case("signed", {"a": s, "b": e, "p": np.zeros(8, t)}, ulps=4, options=["--option", "fast_math=1"], expected={"p": s**e})
        n = rng.integers(-40, 40, 30).astype("int32")
        case("counted", {"a": a + np.array(1, t), "n": n, "p": np.zeros(30, t), "q": np.zeros(30)}, ulps=4,
             expected={"p": ((a + np.array(1, t)).astype("longdouble")**n).astype(t), "q": (np.full(30, 3, "longdouble")**n).astype("float64")})

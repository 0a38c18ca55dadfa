# Signed numbers beside unsigned ones: the type that holds both, or uint64; comparisons are those of the numbers, and
# so are min and max.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t


def compare(i, a, b, r):
    r[i] = ((a[i] < b[i]) | (a[i] <= b[i]) << 1 | (a[i] > b[i]) << 2 | (a[i] >= b[i]) << 3 | (a[i] == b[i]) << 4 | (a[i] != b[i]) << 5
            | (b[i] < a[i]) << 6 | (b[i] >= a[i]) << 7)


def literals(i, a, r):
    r[i] = (-1 < a[i]) | (a[i] == -1) << 1 | (-5 <= a[i] < 7) << 2 | (a[i] >= -3) << 3 | (a[i] != -2) << 4 | (-1 < a[i] != -1) << 5


def combine(i, a, b, s, d, p, m):
    s[i] = a[i] + b[i]
    d[i] = a[i] - b[i]
    p[i] = a[i]*b[i]
    m[i] = a[i] % b[i]


def chosen(i, a, b, c, r):
    r[i] = a[i] if c[i] else b[i]


def extremes(i, a, b, low, high):
    low[i] = min(a[i], b[i])
    high[i] = max(b[i], -3, a[i])


NAMES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def numbers(np, t):
    info = np.iinfo(t)
    return [v for v in (-2**63, -2**31, -300, -128, -1, 0, 1, 7, 200, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1)
            if info.min <= v <= info.max]


def common(np, a, b):
    """NumPy's, with 32 bits at least, but for uint64 with signed integers, which is that."""
    t = np.result_type(a, b)
    return np.dtype("uint64") if t.kind == "f" else np.result_type(t, "int32") if t.itemsize < 4 else t


def cases(case, np, rng):
    for ta in NAMES:
        for tb in NAMES:
            pairs = [(x, y) for x in numbers(np, ta) for y in numbers(np, tb)]
            a, b = np.array([x for x, _ in pairs], ta), np.array([y for _, y in pairs], tb)
            r = [(x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5 | (y < x) << 6 | (y >= x) << 7 for x, y in pairs]
            case("compare", {"a": a, "b": b, "r": np.zeros(len(r), "int32")}, expected={"r": np.array(r, "int32")}, modes=("O3", "interp"))
            if ta[0] == tb[0] or (ta, tb) in (("int8", "uint8"), ("uint16", "int8")):
                continue
            t = common(np, ta, tb)
            wrap = lambda v: (v - int(np.iinfo(t).min)) % 2**(8*t.itemsize) + int(np.iinfo(t).min)
            of = [(wrap(x), wrap(y)) for x, y in pairs]
            made = {"s": [wrap(x + y) for x, y in of], "d": [wrap(x - y) for x, y in of], "p": [wrap(x*y) for x, y in of],
                    "m": [x % y if y else 0 for x, y in of]}
            case("combine", {"a": a, "b": b, **{k: np.zeros(len(of), t) for k in made}}, expected={k: np.array(v, t) for k, v in made.items()},
                 modes=("O3", "interp"))
            low, high = [wrap(min(p)) for p in pairs], [wrap(max(*p, -3)) for p in pairs]
            case("extremes", {"a": a, "b": b, "low": np.zeros(len(of), t), "high": np.zeros(len(of), t)},
                 expected={"low": np.array(low, t), "high": np.array(high, t)}, modes=("O3", "interp"))
            c = rng.integers(0, 2, len(of)).astype(bool)
            case("chosen", {"a": a, "b": b, "c": c, "r": np.zeros(len(of), t)},
                 expected={"r": np.array([x if k else y for (x, y), k in zip(of, c)], t)}, modes=("O3",))
    for t in NAMES:
        a = np.array(numbers(np, t), t)
        r = [(-1 < v) | (v == -1) << 1 | (-5 <= v < 7) << 2 | (v >= -3) << 3 | (v != -2) << 4 | (-1 < v != -1) << 5 for v in a.tolist()]
        case("literals", {"a": a, "r": np.zeros(len(a), "int32")}, expected={"r": np.array(r, "int32")})

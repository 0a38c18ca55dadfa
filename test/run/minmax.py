# min, max and abs in Python's sense, of several arguments and of every type.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t


def two(i, a, b, low, high):
    low[i] = min(a[i], b[i])
    high[i] = max(a[i], b[i])


def several(i, a, b, low, high):
    low[i] = min(a[i], b[i], 2, a[i] + 1)
    high[i] = max(a[i], b[i], 2, a[i] - 1)


def size(i, a, r):
    r[i] = abs(a[i])


def negative(i, a, r):
    r[i] = (abs(a[i]) < 0) + 2*(abs(a[i]) > -1)


def cases(case, np, rng):
    for t in ("int8", "int16", "int32", "int64", "uint8", "uint32", "uint64", "float16", "float32", "float64"):
        a, b = rng.integers(0, 9, 40).astype(t), rng.integers(0, 9, 40).astype(t)
        if t[0] != "u":
            a = a - np.array(4, t)
        if t[0] == "f":
            a[:3], b[:3] = (np.nan, 1.0, 0.0), (1.0, np.nan, -0.0)
        one = np.array(1, t)
        lower, higher = (lambda x, y: np.where(y < x, y, x)), (lambda x, y: np.where(y > x, y, x))
        case("two", {"a": a, "b": b, "low": np.zeros(40, t), "high": np.zeros(40, t)}, expected={"low": lower(a, b), "high": higher(a, b)})
        c = np.array(2, t)
        wide = a if t[0] != "u" else np.where(a == 0, one, a)
        case("several", {"a": wide, "b": b, "low": np.zeros(40, t), "high": np.zeros(40, t)},
             expected={"low": lower(lower(lower(wide, b), c), wide + one), "high": higher(higher(higher(wide, b), c), wide - one)})
        if t[0] == "i":
            a[7] = np.iinfo(t).min
        with np.errstate(all="ignore"):
            case("size", {"a": a, "r": np.zeros(40, t)}, expected={"r": np.abs(a)})
            if t[0] == "i":  # the least one's is negative
                case("negative", {"a": a, "r": np.zeros(40, "int32")}, expected={"r": np.where(np.abs(a) < 0, 1, 2).astype("int32")})

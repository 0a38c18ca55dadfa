# Comparisons chain, each operand evaluated once; and, or give the deciding operand; ternaries take one arm.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t


def compare(i, a, b, r):
    r[i] = (a[i] < b[i]) + 2*(a[i] <= b[i]) + 4*(a[i] > b[i]) + 8*(a[i] >= b[i]) + 16*(a[i] == b[i]) + 32*(a[i] != b[i])


def chain(i, a, b, r):
    r[i] = 0
    if -1 < a[i] <= b[i] < 5 != 4:
        r[i] = 1
    if 0 <= a[i] < 3:
        r[i] += 10


def next_value(counter):
    counter[0] = counter[0] + 1
    return counter[0]


def chain_once(counter, r):
    for i in range(10):
        if 3 < next_value(counter) < 8:
            r[i] = counter[0]
        else:
            r[i] = -counter[0]


def deciding(i, a, b, land, lor, lnot):
    land[i] = a[i] and b[i]
    lor[i] = a[i] or b[i] or 7
    lnot[i] = not a[i]


def guard(i, a, n, r):
    k = a[i]
    if k < n and r[k] == 0 or k == 100:
        r[i] = 1 if k != 100 else 2


def ternary(i, a, b, r):
    r[i] = a[i] if a[i] > b[i] else b[i] if b[i] > 0 else 0.5


def lazy(counter, r):
    for i in range(6):
        r[i] = next_value(counter) if i % 2 == 0 else 100
    for i in range(6):
        if i > 2 and next_value(counter) > 4 or i == 0:
            r[i] += 1000
    r[6] = i > 100 or next_value(counter)
    r[7] = i > 100 and next_value(counter)
    r[8] = counter[0]


def cases(case, np, rng):
    for t in ("int8", "int32", "int64", "uint16", "uint64", "float16", "float32", "float64", "bool"):
        a, b = rng.integers(0, 4, 60).astype(t), rng.integers(0, 4, 60).astype(t)
        if t[0] == "f":
            a[3] = b[4] = a[5] = b[5] = np.nan
            a[6], b[6] = 0.0, -0.0
        if t[0] == "i":
            a -= np.array(2, t)
        w = lambda v: v.astype("int32")
        case("compare", {"a": a, "b": b, "r": np.zeros(60, "int32")},
             expected={"r": w(a < b) + 2*w(a <= b) + 4*w(a > b) + 8*w(a >= b) + 16*w(a == b) + 32*w(a != b)})
        if t == "bool":
            continue
        with np.errstate(all="ignore"):
            low = a > -1 if t[0] != "u" else np.full(60, True)
            r = w(low & (a <= b) & (b < 5)) + 10*w((a >= 0) & (a < 3))
            case("chain", {"a": a, "b": b, "r": np.zeros(60, "int32")}, expected={"r": r})
        one = np.array(7, t)
        case("deciding", {"a": a, "b": b, "land": np.zeros(60, t), "lor": np.zeros(60, t), "lnot": np.zeros(60, "bool")},
             expected={"land": np.where(a != 0, b, a), "lor": np.where(a != 0, a, np.where(b != 0, b, one)), "lnot": a == 0})
    case("chain_once", {"counter": np.zeros(1, "int32"), "r": np.zeros(10, "int32")}, form="function")
    a = np.array([0, 1, 2, 9, 100, 1000000], "int64")
    case("guard", {"a": a, "r": np.zeros(6, "int32")}, {"n": np.int64(6)}, expected={"r": np.array([1, 1, 1, 0, 2, 0], "int32")},
         options=["--option", "schedule=0", "--option", "num_threads=1"])
    a, b = rng.uniform(-1, 1, 40), rng.uniform(-1, 1, 40)
    case("ternary", {"a": a, "b": b, "r": np.zeros(40)})
    case("lazy", {"counter": np.zeros(1, "int32"), "r": np.zeros(9, "int32")}, form="function")

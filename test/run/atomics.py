# Atomics on elements and variables of every type they take; each gives the value before.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.low_level import atomic_inc, atomic_dec, fence


def histogram(i, x, h):
    atomic_inc(h[x[i]])


def count(i, x, up, down):
    k = atomic_inc(up[0])
    atomic_dec(down[0])
    x[k] += 1


def add(i, x, s, low, high):
    atomic_add(s[0], x[i])
    atomic_sub(s[1], x[i])
    atomic_min(low[0], x[i])
    atomic_max(high[0], x[i])


def bits(i, x, a):
    atomic_and(a[0], x[i])
    atomic_or(a[1], x[i])
    atomic_xor(a[2], x[i])


def single(x, r):
    r[0] = atomic_xchg(x[0], 5)
    r[1] = atomic_cas(x[0], 5, 7)
    r[2] = atomic_cas(x[0], 5, 9)
    r[3] = atomic_load(x[0])
    atomic_store(x[1], 8)
    k = 3
    r[4] = k + atomic_inc(k)*10 + k*100


def fenced(i, x, y):
    y[i] = x[i]
    fence(order="acq_rel", scope="group")
    x[i] = y[i] + 1


def cases(case, np, rng):
    case("fenced", {"x": np.arange(9.0), "y": np.zeros(9)}, expected={"x": np.arange(9.0) + 1, "y": np.arange(9.0)})
    x = rng.integers(0, 10, 5000)
    for t in ("int32", "uint32", "int64", "uint64", "float32", "float64"):
        case("histogram", {"x": x, "h": np.zeros(10, t)}, expected={"h": np.bincount(x, minlength=10).astype(t)})
        case("count", {"x": np.zeros(3000, "int32"), "up": np.zeros(1, "int64"), "down": np.full(1, 5000, t)},
             expected={"x": np.ones(3000, "int32"), "up": np.full(1, 3000), "down": np.full(1, 2000, t)})
        v = rng.integers(0, 100, 2000).astype(t)
        s = np.array([0, v.sum()], t)
        case("add", {"x": v, "s": s, "low": np.full(1, 50, t), "high": np.full(1, 50, t)},
             expected={"s": s[::-1], "low": v.min()[None], "high": v.max()[None]})
        case("single", {"x": np.array([3, 4], t), "r": np.zeros(5, t)}, form="function",
             expected={"x": np.array([7, 8], t), "r": np.array([3, 5, 7, 7, 433], t)})
        if t[0] != "f":
            case("bits", {"x": v, "a": np.array([127, 0, 0], t)},
                 expected={"a": np.array([127 & np.bitwise_and.reduce(v), np.bitwise_or.reduce(v), np.bitwise_xor.reduce(v)], t)})

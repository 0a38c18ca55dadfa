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


def changed(x, r):
    """A variable that an atomic changes at one place alone, of each kind: what is read before has its old value."""
    a = b = c = d = e = f = g = h = j = l = m = n = o = p = q = s = 3
    r[0] = a + atomic_inc(a)*10 + a*100
    if x[0] == 1:
        r[1] = b + atomic_inc(b)*10 + b*100
    if x[0] == 2:
        r[2] = 0
    else:
        r[2] = c + atomic_inc(c)*10 + c*100
    if x[0] == 2:
        r[3] = 0
    elif x[0] == 1:
        r[3] = d + atomic_inc(d)*10 + d*100
    else:
        r[3] = 1
    if x[0] == 2:
        r[4] = 0
    elif x[0] == 3:
        r[4] = 1
    else:
        if x[0] == 1:
            r[4] = e + atomic_inc(e)*10 + e*100
    for k in range(1):
        r[5] = f + atomic_inc(f)*10 + f*100
    for k in range(1):
        r[6] = k
    else:
        r[6] = g + atomic_inc(g)*10 + g*100
    while x[1] > 0:
        x[1] = 0
        r[7] = h + atomic_inc(h)*10 + h*100
    while x[1] > 0:
        x[1] = 0
    else:
        r[8] = j + atomic_inc(j)*10 + j*100
    match x[0]:
        case 1:
            r[9] = l + atomic_inc(l)*10 + l*100
        case _:
            r[9] = 0
    match x[0]:
        case 2:
            r[10] = 0
        case _:
            r[10] = m + atomic_inc(m)*10 + m*100
    r[11] = n + (atomic_inc(n) if x[0] == 1 else 0)*10 + n*100
    r[12] = o + (0 if x[0] == 2 else atomic_inc(o))*10 + o*100
    r[13] = p + max(atomic_inc(p)*10, 0) + p*100
    r[q + 7 + atomic_inc(q)*0 + q] = q
    y = [s, atomic_inc(s)*10, s*100]
    r[15] = y[0] + y[1] + y[2]


def changes(x, r):
    """Each atomic that changes a variable, in a branch of its own."""
    a = b = c = d = e = f = g = h = j = 3
    if x[0] == 1:
        r[0] = a + atomic_dec(a)*10 + a*100
    else:
        r[0] = b + atomic_inc(b)*10 + b*100
    if x[0] == 1:
        r[1] = c + atomic_add(c, 2)*10 + c*100
    else:
        r[1] = d + atomic_sub(d, 2)*10 + d*100
    if x[0] == 1:
        r[2] = e + atomic_min(e, 1)*10 + e*100
    else:
        r[2] = f + atomic_max(f, 4)*10 + f*100
    if x[0] == 1:
        r[3] = g + atomic_xchg(g, 5)*10 + g*100
    else:
        r[3] = h + atomic_cas(h, 3, 6)*10 + h*100
    if x[0] == 2:
        r[4] = atomic_load(j) + 10
    else:
        atomic_store(j, 4)
        r[4] = j


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
        case("changed", {"x": np.ones(2, t), "r": np.zeros(16, t)}, form="function",
             expected={"x": np.array([1, 0], t), "r": np.array([433]*14 + [3, 433], t)})
        for first, expected in (1, (233, 533, 133, 533, 4)), (2, (433, 133, 433, 633, 13)):
            case("changes", {"x": np.full(1, first, t), "r": np.zeros(5, t)}, form="function", expected={"r": np.array(expected, t)})
        if t[0] != "f":
            case("bits", {"x": v, "a": np.array([127, 0, 0], t)},
                 expected={"a": np.array([127 & np.bitwise_and.reduce(v), np.bitwise_or.reduce(v), np.bitwise_xor.reduce(v)], t)})

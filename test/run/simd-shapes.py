# Rounds side by side, value by value: indices that rise, fall, repeat or scatter; divisions, shifts and conversions of each type; what only one lane at a
# time can do.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from math import floor, sqrt

from compyle.low_level import address, atomic_dec, atomic_inc


def indices(i, x, p, r, n):
    s = 0.0
    for k in range(3):
        if p[i] > k:
            s += x[n - 1 - i] + 2.0*x[i*2 - i] + x[i % 5] + x[(i << 1) % n] + x[n - 1 - (n - 1 - i)]
        s = s*0.5 + x[k*3 + i % 3]
    r[i] = s


def spread(i, x, r, n):
    s = 0.0
    for k in range(2):
        if x[i] < 0.75:
            s += x[i] + k
    r[3*i] = s
    r[3*n - 2 - 3*i] = s + 1.0
    r[3*i + 2] = -s


def dividing(i, p, q, r):
    s = p[i]
    for k in range(3):
        if q[i] != 0 and s > k:
            s = s // q[i] + s % q[i] + p[k] // 3 + p[k] % 7
        s += p[i] // 4
    r[i] = s


def columns(i, r, w, h):
    s = 0
    for k in range(2):
        s += (i + k) // w + (i // w) % h + (i*3) % w
    r[i] = s


def shifting(i, p, q, r):
    s = p[i]
    for k in range(4):
        if q[i] > k:
            s = (s << 1) ^ (s >> k) ^ (s >> 3)
            s = (s & 1023) | (p[k] << 2)
        else:
            s = ~s & 2047
    r[i] = s


def converting(i, x, p, r, t):
    s = 0.0
    for k in range(3):
        a = cast(x[i]*3.0, "int")
        b = cast(p[i], "float")
        c = cast(a + k, "double")
        if p[i] > k:
            s += cast(a, "long") + b*0.5 + c
        s += cast(cast(s, "float"), "double")
    r[i] = s
    t[i] = cast(s, "int") + cast(p[i] > 2, "int")


def widened(i, a1, a2, a4, u1, u2, u4, b, r):
    """Sums that wrap within a vector, of each narrow type, in each wider one."""
    j1, j2, j4 = cast(i + a1, 'int8'), cast(i + a2, 'int16'), cast(i, 'int32') + a4
    k1, k2, k4 = cast(i + u1, 'uint8'), cast(i + u2, 'uint16'), cast(i, 'uint32') + u4
    for k in range(2):
        if b[i] > k:
            r[i, 0] = cast(j1, 'int16')
            r[i, 1] = cast(j1, 'uint16')
            r[i, 2] = cast(k1, 'int16')
            r[i, 3] = cast(k1, 'uint16')
            r[i, 4] = cast(j1, 'int32')
            r[i, 5] = cast(j1, 'uint32')
            r[i, 6] = cast(k1, 'int32')
            r[i, 7] = cast(k1, 'uint32')
            r[i, 8] = cast(j2, 'int32')
            r[i, 9] = cast(j2, 'uint32')
            r[i, 10] = cast(k2, 'int32')
            r[i, 11] = cast(k2, 'uint32')
            r[i, 12] = j1
            r[i, 13] = k1
            r[i, 14] = j2
            r[i, 15] = k2
            r[i, 16] = j4
            r[i, 17] = k4
            r[i, 18] = cast(j1, 'uint8')
            r[i, 19] = cast(k1, 'int8')
            r[i, 20] = cast(j2, 'uint16')
            r[i, 21] = cast(k2, 'int16')
            r[i, 22] = cast(j4, 'uint32')
            r[i, 23] = cast(k4, 'int32')
            r[i, 24] = cast(j4, 'int8')
            r[i, 25] = cast(k4, 'uint16')
            r[i, 26] = cast(j1*3 - a1, 'uint16')
            r[i, 27] = cast(-k2, 'int32')
            r[i, 28] = cast(u4 - k4*cast(2, 'uint32'), 'int64')
            r[i, 29] = cast(-j1, 'uint64')


def choosing(i, x, p, r):
    s = 0.0
    for k in range(4):
        a = x[i] if p[i] > k else 1.5
        b = sqrt(abs(x[i])) if p[i] % 2 == 0 else floor(x[i]*4.0)
        c = 2.0 if k == 1 else 3.0
        s += (a if a < b else b)*c + (x[k] if x[i] > 0 and p[k] > 2 else -0.5)
    r[i] = s


def chosen_for_all(i, x, p, r, odd):
    """One condition for all lanes, arms too dear to compute both: of all lanes, of each, of numbers that grow evenly."""
    s = 0.0
    for k in range(4):
        if p[i] > k:
            s += sqrt(x[k]*x[k]) if k % 2 == odd else sqrt(x[k]*x[k] + 3.0)
            s += sqrt(x[k]*x[k] + 1.0) if k > 1 else sqrt(x[i]*x[i])
            s += sqrt(x[i]*x[i] + 2.0) if k % 2 == odd else sqrt(x[k]*x[k] + 7.0)
            s += sqrt(x[i]*x[i] + 5.0) if k > 1 else sqrt(x[i]*x[i] + 9.0)
            s += (i*3 + k*5)*(k + 7) - (i*2 - k)*(k + 3) if k % 2 == odd else (i*5 + k*3)*(k + 2) + (i - k*4)*(k + 1)
            s += (i*3 + k*5)*(k + 1) - (i*2 - k)*(k + 3) if k > 1 else sqrt(x[k]*x[k] + 4.0)
    r[i] = s


def logic(i, x, b, r):
    seen = False
    other = True
    for k in range(5):
        if x[i] > k and not seen:
            seen = b[i] or x[i] > 3.0
        other = other and (seen or b[k])
        if seen != other and b[i]:
            break
    r[i] = seen and not other


def forever(i, p, r):
    s = 0
    k = p[i]
    while True:
        s += k
        k -= 3
        if k < 0:
            break
        if s % 5 == 2:
            continue
        s += 1
    r[i] = s


def skipping(i, p, r):
    """All lanes go on at once, and go round again."""
    s = 0
    k = 0
    while k < p[i]:
        k += 1
        if k % 2 == 1:
            continue
        if s > p[i]*2:
            break
        s += k
    while True:
        k += 1
        if k < 14:
            continue
        if k > 20:
            break
        s += p[i]
    r[i] = s


def counting(i, p, r, n):
    s = 0
    for k in range(n, 0, -1):
        if p[i] > k:
            s = s*3 % 1013 + k
    for k in range(p[i], 12):
        for l in range(k):
            if l > p[i]:
                break
            s += l
    for k in range(p[i], -4, -2):
        s -= k
    r[i] = s


def same_counter(i, p, r):
    """Loops that count with one variable, inside of each other and one behind the other."""
    s = 0
    for j in range(3):
        s = s*3 + j
        for j in range(2):
            s += j*p[i]
        s = s*5 + j
    r[i, 0] = s
    for j in range(3):
        if p[i] > j:
            for j in range(4, 0, -2):
                if p[i] > j*2:
                    continue
                s = s % 1013 + j
        s = s*2 + j
    r[i, 1] = s
    for k in range(2):
        for j in range(p[i]):
            for k in range(2):
                for j in range(k, 2):
                    s = s*3 % 1013 + j
                s = s*3 % 1013 + j + k
            s = s*3 % 1013 + j + k
        s = s*3 % 1013 + k
    r[i, 2] = s
    for j in range(3):
        l = 0
        while l < p[i]:
            for j in range(l):
                if j > 1:
                    break
                s += 1
            l += 2
        s = s*2 % 1013 + j
    r[i, 3] = s
    for j in range(2):
        s += j
    for j in range(3):
        s = s*3 % 1013 + j
    r[i, 4] = s


def counter_behind(i, p, r):
    """... of which the last value is read, too."""
    s = p[i]
    for j in range(2):
        if s > j:
            for j in range(p[i]):
                s += 1
        s = s*3 % 1013 + j
    for j in range(3):
        for k in range(1, 3):
            s = s*3 % 1013 + j
        s += k
    r[i] = s + j


def tickets(i, p, count, last):
    for k in range(3):
        if p[i] > k:
            t = atomic_inc(count[0])
            if t >= 0 and p[i] % 2:
                atomic_dec(count[1])
    last[i] = p[i]


def down(a: 'int') -> 'int':
    if a < 1:
        return 0
    return down(a - 2) + 1


def recursive(i, p, r):
    s = 0
    for k in range(3):
        if p[i] > k:
            s += down(p[i] - k)
    r[i] = s


def split(v, low, high):
    low[0] = v % 4
    high[0] = v // 4


def addresses(i, p, r):
    low, high = declare('int', 2)
    low = 0
    high = 0
    for k in range(2):
        if p[i] > k:
            split(p[i] + k, address(low), address(high))
    r[i] = low*100 + high


def wide_table(i, p, r):
    m = declare('matrix(64, "int")')
    for k in range(64):
        m[k] = p[i]*k
    s = 0
    for k in range(p[i]):
        s += m[(k*7) % 64]
    r[i] = s


def far_table(i, p, r):
    m = declare('matrix((40, 40), "double")')
    for k in range(40):
        m[k][(k + p[i]) % 40] = k
    s = 0.0
    for k in range(p[i] + 1):
        s += m[k][(k + p[i]) % 40]
    r[i] = s


def every_other(i, x, y, p):
    s = y[i]
    for k in range(2):
        if p[i] > k:
            s += x[i]
    y[i] = s


def cases(case, np, rng):
    def run(name, arrays, scalars=None, **more):
        if getattr(case, "target", None):
            case(name, arrays, scalars, **more)
            return
        for simd in ("2", "1"):  # wherever that is possible, and where it pays
            case(name, arrays, scalars, modes=("O3",),
                 options=["--option", "simd=" + simd, "--option", "precise=1"], **more)
        case(name, arrays, scalars, modes=("interp",), options=["--option", "precise=1"], **more)

    n = 45
    x = rng.uniform(-2, 5, n)
    p, q = rng.integers(0, 12, n).astype("int32"), rng.integers(-5, 9, n).astype("int32")
    zero, none = np.zeros(n), np.full(n, -1, "int32")
    for t in ("float64", "float32"):
        run("indices", {"x": x.astype(t), "p": p, "r": zero.astype(t)}, {"n": n}, ulps=4)
        run("choosing", {"x": x.astype(t), "p": p, "r": zero.astype(t)}, ulps=4)
        for odd in (0, 1):
            run("chosen_for_all", {"x": x.astype(t), "p": p, "r": zero.astype(t)},
                {"odd": np.int32(odd)}, ulps=4)
    run("spread", {"x": x, "r": np.zeros(3*n)}, {"n": n}, n=n)
    for t in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"):
        a, b = (p*3).astype(t), abs(q).astype(t) if t[0] == "u" else q.astype(t)
        with np.errstate(all="ignore"):
            run("dividing", {"p": a, "q": b, "r": np.zeros(n, "int64")})
            if np.dtype(t).itemsize >= 4:
                run("shifting", {"p": a, "q": b, "r": np.zeros(n, t)})
    for w, h in ((1, 2), (4, 3), (9, 100), (100, 1)):
        run("columns", {"r": none.astype("int64")}, {"w": np.int64(w), "h": np.int64(h)})
        run("columns", {"r": none}, {"w": np.int32(w), "h": np.int32(h)})
    run("logic", {"x": x, "b": rng.integers(0, 2, n).astype("bool"), "r": np.ones(n, "bool")})
    for t in ("int32", "int64", "uint16"):
        run("forever", {"p": p.astype("int64" if t == "uint16" else t), "r": none.astype("int64")})
        run("skipping", {"p": p.astype(t), "r": none.astype("int64")})
        run("counting", {"p": p.astype("int32"), "r": none.astype("int64")},
            {"n": np.dtype(t).type(9)})
    run("tickets", {"p": p, "count": np.zeros(2, "int32"), "last": none}, n=n, expected={
        "count": np.array([sum(min(int(v), 3) for v in p),
                           -sum(min(int(v), 3) for v in p if v % 2)], "int32"), "last": p})
    run("same_counter", {"p": p, "r": np.full((n, 5), -1, "int32")}, n=n)
    run("counter_behind", {"p": p, "r": none})
    run("recursive", {"p": p, "r": none})
    run("addresses", {"p": p, "r": none},
        expected={"r": np.array([0 if v == 0 else ((v + (v > 1)) % 4)*100 + (v + (v > 1)) // 4
                                 for v in p], "int32")})
    run("wide_table", {"p": p, "r": none},
        expected={"r": np.array([sum(int(v)*((k*7) % 64) for k in range(v)) for v in p], "int32")})
    run("far_table", {"p": p, "r": zero},
        expected={"r": np.array([sum(range(v + 1)) for v in p], "float64")})
    both = rng.uniform(-1, 1, 2*n)
    run("every_other", {"x": x, "y": both[::2].copy(), "p": p})
    for place in (-3, 5, 40):  # where the sums wrap, counted from the first round
        first = {name: np.iinfo(t).max - np.dtype(t).type(max(place, 0)) if place >= 0 else np.dtype(t).type(3 if t[0] == "i" else 0)
                 for name, t in (("a1", "int8"), ("a2", "int16"), ("a4", "int32"), ("u1", "uint8"),
                                 ("u2", "uint16"), ("u4", "uint32"))}
        first = {name: np.dtype(f"{'int' if name[0] == 'a' else 'uint'}{8*int(name[1])}").type(v)
                 for name, v in first.items()}
        run("widened", {"b": q, "r": np.zeros((n, 30), "int64")}, first, n=n,
            expected={"r": sums_widened(np, q, first)})
    run("converting", {"x": x, "p": p, "r": zero, "t": none}, expected=converted(np, x, p))


def sums_widened(np, b, first):
    i = np.arange(len(b))
    with np.errstate(all="ignore"):
        (j1, j2, j4), (k1, k2,
                       k4) = ([i.astype(first[s].dtype) + first[s]
                               for s in (c + "1", c + "2", c + "4")] for c in "au")
        r = [v.astype(t)
             for w, ts in ((1, ("int16", "uint16")), (1, ("int32", "uint32")),
                           (2, ("int32", "uint32")))
             for v in ((j1, k1) if w == 1 else (j2, k2)) for t in ts]
        r += [j1, k1, j2, k2, j4, k4, j1.astype("uint8"), k1.astype("int8"), j2.astype("uint16"),
              k2.astype("int16"), j4.astype("uint32"), k4.astype("int32"),
              j4.astype("int8"), k4.astype("uint16"),
              (j1.astype("int32")*3 - first["a1"]).astype("uint16"), -k2.astype("int32"),
              first["u4"] - k4*np.uint32(2), (-j1.astype("int32")).astype("uint64")]
        return np.stack([np.where(b > 0, v.astype("int64"), 0) for v in r], axis=1)


def converted(np, x, p):
    r, t = np.zeros(len(x)), np.zeros(len(x), "int32")
    for i in range(len(x)):
        s = np.float64(0)
        for k in range(3):
            a = np.int32(np.trunc(x[i]*3.0))
            if p[i] > k:
                s += np.int64(a) + np.float64(np.float32(p[i]))*0.5 + np.float64(a + k)
            s += np.float64(np.float32(s))
        r[i] = s
        t[i] = np.int32(np.trunc(s)) + (p[i] > 2)
    return {"r": r, "t": t}

# Rounds side by side: divergent loops, break and continue, bounds that differ, private arrays, gathers, division and effects under masks.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.api import struct
from compyle.low_level import atomic_inc


@struct
class Spot:
    x: 'float32'
    y: 'float32'
    z: 'float32'


def julia(i, x, y, k):
    re = x[i]
    im = y[i]
    k[i] = 0
    while k[i] < 40 and re*re + im*im < 4.0:
        t = re*re - im*im - 0.75
        im = 2.0*re*im + 0.25
        re = t
        k[i] += 1


def leaving(i, x, y, r):
    s = 0.0
    left = -1
    for j in range(12):
        s += x[i]
        if s > y[i]:
            left = j
            break
        if j % 3 == 1:
            continue
        if x[j] < 0.0:
            s += 0.25
            continue
        s += x[j]*0.125
    else:
        s = -s
    r[i] = s + left


def rounds(i, p, r):
    k = p[i]  # read in the loop alone
    n = 0
    while k > 0:
        n += 1
        if k % 3 == 1:
            k -= 1
            continue
        k -= 2
    r[i] = n


def nested(i, p, r):
    s = 0
    for a in range(p[i]):
        k = a
        while k > 0:
            k -= 2
            if k == 5:
                break
            for b in range(k, a):
                if b == 3:
                    continue
                s += b
        if s > 60:
            break
        s += 1
    r[i] = s


def bounds(i, p, q, r):
    s = 0
    for a in range(p[i], q[i]):
        s = (s*3 + a) % 1009
    for a in range(q[i], p[i], -1):
        s = (s*5 + a) % 1009
    for a in range(q[i], p[i], -3):
        s += a*a
    for a in range(p[i], q[i] + 40, 7):
        s -= a
    for a in range(0, 9, p[i] % 3 + 1):
        s = (s*2 + a) % 1009
    for a in range(3):
        s += a
    r[i] = s


def last_values(i, p, r):
    a = 100
    b = 100
    for a in range(p[i]):
        if a == 4:
            break
    if p[i] % 2 == 0:
        for b in range(6):
            if b > p[i]:
                break
    r[i] = a*1000 + b


def sorting(i, x, r):
    m = declare('matrix(5, "double")')
    for a in range(5):
        m[a] = x[(i*7 + a*3) % 31]
    for a in range(1, 5):
        t = m[a]
        b = a - 1
        while b >= 0 and m[b] > t:
            m[b + 1] = m[b]
            b -= 1
        m[b + 1] = t
    for a in range(5):
        r[5*i + a] = m[a]


def table(i, p, r):
    m = declare('matrix((2, 3), "int")')
    for a in range(p[i] + 1):
        m[a % 2][p[i] % 3] += a
        if a > 3:
            m[1][a % 3] -= 1
    r[i] = m[0][0] + 10*m[0][1] + 100*m[0][2] + 1000*m[1][0] + 10000*m[1][1] + 100000*m[1][2]


def dividing(i, p, q, r):
    s = 0
    for a in range(4):
        if q[i] != 0 and p[i] > a:
            s += p[i] // q[i] + (p[i] + a) % q[i]
        d = q[i] - a
        s += (s // d if d != 0 else 3)
    r[i] = s


def rows_and_columns(i, r, w):
    row = i // w
    column = i % w
    s = 0
    for a in range(3):
        s += row*a + column
    r[i] = s


def bins(i, p, count):
    k = 0
    while k < p[i]:
        atomic_inc(count[k % 4])
        k += 1


def step(a, b):
    if a < b:
        return a + 1.0
    for k in range(4):
        if a*k > b:
            return k + 0.0
    return b


def helpers(i, x, y, r):
    s = x[i]
    for k in range(5):
        s = step(s, y[(i + k) % 8])
        if s > 6.0:
            return
    r[i] = s


def flags(i, x, b, r):
    seen = False
    for k in range(6):
        seen = seen or x[i] < k
        if seen and b[k]:
            break
    r[i] = seen and not b[i]


def neighbours(i, x, start, nbr, r):
    s = 0.0
    for k in range(start[i], start[i + 1]):
        j = nbr[k]
        d = x[i] - x[j]
        if d < 0.5:
            s += d*d
    r[i] = s


def permuted(i, x, order, r):
    s = 0.0
    for k in range(3):
        s = s*0.5 + x[order[i]]
        if s > 0.5:
            r[order[i]] = s
        s -= k


def backwards(i, x, r, n):
    s = 0.0
    for k in range(2):
        s += x[n - 1 - i] + k
    r[n - 1 - i] = s


def wrapping(i, p, r):
    s = p[i]
    for k in range(3):
        if s > k:
            s = s*3 + p[k]
    r[i] = s


def records(i, s, r):
    """Elements that are larger than what they are made of."""
    if r[i] > 0:
        s[i].y = s[i].x + s[i].z
    r[i] = s[i].y


def table_of(v):
    m = [[0]*3, [0]*3]
    for a in range(v + 1):
        m[a % 2][v % 3] += a
        if a > 3:
            m[1][a % 3] -= 1
    return sum(10**(3*i + j)*m[i][j] for i in range(2) for j in range(3))


def cases(case, np, rng):
    def run(name, arrays, scalars=None, **more):
        case(name, arrays, scalars, modes=("O3", "interp"), options=["--option", "simd=2", "--option", "precise=1"], **more)

    for n in (7, 8, 37, 64):
        x, y = rng.uniform(-1.5, 1.5, n), rng.uniform(-1, 1, n)
        p, q = rng.integers(0, 12, n).astype("int32"), rng.integers(-9, 9, n).astype("int32")
        run("julia", {"x": x, "y": y, "k": np.full(n, -1, "int32")})
        run("rounds", {"p": p, "r": np.full(n, -1, "int32")})
        run("nested", {"p": p, "r": np.full(n, -1, "int32")})
        run("bounds", {"p": q.astype("int64"), "q": p.astype("int64"), "r": np.full(n, -1)})
        run("last_values", {"p": p + np.int32(1), "r": np.full(n, -1, "int32")})
        run("rows_and_columns", {"r": np.full(n, -1)}, {"w": np.int64((1, 3, 8, 100)[n % 4])})
    n = 37
    x, y = rng.uniform(-1.5, 1.5, n), rng.uniform(0, 9, n)
    p, q = rng.integers(0, 12, n).astype("int32"), rng.integers(-3, 3, n).astype("int32")
    zero = np.zeros(n)
    run("leaving", {"x": x, "y": y, "r": zero})
    run("sorting", {"x": x, "r": np.zeros(5*n)}, n=n,
        expected={"r": np.concatenate([np.sort([x[(i*7 + a*3) % 31] for a in range(5)]) for i in range(n)])})
    run("table", {"p": p, "r": np.zeros(n, "int32")}, expected={"r": np.array([table_of(int(v)) for v in p], "int32")})
    run("dividing", {"p": q*np.int32(7), "q": q[::-1].copy(), "r": np.full(n, -1, "int32")})
    run("bins", {"p": p, "count": np.zeros(4, "int32")}, n=n,
        expected={"count": np.array([sum(1 for v in p for k in range(v) if k % 4 == b) for b in range(4)], "int32")})
    run("helpers", {"x": x, "y": y, "r": zero})
    s = np.zeros(n, np.dtype([(k, "float32") for k in "xyz"], metadata={"struct": "Spot"}))
    for k, field in enumerate("xyz"):
        s[field] = np.arange(n)*3 + k
    t = s.copy()
    t["y"] = np.where(q > 0, s["x"] + s["z"], s["y"])
    run("records", {"s": s, "r": q.astype("float32")}, expected={"s": t, "r": t["y"].copy()})
    run("flags", {"x": y, "b": rng.integers(0, 2, n).astype("bool"), "r": np.zeros(n, "bool")})
    start = np.cumsum(np.append(0, p)).astype("int32")
    run("neighbours", {"x": x, "start": start, "nbr": rng.integers(0, n, start[-1]).astype("int32"), "r": zero}, n=n)
    run("permuted", {"x": x, "order": rng.permutation(n).astype("int32"), "r": zero})
    run("backwards", {"x": x, "r": zero}, {"n": n})
    for t in ("int64", "uint32", "uint64"):
        run("wrapping", {"p": rng.integers(0, 99, n).astype(t), "r": np.zeros(n, t)})

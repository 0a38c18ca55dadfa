# Parallel loops: reductions of each kind and form, NaNs among minima, private variables, schedules, step and start.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.api import declare
from compyle.low_level import nogil, parallel, prange, address


def sums(n, x, r):
    s = 0.0
    p = 1.0
    low = 1000.0
    high = -1000.0
    d = 0.0
    for i in prange(n):
        s += x[i]
        p *= 1 + x[i]/1000
        low = min(low, x[i])
        high = max(high, x[i])
        d -= x[i]
    r[0] = s
    r[1] = p
    r[2] = low
    r[3] = high
    r[4] = d


def forms(n, x, r):
    s = 0.0
    p = 1.0
    q = 1.0
    some = True
    for i in prange(n):
        s = s + x[i] - 1
        s = 2 + s
        p = (1 + x[i]/1000)*p
        q = q/(1 + x[i]/1000)
        some = min(some, x[i] > -9)
    r[0] = s
    r[1] = p
    r[2] = q
    r[3] = some


def least(n, x, r):
    a = 1000.0
    b = -1000.0
    c = 1000.0
    for i in prange(n):
        a = min(a, x[i])
        b = max(x[i], b)
        if x[i] > 0:
            c = min(c, x[i], 900)
    r[0] = a
    r[1] = b
    r[2] = c


def bits(n, x, r):
    a = -1
    o = 0
    e = 0
    with nogil, parallel():
        for i in prange(n, schedule='dynamic', chunksize=16):
            a &= x[i]
            o |= x[i]
            e ^= x[i]
    r[0] = a
    r[1] = o
    r[2] = e


def private(n, x, y):
    t = 7.0
    m = declare('matrix(3)')
    with nogil, parallel():
        for i in prange(1, n, 2, num_threads=2, schedule='guided'):
            t = x[i]*2
            m = declare('matrix(3)')
            for k in range(3):
                m[k] += t + k
            if t > 1:
                t = -t
                continue_value = 1.0
            else:
                continue_value = 2.0
                y[i] = 5
                continue
            y[i] = m[0] + m[1] + m[2] + t*continue_value


def nested(n, x, r):
    s = 0
    for i in prange(n):
        inner = 0
        for j in range(i % 5):
            inner += j*x[i]
        s += inner
    r[0] = s


def nans(case, np, rng):
    """Numbers beat NaNs, wherever they stand."""
    for n in (1, 300, 9000):
        for share in (0.3, 1):
            x = rng.integers(-9, 9, n).astype("float64")
            x[rng.uniform(0, 1, n) < share] = np.nan
            x[0] = np.nan
            up = x[x > 0]
            expected = np.array([np.fmin.reduce(x, initial=1000.0), np.fmax.reduce(x, initial=-1000.0),
                                 up.min() if len(up) else 1000.0])
            for dtype in ("float64", "float32") if n > 300 else ("float64",):
                case("least", {"x": x.astype(dtype), "r": np.zeros(3, dtype)}, {"n": n}, form="function",
                     expected={"r": expected.astype(dtype)})


def cases(case, np, rng):
    nans(case, np, rng)
    for n in (0, 1, 1000, 5000):
        x = rng.integers(-9, 9, n).astype("float64")
        expected = np.array([x.sum(), np.prod(1 + x/1000), x.min() if n else 1000, x.max() if n else -1000, -x.sum() if n else 0.0])
        got = np.zeros(5)
        case("sums", {"x": np.append(x, 0), "r": got}, {"n": n}, expected={"r": expected}, ulps=20000, form="function")
        expected = np.array([x.sum() + n, np.prod(1 + x/1000), np.prod(1/(1 + x/1000)), not (x == -9).any()])
        case("forms", {"x": np.append(x, 0), "r": np.zeros(4)}, {"n": n}, expected={"r": expected}, ulps=20000, form="function")
        k = rng.integers(0, 2**31 - 1, n).astype("int32")
        fold = lambda f, start: np.array(f.reduce(k) if n else start, "int32")
        case("bits", {"x": np.append(k, 0).astype("int32"), "r": np.zeros(3, "int32")}, {"n": n}, form="function",
             expected={"r": np.array([fold(np.bitwise_and, -1), fold(np.bitwise_or, 0), fold(np.bitwise_xor, 0)], "int32")})
        small = rng.integers(0, 9, max(n, 1)).astype("int64")
        case("nested", {"x": small, "r": np.full(1, -1)}, {"n": n}, form="function",
             expected={"r": np.array([sum(int(small[i])*j for i in range(n) for j in range(i % 5))])})
    x = rng.uniform(0, 2, 501)
    y = np.zeros(501)
    for i in range(1, 501, 2):
        t = x[i]*2
        y[i] = 5 if t <= 1 else (t + (t + 1) + (t + 2)) - t
    case("private", {"x": x, "y": np.zeros(501)}, {"n": 501}, expected={"y": y}, form="function", ulps=1 << 12)

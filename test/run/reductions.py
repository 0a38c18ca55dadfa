# Parallel reductions in lanes: under conditions, behind continue, in loops and calls, several at once, of every kind of number.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.api import declare
from compyle.low_level import atomic_inc, prange


def under(n, x, r):
    s = 0.0
    low = 1e9
    c = 0
    for i in prange(n):
        if x[i] > 0.5:
            s += x[i]
            c += 1
        else:
            low = min(low, x[i] + 1)
            if x[i] < 0.25:
                s -= 1
    r[0] = s
    r[1] = low
    r[2] = c


def behind(n, x, r):
    s = 0.0
    k = 0
    for i in prange(n):
        if x[i] < 0.5:
            continue
        s += 1
        if i % 3 == 0:
            continue
        k ^= i
    r[0] = s
    r[1] = k


def inside(n, x, r):
    s = 0
    p = 0.0
    for i in prange(n):
        v = x[i]
        k = 0
        while v < 8.0 and k < 20:
            v = v*1.5 + 0.5
            k += 1
            p = max(p, v)
        for j in range(i % 4):
            if j == 2:
                break
            s += k
    r[0] = s
    r[1] = p


def taken(x, hits):
    if x > 0.75:
        atomic_inc(hits[0])
        return 2.0
    return 1.0


def called(n, x, hits, r):
    s = 0.0
    for i in prange(n):
        s += taken(x[i], hits)
    r[0] = s


def steps(n, x, r):
    s = 0
    for i in prange(n, 0, -3):
        s += i
    r[0] = s
    k = n
    for i in prange(1, n, 2):
        if x[i] > 0.9:
            k = min(k, i)
    r[1] = k


def kinds(n, x, r):
    a = declare('int8')
    b = declare('uint16')
    c = declare('float')
    any = False
    all = True
    for i in prange(n):
        a += 1
        b += 3
        c += 1
        any = any | (x[i] > 0.99)
        all = min(all, x[i] >= 0)
    r[0] = a
    r[1] = b
    r[2] = c
    r[3] = any
    r[4] = all


def complex_sums(n, z, x, r):
    s = 1 + 2j
    t = 0j
    c = 0
    for i in prange(n):
        if x[i] > 0.5:
            s += z[i]
            continue
        for k in range(2):
            s = s - 2*z[i]
        t = x[i] + t - z[i]
        c += 1
    r[0] = s
    r[1] = t
    r[2] = c
    for i in prange(n):
        for k in prange(3):
            s += k*1j
    r[3] = s
    r[4] = sum(z)


def vector_sums(n, x, r):
    s = double4(1)
    p = float2(1)
    k = int3(7)
    for i in prange(n):
        s += double4(x[i], 2*x[i], i, 3)
        p *= float2(1, -1)
        if i % 3:
            k = k - int3(i % 7, 1, i)
    for c in range(4):
        r[c] = s[c]
    for c in range(2):
        r[4 + c] = p[c]
    for c in range(3):
        r[6 + c] = k[c]


def nearest(n, x, r):
    low = 1e9
    at = n
    for i in prange(n):
        low = min(low, abs(x[i] - 0.5))
    for i in prange(n):
        if abs(x[i] - 0.5) == low:
            at = min(at, i)
    mean = 0.0
    for i in prange(n):
        mean += x[i]
    mean /= n
    for i in prange(n):
        x[i] -= mean
    r[0] = low
    r[1] = at


def cases(case, np, rng):
    all_options = ((), ("--option", "simd=2"), ("--option", "precise=1"), ("--option", "cpu_level=1"))
    for n in (77, 9000):
        x = np.floor(rng.uniform(0, 1, n)*1024)/1024
        i = np.arange(n)
        for options in all_options if n > 77 else all_options[:1]:
            low = (x[x <= 0.5] + 1).min() if (x <= 0.5).any() else 1e9
            expected = np.array([x[x > 0.5].sum() - (x < 0.25).sum(), low, (x > 0.5).sum()])
            case("under", {"x": x, "r": np.zeros(3)}, {"n": n}, form="function", expected={"r": expected}, options=options)
            expected = np.array([(x >= 0.5).sum(), np.bitwise_xor.reduce(i[(x >= 0.5) & (i % 3 != 0)])])
            case("behind", {"x": x, "r": np.zeros(2)}, {"n": n}, form="function", expected={"r": expected.astype("float64")}, options=options)
            v, k, most = x.copy(), np.zeros(n), 0.0
            for _ in range(20):
                on = v < 8
                v[on] = v[on]*1.5 + 0.5
                k[on] += 1
                most = max(most, v[on].max(initial=0))
            expected = np.array([(k*np.minimum(i % 4, 2)).sum(), most])
            case("inside", {"x": x, "r": np.zeros(2)}, {"n": n}, form="function", expected={"r": expected}, ulps=8, options=options)
            hits = np.zeros(1, "int32")
            case("called", {"x": x, "hits": hits, "r": np.zeros(1)}, {"n": n}, form="function", options=options,
                 expected={"r": np.array([n + (x > 0.75).sum()], "float64"), "hits": np.array([(x > 0.75).sum()], "int32")})
            odd = np.arange(1, n, 2)
            odd = odd[x[odd] > 0.9]
            expected = np.array([sum(range(n, 0, -3)), odd.min() if len(odd) else n], "int64")
            case("steps", {"x": x, "r": np.zeros(2, "int64")}, {"n": n}, form="function", expected={"r": expected}, options=options)
            expected = np.array([np.int64(n).astype("int8"), np.int64(3*n).astype("uint16"), n, (x > 0.99).any(), True])
            case("kinds", {"x": x, "r": np.zeros(5)}, {"n": n}, form="function", expected={"r": expected.astype("float64")}, options=options)
            for dtype in ("complex128", "complex64"):
                z = (np.floor(8*x) + 1j*(i % 5)).astype(dtype)
                low = x <= 0.5
                s = 1 + 2j + z[~low].sum() - 4*z[low].sum()
                r = np.array([s, (x - z)[low].sum(), low.sum(), s + 3j*n, z.sum()], "complex128").astype(dtype)
                case("complex_sums", {"z": z, "x": x, "r": 0*r}, {"n": n}, form="function", expected={"r": r}, options=options)
            j = i[i % 3 != 0]
            r = [1 + x.sum(), 1 + 2*x.sum(), 1 + i.sum(), 1 + 3*n, 1, (-1)**n, 7 - (j % 7).sum(), 7 - len(j), 7 - j.sum()]
            case("vector_sums", {"x": x, "r": np.zeros(9)}, {"n": n}, form="function", expected={"r": np.array(r, "float64")}, options=options)
            d = np.abs(x - 0.5)
            case("nearest", {"x": x, "r": np.zeros(2)}, {"n": n}, form="function", options=options,
                 expected={"r": np.array([d.min(), d.argmin()], "float64"), "x": x - x.mean()}, ulps=1 << 22)

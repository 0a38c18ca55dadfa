# Loops over static_range are their rounds; functions passed to helpers are called there.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from math import sqrt

STEPS = 3


def horner(i, a, r):
    c = declare("matrix(STEPS)")
    for k in static_range(STEPS):
        c[k] = k + 0.5
    s = 0.0
    for k in static_range(STEPS - 1, -1, -1):
        s = s*a[i] + c[k]
    r[i] = s + k


def square(t):
    return t*t


def apply(f, t):
    return f(t)


def join(f, a, n, b):
    m = declare("matrix(n)")
    m[n - 1] = f(a)
    return m[n - 1] - f(b)


def beside(i, a, r):
    r[i] = join(square, a[i], 2, square(a[i])) + join(b=square(2.0), n=3, f=sqrt, a=square(a[i]))


def power(x, n):
    p = x
    for k in static_range(1, n):
        p *= x
    return p


def passed(i, a, r):
    r[i] = apply(square, a[i]) + apply(sqrt, a[i]) - power(a[i], 4) + power(a[i], 1)


def scattered(i, a, r):
    s = a[i]
    for j in static_range(2):
        for k in static_range(j, 3):
            if (j + k) % 2 == 0:
                s += j*10 + k
            else:
                s -= k
    r[i] = s


def jumps(i, a, r):
    s = a[i]
    for k in static_range(6):
        if k == 2:
            continue
        if k == 4:
            break
        s += k
    r[i] = s + k


def sizes(i, a, r):
    s = 0.0
    for k in static_range(1, 4):
        m = declare("matrix(k)")
        for j in range(k):
            m[j] += a[i] + j
        s += m[k - 1]
    r[i] = s


def sum_of(f, a, r):
    s = 0.0
    for i in prange(len(a)):
        s = f(s, a[i])
    r[0] = s


def largest(f, a, r):
    s = a[0]
    for i in prange(1, len(a)):
        s = f(a[i], s)
    r[1] = s


def plus(p, q):
    return p + q


def folded(a, r):
    sum_of(plus, a, r)
    largest(max, a, r)


def cases(case, np, rng):
    for t in ("float32", "float64"):
        a = np.arange(100, dtype=t)
        r = np.zeros(2, t)
        case("folded", {"a": a, "r": r}, form="function", expected={"r": np.array([4950, 99], t)})
        case("jumps", {"a": a, "r": np.zeros(100, t)}, expected={"r": a + 0 + 1 + 3 + 4})
        case("sizes", {"a": a, "r": np.zeros(100, t)}, expected={"r": 3*a + 0 + 1 + 2})
    for t in ("float32", "float64"):
        a = np.array([0, 1, 4, 9, 16]*9, t)
        zeros = np.zeros(len(a), t)
        case("horner", {"a": a, "r": zeros}, expected={"r": 0.5 + 1.5*a + np.array(2.5, t)*a*a})
        case("passed", {"a": a, "r": zeros}, expected={"r": a*a + np.sqrt(a) - a*a*a*a + a})
        case("beside", {"a": a, "r": zeros}, expected={"r": a*a - a*a*a*a + a - 2})
        case("scattered", {"a": a, "r": zeros}, expected={"r": a + 0 - 1 + 2 + 11 - 2})

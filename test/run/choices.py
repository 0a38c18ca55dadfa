# Up to six floats that are chosen by one comparison, each of them and its opposite, of numbers that
# are equal, zeros of both signs and NaNs.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t


def taken(keeps, i, x, best, a, b, c, d, e):
    best = best if keeps else x[i]
    a = a if keeps else 1.0*i
    b = b if keeps else a + b
    c = c if keeps else d - i
    d = d if keeps else 2.0*c
    e = e if keeps else x[i]
    return best, a, b, c, d, e


def put(i, r, best, a, b, c, d, e):
    r[6*i] = best
    r[6*i + 1] = a
    r[6*i + 2] = b
    r[6*i + 3] = c
    r[6*i + 4] = d
    r[6*i + 5] = e


def less(x, n, r):
    best, a, b, c, d, e = x[0], 0.0, 1.0, 2.0, 3.0, 4.0
    for i in range(1, n):
        keeps = best < x[i]
        best, a, b, c, d, e = taken(keeps, i, x, best, a, b, c, d, e)
        put(i, r, best, a, b, c, d, e)


def no_less(x, n, r):
    best, a, b, c, d, e = x[0], 0.0, 1.0, 2.0, 3.0, 4.0
    for i in range(1, n):
        keeps = not best < x[i]
        best, a, b, c, d, e = taken(keeps, i, x, best, a, b, c, d, e)
        put(i, r, best, a, b, c, d, e)


def less_equal(x, n, r):
    best, a, b, c, d, e = x[0], 0.0, 1.0, 2.0, 3.0, 4.0
    for i in range(1, n):
        keeps = best <= x[i]
        best, a, b, c, d, e = taken(keeps, i, x, best, a, b, c, d, e)
        put(i, r, best, a, b, c, d, e)


def no_less_equal(x, n, r):
    best, a, b, c, d, e = x[0], 0.0, 1.0, 2.0, 3.0, 4.0
    for i in range(1, n):
        keeps = not best <= x[i]
        best, a, b, c, d, e = taken(keeps, i, x, best, a, b, c, d, e)
        put(i, r, best, a, b, c, d, e)


def greater(x, n, r):
    best, a, b, c, d, e = x[0], 0.0, 1.0, 2.0, 3.0, 4.0
    for i in range(1, n):
        keeps = best > x[i]
        best, a, b, c, d, e = taken(keeps, i, x, best, a, b, c, d, e)
        put(i, r, best, a, b, c, d, e)


def no_greater(x, n, r):
    best, a, b, c, d, e = x[0], 0.0, 1.0, 2.0, 3.0, 4.0
    for i in range(1, n):
        keeps = not best > x[i]
        best, a, b, c, d, e = taken(keeps, i, x, best, a, b, c, d, e)
        put(i, r, best, a, b, c, d, e)


def greater_equal(x, n, r):
    best, a, b, c, d, e = x[0], 0.0, 1.0, 2.0, 3.0, 4.0
    for i in range(1, n):
        keeps = best >= x[i]
        best, a, b, c, d, e = taken(keeps, i, x, best, a, b, c, d, e)
        put(i, r, best, a, b, c, d, e)


def no_greater_equal(x, n, r):
    best, a, b, c, d, e = x[0], 0.0, 1.0, 2.0, 3.0, 4.0
    for i in range(1, n):
        keeps = not best >= x[i]
        best, a, b, c, d, e = taken(keeps, i, x, best, a, b, c, d, e)
        put(i, r, best, a, b, c, d, e)


def equal(x, n, r):
    best, a, b, c, d, e = x[0], 0.0, 1.0, 2.0, 3.0, 4.0
    for i in range(1, n):
        keeps = best == x[i]
        best, a, b, c, d, e = taken(keeps, i, x, best, a, b, c, d, e)
        put(i, r, best, a, b, c, d, e)


def no_equal(x, n, r):
    best, a, b, c, d, e = x[0], 0.0, 1.0, 2.0, 3.0, 4.0
    for i in range(1, n):
        keeps = not best == x[i]
        best, a, b, c, d, e = taken(keeps, i, x, best, a, b, c, d, e)
        put(i, r, best, a, b, c, d, e)


def not_equal(x, n, r):
    best, a, b, c, d, e = x[0], 0.0, 1.0, 2.0, 3.0, 4.0
    for i in range(1, n):
        keeps = best != x[i]
        best, a, b, c, d, e = taken(keeps, i, x, best, a, b, c, d, e)
        put(i, r, best, a, b, c, d, e)


def no_not_equal(x, n, r):
    best, a, b, c, d, e = x[0], 0.0, 1.0, 2.0, 3.0, 4.0
    for i in range(1, n):
        keeps = not best != x[i]
        best, a, b, c, d, e = taken(keeps, i, x, best, a, b, c, d, e)
        put(i, r, best, a, b, c, d, e)


def cases(case, np, rng):
    inf, nan = np.inf, np.nan
    numbers = [1, 1, 2, 1, 0, -0.0, 0.0, -1, nan, -1, -1, inf, inf, 3, -inf, -inf, 3, 3, 4, nan,
               nan, 4, 5, 5, 4]
    for dtype in ("float64", "float32"):
        x = np.array(numbers, dtype)
        for name in ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"):
            for opposite in ("", "no_"):
                case(opposite + name, {"x": x, "r": np.zeros(6*len(x), dtype)}, {"n": len(x)},
                     expected=None, form="function")

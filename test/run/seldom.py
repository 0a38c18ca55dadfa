# Loops that seldom change what they carry, which look at some rounds together before they make them: what is least or
# greatest, and where, wherever that is, with few changes or one a round. A row of x each: simd=0, as rows side by side
# have vectors of their own.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t


def first_least(i, x, n, at):
    value = x[i*n]
    index = 0
    for j in range(n):
        if x[i*n + j] < value:
            value = x[i*n + j]
            index = j
    at[i] = index


def last_greatest(i, x, n, at):
    value = x[i*n]
    index = 0
    for j in range(1, n):
        v = x[i*n + j]
        value, index = (v, j) if v >= value else (value, index)
    at[i] = index


def by_place(i, x, n, at):
    index = 0
    for j in range(n):
        if x[i*n + j] < x[i*n + index]:
            index = j
    at[i] = index


def with_count(i, x, n, at):
    low = x[i*n]
    changes = 0
    for j in range(n):
        changes += 1 if x[i*n + j] < low else 0
        low = min(low, x[i*n + j])
    at[i] = changes


def behind_least(i, x, n, at):
    low = x[i*n]
    near = 0
    index = 0
    for j in range(n):
        near += 1 if x[i*n + j] > low + 2 and low > 30 else 0
        index = j if x[i*n + j] > low + 40 else index
        low = min(low, x[i*n + j])
    at[i] = index + 1000*near


def behind_greatest(i, x, n, at):
    high = x[i*n]
    index = 0
    for j in range(n):
        index = j if x[i*n + j] + 40 < high else index
        high = max(high, x[i*n + j])
    at[i] = index


def two_ways(i, x, n, at):
    best = x[i*n]
    for j in range(n):
        v = x[i*n + j]
        below = v if v > 20 else best
        above = best if v != best + 1 else v
        best = below if v < best else above
    at[i] = best


def second_least(i, x, n, at):
    a = x[i*n] + 100
    b = a
    for j in range(n):
        v = x[i*n + j]
        if v < a:
            b = a
            a = v
        elif v < b:
            b = v
    at[i] = b


def nearest(i, x, n, at):
    best = 1000.0
    index = -1
    for j in range(n):
        d = abs(x[i*n + j] - 33.25)
        if d < best and j != 3:
            best = d
            index = j
    at[i] = index


def four_at_once(i, x, n, at):
    q = n//4
    a = b = c = d = x[i*n]
    k = l = m = o = 0
    for j in range(i*n, i*n + q):
        a, k = (a, k) if a <= x[j] else (x[j], j)
        b, l = (b, l) if b <= x[j + q] else (x[j + q], j)
        c, m = (c, m) if c <= x[j + 2*q] else (x[j + 2*q], j)
        d, o = (d, o) if d <= x[j + 3*q] else (x[j + 3*q], j)
    at[i] = k + 3*l + 5*m + 7*o


def farthest(i, x, n, at):
    index = 0
    for j in range(n):
        if x[i*n + j] + j > x[i*n + index] + 2*index:
            index = j
    at[i] = index


def between(i, x, n, at):
    index = 0
    for j in range(n):
        if x[i*n + j] < x[i*n + (index + j)//2]:
            index = j
    at[i] = index


def divided(i, x, n, at):
    best = 1
    index = 0
    for j in range(n):
        if int(x[i*n + j]) // best > 1:
            best = int(x[i*n + j])
            index = j
    at[i] = index + 1000*best


def first_least_down(i, x, n, at):
    value = x[i*n + n - 1]
    index = n - 1
    for j in range(n - 1, -1, -1):
        if x[i*n + j] < value:
            value = x[i*n + j]
            index = j
    at[i] = index


def above_front(i, x, n, at):
    value = x[i*n]
    index = 0
    for j in range(n - 1, 0, -1):
        if x[i*n + j] < value:
            value = x[i*n + j]
            index = j
    at[i] = index


def every_second(i, x, n, at):
    value = x[i*n]
    index = 0
    for j in range(0, n, 2):
        if x[i*n + j] < value:
            value = x[i*n + j]
            index = j
    at[i] = index


def every_third_down(i, x, n, at):
    value = x[i*n]
    index = 0
    for j in range(n - 1, -1, -3):
        if x[i*n + j] > value:
            value = x[i*n + j]
            index = j
    at[i] = index


def counted_down(i, x, n, at):
    value = x[i*n]
    index = 0
    j = n - 1
    while j != 0:
        if x[i*n + j] < value:
            value = x[i*n + j]
            index = j
        j -= 1
    at[i] = index


def three_counters(i, x, n, at):
    value = x[i*n]
    index = 0
    k = 5
    m = -n
    for j in range(n):
        if x[i*n + j] < value:
            value = x[i*n + j]
            index = 7*k - m
        k += 3
        m -= 2
    at[i] = index + 1000*k + m


def places_by_twos(i, x, n, at):
    value = x[i*n]
    index = 0
    k = 1
    for j in range(n//2):
        if x[i*n + k] < value:
            value = x[i*n + k]
            index = j
        k += 2
    at[i] = index + 1000*k


def places_by_threes_down(i, x, n, at):
    value = x[i*n]
    index = 0
    k = n - 1
    for j in range(n//3):
        if x[i*n + k] > value:
            value = x[i*n + k]
            index = j
        k -= 3
    at[i] = index + 1000*k


def cases(case, np, rng):
    def rows(t, n):
        yield np.arange(n)
        yield np.arange(n)[::-1]
        for k in range(5):
            yield rng.integers(0, 120, n)
        for k in {0, 1, n - 1, *rng.integers(0, n, 12)}:
            yield np.where(np.arange(n) == k, 3, 7)
            yield np.where(np.arange(n) == k, 9, 7)
        yield np.full(n, 33)
        yield np.where(np.arange(n)*3//n == 1, 0, 9)
        yield np.where(np.arange(n)*3//n == 1, 90, 3)
        yield np.abs(np.arange(n) - n//2)
        yield 120 - np.abs(np.arange(n) - n//3) % 121
        yield rng.permutation(n) % 125
        yield np.minimum(np.arange(n)[::-1], 120)
        if t[0] == "f":
            yield np.where(rng.integers(0, 3, n) == 0, np.nan, rng.random(n))
            yield np.where(rng.integers(0, 2, n) == 0, -0.0, 0.0)
            yield np.where(rng.integers(0, 2, n) == 0, -np.inf, np.inf)

    functions = (first_least, last_greatest, by_place, with_count, behind_least, behind_greatest,
                 two_ways, second_least, nearest, four_at_once, farthest, between, divided,
                 first_least_down, above_front, every_second, every_third_down, counted_down,
                 three_counters, places_by_twos,
                 places_by_threes_down)
    of_numbers = (second_least, two_ways)
    kinds = (("float64", 70), ("float32", 33), ("int32", 1), ("int64", 9), ("uint8", 300),
             ("uint32", 90), ("int32", 130), ("float64", 1000), ("int16", 17), ("float64", 34))
    for f in functions:
        for t, n in kinds:
            if (f is divided and t[0] == "f") or (f is farthest and t[-2:] != "64"):
                continue
            x = np.array([[v % 128 if t[0] != "f" else v for v in row] for row in rows(t, n)], t)
            if t == "uint32":
                x += np.uint32(2**31 - 5)
            at = np.full(len(x), 99, x.dtype if f in of_numbers else "i8")
            case(f.__name__, {"x": x.ravel(), "at": at}, {"n": n}, n=len(x),
                 options=["--option", "simd=0"])

# Sums of many rounds into few elements by atomics, whose result nobody asks for: GPUs and the host collect them in memory
# of a group's or a thread's own.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t


def count(i, x, h):
    atomic_inc(h[x[i]])


def sums(i, x, v, s):
    atomic_add(s[x[i]], v[i])


def means(i, x, v, s, h):
    c = x[i]
    if c != 3:
        atomic_add(s[c], v[i])
        atomic_inc(h[c])


def rows(i, x, v, s, count, d):
    """Several elements a round, and a difference."""
    for k in range(d):
        atomic_add(s[x[i]*d + k], v[i] + k)
        atomic_sub(count[k], 2)


def skipping(i, x, s):
    if x[i] % 2:
        return
    atomic_sub(s[x[i]], i)


def cases(case, np, rng):
    def cells(n, count):
        return rng.integers(0, count, n, dtype=np.int32)

    for n, length in ((9000, 5), (9000, 1), (4099, 255), (9000, 2048), (9000, 4096), (9000, 4097), (100, 60)):
        x = cells(n, length)
        for dtype in ("i4", "u4", "i8", "u8"):
            h = np.full(length, 7, dtype)
            case("count", arrays=dict(x=x, h=h), expected=dict(h=h + np.bincount(x, minlength=length).astype(dtype)))
    # Numbers whose sums are exact in any order, and those of cells that nothing is added to keep their sign.
    for dtype in ("f4", "f8", "i4", "u8"):
        for n, length in ((9000, 5), (9000, 300)):
            x, v = cells(n, length - 1), rng.integers(0, 9, n).astype(dtype)
            s = np.full(length, -0.0 if dtype[0] == "f" else 3, dtype)
            added = np.bincount(x, weights=v, minlength=length).astype(dtype)
            expected = np.where(np.bincount(x, minlength=length) > 0, s + added, s)
            case("sums", arrays=dict(x=x, v=v, s=s), expected=dict(s=expected))
    for length in (4, 1000, 1025, 2000):
        n = 9000
        x, v = cells(n, length), rng.integers(-9, 9, n).astype("f8")
        used = x != 3
        case("means", arrays=dict(x=x, v=v, s=np.zeros(length), h=np.zeros(length, "i8")),
             expected=dict(s=np.bincount(x[used], weights=v[used], minlength=length),
                           h=np.bincount(x[used], minlength=length)))
    for d in (1, 3):
        n, length = 6000, 10
        x, v = cells(n, length), rng.integers(-9, 9, n).astype("i4")
        s = np.zeros((length, d), "i4")
        for k in range(d):
            np.add.at(s[:, k], x, v + k)
        case("rows", arrays=dict(x=x, v=v, s=np.zeros(length*d, "i4"), count=np.zeros(d, "i4")), scalars=dict(d=d),
             expected=dict(s=s.ravel(), count=np.full(d, -2*n, "i4")))
    x = cells(7000, 40)
    even = x % 2 == 0
    s = np.zeros(40, "i8")
    np.subtract.at(s, x[even], np.arange(7000)[even])
    case("skipping", arrays=dict(x=x, s=np.zeros(40, "i8")), expected=dict(s=s))

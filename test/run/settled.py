# Choices that a loop carries, of what it had and of something else: what is taken and what is
# compared with stay as they are, or are others in each round. Where both stay, and what the choice
# begins with, the first round settles it; where one moves it does not.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t


def put(r, at, a, b, c, d):
    r[at] = a
    r[at + 1] = b
    r[at + 2] = c
    r[at + 3] = d


def meets(n, b, c, d, y, z, r):
    p0 = p1 = p2 = p3 = b
    q0 = q1 = q2 = q3 = b
    s0 = s1 = s2 = s3 = b
    t0 = t1 = t2 = t3 = b
    for k in range(n):
        p0 = 7 if p0 != 3 else p0
        p1 = 7 if p1 != d else p1
        p2 = 7 if p2 != z[k] else p2
        p3 = 7 if p3 != k else p3
        q0 = c if q0 != 3 else q0
        q1 = c if q1 != d else q1
        q2 = c if q2 != z[k] else q2
        q3 = c if q3 != k else q3
        s0 = y[k] if s0 != 3 else s0
        s1 = y[k] if s1 != d else s1
        s2 = y[k] if s2 != z[k] else s2
        s3 = y[k] if s3 != k else s3
        t0 = k if t0 != 3 else t0
        t1 = k if t1 != d else t1
        t2 = k if t2 != z[k] else t2
        t3 = k if t3 != k else t3
    put(r, 0, p0, p1, p2, p3)
    put(r, 4, q0, q1, q2, q3)
    put(r, 8, s0, s1, s2, s3)
    put(r, 12, t0, t1, t2, t3)


def turns(n, b, c, d, y, z, r):
    p0 = p1 = p2 = p3 = b
    q0 = q1 = q2 = q3 = b
    s0 = s1 = s2 = s3 = b
    t0 = t1 = t2 = t3 = b
    for k in range(n):
        p0 = p0 if 3 == p0 else 7
        p1 = p1 if d == p1 else 7
        p2 = p2 if z[k] == p2 else 7
        p3 = p3 if k == p3 else 7
        q0 = q0 if 3 == q0 else c
        q1 = q1 if d == q1 else c
        q2 = q2 if z[k] == q2 else c
        q3 = q3 if k == q3 else c
        s0 = s0 if 3 == s0 else y[k]
        s1 = s1 if d == s1 else y[k]
        s2 = s2 if z[k] == s2 else y[k]
        s3 = s3 if k == s3 else y[k]
        t0 = t0 if 3 == t0 else k
        t1 = t1 if d == t1 else k
        t2 = t2 if z[k] == t2 else k
        t3 = t3 if k == t3 else k
    put(r, 0, p0, p1, p2, p3)
    put(r, 4, q0, q1, q2, q3)
    put(r, 8, s0, s1, s2, s3)
    put(r, 12, t0, t1, t2, t3)


def grows(n, b, c, d, y, z, r):
    p0 = p1 = p2 = p3 = b
    q0 = q1 = q2 = q3 = b
    s0 = s1 = s2 = s3 = b
    t0 = t1 = t2 = t3 = b
    for k in range(n):
        p0 = 7 if p0 < 3 else p0
        p1 = 7 if p1 < d else p1
        p2 = 7 if p2 < z[k] else p2
        p3 = 7 if p3 < k else p3
        q0 = c if q0 < 3 else q0
        q1 = c if q1 < d else q1
        q2 = c if q2 < z[k] else q2
        q3 = c if q3 < k else q3
        s0 = y[k] if s0 < 3 else s0
        s1 = y[k] if s1 < d else s1
        s2 = y[k] if s2 < z[k] else s2
        s3 = y[k] if s3 < k else s3
        t0 = k if t0 < 3 else t0
        t1 = k if t1 < d else t1
        t2 = k if t2 < z[k] else t2
        t3 = k if t3 < k else t3
    put(r, 0, p0, p1, p2, p3)
    put(r, 4, q0, q1, q2, q3)
    put(r, 8, s0, s1, s2, s3)
    put(r, 12, t0, t1, t2, t3)


def stays(n, b, c, d, y, z, r):
    p0 = p1 = p2 = p3 = b
    q0 = q1 = q2 = q3 = b
    s0 = s1 = s2 = s3 = b
    t0 = t1 = t2 = t3 = b
    for k in range(n):
        p0 = p0 if 3 <= p0 else 7
        p1 = p1 if d <= p1 else 7
        p2 = p2 if z[k] <= p2 else 7
        p3 = p3 if k <= p3 else 7
        q0 = q0 if 3 <= q0 else c
        q1 = q1 if d <= q1 else c
        q2 = q2 if z[k] <= q2 else c
        q3 = q3 if k <= q3 else c
        s0 = s0 if 3 <= s0 else y[k]
        s1 = s1 if d <= s1 else y[k]
        s2 = s2 if z[k] <= s2 else y[k]
        s3 = s3 if k <= s3 else y[k]
        t0 = t0 if 3 <= t0 else k
        t1 = t1 if d <= t1 else k
        t2 = t2 if z[k] <= t2 else k
        t3 = t3 if k <= t3 else k
    put(r, 0, p0, p1, p2, p3)
    put(r, 4, q0, q1, q2, q3)
    put(r, 8, s0, s1, s2, s3)
    put(r, 12, t0, t1, t2, t3)


def begun(n, c, d, y, r):
    """What a choice begins with is found only at run time, and in an outer loop."""
    for j in range(n):
        p = y[j]
        q = j
        for k in range(n):
            p = c if p != d else p
            q = y[k] if q != d else q
        r[0] = 3*r[0] + p
        r[1] = 3*r[1] + q
        s = c
        for k in range(j):
            s = j if s != d else s
        r[2] = 3*r[2] + s


def cases(case, np, rng):
    for t in "int64", "int32", "uint8":
        n = np.dtype(t).type
        y, z, r = rng.integers(0, 9, (3, 70)).astype(t)
        for b in 3, 5, 0:
            for name in "meets", "turns", "grows", "stays":
                case(name, {"y": y, "z": z, "r": r[:16]}, {"n": 70, "b": n(b), "c": n(3), "d": n(5)}, form="function")
        case("begun", {"y": y, "r": r[:3].astype("int64")}, {"n": 20, "c": n(3), "d": n(5)}, form="function")

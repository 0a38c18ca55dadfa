# Parallel loops whose bounds and steps are literals, of every sign: sums, least ones, what is stored
# and what is counted.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.low_level import atomic_inc, prange


def sums(m, x, r):
    n = m[0]
    s0 = 0
    for i in prange(0, n):
        s0 += x[i + 2]
    r[0] = s0
    s1 = 0
    for i in prange(0, n, 2):
        s1 += x[i + 2]
    r[1] = s1
    s2 = 0
    for i in prange(n - 1, 0, -1):
        s2 += x[i + 2]
    r[2] = s2
    s3 = 0
    for i in prange(n - 1, 0, -3):
        s3 += x[i + 2]
    r[3] = s3
    s4 = 0
    for i in prange(1, n):
        s4 += x[i + 2]
    r[4] = s4
    s5 = 0
    for i in prange(1, n, 2):
        s5 += x[i + 2]
    r[5] = s5
    s6 = 0
    for i in prange(n - 1, 1, -1):
        s6 += x[i + 2]
    r[6] = s6
    s7 = 0
    for i in prange(n - 1, 1, -3):
        s7 += x[i + 2]
    r[7] = s7
    s8 = 0
    for i in prange(3, n):
        s8 += x[i + 2]
    r[8] = s8
    s9 = 0
    for i in prange(3, n, 2):
        s9 += x[i + 2]
    r[9] = s9
    s10 = 0
    for i in prange(n - 1, 3, -1):
        s10 += x[i + 2]
    r[10] = s10
    s11 = 0
    for i in prange(n - 1, 3, -3):
        s11 += x[i + 2]
    r[11] = s11
    s12 = 0
    for i in prange(-2, n):
        s12 += x[i + 2]
    r[12] = s12
    s13 = 0
    for i in prange(-2, n, 2):
        s13 += x[i + 2]
    r[13] = s13
    s14 = 0
    for i in prange(n - 1, -2, -1):
        s14 += x[i + 2]
    r[14] = s14
    s15 = 0
    for i in prange(n - 1, -2, -3):
        s15 += x[i + 2]
    r[15] = s15
    s16 = 0
    for i in prange(2, 3):
        s16 += x[i + 2]
    r[16] = s16
    s17 = 0
    for i in prange(5, 5):
        s17 += x[i + 2]
    r[17] = s17
    s18 = 0
    for i in prange(3, 2):
        s18 += x[i + 2]
    r[18] = s18
    s19 = 0
    for i in prange(2, 3, 7):
        s19 += x[i + 2]
    r[19] = s19


def least(m, x, r):
    n = m[0]
    s0 = 1000
    for i in prange(0, n):
        s0 = min(s0, x[i + 2] - i)
    r[0] = s0
    s1 = 1000
    for i in prange(0, n, 2):
        s1 = min(s1, x[i + 2] - i)
    r[1] = s1
    s2 = 1000
    for i in prange(n - 1, 0, -1):
        s2 = min(s2, x[i + 2] - i)
    r[2] = s2
    s3 = 1000
    for i in prange(n - 1, 0, -3):
        s3 = min(s3, x[i + 2] - i)
    r[3] = s3
    s4 = 1000
    for i in prange(1, n):
        s4 = min(s4, x[i + 2] - i)
    r[4] = s4
    s5 = 1000
    for i in prange(1, n, 2):
        s5 = min(s5, x[i + 2] - i)
    r[5] = s5
    s6 = 1000
    for i in prange(n - 1, 1, -1):
        s6 = min(s6, x[i + 2] - i)
    r[6] = s6
    s7 = 1000
    for i in prange(n - 1, 1, -3):
        s7 = min(s7, x[i + 2] - i)
    r[7] = s7
    s8 = 1000
    for i in prange(3, n):
        s8 = min(s8, x[i + 2] - i)
    r[8] = s8
    s9 = 1000
    for i in prange(3, n, 2):
        s9 = min(s9, x[i + 2] - i)
    r[9] = s9
    s10 = 1000
    for i in prange(n - 1, 3, -1):
        s10 = min(s10, x[i + 2] - i)
    r[10] = s10
    s11 = 1000
    for i in prange(n - 1, 3, -3):
        s11 = min(s11, x[i + 2] - i)
    r[11] = s11
    s12 = 1000
    for i in prange(-2, n):
        s12 = min(s12, x[i + 2] - i)
    r[12] = s12
    s13 = 1000
    for i in prange(-2, n, 2):
        s13 = min(s13, x[i + 2] - i)
    r[13] = s13
    s14 = 1000
    for i in prange(n - 1, -2, -1):
        s14 = min(s14, x[i + 2] - i)
    r[14] = s14
    s15 = 1000
    for i in prange(n - 1, -2, -3):
        s15 = min(s15, x[i + 2] - i)
    r[15] = s15
    s16 = 1000
    for i in prange(2, 3):
        s16 = min(s16, x[i + 2] - i)
    r[16] = s16
    s17 = 1000
    for i in prange(5, 5):
        s17 = min(s17, x[i + 2] - i)
    r[17] = s17
    s18 = 1000
    for i in prange(3, 2):
        s18 = min(s18, x[i + 2] - i)
    r[18] = s18
    s19 = 1000
    for i in prange(2, 3, 7):
        s19 = min(s19, x[i + 2] - i)
    r[19] = s19


def stored(m, x, r):
    n = m[0]
    for i in prange(0, n):
        r[0*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(0, n, 2):
        r[1*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(n - 1, 0, -1):
        r[2*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(n - 1, 0, -3):
        r[3*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(1, n):
        r[4*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(1, n, 2):
        r[5*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(n - 1, 1, -1):
        r[6*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(n - 1, 1, -3):
        r[7*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(3, n):
        r[8*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(3, n, 2):
        r[9*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(n - 1, 3, -1):
        r[10*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(n - 1, 3, -3):
        r[11*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(-2, n):
        r[12*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(-2, n, 2):
        r[13*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(n - 1, -2, -1):
        r[14*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(n - 1, -2, -3):
        r[15*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(2, 3):
        r[16*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(5, 5):
        r[17*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(3, 2):
        r[18*(n + 2) + i + 2] = x[i + 2] + i
    for i in prange(2, 3, 7):
        r[19*(n + 2) + i + 2] = x[i + 2] + i


def counted(m, x, r):
    n = m[0]
    for i in prange(0, n):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(0, n, 2):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(n - 1, 0, -1):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(n - 1, 0, -3):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(1, n):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(1, n, 2):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(n - 1, 1, -1):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(n - 1, 1, -3):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(3, n):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(3, n, 2):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(n - 1, 3, -1):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(n - 1, 3, -3):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(-2, n):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(-2, n, 2):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(n - 1, -2, -1):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(n - 1, -2, -3):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(2, 3):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(5, 5):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(3, 2):
        atomic_inc(r[x[i + 2] % 7])
    for i in prange(2, 3, 7):
        atomic_inc(r[x[i + 2] % 7])


def cases(case, np, rng):
    for n in (0, 1, 4, 9, 5000):
        x = rng.integers(0, 500, n + 9)
        for name, size in (("sums", 20), ("least", 20), ("stored", 20*(n + 9))):
            for kind in ("int64", "int32"):
                case(name, {"m": np.array([n], kind), "x": x, "r": np.zeros(size, "int64")},
                     expected=None, form="function")
        rounds = [k for s in (0, 1, 3, -2) for k in (range(s, n), range(s, n, 2),
                                                     range(n - 1, s, -1), range(n - 1, s, -3))]
        rounds += [range(2, 3), range(5, 5), range(3, 2), range(2, 3, 7)]
        counts = sum(np.bincount(x[np.array(k, "int64") + 2] % 7, minlength=7) for k in rounds)
        case("counted", {"m": np.array([n]), "x": x, "r": np.zeros(7, "int64")},
             expected={"r": counts}, form="function")

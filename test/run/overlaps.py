# Slices that read the array which they write: all is read as it was, whatever the order of the rounds.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np


def shifts(a, n):
    a[1:] = a[:-1]
    a[:-2] += a[2:]*3
    a[-2::-1] = a[:0:-1]
    a[2::2] -= a[:-2:2]
    a[n:] = a[:len(a) - n] if n < 3 else 7 - a[n:]


def moved(a, i, j, n):
    a[i:i + n] = a[j:j + n] + 1
    a[j + n - 1:j - 1:-1] = a[i + n - 1:i - 1:-1]*2
    for k in range(2):
        a[k + i:k + n] -= a[k + j:k + n - i + j]


def strides(a, n):
    a[:n] = a[:2*n:2]
    a[:2*n:2] = a[:n] + 1
    a[1:1 + n] += a[2:2 + 3*n:3]
    a[::2] = a[1::2]


def strides_down(a):
    """From one end, in steps of several sizes."""
    a[:8:-1] = a[:4:-2] + 1
    a[:4:-2] = a[:8:-1]*2
    a[:8:-1] -= a[:0:-3]
    a[:0:-3] = a[:8:-1] + 1
    a[:4:-2] += a[:0:-3]
    a[:0:-3] -= a[:4:-2]


def turns(a, n):
    a[::-1] = a
    a[:] = a[::-1]*2 + a
    a[1:] += a[:0:-1] if n < 3 else a[1:]
    a[:n] = a[n - 1::-1]
    a[2:2 + n] = a[n:0:-1] + 1
    a[::2] = a[-2::-2]
    a[::2] += a[::-2]
    a[1:-1:2] -= a[-2:0:-2]
    a[::-1] += a


def steps(a, c):
    a[1:-1] = 0.5*(a[:-2] + a[2:])
    a[3:-1] += c*a[:-4] - a[1:-3]*a[4:] + a[2:-2]
    a[2::2] = a[:-2:2] if c > 0 else a[2::2]
    a[1:-1] = np.maximum(a[:-2], a[2:]) - a[1:-1]


def reaches(a):
    a[1:-1] += a[:-2] + a[2:]
    a[2:-1] += a[:-3] - a[3:]
    a[3:-1] += a[:-4] - a[4:]
    a[4:-1] += a[:-5] - a[5:]
    a[5:-1] += a[:-6] - a[6:]
    a[6:-1] += a[:-7] - a[7:]
    a[7:-1] += a[:-8] - a[8:]
    a[8:-1] += a[:-9] - a[9:]
    a[8:-1] += a[:-9] - a[9:] + a[1:-8]


def compared(a, i, j):
    """Bounds that only a comparison tells apart."""
    a[(i < j)*2:(i < j)*2 + 4] = a[(i > j)*2:(i > j)*2 + 4]


def blocks(m, n):
    m[1:, 1:] = m[:-1, :-1]
    m[1:, :-1] += m[:-1, 1:]
    m[:-1, 1:] = m[1:, :-1]*2
    m[:-1, :] = m[1:, :] + m[:-1, :]
    m[n:, :n] = m[:-n, -n:]
    m[:, ::-1] = m[:, :]
    m[::-1, :] += m[:, :]
    m[:, :] = m[::-1, ::-1] - 1
    m[:, 1:] = m[:, :-1]


def rows(m, i, j):
    m[i, 1:] = m[j, :-1]
    m[i, ::-1] = m[j, :]
    m[:, i] = m[::-1, j]
    p = m[i]
    q = m[j]
    p[2:] += q[:-2]
    p[:] = p[::-1]
    m[i, 1:-1] = m[i, 2:] + m[i, :-2]


def own(k, m):
    t = np.zeros(6)
    t[:] = m[k]
    t[1:] = t[:-1]
    t[::-1] = t
    t[1:-1] += t[2:] - t[:-2]
    for r in range(3):
        t[r:] = t[:len(t) - r]
    m[k, 1:] = m[k, :-1]
    m[k] += t


def cases(case, np, rng):
    for t in ("float64", "int32", "complex128"):
        for size in (4, 40) if t == "float64" else (9,):
            a = (np.arange(size)*7 % 11 + 1).astype(t)
            case("shifts", {"a": a}, {"n": 2}, form="function")
            case("turns", {"a": a[:size // 2*2]}, {"n": size // 2 - 1}, form="function")
            case("strides", {"a": a[:size // 2*2]}, {"n": size // 4}, form="function")
        case("strides_down", {"a": (np.arange(13)*7 % 11 + 1).astype(t)}, form="function")
    for size in (0, 1, 2, 3, 30):
        a = (np.arange(size)*7 % 11 + 1).astype(float)
        case("shifts", {"a": a}, {"n": 1}, form="function", expected=None if size > 1 else {"a": a})
    for size in (6, 7, 8, 30):
        a = np.arange(size)*7 % 11 + 0.5
        for c in (2.0, -1.0):
            case("steps", {"a": a}, {"c": c}, form="function")
            case("steps", {"a": np.repeat(a, 3)[::3]}, {"c": c}, form="function")
    for size in (9, 10, 11, 31):
        case("reaches", {"a": np.arange(size)**2 % 13 + 0.5}, form="function")
    a = np.arange(30.0)**2 % 17
    for i, j in ((1, 1), (1, 3), (3, 1), (9, 2), (2, 9), (12, 10)):
        case("moved", {"a": a}, {"i": i, "j": j, "n": i + 5}, form="function")
    for i, j in ((1, 2), (2, 1)):
        case("compared", {"a": a[:8]}, {"i": i, "j": j}, form="function")
    m = np.arange(35.0).reshape(5, 7)**2 % 23
    for n in (1, 3, 4):
        case("blocks", {"m": m}, {"n": n}, form="function")
        case("blocks", {"m": m[:, ::-1]}, {"n": n}, form="function")
    for i, j in ((1, 3), (2, 2), (4, 0)):
        case("rows", {"m": m}, {"i": i, "j": j}, form="function")
    case("own", {"m": m[:, :6].copy()})

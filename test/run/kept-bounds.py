# What a loop goes over is what it was when the loop began, whatever its body assigns: each part of
# each kind of loop is a name that the rounds change. They say which numbers they had.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np


def ranges(a, b, c, r):
    for v in range(b):
        b = b - 2
        r[0] = 3*r[0] + v + 1
    b = 7
    for v in range(a, b):
        a = a + 1
        b = b - 2
        r[1] = 3*r[1] + v + 1
    a = 1
    b = 9
    for v in range(a, b, c):
        a = a + 1
        b = b - 2
        c = c + 1
        r[2] = 3*r[2] + v + 1
    for v in range(b, a, -c):
        a = a - 1
        b = b + 2
        c = c + 1
        r[3] = 3*r[3] + v + 1
    for v in np.arange(b):
        b = b - 2
        r[4] = 3*r[4] + v + 1


def turned(a, b, r):
    for v in reversed(range(b)):
        b = b - 2
        r[0] = 3*r[0] + v + 1
    b = 7
    for v in reversed(range(a, b)):
        a = a + 2
        r[1] = 3*r[1] + v + 1
    a = 1
    for v in reversed(range(a, b)):
        b = b - 2
        r[2] = 3*r[2] + v + 1
    b = 6
    for v in reversed(range(a, b)):
        b = b + 1
        a = a - 1
        r[3] = 3*r[3] + v + 1
    b = 6
    for v in reversed(range(b)):
        v = v - 1
        b = v
        r[4] = 3*r[4] + v + b


def nests(h, w, x, r):
    for i, j in np.ndindex(h, w):
        h = h + 1
        w = w + 2
        r[0] = 3*r[0] + i + 2*j + 1
    h = 2
    w = 3
    for i, j in np.ndindex((h, w)):
        h = h - 1
        w = w - 1
        r[1] = 3*r[1] + i + 2*j + 1
    h = 2
    for i, in np.ndindex(h):
        h = h + 1
        r[2] = 3*r[2] + i + 1
    for (i, j), v in np.ndenumerate(x):
        i = i + 5
        j = j + i
        r[3] = 3*r[3] + i + 2*j + v
    h = 2
    w = 5
    for i, j in np.ndindex(h - 2, 3):
        w = i + j
    for j, w in np.ndindex(3, h - 2):
        h = j
    for i, i in np.ndindex(2, 3):
        r[4] = 3*r[4] + i
    r[5] = 100*i + 10*w + h


def elements(k, m, s, x, y, r):
    for j, v in enumerate(x, s):
        s = s + 1
        r[0] = 3*r[0] + v + j
    for j, v in enumerate(x, start=s):
        s = s - 2
        r[1] = 3*r[1] + v + j
    for v in y[k]:
        k = k + 1
        r[2] = 3*r[2] + v
    k = 0
    for j, v in enumerate(y[k + 1], k):
        k = k + 1
        r[3] = 3*r[3] + v + j
    k = 0
    for v in x[k:m]:
        k = k + 1
        m = m - 1
        r[4] = 3*r[4] + v
    k = 1
    m = 3
    for j, v in enumerate(x[k:], m):
        k = k + 1
        m = m + 1
        r[5] = 3*r[5] + v + j
    m = 3
    for v in x[:m]:
        m = m - 2
        r[6] = 3*r[6] + v
    k = 1
    m = 2
    for v, w in zip(x[k:], y[m]):
        k = k + 1
        m = m - 1
        r[7] = 3*r[7] + v*w
    k = 0
    for v in y[:, k]:
        k = k + 1
        r[8] = 3*r[8] + v
    m = 1
    for v in x[::m]:
        m = m + 1
        r[9] = 3*r[9] + v
    k = 4
    m = -1
    for v in x[k::m]:
        k = k - 1
        m = m - 1
        r[10] = 3*r[10] + v
    k = 1
    m = 2
    for v in (k, m, k + m):
        k = k + 1
        m = m + k
        r[11] = 3*r[11] + v
    k = 1
    for v, w in ((k, m), (m, k), (k + m, 1)):
        k = k + 1
        m = m + k
        r[12] = 3*r[12] + v*w


def assigned(k, x, y, r):
    """What the rounds are given is anew in each, and stays behind the last."""
    for j, v in enumerate(x):
        v = v + j
        j = j + 2
        r[0] = 3*r[0] + v
    r[1] = 100*j + v
    for j, (v, w) in enumerate(zip(x, y[1])):
        v = v + j
        j = j + w
        w = 2
        r[2] = 3*r[2] + v*w
    r[3] = 100*j + 10*v + w
    for j, (v, w) in enumerate(((1, 2), (3, 4)), k):
        j = j*v
        v = w
        r[4] = 3*r[4] + v*w + j
    r[5] = 100*j + 10*v + w
    for v in y[:, 1]:
        v = v*2
        r[6] = 3*r[6] + v
    r[7] = v
    for v in y.flat:
        v = v*2
        r[8] = r[8] + v
    r[9] = v
    for v in reversed(x):
        v = v*2
        r[10] = 3*r[10] + v
    r[11] = v


def none(k, x, y, r):
    """Without a round names stay what they were."""
    i = j = v = w = 7
    for v in range(k):
        r[0] = 1
    for v in range(3, k, 2):
        r[0] = 2
    for v in reversed(range(k)):
        r[0] = 3
    for v in reversed(range(3, k)):
        r[0] = 4
    for v in x[k:k]:
        r[0] = 5
    for j, v in enumerate(x[:k]):
        r[0] = 6
    for j, v in enumerate(x[:k], 5):
        r[0] = 7
    for v, w in zip(x, y[1][:k]):
        r[0] = 8
    for j, (v, w) in enumerate(zip(x[:k], y[1])):
        r[0] = 9
    for i, j in np.ndindex(3, k):
        r[0] = 10
    for i, j in np.ndindex(k, 3):
        r[0] = 11
    for v in np.arange(k):
        r[0] = 12
    for v in x[k:0]:
        r[0] = 13
    r[1] = 1000*i + 100*j + 10*v + w


def cases(case, np, rng):
    for t in "int32", "int64":
        n = np.dtype(t).type
        r = np.zeros(13, t)
        x, y = np.arange(1, 6).astype(t), np.arange(12).reshape(4, 3).astype(t) + 3
        case("ranges", {"r": r}, {"a": n(1), "b": n(5), "c": n(2)}, form="function")
        case("turned", {"r": r}, {"a": n(1), "b": n(5)}, form="function")
        case("nests", {"x": y, "r": r}, {"h": n(2), "w": n(3)}, form="function")
        case("elements", {"x": x, "y": y, "r": r}, {"k": n(0), "m": n(4), "s": n(2)}, form="function")
        case("assigned", {"x": x, "y": y, "r": r}, {"k": n(3)}, form="function")
        case("none", {"x": x, "y": y, "r": r}, {"k": n(0)}, form="function")

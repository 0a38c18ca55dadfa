# Slices of arrays of several dimensions, and arrays that stand as a whole beside slices: rows, columns, private arrays, numbers.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np


def steps(out, x, n):
    state = np.zeros(4)
    for t in range(n):
        state[:] = 0.5*state[:] + t
        out[t, :] = state
        out[t, 1:] += x[:-1]
    for t in range(1, n):
        out[t, :] += out[t - 1, :]*2
        out[t, 1:-1] = out[t - 1, 2:] - out[t - 1, :-2]
    out[n - 1, :] = 7.5


def columns(out, x):
    out[:, 0] = 0.0
    out[:, -3 + 4] = x
    out[::2, 2] = x[::2] + out[::2, 1]
    out[:, 3] = np.maximum(out[:, 1], out[:, 2])


def single(i, r, out, x, pairs):
    a, b, c, d = out[i]
    e = out[i][1:3].sum()
    k = i
    k, g = pairs[k - 0]
    r[i] = a + 10*b + 100*c + 1000*d + e + g*k + out[k, 3]
    r[i] += np.argmax(out[i])*7 + np.max(x[i]) + np.dot(out[i], x[i])


def blocks(out, x, y):
    out[:, :] = 1.5
    out[1:, 1:-1] += x[1:3]
    out[:, ::-1] *= y[:, :]
    out[0, :] = x*2 - 1


def arrays(x, y, s):
    x[:] = y
    x[:] += s*y - np.abs(x)
    x[1:3] = s
    x[2:] = x[3] - 1
    y[:2] += y[0]
    y[:] = y*y if s > 0 else y


def folds(out, x, y, r):
    r[0] = np.sum(x*y)
    r[1] = np.any(x > 3) + 2*np.all(y < 100)
    r[2] = np.max(np.abs(x - y))
    r[3] = (x + y).mean()
    r[4] = out[1, :].max() + np.sum(out[:, 2])
    r[5] = np.sum(out[:, :]) + np.min(out[1:, :-1]*2)
    r[6] = np.mean(out[:, 1:])


def private(i, x, r):
    m = np.zeros((2, 3))
    t = np.zeros(3)
    t[:] = x[i]
    t[1:] += 1
    m[0, :] = t
    m[1, :] = t*t + m[0, :]
    m[:, 1] = 0.5
    m[:, :] *= 2
    r[i] = m[1, :].sum() + 100*np.sum(m[:, :]) + np.sum(t*x[i])


def distances(i, points, r):
    r[i] = np.sum((points[i] - points[0])**2) + 10*np.max(np.abs(points[i])) + 100*(points[i]*2).min()
    r[i] += sum(points[i]) - np.mean(points[i]*points[2])


def weighted(i, m, x, w, r):
    r[i] = np.sum(m[i]*w) + 0*m[i, 0] + np.sum(x[i]*w) + min(m[i]) + np.dot(m[i], w)


def named(i, points, r):
    p = points[i]
    q = points[(i + 1) % len(points), :]
    r[i] = p[0]*p[1] + len(p)*100 + np.sum((p - q)**2) + np.dot(p, q) + p.max() + q.shape[0]
    for v in p:
        r[i] += v
    a, b, c, d = p
    r[i] += a*b - c + d*q[1:].sum() + np.sum(points[i] - p)


def views(m, cube, r):
    for row in m:
        r[0] += row[0]*row[len(row) - 1]
    for k, row in enumerate(m):
        r[1] += k*np.sum(row)
    for i in range(len(m)):
        t = m[i]
        for j in range(len(t)):
            t[j] *= 2
        t[0] = 7
        t[1:3] += 1
        t[2:] = t[2:]*2
    for i in range(len(cube)):
        p = cube[0]
        s = cube[i, 0]
        p[1, 0] += s[0]
        r[2] += p[0][1]


def moving(i, x, r, w):
    r[i] = x[i:i + w].mean() if i + w <= len(x) else 0.0


def walked(t, f, r):
    """Rows whose next indices are elements of theirs: all of them are of the old row."""
    p = t[0, 1]
    q = t[2, :, 1]
    s = t[:, 0, 1]
    c = f[0, 1, 2]
    for k in range(6):
        p = t[p[0], p[1]]
        r[0] = r[0]*3 + p[0]*9 + p[1]*3 + p[2]
        p = t[p[1], p[0]]
        r[1] = r[1]*3 + p[0]*9 + p[1]*3 + p[2]
        p = t[p[2], p[0]]
        r[2] = r[2]*3 + p[0]*9 + p[1]*3 + p[2]
        p = t[1, p[1]]
        r[3] = r[3]*3 + p[0]*9 + p[1]*3 + p[2]
        p = t[p[0], 2]
        r[4] = r[4]*3 + p[0]*9 + p[1]*3 + p[2]
        p = t[p[0] % 2, p[1] - p[0] + 2 - p[1]]
        r[5] = r[5]*3 + p[0]*9 + p[1]*3 + p[2]
        q = t[q[1], :, q[0]]
        r[6] = r[6]*3 + q[0]*9 + q[1]*3 + q[2]
        q = t[q[0], :, q[2]]
        r[7] = r[7]*3 + q[0]*9 + q[1]*3 + q[2]
        q = t[2, :, q[1]]
        r[8] = r[8]*3 + q[0]*9 + q[1]*3 + q[2]
        q = t[q[2], :, 0]
        r[9] = r[9]*3 + q[0]*9 + q[1]*3 + q[2]
        s = t[:, s[1], s[0]]
        r[10] = r[10]*3 + s[0]*9 + s[1]*3 + s[2]
        s = t[:, s[0], s[2]]
        r[11] = r[11]*3 + s[0]*9 + s[1]*3 + s[2]
        c = f[c[0], c[1], c[2]]
        r[12] = r[12]*3 + c[0]*9 + c[1]*3 + c[2]
        c = f[c[2], c[0], c[1]]
        r[13] = r[13]*3 + c[0]*9 + c[1]*3 + c[2]
        c = f[c[1], c[2], c[0]]
        r[14] = r[14]*3 + c[0]*9 + c[1]*3 + c[2]
        c = f[1, c[1], c[0]]
        r[15] = r[15]*3 + c[0]*9 + c[1]*3 + c[2]
        c = f[c[2], c[0], 1]
        r[16] = r[16]*3 + c[0]*9 + c[1]*3 + c[2]


def cases(case, np, rng):
    x, y = np.array([3, 1, 4, 1.0]), np.array([2, 7, 1, 8.0])
    out = np.arange(12.0).reshape(3, 4)
    for n in (1, 2, 3):
        case("steps", {"out": out, "x": x}, {"n": n}, form="function")
    case("columns", {"out": out, "x": x[:3]}, form="function")
    case("columns", {"out": out[::2], "x": x[:2]}, form="function")
    wanted = out.copy()
    blocks_of_numpy(wanted, x, out.copy())
    case("blocks", {"out": out, "x": x, "y": out}, form="function", expected={"out": wanted})
    for s in (2.0, -1.5):
        case("arrays", {"x": x, "y": y}, {"s": s}, form="function")
    case("arrays", {"x": x.astype("int64"), "y": y.astype("int64")}, {"s": 3}, form="function")
    case("folds", {"out": out, "x": x, "y": y, "r": np.zeros(7)}, form="function")
    case("private", {"x": x, "r": np.zeros(4)})
    pairs = np.array([[2, 5], [0, 7], [1, -3]])
    case("single", {"r": np.zeros(3), "out": out, "x": out[::-1]*1.5, "pairs": pairs})
    case("distances", {"r": np.zeros(3), "points": out*0.5 - pairs[:, :1]})
    case("named", {"r": np.zeros(3), "points": out*0.5})
    case("views", {"m": out, "cube": np.arange(12.0).reshape(2, 3, 2), "r": np.zeros(3)}, form="function")
    case("weighted", {"r": np.zeros(3), "m": out*1.5 - 7, "x": x, "w": y})
    case("walked", {"t": rng.integers(0, 3, (3, 3, 3)), "f": rng.integers(0, 3, (3, 3, 3, 3)), "r": np.zeros(17, int)}, form="function")
    case("moving", {"x": x, "r": np.zeros(4)}, {"w": 2})


def blocks_of_numpy(out, x, y):
    out[:] = 1.5
    out[1:, 1:-1] += x[1:3]
    out[:, ::-1] *= y
    out[0] = x*2 - 1

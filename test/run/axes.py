# Sums and their kin along an axis, stored in slices, and None beside slices, which repeats what has no such dimension.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np


def along(m, rows, columns):
    rows[:] = np.sum(m, axis=1)
    columns[:] = m.sum(axis=0)/2 + columns
    rows[1:] += np.max(m[1:, :-1], 1) - m[1:, :].min(-1)
    columns[::-1] -= np.mean(m, axis=0)
    rows[:] *= np.prod(m[:, 1:3]*0.5 + columns[1:3], axis=-1)


def places(m, k, w):
    k[:] = m.argmax(axis=1) + 10*np.argmin(m, axis=1)
    k[:] += 100*np.any(m > 3, axis=1) + 1000*np.all(m[:, :] > w[:, None], axis=1)


def spread(m, rows, columns):
    m[:, :] = rows[:, None]*columns[None, :] + m[:, :]
    m[1:, ::2] -= rows[:-1, np.newaxis]
    m[:, :] += columns[:]
    m[:, :] /= np.sum(columns[:]) + rows[:, None]
    rows[0] = np.sum(rows[:, None]*columns[:]) + np.max(m[:, :] - rows[:, None])


def deep(cube, m, r, t):
    m[:, :] = cube.sum(axis=1) + r[:, None]
    m[:, :] += np.max(cube, axis=-1) - np.mean(m[:, :]*1.5)
    cube[t, :, :] = 2*m[:, :]
    cube[:, :, :] *= m[:, :, None] + m[:, None, :]
    m[t, :] = np.sum(cube[t], axis=0) - np.sum(cube[0, :, :]*r[:, None], axis=1)


def each_axis(c, low, middle, high):
    """Of three dimensions each, from either end."""
    low[:, :] = np.sum(c, axis=0) + 100*c.min(-3)
    middle[:, :] = np.sum(c, axis=1) + 100*np.argmax(c, axis=-2)
    high[:, :] = np.mean(c, axis=2) + 100*np.any(c > 5, axis=-1)


def own(i, x, r):
    m = np.zeros((3, 4))
    s = np.zeros(3)
    m[:, :] = x[i, :] + s[:, None] + i
    m[1, :] = 7
    s[:] = m.sum(axis=1)
    q = np.zeros(3)
    q[:] = np.sum((m[:, :] - s[:, None])**2, axis=1)
    r[i] = s[0] + 10*s[1] - s[2] + q[0]*q[1] - q[2]


def cases(case, np, rng):
    m = np.arange(12.0).reshape(3, 4)*7 % 5
    rows, columns = np.array([3, 1, 4.0]), np.array([2, 7, 1, 8.0])
    for t in ("float64", "float32"):
        a = {"m": m.astype(t), "rows": rows.astype(t), "columns": columns.astype(t)}
        case("along", a, form="function")
        case("spread", a, form="function")
    case("along", {"m": m[:, ::-1], "rows": rows, "columns": columns}, form="function")
    case("places", {"m": m, "k": np.zeros(3, np.int64), "w": rows - 4}, form="function")
    case("own", {"x": m, "r": np.zeros(3)})
    cube = rng.integers(0, 8, (2, 3, 4))*1.0
    case("each_axis", {"c": cube, "low": np.zeros((3, 4)), "middle": np.zeros((2, 4)), "high": np.zeros((2, 3))},
         form="function")
    cube = np.arange(27.0).reshape(3, 3, 3)*5 % 7
    for t in (0, 2):
        case("deep", {"cube": cube, "m": m[:, 1:], "r": rows}, {"t": t}, form="function")

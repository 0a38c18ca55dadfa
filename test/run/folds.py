# sum, prod, mean, min, max, any and all of arrays, slices and private arrays, as functions, NumPy's and methods; NaN and empty arrays.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np

WEIGHTS = (0.5, 4.0, -2.0)


def least(x, r):
    r[0] = np.min(x)
    r[1] = x.max()
    r[2] = np.amax(x[1:]) - np.amin(x[:-1])
    r[3] = x[::-2].min()
    r[4] = np.max(np.abs(x[:] + 3))


def pythons(x, r):
    r[0] = min(x)
    r[1] = max(x)
    r[2] = max(x[2:]*2)


def others(x, r):
    r[0] = x.prod() + np.prod(x[1:])
    r[1] = x.mean()
    r[2] = np.mean(x[1:]**2)
    r[3] = any(x) + 2*x.any() + 4*np.any(x[:] > 100)
    r[4] = all(x) + 2*x.all() + 4*np.all(x[:] < 100)


def places(x, r):
    r[0] = np.argmin(x)
    r[1] = x.argmax()
    r[2] = np.argmax(x[1:-1]**2)
    r[3] = x[::-1].argmin()


def places_of_rows(g, r):
    r[0] = np.argmax(g[:, :])
    r[1] = np.argmin(g[1, :] + g[0, ::-1])


def each_place(g, c, r, q):
    """The least and the greatest at every place of it, in arrays whose sides differ, and of parts of them."""
    p = 0
    for i in range(g.shape[0]):
        for j in range(g.shape[1]):
            g[i, j] -= 99
            r[p] = np.argmin(g[:, :]) + 100*np.argmin(g[::-1, 1:]) + 10000*g[:, ::2].argmin()
            g[i, j] += 198
            r[p] -= np.argmax(g[:, :])*1000000
            g[i, j] -= 99
            p += 1
    p = 0
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            for k in range(c.shape[2]):
                c[i, j, k] -= 99
                q[p] = np.argmin(c[:, :, :]) + 100*np.argmin(c[0, :, :]) + 10000*np.argmin(c[:, 1, 1:])
                c[i, j, k] += 99
                p += 1


def private_places(i, r):
    m = np.zeros((3, 5))
    m[i // 5, i % 5] = 1
    r[i] = np.argmax(m) + 100*np.mean(m[1:, ::2])


def products(x, y, r):
    r[0] = np.dot(x, y)
    r[1] = x[1:].dot(y[:-1])
    r[2] = np.dot(2*x[::2], y[::2])


def nothing(x, r):
    r[0] = x.min()
    r[1] = np.max(x)
    r[2] = max(x)
    r[3] = x.sum()
    r[4] = x.prod()
    r[5] = np.any(x)
    r[6] = np.all(x)
    r[7] = x.mean()
    r[8] = np.dot(x, x) + x.argmax()


def private(i, x, r):
    t = np.zeros(3)
    for k in range(3):
        t[k] = x[(i + k) % len(x)]*WEIGHTS[k]
    u = np.array([x[i], 1.0])
    r[i] = t.max() + 10*np.min(t) + 100*u.prod() if sum(t) > 0 else max(WEIGHTS) + t.mean()


def inside(x, r, n):
    for k in range(n):
        if np.max(x[k:]) > 2*x[k:].min():
            r[k] = x.max()/np.mean(x)
        elif x[:k + 1].prod() > 7:
            r[k] = 1


def again(x, r):
    while np.sum(x) > 1:
        r[0] += 1
        if r[0] == 3:
            continue
        x[0] /= 2
    else:
        r[1] = x.max()
    while x.max() > 0 and r[2] < 9:
        r[2] += 1
        if r[2] == 5:
            break
    else:
        r[3] = 1


def pair(a, b):
    return 2*a + b


def spread(x, p, k, out):
    out[0] = x.std() + np.var(x)
    out[1] = np.std(x[1:]*2) + k.var()
    out[2] = np.linalg.norm(x) + np.linalg.norm(p[1] - p[0]) + np.linalg.norm(k[::2])
    out[3] = np.sum(np.diff(x)**2)
    out[4] = pair(*(x[0], x[1])) + pair(*[1, 2])
    out[5:] = np.diff(k)
    for j in range(2):
        out[4] += p[j, 1]


def spread_along(p, out):
    out[:] = np.std(p, axis=1)


def cases(case, np, rng):
    x, p, k = np.arange(9.0)**2 % 7, np.arange(6.0).reshape(2, 3), np.array([3, 5, 11, 12], "int32")
    out, along = np.zeros(8), np.zeros(2)
    spread(x, p, k, out)
    spread_along(p, along)
    case("spread", arrays={"x": x, "p": p, "k": k, "out": np.zeros(8)}, form="function",
         expected={"out": out}, ulps=4)
    case("spread_along", arrays={"p": p, "out": np.zeros(2)}, form="function", expected={"out": along}, ulps=4)
    x = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5])
    for t in ("float64", "float32", "int32", "uint8", "uint32"):
        r = np.zeros(5, "float64")
        for name in ("least", "pythons", "others"):
            case(name, {"x": x.astype(t), "r": r}, form="function", expected={"r": wanted(name, x, t)},
                 ulps=2 if t.startswith("float32") else 0)
    for at in (0, 3, 8):
        y = x*1.0
        y[at] = np.nan
        case("least", {"x": y, "r": np.zeros(5)}, form="function")
        case("pythons", {"x": y, "r": np.zeros(3)}, form="function")
        case("places", {"x": y, "r": np.zeros(4)}, form="function")
    case("least", {"x": np.array([-0.0, -3, np.inf]), "r": np.zeros(5)}, form="function")
    for t in ("float32", "int8"):
        case("places", {"x": x.astype(t), "r": np.zeros(4)}, form="function")
        y = x[::-1].astype(t)
        case("products", {"x": x.astype(t), "y": y, "r": np.zeros(3)}, form="function",
             expected={"r": np.array([x @ x[::-1], x[1:] @ x[:0:-1], 2*x[::2] @ x[::-2]], "float64")})
    for shape, cube in (((3, 5), (2, 3, 4)), ((5, 3), (4, 3, 2))):
        g, c = rng.integers(0, 9, shape)*1.0, rng.integers(0, 9, cube)*1.0
        case("each_place", {"g": g, "c": c, "r": np.zeros(g.size, "int64"), "q": np.zeros(c.size, "int64")}, form="function")
    case("private_places", {"r": np.zeros(15)})
    case("places_of_rows", {"g": rng.normal(size=(4, 9)), "r": np.zeros(2)}, form="function")
    r = np.array([0, 0, 0, 0, 1, 0, 1, np.nan, 0])
    case("nothing", {"x": np.zeros(0), "r": np.zeros(9)}, form="function", expected={"r": r})
    case("private", {"x": y, "r": np.zeros(9)})
    case("inside", {"x": x*1.0, "r": np.zeros(7)}, {"n": 7}, form="function")
    case("again", {"x": np.array([8, 0.25]), "r": np.zeros(4)}, form="function")


def wanted(name, x, t):
    """In float64, whatever the type: all that comes out fits in it."""
    r = np.zeros(5)
    globals()[name](x.astype("float64" if t.startswith("f") else "int64"), r)
    return r

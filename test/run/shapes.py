# Shapes as NumPy has them: taken apart, passed on, of arrays of one to four dimensions.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.low_level import prange


def apart(x, y, r):
    h, w = x.shape
    n, = y.shape
    r[0] = h
    r[1] = w
    r[2] = n
    r[3] = len(x)
    r[4] = len(y)
    for i in prange(h):
        for j in range(w):
            y[i % n] += x[i, j] if i % n == i else 0.0


def rows(x):
    h, w = x.shape
    return h*1000 + w


def passed(x, r):
    r[0] = rows(x)
    k, r[1] = x.shape
    r[2] = k*len(x)


def four(x, r):
    a, b, c, d = x.shape
    s = 0.0
    for i in range(a):
        for j in range(b):
            for k in range(c):
                for l in range(d):
                    s += x[i, j, k, l]*(i + 2*j + 3*k + 5*l)
    r[0] = s
    r[1] = a + 10*b + 100*c + 1000*d


def reduced(x, r):
    s = 0.0
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            s += x[i, j]
    r[0] = s


def cases(case, np, rng):
    for h, w in ((1, 1), (3, 7), (64, 33), (0, 4)):
        x = rng.integers(-9, 9, (h, w)).astype("float64")
        expected = np.zeros(h + 2)
        expected[:h] = x.sum(axis=1)
        r = np.array([h, w, h + 2, h, h + 2], "int64")
        case("apart", {"x": x, "y": np.zeros(h + 2), "r": np.zeros(5, "int64")}, form="function", expected={"y": expected, "r": r})
        case("passed", {"x": x, "r": np.zeros(3, "int64")}, form="function",
             expected={"r": np.array([h*1000 + w, w, h*h], "int64")})
        case("reduced", {"x": x, "r": np.ones(1)}, form="function", expected={"r": np.array([x.sum()])})
    x = rng.integers(-9, 9, (2, 3, 5, 4)).astype("float64")
    i, j, k, l = np.indices(x.shape)
    case("four", {"x": x, "r": np.zeros(2)}, form="function",
         expected={"r": np.array([(x*(i + 2*j + 3*k + 5*l)).sum(), 2 + 30 + 500 + 4000.0])})

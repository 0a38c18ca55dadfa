# len, here and in helpers, of arrays, matrices and addresses.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.api import declare
from compyle.low_level import address


def total(x):
    s = 0.0
    for k in range(len(x)):
        s += x[k]
    return s


def lengths(i, x, y, r):
    m = declare('matrix((2, 3))')
    m[0][0] = 5
    r[0] = len(x)
    r[1] = len(y)
    r[2] = len(m)
    r[3] = total(x)
    r[4] = total(address(x[2]))
    r[5] = total(m[0])
    p = address(y[3])
    r[6] = len(p)
    r[7] = len(p) - len(address(x[1]))


def cases(case, np, rng):
    x, y = np.arange(1, 6).astype("float64"), np.zeros(9, "float32")
    case("lengths", {"x": x, "y": y, "r": np.zeros(8)}, n=1, expected={"r": np.array([5, 9, 2, 15, 12, 5, 6, 2.0])})

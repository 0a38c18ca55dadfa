# Slices: loops over elements in statements and sums, whose bounds are as Python's, on each target.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np


def stencil(a, b):
    a[1:-1] = 0.5*(b[2:] + b[:-2])


def bounds(a, b, low, high):
    a[low:high] = b[low:high]*2
    a[high:low:-2] += b[high:low:-2]


def turned(a, b):
    a[::-1] = b[:]
    a[:] = a[:] - 1
    a[::3] *= 2


def scaled(a, s):
    a[:] = a[0]*s
    a[1:] = a[1:]/a[2] - (a[3] + 1)
    a[:] += a[1]


def joined(a, b, t):
    a[t] = b[0][1:]*2 + a[0][0]
    a[t + 1] += b[t][:-1]
    a[2][1:] = np.sum(b[1][:]) + b[t][0]


def norm(x):
    return sum(x[::2]**2) + 1


def inside(a, b, n):
    s = 0.0
    for k in range(n):
        a[k:] += b[:len(b) - k]
        if sum(a[:k]) > 2:
            s += sum(a[:k]*b[:k])
    a[-1:] = s


def whole(x):
    return sum(x[:])


def ways(x):
    return sum(x) + np.sum(x)*10 + np.sum(x[1:]**2)*100 + x[:2].sum()*1000


def private(n):
    m = np.zeros(3)
    for k in range(3):
        m[k] = k*n
    return sum(m)


def stepped(a, b, low, high, k):
    a[0] = sum(b[low:high:k])
    for v in b[::k]:
        a[1] = a[1]*3 + v
    a[2::k] = b[2::k]*2
    a[::k] = a[::k] + 1
    a[3] += np.max(b[:high:k]*2) if high > 3 and k > 0 else 0.5


def row(i, a, b, n):
    a[i*n:(i + 1)*n] = sum(b[i*n:(i + 1)*n])


def cases(case, np, rng):
    a, b = np.arange(9.0), np.array([3, 1, 4, 1, 5, 9, 2, 6, 5.0])

    def after(f, *args):
        x = a.copy()
        f(x, b, *args)
        return {"a": x}

    case("stencil", arrays={"a": a, "b": b}, form="function", expected=after(stencil))
    case("turned", arrays={"a": a, "b": b}, form="function", expected=after(turned))
    for low in (-12, -9, -3, 0, 2, 8, 9, 11):
        for high in (-10, -1, 0, 5, 9, 12):
            case("bounds", arrays={"a": a, "b": b}, scalars={"low": low, "high": high},
                 form="function", expected=after(bounds, low, high))
    for low in (-9, -2, 0, 3, 11):
        for high in (-10, -3, 4, 9):
            for k in (-4, -1, 1, 2, 3, 12):
                case("stepped", arrays={"a": a, "b": b}, scalars={"low": low, "high": high, "k": k},
                     form="function", expected=after(stepped, low, high, k))
    case("stepped", arrays={"a": a, "b": b}, scalars={"low": 0, "high": 9, "k": 0}, form="function",
         expected={"a": np.concatenate([[0, 1, 2, 3.5], a[4:]])})
    for s in (2.0, b):
        x = b.copy()
        scaled(x, s)
        case("scaled", arrays={"a": b, "s": s} if s is b else {"a": b}, scalars={} if s is b else {"s": s},
             form="function", expected={"a": x})
    case("joined", arrays={"a": np.arange(12.0).reshape(3, 4), "b": np.arange(15.0).reshape(3, 5)},
         scalars={"t": 1}, form="function")
    case("norm", arrays={"x": b}, form="function", result=80)
    case("norm", arrays={"x": b[:0]}, form="function", result=1)
    case("whole", arrays={"x": np.array([7, -2, 4], np.int64)}, form="function", result=9)
    case("ways", arrays={"x": np.array([7, -2, 4], np.int64)}, form="function", result=9 + 90 + 2000 + 5000)
    case("private", scalars={"n": 5}, form="function", result=15)
    case("inside", arrays={"a": a, "b": b}, scalars={"n": 4}, form="function",
         expected=after(inside, 4))
    x = a.copy()
    for i in range(3):
        row(i, x, b, 3)
    case("row", arrays={"a": a, "b": b}, scalars={"n": 3}, n=3, expected={"a": x})

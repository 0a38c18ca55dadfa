# Functions that run in order on one thread: each index reads what the one before wrote.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.api import serial
from compyle.low_level import prange


@serial
def sums(i, x, y):
    y[i] = x[i]
    if i > 0:
        y[i] += y[i - 1]


@serial
def chain(n, x, y):
    for i in prange(1, n):
        y[i] = 0.5*y[i - 1] + x[i]


@serial
def first(n, x, y):
    """What carries a value, is left, has an else."""
    last = 0.0
    for i in prange(n, schedule='dynamic', num_threads=2):
        if x[i] > 8:
            break
        last = x[i] - last
        y[i] = last
    else:
        return -1
    for k in prange(i):
        if y[k] > 8:
            return k
    return i + threadid()


def calls(n, x, y):
    s = 0.0
    for i in prange(n):
        s += x[i]
    chain(n, x, y)
    y[0] = s


def cases(case, np, rng):
    for n in (1, 2, 5000):
        x = rng.integers(-9, 9, n).astype("float64")
        case("sums", {"x": x, "y": np.zeros(n)}, expected={"y": np.cumsum(x)})
        expected, last, at = np.zeros(n), 0.0, -1
        for i in range(n):
            if x[i] > 8:
                at = next((k for k in range(i) if expected[k] > 8), i)
                break
            last = expected[i] = x[i] - last
        case("first", {"x": x, "y": np.zeros(n)}, {"n": n}, form="function",
             expected={"y": expected}, result=at)
        expected = np.ones(n)
        for i in range(1, n):
            expected[i] = 0.5*expected[i - 1] + x[i]
        case("chain", {"x": x, "y": np.ones(n)}, {"n": n}, form="function", expected={"y": expected})
        expected = expected.copy()
        expected[0] = x.sum()
        case("calls", {"x": x, "y": np.ones(n)}, {"n": n}, form="function", expected={"y": expected})

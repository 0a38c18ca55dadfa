# Loops: while, range with one to three arguments, break, continue, else, the variable inside and after the loop.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np


def collatz(i, x, steps):
    n = x[i]
    k = 0
    while n != 1:
        n = n//2 if n % 2 == 0 else 3*n + 1
        k += 1
    steps[i] = k


def ranges(start, stop, step, r):
    k = 0
    for a in range(stop):
        r[k] += a + 1
    for a in range(start, stop):
        r[k + 1] += a + 1
    for a in range(start, stop, step):
        r[k + 2] = r[k + 2]*3 + a
    r[3] = a
    for a in range(stop, start, -2):
        r[4] = r[4]*3 + a
    for a in range(3):
        a += 10
        r[5] += a
    r[6] = a
    n = 4
    for a in range(n):
        n = 2
        r[7] += 1


def step_zero(n, r):
    for k in range(0, n, 0):
        r[0] = 1
    r[1] = 5


def searching(i, x, r, n):
    for k in range(n):
        if x[k] == i:
            r[i] = k
            break
    else:
        r[i] = -1


def searching_while(i, x, r, n):
    k = 0
    while k < n:
        if x[k] == i:
            r[i] = k
            break
        k += 1
    else:
        r[i] = -1


def next_value(counter, r):
    counter[0] += 1
    r[0] += 1
    return counter[0]


def odd_ones(counter, r):
    while next_value(counter, r) < 20:
        if counter[0] % 2 == 0:
            continue
        if counter[0] == 15:
            break
        r[1] += counter[0]
    else:
        r[2] = 1
    while next_value(counter, r) < 20 and next_value(counter, r) < 25:
        r[3] += 1
    else:
        r[4] = 1
    for k in range(5):
        if k == 1:
            continue
        for j in range(10):
            if j > k:
                break
            r[5] += 1
        else:
            r[6] += 1
    else:
        r[7] = 9


def edges(r):
    for k in range(2147483640, 2147483647, 3):
        r[0] += 1
    r[1] = k
    for j in range(-9223372036854775807, 9223372036854775807, 4611686018427387904):
        r[2] += 1
    v = 0.0
    for v in range(5):
        r[3] += v*2


def early(i, x, r):
    for k in range(10):
        for j in range(10):
            if k*j == x[i]:
                r[i] = k
                return
    r[i] = -1


def counted(i, x, r):
    k = 0
    s = 0.0
    for j in range(i):
        k += 2
        t = k
        s += x[j]*t*t
        u = s
    r[i] = u if i > 0 else s


def arange(x, r):
    for i in np.arange(len(x)):
        if x[i] > 5:
            break
        r[i] = x[i]*i
    for i in np.arange(7, 1, -2):
        r[i] += i


def cases(case, np, rng):
    case("arange", {"x": np.arange(9.0), "r": np.zeros(9)}, form="function")
    case("counted", arrays={"x": np.arange(9.0) + 1, "r": np.zeros(9)})
    x = np.arange(1, 40)
    case("collatz", {"x": x, "steps": np.zeros(39, "int32")})
    for start, stop, step in ((0, 7, 2), (2, 9, 3), (5, 0, -1), (-3, 4, 1), (1, 2, 5)):
        if stop > 0:
            case("ranges", {"r": np.zeros(8, "int64")}, {"start": start, "stop": stop, "step": step}, form="function")
    case("step_zero", {"r": np.zeros(2, "int32")}, {"n": 5}, expected={"r": np.array([0, 5], "int32")}, form="function")
    x = rng.permutation(20).astype("int32")
    x[::3] = 50
    for name in ("searching", "searching_while"):
        case(name, {"x": x, "r": np.zeros(20, "int32")}, {"n": 20})
    case("odd_ones", {"counter": np.zeros(1, "int32"), "r": np.zeros(8, "int32")}, form="function")
    case("edges", {"r": np.zeros(4, "int64")}, form="function")
    x = np.array([0, 12, 81, 82, 7, 35], "int32")
    case("early", {"x": x, "r": np.zeros(6, "int32")})

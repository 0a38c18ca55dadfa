# Rows of private arrays, of the module's lists and of matrices in structs are as long as one row,
# whatever lies behind them.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np
from compyle.api import address, declare, struct

K = [[1, 2], [3, 4], [5, 6]]


def total(t):
    s = 0.0
    for v in t:
        s = s*10 + v
    return s


def fill(t, v):
    for k in range(len(t)):
        t[k] = v


def looped(i, r):
    m = np.array([[1, 2], [3, 4], [5, 6]])
    s = 0
    for row in m:
        for v in row:
            s = s*10 + v
    for line in K:
        s = s*10 + len(line)
        for k, v in enumerate(line):
            s += k*v
    r[i] = s


def named(i, r):
    m = np.array([[1, 2, 3], [4, 5, 6]])
    first = m[0]
    row = m[i % 2]
    s = len(row)
    for v in row:
        s = s*10 + v
    r[i] = s*100 + np.sum(first) + np.dot(first, m[1])


def given(i, r):
    m = np.zeros((3, 2))
    fill(m[i % 3], 7.0)
    fill(m[1], m[0, 0] + 1.0)
    row = m[2]
    row[:] = row[0] + 2.0
    r[i] = total(m[0]) + 100*total(m[1]) + 10000*total(row)


def deep(i, r):
    m = np.zeros((2, 3, 2))
    fill(m[0][1], 3.0)
    fill(m[1, i % 3], 4.0)
    s = 0.0
    for plane in m:
        for row in plane:
            s = s*3 + total(row)
    r[i] = s


@struct
class Cell:
    m: 'matrix((2, 3))'


def held(i, r):
    c = Cell()
    fill(c.m[0], 2.0)
    fill(c.m[1], 3.0)
    r[i] = total(c.m[0]) + 1000*total(c.m[1]) + 1000000*len(c.m[0])


def flat(p, n):
    s = 0.0
    for k in range(n):
        s = s*10 + p[k]
    return s


def reached(i, r):
    m = declare('matrix((2, 2))')
    for k in range(4):
        m[k // 2][k % 2] = k + 1
    r[i] = flat(address(m[0][0]), 4) + flat(address(m[1][0]), 2)


def cases(case, np, rng):
    for f in ("looped", "named", "given", "deep"):
        case(f, arrays={"r": np.full(7, -1.0)})
    case("held", arrays={"r": np.zeros(3)}, expected={"r": np.full(3, 222 + 333000 + 3000000.0)})
    case("reached", arrays={"r": np.zeros(3)}, expected={"r": np.full(3, 1234 + 34.0)})

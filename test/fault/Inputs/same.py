from math import sin
from compyle.low_level import prange


def plain(i, x, y):
    y[i] = 2.5*sin(x[i]) + 1


def branchy(i, x, y):
    s = 0.0
    for k in range(20):
        if x[i] > k:
            s += x[i]/(k + 1)
        else:
            s -= 1
    y[i] = s


def total(x, n):
    s = 0.0
    for i in prange(n):
        s += x[i]
    return s

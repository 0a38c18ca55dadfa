# Kernels that test/cplc/ahead.test compiles ahead of time.
from compyle.api import struct


@struct
class Point:
    mass: 'int'
    register: 'double'


def wave(i, x, y, a):
    y[i] = a*sin(x[i]) + x[i]*x[i]


def shift(i, x, y, k):
    y[i] = x[i + k]


def every_other(i, x, y):
    y[i] = 2*x[i] + len(y)


def moment(p, default):
    return p.mass*p.register + default


def double(i, x):
    x[i] = 2.0*x[i]


def halve(x, n):
    for i in range(n):
        x[i] = x[i]/2

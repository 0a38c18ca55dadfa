# Operators that do not commute, elements and outputs of reductions and scans.
from cpl import struct


@struct
class Affine:
    a: 'long'
    b: 'long'


@struct
class Small:
    a: 'uchar'
    b: 'uchar'


@struct
class Square:
    a: 'uint'
    b: 'uint'
    c: 'uint'
    d: 'uint'


@struct
class Odd:
    there: 'bool'
    value: 'double'
    count: 'short'


def behind(f, g):
    r = declare('Affine')
    r.a = g.a*f.a
    r.b = g.a*f.b + g.b
    return r


def still():
    r = declare('Affine')
    r.a = 1
    return r


def behind_small(f, g):
    r = declare('Small')
    r.a = g.a*f.a
    r.b = g.a*f.b + g.b
    return r


def still_small():
    r = declare('Small')
    r.a = 1
    return r


def product(f, g):
    r = declare('Square')
    r.a = f.a*g.a + f.b*g.c
    r.b = f.a*g.b + f.b*g.d
    r.c = f.c*g.a + f.d*g.c
    r.d = f.c*g.b + f.d*g.d
    return r


def one():
    r = declare('Square')
    r.a = 1
    r.d = 1
    return r


def first_odd(f, g):
    r = declare('Odd')
    r = f if f.there else g
    r.count = f.count + g.count
    return r


def no_odd():
    return declare_odd()


def declare_odd():
    r = declare('Odd')
    return r


def first(a, b):
    """Elements from 0 on count; others are nobody's."""
    return a if a >= 0 else b


def last(a, b):
    return b if b >= 0 else a


def nobody():
    return -1


def step(i, k):
    r = declare('Affine')
    r.a = k[i] % 3 - 1
    r.b = k[i]
    return r


def triangle(i, x):
    """Elements that take a loop."""
    s = i
    for k in range(x[i]):
        s += k
    return s


def dot(i, x, y, w):
    return w*x[i]*y[i] + i


def total(x):
    s = 0
    for k in range(len(x)):
        s += x[k]
    return s


def keep(i, item, prev_item, last_item, N, x, starts, items, before, lasts, counts):
    items[i] = item
    before[i] = prev_item
    lasts[i] = last_item
    counts[i] = N


def keep_two(i, item, prev_item, last_item, N, x, starts, items, before):
    items[i] = item
    before[i] = prev_item

from cpl import struct


@struct
class Best:
    value: 'double'
    index: 'long'


@struct
class Affine:
    a: 'long'
    b: 'long'


def better(a, b):
    return a if a.value <= b.value else b


def numbered(i, x):
    r = declare('Best')
    r.value = x[i]
    r.index = i
    return r


def nobody():
    r = declare('Best')
    r.value = INFINITY
    r.index = -1
    return r


def behind(f, g):
    r = declare('Affine')
    r.a = g.a*f.a
    r.b = g.a*f.b + g.b
    return r


def step(i, k):
    r = declare('Affine')
    r.a = k[i] % 3 - 1
    r.b = k[i]
    return r


def still():
    r = declare('Affine')
    r.a = 1
    return r


def above(i, x, limit):
    return 1 if x[i] > limit else 0


def mean(i, w, *columns):
    return w*(columns[0][i] + columns[1][i])


def fresh(i, k):
    if i == 0 or k[i] != k[i - 1]:
        return 1
    return 0


def unique(i, item, prev_item, N, k, out, count):
    if item != prev_item:
        out[item - 1] = k[i]
    if i == N - 1:
        count[0] = item


def pack(i, item, prev_item, x, out):
    if item != prev_item:
        out[prev_item] = x[i]


def share(item, i, last_item, out):
    out[i] = float64(item)/last_item


def value(i, k):
    return k[i]


def early(i, item, k):
    return k[i] + item


def bare():
    return 1

from math import sin


def wave(i, x, y, a):
    if x[i] < 0.1:
        return
    y[i] = a*sin(x[i])


def bins(i, x, y, a):
    atomic_add(y[int(x[i]*7)], a)
    atomic_max(y[7], x[i])


def every(x, y, a):
    m = a*2
    for i in prange(1, len(x), 3):
        if x[i] < 0.5:
            continue
        y[i] = x[i]*m


def total(x, y, a):
    s = 0.0
    for i in prange(len(x)):
        s += x[i]*a
    y[0] = s
    for i in prange(1, len(x)):
        y[i] = y[0] + x[i]

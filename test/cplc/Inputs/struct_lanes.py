@struct
class Best:
    value: 'double'
    index: 'double'


def better(a, b):
    return a if a.value <= b.value else b


def last(a, b):
    return b if b.value >= a.value else a


def weighed(a, b):
    r = declare('Best')
    r.value = a.value + b.value
    r.index = 0.5*a.index + b.index*b.value
    return r


def halved(a, b):
    r = declare('Best')
    r.value = a.value if a.value <= b.value else b.value
    r.index = 0.5*(a.index if a.value <= b.value else b.index)
    return r


def numbered(i, x):
    r = declare('Best')
    r.value = x[i]
    r.index = i
    return r


def far(i, x):
    r = declare('Best')
    r.value = x[i] - i*7919 % 100003
    r.index = (i - 7)*45035996273705 - 3
    return r


def nobody():
    r = declare('Best')
    r.value = INFINITY
    return r


def somebody():
    r = declare('Best')
    r.value = -INFINITY
    return r


def nothing():
    r = declare('Best')
    return r

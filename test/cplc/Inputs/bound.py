def apply(i, f, x, n, y, T):
    s = declare(T)
    s = x[i]
    for k in static_range(n):
        s = f(s, k)
    y[i] = s


def shifted(a, b):
    return 2*a + b


def fold(op, x):
    s = x[0]
    for i in range(1, len(x)):
        s = op(s, x[i])
    return s

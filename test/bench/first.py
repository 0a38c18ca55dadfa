# Kernels whose first call is timed. UNIQUE gets another value each time, so that none has been compiled before. first.c and the
# Python peers hold the same ones, but for the last two: those are of a reduction and a scan.
def straight(i, x, y, n):
    y[i] = UNIQUE*sin(x[i]) + 1.0


def loop(i, x, y, n):
    s = 0.0
    for j in range(n):
        d = x[i] - x[j]
        s += d/(d*d + UNIQUE)
    y[i] = s


def diverge(i, x, y, n):
    re = x[i]
    im = 0.25
    k = 0
    while k < n and re*re + im*im < 4.0:
        t = re*re - im*im - 0.8*UNIQUE
        im = 2.0*re*im + 0.156
        re = t
        k += 1
    y[i] = k


def term(i, x):
    return UNIQUE*sin(x[i]) + 1.0


def term_of_scan(i, x, y):
    return UNIQUE*sin(x[i]) + 1.0

from stiffness import K

LOSS = 0.5


def damped(v):
    return LOSS*v


def spring(x):
    return -K*x


def at(x, i):
    return x[i + 1]

from compyle.api import address, atomic_add


def sums(i, p, x):
    x[i] = p[i].v + p[i].k + p[i].m[1] + p[i].h
    p[i].v = x[i]
    p[i].k += 1
    p[i].h = p[i].h*2
    p[i].m[0] = p[i].m[1]


def double(v):
    v[0] *= 2


def takes(i, p, x):
    double(address(p[i].v))


def matrix(i, p, x):
    double(p[i].m)


def atomics(i, p, x):
    atomic_add(p[i].v, 1.0)


def copied(i, p, x):
    v = p[i].v
    double(address(v))
    p[i].v = v


def at(i, p):
    p[i].k += 1
    return i - i


def ordered(i, p, x):
    x[i] = p[p[i].k - 1].m[at(i, p)]

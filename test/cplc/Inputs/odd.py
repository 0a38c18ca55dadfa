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


def helper(r):
    r.k += 1
    return r.v*2 + r.m[1] + r.k


def values(i, p, q, x):
    t = p[i]
    t.v += 1
    for j in range(2):
        t.m[j] += j
    u = t
    u.h = u.h + 1
    q[i] = t
    if i % 2 == 0:
        q[i] = u
    x[i] = helper(t) + u.v + t.k

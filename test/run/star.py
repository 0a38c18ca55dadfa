# Star parameters: what they take is passed on, counted and indexed as each argument is.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.api import prange, static_range


def dot(i, x, y):
    return x[i]*y[i]


def mapped(i, r, *args):
    r[i] = dot(i, *args)


def total(first=0.5, *args):
    s = first
    for k in static_range(len(args)):
        s += args[k]
    return s


def items(i, *args):
    s = 0.0
    for k in static_range(len(args)):
        s += (k + 1)*args[k][i]
    return s


def mixed(i, r, scale, *args):
    r[i] = scale*items(i, *args)
    if len(args) > 1:
        r[i] += args[-1][i]


def sums(i, r, *more):
    r[i] = total() + total(1.5) + total(1.5, *more) + total(*more, 2.0)
    if len(more) > 1:
        r[i] += max(1.0, *more) - min(*more)


def rows(i, r, *args):
    for k in static_range(len(args)):
        r[i] += args[k][i, 1] + len(args[k]) + args[k].shape[1]
    r[i] += len(args)


def reduce(r, *args):
    s = 0.0
    for i in prange(len(r)):
        s += items(i, *args)
    r[0] = s


def cases(case, np, rng):
    x, y, z = rng.random(37), rng.random(37).astype("f4"), rng.integers(-9, 9, 37)
    strided = rng.random(111)[::3]
    r = np.zeros(37)
    case("mapped", {"r": r, "args0": x, "args1": y})
    case("mapped", {"r": r, "args0": strided, "args1": z})
    case("mixed", {"r": r}, {"scale": 2.0}, {"r": r})
    case("mixed", {"r": r, "args0": y}, {"scale": 2.0}, ulps=4)
    case("mixed", {"r": r, "args0": strided, "args1": y, "args2": z, "args3": x, "args4": strided}, {"scale": 0.5}, ulps=4)
    case("sums", {"r": r})
    case("sums", {"r": r}, {"more0": 2.25, "more1": 3, "more2": -4.0})
    for count in 1, 2:
        planes = {f"args{k}": rng.random((37, 2 + k)) for k in range(count)}
        case("rows", {"r": r, **planes})
    case("reduce", {"r": r, "args0": x, "args1": z}, form="function", ulps=64)

# pow, log and exp of float64 in vectorised loops: what is zero, negative, subnormal, infinite or NaN
# among what is not, and results at the ends of the range.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from math import *


def power(i, x, y, z):
    z[i] = pow(x[i], y[i])


def others(i, x, z, w):
    z[i] = log(x[i])
    w[i] = exp(x[i])


def squared(i, x, z):
    z[i] = x[i]**2.5 + log(x[i]*x[i] + 1.0)


def cases(case, np, rng):
    special = np.array([0.0, -0.0, 1.0, -1.0, inf, -inf, nan, 5e-324, -5e-324, 2.5, -3.0, 3.0, 1e308,
                        -1e308, 0.5, -0.5, 2.0**53, 1e-300, 709.7, 710.0, -745.1, -746.0, 1e-9,
                        0.9999999999999999, 1.0000000000000002, 1.5, 0.75, 1.4999999999999998,
                        -1e300, 1075.0, -1074.0])
    x = np.repeat(special, len(special))
    y = np.tile(special, len(special))
    with np.errstate(all="ignore"):
        # in groups of eight with others, and by themselves
        others = np.arange(len(x)) % 5 != 0
        for a, b in ((x, y), (np.where(others, 1.25, x), np.where(others, -3.5, y))):
            z = np.power(a.astype(np.longdouble), b).astype(float)
            case("power", {"x": a, "y": b, "z": np.zeros(len(a))}, expected={"z": z}, ulps=4)
        spread = rng.integers(0, 0x7ff << 52, 4000, dtype=np.uint64).view(float)
        many = np.concatenate([special, spread, rng.uniform(0.5, 2, 4000)])
        case("others", {"x": many, "z": np.zeros(len(many)), "w": np.zeros(len(many))},
             expected={"z": np.log(many), "w": np.exp(many)}, ulps=4)
        y = rng.uniform(-745, 709, len(spread))/np.log(spread)
        case("power", {"x": spread, "y": y, "z": np.zeros(len(y))},
             expected={"z": np.power(spread, y)}, ulps=4)
        zeros = np.where(rng.random(3000) < 0.5, 0.0, rng.uniform(0, 9, 3000))
        case("squared", {"x": zeros, "z": np.zeros(3000)},
             expected={"z": zeros**2.5 + np.log(zeros*zeros + 1)}, ulps=4)

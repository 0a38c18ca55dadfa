# Mathematics under the option reproducible: within 1 ULP of the exact values, and the same bits everywhere.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from math import *
import numpy as np


def powers(i, x, o_exp, o_exp2, o_expm1, o_sinh, o_cosh, o_tanh, o_erf, o_cbrt):
    o_exp[i] = exp(x[i])
    o_exp2[i] = exp2(x[i])
    o_expm1[i] = expm1(x[i])
    o_sinh[i] = sinh(x[i])
    o_cosh[i] = cosh(x[i])
    o_tanh[i] = tanh(x[i])
    o_erf[i] = erf(x[i])
    o_cbrt[i] = cbrt(x[i])


def logs(i, x, o_log, o_log1p, o_log2, o_log10):
    o_log[i] = log(x[i])
    o_log1p[i] = log1p(x[i])
    o_log2[i] = log2(x[i])
    o_log10[i] = log10(x[i])


def angles(i, x, o_sin, o_cos, o_tan, o_arctan, o_arcsin, o_arccos):
    o_sin[i] = sin(x[i])
    o_cos[i] = cos(x[i])
    o_tan[i] = tan(x[i])
    o_arctan[i] = atan(x[i])
    o_arcsin[i] = asin(x[i])
    o_arccos[i] = acos(x[i])


def pairs(i, x, y, o_power, o_arctan2, o_hypot):
    o_power[i] = pow(x[i], y[i])
    o_arctan2[i] = atan2(x[i], y[i])
    o_hypot[i] = hypot(x[i], y[i])


def inverses(i, x, o_arcsinh, o_arccosh, o_arctanh):
    o_arcsinh[i] = asinh(x[i])
    o_arccosh[i] = acosh(x[i])
    o_arctanh[i] = atanh(x[i])


def gammas(i, x, o_erfc, o_tgamma, o_lgamma, o_below):
    o_erfc[i] = erfc(x[i])
    o_tgamma[i] = tgamma(x[i])
    o_lgamma[i] = lgamma(abs(x[i]))
    o_below[i] = lgamma(x[i])


# In one arm of a choice, and in the condition of a loop.
def places(i, x, y):
    s = sin(x[i]) if x[i] > 0.5 else log(x[i] + 2.0)
    while exp(s) < 20.0 and s > 0.0:
        s += cos(s)*0.5 + 0.75
    y[i] = s


NAMES = {"powers": "exp exp2 expm1 sinh cosh tanh erf cbrt", "logs": "log log1p log2 log10",
         "angles": "sin cos tan arctan arcsin arccos", "pairs": "power arctan2 hypot",
         "inverses": "arcsinh arccosh arctanh", "gammas": "erfc tgamma lgamma below"}
# What NumPy has not, as libm has it, and the ULP that it may be away. Next to a zero lgamma keeps few
# digits.
LIBM = {"erf": ("erf", 2), "erfc": ("erfc", 2), "tgamma": ("tgamma", 2), "lgamma": ("lgamma", 2),
        "below": ("lgamma", 2**12)}
SPECIAL = [0.0, -0.0, 1.0, -1.0, inf, -inf, nan, 5e-324, -5e-324, 2.5, -3.0, 1.7e308, -1e308, 0.5, -0.5, 2.0**53,
           1e-300, 709.5, 710.0, -745.1, 1e-9, -1e-9, 0.99999999999999989, 1.0000000000000002, 100.0, 1000.0,
           6381956970095103.0*2.0**797,  # of all, the nearest to a multiple of pi/2
           2.0**20, 1048575.75, 0.7853981633974483, 1.5707963267948966, 3.141592653589793, 0.3, -0.3, 40.0, 41.0,
           171.5, 171.7, -170.5, -180.5, -190.5, 2.5e305, 2.56e305, 26.5, 27.2, 28.5, 2.0, 1.125,
           2.125, 8.0, -2.0**52, -1e-21, 1e-309]


def levels():
    """The vectors that the CPU has: of 4 and of 8 float64."""
    try:
        flags = open("/proc/cpuinfo").read().split()
    except OSError:
        return []
    return [level for level, flag in (("3", "avx2"), ("4", "avx512f")) if flag in flags]


def place(v):
    """What the kernel does, by the functions of Python's math."""
    s = sin(v) if v > 0.5 else log(v + 2)
    while exp(s) < 20 and s > 0:
        s += cos(s)*0.5 + 0.75
    return s


def cases(case, np, rng):
    import harness
    wide = np.finfo(np.longdouble).nmant > 60
    n = 500
    pairs = len(SPECIAL)**2
    same = ["--option", "reproducible=1"]
    spread = rng.integers(0, 2**64, n, dtype=np.uint64).view(np.float64)
    x = np.concatenate([np.repeat(SPECIAL, len(SPECIAL)), spread, rng.uniform(-3, 3, n), rng.uniform(-60, 60, n),
                        rng.normal(0, 300, n), 1 + rng.normal(0, 1e-3, n)])
    y = np.concatenate([np.tile(SPECIAL, len(SPECIAL)), rng.permutation(spread), rng.uniform(-3, 3, n),
                        rng.uniform(-9, 9, n), rng.normal(0, 3, n), rng.normal(0, 3e5, n)])
    for dtype in (np.float64, np.float32):
        given = {"x": x.astype(dtype), "y": y.astype(dtype)}
        for function, names in NAMES.items():
            alone = np.concatenate([np.array(SPECIAL, dtype), given["x"][pairs:]])
            arrays = given if function == "pairs" else {"x": alone}
            near = {}
            for name in names.split():
                libm, ulps = LIBM.get(name, (None, 1 if wide else 2))
                exact = harness.libm(libm) if libm else getattr(np, name)
                taken = (np.abs(v) if name == "lgamma" else v for v in arrays.values())
                near["o_" + name] = (exact(*(v.astype(np.longdouble) for v in taken)), ulps)
            outputs = {k: np.full(len(arrays["x"]), 77.0, dtype) for k in near}
            for options in ([], *(["--option", f"cpu_level={level}"] for level in levels()), ["--option", "simd=0"]):
                case(function, {**arrays, **outputs}, near=near, options=same + options)
    v = rng.uniform(-1.5, 3, 300)
    case("places", {"x": v, "y": np.zeros(300)}, near={"y": (np.array([place(e) for e in v]), 8)}, options=same)

# Mathematics of float32 by float32 alone: within 1 ULP of the exact values, and the same bits in every form of the code.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from cpl.elementary32 import (acos, asin, atan, atan2, cos, cosh, erf, erfc, exp, exp2, lgamma, log, log1p, log2,
                              log10, pow, sin, sinh, tan, tanh, tgamma)


def powers(i, x, o_exp, o_exp2, o_sinh, o_cosh, o_tanh, o_erf):
    o_exp[i] = exp(x[i])
    o_exp2[i] = exp2(x[i])
    o_sinh[i] = sinh(x[i])
    o_cosh[i] = cosh(x[i])
    o_tanh[i] = tanh(x[i])
    o_erf[i] = erf(x[i])


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


def pairs(i, x, y, o_power, o_arctan2):
    o_power[i] = pow(x[i], y[i])
    o_arctan2[i] = atan2(x[i], y[i])


def gammas(i, x, o_erfc, o_tgamma, o_lgamma):
    o_erfc[i] = erfc(x[i])
    o_tgamma[i] = tgamma(x[i])
    o_lgamma[i] = lgamma(x[i])


NAMES = {"gammas": "erfc tgamma lgamma", "powers": "exp exp2 sinh cosh tanh erf", "logs": "log log1p log2 log10",
         "angles": "sin cos tan arctan arcsin arccos", "pairs": "power arctan2"}
inf, nan = float("inf"), float("nan")
SPECIAL = [0.0, -0.0, 1.0, -1.0, inf, -inf, nan, 1e-45, -1e-45, 2.5, -3.0, 3.4e38, -3.4e38, 0.5, -0.5, 2.0**24, 2.0**23,
           1e-38, 88.5, 89.5, -103.0, 1e-9, -1e-9, 0.99999994, 1.0000001, 100.0, 1000.0, -7.0, 131072.0, 131071.99,
           0.78539819, 1.5707964, 3.1415927, 16367173.0*2.0**72,  # of all, the nearest to a multiple of pi/2
           0.7, 0.3, -0.3, 4.0, 9.0, 12.0]


def cases(case, np, rng):
    import harness
    n = 4000
    spread = rng.integers(0, 2**32, n, dtype=np.uint32).view(np.float32)
    x = np.concatenate([np.repeat(SPECIAL, len(SPECIAL)), spread, rng.uniform(-3, 3, n), rng.uniform(-60, 60, n),
                        rng.normal(0, 300, n), 1 + rng.normal(0, 1e-3, n)]).astype(np.float32)
    y = np.concatenate([np.tile(SPECIAL, len(SPECIAL)), rng.permutation(spread), rng.uniform(-3, 3, n),
                        rng.uniform(-9, 9, n), rng.normal(0, 3, n), rng.normal(0, 3e4, n)]).astype(np.float32)
    for function, names in NAMES.items():
        arrays = {"x": x, "y": y} if function == "pairs" else {"x": x}
        near = {}
        for name in names.split():
            exact = harness.libm(name) if name in ("erf", "erfc", "tgamma", "lgamma") else getattr(np, name)
            near["o_" + name] = (exact(*(v.astype(float) for v in arrays.values())), 1)
        outputs = {k: np.full(len(x), 77.0, np.float32) for k in near}
        for options in ([], ["--option", "simd=0"]):
            case(function, {**arrays, **outputs}, near=near, options=["--option", "precise=1"] + options)

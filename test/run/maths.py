# Every mathematical function, of float32, float64, float16 and integer arguments.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import math
from math import *
import numpy as np


def one(i, a, y0, y1, y2, y3, y4, y5, y6, y7, y8, y9):
    y0[i] = sin(a[i])
    y1[i] = cos(a[i])
    y2[i] = math.tan(a[i])
    y3[i] = atan(a[i]) if i % 2 else np.arctan(a[i])
    y4[i] = sinh(a[i])
    y5[i] = cosh(a[i])
    y6[i] = tanh(a[i])
    y7[i] = asinh(a[i]) if i % 2 else np.arcsinh(a[i])
    y8[i] = exp(a[i])
    y9[i] = erf(a[i])


def unit(i, a, y0, y1, y2, y3, y4, y5, y6, y7, y8, y9):
    y0[i] = asin(a[i])
    y1[i] = acos(a[i])
    y2[i] = atanh(a[i])
    y3[i] = acosh(a[i] + 2)
    y4[i] = sqrt(a[i] + 2)
    y5[i] = log(a[i] + 2)
    y6[i] = log2(a[i] + 2)
    y7[i] = log10(a[i] + 2)
    y8[i] = log1p(a[i])
    y9[i] = expm1(a[i])


def more(i, a, y0, y1, y2, y3, y4, y5, y6, y7, y8, y9):
    y0[i] = exp2(a[i])
    y1[i] = cbrt(a[i])
    y2[i] = erfc(a[i])
    y3[i] = tgamma(a[i] + 5)
    y4[i] = lgamma(a[i] + 5)
    y5[i] = fabs(a[i])
    y6[i] = np.degrees(a[i])
    y7[i] = radians(a[i])
    y8[i] = log(a[i] + 5, 3)
    y9[i] = np.absolute(a[i])


def rounding(i, a, y0, y1, y2, y3, y4):
    y0[i] = floor(a[i])
    y1[i] = ceil(a[i])
    y2[i] = trunc(a[i])
    y3[i] = round(a[i])
    y4[i] = rint(a[i])


def two(i, a, b, y0, y1, y2, y3, y4, y5, y6, y7, y8, y9):
    y0[i] = atan2(a[i], b[i])
    y1[i] = hypot(a[i], b[i])
    y2[i] = fmod(a[i], b[i])
    y3[i] = remainder(a[i], b[i])
    y4[i] = fdim(a[i], b[i])
    y5[i] = fmin(a[i], b[i])
    y6[i] = fmax(a[i], b[i])
    y7[i] = copysign(a[i], b[i])
    y8[i] = nextafter(a[i], b[i])
    y9[i] = fma(a[i], b[i], a[i])


def scaled(i, a, k, y):
    y[i] = ldexp(a[i], k[i])


def tests(i, a, y0, y1, y2):
    y0[i] = isnan(a[i])
    y1[i] = isinf(a[i])
    y2[i] = isfinite(a[i])


def far(i, x, n, y):
    y[i] = ldexp(x[i], n[i])


def cases(case, np, rng):
    n = np.array([2**32, 2**32 + 1, -2**32, -2**40 - 3, 5, -2**63, 2**63 - 1])  # more than 32 bits
    case("far", {"x": np.ones(7), "n": n, "y": np.zeros(7)}, expected={"y": np.array([np.inf, np.inf, 0, 0, 32, 0, np.inf])})
    import math as m
    low = lambda f: (lambda v: np.array([f(float(x)) for x in v], dtype="float64"))
    groups = {
        "one": [np.sin, np.cos, np.tan, np.arctan, np.sinh, np.cosh, np.tanh, np.arcsinh, np.exp, low(m.erf)],
        "unit": [np.arcsin, np.arccos, np.arctanh, lambda v: np.arccosh(v + 2), lambda v: np.sqrt(v + 2), lambda v: np.log(v + 2),
                 lambda v: np.log2(v + 2), lambda v: np.log10(v + 2), np.log1p, np.expm1],
        "more": [np.exp2, np.cbrt, low(m.erfc), lambda v: low(m.gamma)(v + 5), lambda v: low(m.lgamma)(v + 5), np.fabs, np.degrees,
                 np.radians, lambda v: np.log(v + 5)/np.log(3), np.abs],
    }
    options = ["--option", "precise=1"]
    for t in ("float32", "float64", "int32", "float16"):
        result = {"int32": "float64", "float16": "float32"}.get(t, t)
        for name, functions in groups.items():
            a = rng.uniform(-0.99, 0.99, 50)
            a = np.arange(50) % 3 - 1 if t == "int32" else a
            a = a.astype(t)
            if name == "unit" and t == "int32":
                a[:] = 0
            arrays, expected = {"a": a}, {}
            for k, f in enumerate(functions):
                # The argument of the function is rounded to its type, the function itself computed wider.
                arrays[f"y{k}"] = np.zeros(50, result)
                inner = np.array([float(v) for v in a.astype(result)]).astype(result)
                shifted = {("unit", 3): 2, ("unit", 4): 2, ("unit", 5): 2, ("unit", 6): 2, ("unit", 7): 2,
                           ("more", 3): 5, ("more", 4): 5, ("more", 8): 5}.get((name, k), 0)
                wide = (inner + np.array(shifted, result)).astype("float64") - shifted
                expected[f"y{k}"] = f(wide).astype(result)
            if t == "int32":
                arrays["y9"] = arrays["y9"].astype("int32") if name == "more" else arrays["y9"]
                if name == "more":
                    expected["y9"] = np.abs(a)
            if t == "float16" and name == "more":
                expected["y9"] = np.abs(a).astype("float32")
            case(name, arrays, expected=expected, ulps=16, options=options)
    for t in ("float32", "float64"):
        a = np.concatenate([[0.5, -0.5, 1.5, 2.5, -2.5, 0.0, -0.0, 1e9, np.inf, -np.inf, np.nan, 0.49999997], rng.uniform(-9, 9, 20)]).astype(t)
        z = lambda: np.zeros(len(a), t)
        case("rounding", {"a": a, "y0": z(), "y1": z(), "y2": z(), "y3": z(), "y4": z()},
             expected={"y0": np.floor(a), "y1": np.ceil(a), "y2": np.trunc(a), "y3": np.rint(a), "y4": np.rint(a)}, options=options)
        b = np.roll(a, 5)
        b[-4:] = 0.75
        arrays = {"a": a, "b": b}
        arrays.update({f"y{k}": z() for k in range(10)})
        with np.errstate(all="ignore"):
            ieee = np.array([np.nan if np.isnan(x) or np.isnan(y) or np.isinf(x) or y == 0 else m.remainder(float(x), float(y))
                             for x, y in zip(a, b)])
            fused = (a.astype("longdouble")*b.astype("longdouble") + a.astype("longdouble")).astype(t)
            case("two", arrays, ulps=2, options=options, expected={
                "y0": np.arctan2(a, b), "y1": np.hypot(a, b), "y2": np.fmod(a, b), "y3": ieee.astype(t),
                "y4": np.where(np.isnan(a) | np.isnan(b), np.array(np.nan, t), np.where(a > b, a - b, np.array(0, t))),
                "y5": np.fmin(a, b), "y6": np.fmax(a, b), "y7": np.copysign(a, b), "y8": np.nextafter(a, b), "y9": fused})
        k = rng.integers(-20, 20, len(a)).astype("int32")
        case("scaled", {"a": a, "k": k, "y": z()}, expected={"y": np.ldexp(a, k)}, options=options)
        flags = {f"y{j}": np.zeros(len(a), "bool") for j in range(3)}
        case("tests", dict(a=a, **flags), expected={"y0": np.isnan(a), "y1": np.isinf(a), "y2": np.isfinite(a)}, options=options)

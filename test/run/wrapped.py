# What an int16 is after it has wrapped, and the larger of two, where what follows compares it.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from math import *


def limits(i, a, b, r):
    n, d = cast(-a[i], "int16"), cast(a[i] - b[i], "int16")
    r[i] = min(max(cast(n, "int64"), -278), 278) + 1000*min(max(cast(d, "int64"), -278), 278)


def upper(i, a, b, r):
    r[i] = min(cast(-a[i], "int16"), 278)


def scaled(i, a, b, f):
    f[i] = ldexp(cast(65504.0, "float32"), cast(cast(-a[i], "int16"), "int64"))


def scaled_difference(i, a, b, f):
    f[i] = ldexp(cast(65504.0, "float32"), cast(cast(a[i] - b[i], "int16"), "int64"))


def signs(i, a, b, r):
    n, d, p = cast(-a[i], "int16"), cast(a[i] + b[i], "int16"), cast(a[i]*b[i], "int16")
    r[i] = (n > 0) + 2*(n >= 0) + 4*(n < 1) + 8*(d > 0) + 16*(d < 0) + 32*(p > 0) + 64*(p < 0)


def magnitude(i, a, b, r):
    r[i] = abs(cast(cast(-a[i], "int16"), "int64")) - (cast(cast(-a[i], "int16"), "int32") >> 3)


def number(i, a, b, f):
    f[i] = cast(cast(-a[i], "int16"), "float64")*0.5


def larger(i, a, b, r):
    x = max(a[i], b[i])
    r[i] = (x == b[i]) + 2*(x == -1) + 4*(x > 3)


def chosen(i, a, b, r):
    x = a[i] if a[i] > b[i] else b[i]
    r[i] = (x == b[i]) + 2*(x == -1) + 4*(x > 3)


def kept(i, a, b, r):
    x = a[i]
    if b[i] > x:
        x = b[i]
    r[i] = (x == b[i]) + 2*(x == -1) + 4*(x > 3)


def quotients(i, a, b, r):
    x = max(a[i], cast(-1, "int16"))
    r[i] = 7//x


def cases(case, np, rng):
    a = np.array([-32768, -32767, -5000, -278, -1, 0, 1, 279, 5001, 32766, 32767, -32768]*5, "int16")
    b = np.array([1, -32768, 32767, 0, -1, -32768, -32768, 32767, -2, -2, -1]*6, "int16")[:len(a)]
    n, d, s, p = (v.astype("int64") for v in (-a, a - b, a + b, a*b))
    cut = lambda v: np.clip(v, -278, 278)
    half = lambda v: np.ldexp(np.float32(65504), np.clip(v, -1000, 1000).astype("int32"))
    sign = (n > 0) + 2*(n >= 0) + 4*(n < 1) + 8*(s > 0) + 16*(s < 0) + 32*(p > 0) + 64*(p < 0)
    most = np.maximum(a, b)
    known = (most == b) + 2*(most == -1) + 4*(most > 3)
    least = np.maximum(a, -1).astype("int64")
    with np.errstate(over="ignore", under="ignore"):
        expected = {"limits": cut(n) + 1000*cut(d), "upper": np.minimum(n, 278), "scaled": half(n),
                    "scaled_difference": half(d), "signs": sign, "magnitude": abs(n) - (n >> 3), "number": n*0.5,
                    "larger": known, "chosen": known, "kept": known,
                    "quotients": np.where(least == 0, 0, 7//np.where(least == 0, 1, least))}
    for name, value in expected.items():
        out = "r" if value.dtype.kind == "i" else "f"
        case(name, {"a": a, "b": b, out: np.zeros(len(a), value.dtype)}, expected={out: value}, options=["--option", "precise=1"])

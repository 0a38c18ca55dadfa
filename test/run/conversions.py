# Conversions: int, float, bool, cast, NumPy's names, and implicit ones at stores.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np
from compyle.api import annotate, cast, declare

NEAR = 2049.00001  # as a float32 it lies between two float16, and would go to the even one, 2048


def to_int(i, x, r):
    r[i] = int(x[i])


def to_float(i, x, r):
    r[i] = float(x[i])


def to_bool(i, x, r):
    r[i] = bool(x[i])


def by_cast(i, x, a, b):
    a[i] = cast(x[i], "unsigned int")
    b[i] = cast(x[i], "float")*2


def by_numpy(i, x, a, b):
    a[i] = np.float32(x[i])*2
    b[i] = np.int8(x[i])


def store(i, x, r):
    r[i] = x[i]


def steps(i, x, r):
    """Integers of few significant bits, most of them past what float16 holds, by way of it."""
    r[6*i] = np.float16((x[i] & 3)*32768)
    r[6*i + 1] = np.float16((x[i] & 3)*-32768)
    r[6*i + 2] = np.float16(-((x[i] & 1) << 24))
    r[6*i + 3] = np.float16((x[i] & 1) << 24)
    r[6*i + 4] = np.float16((x[i] & 1)*65504)
    r[6*i + 5] = np.float16((x[i] & 1)*-65520)


@annotate(a="float16")
def given(a):
    return a


def rounded_once(h, k):
    h[0] = 2049.00001
    h[1] = NEAR
    h[2] = -2049.00001
    h[3] = 65519.999
    h[4] = 1.00048828126
    h[5] = 2050.99999
    h[6] = NEAR + 2
    a = declare("float16")
    a = NEAR
    h[7] = a
    h[8] = given(NEAR)
    m = declare("matrix(2, 'float16')")
    m[1] = NEAR
    h[9] = m[1]
    h[10], a = NEAR, 65519.999
    h[11] = a
    h[12] = cast(NEAR, "float16")
    h[13] = np.float16(NEAR)
    h[14] = 65519.999 if k[0] else NEAR
    h[15:17] = NEAR
    h[17:] = NEAR*k[0] - 2049.00001
    b: "float16" = NEAR
    h[19] = b


def clip(v, low, high, np):
    v = np.trunc(np.where(np.isnan(v), 0, v))
    return np.array([low if x <= low else high if x >= high else int(x) for x in v], dtype=object)


def cases(case, np, rng):
    for t in ("float16", "float32", "float64"):
        x = np.array([0.0, -0.0, 0.9, -0.9, 1.5, -1.5, 1e4, -1e4, np.nan, np.inf, -np.inf, 3e9, -3e9, 1e19, -1e19, 255.7, -128.9]).astype(t)
        for to in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
            info = np.iinfo(to)
            case("store", {"x": x, "r": np.zeros(len(x), to)}, expected={"r": clip(x.astype("float64"), int(info.min), int(info.max), np).astype(to)})
        case("to_bool", {"x": x, "r": np.zeros(len(x), "bool")}, expected={"r": x != 0})
        case("store", {"x": x, "r": np.zeros(len(x), "bool")}, expected={"r": x != 0})
        for to in ("float16", "float32", "float64"):
            with np.errstate(all="ignore"):
                case("store", {"x": x, "r": np.zeros(len(x), to)}, expected={"r": x.astype(to)})
    x = np.array([0, 1, -1, 127, 128, 300, 70000, -70000, 2**31 - 1, -2**31], "int32")
    for to in ("int8", "int16", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "bool"):
        case("store", {"x": x, "r": np.zeros(len(x), to)}, expected={"r": x.astype(to)})
    for t in ("int32", "int64", "uint32", "uint64"):
        low = -1 if t[0] == "i" else 1
        near = np.array([low*v for v in (0, 1, 2047, 2049, 65504, 65519, 65520, 65535, 65536, 2**31 - 1)] + [65519, 65520]).astype(t)
        with np.errstate(over="ignore"):
            case("store", {"x": near, "r": np.zeros(len(near), "float16")}, expected={"r": near.astype("float16")})
    for t in ("int32", "int64"):
        small = np.arange(8, dtype=t)
        whole = np.stack([(small & 3)*32768, (small & 3)*-32768, -((small & 1) << 24), (small & 1) << 20, (small & 1)*65504, (small & 1)*-65520], 1)
        for to in ("float16", "float32"):
            with np.errstate(over="ignore"):
                case("steps", {"x": small, "r": np.zeros(48, to)}, n=8, expected={"r": whole.ravel().astype("float16").astype(to)})
    near = np.full(20, NEAR, "float16")
    near[2:7] = [-2050, 65504, 1.00048828126, 2050, 2052]
    near[[11, 17, 18]] = 65504, -2050, -2050
    case("rounded_once", {"h": np.zeros(20, "float16"), "k": np.zeros(1, "int32")}, form="function", expected={"h": near})
    case("to_int", {"x": np.array([2.9, -2.9, 100.0]), "r": np.zeros(3, "int64")}, expected={"r": np.array([2, -2, 100])})
    case("to_float", {"x": x, "r": np.zeros(len(x))}, expected={"r": x.astype("float64")})
    y = np.array([1.5, 2.25, 1e-3, 1000.0])
    case("by_cast", {"x": y, "a": np.zeros(4, "uint32"), "b": np.zeros(4)},
         expected={"a": y.astype("uint32"), "b": (y.astype("float32")*np.float32(2)).astype("float64")})
    z = np.array([0.1, 1.7, -3.2, 100.9])
    case("by_numpy", {"x": z, "a": np.zeros(4), "b": np.zeros(4, "int32")},
         expected={"a": (z.astype("float32")*np.float32(2)).astype("float64"), "b": np.array([0, 1, -3, 100], "int32")})

# float16 of sums and products of integers is infinite past 65504, however few significant bits they have, and stays so
# where it is widened again.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np


def products(i, k, m, y, z, t):
    h = np.float16(np.float32(k[i] % 63) * 32768)
    g = np.float16(np.float64(k[i] % 31) * np.float64(m[i] % 9) * 4096)
    f = np.float16(k[i] % 5)*np.float16(16384)
    y[i] = h
    z[i] = g
    t[i] = np.float16(f) + 1


def sums(i, k, m, y, z, t):
    h = np.float16(np.float32(k[i] % 3) + 65504)
    g = np.float16(np.float32((k[i] & 7) << 13) + np.float32((m[i] & 7) << 13))
    f = np.float16(np.float32(k[i] % 4) - 65536)
    y[i] = h
    z[i] = g
    t[i] = f


def asked(i, k, m, y, z, t):
    """Compared, as whole numbers and through memory."""
    h = np.float16(np.float32(k[i] % 63) * 32768)
    y[i] = 1 if h > 65000 else 0
    z[i] = int(h) if h < 65000 else -1
    t[i] = h
    y[i] += t[i]


def cases(case, np, rng):
    def half(v):
        with np.errstate(over="ignore"):
            return np.asarray(v, "f4").astype("f2")

    n = 150
    for dtype in ("u4", "i4", "u8", "i8", "u1"):
        k, m = np.arange(n).astype(dtype), (np.arange(n)*7 % 120).astype(dtype)
        a, b = k.astype("f8"), m.astype("f8")
        out = dict(y=np.zeros(n), z=np.zeros(n), t=np.zeros(n, "f2"))
        case("products", arrays=dict(k=k, m=m, **out),
             expected=dict(y=half(a % 63 * 32768).astype("f8"), z=half(a % 31 * (b % 9) * 4096).astype("f8"), t=half(half(a % 5 * 16384).astype("f4") + 1)))
        case("sums", arrays=dict(k=k, m=m, **out),
             expected=dict(y=half(a % 3 + 65504).astype("f8"), z=half((k.astype("i8") & 7)*8192 + (m.astype("i8") & 7)*8192).astype("f8"),
                           t=half(a % 4 - 65536)))
        h = half(a % 63 * 32768)
        case("asked", arrays=dict(k=k, m=m, **out),
             expected=dict(y=(h > 65000) + h.astype("f8"), z=np.where(h < 65000, h, -1).astype("f8"), t=h))

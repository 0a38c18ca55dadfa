# Integers to floats in vectors of every level of the CPU's: at the ends of each type and around what floats round, by LLVM's vectors and by lanes
# that go ways of their own.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np


def straight(i, k, n, d, f):
    d[i] = k[i]
    f[i] = k[i]


def side_by_side(i, k, n, d, f):
    v = k[i]
    x = 0.0
    y = np.float32(0)
    j = 0
    while j < n[i]:
        x = float(v)
        y = np.float32(v)
        v -= 1
        j += 1
    d[i] = x
    f[i] = y


def levels():
    """cpu_level of what this CPU runs."""
    with open("/proc/cpuinfo") as file:
        flags = file.read().split()
    return [level for level, flag in ((1, "sse2"), (3, "avx2"), (4, "avx512vl")) if flag in flags]


def around(np, t):
    """Numbers of the type, with a few more below each: zero, powers of two, halves of the last bits of floats, and the ends."""
    info = np.iinfo(t)
    some = [s*(2**top + (2**top >> bits) + near) for top in range(info.bits)
            for bits in (24, 25, 53, 54) for near in (-1, 0, 1) for s in (1, -1)]
    return np.array(sorted({v
                            for v in some if info.min + 4 <= v <= info.max} | {info.min + 4, info.max, info.max - 1}), t)


def cases(case, np, rng):
    for t in ("uint64", "int64", "uint32", "int32"):
        k = around(np, t)
        n = (np.arange(len(k)) % 4 + 1).astype("int32")
        last = k - (n - 1).astype(t)
        zeros = {"d": np.zeros(len(k)), "f": np.zeros(len(k), "float32")}
        for options in ([],
                        *(["--option", f"cpu_level={level}", "--option", f"simd={simd}"]
                          for level in levels() for simd in (1, 2)
                              if simd == 2 or level == 3)):
            case("straight", {"k": k, "n": n, **zeros},
                 expected={"d": k.astype("float64"), "f": k.astype("float32")}, options=options)
            case("side_by_side", {"k": k, "n": n, **zeros},
                 expected={"d": last.astype("float64"), "f": last.astype("float32")},
                 options=options)

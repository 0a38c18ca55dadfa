# Random numbers: the published known answers of Philox 4x32-10, and all functions of cpl.random against NumPy, with the same bits on every target.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.api import declare
import cpl.random
import cpl.random as numbers
from cpl import random
from cpl.random import *
from cpl.random import philox as block

SEED = 20260102


def known(i, out, seed, low, high):
    w = declare('matrix(4, "uint32")')
    block(w, seed, low, high)
    for k in range(4):
        out[k] = w[k]


def known_among(i, out, seed, low, high):
    """The same side by side with others."""
    w = declare('matrix(4, "uint32")')
    block(w, seed, low + i, high)
    for k in range(4):
        out[4*i + k] = w[k]


def bits(i, a, b, seed, draw):
    a[i] = bits32(seed, i, draw)
    b[i] = bits64(seed, i, draw)


def uniforms(i, a, b, seed, draw, first):
    a[i] = uniform(seed, first + i, draw)
    b[i] = uniform32(seed, first + i, draw)


def others(i, a, b, c, d, seed, draw):
    a[i] = normal(seed, i, draw)
    b[i] = normal32(seed, i, draw)
    c[i] = exponential(seed, i, draw)
    d[i] = exponential32(seed, i, draw)


def in_range(i, a, seed, low, high):
    a[i] = integers(seed, i, low, high)


def permuted(i, a, seed, n, draw):
    a[i] = permutation(seed, i, n, draw)


def backwards(i, a, n):
    """Negative numbers of elements and seeds are those of 64 bits; draws by name, and left out."""
    a[i] = uniform(-1, i - n) + 2*uniform(seed=SEED, i=i, draw=7)


def spelt(i, a, seed):
    a[i] = (cpl.random.uniform(seed, i) + numbers.uniform(seed, i, 1)) + (random.uniform(seed, i, 2) + uniform(seed, i, 3))


# D. E. Shaw Research, Random123, tests/kat_vectors: counter, key, result
VECTORS = ("00000000 00000000 00000000 00000000 00000000 00000000 6627e8d5 e169c58d bc57ac4c 9b00dbd8",
           "ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff 408f276d 41c83b0e a20bc7c6 6d5451fd",
           "243f6a88 85a308d3 13198a2e 03707344 a4093822 299f31d0 d16cfe09 94fdcceb 5001e420 24126ea1")
COUNT = 150
BEFORE = 21  # blocks in front of a known one
RANGES = ((0, 1), (-5, 12), (0, 2**32 - 1), (-2**40, 2**32 - 2**40), (7, 7 + 2**32 + 1), (-2**62, 2**62 + 12345), (-2**63, 2**63 - 1))
SIZES = (1, 2, 3, 10, 149, 256, 257, 2**31, 2**40 + 1, 2**63 - 1)


def levels():
    """cpu_level of what this CPU runs, but for its own."""
    with open("/proc/cpuinfo") as f:
        flags = f.read().split()
    return [level for level, flag in ((1, "sse2"), (3, "avx2"), (4, "avx512vl")) if flag in flags]


def cases(case, np, rng):
    import philox as model
    zeros = lambda t, n=COUNT: np.zeros(n, t)
    typed = lambda x, t="uint64": np.dtype(t).type(x)
    for vector in VECTORS:
        w = [int(x, 16) for x in vector.split()]
        low, high, seed = (w[k] | w[k + 1] << 32 for k in (0, 2, 4))
        case("known", {"out": zeros("uint32", 4)}, {"seed": typed(seed), "low": typed(low), "high": typed(high)}, n=1, expected={"out": np.array(w[6:], "uint32")})
        first = typed(low - BEFORE & 2**64 - 1)
        blocks = first + np.arange(COUNT, dtype="uint64")
        counter = (blocks & typed(2**32 - 1), blocks >> typed(32), *(np.full(COUNT, int(x, 16), "uint64") for x in vector.split()[2:4]))
        all_words = np.stack(model.words(seed, counter), 1).astype("uint32")
        assert list(all_words[BEFORE]) == w[6:]
        for level in levels():
            case("known_among", {"out": zeros("uint32", 4*COUNT)}, {"seed": typed(seed), "low": first, "high": typed(high)}, n=COUNT, expected={"out": all_words.ravel()},
                 options=["--option", f"cpu_level={level}"])
    i = np.arange(COUNT)
    for seed, draw in ((0, 0), (SEED, 3), (2**64 - 1, 2**32 - 1)):
        given = {"seed": typed(seed), "draw": typed(draw)}
        for options in ([], *(["--option", f"cpu_level={level}"] for level in levels())):
            case("bits", {"a": zeros("uint32"), "b": zeros("uint64")}, given, {"a": model.bits32(seed, i, draw), "b": model.bits64(seed, i, draw)}, options=options)
        for first in (0, 2**32 - 40, 2**63 - 7):
            case("uniforms", {"a": zeros("float64"), "b": zeros("float32")}, {**given, "first": typed(first)},
                 {"a": model.uniform(seed, model.numbers(i) + typed(first), draw), "b": model.uniform32(seed, model.numbers(i) + typed(first), draw)})
        arrays = {"a": zeros("float64"), "b": zeros("float32"), "c": zeros("float64"), "d": zeros("float32")}
        near = {name: (f(seed, i, draw), ulps) for name, f, ulps in
                (("a", model.normal, 4), ("b", model.normal32, 4), ("c", model.exponential, 2), ("d", model.exponential32, 2))}
        for options in ([], ["--option", "precise=1"]):
            case("others", arrays, given, near=near, options=options)
    for low, high in RANGES:
        case("in_range", {"a": zeros("int64")}, {"seed": SEED, "low": typed(low, "int64"), "high": typed(high, "int64")},
             {"a": model.integers(SEED, i, low, high).astype("int64")})
    for n in SIZES:
        case("permuted", {"a": zeros("int64")}, {"seed": SEED, "n": typed(n), "draw": 5}, {"a": model.permutation(SEED, i, n, 5)})
    case("backwards", {"a": zeros("float64")}, {"n": COUNT}, {"a": model.uniform(2**64 - 1, i - COUNT) + 2*model.uniform(SEED, i, 7)})
    case("spelt", {"a": zeros("float64")}, {"seed": SEED},
         {"a": model.uniform(SEED, i) + model.uniform(SEED, i, 1) + (model.uniform(SEED, i, 2) + model.uniform(SEED, i, 3))})

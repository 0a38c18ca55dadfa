"""reduce.py BUILD DEVICE [tiles] [small]: reductions against NumPy, in every type, at the borders of pieces and lanes, or of tiles."""
import sys

import numpy as np

from algorithms import INTEGERS, KINDS, PIECE, STRUCTURES, STRUCTS, Library, known, numbers, operators, reduced, refused, same

build, device = sys.argv[1:3]
small, tiles = "small" in sys.argv[3:], "tiles" in sys.argv[3:]
lib = Library(build, device, tiles)
rng = np.random.default_rng(11)
GROUP = 256  # work-items of a tile
SIZES = [0, 1, 2, 3, 15, 16, 17, 63, 65, PIECE - 1, PIECE, PIECE + 1, 4*PIECE - 1, 4*PIECE, 4*PIECE + 1, 5*PIECE + 7]
TILES = [k*GROUP*items + more for items in (1, 2, 4, 5, 8, 10, 16, 20) for k, more in ((1, -1), (1, 0), (1, 1), (4, 0), (4, 1), (9, 5))]
if tiles:
    SIZES = SIZES[:8] + sorted(set(TILES)) + [100003]
# 512 pieces of the least size on the host, 1024 on devices; behind that pieces grow
BORDERS = [512*PIECE - 1, 512*PIECE, 512*PIECE + 1, 512*(PIECE + 64), 1024*PIECE - 1, 1024*PIECE, 1024*PIECE + 1, 1024*(PIECE + 64), 5000011]


def wide(op, kind):
    """Of sums and products."""
    if op[2] not in "+*" or kind.startswith("float"):
        return kind
    return "uint64" if kind.startswith("u") else "int64"


def start(op, kind):
    """What op leaves as it is."""
    if op in ("a + b", "a | b", "a ^ b"):
        return 0
    if op == "a * b":
        return 1
    if kind == "bool":
        return op[:3] != "max"
    if kind.startswith("float"):
        return -np.inf if op[:3] == "max" else np.inf
    least, most = np.iinfo(kind).min, np.iinfo(kind).max
    return (~np.zeros(1, kind))[0] if op == "a & b" else least if op[:3] == "max" else most


def expected_of(op, x):
    kind = wide(op, x.dtype.name)
    return known[op].reduce(x.astype(kind), initial=np.dtype(kind).type(start(op, x.dtype.name)), dtype=kind)


def check(op, x, what=""):
    if op == "a * b" and x.dtype.kind == "f":
        x = np.where(x == 0, x.dtype.type(1), x)
    same(f"{op} of {len(x)} {x.dtype}{what}", lib.reduce(op, x), expected_of(op, x))


def scalars():
    for kind in ("int32",) if small else KINDS:
        for op in operators(kind)[:2 if small else None]:
            for n in SIZES:
                x = numbers(kind, n, rng)
                check(op, x if op != "a * b" or kind == "bool" or kind.startswith("float") else x | x.dtype.type(1))


def large():
    for op, kind in (("a + b", "int16"), ("max(a, b)", "float32"), ("a ^ b", "uint64")):
        x = numbers(kind, BORDERS[-1], rng)
        for n in BORDERS:
            check(op, x[:n])


def structures():
    for op, (neutral, of, make) in list(STRUCTURES.items())[3 if small else 0:]:
        for n in SIZES[::3] + [PIECE + 1] if small else SIZES + [200003]:
            x = make(n, rng)
            got = lib.reduce(op, x, neutral=neutral)
            if n:
                same(f"{op} of {n}", got, reduced(of, x))
            else:
                same(f"{op} of none", got, lib.reduce(op, make(1, rng), neutral=neutral, n=0))
    x = STRUCTURES["product"][2](100 if small else BORDERS[2], rng)
    if small:
        return
    same("product of many", lib.reduce("product", x, neutral="one"), reduced(STRUCTURES["product"][1], x))
    refused("a struct's sum", lambda: lib.reduce("a + b", x), "no neutral element")


def order():
    """The first and the last that count, of few and at either end of every piece."""
    for n in SIZES + ([] if small else [BORDERS[2]]):
        for places in ([], [0], [n - 1], [n//2], rng.integers(0, n or 1, 3), np.arange(PIECE - 1, n, PIECE), np.arange(0, n, PIECE)):
            x = np.full(n, -1)
            at = np.array(places, "i8")[:n]
            x[at] = at
            where = np.flatnonzero(x >= 0)
            same(f"first of {n}", lib.reduce("first", x, neutral="nobody"), where[0] if len(where) else np.int64(-1))
            same(f"last of {n}", lib.reduce("last", x, neutral="-1"), where[-1] if len(where) else np.int64(-1))


def maps():
    x, y = rng.integers(-9, 9, 9001), rng.integers(-9, 9, 9001).astype("f8")
    same("dot", lib.reduce("a + b", x, y, 2.0, map="dot"), (2*x*y + np.arange(9001)).sum())
    same("of a lambda", lib.reduce("max(a, b)", x, map="lambda i, x: x[i]*x[i]"), (x*x).max())
    same("without arrays", lib.reduce("a + b", 3, map="lambda i, k: i*k", n=PIECE + 1), np.int64(3*PIECE*(PIECE + 1)//2))
    same("fewer", lib.reduce("a + b", x, map="lambda i, x: x[2*i]", n=4000), x[:8000:2].sum())
    same("a count", lib.reduce("a + b", x, map="lambda i, x: x[i] > 0"), (x > 0).sum())
    same("of a map to a struct", lib.reduce("behind", x, map="step", neutral="still"),
         reduced(STRUCTURES["behind"][1], np.rec.fromarrays([x % 3 - 1, x], dtype=STRUCTS["Affine"]).view(STRUCTS["Affine"])))
    same("narrower", lib.reduce("a + b", x, type="int8"), x.astype("i1").sum(dtype="i1"))
    same("wider", lib.reduce("a + b", x.astype("f4"), type="float64"), x.sum().astype("f8"))
    same("with its own start", lib.reduce("a + b", x[:0], neutral="7"), np.int64(7))
    for n in (0, 1, 15, 16, 17, 255, 256, 257, 16*1024 - 1, 16*1024, 16*1024 + 1, 40000):  # pieces of loops are small
        k = rng.integers(0, 8, n)
        same(f"{n} loops", lib.reduce("a + b", k, map="triangle"), (k*(k - 1)//2 + np.arange(n)).sum())


def strides():
    base = rng.integers(-2**31, 2**31, 3*9000, dtype="i4")
    for x in (base[::3], base[::-1], base[::-2], base[7:5000:5], base.reshape(-1, 3)[:, 1], base[:1][::-1]):
        for op in ("a + b", "min(a, b)"):
            check(op, x, f" of stride {x.strides[0]}")
    k = np.where(base % 1000 == 0, np.arange(len(base)), -1)
    same("last, backwards", lib.reduce("last", k[::-1], neutral="-1"), k[k >= 0][0])
    refused("bits of floats", lambda: lib.reduce("a & b", np.ones(3)), "float64")


def extremes(kind):
    """Numbers beat NaNs, whichever lane they are in; infinities are numbers; zeros are equal."""
    for n in (1, 15, 16, 17, PIECE, 3*PIECE + 5):
        for share in (0.0, 0.5, 0.99, 1.0):
            x = rng.integers(-100, 100, n).astype(kind)
            x[rng.random(n) < share] = np.nan
            check("min(a, b)", x)
            check("max(a, b)", x)
            same("sum", np.isnan(lib.reduce("a + b", x)), np.isnan(x).any())
    zeros = np.where(np.arange(PIECE + 9) % 2, -0.0, 0.0).astype(kind)
    check("min(a, b)", zeros)
    assert np.signbit(lib.reduce("min(a, b)", -abs(zeros))), "-0 alone is the least"
    x = np.ones(PIECE + 1, kind)
    x[[5, -1]] = np.inf
    check("a + b", x)
    x[5] = -np.inf
    check("a + b", x)
    check("min(a, b)", x)


def threads():
    """The same bits, and near what is right."""
    for kind in ("float32", "float64"):
        x = rng.normal(size=1000003).astype(kind)
        for n in (PIECE + 1, 300001, len(x)):
            got = set()
            for count in (1, 2, 3, 8):
                lib.option("num_threads", count)
                got.add(lib.reduce("a + b", x[:n]).tobytes())
                got.add(lib.reduce("a + b", x[:n], map="lambda i, x: x[i]").tobytes())
            assert len(got) == 1, f"{len(got)} sums of {n} {kind}"
            sums = np.frombuffer(got.pop(), kind)[0]
            assert abs(sums - x[:n].sum(dtype="f8")) < 40*np.finfo(kind).eps*abs(x[:n]).sum(dtype="f8")/n**0.5
    m = STRUCTURES["product"][2](200003, rng)
    for count in (1, 2, 3, 8):
        lib.option("num_threads", count)
        same(f"{count} threads", lib.reduce("product", m, neutral="one"), reduced(STRUCTURES["product"][1], m))
    lib.option("num_threads", 0)


with np.errstate(all="ignore"):
    for part in (scalars, structures, order) if small else (scalars, structures, order, maps, strides, threads, large):
        part()
    for kind in () if small else ("float16", "float32", "float64"):
        extremes(kind)
lib.close()
print("reductions agree with NumPy")

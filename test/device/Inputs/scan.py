"""scan.py BUILD DEVICE [tiles] [small]: scans against NumPy, in every type, with segments, at the borders of pieces and of waves of them."""
import sys

import numpy as np

from algorithms import EXCLUSIVE, KINDS, LAST, PIECE, STRUCTURES, STRUCTS, Library, known, numbers, operators, refused, same, scanned, segmented

build, device = sys.argv[1:3]
small, tiles = "small" in sys.argv[3:], "tiles" in sys.argv[3:]
lib = Library(build, device, tiles)
rng = np.random.default_rng(12)
FEW = [1, 2, PIECE + 1, 4*PIECE - 1]
SIZES = [0, 1, 2, 3, PIECE - 1, PIECE, PIECE + 1, 2*PIECE, 4*PIECE - 1, 4*PIECE, 4*PIECE + 1, 5*PIECE + 7, 7*PIECE + 1]

if tiles:  # of 256 work-items, each with so many items
    TILES = sorted({k*256*items + more for items in (1, 2, 5, 10, 20) for k, more in ((1, -1), (1, 0), (1, 1), (40, 3))})
    FEW, SIZES = [1, 2, 255, 5*256 + 1, 34*20*256 + 7], SIZES[:4] + TILES


def begun(op, kind):
    """What stands in front of all elements."""
    if op[:3] in ("min", "max"):
        least, most = (-np.inf, np.inf) if kind.startswith("float") else (0, 1) if kind == "bool" else (np.iinfo(kind).min, np.iinfo(kind).max)
        return np.array([least if op[:3] == "max" else most], kind)
    return (~np.zeros(1, kind))[:1] if op == "a & b" else np.array([op == "a * b"], kind)


def accumulated(op, x, kind):
    """The items behind what stands in front: those of an exclusive scan are all but the last."""
    x = np.concatenate([begun(op, kind), x.astype(kind)])
    return known[op].accumulate(x, dtype=kind)


def check(op, x, to=None, in_place=False, what=""):
    kind = to or x.dtype.name
    expected = accumulated(op, x, kind)
    for flags in (0, EXCLUSIVE) if op in ("a + b", "a * b") else (0,):
        y = x.copy() if in_place else np.full(len(x) + 2, 77, kind)
        lib.scan(op, *((y,) if in_place else (x, y)), flags=flags)
        same(f"{op} of {len(x)} {x.dtype}{what} flags {flags}", y[:len(x)], expected[:-1] if flags else expected[1:])
        assert in_place or (y[len(x):] == np.array(77).astype(kind)).all(), f"{op} of {len(x)} writes behind its items"


def scalars():
    for at, kind in enumerate(("int32",) if small else KINDS):
        for op in operators(kind)[:1] if small else operators(kind)[at % 3::3]:
            for n in FEW if small else SIZES:
                x = numbers(kind, n, rng)
                if op == "a * b" and kind != "bool":
                    x = np.where(x == 0, x.dtype.type(1), x) if kind.startswith("float") else x | x.dtype.type(1)
                check(op, x, in_place=kind == "int32" and n % 2 == 1)
    if small:
        return
    check("a + b", numbers("int8", 2*PIECE + 1, rng), to="int64")
    check("a + b", numbers("bool", 2*PIECE + 1, rng), to="uint16")
    check("max(a, b)", numbers("uint8", 2*PIECE + 1, rng), to="float64")


def places(n):
    """Where segments begin: nowhere, at each element, at either end of pieces, with many elements and few."""
    starts = np.zeros((8, n), bool)
    starts[1] = True
    starts[2, ::PIECE] = True
    starts[3, PIECE - 1::PIECE] = True
    starts[4, :1] = starts[4, -1:] = True
    starts[5, n//2:n//2 + 1] = True
    starts[6] = rng.random(n) < 0.3
    starts[7] = rng.random(n) < 1/3000
    return starts


def expected_of(op, x, starts, neutral):
    """Items, those before them, and the last ones of their segments."""
    n = len(x)
    items = segmented(op, x, starts)
    before = np.concatenate([neutral, items[:-1]])[:n]
    before[starts] = neutral
    ends = np.flatnonzero(np.append(starts[1:], True)) if n else np.zeros(0, int)
    return items, before, items[ends[np.searchsorted(ends, np.arange(n))]] if n else items


def check_outputs(op, of, x, neutral, text, kinds=range(8)):
    """Of a function that takes everything; of one that takes all but the last; of none."""
    n = len(x)
    arguments = "i, x, starts, items, before"
    for starts in places(n)[list(kinds)]:
        items, before, lasts = expected_of(of, x, starts, neutral)
        for segment in (f"lambda {arguments}, lasts, counts: starts[i]", None):
            if segment is None:
                items, before, lasts = expected_of(of, x, np.zeros(n, bool), neutral)
            got = [np.empty_like(x) for _ in range(3)]
            counts = np.zeros(n, "i8")
            lib.scan(op, x, starts, *got, counts, input=f"lambda {arguments}, lasts, counts: x[i]", neutral=text, segment=segment,
                     output="keep", flags=LAST)
            for name, a, b in zip(("items", "those before", "last ones"), got, (items, before, lasts)):
                same(f"{name}, {op} of {n} {x.dtype}, {starts.sum()} starts", a, b)
            assert (counts == n).all()
            got = [np.empty_like(x) for _ in range(2)]
            lib.scan(op, x, starts, *got, input=f"lambda {arguments}: x[i]", neutral=text, segment=segment and f"lambda {arguments}: starts[i]",
                     output="keep_two")
            for name, a, b in zip(("items", "those before"), got, (items, before)):
                same(f"{name} without the last, {op} of {n} {x.dtype}, {starts.sum()} starts", a, b)
            if segment is None:
                break
            for flags in (0, EXCLUSIVE):
                got = np.empty_like(x)
                lib.scan(op, x, starts, got, neutral=text, segment="lambda i, x, starts, y: starts[i]", flags=flags)
                same(f"{op} of {n} {x.dtype}, {starts.sum()} starts, flags {flags}", got, before if flags else items)
        if small and n > PIECE:
            break


def segments():
    for n in [2*PIECE + 1] if small else [0] + FEW + [4*PIECE, 4*PIECE + 1, 30011]:
        check_outputs("a + b", np.add, rng.integers(-9, 9, n), np.zeros(1, int), None, [3, 6] if small else range(8))
    for n in [] if small else FEW + [30011]:
        check_outputs("max(a, b)", np.fmax, numbers("float32", n, rng), np.full(1, -np.inf, "f4"), None)
        check_outputs("last", lambda a, b: np.where(b >= 0, b, a), rng.integers(-1, 9, n, dtype="i2"), np.full(1, -1, "i2"), "nobody")


def structures():
    for op, (neutral, of, make) in STRUCTURES.items():
        nobody = make(1, rng)
        nobody[0] = lib.reduce(op, nobody, neutral=neutral, n=0)
        for n in SIZES + [70001]:
            x = make(n, rng)
            y = np.empty_like(x)
            for flags in (0, EXCLUSIVE):
                lib.scan(op, x, y, neutral=neutral, flags=flags)
                items = scanned(of, x)
                same(f"{op} of {n}", y, np.concatenate([nobody, items])[:n] if flags else items)
        check_outputs(op, of, make(9001, rng), nobody, neutral, [0, 2, 6])


def order():
    x = np.where(rng.random(5*PIECE + 9) < 1e-3, np.arange(5*PIECE + 9), -1)
    for op, pick in (("last", np.maximum), ("first", lambda a, b: np.where(a >= 0, a, b))):
        y = np.empty_like(x)
        lib.scan(op, x, y, neutral="nobody")
        same(op, y, scanned(pick, x))


def inputs():
    k, w = rng.integers(0, 9, PIECE + 5), np.zeros(PIECE + 5, "i8")
    lib.scan("a + b", k, w, input="lambda i, k, w: k[i]*k[i] + i")
    same("of a lambda", w, (k*k + np.arange(len(k))).cumsum())
    lib.scan("a + b", k, w, n=100)
    same("a few", w[:100], k[:100].cumsum())
    same("and no more", w[100:], (k*k + np.arange(len(k))).cumsum()[100:])
    y = np.zeros(len(k), STRUCTS["Affine"])
    lib.scan("behind", k, y, input="lambda i, k, y: step(i, k)", neutral="still")
    x = np.zeros(len(k), STRUCTS["Affine"])
    x["a"], x["b"] = k % 3 - 1, k
    same("of a map to a struct", y, scanned(STRUCTURES["behind"][1], x))
    with_ends = np.array([1, np.inf, 2, -np.inf, 3, np.nan, 4])
    y = np.zeros(7)
    lib.scan("a + b", with_ends, y)
    same("infinities", y, with_ends.cumsum())
    lib.scan("min(a, b)", with_ends[::-1], y)
    same("the least, NaNs left out", y, np.fmin.accumulate(with_ends[::-1]))
    strided = np.zeros(2*len(k), "i4")[::2]
    lib.scan("a + b", k[::-1].astype("i4"), strided)
    same("strides", strided, k[::-1].cumsum(dtype="i4"))
    refused("an output that is too short", lambda: lib.scan("a + b", k, y), "7 elements and takes")
    refused("a segment that is a number", lambda: lib.scan("a + b", k, w, segment="lambda i: 1"), "")


def strides():
    base = rng.integers(-2**31, 2**31, 3*9000, dtype="i4")
    for x in (base[::3], base[::-1], base[::-2], base[7:5000:5], base.reshape(-1, 3)[:, 1]):
        check("a + b", x, what=f" of stride {x.strides[0]}")
        for y in (np.zeros(2*len(x), "i8")[::2], np.zeros(len(x), "i8")[::-1]):
            lib.scan("a + b", x, y)
            same(f"strides {x.strides[0]} and {y.strides[0]}", y, x.cumsum(dtype="i8"))


def threads():
    """The same bits whatever waves there are, at their borders, and near what is right."""
    x = rng.normal(size=70*PIECE + 1).astype("f4")
    m = STRUCTURES["product"][2](17*PIECE, rng)
    for wave in (8, 16, 64):
        for n in (wave*PIECE - 1, wave*PIECE, wave*PIECE + 1):
            got = set()
            for count in (1, 2, 3, 8):
                lib.option("num_threads", count)
                y = np.empty_like(x[:n])
                lib.scan("a + b", x[:n], y)
                got.add(y.tobytes())
                k = np.arange(len(y), dtype="u4")
                lib.scan("a + b", k, k)
                same(f"{n} on {count} threads", k, np.arange(len(y), dtype="u4").cumsum(dtype="u4"))
            assert len(got) == 1 or tiles, f"{len(got)} scans of {n}"
            assert abs(np.frombuffer(got.pop(), "f4") - x[:n].cumsum(dtype="f8")).max() < 0.01
    for count in (1, 2, 3, 8):
        lib.option("num_threads", count)
        y = np.empty_like(m)
        lib.scan("product", m, y, neutral="one")
        same(f"products on {count} threads", y, scanned(STRUCTURES["product"][1], m))
        check_outputs("a + b", np.add, rng.integers(-9, 9, (8*count + 2)*PIECE), np.zeros(1, int), None, [6, 7])
    lib.option("num_threads", 0)


def large():
    n = 1024*PIECE + 1
    check("a + b", numbers("uint32", n, rng))


with np.errstate(all="ignore"):
    for part in (scalars, segments) if small else (scalars, segments, structures, inputs, order, strides, threads, large):
        part()
lib.close()
print("scans agree with NumPy")

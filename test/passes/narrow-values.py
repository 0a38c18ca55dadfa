# What the fact small narrows gives the values that 64 bits give: each operator within each other one on indices, lengths and parameters of every
# type, with constants at the ends of 32 bits.
# RUN: rm -rf %t && mkdir -p %t && %python %s %t | FileCheck %s
# CHECK: {{[0-9]+}} expressions, {{[1-9][0-9]*}} narrowed, 0 differences
import itertools
import os
import re
import subprocess
import sys

import numpy as np

BINARY = ["add", "sub", "mul", "floordiv", "floormod", "div", "rem", "min", "max", "and", "or", "xor", "shl", "shr"]
# Two loops' variables, one that grows, one that is written through a pointer, the length, parameters by way of int64, and constants.
LEAVES = ["i", "j", "t", "q", "x_len", "convert<int64>(w)", "convert<int64>(u)", "convert<int64>(v)"]
CONSTANTS = [0, 1, -1, 2, -7, 31, 32, 33, 255, 2**31 - 1, 2**31, -(2**31), 2**32 - 1, 2**32]
OPTIONS = ["--option", "max_ops=10000000"]
# Numbers at the ends of each type and past 32 bits.
ARRAYS = {"bool": [1, 0, 1], "int8": [-128, 127, 5], "uint8": [255, 128, 5],
          "int16": [-2**15, 2**15 - 1, 5], "uint16": [2**16 - 1, 2**15, 5],
          "int32": [-2**31, 2**31 - 1, 5], "uint32": [2**32 - 1, 2**31, 5],
          "int64": [-2**63, 2**40 + 77, 2**31], "uint64": [2**64 - 1, 2**63, 2**32 + 9],
          "float16": [65504, -65504, 5.5], "float32": [-3e9, 5e9, 2**31],
          "float64": [2.0**40 + 77.5, -2.0**33 - 9, 2.0**31 + 1]}
N, W, U, V = 3, -(2**31), 2**32 - 1, -100


def expressions():
    inner = [f"{op}({a}, {c}:int64)" for op in BINARY for a in LEAVES for c in CONSTANTS]
    inner = inner[::2] + [f"{op}({a}, {b})" for op in BINARY for a, b in itertools.product(LEAVES, repeat=2)]
    inner += [f"{op}({a})" for op in ("neg", "abs", "not") for a in LEAVES]
    for k, e in enumerate(inner):
        yield e
        for op in ("floordiv", "floormod", "div", "rem"):  # what narrowing starts from
            yield f"{op}({e}, {LEAVES[k % len(LEAVES)]})"
            yield f"{op}({LEAVES[k*5 % len(LEAVES)]}, {e})"
        yield f"floordiv(and({e}, 65535:int64), 3:int64)"
        yield f"floordiv({e}, {CONSTANTS[1 + k % (len(CONSTANTS) - 1)]}:int64)"
    # quotients and rests of what lies on one side of 0, by what is past 32 bits: as large as that, or as small as what is divided
    for op, a, c in itertools.product(("floordiv", "floormod", "div", "rem"), LEAVES, (2**31 - 1, 2**31, 2**32, 2**40)):
        for e, by in itertools.product((f"and({a}, 65535:int64)", f"neg(and({a}, 65535:int64))", a), (c, -c)):
            yield f"floordiv({op}({e}, {by}:int64), 3:int64)"
    # and moved to the ends of 32 bits, past which a range that is wrong about a sign lets them
    for op, a, c in itertools.product(("floordiv", "floormod", "div", "rem"), LEAVES, (7, 2**31 - 1)):
        for by, move, end in itertools.product((c, -c), ("add", "sub"), (2**31 - 1, 2**31)):
            yield f"floordiv({move}({op}({a}, {by}:int64), {end}:int64), 3:int64)"
    yield from at_the_ends()
    yield from converted()


def value(op, a, b):
    """What an operator gives: quotients by 0 are 0, as are their rests."""
    if op in ("floordiv", "floormod", "div", "rem"):
        quotient = 0 if b == 0 else a//b if op.startswith("floor") else abs(a)//abs(b)*(1 if (a < 0) == (b < 0) else -1)
        return quotient if op.endswith("div") else a - quotient*b if b else 0
    return {"add": a + b, "sub": a - b, "mul": a*b, "min": min(a, b), "max": max(a, b), "and": a & b, "or": a | b, "xor": a ^ b, "neg": -b, "abs": abs(b),
            "not": ~b, "shl": a << (b & 63), "shr": a >> (b & 63)}[op]


def converted():
    """Elements of each type as int64 within each operator: a float past 32 bits has other low bits
    as an int32, and one that may be infinite has no range."""
    others = ("7:int64", "31:int64", "4294967297:int64", "j")
    for t in ARRAYS:
        a = f"convert<int64>(load(elem(a_{t}, i)))"
        rows = [a, f"cond(lt(i, 1:int64), {a}, j)", f"cond(lt(i, 1:int64), j, {a})"]
        rows += [f"{op}({a}, {b})" for op in BINARY for b in others]
        rows += [f"{op}({b}, {a})" for op in BINARY for b in ("7:int64", "j")]
        rows += [f"{op}({a})" for op in ("neg", "abs", "not")]
        rows += [f"convert<int64>(convert<{by}>({a}))"
                 for by in ("float64", "float16", "uint32", "int16")]
        rows += [f"convert<int64>({op}(convert<float64>({a}), {b}:float64))"
                 for op, b in (("div", 0.0), ("mul", 3.0))]
        for e in rows:
            yield f"floordiv(and({e}, 1023:int64), 3:int64)"
            yield f"floordiv(add(and({e}, 65535:int64), {e}), j)"
            yield f"floormod({e}, 1000:int64)"


def at_the_ends():
    """Each operator on two small ranges, whose ends are values in some round, moved so that the least or the largest result is one past 32 bits: a range that
    lacks it is narrowed, wrongly."""
    places = (-40, -9, -6, -5, -2, -1, 0, 1, 3, 5, 6, 8, 30, 1000)
    for op, c, d in itertools.product(BINARY + ["neg", "abs", "not"], places, places):
        p, q, shift = f"add(min(i, 2:int64), {c}:int64)", f"add(j, {d}:int64)", op in ("shl", "shr")
        if op in ("neg", "abs", "not") and c:
            continue
        if shift and not 0 <= d < 40:
            continue
        e = f"{op}({p}, {d}:int64)" if shift else f"{op}({p}, {q})" if op in BINARY else f"{op}({q})"
        results = [value(op, i + c, d if shift else j + d) for i in range(N) for j in (5, 0, -5)]
        yield f"floordiv(add({e}, {2**31 - max(results)}:int64), 3:int64)"
        yield f"floordiv(sub({e}, {2**31 + 1 + min(results)}:int64), 3:int64)"


def source(rows):
    """A round of j for each k: upwards, downwards, and one that does not end in a step."""
    arrays = "".join(f"a_{t}: {t} global*, " for t in ARRAYS)
    return (f"cir 1\nentry elementwise func f(n: int64, x: int64 global*, {arrays}"
            "w: int32, u: uint32, v: int8, x_len: int64 length(x)) {\n  var i: int64\n  var j: int64\n"
            "  var r: int64\n  var t: int64\n  var q: int64\n  var p: int64 private*\n  parallel for i in (0:int64, n, 1:int64) schedule(static, 0) private(j, r, t, q, p) {\n    t = 0:int64\n"
            "    for j in (5:int64, -6:int64, -5:int64) {\n      t = add(t, 1500000000:int64)\n      q = 5:int64\n      p = addr(q)\n"
            "      store(p, 5000000000:int64)\n"
            + "".join(f"      r = {e}\n      store(elem(x, add(i, {3*k}:int64)), add(mul(load(elem(x, add(i, {3*k}:int64))), 3:int64), r))\n"
                      f"      if lt(convert<int64>(w), {e}) {{ store(elem(x, i), add(load(elem(x, i)), 1:int64)) }}\n" for k, e in enumerate(rows))
            + "    }\n  }\n}\n")


def run(folder, path, count):
    """What the interpreter leaves in x."""
    out = os.path.join(folder, "x.npy")
    arrays = [f"a_{t}={os.path.join(folder, t)}.npy" for t in ARRAYS]
    command = ["cplc", "run", path + ":f", "--target", "interp", "--unchecked", "--n", str(N), f"x=int64[{3*count}]", f"w={W}:int32", f"u={U}:uint32", f"v={V}:int8"]
    subprocess.run(command + arrays + OPTIONS + ["--out", "x=" + out], check=True)
    return np.load(out)


def main(folder):
    rows = list(expressions())
    narrowed = bad = 0
    for t, values in ARRAYS.items():
        np.save(os.path.join(folder, t), np.array(values, t))
    for start in range(0, len(rows), 6000):
        some, wide, narrow = rows[start:start + 6000], os.path.join(folder, "wide.cir"), os.path.join(folder, "narrow.cir")
        with open(wide, "w") as file:
            file.write(source(some))
        subprocess.run(["cplc", wide + ":f", "--passes", "narrow", "--facts", "small", *OPTIONS, "--emit", "ir", "-o", narrow], check=True)
        with open(narrow) as file:
            narrowed += len(re.findall("convert<int32>", file.read()))
        expected, got = (run(folder, path, len(some)) for path in (wide, narrow))
        for at in np.flatnonzero(expected != got):
            bad += 1
            if bad < 9:
                print(f"{some[at//3]} in round {at % 3}: {got[at]} in 32 bits, {expected[at]} in 64")
    print(f"{len(rows)} expressions, {narrowed} narrowed, {bad} differences")


main(sys.argv[1])

# The variable of a loop is computed with in 32 bits only where its bounds and steps allow it:
# bounds of every kind, below, above and on each other, upwards and downwards.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]*}} loops, {{[1-9][0-9]*}} narrowed, 0 differences
import itertools
import os
import re
import subprocess
import sys

import numpy as np

W, V = 200, -100
# A bound and its value: constants, parameters of types and ranges that are known, one that is not.
BOUNDS = {"0:int64": 0, "3:int64": 3, "-4:int64": -4, "120:int64": 120, "256:int64": 256,
          "2147483640:int64": 2147483640, "2147483655:int64": 2147483655,
          "-2147483655:int64": -2147483655, "convert<int64>(v)": V, "convert<int64>(w)": W,
          "and(convert<int64>(w), 127:int64)": W & 127, "i": 1,
          "add(convert<int64>(w), 2147483500:int64)": W + 2147483500, "max(i, 100:int64)": 100}
STEPS = [1, -1, 3, -7]
MOST_ROUNDS = 400
# What narrowing starts from; the factors fit 32 bits beside small counters alone.
BODIES = ["floordiv(mul(k, 100000007:int64), 7:int64)", "floormod(mul(k, 9000000:int64), 1000:int64)",
          "div(sub(k, 2147483600:int64), 3:int64)", "floordiv(k, 3:int64)"]


def loops():
    for (a, low), (b, high), step in itertools.product(BOUNDS.items(), BOUNDS.items(), STEPS):
        if len(range(low, high, step)) <= MOST_ROUNDS:
            yield a, b, step


def source(rows):
    """A loop for each row, with a variable of its own; what its rounds compute is added up."""
    text = ("cir 1\nentry elementwise func f(n: int64, x: int64 global*, w: uint8, v: int8) {\n"
            "  var i: int64\n  var s: int64\n"
            + "".join(f"  var k{at}: int64\n" for at in range(len(rows)))
            + "  parallel for i in (0:int64, n, 1:int64) schedule(static, 0) private(s, "
            + ", ".join(f"k{at}" for at in range(len(rows))) + ") {\n")
    for at, (a, b, step) in enumerate(rows):
        text += f"    s = 0:int64\n    for k{at} in ({a}, {b}, {step}:int64) {{\n"
        for body in BODIES:
            text += f"      s = add(mul(s, 3:int64), {body.replace('k', f'k{at}')})\n"
        text += f"    }}\n    store(elem(x, {at}:int64), s)\n"
    return text + "  }\n}\n"


def run(folder, path, count):
    out = os.path.join(folder, "x.npy")
    subprocess.run(["cplc", "run", path + ":f", "--target", "interp", "--unchecked", "--n", "2",
                    f"x=int64[{count}]", f"w={W}:uint8", f"v={V}:int8", "--out", "x=" + out,
                    "--option", "max_ops=10000000"], check=True)
    return np.load(out)


def main(folder):
    rows = list(loops())
    wide, narrow = os.path.join(folder, "wide.cir"), os.path.join(folder, "narrow.cir")
    with open(wide, "w") as file:
        file.write(source(rows))
    subprocess.run(["cplc", wide + ":f", "--passes", "narrow", "--facts", "small", "--option",
                    "max_ops=10000000", "--emit", "ir", "-o", narrow], check=True)
    with open(narrow) as file:
        narrowed = len(re.findall("convert<int32>", file.read()))
    bad = 0
    expected, got = (run(folder, path, len(rows)) for path in (wide, narrow))
    for at in np.flatnonzero(expected != got):
        bad += 1
        if bad < 9:
            print(f"{rows[at]}: {got[at]} in 32 bits, {expected[at]} in 64")
    print(f"{len(rows)} loops, {narrowed} narrowed, {bad} differences")


main(sys.argv[1])

# One name for rows, columns and planes that stand in two branches: of the same kind it is the one
# or the other, of two kinds it is none; each pair of the ways to write them.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: 20 pairs agree, 80 are refused, 0 wrong
import itertools
import os
import re
import subprocess
import sys

import numpy as np

SIZES = (3, 4, 5)
WAYS = [way for n in (1, 2, 3) for way in itertools.product([True, False], repeat=n)
        if any(way) and way != (True,)*3]  # True: an index


def kind(way):
    """Which dimensions have an index."""
    return {d for d, index in enumerate(way) if index}


def text(way, names):
    return "t[" + ", ".join(names[d] if index else ":" for d, index in enumerate(way)) + "]"


def pair(number, a, b):
    left = 3 - len(kind(a))
    return [f"    if c[{number}]:", f"        p{number} = {text(a, 'ijk')}", "    else:",
            f"        p{number} = {text(b, 'jki')}",
            f"    y[{number}] = p{number}[{', '.join('102'[:left])}]"]


def write(path, pairs):
    lines = ["def f(t, c, y, i, j, k):"] + [line for n, (a, b) in enumerate(pairs)
                                            for line in pair(n, a, b)]
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")
    return lines


folder = sys.argv[1]
same = [(a, b) for a in WAYS for b in WAYS if kind(a) == kind(b)]
other = [(a, b) for a in WAYS for b in WAYS if kind(a) != kind(b)]
wrong = 0

path = os.path.join(folder, "same.py")
lines = write(path, same)
t = np.arange(60.0).reshape(SIZES)
for c in (np.arange(len(same)) % 2, 1 - np.arange(len(same)) % 2):
    for name, value in ("t", t), ("c", c), ("y", np.zeros(len(same))):
        np.save(os.path.join(folder, name + ".npy"), value)
    subprocess.run(["cplc", "run", path + ":f", "--as", "function",
                    *(f"{name}={folder}/{name}.npy" for name in "tcy"),
                    "i=2", "j=1", "k=0", "--out", f"y={folder}/y.npy"], check=True)
    space = {}
    exec("\n".join(lines), space)
    y = np.zeros(len(same))
    space["f"](t, c, y, 2, 1, 0)
    wrong += np.count_nonzero(np.load(os.path.join(folder, "y.npy")) != y)

path, refused = os.path.join(folder, "other.py"), 0
for part in other[:30], other[30:60], other[60:]:  # a compilation has at most 100 errors
    lines = write(path, part)
    run = subprocess.run(["cplc", path + ":f", "--as", "function", "--types",
                          "t=float64[,,] c=int64[] y=float64[] i=int32 j=int32 k=int32",
                          "--emit", "types"], capture_output=True, text=True)
    named = {re.search(r"p\d+", lines[int(n) - 1])[0]
             for n in re.findall(r"other\.py:(\d+):\d+: error:", run.stderr)}
    refused += len(named)
    wrong += len({f"p{n}" for n in range(len(part))} - named)
print(f"{len(same)} pairs agree, {refused} are refused, {wrong} wrong")

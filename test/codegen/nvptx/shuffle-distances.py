# A lane that is a whole warp or more away is none: what a work-item then gets of shuffle_up and
# shuffle_down is its own, for distances and values of every type.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]+}} shuffles, 0 wrong
import itertools
import os
import re
import subprocess
import sys

TYPES = ["int8", "uint16", "int32", "uint32", "int64", "float16", "float32", "float64"]
WIDTHS = {"int32": 32, "uint32": 32, "int64": 64, "uint64": 64}
DISTANCES = [1, 16, 30, 31, 32, 33, 63, 64, -1, -31, -32, 2**31 - 1, 2**32, 2**32 + 1, 2**63 - 1]


def rows():
    """Each distance that its type has, once for each type of value."""
    for op, t, d in itertools.product(["shuffle_up", "shuffle_down"], TYPES, DISTANCES):
        for dt, bits in WIDTHS.items():
            low, high = (0, 2**bits) if dt[0] == "u" else (-2**(bits - 1), 2**(bits - 1))
            if low <= d < high:
                yield op, t, dt, d


def stored(path, kernel):
    """Whether what is stored depends on a shuffle."""
    text = subprocess.run(["cplc", f"{path}:{kernel}", "--target", "cuda", "--emit", "llvm"],
                          check=True, capture_output=True, text=True).stdout
    made = dict(re.findall(r"^  (%\w+) = (.*)$", text, re.M))
    names = set(re.findall(r"^  store \w+ (%\w+)", text, re.M))
    while True:
        if any("shfl" in made.get(name, "") for name in names):
            return True
        values = " ".join(made.get(name, "").split("ptr")[0] for name in names)
        more = set(re.findall(r"%\w+", values))
        if more <= names:
            return False
        names |= more


def main(folder):
    path, all_rows = os.path.join(folder, "k.cir"), list(rows())
    some = [row for k, row in enumerate(all_rows) if row[1] == "int32" or k % 5 == 0]
    with open(path, "w") as file:
        file.write("cir 1\n")
        for k, (op, t, dt, d) in enumerate(some):
            file.write(f"entry kernel func f{k}(x: {t} global*, y: {t} global*) {{\n  var v: {t}\n"
                       f"  v = {op}(load(elem(x, local_id<0>())), {d}:{dt})\n"
                       f"  store(elem(y, local_id<0>()), v)\n}}\n")
    wrong = 0
    for k, (op, t, dt, d) in enumerate(some):
        if stored(path, f"f{k}") != (0 <= d < 32):
            wrong += 1
            print(f"{op} of {t} by {d}:{dt}: {'its own' if 0 <= d < 32 else 'another lane'}")
    print(f"{len(some)} shuffles, {wrong} wrong")


main(sys.argv[1])

# Records that lie in every way beside the one in which C lays out a struct: a struct of the kernel
# file takes that one alone, a name that is none takes them all as they are.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]}} layouts, 1 as in C, 0 wrong
import os
import subprocess
import sys

import numpy as np

KERNELS = """
@struct
class Tail:
    v: double
    k: int32

def sums(i, p, x):
    x[i] = p[i].v + p[i].k
    p[i].k += 1
"""


def layouts():
    """Offsets of v and k, and the bytes of a record; C's are 0, 8 and 16."""
    for v, k in ((0, 8), (0, 9), (0, 10), (0, 12), (0, 16), (1, 9), (4, 12), (8, 16)):
        for size in sorted({k + 4, k + 5, k + 6, k + 8, 15, 16, 17, 20, 24}):
            if size >= k + 4:
                yield v, k, size


def run(folder, records, struct):
    """What x and p are afterwards, or what is said."""
    given, x, p = (os.path.join(folder, name + ".npy") for name in ("given", "x", "p"))
    np.save(given, records)
    done = subprocess.run(["cplc", "run", os.path.join(folder, "k.py") + ":sums",
                           f"p={given}:{struct}", f"x=float64[{len(records)}]", "--out", "x=" + x,
                           "--out", "p=" + p], capture_output=True, text=True)
    return done.stderr if done.returncode else (np.load(x), np.load(p))


def is_right(result, records):
    if isinstance(result, str):
        return False
    x, p = result
    return (x == records["v"] + records["k"]).all() and (p["v"] == records["v"]).all() and \
        (p["k"] == records["k"] + 1).all()


def main(folder):
    with open(os.path.join(folder, "k.py"), "w") as file:
        file.write(KERNELS)
    count = as_c = wrong = 0
    for v, k, size in layouts():
        records = np.zeros(5, np.dtype({"names": ["v", "k"], "formats": ["f8", "i4"],
                                        "offsets": [v, k], "itemsize": size}))
        records["v"], records["k"] = np.arange(5)*1.5, np.arange(5) - 2
        declared, free = (run(folder, records, name) for name in ("Tail", "Loose"))
        same = (v, k, size) == (0, 8, 16)
        good = is_right(declared, records) if same else "are not laid out as the struct" in str(declared)
        count += 1
        as_c += same
        if not good or not is_right(free, records):
            wrong += 1
            print(f"v at {v}, k at {k}, {size} bytes: {declared}, {free}")
    print(f"{count} layouts, {as_c} as in C, {wrong} wrong")


main(sys.argv[1])

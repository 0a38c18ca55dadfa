# Python's // and % of floats, to the bit, where no pass takes them apart before: all pairs of numbers of many sizes and kinds.
# RUN: rm -rf %t && mkdir -p %t && %python %s %t %cc
import ctypes
import itertools
import os
import subprocess
import sys

import numpy as np

FOLDER, CC = sys.argv[1], sys.argv[2:]
SOURCE = """cir 1
entry func quotient(x: TYPE*, a: TYPE, b: TYPE) { store(x, floordiv(a, b)) }
entry func rest(x: TYPE*, a: TYPE, b: TYPE) { store(x, floormod(a, b)) }
"""
NUMBERS = [s*v for s in (1, -1) for v in (0.0, 0.1, 0.7, 1.0, 2.5, 3.0, 7.0, 100.25, 1e10, 3e38, 1e-40, np.inf)] + [np.nan]


def built(t, name):
    path = os.path.join(FOLDER, f"{t}-{name}")
    with open(path + ".cir", "w") as file:
        file.write(SOURCE.replace("TYPE", t))
    subprocess.run(["cplc", f"{path}.cir:{name}", "--passes=", "--emit", "obj", "-O0", "-o", path + ".o"], check=True)
    subprocess.run([*CC, "-shared", path + ".o", "-o", path + ".so", "-lm"], check=True)
    return getattr(ctypes.CDLL(path + ".so"), name)


differ = 0
for t, number in (("float64", ctypes.c_double), ("float32", ctypes.c_float)):
    for name, expected in (("quotient", np.floor_divide), ("rest", np.remainder)):
        compute = built(t, name)
        compute.argtypes = [ctypes.POINTER(number), number, number]
        for a, b in itertools.product(np.array(NUMBERS, t), repeat=2):
            out = number()
            compute(out, a, b)
            with np.errstate(all="ignore"):
                want = expected(a, b)
            if np.isnan(want) != np.isnan(out.value) or not np.isnan(want) and want.tobytes() != np.array(out.value, t).tobytes():
                print(t, name, repr(a), repr(b), "gave", out.value, "not", want)
                differ += 1
sys.exit(differ != 0)

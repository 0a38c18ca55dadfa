# min() and max() of constants are those of Python's: the first of equal ones, with its type.
# RUN: rm -rf %t && mkdir -p %t && %python %s %t
import itertools
import subprocess
import sys

import numpy as np

folder = sys.argv[1]
VALUES = ("2", "2.0", "1", "True", "0.0", "-0.0", "0", "-3", "-3.0", "2.5")
calls = [f"{f}({', '.join(values)})" for f in ("min", "max") for count in (2, 3)
         for values in itertools.product(VALUES if count == 2 else VALUES[:4], repeat=count)]
bad = 0
for at in range(0, len(calls), 40):  # a few functions in a compilation
    with open(f"{folder}/types{at}.py", "w") as file:
        for k in range(at, min(at + 40, len(calls))):
            file.write(f"V{k} = {calls[k]}\n")
        file.write("\n\ndef f():\n")
        for k in range(at, min(at + 40, len(calls))):
            file.write(f"    v{k} = V{k}\n")
        file.write("    return 0\n\n\ndef g(y):\n")
        for k in range(at, min(at + 40, len(calls))):
            file.write(f"    y[{k - at}] = V{k}\n")
    subprocess.check_call(["cplc", "run", f"{folder}/types{at}.py:g", "--as", "function", "--target", "interp",
                           "y=float64[40]", "--out", f"y={folder}/y.npy"])
    y = np.load(f"{folder}/y.npy")
    text = subprocess.check_output(["cplc", f"{folder}/types{at}.py:f", "--as", "function", "--types", "",
                                    "--emit", "types"], text=True)
    found = dict(line.split()[:2] for line in text.replace(":", " ").splitlines() if line.strip().startswith("v"))
    for k in range(at, min(at + 40, len(calls))):
        value = eval(calls[k])
        wanted = {bool: ("bool", "int32"), int: ("int32",), float: ("float64",)}[type(value)]
        if found.get(f"v{k}") not in wanted:
            print(f"{calls[k]}: type {found.get(f'v{k}')}, {wanted} expected")
            bad += 1
        if y[k - at] != value or np.signbit(y[k - at]) != np.signbit(float(value)):
            print(f"{calls[k]}: {y[k - at]}, {value} expected")
            bad += 1
sys.exit(bad > 0)

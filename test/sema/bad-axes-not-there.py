# Axes that an array does not have, from either end, of every form of what takes one: each is refused
# in its line.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]+}} calls, {{[1-9][0-9]+}} refused, 0 wrong
import re
import subprocess
import sys

CALLS = ("np.sum({x}, axis={k})", "np.any({x}, {k})", "{x}.max({k})", "{x}.mean(axis={k})", "np.std({x}[{all}]*2, {k})",
         "np.argmin(2*{x}[{all}], axis={k})", "1 + np.sum({x}, axis={k})/2")
TARGETS = {2: "q[:]", 3: "m[:, :]"}


def main(folder):
    path, count, refused, wrong = folder + "/k.py", 0, 0, 0
    for dims, to in TARGETS.items():
        x = "abcd"[dims]
        for k in (*range(-12, 13), 2**31, -2**31, 2**63, -2**63, 2**64 - 1, -2**64 + 1, 2**64 - 2, -2**64 + 2):
            rows = [f"{to} = " + call.format(x=x, k=k, all=", ".join(":"*dims)) for call in CALLS]
            with open(path, "w") as file:
                file.write("import numpy as np\ndef f(q, m, c, d):\n    " + "\n    ".join(rows) + "\n")
            done = subprocess.run(["cplc", f"{path}:f", "--as", "function", "--emit", "types", "--types",
                                   "q=float64[] m=float64[,] c=float64[:,:] d=float64[:,:,:]"],
                                  capture_output=True, text=True)
            there = -dims <= k < dims
            count += len(rows)
            refused += 0 if there else len(rows)
            for line, row in enumerate(rows, 3):
                if done.returncode != (0 if there else 1) or not there and not re.search(f"k.py:{line}:\\d+: error: ", done.stderr):
                    wrong += 1
                    print(f"{row}: exit status {done.returncode}: {done.stderr}")
    print(f"{count} calls, {refused} refused, {wrong} wrong")


main(sys.argv[1])

# Axes that an array does not have, from either end, of every form of what takes one: each is refused
# in its line.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]+}} calls, {{[1-9][0-9]+}} refused, 0 wrong
import subprocess
import sys

CALLS = ("np.sum({x}, axis={k})", "np.any({x}, {k})", "{x}.max({k})", "{x}.mean(axis={k})", "np.std({x}[{all}]*2, {k})",
         "np.argmin(2*{x}[{all}], axis={k})", "1 + np.sum({x}, axis={k})/2")
TARGETS = {2: "q[:]", 3: "m[:, :]"}


def calls():
    """(to, from, dimensions of that, axis, call)"""
    for dims, to in TARGETS.items():
        x = "abcd"[dims]
        for k in (*range(-12, 13), 2**31, -2**31, 2**63, -2**63, 2**64 - 1, -2**64 + 1):
            for call in CALLS:
                yield to, dims, k, call.format(x=x, k=k, all=", ".join(":"*dims))


def main(folder):
    path, rows = folder + "/k.py", list(calls())
    with open(path, "w") as file:
        file.write("import numpy as np\n")
        for n, (to, _, _, call) in enumerate(rows):
            file.write(f"def f{n}(q, m, c, d): {to} = {call}\n")
    refused = wrong = 0
    for n, (to, dims, k, call) in enumerate(rows):
        done = subprocess.run(["cplc", f"{path}:f{n}", "--as", "function", "--emit", "types", "--types",
                               "q=float64[] m=float64[,] c=float64[:,:] d=float64[:,:,:]"],
                              capture_output=True, text=True)
        there = -dims <= k < dims
        good = done.returncode == 0 if there else done.returncode == 1 and f"k.py:{n + 2}:" in done.stderr
        refused += not there
        if not good:
            wrong += 1
            print(f"{to} = {call}: exit status {done.returncode}: {done.stderr}")
    print(f"{len(rows)} calls, {refused} refused, {wrong} wrong")


main(sys.argv[1])

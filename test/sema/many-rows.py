# Thousands of rows in one function, each of several kinds, take time and memory that grow with them: within 10 s and 400 MB.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t
# UNSUPPORTED: asan
"""Has cplc type a generated function of each kind."""
import os
import resource
import subprocess
import sys

COUNT = 2000
KINDS = {
    "names": "    p{k} = m[{k}]\n    out[{k}] = p{k}[0]*p{k}[1]\n",
    "sums": "    out[{k}] = np.sum(m[{k}]*m[{k} + 1])\n",
    "calls": "    out[{k}] = norm(m[{k}]) + norm(m[:, {k}])\n",
    "writes": "    m[{k}] = m[{k} + 1]\n",
    "names of names": "    p{next} = p{k}\n    out[{k}] = p{next}[0]\n",
}
FRAME = """import numpy as np


def norm(r):
    return r[0]*r[1]


def f(m, out):
    p0 = m[0]
    out[0] = m[0, 1] + p0[0]
"""

bad = 0
for kind, line in KINDS.items():
    path = os.path.join(sys.argv[1], "f.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(FRAME + "".join(line.format(k=k, next=k + 1) for k in range(COUNT)))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["cplc", f"{path}:f", "--as", "function", "--types", "m=float64[] out=float64[]", "--option",
                    "max_ops=10000000", "--emit", "types"], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{kind}: {seconds:.2f} s, {after.ru_maxrss//1024} MB at most so far")
    bad |= seconds > 10 or after.ru_maxrss > 400*1024
sys.exit(bad)

# Functions of very many variables: those of checked elements share memory, unless two are needed at once; what is computed is the same.
# RUN: rm -rf %t && mkdir %t && %python %s %t
import subprocess
import sys

import numpy as np

LOOPS, N = 150, 7
folder = sys.argv[1]
with open(folder + "/k.py", "w", encoding="utf-8") as file:
    file.write("def f(i, x, y, n):\n    s = 0.0\n")
    for k in range(LOOPS):
        file.write(f"    for j in range(n):\n        if s > x[j] + y[i]:\n            s = s - x[j]*{k}.5\n        elif x[j]*y[j] > s:\n"
                   f"            t = y[j]\n            s = s + t*{k % 7}.0 + x[n - 1 - j]\n")
    file.write("    y[i] = s\n")


def cplc(*words):
    return subprocess.run(["cplc", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout


def expected(x, y):
    result = y.copy()
    for i in range(N):
        s = 0.0
        for k in range(LOOPS):
            for j in range(N):
                if s > x[j] + result[i]:
                    s = s - x[j]*(k + 0.5)
                elif x[j]*result[j] > s:
                    s = s + result[j]*(k % 7) + x[N - 1 - j]
        result[i] = s
    return result


text = cplc(folder + "/k.py", "--types", "x=float64[] y=float64[] n=int32", "--emit", "llvm",
            "--option", "bounds_check=1", "--option", "opt_level=0")
slots = text.count(" = alloca ")
assert 10 < slots < 100, f"{slots} places for the variables of {LOOPS} loops"
rng = np.random.default_rng(1)
x, y = rng.integers(1, 9, N).astype(float), rng.integers(1, 9, N).astype(float)
np.save(folder + "/x.npy", x)
np.save(folder + "/y.npy", y)
for level in "0", "3":
    cplc("run", folder + "/k.py", f"x={folder}/x.npy", f"y={folder}/y.npy", f"n={N}", "--option", "in_order=1", "--option", "precise=1",
         f"-O{level}", "--out", f"y={folder}/z.npy")
    assert (np.load(folder + "/z.npy") == expected(x, y)).all()

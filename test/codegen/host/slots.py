# Functions of very many variables: those of checked elements share memory, unless two are needed at once, or a round reads what one before has
# left; what is computed is the same.
# RUN: rm -rf %t && mkdir %t && %python %s %t
import subprocess
import sys

import numpy as np

LOOPS, KEPT, N = 150, 300, 7
folder = sys.argv[1]
source = "def f(i, x, y, n):\n    s = 0.0\n"
for k in range(LOOPS):
    source += (f"    for j in range(n):\n        if s > x[j] + y[i]:\n            s = s - x[j]*{k}.5\n        elif x[j]*y[j] > s:\n"
               f"            t = y[j]\n            s = s + t*{k % 7}.0 + x[n - 1 - j]\n")
source += "    y[i] = s\n\n\ndef kept(x, y, n):\n    s = 0.0\n    for j in range(n):\n"
# Variables of one block that the first round alone writes, in each way in which a statement may write or not, and one that each round does.
ways = ("if j == 0:\n            T = V\n", "if j == 0:\n            T = V\n        else:\n            s = s + 1\n",
        "if j > 0:\n            s = s + 1\n        else:\n            T = V\n", "for q in range(max(0, 1 - j)):\n            T = V\n",
        "if j == 0:\n            T = V\n        else:\n            T = T + x[j]\n",
        "if j == 0:\n            T = V\n        else:\n            T = x[j]\n")
for k in range(KEPT):
    source += f"        {ways[k % len(ways)]}        s = s + T\n".replace("V", f"y[n - 1] + {k}.0").replace("T", f"t{k}")
source += "    y[0] = s\n"
with open(folder + "/k.py", "w", encoding="utf-8") as file:
    file.write(source)
python = {}
exec(source, python)


def cplc(*words):
    return subprocess.run(["cplc", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout


def expected(name, x, y):
    result = y.copy()
    for index in [(i,) for i in range(N)] if name == "f" else [()]:
        python[name](*index, x, result, N)
    return result


text = cplc(folder + "/k.py:f", "--types", "x=float64[] y=float64[] n=int32", "--emit", "llvm",
            "--option", "bounds_check=1", "--option", "opt_level=0")
slots = text.count(" = alloca ")
assert 10 < slots < 100, f"{slots} places for the variables of {LOOPS} loops"
rng = np.random.default_rng(1)
x, y = rng.integers(1, 9, N).astype(float), rng.integers(1, 9, N).astype(float)
np.save(folder + "/x.npy", x)
np.save(folder + "/y.npy", y)
for name, form in ("f", "elementwise"), ("kept", "function"):
    for level in "0", "3":
        cplc("run", f"{folder}/k.py:{name}", "--as", form, f"x={folder}/x.npy", f"y={folder}/y.npy", f"n={N}",
             "--option", "in_order=1", "--option", "precise=1", f"-O{level}", "--out", f"y={folder}/z.npy")
        assert (np.load(folder + "/z.npy") == expected(name, x, y)).all(), (name, level)

"""no_openmp.py FOLDER: a kernel with a fork and a reduction, in every schedule, through cplc run."""
import subprocess
import sys

import numpy as np

folder = sys.argv[1]
with open(f"{folder}/k.py", "w") as file:
    file.write("def total(x, n):\n    s = 0.0\n    for i in prange(n):\n        s += x[i]\n    return s\n"
               "def count(i, x):\n    x[i] = i*0.5\n")
NOTE = "note: no OpenMP runtime (libomp.so) was found: loops run on one thread\n"
runs = wrong = 0
for options in ([], ["schedule=1"], ["schedule=2"], ["schedule=0", "chunk=7"], ["schedule=1", "chunk=1000"], ["num_threads=3"]):
    given = [word for option in options for word in ("--option", option)]
    made = subprocess.run(["cplc", "run", "--unchecked", f"{folder}/k.py:count", "x=float64[30011]", "--out", f"x={folder}/x.npy", *given],
                          text=True, capture_output=True)
    right = np.array_equal(np.load(f"{folder}/x.npy"), np.arange(30011)*0.5)
    summed = subprocess.run(["cplc", "run", "--unchecked", f"{folder}/k.py:total", "--as", "function", f"x={folder}/x.npy", "n=30011", *given],
                            text=True, capture_output=True)
    right_sum = summed.stdout.strip() == "result = 225157527.5"
    for name, run, good in (("count", made, right), ("total", summed, right_sum)):
        runs += 1
        if run.returncode or not good or run.stderr != NOTE:
            wrong += 1
            print(f"{name} {options}: status {run.returncode}: {run.stdout}{run.stderr}")
print(f"{runs} runs, {wrong} wrong")

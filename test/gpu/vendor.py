"""vendor.py FOLDER TARGET: what NVIDIA's OpenCL compiler gets wrong and is not written around, as lib/README.md says.

A failure here is good news: the fault is gone, and what names it can go."""
import os
import subprocess
import sys

import numpy as np

folder, target = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
with open(f"{folder}/vendor.py", "w") as file:
    file.write("def f(i, x, y):\n    if x[i] > 5: return\n    z = cast(0, 'int16')\n    y[i] = 1 if cast(z - x[i], 'int16') < -3 else 0\n")
np.save(f"{folder}/x.npy", np.full(64, -32768, "i2"))
subprocess.check_call(["cplc", "run", f"{folder}/vendor.py:f", "--unchecked", "--target", target, f"x={folder}/x.npy", "y=int32[64]",
                       "--out", f"y={folder}/y.npy"])
got = np.load(f"{folder}/y.npy")
expected = 0 if target.startswith("opencl") else 1
assert (got == expected).all(), (target, got)
print("as known")

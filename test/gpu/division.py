"""division.py FOLDER TARGET: float32 division and square root are rounded correctly, bit for bit NumPy's; with fast_math they are close."""
import os
import subprocess
import sys

import numpy as np

folder, target = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
with open(f"{folder}/division.py", "w") as file:
    file.write("from math import sqrt\ndef f(i, x, y, q, r):\n    q[i] = x[i]/y[i]\n    r[i] = sqrt(x[i])\n")
rng = np.random.default_rng(5)
n = 200000
# Every exponent but those of subnormal numbers, which devices may take for zero.
x, y = (np.ldexp(rng.uniform(1, 2, n), rng.integers(-60, 60, n)).astype("f4") for _ in "xy")
np.save(f"{folder}/x.npy", x)
np.save(f"{folder}/y.npy", y)
for option in ("precise", "verify", "fast_math"):  # verify: as if none
    subprocess.check_call(["cplc", "run", f"{folder}/division.py:f", "--unchecked", "--target", target, "--option", f"{option}=1", f"x={folder}/x.npy",
                           f"y={folder}/y.npy", f"q=float32[{n}]", f"r=float32[{n}]", "--out", f"q={folder}/q.npy", "--out", f"r={folder}/r.npy"])
    for name, exact in (("q", x/y), ("r", np.sqrt(x))):
        off = np.abs(np.load(f"{folder}/{name}.npy").view("i4").astype("i8") - exact.view("i4")).max()
        assert off <= (4 if option == "fast_math" else 0), (option, name, off)
print("division agrees with NumPy")

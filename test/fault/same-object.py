# Processes of their own, at addresses of their own and with another environment, write the same object for the same kernel.
# RUN: %python %s cplc %S/Inputs/same.py %t | FileCheck %s
# CHECK: 3 kernels, 10 processes, 0 differences
import hashlib
import os
import subprocess
import sys

cplc, kernels, out = sys.argv[1:]
forms = {"plain": "x=float64[] y=float64[]", "branchy": "x=float32[] y=float32[]", "total": "x=float64[] n=int32"}
differences = 0
for name, types in forms.items():
    hashes = set()
    for k in range(10):
        environment = dict(os.environ, PADDING="x"*(97*k), OMP_NUM_THREADS=str(k + 1))
        form = ["--as", "function"] if name == "total" else []
        subprocess.run([cplc, f"{kernels}:{name}", *form, "--types", types, "--emit", "obj", "-o", out], env=environment, check=True)
        with open(out, "rb") as file:
            hashes.add(hashlib.sha256(file.read()).hexdigest())
    differences += len(hashes) - 1
print(f"{len(forms)} kernels, 10 processes, {differences} differences")

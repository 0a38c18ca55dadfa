# examples.py EXAMPLES FOLDER TARGET: runs each example kernel through cplc and compares with NumPy or plain Python.
import os
import subprocess
import sys

import numpy as np

import through_cplc

examples, folder, target = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
rng = np.random.default_rng(1)


def run(kernel, output, form="elementwise", **arguments):
    outputs = [output] if output else []
    words = through_cplc.words(folder, arguments, outputs)
    command = ["cplc", "run", f"{examples}/{kernel}", "--as", form, "--target", target, *words]
    text = subprocess.check_output(command, text=True)
    return through_cplc.loaded(folder, outputs)[0] if output else text


x = rng.uniform(-10, 10, 1000)
assert np.allclose(run("axpb.py", "y", x=x, y="float64[1000]", a=2, b=1), 2*np.sin(x) + 1, rtol=0, atol=1e-14)
y = run("axpb.py", "y", x=x.astype("f4"), y="float32[1000]", a=2.0, b=1)
assert np.allclose(y, 2*np.sin(x.astype("f4")) + 1, rtol=0, atol=2e-6)

values = rng.integers(0, 256, 10000, np.uint8)
assert (run("histogram.py", "counts", values=values, counts="int32[256]") == np.bincount(values, minlength=256)).all()


def steps(n):
    k = 0
    while n > 1:
        n = 3*n + 1 if n % 2 else n // 2
        k += 1
    return k


assert run("collatz.py:steps", None, "function", n=27) == f"result = {steps(27)}\n"
assert run("collatz.py:table", "count", count="int32[300]").tolist() == [steps(i + 1) for i in range(300)]

command = ["cplc", "run", f"{examples}/pi.py", "--target", target, "--as", "reduce", "--op", "a + b", "--map", "inside", "--n", "100000", "seed=1"]
assert subprocess.check_output(command, text=True) == "result = 78473\n"

old = rng.uniform(0, 1, (20, 30))
new = old.copy()
new[1:-1, 1:-1] += 0.2*(old[1:-1, :-2] + old[1:-1, 2:] + old[:-2, 1:-1] + old[2:, 1:-1] - 4*old[1:-1, 1:-1])
result = run("heat.py", "new", old=old, new=np.zeros_like(old), width=30, rate=0.2)
assert result.shape == old.shape and np.allclose(result, new, rtol=0, atol=1e-15)

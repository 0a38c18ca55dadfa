"""float32.py [--build DIR] [--part K/N] [FUNCTION...]: cpl.elementary32 at every argument of float32.

Each function of one argument is compared with NumPy's float64 over all 2^32 bit patterns, a piece
at a time: at most 1 ULP from the exact value, NaN, infinities and the signs of zeros alike. A long
run: two minutes a function. --part takes one of N interleaved shares. Ends with 1 after a
difference.
"""
import argparse
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

FUNCTIONS = {"acos": np.arccos, "asin": np.arcsin, "atan": np.arctan, "cos": np.cos, "cosh": np.cosh,
             "erf": np.vectorize(math.erf, otypes=[float]), "exp": np.exp, "exp2": np.exp2,
             "log": np.log, "log1p": np.log1p,
             "log2": np.log2, "log10": np.log10, "sin": np.sin, "sinh": np.sinh, "tan": np.tan,
             "tanh": np.tanh}
PIECE = 1 << 24


def computed(cplc, folder, name, x):
    """What the library makes of x, on the host."""
    kernel, given, made = (os.path.join(folder, f) for f in ("k.py", "x.npy", "y.npy"))
    with open(kernel, "w") as file:
        file.write(f"from cpl.elementary32 import {name}\n\n\ndef f(i, x, y):\n    y[i] = {name}(x[i])\n")
    np.save(given, x)
    subprocess.run([cplc, "run", f"{kernel}:f", "--unchecked", "--option", "reproducible=1",
                    f"x={given}", f"y=float32[{len(x)}]", "--out", f"y={made}"],
                   check=True, stdout=subprocess.DEVNULL)
    return np.load(made)


def ulps(got, exact):
    """The distance of each in ULP of the nearest float32; infinite where their kinds differ."""
    near = exact.astype(np.float32)
    finite = np.isfinite(near) & np.isfinite(got)
    # An exact value next to the largest number may become infinite or not.
    edge = np.abs(np.abs(exact)/np.finfo(np.float32).max - 1) < 1e-6
    alike = (np.isnan(got) & np.isnan(near)) | ((got == near) & (np.signbit(got) == np.signbit(near)))
    distance = np.abs(got - exact)/np.spacing(np.abs(near)).astype(float)
    zero = (near == 0) & (got == 0) & (np.signbit(got) != np.signbit(near))
    return np.where(finite & ~zero, distance, np.where(alike | edge, 0, np.inf))


def check(cplc, folder, name, share, shares):
    """The largest distance, and where."""
    worst, at = 0.0, 0.0
    for begin in range(share, 1 << 32, PIECE*shares):
        x = np.arange(begin, min(begin + PIECE*shares, 1 << 32), shares, dtype=np.uint64)
        x = x.astype(np.uint32).view(np.float32)
        with np.errstate(all="ignore"):
            distances = ulps(computed(cplc, folder, name, x), FUNCTIONS[name](x.astype(float)))
        k = int(np.argmax(distances))
        if distances[k] > worst:
            worst, at = float(distances[k]), x[k]
    print(f"{name}: at most {worst:.4f} ULP, at {at!r}", flush=True)
    return worst <= 1


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(root, "build"))
    parser.add_argument("--part", default="0/1", metavar="K/N")
    parser.add_argument("functions", nargs="*", metavar="FUNCTION")
    options = parser.parse_args()
    share, shares = map(int, options.part.split("/"))
    cplc = os.path.join(options.build, "bin", "cplc")
    with tempfile.TemporaryDirectory() as folder:
        good = [check(cplc, folder, name, share, shares) for name in options.functions or FUNCTIONS]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())

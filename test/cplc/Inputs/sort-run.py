"""sort-run.py FOLDER TARGET [small]: sorts through cplc, against NumPy."""
import os
import subprocess
import sys

import numpy as np

import through_cplc

folder, target = sys.argv[1:3]
small = len(sys.argv) > 3
kernels = os.path.join(folder, "sort.py")
os.makedirs(folder, exist_ok=True)
with open(kernels, "w", encoding="utf-8") as file:
    file.write("def nearer(a, b):\n    return abs(a) < abs(b)\n")
rng = np.random.default_rng(8)
N = 20011
x = rng.integers(-300, 300, N).astype("f4")
k = rng.permutation(N)
b = rng.integers(0, 200, N).astype("u1")


def run(*options, save=(), **arguments):
    """The arrays in `save`."""
    command = ["cplc", "run", kernels, "--as", "sort", "--target", target, *options]
    text = subprocess.check_output([*command, *through_cplc.words(folder, arguments, save)], text=True)
    assert not text, text
    return through_cplc.loaded(folder, save)


def main():
    order = np.argsort(x, kind="stable")
    s, t, u = run(x=x, k=k, b=b, save=["x", "k", "b"])
    assert (s == x[order]).all() and (t == k[order]).all() and (u == b[order]).all()
    s, t = run("--descending", x=x, k=k, save=["x", "k"])
    down = np.argsort(-x, kind="stable")
    assert (s == x[down]).all() and (t == k[down]).all()
    if small:
        return
    s, o = run("--order", "o", o=f"int32[{N}]", x=x, save=["x", "o"])
    assert (o == order).all() and (s == x[order]).all()
    s, t, u = run("--keys", "x", "--values", "b,k", b=b, k=k, x=x, save=["x", "k", "b"])
    assert (s == x[order]).all() and (t == k[order]).all() and (u == b[order]).all()
    near = np.argsort(np.abs(x), kind="stable")
    for before in ("nearer", "abs(a) < abs(b)", "lambda p, q: p*p < q*q"):
        s, t = run("--before", before, x=x, k=k, save=["x", "k"])
        assert (s == x[near]).all() and (t == k[near]).all()
    s, = run("--n", "100", x=x, save=["x"])
    assert (s == np.concatenate([np.sort(x[:100]), x[100:]])).all()


main()
print("sorts agree with NumPy")

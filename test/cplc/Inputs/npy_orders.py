"""Arrays of Fortran's order through cplc: what is wrong of how many. npy_orders.py FOLDER"""
import itertools
import os
import subprocess
import sys

KERNELS = """
def copy1(i, x, y):
    y[i] = x[i]


def copy2(i, j, x, y):
    y[i, j] = x[i, j]


def copy3(i, j, k, x, y):
    y[i, j, k] = x[i, j, k]
"""


def shapes():
    yield from ((n,) for n in range(4))
    yield from itertools.product(range(4), repeat=2)
    yield from itertools.product((1, 2), repeat=3)
    yield from itertools.permutations((1, 2, 3))


def main(folder):
    import numpy as np
    os.chdir(folder)
    with open("k.py", "w") as f:
        f.write(KERNELS)
    wrong = 0
    for count, shape in enumerate(shapes(), 1):
        x = np.asfortranarray(np.arange(np.prod(shape), dtype=np.int32).reshape(shape) + 1)
        with open("x.npy", "wb") as f:
            np.lib.format.write_array_header_1_0(f, {"descr": "<i4", "fortran_order": True, "shape": shape})
            f.write(x.tobytes("F"))
        extents = ",".join(map(str, shape))
        run = subprocess.run(["cplc", "run", f"k.py:copy{len(shape)}", "x=x.npy", f"y=int32[{extents}]", "--out", "y=y.npy"],
                             capture_output=True, text=True)
        if run.returncode or not np.array_equal(np.load("y.npy"), x):
            print(shape, run.stderr or np.load("y.npy").tolist())
            wrong += 1
    print(count, "arrays,", wrong, "wrong")


if __name__ == "__main__":
    main(sys.argv[1])

# Sums that groups of a GPU collect in local memory, in the code that CUDA gets, run over grids on the host: as NumPy has
# them, whatever lengths and groups are.
# RUN: rm -rf %t && mkdir -p %t && %python %s %t
import itertools
import re
import subprocess
import sys

import numpy as np

folder = sys.argv[1]
rng = np.random.default_rng(3)
TYPES = {"i4": "int32", "u4": "uint32", "i8": "int64", "u8": "uint64", "f4": "float32", "f8": "float64"}
TEXT = """
def sums(i, x, v, s, h):
    c = x[i]
    if c == 2:
        return
    atomic_add(s[c], v[i])
    atomic_sub(h[c], 3)
"""


def kernel(s, h):
    """The file of the kernel as CUDA has it, but launched over a grid that is given."""
    source = f"{folder}/{s}{h}"
    with open(source + ".py", "w") as file:
        file.write(TEXT)
    types = f"x=int32[] v={TYPES[s]}[] s={TYPES[s]}[] h={TYPES[h]}[]"
    text = subprocess.check_output(["cplc", source + ".py:sums", "--types", types, "--target", "cuda",
                                    "--facts", "apart", "--emit", "ir", "--passes", "exits,inline,grid,dce"], text=True)
    text, found = re.subn("entry elementwise kernel func", "entry kernel func", text)
    assert found == 1 and len(re.findall(r"var mine\w*: \w+\[\d+\] local", text)) == 2, text
    with open(source + ".cir", "w") as file:
        file.write(text)
    return source + ".cir"


def check(cir, s, h, n, length, groups, size, target):
    x, v = rng.integers(0, length, n, dtype=np.int32), rng.integers(0, 9, n).astype(s)
    start = rng.integers(0, 9, length)
    at = f"{folder}/at"
    for name, values in dict(x=x, v=v, s=start.astype(s), h=start.astype(h)).items():
        np.save(f"{at}.{name}.npy", values)
    words = [f"{name}={at}.{name}.npy" for name in "xvsh"] + [f"n={n}:int64"]
    words += ["--out", f"s={at}.s.npy", "--out", f"h={at}.h.npy"]
    subprocess.check_call(["cplc", "run", cir, "--as", "kernel", "--unchecked", "--target", target,
                           "--global", str(groups*size), "--local", str(size), *words])
    used = x != 2
    added = np.bincount(x[used], weights=v[used], minlength=length)
    counted = np.bincount(x[used], minlength=length)
    assert (np.load(f"{at}.s.npy") == start.astype(s) + added.astype(s)).all(), (s, h, n, length, groups, size)
    assert (np.load(f"{at}.h.npy") == start.astype(h) - (3*counted).astype(h)).all(), (s, h, n, length, groups, size)


for at, (s, h) in enumerate([*zip(TYPES, TYPES), ("f8", "i4"), ("u4", "f4")]):
    cir = kernel(s, h)
    most = 8192//max(np.dtype(s).itemsize, np.dtype(h).itemsize)
    shapes = [(most, 1, 64), (most + 1, 1, 64), (1, 5, 1), (7, 3, 32), (33, 4, 8)]
    for length, groups, size in shapes if at < 2 else shapes[:1] + shapes[3:4]:
        # as many rounds as pay, and one fewer
        numbers = (length*groups, length*groups - 1) if at < 2 else (length*groups,)
        for n, target in itertools.product(numbers, ("host", "interp") if at == 0 else ("host",)):
            if n:
                check(cir, s, h, n, length, groups, size, target)

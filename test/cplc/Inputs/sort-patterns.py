"""sort-patterns.py FOLDER: keys of every type, in orders that sorts know well or badly, through cplc and NumPy; bit for bit, and stable."""
import itertools
import os
import subprocess
import sys

import numpy as np

folder = os.path.abspath(sys.argv[1])
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
os.environ.update(CPL_CACHE="1", CPL_CACHE_DIR=folder + "/cache")
rng = np.random.default_rng(11)
TYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
SIZES = [0, 1, 2, 3, 31, 2047, 2049, 30011, 100003]


def anything(n, dtype):
    """Any bits: of floats all NaN, subnormal and infinite ones too."""
    return rng.integers(0, 2, n).astype("?") if dtype == "?" else rng.integers(0, 256, n*np.dtype(dtype).itemsize).astype("u1").view(dtype)


def ranks(a):
    """Whole numbers that are ordered as keys are."""
    if a.dtype.kind == "b":
        return a.view("u1").astype("u8")
    bits = a.view(f"u{a.itemsize}")
    sign = bits.dtype.type(1 << 8*a.itemsize - 1)
    if a.dtype.kind == "i":
        bits = bits ^ sign
    if a.dtype.kind == "f":
        bits = np.where(np.isnan(a), ~bits.dtype.type(0), np.where(bits & sign, ~bits, bits | sign))
    return bits.astype("u8")


def up(a):
    return a[np.argsort(ranks(a), kind="stable")]


def few(n, dtype):
    return anything(5, dtype)[rng.integers(0, 5, n)]


def swapped(a):
    """Two that are far apart stand in each other's place."""
    if len(a) > 1:
        a[[1, -1]] = a[[-1, 1]]
    return a


def special(n, dtype):
    if np.dtype(dtype).kind != "f":
        return few(n, dtype)
    values = np.array([0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 1.0, -1.0, np.finfo(dtype).tiny, -np.finfo(dtype).smallest_subnormal], dtype)
    return values[rng.integers(0, len(values), n)]


PATTERNS = {
    "random": anything,
    "sorted": lambda n, t: up(anything(n, t)),
    "reversed": lambda n, t: up(anything(n, t))[::-1].copy(),
    "few": few,
    "equal": lambda n, t: np.repeat(anything(1, t), n),
    "organ pipe": lambda n, t: np.concatenate([up(anything(n - n//2, t)), up(anything(n//2, t))[::-1]]),
    "sawtooth": lambda n, t: np.resize(up(anything(max(n//7, 1), t)), n),
    "two swapped": lambda n, t: swapped(up(anything(n, t))),
    "one at the end": lambda n, t: np.concatenate([up(anything(max(n - 1, 0), t)), anything(min(n, 1), t)]),
    "special": special,
}


def check(name, keys, threads, options, order):
    np.savez("in.npz", x=keys, k=np.arange(len(keys), dtype="i4"))
    words = ["x=in.npz", "k=in.npz", f"o=int64[{len(keys)}]", "--values=k", "--order=o"]
    outs = ["--out=x=out.npz", "--out=k=out.npz", "--out=o=out.npz"]
    done = subprocess.run(["cplc", "run", "/dev/null", "--as", "sort", *words, *outs, *options], text=True, stderr=subprocess.PIPE,
                          env={**os.environ, "OMP_NUM_THREADS": str(threads)})
    assert not done.returncode, (name, done.stderr)
    with np.load("out.npz") as out:
        bits = f"u{keys.itemsize}"
        same = (out["x"].view(bits) == keys[order].view(bits)).all() and out["x"].dtype == keys.dtype
        assert same and (out["k"] == order).all() and (out["o"] == order).all(), name


count = 0
for (dtype, (pattern, make)), size in zip(itertools.islice(itertools.product(TYPES, PATTERNS.items()), 0, None, 7), itertools.cycle(SIZES)):
    keys = make(size, dtype)
    down, compared = count % 3 == 1, count % 5 == 4 and dtype != "?"
    rank = ranks(keys)
    name = f"{pattern}, {size} of {dtype}, {'down' if down else 'up'}{', compared' if compared else ''}"
    if compared and keys.dtype.kind == "f":
        keys[np.isnan(keys)], rank = 7, None  # a < b orders none of them
        rank = ranks(keys + keys.dtype.type(0))  # and takes zeros for the same
    options = (["--descending"] if down else []) + (["--before=a < b"] if compared else [])
    check(name, keys, (1, 2, 5)[count % 3 if count % 2 else 2], options, np.argsort(~rank if down else rank, kind="stable"))
    count += 1
print(count, "sorts agree with NumPy")

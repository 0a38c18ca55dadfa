"""sort-run.py FOLDER TARGET [small|select]: sorts through cplc, or selections and sorts by some bits, against NumPy."""
import os
import sys

import numpy as np

import through_cplc

folder, target = sys.argv[1:3]
small = "small" in sys.argv[3:]
kernels = os.path.join(folder, "sort.py")
os.makedirs(folder, exist_ok=True)
os.environ.update(CPL_CACHE="1", CPL_CACHE_DIR=os.path.abspath(folder) + "/cache")
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
    words = through_cplc.words(folder, arguments, save)
    text = through_cplc.printed(folder, target, [*command, *words])
    assert not text, text
    return through_cplc.loaded(folder, save)


def ordered(a):
    """The unsigned number of the same size that is ordered as a key is."""
    bits = a.view(f"u{a.itemsize}")
    sign = bits.dtype.type(1 << 8*a.itemsize - 1)
    if a.dtype.kind == "f":
        return np.where(bits & sign, ~bits, bits | sign)
    return bits ^ sign if a.dtype.kind == "i" else bits


def selections():
    """Of several types: from the front and from the back, all and none."""
    for keys, count, flags in ((x, 77, ["--descending"]), (k, N, []), (b, 0, []), (b > 100, 15000, ["--descending"]), (x.astype("f2"), 1, [])):
        ranks = ordered(keys).astype("u8")
        expected = np.argsort(~ranks if flags else ranks, kind="stable")[:count]
        options = ["--keys", "keys", "--order", "o", "--first", str(count), *flags]
        t, o, same = run(*options, o=f"int32[{count}]", t=keys[:count], keys=keys, save=["t", "o", "keys"])
        assert (t == keys[expected]).all() and (o == expected).all() and (same == keys).all()
    t, = run("--first", "9", "--n", "100", k=k, t="int64[9]", save=["t"])
    assert (t == np.sort(k[:100])[:9]).all()
    o, = run("--first", "9", "--order", "o", "--bits", "3:9", k=k, o="int64[9]", save=["o"])
    assert (o == np.argsort(k >> 3 & 63, kind="stable")[:9]).all()


def some_bits():
    """Signed integers and floats are taken as the numbers that are ordered as they are."""
    for keys, first, end in ((x, 31, 32), (x, 5, 30), (N - k, 0, 64), (k - 300, 9, 17), (x.astype("f8") / 7, 50, 63), (k.astype("i2"), 0, 1)):
        digits = ordered(keys).astype("u8") << 64 - end >> 64 - end + first
        s, o = run("--bits", f"{first}:{end}", "--order", "o", o=f"int32[{N}]", keys=keys, save=["keys", "o"])
        order = np.argsort(digits, kind="stable")
        assert (o == order).all() and (s == keys[order]).all(), (keys.dtype, first, end)


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


if "select" in sys.argv[3:]:
    selections()
    some_bits()
else:
    main()
print("sorts agree with NumPy")

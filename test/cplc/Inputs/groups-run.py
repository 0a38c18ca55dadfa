"""groups-run.py FOLDER TARGET [small]: histograms, segments and runs of equal keys through cplc, against NumPy."""
import os
import sys

import numpy as np

import through_cplc

folder, target = sys.argv[1:3]
small = len(sys.argv) > 3
kernels = os.path.join(os.path.dirname(os.path.abspath(__file__)), "algorithms.py")
os.makedirs(folder, exist_ok=True)
rng = np.random.default_rng(5)
N = 20011
x = rng.uniform(-1, 1, N)
k = rng.integers(-3, 40, N, dtype=np.int32)


def run(form, *options, save=(), **arguments):
    """What is printed, and the arrays in `save`."""
    command = ["cplc", "run", kernels, "--as", form, "--target", target, *options]
    words = through_cplc.words(folder, arguments, save)
    text = through_cplc.printed(folder, target, [*command, *words])
    return [text, *through_cplc.loaded(folder, save)]


def histograms():
    inside = (k >= 0) & (k < 32)
    text, h = run("histogram", k=k, h="int32[32]", save=["h"])
    assert not text and (h == np.bincount(k[inside], minlength=32)).all()
    _, h = run("histogram", "--bin", "k[i]", "--map", "x[i]", x=x, k=k, h="float64[32]", save=["h"])
    assert np.allclose(h, np.bincount(k[inside], x[inside], minlength=32), rtol=1e-12)
    if small:
        return
    _, h = run("histogram", "--bin", "lambda t, x: int((x[t] + 1)*8)", "--op", "max(a, b)", "--map", "x[i]", x=x,
               h="float64[16]", save=["h"])
    assert all(h[b] == x[((x + 1)*8).astype(int) == b].max() for b in range(16))


def segments():
    offsets = np.sort(rng.integers(0, N, 300))
    offsets[7:10] = offsets[7]
    _, s = run("segments", "--op", "a + b", "--offsets", "o", x=x, o=offsets, s="float64[299]", save=["s"])
    expected = [x[a:b].sum() for a, b in zip(offsets, offsets[1:])]
    assert np.allclose(s, expected, rtol=1e-12) and s[7] == s[8] == 0
    if small:
        return
    _, s = run("segments", "--op", "min(a, b)", "--map", "lambda t, k: k[2*t]", "--n", "10", "--offsets", "o", k=k,
               o=np.array([0, 4, 10], "i4"), s="int32[2]", save=["s"])
    assert s.tolist() == [k[0:8:2].min(), k[8:20:2].min()]


def runs():
    order = np.sort(k)
    keys, first, counts = np.unique(order, return_index=True, return_counts=True)
    text, u, s = run("reduce-by-key", "--op", "a + b", "--keys", "u", k=order, x=x, u="int32[50]", s="float64[50]", save=["u", "s"])
    assert text == f"result = {len(keys)}\n", text
    assert (u[:len(keys)] == keys).all() and not u[len(keys):].any()
    assert np.allclose(s[:len(keys)], np.add.reduceat(x, first), rtol=1e-12)
    if small:
        return
    text, c = run("reduce-by-key", "--op", "a + b", "--map", "1", k=order, c="int64[10]", save=["c"])
    assert text == f"result = {len(keys)}\n" and (c == counts[:10]).all()
    text, s = run("reduce-by-key", "--op", "max", "--neutral", "-1", "--key", "i // 100", "--map", "k[i]", k=k, s="int32[300]", save=["s"])
    assert text == "result = 201\n" and (s[:200] == np.maximum(k[:20000].reshape(200, 100).max(1), -1)).all()


histograms()
segments()
runs()
print("groups agree with NumPy")

"""algorithms-run.py FOLDER TARGET reduce|scan [small]: reductions and scans through cplc, against NumPy."""
import os
import re
import sys

import numpy as np

import through_cplc

folder, target, form = sys.argv[1:4]
small = len(sys.argv) > 4
kernels = os.path.join(os.path.dirname(os.path.abspath(__file__)), "algorithms.py")
os.makedirs(folder, exist_ok=True)
rng = np.random.default_rng(3)
N = 20011
x, y = rng.uniform(-1, 1, (2, N))
k = rng.integers(-1000, 1000, N, dtype=np.int32)


def run(op, *options, function="", save=(), **arguments):
    """The printed result of a reduction; of a scan the arrays in `save`."""
    file = kernels + (function and ":" + function)
    command = ["cplc", "run", file, "--as", form, "--op", op, "--target", target, *options]
    words = through_cplc.words(folder, arguments, save)
    text = through_cplc.printed(folder, target, [*command, *words])
    if form == "reduce":
        return re.fullmatch("result = (.*)\n", text)[1]
    assert not text, text
    return through_cplc.loaded(folder, save)


def near(got, expected):
    return np.isclose(float(got), expected, rtol=1e-12, atol=1e-9)


def reductions():
    at = x.argmin()
    assert run("better", "--neutral", "nobody", function="numbered", x=x) == f"Best(value={x[at]:.17g}, index={at})"
    assert near(run("a + b", "--map", "x[i]*y[i]", x=x, y=y), x @ y)
    assert run("a + b", k=k) == str(k.sum())
    a, b = 1, 0  # maps one after the other, which do not commute
    for v in k[:9000].tolist():
        a, b = (v % 3 - 1)*a, (v % 3 - 1)*b + v
    b = (b + 2**63) % 2**64 - 2**63
    assert run("behind", "--neutral", "still", "--map", "step", k=k[:9000]) == f"Affine(a={a}, b={b})"


def more_reductions():
    assert near(run("a + b", x=x), x.sum())
    assert run("min(a, b)", x=x) == f"{x.min():.17g}"
    assert run("max", k=k) == str(k.max())
    assert run("b if b > 0 else a", "--neutral", "-1", k=k) == str(k[k > 0][-1])
    assert run("a + b", function="above", x=x, limit=0.25) == str((x > 0.25).sum())
    assert run("a + b", "--map", "lambda t, x: x[t] < 0", x=x) == str((x < 0).sum())
    got = run("a + b", x=x.astype("f4"))
    assert abs(float(got) - x.sum()) < 0.01 and np.float32(got) == float(got), got
    assert run("a + b", "--map", "k[3*i]", "--n", "6000", k=k) == str(k[:18000:3].sum())
    assert run("a + b", x=x[:0]) == "0"
    assert run("min(a, b)", x=x[:0]) == "inf"
    assert run("better", "--neutral", "nobody", "--map", "numbered", x=x[:0]) == "Best(value=inf, index=-1)"
    assert float(run("max(a, b)", function="mean", columns0=x, w=0.5, columns1=y)) == (0.5*(x + y)).max()


def scans():
    got, = run("a + b", k=k, y=f"int64[{N}]", save=["y"])
    assert (got == k.cumsum()).all()
    s = np.sort(k)
    out, count = run("a + b", "--input", "fresh", "--output", "unique", k=s, out=f"int32[{N}]", count="int32[1]", save=["out", "count"])
    expected = np.unique(s)
    assert count[0] == len(expected) and (out[:len(expected)] == expected).all()
    parts = np.split(k, range(777, N, 777))
    got, = run("a + b", "--segment", "i % 777 == 0", k=k, y=f"int64[{N}]", save=["y"])
    assert (got == np.concatenate([part.cumsum() for part in parts])).all()
    got, = run("a + b", "--input", "k[i]*k[i]", "--output", "share", k=k, out=f"float64[{N}]", save=["out"])
    squares = (k.astype("i8")**2).cumsum()
    assert np.allclose(got, squares/squares[-1], rtol=1e-12)


def more_scans():
    got, = run("a + b", "--exclusive", k=k, y=f"int64[{N}]", save=["y"])
    assert got[0] == 0 and (got[1:] == k.cumsum()[:-1]).all()
    got, = run("max(a, b)", k=k, save=["k"])  # in place
    assert (got == np.maximum.accumulate(k)).all()
    got, = run("a + b", x=x.astype("f4"), y=f"float32[{N}]", save=["y"])
    assert abs(got - x.cumsum()).max() < 0.01
    out, = run("a + b", "--input", "1 if x[i] > 0 else 0", "--output", "pack", x=x, out=f"float64[{N}]", save=["out"])
    expected = x[x > 0]
    assert (out[:len(expected)] == expected).all() and not out[len(expected):].any()
    # The last item of each segment.
    parts = [part.cumsum() for part in np.split(k.astype("i8")**2, range(777, N, 777))]
    got, = run("a + b", "--segment", "lambda i: i % 777 == 0", "--output", "share", "--input", "lambda t, k: k[t]*k[t]",
               k=k, out=f"float64[{N}]", save=["out"])
    assert np.allclose(got, np.concatenate([part/part[-1] for part in parts]), rtol=1e-12)
    got, = run("a + b", "--n", "100", function="value", k=k, y=f"int32[{N}]", save=["y"])
    assert (got[:100] == k[:100].cumsum()).all() and not got[100:].any()
    got, = run("a + b", k=k[:0], y="int32[5]", save=["y"])
    assert not got.any()


(reductions if form == "reduce" else scans)()
if not small:
    (more_reductions if form == "reduce" else more_scans)()
print(form, "agrees with NumPy")

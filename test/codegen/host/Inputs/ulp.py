# Runs kernels with fast_math and compares their results with those of NumPy's longdouble: ulp.py FILE FOLDER CPU_LEVEL. The kernel file defines
# `cases(np, level)`, which gives (function, a, b, expected, most ULPs) for each, and KEPT, a function and argument whose result is 0 with fast_math alone, on level 3.
import os
import subprocess
import sys

import numpy as np

MODES = {"O0": ["-O0"], "O3": ["-O3"], "lanes": ["-O3", "--option", "simd=2"]}


def run(function, folder, options, a, b):
    for name, array in (("a", a), ("b", b), ("y", np.zeros_like(a))):
        np.save(os.path.join(folder, f"{name}.npy"), array)
    command = ["cplc", "run", function, "--unchecked", *options, *(f"{k}={os.path.join(folder, k)}.npy" for k in "aby"), "--out", f"y={folder}/out.npy"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return np.load(os.path.join(folder, "out.npy"))


def ulps(got, expected):
    """Of numbers; 0 for the same infinity or two NaNs, infinite where only one is finite, or a sign differs."""
    near, info = expected.astype(got.dtype), np.finfo(got.dtype)
    _, exponent = np.frexp(np.where(np.isfinite(near) & (near != 0), near, info.tiny))
    unit = np.ldexp(np.longdouble(1), np.maximum(exponent, info.minexp + 1) - info.nmant - 1)
    finite = np.isfinite(got) & np.isfinite(near) & (np.signbit(got) == np.signbit(near))
    same = (got == near) & (np.signbit(got) == np.signbit(near)) | np.isnan(got) & np.isnan(near)
    return np.where(same, 0, np.where(finite, np.abs(got - np.where(finite, expected, 0))/unit, np.inf))


path, folder, level = sys.argv[1:]
LEVEL = ["--option", f"cpu_level={level}"]
space = {"np": np}
exec(compile(open(path).read(), path, "exec"), space)
failed = 0
np.seterr(all="ignore")
for function, a, b, expected, most in space["cases"](np, level):
    first = None
    for mode, options in MODES.items():
        got = run(f"{path}:{function}", folder, options + LEVEL + ["--option", "fast_math=1"], a, b)
        error = ulps(got, expected)
        at = int(np.argmax(error))
        if error[at] > most:
            print(f"{function} {a.dtype} {mode}: {int((error > most).sum())} off, {error[at]:.2f} ULP, at most {most}: {a[at]!r} {b[at]!r} gives {got[at]!r}, not {expected[at]!r}")
            failed += 1
        first = got if first is None else first
        if not np.array_equal(*(v[~np.isnan(first)].view(f"i{v.itemsize}") for v in (first, got))):
            print(f"{function} {a.dtype}: other bits with {mode}")
            failed += 1
    print(f"{function} {a.dtype}: {len(a)} arguments, {np.max(ulps(first, expected)):.2f} ULP")
function, argument = space["KEPT"]
argument = np.full(9, argument)
for options, zero in (["--option", "fast_math=1"], level == "3"), ([], False):
    if (run(f"{path}:{function}", folder, LEVEL + options, argument, argument) == 0).all() != zero:
        print(f"{function} of {argument[0]} {' '.join(options)}: {'not ' if zero else ''}0")
        failed += 1
sys.exit(failed)

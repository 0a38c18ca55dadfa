# Running kernels through cplc on NumPy arrays, and comparing.

import os
import re
import subprocess
import sys

import numpy as np

# How each kernel is run: compiled without and with optimisation, and by the interpreter of the typed IR.
# checked compiles with bounds_check, which must change nothing as long as no index is out of range.
MODES = {"O0": ["--target", "host", "-O0"], "O3": ["--target", "host", "-O3"], "interp": ["--target", "interp"],
         "checked": ["--target", "host", "--option", "bounds_check=1"]}


def op_rows(path):
    """The rows of op.def as dictionaries."""
    text = re.sub(r"/\*.*?\*/", "", open(path).read(), flags=re.S)
    row = re.compile(r'^OP\((\w+), "(\w[^"]*)", (\w+), "([^"]*)", (\w+), (\w+), ([^,]+),', re.M)
    keys = ("id", "text", "class", "operands", "result", "attr", "flags")
    return [dict(zip(keys, m.groups())) for m in row.finditer(text)]


def run(function, folder, arrays, scalars, outputs, mode, options=()):
    """Runs FILE:FUNC. Records name their struct in the dtype's metadata. Returns the arrays named in outputs as they are afterwards, and "stdout"."""
    command = ["cplc", "run", function] + MODES[mode] + list(options)
    for name, array in arrays.items():
        path = os.path.join(folder, f"in_{name}.npy")
        record = (array.dtype.metadata or {}).get("struct")
        np.save(path, array)
        command.append(f"{name}={path}:{record}" if record else f"{name}={path}")
    command += [f"{name}={value}" for name, value in scalars.items()]
    for name in outputs:
        path = os.path.join(folder, f"out_{name}.npy")
        if os.path.exists(path):
            os.remove(path)
        command += ["--out", f"{name}={path}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}exit status {done.returncode}")
    result = {name: np.load(os.path.join(folder, f"out_{name}.npy")) for name in outputs}
    result["stdout"] = done.stdout
    return result


def ordered(a):
    """Floats as integers of the same order, so that neighbours differ by 1; both zeros are 0."""
    bits = a.view(f"i{a.itemsize}").astype(object)
    least = -(1 << (8 * a.itemsize - 1))
    return np.array([b if b >= 0 else least - b for b in bits], dtype=object)


def distance(got, expected):
    """Units in the last place between two float arrays; two NaNs are equal, a NaN and a number far apart."""
    both = np.isnan(got) & np.isnan(expected)
    one = np.isnan(got) ^ np.isnan(expected)
    d = np.abs(ordered(np.where(both | one, np.zeros_like(got), got)) -
               ordered(np.where(both | one, np.zeros_like(got), expected)))
    return np.where(one, 1 << 62, d)


def same(what, got, expected, ulps=0, inputs=None):
    """Compares; prints the first differences. ulps 0: bit for bit, but any NaN equals any."""
    expected = np.asarray(expected)
    if expected.dtype.names:
        return all([same(f"{what}.{k}", got[k].ravel(), expected[k].ravel(), ulps) for k in expected.dtype.names])
    if got.dtype != expected.dtype or got.shape != expected.shape:
        print(f"{what}: got {got.dtype}{got.shape}, expected {expected.dtype}{expected.shape}")
        return False
    if expected.dtype.kind == "f":
        bad = distance(got, expected) > ulps
        if ulps == 0:
            bad |= (np.signbit(got) != np.signbit(expected)) & ~np.isnan(expected)
    else:
        bad = got != expected
    if not bad.any():
        return True
    print(f"{what}: {int(bad.sum())} of {bad.size} values differ (allowed: {ulps} ulp)")
    for i in np.flatnonzero(bad)[:4]:
        given = {k: v[i] for k, v in (inputs or {}).items() if len(v) == len(got) and k in ("a", "b", "c")}
        print(f"    [{i}] got {got[i]!r}, expected {expected[i]!r} {given}")
    return False

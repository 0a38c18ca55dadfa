# Running kernels through cplc on NumPy arrays, and comparing.

import os
import re
import subprocess

import numpy as np

# How each kernel is run: compiled without and with optimisation, and by the interpreter of the typed IR.
# checked compiles with bounds_check, which must change nothing as long as no index is out of range.
MODES = {"O0": ["--target", "host", "-O0"], "O3": ["--target", "host", "-O3"], "interp": ["--target", "interp"],
         "checked": ["--target", "host", "--option", "bounds_check=1"]}
HOST = tuple(MODES)
# On devices: OpenCL C by PoCL, SPIR-V by Intel's runtime, PTX as far as NVIDIA's assembler. ROOT/test/device/refused.txt lists what they cannot.
MODES.update({"pocl": ["--target", "opencl:c1.2"], "intel": ["--target", "opencl:spv1.2"], "ptx": ["--target", "cuda", "--emit", "cubin"]})
DEVICES = ("pocl", "intel", "ptx")


class Failed(SystemExit):
    """cplc has failed; the text says how."""


def refused(target):
    """The list of what a target does not run: {(test, function): part of the message that says why}."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "device", "refused.txt")
    rows = [line.split(None, 3) for line in open(path) if line.strip() and not line.startswith("#")]
    return {(test, function): reason.strip() for name, test, function, reason in rows if name == target}


def op_rows(path):
    """The rows of op.def as dictionaries."""
    text = re.sub(r"/\*.*?\*/", "", open(path).read(), flags=re.S)
    row = re.compile(r'^OP\((\w+), "(\w[^"]*)", (\w+), "([^"]*)", (\w+), (\w+), ([^,]+),', re.M)
    keys = ("id", "text", "class", "operands", "result", "attr", "flags")
    return [dict(zip(keys, m.groups())) for m in row.finditer(text)]


def type_of(value, arrays):
    """The type that cplc run gives an argument: an array, or a number as on its command line."""
    if isinstance(value, np.ndarray):
        return ((value.dtype.metadata or {}).get("struct") or value.dtype.name) + "[]"
    number, _, dtype = str(value).partition(":")
    if dtype:
        return dtype
    if number in ("true", "false", "True", "False"):
        return "bool"
    if re.fullmatch(r"[-+]?\d+", number):
        return "int32" if -2**31 <= int(number) < 2**31 else "int64" if int(number) < 2**63 else "uint64"
    return max((v.dtype for v in arrays.values() if v.dtype.kind == "f"), key=lambda t: t.itemsize, default=np.dtype("float64")).name


def execute(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"{' '.join(command)}\n{done.stdout}{done.stderr}exit status {done.returncode}")
    return done.stdout


def assemble(function, folder, arrays, scalars, options):
    """Compiles FILE:FUNC and assembles it, which is all that can be done without the device."""
    options = list(options)
    if "--n" in options:
        del options[options.index("--n"):options.index("--n") + 2]
    types = " ".join(f"{k}={type_of(v, arrays)}" for k, v in {**arrays, **scalars}.items())
    execute(["cplc", function] + MODES["ptx"] + options + ["-o", os.path.join(folder, "out.cubin")] +
            ([] if ".cir:" in function else ["--types", types]))


def run(function, folder, arrays, scalars, outputs, mode, options=()):
    """Runs FILE:FUNC. Records name their struct in the dtype's metadata. Returns the arrays named in outputs as they are afterwards, and "stdout";
    None where there is nothing to run it on."""
    if mode == "ptx":
        return assemble(function, folder, arrays, scalars, options)
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
    stdout = execute(command)
    result = {name: np.load(os.path.join(folder, f"out_{name}.npy")) for name in outputs}
    result["stdout"] = stdout
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

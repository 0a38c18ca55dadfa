"""Arrays for `cplc run` and back: what scripts that compare with NumPy share."""
import os
import sys

import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../run/Inputs"))
import harness  # noqa: E402


def words(folder, arguments, outputs):
    """NAME=VALUE for each argument, arrays as files, and --out for each of the outputs."""
    found = []
    for name, value in arguments.items():
        if isinstance(value, np.ndarray):
            np.save(f"{folder}/{name}.npy", value)
            value = f"{folder}/{name}.npy"
        found.append(f"{name}={value}")
    for name in outputs:
        found += ["--out", f"{name}={folder}/out-{name}.npy"]
    return found


def loaded(folder, outputs):
    return [np.load(f"{folder}/out-{name}.npy") for name in outputs]


def printed(folder, target, command):
    """What the command prints; OpenCL's devices stay open."""
    return harness.execute_in("pocl" if target.startswith("opencl") else target, folder, command)

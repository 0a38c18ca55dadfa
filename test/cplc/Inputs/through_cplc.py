"""Arrays for `cplc run` and back: what scripts that compare with NumPy share."""
import numpy as np


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

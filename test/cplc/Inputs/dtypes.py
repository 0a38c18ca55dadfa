# dtypes.py KERNEL FOLDER: copies an array of each element type through the kernel, on the host and in the interpreter.
import os
import subprocess
import sys

import numpy as np

kernel, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
names = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()
for name in names:
    x = np.arange(24).reshape(2, 3, 4).astype(name)
    if name.startswith(("int", "uint")):
        info = np.iinfo(name)
        x[0, 0, :2] = info.min, info.max
    elif name.startswith("float"):
        info = np.finfo(name)
        x[0, 0, :4] = info.max, info.tiny, np.inf, -info.smallest_subnormal
    np.save(f"{folder}/x.npy", x)
    for target in ("host", "interp"):
        subprocess.check_call(["cplc", "run", kernel, f"x={folder}/x.npy", f"y={name}[24]", "--target", target,
                               "--out", f"y={folder}/y.npy", "--out", f"x={folder}/z.npy"])
        y, z = np.load(f"{folder}/y.npy"), np.load(f"{folder}/z.npy")
        assert y.dtype == x.dtype and y.tobytes() == x.tobytes(), (name, target, y)
        assert z.dtype == x.dtype and z.shape == x.shape and z.tobytes() == x.tobytes(), (name, target, z)
print(len(names), "element types")

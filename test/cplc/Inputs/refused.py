# refused.py KERNEL FOLDER: runs a kernel on each file of a folder; "NAME: read" or "NAME: why it was refused", a line each.
import glob
import os
import subprocess
import sys

for path in sorted(glob.glob(sys.argv[2] + "/*.npy")):
    name = os.path.basename(path)[:-4]
    done = subprocess.run(["cplc", "run", sys.argv[1], f"x={path}", "factor=2"], capture_output=True, text=True)
    if done.returncode == 0:
        print(f"{name}: read")
        continue
    prefix = f"cplc: error: {path}: "
    assert done.returncode == 1 and done.stderr.startswith(prefix), (name, done.returncode, done.stderr)
    print(f"{name}: {done.stderr[len(prefix):].strip()}")

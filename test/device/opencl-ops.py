# Every op of lib/ir/op.def that gives a value, for every type it admits, as OpenCL C built and run by PoCL: the cases of test/run/ops.py.
# Mathematics within the limits of the OpenCL C specification (7.4), everything else bit for bit.
# REQUIRES: pocl
# RUN: rm -rf %t && mkdir -p %t && %pocl %python %s %root %t

import os
import re
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run"))
import clrun
import ops
from ops import harness

# Units in the last place, of float32 and float64; what is not here is exact. lgamma has no limit there; PoCL's is far off near its zeros.
ULPS = {"TGAMMA": 16, "LGAMMA": None, "POW": 16, "ERF": 16, "ERFC": 16, "ATAN2": 6, "ATAN": 5, "ATANH": 5, "TAN": 5, "TANH": 5}
# cplc's answer for kernels with so many parameters is the same; OpenCL promises 1024 bytes of them.
ops.MAX_PARAMETERS = 60


def arguments(f):
    arrays = {k: v.copy() for k, v in f.inputs.items()}
    arrays.update({k: np.zeros(len(v), dtype=v.dtype) for k, (v, _) in f.outputs.items()})
    return arrays


def run(device, path, f):
    """The arrays behind a run of one work-item."""
    done = subprocess.run(["cplc", f"{path}:{f.name}", "--target", "opencl:c1.2", "--emit", "opencl-c", "--option", "precise=1"],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    with open(path + ".cl", "w") as file:
        file.write(done.stdout)
    arrays = arguments(f)
    program = device.build(done.stdout, "-cl-std=CL1.2")
    for line in program.log.splitlines():
        if "warning" in line:
            print(f"{f.name}: {line}")
    program.run(f.name, [np.int64(len(f.inputs["a"]))] + list(arrays.values()))
    return arrays


def main(root, out):
    rows = harness.op_rows(os.path.join(root, "lib", "ir", "op.def"))
    covered, functions = set(), []
    with np.errstate(all="ignore"):
        for t in ops.SCALARS:
            functions += [ops.numeric_ops(rows, t, covered), ops.conversions(t, covered), ops.memory(t, covered), ops.copies(t, covered)]
            if t in ops.ATOMICS:
                functions.append(ops.atomics(rows, t, covered))
    ok = ops.check_coverage(rows, covered)
    device = clrun.Device("portable")
    for f in [part for f in functions for part in f.pieces()]:
        path = os.path.join(out, f.name + ".cir")
        with open(path, "w") as file:
            file.write(re.sub("(acquire|release|acq_rel), device", r"\1, group", f.text())) # OpenCL C 1.2 has those for the group alone
        got = run(device, path, f)
        for name, (expected, ulps) in f.outputs.items():
            op = name.removeprefix("r_").upper()
            allowed = ULPS.get(op, ulps) if ulps else 0
            if allowed is not None:
                ok &= harness.same(f"{f.name} {name}", got[name], expected, allowed, f.inputs)
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))

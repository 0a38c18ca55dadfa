# Every op of lib/ir/op.def at every type as OpenCL C 3.0, which Intel's compiler takes; what OpenCL C 1.2 has of them, PoCL's. (device/run runs them.)
# REQUIRES: intel, pocl
# RUN: %intel %python %s %root %t opencl:c3.0 intel
# RUN: %pocl %python %s %root %t opencl:c1.2 portable

import os
import sys

sys.path[:0] = [os.path.join(sys.argv[1], "test", "codegen", "Inputs"), os.path.join(sys.argv[1], "test", "device")]
import clrun
import device_ops
from device_ops import harness

SUBGROUPS = {"SUBGROUP_SIZE", "LANE", "SHUFFLE", "SHUFFLE_XOR", "SHUFFLE_UP", "SHUFFLE_DOWN", "BALLOT", "SUBGROUP_ADD", "SUBGROUP_MIN",
             "SUBGROUP_MAX", "SUBGROUP_SCAN_ADD", "SUBGROUP_SCAN_MIN", "SUBGROUP_SCAN_MAX"}


def main(root, folder, target, vendor):
    old = target == "opencl:c1.2"
    kernels, missing = device_ops.kernels(root, SUBGROUPS if old else set(), ["group"] if old else ["group", "device"])
    ok = not missing
    for case in missing:
        print("no case for", case)
    os.makedirs(folder, exist_ok=True)
    device = clrun.Device(vendor)
    names, sources = [], []
    for k in kernels:
        if not k.body:
            continue
        path = os.path.join(folder, k.name + ".cir")
        text = k.text()
        if old:  # has no pointers to memory of no known space
            text = text.replace(f"g: {k.t}*", f"g: {k.t} global*").replace(f"g = ptrcast<{k.t}*>(", f"g = ptrcast<{k.t} global*>(")
            text = text.replace("ptrcast<uint8*>(whole)", "ptrcast<uint8 global*>(whole)")
        with open(path, "w") as file:
            file.write(text)
        done, source = device_ops.run("cplc", f"{path}:{k.name}", "--target", target, "--emit", "opencl-c")
        if not done:
            print(source)
            ok = False
            continue
        names.append(k.name)
        sources.append(source)
    # PoCL takes a fifth of a second to begin with each program.
    for chosen, text in harness.programs(sources, 8 if old else 1):
        try:
            device.build(text, "-cl-std=CL" + target[-3:])
        except RuntimeError as problem:
            print(f"{', '.join(names[k] for k in chosen)}: {problem}")
            ok = False
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

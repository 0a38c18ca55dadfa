# Every op of op.def at every type becomes SPIR-V; where spirv-val is there, it accepts it.
# RUN: rm -rf %t && mkdir -p %t && %python %s %root %t
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Inputs"))
import device_ops as ops

SHUFFLES = {"SHUFFLE", "SHUFFLE_XOR", "SHUFFLE_UP", "SHUFFLE_DOWN", "BALLOT"}  # from version 1.3 on
VERSIONS = [("1.0", SHUFFLES), ("1.2", SHUFFLES), ("1.3", set()), ("1.4", set())]


def main(root, out):
    failures, count, accepted = [], 0, 0
    val = shutil.which("spirv-val")
    for version, refused in VERSIONS:
        kernels, missing = ops.kernels(root, refused, scopes=["group", "device"])
        failures += [f"no case for {name}" for name in missing]
        for k in kernels:
            path, spv = (os.path.join(out, f"{k.name}.{version}.{ending}") for ending in ("cir", "spv"))
            with open(path, "w") as f:
                f.write(k.text())
            ok, said = ops.run("cplc", path, "--target", "opencl:spv" + version, "--emit", "spirv", "-o", spv)
            count += 1
            if not ok:
                failures.append(f"{k.name} spv{version}: {said[:600]}")
            elif val:
                ok, said = ops.run(val, "--target-env", "spv" + version, spv)
                accepted += ok
                if not ok:
                    failures.append(f"{k.name} spv{version}: spirv-val: {said[:600]}")
    for line in failures:
        print("ops.py:", line)
    print(f"ops.py: {count} modules, {accepted} accepted")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))

# Integers of 8 and 16 bits go through reductions and scans of sub-groups as 32 bits with their own
# sign, on every target that widens them.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: 60 kernels, 0 wrong
import itertools
import os
import re
import subprocess
import sys

TYPES = ["int8", "int16", "uint8", "uint16"]
OPS = ["subgroup_add", "subgroup_min", "subgroup_max", "subgroup_scan_add", "subgroup_scan_min",
       "subgroup_scan_max"]


def source():
    for t, op in itertools.product(TYPES, OPS):
        yield (f"entry kernel func {t}_{op}(x: {t} global*, y: {t}) {{\n  var v: {t}\n"
               f"  v = {op}(max(load(elem(x, local_id<0>())), y))\n"
               f"  store(elem(x, local_id<0>()), v)\n}}\n")


def emit(path, kernel, target, stage):
    return subprocess.run(["cplc", f"{path}:{kernel}", "--target", target, "--emit", stage],
                          check=True, capture_output=True, text=True).stdout


def widened(text, call):
    """How the value that the call is given was made 32 bits wide: sext or zext."""
    given = re.search(call + r"\(i32 (%\w+)", text)
    made = re.search(rf"{given[1]} = (\w+) (?:nneg )?i\d+", text) if given else None
    return made[1] if made else None


def main(folder):
    path = os.path.join(folder, "k.cir")
    with open(path, "w") as file:
        file.write("cir 1\n" + "".join(source()))
    kernels = wrong = 0
    for t, op in itertools.product(TYPES, OPS):
        signed, how = t.startswith("int"), op.rpartition("_")[2]
        right = "sext" if signed else "zext"
        group = "sub_group_" + ("scan_inclusive_" if "scan" in op else "reduce_") + how
        found = {"spirv": widened(emit(path, f"{t}_{op}", "opencl", "llvm"),
                                  rf"call.*_Z{len(group)}{group}{'i' if signed else 'j'}")}
        text = emit(path, f"{t}_{op}", "opencl:c3.0", "opencl-c")
        as_int = f"{group}(({'int' if signed else 'uint'})"
        found["opencl-c"] = right if as_int in text else None
        if "scan" not in op:
            sign = "" if signed or how == "add" else "u"
            found["cuda"] = widened(emit(path, f"{t}_{op}", "cuda:sm_80", "llvm"),
                                    rf"call.*redux\.sync\.{sign}{how}")
        for target, made in found.items():
            kernels += 1
            if made != right and (how != "add" or made is None):  # of sums the low bits count
                wrong += 1
                print(f"{op} of {t} for {target}: {made}, expected {right}")
    print(f"{kernels} kernels, {wrong} wrong")


main(sys.argv[1])

# Every op of op.def at every type becomes PTX of every compute capability; where ptxas is there, it takes the PTX.
# RUN: rm -rf %t && mkdir -p %t && %python %s %root %t
"""
With CPL_LIBDEVICE empty mathematics comes from what the build took of libclc, wherever the test runs; libdevice is tried too where it lies
beside ptxas.
"""

import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Inputs"))
import device_ops as ops

VERSIONS = ["70", "72", "75", "80", "86", "87", "88", "89", "90", "100", "101", "103", "110", "120", "121"]
FULL = os.environ.get("CPL_TEST_FULL")
# Those that ptxas of today takes.
ASSEMBLED = ["75", "80", "90", "100", "120", "121"] if FULL else ["75", "90", "121"]
EVERYWHERE = {"statements", "work_items", "atomics_int64", "atomics_float32", "subgroups_int32", "subgroups_float64"}
ENV = dict(os.environ, CPL_LIBDEVICE="")


def attempts(number, k, libdevice):
    """Pairs of a compute capability and an environment. Mathematics is the same text everywhere:
    only what depends on the version is made for all of them."""
    maths = k.name.startswith(("values_", "memory_"))
    either = ["75", "90"] if FULL else ["75", "90"][number % 2:][:1]
    versions = either if maths else VERSIONS if k.name in EVERYWHERE else ASSEMBLED
    found = [(sm, ENV) for sm in versions]
    if k.name.startswith("values_float") and os.path.exists(libdevice):
        found.append(("90", dict(ENV, CPL_LIBDEVICE=libdevice)))
    return found


def main(root, out):
    kernels, missing = ops.kernels(root, refused=set(), scopes=["group", "device", "system"])
    failures = [f"no case for {name}" for name in missing]
    ptxas = os.environ.get("CPL_PTXAS") or shutil.which("ptxas")
    libdevice = os.path.join(os.path.dirname(os.path.realpath(ptxas or "")), "..", "nvvm", "libdevice", "libdevice.10.bc")
    count = assembled = 0
    for number, k in enumerate(kernels):
        path = os.path.join(out, k.name + ".cir")
        with open(path, "w") as f:
            f.write(k.text())
        for sm, env in attempts(number, k, libdevice):
            ptx = os.path.join(out, f"{k.name}.{sm}.ptx")
            ok, said = ops.run("cplc", path, "--target", "cuda:sm_" + sm, "--emit", "ptx", "-o", ptx, env=env)
            count += 1
            if not ok:
                failures.append(f"{k.name} sm_{sm}: {said[:600]}")
            elif ptxas and sm in ASSEMBLED:
                ok, said = ops.run(ptxas, "-O1", "-arch=sm_" + sm, ptx, "-o", os.path.join(out, "k.cubin"))
                assembled += ok
                if not ok:
                    failures.append(f"{k.name} sm_{sm}: ptxas: {said[:600]}")
    for line in failures:
        print("ops.py:", line)
    print(f"ops.py: {len(kernels)} kernels, {count} compilations, {assembled} assembled")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))

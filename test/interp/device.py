# What the passes make for devices computes, interpreted over grids of several sizes and compiled for the host, what the host computes by itself.
# RUN: %python %s %S/Inputs/device.py %t
import os
import re
import subprocess
import sys

import numpy as np

SOURCE, FOLDER = sys.argv[1:]
PASSES = "fold,exits,inline,fold,%sguards,fold,dce,grid,atomics,fold,dce,legal"
GRIDS = ["1", "5", "64,1", "1000"]


def run(*args):
    done = subprocess.run(["cplc"] + list(args), capture_output=True, text=True)
    if done.returncode:
        sys.exit("cplc %s\n%s" % (" ".join(args), done.stderr))
    return done.stdout


def compute(file, options, values):
    out = os.path.join(FOLDER, "out.npy")
    run("run", file, "--out", "y=" + out, *options, *values)
    return np.load(out)


def launch(kernel, options, values, parts):
    """A reduction, whose parts are of a type, is two kernels."""
    if not parts:
        return compute(kernel, options, values)
    saved = os.path.join(FOLDER, "parts.npy")
    run("run", kernel + "_parts", "--out", "cpl_parts=" + saved, *options, *values, "cpl_parts=%s[256]" % parts)
    return compute(kernel, options, values + ["cpl_parts=" + saved])


def check(function, form, target, checks):
    x, y = os.path.join(FOLDER, "x.npy"), os.path.join(FOLDER, "y.npy")
    bounds = ["--option", "bounds_check=%d" % checks]
    expected = compute("%s:%s" % (SOURCE, function), ["--as", form] + bounds, ["x=" + x, "y=" + y, "a=2.5"])
    types = ["--types", "x=float32[] y=float32[] a=float32", "--as", form, "--target", target]
    text = run("%s:%s" % (SOURCE, function), "--emit", "ir", "--passes", PASSES % ("bounds," if checks else ""), *types, *bounds)
    if "kernel func " + function not in text or "parallel" in text:
        sys.exit("no kernel was made of %s:\n%s" % (function, text))
    kernel = os.path.join(FOLDER, "kernel.cir")
    with open(kernel, "w") as file:
        # without its role a parameter is the caller's, and a kernel that comes after none stands alone
        file.write(re.sub(r" (fault|parts)(?=[,)])| after \w+(?= {)", "", text.replace("elementwise kernel", "kernel").replace("cpl_fault_record", "record")))
    values = ["x=" + x, "y=" + y, "a=2.5:float32"]
    values += ["n=40:int64"] if form == "elementwise" else []
    if "cpl_fault_record" in text:
        values += ["record=uint8[24]"]
    parts = re.search(r"cpl_parts: (\w+)", text)
    for grid, by in [(grid, "interp") for grid in GRIDS] + [(GRIDS[2], "host")]:
        found = launch(kernel + ":" + function, ["--as", "kernel", "--target", by, "--global", grid, "--local", "4"], values, parts and parts[1])
        if not np.allclose(found, expected, rtol=1e-6, atol=0):
            sys.exit("%s on %s over %s, %s:\n%s\nexpected\n%s\n%s" % (function, target, grid, by, found, expected, text))


def main():
    os.makedirs(FOLDER, exist_ok=True)
    random = np.random.default_rng(7)
    np.save(os.path.join(FOLDER, "x.npy"), random.random(40).astype("float32"))
    np.save(os.path.join(FOLDER, "y.npy"), np.zeros(40, "float32"))
    for target in "cuda", "opencl", "opencl:c1.2":
        for checks in 0, 1:
            check("wave", "elementwise", target, checks)
            check("bins", "elementwise", target, checks)
            check("every", "function", target, checks)
            check("total", "function", target, checks)


main()

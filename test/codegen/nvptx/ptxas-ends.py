# Whatever becomes of ptxas, its files are gone behind it, and what it said and how it ended is told.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: 10 ends, 0 wrong
import os
import subprocess
import sys

KERNEL = "def f(i, x):\n    x[i] = 2.0*x[i]\n"
ENDS = [  # what the program does, and what is told of it; None: a cubin is made
    ('cat "$in" > "$out"', None),
    ('echo noted; echo warned >&2; echo code > "$out"', None),
    ('echo line 7 >&2; echo is bad; exit 1', "no cubin was made: line 7 is bad"),
    ('echo code > "$out"; echo too large; exit 2', "no cubin was made: too large"),
    ("exit 0", "wrote nothing"),
    ('rm -f "$in"; echo code > "$out"', None),
    ("exit 3", "ptxas ended with status 3"),
    ("kill -9 $$", "ptxas ended by signal 9"),
    ('echo said; kill -11 $$', "no cubin was made: said"),
    (None, "could not be run: No such file or directory"),
]


def main(folder):
    source, program, inner = (os.path.join(folder, name) for name in ("k.py", "ptxas", "tmp"))
    with open(source, "w") as f:
        f.write(KERNEL)
    wrong = 0
    for what, told in ENDS:
        os.makedirs(inner, exist_ok=True)
        if os.path.exists(program):
            os.remove(program)
        if what:
            with open(program, "w") as f:
                f.write('#!/bin/sh\nwhile [ "$1" ]; do case "$1" in -o) out="$2"; shift;; *.ptx) in="$1";; esac; shift; done\n' + what + "\n")
            os.chmod(program, 0o755)
        run = subprocess.run(["cplc", source + ":f", "--types", "x=float64[]", "--emit", "cubin",
                              "-o", os.path.join(folder, "k.cubin")],
                             env=os.environ | {"TMPDIR": inner, "CPL_PTXAS": program,
                                               "CPL_CUDA_DRIVER": "/nowhere/libcuda.so.1"},
                             capture_output=True, text=True)
        left = [os.path.join(path, name) for path, folders, names in os.walk(inner)
                for name in folders + names]
        right = run.returncode == 0 if told is None else run.returncode == 3 and told in run.stderr
        if left or not right:
            print(f"{what}: left {left}, {run.returncode}, {run.stderr}")
            wrong += 1
    print(f"{len(ENDS)} ends, {wrong} wrong")


main(sys.argv[1])

# Two slices that read the array which is written, each the same, ahead, behind or turned round in each dimension: what is stored is as NumPy has it,
# or the statement is refused, where no order of the rounds reads all in time.
# RUN: rm -rf %t && mkdir %t && %python %s %t
import itertools
import re
import subprocess
import sys

import numpy as np

N, PART = 9, 64  # errors that one program may have are more
TYPE = {1: "[]", 2: "[:,:]"}
LINE = {"same": "2:-2", "ahead": "3:-1", "far ahead": "4:", "behind": "1:-3", "far behind": ":-4",
        "turned": "-3:1:-1", "turned on": "-2:2:-1", "turned back": "-4:0:-1"}
PLANE = ["same", "ahead", "behind", "turned"]
folder = sys.argv[1]


def cplc(*words):
    return subprocess.run(["cplc", *words], capture_output=True, text=True, check=False)


def statements(dims):
    names = LINE if dims == 1 else PLANE
    reads = [", ".join(LINE[name] for name in read) for read in itertools.product(names, repeat=dims)]
    to = [", ".join(["2:-2"]*dims), ", ".join(["2:-2"]*(dims - 1) + ["-3:1:-1"])]
    return [f"a[{t}] = a[{x}]*3 + a[{y}]*5 + {k}" for k, (t, x, y) in enumerate(itertools.product(to, reads, reads))]


def written(name, lines):
    with open(f"{folder}/{name}.py", "w", encoding="utf-8") as file:
        file.writelines(["def f(a):\n", *(f"    {line}\n" for line in lines)])
    return f"{folder}/{name}.py"


def takes(lines):
    """Those that are not refused."""
    said = cplc(written("all", lines) + ":f", "--as", "function", "--types", "a=int64" + TYPE[dims], "--emit", "types").stderr
    refused = {int(k) - 2 for k in re.findall(r":(\d+):\d+: error: 'a' is read here at other places", said)}
    assert len(refused) == said.count("error:"), said
    return [line for k, line in enumerate(lines) if k not in refused]


for dims, least in ((1, 50), (2, 80)):
    count, lines = 0, statements(dims)
    a = np.arange(N**dims).reshape((N,)*dims)**2
    for k in range(0, len(lines), PART):
        taken, python = takes(lines[k:k + PART]), {}
        count += len(taken)
        path = written("taken", taken or ["pass"])
        np.save(f"{folder}/a.npy", a)
        with open(path, encoding="utf-8") as file:
            exec(file.read(), python)
        python["f"](a)
        done = cplc("run", path, "--as", "function", f"a={folder}/a.npy", "--out", f"a={folder}/b.npy")
        assert done.returncode == 0, done.stderr
        assert (np.load(f"{folder}/b.npy") == a).all(), taken
    assert least < count < len(lines), count

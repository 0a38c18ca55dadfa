# Four hundred mistakes that users of Numba, NumPy, C and Compyle make, each with the whole message that it gets: mistakes.txt.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %S/Inputs/mistakes.txt %t | FileCheck %s
# CHECK: {{[45][0-9][0-9]}} mistakes, 0 with other messages
"""Compiles each line of mistakes.txt that is indented, inside of f(i, x, y, k, n, a, g), and compares all that is said.

With --update in place of the folder writes what is said into mistakes.txt."""
import os
import re
import subprocess
import sys
import tempfile

FRAME = """import math
import os
import numpy as np
import scipy.special
from numba import cuda
from time import time
from compyle.api import declare

PATH = os.path
TEXT = "text"
COUNT = 0
SHAPE = (2, 3)


@struct
class Point:
    x: 'double'
    y: 'double'


class Plain:
    def size(self):
        return 3


def two(a, b):
    return a + b


def nothing(x):
    x[0] = 1


def again(n):
    if n < 2:
        return n
    return again(n - 1) + again(n - 2)


def kinds(x, n):
    if n > 0:
        return x
    return n


def pair(p: 'Point'):
    return p.x


def first(p):
    return p[0]


def f(i, x, y, k, n, a, g):
"""
TYPES = "x=float64[] y=float64[] k=int32[] n=int32 a=float64 g=float64[:,:]"


def said(folder, code):
    path = os.path.join(folder, "f.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(FRAME + code)
    out = subprocess.run(["cplc", f"{path}:f", "--types", TYPES, "--emit", "types"], stderr=subprocess.PIPE,
                         stdout=subprocess.DEVNULL, check=False).stderr.decode()
    messages = []
    first = FRAME.count("\n") + 1
    for line in out.split("\n"):
        found = re.fullmatch(r"\S*f\.py:(\d+):(\d+): (.*)", line)
        if found:
            line = int(found[1])
            where = f"{line - first + 1}:{found[2]}: " if line >= first else "above: "
            messages.append(where + found[3].replace(folder, "FOLDER"))
        elif line.startswith("hint: "):
            messages.append(line)
    return messages


def mistakes(path):
    """Pairs of code and messages."""
    with open(path, encoding="utf-8") as file:
        for block in file.read().strip("\n").split("\n\n"):
            lines = block.split("\n")
            code = [l for l in lines if l.startswith("    ")]
            yield "\n".join(code) + "\n", [l for l in lines if l not in code]


path, folder = sys.argv[1:3]
update = folder == "--update"
if update:
    folder = tempfile.mkdtemp()
found = [(code, wanted, said(folder, code)) for code, wanted in mistakes(path)]
if update:
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(code + "".join(m + "\n" for m in messages) for code, _, messages in found))
bad = [] if update else [row for row in found if row[1] != row[2] or not row[2]]
for code, wanted, messages in bad:
    print(code, *("- " + w + "\n" for w in wanted), *("+ " + m + "\n" for m in messages), sep="")
print(f"{len(found)} mistakes, {len(bad)} with other messages")

# Everything that changes memory in an expression, at every place of one where something else was read before or is read
# behind: as Python has it.
# RUN: rm -rf %t && mkdir -p %t && %python %s %t
import re
import subprocess
import sys

import numpy as np

folder = sys.argv[1]
HEAD = """
import numpy as np


@struct
class Grown:
    v: int
    w: int

    def __init__(self, x, by):
        x[0] += by
        self.v = x[0]
        self.w = by

    def more(self, x):
        x[0] += self.w
        return x[0] + self.v


@struct
class Pair:
    a: int
    b: int

    def __init__(self, a, b):
        self.a = a
        self.b = b


def bump(x, by):
    x[0] += by
    return x[0]


def both(x, by):
    x[0] += by
    return x[0], by


def first_of(x, by):
    a, b = both(x, by)
    return a*2 + b


def quiet(x):
    x[0] += 3


def loudly(x):
    quiet(x)
    return 7


def three(a, b, c):
    return a*10000 + b*100 + c


def of_object(a, g):
    return a*100 + g.v


def defaulted(a, b, c=1):
    return a*10000 + b*100 + c
"""
# What changes x[0], as a number.
EFFECTS = {"call": "bump(x, 3)", "tuple": "first_of(x, 2)", "nothing": "loudly(x)", "object": "Grown(x, 3).v",
           "method": "Grown(x, 1).more(x)", "atomic": "atomic_add(x[0], 4)", "increment": "atomic_inc(x[0])"}
# R reads x[0], E changes it.
VALUES = """
R + E
E + R
R*3 - E*2 + R
-R + E
R < E
R <= E + R <= E
R == R + 0*E
max(R, E, R)
min(E, R + 1)
abs(R - E) + R
three(R, E, R)
three(E, R, E)
defaulted(R, E)
defaulted(R, c=E, b=R)
of_object(R, Grown(x, 5)) + R
of_object(Grown(x, 5).v, Grown(x, R % 4))
Pair(R, E).a + R
Pair(E, R).b + R
Pair(R, E).a*100 + Pair(R, E).b
R + (E if R > 0 else 1)
(R if E > 0 else 1) + R
(R > 0 and E > 0) + R
(R < 0 or E > 0) + R
t[R % 8] + t[E % 8]*10 + t[R % 8]*100
m[R % 4, E % 5] + R
m[E % 4, R % 5] + R
t[R % 8 + E % 4] + R
int(float(R) + float(E)) + R
(R << 2 | E) & R
R // (1 + E % 5) + R % (2 + E % 3)
bump(x, R % 3) + E
bump(x, E % 3) + R
bump(x, bump(x, 1) + E % 2) + R
""".split("\n")[1:-1]
STATEMENTS = """
t[R % 8] = E
t[E % 8] = R
t[R % 8] += E
t[E % 8] += R
t[R % 8] -= E*2 + R
m[R % 4, E % 5] = R
m[E % 4, R % 5] += E
atomic_add(t[R % 8], E)
atomic_add(t[E % 8], R)
atomic_sub(t[R % 8], E + R)
k, l = R, E; r[at] = k*100 + l
k, l = E, R; r[at] = k*100 + l
k = R; k += E; r[at] = k + R
for j in range(R % 4, R % 4 + E % 5): r[at] += j
for j in range(E % 4, R % 6): r[at] += j + 1
g = Pair(R, E); g.a += E; r[at] = g.a*100 + g.b
""".split("\n")[1:-1]


def kernel(name, effect):
    lines = [f"def {name}(x, t, m, r):", "    k = l = 0"]
    for at, place in enumerate(VALUES + STATEMENTS):
        text = re.sub(r"\bE\b", effect, re.sub(r"\bR\b", "x[0]", place)).replace("r[at]", f"r[{at}]")
        for part in [text] if text.startswith("for ") else text.split("; "):
            lines.append("    " + (part if place in STATEMENTS else f"r[{at}] = {part}"))
        lines.append("    x[0] = x[0] % 40")
    return "\n".join(lines) + "\n"


def in_python(text):
    """Atomics on elements as calls with an array and an index."""
    while (found := re.search(r"atomic_(add|sub|inc)\((\w)\[", text)):
        start, depth = found.end(), 1
        end = start
        while depth:
            depth += {"[": 1, "]": -1}.get(text[end], 0)
            end += 1
        rest = text[end:].removeprefix(", ")
        text = f"{text[:found.start()]}changed_{found[1]}({found[2]}, {text[start:end - 1]}, {rest}"
    return text


def changed_add(a, i, v=1):
    old = a[i]
    a[i] = old + v
    return old


def arguments():
    return dict(x=np.array([5]), t=np.arange(16)*3 + 1, m=np.arange(20).reshape(4, 5)*7,
                r=np.zeros(len(VALUES + STATEMENTS), int))


source = HEAD + "".join("\n\n" + kernel(name, effect) for name, effect in EFFECTS.items())
with open(f"{folder}/table.py", "w") as file:
    file.write(source)
python = {"struct": lambda cls: cls, "changed_add": changed_add, "changed_inc": changed_add,
          "changed_sub": lambda a, i, v: changed_add(a, i, -v)}
exec(in_python(source), python)
bad = 0
for name in EFFECTS:
    wanted = arguments()
    python[name](*wanted.values())
    for given in ("x", "t", "m", "r"):
        np.save(f"{folder}/{given}.npy", arguments()[given])
    for mode in (["--target", "interp"], ["--target", "host", "-O0"], ["--target", "host"]):
        words = [f"{given}={folder}/{given}.npy" for given in "xtmr"]
        outs = [word for given in "xtmr" for word in ("--out", f"{given}={folder}/{given}.out.npy")]
        subprocess.check_call(["cplc", "run", f"{folder}/table.py:{name}", "--as", "function", *mode, *words, *outs])
        for given in "rxtm":
            got, want = np.load(f"{folder}/{given}.out.npy").ravel(), wanted[given].ravel()
            for at in np.flatnonzero(got != want)[:3]:
                place = (VALUES + STATEMENTS)[at] if given == "r" else f"{given}[{at}]"
                print(f"{name}, {mode}: {place} with E = {EFFECTS[name]}: {got[at]}, {want[at]} expected")
                bad += 1
sys.exit(bad > 0)

# (v := b) in each place of an expression and of a statement: as in Python, or refused where Python may not come to it.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: 56 programs agree, 31 are refused, 0 wrong
import itertools
import os
import subprocess
import sys

import numpy as np

ENDS = ("a", "b", "c", "a + b")
COMPARED = [" < ".join(parts[:at] + ("{}",) + parts[at:]) for n in (1, 2, 3)
            for parts in [("a", "c", "b")[:n]] for at in range(n + 1)]
OPERANDS = COMPARED + ["{} if a < b else c", "a if {} else c", "a if b else {}",
                       "(a < b) + ({} < c)", "abs({})", "max(a, {}, c)", "-{}", "not {}",
                       "a*{} + c",
                       "{} and a", "a and {}", "a and {} and c", "a and b and {}", "{} or a",
                       "a or {}", "a or b or {}", "a and (b or {})", "a or (b and {})",
                       "(a and {}) + c", "(a if b < {} else c)", "(a < {}) if c else b",
                       "a if b else (c < {})", "a < (b if {} else c) < c",
                       "a < (c if b else {})", "a < c < (b and {})", "a < (c or {})",
                       "(c or {}) < a < b", "(a and b) < {} < c", "a == {} != c", "x[{} % 2]",
                       "a if (b and {}) else c", "a if {} < b < c else c", "a if b < c < {} else c"]
STATEMENTS = ["s = {0}", "s += {0}", "y[0] = {0}", "x[2] = {0}", "x[int({0}) % 2] += 1.0",
              "if {0}:\n    s = 2.0", "while n < 3 and {0}:\n    n += 1",
              "for k in range(int(abs({0})) + 1):\n    n += k", "s = {0} if a == 0 else 5.0",
              "assert {0} < 100"]


def function(number, text):
    lines = ["s, v, n = 0.5, 7, 0", *text.split("\n"), "y[0] += s", "y[1] = v", "y[2] = n"]
    return f"def f{number}(a, b, c, x, y):\n" + "".join(f"    {line}\n" for line in lines)


def programs():
    for operand in OPERANDS:
        yield function(len(texts), STATEMENTS[0].format(operand.format("(v := b)")))
    for statement, operand in itertools.product(STATEMENTS[1:],
                                                ("{}", "a < {}", "a < c < {}", "a or {}",
                                                 "a if b else {}")):
        yield function(len(texts), statement.format("(" + operand.format("(v := b)") + ")"))


def python(number, text, values):
    space = {}
    exec(text, space)
    x, y = X.copy(), np.zeros(3)
    space[f"f{number}"](*values, x, y)
    return [*y, *x]


def sometimes(number, text):
    """Whether v is not always given its value by what Python runs."""
    other = text.replace("v, n = 0.5, 7, 0", "v, n = 0.5, 8, 0")
    return any(python(number, text, values)[1] != python(number, other, values)[1]
               for values in CHOICES)


def cplc(*args):
    return subprocess.run(["cplc", *args], capture_output=True, text=True)


folder = sys.argv[1]
path = os.path.join(folder, "k.py")
CHOICES, X = list(itertools.product((0, 1, 2), repeat=3)), np.array([3.0, 1.0, 2.0])
texts, agree, wrong = [], [], []
for text in programs():
    texts.append(text)
for n, text in enumerate(texts):
    with open(path, "w") as f:
        f.write(text)
    said = cplc(f"{path}:f{n}", "--as", "function", "--emit", "types", "--types",
                "a=int64 b=int64 c=int64 x=float64[] y=float64[]")
    if said.returncode == 0:
        agree.append(n)
    elif "evaluated under a condition" not in said.stderr:
        wrong.append((text, said.stderr))
    elif not sometimes(n, text):
        wrong.append((text, "refused for nothing"))
refused = len(texts) - len(agree)
with open(path, "w") as f:
    f.write("".join(texts[n]
                    for n in agree) + f"\n\ndef every(i, given, x, y, out):\n    a, b, c = i // 9, i // 3 % 3, i % 3\n")
    for at, n in enumerate(agree):
        f.write(f"    x[:] = given[:]\n    y[:] = 0.0\n    f{n}(a, b, c, x, y)\n    out[i, {at}, :3] = y[:]\n    out[i, {at}, 3:] = x[:]\n")
np.save(os.path.join(folder, "given.npy"), X)
done = cplc("run", f"{path}:every", "--n", "27", "--target", "interp",
            "given=" + os.path.join(folder, "given.npy"), "x=float64[3]", "y=float64[3]",
            f"out=float64[27,{len(agree)},6]", "--out", "out=" + os.path.join(folder, "out.npy"))
if done.returncode:
    sys.exit(done.stderr[:2000])
got = np.load(os.path.join(folder, "out.npy"))
for at, n in enumerate(agree):
    for k, values in enumerate(CHOICES):
        expected = python(n, texts[n], values)
        if got[k, at].tolist() != expected:
            wrong.append((texts[n], f"of {values}: {got[k, at].tolist()}, expected {expected}"))
            break
print(*(f"{text}{why}" for text, why in wrong[:20]), sep="\n\n")
print(f"{len(agree)} programs agree, {refused} are refused, {len(wrong)} wrong")

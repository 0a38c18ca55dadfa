# Every nest of three statements that work-items of a group leave one by one or do not all enter,
# with barriers in front of, in and behind each, in rounds of a loop that all take: on the host each
# work-item does what it does alone.
# RUN: rm -rf %t && %python %s %t
import os
import subprocess
import sys

import numpy as np

FOLDER, ITEMS = sys.argv[1], 12

# What goes into HERE, {0} is its level; `r` differs between work-items and rises, so that
# conditions change from round to round.
KINDS = {
    "if": """
if r % 3 != {0} % 2:
    HERE
""",
    "else": """
if (r + {0}) % 2 == 0:
    HERE
else:
    s += 7
    local_barrier()
    s = s*3 % 9973
""",
    "for": """
for k{0} in range(r % 3):
    HERE
    s += k{0}
""",
    "break": """
t{0} = 0
while t{0} < 3:
    t{0} += 1
    HERE
    if (s + {0}) % 3 == 0:
        break
    s += 2
    local_barrier()
""",
    "continue": """
for k{0} in range(i % 4):
    HERE
    if (s + k{0}) % 2 == 0:
        continue
    s += 11
    local_barrier()
""",
}


def nest(kinds, level=0):
    """Lines of the statements one in the other."""
    step = ["r += 1", f"s = (s*5 + r + {level}) % 9973", "local_barrier()"]
    if not kinds:
        return step
    inside = nest(kinds[1:], level + 1)
    lines = []
    for line in KINDS[kinds[0]].format(level).split("\n")[1:-1]:
        indent = line[:len(line) - len(line.lstrip())]
        lines += [indent + x for x in inside] if line.strip() == "HERE" else [line]
    return step + lines + [f"s = (s*3 + {level}) % 9973"] + step


def kernel(outer, middle):
    """All that can stand innermost, one after the other."""
    lines = ["i = LID_0", "r = i", "s = x[i]", "for k in range(3):"]
    for inner in KINDS:
        lines += ["    " + x for x in nest((outer, middle, inner))]
    return "def f(x, y):\n" + "".join(f"    {x}\n" for x in lines + ["y[i] = s"])


def run(name, text):
    with open(f"{FOLDER}/{name}.py", "w") as file:
        file.write("from compyle.low_level import *\n\n\n" + text)
    command = ["cplc", "run", f"{FOLDER}/{name}.py:f", "--as", "kernel", "--global", str(ITEMS),
               "--local", str(ITEMS), "-O0", f"x={FOLDER}/x.npy", f"y=int32[{ITEMS}]",
               "--out", f"y={FOLDER}/y.npy", "--unchecked"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return [int(v) for v in np.load(f"{FOLDER}/y.npy")]


def alone(text, x):
    """What Python makes of it, one work-item after the other."""
    y = [0]*ITEMS
    for item in range(ITEMS):
        space = {"LID_0": item, "local_barrier": lambda: None}
        exec(text, space)
        space["f"](x, y)
    return y


def main():
    os.makedirs(FOLDER, exist_ok=True)
    x = [31*i % 17 for i in range(ITEMS)]
    np.save(f"{FOLDER}/x.npy", np.array(x, "int32"))
    different = []
    for outer in KINDS:
        for middle in KINDS:
            text = kernel(outer, middle)
            got, expected = run(f"{outer}-{middle}", text), alone(text, x)
            if got != expected:
                different.append(f"{outer}, {middle}: {got}, not {expected}")
    sys.exit("\n".join(different) or 0)


main()

# A literal float among the arguments of a call takes the widest float type of the others, float64
# where there is none: each pair of others, the literal before, between and behind them, by position
# and by name.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]*}} calls, 0 differ
import itertools
import os
import re
import subprocess
import sys

# As written: its type in f ("": f's own), and the width of the float that it is or holds.
OTHERS = {"b": ("bool", 0), "n": ("int32", 0), "u": ("uint64", 0), "h": ("float16", 16),
          "s": ("float32", 32), "d": ("float64", 64), "k": ("int64[]", 0), "xh": ("float16[]", 16),
          "xs": ("float32[]", 32), "xd": ("float64[]", 64), "ms": ("", 32), "md": ("", 64),
          "mk": ("", 0), "7": ("", 0), "0.25": ("", 0), "d*h": ("", 64), "s*n": ("", 32),
          "xh[i]": ("", 16)}
LOCALS = {"ms": "matrix(2, 'float')", "md": "matrix((2, 3), 'double')", "mk": "matrix(2, 'int')"}
LITERALS = ["1.5", "-1.5", "2.0*3", "HALF"]
TAKES = {0: "float64", 16: "float32", 32: "float32", 64: "float64"}
MOST = 400  # calls in a file: there is a limit


def calls():
    """(arguments, where the literal stands, the type that it takes)"""
    literals = itertools.cycle(LITERALS)
    for (a, (_, wa)), (b, (_, wb)) in itertools.product(OTHERS.items(), repeat=2):
        for place in range(3):
            others = [a, b]
            others.insert(place, next(literals))
            yield others, place, TAKES[max(wa, wb)]


def source(rows):
    text = "from compyle.api import declare\nHALF = 0.5\n"
    body = "".join(f"    {name} = declare(\"{what}\")\n" for name, what in LOCALS.items())
    for i, (args, _, _) in enumerate(rows):
        text += f"def g{i}(p, q, r):\n    return 1\n"
        by_name = f"r={args[2]}, p={args[0]}, q={args[1]}"
        body += f"    t = g{i}({by_name if i % 2 else ', '.join(args)})\n"
    return text + f"def f(i, {', '.join(n for n, (t, _) in OTHERS.items() if t)}):\n{body}"


def check(rows, path):
    """How many calls give the literal another type."""
    with open(path, "w") as file:
        file.write(source(rows))
    types = " ".join(f"{name}={t}" for name, (t, _) in OTHERS.items() if t)
    done = subprocess.run(["cplc", path + ":f", "--types", types, "--emit", "types"],
                          capture_output=True, text=True)
    lines = re.findall(r"^g(\d+)\((.*)\) -> ", done.stdout, re.M)
    found = {int(k): re.findall(r"\w+: ([^,]+)", parameters) for k, parameters in lines}
    bad = 0
    for i, (args, place, expected) in enumerate(rows):
        got = found[i][place] if i in found else done.stderr[:500]
        if got != expected:
            bad += 1
            print(f"g({', '.join(args)}): {args[place]} is {got}, not {expected}")
    return bad


def main(folder):
    rows = list(calls())
    bad = sum(check(rows[at:at + MOST], os.path.join(folder, f"k{at}.py"))
              for at in range(0, len(rows), MOST))
    print(f"{len(rows)} calls, {bad} differ")


if __name__ == "__main__":
    main(sys.argv[1])

# Each pair of ways through the two arms of a statement, with a call behind it and without: refused as
# endless are those functions alone of which every way comes to a call of them.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]+}} functions, {{[1-9][0-9]*}} endless, 0 wrong
import itertools
import re
import subprocess
import sys

# The ways through a block: how it is written, whether one returns, and whether each comes to a call first.
ON, OUT, CALL = range(3)
BLOCKS = [
    ("m = n - 1", ON), ("return 0", OUT), ("return F(n - 1)", CALL), ("m = F(n - 1)", CALL),
    ("F(n)", CALL),
    ("if n > 5: return 1", OUT), ("if n > 5: m = F(n - 1)", ON), ("while n > m: m += F(m)", ON),
    ("while n > m: return 2", OUT),
    ("return n + (0 if n < 1 else F(n - 1))", OUT), ("m = 0 if n < 1 else F(n - 1)", ON),
    ("m = F(n) if n < 1 else F(n - 1)", CALL),
    ("m = F(n) if F(n + 1) < 1 else 0", CALL), ("for k in range(n): m += F(k)", ON),
    ("for k in range(n): return k", OUT),
    ("for k in range(F(n)): m += k", CALL), ("m = int(n > 0 and F(n) > 0)", ON),
    ("m = int(F(n) > 0 and n > 0)", CALL), ("return max(n, F(n))", CALL),
]


def joined(one, other):
    """The way through a choice of two."""
    return OUT if OUT in (one, other) else CALL if one == other == CALL else ON


def functions():
    """(lines, whether it is endless)"""
    for (one, a), (other, b) in itertools.product(BLOCKS, BLOCKS):
        for behind, c in (("return m", OUT), ("return F(m)", CALL)):
            way = joined(a, b)
            yield ["if n > 0:", "    " + one, "else:", "    " + other,
                   behind], (c if way == ON else way) == CALL
    for one, a in BLOCKS:
        for behind, c in (("return m", OUT), ("return F(m)", CALL)):
            yield [one, behind], (c if a == ON else a) == CALL
            yield ["if n > 0:", "    " + one, behind], (c if joined(a, ON) == ON else OUT) == CALL


def main(folder):
    at_once, rows = 20, list(functions())  # all errors of so many are told
    path, wrong = folder + "/k.py", 0
    with open(path, "w") as file:
        for number, (lines, _) in enumerate(rows):
            body = "\n    ".join(lines).replace("F", f"f{number}")
            file.write(f"def f{number}(n: int) -> int:\n    m = 0\n    {body}\n")
        for first in range(0, len(rows), at_once):
            file.write(f"def k{first}(x):\n")
            file.writelines(f"    x[{k}] = f{k}(x[{k}])\n"
                            for k in range(first, min(first + at_once, len(rows))))
    for first in range(0, len(rows), at_once):
        done = subprocess.run(["cplc", f"{path}:k{first}", "--as", "function", "--emit", "ir",
                               "--types", "x=int32[]"],
                              capture_output=True, text=True)
        said = sorted(map(int,
                          re.findall(r"error: 'f(\d+)' calls itself on every way through it: it never returns", done.stderr)))
        expected = [first + k for k, row in enumerate(rows[first: first + at_once]) if row[1]]
        for number in set(said) ^ set(expected):
            wrong += 1
            print(f"endless: {number in expected}; said: {number in said}\n" + "\n".join(rows[number][0]))
        wrong += len(said) != len(set(said)) or done.stderr.count("error:") != len(said)
    print(f"{len(rows)} functions, {sum(e for _, e in rows)} endless, {wrong} wrong")


main(sys.argv[1])

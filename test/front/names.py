# Names are compared in the form NFKC, as Python's: all characters for which it makes a difference, letters with marks, and any sequences of those.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# RUN: cd %t && printf 'def run(i, ρ, µ, ﬁeld):\n    ﬁeld[i] = ρ[i] + μ + len(field)\n' > rho.py
# RUN: cplc run %t/rho.py:run 'ρ=float64[2]' 'μ=2.5' 'ﬁeld=float64[2]' --out field=%t/out.npy
# RUN: cplc %t/rho.py:run --types 'ρ=float64[] µ=float64 field=float64[]' --emit types \
# RUN:   | FileCheck %s --check-prefix=TYPES
# RUN: not cplc run %t/rho.py:run 'σ=float64[2]' 'μ=2.5' 'ﬁeld=float64[2]' 2>&1 \
# RUN:   | FileCheck %s --check-prefix=WRONG
# CHECK: {{[0-9]+}} names, 0 differences
# TYPES: run(i: int64, ρ: float64[], μ: float64, field: float64[]) -> void
# WRONG: error: 'run' has no parameter 'σ'; its parameters are ρ, μ, field
import os
import random
import re
import subprocess
import sys
import unicodedata


def names():
    points = [chr(c) for c in range(0x80, sys.maxunicode + 1) if ("a" + chr(c)).isidentifier()]
    if unicodedata.unidata_version != "14.0.0":  # that of the tables: what has come since is skipped
        points = [c for c in points if ord(c) < 0x10000 and unicodedata.ucd_3_2_0.name(c, None)]
    changed = [c for c in points if unicodedata.normalize("NFKC", c) != c]
    composed = [c for c in points if unicodedata.normalize("NFKD", c) != c]
    marks = [c for c in points if unicodedata.combining(c)]
    rng = random.Random(1)
    yield from ("a" + c for c in changed)
    for _ in range(10000):
        parts = [rng.choice(rng.choice((points, composed, marks, marks, "aeioun"))) for _ in range(rng.randint(1, 9))]
        yield "x" + "".join(parts)
        yield "x" + unicodedata.normalize("NFD", rng.choice(composed) + rng.choice(points))


path = os.path.join(sys.argv[1], "names.py")
wanted = [n for n in names() if n.isidentifier()]
with open(path, "w", encoding="utf-8") as file:
    file.write("def f():\n" + "".join(f"    {n} = 1\n" for n in wanted))
tree = subprocess.run(["cplc", "--emit", "ast", f"{path}:f"], stdout=subprocess.PIPE, check=True).stdout.decode()
found = re.findall(r"^      name (\S+) @", tree, re.M)
bad = [(n, f) for n, f in zip(wanted, found) if unicodedata.normalize("NFKC", n) != f]
for n, f in bad[:5]:
    print(ascii(n), ascii(unicodedata.normalize("NFKC", n)), ascii(f))
print(f"{len(found)} names, {len(bad) + abs(len(found) - len(wanted))} differences")

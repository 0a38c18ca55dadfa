# The library has each function of mathematics itself, for the option reproducible: one that it
# lacks would be the machine's, with bits of its own.
# RUN: %python %s %root/lib/ir/op.def %root/lib/sema/elementary.py
# RUN: echo 'OP(SINPI, "sinpi", EXPR, "f", SAME, NONE, 0, MATH, NONE, FUNCTION, "", "")' > %t
# RUN: not %python %s %t %root/lib/sema/elementary.py | FileCheck %s
#
# CHECK: sinpi: elementary.py has no such function
# CHECK: 1 functions, 1 missing
"""Compares op.def's rows of the kind MATH with the functions of elementary.py."""

import ast
import re
import sys

EXACT = {"remainder", "nextafter", "ldexp"}  # the same everywhere, as passes/elementary.c says

with open(sys.argv[1], encoding="utf-8") as file:
    rows = re.findall(r'^OP\(\w+, "(\w+)",(?:[^,]*,){5}\s*MATH,', file.read(), re.MULTILINE)
with open(sys.argv[2], encoding="utf-8") as file:
    there = {f.name for f in ast.parse(file.read()).body if isinstance(f, ast.FunctionDef)}
missing = [name for name in rows if name not in there | EXACT]
for name in missing:
    print(f"{name}: elementary.py has no such function")
print(f"{len(rows)} functions, {len(missing)} missing")
sys.exit(1 if missing or not rows else 0)

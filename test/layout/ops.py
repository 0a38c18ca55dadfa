# What an op is, op.def says: no code depends on the order of its rows.
# RUN: %python %s %root
# RUN: not %python %s %S/Inputs/ops | FileCheck %s
#
# CHECK: passes/bad.c:4: an op is compared by its number: op >= IR_ADD
# CHECK: passes/bad.c:4: an op is compared by its number: op <= IR_SUB
# CHECK: passes/bad.c:9: an op is compared by its number: IR_SUB < n
# CHECK: passes/bad.c:11: an op is compared by its number: IR_ADD ... IR_SUB
# CHECK: passes/bad.c:13: an op is compared by its number: op - IR_ADD
# CHECK: 5 places
"""Refuses ranges of ops and sums with their numbers; ir_op_kind and ir_op_effects tell families apart."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run", "Inputs"))
import harness

root = sys.argv[1]
ids = [row["id"] for row in harness.op_rows(os.path.join(root, "lib/ir/op.def"))]
OP = r"IR_(?:%s)\b" % "|".join(ids)
ORDER = r"(?:<=?|>=?|-|\+|\.\.\.)"
RANGE = re.compile(rf"\w+\s*(?<!-)(?<![<>]){ORDER}(?![<>=])\s*{OP}|{OP}\s*{ORDER}(?![<>=])\s*\w+")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def without_comments(text):
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def sources():
    for top in ("lib", "passes", "runtime", "tools"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith((".c", ".h", ".cpp")):
                    yield os.path.join(folder, name)


places = 0
for path in sources():
    with open(path, encoding="utf-8") as file:
        text = without_comments(file.read())
    for found in RANGE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        print(f"{os.path.relpath(path, root)}:{line}: an op is compared by its number: {found.group(0)}")
        places += 1
print(f"{len(ids)} ops, {places} places")
sys.exit(1 if places or not ids else 0)

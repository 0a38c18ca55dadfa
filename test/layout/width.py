# Tables stay within 100 columns, as C does, and so do the commands of tests.
# RUN: %python %s %root
# RUN: not %python %s %S/Inputs/width | FileCheck %s
#
# CHECK: table.def:2: 102 columns
# CHECK: test/a.py:1: 103 columns
# CHECK: 2 files, 2 lines too wide
"""Names each line that is too wide of files that no formatter lays out."""

import os
import re
import sys

WIDTH = 100
root = sys.argv[1]
skipped = {".git", ".dev", ".gpu", "Inputs"}


def looks_at(path):
    return path.endswith((".def", ".py", ".cir", ".test"))


def counts(path, line):
    """All lines of a table, of other files what tests run."""
    return path.endswith(".def") or re.match(r"\s*(#|;|//) ?RU[N]:", line)


def files():
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f not in skipped and not f.startswith("build")]
        paths = (os.path.join(folder, name) for name in sorted(names))
        yield from (path for path in paths if os.path.isfile(path) and looks_at(path))


count = bad = 0
for path in files():
    count += 1
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().split("\n"), 1):
            if len(line) > WIDTH and counts(path, line):
                bad += 1
                print(f"{os.path.relpath(path, root)}:{number}: {len(line)} columns")
print(f"{count} files, {bad} lines too wide")
sys.exit(1 if bad or not count else 0)

# Tables stay within 100 columns, as C does.
# RUN: %python %s %root
# RUN: not %python %s %S/Inputs/width | FileCheck %s
#
# CHECK: table.def:2: 102 columns
# CHECK: 1 files, 1 lines too wide
"""Names each line that is too wide of files that no formatter lays out."""

import os
import sys

WIDTH = 100
root = sys.argv[1]
skipped = {".git", ".dev", ".gpu", "Inputs"}


def is_table(path):
    return path.endswith(".def")


def files():
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f not in skipped and not f.startswith("build")]
        paths = (os.path.join(folder, name) for name in sorted(names))
        yield from (path for path in paths if os.path.isfile(path) and is_table(path))


count = bad = 0
for path in files():
    count += 1
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().split("\n"), 1):
            if len(line) > WIDTH:
                bad += 1
                print(f"{os.path.relpath(path, root)}:{number}: {len(line)} columns")
print(f"{count} files, {bad} lines too wide")
sys.exit(1 if bad or not count else 0)

# Every public struct that a caller gives with its size is tried in other sizes by test/unit/growth.c, which holds the others to theirs.
# RUN: %python %s %root | FileCheck %s --check-prefix=ALL
# RUN: not %python %s %S/Inputs/structs | FileCheck %s
#
# ALL: {{^[12][0-9]}} structs with a size, 0 not tried; {{[1-9][0-9]*}} without, 0 not held
# CHECK: include/cpl/bad.h:4: cpl_forgotten has a size, and no row in test/unit/growth.c
# CHECK: include/cpl/bad.h:14: cpl_loose has no size, and test/unit/growth.c does not hold it to one
# CHECK: 2 structs with a size, 1 not tried; 2 without, 1 not held
"""Structs that the library makes and hands out ("of the library that made it") have no row: nobody else fills them in."""

import glob
import os
import re
import sys

root = sys.argv[1]
with open(os.path.join(root, "test/unit/growth.c"), encoding="utf-8") as file:
    text = file.read()
tried = set(re.findall(r"ROW\((\w+),", text))
held = set(re.findall(r"SAME\((\w+),", text))

count = missing = fixed = loose = 0
for header in sorted(glob.glob(os.path.join(root, "include/cpl/*.h"))):
    with open(header, encoding="utf-8") as file:
        text = file.read()
    for match in re.finditer(r"typedef struct (\w+) \{\s*size_t size;([^\n]*)", text):
        if "that made it" in match.group(2):
            continue
        count += 1
        if match.group(1) not in tried:
            missing += 1
            line = text.count("\n", 0, match.start()) + 1
            print(f"{os.path.relpath(header, root)}:{line}: {match.group(1)} has a size, and no row in test/unit/growth.c")
    for match in re.finditer(r"typedef struct (\w+) \{(?!\s*size_t size;)", text):
        fixed += 1
        if match.group(1) not in held:
            loose += 1
            line = text.count("\n", 0, match.start()) + 1
            print(f"{os.path.relpath(header, root)}:{line}: {match.group(1)} has no size, and test/unit/growth.c does not hold it to one")
print(f"{count} structs with a size, {missing} not tried; {fixed} without, {loose} not held")
sys.exit(1 if missing or loose else 0)

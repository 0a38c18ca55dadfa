# Prose in Markdown stays within 100 columns; tables, headings, code and words may be longer.
# RUN: %python %s %root
# RUN: not %python %s %S/Inputs/prose | FileCheck %s
#
# CHECK: wide.md:3: 101 columns
# CHECK-NEXT: 1 files, 1 lines too wide
"""Names each line of prose that is too wide."""

import os
import sys

WIDTH = 100
root = sys.argv[1]
skipped = {".git", ".dev", ".gpu", "Inputs"}


def pages():
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f not in skipped and not f.startswith("build")]
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".md"))


def too_wide(path):
    fenced = False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().split("\n"), 1):
            text = line.strip()
            if text.startswith("```"):
                fenced = not fenced
            elif fenced or line.startswith("    ") or text.startswith(("|", "#", "<")):
                continue
            elif len(line) > WIDTH and " " in text:
                yield number, len(line)


files = bad = 0
for page in pages():
    files += 1
    for number, width in too_wide(page):
        bad += 1
        print(f"{os.path.relpath(page, root)}:{number}: {width} columns")
print(f"{files} files, {bad} lines too wide")
sys.exit(1 if bad or not files else 0)

# C and C++ sources are laid out as .clang-format says.
# REQUIRES: clang-format
# RUN: %python %s %clang-format %root
# RUN: not %python %s %clang-format %S/Inputs/format | FileCheck %s
#
# CHECK: wide.c:2: is laid out otherwise
# CHECK: 1 files, 1 against the layout
"""Compares every source with what clang-format makes of it, and names the first line that differs."""

import os
import subprocess
import sys

formatter, root = sys.argv[1:3]
style = os.path.join(os.path.dirname(__file__), "..", "..", ".clang-format")
skipped = {".git", ".dev", ".gpu", "Inputs"}


def sources():
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f not in skipped and not f.startswith("build")]
        for name in sorted(names):
            if name.endswith((".c", ".h", ".cpp")):
                yield os.path.join(folder, name)


def first_difference(path):
    """The line, from 1, where a file is laid out otherwise; 0: nowhere."""
    with open(path, encoding="utf-8") as file:
        here = file.read().split("\n")
    made = subprocess.run([formatter, f"--style=file:{style}", path], text=True, check=True,
                          stdout=subprocess.PIPE).stdout.split("\n")
    if here == made:
        return 0
    return next((i for i, (a, b) in enumerate(zip(here, made), 1) if a != b), len(here))


paths = list(sources())
done = subprocess.run([formatter, "--dry-run", "-Werror", f"--style=file:{style}", *paths],
                      text=True, stderr=subprocess.PIPE)
bad = 0
if done.returncode:
    for path in paths:
        line = first_difference(path)
        if line:
            print(f"{os.path.relpath(path, root)}:{line}: is laid out otherwise")
            bad += 1
print(f"{len(paths)} files, {bad} against the layout")
sys.exit(1 if bad or done.returncode or not paths else 0)

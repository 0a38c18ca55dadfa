# One version and one licence everywhere that they are named.
# RUN: %python %s %root
# RUN: not %python %s %S/Inputs/versions | FileCheck %s
#
# CHECK: CHANGELOG.md: 0.2.0 and not 0.1.0
# CHECK-NEXT: bindings/python/pyproject.toml: 0.1.1 and not 0.1.0
# CHECK-NEXT: LICENSE is not what bindings/python/LICENSE is
"""Compares the version of CMakeLists.txt with those of the header, the package, the man page and the newest entry of CHANGELOG.md,
and the licences that the Python package brings along with the tree's."""

import os
import re
import sys

root = sys.argv[1]
PLACES = (("CHANGELOG.md", r"^## (\d+\.\d+\.\d+)"), ("bindings/python/pyproject.toml", r'^version = "([\d.]+)"'),
          ("include/cpl/base.h", r'^#define CPL_VERSION_TEXT *"([\d.]+)"'), ("tools/cplc/cplc.1", r'^\.TH .*"cplc ([\d.]+)"'))


def text(path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def main():
    version = re.search(r"project\(cpl VERSION ([\d.]+)", text("CMakeLists.txt")).group(1)
    failures = []
    for path, pattern in PLACES:
        found = re.search(pattern, text(path), re.M)
        if not found or found.group(1) != version:
            failures.append(f"{path}: {found.group(1) if found else 'no version'} and not {version}")
    for name in ("LICENSE", "THIRD_PARTY.txt"):
        if text(name) != text(f"bindings/python/{name}"):
            failures.append(f"{name} is not what bindings/python/{name} is")
    if "BSD-3-Clause" not in text("bindings/python/pyproject.toml") or "BSD 3-Clause" not in text("LICENSE"):
        failures.append("LICENSE and the Python package differ in the licence")
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())

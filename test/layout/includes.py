# Who may include whom, and what library code must not call.
# RUN: %python %s %root
# RUN: not %python %s %S/Inputs/bad | FileCheck %s
#
# CHECK-DAG: lib/front/bad.c:2: includes lib/ir/ir.h: lib/front may include nothing beyond its own and lib/support
# CHECK-DAG: lib/front/bad.c:3: includes llvm-c/Core.h, which only lib/codegen and lib/target may
# CHECK-DAG: lib/front/bad.c:7: library code calls printf
# CHECK-DAG: lib/sema/bad.c:1: includes lib/ir/ir_int.h, which is internal to its folder
# CHECK-DAG: lib/sema/bad.c:2: includes lib/ir/gone.h, which is not in the tree
# CHECK-DAG: lib/sema/bad.c:7: calls dlopen outside lib/dl
# CHECK-DAG: runtime/bad.c:1: includes lib/ir/ir.h: runtime may include
# CHECK-DAG: tools/cplc/bad.c:1: includes lib/ir/ir.h: tools uses include/cpl alone
# CHECK: 8 against the rules
"""Every arrow that the layering allows is listed here; anything else that a source includes or calls is a failure."""

import os
import re
import sys

root = sys.argv[1]

# folder -> folders whose headers it may include, besides itself, lib/support and include/cpl
ALLOWED = {
    "lib/support": [],
    "lib/dl": [],
    "lib/front": [],
    "lib/sema": ["lib/front"],
    "lib/ir": [],
    "lib/lower": ["lib/front", "lib/sema", "lib/ir"],
    "lib/interp": ["lib/ir"],
    "lib/codegen": ["lib/ir"],
    "lib/target": ["lib/codegen", "lib/ir", "lib/dl"],
    "lib/opencl": ["lib/ir"],
    "lib/driver": ["lib/front", "lib/sema", "lib/ir", "lib/lower", "lib/interp", "lib/codegen", "lib/target", "lib/opencl", "lib/dl",
                   "passes"],
    "passes": ["lib/ir"],
    "runtime": ["lib/driver/border.h", "lib/dl"],
    "tools": None,  # the public API alone
    "examples": None,
    "bindings": None,
    "include": None,
}
# tools/cplc/npy.h: reading .npy files, no part of the compiler; examples/common/example.h; the demo shows examples/kmeans
SHARED = {("examples/demo", "npy.h"), ("examples/demo", "kmeans.h")} | {
    (f"examples/{name}", "example.h") for name in ("demo", "equalise", "kmeans", "laplace", "neighbours")}
LLVM = ("lib/codegen", "lib/target")
DLOPEN = "lib/dl"
LIBRARY = ("lib", "passes", "runtime")  # code that must neither print nor end the process
KERNEL_PRINTF = "lib/interp/interp_printf.c"  # prints what a kernel asks for

failures = []


def strip(text):
    """Blanks out comments and the inside of strings, keeping line numbers; #include lines keep their names."""
    def blank(match):
        s = match.group(0)
        if s.startswith("/"):
            return re.sub(r"[^\n]", " ", s)
        return '"' + " " * (len(s) - 2) + '"' if len(s) > 1 else s
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)


def owner(path):
    best = ""
    for folder in ALLOWED:
        if (path == folder or path.startswith(folder + "/")) and len(folder) > len(best):
            best = folder
    return best


def check_include(path, line, style, name):
    folder = owner(path)
    here = f"{path}:{line}: includes {name}"
    if name.startswith("llvm"):
        if folder not in LLVM:
            failures.append(f"{here}, which only {' and '.join(LLVM)} may")
        return
    if name.startswith("cpl/"):
        if not os.path.exists(os.path.join(root, "include", name)):
            failures.append(f"{here}, which is not in include/")
        return
    if style == "<":
        if folder == "include" and name not in ("stdbool.h", "stddef.h", "stdint.h"):
            failures.append(f"{here}: public headers use C's freestanding headers alone")
        return
    if (os.path.dirname(path), name) in SHARED:
        return
    # A name without a folder is in the includer's own.
    target = name if "/" in name and os.path.exists(os.path.join(root, name)) else \
        os.path.normpath(os.path.join(os.path.dirname(path), name))
    if not os.path.exists(os.path.join(root, target)):
        failures.append(f"{here}, which is not in the tree")
        return
    allowed = ALLOWED[folder]
    if allowed is None:
        top = path.split("/")[:2]
        if target.split("/")[:2] != top:
            failures.append(f"{here}: {folder} uses include/cpl alone")
        return
    if owner(target) == folder:
        return
    if target.endswith("_int.h"):
        failures.append(f"{here}, which is internal to its folder")
    elif owner(target) != "lib/support" and owner(target) not in allowed and target not in allowed:
        failures.append(f"{here}: {folder} may include {', '.join(allowed) or 'nothing'} beyond its own and lib/support")


def check_calls(path, code):
    for number, line in enumerate(code.split("\n"), 1):
        if re.search(r"\b(dlopen|dlmopen)\s*\(", line) and not path.startswith(DLOPEN + "/"):
            failures.append(f"{path}:{number}: calls dlopen outside {DLOPEN}")
        if path.split("/")[0] in LIBRARY and path != KERNEL_PRINTF and not line.lstrip().startswith("#"):
            found = re.search(r"(?<![\w.>])(printf|puts|putchar|perror|vprintf|exit|_exit|abort|quick_exit)\s*\(", line)
            if found:
                failures.append(f"{path}:{number}: library code calls {found.group(1)}")


count = 0
for top in ("include", "lib", "passes", "runtime", "tools", "examples", "bindings"):
    for folder, _, names in os.walk(os.path.join(root, top)):
        for name in names:
            if not name.endswith((".c", ".h", ".cpp", ".def", ".inc")):
                continue
            path = os.path.relpath(os.path.join(folder, name), root)
            with open(os.path.join(root, path), encoding="utf-8") as file:
                text = file.read()
            count += 1
            for number, line in enumerate(text.split("\n"), 1):
                match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
                if match:
                    check_include(path, number, *match.groups())
            if path.endswith((".c", ".h", ".cpp")) and not path.startswith(("tools", "examples")):
                check_calls(path, strip(text))

for line in failures:
    print(line)
print(f"{count} files, {len(failures)} against the rules")
sys.exit(1 if failures or count < 20 else 0)

# What adding a function, an op or a target costs is what lib/README.md says.
# RUN: %python %s %root
# RUN: not %python %s %S/Inputs/places | FileCheck %s
#
# CHECK: erf: lib/opencl/more.c names it and is not in the table of lib/README.md
# CHECK: erf: lib/ir/gone.c is in the table of lib/README.md and does not name it
# CHECK: erf: 2 files, at most 1
"""Compares the table "What adding costs" with the files that name its examples, comments apart."""

import os
import re
import sys

root = sys.argv[1]
# what is all its own: the folder or files of one target; hooks.cpp clears what LLVM keeps of SPIR-V
OWN = {"TGT_OPENCL_C": ("lib/opencl/", "runtime/device/opencl"),
       "TGT_SPIRV": ("lib/target/spirv", "lib/target/hooks", "lib/codegen/gen_spirv", "runtime/device/opencl"),
       "TGT_CUDA": ("lib/target/nvptx", "lib/codegen/gen_cuda", "runtime/device/cuda")}
# how else code names a target: what it is called by, and the stage that it has
ALSO = {"TGT_OPENCL_C": r"\bopencl_(print|symbol)\b|STAGE[_(]OPENCL_C\b|\"opencl-c\"]",
        "TGT_SPIRV": r"\b(gen_)?spirv_\w+|gen_is_spirv|/spirv\.h|STAGE[_(]SPIRV\b|\"spirv\"",
        "TGT_CUDA": r"\b(gen_cuda|nvptx)_\w+|gen_is_cuda|/nvptx\.h|STAGE[_(]PTX\b|\"ptx\",$"}
# a letter of its own stands for a target in the table of what is legal, a name for what runs it in that of devices
ROWS = {"TGT_OPENCL_C": [("passes/legal.def", r'"[HCScs]*[Oo]"')], "TGT_SPIRV": [("passes/legal.def", r'"[HCc]*[Ss][Oo]?"')],
        "TGT_CUDA": [("passes/legal.def", r'"H?[Cc][Ss]?[Oo]?"'), ("include/cpl/device.def", r"DEVICE_KIND\(CUDA\b")]}
ROW = re.compile(r"^\| [^|]+ \| `(\w+)` \| (\d+) \| ([^|]+) \|$", re.M)


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)


def sources():
    for top in ("bindings/python", "include", "lib", "passes", "runtime", "tools"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith((".c", ".h", ".cpp", ".def", ".pyi")):
                    yield os.path.relpath(os.path.join(folder, name), root)


def names_of(word):
    """How code names it: an op also as part of a function's name, a function of mathematics with its suffix for float32."""
    if word.startswith("TGT_"):
        return re.compile(rf"{word}\b|{ALSO[word]}", re.M)
    if "_" in word or word == "vcopy":
        return re.compile(word, re.I)
    return re.compile(rf"\b(IR_|BI_)?{word}(f|##\w+)?\b", re.I)


def naming(word, texts):
    found = {path for path, text in texts.items() if names_of(word).search(text)}
    found = {path for path in found if not path.startswith(OWN.get(word, "\0"))}
    return found | {path for path, pattern in ROWS.get(word, ()) if re.search(pattern, texts.get(path, ""))}


def main():
    texts = {}
    for path in sources():
        with open(os.path.join(root, path), encoding="utf-8") as file:
            texts[path] = without_comments(file.read())
    with open(os.path.join(root, "lib/README.md"), encoding="utf-8") as file:
        rows = ROW.findall(file.read())
    failures = [] if rows else ["lib/README.md has no such table"]
    for word, most, listed in rows:
        listed = {os.path.normpath(os.path.join("lib", path)) for path in re.findall(r"`([^`]+)`", listed)}
        found = naming(word, texts)
        failures += [f"{word}: {path} names it and is not in the table of lib/README.md" for path in sorted(found - listed)]
        failures += [f"{word}: {path} is in the table of lib/README.md and does not name it" for path in sorted(listed - found)]
        if len(listed) > int(most):
            failures.append(f"{word}: {len(listed)} files, at most {most}")
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())

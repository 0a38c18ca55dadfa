# Functions have six parameters at most, but for a few, each with its reason.
# RUN: %python %s %root
# RUN: not %python %s %S/Inputs/parameters | FileCheck %s
#
# CHECK: lib/many.c:3: seven() has 7 parameters, at most 6
# CHECK: pipeline_init() stands in the list, and has 6 parameters at most, or is gone
# CHECK-NOT: six()
"""Reads definitions, and of the public headers declarations, as the house lays them out."""

import os
import re
import sys

MOST = 6
root = sys.argv[1]
FEW = {
    # What others prescribe.
    "__kmpc_dispatch_init_8": "OpenMP's interface",
    "team__kmpc_dispatch_init_8": "the same, of the host's own threads",
    "cpl_array_reduce": "NumPy's ufunc.reduce: function, array, axis, keepdims, out",
    "cpl_array_scan": "NumPy's ufunc.accumulate",
    "cpl_type_struct_at": "a layout: fields, their number, size, alignment",
    # The parts of one thing, each of which all callers give.
    "ir_for": "a loop has a counter, three bounds and a body",
    "compound": "a statement of the syntax tree, likewise",
    "lower_binary": "an operator, its type, two operands; of powers the exponent as it is written",
    "lower_vector_binary": "the same, lane by lane",
    "infix": "three precedences, of the operator and its operands, side by side in a table of calls",
    "masked": "an intrinsic: name, types, arguments, which of them points to what",
    "gen_inner_or_libm": "a function, its arguments, and what both ways give",
    "pass_stable_bound": "one of a loop's three bounds, in place of which a variable comes",
    "fill": "a row of an array, which has parts of both",
    "pipeline_init": "what a compilation is of: module, function, spec, options",
    # A call of a program of NVIDIA's, and where it says what is wrong.
    "ptxas_run": "text, architecture, line info, result, message",
    "dl_cuda_assemble": "the same, of its library",
}
DEFINITION = re.compile(r"^(?!(?:typedef|return|else|#)\b)[A-Za-z_][\w ]*[ *]\**(\w+)\(([^;{}]*?)\)[^;{}()]*"
                        r"(?:\([^()]*\)[^;{}()]*)?([;{])", re.M | re.S)


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def count(parameters):
    """Commas outside brackets."""
    depth, n = 0, 1 if parameters.strip() not in ("", "void") else 0
    for c in parameters:
        depth += (c in "([") - (c in ")]")
        n += c == "," and depth == 0
    return n


def sources():
    for top in ("bindings/python/src", "include", "lib", "passes", "runtime", "tools"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    yield os.path.relpath(os.path.join(folder, name), root)


many, failures = set(), []
for path in sources():
    with open(os.path.join(root, path), encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", blank, file.read(), flags=re.S)
    for match in DEFINITION.finditer(text):
        name, n = match.group(1), count(match.group(2))
        if n <= MOST or (match.group(3) == ";" and not path.startswith("include/")):
            continue
        many.add(name)
        if name not in FEW:
            line = text.count("\n", 0, match.start()) + 1
            failures.append(f"{path}:{line}: {name}() has {n} parameters, at most {MOST}")
failures += [f"{name}() stands in the list, and has {MOST} parameters at most, or is gone"
             for name in sorted(set(FEW) - many)]
print("\n".join(failures))
sys.exit(1 if failures else 0)

# Files that call each other in a circle do so because what they handle holds itself: the list says
# what. And nothing in lib or passes calls the runtime.
# RUN: %python %s %build/obj
# RUN: not %python %s %S/Inputs/circles.txt | FileCheck %s
#
# CHECK: lib/support/b.c calls runtime/c.c: rt_c
# CHECK: a circle of lib/support/a.c lib/support/b.c: a_calls b_calls
# CHECK: 2 places
"""Finds circles among object files, by the symbols that they define and need, as nm tells them."""

import collections
import os
import re
import subprocess
import sys

# Of each folder the files, by how their names begin, and why they cannot be without each other.
RECURSIVE = [
    ("lib/front/parse", "expressions, statements and functions hold each other"),
    ("lib/sema/", "a call of a function is typed by typing that function"),
    ("lib/lower/lower", "expressions and statements hold each other"),
    ("lib/interp/interp", "expressions, loops and calls hold each other"),
    ("lib/opencl/", "expressions, statements and helpers hold each other"),
    ("lib/codegen/gen_simd_", "an address is an expression, and an expression reads memory"),
    ("lib/codegen/gen_", "expressions and statements hold each other"),
    ("lib/target/", "LLVM calls back: guard.c contains what hooks.cpp hands on"),
    ("runtime/device/pool.c runtime/device/queue.c",
     "a queue keeps memory of the pool's, and memory in the pool the queue that used it last"),
]
ROW = re.compile(r"(\S+):(?:[0-9a-f]+)? *([A-Za-z]) (\S+)$")


def rows(source):
    if os.path.isfile(source):
        with open(source, encoding="utf-8") as file:
            return file.read().splitlines()
    objects = [os.path.join(folder, name) for folder, _, names in os.walk(source) for name in sorted(names)
               if name.endswith(".o")]
    return subprocess.run(["nm", "-A", *objects], capture_output=True, text=True, check=True).stdout.splitlines()


def file_of(path):
    """lib/support/a.c of .../obj/lib/support/CMakeFiles/cpl_support.dir/a.c.o, as of .../obj/lib/support/a.c.o"""
    path = re.sub(r"CMakeFiles/[^/]*\.dir/", "", path)
    found = re.search(r"(?:^|/)((?:lib|passes|runtime)/.*)\.o$", path)
    return found and found.group(1)


def arrows(lines):
    defined, needed = {}, collections.defaultdict(set)
    for line in lines:
        found = ROW.match(line.replace(": ", ":", 1) if " U " in line or " w " in line else line)
        name = found and file_of(found.group(1))
        if not name:
            continue
        if found.group(2) in "TDBRGSC":
            defined[found.group(3)] = name
        elif found.group(2) == "U":
            needed[name].add(found.group(3))
    calls = collections.defaultdict(lambda: collections.defaultdict(list))
    for name in sorted(needed):
        for symbol in sorted(needed[name]):
            if defined.get(symbol, name) != name:
                calls[name][defined[symbol]].append(symbol)
    return calls


def circles(calls):
    """Tarjan's strongly connected components of more than one file."""
    order, low, stack, found = {}, {}, [], []

    def visit(v):
        order[v] = low[v] = len(order)
        stack.append(v)
        for w in calls.get(v, ()):
            if w not in order:
                visit(w)
            if w in stack:
                low[v] = min(low[v], low[w])
        if low[v] == order[v]:
            at = stack.index(v)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    sys.setrecursionlimit(10000)
    for v in sorted(calls):
        if v not in order:
            visit(v)
    return found


def is_recursive(circle):
    return any(all(name.startswith(tuple(prefixes.split())) for name in circle) for prefixes, _ in RECURSIVE)


calls = arrows(rows(sys.argv[1]))
places = 0
for name in sorted(calls):
    for other, symbols in sorted(calls[name].items()):
        if other.startswith("runtime/") and not name.startswith("runtime/"):
            print(f"{name} calls {other}: {' '.join(symbols)}")
            places += 1
for circle in circles(calls):
    if is_recursive(circle):
        continue
    ties = sorted({s for name in circle for other in circle for s in calls[name].get(other, ())})
    print(f"a circle of {' '.join(circle)}: {' '.join(ties)}")
    places += 1
print(f"{len(calls)} files, {places} places")
sys.exit(1 if places or not calls else 0)

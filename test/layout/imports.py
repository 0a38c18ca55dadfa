# Modules of the Python package import each other in no circle, wherever in a module they do it, but
# for what the list says of annotations.
# RUN: %python %s %root/bindings/python/cpl
# RUN: not %python %s %S/Inputs/imports/cpl | FileCheck %s
#
# CHECK: a circle: cpl.second -> cpl.third (line 6), cpl.third -> cpl.first (line 8), cpl.first -> cpl.second (line 5)
# CHECK-NEXT: a circle: cpl.third -> cpl.fourth (line 6), cpl.fourth -> cpl.third (line 4)
# CHECK-NEXT: 2 places
"""Finds circles among the modules of a package. A name that a face, an __init__.py, hands on counts for the module that has it."""

import ast
import os
import sys

# What others may name for type checkers alone, and why.
RECURSIVE = {"cpl.arrays": "a method of an array is a function of arrays, which takes and gives arrays"}
root = sys.argv[1]
package = os.path.basename(root)
failures = []


def modules():
    """{name: path} of the package's modules, faces among them."""
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            if name.endswith(".py"):
                inner = os.path.relpath(os.path.join(folder, name), root)[:-3].split(os.sep)
                found[".".join([package, *inner]).removesuffix(".__init__")] = os.path.join(folder, name)
    return found


def is_for_types(node):
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def nodes(tree, typed=False):
    """(node, whether it is for type checkers alone) of all of a tree."""
    for child in ast.iter_child_nodes(tree):
        is_typed = typed or is_for_types(child)
        yield child, is_typed
        yield from nodes(child, is_typed)


class Package:
    def __init__(self):
        self.paths = modules()
        self.trees = {}
        for name, path in self.paths.items():
            with open(path, encoding="utf-8") as file:
                self.trees[name] = ast.parse(file.read())
        self.faces = {name for name, path in self.paths.items() if path.endswith("__init__.py")}

    def source_of(self, module, node):
        """The module that an `import from` names, and None where it is not of the package."""
        parts = module.split(".")
        if node.level:
            parts = parts[:len(parts) - node.level + (module in self.faces)]
            base = ".".join(parts + ([node.module] if node.module else []))
        else:
            base = node.module
        return base if base in self.paths else None

    def owner(self, face, name):
        """The module that a name of a face's is of: its own submodule, or where it has it from."""
        if f"{face}.{name}" in self.paths:
            return f"{face}.{name}"
        for node in self.trees[face].body:
            if isinstance(node, ast.ImportFrom):
                base = self.source_of(face, node)
                names = {a.asname or a.name for a in node.names}
                if base and base not in self.faces and (name in names or "*" in names and self.defines(base, name)):
                    return base
        return None

    def defines(self, module, name):
        kinds = (ast.FunctionDef, ast.ClassDef)
        for node in self.trees[module].body:
            if isinstance(node, kinds) and node.name == name:
                return True
            if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
                return True
        return False

    def taken(self, module):
        """(module, line) of all that a module imports, and uses of a face's."""
        faces = {}  # names here of faces
        for node, is_typed in nodes(self.trees[module]):
            if isinstance(node, ast.Import):
                faces.update({a.asname or a.name: a.name for a in node.names if a.name in self.faces})
                yield from ((a.name, node.lineno) for a in node.names if a.name in self.paths and a.name not in self.faces)
            elif isinstance(node, ast.ImportFrom):
                base = self.source_of(module, node)
                if base and not (is_typed and base in RECURSIVE):
                    for alias in node.names:
                        yield from self.one(base, alias.name, node.lineno)
        for node, _ in nodes(self.trees[module]):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in faces:
                yield from self.one(faces[node.value.id], node.attr, node.lineno)

    def one(self, base, name, line):
        owner = base if base not in self.faces else self.owner(base, name)
        if owner:  # else it is of C
            yield owner, line


def arrows(found):
    """{module: {module: line}}; what a face hands on is nobody's need."""
    calls = {}
    for module in sorted(set(found.paths) - found.faces):
        calls[module] = {}
        for other, line in found.taken(module):
            if other != module:
                calls[module].setdefault(other, line)
    return calls


def circle(calls):
    """One circle, as its modules in order; None where there is none."""
    done, path = set(), []

    def visit(module):
        if module in path:
            return path[path.index(module):]
        if module in done:
            return None
        path.append(module)
        for other in sorted(calls.get(module, ())):
            found = visit(other)
            if found:
                return found
        path.pop()
        done.add(module)
        return None

    for module in sorted(calls):
        found = visit(module)
        if found:
            return found
    return None


calls = arrows(Package())
while (found := circle(calls)) is not None:
    ties = list(zip(found, found[1:] + found[:1]))
    failures.append("a circle: " + ", ".join(f"{a} -> {b} (line {calls[a][b]})" for a, b in ties))
    del calls[ties[-1][0]][ties[-1][1]]
print("\n".join([*failures, f"{len(failures)} places"]))
sys.exit(1 if failures or not calls else 0)

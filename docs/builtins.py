"""Writes the tables of builtin.def, and the names of cpl/numpy.py and cuda.py, into language.md.

python docs/builtins.py [--check]; with --check says whether they are as they should be.
"""

import ast
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "language.md")
SEMA = os.path.join(HERE, "..", "lib", "sema")
BEGIN, END = "<!-- Printed by docs/builtins.py. -->\n", "<!-- End. -->\n"
STRING = r'"((?:[^"\\]|\\.)*)"'
GROUPS = {
    "MATH": "Mathematics",
    "TEST": "Tests",
    "NUM": "Of integers and floats",
    "CORE": "Arrays and types",
    "ARRAY": "Private and shared arrays, on the right of an assignment",
    "ATOMIC": "Atomics: each gives the value before",
    "BLOCK": "Loops and blocks",
    "INDEX": "Numbers of a work-item, in kernels",
    "WORK": "What the work-items of a group do together, in kernels",
}
MODULES = {
    "MATH": "`math`", "NUMPY": "`numpy` alone", "BOTH": "`math`, `numpy`", "BARE": "", "OWN": "`compyle`", "NUMBA": "`numba`",
    "CUDA": "`cuda`", "THREAD": "`cuda.threadIdx`", "BLOCK": "`cuda.blockIdx`", "THREADS": "`cuda.blockDim`", "BLOCKS": "`cuda.gridDim`",
    "ATOMIC": "`cuda.atomic`", "SHARED": "`cuda.shared`", "PRIVATE": "`cuda.local`",
}  # fmt: skip


def text(literal):
    return literal.replace('\\"', '"').replace("\\\\", "\\").replace("|", "\\|")


def marked(hint):
    """What is code in it stands between backquotes: all, where Python reads it, or names with brackets."""
    try:
        ast.parse(hint)
        return f"`{hint}`" if set(hint) & set("([+*/%.") else hint
    except SyntaxError:
        return re.sub(r"(?:\w+ = )?[\w.]+(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\[[^][]*\])+", r"`\g<0>`", hint)


def arguments(letters):
    """ab*: (a, b, ...); a?b: (a, [b])."""
    names, shown, optional = iter("abcdefg"), [], False
    for letter in letters:
        if letter == "?":
            optional = True
        elif letter == "*":
            shown[-1] = "..."
        else:
            name = next(names)
            shown.append(f"[{name}]" if optional else name)
            optional = False
    return ", ".join(shown)


def written_in(library):
    with open(os.path.join(SEMA, library), encoding="utf-8") as file:
        defined = [f.name for f in ast.parse(file.read()).body if isinstance(f, ast.FunctionDef)]
    names = ", ".join(f"`{name}`" for name in sorted(defined) if name[0] != "_")
    return f"| name |\n| --- |\n| {names} |\n"


def tables():
    with open(os.path.join(SEMA, "builtin.def"), encoding="utf-8") as file:
        rows = file.read().split("*/", 1)[1]
    for pattern, joined in (r'"\n +"', ""), (r"\(\n +", "("), (r",\n +", ", "):  # to a line a row
        rows = re.sub(pattern, joined, rows)
    builtins = re.findall(rf"^BUILTIN\((\w+), {STRING}, (\w+), {STRING}, {STRING}\)", rows, re.M)
    names = {row[0]: row[1] for row in builtins}
    for group, title in GROUPS.items():
        yield f"\n### {title}\n| name | meaning |\n| --- | --- |\n"
        for _, name, of, letters, doc in builtins:
            if of == group:
                call = name if group == "INDEX" else f"{name}({arguments(letters)})"
                yield f"| `{call}` | {text(doc)} |\n"
    yield "\n### Other names of these\n| name | is | in modules |\n| --- | --- | --- |\n"
    for name, of, modules in re.findall(rf"^ALIAS\({STRING}, (\w+), (\w+)\)", rows, re.M):
        yield f"| `{name}` | `{names[of]}` | {MODULES[modules]} |\n"
    yield "\n### Numbers\n| name | value | in modules |\n| --- | --- | --- |\n"
    for name, modules, doc in re.findall(rf"^NUMBER\({STRING}, [^,]+, (\w+), {STRING}\)", rows, re.M):
        yield f"| `{name}` | {text(doc)} | {MODULES[modules]} |\n"
    yield "\n### More of NumPy's functions of single elements, as `np.name`\n"
    yield written_in("numpy.py")
    yield "\n### More of Numba's functions of numbers, as `cuda.name`\n"
    yield written_in("cuda.py")
    yield "\n### What kernels do not have\n| name | in its place |\n| --- | --- |\n"
    for name, instead in re.findall(rf"^REFUSED\({STRING}, {STRING}\)", rows, re.M):
        yield f"| `{name}` | {marked(text(instead))} |\n"
    yield "\n"


with open(PAGE, encoding="utf-8") as file:
    page = file.read()
before, rest = page.split(BEGIN)
made = before + BEGIN + "".join(tables()) + END + rest.split(END)[1]
if "--check" in sys.argv[1:]:
    print("the tables are", "as they should be" if made == page else "old: python docs/builtins.py")
    sys.exit(made != page)
with open(PAGE, "w", encoding="utf-8") as file:
    file.write(made)

# The manual's table lists every op of op.def, the columns of a row agree, and every example there is verified and survives a round trip.
# RUN: %python %s %root
#
# manual.py ROOT            checks
# manual.py ROOT --update   rewrites the table in lib/ir/README.md

import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run", "Inputs"))
import harness

BEGIN = "<!-- ops: written by test/ir/manual.py --update -->\n"
END = "<!-- end of ops -->"
STRING = r'"((?:[^"\\]|\\.)*)"'
ROW = re.compile(r"OP\((\w+), %s, (\w+), %s, (\w+), (\w+), ([\w| ]+), (\w+), ([\w| ]+), (\w+), %s, %s\)$" % ((STRING,) * 4))
RESULTS = {"SAME": "", "BOOL": "bool", "ELEM": "e", "TYPE": "T", "VOID": "none"}
OWN_RESULTS = {"CONST": "the literal's", "VAR": "the variable's", "COND": "=", "ADDR": "pointer to it", "ITEM": "pointer to it",
               "FIELD": "pointer to it", "CALL": "the function's", "LOCAL_ID": "int32", "LOCAL_SIZE": "int32", "GROUP_ID": "int64",
               "GROUP_COUNT": "int64", "WORKER": "int64", "SUBGROUP_SIZE": "int32", "LANE": "int32", "BALLOT": "uint64"}
ATTRIBUTES = {"TYPE": "\\<T\\>", "FIELD": "\\<field\\>", "SPACE": "\\<space\\>", "ORDER": "\\<order, scope\\>", "DIM": "\\<dim\\>", "AXIS": "\\<dim\\>", "LANES": "\\<lanes\\>"}
PARAMETERS = "x: float64*, k: int32*, a: float64, b: float64, i: int32, j: int32, n: int64, c: bool, u: uint64"


def unquote(text):
    return text.replace('\\"', '"').replace("\\\\", "\\")


def read_ops(root):
    """[(section, [row])]; a row is the list of columns of op.def."""
    sections = []
    for line in harness.table_text(os.path.join(root, "lib/ir/op.def")).split("\n"):
        comment = re.match(r"/\* (.*) \*/$", line)
        if comment:
            sections.append((comment.group(1), []))
        elif line.startswith("OP("):
            row = ROW.match(line)
            if not row:
                sys.exit("op.def: unexpected row: " + line)
            sections[-1][1].append([unquote(column) for column in row.groups()])
    return sections


def check_columns(rows):
    """What an op may do follows from where it may stand; a write goes through the first operand."""
    for op, _, place, operands, _, _, _, _, effects, _, _, _ in rows:
        done = set() if effects == "NONE" else {"READ", "WRITE", "ORDER", "OUTPUT"} if effects == "ANY" else set(effects.split(" | "))
        if place == "EXPR" and done - {"READ"} or place == "EFFECT" and "ORDER" not in done:
            sys.exit("op.def: %s is %s and has the effects %s" % (op, place, effects))
        if done & {"READ", "WRITE"} and operands[:1] not in ("p", "*"):
            sys.exit("op.def: %s has the effects %s, and no pointer" % (op, effects))


def escape(text):
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "\\<")


def table(sections):
    lines = []
    for title, rows in sections:
        lines += ["", "### " + title[0].upper() + title[1:], "", "| op | operands | result | meaning | example |",
                  "| --- | --- | --- | --- | --- |"]
        for op, text, _, operands, result, attribute, flags, kind, effects, cost, meaning, example in rows:
            name = text + ATTRIBUTES.get(attribute, "")
            result = OWN_RESULTS[op] if result == "OWN" else RESULTS[result]
            if "RAW" in flags:
                result = (result + ", raw").lstrip(", ")
            lines.append("| %s | %s | %s | %s | `%s` |" % (
                name, escape(" ".join(operands)), result, escape(meaning), example.replace("|", "\\|")))
    return "\n".join(lines[1:]) + "\n\n"


def module(sections):
    """A module with a function for each example, called ex.OP."""
    text = ["cir 1", "struct Pair { first: int32, second: float64 }",
            "func half(a: float64) -> float64 { return mul(a, 0.5:float64) }",
            "func work(captures: uint8*, first: int64, end: int64) { }"]
    calls = []
    for _, rows in sections:
        for row in rows:
            text.append("func ex.%s(%s) {\n  var s: Pair\n  var m: float64[2][3]\n  %s\n}" % (row[0], PARAMETERS, row[-1]))
            calls.append("  call ex.%s(x, k, a, b, i, j, n, c, u)" % row[0])
    text.append("entry func main(%s) {\n%s\n}" % (PARAMETERS, "\n".join(calls)))
    return "\n".join(text) + "\n"


def emit(text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ops.cir")
        with open(path, "w") as file:
            file.write(text)
        run = subprocess.run(["cplc", path + ":main", "--emit", "ir"], capture_output=True, text=True)
        if run.returncode:
            sys.exit("cplc refused an example:\n" + run.stderr)
        return run.stdout


def body(text, name):
    found = re.search(r"^func ex\.%s\(.*\) \{\n  var s: Pair\n  var m: .*\n((?:  .*\n)*)\}" % name, text, re.M)
    return found.group(1) if found else ""


def squeeze(text):
    return "".join(text.split())


def main():
    root = sys.argv[1]
    readme = os.path.join(root, "lib/ir/README.md")
    sections = read_ops(root)
    with open(readme) as file:
        before, rest = file.read().split(BEGIN)
    shown, after = rest.split(END)
    if "--update" in sys.argv:
        with open(readme, "w") as file:
            file.write(before + BEGIN + table(sections) + END + after)
        return
    if shown != table(sections):
        sys.exit("lib/ir/README.md: the table of ops is not that of op.def; run test/ir/manual.py . --update")
    check_columns([row for _, rows in sections for row in rows])
    first = emit(module(sections))
    if emit(first) != first:
        sys.exit("printing what was printed gives another text")
    for _, rows in sections:
        for row in rows:
            # The printer may add options that an example leaves to their defaults, never take anything away.
            if squeeze(row[-1]) != squeeze(body(first, row[0])):
                sys.exit("the example of %s reads back as:\n%s" % (row[1], body(first, row[0])))


main()

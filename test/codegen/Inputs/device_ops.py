"""
Kernels of typed IR that use every op of lib/ir/op.def at every type that a device admits, for the tests of nvptx and spirv: a row without a
case is a failure.
"""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "run", "Inputs"))
import harness

INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
SCALARS = ["bool"] + INTS + FLOATS
WORDS = ["int32", "int64", "uint32", "uint64"]
ATOMICS = WORDS + ["float32", "float64"]
LETTERS = {"n": INTS + FLOATS, "i": INTS, "f": FLOATS, "k": ["bool"] + INTS, "s": SCALARS, "v": SCALARS}
SIZE = {t: 1 if t == "bool" else int(re.sub(r"\D", "", t)) // 8 for t in SCALARS}
BITWISE = ("ATOMIC_AND", "ATOMIC_OR", "ATOMIC_XOR")
ORDERS = {"ATOMIC_LOAD": ["relaxed", "acquire", "seq_cst"], "ATOMIC_STORE": ["relaxed", "release", "seq_cst"]}
ALL_ORDERS = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
# The passes grid and guards leave none of these.
HOST_ALONE = {"PARALLEL_FOR", "FORK", "WITHIN", "WORKER"}


def admitted(row):
    op, letters = row["id"], row["operands"]
    if op.startswith("ATOMIC_"):
        return WORDS if op in BITWISE else ATOMICS
    if op == "BITS":
        return INTS + FLOATS
    if op in ("CALL", "ADDR", "CONST", "VAR", "COND", "ELEM", "ITEM", "FIELD", "STRIDED", "PTRCAST", "LOAD"):
        return SCALARS
    if row["class"] == "STMT" or not letters:
        return [None] if op not in ("STORE", "CLEAR", "ASSIGN", "EVAL", "VCOPY", "FOR") else INTS if op == "FOR" else SCALARS
    if op == "BALLOT":
        return ["bool"]
    return LETTERS[letters[0]]


def literal(t):
    return "true" if t == "bool" else "3:" + t if t in INTS else "1.5:" + t


class Kernel:
    """One kernel: body holds statements, each result goes to an element of an array of its own type."""

    def __init__(self, name, t):
        self.name, self.t, self.body, self.variables, self.outputs, self.functions = name, t, [], [], {}, ""
        self.slots = 0

    def keep(self, t, expr):
        self.outputs[t] = True
        self.slots += 1
        self.body.append(f"store(elem(r_{t}, {self.slots}:int32), {expr})")

    def text(self):
        params = [f"x: {self.t or 'int32'} global*", "flags: bool global*", "whole: int64 global*", "n: int64"]
        params += [f"r_{t}: {t} global*" for t in self.outputs]
        t = self.t or "int32"
        variables = [f"a: {t}", f"b: {t}", f"c: {t}", "i: int32", "j: int64", "yes: bool"] + self.variables
        head = ["i = local_id<0>()", "j = load(elem(whole, i))", "yes = load(elem(flags, i))", "a = load(elem(x, i))",
                "b = load(elem(x, add(i, 1:int32)))", "c = load(elem(x, add(i, 2:int32)))"]
        lines = ["var " + v for v in variables] + head + self.body
        return ("cir 1\n\nstruct S { first: int8, second: " + t + ", third: " + t + "[3] }\n\n" + self.functions +
                f"entry kernel func {self.name}({', '.join(params)}) {{\n  " + "\n  ".join(lines) + "\n}\n")


def value_cases(rows, t, covered, refused):
    """Ten functions of mathematics have a kernel of their own: inlined, they are long."""
    values, maths = Kernel("values_" + t, t), []
    for row in rows:
        op, name, letters = row["id"], row["text"], row["operands"]
        if row["class"] != "EXPR" or row["attr"] != "NONE" or not letters or letters[0] == "p" or op in refused:
            continue
        if op != "COND" and t not in LETTERS[letters[0]]:
            continue
        if row["kind"] == "MATH" and (not maths or maths[-1].slots >= 10):
            maths.append(Kernel(f"values_{t}_maths{len(maths)}", t))
        k = maths[-1] if row["kind"] == "MATH" else values
        result = "bool" if row["result"] == "BOOL" else t
        if letters == "bv=":
            k.keep(t, f"{name}(yes, a, b)")
            k.keep(t, f"{name}(yes, load(elem(x, 9:int32)), load(elem(x, 8:int32)))")
        elif letters == "fx":
            for whole in INTS:
                k.keep(t, f"{name}(a, convert<{whole}>(j))")
        elif op in ("RAWSHL", "RAWSHR"):
            k.keep(t, f"{name}(a, 3:{t})")
        else:
            k.keep(result, f"{name}({', '.join('abc'[:len(letters)])})")
        covered.add((op, t))
    k = values
    for to in SCALARS:
        k.keep(to, f"convert<{to}>(a)")
        if to != "bool" and t != "bool" and SIZE[t] == SIZE[to]:
            k.keep(to, f"bits<{to}>(a)")
            covered.add(("BITS", t))
        if t in FLOATS and to in INTS:
            k.keep(to, f"rawconvert<{to}>(a)")
            covered.add(("RAWCONVERT", t))
    covered.add(("CONVERT", t))
    return [values, *maths]


def memory_cases(rows, t, covered):
    k = Kernel("memory_" + t, t)
    k.functions = f"func twice(v: {t}, p: {t} private*) -> {t} {{\n  if load(ptrcast<bool private*>(p)) {{ return v }}\n  return load(p)\n}}\n\n"
    k.variables = [f"m: {t}[2][3]", "s: S", "other: S", f"p: {t} global*", f"q: {t} private*", f"g: {t}*", f"all: {t}[64] local", f"one: {t} local",
                   f"v: {t}[16]", f"v2: {t}[16]"]
    k.body += ["p = x", "q = item(item(addr(m), 0:int32), 0:int32)", f"g = ptrcast<{t}*>(p)"]
    for whole in INTS:
        k.keep(t, f"load(elem(p, convert<{whole}>(j)))")
    k.keep(t, f"load(strided(x, j, {SIZE[t]}:int64))")
    k.keep(t, f"load(ptrcast<{t} global*>(strided(ptrcast<uint8 global*>(x), j, 1:int64)))")
    k.keep(t, "load(elem(g, i))")
    k.body += ["store(item(item(addr(m), 1:int32), rem(i, 3:int32)), a)"]
    k.keep(t, "load(item(item(addr(m), 1:int64), 2:int8))")
    k.keep(t, "load(elem(q, i))")
    k.keep(t, literal(t))
    k.body += ["clear(addr(m))", "clear(item(addr(m), 1:int32))", "store(field<second>(addr(s)), a)", "store(field<first>(addr(s)), 7:int8)",
               "store(item(field<third>(addr(s)), rem(i, 3:int32)), b)", "other = s", "clear(addr(s))"]
    k.keep(t, "load(field<second>(addr(other)))")
    k.keep(t, "load(item(field<third>(addr(other)), 1:int32))")
    k.keep("int8", "load(field<first>(addr(s)))")
    k.body += ["store(elem(item(addr(all), 0:int32), rem(i, 64:int32)), a)", "store(addr(one), b)", "barrier<local>()"]
    k.keep(t, "load(item(addr(all), sub(63:int32, rem(i, 64:int32))))")
    k.keep(t, "load(addr(one))")
    for lanes in (2, 3, 4, 8, 16):
        k.body += [f"vcopy<{lanes}>(item(addr(v), 0:int32), elem(x, mul(i, {lanes}:int32)))"]
        k.keep(t, f"load(item(addr(v), {lanes - 1}:int32))")
        k.body += [f"vcopy<{lanes}>(elem(x, mul(i, {lanes}:int32)), item(addr(v), 0:int32))",
                   f"vcopy<{lanes}>(item(addr(all), 0:int32), item(addr(v), 0:int32))", f"vcopy<{lanes}>(elem(g, i), elem(x, i))",
                   f"vcopy<{lanes}>(item(addr(v2), 0:int32), item(addr(v), 0:int32))"]
        k.keep(t, "load(item(addr(v2), 1:int32))")
    k.body += ["a = call twice(b, addr(c))"]
    k.keep(t, "a")
    for op in ("CONST", "VAR", "ADDR", "ELEM", "ITEM", "FIELD", "STRIDED", "PTRCAST", "LOAD", "STORE", "CLEAR", "VCOPY", "CALL", "ASSIGN", "EVAL"):
        covered.add((op, t))
    k.body += ["call twice(a, addr(c))"]
    return k


def atomic_cases(rows, t, covered, scopes):
    k = Kernel("atomics_" + t, t)
    k.variables = [f"cell: {t} local", f"own: {t}", f"g: {t}*"]
    k.body += [f"g = ptrcast<{t}*>(x)", "own = a"]
    for row in rows:
        op, name = row["id"], row["text"]
        if not op.startswith("ATOMIC_") or t not in admitted(row):
            continue
        for order in ORDERS.get(op, ALL_ORDERS):
            for scope in scopes:
                for place in ("elem(x, i)", "addr(cell)", "elem(g, i)"):
                    args = [place] + ["b", "c"][:len(row["operands"]) - 1]
                    call = f"{name}<{order}, {scope}>({', '.join(args)})"
                    if op == "ATOMIC_STORE":
                        k.body.append(call)
                    else:
                        k.body.append("a = " + call)
                        k.keep(t, "a")
        if op == "ATOMIC_ADD":
            k.body.append(f"{name}<relaxed, device>(elem(x, i), b)")
            k.body.append(f"own = {name}<relaxed, device>(addr(own), b)")
            k.keep(t, "own")
        covered.add((op, t))
    return k


def work_item_cases(rows, covered, refused):
    k = Kernel("work_items", None)
    for row in rows:
        if row["class"] == "EXPR" and row["attr"] == "DIM":
            for dim in range(3):
                k.keep("int64" if "group_" in row["text"] else "int32", f"{row['text']}<{dim}>()")
            covered.add((row["id"], None))
    for op in ("SUBGROUP_SIZE", "LANE"):
        if op not in refused:
            k.keep("int32", f"{op.lower()}()")
            covered.add((op, None))
    return k


def subgroup_cases(rows, t, covered, refused):
    k = Kernel("subgroups_" + t, t)
    for row in rows:
        op, name = row["id"], row["text"]
        if row["class"] != "EFFECT" or row["attr"] != "NONE" or op in refused or t not in admitted(row):
            continue
        if op == "BALLOT":
            k.variables.append("u: uint64")
            k.body.append("u = ballot(a)")
            k.keep("uint64", "u")
        elif row["operands"] == "sx":
            for lane in ("i", "j", "3:int8", "40:uint32"):
                k.body.append(f"c = {name}(a, {lane})")
                k.keep(t, "c")
        else:
            k.body.append(f"c = {name}(a)")
            k.keep(t, "c")
        covered.add((op, t))
    return k


def statement_cases(covered, refused, scopes):
    k = Kernel("statements", None)
    k.variables = [f"k_{t}: {t}" for t in INTS]
    for t in INTS:
        k.body += [f"for k_{t} in (0:{t}, convert<{t}>(j), 2:{t}) {{ a = add(a, convert<int32>(k_{t})) if gt(a, 100:int32) {{ break }} "
                   f"if yes {{ continue }} b = add(b, a) }}"]
        k.body += [f"for k_{t} in (convert<{t}>(a), convert<{t}>(b), convert<{t}>(j)) {{ c = add(c, 1:int32) }}"]
        covered.add(("FOR", t))
    k.body += ["while lt(a, b) { a = add(a, c) c = add(c, 1:int32) }", "if yes { c = add(c, 7:int32) } else { c = sub(c, 7:int32) }",
               "assert(lt(a, b))", "assume(ge(c, 0:int32))", "barrier<local>()", "barrier<global>()",
               "nanosleep(a)", "nanosleep(500:int64)", "nanosleep(convert<uint16>(b))",
               'fault<0, "x">(ptrcast<uint8*>(whole), n, n)']
    covered |= {("WHILE", None), ("IF", None), ("BREAK", None), ("CONTINUE", None), ("RETURN", None), ("ASSERT", None), ("ASSUME", None),
                ("BARRIER", None), ("FAULT", None), ("FENCE", None), ("NANOSLEEP", None)}
    for order in ALL_ORDERS[1:]:
        k.body += [f"fence<{order}, {scope}>()" for scope in scopes]
    if "PRINTF" not in refused:
        k.body += ['printf("%d %lld %s%g\\n", a, j, 3:int32, 1.5:float32)'.replace(" %s", " %d "), 'printf("done\\n")']
        covered.add(("PRINTF", None))
    k.keep("int32", "a"), k.keep("int32", "b"), k.keep("int32", "c")
    k.body += ["if yes { return }", "store(elem(whole, i), 1:int64)", "return"]
    return k


def kernels(root, refused, scopes):
    """refused: ops that the target has none of, tested elsewhere. scopes: of atomics and fences. Returns the kernels, and the cases that are missing."""
    rows, covered, out = harness.op_rows(os.path.join(root, "lib", "ir", "op.def")), set(), []
    for t in SCALARS:
        out += [*value_cases(rows, t, covered, refused), memory_cases(rows, t, covered)]
        if t in ATOMICS:
            out.append(atomic_cases(rows, t, covered, scopes))
        out.append(subgroup_cases(rows, t, covered, refused))
    out += [work_item_cases(rows, covered, refused), statement_cases(covered, refused, scopes)]
    missing = [f"{row['id']} at {t}" for row in rows if row["id"] not in HOST_ALONE | refused
               for t in ([None] if row["attr"] == "DIM" or row["id"] in ("SUBGROUP_SIZE", "LANE") else admitted(row)) if (row["id"], t) not in covered]
    return out, missing


def run(*command, env=None):
    """What a command wrote, both streams, and whether it succeeded."""
    done = subprocess.run(command, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env)
    return done.returncode == 0, done.stdout

# Each integer operator within each other one, at each type, on the left and on the right: its
# OpenCL C is also C, which a C compiler with checks for undefined behaviour runs on the ends of the
# types. What comes out is what the typed IR means. Loops by each kind of step and ifs within each
# other, too.
# REQUIRES: x86_64
# RUN: rm -rf %t && mkdir -p %t && %python %s %t %cc | FileCheck %s
# CHECK: {{[0-9]+}} expressions, {{[0-9]+}} values, 0 differences
import itertools
import os
import re
import subprocess
import sys

OPS = {"add": lambda t, a, b: a + b, "sub": lambda t, a, b: a - b, "mul": lambda t, a, b: a*b, "and": lambda t, a, b: a & b,
       "or": lambda t, a, b: a | b, "xor": lambda t, a, b: a ^ b, "min": lambda t, a, b: min(a, b), "max": lambda t, a, b: max(a, b),
       "rawdiv": lambda t, a, b: abs(a)//abs(b)*(1 if (a < 0) == (b < 0) else -1), "rawrem": lambda t, a, b: abs(a) % abs(b)*(1 if a >= 0 else -1),
       "rawshl": lambda t, a, b: a << b, "rawshr": lambda t, a, b: a >> b}
UNARY = {"neg": lambda t, a: -a, "not": lambda t, a: ~a, "abs": lambda t, a: abs(a)}
TESTS = {"lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b, "eq": lambda a, b: a == b,
         "ne": lambda a, b: a != b}
# As <types.h> of OpenCL C.
PRELUDE = """#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <limits.h>
#define kernel
#define global
#define private
#define restrict
typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned int uint; typedef unsigned long ulong;
static inline long absolute(long a) { return a < 0 ? (long)(0 - (ulong)a) : a; }
#define abs(a) absolute(a)
"""


def wrap(t, v):
    bits = int(re.sub(r"\D", "", t))
    v &= (1 << bits) - 1
    return v - (1 << bits) if t[0] == "i" and v >> (bits - 1) else v


def c_type(t):
    return ("u" if t[0] == "u" else "") + {"8": "char", "16": "short", "32": "int", "64": "long"}[re.sub(r"\D", "", t)]


def ends(t):
    bits = int(re.sub(r"\D", "", t))
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if t[0] == "i" else (0, (1 << bits) - 1)
    return sorted({low, low + 1, high, high - 1, 0, 1, 2, 7, wrap(t, -1), wrap(t, -3), wrap(t, 1 << bits//2)})


class Expression:
    """text: typed IR over a, b, c; value: of three numbers, None where it is undefined."""

    def __init__(self, t, op, kids):
        self.t, self.op, self.kids = t, op, kids
        self.text = f"{op}({', '.join(k if isinstance(k, str) else k.text for k in kids)})"

    def value(self, numbers):
        kids = [numbers[k] if isinstance(k, str) and k in numbers else int(k.split(":")[0]) if isinstance(k, str) else k.value(numbers) for k in self.kids]
        if None in kids:
            return None
        bits = int(re.sub(r"\D", "", self.t))
        if self.op in ("rawdiv", "rawrem") and (kids[1] == 0 or (kids[1] == -1 and kids[0] == -(1 << (bits - 1)))):
            return None
        if self.op in ("rawshl", "rawshr") and not 0 <= kids[1] < bits:
            return None
        if self.op in TESTS:
            return int(TESTS[self.op](*kids))
        return wrap(self.t, (UNARY.get(self.op) or OPS[self.op])(self.t, *kids))


def expressions(t):
    def forms(a, b):
        yield from (Expression(t, op, [a, b]) for op in OPS)
        yield from (Expression(t, op, [a]) for op in UNARY)
        yield Expression(t, "rawshl", [a, f"3:{t}"])
        yield Expression(t, "add", [a, f"{wrap(t, -1)}:{t}"])

    for inner in forms("a", "b"):
        yield inner
        for outer in forms(inner, "c"):
            yield outer
        for op in OPS:
            yield Expression(t, op, ["c", inner])
        for op in TESTS:
            yield Expression(t, op, ["c", inner])
            yield Expression(t, op, [inner, "c"])


def operands(e, k, numbers):
    """Every pair for one operator; for two of them each number in each place."""
    if "c" not in e.kids and all(isinstance(kid, str) for kid in e.kids):
        for a, b in itertools.product(numbers, repeat=2):
            yield {"a": a, "b": b, "c": 0}
        return
    count = len(numbers)
    for i in range(100 if e.op == "for" else 6):
        yield {"a": numbers[(k + i) % count], "b": numbers[(3*k + 2*i + i//count + 1) % count], "c": numbers[(7*k + 5*i + i//7 + 2) % count]}


class Loop:
    """Sums what a counted loop runs over, whose body assigns its variable and its bounds; they may be one."""
    op = "for"
    kids = ["a", "b", "c"]

    def __init__(self, t, step, stop):
        self.t, self.step, self.stop = t, step, stop
        self.text = f"for to {stop} by {step}"

    def cir(self):
        step = self.step if isinstance(self.step, str) else f"{self.step}:{self.t}"
        return (f"i = b q = b p = addr(q) for i in (a, {self.stop}, {step}) {{ store(p, add(load(p), 1:{self.t})) s = add(mul(s, 3:{self.t}), i) left = sub(left, 1:int32) if eq(left, 0:int32) {{ break }}"
                f" {'' if self.stop == 'i' else 'i = add(i, c)'} b = add(b, 1:{self.t}) c = mul(c, 5:{self.t}) }} store(r, s)")

    def value(self, n):
        step, s = n[self.step] if isinstance(self.step, str) else self.step, 0
        for i in itertools.islice(range(n["a"], n["b"], step) if step else (), 20):
            s = wrap(self.t, 3*s + i)
        return s


class Branches:
    """Ifs within arms of ifs, alone and beside statements; numbers the statements that ran."""
    op = "if"
    kids = ["a", "b", "c"]
    CONDITIONS = ["lt(a, b)", "eq(a, c)", "ge(b, c)", "ne(i, b)"]

    def __init__(self, t, shape):
        """shape: a block, of which 0 is a statement and a pair an if with its two blocks."""
        self.t, self.block, self.text, self.numbers = t, shape, f"if {shape}", itertools.count(1)

    def statements(self, block, depth):
        for s in block:
            if s == 0:
                yield f"s = add(mul(s, 3:{self.t}), {next(self.numbers) % 100}:{self.t})"
                continue
            then, orelse = (" ".join(self.statements(b, depth + 1)) for b in s)
            yield f"if {self.CONDITIONS[depth]} {{ {then} }} else {{ {orelse} }}"

    def cir(self):
        self.numbers = itertools.count(1)
        return " ".join(self.statements(self.block, 0)) + " store(r, s)"

    def run(self, block, depth, holds, s, live):
        for x in block:
            if x == 0:
                number = next(self.numbers) % 100
                s = wrap(self.t, 3*s + number) if live else s
                continue
            for arm, taken in zip(x, (holds[depth], not holds[depth])):
                s = self.run(arm, depth + 1, holds, s, live and taken)
        return s

    def value(self, n):
        self.numbers = itertools.count(1)
        holds = [n["a"] < n["b"], n["a"] == n["c"], n["b"] >= n["c"], n["b"] != 0]
        return self.run(self.block, 0, holds, 0, True)


def shapes(depth):
    """Blocks: nothing, a statement, an if alone, in front of a statement and behind one."""
    yield from ((), (0,))
    for branch in itertools.product(shapes(depth - 1), repeat=2) if depth else ():
        yield from ((branch,), (branch, 0), (0, branch))


def main(folder, cc):
    total = values = bad = 0
    for t in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"):
        rows = list(expressions(t)) + [
            Loop(t, step, stop) for step in ("c", 1, 2, 7) + ((-1, -2, -5) if t[0] == "i" else ()) for stop in ("b", "i", "q")]
        rows += [Branches(t, shape) for shape in shapes(2)] if t == "int32" else []
        numbers = ends(t)
        cir, source = os.path.join(folder, t + ".cir"), os.path.join(folder, t + ".c")
        with open(cir, "w") as file:
            file.write(f"cir 1\nentry kernel func f(r: {t} global*, a: {t}, b: {t}, c: {t}, k: int32) {{\n  var i: {t}\n  var q: {t}\n  var p: {t} private*\n  var s: {t}\n  var left: int32\n  left = 20:int32\n")
            for k, e in enumerate(rows):
                value = f"convert<{t}>({e.text})" if e.op in TESTS else e.text
                file.write(f"  if eq(k, {k}:int32) {{ {e.cir() if e.op in ('for', 'if') else f'store(r, {value})'} }}\n")
            file.write("}\n")
        command = ["cplc", cir + ":f", "--target", "opencl:c1.2", "--passes", "", "--emit", "opencl-c"]
        command += ["--option", "max_ops=1000000"]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        text = re.sub(r"^#pragma.*$", "", text, flags=re.M)
        lines, expected = [], []
        for k, e in enumerate(rows):
            for n in operands(e, k, numbers):
                if e.op in ("rawshl", "rawshr"):
                    n["c"] = n["c"] % int(re.sub(r"\D", "", t))
                v = e.value(n)
                if v is None:
                    continue
                lines.append("{" + ", ".join(f"({c_type(t)}){n[x]}{'U' if n[x] >= 2**63 else ''}LL" if n[x] != -(2**63) else "LONG_MIN" for x in "abc") + f", {k}}}")
                expected.append((k, n, v))
        with open(source, "w") as file:
            file.write(PRELUDE + text + f"""
static const struct {{ {c_type(t)} a, b, c; int k; }} rows[] = {{
{','.join(lines)}
}};
int main(void)
{{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {{
        {c_type(t)} r = 0;
        f(&r, rows[i].a, rows[i].b, rows[i].c, rows[i].k);
        printf("{'%lld' if t[0] == 'i' else '%llu'}\\n", ({'long long' if t[0] == 'i' else 'unsigned long long'})r);
    }}
}}
""")
        program = os.path.join(folder, t)
        subprocess.run([cc, "-std=c11", "-w", "-O0", "-fsanitize=undefined", "-fno-sanitize-recover", source, "-o", program], check=True)
        done = subprocess.run([program], capture_output=True, text=True)
        got = done.stdout.split()
        if done.returncode:
            k, n, _ = expected[len(got)]
            print(f"{rows[k].text} at {t}, {n}: {done.stderr.strip()}")
            bad += 1
        for (k, n, v), g in zip(expected, got):
            if int(g) != v:
                bad += 1
                if bad < 9:
                    print(f"{rows[k].text} at {t}, {n}: {g}, expected {v}")
        total += len(rows)
        values += len(expected)
    print(f"{total} expressions, {values} values, {bad} differences")


main(*sys.argv[1:])

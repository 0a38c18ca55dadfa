# Every small program of a few kinds is cut up and parsed as Python does, or refused as Python
# refuses it: blocks by what stands at the start of their lines, number literals letter by letter,
# escapes in strings digit by digit, each operator beside and within each other one, each statement
# within each other one, jumps within loops and functions.
# RUN: %pyload %s %build | FileCheck %s
# CHECK: {{[1-9][0-9][0-9][0-9]}} programs, {{[1-9][0-9]+}} of them Python, 0 differences
import ast
import ctypes
import itertools
import os
import re
import sys
import warnings

OPS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.MatMult: "@",
       ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.And: "and", ast.Or: "or", ast.UAdd: "+",
       ast.USub: "-", ast.Invert: "~", ast.Not: "not", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
       ast.Is: "is", ast.IsNot: "is not"}
BINARY = "+ - * / // % ** << >> & | ^ and or < <= > >= == != is".split() + ["is not"]
AUGMENTED = "+= -= *= /= //= %= **= <<= >>= &= |= ^=".split()


class Tree:
    """What cplc --emit ast prints, of Python's own tree."""

    def __init__(self):
        self.lines = []

    def put(self, depth, text, node=None):
        self.lines.append("  "*depth + text + (f" @{node.lineno}:{node.col_offset + 1}" if node else ""))

    def block(self, depth, label, nodes):
        self.put(depth, label)
        for n in nodes:
            self.node(depth + 1, n)

    def node(self, depth, n, word=None):
        kind = type(n)
        name = kind.__name__.lower()
        text, kids = {
            ast.Name: lambda: ("name " + n.id, []), ast.Constant: lambda: (constant(n.value), []),
            ast.UnaryOp: lambda: ("unary " + OPS[type(n.op)], [n.operand]), ast.BinOp: lambda: ("binary " + OPS[type(n.op)], [n.left, n.right]),
            ast.BoolOp: lambda: ("boolop " + OPS[type(n.op)], n.values), ast.IfExp: lambda: ("ternary", [n.test, n.body, n.orelse]),
            ast.Compare: lambda: ("compare " + " ".join(OPS[type(o)] for o in n.ops), [n.left, *n.comparators]),
            ast.Call: lambda: ("call", [n.func, *n.args]), ast.Starred: lambda: ("star", [n.value]), ast.Subscript: lambda: ("index", [n.value, n.slice]),
            ast.Attribute: lambda: ("attribute " + n.attr, [n.value]), ast.Tuple: lambda: ("tuple", n.elts),
            ast.Assign: lambda: ("assign", [*n.targets, n.value]), ast.AugAssign: lambda: ("augassign " + OPS[type(n.op)], [n.target, n.value]),
            ast.Expr: lambda: ("expr", [n.value]), ast.Return: lambda: ("return", [n.value] if n.value else []), ast.If: lambda: (word or "if", [n.test]),
            ast.While: lambda: ("while", [n.test]), ast.Assert: lambda: ("assert", [n.test]), ast.For: lambda: ("for", [n.target, n.iter]),
        }.get(kind, lambda: (name, []))()
        self.put(depth, text, n)
        for kid in kids:
            self.node(depth + 1, kid)
        if kind not in (ast.If, ast.While, ast.For):
            return
        self.block(depth + 1, "body", n.body)
        chained = kind is ast.If and len(n.orelse) == 1 and isinstance(n.orelse[0], ast.If) and self.source[n.orelse[0].lineno - 1].lstrip().startswith("elif")
        if chained:
            self.node(depth, n.orelse[0], "elif")
        elif n.orelse:
            self.block(depth + 1, "else", n.orelse)

    def function(self, text):
        self.source = text.split("\n")
        f, *behind = ast.parse(text).body
        self.put(0, "func f @1:1")
        for p in f.args.args:
            self.put(1, "param " + p.arg, p)
        self.block(1, "body", f.body)
        for n in behind:
            if isinstance(n, ast.Assign):
                self.put(0, "const " + n.targets[0].id, n)
        return "\n".join(self.lines) + "\n"


def constant(value):
    if value is None or isinstance(value, bool):
        return "none" if value is None else f"bool {value}"
    if isinstance(value, str):
        return f"string '{''.join(map(shown, value))}'"
    return f"int {value}" if isinstance(value, int) else f"float {value!r}"


def shown(c):
    if c in "\n\r\t":
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}[c]
    return f"\\x{ord(c):02x}" if ord(c) < 32 or ord(c) == 127 else c


def comparable(tree, text):
    """Floats as Python writes them; no places where parentheses are, which Python counts in."""
    tree = re.sub(r"float (\S+)", lambda m: f"float {float(m[1])!r}", tree)
    return re.sub(r" @.*", "", tree) if "(" in text.split("\n", 1)[1] else tree


class Blob(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t), ("context", ctypes.c_void_p)]


class Library:
    def __init__(self, build):
        self.lib = ctypes.CDLL(os.path.join(build, "lib", "libcpl.so"))
        self.context = ctypes.c_void_p()
        assert self.lib.cpl_context_create(None, ctypes.byref(self.context)) == 0

    def tree(self, text):
        """The tree that cplc --emit ast prints; None if the program is refused."""
        module, blob, data = ctypes.c_void_p(), Blob(), text.encode()
        if self.lib.cpl_module_from_source(self.context, b"f.py", data, ctypes.c_size_t(len(data)), ctypes.byref(module)):
            return None
        status = self.lib.cpl_module_emit(module, None, None, 1, None, ctypes.byref(blob))
        tree = None if status else ctypes.string_at(blob.data, blob.size).decode()
        self.lib.cpl_blob_free(ctypes.byref(blob))
        self.lib.cpl_module_release(module)
        return tree


def blocks():
    """Three lines behind a def, each with every short beginning: blocks that nest, end, match and do not."""
    starts = ["".join(s) for n in range(3) for s in itertools.product(" \t", repeat=n)] + [" "*7, " "*8, " "*9, "       \t", "\t" + " "*8, " \t "]
    for a, b, c in itertools.product(starts, repeat=3):
        yield f"def f(x):\n{a}if x:\n{b}x = 1\n{c}x = 2\n"
    odd = [" ", "  ", " \\\n", " \\\n  ", "\\\n  ", "  \\\n \\\n    ", "\f  ", " \f ", " \t\f  ", "\t\\\n "]
    for b, c in itertools.product(odd, repeat=2):
        yield f"def f(x):\n if x:\n{b}x = 1\n{c}x = 2\n"


def numbers():
    for n in range(1, 5):
        for s in itertools.product("01_.exb", repeat=n):
            if s[0] in "01." and "".join(s) != "...":
                yield "def f(x):\n    x = " + "".join(s) + "\n"
    for s in ("0o17", "0O7", "0o8", "0B1", "0b2", "0X_fF", "0xg", "1E+1", "1e-1_0", "1e+", "9999999999999999999", "18446744073709551615", "08", "00", "0_0", "07.5",
              "1if x else 2", "0x1for", "1.e5", "1_.5", "1._5", "5e-324", "1.7976931348623157e308", "2.5e-324", "0.1", "123456789.123456789e-5"):
        yield f"def f(x):\n    x = {s}\n"


def stars():
    for s in itertools.product(("x", "*x", "*x + x", "*(x)", "* x[0]", "*", "*x if x else 1"), repeat=2):
        yield f"def f(x):\n    x = f({', '.join(s)})\n"


def escapes():
    """Of every letter, and numbers as long as they can be and longer, with what stands behind."""
    for c in map(chr, range(32, 127)):
        if c not in "NxuU01234567":
            yield from ("\\" + c + behind for behind in ("", "0", "a"))
    for n in range(1, 5):
        for d in itertools.product("0178", repeat=n):
            yield from ("\\" + "".join(d) + behind for behind in ("", "\\1"))
    for letter, digits in (("x", 2), ("u", 4), ("U", 8)):
        yield "\\" + letter
        for n in range(1, digits + 2):
            yield from ("\\" + letter + d for d in ("0"*n, ("0"*digits + "41")[-n:],
                                                    "0"*(n - 1) + "g", ("0"*n + "eF")[-n:]))
    yield from ("\\u07ff", "\\u0800", "\\ud7ff", "\\ue000", "\\uffff", "\\U00010000",
                "\\U0010ffff", "\\U00110000", "\\Uffffffff", "\\x7f\\x80\\xff")


def strings():
    for text in escapes():
        yield f"def f(x):\n    x = '{text}'\n"
    prefixes, quotes = ["", "r", "R", "u", "U", "ur", "rr"], ["'", '"', "'''", '"""']
    texts = ["", "a", "\\n", "\\'", '\\"', "'", '"', "''", "\\", "\\\\", "a\nb", "\\\n", "\\777"]
    for prefix, quote, text in itertools.product(prefixes, quotes, texts):
        yield f"def f(x):\n    x = {prefix}{quote}{text}{quote}\n"
    several = ["'a'", '"b"', "r'\\n'", "'''c'''", "'\\1'", "u'd'"]
    for a, b in itertools.product(several, repeat=2):
        yield f"def f(x):\n    x = {a} {b}\n    x = {a}{b}\n"
        yield f"def f(x):\n    x = ({a}\n  {b})\n"


def operators():
    """Many of them in one function: what one line is does not depend on those around it."""
    lines = []
    for a, b in itertools.product(BINARY, repeat=2):
        lines += [f"x {a} y {b} z", f"(x {a} y) {b} z", f"x {a} (y {b} z)"]
        lines += [f"{u}x {a} {u}y" for u in ("-", "+", "~")]
    for a in BINARY:
        lines += [f"not x {a} y", f"x {a} y if x {a} z else y {a} z", f"x.y {a} z[x]", f"f(x {a} y, z)", f"x[y {a} z] {a} -x.y[z](y)", f"x {a} y {a} z {a} x"]
        lines += [f"- x {a} {u}y" for u in ("--", "~-", "not ")] + [f"x {a} not y", f"x {a} y if z else x if y else z", f"(x if y else z) {a} y"]
    lines += [f"x {a}" for a in BINARY] + [f"{a} x" for a in BINARY if a != "*"] + ["x y", "(x", "x)", "x[]", "x.", "x..y", "f(x y)", "(x,)", "x if y", "x else y", "not"]
    lines += [f"(x) {a}\\\n y" for a in BINARY] + [f"(x {a}\n y)" for a in BINARY]
    good = [t for t in lines if is_python(f"x = {t}\n")]
    for some in ([t for t in good if "(" in t], [t for t in good if "(" not in t]):
        yield "def f(x, y, z):\n" + "".join(f"    w = {t}\n" for t in some)
    for t in lines:
        if t not in good:
            yield f"def f(x, y, z):\n    w = {t}\n"
    for a in AUGMENTED:
        yield f"def f(x, y, z):\n    x {a} y {a[:-1]} z\n    x[y] {a} z\n    x.y {a} z, y\n"
        yield f"def f(x, y, z):\n    x {a} y {a} z\n"


def statements():
    """Each form within each other one, with and without what may follow it."""
    def forms(inner, pad):
        body = "".join(f"{pad}    {line}\n" for line in inner)
        for head in ("if x:", "while x:", "for i in range(x):"):
            yield [pad + head, body]
            yield [pad + head, body, pad + "else:", body]
        yield [pad + "if x:", body, pad + "elif y:", body]
        yield [pad + "if x:", body, pad + "elif y:", body, pad + "elif z:", body, pad + "else:", body]
        yield [pad + "if x:", body, pad + "else:", f"{pad}    if y:\n" + "".join(f"{pad}        {line}\n" for line in inner)]

    def text(pieces):
        return "".join(p if p.endswith("\n") else p + "\n" for p in pieces)

    simple = [["x = 1"], ["pass"], ["return"], ["return x, y"], ["x = y = z"], ["f(x); y = 2"], ["x += 1", "y[x] -= 2"], ["x, y = y, x"], ["assert x"]]
    for one in simple:
        for form in forms(one, "    "):
            yield "def f(x, y, z):\n" + text(form) + "    x = 0\n"
    for form in forms(["x = 1"], ""):
        lines = text(form).splitlines()
        for outer in forms(lines, "    "):
            yield "def f(x, y, z):\n" + text(outer)
    for head in ("if x:", "while x:", "for i in range(x):"):
        yield f"def f(x, y, z):\n    {head} y = 1; z = 2\n    x = 3\n"
        yield f"def f(x, y, z):\n    {head}\n    x = 3\n"
        yield f"def f(x, y, z):\n    {head[:-1]}\n        x = 3\n"
        yield f"def f(x, y, z):\n    {head}\n        x = 3\n    elif x:\n        x = 4\n"
        yield f"def f(x, y, z):\n    {head}\n        x = 3\n    else:\n        x = 4\n    else:\n        x = 5\n"
    for text in ("else:\n        x = 1", "elif x:\n        x = 1", "x = 1 y = 2", "x = 1;; y = 2", "x =", "= x", "x == 1 = y", "1 = x", "x + y = z", "for 1 in x: pass",
                 "return x y", "pass x", "if x: if y: pass", "while x: for i in x: pass", "x = 1;", "f(x) = 2", "x = y += 1", "break x"):
        yield f"def f(x, y, z):\n    {text}\n"


def jumps():
    """'break' and 'continue' in each place of up to three statements inside each other: of the loops around it count
    those of its own function."""
    def around(lines):
        inside = [" " + line for line in lines]
        for head in ("if x:", "with nogil:", "while x:", "for i in range(x):", "def g(a):"):
            yield [head, *inside]
            if head[0] in "iwf" and head != "with nogil:":
                yield [head, " pass", "else:", *inside]
        yield ["while x:", " def g(a):", "  pass", *inside]
        yield ["def g(a):", " while a:", "  pass", *lines]

    for jump in ("break", "continue"):
        once = list(around([jump]))
        twice = [b for a in once for b in around(a)]
        for lines in [[jump], *once, *twice, *(b for a in twice for b in around(a))]:
            yield "def f(x, y, z):\n" + "".join(f" {line}\n" for line in lines)


def is_python(text):
    try:
        compile(text, "", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


warnings.simplefilter("ignore")
library = Library(sys.argv[1])
count = good = bad = 0
for text in itertools.chain(blocks(), numbers(), stars(), strings(), operators(), statements()):
    count += 1
    expected = Tree().function(text) if is_python(text) else None
    got = library.tree(text)
    good += expected is not None
    if (expected is None) != (got is None) or (got and comparable(got, text) != comparable(expected, text)):
        bad += 1
        if bad < 5:
            print(f"{text[:300]!r}: expected {expected}, got {got}"[:3000])
for text in jumps():
    count += 1
    good += is_python(text)
    if is_python(text) != bool(library.tree(text)):
        bad += 1
        print(f"{text!r}: is{'' if is_python(text) else ' not'} Python")
print(f"{count} programs, {good} of them Python, {bad} differences")

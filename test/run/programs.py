# Programs at random give what plain Python gives: loops with jumps and else, tuples, private arrays, helpers and lambdas,
# shapes, slices, complex numbers and floats of both widths, arithmetic and comparisons of integers of all widths and signs.
# A longer run: programs.py DIR COUNT MODE... [seed=N] [lines=N], with CPL_TEST_CLC="-cl-std=CL1.2 -cl-opt-disable" where PoCL takes its time.
# RUN: rm -rf %t && mkdir -p %t && %python %s %t 8 O3 interp checked | FileCheck %s
# RUN: rm -rf %t && mkdir -p %t && %python %s %t 2 O0 seed=500 | FileCheck %s
# RUN: %if pocl %{ %pocl %python %s %t 1 pocl seed=900 | FileCheck %s %}
# RUN: %if intel %{ %intel %python %s %t 1 intel seed=950 | FileCheck %s %}
# CHECK: {{[1-9][0-9]*}} programs, 0 wrong
import os
import random
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
import harness
import typed

N, ROWS, COLUMNS = 12, 4, 5
DEPTH = 3
WIDTHS = {"e" + t.lstrip("uint") + t[0]: t for t in typed.TYPES}  # arrays: e8i of int8, e8u of uint8
LEAST = -500  # integers stay in [LEAST, LEAST + 997)


CLASSES = """
@struct
class Pair:
    a: 'long'
    v: 'double'

    def __init__(self, a, v):
        self.a = a
        self.v = v

    def weight(self, n):
        n += self.a
        return n - int(self.v)

    def move(self, by):
        self.v = (self.v + by) % 512
        self.a = (self.a - 1) % 997 - 500

@struct
class Twin:
    left: 'Pair'
    right: 'Pair'

    def __init__(self, a, v):
        self.left = Pair(a, v)
        self.right = Pair(-a, v*0.5)

    def turn(self):
        exchange(self.left, self.right)
        self.left.move(self.right.v)

    def sum(self):
        return Pair((self.left.a + self.right.a) % 997, (self.left.v - self.right.v) % 512)


def exchange(p, q):
    a, v = p.a, p.v
    p.a, p.v = q.a, q.v
    q.a, q.v = a, v


def moved(p, by):
    new = Pair(p.a, p.v)
    new.move(by)
    return new
"""


class Program:
    """
    A kernel of typed expressions: I integers, F floats, S those of 32 bits, C complex numbers, H those of 64 bits. Floats stay multiples of 1/8 of
    modest size. T are integers of any width and value; each local has one type, to which all that is assigned is converted.
    """

    def __init__(self, seed, size=50):
        self.size = size  # in lines: when it has as many it gets no more blocks
        self.rng = random.Random(seed)
        self.lines, self.names, self.loops = [], 0, 0
        self.locals = {k: [] for k in "IFCSHT"}
        self.arrays = {k: [] for k in "IFC"}  # (name, dimensions)
        self.types = {}  # of locals of T
        self.structs = []  # p1 a Pair, q2 a Twin of two
        self.helpers = []
        self.text = self.make()

    def pick(self, *choices):
        return self.rng.choice(choices)

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    # ---- expressions ----

    def leaf(self, kind):
        own = self.locals[kind]
        if kind == "I":
            more = [str(self.rng.randint(-9, 9)), f"int({self.leaf('T')} % 50)", self.fold("I"), "k[i]", "j[i]", "int(u[i])", "i % 5", "len(k)", "m.shape[1]", f"STEPS[{self.rng.randint(-3, 2)}]",
                    f"STEPS[abs({self.rng.choice(own) if own else 'k[i]'}) % 3]"]
            more += self.fields("a") + [f"{p}.weight({self.rng.randint(-5, 5)})" for p in self.pairs()]
        elif kind == "F":
            more = [self.pick("0.5", "-1.25", "3.0", "-2.0"), "x[i]", f"m[i % {ROWS}, {self.rng.randrange(COLUMNS)}]", "z[i].imag"]
            more += [f"{c}.real" for c in self.locals["C"] + self.locals["H"]]
            more += [f"float({self.leaf('T')} % 60)", self.fold("F")]
            more += self.locals["S"] + self.fields("v")
        elif kind == "S":
            more = [self.pick("0.5", "-1.25", "3.0", "-2"), "g[i]", "c[i].imag"] + [f"{c}.real" for c in self.locals["H"]]
        elif kind == "H":
            more = ["c[i]", "c[i]", self.pick("1j", "(0.5 - 2j)", "0.25")]
        elif kind == "T":
            more = [f"{e}[i]" for e in WIDTHS] + [str(self.pick(1, -1, 7, -128, 255, 70000, -40000, 2**31, 3*10**9, -2**40))]
        else:
            more = ["z[i]", "(c[i] + z[i])", self.pick("1j", "(0.5 - 2j)", "-1.5j"), f"complex({self.leaf('F')}, {self.leaf('F')})"]
        if own and self.rng.random() < 0.6:
            return self.rng.choice(own)
        if self.arrays.get(kind) and self.rng.random() < 0.5:
            return self.element(kind)
        return self.rng.choice(more)

    def pairs(self):
        halves = [f"{q}.{half}" for q in self.structs if q[0] == "q" for half in ("left", "right")]
        return [p for p in self.structs if p[0] == "p"] + halves

    def fields(self, name):
        return [f"{p}.{name}" for p in self.pairs()]

    def element(self, kind):
        name, sizes = self.rng.choice(self.arrays[kind])
        at = [self.pick(str(self.rng.randrange(n)), f"abs({self.integer(0)}) % {n}") for n in sizes]
        if len(at) == 2 and self.rng.random() < 0.5:
            return f"{name}[{at[0]}][{at[1]}]" if name.startswith("l") else f"{name}[{at[0]}, {at[1]}]"
        return name + "".join(f"[{a}]" for a in at)

    def fold(self, kind):
        """What the elements of a part of an array come to, of one that no other work-item writes."""
        own = [(name, sizes) for name, sizes in self.arrays[kind] if name.startswith("n") and len(sizes) == 1]
        part = f"[{self.pick('', '1', '-2')}:{self.pick('', '', '::-1')}]".replace("::::", "::").replace(":::", "::")
        if own and self.rng.random() < 0.7:
            x = self.rng.choice(own)[0] + self.pick("", part)
        elif kind == "I":
            x = "j" + part
        else:
            x = self.pick(f"m[i % {ROWS}, :]", f"m[1:, {self.rng.randrange(COLUMNS)}]", f"m[i % {ROWS}, ::2]")
        if kind == "F" and self.rng.random() < 0.2:
            return f"float({self.pick('np.argmax', 'np.argmin')}({x}))"
        form = self.pick("sum", "np.sum", "np.max", "np.min", "min", "max", "np.any", "np.dot")
        if form == "np.any":
            return f"(1{'.5'*(kind == 'F')} if np.any({x} > {self.rng.randint(-50, 50)}) else 2)" if x.endswith("]") else f"sum({x}) % 64"
        return f"np.dot({x}, {x}) % 64" if form == "np.dot" else f"{form}({x}){' % 64' if 'sum' in form else ''}"

    def typed(self, depth):
        """Of any value: what overflows wraps."""
        if depth <= 0:
            return self.leaf("T")
        a, b = self.typed(depth - 1), self.typed(depth - 1)
        if not any(letter.isalpha() for letter in a):  # literals alone are another matter
            a = f"{self.pick(*WIDTHS)}[i]"
        form = self.pick("({a} + {b})", "({a} - {b})", "({a} * {b})", "({b} // {a})", "({b} % {a})", "({a} // {d})", "({a} % {d})", "({a} / {d})",
                         "min({a}, {b})", "max({a}, {b})", "abs({a})", "(-{a})", "(~{a})", "({a} & {b})", "({b} | {a})", "({a} ^ {b})", "({a} << {n})",
                         "({a} >> {n})", "({a} >> ({e}[i] & 7))", "{t}({a})", "{t}({a} if {truth} else {b})", "{t}({a}) ** {p}", "{t}({a} and {e}[i])",
                         "{t}({e}[i] or {a})", "{t}({x} * {big})", "both({a}, {e}[i])[{one}]", "np.int64({a})", "np.{less}({a}, {e}[i])", "twice({e}[i])")
        return form.format(a=a, b=b, d=self.pick(7, -5, 3, -2), n=self.pick(1, 3, 9, 31, 40), t="np." + self.pick(*typed.TYPES), p=self.pick(0, 1, 2, 3),
                           e=self.pick(*WIDTHS), truth=self.truth(depth - 2), x=self.leaf("F"), big=self.pick("1.0", "100.0", "1e9", "-1e18", "1e30"),
                           one=self.pick(0, 1), less=self.pick("minimum", "maximum"))

    def single(self, depth):
        """A float of 32 bits."""
        if depth <= 0:
            return self.leaf("S")
        a, b = self.single(depth - 1), self.single(0)
        form = self.pick("({a} + {b})", "({a} - {b})", "({a} * {c})", "({a} // {d})", "({a} % {d})", "np.minimum({a}, {b})", "max({a}, {b})", "abs({a})",
                         "(-{a})", "({a} / {p})", "np.float32({n} % 32)", "({a} + j[i])", "np.float32({f} % 32)", "({a} if {t} else {b})")
        return form.format(a=a, b=b, c=self.pick("0.5", "-2", "3"), d=self.pick("2.5", "-1.5", "4"), p=self.pick("2", "-4.0"), n=self.integer(0),
                           f=self.floating(0), t=self.truth(depth - 2))

    def half(self, depth):
        """A complex number of two such."""
        if depth <= 0:
            return self.leaf("H")
        a, b = self.half(depth - 1), self.half(0)
        form = self.pick("({a} + {b})", "({a} - {b})", "({a} * {b})", "({a} * {c})", "({a} / {d})", "(-{a})", "np.conj({a})", "({a} + g[i])",
                         "np.complex64({z})", "({a} if {t} else {b})")
        return form.format(a=a, b=b, c=self.pick("2", "-0.5", "1j"), d=self.pick("2", "-4.0"), z=self.complex(0), t=self.truth(depth - 2))

    def integer(self, depth):
        """Of a few thousand at most."""
        if depth <= 0:
            return self.leaf("I")
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        form = self.pick("({a} + {b})", "({a} - {b})", "({a} * {c})", "({a} // {d})", "({a} % {d})", "min({a}, {b})",
                         "max({a}, {b})", "abs({a})", "(-{a})", "({a} & {m})", "(abs({a}) >> {s})", "({a} ^ {m})", "int({f})",
                         "({a} if {t} else {b})", "int(u[i] % {m})", "(j[i] - u[i])",
                         "(k[i]*u[i] + {a})", "({a} | {s})", "(~{a})",
                         "shift({b})", "shift({b}, c={s})", "shift(b={s}, a={b})")
        return form.format(a=a, b=b, c=self.rng.randint(-3, 3), d=self.pick("7", "-5", "3", "-2"), m=self.pick(7, 31, 12),
                           s=self.rng.randint(0, 4), f=self.floating(depth - 2), t=self.truth(depth - 2))

    def floating(self, depth):
        if depth <= 0:
            return self.leaf("F")
        a, b = self.floating(depth - 1), self.floating(depth - 1)
        form = self.pick("({a} + {b})", "({a} - {b})", "({a} * {c})", "({a} // {d})", "({a} % {d})", "min({a}, {b})",
                         "max({a}, {b})", "abs({a})", "(-{a})", "({a} + {n})", "float({n})", "({a} if {t} else {b})", "({a} / {p})")
        return form.format(a=a, b=b, c=self.pick("0.5", "-2", "3"), d=self.pick("2.5", "-1.5", "4"), p=self.pick("2", "-4.0"),
                           n=self.integer(depth - 1), t=self.truth(depth - 2))

    def complex(self, depth):
        if depth <= 0:
            return self.leaf("C")
        a, b = self.complex(depth - 1), self.complex(0)
        form = self.pick("({a} + {b})", "({a} - {b})", "({a} * {b})", "({a} * {c})", "({a} / {d})", "(-{a})", "{a}.conjugate()", "({a} + {x})",
                         "({x} - {a})", "({n} * {a})", "({a} if {t} else {b})",
                         "turn({a}, {b}, {n})", "turn({e}, {e}, {n})")
        return form.format(a=a, b=b, c=self.pick("2", "-0.5", "1j"), d=self.pick("2", "-4.0", "2j"), x=self.floating(0), n=self.integer(0),
                           t=self.truth(depth - 2), e=self.leaf("C"))

    def truth(self, depth):
        form = self.pick("{a} {op} {b}", "{x} {op} {y}", "{a} {op} {b} {op2} {c}", "u[i] {op} {a}", "j[i] {op} u[i]", "b[i]", "{t1} {op} {t2}",
                         "{t1} {op} {x}", "{z} {same} {w}")
        if depth > 0 and self.rng.random() < 0.4:
            form = self.pick(f"({form} and {{t}})", f"({form} or {{t}})", "not {t}")
        ops = ["<", "<=", ">", ">=", "==", "!="]
        t = "(" + self.truth(depth - 1) + ")" if "{t}" in form else ""
        return "(" + form.format(a=self.integer(0), b=self.integer(0), c=self.integer(0), t1=self.pick(*WIDTHS) + "[i]", t2=self.typed(0), x=self.floating(0), y=self.floating(0),
                                 z=self.leaf("C"), w=self.leaf("C"), same=self.pick("==", "!="), op=self.rng.choice(ops), op2=self.rng.choice(ops), t=t) + ")"

    def value(self, kind):
        if kind == "I":
            return f"({self.integer(2)}) % 997 + {LEAST}"
        if kind == "C":
            return f"modest({self.complex(2)})"
        if kind == "S":
            return f"np.float32(round(({self.single(2)}) * 8) % 512 / 8)"
        if kind == "H":
            return f"small({self.half(2)} + 0j)"
        return f"round(({self.floating(2)}) * 8) % 4096 / 8"

    # ---- statements ----

    def say(self, indent, text):
        self.lines.append(" "*indent + text)

    def assign(self, indent):
        kind = self.pick("I", "F", "C", "S", "H", "T", "T")
        if kind == "T":
            name = self.rng.choice(self.locals["T"])
            self.say(indent, f"{name} = np.{self.types[name]}({self.typed(2)})")
            return
        own = self.locals[kind]
        if kind in "IFC" and self.rng.random() < 0.3:
            name = self.rng.choice(own)
            self.say(indent, f"{name} {self.pick('+', '-')}= {self.value(kind)}")
            self.say(indent, f"{name} = " + {"I": f"{name} % 997 + {LEAST}", "F": f"{name} % 1024", "C": f"modest({name})"}[kind])
        else:
            self.say(indent, f"{self.rng.choice(own)} = {self.value(kind)}")

    def tuples(self, indent):
        a, b = self.rng.sample(self.locals["I"], 2)
        x, y = self.rng.sample(self.locals["F"], 2)
        z, w = self.rng.sample(self.locals["C"], 2)
        form = self.pick("{a}, {b} = {b}, {a}", "{z}, {x}, {w} = {w}, {z}.imag, {c}", "{a}, {z} = ({b}, {c}) if {t} else ({a}, {w})", "{a}, {x} = {h}", "{x}, {y}, {a} = {y}, {x}, {v}", "{a}, {x} = {h} if {t} else ({b}, {y})",
                         "{p} = {h}\n{a}, {x} = {p}[0], {p}[-1]")
        text = form.format(a=a, b=b, x=x, y=y, z=z, w=w, c=self.value("C"), v=self.value("I"), t=self.truth(1), p=self.name("p"),
                           h=f"{self.rng.choice(self.helpers)}({self.value('I')}, {self.value('F')})")
        for line in text.split("\n"):
            self.say(indent, line)

    def array(self, indent):
        kind = self.pick("I", "F", "C")
        n = self.rng.randint(2, 4)
        fill = [self.value(kind) for _ in range(n)]
        zero, dtype = {"I": ("0", "np.int64"), "F": ("0.0", "np.float64"), "C": ("0j", "np.complex128")}[kind]
        form = self.pick("list", "repeated", "zeros", "full", "array", "rows")
        letter = "l" if form in ("list", "repeated", "rows") else "n"
        name, sizes = self.name(letter), (n,)
        if form == "list":
            value = f"[{', '.join(fill)}]"
        elif form == "repeated":
            value = f"[{fill[0]}]*{n}"
        elif form == "rows":
            value, sizes = f"[[{fill[0]}, {fill[1]}], [{zero}, {fill[1]}]]", (2, 2)
        elif form == "zeros":
            value, sizes = f"np.zeros((2, {n}), {dtype})", (2, n)
        elif form == "full":
            value = f"np.full({n}, {fill[0]}, dtype={dtype})"
        else:
            value = f"np.array([{', '.join(fill)}], {dtype})"
        self.say(indent, f"{name} = {value}")
        return kind, (name, sizes)

    def part(self, indent):
        """A statement over a private array."""
        kind = self.pick("I", "F", "C")
        own = [(name, sizes) for name, sizes in self.arrays[kind] if name.startswith("n") and len(sizes) == 1]
        if not own:
            self.assign(indent)
            return
        name, (n,) = self.rng.choice(own)
        first = self.rng.randrange(n)
        at = self.pick("[:]", f"[{first}:]", f"[:{first}]", "[::2]", "[::-1]", f"[-{first + 1}:]")
        form = self.pick("{x} = {v}", "{x} = {x}*2 - {a}", "{x} += {v}", "{x} = {a} - {x}") if kind == "C" else self.pick(
            "{x} = {v}", "{x} = {x}*2 - {a}", "{x} += {v}", "{x} = np.maximum({x}, {a})", "{x} = np.where({x} > {a}, {v}, {x})", "{x} = np.abs({x}) + {a}")
        self.say(indent, form.format(x=name + at, v=self.value(kind), a=self.leaf(kind) if kind == "C" else self.rng.choice(self.locals[kind])))
        if kind == "C":
            self.say(indent, f"for {self.name('w')} in range({n}):")
            self.say(indent + 4, f"{name}[w{self.names}] = modest({name}[w{self.names}])")
        else:
            self.say(indent, f"{name}[:] = {name}[:] % 512")

    def call(self, indent):
        """A call of a function that changes what it is given: an array is the caller's, a number is not."""
        own = [name for name, sizes in self.arrays["C"] if name.startswith("n") and len(sizes) == 1]
        z, f = self.rng.choice(self.locals["C"]), self.rng.choice(self.locals["F"])
        if own and self.rng.random() < 0.5:
            n = self.rng.choice(own)
            self.say(indent, f"{z} = spread({n}, {self.pick(z, n + '[0]', n + '[1]')}, {self.integer(0)})")
        elif self.rng.random() < 0.6:
            self.say(indent, f"{z} = kept({self.pick('z[i]', z)}, z, i, {self.value('C')})")
        else:
            self.say(indent, f"{f} = kept_real({self.pick('x[i]', f)}, x, i, {self.value('F')})")

    def struct(self, indent):
        p, q = self.pick(*self.pairs()), self.pick(*self.pairs())
        form = self.pick("{p}.a = {n}", "{p}.v = {x}", "{p}.move({x})", "exchange({p}, {q})",
                         "{own} = Pair({n}, {x})", "{own} = Pair({q}.a, {q}.v)",
                         "{own} = moved({p}, {x})", "{two}.turn()", "{two} = Twin({n}, {x})", "{own} = {two}.sum()")
        n, x = self.value("I"), self.value("F")
        own, two = (self.pick(*[s for s in self.structs if s[0] == c]) for c in "pq")
        self.say(indent, form.format(p=p, q=q, n=n, x=x, own=own, two=two))

    def store(self, indent):
        if self.rng.random() < 0.4:
            self.say(indent, f"{self.pick(*WIDTHS)}[i] {self.pick('=', '+=', '-=', '*=', '^=')} {self.typed(2)}")
            return
        if self.rng.random() < 0.2:
            self.say(indent, self.pick(f"g[i] = {self.value('S')}", f"c[i] = {self.value('H')}"))
            return
        kind = self.pick("I", "F", "C")
        if self.arrays[kind] and self.rng.random() < 0.6:
            self.say(indent, f"{self.element(kind)} = {self.value(kind)}")
        elif kind == "I":
            self.say(indent, f"k[i] = {self.value('I')}")
        elif kind == "C":
            self.say(indent, f"z[i] = {self.value('C')}")
        else:
            self.say(indent, f"{self.pick('x[i]', 'y[i]')} = {self.value('F')}")

    def block(self, indent, depth):
        known = {k: list(v) for k, v in self.arrays.items()}  # made here: perhaps not behind it
        for _ in range(self.rng.randint(1, 4)):
            roll = self.rng.random()
            if depth and roll < 0.22:
                self.branch(indent, depth)
            elif depth and roll < 0.42:
                self.loop(indent, depth)
            elif roll < 0.55:
                self.tuples(indent)
            elif roll < 0.65:
                kind, made = self.array(indent)
                self.arrays[kind].append(made)
            elif roll < 0.70:
                self.part(indent)
            elif roll < 0.74:
                self.call(indent)
            elif roll < 0.78:
                self.struct(indent)
            elif roll < 0.86:
                self.store(indent)
            else:
                self.assign(indent)
        if self.loops and self.rng.random() < 0.25:
            self.say(indent, f"if {self.truth(1)}:")
            self.say(indent + 4, self.pick("break", "continue"))
        self.arrays = known

    def branch(self, indent, depth):
        self.say(indent, f"if {self.truth(2)}:")
        self.block(indent + 4, depth - 1)
        for word in ["elif"]*self.rng.randint(0, 1) + ["else"]*self.rng.randint(0, 1):
            self.say(indent, f"elif {self.truth(1)}:" if word == "elif" else "else:")
            self.block(indent + 4, depth - 1)

    def loop(self, indent, depth):
        v = self.name("v")
        kind = self.pick("for", "for", "down", "while", "shape", "in")
        if kind == "while":
            self.say(indent, f"{v} = 0")
            self.say(indent, f"while {v} < {self.rng.randint(1, 4)} or ({v} < 6 and {self.truth(1)}):")
            self.say(indent + 4, f"{v} += 1")
        elif kind == "in":
            self.say(indent, f"for {v} in {self.pick('STEPS', '(1, -2, 5)', '[' + self.value('I') + ', 3]')}:")
        else:
            bounds = {"for": f"{self.rng.randint(0, 5)}", "shape": "m.shape[0]", "down": f"{self.pick('len(m)', '4')}, -2, -2"}[kind]
            self.say(indent, f"for {v} in range({bounds}):")
        self.loops += 1
        self.say(indent + 4, f"{self.rng.choice(self.locals['I'])} = ({v} + {self.integer(1)}) % 997 + {LEAST}")
        self.block(indent + 4, depth - 1)
        self.loops -= 1
        if self.rng.random() < 0.3:
            self.say(indent, "else:")
            self.block(indent + 4, 0)

    # ---- functions ----

    def changing(self):
        """Functions that assign their parameters, and what these are elements of."""
        steps = [self.pick("z += w", "z = modest(z*w)", "z, w = w, z", "w = z",
                           "w = modest(w*w + z)", "z = z - n", "z *= 0.5", "z = modest(z)*1j")
                 for _ in range(self.rng.randint(2, 4))]
        body = [f"        {step}" if self.rng.random() < 0.8 else
                f"        if z.real > w.imag:\n            {step}" for step in steps]
        order = [f"    {line}" for line in self.rng.sample(["out[i] = v", "z += 1.5", "z = z + out[i]"], 3)]
        return ["", "def turn(z, w, n):",
                f"    for q in range(abs(n) % {self.pick(2, 3)} + {self.pick(0, 1)}):", *body,
                "    return modest(z - w)", "", "",
                "def kept(z, out, i, v):", *order, "    return modest(z)", "", "",
                "def kept_real(z, out, i, v):", *order, "    return z % 512", "", "",
                "def spread(p, z, n):", "    for q in range(len(p)):",
                f"        {self.pick('p[q] = modest(p[q] - z)', 'p[q], z = z, p[q]')}",
                f"        {self.pick('z = modest(z + n)', 'z = z*1j', 'p[0] = z')}",
                "    return z - p[0]", "", "",
                f"def shift(a, b={self.rng.randint(-9, 9)}, *, c={self.rng.randint(-9, 9)}):",
                f"    a {self.pick('+', '-')}= c", "    return a - b"]

    def helper(self):
        name = f"help{len(self.helpers)}"
        outer = self.lines, self.locals, self.arrays
        self.lines, self.locals, self.arrays = [], {"I": ["a", "c"], "F": ["v", "w"]}, {"I": [], "F": []}
        self.say(0, f"def {name}(a, v):")
        self.say(4, "c = a - 1")
        self.say(4, "w = v * 0.5")
        form = self.pick("early", "loop", "lambda")
        if form == "early":
            self.say(4, f"if a > {self.rng.randint(-99, 99)}:")
            self.say(8, "return c, w")
        elif form == "loop":
            self.say(4, "for q in range(3):")
            self.say(8, "a, c = c, a + q")
            self.say(8, f"if a > {self.rng.randint(-99, 400)}:")
            self.say(12, "break")
        else:
            self.say(4, f"v = apply(lambda s: s {self.pick('+', '-', '*')} 2, w)")
        self.say(4, f"return (a + c) % 997 + {LEAST}, (v - w) % 512")
        text = self.lines + [""]
        self.lines, self.locals, self.arrays = outer
        self.helpers.append(name)
        return text

    def make(self):
        top = ["import numpy as np", "", "STEPS = (4, -3, 2)", "", "", "def apply(g, s):", "    return g(s)", "", "", "def modest(z):",
               "    return complex(round(z.real * 8) % 4096 / 8, round(z.imag * 8) % 4096 / 8)", "", "", "def small(z):",
               "    return np.complex64(complex(round(z.real * 4) % 64 / 4, round(z.imag * 4) % 64 / 4))", "", "", "def both(a, b):",
               "    return a // 3 - b, a & b", "", "", "def twice(a):", "    return a + a", ""]
        top += CLASSES.split("\n") + self.changing() + ["", ""]
        for _ in range(2):
            top += self.helper()
        self.say(0, f"def f(i, x, k, j, u, b, m, y, z, c, g, {', '.join(WIDTHS)}):")
        for kind, letter in (("I", "a"), ("F", "f"), ("C", "z"), ("S", "s"), ("H", "h"), ("T", "t")):
            for _ in range(3):
                name = self.name(letter)
                self.types[name] = self.pick(*typed.TYPES)
                self.say(4, f"{name} = np.{self.types[name]}({self.typed(1)})" if kind == "T" else f"{name} = {self.value(kind)}")
                self.locals[kind].append(name)
        for text in ("p1 = Pair({n}, {x})", "p2 = moved(p1, {x})", "q3 = Twin({n}, {x})"):
            self.say(4, text.format(n=self.value("I"), x=self.value("F")))
            self.structs.append(text[:2])
        while len(self.lines) < self.size:
            self.block(4, DEPTH)
        self.say(4, "g[i] = " + " - ".join(self.locals["S"]))
        self.say(4, "c[i] = " + " - ".join(self.locals["H"]))
        self.say(4, "k[i] += " + " + ".join([f"int({t} % 1000)" for t in self.locals["T"]] + self.fields("a")))
        self.say(4, "x[i] = (x[i] + " + " - ".join(self.fields("v")) + ") % 512")
        self.say(4, "y[i] = y[i]*0.0 + m[0, 0]*0.0 + " + " + ".join(self.locals["F"] + self.locals["I"] + [f"{z}.real - {z}.imag" for z in self.locals["C"]]))
        return "\n".join(top + self.lines) + "\n"


def inputs(seed):
    rng = np.random.default_rng(seed)
    return {"x": rng.integers(-400, 400, N)/8, "k": rng.integers(-99, 99, N), "j": rng.integers(-9, 9, N).astype("int32"),
            "u": rng.integers(0, 60, N).astype("uint32"), "b": rng.random(N) < 0.5, "m": rng.integers(-40, 40, (ROWS, COLUMNS))/4,
            "y": np.zeros(N), "z": rng.integers(-99, 99, N)/8 + 1j*rng.integers(-99, 99, N)/8,
            "c": (rng.integers(-9, 9, N)/4 + 1j*rng.integers(-9, 9, N)/4).astype("complex64"), "g": (rng.integers(-99, 99, N)/8).astype("float32"),
            **{e: extremes(rng, t) for e, t in WIDTHS.items()}}


def extremes(rng, name):
    """Small and large integers of a type, its least and its greatest."""
    info = np.iinfo(name)
    some = rng.integers(info.min, info.max, N, dtype=name, endpoint=True)
    small = rng.integers(max(info.min, -9), 9, N).astype(name)
    return np.where(rng.random(N) < 0.5, small, np.where(rng.random(N) < 0.2, rng.choice(np.array([info.min, info.max], name), N), some))


class Items(list):
    """A list that compares all its elements, as NumPy's arrays do."""

    def __getitem__(self, at):
        part = super().__getitem__(at)
        return np.array(part) if isinstance(at, slice) else part


def in_python(text, arrays):
    """What the arrays that it writes hold afterwards. Numbers are Python's but where their width counts."""
    space = {"struct": lambda cls: cls}
    exec(compile(text, "program", "exec"), space)
    space.update(typed.NAMES)
    given = {n: v.copy() for n, v in arrays.items()}
    given.update({n: Items(given[n].tolist()) for n in "kjub"}, **{e: typed.Elements(given[e]) for e in WIDTHS})
    for i in range(N):
        space["f"](i, **given)
    return {n: np.array(given[n], arrays[n].dtype) for n in "xkyzcg"} | {e: given[e].values for e in WIDTHS}


def main(folder, count, *words):
    seed = next((int(w[5:]) for w in words if w.startswith("seed=")), 1)
    size = next((int(w[6:]) for w in words if w.startswith("lines=")), 50)
    modes = [w for w in words if "=" not in w]
    if not modes:
        sys.exit(f"programs.py: no mode is given; they are {', '.join(harness.MODES)}")
    wrong = 0
    for n in range(seed, seed + int(count)):
        text, arrays = Program(n, size).text, inputs(n)
        path = os.path.join(folder, f"program{n}.py")
        with open(path, "w") as file:
            file.write(text)
        expected = in_python(text, arrays)
        for mode in modes:
            try:
                got = harness.run(path + ":f", folder, arrays, {}, list(expected), mode, ["--option", "precise=1"])
                differ = [a for a in expected if got[a].tobytes() != expected[a].tobytes() and not np.array_equal(got[a], expected[a])]
            except harness.Failed as error:
                print(error)
                differ = ["everything"]
            if differ:
                wrong += 1
                print(f"seed {n}, {mode}: {', '.join(differ)} differ: {path}")
        if not wrong:
            os.remove(path)
    print(f"{count} programs, {wrong} wrong")


if __name__ == "__main__":
    main(*sys.argv[1:])

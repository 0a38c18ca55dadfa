"""Random programs of the language, compared with plain Python on NumPy's scalars, bit for bit.

    language.py FOLDER [--seed S] [--count N] [--targets host,interp,opencl:0] [--print]

Expressions have the types that they have in NumPy 2; what the language has otherwise is not drawn:
signed integers with uint64, integers with float32, quotients of integers, products and quotients of
complex numbers with real ones, narrow integers, powers of floats (NumPy takes powf, which is up to
1 ULP off). What is there: numbers of nine types, mixed signs, complex numbers, loops of all kinds
with jumps and else parts, tuples, helpers, private arrays, rows, slices and shapes. Programs that
differ are kept in FOLDER, one a file, and the last line counts them.
"""
import argparse
import os
import random
import subprocess
import sys

import numpy as np

LEVELS = (0, 1, 0, 3)  # of optimisation, batch by batch
N, BATCH, ROWS = 6, 10, 3  # elements of arrays, programs in a file, rows of results of each
SIGNED, UNSIGNED = ("int32", "int64"), ("uint32", "uint64")
INTS, FLOATS, COMPLEX = SIGNED + UNSIGNED, ("float32", "float64"), ("complex64", "complex128")
TYPES = (*INTS, *FLOATS, *COMPLEX, "bool")
ARRAYS = {t: "x_" + t for t in TYPES}
ARGUMENTS = [*ARRAYS.values(), "m", "k", "oi", "of", "oz"]


class Writer:
    """One program: lines of its helpers and of its body."""

    def __init__(self, rng, name):
        self.rng, self.name, self.lines, self.helpers = rng, name, [], []
        self.scope, self.fixed, self.lists, self.fresh = [], [], [], 0

    # ---- expressions, each of exactly the type that is asked for ----

    def expr(self, t, depth):
        if depth <= 0 or self.rng.random() < 0.15:
            return self.leaf(t)
        if t == "bool":
            return self.truth(depth)
        makers = [self.same, self.same, self.same, self.choice, self.convert, self.call, self.fold]
        return self.rng.choice(makers)(t, depth - 1)

    def leaf(self, t):
        rng = self.rng
        found = [v for v, u in self.scope + self.fixed if u == t]
        if found and rng.random() < 0.7:
            return rng.choice(found)
        lists = [(v, n) for v, u, n in self.lists if u == t]
        if lists and rng.random() < 0.5:
            v, n = rng.choice(lists)
            return f"{v}[{self.index(n)}]"
        if t == "float64" and rng.random() < 0.3:
            return rng.choice(["m[1, 2]", "m[i % 2, 0]", "m[1][i % 3]", "m[i % m.shape[0], m.shape[1] - 1]"])
        if t == "int32" and rng.random() < 0.2:
            return rng.choice(["k[1, 2]", "k[i % 2][i % 3]"])
        if t == "int64" and rng.random() < 0.2:
            return rng.choice(["np.int64(len(x_int32))", "np.int64(m.shape[1])", "np.int64(m.size)", "np.int64(i)"])
        return f"{ARRAYS[t]}[{rng.choice(['i', 'i', f'{N - 1} - i', str(rng.randrange(N))])}]"

    def index(self, n):
        v = [v for v, u in self.fixed + self.scope if u in ("int32", "int64")]
        if v and self.rng.random() < 0.6:
            return f"{self.rng.choice(v)} % {n}"
        return str(self.rng.randrange(n))

    def literal(self, t):
        rng = self.rng
        if t in INTS:
            n = rng.choice([1, 2, 3, 7, 100, rng.randrange(1, 1000)])
            return f"({-n})" if t in SIGNED and rng.random() < 0.3 else str(n)
        if t in COMPLEX:
            return rng.choice(["2.5", "1j", "(0.5 - 2j)", "3"])
        return rng.choice(["0.5", "2.0", "(-1.25)", "3", "0.1", "1e3"])

    def pair(self, t, depth):
        """Operands whose operation has the type."""
        one = self.rng.random()
        if one < 0.25:
            pair = [self.expr(t, depth), self.literal(t)]
            return pair if self.rng.random() < 0.6 else pair[::-1]
        other = t
        if one > 0.7:
            other = self.rng.choice({
                "int64": ["int32", "uint32"], "uint64": ["uint32", "bool"], "int32": ["bool"],
                "uint32": ["bool"], "float64": ["float32", "int32", "int64", "uint32"],
                "complex128": ["float64", "int32", "complex64"], "complex64": ["float32"],
            }.get(t, [t]))
        if t == "int64" and one > 0.9:
            pair = [self.expr("int32", depth), self.expr("uint32", depth)]
        else:
            pair = [self.expr(t, depth), self.expr(other, depth)]
        return pair if self.rng.random() < 0.5 else pair[::-1]

    def same(self, t, depth):
        rng = self.rng
        a, b = self.pair(t, depth)
        if t in COMPLEX:
            c, d = self.expr(t, depth), self.expr(t, depth)
            return rng.choice([f"({a} {rng.choice('+-')} {b})"]*3 + [
                f"(-{c})", f"{self.var(t)}.conjugate()", f"({c} * {d})", f"({c} / {d})"])
        if t in FLOATS:
            own = self.expr(t, depth)
            return rng.choice([f"({a} {rng.choice('+-*+-*/')} {b})"]*5 + [
                f"({a} {rng.choice(['%', '//'])} {b})", f"(-{own})", f"abs({own})",
                f"np.sqrt({own})", f"np.floor({own})", self.least(t, depth),
                f"{self.var({'float32': 'complex64', 'float64': 'complex128'}[t])}"
                f".{rng.choice(['real', 'imag'])}"])
        own = self.expr(t, depth)
        return rng.choice([f"({a} {rng.choice(['+', '-', '*', '&', '|', '^', '//', '%'])} {b})"]*6 + [
            f"(-{own})", f"(~{own})", f"abs({own})", f"({own} << {rng.randrange(8)})",
            f"({own} >> {rng.randrange(8)})", f"({own})**{rng.randrange(4)}", self.least(t, depth)])

    def var(self, t):
        found = [v for v, u in self.scope if u == t]
        return self.rng.choice(found) if found else f"{ARRAYS[t]}[i]"

    def least(self, t, depth):
        values = ", ".join(self.expr(t, depth) for _ in range(self.rng.randint(2, 3)))
        return f"{self.rng.choice(['min', 'max'])}({values})"

    def choice(self, t, depth):
        return f"({self.expr(t, depth)} if {self.truth(depth)} else {self.expr(t, depth)})"

    def convert(self, t, depth):
        if t in INTS:
            source = self.rng.choice([*INTS, "bool"])
        elif t in FLOATS:
            source = self.rng.choice([*INTS, *FLOATS])
        else:
            source = self.rng.choice([*FLOATS, *COMPLEX])
            if self.rng.random() < 0.3:
                f = "float32" if t == "complex64" else "float64"
                return f"np.{t}(complex({self.expr(f, depth)}, {self.expr(f, depth)}))"
        return f"np.{t}({self.expr(source, depth)})"

    def fold(self, t, depth):
        """A sum or the like of a slice or a row."""
        if t not in INTS and t not in FLOATS:
            return self.same(t, depth)
        a, b = sorted(self.rng.sample(range(N + 1), 2))
        part = f"{ARRAYS[t]}[{a}:{b}]"
        if t == "float64" and self.rng.random() < 0.4:
            part = self.rng.choice(["m[0]", "m[1, :]", "m[:, 1]"])
        how = self.rng.choice(["sum", "min", "max"])
        return f"{how}({part})"

    def call(self, t, depth):
        made = [h for h in self.helpers if h[2] == (t,)]
        if not made or self.rng.random() < 0.3:
            made = [self.helper((t,))]
        name, params, _ = self.rng.choice(made)
        return f"{name}({', '.join(self.expr(p, depth) for p in params)})"

    def truth(self, depth):
        rng, depth = self.rng, depth - 1
        if depth <= 0:
            return self.leaf("bool")
        kind = rng.randrange(8)
        if kind < 4:
            t = rng.choice([*INTS, *FLOATS])
            u = rng.choice(INTS) if t in INTS else t
            op = rng.choice(["<", "<=", ">", ">=", "==", "!="])
            right = self.literal(t) if rng.random() < 0.3 else self.expr(u, depth)
            return f"({self.expr(t, depth)} {op} {right})"
        if kind == 4:
            t = rng.choice([*SIGNED, *FLOATS])
            return f"({self.expr(t, depth)} < {self.expr(t, depth)} <= {self.expr(t, depth)})"
        if kind == 5:
            t = rng.choice(COMPLEX)
            return f"({self.expr(t, depth)} {rng.choice(['==', '!='])} {self.expr(t, depth)})"
        if kind == 6:
            return f"(not {self.truth(depth)})"
        return f"({self.truth(depth)} {rng.choice(['and', 'or', '&', '|', '^'])} {self.truth(depth)})"

    # ---- helpers ----

    def helper(self, results):
        """A function of numbers, whose result is one or a tuple."""
        name = f"{self.name}_h{len(self.helpers)}"
        params = [self.rng.choice(TYPES) for _ in range(self.rng.randint(1, 3))]
        inner = Writer(self.rng, self.name)
        inner.scope = [(f"a{j}", t) for j, t in enumerate(params)]
        inner.leaf = lambda t: inner.argument(t)
        inner.var = inner.leaf
        inner.call = inner.fold = inner.same
        lines = [f"def {name}({', '.join(v for v, _ in inner.scope)}):"]
        values = lambda: ", ".join(inner.expr(t, 2) for t in results)
        if self.rng.random() < 0.5:
            lines += [f"    if {inner.truth(2)}:", f"        return {values()}"]
        lines.append(f"    return {values()}")
        made = (name, params, results)
        self.helpers.append(made)
        self.lines = lines + ["", ""] + self.lines
        return made

    def argument(self, t):
        found = [v for v, u in self.scope if u == t]
        if found:
            return self.rng.choice(found)
        of = {"bool": SIGNED + FLOATS, "float32": INTS + FLOATS, "float64": INTS + FLOATS}.get(t, INTS)
        found = [v for v, u in self.scope if u in (FLOATS + COMPLEX if t in COMPLEX else of)]
        if t == "bool":
            return f"({self.rng.choice(found)} > 2)" if found else "np.bool_(True)"
        value = self.rng.choice(found) if found else "7"
        return f"np.{t}({value})"

    # ---- statements ----

    def put(self, indent, text):
        self.body.append("    "*indent + text)

    def name_of(self, letter="v"):
        self.fresh += 1
        return f"{letter}{self.fresh}"

    def block(self, indent, depth, loop=False):
        before = len(self.body)
        for _ in range(self.rng.randint(1, 3)):
            self.statement(indent, depth, loop)
        if loop and self.rng.random() < 0.25:
            self.put(indent, f"if {self.truth(2)}:")
            self.put(indent + 1, self.rng.choice(["break", "continue"]))
        if len(self.body) == before:
            self.put(indent, "pass")

    def statement(self, indent, depth, loop):
        kinds = [self.assign]*3 + [self.augment]*2 + [self.swap, self.unpack, self.store]
        if depth:
            kinds += [self.branch, self.count, self.count, self.repeat, self.over]
        self.rng.choice(kinds)(indent, depth, loop)

    def assign(self, indent, depth, loop):
        v, t = self.rng.choice(self.scope)
        self.put(indent, f"{v} = {self.expr(t, 3)}")

    def augment(self, indent, depth, loop):
        v, t = self.rng.choice([p for p in self.scope if p[1] != "bool"] or self.scope)
        if t == "bool":
            self.put(indent, f"{v} {self.rng.choice('&|^')}= {self.truth(2)}")
            return
        ops = "+-*" if t not in INTS else self.rng.choice(["+-*", "&|^"])
        if t in COMPLEX:
            ops = "+-"
        value = self.literal(t) if self.rng.random() < 0.3 else self.expr(t, 2)
        if t not in INTS or value[0] != "(" or not value[1:2] == "-":
            self.put(indent, f"{v} {self.rng.choice(ops)}= {value}")

    def swap(self, indent, depth, loop):
        t = self.rng.choice([u for _, u in self.scope])
        same = [v for v, u in self.scope if u == t]
        if len(same) > 1:
            a, b = self.rng.sample(same, 2)
            self.put(indent, f"{a}, {b} = {b}, {self.expr(t, 2)}")

    def unpack(self, indent, depth, loop):
        targets = self.rng.sample(self.scope, min(len(self.scope), self.rng.randint(2, 3)))
        types = tuple(t for _, t in targets)
        name, params, _ = self.helper(types)
        call = f"{name}({', '.join(self.expr(p, 2) for p in params)})"
        if self.rng.random() < 0.5:
            self.put(indent, f"{', '.join(v for v, _ in targets)} = {call}")
            return
        t = self.name_of("t")
        self.put(indent, f"{t} = {call}")
        for at, (v, _) in enumerate(targets):
            self.put(indent, f"{v} = {t}[{at}]")

    def store(self, indent, depth, loop):
        if not self.lists:
            return
        v, t, n = self.rng.choice(self.lists)
        op = "=" if t in COMPLEX + ("bool",) or self.rng.random() < 0.6 else "+="
        self.put(indent, f"{v}[{self.index(n)}] {op} {self.expr(t, 2)}")

    def branch(self, indent, depth, loop):
        self.put(indent, f"if {self.truth(3)}:")
        self.block(indent + 1, depth - 1, loop)
        if self.rng.random() < 0.4:
            self.put(indent, f"elif {self.truth(2)}:")
            self.block(indent + 1, depth - 1, loop)
        if self.rng.random() < 0.5:
            self.put(indent, "else:")
            self.block(indent + 1, depth - 1, loop)

    def otherwise(self, indent, depth, loop):
        if self.rng.random() < 0.3:
            self.put(indent, "else:")
            self.block(indent + 1, depth - 1, loop)

    def inside(self, indent, depth, fixed):
        self.fixed += fixed
        self.block(indent + 1, depth - 1, True)
        del self.fixed[len(self.fixed) - len(fixed):]

    def count(self, indent, depth, loop):
        rng, j = self.rng, self.name_of("j")
        bounds = rng.choice([f"{rng.randint(0, 5)}", f"{rng.randint(-3, 3)}, {rng.randint(0, 5)}",
                             f"{rng.randint(2, 5)}, {rng.randint(-3, 1)}, {rng.choice([-1, -2])}",
                             f"0, {rng.randint(1, 9)}, {rng.randint(1, 3)}", "i", "len(x_bool) - 2",
                             "m.shape[0]", "i, m.shape[1]"])
        self.put(indent, f"for {j} in range({bounds}):")
        self.inside(indent, depth, [(f"np.int32({j})", "int32")])
        self.otherwise(indent, depth, loop)

    def repeat(self, indent, depth, loop):
        w = self.name_of("w")
        self.put(indent, f"{w} = 0")
        self.put(indent, f"while {w} < {self.rng.randint(0, 4)}{self.rng.choice(['', ' and ' + self.truth(2)])}:")
        self.put(indent + 1, f"{w} += 1")
        self.inside(indent, depth, [(f"np.int32({w})", "int32")])
        self.otherwise(indent, depth, loop)

    def over(self, indent, depth, loop):
        """Over elements: of an array, a slice, a row, a private array, several of them."""
        rng, e, t = self.rng, self.name_of("e"), self.rng.choice(TYPES)
        kind = rng.randrange(6)
        fixed, target = [(e, t)], e
        of = [(v, u) for v, u, _ in self.lists]
        what = ARRAYS[t]
        if kind == 0 and of:
            what, t = rng.choice(of)
            fixed = [(e, t)]
        elif kind == 1:
            what = f"({', '.join(self.expr(t, 2) for _ in range(3))})"
        elif kind == 2:
            what, fixed = f"m[{rng.randrange(2)}]", [(e, "float64")]
        elif kind == 3:
            a = rng.randrange(N)
            what = f"{ARRAYS[t]}[{a}:{rng.randint(a, N)}]"
        elif kind == 4:
            j = self.name_of("j")
            what, target = f"enumerate({what})", f"{j}, {e}"
            fixed.append((f"np.int32({j})", "int32"))
        else:
            u, f = rng.choice(TYPES), self.name_of("e")
            what, target = f"zip({what}, {ARRAYS[u]})", f"{e}, {f}"
            fixed.append((f, u))
        self.put(indent, f"for {target} in {what}:")
        self.inside(indent, depth, fixed)

    def results(self, row):
        self.put(1, f"of[{row*ROWS}, i] += m[0, 0]*k[1, 1]")  # both have two dimensions
        for j in range(ROWS):
            at = f"{row*ROWS + j}, i"
            self.put(1, f"oi[{at}] = {self.expr(self.rng.choice([*SIGNED, 'uint32', 'bool']), 3)}")
            self.put(1, f"of[{at}] = {self.expr(self.rng.choice(FLOATS), 3)}")
            self.put(1, f"oz[{at}] = {self.expr(self.rng.choice(COMPLEX), 3)}")
        for at, (v, t) in enumerate(self.scope[:3]):
            to = "oi" if t in INTS + ("bool",) else "of" if t in FLOATS else "oz"
            self.put(1, f"{to}[{row*ROWS + at}, i] {'=' if to == 'oi' else '+='} {v if t != 'uint64' else f'np.int64({v})'}")

    def program(self, row):
        self.body, rng = [], self.rng
        for _ in range(rng.randint(2, 5)):
            v, t = self.name_of(), rng.choice(TYPES)
            self.put(1, f"{v} = {self.expr(t, 2)}")
            self.scope.append((v, t))
        for _ in range(rng.randint(0, 2)):
            q, t, n = self.name_of("q"), rng.choice(TYPES), rng.randint(2, 4)
            if rng.random() < 0.5:
                self.put(1, f"{q} = np.zeros({n}, np.{t}{'_' if t == 'bool' else ''})")
            else:
                self.put(1, f"{q} = [{', '.join(self.expr(t, 2) for _ in range(n))}]")
            self.lists.append((q, t, n))
        for _ in range(rng.randint(2, 5)):
            self.statement(1, 2, False)
        self.results(row)
        head = f"def {self.name}(i, {', '.join(ARGUMENTS)}):"
        return "\n".join([*self.lines, head, *self.body]) + "\n\n\n"


def entry(names):
    lines = [f"def run(i, {', '.join(ARGUMENTS)}):"]
    return "\n".join(lines + [f"    {n}(i, {', '.join(ARGUMENTS)})" for n in names]) + "\n"


def arguments(seed):
    rng = np.random.default_rng(seed)
    made = {}
    for t in TYPES:
        if t == "bool":
            x = rng.integers(0, 2, N) == 1
        elif t in INTS:
            info = np.iinfo(t)
            x = rng.integers(info.min, info.max, N, t, endpoint=True)
            small = rng.random(N) < 0.6
            x[small] = rng.integers(0, 20, N)[small].astype(t)
            if t in SIGNED:
                x[rng.random(N) < 0.3] *= -1
        else:
            x = (rng.integers(-40, 40, N)/rng.choice([1, 2, 4, 3], N)).astype(t)
            if t in COMPLEX:
                x += (1j*rng.integers(-9, 9, N)/2).astype(t)
        made[ARRAYS[t]] = x
    made["m"] = rng.integers(-9, 9, (2, 3))/4
    made["k"] = rng.integers(-99, 99, (2, 3)).astype("int32")
    return made


def outputs(count):
    shape = (count*ROWS, N)
    return {"oi": np.zeros(shape, np.int64), "of": np.zeros(shape), "oz": np.zeros(shape, complex)}


def in_python(text, args, count):
    space, out = {}, outputs(count)
    exec("import numpy as np\n" + text, space)
    with np.errstate(all="ignore"):
        for i in range(N):
            space["run"](i, **args, **out)
    return out


def in_cplc(text, args, seed, target, folder):
    path = os.path.join(folder, "run.py")
    with open(path, "w") as file:
        file.write("import numpy as np\n\n\n" + text)
    words = ["cplc", "run", f"{path}:run", f"--target={target}", "--option", "precise=1"]
    words.append(f"-O{LEVELS[seed//BATCH % len(LEVELS)]}")
    for name, x in {**args, **outputs(BATCH)}.items():
        np.save(os.path.join(folder, name + ".npy"), x)
        words.append(f"{name}={folder}/{name}.npy")
    for name in ("oi", "of", "oz"):
        words += ["--out", f"{name}={folder}/out-{name}.npy"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        return done.stderr
    return {name: np.load(f"{folder}/out-{name}.npy") for name in ("oi", "of", "oz")}


def differ(expected, found):
    if isinstance(found, str):
        errors = [line for line in found.splitlines() if "error" in line]
        return (errors or [found.strip() or "it crashed"])[0]
    for name, a in expected.items():
        b = found[name]
        same = (a == b) | ((a != a) & (b != b))
        if a.dtype.kind == "c":
            part = lambda x, y: (x == y) | ((x != x) & (y != y))
            same = part(a.real, b.real) & part(a.imag, b.imag)
        if not same.all():
            at = tuple(int(v) for v in np.argwhere(~same)[0])
            return f"{name}{list(at)}: {b[at]!r}, Python has {a[at]!r}"
    return None


def compare(programs, seed, targets, folder):
    """The names of those that differ, each with where and how."""
    text = "".join(t for _, t in programs) + entry([n for n, _ in programs])
    args = arguments(seed)
    try:
        expected = in_python(text, args, BATCH)
    except (OverflowError, ZeroDivisionError, ValueError) as e:
        if len(programs) == 1:
            return {programs[0][0]: f"plain Python: {e!r}"}
        expected = None
    why = {}
    if expected:
        why = {t: differ(expected, in_cplc(text, args, seed, t, folder)) for t in targets}
        if not any(why.values()):
            return {}
    if len(programs) == 1:
        return {programs[0][0]: "; ".join(f"{t}: {w}" for t, w in why.items() if w)}
    half = len(programs)//2
    return {**compare(programs[:half], seed, targets, folder),
            **compare(programs[half:], seed, targets, folder)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--targets", default="host,interp")
    parser.add_argument("--print", action="store_true")
    o = parser.parse_args()
    os.makedirs(o.folder, exist_ok=True)
    differing = 0
    for seed in range(o.seed, o.seed + o.count, BATCH):
        rng = random.Random(seed)
        count = min(BATCH, o.seed + o.count - seed)
        programs = [(f"p{j}", Writer(rng, f"p{j}").program(j)) for j in range(count)]
        if o.print:
            print("".join(t for _, t in programs))
            continue
        for name, why in compare(programs, seed, o.targets.split(","), o.folder).items():
            differing += 1
            path = os.path.join(o.folder, f"seed-{seed}-{name}.py")
            with open(path, "w") as file:
                file.write(f"# {why}\n" + dict(programs)[name])
            print(f"{path}: {why}", flush=True)
    if not o.print:
        print(f"{o.count} programs compared, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())

"""Random programs of the language: a Writer has the text of one. language.py says what is drawn."""
from language_values import VECTORS, lane_names

N, ROWS = 6, 3  # elements of arrays, rows of results of each program
SIGNED, UNSIGNED = ("int32", "int64"), ("uint32", "uint64")
INTS, FLOATS, COMPLEX = SIGNED + UNSIGNED, ("float32", "float64"), ("complex64", "complex128")
TYPES = (*INTS, *FLOATS, *COMPLEX, "bool")
ARRAYS = {t: "x_" + t for t in TYPES}
ARRAYS.update({v: "x_" + v for v in VECTORS})
ARGUMENTS = [*ARRAYS.values(), "m", "k", "t", "oi", "of", "oz"]
WHOLE = ["+", "-", "*", "&", "|", "^", "//", "%"]  # of integers
PLACES = {
    "float64": ["m[1, 2]", "m[i % 2, 0]", "m[1][i % 3]", "m[i % m.shape[0], m.shape[1] - 1]"],
    "int32": ["k[1, 2]", "k[i % 2][i % 3]"],
    "int64": [f"np.int64({n})" for n in ("len(x_int32)", "m.shape[1]", "m.size", "i")],
    "float32": ["t[i % 2, 1, 3]", "t[1, i % t.shape[1], 0]", "t[1][2][i % 4]", "t[0, 2][1]"],
}
LINES = {"float64": ["m[1]", "m[:, 2]"], "float32": ["t[1, 2]", "t[:, 1, 0]"],
         "int32": ["k[0]", "k[:, 1]"]}
DEFAULTS = ["0.5", "2.0", "(-1.25)", "3", "8"]  # the same in all types of floats


class Writer:
    """One program: lines of its helpers and of its body."""

    def __init__(self, rng, name):
        self.rng, self.name, self.lines, self.helpers = rng, name, [], []
        self.scope, self.fixed, self.lists, self.fresh = [], [], [], 0
        self.structs = {}  # name: (fields and their types, (method, parameter, result), operators)

    # ---- expressions, each of exactly the type that is asked for ----

    def expr(self, t, depth):
        if depth <= 0 or self.rng.random() < 0.15:
            return self.leaf(t)
        if t == "bool":
            return self.truth(depth)
        if t in self.structs:
            makers = [self.structure, self.structure, self.choice, self.call]
            return self.rng.choice(makers)(t, depth - 1)
        makers = [self.same, self.same, self.same, self.choice, self.convert, self.call, self.apply]
        if t in VECTORS:
            makers[4] = self.lanes
        makers += [self.same if t in VECTORS else self.fold, self.method]
        return self.rng.choice(makers)(t, depth - 1)

    def leaf(self, t):
        rng = self.rng
        found = [v for v, u in self.scope + self.fixed if u == t]
        if found and rng.random() < 0.7:
            return rng.choice(found)
        part = self.part(t)
        if part and rng.random() < 0.4:
            return part
        if t in self.structs:
            return rng.choice(found) if found else self.structure(t, 0)
        lists = [(v, n) for v, u, n in self.lists if u == t]
        if lists and rng.random() < 0.5:
            v, n = rng.choice(lists)
            return f"{v}[{self.index(n)}]"
        if t in PLACES and rng.random() < 0.2:
            return rng.choice(PLACES[t])
        return f"{ARRAYS[t]}[{self.place()}]"

    def place(self):
        return self.rng.choice(["i", "i", f"{N - 1} - i", str(self.rng.randrange(N))])

    def part(self, t):
        """A field, or a lane, of that type, of what stands there."""
        found = []
        for v, u in self.scope + self.fixed:
            found += [f"{v}.{name}" for name, kind in self.structs.get(u, ([],))[0] if kind == t]
            if u in VECTORS and VECTORS[u][0] == t:
                found += [self.lane(v, u)]
        if "x_bool" in self.seen():
            of = [v for v in VECTORS if VECTORS[v][0] == t]
            found += [self.lane(f"{ARRAYS[v]}[{self.place()}]", v) for v in of]
        return self.rng.choice(found) if found else None

    def lane(self, v, kind):
        size = VECTORS[kind][1]
        if self.rng.random() < 0.5:
            return f"{v}.{self.rng.choice(lane_names(size))}"
        return f"{v}[{self.index(size)}]"

    def seen(self):
        """The arrays that there are: helpers have none."""
        return ARGUMENTS

    def index(self, n):
        v = [v for v, u in self.fixed + self.scope if u in ("int32", "int64")]
        if v and self.rng.random() < 0.6:
            return f"{self.rng.choice(v)} % {n}"
        return str(self.rng.randrange(n))

    def literal(self, t):
        rng, t = self.rng, VECTORS.get(t, [t])[0]
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
        if t in VECTORS and one > 0.5:
            other = VECTORS[t][0]
        elif one > 0.7:
            other = self.rng.choice({
                "int64": ["int32", "uint32"], "uint64": ["uint32", "bool"], "int32": ["bool"],
                "uint32": ["bool"], "float64": ["float32", "int32", "int64", "uint32"],
                "complex128": ["float64", "float32", "int32", "uint64", "complex64"],
                "complex64": ["float32", "int32", "bool"],
            }.get(t, [t]))
        if t == "int64" and one > 0.9:
            pair = [self.expr("int32", depth), self.expr("uint32", depth)]
        else:
            pair = [self.expr(t, depth), self.expr(other, depth)]
        return pair if self.rng.random() < 0.5 else pair[::-1]

    def same(self, t, depth):
        rng = self.rng
        if t in VECTORS:
            return self.lane_by_lane(t, depth)
        if t in self.structs:
            return self.structure(t, depth)
        a, b = self.pair(t, depth)
        if t in COMPLEX:
            c, d = self.expr(t, depth), self.expr(t, depth)
            return rng.choice([f"({a} {rng.choice('+-*/')} {b})"]*4 + [
                f"(-{c})", f"{self.var(t)}.conjugate()", f"({c} * {d})", f"({c} / {d})"])
        if t in FLOATS:
            own = self.expr(t, depth)
            return rng.choice([f"({a} {rng.choice('+-*+-*/')} {b})"]*5 + [
                f"({a} {rng.choice(['%', '//'])} {b})", f"(-{own})", f"abs({own})",
                f"np.sqrt({own})", f"np.floor({own})", self.least(t, depth),
                f"{self.var({'float32': 'complex64', 'float64': 'complex128'}[t])}"
                f".{rng.choice(['real', 'imag'])}"])
        own = self.expr(t, depth)
        return rng.choice([f"({a} {rng.choice(WHOLE)} {b})"]*6 + [
            f"(-{own})", f"(~{own})", f"abs({own})", f"({own} << {rng.randrange(8)})",
            f"({own} >> {rng.randrange(8)})", f"({own})**{rng.randrange(4)}", self.least(t, depth)])

    def lane_by_lane(self, t, depth):
        rng, own = self.rng, self.expr(t, depth)
        a, b = self.pair(t, depth)
        if VECTORS[t][0] in FLOATS:
            return rng.choice([f"({a} {rng.choice('+-*+-*/')} {b})"]*5 + [
                f"({a} {rng.choice(['%', '//'])} {b})", f"(-{own})", f"abs({own})",
                f"np.sqrt({own})", f"np.floor({own})", self.least(t, depth)])
        return rng.choice([f"({a} {rng.choice(WHOLE)} {b})"]*5 + [
            f"(-{own})", f"(~{own})", f"({own} << {rng.randrange(8)})",
            f"({own} >> {rng.randrange(8)})", self.least(t, depth)])

    def lanes(self, t, depth):
        """A vector made of lanes, of shorter ones, of one number, of another one."""
        rng, (kind, size) = self.rng, VECTORS[t]
        how = rng.randrange(4)
        if how == 0:
            return f"{t}({self.expr(kind, depth)})"
        if how == 1:
            return f"{t}({self.expr(t, depth)})"
        values = [self.expr(kind, min(depth, 1)) for _ in range(size)]
        halves = {"float8": "float4"}
        if how == 2 and t in halves:
            values[:4] = [self.expr(halves[t], depth)]
        return f"{t}({', '.join(values)})"

    # ---- structs ----

    def struct(self):
        """A class of fields, methods that read them, one that writes them, and operators."""
        rng, name = self.rng, f"{self.name}_S{len(self.structs)}"
        kinds = [*INTS, *FLOATS, *VECTORS, *self.structs]
        fields = [(f"f{j}", rng.choice(kinds)) for j in range(rng.randint(1, 4))]
        lines = ["@struct", f"class {name}:", *(f"    {f}: '{t}'" for f, t in fields), ""]
        methods, operators = [], []
        for j in range(rng.randint(0, 2)):
            result, param = rng.choice([*INTS, *FLOATS]), rng.choice(TYPES)
            inner = self.inside_of([("a0", param)], {"self": fields})
            lines += [f"    def get{j}(self, a0):", f"        return {inner.expr(result, 2)}", ""]
            methods.append((f"get{j}", param, result))
        put, param = rng.choice(fields), rng.choice(TYPES)
        if put[1] not in self.structs:
            inner = self.inside_of([("a0", param)], {"self": fields})
            value = inner.expr(put[1], 2)
            lines += ["    def put(self, a0):", f"        self.{put[0]} = {value}", ""]
            methods.append(("put", param, None))
        for operator, sign in (("add", "+"), ("mul", "*"), ("neg", "-")):
            if rng.random() < 0.5:
                names = ["self"] if sign == "-" else ["self", "o"]
                inner = self.inside_of([], dict.fromkeys(names, fields))
                values = ", ".join(inner.expr(t, 1) for _, t in fields)
                lines += [f"    def __{operator}__({', '.join(names)}):",
                          f"        return {name}({values})", ""]
                operators.append(sign)
        self.structs[name] = (fields, methods, operators)
        self.lines += lines + [""]

    def inside_of(self, scope, selves):
        """A writer for a method: its parameters, and the fields of the structs that it has."""
        inner = self.inner(scope)
        for v, fields in selves.items():
            inner.scope += [(f"{v}.{f}", t) for f, t in fields]
        return inner

    def structure(self, t, depth):
        rng, (fields, _, operators) = self.rng, self.structs[t]
        if depth > 0 and operators and rng.random() < 0.6:
            sign, a = rng.choice(operators), self.expr(t, depth - 1)
            return f"(-{a})" if sign == "-" else f"({a} {sign} {self.expr(t, depth - 1)})"
        values = [(f, self.expr(u, min(depth, 1))) for f, u in fields]
        if rng.random() < 0.3:
            rng.shuffle(values)
            return f"{t}({', '.join(f'{f}={v}' for f, v in values)})"
        return f"{t}({', '.join(v for _, v in values)})"

    def method(self, t, depth):
        found = [(s, m) for s, (_, made, _) in self.structs.items() for m in made if m[2] == t]
        if not found:
            return self.same(t, depth)
        kind, (name, param, _) = self.rng.choice(found)
        return f"{self.expr(kind, depth)}.{name}({self.expr(param, depth)})"

    # ---- functions as arguments ----

    def apply(self, t, depth):
        """A helper that calls what it is given: a lambda, one with a name, a function."""
        rng, params = self.rng, [self.rng.choice(TYPES) for _ in range(self.rng.randint(1, 2))]
        known = [h for h in self.helpers if h[2] == (t,) and h[0][-1] != "k" and len(h[1]) < 3]
        if known and rng.random() < 0.3:
            given, params, _ = rng.choice(known)
        else:
            names = [f"b{j}" for j in range(len(params))]
            given = f"lambda {', '.join(names)}: {self.inner(list(zip(names, params))).expr(t, 2)}"
            if rng.random() < 0.3:
                name = self.name_of(f"{self.name}_l")
                self.lines = [f"{name} = {given}", "", ""] + self.lines
                given = name
        count = len(params)
        if t in INTS + FLOATS and set(params) == {t} and count == 2 and rng.random() < 0.5:
            return f"folded({given}, {rng.choice([ARRAYS[t], *LINES.get(t, [])])})"
        return f"applied{count}({given}, {', '.join(self.expr(p, depth) for p in params)})"

    def inner(self, scope):
        """A writer of an expression that sees nothing but these."""
        inner = Writer(self.rng, self.name)
        inner.scope = scope
        inner.leaf, inner.seen = inner.argument, lambda: []
        inner.var = inner.leaf
        inner.fold = inner.method = inner.apply = inner.same
        inner.structs = self.structs
        inner.known, inner.call = self.helpers, inner.call_known
        return inner

    def call_known(self, t, depth):
        made = [h for h in self.known if h[2] == (t,)]
        return self.called(self.rng.choice(made), depth) if made else self.same(t, depth)

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
        return self.called(self.rng.choice(made), depth)

    def called(self, made, depth):
        """A call of a helper, the arguments behind its star by their names; some have defaults."""
        name, params, _ = made
        values = [self.expr(p, depth) for p in params]
        if name[-1] != "k":
            return f"{name}({', '.join(values)})"
        named = [f"a{j}={v}" for j, v in enumerate(values)][1:]
        self.rng.shuffle(named)
        if self.rng.random() < 0.5:
            named.append(f"d={self.rng.choice(DEFAULTS)}")
        return f"{name}({', '.join(values[:1] + named)})"

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
        op = rng.choice(["and", "or", "&", "|", "^"])
        return f"({self.truth(depth)} {op} {self.truth(depth)})"

    # ---- helpers ----

    def helper(self, results, nested=False):
        """A function of numbers, whose result is one or a tuple."""
        rng, name = self.rng, f"{self.name}_h{len(self.helpers)}"
        kinds = [*TYPES, *TYPES, *VECTORS, *self.structs]
        params = [rng.choice(kinds) for _ in range(rng.randint(1, 3))]
        names = [f"a{j}" for j in range(len(params))]
        inner = self.inner(list(zip(names, params)))
        if rng.random() < 0.3:  # keywords alone, behind the first
            name, names = name + "k", [*names[:1], "*", *names[1:], f"d={rng.choice(DEFAULTS)}"]
            inner.fixed = [(f"np.{t}(d)", t) for t in FLOATS]
        lines = [f"def {name}({', '.join(names)}):"]
        for a, t in inner.scope:
            if t in VECTORS and rng.random() < 0.3:
                lane = rng.choice(lane_names(VECTORS[t][1]))
                lines.append(f"    {a}.{lane} = {inner.expr(VECTORS[t][0], 1)}")

        def values():
            made = [inner.expr(t, 2) for t in results]
            return f"({made[0]}, {made[1]}), {made[2]}" if nested else ", ".join(made)

        if rng.random() < 0.5:
            lines += [f"    if {inner.truth(2)}:", f"        return {values()}"]
        lines.append(f"    return {values()}")
        self.helpers.append((name, params, ("nested",) if nested else results))
        self.lines += lines + ["", ""]
        return self.helpers[-1]

    def argument(self, t):
        found = [v for v, u in self.scope + self.fixed if u == t]
        part = self.part(t)
        if part and (not found or self.rng.random() < 0.3):
            return part
        if found:
            return self.rng.choice(found)
        if t in VECTORS:
            return f"{t}({self.argument(VECTORS[t][0])})"
        if t in self.structs:
            return self.structure(t, 0)
        kinds = FLOATS + COMPLEX if t in COMPLEX else SIGNED + FLOATS if t == "bool" else (
            INTS + FLOATS if t in FLOATS else INTS)
        found = [v for v, u in self.scope if u in kinds]
        lanes = [(v, u) for v, u in self.scope if u in VECTORS and VECTORS[u][0] in kinds]
        found += [self.lane(v, u) for v, u in lanes]
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
        kinds = [self.assign]*3 + [self.augment]*2 + [self.put_in]*2 + [
            self.swap, self.unpack, self.store]
        if depth:
            kinds += [self.branch, self.count, self.count, self.repeat, self.over]
        self.rng.choice(kinds)(indent, depth, loop)

    def assign(self, indent, depth, loop):
        v, t = self.rng.choice(self.scope)
        self.put(indent, f"{v} = {self.expr(t, 3)}")

    def put_in(self, indent, depth, loop):
        """A lane, a field, or a method that writes one."""
        v, t = self.rng.choice(self.scope)
        if t in VECTORS:
            op = self.rng.choice(["=", "+="])
            self.put(indent, f"{self.lane(v, t)} {op} {self.expr(VECTORS[t][0], 2)}")
        elif t in self.structs:
            fields, methods, _ = self.structs[t]
            puts = [m for m in methods if m[2] is None]
            if puts and self.rng.random() < 0.5:
                self.put(indent, f"{v}.put({self.expr(puts[0][1], 2)})")
            else:
                f, u = self.rng.choice(fields)
                self.put(indent, f"{v}.{f} = {self.expr(u, 2)}")

    def augment(self, indent, depth, loop):
        v, t = self.rng.choice([p for p in self.scope if p[1] != "bool"] or self.scope)
        if t in self.structs:
            signs = [o for o in self.structs[t][2] if o != "-"]
            if signs:
                self.put(indent, f"{v} {signs[0]}= {self.expr(t, 2)}")
            return
        if t in VECTORS:
            value = self.expr(self.rng.choice([t, VECTORS[t][0]]), 2)
            self.put(indent, f"{v} {self.rng.choice('+-*')}= {value}")
            return
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
        nested = len(targets) == 3 and self.rng.random() < 0.4
        call = self.called(self.helper(types, nested), 2)
        if nested:
            self.put(indent, f"({targets[0][0]}, {targets[1][0]}), {targets[2][0]} = {call}")
            return
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
        if t in VECTORS and self.rng.random() < 0.5:
            v, n, t = f"{v}[{self.index(n)}]", VECTORS[t][1], VECTORS[t][0]
        elif t in self.structs and self.rng.random() < 0.7:
            f, u = self.rng.choice(self.structs[t][0])
            self.put(indent, f"{v}[{self.index(n)}].{f} = {self.expr(u, 2)}")
            return
        op = "+=" if t in INTS + FLOATS and self.rng.random() < 0.4 else "="
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
                             "m.shape[0]", "i, m.shape[1]", "t.shape[2]"])
        self.put(indent, f"for {j} in range({bounds}):")
        self.inside(indent, depth, [(f"np.int32({j})", "int32")])
        self.otherwise(indent, depth, loop)

    def repeat(self, indent, depth, loop):
        w = self.name_of("w")
        self.put(indent, f"{w} = 0")
        more = self.rng.choice(["", f" and {self.truth(2)}"])
        self.put(indent, f"while {w} < {self.rng.randint(0, 4)}{more}:")
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
        # Each array has as many dimensions as it is subscripted with.
        self.put(1, f"of[{row*ROWS}, i] += m[0, 0]*k[1, 1] + t[0, 0, 0]")
        for j in range(ROWS):
            at = f"{row*ROWS + j}, i"
            self.put(1, f"oi[{at}] = {self.expr(self.rng.choice([*SIGNED, 'uint32', 'bool']), 3)}")
            self.put(1, f"of[{at}] = {self.expr(self.rng.choice(FLOATS), 3)}")
            self.put(1, f"oz[{at}] = {self.expr(self.rng.choice(COMPLEX), 3)}")
        for at, (v, t) in enumerate(self.shown(self.scope)[:ROWS]):
            to = "oi" if t in INTS + ("bool",) else "of" if t in FLOATS else "oz"
            value = f"np.int64({v})" if t == "uint64" else v
            self.put(1, f"{to}[{row*ROWS + at}, i] {'=' if to == 'oi' else '+='} {value}")

    def shown(self, values):
        """Numbers: the fields of structs, a lane of vectors."""
        made = []
        for v, t in values:
            if t in VECTORS:
                made.append((f"{v}[{self.index(VECTORS[t][1])}]", VECTORS[t][0]))
            elif t in self.structs:
                made += self.shown([(f"{v}.{f}", u) for f, u in self.structs[t][0]])
            else:
                made.append((v, t))
        self.rng.shuffle(made)
        return made

    def program(self, row):
        self.body, rng = [], self.rng
        for _ in range(rng.choice([0, 0, 1, 2])):
            self.struct()
        kinds = [*TYPES, *VECTORS, *list(self.structs)*3]
        for _ in range(rng.randint(2, 5)):
            v, t = self.name_of(), rng.choice(kinds)
            if rng.random() < 0.2:
                self.put(1, f"{v} = declare('{t}')")
            self.put(1, f"{v} = {self.expr(t, 2)}")
            self.scope.append((v, t))
        for _ in range(rng.randint(0, 2)):
            q, t, n = self.name_of("q"), rng.choice(kinds), rng.randint(2, 4)
            if t in TYPES and rng.random() < 0.5:
                self.put(1, f"{q} = np.zeros({n}, np.{t}{'_' if t == 'bool' else ''})")
            else:
                self.put(1, f"{q} = [{', '.join(self.expr(t, 2) for _ in range(n))}]")
            self.lists.append((q, t, n))
        for _ in range(rng.randint(2, 5)):
            self.statement(1, 2, False)
        self.results(row)
        head = f"def {self.name}(i, {', '.join(ARGUMENTS)}):"
        return "\n".join([*self.lines, head, *self.body]) + "\n\n\n"


COMMON = """def applied1(f, a):
    return f(a)


def applied2(f, a, b):
    return f(a, b)


def folded(f, p):
    s = p[0]
    for j in range(1, len(p)):
        s = f(s, p[j])
    return s


"""


def entry(names):
    lines = [f"def run(i, {', '.join(ARGUMENTS)}):"]
    return "\n".join(lines + [f"    {n}(i, {', '.join(ARGUMENTS)})" for n in names]) + "\n"

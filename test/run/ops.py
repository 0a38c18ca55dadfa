# Every op of lib/ir/op.def that gives a value, for every type it admits: compiled at -O0 and -O3 and interpreted, compared with NumPy and
# libm. Integers and basic float arithmetic must agree bit for bit, mathematics within a few units in the last place. With a third argument, on
# that device of harness.DEVICES or GPUS.
# RUN: rm -rf %t && mkdir -p %t && %python %s %root %t

import ctypes
import ctypes.util
import functools
import os
import re
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
import harness

INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
SCALARS = ["bool"] + INTS + FLOATS
ATOMICS = ["int32", "int64", "uint32", "uint64", "float32", "float64"]
# Which first operands a letter of op.def admits.
LETTERS = {"n": INTS + FLOATS, "i": INTS, "f": FLOATS, "k": ["bool"] + INTS, "s": SCALARS, "v": SCALARS}
# Largest distance allowed to the true value, in units in the last place; libm states 10 for the gamma functions.
ULPS = {"TGAMMA": 10, "LGAMMA": 10}
MATH_ULPS = 4
# On devices: the limits of the OpenCL C specification (7.4), which has none for lgamma.
DEVICE_ULPS = {"TGAMMA": 16, "LGAMMA": None, "POW": 16, "ERF": 16, "ERFC": 16, "ATAN2": 6, "ATAN": 5, "ATANH": 5, "TAN": 5, "TANH": 5}
# Rows that stand for no value of their own, or need a device: tested by the kernels of this folder and by the passes' tests.
OTHERS = {"CALL", "ASSIGN", "EVAL", "IF", "WHILE", "FOR", "PARALLEL_FOR", "FORK", "BREAK", "CONTINUE", "RETURN", "PRINTF", "BARRIER",
          "FENCE", "NANOSLEEP", "ASSERT", "ASSUME", "FAULT", "WITHIN", "LOCAL_ID", "LOCAL_SIZE", "GROUP_ID", "GROUP_COUNT", "SUBGROUP_SIZE",
          "LANE", "WORKER", "SHUFFLE", "SHUFFLE_XOR", "SHUFFLE_UP", "SHUFFLE_DOWN", "BALLOT", "SUBGROUP_ADD", "SUBGROUP_MIN", "SUBGROUP_MAX",
          "SUBGROUP_SCAN_ADD", "SUBGROUP_SCAN_MIN", "SUBGROUP_SCAN_MAX"}
UNARY_LD = ("sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p cbrt erf erfc tgamma "
            "lgamma").split()
BINARY_LD = "pow atan2 hypot fdim remainder".split()

MAX_PARAMETERS = 60

libm = ctypes.CDLL(ctypes.util.find_library("m"))
rng = np.random.default_rng(20240614)


def calc(t):
    """The type that float arithmetic on t is done in."""
    return np.float64 if t == "float64" else np.float32


def wrap(t, v):
    if t == "bool":
        return bool(v)
    info = np.iinfo(t)
    return (int(v) - int(info.min)) % (1 << info.bits) + int(info.min)


def values(t):
    """Special and random values of a type."""
    if t == "bool":
        return np.array([False, True] * 80, dtype=t)
    if t in INTS:
        info = np.iinfo(t)
        special = [0, 1, 2, 3, 5, 7, 10, 31, 32, 63, 64, 100, info.max, info.max - 1, info.min, info.min + 1]
        if info.min < 0:
            special += [-1, -2, -3, -7, -10, -33, -100]
        small = rng.integers(0 if info.min == 0 else -20, 20, 40)
        wide = rng.integers(info.min, info.max, 160 - len(special) - 40, dtype=t, endpoint=True)
        return np.concatenate([np.array(special, dtype=t), small.astype(t), wide])
    info = np.finfo(t)
    special = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.0, np.inf, -np.inf, np.nan, float(info.max), float(info.min),
               float(info.tiny), float(info.smallest_subnormal), 0.1, -0.1, 10.0, 127.7, -128.9, 255.5, 1e4, -3e4]
    near = rng.uniform(-3, 3, 80)
    wide = rng.uniform(-1, 1, 160 - len(special) - 80) * 10.0 ** rng.uniform(-4, 4, 160 - len(special) - 80)
    return np.concatenate([np.array(special), near, wide]).astype(t)


def int_op(f):
    """A reference on whole numbers, wrapped to the type."""
    def run(t, *arrays):
        return np.array([wrap(t, f(t, *(int(v) for v in row))) for row in zip(*arrays)], dtype=t)
    return run


def divides(t, a, b):
    return b != 0 and wrap(t, abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)) == abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def truncated(t, a, b):
    if b == 0:
        return 0
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def shift(t, a, b):
    return b & (np.iinfo(t).bits - 1)


INT_REFERENCE = {
    "ADD": lambda t, a, b: a + b, "SUB": lambda t, a, b: a - b, "MUL": lambda t, a, b: a * b, "NEG": lambda t, a: -a,
    "DIV": truncated, "REM": lambda t, a, b: a - b * truncated(t, a, b) if b else 0,
    "FLOORDIV": lambda t, a, b: a // b if b else 0, "FLOORMOD": lambda t, a, b: a % b if b else 0,
    "RAWDIV": truncated, "RAWREM": lambda t, a, b: a - b * truncated(t, a, b),
    "MIN": lambda t, a, b: min(a, b), "MAX": lambda t, a, b: max(a, b), "ABS": lambda t, a: abs(a),
    "AND": lambda t, a, b: a & b, "OR": lambda t, a, b: a | b, "XOR": lambda t, a, b: a ^ b,
    "NOT": lambda t, a: not a if t == "bool" else ~a,
    "SHL": lambda t, a, b: a << shift(t, a, b), "SHR": lambda t, a, b: a >> shift(t, a, b),
    "RAWSHL": lambda t, a, b: a << b, "RAWSHR": lambda t, a, b: a >> b,
}


def divmod_float(t, a, b):
    """floor division and modulo as CPython defines them."""
    one = calc(t)
    m = np.fmod(a, b)
    div = (a - m) / b
    apart = (m != 0) & ((b < 0) != (m < 0))
    div = np.where(apart, div - one(1), div)
    mod = np.where(m != 0, np.where(apart, m + b, m), np.copysign(one(0), b))
    whole = np.floor(div)
    whole = np.where(div - whole > one(0.5), whole + one(1), whole)
    div = np.where(div == 0, np.copysign(one(0), a / b), whole)
    return np.where(b == 0, a / b, div), np.where(b == 0, one(np.nan), mod)


def libm_map(name, t, *arrays):
    f = getattr(libm, name)
    f.argtypes = [ctypes.c_longdouble] * len(arrays)
    f.restype = ctypes.c_longdouble
    return np.array([f(*(float(v) for v in row)) for row in zip(*arrays)])


def fused(t, a, b, c):
    kind = ctypes.c_double if t == "float64" else ctypes.c_float
    f = libm.fma if t == "float64" else libm.fmaf
    f.argtypes, f.restype = [kind] * 3, kind
    return np.array([f(*(float(v) for v in row)) for row in zip(a, b, c)])


def away(t, a):
    whole = np.trunc(a)
    return np.copysign(np.where(np.abs(a - whole) >= 0.5, whole + np.copysign(calc(t)(1), a), whole), a)


FLOAT_REFERENCE = {
    "ADD": lambda t, a, b: a + b, "SUB": lambda t, a, b: a - b, "MUL": lambda t, a, b: a * b, "NEG": lambda t, a: -a,
    "DIV": lambda t, a, b: a / b, "REM": lambda t, a, b: np.fmod(a, b),
    "FLOORDIV": lambda t, a, b: divmod_float(t, a, b)[0], "FLOORMOD": lambda t, a, b: divmod_float(t, a, b)[1],
    "MIN": lambda t, a, b: np.where(b < a, b, a), "MAX": lambda t, a, b: np.where(b > a, b, a), "ABS": lambda t, a: np.abs(a),
    "FMA": fused, "SQRT": lambda t, a: np.sqrt(a), "FLOOR": lambda t, a: np.floor(a), "CEIL": lambda t, a: np.ceil(a),
    "TRUNC": lambda t, a: np.trunc(a), "ROUND": away, "RINT": lambda t, a: np.rint(a),
    "COPYSIGN": lambda t, a, b: np.copysign(a, b), "NEXTAFTER": lambda t, a, b: np.nextafter(a, b),
    "LDEXP": lambda t, a, e: np.ldexp(a, np.clip(e.astype(object), -5000, 5000).astype(np.int32)),
}
TESTS = {
    "EQ": lambda a, b: a == b, "NE": lambda a, b: a != b, "LT": lambda a, b: a < b, "LE": lambda a, b: a <= b,
    "GT": lambda a, b: a > b, "GE": lambda a, b: a >= b,
    "ISNAN": lambda a: np.isnan(a), "ISINF": lambda a: np.isinf(a), "ISFINITE": lambda a: np.isfinite(a),
}


def reference(op, t, arrays):
    """What op gives on these arrays, and how far off a result may be, in units in the last place."""
    if op in TESTS:
        return TESTS[op](*arrays), 0
    if op == "COND":
        return np.where(arrays[0], arrays[1], arrays[2]), 0
    if t not in FLOATS:
        return int_op(INT_REFERENCE[op])(t, *arrays), 0
    wide = [v.astype(calc(t)) if v.dtype.name in FLOATS else v for v in arrays]
    low = op.lower()
    if low in UNARY_LD or low in BINARY_LD:
        ulps = 0 if low in ("fdim", "remainder") else ULPS.get(op, MATH_ULPS)
        return libm_map(low + "l", t, *wide).astype(calc(t)).astype(t), ulps
    return FLOAT_REFERENCE[op](t, *wide).astype(t), 0


def converted(a, to):
    """The saturating conversion of op.def."""
    source = a.dtype.name
    if to == "bool":
        return a != 0
    if source in FLOATS and to in INTS:
        info = np.iinfo(to)
        out = []
        for v in a.astype(np.float64):
            v = 0 if np.isnan(v) else info.max if v >= info.max else info.min if v <= info.min else int(v)
            out.append(v)
        return np.array(out, dtype=to)
    if to in INTS:
        return np.array([wrap(to, int(v)) for v in a], dtype=to)
    if to == "float16" and source in INTS:
        return np.array([np.float16(float(int(v))) for v in a])
    return a.astype(to)


class Function:
    """An entry function of typed IR under construction: input and output arrays, one statement an output."""

    def __init__(self, name):
        self.name, self.inputs, self.outputs, self.body, self.variables, self.head = name, {}, {}, [], [], ""

    def input(self, name, array):
        self.inputs[name] = array

    def output(self, name, expected, ulps=0):
        self.outputs[name] = (expected, ulps)

    def result(self, name, expr, expected, ulps=0):
        """Stores the value of expr, for each i."""
        self.output(name, expected, ulps)
        self.body.append(f"store(elem({name}, i), {expr})")

    def pieces(self):
        """This function, or several with part of the outputs each where it has more parameters than a call takes."""
        if len(self.inputs) + len(self.outputs) <= MAX_PARAMETERS:
            return [self]
        assert len(self.body) == len(self.outputs) and not self.variables
        half, parts = len(self.body) // 2, []
        names = list(self.outputs)
        for k, (first, end) in enumerate(((0, half), (half, len(names)))):
            part = Function(f"{self.name}_{k}")
            part.body = self.body[first:end]
            part.outputs = {name: self.outputs[name] for name in names[first:end]}
            part.inputs = {name: v for name, v in self.inputs.items() if name == "a" or any(load(name) in s for s in part.body)}
            parts += part.pieces()
        return parts

    def text(self):
        params = ["n: int64"]
        params += [f"{k}: {v.dtype.name} global*" for k, v in self.inputs.items()]
        params += [f"{k}: {v.dtype.name} global*" for k, (v, _) in self.outputs.items()]
        body = "\n    ".join(self.body)
        variables = "\n  ".join(["var i: int64"] + self.variables)
        return (f"cir 1\n\n{self.head}entry func {self.name}({', '.join(params)}) {{\n  {variables}\n"
                f"  for i in (0:int64, n, 1:int64) {{\n    {body}\n  }}\n}}\n")


def load(name):
    return f"load(elem({name}, i))"


def raw_operands(op, t, a, b):
    """Inputs on which a RAW op is defined."""
    if op in ("RAWSHL", "RAWSHR"):
        return a, (np.abs(b.astype(object)) % np.iinfo(t).bits).astype(t)
    pairs = [(x, y if divides(t, int(x), int(y)) else 3) for x, y in zip(a, b)]
    return np.array([p[0] for p in pairs], dtype=t), np.array([p[1] for p in pairs], dtype=t)


def numeric_ops(rows, t, covered):
    """All ops whose operands are values of t."""
    f = Function(f"ops_{t}")
    a, b, c = values(t), rng.permutation(values(t)), rng.permutation(values(t))
    f.input("a", a), f.input("b", b), f.input("c", c)
    f.input("yes", rng.integers(0, 2, len(a)).astype(bool))
    for whole in INTS:
        f.input("e_" + whole, rng.permutation(values(whole)))
    for row in rows:
        op, letters = row["id"], row["operands"]
        if row["class"] != "EXPR" or not letters or letters[0] not in "nifksvb" or row["attr"] != "NONE":
            continue
        kind = letters[0] if letters[0] != "b" else letters[1]
        if t not in LETTERS[kind]:
            continue
        name = f"r_{op.lower()}"
        if op.startswith("RAW"):
            x, y = raw_operands(op, t, a, b)
            f.input(f"a_{op}", x), f.input(f"b_{op}", y)
            names = [f"a_{op}", f"b_{op}"]
        elif letters == "bv=":
            names = ["yes", "a", "b"]
        elif letters == "fx":
            for whole in INTS:
                expected, ulps = reference(op, t, [a, f.inputs["e_" + whole]])
                f.result(f"{name}_{whole}", f"{row['text']}({load('a')}, {load('e_' + whole)})", expected, ulps)
            names = None
        else:
            names = ["a", "b", "c"][:len(letters)]
        if names:
            expected, ulps = reference(op, t, [f.inputs[k] for k in names])
            f.result(name, f"{row['text']}({', '.join(load(k) for k in names)})", expected, ulps)
        covered.add((op, t))
    return f


def conversions(t, covered):
    f = Function(f"conversions_{t}")
    a = values(t)
    f.input("a", a)
    for to in SCALARS:
        f.result(f"to_{to}", f"convert<{to}>({load('a')})", converted(a, to))
        if to != "bool" and t != "bool" and np.dtype(to).itemsize == np.dtype(t).itemsize:
            bits = np.where(np.isnan(a), np.array(0, dtype=t), a) if t in FLOATS else a
            f.input(f"b_{to}", bits)
            f.result(f"bits_{to}", f"bits<{to}>({load('b_' + to)})", bits.view(to))
            covered.add(("BITS", t))
        if t in FLOATS and to in INTS:
            info = np.iinfo(to)
            top = min(float(info.max) * 0.99, float(np.finfo(t).max))
            low = max(float(info.min) * 0.99, -float(np.finfo(t).max))
            inside = rng.uniform(low, top, len(a)).astype(t)
            f.input(f"w_{to}", inside)
            f.result(f"raw_{to}", f"rawconvert<{to}>({load('w_' + to)})", np.array([int(v) for v in inside], dtype=to))
            covered.add(("RAWCONVERT", t))
    covered.add(("CONVERT", t))
    return f


def folded(rows, t):
    """Ops on constants, which the compiler evaluates."""
    f = Function(f"folded_{t}")
    a, b, c = values(t)[:24], rng.permutation(values(t))[:24], values(t)[5:29]
    f.input("a", a[:1])
    for row in rows:
        op, letters = row["id"], row["operands"]
        if "FOLD" not in row["flags"] or row["attr"] != "NONE" or op == "COND" or t not in LETTERS[letters[0]]:
            continue
        out = f"r_{op.lower()}"
        arrays = [a, values("uint64")[:24]] if letters == "fx" else [a, b, c][:len(letters)]
        types = [t, "uint64"] if letters == "fx" else [t]*3
        expected, ulps = reference(op, t, arrays)
        f.output(out, expected, ulps)
        f.body += [f"store(elem({out}, {k}:int64), {row['text']}({', '.join(literal(x, v[k]) for x, v in zip(types, arrays))}))"
                   for k in range(24)]
    for to in SCALARS:
        f.output("to_" + to, converted(a, to))
        f.body += [f"store(elem(to_{to}, {k}:int64), convert<{to}>({literal(t, v)}))" for k, v in enumerate(a)]
    return f


def literal(t, v):
    if t == "bool":
        return "true" if v else "false"
    if t in INTS:
        return f"{int(v)}:{t}"
    v = float(v)
    return f"{'nan' if v != v else 'inf' if v == np.inf else '-inf' if v == -np.inf else repr(v)}:{t}"


def memory(t, covered):
    """Variables, constants, and each way to a place in memory."""
    f = Function(f"memory_{t}")
    a = values(t)
    n, size = len(a), np.dtype(t).itemsize
    f.head = f"struct S {{ first: int8, second: {t}, third: {t}[3] }}\n\n"
    f.variables = [f"var m: {t}[2][3]", f"var v: {t}", "var s: S", f"var p: {t} global*", f"var q: {t} private*"]
    f.input("a", a)
    f.body += [f"v = {load('a')}"]
    f.result("r_var", "v", a)
    f.body += ["p = a"]
    f.result("r_elem", "load(elem(p, i))", a)
    for whole in INTS:
        at = (np.arange(n) % 100).astype(whole)
        f.input("k_" + whole, at)
        f.result("r_elem_" + whole, f"load(elem(a, {load('k_' + whole)}))", a[at.astype(int)])
    f.result("r_back", "load(elem(elem(a, n), sub(i, n)))", a)
    f.result("r_offset", f"load(strided(a, i, {size}:int64))", a)
    f.result("r_ptrcast", f"load(ptrcast<{t} global*>(strided(ptrcast<uint8 global*>(a), i, {size}:int64)))", a)
    f.body += [f"store(item(item(addr(m), 1:int32), 2:int64), {load('a')})"]
    f.result("r_item", "load(item(item(addr(m), 1:int64), 2:int8))", a)
    f.body += ["q = item(item(addr(m), 0:int32), 0:int32)"]
    f.result("r_flat", "load(elem(q, 5:int32))", a)
    f.body += ["clear(addr(m))"]
    f.result("r_clear", "load(item(item(addr(m), 1:int32), 2:int32))", np.zeros(n, dtype=t))
    f.body += [f"store(field<second>(addr(s)), {load('a')})", "store(field<first>(addr(s)), 7:int8)",
               f"store(item(field<third>(addr(s)), 1:int32), {load('a')})"]
    f.result("r_field", "load(field<second>(addr(s)))", a)
    f.result("r_field_item", "load(item(field<third>(addr(s)), 1:int32))", a)
    f.result("r_first", "load(field<first>(addr(s)))", np.full(n, 7, dtype=np.int8))
    f.body += ["store(addr(v), load(field<second>(addr(s))))"]
    f.result("r_addr", "v", a)
    for k in range(0, 26 if t != "bool" else 2):
        f.result(f"r_const{k}", literal(t, a[k]), np.full(n, a[k], dtype=t))
    for op in ("CONST", "VAR", "ADDR", "ELEM", "ITEM", "FIELD", "STRIDED", "PTRCAST", "LOAD", "STORE", "CLEAR"):
        covered.add((op, t))
    return f


def copies(t, covered):
    """vcopy of each size, in global memory and by way of private memory."""
    f = Function(f"copies_{t}")
    a = values(t)
    n = len(a)
    f.variables = [f"var m: {t}[16]", f"var q: {t} private*"]
    f.input("a", a)
    f.body += ["q = ptrcast<" + t + " private*>(addr(m))"]
    for lanes in (2, 3, 4, 8, 16):
        whole = n // lanes * lanes
        at = f"mul(i, {lanes}:int64)"
        for out in (f"r_vcopy{lanes}", f"r_private{lanes}"):
            f.output(out, np.concatenate([a[:whole], np.zeros(n - whole, dtype=t)]))
        f.body += [f"if lt({at}, {whole}:int64) {{ vcopy<{lanes}>(elem(r_vcopy{lanes}, {at}), elem(a, {at})) "
                   f"vcopy<{lanes}>(q, elem(a, {at})) vcopy<{lanes}>(elem(r_private{lanes}, {at}), q) }}"]
    covered.add(("VCOPY", t))
    return f


ATOMIC_REFERENCE = {
    "ATOMIC_XCHG": lambda t, old, b: b, "ATOMIC_ADD": lambda t, old, b: old + b, "ATOMIC_SUB": lambda t, old, b: old - b,
    "ATOMIC_MIN": lambda t, old, b: b if b < old else old, "ATOMIC_MAX": lambda t, old, b: b if b > old else old,
    "ATOMIC_AND": lambda t, old, b: old & b, "ATOMIC_OR": lambda t, old, b: old | b, "ATOMIC_XOR": lambda t, old, b: old ^ b,
}


def atomics(rows, t, covered):
    """Each atomic in a loop on one element: what it gives, and what it leaves, which the next round gives."""
    f = Function(f"atomics_{t}")
    f.variables = [f"var old: {t}"]
    a = values(t)
    if t in FLOATS:
        a = rng.integers(-50, 50, len(a)).astype(t)
    f.input("a", a)
    for row in rows:
        op = row["id"]
        if not op.startswith("ATOMIC_") or (t in FLOATS and op in ("ATOMIC_AND", "ATOMIC_OR", "ATOMIC_XOR")):
            continue
        cell, out = f"c_{op.lower()}", f"r_{op.lower()}"
        start = np.array([a[3]], dtype=t)
        f.input(cell, start)
        place = f"elem({cell}, 0:int64)"
        seen, held = [], start[0].item()
        if op == "ATOMIC_LOAD":
            f.body += [f"old = {row['text']}<acquire, device>(elem(a, i))"]
            seen = list(a)
        elif op == "ATOMIC_STORE":
            f.body += [f"{row['text']}<release, device>({place}, {load('a')})", f"old = load({place})"]
            seen = list(a)
        elif op == "ATOMIC_CAS":
            other = np.where(np.arange(len(a)) % 2 == 0, a, np.roll(a, 1))
            f.input("expected", other)
            f.input("moving", a.copy())
            f.body += [f"old = {row['text']}<acq_rel, device>(elem(moving, i), {load('expected')}, 9:{t})".replace("9:", literal(t, 9)[:-len(t) - 1] + ":")]
            seen = list(a)
            after = np.where(a.view(f"u{a.itemsize}") == other.view(f"u{a.itemsize}"), np.array(9, dtype=t), a)
            f.body += [f"store(elem({out}, i), old)"]
            f.output(out, a)
            f.result(out + "_left", load("moving"), after)
            covered.add((op, t))
            continue
        else:
            f.body += [f"old = {row['text']}<relaxed, device>({place}, {load('a')})"]
            for b in a:
                seen.append(held)
                held = ATOMIC_REFERENCE[op](t, held, b.item())
                held = wrap(t, held) if t in INTS else held
        f.result(out, "old", np.array(seen, dtype=t))
        covered.add((op, t))
    return f


def admitted(row):
    """The types that op.def lets the row be used at."""
    op, letters = row["id"], row["operands"]
    if op in ("CONST", "VAR", "ADDR", "COND"):
        return SCALARS
    if op.startswith("ATOMIC_"):
        return ATOMICS if op not in ("ATOMIC_AND", "ATOMIC_OR", "ATOMIC_XOR") else ATOMICS[:4]
    if op == "BITS":
        return INTS + FLOATS
    if letters[0] == "p":
        return SCALARS
    return LETTERS[letters[0]]


def check_coverage(rows, covered):
    missing = [f"{row['id']} at {t}" for row in rows if row["id"] not in OTHERS for t in admitted(row)
               if (row["id"], t) not in covered]
    for name in missing:
        print(f"ops.py: no case for {name}")
    values_of = [row for row in rows if row["id"] not in OTHERS]
    print(f"ops.py: {len(covered)} cases cover {len(values_of)} of {len(rows)} rows")
    return not missing


def device_text(text, target):
    """OpenCL C 1.2 orders memory for the group alone."""
    return re.sub("(acquire|release|acq_rel), device", r"\1, group", text) if target in ("pocl", "nvidia") else text


def compared(wrong, f, mode, target, got):
    for name, (expected, ulps) in f.outputs.items():
        if target and ulps:
            ulps = DEVICE_ULPS.get(name.removeprefix("r_").upper(), ulps)
        what = f"{f.name} {name} {mode}"
        if ulps is not None and not harness.same(what, got[name], expected, ulps, f.inputs):
            wrong.append(what)


def main(root, out, target=None):
    rows = harness.op_rows(os.path.join(root, "lib", "ir", "op.def"))
    covered, functions = set(), []
    with np.errstate(all="ignore"):
        for t in SCALARS:
            functions += [numeric_ops(rows, t, covered), conversions(t, covered), memory(t, covered), folded(rows, t), copies(t, covered)]
            if t in ATOMICS:
                functions.append(atomics(rows, t, covered))
    later, wrong = harness.Later(), [] if check_coverage(rows, covered) else ["coverage"]
    functions = [part for f in functions for part in f.pieces()]
    for f in functions:
        with open(os.path.join(out, f.name + ".cir"), "w") as file:
            file.write(device_text(f.text(), target))
    for f in functions:
        path = os.path.join(out, f.name + ".cir")
        n = len(f.inputs["a"])
        arrays = dict(f.inputs)
        arrays.update({k: np.zeros(len(v), dtype=v.dtype) for k, (v, _) in f.outputs.items()})
        for mode in (target,) if target else ("O0", "O3", "interp"):
            compare = functools.partial(compared, wrong, f, mode, target)
            later.run(compare, f"{path}:{f.name}", out, arrays, {"n": f"{n}:int64"},
                      list(f.outputs), mode, ["--as", "function", "--option", "precise=1"])
    later.finish()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

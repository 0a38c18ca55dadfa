"""The cost model beside the machine: for each class of lib/ir/cost.def and type, cycles as the table says and as they are measured."""
import os
import re
import subprocess
import tempfile

import numpy as np

from peers import ENVIRONMENT, root

COUNT, TIMES, PER_CYCLE, VECTOR_BITS = 1024, 4, 4, 256
TYPES = {"FLOAT64": "float64", "FLOAT32": "float32", "INT64": "int64", "UINT64": "uint64", "INT32": "int32"}
FLOAT, INT = ("FLOAT64", "FLOAT32"), ("INT64", "INT32")
COLUMNS = ("one", "side", "lane", "chain", "chain_side", "device")
# class: (types, how its op is applied to a value v, beside y of the same type); {t} is the type
APPLIED = {
    "STEP": (FLOAT + INT, {"FLOAT64": "sub({v}, {y})", "FLOAT32": "sub({v}, {y})", "INT64": "rawshl({v}, 1:int64)", "INT32": "rawshl({v}, 1:int32)"}),
    "MULTIPLY": (FLOAT + INT, "mul({v}, {y})"),
    "CHOOSE": (FLOAT + INT, "max({v}, {y})"),
    "SHIFT": (("INT64", "UINT64", "INT32"), "rawshr({v}, 1:{t})"),
    "CONVERT": (("FLOAT64", "INT32"), {"FLOAT64": "convert<float64>(convert<float32>({v}))", "INT32": "convert<int32>(convert<int16>({v}))"}),
    "CONVERT64": (("FLOAT64",), "convert<float64>(rawconvert<int64>({v}))"),
    "DIVIDE": (FLOAT, "div({v}, {y})"),
    "ROOT": (FLOAT, "sqrt({v})"),
    "MODULO": (("FLOAT64",), "rem({v}, {y})"),
    "QUOTIENT": (INT, "rawdiv({v}, {y})"),
    "SCALE": (INT, "rawdiv({v}, 7:{t})"),
    "FUNCTION": (FLOAT, "sin({v})"),
    "POWER": (FLOAT, "pow({v}, {y})"),
}
# What is not measured, and why: classes, and of a class that is measured types whose numbers are others.
EXEMPT = {
    "FREE": "no instruction of its own",
    "ACCESS": "in every loop that is timed, with the op and without it",
    "GATHER": "the same, at places that depend on the data: caches decide",
    "GATHER512": "the same, on other CPUs",
    "EXCHANGE": "how many threads meet decides",
    "PRINT": "the terminal decides",
    "BRANCH": "how often it is foreseen decides",
    "ROUND": "in every loop that is timed, with the op and without it",
    ("DIVIDE", "INT"): "the pass guards makes QUOTIENT of it, which is measured",
}
# Marked is what takes so many times as much as the table says, or as little, and differs by so many cycles: less may be what is between.
FAR, CYCLES = 2, 1
# Where it may be further, and why the table stays as it is.
LISTED = {
    ("FUNCTION", "one"): (7, "thresholds that count by it, of forks and short launches, are of loops that are mostly in vectors"),
    ("POWER", "one"): (7, "the same"),
    ("POWER", "side"): (7, "it decides about lanes beside the column alone, which is as far off"),
    ("QUOTIENT", "side"): (12, "what is timed is LLVM's vectoriser, which takes integers apart; codegen/gen_simd_div.c does not"),
}
HIDDEN = 0.1  # of what the table says: less is done beside the ops around it, or by them
TWICE = ("CONVERT", "CONVERT64")  # what stands there is two of them


def model():
    """{(class, type): {column: number}}, as the macros of cost.def expand."""
    with open(os.path.join(root, "lib/ir/cost.def")) as file:
        text = file.read()
    rows = {}
    wide, ints = ("INT64", "UINT64"), ("INT64", "UINT64", "INT32")
    groups = {"FLOATS": FLOAT, "WIDE": wide, "INTS": ints, "ALL": FLOAT + ints}
    for macro, arguments in re.findall(r"^(COST|FLOATS|WIDE|INTS|ALL)\((\w+,[^)]*)\)$", text, re.M):
        name, *rest = [word.strip() for word in arguments.split(",")]
        types = (rest.pop(0),) if macro == "COST" else groups[macro]
        for t in types:
            rows[name, t] = dict(zip(COLUMNS, map(float, rest), strict=True))
    return rows


def text_of(t, value, chain):
    """A kernel that gives the value of x[k] and y[k] to z[k], or makes a chain of it, rounds times."""
    body = f"store(elem(z, k), {value('load(elem(x, k))', 'load(elem(y, k))')})"
    if chain:
        body = f"s = {value('s', 'first')}"
    return (f"cir 1\nentry func f(x: {t} global* noalias, y: {t} global* noalias, z: {t} global* noalias, rounds: int64) {{\n"
            f"  var k: int64\n  var r: int64\n  var s: {t}\n  var first: {t}\n  first = load(y)\n  s = load(x)\n"
            f"  for r in (0:int64, rounds, 1:int64) {{ for k in (0:int64, {COUNT}:int64, 1:int64) {{ {body} }} }}\n"
            f"  {'store(z, s)' if chain else ''}\n}}\n")


class Bench:
    def __init__(self, build, folder, rounds):
        self.cplc, self.folder, self.rounds = os.path.join(build, "bin", "cplc"), folder, rounds
        rng = np.random.default_rng(1)
        for t in TYPES.values():
            values = rng.uniform(1, 2, COUNT) if t.startswith("f") else rng.integers(3, 30, COUNT)
            np.save(os.path.join(folder, t + ".npy"), values.astype(t))

    def time(self, t, text, options):
        """Nanoseconds of one round of the innermost loop."""
        path = os.path.join(self.folder, "k.cir")
        with open(path, "w") as file:
            file.write(text)
        array = os.path.join(self.folder, t + ".npy")
        command = [self.cplc, "run", path + ":f", "--as", "function", f"x={array}", f"y={array}", f"z={array}",
                   f"rounds={self.rounds}:int64", "--time", "--unchecked", *options]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **ENVIRONMENT})
        found = re.search(r"^run ([\d.]+) ms", done.stdout + done.stderr, re.M)
        if not found:
            raise RuntimeError(done.stderr.strip() or done.stdout)
        return float(found.group(1))*1e6/self.rounds/COUNT

    def cycle(self):
        """Nanoseconds of one: a sum and an exclusive or, each of which waits for the one before."""
        return self.time("int64", text_of("int64", lambda v, y: f"xor(add({v}, {y}), k)", True), ["-O1"])/2

    def cost(self, name, t, options, chain):
        """Nanoseconds of the class's op: TIMES of them between ops that keep them apart, less the same without them."""
        applied = APPLIED[name][1]
        applied = applied if isinstance(applied, str) else applied[t]
        between = ["add", "add"] if t in FLOAT else ["xor", "add"]

        def value(with_op):
            def made(v, y):
                for k in range(TIMES):
                    v = f"{between[k % 2]}({v}, {y})"
                    if with_op:
                        v = applied.format(v=v, y=y, t=TYPES[t])
                return v
            return made
        took = [self.time(TYPES[t], text_of(TYPES[t], value(on), chain), options) for on in (True, False)]
        return (took[0] - took[1])/TIMES/(2 if name in TWICE else 1)


def measure(build, quick):
    """[{class, type, one, side, chain: (model, measured)}] in cycles."""
    rows, table = [], model()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(build, folder, 20 if quick else 2000)
        cycle = bench.cycle()
        for name, (types, _) in APPLIED.items():
            for t in types:
                says, lanes = table[name, t], VECTOR_BITS/(32 if t.endswith("32") else 64)
                vector = (says["side"] + says["lane"]*lanes)/lanes
                rows.append({"class": name, "type": t,
                             "one": (says["one"]/PER_CYCLE, bench.cost(name, t, ["-O1"], False)/cycle),
                             "side": (vector/PER_CYCLE, bench.cost(name, t, ["-O3", "--option", "cpu_level=3"], False)/cycle),
                             "chain": (says["chain"], bench.cost(name, t, ["-O1"], True)/cycle)})
    return rows, cycle


def unmeasured():
    """{(class, type): why} of those rows of the table whose numbers no row that is measured has; None where nobody says it."""
    table = model()
    numbers = {name: {tuple(table[name, t].values()) for t in types} for name, (types, _) in APPLIED.items()}
    rows = [(name, t) for (name, t), says in table.items() if tuple(says.values()) not in numbers.get(name, ())]
    return {(name, t): EXEMPT.get(name, EXEMPT.get((name, "FLOAT" if t in FLOAT else "INT"))) for name, t in rows}


def is_far(name, column, says, took):
    """Whether the machine takes so much more or less than the table says that nobody has listed it."""
    bound = LISTED.get((name, column), (FAR,))[0]
    return took >= HIDDEN*says and abs(took - says) > CYCLES and not 1/FAR <= took/says <= bound


def show(rows, cycle):
    print(f"\nThe cost model, in cycles of {cycle:.2f} ns: what lib/ir/cost.def says, what is measured, and how many times as much that is")
    print(f"{'class':10} {'type':8}" + "".join(f" | {what:^23}" for what in ("alone", "side by side, a lane", "along a chain")))
    columns = ("one", "side", "chain")
    for row in rows:
        print(f"{row['class']:10} {row['type']:8}" + "".join(cell(row["class"], column, *row[column]) for column in columns))
    far = [(row["class"], row["type"], column) for row in rows for column in columns if is_far(row["class"], column, *row[column])]
    print(f"! {len(far)} of {len(rows)*len(columns)}: more than {FAR} times as much as the table says, or as little, by more than {CYCLES} cycle")
    print("Listed as further off are")
    for (name, column), (bound, why) in LISTED.items():
        print(f"  {name:10} {column:6} up to {bound:2} times: {why}")
    print("Not measured are")
    for name, why in {name: why for (name, _), why in unmeasured().items()}.items():
        print(f"  {name:10} {why}{' (of integers)' if name in APPLIED else ''}")


def cell(name, column, says, took):
    if took < HIDDEN*says:
        return f" | {says:6.2f} {'-':>7} {'-':>7} "
    return f" | {says:6.2f} {took:7.2f} {took/says:6.2f}x{'!' if is_far(name, column, says, took) else ' '}"

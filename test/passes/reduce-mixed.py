# With precise one reduction of floats among others keeps the rounds of a block in order, wherever it stands and whatever it is; integers alone need not
# be, and nothing is without precise. The rounds of a loop that asks for its worker's number stay in
# order, too, wherever it does, reduced or outlined.
# RUN: rm -rf %t && mkdir -p %t && %python %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]*}} loops, 0 wrong
import itertools
import os
import re
import subprocess
import sys

INTEGERS = ["int8", "uint64", "bool"]
FLOATS = ["float16", "float32", "float64"]
# Where a statement stands.
INNER = "for j in (0:int64, i, 1:int64) "
PLACES = ["{}", "t = i {}", "{} t = i", "if lt(i, 3:int64) {{ {} }}",
          "if lt(i, 3:int64) {{ t = i }} else {{ {} }}", "while lt(t, i) {{ {} }}",
          INNER + "{{ {} }}", INNER + "{{ if lt(j, t) {{ {} }} }}",
          INNER + "{{ while lt(t, i) {{ t = j {} }} }}", f"parallel {INNER}private(t) {{{{ {{}} }}}}",
          "store(elem(x, i), t) {} t = load(elem(x, t))"]
# Statements, and whether they ask.
NUMBERS = {"t = worker()": True, "worker()": True, "t = i": False, "t = call h(i)": False}


def loops():
    """Types of what is reduced: none of floats, one in each place, and all."""
    yield from itertools.permutations(INTEGERS, 2)
    for f, place in itertools.product(FLOATS, range(3)):
        kinds = ["int32", "uint8"]
        kinds.insert(place, f)
        yield kinds
    yield ["float32", "int64", "float64"]
    yield from ([t] for t in INTEGERS + FLOATS)


def text(name, kinds):
    variables = "".join(f"  var v{k}: {t}\n" for k, t in enumerate(kinds))
    ops = ["max" if t[0] == "f" and k % 2 else "or" if t == "bool" else "add"
           for k, t in enumerate(kinds)]
    body = " ".join(f"v{k} = {op}(v{k}, v{k})" for k, op in enumerate(ops))
    return (f"entry func {name}(n: int64) -> int64 {{\n  var i: int64\n{variables}  parallel for i in (0:int64, n, 1:int64) "
            f"reduce({', '.join(f'{op} v{k}' for k, op in enumerate(ops))}) {{ {body} }}\n  return n\n}}\n")


def asks(path):
    """How many loops that ask for a worker's number or do not there are, and how many of them have
    rounds in the wrong order."""
    count = wrong = 0
    for reduces, number, place in itertools.product((" reduce(add s)", ""), NUMBERS, PLACES):
        body, passes = place.format(number), "reduce" if reduces else "outline"
        with open(path, "w") as f:
            f.write("cir 1\nfunc h(k: int64) -> int64 {\n  return k\n}\n\n"
                    "entry func f(n: int64, x: int64 global*) -> int64 {\n  var i: int64\n"
                    "  var j: int64\n  var s: int64\n  var t: int64\n"
                    f"  parallel for i in (0:int64, n, 1:int64){reduces} private(j, t) {{ {body} }}\n"
                    "  return s\n}\n")
        out = subprocess.run(["cplc", path + ":f", f"--passes={passes}", "--emit", "ir"],
                             capture_output=True, text=True, check=True).stdout
        outer = re.findall("^(?:    |  )for i in .*", out, re.MULTILINE)
        count += 1
        if len(outer) != 1 or (" independent" in outer[0]) == NUMBERS[number]:
            print(passes, body, out)
            wrong += 1
    return count, wrong


def main(folder):
    all_loops = list(loops())
    path = os.path.join(folder, "loops.cir")
    count, wrong = asks(path)
    for k, kinds in enumerate(all_loops):
        with open(path, "w") as f:
            f.write("cir 1\n" + text("f", kinds))
        for precise in 0, 1:
            out = subprocess.run(["cplc", path + ":f", "--passes=reduce", "--emit", "ir",
                                  "--option", f"precise={precise}"],
                                 capture_output=True, text=True, check=True).stdout
            in_order = precise and any(t in FLOATS for t in kinds)
            if (") independent reduce(" in out) == bool(in_order):
                print(kinds, precise, out)
                wrong += 1
    print(count + len(all_loops), "loops,", wrong, "wrong")


main(sys.argv[1])

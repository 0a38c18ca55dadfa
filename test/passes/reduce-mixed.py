# With precise one reduction of floats among others keeps the rounds of a block in order, wherever it stands and whatever it is; integers alone need not
# be, and nothing is without precise.
# RUN: rm -rf %t && mkdir -p %t && %python %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]*}} loops, 0 wrong
import itertools
import os
import subprocess
import sys

INTEGERS = ["int8", "uint64", "bool"]
FLOATS = ["float16", "float32", "float64"]


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


def main(folder):
    all_loops = list(loops())
    path = os.path.join(folder, "loops.cir")
    wrong = 0
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
    print(len(all_loops), "loops,", wrong, "wrong")


main(sys.argv[1])

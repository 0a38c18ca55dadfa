# What a file assigns more than once is no constant, by whatever statement and in whatever block.
# RUN: rm -rf %t && mkdir -p %t && %python %s %t
import os
import subprocess
import sys

AUGMENTED = "+ - * / // % ** @ & | ^ << >>".split()
ASSIGNS = ["X = 2", "X: int = 2", "X, b = 1, 2", "b, X = 1, 2", "(b, [c, X]) = 1, (2, 3)",
           "*X, b = 1, 2", "b = X = 2", "b = 1; X = 2", "b = (X := 2)", "c(X := 2)",
           "del X", "del b, X", "del (b, X)", "for X in c: pass", "for b, (X, d) in c: pass",
           "with c as X: pass", "with c as b, c as X: pass", "while b: X = 2",
           "if (X := 2): pass", "for b in c: X = 2",
           "while (X := c()): pass"]
PATTERNS = ["X", "b, X", "[b, *X]", "P(X)", "P(b=X)", "{1: X}", "{1: b, **X}", "1 | 2 as X",
            "(X, 1) if b", "X if X"]
ASSIGNS += [f"match c:\n    case {pattern}: pass" for pattern in PATTERNS]
ASSIGNS += [f"X {op}= 2" for op in AUGMENTED]
BLOCKS = ["if True:", "for k in c:\n    for l in k:", "while c:\n    if k:",
          "for k in c:\n    match k:\n        case 1:", "for k in c:", "while c:", "with c as k:",
          "with c:", "try:", "match c:\n    case 1:"]
LEAVES = ["b = X", "b[X] = 2", "b[X], c = 1, 2", "c.X = 2", "c.X, b = 1, 2", "del c.X", "del c[X]",
          "for b in X: pass", "for c[X] in b: pass", "b = [0 for X in c]", "b = X == 2",
          "c(X=2)", "b = lambda X=1: X", "with c(X) as b: pass", "if X: pass", "while X: b = 2",
          *(f"match c:\n    case {pattern}: pass"
            for pattern in ("c.X", "X.c", "X()", "P(X=1)", "b if X", "c.X | 1")),
            "match X:\n    case 1: pass", "assert X, b", "f = 2", "for f in c: pass",
            "def other():\n    X = 2"]


def placed(statement, block):
    if not block:
        return statement + "\n"
    deep = "    "*(1 + block.count("\n"))
    return block + "\n" + "".join(deep + line + "\n"
                                  for line in ("b = 1\n" + statement).split("\n")) + ("except E as e:\n    pass\n" if block == "try:" else "")


def check(folder, block, forms, wanted):
    """A constant for each form, and a line of a kernel for each constant: which of those are refused."""
    texts = [" ".join(placed(form, block).split(" ")).replace("X", f"X{k}")
             for k, form in enumerate(forms)]
    texts = [text.replace("f =", f"f{k} =").replace("for f in", f"for f{k} in")
             for k, text in enumerate(texts)]
    source = "".join(f"X{k} = 1\n\n\ndef f{k}():\n    return 1\n\n\n{text}\n"
                     for k, text in enumerate(texts)) + "\ndef kernel(i, x):\n"
    first = source.count("\n") + 1
    source += "".join(f"    x[i] = X{k}\n" for k in range(len(forms)))
    path = os.path.join(folder, "names.py")
    with open(path, "w") as file:
        file.write(source)
    done = subprocess.run(["cplc", path + ":kernel", "--types", "x=float64[]", "--emit", "types"],
                          capture_output=True, text=True)
    said = {int(line.split(":")[1]) - first
            for line in done.stderr.splitlines() if "cannot be used in a kernel: the file assigns it more than once" in line}
    wrong = [f"{placed(form, block)}: {'no ' if wanted else 'an '}error"
             for k, form in enumerate(forms) if (k in said) != wanted]
    return wrong + [line
                    for line in done.stderr.splitlines() if " error: " in line and "more than once" not in line]


def main(folder):
    wrong = []
    for block in [""] + BLOCKS:
        wrong += check(folder, block, ASSIGNS, True) + check(folder, block, LEAVES, False)
    sys.exit("\n".join(wrong) or 0)


main(sys.argv[1])

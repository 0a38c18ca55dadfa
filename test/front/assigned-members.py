# What a statement assigns of a class is no constant, by whatever form and wherever it stands; what only looks like that leaves it one.
# RUN: rm -rf %t && mkdir -p %t && %python %s %t
import os
import subprocess
import sys

AUGMENTED = "+ - * / // % ** @ & | ^ << >>".split()
ASSIGNS = ["A.X = 2", "A.X: int = 2", "A.X = b = 2", "b = A.X = 2", "A.X, b = 1, 2",
           "b, A.X = 1, 2", "(A.X) = 2", "[A.X, b] = 1, 2", "(b, (c, A.X)) = 1, (2, 3)",
           "*A.X, b = 1, 2", "b, *A.X = 1, 2", "b[0], A.X = 1, 2", "b = (c, A.X) = 1, 2",
           "b = 1; A.X = 2", "if b: A.X = 2", "if b: A.X, c = 1, 2",
           "for A.X in range(3): pass", "for b, A.X in c: pass", "b = [0 for A.X in c]",
           "while b: A.X = 2", "with b as A.X: pass"]
ASSIGNS += [f"A.X {op}= 2" for op in AUGMENTED] + [f"if b: A.X {op}= 2" for op in AUGMENTED[:2]]
LEAVES = ["b = A.X", "b += A.X", "A.X == 2", "b[A.X] = 2", "b[A.X:2] = 2", "b[A.X, 2], c = 1, 2",
          "c(b, A.X)[0] = 2", "b = c(A.X, c=3)", "c(b=A.X, c=3)", "{A.X: 2}[0] = 3",
          "b.A.X = 2", "b.A.X, c = 1, 2", "b.A.X += 2", "A.X.y = 2", "A.X[0], b = 1, 2",
          "b = lambda c=A.X, d=2: c", "b = A.X if c else d", "assert A.X, b == 2", "A.X, b",
          "A.XX = 2", "A.XX, b = 1, 2", "X = 2", "for b in A.X, c: pass", "A.X; b = 2",
          "if A.X: b = 2", "if b == A.X: b = 2"]
PLACES = {"the file": "{}", "a function": "def other():\n    {}",
          "a block": "if True:\n    b = 1\n    {}", "a loop of the file": "for k in c:\n    {}",
          "a method": "class Other:\n    def method(self):\n        b = 1\n        {}"}


def check(folder, place, forms, wanted):
    """A class for each form, and a line of a kernel for each class: which of those are refused."""
    texts = [form.replace("A.", f"A{k}.") for k, form in enumerate(forms)]
    source = "".join(f"class A{k}:\n    X = 1\n\n\n" for k in range(len(forms)))
    source += "".join(PLACES[place].format(text) + "\n" for text in texts) + "\n\ndef f(i, x):\n"
    first = source.count("\n") + 1
    source += "".join(f"    x[i] = A{k}.X\n" for k in range(len(forms)))
    path = os.path.join(folder, "members.py")
    with open(path, "w") as file:
        file.write(source)
    done = subprocess.run(["cplc", path + ":f", "--types", "x=float64[]", "--emit", "types"],
                          capture_output=True, text=True)
    said = {int(line.split(":")[1]) - first
            for line in done.stderr.splitlines() if "error: 'X' cannot be used in a kernel: the file assigns it more than once" in line}
    others = [line
              for line in done.stderr.splitlines() if " error: " in line and "more than once" not in line]
    wrong = [f"in {place}: {text}: {'no ' if wanted else 'an '}error"
             for k, text in enumerate(texts) if (k in said) != wanted]
    return wrong + others


def main(folder):
    wrong = []
    for place in PLACES:
        wrong += check(folder, place, ASSIGNS, True) + check(folder, place, LEAVES, False)
    sys.exit("\n".join(wrong) or 0)


main(sys.argv[1])

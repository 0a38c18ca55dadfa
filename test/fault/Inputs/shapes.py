# shapes.py CPLC FOLDER nesting|growth|literals|all: source of every shape that nests or grows, from depth 1 to 1,000,000. It either compiles or is refused at a place
# in the file; nothing crashes or hangs.
import os
import re
import resource
import subprocess
import sys

cplc, folder, group = sys.argv[1:]
HANG = 100  # seconds of a processor's time


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (HANG, HANG + 1))
    # What the library does on its caller's stack is little.
    resource.setrlimit(resource.RLIMIT_STACK, (256 << 10, resource.getrlimit(resource.RLIMIT_STACK)[1]))


def blocks(head):
    def make(n):
        n = min(n, 3000)  # the indentation makes the text grow with the square
        return "def f(i, x):\n" + "".join(" "*(k + 1) + head + "\n" for k in range(n)) + " "*(n + 1) + "x[i] = 1"
    return make


def expression(before, middle="1.0", after=""):
    return lambda n: "def f(i, x):\n x[i] = " + before*n + middle + after*n


def chained(first, next, use, before=""):
    """Constants, or locals, each of which is made of the one before it twice."""
    return lambda n: f"{before}{first}\n" + "".join(
        before + next.format(k - 1, k) + "\n" for k in range(1, min(n, 45))) + use.format(min(n, 45) - 1)


SHAPES = {
    "parentheses": expression("(", "1.0", ")"),
    "parentheses-open": expression("("),
    "parentheses-closed": expression("", "1.0", ")"),
    "calls": expression("abs(", "1.0", ")"),
    "indices": expression("x[", "0", "]"),
    "brackets": expression("[", "1", "]"),
    "braces": expression("{", "1", "}"),
    "signs": expression("-"),
    "nots": expression("not "),
    "inverts": expression("~", "1"),
    "powers": expression("2.0**"),
    "choices": expression("1.0 if x[i] else "),
    "lambdas": expression("lambda: "),
    "plus-zero": expression("", "x[i]", "+0"),
    "ands": expression("x[i] and "),
    "compares": expression("0 < "),
    "subscripts": expression("", "x", "[i]"),
    "attributes": expression("", "x", ".a"),
    "call-chain": expression("", "f", "()"),
    "commas": expression("", "1", ",1"),
    "ifs": blocks("if x[i]:"),
    "whiles": blocks("while x[i]:"),
    "fors": blocks("for j in range(2):"),
    "defs": blocks("def g():"),
    "elifs": lambda n: "def f(i, x):\n if x[i] > 0:\n  x[i] = 1\n" + " elif x[i] > 1:\n  x[i] = 2\n"*min(n, 200000),
    "statements": lambda n: "def f(i, x):\n" + " x[i] += 1\n"*n,
    "functions": lambda n: "def f(i, x):\n x[i] = 1\n" + "".join(f"def g{k}(y):\n return y\n" for k in range(min(n, 200000))),
    "helpers": lambda n: "def g0(y):\n return y\n" + "".join(f"def g{k}(y):\n return g{k - 1}(y)\n" for k in range(1, min(n, 100000))) +
               f"def f(i, x):\n x[i] = g{max(min(n, 100000) - 1, 0)}(x[i])\n",
    "parameters": lambda n: "def f(i, x, " + ", ".join(f"a{k}" for k in range(min(n, 200000))) + "):\n x[i] = 1",
    "variables": lambda n: "def f(i, x):\n" + "".join(f" a{k} = x[i]\n" for k in range(min(n, 200000))) + " x[i] = a0\n",
    "blank-lines": lambda n: "\n"*n + "def f(i, x):\n x[i] = 1",
    "comment-lines": lambda n: "# c\n"*n + "def f(i, x):\n x[i] = 1",
    "continued-lines": lambda n: "def f(i, x):\n x[i] = 1 " + "\\\n"*n + " + 2",
    "semicolons": lambda n: "def f(i, x):\n x[i] = 1" + "; x[i] = 1"*n,
    "long-names": lambda n: "def f(i, x):\n" + f" x[i] = x{'.a'*min(n, 9000)}\n"*40,
    "complex-constants": chained("G0 = 1j", "G{1} = G{0}*G{0}", "def f(i, x):\n x[i] = G{0}.real"),
    "items-of-constants": chained("G0 = (1,)", "G{1} = (G{0}[0] + G{0}[0],)", "def f(i, x):\n x[i] = G{0}[0]"),
    "constants": lambda n: "G0 = 1\n" + "".join(f"G{k} = G{k - 1} + 1\n" for k in range(1, min(n, 300000))) +
                 f"def f(i, x):\n x[i] = G{min(n, 300000) - 1}",
    "long-constants": lambda n: "".join(f"G{k} = " + f"G{k - 1}+"*min(n, 9000) + "1\n" if k else "G0 = 1\n" for k in range(60)) +
                      "def f(i, x):\n x[i] = G59",
    "sizes": lambda n: "G = " + "abs("*min(n, 150) + "q" + ")"*min(n, 150) + "\ndef f(i, x):\n x[i] = G",
    "tuples": lambda n: "def f(i, x):\n" + chained("v0 = x[i]", "v{1} = (v{0}, v{0})", " x[i] = 1", " ")(n),
    "tuples-of-calls": lambda n: "def f(i, x):\n x[i] = g(x[i], 1)\n\ndef g(t, n) -> int:\n" +
                       (" return g((t, t), n - 1) if n else 1" if n > 1 else " return 1"),
    "name": lambda n: f"def f(i, x):\n {'v'*n} = 1.0\n x[i] = {'v'*n}",
    "string": lambda n: f"def f(i, x):\n '{'s'*n}'\n x[i] = 1",
    "comment": lambda n: f"def f(i, x):\n x[i] = 1 # {'c'*n}",
    "integer": lambda n: f"def f(i, x):\n x[i] = {'7'*n}",
    "hexadecimal": lambda n: f"def f(i, x):\n x[i] = 0x{'f'*n}",
    "fraction": lambda n: f"def f(i, x):\n x[i] = 0.{'3'*n}",
    "exponent": lambda n: f"def f(i, x):\n x[i] = 1e{'9'*n}",
    "tiny": lambda n: f"def f(i, x):\n x[i] = 0.{'0'*n}1",
    "spaces": lambda n: f"def f(i, x):\n x[i] ={' '*n}1",
}

names = list(SHAPES)
GROUP = {name: "nesting" for name in names[:names.index("plus-zero")] + ["ifs", "whiles", "fors", "defs"]}
GROUP.update({name: "literals" for name in names[names.index("name"):]})

shapes = 0
failures = 0
accepted = refused = 0
path = os.path.join(folder, "shape.py")
for name, make in SHAPES.items():
    if group not in ("all", GROUP.get(name, "growth")):
        continue
    shapes += 1
    seen = None
    for depth in (1, 10, 100, 1000, 10000, 100000, 1000000):
        text = make(depth)
        if text == seen:
            break
        seen = text
        with open(path, "w") as file:
            file.write(text)
        try:
            run = subprocess.run([cplc, "--types", "x=float64[]", "--emit", "ir", path + ":f"], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=5*HANG, preexec_fn=limits)
        except subprocess.TimeoutExpired:
            failures += 1
            print(f"{name}, {depth}: hangs")
            break
        said = run.stderr.decode("utf-8", "replace")
        if run.returncode == 0 and run.stdout:
            accepted += 1
        elif run.returncode == 1 and re.search(r"shape\.py:\d+:\d+: error: ", said):
            refused += 1
        else:
            failures += 1
            print(f"{name}, {depth}: status {run.returncode}: {said[:300]}")
print(f"{shapes} shapes: {accepted} accepted, {refused} refused, {failures} neither")
sys.exit(failures != 0 or not accepted or not refused)

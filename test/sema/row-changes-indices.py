# Elements of what is computed of rows are assigned through the variable of a loop over a known
# range. Where that name has other values, too, each way to give it one, in front of the loop and
# behind it, with each use there, is refused or as in Python; so is a parameter that is read before
# it becomes what is computed of rows.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: 93 programs agree, 475 are refused, 0 wrong
import itertools
import os
import subprocess
import sys

import numpy as np

HEAD = "import numpy as np\n\nK = 1\n\n\ndef last(k):\n    return k\n\n\n"
MADE, LOOP = "d = p[1] - p[0]", ["for k in range(2):", "    d[k] -= 1.0"]
USES = ["d[k] = 9.0", "d[k] *= 3.0", "s += d[k]", "d[k], s = d[1], d[k]", "d[0] = d[k]"]
SET = [  # by statements
    ["k = n"], ["k = 3"], ["k = K"], ["k = last(k=n)"], ["k, t = n, 1"],
    ["t, (s, k) = 1, (2.0, n)"], ["t = k = n"], ["k = t = n"], ["k: int = n"], ["t = (k := n)"],
    ["if (k := n) > 0:", "    s += 1.0"], ["while (k := n) < s:", "    s -= 1.0"],
    ["k = 0", "k += n"], ["k = 1", "k *= n"], ["k = 0", "while k < n:", "    k += 1"],
    ["if n > 2:", "    k = n"], ["for t in range(2):", "    k = n"], ["k = ks[0]"],
    ["k, t = ks[0], ks[1]"]]
LOOPS = [  # in whose rounds it has one
    "for k in range(n):", "for k in range(1, n):", "for k in range(n, 0, -1):",
    "for k in range(0, 4, 3):", "for k in range(4):", "for k in range(1, 4):",
    "for k in range(n - 1):", "for k in ks:", "for t, k in enumerate(ks):",
    "for k, t in enumerate(ks):", "for k, t in zip(ks, ks):", "for k in (3, 2):",
    "for k in range(K, 3):", "for k in range(3, 4):", "for k in range(len(ks)):",
    "for k in np.arange(3):", "for k in reversed(range(n)):", "for k in range(2):"]
WITHIN = ["k = n", "k += 1", "k, t = n, 1", "t = (k := n)", "k = last(k + 1)"]  # the loop itself
ALONE = ["s += (lambda k: d[k])(n)", "s += d[K]", "d[K] = 7.0", "s += d[K + 1]"]  # other names
READS = ["s += d[1]", "s += np.sum(d)"]


def programs():
    """The parameter besides p, ks, n and out, and statements."""
    for way, use in itertools.product(SET, USES):
        yield "m", [MADE, *LOOP, *way, use]
        yield "m", [MADE, *way, use, *LOOP]
    for loop, use in itertools.product(LOOPS, USES):
        yield "m", [MADE, *LOOP, loop, "    " + use]
        yield "m", [MADE, loop, "    " + use, *LOOP]
        yield "m", [MADE, *LOOP, loop, "    t = 1", use]
    for way, use in itertools.product(WITHIN, USES):
        yield "m", [MADE, LOOP[0], "    " + way, "    " + use]
        yield "m", [MADE, LOOP[0], "    " + use, "    " + way, LOOP[1]]
        yield "m", [MADE, *LOOP, "    " + way, use]
    for statement in ALONE:
        yield "m", [MADE, *LOOP, statement]
        yield "m", [MADE, statement, *LOOP]
    for use in USES:
        yield "k", [MADE, use, *LOOP]
        yield "k", [MADE, *LOOP, use]
        yield "k", [MADE, "if n > 7:", *("    " + line for line in LOOP), use]
    for read in READS:
        yield "d", [read, MADE, *LOOP]
        yield "d", [MADE, read]
        yield "d", ["if n > 7:", "    " + MADE, "    " + read, read]
        yield "d", ["for k in range(2):", "    " + read, "    " + MADE]
        yield "d", ["if s > 1:", "    " + read, "else:", "    " + MADE, "    " + read]


def function(number, parameter, body):
    ends = [] if parameter == "d" else ["for j in range(4):", "    out[1 + j] = d[j]"]
    lines = "".join(f"    {line}\n" for line in ["s = 2.0", *body, "out[0] = s", *ends])
    return f"def f{number}(p, ks, n, {parameter}, out):\n{lines}"


def main(folder):
    def path(name):
        return os.path.join(folder, name)

    arrays = {"p": np.array([[1.0, 2.0, 4.0, 9.0], [3.0, 8.0, 16.0, 33.0]]),
              "ks": np.array([2, 3]), "d": np.array([0.5, 0.25, 70.0, 80.0])}
    for name, values in arrays.items():
        np.save(path(name + ".npy"), values)
    agree, refused, wrong = 0, 0, []
    for number, (parameter, body) in enumerate(programs()):
        text, space, expected = function(number, parameter, body), {}, np.zeros(5)
        exec(HEAD + text, space)
        space[f"f{number}"](arrays["p"], arrays["ks"], 3, arrays.get(parameter, 3), expected)
        with open(path("k.py"), "w") as f:
            f.write(HEAD + text)
        given = path("d.npy") if parameter == "d" else 3
        done = subprocess.run(
            ["cplc", "run", path("k.py") + f":f{number}", "--as", "function", "--target", "interp",
             "p=" + path("p.npy"), "ks=" + path("ks.npy"), "n=3", f"{parameter}={given}",
             "out=float64[5]", "--out", "out=" + path("out.npy")], capture_output=True, text=True)
        known = "float64 cannot be indexed", "float64[] and cannot take float64"
        if done.returncode:
            refused += 1
            if not any(reason in done.stderr for reason in known):
                wrong.append(text + done.stderr)
            continue
        got = np.load(path("out.npy"))
        agree += 1
        if not np.array_equal(got, expected):
            wrong.append(f"{text}gives {got}, expected {expected}")
    print(*wrong[:20], sep="\n\n")
    print(f"{agree} programs agree, {refused} are refused, {len(wrong)} wrong")


main(sys.argv[1])

# What is computed of rows where it is used, and writes of these rows around it: where one may come in between it is
# refused, where none can it is as in Python. Each pair of reads and writes in each place, and each way to write; what is
# computed in a block of its own, and read behind that or in front of it in a next round.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: 131 programs agree, 325 are refused, 0 wrong
import itertools
import os
import re
import subprocess
import sys

import numpy as np

MADE = "d = p[1] - p[0]"
READ, WRITE = "out[0] = out[0]*3.0 + np.sum(d*d)", "p[0, 1] = 5.0"
HELPERS = """import numpy as np


def touch(p):
    p[0, 1] += 5.0
    return 1.0


def twice(v):
    return 2*v


def touch_row(r):
    r[1] = r[1]*2.0 + 5.0
    return 1.0
"""
PLACES = {  # {} is a statement
    "plain": ["{}"], "then": ["if c:", "    {}"],
    "else": ["if c:", "    out[1] += 1.0", "else:", "    {}"],
    "elif": ["if c:", "    out[1] += 1.0", "elif out[2] == 0:", "    {}"],
    "for": ["for k in range(2):", "    {}"],
    "while": ["w = 0", "while w < 2:", "    w += 1", "    {}"],
    "loop-then": ["for k in range(2):", "    if c:", "        {}"],
    "then-loop": ["if c:", "    for k in range(2):", "        {}"],
}
SURELY = {"then": "if c:", "else": "if not c:", "elif": "if not c:", "loop-then": "if c:",
          "then-loop": "if c:"}  # where what was done in the place was done
BOTH = [["if c:", "    {0}", "else:", "    {1}"], ["for k in range(2):", "    {0}", "    {1}"],
        ["if c:", "    {0}", "    {1}"],
        ["for k in range(3):", "    if (k + c) % 2:", "        {0}", "    else:", "        {1}"],
        ["for k in range(2):", "    if k == c:", "        {0}", "    else:", "        {1}"]]
WRITES = ["p[0, 1] = 5.0", "p[0][1] = 5.0", "p[0, 1] += 5.0", "p[0, 1], s = 5.0, 1.0",
          "s, p[0, 1] = 1.0, 5.0", "s, (t, p[0, 1]) = 1.0, (2.0, 5.0)",
          "p[1, 0], p[0, 1] = 6.0, 5.0", "p[0, 1] = out[1] = 5.0", "out[1] = p[0, 1] = 5.0",
          "p[0, :] = 5.0", "p[0] = p[2]", "p[:, :] = 5.0",
          "p[0] += p[2]", "p[0] = 1.0, 2.0, 3.0", "r[1] = 5.0", "r[1] += 5.0", "r[:] = 5.0",
          "touch(p)", "touch(p=p)", "touch_row(p[0])", "touch_row(r)",
          "touch_row(r=r)", "s = touch(p)", "s = 1.0 + touch(p)", "out[1] = max(touch(p), 2.0)",
          "out[int(touch(p))] = 1.0", "out[1] += touch(p)",
          "s = touch(p) if c else 1.0", "assert touch(p) > 0", "p.flat[1] = 5.0",
          "p.ravel()[1] = 5.0", "col = p[:, 1]; col[0] = 5.0",
          "col = p[:, 1]; col *= 5.0", "col = p[:, 1]; touch_row(col)",
          "row = p[0]; row[1] = 5.0; row = p[2]", "for row in p: row[1] = 5.0",
          "for m, row in enumerate(p): row[1] = 5.0", "for row in p: touch_row(row)"]
HEADS = ["if touch(p) > e:", "if c and touch(p) > e:", "while touch(p) > 0 and out[2] < 2:",
         "for k in range(int(touch(p))):"]
OTHERS = ["out[1] = p[0, 1]", "q[0, 1] = 5.0", "s = len(p)", "s = np.sum(p[0])",
          "s = p[0, 1]; s += 1.0", "col = p[:, 1]; out[1] = col[0]",
          "col = q[:, 1]; col[0] = 5.0", "for v in p[0]: out[1] += v", "for row in q: row[1] = 5.0",
          "for m, row in enumerate(p): out[1] += row[m]",
          "for m in range(len(p)): out[1] += twice(m)",
          "for m, row in enumerate(p): out[1] += twice(m) + row[0]"]  # nothing of p's
TOGETHER = ["p[0, 1] = np.sum(d)", "p[0, :] = d", "p[0, :] += d", "p[0] = d - d[0]",
            "p[0] = d/np.sum(d)", "p[0, 0], p[0, 1] = d[1], d[0]",
            "out[0] = np.sum(d) + touch(p)", "out[0] = touch(p) + np.sum(d)", "p[1] = d*d[1]",
            "p[0, :] = d + d[0]"]


def placed(place, *statements):
    return [line.format(*statements) for line in place]


def programs():
    for a, b, statements in itertools.product(PLACES.values(), PLACES.values(),
                                              itertools.permutations((READ, WRITE))):
        yield placed(a, statements[0]) + [line.replace("if c:", "if e:")
                                          for line in placed(b, statements[1])]
    for place, statements in itertools.product(BOTH, itertools.permutations((READ, WRITE))):
        yield placed(place, *statements)
    for write in WRITES:
        for place in ("plain", "then", "for"):
            yield placed(PLACES[place], write) + [READ]
        yield [READ, write]
        yield ["for k in range(2):", "    " + READ, "    " + write]
    for head in HEADS:
        yield [head, "    " + READ, "    out[2] += 1.0"]
        yield [head, "    out[2] += 1.0", READ]
        yield [head, "    out[2] += 1.0", "else:", "    " + READ]
        yield [READ, head, "    out[2] += 1.0"]
    for condition in ("touch(p) > e", "c < 2 and touch(p) > e"):
        yield ["if c:", "    out[1] = 1.0", f"elif {condition}:", "    " + READ, "else:",
               "    out[1] = 2.0"]
        yield ["if c:", "    out[1] = 1.0", f"elif {condition}:", "    out[1] = 2.0", "else:",
               "    " + READ]
        yield ["if c:", "    out[1] = 1.0", f"elif {condition}:", "    out[1] = 2.0", READ]
    yield from ([other, READ] for other in OTHERS)
    yield from ([statement] for statement in TOGETHER)
    yield from made_inside()


def made_inside():
    """Read outside of the block in which it is computed, and written in there or out of it."""
    write = "p[0, 1] += 5.0"
    for name, place in PLACES.items():
        guard = [SURELY[name]] if name in SURELY else []
        behind = "    "*len(guard) + READ
        for inside in (), (write,), (READ,), (READ, write), (write, READ):
            within = place[:-1] + [place[-1].format(s) for s in (MADE, *inside)]
            yield within + ([] if write in inside else [write]) + guard + [behind]
            yield within + guard + [behind.replace(READ, write), behind]
    for head, step in ("for k in range(2):", "s = 1.0"), ("while out[2] < 2:", "out[2] += 1.0"):
        for read in [], [READ]:
            body = ["if out[1]:", "    " + READ, MADE, *read, write, "out[1] = 1.0", step]
            yield [head, *("    " + line for line in body)]


def function(number, body):
    alias = ["r = p[0]"] if any(re.search(r"\br\b", line) for line in body) else []
    made = any(MADE in line for line in body)
    lines = alias + [MADE]*(not made) + body
    return f"def f{number}(p, q, c, e, out):\n" + "".join(f"    {line}\n" for line in lines)


def stale(number, text):
    """Whether in Python it matters that d is no view of the rows, for a c."""
    view = re.sub(r"\bd\b", "(p[1] - p[0])", re.sub(r"\bd = .*", "pass", text))
    return any(repr(python(number, text, c, e)) != repr(python(number, view, c, e))
               for c, e in CHOICES)


def python(number, text, c, e):
    space = {}
    exec(HELPERS + text, space)
    p, q, out = P.copy(), P.copy(), np.zeros(3)
    space[f"f{number}"](p, q, c, e, out)
    return p.tolist(), q.tolist(), out.tolist()


def cplc(*args):
    return subprocess.run(["cplc", *args], capture_output=True, text=True)


folder = sys.argv[1]
P = np.array([[1.0, 2.0, 4.0], [3.0, 8.0, 16.0], [7.0, 9.0, 25.0]])
AT_ONCE = 20
CHOICES = [(k % 2, k // 2) for k in range(4)]
agree, refused, wrong = [], 0, []
texts = [function(n, body) for n, body in enumerate(programs())]
path = os.path.join(folder, "k.py")
for n, text in enumerate(texts):
    with open(path, "w") as f:
        f.write(HELPERS + text)
    said = cplc(f"{path}:f{n}", "--as", "function", "--emit", "types", "--types",
                "p=float64[,] q=float64[,] c=int64 e=int64 out=float64[]")
    if said.returncode == 0:
        agree.append(n)
        continue
    refused += 1
    between = "'d' is computed of rows where it is used, and they are written in between" in said.stderr
    if not between or not stale(n, text):
        wrong.append((text, said.stderr if not between else "refused for nothing"))


def run(some):
    """What each of them leaves in p, q and out for each choice."""
    with open(path, "w") as f:
        f.write(HELPERS + "".join(texts[n] for n in some))
        f.write("def every(given, p, q, o, ps, qs, outs):\n    for k in range(4):\n        c, e = k % 2, k // 2\n")
        for at, n in enumerate(some):
            f.write("        p[:, :] = given[:, :]\n        q[:, :] = given[:, :]\n        o[:] = 0.0\n"
                    f"        f{n}(p, q, c, e, o)\n        ps[k, {at}, :, :] = p[:, :]\n        qs[k, {at}, :, :] = q[:, :]\n"
                    f"        outs[k, {at}, :] = o[:]\n")
    count = len(some)
    np.save(os.path.join(folder, "given.npy"), P)
    shapes = {"p": "3,3", "q": "3,3", "o": "3", "ps": f"4,{count},3,3", "qs": f"4,{count},3,3",
              "outs": f"4,{count},3"}
    done = cplc("run", f"{path}:every", "--as", "function", "--target", "interp",
                "given=" + os.path.join(folder, "given.npy"),
                *[f"{name}=float64[{shape}]" for name, shape in shapes.items()],
                *[word for name in ("ps", "qs", "outs")
                  for word in ("--out", f"{name}={os.path.join(folder, name)}.npy")])
    if done.returncode:
        sys.exit(done.stderr[:2000])
    return [np.load(os.path.join(folder, name + ".npy")) for name in ("ps", "qs", "outs")]


for begin in range(0, len(agree), AT_ONCE):
    some = agree[begin:begin + AT_ONCE]
    got = run(some)
    for at, n in enumerate(some):
        expected = [np.array(a) for a in zip(*(python(n, texts[n], c, e) for c, e in CHOICES))]
        if not all(np.allclose(a[:, at], b, 1e-14) for a, b in zip(got, expected)):
            wrong.append((texts[n],
                          f"gives {got[2][:, at].tolist()}, expected {expected[2].tolist()}"))
print(*(f"{text}{why}" for text, why in wrong[:20]), sep="\n\n")
print(f"{len(agree)} programs agree, {refused} are refused, {len(wrong)} wrong")

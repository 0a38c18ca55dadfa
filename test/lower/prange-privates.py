# What a round assigns, or takes the address of, belongs to the round or is reduced: with each kind
# of value that a name may have, its length and its stride included.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]}} loops, {{[1-9][0-9][0-9]}} names of their rounds, {{[1-9][0-9]*}} strides, {{[1-9][0-9]*}} lengths, 0 shared
import re
import subprocess
import sys

HEAD = """from compyle.api import declare
from compyle.low_level import address, atomic_add, prange


def twice(a, k):
    return a[k]*2


"""
BODIES = [
    ["c = x", "y[i] = c[i]"],
    ["c = x", "if i > 4:", "    c = z", "y[i] = c[i]"],
    ["c = x if i > 4 else z", "y[i] = c[i]"],
    ["c = d = x", "y[i] = c[i] + d[i]"],
    ["c, d = x, z", "c, d = d, c", "y[i] = c[i] + d[i]"],
    ["c = x", "for k in range(2):", "    c = z if k else c", "y[i] = twice(c, i)"],
    ["if i > 4:", "    c = x", "else:", "    c = z", "y[i] = twice(c, i)"],
    ["y[i] = twice(x if i > 4 else z, i)"],
    ["c = m[:, i % 3]", "y[i] = c[1]"],
    ["c = m[i % 3]", "y[i] = c[1] + sum(c)"],
    ["t = x[i]", "u = t*2", "t += u", "y[i] = t"],
    ["s += x[i]", "t = s_low = x[i]", "y[i] = t + s_low"],
    ["q = declare('matrix(3)')", "q[1] = x[i]", "y[i] = q[1] + twice(q, 1)"],
    ["q = [x[i], 2.0]", "a, b = q", "y[i] = a*b"],
    ["k = 2", "atomic_add(k, 1)", "y[i] = k"],
    ["w = x[i]*1j", "w += 1", "y[i] = w.imag"],
    ["for k in range(3):", "    for j in range(k):", "        y[i] += k*j"],
    ["k = 3", "while k:", "    k -= 1", "y[i] = k"],
    ["for a, b in zip(x, z):", "    y[i] += a*b"],
    ["for k, a in enumerate(x):", "    y[i] += a*k"],
]
VECTOR = ("float64[]", "float64[:]")


def ir(path, function, vector, checked):
    types = f"x={vector} z={vector} y={vector} m=float64[,] n=int64"
    done = subprocess.run(["cplc", f"{path}:{function}", "--as", "function", "--types", types,
                           "--emit", "ir", "--passes=",
                           f"--option=bounds_check={checked}"], capture_output=True, text=True)
    assert done.returncode == 0, (function, done.stderr)
    return done.stdout


path = sys.argv[1] + "/k.py"
with open(path, "w") as f:
    f.write(HEAD)
    for at, lines in enumerate(BODIES):
        body = "".join(f"        {line}\n" for line in lines)
        f.write(f"def f{at}(x, z, y, m, n):\n    s = 0.0\n    for i in prange(n):\n{body}    y[0] += s\n\n\n")
loops = names = strides = lengths = shared = 0
for at, lines in enumerate(BODIES):
    for vector in VECTOR:
        for checked in (0, 1):
            text = ir(path, f"f{at}", vector, checked)
            loop, body = re.search(r"^  parallel for (.*) \{\n((?:    .*\n)*)  \}", text,
                                   re.M).groups()
            own = {loop.split()[0],
                   *re.findall(r"\w+", " ".join(re.findall(r" (?:private|reduce)\((.*?)\)", loop)))}
            locals_ = set(re.findall(r"^  var (\w+):", text[text.index("entry func"):], re.M))
            set_here = set(re.findall(r"^ *(\w+) = |\bfor (\w+) in|\baddr\((\w+)\)", body, re.M))
            set_here = {n for found in set_here for n in found if n} & locals_
            loops += 1
            names += len(set_here)
            strides += any("stride" in n for n in set_here)
            lengths += any("len" in n for n in set_here)
            if set_here - own:
                shared += 1
                print(f"{lines} of {vector}: {sorted(set_here - own)} of {loop}")
print(f"{loops} loops, {names} names of their rounds, {strides} strides, {lengths} lengths, {shared} shared")

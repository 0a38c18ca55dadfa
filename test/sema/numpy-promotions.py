# A module's numbers that are NumPy's scalars: two of each pair of types, and one beside Python's,
# come to what NumPy has, and so does one alone, where numbers are at the ends of the types and where
# they are rounded.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: {{[0-9]+}} numbers, 0 differ
import os
import re
import subprocess
import sys
import warnings

import numpy as np

TYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()
PYTHONS = ["True", "3", "-5", "0.1", "123456789"]
FORMS = ["{a} + {b}", "{a} - {b}", "{a}*{b}*{a}*{b}*{a}", "{a}/{b}", "{a} // {b}", "{a} % {b}",
         "{a} & {b}", "{a} | {b}",
         "{a} ^ {b}", "np.add({a}, {b})*3", "np.where(True, {a}, {b})*3*{a}",
         "np.where(False, {a}, {b})*3*{a}",
         "np.clip({a}, {b}, {b})*3", "({a} < {b}) + 2*({a} == {b})"]

ALONE = ["-{a}", "+{a}", "~{a}", "not {a}", "abs({a})", "np.abs({a})",
         "np.sign({a})*100*100*100*100*100",
         "np.square({a})", "np.sqrt({a})", "np.sqrt({a})/3", "np.floor({a})", "float({a})/3",
         "int({a})*2", "bool({a}) + 1", "{a}**2", "{a}**3", "2**{a}", "{a} << 3", "{a} >> 2",
         "np.float32({a})/3", "np.int16({a} % 5)*3", "np.uint8({a} % 5)*3", "1 if {a} else 2",
         "({a} and 5) + 1", "{a} == {a}", "{a} != {a}", "{a} <= 3", "3 >= {a}", "0 < {a} < 100",
         "max({a}, 5)*3", "min({a}, 5)*3", "np.maximum({a}, 5)*3", "np.minimum({a}, {a})*3",
         "round({a})", "np.hypot({a}, {a})"]


def names(t):
    """A number at the end of the type, and one that is not."""
    if t == "bool":
        return ["np.bool_(True)"]
    if t.startswith("float"):
        return [f"np.{t}({float(np.finfo(t).max)!r})", f"np.{t}(0.1)"]
    return [f"np.{t}({np.iinfo(t).max})", f"np.{t}(7)"]


def numbers():
    for a in TYPES:
        for b in TYPES + PYTHONS:
            for x in names(a):
                for y in names(b) if b in TYPES else [b]:
                    yield x, y
                    if b not in TYPES:
                        yield y, x


def evaluated(text):
    """What NumPy says; None: it refuses that, or kernels do: a quotient of two truths, and a number
    that the type of the other does not have."""
    truths = text.count("np.") == text.count("np.bool_") and not re.search(r"[0-9]", text)
    if truths and re.search("//|%",
                            text) or re.match(r"np.(where|clip).*(uint.*-5|int(8|16)\(.*, 123456789\))", text):
        return None
    try:
        value = eval(text)
    except (TypeError, OverflowError, ValueError):
        return None
    return None if type(value) is int and abs(value) >= 2**63 else value


warnings.simplefilter("ignore")  # of what wraps
texts = [form.format(a=a, b=b) for a, b in numbers() for form in FORMS]
texts += [form.format(a=a) for t in TYPES for a in names(t) for form in ALONE]
known = [(text, value) for text in texts if (value := evaluated(text)) is not None]
values = np.array([float(value) for _, value in known])
kernel, out = os.path.join(sys.argv[1], "k.py"), os.path.join(sys.argv[1], "r.npy")
with open(kernel, "w") as f:
    f.write("import numpy as np\nT = [" + ",\n     ".join(text for text, _ in known) + "]\n")
    f.write("\ndef f(r):\n    for k in range(len(T)):\n        r[k] = T[k]\n")
np.save(out, values*0 - 1)
subprocess.run(["cplc", "run", f"{kernel}:f", "-O0", "--option", "max_ops=200000", "--as",
                "function", f"r={out}", "--out", f"r={out}"], check=True)
got = np.load(out)
wrong = [k for k in range(len(known)) if values[k] != got[k] and not np.isnan(values[k] + got[k])]
for k in wrong[:20]:
    print(f"{known[k][0]}: {got[k]}, not {known[k][1]!r}")
print(f"{len(known)} numbers, {len(wrong)} differ")

# Numbers that are written, beside elements of every type, in every form of an expression that joins
# two: each is of the type that both are computed in, with all its digits.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]+}} numbers, 0 wrong
import re
import subprocess
import sys

FORMS = ("{x}*{n}", "{n}*{x}", "{x} + {n}", "{n} + {x}", "{x} - {n}", "{n} - {x}", "{x}/{n}",
         "{n}/{x}", "{x} // {n}",
         "{n} // {x}", "{x} % {n}", "{n} % {x}", "{n} < {x}", "{x} >= {n}", "{x} == {n}",
         "max({x}, {n})", "min({n}, {x})",
         "{n} if k > 0 else {x}", "{x} if k > 0 else {n}", "{x} + ({n} if k > 0 else {x})",
         "{x} + {x}*{n}", "({x} - {n})*{n}",
         "twice({x}, {n})", "abs({n})*{x}", "np.arctan2({x}, {n})", "np.copysign({n}, {x})")
NUMBERS = {"0.1": 0.1, "TENTH": 0.1, "(TENTH*4)": 0.4, "7": 7, "SEVEN": 7, "(SEVEN + 2)": 9}
INTEGERS = {"bool": "int32", "int8": "int32", "int16": "int32", "int32": "int32", "int64": "int64",
            "uint8": "int32",
            "uint16": "int32", "uint32": "uint32", "uint64": "uint64"}
FLOATS = {"float16": "float32", "float32": "float32", "float64": "float64"}


def type_of(of, form, n):
    """What n is of beside elements of this type."""
    if NUMBERS[n] > 1 and (form.startswith("twice") or form.startswith("abs") and of in FLOATS):
        return "int32"  # an argument's is its own
    if NUMBERS[n] < 1 or form.startswith("np."):
        return FLOATS.get(of, "float64")
    return {**INTEGERS, **FLOATS}[of]


def main(folder):
    rows = [(n, form) for n in NUMBERS for form in FORMS]
    with open(folder + "/k.py", "w") as file:
        file.write("import numpy as np\nTENTH = 0.1\nSEVEN = 7\ndef twice(a, b): return a + b\ndef f(i, k, x, r):\n")
        for k, (n, form) in enumerate(rows):
            file.write(f"    r[{k}] = {form.format(x='x[i]', n=n)}\n")
    count = wrong = 0
    for of in (*INTEGERS, *FLOATS):
        done = subprocess.run(["cplc", f"{folder}/k.py:f", "--emit", "ir", "--types",
                               f"k=int32 x={of}[] r=float64[]"],
                              capture_output=True, text=True)
        lines = re.sub(r"^\s*t\w* = .*\n", lambda m: m[0].rstrip("\n"), done.stdout, flags=re.M)
        for k, (n, form) in enumerate(rows):
            [parts] = re.findall(rf"^(.*)store\(elem\(r, {k}:\w+\), (.*)\)$", lines,
                                 re.M) or [[done.stderr]]
            value, kind = abs(NUMBERS[n]), type_of(of, form, n)
            found = {(abs(float(a)), b) for a, b in re.findall(r"([\d.]+):(\w+)", " ".join(parts))}
            count += 1
            if found - {(0, "int32")} != {(value, kind)}:
                wrong += 1
                print(f"{form.format(x='x', n=n)}, x of {of}: {kind} is not it in {parts}")
    print(f"{count} numbers, {wrong} wrong")


main(sys.argv[1])

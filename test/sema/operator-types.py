# The type of every arithmetic operator, minimum and choice on each pair of types, literals of every size among them: the rules in a few lines.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: {{[0-9]+}} results, 0 differences
import itertools
import os
import re
import subprocess
import sys

DECLARED = {"bool": "bool", "int8": "char", "int16": "short", "int32": "int", "int64": "long", "uint8": "uchar", "uint16": "ushort", "uint32": "uint",
            "uint64": "ulong", "float32": "float", "float64": "double"}
LITERALS = ["1", "2147483648", "4294967296", "9223372036854775808", "-1", "-2147483649", "1.5"]
SIZES = {"bool": 1, **{t: int(re.sub(r"\D", "", t))//8 for t in DECLARED if t != "bool"}}


def is_float(t):
    return t.startswith("float")


def default(text):
    """A literal's own type: the first that holds it of int32, int64, uint64."""
    if "." in text:
        return "float64"
    v = int(text)
    return "int32" if -(2**31) <= v < 2**31 else "int64" if v < 2**63 else "uint64"


def integer(signed, size):
    return ("int" if signed else "uint") + str(8*max(size, 4))


def joined(a, b):
    """Of two types that are not literals."""
    if is_float(a) or is_float(b):
        return "float64" if "float64" in (a, b) else "float32"
    if SIZES[a] < 4 and SIZES[b] < 4:
        return "int32"
    size = max(SIZES[a], SIZES[b])
    unsigned = [SIZES[t] for t in (a, b) if t[0] == "u"]
    signed = any(t[0] == "i" for t in (a, b))
    if not unsigned or signed and unsigned[0] < 4:
        return integer(True, size)
    return integer(False, size) if 8 in unsigned or not signed else "int64"


def with_literal(t, text):
    """A literal takes the other's type where it fits; narrow integers compute as its own type."""
    if is_float(t):
        return t
    if "." in text:
        return "float64"
    v = int(text)
    if SIZES[t] < 4:
        return default(text)
    if t[0] == "i":
        half = 2**(8*SIZES[t] - 1)
        return t if -half <= v < half else default(text)
    if v < 0:
        return joined(t, default(text))
    return t if SIZES[t] == 8 or v < 2**32 else default(text)


def main(folder):
    names = {f"v_{t}": t for t in DECLARED}
    lines, expected = [], []
    for (x, a), (y, b) in itertools.product(names.items(), repeat=2):
        for form in ("{x} + {y}", "{x} * {y}", "{x} - {y}"):
            expected.append((form.format(x=x, y=y), joined(a, b)))
        expected.append((f"min({x}, {y})", a if a == b else joined(a, b)))
        expected.append((f"{x} if v_bool else {y}", a if a == b else joined(a, b)))
    for (x, a), text in itertools.product(names.items(), LITERALS):
        for form in ("{x} + {k}", "{k} * {x}", "max({x}, {k})", "{k} if v_bool else {x}"):
            expected.append((form.format(x=x, k=text), with_literal(a, text)))
        if not is_float(a) and "." not in text:  # two literals of which neither is known
            for other in ("1", "-1"):
                low, high = sorted((int(text), int(other)))
                both = str(high if low >= 0 else min(low, -high - 1))
                expected.append((f"{x} + ({text} if v_bool else {other})", with_literal(a, both) if SIZES[a] >= 4 and (a, text) != ("uint32", "2147483648") else None))
    expected = [(e, t) for e, t in expected if t]
    path = os.path.join(folder, "f.py")
    with open(path, "w") as file:
        file.write("def f(" + ", ".join(names) + "):\n" + "".join(f"    r{k} = {e}\n" for k, (e, _) in enumerate(expected)))
    types = " ".join(f"{v}={t}" for v, t in names.items())
    text = subprocess.run(["cplc", path + ":f", "--as", "function", "--types", types, "--emit", "types"], check=True, capture_output=True, text=True).stdout
    found = dict(re.findall(r"^  (r\d+): (\S+)", text, re.M))
    bad = [(e, found[f"r{k}"], t) for k, (e, t) in enumerate(expected) if found[f"r{k}"] != t]
    for e, got, t in bad[:20]:
        print(f"{e}: {got}, expected {t}")
    print(f"{len(expected)} results, {len(bad)} differences")


main(sys.argv[1])

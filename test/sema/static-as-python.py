# Conditions on what parameters stand for are decided when the function is compiled, as Python
# decides them: chains of comparisons, operators within each other, types.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]*}} conditions, {{[1-9][0-9]*}} true, {{[1-9][0-9]*}} false, 0 wrong
import os
import random
import re
import subprocess
import sys

COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
ARITHMETIC = ["+", "-", "*", "//", "%", "&", "|", "^"]
TYPES = ["float32", "float64", "int32", "int64", "uint8"]
BOUND = [(0, 1), (3, 3), (-2, 2), (7, -7)]
LEAVES = ["N", "M", "SIDE", "-N", "~M", "0", "1", "3", "-2", "HALF", "2.5"]


def value(rng, depth):
    if depth == 0 or rng.random() < 0.4:
        return rng.choice(LEAVES)
    op = rng.choice(ARITHMETIC)
    if op in ("//", "%"):
        return f"({integer(rng, depth - 1)} {op} {rng.choice(['2', '-3', 'SIDE'])})"
    pair = [integer(rng, depth - 1) if op in "&|^" else value(rng, depth - 1) for _ in range(2)]
    if rng.random() < 0.1:
        return f"({pair[0]} if {bound(rng, depth - 1)} else {pair[1]})"
    return f"({pair[0]} {op} {pair[1]})"


def integer(rng, depth):
    text = value(rng, depth)
    while "HALF" in text or "." in text:
        text = value(rng, depth)
    return text


def chain(rng, depth):
    text = value(rng, depth)
    for _ in range(rng.randint(1, 3)):
        text += f" {rng.choice(COMPARISONS)} {value(rng, depth)}"
    return text


def condition(rng, depth):
    kind = rng.choice(["chain", "chain", "type", "value"] + ["not", "and", "or"]*(depth > 0))
    if kind == "chain":
        return "(" + chain(rng, min(depth, 1)) + ")"
    if kind == "type":
        return f"(T {rng.choice(['is', 'is not', '==', '!='])} {rng.choice(TYPES)})"
    if kind == "value":
        return value(rng, 1)
    if kind == "not":
        return f"(not {condition(rng, depth - 1)})"
    return "(" + f" {kind} ".join(condition(rng, depth - 1) for _ in range(rng.randint(2, 3))) + ")"


def bound(rng, depth):
    """A condition that depends on a parameter."""
    text = condition(rng, depth)
    while not re.search(r"\b[NMT]\b", text):
        text = condition(rng, depth)
    return text


def conditions(rng):
    """Each pair of comparisons in a chain, then others at random."""
    for a in COMPARISONS:
        for b in COMPARISONS:
            yield f"N {a} SIDE {b} M"
            yield f"SIDE {a} N {b} SIDE"
            yield f"M {a} N {b} 3 {a} M"
    for _ in range(600):
        yield bound(rng, 3)


def kept(path, n, m, t, count):
    """Which of the two stores of each condition is left."""
    binds = f"N=const:{n} M=const:{m} T=type:{t} x=int32[]"
    ir = subprocess.run(["cplc", path + ":f", "--emit", "ir", "--types", binds,
                         "--option", "max_ops=1000000"], capture_output=True, text=True)
    if ir.returncode:
        print(ir.stderr[:2000])
    found = [set() for _ in range(count)]
    if not re.search(r"^ *if ", ir.stdout, re.M):
        for k in map(int, re.findall(r"^ *store\(.*, (\d+):int32\)$", ir.stdout, re.M)):
            found[k//2].add(k % 2 == 1)
    return found


def main(folder):
    texts = list(conditions(random.Random(1)))
    path = os.path.join(folder, "k.py")
    with open(path, "w") as file:
        file.write("SIDE = 2\nHALF = 0.5\ndef f(i, N, M, T, x):\n")
        for k, text in enumerate(texts):
            file.write(f"    if {text}:\n        x[i] = {2*k + 1}\n    else:\n        x[i] = {2*k}\n")
    seen, wrong = [0, 0], 0
    for k, (n, m) in enumerate(BOUND):
        names = {"N": n, "M": m, "T": TYPES[k], "SIDE": 2, "HALF": 0.5, **{t: t for t in TYPES}}
        for text, found in zip(texts, kept(path, n, m, TYPES[k], len(texts))):
            expected = bool(eval(text, names))
            seen[expected] += 1
            if found != {expected}:
                wrong += 1
                if wrong < 9:
                    print(f"N = {n}, M = {m}, T = {TYPES[k]}: {text} is {expected}, kept {found}")
    print(f"{len(texts)*len(BOUND)} conditions, {seen[1]} true, {seen[0]} false, {wrong} wrong")


main(sys.argv[1])

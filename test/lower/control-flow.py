# Loops, their else parts, branches, jumps and returns at random in a helper, each round of a kernel
# on another path: what is done, and in which order, is what Python does.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]*}} programs, 0 wrong
import os
import random
import subprocess
import sys

import numpy as np

PROGRAMS, DEPTH, ROUNDS = 60, 3, 64


class Writer:
    """A program: each statement mixes a number of its own into t, on which branches depend."""

    def __init__(self, rng):
        self.rng, self.lines, self.marks, self.loops = rng, [], 0, 0

    def put(self, indent, text):
        self.lines.append("    "*indent + text)

    def mark(self, indent):
        self.marks += 1
        self.put(indent, f"t = (31*t + {self.marks}) % 1000003")

    def condition(self):
        return f"t % {self.rng.randint(2, 4)} == {self.rng.randint(0, 1)}"

    def head(self, kind, indent):
        if kind == "if":
            return f"if {self.condition()}:"
        self.loops += 1
        if kind == "for":
            start, step = self.rng.randint(0, 4), self.rng.choice([1, 1, 2, -1])
            return f"for j{self.loops} in range({start}, {self.rng.randint(0, 5)}, {step}):"
        self.put(indent, f"w{self.loops} = 0")
        return f"while w{self.loops} < {self.rng.randint(0, 4)} and t % 5 != 0:"

    def nested(self, indent, depth, in_loop):
        kind = self.rng.choice(["if", "if", "for", "while"])
        self.put(indent, self.head(kind, indent))
        if kind == "while":
            self.put(indent + 1, f"w{self.loops} += 1")
        self.block(indent + 1, depth - 1, in_loop or kind != "if")
        if self.rng.random() < 0.6:
            self.put(indent, "else:")
            self.block(indent + 1, depth - 1, in_loop)

    def block(self, indent, depth, in_loop):
        self.mark(indent)
        for _ in range(self.rng.randint(1, 2) if depth else 0):
            self.nested(indent, depth, in_loop)
            self.mark(indent)
        if indent > 1 and self.rng.random() < 0.4:
            jumps = ["break", "break", "continue"] if in_loop else []
            self.put(indent, self.rng.choice([*jumps, "return t"]))


def program(rng, name):
    w = Writer(rng)
    w.put(0, f"def g{name}(t):")
    w.block(1, DEPTH, False)
    w.put(1, "return t")
    w.put(0, f"def {name}(i, x):")
    w.put(1, f"x[i] = g{name}(i)")
    return "\n".join(w.lines) + "\n"


def main(folder):
    rng, wrong = random.Random(1), 0
    path, out = os.path.join(folder, "k.py"), os.path.join(folder, "x.npy")
    texts = [program(rng, f"f{k}") for k in range(PROGRAMS)]
    with open(path, "w") as file:
        file.write("".join(texts))
    for k, text in enumerate(texts):
        space, expected = {}, [0]*ROUNDS
        exec(text, space)
        for i in range(ROUNDS):
            space[f"f{k}"](i, expected)
        subprocess.run(["cplc", "run", f"{path}:f{k}", f"x=int64[{ROUNDS}]", "--out", f"x={out}",
                        "-O0"], check=True)
        if np.load(out).tolist() != expected:
            wrong += 1
            print(text)
    print(f"{PROGRAMS} programs, {wrong} wrong")


if __name__ == "__main__":
    main(sys.argv[1])

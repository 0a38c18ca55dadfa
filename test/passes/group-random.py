# Random kernels over a grid, compiled for the host and interpreted: barriers in straight code, in ifs and loops that the whole group takes, variables,
# matrices and pointers that are kept across them, sub-groups. Other seeds: group-random.py FOLDER FIRST COUNT.
# RUN: rm -rf %t && %python %s %t 1 3
import os
import random
import subprocess
import sys

import numpy as np

FOLDER, FIRST, COUNT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
ITEMS = 96
MODES = (["--target", "interp"], ["--target", "host", "-O0"], ["--target", "host", "-O3", "--option", "simd=2"],
         ["--target", "host", "--option", "bounds_check=1"])


class Kernel:
    """Each work-item writes its own elements of y and m and, in turns that barriers part, its own or others' of s, whose readers come behind a barrier."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.own, self.shared, self.lines, self.depth = ["a", "b", "c"], ["u", "w"], [], 1
        self.dirty = False  # s was written since the last barrier, or read: the other needs one in between
        self.read = False

    def pick(self, *choices):
        return self.rng.choice(choices)

    def emit(self, text):
        self.lines.append("    "*self.depth + text)

    def barrier(self):
        self.emit("local_barrier()")
        self.dirty = self.read = False

    def uniform(self):
        return self.pick(self.rng.choice(self.shared), "n", str(self.rng.randint(0, 5)), "GID_0", "(u + %d)" % self.rng.randint(0, 9))

    def value(self, deep=2):
        if deep == 0 or self.rng.random() < 0.2:
            return self.pick(self.rng.choice(self.own), self.uniform(), "LID_0", "LID_1", "x[i]", "m[%d]" % self.rng.randint(0, 3), "y[i]", "p[0]")
        a, b = self.value(deep - 1), self.value(deep - 1)
        return self.pick("(%s + %s)", "(%s - %s)", "(%s ^ %s)", "(%s & %s)", "min(%s, %s)") % (a, b)

    def place(self):
        return "(%s) %% %d" % (self.pick("own + %d" % self.rng.randint(0, 40), "own*5", "abs(%s)" % self.rng.choice(self.own), self.uniform()), ITEMS//2)

    def simple(self, exact=False):
        kind = self.rng.randint(0, 9)
        if kind < 4:
            self.emit("%s = %s" % (self.rng.choice(self.own), self.value()))
        elif kind == 4 and not exact:
            self.emit("%s = (%s) %% 7" % (self.rng.choice(self.shared), self.uniform()))
        elif kind == 5:
            self.emit("m[(%s) & 3] = %s" % (self.value(1), self.value(1)))
        elif kind == 6:
            self.emit("y[i] = %s" % self.value())
        elif kind == 7:
            self.emit("p[0] += %s" % self.value(1))
        elif kind == 8:
            self.emit("if %s > %s:" % (self.value(1), self.value(1)))
            self.block(lambda: self.simple(True))
        else:
            v = self.rng.choice(self.own)
            self.emit("for k in range((%s) & 3):" % self.value(1))
            self.block(lambda: self.emit("%s = %s + k" % (v, self.value(1))))

    def block(self, fill):
        self.depth += 1
        fill()
        self.depth -= 1

    def exchange(self):
        kind = self.rng.randint(0, 4)
        if kind == 0:
            if self.read or self.dirty:
                self.barrier()
            self.emit("s[own] = %s" % self.value())
            self.dirty = True
        elif kind in (1, 2):
            if self.dirty:
                self.barrier()
            self.emit("%s += s[%s]" % (self.rng.choice(self.own), self.place()))
            self.read = True
        elif kind == 3:
            op = self.pick("shuffle(%s, 3)", "shuffle_up(%s, 1)", "shuffle_xor(%s, 2)", "subgroup_add(%s)", "subgroup_scan_max(%s)")
            self.emit("%s = %s" % (self.rng.choice(self.own), op % self.value(1)))
        else:
            self.barrier()

    def together(self, levels):
        """Control flow of the group's, in which barriers may stand."""
        kind = self.rng.randint(0, 2)
        if kind == 0:
            self.emit("if %s > %s:" % (self.uniform(), self.uniform()))
            self.block(lambda: self.some(levels - 1))
            if self.rng.random() < 0.5:
                self.emit("else:")
                self.block(lambda: self.some(levels - 1))
        elif kind == 1:
            self.emit("for %s in range(%d):" % (self.pick("k%d" % levels, "w"), self.rng.randint(0, 3)))
            self.block(lambda: self.some(levels - 1, True))
        else:
            count = "t%d" % levels
            self.emit("%s = 0" % count)
            self.emit("while %s < %d:" % (count, self.rng.randint(1, 3)))

            def rounds():
                self.emit("%s += 1" % count)
                self.some(levels - 1)
                if self.rng.random() < 0.5:
                    self.emit("if %s > 3:" % self.uniform())
                    self.block(lambda: self.emit(self.pick("break", "continue")))
                self.some(levels - 1)
            self.block(rounds)
        self.barrier()

    def some(self, levels, loop=False):
        self.barrier()
        for _ in range(self.rng.randint(1, 5)):
            if levels and self.rng.random() < 0.3:
                self.together(levels)
            else:
                (self.exchange if self.rng.random() < 0.5 else self.simple)()
        self.barrier()

    def text(self):
        for line in ("s = declare('LOCAL_MEM matrix(%d, \"int\")')" % (ITEMS//2), "m = declare('matrix(4, \"int\")')", "own = LID_0 + LDIM_0*LID_1",
                     "i = own + LDIM_0*LDIM_1*GID_0", "a = x[i]", "b = 0", "c = LID_0", "u = n", "w = 1", "p = address(m[%d])" % self.rng.randint(0, 3),
                     "for k in range(4):", "    m[k] = k*a", "s[own] = 0"):
            self.emit(line)
        if self.rng.random() < 0.3:
            self.emit("if n < 0:")
            self.emit("    return")
        for _ in range(3):
            self.some(2)
        self.emit("y[i] += a + 3*b + 5*c + 7*u + 11*w + 13*(m[0] ^ m[1] ^ m[2] ^ m[3])")
        return "from compyle.low_level import *\n\n\ndef f(x, y, n):\n" + "\n".join(self.lines) + "\n"


def run(seed, options, group):
    out = os.path.join(FOLDER, "y.npy")
    command = ["cplc", "run", f"{FOLDER}/k{seed}.py:f", "--as", "kernel", "--global", f"{ITEMS},{group[1]}", "--local", "%d,%d" % group, *options,
               f"x={FOLDER}/x.npy", f"y=int32[{ITEMS*group[1]}]", "n=2", "--out", "y=" + out, "--unchecked"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return np.load(out)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    np.save(os.path.join(FOLDER, "x.npy"), np.random.default_rng(5).integers(0, 100, 4*ITEMS).astype("int32"))
    different = []
    for seed in range(FIRST, FIRST + COUNT):
        with open(f"{FOLDER}/k{seed}.py", "w") as file:
            file.write(Kernel(seed).text())
        group = ((48, 1), (24, 2), (12, 4), (16, 3))[seed % 4]
        results = [run(seed, mode, group) for mode in MODES]
        different += [f"k{seed}.py, groups of {group}: {' '.join(mode)} differs from the interpreter" for mode, got in zip(MODES, results)
                      if not np.array_equal(got, results[0])]
    sys.exit("\n".join(different) or 0)


main()

#!/usr/bin/env python3
"""What the bench's loops take on CPUs that are not at hand, as llvm-mca models them, beside
clang's: mca.py [--write FILE].

Of each loop the innermost one with most vector instructions is taken from the assembly, and its
cycles are divided by the results that it makes a round: elements that it stores, or divisions where
each belongs to one. Everything is in the first level cache, branches are foreseen, and calls cost
nothing, so that a loop with one is only marked. LLVM 22's model of sapphirerapids divides eight
float32 in a cycle, where such a CPU takes five: vortex f32 fast took 0.45 cycles a result on one, by
estimates, and 0.64 by divisions. Code is for a level: on an Intel CPU with AVX2 itself, quotients
of float32 under fast_math are estimated as well.
"""
import argparse
import functools
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CPLC = Path(os.environ.get("CPLC", HERE.parents[1]/"build"/"bin"/"cplc"))
# and the level that code is made for
CPUS = {"sapphirerapids": 4, "znver4": 4, "haswell": 3, "znver3": 3}
ROUNDS = 200

VORTEX = "x=float[] y=float[] strength=float[] u=float[] v=float[] n=int64 core=float"
# name: kernel, types, function of peer.c, what counts as a result
LOOPS = {
    "saxpy f32": ("saxpy", "x=float32[] y=float32[] a=float32", "saxpy_loop", "store"),
    "triad f64": ("triad", "x=float64[] y=float64[] z=float64[] s=float64", "triad_loop", "store"),
    "vortex f64": ("vortex", VORTEX.replace("float", "float64"), "vortex_loop", "divide"),
    "vortex f32": ("vortex", VORTEX.replace("float", "float32"), "vortex_f32_loop", "divide"),
    "a*sin(x) + b": ("axpb", "x=float64[] y=float64[] a=float64 b=float64", "axpb_loop", "store"),
    "exp(-x^2)/sqrt(1 + x^2)": ("gauss", "x=float64[] y=float64[]", "gauss_loop", "store"),
    "x^a*log(x + 1)": ("powlog", "x=float64[] y=float64[] a=float64", "powlog_loop", "store"),
}
MODES = {"": ((), ()), " fast": (("--option", "fast_math=1"), ("-ffast-math", "-fveclib=libmvec"))}
WIDTHS = {"x": 128, "y": 256, "z": 512}
RESULTS = {"store": r"v?mov\w*p[sd]\s+%[xyz]mm\d+,\s*[-\w]*\((?!%r[sb]p)",  # not on the stack
           "divide": r"v?(div|rcp|rcp14)p[sd]"}


@functools.cache
def assembly(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def functions(text):
    """name: lines, of all functions in the assembly."""
    found, name = {}, None
    for line in text.splitlines():
        label = re.match(r'"?([\w.$]+)"?:', line)
        if label and not label[1].startswith(".L"):
            name = label[1]
            found[name] = []
        elif name:
            found[name].append(line.split("#")[0].strip())
    return found


def loops(lines):
    """The innermost loops: from a label to the jump back to it, without another such in between."""
    at, begins = {}, []
    for number, line in enumerate(lines):
        if line.startswith(".L") and line.endswith(":"):
            at[line[:-1]] = number
        jump = re.match(r"j\w+\s+(\.L\w+)", line)
        if jump and jump[1] in at and not any(begin > at[jump[1]] for begin in begins):
            begins.append(at[jump[1]])
            yield [x for x in lines[at[jump[1]]:number + 1]
                   if x and not x.startswith((".p2align", ".loc", ".cfi"))]


def lanes(line):
    """How many numbers a packed instruction works on; 0 for others."""
    width = max((WIDTHS[letter] for letter in re.findall(r"%([xyz])mm", line)), default=0)
    kind = re.match(r"v\w*?p([sd])\b", line.split()[0]) if width else None
    return width//(32 if kind[1] == "s" else 64) if kind else 0


def results(loop, kind):
    return sum(lanes(line) for line in loop if re.match(RESULTS[kind], line))


def hottest(text, prefix, kind):
    """The loop with most vector work that makes results, of functions whose name begins so."""
    found = [loop for name, lines in functions(text).items() if name.startswith(prefix)
             for loop in loops(lines)]
    found = [loop for loop in found if results(loop, kind)]
    return max(found, key=lambda loop: sum(map(lanes, loop)), default=None)


def cycles(loop, kind, cpu):
    """Cycles for a result, or why they are not known."""
    if not loop:
        return "no vectors"
    if any(line.startswith("call") for line in loop):
        return "calls"
    command = ["llvm-mca-22", f"-mcpu={cpu}", f"-iterations={ROUNDS}", "-mtriple=x86_64"]
    answer = subprocess.run(command, check=True, input="\n".join(loop), capture_output=True,
                            text=True).stdout
    return int(re.search(r"Total Cycles:\s+(\d+)", answer)[1])/ROUNDS/results(loop, kind)


def rows():
    for mode, (options, flags) in MODES.items():
        for cpu, level in CPUS.items():
            peer = assembly("clang-22", "-O3", f"-march={cpu}", "-fopenmp", *flags, "-S", "-o", "-",
                            str(HERE/"peer.c"))
            for name, (kernel, types, function, kind) in LOOPS.items():
                own = assembly(str(CPLC), f"{HERE/'kernels.py'}:{kernel}", "--types", types,
                               "--emit", "asm", "--option", f"cpu_level={level}", *options)
                yield (name + mode, cpu, cycles(hottest(own, kernel, kind), kind, cpu),
                       cycles(hottest(peer, function, kind), kind, cpu))


def shown(number):
    return number if isinstance(number, str) else f"{number:.3f}"


def table():
    lines = [" ".join(__doc__.split(":")[0].split()) + ".",
             f"Cycles for a result; made by {Path(__file__).name}, which says what is counted.", "",
             "| loop | CPU | ours | clang | ours/clang |", "| --- | --- | --- | --- | --- |"]
    for name, cpu, own, peer in rows():
        known = not isinstance(own, str) and not isinstance(peer, str)
        ratio = f"{own/peer:.2f}" if known else ""
        lines.append(f"| {name} | {cpu} | {shown(own)} | {shown(peer)} | {ratio} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=" ".join(__doc__.split("\n\n")[0].split()))
    parser.add_argument("--write", type=Path,
                        help="the file to write; without, the table is printed")
    arguments = parser.parse_args()
    text = table()
    arguments.write.write_text(text) if arguments.write else sys.stdout.write(text)


if __name__ == "__main__":
    main()

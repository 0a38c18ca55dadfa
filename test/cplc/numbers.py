# Numbers on the command line beside the ends of every type: what fits arrives, what does not is
# refused by the type's name, typed and untyped, decimal and hexadecimal.
# RUN: rm -rf %t && mkdir -p %t && %python %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]*}} numbers, 0 wrong
import os
import subprocess
import sys

RANGES = {"bool": (0, 1), **{f"int{b}": (-2**(b - 1), 2**(b - 1) - 1) for b in (8, 16, 32, 64)},
          **{f"uint{b}": (0, 2**b - 1) for b in (8, 16, 32, 64)}}


def values(low, high):
    return sorted({low - 1, low, low + 1, -1, 0, 1, high - 1, high, high + 1})


def result(path, text):
    """What the function gives for an argument, None if it is refused."""
    done = subprocess.run(["cplc", "run", path, "--as", "function", f"a={text}"],
                          capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout.split("=")[1].strip()
    refused = "does not hold" in done.stderr or "does not fit" in done.stderr
    return None if done.returncode == 2 and refused else done.stderr


def cases():
    """(argument, result)"""
    for name, (low, high) in RANGES.items():
        for v in values(low, high):
            shown = str(bool(v)) if name == "bool" else str(v)
            fits = low <= v <= high
            yield f"{v}:{name}", shown if fits else None
            yield f"{hex(v)}:{name}", shown if fits else None
    low, high = RANGES["int64"][0], RANGES["uint64"][1]
    for v in {v for r in RANGES.values() for v in values(*r)}:
        yield str(v), str(v) if low <= v <= high else None


def main(folder):
    path = os.path.join(folder, "k.py")
    with open(path, "w") as file:
        file.write("def f(a):\n    return a\n")
    rows, wrong = list(cases()), 0
    for text, expected in rows:
        got = result(path, text)
        if got != expected:
            wrong += 1
            print(f"a={text} gives {got}, not {expected}")
    print(f"{len(rows)} numbers, {wrong} wrong")


if __name__ == "__main__":
    main(sys.argv[1])

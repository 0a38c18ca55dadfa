"""The rows of runtime/algo/tiles.def for a device:
tiles.py [--build BUILD] [--target cuda:0] [--room 1] [--log FILE]

Each algorithm runs with each number of bytes that a work-item may take, over three lengths, by
gpu_bench; of each length the fastest counts, or what the length below has if that is within a
hundredth of it. --room: of devices with sm_90's local memory or better, 1, or of all others, 0.
--log: keeps what was measured, or, where the file is there, takes that. What makes no result stands
on stderr."""

import argparse
import os
import subprocess
import sys

BYTES = (32, 48, 64, 80, 96, 112, 144, 176)
LOGS = (20, 24, 28)
NEAR = 0.99  # of the fastest: no other size for that
USES = (  # a row of the table, and what measures it
    ("REDUCE", "reduce + f64"), ("IN_ORDER", "reduce argmin, in order"), ("SCAN", "scan + i32"),
    ("STRUCTS", "scan affine"), ("SEGMENTS", "scan + i32, segments"),
    ("KEYED", "reduce by key i32, runs of 37"), ("SELECT", "select i32, half"),
    ("HISTOGRAM", "histogram i32, 256 bins"),
)


def log_of(name):
    """'scan + i32 2^20' -> 'scan + i32', 20; records of 2^27 stand for 2^28"""
    algorithm, _, log = name.rpartition(" 2^")
    return algorithm, 28 if log == "27" else int(log)


def measure(args):
    """Lines of gpu_bench, behind how many bytes it was told."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    for _, algorithm in USES:
        for size in BYTES:
            run = subprocess.run([f"{args.build}/bin/gpu_bench", args.target, root, "algorithms",
                                  algorithm, str(size)], stdout=subprocess.PIPE, text=True)
            for line in run.stdout.splitlines():
                yield f"{size}\t{line}"


def read(lines):
    """(algorithm, log) -> {bytes: GB/s}"""
    found = {}
    for line in lines:
        size, name, _, value, _ = line.rstrip("\n").split("\t")
        at = log_of(name)
        best = found.setdefault(at, {})
        best[int(size)] = max(float(value), best.get(int(size), 0))
    return found


def rows(found, algorithm):
    """[(from, bytes)]"""
    chosen = []
    for log in LOGS:
        values = found.get((algorithm, log))
        if not values:
            continue
        best = max(values, key=values.get)
        before = chosen[-1][1] if chosen else None
        if before is None:
            chosen.append((0, best))
        elif values.get(before, 0) < NEAR*values[best]:
            chosen.append((1 << log - 2, best))  # half way, as factors go, to the length below
    return chosen


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--build", default="build")
    parser.add_argument("--target", default="cuda:0")
    parser.add_argument("--room", type=int, choices=(0, 1), default=1)
    parser.add_argument("--log")
    args = parser.parse_args()
    if args.log and os.path.exists(args.log):
        with open(args.log, encoding="utf-8") as file:
            lines = file.readlines()
    else:
        lines = list(measure(args))
        if args.log and lines:
            with open(args.log, "w", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in lines)
    found = read(lines)
    for use, algorithm in USES:
        chosen = rows(found, algorithm)
        if not chosen:
            print(f"tiles.py: nothing measures {use}: {algorithm}", file=sys.stderr)
        for first, size in chosen:
            start = f"1 << {first.bit_length() - 1}" if first else "0"
            print(f"TILE({use}, {args.room}, {start}, {size})")
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Whether faults planted into the compiler are found: plant.py [--count N] [--work DIR] [--jobs N] [--check] [NAME...]

Each edit of plants.txt is made in a copy of the sources, which is built (without optimisation) and given to the
differential test, or to that of algorithms where it is about them, or to the unit and lit tests of what those do not
come to. The last line is "F of P found". An edit whose text is no longer in its file, or is there more than once, is an
error: mend the list."""

import argparse
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ALGORITHMS, OPERATORS = "runtime/algo/", 100  # what their test is for, and how many it draws
RANDOM = "lib/sema/random.py"
UNITS = {  # unit tests, and the files and folders that they are for
    ("unit_random", "unit_random_statistics"): (RANDOM, "runtime/algo/random.c", "runtime/algo/fills.py"),
    ("unit_numeric", "unit_slices", "unit_take"): ("runtime/numeric/", "runtime/device/slice.c"),
    # loops that are cut; the differential test comes behind it
    ("unit_compiles",): ("runtime/team.c", "lib/codegen/gen_fork.c"),
}
LITS = {  # lit tests, and their files: of what the host never comes to, and of what is a matter of speed
    ("device/look-back.test",): (ALGORITHMS + "look.py", ALGORITHMS + "tiles.py"),
    ("codegen/host/placed-stores.py",): ("lib/target/place_mend.c",),
}
SORTED = ("orders",)
TESTS = {"sort": ("sorts",), "radix": ("sorts",), "merge": ("sorts", "orders"), "select": ("sorts",), "cells": SORTED,
         "gather": SORTED, "choose": SORTED, "sorted": SORTED, "unique": SORTED}  # files there that other tests are for
FOLDERS = ["cmake", "docs", "include", "lib", "passes", "runtime", "tools", "examples", "test"]


def read_plants(path):
    text = "".join(line for line in open(path) if not line.startswith("# "))
    plants = []
    for piece in re.split(r"^### ", text, flags=re.M)[1:]:
        m = re.fullmatch(r"(\S+)\n(\S+)\n<<<\n(.*?)===\n(.*?)>>>\s*", piece, re.S)
        if not m:
            sys.exit(f"plant.py: {path}: '{piece.splitlines()[0]}' has another form")
        name, file, old, new = m.groups()
        plants.append((name, file, old.rstrip("\n"), new.rstrip("\n")))
    return plants


def pattern(old):
    """Finds the text however its lines are broken and indented."""
    return re.compile(r"\s*".join(map(re.escape, re.findall(r"\w+|[^\w\s]", old))))


def check(plants, root):
    bad = 0
    for name, file, old, _ in plants:
        found = len(pattern(old).findall(open(os.path.join(root, file)).read()))
        if found != 1:
            print(f"{name}: its text is in {file} {found} times")
            bad += 1
    if bad:
        sys.exit(f"plant.py: {bad} edits do not fit the sources any more")


def copy_sources(work):
    """Brings the copy up to date, leaving files alone that are the same, so that builds stay incremental."""
    source = os.path.join(work, "source")
    for folder in FOLDERS:
        for path, names, files in os.walk(os.path.join(ROOT, folder)):
            names[:] = [n for n in names if not n.startswith(".") and n != "__pycache__"]
            to = os.path.join(source, os.path.relpath(path, ROOT))
            os.makedirs(to, exist_ok=True)
            for f in files:
                put(os.path.join(to, f), open(os.path.join(path, f), "rb").read())
    for f in ("CMakeLists.txt", "LICENSE"):
        put(os.path.join(source, f), open(os.path.join(ROOT, f), "rb").read())
    return source


def put(path, data):
    if not os.path.exists(path) or open(path, "rb").read() != data:
        with open(path, "wb") as f:
            f.write(data)


def build(folder, jobs):
    programs = ["fuzz", "algorithms", "cplc", *sorted(set(sum(TESTS.values(), ()))), *sum(UNITS, ())]
    done = subprocess.run(["ninja", "-C", folder, f"-j{jobs}", *programs], capture_output=True, text=True)
    return done.returncode == 0, done.stdout


def tests_for(table, file):
    return next((tests for tests, files in table.items() if file.startswith(files)), ())


def run_units(folder, tests):
    """As run_program: the first test that fails."""
    for name in tests:
        program = os.path.join(folder, "test", "unit", name)
        done = subprocess.run([program], capture_output=True, text=True, errors="replace")
        failed = re.search(r"^\[  FAILED  \] .*", done.stderr + done.stdout, re.M)
        if done.returncode:
            return 1, failed.group(0) if failed else f"exit status {done.returncode}", ""
    return 0, "all pass", ""


def run_lits(folder, tests):
    """As run_program, in the copy of the sources, which lies beside the build folder."""
    paths = [os.path.join(os.path.dirname(folder), "source", "test", t) for t in tests]
    command = [sys.executable, "-m", "lit.main", "-q", "--param", "build=" + folder, *paths]
    done = subprocess.run(command, capture_output=True, text=True)
    failed = re.search(r"^FAIL: .*", done.stdout, re.M)
    return (1, failed.group(0), "") if done.returncode else (0, "all pass", "")


def run(folder, file, count, jobs):
    """As run_program: of the first test of a file that finds something, or the last one."""
    if tests_for(LITS, file):
        return run_lits(folder, tests_for(LITS, file))
    if tests_for(UNITS, file):
        found = run_units(folder, tests_for(UNITS, file))
        if found[0] or not file.startswith("lib/codegen/"):
            return found
    if not file.startswith(ALGORITHMS):
        return run_program(folder, ["fuzz", "--count", str(count), "--seed", "1", "--as-is", "--jobs", str(jobs)])
    for name in TESTS.get(os.path.basename(file).split(".")[0], ("algorithms",)):
        found = run_program(folder, [name, "--count", str(OPERATORS)])
        if found[0]:
            break
    return found


def run_program(folder, command):
    """Its exit status, its last line, and the first mismatch."""
    name, *options = command
    command = [os.path.join(folder, "test", "fuzz", name), "--stop-at", "1", *options]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    last = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr.strip()
    first = re.search(r"^seed \d+: (.*)", done.stdout, re.M)
    return done.returncode, last, first.group(0) if first else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=4000, help="programs for each fault")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--work", default=os.path.join(ROOT, "build-plant"))
    parser.add_argument("--check", action="store_true", help="only whether each edit still fits the sources")
    parser.add_argument("names", nargs="*", help="faults to plant; all by default")
    args = parser.parse_args()
    plants = read_plants(os.path.join(ROOT, "test", "fuzz", "plants.txt"))
    check(plants, ROOT)
    if args.check:
        print(f"{len(plants)} edits fit the sources")
        return 0
    unknown = set(args.names) - {p[0] for p in plants}
    if unknown:
        sys.exit(f"plant.py: there is no fault called {', '.join(sorted(unknown))}")
    os.makedirs(args.work, exist_ok=True)
    source, folder = copy_sources(args.work), os.path.join(args.work, "build")
    if not os.path.exists(os.path.join(folder, "build.ninja")):
        shutil.rmtree(folder, ignore_errors=True)
        command = ["cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                   "-DCPL_PYTHON_PACKAGE=OFF"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    ok, log = build(folder, args.jobs)
    if not ok:
        sys.exit(f"plant.py: the sources do not compile as they are\n{log[-3000:]}")
    for file in ("lib/", ALGORITHMS, ALGORITHMS + "sort.c", ALGORITHMS + "cells.c", ALGORITHMS + "look.py", RANDOM,
                 "runtime/numeric/", "runtime/team.c"):
        rc, last, first = run(folder, file, min(args.count, 500), args.jobs)
        if rc:
            sys.exit(f"plant.py: something differs before anything is planted: {first or last}")
    found = tried = 0
    for name, file, old, new in plants:
        if args.names and name not in args.names:
            continue
        tried += 1
        path = os.path.join(source, file)
        good = open(path).read()
        try:
            put(path, pattern(old).sub(lambda _: new.lstrip(), good).encode())  # the first line is indented as it was
            ok, log = build(folder, args.jobs)
            if not ok:
                print(f"{name}: does not compile\n{log[-1500:]}", flush=True)
                continue
            rc, last, first = run(folder, file, args.count, args.jobs)
        finally:
            put(path, good.encode())
        found += rc == 1
        print(f"{name}: {'found' if rc == 1 else 'NOT FOUND'}: {(first or last)[:150]}", flush=True)
    print(f"{found} of {tried} found")
    return 0 if found == tried else 1


if __name__ == "__main__":
    sys.exit(main())

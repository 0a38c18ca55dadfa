#!/usr/bin/env python3
"""Whether faults planted into the compiler are found: plant.py [--count N] [--work DIR] [--jobs N] [--check] [NAME...]

Each edit of plants.txt is made in a copy of the sources, which is built (without optimisation) and given to the
differential test, or to that of algorithms where it is about them, or to the unit and lit tests of what those do not
come to, or to the tests that the edit names. Before anything is planted each of these passes, and does not without the
library that is built here. The last line is "F of P found". What says nothing is an error, never "not found": a test
that was skipped or ran nothing, an edit that does not compile, that leaves the library as it was, or whose text is no
longer in its file, or is there more than once."""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys

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
    ("codegen/host/seldom.py", "run/seldom.py"): ("lib/target/seldom_mend.c",),
}
SORTED = ("orders",)
TESTS = {"sort": ("sorts",), "radix": ("sorts",), "merge": ("sorts", "orders"), "select": ("sorts",), "cells": SORTED,
         "gather": SORTED, "choose": SORTED, "sorted": SORTED, "unique": SORTED}  # files there that other tests are for
PATIENCE = 900  # seconds for one test of one fault
FOLDERS = ["cmake", "docs", "include", "lib", "passes", "runtime", "tools", "examples", "test"]


class SaysNothing(Exception):
    """Whether there is a fault, a test did not say: it ran nothing, or does not run."""


def read_plants(path):
    text = "".join(line for line in open(path) if not line.startswith("# "))
    plants = []
    for piece in re.split(r"^### ", text, flags=re.M)[1:]:
        m = re.fullmatch(r"(\S+)\n(\S+)((?: \w+:\S+)*)\n<<<\n(.*?)===\n(.*?)>>>\s*", piece, re.S)
        if not m:
            sys.exit(f"plant.py: {path}: '{piece.splitlines()[0]}' has another form")
        name, file, tests, old, new = m.groups()
        tests = [tuple(test.split(":", 1)) for test in tests.split()] or tests_of(file)
        plants.append((name, file, old.rstrip("\n"), new.rstrip("\n"), tests))
    return plants


def pattern(old):
    """Finds the text however its lines are broken and indented."""
    return re.compile(r"\s*".join(map(re.escape, re.findall(r"\w+|[^\w\s]", old))))


def check(plants, root):
    bad = 0
    for name, file, old, _, tests in plants:
        found = len(pattern(old).findall(open(os.path.join(root, file)).read()))
        if found != 1:
            print(f"{name}: its text is in {file} {found} times")
            bad += 1
        for kind, test in tests:
            if kind not in KINDS or kind == "lit" and not os.path.exists(os.path.join(root, "test", test)):
                print(f"{name}: there is no test {kind}:{test}")
                bad += 1
    if bad:
        sys.exit(f"plant.py: {bad} edits do not fit the sources any more")


def copy_sources(root, work):
    """Brings the copy up to date, leaving files alone that are the same, so that builds stay incremental."""
    source = os.path.join(work, "source")
    for folder in FOLDERS:
        for path, names, files in os.walk(os.path.join(root, folder)):
            names[:] = [n for n in names if not n.startswith(".") and n != "__pycache__"]
            to = os.path.join(source, os.path.relpath(path, root))
            os.makedirs(to, exist_ok=True)
            for f in files:
                put(os.path.join(to, f), open(os.path.join(path, f), "rb").read())
    for f in ("CMakeLists.txt", "LICENSE"):
        if os.path.exists(os.path.join(root, f)):
            put(os.path.join(source, f), open(os.path.join(root, f), "rb").read())
    tools = os.path.join(source, ".dev")  # what ./dev setup installed, which tests may need
    if os.path.exists(os.path.join(root, ".dev")) and not os.path.lexists(tools):
        os.symlink(os.path.join(root, ".dev"), tools)
    return source


def put(path, data):
    if not os.path.exists(path) or open(path, "rb").read() != data:
        with open(path, "wb") as f:
            f.write(data)


def build(folder, jobs, targets):
    done = subprocess.run(["ninja", "-C", folder, f"-j{jobs}", *targets], capture_output=True, text=True)
    return done.returncode == 0, done.stdout + done.stderr


def library(folder):
    return os.path.realpath(os.path.join(folder, "lib", "libcpl.so"))


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).digest()


# --- tests -----------------------------------------------------------------------------------------------------------
#
# (kind, name); the function of a kind says whether it found something, and what, or raises SaysNothing.


def tests_for(table, file):
    return next((tests for tests, files in table.items() if file.startswith(files)), ())


def tests_of(file):
    """Of a file, in turns until one finds something."""
    lits, units = tests_for(LITS, file), [("unit", name) for name in tests_for(UNITS, file)]
    if lits:
        return [("lit", name) for name in lits]
    if units and not file.startswith("lib/codegen/"):
        return units
    if not file.startswith(ALGORITHMS):
        return [*units, ("random", "fuzz")]
    return [("random", name) for name in TESTS.get(os.path.basename(file).split(".")[0], ("algorithms",))]


def target(kind, name):
    return "cplc" if kind == "lit" else name


def run_command(command):
    """Its exit status, and what it printed; without a status: what ended it."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None, "hangs", ""
    if done.returncode < 0:
        return None, f"ended by signal {-done.returncode}", ""
    return done.returncode, done.stdout, done.stderr


def last_line(*texts):
    return next((text.strip().splitlines()[-1] for text in texts if text.strip()), "it prints nothing")


def run_unit(folder, name, _):
    rc, out, err = run_command([os.path.join(folder, "test", "unit", name)])
    if rc is None:
        return True, f"{name} {out}"
    failed = re.search(r"^\[  FAILED  \] \S+$", err + out, re.M)
    if rc and failed:
        return True, failed.group(0)
    if rc or not re.search(r"^\[  PASSED  \] [1-9]", err + out, re.M):
        raise SaysNothing(f"exit status {rc}: {last_line(err, out)}")
    return False, "all pass"


def run_lit(folder, name, _):
    """In the copy of the sources, which lies beside the build folder."""
    source = os.path.join(os.path.dirname(folder), "source")
    python = os.path.join(source, ".dev", "venv", "bin", "python")
    python = python if os.path.exists(python) else sys.executable
    lit = [python, "-c", "from lit.main import main; main()"]  # python -m lit.main runs nothing, and succeeds
    rc, out, err = run_command([*lit, "--param", "build=" + folder, os.path.join(source, "test", name)])
    if rc is None:
        return True, f"lit {out}"
    said = re.findall(r"^(([A-Z]+): \S+ :: .*) \(\d+ of \d+\)", out, re.M)
    if len(said) != 1 or said[0][1] not in ("PASS", "FAIL", "TIMEOUT"):
        raise SaysNothing(f"nothing ran: {said[0][0] if said else last_line(err, out)}")
    return said[0][1] != "PASS", said[0][0]


def run_random(folder, name, args):
    options = ["--count", str(OPERATORS)]
    if name == "fuzz":
        options = ["--count", str(args.count), "--seed", "1", "--as-is", "--jobs", str(args.jobs)]
    rc, out, err = run_command([os.path.join(folder, "test", "fuzz", name), "--stop-at", "1", *options])
    if rc is None:
        return True, f"{name} {out}"
    first = re.search(r"^seed \d+: .*", out, re.M)
    if rc not in (0, 1) or not rc and not re.search(r"^[1-9]\d* \w+ compared, 0 mismatches", last_line(out)):
        raise SaysNothing(f"exit status {rc}: {last_line(out, err)}")
    return rc == 1, first.group(0) if first else last_line(out, err)


KINDS = {"lit": run_lit, "random": run_random, "unit": run_unit}


def run(folder, tests, args):
    """Of the first test that finds something, or the last one."""
    for kind, name in tests:
        found, what = KINDS[kind](folder, name, args)
        if found:
            break
    return found, what


def check_test(folder, test, args):
    """That it passes while nothing is planted, and not without the library that is built here: it is what it loads."""
    path = library(folder)
    found, what = run(folder, [test], args)
    if found:
        sys.exit(f"plant.py: something differs before anything is planted: {what}")
    os.rename(path, path + ".away")
    try:
        found, _ = run(folder, [test], args)
    except SaysNothing:
        found = True
    finally:
        os.rename(path + ".away", path)
    if not found:
        sys.exit(f"plant.py: {':'.join(test)} passes without {path}: it loads another one")


# --- faults ----------------------------------------------------------------------------------------------------------


class Copy:
    """The sources to plant into, and their build."""

    def __init__(self, root, work, jobs, targets):
        os.makedirs(work, exist_ok=True)
        self.source, self.folder = copy_sources(root, work), os.path.join(work, "build")
        self.jobs, self.targets = jobs, targets
        if not os.path.exists(os.path.join(self.folder, "build.ninja")):
            shutil.rmtree(self.folder, ignore_errors=True)
            command = ["cmake", "-S", self.source, "-B", self.folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                       "-DCPL_PYTHON_PACKAGE=OFF"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        ok, log = build(self.folder, jobs, targets)
        if not ok:
            sys.exit(f"plant.py: the sources do not compile as they are\n{log[-3000:]}")
        self.sound = digest(library(self.folder))

    def plant(self, plant, args):
        """As run, of what its tests say of a fault."""
        _, file, old, new, tests = plant
        path = os.path.join(self.source, file)
        good = open(path).read()
        try:
            put(path, pattern(old).sub(lambda _: new.lstrip(), good).encode())  # the first line is indented as it was
            ok, log = build(self.folder, self.jobs, self.targets)
            if not ok:
                raise SaysNothing(f"it does not compile\n{log[-1500:]}")
            if digest(library(self.folder)) == self.sound:
                raise SaysNothing("the library is as it was")
            return run(self.folder, tests, args)
        finally:
            put(path, good.encode())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=4000, help="programs for each fault")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--root", default=os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    parser.add_argument("--work", help="where to build: build-plant")
    parser.add_argument("--check", action="store_true", help="only whether each edit still fits the sources")
    parser.add_argument("names", nargs="*", help="faults to plant; all by default")
    args = parser.parse_args()
    root = os.path.abspath(args.root)
    plants = read_plants(os.path.join(root, "test", "fuzz", "plants.txt"))
    check(plants, root)
    if args.check:
        print(f"{len(plants)} edits fit the sources")
        return 0
    unknown = set(args.names) - {p[0] for p in plants}
    if unknown:
        sys.exit(f"plant.py: there is no fault called {', '.join(sorted(unknown))}")
    return plant_all([p for p in plants if not args.names or p[0] in args.names], root, args)


def plant_all(plants, root, args):
    tests = sorted({test for *_, tests in plants for test in tests})
    work = os.path.abspath(args.work or os.path.join(root, "build-plant"))
    copy = Copy(root, work, args.jobs, sorted({target(*test) for test in tests}))
    for test in tests:
        try:
            check_test(copy.folder, test, argparse.Namespace(count=min(args.count, 500), jobs=args.jobs))
        except SaysNothing as what:
            sys.exit(f"plant.py: {':'.join(test)}: before anything is planted: {what}")
    found = errors = 0
    for plant in plants:
        try:
            is_found, what = copy.plant(plant, args)
        except SaysNothing as error:
            errors += 1
            print(f"{plant[0]}: ERROR: {error}", flush=True)
            continue
        found += is_found
        print(f"{plant[0]}: {'found' if is_found else 'NOT FOUND'}: {what[:150]}", flush=True)
    print(f"{found} of {len(plants)} found" + (f", of {errors} nothing is known" if errors else ""))
    return 0 if found == len(plants) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Runs programs with Compyle and with cpl, and compares what they compute.

    python compyle_compare.py [--openmp] [--tolerance 1e-9] COMPYLE_PYTHON
    python compyle_compare.py [--tolerance 1e-9] COMPYLE_PYTHON script.py [arguments]

COMPYLE_PYTHON is a Python in which Compyle is installed; the one that runs this has cpl. Without a
script it runs compyle_programs.py on the host; of a script all numbers that it prints are compared
but those in lines with "time" or "secs". Prints a line for each program that differs and a summary,
and returns 1 if any does. Compyle takes some seconds to compile a program that is new to it.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_TIME = re.compile(r"time taken|secs|seconds", re.I)


def is_close(a, b, tolerance):
    """Whether two nested lists of numbers are the same, within a relative tolerance."""
    if isinstance(a, list) or isinstance(b, list):
        same = isinstance(a, list) and isinstance(b, list) and len(a) == len(b)
        return same and all(is_close(x, y, tolerance) for x, y in zip(a, b))
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    both_nan = math.isnan(a) and math.isnan(b)
    return both_nan or math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)


def compare(ours, theirs, tolerance):
    """Rows (name, what it is) of programs that differ; those that fail with Compyle are no
    difference, and are told apart."""
    different, failing = [], []
    for name in sorted({*ours, *theirs}):
        a, b = ours.get(name, "was not run"), theirs.get(name, "was not run")
        if isinstance(b, str):
            failing.append((name, b))
        elif not is_close(a, b, tolerance):
            different.append((name, f"{str(a)[:200]} with cpl, {str(b)[:200]} with Compyle"))
    return different, failing


def numbers(text):
    """Those in lines that tell of no time."""
    lines = [line for line in text.splitlines() if not _TIME.search(line)]
    return [float(n) for n in _NUMBER.findall("\n".join(lines))]


def run(command, **more):
    """What a command prints, and the seconds that it took."""
    start = time.perf_counter()
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, check=False, **more)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}")
    return done.stdout, time.perf_counter() - start


def without_ours():
    """The environment for Compyle's Python."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}


def compare_programs(python, options, tolerance):
    results, seconds = [], []
    path = os.path.join(HERE, "compyle_programs.py")
    for command, env in (
        ([sys.executable, "-m", "cpl.compyle"], None), ([python], without_ours())
    ):
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            _, took = run([*command, path, file.name, "cython", *options], env=env)
            results.append(json.load(file))
            seconds.append(took)
    different, failing = compare(*results, tolerance)
    for name, text in failing:
        print(f"{name}: fails with Compyle, {text}")
    for name, text in different:
        print(f"{name}: {text}")
    count = len(results[0]) - len(different) - len(failing)
    print(f"{count} programs agree, {len(different)} differ, {len(failing)} fail with Compyle; "
          f"{seconds[0]:.1f} s with cpl, {seconds[1]:.1f} s with Compyle")
    return bool(different)


def compare_script(python, script, tolerance):
    folder, name = os.path.split(os.path.abspath(script[0]))
    ours, seconds = run([sys.executable, "-m", "cpl.compyle", name, *script[1:]], cwd=folder)
    theirs, longer = run([python, name, *script[1:]], cwd=folder, env=without_ours())
    same = is_close(numbers(ours), numbers(theirs), tolerance)
    print(f"{' '.join(script)}: {'agree' if same else 'differ'}, {len(numbers(ours))} numbers; "
          f"{seconds:.1f} s with cpl, {longer:.1f} s with Compyle")
    if not same:
        print(f"--- cpl ---\n{ours}--- Compyle ---\n{theirs}", end="")
    return not same


def options(arguments=None):
    """What is said; behind the Python all is the script's, and options there are refused."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--openmp", action="store_true")
    parser.add_argument("--tolerance", type=float, default=1e-9)
    parser.add_argument("python", metavar="COMPYLE_PYTHON")
    parser.add_argument("script", nargs=argparse.REMAINDER)
    said = parser.parse_args(arguments)
    if said.script and said.script[0].startswith("-"):
        parser.error(f"{said.script[0]} stands in front of COMPYLE_PYTHON")
    return said


def main():
    said = options()
    if said.script:
        return compare_script(said.python, said.script, said.tolerance)
    return compare_programs(said.python, ["--openmp"]*said.openmp, said.tolerance)


if __name__ == "__main__":
    sys.exit(main())

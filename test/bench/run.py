#!/usr/bin/env python3
"""run.py [--build DIR] [--peers] [--leak] [--costs] [--quick] [--only TEXT] [--gpu] [--json FILE]: the figures of this machine.

README.md says what is measured. What is missing is shown as missing and its figure as not met; nothing here fails.
"""
import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time

import numpy as np

import costs
import report
from cases import CASES, Array, Case, numbers, triad
from peers import ALWAYS, BOUNDS, BY_NAME, COMPILERS, DEFAULT, EVERY, FAST, PYTHON, Field, here, root

ROUNDS, LEAST_ROUNDS, ROW_S = 15, 5, 5.0  # a row ends after ROUNDS turns of everybody, or when its time is up
SLOW, SLOW_TURNS = 3.0, 3                 # a peer that is this many times slower after this many turns gets no more of them
FIRST_CALLS = {"cpl": 21, "compiler": 21, "Numba": 7, "Compyle": 1, "Intel OCL": 7}
FIRST_KERNELS = ["straight", "loop", "diverge"]
FIRST_ALGORITHMS = {"reduction": "reduce:a+b:term", "scan": "scan:a+b::term_of_scan"}
LAUNCH = Case("launch", triad, None, {"1": 1}, 1, kernel="triad")
ONE = Case("one element", lambda n: numbers(n, np.float64, [1]), None, {"1": 1}, 1, kernel="reduce:a+b")


def scratch():
    """Arrays go through files; written to a disk, they would still be on their way there when the timing starts."""
    place = "/dev/shm"
    if os.access(place, os.W_OK) and os.statvfs(place).f_bavail*os.statvfs(place).f_frsize > 4 << 30:
        return place
    return None


def open_text(case, n, arguments, folder):
    lines = [f"open {case.kernel} {case.entry} {n}"]
    for number, a in enumerate(arguments):
        if isinstance(a, Array):
            path = os.path.join(folder, f"array{number}")
            a.data.tofile(path)
            lines.append(f"{a.kind} {a.data.dtype.name} {a.data.size} {path}")
        else:
            lines.append(f"int {a}" if isinstance(a, int) else f"float {float(a)!r}")
    return "\n".join([*lines, "end"])


def check(field, case, arguments, folder, who):
    """None, or what is wrong with the results of who."""
    reply = field.workers[who].ask(f"check {who}\t{folder}")
    if reply != "ok":
        return reply.removeprefix("error ")
    outputs = [a for a in arguments if isinstance(a, Array) and a.kind != "in"]
    results = [np.fromfile(os.path.join(folder, str(k)), a.data.dtype) for k, a in enumerate(outputs)]
    wrong = case.check(arguments, results)
    return f"WRONG: {wrong}" if wrong else None


def measure(field, case, label, n, whose, checked, limits):
    """A row: the fastest of interleaved runs of everybody in whose, and the problems of those without a time."""
    row = {"kernel": case.name, "size": label, "n": n, "ms": {},
           "problems": {w: field.problems[w] for w in whose if w in field.problems}}
    arguments = case.arguments(n)
    n = next((a.data.size for a in arguments if isinstance(a, Array) and a.kind != "inout"), n)
    able = [w for w in whose if field.ready(w)]
    with tempfile.TemporaryDirectory(dir=scratch()) as folder:
        text = open_text(case, n, arguments, folder)
        workers = list(dict.fromkeys(field.workers[w] for w in able))
        for worker in workers:
            worker.send(text)
        replies = {worker: worker.receive() for worker in workers}
        for who in able:
            reply = replies[field.workers[who]]
            if reply != "ok":
                row["problems"][who] = reply.removeprefix("error ")
            elif checked:
                wrong = check(field, case, arguments, folder, who)
                if wrong:
                    row["problems"][who] = wrong
        able = [w for w in able if w not in row["problems"]]
        del arguments
        rounds, least, seconds = limits
        stop = time.monotonic() + seconds
        for turn in range(rounds):
            if turn >= least and time.monotonic() > stop:
                break
            for who in list(able):
                if turn >= SLOW_TURNS and who in field.wanted and row["ms"][who] > SLOW*min(row["ms"].values()):
                    continue
                reply = field.workers[who].ask(f"sample {who}")
                if reply.startswith("ms "):
                    ms = float(reply[3:])
                    row["ms"][who] = min(ms, row["ms"].get(who, ms))
                else:
                    able.remove(who)
                    row["ms"].pop(who, None)
                    row["problems"][who] = reply.removeprefix("error ")
        for worker in workers:
            if worker.process is not None:
                worker.ask("close")
    return row


def all_rows(field, options, limits):
    rows = []
    for case in CASES:
        if options.only and options.only not in f"{case.name} {case.kernel}":
            continue
        whose = [FAST, DEFAULT, *([BOUNDS] if case.kernel == "triad" else []), *field.wanted]
        sizes = {"small": case.small} if options.quick else case.sizes
        for number, (label, n) in enumerate(sizes.items()):
            print(f"bench: {case.name}, {label}", file=sys.stderr, flush=True)
            rows.append(measure(field, case, label, n, whose, number == 0, limits))
    return rows


def take(once, kernel, who, lines):
    """Adds the times that once.c printed."""
    if lines is None:
        return
    times = [float(line) for line in lines if not line.startswith("compiles")]
    compiles = [int(line.split()[1]) for line in lines if line.startswith("compiles")]
    if times:
        once[f"first call, {kernel}, {who}"] = {"who": who, "ms": times, **({"compiles": compiles[0]} if compiles else {})}


def tier_options(field):
    """Options that switch the quick first tier off, if libcpl has any."""
    return ",".join(f"{name}=0" for name in field.once("options") or [] if name.startswith("tier"))


def own_first_calls(field, once, kernel, function, count, number):
    """Those of libcpl itself, of a kernel or an algorithm."""
    print(f"bench: first calls, {kernel}", file=sys.stderr, flush=True)
    tiers, words = tier_options(field), ["first", f"{here}/first.py", function, str(count)]
    take(once, kernel, DEFAULT, field.once(*words, f"1{number}", ""))
    if tiers:
        take(once, kernel, "cpl, one tier", field.once(*words, f"2{number}", tiers))
    with tempfile.TemporaryDirectory() as folder:
        disk = {"CPL_CACHE": "1", "CPL_CACHE_DIR": folder}
        field.once(*words, f"3{number}", "", environment=disk)
        take(once, kernel, "cpl, from disk", field.once(*words, f"3{number}", "", environment=disk))


def first_calls(field, options, once):
    counts = {who: 1 for who in FIRST_CALLS} if options.quick else FIRST_CALLS
    for number, kernel in enumerate(FIRST_KERNELS):
        own_first_calls(field, once, kernel, kernel, counts["cpl"], number)
        for who in COMPILERS:
            if field.ready(who):
                take(once, kernel, who, field.once("compiler", f"{here}/first.c", kernel, str(counts["compiler"]), field.folder,
                                                   field.compile_command(who)))
        for who in PYTHON:
            if field.ready(who):
                reply = field.workers[who].ask(f"first {kernel} {counts[who]}")
                if reply.startswith("ms "):
                    take(once, kernel, who, reply.split()[1:])
                else:
                    print(f"bench: first call, {kernel}, {who}: {reply}", file=sys.stderr)
    for number, (name, algorithm) in enumerate(FIRST_ALGORITHMS.items(), len(FIRST_KERNELS)):
        own_first_calls(field, once, name, algorithm, counts["cpl"], number)


def starts(field, build, options, once):
    count = "3" if options.quick else "40"
    programs = {"cplc --version": [os.path.join(build, "bin", "cplc"), "--version"], "true (a process that does nothing)": ["true"]}
    for name, command in programs.items():
        lines = field.once("start", count, *command)
        if lines:
            once[name] = {"who": name, "ms": [float(line) for line in lines]}


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def parse():
    parser = argparse.ArgumentParser(description="Figures of libcpl on this machine.")
    parser.add_argument("--build", default=os.path.join(root, "build"))
    parser.add_argument("--peers", action="store_true", help="compare with clang, Numba, Compyle, Intel's OpenCL, not gcc alone")
    parser.add_argument("--leak", action="store_true", help="also watch memory over 10,000 compiles; takes minutes")
    parser.add_argument("--costs", action="store_true", help="the cost model beside this machine's times, and nothing else")
    parser.add_argument("--quick", action="store_true", help="small sizes, few runs: shows that all works, not how fast")
    parser.add_argument("--only", metavar="TEXT", help="only kernels whose name contains this; nothing of the second table")
    parser.add_argument("--gpu", action="store_true", help="figures of GPUs instead: gpu.py")
    parser.add_argument("--json", metavar="FILE", help="also write the figures to this file")
    return parser.parse_args()


def run_all(field, build, options):
    limits = (2, 1, 0.0) if options.quick else (ROUNDS, LEAST_ROUNDS, ROW_S)
    figures, result = report.Figures(), {}
    result["rows"] = rows = all_rows(field, options, limits)
    report.row_figures(figures, rows, field.wanted)
    report.show_rows(rows, field.wanted, field.problems)
    if not options.only:
        result["once"] = once = {}
        first_calls(field, options, once)
        starts(field, build, options, once)
        result["launch"] = launch = measure(field, LAUNCH, "1", 1, [DEFAULT, BY_NAME, *field.wanted], False, limits)
        result["one element"] = one = measure(field, ONE, "1", 1, [DEFAULT], False, limits)
        report.once_figures(figures, once)
        report.launch_figures(figures, launch, one)
        report.show_once(once, launch, one)
    if options.leak:
        print("bench: memory over many compiles", file=sys.stderr, flush=True)
        lines = field.once("leak", f"{here}/first.py", "100" if options.quick else "10000")
        result["leak"] = points = [[int(word) for word in line.split()] for line in lines or []]
        report.leak_figures(figures, points)
    figures.show()
    result["figures"] = figures.all
    return result


def main():
    options = parse()
    build = os.path.abspath(options.build)
    if options.gpu:
        words = ["--build", build, *(["--quick"] if options.quick else []), *(["--json", options.json] if options.json else [])]
        sys.exit(subprocess.call([sys.executable, os.path.join(here, "gpu.py"), *words]))
    if options.costs:
        print(processor())
        costs.show(*costs.measure(build, options.quick))
        return
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            field = Field(folder, build, EVERY if options.peers else ALWAYS)
        except (subprocess.CalledProcessError, OSError) as error:
            print(f"bench: libcpl could not be measured: {error}", file=sys.stderr)
            return
        print(f"{processor()}, {len(os.sched_getaffinity(0))} cores")
        for description in field.descriptions.values():
            print(description)
        try:
            result = run_all(field, build, options)
        finally:
            field.close()
    result |= {"processor": processor(), "cores": len(os.sched_getaffinity(0)), "peers": field.descriptions,
               "problems": field.problems, "seconds": round(time.monotonic() - began, 1), "quick": options.quick}
    if options.json:
        with open(options.json, "w") as file:
            json.dump(result, file, indent=2)


if __name__ == "__main__":
    main()
